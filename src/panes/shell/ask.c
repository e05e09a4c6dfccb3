#include "panes/shell/ask.h"

#include "panes/shell/calm.h"
#include "panes/shell/shell_state.h"

struct asking {
    struct ask ask;
    struct calm calm; /* of one that acts */
};

static struct asking *asking_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_ASK);
}

static struct ask *shell_ask_of(const struct shell *shell) {
    return &asking_of(shell)->ask;
}

static struct calm *ask_calm(struct shell *shell) {
    bool acts = shell_shows(shell, OVERLAY_ASK) && shell_ask_of(shell)->acts;
    return acts ? &asking_of(shell)->calm : NULL;
}

void ask_open(struct shell *shell, const struct ask *ask) {
    *shell_ask_of(shell) = *ask;
    calm_begin(shell, &asking_of(shell)->calm);
    shell_put(shell, OVERLAY_ASK);
}

static void ask_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    calm_drawn(shell, &asking_of(shell)->calm);
    confirm_draw(&shell_ask_of(shell)->confirm, canvas, within);
}

static void close_with(struct shell *shell, int button, struct effects *effects) {
    shell_close(shell);
    shell_ask_of(shell)->answered(shell, button, effects);
}

bool ask_fits(const struct shell *shell, const struct confirm *confirm) {
    return confirm_fits(confirm, rect_inset((struct rect){0, 0, shell_rows(shell), shell_cols(shell)}, 1, 0, 1, 0));
}

/* A question that no longer fits on the screen is closed, never answered. */
static void resized(struct shell *shell, struct effects *effects) {
    if (shell_shows(shell, OVERLAY_ASK) && !ask_fits(shell, &shell_ask_of(shell)->confirm))
        close_with(shell, -1, effects);
}

static void ask_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (shell_ask_of(shell)->letter && input_is_text(key)) {
        int32_t letter = shell_ask_of(shell)->letter;
        close_with(shell, -1, effects);
        shell_type(shell, letter, effects);
        shell_type(shell, key, effects);
        return;
    }
    struct calm *calm = ask_calm(shell);
    bool leaves = key == INPUT_ESCAPE || key == KEY_CTRL('C');
    if (calm && !leaves && !calm_is_over(shell, calm)) {
        calm_stray(shell, calm);
        return;
    }
    enum dialog_result result = confirm_key(&shell_ask_of(shell)->confirm, key);
    if (result == DIALOG_DONE || result == DIALOG_CANCELLED || key == KEY_CTRL('C'))
        close_with(shell, result == DIALOG_DONE ? shell_ask_of(shell)->confirm.selected : -1, effects);
}

bool ask_is_untouched(const struct shell *shell) {
    return shell_shows(shell, OVERLAY_ASK) && shell_ask_of(shell)->letter && shell_ask_of(shell)->confirm.selected == 0;
}

const struct pane ask_overlay = {.size = sizeof(struct asking),
                                 .types = true,
                                 .draw = ask_draw,
                                 .every_key = ask_every_key,
                                 .calm = ask_calm,
                                 .resized = resized};
