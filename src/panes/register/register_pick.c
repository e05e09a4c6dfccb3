#include "panes/register/register.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* What a choice stands for, if it is not a field's value. */
static const char OTHER[] = "\n";

enum { NAME_BYTES = 1024 };

static void register_pick_add(struct register_pane *pane, const char *label, const char *note) {
    struct choice *choice = vec_add(&pane->pick.choices);
    choice->label = arena_dup_n(&pane->pick.choices.arena, label, strlen(label));
    choice->note = note ? arena_dup_n(&pane->pick.choices.arena, note, strlen(note)) : NULL;
    choice->role = ROLE_TEXT;
}

/* The code is part of the label, so that typing it narrows the list too. */
static void add_coded(struct register_pane *pane, const char *name, const char *code) {
    struct str label;
    str_init(&label, 256);
    str_addf(&label, "%s (%s)", name, code);
    register_pick_add(pane, label.s, NULL);
    str_clear(&label);
}

static void register_pick_set_values(struct register_pane *pane, const char *const *values) {
    pane->pick.values = arena_new(&pane->pick.choices.arena, (pane->pick.choices.n + 1) * sizeof *pane->pick.values);
    for (size_t i = 0; i < pane->pick.choices.n; i++)
        pane->pick.values[i] = values[i];
}

struct coded {
    const char *name, *code;
    struct str folded;
};

static int compare_coded(const void *a, const void *b) {
    return strcmp(((const struct coded *)a)->folded.s, ((const struct coded *)b)->folded.s);
}

/* In the order of the names, apart from accents and case; then `last`, if there is one. Clears the items. */
static void add_by_name(struct register_pane *pane, struct coded *items, size_t n, const char *last) {
    const char **values = mem_new_array(n + 1, sizeof *values);
    for (size_t i = 0; i < n; i++) {
        str_init(&items[i].folded, NAME_BYTES);
        utf8_fold(&items[i].folded, items[i].name, strlen(items[i].name));
    }
    qsort(items, n, sizeof *items, compare_coded);
    for (size_t i = 0; i < n; i++) {
        add_coded(pane, items[i].name, items[i].code);
        values[i] = items[i].code;
        str_clear(&items[i].folded);
    }
    if (last) {
        register_pick_add(pane, last, NULL);
        values[n] = OTHER;
    }
    register_pick_set_values(pane, values);
    free(values);
}

/* Both codes and the usual words, folded like the typed text. */
static void add_other_words(struct register_pane *pane) {
    struct str also;
    str_init(&also, NAME_BYTES);
    pane->pick.also = arena_new(&pane->pick.choices.arena, (pane->pick.choices.n + 1) * sizeof *pane->pick.also);
    for (size_t i = 0; i < pane->pick.choices.n; i++) {
        const struct country *country = country_find(pane->pick.values[i]);
        str_reset(&also);
        utf8_fold(&also, country->alpha2, strlen(country->alpha2));
        str_add_char(&also, '\n');
        utf8_fold(&also, country->alpha3, strlen(country->alpha3));
        const char *word;
        for (size_t n = 0; (word = country_word(country, n)) != NULL; n++)
            str_addf(&also, "\n%s", word);
        pane->pick.also[i] = arena_dup_n(&pane->pick.choices.arena, also.s, also.len);
    }
    str_clear(&also);
}

static void fill_countries(struct register_pane *pane) {
    size_t n, used = 0;
    const struct country *all = countries(&n);
    bool alpha3 = pane->state.profile->country_alpha3;
    struct coded *items = mem_new_array(n + 1, sizeof *items);
    for (size_t i = 0; i < n; i++) {
        const char *code = alpha3 ? all[i].alpha3 : all[i].alpha2;
        if (*code)
            items[used++] = (struct coded){.name = all[i].name, .code = code};
    }
    add_by_name(pane, items, used, NULL);
    add_other_words(pane);
    free(items);
}

static void fill_areas(struct register_pane *pane) {
    size_t n;
    const struct country *country = country_find(register_draft(&pane->state)->user.text[USER_COUNTRY]);
    const struct country_area *areas = country_areas(country, &n);
    struct coded *items = mem_new_array(n + 1, sizeof *items);
    for (size_t i = 0; i < n; i++)
        items[i] = (struct coded){.name = areas[i].name, .code = areas[i].code};
    add_by_name(pane, items, n, "other: type it");
    free(items);
}

static void fill_words(struct register_pane *pane, const char *const (*words)[2], size_t n) {
    const char **values = mem_new_array(n + 1, sizeof *values);
    for (size_t i = 0; i < n; i++) {
        register_pick_add(pane, words[i][0], NULL);
        values[i] = words[i][1];
    }
    register_pick_set_values(pane, values);
    free(values);
}

static void fill_drafts(struct register_pane *pane) {
    struct str label;
    str_init(&label, 1024);
    for (size_t i = 0; i < pane->state.drafts.n; i++) {
        const struct draft *draft = &pane->state.drafts.items[i];
        const char *first = draft->user.text[USER_FIRST], *last = draft->user.text[USER_LAST];
        str_reset(&label);
        str_addf(&label, "%zu  %s %s", i + 1, first ? first : "", last ? last : "");
        if (!first && !last)
            str_add(&label, "(no name yet)");
        register_pick_add(pane, label.s,
                          draft->locked                 ? "outcome unknown"
                          : i == pane->state.current    ? "open"
                          : draft->dirty                ? "in memory"
                          : user_is_empty(&draft->user) ? "empty"
                                                        : "kept");
    }
    str_clear(&label);
}

