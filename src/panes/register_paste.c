#include "state.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What pasted text may hold beside one field's value is offered, never done silently (design/forms.md). */

static void forget(struct register_pane *own) {
    if (own->pasted) {
        secret_wipe(own->pasted, strlen(own->pasted));
        free(own->pasted);
        own->pasted = NULL;
    }
}

static void put(struct shell *shell, enum user_field field, const char *text) {
    struct register_pane *own = &shell->registering;
    edit_set(&own->form.rows[field].edit, text);
    register_set(&own->state, field, text, shell->now);
    own->touched[field] = true;
}

static void plain(struct shell *shell, const char *text) {
    struct register_pane *own = &shell->registering;
    struct form_row *row = form_focused(&own->form);
    if (edit_paste(&row->edit, text) == EDIT_REFUSED) {
        shell_message(shell, ROLE_WARN, "a text of several lines does not go into this field");
        return;
    }
    register_set(&own->state, (enum user_field)(row - own->form.rows), row->edit.text.s, shell->now);
    register_refresh(shell);
}

static void question(struct shell *shell, const char *title, const char *const buttons[2],
                     void (*answered)(struct shell *, int, struct effects *)) {
    struct ask ask = {.confirm = {.title = title, .text = "", .buttons = buttons, .n_buttons = 2, .role = ROLE_INFO},
                      .answered = answered};
    ask_open(shell, &ask);
}

/* ---- The end of a longer id ---- */

static void last4_answered(struct shell *shell, int button, struct effects *effects) {
    enum { LAST4 = 4 };
    struct register_pane *own = &shell->registering;
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

/* ---- "First Last" ---- */

static void name_answered(struct shell *shell, int button, struct effects *effects) {
    struct register_pane *own = &shell->registering;
    (void)effects;
    char *blank = own->pasted ? strrchr(own->pasted, ' ') : NULL;
    if (button == 1 && blank) {
        *blank = '\0';
        put(shell, USER_FIRST, own->pasted);
        put(shell, USER_LAST, blank + 1);
    } else if (button == 0 && own->pasted) {
        plain(shell, own->pasted);
    }
    forget(own);
    register_refresh(shell);
}

/* ---- A whole address ---- */

enum { LINES_MAX = 6 };

static size_t split_lines(char *text, char *lines[LINES_MAX]) {
    size_t n = 0;
    for (char *line; n < LINES_MAX && (line = strsep(&text, "\n")) != NULL;) {
        line += strspn(line, " \t");
        if (*line) {
            lines[n++] = line;
        }
    }
    return n;
}

static const struct country *country_named(const char *name) {
    size_t n;
    const struct country *all = countries(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcasecmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    return country_find(name);
}

/* "10115 Berlin": the code in front; "Springfield, IL 62704": the code at the end, the area before it. */
static void put_place(struct shell *shell, char *line) {
    size_t digits = strcspn(line, " ");
    if (strpbrk(line, "0123456789") && strcspn(line, "0123456789") < digits && line[digits]) {
        line[digits] = '\0';
        put(shell, USER_POSTAL, line);
        put(shell, USER_LOCALITY, line + digits + 1);
        return;
    }
    char *comma = strchr(line, ',');
    char *rest = comma ? comma + 1 + strspn(comma + 1, " ") : NULL;
    char *blank = rest ? strchr(rest, ' ') : NULL;
    if (comma) {
        *comma = '\0';
    }
    put(shell, USER_LOCALITY, line);
    if (blank) {
        *blank = '\0';
        put(shell, USER_POSTAL, blank + 1);
    }
    if (rest) {
        put(shell, USER_AREA, rest);
    }
}

static void address_answered(struct shell *shell, int button, struct effects *effects) {
    struct register_pane *own = &shell->registering;
    char *lines[LINES_MAX];
    (void)effects;
    size_t n = button == 1 && own->pasted ? split_lines(own->pasted, lines) : 0;
    if (n > 1) {
        const struct country *country = country_named(lines[n - 1]);
        if (country) {
            put(shell, USER_COUNTRY, own->state.profile->country_alpha3 ? country->alpha3 : country->alpha2);
            n--;
        }
        put(shell, USER_STREET, lines[0]);
    }
    if (n > 1) {
        put_place(shell, lines[1]);
    }
    forget(own);
    register_refresh(shell);
}

static void ask_about(struct shell *shell, const char *text, int row) {
    static const char *const CUT[] = {"put in nothing", "keep the last four characters"};
    static const char *const NAME[] = {"all in this field", "split into first and last name"};
    static const char *const ADDRESS[] = {"put in nothing", "split into the address fields"};
    struct register_pane *own = &shell->registering;
    forget(own);
    own->pasted = mem_dup(text);
    if (row == USER_ID_LAST4) {
        question(shell, "What was pasted is longer than four characters", CUT, last4_answered);
    } else if (row == USER_FIRST) {
        question(shell, "What was pasted looks like a whole name", NAME, name_answered);
    } else {
        question(shell, "What was pasted looks like a whole address", ADDRESS, address_answered);
    }
}

bool register_paste(struct shell *shell, const char *text, struct effects *effects) {
    enum { LAST4 = 4 };
    struct register_pane *own = &shell->registering;
    int row = (int)(form_focused(&own->form) - own->form.rows);
    (void)effects;
    if (own->state.stage != REGISTER_FORM || own->pick.what != PICK_NONE || !form_is_text(&own->form)) {
        return false;
    }
    if (register_draft(&own->state)->locked) {
        shell_message(shell, ROLE_WARN, "the outcome of this form's write is unknown: nothing can be pasted");
        return true;
    }
    bool lines = strchr(text, '\n') && strchr(text, '\n')[1];
    bool first = row == USER_FIRST && own->form.rows[USER_LAST].edit.text.len == 0 && strchr(text, ' ') && !lines;
    bool long_id = row == USER_ID_LAST4 && !lines && utf8_count(text, strlen(text)) > LAST4;
    if ((lines && row == USER_STREET) || first || long_id) {
        ask_about(shell, text, row);
    } else {
        plain(shell, text);
    }
    return true;
}
