#include "block.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES_MAX = 6 };

/* Where each digit of each pass starts; counted in one reading. */
struct digits {
    uint32_t starts[PASSES_MAX][DIGITS];
    unsigned shift, width, passes;
    uint64_t mask;
};

static void radix_count(struct digits *d, const uint64_t *items, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t value = items[i] >> d->shift;
        for (unsigned pass = 0; pass < d->passes; pass++, value >>= d->width)
            d->starts[pass][value & d->mask]++;
    }
}

/* Counts become starts; false where all have the same digit, so that there is nothing to move. */
static bool radix_start(uint32_t *counts, size_t digits, size_t n) {
    uint32_t sum = 0;
    for (size_t i = 0; i < digits; i++) {
        uint32_t here = counts[i];
        if (here == n)
            return false;
        counts[i] = sum;
        sum += here;
    }
    return true;
}

void radix_sort(uint64_t *items, uint64_t *spare, size_t n, unsigned shift, unsigned bits) {
    uint64_t *from = items, *to = spare;
    if (n < 2 || bits == 0)
        return;
    struct digits *d = mem_new(sizeof *d);
    /* Passes of equal width: three of 8 bits cost less than two of 11 and one of 2. What lies above the bits is 0. */
    d->passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    d->width = (bits + d->passes - 1) / d->passes;
    d->shift = shift;
    d->mask = (UINT64_C(1) << d->width) - 1;
    radix_count(d, items, n);
    for (unsigned pass = 0; pass < d->passes; pass++, shift += d->width) {
        uint32_t *starts = d->starts[pass];
        if (!radix_start(starts, (size_t)d->mask + 1, n))
            continue;
        for (size_t i = 0; i < n; i++)
            to[starts[from[i] >> shift & d->mask]++] = from[i];
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != items)
        memcpy(items, from, n * sizeof *items);
    free(d);
}
