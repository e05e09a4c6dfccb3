/* S5: a window that changes its size without rest, between 1x1 and 300x100, while keys and intents arrive: nothing
 * ends, the last size is drawn right, and what was typed into forms, prompts and dialogs is there. */
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { ROWS = 24, COLS = 80, ROWS_MOST = 100, COLS_MOST = 300, WAIT = 30, SIZES = 300, FEW = 40, QUIET_MS = 150 };

static uint32_t seed = 20260615;

static int start(void **state) {
    (void)state;
    return console_serve(&service, (const char *const[]){"--intents", "300", "--tick", "20", NULL},
                         "  auto_refresh = 1\n")
               ? 0
               : -1;
}

/* xorshift: the same sizes and keys in every run. */
static int below(int n) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return (int)(seed % (uint32_t)n);
}

static struct pty *open_list(void) {
    struct pty *pty = console_open(&service, ROWS, COLS);
    assert_true(pty_expect(pty, "read so far", WAIT));
    return pty;
}

static bool is_alive(struct pty *pty) {
    int status;
    return !pty_wait(pty, 0, &status);
}

static void shake(struct pty *pty, int times, const char *const *keys, int n_keys) {
    for (int i = 0; i < times; i++) {
        int rows = 1 + below(ROWS_MOST), cols = 1 + below(COLS_MOST);
        pty_resize(pty, below(8) == 0 ? 1 + below(9) : rows, below(8) == 0 ? 1 + below(41) : cols);
        if (n_keys > 0)
            pty_feed(pty, keys[below(n_keys)]);
        if (below(4) == 0)
            pty_settle(pty, 20);
    }
    assert_true(is_alive(pty));
}

/* Back to the size that is known, and everything of it as it would be painted anew; the title's times may tick on. */
static void check_drawn(struct pty *pty, const char *expected) {
    pty_resize(pty, ROWS, COLS);
    assert_true(pty_expect(pty, expected, WAIT));
    for (int try = 0; try < WAIT; try++) {
        pty_settle(pty, QUIET_MS);
        char *before = mem_dup(pty_screen(pty));
        pty_mark(pty);
        pty_feed(pty, "\x0c");
        size_t len = 0;
        pty_settle(pty, QUIET_MS);
        (void)pty_bytes_since(pty, &len);
        assert_true(len > 0);
        bool same = strcmp(before, pty_screen(pty)) == 0;
        free(before);
        if (same)
            return;
    }
    fail_msg("the screen is not what a repaint makes of it:\n%s", pty_screen(pty));
}

static void three_hundred_sizes_with_keys_and_intents_arriving(void **state) {
    (void)state;
    static const char *const KEYS[] = {"j",    "k", "G", "g",    "\x06", "\x02", "d",      "z", "\r", "\x1b", "J", "?",
                                       "\x1b", ":", "L", "\x1b", "f",    "\x1b", "\x1b[B", "h", "l",  "\x0c", "p", "t"};
    struct pty *pty = open_list();
    shake(pty, SIZES, KEYS, (int)COUNT_OF(KEYS));
    pty_resize(pty, ROWS, COLS);
    for (int i = 0; i < WAIT && !pty_shows(pty, "/filter"); i++) { /* out of whatever was opened on the way */
        pty_feed(pty, "\x1b");
        pty_settle(pty, QUIET_MS);
    }
    pty_feed(pty, "g");
    check_drawn(pty, "SANDBOX");
    for (int i = 0; i < 2 && !pty_shows(pty, "created UTC"); i++) { /* out of the ages or local times it was left in */
        pty_feed(pty, "t");
        pty_settle(pty, QUIET_MS);
    }
    assert_true(pty_expect(pty, "created UTC", WAIT));
    console_leave(pty);
}

static void the_last_of_many_sizes_is_the_one_that_is_drawn(void **state) {
    (void)state;
    static const int LAST[][2] = {{50, 200}, {10, 40}, {24, 80}, {7, 39}, {2, 11}, {100, 300}};
    struct pty *pty = open_list();
    for (size_t i = 0; i < COUNT_OF(LAST); i++) {
        char size[32] = "SANDBOX"; /* or the notice, as much of it as there is room for */
        shake(pty, FEW, NULL, 0);
        pty_resize(pty, LAST[i][0], LAST[i][1]);
        if (LAST[i][0] < 8 || LAST[i][1] < 40)
            (void)snprintf(size, sizeof size, "needs 40x8");
        pty_settle(pty, QUIET_MS);
        assert_true(pty_expect(pty, size, WAIT));
        assert_true(strlen(pty_row(pty, 0)) > 0);
    }
    check_drawn(pty, "SANDBOX");
    console_leave(pty);
}

