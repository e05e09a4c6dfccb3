#include "ui/canvas.h"

static int at_least_zero(int n) {
    return n < 0 ? 0 : n;
}

static int clamp(int n, int low, int high) {
    return n < low ? low : n > high ? high : n;
}

struct rect rect_inset(struct rect rect, int top, int left, int bottom, int right) {
    int rows = at_least_zero(rect.rows), cols = at_least_zero(rect.cols);

    top = clamp(top, 0, rows);
    left = clamp(left, 0, cols);
    return (struct rect){.y = rect.y + top,
                         .x = rect.x + left,
                         .rows = at_least_zero(rows - top - clamp(bottom, 0, rows)),
                         .cols = at_least_zero(cols - left - clamp(right, 0, cols))};
}

struct rect rect_take_rows(struct rect *rest, int n) {
    struct rect taken = *rest;

    rest->rows = at_least_zero(rest->rows);
    n = clamp(n, -rest->rows, rest->rows);
    taken.rows = n < 0 ? -n : n;
    rest->rows -= taken.rows;
    if (n < 0)
        taken.y = rest->y + rest->rows;
    else
        rest->y += n;
    return taken;
}

struct rect rect_take_cols(struct rect *rest, int n) {
    struct rect taken = *rest;

    rest->cols = at_least_zero(rest->cols);
    n = clamp(n, -rest->cols, rest->cols);
    taken.cols = n < 0 ? -n : n;
    rest->cols -= taken.cols;
    if (n < 0)
        taken.x = rest->x + rest->cols;
    else
        rest->x += n;
    return taken;
}
