#include "cause.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <errno.h>
#include <string.h>

static bool cause_says(const struct cause_facts *facts, const char *words) {
    return ascii_find(facts->words, words);
}

static bool has_peer(const struct cause_facts *facts) {
    const char *ip = NULL;
    return curl_easy_getinfo(facts->easy, CURLINFO_PRIMARY_IP, &ip) == CURLE_OK && ip && *ip;
}

static bool name_was_found(const struct cause_facts *facts) {
    curl_off_t us = 0;
    return curl_easy_getinfo(facts->easy, CURLINFO_NAMELOOKUP_TIME_T, &us) == CURLE_OK && us > 0;
}

int cause_os_error(const struct cause_facts *facts) {
    long number = 0;
    (void)curl_easy_getinfo(facts->easy, CURLINFO_OS_ERRNO, &number);
    return (int)number;
}

/* libcurl 7.88 leaves the connect time at 0 when TLS fails; the peer's address shows that TCP was connected. */
static enum probe_cause timeout_cause(const struct cause_facts *facts) {
    if (facts->was_answered)
        return PROBE_SLOW;
    if (facts->sent)
        return PROBE_SILENT;
    if (has_peer(facts))
        return PROBE_TLS_SILENT;
    return name_was_found(facts) ? PROBE_FILTERED : PROBE_NAME_STALLED;
}

static enum probe_cause connect_cause(const struct cause_facts *facts) {
    switch (cause_os_error(facts)) {
    case ECONNREFUSED:
        return PROBE_REFUSED;
    case ENETUNREACH:
    case EHOSTUNREACH:
    case EADDRNOTAVAIL:
        return PROBE_UNREACHABLE;
    case ETIMEDOUT:
        return PROBE_FILTERED;
    case ECONNRESET:
        return PROBE_CLOSED; /* accepted and reset before libcurl looked */
    default:
        return PROBE_NO_CONNECTION;
    }
}

/* OpenSSL's verify results, each measured against a server that causes it. */
static const struct {
    long result;
    enum probe_cause cause;
} verify_causes[] = {
    {2, PROBE_CERT_CHAIN},    {9, PROBE_CERT_FUTURE},        {10, PROBE_CERT_EXPIRED}, {18, PROBE_CERT_SELF_SIGNED},
    {20, PROBE_CERT_CHAIN},   {19, PROBE_CERT_UNKNOWN_ROOT}, {21, PROBE_CERT_CHAIN},   {23, PROBE_CERT_REVOKED},
    {26, PROBE_CERT_PURPOSE}, {62, PROBE_CERT_NAME},         {64, PROBE_CERT_NAME},    {66, PROBE_CERT_WEAK},
    {67, PROBE_CERT_WEAK},    {68, PROBE_CERT_WEAK},
};

static enum probe_cause verify_cause(const struct cause_facts *facts) {
    long result = 0;
    (void)curl_easy_getinfo(facts->easy, CURLINFO_SSL_VERIFYRESULT, &result);
    for (size_t i = 0; i < COUNT_OF(verify_causes); i++)
        if (verify_causes[i].result == result)
            return verify_causes[i].cause;
    /* 0, or 1 as at the start: the chain was verified, so libcurl's own comparison of names failed. */
    return result <= 1 ? PROBE_CERT_NAME : PROBE_CERT_OTHER;
}

static const struct {
    const char *words;
    enum probe_cause cause;
} handshake_causes[] = {
    {"wrong version number", PROBE_TLS_PLAIN},  {"packet length too long", PROBE_TLS_PLAIN},
    {"http request", PROBE_TLS_PLAIN},          {"unsupported protocol", PROBE_TLS_VERSION},
    {"protocol version", PROBE_TLS_VERSION},    {"unrecognized name", PROBE_TLS_NAME},
    {"certificate required", PROBE_TLS_CLIENT}, {"bad certificate", PROBE_TLS_CLIENT},
    {"handshake failure", PROBE_TLS_REFUSED},   {"key too small", PROBE_CERT_WEAK},
    {"legacy sigalg", PROBE_TLS_HERE},          {"no protocols available", PROBE_TLS_HERE},
    {"internal error", PROBE_TLS_FAILED},       {"unexpected eof", PROBE_TLS_CUT},
    {"SSL_ERROR_SYSCALL", PROBE_TLS_CUT},       {"reset by peer", PROBE_TLS_CUT},
    {"wrong signature type", PROBE_TLS_HERE},   {"no application protocol", PROBE_TLS_FAILED},
};

