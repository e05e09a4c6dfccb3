#include "base/utf8.h"
#include "wire/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_compact(const char *raw, bool escape, const char *expected) {
    struct str out;
    str_init(&out, 1 << 20);
    wire_compact(&out, raw, strlen(raw), escape);
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void expect_pretty(const char *raw, const char *expected) {
    struct str out;
    str_init(&out, 1 << 20);
    wire_pretty(&out, raw, strlen(raw));
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void compact_removes_blanks_outside_strings_only(void **state) {
    (void)state;
    expect_compact(" { \"a b\" : [ 1 , 2.50 , -0 ] ,\r\n\t\"c\" : \" x \\\" : , \" , \"d\":1E+400} ", false,
                   "{\"a b\":[1,2.50,-0],\"c\":\" x \\\" : , \",\"d\":1E+400}");
    expect_compact("17", false, "17");
}

static void compact_keeps_bytes_as_served_unless_a_terminal_may_see_them(void **state) {
    (void)state;
    static const char raw[] = "{\"a\":\"\x7F\xC2\x9B\xE2\x80\xAE\xC3\xA9\\u001b\"}";
    expect_compact(raw, false, raw);
    expect_compact(raw, true, "{\"a\":\"\\u007f\\u009b\\u202e\xC3\xA9\\u001b\"}");
    expect_compact("[\"\xF3\xA0\x81\x81\"]", true, "[\"\\udb40\\udc41\"]");
}

static void escaped_text_is_always_quiet(void **state) {
    (void)state;
    struct str raw, out;
    str_init(&raw, 1000);
    str_init(&out, 10000);
    str_add(&raw, "[\"a");
    for (int i = 0; i < 50; i++)
        str_add(&raw, "\xCC\x81");
    str_add(&raw, "\xFF\"]");
    wire_compact(&out, raw.s, raw.len, true);
    assert_true(utf8_is_clean(out.s, out.len));
    assert_non_null(strstr(out.s, "\\u0301"));
    str_clear(&raw);
    str_clear(&out);
}

static void compact_of_broken_text_is_sanitised(void **state) {
    (void)state;
    expect_compact("{\"a\": \x1B[2J", false, "{\"a\": <1B>[2J");
    expect_compact("{\"a\":1}\n{", false, "{\"a\":1}<0A>{");
}

static void pretty_has_one_member_a_line(void **state) {
    (void)state;
    expect_pretty(
        "{\"a\":1,\"b\":[],\"c\":{},\"d\":[1.50,{\"e\":null}],\"f\":\"x\"}",
        "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": {},\n  \"d\": [\n    1.50,\n    {\n      \"e\": null\n    }\n  ],"
        "\n  \"f\": \"x\"\n}");
    expect_pretty(" 17 ", "17");
    expect_pretty("[]", "[]");
    expect_pretty("{\"a\":\"\xC2\x9B\"}", "{\n  \"a\": \"\\u009b\"\n}");
}

static void pretty_of_broken_text_keeps_its_lines(void **state) {
    (void)state;
    expect_pretty("{\n\x1B", "{\n<1B>");
}

static void expect_row(const struct tree *tree, size_t index, int depth, enum tree_kind kind, const char *key,
                       const char *text, size_t children) {
    assert_true(index < tree->n);
    const struct tree_row *row = &tree->items[index];
    assert_int_equal(row->depth, depth);
    assert_int_equal(row->kind, kind);
    assert_true(str_equal(row->key, key));
    assert_true(str_equal(row->text, text));
    assert_int_equal(row->children, children);
}

static void a_tree_has_its_rows_in_document_order(void **state) {
    (void)state;
    struct tree tree;
    static const char raw[] = "{\"z\":[1,2.50,{\"k\":null}],\"a\":\"x\\u001b\",\"b\":true,\"e\":{}}";
    wire_tree(raw, strlen(raw), &tree);
    assert_int_equal(tree.n, 9);
    expect_row(&tree, 0, 0, TREE_OBJECT, NULL, NULL, 4);
    expect_row(&tree, 1, 1, TREE_ARRAY, "z", NULL, 3);
    expect_row(&tree, 2, 2, TREE_NUMBER, "[0]", "1", 0);
    expect_row(&tree, 3, 2, TREE_NUMBER, "[1]", "2.50", 0);
    expect_row(&tree, 4, 2, TREE_OBJECT, "[2]", NULL, 1);
    expect_row(&tree, 5, 3, TREE_NULL, "k", "null", 0);
    expect_row(&tree, 6, 1, TREE_STRING, "a", "x<1B>", 0);
    expect_row(&tree, 7, 1, TREE_BOOL, "b", "true", 0);
    expect_row(&tree, 8, 1, TREE_OBJECT, "e", NULL, 0);
    assert_false(tree.cut);
    tree_clear(&tree);
}

static void a_broken_tree_is_one_row_with_the_reason(void **state) {
    (void)state;
    struct tree tree;
    wire_tree("{\"a\":SENTINEL}", 14, &tree);
    assert_int_equal(tree.n, 1);
    expect_row(&tree, 0, 0, TREE_STRING, NULL, "not JSON at byte 6: a character that is not JSON", 0);
    tree_clear(&tree);
}

static void a_tree_at_a_path_is_that_member_or_nothing(void **state) {
    (void)state;
    static const char raw[] = "{\"dispute\":{\"id\":\"d\",\"x\":[1]},\"refund\":null,\"a\":{\"b\":7}}";
    struct tree tree;
    wire_tree_at(raw, strlen(raw), "dispute", &tree);
    assert_int_equal(tree.n, 4);
    expect_row(&tree, 0, 0, TREE_OBJECT, NULL, NULL, 2);
    tree_clear(&tree);
    wire_tree_at(raw, strlen(raw), "a.b", &tree);
    expect_row(&tree, 0, 0, TREE_NUMBER, NULL, "7", 0);
    tree_clear(&tree);
    static const char *const nothing[] = {"refund", "absent", "a.c", "dispute.id.x"};
    for (size_t i = 0; i < COUNT_OF(nothing); i++) {
        wire_tree_at(raw, strlen(raw), nothing[i], &tree);
        assert_int_equal(tree.n, 0);
        tree_clear(&tree);
    }
    wire_tree_at(raw, strlen(raw), "", &tree);
    assert_int_equal(tree.n, 8);
    tree_clear(&tree);
}

static void j2_a_tree_is_cut_at_its_limit(void **state) {
    (void)state;
    struct str raw;
    struct tree tree;
    str_init(&raw, 1 << 20);
    str_add(&raw, "[0");
    for (int i = 0; i < TREE_ROWS_MAX; i++)
        str_add(&raw, ",0");
    str_add(&raw, "]");
    wire_tree(raw.s, raw.len, &tree);
    assert_int_equal(tree.n, TREE_ROWS_MAX);
    assert_true(tree.cut);
    tree_clear(&tree);
    str_clear(&raw);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compact_removes_blanks_outside_strings_only),
        cmocka_unit_test(compact_keeps_bytes_as_served_unless_a_terminal_may_see_them),
        cmocka_unit_test(escaped_text_is_always_quiet),
        cmocka_unit_test(compact_of_broken_text_is_sanitised),
        cmocka_unit_test(pretty_has_one_member_a_line),
        cmocka_unit_test(pretty_of_broken_text_keeps_its_lines),
        cmocka_unit_test(a_tree_has_its_rows_in_document_order),
        cmocka_unit_test(a_broken_tree_is_one_row_with_the_reason),
        cmocka_unit_test(a_tree_at_a_path_is_that_member_or_nothing),
        cmocka_unit_test(j2_a_tree_is_cut_at_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
