#include "net/probe.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/proxy.h"
#include "base/utf8.h"
#include "cause.h"
#include "probe_parts.h"
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

enum { CONNECT_TIMEOUT_S = 10, TOTAL_TIMEOUT_S = 30, PIN_MAX = 4096, PROXY_MAX = 512 };

/* How a pass differs from an ordinary read. 0 keeps the transfer's own setting. */
static const struct kind {
    const char *method;
    bool handshake_only, unverified, chain;
    long tls, http;
    const char *ciphers;
} kinds[PROBE_STEP_COUNT] = {
    [PROBE_TLS] = {.method = "GET", .handshake_only = true, .chain = true},
    [PROBE_LOOK] = {.method = "GET", .handshake_only = true, .unverified = true, .chain = true},
    /* With the lowest security level: otherwise OpenSSL's own rules, not the server's, would end the handshake. */
    [PROBE_TLS_OLD] = {.method = "GET",
                       .handshake_only = true,
                       .unverified = true,
                       .tls = (long)CURL_SSLVERSION_TLSv1_0 | (long)CURL_SSLVERSION_MAX_TLSv1_1,
                       .ciphers = "ALL:@SECLEVEL=0"},
    [PROBE_TLS_12] = {.method = "GET",
                      .handshake_only = true,
                      .unverified = true,
                      .tls = (long)CURL_SSLVERSION_TLSv1_2 | (long)CURL_SSLVERSION_MAX_TLSv1_2},
    [PROBE_TLS_13] = {.method = "GET",
                      .handshake_only = true,
                      .unverified = true,
                      .tls = (long)CURL_SSLVERSION_TLSv1_3 | (long)CURL_SSLVERSION_MAX_TLSv1_3},
    [PROBE_HEAD] = {.method = "HEAD"},
    [PROBE_GET] = {.method = "GET"},
    [PROBE_HTTP_1] = {.method = "GET", .http = CURL_HTTP_VERSION_1_1},
    [PROBE_HTTP_2] = {.method = "GET", .http = CURL_HTTP_VERSION_2TLS},
    [PROBE_POST] = {.method = "POST"},
};

struct pass {
    const struct kind *kind;
    const struct probe_target *target;
    const atomic_bool *cancel;
    struct probe_result *result;
    struct transfer *transfer;
    struct curl_slist *pins;
};

static int probe_or_default(int given, int otherwise) {
    return given > 0 ? given : otherwise;
}

static char *net_probe_bare_host(const char *host) {
    size_t len = strlen(host);
    bool literal = len > 2 && host[0] == '[' && host[len - 1] == ']';
    return literal ? mem_dup_n(host + 1, len - 2) : mem_dup(host);
}

static bool net_probe_copy_text(char *out, size_t size, const char *text, size_t len) {
    struct str clean;
    str_init(&clean, size - 1);
    utf8_sanitise(&clean, text, len);
    memcpy(out, clean.s, clean.len + 1);
    bool whole = !clean.truncated;
    str_clear(&clean);
    return whole;
}

/* Only libcurl's trace tells the version and cipher, that a client certificate was asked for, and the first bytes of
 * what should have been a TLS record. */
static int trace(CURL *easy, curl_infotype type, char *text, size_t len, void *context) {
    static const char agreed[] = "SSL connection using ", asked[] = "Request CERT", http[] = "HTTP/";
    struct probe_pass *out = context;
    (void)easy;
    if (type == CURLINFO_SSL_DATA_IN && len >= sizeof http - 1 && memcmp(text, http, sizeof http - 1) == 0)
        out->plain_http = true;
    if (type != CURLINFO_TEXT)
        return 0;
    if (len > sizeof agreed && memcmp(text, agreed, sizeof agreed - 1) == 0) {
        size_t end = text[len - 1] == '\n' ? len - 1 : len;
        (void)net_probe_copy_text(out->tls, sizeof out->tls, text + sizeof agreed - 1, end - (sizeof agreed - 1));
    }
    if (memmem(text, len, asked, sizeof asked - 1))
        out->client_certificate = true;
    return 0;
}