void register_pick_clear(struct register_pane *pane) {
    if (pane->pick.what != PICK_NONE)
        picker_clear(&pane->pick.picker);
    choices_clear(&pane->pick.choices);
    memset(&pane->pick, 0, sizeof pane->pick);
}

void register_pick_open(struct shell *shell, enum register_pick what) {
    static const char *const TITLES[] = {[PICK_COUNTRY] = "Country: type its name or code",
                                         [PICK_AREA] = "Type its name or code",
                                         [PICK_ID_TYPE] = "Kind of id",
                                         [PICK_VERIFIED] = "Have you verified this person's identity?",
                                         [PICK_DRAFT] = "Forms that are not sent: Enter opens"};
    static const char *const IDS[][2] = {
        {"passport", "passport"}, {"drivers_license", "drivers_license"}, {"other: type it", OTHER}, {"none", ""}};
    static const char *const ANSWERS[][2] = {{"yes, verified by us", "true"}, {"no, not verified", "false"}};
    struct register_pane *pane = register_of(shell);
    register_pick_clear(pane);
    if (what == PICK_NONE)
        return;
    if (what == PICK_COUNTRY)
        fill_countries(pane);
    else if (what == PICK_AREA)
        fill_areas(pane);
    else if (what == PICK_ID_TYPE)
        fill_words(pane, IDS, COUNT_OF(IDS));
    else if (what == PICK_VERIFIED)
        fill_words(pane, ANSWERS, COUNT_OF(ANSWERS));
    else
        fill_drafts(pane);
    pane->pick.what = what;
    picker_init(&pane->pick.picker, TITLES[what], pane->pick.choices.items, pane->pick.choices.n, false);
    pane->pick.picker.also = pane->pick.also;
    pane->pick.picker.ranked = what == PICK_COUNTRY || what == PICK_AREA;
}

static enum user_field register_pick_field_of(enum register_pick what) {
    static const enum user_field FIELDS[] = {[PICK_COUNTRY] = USER_COUNTRY,
                                             [PICK_AREA] = USER_AREA,
                                             [PICK_ID_TYPE] = USER_ID_TYPE,
                                             [PICK_VERIFIED] = USER_VERIFIED};
    return FIELDS[what];
}

static void register_pick_choose(struct shell *shell, size_t index) {
    struct register_pane *pane = register_of(shell);
    enum register_pick what = pane->pick.what;
    const char *value = what == PICK_DRAFT ? NULL : pane->pick.values[index];
    if (what == PICK_DRAFT) {
        register_pick_clear(pane);
        register_open(&pane->state, index);
        register_fill(shell);
        shell_message_outdated(shell);
        return;
    }
    enum user_field field = register_pick_field_of(what);
    bool other = value == OTHER;
    pane->area_free = what == PICK_AREA ? other : pane->area_free && what != PICK_COUNTRY;
    pane->id_free = what == PICK_ID_TYPE ? other : pane->id_free;
    if (!other) {
        edit_set(&pane->form.rows[field].edit, value);
        register_set(&pane->state, field, value, shell_now(shell));
        register_blur(shell);
        form_focus(&pane->form, (int)field);
        form_move(&pane->form, 1);
    }
    register_pick_clear(pane);
    pane->form.editing = true;
    register_refresh(shell);
}

/* A code that was typed in full is what is meant, wherever it is in the list: the cursor goes there. */
static void follow_code(struct register_pane *pane, int32_t key) {
    struct picker *picker = &pane->pick.picker;
    bool coded = pane->pick.what == PICK_COUNTRY || pane->pick.what == PICK_AREA;
    for (size_t i = 0; coded && input_is_text(key) && i < pane->pick.choices.n; i++)
        if (ascii_compare(pane->pick.values[i], picker->narrow.text.s) == 0)
            picker->cursor = i;
}

/* yes and no are answered by one letter. */
static bool by_letter(struct shell *shell, int32_t key) {
    struct register_pane *pane = register_of(shell);
    if (pane->pick.what != PICK_VERIFIED || !strchr("yYnN", (int)(key < 0x80 ? key : 'x')))
        return false;
    register_pick_choose(shell, key == 'y' || key == 'Y' ? 0 : 1);
    return true;
}

void register_pick_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct register_pane *pane = register_of(shell);
    (void)effects;
    if (key != 0 && by_letter(shell, key))
        return;
    enum dialog_result result = picker_key(&pane->pick.picker, key);
    follow_code(pane, key);
    if (result == DIALOG_DONE && pane->pick.picker.cursor < pane->pick.choices.n)
        register_pick_choose(shell, pane->pick.picker.cursor);
    else if (result == DIALOG_CANCELLED || key == KEY_CTRL('C') || key == INPUT_TAB)
        register_pick_clear(pane);
    shell_redraw(shell);
}

void register_pick_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    picker_draw(&register_of(shell)->pick.picker, canvas, within);
}
