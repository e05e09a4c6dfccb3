#include "transfer.h"

#include "base/mem.h"
#include "base/proxy.h"
#include "cause.h"

enum { PLACE_MAX = 300 };

/* host, with the port where it is not the usual one. */
static void failure_add_place(const struct transfer *transfer, struct str *out) {
    const struct url *url = &transfer->url;
    const char *usual = str_equal(url->scheme, "https") ? "443" : "80";
    str_add(out, url->host);
    if (url->port && !str_equal(url->port, usual))
        str_addf(out, ":%s", url->port);
}

/* What stands after "HOST: "; a time limit gets its seconds before it. */
static const struct {
    enum err err;
    const char *reason;
} reasons[] = {
    [PROBE_FINE] = {ERR_UNEXPECTED, "no final answer came"},
    [PROBE_CANCELLED] = {ERR_CANCELLED, "cancelled"},
    [PROBE_BAD_URL] = {ERR_INVALID, "not a usable URL"},
    [PROBE_NO_NAME] = {ERR_RESOLVE, "no such name, or no name service answered"},
    [PROBE_NAME_STALLED] = {ERR_TIMEOUT, "while looking up the name"},
    [PROBE_REFUSED] = {ERR_CONNECT, "refused; nothing listens there"},
    [PROBE_UNREACHABLE] = {ERR_CONNECT, "no way to that machine from here"},
    [PROBE_FILTERED] = {ERR_TIMEOUT, "while connecting"},
    [PROBE_NO_CONNECTION] = {ERR_CONNECT, "no connection"},
    [PROBE_PROXY] = {ERR_CONNECT, "the proxy gave no way there"},
    [PROBE_CERT_FUTURE] = {ERR_TLS, "the certificate is not valid yet; check this machine's clock too"},
    [PROBE_CERT_EXPIRED] = {ERR_TLS, "the certificate has expired; check this machine's clock too"},
    [PROBE_CERT_NAME] = {ERR_TLS, "the certificate is for another name"},
    [PROBE_CERT_SELF_SIGNED] = {ERR_TLS, "the certificate is signed by itself, by no authority known here"},
    [PROBE_CERT_UNKNOWN_ROOT] = {ERR_TLS, "the certificate comes from an authority that is not known here"},
    [PROBE_CERT_CHAIN] = {ERR_TLS, "the certificate's authority is not known here, or the server leaves an "
                                   "intermediate certificate out"},
    [PROBE_CERT_REVOKED] = {ERR_TLS, "the certificate was revoked"},
    [PROBE_CERT_PURPOSE] = {ERR_TLS, "the certificate is not meant for servers"},
    [PROBE_CERT_WEAK] = {ERR_TLS, "the certificate or its authority has a key or signature that is too weak"},
    [PROBE_CERT_OTHER] = {ERR_TLS, "the certificate cannot be trusted"},
    [PROBE_TLS_VERSION] = {ERR_TLS, "it offers no TLS version that is safe (1.2 or newer)"},
    [PROBE_TLS_PLAIN] = {ERR_TLS, "it does not speak TLS; is it a port for plain http?"},
    [PROBE_TLS_NAME] = {ERR_TLS, "it serves no such name"},
    [PROBE_TLS_CLIENT] = {ERR_TLS, "it asks for a client certificate, and there is none"},
    [PROBE_TLS_REFUSED] = {ERR_TLS, "it refused the handshake; it may want a client certificate, and there is none"},
    [PROBE_TLS_CUT] = {ERR_TLS, "it closed the connection while it was being secured"},
    [PROBE_TLS_SILENT] = {ERR_TIMEOUT, "while setting up the secure connection"},
    [PROBE_TLS_HERE] = {ERR_TLS, "the secure connection could not be set up on this machine"},
    [PROBE_TLS_FAILED] = {ERR_TLS, "no secure connection came about"},
    [PROBE_TRUST_FILE] = {ERR_TLS, "the system's trusted certificates cannot be read"},
    [PROBE_NOT_HTTP] = {ERR_UNEXPECTED, "what answers there does not speak HTTP"},
    [PROBE_CLOSED] = {ERR_NETWORK, "the connection was closed without an answer"},
    [PROBE_SILENT] = {ERR_TIMEOUT, "while waiting for the answer"},
    [PROBE_CUT] = {ERR_NETWORK, "the answer was cut short"},
    [PROBE_SLOW] = {ERR_TIMEOUT, "while receiving the answer"},
    [PROBE_TOO_LARGE] = {ERR_LIMIT, "the answer is beyond this program's limits"},
    [PROBE_BROKEN] = {ERR_NETWORK, "the connection broke"},
};

static void describe_cause(const struct transfer *transfer, enum probe_cause cause, const char *place,
                           struct error *error) {
    enum err err = reasons[cause].err;
    const char *reason = reasons[cause].reason;
    if (err == ERR_TIMEOUT)
        error_set(error, err, "%s: given up after %lld s, %s", place, (long long)(transfer->ran_ms + 500) / 1000,
                  reason);
    else
        error_set(error, err, "%s: %s", place, reason);
}

