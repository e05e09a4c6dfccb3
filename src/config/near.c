#include "config/near.h"

#include <string.h>

enum { WORD_MAX = 40 };

static size_t least(size_t a, size_t b, size_t c) {
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Edits (insert, delete, change) from a to b, each at most WORD_MAX long. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len) {
    size_t row[WORD_MAX + 1];
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, change);
        }
    }
    return row[b_len];
}

const char *near_word(const char *word, const char *const *words, size_t n) {
    size_t len = strlen(word);
    const char *best = NULL;
    size_t best_distance = WORD_MAX;
    if (len > WORD_MAX)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        size_t other = words[i] ? strlen(words[i]) : WORD_MAX + 1;
        if (other > WORD_MAX)
            continue;
        size_t d = distance(word, len, words[i], other);
        size_t longer = len > other ? len : other;
        if (d < best_distance && d * 3 <= longer + 1) {
            best = words[i];
            best_distance = d;
        }
    }
    return best;
}
