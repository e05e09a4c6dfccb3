#include "model/team_address.h"

#include <stddef.h>
#include <string.h>

static bool host_is(const char *host, size_t len, const char *name) {
    return len == strlen(name) && strncmp(host, name, len) == 0;
}

/* 127.0.0.0/8 in its usual form. */
static bool is_loopback_number(const char *host, size_t len) {
    return len > 4 && strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") >= len;
}

static bool is_socket(const char *host, size_t len) {
    return len == 0 || host[0] == '/' || host[0] == '@' || strncmp(host, "%2F", 3) == 0 || strncmp(host, "%2f", 3) == 0;
}

/* Without the port: behind a bracket, or where there is only one colon. */
static size_t name_length(const char *host, size_t len) {
    const char *colon = memchr(host, ':', len);
    const char *bracket = host[0] == '[' ? memchr(host, ']', len) : NULL;
    if (bracket)
        return (size_t)(bracket + 1 - host);
    bool only = colon && !memchr(colon + 1, ':', len - (size_t)(colon + 1 - host));
    return only ? (size_t)(colon - host) : len;
}

static bool one_is_here(const char *host, size_t len) {
    if (is_socket(host, len))
        return true;
    len = name_length(host, len);
    return len == 0 || host_is(host, len, "localhost") || host_is(host, len, "::1") || host_is(host, len, "[::1]") ||
           is_loopback_number(host, len);
}

bool team_host_is_here(const char *hosts) {
    for (;;) {
        size_t len = strcspn(hosts, ",");
        if (!one_is_here(hosts, len))
            return false;
        if (!hosts[len])
            return true;
        hosts += len + 1;
    }
}
