#ifndef SUPPORT_NEWER_CELLS_H
#define SUPPORT_NEWER_CELLS_H
/* Rewrites a row of a cache as another version of the program would have written it. */

#include "store/cache.h"

/* Sound, with cells of a version that this one does not know. False: there is no such row, or it could not be written.
 */
bool newer_cells_make(struct cache *cache, int64_t key);
/* One of before the rules of findings: its cells say nothing of them. */
bool unjudged_cells_make(struct cache *cache, int64_t key);

#endif
