#include "panes/shell/shell_state.h"

#include "app/copy.h"

/* Events that belong to no pane: token, theme, the clipboard. */

static void unclaimed_take_token(struct shell *shell, const struct event *event) {
    const struct token_read *read = event_get(event, token_read);
    if (read->failure) {
        shell_message(shell, ROLE_ERROR, "%s", read->failure);
    } else {
        bool spoke = read->said && *read->said;
        shell_message(shell, spoke ? ROLE_WARN : ROLE_INFO, "%s%s%s",
                      read->changed ? "the token was read again" : "the token is the same as before",
                      spoke ? "; its command said: " : "", spoke ? read->said : "");
    }
}

static void take_theme(struct shell *shell, const char *fault) {
    if (fault)
        shell_message(shell, ROLE_WARN, "the theme stays as it was: %s", fault);
    else
        shell_message(shell, ROLE_INFO, "the theme was read again");
    shell_redraw(shell);
}

static void take_copied(struct shell *shell, const struct copied *copied) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    copied_tell(copied, &text);
    shell_message(shell, copied->way == COPY_NOWHERE || copied->through ? ROLE_WARN : ROLE_INFO, "%s", text.s);
    str_clear(&text);
}

void shell_unclaimed_event(struct shell *shell, const struct event *event) {
    if (event->kind == EVENT_TOKEN)
        unclaimed_take_token(shell, event);
    else if (event->kind == EVENT_THEME)
        take_theme(shell, event_get(event, theme_read)->failure);
    else if (event->kind == EVENT_COPIED)
        take_copied(shell, event_get(event, copied));
}
