#ifndef RUN_FETCHES_H
#define RUN_FETCHES_H
/* Fetches pages of the list: sends the request, has the answer decoded on a lane, passes it on, and then has it stored
 * on the page lane. Main thread. */

#include "request_note.h"
#include "run/lanes/cache_lane.h"

#include "net/net.h"

struct fetching {
    uint64_t ticket, net_ticket; /* net_ticket 0: the page is looked for in the cache first */
    struct list_ask *ask;        /* of a request that was sent, else NULL */
    char *path;
};

struct fetches {
    struct {
        struct fetching *items;
        size_t n, cap;
    } running;
    struct lane *decoding; /* NULL: no page was fetched yet */
};

/* True when the reply was a page's; takes what it holds. */
bool fetches_reply(struct performer *performer, uint64_t net_ticket, struct reply *reply);
/* True when there is such a fetch. One that was still looked for in the cache sends no request any more. */
bool fetches_cancel(struct performer *performer, uint64_t ticket);
void fetches_close(struct fetches *fetches); /* ends the lane */
void fetches_clear(struct fetches *fetches);

#endif
