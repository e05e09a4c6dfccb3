#include "extract.h"

#include "base/ascii.h"
#include "base/str.h"
#include "decode.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKED_AT_MAX = 64 << 10, SHOWN_MAX = 200 };

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == '\v';
}

static const char *find_word(struct wire_slice text, const char *word) {
    size_t len = strlen(word);
    for (size_t at = 0; at + len <= text.len; at++)
        if (ascii_compare_n(text.s + at, word, len) == 0)
            return text.s + at;
    return NULL;
}

static struct wire_slice after(struct wire_slice text, const char *at) {
    return (struct wire_slice){at, text.len - (size_t)(at - text.s)};
}

static bool is_page(struct wire_slice text, const char *content_type) {
    if (content_type && find_word((struct wire_slice){content_type, strlen(content_type)}, "html"))
        return true;
    while (text.len > 0 && is_space(*text.s))
        text = after(text, text.s + 1);
    return text.len > 0 && *text.s == '<';
}

/* The title where the page has one. */
static struct wire_slice title_of(struct wire_slice page) {
    const char *tag = find_word(page, "<title");
    if (!tag)
        return page;
    struct wire_slice title = after(page, tag + strlen("<title"));
    const char *close = memchr(title.s, '>', title.len);
    const char *end = find_word(title, "</title");
    if (!close || !end || end < close)
        return page;
    return (struct wire_slice){close + 1, (size_t)(end - close - 1)};
}

/* Runs of blanks and, in a page, tags become one blank. */
static void squeeze(struct str *out, struct wire_slice text, bool page) {
    bool inside = false, blank = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        bool closing = page && inside && c == '>';
        inside = page && (inside ? !closing : c == '<');
        if (inside || closing || is_space(c)) {
            blank = true;
            continue;
        }
        if (blank && out->len)
            str_add_char(out, ' ');
        blank = false;
        str_add_char(out, c);
    }
}

char *wire_extract(const char *body, size_t len, const char *content_type) {
    struct wire_slice text = {body, len < LOOKED_AT_MAX ? len : LOOKED_AT_MAX};
    struct str line;
    if (text.len >= 3 && memcmp(text.s, "\xEF\xBB\xBF", 3) == 0)
        text = after(text, text.s + 3);
    bool page = is_page(text, content_type);
    str_init(&line, LOOKED_AT_MAX);
    squeeze(&line, page ? title_of(text) : text, page);
    char *clean = line.len ? wire_clean_redacted(line.s, line.len, SHOWN_MAX) : NULL;
    str_clear(&line);
    return clean;
}
