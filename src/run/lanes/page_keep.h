#ifndef RUN_PAGE_KEEP_H
#define RUN_PAGE_KEEP_H
/* Pages of the walk under way, kept beside the cache until the next walk begins: what a cache that was damaged, full,
 * locked or removed did not take is stored as soon as one can take it. Bounded; what is given up for room makes the
 * walk one that the cache does not know to be whole. One lane. */

#include "store/cache.h"

struct page_keep {
    struct cache_batch **items;
    size_t n, cap;
    size_t stored; /* the first of them: in the file that is open */
    size_t bytes, given_up;
};
void page_keep_add(struct page_keep *keep, struct cache_batch *batch); /* takes batch */
void page_keep_clear(struct page_keep *keep);
/* The file is another one than before: all of it has to be stored again. */
void page_keep_restart(struct page_keep *keep);
/* Drops the first page that is not stored: it can never be. */
void page_keep_skip(struct page_keep *keep);

#endif