static void describe_limit(enum transfer_limit limit, const char *place, struct error *error) {
    switch (limit) {
    case LIMIT_BODY:
        error_set(error, ERR_LIMIT, "%s: the answer is larger than %d MiB and was not read on", place,
                  REPLY_BODY_MAX >> 20);
        break;
    case LIMIT_INTERIM:
        error_set(error, ERR_LIMIT, "%s: more than %d interim answers and no final one", place, INTERIM_MAX - 1);
        break;
    case LIMIT_ENCODINGS:
        error_set(error, ERR_LIMIT, "%s: the answer is compressed more than %d times over", place, ENCODINGS_MAX);
        break;
    case LIMIT_HEADERS:
    case LIMIT_NONE:
        error_set(error, ERR_LIMIT, "%s: the answer's headers are larger than this program reads (%d KiB)", place,
                  REPLY_HEADERS_MAX >> 10);
        break;
    }
}

/* What libcurl's own limits cut: stacked encodings, or a header line. */
static enum transfer_limit limit_met(const struct transfer *transfer, CURLcode code, enum probe_cause cause) {
    if (transfer->limit == LIMIT_NONE && cause == PROBE_TOO_LARGE)
        return code == CURLE_BAD_CONTENT_ENCODING ? LIMIT_ENCODINGS : LIMIT_HEADERS;
    return transfer->limit;
}

/* Where the proxy fails, an exception that is not understood is the first thing to look at. */
static const char *unread_exception(void) {
    const char *entry;
    size_t len;
    enum proxy_reading reading;
    for (size_t i = 0; proxy_exception(i, &entry, &len, &reading); i++)
        if (reading == PROXY_NOT_READ)
            return "; NO_PROXY has an entry that is not read, see: bursar config check";
    return "";
}

static void describe_proxy(const struct transfer *transfer, CURLcode code, const char *place, struct error *error) {
    struct str proxy;
    const char *unread = unread_exception();
    long status = 0;
    str_init(&proxy, PLACE_MAX);
    url_proxy_place(transfer->proxy, &proxy);
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &status);
    if (code == CURLE_COULDNT_RESOLVE_PROXY)
        error_set(error, ERR_RESOLVE, "the proxy %s: its name could not be resolved%s", proxy.s, unread);
    else if (code == CURLE_COULDNT_CONNECT)
        error_set(error, ERR_CONNECT, "the proxy %s: no connection to it%s", proxy.s, unread);
    else if (status >= 300)
        error_set(error, ERR_CONNECT, "the proxy %s does not let through to %s (it answered %ld)%s", proxy.s, place,
                  status, unread);
    else
        error_set(error, ERR_CONNECT, "the proxy %s gave no way to %s%s", proxy.s, place, unread);
    str_clear(&proxy);
}

static bool has_trust_file(const struct transfer *transfer) {
    return transfer->request.ca_file && *transfer->request.ca_file;
}

static void describe_broken(CURLcode code, const char *place, struct error *error) {
    if (code == CURLE_BAD_CONTENT_ENCODING)
        error_set(error, ERR_NETWORK, "%s: the compressed answer is damaged", place);
    else if (code == CURLE_ABORTED_BY_CALLBACK)
        error_set(error, ERR_NETWORK, "%s: the connection broke, and a second sending was stopped", place);
    else
        error_set(error, ERR_NETWORK, "%s: the transfer failed (libcurl's number %d)", place, (int)code);
}

void failure_describe(const struct transfer *transfer, CURLcode code, struct error *error) {
    const struct cause_facts facts = {.easy = transfer->easy,
                                      .code = code,
                                      .words = transfer->curl_text,
                                      .sent = transfer->reply.sent,
                                      .was_answered = transfer->header_bytes > 0};
    enum probe_cause cause = cause_find(&facts);
    enum transfer_limit limit = limit_met(transfer, code, cause);
    struct str place;
    str_init(&place, PLACE_MAX);
    failure_add_place(transfer, &place);
    bool by_proxy = cause == PROBE_PROXY || (*transfer->proxy && code == CURLE_COULDNT_CONNECT);
    if (*transfer->proxy && !by_proxy) {
        str_add(&place, " through the proxy ");
        url_proxy_place(transfer->proxy, &place);
    }
    if (limit != LIMIT_NONE)
        describe_limit(limit, place.s, error);
    else if (by_proxy)
        describe_proxy(transfer, code, place.s, error);
    else if (cause == PROBE_TRUST_FILE && has_trust_file(transfer))
        error_set(error, ERR_TLS, "%s: the trust file %s of this machine cannot be used", place.s,
                  transfer->request.ca_file);
    else if (cause == PROBE_BROKEN)
        describe_broken(code, place.s, error);
    else
        describe_cause(transfer, cause, place.s, error);
    str_clear(&place);
}
