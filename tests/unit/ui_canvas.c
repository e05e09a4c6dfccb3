#include "ui/canvas.h"

#include "base/utf8.h"

#include <limits.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static struct str dumped;

static int set_up(void **state) {
    *state = canvas_new(4, 12);
    str_init(&dumped, 1 << 20);
    symbols_ascii(false);
    return 0;
}

static int tear_down(void **state) {
    canvas_free(*state);
    str_clear(&dumped);
    return 0;
}

static const char *dump(const struct canvas *canvas) {
    str_reset(&dumped);
    canvas_dump(canvas, &dumped);
    return dumped.s;
}

static const char *row(const struct canvas *canvas, int y) {
    static char text[4096];
    size_t len = 0;

    for (int x = 0; x < canvas_cols(canvas); x++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s", canvas_cell(canvas, y, x).text);
    return text;
}

static void text_stands_where_it_was_drawn_with_its_role(void **state) {
    struct canvas *canvas = *state;

    assert_int_equal(canvas_text(canvas, (struct rect){1, 2, 2, 8}, 1, 3, ROLE_OK, "abc"), 3);
    assert_string_equal(dump(canvas), "\n\n     abc\n\n---\n............\n............\n.....ooo....\n............\n");
}

static void what_does_not_fit_ends_in_the_ellipsis(void **state) {
    struct canvas *canvas = *state;

    assert_int_equal(canvas_text(canvas, (struct rect){0, 2, 1, 5}, 0, 0, ROLE_TEXT, "abcdefgh"), 5);
    assert_string_equal(row(canvas, 0), "  abcd\u2026     ");
    assert_int_equal(canvas_text(canvas, (struct rect){1, 2, 1, 5}, 0, 0, ROLE_TEXT, "abcde"), 5);
    assert_string_equal(row(canvas, 1), "  abcde     ");
    assert_int_equal(canvas_text(canvas, (struct rect){2, 2, 1, 1}, 0, 0, ROLE_TEXT, "ab"), 1);
    assert_string_equal(row(canvas, 2), "  \u2026         ");
}

static void wide_characters_are_never_halved(void **state) {
    struct canvas *canvas = *state;

    for (int cols = 0; cols <= 12; cols++) {
        canvas_fill(canvas, canvas_rect(canvas), ROLE_TEXT);
        (void)canvas_text(canvas, (struct rect){0, 0, 1, cols}, 0, 0, ROLE_OK, "\u65e5\u672c\u8a9e\u65e5\u672c");
        (void)canvas_text(canvas, (struct rect){0, cols, 1, 1}, 0, 0, ROLE_TEXT, "|");
        for (int x = 0; x < 12; x++) {
            struct canvas_cell cell = canvas_cell(canvas, 0, x);
            assert_true(cell.text[0] != '\0' || utf8_cells(canvas_cell(canvas, 0, x - 1).text, 3) == 2);
        }
        if (cols < 12)
            assert_string_equal(canvas_cell(canvas, 0, cols).text, "|");
    }
}

static void drawing_over_half_of_a_wide_character_blanks_the_other(void **state) {
    struct canvas *canvas = *state;

    (void)canvas_text(canvas, canvas_rect(canvas), 0, 0, ROLE_TEXT, "\u65e5\u672c\u8a9e");
    (void)canvas_text(canvas, canvas_rect(canvas), 0, 1, ROLE_TEXT, "xy");
    assert_string_equal(row(canvas, 0), " xy \u8a9e      ");
    canvas_fill(canvas, (struct rect){0, 5, 1, 1}, ROLE_TEXT);
    assert_string_equal(row(canvas, 0), " xy         ");
}

static void negative_columns_clip_at_the_left(void **state) {
    struct canvas *canvas = *state;

    assert_int_equal(canvas_text(canvas, (struct rect){0, 3, 1, 4}, 0, -2, ROLE_TEXT, "abcdef"), 4);
    assert_string_equal(row(canvas, 0), "   cdef     ");
    (void)canvas_text(canvas, (struct rect){1, 0, 1, 6}, 0, -1, ROLE_TEXT, "\u65e5\u672c");
    assert_string_equal(row(canvas, 1), " \u672c         ");
}

static void unclean_text_is_sanitised_once_more(void **state) {
    struct canvas *canvas = *state;

    canvas_resize(canvas, 1, 40);
    (void)canvas_text(canvas, canvas_rect(canvas), 0, 0, ROLE_TEXT, "a\033[2Jb\rc\u202e\xff");
    assert_null(strchr(row(canvas, 0), '\033'));
    assert_non_null(strstr(row(canvas, 0), "a<1B>[2Jb<0D>c<202E>\uFFFD"));
}

static void a_mark_without_a_base_cannot_join_the_neighbour(void **state) {
    struct canvas *canvas = *state;

    (void)canvas_text(canvas, canvas_rect(canvas), 0, 0, ROLE_TEXT, "ab");
    (void)canvas_text(canvas, (struct rect){0, 2, 1, 5}, 0, 0, ROLE_TEXT, "\u0301x");
    assert_string_equal(canvas_cell(canvas, 0, 1).text, "b");
    assert_string_equal(canvas_cell(canvas, 0, 2).text, "<"); /* a token */
}

static void long_graphemes_are_kept_whole(void **state) {
    struct canvas *canvas = *state;
    const char *text = "e\u0301\u0302\u0303\u0304\u0305\u0306";

    for (int i = 0; i < 200000; i++) /* what is overwritten must not pile up */
        (void)canvas_text(canvas, canvas_rect(canvas), 0, 0, ROLE_TEXT, text);
    assert_string_equal(canvas_cell(canvas, 0, 0).text, text);
    assert_string_equal(canvas_cell(canvas, 0, 1).text, " ");
}

static void right_aligned_text_ends_at_its_column(void **state) {
    struct canvas *canvas = *state;

    canvas_text_right(canvas, canvas_rect(canvas), 0, 2, 6, ROLE_TEXT, "123");
    assert_string_equal(row(canvas, 0), "     123    ");
    canvas_text_right(canvas, canvas_rect(canvas), 1, 2, 6, ROLE_TEXT, "12345678");
    assert_string_equal(row(canvas, 1), "  12345\u2026    ");
    canvas_text_right(canvas, canvas_rect(canvas), 2, 9, 6, ROLE_TEXT, "1");
    assert_string_equal(row(canvas, 2), "            ");
}

static void formatted_text_is_cut_not_broken(void **state) {
    struct canvas *canvas = *state;

    (void)canvas_textf(canvas, canvas_rect(canvas), 0, 0, ROLE_TEXT, "%d %s", 7, "x%n");
    assert_string_equal(row(canvas, 0), "7 x%n       ");
}

static void bars_lie_over_roles_and_end_with_a_fill(void **state) {
    struct canvas *canvas = *state;

    (void)canvas_text(canvas, canvas_rect(canvas), 0, 0, ROLE_OK, "ab");
    canvas_bar(canvas, (struct rect){0, 0, 1, 4}, 0, ROLE_CURSOR);
    assert_int_equal(canvas_cell(canvas, 0, 0).role, ROLE_OK);
    assert_int_equal(canvas_cell(canvas, 0, 0).bar, ROLE_CURSOR);
    assert_int_equal(canvas_cell(canvas, 0, 4).bar, -1);
    assert_non_null(strstr(dump(canvas), "---\ncccc........\n"));
    canvas_fill(canvas, canvas_rect(canvas), ROLE_DIM);
    assert_int_equal(canvas_cell(canvas, 0, 0).bar, -1);
    canvas_role(canvas, canvas_rect(canvas), 0, 10, 9, ROLE_HIT);
    assert_non_null(strstr(dump(canvas), "---\nddddddddddxx\n"));
}

static void rules_fill_their_line(void **state) {
    struct canvas *canvas = *state;

    canvas_rule(canvas, (struct rect){0, 1, 1, 3}, 0, ROLE_RULE);
    canvas_rule_vertical(canvas, (struct rect){1, 0, 2, 12}, 11, ROLE_RULE);
    assert_string_equal(row(canvas, 0), " \u2500\u2500\u2500        ");
    assert_string_equal(row(canvas, 2), "           \u2502");
    assert_string_equal(row(canvas, 3), "            ");
    symbols_ascii(true);
    canvas_rule(canvas, (struct rect){0, 1, 1, 3}, 0, ROLE_RULE);
    assert_string_equal(row(canvas, 0), " ---        ");
}

static void the_cursor_outside_is_hidden(void **state) {
    struct canvas *canvas = *state;
    int y, x;

    canvas_cursor(canvas, (struct rect){1, 2, 1, 3}, 0, 1, true);
    assert_true(canvas_cursor_at(canvas, &y, &x));
    assert_int_equal(y, 1);
    assert_int_equal(x, 3);
    canvas_cursor(canvas, (struct rect){1, 2, 1, 3}, 0, 3, true);
    assert_false(canvas_cursor_at(canvas, &y, &x));
    canvas_cursor(canvas, (struct rect){2, 0, 1, 3}, 0, 0, false);
    assert_false(canvas_cursor_at(canvas, &y, &x));
    assert_int_equal(y, 2);
}

static void any_size_and_place_is_safe(void **state) {
    static const int odd[] = {INT_MIN, -1000000, -3, -1, 0, 1, 2, 5, 1000000, INT_MAX};
    struct canvas *canvas = *state;

    for (int size = 0; size < 3; size++) {
        canvas_resize(canvas, size, size * 5);
        for (size_t a = 0; a < 10; a++) {
            for (size_t b = 0; b < 10; b++) {
                struct rect area = {odd[a], odd[b], odd[9 - a], odd[9 - b]};
                (void)canvas_text(canvas, area, odd[b], odd[a], ROLE_TEXT, "a\u65e5b");
                canvas_text_right(canvas, area, 0, odd[a], odd[b], ROLE_TEXT, "a\u65e5b");
                canvas_fill(canvas, (struct rect){odd[a], odd[b], 3, 3}, ROLE_TEXT);
                canvas_rule(canvas, area, odd[a], ROLE_TEXT);
                canvas_role(canvas, area, odd[a], odd[b], 5, ROLE_TEXT);
                canvas_bar(canvas, area, odd[a], ROLE_TEXT);
                canvas_cursor(canvas, area, odd[a], odd[b], true);
                (void)canvas_cell(canvas, odd[a], odd[b]);
            }
        }
    }
}

static void rectangles_split_and_never_go_negative(void **state) {
    struct rect rest = {2, 3, 10, 20}, part;

    (void)state;
    part = rect_take_rows(&rest, 3);
    assert_int_equal(part.rows, 3);
    assert_int_equal(part.y, 2);
    assert_int_equal(rest.y, 5);
    part = rect_take_rows(&rest, -2);
    assert_int_equal(part.y, 10);
    assert_int_equal(rest.rows, 5);
    part = rect_take_cols(&rest, 50);
    assert_int_equal(part.cols, 20);
    assert_int_equal(rest.cols, 0);
    part = rect_inset((struct rect){0, 0, 3, 3}, 2, 2, 2, 2);
    assert_int_equal(part.rows, 0);
    assert_int_equal(part.cols, 0);
}

static void a_full_screen_is_drawn_in_well_under_a_frame(void **state) {
    struct canvas *canvas = *state;
    struct timespec a, b;
    double ms;

    canvas_resize(canvas, 50, 200);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (int i = 0; i < 20; i++) {
        canvas_fill(canvas, canvas_rect(canvas), ROLE_TEXT);
        for (int y = 0; y < 50; y++)
            for (int x = 0; x < 200; x += 20)
                (void)canvas_text(canvas, (struct rect){y, x, 1, 19}, 0, 0, ROLE_TEXT, "some cell \u00e9\u65e5 text");
    }
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    ms = ((double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6) / 20;
    print_message("full draw at 200x50: %.2f ms\n", ms);
    assert_true(ms < 50); /* a wide band: sanitizers, busy machines */
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(text_stands_where_it_was_drawn_with_its_role),
        T(what_does_not_fit_ends_in_the_ellipsis),
        T(wide_characters_are_never_halved),
        T(drawing_over_half_of_a_wide_character_blanks_the_other),
        T(negative_columns_clip_at_the_left),
        T(unclean_text_is_sanitised_once_more),
        T(a_mark_without_a_base_cannot_join_the_neighbour),
        T(long_graphemes_are_kept_whole),
        T(right_aligned_text_ends_at_its_column),
        T(formatted_text_is_cut_not_broken),
        T(bars_lie_over_roles_and_end_with_a_fill),
        T(rules_fill_their_line),
        T(the_cursor_outside_is_hidden),
        T(any_size_and_place_is_safe),
        T(rectangles_split_and_never_go_negative),
        T(a_full_screen_is_drawn_in_well_under_a_frame),
    };
#undef T

    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
