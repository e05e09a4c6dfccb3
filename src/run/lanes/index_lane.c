#include "index_lane.h"
#include "coverage_of.h"
#include "index_answer.h"
#include "index_fill.h"
#include "index_keep.h"
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
    SLICE_MS = 4,       /* ms of filling or catching up between two questions */
    QUESTION_MS = 1,    /* ms of catching up before an answer: the rest is done after it */
    NEAR_CHANGES = 200, /* entries of the log: a second's worth, where another way is open */
};

/* A slice of filling or catching up, or rows that were just stored. */
struct fill_work {
    index_more_fn *more;
    int64_t *keys;
    size_t n;
    int64_t now;
    bool fills, goes_on, changed, unsaved;
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

void index_lane_close(struct index_lane *lane) {
    index_keep_close(lane);
    index_fill_drop_changes(lane);
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

struct cache *index_lane_ready(struct index_lane *lane) {
    struct cache *cache = lane->alone ? NULL : cache_lane_usable(&lane->cache);
    if (cache && lane->of != cache)
        index_fill_begin(lane, cache);
    return cache;
}

/* The index is of a file that turned out to be damaged, or was replaced. The next question opens it anew; until then
 * the rows of an answer are read where the answer was. */
static bool is_of_old_file(const struct index_lane *lane) {
    return lane->cache.cache && lane->of == lane->cache.cache && cache_must_reopen(lane->cache.cache);
}

static void fill_run(struct job *job, void *lane_state) {
    struct fill_work *work = job_work(job, fill_work);
    struct index_lane *lane = lane_state;
    if (work->n > 0)
        cache_lane_written(&lane->cache);
    if (is_of_old_file(lane) || !index_lane_ready(lane))
        return;
    for (size_t i = 0; i < work->n; i++)
        work->changed = index_confirm(lane->index, work->keys[i], work->now, work->now) || work->changed;
    struct index_slice slice = {&job->lane, clock_mono() + SLICE_MS};
    work->changed = index_fill_catch_up(lane, &slice) || work->changed;
    if (work->fills && !lane->whole) {
        index_fill_rows(lane, &slice);
        work->changed = true;
    }
    work->goes_on = !lane->whole || index_fill_is_behind(lane);
    work->unsaved = !work->goes_on && index_keep_is_unsaved(lane);
}

static void fill_done(struct job *job, void *owner) {
    const struct fill_work *work = job_work(job, fill_work);
    work->more(owner, work->goes_on, work->changed, work->unsaved);
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
    index_fill_need(lane);
    if (work->rows->alone != lane->alone) {
        index_keep_drop(lane);
        index_clear(lane->index);
        lane->alone = work->rows->alone;
        lane->of = NULL;
        index_fill_drop_changes(lane);
    } else if (work->rows->anew) {
        index_remove_range(lane->index, LOOKUP_WALK_KEYS, INT64_MAX);
    }
    put_walked(lane, work->rows);
    if (index_is_damaged(lane->index) && lane->cache.cache) {
        index_fill_without_file(lane);
        put_walked(lane, work->rows);
    }
    work->filled.whole = lane->alone || (lane->whole && !index_fill_is_behind(lane));
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

/* A question that is asked of a file alone is not worth reading much. */
static bool is_near(struct index_lane *lane) {
    int64_t last;
    return lane->keep.taken && cache_change_last(lane->cache.cache, &last, NULL) == ERR_OK &&
           last - lane->change <= NEAR_CHANGES;
}

static bool is_at_hand(const struct index_lane *lane) {
    return lane->keep.taken && lane->whole && !lane->broke_off && !index_fill_is_behind(lane) &&
           lane->duplicates.n == 0 && lane->n_newer == 0;
}

/* A row that the index has and the cache has not, while nobody has written since the index took in all changes, was not
 * removed: damage took it. A file of the index that still has it would hide that from whoever comes next. */
static size_t tell_holes(struct index_lane *lane, struct lookup_result *found) {
    const struct lookup_rows *rows = &found->rows;
    size_t holes = 0;
    if (lane->alone || !lane->index || found->coverage.broke_off)
        return 0;
    for (size_t i = 0; i < rows->n; i++)
        holes += !rows->items[i].intent && !lookup_is_walked(rows->items[i].key) &&
                 index_has(lane->index, rows->items[i].key);
    if (holes <= found->damaged || index_fill_is_behind(lane) || !index_keep_is_caught_up(lane))
        return 0;
    found->damaged = holes;
    index_keep_refuse(lane);
    return holes;
}

static void lookup_answer(struct job *job, struct index_lane *lane, struct lookup *lookup) {
    struct lookup_result *found = index_lane_answer_of(job, EVENT_LOOKUP);
    struct index_slice slice = {&job->lane, lookup->whole ? CLOCK_NONE : clock_mono() + QUESTION_MS};
    struct coverage known;
    found->absent = lookup->at_hand && !is_near(lane);
    if (found->absent)
        return;
    /* Read before the rows: a walk that another console ends meanwhile confirms rows that the index does not know of
     * yet. */
    coverage_of_query(lane->cache.cache, lookup->query, &lookup->context, lane->broke_off, &known);
    lane->twins_stay = lookup->at_hand;
    (void)index_fill_catch_up(lane, &slice);
    lane->twins_stay = false;
    found->absent = lookup->at_hand && !is_at_hand(lane);
    if (found->absent)
        return;
    index_lane_note_visit(lane, lookup);
    lookup->context.last_visit = lane->visited ? lane->visit : CLOCK_NONE;
    if (lookup->whole && !lane->whole)
        index_fill_rows(lane, &slice);
    found->whole = lane->whole && !lane->broke_off && !index_fill_is_behind(lane);
    found->damaged = (size_t)cache_take_damaged(lane->cache.cache);
    coverage_of_query(lane->cache.cache, lookup->query, &lookup->context, lane->broke_off, &found->coverage);
    found->coverage.newer = lane->n_newer;
    index_answer(lane, lookup, &known, &job->lane.dropped, found);
}

/* Damage of the file is met while it is read: then the question is answered again, of what the cache gives. */
static void lookup_run(struct job *job, void *lane_state) {
    struct lookup *lookup = job_work(job, lookup);
    struct index_lane *lane = lane_state;
    if (lane->alone) {
        struct coverage none = {.as_of = CLOCK_NONE}; /* whoever asks knows how far the walk reaches */
        struct lookup_result *found = index_lane_answer_of(job, EVENT_LOOKUP);
        found->whole = true;
        index_answer(lane, lookup, &none, &job->lane.dropped, found);
        return;
    }
    if (!(lookup->steady && is_of_old_file(lane)) && !index_lane_ready(lane)) {
        (void)error_set(&index_lane_answer_of(job, EVENT_LOOKUP)->error, ERR_STORE, "there is no cache to look into");
        return;
    }
    bool follows = lookup->shown != NULL;
    lookup_answer(job, lane, lookup);
    bool taken = lane->keep.taken;
    bool holed = tell_holes(lane, payload_get(&job->answer.payload, lookup_result)) > 0 && taken;
    if (!holed && !index_is_damaged(lane->index))
        return;
    struct lookup_result *failed = payload_get(&job->answer.payload, lookup_result);
    if (follows && !lookup->shown) { /* the answer took them */
        lookup->shown = failed->keys;
        failed->keys = NULL;
    }
    if (failed->match) {
        lookup->match = failed->match;
        failed->match = NULL;
    }
    if (failed->gather) {
        lookup->gather = failed->gather;
        failed->gather = NULL;
    }
    index_fill_without_file(lane);
    lookup_answer(job, lane, lookup);
}

static void index_lane_rows_run(struct job *job, void *lane_state) {
    const struct lookup_keys *ask = job_work(job, lookup_keys);
    struct lookup_result *found = index_lane_answer_of(job, EVENT_LOOKUP_ROWS);
    struct index_lane *lane = lane_state;
    found->rows.first = ask->first;
    if (is_of_old_file(lane) || index_lane_ready(lane))
        index_read_rows(lane, ask->keys, ask->n, &job->lane.dropped, found);
    (void)tell_holes(lane, found);
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

void perform_gather(struct performer *performer, struct effect *effect) {
    perform_lookup(performer, effect);
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
