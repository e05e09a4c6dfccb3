#include "view_own.h"

#include "base/least.h"

#include <stdlib.h>
#include <string.h>

/* Rows of the answer are decoded in one contiguous range around the screen, which grows when the cursor comes near an
 * end of it: in small steps, so that another question does not wait long for the lane. */

enum { NEAR_PAGES = 2, STEP_PAGES = 2, HELD_PAGES = 12 };

const struct lookup_row *view_row(const struct view *view, size_t row) {
    const struct lookup_rows *rows = &view->answer->rows;
    bool there = row >= rows->first && row - rows->first < rows->n && rows->items[row - rows->first].intent;
    return there ? &rows->items[row - rows->first] : NULL;
}

static size_t view_rows_below(size_t row, size_t rows) {
    return row > rows ? row - rows : 0;
}

/* The next range to ask for, [*from, *to); empty where from equals to. */
static void view_rows_next_step(const struct lookup_result *answer, size_t row, size_t page, size_t *from, size_t *to) {
    size_t first = answer->rows.first, end = first + answer->rows.n;
    size_t near_from = view_rows_below(row, page * NEAR_PAGES), near_to = least(answer->n, row + page * NEAR_PAGES);
    *from = *to = 0;
    if (near_from >= end || near_to <= first) {
        *from = view_rows_below(row, page);
        *to = least(answer->n, row + page);
    } else if (near_to > end) {
        *from = end;
        *to = least(answer->n, end + page * STEP_PAGES);
    } else if (near_from < first) {
        *from = view_rows_below(first, page * STEP_PAGES);
        *to = first;
    }
}

/* Rows of the walk are in memory already. */
static bool is_to_decode(const int64_t *keys, size_t n) {
    size_t walked = 0;
    while (walked < n && lookup_is_walked(keys[walked]))
        walked++;
    return walked < n;
}

void view_need(struct view *view, size_t row, size_t page, struct effects *effects) {
    if (view->rows_ticket || view->ticket)
        return;
    size_t from, to;
    view_rows_next_step(view->answer, row, page, &from, &to);
    if (from < to && is_to_decode(view->answer->keys + from, to - from))
        view->rows_ticket = effects_lookup_rows(effects, view->answer->keys + from, to - from, from);
}

static void drop_rows(struct lookup_rows *rows, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        intent_free(rows->items[i].intent);
    memmove(rows->items + from, rows->items + to, (rows->n - to) * sizeof *rows->items);
    rows->n -= to - from;
}

/* Joins `more` to the rows that are held, at place `at`; `more` is empty then. */
static void view_rows_join(struct lookup_rows *rows, size_t at, struct lookup_rows *more) {
    for (size_t i = 0; i < more->n; i++)
        (void)vec_add(rows);
    struct lookup_row *place = rows->items + at;
    memmove(place + more->n, place, (rows->n - more->n - at) * sizeof *place);
    memcpy(place, more->items, more->n * sizeof *place);
    more->n = 0;
}

void view_take_rows(struct view *view, struct lookup_rows *more) {
    view->rows_ticket = 0;
    if (!view->answer || more->n == 0)
        return;
    struct lookup_rows *rows = &view->answer->rows;
    size_t limit = view->window * HELD_PAGES;
    view->generation++;
    if (more->first == rows->first + rows->n) {
        view_rows_join(rows, rows->n, more);
        size_t old = rows->n > limit ? rows->n - limit : 0;
        drop_rows(rows, 0, old);
        rows->first += old;
    } else if (more->first + more->n == rows->first) {
        rows->first = more->first;
        view_rows_join(rows, 0, more);
        drop_rows(rows, least(rows->n, limit), rows->n);
    } else {
        struct lookup_rows old = *rows;
        *rows = *more;
        *more = old;
    }
}
