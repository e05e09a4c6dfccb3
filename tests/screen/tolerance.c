/* What a tolerant console shows (variations A to F): odd values in their places, waits that freeze nothing. */
#include "base/mem.h"
#include "support/driver.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { ROWS = 60, COLS = 109 };

static void expect(struct driver *driver, const char *text) {
    if (!driver_sees(driver, text)) {
        char *dump = driver_dump(driver);
        print_error("%s\n", dump);
        free(dump);
        fail_msg("does not show: %s", text);
    }
}

static bool line_is(const char *line, const char *label, const char *value) {
    size_t len = strlen(label);
    line += strspn(line, " ");
    return strncmp(line, label, len) == 0 && line[len] == ' ' &&
           strncmp(line + len + strspn(line + len, " "), value, strlen(value)) == 0;
}

/* A row of the screen that begins with the label and goes on with the value. */
static void expect_field(struct driver *driver, const char *label, const char *value) {
    char *dump = driver_dump(driver);
    const char *line = dump;
    while (line && !line_is(line, label, value)) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line)
        fail_msg("no %s that begins with %s in:\n%s", label, value, dump);
    free(dump);
}

/* One intent, its whole detail on show. */
static void open_detail(struct driver *driver, enum money_unit unit, const char *intent) {
    struct str body;
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    str_init(&body, 1 << 20);
    profile->amount_unit = unit;
    driver_open_profile(driver, profile, ROWS, COLS);
    str_addf(&body, "{\"data\":[%s]}", intent);
    driver_answer(driver, body.s);
    str_clear(&body);
    driver_key(driver, "z");
}

struct field {
    const char *label, *value;
};

static void expect_detail(enum money_unit unit, const char *intent, const struct field *fields, size_t n) {
    struct driver driver;
    open_detail(&driver, unit, intent);
    for (size_t i = 0; i < n; i++)
        expect_field(&driver, fields[i].label, fields[i].value);
    driver_close(&driver);
}

static void variation_f1_f2_null_absent_odd_empty_and_unknown_differ(void **state) {
    (void)state;
    static const struct field FIELDS[] = {
        {"status", "null"},          {"direction", "[[1, 2]]"}, {"user_id", "[false]"},      {"amount", "[\"x\"]"},
        {"currency", "–"},           {"rail", "pigeon"},        {"is_archived", "[\"no\"]"}, {"type", "wallet"},
        {"created_at", "[[\"{\"]]"}, {"decline_category", "–"},
    };
    expect_detail(
        MONEY_RAW,
        "{\"id\":\"i1\",\"created_at\":[\"{\"],\"status\":null,\"rail\":\"pigeon\",\"direction\":[1, 2],"
        "\"user_id\":false,\"amount\":\"x\",\"type\":\"wallet\",\"payment_credential\":{\"is_archived\":\"no\"}}",
        FIELDS, COUNT_OF(FIELDS));
}

static void variation_f2_an_unknown_status_is_shown_as_served_in_list_and_detail(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, "{\"data\":[{\"id\":\"i1\",\"status\":\"frozen\"},{\"id\":\"i2\",\"status\":7},"
                          "{\"id\":\"i3\",\"status\":null}]}");
    expect(driver, "? frozen");
    expect(driver, "? 7");
    expect(driver, "? –");
    driver_key(driver, "z");
    expect_field(driver, "status", "frozen");
}

static void variation_f3_unknown_fields_are_counted_and_in_the_raw_view(void **state) {
    struct driver *driver = driver_begin(state);
    open_detail(driver, MONEY_RAW, "{\"id\":\"i1\",\"fee\":{\"amount\":5},\"payment_credential\":{\"wallet\":\"w\"}}");
    expect(driver, "2 fields the interface does not name: J shows them");
    driver_key(driver, "J");
    expect(driver, "\"fee\": {");
    expect(driver, "\"wallet\": \"w\"");
}

