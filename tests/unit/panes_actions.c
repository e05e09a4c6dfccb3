#include "app/actions.h"
#include "ui/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void every_key_is_known_and_no_two_actions_share_one(void **state) {
    size_t n;
    struct str report;
    const struct action *table = actions(&n);
    (void)state;
    str_init(&report, 4096);
    (void)keymap_check(table, n, &report);
    assert_string_equal(report.s, "");
    str_clear(&report);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_is_known_and_no_two_actions_share_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
