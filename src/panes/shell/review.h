#ifndef PANES_REVIEW_H
#define PANES_REVIEW_H
/* What every write passes before it leaves, and how its outcome is told: a sheet to be read, Cancel focused, the
 * environment's word where one is wanted. What was typed before the sheet could be read answers nothing. Owned by the
 * pane that writes. */

#include "ui/edit.h"

enum review_focus { REVIEW_CANCEL, REVIEW_WORD, REVIEW_SEND, REVIEW_FOCUS_COUNT };
enum review_answer { REVIEW_OPEN, REVIEW_NO, REVIEW_YES };

struct review {
    enum review_focus focus;
    struct edit word;
    struct str wanted;   /* what has to be typed there; "": nothing */
    int top, most, page; /* first line shown; the last it can be; lines in sight */
    int lines, seen;     /* all of them; so many from the first on have been in sight: only then is it sent */
    bool drawn;          /* it has been seen: only then can it be answered */
    bool fresh;          /* drawn, and not yet known to stand on the terminal */
    int64_t quiet;       /* keys before this time answer nothing */
};

/* Lines on an area, the first `top` of them scrolled away. */
struct sheet {
    struct canvas *canvas;
    struct rect area;
    int line, top;
};
void sheet_line(struct sheet *sheet, enum role role, const char *text, const char *note); /* note dim, may be NULL */
void sheet_wrapped(struct sheet *sheet, enum role role, const char *text);

struct shell;
struct effects;
void review_init(struct review *review);
void review_clear(struct review *review);
/* word: what is typed to confirm it; "": nothing. */
void review_open(struct shell *shell, struct review *review, const char *word);
/* The frame that shows a review for the first time stands on the terminal: what was typed before is dropped, and for
 * half a second what comes after. False: there is none. */
bool review_shown(struct shell *shell);
void review_clock_set(struct shell *shell, int64_t shift); /* the moment of quiet lasts as long as it was to */
void review_drawn(const struct shell *shell, struct review *review);
/* False while keys answer nothing yet. */
bool review_is_awake(const struct shell *shell, const struct review *review);
/* REVIEW_YES only with the right word and every line seen; Esc, Ctrl-C and Cancel are REVIEW_NO. */
enum review_answer review_key(struct shell *shell, struct review *review, int32_t key);

/* Moves over a sheet that is only read; false: not a key of that. */
bool review_scroll(struct review *review, int32_t key);

/* Another size is to be read anew; one too small to read closes the review that is open, as Cancel would. */
void review_resized(struct shell *shell, bool fits, struct effects *effects);

/* Around what is to be read: the environment and `what` it does at the service; then the sheet, then what was seen of
 * it, then the buttons. */
void review_badge(const struct shell *shell, struct canvas *canvas, struct rect row, const char *what);
/* sending: what is waited for stands in their place. */
void review_buttons(const struct shell *shell, struct review *review, struct canvas *canvas, struct rect row,
                    bool sending);
struct sheet review_sheet(const struct review *review, struct canvas *canvas, struct rect area);
/* After the last line: notes that it was seen, and on `rule` what is below. */
void review_seen(const struct shell *shell, struct review *review, const struct sheet *sheet, struct rect rule);

#endif
