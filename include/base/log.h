#ifndef BASE_LOG_H
#define BASE_LOG_H
/* The log file: method, path, status, times, sizes, request id; nothing else from outside. Each line is redacted and
 * sanitised before it is written. Off until log_open. 1 MB x 3, rotated. Any thread. */

#include "base/error.h"

enum err log_open(const char *path, struct error *error) MUST_CHECK;
void log_close(void);
void log_line(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
