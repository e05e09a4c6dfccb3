#ifndef SUPPORT_FILTERS_H
#define SUPPORT_FILTERS_H
/* Random filters of the filter language, the same for the same seed: every field of its table with every operator that
 * it takes, lists, ranges, negations, groups, quotes, free words, typographic signs and letters. Most can be read; a
 * few are faults on purpose. And rows to try them on. One thread. */

#include "base/str.h"

#include <stdint.h>

struct filters {
    uint64_t state;         /* the seed, to begin with */
    const char *const *ids; /* of rows there are */
    size_t n_ids;
};

/* Replaces out by the next filter. */
void filters_next(struct filters *filters, struct str *out);
uint64_t filters_random(struct filters *filters, uint64_t below);

/* The i-th odd row: members as JSON to lie over a generated row, or where whole is set a whole row, byte for byte. NULL
 * past the last. What services were seen to send and the interface document does not foresee. */
const char *odd_row(size_t i, bool *whole);

#endif
