#include "panes/shell/state.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The command palette: every action that this pane knows, found by a few letters, with the key that would do; and the
 * saved views, as `@name`. */

void palette_clear(struct palette *palette) {
    picker_clear(&palette->picker);
    arena_clear(&palette->arena);
    free(palette->choices.items);
    *palette = (struct palette){0};
}

static void add_action(struct shell *shell, const struct action *action, const char *group) {
    struct palette *palette = &shell->palette;
    struct choice *choice = vec_add(&palette->choices);
    struct str keys;
    str_init(&keys, 256);
    keymap_keys(shell_keymap(shell), action->id, &keys);
    *choice = (struct choice){.label = action->name,
                              .text = action->help,
                              .group = group,
                              .note = arena_dup_n(&palette->arena, keys.s, keys.len),
                              .role = ROLE_TEXT};
    str_clear(&keys);
}

static void add_view(struct shell *shell, const char *view, const char *group) {
    size_t n;
    const struct action *table = keymap_actions(shell_keymap(shell), &n);
    for (size_t i = 0; i < n; i++) {
        if (str_equal(table[i].view, view) && table[i].id != ACTION_PALETTE) {
            add_action(shell, &table[i], group);
        }
    }
}

static void add_saved(struct shell *shell) {
    struct palette *palette = &shell->palette;
    const struct saved_views *saved = &shell->intents.view.saved;
    for (size_t i = 0; i < saved->n; i++) {
        struct str label;
        str_init(&label, SAVED_NAME_MAX + 2);
        str_addf(&label, "@%s", saved->items[i].name);
        const char *filter = saved->items[i].filter;
        *vec_add(&palette->choices) =
            (struct choice){.label = arena_dup_n(&palette->arena, label.s, label.len),
                            .text = *filter ? arena_dup_n(&palette->arena, filter, strlen(filter)) : "no filter",
                            .group = "Saved views",
                            .role = ROLE_TEXT};
        str_clear(&label);
    }
}

void palette_open(struct shell *shell) {
    struct palette *palette = &shell->palette;
    const struct pane *current = pane(shell->pane);
    palette_clear(palette);
    for (size_t i = 0; i < COUNT_OF(current->views) && current->views[i]; i++) {
        add_view(shell, current->views[i], shell_view_title(shell, current->views[i]));
    }
    add_view(shell, "global", shell_view_title(shell, "global"));
    if (shell_is_on(shell, PANE_INTENTS)) {
        add_saved(shell);
    }
    picker_init(&palette->picker, "Commands", palette->choices.items, palette->choices.n, false);
    palette->picker.fuzzy = true;
    shell->overlay = OVERLAY_PALETTE;
}

static int find_action(const struct shell *shell, const char *name) {
    size_t n;
    const struct action *table = keymap_actions(shell_keymap(shell), &n);
    for (size_t i = 0; i < n; i++) {
        if (table[i].name == name) {
            return table[i].id;
        }
    }
    return -1;
}

static void choose(struct shell *shell, struct effects *effects) {
    const char *label = shell->palette.choices.items[shell->palette.picker.cursor].label;
    shell_close(shell);
    if (*label == '@') {
        views_show(shell, label + 1, effects);
    } else if (!shell_act(shell, find_action(shell, label), effects)) {
        shell_message(shell, ROLE_INFO, "%s does nothing here", label);
    }
}

void palette_key(struct shell *shell, int32_t key, struct effects *effects) {
    enum dialog_result result = picker_key(&shell->palette.picker, key);
    if (result == DIALOG_DONE) {
        choose(shell, effects);
    } else if (result == DIALOG_CANCELLED) {
        shell_close(shell);
    } else if (result == DIALOG_IGNORED) {
        shell_unbound(shell, key);
    }
}

void palette_paste(struct shell *shell, const char *text, struct effects *effects) {
    (void)effects;
    if (picker_paste(&shell->palette.picker, text) == EDIT_REFUSED) {
        shell_paste_refused(shell, &shell->palette.picker.narrow, text);
    }
}

void palette_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    picker_draw(&shell->palette.picker, canvas, within);
}
