#include "panes/register/register.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const struct country *country_of(const struct register_pane *pane) {
    const struct draft *draft = &pane->state.drafts.items[pane->state.current];
    return country_find(draft->user.text[USER_COUNTRY]);
}

void register_fill(struct shell *shell) {
    struct register_pane *pane = register_of(shell);
    const struct draft *draft = register_draft(&pane->state);
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        struct edit *edit = &pane->form.rows[i].edit;
        const char *text = draft->user.text[i] ? draft->user.text[i] : "";
        if (!str_equal(edit->text.s, text))
            edit_set(edit, text);
        pane->touched[i] = pane->touched[i] && pane->filled_draft == pane->state.current;
    }
    if (pane->filled_draft != pane->state.current || user_is_empty(&draft->user)) {
        memset(pane->touched, 0, sizeof pane->touched);
        pane->area_free = pane->id_free = false;
        pane->form.focus = 0;
    }
    pane->filled_draft = pane->state.current;
    register_refresh(shell);
}

static char *note_text(struct register_pane *pane, const char *text) {
    return arena_dup_n(&pane->notes, text, strlen(text));
}

static void show_choice(struct register_pane *pane, enum user_field field, const char *words) {
    pane->form.rows[field].kind = FORM_CHOICE;
    pane->form.rows[field].ghost = "type to choose";
    pane->form.rows[field].shown = words;
}

static void show_text(struct register_pane *pane, enum user_field field, const char *ghost) {
    pane->form.rows[field].kind = FORM_TEXT;
    pane->form.rows[field].shown = NULL;
    pane->form.rows[field].ghost = ghost;
}

static const char *code_words(struct register_pane *pane, const char *name, const char *code) {
    struct str text;
    str_init(&text, 256);
    str_addf(&text, "%s (%s)", name, code);
    char *words = note_text(pane, text.s);
    str_clear(&text);
    return words;
}

static void refresh_choices(struct register_pane *pane) {
    const struct user *user = &register_draft(&pane->state)->user;
    const struct country *country = country_of(pane);
    const char *code = user->text[USER_COUNTRY], *type = user->text[USER_ID_TYPE];
    const struct country_area *area = country_area_find(country, user->text[USER_AREA]);
    size_t n;
    show_choice(pane, USER_COUNTRY, country ? code_words(pane, country->name, code) : code);
    bool listed = country_areas(country, &n) && !pane->area_free && (area || !user_has(user, USER_AREA));
    if (listed)
        show_choice(pane, USER_AREA, area ? code_words(pane, area->name, area->code) : NULL);
    else
        show_text(pane, USER_AREA, NULL);
    bool known = !type || str_equal(type, "passport") || str_equal(type, "drivers_license");
    if (known && !pane->id_free)
        show_choice(pane, USER_ID_TYPE, type);
    else
        show_text(pane, USER_ID_TYPE, NULL);
    const char *verified = user->text[USER_VERIFIED];
    show_choice(pane, USER_VERIFIED, !verified ? NULL : str_equal(verified, "true") ? "yes, verified" : "no");
    pane->form.rows[USER_VERIFIED].ghost = "y or n";
}

static void refresh_labels(struct register_pane *pane) {
    const struct country *country = country_of(pane);
    struct str ghost;
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        pane->form.rows[i].label = user_label((enum user_field)i);
        pane->form.rows[i].masked = pane->hidden && user_is_sensitive((enum user_field)i);
        pane->form.rows[i].unused = false;
    }
    pane->form.rows[USER_LOCALITY].label = country_locality_label(country);
    pane->form.rows[USER_AREA].label = country_area_label(country);
    pane->form.rows[USER_POSTAL].label = country_postal_label(country);
    pane->form.rows[USER_LOCALITY].unused = !country_uses(country, 'C');
    pane->form.rows[USER_AREA].unused = !country_uses(country, 'S');
    pane->form.rows[USER_POSTAL].unused = !country_uses(country, 'Z');
    pane->form.rows[USER_STREET].ghost = "street and number, flat and floor";
    pane->form.rows[USER_BIRTH].ghost = "YYYY-MM-DD";
    pane->form.rows[USER_PHONE].ghost = "+ country code";
    pane->form.rows[USER_TAG].ghost = "your own key of this person";
    pane->form.rows[USER_POSTAL].ghost = NULL;
    if (country && *country->postal_example) {
        str_init(&ghost, 128);
        str_addf(&ghost, "as in %s", country->postal_example);
        pane->form.rows[USER_POSTAL].ghost = note_text(pane, ghost.s);
        str_clear(&ghost);
    }
}

