/* Copying: what goes to the clipboard is the value as served, whatever the list makes of it. */
#include "base/mem.h"
#include "support/driver.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char ONE[] =
    "{\"data\":[{\"id\":\"int_0001\",\"created_at\":\"2026-11-28T10:00:00.123Z\",\"direction\":\"cash_in\","
    "\"user_id\":\"usr_0123456789\",\"amount\":9007199254740993,\"currency\":\"EUR\",\"status\":\"declined\","
    "\"decline_category\":\"=1+1, \\\"none\\\"\",\"rail\":\"card\",\"type\":\"card_only\",\"dispute\":{\"id\":\"d\"},"
    "\"refund\":null,\"transactions\":[{\"id\":\"t1\",\"type\":\"intent\",\"status\":\"settled\",\"amount\":-5,"
    "\"currency\":\"EUR\",\"date\":\"2026-11-28\"}],\"payment_credential\":{\"id\":\"cred_77777777\","
    "\"bank_name\":\"Example "
    "Bank\",\"is_archived\":true,\"account\":{\"number_mask\":\"0815\",\"routing\":\"123456789\"},"
    "\"card\":{\"primary_account_number_mask\":\"4242\",\"expiration\":\"2030-01-31\",\"brand\":\"visa\"}},"
    "\"account\":{\"id\":\"acc_1\",\"type\":\"settlement\",\"name\":\"Pat Example\"}}],\"next_cursor\":null}";

static void open_one(struct driver *driver, int rows, int cols) {
    driver_open(driver, rows, cols);
    driver_answer(driver, ONE);
    driver_forget(driver);
}

static void copied(struct driver *driver, const char *keys, const char *text) {
    driver_forget(driver);
    driver_keys(driver, keys);
    assert_non_null(driver_copy(driver));
    assert_string_equal(driver_copy(driver)->text, text);
}

static void k36_the_value_under_the_cursor_is_copied_whole(void **state) {
    struct driver *driver = *state;
    copied(driver, "y", "2026-11-28T10:00:00.123Z");
    copied(driver, "l l y", "9007199254740993");
    copied(driver, "l l l l y", "Example Bank");
    driver_copied(driver);
    driver_shows(driver, "I bank sent to the terminal (OSC 52)");
}

static const char BY_BANK[] =
    "{\"data\":[{\"id\":\"int_1\",\"created_at\":\"2026-11-28T10:00:00.123Z\",\"rail\":\"ach\",\"payment_credential\":{"
    "\"account\":{\"number_mask\":\"0815\"},\"card\":{\"primary_account_number_mask\":\"4242\"}}}],"
    "\"next_cursor\":null}";

static void of_two_masks_the_one_on_show_is_copied(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 120);
    driver_answer(driver, BY_BANK);
    driver_shows(driver, "0815");
    driver_hides(driver, "4242");
    copied(driver, "l l l l l l l l l l l y", "0815");
}

static const char UNSEEN[] =
    "{\"data\":[{\"id\":\"int_\\u200f1\",\"created_at\":\"2026-11-28T10:00:00.123Z\",\"user_id\":\"us<200B>r\\u200b_"
    "1\","
    "\"amount\":1,\"status\":\"declined\",\"payment_credential\":{\"id\":\"c\",\"bank_name\":\"a\\u001b[2Jb\"}}],"
    "\"next_cursor\":null}";

static void f80_what_nobody_sees_is_copied_as_it_was_served(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 50, 200);
    driver_answer(driver, UNSEEN);
    driver_forget(driver);
    driver_shows(driver, "int_<200F>1");
    copied(driver, "Y Down Enter", "int_\u200f1");
    assert_string_equal(driver_copy(driver)->what, "the id as served, with invisible characters,");
    copied(driver, "Enter y", "int_\u200f1");
    copied(driver, "Esc l l l l l y", "us<200B>r\u200b_1");
}

/* Pasted into a shell it would act. */
static void f80_what_would_act_is_not_and_it_is_said(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 50, 200);
    driver_answer(driver, UNSEEN);
    copied(driver, "l l l l l l l y", "a<1B>[2Jb");
    assert_string_equal(driver_copy(driver)->what, "not the exact bank (control characters are tokens)");
}

