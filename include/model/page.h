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
    bool absent;         /* no list was there: the member was absent or null */
    size_t broken;       /* rows with `broken` set */
    bool failed;         /* the answer says that it failed: with rows, they are not all */
    bool partial;        /* it says that something is left out */
    long long total;     /* rows there are in all by its own word, under whatever filter; 0: it does not say */
    char *beside;        /* what it says beside its rows, sanitised; NULL: nothing of note */
};

void page_init(struct page *page);
void page_clear(struct page *page);
struct intent *page_take_row(struct page *page, size_t index); /* leaves NULL in its place */

#endif
