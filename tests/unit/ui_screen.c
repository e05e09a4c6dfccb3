/* The screen on a real pseudo-terminal: modes, restoring, sizes, bytes. */
#include "support/job.h"
#include "ui_console.h"

static int run_under_a_shell(void *context) {
    return job_run(run_console, context);
}

static void quitting_gives_the_terminal_back_as_it_was(void **state) {
    struct termios before, during, after;
    struct pty *pty;
    int row, col, status;
    bool visible;

    (void)state;
    pty = start_with((struct console){.mouse = true}, (struct pty_options){0});
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_modes(pty, &during);
    assert_false((during.c_lflag & (ICANON | ECHO | ISIG)) != 0);
    assert_true(pty_is_alternate(pty));
    assert_true(pty_wrote(pty, "\033[?2004h", 8));
    assert_int_not_equal(pty_mouse(pty), 0);
    pty_feed(pty, "q");
    assert_true(pty_wait(pty, PATIENCE, &status));
    pty_modes(pty, &after);
    {
        struct pty *fresh = pty_spawn((const char *const[]){"true", NULL}, NULL);
        pty_modes(fresh, &before);
        assert_true(pty_wait(fresh, PATIENCE, &status));
        pty_free(fresh);
    }
    assert_true(pty_same_modes(&before, &after));
    assert_false(pty_is_alternate(pty));
    assert_true(pty_wrote(pty, "\033[?2004l", 8));
    assert_int_equal(pty_mouse(pty), 0);
    pty_cursor(pty, &row, &col, &visible);
    assert_true(visible);
    pty_free(pty);
}

static void a_crash_gives_the_terminal_back_too(void **state) {
    static const struct {
        const char *keys;
        int signal;
    } cases[] = {{"X", SIGSEGV}, {NULL, SIGTERM}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct termios after, before;
        struct pty *pty = start(), *fresh;
        int status, row, col;
        bool visible;

        if (cases[i].keys)
            pty_feed(pty, cases[i].keys);
        else
            pty_signal(pty, cases[i].signal);
        assert_true(pty_wait(pty, PATIENCE, &status));
        assert_false(pty_is_alternate(pty));
        pty_cursor(pty, &row, &col, &visible);
        assert_true(visible);
        assert_true(pty_wrote(pty, "\033[?2004l", 8));
        pty_modes(pty, &after);
        fresh = pty_spawn((const char *const[]){"true", NULL}, NULL);
        pty_modes(fresh, &before);
        assert_true(pty_wait(fresh, PATIENCE, &status));
        assert_true(pty_same_modes(&before, &after));
        pty_free(fresh);
        pty_free(pty);
    }
}

static void a_closed_terminal_ends_the_program(void **state) {
    struct pty *pty = start_with((struct console){0}, (struct pty_options){.ignore_hangup = true});
    int status;

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_close_master(pty);
    assert_true(pty_wait(pty, 2, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_ENDED);
    assert_true(pty_cpu_ms(pty) < 1000);
    pty_free(pty);
}

static void suspending_stops_restored_and_comes_back_whole(void **state) {
    struct termios stopped, fresh_modes;
    struct pty *pty = pty_fork(run_under_a_shell, &(struct console){0}, NULL), *fresh;
    int status;

    (void)state;
    fresh = pty_spawn((const char *const[]){"true", NULL}, NULL);
    pty_modes(fresh, &fresh_modes);
    assert_true(pty_wait(fresh, PATIENCE, &status));
    pty_free(fresh);
    assert_true(pty_expect(pty, "ready", PATIENCE));
    for (int i = 1; i <= 5; i++) {
        char told[32];
        size_t len;
        pty_feed(pty, "s");
        assert_true(pty_is_stopped(pty, PATIENCE));
        pty_settle(pty, 30);
        pty_modes(pty, &stopped);
        assert_true(pty_same_modes(&stopped, &fresh_modes));
        assert_false(pty_is_alternate(pty));
        pty_mark(pty);
        pty_settle(pty, 30);
        (void)pty_bytes_since(pty, &len);
        assert_int_equal(len, 0);
        pty_signal(pty, SIGCONT);
        (void)snprintf(told, sizeof told, "#%d continued", i);
        assert_true(pty_expect(pty, told, PATIENCE));
        assert_true(pty_is_alternate(pty));
        assert_true(pty_shows(pty, "ready"));
    }
    quit(pty);
}

static void every_size_is_safe(void **state) {
    static const int sizes[][2] = {{1, 1}, {5, 20}, {0, 0}, {50, 200}, {3, 7}, {200, 500}, {24, 80}};
    struct pty *pty = start();

    (void)state;
    for (int round = 0; round < 40; round++) {
        const int *size = sizes[(size_t)round % COUNT_OF(sizes)];
        pty_resize(pty, size[0], size[1]);
        pty_settle(pty, 2);
    }
    pty_resize(pty, 30, 90);
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_feed(pty, "r");
    assert_true(pty_expect(pty, "key r", PATIENCE));
    quit(pty);
}

static void starts_in_any_size(void **state) {
    static const int sizes[][2] = {{1, 1}, {1, 80}, {5, 20}, {2, 2}, {200, 500}, {3000, 3000}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct pty *pty =
            start_with((struct console){0}, (struct pty_options){.rows = sizes[i][0], .cols = sizes[i][1]});
        assert_true(pty_expect_bytes(pty, "\033[?2004h", PATIENCE));
        pty_settle(pty, 20);
        quit(pty);
    }
}

static void the_size_in_the_environment_is_not_obeyed(void **state) {
    static const char *const env[] = {"LINES=30000", "COLUMNS=30000", NULL};
    struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = env, .rows = 10, .cols = 60});

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    assert_string_equal(pty_row(pty, 0), " SANDBOX  ready");
    quit(pty);
}

