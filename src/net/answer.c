#include "transfer.h"

#include "base/ascii.h"
#include "base/proxy.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 256, VALUE_MAX_BYTES = 8192, PROXY_MAX = 300 };

static size_t net_answer_stop(struct transfer *transfer, enum transfer_limit limit) {
    transfer->limit = limit;
    return 0; /* tells curl to stop: a number other than the size given, which is never 0 */
}

/* Counts the codings in a list such as "gzip, identity"; chunked is the framing and counts for nothing. */
static int count_codings(const char *list) {
    int n = 0;
    while (*list) {
        list += strspn(list, ", \t");
        size_t len = strcspn(list, ", \t");
        bool plain = (len == 8 && ascii_compare_n(list, "identity", len) == 0) ||
                     (len == 7 && ascii_compare_n(list, "chunked", len) == 0);
        n += len > 0 && !plain;
        list += len;
    }
    return n;
}

static void net_answer_trim(const char **text, size_t *len) {
    while (*len > 0 && strchr(" \t\r\n", (*text)[*len - 1]))
        --*len;
    while (*len > 0 && strchr(" \t", **text)) {
        ++*text;
        --*len;
    }
}

static void net_answer_keep(struct transfer *transfer, const char *line, size_t len) {
    const char *colon = memchr(line, ':', len);
    if (!colon)
        return;
    const char *raw = colon + 1;
    size_t name_len = (size_t)(colon - line), raw_len = len - name_len - 1;
    net_answer_trim(&raw, &raw_len);
    struct str name, value;
    str_init(&name, NAME_MAX_BYTES);
    str_init(&value, VALUE_MAX_BYTES);
    utf8_sanitise(&name, line, name_len);
    utf8_sanitise(&value, raw, raw_len);
    headers_add(&transfer->reply.headers, name.s, value.s);
    if (ascii_compare(name.s, "content-encoding") == 0 || ascii_compare(name.s, "transfer-encoding") == 0)
        transfer->encodings += count_codings(value.s);
    str_clear(&name);
    str_clear(&value);
}

/* A status line opens a block: what an interim answer said is forgotten. */
static void open_block(struct transfer *transfer) {
    headers_clear(&transfer->reply.headers);
    transfer->encodings = 0;
    transfer->interim++;
}

static bool is_interim(CURL *easy) {
    long status = 0;
    return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK && status >= 100 && status < 200;
}

size_t answer_header(char *line, size_t size, size_t n, void *context) {
    struct transfer *transfer = context;
    size_t len = size * n;
    transfer->header_bytes += len;
    if (transfer->header_bytes > REPLY_HEADERS_MAX)
        return net_answer_stop(transfer, LIMIT_HEADERS);
    if (transfer->headers_whole)
        return len;
    if (len > 5 && strncmp(line, "HTTP/", 5) == 0)
        open_block(transfer);
    else if (line[0] == '\r' || line[0] == '\n')
        transfer->headers_whole = !is_interim(transfer->easy);
    else
        net_answer_keep(transfer, line, len);
    if (transfer->interim > INTERIM_MAX)
        return net_answer_stop(transfer, LIMIT_INTERIM);
    if (transfer->encodings > ENCODINGS_MAX)
        return net_answer_stop(transfer, LIMIT_ENCODINGS);
    return len;
}

size_t answer_body(char *bytes, size_t size, size_t n, void *context) {
    struct transfer *transfer = context;
    size_t len = size * n;
    str_add_n(&transfer->body, bytes, len);
    if (transfer->body.truncated)
        return net_answer_stop(transfer, LIMIT_BODY);
    return len;
}

static int version_number(long version) {
    static const struct {
        long version;
        int number;
    } known[] = {{CURL_HTTP_VERSION_1_0, 10},
                 {CURL_HTTP_VERSION_1_1, 11},
                 {CURL_HTTP_VERSION_2_0, 20},
                 {CURL_HTTP_VERSION_3, 30}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].version == version)
            return known[i].number;
    return 0;
}

/* Where libcurl cannot make an absolute URL, the header as it came is better than nothing. */
static void keep_redirect(struct transfer *transfer) {
    struct reply *reply = &transfer->reply;
    const char *target = NULL;
    if (reply->status < 300 || reply->status > 399)
        return;
    if (curl_easy_getinfo(transfer->easy, CURLINFO_REDIRECT_URL, &target) != CURLE_OK || !target)
        target = headers_find(&reply->headers, "Location");
    if (!target)
        return;
    struct str text;
    str_init(&text, REDIRECT_MAX);
    utf8_sanitise(&text, target, strlen(target));
    reply->redirect = str_take(&text);
}

static void keep_figures(struct transfer *transfer) {
    struct reply *reply = &transfer->reply;
    long status = 0, version = 0, connect = 0;
    curl_off_t total = 0, first = 0;
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_VERSION, &version);
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &connect);
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_TOTAL_TIME_T, &total);
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_STARTTRANSFER_TIME_T, &first);
    reply->from_proxy = connect >= 300;
    reply->status = transfer->headers_whole ? (int)status : 0;
    reply->http_version = version_number(version);
    reply->total_us = total;
    reply->first_byte_us = first;
}

/* A body that did not arrive whole is not passed on: half a page must never look like a page. */
static void keep_body(struct transfer *transfer) {
    if (transfer->reply.failure.code != ERR_OK)
        return;
    transfer->reply.body_len = transfer->body.len;
    transfer->reply.body = str_take(&transfer->body);
}

static void keep_proxy(struct transfer *transfer) {
    struct str text;
    if (!*transfer->proxy)
        return;
    str_init(&text, PROXY_MAX);
    url_proxy_place(transfer->proxy, &text);
    transfer->reply.proxy = str_take(&text);
}

void transfer_end(struct transfer *transfer, CURLcode code) {
    if (transfer->easy) {
        keep_figures(transfer);
        keep_proxy(transfer);
        keep_redirect(transfer);
        if (code != CURLE_OK || !transfer->headers_whole)
            failure_describe(transfer, code, &transfer->reply.failure);
    }
    keep_body(transfer);
}

void transfer_end_cancelled(struct transfer *transfer) {
    keep_figures(transfer);
    error_set(&transfer->reply.failure, ERR_CANCELLED, "cancelled");
}
