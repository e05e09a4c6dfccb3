#include "wire/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct wire_shape usual = {"data", "next_cursor", ""};

static void take(const char *body, const struct wire_shape *shape, struct page *page) {
    struct error error = {0};
    enum err err = wire_page(body, strlen(body), shape, page, &error);
    if (err != ERR_OK)
        fail_msg("%s: %s", body, error.text);
}

static void refuse(const char *body, const struct wire_shape *shape, enum err wanted, const char *part) {
    struct page page;
    struct error error = {0};
    assert_int_equal(wire_page(body, strlen(body), shape, &page, &error), wanted);
    assert_int_equal(error.code, wanted);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" is not in \"%s\"", part, error.text);
    assert_int_equal(page.n, 0);
    assert_null(page.next);
}

static void expect_next(const char *body, const struct wire_shape *shape, const char *next) {
    struct page page;
    take(body, shape, &page);
    if (next)
        assert_string_equal(page.next, next);
    else
        assert_null(page.next);
    page_clear(&page);
}

static void rows_come_in_the_services_order_with_their_raw_text(void **state) {
    (void)state;
    struct page page;
    take(" { \"data\" : [ {\"id\" : \"b\"} , {\"id\":\"a\",\"x\":\"],}\\\"\"} ] , \"next_cursor\" : \"n\" } \n", &usual,
         &page);
    assert_int_equal(page.n, 2);
    assert_string_equal(page.items[0]->raw, "{\"id\" : \"b\"}");
    assert_string_equal(page.items[1]->raw, "{\"id\":\"a\",\"x\":\"],}\\\"\"}");
    assert_string_equal(page.items[1]->id.text, "a");
    assert_string_equal(page.next, "n");
    assert_int_equal(page.broken, 0);
    assert_false(page.absent);
    page_clear(&page);
}

static void a1_k34_no_cursor_ends_the_list(void **state) {
    (void)state;
    static const char *const ends[] = {"{\"data\":[]}",
                                       "{\"data\":[],\"next_cursor\":null}",
                                       "{\"data\":[],\"next_cursor\":\"\"}",
                                       "{\"data\":[],\"next_cursor\":true}",
                                       "{\"data\":[],\"next_cursor\":{\"a\":\"b\"}}",
                                       "{\"data\":[],\"next_cursor\":[\"x\"]}"};
    for (size_t i = 0; i < COUNT_OF(ends); i++)
        expect_next(ends[i], &usual, NULL);
}

static void a2_an_explicit_no_more_wins_over_a_cursor(void **state) {
    (void)state;
    struct wire_shape shape = {"data", "next_cursor", "page.more"};
    struct page page;
    take("{\"data\":[],\"next_cursor\":\"c\",\"has_more\":false}", &usual, &page);
    assert_null(page.next);
    assert_true(page.has_more_false);
    page_clear(&page);
    take("{\"data\":[],\"next_cursor\":\"c\",\"page\":{\"more\":false}}", &shape, &page);
    assert_null(page.next);
    assert_true(page.has_more_false);
    page_clear(&page);
    expect_next("{\"data\":[],\"next_cursor\":\"c\",\"has_more\":true}", &usual, "c");
    expect_next("{\"data\":[],\"next_cursor\":\"c\",\"has_more\":0}", &usual, "c");
    expect_next("{\"data\":[],\"next_cursor\":\"c\",\"has_more\":\"false\"}", &usual, "c");
}

static void a3_an_empty_list_with_a_cursor_is_not_the_end(void **state) {
    (void)state;
    expect_next("{\"data\":[],\"next_cursor\":\"c\"}", &usual, "c");
    expect_next("{\"data\":null,\"next_cursor\":\"c\"}", &usual, "c");
}

static void a7_n10_a_cursor_is_kept_byte_for_byte(void **state) {
    (void)state;
    expect_next("{\"data\":[],\"next_cursor\":\" a+b/c=%3D&\\u001b\\n\\u00e9 \"}", &usual,
                " a+b/c=%3D&\x1b\n\xC3\xA9 ");
}

static void a8_a_number_gives_its_digits(void **state) {
    (void)state;
    expect_next("{\"data\":[],\"next_cursor\":12345678901234567890123}", &usual, "12345678901234567890123");
    expect_next("{\"data\":[],\"next_cursor\":42}", &usual, "42");
    expect_next("{\"data\":[],\"next_cursor\":1.50}", &usual, "1.50");
}

