#include "ui/canvas.h"

#include "ui/canvas_grid.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANVAS_SIDE_MAX = 2000, CLUSTERS_MAX = 4 * 1024 * 1024, FORMAT_MAX = 4096, SANITISED_MAX = 64 * 1024 };

static void canvas_blank(struct cell *cell, enum role role) {
    *cell = (struct cell){.text = " ", .width = 1, .role = (uint8_t)role, .bar = -1};
}

static int side(int n) {
    return n < 0 ? 0 : n > CANVAS_SIDE_MAX ? CANVAS_SIDE_MAX : n;
}

struct canvas *canvas_new(int rows, int cols) {
    struct canvas *canvas = mem_new(sizeof *canvas);

    str_init(&canvas->clusters, CLUSTERS_MAX);
    canvas_resize(canvas, rows, cols);
    return canvas;
}

void canvas_free(struct canvas *canvas) {
    if (!canvas)
        return;
    free(canvas->cells);
    str_clear(&canvas->clusters);
    free(canvas);
}

void canvas_resize(struct canvas *canvas, int rows, int cols) {
    size_t n = (size_t)side(rows) * (size_t)side(cols);

    canvas->rows = side(rows);
    canvas->cols = side(cols);
    canvas->cells = mem_resize(canvas->cells, n == 0 ? 1 : n, sizeof *canvas->cells);
    canvas_fill(canvas, canvas_rect(canvas), ROLE_TEXT);
    canvas->cursor_y = canvas->cursor_x = 0;
    canvas->cursor_visible = false;
}

int canvas_rows(const struct canvas *canvas) {
    return canvas->rows;
}

int canvas_cols(const struct canvas *canvas) {
    return canvas->cols;
}

struct rect canvas_rect(const struct canvas *canvas) {
    return (struct rect){.rows = canvas->rows, .cols = canvas->cols};
}

/* The part of one row of an area that may be drawn: columns [left, right) of canvas row y; origin is the area's column
 * 0. */
struct span {
    int y, left, right;
    long origin;
};

static bool span_of(const struct canvas *canvas, struct rect area, int y, struct span *out) {
    long row = (long)area.y + y, right = (long)area.x + area.cols;

    if (y < 0 || y >= area.rows || row < 0 || row >= canvas->rows || area.cols <= 0 || area.x >= canvas->cols ||
        right <= 0)
        return false;
    out->y = (int)row;
    out->origin = area.x;
    out->left = area.x < 0 ? 0 : area.x;
    out->right = right > canvas->cols ? canvas->cols : (int)right;
    return true;
}

/* Narrows a span to columns [x, x + cols) of its area. */
static bool span_narrow(struct span *span, int x, int cols) {
    long left = span->origin + x, right = left + cols;

    if (left > span->left)
        span->left = left > span->right ? span->right : (int)left;
    if (right < span->right)
        span->right = right < span->left ? span->left : (int)right;
    return span->left < span->right;
}

/* The bytes behind a short text are zero, so that cells can be compared byte by byte. */
static void set_short(struct cell *cell, const char *text, size_t len) {
    memset(cell->text, 0, sizeof cell->text);
    memcpy(cell->text, text, len);
}

/* A wide cell that column x would cut in two becomes blanks. */
static void split_at(struct canvas *canvas, int y, int x) {
    int from = x, to = x;

    if (x <= 0 || x >= canvas->cols || canvas_at(canvas, y, x)->width != 0)
        return;
    while (from > 0 && canvas_at(canvas, y, from)->width == 0)
        from--;
    while (to < canvas->cols && canvas_at(canvas, y, to)->width == 0)
        to++;
    for (; from < to; from++) {
        struct cell *cell = canvas_at(canvas, y, from);
        cell->far = 0;
        cell->fenced = false;
        cell->width = 1;
        set_short(cell, " ", 1);
    }
}

void canvas_fill(struct canvas *canvas, struct rect area, enum role role) {
    struct span span;

    if (area.x <= 0 && area.y <= 0 && area.rows >= canvas->rows && area.cols >= canvas->cols)
        str_reset(&canvas->clusters);
    for (int y = 0; y < area.rows && (long)area.y + y < canvas->rows; y++) {
        if (!span_of(canvas, area, y, &span))
            continue;
        split_at(canvas, span.y, span.left);
        split_at(canvas, span.y, span.right);
        for (int x = span.left; x < span.right; x++)
            canvas_blank(canvas_at(canvas, span.y, x), role);
    }
}

