#ifndef UI_CANVAS_H
#define UI_CANVAS_H
/* A grid of cells, each a grapheme and a role, drawn into by panes and shown by `screen`. Knows no terminal, so tests
 * compare it as it is. Every drawing call is clipped to its rectangle and to the canvas: any size, 0x0 included, and
 * any coordinate is safe. Text must be clean (base/utf8); canvas_text sanitises again what is not, as the last line of
 * defence. */

#include "ui/role.h"

#include "base/str.h"

#include <stdint.h>

struct rect {
    int y, x, rows, cols;
};
struct rect rect_inset(struct rect rect, int top, int left, int bottom, int right); /* never negative sizes */
/* Splits off the first n rows/columns (negative n: the last -n); *rest may be the source. */
struct rect rect_take_rows(struct rect *rest, int n);
struct rect rect_take_cols(struct rect *rest, int n);

struct canvas;

struct canvas *canvas_new(int rows, int cols);
void canvas_free(struct canvas *canvas);
void canvas_resize(struct canvas *canvas, int rows, int cols); /* content is blank after */
int canvas_rows(const struct canvas *canvas);
int canvas_cols(const struct canvas *canvas);
struct rect canvas_rect(const struct canvas *canvas);

void canvas_fill(struct canvas *canvas, struct rect area, enum role role); /* blanks */
/* Draws text at row y, column x of area (relative), cut to the area's right edge with the ellipsis mark where it does
 * not fit; a wide character is never halved. Returns the cells used. */
int canvas_text(struct canvas *canvas, struct rect area, int y, int x, enum role role, const char *text);
int canvas_text_n(struct canvas *canvas, struct rect area, int y, int x, enum role role, const char *text, size_t len);
int canvas_textf(struct canvas *canvas, struct rect area, int y, int x, enum role role, const char *format, ...)
    PRINTF_LIKE(6, 7);
/* Same, right-aligned so that the text ends at column x + cols - 1. */
void canvas_text_right(struct canvas *canvas, struct rect area, int y, int x, int cols, enum role role,
                       const char *text);
void canvas_rule(struct canvas *canvas, struct rect area, int y, enum role role); /* horizontal */
void canvas_rule_vertical(struct canvas *canvas, struct rect area, int x, enum role role);
/* Changes the role of cells that were drawn (cursor bar); the glyphs stay. */
void canvas_role(struct canvas *canvas, struct rect area, int y, int x, int cols, enum role role);
/* Reverses a row's cells on top of their roles: the cursor bar, which keeps the status colours readable. */
void canvas_bar(struct canvas *canvas, struct rect area, int y, enum role role);

/* Where the terminal's own cursor is put (screen readers follow it); visible only in text fields. */
void canvas_cursor(struct canvas *canvas, struct rect area, int y, int x, bool visible);

/* For screen and tests. A double-width glyph's second cell has an empty text. */
struct canvas_cell {
    const char *text;
    enum role role;
    int bar; /* -1, or the role of the bar laid over it */
};
struct canvas_cell canvas_cell(const struct canvas *canvas, int y, int x);
bool canvas_cursor_at(const struct canvas *canvas, int *y, int *x); /* false: hidden */
/* Lines of characters, then lines of role letters: the golden form. */
void canvas_dump(const struct canvas *canvas, struct str *out);

/* Symbols (mark, sort arrows, ellipsis, bars, rule, tree lines): unicode or ASCII set, by locale, overridable by a
 * theme. */
#define SYMBOL_TABLE(X)                              \
    X(ELLIPSIS, "ellipsis", "\u2026", "~")           \
    X(RULE, "rule", "\u2500", "-")                   \
    X(RULE_VERTICAL, "rule.vertical", "\u2502", "|") \
    X(SORT_UP, "sort.up", "\u25b2", "^")             \
    X(SORT_DOWN, "sort.down", "\u25bc", "v")         \
    X(MARK, "mark", "*", "*")                        \
    X(NEW, "new", "+", "+")                          \
    X(CHANGED, "changed", "~", "~")                  \
    X(GONE, "gone", "\u00d7", "x")                   \
    X(ABSENT, "absent", "\u2013", "-")               \
    X(BAR_FULL, "bar.full", "\u2588", "#")           \
    X(BAR_EMPTY, "bar.empty", "\u2591", ".")         \
    X(BAR_1, "bar.1", "\u2581", "_")                 \
    X(BAR_2, "bar.2", "\u2582", ".")                 \
    X(BAR_3, "bar.3", "\u2583", "-")                 \
    X(BAR_4, "bar.4", "\u2584", ":")                 \
    X(BAR_5, "bar.5", "\u2585", "=")                 \
    X(BAR_6, "bar.6", "\u2586", "+")                 \
    X(BAR_7, "bar.7", "\u2587", "*")                 \
    X(SCROLL_TRACK, "scroll.track", "\u2502", "|")   \
    X(SCROLL_THUMB, "scroll.thumb", "\u2588", "#")   \
    X(TREE_BRANCH, "tree.branch", "\u251c", "|")     \
    X(TREE_LAST, "tree.last", "\u2514", "`")         \
    X(BULLET, "bullet", "\u2022", "*")               \
    X(NEXT, "next", "\u203a", ">")

enum symbol {
#define X(code, name, unicode, ascii) SYMBOL_##code,
    SYMBOL_TABLE(X)
#undef X
        SYMBOL_COUNT
};
void symbols_ascii(bool ascii);
void symbol_set(enum symbol symbol, const char *text); /* copied, 15 bytes at most; NULL: back to the set */
const char *symbol(enum symbol symbol);
const char *symbol_name(enum symbol symbol);

#endif
