#ifndef UI_FORM_H
#define UI_FORM_H
/* Labelled fields one under the other, the widget of every form: labels left of the field, above it where the screen is
 * narrow; notes are shown at the field. It holds position and text; the owner knows what a field means. */

#include "ui/edit.h"

enum form_kind { FORM_TEXT, FORM_CHOICE, FORM_BUTTON };

struct form_row {
    enum form_kind kind;
    const char *label; /* borrowed until the next draw, as shown and note are */
    struct edit edit;
    const char *shown; /* of a choice: its value in words; NULL: the edit's text */
    const char *ghost; /* shown dim while the field is empty */
    const char *note;  /* at the field; NULL: none */
    enum role note_role;
    bool wrong;  /* the field is drawn as an error */
    bool wide;   /* the field takes the place of the note where there is none */
    bool masked; /* dots instead of text */
    bool unused; /* the label is dim */
};

enum { FORM_ROWS_MAX = 24, FORM_NARROW = 60 };

struct form {
    struct form_row rows[FORM_ROWS_MAX];
    int order[FORM_ROWS_MAX]; /* indices into rows, from top to bottom */
    int n;                    /* of order */
    int focus;                /* place in order */
    bool editing;             /* keys are text, in the field that has the focus */
    int top, visible;         /* first place shown; how many, of the last draw */
};

struct form_row *form_focused(struct form *form);
void form_move(struct form *form, int step); /* stops at the ends */
void form_focus(struct form *form, int row); /* by its index in rows */
bool form_is_text(struct form *form);        /* printable keys are text now */
void form_draw(struct form *form, struct canvas *canvas, struct rect area);

#endif
