#include "panes/intents/intents.h"

/* Events of the service that came here (`bursar webhook listen`) and tell of the record on show. They are read once for
 * many records, and again once what was read is some seconds old. */

enum { LINE_BYTES = 1 << 12, FRESH_MS = 10000 };

static struct events_known *events_known_of(const struct shell *shell) {
    return &intents_of(shell)->events;
}

void detail_events_clear(struct events_known *known) {
    arrivals_free(known->list);
    *known = (struct events_known){0};
}

void detail_events_follow(struct shell *shell, struct effects *effects) {
    struct events_known *known = events_known_of(shell);
    int64_t key;
    bool fresh = known->list && clock_within(known->asked, shell_now(shell), FRESH_MS);
    if (!findings_shown(shell, &key) || known->ticket || fresh)
        return;
    known->asked = shell_now(shell);
    struct arrivals_ask *ask = arrivals_ask_new(NULL, 0, 0);
    ask->known = known->list ? known->list->stamp : 0;
    known->ticket = effects_arrivals(effects, ask);
}

bool detail_events_event(struct shell *shell, struct event *event) {
    struct events_known *known = events_known_of(shell);
    if (event->kind != EVENT_ARRIVALS || !known->ticket || event->ticket != known->ticket)
        return false;
    bool any = known->list && known->list->n > 0;
    known->ticket = 0;
    if (known->list && event_get(event, arrivals)->unchanged)
        return true;
    arrivals_free(known->list);
    known->list = event_take(event, arrivals);
    if (any || known->list->n > 0)
        intents_follow(shell);
    return true;
}

/* ---- Its lines ---- */

/* What did not verify may be forged, and of several events the latest counts. */
static void detail_events_words(const struct arrival *arrival, const char *listed, bool differs, struct str *out) {
    if (differs)
        str_addf(out, "event said %s, the list says %s; ", arrival->status, listed);
    arrival_tell_check(arrival, out);
    if (!differs && arrival->status)
        str_addf(out, "; said %s", arrival->status);
    str_addf(out, "; %s", arrival->kind ? arrival->kind : "of no kind");
    if (arrival->again > 0)
        str_add(out, ", again");
}

static void detail_events_add(struct shell *shell, const struct arrival *arrival, const struct intent *intent) {
    const char *listed = intent->status.text;
    bool refused = !arrival_counts(arrival);
    bool differs = !refused && arrival->later == 0 && arrival->status && listed && !str_equal(arrival->status, listed);
    struct str at, text;
    struct detail *detail = &intents_of(shell)->detail;
    str_init(&at, 64);
    str_init(&text, LINE_BYTES);
    clock_format(&at, arrival->at, shell_zone(shell), shell_now(shell));
    detail_events_words(arrival, listed, differs, &text);
    detail_add(detail, arena_dup_n(&detail->arena, at.s, at.len), text.s, differs || refused ? ROLE_WARN : ROLE_TEXT);
    str_clear(&at);
    str_clear(&text);
}

void detail_events(struct shell *shell, const struct intent *intent) {
    const struct arrivals *list = events_known_of(shell)->list;
    struct detail *detail = &intents_of(shell)->detail;
    bool any = false;
    for (size_t i = list && intent->id.text ? list->n : 0; i-- > 0;) {
        if (!str_equal(list->items[i]->intent, intent->id.text))
            continue;
        if (!any) {
            detail_add(detail, NULL, "", ROLE_TEXT);
            detail_add(detail, NULL, "events received here, newest first", ROLE_HEADER);
        }
        any = true;
        detail_events_add(shell, list->items[i], intent);
    }
}
