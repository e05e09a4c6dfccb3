#ifndef SUPPORT_EXCHANGE_H
#define SUPPORT_EXCHANGE_H
/* Runs exchanges of the net layer to their end, for tests that link it. One thread. */

#include "net/net.h"

enum { EXCHANGE_DEADLINE = 30000 };

/* scheme://host:port/path; bearer may be NULL, the origin is the URL's own. */
void exchange_get(struct request *request, const char *scheme, const char *host, int port, const char *path);
/* http to 127.0.0.1. */
void exchange_get_from(struct request *request, int port, const char *path);
/* The same as a write with a JSON body. */
void exchange_post_to(struct request *request, int port, const char *path, const char *body);

/* Waits until this ticket's reply is there; others' are dropped. false at the deadline. */
bool exchange_await(struct net *net, uint64_t ticket, struct reply *reply, int deadline_ms);
/* Sends and waits. */
bool exchange_run(struct net *net, struct request *request, struct reply *reply);

#endif
