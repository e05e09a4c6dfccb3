#ifndef APP_ATTEMPTS_H
#define APP_ATTEMPTS_H
/* Attempts at one payment as one: intents of one user, direction, amount and currency, each created at most a window of
 * time after the one before it, up to one that is approved. What comes after an approved one is another payment. An
 * intent without a user, an amount, a currency or a time belongs to none, and is counted apart; so is one with a date
 * alone. Times that name no zone are compared among themselves. Made of the rows of an answer; pure. */

#include "app/gather.h"
#include "app/lookup.h"
#include "base/mem.h"
#include "model/money.h"

struct texts;

/* Equal texts have one address; NULL: none. */
struct attempt {
    int64_t key, created, amount;
    const char *user, *direction, *currency, *status, *decline;
    bool bare; /* created names no zone */
};

/* How a payment stands by its last attempt: approved; declined or canceled; or created, pending or a word that says
 * nothing of it. */
enum payment_end { PAYMENT_APPROVED, PAYMENT_FAILED, PAYMENT_OPEN };

struct payment {
    size_t first, n; /* its attempts, oldest first */
    enum payment_end end;
};

struct attempts {
    struct gather gather;
    int64_t window; /* ms */
    struct texts *texts;
    struct {
        struct attempt *items;
        size_t n, cap;
    } tries;
    struct {
        struct payment *items;
        size_t n, cap;
    } payments;   /* the one last tried first */
    size_t apart; /* intents that belong to no payment */
    bool parted;  /* the filter may let through a part of a payment's attempts */
};
extern const struct gather_kind attempts_kind;
struct attempts *attempts_new(int64_t window);
struct attempts *attempts_of(const struct lookup_result *answer); /* NULL: none came with it. Borrowed */
enum payment_end attempts_end_of(const char *status);             /* NULL: none */
/* The payment that an intent of these (its key aside) is an attempt at, and which of its attempts; NULL: none. */
const struct payment *attempts_find(const struct attempts *attempts, const struct attempt *of, size_t *place);
const struct attempt *attempts_last(const struct attempts *attempts, const struct payment *payment);

/* How payments ended, of one currency and direction or of all. Those that are open are in no rate: closed is the
 * others. */
struct payment_counts {
    const char *currency, *direction;
    size_t payments, tries;
    size_t unknown;                 /* open by a status that is not known */
    size_t closed, first, approved; /* first: approved at the first attempt; approved: at any */
    struct lookup_total paid, lost; /* each payment once; nothing is summed over currencies or directions */
};
/* Of each currency and direction, most payments first; all of them in *of_all. The caller frees. */
struct payment_counts *attempts_count(const struct attempts *attempts, struct payment_counts *of_all, size_t *n);
/* Payments by the number of their attempts, and how many of those were approved in the end. */
struct payment_tries {
    size_t tries, payments, approved;
};
struct payment_tries *attempts_by_tries(const struct attempts *attempts, size_t *n); /* the caller frees */
/* Whole percents: never 0 where there is one, never 100 where one is missing; of 0: 0. */
unsigned attempts_percent(size_t n, size_t of);

/* `approved at the first attempt`, `3 attempts, then approved`, `2 attempts, the last declined`. */
void attempts_say(const struct attempts *attempts, const struct payment *payment, struct str *out);
/* `9 payments: 6 approved at the first attempt, 2 approved after 2 attempts, 1 not approved`. */
void attempts_say_all(const struct attempts *attempts, struct str *out);
/* `8 intents without user, amount, currency or time in none`; nothing where there is none. */
void attempts_say_apart(const struct attempts *attempts, struct str *out);
/* `open`, or what else those that are not closed may be. */
const char *attempts_open_word(const struct payment_counts *counts);
/* That a filter leaves out attempts; nothing where it does not. */
void attempts_say_parted(const struct attempts *attempts, struct str *out);
/* `12 of 14, 86%`; of none, `-`. */
void attempts_say_rate(size_t n, size_t of, struct str *out);
/* ` in`, ` out`: behind a currency where what is counted has directions besides the one of payments. */
void attempts_say_direction(const char *direction, struct str *out);
/* Whether n > 0 things have such directions: that of the first, each `size` bytes behind the one before. */
bool attempts_has_directions(const char *const *direction, size_t size, size_t n);
/* `within 60 minutes of each other`, what counts as one payment. */
void attempts_say_window(const struct attempts *attempts, struct str *out);

#endif
