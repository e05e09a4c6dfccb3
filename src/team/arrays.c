#include "arrays.h"

#include "base/digest.h"

static void add_comma(struct str *array) {
    if (array->len > 1)
        str_add_char(array, ',');
}

void array_begin(struct str *array) {
    str_reset(array);
    str_add_char(array, '{');
}

void array_add_text(struct str *array, const char *text, size_t len) {
    add_comma(array);
    str_add_char(array, '"');
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"' || text[i] == '\\')
            str_add_char(array, '\\');
        str_add_char(array, text[i]);
    }
    str_add_char(array, '"');
}

void array_add_null(struct str *array) {
    add_comma(array);
    str_add(array, "NULL");
}

void array_add_number(struct str *array, int64_t number) {
    add_comma(array);
    str_addf(array, "%lld", (long long)number);
}

void array_add_bytes(struct str *array, const struct str *bytes) {
    add_comma(array);
    str_add(array, "\"\\\\x");
    digest_hex(array, bytes->s, bytes->len);
    str_add_char(array, '"');
}

void array_end(struct str *array) {
    str_add_char(array, '}');
}
