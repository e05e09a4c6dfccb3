/* One customer on one page, and payments with their attempts: over the rows of the list on show. */
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define INTENT(id, user, at, amount, currency, status, decline, bank)                                               \
    "{\"id\":\"" id "\",\"user_id\":\"" user "\",\"created_at\":\"2026-11-" at                                      \
    ":00.000Z\",\"direction\":\"cash_in\",\"amount\":" amount ",\"currency\":\"" currency "\",\"status\":\"" status \
    "\",\"decline_category\":" decline ",\"rail\":\"card\",\"type\":\"primary\","                                   \
    "\"payment_credential\":{\"id\":\"cred\",\"bank_name\":\"" bank "\"}}"
#define RISK "\"risk\""
#define FUNDS "\"insufficient_funds\""

/* Of ann: two declined, then approved; one declined for good; one approved at once, in yen; one open. */
#define OF_ANN                                                                                                        \
    INTENT("int_9", "usr_ann", "28T11:00", "700", "EUR", "pending", "null", "North Bank")                             \
    "," INTENT("int_8", "usr_ann", "27T09:30", "1200", "EUR", "approved", "null", "North Bank") "," INTENT(           \
        "int_7", "usr_ann", "27T09:10", "1200", "EUR", "declined", RISK,                                              \
        "North Bank") "," INTENT("int_6", "usr_ann", "27T09:00", "1200", "EUR", "declined", FUNDS,                    \
                                 "South Credit") "," INTENT("int_4", "usr_ann", "20T08:00", "300", "EUR", "declined", \
                                                            RISK, "South Credit") "," INTENT("int_3", "usr_ann",      \
                                                                                             "19T08:00", "4500",      \
                                                                                             "JPY", "approved",       \
                                                                                             "null", "North Bank")
static const char HERE[] = "{\"data\":[" OF_ANN "," INTENT("int_5", "usr_bob", "20T09:00", "900", "EUR", "approved",
                                                           "null", "North Bank") "]}";
static const char NOBODY[] = "{\"data\":[]}";

static void know(struct driver *driver, bool whole) {
    driver->coverage = (struct coverage){
        .reach = whole ? COVERAGE_WHOLE : COVERAGE_PART, .cached = true, .walked = DRIVER_NOW, .as_of = DRIVER_NOW};
}

static void open_here(struct driver *driver, int rows, int cols) {
    driver_open_cached(driver, rows, cols);
    driver_cached(driver, HERE, true);
    driver_answer(driver, HERE);
    know(driver, true);
    looker_settle(driver, HERE, true);
}

/* The list of the user under the cursor, and what was asked of the index and the journal answered. */
static void show_customer(struct driver *driver, const char *body, bool whole) {
    know(driver, whole);
    driver_keys(driver, "i");
    looker_settle(driver, body, whole);
    looker_settle(driver, body, whole);
}

static void answer_registered(struct driver *driver, bool tagged) {
    struct journal_answer *answer = journal_answer_new(JOURNAL_REGISTERED);
    static const char *FIELDS[] = {"name.first", "tag"};
    *vec_add(&answer->records) = (struct outcome_record){.n = 12,
                                                         .at = DRIVER_NOW - INT64_C(40) * 24 * 3600 * 1000,
                                                         .who = "eve",
                                                         .operation = "user.create",
                                                         .fields = FIELDS,
                                                         .n_fields = tagged ? 2 : 1};
    driver_journal(driver, answer);
}

static void open_customer(struct driver *driver, int rows, int cols) {
    open_here(driver, rows, cols);
    show_customer(driver, HERE, true);
    answer_registered(driver, true);
}

static void the_head_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("customer", "80x24 120x40 200x50 40x8", open_customer, "");
}

static void the_whole_page_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("customer-whole", "80x24 120x40 200x50 40x8", open_customer, "i");
}

