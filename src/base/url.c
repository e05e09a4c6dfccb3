#include "base/url.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

enum { URL_MAX = 64 * 1024 };

#if LIBCURL_VERSION_NUM >= 0x075800
#define HOST_FLAGS CURLU_PUNYCODE
#else
#define HOST_FLAGS 0
#endif

static const struct {
    CURLUcode code;
    const char *reason;
} reasons[] = {
    {CURLUE_BAD_SCHEME, "it has no scheme such as https://"},
    {CURLUE_BAD_PORT_NUMBER, "the port is not a number from 0 to 65535"},
    {CURLUE_BAD_HOSTNAME, "the host name holds characters that no host has, or that cannot be converted here"},
    {CURLUE_BAD_IPV6, "the IPv6 address is not valid, or has a zone"},
    {CURLUE_BAD_LOGIN, "the user part is not valid"},
    {CURLUE_NO_HOST, "it has no host"},
    {CURLUE_BAD_SLASHES, "two slashes must follow the scheme"},
    {CURLUE_MALFORMED_INPUT, "it holds a blank, a backslash or a character that cannot be seen"},
};

static const char *url_reason_of(CURLUcode code) {
    for (size_t i = 0; i < COUNT_OF(reasons); i++)
        if (reasons[i].code == code)
            return reasons[i].reason;
    return "it cannot be read";
}

/* Copies from curl's memory into the heap, so that one way to free serves all; NULL where the part is absent. */
static char *url_part(CURLU *handle, CURLUPart what, unsigned flags) {
    char *value = NULL;
    char *copy = curl_url_get(handle, what, &value, flags) == CURLUE_OK ? mem_dup(value) : NULL;
    curl_free(value);
    return copy;
}

static void url_lower(char *text) {
    for (; text && *text; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text + ('a' - 'A'));
}

static char *url_origin_of(const struct url *url) {
    struct str origin;
    str_init(&origin, URL_MAX);
    str_addf(&origin, "%s://%s", url->scheme, url->host);
    if (url->port)
        str_addf(&origin, ":%s", url->port);
    return str_take(&origin);
}

static void take_parts(CURLU *handle, struct url *out) {
    out->scheme = url_part(handle, CURLUPART_SCHEME, 0);
    out->host = url_part(handle, CURLUPART_HOST, HOST_FLAGS);
    out->user = url_part(handle, CURLUPART_USER, 0);
    out->port = url_part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);
    out->path = url_part(handle, CURLUPART_PATH, 0);
    out->query = url_part(handle, CURLUPART_QUERY, 0);
    out->fragment = url_part(handle, CURLUPART_FRAGMENT, 0);
    url_lower(out->scheme);
    url_lower(out->host);
    /* `:password@host` has credentials too. */
    char *password = url_part(handle, CURLUPART_PASSWORD, 0);
    if (password && !out->user)
        out->user = mem_dup("");
    free(password);
}

/* libcurl accepts one to three slashes; a browser, or a person who reads the address, may see another host in it. */
static bool has_two_slashes(const char *text) {
    const char *colon = strchr(text, ':');
    return colon && strncmp(colon, "://", 3) == 0 && colon[3] != '/';
}

