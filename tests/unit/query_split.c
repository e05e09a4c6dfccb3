#include "query/split.h"
#include "unit/query_slow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct query_context context(void) {
    return (struct query_context){
        .now = ROWS_NOW, .unit = MONEY_MINOR, .exponents = some_exponents, .last_visit = CLOCK_NONE};
}

static struct query *parse(const char *text) {
    struct query *query;
    if (query_parse(text, &(struct query_options){.unit = MONEY_MINOR, .console = true}, &query, NULL, NULL) != ERR_OK)
        fail_msg("%s", text);
    return query;
}

/* "statuses / type / server / rest" */
static void assert_splits(const char *text, struct query_service service, const char *expected) {
    struct query *query = parse(text);
    struct query_context now = context();
    struct query_split split;
    query_split(query, &service, &now, &split);
    struct str out;
    str_init(&out, 4096);
    for (size_t i = 0; i < split.n_statuses; i++)
        str_addf(&out, "%s%s", i > 0 ? "," : "", split.statuses[i]);
    str_addf(&out, " / %s / ", split.type ? split.type : "");
    query_print(split.server, &out);
    str_add(&out, " / ");
    query_print(split.rest, &out);
    if (strcmp(out.s, expected) != 0)
        fail_msg("%s: %s, expected %s", text, out.s, expected);
    str_clear(&out);
    query_split_clear(&split);
    query_free(query);
}

static const struct query_service plain, dated = {true, true};

static void status_list_and_one_type_are_sent(void **state) {
    (void)state;
    assert_splits("", plain, " /  /  / ");
    assert_splits("status:declined", plain, "declined /  / status:declined / ");
    assert_splits("status:declined type:card_only amount>=5000 bank:x", plain,
                  "declined / card_only / status:declined type:card_only / amount>=5000 bank:x");
    assert_splits("status=Pending,CREATED,pending x", plain, "pending,created /  / status=Pending,CREATED,pending / x");
}

static void what_the_service_cannot_do_exactly_stays(void **state) {
    (void)state;
    static const char *const local[] = {"status:decl*",
                                        "status:declined*",
                                        "status:declined,odd",
                                        "status!=declined",
                                        "-status:declined",
                                        "type:primary,card_only",
                                        "type:wallet",
                                        "status:declined | x",
                                        "-(status:declined x)",
                                        "tx.status:declined",
                                        "(status:declined | type:primary) x"};
    for (size_t i = 0; i < COUNT_OF(local); i++) {
        char expected[128];
        struct query *query = parse(local[i]);
        struct str text;
        str_init(&text, 128);
        query_print(query, &text);
        snprintf(expected, sizeof expected, " /  /  / %s", text.s);
        assert_splits(local[i], plain, expected);
        str_clear(&text);
        query_free(query);
    }
}

static void second_list_and_second_type_stay(void **state) {
    (void)state;
    assert_splits("status:declined,pending status:pending type:primary type:card_only", plain,
                  "declined,pending / primary / status:declined,pending type:primary / status:pending type:card_only");
}

static void created_is_sent_wider_and_stays(void **state) {
    (void)state;
    struct query *query = parse("created:2026-11-01..2026-11-02 created<2026-11-02T10:00Z a");
    struct query_context now = context();
    struct query_split split;
    query_split(query, &dated, &now, &split);
    int64_t day = INT64_C(1793491200000); /* 2026-11-01 */
    assert_true(split.after == day - 1);
    assert_true(split.before == day + 86400000 + 10 * 3600000);
    struct str rest;
    str_init(&rest, 256);
    query_print(split.rest, &rest);
    assert_string_equal(rest.s, "created:2026-11-01..2026-11-02 created<2026-11-02T10:00Z a");
    str_clear(&rest);
    query_split_clear(&split);
    query_split(query, &plain, &now, &split);
    assert_true(split.after == CLOCK_NONE && split.before == CLOCK_NONE);
    query_split_clear(&split);
    query_free(query);
}

static void a_weekday_is_sent_as_the_day_that_it_is(void **state) {
    (void)state;
    struct query *query = parse("created:tuesday");
    struct query_context now = context();
    struct query_split split;
    query_split(query, &dated, &now, &split);
    int64_t day = INT64_C(1795478400000); /* 2026-11-24 */
    assert_true(split.after == day - 1);
    assert_true(split.before == day + 86400000);
    query_split_clear(&split);
    query_free(query);
}