static void the_head_says_what_the_intents_do(void **state) {
    struct driver *driver = *state;
    show_customer(driver, HERE, true);
    driver_shows(driver, "customer usr_ann  6 intents, all there are",
                 "first 2026-11-19 08:00:00, last 2026-11-28 11:00:00 UTC", "declined 3, approved 2, pending 1",
                 "EUR 4,600, approved 1,200; JPY 4,500, approved 4,500",
                 "4 payments: 1 approved at the first attempt …");
    driver_shows(driver, "newest first: risk 2026-11-27, insufficient_funds 2026-11-27 …",
                 "North Bank 4, South Credit 2");
    driver_hides(driver, "registered");
}

static void the_head_follows_the_filter(void **state) {
    struct driver *driver = *state;
    show_customer(driver, HERE, true);
    driver_keys(driver, "/ Ctrl-U 'user=usr_ann status:declined' Enter");
    looker_settle(driver, HERE, true);
    looker_settle(driver, HERE, true);
    driver_shows(driver, "customer usr_ann  3 intents", "of this filter", "declined 3",
                 "attempts   not told: the filter hides some");
    driver_keys(driver, "/ Ctrl-U 'status:declined' Enter");
    looker_settle(driver, HERE, true);
    driver_hides(driver, "customer usr_ann");
}

static void part_of_the_data_is_said_to_be_one(void **state) {
    struct driver *driver = *state;
    show_customer(driver, HERE, false);
    driver_shows(driver, "customer usr_ann  6 cached intents so far");
}

static void a_customer_without_rows_is_none(void **state) {
    struct driver *driver = *state;
    show_customer(driver, NOBODY, true);
    driver_shows(driver, "customer usr_ann  0 intents, all there are", "no intent matches the filter");
}

static void who_registered_the_user_is_told_without_the_tag(void **state) {
    struct driver *driver = *state;
    show_customer(driver, HERE, true);
    answer_registered(driver, true);
    driver_try(driver, "i", "here by eve, record 12, with a tag");
    driver_keys(driver, "Esc");
    driver_shows(driver, "registered 2026-10-19 12:00:00 here by eve, record 12 …");
}

static void a_journal_that_cannot_be_read_costs_its_line_alone(void **state) {
    struct driver *driver = *state;
    show_customer(driver, HERE, true);
    struct journal_answer *answer = journal_answer_new(JOURNAL_REGISTERED);
    assert_int_equal(error_set(&answer->error, ERR_STORE, "the disk is read-only"), ERR_STORE);
    driver_journal(driver, answer);
    driver_shows(driver, "declined 3, approved 2, pending 1");
    driver_shows(driver, "registered not known: the disk is read-only");
    driver_try(driver, "i", "registered    not known: the disk is read-only");
}

/* ---- Payments ---- */

static void show_payments(struct driver *driver, bool whole) {
    know(driver, whole);
    driver_keys(driver, "A");
    looker_settle(driver, HERE, whole);
}

static void open_payments(struct driver *driver, int rows, int cols) {
    open_here(driver, rows, cols);
    show_payments(driver, true);
}

static void payments_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("attempts", "80x24 120x40 200x50 40x8", open_payments, "");
}

static void rates_have_their_numbers(void **state) {
    struct driver *driver = *state;
    show_payments(driver, true);
    driver_shows(driver, "7 intents, all there are", "5 out of 7 intents; still open, in no rate: 1", "2 of 4, 50%",
                 "3 of 4, 75%");
    driver_shows(driver, "EUR 1,200: 3 attempts, then");
}

static void payments_of_a_part_say_so(void **state) {
    struct driver *driver = *state;
    show_payments(driver, false);
    driver_shows(driver, "7 cached intents so far");
}

static void payments_follow_the_filter(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ 'currency:JPY' Enter");
    looker_settle(driver, HERE, true);
    show_payments(driver, true);
    driver_shows(driver, "1 out of 1 intent", "1 of 1, 100%");
}

static const char APART[] =
    "{\"data\":[" INTENT("int_1", "", "28T11:00", "700", "EUR", "approved", "null", "North Bank") "," INTENT(
        "int_2", "usr_ann", "28T10:00", "700", "EUR", "held", "null", "North Bank") "]}";

