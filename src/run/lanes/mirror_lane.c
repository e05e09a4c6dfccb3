/* What the mirror asks of the cache, on the page lane: behind the pages that it stored before. */
#include "mirror_lane.h"

#include "app/mirror.h"
#include "cache_lane.h"
#include "coverage_of.h"
#include "job.h"

#include "base/clock.h"
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

/* How many rows of the list the cache has, and how far they reach. */
static void cover(struct cache *cache, struct mirror_held *out) {
    struct server_filter all = {0};
    int64_t rows = 0, left = 0;
    out->rows = cache_count(cache, &rows, NULL) == ERR_OK ? rows : 0;
    coverage_of(cache, &all, false, &out->coverage);
    int64_t before = coverage_left_before(&out->coverage);
    if (before != INT64_MIN && cache_count_older(cache, before, &left, NULL) == ERR_OK && left <= out->rows) {
        out->rows -= left;
        out->coverage.unlisted = (size_t)left;
    }
}

static enum err note_whole(struct cache *cache, int64_t as_of, int64_t ground, struct error *error) {
    struct str text;
    str_init(&text, 64);
    mirror_note_text(as_of, ground, &text);
    enum err err = cache_set_note(cache, MIRROR_WHOLE_NOTE, ground != 0 ? text.s : NULL, error);
    str_clear(&text);
    return err;
}

struct left {
    const struct mirror_ask *ask;
    int64_t oldest;
};

static bool look_if_left(void *context, const struct cache_row *row) {
    struct left *left = context;
    struct cells cells;
    if (row->confirmed < left->ask->from || row->confirmed >= left->ask->until ||
        !cells_read(row->cells, row->cells_len, &cells))
        return true;
    const struct cells_slice *status = &cells.text[CELLS_STATUS];
    bool open = status->s && mirror_is_open_status(status->s, status->len);
    if (open && cells.created_ms < left->oldest)
        left->oldest = cells.created_ms;
    return true;
}

/* An intent that an earlier pass had looked for in vain is gone: it was not served since. */
static enum err find_left(struct cache *cache, const struct mirror_ask *ask, struct mirror_held *out,
                          struct error *error) {
    struct left left = {ask, INT64_MAX};
    enum err err = cache_stream_rows(cache, CACHE_KEY_NEWEST, look_if_left, &left, error);
    out->looked = err == ERR_OK;
    out->left = left.oldest == INT64_MAX ? CLOCK_NONE : left.oldest;
    return err;
}

static enum err is_caught(struct cache *cache, const struct mirror_ask *ask, bool *held, struct error *error) {
    struct cache_mirrored list, open = {0};
    struct cache_whole whole = {0};
    enum err err = cache_mirrored(cache, ask->filters[0], &list, error);
    *held = err == ERR_OK && (size_t)list.pages >= ask->pages;
    free(list.next);
    if (*held)
        err = cache_mirrored(cache, ask->filters[1], &open, error);
    *held = *held && err == ERR_OK && open.whole;
    free(open.next);
    if (*held)
        err = cache_whole(cache, "", &whole, error);
    *held = *held && err == ERR_OK && whole.known;
    return err;
}

static enum err note_caught(struct cache *cache, const struct mirror_ask *ask, struct mirror_held *out,
                            struct error *error) {
    bool held;
    enum err err = is_caught(cache, ask, &held, error);
    if (err != ERR_OK || !held)
        return err;
    err = note_whole(cache, ask->until, ask->ground, error);
    if (err == ERR_OK)
        err = cache_set_note(cache, MIRROR_PLAN_NOTE, NULL, error);
    if (err == ERR_OK)
        err = cache_mirror_drop(cache, (const char *const *)ask->filters, ask->n, error);
    out->joined = err == ERR_OK;
    cover(cache, out);
    return err;
}

static enum err join_walks(struct cache *cache, const struct mirror_ask *ask, struct mirror_held *out,
                           struct error *error) {
    enum err err =
        cache_mirror_join(cache, (const char *const *)ask->filters + ask->first, ask->joined, &out->joined, error);
    if (err != ERR_OK || !out->joined)
        return err;
    err = cache_set_note(cache, MIRROR_PLAN_NOTE, NULL, error);

    /* What the other walks hold is in those that were joined. */
    for (size_t i = 0; i < ask->n && err == ERR_OK; i++)
        if (i < ask->first || i >= ask->first + ask->joined)
            err = cache_mirror_drop(cache, (const char *const *)ask->filters + i, 1, error);
    cover(cache, out);
    return err == ERR_OK ? note_whole(cache, out->coverage.as_of, ask->ground, error) : err;
}

static enum err answer_ask(struct cache *cache, const struct mirror_ask *ask, struct mirror_held *out,
                           struct error *error) {
    enum err err = ERR_OK;
    switch (ask->task) {
    case MIRROR_LOOK:
        err = cache_note(cache, MIRROR_PLAN_NOTE, &out->plan, error);
        if (err == ERR_OK)
            err = cache_note(cache, MIRROR_SPENT_NOTE, &out->spent, error);
        cover(cache, out);
        return err == ERR_OK ? cache_note(cache, MIRROR_WHOLE_NOTE, &out->whole, error) : err;
    case MIRROR_LEFT:
        return find_left(cache, ask, out, error);
    case MIRROR_CAUGHT:
        return note_caught(cache, ask, out, error);
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
    if (task == MIRROR_JOIN || task == MIRROR_CAUGHT)
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
