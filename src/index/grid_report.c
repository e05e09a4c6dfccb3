#include "grid.h"

#include <stdlib.h>
#include <string.h>

/* Codes become names, the most frequent first or in the order of their axis, and cells get the numbers of their places.
 */

enum { FEW = 1000 /* places that are kept in order while the others go by */ };

struct report {
    const struct grid *grid;
    const struct grid_axis *axis;
    uint32_t *currencies;        /* by code: the spelling that most rows of its group have */
    const char **currency_texts; /* by code, as the result has them; NULL: not copied yet */
    struct index_result *out;
};

struct report_place {
    uint32_t code;
    struct query_place place;
};

struct report_places {
    struct report_place *items;
    size_t n, n_codes;
    size_t *at; /* by code: the place in the result, plus one */
};

static int place_by_rows(const void *a, const void *b) {
    const struct query_place *x = &((const struct report_place *)a)->place;
    const struct query_place *y = &((const struct report_place *)b)->place;
    size_t n = x->rows + x->earlier, m = y->rows + y->earlier;
    return n != m ? (n < m) - (n > m) : str_order(x->value, y->value);
}

static int place_by_order(const void *a, const void *b) {
    const struct query_place *x = &((const struct report_place *)a)->place;
    const struct query_place *y = &((const struct report_place *)b)->place;
    int none = (x->value == NULL) - (y->value == NULL), order = none ? none : str_order(x->currency, y->currency);
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

static size_t rows_earlier(const struct grid *grid, size_t cell) {
    return grid->earlier ? grid->earlier[cell].rows : 0;
}

static uint32_t *currency_spellings(const struct grid *grid) {
    const struct dict *dict = &grid->index->dicts[CELLS_CURRENCY];
    size_t *rows = mem_new_array(dict->n + 1, sizeof *rows);
    for (size_t i = 0; i < grid->cells.n; i++)
        rows[grid->cells.items[i].currency] += grid->cells.items[i].now.rows + rows_earlier(grid, i);
    uint32_t *best = best_spellings(dict, grid->currencies, rows);
    free(rows);
    return best;
}

/* Of the dictionary, which outlives the report but not the result. */
static const char *report_text(const struct report *report, unsigned column, uint32_t code) {
    size_t len;
    return dict_text(&report->grid->index->dicts[column], code, &len);
}

static const char *report_keep(const struct report *report, const char *text) {
    return text ? arena_dup_n(&report->out->arena, text, strlen(text)) : NULL;
}

static int64_t number_of(const struct grid_axis *axis, uint32_t code) {
    if (query_axis_is_time(&axis->axis))
        return axis->times.items[code - 1];
    return query_axis_is_band(&axis->axis) ? (int64_t)((code - 1) % BAND_CODES) - QUERY_BAND_MOST : (int64_t)code - 1;
}

static void name_place(const struct report *report, struct query_place *place) {
    struct query_clock clock = report->axis->clock;
    struct str name;
    if (query_axis_is_condition(&report->axis->axis)) {
        place->value = report_keep(report, report->grid->conditions[place->number].name);
        return;
    }
    str_init(&name, PTRDIFF_MAX / 2);
    query_place_name(&report->axis->axis, &clock, place->number, place->currency, &name);
    place->value = arena_dup_n(&report->out->arena, name.s, name.len);
    str_clear(&name);
}

/* Times, of which there can be very many, are named once it is known which are wanted. */
static void number_place(const struct report *report, uint32_t code, struct query_place *place) {
    if (code == CODE_NONE)
        return;
    place->number = number_of(report->axis, code);
    if (query_axis_is_band(&report->axis->axis))
        place->currency = report_text(report, CELLS_CURRENCY, report->currencies[(code - 1) / BAND_CODES]);
    if (query_axis_is_time(&report->axis->axis))
        place->value = "";
    else
        name_place(report, place);
}

static void name_values(const struct report *report, struct report_places *places) {
    const struct grid_axis *axis = report->axis;
    const struct dict *dict = &report->grid->index->dicts[axis->column];
    uint32_t *best = best_spellings(dict, axis->groups, axis->spelled);
    for (size_t i = 0; i < places->n; i++)
        places->items[i].place.value = report_text(report, axis->column, best[places->items[i].code]);
    free(best);
}

/* The places that have rows, by code. */
static void places_count(const struct grid *grid, int axis, struct report_places *places) {
    for (size_t i = 0; i < grid->cells.n; i++)
        if (grid->cells.items[i].codes[axis] >= places->n_codes)
            places->n_codes = (size_t)grid->cells.items[i].codes[axis] + 1;
    struct report_place *all = mem_new_array(places->n_codes + 1, sizeof *all);
    for (size_t i = 0; i < grid->cells.n; i++) {
        uint32_t code = grid->cells.items[i].codes[axis];
        all[code].code = code;
        all[code].place.rows += grid->cells.items[i].now.rows;
        all[code].place.earlier += rows_earlier(grid, i);
    }
    for (size_t code = 0; code < places->n_codes; code++)
        if (all[code].place.rows + all[code].place.earlier > 0)
            all[places->n++] = all[code];
    places->items = all;
}

static void places_find(const struct report *report, int axis, struct report_places *places) {
    places_count(report->grid, axis, places);
    if (report->axis->column < COLUMN_COUNT) {
        name_values(report, places);
        return;
    }
    for (size_t i = 0; i < places->n; i++)
        number_place(report, places->items[i].code, &places->items[i].place);
}

/* What is kept gets names that the result owns. */
static struct query_place *places_take(const struct report *report, struct report_places *places) {
    struct query_place *out = arena_new(&report->out->arena, (places->n + 1) * sizeof *out);
    places->at = mem_new_array(places->n_codes + 1, sizeof *places->at);
    for (size_t i = 0; i < places->n; i++) {
        out[i] = places->items[i].place;
        out[i].currency = report_keep(report, out[i].currency);
        if (report->axis->column < COLUMN_COUNT)
            out[i].value = report_keep(report, out[i].value);
        else if (out[i].value && query_axis_is_time(&report->axis->axis))
            name_place(report, &out[i]);
        places->at[places->items[i].code] = i + 1;
    }
    return out;
}

/* Those with most rows first; of many only those are put in order that are wanted. */
static void places_best(struct report_places *places, size_t limit) {
    bool few = limit > 0 && limit < FEW && limit < places->n;
    size_t n = few ? limit : places->n;
    qsort(places->items, n, sizeof *places->items, place_by_rows);
    for (size_t i = n; few && i < places->n; i++) {
        struct report_place place = places->items[i];
        size_t at = n;
        for (; at > 0 && place_by_rows(&place, &places->items[at - 1]) < 0; at--)
            if (at < n)
                places->items[at] = places->items[at - 1];
        if (at < n)
            places->items[at] = place;
    }
    places->n = limit > 0 && limit < places->n ? limit : places->n;
}

static void places_order(const struct report *report, struct report_places *places, size_t limit) {
    bool ordered = query_axis_is_ordered(&report->axis->axis);
    if (!ordered || limit > 0)
        places_best(places, limit);
    if (ordered)
        qsort(places->items, places->n, sizeof *places->items, place_by_order);
}

/* The newest times, with the rows that have none. */
static void places_newest(struct report_places *places, size_t limit) {
    size_t known = places->n;
    known -= known > 0 && !places->items[known - 1].place.value;
    if (limit == 0 || known <= limit)
        return;
    places->n -= known - limit;
    memmove(places->items, places->items + (known - limit), places->n * sizeof *places->items);
}

static const char *currency_text(const struct report *report, uint32_t code) {
    if (!report->currency_texts[code])
        report->currency_texts[code] = report_keep(report, report_text(report, CELLS_CURRENCY, code));
    return report->currency_texts[code];
}

static int cell_by_place(const void *a, const void *b) {
    const struct query_cell *x = a, *y = b;
    if (x->over != y->over)
        return x->over < y->over ? -1 : 1;
    if (x->by != y->by)
        return x->by < y->by ? -1 : 1;
    return x->second != y->second ? (x->second < y->second ? -1 : 1) : str_order(x->currency, y->currency);
}

static struct query_counts report_counts(const struct grid_counts *from) {
    bool overflow = from->sum > INT64_MAX || from->sum < INT64_MIN;
    return (struct query_counts){.sum = overflow ? 0 : (int64_t)from->sum,
                                 .overflow = overflow,
                                 .rows = from->rows,
                                 .without = from->without,
                                 .hits = from->hits,
                                 .of = from->of};
}

static bool is_kept(const struct grid_cell *cell, const struct report_places places[GRID_AXES]) {
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (places[axis].at[cell->codes[axis]] == 0)
            return false;
    return true;
}

static void report_cells(const struct report *report, const struct report_places places[GRID_AXES]) {
    const struct grid *grid = report->grid;
    struct index_result *out = report->out;
    size_t kept = 0;
    for (size_t i = 0; i < grid->cells.n; i++)
        kept += is_kept(&grid->cells.items[i], places);
    out->cells = arena_new(&out->arena, (kept + 1) * sizeof *out->cells);
    for (size_t i = 0; i < grid->cells.n; i++) {
        const struct grid_cell *from = &grid->cells.items[i];
        if (!is_kept(from, places))
            continue;
        struct query_cell *cell = &out->cells[out->n_cells++];
        cell->over = places[GRID_OVER].at[from->codes[GRID_OVER]] - 1;
        cell->by = places[GRID_BY].at[from->codes[GRID_BY]] - 1;
        cell->second = places[GRID_SECOND].at[from->codes[GRID_SECOND]] - 1;
        cell->currency = currency_text(report, from->currency);
        cell->now = report_counts(&from->now);
        if (grid->earlier)
            cell->earlier = report_counts(&grid->earlier[i]);
    }
    qsort(out->cells, out->n_cells, sizeof *out->cells, cell_by_place);
}

static void report_places_free(struct report_places *places) {
    free(places->items);
    free(places->at);
}

void grid_report(const struct grid *grid, struct index_result *out, size_t over_limit, size_t limit) {
    if (!grid)
        return;
    struct report report = {.grid = grid, .currencies = currency_spellings(grid), .out = out};
    report.currency_texts = mem_new_array(grid->index->dicts[CELLS_CURRENCY].n + 1, sizeof *report.currency_texts);
    struct report_places places[GRID_AXES] = {0};
    size_t distinct[GRID_AXES];
    struct query_place *taken[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        report.axis = &grid->axes[axis];
        places_find(&report, axis, &places[axis]);
        distinct[axis] = places[axis].n;
        places_order(&report, &places[axis], axis == GRID_BY ? limit : 0);
        if (axis == GRID_OVER)
            places_newest(&places[axis], over_limit);
        taken[axis] = places_take(&report, &places[axis]);
    }
    out->overs = taken[GRID_OVER];
    out->n_overs = places[GRID_OVER].n;
    out->values = taken[GRID_BY];
    out->n_values = places[GRID_BY].n;
    out->n_distinct = distinct[GRID_BY];
    out->seconds = taken[GRID_SECOND];
    out->n_seconds = places[GRID_SECOND].n;
    out->n_undated = grid->undated;
    report_cells(&report, places);
    for (int axis = 0; axis < GRID_AXES; axis++)
        report_places_free(&places[axis]);
    free(report.currency_texts);
    free(report.currencies);
}
