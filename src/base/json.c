#include "base/json.h"

#include "base/utf8.h"

#include <string.h>

static void escaped(struct str *out, unsigned char c) {
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *at = c == 0 ? NULL : strchr(plain, c);
    if (at) {
        str_add_char(out, '\\');
        str_add_char(out, letters[at - plain]);
    } else {
        str_addf(out, "\\u%04x", c);
    }
}

static bool json_is_plain(unsigned char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void json_add_string(struct str *out, const char *text, size_t len) {
    str_add_char(out, '"');
    for (size_t i = 0; i < len;) {
        size_t run = 0;
        while (i + run < len && json_is_plain((unsigned char)text[i + run]))
            run++;
        str_add_n(out, text + i, run);
        i += run;
        if (i == len)
            break;
        if ((unsigned char)text[i] < 0x80) {
            escaped(out, (unsigned char)text[i++]);
            continue;
        }
        int32_t cp = 0;
        size_t used = utf8_decode(text + i, len - i, &cp);
        char bytes[4];
        str_add_n(out, bytes, utf8_encode(cp, bytes));
        i += used;
    }
    str_add_char(out, '"');
}
