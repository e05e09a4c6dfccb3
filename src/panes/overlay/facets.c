#include "base/mem.h"
#include "panes/intents/list.h"
#include "ui/dialog.h"

#include <stdlib.h>
#include <string.h>

enum { OTHER_MAX = 128 };

/* The filters of the service: statuses and one flow type. */

struct facets {
    struct picker picker;
    struct choices choices;
    struct edit other; /* another status, being typed */
    bool typing;
};

static struct facets *facets_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_FACETS);
}

static const char GROUP_STATUS[] = "status (any of)";
static const char GROUP_TYPE[] = "flow type (one)";
static const char LABEL_OTHER[] = "another status...";

static struct choice *find_choice(struct facets *facets, const char *group, const char *label) {
    for (size_t i = 0; i < facets->choices.n; i++) {
        struct choice *choice = &facets->choices.items[i];
        if (choice->group == group && str_equal(choice->label, label))
            return choice;
    }
    return NULL;
}

static struct choice *add_choice(struct facets *facets, const char *group, const char *label, enum role role) {
    struct choice *choice = find_choice(facets, group, label);
    if (!choice) {
        choice = vec_add(&facets->choices);
        *choice = (struct choice){
            .group = group, .label = arena_dup_n(&facets->choices.arena, label, strlen(label)), .role = role};
    }
    return choice;
}

static size_t count_rows(const struct shell *shell, enum intent_field field, const char *value) {
    const struct intent *intent;
    size_t n = 0;
    for (size_t i = 0; (intent = intents_read(shell, i)) != NULL; i++) {
        const char *text;
        n += intent_field_text(intent, field, &text) == VALUE_OK && str_equal(text, value);
    }
    return n;
}

static void facets_add_counts(struct facets *facets, const struct shell *shell) {
    struct str text;
    str_init(&text, 64);
    for (size_t i = 0; i < facets->choices.n; i++) {
        struct choice *choice = &facets->choices.items[i];
        enum intent_field field = choice->group == GROUP_STATUS ? INTENT_FIELD_STATUS : INTENT_FIELD_TYPE;
        if (str_equal(choice->label, LABEL_OTHER))
            continue;
        str_reset(&text);
        money_group_count(&text, count_rows(shell, field, choice->label));
        str_add(&text, " read so far");
        choice->note = arena_dup_n(&facets->choices.arena, text.s, text.len);
    }
    str_clear(&text);
}

/* Values outside the document can be in the rows read, or typed (variations B4). */
static void add_seen(struct facets *facets, const struct shell *shell, const char *group, enum intent_field field) {
    enum { SEEN_MAX = 50 };
    const struct intent *intent;
    for (size_t i = 0; facets->choices.n < SEEN_MAX && (intent = intents_read(shell, i)) != NULL; i++) {
        const char *text;
        if (intent_field_text(intent, field, &text) == VALUE_OK && *text)
            add_choice(facets, group, text, ROLE_UNKNOWN);
    }
}

static void facets_fill(struct shell *shell) {
    static const enum role ROLES[] = {ROLE_STATUS_CREATED, ROLE_STATUS_APPROVED, ROLE_STATUS_DECLINED,
                                      ROLE_STATUS_PENDING, ROLE_STATUS_CANCELED};
    struct facets *facets = facets_of(shell);
    const struct server_filter *filter = intents_server_filter(shell);
    for (enum intent_status status = 0; status < INTENT_STATUS_COUNT; status++)
        add_choice(facets, GROUP_STATUS, intent_status_name(status), ROLES[status]);
    add_seen(facets, shell, GROUP_STATUS, INTENT_FIELD_STATUS);
    for (size_t i = 0; i < filter->n; i++)
        add_choice(facets, GROUP_STATUS, filter->statuses[i], ROLE_UNKNOWN)->checked = true;
    add_choice(facets, GROUP_STATUS, LABEL_OTHER, ROLE_DIM);
    for (size_t i = 0; intent_type_name(i); i++)
        add_choice(facets, GROUP_TYPE, intent_type_name(i), ROLE_TEXT);
    add_seen(facets, shell, GROUP_TYPE, INTENT_FIELD_TYPE);
    if (filter->type)
        add_choice(facets, GROUP_TYPE, filter->type, ROLE_UNKNOWN)->checked = true;
    facets_add_counts(facets, shell);
}

static void reset(struct facets *facets) {
    picker_clear(&facets->picker);
    choices_clear(&facets->choices);
}

static void facets_clear(struct shell *shell) {
    struct facets *facets = facets_of(shell);
    reset(facets);
    edit_clear(&facets->other);
}

