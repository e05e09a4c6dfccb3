#ifndef RUN_FETCHES_H
#define RUN_FETCHES_H
/* Fetches pages of the list: a request, decoded on the page lane, handed over, and stored after that. Main thread. */

#include "request_note.h"
#include "run/lanes/cache_lane.h"

#include "net/net.h"

/* Takes result. is_stored: `put` follows. */
typedef void list_ended_fn(void *owner, uint64_t ticket, struct list_result *result, bool is_stored);

struct fetching {
    uint64_t ticket, net_ticket;
    struct list_ask *ask;
    char *path;
};

struct fetches {
    const struct profile *profile; /* borrowed */
    const struct secret *token;    /* borrowed */
    struct net *net;
    struct lane *lane;
    void *owner;
    list_ended_fn *ended;
    struct request_noter noter;
    cache_put_fn *put;    /* the keys of what was stored, once for each page */
    cache_event_fn *told; /* what happened to the cache meanwhile */
    struct {
        struct fetching *items;
        size_t n, cap;
    } running;
};

void fetches_start(struct fetches *fetches, uint64_t ticket, struct list_ask *ask); /* takes ask */
/* True when the reply was a page's; takes what it holds. */
bool fetches_reply(struct fetches *fetches, uint64_t net_ticket, struct reply *reply);
/* True when there is such a fetch. */
bool fetches_cancel(struct fetches *fetches, uint64_t ticket);
void fetches_clear(struct fetches *fetches);

#endif
