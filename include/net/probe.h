#ifndef NET_PROBE_H
#define NET_PROBE_H
/* Measurements of an endpoint for the doctor. They block, so they run on a thread of their own (a lane), never on the
 * main one. net_new must have been called. Nothing is judged or followed, no credential is sent, and every step opens
 * its own connections. */

#include "model/exchange.h"
#include "model/probe.h"

#include <stdatomic.h>

struct probe_target {
    const char *url;
    const char *ca_file; /* NULL or "": the system's trust */
    /* The addresses of PROBE_RESOLVE that may be talked to: PROBE_TCP tries each of them, every later step talks only
     * to these. n 0: not for PROBE_TCP; the other steps look the name up themselves. */
    const struct probe_address *addresses;
    size_t n_addresses;
    int connect_timeout_s, total_timeout_s; /* 0: 10, 30 */
    const char *body;                       /* of PROBE_POST */
    const struct headers *headers;          /* of PROBE_POST; may be NULL */
};

/* Fills *result (owned by the caller). A raised `cancel` ends it within 100 ms with PROBE_CANCELLED. */
void probe_run(enum probe_step step, const struct probe_target *target, const atomic_bool *cancel,
               struct probe_result *result);

#endif
