#include "query/doubt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What is said of the filter, or its near reading; "" where there is none. */
static void assert_doubt(const char *text, bool reading, const char *expected) {
    struct query *query;
    struct query_doubt doubt;
    struct str out;
    str_init(&out, 256);
    if (query_parse(text, &(struct query_options){.unit = MONEY_MINOR}, &query, NULL, NULL) != ERR_OK)
        fail_msg("%s", text);
    bool found = query_doubt(query, &doubt) && doubt.is_reading == reading;
    if (found && reading)
        query_print(doubt.term, &out);
    else if (found)
        query_doubt_say(&doubt, 22394, &out);
    if (strcmp(out.s, expected) != 0)
        fail_msg("%s: %s, expected %s", text, out.s, expected);
    assert_true(!doubt.is_reading || (query_doubt_stands(&doubt, true) && !query_doubt_stands(&doubt, false)));
    str_clear(&out);
    query_doubt_clear(&doubt);
    query_free(query);
}

static void assert_says(const char *text, const char *expected) {
    assert_doubt(text, false, expected);
}

static void assert_reads(const char *text, const char *expected) {
    assert_doubt(text, true, expected);
}

static void a_word_near_a_known_one_is_doubted(void **state) {
    (void)state;
    assert_says("status:declned", "no status \"declned\" among 22,394 (declined?)");
    assert_says("amount>5 status:declined,pendin", "no status \"pendin\" among 22,394 (pending?)");
    assert_says("amount>5 (has:refund | type:primry)", "no type \"primry\" among 22,394 (primary?)");
}

static void other_words_are_not(void **state) {
    static const char *const TEXTS[] = {"",           "declned",         "status:DECLINED", "status:zzzzzz",
                                        "status:de*", "-status:declned", "status!=declned", "rail:crad"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++)
        assert_says(TEXTS[i], "");
}

static void f46_an_id_is_looked_for_without_its_case(void **state) {
    (void)state;
    assert_reads("id:INT-42", "INT-42");
    assert_reads("id:\xE2\x80\xA6"
                 "D0F8B",
                 "D0F8B");
    assert_reads("mask:34", "34");
}

static void f87_an_integer_is_read_in_the_other_unit(void **state) {
    (void)state;
    assert_reads("amount:45..60", "amount:45.00..60.00");
    assert_reads("status:declined guarantee>=5", "guarantee>=5.00");
    assert_reads("amount:45.10", "");
}

static void a_word_is_read_as_a_beginning(void **state) {
    (void)state;
    assert_reads("rail:car", "rail:car*");
    assert_reads("rail:car*", "");
    assert_reads("-rail:car", "");
    assert_reads("status:declined", "");
}

static void f46_a_word_with_stars_is_read_without_them(void **state) {
    (void)state;
    assert_reads("spark*", "spark");
    assert_reads("status:declined *bank", "bank");
    assert_reads("salt*bank", "salt bank");
    assert_reads("user:ABC*", "ABC");
    assert_reads("status:*ined", "");
    assert_reads("\"***\"", "");
    assert_doubt("-spark*", true, "");
}

static void the_reading_of_a_word_is_said(void **state) {
    struct query *query;
    struct query_doubt doubt;
    struct str out;
    (void)state;
    str_init(&out, 256);
    assert_int_equal(query_parse("spark*", &(struct query_options){.unit = MONEY_MINOR}, &query, NULL, NULL), ERR_OK);
    assert_true(query_doubt(query, &doubt));
    query_doubt_say(&doubt, 3, &out);
    assert_string_equal(out.s, "as written it finds nothing; spark would find some");
    str_clear(&out);
    query_doubt_clear(&doubt);
    query_free(query);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_near_a_known_one_is_doubted),
        cmocka_unit_test(other_words_are_not),
        cmocka_unit_test(f46_an_id_is_looked_for_without_its_case),
        cmocka_unit_test(f87_an_integer_is_read_in_the_other_unit),
        cmocka_unit_test(a_word_is_read_as_a_beginning),
        cmocka_unit_test(f46_a_word_with_stars_is_read_without_them),
        cmocka_unit_test(the_reading_of_a_word_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
