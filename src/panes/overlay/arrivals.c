#include "panes/overlay/arrivals.h"

#include "app/arrivals.h"
#include "app/idset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "panes/intents/list.h"
#include "panes/shell/reader.h"
#include "ui/keymap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Events of the service that `bursar webhook listen` received here, newest first, beside what the list says. */

enum { LINE_MAX = 1 << 14, SHOWN_MOST = 500, FRESH_MS = 10000 };

struct arrivals_page {
    uint64_t ticket; /* of the open question; 0: none */
    struct arrivals *list;
    int64_t asked;
    bool outdated;                 /* rows of the cache came, changed or went since */
    uint64_t looking;              /* of the question for the intents of the list's filter; 0: none */
    struct lookup_result *intents; /* its answer; NULL: none yet */
    bool all;                      /* not only those of intents that the list's filter has */
    char *filter;                  /* of the events themselves; NULL: none */
    struct error fault;            /* the filter cannot be read any more: what it names may be gone */
};

static struct arrivals_page *arrivals_page_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_ARRIVALS);
}

/* What was asked for stays, for the next time that the page is opened. */
static void arrivals_page_empty(struct arrivals_page *page) {
    arrivals_free(page->list);
    lookup_result_free(page->intents);
    *page = (struct arrivals_page){.all = page->all, .filter = page->filter};
}

static void arrivals_page_clear(struct shell *shell) {
    struct arrivals_page *page = arrivals_page_of(shell);
    arrivals_page_empty(page);
    free(page->filter);
    *page = (struct arrivals_page){0};
}

static bool arrivals_page_is_of_list(const struct shell *shell) {
    return !arrivals_page_of(shell)->all && *intents_filter(shell);
}

enum err arrivals_page_parse(const struct shell *shell, const char *text, struct query **out, struct query_fault *fault,
                             struct error *error) {
    return intents_parse_events(shell, text, out, fault, error);
}

/* ---- Which of them ---- */

static const struct arrivals_intents *arrivals_page_intents(const struct shell *shell) {
    const struct lookup_result *answer = arrivals_page_of(shell)->intents;
    return answer ? arrivals_intents_of(answer->gather) : NULL;
}

static bool arrivals_page_has(const struct shell *shell, const struct arrival *arrival) {
    const struct arrivals_intents *intents = arrivals_page_intents(shell);
    return !arrivals_page_is_of_list(shell) || (intents && arrivals_intents_has(intents, arrival));
}

static size_t arrivals_page_count(const struct shell *shell) {
    const struct arrivals *list = arrivals_page_of(shell)->list;
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += arrivals_page_has(shell, list->items[i]);
    return n;
}

static const char *arrivals_page_value(const struct arrival *arrival, enum query_field_code field) {
    return field == QUERY_STATUS_FIELD ? arrival->status
           : field == QUERY_TYPE_FIELD ? arrival->kind
           : field == QUERY_USER_FIELD ? arrival->user
           : field == QUERY_ID_FIELD   ? arrival->intent
                                       : NULL;
}

