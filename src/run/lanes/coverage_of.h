#ifndef RUN_COVERAGE_OF_H
#define RUN_COVERAGE_OF_H
/* How far the cache reaches under a server filter, by the walks that it knows to be complete. Any lane, with its own
 * handle. */

#include "app/coverage.h"
#include "app/effect.h"
#include "store/cache.h"

/* broke_off: the rows it is about could not be read to their end. */
void coverage_of(struct cache *cache, const struct server_filter *filter, bool broke_off, struct coverage *out);
/* Rows that were confirmed before this time do not belong to the list that the coverage is of: a walk over that list
 * (or a wider one) that began then came to its end without them, because they changed, because the service compares
 * words in another way, or because it does not have them any more. INT64_MIN: nothing is known. */
int64_t coverage_left_before(const struct coverage *coverage);
/* Of all rows that a query may match; NULL: of all. */
void coverage_of_query(struct cache *cache, const struct query *query, const struct query_context *context,
                       bool broke_off, struct coverage *out);

#endif
