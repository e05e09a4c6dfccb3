#include "grid.h"

#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Counts and sums by places on up to three axes, made in the one pass of a run. While it runs a place is a code; codes
 * become names at its end. Values that no filter can tell apart are one place, so that the filter of a place has the
 * rows that were counted there. */

enum { SLOTS_LEAST = 1024, DIRECT_MOST = 1 << 22, BITS = 64 };

static uint64_t grid_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* ---- Axes ---- */

static unsigned grid_column_of(enum query_field_code field) {
    switch (field) {
    case QUERY_TX_STATUS_FIELD:
        return COLUMN_TX_STATUS;
    case QUERY_TX_TYPE_FIELD:
        return COLUMN_TX_TYPE;
    case QUERY_TX_DATE_FIELD:
        return COLUMN_TX_DATE;
    default:
        return query_field(field)->column < CELLS_TEXT_COUNT ? query_field(field)->column : COLUMN_COUNT;
    }
}

bool index_can_count(enum query_field_code field) {
    if (field == QUERY_FIELD_COUNT || field == QUERY_ID_FIELD)
        return false;
    struct query_axis axis = {QUERY_AXIS_FIELD, field};
    return grid_column_of(field) < COLUMN_COUNT || query_axis_has_several(&axis) || query_axis_is_ordered(&axis);
}

/* Ids are compared byte by byte, dates as times; words and texts apart from case and accents. */
static bool is_compared_folded(enum query_field_code field) {
    return query_field(field)->type == QUERY_WORD || query_field(field)->type == QUERY_TEXT;
}

static uint32_t *grid_groups(const struct dict *dict, bool grouped) {
    uint32_t *groups = mem_new_array(dict->n + 1, sizeof *groups), *first = mem_new_array(dict->n + 1, sizeof *first);
    struct dict folds = {0};
    struct str folded;
    str_init(&folded, PTRDIFF_MAX / 2);
    for (uint32_t code = 1; code <= dict->n; code++) {
        size_t len;
        const char *text = dict_text(dict, code, &len);
        groups[code] = code;
        if (!grouped)
            continue;
        str_reset(&folded);
        utf8_fold(&folded, text, len);
        uint32_t fold = dict_code(&folds, folded.s, folded.len);
        first[fold] = first[fold] ? first[fold] : code;
        groups[code] = first[fold];
    }
    dict_clear(&folds);
    str_clear(&folded);
    free(first);
    return groups;
}

static void grid_axis_init(struct grid_axis *axis, struct index *index, const struct query_axis *of,
                           const struct index_query *query) {
    *axis = (struct grid_axis){.axis = *of, .column = COLUMN_COUNT, .last_number = INT64_MIN};
    axis->clock.zone = query->zone;
    if (of->kind != QUERY_AXIS_FIELD || grid_column_of(of->field) == COLUMN_COUNT)
        return;
    axis->column = grid_column_of(of->field);
    axis->groups = grid_groups(&index->dicts[axis->column], is_compared_folded(of->field));
    axis->spelled = mem_new_array(index->dicts[axis->column].n + 1, sizeof *axis->spelled);
}

static void grid_axis_clear(struct grid_axis *axis) {
    free(axis->groups);
    free(axis->spelled);
    free(axis->times.items);
    free(axis->slots);
}

static struct grid_slot *time_slot(const struct grid_axis *axis, int64_t number) {
    size_t at = grid_mix((uint64_t)number) & (axis->n_slots - 1);
    while (axis->slots[at].code != CODE_NONE && axis->slots[at].number != number)
        at = (at + 1) & (axis->n_slots - 1);
    return &axis->slots[at];
}

static void times_grow(struct grid_axis *axis) {
    if (2 * (axis->times.n + 1) <= axis->n_slots)
        return;
    free(axis->slots);
    axis->n_slots = axis->n_slots ? 2 * axis->n_slots : SLOTS_LEAST;
    axis->slots = mem_new_array(axis->n_slots, sizeof *axis->slots);
    for (size_t i = 0; i < axis->times.n; i++)
        *time_slot(axis, axis->times.items[i]) = (struct grid_slot){axis->times.items[i], (uint32_t)i + 1};
}

