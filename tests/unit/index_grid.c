#include "unit/index_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* Counts over axes: every cell is counted a second time by the filter that its places give, whose rows
 * tests/unit/index_run.c compares with a slow evaluation. */

/* Clocks of Central Europe in 2026. */
static int summer(int64_t utc) {
    return utc >= INT64_C(1774746000000) && utc < INT64_C(1792890000000) ? 120 : 60;
}

/* Put forward by half an hour at two, and back at two: as on Lord Howe Island. */
static int half_hour(int64_t utc) {
    return utc >= INT64_C(1775314800000) && utc < INT64_C(1791041400000) ? 630 : 660;
}

static struct index_result run(struct index *index, const struct index_query *query) {
    struct index_result result;
    struct error error = {.code = ERR_OK};
    if (index_run(index, query, &result, &error) != ERR_OK)
        fail_msg("%s", error.text);
    return result;
}

struct asked {
    struct rows *rows;
    struct query_context context;
    const char *filter;
    struct query_axis over, by;
};

static void count_cell(const struct asked *asked, const char *terms, const struct query_cell *cell) {
    struct str text;
    struct query *query;
    struct error error = {0};
    size_t n = 0, without = 0;
    __int128 sum = 0;
    str_init(&text, 2 * QUERY_TEXT_MAX);
    str_addf(&text, "%s%s%s %s", *asked->filter ? "(" : "", asked->filter, *asked->filter ? ")" : "", terms);
    if (query_parse(text.s, &(struct query_options){.unit = MONEY_MINOR, .console = true}, &query, NULL, &error))
        fail_msg("%s: %s", text.s, error.text);
    struct query_plan *plan = query_plan_new(query, &asked->context);
    struct index_query list = everything();
    list.plan = plan;
    struct index_result rows = run(asked->rows->index, &list);
    for (size_t i = 0; i < rows.n; i++) {
        const struct intent *intent = rows_find(asked->rows, rows.keys[i])->intent;
        const char *currency = has_text(&intent->currency) ? intent->currency.text : NULL;
        if (!str_equal(currency, cell->currency))
            continue;
        n++;
        without += intent->amount.state != VALUE_OK;
        sum += intent->amount.state == VALUE_OK ? intent->amount.number : 0;
    }
    if (n != cell->now.rows || without != cell->now.without || (!cell->now.overflow && sum != cell->now.sum))
        fail_msg("%s: %zu rows, the cell has %zu", text.s, n, cell->now.rows);
    assert_int_equal(cell->now.overflow, sum > INT64_MAX || sum < INT64_MIN);
    index_result_clear(&rows);
    query_plan_free(plan);
    query_free(query);
    str_clear(&text);
}

/* Gives how many cells could be asked for by a filter. */
static size_t count_again(const struct asked *asked, const struct index_result *result, bool several) {
    struct query_clock clock = {.zone = asked->context.zone};
    size_t rows = 0, told = 0;
    struct str terms;
    str_init(&terms, QUERY_TEXT_MAX);
    for (size_t i = 0; i < result->n_cells; i++) {
        const struct query_cell *cell = &result->cells[i];
        rows += cell->now.rows;
        str_reset(&terms);
        if (!query_place_terms(&asked->over, &clock, &result->overs[cell->over], &terms))
            continue;
        str_add_char(&terms, ' ');
        if (!query_place_terms(&asked->by, &clock, &result->values[cell->by], &terms))
            continue;
        count_cell(asked, terms.s, cell);
        told++;
    }
    assert_true(several ? rows >= result->n : rows == result->n);
    str_clear(&terms);
    return told;
}

