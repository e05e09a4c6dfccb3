#ifndef APP_CHAIN_H
#define APP_CHAIN_H
/* What one walk along the service's cursors knows beside its rows: the guards that end it, how much of the list it
 * received, and how often it failed in a row. The service is not trusted to come to an end. One rule for the list
 * (app/browse.h) and the mirror (app/mirror.h). Pure. */

#include "api/api.h"

enum browse_end {
    BROWSE_OPEN,        /* more may be there */
    BROWSE_END,         /* the service said so */
    BROWSE_LOOP,        /* the service sent a cursor that this walk has followed before */
    BROWSE_NO_PROGRESS, /* pages without a new row */
};

struct chain {
    struct idset *cursors; /* followed in this walk */
    size_t empty_pages;    /* one after another, at the end of the walk */
    size_t pages;          /* fetched */
    struct api_walk walk;  /* how much of the list this walk received so far */
    unsigned attempt;      /* failures in a row */
    int64_t failing_since; /* of attempt > 0 */
};
void chain_init(struct chain *chain);
void chain_clear(struct chain *chain);
/* From the first page again; failures still count. */
void chain_restart(struct chain *chain);

/* After a page: its next cursor is taken out of it, NULL where the walk cannot go on. fresh: rows of the page that this
 * walk did not have before. */
enum browse_end chain_take_page(struct chain *chain, struct page *page, size_t fresh, char **next);
/* Goes on after pages that brought nothing, as somebody asked for it. */
void chain_go_on(struct chain *chain, enum browse_end *end);

/* How many pages the program may read by itself for one question: a share of the requests that are allowed in an hour.
 */
size_t chain_budget(const struct profile *profile);

/* After a failure: whether and when (CLOCK_NONE: never) the same is asked again by itself. begun: the walk has pages;
 * patient: not only after a 429, but also after what may pass. */
bool chain_asks_again(struct chain *chain, const struct api_answer *answer, bool begun, bool patient, int64_t now,
                      int64_t *at);

#endif
