#include "app/attempts.h"

#include "app/texts.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

static struct attempts *of_gather(struct gather *gather) {
    return (struct attempts *)gather;
}

/* Attempts at one payment are equal in these. */
static const enum query_field_code PAYMENT_FIELDS[] = {QUERY_USER_FIELD, QUERY_DIRECTION_FIELD, QUERY_AMOUNT_FIELD,
                                                       QUERY_CURRENCY_FIELD};

static void attempts_begin(struct gather *gather, const struct query *query) {
    struct attempts *attempts = of_gather(gather);
    attempts->parted = !query_is_of(query, PAYMENT_FIELDS, COUNT_OF(PAYMENT_FIELDS));
    texts_begin(attempts->texts);
    attempts->tries.n = attempts->payments.n = attempts->apart = 0;
}

/* A time that names no zone and is midnight to the millisecond is taken for what it most likely is: a date alone. */
static bool has_time(const struct cells *cells) {
    enum { DAY = 24 * 60 * 60 * 1000 };
    bool dated = cells->flags & CELLS_CREATED_OK, bare = cells->flags & CELLS_CREATED_BARE;
    return dated && !(bare && cells->created_ms % DAY == 0);
}

static bool attempts_has_text(const struct cells *cells, enum cells_text text) {
    return cells->text[text].s && cells->text[text].len > 0;
}

static bool belongs_to_a_payment(const struct cells *cells) {
    return (cells->flags & CELLS_AMOUNT_OK) && has_time(cells) && attempts_has_text(cells, CELLS_USER) &&
           attempts_has_text(cells, CELLS_CURRENCY);
}

static void attempts_take(struct gather *gather, int64_t key, const struct cells *cells) {
    struct attempts *attempts = of_gather(gather);
    if (!belongs_to_a_payment(cells)) {
        attempts->apart++;
        return;
    }
    struct attempt *attempt = vec_add(&attempts->tries);
    *attempt = (struct attempt){.key = key,
                                .created = cells->created_ms,
                                .amount = cells->amount,
                                .bare = cells->flags & CELLS_CREATED_BARE,
                                .user = texts_keep_slice(attempts->texts, cells->text[CELLS_USER]),
                                .direction = texts_keep_slice(attempts->texts, cells->text[CELLS_DIRECTION]),
                                .currency = texts_keep_slice(attempts->texts, cells->text[CELLS_CURRENCY]),
                                .status = texts_keep_slice(attempts->texts, cells->text[CELLS_STATUS]),
                                .decline = texts_keep_slice(attempts->texts, cells->text[CELLS_DECLINE])};
}

/* Equal texts have one address, so that addresses tell groups apart; which group comes first does not matter. */
static int by_address(const char *a, const char *b) {
    return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static int compare_subject(const struct attempt *a, const struct attempt *b) {
    int order = by_address(a->user, b->user);
    order = order ? order : by_address(a->currency, b->currency);
    order = order ? order : by_address(a->direction, b->direction);
    order = order ? order : (a->amount > b->amount) - (a->amount < b->amount);
    return order ? order : a->bare - b->bare;
}

static int compare_attempts(const void *a, const void *b) {
    const struct attempt *x = a, *y = b;
    int order = compare_subject(x, y);
    order = order ? order : (x->created > y->created) - (x->created < y->created);
    return order ? order : (x->key < y->key) - (x->key > y->key); /* a greater key is older */
}

enum payment_end attempts_end_of(const char *status) {
    switch (intent_status_of(status)) {
    case INTENT_APPROVED:
        return PAYMENT_APPROVED;
    case INTENT_DECLINED:
    case INTENT_CANCELED:
        return PAYMENT_FAILED;
    default:
        return PAYMENT_OPEN;
    }
}

/* Times of any year do not overflow where they are subtracted: they are clamped where rows are packed. */
static bool is_next(const struct attempts *attempts, const struct attempt *before, const struct attempt *next) {
    return compare_subject(before, next) == 0 && attempts_end_of(before->status) != PAYMENT_APPROVED &&
           next->created - before->created <= attempts->window;
}

static void add_payments(struct attempts *attempts) {
    const struct attempt *tries = attempts->tries.items;
    for (size_t from = 0, end; from < attempts->tries.n; from = end) {
        for (end = from + 1; end < attempts->tries.n && is_next(attempts, &tries[end - 1], &tries[end]);)
            end++;
        *vec_add(&attempts->payments) = (struct payment){from, end - from, attempts_end_of(tries[end - 1].status)};
    }
}

const struct attempt *attempts_last(const struct attempts *attempts, const struct payment *payment) {
    return &attempts->tries.items[payment->first + payment->n - 1];
}

static int by_last(const void *a, const void *b, void *of) {
    const struct attempt *x = attempts_last(of, a), *y = attempts_last(of, b);
    int order = (x->created < y->created) - (x->created > y->created);
    return order ? order : (x->key > y->key) - (x->key < y->key);
}

static void attempts_end(struct gather *gather) {
    struct attempts *attempts = of_gather(gather);
    if (attempts->tries.n > 1)
        qsort(attempts->tries.items, attempts->tries.n, sizeof *attempts->tries.items, compare_attempts);
    add_payments(attempts);
    if (attempts->payments.n > 1)
        qsort_r(attempts->payments.items, attempts->payments.n, sizeof *attempts->payments.items, by_last, attempts);
}

static void attempts_free(struct gather *gather) {
    struct attempts *attempts = of_gather(gather);
    texts_free(attempts->texts);
    free(attempts->tries.items);
    free(attempts->payments.items);
    free(attempts);
}

const struct gather_kind attempts_kind = {attempts_begin, attempts_take, attempts_end, attempts_free};

struct attempts *attempts_new(int64_t window) {
    struct attempts *attempts = mem_new(sizeof *attempts);
    attempts->gather.kind = &attempts_kind;
    attempts->window = window;
    attempts->texts = texts_new();
    return attempts;
}

struct attempts *attempts_of(const struct lookup_result *answer) {
    return answer ? of_gather(gather_of(answer->gather, &attempts_kind)) : NULL;
}

static bool is_same(const struct attempt *a, const struct attempt *b) {
    return a->created == b->created && a->amount == b->amount && str_equal(a->currency, b->currency) &&
           str_equal(a->direction, b->direction) && str_equal(a->status, b->status);
}

const struct payment *attempts_find(const struct attempts *attempts, const struct attempt *of, size_t *place) {
    for (size_t i = 0; i < attempts->payments.n; i++) {
        const struct payment *payment = &attempts->payments.items[i];
        for (*place = 0; *place < payment->n; ++*place)
            if (is_same(&attempts->tries.items[payment->first + *place], of))
                return payment;
    }
    return NULL;
}
