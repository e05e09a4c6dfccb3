/* Other intents that findings of one intent rest on, out of the column index on the read lane. */

#include "app/related.h"
#include "index_fill.h"
#include "job.h"

#include "base/clock.h"
#include "index/index.h"

#include <string.h>

enum { READING_MS = 100 };

static void related_take(void *context, const struct finding_other *other) {
    struct related *out = context;
    struct finding_other *to = vec_add(out);
    *to = *other;
    to->id = arena_dup_n(&out->arena, other->id, strlen(other->id));
}

/* One record is not worth waiting for a million others: a small cache is read to its end, of a large one what the index
 * holds by then is looked at. */
static bool related_reads(struct job *job, struct index_lane *lane) {
    struct index_slice slice = {&job->lane, clock_mono() + READING_MS};
    if (lane->alone)
        return true;
    if (!index_lane_ready(lane))
        return false;
    (void)index_fill_catch_up(lane, &slice);
    if (!lane->whole)
        index_fill_rows(lane, &slice);
    return lane->whole && !lane->broke_off && !index_fill_is_behind(lane);
}

static void related_run(struct job *job, void *lane_state) {
    struct index_lane *lane = lane_state;
    const struct lookup_name *ask = job_work(job, lookup_name);
    struct related *out = related_new();
    job_answer(job, EVENT_RELATED, payload_of(related, out));
    out->whole = related_reads(job, lane);
    if (lane->index && ask->id && (lane->alone || lane->of))
        index_others(lane->index, ask->key ? ask->key : cache_key_of(ask->id, ask->ms), ask->id, related_take, out);
    out->whole = out->whole && !index_is_damaged(lane->index);
}

void perform_related(struct performer *performer, struct effect *effect) {
    struct payload name = payload_of(lookup_name, effect_take(effect, lookup_name));
    lane_push(performer->reads, job_of(related_run, effect->ticket, name, performer->tell));
}
