/* Attempts as payments, and a customer on one page. Payments are made a second time, from each intent alone: whether
 * another comes before or behind it. */
#include "app/customer.h"
#include "base/clock.h"
#include "base/mem.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MINUTES = 60 * 1000, WINDOW = 60 * MINUTES, MADE = 120, SEEDS = 200 };

struct made {
    const char *user, *direction, *currency, *status, *decline, *bank;
    int64_t amount, created;
    bool no_amount;
};

static struct cells_slice slice(const char *text) {
    return (struct cells_slice){text, text ? strlen(text) : 0};
}

static void put(struct gather *gather, int64_t key, const struct made *made) {
    unsigned flags = CELLS_CREATED_OK | (made->no_amount ? 0 : CELLS_AMOUNT_OK);
    struct cells cells = {
        .created_ms = made->created, .amount = made->amount, .flags = flags, .version = CELLS_VERSION};
    cells.text[CELLS_ID] = slice("int");
    cells.text[CELLS_USER] = slice(made->user);
    cells.text[CELLS_DIRECTION] = slice(made->direction);
    cells.text[CELLS_CURRENCY] = slice(made->currency);
    cells.text[CELLS_STATUS] = slice(made->status);
    cells.text[CELLS_DECLINE] = slice(made->decline);
    cells.text[CELLS_BANK] = slice(made->bank);
    gather->kind->take(gather, key, &cells);
}

/* Newest first, as the index has them; oldest first in `made`. Keys are the places in it, negated. */
static void gather_all(struct gather *gather, const struct made *made, size_t n) {
    gather->kind->begin(gather);
    for (size_t i = n; i > 0; i--)
        put(gather, -(int64_t)(i - 1), &made[i - 1]);
    gather->kind->end(gather);
}

/* ---- A second computation ---- */

static bool same_subject(const struct made *a, const struct made *b) {
    return strcmp(a->user, b->user) == 0 && strcmp(a->currency, b->currency) == 0 &&
           strcmp(a->direction, b->direction) == 0 && a->amount == b->amount;
}

/* The place of the nearest intent of the same subject before or behind; n: there is none. */
static size_t neighbour(const struct made *made, size_t n, size_t of, int step) {
    for (size_t i = of; step > 0 ? i + 1 < n : i > 0;) {
        i = step > 0 ? i + 1 : i - 1;
        if (same_subject(&made[i], &made[of]))
            return i;
    }
    return n;
}

static bool joins(const struct made *before, const struct made *next) {
    return strcmp(before->status, "approved") != 0 && next->created - before->created <= WINDOW;
}

struct expected {
    size_t payments, first, approved, closed;
    long long paid, lost;
};

static void expect_of(const struct made *made, size_t n, struct expected *out) {
    *out = (struct expected){0};
    for (size_t i = 0; i < n; i++) {
        size_t before = neighbour(made, n, i, -1), next = neighbour(made, n, i, 1);
        bool begins = before == n || !joins(&made[before], &made[i]);
        bool ends = next == n || !joins(&made[i], &made[next]);
        bool approved = strcmp(made[i].status, "approved") == 0;
        bool failed = strcmp(made[i].status, "declined") == 0 || strcmp(made[i].status, "canceled") == 0;
        out->payments += begins;
        out->first += begins && approved;
        out->approved += ends && approved;
        out->closed += ends && (approved || failed);
        out->paid += ends && approved ? made[i].amount : 0;
        out->lost += ends && failed ? made[i].amount : 0;
    }
}

static unsigned dice;
static unsigned roll(unsigned sides) {
    dice = dice * 1664525U + 1013904223U;
    return (dice >> 8) % sides;
}

static void make_all(struct made *made) {
    static const char *const USERS[] = {"ann", "bob", "cy"}, *const CURRENCIES[] = {"EUR", "JPY"};
    static const char *const STATUSES[] = {"approved", "declined", "declined", "canceled", "pending", "held"};
    for (int i = 0; i < MADE; i++)
        made[i] = (struct made){.user = USERS[roll(3)],
                                .direction = roll(5) ? "cash_in" : "cash_out",
                                .currency = CURRENCIES[roll(2)],
                                .status = STATUSES[roll(6)],
                                .amount = 100 * (int64_t)roll(2),
                                .created = (int64_t)i * 7 * MINUTES};
}

static void payments_equal_a_second_computation(void **state) {
    struct made made[MADE];
    (void)state;
    for (dice = 1; dice <= SEEDS; dice++) {
        unsigned seed = dice;
        struct expected expected;
        struct payment_counts all;
        size_t n;
        make_all(made);
        expect_of(made, MADE, &expected);
        struct attempts *attempts = attempts_new(WINDOW);
        gather_all(&attempts->gather, made, MADE);
        struct payment_counts *by = attempts_count(attempts, &all, &n);
        assert_int_equal(all.payments, expected.payments);
        assert_int_equal(all.tries, MADE);
        assert_int_equal(all.first, expected.first);
        assert_int_equal(all.approved, expected.approved);
        assert_int_equal(all.closed, expected.closed);
        assert_int_equal(by[0].paid.sum + (n > 1 ? by[1].paid.sum : 0), expected.paid);
        assert_int_equal(by[0].lost.sum + (n > 1 ? by[1].lost.sum : 0), expected.lost);
        free(by);
        gather_free(&attempts->gather);
        dice = seed;
    }
}

/* ---- By example ---- */

#define TRY(minute, word)                                                                        \
    {                                                                                            \
        .user = "ann", .direction = "cash_in", .currency = "EUR", .status = (word), .amount = 5, \
        .created = (int64_t)(minute)*MINUTES                                                     \
    }

