#include "unit/query_slow.h"

#include "query/split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static int zone_minutes;

static int zone_offset(int64_t utc) {
    (void)utc;
    return zone_minutes;
}

static bool is_marked(const void *marks, int64_t key) {
    (void)marks;
    return key % 3 == 0;
}

static struct query_context context_of(enum money_unit unit) {
    return (struct query_context){.now = ROWS_NOW,
                                  .zone.offset = zone_offset,
                                  .unit = unit,
                                  .exponents = some_exponents,
                                  .last_visit = ROWS_NOW - 2 * 86400000,
                                  .is_marked = is_marked,
                                  .notes = rows_notes()};
}

static struct query *parse(const char *text, enum money_unit unit) {
    struct query *query;
    struct error error = {.code = ERR_OK};
    if (query_parse(text, &(struct query_options){.unit = unit, .console = true}, &query, NULL, &error) != ERR_OK)
        fail_msg("%s: %s", text, error.text);
    return query;
}

/* Ten thousand filters, each against rows of its own. */
static void random_filters_agree_with_a_second_evaluation(void **state) {
    (void)state;
    static const int zones[] = {0, 60, -330, 720};
    struct dice dice = {20261128};
    size_t matched = 0, rows_scanned = 0;
    struct str text, blob;
    str_init(&text, QUERY_TEXT_MAX);
    str_init(&blob, 1 << 20);
    for (int round = 0; round < 10000; round++) {
        enum money_unit unit = one_in(&dice, 2) ? MONEY_MINOR : MONEY_MAJOR;
        zone_minutes = PICK(&dice, zones);
        struct query_context context = context_of(unit);
        str_reset(&text);
        add_filter(&dice, &text, 3);
        struct query *query = parse(text.s, unit);
        struct query_plan *plan = query_plan_new(query, &context);
        for (int row = 0; row < 4; row++) {
            struct intent *intent = make_intent(&dice);
            struct seen seen = make_seen(&dice);
            struct cells cells;
            str_reset(&blob);
            cells_pack(intent, &blob);
            assert_true(cells_read(blob.s, blob.len, &cells));
            struct slow slow = {&context, zone_minutes, intent, seen, row % 3 == 0, 0};
            struct query_row fast = {row, &cells, seen.first, seen.confirmed, seen.changed, 0, seen.transitions, false};
            bool expected = slow_match(&slow, query->root);
            if (query_match(plan, &fast) != expected)
                fail_msg("%s (zone %d, unit %d): expected %d", text.s, zone_minutes, unit, expected);
            matched += expected ? 1 : 0;
            rows_scanned++;
            intent_free(intent);
        }
        query_plan_free(plan);
        query_free(query);
    }
    /* Neither side may win by always saying the same. */
    assert_in_range(matched * 100 / rows_scanned, 20, 80);
    str_clear(&text);
    str_clear(&blob);
}

static int autumn(int64_t utc) {
    return utc < INT64_C(1795611600000) ? 60 : 0; /* 2026-11-25T13:00Z */
}

/* The ends of what `created` asks for, but for open ones. */
static void assert_range(const char *op, const char *value, const struct query_context *context, const char *expected) {
    struct str text;
    str_init(&text, 256);
    str_addf(&text, "created%s%s", op, value);
    struct query *query = parse(text.s, MONEY_RAW);
    struct query_plan *plan = query_plan_new(query, context);
    const struct query_range *range = plan->root->test.ranges;
    str_reset(&text);
    if (range->low[0] != INT64_MIN)
        clock_format_iso(&text, range->low[0]);
    if (range->low[0] != INT64_MIN && range->high[0] != INT64_MAX)
        str_add_char(&text, ' ');
    if (range->high[0] != INT64_MAX)
        clock_format_iso(&text, range->high[0]);
    if (strcmp(text.s, expected) != 0)
        fail_msg("created%s%s: %s, expected %s", op, value, text.s, expected);
    str_clear(&text);
    query_plan_free(plan);
    query_free(query);
}

static void assert_within(const char *value, const struct query_context *context, const char *expected) {
    assert_range(":", value, context, expected);
}

