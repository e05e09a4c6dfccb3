/* Value counts over the result: what is counted, how it looks, and that a value chosen is filtered by. */
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Twenty-odd intents in the cache and on show, the walk not at its end. */
static void open_cached(struct driver *driver, int rows, int cols) {
    driver_open_cached(driver, rows, cols);
    driver_cached(driver, driver_page, true);
    driver_answer(driver, driver_page);
    driver_forget(driver);
}

static void count(struct driver *driver, const char *keys, bool whole) {
    driver_keys(driver, keys);
    looker_answer(driver, driver_page, whole);
    driver_forget(driver);
}

static void counts_at_every_size(void **state) {
    static const struct {
        const char *name;
        int rows, cols;
    } SIZES[] = {{"counts-80x24", 24, 80}, {"counts-120x40", 40, 120}, {"counts-40x8", 8, 40}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        open_cached(&driver, SIZES[i].rows, SIZES[i].cols);
        count(&driver, "F", false);
        driver_check(&driver, SIZES[i].name);
        driver_close(&driver);
    }
}

static void names_of_banks_keep_their_columns(void **state) {
    struct driver driver;
    (void)state;
    open_cached(&driver, 24, 80);
    driver_keys(&driver, "F Tab Tab Tab Tab");
    looker_answer(&driver, driver_page, true);
    driver_keys(&driver, "j j");
    driver_check(&driver, "counts-bank");
    driver_close(&driver);
}

static void sums_stand_beside_their_currencies(void **state) {
    struct driver driver;
    (void)state;
    open_cached(&driver, 24, 80);
    driver_keys(&driver, "F Tab Tab Tab");
    looker_answer(&driver, driver_page, true);
    driver_check(&driver, "counts-currency");
    driver_close(&driver);
}

static void counts_are_so_far_until_the_end_was_seen(void **state) {
    struct driver driver;
    (void)state;
    open_cached(&driver, 24, 80);
    count(&driver, "F", true);
    assert_true(driver_sees(&driver, "cached intents so far; R reads all"));
    driver_key(&driver, "R");
    driver_cached(&driver, driver_page, true);
    driver_answer(&driver, "{\"data\":[]}");
    assert_true(driver_sees(&driver, "all there are"));
    driver_close(&driver);
}

static void a_value_chosen_is_filtered_by(void **state) {
    struct driver driver;
    (void)state;
    open_cached(&driver, 24, 80);
    count(&driver, "F", false);
    assert_true(driver_sees(&driver, "approved"));
    driver_key(&driver, "Enter");
    assert_true(driver_sees(&driver, "server[status:approved]"));
    assert_false(driver_sees(&driver, "Value counts"));
    driver_close(&driver);
}

static void a_value_excluded_is_filtered_out(void **state) {
    struct driver driver;
    (void)state;
    open_cached(&driver, 24, 80);
    count(&driver, "F", false);
    driver_key(&driver, "!");
    assert_true(driver_sees(&driver, "local[-status=approved]"));
    driver_close(&driver);
}

static void a_value_chosen_twice_is_filtered_by_once(void **state) {
    struct driver driver;
    (void)state;
    open_cached(&driver, 24, 80);
    count(&driver, "F", false);
    driver_key(&driver, "Enter");
    looker_settle(&driver, driver_page, false);
    count(&driver, "F", false);
    driver_key(&driver, "Enter");
    assert_true(driver_sees(&driver, "I the filter says so already: status=approved"));
    driver_close(&driver);
}

static void no_decline_can_be_said_no_bank_cannot(void **state) {
    static const char PAGE[] = "{\"data\":[{\"id\":\"a\",\"created_at\":\"2026-11-28T10:00:00.000Z\"}]}";
    struct driver driver;
    (void)state;
    open_cached(&driver, 24, 80);
    driver_keys(&driver, "F Tab Tab Tab Tab");
    looker_answer(&driver, PAGE, false);
    driver_key(&driver, "Enter");
    assert_true(driver_sees(&driver, "no word for intents without a bank"));
    driver_keys(&driver, "Tab Tab");
    looker_answer(&driver, PAGE, false);
    driver_key(&driver, "Enter");
    assert_true(driver_sees(&driver, "local[-has:decline]"));
    driver_close(&driver);
}

static void the_column_under_the_cursor_is_counted_first(void **state) {
    struct driver driver;
    (void)state;
    open_cached(&driver, 24, 80);
    driver_keys(&driver, "l l l l F");
    assert_int_equal(looker_asked(&driver)->facet, QUERY_CURRENCY_FIELD);
    driver_close(&driver);
}

static void what_is_filtered_is_what_is_counted(void **state) {
    struct driver driver;
    (void)state;
    open_cached(&driver, 24, 80);
    driver_key(&driver, "/");
    driver_text(&driver, "status:declined");
    driver_key(&driver, "Enter");
    driver_forget(&driver);
    count(&driver, "F", false);
    assert_true(driver_sees(&driver, "1 value in 6 cached intents so far"));
    assert_false(driver_sees(&driver, "approved"));
    driver_close(&driver);
}

static void without_a_cache_the_rows_read_are_counted(void **state) {
    struct driver driver;
    (void)state;
    driver_open(&driver, 24, 80);
    driver_answer(&driver, driver_page);
    driver_forget(&driver);
    driver_key(&driver, "F");
    assert_null(looker_asked(&driver));
    driver_check(&driver, "counts-no-cache");
    driver_close(&driver);
}

static void counts_follow_the_index_and_stop_with_the_box(void **state) {
    struct driver driver;
    struct event moved = {.kind = EVENT_INDEX, .whole = true};
    (void)state;
    open_cached(&driver, 24, 80);
    count(&driver, "F", false);
    driver_event(&driver, &moved);
    assert_non_null(looker_asked(&driver));
    driver_event(&driver, &moved); /* while a question is out: asked again after it */
    looker_answer(&driver, driver_page, true);
    driver_forget(&driver);
    driver_key(&driver, "Esc");
    driver_event(&driver, &moved);
    assert_null(looker_asked(&driver));
    driver_close(&driver);
}

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_at_every_size),
        cmocka_unit_test(names_of_banks_keep_their_columns),
        cmocka_unit_test(sums_stand_beside_their_currencies),
        cmocka_unit_test(counts_are_so_far_until_the_end_was_seen),
        cmocka_unit_test(a_value_chosen_is_filtered_by),
        cmocka_unit_test(a_value_excluded_is_filtered_out),
        cmocka_unit_test(a_value_chosen_twice_is_filtered_by_once),
        cmocka_unit_test(no_decline_can_be_said_no_bank_cannot),
        cmocka_unit_test(the_column_under_the_cursor_is_counted_first),
        cmocka_unit_test(what_is_filtered_is_what_is_counted),
        cmocka_unit_test(without_a_cache_the_rows_read_are_counted),
        cmocka_unit_test(counts_follow_the_index_and_stop_with_the_box),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
