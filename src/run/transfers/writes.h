#ifndef RUN_WRITES_H
#define RUN_WRITES_H
/* Performs writes, in this order and no other: the record in the journal, synced to the disk; one request on a fresh
 * connection; the outcome into the record. Where the record could not be made nothing is sent, and nothing is ever sent
 * twice: after a crash at any point the record says at least that the write may have been sent. Main thread. */

#include "run/lanes/journal_lane.h"

#include "net/net.h"
#include "request_note.h"

struct writing {
    uint64_t ticket, net_ticket; /* net_ticket 0: not sent yet */
    int64_t n;
    struct write_ask *ask;
    struct request request; /* the request that is sent */
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
