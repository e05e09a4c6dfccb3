#ifndef RUN_INDEXING_H
#define RUN_INDEXING_H
/* Keeps the column index up: asks the read lane for slices until nothing is left, and counts pages between the screen
 * and the index, so that an answer given meanwhile says that another is to come. Main thread. */

#include "app/lookup.h"

struct performer;

struct indexing {
    bool under_way; /* a slice is */
    bool unsettled; /* an answer was given while rows were on their way */
    size_t storing; /* pages on show that the index does not hold yet: an answer meanwhile is not about all rows */
    size_t putting; /* pages on their way into the cache */
    size_t stored;  /* of them: in the cache, and the index is on its way to them */
    bool never;     /* nobody will ask: nothing is kept up (struct client, unindexed) */
};

void indexing_begin(struct performer *performer);
void indexing_expect(struct indexing *indexing); /* a page is shown, and on its way into the cache */
/* What cache_put_job answers with; owner: the performer. Takes keys. */
void indexing_put(void *owner, int64_t *keys, size_t n);
/* An answer that is about to be handed over. */
void indexing_note(struct indexing *indexing, struct lookup_result *found);

#endif
