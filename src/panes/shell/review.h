#ifndef PANES_REVIEW_H
#define PANES_REVIEW_H
/* The review that every write passes before it is sent, and how its outcome is told: a sheet to be read, the focus on
 * Cancel, the environment's word where one is required. Keys that were typed before the sheet could be read do not
 * answer it. Owned by the pane that writes. */

#include "panes/shell/calm.h"
#include "ui/edit.h"

enum review_focus { REVIEW_CANCEL, REVIEW_WORD, REVIEW_SEND, REVIEW_FOCUS_COUNT };
enum review_answer { REVIEW_OPEN, REVIEW_NO, REVIEW_YES };

struct review {
    enum review_focus focus;
    struct edit word;
    struct str wanted;   /* the word that has to be typed; "": none */
    int top, most, page; /* the first line shown; the last it can be; lines in sight */
    int lines, seen;     /* all lines; how many from the first on were in sight: only when all were can it be sent */
    struct calm calm;    /* keys that were typed before it could be read do not answer it */
    const char *button;  /* what is done, "Send it" where NULL; after review_open */
};

/* Lines drawn on an area, without the first `top` of them. */
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
/* word: what has to be typed to confirm it; "": nothing. */
void review_open(struct shell *shell, struct review *review, const char *word);
/* REVIEW_YES only with the right word and every line seen; Esc, Ctrl-C and Cancel are REVIEW_NO. */
enum review_answer review_key(struct shell *shell, struct review *review, int32_t key);

/* Scrolls a sheet that is only read; false: the key does something else. */
bool review_scroll(struct review *review, int32_t key);

/* After a resize the sheet has to be read again; where the screen is too small to read it, the open review is closed as
 * by Cancel. */
void review_resized(struct shell *shell, bool fits, struct effects *effects);

/* Drawn around the sheet: the environment and `what` it does at the service; then the sheet, then how much of it was
 * seen, then the buttons. */
void review_badge(const struct shell *shell, struct canvas *canvas, struct rect row, const char *what);
/* sending: shown instead of the buttons while the answer is waited for. */
void review_buttons(const struct shell *shell, struct review *review, struct canvas *canvas, struct rect row,
                    bool sending);
struct sheet review_sheet(const struct review *review, struct canvas *canvas, struct rect area);
/* Called after the last line was drawn: notes that it was seen, and says on `rule` how much is below. */
void review_seen(const struct shell *shell, struct review *review, const struct sheet *sheet, struct rect rule);

#endif
