#ifndef UI_SCREEN_STATE_H
#define UI_SCREEN_STATE_H
/* What the files of the screen share: modes and restoring, styles, input. Private to the layer. */

#include "ui/canvas_grid.h"
#include "ui/screen.h"

/* curses.h defines names like `clear` as macros; only the screen's own files see them. */
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <stdio.h>
#include <termios.h>

enum { SCREEN_PAIRS_MAX = 255, SCREEN_SIDE_MAX = 1000, SCREEN_PENDING_MAX = 4096, ASCII_FIRST = ' ', ASCII_LAST = '~' };

struct screen_style {
    attr_t attributes;
    int pair;
    cchar_t *ascii; /* ASCII_FIRST to ASCII_LAST in this style, which most cells are; NULL until the style is known */
};

struct screen_pair {
    int fg, bg;
};

/* Bytes read and not yet decoded, and what a half-read sequence waits for. */
struct screen_input {
    char bytes[SCREEN_PENDING_MAX];
    size_t n;
    int64_t waiting_since; /* monotonic ms of the last read while something is incomplete */
    int64_t lone_escape;   /* when an Escape was last reported by itself, 0: never */
    int escape_delay;
    bool utf8, ended;
    bool alone;      /* the first byte, an Escape, had arrived before the others: two keys, not one with Alt */
    bool unreadable; /* bytes came that are no character of this locale */

    bool pasting, overflown; /* between the paste marks; the rest of a paste that was cut */
    struct str paste;
    int64_t paste_activity; /* the last time that bytes arrived which look like a paste, not like typing */
};

/* One spacing character and the marks on it, which is what a curses cell can hold. */
struct unit {
    wchar_t wide[CCHARW_MAX + 1];
    int n, width;
};

struct screen_update {
    char *items;
    size_t cap, len, at; /* items[at..len) wait until the terminal reads */
    int fd; /* the terminal, opened a second time so that writing never blocks; -1: it could not be opened */
};

struct screen {
    SCREEN *curses;
    FILE *file_in, *file_out;
    int in, out;
    int held; /* a file in memory, -1 for none */
    struct screen_update update;
    const char *to_column; /* terminfo's hpa, where cells can be placed; else NULL */
    bool utf8, ansi, mouse;
    const struct theme *theme;
    enum theme_depth depth;
    struct screen_style styles[ROLE_COUNT][ROLE_COUNT + 1]; /* by role and bar; the last column has no bar */
    struct screen_pair pairs[SCREEN_PAIRS_MAX + 1];
    int n_pairs;
    struct canvas *shown;
    cchar_t *row;
    int row_entries;
    bool repaint, cursor_on;
    enum { SCROLLS_UNKNOWN, SCROLLS_NOT, SCROLLS } scrolls; /* the update that is being made */
    bool late; /* an update waits until the terminal has taken the one before it */
    int64_t last_bell;
    struct screen_input input;
};

/* screen_modes.c: the only file that changes modes which would outlive a crash. */
void modes_learn(struct screen *screen); /* after newterm: what must be undone, and how */
void modes_arm(struct screen *screen, const struct termios *before);
void modes_on(struct screen *screen);
void modes_off(struct screen *screen);
void modes_disarm(void);                 /* after the last byte: restores the settings of the tty */
void modes_rearm(struct screen *screen); /* after a stop: modes that the shell set meanwhile are the ones to restore */
void modes_write(int fd, const char *bytes, size_t len);
ssize_t modes_write_some(int fd, const char *bytes, size_t len); /* 0: the terminal takes nothing now; -1: it is gone */

/* screen_update.c: collects what ncurses writes, and gives it to the terminal in one write. */
void update_open(struct screen *screen);
void update_close(struct screen *screen);
bool update_begin(struct screen *screen); /* false: ncurses writes by itself, and there is nothing to end */
void update_end(struct screen *screen);
void update_write(struct screen *screen, const char *bytes, size_t len);
bool update_flush(struct screen *screen); /* false: the terminal has not taken all of it yet */
void update_drain(struct screen *screen); /* before leaving: waits, up to a limit */
void modes_reset(struct screen *screen);  /* what another program left on */

/* screen_place.c: addresses the column behind a cell that terminals may draw wider or narrower. */
void place_learn(struct screen *screen); /* after newterm and update_open */
bool place_is_mark(int32_t code);        /* a mark of the screen's own, which nothing shown may contain */
void place_begin(struct unit *unit, int width);
void place_end(struct unit *unit, int column);
/* Appends an update's bytes with the moves in place of the marks. */
void place_cells(const struct screen *screen, const char *bytes, size_t len, struct str *out);

/* screen_style.c */
const struct screen_style *style_for(struct screen *screen, enum role role, int bar);
void style_forget(struct screen *screen);

/* screen_decode.c: one input from the bytes that are there. */
enum decode_result { DECODE_NONE, DECODE_KEY, DECODE_PASTE, DECODE_MOUSE, DECODE_MORE, DECODE_SKIP };
enum decode_result decode_next(struct screen_input *input, int64_t now, struct input *out);
int decode_timeout(const struct screen_input *input, int64_t now);

/* screen_enhanced.c: the key of a sequence's parameters, 0 where it is none; xterm: those before its `~`. */
int32_t enhanced_key(const char *s, size_t len, bool xterm);
bool enhanced_is_release(const char *s, size_t len);

/* screen_paste.c */
void paste_init(struct screen_input *input);
void paste_begin(struct screen_input *input, int64_t now);
enum decode_result paste_feed(struct screen_input *input, int64_t now, struct input *out);
int paste_timeout(const struct screen_input *input, int64_t now);
/* A burst of text with line ends, from a terminal that marks no pastes. */
bool paste_is_burst(const struct screen_input *input);
void paste_take_burst(struct screen_input *input, struct input *out);
void input_drop(struct screen_input *input, size_t n);
/* In a locale of one byte a character: bytes of the UTF-8 character that s begins with, 0: it begins with none. */
size_t paste_foreign(const char *s, size_t len);

#endif