static void a8_a_long_cursor_has_no_fixed_buffer_but_a_cap(void **state) {
    (void)state;
    for (size_t n = WIRE_CURSOR_MAX; n <= WIRE_CURSOR_MAX + 1; n++) {
        struct str body;
        struct page page;
        struct error error = {0};
        str_init(&body, n + 100);
        str_add(&body, "{\"data\":[],\"next_cursor\":\"");
        str_add_repeat(&body, 'c', n);
        str_add(&body, "\"}");
        enum err err = wire_page(body.s, body.len, &usual, &page, &error);
        assert_int_equal(err, n > WIRE_CURSOR_MAX ? ERR_LIMIT : ERR_OK);
        if (err == ERR_OK)
            assert_int_equal(strlen(page.next), n);
        page_clear(&page);
        str_clear(&body);
    }
}

static void a9_links_are_told_from_cursors(void **state) {
    (void)state;
    static const char *const links[] = {"https://api.example/intent/list?cursor=x", "HTTP://x/?a=b",
                                        "/intent/list?cursor=x", "?cursor=x", "./list?cursor=x"};
    static const char *const cursors[] = {"abc", "/ab+c/d==", "a?b=c", "/path", "aHR0cHM6Ly8="};
    for (size_t i = 0; i < COUNT_OF(links) + COUNT_OF(cursors); i++) {
        bool link = i < COUNT_OF(links);
        struct page page;
        char body[200];
        snprintf(body, sizeof body, "{\"data\":[],\"next_cursor\":\"%s\"}",
                 link ? links[i] : cursors[i - COUNT_OF(links)]);
        take(body, &usual, &page);
        assert_int_equal(page.next_is_url, link);
        page_clear(&page);
    }
}

static void a10_paths_lead_to_rows_and_cursor(void **state) {
    (void)state;
    struct wire_shape deep = {"result.items", "result.paging.next", ""}, bare = {"", NULL, NULL};
    struct page page;
    take("{\"data\":[1],\"result\":{\"x\":[{\"items\":[2]}],\"items\":[{\"id\":\"a\"}],\"paging\":{\"next\":\"n\"}}}",
         &deep, &page);
    assert_int_equal(page.n, 1);
    assert_string_equal(page.items[0]->id.text, "a");
    assert_string_equal(page.next, "n");
    page_clear(&page);
    take("[{\"id\":\"a\"},{\"id\":\"b\"}]", &bare, &page);
    assert_int_equal(page.n, 2);
    page_clear(&page);
    take("{\"d\\u0061ta\":[{\"id\":\"a\"}]}", &usual, &page);
    assert_int_equal(page.n, 1);
    page_clear(&page);
}

static void a10_a_bare_list_names_the_setting_it_needs(void **state) {
    (void)state;
    refuse("[{\"id\":\"a\"}]", &usual, ERR_UNEXPECTED, "list_data");
}

static void a14_no_list_is_an_empty_page(void **state) {
    (void)state;
    static const char *const bodies[] = {"{}", "{\"data\":null}"};
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        struct page page;
        take(bodies[i], &usual, &page);
        assert_int_equal(page.n, 0);
        assert_true(page.absent);
        page_clear(&page);
    }
}

static void a14_another_kind_of_list_is_refused(void **state) {
    (void)state;
    refuse("{\"data\":{\"id\":\"a\"}}", &usual, ERR_UNEXPECTED, "`data` in the answer is an object, not a list");
    refuse("{\"data\":7}", &usual, ERR_UNEXPECTED, "a number");
    refuse("{\"data\":7.5}", &usual, ERR_UNEXPECTED, "a number");
    refuse("{\"data\":\"x\"}", &usual, ERR_UNEXPECTED, "text");
    refuse("{\"data\":false}", &usual, ERR_UNEXPECTED, "true or false");
    refuse("\"x\"", &usual, ERR_UNEXPECTED, "not a listing");
    refuse("null", &usual, ERR_UNEXPECTED, "not a listing");
}

static void a14_one_bad_row_does_not_hide_the_others(void **state) {
    (void)state;
    struct page page;
    take("{\"data\":[{\"id\":\"a\"},{\"id\":\"b\",\"x\":nope},{\"id\":\"c\",\"c\":1,\"c\":2},17,{\"amount\":1e400},"
         "{\"x\":\"\xFF\"},{\"x\":\"\\ud800\"},{\"x\":01},{\"x\" 1},{\"x\":\"\t\"},{,},nul,{\"id\":\"z\"}]}",
         &usual, &page);
    static const bool broken[] = {0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0};
    assert_int_equal(page.n, COUNT_OF(broken));
    for (size_t i = 0; i < page.n; i++)
        assert_int_equal(page.items[i]->broken != NULL, broken[i]);
    assert_int_equal(page.broken, 10);
    assert_string_equal(page.items[1]->id.text, "b");
    assert_string_equal(page.items[12]->id.text, "z");
    page_clear(&page);
}

