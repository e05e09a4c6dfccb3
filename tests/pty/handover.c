/* One desk hands intents to another: keys at the one, and what the other's screen says within seconds. */
#include "support/office.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ANNA, BEN, ROWS = 24, COLS = 120, SOON = 12 /* two turns of the exchange, on a machine that does much else */ };

static void hands_over(struct pty *anna) {
    pty_feed(anna, " >");
    assert_true(pty_expect(anna, "Hand over to a colleague", SOON));
    pty_feed(anna, "ben\rlook at the refund\r");
    assert_true(pty_expect(anna, "Handed to ben: 1 intent, as soon as", SOON));
}

static void the_other_sees_it_types_on_and_is_done_with_it(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    office->desks[ANNA].login = "anna";
    office->desks[BEN].login = "ben";
    struct pty *anna = console_at(office, &office->desks[ANNA], ROWS, COLS);
    struct pty *ben = console_at(office, &office->desks[BEN], ROWS, COLS);
    assert_true(pty_expect(anna, "1 of 5", SOON));
    assert_true(pty_expect(ben, "1 of 5", SOON));
    assert_false(pty_shows(ben, "inbox"));
    pty_feed(ben, "/stat");
    assert_true(pty_expect(ben, "/stat", SOON));
    hands_over(anna);
    assert_true(pty_expect(ben, "inbox 1", SOON));
    assert_true(pty_shows(ben, "/stat")); /* what is typed stays */
    assert_false(pty_shows(ben, "anna handed over"));
    pty_feed(ben, "\x1b");
    assert_true(pty_expect(ben, "anna handed over 1 intent: look at the refund", SOON));
    pty_feed(ben, "I");
    assert_true(pty_expect(ben, "handed to you, 1 open of 1", SOON));
    pty_feed(ben, "d");
    assert_true(pty_expect(ben, "Done; anna sees it", SOON));
    assert_true(pty_expect_gone(ben, "inbox 1", SOON));
    pty_feed(anna, "I\t");
    assert_true(pty_expect(anna, "done by ben at ", SOON));
    pty_feed(anna, "q");
    pty_feed(ben, "q");
    console_leave(anna);
    console_leave(ben);
    assert_int_equal(service_journal_count(&office->service, "\"POST\"", ""), 0);
    office_free(office);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_sees_it_types_on_and_is_done_with_it),
    };
    return cmocka_run_group_tests(tests, office_start_postgres, office_stop_postgres);
}
