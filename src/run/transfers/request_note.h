#ifndef RUN_REQUEST_NOTE_H
#define RUN_REQUEST_NOTE_H
/* What is recorded about every request when it ends: a line of the log file, and an entry for the client. Redacted and
 * sanitised here; headers and bodies are never recorded. */

#include "app/requests.h"
#include "model/probe.h"
#include "net/net.h"

typedef void request_seen_fn(void *owner, const struct request_seen *seen); /* borrowed for the call */

struct request_noter {
    request_seen_fn *seen;
    void *owner;
};
void request_note(const struct request_noter *noter, const char *method, const char *path, const struct reply *reply);
/* Records a measurement of the doctor that is a request, to an endpoint that may be anywhere: with its origin before
 * the path, and without its query, in which secrets are passed. Other measurements are no requests. */
void request_note_probe(const struct request_noter *noter, const char *address, const struct probe_result *result);
/* The request was cancelled: no answer will come. */
void request_note_cancelled(const struct request_noter *noter, const char *method, const char *path);

#endif
