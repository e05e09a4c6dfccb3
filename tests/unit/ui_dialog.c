#include "ui/dialog.h"
#include "ui/lines.h"
#include "ui/progress.h"

#include "base/mem.h"
#include "support/golden.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const buttons[] = {"Cancel", "Register"};
static const struct confirm question = {
    .title = "Register user",
    .text = "PRODUCTION acme-eu\nOne request is sent to the service. It cannot be taken back from here.",
    .buttons = buttons,
    .n_buttons = 2,
    .role = ROLE_ENV_PRODUCTION};
static const struct confirm small_question = {
    .title = "Leave?", .text = "Draft not sent.", .buttons = buttons, .n_buttons = 2, .role = ROLE_WARN};

static const struct choice facets[] = {
    {"approved", "status", NULL, "1,204", true, ROLE_STATUS_APPROVED, NULL},
    {"declined", "status", NULL, "31", false, ROLE_STATUS_DECLINED, NULL},
    {"pending", "status", NULL, "7", false, ROLE_STATUS_PENDING, NULL},
    {"card", "rail", NULL, NULL, false, ROLE_TEXT, NULL},
    {"b\u00e1nk", "rail", NULL, NULL, false, ROLE_TEXT, NULL},
};
enum { FACETS = 5 };

static const struct text_line lines[] = {
    {.label = "id", .text = "pi_0001", .role = ROLE_TEXT, .indent = 0},
    {.label = "status", .text = "declined", .role = ROLE_STATUS_DECLINED, .indent = 0},
    {.label = "bank",
     .text = "North\u00e9rn Example Bank with a very long name that goes on",
     .role = ROLE_TEXT,
     .indent = 0},
    {.label = NULL, .text = "Observed", .role = ROLE_HEADER, .indent = 0},
    {.label = "", .text = "created \u2192 declined", .role = ROLE_DIM, .indent = 0},
    {.label = "tag", .text = NULL, .role = ROLE_TEXT, .indent = 2},
    {.label = NULL, .text = "last line", .role = ROLE_TEXT, .indent = 0},
};
enum { LINES = 7 };

struct fixture {
    struct canvas *canvas;
    struct choice choices[FACETS];
    struct picker picker;
    struct pager pager;
};

static int set_up(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);

    assert_non_null(fixture);
    symbols_ascii(false);
    fixture->canvas = canvas_new(24, 80);
    memcpy(fixture->choices, facets, sizeof facets);
    picker_init(&fixture->picker, "Facets", fixture->choices, FACETS, true);
    pager_init(&fixture->pager);
    pager_set(&fixture->pager, lines, LINES, false);
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;

    picker_clear(&fixture->picker);
    pager_clear(&fixture->pager);
    canvas_free(fixture->canvas);
    free(fixture);
    return 0;
}

static void check(struct fixture *fixture, const char *name) {
    struct str text;

    str_init(&text, 1 << 20);
    canvas_dump(fixture->canvas, &text);
    golden_check(name, text.s, NULL);
    str_clear(&text);
}

static struct rect whole(struct fixture *fixture) {
    return canvas_rect(fixture->canvas);
}

static void all_look_as_they_did(void **state) {
    struct fixture *fixture = *state;

    canvas_resize(fixture->canvas, 14, 60);
    confirm_draw(&question, fixture->canvas, whole(fixture));
    check(fixture, "ui_confirm");
    canvas_resize(fixture->canvas, 14, 60);
    picker_draw(&fixture->picker, fixture->canvas, whole(fixture));
    check(fixture, "ui_picker");
    canvas_resize(fixture->canvas, 5, 50);
    pager_draw(&fixture->pager, fixture->canvas, whole(fixture), true);
    check(fixture, "ui_pager");
}

