#include "index_keep.h"
#include "job.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLICE_MS = 4,     /* of writing, between two questions */
    ROWS_MIN = 1000,  /* fewer are filled sooner than a file is worth */
    STALE_MIN = 4096, /* changes that are caught up at a start without being noticed, */
    STALE_PART = 16,  /* and this part of the rows */
    TAIL_BITS = 20,   /* of a key: where its id puts it (store/cache.h, Keys) */
    TAILS = 1 << TAIL_BITS,
    SLOTS = 64, /* of one id, from there on */
    WORD_BITS = 64,
    PATH_BYTES = 8192
};

static struct index *open_kept(struct cache *cache, struct index_stamp *stamp) {
    char identity[CACHE_IDENTITY_MAX];
    struct str path;
    uint64_t mark = 0;
    bool there = false;
    str_init(&path, PATH_BYTES);
    cache_index_path(cache, &path);
    struct index *index = NULL;
    if (cache_identity(cache, false, identity, NULL) == ERR_OK && *identity && !path.truncated)
        index = index_open(path.s, identity, stamp);
    /* A cache that was put back from a copy may count its changes a second time. */
    if (index &&
        (cache_change_mark(cache, stamp->change, &mark, &there, NULL) != ERR_OK || !there || mark != stamp->mark)) {
        index_free(index);
        index = NULL;
    }
    str_clear(&path);
    return index;
}

bool index_keep_take(struct index_lane *lane, struct cache *cache) {
    struct index_stamp stamp;
    struct index *index = lane->keep.refused ? NULL : open_kept(cache, &stamp);
    if (!index)
        return false;
    index_copy_range(lane->index, LOOKUP_WALK_KEYS, INT64_MAX, index);
    index_free(lane->index);
    lane->index = index;
    lane->change = stamp.change;
    lane->keep.taken = lane->keep.uncounted = true;
    lane->keep.gone = false;
    lane->keep.stale = 0;
    return true;
}

static void end_saving(struct index_lane *lane) {
    index_save_free(lane->keep.save);
    lane->keep.save = NULL;
}

void index_keep_drop(struct index_lane *lane) {
    end_saving(lane);
    lane->keep.taken = lane->keep.uncounted = false;
    lane->keep.tails.n = 0;
}

void index_keep_refuse(struct index_lane *lane) {
    if (lane->keep.taken && lane->cache.cache)
        cache_index_remove(lane->cache.cache);
    lane->keep.refused = lane->keep.refused || lane->keep.taken;
}

void index_keep_note_changes(struct index_lane *lane) {
    lane->keep.stale += lane->changes.n;
    for (size_t i = 0; i < lane->changes.n; i++)
        lane->keep.gone = lane->keep.gone || lane->changes.items[i].gone;
}

void index_keep_note_id(struct index_lane *lane, const struct cells_slice *id) {
    if (!lane->keep.taken || !id->s || id->len == 0)
        return;
    char *text = mem_dup_n(id->s, id->len);
    *vec_add(&lane->keep.tails) = (uint32_t)(-(uint64_t)cache_key_of(text, 0) & (TAILS - 1));
    free(text);
}

void index_keep_meet(struct index_lane *lane, index_each_id *each) {
    if (lane->keep.tails.n == 0)
        return;
    uint64_t *wanted = mem_new_array(TAILS / WORD_BITS, sizeof *wanted);
    for (size_t i = 0; i < lane->keep.tails.n; i++)
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            uint32_t tail = (lane->keep.tails.items[i] + slot) & (TAILS - 1);
            wanted[tail / WORD_BITS] |= UINT64_C(1) << tail % WORD_BITS;
        }
    lane->keep.tails.n = 0;
    index_like(lane->index, wanted, each, lane);
    free(wanted);
}

bool index_keep_is_caught_up(struct index_lane *lane) {
    int64_t version;
    return cache_data_version(lane->cache.cache, &version, NULL) == ERR_OK && version == lane->version;
}

static bool is_counted(struct index_lane *lane) {
    int64_t rows;
    return cache_count(lane->cache.cache, &rows, NULL) == ERR_OK &&
           (uint64_t)rows == index_count_upto(lane->index, LOOKUP_WALK_KEYS - 1) + lane->n_newer;
}

