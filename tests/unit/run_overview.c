/* Every bar of every picture of the overview, over random rows, filters, zones and spans: its filter has just as many
 * rows as the bar counts. The rows are counted by the index, once by axes and once by that filter alone. */
#include "unit/index_make.h"

#include "panes/overview/overview.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROUNDS = 60, COLUMNS_MOST = 60, CURRENCIES_MOST = 3 };

/* Clocks of Central Europe in 2026, and of a place where they differ by half an hour. */
static int europe(int64_t utc) {
    return utc >= INT64_C(1774746000000) && utc < INT64_C(1792890000000) ? 120 : 60;
}

static int half_hour(int64_t utc) {
    (void)utc;
    return -210;
}

struct world {
    struct rows rows;
    struct dice dice;
    struct overview overview;
    struct query_context context;
    struct query *query;
    size_t bars[PICTURES]; /* that were opened */
};

static struct index_result run(struct world *world, const struct query *query, struct index_query *asked) {
    struct index_result result;
    struct error error = {0};
    struct query_plan *plan = query_plan_new(query, &world->context);
    asked->plan = plan;
    asked->counts = true;
    if (index_run(world->rows.index, asked, &result, &error) != ERR_OK)
        fail_msg("%s", error.text);
    query_plan_free(plan);
    return result;
}

static void count_picture(struct world *world, size_t i) {
    struct query_axis over, by;
    struct index_query asked = everything();
    picture_axes(&world->overview, i, &over, &by);
    asked.over = over;
    asked.facet = by.field;
    asked.facet_limit = PICTURE_INFO[i].limit;
    asked.zone = world->context.zone;
    asked.now = world->context.now;
    struct index_result result = run(world, world->query, &asked);
    struct lookup_result *found = lookup_result_new();
    found->n = result.n;
    found->overs = result.overs;
    found->n_overs = result.n_overs;
    found->values = result.values;
    found->n_values = result.n_values;
    found->n_distinct = result.n_distinct;
    found->cells = result.cells;
    found->n_cells = result.n_cells;
    found->arena = result.arena;
    result.arena = (struct arena){0};
    index_result_clear(&result);
    picture_take(&world->overview, i, found);
}

static void open_bar(struct world *world, size_t i) {
    struct query_clock clock = {.zone = world->context.zone};
    struct query_options options = {.unit = MONEY_MINOR, .console = true};
    struct picture_bar bar;
    struct str terms, text;
    struct query *query;
    struct error error = {0};
    if (!picture_bar(&world->overview, i, &clock, &bar))
        return;
    str_init(&terms, QUERY_TEXT_MAX);
    str_init(&text, QUERY_TEXT_MAX);
    assert_true(picture_terms(&world->overview.pictures[i], &clock, &bar, &terms));
    query_narrow_by(&text, world->query, terms.s, false);
    if (query_parse(text.s, &options, &query, NULL, &error) != ERR_OK)
        fail_msg("%s: %s", text.s, error.text);
    struct index_query asked = everything();
    struct index_result result = run(world, query, &asked);
    if (result.n != bar.rows)
        fail_msg("picture %zu: %zu rows in the list of a bar of %zu: %s", i + 1, result.n, bar.rows, text.s);
    world->bars[i] += bar.rows > 0;
    index_result_clear(&result);
    query_free(query);
    str_clear(&terms);
    str_clear(&text);
}

/* As many as the cursor can be moved to: those of times go on before the oldest. */
static void open_bars(struct world *world, size_t i) {
    struct picture *picture = &world->overview.pictures[i];
    size_t rows = 1, columns = COLUMNS_MOST;
    const struct query_place **places = mem_new_array(PICTURE_PLACES_MOST, sizeof *places);
    if (PICTURE_INFO[i].kind != PICTURE_RATE)
        rows = picture_places(&world->overview, i, false, places, PICTURE_PLACES_MOST);
    if (!picture_is_of_times(i))
        columns = PICTURE_INFO[i].kind == PICTURE_HEAT
                      ? picture_places(&world->overview, i, true, places, PICTURE_PLACES_MOST)
                      : 1;
    free(places);
    for (picture->row = 0; picture->row < rows; picture->row++)
        for (picture->column = 0; picture->column < columns; picture->column++)
            open_bar(world, i);
}

static void open_picture(struct world *world, size_t i) {
    size_t n = CURRENCIES_MOST;
    count_picture(world, i);
    for (world->overview.currency = 0; world->overview.currency < n; world->overview.currency++) {
        n = query_axis_is_band(&world->overview.pictures[i].over) ? picture_currencies(&world->overview.pictures[i])
                                                                  : 1;
        open_bars(world, i);
    }
    picture_clear(&world->overview.pictures[i]);
}

static void set_question(struct world *world) {
    static int (*const zones[])(int64_t) = {NULL, europe, half_hour};
    struct str filter;
    str_init(&filter, QUERY_TEXT_MAX);
    if (!one_in(&world->dice, 3))
        add_filter(&world->dice, &filter, 1);
    query_free(world->query);
    world->query = must_parse(filter.s);
    world->context = rows_context();
    world->context.zone.offset = PICK(&world->dice, zones);
    world->overview.span = (enum query_axis_kind)(QUERY_AXIS_HOUR + below(&world->dice, 3));
    str_clear(&filter);
}

static void every_bar_of_every_picture_has_the_rows_of_its_filter(void **state) {
    struct world world = {.rows = {.index = index_new()}, .dice = {17}};
    (void)state;
    for (int i = 0; i < 200; i++)
        rows_put(&world.rows, &world.dice, (int64_t)i, false);
    for (int round = 0; round < ROUNDS; round++) {
        set_question(&world);
        for (size_t i = 0; i < PICTURES; i++)
            open_picture(&world, i);
    }
    for (size_t i = 0; i < PICTURES; i++)
        assert_true(world.bars[i] > 100);
    query_free(world.query);
    rows_clear(&world.rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bar_of_every_picture_has_the_rows_of_its_filter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
