#include "panes/register/register.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const struct country *country_of(const struct register_pane *own) {
    const struct draft *draft = &own->state.drafts.items[own->state.current];
    return country_find(draft->user.text[USER_COUNTRY]);
}

void register_fill(struct shell *shell) {
    struct register_pane *own = register_of(shell);
    const struct draft *draft = register_draft(&own->state);
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        struct edit *edit = &own->form.rows[i].edit;
        const char *text = draft->user.text[i] ? draft->user.text[i] : "";
        if (!str_equal(edit->text.s, text)) {
            edit_set(edit, text);
        }
        own->touched[i] = own->touched[i] && own->filled_draft == own->state.current;
    }
    if (own->filled_draft != own->state.current || user_is_empty(&draft->user)) {
        memset(own->touched, 0, sizeof own->touched);
        own->area_free = own->id_free = false;
        own->form.focus = 0;
    }
    own->filled_draft = own->state.current;
    register_refresh(shell);
}

static char *note_text(struct register_pane *own, const char *text) {
    return arena_dup_n(&own->notes, text, strlen(text));
}

static void show_choice(struct register_pane *own, enum user_field field, const char *words) {
    own->form.rows[field].kind = FORM_CHOICE;
    own->form.rows[field].ghost = "type to choose";
    own->form.rows[field].shown = words;
}

static void show_text(struct register_pane *own, enum user_field field, const char *ghost) {
    own->form.rows[field].kind = FORM_TEXT;
    own->form.rows[field].shown = NULL;
    own->form.rows[field].ghost = ghost;
}

static const char *code_words(struct register_pane *own, const char *name, const char *code) {
    struct str text;
    str_init(&text, 256);
    str_addf(&text, "%s (%s)", name, code);
    char *words = note_text(own, text.s);
    str_clear(&text);
    return words;
}

static void refresh_choices(struct register_pane *own) {
    const struct user *user = &register_draft(&own->state)->user;
    const struct country *country = country_of(own);
    const char *code = user->text[USER_COUNTRY], *type = user->text[USER_ID_TYPE];
    const struct country_area *area = country_area_find(country, user->text[USER_AREA]);
    size_t n;
    show_choice(own, USER_COUNTRY, country ? code_words(own, country->name, code) : code);
    bool listed = country_areas(country, &n) && !own->area_free && (area || !user_has(user, USER_AREA));
    if (listed) {
        show_choice(own, USER_AREA, area ? code_words(own, area->name, area->code) : NULL);
    } else {
        show_text(own, USER_AREA, NULL);
    }
    bool known = !type || str_equal(type, "passport") || str_equal(type, "drivers_license");
    if (known && !own->id_free) {
        show_choice(own, USER_ID_TYPE, type);
    } else {
        show_text(own, USER_ID_TYPE, NULL);
    }
    const char *verified = user->text[USER_VERIFIED];
    show_choice(own, USER_VERIFIED, !verified ? NULL : str_equal(verified, "true") ? "yes, verified" : "no");
    own->form.rows[USER_VERIFIED].ghost = "y or n";
}

static void refresh_labels(struct register_pane *own) {
    const struct country *country = country_of(own);
    struct str ghost;
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        own->form.rows[i].label = user_label((enum user_field)i);
        own->form.rows[i].masked = own->hidden && user_is_sensitive((enum user_field)i);
        own->form.rows[i].unused = false;
    }
    own->form.rows[USER_LOCALITY].label = country_locality_label(country);
    own->form.rows[USER_AREA].label = country_area_label(country);
    own->form.rows[USER_POSTAL].label = country_postal_label(country);
    own->form.rows[USER_LOCALITY].unused = !country_uses(country, 'C');
    own->form.rows[USER_AREA].unused = !country_uses(country, 'S');
    own->form.rows[USER_POSTAL].unused = !country_uses(country, 'Z');
    own->form.rows[USER_STREET].ghost = "street and number, flat and floor";
    own->form.rows[USER_BIRTH].ghost = "YYYY-MM-DD";
    own->form.rows[USER_PHONE].ghost = "+ country code";
    own->form.rows[USER_TAG].ghost = "your own key of this person";
    own->form.rows[USER_POSTAL].ghost = NULL;
    if (country && *country->postal_example) {
        str_init(&ghost, 128);
        str_addf(&ghost, "as in %s", country->postal_example);
        own->form.rows[USER_POSTAL].ghost = note_text(own, ghost.s);
        str_clear(&ghost);
    }
}

/* As the country writes its addresses; what it does not use comes after. */
static int order_address(struct form *form, int n, const struct country *country) {
    static const struct {
        char letter;
        int field;
    } PARTS[] = {{'A', USER_STREET}, {'C', USER_LOCALITY}, {'S', USER_AREA}, {'Z', USER_POSTAL}};
    for (const char *letter = country ? country->used : "ACSZ"; *letter; letter++) {
        for (size_t i = 0; i < COUNT_OF(PARTS); i++) {
            if (PARTS[i].letter == *letter) {
                form->order[n++] = PARTS[i].field;
            }
        }
    }
    for (size_t i = 0; i < COUNT_OF(PARTS); i++) {
        if (!country_uses(country, PARTS[i].letter)) {
            form->order[n++] = PARTS[i].field;
        }
    }
    return n;
}

/* An id's state belongs to a licence, and to kinds that are typed freely; it does not go from under the cursor. */
static bool shows_id_state(const struct user *user, int focused) {
    const char *type = user->text[USER_ID_TYPE];
    return user_has(user, USER_ID_STATE) || (type && !str_equal(type, "passport")) || focused == USER_ID_STATE;
}

