#include "panes/webhook/webhook.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { URL_MAX = 8192, SECRET_ROOM = 64, PATH_TEXT_MAX = 4096, WORD_MAX = 64, NOTES_MAX = 64 << 10 };

static const struct {
    enum form_kind kind;
    const char *label, *ghost, *hint;
} ROWS[WEBHOOK_ROWS] = {
    [WEBHOOK_ROW_URL] = {FORM_TEXT, "URL", "https://", "where events are sent; kept as typed, byte for byte"},
    [WEBHOOK_ROW_SIGNING] = {FORM_CHOICE, "Signing", "to be chosen",
                             "chosen anew each time: a registration replaces everything, the secret too"},
    [WEBHOOK_ROW_SECRET] = {FORM_TEXT, "Secret", "32 to 4096 characters", "never shown, kept or logged"},
    [WEBHOOK_ROW_FORMAT] = {FORM_CHOICE, "Format", NULL, "how the 32 random bytes are written"},
    [WEBHOOK_ROW_SAVE] = {FORM_TEXT, "Save to", "shown once instead", "a new file that only you can read"},
    [WEBHOOK_ROW_WORD] = {FORM_TEXT, "Type unsigned", NULL, "events will carry no signature: type the word unsigned"},
    [WEBHOOK_ROW_REVIEW] = {FORM_BUTTON, "Review", NULL, "shows what would change; nothing is sent before"},
};

static const struct choice SIGNINGS[WEBHOOK_CHOICES_MAX] = {
    {.label = "give the secret again", .note = "typed or pasted, never shown", .role = ROLE_TEXT},
    {.label = "generate a new secret", .note = "shown or saved once", .role = ROLE_TEXT},
    {.label = "unsigned", .note = "events carry no signature", .role = ROLE_WARN},
};

static struct form_row *webhook_form_row_of(struct webhook_pane *pane, enum webhook_row row) {
    return &pane->form.rows[row];
}

void webhook_form_init(struct webhook_pane *pane) {
    static const size_t ROOM[WEBHOOK_ROWS] = {URL_MAX,  1, WEBHOOK_SECRET_MAX + SECRET_ROOM, 1, PATH_TEXT_MAX,
                                              WORD_MAX, 1};
    for (int i = 0; i < WEBHOOK_ROWS; i++) {
        struct form_row *row = webhook_form_row_of(pane, (enum webhook_row)i);
        edit_init(&row->edit, ROOM[i]);
        row->kind = ROWS[i].kind;
        row->label = ROWS[i].label;
        row->ghost = ROWS[i].ghost;
    }
    /* More room than its limit, so that a secret that is too long is seen to be too long, and never sent cut. */
    webhook_form_row_of(pane, WEBHOOK_ROW_SECRET)->edit.secret = true;
    webhook_form_row_of(pane, WEBHOOK_ROW_SECRET)->edit.rule = WEBHOOK_SECRET_MAX;
    webhook_form_refresh(pane);
}

static void pick_close(struct webhook_pane *pane) {
    if (pane->pick.what != WEBHOOK_PICK_NONE)
        picker_clear(&pane->pick.picker);
    pane->pick.what = WEBHOOK_PICK_NONE;
}

void webhook_form_clear(struct webhook_pane *pane) {
    pick_close(pane);
    for (int i = 0; i < WEBHOOK_ROWS; i++)
        edit_clear(&pane->form.rows[i].edit);
}

const char *webhook_form_url(const struct webhook_pane *pane) {
    return pane->form.rows[WEBHOOK_ROW_URL].edit.text.s;
}

/* ---- What the rows are, by the choice made ---- */