static bool open_facets(struct shell *shell, const void *argument, struct effects *effects) {
    struct facets *facets = facets_of(shell);
    (void)argument;
    (void)effects;
    reset(facets);
    facets_fill(shell);
    facets->typing = false;
    picker_init(&facets->picker, "Filter by the service: Space chooses, Enter applies", facets->choices.items,
                facets->choices.n, true);
    return true;
}

/* Only one flow type: choosing one clears the other. */
static void keep_one_type(struct facets *facets, const char *before) {
    size_t checked = 0;
    for (size_t i = 0; i < facets->choices.n; i++)
        checked += facets->choices.items[i].group == GROUP_TYPE && facets->choices.items[i].checked;
    if (checked > 1 && before)
        find_choice(facets, GROUP_TYPE, before)->checked = false;
}

static const char *checked_type(const struct facets *facets) {
    for (size_t i = 0; i < facets->choices.n; i++)
        if (facets->choices.items[i].group == GROUP_TYPE && facets->choices.items[i].checked)
            return facets->choices.items[i].label;
    return NULL;
}

static void facets_apply(struct shell *shell, struct effects *effects) {
    struct facets *facets = facets_of(shell);
    struct server_filter filter = {0};
    for (size_t i = 0; i < facets->choices.n; i++) {
        const struct choice *choice = &facets->choices.items[i];
        if (choice->checked && choice->group == GROUP_STATUS)
            server_filter_add_status(&filter, choice->label);
        else if (choice->checked)
            server_filter_set_type(&filter, choice->label);
    }
    filter.after = mem_dup(intents_server_filter(shell)->after);
    filter.before = mem_dup(intents_server_filter(shell)->before);
    shell_close(shell);
    if (!server_filter_equal(&filter, intents_server_filter(shell)))
        intents_set_filter(shell, &filter, effects);
    server_filter_clear(&filter);
}

static void open_other(struct shell *shell) {
    struct facets *facets = facets_of(shell);
    find_choice(facets, GROUP_STATUS, LABEL_OTHER)->checked = false;
    edit_clear(&facets->other);
    edit_init(&facets->other, OTHER_MAX);
    facets->typing = true;
}

static void take_other(struct shell *shell) {
    struct facets *facets = facets_of(shell);
    facets->typing = false;
    if (facets->other.text.len == 0)
        return;
    size_t cursor = facets->picker.cursor;
    add_choice(facets, GROUP_STATUS, facets->other.text.s, ROLE_UNKNOWN)->checked = true;
    picker_clear(&facets->picker);
    picker_init(&facets->picker, "Filter by the service: Space chooses, Enter applies", facets->choices.items,
                facets->choices.n, true);
    facets->picker.cursor = cursor;
}

static void facets_other_key(struct shell *shell, int32_t key) {
    if (key == INPUT_ENTER)
        take_other(shell);
    else if (key == INPUT_ESCAPE || key == KEY_CTRL('C'))
        facets_of(shell)->typing = false;
    else
        (void)shell_edit_key(shell, &facets_of(shell)->other, key);
}

static void facets_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct facets *facets = facets_of(shell);
    if (facets->typing) {
        facets_other_key(shell, key);
        return;
    }
    const char *before = checked_type(facets);
    enum dialog_result result = picker_key(&facets->picker, key);
    keep_one_type(facets, before);
    const struct choice *other = find_choice(facets, GROUP_STATUS, LABEL_OTHER);
    if (other && other->checked)
        open_other(shell);
    else if (result == DIALOG_DONE)
        facets_apply(shell, effects);
    else if (result == DIALOG_CANCELLED || (result == DIALOG_IGNORED && (key == 'q' || key == KEY_CTRL('C'))))
        shell_close(shell);
    else if (result == DIALOG_IGNORED && key == 'Q')
        shell_leave(shell, effects);
}

static bool facets_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct facets *facets = facets_of(shell);
    (void)effects;
    if (facets->typing)
        (void)shell_paste_into(shell, &facets->other, text);
    return facets->typing;
}

static void facets_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    struct facets *facets = facets_of(shell);
    if (!facets->typing) {
        picker_draw(&facets->picker, canvas, within);
        return;
    }
    struct rect box = dialog_box(canvas, within, 5, 60, "Another status: exactly as the service writes it", ROLE_TITLE);
    canvas_text(canvas, box, 1, 0, ROLE_DIM, "Enter adds it, Esc goes back");
    edit_draw(&facets->other, canvas, rect_take_rows(&box, 1), ROLE_FIELD, true);
}

const struct pane facets_overlay = {.size = sizeof(struct facets),
                                    .clear = facets_clear,
                                    .open = open_facets,
                                    .draw = facets_draw,
                                    .every_key = facets_every_key,
                                    .paste = facets_paste};