static uint32_t code_of_time(struct grid_axis *axis, int64_t number) {
    if (axis->last_code != CODE_NONE && axis->last_number == number)
        return axis->last_code;
    times_grow(axis);
    struct grid_slot *slot = time_slot(axis, number);
    if (slot->code == CODE_NONE) {
        *vec_add(&axis->times) = number;
        *slot = (struct grid_slot){number, (uint32_t)axis->times.n};
    }
    axis->last_number = number;
    return axis->last_code = slot->code;
}

/* An earlier time stands at the place of the one that it is compared with. */
static void code_times(const struct grid *grid, struct grid_axis *axis, const struct block *block,
                       const unsigned char *mask, uint32_t *out) {
    bool hour = axis->axis.field == QUERY_HOUR_FIELD;
    int64_t later = grid->is_earlier ? grid->compared->days : 0;
    int64_t now = grid->is_earlier ? grid->compared->until : grid->now;
    for (size_t i = 0; i < block->n; i++) {
        out[i] = CODE_NONE;
        if (!mask[i] || !(block->flags[i] & CELLS_CREATED_OK))
            continue;
        int64_t ms = numbers_get(&block->numbers[NUMBER_CREATED], i);
        bool bare = block->flags[i] & CELLS_CREATED_BARE;
        if (query_axis_is_time(&axis->axis)) {
            out[i] = code_of_time(axis, query_axis_time(&axis->axis, &axis->clock, ms, bare) + later);
            continue;
        }
        if (axis->axis.field == QUERY_AGE_FIELD) {
            out[i] = 1 + (uint32_t)query_age_band(now - ms);
            continue;
        }
        out[i] = 1 + (uint32_t)(hour ? query_clock_hour(&axis->clock, ms, bare)
                                     : query_clock_weekday(&axis->clock, ms, bare));
    }
}

static void code_bands(const struct grid *grid, const struct grid_axis *axis, const struct block *block,
                       const unsigned char *mask, uint32_t *out) {
    bool amount = axis->axis.field == QUERY_AMOUNT_FIELD;
    const struct numbers *numbers = &block->numbers[amount ? NUMBER_AMOUNT : NUMBER_GUARANTEE];
    unsigned flag = amount ? CELLS_AMOUNT_OK : CELLS_GUARANTEE_OK;
    for (size_t i = 0; i < block->n; i++) {
        out[i] = CODE_NONE;
        if (!mask[i] || !(block->flags[i] & flag))
            continue;
        uint32_t currency = grid->currencies[codes_get(&block->codes[CELLS_CURRENCY], i)];
        uint32_t band = (uint32_t)(query_band(numbers_get(numbers, i)) + QUERY_BAND_MOST);
        out[i] = 1 + currency * BAND_CODES + band;
    }
}

static void code_values(const struct grid_axis *axis, const struct block *block, const unsigned char *mask,
                        uint32_t *out) {
    const struct codes *codes = &block->codes[axis->column];
    for (size_t i = 0; i < block->n; i++) {
        uint32_t code = codes_get(codes, i);
        out[i] = axis->groups[code];
        axis->spelled[code] += mask[i];
    }
}

static void code_axis(struct grid *grid, struct grid_axis *axis, const struct block *block, const unsigned char *mask,
                      uint32_t *out) {
    if (axis->axis.kind == QUERY_AXIS_NONE)
        memset(out, 0, block->n * sizeof *out);
    else if (axis->column < COLUMN_COUNT)
        code_values(axis, block, mask, out);
    else if (query_axis_is_band(&axis->axis))
        code_bands(grid, axis, block, mask, out);
    else
        code_times(grid, axis, block, mask, out);
}

/* ---- Cells ---- */

/* 0: not known before the rows are read. */
static size_t axis_codes(const struct grid_axis *axis, const struct index *index) {
    if (axis->axis.kind == QUERY_AXIS_NONE)
        return 1;
    if (axis->column < COLUMN_COUNT)
        return index->dicts[axis->column].n + 1;
    if (query_axis_is_time(&axis->axis))
        return 0;
    return query_axis_is_band(&axis->axis) ? index->dicts[CELLS_CURRENCY].n * BAND_CODES + BAND_CODES + 1 : BITS + 1;
}

