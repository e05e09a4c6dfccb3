#include "index_fill.h"
#include "index_keep.h"
#include "judged_cells.h"

#include "app/idset.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

enum { FEW_ROWS = 16 /* rows between two checks of the clock and of `dropped` */ };

static bool is_over(const struct index_slice *slice) {
    if (atomic_load(&slice->job->dropped))
        return true;
    return slice->until != CLOCK_NONE && (atomic_load(&slice->job->pressed) || clock_mono() >= slice->until);
}

void index_fill_drop_changes(struct index_lane *lane) {
    cache_changes_clear(&lane->changes);
    lane->n_taken = 0;
}

void index_lane_forget_ids(struct index_lane *lane) {
    idset_reset(lane->ids);
}

void index_fill_need(struct index_lane *lane) {
    if (!lane->index) {
        lane->index = index_new();
        lane->ids = idset_new();
        lane->newer = idset_new();
    }
}

/* Rows that the walk gave stay in the index: they would not be given again. */
static void renew_index(struct index_lane *lane) {
    struct index *index = index_new();
    index_copy_range(lane->index, LOOKUP_WALK_KEYS, INT64_MAX, index);
    index_free(lane->index);
    lane->index = index;
}

void index_fill_begin(struct index_lane *lane, struct cache *cache) {
    index_fill_need(lane);
    index_keep_drop(lane);
    renew_index(lane);
    idset_reset(lane->ids);
    idset_reset(lane->newer);
    lane->n_newer = 0;
    lane->duplicates.n = 0;
    index_fill_drop_changes(lane);
    lane->of = cache;
    lane->from = CACHE_KEY_NEWEST;
    lane->whole = lane->broke_off = false;
    if (index_keep_take(lane, cache)) {
        lane->whole = true;
        lane->version = INT64_MIN; /* none yet: what was written since the file is caught up */
        return;
    }
    enum err err = cache_data_version(cache, &lane->version, NULL);
    if (err == ERR_OK)
        err = cache_change_last(cache, &lane->change, NULL);
    if (err != ERR_OK)
        lane->change = 0; /* then the whole log is read again */
}

void index_fill_without_file(struct index_lane *lane) {
    index_keep_refuse(lane);
    index_fill_begin(lane, lane->cache.cache);
}

/* A row is identified by its id: one whose created_at changed has two keys until they are made one. */
static void meet_id(struct index_lane *lane, int64_t key, const struct cells_slice *id) {
    size_t before = id->s && id->len > 0 ? idset_swap(lane->ids, id->s, id->len, (size_t)key) : SIZE_MAX;
    int64_t other = (int64_t)before;
    if (before != SIZE_MAX && other != key && index_has(lane->index, other))
        *vec_add(&lane->duplicates) = (struct duplicates){key, other};
}

/* A row that a later version of the program wrote can be rewritten by this one, when the service sends it again. */
static void index_fill_note_newer(struct index_lane *lane, int64_t key, bool newer) {
    if (!newer && lane->n_newer == 0)
        return;
    bool before = idset_swap(lane->newer, (const char *)&key, sizeof key, newer) == 1;
    lane->n_newer += (size_t)newer - (size_t)before;
}

static void index_fill_note_id(struct index_lane *lane, int64_t key, const struct cells_slice *id) {
    index_keep_note_id(lane, id);
    meet_id(lane, key, id);
}

/* Of a row that may have the id of one that was put since. */
static void meet_again(void *context, int64_t key, const char *id, size_t len) {
    struct index_lane *lane = context;
    if (idset_find(lane->ids, id, len) != SIZE_MAX)
        meet_id(lane, key, &(struct cells_slice){id, len});
}

static void index_fill_put_row(struct index_lane *lane, const struct cache_row *row) {
    struct cells cells;
    int64_t changed = CLOCK_NONE;
    if (judged_cells_read(row, &cells)) {
        if (cache_changed_at(lane->cache.cache, row->key, &changed, NULL) != ERR_OK)
            changed = CLOCK_NONE;
        struct query_row put = {
            .key = row->key, .cells = &cells, .first_seen = row->seen, .confirmed = row->confirmed, .changed = changed};
        if (changed != CLOCK_NONE && cache_transitions(lane->cache.cache, row->key, &put.transitions, NULL) != ERR_OK)
            put.transitions = 0;
        index_put(lane->index, &put);
        index_fill_note_id(lane, row->key, &cells.text[CELLS_ID]);
        index_fill_note_newer(lane, row->key, false);
    } else if (cells_is_newer(row->cells, row->cells_len)) {
        (void)index_remove(lane->index, row->key);
        index_fill_note_newer(lane, row->key, true);
    }
}

