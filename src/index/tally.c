#include "block.h"

#include <stdlib.h>
#include <string.h>

/* Sums and counts made during a run, by code; codes become names only at its end. */

struct sum {
    __int128 sum;
    size_t rows, without, guaranteed;
};

struct tally {
    struct index *index;
    struct sum *sums; /* by currency code; NULL: not asked for */
    size_t *counts;   /* by code of the column counted; NULL: not asked for */
    size_t *last;     /* by code, the last row counted, for transactions */
    unsigned column;
    size_t n;    /* the greatest code that is counted */
    size_t seen; /* rows before this block, for last */
    bool findings;
    int64_t now;
};

static unsigned column_of(enum query_field_code field) {
    if (field == QUERY_TX_STATUS_FIELD)
        return COLUMN_TX_STATUS;
    if (field == QUERY_TX_TYPE_FIELD)
        return COLUMN_TX_TYPE;
    if (field == QUERY_TX_DATE_FIELD)
        return COLUMN_TX_DATE;
    return query_field(field)->column;
}

bool index_can_count(enum query_field_code field) {
    bool tx = field == QUERY_TX_STATUS_FIELD || field == QUERY_TX_TYPE_FIELD || field == QUERY_TX_DATE_FIELD;
    bool text = field != QUERY_FIELD_COUNT && query_field(field)->column < CELLS_TEXT_COUNT;
    return tx || field == QUERY_FINDING_FIELD || (text && field != QUERY_ID_FIELD);
}

struct tally *tally_new(struct index *index, const struct index_query *query) {
    struct tally *tally = mem_new(sizeof *tally);
    tally->index = index;
    tally->now = query->now;
    tally->findings = query->facet == QUERY_FINDING_FIELD;
    if (query->totals)
        tally->sums = mem_new_array(index->dicts[CELLS_CURRENCY].n + 1, sizeof *tally->sums);
    if (query->facet == QUERY_FIELD_COUNT)
        return tally;
    tally->column = column_of(query->facet);
    tally->n = tally->findings ? FINDING_COUNT : index->dicts[tally->column].n;
    tally->counts = mem_new_array(tally->n + 1, sizeof *tally->counts);
    if (!tally->findings && tally->column >= COLUMN_TX_STATUS)
        tally->last = mem_new_array(tally->n + 1, sizeof *tally->last);
    return tally;
}

void tally_free(struct tally *tally) {
    if (!tally)
        return;
    free(tally->sums);
    free(tally->counts);
    free(tally->last);
    free(tally);
}

static void tally_add_sums(struct tally *tally, const struct block *block, const unsigned char *mask) {
    const struct numbers *amounts = &block->numbers[NUMBER_AMOUNT];
    for (size_t i = 0; i < block->n; i++) {
        if (!mask[i])
            continue;
        struct sum *sum = &tally->sums[codes_get(&block->codes[CELLS_CURRENCY], i)];
        sum->rows++;
        sum->guaranteed += (block->flags[i] & CELLS_GUARANTEE_OK) != 0;
        if (block->flags[i] & CELLS_AMOUNT_OK)
            sum->sum += numbers_get(amounts, i);
        else
            sum->without++;
    }
}

static void tally_add_counts(const struct codes *codes, size_t n, const unsigned char *mask, size_t *counts) {
    for (size_t i = 0; i < n; i++)
        counts[codes_get(codes, i)] += mask[i];
}

/* A row with several transactions counts once for each value. */
static void tally_add_transactions(struct tally *tally, const struct block *block, const unsigned char *mask) {
    const struct codes *codes = &block->codes[tally->column];
    for (size_t i = 0; i < block->n; i++) {
        size_t row = tally->seen + i + 1;
        for (size_t at = block->tx_start[i]; mask[i] && at < block->tx_start[i + 1]; at++) {
            uint32_t code = codes_get(codes, at);
            tally->counts[code] += tally->last[code] != row;
            tally->last[code] = row;
        }
        tally->counts[0] += mask[i] && block->tx_start[i] == block->tx_start[i + 1];
    }
    tally->seen += block->n;
}

/* A row with several findings counts once for each. */
static void tally_add_findings(struct tally *tally, const struct block *block, const unsigned char *mask) {
    for (size_t i = 0; i < block->n; i++) {
        unsigned found = mask[i] ? findings_at(tally->index, block, i, tally->now) : 0;
        tally->counts[0] += mask[i] && !found;
        for (; found; found &= found - 1)
            tally->counts[1 + (unsigned)__builtin_ctz(found)]++;
    }
}

