/* How payments ended: counts, rates and sums, and the words for them. */
#include "app/attempts.h"

#include "app/idset.h"
#include "app/texts.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Sums are made in 128 bits, so that the order of the payments decides nothing. */
struct counting {
    struct payment_counts counts;
    __int128 paid, lost;
    size_t n_paid, n_lost;
};

struct countings {
    struct idset *places;
    struct counting *items;
    size_t n, cap;
};

static struct counting *attempts_count_of(struct countings *all, const struct attempt *attempt) {
    size_t at = texts_place_of_pair(all->places, attempt->currency, attempt->direction, all->n);
    if (at == all->n)
        *vec_add(all) = (struct counting){.counts = {.currency = attempt->currency, .direction = attempt->direction}};
    return &all->items[at];
}

static void count_payment(struct payment_counts *counts, const struct payment *payment, const char *status) {
    bool approved = payment->end == PAYMENT_APPROVED;
    counts->payments++;
    counts->tries += payment->n;
    counts->closed += payment->end != PAYMENT_OPEN;
    counts->approved += approved;
    counts->unknown += intent_status_of(status) == INTENT_STATUS_UNKNOWN;
    counts->first += approved && payment->n == 1;
}

static void sum_payment(struct counting *counting, const struct payment *payment, int64_t amount) {
    counting->n_paid += payment->end == PAYMENT_APPROVED;
    counting->paid += payment->end == PAYMENT_APPROVED ? amount : 0;
    counting->n_lost += payment->end == PAYMENT_FAILED;
    counting->lost += payment->end == PAYMENT_FAILED ? amount : 0;
}

static int by_payments(const void *a, const void *b) {
    const struct payment_counts *x = a, *y = b;
    int order = (x->payments < y->payments) - (x->payments > y->payments);
    order = order ? order : strcmp(x->currency, y->currency);
    return order ? order : strcmp(x->direction ? x->direction : "", y->direction ? y->direction : "");
}

static struct payment_counts *counts_of_all(const struct countings *all) {
    struct payment_counts *counts = mem_new_array(all->n + 1, sizeof *counts);
    for (size_t i = 0; i < all->n; i++) {
        const struct counting *from = &all->items[i];
        counts[i] = from->counts;
        counts[i].paid = lookup_total_of(from->counts.currency, from->paid, from->n_paid, 0);
        counts[i].lost = lookup_total_of(from->counts.currency, from->lost, from->n_lost, 0);
    }
    qsort(counts, all->n, sizeof *counts, by_payments);
    return counts;
}

struct payment_counts *attempts_count(const struct attempts *attempts, struct payment_counts *of_all, size_t *n) {
    struct countings all = {.places = idset_new()};
    *of_all = (struct payment_counts){0};
    for (size_t i = 0; i < attempts->payments.n; i++) {
        const struct payment *payment = &attempts->payments.items[i];
        const struct attempt *attempt = attempts_last(attempts, payment);
        struct counting *counting = attempts_count_of(&all, attempt);
        count_payment(of_all, payment, attempt->status);
        count_payment(&counting->counts, payment, attempt->status);
        sum_payment(counting, payment, attempt->amount);
    }
    *n = all.n;
    struct payment_counts *counts = counts_of_all(&all);
    free(all.items);
    idset_free(all.places);
    return counts;
}

struct payment_tries *attempts_by_tries(const struct attempts *attempts, size_t *n) {
    size_t most = 0;
    for (size_t i = 0; i < attempts->payments.n; i++)
        most = attempts->payments.items[i].n > most ? attempts->payments.items[i].n : most;
    struct payment_tries *by = mem_new_array(most + 1, sizeof *by);
    for (size_t i = 0; i < attempts->payments.n; i++) {
        const struct payment *payment = &attempts->payments.items[i];
        by[payment->n].tries = payment->n;
        by[payment->n].payments++;
        by[payment->n].approved += payment->end == PAYMENT_APPROVED;
    }
    *n = 0;
    for (size_t i = 1; i <= most; i++)
        if (by[i].payments > 0)
            by[(*n)++] = by[i];
    return by;
}

unsigned attempts_percent(size_t n, size_t of) {
    enum { ALL = 100 };
    if (n == 0 || of == 0)
        return 0;
    unsigned percent = (unsigned)(((unsigned __int128)n * ALL + of / 2) / of);
    return n < of && percent == ALL ? ALL - 1 : percent == 0 ? 1 : percent;
}