static size_t ask(const struct asked *asked) {
    struct query *query = must_parse(asked->filter);
    struct query_plan *plan = query_plan_new(query, &asked->context);
    struct index_query grid = everything();
    grid.plan = plan;
    grid.over = asked->over;
    grid.facet = asked->by.kind == QUERY_AXIS_FIELD ? asked->by.field : QUERY_FIELD_COUNT;
    grid.zone = asked->context.zone;
    grid.now = asked->context.now;
    struct index_result result = run(asked->rows->index, &grid);
    size_t told = count_again(asked, &result, query_axis_has_several(&asked->by));
    index_result_clear(&result);
    query_plan_free(plan);
    query_free(query);
    return told;
}

static struct query_axis random_field(struct dice *dice, bool several) {
    struct query_axis axis;
    do
        axis = (struct query_axis){QUERY_AXIS_FIELD, (enum query_field_code)below(dice, QUERY_FIELD_COUNT)};
    while (!index_can_count(axis.field) || (!several && query_axis_has_several(&axis)));
    return axis;
}

static void a_cell_has_the_rows_that_its_filter_finds(void **state) {
    static int (*const zones[])(int64_t) = {NULL, summer, half_hour};
    static const int day_ends[] = {0, 0, 420, -150, 720, -719};
    struct dice dice = {31};
    struct rows rows = {.index = index_new()};
    struct str filter;
    size_t told = 0;
    (void)state;
    str_init(&filter, QUERY_TEXT_MAX);
    for (int i = 0; i < 120; i++)
        rows_put(&rows, &dice, (int64_t)i, false);
    for (int round = 0; round < 800; round++) {
        struct asked asked = {.rows = &rows, .context = rows_context()};
        asked.context.zone = (struct query_zone){PICK(&dice, zones), PICK(&dice, day_ends)};
        str_reset(&filter);
        if (!one_in(&dice, 3))
            add_filter(&dice, &filter, 1);
        asked.filter = filter.s;
        asked.over.kind = (enum query_axis_kind)below(&dice, QUERY_AXIS_WEEK + 1);
        if (asked.over.kind == QUERY_AXIS_FIELD)
            asked.over = random_field(&dice, false);
        if (asked.over.kind == QUERY_AXIS_NONE || !one_in(&dice, 4))
            asked.by = random_field(&dice, asked.over.kind == QUERY_AXIS_NONE);
        told += ask(&asked);
    }
    assert_true(told > 5000);
    str_clear(&filter);
    rows_clear(&rows);
}

/* ---- Days of 23 and 25 hours ---- */

static void put_at(struct rows *rows, int64_t ms, bool bare) {
    struct kept *row = vec_add(rows);
    *row = (struct kept){.key = (int64_t)rows->n, .seen = {0, 0, CLOCK_NONE, 0}};
    row->intent = intent_new();
    row->intent->created_at = (struct value_time){VALUE_OK, ms, bare ? "2026-10-25T02:30:00" : "x"};
    str_init(&row->blob, 4096);
    cells_pack(row->intent, &row->blob);
    assert_true(cells_read(row->blob.s, row->blob.len, &row->cells));
    struct query_row view = rows_view(row);
    index_put(rows->index, &view);
}

/* A row each ten minutes, with and without a zone, from three hours before to three hours behind 24 hours. */
static struct rows around(int64_t from) {
    enum { MINUTES = 10, STEPS = (24 + 2 * 3) * 60 / MINUTES };
    struct rows rows = {.index = index_new()};
    for (int64_t i = 0; i < STEPS; i++) {
        put_at(&rows, from + (i - 18) * MINUTES * 60000, false);
        put_at(&rows, from + (i - 18) * MINUTES * 60000, true);
    }
    return rows;
}

static void expect_places(struct rows *rows, int (*zone)(int64_t), enum query_axis_kind kind, const char *expected) {
    struct index_query grid = everything();
    struct str text;
    grid.over.kind = kind;
    grid.zone.offset = zone;
    struct index_result result = run(rows->index, &grid);
    str_init(&text, 1 << 16);
    for (size_t i = 0; i < result.n_overs; i++)
        str_addf(&text, "%s%s=%zu", i > 0 ? ", " : "", result.overs[i].value, result.overs[i].rows);
    if (!strstr(text.s, expected))
        fail_msg("%s: not %s", text.s, expected);
    str_clear(&text);
    index_result_clear(&result);
}

