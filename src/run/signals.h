#ifndef RUN_SIGNALS_H
#define RUN_SIGNALS_H
/* Signals as bytes in a pipe: handlers do nothing else (curl_multi_poll returns from a signal as if nothing happened).
 * Fatal ones restore the terminal and then take their default action. */

#include "base/error.h"

#include <stdbool.h>

struct signals {
    int end;      /* a signal that ends the program, or 0 */
    bool resized; /* SIGWINCH, SIGCONT */
    bool stopped; /* SIGTSTP from outside */
};

enum err signals_open(int *fd, struct error *error) MUST_CHECK;
void signals_close(void);
/* Stops this process, or with it its group as the terminal's Ctrl-Z would; returns when it goes on. */
void signals_stop(bool group);
void signals_read(int fd, struct signals *out); /* drains the pipe; adds to what is there */

#endif
