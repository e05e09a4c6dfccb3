#ifndef SANDBOX_STREAM_H
#define SANDBOX_STREAM_H
/* Bodies as MHD responses: whole, compressed where asked for, and the bent ones of the rules (cut short, endless,
 * bomb, byte by byte). */

#include "call.h"

#include <microhttpd.h>

/* Waits; false when the peer has gone or the service ends. Given to slow bodies. */
struct stream_wait {
    bool (*wait)(void *context, int64_t ms);
    void *context;
};

/* The response for the call; *bytes: of the body as sent, -1 where it has no end. The call must outlive it. */
struct MHD_Response *stream_response(struct call *call, const struct stream_wait *wait, long long *bytes);

#endif
