#include "index_lane.h"
#include "coverage_of.h"
#include "index_answer.h"
#include "job.h"
#include "run/indexing.h"

#include "app/idset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "index/index.h"

#include <stdlib.h>
#include <string.h>

/* The index is filled newest first in short slices, so that a question never waits for a large cache; rows that are
 * written meanwhile, by this console or another, come through the cache's change log, in the same way for all. An
 * answer must not be called whole while rows of the cache, or entries of the log, have not been taken. */

enum {
    SLICE_MS = 4,    /* ms of filling or catching up between two questions */
    QUESTION_MS = 1, /* ms of catching up before an answer: the rest is done after it */
    FEW_ROWS = 16,   /* rows between two checks of the clock and of `dropped` */
};

/* A slice of filling or catching up, or rows that were just stored. */
struct fill_work {
    index_more_fn *more;
    int64_t *keys;
    size_t n;
    int64_t now;
    bool fills, goes_on, changed;
};
PAYLOAD_TYPE(fill_work)

static void fill_work_free(struct fill_work *work) {
    free(work->keys);
    free(work);
}
PAYLOAD_OWNED(fill_work, fill_work_free);

struct walked_work {
    struct walked_rows *rows;
    struct index_filled filled; /* the answer */
};
PAYLOAD_TYPE(walked_work)

static void walked_work_free(struct walked_work *work) {
    walked_rows_free(work->rows);
    free(work);
}
PAYLOAD_OWNED(walked_work, walked_work_free);

/* Ends when its time is up, earlier when another job waits, and when its own job is not wanted any more. */
struct slice {
    const struct lane_job *job;
    int64_t until; /* monotonic ms; CLOCK_NONE: until the work is done */
};

static bool is_over(const struct slice *slice) {
    if (atomic_load(&slice->job->dropped))
        return true;
    return slice->until != CLOCK_NONE && (atomic_load(&slice->job->pressed) || clock_mono() >= slice->until);
}

static void drop_changes(struct index_lane *lane) {
    cache_changes_clear(&lane->changes);
    lane->n_taken = 0;
}

void index_lane_close(struct index_lane *lane) {
    drop_changes(lane);
    index_free(lane->index);
    idset_free(lane->ids);
    idset_free(lane->newer);
    free(lane->duplicates.items);
    lane->index = NULL;
    lane->ids = lane->newer = NULL;
    lane->n_newer = 0;
    lane->duplicates.items = NULL;
    lane->duplicates.n = lane->duplicates.cap = 0;
    lane->of = NULL;
    cache_lane_close(&lane->cache);
}

static void need_index(struct index_lane *lane) {
    if (!lane->index) {
        lane->index = index_new();
        lane->ids = idset_new();
        lane->newer = idset_new();
    }
}

/* Rows that the walk gave stay in the index: they would not be given again. */
static void index_lane_begin(struct index_lane *lane, struct cache *cache) {
    need_index(lane);
    index_remove_range(lane->index, INT64_MIN, LOOKUP_WALK_KEYS - 1);
    if (index_count(lane->index) == 0)
        index_clear(lane->index);
    idset_reset(lane->ids);
    idset_reset(lane->newer);
    lane->n_newer = 0;
    lane->duplicates.n = 0;
    drop_changes(lane);
    lane->of = cache;
    lane->from = CACHE_KEY_NEWEST;
    lane->whole = lane->broke_off = false;
    enum err err = cache_data_version(cache, &lane->version, NULL);
    if (err == ERR_OK)
        err = cache_change_last(cache, &lane->change, NULL);
    if (err != ERR_OK)
        lane->change = 0; /* then the whole log is read again */
}

/* A row is identified by its id: one whose created_at changed has two keys until they are made one. */
static void index_lane_note_id(struct index_lane *lane, int64_t key, const struct cells_slice *id) {
    size_t before = id->s && id->len > 0 ? idset_swap(lane->ids, id->s, id->len, (size_t)key) : SIZE_MAX;
    int64_t other = (int64_t)before;
    if (before != SIZE_MAX && other != key && index_has(lane->index, other))
        *vec_add(&lane->duplicates) = (struct duplicates){key, other};
}

/* A row that a later version of the program wrote can be rewritten by this one, when the service sends it again. */
static void index_lane_note_newer(struct index_lane *lane, int64_t key, bool newer) {
    if (!newer && lane->n_newer == 0)
        return;
    bool before = idset_swap(lane->newer, (const char *)&key, sizeof key, newer) == 1;
    lane->n_newer += (size_t)newer - (size_t)before;
}

