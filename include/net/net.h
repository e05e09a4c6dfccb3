#ifndef NET_NET_H
#define NET_NET_H
/* HTTP transfers as bytes, over one curl multi handle on the main thread. For each transfer: redirects are not
 * followed, decoded bytes are capped, Authorization goes to one origin, SSLKEYLOGFILE is unset, .netrc is never read,
 * time limits use the monotonic clock, and a cancelled transfer is gone within 100 ms even while its name is being
 * looked up. */

#include "model/exchange.h"

struct net;

struct net_options {
    const char *user_agent; /* NULL: "bursar/VERSION" */
    int connect_timeout_s;  /* name, TCP and TLS together; 0: 10 */
    int total_timeout_s;    /* 0: 60 */
    int low_speed_s;        /* 0: 20 seconds under 1 byte/s */
    bool read_only;         /* refuses all methods but GET and HEAD, as the last check before sending */
};

/* libcurl is loaded by the first request, not here. */
enum err net_new(const struct net_options *options, struct net **out, struct error *error) MUST_CHECK;
void net_free(struct net *net); /* cancels everything */

/* Takes what the request holds and leaves it empty. Returns its ticket, > 0; faults come as the reply. */
uint64_t net_send(struct net *net, struct request *request);
/* The reply follows at once with ERR_CANCELLED. Unknown tickets are ignored. */
void net_cancel(struct net *net, uint64_t ticket);
size_t net_running(const struct net *net);

/* Extra descriptors to watch beside curl's sockets. */
struct net_watch {
    int fd;
    bool for_writing; /* ready once it takes bytes again */
    bool readable;    /* out; also true at its end and when it is broken, so that the reader finds out */
};
/* Waits until something happened, at most timeout_ms (-1: for ever); then moves transfers on. */
void net_wait(struct net *net, struct net_watch *watches, size_t n, int timeout_ms);
/* From any thread: ends net_wait, this one or the next. */
void net_wake(struct net *net);

/* Next finished exchange: its ticket, with *reply filled (owned by the caller); 0 when there is none. */
uint64_t net_take(struct net *net, struct reply *reply);

const char *net_version(void); /* "libcurl/7.88.1 OpenSSL/3.0.17" */

#endif
