#ifndef BASE_LEAST_H
#define BASE_LEAST_H
/* The smaller and the larger of two, without a macro that evaluates twice; and their order, for qsort and bsearch. */

#include <stddef.h>
#include <stdint.h>

static inline size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}
static inline int least_int(int a, int b) {
    return a < b ? a : b;
}
static inline int most_int(int a, int b) {
    return a > b ? a : b;
}
static inline int compare_int64(const void *a, const void *b) {
    int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;
    return (one > two) - (one < two);
}

#endif
