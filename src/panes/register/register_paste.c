#include "panes/register/register.h"

#include "panes/shell/ask.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "model/user_split.h"

#include <stdlib.h>
#include <string.h>

/* What pasted text may hold beside one field's value is offered, never done silently. */

static void forget(struct register_pane *own) {
    secret_free_text(own->pasted);
    own->pasted = NULL;
}

/* One line end at the end is how copied lines come. */
static size_t line_len(const char *text) {
    return strcspn(text, "\n");
}

static bool has_lines(const char *text) {
    const char *end = text + line_len(text);
    return end[0] == '\n' && end[1];
}

static void put(struct shell *shell, enum user_field field, const char *text) {
    struct register_pane *own = register_of(shell);
    edit_set(&own->form.rows[field].edit, text);
    register_set(&own->state, field, text, shell_now(shell));
    own->touched[field] = true;
}

static void plain(struct shell *shell, const char *text) {
    struct register_pane *own = register_of(shell);
    struct form_row *row = form_focused(&own->form);
    if (!shell_paste_into(shell, &row->edit, text)) {
        return;
    }
    shell_message_outdated(shell);
    register_set(&own->state, (enum user_field)(row - own->form.rows), row->edit.text.s, shell_now(shell));
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
    struct register_pane *own = register_of(shell);
    (void)effects;
    if (button == 1 && own->pasted) {
        size_t at = strlen(own->pasted);
        for (int i = 0; i < LAST4 && at > 0; i++) {
            at = utf8_prev(own->pasted, strlen(own->pasted), at);
        }
        put(shell, USER_ID_LAST4, own->pasted + at);
    }
    forget(own);
    register_refresh(shell);
}

/* ---- A whole name, a whole address ---- */

static void forget_parts(struct register_pane *own) {
    user_clear(&own->parts);
    secret_clear_str(&own->preview);
}

void register_paste_clear(struct register_pane *pane) {
    forget(pane);
    forget_parts(pane);
}

/* Button 0 of one line takes it as it is; of several lines there is no such thing. */
static void split_answered(struct shell *shell, int button, struct effects *effects) {
    struct register_pane *own = register_of(shell);
    (void)effects;
    for (int i = 0; button == 1 && i < USER_FIELD_COUNT; i++) {
        if (user_has(&own->parts, (enum user_field)i)) {
            put(shell, (enum user_field)i, own->parts.text[i]);
        }
    }
    if (button == 0 && own->pasted && !has_lines(own->pasted)) {
        plain(shell, own->pasted);
    }
    register_paste_clear(own);
    register_refresh(shell);
}

/* What would go where, and what it would replace, before anything does. */
static void preview(struct register_pane *own) {
    str_init(&own->preview, USER_TEXT_MAX * 2);
    for (int i = 0; i < own->form.n; i++) {
        int field = own->form.order[i];
        if (field == REGISTER_BUTTON || !user_has(&own->parts, (enum user_field)field)) {
            continue;
        }
        const char *part = own->parts.text[field], *before = own->form.rows[field].edit.text.s;
        str_addf(&own->preview, "%s%s: ", own->preview.len > 0 ? "\n" : "", own->form.rows[field].label);
        utf8_sanitise(&own->preview, part, strlen(part));
        if (*before && !str_equal(before, part)) {
            str_add(&own->preview, "  (instead of ");
            utf8_sanitise(&own->preview, before, strlen(before));
            str_add_char(&own->preview, ')');
        }
    }
}

static void ask_split(struct shell *shell, const char *title, const char *text) {
    static const char *const WHOLE[] = {"all in this field", "split it like this"};
    static const char *const NOTHING[] = {"put in nothing", "split it like this"};
    struct register_pane *own = register_of(shell);
    forget(own);
    own->pasted = mem_dup(text);
    preview(own);
    question(shell, title, own->preview.s, has_lines(text) ? NOTHING : WHOLE, split_answered);
}

/* True where the operator is asked. */
static bool offer_name(struct shell *shell, const char *text, int row) {
    struct register_pane *own = register_of(shell);
    bool fits = (row == USER_FIRST && own->form.rows[USER_LAST].edit.text.len == 0) ||
                (row == USER_LAST && own->form.rows[USER_FIRST].edit.text.len == 0);
    fits = fits && own->form.rows[row].edit.text.len == 0;
    if (!fits || !user_split_name(text, &own->parts)) {
        return false;
    }
    ask_split(shell, "What was pasted looks like a whole name", text);
    return true;
}

static bool offer_address(struct shell *shell, const char *text, int row) {
    struct register_pane *own = register_of(shell);
    const char *comma = strchr(text, ',');
    bool whole = has_lines(text) || (comma && strchr(comma + 1, ','));
    bool fits = row == USER_STREET || row == USER_LOCALITY || row == USER_POSTAL || row == USER_AREA;
    fits = fits && user_split_address(text, own->state.profile->country_alpha3, &own->parts);
    /* One comma is in "Flat 3, 12 High Street" as well: it takes an area with its code behind it. */
    if (!fits || (!whole && !user_has(&own->parts, USER_COUNTRY))) {
        forget_parts(own);
        return false;
    }
    ask_split(shell, "What was pasted looks like a whole address", text);
    return true;
}

static bool offer_last4(struct shell *shell, const char *text, int row) {
    static const char *const CUT[] = {"put in nothing", "keep the last four characters"};
    enum { LAST4 = 4 };
    struct register_pane *own = register_of(shell);
    if (row != USER_ID_LAST4 || has_lines(text) || utf8_count(text, line_len(text)) <= LAST4) {
        return false;
    }
    forget(own);
    own->pasted = mem_dup_n(text, line_len(text));
    question(shell, "What was pasted is longer than four characters", "", CUT, last4_answered);
    return true;
}

bool register_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct register_pane *own = register_of(shell);
    int row = (int)(form_focused(&own->form) - own->form.rows);
    (void)effects;
    if (own->state.stage != REGISTER_FORM || own->pick.what != PICK_NONE || !form_is_text(&own->form)) {
        return false;
    }
    if (!register_refuse_locked(shell, row) && !offer_last4(shell, text, row) && !offer_name(shell, text, row) &&
        !offer_address(shell, text, row)) {
        plain(shell, text);
    }
    return true;
}
