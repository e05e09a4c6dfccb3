#include "ui/table.h"

#include "support/golden.h"

#include <limits.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct table_column columns[] = {
    {"created", 8, 12, 0, false, 0}, {"st", 2, 2, 0, false, 0},    {"amount", 8, 12, 1, true, 0},
    {"user", 6, 10, 3, false, 0},    {"bank", 8, 20, 2, false, 1},
};
enum { COLUMNS = 5 };

static void cell(void *context, size_t row, int column, struct table_cell *out) {
    (void)context;
    switch (column) {
    case 0:
        str_addf(out->text, "14:%02zu:00", row % 60);
        break;
    case 1:
        str_add(out->text, row % 3 == 0 ? "D" : "A");
        out->role = row % 3 == 0 ? ROLE_STATUS_DECLINED : ROLE_STATUS_APPROVED;
        break;
    case 2:
        str_addf(out->text, "%zu", row * 12500);
        break;
    case 3:
        str_addf(out->text, "usr_%04zu-with-a-tail", row);
        break;
    default:
        str_add(out->text, "\u65e5\u672c\u9280\u884c\u65e5\u672c\u9280\u884c");
    }
}

static void gutter(void *context, size_t row, struct table_gutter *out) {
    (void)context;
    out->mark = row == 2 ? "*" : NULL;
    out->sign = row == 3 ? "+" : NULL;
    out->sign_role = ROLE_NEW;
    out->row_role = row == 4 ? ROLE_GONE : ROLE_TEXT;
}

struct fixture {
    struct canvas *canvas;
    struct table table;
    struct table_source source;
};

static int set_up(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);

    assert_non_null(fixture);
    symbols_ascii(false);
    fixture->canvas = canvas_new(10, 60);
    table_init(&fixture->table, columns, COLUMNS);
    fixture->source = (struct table_source){.rows = 100, .cell = cell, .gutter = gutter};
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;

    canvas_free(fixture->canvas);
    free(fixture);
    return 0;
}

static void draw(struct fixture *fixture, int rows, int cols) {
    canvas_resize(fixture->canvas, rows, cols);
    table_draw(&fixture->table, fixture->canvas, canvas_rect(fixture->canvas), &fixture->source, true);
}

static void check(struct fixture *fixture, const char *name) {
    struct str text;

    str_init(&text, 1 << 20);
    canvas_dump(fixture->canvas, &text);
    golden_check(name, text.s, NULL);
    str_clear(&text);
}

static void looks_as_it_did(void **state) {
    struct fixture *fixture = *state;

    fixture->table.sorted = 2;
    fixture->table.direction = -1;
    fixture->table.cursor = 5;
    fixture->table.column = 2;
    draw(fixture, 10, 72);
    check(fixture, "ui_table");
    draw(fixture, 5, 20);
    check(fixture, "ui_table_small");
}

static void columns_drop_by_priority_and_frozen_ones_stay(void **state) {
    struct fixture *fixture = *state;

    for (int cols = 80; cols >= 20; cols--) {
        const int *w = fixture->table.widths;
        draw(fixture, 5, cols);
        assert_true(w[0] > 0 && w[1] > 0);
        assert_true(w[3] == 0 || w[4] > 0); /* the highest number goes first */
        assert_true(w[4] == 0 || w[2] > 0);
    }
    assert_int_equal(fixture->table.widths[3], 0);
}

static void room_left_over_goes_to_the_growing_column(void **state) {
    struct fixture *fixture = *state;

    draw(fixture, 5, 100);
    assert_int_equal(fixture->table.widths[0], 12);
    assert_int_equal(fixture->table.widths[4], 100 - 3 - 12 - 2 - 12 - 10 - 4);
}

static void what_may_not_drop_is_scrolled_to_the_cursor(void **state) {
    struct fixture *fixture = *state;
    static const struct table_column wide[] = {
        {"a", 6, 6, 0, false, 0}, {"b", 6, 6, 0, false, 0}, {"c", 6, 6, 0, false, 0}, {"d", 6, 6, 0, false, 0}};

    table_init(&fixture->table, wide, 4);
    draw(fixture, 4, 18);
    assert_true(fixture->table.widths[0] > 0 && fixture->table.widths[1] > 0 && fixture->table.widths[3] == 0);
    table_column_move(&fixture->table, 3);
    assert_int_equal(fixture->table.column, 3);
    draw(fixture, 4, 18);
    assert_true(fixture->table.widths[0] > 0 && fixture->table.widths[3] > 0 && fixture->table.widths[1] == 0);
    table_column_move(&fixture->table, -2);
    draw(fixture, 4, 18);
    assert_true(fixture->table.widths[1] > 0);
}

static void fewer_columns_are_shown_from_where_they_are(void **state) {
    struct fixture *fixture = *state;
    static const struct table_column wide[] = {
        {"a", 6, 6, 0, false, 0}, {"b", 6, 6, 0, false, 0}, {"c", 6, 6, 0, false, 0}, {"d", 6, 6, 0, false, 0}};

    table_init(&fixture->table, wide, 4);
    table_column_move(&fixture->table, 3);
    draw(fixture, 4, 18);
    assert_int_equal(fixture->table.widths[1], 0);
    fixture->table.n_order = 3;
    draw(fixture, 4, 18);
    assert_int_equal(fixture->table.column, 0);
    assert_true(fixture->table.widths[0] > 0 && fixture->table.widths[1] > 0);
}

