#include "block.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Three bytes of the needle, the rarest of them, are compared with a vector of places at a time; only where all stand
 * is the rest looked at. ASCII letters differ from their capitals by bit 0x20, so it is set on both sides first: a few
 * other characters then look alike, which the second look tells apart. */

typedef unsigned char vector __attribute__((vector_size(16)));

enum { VECTORS = 4, CASE_BIT = 0x20, PLACES = 3 };
#define WIDTH sizeof(vector)
#define STEP (VECTORS * WIDTH)

/* The rarest byte that is not taken yet; the last one again where the needle is shorter. */
static size_t rarest(const struct search *search, size_t taken, const size_t frequency[256]) {
    size_t best = taken > 0 ? search->places[taken - 1] : 0;
    bool found = taken == 0;
    for (size_t i = 0; i < search->len; i++) {
        bool used = false;
        for (size_t t = 0; t < taken; t++)
            used = used || search->places[t] == i;
        if (used)
            continue;
        if (!found || frequency[(unsigned char)search->needle[i]] < frequency[(unsigned char)search->needle[best]])
            best = i;
        found = true;
    }
    return best;
}

void search_init(struct search *search, const char *needle, size_t len, const size_t frequency[256]) {
    *search = (struct search){.needle = needle, .len = len};
    for (size_t i = 0; i < PLACES; i++)
        search->places[i] = rarest(search, i, frequency);
}

static bool is_here(const struct search *search, const char *at) {
    for (size_t i = 0; i < search->len; i++) {
        char c = at[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c | CASE_BIT);
        if (c != search->needle[i])
            return false;
    }
    return true;
}

static inline vector search_fill(char c) {
    return (vector){0} + (unsigned char)((unsigned char)c | CASE_BIT);
}

/* 0xFF where the byte is c. */
static inline vector equals(const char *at, vector c) {
    vector v;
    memcpy(&v, at, WIDTH);
    return (vector)((v | (unsigned char)CASE_BIT) == c);
}

/* One bit per byte. */
static inline uint64_t vector_bits(vector v) {
#ifdef __SSE2__
    return (unsigned)_mm_movemask_epi8((__m128i)v);
#else
    uint64_t bits = 0;
    for (unsigned i = 0; i < WIDTH; i++)
        bits |= (uint64_t)(v[i] & 1) << i;
    return bits;
#endif
}

struct scan {
    const struct search *search;
    const char *bytes;
    const uint32_t *starts;
    size_t row;
    size_t done; /* hits before here are in texts already found */
    unsigned char *found;
};

/* A text is settled by its first hit: what is left of it is skipped. */
static void search_settle(struct scan *scan, size_t at, uint64_t bits) {
    while (bits) {
        size_t place = at + (size_t)__builtin_ctzll(bits);
        bits &= bits - 1;
        if (place < scan->done || !is_here(scan->search, scan->bytes + place))
            continue;
        while (scan->starts[scan->row + 1] <= place)
            scan->row++;
        scan->found[scan->row] = 1;
        scan->done = scan->starts[scan->row + 1];
        if (scan->done >= at + STEP)
            return;
        bits &= ~UINT64_C(0) << (scan->done - at);
    }
}

static uint64_t candidates(const struct search *search, const char *at, const vector wanted[PLACES]) {
    vector found[VECTORS], any = {0};
    const size_t *places = search->places;
    for (size_t i = 0; i < VECTORS; i++) {
        const char *from = at + i * WIDTH;
        found[i] = equals(from + places[0], wanted[0]) & equals(from + places[1], wanted[1]) &
                   equals(from + places[2], wanted[2]);
        any |= found[i];
    }
    if (vector_bits(any) == 0)
        return 0;
    return vector_bits(found[0]) | vector_bits(found[1]) << 16 | vector_bits(found[2]) << 32 |
           vector_bits(found[3]) << 48;
}

void search_texts(const struct search *search, const char *bytes, const uint32_t *starts, size_t n,
                  unsigned char *found) {
    struct scan scan = {search, bytes, starts, 0, 0, found};
    size_t end = starts[n], at = 0;
    if (end < search->len)
        return;
    vector wanted[PLACES];
    for (int i = 0; i < PLACES; i++)
        wanted[i] = search_fill(search->needle[search->places[i]]);
    size_t last = end - search->len; /* the last place it can stand */
    for (; at + STEP <= last; at += STEP) {
        uint64_t bits = candidates(search, bytes + at, wanted);
        if (bits)
            search_settle(&scan, at, bits);
    }
    for (; at <= last; at++)
        search_settle(&scan, at, 1);
}
