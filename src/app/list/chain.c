#include "app/chain.h"
#include "app/idset.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { EMPTY_PAGES_MAX = 3 }; /* in a row; further empty pages are read only when the operator asks */

void chain_init(struct chain *chain) {
    *chain = (struct chain){.cursors = idset_new(), .walk = {.counts = true}};
}

void chain_clear(struct chain *chain) {
    idset_free(chain->cursors);
    *chain = (struct chain){0};
}

void chain_restart(struct chain *chain) {
    idset_reset(chain->cursors);
    chain->empty_pages = chain->pages = 0;
    chain->walk = (struct api_walk){.counts = true};
}

static void count_page(struct api_walk *walk, const struct page *page) {
    walk->given += page->n;
    walk->total = page->total > 0 && (walk->total == 0 || page->total < walk->total) ? page->total : walk->total;
}

enum browse_end chain_take_page(struct chain *chain, struct page *page, size_t fresh, char **next) {
    count_page(&chain->walk, page);
    chain->pages++;
    *next = page->has_more_false ? NULL : page->next;
    if (page->has_more_false)
        free(page->next);
    page->next = NULL;
    chain->empty_pages = page->n == 0 ? chain->empty_pages + 1 : 0;
    if (!*next)
        return BROWSE_END;
    if (!idset_put(chain->cursors, *next, strlen(*next), 0)) {
        free(*next);
        *next = NULL;
        return BROWSE_LOOP;
    }
    bool idle = (page->n > 0 && fresh == 0) || chain->empty_pages >= EMPTY_PAGES_MAX;
    return idle ? BROWSE_NO_PROGRESS : BROWSE_OPEN;
}

void chain_go_on(struct chain *chain, enum browse_end *end) {
    chain->empty_pages = *end == BROWSE_NO_PROGRESS ? 0 : chain->empty_pages;
    *end = BROWSE_OPEN;
}

size_t chain_budget(const struct profile *profile) {
    enum { PAGES_MOST = 500, HOURLY_SHARE = 4 };
    int hourly = profile->requests_per_hour;
    size_t most = hourly > 0 ? (size_t)hourly / HOURLY_SHARE : PAGES_MOST;
    return most < 1 ? 1 : most < PAGES_MOST ? most : PAGES_MOST;
}

bool chain_asks_again(struct chain *chain, const struct api_answer *answer, bool begun, bool patient, int64_t now,
                      int64_t *at) {
    chain->failing_since = chain->attempt == 0 ? now : chain->failing_since;
    struct api_failed failed = {answer->code, answer->retry_at, chain->attempt, chain->failing_since,
                                begun,        answer->status};
    *at = CLOCK_NONE;
    bool again = (answer->code == ERR_THROTTLED || patient) && api_list_again(&failed, now, (unsigned)(now % 1000), at);
    *at = again || answer->code == ERR_THROTTLED ? *at : CLOCK_NONE;
    chain->attempt++;
    return again;
}
