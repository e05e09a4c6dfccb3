#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H
/* Runs one other program: argv without a shell, found by PATH; of the environment it gets only a short list of
 * variables, none of which holds a token. Blocks until it ends or is late. Any thread. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { COMMAND_OUTPUT_MAX = 64 << 10, COMMAND_SAID_MAX = 160, COMMAND_TIMEOUT_MS = 60000, COMMAND_VARIABLES_MAX = 128 };

struct command_output {
    char bytes[COMMAND_OUTPUT_MAX];
    size_t len;
    bool cut;                    /* command_run_whole: there was more than fits */
    char said[COMMAND_SAID_MAX]; /* the last line that it said on stderr, clean and without secrets; "" */
};

/* What it prints, a token; stdin stays the terminal's, so that it may ask, and what it says on stderr is shown there
 * through base/out.h: at its end, or once it waits, without secrets and at most 16 KB of it. More output than fits is
 * ERR_CONFIG, as are a status that is not 0, a program that cannot run, and no end within timeout_ms; where a signal
 * came that ends this program, that one is ended too (ERR_INCOMPLETE). What goes on behind its end is not waited for.
 * The caller wipes the output, also on failure. argv ends with NULL. */
enum err command_run(char *const argv[], int timeout_ms, struct command_output *output, struct error *error) MUST_CHECK;

/* The same for a program whose work is what it is run for: it is not ended for what it prints, of which the beginning
 * is kept. */
enum err command_run_whole(char *const argv[], int timeout_ms, struct command_output *output,
                           struct error *error) MUST_CHECK;

/* The same with further variables by name: n of them. */
enum err command_run_with(char *const argv[], char *const *names, size_t n, int timeout_ms,
                          struct command_output *output, struct error *error) MUST_CHECK;

/* ERR_CONFIG where no such program is found by path or PATH. */
enum err command_find_program(const char *name, struct error *error) MUST_CHECK;

/* Gives the program text to read, from a file in memory, and discards its output, so that a child of it that stays
 * running holds no descriptor of this program; it has a session of its own and outlives the terminal. Fails as
 * above. */
enum err command_feed(char *const argv[], const char *text, size_t len, int timeout_ms, struct error *error) MUST_CHECK;

/* For a child made by fork that runs beside this program: the variables that it may have, borrowed, then NULL; and,
 * called in the child itself, removes handlers, mask and all descriptors but the standard three. */
void command_environment(char *out[COMMAND_VARIABLES_MAX + 1]);
void command_become_plain(void);

#endif
