#include "match_own.h"

#include "app/idset.h"

#include <stdlib.h>
#include <string.h>

/* Sums are made in 128 bits, so that the order of the rows decides nothing; a million rows cannot go beyond those. */
struct counting {
    struct match *match;
    struct idset *places; /* of totals */
    struct {
        __int128 *items;
        size_t n, cap;
    } sums;
};

/* Texts of one currency are there once, so that their address tells them apart. */
struct total_key {
    const char *currency;
    uint64_t outcome, here;
};

static size_t match_count_place(struct counting *counting, const struct total_key *key) {
    struct match *match = counting->match;
    size_t at = idset_find(counting->places, (const char *)key, sizeof *key);
    if (at < match->totals.n)
        return at;
    (void)idset_put(counting->places, (const char *)key, sizeof *key, match->totals.n);
    *vec_add(&counting->sums) = 0;
    *vec_add(&match->totals) = (struct match_total){
        .outcome = (enum match_outcome)key->outcome, .here = key->here != 0, .currency = key->currency};
    return match->totals.n - 1;
}

static void match_count_add(struct counting *counting, const struct total_key *key, bool has_amount, int64_t amount) {
    size_t at = match_count_place(counting, key);
    struct match_total *total = &counting->match->totals.items[at];
    total->rows++;
    total->without += !has_amount;
    counting->sums.items[at] += has_amount ? amount : 0;
}

static int by_outcome(const void *a, const void *b) {
    const struct match_total *x = a, *y = b;
    if (x->outcome != y->outcome)
        return x->outcome < y->outcome ? -1 : 1;
    if (x->here != y->here)
        return x->here ? 1 : -1;
    if (!x->currency || !y->currency)
        return (x->currency == NULL) - (y->currency == NULL);
    return strcmp(x->currency, y->currency);
}

const struct match_total *match_other_side(const struct match *match, const struct match_total *total) {
    const struct match_total key = {.outcome = total->outcome, .here = !total->here, .currency = total->currency};
    return bsearch(&key, match->totals.items, match->totals.n, sizeof key, by_outcome);
}

static void match_count_rows(struct counting *counting) {
    struct match *match = counting->match;
    for (size_t i = 0; i < match->rows.n; i++) {
        const struct match_row *row = &match->rows.items[i];
        match->n_rows[row->outcome]++;
        match_count_add(counting, &(struct total_key){match_row_currency(match, i), row->outcome, 0}, row->has_amount,
                        row->amount);
    }
    for (size_t i = 0; i < match->intents.n; i++) {
        const struct match_intent *intent = &match->intents.items[i];
        match->n_intents[intent->outcome]++;
        match_count_add(counting, &(struct total_key){intent->currency, intent->outcome, 1}, intent->has_amount,
                        intent->amount);
    }
}

void match_count(struct match *match) {
    struct counting counting = {.match = match, .places = idset_new()};
    match->totals.n = 0;
    memset(match->n_rows, 0, sizeof match->n_rows);
    memset(match->n_intents, 0, sizeof match->n_intents);
    match_count_rows(&counting);
    for (size_t i = 0; i < match->totals.n; i++) {
        __int128 sum = counting.sums.items[i];
        struct match_total *total = &match->totals.items[i];
        total->overflow = sum > INT64_MAX || sum < INT64_MIN;
        total->sum = total->overflow ? 0 : (int64_t)sum;
    }
    if (match->totals.n > 1)
        qsort(match->totals.items, match->totals.n, sizeof *match->totals.items, by_outcome);
    idset_free(counting.places);
    free(counting.sums.items);
}
