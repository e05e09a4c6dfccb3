#include "block.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Lowest digit first. Returns whether the digits differ at all; if not, nothing was moved. */
static bool pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift, unsigned bits) {
    size_t places[DIGITS] = {0}, sum = 0;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (size_t i = 0; i < n; i++)
        places[from[i] >> shift & mask]++;
    if (places[from[0] >> shift & mask] == n)
        return false;
    for (size_t i = 0; i <= mask; i++) {
        size_t count = places[i];
        places[i] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[places[from[i] >> shift & mask]++] = from[i];
    return true;
}

void radix_sort(uint64_t *items, uint64_t *spare, size_t n, unsigned shift, unsigned bits) {
    uint64_t *from = items, *to = spare;
    if (n < 2 || bits == 0)
        return;
    /* Digits of equal width: three of 8 bits cost less than two of 11 and one of 2. */
    unsigned passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS, width = (bits + passes - 1) / passes;
    for (unsigned done = 0; done < bits; done += width) {
        if (!pass(from, to, n, shift + done, bits - done < width ? bits - done : width))
            continue;
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != items)
        memcpy(items, from, n * sizeof *items);
}
