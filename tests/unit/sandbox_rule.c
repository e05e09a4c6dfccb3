#include "sandbox/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static int id_of_match(struct rules *rules, const char *method, const char *path) {
    struct rule_hit hit;
    rules_match(rules, method, path, &hit);
    int id = hit.id;
    rule_hit_clear(&hit);
    return id;
}

static struct rules *with(const char *text) {
    struct rules *rules = rules_new();
    int id = 0;
    assert_int_equal(rules_add(rules, text, &id, NULL), ERR_OK);
    assert_int_equal(id, 1);
    return rules;
}

static void quoted_values_keep_blanks_and_bytes(void **state) {
    (void)state;
    struct rules *rules = with("status=503 body=\"a b\\n\\x00\\\"c\" header=\"Retry-After: 3\" \"type=text/html; x\"");
    struct rule_hit hit;
    rules_match(rules, "GET", "/any", &hit);
    assert_int_equal(hit.status, 503);
    assert_int_equal(hit.body_len, 7);
    assert_memory_equal(hit.body, "a b\n\0\"c", 7);
    assert_int_equal(hit.n, 1);
    assert_string_equal(hit.items[0].name, "Retry-After");
    assert_string_equal(hit.items[0].value, "3");
    assert_string_equal(hit.type, "text/html; x");
    rule_hit_clear(&hit);
    rules_free(rules);
}

static void path_and_method_must_match(void **state) {
    (void)state;
    struct rules *rules = with("path=/user method=post close=1");
    assert_int_equal(id_of_match(rules, "GET", "/user"), 0);
    assert_int_equal(id_of_match(rules, "POST", "/users"), 0);
    assert_int_equal(id_of_match(rules, "POST", "/user"), 1);
    rules_free(rules);
}

static void a_star_ends_a_path(void **state) {
    (void)state;
    struct rules *rules = with("path=/intent/* hang=1");
    assert_int_equal(id_of_match(rules, "GET", "/intent/list"), 1);
    assert_int_equal(id_of_match(rules, "GET", "/inten"), 0);
    rules_free(rules);
}

static void nth_alone_strikes_once(void **state) {
    (void)state;
    struct rules *rules = with("nth=2 delay=1");
    assert_int_equal(id_of_match(rules, "GET", "/"), 0);
    assert_int_equal(id_of_match(rules, "GET", "/"), 1);
    assert_int_equal(id_of_match(rules, "GET", "/"), 0);
    rules_free(rules);
}

static void count_limits_from_nth_on(void **state) {
    (void)state;
    struct rules *rules = with("nth=2 count=2 delay=1");
    const int expected[] = {0, 1, 1, 0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(id_of_match(rules, "GET", "/"), expected[i]);
    rules_free(rules);
}

static void a_spent_rule_lets_the_next_one_strike(void **state) {
    (void)state;
    struct rules *rules = with("count=1 status=500");
    int id = 0;
    assert_int_equal(rules_add(rules, "status=502", &id, NULL), ERR_OK);
    assert_int_equal(id_of_match(rules, "GET", "/"), 1);
    assert_int_equal(id_of_match(rules, "GET", "/"), 2);
    rules_free(rules);
}

static void removed_rules_strike_no_more(void **state) {
    (void)state;
    struct rules *rules = with("status=500");
    assert_true(rules_remove(rules, 1));
    assert_false(rules_remove(rules, 1));
    assert_int_equal(id_of_match(rules, "GET", "/"), 0);
    rules_free(rules);
}

static void retry_after_alone_means_429(void **state) {
    (void)state;
    struct rules *rules = with("retry_after=5");
    struct rule_hit hit;
    rules_match(rules, "GET", "/", &hit);
    assert_int_equal(hit.status, 429);
    assert_string_equal(hit.items[0].value, "5");
    rule_hit_clear(&hit);
    rules_free(rules);
}

static void nonsense_is_refused_by_name(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"", "empty"},
        {"status", "KEY=VALUE"},
        {"status=9", "status=9"},
        {"frob=1", "frob"},
        {"cursor=up", "up"},
        {"body=\"open", "quote"},
        {"body=\"\\q\"", "escape"},
        {"hang=yes", "yes"},
        {"header=None", "None"},
        {"delay=-1", "delay=-1"},
        {"nth=0", "nth=0"},
        {"body_file=/nonexistent/x", "/nonexistent/x"},
    };
    struct rules *rules = rules_new();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error error = {0};
        int id = 0;
        assert_int_not_equal(rules_add(rules, wrong[i][0], &id, &error), ERR_OK);
        assert_non_null(strstr(error.text, wrong[i][1]));
    }
    assert_int_equal(id_of_match(rules, "GET", "/"), 0);
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quoted_values_keep_blanks_and_bytes),
        cmocka_unit_test(path_and_method_must_match),
        cmocka_unit_test(a_star_ends_a_path),
        cmocka_unit_test(nth_alone_strikes_once),
        cmocka_unit_test(count_limits_from_nth_on),
        cmocka_unit_test(a_spent_rule_lets_the_next_one_strike),
        cmocka_unit_test(removed_rules_strike_no_more),
        cmocka_unit_test(retry_after_alone_means_429),
        cmocka_unit_test(nonsense_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
