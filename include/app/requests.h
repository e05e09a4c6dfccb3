#ifndef APP_REQUESTS_H
#define APP_REQUESTS_H
/* The most recent requests of this session: what was sent and how it ended. No headers, no bodies; text was redacted
 * and sanitised before it comes here. Pure. */

#include "base/error.h"
#include "base/payload.h"

#include <stddef.h>
#include <stdint.h>

struct request_seen {
    int64_t at; /* when it ended, ms */
    const char *method, *path;
    const char *id;    /* the request id that the service gave; NULL: none */
    const char *proxy; /* host:port of the proxy it went through; NULL: none */
    int status;        /* 0 without an answer */
    size_t bytes;      /* of the answer's body */
    int64_t took_us;
    enum err failure; /* ERR_OK: a whole answer */
};
PAYLOAD_TYPE(request_seen)

enum { REQUESTS_MAX = 500 };

struct requests {
    struct request_seen items[REQUESTS_MAX];
    size_t total; /* in all, of which the last REQUESTS_MAX are kept */
};

void requests_add(struct requests *requests, const struct request_seen *seen); /* copies */
size_t requests_kept(const struct requests *requests);
const struct request_seen *requests_at(const struct requests *requests, size_t newest); /* 0: the last one */
void requests_clear(struct requests *requests);

#endif
