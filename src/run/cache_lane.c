#include "cache_lane.h"
#include "coverage_of.h"

#include "base/clock.h"
#include "base/mem.h"
#include "store/cache_care.h"
#include "wire/page.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROWS_A_TIME = 100,      /* matching rows of one answer */
    ROWS_LOOKED_AT = 20000, /* at most, for one answer: a rare filter must not hold the lane */
};

struct job {
    struct lane_job job;
    cache_event_fn *hand_over;
    uint64_t ticket;
    struct list_ask *ask;
    int64_t from;
    const struct cache_place *place; /* moved to */
    struct cache_batch *batch;
    struct watch *watch; /* NULL: nothing to count */
    cache_put_fn *put;
    int64_t *keys; /* put */
    size_t n_keys;
    struct cached_rows *rows;
    enum cache_state state;
    bool binds;
    struct str text;
};

/* The point first: a narrow screen cuts the path. */
void cache_outcome_text(const struct cache_opening *opening, struct str *out) {
    static const char *const TEXTS[CACHE_OUTCOME_COUNT] = {
        [CACHE_SET_ASIDE] = "a damaged cache was set aside, a new one begun: %s",
        [CACHE_FOREIGN] = "nothing is cached: the cache is of another origin or account, left alone: %s",
        [CACHE_NEWER] = "nothing is cached: a newer bursar wrote the cache, left alone: %s",
        [CACHE_UNSAFE] = "nothing is cached: the cache is a link, or open to others: %s",
        [CACHE_NO_FOLDER] = "nothing is cached: no folder for it (XDG_CACHE_HOME names another): %s",
        [CACHE_READ_ONLY] = "nothing is cached: the cache cannot be written: %s",
        [CACHE_LOCK_REFUSED] = "nothing is cached: no locks there (XDG_CACHE_HOME names another place): %s",
        [CACHE_DISK_FULL] = "nothing is cached: no room for the cache: %s",
        [CACHE_UNUSABLE] = "nothing is cached: the cache cannot be used: %s",
    };
    const char *format = TEXTS[opening->outcome];
    if (format) {
        const char *mark = strstr(format, "%s");
        str_add_n(out, format, (size_t)(mark - format));
        str_add(out, opening->outcome == CACHE_SET_ASIDE ? opening->aside : opening->path);
        str_add(out, mark + 2);
    }
}

void cache_lane_close(struct cache_lane *lane) {
    cache_close(lane->cache);
    lane->cache = NULL;
}

static bool is_strange(const struct cache_lane *lane, const struct cache_opening *opening) {
    return opening->outcome == CACHE_TOKEN_CHANGED && !atomic_load(&lane->place->accepted);
}

/* A handle that met damage is opened anew, once for each meeting. */
struct cache *cache_lane_usable(struct cache_lane *lane) {
    struct cache_opening opening;
    if (lane->cache && cache_must_reopen(lane->cache)) {
        lane->cache = cache_reopen(lane->cache, &opening);
    } else if (!lane->tried) {
        lane->tried = true;
        lane->cache = cache_open(lane->place->folder, &lane->place->binding, &opening);
        if (lane->cache && is_strange(lane, &opening)) {
            cache_lane_close(lane);
            lane->tried = false;
        }
    }
    return lane->cache;
}

static void retain(struct cache_lane *lane) {
    int64_t removed;
    const struct cache_place *place = lane->place;
    enum err code = cache_retain(lane->cache, clock_now(), place->retention_days, place->limit_mb, &removed, NULL);
    (void)code; /* costs nothing but room */
}

static void open_run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct cache_lane *lane = lane_state;
    struct cache_opening opening;
    lane->tried = true;
    lane->cache = cache_open(lane->place->folder, &lane->place->binding, &opening);
    cache_outcome_text(&opening, &own->text);
    if (!lane->cache) {
        own->state = CACHE_STATE_OFF;
    } else if (is_strange(lane, &opening)) {
        own->state = CACHE_STATE_ASK;
        cache_lane_close(lane);
        lane->tried = false;
    } else {
        own->state = CACHE_STATE_READY;
        retain(lane);
    }
}

static void accept_run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct cache_lane *lane = lane_state;
    struct error error = {0};
    if (cache_lane_usable(lane) && (!own->binds || cache_accept_token(lane->cache, &error) == ERR_OK)) {
        own->state = CACHE_STATE_READY;
        retain(lane);
    } else {
        own->state = CACHE_STATE_OFF;
        cache_lane_close(lane);
        str_add(&own->text, *error.text ? error.text : "the cache cannot be used");
    }
}

