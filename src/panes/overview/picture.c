#include "panes/overview/overview.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 200, BARS_MOST = 50 };

#define NO_FIELD QUERY_FIELD_COUNT
const struct picture_info PICTURE_INFO[PICTURES] = {
    {"Intents by status", PICTURE_TIMES, NO_FIELD, QUERY_STATUS_FIELD, PLACES_MOST, false},
    {"Approval rate", PICTURE_RATE, NO_FIELD, QUERY_STATUS_FIELD, 0, false},
    {"Decline categories", PICTURE_BARS, NO_FIELD, QUERY_DECLINE_FIELD, PLACES_MOST, true},
    {"Amounts of each currency", PICTURE_BARS, NO_FIELD, QUERY_AMOUNT_FIELD, 0, false},
    {"Guarantee against amount", PICTURE_HEAT, QUERY_AMOUNT_FIELD, QUERY_GUARANTEE_FIELD, 0, false},
    {"Top banks", PICTURE_BARS, NO_FIELD, QUERY_BANK_FIELD, BARS_MOST, false},
    {"Top users", PICTURE_BARS, NO_FIELD, QUERY_USER_FIELD, BARS_MOST, false},
    {"Rail by status", PICTURE_HEAT, QUERY_RAIL_FIELD, QUERY_STATUS_FIELD, PLACES_MOST, false},
    {"Observed changes of status", PICTURE_HEAT, NO_FIELD, QUERY_TRANSITION_FIELD, 0, true},
};

bool picture_is_of_times(size_t i) {
    return PICTURE_INFO[i].kind == PICTURE_TIMES || PICTURE_INFO[i].kind == PICTURE_RATE;
}

void picture_axes(const struct overview *overview, size_t i, struct query_axis *over, struct query_axis *by) {
    *over = (struct query_axis){QUERY_AXIS_NONE, QUERY_FIELD_COUNT};
    if (picture_is_of_times(i))
        over->kind = overview->span;
    else if (PICTURE_INFO[i].over != NO_FIELD)
        *over = (struct query_axis){QUERY_AXIS_FIELD, PICTURE_INFO[i].over};
    *by = (struct query_axis){QUERY_AXIS_FIELD, PICTURE_INFO[i].by};
}

void picture_clear(struct picture *picture) {
    lookup_result_free(picture->found);
    picture->found = NULL;
    picture->late = false;
}

/* A place for each status that a change began or ended with, in the order of the statuses; gives where each stands. */
static size_t spread_places(const struct lookup_result *found, unsigned (*state_of)(unsigned transition),
                            struct query_place *out, size_t at[TRANSITION_STATES]) {
    size_t n = 0;
    for (unsigned state = 0; state < TRANSITION_STATES; state++) {
        size_t rows = 0;
        for (size_t i = 0; i < found->n_values; i++)
            if (found->values[i].value && state_of((unsigned)found->values[i].number) == state)
                rows += found->values[i].rows;
        at[state] = n;
        if (rows > 0)
            out[n++] = (struct query_place){.value = transition_state_name(state), .number = state, .rows = rows};
    }
    return n;
}

static int picture_by_place(const void *a, const void *b) {
    const struct query_cell *x = a, *y = b;
    return x->over != y->over ? (x->over < y->over ? -1 : 1) : (x->by > y->by) - (x->by < y->by);
}

/* Counts of changes as a table: what was before at the left, what came after at the top. */
static void spread_transitions(struct lookup_result *found) {
    struct query_place *overs = arena_new(&found->arena, TRANSITION_STATES * sizeof *overs);
    struct query_place *values = arena_new(&found->arena, TRANSITION_STATES * sizeof *values);
    size_t over_at[TRANSITION_STATES], value_at[TRANSITION_STATES], kept = 0;
    size_t n_overs = spread_places(found, transition_before, overs, over_at);
    size_t n_values = spread_places(found, transition_after, values, value_at);
    for (size_t i = 0; i < found->n_cells; i++) {
        struct query_cell *cell = &found->cells[i];
        const struct query_place *of = &found->values[cell->by];
        if (!of->value)
            continue;
        cell->over = over_at[transition_before((unsigned)of->number)];
        cell->by = value_at[transition_after((unsigned)of->number)];
        found->cells[kept++] = *cell;
    }
    found->n_cells = kept;
    if (kept > 1)
        qsort(found->cells, kept, sizeof *found->cells, picture_by_place);
    found->overs = overs;
    found->n_overs = n_overs;
    found->values = values;
    found->n_values = n_values;
}