static void every_hour_is_asked_for(struct rows *rows, int (*zone)(int64_t)) {
    static const int day_ends[] = {0, -150, -180, -130, 420};
    for (unsigned kind = QUERY_AXIS_HOUR; kind <= QUERY_AXIS_WEEK; kind++) {
        for (size_t i = 0; i < COUNT_OF(day_ends); i++) {
            struct asked asked = {.rows = rows, .context = rows_context(), .filter = "", .over = {.kind = kind}};
            asked.context.zone = (struct query_zone){zone, day_ends[i]};
            assert_true(ask(&asked) > 0);
        }
    }
}

static void a_day_of_25_hours_has_them(void **state) {
    struct rows rows = around(INT64_C(1792879200000)); /* 2026-10-25 at midnight, UTC+2 */
    (void)state;
    expect_places(
        &rows, summer, QUERY_AXIS_HOUR,
        "2026-10-25 01:00 +02:00=12, 2026-10-25 02:00 +02:00=12, 2026-10-25 02:00 +01:00=12, 2026-10-25 03:00 "
        "+01:00=12, ");
    /* 25 hours of instants and, of times that name no zone, those from midnight to midnight that there are rows for */
    expect_places(&rows, summer, QUERY_AXIS_DAY, "2026-10-25=294");
    every_hour_is_asked_for(&rows, summer);
    rows_clear(&rows);
}

static void a_day_of_23_hours_has_them(void **state) {
    struct rows rows = around(INT64_C(1774738800000)); /* 2026-03-29 at midnight, UTC+1 */
    (void)state;
    expect_places(&rows, summer, QUERY_AXIS_HOUR,
                  "2026-03-29 01:00 +01:00=12, 2026-03-29 03:00 +02:00=12, 2026-03-29 04:00 +02:00=12, ");
    expect_places(&rows, summer, QUERY_AXIS_DAY, "2026-03-29=282");
    every_hour_is_asked_for(&rows, summer);
    rows_clear(&rows);
}

static void an_hour_that_clocks_cut_is_as_long_as_it_was(void **state) {
    struct rows rows = around(INT64_C(1791034200000)); /* 2026-10-04 at 00:30, UTC+10:30 */
    (void)state;
    expect_places(&rows, half_hour, QUERY_AXIS_HOUR, "2026-10-04 01:00 +10:30=12, 2026-10-04 02:30 +11:00=6, ");
    every_hour_is_asked_for(&rows, half_hour);
    rows_clear(&rows);
}

/* ---- An earlier period ---- */

/* Days of it are those of the period, so many earlier; it ends at the time of day that it is now. Of times with and
 * without a zone alike. */
static void an_earlier_period_ends_at_the_same_time_of_day(void **state) {
    enum { DAY_MS = 24 * 60 * 60 * 1000, HOUR_MS = DAY_MS / 24, PER_HOUR = 6 };
    const int64_t midnight = INT64_C(1795132800000); /* 2026-11-20 */
    struct rows rows = around(midnight - DAY_MS), today = around(midnight);
    struct query_context context = rows_context();
    (void)state;
    for (size_t i = 0; i < today.n; i++)
        put_at(&rows, today.items[i].intent->created_at.ms, i % 2 != 0);
    context.now = midnight + 10 * (int64_t)HOUR_MS;
    context.zone = (struct query_zone){0};
    struct query *query = must_parse("created:today");
    struct query_plan *plan = query_plan_new(query, &context);
    context.back = 1;
    struct query_plan *then = query_plan_new(query, &context);
    struct index_earlier earlier = {then, 1, context.now - DAY_MS, context.now - DAY_MS};
    struct index_query grid = everything();
    grid.plan = plan;
    grid.over.kind = QUERY_AXIS_DAY;
    grid.earlier = &earlier;
    struct index_result result = run(rows.index, &grid);
    assert_int_equal(result.n_overs, 1);
    assert_string_equal(result.overs[0].value, "2026-11-20");
    assert_true(result.overs[0].rows > 24 * PER_HOUR);
    /* Ten hours of yesterday, of which the last three are there twice: of those three days that were made. */
    assert_int_equal(result.overs[0].earlier, result.n_earlier);
    assert_int_equal(result.n_earlier, 2 * 10 * PER_HOUR);
    index_result_clear(&result);
    query_plan_free(plan);
    query_plan_free(then);
    query_free(query);
    rows_clear(&rows);
    rows_clear(&today);
}