/* Removes long graphemes of cells that were overwritten, which otherwise stay until the next full fill. */
static void compact(struct canvas *canvas) {
    struct str kept;
    size_t n = (size_t)canvas->rows * (size_t)canvas->cols;

    str_init(&kept, CLUSTERS_MAX);
    for (size_t i = 0; i < n; i++) {
        struct cell *cell = &canvas->cells[i];
        const char *text = canvas_cell_text(canvas, cell);
        if (cell->far != 0) {
            cell->far = (uint32_t)kept.len + 1;
            str_add_n(&kept, text, strlen(text) + 1);
        }
    }
    str_clear(&canvas->clusters);
    canvas->clusters = kept;
}

static void put_long(struct canvas *canvas, struct cell *cell, const char *text, size_t len) {
    if (canvas->clusters.len + CLUSTER_MAX >= CLUSTERS_MAX)
        compact(canvas);
    if (canvas->clusters.len + CLUSTER_MAX >= CLUSTERS_MAX) {
        set_short(cell, "?", 1);
        return;
    }
    set_short(cell, "", 0);
    cell->far = (uint32_t)canvas->clusters.len + 1;
    str_add_n(&canvas->clusters, text, len);
    str_add_char(&canvas->clusters, '\0');
}

static void canvas_set_text(struct canvas *canvas, struct cell *cell, const char *text, size_t len) {
    cell->far = 0;
    if (len < CELL_TEXT_MAX)
        set_short(cell, text, len);
    else
        put_long(canvas, cell, text, len);
}

struct glyph {
    const char *text;
    size_t len;
    int width;
};

/* Text that may be drawn as it is. */
struct line {
    const char *text;
    size_t len;
    bool plain; /* one byte and one cell for each character */
};

/* The columns [*from, *to) of the span that `width` cells from x on cover; wide cells that these cut in two are
 * blanked. False: none. */
static bool open_cells(struct canvas *canvas, const struct span *span, long x, long width, int *from, int *to) {
    *from = x < span->left ? span->left : (int)x;
    *to = x + width > span->right ? span->right : (int)(x + width);
    if (*from >= *to)
        return false;
    split_at(canvas, span->y, *from);
    split_at(canvas, span->y, *to);
    return true;
}

/* Puts one grapheme with its left edge at column x, which may lie left of the span; the part outside is not drawn. */
static void put_glyph(struct canvas *canvas, const struct span *span, long x, enum role role,
                      const struct glyph *glyph) {
    bool whole = x >= span->left && x + glyph->width <= span->right;
    int from, to;

    if (!open_cells(canvas, span, x, glyph->width, &from, &to))
        return;
    for (int i = from; i < to; i++) {
        struct cell *cell = canvas_at(canvas, span->y, i);
        cell->role = (uint8_t)role;
        cell->far = 0;
        cell->fenced = false;
        cell->width = whole && i > from ? 0 : 1;
        set_short(cell, " ", whole && i > from ? 0 : 1);
    }
    if (whole) {
        struct cell *cell = canvas_at(canvas, span->y, from);
        cell->width = (uint8_t)glyph->width;
        canvas_set_text(canvas, cell, glyph->text, glyph->len);
    }
}

static bool is_printable_ascii(unsigned char c) {
    return c >= 0x20 && c < 0x7f;
}

/* The grapheme at `at`; width 0 for one that takes no cell (a mark without a base), which is not drawn, since it would
 * join the cell left of the field. */
static struct glyph glyph_at(const char *text, size_t len, size_t at) {
    struct glyph glyph = {.text = text + at, .len = 1, .width = 1};

    if (is_printable_ascii((unsigned char)text[at]) && (at + 1 >= len || (unsigned char)text[at + 1] < 0x80))
        return glyph;
    glyph.len = utf8_next(text, len, at) - at;
    if (glyph.len == 0)
        glyph.len = 1;
    glyph.width = utf8_cells(glyph.text, glyph.len);
    if (glyph.width > UINT8_MAX)
        glyph.width = UINT8_MAX;
    return glyph;
}

/* No character takes more cells than bytes, so a short text always fits. */
static bool canvas_fits(const char *text, size_t len, long cells) {
    size_t at = 0;

    if (cells >= 0 && len <= (size_t)cells)
        return true;
    while (at < len && cells >= 0) {
        struct glyph glyph = glyph_at(text, len, at);
        cells -= glyph.width;
        at += glyph.len;
    }
    return cells >= 0;
}

