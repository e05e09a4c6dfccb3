/* Value counts over the result: what is counted, how it looks, and that a value chosen is filtered by. */
#include "app/file.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void count(struct driver *driver, const char *keys, bool whole) {
    driver_keys(driver, keys);
    looker_answer(driver, driver_page, whole);
    driver_forget(driver);
}

static void open_counted(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    count(driver, "F", false);
}

static void counts_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("counts", "80x24 120x40 40x8", open_counted, "");
}

static void names_of_banks_keep_their_columns(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "F Tab Tab Tab Tab");
    looker_answer(driver, driver_page, true);
    driver_keys(driver, "j j");
    driver_check(driver, "counts-bank");
}

static void sums_stand_beside_their_currencies(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "F Tab Tab Tab");
    looker_answer(driver, driver_page, true);
    driver_check(driver, "counts-currency");
}

static void amounts_are_counted_in_bands(void **state) {
    struct driver *driver = *state;
    driver_keys(
        driver,
        "F Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab");
    looker_answer(driver, driver_page, true);
    driver_keys(driver, "j j j");
    driver_check(driver, "counts-amount");
    driver_try(driver, "Enter", "currency=CAD amount:");
}

/* As the index answers where an intent can have several. */
static void answer_findings(struct driver *driver) {
    static const struct query_place FOUND[] = {
        {.value = "sum", .rows = 30}, {.value = "decline", .rows = 12}, {.value = NULL, .rows = 8}};
    const struct effect *asked = driver_effect(driver, EFFECT_LOOKUP);
    struct lookup_result *found = lookup_result_new();
    assert_int_equal(effect_get(asked, lookup)->facet, QUERY_FINDING_FIELD);
    found->n = 40;
    found->n_values = found->n_distinct = COUNT_OF(FOUND);
    found->values = arena_new(&found->arena, sizeof FOUND);
    memcpy(found->values, FOUND, sizeof FOUND);
    struct event event = {.kind = EVENT_LOOKUP, .ticket = asked->ticket, .payload = payload_of(lookup_result, found)};
    driver_event(driver, &event);
    driver_forget(driver);
}

static void findings_are_counted_by_rule(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "F Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab");
    answer_findings(driver);
    driver_shows(driver, "finding", "60%", "24%", "16%");
    driver_check(driver, "counts-finding");
    driver_try(driver, "Enter", "local[finding=sum]");
}

static void intents_without_a_finding_are_a_filter_too(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "F Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab");
    answer_findings(driver);
    driver_try(driver, "G Enter", "-has:finding");
}

static void hours_and_weekdays_are_counted_in_their_order(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "F Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab "
                        "Shift-Tab Shift-Tab");
    looker_answer(driver, driver_page, true);
    driver_try(driver, "!", "-weekday=");
    looker_settle(driver, driver_page, true);
    driver_keys(driver, "F Tab Tab Tab Tab"); /* from the currency: not all sums have room in the status row */
    looker_answer(driver, driver_page, true);
    driver_try(driver, "Enter", "hour=");
}

/* By a second field, with a rate, against the days before: each key asks anew. */
static void open_compared(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    driver_keys(driver, "/ 'created:2026-11-28' Enter");
    looker_settle(driver, driver_page, true);
    driver_forget(driver);
    count(driver, "F", true);
    count(driver, "c", true);
    count(driver, "c", true);
    count(driver, "%", true);
    count(driver, "s", true);
}

static void two_fields_with_rates_against_earlier_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("counts-compared", "80x24 120x40 200x50", open_compared, "j");
}

static void open_second(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    count(driver, "F", true);
    count(driver, "s", true);
    count(driver, "s", true);
}

static void two_fields_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("counts-second", "80x24 120x40 200x50", open_second, "");
}

static void open_days(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    count(driver, "F", true);
    count(driver, "Shift-Tab", true);
}

/* The newest first, each with its exact sums. */
static void days_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("counts-day", "80x24 120x40 200x50", open_days, "j");
}

static void a_day_is_filtered_by(void **state) {
    struct driver *driver = *state;
    count(driver, "F", true);
    count(driver, "Shift-Tab", true);
    driver_shows(driver, " days in 40 cached intents", "sums  ");
    driver_try(driver, "Enter", "local[created:2026-11-28]");
}

static void a_day_is_counted_with_a_field(void **state) {
    struct driver *driver = *state;
    count(driver, "F", true);
    count(driver, "Shift-Tab", true);
    count(driver, "s", true);
    driver_shows(driver, "by status too");
    driver_try(driver, "j Enter", "server[status:pending] local[created:2026-11-28]");
}

