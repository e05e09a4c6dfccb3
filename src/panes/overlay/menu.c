#include "panes/shell/state.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void menu_begin(struct shell *shell, const char *title, menu_chosen_fn *chosen) {
    struct menu *menu = &shell->menu;
    menu_clear(menu);
    menu->title = title;
    menu->chosen = chosen;
}

void menu_add(struct shell *shell, const char *label, const char *note) {
    struct menu *menu = &shell->menu;
    struct choice *choice = vec_add(&menu->choices);
    *choice = (struct choice){.label = arena_dup_n(&menu->arena, label, strlen(label)),
                              .note = note ? arena_dup_n(&menu->arena, note, strlen(note)) : NULL,
                              .role = ROLE_TEXT};
}

void menu_open(struct shell *shell) {
    struct menu *menu = &shell->menu;
    picker_init(&menu->picker, menu->title, menu->choices.items, menu->choices.n, false);
    shell->overlay = OVERLAY_MENU;
    shell_redraw(shell);
}

void menu_clear(struct menu *menu) {
    picker_clear(&menu->picker);
    arena_clear(&menu->arena);
    free(menu->choices.items);
    *menu = (struct menu){0};
}

void menu_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    picker_draw(&shell->menu.picker, canvas, within);
}

void menu_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct menu *menu = &shell->menu;
    enum dialog_result result = picker_key(&menu->picker, key);
    if (result == DIALOG_DONE) {
        shell_close(shell);
        menu->chosen(shell, menu->picker.cursor, effects);
    } else if (result == DIALOG_CANCELLED || (result == DIALOG_IGNORED && (key == 'q' || key == KEY_CTRL('C')))) {
        shell_close(shell);
    }
}