static void all_are_usable_at_twenty_by_five(void **state) {
    struct fixture *fixture = *state;

    canvas_resize(fixture->canvas, 5, 20);
    assert_true(confirm_fits(&small_question, whole(fixture)));
    confirm_draw(&small_question, fixture->canvas, whole(fixture));
    check(fixture, "ui_confirm_small");
    canvas_resize(fixture->canvas, 5, 20);
    (void)picker_key(&fixture->picker, 'p');
    picker_draw(&fixture->picker, fixture->canvas, whole(fixture));
    check(fixture, "ui_picker_small");
    canvas_resize(fixture->canvas, 5, 20);
    pager_draw(&fixture->pager, fixture->canvas, whole(fixture), true);
    check(fixture, "ui_pager_small");
}

static void enter_answers_with_the_selected_button(void **state) {
    struct confirm confirm = question;

    (void)state;
    assert_int_equal(confirm_key(&confirm, 'x'), DIALOG_IGNORED);
    assert_int_equal(confirm_key(&confirm, 'y'), DIALOG_IGNORED);
    assert_int_equal(confirm_key(&confirm, ' '), DIALOG_IGNORED);
    assert_int_equal(confirm.selected, 0);
    assert_int_equal(confirm_key(&confirm, INPUT_TAB), DIALOG_OPEN);
    assert_int_equal(confirm.selected, 1);
    assert_int_equal(confirm_key(&confirm, INPUT_RIGHT), DIALOG_OPEN);
    assert_int_equal(confirm.selected, 0);
    assert_int_equal(confirm_key(&confirm, INPUT_LEFT), DIALOG_OPEN);
    assert_int_equal(confirm.selected, 1);
    assert_int_equal(confirm_key(&confirm, INPUT_ENTER), DIALOG_DONE);
    assert_int_equal(confirm_key(&confirm, INPUT_ESCAPE), DIALOG_CANCELLED);
    assert_int_equal(confirm_key(&confirm, KEY_CTRL('C')), DIALOG_CANCELLED);
}

static bool canvas_shows(const struct canvas *canvas, const char *text) {
    struct str dumped;
    bool found;

    str_init(&dumped, 1 << 20);
    canvas_dump(canvas, &dumped);
    found = strstr(dumped.s, text) != NULL;
    str_clear(&dumped);
    return found;
}

static void a_question_that_fits_shows_all_of_itself(void **state) {
    struct fixture *fixture = *state;

    for (int rows = 0; rows < 20; rows++) {
        for (int cols = 0; cols < 90; cols += 3) {
            canvas_resize(fixture->canvas, rows, cols);
            confirm_draw(&question, fixture->canvas, whole(fixture));
            if (confirm_fits(&question, whole(fixture))) {
                assert_true(canvas_shows(fixture->canvas, "[ Cancel ]"));
                assert_true(canvas_shows(fixture->canvas, "here."));
                assert_true(canvas_shows(fixture->canvas, "PRODUCTION"));
            }
        }
    }
    assert_true(confirm_fits(&question, (struct rect){0, 0, 24, 80}));
    assert_false(confirm_fits(&question, (struct rect){0, 0, 5, 20}));
    assert_false(confirm_fits(&question, (struct rect){0, 0, 0, 0}));
}

static void nothing_is_drawn_outside_the_given_area(void **state) {
    struct fixture *fixture = *state;

    for (int rows = 0; rows < 12; rows++) {
        for (int cols = 0; cols < 60; cols += 7) {
            struct rect area = {3, 4, rows, cols};
            canvas_resize(fixture->canvas, 20, 70);
            canvas_fill(fixture->canvas, whole(fixture), ROLE_LINK);
            confirm_draw(&question, fixture->canvas, area);
            picker_draw(&fixture->picker, fixture->canvas, area);
            pager_draw(&fixture->pager, fixture->canvas, area, true);
            for (int y = 0; y < 20; y++) {
                for (int x = 0; x < 70; x++) {
                    bool inside = y >= 3 && y < 3 + rows && x >= 4 && x < 4 + cols;
                    assert_true(inside || canvas_cell(fixture->canvas, y, x).role == ROLE_LINK);
                }
            }
        }
    }
}

