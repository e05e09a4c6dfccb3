#ifndef MODEL_PAGE_H
#define MODEL_PAGE_H
/* One answer to the listing: rows in the service's order and where the next page is. Owns its intents. */

#include "model/intent.h"

struct page {
    struct intent **items;
    size_t n, cap;
    char *next;          /* opaque cursor exactly as served (never sanitised, never shown raw), NULL at the end */
    bool next_is_url;    /* next came as a URL or relative link */
    bool has_more_false; /* an explicit "no more"; next is then NULL whatever was served */
    char *more;          /* where an answer without a cursor says that more follows; NULL: it does not */
    bool absent;         /* the answer had no list: the member was absent or null */
    size_t broken;       /* rows with `broken` set */
    bool failed;         /* the answer says that it failed: its rows are not all */
    bool partial;        /* the answer says that something is left out */
    long long total; /* how many rows there are in all, by the answer's own count, under whatever filter; 0: it does not
                        say */
    char *beside;    /* what the answer says beside its rows, sanitised; NULL: nothing */
};

void page_init(struct page *page);
void page_clear(struct page *page);
struct intent *page_take_row(struct page *page, size_t index); /* leaves NULL in its place */

#endif
