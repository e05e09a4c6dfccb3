/* Every shipped theme on a real terminal emulator, at each depth of colour and without UTF-8: glyphs, colours and
 * attributes against golden files. */
#include "base/mem.h"
#include "support/cells.h"
#include "support/golden.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 24, COLS = 80, DUMP_MAX = 1 << 20 };

static int start(void **state) {
    (void)state;
    return serve_intents("40");
}

static void check(const char *theme, const char *color, const char *locale) {
    char name[128];
    struct str dump;
    const char *const args[] = {"--theme", theme, "--color", color, NULL};
    struct pty_options options = {.rows = ROWS, .cols = COLS};
    str_init(&dump, DUMP_MAX);
    const char *extra[] = {*locale ? "LC_ALL=C" : NULL, NULL};
    struct pty *pty = console_open_env(&service, args, extra, &options);
    assert_true(pty_expect(pty, "end of the list seen", 20));
    pty_feed(pty, "jj");
    assert_true(pty_expect(pty, "3 of 40", 20));
    pty_settle(pty, 50);
    cells_dump(pty, ROWS, COLS, &dump);
    (void)snprintf(name, sizeof name, "theme-%s-%s", theme, *locale ? "ascii" : color);
    golden_check(name, dump.s, getenv("BURSAR_OUT"));
    console_leave(pty);
    str_clear(&dump);
}

static const char *const THEMES[] = {"terminal", "dark", "light", "high-contrast", "mono", "cvd"};

static void every_theme_at_every_depth(void **state) {
    (void)state;
    static const char *const DEPTHS[] = {"never", "16", "256"};
    for (size_t i = 0; i < COUNT_OF(THEMES); i++)
        for (size_t j = 0; j < COUNT_OF(DEPTHS); j++)
            check(THEMES[i], DEPTHS[j], "");
}

static void without_utf_8_everything_is_ascii(void **state) {
    (void)state;
    check("terminal", "16", "C");
}

static void no_color_leaves_attributes_only(void **state) {
    (void)state;
    struct pty_options options = {.rows = ROWS, .cols = COLS};
    struct pty *pty = console_open_env(&service, (const char *const[]){"--theme", "dark", NULL},
                                       (const char *const[]){"NO_COLOR=1", NULL}, &options);
    assert_true(pty_expect(pty, "end of the list seen", 20));
    bool reversed = false;
    for (int row = 0; row < ROWS; row++) {
        for (int col = 0; col < COLS; col++) {
            struct pty_cell cell = pty_cell(pty, row, col);
            assert_int_equal(cell.fg, -1);
            assert_int_equal(cell.bg, -1);
            reversed = reversed || cell.reverse;
        }
    }
    assert_true(reversed);
    int status;
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, 20, &status));
    pty_free(pty);
}

/* Bright black as bold black would be no colour at all on many a terminal of eight. */
static void with_eight_colours_nothing_is_black_on_the_background(void **state) {
    (void)state;
    static const char *const TERMS[] = {"TERM=xterm", "TERM=linux", "TERM=screen"};
    for (size_t i = 0; i < COUNT_OF(TERMS) * COUNT_OF(THEMES); i++) {
        struct pty_options options = {.rows = ROWS, .cols = COLS};
        struct pty *pty =
            console_open_env(&service, (const char *const[]){"--theme", THEMES[i % COUNT_OF(THEMES)], NULL},
                             (const char *const[]){TERMS[i / COUNT_OF(THEMES)], NULL}, &options);
        assert_true(pty_expect(pty, "end of the list seen", 20));
        pty_feed(pty, "c");
        assert_true(pty_expect(pty, "Columns", 20)); /* a window has rules */
        for (int cell = 0; cell < ROWS * COLS; cell++) {
            struct pty_cell at = pty_cell(pty, cell / COLS, cell % COLS);
            assert_false((at.fg == 0 || at.fg == 8) && at.bg <= 0 && *at.text != ' ' && !at.reverse);
        }
        pty_feed(pty, "\x1b");
        assert_true(pty_expect_gone(pty, "Columns", 20));
        console_leave(pty);
    }
}

static void a_bad_theme_is_said_and_the_rest_applies(void **state) {
    (void)state;
    char path[4096];
    struct pty_options options = {.rows = ROWS, .cols = COLS};
    (void)snprintf(path, sizeof path, "%s/bad.theme", service.folder);
    assert_true(proc_write_file(path, "inherit = terminal\nstatus.declined = bold color196 | red\nnonsense = blue\n"));
    struct pty *pty = console_open_args(&service, (const char *const[]){"--theme", path, NULL}, &options);
    assert_true(pty_expect(pty, "bad.theme:3", 20));
    int status;
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, 20, &status));
    pty_free(pty);
}

/* Once something of the title row is in a colour of the palette. */
static bool becomes(struct pty *pty, int colour) {
    for (double end = pty_now() + 20; pty_now() < end;) {
        pty_settle(pty, 20);
        for (int col = 0; col < COLS; col++)
            if (pty_cell(pty, 0, col).fg == colour)
                return true;
    }
    return false;
}

/* As an editor saves: written in place, or another file put there. */
static void a_changed_theme_is_read_again_and_a_bad_one_is_not(void **state) {
    (void)state;
    char path[4096], parent[4096], text[8192], other[4096];
    struct pty_options options = {.rows = ROWS, .cols = COLS};
    (void)snprintf(path, sizeof path, "%s/own.theme", service.folder);
    (void)snprintf(parent, sizeof parent, "%s/parent.theme", service.folder);
    (void)snprintf(other, sizeof other, "%s/own.theme.new", service.folder);
    (void)snprintf(text, sizeof text, "inherit = %s\n", parent);
    assert_true(proc_write_file(parent, "env.sandbox = color100\n"));
    assert_true(proc_write_file(path, text));
    struct pty *pty = console_open_args(&service, (const char *const[]){"--theme", path, NULL}, &options);
    assert_true(pty_expect(pty, "end of the list seen", 20));
    assert_true(becomes(pty, 100));
    assert_true(proc_write_file(parent, "env.sandbox = color101\n"));
    assert_true(becomes(pty, 101));
    assert_true(pty_expect(pty, "the theme was read again", 20));
    assert_true(proc_write_file(path, "env.sandbox = color102\nnonsense = blue\n"));
    assert_true(pty_expect(pty, "stays as it was", 20));
    assert_true(becomes(pty, 101));
    assert_true(proc_write_file(other, "env.sandbox = color103\n"));
    assert_int_equal(rename(other, path), 0);
    assert_true(becomes(pty, 103));
    console_leave(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_theme_at_every_depth),
        cmocka_unit_test(without_utf_8_everything_is_ascii),
        cmocka_unit_test(no_color_leaves_attributes_only),
        cmocka_unit_test(with_eight_colours_nothing_is_black_on_the_background),
        cmocka_unit_test(a_bad_theme_is_said_and_the_rest_applies),
        cmocka_unit_test(a_changed_theme_is_read_again_and_a_bad_one_is_not),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
