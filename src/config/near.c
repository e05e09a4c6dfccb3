#include "config/near.h"

#include "base/near.h"

#include <string.h>

const char *near_word(const char *word, const char *const *words, size_t n) {
    size_t len = strlen(word);
    const char *best = NULL;
    size_t best_distance = EDIT_WORD_MAX;
    if (len > EDIT_WORD_MAX)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        size_t other = words[i] ? strlen(words[i]) : EDIT_WORD_MAX + 1;
        if (other > EDIT_WORD_MAX)
            continue;
        size_t d = edit_distance(word, len, words[i], other, false);
        size_t longer = len > other ? len : other;
        if (d < best_distance && d * 3 <= longer + 1) {
            best = words[i];
            best_distance = d;
        }
    }
    return best;
}
