#include "ui/table.h"

#include "ui/scrollbar.h"

#include "base/utf8.h"

#include <string.h>

enum {
    CELL_BYTES_MAX = 4096,
    /* A cursor bar over a whole wide row takes too many bytes at each step for a slow line: in a wider row it ends
     * earlier. */
    BAR_WHOLE = 140,
    BAR_MAX = 56,
};

void table_init(struct table *table, const struct table_column *columns, int n) {
    *table = (struct table){
        .columns = columns, .n_columns = n > TABLE_COLUMNS_MAX ? TABLE_COLUMNS_MAX : n, .sorted = -1, .left = 1};
    for (int i = 0; i < table->n_columns; i++)
        table->order[table->n_order++] = i;
}

/* Cells that the shown columns take at least, one blank between them. */
static int total(const struct table *table) {
    int sum = 0;

    for (int i = 0; i < table->n_columns; i++)
        sum += table->widths[i] > 0 ? table->widths[i] + (sum > 0 ? 1 : 0) : 0;
    return sum;
}

static void drop_by_priority(struct table *table, int cols) {
    while (total(table) > cols) {
        int drop = -1;
        for (int place = 1; place < table->n_order; place++) {
            int i = table->order[place];
            if (table->widths[i] > 0 && table->columns[i].priority > 0 &&
                (drop < 0 || table->columns[i].priority >= table->columns[drop].priority))
                drop = i;
        }
        if (drop < 0)
            return;
        table->widths[drop] = 0;
    }
}

static int table_place_of(const struct table *table, int column) {
    for (int place = 0; place < table->n_order; place++)
        if (table->order[place] == column)
            return place;
    return 0;
}

/* Of `all` widths, those from column `left` on that fit beside the frozen first column. */
static void show_from_left(struct table *table, const int *all, int cols) {
    int used = all[table->order[0]];

    memcpy(table->widths, all, sizeof table->widths);
    for (int place = 1; place < table->n_order; place++) {
        int i = table->order[place];
        bool later = place >= table->left && all[i] > 0;
        bool shown = later && (place == table->left || used + 1 + all[i] <= cols);
        used = shown ? used + 1 + all[i] : later ? cols : used;
        table->widths[i] = shown ? all[i] : 0;
    }
}

/* Columns that may not be dropped and do not fit are scrolled: the frozen first one stays, then those from `left` on.
 */
static void scroll_columns(struct table *table, int cols) {
    int all[TABLE_COLUMNS_MAX], under = table_place_of(table, table->column);

    memcpy(all, table->widths, sizeof all);
    if (table->left < 1 || total(table) <= cols)
        table->left = 1;
    if (under < table->left)
        table->left = under < 1 ? 1 : under;
    for (;; table->left++) {
        show_from_left(table, all, cols);
        if (table->left >= under || all[table->column] == 0 || table->widths[table->column] > 0)
            return;
    }
}

static int spare_for(const struct table_column *column, int width, int spare) {
    int more = column->want - width;

    return more < 0 ? 0 : more > spare ? spare : more;
}

static void table_widen(struct table *table, int cols) {
    int spare = cols - total(table), shares = 0;

    for (int i = 0; i < table->n_columns && spare > 0; i++) {
        if (table->widths[i] > 0) {
            int more = spare_for(&table->columns[i], table->widths[i], spare);
            table->widths[i] += more;
            spare -= more;
            shares += table->columns[i].grow;
        }
    }
    for (int i = 0; i < table->n_columns && spare > 0 && shares > 0; i++) {
        int grow = table->widths[i] > 0 ? table->columns[i].grow : 0;
        int more = spare * grow / shares;
        table->widths[i] += more;
        spare -= more;
        shares -= grow;
    }
}

static void table_lay_out(struct table *table, int cols) {
    memset(table->widths, 0, sizeof table->widths);
    for (int place = 0; place < table->n_order; place++) {
        int i = table->order[place];
        table->widths[i] = table->columns[i].min < 1 ? 1 : table->columns[i].min;
    }
    drop_by_priority(table, cols);
    if (table->n_order > 0) {
        int first = table->order[0];
        if (table->order[table_place_of(table, table->column)] != table->column)
            table->column = first;
        scroll_columns(table, cols);
        if (table->widths[first] > cols)
            table->widths[first] = cols < 0 ? 0 : cols;
    }
    table_widen(table, cols);
}

void table_fit(struct table *table, int cols) {
    int bar = cols > TABLE_GUTTER + 2 ? 1 : 0;

    table_lay_out(table, cols - bar - TABLE_GUTTER);
}