static void variation_f4_numbers_are_shown_to_the_last_digit(void **state) {
    (void)state;
    static const struct {
        const char *served, *detail, *list;
    } NUMBERS[] = {
        {"9223372036854775807", "9223372036854775807", "9,223,372,036,854,775,807"},
        {"9007199254740993", "9007199254740993", "9,007,199,254,740,993"},
        {"-9223372036854775808", "-9223372036854775808", "-9,223,372,036,854,775,808"},
        {"9223372036854775808", "[9223372036854775808]", "[9223372036854775808]"},
        {"5000.10", "[5000.10]", "[5000.10]"},
        {"1e3", "[1e3]", "[1e3]"},
        {"0", "0", " 0 "},
    };
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++) {
        struct driver driver;
        char intent[256];
        (void)snprintf(intent, sizeof intent, "{\"id\":\"i1\",\"currency\":\"USD\",\"amount\":%s}", NUMBERS[i].served);
        open_detail(&driver, MONEY_MINOR, intent);
        expect_field(&driver, "amount", NUMBERS[i].detail);
        driver_close(&driver);
        open_detail(&driver, MONEY_RAW, intent);
        driver_key(&driver, "z");
        expect(&driver, NUMBERS[i].list);
        driver_close(&driver);
    }
}

static void variation_f5_amounts_are_formatted_only_where_the_profile_and_the_currency_tell_how(void **state) {
    (void)state;
    static const struct {
        enum money_unit unit;
        const char *served, *shown;
    } AMOUNTS[] = {
        {MONEY_MINOR, "\"amount\":\"123456\",\"currency\":\"USD\"", "123456  = 1,234.56 USD"},
        {MONEY_MINOR, "\"amount\":{\"amount\":123456,\"currency\":\"USD\"}", "123456  = 1,234.56 USD"},
        {MONEY_MINOR, "\"amount\":{\"value\":\"-5\",\"currency\":\"EUR\"}", "-5  = -0.05 EUR"},
        {MONEY_MINOR, "\"amount\":123456,\"currency\":\"JPY\"", "123456  = 123,456 JPY"},
        {MONEY_MINOR, "\"amount\":123456,\"currency\":\"KWD\"", "123456  = 123.456 KWD"},
        {MONEY_MINOR, "\"amount\":123456,\"currency\":\"ZZZ\"", "123456  (raw: the decimals of ZZZ are not known)"},
        {MONEY_MINOR, "\"amount\":123456", "123456  (raw: no currency)"},
        {MONEY_MAJOR, "\"amount\":123456,\"currency\":\"USD\"", "123456  = 123,456 USD"},
        {MONEY_RAW, "\"amount\":123456,\"currency\":\"USD\"", "123456\n"},
        {MONEY_MINOR, "\"amount\":{\"value\":1.5},\"currency\":\"USD\"", "[{\"value\":1.5}]"},
    };
    for (size_t i = 0; i < COUNT_OF(AMOUNTS); i++) {
        char intent[256];
        struct field field = {"amount", AMOUNTS[i].shown};
        (void)snprintf(intent, sizeof intent, "{\"id\":\"i1\",%s}", AMOUNTS[i].served);
        expect_detail(AMOUNTS[i].unit, intent, &field, 1);
    }
}

static void open_money(struct driver *driver, const char *intents) {
    struct str body;
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    str_init(&body, 1 << 20);
    profile->amount_unit = MONEY_MINOR;
    (void)vec_add(&profile->exponents);
    (void)vec_add(&profile->exponents);
    profile->exponents.n = 1;
    profile->exponents.items[0] = mem_dup("USDC=6");
    profile->exponents.items[1] = NULL;
    driver_open_profile(driver, profile, ROWS, COLS);
    str_addf(&body, "{\"data\":[%s]}", intents);
    driver_answer(driver, body.s);
    str_clear(&body);
}

