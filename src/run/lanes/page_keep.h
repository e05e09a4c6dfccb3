#ifndef RUN_PAGE_KEEP_H
#define RUN_PAGE_KEEP_H
/* Pages of the walk under way, kept until the next walk begins: pages that a damaged, full, locked or removed cache did
 * not take are stored as soon as one can take them. They are in a spool, the newest one in memory until it is stored;
 * where pages are dropped for room, the cache does not count the walk as complete. One lane. */

#include "store/cache.h"

struct spool;

struct page_keep {
    struct spool *spool; /* NULL: nothing was kept yet */
    struct {
        struct kept_page {
            uint64_t at;
            size_t len;
        } * items;
        size_t n, cap;
    } pages;                  /* in the spool, in their order */
    size_t stored;            /* how many of the first ones are in the file that is open */
    struct cache_batch *last; /* behind them, not stored yet; NULL: none */
    struct cache_batch *back; /* read back from the spool */
    size_t given_up;
};
void page_keep_add(struct page_keep *keep, struct cache_batch *batch); /* takes batch */
void page_keep_clear(struct page_keep *keep);
/* The next page that is not stored; NULL: all are. */
struct cache_batch *page_keep_next(struct page_keep *keep);
/* It is stored, or can never be. */
void page_keep_stored(struct page_keep *keep);
void page_keep_skip(struct page_keep *keep);
/* The file is a new one: all pages have to be stored again. */
void page_keep_restart(struct page_keep *keep);

#endif
