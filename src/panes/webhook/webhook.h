#ifndef PANES_WEBHOOK_H
#define PANES_WEBHOOK_H
/* The Webhook pane: what this console knows of the endpoint, the form with its explicit choice of signing, the new
 * secret shown once, the difference before it is sent, the receipt; and the doctor. What is sent and measured is the
 * state of app/webhook.h and app/doctor.h; this is the state of the screen. */

#include "app/doctor.h"
#include "app/webhook.h"
#include "model/delivery.h"
#include "panes/shell/pane.h"
#include "panes/shell/review.h"
#include "ui/dialog.h"
#include "ui/form.h"

enum webhook_view { WEBHOOK_VIEW_KNOWN, WEBHOOK_VIEW_FORM, WEBHOOK_VIEW_DOCTOR };

enum webhook_row {
    WEBHOOK_ROW_URL,
    WEBHOOK_ROW_SIGNING,
    WEBHOOK_ROW_SECRET, /* give it again */
    WEBHOOK_ROW_FORMAT, /* generate */
    WEBHOOK_ROW_SAVE,
    WEBHOOK_ROW_WORD, /* unsigned */
    WEBHOOK_ROW_REVIEW,
    WEBHOOK_ROWS
};

enum webhook_pick { WEBHOOK_PICK_NONE, WEBHOOK_PICK_SIGNING, WEBHOOK_PICK_FORMAT };
enum { WEBHOOK_CHOICES_MAX = 3 };

struct webhook_pane {
    struct webhook state;
    enum webhook_view view;
    unsigned seen; /* generation of the state, when last looked at */
    struct form form;
    enum webhook_signing wanted; /* chosen in the form, not applied yet */
    enum webhook_format format;
    bool opening;   /* the form was asked for while the journal is still being read */
    bool touched;   /* something was typed or chosen since the form was filled */
    bool to_review; /* when the secret is there, the review follows */
    bool showing;   /* the new secret is on the screen */
    struct {
        enum webhook_pick what;
        struct picker picker;
        struct choice choices[WEBHOOK_CHOICES_MAX];
    } pick;
    struct deliveries *deliveries; /* of the demo's sandbox; NULL: not read, or no demo */
    uint64_t deliveries_ticket;
    struct review review;
    int top, most; /* first line shown of what is known, or of the receipt; the last it can be */
    struct {
        struct doctor doctor;
        enum webhook_view from; /* the view to which Esc goes back */
        struct pager pager;
        struct arena arena;
        struct {
            struct text_line *items;
            size_t n, cap;
        } lines;
        int cols; /* the width that the lines were broken to */
        bool narrow;
        bool stale;
        bool saving; /* the file's name is being typed */
        struct edit path;
        uint64_t save_ticket;
    } check;
};

static inline struct webhook_pane *webhook_of(const struct shell *shell) {
    return shell_state(shell, PANE_WEBHOOK);
}

/* webhook_known.c */
/* The demo's deliveries are read again and again while the pane is open. */
void webhook_deliveries_ask(struct shell *shell, struct effects *effects);
bool webhook_deliveries_event(struct shell *shell, struct event *event, struct effects *effects);
void webhook_known_draw(struct shell *shell, struct canvas *canvas, struct rect area);

/* webhook_form.c */
void webhook_form_init(struct webhook_pane *pane);
void webhook_form_clear(struct webhook_pane *pane);
void webhook_form_open(struct shell *shell); /* with the URL that was known last, and no choice of signing */
void webhook_form_refresh(struct webhook_pane *pane);
bool webhook_form_act(struct shell *shell, int action, struct effects *effects);
bool webhook_form_key(struct shell *shell, int32_t key, struct effects *effects);
bool webhook_form_paste(struct shell *shell, const char *text);
void webhook_form_draw(struct shell *shell, struct canvas *canvas, struct rect area);
const char *webhook_form_url(const struct webhook_pane *pane);
/* The secret that was asked for is there, or could not be made. */
void webhook_form_answered(struct shell *shell, struct effects *effects);

/* A proposal of the team as it stands now: to its review, or to the form for its secret. Takes answer. */
void webhook_form_take_up(struct shell *shell, struct proposal_answer *answer, struct effects *effects);

/* webhook_review.c */
bool webhook_secret_key(struct shell *shell, int32_t key, struct effects *effects);
void webhook_secret_draw(struct shell *shell, struct canvas *canvas, struct rect area);
void webhook_add_lines(struct sheet *sheet, enum role plain, const struct str *lines);
struct sheet webhook_sheet(const struct webhook_pane *pane, struct canvas *canvas, struct rect area);
void webhook_sheet_end(struct webhook_pane *pane, const struct sheet *sheet);
void webhook_review_enter(struct shell *shell, struct effects *effects);
void webhook_review_key(struct shell *shell, int32_t key, struct effects *effects);
void webhook_review_draw(struct shell *shell, struct canvas *canvas, struct rect area);
void webhook_receipt_draw(struct shell *shell, struct canvas *canvas, struct rect area);
void webhook_agreed_draw(struct shell *shell, struct canvas *canvas, struct rect area);

/* webhook_doctor.c */
void webhook_doctor_init(struct webhook_pane *pane);
void webhook_doctor_clear(struct webhook_pane *pane);
void webhook_doctor_open(struct shell *shell, struct effects *effects);
bool webhook_doctor_act(struct shell *shell, int action, struct effects *effects);
/* Cancels a check that runs, else leaves the report. */
bool webhook_doctor_back(struct shell *shell, struct effects *effects);
bool webhook_doctor_key(struct shell *shell, int32_t key, struct effects *effects);
bool webhook_doctor_event(struct shell *shell, struct event *event, struct effects *effects);
void webhook_doctor_draw(struct shell *shell, struct canvas *canvas, struct rect area);

#endif
