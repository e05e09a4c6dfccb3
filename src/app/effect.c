#include "app/effect.h"
#include "app/export.h"

#include "app/doctor.h"
#include "app/file.h"
#include "app/journal.h"
#include "app/observed.h"
#include "app/webhook.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void server_filter_clear(struct server_filter *filter) {
    free(filter->type);
    for (size_t i = 0; i < filter->n; i++) {
        free(filter->statuses[i]);
    }
    free(filter->statuses);
    free(filter->after);
    free(filter->before);
    *filter = (struct server_filter){0};
}

void server_filter_add_status(struct server_filter *filter, const char *status) {
    if (server_filter_has(filter, status)) {
        return;
    }
    filter->statuses = vec_grow(filter->statuses, filter->n, &filter->cap, sizeof *filter->statuses);
    filter->statuses[filter->n++] = mem_dup(status);
}

void server_filter_set_type(struct server_filter *filter, const char *type) {
    char *own = type && *type ? mem_dup(type) : NULL;
    free(filter->type);
    filter->type = own;
}

void server_filter_copy(struct server_filter *to, const struct server_filter *from) {
    struct server_filter copy = {0};
    server_filter_set_type(&copy, from->type);
    for (size_t i = 0; i < from->n; i++) {
        server_filter_add_status(&copy, from->statuses[i]);
    }
    copy.after = mem_dup(from->after);
    copy.before = mem_dup(from->before);
    server_filter_clear(to);
    *to = copy;
}

bool server_filter_has(const struct server_filter *filter, const char *status) {
    for (size_t i = 0; i < filter->n; i++) {
        if (str_equal(filter->statuses[i], status)) {
            return true;
        }
    }
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
        !str_equal(a->before, b->before)) {
        return false;
    }
    for (size_t i = 0; i < a->n; i++) {
        if (!server_filter_has(b, a->statuses[i])) {
            return false;
        }
    }
    return true;
}

static bool window_within(const struct server_filter *filter, const struct server_filter *wide) {
    bool after = !wide->after || (filter->after && strcmp(filter->after, wide->after) >= 0);
    bool before = !wide->before || (filter->before && strcmp(filter->before, wide->before) <= 0);
    return after && before;
}

bool server_filter_within(const struct server_filter *filter, const struct server_filter *wide) {
    if ((wide->type && !str_equal(filter->type, wide->type)) || (wide->n > 0 && filter->n == 0)) {
        return false;
    }
    for (size_t i = 0; wide->n > 0 && i < filter->n; i++) {
        if (!server_filter_has(wide, filter->statuses[i])) {
            return false;
        }
    }
    return window_within(filter, wide);
}

static char *iso(int64_t ms) {
    struct str text;
    if (ms == CLOCK_NONE) {
        return NULL;
    }
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
    for (size_t i = 0; i < split->n_statuses; i++) {
        server_filter_add_status(filter, split->statuses[i]);
    }
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
        query_free(ask->query);
        free(ask);
    }
}

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

static struct effect *add(struct effects *effects, enum effect_kind kind) {
    struct effect *effect = vec_add(effects);
    effect->kind = kind;
    return effect;
}

void effects_clear(struct effects *effects) {
    for (size_t i = 0; i < effects->n; i++) {
        struct effect *effect = &effects->items[i];
        list_ask_free(effect->ask);
        lookup_free(effect->lookup);
        walked_rows_free(effect->walked);
        free(effect->keys);
        write_ask_free(effect->write);
        journal_ask_free(effect->journal);
        file_ask_free(effect->file);
        probe_ask_free(effect->probe);
        webhook_ask_free(effect->webhook);
        observed_ask_free(effect->name);
        free(effect->draft);
        free(effect->what);
        export_ask_free(effect->export);
        secret_free_text(effect->text);
    }
    free(effects->items);
    *effects = (struct effects){.tickets = effects->tickets};
}

uint64_t effects_fetch(struct effects *effects, struct list_ask *ask) {
    struct effect *effect = add(effects, EFFECT_FETCH);
    effect->ticket = ++effects->tickets;
    effect->ask = ask;
    return effect->ticket;
}

