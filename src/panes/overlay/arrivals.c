#include "app/arrivals.h"
#include "panes/intents/list.h"
#include "panes/shell/reader.h"

/* Events of the service that `bursar webhook listen` received here, newest first, beside what the list says. */

enum { LINE_MAX = 1 << 14, SHOWN_MOST = 500, FRESH_MS = 10000 };

struct arrivals_page {
    uint64_t ticket; /* of the open question; 0: none */
    struct arrivals *list;
    int64_t asked;
    bool outdated; /* rows of the cache came, changed or went since */
};

static struct arrivals_page *arrivals_page_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_ARRIVALS);
}

static void arrivals_page_clear(struct shell *shell) {
    struct arrivals_page *page = arrivals_page_of(shell);
    arrivals_free(page->list);
    *page = (struct arrivals_page){0};
}

static void arrivals_page_ask(struct shell *shell, struct effects *effects) {
    struct arrivals_page *page = arrivals_page_of(shell);
    page->asked = shell_now(shell);
    page->outdated = false;
    page->ticket = effects_arrivals(effects, arrivals_ask_new(NULL, 0, SHOWN_MOST));
}

/* ---- Its lines ---- */

static enum role arrivals_page_role(const struct arrival *arrival) {
    bool wrong = !arrival_counts(arrival) || arrival_differs(arrival);
    return wrong ? ROLE_WARN : ROLE_TEXT;
}

static void arrivals_page_what(const struct arrival *arrival, struct str *out) {
    str_addf(out, "%lld  ", (long long)arrival->n);
    arrival_tell_check(arrival, out);
    str_addf(out, "  %s", arrival->kind ? arrival->kind : arrival->readable ? "of no kind" : "not JSON");
    if (arrival->again > 0)
        str_addf(out, ", again (came as %lld)", (long long)arrival->again);
    if (arrival->intent)
        str_addf(out, "  %s", arrival->intent);
    if (arrival->status)
        str_addf(out, "  %s", arrival->status);
}

static void arrivals_page_add(struct shell *shell, struct detail *body, const struct arrival *arrival) {
    struct str at, text;
    str_init(&at, 64);
    str_init(&text, LINE_MAX);
    clock_format(&at, arrival->at, shell_zone(shell), shell_now(shell));
    arrivals_page_what(arrival, &text);
    detail_add(body, arena_dup_n(&body->arena, at.s, at.len), text.s, arrivals_page_role(arrival));
    str_reset(&text);
    arrival_tell_held(arrival, shell_now(shell), &text);
    if (text.len > 0)
        detail_add(body, "", text.s, arrival_differs(arrival) ? ROLE_WARN : ROLE_DIM);
    if (arrival->why)
        detail_add(body, "", arrival->why, ROLE_DIM);
    str_clear(&at);
    str_clear(&text);
}

/* How far it reaches. */
static void arrivals_page_head(struct detail *body, const struct arrivals *list) {
    struct str text;
    str_init(&text, LINE_MAX);
    money_group_count(&text, list->n);
    str_add(&text, " stored on this machine, whatever the filter, newest first");
    if (list->n > SHOWN_MOST)
        str_addf(&text, "; the newest %d are shown", SHOWN_MOST);
    str_add(&text, "; what the list says is out of the cache");
    detail_add(body, "events", text.s, ROLE_TEXT);
    str_reset(&text);
    arrivals_tell_missing(list, &text);
    if (text.len > 0)
        detail_add(body, "", text.s, ROLE_WARN);
    detail_add(body, NULL, "", ROLE_TEXT);
    str_clear(&text);
}

static void arrivals_page_fill(struct shell *shell) {
    struct detail *body = reader_body(shell, OVERLAY_ARRIVALS);
    const struct arrivals *list = arrivals_page_of(shell)->list;
    if (!body || !list)
        return;
    detail_empty(body);
    if (list->error.code != ERR_OK)
        detail_add(body, NULL, list->error.text, ROLE_ERROR);
    else if (list->n + list->damaged + list->elsewhere == 0)
        detail_add(body, NULL, "No event is stored for this profile. bursar webhook listen receives them.", ROLE_DIM);
    else
        arrivals_page_head(body, list);
    for (size_t i = 0; i < list->n && i < SHOWN_MOST; i++)
        arrivals_page_add(shell, body, list->items[list->n - 1 - i]);
    reader_fill(shell);
}

/* ---- The overlay ---- */

static bool arrivals_page_open(struct shell *shell, const void *argument, struct effects *effects) {
    (void)argument;
    arrivals_page_clear(shell);
    detail_add(reader_open(shell, "Events received here", OVERLAY_ARRIVALS, OVERLAY_NONE), NULL, "looking", ROLE_INFO);
    reader_fill(shell);
    arrivals_page_ask(shell, effects);
    return false;
}

static bool arrivals_page_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct arrivals_page *page = arrivals_page_of(shell);
    (void)effects;
    page->outdated = page->outdated || given->kind == EVENT_INDEX;
    if (given->kind != EVENT_ARRIVALS || !page->ticket || given->ticket != page->ticket)
        return false;
    page->ticket = 0;
    arrivals_free(page->list);
    page->list = event_take(given, arrivals);
    arrivals_page_fill(shell);
    return true;
}

static void arrivals_page_follow(struct shell *shell, struct effects *effects) {
    const struct arrivals_page *page = arrivals_page_of(shell);
    bool on_show = reader_body(shell, OVERLAY_ARRIVALS) && shell_shows(shell, OVERLAY_READER);
    if (page->outdated && on_show && !page->ticket && !clock_within(page->asked, shell_now(shell), FRESH_MS))
        arrivals_page_ask(shell, effects);
}

const struct pane arrivals_overlay = {.size = sizeof(struct arrivals_page),
                                      .clear = arrivals_page_clear,
                                      .open = arrivals_page_open,
                                      .zoned = arrivals_page_fill,
                                      .event = arrivals_page_event,
                                      .after_event = arrivals_page_follow,
                                      .after_key = arrivals_page_follow};