static void f32_raw_integers_are_marked_and_codes_are_whole_in_the_list(void **state) {
    struct driver *driver = driver_begin(state);
    open_money(driver, "{\"id\":\"i1\",\"amount\":5000,\"currency\":\"usd\"},{\"id\":\"i2\",\"amount\":5000,"
                       "\"currency\":\"USD\"},{\"id\":\"i3\",\"amount\":1234567,\"currency\":\"USDC\"},"
                       "{\"id\":\"i4\",\"amount\":7,\"currency\":\"LONGCOIN\"},{\"id\":\"i5\",\"amount\":9}");
    expect(driver, "5,000 raw usd ");
    expect(driver, "50.00 USD ");
    expect(driver, "1.234567 USDC ");
    expect(driver, "7 raw LONGCOIN ");
    expect(driver, "9 raw ");
}

static void f31_conflicts_are_shown_raw_in_list_and_detail(void **state) {
    static const struct field FIELDS[] = {{"amount", "[{\"value\":5,\"currency\":\"EUR\"}]"},
                                          {"currency", "USD"},
                                          {"guarantee_amount", "[{\"value\":4,\"currency\":\"GBP\"}]"}};
    struct driver *driver = driver_begin(state);
    open_money(driver, "{\"id\":\"i1\",\"currency\":\"USD\",\"amount\":{\"value\":5,\"currency\":\"EUR\"},"
                       "\"guarantee_amount\":{\"value\":4,\"currency\":\"GBP\"}}");
    expect(driver, "[{\"value\":5,\"currency\":\"EU");
    driver_key(driver, "z");
    for (size_t i = 0; i < COUNT_OF(FIELDS); i++)
        expect_field(driver, FIELDS[i].label, FIELDS[i].value);
}

static void f87_an_integer_says_how_it_is_read(void **state) {
    static const char ROWS_OF[] = "{\"data\":[{\"id\":\"i1\",\"amount\":5412,\"currency\":\"USD\"}]}";
    struct driver *driver = driver_begin(state);
    open_money(driver, "{\"id\":\"i1\",\"amount\":5412,\"currency\":\"USD\"}");
    driver_resize(driver, 24, 80);
    driver_try(driver, "/ 'amount>50' Enter",
               "amount>50 is the integer as served; in the currency's unit: amount>50.00");
    looker_answer(driver, ROWS_OF, true);
    driver_keys(driver, "/ Ctrl-U 'amount:45..60' Enter");
    looker_answer(driver, ROWS_OF, true);
    driver_keys(driver, "j");
    driver_shows(driver, "integers are as served; amount:45.00..60.00 would find some", "no intent");
    driver_resize(driver, 24, 50);
    driver_shows(driver, "integers are as served;", "would find some", "no intent");
}

static void f88_guarantee_transactions_and_refund_have_the_unit_too(void **state) {
    struct driver *driver = driver_begin(state);
    open_money(
        driver,
        "{\"id\":\"i1\",\"amount\":9487,\"guarantee_amount\":9000,\"currency\":\"USD\",\"transactions\":"
        "[{\"id\":\"t1\",\"amount\":9111,\"currency\":\"USD\"},{\"id\":\"t2\",\"amount\":77,\"currency\":\"JPY\"},"
        "{\"id\":\"t3\",\"amount\":66}],\"refund\":{\"refunded_amount\":487,\"fee\":{\"value\":300,\"currency\":"
        "\"KWD\"},"
        "\"amount\":\"12\",\"count\":3}}");
    driver_key(driver, "z");
    expect_field(driver, "amount", "9487  = 94.87 USD");
    expect_field(driver, "guarantee_amount", "9000  = 90.00 USD");
    expect(driver, "91.11 (9111)");
    expect(driver, "77 (77)");
    expect(driver, "66 raw");
    expect_field(driver, "refunded_amount", "487  = 4.87 USD");
    expect_field(driver, "value", "300  = 0.300 KWD");
    expect_field(driver, "count", "3\n");
}

