#include "transfer.h"

#include "base/mem.h"
#include "proxy.h"

#include <errno.h>
#include <string.h>

enum { PLACE_MAX = 300 };

/* host, with the port where it is not the usual one. */
static void add_place(const struct transfer *transfer, struct str *out) {
    const struct url *url = &transfer->url;
    const char *usual = str_equal(url->scheme, "https") ? "443" : "80";
    str_add(out, url->host);
    if (url->port && !str_equal(url->port, usual))
        str_addf(out, ":%s", url->port);
}

static bool says(const struct transfer *transfer, const char *words) {
    return strcasestr(transfer->curl_text, words);
}

static bool has_peer(const struct transfer *transfer) {
    const char *ip = NULL;
    return curl_easy_getinfo(transfer->easy, CURLINFO_PRIMARY_IP, &ip) == CURLE_OK && ip && *ip;
}

static bool name_was_found(const struct transfer *transfer) {
    curl_off_t us = 0;
    return curl_easy_getinfo(transfer->easy, CURLINFO_NAMELOOKUP_TIME_T, &us) == CURLE_OK && us > 0;
}

/* libcurl 7.88 leaves the connect time at 0 when TLS fails, so the peer's address tells that TCP stood (webhook.md). */
static const char *phase(const struct transfer *transfer) {
    if (transfer->header_bytes > 0)
        return "receiving the answer";
    if (transfer->reply.sent)
        return "waiting for the answer";
    if (has_peer(transfer))
        return *transfer->proxy ? "setting up the secure connection through the proxy"
                                : "setting up the secure connection";
    return name_was_found(transfer) ? "connecting" : "looking up the name";
}

static void describe_timeout(const struct transfer *transfer, const char *place, struct error *error) {
    curl_off_t us = 0;
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_TOTAL_TIME_T, &us);
    long long seconds = (us + 500000) / 1000000;
    error_set(error, ERR_TIMEOUT, "%s: given up after %lld s, while %s", place, seconds, phase(transfer));
}

/* OpenSSL's verify results (webhook.md, measured answers); the number first, as the text differs by library. */
static const struct {
    long result;
    const char *reason;
} verify_reasons[] = {
    {9, "the certificate is not valid yet; check this machine's clock too"},
    {10, "the certificate has expired; check this machine's clock too"},
    {18, "the certificate is signed by itself, by no authority known here"},
    {19, "the certificate comes from an authority that is not known here"},
    {2, "the certificate's authority is not known here, or the server leaves an intermediate certificate out"},
    {20, "the certificate's authority is not known here, or the server leaves an intermediate certificate out"},
    {21, "the certificate's authority is not known here, or the server leaves an intermediate certificate out"},
    {23, "the certificate was revoked"},
    {26, "the certificate is not meant for servers"},
    {62, "the certificate is for another name"},
    {64, "the certificate is for another address"},
    {66, "the certificate's key is too weak"},
    {67, "the certificate's authority has a key that is too weak"},
    {68, "the certificate's signature is too weak"},
};

static const char *verify_reason(const struct transfer *transfer) {
    long result = 0;
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_SSL_VERIFYRESULT, &result);
    for (size_t i = 0; i < COUNT_OF(verify_reasons); i++)
        if (verify_reasons[i].result == result)
            return verify_reasons[i].reason;
    /* 0 and the start value 1: the chain was good, libcurl's own comparison of names was not. */
    return result <= 1 ? "the certificate is for another name" : "the certificate cannot be trusted";
}

static const struct {
    const char *words, *reason;
} handshake_reasons[] = {
    {"wrong version number", "it does not speak TLS; is it a port for plain http?"},
    {"unsupported protocol", "it offers only TLS versions older than 1.2"},
    {"protocol version", "it offers no TLS version that is safe (1.2 or newer)"},
    {"unrecognized name", "it serves no such name"},
    {"certificate required", "it asks for a client certificate, and there is none"},
    {"bad certificate", "it asks for a client certificate, and there is none"},
    {"handshake failure", "no common way to encrypt, or it asks for a client certificate"},
    {"dh key too small", "its key exchange is too weak"},
    {"ee key too small", "its certificate's key is too weak"},
};

static long os_errno(const struct transfer *transfer) {
    long number = 0;
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &number);
    return number;
}

static const char *handshake_reason(const struct transfer *transfer) {
    for (size_t i = 0; i < COUNT_OF(handshake_reasons); i++)
        if (says(transfer, handshake_reasons[i].words))
            return handshake_reasons[i].reason;
    return os_errno(transfer) == ECONNRESET || says(transfer, "SSL_ERROR_SYSCALL") || says(transfer, "unexpected eof")
               ? "it closed the connection while it was being secured"
               : "no secure connection came about";
}

static void describe_trust_file(const struct transfer *transfer, const char *place, struct error *error) {
    const char *file = transfer->request.ca_file;
    if (file && *file)
        error_set(error, ERR_TLS, "%s: the trust file %s of this machine cannot be used", place, file);
    else
        error_set(error, ERR_TLS, "%s: the system's trusted certificates cannot be read", place);
}

