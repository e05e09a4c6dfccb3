#include "panes/shell/shell_state.h"

#include "ui/table.h"

/* The mouse is off until asked for: while the console uses it, the terminal selects no text. A click selects a row and
 * never acts. */

enum { BUTTON_LEFT = 1, WHEEL_UP = 4, WHEEL_DOWN = 5, WHEEL_ROWS = 3 };

void mouse_toggle(struct shell *shell, struct effects *effects) {
    shell->mouse = !shell->mouse;
    effects_add(effects, shell->mouse ? EFFECT_MOUSE_ON : EFFECT_MOUSE_OFF);
    shell_message(shell, ROLE_INFO, "mouse %s%s%s", shell->mouse ? "on; to select text: " : "off, ",
                  shell_key_of(shell, ACTION_MOUSE), shell->mouse ? ", or hold Shift" : " turns it on");
}

static void wheel(struct shell *shell, bool down, struct effects *effects) {
    for (int i = 0; i < WHEEL_ROWS; i++)
        if (shell_overlay(shell))
            shell_overlay(shell)->every_key(shell, down ? INPUT_DOWN : INPUT_UP, effects);
        else
            (void)shell_act(shell, down ? ACTION_DOWN : ACTION_UP, effects);
}

static const struct table *table_of(const struct shell *shell) {
    const struct pane *pane = shell_pane(shell);
    return pane->table ? pane->table(shell) : NULL;
}

/* Moves step by step, as keys would, so that the ends of the list and what follows the cursor behave the same. */
static void click(struct shell *shell, const struct input *input, struct effects *effects) {
    const struct table *table = table_of(shell);
    int line = table ? input->row - table->body_row : -1;
    bool inside = table && input->col >= table->body_col && input->col < table->body_col + table->body_cols;
    if (line < 0 || line >= table->visible_rows || !inside)
        return;
    long steps = (long)(table->top + (size_t)line) - (long)table->cursor;
    for (; steps != 0; steps += steps > 0 ? -1 : 1)
        (void)shell_act(shell, steps > 0 ? ACTION_DOWN : ACTION_UP, effects);
}

void mouse_input(struct shell *shell, const struct input *input, struct effects *effects) {
    const struct pane *overlay = shell_overlay(shell);
    if (!shell->mouse || (overlay && overlay->types))
        return;
    if (input->button == WHEEL_UP || input->button == WHEEL_DOWN)
        wheel(shell, input->button == WHEEL_DOWN, effects);
    else if (input->button == BUTTON_LEFT && !overlay)
        click(shell, input, effects);
    shell->dirty = true;
}
