#include "base/mem.h"
#include "panes/intents/list.h"
#include "ui/dialog.h"
#include "ui/keymap.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_BYTES = 1024 };

/* The command palette: every action of this pane, found by a few letters, with its key; and the saved views, as
 * `@name`. */

struct palette {
    struct picker picker;
    struct choices choices;
};

static struct palette *palette_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_PALETTE);
}

static void palette_clear(struct shell *shell) {
    struct palette *palette = palette_of(shell);
    picker_clear(&palette->picker);
    choices_clear(&palette->choices);
    *palette = (struct palette){0};
}

static void add_action(struct shell *shell, const struct action *action, const char *group) {
    struct palette *palette = palette_of(shell);
    struct choice *choice = vec_add(&palette->choices);
    struct str keys;
    str_init(&keys, 256);
    keymap_keys(shell_keymap(shell), action->id, &keys);
    *choice = (struct choice){.label = action->name,
                              .text = action->help,
                              .also = action_words(action->id),
                              .group = group,
                              .note = arena_dup_n(&palette->choices.arena, keys.s, keys.len),
                              .role = ROLE_TEXT};
    str_clear(&keys);
}

static void palette_add_section(struct shell *shell, const char *section, const char *group) {
    size_t n;
    const struct action *table = keymap_actions(shell_keymap(shell), &n);
    for (size_t i = 0; i < n; i++)
        if (str_equal(table[i].section, section) && table[i].id != ACTION_PALETTE)
            add_action(shell, &table[i], group);
}

static void add_saved(struct shell *shell) {
    struct palette *palette = palette_of(shell);
    struct query_views views = saved_views_named(intents_saved(shell));
    const char *name, *filter;
    for (size_t i = 0; (name = views.at(views.of, i, &filter)) != NULL; i++) {
        struct str label;
        str_init(&label, LABEL_BYTES);
        str_addf(&label, "@%s", name);
        const char *text = !filter ? "cannot be used here" : *filter ? filter : "no filter";
        *vec_add(&palette->choices) = (struct choice){.label = arena_dup_n(&palette->choices.arena, label.s, label.len),
                                                      .text = arena_dup_n(&palette->choices.arena, text, strlen(text)),
                                                      .group = "Saved views",
                                                      .role = ROLE_TEXT};
        str_clear(&label);
    }
}

static bool open_palette(struct shell *shell, const void *argument, struct effects *effects) {
    (void)argument;
    (void)effects;
    struct palette *palette = palette_of(shell);
    const struct pane *current = shell_pane(shell);
    palette_clear(shell);
    for (size_t i = 0; i < COUNT_OF(current->sections) && current->sections[i]; i++)
        palette_add_section(shell, current->sections[i], shell_section_title(shell, current->sections[i]));
    palette_add_section(shell, "global", shell_section_title(shell, "global"));
    if (shell_is_on(shell, PANE_INTENTS))
        add_saved(shell);
    picker_init(&palette->picker, "Commands", palette->choices.items, palette->choices.n, false);
    palette->picker.fuzzy = true;
    return true;
}

static int palette_find_action(const struct shell *shell, const char *name) {
    size_t n;
    const struct action *table = keymap_actions(shell_keymap(shell), &n);
    for (size_t i = 0; i < n; i++)
        if (table[i].name == name)
            return table[i].id;
    return -1;
}

static void palette_choose(struct shell *shell, struct effects *effects) {
    const char *label = palette_of(shell)->choices.items[palette_of(shell)->picker.cursor].label;
    shell_close(shell);
    if (*label == '@')
        intents_show_view(shell, label + 1, effects);
    else if (!shell_act(shell, palette_find_action(shell, label), effects))
        shell_message(shell, ROLE_INFO, "%s does nothing here", label);
}

static void palette_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    enum dialog_result result = picker_key(&palette_of(shell)->picker, key);
    if (result == DIALOG_DONE)
        palette_choose(shell, effects);
    else if (result == DIALOG_CANCELLED)
        shell_close(shell);
    else if (result == DIALOG_IGNORED)
        shell_unbound(shell, key);
}

static bool palette_paste(struct shell *shell, const char *text, struct effects *effects) {
    (void)effects;
    if (picker_paste(&palette_of(shell)->picker, text) == EDIT_REFUSED)
        shell_paste_refused(shell, &palette_of(shell)->picker.narrow, text);
    return true;
}

static void palette_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    picker_draw(&palette_of(shell)->picker, canvas, within);
}

const struct pane palette_overlay = {.size = sizeof(struct palette),
                                     .clear = palette_clear,
                                     .open = open_palette,
                                     .draw = palette_draw,
                                     .every_key = palette_every_key,
                                     .paste = palette_paste};
