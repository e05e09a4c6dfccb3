#include "base/clock.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define NOT_A_TIME INT64_C(-77)

static const struct {
    const char *text;
    int64_t ms;
} times[] = {
    {"1970-01-01T00:00:00Z", 0},
    {"1970-01-01", 0},
    {"2026-11-28T10:30:05Z", INT64_C(1795861805000)},
    {"2026-11-28t10:30:05z", INT64_C(1795861805000)},
    {"2026-11-28 10:30:05Z", INT64_C(1795861805000)},
    {"2026-11-28T10:30:05.0Z", INT64_C(1795861805000)},
    {"2026-11-28T10:30:05.1Z", INT64_C(1795861805100)},
    {"2026-11-28T10:30:05.123Z", INT64_C(1795861805123)},
    {"2026-11-28T10:30:05.123456Z", INT64_C(1795861805123)},
    {"2026-11-28T10:30:05.999999999Z", INT64_C(1795861805999)},
    {"2026-11-28T12:30:05+02:00", INT64_C(1795861805000)},
    {"2026-11-28T12:30:05+0200", INT64_C(1795861805000)},
    {"2026-11-28T12:30:05+02", INT64_C(1795861805000)},
    {"2026-11-28T05:00:05-05:30", INT64_C(1795861805000)},
    {"2026-11-28T10:30:05-00:00", INT64_C(1795861805000)},
    {"2024-02-29T00:00:00Z", INT64_C(1709164800000)},
    {"2000-02-29T00:00:00Z", INT64_C(951782400000)},
    {"1969-12-31T23:59:59.999Z", -1},
    {"0000-01-01T00:00:00Z", INT64_C(-62167219200000)},
    {"9999-12-31T23:59:59.999Z", INT64_C(253402300799999)},
    {"2016-12-31T23:59:60Z", INT64_C(1483228800000)},
    {"2026-11-28T10:30:05", NOT_A_TIME},
    {"2026-11-28T10:30:05.Z", NOT_A_TIME},
    {"2026-11-28T10:30:05.1234567890Z", NOT_A_TIME},
    {"2026-11-28T10:30Z", NOT_A_TIME},
    {"2026-11-28T24:00:00Z", NOT_A_TIME},
    {"2026-11-28T10:60:00Z", NOT_A_TIME},
    {"2026-11-28T10:30:61Z", NOT_A_TIME},
    {"2026-11-28T10:30:05+24:00", NOT_A_TIME},
    {"2026-11-28T10:30:05+02:60", NOT_A_TIME},
    {"2026-11-28T10:30:05+02:", NOT_A_TIME},
    {"2026-11-28T10:30:05+2:00", NOT_A_TIME},
    {"2026-11-28T10:30:05Zx", NOT_A_TIME},
    {"2026-11-28 ", NOT_A_TIME},
    {" 2026-11-28", NOT_A_TIME},
    {"2023-02-29", NOT_A_TIME},
    {"1900-02-29", NOT_A_TIME},
    {"2026-00-10", NOT_A_TIME},
    {"2026-13-10", NOT_A_TIME},
    {"2026-04-31", NOT_A_TIME},
    {"2026-04-00", NOT_A_TIME},
    {"2026-4-1", NOT_A_TIME},
    {"26-04-01", NOT_A_TIME},
    {"12026-04-01", NOT_A_TIME},
    {"-026-04-01", NOT_A_TIME},
    {"28.11.2026", NOT_A_TIME},
    {"", NOT_A_TIME},
    {"1795861805", NOT_A_TIME},
};

static void check_times(void) {
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        int64_t ms = NOT_A_TIME;
        bool is_time = clock_parse(times[i].text, strlen(times[i].text), &ms);
        if (is_time != (times[i].ms != NOT_A_TIME) || ms != times[i].ms)
            fail_msg("%s gave %lld", times[i].text, (long long)ms);
    }
}

static void times_of_every_accepted_form_are_read(void **state) {
    (void)state;
    check_times();
    /* A NUL or what stands beyond the length is no part of it. */
    int64_t ms;
    assert_true(clock_parse("2026-11-28junk", 10, &ms));
    assert_false(clock_parse("2026-11-28\0", 11, &ms));
}

static void use_zone(const char *name) {
    assert_int_equal(setenv("TZ", name, 1), 0);
    tzset();
}

