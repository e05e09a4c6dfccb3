/* The list where there is no cache: sort, find, counts, sums, filters, marks and export over the rows that were read,
 * with or without an id, and what is said of how far they reach. */
#include "app/export.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROW(id, day, amount, status)                                                                              \
    "{\"id\":" id ",\"created_at\":\"2026-11-" day "T10:00:00.000Z\",\"amount\":" amount ",\"currency\":\"EUR\"," \
    "\"status\":\"" status "\",\"rail\":\"card\"}"
#define OPEN(rows, next) "{\"data\":[" rows "],\"next_cursor\":\"" next "\"}"
#define LAST(rows) "{\"data\":[" rows "]}"

/* One of them has no id. */
#define FIVE                                                                                       \
    ROW("\"int_5\"", "25", "500", "pending")                                                       \
    "," ROW("\"int_4\"", "24", "900", "approved") "," ROW("null", "23", "100", "pending") "," ROW( \
        "\"int_2\"", "22", "700", "declined") "," ROW("\"int_1\"", "21", "300", "approved")

static int open_five(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 100);
    driver_answer(driver, OPEN(FIVE, "c1"));
    driver_forget(driver);
    return 0;
}

static void filter(struct driver *driver, const char *text) {
    driver_keys(driver, "/ Ctrl-U");
    driver_text(driver, text);
    looker_press(driver, NULL, "Enter");
}

static void rows_read_are_sorted_and_summed(void **state) {
    struct driver *driver = *state;
    looker_try(driver, NULL, "l l l s", "sort: amount asc", "over 5 rows read so far; R reads all");
    driver_shows(driver, "3 of 5 so far | EUR 2,500"); /* the record stays under the cursor */
    driver_cursor_at(driver, " 500 ");
    looker_press(driver, NULL, "g");
    driver_cursor_at(driver, " 100 "); /* which has no id */
    looker_press(driver, NULL, "s g");
    driver_cursor_at(driver, " 900 ");
    driver_check(driver, "uncached-sorted");
}

static void what_is_read_later_takes_its_place_in_the_order(void **state) {
    struct driver *driver = *state;
    looker_press(driver, NULL, "l l l s G");
    driver_cursor_at(driver, " 900 ");
    driver_key(driver, "R");
    driver_answer(driver, OPEN(FIVE, "c1"));
    driver_answer(driver, LAST(ROW("\"int_0\"", "20", "600", "pending") "," ROW("null", "19", "200", "pending")));
    looker_settle_walk(driver);
    driver_cursor_at(driver, " 900 ");
    driver_shows(driver, "7 of 7 | EUR 3,300", "over 7 rows, all there are");
}

static void what_is_looked_for_is_found_in_the_order_on_show(void **state) {
    struct driver *driver = *state;
    looker_press(driver, NULL, "l l l s g \\");
    driver_text(driver, "approved");
    looker_press(driver, NULL, "Enter n");
    driver_cursor_at(driver, " 300 ");
    driver_shows(driver, "found 1 of 2");
    looker_press(driver, NULL, "n");
    driver_cursor_at(driver, " 900 ");
    looker_try(driver, NULL, "n", "finds nothing more below");
    looker_press(driver, NULL, "N");
    driver_cursor_at(driver, " 300 ");
}

static void a_filter_is_applied_here_and_counted(void **state) {
    struct driver *driver = *state;
    filter(driver, "amount<=300");
    driver_shows(driver, "local[amount<=300] over 5 rows read so far", "1 of 2 so far | EUR 400");
    looker_try(driver, NULL, "F", "2 values in 2 intents so far; R reads all");
    looker_press(driver, NULL, "Esc");
    filter(driver, "amount>5000");
    driver_shows(driver, "no intent read matches so far");
    filter(driver, "");
    driver_shows(driver, "order: as sent by the service");
}

static const struct effect *asked(const struct driver *driver) {
    return driver_effect(driver, EFFECT_EXPORT);
}

static char *exported(struct driver *driver) {
    static const struct error NONE;
    struct str text;
    str_init(&text, 1 << 20);
    driver_keys(driver, "x G Enter");
    while (asked(driver)) {
        const struct effect *effect = asked(driver);
        struct event event = {.kind = EVENT_EXPORTED, .ticket = effect->ticket, .payload = payload_of(error, &NONE)};
        str_add_n(&text, effect_get(effect, export_ask)->text, effect_get(effect, export_ask)->len);
        driver_forget(driver);
        driver_event(driver, &event);
    }
    return str_take(&text);
}

