/* A program of the operator's own, run by the real console: what it gets, what is shown, and the terminal afterwards.
 */
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROWS = 40, COLS = 120, WAIT = 60, CALM_MS = 700 };

static int start(void **state) {
    (void)state;
    return serve_intents("5");
}

static void it_gets_no_token_and_the_terminal_comes_back(void **state) {
    static const char *const EXTRA[] = {"MY_PAYMENTS_TOKEN=tok-4711-secret", NULL}, *const ARGS[] = {NULL};
    const struct pty_options options = {.rows = ROWS, .cols = COLS};
    (void)state;
    assert_true(console_own_file(&service, "actions",
                                 "[environment]\nrun = env\nreads = yes\n"
                                 "[descriptors]\nrun = ls /proc/self/fd\nreads = yes\n"));
    struct pty *pty = console_open_env(&service, ARGS, EXTRA, &options);
    assert_true(pty_expect(pty, "end of the list", WAIT));
    pty_feed(pty, "e");
    assert_true(pty_expect(pty, "environment", WAIT));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "each line one argument", WAIT));
    pty_settle(pty, CALM_MS); /* stray keys are waited for as long */
    pty_feed(pty, "\x1b[C\r");
    assert_true(pty_expect(pty, "PATH=", WAIT));
    assert_false(pty_shows(pty, "tok-4711-secret"));
    assert_false(pty_shows(pty, service.token));
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "Enter open", WAIT));
    console_leave(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_gets_no_token_and_the_terminal_comes_back)};
    return cmocka_run_group_tests(tests, start, stop_service);
}
