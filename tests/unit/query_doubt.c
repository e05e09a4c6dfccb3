#include "query/doubt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void doubts_of(const char *text, struct query_doubts *out) {
    struct query *query;
    if (query_parse(text, &(struct query_options){.unit = MONEY_MINOR}, &query, NULL, NULL) != ERR_OK)
        fail_msg("%s", text);
    query_doubts(query, out);
    query_free(query);
}

/* What is said of a word of the filter; "" where nothing is. */
static void assert_says(const char *text, const char *expected) {
    struct query_doubts doubts;
    struct str out;
    str_init(&out, 256);
    doubts_of(text, &doubts);
    if (doubts.n > 0 && doubts.items->value)
        query_doubt_say(doubts.items, 22394, &out);
    if (strcmp(out.s, expected) != 0)
        fail_msg("%s: %s, expected %s", text, out.s, expected);
    str_clear(&out);
    query_doubts_clear(&doubts);
}

/* The filters that are tried in its place, each in a line of its own. */
static void assert_tries(const char *text, const char *expected) {
    struct query_doubts doubts;
    struct str out;
    str_init(&out, 256);
    doubts_of(text, &doubts);
    for (size_t i = 0; i < doubts.n; i++) {
        const struct query_doubt *doubt = &doubts.items[i];
        if (doubt->value || doubt->word)
            continue;
        str_add(&out, out.len > 0 ? "\n" : "");
        query_print(doubt->tried, &out);
        assert_true(query_doubt_stands(doubt, true) && !query_doubt_stands(doubt, false));
    }
    if (strcmp(out.s, expected) != 0)
        fail_msg("%s: %s, expected %s", text, out.s, expected);
    str_clear(&out);
    query_doubts_clear(&doubts);
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
    assert_tries("id:INT-42", "INT-42");
    assert_tries("id:\xE2\x80\xA6"
                 "D0F8B",
                 "D0F8B");
    assert_tries("mask:34", "34");
}

static void f87_an_integer_is_read_in_the_other_unit(void **state) {
    (void)state;
    assert_tries("amount:45..60", "amount:45.00..60.00");
    assert_tries("status:declined guarantee>=5", "status:declined guarantee>=5.00");
    assert_tries("amount:45.10", "");
}

static void f87_an_integer_says_how_it_is_read(void **state) {
    (void)state;
    static const char *const CASES[][2] = {
        {"amount>50", "amount>50 is the integer as served; in the currency's unit: amount>50.00"},
        {"bank:nord -(guarantee:..9 | has:refund)",
         "guarantee:..9 is the integer as served; in the currency's unit: guarantee:..9.00"},
        {"amount:50.00 \"50\"", ""},
        {"created:2026 mask:50", ""},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct query *query;
        struct str out;
        str_init(&out, 512);
        assert_int_equal(query_parse(CASES[i][0], &(struct query_options){.unit = MONEY_MINOR}, &query, NULL, NULL),
                         ERR_OK);
        assert_int_equal(query_say_integers(query, &out), *CASES[i][1] != '\0');
        assert_string_equal(out.s, CASES[i][1]);
        str_clear(&out);
        query_free(query);
    }
}

static void a_word_is_read_as_a_beginning(void **state) {
    (void)state;
    assert_tries("rail:car", "rail:car*");
    assert_tries("rail:car*", "");
    assert_tries("-rail:car", "");
    assert_tries("status:declined", "");
}

static void f46_a_word_with_stars_is_read_without_them(void **state) {
    (void)state;
    assert_tries("spark*", "spark");
    assert_tries("status:declined *bank", "status:declined bank");
    assert_tries("(salt*bank | usd) eur", "(salt bank | usd) eur");
    assert_tries("salt*bank", "salt bank");
    assert_tries("user:ABC*", "ABC");
    assert_tries("status:*ined", "");
    assert_tries("\"***\"", "");
    assert_tries("-spark*", "");
}

static void an_ellipsis_in_quotes_is_read_as_without_them(void **state) {
    (void)state;
    assert_tries("bank:\"Saltmarsh B\u2026\"", "bank:\"Saltmarsh B\"*\n\"Saltmarsh B\u2026\"");
    assert_tries("id:\"b37875db...\" usd", "id:b37875db* usd\n\"b37875db...\" usd");
    assert_tries("user:\"\u2026"
                 "38dd\"",
                 "user:\u2026"
                 "38dd\n\"\u2026"
                 "38dd\"");
    assert_tries("rail:\"ca\u2026\"", "rail:ca*\nrail:\"ca\u2026\"*");
    assert_tries("\"Saltmarsh B\u2026\"", "\"Saltmarsh B\"");
    assert_tries("mask:\"**34\"", "mask:34\n**34");
    assert_tries("-bank:\"S\u2026\"", "");
    assert_tries("rail:\"\u2026\"", "rail:\"\u2026\"*");
}

