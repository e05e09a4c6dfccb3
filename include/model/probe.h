#ifndef MODEL_PROBE_H
#define MODEL_PROBE_H
/* What the doctor's measurements of an endpoint gave, as data. Measured in net, judged in app: no
 * verdict here, and no sentence. A result is owned by whoever holds it and moves between threads as a whole; every text
 * in it is sanitised. */

#include "base/str.h"

#include <stdint.h>

/* Each is one measurement on connections of its own. */
enum probe_step {
    PROBE_RESOLVE, /* every address of the name */
    PROBE_TCP,     /* a connection to each given address */
    PROBE_TLS,     /* handshake, verified; chain */
    PROBE_LOOK,    /* handshake, not verified, nothing sent; chain */
    PROBE_TLS_OLD, /* handshake with TLS 1.0 or 1.1 only, not verified */
    PROBE_TLS_12,
    PROBE_TLS_13,
    PROBE_HEAD,
    PROBE_GET,
    PROBE_HTTP_1, /* GET with HTTP/1.1 only */
    PROBE_HTTP_2, /* GET that offers HTTP/2; http_version tells what came */
    PROBE_POST,   /* one POST of the target's body, by the write rules */
    PROBE_STEP_COUNT
};

enum probe_cause {
    PROBE_FINE,
    PROBE_CANCELLED,
    PROBE_BAD_URL, /* not https, or not a URL */
    PROBE_NO_NAME,
    PROBE_NAME_STALLED, /* the lookup took too long */
    PROBE_REFUSED,
    PROBE_UNREACHABLE,
    PROBE_FILTERED, /* TCP took too long */
    PROBE_NO_CONNECTION,
    PROBE_PROXY,       /* the proxy was the obstacle */
    PROBE_CERT_FUTURE, /* certificate causes: the handshake itself worked */
    PROBE_CERT_EXPIRED,
    PROBE_CERT_NAME,
    PROBE_CERT_SELF_SIGNED,
    PROBE_CERT_UNKNOWN_ROOT,
    PROBE_CERT_CHAIN, /* issuer not known here, or an intermediate left out: the chain of PROBE_LOOK tells */
    PROBE_CERT_REVOKED,
    PROBE_CERT_PURPOSE,
    PROBE_CERT_WEAK,
    PROBE_CERT_OTHER,
    PROBE_TLS_VERSION, /* no version in common */
    PROBE_TLS_PLAIN,   /* the port does not speak TLS */
    PROBE_TLS_NAME,    /* the server serves no such name */
    PROBE_TLS_CLIENT,  /* a client certificate is wanted */
    PROBE_TLS_REFUSED, /* refused by the server: nothing in common, or it wants more of us */
    PROBE_TLS_CUT,     /* closed or reset in the handshake */
    PROBE_TLS_SILENT,  /* the handshake took too long */
    PROBE_TLS_HERE,    /* this machine's TLS library does not do it */
    PROBE_TLS_FAILED,
    PROBE_TRUST_FILE, /* this machine's trusted certificates cannot be read */
    PROBE_NOT_HTTP,
    PROBE_CLOSED,    /* no byte of an answer, then the end */
    PROBE_SILENT,    /* no byte of an answer in time */
    PROBE_CUT,       /* an answer that broke off */
    PROBE_SLOW,      /* an answer that did not end in time */
    PROBE_TOO_LARGE, /* headers or encodings beyond the limits; a large body is only cut */
    PROBE_BROKEN     /* anything else; the number tells */
};

enum { PROBE_ADDRESSES_MAX = 32, PROBE_ADDRESS_TEXT = 46, PROBE_TLS_TEXT = 80, PROBE_BODY_MAX = 64 << 10 };

struct probe_address {
    char text[PROBE_ADDRESS_TEXT]; /* as inet_ntop writes it */
    bool v6;
    enum probe_cause cause; /* of PROBE_TCP */
    int os_error;
    int64_t connect_us;
};

struct probe_addresses {
    enum probe_cause cause; /* of PROBE_RESOLVE: PROBE_FINE, PROBE_NO_NAME, PROBE_NAME_STALLED ... */
    struct probe_address items[PROBE_ADDRESSES_MAX];
    size_t n;
    bool more; /* the name has more addresses than fit */
    int64_t us;
};

struct probe_certificate {
    char *subject, *issuer; /* never NULL, perhaps "" */
    char *key, *signature;  /* algorithms */
    int64_t start, end;     /* ms since 1970; CLOCK_NONE: not readable */
    char **names;           /* as the certificate writes them: "DNS:*.example.com", "IP Address:192.0.2.1" */
    size_t n_names;
};
struct probe_chain {
    struct probe_certificate *items; /* in the order in which the server sent them */
    size_t n;
};

/* One pass of TLS and HTTP. Times are microseconds from the start, 0 where that point was not reached. */
struct probe_pass {
    enum probe_cause cause;
    int code, verify, os_error; /* libcurl's number, the TLS library's, errno: evidence */
    char peer[PROBE_ADDRESS_TEXT];
    char tls[PROBE_TLS_TEXT]; /* version and cipher, "TLSv1.3 / TLS_AES_256_GCM_SHA384"; "" where none came about */
    bool client_certificate;  /* the server asked for one, wanted or not */
    bool plain_http;          /* the handshake was answered in HTTP without TLS */
    bool via_proxy;
    char *proxy;                /* its host and port, without credentials; NULL: none */
    const char *proxy_variable; /* of the environment, which names it; constant */
    int64_t name_us, connect_us, tls_us, first_us, total_us;
    int status;                             /* 0: no answer */
    int http_version;                       /* 10, 11, 20 */
    char *type, *allow, *server, *redirect; /* NULL where absent; redirect is absolute */
    int64_t date;                           /* of the Date header; CLOCK_NONE */
    size_t body_len;                        /* decoded bytes read */
    bool body_cut;                          /* there was more than PROBE_BODY_MAX */
    bool html, password_field;              /* what the body looks like */
};

struct probe_result {
    enum probe_step step;
    struct probe_addresses addresses; /* PROBE_RESOLVE, PROBE_TCP */
    struct probe_pass pass;           /* all others */
    struct probe_chain chain;         /* PROBE_TLS, PROBE_LOOK; empty where verification failed (measured) */
};
void probe_result_init(struct probe_result *result, enum probe_step step);
void probe_result_clear(struct probe_result *result);

#endif
