#include "app/customer.h"

#include "app/idset.h"
#include "app/texts.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

static struct customer *customer_of_gather(struct gather *gather) {
    return (struct customer *)gather;
}

static void customer_begin(struct gather *gather, const struct query *query) {
    struct customer *customer = customer_of_gather(gather);
    attempts_kind.begin(&customer->attempts->gather, query);
    arena_clear(&customer->arena);
    customer->rows = customer->n_newest = 0;
    customer->first = customer->last = (struct customer_time){.ms = CLOCK_NONE};
    idset_reset(customer->statuses.places);
    idset_reset(customer->banks.places);
    idset_reset(customer->sums.places);
    customer->statuses.n = customer->banks.n = customer->sums.n = customer->declines.n = 0;
}

static const char *customer_keep(struct customer *customer, const struct cells *cells, enum cells_text text) {
    return texts_keep_slice(customer->attempts->texts, cells->text[text]);
}

static void count_word(struct customer_words *words, const char *text) {
    size_t at = texts_place(words->places, text, words->n);
    if (at == words->n)
        *vec_add(words) = (struct customer_word){.text = text};
    words->items[at].rows++;
}

static void customer_add_sum(struct lookup_total *total, __int128 *exact, const struct cells *cells) {
    bool has = cells->flags & CELLS_AMOUNT_OK;
    total->rows++;
    total->without += !has;
    *exact += has ? cells->amount : 0;
}

static void count_amount(struct customer *customer, const struct cells *cells, const char *status) {
    const char *currency = customer_keep(customer, cells, CELLS_CURRENCY);
    const char *direction = customer_keep(customer, cells, CELLS_DIRECTION);
    size_t at = texts_place_of_pair(customer->sums.places, currency, direction, customer->sums.n);
    if (at == customer->sums.n)
        *vec_add(&customer->sums) =
            (struct customer_sum){.direction = direction, .all.currency = currency, .approved.currency = currency};
    struct customer_sum *sum = &customer->sums.items[at];
    customer_add_sum(&sum->all, &sum->exact_all, cells);
    if (str_equal(status, "approved"))
        customer_add_sum(&sum->approved, &sum->exact_approved, cells);
}

static void keep_newest(struct customer *customer, int64_t key, const struct cells *cells,
                        struct customer_time created) {
    struct cells_slice id = cells->text[CELLS_ID];
    if (customer->n_newest == CUSTOMER_NEWEST)
        return;
    customer->newest[customer->n_newest++] =
        (struct customer_intent){.key = key,
                                 .created = created,
                                 .id = id.s ? arena_dup_n(&customer->arena, id.s, id.len) : NULL,
                                 .status = customer_keep(customer, cells, CELLS_STATUS),
                                 .currency = customer_keep(customer, cells, CELLS_CURRENCY),
                                 .has_amount = cells->flags & CELLS_AMOUNT_OK,
                                 .amount = cells->amount};
}

static void customer_note_time(struct customer *customer, struct customer_time created) {
    if (created.ms == CLOCK_NONE)
        return;
    if (customer->first.ms == CLOCK_NONE || created.ms < customer->first.ms)
        customer->first = created;
    if (customer->last.ms == CLOCK_NONE || created.ms > customer->last.ms)
        customer->last = created;
}

static void customer_take(struct gather *gather, int64_t key, const struct cells *cells) {
    struct customer *customer = customer_of_gather(gather);
    bool dated = cells->flags & CELLS_CREATED_OK;
    const struct customer_time created = {.ms = dated ? cells->created_ms : CLOCK_NONE,
                                          .bare = cells->flags & CELLS_CREATED_BARE};
    const char *status = customer_keep(customer, cells, CELLS_STATUS);
    const char *reason = customer_keep(customer, cells, CELLS_DECLINE);
    attempts_kind.take(&customer->attempts->gather, key, cells);
    customer->rows++;
    customer_note_time(customer, created);
    count_word(&customer->statuses, status);
    count_word(&customer->banks, customer_keep(customer, cells, CELLS_BANK));
    count_amount(customer, cells, status);
    if (reason || str_equal(status, "declined"))
        *vec_add(&customer->declines) = (struct customer_decline){created, reason};
    keep_newest(customer, key, cells, created);
}

static int by_word_rows(const void *a, const void *b) {
    const struct customer_word *x = a, *y = b;
    int order = (x->rows < y->rows) - (x->rows > y->rows);
    return order ? order : str_order(x->text, y->text);
}

static int by_sum_rows(const void *a, const void *b) {
    const struct customer_sum *x = a, *y = b;
    int order = (x->all.rows < y->all.rows) - (x->all.rows > y->all.rows);
    order = order ? order : str_order(x->all.currency, y->all.currency);
    return order ? order : str_order(x->direction, y->direction);
}

static void finish_total(struct lookup_total *total, __int128 exact) {
    *total = lookup_total_of(total->currency, exact, total->rows, total->without);
}

/* Rows come newest first. */
static void turn_declines(struct customer *customer) {
    struct customer_decline *items = customer->declines.items;
    for (size_t i = 0, j = customer->declines.n; i + 1 < j; i++) {
        struct customer_decline swapped = items[i];
        items[i] = items[--j];
        items[j] = swapped;
    }
}

static void customer_end(struct gather *gather) {
    struct customer *customer = customer_of_gather(gather);
    attempts_kind.end(&customer->attempts->gather);
    turn_declines(customer);
    for (size_t i = 0; i < customer->sums.n; i++) {
        struct customer_sum *sum = &customer->sums.items[i];
        finish_total(&sum->all, sum->exact_all);
        finish_total(&sum->approved, sum->exact_approved);
    }
    if (customer->statuses.n > 1)
        qsort(customer->statuses.items, customer->statuses.n, sizeof *customer->statuses.items, by_word_rows);
    if (customer->banks.n > 1)
        qsort(customer->banks.items, customer->banks.n, sizeof *customer->banks.items, by_word_rows);
    if (customer->sums.n > 1)
        qsort(customer->sums.items, customer->sums.n, sizeof *customer->sums.items, by_sum_rows);
}

static void customer_free(struct gather *gather) {
    struct customer *customer = customer_of_gather(gather);
    gather_free(&customer->attempts->gather);
    arena_clear(&customer->arena);
    idset_free(customer->statuses.places);
    idset_free(customer->banks.places);
    idset_free(customer->sums.places);
    free(customer->statuses.items);
    free(customer->banks.items);
    free(customer->sums.items);
    free(customer->declines.items);
    free(customer);
}

const struct gather_kind customer_kind = {customer_begin, customer_take, customer_end, customer_free};

struct customer *customer_new(int64_t window) {
    struct customer *customer = mem_new(sizeof *customer);
    customer->gather.kind = &customer_kind;
    customer->attempts = attempts_new(window);
    customer->statuses.places = idset_new();
    customer->banks.places = idset_new();
    customer->sums.places = idset_new();
    customer->first = customer->last = (struct customer_time){.ms = CLOCK_NONE};
    return customer;
}

struct customer *customer_of(const struct lookup_result *answer) {
    return answer ? customer_of_gather(gather_of(answer->gather, &customer_kind)) : NULL;
}
