/* Amounts in a detail: the digits as served, and beside them the amount scaled by the profile's unit. */

#include "panes/shell/detail.h"

#include <string.h>

enum { TEXT_MAX = 1 << 20 };

void detail_add_money(struct str *text, const struct money_rule *rule, const struct value_number *number,
                      const char *currency) {
    const char *code = number->currency ? number->currency : currency;
    if (number->state != VALUE_OK)
        return;
    if (rule->unit == MONEY_RAW) {
        if (number->currency)
            str_addf(text, " %s", number->currency);
    } else if (money_stays_raw(rule, code)) {
        str_addf(text, code ? "  (raw: the decimals of %s are not known)" : "  (raw: no currency)", code ? code : "");
    } else {
        str_add(text, "  = ");
        money_format(text, number->number, code, rule);
        str_addf(text, " %s", code ? code : "(no currency)");
    }
}

static bool detail_money_is_amount(const struct tree_row *row) {
    static const char TAIL[] = "_amount";
    const char *key = row->key ? row->key : "";
    size_t len = strlen(key), tail = sizeof TAIL - 1;
    return row->kind == TREE_NUMBER &&
           (str_equal(key, "amount") || str_equal(key, "value") || (len > tail && str_equal(key + len - tail, TAIL)));
}

static bool is_currency(const struct tree_row *row, int depth) {
    return row->depth == depth && row->kind == TREE_STRING && row->text && *row->text &&
           str_equal(row->key, "currency");
}

/* The currency in the object that the row belongs to. */
static const char *sibling_currency(const struct tree *tree, size_t at) {
    int depth = tree->items[at].depth;
    for (size_t i = at; i > 0 && tree->items[i - 1].depth >= depth; i--)
        if (is_currency(&tree->items[i - 1], depth))
            return tree->items[i - 1].text;
    for (size_t i = at + 1; i < tree->n && tree->items[i].depth >= depth; i++)
        if (is_currency(&tree->items[i], depth))
            return tree->items[i].text;
    return NULL;
}

/* A record without a currency has that of its intent; `value` is an amount only where a currency is beside it. */
static void add_tree_money(struct str *text, const struct detail_units *units, const struct tree *tree, size_t at) {
    const struct tree_row *row = &tree->items[at];
    long long number;
    if (!row->text || !detail_money_is_amount(row) || !str_to_int64(row->text, strlen(row->text), &number))
        return;
    const char *currency = sibling_currency(tree, at);
    if (currency || !str_equal(row->key, "value")) {
        struct value_number amount = {.state = VALUE_OK, .number = number, .text = row->text};
        detail_add_money(text, &units->rule, &amount, currency ? currency : units->currency);
    }
}

void detail_tree(struct detail *detail, const struct tree *tree, const char *path, const struct detail_units *units) {
    struct str text;
    str_init(&text, TEXT_MAX);
    for (size_t i = 0; i < tree->n; i++) {
        const struct tree_row *row = &tree->items[i];
        if (row->depth == 0 && !row->text)
            continue;
        const char *key = row->key ? row->key : path;
        str_reset(&text);
        str_add(&text, row->text ? row->text : "");
        add_tree_money(&text, units, tree, i);
        struct text_line *line = detail_add(detail, arena_dup_n(&detail->arena, key, strlen(key)), text.s, ROLE_TEXT);
        line->indent = row->depth > 0 ? row->depth - 1 : 0;
    }
    str_clear(&text);
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
        if (!money_stays_raw(rule, code))
            str_addf(text, " (%s)", amount->text);
    }
}