static void the_local_zone_changes_no_instant(void **state) {
    (void)state;
    static const char *const zones[] = {"UTC0", "PST8PDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3", "XXX-14",
                                        "YYY12"};
    for (size_t i = 0; i < COUNT_OF(zones); i++) {
        use_zone(zones[i]);
        check_times();
        struct str out;
        str_init(&out, 64);
        clock_format(&out, INT64_C(1795861805000), CLOCK_UTC, 0);
        assert_string_equal(out.s, "2026-11-28 10:30:05");
        str_clear(&out);
    }
    use_zone("UTC0");
}

static void assert_local(const char *instant, const char *expected) {
    int64_t ms;
    struct str out;
    str_init(&out, 64);
    assert_true(clock_parse(instant, strlen(instant), &ms));
    clock_format(&out, ms, CLOCK_LOCAL, 0);
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void local_time_follows_summer_time(void **state) {
    (void)state;
    use_zone("CET-1CEST,M3.5.0,M10.5.0/3");
    assert_local("2026-01-15T12:00:00Z", "2026-01-15 13:00:00 +01:00");
    assert_local("2026-07-15T12:00:00Z", "2026-07-15 14:00:00 +02:00");
    assert_local("2026-10-25T00:30:00Z", "2026-10-25 02:30:00 +02:00");
    assert_local("2026-10-25T01:30:00Z", "2026-10-25 02:30:00 +01:00");
    assert_string_equal(clock_zone_name(CLOCK_LOCAL), "local");
    use_zone("UTC0");
    assert_string_equal(clock_zone_name(CLOCK_UTC), "UTC");
    assert_string_equal(clock_zone_name(CLOCK_AGE), "age");
}

/* Whatever the zone is called: by the POSIX rule `UTC-5` is five hours ahead. */
static void f49_a_local_time_says_the_offset_of_its_own_moment(void **state) {
    (void)state;
    use_zone("Europe/Berlin");
    assert_local("2026-07-19T19:26:05Z", "2026-07-19 21:26:05 +02:00");
    assert_local("2026-11-29T19:26:05Z", "2026-11-29 20:26:05 +01:00");
    use_zone("America/St_Johns");
    assert_local("2026-07-19T01:00:00Z", "2026-07-18 22:30:00 -02:30");
    use_zone("UTC-5");
    assert_local("2026-11-28T12:00:00Z", "2026-11-28 17:00:00 +05:00");
    use_zone("Asia/Kathmandu");
    assert_local("2026-11-28T12:00:00Z", "2026-11-28 17:45:00 +05:45");
    use_zone("UTC0");
    assert_local("2026-11-28T12:00:00Z", "2026-11-28 12:00:00 +00:00");
}

static void f51_a_time_without_a_zone_has_a_place_but_is_never_shifted(void **state) {
    (void)state;
    static const struct {
        const char *text, *instant, *shown;
    } CASES[] = {{"2026-07-01", "2026-07-01T00:00:00Z", "?2026-07-01"},
                 {"2026-07-01T23:45:00", "2026-07-01T23:45:00Z", "?2026-07-01T23:45:00"},
                 {"2026-07-01 23:45:00.5", "2026-07-01T23:45:00.5Z", "?2026-07-01 23:45:00.5"},
                 {"2026-07-01T23:45:00Z", "2026-07-01T23:45:00Z", "2026-07-02 08:45:00 +09:00"},
                 {"2026-07-01T23:45:00-04:00", "2026-07-02T03:45:00Z", "2026-07-02 12:45:00 +09:00"},
                 {"1782949500", "2026-07-01T23:45:00Z", "2026-07-02 08:45:00 +09:00"}};
    use_zone("Asia/Tokyo");
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        int64_t ms, served;
        struct str out;
        str_init(&out, 64);
        assert_true(clock_parse(CASES[i].instant, strlen(CASES[i].instant), &ms));
        if (clock_parse_served(CASES[i].text, strlen(CASES[i].text), &served))
            assert_int_equal(served, ms);
        clock_format_served(&out, CASES[i].text, ms, CLOCK_LOCAL, 0);
        assert_string_equal(out.s, CASES[i].shown);
        str_clear(&out);
    }
    use_zone("UTC0");
    int64_t none;
    assert_false(clock_parse_served("2026-07-01T", 11, &none));
    assert_false(clock_parse_served("2026-07-01T23:45", 16, &none));
    assert_false(clock_parse_served("2026-07-01T23:45:00x", 20, &none));
}

