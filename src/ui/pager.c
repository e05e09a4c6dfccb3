#include "ui/dialog.h"

#include "ui/lines.h"
#include "ui/scrollbar.h"

#include "base/utf8.h"

#include <limits.h>
#include <string.h>

enum { SEARCH_MAX = 256, COLUMN_STEP = 8 };

void pager_init(struct pager *pager) {
    *pager = (struct pager){0};
    edit_init(&pager->search, SEARCH_MAX);
}

void pager_clear(struct pager *pager) {
    edit_clear(&pager->search);
    *pager = (struct pager){0};
}

static void pager_scroll(struct pager *pager, long delta) {
    size_t page = pager->visible_rows < 1 ? 1 : (size_t)pager->visible_rows;
    size_t last = pager->n > page ? pager->n - page : 0;
    size_t step = delta < 0 ? (size_t)-delta : (size_t)delta;

    if (delta < 0)
        pager->top -= step > pager->top ? pager->top : step;
    else
        pager->top += step > pager->n ? pager->n : step;
    pager->top = pager->top > last ? last : pager->top;
}

void pager_set(struct pager *pager, const struct text_line *lines, size_t n, bool keep_position) {
    pager->lines = lines;
    pager->n = n;
    pager->hit = n;
    if (!keep_position) {
        pager->top = 0;
        pager->left = 0;
        edit_set(&pager->search, "");
        pager->searching = false;
    }
    pager_scroll(pager, 0);
}

static int own_label_cols(const struct text_line *line) {
    return line && line->label ? utf8_cells(line->label, strlen(line->label)) + line->indent : 0;
}

static int pager_label_cols(const struct pager *pager, int cols) {
    int widest = 0;

    for (size_t i = 0; i < pager->n; i++) {
        int own = own_label_cols(&pager->lines[i]), beside = own_label_cols(pager->lines[i].beside);
        widest = own > widest ? own : widest;
        widest = beside > widest ? beside : widest;
    }
    return widest > cols / 2 ? cols / 2 : widest;
}

struct sheet {
    const struct pager *pager;
    struct canvas *canvas;
    struct rect area;
    int labels; /* cells of the label column, 0 for none */
    struct str needle;
};

/* Where a line stands: a second column takes the end of the first. */
static struct rect line_rect(const struct sheet *sheet, const struct text_line *line, int y) {
    int cols = line->beside && line->beside_at < sheet->area.cols ? line->beside_at : sheet->area.cols;
    return (struct rect){sheet->area.y + y, sheet->area.x, 1, cols};
}

static int labels_of(const struct sheet *sheet, const struct text_line *line) {
    return !line->label ? 0 : line->labels > 0 ? line->labels : sheet->labels;
}

static struct rect text_rect(const struct sheet *sheet, const struct text_line *line, struct rect row) {
    int labels = labels_of(sheet, line);

    if (labels > 0)
        (void)rect_take_cols(&row, labels + 2);
    else
        (void)rect_take_cols(&row, line->indent > 0 ? line->indent : 0);
    return row;
}

static void draw_hits(const struct sheet *sheet, const struct text_line *line, struct rect row) {
    size_t from, to, at = 0;

    while (lines_find(line->text + at, sheet->needle.s, &from, &to)) {
        int x = utf8_cells(line->text, at + from) - sheet->pager->left;
        int cols = utf8_cells(line->text + at + from, to - from);
        if (x >= 0)
            canvas_role(sheet->canvas, row, 0, x, cols, ROLE_HIT);
        at += to;
    }
}

static void pager_draw_text(const struct sheet *sheet, const struct text_line *line, struct rect row) {
    struct rect text = text_rect(sheet, line, row);

    if (labels_of(sheet, line) > 0) {
        struct rect label = {row.y, row.x, 1, labels_of(sheet, line)};
        (void)canvas_text(sheet->canvas, label, 0, line->indent, ROLE_KEY, line->label);
    }
    if (!line->text)
        return;
    (void)canvas_text(sheet->canvas, text, 0, -sheet->pager->left, line->role, line->text);
    if (sheet->needle.len > 0)
        draw_hits(sheet, line, text);
}

