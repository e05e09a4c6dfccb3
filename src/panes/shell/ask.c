#include "panes/shell/ask.h"

#include "panes/shell/review.h"
#include "panes/shell/shell_state.h"

struct asking {
    struct ask ask;
    struct review moment; /* of one that acts: when it can be answered */
};

static struct asking *asking_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_ASK);
}

static struct ask *shell_ask_of(const struct shell *shell) {
    return &asking_of(shell)->ask;
}

static void ask_init(struct shell *shell) {
    review_init(&asking_of(shell)->moment);
}

static void ask_clear(struct shell *shell) {
    review_clear(&asking_of(shell)->moment);
}

static struct review *ask_moment(struct shell *shell) {
    bool waits = shell_shows(shell, OVERLAY_ASK) && shell_ask_of(shell)->acts;
    return waits ? &asking_of(shell)->moment : NULL;
}

void ask_open(struct shell *shell, const struct ask *ask) {
    *shell_ask_of(shell) = *ask;
    review_open(shell, &asking_of(shell)->moment, "");
    shell_put(shell, OVERLAY_ASK);
}

static void ask_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    review_drawn(shell, &asking_of(shell)->moment);
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
    struct review *moment = ask_moment(shell);
    bool leaves = key == INPUT_ESCAPE || key == KEY_CTRL('C');
    if (moment && !leaves && !review_is_awake(shell, moment)) {
        review_stray(shell, moment);
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
                                 .init = ask_init,
                                 .clear = ask_clear,
                                 .draw = ask_draw,
                                 .every_key = ask_every_key,
                                 .review = ask_moment,
                                 .resized = resized};