static int two_hours_east(int64_t utc_ms) {
    (void)utc_ms;
    return 120;
}

static int five_hours_west(int64_t utc_ms) {
    (void)utc_ms;
    return -300;
}

/* The day of a time without a zone is its own (F51): a service that takes such a time for UTC must still give its row.
 */
static void f51_a_day_is_sent_as_wide_as_any_reading_of_it(void **state) {
    (void)state;
    int64_t day = INT64_C(1793491200000), hour = 3600000; /* 2026-11-01 */
    struct query *query = parse("created:2026-11-01");
    struct query_context now = context();
    struct query_split split;
    now.zone.offset = two_hours_east;
    query_split(query, &dated, &now, &split);
    assert_true(split.after == day - 2 * hour - 1);
    assert_true(split.before == day + 24 * hour);
    query_split_clear(&split);
    now.zone.offset = five_hours_west;
    query_split(query, &dated, &now, &split);
    assert_true(split.after == day - 1);
    assert_true(split.before == day + 29 * hour);
    query_split_clear(&split);
    query_free(query);
}

/* What was asked an hour ago must still hold what is within the term by now. */
static void an_end_counted_back_from_now_is_not_sent(void **state) {
    static const char *const MOVING[] = {"created<-7d", "created<=-24h", "created:2026-01-01..-1h"};
    (void)state;
    struct query_context now = context();
    for (size_t i = 0; i < COUNT_OF(MOVING); i++) {
        struct query *query = parse(MOVING[i]);
        struct query_split split;
        query_split(query, &dated, &now, &split);
        assert_true(split.before == CLOCK_NONE);
        query_split_clear(&split);
        query_free(query);
    }
    struct query *query = parse("created>=-7d");
    struct query_split split;
    query_split(query, &dated, &now, &split);
    assert_true(split.after != CLOCK_NONE);
    query_split_clear(&split);
    query_free(query);
}

static bool is_served(const struct query_split *split, const struct intent *intent) {
    bool status = split->n_statuses == 0, type = !split->type;
    for (size_t i = 0; i < split->n_statuses && intent->status.state == VALUE_OK; i++)
        status = status || strcasecmp(split->statuses[i], intent->status.text) == 0;
    if (split->type && intent->type.state == VALUE_OK)
        type = strcmp(split->type, intent->type.text) == 0;
    bool there = intent->created_at.state == VALUE_OK;
    bool after = split->after == CLOCK_NONE || (there && intent->created_at.ms > split->after);
    bool before = split->before == CLOCK_NONE || (there && intent->created_at.ms < split->before);
    return status && type && after && before;
}

/* What the service keeps and the rest keeps is what the whole keeps. */
static void both_parts_are_the_whole(void **state) {
    (void)state;
    struct dice dice = {99};
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    struct query_context now = context();
    size_t sent = 0;
    for (int round = 0; round < 4000; round++) {
        static const char *const starts[] = {"status:declined,approved ", "type:primary ", "created>=2026-11 ",
                                             "status:pending type:card_only created:2026 ", ""};
        str_reset(&text);
        str_add(&text, PICK(&dice, starts));
        add_term(&dice, &text);
        struct query *query = parse(text.s);
        struct query_split split;
        query_split(query, round % 2 ? &dated : &plain, &now, &split);
        sent += split.n_statuses + (split.type != NULL) + (split.after != CLOCK_NONE);
        for (int row = 0; row < 5; row++) {
            struct intent *intent = make_intent(&dice);
            struct slow slow = {&now, 0, intent, {0, 0, 0, 0}, false, 0};
            bool whole = slow_match(&slow, query->root);
            if (whole != (is_served(&split, intent) && slow_match(&slow, split.rest->root)))
                fail_msg("%s", text.s);
            intent_free(intent);
        }
        query_split_clear(&split);
        query_free(query);
    }
    assert_true(sent > 3000);
    str_clear(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_list_and_one_type_are_sent),
        cmocka_unit_test(what_the_service_cannot_do_exactly_stays),
        cmocka_unit_test(second_list_and_second_type_stay),
        cmocka_unit_test(created_is_sent_wider_and_stays),
        cmocka_unit_test(a_weekday_is_sent_as_the_day_that_it_is),
        cmocka_unit_test(f51_a_day_is_sent_as_wide_as_any_reading_of_it),
        cmocka_unit_test(an_end_counted_back_from_now_is_not_sent),
        cmocka_unit_test(both_parts_are_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