/* In the order in which the country writes addresses; fields that it does not use come last. */
static int order_address(struct form *form, int n, const struct country *country) {
    static const struct {
        char letter;
        int field;
    } PARTS[] = {{'A', USER_STREET}, {'C', USER_LOCALITY}, {'S', USER_AREA}, {'Z', USER_POSTAL}};
    for (const char *letter = country ? country->used : "ACSZ"; *letter; letter++) {
        for (size_t i = 0; i < COUNT_OF(PARTS); i++)
            if (PARTS[i].letter == *letter)
                form->order[n++] = PARTS[i].field;
    }
    for (size_t i = 0; i < COUNT_OF(PARTS); i++)
        if (!country_uses(country, PARTS[i].letter))
            form->order[n++] = PARTS[i].field;
    return n;
}

/* The state of an id belongs to a licence, and to kinds that are typed freely; the row stays while the cursor is on it.
 */
static bool shows_id_state(const struct user *user, int focused) {
    const char *type = user->text[USER_ID_TYPE];
    return user_has(user, USER_ID_STATE) || (type && !str_equal(type, "passport")) || focused == USER_ID_STATE;
}

static void refresh_order(struct register_pane *pane) {
    static const int REST[] = {USER_EMAIL, USER_PHONE, USER_BIRTH, USER_ID_TYPE, USER_ID_LAST4};
    const struct user *user = &register_draft(&pane->state)->user;
    struct form *form = &pane->form;
    int focused = form->n > 0 ? form->order[form->focus] : 0, n = 0;
    form->order[n++] = USER_FIRST;
    form->order[n++] = USER_LAST;
    form->order[n++] = USER_COUNTRY;
    n = order_address(form, n, country_of(pane));
    for (size_t i = 0; i < COUNT_OF(REST); i++)
        form->order[n++] = REST[i];
    if (shows_id_state(user, focused))
        form->order[n++] = USER_ID_STATE;
    form->order[n++] = USER_TAG;
    form->order[n++] = USER_VERIFIED;
    form->order[n++] = REGISTER_BUTTON;
    form->n = n;
    form->focus = 0;
    form_focus(form, focused);
}

static void refresh_notes(struct register_pane *pane) {
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        struct form_row *row = &pane->form.rows[i];
        const struct user_finding *finding = user_finding_of(&pane->state.findings, (enum user_field)i);
        bool said = finding && pane->touched[i];
        row->note = said ? note_text(pane, finding->text) : NULL;
        row->note_role = said && finding->blocks ? ROLE_ERROR : ROLE_WARN;
        row->wrong = said && finding->blocks;
    }
}

void register_refresh(struct shell *shell) {
    struct register_pane *pane = register_of(shell);
    arena_clear(&pane->notes);
    refresh_labels(pane);
    refresh_choices(pane);
    refresh_order(pane);
    refresh_notes(pane);
    pane->filled = pane->state.generation;
    shell_redraw(shell);
}

static void register_form_trim(struct shell *shell, struct form_row *row) {
    const char *text = row->edit.text.s;
    size_t len = row->edit.text.len, start = utf8_trim_start(text, len), end = utf8_trim_end(text, len);
    if (start > 0 || end < len) {
        char *pane = mem_dup_n(text + start, end > start ? end - start : 0);
        edit_set(&row->edit, pane);
        shell_message(shell, ROLE_INFO, "blanks at the ends of the e-mail address were taken away");
        free(pane);
    }
}

