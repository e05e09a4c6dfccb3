#include "base/utf8.h"

#include "utf8_scan.h"

#include <string.h>
#include <utf8proc.h>

static bool utf8_cells_is_plain(char c) {
    return c >= 0x20 && c < 0x7F;
}

int utf8_cells(const char *s, size_t len) {
    int cells = 0;
    int32_t cp;
    for (size_t at = 0; at < len;) {
        if (utf8_cells_is_plain(s[at])) {
            at++;
            cells++;
            continue;
        }
        at += utf8_decode(s + at, len - at, &cp);
        int width = utf8_width(cp);
        cells += width < 0 ? 1 : width;
    }
    return cells;
}

static bool joins(int32_t cp) {
    switch (utf8proc_get_property(cp)->boundclass) {
    case UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR:
    case UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC:
    case UTF8PROC_BOUNDCLASS_SPACINGMARK:
    case UTF8PROC_BOUNDCLASS_PREPEND:
    case UTF8PROC_BOUNDCLASS_ZWJ:
    case UTF8PROC_BOUNDCLASS_L:
    case UTF8PROC_BOUNDCLASS_V:
    case UTF8PROC_BOUNDCLASS_T:
        return true;
    default:
        return false;
    }
}

/* A virama after which some terminals join the next consonant to the one before. Not in scripts whose virama is
 * visible: Gurmukhi, Tamil, Kannada, Sinhala, Thai, Lao, Tibetan, Burmese asat. */
static bool is_linker(int32_t cp) {
    static const int32_t SEEN[] = {0x0A4D, 0x0BCD, 0x0CCD, 0x0DCA, 0x0E3A, 0x0EBA, 0x0F84, 0x103A};
    enum { VIRAMA = 9 }; /* the combining class */
    bool linker = utf8proc_get_property(cp)->combining_class == VIRAMA;
    for (size_t i = 0; i < sizeof SEEN / sizeof *SEEN && linker; i++)
        linker = cp != SEEN[i];
    return linker;
}

/* A plane of pictures to which every version of Unicode adds. */
static bool is_pictorial(int32_t cp) {
    return cp >= 0x1F000 && cp < 0x20000;
}

bool utf8_is_doubtful(const char *s, size_t len) {
    int32_t cp;
    int spacing = 0;
    for (size_t at = 0; at < len;) {
        at += utf8_decode(s + at, len - at, &cp);
        int width = utf8_width(cp);
        spacing += width != 0;
        if (joins(cp) || is_linker(cp) || is_pictorial(cp) || spacing > 1 || width != utf8proc_charwidth(cp) ||
            cp == 0xFE0F)
            return true;
    }
    return false;
}

size_t utf8_next(const char *s, size_t len, size_t at) {
    if (at >= len)
        return len;
    int32_t cp, after, state = 0;
    /* Two plain characters are never one grapheme: most text needs no table. */
    if (utf8_cells_is_plain(s[at]) && (at + 1 == len || utf8_cells_is_plain(s[at + 1])))
        return at + 1;
    at += utf8_decode(s + at, len - at, &cp);
    while (at < len) {
        size_t taken = utf8_decode(s + at, len - at, &after);
        if (utf8proc_grapheme_break_stateful(cp, after, &state))
            break;
        at += taken;
        cp = after;
    }
    return at;
}

/* Grapheme boundaries depend on the text before (flags, emoji), but never on what is before two plain characters. */
static size_t safe_start(const char *s, size_t at) {
    size_t start = at;
    while (start > 0 && !(utf8_cells_is_plain(s[start - 1]) && start < at && utf8_cells_is_plain(s[start])))
        start--;
    return start;
}

size_t utf8_prev(const char *s, size_t len, size_t at) {
    if (at > len)
        at = len;
    size_t before = safe_start(s, at);
    for (size_t end = before; end < at; end = utf8_next(s, len, end))
        before = end;
    return before;
}

size_t utf8_cut(const char *s, size_t len, int cells, int *used) {
    size_t at = 0;
    int sum = 0;
    while (at < len) {
        size_t end = utf8_next(s, len, at);
        int width = utf8_cells(s + at, end - at);
        if (width > cells - sum)
            break;
        sum += width;
        at = end;
    }
    if (used)
        *used = sum;
    return at;
}

void utf8_fit(struct str *out, const char *s, size_t len, int cells, bool right, const char *ellipsis) {
    if (cells <= 0)
        return;
    int used, mark = 0;
    size_t mark_len = 0, text_len = utf8_cut(s, len, cells, &used);
    if (text_len < len) {
        mark_len = utf8_cut(ellipsis, strlen(ellipsis), cells, &mark);
        text_len = utf8_cut(s, len, cells - mark, &used);
    }
    size_t padding = (size_t)(cells - used - mark);
    if (right)
        str_add_repeat(out, ' ', padding);
    str_add_n(out, s, text_len);
    str_add_n(out, ellipsis, mark_len);
    if (!right)
        str_add_repeat(out, ' ', padding);
}

void utf8_tail(struct str *out, const char *s, size_t len, int cells, const char *ellipsis) {
    size_t skipped = 0;
    if (utf8_cells(s, len) > cells && cells > 1) {
        while (skipped < len && utf8_cells(s + skipped, len - skipped) > cells - 1)
            skipped = utf8_next(s, len, skipped);
        str_add(out, ellipsis);
    }
    str_add_n(out, s + skipped, len - skipped);
}

void utf8_last(struct str *out, const char *s, size_t len, int cells) {
    size_t skipped = 0;
    while (skipped < len && utf8_cells(s + skipped, len - skipped) > cells)
        skipped = utf8_next(s, len, skipped);
    str_add_n(out, s + skipped, len - skipped);
}

void utf8_ends(struct str *out, const char *s, size_t len, int cells, const char *ellipsis) {
    size_t head = utf8_cells(s, len) > cells ? utf8_cut(s, len, cells / 2, NULL) : 0;
    str_add_n(out, s, head);
    utf8_tail(out, s + head, len - head, cells - utf8_cells(s, head), ellipsis);
}
