#ifndef RUN_CONSOLE_H
#define RUN_CONSOLE_H
/* The console on a terminal: screen, shell and loop together, until the operator leaves or the terminal does. */

#include "run/files/theme_watch.h"

#include "panes/shell.h"

struct console_options {
    struct shell_options shell;
    const struct secret *token;
    const struct secret *control; /* of the demo's control path; NULL: no demo */
    const char *folder;           /* of cache and state; NULL: the operator's */
    struct theme_watch *theme_watch;
    enum theme_depth depth;
};

/* *signal: the signal that ended it, or 0. */
enum err console_run(const struct console_options *options, int *signal, struct error *error) MUST_CHECK;

#endif
