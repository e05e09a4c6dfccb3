#include "text.h"

#include "base/clock.h"

void text_json(struct str *out, const char *text) {
    if (!text) {
        str_add(out, "null");
        return;
    }
    str_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            str_addf(out, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20) {
            str_addf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        } else {
            str_add_char(out, *text);
        }
    }
    str_add_char(out, '"');
}

void text_time(struct str *out, int64_t at) {
    clock_format(out, at, CLOCK_UTC, at);
    str_add(out, " UTC");
}