static void set_order(struct webhook_pane *pane) {
    static const enum webhook_row MORE[][3] = {
        [WEBHOOK_NOT_CHOSEN] = {WEBHOOK_ROWS, WEBHOOK_ROWS},
        [WEBHOOK_GIVEN] = {WEBHOOK_ROW_SECRET, WEBHOOK_ROWS},
        [WEBHOOK_GENERATED] = {WEBHOOK_ROW_FORMAT, WEBHOOK_ROW_SAVE, WEBHOOK_ROWS},
        [WEBHOOK_UNSIGNED] = {WEBHOOK_ROW_WORD, WEBHOOK_ROWS},
    };
    struct form *form = &pane->form;
    form->order[0] = WEBHOOK_ROW_URL;
    form->order[1] = WEBHOOK_ROW_SIGNING;
    form->n = 2;
    for (int i = 0; MORE[pane->wanted][i] != WEBHOOK_ROWS; i++)
        form->order[form->n++] = (int)MORE[pane->wanted][i];
    form->order[form->n++] = WEBHOOK_ROW_REVIEW;
    form->focus = form->focus < form->n ? form->focus : form->n - 1;
}

void webhook_form_refresh(struct webhook_pane *pane) {
    set_order(pane);
    webhook_form_row_of(pane, WEBHOOK_ROW_SIGNING)->shown =
        pane->wanted == WEBHOOK_NOT_CHOSEN ? NULL : SIGNINGS[pane->wanted - WEBHOOK_GIVEN].label;
    webhook_form_row_of(pane, WEBHOOK_ROW_FORMAT)->shown = webhook_format_help(pane->format);
}

static void wipe_secret(struct webhook_pane *pane) {
    struct edit *edit = &webhook_form_row_of(pane, WEBHOOK_ROW_SECRET)->edit;
    if (edit->text.cap > 0)
        secret_wipe(edit->text.s, edit->text.cap);
    edit_set(edit, "");
}

void webhook_form_open(struct shell *shell) {
    struct webhook_pane *pane = webhook_of(shell);
    const char *last = webhook_last_url(&pane->state), *url = last ? last : shell_options(shell)->receiver;
    if (!pane->touched) {
        edit_set(&webhook_form_row_of(pane, WEBHOOK_ROW_URL)->edit, url ? url : "");
        edit_set(&webhook_form_row_of(pane, WEBHOOK_ROW_SAVE)->edit,
                 shell_options(shell)->secret_file ? shell_options(shell)->secret_file : "");
        edit_set(&webhook_form_row_of(pane, WEBHOOK_ROW_WORD)->edit, "");
        wipe_secret(pane);
        pane->wanted = WEBHOOK_NOT_CHOSEN;
        pane->form.focus = 0;
        webhook_begin(&pane->state);
    }
    shell_message_outdated(shell);
    pane->form.editing = true;
    pane->view = WEBHOOK_VIEW_FORM;
    pane->top = 0;
    webhook_form_refresh(pane);
}

/* ---- To the review ---- */

static bool is_local_ok(const struct shell *shell) {
    return profile_is_sandbox(shell_profile(shell));
}

static void webhook_form_complain(struct shell *shell, const struct error *error, enum webhook_row row) {
    form_focus(&webhook_of(shell)->form, (int)row);
    shell_message(shell, ROLE_ERROR, "%s", error->text);
}

static void webhook_form_review(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (webhook_review(&pane->state, shell_is_read_only(shell)))
        webhook_review_enter(shell, effects);
    else
        webhook_form_complain(shell, &pane->state.error, WEBHOOK_ROW_SIGNING);
}

static void webhook_form_give(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    const struct str *secret = &webhook_form_row_of(pane, WEBHOOK_ROW_SECRET)->edit.text;
    pane->to_review = webhook_give(&pane->state, secret->s, secret->len, effects);
    if (!pane->to_review)
        webhook_form_complain(shell, &pane->state.error, WEBHOOK_ROW_SECRET);
}

static void generate(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    const struct str *path = &webhook_form_row_of(pane, WEBHOOK_ROW_SAVE)->edit.text;
    pane->to_review = true;
    webhook_generate(&pane->state, pane->format, path->len > 0 ? path->s : NULL, effects);
}

static void choose_unsigned(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (webhook_unsigned(&pane->state, webhook_form_row_of(pane, WEBHOOK_ROW_WORD)->edit.text.s)) {
        webhook_form_review(shell, effects);
    } else {
        form_focus(&pane->form, WEBHOOK_ROW_WORD);
        shell_message(shell, ROLE_ERROR, "type the word unsigned: without it, signing stays to be chosen");
    }
}