static void says(const struct made *made, size_t n, size_t payment, const char *text) {
    struct attempts *attempts = attempts_new(WINDOW);
    struct str said;
    gather_all(&attempts->gather, made, n);
    assert_true(payment < attempts->payments.n);
    str_init(&said, 256);
    attempts_say(attempts, &attempts->payments.items[payment], &said);
    assert_string_equal(said.s, text);
    str_clear(&said);
    gather_free(&attempts->gather);
}

static void three_tries_are_one_payment(void **state) {
    const struct made made[] = {TRY(0, "declined"), TRY(60, "declined"), TRY(61, "approved")};
    (void)state;
    says(made, 3, 0, "3 attempts, then approved");
}

static void what_comes_after_an_approved_one_is_another_payment(void **state) {
    const struct made made[] = {TRY(0, "approved"), TRY(1, "declined")};
    (void)state;
    says(made, 2, 0, "one attempt, declined");
    says(made, 2, 1, "approved at the first attempt");
}

static void beyond_the_window_is_another_payment(void **state) {
    const struct made made[] = {TRY(0, "declined"), TRY(61, "declined"), TRY(62, "canceled")};
    (void)state;
    says(made, 3, 0, "2 attempts, the last canceled");
    says(made, 3, 1, "one attempt, declined");
}

static void a_payout_is_no_attempt_at_a_payment(void **state) {
    struct made made[] = {TRY(0, "declined"), TRY(1, "approved")};
    (void)state;
    made[1].direction = "cash_out";
    says(made, 2, 1, "one attempt, declined");
}

static void an_intent_without_an_amount_belongs_to_none(void **state) {
    struct made made[] = {TRY(0, "declined"), TRY(1, "approved")};
    struct attempts *attempts = attempts_new(WINDOW);
    (void)state;
    made[1].no_amount = true;
    gather_all(&attempts->gather, made, 2);
    assert_int_equal(attempts->payments.n, 1);
    assert_int_equal(attempts->apart, 1);
    gather_free(&attempts->gather);
}

static void a_rate_is_neither_none_nor_all_where_it_is_not(void **state) {
    (void)state;
    assert_int_equal(attempts_percent(999, 1000), 99);
    assert_int_equal(attempts_percent(1, 1000), 1);
    assert_int_equal(attempts_percent(0, 1000), 0);
    assert_int_equal(attempts_percent(3, 3), 100);
    assert_int_equal(attempts_percent(0, 0), 0);
}

/* ---- A customer ---- */

static void keep_line(void *to, const char *label, const char *text) {
    str_addf(to, "%s: %s\n", label, text);
}

static void customer_says(const struct made *made, size_t n, const char *text) {
    struct customer *customer = customer_new(WINDOW);
    const struct customer_telling telling = {.user = "ann", .zone = CLOCK_UTC};
    struct str said;
    gather_all(&customer->gather, made, n);
    gather_all(&customer->gather, made, n); /* a question may be answered again */
    str_init(&said, 1 << 16);
    customer_tell(customer, &telling, keep_line, &said);
    assert_string_equal(said.s, text);
    str_clear(&said);
    gather_free(&customer->gather);
}

static void a_customer_is_told_on_one_page(void **state) {
    struct made made[] = {TRY(0, "declined"), TRY(30, "approved"), TRY(4000, "declined"), TRY(9000, "pending")};
    (void)state;
    made[0].decline = made[2].decline = "risk";
    made[3].currency = "JPY";
    for (int i = 0; i < 4; i++)
        made[i].bank = i < 3 ? "North" : "South";
    customer_says(made, 4,
                  "seen: first 1970-01-01 00:00:00, last 1970-01-07 06:00:00 UTC\n"
                  "status: declined 2, approved 1, pending 1\n"
                  "sums: EUR 15, approved 5; JPY 5, approved 0\n"
                  "attempts: 3 payments: 1 after 2, 1 not approved, 1 open\n"
                  "declined: newest first: risk 1970-01-03 (2 times)\n"
                  "banks: North 3, South 1\n");
}

static void a_sum_beyond_64_bits_is_refused_aloud(void **state) {
    struct made made[] = {TRY(0, "approved"), TRY(1, "approved")};
    (void)state;
    made[0].amount = made[1].amount = INT64_MAX;
    customer_says(made, 2,
                  "seen: first 1970-01-01 00:00:00, last 1970-01-01 00:01:00 UTC\n"
                  "status: approved 2\n"
                  "sums: EUR sum beyond 64 bits, approved sum beyond 64 bits\n"
                  "attempts: 2 payments: 2 approved at the first attempt\n");
}

static void a_customer_without_intents_has_no_line(void **state) {
    (void)state;
    customer_says(NULL, 0, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(payments_equal_a_second_computation),
        cmocka_unit_test(three_tries_are_one_payment),
        cmocka_unit_test(what_comes_after_an_approved_one_is_another_payment),
        cmocka_unit_test(beyond_the_window_is_another_payment),
        cmocka_unit_test(a_payout_is_no_attempt_at_a_payment),
        cmocka_unit_test(an_intent_without_an_amount_belongs_to_none),
        cmocka_unit_test(a_rate_is_neither_none_nor_all_where_it_is_not),
        cmocka_unit_test(a_customer_is_told_on_one_page),
        cmocka_unit_test(a_sum_beyond_64_bits_is_refused_aloud),
        cmocka_unit_test(a_customer_without_intents_has_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