/* Every later step connects to the addresses that were judged: a name that resolves to other addresses a moment later
 * changes nothing. */
static bool pin(struct pass *pass) {
    const struct probe_target *target = pass->target;
    const struct url *url = &pass->transfer->url;
    struct str line;
    if (target->n_addresses == 0 || url->host[0] == '[')
        return true;
    str_init(&line, PIN_MAX);
    str_addf(&line, "%s:%s:", url->host, url->port);
    for (size_t i = 0; i < target->n_addresses; i++)
        str_addf(&line, target->addresses[i].v6 ? "%s[%s]" : "%s%s", i > 0 ? "," : "", target->addresses[i].text);
    pass->pins = line.truncated ? NULL : curl_slist_append(NULL, line.s);
    str_clear(&line);
    return pass->pins && curl_easy_setopt(pass->transfer->easy, CURLOPT_RESOLVE, pass->pins) == CURLE_OK;
}

static bool net_probe_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value) == CURLE_OK;
}

static bool set_kind(CURL *easy, const struct kind *kind) {
    bool ok = net_probe_set_long(easy, CURLOPT_SSL_SESSIONID_CACHE, 0) &&
              net_probe_set_long(easy, CURLOPT_CONNECT_ONLY, kind->handshake_only) &&
              net_probe_set_long(easy, CURLOPT_CERTINFO, kind->chain) &&
              net_probe_set_long(easy, CURLOPT_SSL_OPTIONS, CURLSSLOPT_NO_PARTIALCHAIN);
    if (ok && kind->unverified)
        ok = net_probe_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0) && net_probe_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0);
    if (ok && kind->tls)
        ok = net_probe_set_long(easy, CURLOPT_SSLVERSION, kind->tls);
    if (ok && kind->http)
        ok = net_probe_set_long(easy, CURLOPT_HTTP_VERSION, kind->http);
    if (ok && kind->ciphers)
        ok = curl_easy_setopt(easy, CURLOPT_SSL_CIPHER_LIST, kind->ciphers) == CURLE_OK;
    return ok;
}

static bool set_trace(struct pass *pass) {
    CURL *easy = pass->transfer->easy;
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, trace) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_DEBUGDATA, &pass->result->pass) == CURLE_OK &&
           net_probe_set_long(easy, CURLOPT_VERBOSE, 1);
}

static void make_request(const struct pass *pass, struct request *request) {
    const struct probe_target *target = pass->target;
    bool post = pass->result->step == PROBE_POST;
    request_init(request);
    request->method = pass->kind->method;
    request->url = mem_dup(target->url);
    request->ca_file = target->ca_file;
    request->write = post;
    if (post && target->body) {
        request->body = mem_dup(target->body);
        request->body_len = strlen(target->body);
    }
    for (size_t i = 0; post && target->headers && i < target->headers->n; i++)
        headers_add(&request->headers, target->headers->items[i].name, target->headers->items[i].value);
}

/* Each pass has its own handle, and libcurl's limits count while the program is stopped; that is acceptable here, since
 * a measurement is about one moment. */
static bool net_probe_set_time(CURL *easy, const struct net_options *options) {
    return curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)options->connect_timeout_s) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_TIMEOUT, (long)options->total_timeout_s) == CURLE_OK;
}

static bool net_probe_set_up(struct pass *pass) {
    const struct probe_target *target = pass->target;
    int total = probe_or_default(target->total_timeout_s, TOTAL_TIMEOUT_S);
    const struct net_options options = {.connect_timeout_s =
                                            probe_or_default(target->connect_timeout_s, CONNECT_TIMEOUT_S),
                                        .total_timeout_s = total,
                                        .low_speed_s = total};
    struct request request;
    make_request(pass, &request);
    pass->transfer = transfer_new(1, &request, &options);
    pass->transfer->body.max = PROBE_BODY_MAX;
    return pass->transfer->easy && net_probe_set_time(pass->transfer->easy, &options) &&
           set_kind(pass->transfer->easy, pass->kind) && set_trace(pass) && pin(pass);
}