/* Conditions are asked of the index as fields are; an intent can fulfil several. */
static void conditions_can_be_counted(void **state) {
    static const enum query_field_code CONDITIONS[] = {QUERY_TAG_FIELD, QUERY_IS_FIELD, QUERY_HAS_FIELD};
    struct driver *driver = *state;
    driver_keys(driver, "F Shift-Tab");
    for (size_t i = 0; i < COUNT_OF(CONDITIONS); i++) {
        driver_forget(driver);
        driver_key(driver, "Shift-Tab");
        const struct lookup *asked = looker_asked(driver);
        assert_int_equal(asked->facet, CONDITIONS[i]);
        assert_true(asked->sums);
    }
}

static void a_line_of_two_fields_is_filtered_by_both(void **state) {
    struct driver *driver = *state;
    count(driver, "F", true);
    assert_int_equal(looker_asked(driver) ? 1 : 0, 0);
    driver_key(driver, "s");
    assert_int_equal(looker_asked(driver)->second.field, QUERY_TYPE_FIELD);
    looker_answer(driver, driver_page, true);
    driver_forget(driver);
    driver_try(driver, "Enter", "status:approved");
    driver_shows(driver, "type=");
}

static void the_second_field_comes_and_goes(void **state) {
    struct driver *driver = *state;
    count(driver, "F", true);
    driver_key(driver, "S");
    assert_int_equal(looker_asked(driver)->second.field, QUERY_USER_FIELD);
    driver_key(driver, "s");
    assert_int_equal(looker_asked(driver)->second.kind, QUERY_AXIS_NONE);
    driver_key(driver, "s");
    driver_key(driver, "l");
    assert_int_equal(looker_asked(driver)->facet, QUERY_TYPE_FIELD);
    assert_int_equal(looker_asked(driver)->second.kind, QUERY_AXIS_NONE); /* a field is not counted with itself */
}

static void without_a_period_the_last_week_is_compared(void **state) {
    struct driver *driver = *state;
    count(driver, "F", true);
    driver_try(driver, "c", "added to the filter: created>=-7d; u undoes");
    assert_int_equal(looker_asked(driver)->compared, 7);
    looker_answer(driver, driver_page, true);
    driver_shows(driver, "against");
    driver_try(driver, "Esc", "created>=-7d");
}

static void a_rate_says_what_it_is_of_on_the_screen(void **state) {
    struct driver *driver = *state;
    count(driver, "F", true);
    count(driver, "%", true);
    driver_shows(driver, "approved of those approved or declined", "others left out", "* rests on fewer than 30");
}

static void ages_are_counted_in_bands_and_filtered_by(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "F Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab");
    assert_int_equal(looker_asked(driver)->facet, QUERY_AGE_FIELD);
    looker_answer(driver, driver_page, true);
    driver_check(driver, "counts-age");
    driver_try(driver, "Enter", "age");
}

static void open_ages(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    driver_keys(driver, "F Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab");
    const struct list_ask *asked = effect_get(driver_effect(driver, EFFECT_FETCH), list_ask);
    assert_int_equal(asked->filter.n, 2);
    assert_string_equal(asked->filter.statuses[0], "created");
    driver_answer(driver, "{\"data\":[{\"id\":\"a\",\"status\":\"pending\"}]}");
    looker_answer(driver, driver_page, true);
}

static void ages_say_as_of_when_what_is_open_was_asked_again(void **state) {
    (void)state;
    driver_check_sizes("counts-ages", "80x24 120x40 200x50", open_ages, "");
}

static void a_service_that_does_not_filter_is_told_of(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "F Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab");
    driver_answer(driver, "{\"data\":[{\"id\":\"a\",\"status\":\"approved\"}]}");
    looker_answer(driver, driver_page, true);
    driver_shows(driver, "not asked again, so as read before: the service did not apply the filter");
}

static void counts_go_to_a_new_file(void **state) {
    struct driver *driver = *state;
    count(driver, "F", true);
    driver_key(driver, "e");
    const struct file_ask *ask = effect_get(driver_effect(driver, EFFECT_FILE), file_ask);
    assert_non_null(strstr(ask->path, "-counts-"));
    assert_true(strncmp(ask->text, "status,intents,percent,sum ", 27) == 0);
    assert_non_null(strstr(ask->text, "approved,"));
}