static struct glyph shortened(struct glyph glyph) {
    static const char replacement[] = "\xef\xbf\xbd";

    if (glyph.len > CLUSTER_MAX) {
        glyph.text = replacement;
        glyph.len = sizeof replacement - 1;
    }
    return glyph;
}

static size_t printable_run(const char *text, size_t len) {
    size_t n = 0;

    while (n < len && is_printable_ascii((unsigned char)text[n]))
        n++;
    return n;
}

/* How many characters at the beginning take one byte and one cell each, and can have no mark behind them. */
static size_t canvas_plain_run(const char *text, size_t len) {
    size_t n = printable_run(text, len);

    return n > 0 && n < len && (unsigned char)text[n] >= 0x80 ? n - 1 : n;
}

/* Most of every screen is such text; does the same as put_glyph for each character. */
static void canvas_put_plain(struct canvas *canvas, const struct span *span, long x, enum role role, const char *text,
                             size_t n) {
    int from, to;

    if (!open_cells(canvas, span, x, (long)n, &from, &to))
        return;
    for (int i = from; i < to; i++) {
        struct cell *cell = canvas_at(canvas, span->y, i);
        *cell = (struct cell){.text = {text[i - x]}, .width = 1, .role = (uint8_t)role, .bar = cell->bar};
    }
}

/* The cell that ends at column x. */
static void fence_at(struct canvas *canvas, const struct span *span, long x) {
    long at = x - 1;

    while (at > span->left && at < span->right && canvas_at(canvas, span->y, (int)at)->width == 0)
        at--;
    if (at >= span->left && at < span->right)
        canvas_at(canvas, span->y, (int)at)->fenced = true;
}

/* Fences text from right to left that ends before x, or in what was just drawn there. */
static void fence(struct canvas *canvas, const struct span *span, long x, struct utf8_order *order,
                  const struct glyph *glyph) {
    int32_t code;

    for (size_t at = 0, taken; at < glyph->len; at += taken) {
        taken = utf8_decode(glyph->text + at, glyph->len - at, &code);
        if (utf8_order_step(order, code))
            fence_at(canvas, span, x + (long)at);
    }
}

static int draw_clean(struct canvas *canvas, const struct span *span, long x, enum role role, const struct line *line) {
    long limit = span->right, start = x < span->left ? span->left : x;
    struct utf8_order order = {0};
    struct glyph mark = {0};

    if (line->plain && x + (long)line->len <= limit) {
        canvas_put_plain(canvas, span, x, role, line->text, line->len);
        return x + (long)line->len > start ? (int)(x + (long)line->len - start) : 0;
    }
    if (!canvas_fits(line->text, line->len, span->right - x)) {
        mark.text = symbol(SYMBOL_ELLIPSIS);
        mark.len = strlen(mark.text);
        mark.width = utf8_cells(mark.text, mark.len);
        mark.width = span->right - start >= mark.width ? mark.width : 0;
        limit -= mark.width;
    }
    for (size_t at = 0; at < line->len && x < limit;) {
        size_t run = canvas_plain_run(line->text + at, line->len - at), room = (size_t)(limit - x);
        run = run < room ? run : room;
        struct glyph glyph =
            run > 0 ? (struct glyph){line->text + at, run, (int)run} : glyph_at(line->text, line->len, at);
        if (x + glyph.width > limit)
            break;
        if (run > 0) {
            canvas_put_plain(canvas, span, x, role, line->text + at, run);
        } else {
            struct glyph shown = shortened(glyph);
            put_glyph(canvas, span, x, role, &shown);
        }
        fence(canvas, span, x, &order, &glyph);
        at += glyph.len;
        x += glyph.width;
    }
    if (mark.width > 0) {
        put_glyph(canvas, span, x, role, &mark);
        x += mark.width;
    }
    if (order.right)
        fence_at(canvas, span, x);
    return x > start ? (int)(x - start) : 0;
}

/* The text as it may be drawn: itself where it is clean, else sanitised into *room. */
static struct line clean_text(struct str *room, const char *text, size_t len) {
    bool plain = printable_run(text, len) == len;

    if (!plain && !utf8_is_clean(text, len)) {
        utf8_sanitise(room, text, len);
        return (struct line){.text = room->s, .len = room->len};
    }
    return (struct line){text, len, plain};
}