void picture_take(struct overview *overview, size_t i, struct lookup_result *found) {
    struct picture *picture = &overview->pictures[i];
    picture_clear(picture);
    picture->found = found;
    picture_axes(overview, i, &picture->over, &picture->by);
    picture->observed = PICTURE_INFO[i].by == QUERY_TRANSITION_FIELD;
    if (picture->observed) {
        picture->over = picture->by = (struct query_axis){QUERY_AXIS_FIELD, QUERY_STATUS_FIELD};
        spread_transitions(found);
    }
}

static bool picture_is_before(const struct query_cell *cell, size_t over, size_t by) {
    return cell->over != over ? cell->over < over : cell->by < by;
}

/* Cells stand in the order of their places. There are at most as many as rows, and of pairs of places far more. */
size_t picture_count(const struct picture *picture, size_t over, size_t by) {
    const struct lookup_result *found = picture->found;
    size_t low = 0, high = found->n_cells, rows = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (picture_is_before(&found->cells[middle], over, by))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < found->n_cells && found->cells[low].over == over && found->cells[low].by == by; low++)
        rows += found->cells[low].now.rows;
    return rows;
}

size_t picture_currencies(const struct picture *picture) {
    const struct query_place *overs = picture->found->overs;
    size_t n = 0;
    for (size_t i = 0; i < picture->found->n_overs; i++)
        n += overs[i].value && (i == 0 || !str_equal(overs[i - 1].currency, overs[i].currency));
    return n;
}

/* Of amounts against guarantees those of one currency: what two currencies have in one band means nothing. */
static const char *picture_currency(const struct overview *overview, const struct picture *picture) {
    const char *currency = NULL;
    size_t n = 0;
    for (size_t i = 0; i < picture->found->n_overs; i++) {
        const struct query_place *place = &picture->found->overs[i];
        if (!place->value || (n > 0 && str_equal(currency, place->currency)))
            continue;
        currency = place->currency;
        if (n++ == overview->currency)
            break;
    }
    return currency;
}

static bool is_shown(const struct overview *overview, size_t i, const struct query_axis *axis,
                     const struct query_place *place, const char *currency) {
    const struct picture *picture = &overview->pictures[i];
    if (!place->value)
        return !PICTURE_INFO[i].present && !(query_axis_is_band(axis) && axis == &picture->over);
    return PICTURE_INFO[i].kind != PICTURE_HEAT || !query_axis_is_band(axis) || str_equal(place->currency, currency);
}

size_t picture_places(const struct overview *overview, size_t i, bool columns, const struct query_place **out,
                      size_t most) {
    const struct picture *picture = &overview->pictures[i];
    const struct lookup_result *found = picture->found;
    bool over = PICTURE_INFO[i].kind == PICTURE_HEAT && !columns;
    const struct query_place *items = over ? found->overs : found->values;
    size_t n = over ? found->n_overs : found->n_values, kept = 0;
    const char *currency = picture_currency(overview, picture);
    for (size_t at = 0; at < n && kept < most; at++)
        if (is_shown(overview, i, over ? &picture->over : &picture->by, &items[at], currency))
            out[kept++] = &items[at];
    return kept;
}

size_t picture_times(const struct picture *picture, struct query_clock *clock, int64_t *out, size_t most) {
    const struct lookup_result *found = picture->found;
    size_t known = found->n_overs, n = 0;
    known -= known > 0 && !found->overs[known - 1].value;
    if (known == 0)
        return 0;
    int64_t at = found->overs[known - 1].number;
    for (; n < most; at = query_axis_next(&picture->over, clock, at, -1))
        out[n++] = at;
    return n;
}