/* By the clock, not by the call: a list of ten thousand rows asks the machine about its zone once. */
static void f50_the_zone_is_looked_at_again_once_a_minute(void **state) {
    (void)state;
    use_zone("Europe/Berlin");
    clock_look_again(1000000);
    assert_local("2026-07-19T19:26:05Z", "2026-07-19 21:26:05 +02:00");
    assert_int_equal(setenv("TZ", "Asia/Tokyo", 1), 0);
    clock_look_again(1059999);
    assert_local("2026-07-19T19:26:05Z", "2026-07-19 21:26:05 +02:00");
    clock_look_again(1060000);
    assert_local("2026-07-19T19:26:05Z", "2026-07-20 04:26:05 +09:00");
    use_zone("UTC0");
}

static void f50_a_zone_nobody_knows_is_told_from_those_that_are(void **state) {
    (void)state;
    static const char *const KNOWN[] = {"",
                                        "UTC",
                                        "UTC0",
                                        "UTC-5",
                                        "Europe/Berlin",
                                        ":Europe/Berlin",
                                        "<+0330>-3:30",
                                        "CET-1CEST,M3.5.0,M10.5.0/3",
                                        "EST5EDT",
                                        "EST5EDT4,M3.2.0/2,M11.1.0",
                                        "Etc/GMT+9",
                                        "/usr/share/zoneinfo/Asia/Tokyo",
                                        "GMT",
                                        "IST-5:30",
                                        "XXX+11:30:30",
                                        "AEST-10AEDT,J270/2,J90/3"};
    static const char *const UNKNOWN[] = {"Europe/Nowhere",
                                          "Europe",
                                          "Berlin",
                                          "CEST",
                                          "UTC+",
                                          "UTC-5x",
                                          "+05:00",
                                          "5",
                                          "/nowhere/zone",
                                          "/etc/passwd",
                                          "<+03",
                                          "<+03>",
                                          "EU-1",
                                          "\xff\xfe",
                                          " UTC",
                                          "UTC-99",
                                          "EST5EDT,",
                                          "EST5EDT,M13.1.0,M11.1.0",
                                          "../../../etc/passwd"};
    for (size_t i = 0; i < COUNT_OF(KNOWN); i++)
        if (!clock_knows_zone(KNOWN[i]))
            fail_msg("%s is known", KNOWN[i]);
    for (size_t i = 0; i < COUNT_OF(UNKNOWN); i++)
        if (clock_knows_zone(UNKNOWN[i]))
            fail_msg("%s is not known", UNKNOWN[i]);
}

/* The calendar a second way: timegm of the C library. */
static void the_calendar_agrees_with_the_c_library(void **state) {
    (void)state;
    for (int64_t day = -719528; day < 2932896; day++) {
        struct civil civil;
        int64_t ms = day * INT64_C(86400000) + 43200000 + 7, back;
        clock_civil(ms, &civil);
        assert_true(clock_from_civil(&civil, &back) && back == ms);
        assert_true(civil.hour == 12 && civil.ms == 7);
        if (day % 13 != 0)
            continue;
        struct tm tm = {.tm_year = civil.year - 1900, .tm_mon = civil.month - 1, .tm_mday = civil.day, .tm_hour = 12};
        assert_true((int64_t)timegm(&tm) * 1000 == ms - 7);
    }
}

static void no_such_day_is_refused(void **state) {
    (void)state;
    static const struct civil none[] = {
        {2026, 2, 29, 0, 0, 0, 0}, {2026, 0, 1, 0, 0, 0, 0},  {2026, 13, 1, 0, 0, 0, 0},   {2026, 1, 32, 0, 0, 0, 0},
        {2026, 1, 0, 0, 0, 0, 0},  {10000, 1, 1, 0, 0, 0, 0}, {-1, 1, 1, 0, 0, 0, 0},      {2026, 1, 1, 24, 0, 0, 0},
        {2026, 1, 1, 0, 60, 0, 0}, {2026, 1, 1, 0, 0, 60, 0}, {2026, 1, 1, 0, 0, 0, 1000}, {2026, 1, 1, -1, 0, 0, 0},
    };
    int64_t ms;
    for (size_t i = 0; i < COUNT_OF(none); i++)
        assert_false(clock_from_civil(&none[i], &ms));
    assert_int_equal(clock_month_days(2024, 2), 29);
    assert_int_equal(clock_month_days(2100, 2), 28);
    assert_int_equal(clock_month_days(2024, 13), 0);
}