static void space_marks_and_enter_applies(void **state) {
    struct fixture *fixture = *state;
    struct picker *picker = &fixture->picker;

    (void)picker_key(picker, INPUT_DOWN);
    assert_int_equal(picker_key(picker, ' '), DIALOG_OPEN);
    assert_true(fixture->choices[1].checked);
    (void)picker_key(picker, INPUT_UP);
    (void)picker_key(picker, ' ');
    assert_false(fixture->choices[0].checked);
    assert_int_equal(picker_key(picker, INPUT_ENTER), DIALOG_DONE);
    assert_int_equal(picker_key(picker, INPUT_ESCAPE), DIALOG_CANCELLED);
}

static void typing_narrows_and_escape_widens_before_it_cancels(void **state) {
    struct fixture *fixture = *state;
    struct picker *picker = &fixture->picker;

    assert_int_equal(picker_key(picker, 'B'), DIALOG_OPEN);
    assert_int_equal(picker_key(picker, 'a'), DIALOG_OPEN);
    assert_true(picker->narrowing);
    assert_int_equal(picker->cursor, 4);
    (void)picker_key(picker, 'x');
    assert_int_equal(picker_key(picker, ' '), DIALOG_OPEN); /* nothing there to mark */
    picker_draw(picker, fixture->canvas, whole(fixture));
    assert_true(canvas_shows(fixture->canvas, "nothing matches"));
    assert_int_equal(picker_key(picker, INPUT_ESCAPE), DIALOG_OPEN);
    assert_false(picker->narrowing);
    assert_int_equal(picker_key(picker, INPUT_ESCAPE), DIALOG_CANCELLED);
    for (int i = 0; i < FACETS; i++)
        assert_int_equal(fixture->choices[i].checked, facets[i].checked);
}

static void enter_without_a_match_chooses_nothing(void **state) {
    struct fixture *fixture = *state;

    fixture->picker.many = false;
    (void)picker_key(&fixture->picker, 'z');
    assert_int_equal(picker_key(&fixture->picker, INPUT_ENTER), DIALOG_OPEN);
    (void)picker_key(&fixture->picker, INPUT_BACKSPACE);
    assert_int_equal(picker_key(&fixture->picker, INPUT_ENTER), DIALOG_DONE);
}

static void the_ends_are_reached_over_headings(void **state) {
    struct fixture *fixture = *state;

    (void)picker_key(&fixture->picker, INPUT_END);
    assert_int_equal(fixture->picker.cursor, 4);
    (void)picker_key(&fixture->picker, INPUT_DOWN);
    assert_int_equal(fixture->picker.cursor, 4);
    (void)picker_key(&fixture->picker, INPUT_HOME);
    assert_int_equal(fixture->picker.cursor, 0);
    (void)picker_key(&fixture->picker, INPUT_UP);
    assert_int_equal(fixture->picker.cursor, 0);
}

static void an_empty_choice_is_said_to_be_empty(void **state) {
    struct fixture *fixture = *state;
    struct picker empty;

    picker_init(&empty, "Views", NULL, 0, false);
    picker_draw(&empty, fixture->canvas, whole(fixture));
    assert_true(canvas_shows(fixture->canvas, "nothing to choose"));
    (void)picker_key(&empty, INPUT_DOWN);
    assert_int_equal(picker_key(&empty, INPUT_ENTER), DIALOG_OPEN);
    picker_clear(&empty);
}