/* With its operator before it. */
static void assert_bound(const char *value, const struct query_context *context, const char *expected) {
    assert_range("", value, context, expected);
}

static void a_weekday_is_the_last_such_day_before_today(void **state) {
    static const char *const days[] = {"2026-11-27T00:00:00.000Z 2026-11-27T23:59:59.999Z",
                                       "2026-11-22T00:00:00.000Z 2026-11-22T23:59:59.999Z",
                                       "2026-11-21T00:00:00.000Z 2026-11-21T23:59:59.999Z"};
    struct query_context context = {.now = ROWS_NOW};
    (void)state;
    assert_within("friday", &context, days[0]);
    assert_within("FRI", &context, days[0]);
    assert_within("sunday", &context, days[1]);
    assert_within("saturday", &context, days[2]); /* today is one */
    context.now = INT64_C(1795823999999);
    assert_within("friday", &context, "2026-11-20T00:00:00.000Z 2026-11-20T23:59:59.999Z");
    context.now++;
    assert_within("friday", &context, days[0]);
}

static void a_weekday_is_one_of_the_zone_in_force_on_it(void **state) {
    struct query_context context = {.now = ROWS_NOW, .zone.offset = zone_offset};
    (void)state;
    zone_minutes = -11 * 60; /* still Friday there */
    assert_within("fri", &context, "2026-11-20T11:00:00.000Z 2026-11-21T10:59:59.999Z");
    zone_minutes = 0;
    context.zone.offset = autumn;
    assert_within("tue", &context, "2026-11-23T23:00:00.000Z 2026-11-24T22:59:59.999Z");
    assert_within("wed", &context, "2026-11-24T23:00:00.000Z 2026-11-25T23:59:59.999Z");
}

/* On a Wednesday the last Monday is nearer than the last Friday. */
static void from_a_weekday_to_a_weekday_goes_forward(void **state) {

    struct query_context context = {.now = ROWS_NOW - 3 * INT64_C(86400000)};
    (void)state;
    assert_within("mon..fri", &context, "2026-11-16T00:00:00.000Z 2026-11-20T23:59:59.999Z");
    assert_within("fri..mon", &context, "2026-11-20T00:00:00.000Z 2026-11-23T23:59:59.999Z");
    assert_within("wed..wed", &context, "2026-11-18T00:00:00.000Z 2026-11-18T23:59:59.999Z");
    assert_within("wed..yesterday", &context, "2026-11-18T00:00:00.000Z 2026-11-24T23:59:59.999Z");
    context.now = ROWS_NOW;
    assert_within("mon..fri", &context, "2026-11-23T00:00:00.000Z 2026-11-27T23:59:59.999Z");
}

static bool holds(const char *filter, const char *word) {
    struct query *query = parse(filter, MONEY_RAW);
    struct query_plan *plan = query_plan_new(query, &(struct query_context){.now = ROWS_NOW});
    bool negated = plan->root->kind == QUERY_NOT;
    const struct query_step *step = negated ? plan->root->first : plan->root;
    bool is = query_test_text(&step->test, word, strlen(word)) != negated;
    query_plan_free(plan);
    query_free(query);
    return is;
}

static void a_direction_is_asked_for_as_the_list_shows_it(void **state) {
    (void)state;
    assert_true(holds("dir:in", "cash_in") && holds("direction=OUT", "cash_out") && holds("dir:cash_in", "cash_in"));
    assert_true(holds("dir:in", "in")); /* as served */
    assert_true(holds("dir:out,in", "cash_in") && holds("dir:in*", "cash_in") && holds("dir!=in", "cash_out"));
    assert_false(holds("dir:in", "cash_out") || holds("dir!=in", "cash_in") || holds("dir:in", "inward"));
    assert_false(holds("rail:in", "cash_in"));
}

