#ifndef RUN_INDEXING_H
#define RUN_INDEXING_H
/* Keeps the column index filled: asks the read lane for slices until nothing is left, and counts the pages that are on
 * screen and not in the index yet, so that an answer given meanwhile says that another will come. Main thread. */

#include "app/lookup.h"

struct performer;

struct indexing {
    bool under_way;  /* a slice is being read */
    bool unsettled;  /* an answer was given while rows were on their way into the index */
    size_t storing;  /* pages on screen that are not in the index yet: an answer now does not include all rows */
    size_t putting;  /* pages that are being stored in the cache */
    size_t stored;   /* stored pages that are on their way into the index */
    int64_t save_at; /* monotonic ms: when the index is written to its file; CLOCK_NONE: when something changes */
    bool saving;     /* it is being */
    bool never;      /* nobody will ask, so no index is kept (struct client, unindexed) */
};

void indexing_begin(struct performer *performer);
/* At save_at, or later. */
void indexing_save(struct performer *performer);
void indexing_expect(struct indexing *indexing); /* a page is on screen, and on its way into the cache */
/* Called by cache_put_job with the stored keys, which it takes; owner: the performer. */
void indexing_put(void *owner, int64_t *keys, size_t n);
/* Called for an answer before it is passed on. */
void indexing_note(struct indexing *indexing, struct lookup_result *found);

#endif
