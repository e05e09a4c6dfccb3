/* Amounts in a detail: the digits as served, with what the profile's unit makes of them beside. */

#include "panes/shell/state.h"

#include <string.h>

void detail_add_money(struct str *text, const struct money_rule *rule, const struct value_number *number,
                      const char *currency) {
    const char *code = number->currency ? number->currency : currency;
    if (number->state != VALUE_OK) {
        return;
    }
    if (rule->unit == MONEY_RAW) {
        if (number->currency) {
            str_addf(text, " %s", number->currency);
        }
    } else if (money_stays_raw(rule, code)) {
        str_addf(text, code ? "  (raw: the decimals of %s are not known)" : "  (raw: no currency)", code ? code : "");
    } else {
        str_add(text, "  = ");
        money_format(text, number->number, code, rule);
        str_addf(text, " %s", code ? code : "(no currency)");
    }
}

static bool is_amount(const struct tree_row *row) {
    static const char TAIL[] = "_amount";
    size_t len = row->key ? strlen(row->key) : 0, tail = sizeof TAIL - 1;
    return row->kind == TREE_NUMBER && row->text && len > 0 &&
           (strcmp(row->key, "amount") == 0 || strcmp(row->key, "value") == 0 ||
            (len > tail && strcmp(row->key + len - tail, TAIL) == 0));
}

static bool is_currency(const struct tree_row *row, int depth) {
    return row->depth == depth && row->kind == TREE_STRING && row->text && *row->text &&
           str_equal(row->key, "currency");
}

/* Of the object that the row stands in. */
static const char *sibling_currency(const struct tree *tree, size_t at) {
    int depth = tree->items[at].depth;
    for (size_t i = at; i > 0 && tree->items[i - 1].depth >= depth; i--) {
        if (is_currency(&tree->items[i - 1], depth)) {
            return tree->items[i - 1].text;
        }
    }
    for (size_t i = at + 1; i < tree->n && tree->items[i].depth >= depth; i++) {
        if (is_currency(&tree->items[i], depth)) {
            return tree->items[i].text;
        }
    }
    return NULL;
}

/* A record without a currency of its own is one of an intent that has one; `value` is an amount only beside one. */
void detail_add_tree_money(struct str *text, const struct detail_units *units, const struct tree *tree, size_t at) {
    const struct tree_row *row = &tree->items[at];
    long long number;
    if (!is_amount(row) || !str_to_int64(row->text, strlen(row->text), &number)) {
        return;
    }
    const char *own = sibling_currency(tree, at);
    if (own || strcmp(row->key, "value") != 0) {
        struct value_number amount = {.state = VALUE_OK, .number = number, .text = row->text};
        detail_add_money(text, &units->rule, &amount, own ? own : units->currency);
    }
}

void detail_transaction_amount(struct str *text, const struct money_rule *rule, const struct transaction *transaction) {
    const struct value_number *amount = &transaction->amount;
    const char *code = amount->currency ? amount->currency : transaction->currency.text;
    if (amount->state == VALUE_ODD) {
        str_addf(text, "[%s]", amount->text);
    } else if (amount->state != VALUE_OK || rule->unit == MONEY_RAW) {
        str_add(text, amount->text ? amount->text : "");
    } else {
        money_format(text, amount->number, code, rule);
        if (!money_stays_raw(rule, code)) {
            str_addf(text, " (%s)", amount->text);
        }
    }
}
