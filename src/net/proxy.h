#ifndef NET_PROXY_H
#define NET_PROXY_H
/* Which proxy a URL takes, decided here and not in libcurl, so that what is shown is what is done (faults N4). */

#include "base/url.h"

/* The proxy as the environment has it, credentials and all, for libcurl only; "" none. Borrowed from the environment.
 */
const char *proxy_choose(const struct url *url);

/* Appends host:port of a proxy setting. */
void proxy_describe(const char *proxy, struct str *out);

#endif
