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
    bool no_amount, bare;
};

static struct cells_slice slice(const char *text) {
    return (struct cells_slice){text, text ? strlen(text) : 0};
}

static void put(struct gather *gather, int64_t key, const struct made *made) {
    unsigned flags = CELLS_CREATED_OK | (made->no_amount ? 0 : CELLS_AMOUNT_OK) | (made->bare ? CELLS_CREATED_BARE : 0);
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
static void gather_through(struct gather *gather, const char *filter, const struct made *made, size_t n) {
    struct query *query = NULL;
    if (filter)
        assert_int_equal(query_parse(filter, &(struct query_options){0}, &query, NULL, NULL), ERR_OK);
    gather->kind->begin(gather, query);
    for (size_t i = n; i > 0; i--)
        put(gather, -(int64_t)(i - 1), &made[i - 1]);
    gather->kind->end(gather);
    query_free(query);
}

static void gather_all(struct gather *gather, const struct made *made, size_t n) {
    gather_through(gather, NULL, made, n);
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
        for (size_t i = 0; i < n; i++) {
            expected.paid -= by[i].paid.sum;
            expected.lost -= by[i].lost.sum;
        }
        assert_int_equal(expected.paid, 0);
        assert_int_equal(expected.lost, 0);
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

static enum clock_zone customer_zone = CLOCK_UTC;

static struct str customer_said(const char *filter, const struct made *made, size_t n) {
    struct customer *customer = customer_new(WINDOW);
    const struct customer_telling telling = {.user = "ann", .zone = customer_zone, .now = 60 * 60 * 1000};
    struct str said;
    gather_through(&customer->gather, filter, made, n);
    gather_through(&customer->gather, filter, made, n); /* a question may be answered again */
    str_init(&said, 1 << 16);
    customer_tell(customer, &telling, keep_line, &said);
    customer_tell_rest(customer, &telling, keep_line, &said);
    gather_free(&customer->gather);
    return said;
}

static void customer_says(const struct made *made, size_t n, const char *text) {
    struct str said = customer_said(NULL, made, n);
    if (!str_starts(said.s, text) || (n == 0 && said.len > 0))
        fail_msg("%s", said.s);
    str_clear(&said);
}

/* One line among those of a customer, or none of this label. */
static void customer_line_is(const char *filter, const struct made *made, size_t n, const char *line) {
    struct str said = customer_said(filter, made, n), lines;
    str_init(&lines, said.len + 2);
    str_addf(&lines, "\n%s", said.s);
    if (!strstr(lines.s, line))
        fail_msg("no %s in %s", line, said.s);
    str_clear(&lines);
    str_clear(&said);
}

static void a_filter_that_hides_attempts_tells_none(void **state) {
    const struct made made[] = {TRY(0, "approved")}, again[] = {TRY(0, "declined"), TRY(1, "declined")};
    static const char *const HIDING[] = {"user=ann status:approved", "user=ann status!=declined", "user=ann card",
                                         "user=ann (amount=5 | created>=2020-01-01)", "user=ann -bank:North"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(HIDING); i++)
        customer_line_is(HIDING[i], made, 1, "\nattempts: not told: the filter hides some; the other lines are of ");
    struct str said = customer_said(HIDING[0], again, 2);
    assert_null(strstr(said.s, "tried again"));
    str_clear(&said);
}

static void a_filter_that_lets_payments_through_whole_tells_them(void **state) {
    const struct made made[] = {TRY(0, "declined"), TRY(1, "approved")};
    static const char *const WHOLE[] = {"user=ann", "user=ann currency:EUR amount>=5", "user=ann -direction:cash_out"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(WHOLE); i++)
        customer_line_is(WHOLE[i], made, 2, "\nattempts: 1 payment: 1 approved after 2 attempts\n");
}

static void what_belongs_to_no_payment_is_told(void **state) {
    struct made made[] = {TRY(0, "declined"), TRY(1, "approved"), TRY(2, "approved")};
    (void)state;
    made[1].no_amount = made[2].no_amount = true;
    customer_line_is(
        NULL, made, 2,
        "\nattempts: 1 payment: 1 not approved; 1 intent without user, amount, currency or time in none\n");
    customer_line_is(NULL, &made[1], 2, "\nattempts: 0 payments; 2 intents without user, amount, currency or time in");
}

static void what_comes_in_and_what_goes_out_are_never_added(void **state) {
    struct made made[] = {TRY(0, "approved"), TRY(1, "approved")};
    struct attempts *attempts = attempts_new(WINDOW);
    struct payment_counts all;
    size_t n;
    (void)state;
    made[1].direction = "cash_out";
    made[0].amount = 300;
    made[1].amount = 700;
    customer_line_is(NULL, made, 2, "\nsums: EUR 300 in, approved 300; EUR 700 out, approved 700\n");
    gather_all(&attempts->gather, made, 2);
    struct payment_counts *by = attempts_count(attempts, &all, &n);
    assert_int_equal(n, 2);
    assert_true(attempts_has_directions(&by->direction, sizeof *by, n));
    assert_string_equal(by[0].direction, "cash_in");
    assert_int_equal(by[0].paid.sum, 300);
    assert_int_equal(by[1].paid.sum, 700);
    free(by);
    gather_free(&attempts->gather);
}

static void of_many_banks_the_most_frequent_are_told(void **state) {
    static const char *const BANKS[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"};
    struct made made[COUNT_OF(BANKS) + 1];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(made); i++) {
        made[i] = (struct made)TRY(i, "approved");
        made[i].bank = BANKS[i < COUNT_OF(BANKS) ? i : COUNT_OF(BANKS) - 1];
    }
    customer_line_is(NULL, made, COUNT_OF(made),
                     "\nbanks: n 2, a 1, b 1, c 1, d 1, e 1, f 1, g 1, h 1, i 1, j 1, k 1, and 2 more\n");
}

static void a_date_alone_is_no_time_of_an_attempt(void **state) {
    struct made made[] = {TRY(0, "declined"), TRY(0, "approved"), TRY(5, "declined"), TRY(6, "approved")};
    (void)state;
    for (int i = 0; i < 4; i++)
        made[i].bare = true;
    customer_line_is(NULL, made, 4, "\nattempts: 1 payment: 1 approved after 2 attempts; 2 intents without user, ");
    customer_line_is(NULL, made, 4, "tried again: ?1970-01-01 00:05:00  EUR 5: 2 attempts, then approved\n");
    made[3].bare = false; /* which hour of the day the other one was is not known */
    customer_line_is(NULL, made, 4, "\nattempts: 2 payments: 1 approved at the first attempt, 1 not approved; 2 ");
}

/* A time without a zone has no age, and what has no age is not so long ago. */
static void only_an_age_is_so_long_ago(void **state) {
    struct made made[] = {TRY(0, "declined"), TRY(5, "approved"), TRY(6, "declined")};
    (void)state;
    customer_zone = CLOCK_AGE;
    customer_line_is(NULL, made, 3, "\nseen: first 1h ago, last 54m ago\n");
    customer_line_is(NULL, made, 2, "\ndeclined: (no reason) 1h ago\n");
    customer_line_is(NULL, made, 2, "tried again: 1h ago  EUR 5: ");
    for (int i = 0; i < 3; i++)
        made[i].bare = true;
    customer_line_is(NULL, made, 3, "\nseen: first ?1970-01-01 00:00:00, last ?1970-01-01 00:06:00\n");
    customer_line_is(NULL, &made[2], 1, "\ndeclined: (no reason) ?1970-01-01\n");
    customer_line_is(NULL, &made[2], 1, "\neach decline: ?1970-01-01 00:06:00  (no reason)\n");
    customer_zone = CLOCK_UTC;
}

static void an_empty_user_is_none(void **state) {
    struct made made[] = {TRY(0, "declined"), TRY(1, "approved")};
    struct attempts *attempts = attempts_new(WINDOW);
    (void)state;
    made[0].user = made[1].user = "";
    made[1].currency = "";
    gather_all(&attempts->gather, made, 2);
    assert_int_equal(attempts->payments.n, 0);
    assert_int_equal(attempts->apart, 2);
    gather_free(&attempts->gather);
    customer_line_is(NULL, made, 2, "\nsums: EUR 5, approved 0; no currency 5, approved 5\n");
}

static void a_rate_of_none_is_no_percentage(void **state) {
    struct str said;
    (void)state;
    str_init(&said, 256);
    attempts_say_rate(0, 0, &said);
    assert_string_equal(said.s, "-");
    str_reset(&said);
    attempts_say_rate(1000, 4000, &said);
    assert_string_equal(said.s, "1,000 of 4,000, 25%");
    str_clear(&said);
}

static void counts_have_their_digits_grouped(void **state) {
    enum { TRIES = 2345 };
    struct made *made = mem_new_array(TRIES, sizeof *made);
    (void)state;
    for (int i = 0; i < TRIES; i++)
        made[i] = (struct made)TRY(i, "declined");
    made[TRIES - 1].status = "approved";
    customer_line_is(NULL, made, TRIES, "\nattempts: 1 payment: 1 approved after 2,345 attempts\n");
    customer_line_is(NULL, made, TRIES, " (2,344 times)\n");
    free(made);
}

static void a_status_that_is_not_known_is_not_said_to_be_open(void **state) {
    const struct made made[] = {TRY(0, "held"), TRY(100, "pending")};
    (void)state;
    customer_line_is(NULL, made, 2, "\nattempts: 2 payments: 2 open or of an unknown status\n");
    customer_line_is(NULL, &made[1], 1, "\nattempts: 1 payment: 1 open\n");
}

static void a_journal_that_cannot_be_read_is_no_user_registered_elsewhere(void **state) {
    struct customer *customer = customer_new(WINDOW);
    const struct customer_telling telling = {
        .user = "ann", .zone = CLOCK_UTC, .registered_fault = "the disk is read-only"};
    struct str said;
    (void)state;
    gather_all(&customer->gather, NULL, 0);
    str_init(&said, 256);
    customer_tell(customer, &telling, keep_line, &said);
    assert_string_equal(said.s, "registered: not known: the disk is read-only\n");
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
                  "attempts: 3 payments: 1 approved after 2 attempts, 1 not approved, 1 open\n"
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
        cmocka_unit_test(a_filter_that_hides_attempts_tells_none),
        cmocka_unit_test(a_filter_that_lets_payments_through_whole_tells_them),
        cmocka_unit_test(what_belongs_to_no_payment_is_told),
        cmocka_unit_test(what_comes_in_and_what_goes_out_are_never_added),
        cmocka_unit_test(of_many_banks_the_most_frequent_are_told),
        cmocka_unit_test(a_date_alone_is_no_time_of_an_attempt),
        cmocka_unit_test(only_an_age_is_so_long_ago),
        cmocka_unit_test(an_empty_user_is_none),
        cmocka_unit_test(a_rate_of_none_is_no_percentage),
        cmocka_unit_test(counts_have_their_digits_grouped),
        cmocka_unit_test(a_status_that_is_not_known_is_not_said_to_be_open),
        cmocka_unit_test(a_journal_that_cannot_be_read_is_no_user_registered_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