static void clamp_rows(struct table *table, size_t rows) {
    size_t page = table->visible_rows < 1 ? 1 : (size_t)table->visible_rows;

    if (table->cursor >= rows)
        table->cursor = rows == 0 ? 0 : rows - 1;
    if (table->top > table->cursor)
        table->top = table->cursor;
    if (table->cursor - table->top >= page)
        table->top = table->cursor - page + 1;
    if (table->top + page > rows)
        table->top = rows > page ? rows - page : 0;
}

struct frame {
    struct table *table;
    struct canvas *canvas;
    const struct table_source *source;
    struct rect cells; /* right of the gutter, left of the scrollbar */
    bool focused;
    struct str *text; /* of one cell at a time */
};

static void draw_title(const struct frame *frame, int i, struct rect at) {
    const struct table *table = frame->table;
    const struct table_column *column = &table->columns[i];
    bool sorted = i == table->sorted && table->direction != 0;
    enum role role = sorted ? ROLE_HEADER_SORTED : ROLE_HEADER;
    struct rect text = rect_inset(at, 0, 0, 0, sorted ? 1 : 0);

    canvas_fill(frame->canvas, at, role);
    if (sorted && text.cols < utf8_cells(column->title, strlen(column->title))) {
        /* The sort sign replaces the last letter: with an ellipsis beside it there would be one letter less. */
        (void)canvas_text(frame->canvas, at, 0, 0, role, column->title);
    } else if (column->right) {
        canvas_text_right(frame->canvas, text, 0, 0, text.cols, role, column->title);
    } else {
        text.cols = canvas_text(frame->canvas, text, 0, 0, role, column->title);
    }
    if (sorted) {
        (void)canvas_text(frame->canvas, at, 0, text.cols, role,
                          symbol(table->direction > 0 ? SYMBOL_SORT_UP : SYMBOL_SORT_DOWN));
    }
    if (i == table->column)
        canvas_bar(frame->canvas, at, 0, frame->focused ? ROLE_CURSOR : ROLE_CURSOR_UNFOCUSED);
}

static void draw_header(const struct frame *frame, struct rect row) {
    int x = frame->cells.x;

    canvas_fill(frame->canvas, row, ROLE_HEADER);
    for (int place = 0; place < frame->table->n_order; place++) {
        int i = frame->table->order[place], width = frame->table->widths[i];
        if (width > 0) {
            struct rect at = {row.y, x, 1, width};
            at.cols = width < frame->cells.x + frame->cells.cols - x ? width : frame->cells.x + frame->cells.cols - x;
            draw_title(frame, i, at);
            x += width + 1;
        }
    }
}

static void draw_gutter(const struct frame *frame, struct rect row, const struct table_gutter *gutter) {
    struct rect mark = {row.y, row.x, 1, row.cols < 1 ? row.cols : 1};
    struct rect sign = {row.y, row.x + 1, 1, row.cols < TABLE_GUTTER ? row.cols - 1 : 1};

    (void)canvas_text(frame->canvas, mark, 0, 0, gutter->mark_role, gutter->mark);
    (void)canvas_text(frame->canvas, sign, 0, 0, gutter->sign_role, gutter->sign);
}

static void draw_cell(const struct frame *frame, size_t row, int i, struct rect at) {
    struct table_cell cell = {.text = frame->text, .role = ROLE_TEXT};

    str_reset(cell.text);
    frame->source->cell(frame->source->context, row, i, &cell);
    if (frame->table->columns[i].right)
        canvas_text_right(frame->canvas, at, 0, 0, at.cols, cell.role, cell.text->s);
    else
        (void)canvas_text_n(frame->canvas, at, 0, 0, cell.role, cell.text->s, cell.text->len);
    if (cell.role != ROLE_TEXT)
        canvas_role(frame->canvas, at, 0, 0, at.cols, cell.role);
}

static void draw_cells(const struct frame *frame, size_t row, int y) {
    int x = frame->cells.x, end = frame->cells.x + frame->cells.cols;

    for (int place = 0; place < frame->table->n_order; place++) {
        int i = frame->table->order[place], width = frame->table->widths[i];
        if (width > 0) {
            draw_cell(frame, row, i, (struct rect){y, x, 1, width < end - x ? width : end - x});
            x += width + 1;
        }
    }
}

/* The cursor bar ends at the end of a column. */
static struct rect bar_of(const struct frame *frame, struct rect line) {
    int end = frame->cells.x - line.x, cut = end;

