#include "panes/intents/intents.h"

#include "app/attempts.h"
#include "model/finding.h"

#include <stdlib.h>

/* What the transactions of an intent come to, by currency and direction, and how those that are meant to make it up
 * stand to its amount. Exact, and never across currencies or directions. */

enum { LINE_BYTES = 1 << 12, GROUPS_MOST = 8 /* transactions of others are said to be there */ };

struct detail_sums {
    struct detail_sum {
        const char *currency, *direction; /* NULL: none */
        __int128 sum;
        size_t rows, without;
    } * items;
    size_t n, cap, others;
};

/* NULL: there are enough. */
static struct detail_sum *detail_sum_of(struct detail_sums *sums, const char *currency, const char *direction) {
    size_t at = 0;
    while (at < sums->n &&
           !(str_equal(sums->items[at].currency, currency) && str_equal(sums->items[at].direction, direction)))
        at++;
    if (at == GROUPS_MOST)
        return NULL;
    if (at == sums->n)
        *vec_add(sums) = (struct detail_sum){.currency = currency, .direction = direction};
    return &sums->items[at];
}

static void detail_sum_all(const struct intent *intent, struct detail_sums *sums) {
    for (size_t i = 0; i < intent->n_transactions; i++) {
        const struct transaction *transaction = &intent->transactions[i];
        const struct value_number *amount = &transaction->amount;
        const char *currency = amount->currency ? amount->currency : transaction->currency.text;
        struct detail_sum *sum = detail_sum_of(sums, currency, transaction->direction.text);
        if (!sum) {
            sums->others++;
            continue;
        }
        sum->rows++;
        sum->without += amount->state != VALUE_OK;
        sum->sum += amount->state == VALUE_OK ? amount->number : 0;
    }
}

/* By the rule that finds sums that do not add up: which transactions make up an amount is decided in one place. */
static void detail_sum_compare(const struct intent *intent, const struct money_rule *rule, struct str *out) {
    struct finding_sum sum;
    if (!finding_sum(intent, &sum))
        return;
    __int128 apart = sum.sum - intent->amount.number;
    struct lookup_total total = lookup_total_of(intent->currency.text, apart < 0 ? -apart : apart, 1, 0);
    str_add(out, "; settled ones of type intent: ");
    if (apart == 0) {
        str_add(out, "as the amount");
    } else {
        lookup_sum_text(&total, rule, out);
        str_addf(out, " %s than the amount", apart < 0 ? "less" : "more");
    }
}

static void detail_sum_add(const struct detail_sum *sum, const struct money_rule *rule, struct str *out) {
    const struct lookup_total total = lookup_total_of(sum->currency, sum->sum, sum->rows, sum->without);
    str_addf(out, "%s ", sum->currency ? sum->currency : "no currency");
    lookup_sum_text(&total, rule, out);
    if (sum->direction)
        attempts_say_direction(sum->direction, out);
}

void detail_sum(struct shell *shell, const struct intent *intent) {
    const struct money_rule rule = profile_money(shell_profile(shell));
    struct detail_sums sums = {0};
    struct str text;
    detail_sum_all(intent, &sums);
    str_init(&text, LINE_BYTES);
    str_add(&text, "sum ");
    for (size_t i = 0; i < sums.n; i++) {
        str_add(&text, i > 0 ? ", " : "");
        detail_sum_add(&sums.items[i], &rule, &text);
    }
    if (sums.others > 0)
        str_addf(&text, ", and %zu in other currencies or directions", sums.others);
    if (sums.n > 0) {
        detail_sum_compare(intent, &rule, &text);
        detail_add(&intents_of(shell)->detail, NULL, text.s, ROLE_TEXT);
    }
    str_clear(&text);
    free(sums.items);
}
