#include "app/lookup.h"

#include "app/gather.h"
#include "app/match.h"
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

struct lookup_name lookup_name_of(const char *id, int64_t ms, int64_t key) {
    return (struct lookup_name){mem_dup(id), ms, key};
}

bool lookup_is_walked(int64_t key) {
    return key >= LOOKUP_WALK_KEYS;
}

struct lookup *lookup_new(void) {
    struct lookup *lookup = mem_new(sizeof *lookup);
    for (int i = 0; i < LOOKUP_SORTS; i++)
        lookup->sort[i] = LOOKUP_UNSORTED;
    lookup->facet = QUERY_FIELD_COUNT;
    return lookup;
}

void lookup_free(struct lookup *lookup) {
    if (!lookup)
        return;
    query_free(lookup->query);
    query_free(lookup->find);
    free(lookup->anchor.id);
    free(lookup->after.id);
    for (size_t i = 0; i < lookup->n_marks; i++)
        free(lookup->marks[i].id);
    free(lookup->marks);
    for (size_t i = 0; i < lookup->n_left; i++)
        free(lookup->left[i].id);
    free(lookup->left);
    free(lookup->shown);
    match_free(lookup->match);
    gather_free(lookup->gather);
    notes_free(lookup->notes);
    free(lookup);
}
PAYLOAD_OWNED(lookup, lookup_free);

static void lookup_keys_free(struct lookup_keys *ask) {
    free(ask->keys);
    free(ask);
}
PAYLOAD_OWNED(lookup_keys, lookup_keys_free);

struct walked_rows *walked_rows_new(void) {
    struct walked_rows *rows = mem_new(sizeof *rows);
    str_init(&rows->cells, PTRDIFF_MAX / 2);
    return rows;
}

void walked_rows_free(struct walked_rows *rows) {
    if (rows) {
        free(rows->items);
        str_clear(&rows->cells);
        free(rows);
    }
}
PAYLOAD_OWNED(walked_rows, walked_rows_free);

void lookup_rows_clear(struct lookup_rows *rows) {
    for (size_t i = 0; i < rows->n; i++)
        intent_free(rows->items[i].intent);
    free(rows->items);
    *rows = (struct lookup_rows){0};
}

struct lookup_result *lookup_result_new(void) {
    return mem_new(sizeof(struct lookup_result));
}

void lookup_result_free(struct lookup_result *found) {
    if (!found)
        return;
    arena_clear(&found->arena);
    free(found->keys);
    free(found->gone);
    free(found->listed);
    free(found->hits);
    free(found->last.id);
    lookup_rows_clear(&found->rows);
    match_free(found->match);
    gather_free(found->gather);
    free(found);
}
PAYLOAD_OWNED(lookup_result, lookup_result_free);

void gather_free(struct gather *gather) {
    if (gather)
        gather->kind->free(gather);
}

struct gather *gather_of(struct gather *gather, const struct gather_kind *kind) {
    return gather && gather->kind == kind ? gather : NULL;
}

struct lookup_total lookup_total_of(const char *currency, __int128 sum, size_t rows, size_t without) {
    bool beyond = sum > INT64_MAX || sum < INT64_MIN;
    return (struct lookup_total){
        .currency = currency, .sum = beyond ? 0 : (int64_t)sum, .overflow = beyond, .rows = rows, .without = without};
}

void lookup_sum_text(const struct lookup_total *total, const struct money_rule *rule, struct str *out) {
    if (total->overflow)
        str_add(out, "sum beyond 64 bits");
    else
        money_format(out, total->sum, total->currency, rule);
    if (total->without > 0) {
        str_add(out, " (");
        money_group_count(out, total->without);
        str_add(out, " without)");
    }
}

void lookup_damage(struct coverage *coverage, size_t *damaged, const struct lookup_result *rows) {
    coverage->broke_off = coverage->broke_off || rows->coverage.broke_off;
    coverage->damaged += rows->damaged;
    *damaged += rows->damaged;
}

struct lookup_total lookup_total_of_cell(const struct query_cell *cell) {
    const struct query_counts *now = &cell->now;
    return (struct lookup_total){cell->currency, now->sum, now->overflow, now->rows, now->without, 0};
}

