/* K47: two consoles on one cache, each driven as fast as it goes. Neither ends, nothing is lost, the cache is sound. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { ROWS = 24, COLS = 80, WAIT = 60, TURNS = 300, CONSOLES = 2, INTENTS = 1500 };

static int start(void **state) {
    (void)state;
    return console_serve(&service, (const char *const[]){"--intents", "1500", "--page-size", "20", NULL}, "") ? 0 : -1;
}

/* Lists and pages: to the end, back, the newest again, a filter over the cache on and off. */
static void drive(struct pty *pty, int turn) {
    static const char *const KEYS[] = {"\x06", "\x06", "G", "\x06", "r", "\x04", "g", "/status:declined\r", "j", "u"};
    pty_feed(pty, KEYS[turn % (int)COUNT_OF(KEYS)]);
    pty_read(pty, 1);
}

static void read_to_the_end(struct pty *pty) {
    pty_feed(pty, "g");
    for (int64_t end = clock_mono() + WAIT * 1000; clock_mono() < end && !pty_shows(pty, "1,500, end of the list");) {
        pty_feed(pty, "G\x06");
        pty_settle(pty, 5);
    }
    assert_true(pty_expect(pty, "1,500, end of the list seen", WAIT));
}

static char *output_of(const char *const args[]) {
    struct proc proc;
    int status = console_run(&service, args, &proc);
    char *text = strdup(proc.out.s);
    if (status != 0)
        print_error("%s", proc.err.s);
    (void)proc_end(&proc);
    assert_int_equal(status, 0);
    return text;
}

static void k47_two_consoles_on_one_cache_both_go_on(void **state) {
    (void)state;
    struct pty *both[CONSOLES];
    for (int i = 0; i < CONSOLES; i++)
        both[i] = console_open(&service, ROWS, COLS);
    for (int i = 0; i < CONSOLES; i++)
        assert_true(pty_expect(both[i], "read so far", WAIT));
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < CONSOLES; i++) {
            drive(both[i], turn + i * 3);
            assert_false(pty_shows(both[i], "locked"));
        }
    }
    for (int i = 0; i < CONSOLES; i++) {
        int status;
        read_to_the_end(both[i]);
        pty_feed(both[i], "Q");
        assert_true(pty_wait(both[i], WAIT, &status));
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        pty_free(both[i]);
    }
    char *served = output_of((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL});
    char *cached = output_of((const char *const[]){"intents", "list", "--cached", "--all", "--format", "ndjson", NULL});
    assert_string_equal(cached, served);
    free(output_of((const char *const[]){"cache", "verify", NULL}));
    free(served);
    free(cached);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(k47_two_consoles_on_one_cache_both_go_on)};
    return cmocka_run_group_tests(tests, start, stop_service);
}