/* Stored texts have tokens for what nobody sees; what was copied from the service has the characters themselves. */
static void f58_a_text_copied_as_served_is_found(void **state) {
    (void)state;
    assert_true(holds("bank:\"ab\u200dcd\"", "ab<200D>cd"));
    assert_true(holds("account.name:\"\u2066iso\u2069\"", "<2066>iso<2069>"));
    assert_true(holds("rail=c\u00adard", "c<AD>ard") && holds("bank:ab\u200dcd", "abcd"));
    assert_false(holds("bank:\"ab\u2066cd\"", "ab<2069>cd") || holds("bank!=\"ab\u200dcd\"", "ab<200D>cd"));
}

/* A joiner that its letters do not need is shown as a token; who looks for the name does not know of it. */
static void f58_a_name_is_found_without_the_joiners_in_it(void **state) {
    (void)state;
    assert_true(holds("bank:fakejoin", "fake<200D>join") && holds("bank=\"Fake Join\"", "fa<200C>ke jo<200D>in"));
    assert_true(holds("fakejoin", "fake<200D>join") && holds("bank:fakejoin*", "fake<200D>joiner"));
    assert_true(holds("bank:\"fake<200D>join\"", "fake<200D>join") && holds("bank:\"fake<200D>join\"", "fakejoin"));
    assert_false(holds("bank:fakejoin", "fake<200F>join") || holds("-bank:fakejoin", "fake<200D>join"));
}

/* Central Europe in 2026. */
static int summer(int64_t utc) {
    return utc >= INT64_C(1774746000000) && utc < INT64_C(1792890000000) ? 120 : 60;
}

static void a_time_that_happens_twice_covers_both_instants(void **state) {
    struct query_context context = {.now = ROWS_NOW, .zone.offset = summer};
    (void)state;
    assert_within("2026-10-25T02:30", &context, "2026-10-25T00:30:00.000Z 2026-10-25T01:30:59.999Z");
    assert_within("2026-10-25T02:30:00", &context, "2026-10-25T00:30:00.000Z 2026-10-25T01:30:00.999Z");
    assert_within("2026-10-25T02:10..2026-10-25T02:20", &context, "2026-10-25T00:10:00.000Z 2026-10-25T01:20:59.999Z");
    assert_within("2026-10-25T01:00..2026-10-25T02:30", &context, "2026-10-24T23:00:00.000Z 2026-10-25T01:30:59.999Z");
    assert_within("2026-10-25T02:30..2026-10-25T03:00", &context, "2026-10-25T00:30:00.000Z 2026-10-25T02:00:59.999Z");
    assert_bound(">=2026-10-25T02:30", &context, "2026-10-25T00:30:00.000Z");
    assert_bound(">2026-10-25T02:30", &context, "2026-10-25T01:31:00.000Z");
    assert_bound("<2026-10-25T02:30", &context, "2026-10-25T00:29:59.999Z");
    assert_bound("<=2026-10-25T02:30", &context, "2026-10-25T01:30:59.999Z");
    /* Beside that hour each time is one. */
    assert_within("2026-10-25T01:59", &context, "2026-10-24T23:59:00.000Z 2026-10-24T23:59:59.999Z");
    assert_within("2026-10-25T03:00", &context, "2026-10-25T02:00:00.000Z 2026-10-25T02:00:59.999Z");
    assert_within("2026-10-25", &context, "2026-10-24T22:00:00.000Z 2026-10-25T22:59:59.999Z");
    assert_within("2026-10-25T02:30+02:00", &context, "2026-10-25T00:30:00.000Z 2026-10-25T00:30:59.999Z");
}