/* The amount field that rows are compared by before they are compared by currency; QUERY_FIELD_COUNT: none. */
static enum query_field_code compared_amount(const struct lookup_sort sort[LOOKUP_SORTS]) {
    for (int i = 0; i < LOOKUP_SORTS && sort[i].field != QUERY_CURRENCY_FIELD; i++)
        if (sort[i].field == QUERY_AMOUNT_FIELD || sort[i].field == QUERY_GUARANTEE_FIELD)
            return sort[i].field;
    return QUERY_FIELD_COUNT;
}

void lookup_order_note(const struct lookup_sort sort[LOOKUP_SORTS], const struct lookup_total *totals, size_t n_totals,
                       bool brief, struct str *out) {
    enum query_field_code field = compared_amount(sort);
    size_t currencies = 0;
    bool without = false;
    for (size_t i = 0; i < n_totals && field != QUERY_FIELD_COUNT; i++) {
        size_t rows = field == QUERY_AMOUNT_FIELD ? totals[i].rows - totals[i].without : totals[i].guaranteed;
        currencies += rows > 0 && totals[i].currency;
        without = without || (rows > 0 && !totals[i].currency);
    }
    if (currencies + without > 1) {
        str_addf(out, "%s over %zu %s%s", brief ? "raw" : "by raw integer", currencies,
                 currencies == 1 ? "currency" : "currencies", without ? " and rows without one" : "");
    }
}

/* The rows of one value, or of all small values together, and the remainder when their share is cut to whole percents.
 */
struct bucket {
    unsigned *percent;
    size_t rest, place;
};

static int by_rest(const void *a, const void *b) {
    const struct bucket *x = a, *y = b;
    return x->rest != y->rest ? (x->rest < y->rest) - (x->rest > y->rest)
                              : (x->place > y->place) - (x->place < y->place);
}

static unsigned put_bucket(struct bucket *bucket, unsigned *percent, size_t rows, size_t of) {
    unsigned __int128 hundredfold = (unsigned __int128)rows * 100;
    *percent = (unsigned)(hundredfold / of);
    bucket->percent = percent;
    bucket->rest = (size_t)(hundredfold % of);
    return *percent;
}

/* What is left of a hundred goes to the largest remainders. */
static void share_rest(struct bucket *buckets, size_t n, unsigned told) {
    qsort(buckets, n, sizeof *buckets, by_rest);
    for (size_t i = 0; i < n && told < 100; i++, told++)
        ++*buckets[i].percent;
    free(buckets);
}

/* Where an intent has several values, shares are of all that are counted. */
static size_t share_base(const struct lookup_result *found) {
    size_t rows = 0;
    for (size_t i = 0; i < found->n_values; i++)
        rows += found->values[i].rows;
    return rows > found->n ? rows : found->n;
}

void lookup_share(struct lookup_result *found) {
    enum { HALF_A_PERCENT = 200 };
    size_t of = share_base(found), small_rows = of, n = 0;
    unsigned told = 0;
    struct bucket *buckets = mem_new_array(found->n_values + 1, sizeof *buckets);
    found->n_small = found->n_distinct;
    found->small_percent = 0;
    for (size_t i = 0; i < found->n_values && of > 0; i++) {
        struct query_place *value = &found->values[i];
        if (value->rows > small_rows || (unsigned __int128)value->rows * HALF_A_PERCENT < of) {
            value->percent = 0;
            continue;
        }
        buckets[n].place = i;
        told += put_bucket(&buckets[n++], &value->percent, value->rows, of);
        small_rows -= value->rows;
        found->n_small--;
    }
    if (of > 0) {
        buckets[n].place = found->n_values;
        told += put_bucket(&buckets[n++], &found->small_percent, small_rows, of);
    }
    share_rest(buckets, n, told);
}

void lookup_percents(const size_t *counts, size_t n, unsigned *out) {
    struct bucket *buckets = mem_new_array(n + 1, sizeof *buckets);
    size_t of = 0;
    unsigned told = 0;
    for (size_t i = 0; i < n; i++)
        of += counts[i];
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        buckets[i].place = i;
        told += of > 0 ? put_bucket(&buckets[i], &out[i], counts[i], of) : 0;
    }
    share_rest(buckets, of > 0 ? n : 0, told);
}

void lookup_doubt(struct lookup_result *found, const struct query_doubt *doubt) {
    struct str text;
    str_init(&text, 2 * QUERY_TEXT_MAX);
    query_doubt_say(doubt, found->rows_scanned, &text);
    found->doubt = arena_dup_n(&found->arena, text.s, text.len);
    str_clear(&text);
}
