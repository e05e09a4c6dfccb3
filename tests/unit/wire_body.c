#include "wire/body.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct body *read_ok(const char *text) {
    struct body *body = NULL;
    assert_int_equal(body_read(text, strlen(text), &body, NULL), ERR_OK);
    return body;
}

static void members_by_kind(void **state) {
    (void)state;
    struct body *body =
        read_ok("{\"s\":\"x\",\"b\":true,\"n\":5,\"r\":1.5,\"z\":null,\"a\":[1,2],\"o\":{\"i\":\"y\"}}");
    const struct body_value *root = body_root(body);
    assert_string_equal(body_string(body_member(root, "s"), NULL), "x");
    assert_true(body_bool(body_member(root, "b")));
    assert_int_equal(body_integer(body_member(root, "n")), 5);
    assert_int_equal(body_kind(body_member(root, "r")), BODY_REAL);
    assert_int_equal(body_kind(body_member(root, "z")), BODY_NULL);
    assert_int_equal(body_count(body_member(root, "a")), 2);
    assert_string_equal(body_string(body_member(body_member(root, "o"), "i"), NULL), "y");
    body_free(body);
}

static void what_is_not_there_is_none(void **state) {
    (void)state;
    struct body *body = read_ok("{\"s\":5}");
    assert_int_equal(body_kind(body_member(body_root(body), "t")), BODY_NONE);
    assert_null(body_member(body_member(body_root(body), "t"), "u"));
    assert_null(body_string(body_member(body_root(body), "s"), NULL));
    assert_int_equal(body_kind(body_root(NULL)), BODY_NONE);
    body_free(body);
}

static void a_repeated_key_is_refused(void **state) {
    (void)state;
    struct body *body = NULL;
    struct error error = {0};
    const char *text = "{\"a\":1,\"a\":2}";
    assert_int_equal(body_read(text, strlen(text), &body, &error), ERR_INVALID);
    assert_non_null(strstr(error.text, "occurs twice"));
}

static void a_fault_tells_its_place_and_no_content(void **state) {
    (void)state;
    struct body *body = NULL;
    struct error error = {0};
    const char *text = "{\"a\": SENTINEL}";
    assert_int_equal(body_read(text, strlen(text), &body, &error), ERR_INVALID);
    assert_non_null(strstr(error.text, "line 1"));
    assert_null(strstr(error.text, "SENTINEL"));
}

static void depth_is_bounded(void **state) {
    (void)state;
    struct str text;
    str_init(&text, 10000);
    for (int depth = BODY_DEPTH_MAX; depth <= BODY_DEPTH_MAX + 1; depth++) {
        struct body *body = NULL;
        str_reset(&text);
        str_add_repeat(&text, '[', (size_t)depth);
        str_add_repeat(&text, ']', (size_t)depth);
        assert_int_equal(body_read(text.s, text.len, &body, NULL), depth > BODY_DEPTH_MAX ? ERR_INVALID : ERR_OK);
        body_free(body);
    }
    str_clear(&text);
}

static void merging_goes_into_objects_and_replaces_the_rest(void **state) {
    (void)state;
    struct body *base = read_ok("{\"a\":{\"x\":1,\"y\":2},\"b\":[1,2],\"c\":\"k\"}");
    struct body *patch = read_ok("{\"a\":{\"y\":3},\"b\":[9],\"d\":null}");
    struct str out;
    str_init(&out, 1000);
    assert_int_equal(body_merge(base, patch, &out, NULL), ERR_OK);
    assert_string_equal(out.s, "{\"a\":{\"x\":1,\"y\":3},\"b\":[9],\"c\":\"k\",\"d\":null}");
    str_clear(&out);
    body_free(base);
    body_free(patch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_by_kind),           cmocka_unit_test(what_is_not_there_is_none),
        cmocka_unit_test(a_repeated_key_is_refused), cmocka_unit_test(a_fault_tells_its_place_and_no_content),
        cmocka_unit_test(depth_is_bounded),          cmocka_unit_test(merging_goes_into_objects_and_replaces_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
