#ifndef RUN_WEBHOOK_LANE_H
#define RUN_WEBHOOK_LANE_H
/* What a registration asks beside its write: the journal's record, a secret's fingerprint, a new secret, a new file.
 * Made on the main thread, run on the journal lane. */

#include "app/webhook.h"
#include "work/lane.h"

typedef void webhook_answered_fn(void *owner, uint64_t ticket, struct webhook_answer *answer); /* takes it */
/* Takes ask. folder: of the machine's key; NULL: the operator's. */
struct lane_job *webhook_job(uint64_t ticket, struct webhook_ask *ask, const char *folder,
                             webhook_answered_fn *answered);

#endif