static void j1_rows_that_cannot_be_told_apart_make_the_page_unusable(void **state) {
    (void)state;
    static const char *const bodies[] = {"{\"data\":[{\"a\":[1}]}", "{\"data\":[{\"a\":[1}],{\"b\":2}]}",
                                         "{\"data\":[{\"a\":1},]}", "{\"data\":[{\"a\":1} {}]}",
                                         "{\"data\":[,{\"a\":1}]}", "{\"data\":[{\"a\":\"x}]}",
                                         "{\"data\":[{\"a\":1}",    "{\"data\":[{}}",
                                         "{\"data\":[1 2]}"};
    for (size_t i = 0; i < COUNT_OF(bodies); i++)
        refuse(bodies[i], &usual, ERR_UNEXPECTED, "the answer's rows cannot be told apart at byte");
}

static void j1_damage_around_the_rows_makes_the_page_unusable(void **state) {
    (void)state;
    refuse("{\"data\":[{\"id\":\"a\"}],\"x\":01}", &usual, ERR_UNEXPECTED, "at byte 28: not a number");
    refuse("{\"data\":[]}{", &usual, ERR_UNEXPECTED, "text after its end");
    refuse("{\"data\":[],}", &usual, ERR_UNEXPECTED, "a member without a name");
    refuse("<html>", &usual, ERR_UNEXPECTED, "at byte 1: a character that is not JSON");
    refuse("", &usual, ERR_UNEXPECTED, "it ends too early");
}

static void j4_a_repeated_name_around_the_rows_is_refused(void **state) {
    (void)state;
    refuse("{\"data\":[{\"id\":\"a\"}],\"data\":[]}", &usual, ERR_UNEXPECTED, "names a member twice");
    refuse("{\"data\":[],\"next_cursor\":\"a\",\"next_cursor\":\"b\"}", &usual, ERR_UNEXPECTED, "twice");
}

static void j3_a_page_cut_at_any_byte_is_refused(void **state) {
    (void)state;
    static const char body[] =
        "{\"data\":[{\"id\":\"a\",\"x\":[1,{\"y\":\"z\"}]},{\"id\":\"b\"}],\"next_cursor\":\"n\"}";
    for (size_t len = 0; len < strlen(body); len++) {
        char *part = mem_dup_n(body, len);
        struct page page;
        struct error error = {0};
        assert_int_equal(wire_page(part, len, &usual, &page, &error), ERR_UNEXPECTED);
        free(part);
    }
}

static void j9_no_message_quotes_the_answer(void **state) {
    (void)state;
    static const char *const bodies[] = {"{\"data\":[{\"a\":SENTINEL \"x\"}}", "{\"SENTINEL\":[SENTINEL]}",
                                         "{\"data\":{\"SENTINEL\":1}}", "SENTINEL", "{\"data\":[\"SENTINEL]}"};
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        struct page page;
        struct error error = {0};
        assert_int_equal(wire_page(bodies[i], strlen(bodies[i]), &usual, &page, &error), ERR_UNEXPECTED);
        assert_null(strstr(error.text, "SENT"));
    }
}

static void j2_rows_are_capped_and_the_cap_is_named(void **state) {
    (void)state;
    for (size_t n = WIRE_ROWS_MAX; n <= WIRE_ROWS_MAX + 1; n++) {
        struct str body;
        struct page page;
        struct error error = {0};
        str_init(&body, 4 * n + 100);
        str_add(&body, "{\"data\":[{}");
        for (size_t i = 1; i < n; i++)
            str_add(&body, ",{}");
        str_add(&body, "]}");
        enum err err = wire_page(body.s, body.len, &usual, &page, &error);
        assert_int_equal(err, n > WIRE_ROWS_MAX ? ERR_LIMIT : ERR_OK);
        assert_int_equal(page.n, n > WIRE_ROWS_MAX ? 0 : n);
        if (err != ERR_OK)
            assert_non_null(strstr(error.text, "10,000"));
        page_clear(&page);
        str_clear(&body);
    }
}

