#include "proxy.h"

#include "base/ascii.h"
#include "net/net.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_MAX = 255 };

static const char *first_set(const char *const names[], size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return value;
    }
    return "";
}

static bool bits_equal(const unsigned char *a, const unsigned char *b, long bits) {
    size_t whole = (size_t)bits / CHAR_BIT;
    if (memcmp(a, b, whole) != 0)
        return false;
    unsigned rest = (unsigned)bits % CHAR_BIT;
    return rest == 0 || ((unsigned)(a[whole] ^ b[whole]) >> (CHAR_BIT - rest)) == 0;
}

/* entry: an address, or a network as address/bits. */
static bool network_holds(const char *entry, const char *host) {
    static const struct {
        int family;
        long bits;
    } kinds[] = {{AF_INET, 32}, {AF_INET6, 128}};
    char network[HOST_MAX + 1];
    const char *slash = strchr(entry, '/');
    size_t len = slash ? (size_t)(slash - entry) : strlen(entry);
    memcpy(network, entry, len);
    network[len] = '\0';
    long long bits = -1;
    if (slash && !str_to_int64(slash + 1, strlen(slash + 1), &bits))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        unsigned char a[16], b[16];
        if (inet_pton(kinds[i].family, network, a) == 1 && inet_pton(kinds[i].family, host, b) == 1)
            return bits <= kinds[i].bits && bits_equal(a, b, bits < 0 ? kinds[i].bits : (long)bits);
    }
    return false;
}

/* The entry names the host itself or a domain that it lies in. */
static bool domain_holds(const char *entry, const char *host) {
    if (*entry == '.')
        entry++;
    size_t want = strlen(entry), have = strlen(host);
    if (want > 0 && entry[want - 1] == '.')
        want--;
    if (want == 0 || have < want || ascii_compare_n(host + have - want, entry, want) != 0)
        return false;
    return have == want || host[have - want - 1] == '.';
}

static bool entry_holds(const char *entry, size_t len, const char *host) {
    char text[HOST_MAX + 1];
    if (len == 0 || len > HOST_MAX)
        return false;
    if (len > 1 && *entry == '[' && entry[len - 1] == ']') {
        entry++;
        len -= 2;
    }
    memcpy(text, entry, len);
    text[len] = '\0';
    return domain_holds(text, host) || network_holds(text, host);
}

/* The host as no_proxy writes it: no brackets, no final dot. */
static void plain_host(const char *host, char out[HOST_MAX + 1]) {
    size_t len = strlen(host);
    if (len > 1 && host[0] == '[' && host[len - 1] == ']') {
        host++;
        len -= 2;
    }
    if (len > 0 && host[len - 1] == '.')
        len--;
    if (len > HOST_MAX)
        len = HOST_MAX;
    memcpy(out, host, len);
    out[len] = '\0';
}

static bool is_exempt(const char *host_text) {
    static const char *const names[] = {"no_proxy", "NO_PROXY"};
    static const char separators[] = ", \t";
    const char *list = first_set(names, sizeof names / sizeof *names);
    char host[HOST_MAX + 1];
    plain_host(host_text, host);
    if (str_equal(list, "*"))
        return true;
    while (*list) {
        list += strspn(list, separators);
        size_t len = strcspn(list, separators);
        if (entry_holds(list, len, host))
            return true;
        list += len;
    }
    return false;
}

const char *proxy_choose(const struct url *url) {
    static const char *const names[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    if (!str_equal(url->scheme, "https") || !url->host || is_exempt(url->host))
        return "";
    return first_set(names, sizeof names / sizeof *names);
}

void proxy_describe(const char *proxy, struct str *out) {
    char *host = NULL, *port = NULL, *scheme = NULL;
    CURLU *url = curl_url();
    if (url && !curl_url_set(url, CURLUPART_URL, proxy, CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME) &&
        !curl_url_get(url, CURLUPART_HOST, &host, 0) && !curl_url_get(url, CURLUPART_SCHEME, &scheme, 0)) {
        /* libcurl's own defaults: 443 for a proxy reached by TLS, 1080 for every other. */
        bool given = !curl_url_get(url, CURLUPART_PORT, &port, 0);
        str_addf(out, "%s:%s", host, given ? port : str_equal(scheme, "https") ? "443" : "1080");
    } else {
        str_add(out, "a proxy whose setting is not readable");
    }
    curl_free(host);
    curl_free(port);
    curl_free(scheme);
    curl_url_cleanup(url);
}

void net_proxy_text(const char *origin, struct str *out) {
    struct url url;
    if (url_parse(origin, &url, NULL) == ERR_OK) {
        const char *proxy = proxy_choose(&url);
        if (*proxy)
            proxy_describe(proxy, out);
    }
    url_clear(&url);
}