bool index_fill_is_behind(const struct index_lane *lane) {
    return lane->n_taken < lane->changes.n;
}

static bool index_fill_put_change(void *context, const struct cache_row *row) {
    struct index_lane *lane = context;
    if (row->missing) {
        (void)index_remove(lane->index, row->key);
        index_fill_note_newer(lane, row->key, false);
    } else {
        index_fill_put_row(lane, row);
    }
    return true;
}

/* Called while no row is being read. Two rows that cannot be made one stay as they are. */
static void settle_duplicates(struct index_lane *lane) {
    for (size_t i = 0; i < lane->duplicates.n && !lane->twins_stay; i++) {
        struct duplicates duplicates = lane->duplicates.items[i];
        int64_t kept;
        if (cache_reconcile(lane->cache.cache, duplicates.a, duplicates.b, clock_now(), &kept, NULL) == ERR_OK) {
            (void)index_remove(lane->index, kept == duplicates.a ? duplicates.b : duplicates.a);
            enum err err = cache_stream_keys(lane->cache.cache, &kept, 1, index_fill_put_change, lane, NULL);
            (void)err;
        }
    }
    lane->duplicates.n = lane->twins_stay ? lane->duplicates.n : 0;
}

static void take_few(struct index_lane *lane) {
    int64_t keys[FEW_ROWS];
    size_t n = 0;
    for (size_t met = 0; met < FEW_ROWS && index_fill_is_behind(lane); met++) {
        const struct cache_change *change = &lane->changes.items[lane->n_taken++];
        if (change->confirmed != CLOCK_NONE)
            (void)index_confirm(lane->index, change->key, change->confirmed, clock_now());
        else
            keys[n++] = change->key;
    }
    enum err err = cache_stream_keys(lane->cache.cache, keys, n, index_fill_put_change, lane, NULL);
    (void)err; /* a cache that fails gives no newer rows */
    settle_duplicates(lane);
}

/* A removed row is looked up like the others, since it may have come back. However short the slice, some rows are
 * taken. */
static void take_changes(struct index_lane *lane, const struct index_slice *slice) {
    for (bool over = false; index_fill_is_behind(lane) && !over; over = is_over(slice))
        take_few(lane);
    index_keep_meet(lane, meet_again);
    settle_duplicates(lane);
}

static bool catch_up_log(struct index_lane *lane, const struct index_slice *slice) {
    struct cache *cache = lane->cache.cache;
    int64_t version;
    bool changed = index_fill_is_behind(lane);
    take_changes(lane, slice);
    if (index_fill_is_behind(lane) || cache_data_version(cache, &version, NULL) != ERR_OK || version == lane->version)
        return changed;
    lane->version = version;
    index_fill_drop_changes(lane);
    if (cache_changes(cache, lane->change, &lane->changes, NULL) != ERR_OK || lane->changes.rebuild) {
        index_fill_without_file(lane);
        return true;
    }
    lane->change = lane->changes.last;
    index_keep_note_changes(lane);
    changed = changed || index_fill_is_behind(lane);
    take_changes(lane, slice);
    return changed;
}

bool index_fill_catch_up(struct index_lane *lane, const struct index_slice *slice) {
    bool changed = catch_up_log(lane, slice);
    bool sound = !index_is_damaged(lane->index) && (index_fill_is_behind(lane) || index_keep_counts(lane));
    if (!sound)
        index_fill_without_file(lane);
    return changed || !sound;
}

struct filling {
    struct index_lane *lane;
    const struct index_slice *slice;
    size_t n;
    bool cut;
};

static bool fill_row(void *context, const struct cache_row *row) {
    struct filling *filling = context;
    filling->lane->from = row->key;
    index_fill_put_row(filling->lane, row);
    filling->n++;
    filling->cut = filling->n % FEW_ROWS == 0 && is_over(filling->slice);
    return !filling->cut;
}

void index_fill_rows(struct index_lane *lane, const struct index_slice *slice) {
    struct filling filling = {.lane = lane, .slice = slice};
    enum err err = cache_stream_rows(lane->cache.cache, lane->from, fill_row, &filling, NULL);
    lane->broke_off = lane->broke_off || err != ERR_OK;
    lane->whole = err != ERR_OK || !filling.cut;
    settle_duplicates(lane);
}
