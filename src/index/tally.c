#include "block.h"

#include <stdlib.h>
#include <string.h>

/* Sums made during a run, by the code of the currency; codes become names only at its end. */

struct sum {
    __int128 sum;
    size_t rows, without, guaranteed;
};

struct tally {
    struct index *index;
    struct sum *sums; /* by currency code; NULL: not asked for */
};

struct tally *tally_new(struct index *index, bool totals) {
    struct tally *tally = mem_new(sizeof *tally);
    tally->index = index;
    if (totals)
        tally->sums = mem_new_array(index->dicts[CELLS_CURRENCY].n + 1, sizeof *tally->sums);
    return tally;
}

void tally_free(struct tally *tally) {
    if (!tally)
        return;
    free(tally->sums);
    free(tally);
}

void tally_add(struct tally *tally, const struct block *block, const unsigned char *mask) {
    const struct numbers *amounts = &block->numbers[NUMBER_AMOUNT];
    for (size_t i = 0; tally->sums && i < block->n; i++) {
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

static const char *tally_name_of(const struct tally *tally, uint32_t code, struct index_result *out) {
    size_t len;
    const char *text = dict_text(&tally->index->dicts[CELLS_CURRENCY], code, &len);
    return text ? arena_dup_n(&out->arena, text, len) : NULL;
}

static int by_currency(const void *a, const void *b) {
    return str_order(((const struct index_total *)a)->currency, ((const struct index_total *)b)->currency);
}

void tally_report(const struct tally *tally, struct index_result *out) {
    size_t n = tally->sums ? tally->index->dicts[CELLS_CURRENCY].n + 1 : 0;
    out->totals = mem_new_array(n + 1, sizeof *out->totals);
    for (uint32_t code = 0; code < n; code++) {
        const struct sum *sum = &tally->sums[code];
        if (sum->rows == 0)
            continue;
        bool overflow = sum->sum > INT64_MAX || sum->sum < INT64_MIN;
        out->totals[out->n_totals++] = (struct index_total){.currency = tally_name_of(tally, code, out),
                                                            .sum = overflow ? 0 : (int64_t)sum->sum,
                                                            .overflow = overflow,
                                                            .rows = sum->rows,
                                                            .without = sum->without,
                                                            .guaranteed = sum->guaranteed};
    }
    qsort(out->totals, out->n_totals, sizeof *out->totals, by_currency);
}