/* Where there are few enough cells, a row finds its own without a hash. */
static void grid_make_direct(struct grid *grid) {
    size_t n = grid->index->dicts[CELLS_CURRENCY].n + 1, steps[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        size_t codes = axis_codes(&grid->axes[axis], grid->index);
        if (codes == 0 || n > DIRECT_MOST / codes)
            return;
        steps[axis] = n;
        n *= codes;
    }
    memcpy(grid->steps, steps, sizeof steps);
    grid->n_slots = n;
    grid->slots = mem_new_array(grid->n_slots, sizeof *grid->slots);
}

static size_t direct_slot(const struct grid *grid, const uint32_t codes[GRID_AXES], uint32_t currency) {
    size_t at = currency;
    for (int axis = 0; axis < GRID_AXES; axis++)
        at += grid->steps[axis] * codes[axis];
    return at;
}

static size_t cell_slot(const struct grid *grid, const uint32_t codes[GRID_AXES], uint32_t currency) {
    if (grid->steps[0])
        return direct_slot(grid, codes, currency);
    uint64_t pair = grid_mix((uint64_t)codes[GRID_OVER] << 32 | codes[GRID_BY]);
    size_t at = grid_mix(pair + ((uint64_t)codes[GRID_SECOND] << 32 | currency)) & (grid->n_slots - 1);
    for (; grid->slots[at] != 0; at = (at + 1) & (grid->n_slots - 1)) {
        const struct grid_cell *cell = &grid->cells.items[grid->slots[at] - 1];
        if (cell->currency == currency && memcmp(cell->codes, codes, sizeof cell->codes) == 0)
            break;
    }
    return at;
}

static void cells_grow(struct grid *grid) {
    if (grid->steps[0] || 2 * (grid->cells.n + 1) <= grid->n_slots)
        return;
    free(grid->slots);
    grid->n_slots = grid->n_slots ? 2 * grid->n_slots : SLOTS_LEAST;
    grid->slots = mem_new_array(grid->n_slots, sizeof *grid->slots);
    for (size_t i = 0; i < grid->cells.n; i++) {
        const struct grid_cell *cell = &grid->cells.items[i];
        grid->slots[cell_slot(grid, cell->codes, cell->currency)] = (uint32_t)i + 1;
    }
}

static size_t cell_new(struct grid *grid, const uint32_t codes[GRID_AXES], uint32_t currency) {
    size_t cap = grid->cells.cap;
    struct grid_cell *cell = vec_add(&grid->cells);
    *cell = (struct grid_cell){.currency = currency};
    memcpy(cell->codes, codes, sizeof cell->codes);
    if (grid->compared && grid->cells.cap != cap) {
        grid->earlier = mem_resize(grid->earlier, grid->cells.cap, sizeof *grid->earlier);
        memset(grid->earlier + cap, 0, (grid->cells.cap - cap) * sizeof *grid->earlier);
    }
    return grid->cells.n;
}

static void count_row(const struct grid *grid, const struct block *block, size_t row, struct grid_counts *counts) {
    unsigned flag = grid->guarantees ? CELLS_GUARANTEE_OK : CELLS_AMOUNT_OK;
    counts->rows++;
    if (block->flags[row] & flag)
        counts->sum += numbers_get(&block->numbers[grid->guarantees ? NUMBER_GUARANTEE : NUMBER_AMOUNT], row);
    else
        counts->without++;
    if (!grid->shares)
        return;
    unsigned share = grid->shares[codes_get(&block->codes[CELLS_STATUS], row)];
    counts->of += share & GRID_OF ? 1 : 0;
    counts->hits += share & GRID_HIT ? 1 : 0;
}

static void add_row(struct grid *grid, const struct block *block, size_t row, uint32_t by) {
    const uint32_t codes[GRID_AXES] = {grid->codes[GRID_OVER][row], by, grid->codes[GRID_SECOND][row]};
    uint32_t currency = codes_get(&block->codes[CELLS_CURRENCY], row);
    cells_grow(grid);
    size_t at = cell_slot(grid, codes, currency);
    if (grid->slots[at] == 0)
        grid->slots[at] = (uint32_t)cell_new(grid, codes, currency);
    size_t cell = grid->slots[at] - 1;
    count_row(grid, block, row, grid->is_earlier ? &grid->earlier[cell] : &grid->cells.items[cell].now);
}