/* Whatever can be refused is refused before a secret is made or a file written. */
static void to_review(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    struct error error = {0};
    pane->form.editing = false;
    shell_message_outdated(shell);
    webhook_set_url(&pane->state, webhook_form_url(pane));
    if (shell_is_read_only(shell))
        shell_message(shell, ROLE_WARN, "this profile is read-only: nothing can be registered");
    else if (endpoint_check(webhook_form_url(pane), is_local_ok(shell), &error) != ERR_OK)
        webhook_form_complain(shell, &error, WEBHOOK_ROW_URL);
    else if (pane->state.signing == pane->wanted)
        webhook_form_review(shell, effects);
    else if (pane->wanted == WEBHOOK_GIVEN)
        webhook_form_give(shell, effects);
    else if (pane->wanted == WEBHOOK_GENERATED)
        generate(shell, effects);
    else
        choose_unsigned(shell, effects);
}

void webhook_form_answered(struct shell *shell, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (!pane->to_review || pane->state.stage == WEBHOOK_WORKING)
        return;
    pane->to_review = false;
    if (pane->state.error.code != ERR_OK) {
        webhook_form_complain(shell, &pane->state.error,
                              pane->wanted == WEBHOOK_GENERATED ? WEBHOOK_ROW_SAVE : WEBHOOK_ROW_SECRET);
    } else if (pane->state.signing == WEBHOOK_GENERATED && !pane->state.saved_to) {
        pane->showing = true;
        shell_message_outdated(shell);
        review_open(shell, &pane->review, "");
    } else {
        wipe_secret(pane);
        webhook_form_review(shell, effects);
    }
}

/* ---- What a colleague proposed, or released ---- */

/* The secret is typed again: it never left the machine on which it was proposed. */
static void ask_proposed_secret(struct shell *shell) {
    struct webhook_pane *pane = webhook_of(shell);
    pane->wanted = WEBHOOK_GIVEN;
    pane->touched = true;
    pane->form.editing = true;
    webhook_form_refresh(pane);
    form_focus(&pane->form, WEBHOOK_ROW_SECRET);
    shell_message(shell, ROLE_INFO, "released: give the very secret that was proposed, fingerprint %s",
                  webhook_proposal(&pane->state)->fingerprint);
}

void webhook_form_take_up(struct shell *shell, struct proposal_answer *answer, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    bool typed = pane->touched && pane->view == WEBHOOK_VIEW_FORM;
    if (typed || !webhook_take_up(&pane->state, answer)) {
        shell_message(shell, ROLE_WARN, "%s",
                      typed ? "the form of the webhook holds something that is not sent: leave it first"
                      : pane->state.error.code ? pane->state.error.text
                                               : "something else of the webhook is on its way: look there first");
        if (typed)
            proposal_answer_free(answer);
        return;
    }
    shell_close(shell);
    (void)shell_act(shell, ACTION_PANE_WEBHOOK, effects);
    pane->view = WEBHOOK_VIEW_FORM;
    pane->top = 0;
    wipe_secret(pane);
    edit_set(&webhook_form_row_of(pane, WEBHOOK_ROW_URL)->edit, pane->state.url);
    if (pane->state.signing == WEBHOOK_NOT_CHOSEN)
        ask_proposed_secret(shell);
    else
        webhook_form_review(shell, effects);
}

/* ---- Keys ---- */

static void pick_open(struct webhook_pane *pane, enum webhook_pick what) {
    bool signing = what == WEBHOOK_PICK_SIGNING;
    for (int i = 0; i < WEBHOOK_CHOICES_MAX; i++) {
        pane->pick.choices[i] =
            signing ? SIGNINGS[i]
                    : (struct choice){.label = webhook_format_help((enum webhook_format)i), .role = ROLE_TEXT};
    }
    pane->pick.what = what;
    picker_init(&pane->pick.picker, signing ? "How are events signed?" : "Format of the new secret", pane->pick.choices,
                WEBHOOK_CHOICES_MAX, false);
}

