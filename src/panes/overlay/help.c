#include "panes/shell/state.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void add_line(struct help *help, const char *label, const char *text, enum role role) {
    struct text_line *line = vec_add(&help->lines);
    *line = (struct text_line){.label = label ? arena_dup_n(&help->arena, label, strlen(label)) : NULL,
                               .text = arena_dup_n(&help->arena, text, strlen(text)),
                               .role = role};
}

static void add_view(struct shell *shell, const char *view, const char *title) {
    size_t n;
    const struct action *table = keymap_actions(shell_keymap(shell), &n);
    struct str keys;
    str_init(&keys, 256);
    add_line(&shell->help, NULL, title, ROLE_HEADER);
    for (size_t i = 0; i < n; i++) {
        str_reset(&keys);
        keymap_keys(shell_keymap(shell), table[i].id, &keys);
        if (str_equal(table[i].view, view) && keys.len > 0) {
            add_line(&shell->help, keys.s, table[i].help, ROLE_TEXT);
        }
    }
    add_line(&shell->help, NULL, "", ROLE_TEXT);
    str_clear(&keys);
}

static void add_sign(struct shell *shell, const char *sign, const char *meaning) {
    add_line(&shell->help, sign, meaning, ROLE_TEXT);
}

/* Names of words too long for their column, as the list last drew them. */
static void add_names(struct shell *shell) {
    enum { NAMES_MOST = 200 };
    struct help *help = &shell->help;
    size_t told = 0;
    for (int column = 0; column < COLUMN_COUNT; column++) {
        const struct labels *labels = &shell->intents.labels[column];
        bool shown = shell->intents.table.widths[column] > 0 && column_info(column)->query != QUERY_FIELD_COUNT;
        for (size_t i = 0; shown && i < labels->n && told < NAMES_MOST; i++) {
            struct str text;
            str_init(&text, 1 << 16);
            str_addf(&text, "%s: %s", column_info(column)->name, labels->items[i].value);
            if (told++ == 0) {
                add_line(help, NULL, "Cut in the list", ROLE_HEADER);
            }
            add_line(help, labels->items[i].name, text.s, ROLE_TEXT);
            str_clear(&text);
        }
    }
    if (told > 0) {
        add_line(help, NULL, "", ROLE_TEXT);
    }
}

static void add_signs(struct shell *shell) {
    bool intents = shell_is_on(shell, PANE_INTENTS);
    add_line(&shell->help, NULL, intents ? "Signs of the list and the detail" : "Signs", ROLE_HEADER);
    if (intents) {
        signs_list(shell, false, add_sign);
    }
    signs_list(shell, true, add_sign);
    add_line(&shell->help, NULL, "", ROLE_TEXT);
    if (intents) {
        add_names(shell);
    }
}

void help_open(struct shell *shell) {
    struct help *help = &shell->help;
    const struct pane *current = pane(shell->pane);
    arena_clear(&help->arena);
    help->lines.n = 0;
    for (size_t i = 0; i < COUNT_OF(current->views) && current->views[i]; i++) {
        size_t before = help->lines.n;
        add_view(shell, current->views[i], shell_view_title(shell, current->views[i]));
        if (help->lines.n == before + 2) {
            help->lines.n = before;
        }
    }
    add_view(shell, "global", shell_view_title(shell, "global"));
    add_signs(shell);
    add_line(help, "/ n N", "Search in a text such as this one: forward, next, previous", ROLE_TEXT);
    pager_set(&help->pager, help->lines.items, help->lines.n, false);
    shell->overlay = OVERLAY_HELP;
}

void help_clear(struct help *help) {
    pager_clear(&help->pager);
    arena_clear(&help->arena);
    free(help->lines.items);
}

void help_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    enum { HELP_COLS = 76 };
    struct rect box =
        dialog_box(canvas, within, (int)shell->help.lines.n + 2, HELP_COLS, "Keys: / searches, Esc closes", ROLE_TITLE);
    pager_draw(&shell->help.pager, canvas, box, true);
}

void help_key(struct shell *shell, int32_t key, struct effects *effects) {
    bool searching = shell->help.pager.searching;
    enum dialog_result result = pager_key(&shell->help.pager, key);
    int action = searching ? -1 : keymap_find(shell_keymap(shell), "global", key);
    if (result == DIALOG_DONE || result == DIALOG_CANCELLED || (result == DIALOG_IGNORED && action == ACTION_HELP)) {
        shell_close(shell);
    } else if (result == DIALOG_IGNORED && action == ACTION_QUIT) {
        shell_close(shell);
        shell_leave(shell, effects);
    } else if (result == DIALOG_IGNORED) {
        shell_unbound(shell, key);
    }
}