static void counts_are_so_far_until_the_end_was_seen(void **state) {
    struct driver *driver = *state;
    count(driver, "F", true);
    driver_shows(driver, "cached intents so far; R reads all");
    driver_key(driver, "R");
    driver_cached(driver, driver_page, true);
    driver_answer(driver, "{\"data\":[]}");
    driver_shows(driver, "all there are");
}

static void a_value_chosen_is_filtered_by(void **state) {
    struct driver *driver = *state;
    count(driver, "F", false);
    driver_shows(driver, "approved");
    driver_try(driver, "Enter", "server[status:approved]");
    driver_hides(driver, "Value counts");
}

static void a_value_excluded_is_filtered_out(void **state) {
    struct driver *driver = *state;
    count(driver, "F", false);
    driver_try(driver, "!", "local[-status=approved]");
}

static void a_value_chosen_twice_is_filtered_by_once(void **state) {
    struct driver *driver = *state;
    count(driver, "F", false);
    driver_key(driver, "Enter");
    looker_settle(driver, driver_page, false);
    count(driver, "F", false);
    driver_try(driver, "Enter", "I the filter says so already: status=approved");
}

static void what_is_not_there_can_be_asked_for(void **state) {
    struct driver *driver = *state;
    static const char PAGE[] = "{\"data\":[{\"id\":\"a\",\"created_at\":\"2026-11-28T10:00:00.000Z\"}]}";
    driver_keys(driver, "F Tab Tab Tab Tab");
    looker_answer(driver, PAGE, false);
    driver_try(driver, "Enter", "local[-has:bank]");
    looker_settle(driver, PAGE, false);
    driver_keys(driver, "F Tab Tab");
    looker_answer(driver, PAGE, false);
    driver_try(driver, "Enter", "local[-has:bank -has:decline]");
}

static void the_column_under_the_cursor_is_counted_first(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "l l l l F");
    assert_int_equal(looker_asked(driver)->facet, QUERY_CURRENCY_FIELD);
}

static void what_is_filtered_is_what_is_counted(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ 'status:declined' Enter");
    driver_forget(driver);
    count(driver, "F", false);
    driver_shows(driver, "1 value in 6 cached intents so far");
    driver_hides(driver, "approved");
}

static void without_a_cache_the_rows_read_are_counted(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    driver_answer(driver, driver_page);
    driver_forget(driver);
    driver_key(driver, "F");
    looker_settle_walk(driver);
    driver_check(driver, "counts-no-cache");
}

static void counts_follow_the_index_and_stop_with_the_box(void **state) {
    struct driver *driver = *state;
    struct event moved = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){true})};
    count(driver, "F", false);
    driver_event(driver, &moved);
    assert_non_null(looker_asked(driver));
    driver_event(driver, &moved); /* while a question is out: asked again after it */
    looker_answer(driver, driver_page, true);
    driver_forget(driver);
    driver_key(driver, "Esc");
    driver_event(driver, &moved);
    assert_null(looker_asked(driver));
}

/* As the box says it: 0 for <1%. */
static unsigned sum_of(const struct lookup_result *found) {
    unsigned sum = found->small_percent;
    for (size_t i = 0; i < found->n_values; i++)
        sum += found->values[i].percent;
    return sum;
}

/* Values with these rows, of all of them or of more. */
static struct lookup_result *shared(const size_t *rows, size_t n, size_t unlisted) {
    struct lookup_result *found = lookup_result_new();
    found->values = arena_new(&found->arena, (n + 1) * sizeof *found->values);
    found->n_values = n;
    found->n_distinct = n + (unlisted > 0);
    found->n = unlisted;
    for (size_t i = 0; i < n; i++) {
        found->values[i].rows = rows[i];
        found->n += rows[i];
    }
    lookup_share(found);
    return found;
}

static void f78_shares_add_up_to_a_hundred(void **state) {
    enum { MANY = 1000 };
    size_t rows[MANY], seed = 7;
    (void)state;
    for (size_t n = 1; n <= MANY; n = n < 40 ? n + 1 : n * 2) {
        for (size_t i = 0; i < n; i++) {
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            rows[i] = 1 + (seed >> 33) % (i % 7 == 0 ? 100000 : 40);
        }
        struct lookup_result *found = shared(rows, n, n % 3 == 0 ? 17 : 0);
        assert_int_equal(sum_of(found), 100);
        for (size_t i = 0; i < n; i++) { /* never a whole point off */
            size_t exact = 100 * rows[i], shown = found->values[i].percent * found->n;
            assert_true((exact > shown ? exact - shown : shown - exact) < found->n);
        }
        lookup_result_free(found);
    }
}

