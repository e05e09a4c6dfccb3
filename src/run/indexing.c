#include "run/indexing.h"

#include "run/lanes/index_lane.h"
#include "run/perform.h"
#include "run/teaming.h"

#include "base/clock.h"

#include <stdlib.h>

enum { QUIET_MS = 3000 }; /* without a change, before the index is written */

static void indexing_saved(void *owner, bool more) {
    struct performer *performer = owner;
    performer->indexing->saving = more;
    if (more)
        lane_push(performer->reads, index_save_job(indexing_saved));
}

void indexing_save(struct performer *performer) {
    struct indexing *indexing = performer->indexing;
    indexing->save_at = CLOCK_NONE;
    if (!indexing->saving)
        indexing_saved(performer, true);
}

/* Called after a slice or a change: asks for the next slice where none is under way, and tells the client. */
static void indexing_moved(void *owner, bool more, bool changed, bool unsaved) {
    struct performer *performer = owner;
    struct indexing *indexing = performer->indexing;
    if (unsaved)
        indexing->save_at = clock_mono() + QUIET_MS;
    if (!more) {
        indexing->storing -= indexing->stored;
        indexing->stored = 0;
    }
    if (changed || (indexing->unsettled && indexing->storing == 0)) {
        indexing->unsettled = indexing->unsettled && indexing->storing > 0;
        struct event event = {.kind = EVENT_INDEX,
                              .payload = payload_of(index_filled, &(struct index_filled){.whole = !more})};
        performer->tell(performer, &event);
    }
    if (more)
        indexing_begin(performer);
}

static void indexing_filled(void *owner, bool more, bool changed, bool unsaved) {
    ((struct performer *)owner)->indexing->under_way = false;
    indexing_moved(owner, more, changed, unsaved);
}

static void took(void *owner, bool more, bool changed, bool unsaved) {
    ((struct performer *)owner)->indexing->stored++;
    indexing_moved(owner, more, changed, unsaved);
}

void indexing_begin(struct performer *performer) {
    if (!performer->indexing->under_way) {
        performer->indexing->under_way = true;
        lane_push(performer->reads, index_fill_job(indexing_filled));
    }
}

void indexing_expect(struct indexing *indexing) {
    indexing->storing++;
    indexing->putting++;
    indexing->unsettled = true; /* the last answer did not include these rows */
}

void indexing_put(void *owner, int64_t *keys, size_t n) {
    struct performer *performer = owner;
    struct indexing *indexing = performer->indexing;
    indexing->putting--;
    teaming_soon(performer->teaming);
    if (indexing->never) {
        indexing->storing--;
        free(keys);
    } else if (keys) {
        lane_push(performer->reads, index_put_job(keys, n, took));
    } else {
        indexing->storing--;
        indexing->unsettled = true;
        indexing_begin(performer); /* so that questions are answered over what there is */
    }
}

void indexing_note(struct indexing *indexing, struct lookup_result *found) {
    if (found->whole && indexing->storing > 0) {
        found->behind = true;
        indexing->unsettled = true;
    }
}
