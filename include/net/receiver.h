#ifndef NET_RECEIVER_H
#define NET_RECEIVER_H
/* The receiving end of a webhook: HTTP/1.1 requests on one address, each kept whole in memory up to a limit. Its
 * library, libmicrohttpd, is loaded when the first one starts. A receiver has a thread of its own, in which `take` is
 * called for one request after the other. */

#include "model/exchange.h"

#include <sys/socket.h>

struct receiver;

struct received_request {
    const char *method, *path;
    const struct headers *headers; /* as they came, unclean */
    const struct str *body;
    bool too_large; /* the body is cut */
};

struct receiver_options {
    struct sockaddr_storage address; /* port 0: any free one */
    const char *certificate, *key;   /* PEM; NULL: plain HTTP */
    unsigned per_address;            /* connections that one address has at a time; 0: as many as there are */
    size_t body_max;
    unsigned idle_s;    /* a connection on which nothing moves for so long is closed */
    unsigned request_s; /* so is one whose body is not whole by then; 0: no limit */
    int (*take)(void *context, const struct received_request *request); /* the status to answer with */
    void *context;
};

/* Listens when it returns. ERR_USAGE where the address is taken or is not one of this machine. */
enum err receiver_start(const struct receiver_options *options, struct receiver **out, struct error *error) MUST_CHECK;
int receiver_port(const struct receiver *receiver);
/* What was taken is answered; all other connections are closed. NULL is fine. */
void receiver_stop(struct receiver *receiver);

#endif