static void f34_list_detail_and_parts_agree_on_a_record(void **state) {
    (void)state;
    static const char *const VALUES[] = {"\"open\"", "[1]", "7", "{}", "false", "[]", "\"\"", "null"};
    for (size_t i = 0; i < COUNT_OF(VALUES); i++) {
        struct driver driver;
        char intent[200];
        bool there = i < 4;
        (void)snprintf(intent, sizeof intent, "{\"id\":\"i1\",\"bank\":1,\"refund\":%s}", VALUES[i]);
        open_money(&driver, intent);
        assert_int_equal(driver_sees(&driver, " R "), there);
        driver_key(&driver, "z");
        driver_close(&driver);
    }
}

static void variation_f6_times_of_every_spelling_are_the_same_instant_in_the_list(void **state) {
    (void)state;
    static const char *const TIMES[] = {
        "\"2026-01-02T03:04:05Z\"",
        "\"2026-01-02T03:04:05.0Z\"",
        "\"2026-01-02T03:04:05.123456789Z\"",
        "\"2026-01-02 03:04:05Z\"",
        "\"2026-01-02T05:34:05+02:30\"",
        "1767323045",
        "1767323045123",
        "\"1767323045\"",
        "\"2026-01-01T23:04:05.5-04:00\"",
    };
    for (size_t i = 0; i < COUNT_OF(TIMES); i++) {
        struct driver driver;
        char body[256];
        (void)snprintf(body, sizeof body, "{\"data\":[{\"id\":\"i1\",\"created_at\":%s}]}", TIMES[i]);
        driver_open(&driver, ROWS, COLS);
        driver_answer(&driver, body);
        expect(&driver, "2026-01-02 03:04:05");
        driver_close(&driver);
    }
}

static void variation_f6_what_is_no_time_is_shown_as_received(void **state) {
    (void)state;
    static const char *const TIMES[][2] = {{"\"yesterday\"", "yesterday"},
                                           {"\"2026-13-45T99:00:00Z\"", "2026-13-45T99:00:"},
                                           {"12", "12"},
                                           {"true", "true"}};
    for (size_t i = 0; i < COUNT_OF(TIMES); i++) {
        struct driver driver;
        char body[256];
        (void)snprintf(body, sizeof body, "{\"data\":[{\"id\":\"i1\",\"created_at\":%s}]}", TIMES[i][0]);
        driver_open(&driver, ROWS, COLS);
        driver_answer(&driver, body);
        expect(&driver, TIMES[i][1]);
        driver_key(&driver, "z");
        expect(&driver, TIMES[i][1]);
        driver_close(&driver);
    }
}

/* In November: what a zone is called today says nothing of a time of July. */
static void f49_every_row_shows_the_offset_of_its_own_moment(void **state) {
    (void)state;
    static const struct {
        const char *zone, *july, *november;
    } ZONES[] = {{"Europe/Berlin", "2026-07-19 21:26:05 +02:00", "2026-11-20 10:00:05 +01:00"},
                 {"America/St_Johns", "2026-07-19 16:56:05 -02:30", "2026-11-20 05:30:05 -03:30"},
                 {"UTC-5", "2026-07-20 00:26:05 +05:00", "2026-11-20 14:00:05 +05:00"}};
    for (size_t i = 0; i < COUNT_OF(ZONES); i++) {
        struct driver driver;
        assert_int_equal(setenv("TZ", ZONES[i].zone, 1), 0);
        tzset();
        driver_open(&driver, ROWS, COLS);
        driver_answer(&driver, "{\"data\":[{\"id\":\"i1\",\"created_at\":\"2026-11-20T09:00:05Z\"},{\"id\":\"i2\","
                               "\"created_at\":\"2026-07-19T19:26:05Z\"}]}");
        driver_key(&driver, "t");
        expect(&driver, "created local");
        expect(&driver, ZONES[i].november);
        expect(&driver, ZONES[i].july);
        driver_keys(&driver, "j Enter");
        expect(&driver, ZONES[i].july);
        driver_close(&driver);
    }
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
}

