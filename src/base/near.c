#include "base/near.h"

#include "base/least.h"

static unsigned char letter(char c, bool as_typed) {
    return (unsigned char)(as_typed && c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

size_t edit_distance(const char *a, size_t a_len, const char *b, size_t b_len, bool as_typed) {
    size_t rows[3][EDIT_WORD_MAX + 1];
    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t *row = rows[i % 3];
        const size_t *before = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];
        unsigned char here = letter(a[i - 1], as_typed);
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            unsigned char there = letter(b[j - 1], as_typed);
            row[j] = least(least(before[j], row[j - 1]) + 1, before[j - 1] + (here != there));
            if (as_typed && i > 1 && j > 1 && here == letter(b[j - 2], true) && letter(a[i - 2], true) == there)
                row[j] = least(row[j], two[j - 2] + 1);
        }
    }
    return rows[a_len % 3][b_len];
}