int canvas_text_n(struct canvas *canvas, struct rect area, int y, int x, enum role role, const char *text, size_t len) {
    struct span span;
    struct str room;
    struct line line;
    int used;

    if (!text || len == 0 || !span_of(canvas, area, y, &span) || span.origin + x >= span.right)
        return 0;
    str_init(&room, SANITISED_MAX);
    line = clean_text(&room, text, len);
    used = draw_clean(canvas, &span, span.origin + x, role, &line);
    str_clear(&room);
    return used;
}

int canvas_text(struct canvas *canvas, struct rect area, int y, int x, enum role role, const char *text) {
    return !text ? 0 : canvas_text_n(canvas, area, y, x, role, text, strlen(text));
}

int canvas_textf(struct canvas *canvas, struct rect area, int y, int x, enum role role, const char *format, ...) {
    char text[FORMAT_MAX];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (len <= 0)
        return 0;
    return canvas_text_n(canvas, area, y, x, role, text, len < FORMAT_MAX ? (size_t)len : FORMAT_MAX - 1);
}

void canvas_text_right(struct canvas *canvas, struct rect area, int y, int x, int cols, enum role role,
                       const char *text) {
    struct span span;
    struct str room;
    struct line line;
    int cells;

    if (!text || cols <= 0 || !span_of(canvas, area, y, &span) || !span_narrow(&span, x, cols))
        return;
    str_init(&room, SANITISED_MAX);
    line = clean_text(&room, text, strlen(text));
    cells = line.plain ? (int)line.len : utf8_cells(line.text, line.len);
    (void)draw_clean(canvas, &span, span.origin + x + (cells < cols ? cols - cells : 0), role, &line);
    str_clear(&room);
}

static void repeat_symbol(struct canvas *canvas, const struct span *span, enum role role, enum symbol which) {
    const char *mark = symbol(which);
    struct glyph glyph = {mark, strlen(mark), 1};

    for (int x = span->left; x < span->right; x++)
        put_glyph(canvas, span, x, role, &glyph);
}

void canvas_rule(struct canvas *canvas, struct rect area, int y, enum role role) {
    struct span span;

    if (span_of(canvas, area, y, &span))
        repeat_symbol(canvas, &span, role, SYMBOL_RULE);
}

void canvas_rule_vertical(struct canvas *canvas, struct rect area, int x, enum role role) {
    struct span span;

    for (int y = 0; y < area.rows && (long)area.y + y < canvas->rows; y++)
        if (span_of(canvas, area, y, &span) && span_narrow(&span, x, 1))
            repeat_symbol(canvas, &span, role, SYMBOL_RULE_VERTICAL);
}

void canvas_role(struct canvas *canvas, struct rect area, int y, int x, int cols, enum role role) {
    struct span span;

    if (cols <= 0 || !span_of(canvas, area, y, &span) || !span_narrow(&span, x, cols))
        return;
    for (int i = span.left; i < span.right; i++)
        canvas_at(canvas, span.y, i)->role = (uint8_t)role;
}

void canvas_bar(struct canvas *canvas, struct rect area, int y, enum role role) {
    struct span span;

    if (!span_of(canvas, area, y, &span))
        return;
    for (int x = span.left; x < span.right; x++)
        canvas_at(canvas, span.y, x)->bar = (int8_t)role;
}

void canvas_cursor(struct canvas *canvas, struct rect area, int y, int x, bool visible) {
    struct span span;
    bool inside = span_of(canvas, area, y, &span) && span_narrow(&span, x, 1);

    canvas->cursor_visible = visible && inside;
    if (inside) {
        canvas->cursor_y = span.y;
        canvas->cursor_x = span.left;
    }
}

struct canvas_cell canvas_cell(const struct canvas *canvas, int y, int x) {
    const struct cell *cell;

    if (y < 0 || x < 0 || y >= canvas->rows || x >= canvas->cols)
        return (struct canvas_cell){.text = "", .role = ROLE_TEXT, .bar = -1};
    cell = canvas_at(canvas, y, x);
    return (struct canvas_cell){
        .text = canvas_cell_text(canvas, cell), .role = (enum role)cell->role, .bar = cell->bar};
}

bool canvas_cursor_at(const struct canvas *canvas, int *y, int *x) {
    *y = canvas->cursor_y;
    *x = canvas->cursor_x;
    return canvas->cursor_visible;
}
