#include "panes/intents/intents.h"

#include <stdlib.h>

/* What the transactions of an intent come to, and how that stands to its amount. Exact, and never across currencies. */

enum { LINE_BYTES = 1 << 12, CURRENCIES_MOST = 8 /* transactions of others are said to be there */ };

struct detail_sums {
    struct detail_sum {
        const char *currency; /* NULL: none */
        __int128 sum;
        size_t rows, without;
    } * items;
    size_t n, cap, others;
};

/* NULL: there are enough. */
static struct detail_sum *detail_sum_of(struct detail_sums *sums, const char *currency) {
    size_t at = 0;
    while (at < sums->n && !str_equal(sums->items[at].currency, currency))
        at++;
    if (at == CURRENCIES_MOST)
        return NULL;
    if (at == sums->n)
        *vec_add(sums) = (struct detail_sum){.currency = currency};
    return &sums->items[at];
}

static void detail_sum_all(const struct intent *intent, struct detail_sums *sums) {
    for (size_t i = 0; i < intent->n_transactions; i++) {
        const struct transaction *transaction = &intent->transactions[i];
        const struct value_number *amount = &transaction->amount;
        struct detail_sum *sum = detail_sum_of(sums, amount->currency ? amount->currency : transaction->currency.text);
        if (!sum) {
            sums->others++;
            continue;
        }
        sum->rows++;
        sum->without += amount->state != VALUE_OK;
        sum->sum += amount->state == VALUE_OK ? amount->number : 0;
    }
}

/* Where they are all amounts of the intent's own currency. */
static void detail_sum_compare(const struct intent *intent, const struct detail_sums *sums,
                               const struct money_rule *rule, struct str *out) {
    const struct detail_sum *sum = &sums->items[0];
    bool alike =
        sums->n == 1 && sums->others == 0 && sum->without == 0 && str_equal(sum->currency, intent->currency.text);
    if (!alike || intent->amount.state != VALUE_OK)
        return;
    __int128 apart = sum->sum - intent->amount.number;
    struct lookup_total total = lookup_total_of(sum->currency, apart < 0 ? -apart : apart, 1, 0);
    if (apart == 0) {
        str_add(out, ", as the amount");
    } else {
        str_add(out, ", ");
        lookup_sum_text(&total, rule, out);
        str_addf(out, " %s than the amount", apart < 0 ? "less" : "more");
    }
}

void detail_sum(struct shell *shell, const struct intent *intent) {
    const struct money_rule rule = profile_money(shell_profile(shell));
    struct detail_sums sums = {0};
    struct str text;
    detail_sum_all(intent, &sums);
    str_init(&text, LINE_BYTES);
    str_add(&text, "sum ");
    for (size_t i = 0; i < sums.n; i++) {
        const struct detail_sum *sum = &sums.items[i];
        const struct lookup_total total = lookup_total_of(sum->currency, sum->sum, sum->rows, sum->without);
        str_addf(&text, "%s%s ", i > 0 ? "; " : "", sum->currency ? sum->currency : "no currency");
        lookup_sum_text(&total, &rule, &text);
    }
    if (sums.others > 0)
        str_addf(&text, "; and %zu in other currencies", sums.others);
    if (sums.n > 0) {
        detail_sum_compare(intent, &sums, &rule, &text);
        detail_add(&intents_of(shell)->detail, NULL, text.s, ROLE_TEXT);
    }
    str_clear(&text);
    free(sums.items);
}