static void index_lane_put_row(struct index_lane *lane, const struct cache_row *row) {
    struct cells cells;
    int64_t changed = CLOCK_NONE;
    if (cells_read(row->cells, row->cells_len, &cells)) {
        if (cache_changed_at(lane->cache.cache, row->key, &changed, NULL) != ERR_OK)
            changed = CLOCK_NONE;
        struct query_row put = {
            .key = row->key, .cells = &cells, .first_seen = row->seen, .confirmed = row->confirmed, .changed = changed};
        index_put(lane->index, &put);
        index_lane_note_id(lane, row->key, &cells.text[CELLS_ID]);
        index_lane_note_newer(lane, row->key, false);
    } else if (cells_is_newer(row->cells, row->cells_len)) {
        (void)index_remove(lane->index, row->key);
        index_lane_note_newer(lane, row->key, true);
    }
}

static bool index_lane_is_behind(const struct index_lane *lane) {
    return lane->n_taken < lane->changes.n;
}

static bool index_lane_put_change(void *context, const struct cache_row *row) {
    struct index_lane *lane = context;
    if (row->missing) {
        (void)index_remove(lane->index, row->key);
        index_lane_note_newer(lane, row->key, false);
    } else {
        index_lane_put_row(lane, row);
    }
    return true;
}

/* Called while no row is being read. Two rows that cannot be made one stay as they are. */
static void settle_duplicates(struct index_lane *lane) {
    for (size_t i = 0; i < lane->duplicates.n; i++) {
        struct duplicates duplicates = lane->duplicates.items[i];
        int64_t kept;
        if (cache_reconcile(lane->cache.cache, duplicates.a, duplicates.b, clock_now(), &kept, NULL) == ERR_OK) {
            (void)index_remove(lane->index, kept == duplicates.a ? duplicates.b : duplicates.a);
            enum err err = cache_stream_keys(lane->cache.cache, &kept, 1, index_lane_put_change, lane, NULL);
            (void)err;
        }
    }
    lane->duplicates.n = 0;
}

static void take_few(struct index_lane *lane) {
    int64_t keys[FEW_ROWS];
    size_t n = 0;
    for (size_t met = 0; met < FEW_ROWS && index_lane_is_behind(lane); met++) {
        const struct cache_change *change = &lane->changes.items[lane->n_taken++];
        if (change->confirmed != CLOCK_NONE)
            (void)index_confirm(lane->index, change->key, change->confirmed, clock_now());
        else
            keys[n++] = change->key;
    }
    enum err err = cache_stream_keys(lane->cache.cache, keys, n, index_lane_put_change, lane, NULL);
    (void)err; /* a cache that fails gives no newer rows */
    settle_duplicates(lane);
}

/* A removed row is looked up like the others, since it may have come back. However short the slice, some rows are
 * taken. */
static void take_changes(struct index_lane *lane, const struct slice *slice) {
    for (bool over = false; index_lane_is_behind(lane) && !over; over = is_over(slice))
        take_few(lane);
}

/* Takes what any console wrote since the last time: true where something was written. What does not fit in the slice
 * waits for the next. */
static bool catch_up(struct index_lane *lane, const struct slice *slice) {
    struct cache *cache = lane->cache.cache;
    int64_t version;
    bool changed = index_lane_is_behind(lane);
    take_changes(lane, slice);
    if (index_lane_is_behind(lane) || cache_data_version(cache, &version, NULL) != ERR_OK || version == lane->version)
        return changed;
    lane->version = version;
    drop_changes(lane);
    if (cache_changes(cache, lane->change, &lane->changes, NULL) != ERR_OK || lane->changes.rebuild) {
        index_lane_begin(lane, cache);
        return true;
    }
    lane->change = lane->changes.last;
    changed = changed || index_lane_is_behind(lane);
    take_changes(lane, slice);
    return changed;
}

struct filling {
    struct index_lane *lane;
    const struct slice *slice;
    size_t n;
    bool cut;
};

static bool fill_row(void *context, const struct cache_row *row) {
    struct filling *filling = context;
    filling->lane->from = row->key;
    index_lane_put_row(filling->lane, row);
    filling->n++;
    filling->cut = filling->n % FEW_ROWS == 0 && is_over(filling->slice);
    return !filling->cut;
}

