#include "panes/shell/state.h"

/* Where a key, a paste and the mouse go: to what lies over the pane, to the pane, to an action. */

static int find_action(const struct shell *shell, int32_t key) {
    const struct pane *current = pane(shell->pane);
    for (size_t i = 0; i < COUNT_OF(current->views) && current->views[i]; i++) {
        int action = keymap_find(shell->keymap, current->views[i], key);
        if (action >= 0) {
            return action;
        }
    }
    return keymap_find(shell->keymap, "global", key);
}

/* A screen too small to show anything takes only what leaves or cancels. */
static bool is_allowed(const struct shell *shell, int action) {
    return !shell_is_too_small(shell) || action == ACTION_QUIT || action == ACTION_CLOSE || action == ACTION_CANCEL ||
           action == ACTION_SUSPEND || action == ACTION_REDRAW || action == ACTION_BACK;
}

static bool detail_key(struct shell *shell, int32_t key) {
    struct intents *intents = &shell->intents;
    bool in_detail = shell->pane == PANE_INTENTS && (intents->detail_focused || intents->place == DETAIL_FULL);
    return in_detail && pager_key(&intents->detail.pager, key) != DIALOG_IGNORED;
}

static void main_key(struct shell *shell, int32_t key, struct effects *effects) {
    int action = find_action(shell, key);
    if (action != ACTION_CANCEL) {
        shell->cancel_at = CLOCK_NONE;
    }
    shell->leaving = shell->leaving && action == ACTION_QUIT;
    shell->dirty = true;
    if (action >= 0 && !is_allowed(shell, action)) {
        return;
    }
    if (action == ACTION_QUIT) {
        shell_leave_by(shell, key, effects);
    } else if (action < 0 && input_is_text(key) && key != ' ' && shell_field_is_marked(shell)) {
        shell_type(shell, key, effects);
    } else if (!(action >= 0 && shell_act(shell, action, effects)) && !detail_key(shell, key) &&
               !shell_is_too_small(shell)) {
        shell_unbound(shell, key);
    }
    shell->dirty = true;
}

/* Text being typed into the detail's search is text, whatever the key map says. */
static bool searching_key(struct shell *shell, int32_t key) {
    struct pager *pager = &shell->intents.detail.pager;
    if (shell->pane != PANE_INTENTS || !pager->searching) {
        return false;
    }
    (void)pager_key(pager, key);
    shell->dirty = true;
    return true;
}

/* What is about the terminal and not about what stands on it holds in every field and window. */
static bool terminal_key(struct shell *shell, int32_t key, struct effects *effects) {
    int action = input_is_text(key) ? -1 : keymap_find(shell->keymap, "global", key);
    return (action == ACTION_REDRAW || action == ACTION_SUSPEND) && shell_act(shell, action, effects);
}

/* A complaint outlives keys that were typed ahead; one that stood there for a while gives the keys' names their row
 * back. So does what was said before there was a screen. */
static bool was_read(const struct shell *shell) {
    bool info = shell->message.role == ROLE_INFO;
    bool old = !shell->message.of_link && shell->now - shell->message.at >= SHELL_READING;
    return shell->message.text && (info || old);
}

/* Nothing of it goes anywhere: one letter fewer in a name is a wrong name. */
static void say_fault(struct shell *shell, enum input_fault fault, bool pasted) {
    struct str why;
    str_init(&why, ERROR_TEXT_MAX);
    input_fault_words(fault, pasted, &why);
    if (shell->overlay == OVERLAY_PROMPT) { /* it stands where messages do */
        prompt_fault(shell, why.s);
    } else {
        shell_message(shell, ROLE_WARN, "%s", why.s);
        shell->message.held = true;
    }
    shell->dirty = true;
    str_clear(&why);
}

static void shell_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (key == INPUT_UNREADABLE) {
        say_fault(shell, INPUT_FAULT_ENCODING, false);
        return;
    }
    if (key == INPUT_ALT) {
        shell_message(shell, ROLE_INFO, "keys with Alt do nothing here; %s lists the keys",
                      shell_key_of(shell, ACTION_HELP));
        shell->dirty = true;
        return;
    }
    if (terminal_key(shell, key, effects)) {
        return;
    }
    if (was_read(shell)) {
        shell_message_clear(shell);
    }
    if (shell->overlay != OVERLAY_NONE && !shell_is_too_small(shell)) {
        overlay(shell->overlay)->key(shell, key, effects);
        shell->dirty = true;
        return;
    }
    if (!shell_is_too_small(shell) && pane(shell->pane)->key && pane(shell->pane)->key(shell, key, effects)) {
        shell->dirty = true;
    } else if (!searching_key(shell, key)) {
        main_key(shell, key, effects);
    }
}

static void shell_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct pager *pager = &shell->intents.detail.pager;
    if (overlay(shell->overlay)->paste) {
        overlay(shell->overlay)->paste(shell, text, effects);
    } else if (shell->pane == PANE_INTENTS && shell->overlay == OVERLAY_NONE && pager->searching) {
        (void)shell_paste_into(shell, &pager->search, text);
    } else if (shell->overlay != OVERLAY_NONE || !pane(shell->pane)->paste ||
               !pane(shell->pane)->paste(shell, text, effects)) {
        shell_message(shell, ROLE_WARN, "pasted text was ignored: nothing is being edited");
    }
    shell->dirty = true;
}

/* A row whose text lost a character can still be looked for. */
static bool is_refused(const struct shell *shell, const struct input *input) {
    return input->fault == INPUT_FAULT_ENCODING ||
           (input->fault == INPUT_FAULT_LOST && shell->overlay != OVERLAY_PROMPT);
}

void shell_input(struct shell *shell, struct input *input, int64_t now, struct effects *effects) {
    shell->now = now;
    if (input->kind == INPUT_KEY) {
        shell_key(shell, input->key, effects);
    } else if (input->kind == INPUT_PASTE && is_refused(shell, input)) {
        say_fault(shell, input->fault, true);
    } else if (input->kind == INPUT_PASTE) {
        shell_paste(shell, input->paste, effects);
    } else if (input->kind == INPUT_MOUSE) {
        mouse_input(shell, input, effects);
    }
    export_follow(shell, effects);
    views_follow(shell, effects);
    intents_live(shell, effects);
}