/* A multi handle of its own: no connection, session or name is shared with anything. */
static CURLcode net_probe_perform(struct pass *pass, bool *cancelled) {
    CURLM *multi = curl_multi_init();
    CURLcode code = CURLE_FAILED_INIT;
    int running = 1, left;
    if (!multi || curl_multi_add_handle(multi, pass->transfer->easy) != CURLM_OK)
        mem_fatal("out of memory");
    while (running > 0 && !(*cancelled = probe_is_cancelled(pass->cancel))) {
        if (curl_multi_perform(multi, &running) != CURLM_OK)
            break;
        if (running > 0)
            (void)curl_multi_poll(multi, NULL, 0, PROBE_TURN_MS, NULL);
    }
    for (const CURLMsg *message; (message = curl_multi_info_read(multi, &left));)
        if (message->msg == CURLMSG_DONE)
            code = message->data.result;
    if (pass->kind->chain)
        probe_read_chain(pass->transfer->easy, &pass->result->chain);
    transfer_end(pass->transfer, code);
    (void)curl_multi_remove_handle(multi, pass->transfer->easy);
    (void)curl_multi_cleanup(multi);
    return code;
}

static int64_t net_probe_time_of(CURL *easy, CURLINFO info) {
    curl_off_t us = 0;
    return curl_easy_getinfo(easy, info, &us) == CURLE_OK ? us : 0;
}

static void take_proxy(const struct transfer *transfer, struct probe_pass *out) {
    struct str place;
    out->via_proxy = *transfer->proxy;
    if (!out->via_proxy)
        return;
    str_init(&place, PROXY_MAX);
    url_proxy_place(transfer->proxy, &place);
    free(out->proxy);
    out->proxy = str_take(&place);
    out->proxy_variable = proxy_variable(&transfer->url);
}

static void take_figures(const struct transfer *transfer, struct probe_pass *out) {
    CURL *easy = transfer->easy;
    const char *peer = NULL;
    long verify = 0;
    (void)curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &verify);
    if (curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &peer) == CURLE_OK && peer)
        (void)net_probe_copy_text(out->peer, sizeof out->peer, peer, strlen(peer));
    out->verify = (int)verify;
    take_proxy(transfer, out);
    out->name_us = net_probe_time_of(easy, CURLINFO_NAMELOOKUP_TIME_T);
    out->connect_us = net_probe_time_of(easy, CURLINFO_CONNECT_TIME_T);
    out->tls_us = net_probe_time_of(easy, CURLINFO_APPCONNECT_TIME_T);
    out->first_us = transfer->header_bytes > 0 ? net_probe_time_of(easy, CURLINFO_STARTTRANSFER_TIME_T) : 0;
    out->total_us = net_probe_time_of(easy, CURLINFO_TOTAL_TIME_T);
}

static void take_headers(const struct reply *reply, struct probe_pass *out) {
    const char *date = headers_find(&reply->headers, "Date");
    out->status = reply->status;
    out->http_version = reply->status ? reply->http_version : 0;
    out->type = mem_dup(headers_find(&reply->headers, "Content-Type"));
    out->allow = mem_dup(headers_find(&reply->headers, "Allow"));
    out->server = mem_dup(headers_find(&reply->headers, "Server"));
    out->redirect = mem_dup(reply->redirect);
    if (!date || !clock_parse_http(date, strlen(date), &out->date))
        out->date = CLOCK_NONE;
}

static bool looks_like_html(const char *type, const char *body) {
    static const char blanks[] = " \t\r\n\xef\xbb\xbf";
    body += strspn(body, blanks);
    return (type && ascii_find(type, "html")) || ascii_compare_n(body, "<!doctype html", 14) == 0 ||
           ascii_compare_n(body, "<html", 5) == 0;
}