static const char *connect_reason(long number) {
    static const struct {
        long number;
        const char *reason;
    } known[] = {
        {ECONNREFUSED, "refused; nothing listens there"},
        {ENETUNREACH, "no way to that network from here"},
        {EHOSTUNREACH, "no way to that machine from here"},
        {ETIMEDOUT, "no answer from that machine"},
        {EACCES, "this machine does not allow the connection"},
        {EPERM, "this machine does not allow the connection"},
        {EMFILE, "too many open files on this machine"},
        {EADDRNOTAVAIL, "this machine has no free address for it"},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (known[i].number == number)
            return known[i].reason;
    return "no connection";
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

static void describe_proxy(const struct transfer *transfer, CURLcode code, const char *place, struct error *error) {
    struct str proxy;
    long status = 0;
    str_init(&proxy, PLACE_MAX);
    proxy_describe(transfer->proxy, &proxy);
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &status);
    if (code == CURLE_COULDNT_RESOLVE_PROXY)
        error_set(error, ERR_RESOLVE, "the proxy %s: its name could not be resolved", proxy.s);
    else if (code == CURLE_COULDNT_CONNECT)
        error_set(error, ERR_CONNECT, "the proxy %s: %s", proxy.s, connect_reason(os_errno(transfer)));
    else if (status >= 300)
        error_set(error, ERR_CONNECT, "the proxy %s does not let through to %s (it answered %ld)", proxy.s, place,
                  status);
    else
        error_set(error, ERR_CONNECT, "the proxy %s gave no way to %s", proxy.s, place);
    str_clear(&proxy);
}

static bool is_proxy_fault(const struct transfer *transfer, CURLcode code) {
    return *transfer->proxy && (transfer->reply.from_proxy || code == CURLE_COULDNT_RESOLVE_PROXY ||
                                code == CURLE_COULDNT_CONNECT || code == CURLE_PROXY);
}

static const struct {
    CURLcode code;
    enum err err;
    const char *reason;
} plain_reasons[] = {
    {CURLE_COULDNT_RESOLVE_HOST, ERR_RESOLVE, "no such name, or no name service answered"},
    {CURLE_GOT_NOTHING, ERR_NETWORK, "the connection was closed without an answer"},
    {CURLE_PARTIAL_FILE, ERR_NETWORK, "the answer was cut short"},
    {CURLE_SEND_ERROR, ERR_NETWORK, "the connection broke while the request was sent"},
    {CURLE_RECV_ERROR, ERR_NETWORK, "the connection broke while the answer was awaited or read"},
    {CURLE_HTTP2, ERR_NETWORK, "the connection broke (HTTP/2)"},
    {CURLE_HTTP2_STREAM, ERR_NETWORK, "the answer was broken off (HTTP/2)"},
    {CURLE_BAD_CONTENT_ENCODING, ERR_NETWORK, "the compressed answer is damaged"},
    {CURLE_ABORTED_BY_CALLBACK, ERR_NETWORK, "the connection broke, and a second sending was stopped"},
    {CURLE_UNSUPPORTED_PROTOCOL, ERR_UNEXPECTED, "what answers there does not speak HTTP"},
    {CURLE_WEIRD_SERVER_REPLY, ERR_UNEXPECTED, "the answer is not proper HTTP"},
    {CURLE_OK, ERR_UNEXPECTED, "no final answer came"},
    {CURLE_SSL_CERTPROBLEM, ERR_TLS, "the secure connection could not be set up on this machine"},
    {CURLE_SSL_CIPHER, ERR_TLS, "the secure connection could not be set up on this machine"},
    {CURLE_SSL_CLIENTCERT, ERR_TLS, "it asks for a client certificate, and there is none"},
};

static void describe_plain(CURLcode code, const char *place, struct error *error) {
    for (size_t i = 0; i < COUNT_OF(plain_reasons); i++)
        if (plain_reasons[i].code == code) {
            error_set(error, plain_reasons[i].err, "%s: %s", place, plain_reasons[i].reason);
            return;
        }
    error_set(error, ERR_NETWORK, "%s: the transfer failed (libcurl's number %d)", place, (int)code);
}

/* libcurl has limits of its own, of which its words tell: it says "out of memory" for too long a header line. */
static enum transfer_limit limit_met(const struct transfer *transfer, CURLcode code) {
    if (code == CURLE_BAD_CONTENT_ENCODING && says(transfer, "content encodings"))
        return LIMIT_ENCODINGS;
    if (code == CURLE_OUT_OF_MEMORY && transfer->reply.sent)
        return LIMIT_HEADERS;
    return transfer->limit;
}

void failure_describe(const struct transfer *transfer, CURLcode code, struct error *error) {
    struct str place;
    str_init(&place, PLACE_MAX);
    add_place(transfer, &place);
    enum transfer_limit limit = limit_met(transfer, code);
    if (limit != LIMIT_NONE)
        describe_limit(limit, place.s, error);
    else if (code == CURLE_OPERATION_TIMEDOUT)
        describe_timeout(transfer, place.s, error);
    else if (is_proxy_fault(transfer, code))
        describe_proxy(transfer, code, place.s, error);
    else if (code == CURLE_COULDNT_CONNECT)
        error_set(error, ERR_CONNECT, "%s: %s", place.s, connect_reason(os_errno(transfer)));
    else if (code == CURLE_PEER_FAILED_VERIFICATION)
        error_set(error, ERR_TLS, "%s: %s", place.s, verify_reason(transfer));
    else if (code == CURLE_SSL_CONNECT_ERROR)
        error_set(error, ERR_TLS, "%s: %s", place.s, handshake_reason(transfer));
    else if (code == CURLE_SSL_CACERT_BADFILE)
        describe_trust_file(transfer, place.s, error);
    else
        describe_plain(code, place.s, error);
    str_clear(&place);
}