static void state_done(struct lane_job *job, void *owner) {
    struct job *own = (struct job *)job;
    struct event event = {
        .kind = EVENT_CACHE_STATE, .state = own->state, .text = own->text.len > 0 ? own->text.s : NULL};
    own->hand_over(owner, &event);
}

static void move_run(struct lane_job *job, void *lane_state) {
    struct cache_lane *lane = lane_state;
    cache_lane_close(lane);
    lane->place = ((struct job *)job)->place;
    lane->tried = false;
}

static bool slice_is(const struct cells_slice *slice, const char *text) {
    return slice->s && slice->len == strlen(text) && memcmp(slice->s, text, slice->len) == 0;
}

static bool lets_through(const struct server_filter *filter, const struct cells *cells) {
    if (filter->type && !slice_is(&cells->text[CELLS_TYPE], filter->type)) {
        return false;
    }
    bool fits = filter->n == 0;
    for (size_t i = 0; i < filter->n && !fits; i++) {
        fits = slice_is(&cells->text[CELLS_STATUS], filter->statuses[i]);
    }
    return fits;
}

static int64_t time_of(const char *text) {
    int64_t ms;
    return text && clock_parse(text, strlen(text), &ms) ? ms : CLOCK_NONE;
}

/* Cells alone are read until enough rows match; only those are read whole. */
struct reading {
    struct job *job;
    struct cache *cache;
    struct query_plan *plan; /* NULL: all that the filter lets through */
    int64_t after, before;   /* of the filter; a row at one of them fits, as the service may have it */
    bool asks_changed;       /* whether it wants to know: each row's answer is a question of its own */
    int64_t keys[ROWS_A_TIME];
    size_t n, wanted;
};

static bool asks_changed(const struct query_step *step) {
    for (; step; step = step->next) {
        if (step->test.flags & 1U << QUERY_IS_CHANGED || asks_changed(step->first)) {
            return true;
        }
    }
    return false;
}

static bool is_within(const struct reading *reading, const struct cells *cells) {
    if (reading->after == CLOCK_NONE && reading->before == CLOCK_NONE) {
        return true;
    }
    return cells->flags & CELLS_CREATED_OK && (reading->after == CLOCK_NONE || cells->created_ms >= reading->after) &&
           (reading->before == CLOCK_NONE || cells->created_ms <= reading->before);
}

static bool matches(const struct reading *reading, const struct cache_row *row) {
    struct cells cells;
    int64_t changed = CLOCK_NONE;
    if (!cells_read(row->cells, row->cells_len, &cells) || !lets_through(&reading->job->ask->filter, &cells) ||
        !is_within(reading, &cells)) {
        return false;
    }
    if (reading->asks_changed && cache_changed_at(reading->cache, row->key, &changed, NULL) != ERR_OK) {
        changed = CLOCK_NONE;
    }
    struct query_row at = {
        .key = row->key, .cells = &cells, .first_seen = row->seen, .confirmed = row->confirmed, .changed = changed};
    return !reading->plan || query_match(reading->plan, &at);
}

static bool look(void *context, const struct cache_row *row) {
    struct reading *reading = context;
    struct cached_rows *out = reading->job->rows;
    out->next = row->key;
    out->looked_at++;
    if (matches(reading, row)) {
        reading->keys[reading->n++] = row->key;
    }
    out->done =
        reading->n < reading->wanted && out->looked_at < ROWS_LOOKED_AT && !atomic_load(&reading->job->job.dropped);
    return out->done;
}

static bool read_matches(const struct reading *reading, struct cached_rows *out) {
    struct cache_rows rows;
    cache_rows_init(&rows);
    enum err code = cache_get(reading->cache, reading->keys, reading->n, &rows, NULL);
    for (size_t i = 0; i < rows.n && code == ERR_OK; i++) {
        const struct cache_row *row = &rows.items[i];
        if (!row->missing) {
            struct intent **slot = vec_add(&out->page);
            *slot = wire_intent(row->raw, row->raw_len);
            out->confirmed[out->page.n - 1] = row->confirmed;
        }
    }
    cache_rows_clear(&rows);
    return code == ERR_OK;
}

static void take_coverage(struct job *own, struct cache *cache, bool broke_off) {
    if (own->ask->query) {
        coverage_of_query(cache, own->ask->query, &own->ask->context, broke_off, &own->rows->coverage);
    } else {
        coverage_of(cache, &own->ask->filter, broke_off, &own->rows->coverage);
    }
    own->rows->damaged = (size_t)cache_take_damaged(cache);
}

