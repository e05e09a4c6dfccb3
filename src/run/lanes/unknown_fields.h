#ifndef RUN_WATCH_H
#define RUN_WATCH_H
/* Counts what a page has beyond the interface document: made while the page is in memory, and moved to the job that
 * stores it. */

#include "model/page.h"
#include "store/cache_care.h"

struct unknown_fields;

struct unknown_fields *unknown_fields_new(const struct page *page); /* NULL: nothing */
void unknown_fields_free(struct unknown_fields *unknown_fields);
void unknown_fields_put(const struct unknown_fields *unknown_fields, struct cache *cache, int64_t now);

#endif
