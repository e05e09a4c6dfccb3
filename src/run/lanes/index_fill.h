#ifndef RUN_INDEX_FILL_H
#define RUN_INDEX_FILL_H
/* Rows on their way into the index of the read lane: out of its file, out of the cache, and with what was written since
 * (index_lane.c asks for it). */

#include "index_lane.h"

#include "work/lane.h"

/* Ends when its time is up, earlier when another job waits, and when its own job is not wanted any more. */
struct index_slice {
    const struct lane_job *job;
    int64_t until; /* monotonic ms; CLOCK_NONE: until the work is done */
};

/* An index, if there is none yet. */
void index_fill_need(struct index_lane *lane);
/* From the file of this cache, or with nothing. */
void index_fill_begin(struct index_lane *lane, struct cache *cache);
/* The file that the index came from is no good. */
void index_fill_without_file(struct index_lane *lane);
void index_fill_drop_changes(struct index_lane *lane);
bool index_fill_is_behind(const struct index_lane *lane);
/* What was written since, by whichever console: true where something was. What the slice does not take waits for the
 * next. */
bool index_fill_catch_up(struct index_lane *lane, const struct index_slice *slice);
/* A cache that fails while it is read is not asked again: a question is answered over what there is, and says so. */
void index_fill_rows(struct index_lane *lane, const struct index_slice *slice);

#endif