    for (int i = 0; i < frame->table->n_columns; i++) {
        int width = frame->table->widths[i];
        end += width > 0 ? width + 1 : 0;
        cut = end <= BAR_MAX ? end : cut;
    }
    line.cols = line.cols > BAR_WHOLE ? cut : line.cols;
    return line;
}

static void table_draw_row(const struct frame *frame, size_t row, struct rect line) {
    struct table_gutter gutter = {.mark_role = ROLE_MARK, .sign_role = ROLE_TEXT, .row_role = ROLE_TEXT};

    canvas_fill(frame->canvas, line, ROLE_TEXT);
    if (frame->source->gutter)
        frame->source->gutter(frame->source->context, row, &gutter);
    draw_cells(frame, row, line.y);
    if (gutter.row_role != ROLE_TEXT)
        canvas_role(frame->canvas, frame->cells, line.y - frame->cells.y, 0, frame->cells.cols, gutter.row_role);
    draw_gutter(frame, line, &gutter);
    if (row == frame->table->cursor) {
        canvas_bar(frame->canvas, bar_of(frame, line), 0, frame->focused ? ROLE_CURSOR : ROLE_CURSOR_UNFOCUSED);
        if (frame->focused)
            canvas_cursor(frame->canvas, line, 0, 0, false);
    }
}

void table_draw(struct table *table, struct canvas *canvas, struct rect area, const struct table_source *source,
                bool focused) {
    struct rect rest = area, header = rect_take_rows(&rest, 1), bar = {0};
    struct str text;
    struct frame frame = {table, canvas, source, rest, focused, &text};

    str_init(&text, CELL_BYTES_MAX);
    canvas_fill(canvas, area, ROLE_TEXT);
    table->visible_rows = rest.rows;
    table->body_row = rest.y;
    table->body_col = rest.x;
    table->body_cols = rest.cols;
    clamp_rows(table, source->rows);
    if (area.cols > TABLE_GUTTER + 2)
        bar = rect_take_cols(&rest, -1);
    frame.cells = rect_inset(rest, 0, TABLE_GUTTER, 0, 0);
    table_lay_out(table, frame.cells.cols);
    draw_header(&frame, header);
    for (int y = 0; y < rest.rows && table->top + (size_t)y < source->rows; y++)
        table_draw_row(&frame, table->top + (size_t)y, (struct rect){rest.y + y, rest.x, 1, rest.cols});
    scrollbar_draw(canvas, bar, source->rows, table->top);
    str_clear(&text);
}

void table_move(struct table *table, size_t rows, long delta) {
    size_t step = delta < 0 ? (size_t) - (delta + 1) + 1 : (size_t)delta;

    if (delta < 0) {
        table->cursor -= step > table->cursor ? table->cursor : step;
    } else {
        size_t left = rows > table->cursor ? rows - table->cursor : 0;
        table->cursor += step < left ? step : left;
    }
    clamp_rows(table, rows);
}

void table_page(struct table *table, size_t rows, int pages, bool half) {
    long page = half ? table->visible_rows / 2 : table->visible_rows - 1;
    size_t line;

    page = page < 1 ? 1 : page;
    line = table->cursor - table->top;
    table_move(table, rows, page * pages);
    /* The cursor keeps its screen line, so that paging moves the whole window. */
    table->top = table->cursor > line ? table->cursor - line : 0;
    clamp_rows(table, rows);
}

void table_first(struct table *table) {
    table->cursor = table->top = 0;
}

void table_last(struct table *table, size_t rows) {
    table->cursor = rows == 0 ? 0 : rows - 1;
    clamp_rows(table, rows);
}

/* Dropped for its priority, not only scrolled out. */
static bool is_dropped(const struct table *table, int column) {
    return table->widths[column] == 0 && table->columns[column].priority > 0;
}

void table_column_move(struct table *table, int delta) {
    int step = delta < 0 ? -1 : 1;

    for (int left = delta < 0 ? -delta : delta; left > 0; left--) {
        int next = table_place_of(table, table->column) + step;
        while (next >= 0 && next < table->n_order && is_dropped(table, table->order[next]))
            next += step;
        if (next < 0 || next >= table->n_order)
            return;
        table->column = table->order[next];
    }
}

void table_place(struct table *table, size_t rows, size_t row) {
    size_t line = table->cursor > table->top ? table->cursor - table->top : 0;

    table->cursor = row;
    table->top = row > line ? row - line : 0;
    clamp_rows(table, rows);
}