/* ---- Bands ---- */

static void bands_are_whole_and_in_order(void **state) {
    int64_t before = INT64_MIN, low, high;
    (void)state;
    for (int band = -QUERY_BAND_MOST; band <= QUERY_BAND_MOST; band++) {
        query_band_bounds(band, &low, &high);
        assert_true(low <= high);
        assert_true(low == (band == -QUERY_BAND_MOST ? INT64_MIN : before + 1));
        assert_int_equal(query_band(low), band);
        assert_int_equal(query_band(high), band);
        before = high;
    }
    assert_true(before == INT64_MAX);
    query_band_bounds(8, &low, &high);
    assert_int_equal(low, 200);
    assert_int_equal(high, 499);
}

/* The newest, with the rows that have no time; what the values count is counted over all of them. */
static void only_the_newest_times_are_given_where_so_many_are_wanted(void **state) {
    struct dice dice = {35};
    struct rows rows = {.index = index_new()};
    (void)state;
    for (int i = 0; i < 500; i++)
        rows_put(&rows, &dice, (int64_t)i, false);
    struct index_query grid = everything();
    grid.over.kind = QUERY_AXIS_HOUR;
    grid.facet = QUERY_STATUS_FIELD;
    struct index_result all = run(rows.index, &grid);
    grid.over_limit = 5;
    struct index_result few = run(rows.index, &grid);
    bool none = !all.overs[all.n_overs - 1].value;
    assert_int_equal(few.n_overs, 5 + none);
    assert_int_equal(few.n_values, all.n_values);
    for (size_t i = 0; i < few.n_overs; i++) {
        const struct query_place *same = &all.overs[all.n_overs - few.n_overs + i];
        assert_true(str_equal(few.overs[i].value, same->value));
        assert_int_equal(few.overs[i].rows, same->rows);
    }
    for (size_t i = 0; i < few.n_values; i++)
        assert_int_equal(few.values[i].rows, all.values[i].rows);
    for (size_t i = 0; i < few.n_cells; i++) {
        const struct query_cell *cell = &few.cells[i], *same = &all.cells[all.n_cells - few.n_cells + i];
        assert_int_equal(cell->over + all.n_overs - few.n_overs, same->over);
        assert_int_equal(cell->by, same->by);
        assert_int_equal(cell->now.rows, same->now.rows);
    }
    index_result_clear(&all);
    index_result_clear(&few);
    rows_clear(&rows);
}

/* As if all of them had been put in order. */
static void the_most_frequent_of_many_are_those_of_all(void **state) {
    struct dice dice = {36};
    struct rows rows = {.index = index_new()};
    (void)state;
    for (int i = 0; i < 2000; i++)
        rows_put(&rows, &dice, (int64_t)i, false);
    struct index_query grid = everything();
    grid.facet = QUERY_USER_FIELD;
    struct index_result all = run(rows.index, &grid);
    for (grid.facet_limit = 1; grid.facet_limit < 60; grid.facet_limit += 7) {
        struct index_result few = run(rows.index, &grid);
        assert_int_equal(few.n_values, grid.facet_limit);
        assert_int_equal(few.n_distinct, all.n_values);
        for (size_t i = 0; i < few.n_values; i++) {
            assert_true(str_equal(few.values[i].value, all.values[i].value));
            assert_int_equal(few.values[i].rows, all.values[i].rows);
        }
        index_result_clear(&few);
    }
    index_result_clear(&all);
    rows_clear(&rows);
}