static void f44_a_number_with_commas_is_read_as_a_list(void **state) {
    (void)state;
    assert_tries("amount:100,700", "amount:\"100\",\"700\"\namount:100700.00");
    assert_tries("amount:100,700..1000000 usd",
                 "amount:\"100\",\"700..1000000\" usd\namount:100700.00..1000000.00 usd");
    assert_tries("amount:8,062", "amount:8062.00"); /* 062 is no number of a list */
    assert_tries("amount:100700", "amount:100700.00");
    assert_tries("amount:\"100,700\"", "amount:100700.00");
    assert_tries("amount>=100,700", "amount>=100700.00");
}

static void a_list_is_read_as_numbers_with_commas(void **state) {
    (void)state;
    assert_tries("amount:8,462,1200", "amount:8462,1200\namount:8.00,462.00,1200.00");
    assert_tries("amount:1200,8,462", "amount:1200,8462\namount:1200.00,8.00,462.00");
    assert_tries("amount:12,3400", "amount:12.00,3400.00");
}

static void assert_operator(const char *text, const char *expected) {
    struct query_doubts doubts;
    struct str out;
    str_init(&out, 256);
    doubts_of(text, &doubts);
    if (doubts.n > 0 && doubts.items->word) {
        query_doubt_say(doubts.items, 0, &out);
        assert_true(query_doubt_stands(doubts.items, true) && query_doubt_stands(doubts.items, false));
    }
    if (strcmp(out.s, expected) != 0)
        fail_msg("%s: %s, expected %s", text, out.s, expected);
    str_clear(&out);
    query_doubts_clear(&doubts);
}

static void an_operator_of_another_language_is_told_how_it_is_written(void **state) {
    (void)state;
    assert_operator("status:declined or status:pending",
                    "\"or\" is looked for as a word: write status:declined | status:pending");
    assert_operator("usd AND eur", "\"AND\" is looked for as a word: write usd eur");
    assert_operator("usd && eur or gbp", "\"&&\" is looked for as a word: write usd eur | gbp");
    assert_operator("usd and not status:declined", "\"and\" is looked for as a word: write usd -status:declined");
    assert_operator("NOT (usd | eur)", "\"NOT\" is looked for as a word: write -(usd | eur)");
    assert_operator("! usd", "\"!\" is looked for as a word: write -usd");
    assert_operator("has:refund (usd or eur) | ach",
                    "\"or\" is looked for as a word: write has:refund (usd | eur) | ach");
    assert_operator("usd or or eur", "\"or\" is looked for as a word: write usd | or eur");
    assert_operator("usd \"or\" eur", "");
    assert_operator("or usd", "");
    assert_operator("usd or", "");
    assert_operator("not", "");
    assert_operator("bank:or usd", "");
    assert_tries("!declined usd", "-declined usd");
    assert_tries("\"!declined\" usd", "");
}

/* 84,62 is how most of Europe writes 84.62. */
static void f44_a_comma_before_decimals_is_told_from_a_list(void **state) {
    (void)state;
    assert_tries("amount:84,62", "amount:84.62\namount:84.00,62.00");
    assert_tries("amount:-84,5", "amount:-84.5\namount:-84.00,5.00");
    assert_tries("amount:12.345,67", "amount:12345.67\namount:12.345,67.00");
    assert_tries("amount:84,62,7", "amount:84.00,62.00,7.00");
    assert_tries("amount:84,-62", "amount:84.00,-62.00");
    assert_tries("amount:12.34,67", "amount:12.34,67.00");
}

/* Each term is read anew by itself, with all the others as they stand. */
static void a_reading_is_tried_with_the_rest_of_the_filter(void **state) {
    (void)state;
    assert_tries("currency:USD rail:sepa", "currency:USD* rail:sepa\ncurrency:USD rail:sepa*");
    assert_tries("rail:car | (amount:45 -has:refund)",
                 "rail:car* | amount:45 -has:refund\nrail:car | amount:45.00 -has:refund");
}

static void the_reading_of_a_word_is_said(void **state) {
    struct query_doubts doubts;
    struct str out;
    (void)state;
    str_init(&out, 256);
    doubts_of("usd spark*", &doubts);
    query_doubt_say(&doubts.items[0], 3, &out);
    assert_string_equal(out.s, "as written it finds nothing; spark would find some");
    str_clear(&out);
    query_doubts_clear(&doubts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_near_a_known_one_is_doubted),
        cmocka_unit_test(other_words_are_not),
        cmocka_unit_test(f46_an_id_is_looked_for_without_its_case),
        cmocka_unit_test(f87_an_integer_is_read_in_the_other_unit),
        cmocka_unit_test(f87_an_integer_says_how_it_is_read),
        cmocka_unit_test(a_word_is_read_as_a_beginning),
        cmocka_unit_test(f46_a_word_with_stars_is_read_without_them),
        cmocka_unit_test(an_ellipsis_in_quotes_is_read_as_without_them),
        cmocka_unit_test(f44_a_number_with_commas_is_read_as_a_list),
        cmocka_unit_test(a_list_is_read_as_numbers_with_commas),
        cmocka_unit_test(an_operator_of_another_language_is_told_how_it_is_written),
        cmocka_unit_test(f44_a_comma_before_decimals_is_told_from_a_list),
        cmocka_unit_test(a_reading_is_tried_with_the_rest_of_the_filter),
        cmocka_unit_test(the_reading_of_a_word_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