/* Each between two others by its own digits, whatever the zone on show. */
static void f51_a_time_without_a_zone_is_shown_as_received_and_marked(void **state) {
    (void)state;
    static const char *const TIMES[] = {"2026-07-01", "2026-07-01T00:15:00", "2026-07-01 23:45:07",
                                        "2026-07-01 23:45:07.125"};
    for (size_t i = 0; i < COUNT_OF(TIMES); i++) {
        struct driver driver;
        char body[256], shown[64], whole[128];
        (void)snprintf(body, sizeof body,
                       "{\"data\":[{\"id\":\"i1\",\"created_at\":\"%s\",\"account\":{\"created_at\":\"%s\"}}]}",
                       TIMES[i], TIMES[i]);
        (void)snprintf(shown, sizeof shown, "?%s", TIMES[i]); /* every digit of it */
        (void)snprintf(whole, sizeof whole, "%s  (as received: it says no time zone)", TIMES[i]);
        assert_int_equal(setenv("TZ", "America/New_York", 1), 0);
        tzset();
        driver_open(&driver, ROWS, COLS);
        driver_answer(&driver, body);
        expect(&driver, shown);
        driver_key(&driver, "t");
        expect(&driver, shown);
        driver_key(&driver, "Enter");
        expect_field(&driver, "created_at", whole);
        driver_close(&driver);
    }
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
}

static void variation_f7_f8_dates_masks_and_routing_are_text(void **state) {
    static const struct field FIELDS[] = {
        {"card.expiration", "07/27"},
        {"card.primary_account_number_mask", "42"},
        {"account.number_mask", "0042"},
        {"account.routing", "011000015"},
    };
    static const char INTENT[] =
        "{\"id\":17,\"created_at\":\"2026-03-01T02:00:00Z\",\"payment_credential\":{\"account\":{\"number_mask\":"
        "\"0042\",\"routing\":\"011000015\"},"
        "\"card\":{\"primary_account_number_mask\":42,\"expiration\":\"07/27\"}},\"transactions\":[{\"id\":\"t1\","
        "\"date\":\"2026-03-01\",\"created_at\":\"2026-03-01T02:00:00Z\"}]}";
    struct driver *driver = driver_begin(state);
    expect_detail(MONEY_RAW, INTENT, FIELDS, COUNT_OF(FIELDS));
    open_detail(driver, MONEY_RAW, INTENT);
    assert_int_equal(setenv("TZ", "Etc/GMT+9", 1), 0);
    tzset();
    driver_key(driver, "t");
    expect_field(driver, "created_at", "2026-03-01T02:00:00Z  (2026-02-28 17:00:00");
    expect(driver, "  2026-03-01  ");
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
}

static void variation_f9_text_that_would_steer_a_terminal_is_spelled_out(void **state) {
    struct driver *driver = driver_begin(state);
    open_detail(driver, MONEY_RAW,
                "{\"id\":\"i\\u001b]0;x\\u0007\",\"payment_credential\":{\"bank_name\":\"a\\u202eb\\u009bc\\r\\nd\"}}");
    expect_field(driver, "id", "i<1B>]0;x<07>");
    expect_field(driver, "bank_name", "a<202E>b<9B>c");
}

static void variation_f10_a14_a_broken_row_is_a_row_and_hides_no_other(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, "{\"data\":[{\"id\":\"i1\",\"id\":\"i2\"},{\"id\":\"i3\",\"rail\":\"\\ud800\"},"
                          "{\"id\":\"i4\",\"status\":\"pending\"}]}");
    expect(driver, "1 of 3");
    expect(driver, "2 broken");
    expect(driver, "P pending");
}

/* ---- waiting ---- */

static const char PAGE[] = "{\"data\":[{\"id\":\"i1\"},{\"id\":\"i2\"},{\"id\":\"i3\"}],\"next_cursor\":\"c\"}";

static bool retry_is_set(const struct driver *driver, int64_t *at) {
    bool found = false;
    for (size_t i = 0; i < driver->effects.n; i++) {
        const struct effect *effect = &driver->effects.items[i];
        if (effect->kind == EFFECT_TIMER && effect_get(effect, timer_ask)->timer == TIMER_RETRY) {
            *at = effect_get(effect, timer_ask)->at;
            found = true;
        }
    }
    return found;
}