static void pager_draw_line(const struct sheet *sheet, size_t index, int y) {
    const struct text_line *line = &sheet->pager->lines[index];
    struct rect row = {sheet->area.y + y, sheet->area.x, 1, sheet->area.cols};

    pager_draw_text(sheet, line, line_rect(sheet, line, y));
    if (line->beside && line->beside_at < row.cols)
        pager_draw_text(sheet, line->beside, rect_inset(row, 0, line->beside_at, 0, 0));
    if (line->text && index == sheet->pager->hit)
        canvas_bar(sheet->canvas, row, 0, ROLE_CURSOR_UNFOCUSED);
}

/* Scrolling to the right ends where the longest visible line ends. */
static void clamp_left(struct pager *pager, const struct sheet *sheet) {
    int most = 0;

    for (int y = 0; pager->left > 0 && y < sheet->area.rows && pager->top + (size_t)y < pager->n; y++) {
        const struct text_line *line = &pager->lines[pager->top + (size_t)y];
        int cells = !line->text ? 0 : utf8_cells(line->text, strlen(line->text));
        int over = cells - text_rect(sheet, line, line_rect(sheet, line, y)).cols;
        most = over > most ? over : most;
    }
    pager->left = pager->left > most ? most : pager->left;
}

static void draw_search(struct pager *pager, struct canvas *canvas, struct rect row) {
    struct rect sign = rect_take_cols(&row, 1);

    (void)canvas_text(canvas, sign, 0, 0, ROLE_PROMPT, "/");
    if (pager->search.text.len > 0 && pager->hit >= pager->n && row.cols > 20) {
        struct rect note = rect_take_cols(&row, -10);
        canvas_text_right(canvas, note, 0, 0, note.cols, ROLE_WARN, "not found");
    }
    edit_draw(&pager->search, canvas, row, ROLE_FIELD, true);
}

void pager_draw(struct pager *pager, struct canvas *canvas, struct rect area, bool focused) {
    struct sheet sheet = {.pager = pager, .canvas = canvas};
    struct rect bar = {0};

    canvas_fill(canvas, area, ROLE_TEXT);
    if (pager->searching && area.rows > 1)
        draw_search(pager, canvas, rect_take_rows(&area, -1));
    else if (focused)
        canvas_cursor(canvas, area, 0, 0, false);
    pager->visible_rows = area.rows;
    pager_scroll(pager, 0);
    if (area.cols > 4 && pager->n > (size_t)(area.rows < 0 ? 0 : area.rows))
        bar = rect_take_cols(&area, -1);
    sheet.area = area;
    sheet.labels = pager_label_cols(pager, area.cols);
    str_init(&sheet.needle, (size_t)SEARCH_MAX * 4);
    utf8_fold(&sheet.needle, pager->search.text.s, pager->search.text.len);
    clamp_left(pager, &sheet);
    for (int y = 0; y < area.rows && pager->top + (size_t)y < pager->n; y++)
        pager_draw_line(&sheet, pager->top + (size_t)y, y);
    scrollbar_draw(canvas, bar, pager->n, pager->top);
    str_clear(&sheet.needle);
}

static bool line_matches(const struct text_line *line, const char *needle) {
    return (line->text && lines_has(line->text, needle)) || (line->label && lines_has(line->label, needle));
}

static bool pager_matches(const struct text_line *line, const char *needle) {
    return line_matches(line, needle) || (line->beside && line_matches(line->beside, needle));
}

