#include "app/effect.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>
#include <string.h>

void server_filter_clear(struct server_filter *filter) {
    free(filter->type);
    for (size_t i = 0; i < filter->n; i++)
        free(filter->statuses[i]);
    free(filter->statuses);
    free(filter->after);
    free(filter->before);
    *filter = (struct server_filter){0};
}

void server_filter_add_status(struct server_filter *filter, const char *status) {
    if (server_filter_has(filter, status))
        return;
    filter->statuses = vec_grow(filter->statuses, filter->n, &filter->cap, sizeof *filter->statuses);
    filter->statuses[filter->n++] = mem_dup(status);
}

void server_filter_set_type(struct server_filter *filter, const char *type) {
    char *copy = type && *type ? mem_dup(type) : NULL;
    free(filter->type);
    filter->type = copy;
}

void server_filter_copy(struct server_filter *to, const struct server_filter *from) {
    struct server_filter copy = {0};
    server_filter_set_type(&copy, from->type);
    for (size_t i = 0; i < from->n; i++)
        server_filter_add_status(&copy, from->statuses[i]);
    copy.after = mem_dup(from->after);
    copy.before = mem_dup(from->before);
    server_filter_clear(to);
    *to = copy;
}

bool server_filter_has(const struct server_filter *filter, const char *status) {
    for (size_t i = 0; i < filter->n; i++)
        if (str_equal(filter->statuses[i], status))
            return true;
    return false;
}

bool server_filter_matches(const struct server_filter *filter, const struct intent *intent) {
    struct list_query query = server_filter_query(filter, NULL, false);
    return api_intent_matches(&query, intent);
}

bool server_filter_is_empty(const struct server_filter *filter) {
    return !filter->type && filter->n == 0 && !filter->after && !filter->before;
}

bool server_filter_equal(const struct server_filter *a, const struct server_filter *b) {
    if (!str_equal(a->type, b->type) || a->n != b->n || !str_equal(a->after, b->after) ||
        !str_equal(a->before, b->before))
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (!server_filter_has(b, a->statuses[i]))
            return false;
    return true;
}

static bool window_within(const struct server_filter *filter, const struct server_filter *wide) {
    bool after = !wide->after || (filter->after && strcmp(filter->after, wide->after) >= 0);
    bool before = !wide->before || (filter->before && strcmp(filter->before, wide->before) <= 0);
    return after && before;
}

bool server_filter_within(const struct server_filter *filter, const struct server_filter *wide) {
    if ((wide->type && !str_equal(filter->type, wide->type)) || (wide->n > 0 && filter->n == 0))
        return false;
    for (size_t i = 0; wide->n > 0 && i < filter->n; i++)
        if (!server_filter_has(wide, filter->statuses[i]))
            return false;
    return window_within(filter, wide);
}

static char *iso(int64_t ms) {
    struct str text;
    if (ms == CLOCK_NONE)
        return NULL;
    str_init(&text, 64);
    clock_format_iso(&text, ms);
    return str_take(&text);
}

void server_filter_window(struct server_filter *filter, const struct query_split *split) {
    free(filter->after);
    free(filter->before);
    filter->after = iso(split->after);
    filter->before = iso(split->before);
}

void server_filter_of(struct server_filter *filter, const struct query_split *split) {
    for (size_t i = 0; i < split->n_statuses; i++)
        server_filter_add_status(filter, split->statuses[i]);
    server_filter_set_type(filter, split->type);
    server_filter_window(filter, split);
}

struct query_service server_filter_service(const struct profile *profile) {
    const struct api_settings *api = &profile->api;
    return (struct query_service){.created_after = api->filter_after && *api->filter_after,
                                  .created_before = api->filter_before && *api->filter_before};
}