/* `host:8443/path`: libcurl reads "host" as a scheme. */
static bool is_host_and_port(const char *text) {
    const char *colon = strchr(text, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    return digits > 0 && (colon[1 + digits] == '\0' || strchr("/?#", colon[1 + digits]));
}

/* Characters that a reader cannot see must not be part of an address; nor a backslash, which browsers take for a slash
 * and libcurl for a part of the user name. */
static bool url_is_plain(const char *text) {
    size_t len = strlen(text);
    return len <= URL_MAX && !strpbrk(text, " \\") && utf8_is_clean(text, len);
}

/* Checked after the conversion, which has turned a full-width slash or at sign into a plain one. */
static bool is_host(const char *host) {
    if (host[0] == '[')
        return true;
    return host[strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789-._~")] == '\0' && host[0] != '.' &&
           !strstr(host, "..");
}

static bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_' || c == '~';
}

static bool is_normal_host(const char *host, size_t len) {
    char text[256];
    struct in_addr address;
    if (len == 0 || len >= sizeof text || strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") < len)
        return false;
    memcpy(text, host, len);
    text[len] = '\0';
    if (inet_pton(AF_INET, text, &address) == 1)
        return true;
    const char *last = strrchr(text, '.');
    last = last ? last + 1 : text;
    return *last >= 'a' && *last <= 'z' && is_host(text) && !strstr(text, "xn--");
}

static size_t normal_port(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return *text != '0' && digits > 0 && digits <= 5 && strtol(text, NULL, 10) <= 65535 ? digits : 0;
}

/* How many bytes stand as they are in a path or a query, up to what is none of them. */
static size_t normal_text(const char *text) {
    static const char hex[] = "0123456789ABCDEF";
    size_t n = 0;
    while (text[n] &&
           (is_unreserved(text[n]) || strchr("/=&", text[n]) ||
            (text[n] == '%' && text[n + 1] && strchr(hex, text[n + 1]) && text[n + 2] && strchr(hex, text[n + 2]))))
        n++;
    return n;
}

/* An address in its normal form, as settings and our own requests have it, is what libcurl would make of it: it need
 * not be loaded. Whatever else there is to it, is libcurl's to read. */
static bool read_normal(const char *text, struct url *out) {
    size_t scheme = strncmp(text, "https://", 8) == 0 ? 5 : strncmp(text, "http://", 7) == 0 ? 4 : 0;
    const char *host = text + scheme + 3;
    size_t host_len = scheme > 0 ? strcspn(host, ":/?#@[\\%") : 0;
    if (!is_normal_host(host, host_len))
        return false;
    const char *at = host + host_len, *port = *at == ':' ? at + 1 : NULL;
    size_t port_len = port ? normal_port(port) : 0;
    if (port && port_len == 0)
        return false;
    at = port ? port + port_len : at;
    const char *path = at;
    size_t path_len = *at == '/' ? normal_text(at) : 0;
    at += path_len;
    const char *query = path_len > 0 && *at == '?' ? at + 1 : NULL;
    size_t query_len = query ? normal_text(query) : 0;
    if ((query && query_len == 0) || (query ? query + query_len : at)[0] != '\0')
        return false;
    out->scheme = mem_dup_n(text, scheme);
    out->host = mem_dup_n(host, host_len);
    out->port = port ? mem_dup_n(port, port_len) : mem_dup(scheme == 5 ? "443" : "80");
    out->path = path_len > 0 ? mem_dup_n(path, path_len) : mem_dup("/");
    out->query = query ? mem_dup_n(query, query_len) : NULL;
    return true;
}

static CURLUcode read_parts(CURLU *handle, const char *text, struct url *out) {
    if (!url_is_plain(text))
        return CURLUE_MALFORMED_INPUT;
    if (is_host_and_port(text))
        return CURLUE_BAD_SCHEME;
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS);
    if (code != CURLUE_OK)
        return code;
    if (!has_two_slashes(text))
        return CURLUE_BAD_SLASHES;
    take_parts(handle, out);
    /* libcurl reports "no memory" for an invalid international name, and for any international name outside UTF-8
     * locales. */
    if (!out->host)
        return CURLUE_BAD_HOSTNAME;
    if (!*out->host)
        return CURLUE_NO_HOST;
    if (!is_host(out->host))
        return CURLUE_BAD_HOSTNAME;
    /* The origin would lose the zone. */
    char *zone = url_part(handle, CURLUPART_ZONEID, 0);
    code = zone ? CURLUE_BAD_IPV6 : CURLUE_OK;
    free(zone);
    return code;
}

static CURLU *url_new_handle(void) {
    CURLU *handle = curl_url();
    if (!handle)
        mem_fatal("out of memory");
    return handle;
}

/* libcurl decodes percent signs of a host after it has normalised addresses: `%399` is now the name 99, and would be
 * the address 0.0.0.99 when the origin is read again. What a token is bound to must mean the same both times. */
static bool is_same_again(const struct url *url) {
    CURLU *handle = url_new_handle();
    char *host = NULL;
    if (curl_url_set(handle, CURLUPART_URL, url->origin, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK)
        host = url_part(handle, CURLUPART_HOST, HOST_FLAGS);
    url_lower(host);
    bool same = str_equal(host, url->host);
    free(host);
    curl_url_cleanup(handle);
    return same;
}

enum err url_parse(const char *text, struct url *out, struct error *error) {
    *out = (struct url){0};
    if (strlen(text) <= URL_MAX && read_normal(text, out)) {
        out->origin = url_origin_of(out);
        return ERR_OK;
    }
    CURLU *handle = url_new_handle();
    CURLUcode code = read_parts(handle, text, out);
    curl_url_cleanup(handle);
    if (code == CURLUE_OK) {
        out->origin = url_origin_of(out);
        code = is_same_again(out) ? CURLUE_OK : CURLUE_BAD_HOSTNAME;
    }
    if (code == CURLUE_OK)
        return ERR_OK;
    url_clear(out);
    /* The text itself may hold credentials. */
    return error_set(error, ERR_INVALID, "not a usable URL: %s", url_reason_of(code));
}

void url_clear(struct url *url) {
    free(url->scheme);
    free(url->user);
    free(url->host);
    free(url->port);
    free(url->path);
    free(url->query);
    free(url->fragment);
    free(url->origin);
    *url = (struct url){0};
}

static bool is_loopback6(const char *host) {
    struct in6_addr address;
    size_t len = strlen(host);
    char bare[INET6_ADDRSTRLEN];
    if (host[0] != '[' || len < 3 || len - 2 >= sizeof bare)
        return false;
    memcpy(bare, host + 1, len - 2);
    bare[len - 2] = '\0';
    return inet_pton(AF_INET6, bare, &address) == 1 && IN6_IS_ADDR_LOOPBACK(&address);
}

bool url_is_loopback(const struct url *url) {
    struct in_addr address;
    if (!url->host)
        return false;
    if (ascii_compare(url->host, "localhost") == 0)
        return true;
    /* inet_aton reads octal, hexadecimal and short forms as the resolver does. */
    if (inet_aton(url->host, &address))
        return ntohl(address.s_addr) >> 24 == 127;
    return is_loopback6(url->host);
}

void url_encode(struct str *out, const char *s, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (is_unreserved(s[i]))
            str_add_char(out, s[i]);
        else
            str_addf(out, "%%%02X", (unsigned)(unsigned char)s[i]);
}

void url_join(struct str *out, const char *base, const char *path) {
    size_t len = strlen(base);
    while (len > 0 && base[len - 1] == '/')
        len--;
    while (path[0] == '/')
        path++;
    str_add_n(out, base, len);
    str_add_char(out, '/');
    str_add(out, path);
}

static int url_hex_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Percent sequences only: a plus sign stays one, since cursors (base64) contain it and no blanks. */
static void decode(struct str *out, const char *s, size_t len) {
    for (size_t i = 0; i < len; i++) {
        int high = s[i] == '%' && i + 2 < len ? url_hex_value(s[i + 1]) : -1;
        int low = high >= 0 ? url_hex_value(s[i + 2]) : -1;
        if (low < 0) {
            str_add_char(out, s[i]);
            continue;
        }
        str_add_char(out, (char)(high * 16 + low));
        i += 2;
    }
}

static bool url_is_named(const char *pair, size_t len, const char *name) {
    struct str key;
    str_init(&key, len);
    decode(&key, pair, len);
    bool same = key.len == strlen(name) && memcmp(key.s, name, key.len) == 0;
    str_clear(&key);
    return same;
}

/* A value with a NUL byte would look like a shorter one. */
static char *url_value_of(const char *s, size_t len) {
    struct str value;
    str_init(&value, len);
    decode(&value, s, len);
    bool whole = memchr(value.s, '\0', value.len) == NULL;
    char *text = whole ? str_take(&value) : NULL;
    str_clear(&value);
    return text;
}

char *url_query_value(const char *query, const char *name) {
    while (query && *query) {
        size_t len = strcspn(query, "&");
        size_t key = strcspn(query, "=&");
        if (url_is_named(query, key, name))
            return url_value_of(query + key + (key < len), len - key - (key < len));
        query += len + (query[len] == '&');
    }
    return NULL;
}

void url_proxy_place(const char *setting, struct str *out) {
    char *host = NULL, *port = NULL, *scheme = NULL;
    CURLU *url = curl_url();
    if (url && !curl_url_set(url, CURLUPART_URL, setting, CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME) &&
        !curl_url_get(url, CURLUPART_HOST, &host, 0) && !curl_url_get(url, CURLUPART_SCHEME, &scheme, 0)) {
        /* libcurl's own defaults: 443 for a proxy reached by TLS, 1080 for every other. */
        bool given = !curl_url_get(url, CURLUPART_PORT, &port, 0);
        str_addf(out, "%s:%s", host, given ? port : str_equal(scheme, "https") ? "443" : "1080");
    } else {
        str_add(out, "whose setting cannot be read");
    }
    curl_free(host);
    curl_free(port);
    curl_free(scheme);
    curl_url_cleanup(url);
}

static char *login_part(CURLU *url, CURLUPart part) {
    char *text = NULL;
    if (!url || curl_url_get(url, part, &text, CURLU_URLDECODE))
        return NULL;
    char *copy = mem_dup(text);
    secret_wipe(text, strlen(text));
    curl_free(text);
    return copy;
}

void url_proxy_login(const char *setting, char **user, char **password) {
    CURLU *url = *setting ? curl_url() : NULL;
    *user = *password = NULL;
    if (url && !curl_url_set(url, CURLUPART_URL, setting, CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME)) {
        *user = login_part(url, CURLUPART_USER);
        *password = login_part(url, CURLUPART_PASSWORD);
    }
    curl_url_cleanup(url);
}
