#ifndef SANDBOX_DELIVER_LOG_H
#define SANDBOX_DELIVER_LOG_H
/* The last attempts of delivery, as lines of JSON. Guarded by the owner's lock. */

#include "base/str.h"

#include <stdint.h>

enum { DELIVER_LOG_KEPT = 10000 };

enum deliver_outcome { DELIVERED, DELIVER_FAILED, DELIVER_GIVEN_UP, DELIVER_KEPT_BACK, DELIVER_OUTCOME_COUNT };

struct deliver_log {
    char *lines[DELIVER_LOG_KEPT];
    size_t n;
    long long counts[DELIVER_OUTCOME_COUNT];
};

struct deliver_attempt {
    const char *event, *kind, *url, *scheme; /* scheme NULL: unsigned */
    const char *why;                         /* NULL: delivered */
    enum deliver_outcome outcome;
    int number, status;
    size_t bytes;
    int64_t ms, next_ms; /* next_ms: pause before the next attempt; 0: none follows */
};

void deliver_log_add(struct deliver_log *log, const struct deliver_attempt *attempt);
void deliver_log_print(const struct deliver_log *log, size_t limit, struct str *out);
const char *deliver_outcome_name(enum deliver_outcome outcome);
void deliver_log_clear(struct deliver_log *log);

#endif
