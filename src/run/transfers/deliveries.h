#ifndef RUN_DELIVERIES_H
#define RUN_DELIVERIES_H
/* Asks the demo's sandbox, on its control path, which events it has delivered. Main thread. */

#include "net/net.h"

#include "model/delivery.h"

struct deliveries_fetch {
    uint64_t ticket, net_ticket;
};

/* The answer where the reply belongs to one of these requests (for the caller), with its ticket; NULL otherwise. Takes
 * what the reply holds. */
struct deliveries *deliveries_reply(struct deliveries_fetch *fetch, uint64_t net_ticket, struct reply *reply);

#endif