static void throttled(struct driver *driver) {
    driver_open(driver, ROWS, COLS);
    driver_answer(driver, PAGE);
    driver_forget(driver);
    driver_key(driver, "r");
    driver_fail(driver, ERR_THROTTLED, "429: the service asks to wait", DRIVER_NOW + 12000);
}

static void variation_d5_a_wait_counts_down_while_keys_go_on(void **state) {
    struct driver *driver = driver_begin(state);
    throttled(driver);
    expect(driver, "12 s to go, Esc cancels. 429: the service asks to wait");
    expect(driver, "told to wait");
    driver_timer(driver, TIMER_COUNTDOWN, 1000);
    expect(driver, "11 s to go");
    driver_key(driver, "j");
    expect(driver, "2 of 3");
    driver_key(driver, "z");
    expect_field(driver, "id", "i2");
    driver_key(driver, "z");
    driver_timer(driver, TIMER_COUNTDOWN, 4000);
    expect(driver, "7 s to go");
    size_t before = driver->fetches;
    driver_timer(driver, TIMER_RETRY, 7000);
    assert_int_equal(driver->fetches, before + 1);
    driver_answer(driver, PAGE);
    expect(driver, "online");
    driver_hides(driver, "to go");
    expect(driver, "2 of 3");
}

static void variation_d5_escape_cancels_the_wait(void **state) {
    struct driver *driver = driver_begin(state);
    int64_t at = 0;
    throttled(driver);
    assert_true(retry_is_set(driver, &at));
    assert_true(at == DRIVER_NOW + 12000);
    driver_key(driver, "Esc");
    assert_true(retry_is_set(driver, &at));
    assert_true(at == CLOCK_NONE);
    driver_hides(driver, "to go");
    size_t before = driver->fetches;
    driver_timer(driver, TIMER_RETRY, 12000);
    assert_int_equal(driver->fetches, before);
    driver_key(driver, "r");
    assert_int_equal(driver->fetches, before + 1);
}

static void k85_the_account_stands_beside_the_profile(void **state) {
    struct driver *driver = driver_begin(state);
    struct profile *profile = profile_new("live", "production", "https://api.example.com");
    free(profile->account);
    profile->account = mem_dup("acme-eu");
    driver_open_profile(driver, profile, ROWS, COLS);
    expect(driver, "PRODUCTION  live acme-eu r");
}

static void variation_d5_a_wait_too_long_is_left_to_the_operator(void **state) {
    struct driver *driver = *state;
    int64_t at;
    driver_fail(driver, ERR_THROTTLED, "429: the service asks to wait", DRIVER_NOW + 24 * 3600 * 1000);
    expect(driver, "60 min to go, r asks again");
    assert_false(retry_is_set(driver, &at));
}

static void variation_d7_what_is_left_is_shown_once_it_is_low(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, PAGE);
    driver_hides(driver, "left");
    driver->quota_left = 500;
    driver->now += 1000;
    driver_key(driver, "r");
    driver_answer(driver, PAGE);
    driver_hides(driver, "left");
    driver->quota_left = 17;
    driver->now += 1000;
    driver_key(driver, "r");
    driver_answer(driver, PAGE);
    expect(driver, "17 requests left");
    driver->quota_left = -1;
    driver->now += 1000;
    driver_key(driver, "r");
    driver_answer(driver, PAGE);
    expect(driver, "17 requests left");
    driver_resize(driver, 24, 80);
    expect(driver, "17 requests left");
    expect(driver, "1 Intents");
    driver->quota_left = 1;
    driver->now += 1000;
    driver_key(driver, "r");
    driver_answer(driver, PAGE);
    expect(driver, "1 request left");
}

static bool says_left(int per_hour, int64_t left) {
    struct driver driver;
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    profile->requests_per_hour = per_hour;
    driver_open_profile(&driver, profile, ROWS, COLS);
    driver.quota_left = left;
    driver_answer(&driver, PAGE);
    bool says = driver_sees(&driver, " left");
    driver_close(&driver);
    return says;
}

