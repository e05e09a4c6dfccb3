#ifndef PANES_REGISTER_H
#define PANES_REGISTER_H
/* What the Register pane holds besides the state of app/register.h: the form on the screen, the list to choose from,
 * the review. */

#include "app/register.h"
#include "panes/shell/pane.h"
#include "panes/shell/review.h"
#include "ui/dialog.h"
#include "ui/form.h"

enum { REGISTER_BUTTON = USER_FIELD_COUNT, REGISTER_ROWS }; /* rows of the form: the fields, then the button */

enum register_pick { PICK_NONE, PICK_COUNTRY, PICK_AREA, PICK_ID_TYPE, PICK_VERIFIED, PICK_DRAFT };

struct register_pane {
    struct register_state state;
    struct form form;
    bool hidden;                 /* the privacy key: sensitive fields are dots */
    bool touched[REGISTER_ROWS]; /* the cursor left the row once, so its findings are shown */
    bool area_free, id_free;     /* the value was typed, not chosen from a list */
    size_t filled_draft;         /* the draft whose text the form has */
    unsigned filled;             /* generation of the state, when last looked at */
    struct {
        enum register_pick what;
        struct picker picker;
        struct choices choices;
        const char **also;   /* further words of each, NULL: none have any */
        const char **values; /* of the choices' arena: what each choice stands for */
    } pick;
    struct review review;
    char *pasted;       /* pasted text, while the operator is asked what to do with it */
    struct user parts;  /* its parts, by field */
    struct str preview; /* the parts in words */
    struct arena notes;
};

static inline struct register_pane *register_of(const struct shell *shell) {
    return shell_state(shell, PANE_REGISTER);
}

/* True where the form waits for the outcome of its write and the row must not be changed: says what frees it. */
bool register_refuse_locked(struct shell *shell, int row);

/* register_form.c: copies between the form and the state */
void register_fill(struct shell *shell);    /* the open draft's text into the fields */
void register_refresh(struct shell *shell); /* labels, notes, order */
void register_blur(struct shell *shell);    /* the cursor left the focused field */
void register_form_draw(struct shell *shell, struct canvas *canvas, struct rect area);

/* register_pick.c */
void register_pick_open(struct shell *shell, enum register_pick what);
void register_pick_clear(struct register_pane *pane);
void register_pick_key(struct shell *shell, int32_t key, struct effects *effects);
void register_pick_draw(struct shell *shell, struct canvas *canvas, struct rect within);

/* register_paste.c */
bool register_paste(struct shell *shell, const char *text, struct effects *effects);
void register_paste_clear(struct register_pane *pane);

/* register_review.c */
void register_review_key(struct shell *shell, int32_t key, struct effects *effects);
void register_review_draw(struct shell *shell, struct canvas *canvas, struct rect area);
void register_receipt_draw(struct shell *shell, struct canvas *canvas, struct rect area);

#endif
