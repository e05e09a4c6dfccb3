#ifndef RUN_INDEX_KEEP_H
#define RUN_INDEX_KEEP_H
/* The column index as a file beside the cache (index/index.h): taken when the read lane begins, so that it is whole at
 * once but for what was written since, and written anew when enough is. A file that is not of this cache as it is, or
 * not as it was written, is removed, and the index filled from the cache as if there were none. */

#include "index_lane.h"

#include "index/index.h"

/* The file in the place of the lane's index, and lane->change as it stands there. False: there is none to be had. */
bool index_keep_take(struct index_lane *lane, struct cache *cache);
/* The lane begins again: what belongs to the index it had goes. */
void index_keep_drop(struct index_lane *lane);
/* The file that was taken is no good: it is removed, and not taken again. */
void index_keep_refuse(struct index_lane *lane);
/* Changes that were read and are about to be taken in. */
void index_keep_note_changes(struct index_lane *lane);
/* An id that was put into an index that was taken: its rows there may have the same. */
void index_keep_note_id(struct index_lane *lane, const struct cells_slice *id);
/* Calls each for the rows that may have an id noted since the last time. */
void index_keep_meet(struct index_lane *lane, index_each_id *each);
/* Nobody has written to the cache since the changes were read. */
bool index_keep_is_caught_up(struct index_lane *lane);
/* Once caught up: false where the number of rows is not the cache's. */
bool index_keep_counts(struct index_lane *lane);
/* All of it is there, and the file is not, or is too old. */
bool index_keep_is_unsaved(struct index_lane *lane);
/* For the lane's end: written where that was asked for, or removed where it holds rows that the cache let go. */
void index_keep_close(struct index_lane *lane);

#endif
