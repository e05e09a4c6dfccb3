#ifndef RUN_LISTENING_H
#define RUN_LISTENING_H
/* Receives events of the service: each is checked, stored and answered on the receiver's thread, then handed to the
 * main thread, which tells it. And sends stored ones on. Main thread, but for what says otherwise. */

#include "net/net.h"
#include "run/perform.h"

struct listener;

struct sending_on {
    uint64_t ticket, net_ticket;
    int64_t begun;
};
struct listening_state {
    struct listener *listener; /* NULL: nothing is received */
    struct {
        struct sending_on *items;
        size_t n, cap;
    } sending;
};

/* Tells what came since. */
void listening_finish(struct performer *performer);
/* True when the reply was that of an event sent on; takes what it holds. */
bool listening_reply(struct performer *performer, uint64_t net_ticket, struct reply *reply);
/* Nothing is received any more, and what was answered is told. */
void listening_stop(struct performer *performer);
void listening_close(struct listening_state *state);

#endif
