#ifndef SUPPORT_PTY_H
#define SUPPORT_PTY_H
/* A program on a pseudo-terminal: every byte it writes is recorded and fed to a terminal emulator (libvterm), so that a
 * test asks for what a person would see. Waiting is polling with a deadline. Faults of the machinery itself end the
 * test through cmocka's fail. Not for threads. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct pty_options {
    int rows, cols;         /* 0: 24 x 80 */
    const char *const *env; /* NULL-terminated: "NAME=VALUE" sets, "NAME" removes. Else the test's own environment, with
                               TERM=xterm-256color, LC_ALL=C.UTF-8 and without what would change the picture (LINES,
                               COLUMNS, NO_COLOR, COLORTERM, TMUX, STY, ESCDELAY) */
    const char *folder;     /* to run in; NULL: the test's */
    bool ignore_hangup;     /* SIGHUP ignored in the program */
};
typedef int pty_child_fn(void *context); /* its result is the exit status */

struct pty;

struct pty *pty_spawn(const char *const *argv, const struct pty_options *options); /* options may be NULL */
struct pty *pty_fork(pty_child_fn *child, void *context, const struct pty_options *options);
void pty_free(struct pty *pty); /* kills what still runs */
pid_t pty_pid(const struct pty *pty);

void pty_feed(struct pty *pty, const char *keys);
void pty_feed_n(struct pty *pty, const char *bytes, size_t len);

/* Waits until the program has read all that it was fed. */
bool pty_taken(struct pty *pty, double seconds);

/* True once TEXT stands somewhere on the screen, in one row; false (and the screen on stderr) after `seconds`. */
bool pty_expect(struct pty *pty, const char *text, double seconds);
bool pty_expect_gone(struct pty *pty, const char *text, double seconds);
bool pty_expect_bytes(struct pty *pty, const char *bytes, double seconds); /* somewhere in the record */
bool pty_shows(struct pty *pty, const char *text);                         /* now */
/* Reads until the program is at rest: it has taken all that it was fed, waits (support/rest.h), and has written nothing
 * for `quiet_ms` since. What an answer that is still on its way will bring is waited for with pty_expect. After 30 s it
 * says so on stderr and goes on. */
void pty_settle(struct pty *pty, int quiet_ms);
/* Reads what is there, or else what comes first within `ms`: for loops that wait for something with a deadline. */
void pty_read(struct pty *pty, int ms);
/* When the last bytes came, in monotonic seconds: for measuring. pty_now: the same clock. */
double pty_heard(const struct pty *pty);
double pty_now(void);

/* The record, from the first byte or from the last pty_mark. Borrowed until the next read. */
const char *pty_bytes(struct pty *pty, size_t *len);
const char *pty_bytes_since(struct pty *pty, size_t *len);
void pty_mark(struct pty *pty);
bool pty_wrote(struct pty *pty, const char *bytes, size_t len);

/* What the emulator shows. */
const char *pty_row(struct pty *pty, int row); /* trailing blanks cut; borrowed until the next call */
const char *pty_screen(struct pty *pty);       /* all rows, each with a newline */
struct pty_cell {
    char text[32];
    int width;
    int fg, bg; /* palette index, -1 the terminal's own, -2 24-bit */
    bool bold, underline, italic, reverse, blink;
};
struct pty_cell pty_cell(struct pty *pty, int row, int col);
void pty_cursor(struct pty *pty, int *row, int *col, bool *visible);
bool pty_is_alternate(struct pty *pty);
int pty_mouse(struct pty *pty); /* 0: not captured */
int pty_bells(struct pty *pty);
const char *pty_title(struct pty *pty); /* "" where none was set */

/* The terminal's settings (stty), as they are now; they live on after the program has ended. */
void pty_modes(const struct pty *pty, struct termios *out);
bool pty_same_modes(const struct termios *a, const struct termios *b);

void pty_resize(struct pty *pty, int rows, int cols);
void pty_close_master(struct pty *pty); /* the window is closed */
void pty_signal(struct pty *pty, int signal);
/* Waits for the end (reading on, so that the program is never stuck); *status as waitpid has it. False: still runs. */
bool pty_wait(struct pty *pty, double seconds, int *status);
long pty_cpu_ms(const struct pty *pty); /* after pty_wait */
bool pty_is_stopped(struct pty *pty, double seconds);

#endif
