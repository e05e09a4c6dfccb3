#include "sandbox/json_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct str out;

static int start(void **state) {
    (void)state;
    str_init(&out, 10000);
    return 0;
}

static int stop(void **state) {
    (void)state;
    str_clear(&out);
    return 0;
}

static void commas_stand_between_items_only(void **state) {
    (void)state;
    json_write_open(&out, NULL, '{');
    json_write_open(&out, "a", '[');
    json_write_int(&out, NULL, 1);
    json_write_null(&out, NULL);
    json_write_open(&out, NULL, '{');
    json_write_close(&out, '}');
    json_write_close(&out, ']');
    json_write_bool(&out, "b", true);
    json_write_close(&out, '}');
    assert_string_equal(out.s, "{\"a\":[1,null,{}],\"b\":true}");
}

static void integers_reach_both_ends(void **state) {
    (void)state;
    json_write_open(&out, NULL, '[');
    json_write_int(&out, NULL, 0);
    json_write_int(&out, NULL, INT64_MAX);
    json_write_int(&out, NULL, INT64_MIN);
    assert_string_equal(out.s, "[0,9223372036854775807,-9223372036854775808");
}

static void strings_are_escaped_and_bad_bytes_replaced(void **state) {
    (void)state;
    json_write_string_n(&out, NULL, "a\"\\\n\x1b\x7f\0\xC3\xA9\xFF", 10);
    assert_string_equal(out.s, "\"a\\\"\\\\\\n\\u001b\\u007f\\u0000\xC3\xA9\xEF\xBF\xBD\"");
}

static void dotted_paths_share_their_objects(void **state) {
    (void)state;
    const struct json_write_field fields[] = {
        {"r.items", "[]"}, {"next", "null"}, {"r.page.more", "true"}, {"r.page.at", "1"}};
    json_write_nested(&out, fields, 4);
    assert_string_equal(out.s, "{\"r\":{\"items\":[],\"page\":{\"more\":true,\"at\":1}},\"next\":null}");
}

static void a_longer_name_is_not_taken_for_the_same(void **state) {
    (void)state;
    const struct json_write_field fields[] = {{"data", "[]"}, {"data_more", "false"}, {"dat", "1"}};
    json_write_nested(&out, fields, 3);
    assert_string_equal(out.s, "{\"data\":[],\"data_more\":false,\"dat\":1}");
}

#define AFTER_START(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_START(commas_stand_between_items_only),
        AFTER_START(integers_reach_both_ends),
        AFTER_START(strings_are_escaped_and_bad_bytes_replaced),
        AFTER_START(dotted_paths_share_their_objects),
        AFTER_START(a_longer_name_is_not_taken_for_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