static void a_terminal_that_will_not_do_is_named_before_a_byte(void **state) {
    static const struct {
        const char *env[2];
        const char *told;
    } cases[] = {
        {{"TERM", NULL}, "TERM is not set"},
        {{"TERM=", NULL}, "TERM is not set"},
        {{"TERM=xterm-nosuch", NULL}, "\"xterm-nosuch\" (TERM) is not known"},
        {{"TERM=../../etc/passwd", NULL}, "is not known"},
        {{"TERM=dumb", NULL}, "cannot place the cursor"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = cases[i].env, .cols = 300});
        int status;
        assert_true(pty_wait(pty, PATIENCE, &status));
        assert_int_equal(WEXITSTATUS(status), EXIT_REFUSED);
        assert_true(pty_expect(pty, cases[i].told, 1));
        assert_true(pty_shows(pty, "TERM=xterm-256color"));
        assert_false(pty_wrote(pty, "\033", 1));
        pty_free(pty);
    }
}

static void other_terminals_work_too(void **state) {
    static const char *const terms[] = {"TERM=vt100", "TERM=linux", "TERM=screen-256color", "TERM=rxvt", "TERM=tmux"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(terms); i++) {
        const char *const env[] = {terms[i], NULL};
        struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = env});
        assert_true(pty_expect(pty, "ready", PATIENCE));
        quit(pty);
    }
}

static void without_utf8_everything_is_ascii(void **state) {
    static const char *const env[] = {"LC_ALL=C", NULL};
    struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = env});
    const char *bytes;
    size_t len;

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_feed(pty, "\xc3\xa9k");
    assert_true(pty_expect(pty, "key k", PATIENCE));
    bytes = pty_bytes(pty, &len);
    for (size_t i = 0; i < len; i++)
        assert_true((unsigned char)bytes[i] < 0x80);
    quit(pty);
}

static void no_color_leaves_attributes_only(void **state) {
    static const char *const env[] = {"NO_COLOR=1", NULL};
    struct pty *pty = start_with((struct console){0}, (struct pty_options){.env = env});
    struct pty_cell cell;

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    cell = pty_cell(pty, 0, 1);
    assert_true(cell.reverse);
    for (int row = 0; row < 24; row++) {
        for (int col = 0; col < 80; col++) {
            cell = pty_cell(pty, row, col);
            assert_int_equal(cell.fg, -1);
            assert_int_equal(cell.bg, -1);
        }
    }
    quit(pty);
}

static void bells_are_few(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "b");
    assert_true(pty_expect(pty, "key b", PATIENCE));
    assert_int_equal(pty_bells(pty), 1);
    quit(pty);
}

static void copies_are_encoded_and_wrapped(void **state) {
    static const char *const tmux[] = {"TMUX=/x,1,0", NULL}, *const gnu[] = {"STY=1.x", NULL};
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "y");
    assert_true(pty_expect_bytes(pty, "\033]52;c;aWRfMQ==\a", PATIENCE));
    assert_true(pty_expect(pty, "copied 1", PATIENCE));
    quit(pty);
    pty = start_with((struct console){0}, (struct pty_options){.env = tmux});
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_feed(pty, "y");
    assert_true(pty_expect_bytes(pty, "\033Ptmux;\033\033]52;c;aWRfMQ==\a\033\\", PATIENCE));
    quit(pty);
    pty = start_with((struct console){0}, (struct pty_options){.env = gnu});
    assert_true(pty_expect(pty, "ready", PATIENCE));
    pty_feed(pty, "y");
    assert_true(pty_expect_bytes(pty, "\033P\033]52;c;aWRfMQ==\a\033\\", PATIENCE));
    quit(pty);
}

static size_t cost(struct pty *pty, const char *keys) {
    size_t len;

    pty_settle(pty, 60);
    pty_mark(pty);
    pty_feed(pty, keys);
    pty_settle(pty, 60);
    (void)pty_bytes_since(pty, &len);
    return len;
}

