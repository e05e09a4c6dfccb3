#include "panes/shell/shell_state.h"

#include "ui/keymap.h"

/* Where a key, a paste and the mouse go: to the overlay over the pane, to the pane, or to an action. */

static int shell_input_find_action(const struct shell *shell, int32_t key) {
    const struct pane *current = shell_pane(shell);
    for (size_t i = 0; i < COUNT_OF(current->sections) && current->sections[i]; i++) {
        int action = keymap_find(shell->keymap, current->sections[i], key);
        if (action >= 0)
            return action;
    }
    return keymap_find(shell->keymap, "global", key);
}

/* A screen too small to show anything takes only keys that leave or cancel. */
static bool is_allowed(const struct shell *shell, int action) {
    return !shell_is_too_small(shell) || action == ACTION_QUIT || action == ACTION_CLOSE || action == ACTION_CANCEL ||
           action == ACTION_SUSPEND || action == ACTION_REDRAW || action == ACTION_BACK;
}

static bool shell_input_other_key(struct shell *shell, int32_t key) {
    const struct pane *pane = shell_pane(shell);
    return pane->other_key && pane->other_key(shell, key);
}

static void main_key(struct shell *shell, int32_t key, struct effects *effects) {
    int action = shell_input_find_action(shell, key);
    bool letter = input_is_text(key) && key != ' ' && shell_field_is_marked(shell);
    if (action != ACTION_CANCEL)
        shell->cancel_at = CLOCK_NONE;
    shell->leaving = shell->leaving && action == ACTION_QUIT;
    shell->dirty = true;
    if (action >= 0 && !is_allowed(shell, action))
        return;
    if (action == ACTION_QUIT)
        shell_leave_by(shell, key, effects);
    else if (action < 0 && letter)
        shell_type(shell, key, effects);
    else if (!(action >= 0 && shell_act(shell, action, effects)) && !shell_input_other_key(shell, key) &&
             !shell_is_too_small(shell))
        shell_unbound(shell, key);
    if (action >= 0 && action != ACTION_QUIT) /* whose question takes what is typed on */
        shell_word_begins(shell, letter ? key : 0);
    shell->dirty = true;
}

static bool shell_input_search_key(struct shell *shell, int32_t key) {
    const struct pane *pane = shell_pane(shell);
    bool searches = pane->search_key && pane->search_key(shell, key);
    shell->dirty = shell->dirty || searches;
    return searches;
}

/* Keys about the terminal, not about what is on it, work in every field and window. */
static bool terminal_key(struct shell *shell, int32_t key, struct effects *effects) {
    int action = input_is_text(key) ? -1 : keymap_find(shell->keymap, "global", key);
    return (action == ACTION_REDRAW || action == ACTION_SUSPEND) && shell_act(shell, action, effects);
}

/* Whether a message was on show long enough to be read. An error stays while keys come that were typed ahead of it;
 * later it gives its row back to the hints. So does a message from before there was a screen. */
static bool was_read(const struct shell *shell) {
    bool info = shell->message.role == ROLE_INFO;
    bool old = !shell->message.of_link && shell->now - shell->message.at >= SHELL_READING;
    return shell->message.text && (info || old);
}

/* Nothing of an unreadable paste goes anywhere: one missing letter makes another name. */
static void shell_input_say_fault(struct shell *shell, enum input_fault fault, bool pasted) {
    struct str why;
    str_init(&why, ERROR_TEXT_MAX);
    input_fault_words(fault, pasted, &why);
    const struct pane *overlay = shell_overlay(shell);
    if (overlay && overlay->fault) { /* shown where its messages are */
        overlay->fault(shell, why.s);
    } else {
        shell_message(shell, ROLE_WARN, "%s", why.s);
        shell->message.held = true;
    }
    shell->dirty = true;
    str_clear(&why);
}

static void shell_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (key == INPUT_UNREADABLE) {
        shell_input_say_fault(shell, INPUT_FAULT_ENCODING, false);
        return;
    }
    if (key == INPUT_ALT) {
        shell_message(shell, ROLE_INFO, "keys with Alt do nothing here; %s lists the keys",
                      shell_key_of(shell, ACTION_HELP));
        shell->dirty = true;
        return;
    }
    if (terminal_key(shell, key, effects))
        return;
    if (was_read(shell))
        shell_message_clear(shell);
    if (shell_overlay(shell) && !shell_is_too_small(shell)) {
        shell_overlay(shell)->every_key(shell, key, effects);
        shell->dirty = true;
        return;
    }
    if (!shell_is_too_small(shell) && shell_pane(shell)->key && shell_pane(shell)->key(shell, key, effects))
        shell->dirty = true;
    else if (!shell_input_search_key(shell, key))
        main_key(shell, key, effects);
}

static void shell_paste(struct shell *shell, const char *text, struct effects *effects) {
    const struct pane *to = shell_overlay(shell) ? shell_overlay(shell) : shell_pane(shell);
    if (!to->paste || !to->paste(shell, text, effects))
        shell_message(shell, ROLE_WARN, "pasted text was ignored: nothing is being edited");
    shell->dirty = true;
}

/* Text that lost a character, or that a program coloured, can still be searched for. */
static bool is_refused(const struct shell *shell, const struct input *input) {
    const struct pane *overlay = shell_overlay(shell);
    bool searched = overlay && overlay->fault && input->fault != INPUT_FAULT_ENCODING;
    return input->fault != INPUT_FAULT_NONE && !searched;
}

void shell_input(struct shell *shell, struct input *input, int64_t now, struct effects *effects) {
    shell->now = now;
    if (input->kind == INPUT_KEY)
        shell_key(shell, input->key, effects);
    else if (input->kind == INPUT_PASTE && is_refused(shell, input))
        shell_input_say_fault(shell, input->fault, true);
    else if (input->kind == INPUT_PASTE)
        shell_paste(shell, input->paste, effects);
    else if (input->kind == INPUT_MOUSE)
        mouse_input(shell, input, effects);
    for (int id = 0; id < PANE_COUNT; id++)
        if (pane_of((enum pane_id)id)->after_key)
            pane_of((enum pane_id)id)->after_key(shell, effects);
}
