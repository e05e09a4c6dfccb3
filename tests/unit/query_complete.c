#include "query/complete.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void two_banks(void *context, enum query_field_code field, void (*found)(void *to, const char *value, int64_t n),
                      void *to) {
    (void)context;
    if (field == QUERY_BANK_FIELD) {
        found(to, "Nord Bank", 3);
        found(to, "Nordwind", 70);
        found(to,
              "S\xC3\xBC"
              "d",
              1);
    }
    if (field == QUERY_STATUS_FIELD) {
        found(to, "declined", 5);
        found(to, "deferred", 9);
    }
}

static void thousands(void *context, enum query_field_code field, void (*found)(void *to, const char *value, int64_t n),
                      void *to) {
    (void)context;
    for (int64_t i = 0; field == QUERY_USER_FIELD && i < 5000; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s%lld", i % 2 ? "usr_" : "other_", (long long)i);
        found(to, text, i);
    }
}

static const char *two_views(const void *of, size_t i, const char **filter) {
    static const char *const NAMES[] = {"declined-today", "doubtful"};
    (void)of;
    *filter = i == 0 ? "status:declined" : "";
    return i < 2 ? NAMES[i] : NULL;
}

static const struct query_views views = {two_views, NULL};
static const struct query_seen seen = {.each = two_banks};

/* The cursor stands at `^`; expected: at..end, then the items, with counts where known. */
static void assert_completes(const char *marked, const char *expected) {
    char text[256];
    size_t at = strcspn(marked, "^");
    snprintf(text, sizeof text, "%.*s%s", (int)at, marked, marked + at + 1);
    struct query_completion completion;
    query_complete(text, at, &seen, &views, &completion);
    struct str out;
    str_init(&out, 4096);
    str_addf(&out, "%zu..%zu", completion.at, completion.end);
    for (size_t i = 0; i < completion.n; i++) {
        str_addf(&out, " %s", completion.items[i].text);
        if (completion.items[i].count >= 0)
            str_addf(&out, "(%lld)", (long long)completion.items[i].count);
    }
    if (strcmp(out.s, expected) != 0)
        fail_msg("%s: %s, expected %s", marked, out.s, expected);
    str_clear(&out);
    query_completion_clear(&completion);
}

static void fields_are_offered_by_their_beginning(void **state) {
    (void)state;
    assert_completes("am^", "0..2 amount");
    assert_completes("a b -CR^", "5..7 credential created status:created has:credential finding:credential");
    assert_completes("(ro^", "1..3 routing");
    assert_completes("tx.^", "0..3 tx.status tx.type tx.id tx.amount tx.date");
    assert_completes("x|gua^ y", "2..5 guarantee finding:guarantee");
    assert_completes("trans^", "0..5 transition has:transactions");
    assert_completes("qqq^", "0..3");
}

static void saved_views_are_offered_by_name(void **state) {
    (void)state;
    assert_completes("@^", "0..1 @declined-today @doubtful");
    assert_completes("a -(@do^ b", "4..7 @doubtful");
    assert_completes("@de^cl", "0..5 @declined-today");
    assert_completes("@x^", "0..2");
    struct query_completion completion;
    query_complete("@de", 3, NULL, &views, &completion);
    assert_string_equal(completion.items[0].help, "status:declined");
    query_completion_clear(&completion);
}

static void operators_follow_a_whole_name(void **state) {
    (void)state;
    assert_completes("amount^", "6..6 : = != < <= > >=");
    assert_completes("mask^", "4..4 : =");
    assert_completes("has^", "3..3 :");
}

static void values_come_with_counts_most_frequent_first(void **state) {
    (void)state;
    assert_completes("bank:^", "5..5 Nordwind(70) \"Nord Bank\"(3) S\xC3\xBC"
                               "d(1)");
    assert_completes("bank:nord^", "5..9 Nordwind(70) \"Nord Bank\"(3)");
    assert_completes("bank:su^", "5..7 S\xC3\xBC"
                                 "d(1)");
    assert_completes("bank:d^", "5..6 Nordwind(70) \"Nord Bank\"(3) S\xC3\xBC"
                                "d(1)");
    assert_completes("bank=d^", "5..6");
    assert_completes("bank:win^", "5..8 Nordwind(70)");
    assert_completes("bank:\"nord b^", "5..12 \"Nord Bank\"(3)");
    assert_completes("status:de^", "7..9 deferred(9) declined(5)");
    assert_completes("status:approved,de^", "16..18 deferred(9) declined(5)");
    assert_completes("status:c^", "7..8 created canceled");
    assert_completes("-type!=^", "7..7 primary card_only");
    assert_completes("dir:^", "4..4 in out");
    assert_completes("direction:o^", "10..11 out");
}

