#include "block.h"

#include <endian.h>
#include <string.h>

/* Two bytes of the needle, the rarest of them, are compared with a vector of places at a time; only where both stand
 * is the rest looked at. ASCII letters differ from their capitals by bit 0x20, so it is set on both sides first: a few
 * other characters then look alike, which the second look tells apart. */

typedef unsigned char vector __attribute__((vector_size(16)));

enum { WIDTH = sizeof(vector), CASE_BIT = 0x20 };

void search_init(struct search *search, const char *needle, size_t len, const size_t frequency[256]) {
    *search = (struct search){.needle = needle, .len = len};
    for (size_t i = 1; i < len; i++)
        if (frequency[(unsigned char)needle[i]] < frequency[(unsigned char)needle[search->a]])
            search->a = i;
    search->b = search->a == 0 && len > 1 ? 1 : 0;
    for (size_t i = 0; i < len; i++)
        if (i != search->a && frequency[(unsigned char)needle[i]] < frequency[(unsigned char)needle[search->b]])
            search->b = i;
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

static vector load(const char *at) {
    vector v;
    memcpy(&v, at, WIDTH);
    return v | CASE_BIT;
}

static vector fill(char c) {
    return (vector){0} + (unsigned char)((unsigned char)c | CASE_BIT);
}

static vector candidates(const struct search *search, const char *at, vector a, vector b) {
    return (vector)(load(at + search->a) == a) & (vector)(load(at + search->b) == b);
}

static bool is_empty(vector v) {
    uint64_t halves[2];
    memcpy(halves, &v, sizeof halves);
    return (halves[0] | halves[1]) == 0;
}

/* One bit per byte: the multiplication gathers the lowest bits of eight bytes. */
static unsigned bits_of(vector v) {
    uint64_t halves[2];
    memcpy(halves, &v, sizeof halves);
    unsigned bits = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t ones = le64toh(halves[i]) & UINT64_C(0x0101010101010101);
        bits |= (unsigned)(ones * UINT64_C(0x0102040810204080) >> 56) << (8 * i);
    }
    return bits;
}

static const char *settle(const struct search *search, const char *at, vector found) {
    for (unsigned bits = bits_of(found); bits; bits &= bits - 1) {
        const char *place = at + __builtin_ctz(bits);
        if (is_here(search, place))
            return place;
    }
    return NULL;
}

const char *search_next(const struct search *search, const char *from, const char *end) {
    vector a = fill(search->needle[search->a]), b = fill(search->needle[search->b]);
    if ((size_t)(end - from) < search->len)
        return NULL;
    const char *last = end - search->len; /* the last place it can stand */
    const char *at = from, *hit;
    for (; last - at >= 4 * WIDTH; at += 4 * WIDTH) {
        vector found[4];
        for (int i = 0; i < 4; i++)
            found[i] = candidates(search, at + i * WIDTH, a, b);
        if (is_empty((found[0] | found[1]) | (found[2] | found[3])))
            continue;
        for (int i = 0; i < 4; i++)
            if ((hit = settle(search, at + i * WIDTH, found[i])))
                return hit;
    }
    for (; last - at >= WIDTH; at += WIDTH)
        if ((hit = settle(search, at, candidates(search, at, a, b))))
            return hit;
    for (; at <= last; at++)
        if (is_here(search, at))
            return at;
    return NULL;
}