uint64_t effects_cached(struct effects *effects, struct list_ask *ask, int64_t from) {
    struct effect *effect = add(effects, EFFECT_CACHE_ROWS);
    effect->ticket = ++effects->tickets;
    effect->ask = ask;
    effect->from = from;
    return effect->ticket;
}

uint64_t effects_lookup(struct effects *effects, struct lookup *lookup) {
    struct effect *effect = add(effects, EFFECT_LOOKUP);
    effect->ticket = ++effects->tickets;
    effect->lookup = lookup;
    return effect->ticket;
}

void effects_walked(struct effects *effects, struct walked_rows *rows) {
    add(effects, EFFECT_WALKED)->walked = rows;
}

uint64_t effects_lookup_rows(struct effects *effects, const int64_t *keys, size_t n, size_t first) {
    struct effect *effect = add(effects, EFFECT_LOOKUP_ROWS);
    effect->ticket = ++effects->tickets;
    effect->keys = mem_new_array(n + 1, sizeof *effect->keys);
    memcpy(effect->keys, keys, n * sizeof *keys);
    effect->n_keys = n;
    effect->first = first;
    return effect->ticket;
}

void effects_cancel(struct effects *effects, uint64_t ticket) {
    add(effects, EFFECT_CANCEL)->ticket = ticket;
}

void effects_timer(struct effects *effects, enum timer timer, int64_t at) {
    struct effect *effect = add(effects, EFFECT_TIMER);
    effect->timer = timer;
    effect->at = at;
}

void effects_add(struct effects *effects, enum effect_kind kind) {
    add(effects, kind);
}

uint64_t effects_write(struct effects *effects, struct write_ask *ask) {
    struct effect *effect = add(effects, EFFECT_WRITE);
    effect->ticket = ++effects->tickets;
    effect->write = ask;
    return effect->ticket;
}

uint64_t effects_journal(struct effects *effects, struct journal_ask *ask) {
    struct effect *effect = add(effects, EFFECT_JOURNAL);
    effect->ticket = ++effects->tickets;
    effect->journal = ask;
    return effect->ticket;
}

uint64_t effects_file(struct effects *effects, struct file_ask *ask) {
    struct effect *effect = add(effects, EFFECT_FILE);
    effect->ticket = ++effects->tickets;
    effect->file = ask;
    return effect->ticket;
}

void effects_draft(struct effects *effects, const char *draft, const char *text) {
    struct effect *effect = add(effects, text ? EFFECT_DRAFT_KEEP : EFFECT_DRAFT_DROP);
    effect->draft = mem_dup(draft);
    effect->text = mem_dup(text);
}

void effects_copy(struct effects *effects, const char *what, const char *text) {
    struct effect *effect = add(effects, EFFECT_COPY);
    effect->what = mem_dup(what);
    effect->text = mem_dup(text);
}

uint64_t effects_probe(struct effects *effects, struct probe_ask *ask) {
    struct effect *effect = add(effects, EFFECT_PROBE);
    effect->ticket = ++effects->tickets;
    effect->probe = ask;
    return effect->ticket;
}

void effects_history(struct effects *effects, const char *line) {
    add(effects, EFFECT_HISTORY_KEEP)->text = mem_dup(line);
}

uint64_t effects_observed(struct effects *effects, struct lookup_name *name) {
    struct effect *effect = add(effects, EFFECT_OBSERVED);
    effect->ticket = ++effects->tickets;
    effect->name = name;
    return effect->ticket;
}

uint64_t effects_deliveries(struct effects *effects) {
    struct effect *effect = add(effects, EFFECT_DELIVERIES);
    effect->ticket = ++effects->tickets;
    return effect->ticket;
}

uint64_t effects_webhook(struct effects *effects, struct webhook_ask *ask) {
    struct effect *effect = add(effects, EFFECT_WEBHOOK);
    effect->ticket = ++effects->tickets;
    effect->webhook = ask;
    return effect->ticket;
}

uint64_t effects_export(struct effects *effects, struct export_ask *ask) {
    struct effect *effect = add(effects, EFFECT_EXPORT);
    effect->ticket = ++effects->tickets;
    effect->export = ask;
    return effect->ticket;
}

void effects_view(struct effects *effects, enum effect_kind kind, const char *text) {
    add(effects, kind)->text = mem_dup(text);
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
