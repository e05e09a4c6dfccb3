#include "panes/shell/state.h"

#include "app/copy.h"

/* What is told to no pane: token, theme, cache, the clipboard. */

static void take_token(struct shell *shell, const struct event *event, struct effects *effects) {
    struct browse *browse = &shell->intents.browse;
    bool denied = browse->link == BROWSE_DENIED;
    if (event->text) {
        shell_message(shell, ROLE_ERROR, "%s", event->text);
    } else {
        shell_message(shell, ROLE_INFO,
                      event->changed ? "the token was read again" : "the token is the same as before");
    }
    if (event->changed && denied && shell->pane == PANE_INTENTS) {
        browse_refresh(browse, effects);
    }
}

static void take_theme(struct shell *shell, const char *fault) {
    if (fault) {
        shell_message(shell, ROLE_WARN, "the theme stays as it was: %s", fault);
    } else {
        shell_message(shell, ROLE_INFO, "the theme was read again");
    }
    shell->dirty = true;
}

static void take_cache_state(struct shell *shell, const struct event *event, struct effects *effects) {
    browse_use_cache(&shell->intents.browse, event->state == CACHE_STATE_READY);
    view_use_cache(&shell->intents.view, event->state == CACHE_STATE_READY, effects);
    if (event->text) {
        shell_message(shell, ROLE_WARN, "%s", event->text);
    }
    struct browse *browse = &shell->intents.browse;
    if (event->state == CACHE_STATE_ASK) {
        ask_cache(shell);
    } else if (event->state == CACHE_STATE_READY && browse->n == 0 && !browse_is_busy(browse) &&
               browse->retry_at == CLOCK_NONE) {
        browse_start(browse, effects); /* what the cache holds was not to be had until now */
    }
}

static void take_copied(struct shell *shell, const struct copied *copied) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    copied_tell(copied, &text);
    shell_message(shell, copied->way == COPY_NOWHERE || copied->through ? ROLE_WARN : ROLE_INFO, "%s", text.s);
    str_clear(&text);
}

void told_event(struct shell *shell, const struct event *event, struct effects *effects) {
    if (event->kind == EVENT_TOKEN) {
        take_token(shell, event, effects);
    } else if (event->kind == EVENT_THEME) {
        take_theme(shell, event->text);
    } else if (event->kind == EVENT_HISTORY) {
        prompt_take_history(&shell->prompt, event->text);
    } else if (event->kind == EVENT_CACHE_STATE) {
        take_cache_state(shell, event, effects);
    } else if (event->kind == EVENT_COPIED) {
        take_copied(shell, event->copied);
    }
}
