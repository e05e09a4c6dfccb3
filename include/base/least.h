#ifndef BASE_LEAST_H
#define BASE_LEAST_H
/* The smaller and the larger of two, without a macro that evaluates twice. */

#include <stddef.h>

static inline size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}
static inline int least_int(int a, int b) {
    return a < b ? a : b;
}
static inline int most_int(int a, int b) {
    return a > b ? a : b;
}

#endif
