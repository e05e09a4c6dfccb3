#include "grid.h"

#include <stdlib.h>
#include <string.h>

/* Codes become names, the most frequent first or in the order of their axis, and cells get the numbers of their places.
 */

struct report {
    const struct grid *grid;
    const struct grid_axis *axis;
    uint32_t *currencies; /* by code: the spelling that most rows of its group have */
    struct index_result *out;
};

struct report_place {
    uint32_t code;
    struct query_place place;
};

struct report_places {
    struct report_place *items;
    size_t n;
};

static int by_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) : (a == NULL) - (b == NULL);
}

static int place_by_code(const void *a, const void *b) {
    uint32_t x = ((const struct report_place *)a)->code, y = ((const struct report_place *)b)->code;
    return (x > y) - (x < y);
}

static int place_by_rows(const void *a, const void *b) {
    const struct query_place *x = &((const struct report_place *)a)->place;
    const struct query_place *y = &((const struct report_place *)b)->place;
    return x->rows != y->rows ? (x->rows < y->rows) - (x->rows > y->rows) : by_text(x->value, y->value);
}

static int place_by_order(const void *a, const void *b) {
    const struct query_place *x = &((const struct report_place *)a)->place;
    const struct query_place *y = &((const struct report_place *)b)->place;
    int none = (x->value == NULL) - (y->value == NULL), order = none ? none : by_text(x->currency, y->currency);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* Of each group of codes the one that most rows have, of equal ones the first by its text; by code. */
static uint32_t *best_spellings(const struct dict *dict, const uint32_t *groups, const size_t *rows) {
    uint32_t *best = mem_new_array(dict->n + 1, sizeof *best);
    size_t len;
    for (uint32_t code = 1; code <= dict->n; code++) {
        uint32_t *of = &best[groups[code]];
        bool more = *of == CODE_NONE || rows[code] > rows[*of];
        bool same = !more && rows[code] == rows[*of];
        if (more || (same && strcmp(dict_text(dict, code, &len), dict_text(dict, *of, &len)) < 0))
            *of = code;
    }
    return best;
}

static uint32_t *currency_spellings(const struct grid *grid) {
    const struct dict *dict = &grid->index->dicts[CELLS_CURRENCY];
    size_t *rows = mem_new_array(dict->n + 1, sizeof *rows);
    for (size_t i = 0; i < grid->cells.n; i++)
        rows[grid->cells.items[i].currency] += grid->cells.items[i].rows;
    uint32_t *best = best_spellings(dict, grid->currencies, rows);
    free(rows);
    return best;
}

static const char *report_text(const struct report *report, unsigned column, uint32_t code) {
    size_t len;
    const char *text = dict_text(&report->grid->index->dicts[column], code, &len);
    return text ? arena_dup_n(&report->out->arena, text, len) : NULL;
}

static int64_t number_of(const struct grid_axis *axis, uint32_t code) {
    if (query_axis_is_time(&axis->axis))
        return axis->times.items[code - 1];
    return query_axis_is_band(&axis->axis) ? (int64_t)((code - 1) % BAND_CODES) - QUERY_BAND_MOST : (int64_t)code - 1;
}

static void name_place(const struct report *report, uint32_t code, struct query_place *place) {
    struct query_clock clock = report->axis->clock;
    struct str name;
    if (code == CODE_NONE)
        return;
    place->number = number_of(report->axis, code);
    if (query_axis_is_band(&report->axis->axis))
        place->currency = report_text(report, CELLS_CURRENCY, report->currencies[(code - 1) / BAND_CODES]);
    str_init(&name, PTRDIFF_MAX / 2);
    query_place_name(&report->axis->axis, &clock, place->number, place->currency, &name);
    place->value = arena_dup_n(&report->out->arena, name.s, name.len);
    str_clear(&name);
}

static void name_values(const struct report *report, struct report_places *places) {
    const struct grid_axis *axis = report->axis;
    const struct dict *dict = &report->grid->index->dicts[axis->column];
    uint32_t *best = best_spellings(dict, axis->groups, axis->spelled);
    for (size_t i = 0; i < places->n; i++)
        places->items[i].place.value = report_text(report, axis->column, best[places->items[i].code]);
    free(best);
}

static uint32_t code_on(const struct grid_cell *cell, bool over) {
    return over ? cell->over : cell->by;
}

/* The places that have rows, by code. */
static void places_find(const struct report *report, bool over, struct report_places *places) {
    const struct grid *grid = report->grid;
    places->items = mem_new_array(grid->cells.n + 1, sizeof *places->items);
    for (size_t i = 0; i < grid->cells.n; i++)
        places->items[i] =
            (struct report_place){code_on(&grid->cells.items[i], over), {.rows = grid->cells.items[i].rows}};
    qsort(places->items, grid->cells.n, sizeof *places->items, place_by_code);
    for (size_t i = 0; i < grid->cells.n; i++)
        if (places->n > 0 && places->items[places->n - 1].code == places->items[i].code)
            places->items[places->n - 1].place.rows += places->items[i].place.rows;
        else
            places->items[places->n++] = places->items[i];
    if (report->axis->column < COLUMN_COUNT) {
        name_values(report, places);
        return;
    }
    for (size_t i = 0; i < places->n; i++)
        name_place(report, places->items[i].code, &places->items[i].place);
}

static struct query_place *places_take(const struct report *report, const struct report_places *places) {
    struct query_place *out = arena_new(&report->out->arena, (places->n + 1) * sizeof *out);
    for (size_t i = 0; i < places->n; i++) {
        out[i] = places->items[i].place;
        places->items[i].place.number = (int64_t)i; /* from here on its place in the order */
    }
    qsort(places->items, places->n, sizeof *places->items, place_by_code);
    return out;
}

/* Those with most rows, where not all are wanted. */
static void places_order(const struct report *report, struct report_places *places, size_t limit) {
    qsort(places->items, places->n, sizeof *places->items, place_by_rows);
    places->n = limit > 0 && limit < places->n ? limit : places->n;
    if (query_axis_is_ordered(&report->axis->axis))
        qsort(places->items, places->n, sizeof *places->items, place_by_order);
}

static bool place_of(const struct report_places *places, uint32_t code, size_t *out) {
    struct report_place key = {.code = code};
    const struct report_place *found = bsearch(&key, places->items, places->n, sizeof key, place_by_code);
    *out = found ? (size_t)found->place.number : 0;
    return found;
}

static int cell_by_place(const void *a, const void *b) {
    const struct query_cell *x = a, *y = b;
    if (x->over != y->over)
        return x->over < y->over ? -1 : 1;
    return x->by != y->by ? (x->by < y->by ? -1 : 1) : by_text(x->currency, y->currency);
}

static void report_cells(const struct report *report, const struct report_places *over,
                         const struct report_places *by) {
    const struct grid *grid = report->grid;
    struct index_result *out = report->out;
    out->cells = arena_new(&out->arena, (grid->cells.n + 1) * sizeof *out->cells);
    for (size_t i = 0; i < grid->cells.n; i++) {
        const struct grid_cell *from = &grid->cells.items[i];
        struct query_cell *cell = &out->cells[out->n_cells];
        bool overflow = from->sum > INT64_MAX || from->sum < INT64_MIN;
        if (!place_of(over, from->over, &cell->over) || !place_of(by, from->by, &cell->by))
            continue;
        cell->currency = report_text(report, CELLS_CURRENCY, from->currency);
        cell->sum = overflow ? 0 : (int64_t)from->sum;
        cell->overflow = overflow;
        cell->rows = from->rows;
        cell->without = from->without;
        out->n_cells++;
    }
    qsort(out->cells, out->n_cells, sizeof *out->cells, cell_by_place);
}

void grid_report(const struct grid *grid, struct index_result *out, size_t limit) {
    if (!grid)
        return;
    struct report report = {.grid = grid, .currencies = currency_spellings(grid), .out = out};
    struct report_places over = {0}, by = {0};
    report.axis = &grid->axes[0];
    places_find(&report, true, &over);
    places_order(&report, &over, 0);
    out->n_overs = over.n;
    out->overs = places_take(&report, &over);
    report.axis = &grid->axes[1];
    places_find(&report, false, &by);
    out->n_distinct = by.n;
    places_order(&report, &by, limit);
    out->n_values = by.n;
    out->values = places_take(&report, &by);
    report_cells(&report, &over, &by);
    free(over.items);
    free(by.items);
    free(report.currencies);
}