static void j5_depth_costs_a_row_inside_and_the_page_outside(void **state) {
    (void)state;
    struct str body;
    struct page page;
    struct error error = {0};
    str_init(&body, 1 << 20);
    str_add(&body, "{\"data\":[{\"id\":\"a\"},");
    str_add_repeat(&body, '[', 2000);
    str_add_repeat(&body, ']', 2000);
    str_add(&body, "]}");
    take(body.s, &usual, &page);
    assert_int_equal(page.n, 2);
    assert_string_equal(page.items[1]->broken, "nested deeper than 64 levels");
    page_clear(&page);
    str_reset(&body);
    str_add(&body, "{\"data\":[],\"x\":");
    str_add_repeat(&body, '[', 2000);
    str_add_repeat(&body, ']', 2000);
    str_add(&body, "}");
    assert_int_equal(wire_page(body.s, body.len, &usual, &page, &error), ERR_LIMIT);
    str_clear(&body);
}

static void c4_a_byte_order_mark_is_tolerated(void **state) {
    (void)state;
    struct page page;
    take("\xEF\xBB\xBF{\"data\":[{\"id\":\"a\"}]}", &usual, &page);
    assert_int_equal(page.n, 1);
    page_clear(&page);
}

static void a13_rows_without_an_id_are_rows(void **state) {
    (void)state;
    struct page page;
    take("{\"data\":[{\"amount\":1},{\"id\":null}]}", &usual, &page);
    assert_int_equal(page.n, 2);
    assert_int_equal(page.broken, 0);
    page_clear(&page);
}

#define PAID(id, amount, currency) "{\"id\":\"" id "\",\"amount\":" amount ",\"currency\":\"" currency "\"}"

static void a_total_that_is_the_sum_of_the_amounts_is_no_count(void **state) {
    (void)state;
    struct page page;
    take("{\"data\":[" PAID("a", "3", "EUR") "," PAID("b", "4", "EUR") "],\"total\":7}", &usual, &page);
    assert_int_equal(page.total, 0);
    page_clear(&page);
}

static void amounts_of_two_currencies_have_no_sum_to_compare_a_total_with(void **state) {
    (void)state;
    struct page page;
    take("{\"data\":[" PAID("a", "3", "EUR") "," PAID("b", "4", "USD") "],\"total\":7}", &usual, &page);
    assert_int_equal(page.total, 7);
    page_clear(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_total_that_is_the_sum_of_the_amounts_is_no_count),
        cmocka_unit_test(amounts_of_two_currencies_have_no_sum_to_compare_a_total_with),
        cmocka_unit_test(rows_come_in_the_services_order_with_their_raw_text),
        cmocka_unit_test(a1_k34_no_cursor_ends_the_list),
        cmocka_unit_test(a2_an_explicit_no_more_wins_over_a_cursor),
        cmocka_unit_test(a3_an_empty_list_with_a_cursor_is_not_the_end),
        cmocka_unit_test(a7_n10_a_cursor_is_kept_byte_for_byte),
        cmocka_unit_test(a8_a_number_gives_its_digits),
        cmocka_unit_test(a8_a_long_cursor_has_no_fixed_buffer_but_a_cap),
        cmocka_unit_test(a9_links_are_told_from_cursors),
        cmocka_unit_test(a10_paths_lead_to_rows_and_cursor),
        cmocka_unit_test(a10_a_bare_list_names_the_setting_it_needs),
        cmocka_unit_test(a13_rows_without_an_id_are_rows),
        cmocka_unit_test(a14_no_list_is_an_empty_page),
        cmocka_unit_test(a14_another_kind_of_list_is_refused),
        cmocka_unit_test(a14_one_bad_row_does_not_hide_the_others),
        cmocka_unit_test(c4_a_byte_order_mark_is_tolerated),
        cmocka_unit_test(j1_rows_that_cannot_be_told_apart_make_the_page_unusable),
        cmocka_unit_test(j1_damage_around_the_rows_makes_the_page_unusable),
        cmocka_unit_test(j2_rows_are_capped_and_the_cap_is_named),
        cmocka_unit_test(j3_a_page_cut_at_any_byte_is_refused),
        cmocka_unit_test(j4_a_repeated_name_around_the_rows_is_refused),
        cmocka_unit_test(j5_depth_costs_a_row_inside_and_the_page_outside),
        cmocka_unit_test(j9_no_message_quotes_the_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
