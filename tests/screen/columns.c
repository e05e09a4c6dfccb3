/* Which columns the list shows, in which order and how wide: chosen by hand, part of the view. */
#include "app/columns.h"
#include "base/mem.h"
#include "support/driver.h"
#include "support/looker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void open_page(struct driver *driver, int rows, int cols) {
    driver_open(driver, rows, cols);
    driver_answer(driver, driver_page);
}

static void the_chooser_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("columns", "80x24 200x50 40x8", open_page, "c j j Space");
}

/* The id first, whole, and neither bank nor user. */
static void columns_chosen_are_shown_in_their_order(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "c");
    for (int i = 0; i < 13; i++)
        driver_key(driver, "j");
    for (int i = 0; i < 13; i++)
        driver_key(driver, "K");
    for (int i = 0; i < 24; i++)
        driver_key(driver, "+");
    driver_keys(driver, "j j j Space Enter");
    driver_check(driver, "columns-chosen");
    driver_shows(driver, "b37875db-170c-479c-849a-4b705c1eba67");
}

/* As many as there are, and those below the last line have a sign. */
static void the_chooser_scrolls_to_the_last_column(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "c", "Columns, 1 of 24");
    driver_hides(driver, "the day it was created");
    driver_try(driver, "PgDn", "Columns, 20 of 24");
    driver_key(driver, "G");
    driver_check(driver, "columns-end");
    driver_shows(driver, "the day it was created");
    driver_try(driver, "PgUp k k k k", "Columns, 1 of 24");
}

static void escape_changes_nothing(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "c Space j Space Esc", "created UTC");
}

static void a_choice_is_undone_and_done_again(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "c Space Enter");
    driver_hides(driver, "created UTC");
    driver_try(driver, "u", "created UTC");
    driver_key(driver, "U");
    driver_hides(driver, "created UTC");
    driver_try(driver, "c = Enter", "created UTC");
}

/* The cursor's column is never one that is not there. */
static void a_hidden_column_loses_the_cursor(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "l c Space Enter");
    driver_forget(driver);
    driver_key(driver, "y");
    assert_non_null(driver_copy(driver));
    assert_true(str_starts(driver_copy(driver)->text, "2026-11-28T"));
}

static void the_key_that_hides_a_column_shows_it_again(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "l l l c Space Enter");
    driver_hides(driver, "amount");
    driver_try(driver, "u l l l c Space Space Enter", "amount");
}

static void the_last_column_stays(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "c");
    for (int i = 0; i < COLUMN_USUAL; i++)
        driver_keys(driver, "Space j");
    driver_try(driver, "Enter", "b37875db-170c-479c-849a-4b705c1eba67");
}

static void wide_shows_every_column_and_scrolls_to_it(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "w");
    for (int i = 0; i < COLUMN_COUNT; i++)
        driver_key(driver, "l");
    driver_shows(driver, "account.id");
    driver_check(driver, "columns-wide");
    driver_keys(driver, "w");
    driver_hides(driver, "account.id");
}

static void a_column_is_fitted_to_its_values(void **state) {
    struct driver *driver = driver_begin(state);
    open_page(driver, 24, 120);
    driver_try(driver, "l l l l l _", "b9c770ec-d38c-4afc-826d-40150ae77b52");
    driver_key(driver, "_");
    driver_hides(driver, "b9c770ec-d38c-4afc-826d-40150ae77b52");
}