bool picture_find_time(const struct picture *picture, int64_t number, size_t *over) {
    size_t low = 0, high = picture->found->n_overs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct query_place *place = &picture->found->overs[middle];
        if (place->value && place->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    *over = low;
    return low < picture->found->n_overs && picture->found->overs[low].value &&
           picture->found->overs[low].number == number;
}

/* As the filter takes it, whatever its spelling. */
static bool picture_is_status(const struct query_place *place, enum intent_status status) {
    return place->value && str_equal(query_field_named(QUERY_STATUS_FIELD, place->value), intent_status_name(status));
}

void picture_rate(const struct picture *picture, size_t over, struct picture_rate *out) {
    for (size_t by = 0; by < picture->found->n_values; by++) {
        const struct query_place *place = &picture->found->values[by];
        size_t rows = picture_count(picture, over, by);
        size_t *to = picture_is_status(place, INTENT_APPROVED)   ? &out->approved
                     : picture_is_status(place, INTENT_DECLINED) ? &out->declined
                                                                 : &out->left_out;
        *to += rows;
    }
}

static void time_bar(const struct picture *picture, struct query_clock *clock, struct picture_bar *out) {
    int64_t times[PICTURE_TIMES_MOST];
    size_t n = picture_times(picture, clock, times, picture->column + 1), at;
    if (n <= picture->column)
        return;
    if (picture_find_time(picture, times[picture->column], &at)) {
        out->over = &picture->found->overs[at];
        return;
    }
    out->empty = (struct query_place){.value = "", .number = times[picture->column]};
    out->over = &out->empty;
}

static size_t count_bar(const struct picture *picture, const struct picture_bar *bar) {
    const struct lookup_result *found = picture->found;
    if (bar->over == &bar->empty)
        return 0;
    struct picture_rate rate = {0};
    size_t over = bar->over ? (size_t)(bar->over - found->overs) : 0;
    if (bar->decided) {
        picture_rate(picture, over, &rate);
        return rate.approved + rate.declined;
    }
    return picture_count(picture, over, (size_t)(bar->by - found->values));
}

bool picture_bar(const struct overview *overview, size_t i, struct query_clock *clock, struct picture_bar *out) {
    const struct picture *picture = &overview->pictures[i];
    enum picture_kind kind = PICTURE_INFO[i].kind;
    *out = (struct picture_bar){.decided = kind == PICTURE_RATE};
    if (!picture->found || picture->found->n == 0)
        return false;
    const struct query_place **places = mem_new_array(PICTURE_PLACES_MOST, sizeof *places);
    size_t n = picture_places(overview, i, false, places, PICTURE_PLACES_MOST);
    if (picture_is_of_times(i))
        time_bar(picture, clock, out);
    if (kind == PICTURE_HEAT) {
        out->over = picture->row < n ? places[picture->row] : NULL;
        n = picture_places(overview, i, true, places, PICTURE_PLACES_MOST);
        out->by = picture->column < n ? places[picture->column] : NULL;
    } else if (kind != PICTURE_RATE) {
        out->by = picture->row < n ? places[picture->row] : NULL;
    }
    free(places);
    bool there = (kind == PICTURE_BARS || out->over) && (kind == PICTURE_RATE || out->by);
    out->rows = there ? count_bar(picture, out) : 0;
    return there;
}

bool picture_terms(const struct picture *picture, struct query_clock *clock, const struct picture_bar *bar,
                   struct str *out) {
    if (picture->observed) {
        unsigned transition = (unsigned)(bar->over->number * TRANSITION_STATES + bar->by->number);
        str_addf(out, "%s=%s", query_field(QUERY_TRANSITION_FIELD)->name, transition_name(transition));
        return true;
    }
    bool said = !bar->over || query_place_terms(&picture->over, clock, bar->over, out);
    if (bar->over)
        str_add_char(out, ' ');
    if (bar->decided)
        str_addf(out, "status=%s,%s", intent_status_name(INTENT_APPROVED), intent_status_name(INTENT_DECLINED));
    else
        said = said && query_place_terms(&picture->by, clock, bar->by, out);
    return said;
}
