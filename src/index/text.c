#include "block.h"

#include <string.h>

/* Served text has no control characters, but a damaged blob may: they would be taken for the ends and marks used here.
 */
void text_add(struct str *out, struct cells_slice slice) {
    if (!slice.s) {
        str_add_char(out, TEXT_NONE);
    } else {
        size_t at = out->len;
        str_add_n(out, slice.s, slice.len);
        for (; at < out->len; at++)
            if ((unsigned char)out->s[at] < 0x20)
                out->s[at] = '?';
    }
    str_add_char(out, '\0');
}

struct cells_slice text_next(const char **at, struct cells_slice id) {
    struct cells_slice slice = {*at, strlen(*at)};
    *at += slice.len + 1;
    if (*slice.s == TEXT_SAME)
        return id;
    if (*slice.s == TEXT_NONE)
        slice.s = NULL;
    return slice;
}

bool text_is_ascii(const char *s, size_t len) {
    unsigned char all = 0;
    for (size_t i = 0; i < len; i++)
        all |= (unsigned char)s[i];
    return all < 0x80;
}
