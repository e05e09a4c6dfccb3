#ifndef RUN_PAGE_KEEP_H
#define RUN_PAGE_KEEP_H
/* Pages of the walk under way, kept in memory until the next walk begins: pages that a damaged, full, locked or removed
 * cache did not take are stored as soon as one can take them. Bounded; where pages are dropped for room, the cache does
 * not count the walk as complete. One lane. */

#include "store/cache.h"

struct page_keep {
    struct cache_batch **items;
    size_t n, cap;
    size_t stored; /* how many of the first ones are in the file that is open */
    size_t bytes, given_up;
};
void page_keep_add(struct page_keep *keep, struct cache_batch *batch); /* takes batch */
void page_keep_clear(struct page_keep *keep);
/* The file is a new one: all pages have to be stored again. */
void page_keep_restart(struct page_keep *keep);
/* Drops the first page that is not stored, which can never be. */
void page_keep_skip(struct page_keep *keep);

#endif
