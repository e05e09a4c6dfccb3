#include "block.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

bool index_can_sort(enum query_field_code field) {
    switch (field) {
    case QUERY_AMOUNT_FIELD:
    case QUERY_GUARANTEE_FIELD:
    case QUERY_CREATED_FIELD:
        return true;
    case QUERY_FIELD_COUNT:
        return false;
    default:
        return query_field(field)->column < CELLS_TEXT_COUNT;
    }
}

/* What one sort works on: n rows, each with a number to be sorted by. */
struct sorter {
    struct index *index;
    struct index_sort by;
    uint32_t *handles;
    size_t n;
    uint64_t *values, *spare;
    uint64_t top; /* greatest value */
};

static unsigned bits_for(uint64_t value) {
    return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

static const struct block *block_of(const struct sorter *sorter, size_t i) {
    return sorter->index->blocks[sorter->handles[i] >> BLOCK_BITS];
}

static size_t at_of(const struct sorter *sorter, size_t i) {
    return sorter->handles[i] & (BLOCK_ROWS - 1);
}

static bool has_number(const struct block *block, size_t at, enum number_column column) {
    static const unsigned flags[NUMBER_COUNT] = {
        [NUMBER_CREATED] = CELLS_CREATED_OK,
        [NUMBER_AMOUNT] = CELLS_AMOUNT_OK,
        [NUMBER_GUARANTEE] = CELLS_GUARANTEE_OK,
    };
    return block->flags[at] & flags[column];
}

/* Rows without a number go last in the order they had, out of the sort: a range of all 64 bits leaves them no value. */
static void absent_last(struct sorter *sorter, enum number_column column) {
    uint32_t *absent = (uint32_t *)sorter->spare;
    size_t kept = 0, gone = 0;
    for (size_t i = 0; i < sorter->n; i++) {
        if (has_number(block_of(sorter, i), at_of(sorter, i), column))
            sorter->handles[kept++] = sorter->handles[i];
        else
            absent[gone++] = sorter->handles[i];
    }
    memcpy(sorter->handles + kept, absent, gone * sizeof *absent);
    sorter->n = kept;
}

/* Distances from the least number, or to the greatest where that is to come first. */
static void value_numbers(struct sorter *sorter, enum number_column column) {
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    absent_last(sorter, column);
    for (size_t i = 0; i < sorter->n; i++) {
        int64_t number = numbers_get(&block_of(sorter, i)->numbers[column], at_of(sorter, i));
        sorter->values[i] = (uint64_t)number;
        least = number < least ? number : least;
        greatest = number > greatest ? number : greatest;
    }
    sorter->top = (uint64_t)greatest - (uint64_t)least;
    for (size_t i = 0; i < sorter->n; i++) {
        uint64_t number = sorter->values[i];
        sorter->values[i] = sorter->by.descending ? (uint64_t)greatest - number : number - (uint64_t)least;
    }
}

/* The order of the dates among each other, by code: the text as served does not sort by time in every form. */
struct dated {
    int64_t ms;
    uint32_t code;
};

static int by_date(const void *a, const void *b) {
    const struct dated *x = a, *y = b;
    return (x->ms > y->ms) - (x->ms < y->ms);
}

static uint32_t *date_ranks(const struct dict *dict, uint32_t *n) {
    uint32_t *ranks = mem_new_array(dict->n + 1, sizeof *ranks);
    struct dated *dates = mem_new_array(dict->n, sizeof *dates);
    size_t found = 0;
    for (uint32_t code = 1; code <= dict->n; code++) {
        size_t len;
        const char *text = dict_text(dict, code, &len);
        dates[found].code = code;
        found += clock_parse(text, len, &dates[found].ms) ? 1 : 0;
    }
    qsort(dates, found, sizeof *dates, by_date);
    *n = 0;
    for (size_t i = 0; i < found; i++) {
        *n += i == 0 || dates[i].ms != dates[i - 1].ms ? 1 : 0;
        ranks[dates[i].code] = *n;
    }
    free(dates);
    return ranks;
}

static void value_ranks(struct sorter *sorter, unsigned column, const uint32_t *ranks, uint32_t greatest) {
    sorter->top = (uint64_t)greatest + 1;
    for (size_t i = 0; i < sorter->n; i++) {
        uint32_t rank = ranks[codes_get(&block_of(sorter, i)->codes[column], at_of(sorter, i))];
        uint64_t value = sorter->by.descending ? greatest - rank : rank;
        sorter->values[i] = rank == 0 ? (uint64_t)greatest + 1 : value;
    }
}

static void value_codes(struct sorter *sorter, unsigned column, bool exact) {
    struct dict *dict = &sorter->index->dicts[column];
    value_ranks(sorter, column, dict_ranks(dict, exact), (uint32_t)dict->n);
}

static void value_dates(struct sorter *sorter, unsigned column) {
    uint32_t n, *ranks = date_ranks(&sorter->index->dicts[column], &n);
    value_ranks(sorter, column, ranks, n);
    free(ranks);
}

static void apply(struct sorter *sorter, unsigned index_bits) {
    uint32_t *before = (uint32_t *)sorter->spare;
    memcpy(before, sorter->handles, sorter->n * sizeof *before);
    uint64_t mask = (UINT64_C(1) << index_bits) - 1;
    for (size_t i = 0; i < sorter->n; i++)
        sorter->handles[i] = before[sorter->values[i] & mask];
}

/* Value and place in one number, so that a pass moves eight bytes a row. */
static void sort_packed(struct sorter *sorter, unsigned bits, unsigned index_bits) {
    for (size_t i = 0; i < sorter->n; i++)
        sorter->values[i] = sorter->values[i] << index_bits | i;
    radix_sort(sorter->values, sorter->spare, sorter->n, index_bits, bits);
    apply(sorter, index_bits);
}

/* Values too wide for that are sorted by their low part, then by their high one. */
static void sort_wide(struct sorter *sorter, unsigned index_bits) {
    unsigned room = 64 - index_bits;
    uint64_t *whole = mem_new_array(sorter->n, sizeof *whole), *parts = sorter->values;
    memcpy(whole, parts, sorter->n * sizeof *whole);
    uint64_t place_mask = (UINT64_C(1) << index_bits) - 1, part_mask = (UINT64_C(1) << room) - 1;
    for (size_t i = 0; i < sorter->n; i++)
        parts[i] = (whole[i] & part_mask) << index_bits | i;
    for (unsigned shift = 0; shift < 64; shift += room) {
        for (size_t i = 0; i < sorter->n && shift > 0; i++) {
            size_t place = parts[i] & place_mask;
            parts[i] = (whole[place] >> shift & part_mask) << index_bits | place;
        }
        radix_sort(parts, sorter->spare, sorter->n, index_bits, room);
    }
    free(whole);
    apply(sorter, index_bits);
}

static void sort_values(struct sorter *sorter) {
    if (sorter->n < 2)
        return;
    unsigned index_bits = bits_for(sorter->n - 1);
    unsigned bits = bits_for(sorter->top);
    if (bits + index_bits <= 64)
        sort_packed(sorter, bits, index_bits);
    else
        sort_wide(sorter, index_bits);
}

void sort_handles(struct index *index, struct index_sort by, uint32_t *handles, size_t n) {
    if (n < 2 || by.field == QUERY_FIELD_COUNT)
        return;
    struct sorter sorter = {.index = index, .by = by, .handles = handles, .n = n};
    sorter.values = mem_new_array(n, sizeof *sorter.values);
    sorter.spare = mem_new_array(n, sizeof *sorter.spare);
    const struct query_field *field = query_field(by.field);
    if (by.field == QUERY_AMOUNT_FIELD)
        value_numbers(&sorter, NUMBER_AMOUNT);
    else if (by.field == QUERY_GUARANTEE_FIELD)
        value_numbers(&sorter, NUMBER_GUARANTEE);
    else if (by.field == QUERY_CREATED_FIELD)
        value_numbers(&sorter, NUMBER_CREATED);
    else if (by.field == QUERY_EXPIRES_FIELD)
        value_dates(&sorter, CELLS_EXPIRES);
    else if (by.field != QUERY_ID_FIELD)
        value_codes(&sorter, field->column, field->type == QUERY_ID);
    if (by.field == QUERY_ID_FIELD)
        sort_ids(index, by.descending, handles, n);
    else
        sort_values(&sorter);
    free(sorter.values);
    free(sorter.spare);
}