/* Goes to the next line that matches, starting at `from` and wrapping around. */
static void pager_find(struct pager *pager, size_t from, int step) {
    struct str needle;

    str_init(&needle, (size_t)SEARCH_MAX * 4);
    utf8_fold(&needle, pager->search.text.s, pager->search.text.len);
    pager->hit = pager->n;
    for (size_t i = 0; needle.len > 0 && i < pager->n; i++) {
        size_t at = step > 0 ? (from + i) % pager->n : (from + pager->n - i % pager->n) % pager->n;
        if (pager_matches(&pager->lines[at], needle.s)) {
            pager->hit = at;
            break;
        }
    }
    str_clear(&needle);
    if (pager->hit < pager->n) {
        size_t page = pager->visible_rows < 1 ? 1 : (size_t)pager->visible_rows;
        if (pager->hit < pager->top || pager->hit - pager->top >= page) {
            pager->top = pager->hit > page / 2 ? pager->hit - page / 2 : 0;
            pager_scroll(pager, 0);
        }
    }
}

static enum dialog_result pager_search_key(struct pager *pager, int32_t key) {
    enum edit_result result;

    switch (key) {
    case INPUT_ESCAPE:
    case KEY_CTRL('C'):
        edit_set(&pager->search, "");
        pager->hit = pager->n;
        pager->searching = false;
        return DIALOG_OPEN;
    case INPUT_ENTER:
        pager->searching = false;
        return DIALOG_OPEN;
    default:
        result = edit_key(&pager->search, key);
        if (result == EDIT_CHANGED)
            pager_find(pager, pager->top, 1);
        return result == EDIT_IGNORED ? DIALOG_IGNORED : DIALOG_OPEN;
    }
}

static enum dialog_result next_hit(struct pager *pager, int step) {
    size_t from = pager->hit < pager->n ? pager->hit : pager->top;

    if (pager->n > 0 && pager->search.text.len > 0)
        pager_find(pager, (from + pager->n + (size_t)(pager->hit < pager->n ? step : 0)) % pager->n, step);
    return DIALOG_OPEN;
}

static bool scroll_key(struct pager *pager, int32_t key) {
    long page = pager->visible_rows > 2 ? pager->visible_rows - 1 : 1;
    long all = pager->n > LONG_MAX ? LONG_MAX : (long)pager->n;
    struct {
        int32_t keys[4];
        long step;
    } const steps[] = {
        {{'j', INPUT_DOWN, INPUT_ENTER, 0}, 1},
        {{'k', INPUT_UP, 0, 0}, -1},
        {{INPUT_PAGE_DOWN, KEY_CTRL('F'), ' ', 0}, page},
        {{INPUT_PAGE_UP, KEY_CTRL('B'), 'b', 0}, -page},
        {{KEY_CTRL('D'), 0, 0, 0}, page / 2 + 1},
        {{KEY_CTRL('U'), 0, 0, 0}, -(page / 2 + 1)},
        {{'g', INPUT_HOME, 0, 0}, -all},
        {{'G', INPUT_END, 0, 0}, all},
    };

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        for (int k = 0; k < 4 && steps[i].keys[k] != 0; k++) {
            if (steps[i].keys[k] == key) {
                pager_scroll(pager, steps[i].step);
                return true;
            }
        }
    }
    return false;
}

enum dialog_result pager_key(struct pager *pager, int32_t key) {
    if (pager->searching)
        return pager_search_key(pager, key);
    switch (key) {
    case INPUT_ESCAPE:
    case INPUT_BACKSPACE:
    case 'q':
    case KEY_CTRL('C'):
        return DIALOG_CANCELLED;
    case '/':
        edit_set(&pager->search, "");
        pager->searching = true;
        return DIALOG_OPEN;
    case 'n':
        return next_hit(pager, 1);
    case 'N':
        return next_hit(pager, -1);
    case 'h':
    case INPUT_LEFT:
        pager->left -= pager->left < COLUMN_STEP ? pager->left : COLUMN_STEP;
        return DIALOG_OPEN;
    case 'l':
    case INPUT_RIGHT:
        pager->left += COLUMN_STEP;
        return DIALOG_OPEN;
    default:
        return scroll_key(pager, key) ? DIALOG_OPEN : DIALOG_IGNORED;
    }
}
