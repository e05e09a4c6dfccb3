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

/* A run of rows in one block: they stand together before the first sort, so that a block is looked up once. */
struct span {
    const struct block *block;
    size_t from, to;
};

static bool next_span(const struct sorter *sorter, struct span *span) {
    span->from = span->to;
    if (span->from >= sorter->n)
        return false;
    uint32_t id = sorter->handles[span->from] >> BLOCK_BITS;
    span->block = sorter->index->blocks[id];
    while (span->to < sorter->n && sorter->handles[span->to] >> BLOCK_BITS == id)
        span->to++;
    return true;
}

/* Rows with a number are sorted; those without one go to the end in the order that they had, since numbers may use all
 * 64 bits and leave no value for "none". */
static void sort_take_numbers(struct sorter *sorter, enum number_column column, unsigned flag) {
    uint32_t *absent = (uint32_t *)sorter->spare;
    size_t kept = 0, gone = 0;
    for (struct span span = {0}; next_span(sorter, &span);) {
        const struct numbers *numbers = &span.block->numbers[column];
        for (size_t i = span.from; i < span.to; i++) {
            uint32_t handle = sorter->handles[i];
            size_t at = handle & (BLOCK_ROWS - 1);
            if (span.block->flags[at] & flag) {
                sorter->handles[kept] = handle;
                sorter->values[kept++] = (uint64_t)numbers_get(numbers, at);
            } else {
                absent[gone++] = handle;
            }
        }
    }
    memcpy(sorter->handles + kept, absent, gone * sizeof *absent);
    sorter->n = kept;
}

/* Distances from the least number, or to the greatest where that is to come first. */
static void value_numbers(struct sorter *sorter, enum number_column column, unsigned flag) {
    int64_t least = INT64_MAX, greatest = INT64_MIN;
    sort_take_numbers(sorter, column, flag);
    for (size_t i = 0; i < sorter->n; i++) {
        int64_t number = (int64_t)sorter->values[i];
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
        found += clock_parse_served(text, len, &dates[found].ms) ? 1 : 0;
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
    for (struct span span = {0}; next_span(sorter, &span);) {
        const struct codes *codes = &span.block->codes[column];
        for (size_t i = span.from; i < span.to; i++) {
            uint32_t rank = ranks[codes_get(codes, sorter->handles[i] & (BLOCK_ROWS - 1))];
            uint64_t value = sorter->by.descending ? greatest - rank : rank;
            sorter->values[i] = rank == 0 ? sorter->top : value;
        }
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

static void sort_apply(struct sorter *sorter, unsigned index_bits) {
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
    sort_apply(sorter, index_bits);
}

/* Values too wide for that are sorted twice, by their low part and then by their high part. */
static void sort_wide(struct sorter *sorter, unsigned index_bits) {
    unsigned room = 64 - index_bits;
    uint64_t *whole = mem_resize(NULL, sorter->n, sizeof *whole), *parts = sorter->values;
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
    sort_apply(sorter, index_bits);
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
    sorter.values = mem_resize(NULL, n, sizeof *sorter.values);
    sorter.spare = mem_resize(NULL, n, sizeof *sorter.spare);
    const struct query_field *field = query_field(by.field);
    if (by.field == QUERY_AMOUNT_FIELD)
        value_numbers(&sorter, NUMBER_AMOUNT, CELLS_AMOUNT_OK);
    else if (by.field == QUERY_GUARANTEE_FIELD)
        value_numbers(&sorter, NUMBER_GUARANTEE, CELLS_GUARANTEE_OK);
    else if (by.field == QUERY_CREATED_FIELD)
        value_numbers(&sorter, NUMBER_CREATED, CELLS_CREATED_OK);
    else if (field->type == QUERY_TIME)
        value_dates(&sorter, field->column);
    else if (by.field != QUERY_ID_FIELD)
        value_codes(&sorter, field->column, field->type == QUERY_ID);
    if (by.field == QUERY_ID_FIELD)
        sort_ids(index, by.descending, handles, n);
    else
        sort_values(&sorter);
    free(sorter.values);
    free(sorter.spare);
}
