#include "ui/lines.h"

#include "base/utf8.h"

#include <string.h>

enum { FOLDED_MAX = 64 * 1024, CELL_BYTES = 64 };

/* The latest place where the line can end, so that a text of one long line is not scanned to its end for every row. */
static size_t line_end(const char *text, int cols) {
    size_t window = (size_t)cols * CELL_BYTES, len = strnlen(text, window);
    const char *end = memchr(text, '\n', len);

    while (!end && len == window && len > 1 && ((unsigned char)text[len] & 0xc0) == 0x80)
        len--;
    return end ? (size_t)(end - text) : len;
}

size_t lines_wrap(const char *text, int cols, size_t *skip) {
    int room = cols < 1 ? 1 : cols;
    size_t end = line_end(text, room), len = utf8_cut(text, end, room, NULL), cut = len;

    if (len == end) {
        *skip = text[end] == '\n' ? end + 1 : end;
        return len;
    }
    while (cut > 0 && text[cut] != ' ')
        cut--;
    len = cut > 0 ? cut : len;
    /* Takes a glyph that is wider than the line all the same: otherwise no progress would be made. */
    len = len == 0 ? utf8_next(text, end, 0) : len;
    *skip = len + strspn(text + len, " ");
    return len;
}

int lines_count(const char *text, int cols) {
    int n = 0;

    for (size_t skip; *text != '\0'; text += skip, n++)
        (void)lines_wrap(text, cols, &skip);
    return n;
}

void lines_draw(struct canvas *canvas, struct rect area, enum role role, const char *text) {
    size_t skip;

    for (int y = 0; y < area.rows && *text != '\0'; y++, text += skip) {
        size_t len = lines_wrap(text, area.cols, &skip);
        (void)canvas_text_n(canvas, area, y, 0, role, text, y + 1 < area.rows ? len : strlen(text));
    }
}

bool lines_has(const char *text, const char *needle) {
    struct str folded;
    bool found;

    str_init(&folded, FOLDED_MAX);
    utf8_fold(&folded, text, strlen(text));
    found = needle[0] != '\0' && strstr(folded.s, needle);
    str_clear(&folded);
    return found;
}

/* Whether text starts with needle once folded. */
static bool starts_folded(const char *text, size_t len, const char *needle) {
    struct str folded;
    bool starts;

    str_init(&folded, FOLDED_MAX);
    utf8_fold(&folded, text, len);
    starts = str_starts(folded.s, needle);
    str_clear(&folded);
    return starts;
}

bool lines_find(const char *text, const char *needle, size_t *from, size_t *to) {
    size_t len = strlen(text), window = strlen(needle) * 4 + 16;

    if (!lines_has(text, needle))
        return false;
    for (*from = 0; *from < len; *from = utf8_next(text, len, *from)) {
        size_t rest = len - *from;
        if (starts_folded(text + *from, rest < window ? rest : window, needle)) {
            for (*to = utf8_next(text, len, *from); *to < len && !starts_folded(text + *from, *to - *from, needle);)
                *to = utf8_next(text, len, *to);
            return true;
        }
    }
    return false;
}