struct list_query server_filter_query(const struct server_filter *filter, const char *cursor, bool cursor_is_url) {
    return (struct list_query){
        .type = filter->type,
        .statuses = (const char *const *)filter->statuses,
        .n_statuses = filter->n,
        .after = filter->after,
        .before = filter->before,
        .cursor = cursor,
        .cursor_is_url = cursor_is_url,
    };
}

struct list_ask *list_ask_new(const struct server_filter *filter, const char *cursor, bool cursor_is_url) {
    struct list_ask *ask = mem_new(sizeof *ask);
    server_filter_copy(&ask->filter, filter);
    ask->cursor = mem_dup(cursor);
    ask->cursor_is_url = cursor_is_url;
    return ask;
}

void list_ask_free(struct list_ask *ask) {
    if (ask) {
        server_filter_clear(&ask->filter);
        free(ask->cursor);
        free(ask->spent);
        query_free(ask->query);
        notes_free(ask->notes);
        free(ask);
    }
}
PAYLOAD_OWNED(list_ask, list_ask_free);

struct list_result *list_result_new(void) {
    struct list_result *result = mem_new(sizeof *result);
    page_init(&result->page);
    return result;
}

void list_result_free(struct list_result *result) {
    if (result) {
        api_answer_clear(&result->answer);
        page_clear(&result->page);
        free(result);
    }
}
PAYLOAD_OWNED(list_result, list_result_free);

struct cached_rows *cached_rows_new(void) {
    struct cached_rows *rows = mem_new(sizeof *rows);
    page_init(&rows->page);
    return rows;
}

void cached_rows_free(struct cached_rows *rows) {
    if (rows) {
        page_clear(&rows->page);
        free(rows->confirmed);
        free(rows);
    }
}
PAYLOAD_OWNED(cached_rows, cached_rows_free);

void effects_clear(struct effects *effects) {
    for (size_t i = 0; i < effects->n; i++)
        payload_clear(&effects->items[i].payload);
    free(effects->items);
    *effects = (struct effects){.tickets = effects->tickets};
}

static void effect_add(struct effects *effects, struct effect effect) {
    *vec_add(effects) = effect;
}

uint64_t effects_ask(struct effects *effects, enum effect_kind kind, struct payload payload) {
    uint64_t ticket = ++effects->tickets;
    effect_add(effects, (struct effect){kind, ticket, payload});
    return ticket;
}

void effects_add(struct effects *effects, enum effect_kind kind) {
    effect_add(effects, (struct effect){.kind = kind});
}

void effects_cancel(struct effects *effects, uint64_t ticket) {
    effect_add(effects, (struct effect){.kind = EFFECT_CANCEL, .ticket = ticket});
}

uint64_t effects_fetch(struct effects *effects, struct list_ask *ask) {
    return effects_ask(effects, EFFECT_FETCH, payload_of(list_ask, ask));
}

uint64_t effects_cached(struct effects *effects, struct list_ask *ask, int64_t from) {
    ask->from = from;
    notes_free(ask->notes);
    ask->notes = notes_share(ask->context.notes);
    return effects_ask(effects, EFFECT_CACHE_ROWS, payload_of(list_ask, ask));
}

uint64_t effects_lookup(struct effects *effects, struct lookup *lookup) {
    notes_free(lookup->notes);
    lookup->notes = notes_share(lookup->context.notes);
    return effects_ask(effects, lookup->gather ? EFFECT_GATHER : EFFECT_LOOKUP, payload_of(lookup, lookup));
}

uint64_t effects_team_lookup(struct effects *effects, struct lookup *lookup) {
    lookup->notes = notes_share(lookup->context.notes);
    return effects_ask(effects, EFFECT_TEAM_LOOKUP, payload_of(lookup, lookup));
}

void effects_walked(struct effects *effects, struct walked_rows *rows) {
    effect_add(effects, (struct effect){.kind = EFFECT_WALKED, .payload = payload_of(walked_rows, rows)});
}

