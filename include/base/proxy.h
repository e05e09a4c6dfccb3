#ifndef BASE_PROXY_H
#define BASE_PROXY_H
/* Which proxy a URL takes, decided here and not in libcurl, so that what is shown is what is done. The
 * variables are those that libcurl reads: https_proxy, HTTPS_PROXY, all_proxy, ALL_PROXY, and for exceptions no_proxy,
 * NO_PROXY. Plain http, which goes to this machine alone, takes none. */

#include "base/url.h"

/* The logins that the variables hold, as live secrets (base/secret.h): a proxy, or a service behind one, may write them
 * back. Made before the first request and freed after the last, by the main thread. */
struct proxy_logins;
struct proxy_logins *proxy_logins_new(void);
void proxy_logins_free(struct proxy_logins *logins);

/* The proxy as the environment has it, credentials and all, for libcurl only; "" none. Borrowed from the environment.
 */
const char *proxy_choose(const struct url *url);
/* The variable that names it; NULL: none does. */
const char *proxy_variable(const struct url *url);

/* Appends the proxy that requests to this address take, host and port only, no credentials, and gives the variable that
 * names it; NULL and nothing where there is none. */
const char *proxy_text(const char *address, struct str *out);

enum proxy_reading {
    PROXY_PLAIN,      /* as libcurl reads it */
    PROXY_PORT_ALONE, /* name:port: for that port; libcurl does not read it */
    PROXY_DOMAIN,     /* *.name: the domain; libcurl does not read it */
    PROXY_NOT_READ    /* not by us either: what it was to except goes through the proxy */
};
/* The exceptions in their order, borrowed from the environment; false: there are no more. */
bool proxy_exception(size_t index, const char **entry, size_t *len, enum proxy_reading *reading);

#endif
