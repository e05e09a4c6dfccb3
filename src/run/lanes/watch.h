#ifndef RUN_WATCH_H
#define RUN_WATCH_H
/* What a page has beyond the interface document, counted: made while the page is at hand, moved to whoever stores it.
 */

#include "model/page.h"
#include "store/cache_care.h"

struct watch;

struct watch *watch_new(const struct page *page); /* NULL: nothing */
void watch_free(struct watch *watch);
void watch_put(const struct watch *watch, struct cache *cache, int64_t now);

#endif
