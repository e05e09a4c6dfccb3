/* Groups of the detail fold to their headings and unfold again. */
#include "support/driver.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void open_page(struct driver *driver, int rows, int cols) {
    driver_open(driver, rows, cols);
    driver_answer(driver, driver_page);
}

static void folded_groups_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("fold", "80x24 120x40 200x50 40x8", open_page, "j z Z 'pay' Enter Z 'acc' Enter");
}

static void the_menu_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("fold-menu", "80x24 120x40 200x50", open_page, "j z Z 'pay' Enter Z");
}

static void a_group_folds_and_says_how_many_lines(void **state) {
    struct driver *driver = *state;
    driver_shows(driver, "bank_name ", "card.expiration");
    driver_try(driver, "Z", "Fold or unfold", "payment credential", "account");
    driver_try(driver, "'pay' Enter", "payment credential", " folded: 8 lines");
    driver_hides(driver, "bank_name ", "card.expiration");
    driver_try(driver, "Z", "8 lines, folded");
    driver_try(driver, "'pay' Enter", "bank_name ");
    driver_hides(driver, "folded");
}

/* All groups are open while something is searched for, and folded again once it is given up. */
static void a_search_looks_into_folded_groups(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Z 'fold all' Enter");
    driver_hides(driver, "bank_name ");
    driver_try(driver, "/ 'bank_na'", "bank_name ");
    driver_try(driver, "Enter", "bank_name ");
    driver_try(driver, "n", "bank_name ");
    driver_keys(driver, "/ Esc");
    driver_hides(driver, "bank_name ");
    driver_shows(driver, " folded: 8 lines");
}

static void what_is_folded_stays_so_for_the_next_record(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Z 'pay' Enter Esc j z");
    driver_shows(driver, "payment credential  ", " folded: 8 lines");
    driver_hides(driver, "card.expiration");
}

static void all_fold_and_unfold_at_once(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Z");
    driver_try(driver, "'fold all' Enter", "transactions (1)  ", "dispute  ", "created_at  ");
    driver_hides(driver, "bank_name ", "settled");
    driver_try(driver, "Z", "unfold all");
    driver_try(driver, "'fold all' Enter", "bank_name ", "settled");
}

/* As served it has no groups, and without a detail nothing is on show to fold. */
static void where_there_are_no_groups_that_is_said(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "J Z", "groups fold in the detail of an intent");
    driver_keys(driver, "J Esc d");
    driver_try(driver, "Z", "groups fold in the detail of an intent: Enter opens it");
}

static void open_zoomed(struct driver *driver, int rows, int cols) {
    open_page(driver, rows, cols);
    driver_keys(driver, "j z");
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, open_zoomed, 50, 100)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_groups_at_every_size),        cmocka_unit_test(the_menu_at_every_size),
        AFTER_SET_UP(a_group_folds_and_says_how_many_lines),  AFTER_SET_UP(what_is_folded_stays_so_for_the_next_record),
        AFTER_SET_UP(a_search_looks_into_folded_groups),      AFTER_SET_UP(all_fold_and_unfold_at_once),
        AFTER_SET_UP(where_there_are_no_groups_that_is_said),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