static enum probe_cause cause_handshake_cause(const struct cause_facts *facts) {
    for (size_t i = 0; i < COUNT_OF(handshake_causes); i++)
        if (cause_says(facts, handshake_causes[i].words))
            return handshake_causes[i].cause;
    return cause_os_error(facts) == ECONNRESET ? PROBE_TLS_CUT : PROBE_TLS_FAILED;
}

/* TLS 1.3: the handshake looks done before the server has asked for the client's certificate. */
static enum probe_cause broken_cause(const struct cause_facts *facts) {
    if (cause_says(facts, "certificate required") || cause_says(facts, "bad certificate"))
        return PROBE_TLS_CLIENT;
    return facts->was_answered ? PROBE_CUT : PROBE_CLOSED;
}

/* libcurl has limits of its own, which only its messages tell: it says "out of memory" for a header line that is too
 * long. */
static enum probe_cause limit_cause(const struct cause_facts *facts) {
    bool stacked = facts->code == CURLE_BAD_CONTENT_ENCODING && cause_says(facts, "content encodings");
    return stacked || (facts->code == CURLE_OUT_OF_MEMORY && facts->sent) ? PROBE_TOO_LARGE : PROBE_BROKEN;
}

static enum probe_cause proxy_cause(const struct cause_facts *facts) {
    long status = 0;
    (void)curl_easy_getinfo(facts->easy, CURLINFO_HTTP_CONNECTCODE, &status);
    return status >= 300 || facts->code == CURLE_COULDNT_RESOLVE_PROXY || facts->code == CURLE_PROXY ? PROBE_PROXY
                                                                                                     : PROBE_BROKEN;
}

static const struct {
    CURLcode code;
    enum probe_cause cause;
    enum probe_cause (*find)(const struct cause_facts *facts);
} causes[] = {
    {CURLE_OK, PROBE_FINE, NULL},
    {CURLE_OPERATION_TIMEDOUT, PROBE_BROKEN, timeout_cause},
    {CURLE_COULDNT_RESOLVE_HOST, PROBE_NO_NAME, NULL},
    {CURLE_COULDNT_CONNECT, PROBE_BROKEN, connect_cause},
    {CURLE_PEER_FAILED_VERIFICATION, PROBE_BROKEN, verify_cause},
    {CURLE_SSL_CONNECT_ERROR, PROBE_BROKEN, cause_handshake_cause},
    {CURLE_SSL_CACERT_BADFILE, PROBE_TRUST_FILE, NULL},
    {CURLE_SSL_CLIENTCERT, PROBE_TLS_CLIENT, NULL},
    {CURLE_SSL_CERTPROBLEM, PROBE_TLS_HERE, NULL},
    {CURLE_SSL_CIPHER, PROBE_TLS_HERE, NULL},
    {CURLE_GOT_NOTHING, PROBE_CLOSED, NULL},
    {CURLE_SEND_ERROR, PROBE_BROKEN, broken_cause},
    {CURLE_RECV_ERROR, PROBE_BROKEN, broken_cause},
    {CURLE_HTTP2, PROBE_BROKEN, broken_cause},
    {CURLE_HTTP2_STREAM, PROBE_BROKEN, broken_cause},
    {CURLE_PARTIAL_FILE, PROBE_CUT, NULL},
    {CURLE_BAD_CONTENT_ENCODING, PROBE_BROKEN, limit_cause},
    {CURLE_OUT_OF_MEMORY, PROBE_BROKEN, limit_cause},
    {CURLE_UNSUPPORTED_PROTOCOL, PROBE_NOT_HTTP, NULL},
    {CURLE_WEIRD_SERVER_REPLY, PROBE_NOT_HTTP, NULL},
    {CURLE_URL_MALFORMAT, PROBE_BAD_URL, NULL},
};

static enum probe_cause cause_by_number(const struct cause_facts *facts) {
    for (size_t i = 0; i < COUNT_OF(causes); i++)
        if (causes[i].code == facts->code)
            return causes[i].find ? causes[i].find(facts) : causes[i].cause;
    return PROBE_BROKEN;
}

enum probe_cause cause_find(const struct cause_facts *facts) {
    if (proxy_cause(facts) == PROBE_PROXY)
        return PROBE_PROXY;
    enum probe_cause cause = cause_by_number(facts);
    bool refused = cause == PROBE_TLS_REFUSED || cause == PROBE_TLS_CUT || cause == PROBE_CLOSED;
    return refused && facts->client_certificate ? PROBE_TLS_CLIENT : cause;
}
