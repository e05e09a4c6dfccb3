#ifndef BASE_URL_H
#define BASE_URL_H
/* URLs by libcurl's URL API, without I/O. Everything given out is heap text owned by the caller. */

#include "base/str.h"

struct url {
    /* NULL where absent. host is lower case and ASCII (punycode), IPv4 addresses in their usual form, IPv6 in brackets;
     * user is "" where there is only a password; port as written or the scheme's; path, query, fragment as written. */
    char *scheme, *user, *host, *port, *path, *query, *fragment;
    char *origin; /* scheme://host:port, port left out only where the scheme has none: what a token is bound to */
};

/* Any scheme, two slashes and a host; refuses blanks and control characters. The error text does not quote the URL. */
enum err url_parse(const char *text, struct url *out, struct error *error) MUST_CHECK;
void url_clear(struct url *url);

/* 127.0.0.0/8, ::1 or localhost, after normalising octal and short forms. */
bool url_is_loopback(const struct url *url);

/* Appends host:port of a proxy setting; a name and password before the host are left out. */
void url_proxy_place(const char *setting, struct str *out);
/* The name and password before the host, decoded; each NULL where it is absent. The caller wipes and frees. */
void url_proxy_login(const char *setting, char **user, char **password);

/* Appends s with everything outside the unreserved set percent-encoded exactly once. */
void url_encode(struct str *out, const char *s, size_t len);

/* base + path, exactly one slash between; path starts with '/'. */
void url_join(struct str *out, const char *base, const char *path);

/* Value of `name` in a query string, percent-decoded once ('+' stays), or NULL. */
char *url_query_value(const char *query, const char *name);

#endif
