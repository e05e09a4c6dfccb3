/* Any bytes as text: what the sanitiser gives is clean and stays as it is, and no field is wider than it says. */
#include "base/utf8.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds) {
    if (!holds)
        abort();
}

static void check_clean(const struct str *text) {
    struct str again;
    str_init(&again, text->len);
    utf8_sanitise(&again, text->s, text->len);
    must(utf8_is_clean(text->s, text->len) && !again.truncated && again.len == text->len);
    must(memcmp(again.s, text->s, text->len) == 0);
    for (size_t i = 0; i < text->len; i++)
        must((unsigned char)text->s[i] >= 0x20 && text->s[i] != 0x7F);
    str_clear(&again);
}

static void check_fields(const struct str *text) {
    struct str field;
    str_init(&field, 4 * text->len + 64);
    for (int cells = 0; cells <= 12; cells++) {
        str_reset(&field);
        utf8_fit(&field, text->s, text->len, cells, cells % 2, "…");
        must(utf8_cells(field.s, field.len) == cells && utf8_is_valid(field.s, field.len));
    }
    str_clear(&field);
}

static void check_steps(const char *s, size_t len) {
    for (size_t at = 0, next; at < len; at = next) {
        next = utf8_next(s, len, at);
        must(next > at && utf8_prev(s, len, next) == at);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *s = (const char *)data;
    struct str out;
    setlocale(LC_CTYPE, "C.UTF-8");
    /* The first byte decides where out is full. */
    str_init(&out, size > 0 && data[0] % 2 ? data[0] : 8 * size + 16);
    utf8_sanitise(&out, s, size);
    check_clean(&out);
    check_fields(&out);
    check_steps(out.s, out.len);
    if (size < 4096)
        check_steps(s, size);
    str_reset(&out);
    utf8_fold(&out, s, size);
    must(utf8_is_valid(out.s, out.len) || out.truncated);
    str_reset(&out);
    utf8_sanitise_lines(&out, s, size);
    utf8_to_ascii(&out, s, size);
    str_clear(&out);
    return 0;
}