static void a_pager_scrolls_between_its_ends(void **state) {
    struct fixture *fixture = *state;
    struct pager *pager = &fixture->pager;

    canvas_resize(fixture->canvas, 3, 40);
    pager_draw(pager, fixture->canvas, whole(fixture), true);
    assert_int_equal(pager_key(pager, 'k'), DIALOG_OPEN);
    assert_int_equal(pager->top, 0);
    (void)pager_key(pager, INPUT_PAGE_DOWN);
    assert_int_equal(pager->top, 2);
    (void)pager_key(pager, 'G');
    assert_int_equal(pager->top, 4);
    (void)pager_key(pager, 'j');
    assert_int_equal(pager->top, 4);
    (void)pager_key(pager, 'g');
    assert_int_equal(pager->top, 0);
    assert_int_equal(pager_key(pager, 'x'), DIALOG_IGNORED);
    assert_int_equal(pager_key(pager, INPUT_ESCAPE), DIALOG_CANCELLED);
}

static void a_search_ignores_case_and_marks_and_wraps(void **state) {
    struct fixture *fixture = *state;
    struct pager *pager = &fixture->pager;

    (void)pager_key(pager, '/');
    for (const char *c = "NORTHERN"; *c != '\0'; c++)
        (void)pager_key(pager, *c);
    assert_int_equal(pager->hit, 2);
    assert_int_equal(pager_key(pager, INPUT_ENTER), DIALOG_OPEN);
    pager_draw(pager, fixture->canvas, whole(fixture), true);
    assert_int_equal(canvas_cell(fixture->canvas, 2, 8).role, ROLE_HIT);
    assert_int_equal(canvas_cell(fixture->canvas, 2, 15).role, ROLE_HIT);
    assert_int_equal(canvas_cell(fixture->canvas, 2, 16).role, ROLE_TEXT);
    (void)pager_key(pager, '/');
    (void)pager_key(pager, 'e');
    (void)pager_key(pager, 'd');
    (void)pager_key(pager, INPUT_ENTER);
    assert_int_equal(pager->hit, 1);
    (void)pager_key(pager, 'n');
    assert_int_equal(pager->hit, 3);
    (void)pager_key(pager, 'n');
    assert_int_equal(pager->hit, 4);
    (void)pager_key(pager, 'n');
    assert_int_equal(pager->hit, 1);
    (void)pager_key(pager, 'N');
    assert_int_equal(pager->hit, 4);
}

static void a_search_without_a_hit_says_so(void **state) {
    struct fixture *fixture = *state;
    struct pager *pager = &fixture->pager;

    (void)pager_key(pager, '/');
    (void)pager_key(pager, '%');
    pager_draw(pager, fixture->canvas, whole(fixture), true);
    assert_true(canvas_shows(fixture->canvas, "not found"));
    assert_int_equal(pager_key(pager, INPUT_ESCAPE), DIALOG_OPEN);
    assert_false(pager->searching);
}

static void new_lines_keep_the_position_when_asked(void **state) {
    struct fixture *fixture = *state;
    struct pager *pager = &fixture->pager;

    canvas_resize(fixture->canvas, 3, 40);
    pager_draw(pager, fixture->canvas, whole(fixture), true);
    (void)pager_key(pager, 'j');
    (void)pager_key(pager, 'j');
    pager_set(pager, lines, LINES, true);
    assert_int_equal(pager->top, 2);
    pager_set(pager, lines, 4, true);
    assert_int_equal(pager->top, 1);
    pager_set(pager, lines, LINES, false);
    assert_int_equal(pager->top, 0);
    pager_set(pager, NULL, 0, true);
    pager_draw(pager, fixture->canvas, whole(fixture), true);
    (void)pager_key(pager, 'n');
}

static void long_lines_scroll_sideways_to_their_end(void **state) {
    struct fixture *fixture = *state;
    struct pager *pager = &fixture->pager;

    canvas_resize(fixture->canvas, 7, 30);
    for (int i = 0; i < 20; i++)
        (void)pager_key(pager, 'l');
    pager_draw(pager, fixture->canvas, whole(fixture), true);
    assert_true(canvas_shows(fixture->canvas, "goes on"));
    assert_true(canvas_shows(fixture->canvas, "bank"));
    for (int i = 0; i < 20; i++)
        (void)pager_key(pager, 'h');
    assert_int_equal(pager->left, 0);
}