uint64_t effects_lookup_rows(struct effects *effects, const int64_t *keys, size_t n, size_t first) {
    struct lookup_keys *ask = mem_new(sizeof *ask);
    ask->keys = mem_new_array(n + 1, sizeof *ask->keys);
    memcpy(ask->keys, keys, n * sizeof *keys);
    ask->n = n;
    ask->first = first;
    return effects_ask(effects, EFFECT_LOOKUP_ROWS, payload_of(lookup_keys, ask));
}

uint64_t effects_deliveries(struct effects *effects) {
    return effects_ask(effects, EFFECT_DELIVERIES, (struct payload){0});
}

static void timer_ask_free(struct timer_ask *ask) {
    free(ask);
}
PAYLOAD_OWNED(timer_ask, timer_ask_free);

void effects_timer(struct effects *effects, enum timer timer, int64_t at) {
    struct timer_ask *ask = mem_new(sizeof *ask);
    *ask = (struct timer_ask){timer, at};
    effect_add(effects, (struct effect){.kind = EFFECT_TIMER, .payload = payload_of(timer_ask, ask)});
}

void draft_ask_free(struct draft_ask *ask) {
    if (!ask)
        return;
    free(ask->name);
    secret_free_text(ask->text);
    free(ask);
}
PAYLOAD_OWNED(draft_ask, draft_ask_free);

void effects_draft(struct effects *effects, const char *draft, const char *text) {
    struct draft_ask *ask = mem_new(sizeof *ask);
    *ask = (struct draft_ask){mem_dup(draft), mem_dup(text)};
    effect_add(effects, (struct effect){.kind = text ? EFFECT_DRAFT_KEEP : EFFECT_DRAFT_DROP,
                                        .payload = payload_of(draft_ask, ask)});
}

void copy_ask_free(struct copy_ask *ask) {
    if (!ask)
        return;
    free(ask->what);
    secret_free_text(ask->text);
    free(ask);
}
PAYLOAD_OWNED(copy_ask, copy_ask_free);

void effects_copy(struct effects *effects, const char *what, const char *text) {
    struct copy_ask *ask = mem_new(sizeof *ask);
    *ask = (struct copy_ask){mem_dup(what), mem_dup(text)};
    effect_add(effects, (struct effect){.kind = EFFECT_COPY, .payload = payload_of(copy_ask, ask)});
}

void history_line_free(struct history_line *line) {
    if (!line)
        return;
    secret_free_text(line->text);
    free(line);
}
PAYLOAD_OWNED(history_line, history_line_free);

void effects_history(struct effects *effects, const char *line) {
    struct history_line *kept = mem_new(sizeof *kept);
    kept->text = mem_dup(line);
    effect_add(effects, (struct effect){.kind = EFFECT_HISTORY_KEEP, .payload = payload_of(history_line, kept)});
}

void view_ask_free(struct view_ask *ask) {
    if (!ask)
        return;
    secret_free_text(ask->text);
    free(ask);
}
PAYLOAD_OWNED(view_ask, view_ask_free);

void effects_view(struct effects *effects, enum effect_kind kind, const char *text) {
    struct view_ask *ask = mem_new(sizeof *ask);
    ask->text = mem_dup(text);
    effect_add(effects, (struct effect){.kind = kind, .payload = payload_of(view_ask, ask)});
}

PAYLOAD_BORROWED(timer_fired);
PAYLOAD_BORROWED(clock_shifted);
PAYLOAD_BORROWED(index_filled);
PAYLOAD_BORROWED(token_read);
PAYLOAD_BORROWED(theme_read);
PAYLOAD_BORROWED(cache_told);
PAYLOAD_BORROWED(draft_read);
PAYLOAD_BORROWED(draft_kept);
PAYLOAD_BORROWED(history_read);
PAYLOAD_BORROWED(views_read);
PAYLOAD_BORROWED(error);

bool event_is_timer(const struct event *event, enum timer timer) {
    return event->kind == EVENT_TIMER && event_get(event, timer_fired)->timer == timer;
}