static void what_is_in_no_payment_or_rate_is_said(void **state) {
    struct driver *driver = *state;
    know(driver, true);
    driver_keys(driver, "A");
    looker_settle(driver, APART, true);
    driver_shows(driver, "1 out of 1 intent; still open or of an unknown status", "approved in the end  -",
                 "1 intent without user, amount, currency or time in none");
    driver_hides(driver, "0%", "the filter");
}

static void payments_under_a_filter_that_hides_attempts_say_so(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ 'status:approved' Enter");
    looker_settle(driver, HERE, true);
    show_payments(driver, true);
    driver_shows(driver, "the filter may leave out attempts, as one of a status does");
}

static void without_a_cache_the_rows_read_are_counted(void **state) {
    struct driver driver;
    (void)state;
    driver_open(&driver, 24, 80);
    driver_answer(&driver, HERE);
    looker_settle_walk(&driver);
    driver_keys(&driver, "A");
    looker_settle_walk(&driver);
    driver_shows(&driver, "5 out of 7 intents");
    driver_close(&driver);
}

/* ---- In the detail ---- */

static void open_detail(struct driver *driver, int rows, int cols) {
    open_here(driver, rows, cols);
    driver_keys(driver, "j j Enter");
    looker_settle(driver, HERE, true);
    looker_settle(driver, HERE, true);
}

static void the_detail_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("customer-detail", "80x24 120x40 200x50", open_detail, "");
}

static void the_detail_says_which_attempt_it_is(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "j j Enter");
    looker_settle(driver, HERE, true);
    driver_shows(driver, "customer: 6 intents", "all there are", "3 attempts, then approved; this is attempt 2",
                 "700 EUR  pending   2026-11-28 11:00:00");
}

static void the_detail_of_another_user_has_its_own(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "G Enter");
    looker_settle(driver, HERE, true);
    driver_shows(driver, "customer: 1 intent", "approved at the first attempt");
}

static void a_search_finds_what_stands_in_the_second_column(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "j j Enter / 'bank_name' Enter");
    driver_shows(driver, "payment credential", "North Bank");
    driver_hides(driver, "not found");
    driver_keys(driver, "/ 'nowhere'");
    driver_shows(driver, "not found");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_at_every_size),
        cmocka_unit_test(the_whole_page_at_every_size),
        DRIVER_TEST_IN(the_head_says_what_the_intents_do, open_here, 24, 80),
        DRIVER_TEST_IN(the_head_follows_the_filter, open_here, 24, 80),
        DRIVER_TEST_IN(part_of_the_data_is_said_to_be_one, open_here, 24, 80),
        DRIVER_TEST_IN(a_customer_without_rows_is_none, open_here, 24, 80),
        DRIVER_TEST_IN(who_registered_the_user_is_told_without_the_tag, open_here, 24, 80),
        DRIVER_TEST_IN(a_journal_that_cannot_be_read_costs_its_line_alone, open_here, 24, 80),
        cmocka_unit_test(payments_at_every_size),
        DRIVER_TEST_IN(rates_have_their_numbers, open_here, 24, 80),
        DRIVER_TEST_IN(payments_of_a_part_say_so, open_here, 24, 80),
        DRIVER_TEST_IN(payments_follow_the_filter, open_here, 24, 80),
        DRIVER_TEST_IN(what_is_in_no_payment_or_rate_is_said, open_here, 24, 120),
        DRIVER_TEST_IN(payments_under_a_filter_that_hides_attempts_say_so, open_here, 24, 120),
        cmocka_unit_test(the_detail_at_every_size),
        DRIVER_TEST_IN(the_detail_says_which_attempt_it_is, open_here, 50, 80),
        DRIVER_TEST_IN(the_detail_of_another_user_has_its_own, open_here, 50, 80),
        DRIVER_TEST_IN(a_search_finds_what_stands_in_the_second_column, open_here, 40, 120),
        cmocka_unit_test(without_a_cache_the_rows_read_are_counted),
    };
    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
