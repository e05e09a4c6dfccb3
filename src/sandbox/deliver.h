#ifndef SANDBOX_DELIVER_H
#define SANDBOX_DELIVER_H
/* Delivery of events to the registered endpoint: one when an intent changes, more on demand; signed where a secret is
 * registered; repeated with growing pauses until the endpoint takes it or the attempts run out. A thread of its own
 * sends; all functions may be called from any thread. Nothing leaves this machine unless `anywhere` says so. */

#include "dataset.h"
#include "model/webhook.h"

struct deliver;

struct deliver_setup {
    enum webhook_scheme scheme;
    bool anywhere;       /* other machines too */
    const char *ca_file; /* NULL: the system's trust */
    long long retry_ms;  /* the first pause; each further one is twice as long */
};

/* Watches the books, which outlive it. */
enum err deliver_start(const struct deliver_setup *setup, struct dataset *dataset, struct deliver **out,
                       struct error *error) MUST_CHECK;
void deliver_stop(struct deliver *deliver);

/* `count` events about the newest intents. ERR_NOT_FOUND: no endpoint is registered. */
enum err deliver_now(struct deliver *deliver, long long count, struct error *error) MUST_CHECK;

/* Appends a line of JSON for each of the last `limit` attempts, oldest first. */
void deliver_print(struct deliver *deliver, size_t limit, struct str *out);
void deliver_print_figures(struct deliver *deliver, struct str *out);

#endif
