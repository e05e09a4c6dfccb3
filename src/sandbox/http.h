#ifndef SANDBOX_HTTP_H
#define SANDBOX_HTTP_H
/* The sockets: libmicrohttpd with a thread per connection, so that one that waits or hangs holds up no other.
 * Rules that bend an answer's bytes are carried out here. */

#include "service.h"

#include <netinet/in.h>

struct http;

/* Listens at the address (port 0: any free one), puts the origin into the service and answers from now on. */
enum err http_start(struct service *service, const struct sockaddr_storage *address, struct http **out,
                    struct error *error) MUST_CHECK;
/* Ends waiting answers, closes all connections. */
void http_stop(struct http *http);
int http_port(const struct http *http);

#endif