/* Whether anybody looked at this cache before; now somebody does. */
static bool note_visit(struct cache *cache) {
    static const char NAME[] = "opened";
    char *before = NULL;
    struct str now;
    str_init(&now, 32);
    str_addf(&now, "%lld", (long long)clock_now());
    enum err code = cache_note(cache, NAME, &before, NULL);
    bool first = code == ERR_OK && !before;
    free(before);
    code = cache_set_note(cache, NAME, now.s, NULL);
    (void)code; /* then the next visit is taken for the first: a sentence is not said */
    str_clear(&now);
    return first;
}

static void rows_run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct reading reading = {.job = own,
                              .cache = cache_lane_usable(lane_state),
                              .after = time_of(own->ask->filter.after),
                              .before = time_of(own->ask->filter.before),
                              .wanted = ROWS_A_TIME};
    own->rows = cached_rows_new();
    own->rows->confirmed = mem_new_array(ROWS_A_TIME, sizeof *own->rows->confirmed);
    own->rows->next = own->from;
    own->rows->done = true; /* until a row ends the reading */
    if (!reading.cache) {
        return;
    }
    own->rows->first_visit = own->ask->visit && note_visit(reading.cache);
    if (own->ask->wanted > 0 && own->ask->wanted < ROWS_A_TIME) {
        reading.wanted = own->ask->wanted;
    }
    reading.plan = own->ask->query ? query_plan_new(own->ask->query, &own->ask->context) : NULL;
    reading.asks_changed = reading.plan && asks_changed(reading.plan->root);
    enum err code = cache_stream_rows(reading.cache, own->from, look, &reading, NULL);
    own->rows->done = own->rows->done || code != ERR_OK;
    bool whole = read_matches(&reading, own->rows) && code == ERR_OK;
    take_coverage(own, reading.cache, !whole);
    query_plan_free(reading.plan);
}

static void rows_done(struct lane_job *job, void *owner) {
    struct job *own = (struct job *)job;
    struct event event = {.kind = EVENT_CACHE_ROWS, .ticket = own->ticket, .cached = own->rows};
    own->rows = NULL;
    own->hand_over(owner, &event);
}

static void put_run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct cache *cache = cache_lane_usable(lane_state);
    struct cache_put_result result = {0};
    if (cache) {
        enum err code = cache_put(cache, own->batch, &result, NULL);
        own->keys = code == ERR_OK ? mem_new_array(result.n + 1, sizeof *own->keys) : NULL;
        for (size_t i = 0; own->keys && i < result.n; i++) {
            if (result.items[i].key != CACHE_KEY_NONE) {
                own->keys[own->n_keys++] = result.items[i].key;
            }
        }
        cache_put_result_clear(&result);
        watch_put(own->watch, cache, clock_now());
    }
}

static void put_done(struct lane_job *job, void *owner) {
    struct job *own = (struct job *)job;
    own->put(owner, own->keys, own->n_keys);
    own->keys = NULL;
}

static void free_job(struct lane_job *job) {
    struct job *own = (struct job *)job;
    list_ask_free(own->ask);
    cached_rows_free(own->rows);
    cache_batch_free(own->batch);
    watch_free(own->watch);
    free(own->keys);
    str_clear(&own->text);
    free(own);
}

static struct job *new_job(void (*run)(struct lane_job *, void *), void (*done)(struct lane_job *, void *),
                           cache_event_fn *hand_over) {
    struct job *job = mem_new(sizeof *job);
    job->job = (struct lane_job){.run = run, .done = done, .free = free_job};
    job->hand_over = hand_over;
    str_init(&job->text, ERROR_TEXT_MAX);
    return job;
}

struct lane_job *cache_open_job(cache_event_fn *hand_over) {
    return &new_job(open_run, state_done, hand_over)->job;
}

struct lane_job *cache_accept_job(bool bind, cache_event_fn *hand_over) {
    struct job *job = new_job(accept_run, state_done, hand_over);
    job->binds = bind;
    return &job->job;
}

struct lane_job *cache_move_job(const struct cache_place *place) {
    struct job *job = new_job(move_run, NULL, NULL);
    job->place = place;
    return &job->job;
}

struct lane_job *cache_rows_job(uint64_t ticket, struct list_ask *ask, int64_t from, cache_event_fn *hand_over) {
    struct job *job = new_job(rows_run, rows_done, hand_over);
    job->ticket = ticket;
    job->ask = ask;
    job->from = from;
    return &job->job;
}

struct lane_job *cache_put_job(struct cache_batch *batch, struct watch *watch, cache_put_fn *put) {
    struct job *job = new_job(put_run, put_done, NULL);
    job->batch = batch;
    job->watch = watch;
    job->put = put;
    return &job->job;
}
