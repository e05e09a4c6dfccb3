#ifndef CONFIG_COMMAND_H
#define CONFIG_COMMAND_H
/* Runs one program that prints a token: argv without a shell, found by PATH; stdin and stderr stay the terminal's, so
 * that it may ask; nothing else is inherited but a short list of variables that holds no other token (faults P1).
 */

#include "base/error.h"

#include <stddef.h>

enum { COMMAND_OUTPUT_MAX = 64 << 10, COMMAND_TIMEOUT_MS = 60000 };

struct command_output {
    char bytes[COMMAND_OUTPUT_MAX];
    size_t len;
};

/* More output than fits is ERR_CONFIG, as are a status that is not 0, a program that cannot run, and no end within
 * timeout_ms. The caller wipes the output, also on failure. argv ends with NULL. */
enum err command_run(char *const argv[], int timeout_ms, struct command_output *output, struct error *error) MUST_CHECK;

#endif
