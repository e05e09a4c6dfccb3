/* R where the service can be asked for parts of its list: several walks into the cache, beside the list on show. */
#include "support/console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct service service;

#define DATES "requests_per_hour = 0\n  api {\n    filter_after = 'after'\n    filter_before = 'before'\n  }"
#define SLOW "path=/intent/list nth=3 count=200 delay=150"

static void serve(const char *fault) {
    const char *const args[] = {
        "--intents", "3000", "--style", "after_param=after", "--style", "before_param=before", fault ? "--fault" : NULL,
        fault,       NULL};
    assert_true(console_serve(&service, args, DATES));
}

static int stop_service(void **state) {
    (void)state;
    return service_stop(&service) == 0 ? 0 : -1;
}

static void r_reads_every_page_in_parts_into_the_cache(void **state) {
    (void)state;
    serve(NULL);
    struct pty *pty = console_open(&service, 24, 120);
    assert_true(pty_expect(pty, "1 of 100 read so far", 20));
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "3,000 intents in the cache: that is all of them", 30));
    assert_true(service_journal_count(&service, "after=", "before=") > 3);
    assert_true(pty_expect(pty, "(all read ", 20));
    pty_feed(pty, "/amount>=0\r");
    assert_true(pty_expect(pty, "3,000 rows, all there", 20));
    console_leave(pty);
}

static void it_pauses_goes_on_and_stops(void **state) {
    (void)state;
    serve(SLOW);
    struct pty *pty = console_open(&service, 24, 120);
    assert_true(pty_expect(pty, "1 of 100 read so far", 20));
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "R pauses, Esc stops", 20));
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "paused; R goes on, Esc stops", 20));
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "R pauses, Esc stops", 20));
    pty_feed(pty, "\033");
    assert_true(pty_expect(pty, "stopped; R goes on from here", 20));
    service_rule(&service, NULL);
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "3,000 intents in the cache: that is all of them", 30));
    console_leave(pty);
}

#define TEST(test) cmocka_unit_test_teardown(test, stop_service)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(r_reads_every_page_in_parts_into_the_cache),
        TEST(it_pauses_goes_on_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