/* ---- Words ---- */

static void attempts_add_count(struct str *out, size_t n, const char *what) {
    money_group_count(out, n);
    str_add(out, what);
}

void attempts_say(const struct attempts *attempts, const struct payment *payment, struct str *out) {
    const char *status = attempts_last(attempts, payment)->status;
    if (payment->end == PAYMENT_APPROVED && payment->n == 1)
        str_add(out, "approved at the first attempt");
    else if (payment->end == PAYMENT_APPROVED)
        attempts_add_count(out, payment->n, " attempts, then approved");
    else if (payment->n == 1)
        str_addf(out, "one attempt, %s", status ? status : "without a status");
    if (payment->end == PAYMENT_APPROVED || payment->n == 1)
        return;
    attempts_add_count(out, payment->n, " attempts, the last ");
    str_add(out, status ? status : "without a status");
}

static void attempts_add_part(struct str *out, size_t n, const char *what) {
    if (n == 0)
        return;
    str_add(out, out->len > 0 && out->s[out->len - 1] != ' ' ? ", " : "");
    attempts_add_count(out, n, " ");
    str_add(out, what);
}

void attempts_say_all(const struct attempts *attempts, struct str *out) {
    struct payment_counts all;
    size_t n;
    free(attempts_count(attempts, &all, &n));
    struct payment_tries *by = attempts_by_tries(attempts, &n);
    attempts_add_count(out, all.payments, " payment");
    str_addf(out, "%s%s", plural_s(all.payments), all.payments > 0 ? ": " : "");
    attempts_add_part(out, all.first, "approved at the first attempt");
    for (size_t i = 0; i < n; i++) {
        struct str after;
        str_init(&after, 64);
        str_add(&after, "approved after ");
        attempts_add_count(&after, by[i].tries, " attempts");
        attempts_add_part(out, by[i].tries > 1 ? by[i].approved : 0, after.s);
        str_clear(&after);
    }
    attempts_add_part(out, all.closed - all.approved, "not approved");
    attempts_add_part(out, all.payments - all.closed, attempts_open_word(&all));
    str_add(out, attempts->apart > 0 ? "; " : "");
    attempts_say_apart(attempts, out);
    free(by);
}

void attempts_say_apart(const struct attempts *attempts, struct str *out) {
    if (attempts->apart == 0)
        return;
    attempts_add_count(out, attempts->apart, " intent");
    str_addf(out, "%s without user, amount, currency or time in none", plural_s(attempts->apart));
}

const char *attempts_open_word(const struct payment_counts *counts) {
    return counts->unknown > 0 ? "open or of an unknown status" : "open";
}

void attempts_say_parted(const struct attempts *attempts, struct str *out) {
    if (attempts->parted)
        str_add(out, "the filter may leave out attempts, as one of a status does: what is told of a payment is told of "
                     "the attempts that are left");
}

void attempts_say_rate(size_t n, size_t of, struct str *out) {
    if (of == 0) {
        str_add_char(out, '-');
        return;
    }
    attempts_add_count(out, n, " of ");
    attempts_add_count(out, of, "");
    str_addf(out, ", %u%%", attempts_percent(n, of));
}

static bool is_usual(const char *direction) {
    return !direction || str_equal(direction, "cash_in");
}

void attempts_say_direction(const char *direction, struct str *out) {
    static const struct { const char *direction, *word; } WORDS[] = {{"cash_in", "in"}, {"cash_out", "out"}};
    const char *word = direction ? direction : "without a direction";
    for (size_t i = 0; i < COUNT_OF(WORDS); i++)
        word = str_equal(direction, WORDS[i].direction) ? WORDS[i].word : word;
    str_addf(out, " %s", word);
}

bool attempts_has_directions(const char *const *direction, size_t size, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *other = *(const char *const *)(const void *)((const char *)direction + i * size);
        if (!is_usual(other) || !str_equal(other, *direction))
            return true;
    }
    return false;
}

void attempts_say_window(const struct attempts *attempts, struct str *out) {
    str_add(out, "attempts at one payment are at most ");
    clock_format_span(out, attempts->window);
    str_add(out, " apart");
}