static void refresh_order(struct register_pane *own) {
    static const int REST[] = {USER_EMAIL, USER_PHONE, USER_BIRTH, USER_ID_TYPE, USER_ID_LAST4};
    const struct user *user = &register_draft(&own->state)->user;
    struct form *form = &own->form;
    int focused = form->n > 0 ? form->order[form->focus] : 0, n = 0;
    form->order[n++] = USER_FIRST;
    form->order[n++] = USER_LAST;
    form->order[n++] = USER_COUNTRY;
    n = order_address(form, n, country_of(own));
    for (size_t i = 0; i < COUNT_OF(REST); i++) {
        form->order[n++] = REST[i];
    }
    if (shows_id_state(user, focused)) {
        form->order[n++] = USER_ID_STATE;
    }
    form->order[n++] = USER_TAG;
    form->order[n++] = USER_VERIFIED;
    form->order[n++] = REGISTER_BUTTON;
    form->n = n;
    form->focus = 0;
    form_focus(form, focused);
}

static void refresh_notes(struct register_pane *own) {
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        struct form_row *row = &own->form.rows[i];
        const struct user_finding *finding = user_finding_of(&own->state.findings, (enum user_field)i);
        bool said = finding && own->touched[i];
        row->note = said ? note_text(own, finding->text) : NULL;
        row->note_role = said && finding->blocks ? ROLE_ERROR : ROLE_WARN;
        row->wrong = said && finding->blocks;
    }
}

void register_refresh(struct shell *shell) {
    struct register_pane *own = register_of(shell);
    arena_clear(&own->notes);
    refresh_labels(own);
    refresh_choices(own);
    refresh_order(own);
    refresh_notes(own);
    own->filled = own->state.generation;
    shell_redraw(shell);
}

static void trim(struct shell *shell, struct form_row *row) {
    const char *text = row->edit.text.s;
    size_t len = row->edit.text.len, start = utf8_trim_start(text, len), end = utf8_trim_end(text, len);
    if (start > 0 || end < len) {
        char *own = mem_dup_n(text + start, end > start ? end - start : 0);
        edit_set(&row->edit, own);
        shell_message(shell, ROLE_INFO, "blanks at the ends of the e-mail address were taken away");
        free(own);
    }
}

void register_blur(struct shell *shell) {
    struct register_pane *own = register_of(shell);
    struct form_row *row = form_focused(&own->form);
    int index = (int)(row - own->form.rows);
    struct str date;
    if (own->state.stage != REGISTER_FORM || index >= USER_FIELD_COUNT) {
        return;
    }
    str_init(&date, 32);
    if (index == USER_EMAIL) {
        trim(shell, row);
    } else if (index == USER_BIRTH &&
               (user_date_dashes(row->edit.text.s, &date) || user_date_midnight(row->edit.text.s, &date)) &&
               !str_equal(row->edit.text.s, date.s)) {
        edit_set(&row->edit, date.s);
    }
    str_clear(&date);
    if (own->form.editing) {
        own->touched[index] = true;
    }
    register_set(&own->state, (enum user_field)index, row->edit.text.s, shell_now(shell));
    register_check(&own->state, shell_now(shell));
    register_refresh(shell);
}

/* ---- Drawing ---- */

static void draw_head(struct shell *shell, struct canvas *canvas, struct rect row) {
    struct register_pane *own = register_of(shell);
    const struct draft *draft = register_draft(&own->state);
    int x = 1;
    if (own->state.drafts.n > 1) {
        x += canvas_textf(canvas, row, 0, x, ROLE_TITLE, "form %zu of %zu", own->state.current + 1,
                          own->state.drafts.n) +
             2;
    }
    if (own->state.stage == REGISTER_LOOKING) {
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

static const char *hint_of(const struct register_pane *own, int row, struct str *out) {
    const struct user *user = &own->state.drafts.items[own->state.current].user;
    if (row == USER_PHONE && user_has(user, USER_PHONE) && !own->hidden) {
        str_add(out, "sent as typed; compared as ");
        user_phone_normal(user->text[USER_PHONE], out);
    } else if (row == USER_BIRTH && user_has(user, USER_BIRTH) && !own->hidden) {
        (void)user_date_words(user->text[USER_BIRTH], out);
    } else if (row == USER_COUNTRY) {
        str_add(out, "labels, order and hints of the address follow it, by a table of " COUNTRY_TABLE_DATE);
    } else if (row == USER_POSTAL && own->form.rows[USER_POSTAL].ghost) {
        str_add(out, own->form.rows[USER_POSTAL].ghost);
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

static void draw_foot(struct shell *shell, struct canvas *canvas, struct rect line) {
    struct register_pane *own = register_of(shell);
    const struct form_row *row = form_focused(&own->form);
    struct str hint;
    str_init(&hint, USER_TEXT_MAX);
    if (row->note) {
        canvas_textf(canvas, line, 0, 1, row->note_role, "%s %s", row->label, row->note);
    } else {
        canvas_text(canvas, line, 0, 1, ROLE_DIM, hint_of(own, (int)(row - own->form.rows), &hint));
    }
    str_clear(&hint);
}

void register_form_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct register_pane *own = register_of(shell);
    enum { ROOMY = 20 };
    draw_head(shell, canvas, rect_take_rows(&area, 1));
    if (area.rows >= ROOMY) {
        (void)rect_take_rows(&area, 1);
    }
    draw_foot(shell, canvas, rect_take_rows(&area, -1));
    form_draw(&own->form, canvas, rect_inset(area, 0, 1, 0, 0));
}
