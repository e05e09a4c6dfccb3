#ifndef SUPPORT_NEWER_CELLS_H
#define SUPPORT_NEWER_CELLS_H
/* Rewrites a row of a cache as a later version of the program would have written it: sound, with cells of a version
 * that this one does not know. */

#include "store/cache.h"

bool newer_cells_make(struct cache *cache, int64_t key); /* false: there is no such row, or it could not be written */

#endif