void tally_add(struct tally *tally, const struct block *block, const unsigned char *mask) {
    if (tally->sums)
        tally_add_sums(tally, block, mask);
    if (tally->findings)
        tally_add_findings(tally, block, mask);
    else if (tally->counts && !tally->last)
        tally_add_counts(&block->codes[tally->column], block->n, mask, tally->counts);
    if (tally->counts && tally->last)
        tally_add_transactions(tally, block, mask);
}

static const char *tally_name_of(const struct tally *tally, unsigned column, uint32_t code, struct index_result *out) {
    size_t len;
    const char *text = dict_text(&tally->index->dicts[column], code, &len);
    return text ? arena_dup_n(&out->arena, text, len) : NULL;
}

/* Of what is counted; NULL: rows without it. */
static const char *tally_value(const struct tally *tally, size_t code) {
    size_t len;
    if (tally->findings)
        return code > 0 ? finding_rule((enum finding)(code - 1))->name : NULL;
    return dict_text(&tally->index->dicts[tally->column], (uint32_t)code, &len);
}

static int by_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) : (a == NULL) - (b == NULL);
}

static int by_currency(const void *a, const void *b) {
    return by_text(((const struct index_total *)a)->currency, ((const struct index_total *)b)->currency);
}

static int by_rows(const void *a, const void *b) {
    const struct index_value *x = a, *y = b;
    return x->rows != y->rows ? (x->rows < y->rows) - (x->rows > y->rows) : by_text(x->value, y->value);
}

static void report_totals(const struct tally *tally, struct index_result *out) {
    size_t n = tally->index->dicts[CELLS_CURRENCY].n + 1;
    out->totals = mem_new_array(n, sizeof *out->totals);
    for (uint32_t code = 0; code < n; code++) {
        const struct sum *sum = &tally->sums[code];
        if (sum->rows == 0)
            continue;
        bool overflow = sum->sum > INT64_MAX || sum->sum < INT64_MIN;
        out->totals[out->n_totals++] = (struct index_total){.currency = tally_name_of(tally, CELLS_CURRENCY, code, out),
                                                            .sum = overflow ? 0 : (int64_t)sum->sum,
                                                            .overflow = overflow,
                                                            .rows = sum->rows,
                                                            .without = sum->without,
                                                            .guaranteed = sum->guaranteed};
    }
    qsort(out->totals, out->n_totals, sizeof *out->totals, by_currency);
}

static int tally_by_number(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x < y) - (x > y);
}

/* The least count that is reported where only the most frequent values are: values with that count can be more than
 * fit. */
static size_t least_count(const struct tally *tally, size_t n, size_t used, size_t limit) {
    if (limit == 0 || used <= limit)
        return 1;
    size_t *counts = mem_new_array(used, sizeof *counts), kept = 0;
    for (size_t i = 0; i < n; i++)
        if (tally->counts[i] > 0)
            counts[kept++] = tally->counts[i];
    qsort(counts, kept, sizeof *counts, tally_by_number);
    size_t least = counts[limit - 1];
    free(counts);
    return least;
}

/* Of those at the least count the first by their text fill it up: codes are numbered by how the index came about. */
static void report_values(const struct tally *tally, struct index_result *out, size_t limit) {
    for (size_t i = 0; i <= tally->n; i++)
        out->n_distinct += tally->counts[i] > 0;
    size_t least = least_count(tally, tally->n + 1, out->n_distinct, limit), found = 0;
    out->values = mem_new_array(out->n_distinct, sizeof *out->values);
    for (size_t code = 0; code <= tally->n; code++)
        if (tally->counts[code] >= least)
            out->values[found++] = (struct index_value){tally_value(tally, code), tally->counts[code]};
    qsort(out->values, found, sizeof *out->values, by_rows);
    out->n_values = limit > 0 && limit < found ? limit : found;
    for (size_t i = 0; i < out->n_values; i++) {
        const char *value = out->values[i].value;
        out->values[i].value = value ? arena_dup_n(&out->arena, value, strlen(value)) : NULL;
    }
}

void tally_report(const struct tally *tally, struct index_result *out, size_t limit) {
    if (tally->sums)
        report_totals(tally, out);
    if (tally->counts)
        report_values(tally, out, limit);
}
