#include "text.h"

#include "base/clock.h"
#include "base/json.h"

#include <string.h>

void text_json(struct str *out, const char *text) {
    if (!text) {
        str_add(out, "null");
        return;
    }
    json_add_string(out, text, strlen(text));
}

void text_time(struct str *out, int64_t at) {
    clock_format(out, at, CLOCK_UTC, at);
    str_add(out, " UTC");
}
