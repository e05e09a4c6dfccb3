#ifndef RUN_REQUEST_NOTE_H
#define RUN_REQUEST_NOTE_H
/* What becomes known of every request at its end: a line of the log file, and a record for the client. Redacted and
 * sanitised here; headers and bodies never get further. */

#include "app/requests.h"
#include "model/probe.h"
#include "net/net.h"

typedef void request_seen_fn(void *owner, const struct request_seen *seen); /* borrowed for the call */

struct request_noter {
    request_seen_fn *seen;
    void *owner;
};
void request_note(const struct request_noter *noter, const char *method, const char *path, const struct reply *reply);
/* A measurement of the doctor that is a request, to an endpoint that may be anywhere: its origin stands before the
 * path, its query, where secrets are passed, nowhere. Others are no requests. */
void request_note_probe(const struct request_noter *noter, const char *address, const struct probe_result *result);
/* Given up: no answer will come. */
void request_note_cancelled(const struct request_noter *noter, const char *method, const char *path);

#endif