void arrivals_page_values(const struct shell *shell, enum query_field_code field,
                          void (*found)(void *to, const char *value, int64_t count), void *to) {
    const struct arrivals *list = arrivals_page_of(shell)->list;
    size_t n = list ? list->n : 0, *counts = mem_new_array(n + 1, sizeof *counts);
    struct idset *first = idset_new();
    for (size_t i = 0; i < n; i++) {
        const char *value = arrivals_page_value(list->items[i], field);
        if (value)
            (void)idset_put(first, value, strlen(value), i);
        if (value)
            counts[idset_find(first, value, strlen(value))]++;
    }
    for (size_t i = 0; i < n; i++)
        if (counts[i] > 0)
            found(to, arrivals_page_value(list->items[i], field), (int64_t)counts[i]);
    idset_free(first);
    free(counts);
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

/* ---- Its head ---- */

static void arrivals_page_line(struct detail *body, const char *label, struct str *text, enum role role) {
    if (text->len > 0)
        detail_add(body, label, text->s, role);
    str_reset(text);
}

/* What they are narrowed to, and the keys that do. */
static void arrivals_page_filters(struct shell *shell, struct detail *body, struct str *text) {
    const struct arrivals_page *page = arrivals_page_of(shell);
    const struct lookup_result *answer = page->intents;
    bool of_list = arrivals_page_is_of_list(shell);
    if (page->filter)
        str_addf(text, "of the events: %s", page->filter);
    arrivals_page_line(body, "filter", text, ROLE_WARN);
    if (of_list) {
        str_addf(text, "the list's, on their intents: %s", intents_filter(shell));
        if (arrivals_page_intents(shell)) {
            struct coverage coverage;
            intents_coverage(shell, answer, &coverage);
            str_add(text, "; ");
            money_group_count(text, answer->n);
            str_addf(text, " intent%s, ", plural_s(answer->n));
            coverage_text(&coverage, COVERAGE_BRIEF, shell_now(shell), text);
        }
    }
    arrivals_page_line(body, page->filter ? "" : "filter", text, ROLE_WARN);
    shell_hint(shell, ACTION_ARRIVALS_FILTER, page->filter ? "another filter" : "filters the events", text);
    if (*intents_filter(shell))
        shell_hint(shell, ACTION_ARRIVALS_LIST, of_list ? "all events" : "those of the list's filter", text);
    arrivals_page_line(body, "", text, ROLE_DIM);
}

static void arrivals_page_head(struct shell *shell, struct detail *body, const struct arrivals *list, size_t shown) {
    struct coverage coverage = arrivals_coverage(list);
    struct str text;
    str_init(&text, LINE_MAX);
    arrivals_tell_reach(list, shown, shell_now(shell), &text);
    arrivals_page_line(body, "events", &text, coverage_is_whole(&coverage) ? ROLE_TEXT : ROLE_WARN);
    str_add(&text, "newest first");
    if (shown > SHOWN_MOST)
        str_addf(&text, ", of them %d", SHOWN_MOST);
    str_add(&text, "; what the list says is out of the cache");
    arrivals_page_line(body, "", &text, ROLE_TEXT);
    arrivals_tell_elsewhere(list, &text);
    arrivals_page_line(body, "", &text, ROLE_WARN);
    arrivals_page_filters(shell, body, &text);
    detail_add(body, NULL, "", ROLE_TEXT);
    str_clear(&text);
}

static void arrivals_page_nothing(struct shell *shell, struct detail *body) {
    const struct arrivals_page *page = arrivals_page_of(shell);
    bool looks = arrivals_page_is_of_list(shell) && !page->intents;
    const struct lookup_result *answer = page->intents;
    if (looks && intents_source(shell) == VIEW_NOT_KNOWN)
        detail_add(body, NULL, "the cache is still being opened", ROLE_INFO);
    else if (looks)
        detail_add(body, NULL, "looking", ROLE_INFO);
    else if (arrivals_page_is_of_list(shell) && !arrivals_page_intents(shell))
        detail_add(body, NULL, answer->error.text, ROLE_ERROR);
    else
        detail_add(body, NULL, "No stored event is one of these.", ROLE_DIM);
}

static void arrivals_page_lines(struct shell *shell, struct detail *body, const struct arrivals *list) {
    size_t shown = arrivals_page_count(shell), told = 0;
    arrivals_page_head(shell, body, list, shown);
    for (size_t i = list->n; i-- > 0 && told < SHOWN_MOST;) {
        if (!arrivals_page_has(shell, list->items[i]))
            continue;
        arrivals_page_add(shell, body, list->items[i]);
        told++;
    }
    if (shown == 0)
        arrivals_page_nothing(shell, body);
}

/* No event is shown for a filter that cannot be read, and what it says stays to be mended. */
static void arrivals_page_unread(struct shell *shell, struct detail *body) {
    struct str text;
    str_init(&text, LINE_MAX);
    detail_add(body, NULL, arrivals_page_of(shell)->fault.text, ROLE_ERROR);
    arrivals_page_filters(shell, body, &text);
    str_clear(&text);
}

static void arrivals_page_fill(struct shell *shell) {
    struct detail *body = reader_body(shell, OVERLAY_ARRIVALS);
    const struct arrivals_page *page = arrivals_page_of(shell);
    const struct arrivals *list = page->list;
    if (!body || (!list && page->fault.code == ERR_OK))
        return;
    detail_empty(body);
    if (!list)
        arrivals_page_unread(shell, body);
    else if (list->error.code != ERR_OK)
        detail_add(body, NULL, list->error.text, ROLE_ERROR);
    else if (list->stored + list->damaged + list->elsewhere == 0)
        detail_add(body, NULL, "No event is stored for this profile. bursar webhook listen receives them.", ROLE_DIM);
    if (list && list->error.code == ERR_OK && list->given + (int64_t)list->stored + (int64_t)list->damaged > 0)
        arrivals_page_lines(shell, body, list);
    reader_fill(shell);
}

/* ---- Its question ---- */

/* It was read when it was typed, but what it names can be gone since: then there is nothing to ask for. */
static bool arrivals_page_read_filter(struct shell *shell, struct query **out) {
    struct arrivals_page *page = arrivals_page_of(shell);
    page->fault = (struct error){0};
    page->asked = shell_now(shell);
    if (!page->filter || arrivals_page_parse(shell, page->filter, out, NULL, &page->fault) == ERR_OK)
        return true;
    arrivals_free(page->list);
    page->list = NULL;
    page->ticket = 0;
    arrivals_page_fill(shell);
    return false;
}

/* The files alone where nothing else may have changed: those that are known are not read again. A filter may let
 * through others as time goes by. */
static void arrivals_page_ask(struct shell *shell, struct effects *effects) {
    struct arrivals_page *page = arrivals_page_of(shell);
    struct query *query = NULL;
    if (!arrivals_page_read_filter(shell, &query))
        return;
    bool of_list = arrivals_page_is_of_list(shell), anew = page->outdated || !page->list;
    struct arrivals_ask *ask = arrivals_ask_new(NULL, 0, of_list ? SIZE_MAX : SHOWN_MOST);
    ask->known = anew || query ? 0 : page->list->stamp;
    ask->query = query;
    ask->context = intents_context(shell);
    ask->context.notes = NULL;
    page->outdated = false;
    page->ticket = effects_arrivals(effects, ask);
    if (of_list && anew && intents_source(shell) != VIEW_NOT_KNOWN)
        page->looking = intents_ask_gather(shell, arrivals_intents_gather(arrivals_intents_new()), effects);
}

/* ---- The overlay ---- */

static void arrivals_page_show(struct shell *shell, struct effects *effects) {
    arrivals_page_empty(arrivals_page_of(shell));
    detail_add(reader_open(shell, "Events received here", OVERLAY_ARRIVALS, OVERLAY_NONE), NULL, "looking", ROLE_INFO);
    reader_fill(shell);
    arrivals_page_ask(shell, effects);
}

static void arrivals_page_type(struct shell *shell, struct effects *effects) {
    const char *filter = arrivals_page_of(shell)->filter;
    const struct prompt_line line = {PROMPT_EVENTS, filter ? filter : ""};
    (void)shell_open(shell, OVERLAY_PROMPT, &line, effects);
}

static void arrivals_page_turn(struct shell *shell, struct effects *effects) {
    struct arrivals_page *page = arrivals_page_of(shell);
    if (!*intents_filter(shell)) {
        shell_message(shell, ROLE_INFO, "the list has no filter: these are all events");
        return;
    }
    page->all = !page->all;
    arrivals_page_show(shell, effects);
}

static bool arrivals_page_act(struct shell *shell, int action, struct effects *effects) {
    if (action == ACTION_ARRIVALS_FILTER)
        arrivals_page_type(shell, effects);
    else if (action == ACTION_ARRIVALS_LIST)
        arrivals_page_turn(shell, effects);
    return action == ACTION_ARRIVALS_FILTER || action == ACTION_ARRIVALS_LIST;
}

static bool arrivals_page_text_key(struct shell *shell, int32_t key, struct effects *effects) {
    return arrivals_page_act(shell, keymap_find(shell_keymap(shell), "webhook", key), effects);
}

/* argument: the action that asks for it, an int. */
static bool arrivals_page_open(struct shell *shell, const void *argument, struct effects *effects) {
    const int *action = argument;
    arrivals_page_show(shell, effects);
    if (action)
        (void)arrivals_page_act(shell, *action, effects);
    return false;
}

void arrivals_page_apply(struct shell *shell, const char *text, struct effects *effects) {
    struct arrivals_page *page = arrivals_page_of(shell);
    if (text) {
        free(page->filter);
        page->filter = *text ? mem_dup(text) : NULL;
    }
    arrivals_page_show(shell, effects);
}

static bool arrivals_page_take(struct shell *shell, struct event *given) {
    struct arrivals_page *page = arrivals_page_of(shell);
    page->ticket = 0;
    if (page->list && event_get(given, arrivals)->unchanged)
        return true;
    arrivals_free(page->list);
    page->list = event_take(given, arrivals);
    arrivals_page_fill(shell);
    return true;
}

static bool arrivals_page_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct arrivals_page *page = arrivals_page_of(shell);
    (void)effects;
    page->outdated = page->outdated || given->kind == EVENT_INDEX;
    if (given->kind == EVENT_ARRIVALS && page->ticket && given->ticket == page->ticket)
        return arrivals_page_take(shell, given);
    if (given->kind != EVENT_LOOKUP || !page->looking || given->ticket != page->looking)
        return false;
    page->looking = 0;
    lookup_result_free(page->intents);
    page->intents = event_take(given, lookup_result);
    arrivals_page_fill(shell);
    return true;
}

static void arrivals_page_follow(struct shell *shell, struct effects *effects) {
    const struct arrivals_page *page = arrivals_page_of(shell);
    bool on_show = reader_body(shell, OVERLAY_ARRIVALS) && shell_shows(shell, OVERLAY_READER);
    if (on_show && !page->ticket && !clock_within(page->asked, shell_now(shell), FRESH_MS))
        arrivals_page_ask(shell, effects);
}

const struct pane arrivals_overlay = {.size = sizeof(struct arrivals_page),
                                      .clear = arrivals_page_clear,
                                      .open = arrivals_page_open,
                                      .zoned = arrivals_page_fill,
                                      .text_key = arrivals_page_text_key,
                                      .event = arrivals_page_event,
                                      .after_event = arrivals_page_follow,
                                      .after_key = arrivals_page_follow};