/* Another choice clears the one before: nothing is kept because it was overlooked. */
static void picked(struct shell *shell, size_t choice) {
    struct webhook_pane *pane = webhook_of(shell);
    shell_message_outdated(shell);
    webhook_unchoose(&pane->state);
    pane->touched = true;
    if (pane->pick.what == WEBHOOK_PICK_SIGNING) {
        pane->wanted = (enum webhook_signing)(WEBHOOK_GIVEN + choice);
        wipe_secret(pane);
        edit_set(&webhook_form_row_of(pane, WEBHOOK_ROW_WORD)->edit, "");
    } else {
        pane->format = (enum webhook_format)choice;
    }
    webhook_form_refresh(pane);
    form_move(&pane->form, 1);
}

static void webhook_form_pick_key(struct shell *shell, int32_t key) {
    struct webhook_pane *pane = webhook_of(shell);
    enum dialog_result result = picker_key(&pane->pick.picker, key);
    size_t choice = pane->pick.picker.cursor;
    if (result == DIALOG_DONE)
        picked(shell, choice);
    if (result == DIALOG_DONE || result == DIALOG_CANCELLED || key == KEY_CTRL('C'))
        pick_close(pane);
}

static enum webhook_row webhook_form_focused(struct webhook_pane *pane) {
    return (enum webhook_row)(form_focused(&pane->form) - pane->form.rows);
}

static void webhook_form_changed(struct shell *shell) {
    struct webhook_pane *pane = webhook_of(shell);
    shell_message_outdated(shell);
    pane->touched = true;
    if (webhook_form_focused(pane) == WEBHOOK_ROW_URL)
        webhook_set_url(&pane->state, webhook_form_url(pane));
    else
        webhook_unchoose(&pane->state);
}

static void row_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    struct form_row *row = form_focused(&pane->form);
    if (row->kind == FORM_BUTTON) {
        if (key == INPUT_ENTER)
            to_review(shell, effects);
    } else if (row->kind == FORM_CHOICE && (key == INPUT_ENTER || input_is_text(key))) {
        pick_open(pane, webhook_form_focused(pane) == WEBHOOK_ROW_SIGNING ? WEBHOOK_PICK_SIGNING : WEBHOOK_PICK_FORMAT);
    } else if (key == INPUT_ENTER) {
        form_move(&pane->form, 1);
    } else if (row->kind == FORM_TEXT && shell_edit_key(shell, &row->edit, key) == EDIT_CHANGED) {
        webhook_form_changed(shell);
    }
}

bool webhook_form_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (pane->pick.what != WEBHOOK_PICK_NONE) {
        webhook_form_pick_key(shell, key);
        return true;
    }
    if (!pane->form.editing)
        return false;
    if (key == INPUT_ESCAPE || key == KEY_CTRL('C'))
        pane->form.editing = false;
    else if (key == INPUT_TAB || key == INPUT_DOWN)
        form_move(&pane->form, 1);
    else if (key == INPUT_BACK_TAB || key == INPUT_UP)
        form_move(&pane->form, -1);
    else
        row_key(shell, key, effects);
    return true;
}

bool webhook_form_paste(struct shell *shell, const char *text) {
    struct webhook_pane *pane = webhook_of(shell);
    if (!form_is_text(&pane->form) || pane->pick.what != WEBHOOK_PICK_NONE)
        return false;
    if (shell_paste_into(shell, &form_focused(&pane->form)->edit, text))
        webhook_form_changed(shell);
    return true;
}

bool webhook_form_act(struct shell *shell, int action, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    switch (action) {
    case ACTION_DOWN:
    case ACTION_UP:
        form_move(&pane->form, action == ACTION_DOWN ? 1 : -1);
        return true;
    case ACTION_FIRST:
    case ACTION_LAST:
        form_move(&pane->form, action == ACTION_LAST ? pane->form.n : -pane->form.n);
        return true;
    case ACTION_ENDPOINT:
        pane->form.editing = true;
        if (form_focused(&pane->form)->kind == FORM_BUTTON)
            to_review(shell, effects);
        return true;
    case ACTION_ENDPOINT_REVIEW:
        to_review(shell, effects);
        return true;
    default:
        return false;
    }
}