/* A business day is one piece of time, also where its end is shown twice or not at all. */
static void a_day_that_ends_at_its_own_hour_has_23_24_or_25_hours(void **state) {
    struct query_context context = {.now = ROWS_NOW, .zone = {summer, 420}}; /* at 17:00 */
    (void)state;
    assert_within("2026-06-02", &context, "2026-06-01T15:00:00.000Z 2026-06-02T14:59:59.999Z");
    assert_within("2026-10-25", &context, "2026-10-24T15:00:00.000Z 2026-10-25T15:59:59.999Z");
    assert_within("2026-03-29", &context, "2026-03-28T16:00:00.000Z 2026-03-29T14:59:59.999Z");
    assert_within("2026-06", &context, "2026-05-31T15:00:00.000Z 2026-06-30T14:59:59.999Z");
    assert_within("2026-06-02T01:00", &context, "2026-06-01T23:00:00.000Z 2026-06-01T23:00:59.999Z");
    assert_within("2026-06-01..2026-06-02", &context, "2026-05-31T15:00:00.000Z 2026-06-02T14:59:59.999Z");
    context.zone.day_ahead =
        -150; /* at 02:30 of the next morning, which is there twice in October and never in March */
    assert_within("2026-10-24", &context, "2026-10-24T00:30:00.000Z 2026-10-25T00:29:59.999Z");
    assert_within("2026-10-25", &context, "2026-10-25T00:30:00.000Z 2026-10-26T01:29:59.999Z");
    assert_within("2026-03-28", &context, "2026-03-28T01:30:00.000Z 2026-03-29T00:59:59.999Z");
    assert_within("2026-03-29", &context, "2026-03-29T01:00:00.000Z 2026-03-30T00:29:59.999Z");
}

static void today_is_the_business_day_that_is_open(void **state) {
    struct query_context context = {.zone = {summer, 420}};
    (void)state;
    assert_true(clock_parse("2026-06-02T14:59:00Z", 20, &context.now));
    assert_within("today", &context, "2026-06-01T15:00:00.000Z 2026-06-02T14:59:59.999Z");
    assert_true(clock_parse("2026-06-02T15:00:00Z", 20, &context.now));
    assert_within("today", &context, "2026-06-02T15:00:00.000Z 2026-06-03T14:59:59.999Z");
    assert_within("yesterday", &context, "2026-06-01T15:00:00.000Z 2026-06-02T14:59:59.999Z");
    assert_within("tuesday", &context, "2026-06-01T15:00:00.000Z 2026-06-02T14:59:59.999Z");
}

static void a_time_that_does_not_exist_is_the_instant_of_the_change(void **state) {
    struct query_context context = {.now = ROWS_NOW, .zone.offset = summer};
    (void)state;
    assert_within("2026-03-29T02:30", &context, "2026-03-29T01:00:00.000Z 2026-03-29T01:00:00.000Z");
    assert_within("2026-03-29T01:00..2026-03-29T02:30", &context, "2026-03-29T00:00:00.000Z 2026-03-29T00:59:59.999Z");
    assert_within("2026-03-29T02:30..2026-03-29T03:10", &context, "2026-03-29T01:00:00.000Z 2026-03-29T01:10:59.999Z");
    assert_bound(">=2026-03-29T02:30", &context, "2026-03-29T01:00:00.000Z");
    assert_bound(">2026-03-29T02:30", &context, "2026-03-29T01:00:00.000Z");
    assert_bound("<2026-03-29T02:30", &context, "2026-03-29T00:59:59.999Z");
    assert_bound("<=2026-03-29T02:30", &context, "2026-03-29T00:59:59.999Z");
    assert_within("2026-03-29", &context, "2026-03-28T23:00:00.000Z 2026-03-29T21:59:59.999Z");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weekday_is_the_last_such_day_before_today),
        cmocka_unit_test(a_weekday_is_one_of_the_zone_in_force_on_it),
        cmocka_unit_test(from_a_weekday_to_a_weekday_goes_forward),
        cmocka_unit_test(f58_a_text_copied_as_served_is_found),
        cmocka_unit_test(f58_a_name_is_found_without_the_joiners_in_it),
        cmocka_unit_test(a_direction_is_asked_for_as_the_list_shows_it),
        cmocka_unit_test(a_time_that_happens_twice_covers_both_instants),
        cmocka_unit_test(a_day_that_ends_at_its_own_hour_has_23_24_or_25_hours),
        cmocka_unit_test(today_is_the_business_day_that_is_open),
        cmocka_unit_test(a_time_that_does_not_exist_is_the_instant_of_the_change),
        cmocka_unit_test(random_filters_agree_with_a_second_evaluation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