static void the_result_is_handed_over_in_its_order(void **state) {
    struct driver *driver = *state;
    looker_press(driver, NULL, "l l l s");
    char *text = exported(driver);
    const char *none = strstr(text, "\r\n,2026-11-23"), *one = strstr(text, "\r\nint_1,");
    assert_true(none && one && none < one && one < strstr(text, "\r\nint_5,"));
    assert_non_null(strstr(text, "rows: 5, the list on show\n"));
    assert_non_null(strstr(text, "sort: amount asc\n"));
    assert_non_null(strstr(text, "complete: no: what was read so far"));
    free(text);
}

/* In the order as read too. */
static void a_row_without_an_id_is_handed_over(void **state) {
    struct driver *driver = *state;
    char *text = exported(driver);
    assert_non_null(strstr(text, "\r\n,2026-11-23"));
    assert_non_null(strstr(text, "rows: 5, the list on show\n"));
    assert_null(strstr(text, "left out"));
    free(text);
}

static void marks_are_listed_and_kept_in_any_order(void **state) {
    struct driver *driver = *state;
    looker_press(driver, NULL, "j Space l l l s");
    filter(driver, "is:marked");
    driver_shows(driver, "1 of 1 so far | 1 marked | EUR 900");
    looker_try(driver, NULL, "u", "of 5 so far | 1 marked | EUR 2,500");
}

/* The operator asked for it: what is no longer listed goes at once. */
static void a_row_that_left_is_counted_no_more(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, LAST(ROW("\"int_0\"", "20", "50", "pending")));
    looker_press(driver, NULL, "l l s G");
    driver_cursor_at(driver, " 900 ");
    driver->now += 1000;
    driver_key(driver, "r");
    driver_answer(driver, OPEN(ROW("\"int_5\"", "25", "500", "pending") "," ROW("null", "23", "100", "pending") "," ROW(
                                   "\"int_2\"", "22", "700", "declined") "," ROW("\"int_1\"", "21", "300", "approved"),
                               "c1"));
    looker_settle_walk(driver);
    driver_shows(driver, "of 5 | EUR 1,650");
    driver_hides(driver, " 900 ");
    driver_shows(driver, "the record under the cursor is no longer listed"); /* F42 */
}

/* What live updates found is counted where it is of the filter, and stands in the order when it is brought in. */
static void new_rows_wait_where_they_match(void **state) {
    struct driver *driver = driver_begin(state);
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    profile->auto_refresh = 10;
    driver_open_profile(driver, profile, 24, 100);
    driver_answer(driver, LAST(FIVE));
    driver_forget(driver);
    filter(driver, "amount>=500");
    driver_timer(driver, TIMER_LIVE, 10000);
    driver_answer(driver,
                  OPEN(ROW("\"int_7\"", "27", "800", "pending") "," ROW("\"int_6\"", "26", "5", "pending") "," ROW(
                           "\"int_5\"", "25", "500", "pending") "," ROW("\"int_2\"", "22", "700", "declined"),
                       "c1"));
    looker_settle_walk(driver);
    driver_shows(driver, "1 new, 1 no longer match: .", " 900 ", "1 of 2 | EUR 1,200");
    looker_try(driver, NULL, ".", "of 3 | EUR 2,000");
    driver_hides(driver, " 900 ");
}

/* The disk fails while the console runs: what was read is looked into from then on. */
static void a_cache_that_fails_leaves_what_was_read(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_cached(driver, 24, 100);
    driver_cached(driver, NULL, true);
    driver_answer(driver, OPEN(FIVE, "c1"));
    driver_forget(driver);
    driver_keys(driver, "l l l s");
    looker_settle(driver, OPEN(FIVE, "c1"), true);
    struct cache_told told = {.state = CACHE_STATE_OFF, .text = "pages are not stored (no room)"};
    struct event off = {.kind = EVENT_CACHE_STATE, .payload = payload_of(cache_told, &told)};
    driver_event(driver, &off);
    looker_settle_walk(driver);
    assert_true(driver->walked->alone);
    driver_shows(driver, "of 5 so far | EUR 2,500");
}

static int close_five(void **state) {
    return driver_end(state);
}

#define LISTED(test) cmocka_unit_test_setup_teardown(test, open_five, close_five)

int main(void) {
    const struct CMUnitTest tests[] = {
        LISTED(rows_read_are_sorted_and_summed),
        LISTED(what_is_read_later_takes_its_place_in_the_order),
        LISTED(what_is_looked_for_is_found_in_the_order_on_show),
        LISTED(a_filter_is_applied_here_and_counted),
        LISTED(the_result_is_handed_over_in_its_order),
        LISTED(a_row_without_an_id_is_handed_over),
        LISTED(marks_are_listed_and_kept_in_any_order),
        LISTED(a_row_that_left_is_counted_no_more),
        DRIVER_TEST(new_rows_wait_where_they_match),
        DRIVER_TEST(a_cache_that_fails_leaves_what_was_read),
    };
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