/* ---- Drawing ---- */

static void add_secret(const struct webhook_pane *pane, struct str *out) {
    const struct str *secret = &pane->form.rows[WEBHOOK_ROW_SECRET].edit.text;
    enum webhook_secret_state state = webhook_secret_check(secret->s, secret->len, pane->state.token);
    size_t n = 0;
    for (size_t at = 0; at < secret->len; n++) {
        int32_t point;
        at += utf8_decode(secret->s + at, secret->len - at, &point);
    }
    str_addf(out, "%zu character%s", n, plural_s(n));
    if (secret->len > 0 && state != WEBHOOK_SECRET_FINE)
        str_addf(out, ": %s", webhook_secret_sentence(state));
}

static void webhook_form_draw_foot(struct shell *shell, struct canvas *canvas, struct rect line) {
    struct webhook_pane *pane = webhook_of(shell);
    enum webhook_row row = webhook_form_focused(pane);
    struct str text;
    str_init(&text, NOTES_MAX);
    if (pane->state.stage == WEBHOOK_WORKING)
        str_add(&text, "one moment ...");
    else if (row == WEBHOOK_ROW_SECRET)
        add_secret(pane, &text);
    else
        str_add(&text, ROWS[row].hint);
    canvas_text(canvas, line, 0, 1, ROLE_DIM, text.s);
    str_clear(&text);
}

/* Notes on the text in the form, while it is typed. */
static void add_notes(struct shell *shell, struct sheet *sheet) {
    struct webhook_pane *pane = webhook_of(shell);
    struct str text;
    struct error error = {0};
    str_init(&text, NOTES_MAX);
    if (*webhook_form_url(pane) && endpoint_check(webhook_form_url(pane), is_local_ok(shell), &error) != ERR_OK) {
        str_addf(&text, "URL: %s", error.text);
        sheet_wrapped(sheet, ROLE_ERROR, text.s);
    } else if (*webhook_form_url(pane)) {
        webhook_tell_warnings(&pane->state, &text);
        sheet_wrapped(sheet, ROLE_WARN, text.s);
    }
    if (pane->wanted == WEBHOOK_NOT_CHOSEN) {
        sheet_wrapped(sheet, ROLE_DIM,
                      "A registration replaces everything. Signing is chosen each time: the secret given again, a new "
                      "one, or the word unsigned. Nothing is kept by leaving it blank.");
    }
    if (pane->state.signing != WEBHOOK_NOT_CHOSEN) {
        str_reset(&text);
        str_add(&text, "signing: ");
        webhook_tell_signing(&pane->state, &text);
        sheet_wrapped(sheet, ROLE_TEXT, text.s);
    }
    if (shell_is_read_only(shell))
        sheet_wrapped(sheet, ROLE_WARN, "This profile is read-only: nothing can be registered.");
    str_clear(&text);
}

void webhook_form_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct webhook_pane *pane = webhook_of(shell);
    enum { ROOMY = 16 };
    struct rect inside = area;
    review_badge(shell, canvas, rect_take_rows(&area, 1), "the webhook");
    if (area.rows >= ROOMY)
        (void)rect_take_rows(&area, 1);
    webhook_form_draw_foot(shell, canvas, rect_take_rows(&area, -1));
    int rows = pane->form.n * (area.cols < FORM_NARROW ? 2 : 1);
    form_draw(&pane->form, canvas, rect_inset(rect_take_rows(&area, rows < area.rows ? rows : area.rows), 0, 1, 0, 0));
    struct sheet sheet = {.canvas = canvas, .area = rect_inset(area, 1, 3, 0, 1)};
    add_notes(shell, &sheet);
    if (pane->pick.what != WEBHOOK_PICK_NONE)
        picker_draw(&pane->pick.picker, canvas, inside);
}
