#include "panes/shell/state.h"

#include "base/mem.h"

void ask_open(struct shell *shell, const struct ask *ask) {
    shell->ask = *ask;
    shell->overlay = OVERLAY_ASK;
    shell_redraw(shell);
}

void ask_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    confirm_draw(&shell->ask.confirm, canvas, within);
}

static void close_with(struct shell *shell, int button, struct effects *effects) {
    shell_close(shell);
    shell->ask.answered(shell, button, effects);
}

void ask_resized(struct shell *shell, struct effects *effects) {
    struct rect within = rect_inset((struct rect){0, 0, shell_rows(shell), shell_cols(shell)}, 1, 0, 1, 0);
    if (!confirm_fits(&shell->ask.confirm, within)) {
        close_with(shell, -1, effects);
    }
}

void ask_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (shell->ask.letter && input_is_text(key)) {
        int32_t letter = shell->ask.letter;
        close_with(shell, -1, effects);
        shell_type(shell, letter, effects);
        shell_type(shell, key, effects);
        return;
    }
    enum dialog_result result = confirm_key(&shell->ask.confirm, key);
    if (result == DIALOG_DONE || result == DIALOG_CANCELLED || key == KEY_CTRL('C')) {
        close_with(shell, result == DIALOG_DONE ? shell->ask.confirm.selected : -1, effects);
    }
}

enum { KEEP_OUT, SAME_ACCOUNT };

static void cache_answered(struct shell *shell, int button, struct effects *effects) {
    if (button == SAME_ACCOUNT) {
        effects_add(effects, EFFECT_CACHE_ACCEPT);
    } else {
        shell_message(shell, ROLE_INFO, "the cache is left alone; nothing is cached in this session");
    }
}

void ask_cache(struct shell *shell) {
    static const char *const BUTTONS[] = {"no, leave the cache alone", "yes, the same account"};
    struct ask ask = {
        .confirm = {.title = "Another token",
                    .text = "The cache of this profile was written with another token.\n"
                            "Does the token of today belong to the same account?\n"
                            "(bursar cache purge empties it.)",
                    .buttons = BUTTONS,
                    .n_buttons = (int)COUNT_OF(BUTTONS),
                    .selected = KEEP_OUT,
                    .role = ROLE_WARN},
        .answered = cache_answered,
    };
    ask_open(shell, &ask);
}
