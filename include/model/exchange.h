#ifndef MODEL_EXCHANGE_H
#define MODEL_EXCHANGE_H
/* One HTTP exchange as data: what api builds and reads, what net carries. No I/O here. */

#include "base/secret.h"
#include "base/str.h"

#include <stdint.h>

struct header {
    char *name, *value; /* value is sanitised text in a reply */
};
struct headers {
    struct header *items;
    size_t n, cap;
};
void headers_add(struct headers *headers, const char *name, const char *value);
const char *headers_find(const struct headers *headers, const char *name); /* case ignored; NULL: not there */
void headers_clear(struct headers *headers);

struct request {
    const char *method; /* static */
    char *url;          /* whole, encoded */
    char *path;         /* for log and screen: no query */
    struct headers headers;
    char *body; /* NULL: none */
    size_t body_len;
    bool write;                  /* carried by the write rules: HTTP/1.1, fresh connection, once */
    const struct secret *bearer; /* borrowed, must outlive the exchange; NULL: no Authorization header */
    char *origin;                /* the only origin that the token may be sent to; net refuses any other */
    const char *ca_file;         /* borrowed; NULL or "": the system's trust */
};
void request_init(struct request *request);
void request_clear(struct request *request);

enum { REPLY_BODY_MAX = 16 << 20, REPLY_HEADERS_MAX = 256 << 10 };

struct reply {
    struct error
        failure; /* ERR_OK: a whole answer came; else why not (resolve, connect, tls, timeout, cancelled, limit ...) */
    bool sent;   /* the first byte of the request may have left this machine */
    int status;  /* 0 without an answer */
    struct headers headers;
    char *body; /* decoded bytes; NUL-terminated for convenience */
    size_t body_len;
    char *redirect;   /* absolute target of a 3xx, sanitised text; NULL */
    int http_version; /* 10, 11, 20 */
    int64_t total_us, first_byte_us;
    char *proxy; /* host:port of the one it went through; NULL */
    bool from_proxy;
};
void reply_init(struct reply *reply);
void reply_clear(struct reply *reply);

#endif