/* What takes no cell at all ends some time too, and never inside a character. */
static void every_byte_is_in_some_line(void **state) {
    enum { MARKS = 3000, MARK_BYTES = 2 };
    char text[MARKS * MARK_BYTES + 16];
    size_t n = 1, pieces = 0, all = 0;

    (void)state;
    text[0] = 'a';
    for (int i = 0; i < MARKS; i++, n += MARK_BYTES)
        memcpy(text + n, "\u0301", MARK_BYTES);
    memcpy(text + n, "b cd\nef", sizeof "b cd\nef");
    for (size_t at = 0, skip; text[at] != '\0'; at += skip, pieces++) {
        size_t len = lines_wrap(text + at, 4, &skip);
        assert_true(skip > 0 && skip >= len);
        assert_true(((unsigned char)text[at + len] & 0xc0) != 0x80);
        all += len;
    }
    assert_int_equal(all, n + strlen("b cd\nef") - 1); /* the end of a line is in none */
    assert_true(pieces > 2);
}

static void progress_shows_a_bar_or_counts(void **state) {
    struct fixture *fixture = *state;
    struct progress progress = {"crawl", 37, 100, "12 pages/s"};

    canvas_resize(fixture->canvas, 2, 50);
    progress_draw(&progress, fixture->canvas, whole(fixture), 0);
    assert_true(canvas_shows(fixture->canvas, "\u2588\u2591"));
    assert_true(canvas_shows(fixture->canvas, " 37% 12 pages/s"));
    progress = (struct progress){"crawl", 1234567, 0, NULL};
    progress_draw(&progress, fixture->canvas, whole(fixture), 1);
    assert_true(canvas_shows(fixture->canvas, "crawl 1,234,567\n"));
    progress = (struct progress){"crawl", UINT64_MAX - 1, UINT64_MAX, NULL};
    progress_draw(&progress, fixture->canvas, whole(fixture), 1);
    assert_true(canvas_shows(fixture->canvas, " 99%"));
    for (int cols = 0; cols < 50; cols++) {
        canvas_resize(fixture->canvas, 1, cols);
        progress_draw(&progress, fixture->canvas, whole(fixture), 0);
    }
}

static void progress_is_redrawn_at_a_steady_pace(void **state) {
    struct progress_pace pace = {0};
    struct progress progress = {"crawl", 0, 1000, NULL};
    int drawn = 0;

    (void)state;
    assert_true(progress_due(&pace, &progress, 1000));
    assert_false(progress_due(&pace, &progress, 1099));
    for (progress.done = 1; progress.done <= 1000; progress.done++)
        drawn += progress_due(&pace, &progress, 1001);
    assert_int_equal(drawn, 100);
    progress.total = 0;
    progress.done = 2000;
    assert_false(progress_due(&pace, &progress, 1050));
    assert_true(progress_due(&pace, &progress, 1101));
    assert_false(progress_due(&pace, &progress, 9000)); /* nothing moved */
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(all_look_as_they_did),
        T(all_are_usable_at_twenty_by_five),
        T(enter_answers_with_the_selected_button),
        T(a_question_that_fits_shows_all_of_itself),
        T(nothing_is_drawn_outside_the_given_area),
        T(space_marks_and_enter_applies),
        T(typing_narrows_and_escape_widens_before_it_cancels),
        T(enter_without_a_match_chooses_nothing),
        T(the_ends_are_reached_over_headings),
        T(an_empty_choice_is_said_to_be_empty),
        T(a_pager_scrolls_between_its_ends),
        T(a_search_ignores_case_and_marks_and_wraps),
        T(a_search_without_a_hit_says_so),
        T(new_lines_keep_the_position_when_asked),
        T(long_lines_scroll_sideways_to_their_end),
        T(every_byte_is_in_some_line),
        T(progress_shows_a_bar_or_counts),
        T(progress_is_redrawn_at_a_steady_pace),
    };
#undef T

    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