/* Counted at one moment, or not yet. */
bool index_keep_counts(struct index_lane *lane) {
    if (!lane->keep.uncounted)
        return true;
    bool same = is_counted(lane), now = index_keep_is_caught_up(lane);
    lane->keep.uncounted = !now;
    return same || !now;
}

bool index_keep_is_unsaved(struct index_lane *lane) {
    const struct cache *cache = lane->cache.cache;
    size_t rows = lane->index && cache && lane->of == cache && !lane->alone ? index_count(lane->index) : 0;
    bool done = lane->whole && !lane->broke_off && lane->n_taken == lane->changes.n && lane->duplicates.n == 0 &&
                lane->keep.tails.n == 0 && lane->n_newer == 0;
    if (rows < ROWS_MIN || !done || cache_is_read_only(cache) || index_is_damaged(lane->index))
        return false;
    bool stale = !lane->keep.taken || lane->keep.gone || lane->keep.stale > STALE_MIN + rows / STALE_PART;
    return stale && index_keep_is_caught_up(lane) && is_counted(lane);
}

static struct index_save *begin_saving(struct index_lane *lane) {
    struct cache *cache = lane->cache.cache;
    struct index_stamp stamp = {.change = lane->change};
    struct str path;
    bool there = false;
    if (!index_keep_is_unsaved(lane) || cache_identity(cache, true, stamp.identity, NULL) != ERR_OK ||
        !*stamp.identity || cache_change_mark(cache, stamp.change, &stamp.mark, &there, NULL) != ERR_OK || !there)
        return NULL;
    str_init(&path, PATH_BYTES);
    cache_index_path(cache, &path);
    struct index_save *save = path.truncated ? NULL : index_save_new(lane->index, path.s, LOOKUP_WALK_KEYS - 1, &stamp);
    str_clear(&path);
    return save;
}

/* What was written is mapped in the place of what it was made of. */
static void take_saved(struct index_lane *lane) {
    end_saving(lane);
    lane->keep.refused = false;
    lane->cache.let_go = false;
    if (index_keep_take(lane, lane->cache.cache))
        index_lane_forget_ids(lane);
}

/* A step is not taken once another program wrote: a purge removes the file, and must not meet it again. True: there is
 * more to do. */
static bool save_some(struct index_lane *lane, const struct lane_job *job) {
    int64_t until = clock_mono() + SLICE_MS;
    enum index_saving saving = INDEX_SAVING;
    while (saving == INDEX_SAVING) {
        saving = index_keep_is_caught_up(lane) ? index_save_step(lane->keep.save) : INDEX_NOT_SAVED;
        if (saving == INDEX_SAVING && job && (atomic_load(&job->pressed) || clock_mono() >= until))
            return !atomic_load(&job->dropped);
    }
    if (saving == INDEX_SAVED)
        take_saved(lane);
    end_saving(lane);
    return false;
}

struct save_work {
    index_saved_fn *more;
    bool goes_on;
};
PAYLOAD_TYPE(save_work)

static void save_work_free(struct save_work *work) {
    free(work);
}
PAYLOAD_OWNED(save_work, save_work_free);

static void save_run(struct job *job, void *lane_state) {
    struct save_work *work = job_work(job, save_work);
    struct index_lane *lane = lane_state;
    lane->keep.save = lane->keep.save ? lane->keep.save : begin_saving(lane);
    work->goes_on = lane->keep.save && save_some(lane, &job->lane);
}

static void save_done(struct job *job, void *owner) {
    const struct save_work *work = job_work(job, save_work);
    work->more(owner, work->goes_on);
}

struct lane_job *index_save_job(index_saved_fn *more) {
    struct save_work *work = mem_new(sizeof *work);
    work->more = more;
    struct job *job = job_new(save_run, 0, payload_of(save_work, work), NULL);
    job->done = save_done;
    return &job->lane;
}

void index_keep_close(struct index_lane *lane) {
    if (lane->saves_at_end && (lane->keep.save || (lane->keep.save = begin_saving(lane))))
        (void)save_some(lane, NULL);
    index_keep_drop(lane);
    lane->cache.let_go = lane->cache.let_go || lane->keep.gone;
    free(lane->keep.tails.items);
    lane->keep = (struct index_keep){.refused = false};
}
