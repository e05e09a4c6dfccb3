#include "panes/register/register.h"

#include "panes/shell/ask.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "model/user_split.h"

#include <stdlib.h>
#include <string.h>

/* Pasted text that has more than one field's value is split only after the operator agreed, never silently. */

static void register_paste_forget(struct register_pane *pane) {
    secret_free_text(pane->pasted);
    pane->pasted = NULL;
}

/* Copied lines often have one line end at their end. */
static size_t line_len(const char *text) {
    return strcspn(text, "\n");
}

static bool has_lines(const char *text) {
    const char *end = text + line_len(text);
    return end[0] == '\n' && end[1];
}

static void register_paste_put(struct shell *shell, enum user_field field, const char *text) {
    struct register_pane *pane = register_of(shell);
    edit_set(&pane->form.rows[field].edit, text);
    register_set(&pane->state, field, text, shell_now(shell));
    pane->touched[field] = true;
}

static void register_paste_plain(struct shell *shell, const char *text) {
    struct register_pane *pane = register_of(shell);
    struct form_row *row = form_focused(&pane->form);
    if (!shell_paste_into(shell, &row->edit, text))
        return;
    shell_message_outdated(shell);
    register_set(&pane->state, (enum user_field)(row - pane->form.rows), row->edit.text.s, shell_now(shell));
    register_refresh(shell);
}

static void question(struct shell *shell, const char *title, const char *text, const char *const buttons[2],
                     void (*answered)(struct shell *, int, struct effects *)) {
    struct ask ask = {.confirm = {.title = title, .text = text, .buttons = buttons, .n_buttons = 2, .role = ROLE_INFO},
                      .answered = answered};
    ask_open(shell, &ask);
}

/* ---- The end of a longer id ---- */

static void last4_answered(struct shell *shell, int button, struct effects *effects) {
    enum { LAST4 = 4 };
    struct register_pane *pane = register_of(shell);
    (void)effects;
    if (button == 1 && pane->pasted) {
        size_t at = strlen(pane->pasted);
        for (int i = 0; i < LAST4 && at > 0; i++)
            at = utf8_prev(pane->pasted, strlen(pane->pasted), at);
        register_paste_put(shell, USER_ID_LAST4, pane->pasted + at);
    }
    register_paste_forget(pane);
    register_refresh(shell);
}

/* ---- A whole name, a whole address ---- */

static void forget_parts(struct register_pane *pane) {
    user_clear(&pane->parts);
    secret_clear_str(&pane->preview);
}

void register_paste_clear(struct register_pane *pane) {
    register_paste_forget(pane);
    forget_parts(pane);
}

/* The first button takes one line as it is; text of several lines cannot be taken like that. */
static void split_answered(struct shell *shell, int button, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    (void)effects;
    for (int i = 0; button == 1 && i < USER_FIELD_COUNT; i++)
        if (user_has(&pane->parts, (enum user_field)i))
            register_paste_put(shell, (enum user_field)i, pane->parts.text[i]);
    if (button == 0 && pane->pasted && !has_lines(pane->pasted))
        register_paste_plain(shell, pane->pasted);
    register_paste_clear(pane);
    register_refresh(shell);
}

/* Shows what would be put where, and what it would replace, before anything changes. */
static void preview(struct register_pane *pane) {
    str_init(&pane->preview, USER_TEXT_MAX * 2);
    for (int i = 0; i < pane->form.n; i++) {
        int field = pane->form.order[i];
        if (field == REGISTER_BUTTON || !user_has(&pane->parts, (enum user_field)field))
            continue;
        const char *part = pane->parts.text[field], *before = pane->form.rows[field].edit.text.s;
        str_addf(&pane->preview, "%s%s: ", pane->preview.len > 0 ? "\n" : "", pane->form.rows[field].label);
        utf8_sanitise(&pane->preview, part, strlen(part));
        if (*before && !str_equal(before, part)) {
            str_add(&pane->preview, "  (instead of ");
            utf8_sanitise(&pane->preview, before, strlen(before));
            str_add_char(&pane->preview, ')');
        }
    }
}

static void ask_split(struct shell *shell, const char *title, const char *text) {
    static const char *const WHOLE[] = {"all in this field", "split it like this"};
    static const char *const NOTHING[] = {"put in nothing", "split it like this"};
    struct register_pane *pane = register_of(shell);
    register_paste_forget(pane);
    pane->pasted = mem_dup(text);
    preview(pane);
    question(shell, title, pane->preview.s, has_lines(text) ? NOTHING : WHOLE, split_answered);
}

/* True where the operator is asked. */
static bool offer_name(struct shell *shell, const char *text, int row) {
    struct register_pane *pane = register_of(shell);
    bool fits = (row == USER_FIRST && pane->form.rows[USER_LAST].edit.text.len == 0) ||
                (row == USER_LAST && pane->form.rows[USER_FIRST].edit.text.len == 0);
    fits = fits && pane->form.rows[row].edit.text.len == 0;
    if (!fits || !user_split_name(text, &pane->parts))
        return false;
    ask_split(shell, "What was pasted looks like a whole name", text);
    return true;
}

static bool offer_address(struct shell *shell, const char *text, int row) {
    struct register_pane *pane = register_of(shell);
    const char *comma = strchr(text, ',');
    bool whole = has_lines(text) || (comma && strchr(comma + 1, ','));
    bool fits = row == USER_STREET || row == USER_LOCALITY || row == USER_POSTAL || row == USER_AREA;
    fits = fits && user_split_address(text, pane->state.profile->country_alpha3, &pane->parts);
    /* "Flat 3, 12 High Street" has a comma too: an address needs an area with a postal code. */
    if (!fits || (!whole && !user_has(&pane->parts, USER_COUNTRY))) {
        forget_parts(pane);
        return false;
    }
    ask_split(shell, "What was pasted looks like a whole address", text);
    return true;
}

static bool offer_last4(struct shell *shell, const char *text, int row) {
    static const char *const CUT[] = {"put in nothing", "keep the last four characters"};
    enum { LAST4 = 4 };
    struct register_pane *pane = register_of(shell);
    if (row != USER_ID_LAST4 || has_lines(text) || utf8_count(text, line_len(text)) <= LAST4)
        return false;
    register_paste_forget(pane);
    pane->pasted = mem_dup_n(text, line_len(text));
    question(shell, "What was pasted is longer than four characters", "", CUT, last4_answered);
    return true;
}

bool register_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    int row = (int)(form_focused(&pane->form) - pane->form.rows);
    (void)effects;
    if (pane->state.stage != REGISTER_FORM || pane->pick.what != PICK_NONE || !form_is_text(&pane->form))
        return false;
    if (!register_refuse_locked(shell, row) && !offer_last4(shell, text, row) && !offer_name(shell, text, row) &&
        !offer_address(shell, text, row))
        register_paste_plain(shell, text);
    return true;
}