/* With the detail over all of it, nothing of a list out of sight is changed. */
static void a_list_out_of_sight_is_left_alone(void **state) {
    static const char *const KEYS[][2] = {{"w", "every column"}, {"_", "the column is as wide as its values"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        struct driver driver;
        open_page(&driver, 24, 80);
        driver_try(&driver, "l l l l l Enter", "created_at");
        driver_key(&driver, KEYS[i][0]);
        driver_shows(&driver, "the detail covers the list; Esc goes back to it");
        driver_keys(&driver, "Esc Esc"); /* the page on its way, the detail */
        driver_shows(&driver, "created UTC");
        driver_key(&driver, KEYS[i][0]); /* for the first time: not off again */
        driver_shows(&driver, KEYS[i][1]);
        driver_close(&driver);
    }
}

/* K36 */
static void an_amount_is_never_cut_by_a_width(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    driver_answer(driver, "{\"data\":[{\"id\":\"a\",\"amount\":9007199254740993,\"currency\":\"EUR\"}]}");
    driver_try(driver, "l l c - - - - - - - - - - - - - - - Enter", "9,007,199,254,740,993");
}

static void parse(const char *text, const char *fault) {
    struct column_set set;
    struct error error = {0};
    assert_int_equal(columns_parse(text, &set, &error), ERR_USAGE);
    assert_string_equal(error.text, fault);
}

static void a_list_of_columns_is_read_or_refused_whole(void **state) {
    struct column_set set, again;
    struct str text;
    (void)state;
    str_init(&text, 512);
    assert_int_equal(columns_parse("id,bank:30,status", &set, NULL), ERR_OK);
    columns_print(&set, &text);
    assert_string_equal(text.s, "id,bank:30,status");
    assert_int_equal(columns_parse(text.s, &again, NULL), ERR_OK);
    assert_true(columns_equal(&set, &again));
    str_clear(&text);
    parse("id,bnk", "no column is called \"bnk\" (bank?)");
    parse("id,id", "the column id is named twice");
    parse("id:0", "the width of column id is a number from 1 to 200");
    parse("id,", "a column is missing after the last comma");
    parse(",id", "no column is called \"\"");
}

static void assert_column(const char *name, const char *column) {
    struct column_set set;
    struct str text;
    str_init(&text, 256);
    if (columns_parse(name, &set, NULL) != ERR_OK)
        fail_msg("%s: no column", name);
    columns_print(&set, &text);
    assert_string_equal(text.s, column);
    str_clear(&text);
}

/* What JSON, a CSV's header and the filter call a field is understood where columns are named. */
static void f48_names_as_served_are_columns(void **state) {
    (void)state;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const struct column_info *info = column_info(i);
        if (info->field < INTENT_FIELD_COUNT)
            assert_column(intent_field_path(info->field), info->name);
        if (info->query < QUERY_FIELD_COUNT)
            assert_column(query_field(info->query)->name, info->name);
    }
    assert_column("user_id:12", "user:12");
    assert_column("payment_credential.account.number_mask,Created_At", "mask,created");
    assert_column("bank_name,decline_category,amount_major", "bank,decline,amount");
    assert_column("guarantee_amount_major,number_mask,dir,cur", "guarantee,mask,direction,currency");
    parse("user_id,user", "the column user is named twice");
    parse("dispute_status", "\"dispute_status\" has no column of its own: flags shows it, and csv has it where no "
                            "columns are named");
    parse("payment_credential.is_archived", "\"payment_credential.is_archived\" has no column of its own: flags shows "
                                            "it, and csv has it where no columns are named");
    parse("account.created_at", "\"account.created_at\" has no column of its own: csv has it where no columns are "
                                "named");
    parse("transactions_amount", "\"transactions_amount\" has no column of its own: csv has it where no columns are "
                                 "named");
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, open_page, 24, 80)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f48_names_as_served_are_columns),
        cmocka_unit_test(the_chooser_at_every_size),
        AFTER_SET_UP(columns_chosen_are_shown_in_their_order),
        AFTER_SET_UP(the_chooser_scrolls_to_the_last_column),
        AFTER_SET_UP(escape_changes_nothing),
        AFTER_SET_UP(a_choice_is_undone_and_done_again),
        AFTER_SET_UP(a_hidden_column_loses_the_cursor),
        AFTER_SET_UP(the_key_that_hides_a_column_shows_it_again),
        AFTER_SET_UP(the_last_column_stays),
        AFTER_SET_UP(wide_shows_every_column_and_scrolls_to_it),
        DRIVER_TEST(a_column_is_fitted_to_its_values),
        cmocka_unit_test(a_list_out_of_sight_is_left_alone),
        DRIVER_TEST(an_amount_is_never_cut_by_a_width),
        cmocka_unit_test(a_list_of_columns_is_read_or_refused_whole),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