static void in_the_detail_the_id_is_copied(void **state) {
    struct driver *driver = *state;
    copied(driver, "Enter y", "int_0001");
}

static void nothing_to_copy_is_said(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    driver_answer(driver, "{\"data\":[],\"next_cursor\":null}");
    driver_forget(driver);
    driver_keys(driver, "y");
    assert_null(driver_copy(driver));
    driver_shows(driver, "there is no row under the cursor");
    driver_keys(driver, "Y");
    driver_hides(driver, "summary for a ticket");
}

static void copy_as_lists_what_there_is(void **state) {
    (void)state;
    driver_check_sizes("copy", "80x24 200x50 40x8", open_one, "Y");
}

/* K36, K53: digits stay digits, what a spreadsheet would run is guarded. */
static void a_row_is_one_line_of_csv(void **state) {
    struct driver *driver = *state;
    copied(driver, "Y Down Down Down Enter",
           "int_0001,2026-11-28T10:00:00.123Z,declined,\"'=1+1, \"\"none\"\"\",cash_in,9007199254740993,EUR,,card_only,"
           "card,usr_0123456789,cred_77777777,Example Bank,true,0815,123456789,4242,2030-01-31,visa,acc_1,settlement,"
           "Pat Example,,1,EUR -5,settled 1,yes,,no,,");
}

static void the_json_is_as_served(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Y Down Down Down Down Enter");
    const char *text = driver_copy(driver)->text;
    assert_non_null(strstr(text, "\"amount\": 9007199254740993"));
    assert_non_null(strstr(text, "\"name\": \"Pat Example\""));
}

static void a_summary_for_a_ticket_is_masked(void **state) {
    struct driver *driver = *state;
    static const char EXPECTED[] =
        "Intent int_0001 (sandbox, acme-eu)\n"
        "status        declined, decline =1+1, \"none\"\n"
        "created       2026-11-28T10:00:00.123Z\n"
        "amount        9007199254740993 EUR (the integer as served)\n"
        "flow          cash_in, type card_only, rail card\n"
        "user          ***6789\n"
        "credential    ***7777, bank Example Bank, card visa, mask ***4242, account ***0815, "
        "archived\n"
        "transactions  1\n"
        "              intent settled -5 EUR 2026-11-28\n"
        "dispute       yes, refund none\n"
        "hint          its credential is archived, or its card had expired (is_archived is true)\n"
        "served at     2026-11-28 12:00:00 UTC\n";
    copied(driver, "Y Enter", EXPECTED);
    assert_null(strstr(driver_copy(driver)->text, "Pat"));
    assert_null(strstr(driver_copy(driver)->text, "usr_0123456789"));
}

static void leaving_the_list_copies_nothing(void **state) {
    static const char *const KEYS[] = {"Y Esc", "Y q", "Y Ctrl-C"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        struct driver driver;
        open_one(&driver, 24, 80);
        driver_keys(&driver, KEYS[i]);
        assert_null(driver_copy(&driver));
        driver_hides(&driver, "summary for a ticket");
        driver_close(&driver);
    }
}

static int start(void **state) {
    (void)state;
    return setlocale(LC_ALL, "C.UTF-8") ? 0 : -1;
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, open_one, 24, 80)

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_SET_UP(k36_the_value_under_the_cursor_is_copied_whole),
        DRIVER_TEST(of_two_masks_the_one_on_show_is_copied),
        DRIVER_TEST(f80_what_nobody_sees_is_copied_as_it_was_served),
        DRIVER_TEST(f80_what_would_act_is_not_and_it_is_said),
        AFTER_SET_UP(in_the_detail_the_id_is_copied),
        DRIVER_TEST(nothing_to_copy_is_said),
        cmocka_unit_test(copy_as_lists_what_there_is),
        AFTER_SET_UP(a_row_is_one_line_of_csv),
        AFTER_SET_UP(the_json_is_as_served),
        AFTER_SET_UP(a_summary_for_a_ticket_is_masked),
        cmocka_unit_test(leaving_the_list_copies_nothing),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
