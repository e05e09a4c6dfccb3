#include "panes/intents/intents.h"

#include "app/notes.h"
#include "base/mem.h"
#include "panes/shell/ask.h"

/* What happens to the list when another token or another cache is used. */

enum { KEEP_OUT, SAME_ACCOUNT };

static void cache_answered(struct shell *shell, int button, struct effects *effects) {
    if (button == SAME_ACCOUNT)
        effects_add(effects, EFFECT_CACHE_ACCEPT);
    else
        shell_message(shell, ROLE_INFO, "the cache is left alone; nothing is cached in this session");
}

static void intents_told_ask_cache(struct shell *shell) {
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

static void take_cache_state(struct shell *shell, const struct event *event, struct effects *effects) {
    const struct cache_told *told = event_get(event, cache_told);
    struct browse *browse = intents_browse(shell);
    browse_use_cache(browse, told->state == CACHE_STATE_READY);
    view_use_cache(intents_view(shell), told->state == CACHE_STATE_READY, effects);
    if (told->text)
        shell_message(shell, ROLE_WARN, "%s", told->text);
    if (told->state == CACHE_STATE_ASK)
        intents_told_ask_cache(shell);
    else if (told->state == CACHE_STATE_READY && browse->n == 0 && !browse_is_busy(browse) &&
             browse->retry_at == CLOCK_NONE)
        browse_start(browse, effects); /* the cache could not be read until now */
}

static void intents_told_take_token(struct shell *shell, const struct event *event, struct effects *effects) {
    struct browse *browse = intents_browse(shell);
    if (event_get(event, token_read)->changed && browse->link == BROWSE_DENIED && shell_is_on(shell, PANE_INTENTS))
        browse_refresh(browse, effects);
}

/* The detail and the columns show them at once; another program's are told of by what changes on the screen. */
static void intents_told_take_notes(struct shell *shell, struct event *event, struct effects *effects) {
    struct notes_answer *answer = event_take(event, notes_answer);
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    notes_answer_text(answer, &text);
    if (text.len > 0)
        shell_message(shell, answer->error.code != ERR_OK ? ROLE_ERROR : ROLE_WARN, "%s", text.s);
    else if (answer->added > 0)
        shell_message(shell, ROLE_INFO, "kept on this machine");
    if (answer->notes) {
        view_take_notes(intents_view(shell), answer->notes, shell_now(shell), effects);
        answer->notes = NULL;
        intents_viewed(shell, effects);
        detail_show(shell, intents_current(shell));
    }
    notes_answer_free(answer);
    str_clear(&text);
}

bool intents_told(struct shell *shell, struct event *event, struct effects *effects) {
    if (event->kind == EVENT_TOKEN) {
        intents_told_take_token(shell, event, effects); /* the console tells the operator */
    } else if (event->kind == EVENT_CACHE_STATE) {
        take_cache_state(shell, event, effects);
        return true;
    } else if (event->kind == EVENT_OWN) {
        own_run_done(shell, event);
        return true;
    } else if (event->kind == EVENT_NOTES) {
        intents_told_take_notes(shell, event, effects);
        return true;
    }
    return false;
}
