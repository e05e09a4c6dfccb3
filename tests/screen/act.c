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

static int open_list(void **state) {
    struct driver *driver = mem_new(sizeof *driver);
    driver_open_cached(driver, 24, 100);
    driver_cached(driver, driver_page, true);
    driver_answer(driver, driver_page);
    driver_forget(driver);
    *state = driver;
    return 0;
}

static int close_list(void **state) {
    driver_close(*state);
    free(*state);
    return 0;
}

/* Keys, each followed by the answers to what it asked. */
static void press(struct driver *driver, const char *keys) {
    char copy[256], *rest = copy, *key;
    (void)snprintf(copy, sizeof copy, "%s", keys);
    while ((key = strsep(&rest, " ")) != NULL) {
        driver_key(driver, key);
        looker_settle(driver, driver_page, false);
    }
}

static void cursor_at(struct driver *driver, const char *text) {
    char *row = driver_cursor_row(driver);
    if (!strstr(row, text))
        fail_msg("the cursor is not at %s but at %s", text, row);
    free(row);
}

static void a_sort_shows_its_sign_and_keeps_the_record(void **state) {
    struct driver *driver = *state;
    press(driver, "j j l l l s");
    cursor_at(driver, "4,702");
    driver_check(driver, "sorted");
    press(driver, "s");
    driver_shows(driver, "sort: amount desc");
    cursor_at(driver, "4,702");
    press(driver, "s");
    driver_shows(driver, "order: as sent by the service");
    cursor_at(driver, "4,702");
}

static void a_second_key_sorts_what_the_first_leaves_equal(void **state) {
    struct driver *driver = *state;
    press(driver, "l s l l S");
    driver_shows(driver, "sort: status asc, amount asc");
    press(driver, "g");
    cursor_at(driver, "166 USD");
}

static void a_column_that_cannot_be_sorted_by_says_so(void **state) {
    struct driver *driver = *state;
    press(driver, "l l l l l l l l s");
    driver_shows(driver, "rows cannot be sorted by this column");
}

static void narrowing_takes_the_value_under_the_cursor(void **state) {
    struct driver *driver = *state;
    press(driver, "j l l l l ,");
    driver_shows(driver, "local[currency=MXN]");
    press(driver, "h h h !");
    driver_shows(driver, "local[currency=MXN -status=approved]", "no cached intent matches so far");
    press(driver, "u u");
    driver_shows(driver, "none, every intent of this account");
    press(driver, "U");
    driver_shows(driver, "local[currency=MXN]");
    press(driver, "u u");
    driver_shows(driver, "nothing to undo");
    press(driver, "U U U");
    driver_shows(driver, "nothing to do again");
}

static void a_flag_is_narrowed_to_by_its_word(void **state) {
    struct driver *driver = *state;
    press(driver, "j l l l l l l l l ,");
    driver_shows(driver, "local[has:refund]");
    press(driver, "!");
    driver_shows(driver, "local[has:refund -has:refund]");
    press(driver, "u u g ,");
    driver_shows(driver, "there is no value under the cursor");
}

static void all_of_one_user(void **state) {
    struct driver *driver = *state;
    press(driver, "i");
    driver_shows(driver, "local[user=b9c770ec-d38c-4afc-826d-40150ae77b52]", "1 of 1 so far");
}

static void views_left_are_gone_back_to(void **state) {
    struct driver *driver = *state;
    press(driver, "i [");
    driver_shows(driver, "none, every intent of this account");
    press(driver, "[");
    driver_shows(driver, "there is no view before this one");
    press(driver, "]");
    driver_shows(driver, "local[user=");
    press(driver, "]");
    driver_shows(driver, "there is no view after this one");
}

static void marks_are_of_ids_and_survive_a_filter(void **state) {
    struct driver *driver = *state;
    press(driver, "Space j Space j j j V");
    driver_shows(driver, "marked");
    driver_check(driver, "marks");
    press(driver, "l ,");
    driver_shows(driver, "marked");
    press(driver, "M");
    driver_shows(driver, "let them go");
    press(driver, "Enter");
    driver_shows(driver, "local[is:marked]");
    press(driver, "M Right Enter");
    driver_hides(driver, "| 6 marked");
    press(driver, "M");
    driver_shows(driver, "no row is marked; Space marks");
}

static void a_range_needs_its_other_end(void **state) {
    struct driver *driver = *state;
    press(driver, "V");
    driver_shows(driver, "mark the other end first");
}

static void n_without_a_find_says_how(void **state) {
    struct driver *driver = *state;
    press(driver, "n");
    driver_shows(driver, "nothing is looked for");
}

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_sort_shows_its_sign_and_keeps_the_record, open_list, close_list),
        cmocka_unit_test_setup_teardown(a_second_key_sorts_what_the_first_leaves_equal, open_list, close_list),
        cmocka_unit_test_setup_teardown(a_column_that_cannot_be_sorted_by_says_so, open_list, close_list),
        cmocka_unit_test_setup_teardown(narrowing_takes_the_value_under_the_cursor, open_list, close_list),
        cmocka_unit_test_setup_teardown(a_flag_is_narrowed_to_by_its_word, open_list, close_list),
        cmocka_unit_test_setup_teardown(all_of_one_user, open_list, close_list),
        cmocka_unit_test_setup_teardown(views_left_are_gone_back_to, open_list, close_list),
        cmocka_unit_test_setup_teardown(marks_are_of_ids_and_survive_a_filter, open_list, close_list),
        cmocka_unit_test_setup_teardown(a_range_needs_its_other_end, open_list, close_list),
        cmocka_unit_test_setup_teardown(n_without_a_find_says_how, open_list, close_list),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