static void http_dates_of_three_forms_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } table[] = {
        {"Sun, 06 Nov 1994 08:49:37 GMT", INT64_C(784111777000)},
        {"sun, 06 nov 1994 08:49:37 gmt", INT64_C(784111777000)},
        {"Sunday, 06-Nov-94 08:49:37 GMT", INT64_C(784111777000)},
        {"Sun Nov  6 08:49:37 1994", INT64_C(784111777000)},
        {"Wed Nov 16 08:49:37 1994", INT64_C(784975777000)},
        {"Thursday, 01-Jan-26 00:00:00 GMT", INT64_C(1767225600000)},
        {"Sat, 31 Dec 2016 23:59:60 GMT", INT64_C(1483228800000)},
        {"Sun, 06 Nov 1994 08:49:37 UTC", NOT_A_TIME},
        {"Sun, 06 Nov 1994 08:49:37 +0000", NOT_A_TIME},
        {"Sun, 6 Nov 1994 08:49:37 GMT", NOT_A_TIME},
        {"Sun, 06 Nov 94 08:49:37 GMT", NOT_A_TIME},
        {"Xyz, 06 Nov 1994 08:49:37 GMT", NOT_A_TIME},
        {"Sun, 31 Feb 1994 08:49:37 GMT", NOT_A_TIME},
        {"Sun, 06 Nov 1994 25:49:37 GMT", NOT_A_TIME},
        {"Sun, 06 Nov 1994 08:49:37 GMT ", NOT_A_TIME},
        {"Sun Nov  6 08:49:37 1994 GMT", NOT_A_TIME},
        {"120", NOT_A_TIME},
        {"", NOT_A_TIME},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        int64_t ms = NOT_A_TIME;
        bool is_time = clock_parse_http(table[i].text, strlen(table[i].text), &ms);
        if (is_time != (table[i].ms != NOT_A_TIME) || ms != table[i].ms)
            fail_msg("%s gave %lld", table[i].text, (long long)ms);
    }
}

static void epoch_numbers_tell_their_unit_by_size(void **state) {
    (void)state;
    int64_t ms;
    assert_true(clock_from_epoch(1795861805, &ms) && ms == INT64_C(1795861805000));
    assert_true(clock_from_epoch(INT64_C(1795861805123), &ms) && ms == INT64_C(1795861805123));
    assert_true(clock_from_epoch(0, &ms) && ms == 0);
    assert_true(clock_from_epoch(-1, &ms) && ms == -1000);
    assert_false(clock_from_epoch(INT64_C(1795861805123456), &ms));
    assert_false(clock_from_epoch(INT64_MAX, &ms));
    assert_false(clock_from_epoch(INT64_MIN, &ms));
}

