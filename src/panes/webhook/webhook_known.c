#include "panes/webhook/webhook.h"

#include "base/clock.h"
#include "base/mem.h"

enum { TEXT_MAX = 64 << 10 };

static void webhook_known_add_known(struct shell *shell, struct sheet *sheet) {
    const struct webhook *state = &webhook_of(shell)->state;
    struct str text;
    str_init(&text, TEXT_MAX);
    webhook_tell_known(state, shell_now(shell), &text);
    webhook_add_lines(sheet, state->known && state->known->error.code != ERR_OK ? ROLE_ERROR : ROLE_TEXT, &text);
    str_clear(&text);
}

/* ---- The demo's deliveries ---- */

enum { AGAIN_MS = 2000 };

void webhook_deliveries_ask(struct shell *shell, struct effects *effects) {
    if (shell_options(shell)->receiver)
        webhook_of(shell)->deliveries_ticket = effects_deliveries(effects);
}

bool webhook_deliveries_event(struct shell *shell, struct event *event, struct effects *effects) {
    struct webhook_pane *pane = webhook_of(shell);
    if (event_is_timer(event, TIMER_DELIVERIES)) {
        webhook_deliveries_ask(shell, effects);
        return true;
    }
    if (event->kind != EVENT_DELIVERIES || event->ticket != pane->deliveries_ticket)
        return false;
    deliveries_free(pane->deliveries);
    pane->deliveries = event_take(event, deliveries);
    if (shell_is_on(shell, PANE_WEBHOOK))
        effects_timer(effects, TIMER_DELIVERIES, shell_now(shell) + AGAIN_MS);
    shell_redraw(shell);
    return true;
}

static void add_delivery(struct shell *shell, struct sheet *sheet, const struct delivery *item) {
    struct str text;
    bool delivered = str_equal(item->outcome, "delivered");
    str_init(&text, TEXT_MAX);
    clock_format(&text, item->at, shell_zone(shell), shell_now(shell));
    (void)clock_format_ahead(&text, ", ", item->at, shell_now(shell));
    str_addf(&text, "  %-13s ", item->outcome);
    if (item->status)
        str_addf(&text, "%d ", item->status);
    str_addf(&text, "%s, try %d, %s%s%s", item->kind, item->attempt, *item->scheme ? item->scheme : "unsigned",
             *item->why ? ": " : "", item->why);
    sheet_line(sheet, delivered ? ROLE_OK : ROLE_WARN, text.s, NULL);
    str_clear(&text);
}

/* Newest first: what just came is what an operator looks for. */
static void add_deliveries(struct shell *shell, struct sheet *sheet) {
    const struct deliveries *list = webhook_of(shell)->deliveries;
    struct str text;
    str_init(&text, TEXT_MAX);
    str_addf(&text, "This demo receives events itself: at %s, where it looks for the secret in %s.",
             shell_options(shell)->receiver, shell_options(shell)->secret_file);
    sheet_line(sheet, ROLE_TEXT, "", NULL);
    sheet_wrapped(sheet, ROLE_DIM, text.s);
    sheet_line(sheet, ROLE_HEADER, "Deliveries of this demo's sandbox, newest first", NULL);
    if (list && list->error.code != ERR_OK)
        sheet_wrapped(sheet, ROLE_ERROR, list->error.text);
    else if (!list || list->n == 0)
        sheet_wrapped(sheet, ROLE_DIM, "none yet: an event leaves when an intent changes");
    for (size_t i = list ? list->n : 0; i > 0; i--)
        add_delivery(shell, sheet, &list->items[i - 1]);
    str_clear(&text);
}

static void webhook_known_add_next(const struct shell *shell, bool empty, struct sheet *sheet) {
    const char *check = shell_key_of(shell, ACTION_ENDPOINT_CHECK), *open = shell_key_of(shell, ACTION_ENDPOINT);
    struct str text;
    str_init(&text, 256);
    if (shell_is_read_only(shell)) {
        str_addf(&text, "This profile is read-only: %s checks the endpoint, nothing can be registered.", check);
    } else {
        str_addf(&text, "%s opens the form%s%s%s. Looking here sends nothing.", open, empty ? "" : ", ",
                 empty ? "" : check, empty ? "" : " checks the endpoint");
    }
    sheet_wrapped(sheet, ROLE_DIM, text.s);
    if (profile_webhook_needs_two(shell_profile(shell))) {
        str_reset(&text);
        str_addf(&text, "Two persons register here: one proposes, another releases. %s lists what was proposed.",
                 shell_key_of(shell, ACTION_PROPOSALS));
        sheet_wrapped(sheet, ROLE_DIM, text.s);
    }
    str_clear(&text);
}

void webhook_known_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct webhook_pane *pane = webhook_of(shell);
    review_badge(shell, canvas, rect_take_rows(&area, 1), "the webhook");
    struct sheet sheet = webhook_sheet(pane, canvas, area);
    webhook_known_add_known(shell, &sheet);
    if (pane->state.known && pane->state.known->error.code == ERR_OK) {
        bool empty = !webhook_last(&pane->state) && !pane->state.known->unknown_since;
        sheet_line(&sheet, ROLE_TEXT, "", NULL);
        webhook_known_add_next(shell, empty, &sheet);
    }
    if (shell_options(shell)->receiver)
        add_deliveries(shell, &sheet);
    webhook_sheet_end(pane, &sheet);
}
