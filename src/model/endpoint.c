#include "model/endpoint.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_URL = 2000 };

static const struct {
    enum endpoint_level level;
    const char *sentence;
} findings[] = {
#define X(code, level, sentence) {level, sentence},
    ENDPOINT_FINDING_TABLE(X)
#undef X
};

const char *endpoint_sentence(enum endpoint_finding finding) {
    return findings[finding].sentence;
}

enum endpoint_level endpoint_level(enum endpoint_finding finding) {
    return findings[finding].level;
}

static void endpoint_mark(struct endpoint *endpoint, enum endpoint_finding finding, bool holds) {
    if (holds)
        endpoint->findings |= 1u << finding;
}

bool endpoint_has(const struct endpoint *endpoint, enum endpoint_finding finding) {
    return (endpoint->findings >> finding & 1u) != 0;
}

/* The host without brackets and without the dot at its end, which names the same host. */
static char *endpoint_bare_host(const char *host) {
    size_t len = strlen(host);
    if (host[0] == '[' && len > 2)
        return mem_dup_n(host + 1, len - 2);
    return mem_dup_n(host, len > 1 && host[len - 1] == '.' ? len - 1 : len);
}

static bool ends(const char *text, const char *end) {
    size_t len = strlen(text), end_len = strlen(end);
    return len > end_len && strcmp(text + len - end_len, end) == 0;
}

/* The URL parser has normalised octal, hexadecimal and short forms; inet_aton catches what it left. */
static void endpoint_read_address(const char *host, struct endpoint *out) {
    struct in_addr four;
    char text[INET6_ADDRSTRLEN];
    if (strchr(host, ':')) {
        out->is_address = true;
        out->class = address_class(host);
    } else if (inet_aton(host, &four) && inet_ntop(AF_INET, &four, text, sizeof text)) {
        out->is_address = true;
        out->class = address_class(text);
    } else if (str_equal(host, "localhost") || ends(host, ".localhost")) {
        out->class = ADDRESS_LOOPBACK;
    }
}

static bool is_local_name(const char *host) {
    static const char *const ends_local[] = {".local", ".internal", ".lan",     ".home",    ".intranet",
                                             ".corp",  ".test",     ".invalid", ".example", ".home.arpa"};
    for (size_t i = 0; i < COUNT_OF(ends_local); i++)
        if (ends(host, ends_local[i]))
            return true;
    return false;
}

static bool endpoint_is_ascii(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text > 0x7E)
            return false;
    return true;
}

static void look_at_host(const char *text, struct endpoint *out) {
    char *host = endpoint_bare_host(out->url.host);
    endpoint_read_address(host, out);
    bool named = !out->is_address && out->class == ADDRESS_PUBLIC;
    bool ascii = endpoint_is_ascii(text);
    endpoint_mark(out, ENDPOINT_ADDRESS, out->class != ADDRESS_PUBLIC);
    endpoint_mark(out, ENDPOINT_SINGLE_LABEL, named && !strchr(host, '.'));
    endpoint_mark(out, ENDPOINT_LOCAL_NAME, named && is_local_name(host));
    bool puny = str_starts(host, "xn--") || strstr(host, ".xn--");
    endpoint_mark(out, ENDPOINT_IDN, puny && !ascii);
    endpoint_mark(out, ENDPOINT_PUNYCODE, puny && ascii);
    free(host);
}

void endpoint_read(const char *text, struct endpoint *out) {
    *out = (struct endpoint){.class = ADDRESS_PUBLIC};
    if (url_parse(text, &out->url, &out->error) != ERR_OK) {
        endpoint_mark(out, ENDPOINT_MALFORMED, true);
        return;
    }
    const struct url *url = &out->url;
    bool https = str_equal(url->scheme, "https");
    endpoint_mark(out, ENDPOINT_NOT_HTTPS, !https);
    endpoint_mark(out, ENDPOINT_USER, url->user != NULL);
    endpoint_mark(out, ENDPOINT_FRAGMENT, strchr(text, '#') != NULL);
    long long port = 0;
    bool numbered = url->port && str_to_int64(url->port, strlen(url->port), &port);
    endpoint_mark(out, ENDPOINT_PORT_ZERO, numbered && port == 0);
    endpoint_mark(out, ENDPOINT_PORT, https && numbered && port != 0 && port != 443);
    endpoint_mark(out, ENDPOINT_LONG, strlen(text) > LONG_URL);
    endpoint_mark(out, ENDPOINT_QUERY, url->query != NULL);
    look_at_host(text, out);
}

void endpoint_clear(struct endpoint *endpoint) {
    url_clear(&endpoint->url);
    endpoint->findings = 0;
}

bool endpoint_is_allowed(const struct endpoint *endpoint, bool local_ok) {
    for (int i = 0; i < ENDPOINT_FINDING_COUNT; i++) {
        bool blocks = findings[i].level == ENDPOINT_BLOCKS || (findings[i].level == ENDPOINT_LOCAL && !local_ok);
        if (blocks && endpoint_has(endpoint, (enum endpoint_finding)i))
            return false;
    }
    return true;
}

void endpoint_tell(const struct endpoint *endpoint, enum endpoint_finding finding, struct str *out) {
    if (finding == ENDPOINT_MALFORMED) {
        str_add(out, endpoint->error.text);
        return;
    }
    str_add(out, findings[finding].sentence);
    if (finding == ENDPOINT_ADDRESS)
        str_addf(out, ": %s is %s", endpoint->url.host, address_class_words(endpoint->class));
    else if (finding == ENDPOINT_IDN || finding == ENDPOINT_PUNYCODE)
        str_addf(out, " (%s)", endpoint->url.host);
    else if (finding == ENDPOINT_PORT)
        str_addf(out, " (%s)", endpoint->url.port);
}

enum err endpoint_check(const char *text, bool local_ok, struct error *error) {
    struct endpoint endpoint;
    struct str why;
    enum err err = ERR_OK;
    endpoint_read(text, &endpoint);
    str_init(&why, ERROR_TEXT_MAX);
    for (int i = 0; err == ERR_OK && i < ENDPOINT_FINDING_COUNT; i++) {
        bool blocks = findings[i].level == ENDPOINT_BLOCKS || (findings[i].level == ENDPOINT_LOCAL && !local_ok);
        if (blocks && endpoint_has(&endpoint, (enum endpoint_finding)i)) {
            endpoint_tell(&endpoint, (enum endpoint_finding)i, &why);
            err = error_set(error, ERR_INVALID, "%s", why.s);
        }
    }
    str_clear(&why);
    endpoint_clear(&endpoint);
    return err;
}