static void flags_and_times_are_offered(void **state) {
    (void)state;
    assert_completes("has:re^", "4..6 refund");
    assert_completes("is:^", "3..3 new changed stale archived marked");
    assert_completes("created:^", "8..8 today yesterday monday tuesday wednesday thursday friday saturday sunday");
    assert_completes("created>=^", "9..9 today yesterday -24h -7d monday tuesday wednesday thursday friday saturday "
                                   "sunday");
    assert_completes("created:2026-01-01..t^", "20..21 today tuesday thursday");
    assert_completes("created>=Su^", "9..11 sunday");
    assert_completes("nope:^", "5..5");
}

static void known_values_are_offered_for_a_bare_word(void **state) {
    (void)state;
    assert_completes("decl^", "0..4 decline status:declined has:decline finding:decline");
    assert_completes("refu^", "0..4 has:refund");
}

static void what_all_items_share_can_be_put_in(void **state) {
    (void)state;
    struct query_completion completion;
    query_complete("tx.", 3, NULL, NULL, &completion);
    assert_string_equal(completion.common, "tx.");
    query_completion_clear(&completion);
    query_complete("bank:nordw", 10, &seen, &views, &completion);
    assert_string_equal(completion.common, "Nordwind");
    query_completion_clear(&completion);
    query_complete("bank:d", 6, &seen, NULL, &completion);
    assert_string_equal(completion.common, "");
    query_completion_clear(&completion);
}

static void the_cap_drops_the_rarest(void **state) {
    (void)state;
    struct query_completion completion;
    query_complete("user:usr_", 9, &(struct query_seen){.each = thousands}, NULL, &completion);
    assert_int_equal(completion.n, QUERY_ITEMS_MAX);
    for (size_t i = 0; i < completion.n; i++)
        assert_int_equal(completion.items[i].count, 4999 - 2 * (int64_t)i);
    query_completion_clear(&completion);
}

static void every_place_of_every_text_is_safe(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",   "\"", "a\"b", "bank:\"a\\\"",    "(((",         "a||b", "x\"\"y\"z",    "created:..",
        "--", "-",  ")",    "bank:\"a\"\"b\"", "status:a,,b", "\xC3", "amount:1....2"};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t at = 0; at <= strlen(texts[i]) + 1; at++) {
            struct query_completion completion;
            query_complete(texts[i], at, &seen, &views, &completion);
            assert_true(completion.at <= completion.end);
            assert_true(completion.end <= strlen(texts[i]));
            query_completion_clear(&completion);
        }
}

static void of_events_what_they_have_is_offered(void **state) {
    (void)state;
    static const struct query_seen events = {.each = two_banks, .events = true};
    struct query_completion completion;
    query_complete("", 0, &events, NULL, &completion);
    for (size_t i = 0; i < completion.n; i++) {
        const char *text = completion.items[i].text;
        assert_true(query_field_is_of_events(query_field_find(text, strlen(text))));
    }
    assert_true(completion.n > 5);
    query_completion_clear(&completion);
    query_complete("typ", 3, &events, NULL, &completion);
    assert_string_equal(completion.items[0].help, "type of the event itself, as intent.updated");
    query_completion_clear(&completion);
    query_complete("is:", 3, &events, NULL, &completion);
    assert_int_equal(completion.n, 1);
    assert_string_equal(completion.items[0].text, "verified");
    query_completion_clear(&completion);
    query_complete("is:v", 4, NULL, NULL, &completion);
    assert_int_equal(completion.n, 0);
    query_completion_clear(&completion);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_offered_by_their_beginning),
        cmocka_unit_test(saved_views_are_offered_by_name),
        cmocka_unit_test(operators_follow_a_whole_name),
        cmocka_unit_test(values_come_with_counts_most_frequent_first),
        cmocka_unit_test(flags_and_times_are_offered),
        cmocka_unit_test(known_values_are_offered_for_a_bare_word),
        cmocka_unit_test(what_all_items_share_can_be_put_in),
        cmocka_unit_test(the_cap_drops_the_rarest),
        cmocka_unit_test(every_place_of_every_text_is_safe),
        cmocka_unit_test(of_events_what_they_have_is_offered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
