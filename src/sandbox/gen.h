#ifndef SANDBOX_GEN_H
#define SANDBOX_GEN_H
/* Payment intents out of nothing: every field is a hash of (seed, place), so any of ten million is made on demand and
 * the same twice. A place is a number that only grows with time: the newest intent of the start is 0, the oldest is
 * 1 - count, those that arrive later are 1, 2, 3 ... so that a place never moves. Pure functions, any thread. */

#include "base/str.h"

#include <stdint.h>

enum { GEN_COUNT_MAX = 10000000, GEN_ID_LEN = 36, GEN_TRANSACTIONS_MAX = 3 };

#define GEN_STATUSES(X) X(created) X(approved) X(declined) X(pending) X(canceled)
enum gen_status {
#define X(name) GEN_##name,
    GEN_STATUSES(X)
#undef X
        GEN_STATUS_COUNT
};
enum gen_type { GEN_primary, GEN_card_only, GEN_TYPE_COUNT };

enum gen_refund { GEN_REFUND_NONE, GEN_REFUND_PENDING, GEN_REFUND_SUCCEEDED, GEN_REFUND_FAILED };
enum gen_dispute { GEN_DISPUTE_NONE, GEN_DISPUTE_OPEN, GEN_DISPUTE_REVIEW, GEN_DISPUTE_WON, GEN_DISPUTE_LOST };
enum gen_payment { GEN_PAYMENT_PENDING, GEN_PAYMENT_SETTLED, GEN_PAYMENT_REVERSED, GEN_PAYMENT_FAILED };

struct gen {
    uint64_t seed;
    int64_t count; /* intents at the start, 0 to GEN_COUNT_MAX */
    int64_t epoch; /* ms: the newest one's time; the others lie within the year before */
    bool plain;    /* integers below 2^53 only */
};

/* What changes in an intent's life; everything else follows from its place. */
struct gen_life {
    int64_t created_at; /* ms */
    int64_t refund_at;  /* ms; 0: drawn like all else */
    int64_t dispute_at;
    enum gen_status status;
    enum gen_payment payment; /* of its first transaction */
    int transactions;         /* 0 to GEN_TRANSACTIONS_MAX */
    enum gen_refund refund;
    enum gen_dispute dispute;
};

uint64_t gen_mix(uint64_t a, uint64_t b); /* the one hash all is made of */

const char *gen_status_name(enum gen_status status);
bool gen_status_find(const char *name, enum gen_status *out);
const char *gen_type_name(enum gen_type type);
bool gen_type_find(const char *name, enum gen_type *out);

/* Cheap: one hash each, so that a filter can pass over a million. */
enum gen_status gen_status(const struct gen *gen, int64_t place);
enum gen_type gen_type(const struct gen *gen, int64_t place);
int64_t gen_time(const struct gen *gen, int64_t place); /* places up to 0; falls with the place */

void gen_life(const struct gen *gen, int64_t place, struct gen_life *out);
void gen_id(const struct gen *gen, int64_t place, char out[GEN_ID_LEN + 1]);

/* Appends the intent's JSON in the shape of the interface document. */
void gen_render(const struct gen *gen, int64_t place, const struct gen_life *life, struct str *out);

#endif
