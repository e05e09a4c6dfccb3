#ifndef UNIT_RUN_UNNOTED_H
#define UNIT_RUN_UNNOTED_H
/* For parts of run that note their requests, where a test does not look at the notes. */
#include "run/transfers/request_note.h"

static inline void request_unseen(void *owner, const struct request_seen *request) {
    (void)owner;
    (void)request;
}
static const struct request_noter NOTER = {request_unseen, NULL};

#endif
