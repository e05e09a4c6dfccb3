/* What a decline means, where the screen shows one and where it leaves the program. */
#include "config/reasons.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct reasons reasons;

static void open_listed(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    driver_keys(driver, "j j j");
}

static void open_counted(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    driver_keys(driver, "F Tab Tab Tab Tab Tab Tab");
    looker_answer(driver, driver_page, false);
}

static void the_detail_says_what_the_decline_means(void **state) {
    (void)state;
    driver_check_sizes("reason-detail", "80x24 120x40 200x50", open_listed, "Enter");
}

static void counts_of_declines_say_it_too(void **state) {
    (void)state;
    driver_check_sizes("reason-counts", "80x24 120x40 200x50", open_counted, "");
}

static void the_summary_for_a_ticket_has_it(void **state) {
    struct driver *driver = driver_begin(state);
    open_listed(driver, 24, 80);
    driver_keys(driver, "Y Enter");
    const char *text = driver_copy(driver)->text;
    assert_non_null(strstr(text, "status        declined, decline suspected_fraud\n"
                                 "means         The bank stopped it as possible fraud.\n"
                                 "tell customer The bank declined the payment; please call the number on the card.\n"
                                 "what to do    Tell the risk team. Do not suggest another card.\n"
                                 "created  "));
}

static int start(void **state) {
    struct str report;
    if (!setlocale(LC_ALL, "C.UTF-8") || driver_page_read(state) != 0)
        return -1;
    str_init(&report, 4096);
    reasons_parse(&reasons, "reasons", reasons_sample, &report);
    str_clear(&report);
    driver_reasons = &reasons;
    return 0;
}

static int stop(void **state) {
    reasons_clear(&reasons);
    return driver_page_drop(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_detail_says_what_the_decline_means),
        cmocka_unit_test(counts_of_declines_say_it_too),
        DRIVER_TEST(the_summary_for_a_ticket_has_it),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
