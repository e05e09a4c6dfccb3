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
    const struct profile *profile; /* borrowed */
    bool read_only;                /* beside the profile's own */
    struct net *net;
    struct lane *lane;
    struct performer *owner;
    event_fn *tell;
    const struct secret *token;        /* borrowed */
    const struct request_noter *noter; /* borrowed */
    struct {
        struct writing *items;
        size_t n, cap;
    } running;
};

/* The record is on the disk, or not. */
void writes_begun(struct writes *writes, uint64_t ticket, int64_t n, const struct error *error);
/* True when the reply was a write's; takes what it holds. */
bool writes_reply(struct writes *writes, uint64_t net_ticket, struct reply *reply);
/* True when there is such a write. */
bool writes_cancel(struct writes *writes, uint64_t ticket);
/* The program ends: what is on its way is cut, and its record says so. Then the lane is ended by its owner. */
void writes_end(struct writes *writes);
void writes_clear(struct writes *writes);

#endif
