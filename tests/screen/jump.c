/* To a row by id or time: among the rows read, beyond them through the index, and what is said where there is none. */
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void jump(struct driver *driver, const char *text) {
    driver_key(driver, "@");
    driver_text(driver, text);
    driver_key(driver, "Enter");
}

/* Three newest intents read, the others in the cache alone. */
static const char HEAD[] = "{\"data\":[{\"id\":\"b37875db-170c-479c-849a-4b705c1eba67\",\"created_at\":"
                           "\"2026-11-28T12:00:00.000Z\"},{\"id\":\"27d6fb76-87e3-41fa-a896-5a1843b7735a\","
                           "\"created_at\":\"2026-11-28T10:29:02.482Z\"}],\"next_cursor\":\"c\"}";

static void open_head(struct driver *driver) {
    driver_open_cached(driver, 24, 80);
    driver_cached(driver, NULL, true);
    driver_answer(driver, HEAD);
    driver_forget(driver);
}

static void open_page(struct driver *driver) {
    driver_open(driver, 24, 80);
    driver_answer(driver, driver_page);
    driver_forget(driver);
}

static void an_id_or_its_beginning_is_found_among_the_rows_read(void **state) {
    struct driver *driver = driver_begin(state);
    open_page(driver);
    jump(driver, "8f02a9e1-ae1c-439e-90e4-e78595d4d94b");
    driver_cursor_at(driver, "2026-11-27 11:30:41");
    jump(driver, "53bdc");
    driver_cursor_at(driver, "2026-11-27 09:38:43");
}

static void f46_an_id_in_other_letters_or_as_the_screen_cuts_it_is_found(void **state) {
    struct driver *driver = driver_begin(state);
    open_page(driver);
    jump(driver, "8F02A9E1-AE1C-439E-90E4-E78595D4D94B");
    driver_cursor_at(driver, "2026-11-27 11:30:41");
    jump(driver, "53BDC");
    driver_cursor_at(driver, "2026-11-27 09:38:43");
    jump(driver, "\xE2\x80\xA6"
                 "95d4d94b");
    driver_cursor_at(driver, "2026-11-27 11:30:41");
}

/* As a narrow column shows it. */
static void f83_the_end_of_an_id_is_found_too(void **state) {
    struct driver *driver = driver_begin(state);
    open_page(driver);
    jump(driver, "95d4d94b");
    driver_cursor_at(driver, "2026-11-27 11:30:41");
}

static void a_time_is_the_newest_row_within_it_or_before(void **state) {
    static const struct {
        const char *text, *row;
    } CASES[] = {
        {"2026-11-27", "2026-11-27 19:35:23"}, {"2026-11-27T13:00Z", "2026-11-27 11:30:41"},
        {"yesterday", "2026-11-27 19:35:23"},  {"-24h", "2026-11-27 11:30:41"},
        {"friday", "2026-11-27 19:35:23"},     {"2027", "2026-11-28 12:00:00"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct driver driver;
        open_page(&driver);
        driver_keys(&driver, "j j");
        jump(&driver, CASES[i].text);
        driver_cursor_at(&driver, CASES[i].row);
        driver_close(&driver);
    }
}

static int set_up(void **state) {
    open_head(driver_begin(state));
    return 0;
}

static void a_row_that_was_not_read_is_found_through_the_index(void **state) {
    struct driver *driver = *state;
    jump(driver, "53bdc");
    looker_answer(driver, driver_page, false);
    looker_answer(driver, driver_page, false);
    driver_cursor_at(driver, "2026-11-27 09:38:43");
    driver_shows(driver, "sort: created desc");
    driver_try(driver, "u", "order: as sent by the service");
}

static void a_miss_changes_nothing_and_says_how_far_it_looked(void **state) {
    struct driver *driver = *state;
    jump(driver, "no-such-1");
    looker_answer(driver, driver_page, false);
    driver_shows(driver, "reading back for no-such-1");
    driver_answer(driver, "{\"data\":[]}");
    driver_shows(driver, "the list was read to its end; no-such-1 is not in it", "order: as sent by the service");
    driver_forget(driver);
    jump(driver, "2020-01-01");
    looker_answer(driver, driver_page, false);
    driver_shows(driver, "no intent is that old");
}

static void a_row_that_the_filter_hides_is_said_to_be_there(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ 'rail:card' Enter");
    looker_settle(driver, driver_page, false);
    jump(driver, "27d6fb76");
    looker_answer(driver, driver_page, false);
    looker_answer(driver, driver_page, false);
    driver_shows(driver, "the filter hides it; / and an empty filter show it");
    driver_forget(driver);
    jump(driver, "no-such-1");
    looker_answer(driver, driver_page, false);
    looker_answer(driver, driver_page, false);
    driver_shows(driver, "reading back for ");
}

static void a_word_that_is_no_id_is_told_how_a_time_is_written(void **state) {
    static const char SAID[] = "a time is written 2026-11-01, today, -7d; no id matches yet; R reads all";
    struct driver driver;
    (void)state;
    open_head(&driver);
    jump(&driver, "tee");
    looker_answer(&driver, driver_page, false);
    driver_shows(&driver, SAID);
    driver_close(&driver);
    open_page(&driver);
    jump(&driver, "zzz");
    driver_shows(&driver, SAID);
    driver_close(&driver);
}

static void oldest_first_a_time_is_the_oldest_row_within_it_or_after(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "s");
    looker_answer(driver, driver_page, false);
    driver_forget(driver);
    jump(driver, "2026-11-27");
    looker_answer(driver, driver_page, false);
    looker_answer(driver, driver_page, false);
    driver_cursor_at(driver, "2026-11-27 09:38:43");
}

static void in_another_order_there_is_no_way_to_a_time(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "l l l s");
    looker_answer(driver, driver_page, false);
    jump(driver, "2026-11-27");
    driver_shows(driver, "sorted by amount, rows are in no order of time");
}

static void several_ids_that_begin_so_are_said(void **state) {
    struct driver *driver = *state;
    jump(driver, "a");
    looker_answer(driver, driver_page, false);
    driver_shows(driver, "the first of 3 ids that begin or end with this");
}

static void nothing_typed_goes_nowhere(void **state) {
    struct driver *driver = driver_begin(state);
    open_page(driver);
    driver_key(driver, "j");
    jump(driver, "");
    driver_cursor_at(driver, "2026-11-28 10:29:02");
}

#define AFTER_SET_UP(test) cmocka_unit_test_setup_teardown(test, set_up, driver_end)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(an_id_or_its_beginning_is_found_among_the_rows_read),
        DRIVER_TEST(f46_an_id_in_other_letters_or_as_the_screen_cuts_it_is_found),
        DRIVER_TEST(f83_the_end_of_an_id_is_found_too),
        cmocka_unit_test(a_time_is_the_newest_row_within_it_or_before),
        AFTER_SET_UP(a_row_that_was_not_read_is_found_through_the_index),
        AFTER_SET_UP(a_miss_changes_nothing_and_says_how_far_it_looked),
        AFTER_SET_UP(a_row_that_the_filter_hides_is_said_to_be_there),
        cmocka_unit_test(a_word_that_is_no_id_is_told_how_a_time_is_written),
        AFTER_SET_UP(oldest_first_a_time_is_the_oldest_row_within_it_or_after),
        AFTER_SET_UP(in_another_order_there_is_no_way_to_a_time),
        AFTER_SET_UP(several_ids_that_begin_so_are_said),
        DRIVER_TEST(nothing_typed_goes_nowhere),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