/* A row with several transactions counts once for each value that they have, and one without any as having none. */
static void add_transactions(struct grid *grid, const struct block *block, size_t row) {
    struct grid_axis *by = &grid->axes[GRID_BY];
    const struct codes *codes = &block->codes[by->column];
    size_t from = block->tx_start[row], end = block->tx_start[row + 1];
    if (from == end)
        add_row(grid, block, row, CODE_NONE);
    for (size_t at = from; at < end; at++) {
        uint32_t code = by->groups[codes_get(codes, at)];
        bool again = false;
        by->spelled[codes_get(codes, at)]++;
        for (size_t i = from; i < at && !again; i++)
            again = by->groups[codes_get(codes, i)] == code;
        if (!again)
            add_row(grid, block, row, code);
    }
}

/* Once for each of them, findings or transitions. */
static void add_bits(struct grid *grid, const struct block *block, size_t row, uint64_t bits) {
    if (!bits)
        add_row(grid, block, row, CODE_NONE);
    for (; bits; bits &= bits - 1)
        add_row(grid, block, row, 1 + (uint32_t)__builtin_ctzll(bits));
}

static void fulfil(struct grid *grid, const struct block *block) {
    unsigned char applies[BLOCK_ROWS];
    memset(grid->fulfilled, 0, block->n * sizeof *grid->fulfilled);
    for (size_t bit = 0; bit < grid->n_conditions; bit++) {
        program_evaluate(grid->programs[bit], block, applies);
        for (size_t i = 0; i < block->n; i++)
            grid->fulfilled[i] |= (uint64_t)applies[i] << bit;
    }
}

static void grid_add_several(struct grid *grid, const struct block *block, const unsigned char *mask) {
    enum query_field_code field = grid->axes[GRID_BY].axis.field;
    bool conditions = query_axis_is_condition(&grid->axes[GRID_BY].axis);
    if (conditions)
        fulfil(grid, block);
    for (size_t i = 0; i < block->n; i++) {
        if (!mask[i])
            continue;
        if (field == QUERY_FINDING_FIELD)
            add_bits(grid, block, i, findings_at(grid->index, block, i, grid->now));
        else if (field == QUERY_TRANSITION_FIELD)
            add_bits(grid, block, i, block_transitions(block, i));
        else if (conditions)
            add_bits(grid, block, i, grid->fulfilled[i]);
        else
            add_transactions(grid, block, i);
    }
}

static void grid_add_masked(struct grid *grid, const struct block *block, const unsigned char *mask) {
    code_axis(grid, &grid->axes[GRID_OVER], block, mask, grid->codes[GRID_OVER]);
    code_axis(grid, &grid->axes[GRID_SECOND], block, mask, grid->codes[GRID_SECOND]);
    if (query_axis_has_several(&grid->axes[GRID_BY].axis)) {
        grid_add_several(grid, block, mask);
        return;
    }
    code_axis(grid, &grid->axes[GRID_BY], block, mask, grid->codes[GRID_BY]);
    for (size_t i = 0; i < block->n; i++)
        if (mask[i])
            add_row(grid, block, i, grid->codes[GRID_BY][i]);
}

static void grid_count_codes(const struct grid_axis *by, const struct block *block, const unsigned char *mask) {
    const struct codes *codes = &block->codes[by->column];
    for (size_t i = 0; i < block->n; i++)
        by->spelled[codes_get(codes, i)] += mask[i];
}

void grid_end(struct grid *grid) {
    const struct grid_axis *by = grid ? &grid->axes[GRID_BY] : NULL;
    for (size_t code = 0; grid && grid->unsummed && code <= grid->index->dicts[by->column].n; code++) {
        const uint32_t codes[GRID_AXES] = {CODE_NONE, by->groups[code], CODE_NONE};
        if (by->spelled[code] == 0)
            continue;
        cells_grow(grid);
        size_t at = cell_slot(grid, codes, CODE_NONE);
        if (grid->slots[at] == 0)
            grid->slots[at] = (uint32_t)cell_new(grid, codes, CODE_NONE);
        grid->cells.items[grid->slots[at] - 1].now.rows += (uint32_t)by->spelled[code];
    }
}

