#ifndef RUN_WRITES_H
#define RUN_WRITES_H
/* Performs writes: the record first, synced; then one request on a fresh connection; then its outcome into the record.
 * Nothing is sent for an ask whose record could not be made, and nothing twice. Main thread. */

#include "run/lanes/journal_lane.h"

#include "net/net.h"
#include "request_note.h"

struct writing {
    uint64_t ticket, net_ticket; /* net_ticket 0: not sent yet */
    int64_t n;
    struct write_ask *ask;
    struct request request; /* what leaves */
    bool cancelled;
    char *path; /* once sent */
};

struct writes {
    struct {
        struct writing *items;
        size_t n, cap;
    } running;
};

/* True when the reply was a write's; takes what it holds. */
bool writes_reply(struct performer *performer, uint64_t net_ticket, struct reply *reply);
/* True when there is such a write. */
bool writes_cancel(struct performer *performer, uint64_t ticket);
/* The program ends: what is on its way is cut, and its record says so. Then the lane is ended by its owner. */
void writes_end(struct performer *performer);
void writes_clear(struct writes *writes);

#endif