static void the_column_cursor_steps_over_dropped_columns(void **state) {
    struct fixture *fixture = *state;

    draw(fixture, 5, 38);
    assert_int_equal(fixture->table.widths[3], 0);
    fixture->table.column = 2;
    table_column_move(&fixture->table, 1);
    assert_int_equal(fixture->table.column, 4);
    table_column_move(&fixture->table, 1);
    assert_int_equal(fixture->table.column, 4);
    table_column_move(&fixture->table, -10);
    assert_int_equal(fixture->table.column, 0);
}

static void movement_stops_at_both_ends(void **state) {
    struct fixture *fixture = *state;
    struct table *table = &fixture->table;

    draw(fixture, 11, 60);
    table_move(table, 100, -1);
    assert_int_equal(table->cursor, 0);
    table_move(table, 100, 1000);
    assert_int_equal(table->cursor, 99);
    assert_int_equal(table->top, 90);
    table_move(table, 100, 1);
    assert_int_equal(table->cursor, 99);
    table_move(table, 100, LONG_MIN);
    assert_int_equal(table->cursor, 0);
    table_move(table, 100, LONG_MAX);
    assert_int_equal(table->cursor, 99);
    table_first(table);
    assert_int_equal(table->top, 0);
    table_last(table, 100);
    assert_int_equal(table->cursor, 99);
    table_move(table, 0, 1);
    assert_int_equal(table->cursor, 0);
    table_last(table, 0);
    table_page(table, 0, 1, false);
    assert_int_equal(table->cursor, 0);
}

static void a_page_keeps_one_line_of_context(void **state) {
    struct fixture *fixture = *state;
    struct table *table = &fixture->table;

    draw(fixture, 11, 60);
    table_page(table, 100, 1, false);
    assert_int_equal(table->top, 9);
    assert_int_equal(table->cursor, 9);
    table_page(table, 100, 1, true);
    assert_int_equal(table->cursor, 14);
    table_page(table, 100, -100, false);
    assert_int_equal(table->cursor, 0);
    table_page(table, 100, 100, false);
    assert_int_equal(table->cursor, 99);
}

static void a_record_that_moved_stays_on_its_screen_line(void **state) {
    struct fixture *fixture = *state;
    struct table *table = &fixture->table;

    draw(fixture, 11, 60);
    table_move(table, 100, 30);
    table_move(table, 100, -4);
    assert_int_equal(table->cursor - table->top, 5);
    table_place(table, 103, 29);
    assert_int_equal(table->cursor, 29);
    assert_int_equal(table->cursor - table->top, 5);
    table_place(table, 103, 2);
    assert_int_equal(table->top, 0);
    table_place(table, 5, 99);
    assert_int_equal(table->cursor, 4);
}

static void a_list_that_shrank_is_shown_from_what_is_left(void **state) {
    struct fixture *fixture = *state;

    draw(fixture, 11, 60);
    table_last(&fixture->table, 100);
    fixture->source.rows = 3;
    draw(fixture, 11, 60);
    assert_int_equal(fixture->table.cursor, 2);
    assert_int_equal(fixture->table.top, 0);
    fixture->source.rows = 0;
    draw(fixture, 11, 60);
    assert_int_equal(fixture->table.cursor, 0);
}

static void nothing_is_drawn_outside_the_area(void **state) {
    struct fixture *fixture = *state;
    struct rect area = {2, 5, 6, 30};

    canvas_resize(fixture->canvas, 10, 60);
    canvas_fill(fixture->canvas, canvas_rect(fixture->canvas), ROLE_LINK);
    table_draw(&fixture->table, fixture->canvas, area, &fixture->source, true);
    for (int y = 0; y < 10; y++) {
        for (int x = 0; x < 60; x++) {
            bool inside = y >= 2 && y < 8 && x >= 5 && x < 35;
            assert_true(inside || canvas_cell(fixture->canvas, y, x).role == ROLE_LINK);
        }
    }
}

static void every_size_is_safe(void **state) {
    struct fixture *fixture = *state;

    for (int rows = 0; rows < 12; rows++) {
        for (int cols = 0; cols < 90; cols += 1 + cols / 30) {
            draw(fixture, rows, cols);
            table_move(&fixture->table, 100, 7);
            table_column_move(&fixture->table, 1);
        }
    }
    draw(fixture, 200, 500);
}

static void the_terminal_cursor_is_parked_on_the_row(void **state) {
    struct fixture *fixture = *state;
    int y, x;

    fixture->table.cursor = 4;
    draw(fixture, 10, 60);
    assert_false(canvas_cursor_at(fixture->canvas, &y, &x));
    assert_int_equal(y, 5);
    assert_int_equal(canvas_cell(fixture->canvas, 5, 20).bar, ROLE_CURSOR);
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(looks_as_it_did),
        T(columns_drop_by_priority_and_frozen_ones_stay),
        T(room_left_over_goes_to_the_growing_column),
        T(what_may_not_drop_is_scrolled_to_the_cursor),
        T(fewer_columns_are_shown_from_where_they_are),
        T(the_column_cursor_steps_over_dropped_columns),
        T(movement_stops_at_both_ends),
        T(a_page_keeps_one_line_of_context),
        T(a_record_that_moved_stays_on_its_screen_line),
        T(a_list_that_shrank_is_shown_from_what_is_left),
        T(nothing_is_drawn_outside_the_area),
        T(every_size_is_safe),
        T(the_terminal_cursor_is_parked_on_the_row),
    };
#undef T

    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
