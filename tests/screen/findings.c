/* The findings of the record on show: hints, each with what it rests on. */
#include "app/related.h"
#include "base/mem.h"
#include "support/driver.h"
#include "support/finding_rows.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct effect *asked(const struct driver *driver) {
    const struct effect *last = NULL;
    for (size_t i = 0; i < driver->effects.n; i++)
        if (driver->effects.items[i].kind == EFFECT_RELATED)
            last = &driver->effects.items[i];
    return last;
}

/* As answered to what was asked last. */
static void tell(struct driver *driver, uint64_t ticket, const struct finding_other *others, size_t n) {
    struct related *related = related_new();
    for (size_t i = 0; i < n; i++)
        *vec_add(related) = others[i];
    struct event event = {.kind = EVENT_RELATED, .ticket = ticket, .payload = payload_of(related, related)};
    driver_event(driver, &event);
}

/* All there are. */
static const char EVERYTHING[] =
    "{\"id\":\"int_1\",\"created_at\":\"2026-11-20T10:00:00.000Z\",\"direction\":\"cash_in\",\"user_id\":\"usr_1\","
    "\"amount\":10000,\"guarantee_amount\":12000,\"currency\":\"USD\",\"status\":\"approved\",\"decline_category\":"
    "null,"
    "\"transactions\":[" FINDING_TX("tx_1", "5000", "USD", "pending", "fee", "int_2") "," FINDING_TX(
        "tx_2", "4000", "EUR", "failed", "intent", "int_1") "],\"dispute\":null,\"refund\":null,"
                                                            "\"payment_credential\":{\"id\":\"c1\",\"bank_name\":"
                                                            "\"Example\",\"is_archived\":true,\"card\":{\"expiration\":"
                                                            "\"2026-01-31\"}},\"rail\":\"card\",\"type\":\"wallet\"}";
static const struct finding_other OTHERS[] = {{FINDING_TWICE, "int_7", -1500}, {FINDING_SOURCE, "int_2", 0}};

static void answer(struct driver *driver, const char *row, const char *more) {
    struct str body;
    str_init(&body, 1 << 20);
    str_addf(&body, "{\"data\":[%s%s]}", row, more);
    driver_answer(driver, body.s);
    str_clear(&body);
}

static void open_everything(struct driver *driver, int rows, int cols) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    profile->amount_unit = MONEY_MINOR;
    driver_open_profile(driver, profile, rows, cols);
    answer(driver, EVERYTHING, "");
    driver_key(driver, "z");
    assert_non_null(asked(driver));
    tell(driver, asked(driver)->ticket, OTHERS, COUNT_OF(OTHERS));
}

static void the_group_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("findings", "80x24 120x40 200x50", open_everything, "");
}

static void open_rows(struct driver *driver, const char *first, const char *second) {
    driver_open(driver, 40, 120);
    answer(driver, first, second);
    driver_key(driver, "z");
}

static void a_record_without_any_has_no_group(void **state) {
    struct driver driver;
    (void)state;
    open_rows(&driver, FINDING_ROWS[1], "");
    tell(&driver, asked(&driver)->ticket, NULL, 0);
    driver_hides(&driver, "findings:");
    driver_close(&driver);
}

static void what_rests_on_others_comes_with_the_answer_for_this_record(void **state) {
    struct driver driver;
    struct str second;
    (void)state;
    str_init(&second, 1 << 16);
    str_addf(&second, ",%s", FINDING_ROWS[3]);
    open_rows(&driver, FINDING_ROWS[1], second.s);
    uint64_t first = asked(&driver)->ticket;
    assert_string_equal(effect_get(asked(&driver), lookup_name)->id, "sum-miss");
    driver_keys(&driver, "Esc j z");
    driver_timer(&driver, TIMER_FOLLOW, 1000);
    assert_string_equal(effect_get(asked(&driver), lookup_name)->id, "currency-miss");
    tell(&driver, first, OTHERS, COUNT_OF(OTHERS)); /* late */
    driver_hides(&driver, "findings:");
    tell(&driver, asked(&driver)->ticket, OTHERS, 1);
    driver_shows(&driver, "findings: hints to look at",
                 "twice: its user, amount and currency came twice within a minute", "intent int_7, 1.500 s before");
    str_clear(&second);
    driver_close(&driver);
}

