#ifndef UI_TABLE_H
#define UI_TABLE_H
/* A list of rows in columns, the widget under every list. It holds position, never data: the owner says how many rows
 * there are and draws a cell when asked. The cursor is a row index that the owner sets again by id after each change
 * (table_place keeps the same screen line). Columns drop by priority where the width is short, never wrap. */

#include "ui/canvas.h"

struct table_column {
    const char *title;
    int min, want; /* cells */
    int priority;  /* 0 is always there; the highest number drops first */
    bool right;    /* right-aligned */
    int grow;      /* share of cells left over, 0 none */
};

struct table_cell {
    struct str *text; /* cleared by the widget, filled by the owner, sanitised */
    enum role role;
};

enum { TABLE_COLUMNS_MAX = 32, TABLE_GUTTER = 2 };

typedef void table_cell_fn(void *context, size_t row, int column, struct table_cell *out);
/* Two gutter characters and the whole row's role (ROLE_TEXT for none). */
struct table_gutter {
    const char *mark, *sign;
    enum role mark_role, sign_role, row_role;
};
typedef void table_gutter_fn(void *context, size_t row, struct table_gutter *out);

struct table_source {
    size_t rows;
    table_cell_fn *cell;
    table_gutter_fn *gutter; /* may be NULL */
    void *context;
};

struct table {
    const struct table_column *columns;
    int n_columns;
    int order[TABLE_COLUMNS_MAX]; /* columns from left to right; those not in it are hidden */
    int n_order;
    size_t cursor, top;                /* row indices */
    int column;                        /* column under the cursor, an index into columns */
    int sorted, direction;             /* column shown as sorted (-1 none), +1 up, -1 down */
    int visible_rows;                  /* of the last draw, for paging */
    int body_row, body_col, body_cols; /* of the last draw: where the rows are on the canvas */
    int left;                          /* place in order of the first scrollable column shown, for narrow screens */
    int widths[TABLE_COLUMNS_MAX];     /* of the last draw, 0 where dropped */
};

void table_init(struct table *table, const struct table_column *columns, int n);
void table_draw(struct table *table, struct canvas *canvas, struct rect area, const struct table_source *source,
                bool focused);

/* The widths that the columns in order will have in so many cells of the screen. */
void table_fit(struct table *table, int cols);

/* Movement, clamped to rows; page keeps one line of context. All are safe with rows == 0. */
void table_move(struct table *table, size_t rows, long delta);
void table_page(struct table *table, size_t rows, int pages, bool half);
void table_first(struct table *table);
void table_last(struct table *table, size_t rows);
void table_column_move(struct table *table, int delta); /* skips dropped columns */
/* The record under the cursor is now at `row`: keeps it on the same screen line where that can be. */
void table_place(struct table *table, size_t rows, size_t row);

#endif
