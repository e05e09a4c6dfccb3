#ifndef NET_PROBE_PARTS_H
#define NET_PROBE_PARTS_H
/* The parts of a probe. The probe's own thread. */

#include "net/probe.h"

#include <curl/curl.h>

enum { PROBE_TURN_MS = 50 }; /* how long a raised cancel may go unseen */

static inline bool probe_is_cancelled(const atomic_bool *cancel) {
    return cancel && atomic_load(cancel);
}

/* host without brackets. */
void probe_resolve(const char *host, int timeout_ms, const atomic_bool *cancel, struct probe_addresses *out);
/* Connects to each item at once and fills its cause. */
void probe_connect(const char *port, int timeout_ms, const atomic_bool *cancel, struct probe_addresses *addresses);
/* The certificates that the finished transfer collected. */
void probe_read_chain(CURL *easy, struct probe_chain *chain);

#endif
