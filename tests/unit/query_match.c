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
                                  .zone_offset = zone_offset,
                                  .unit = unit,
                                  .last_visit = ROWS_NOW - 2 * 86400000,
                                  .is_marked = is_marked};
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
    size_t matched = 0, looked_at = 0;
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
            struct slow slow = {&context, zone_minutes, intent, seen, row % 3 == 0};
            struct query_row fast = {row, &cells, seen.first, seen.confirmed, seen.changed};
            bool expected = slow_match(&slow, query->root);
            if (query_match(plan, &fast) != expected)
                fail_msg("%s (zone %d, unit %d): expected %d", text.s, zone_minutes, unit, expected);
            matched += expected ? 1 : 0;
            looked_at++;
            intent_free(intent);
        }
        query_plan_free(plan);
        query_free(query);
    }
    /* Neither side may win by always saying the same. */
    assert_in_range(matched * 100 / looked_at, 20, 80);
    str_clear(&text);
    str_clear(&blob);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_filters_agree_with_a_second_evaluation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
