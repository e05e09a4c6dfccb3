#include "base/paste.h"

#include "base/utf8.h"

#include <string.h>

bool paste_add_word(struct str *out, const char *text) {
    if (!utf8_is_clean(text, strlen(text)))
        return false;
    str_add_char(out, '\'');
    for (const char *at = text; *at; at++)
        if (*at == '\'')
            str_add(out, "'\\''");
        else
            str_add_char(out, *at);
    str_add_char(out, '\'');
    return !out->truncated;
}
