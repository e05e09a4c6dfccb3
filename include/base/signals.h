#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H
/* Signals. From the start on, no signal that can be caught leaves the terminal in another state than it was found in:
 * fatal ones restore it and then take their default action, those without a use here are ignored. While a loop runs,
 * signals that end or stop the program are bytes in a pipe, since curl_multi_poll returns from a signal as if nothing
 * had happened. */

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct signals {
    int end;      /* a signal that ends the program, or 0 */
    bool resized; /* SIGWINCH, SIGCONT */
    bool stopped; /* SIGTSTP from outside */
};

/* Once, before any thread: `restore` puts the terminal back and is async-signal-safe; may be NULL. */
void signals_begin(void (*restore)(void));

/* Until signals_close the ones that end or stop are reported at *fd; before and after they take their default action.
 */
enum err signals_open(int *fd, struct error *error) MUST_CHECK;
void signals_close(void);
/* Stops this process, or with it its group as the terminal's Ctrl-Z would; returns when it goes on. */
void signals_stop(bool group);
void signals_read(int fd, struct signals *out); /* drains the pipe; adds to what is there */

/* The signal that ends the program and was reported, or 0; whoever reads the pipe gets it all the same. Any thread. */
int signals_ending(void);

/* read(2) from a person or a pipe that a signal which ends the program interrupts too: -1 with EINTR. */
ssize_t signals_input(int fd, void *bytes, size_t len);
int signals_input_ended(void); /* the signal that did, or 0 */

/* The default action of a signal, with which this process ends as a shell expects it. */
void signals_die(int number);

#endif