void register_blur(struct shell *shell) {
    struct register_pane *pane = register_of(shell);
    struct form_row *row = form_focused(&pane->form);
    int index = (int)(row - pane->form.rows);
    struct str date;
    if (pane->state.stage != REGISTER_FORM || index >= USER_FIELD_COUNT)
        return;
    str_init(&date, 32);
    if (index == USER_EMAIL)
        register_form_trim(shell, row);
    else if (index == USER_BIRTH &&
             (user_date_dashes(row->edit.text.s, &date) || user_date_midnight(row->edit.text.s, &date)) &&
             !str_equal(row->edit.text.s, date.s))
        edit_set(&row->edit, date.s);
    str_clear(&date);
    if (pane->form.editing)
        pane->touched[index] = true;
    register_set(&pane->state, (enum user_field)index, row->edit.text.s, shell_now(shell));
    register_check(&pane->state, shell_now(shell));
    register_refresh(shell);
}

/* ---- Drawing ---- */

static void register_form_draw_head(struct shell *shell, struct canvas *canvas, struct rect row) {
    struct register_pane *pane = register_of(shell);
    const struct draft *draft = register_draft(&pane->state);
    int x = 1;
    if (pane->state.drafts.n > 1) {
        x += canvas_textf(canvas, row, 0, x, ROLE_TITLE, "form %zu of %zu", pane->state.current + 1,
                          pane->state.drafts.n) +
             2;
    }
    if (pane->state.stage == REGISTER_LOOKING) {
        canvas_text(canvas, row, 0, x, ROLE_INFO, "looking for earlier writes ...");
    } else if (draft->locked) {
        canvas_textf(canvas, row, 0, x, ROLE_UNKNOWN,
                     "record %lld, outcome unknown: look for %s; %s Activity settles it", (long long)draft->locked,
                     user_has(&draft->user, USER_TAG) ? "its tag" : "it", shell_key_of(shell, ACTION_PANE_ACTIVITY));
    } else if (shell_is_read_only(shell)) {
        canvas_text(canvas, row, 0, x, ROLE_WARN, "read-only: nothing can be registered");
    } else {
        canvas_text(canvas, row, 0, x, ROLE_DIM, "nothing is sent before the review");
    }
}

static const char *hint_of(const struct register_pane *pane, int row, struct str *out) {
    const struct user *user = &pane->state.drafts.items[pane->state.current].user;
    if (row == USER_PHONE && user_has(user, USER_PHONE) && !pane->hidden) {
        str_add(out, "sent as typed; compared as ");
        user_phone_normal(user->text[USER_PHONE], out);
    } else if (row == USER_BIRTH && user_has(user, USER_BIRTH) && !pane->hidden) {
        (void)user_date_words(user->text[USER_BIRTH], out);
    } else if (row == USER_COUNTRY) {
        str_add(out, "labels, order and hints of the address follow it, by a table of " COUNTRY_TABLE_DATE);
    } else if (row == USER_POSTAL && pane->form.rows[USER_POSTAL].ghost) {
        str_add(out, pane->form.rows[USER_POSTAL].ghost);
    } else if (row == USER_STREET) {
        str_add(out, "one line is all there is: flat and floor go here too");
    } else if (row == USER_ID_LAST4) {
        str_add(out, "the last four characters; letters are allowed; never kept on the disk");
    } else if (row == USER_TAG) {
        str_add(out, "the key of this person in your own database: it finds the user again after a lost answer");
    } else if (row == USER_VERIFIED) {
        str_add(out, "whether you, the operator, have verified this person's identity");
    }
    return out->s;
}

static void register_form_draw_foot(struct shell *shell, struct canvas *canvas, struct rect line) {
    struct register_pane *pane = register_of(shell);
    const struct form_row *row = form_focused(&pane->form);
    struct str hint;
    str_init(&hint, USER_TEXT_MAX);
    if (row->note)
        canvas_textf(canvas, line, 0, 1, row->note_role, "%s %s", row->label, row->note);
    else
        canvas_text(canvas, line, 0, 1, ROLE_DIM, hint_of(pane, (int)(row - pane->form.rows), &hint));
    str_clear(&hint);
}

void register_form_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct register_pane *pane = register_of(shell);
    enum { ROOMY = 20 };
    register_form_draw_head(shell, canvas, rect_take_rows(&area, 1));
    if (area.rows >= ROOMY)
        (void)rect_take_rows(&area, 1);
    register_form_draw_foot(shell, canvas, rect_take_rows(&area, -1));
    form_draw(&pane->form, canvas, rect_inset(area, 0, 1, 0, 0));
}