static void take_body(const struct transfer *transfer, struct probe_pass *out) {
    static const char *const fields[] = {"type=\"password\"", "type='password'", "type=password"};
    const struct reply *reply = &transfer->reply;
    const char *body = reply->body ? reply->body : transfer->body.s;
    out->body_len = reply->body ? reply->body_len : transfer->body.len;
    out->body_cut = transfer->limit == LIMIT_BODY;
    out->html = looks_like_html(out->type, body);
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        out->password_field = out->password_field || ascii_find(body, fields[i]);
}

static enum probe_cause find_cause(const struct pass *pass, CURLcode code) {
    const struct transfer *transfer = pass->transfer;
    const struct cause_facts facts = {.easy = transfer->easy,
                                      .code = code,
                                      .words = transfer->curl_text,
                                      .sent = transfer->reply.sent,
                                      .was_answered = transfer->header_bytes > 0,
                                      .client_certificate = pass->result->pass.client_certificate};
    if (transfer->limit == LIMIT_BODY)
        return PROBE_FINE;
    if (transfer->limit != LIMIT_NONE)
        return PROBE_TOO_LARGE;
    pass->result->pass.os_error = cause_os_error(&facts);
    enum probe_cause cause = cause_find(&facts);
    if (cause == PROBE_REFUSED && *transfer->proxy)
        return PROBE_PROXY;
    return cause == PROBE_FINE && !pass->kind->handshake_only && !transfer->headers_whole ? PROBE_NOT_HTTP : cause;
}

static bool net_probe_is_https(const struct transfer *transfer) {
    return transfer->url.scheme && strcmp(transfer->url.scheme, "https") == 0;
}

static void run_pass(struct pass *pass) {
    struct probe_pass *out = &pass->result->pass;
    bool cancelled = false;
    out->cause = PROBE_BAD_URL;
    if (net_probe_set_up(pass) && net_probe_is_https(pass->transfer)) {
        CURLcode code = net_probe_perform(pass, &cancelled);
        out->code = (int)code;
        take_figures(pass->transfer, out);
        take_headers(&pass->transfer->reply, out);
        take_body(pass->transfer, out);
        out->cause = cancelled ? PROBE_CANCELLED : find_cause(pass, code);
    }
    transfer_free(pass->transfer);
    curl_slist_free_all(pass->pins);
}

static void run_addresses(enum probe_step step, const struct probe_target *target, const atomic_bool *cancel,
                          struct probe_addresses *out) {
    struct url url;
    int timeout_ms = probe_or_default(target->connect_timeout_s, CONNECT_TIMEOUT_S) * 1000;
    out->cause = PROBE_BAD_URL;
    if (url_parse(target->url, &url, NULL) != ERR_OK || !str_equal(url.scheme, "https")) {
        url_clear(&url);
        return;
    }
    if (step == PROBE_RESOLVE) {
        char *host = net_probe_bare_host(url.host);
        probe_resolve(host, timeout_ms, cancel, out);
        free(host);
    } else {
        out->n = target->n_addresses < PROBE_ADDRESSES_MAX ? target->n_addresses : PROBE_ADDRESSES_MAX;
        for (size_t i = 0; i < out->n; i++)
            out->items[i] = target->addresses[i];
        probe_connect(url.port, timeout_ms, cancel, out);
    }
    url_clear(&url);
}

void probe_run(enum probe_step step, const struct probe_target *target, const atomic_bool *cancel,
               struct probe_result *result) {
    probe_result_init(result, step);
    if (step == PROBE_RESOLVE || step == PROBE_TCP) {
        run_addresses(step, target, cancel, &result->addresses);
        return;
    }
    struct pass pass = {.kind = &kinds[step], .target = target, .cancel = cancel, .result = result};
    run_pass(&pass);
}