/* A cache that fails while it is read is not read again: questions are answered over what there is, and the answers say
 * so. */
static void index_lane_fill(struct index_lane *lane, const struct slice *slice) {
    struct filling filling = {.lane = lane, .slice = slice};
    enum err err = cache_stream_rows(lane->cache.cache, lane->from, fill_row, &filling, NULL);
    lane->broke_off = lane->broke_off || err != ERR_OK;
    lane->whole = err != ERR_OK || !filling.cut;
    settle_duplicates(lane);
}

/* NULL: no cache is to be had, or asked. */
static struct cache *ready(struct index_lane *lane) {
    struct cache *cache = lane->alone ? NULL : cache_lane_usable(&lane->cache);
    if (cache && lane->of != cache)
        index_lane_begin(lane, cache);
    return cache;
}

static void fill_run(struct job *job, void *lane_state) {
    struct fill_work *work = job_work(job, fill_work);
    struct index_lane *lane = lane_state;
    if (work->n > 0)
        cache_lane_written(&lane->cache);
    if (!ready(lane))
        return;
    for (size_t i = 0; i < work->n; i++)
        work->changed = index_confirm(lane->index, work->keys[i], work->now, work->now) || work->changed;
    struct slice slice = {&job->lane, clock_mono() + SLICE_MS};
    work->changed = catch_up(lane, &slice) || work->changed;
    if (work->fills && !lane->whole) {
        index_lane_fill(lane, &slice);
        work->changed = true;
    }
    work->goes_on = !lane->whole || index_lane_is_behind(lane);
}

static void fill_done(struct job *job, void *owner) {
    const struct fill_work *work = job_work(job, fill_work);
    work->more(owner, work->goes_on, work->changed);
}

static void put_walked(struct index_lane *lane, const struct walked_rows *rows) {
    struct cells cells;
    for (size_t i = 0; i < rows->n; i++) {
        const struct walked_row *row = &rows->items[i];
        if (row->len == 0) {
            (void)index_remove(lane->index, row->key);
        } else if (cells_read(rows->cells.s + row->from, row->len, &cells)) {
            struct query_row put = {.key = row->key,
                                    .cells = &cells,
                                    .first_seen = CLOCK_NONE,
                                    .confirmed = row->confirmed,
                                    .changed = CLOCK_NONE};
            index_put(lane->index, &put);
        }
    }
}

/* Where there is no cache, rows from an earlier one leave the index: they would be counted in addition to the same rows
 * of the walk. With a cache the index is filled again. */
static void walked_run(struct job *job, void *lane_state) {
    struct walked_work *work = job_work(job, walked_work);
    struct index_lane *lane = lane_state;
    need_index(lane);
    if (work->rows->alone != lane->alone) {
        index_clear(lane->index);
        lane->alone = work->rows->alone;
        lane->of = NULL;
        drop_changes(lane);
    } else if (work->rows->anew) {
        index_remove_range(lane->index, LOOKUP_WALK_KEYS, INT64_MAX);
    }
    put_walked(lane, work->rows);
    work->filled.whole = lane->alone || (lane->whole && !index_lane_is_behind(lane));
    job_answer(job, EVENT_INDEX, payload_of(index_filled, &work->filled));
}

/* Notes this visit, once, and remembers the time of the one before. */
static void index_lane_note_visit(struct index_lane *lane, const struct lookup *lookup) {
    static const char NAME[] = "visit";
    char *text;
    long long ms;
    if (lane->visited || !lookup->visit)
        return;
    lane->visited = true;
    lane->visit = CLOCK_NONE;
    lane->since = clock_now();
    if (cache_note(lane->cache.cache, NAME, &text, NULL) == ERR_OK && text) {
        lane->visit = str_to_int64(text, strlen(text), &ms) ? ms : CLOCK_NONE;
        lane->since = lane->visit != CLOCK_NONE ? lane->visit : lane->since;
        free(text);
    }
    struct str now;
    str_init(&now, 32);
    str_addf(&now, "%lld", (long long)clock_now());
    enum err err = cache_set_note(lane->cache.cache, NAME, now.s, NULL);
    (void)err; /* then the next visit is compared with the one before this */
    str_clear(&now);
}

static struct lookup_result *index_lane_answer_of(struct job *job, enum event_kind kind) {
    struct lookup_result *found = lookup_result_new();
    job_answer(job, kind, payload_of(lookup_result, found));
    return found;
}

