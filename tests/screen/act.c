/* What keys of the list do to the view: sort, narrow, mark, undo, go back; and how it looks. */
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

static void a_sort_shows_its_sign_and_keeps_the_record(void **state) {
    struct driver *driver = *state;
    looker_press(driver, driver_page, "j j l l l s");
    driver_cursor_at(driver, "4,702");
    driver_check(driver, "sorted");
    looker_try(driver, driver_page, "s", "sort: amount desc");
    driver_cursor_at(driver, "4,702");
    looker_try(driver, driver_page, "s", "order: as sent by the service");
    driver_cursor_at(driver, "4,702");
}

static void a_second_key_sorts_what_the_first_leaves_equal(void **state) {
    struct driver *driver = *state;
    looker_try(driver, driver_page, "l s l l S", "sort: status asc, amount asc");
    looker_press(driver, driver_page, "g");
    driver_cursor_at(driver, "166 USD");
}

static void a_column_that_cannot_be_sorted_by_says_so(void **state) {
    struct driver *driver = *state;
    looker_try(driver, driver_page, "l l l l l l l l s", "rows cannot be sorted by this column");
}

static void narrowing_takes_the_value_under_the_cursor(void **state) {
    struct driver *driver = *state;
    looker_try(driver, driver_page, "j l l l l ,", "local[currency=MXN]");
    looker_try(driver, driver_page, "h h h !", "local[currency=MXN -status=approved]",
               "no cached intent matches so far");
    looker_try(driver, driver_page, "u u", "none, every intent of this account");
    looker_try(driver, driver_page, "U", "local[currency=MXN]");
    looker_try(driver, driver_page, "u u", "nothing to undo");
    looker_try(driver, driver_page, "U U U", "nothing to do again");
}

static void a_flag_is_narrowed_to_by_its_word(void **state) {
    struct driver *driver = *state;
    looker_try(driver, driver_page, "j l l l l l l l l ,", "local[has:refund]");
    looker_try(driver, driver_page, "!", "local[has:refund -has:refund]");
    looker_try(driver, driver_page, "u u g ,", "there is no value under the cursor");
}

static void all_of_one_user(void **state) {
    struct driver *driver = *state;
    looker_try(driver, driver_page, "i", "local[user=b9c770ec-d38c-4afc-826d-40150ae77b52]", "1 of 1 so far");
}

static void views_left_are_gone_back_to(void **state) {
    struct driver *driver = *state;
    looker_try(driver, driver_page, "i [", "none, every intent of this account");
    looker_try(driver, driver_page, "[", "there is no view before this one");
    looker_try(driver, driver_page, "]", "local[user=");
    looker_try(driver, driver_page, "]", "there is no view after this one");
}

static void marks_are_of_ids_and_survive_a_filter(void **state) {
    struct driver *driver = *state;
    looker_try(driver, driver_page, "Space j Space j j j V", "marked");
    driver_check(driver, "marks");
    looker_try(driver, driver_page, "l ,", "marked");
    looker_try(driver, driver_page, "M", "unmark all of them");
    looker_try(driver, driver_page, "Enter", "local[is:marked]");
    looker_press(driver, driver_page, "M Right Enter");
    driver_hides(driver, "| 6 marked");
    looker_try(driver, driver_page, "M", "no row is marked; Space marks");
}

static void a_range_needs_its_other_end(void **state) {
    struct driver *driver = *state;
    looker_try(driver, driver_page, "V", "mark the other end first");
}

static void n_without_a_find_says_how(void **state) {
    struct driver *driver = *state;
    looker_try(driver, driver_page, "n", "no search is set; \\ searches");
}

#define AFTER_OPEN_LIST(test) DRIVER_TEST_IN(test, driver_open_page_cached, 24, 100)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        AFTER_OPEN_LIST(a_sort_shows_its_sign_and_keeps_the_record),
        AFTER_OPEN_LIST(a_second_key_sorts_what_the_first_leaves_equal),
        AFTER_OPEN_LIST(a_column_that_cannot_be_sorted_by_says_so),
        AFTER_OPEN_LIST(narrowing_takes_the_value_under_the_cursor),
        AFTER_OPEN_LIST(a_flag_is_narrowed_to_by_its_word),
        AFTER_OPEN_LIST(all_of_one_user),
        AFTER_OPEN_LIST(views_left_are_gone_back_to),
        AFTER_OPEN_LIST(marks_are_of_ids_and_survive_a_filter),
        AFTER_OPEN_LIST(a_range_needs_its_other_end),
        AFTER_OPEN_LIST(n_without_a_find_says_how),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
