#ifndef UI_SCREEN_H
#define UI_SCREEN_H
/* The terminal, the only place that touches curses. One screen a process, main thread only. Shows a canvas (curses
 * sends what differs), reads input until none is left, leaves the terminal as it was on every catchable end. */

#include "ui/canvas.h"
#include "ui/input.h"
#include "ui/theme.h"

struct screen;

struct screen_options {
    int in, out;               /* terminal descriptors */
    const struct theme *theme; /* borrowed for the screen's life, see screen_theme */
    enum theme_depth depth;
    bool mouse;
};

/* What screen_open would refuse, before a token or the network is touched. */
enum err screen_check(int in, int out, struct error *error) MUST_CHECK;
/* ERR_TERMINAL with a clear line for a missing, unknown or unusable TERM, before anything is written. */
enum err screen_open(const struct screen_options *options, struct screen **out, struct error *error) MUST_CHECK;
void screen_close(struct screen *screen); /* restores; NULL is fine */

/* Depth from NO_COLOR, an explicit wish (--color, may be NULL), COLORTERM and terminfo. */
enum theme_depth screen_depth(const char *wish);

void screen_theme(struct screen *screen, const struct theme *theme, enum theme_depth depth);
void screen_size(const struct screen *screen, int *rows, int *cols); /* clamped to 1..1000 */
/* After SIGWINCH or SIGCONT: re-reads the size. */
void screen_resize(struct screen *screen);
void screen_redraw(struct screen *screen); /* the next show repaints everything */
/* Never waits. What the terminal has not taken of this update, or of an earlier one, is left for later, and
 * screen_is_late says that the newest canvas has to be shown again: once screen_waits_for can be written to, or after
 * screen_timeout.
 */
void screen_show(struct screen *screen, const struct canvas *canvas);
bool screen_is_late(const struct screen *screen);
int screen_waits_for(const struct screen *screen); /* -1: for nothing */

/* Call until false: true and *out filled (input_clear it) while there is something. *ended is set when the terminal is
 * gone (readable, but end of file or an error). Incomplete escape sequences and pastes are kept inside. Never waits:
 * the bytes are decoded here, since curses' own reader holds the loop for the whole ESCDELAY. A burst of 64 bytes and
 * more of text with line ends inside counts as a paste, for terminals that mark none. */
bool screen_read(struct screen *screen, struct input *out, bool *ended);
/* Whether bytes came since the last call that are no character in this locale; they were dropped. */
bool screen_unreadable(struct screen *screen);
/* Drops what was typed before the frame that was shown last, and was not read yet. */
void screen_drop_typed(struct screen *screen);
/* Milliseconds until a kept Escape or an unfinished paste must be given out, -1 for none; then call screen_read. */
int screen_timeout(const struct screen *screen);

/* Gives the terminal to another program in the state in which it was found, and takes it back. */
void screen_leave(struct screen *screen);
void screen_return(struct screen *screen);
void screen_mouse(struct screen *screen, bool on);
void screen_bell(struct screen *screen); /* rate limited */
/* Copies by the terminal itself (OSC 52), wrapped for tmux and screen; false where its base64 is longer than 100 KB, or
 * where the terminal cannot copy. The terminal never says whether it did, and tmux by default does not. */
bool screen_copy(struct screen *screen, const char *text, size_t len);

/* Async-signal-safe: puts modes and tty settings back from a fatal handler or another thread. */
void screen_restore_unsafe(void);

#endif
