#ifndef SANDBOX_WORDS_H
#define SANDBOX_WORDS_H
/* The generator's vocabulary. Every bank is invented; the scripts are real. */

#include <stddef.h>

struct words_currency {
    const char *code;
    int decimals;
    int weight; /* of 1000 */
    const char *rails[4];
};

extern const struct words_currency words_currencies[];
extern const size_t words_currency_count;
extern const char *const words_banks[];
extern const size_t words_bank_count;
extern const char *const words_declines[];
extern const size_t words_decline_count;
extern const char *const words_brands[];
extern const size_t words_brand_count;
extern const char *const words_disputes[];
extern const size_t words_dispute_count;
extern const char *const words_refunds[];
extern const size_t words_refund_count;

#endif