static void variation_d7_low_is_below_a_hundred_or_a_tenth_of_the_hours(void **state) {
    (void)state;
    assert_true(says_left(0, 99));
    assert_false(says_left(0, 100));
    assert_true(says_left(5000, 499));
    assert_false(says_left(5000, 500));
    assert_false(says_left(1000, -1));
}

static void a12_a_refused_cursor_keeps_the_rows_and_offers_the_start(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, PAGE);
    driver_key(driver, "G");
    driver_refuse_cursor(driver, "400: the cursor has expired");
    expect(driver, "R reads again from the first page. 400: the cursor has expired");
    expect(driver, "3 of 3");
}

static void b5_a_filter_that_was_ignored_or_gave_nothing_is_said(void **state) {
    (void)state;
    struct driver driver;
    driver_open(&driver, ROWS, COLS);
    driver_answer(&driver, PAGE);
    driver_keys(&driver, "f Space Enter");
    driver_answer(&driver, "{\"data\":[{\"id\":\"i1\",\"status\":\"pending\"}]}");
    expect(&driver, "the service did not apply the filter");
    driver_key(&driver, "r");
    driver_close(&driver);
    driver_open(&driver, ROWS, COLS);
    driver_answer(&driver, PAGE);
    driver_keys(&driver, "f Space Enter");
    driver_answer(&driver, "{\"data\":[]}");
    expect(&driver, "status:created");
    expect(&driver, "no intent matches the filter");
    driver_close(&driver);
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, driver_open, ROWS, COLS)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        AFTER_SET_UP(a12_a_refused_cursor_keeps_the_rows_and_offers_the_start),
        cmocka_unit_test(b5_a_filter_that_was_ignored_or_gave_nothing_is_said),
        DRIVER_TEST(variation_d5_a_wait_counts_down_while_keys_go_on),
        DRIVER_TEST(variation_d5_escape_cancels_the_wait),
        DRIVER_TEST(k85_the_account_stands_beside_the_profile),
        AFTER_SET_UP(variation_d5_a_wait_too_long_is_left_to_the_operator),
        cmocka_unit_test(variation_d7_low_is_below_a_hundred_or_a_tenth_of_the_hours),
        AFTER_SET_UP(variation_d7_what_is_left_is_shown_once_it_is_low),
        cmocka_unit_test(variation_f1_f2_null_absent_odd_empty_and_unknown_differ),
        AFTER_SET_UP(variation_f2_an_unknown_status_is_shown_as_served_in_list_and_detail),
        DRIVER_TEST(variation_f3_unknown_fields_are_counted_and_in_the_raw_view),
        cmocka_unit_test(variation_f4_numbers_are_shown_to_the_last_digit),
        cmocka_unit_test(variation_f5_amounts_are_formatted_only_where_the_profile_and_the_currency_tell_how),
        DRIVER_TEST(f31_conflicts_are_shown_raw_in_list_and_detail),
        DRIVER_TEST(f32_raw_integers_are_marked_and_codes_are_whole_in_the_list),
        cmocka_unit_test(f34_list_detail_and_parts_agree_on_a_record),
        DRIVER_TEST(f87_an_integer_says_how_it_is_read),
        DRIVER_TEST(f88_guarantee_transactions_and_refund_have_the_unit_too),
        cmocka_unit_test(variation_f6_times_of_every_spelling_are_the_same_instant_in_the_list),
        cmocka_unit_test(variation_f6_what_is_no_time_is_shown_as_received),
        cmocka_unit_test(f51_a_time_without_a_zone_is_shown_as_received_and_marked),
        cmocka_unit_test(f49_every_row_shows_the_offset_of_its_own_moment),
        DRIVER_TEST(variation_f7_f8_dates_masks_and_routing_are_text),
        DRIVER_TEST(variation_f9_text_that_would_steer_a_terminal_is_spelled_out),
        AFTER_SET_UP(variation_f10_a14_a_broken_row_is_a_row_and_hides_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
