#include "panes/shell/menu.h"

#include "base/mem.h"
#include "ui/dialog.h"

#include <stdlib.h>
#include <string.h>

struct menu {
    const char *title;
    struct picker picker;
    struct choices choices;
    menu_chosen_fn *chosen;
    enum pane_id back;
};

static struct menu *menu_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_MENU);
}

static void menu_clear(struct shell *shell) {
    struct menu *menu = menu_of(shell);
    picker_clear(&menu->picker);
    choices_clear(&menu->choices);
    *menu = (struct menu){0};
}

void menu_begin(struct shell *shell, const char *title, menu_chosen_fn *chosen) {
    struct menu *menu = menu_of(shell);
    menu_clear(shell);
    menu->title = title;
    menu->chosen = chosen;
}

void menu_add(struct shell *shell, const char *label, const char *note) {
    struct menu *menu = menu_of(shell);
    struct choice *choice = vec_add(&menu->choices);
    *choice = (struct choice){.label = arena_dup_n(&menu->choices.arena, label, strlen(label)),
                              .note = note ? arena_dup_n(&menu->choices.arena, note, strlen(note)) : NULL,
                              .role = ROLE_TEXT};
}

void menu_open_over(struct shell *shell, enum pane_id back) {
    struct menu *menu = menu_of(shell);
    menu->back = back;
    picker_init(&menu->picker, menu->title, menu->choices.items, menu->choices.n, false);
    shell_put(shell, OVERLAY_MENU);
}

void menu_open(struct shell *shell) {
    menu_open_over(shell, OVERLAY_NONE);
}

static void menu_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    picker_draw(&menu_of(shell)->picker, canvas, within);
}

static void menu_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct menu *menu = menu_of(shell);
    enum dialog_result result = picker_key(&menu->picker, key);
    if (result == DIALOG_DONE) {
        shell_close(shell);
        menu->chosen(shell, menu->picker.cursor, effects);
    } else if (result == DIALOG_CANCELLED || (result == DIALOG_IGNORED && (key == 'q' || key == KEY_CTRL('C')))) {
        shell_put(shell, menu->back);
    }
}

const struct pane menu_overlay = {
    .size = sizeof(struct menu), .clear = menu_clear, .draw = menu_draw, .every_key = menu_every_key};