static void f78_equal_small_shares_look_alike_and_are_told_together(void **state) {
    enum { MANY = 1000 };
    size_t rows[MANY];
    (void)state;
    for (size_t i = 0; i < MANY; i++)
        rows[i] = 3;
    struct lookup_result *found = shared(rows, MANY, 0);
    assert_int_equal(found->values[0].percent, 0);
    assert_int_equal(found->small_percent, 100);
    assert_int_equal(found->n_small, MANY);
    lookup_result_free(found);
}

static void f78_nothing_and_the_largest_numbers_have_shares(void **state) {
    static const size_t HUGE[] = {SIZE_MAX / 2, SIZE_MAX / 4, SIZE_MAX / 4 - 4, 1};
    (void)state;
    struct lookup_result *none = shared(NULL, 0, 0), *huge = shared(HUGE, COUNT_OF(HUGE), 0);
    assert_int_equal(sum_of(none), 0);
    assert_int_equal(sum_of(huge), 100);
    assert_int_equal(huge->values[3].percent, 0);
    lookup_result_free(none);
    lookup_result_free(huge);
}

/* What the box shows, added up. */
static unsigned shown_sum(struct driver *driver) {
    unsigned sum = 0;
    char *screen = driver_dump(driver);
    *strstr(screen, "---\n") = '\0';
    for (char *at = strchr(screen, '%'); at; at = strchr(at + 1, '%')) {
        char *digit = at;
        while (digit > screen && digit[-1] >= '0' && digit[-1] <= '9')
            digit--;
        sum += digit > screen && digit[-1] == '<' ? 0 : (unsigned)atoi(digit);
    }
    free(screen);
    return sum;
}

static void f78_the_box_adds_up_whichever_field_is_counted(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_page_cached(driver, 40, 120);
    count(driver, "F", false);
    for (int field = 0; field < 10; field++) {
        assert_int_equal(shown_sum(driver), 100);
        count(driver, "Tab", false);
    }
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, driver_open_page_cached, 24, 80)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_at_every_size),
        AFTER_SET_UP(names_of_banks_keep_their_columns),
        AFTER_SET_UP(amounts_are_counted_in_bands),
        AFTER_SET_UP(findings_are_counted_by_rule),
        AFTER_SET_UP(intents_without_a_finding_are_a_filter_too),
        AFTER_SET_UP(hours_and_weekdays_are_counted_in_their_order),
        AFTER_SET_UP(sums_stand_beside_their_currencies),
        cmocka_unit_test(two_fields_with_rates_against_earlier_at_every_size),
        cmocka_unit_test(two_fields_at_every_size),
        cmocka_unit_test(days_at_every_size),
        AFTER_SET_UP(a_day_is_filtered_by),
        AFTER_SET_UP(a_day_is_counted_with_a_field),
        AFTER_SET_UP(conditions_can_be_counted),
        AFTER_SET_UP(a_line_of_two_fields_is_filtered_by_both),
        AFTER_SET_UP(the_second_field_comes_and_goes),
        AFTER_SET_UP(without_a_period_the_last_week_is_compared),
        AFTER_SET_UP(a_rate_says_what_it_is_of_on_the_screen),
        AFTER_SET_UP(ages_are_counted_in_bands_and_filtered_by),
        cmocka_unit_test(ages_say_as_of_when_what_is_open_was_asked_again),
        AFTER_SET_UP(a_service_that_does_not_filter_is_told_of),
        AFTER_SET_UP(counts_go_to_a_new_file),
        AFTER_SET_UP(counts_are_so_far_until_the_end_was_seen),
        AFTER_SET_UP(a_value_chosen_is_filtered_by),
        AFTER_SET_UP(a_value_excluded_is_filtered_out),
        AFTER_SET_UP(a_value_chosen_twice_is_filtered_by_once),
        AFTER_SET_UP(what_is_not_there_can_be_asked_for),
        AFTER_SET_UP(the_column_under_the_cursor_is_counted_first),
        AFTER_SET_UP(what_is_filtered_is_what_is_counted),
        DRIVER_TEST(without_a_cache_the_rows_read_are_counted),
        cmocka_unit_test(f78_shares_add_up_to_a_hundred),
        cmocka_unit_test(f78_equal_small_shares_look_alike_and_are_told_together),
        cmocka_unit_test(f78_nothing_and_the_largest_numbers_have_shares),
        DRIVER_TEST(f78_the_box_adds_up_whichever_field_is_counted),
        AFTER_SET_UP(counts_follow_the_index_and_stop_with_the_box),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