static void what_has_an_order_keeps_it_and_the_rest_goes_by_rows(void **state) {
    struct dice dice = {33};
    struct rows rows = {.index = index_new()};
    (void)state;
    for (int i = 0; i < 500; i++)
        rows_put(&rows, &dice, (int64_t)i, false);
    struct index_query grid = everything();
    grid.facet = QUERY_WEEKDAY_FIELD;
    struct index_result result = run(rows.index, &grid);
    for (size_t i = 1; i < result.n_values; i++)
        assert_true(!result.values[i].value || result.values[i - 1].number < result.values[i].number);
    index_result_clear(&result);
    grid.facet_limit = 2; /* the two with most rows, still in their order */
    result = run(rows.index, &grid);
    assert_int_equal(result.n_values, 2);
    assert_true(result.n_distinct > 2);
    assert_true(result.values[0].number < result.values[1].number);
    index_result_clear(&result);
    rows_clear(&rows);
}

static const struct query_place *place_named(const struct index_result *result, const char *name) {
    for (size_t i = 0; i < result->n_values; i++)
        if (str_equal(result->values[i].value, name))
            return &result->values[i];
    return NULL;
}

/* A row is at the place of each condition that it fulfils, and those without any are told too. */
static void conditions_have_the_rows_that_their_filters_find(void **state) {
    static const char *const NAMES[] = {"dispute", "refund", "unknown"};
    struct dice dice = {34};
    struct rows rows = {.index = index_new()};
    struct query_context context = rows_context();
    struct index_condition conditions[COUNT_OF(NAMES)];
    struct query_plan *plans[COUNT_OF(NAMES)];
    size_t most = 0;
    (void)state;
    for (int i = 0; i < 3000; i++)
        rows_put(&rows, &dice, (int64_t)i, false);
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        char filter[64];
        (void)snprintf(filter, sizeof filter, "has:%s", NAMES[i]);
        struct query *query = must_parse(filter);
        plans[i] = query_plan_new(query, &context);
        conditions[i] = (struct index_condition){NAMES[i], plans[i]};
        query_free(query);
    }
    struct index_query grid = everything();
    grid.facet = QUERY_HAS_FIELD;
    grid.conditions = conditions;
    grid.n_conditions = COUNT_OF(NAMES);
    struct index_result counted = run(rows.index, &grid);
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        struct index_query one = everything();
        one.plan = plans[i];
        struct index_result found = run(rows.index, &one);
        const struct query_place *place = place_named(&counted, NAMES[i]);
        assert_int_equal(place ? place->rows : 0, found.n);
        most += found.n;
        index_result_clear(&found);
        query_plan_free(plans[i]);
    }
    assert_true(most > 0 && place_named(&counted, NULL) && place_named(&counted, NULL)->rows + most >= rows.n);
    index_result_clear(&counted);
    rows_clear(&rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_has_the_rows_that_its_filter_finds),
        cmocka_unit_test(a_day_of_25_hours_has_them),
        cmocka_unit_test(a_day_of_23_hours_has_them),
        cmocka_unit_test(an_hour_that_clocks_cut_is_as_long_as_it_was),
        cmocka_unit_test(an_earlier_period_ends_at_the_same_time_of_day),
        cmocka_unit_test(conditions_have_the_rows_that_their_filters_find),
        cmocka_unit_test(bands_are_whole_and_in_order),
        cmocka_unit_test(only_the_newest_times_are_given_where_so_many_are_wanted),
        cmocka_unit_test(the_most_frequent_of_many_are_those_of_all),
        cmocka_unit_test(what_has_an_order_keeps_it_and_the_rest_goes_by_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