void grid_add(struct grid *grid, const struct block *block, const unsigned char *mask) {
    if (!grid)
        return;
    if (grid->unsummed) {
        grid_count_codes(&grid->axes[GRID_BY], block, mask);
        return;
    }
    grid->is_earlier = false;
    for (size_t i = 0; grid->compared && i < block->n; i++) {
        grid->mask[i] = mask[i] && block->flags[i] & CELLS_CREATED_OK;
        grid->undated += mask[i] != grid->mask[i];
    }
    grid_add_masked(grid, block, grid->compared ? grid->mask : mask);
}

size_t grid_add_earlier(struct grid *grid, const struct block *block, const unsigned char *mask) {
    const struct index_earlier *compared = grid->compared;
    size_t n = 0;
    grid->is_earlier = true;
    for (size_t i = 0; i < block->n; i++) {
        int64_t until = block->flags[i] & CELLS_CREATED_BARE ? compared->bare : compared->until;
        bool known = mask[i] && block->flags[i] & CELLS_CREATED_OK;
        grid->mask[i] = known && numbers_get(&block->numbers[NUMBER_CREATED], i) < until;
        n += grid->mask[i];
    }
    grid_add_masked(grid, block, grid->mask);
    return n;
}

static unsigned char *grid_shares(const struct index *index, const struct query_rate *rate) {
    enum { FOLDED_MAX = 1 << 16 };
    const struct dict *dict = &index->dicts[CELLS_STATUS];
    unsigned char *shares = mem_new_array(dict->n + 1, sizeof *shares);
    struct str folded;
    str_init(&folded, FOLDED_MAX);
    for (uint32_t code = 0; code <= dict->n; code++) {
        size_t len;
        const char *text = dict_text(dict, code, &len);
        str_reset(&folded);
        utf8_fold(&folded, text ? text : "", text ? len : 0);
        enum intent_status status = intent_status_of(folded.s);
        if (query_rate_counts(rate->of, status))
            shares[code] = status == rate->status ? GRID_OF | GRID_HIT : GRID_OF;
    }
    str_clear(&folded);
    return shares;
}

struct grid *grid_new(struct index *index, const struct index_query *query) {
    struct query_axis by = {query->facet == QUERY_FIELD_COUNT ? QUERY_AXIS_NONE : QUERY_AXIS_FIELD, query->facet};
    if (by.kind == QUERY_AXIS_NONE && query->over.kind == QUERY_AXIS_NONE && !query->sums)
        return NULL;
    struct grid *grid = mem_new(sizeof *grid);
    grid->index = index;
    grid->now = query->now;
    grid->guarantees = query->guarantees;
    grid->compared = query->earlier;
    grid->shares = query->rate.on ? grid_shares(index, &query->rate) : NULL;
    grid->currencies = grid_groups(&index->dicts[CELLS_CURRENCY], true);
    grid_axis_init(&grid->axes[GRID_OVER], index, &query->over, query);
    grid_axis_init(&grid->axes[GRID_BY], index, &by, query);
    grid_axis_init(&grid->axes[GRID_SECOND], index, &query->second, query);
    grid->conditions = query->conditions;
    for (; grid->n_conditions < query->n_conditions; grid->n_conditions++)
        grid->programs[grid->n_conditions] = program_new(index, query->conditions[grid->n_conditions].plan);
    grid->unsummed = query->unsummed && grid->axes[GRID_BY].column < CELLS_TEXT_COUNT;
    grid_make_direct(grid);
    return grid;
}

void grid_free(struct grid *grid) {
    if (!grid)
        return;
    for (size_t i = 0; i < COUNT_OF(grid->axes); i++)
        grid_axis_clear(&grid->axes[i]);
    for (size_t i = 0; i < grid->n_conditions; i++)
        program_free(grid->programs[i]);
    free(grid->currencies);
    free(grid->shares);
    free(grid->earlier);
    free(grid->cells.items);
    free(grid->slots);
    free(grid);
}