static void lookup_run(struct job *job, void *lane_state) {
    struct lookup *lookup = job_work(job, lookup);
    struct lookup_result *found = index_lane_answer_of(job, EVENT_LOOKUP);
    struct index_lane *lane = lane_state;
    if (lane->alone) {
        struct coverage none = {.as_of = CLOCK_NONE}; /* whoever asks knows how far the walk reaches */
        found->whole = true;
        index_answer(lane, lookup, &none, &job->lane.dropped, found);
        return;
    }
    if (!ready(lane)) {
        (void)error_set(&found->error, ERR_STORE, "there is no cache to look into");
        return;
    }
    struct slice slice = {&job->lane, lookup->whole ? CLOCK_NONE : clock_mono() + QUESTION_MS};
    struct coverage known;
    /* Read before the rows: a walk that another console ends meanwhile confirms rows that the index does not know of
     * yet. */
    coverage_of_query(lane->cache.cache, lookup->query, &lookup->context, lane->broke_off, &known);
    (void)catch_up(lane, &slice);
    index_lane_note_visit(lane, lookup);
    lookup->context.last_visit = lane->visited ? lane->visit : CLOCK_NONE;
    if (lookup->whole && !lane->whole)
        index_lane_fill(lane, &slice);
    found->whole = lane->whole && !lane->broke_off && !index_lane_is_behind(lane);
    found->damaged = (size_t)cache_take_damaged(lane->cache.cache);
    coverage_of_query(lane->cache.cache, lookup->query, &lookup->context, lane->broke_off, &found->coverage);
    found->coverage.newer = lane->n_newer;
    index_answer(lane, lookup, &known, &job->lane.dropped, found);
}

static void index_lane_rows_run(struct job *job, void *lane_state) {
    const struct lookup_keys *ask = job_work(job, lookup_keys);
    struct lookup_result *found = index_lane_answer_of(job, EVENT_LOOKUP_ROWS);
    struct index_lane *lane = lane_state;
    found->rows.first = ask->first;
    if (ready(lane))
        index_read_rows(lane, ask->keys, ask->n, &job->lane.dropped, found);
}

static struct lane_job *fill_job(const struct fill_work *fill) {
    struct fill_work *work = mem_new(sizeof *work);
    *work = *fill;
    struct job *job = job_new(fill_run, 0, payload_of(fill_work, work), NULL);
    job->done = fill_done;
    return &job->lane;
}

struct lane_job *index_fill_job(index_more_fn *more) {
    return fill_job(&(struct fill_work){.more = more, .fills = true});
}

struct lane_job *index_put_job(int64_t *keys, size_t n, index_more_fn *more) {
    return fill_job(&(struct fill_work){.more = more, .keys = keys, .n = n, .now = clock_now()});
}

struct lane_job *index_walked_job(struct walked_rows *rows, event_fn *tell) {
    struct walked_work *work = mem_new(sizeof *work);
    work->rows = rows;
    return job_of(walked_run, 0, payload_of(walked_work, work), tell);
}

struct lane_job *index_lookup_job(uint64_t ticket, struct lookup *lookup, event_fn *tell) {
    return job_of(lookup_run, ticket, payload_of(lookup, lookup), tell);
}

struct lane_job *index_rows_job(uint64_t ticket, struct lookup_keys *keys, event_fn *tell) {
    return job_of(index_lane_rows_run, ticket, payload_of(lookup_keys, keys), tell);
}

bool index_is_of(const struct lane_job *lane, void *ticket) {
    const struct job *job = (const struct job *)lane;
    return (job->run == lookup_run || job->run == index_lane_rows_run) && job_is_of(lane, ticket);
}

void perform_lookup(struct performer *performer, struct effect *effect) {
    lane_push(performer->reads, index_lookup_job(effect->ticket, effect_take(effect, lookup), performer->tell));
    indexing_begin(performer);
}

void perform_walked(struct performer *performer, struct effect *effect) {
    lane_push(performer->reads, index_walked_job(effect_take(effect, walked_rows), performer->tell));
}

void perform_lookup_rows(struct performer *performer, struct effect *effect) {
    lane_push(performer->reads, index_rows_job(effect->ticket, effect_take(effect, lookup_keys), performer->tell));
}

void perform_catch_up(struct performer *performer, struct effect *effect) {
    (void)effect;
    indexing_begin(performer);
}
