/* What the mirror asks of the cache, on the page lane: behind the pages that it stored before. */
#include "mirror_lane.h"

#include "app/mirror.h"
#include "cache_lane.h"
#include "coverage_of.h"
#include "job.h"

#include "base/mem.h"
#include "wire/page.h"

#include <stdlib.h>

static enum err add_place(struct cache *cache, const char *filter, struct mirror_held *out, struct error *error) {
    struct cache_mirrored walk;
    enum err err = cache_mirrored(cache, filter, &walk, error);
    struct mirror_place *place = vec_add(out);
    *place = (struct mirror_place){.pages = walk.pages,
                                   .rows = walk.rows + walk.loose,
                                   .next = walk.next,
                                   .next_is_url = walk.next && wire_is_link(walk.next),
                                   .whole = walk.whole};
    return err;
}

static enum err add_places(struct cache *cache, const struct mirror_ask *ask, struct mirror_held *out,
                           struct error *error) {
    enum err err = ERR_OK;
    for (size_t i = 0; i < ask->n && err == ERR_OK; i++)
        err = add_place(cache, ask->filters[i], out, error);
    return err;
}

static enum err note_plan(struct cache *cache, const struct mirror_ask *ask, struct mirror_held *out,
                          struct error *error) {
    const char *const *filters = (const char *const *)ask->filters;
    enum err err = ask->keeps ? ERR_OK : cache_mirror_drop(cache, filters, ask->n, error);
    if (err == ERR_OK)
        err = cache_set_note(cache, MIRROR_PLAN_NOTE, ask->plan, error);
    return err == ERR_OK ? add_places(cache, ask, out, error) : err;
}

static enum err join_walks(struct cache *cache, const struct mirror_ask *ask, struct mirror_held *out,
                           struct error *error) {
    enum err err =
        cache_mirror_join(cache, (const char *const *)ask->filters + ask->first, ask->joined, &out->joined, error);
    if (err != ERR_OK || !out->joined)
        return err;
    struct server_filter all = {0};
    int64_t rows = 0;
    err = cache_set_note(cache, MIRROR_PLAN_NOTE, NULL, error);
    /* What the other walks hold is in those that were joined. */
    for (size_t i = 0; i < ask->n && err == ERR_OK; i++)
        if (i < ask->first || i >= ask->first + ask->joined)
            err = cache_mirror_drop(cache, (const char *const *)ask->filters + i, 1, error);
    if (err == ERR_OK)
        err = cache_count(cache, &rows, error);
    out->rows = rows;
    coverage_of(cache, &all, false, &out->coverage);
    return err;
}

static enum err answer_ask(struct cache *cache, const struct mirror_ask *ask, struct mirror_held *out,
                           struct error *error) {
    enum err err = ERR_OK;
    switch (ask->task) {
    case MIRROR_LOOK:
        err = cache_note(cache, MIRROR_PLAN_NOTE, &out->plan, error);
        return err == ERR_OK ? cache_note(cache, MIRROR_SPENT_NOTE, &out->spent, error) : err;
    case MIRROR_PLAN:
        return note_plan(cache, ask, out, error);
    case MIRROR_PLACES:
        return add_places(cache, ask, out, error);
    case MIRROR_JOIN:
        return join_walks(cache, ask, out, error);
    }
    return err;
}

/* What this program holds in memory of the file may be sound where the disk is not: the last look is at the disk. */
static struct cache *cache_for(struct cache_lane *lane, enum mirror_task task) {
    if (task == MIRROR_JOIN)
        cache_lane_anew(lane);
    return task == MIRROR_LOOK ? cache_lane_usable(lane) : cache_lane_store_kept(lane);
}

static void mirror_run(struct job *job, void *lane_state) {
    struct mirror_held *out = mem_new(sizeof *out);
    struct cache *cache = cache_for(lane_state, job_work(job, mirror_ask)->task);
    job_answer(job, EVENT_MIRROR, payload_of(mirror_held, out));
    out->usable = cache != NULL;
    out->writable = cache && !cache_is_read_only(cache);
    if (!out->writable)
        return;
    enum err err = answer_ask(cache, job_work(job, mirror_ask), out, &out->error);
    (void)err; /* the error in the answer tells it */
}

void perform_mirror(struct performer *performer, struct effect *effect) {
    struct payload ask = payload_of(mirror_ask, effect_take(effect, mirror_ask));
    lane_push(performer->pages, job_of(mirror_run, effect->ticket, ask, performer->tell));
}