static void moving_costs_few_bytes(void **state) {
    struct pty *pty = start_with((struct console){.quiet = true}, (struct pty_options){.rows = 50, .cols = 200});
    size_t move, scroll;

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    move = cost(pty, "j");
    print_message("cursor down at 200x50: %zu bytes\n", move);
    assert_in_range(move, 1, 420);
    assert_int_equal(cost(pty, "n"), 0);
    for (int i = 0; i < 60; i++) {
        pty_feed(pty, "j");
        pty_settle(pty, 5);
    }
    scroll = cost(pty, "j");
    print_message("scroll by a line at 200x50: %zu bytes\n", scroll);
    assert_in_range(scroll, 1, 450);
    quit(pty);
}

/* Of a whole screen, of two rows and of one: a terminal never paints half of it. */
static void an_update_is_one_write(void **state) {
    static const char *const keys[] = {"r", "j", "x"};
    struct pty *pty = start_with((struct console){0}, (struct pty_options){.rows = 50, .cols = 200});

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    for (int i = 0; i < 3; i++) {
        char told[32];
        pty_feed(pty, keys[i]);
        (void)snprintf(told, sizeof told, "#%d key", 2 * i + 1);
        assert_true(pty_expect(pty, told, PATIENCE));
        pty_feed(pty, "c");
        (void)snprintf(told, sizeof told, "#%d key c after 1 writes", 2 * i + 2);
        assert_true(pty_expect(pty, told, PATIENCE));
    }
    quit(pty);
}

static void compare_with_a_full_repaint(struct pty *pty) {
    char *before;

    pty_settle(pty, 60);
    before = strdup(pty_screen(pty));
    assert_non_null(before);
    pty_mark(pty);
    pty_feed(pty, "r");
    pty_settle(pty, 60);
    {
        size_t len;
        (void)pty_bytes_since(pty, &len);
        assert_true(len > 1000);
    }
    assert_string_equal(pty_screen(pty), before);
    free(before);
}

/* The terminal's own scrolling, and what a full repaint shows, must come to the same. */
static void what_was_scrolled_together_equals_a_full_repaint(void **state) {
    static const char keys[] = "jk";
    struct pty *pty = start_with((struct console){.quiet = true}, (struct pty_options){.rows = 20, .cols = 100});

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < 90; i++) {
            char key[] = {keys[way], i % 7 == 0 ? keys[way] : '\0', keys[way], '\0'};
            pty_feed(pty, key);
            pty_settle(pty, 2);
        }
        compare_with_a_full_repaint(pty);
    }
    quit(pty);
}

/* Only what differs is put out: no half of a wide character may stay, and none be put over another's. */
static void rows_of_other_words_equal_a_full_repaint(void **state) {
    struct pty *pty = start_with((struct console){.quiet = true}, (struct pty_options){.rows = 20, .cols = 100});

    (void)state;
    assert_true(pty_expect(pty, "ready", PATIENCE));
    for (int i = 0; i < 20; i++) {
        pty_feed(pty, i % 3 == 2 ? "jjw" : "w");
        compare_with_a_full_repaint(pty);
    }
    quit(pty);
}

static void the_cursor_is_parked_on_the_row_and_hidden(void **state) {
    struct pty *pty = start();
    int row, col;
    bool visible;

    (void)state;
    pty_feed(pty, "jj");
    assert_true(pty_expect(pty, "#2", PATIENCE));
    pty_settle(pty, 20);
    pty_cursor(pty, &row, &col, &visible);
    assert_int_equal(row, 4);
    assert_false(visible);
    quit(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quitting_gives_the_terminal_back_as_it_was),
        cmocka_unit_test(a_crash_gives_the_terminal_back_too),
        cmocka_unit_test(a_closed_terminal_ends_the_program),
        cmocka_unit_test(suspending_stops_restored_and_comes_back_whole),
        cmocka_unit_test(every_size_is_safe),
        cmocka_unit_test(starts_in_any_size),
        cmocka_unit_test(the_size_in_the_environment_is_not_obeyed),
        cmocka_unit_test(a_terminal_that_will_not_do_is_named_before_a_byte),
        cmocka_unit_test(other_terminals_work_too),
        cmocka_unit_test(without_utf8_everything_is_ascii),
        cmocka_unit_test(no_color_leaves_attributes_only),
        cmocka_unit_test(bells_are_few),
        cmocka_unit_test(copies_are_encoded_and_wrapped),
        cmocka_unit_test(moving_costs_few_bytes),
        cmocka_unit_test(an_update_is_one_write),
        cmocka_unit_test(what_was_scrolled_together_equals_a_full_repaint),
        cmocka_unit_test(rows_of_other_words_equal_a_full_repaint),
        cmocka_unit_test(the_cursor_is_parked_on_the_row_and_hidden),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
