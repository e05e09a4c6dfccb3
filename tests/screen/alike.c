/* Columns of one value over all rows on show give their place to others, and the filter row says which value. */
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BANK "Greater Harbourline Cooperative Bank of Examples"

/* Declined card payments in euros, all but the last of one direction. */
static void open_alike(struct driver *driver, int rows, int cols, int n, const char *last) {
    struct str body;
    str_init(&body, 1 << 16);
    str_add(&body, "{\"data\":[");
    for (int i = 0; i < n; i++) {
        str_addf(
            &body,
            "%s{\"id\":\"int_%02d\",\"status\":\"declined\",\"created_at\":\"2026-11-%02dT10:00:00.000Z\",\"amount\":"
            "%d,\"currency\":\"EUR\",\"direction\":\"%s\",\"type\":\"primary\",\"rail\":\"card\",\"user_id\":"
            "\"usr_%02d\",\"decline_category\":\"%s\",\"payment_credential\":{\"bank_name\":\"%s %d\"}}",
            i > 0 ? "," : "", n - i, 27 - i % 27, 100 * i, i + 1 < n ? "cash_in" : last, i,
            i % 2 ? "do_not_honor" : "insufficient_funds", BANK, i);
    }
    str_add(&body, "]}");
    driver_open(driver, rows, cols);
    driver_answer(driver, body.s);
    str_clear(&body);
}

static void open_few(struct driver *driver, int rows, int cols) {
    open_alike(driver, rows, cols, 12, "cash_in");
}

static void open_many(struct driver *driver, int rows, int cols) {
    open_alike(driver, rows, cols, 40, "cash_out");
}

static void one_value_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("alike", "80x24 120x40 200x50 40x8", open_few, "j");
}

/* What was gained goes to texts that had no room. */
static void the_place_is_given_to_others_and_that_is_said(void **state) {
    struct driver *driver = *state;
    driver_shows(driver, "all here: declined, in, EUR, card", "flag  decline");
    driver_hides(driver, " cur ", " dir ", " rail ", "primary"); /* which had no place anyway */
}

/* It is there again as soon as a row on show has another value, and does not go while the list is the same. */
static void a_value_that_differs_brings_the_column_back(void **state) {
    struct driver *driver = *state;
    driver_hides(driver, " dir ");
    driver_try(driver, "G", " dir ", "out", "all here: declined, EUR, card");
    driver_try(driver, "g", " dir ", "all here: declined, EUR, card");
}

static void the_column_under_the_cursor_stays(void **state) {
    struct driver *driver = *state;
    driver_shows(driver, "all here: declined, in, EUR, card");
    driver_try(driver, "c Esc l", " amount ");
    driver_hides(driver, " cur ");
}

/* What the rows are sorted by is on show, the second key too. */
static void the_columns_sorted_by_stay(void **state) {
    struct driver *driver = *state;
    looker_press(driver, NULL, "s s");
    looker_press(driver, NULL, "G");
    looker_press(driver, NULL, "l");
    looker_press(driver, NULL, "g");
    looker_press(driver, NULL, "S");
    looker_try(driver, NULL, "h", " dir ", "all here: declined, EUR, card");
    driver_hides(driver, "out");
}

static void chosen_columns_stay(void **state) {
    struct driver *driver = *state;
    driver_hides(driver, " cur ");
    driver_keys(driver, "c j j j j j j j j j j j j j Space Enter");
    driver_shows(driver, " cur ", " rail ");
    driver_hides(driver, "all here");
    driver_try(driver, "u", "all here: declined, in, EUR, card");
    driver_try(driver, "w", " cur ");
    driver_hides(driver, "all here");
}

/* Of a handful of rows too much is alike by chance. */
static void few_rows_keep_their_columns(void **state) {
    struct driver *driver = driver_begin(state);
    open_alike(driver, 24, 80, 5, "cash_in");
    driver_shows(driver, " dir ", " cur ", " rail ");
    driver_hides(driver, "all here");
}

static void where_everything_has_room_nothing_goes(void **state) {
    struct driver *driver = driver_begin(state);
    open_alike(driver, 24, 240, 12, "cash_in");
    driver_keys(driver, "d");
    driver_shows(driver, " dir ", " cur ", " rail ");
    driver_hides(driver, "all here");
}

#define AFTER_SET_UP(test, open) DRIVER_TEST_IN(test, open, 24, 80)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_value_at_every_size),
        AFTER_SET_UP(the_place_is_given_to_others_and_that_is_said, open_few),
        AFTER_SET_UP(a_value_that_differs_brings_the_column_back, open_many),
        AFTER_SET_UP(the_column_under_the_cursor_stays, open_few),
        AFTER_SET_UP(the_columns_sorted_by_stay, open_many),
        AFTER_SET_UP(chosen_columns_stay, open_few),
        DRIVER_TEST(few_rows_keep_their_columns),
        DRIVER_TEST(where_everything_has_room_nothing_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
