/* What is pasted into the form of a user: offered apart where it is a whole, never taken apart silently. */
#include "model/user.h"
#include "support/driver.h"

#include "base/mem.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void open_form(struct driver *driver) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "https://api.example.com");
    profile->read_only = false;
    driver_open_profile(driver, profile, 24, 80);
    driver_key(driver, "2");
}

static int set_up(void **state) {
    open_form(driver_begin(state));
    return 0;
}

static void several_lines_do_not_go_into_one(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Enter Tab");
    driver_paste(driver, "zzz1\nzzz2\nzzz3");
    driver_shows(driver, "several lines does not go");
    driver_hides(driver, "zzz1");
    driver_paste(driver, "zzz1");
    driver_shows(driver, "zzz1");
    driver_hides(driver, "several lines"); /* that was of another text */
}

static void what_is_too_long_for_a_field_is_called_so(void **state) {
    struct driver *driver = *state;
    char text[USER_TEXT_MAX + 2];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    driver_keys(driver, "Enter Tab");
    driver_paste(driver, text);
    driver_shows(driver, "too long: at most 4096 characters");
    driver_hides(driver, "xxx");
}

static void a_whole_name_is_offered_to_be_split(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "Enter");
    driver_paste(driver, "Ann Marie Sample");
    driver_check(driver, "register-split");
    driver_try(driver, "Right Enter Esc", "Ann Marie");
    driver_hides(driver, "Ann Marie Sample");
}

static void a_whole_address_is_offered_to_be_split(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Enter Tab Tab Tab");
    driver_paste(driver, "Musterweg 7\n10115 Berlin\nGermany");
    driver_try(driver, "Right Enter", "Germany (DE)", "10115", "Berlin");
}

static void one_line_with_area_and_code_is_a_whole_address(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Enter Tab Tab Tab");
    driver_paste(driver, "1 Main St, Springfield IL 62704");
    driver_shows(driver, "looks like a whole address");
    driver_try(driver, "Right Enter", "United States (US)", "Illinois (IL)");
}

static void a_street_with_a_comma_is_no_whole_address(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Enter Tab Tab Tab");
    driver_paste(driver, "Flat 3, 12 High Street");
    driver_hides(driver, "looks like a whole address");
    driver_shows(driver, "Flat 3, 12 High Street");
}

static void a_longer_id_keeps_four_characters_after_a_question(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "g j j j j j j j j j j j Enter Ctrl-U");
    driver_paste(driver, "X1234567Z");
    driver_try(driver, "Right Enter", "567Z");
    driver_hides(driver, "X1234567Z");
}

#define AFTER_SET_UP(test) cmocka_unit_test_setup_teardown(test, set_up, driver_end)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        AFTER_SET_UP(several_lines_do_not_go_into_one),
        AFTER_SET_UP(what_is_too_long_for_a_field_is_called_so),
        AFTER_SET_UP(a_whole_name_is_offered_to_be_split),
        AFTER_SET_UP(a_whole_address_is_offered_to_be_split),
        AFTER_SET_UP(one_line_with_area_and_code_is_a_whole_address),
        AFTER_SET_UP(a_street_with_a_comma_is_no_whole_address),
        AFTER_SET_UP(a_longer_id_keeps_four_characters_after_a_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