/* Rows came, changed or went: what is known stays on show until it is known anew. */
static void rows_that_come_make_and_unmake_them(void **state) {
    struct driver driver;
    struct event moved = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){false})};
    (void)state;
    open_rows(&driver, FINDING_ROWS[1], "");
    tell(&driver, asked(&driver)->ticket, OTHERS, 1);
    driver_forget(&driver);
    driver_event(&driver, &moved);
    driver_shows(&driver, "intent int_7, 1.500 s before");
    assert_non_null(asked(&driver));
    tell(&driver, asked(&driver)->ticket, NULL, 0);
    driver_hides(&driver, "findings:");
    driver_close(&driver);
}

/* T1: what the service and the cache say is text. */
static void hostile_values_are_text(void **state) {
    static const char HOSTILE[] =
        "{\"id\":\"int_1\",\"created_at\":\"2026-11-20T10:00:00.000Z\",\"user_id\":\"u\",\"amount\":5,\"currency\":"
        "\"U\\u001b[2JD\",\"status\":\"a\\u001b]0;x\\u0007\\nb%s%n\",\"type\":\"\\u202eepyt\",\"transactions\":[{"
        "\"id\":"
        "\"\\r\\u001b[1;1H\",\"currency\":\"E\\u007FR\",\"amount\":1},{\"id\":{\"a\":[1]},\"currency\":\"\\u009b2J\"},"
        "7,"
        "null,\"x\"]}";
    const struct finding_other others[] = {{FINDING_TWICE, "int_<1B>[2J", 1}};
    struct driver driver;
    (void)state;
    open_rows(&driver, HOSTILE, "");
    tell(&driver, asked(&driver)->ticket, others, COUNT_OF(others));
    driver_check(&driver, "findings-hostile-120x40");
    char *dump = driver_dump(&driver);
    for (const char *at = dump; *at; at++)
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
    free(dump);
    driver_close(&driver);
}

static void huge_numbers_stay_exact(void **state) {
    static const char HUGE_SUM[] =
        "{\"id\":\"int_1\",\"created_at\":\"2026-11-20T10:00:00.000Z\",\"amount\":1,\"currency\":\"JPY\",\"status\":"
        "\"pending\",\"transactions\":[{\"id\":\"a\",\"amount\":9223372036854775807,\"currency\":\"JPY\",\"status\":"
        "\"settled\",\"type\":\"intent\"},{\"id\":\"b\",\"amount\":9223372036854775807,\"currency\":\"JPY\",\"status\":"
        "\"settled\",\"type\":\"intent\"}]}";
    static const char BEYOND[] =
        "{\"id\":\"int_1\",\"created_at\":\"2026-11-20T10:00:00.000Z\",\"amount\":99999999999999999999,\"currency\":"
        "\"JPY\",\"guarantee_amount\":99999999999999999999,\"status\":\"pending\",\"transactions\":[{\"id\":\"a\","
        "\"amount\":1e400,\"currency\":\"JPY\",\"status\":\"settled\",\"type\":\"intent\"}]}";
    struct driver driver;
    (void)state;
    open_rows(&driver, HUGE_SUM, "");
    driver_shows(&driver, "18,446,744,073,709,551,614 in 2 transactions of type intent, the amount");
    driver_close(&driver);
    open_rows(&driver, BEYOND, "");
    driver_hides(&driver, "findings:");
    driver_close(&driver);
}

/* A text for a ticket keeps back what the summary keeps back. */
static void a_summary_says_them_as_hints(void **state) {
    struct driver driver;
    (void)state;
    open_everything(&driver, 40, 120);
    driver_keys(&driver, "Esc Y Enter");
    const char *text = driver_copy(&driver)->text;
    assert_non_null(strstr(text, "hint          more is guaranteed than the amount (120.00 guaranteed, the amount is "
                                 "100.00 USD)\n"));
    assert_non_null(strstr(text,
                           "hint          its user, amount and currency came twice within a minute (intent int_7, "
                           "1.500 s before)\n"));
    assert_non_null(strstr(text, "(is_archived is true, the card had expired, created 2026-11-20T10:00:00.000Z)\n"));
    assert_null(strstr(text, "2026-01-31"));
    driver_close(&driver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_group_at_every_size),
        cmocka_unit_test(a_record_without_any_has_no_group),
        cmocka_unit_test(what_rests_on_others_comes_with_the_answer_for_this_record),
        cmocka_unit_test(rows_that_come_make_and_unmake_them),
        cmocka_unit_test(hostile_values_are_text),
        cmocka_unit_test(huge_numbers_stay_exact),
        cmocka_unit_test(a_summary_says_them_as_hints),
    };
    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