static void assert_age(int64_t age_ms, const char *expected) {
    struct str out;
    int64_t now = INT64_C(1795861805000);
    str_init(&out, 64);
    clock_format(&out, now - age_ms, CLOCK_AGE, now);
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void ages_are_short_and_never_negative(void **state) {
    (void)state;
    const int64_t minute = 60000, hour = 60 * minute, day = 24 * hour;
    assert_age(0, "now");
    assert_age(-999, "now");
    assert_age(minute - 1, "now");
    assert_age(minute, "1m");
    assert_age(hour - 1, "59m");
    assert_age(hour, "1h");
    assert_age(day - 1, "23h");
    assert_age(day, "1d");
    assert_age(364 * day, "364d");
    assert_age(366 * day, "1y");
    assert_age(731 * day, "2y");
}

static void assert_ago(int64_t ms, const char *expected) {
    struct str out;
    str_init(&out, 64);
    str_add(&out, "written ");
    clock_format_ago(&out, ms, INT64_C(1795861805000));
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void an_age_in_a_sentence_is_never_now_ago(void **state) {
    (void)state;
    assert_ago(INT64_C(1795861805000), "written just now");
    assert_ago(INT64_C(1795861805000) - 180000, "written 3m ago");
    assert_ago(CLOCK_NONE, "written –");
}

static void f41_what_is_ahead_of_this_clock_is_never_called_new(void **state) {
    (void)state;
    const int64_t now = INT64_C(1795861805000), minute = 60000, hour = 60 * minute, day = 24 * hour;
    assert_age(-1000, "+1s");
    assert_age(-59999, "+59s");
    assert_age(-minute, "+1m");
    assert_age(-5 * hour, "+5h");
    assert_age(-10 * day, "+10d");
    assert_age(-731 * day, "+2y");
    assert_ago(now + 2000, "written ahead of this machine's clock by 2s");
    assert_ago(now + 3 * day, "written ahead of this machine's clock by 3d");
    assert_ago(INT64_MAX, "written ahead of this machine's clock by 292276967y");
    assert_true(clock_is_ahead(INT64_MAX, INT64_MIN + 1));
    assert_false(clock_is_ahead(CLOCK_NONE, 0));
}

static void assert_today(int64_t age_ms, enum clock_zone zone, const char *expected) {
    struct str out;
    int64_t now = INT64_C(1795861805000); /* 2026-11-28 10:30:05 */
    str_init(&out, 128);
    clock_format_today(&out, now - age_ms, zone, now);
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void f41_a_time_of_another_day_has_its_date(void **state) {
    (void)state;
    const int64_t hour = 3600000, day = 24 * hour;
    assert_today(0, CLOCK_UTC, "10:30");
    assert_today(10 * hour, CLOCK_AGE, "00:30");
    assert_today(11 * hour, CLOCK_UTC, "2026-11-27 23:30");
    assert_today(3 * day, CLOCK_UTC, "2026-11-25 10:30");
    assert_today(-hour, CLOCK_UTC, "11:30, ahead of this machine's clock by 1h");
    assert_today(-14 * hour, CLOCK_UTC, "2026-11-29 00:30, ahead of this machine's clock by 14h");
}

static void f41_a_clock_set_back_ends_a_span(void **state) {
    (void)state;
    assert_true(clock_within(1000, 1000, 500));
    assert_true(clock_within(1000, 1499, 500));
    assert_false(clock_within(1000, 1500, 500));
    assert_false(clock_within(1000, 999, 500));
    assert_false(clock_within(CLOCK_NONE, 0, INT64_MAX));
}

static void extreme_instants_are_printed_somehow(void **state) {
    (void)state;
    static const int64_t extremes[] = {INT64_MIN + 1, INT64_MAX, -1, INT64_C(253402300800000)};
    for (size_t i = 0; i < COUNT_OF(extremes); i++)
        for (int zone = CLOCK_AGE; zone <= CLOCK_UTC; zone++) {
            struct str out;
            str_init(&out, 256);
            clock_format(&out, extremes[i], (enum clock_zone)zone, 0);
            clock_format(&out, 0, (enum clock_zone)zone, extremes[i]);
            clock_format_iso(&out, extremes[i]);
            assert_true(out.len > 0 && !out.truncated);
            str_clear(&out);
        }
}

static void iso_text_reads_back(void **state) {
    (void)state;
    struct str out;
    int64_t ms;
    str_init(&out, 64);
    clock_format_iso(&out, INT64_C(1795861805007));
    assert_string_equal(out.s, "2026-11-28T10:30:05.007Z");
    assert_true(clock_parse(out.s, out.len, &ms) && ms == INT64_C(1795861805007));
    str_reset(&out);
    clock_format_iso(&out, CLOCK_NONE);
    clock_format(&out, CLOCK_NONE, CLOCK_AGE, 0);
    assert_string_equal(out.s, "––");
    str_clear(&out);
}

static void the_clocks_run(void **state) {
    (void)state;
    int64_t then = clock_mono();
    assert_true(clock_now() > INT64_C(1700000000000));
    assert_true(clock_mono() >= then && then > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_of_every_accepted_form_are_read),
        cmocka_unit_test(the_local_zone_changes_no_instant),
        cmocka_unit_test(local_time_follows_summer_time),
        cmocka_unit_test(f49_a_local_time_says_the_offset_of_its_own_moment),
        cmocka_unit_test(f51_a_time_without_a_zone_has_a_place_but_is_never_shifted),
        cmocka_unit_test(f50_the_zone_is_looked_at_again_once_a_minute),
        cmocka_unit_test(f50_a_zone_nobody_knows_is_told_from_those_that_are),
        cmocka_unit_test(the_calendar_agrees_with_the_c_library),
        cmocka_unit_test(no_such_day_is_refused),
        cmocka_unit_test(http_dates_of_three_forms_are_read),
        cmocka_unit_test(epoch_numbers_tell_their_unit_by_size),
        cmocka_unit_test(ages_are_short_and_never_negative),
        cmocka_unit_test(an_age_in_a_sentence_is_never_now_ago),
        cmocka_unit_test(f41_what_is_ahead_of_this_clock_is_never_called_new),
        cmocka_unit_test(f41_a_time_of_another_day_has_its_date),
        cmocka_unit_test(f41_a_clock_set_back_ends_a_span),
        cmocka_unit_test(extreme_instants_are_printed_somehow),
        cmocka_unit_test(iso_text_reads_back),
        cmocka_unit_test(the_clocks_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