/* Arrows and nothing that would be text or leave. */
static const char *const CALM[] = {"\x1b[D", "\x1b[C", "\x1b[D"};

static void a_prompt_keeps_what_was_typed(void **state) {
    (void)state;
    struct pty *pty = open_list();
    pty_feed(pty, "/status:declined amount>=50");
    assert_true(pty_expect(pty, "amount>=50", WAIT));
    shake(pty, FEW, CALM, (int)COUNT_OF(CALM));
    pty_resize(pty, ROWS, COLS);
    assert_true(pty_expect(pty, "status:declined amount>=50", WAIT));
    pty_feed(pty, "\x1b[F00");
    check_drawn(pty, "status:declined amount>=5000");
    pty_feed(pty, "\x1b");
    assert_true(pty_expect_gone(pty, "amount>=5000", WAIT));
    console_leave(pty);
}

static void a_form_keeps_what_was_typed(void **state) {
    (void)state;
    struct pty *pty = open_list();
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "nothing is sent before the review", WAIT));
    pty_feed(pty, "\rMARKFIRST\tMARKLAST");
    assert_true(pty_expect(pty, "MARKLAST", WAIT));
    shake(pty, FEW, CALM, (int)COUNT_OF(CALM));
    pty_resize(pty, ROWS, COLS);
    assert_true(pty_expect(pty, "MARKFIRST", WAIT));
    pty_feed(pty, "\x1b[FEND");
    check_drawn(pty, "MARKLASTEND");
    pty_feed(pty, "\x1b");
    pty_settle(pty, QUIET_MS);
    pty_feed(pty, "Q"); /* a question: its default keeps what was typed */
    assert_true(pty_expect(pty, "Leave bursar?", WAIT));
    shake(pty, FEW, NULL, 0);
    pty_resize(pty, ROWS, COLS);
    assert_true(pty_expect(pty, "MARKLASTEND", WAIT));
    assert_true(is_alive(pty));
    pty_free(pty);
}

/* Closed and not answered where it no longer fits; nothing leaves. */
static void a_review_is_never_answered_by_a_size(void **state) {
    (void)state;
    struct pty *pty = open_list();
    pty_feed(pty, "3");
    assert_true(pty_expect(pty, "this console's record", WAIT)); /* before, there is no form to open */
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "[ Review ]", WAIT));
    pty_feed(pty, "https://hook.example.com/in\r");
    assert_true(pty_expect(pty, "https://hook.example.com/in", WAIT));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "How are events signed?", WAIT));
    pty_feed(pty, "\x1b[B\x1b[B\r");
    assert_true(pty_expect(pty, "Type unsigned", WAIT));
    pty_feed(pty, "unsigned\r\r");
    assert_true(pty_expect(pty, "[ Send it ]", WAIT));
    pty_settle(pty, 400);
    pty_feed(pty, "\x1b[C"); /* Send has the focus */
    pty_resize(pty, 3, 12);
    assert_true(pty_expect(pty, "needs 40x8", WAIT));
    pty_feed(pty, "\r\r\r");
    pty_settle(pty, QUIET_MS);
    pty_resize(pty, ROWS, COLS);
    assert_true(pty_expect(pty, "it was closed", WAIT));
    assert_true(pty_shows(pty, "https://hook.example.com/in"));
    assert_int_equal(service_journal_count(&service, "/webhook/register", ""), 0);
    pty_free(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_hundred_sizes_with_keys_and_intents_arriving),
        cmocka_unit_test(the_last_of_many_sizes_is_the_one_that_is_drawn),
        cmocka_unit_test(a_prompt_keeps_what_was_typed),
        cmocka_unit_test(a_form_keeps_what_was_typed),
        cmocka_unit_test(a_review_is_never_answered_by_a_size),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
