/* Events that were stored, out of their files; and where it is asked for, their intents out of the cache on the read
 * lane. */

#include "app/arrivals.h"
#include "app/idset.h"
#include "cache_lane.h"
#include "job.h"
#include "run/files/arrivals_file.h"

#include "base/clock.h"
#include "base/mem.h"
#include "model/cells.h"

#include <stdlib.h>
#include <string.h>

struct arrivals_work {
    struct arrivals_ask *ask;
    struct arrivals_place place; /* of the program's whole life */
    struct arrivals_memory *memory;
    char *folder;
};
PAYLOAD_TYPE(arrivals_work)

static void arrivals_work_free(struct arrivals_work *work) {
    arrivals_ask_free(work->ask);
    free(work->folder);
    free(work);
}
PAYLOAD_OWNED(arrivals_work, arrivals_work_free);

/* ---- their intents ---- */

/* One pass over the cache, however many are looked for. */
struct arrivals_join {
    struct idset *wanted; /* the first event of an intent, by the intent's id */
    int64_t *keys;        /* by event; 0: not held */
    size_t left;
};

static bool arrivals_join_row(void *context, int64_t key, const void *blob, size_t len) {
    struct arrivals_join *join = context;
    struct cells cells;
    if (!cells_read(blob, len, &cells) || !cells.text[CELLS_ID].s)
        return true;
    size_t at = idset_find(join->wanted, cells.text[CELLS_ID].s, cells.text[CELLS_ID].len);
    if (at != SIZE_MAX && join->keys[at] == 0) {
        join->keys[at] = key;
        join->left--;
    }
    return join->left > 0;
}

static void arrivals_take_row(const struct cache_row *row, struct arrival *arrival) {
    struct cells cells;
    if (row->missing || !cells_read(row->cells, row->cells_len, &cells))
        return;
    const struct cells_slice *status = &cells.text[CELLS_STATUS];
    arrival->held = ARRIVAL_HELD;
    arrival->held_as_of = row->confirmed;
    arrival->held_status = status->s ? mem_dup_n(status->s, status->len) : NULL;
}

static void arrivals_take_held(struct cache *cache, const struct arrivals_join *join, size_t most,
                               struct arrivals *out) {
    struct cache_rows rows;
    for (size_t i = out->n > most ? out->n - most : 0; i < out->n; i++) {
        struct arrival *arrival = out->items[i];
        size_t first = arrival->intent ? idset_find(join->wanted, arrival->intent, strlen(arrival->intent)) : SIZE_MAX;
        arrival->held = arrival->intent ? ARRIVAL_NOT_HELD : ARRIVAL_NOT_ASKED;
        if (first == SIZE_MAX || join->keys[first] == 0)
            continue;
        cache_rows_init(&rows);
        if (cache_get(cache, &join->keys[first], 1, &rows, NULL) == ERR_OK && rows.n > 0)
            arrivals_take_row(&rows.items[0], arrival);
        cache_rows_clear(&rows);
    }
}

static void arrivals_join_newest(struct cache *cache, size_t most, struct arrivals *out) {
    struct arrivals_join join = {.wanted = idset_new(), .keys = mem_new_array(out->n + 1, sizeof *join.keys)};
    for (size_t i = out->n > most ? out->n - most : 0; i < out->n; i++) {
        const char *id = out->items[i]->intent;
        out->items[i]->held = id && !cache ? ARRIVAL_NO_CACHE : ARRIVAL_NOT_ASKED;
        join.left += id && idset_put(join.wanted, id, strlen(id), i);
    }
    enum err err = ERR_OK;
    if (cache && join.left > 0)
        err = cache_stream(cache, CACHE_KEY_NEWEST, arrivals_join_row, &join, NULL);
    if (cache && err == ERR_OK)
        arrivals_take_held(cache, &join, most, out);
    idset_free(join.wanted);
    free(join.keys);
}

/* ---- as a job ---- */

static void arrivals_keep(const char *intent, struct arrivals *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        if (str_equal(list->items[i]->intent, intent))
            list->items[n++] = list->items[i];
        else
            arrival_free(list->items[i]);
    list->n = n;
}

static void arrivals_lane_run(struct job *job, void *lane_state) {
    struct arrivals_work *work = job_work(job, arrivals_work);
    struct arrivals *out = arrivals_new();
    struct arrival *one = NULL;
    job_answer(job, EVENT_ARRIVALS, payload_of(arrivals, out));
    out->stamp = work->ask->n == 0 ? arrivals_file_stamp(&work->place, clock_now()) : 0;
    out->unchanged = out->stamp != 0 && out->stamp == work->ask->known;
    if (out->unchanged)
        return;
    if (work->ask->n == 0)
        arrivals_file_list(&work->place, work->memory, out);
    else if (arrivals_file_read(&work->place, work->ask->n, &one, &out->error) == ERR_OK)
        *vec_add(out) = one;
    if (out->damaged > 0 || out->error.code != ERR_OK)
        out->stamp = 0; /* what cannot be read may be mended in its place */
    arrivals_order(out);
    if (work->ask->intent)
        arrivals_keep(work->ask->intent, out);
    if (work->ask->query)
        arrivals_keep_matching(out, work->ask->query, &work->ask->context);
    if (work->ask->join > 0)
        arrivals_join_newest(cache_lane_usable(lane_state), work->ask->join, out);
}

void perform_arrivals(struct performer *performer, struct effect *effect) {
    struct arrivals_work *work = mem_new(sizeof *work);
    *work =
        (struct arrivals_work){.ask = effect_take(effect, arrivals_ask), .folder = mem_dup(performer->options->folder)};
    work->place = arrivals_place_of(work->folder, performer->options->profile);
    work->memory = performer->arrivals;
    struct lane *lane = work->ask->join > 0 ? performer->reads : performer->pages;
    lane_push(lane, job_of(arrivals_lane_run, effect->ticket, payload_of(arrivals_work, work), performer->tell));
}
