/* Observed changes of one intent, out of the cache on the read lane. */

#include "app/observed.h"
#include "cache_lane.h"
#include "job.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool is_of(const struct cache_row *row, const char *id) {
    struct cells cells;
    return !row->missing && cells_read(row->cells, row->cells_len, &cells) && cells.text[CELLS_ID].s &&
           cells.text[CELLS_ID].len == strlen(id) && memcmp(cells.text[CELLS_ID].s, id, strlen(id)) == 0;
}

/* Where its key should be; else by its id: another intent of the same millisecond can have that key, and the service
 * may have changed the time of creation. */
static enum err observed_lane_find(struct cache *cache, const struct lookup_name *ask, struct cache_rows *rows,
                                   struct error *error) {
    int64_t key = ask->key ? ask->key : cache_key_of(ask->id, ask->ms);
    enum err err = cache_get(cache, &key, 1, rows, error);
    if (err == ERR_OK && (rows->n == 0 || !is_of(&rows->items[0], ask->id))) {
        rows->n = 0;
        err = cache_find(cache, ask->id, rows, error);
    }
    return err;
}

static enum err take_sightings(struct cache *cache, int64_t key, struct observed *out, struct error *error) {
    struct cache_sightings sightings;
    cache_sightings_init(&sightings);
    enum err err = cache_sightings(cache, key, &sightings, error);
    for (size_t i = 0; i < sightings.n; i++) {
        const struct cache_sighting *from = &sightings.items[i];
        struct observed_change *to = vec_add(out);
        *to = (struct observed_change){.seen = from->seen, .field = from->field, .old = from->old, .now = from->now};
    }
    out->arena = sightings.arena;
    sightings.arena = (struct arena){0};
    cache_sightings_clear(&sightings);
    return err;
}

static void observed_lane_run(struct job *job, void *lane_state) {
    struct cache *cache = cache_lane_usable(lane_state);
    struct observed *out = observed_new();
    job_answer(job, EVENT_OBSERVED, payload_of(observed, out));
    struct cache_rows rows;
    if (!cache) {
        (void)error_set(&out->error, ERR_STORE, "there is no cache to look into");
        return;
    }
    cache_rows_init(&rows);
    enum err err = observed_lane_find(cache, job_work(job, lookup_name), &rows, &out->error);
    if (err == ERR_OK && rows.n > 0) {
        out->held = true;
        out->first_seen = rows.items[0].seen;
        out->confirmed = rows.items[0].confirmed;
        err = take_sightings(cache, rows.items[0].key, out, &out->error);
    }
    cache_rows_clear(&rows);
    (void)err; /* the error in the answer tells it */
}

void perform_observed(struct performer *performer, struct effect *effect) {
    struct payload name = payload_of(lookup_name, effect_take(effect, lookup_name));
    lane_push(performer->reads, job_of(observed_lane_run, effect->ticket, name, performer->tell));
}
