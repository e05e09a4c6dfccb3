#include "model/change.h"

#include <string.h>

static bool transactions_differ(const struct intent *a, const struct intent *b) {
    if (a->n_transactions != b->n_transactions)
        return true;
    for (size_t i = 0; i < a->n_transactions; i++) {
        for (enum transaction_field field = 0; field < TRANSACTION_FIELD_COUNT; field++) {
            const char *left, *right;
            enum value_state state = transaction_field_text(&a->transactions[i], field, &left);
            if (state != transaction_field_text(&b->transactions[i], field, &right) || !str_equal(left, right))
                return true;
        }
    }
    return false;
}

uint64_t intent_changes(const struct intent *a, const struct intent *b) {
    uint64_t bits = 0;
    for (enum intent_field field = 0; field < INTENT_FIELD_COUNT; field++) {
        const char *left, *right;
        enum value_state state = intent_field_text(a, field, &left);
        if (state != intent_field_text(b, field, &right) || !str_equal(left, right))
            bits |= INTENT_CHANGE_BIT(field);
    }
    if (a->dispute != b->dispute || !str_equal(a->dispute_status.text, b->dispute_status.text))
        bits |= INTENT_CHANGE_BIT(INTENT_CHANGE_DISPUTE);
    if (a->refund != b->refund || !str_equal(a->refund_status.text, b->refund_status.text))
        bits |= INTENT_CHANGE_BIT(INTENT_CHANGE_REFUND);
    return transactions_differ(a, b) ? bits | INTENT_CHANGE_BIT(INTENT_CHANGE_TRANSACTIONS) : bits;
}

uint64_t intent_change_of(const char *field) {
    static const char TRANSACTIONS[] = "transactions";
    for (enum intent_field i = 0; i < INTENT_FIELD_COUNT; i++)
        if (strcmp(field, intent_field_path(i)) == 0)
            return INTENT_CHANGE_BIT(i);
    if (strcmp(field, "dispute") == 0)
        return INTENT_CHANGE_BIT(INTENT_CHANGE_DISPUTE);
    if (strcmp(field, "refund") == 0)
        return INTENT_CHANGE_BIT(INTENT_CHANGE_REFUND);
    return strncmp(field, TRANSACTIONS, sizeof TRANSACTIONS - 1) == 0 ? INTENT_CHANGE_BIT(INTENT_CHANGE_TRANSACTIONS)
                                                                      : 0;
}
