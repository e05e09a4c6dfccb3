#include "scan.h"

#include "base/utf8.h"

#include <string.h>

/* Whether a filter already says what narrowing would add: compared by meaning, not by text. */

struct wanted {
    enum query_field_code field;
    const char *value;
    bool exclude;
};

static bool same_folded(const char *a, const char *b) {
    struct str x, y;
    str_init(&x, 8 * QUERY_TEXT_MAX);
    str_init(&y, 8 * QUERY_TEXT_MAX);
    utf8_fold(&x, a, strlen(a));
    utf8_fold(&y, b, strlen(b));
    bool same = !x.truncated && !y.truncated && strcmp(x.s, y.s) == 0;
    str_clear(&x);
    str_clear(&y);
    return same;
}

static bool narrow_is_value(const struct wanted *wanted, const struct query_value *value) {
    if (value->prefix || value->suffix)
        return false;
    switch (query_field(wanted->field)->type) {
    case QUERY_WORD:
    case QUERY_TEXT:
        return same_folded(value->text, wanted->value);
    case QUERY_ID:
        return strcmp(value->text, wanted->value) == 0;
    case QUERY_FLAG:
        return strcmp(query_flag_info(value->flag)->name, wanted->value) == 0;
    case QUERY_NUMBER:
    case QUERY_TIME:
    case QUERY_SPAN:
        break;
    }
    return !value->is_range && str_equal(value->low.text, wanted->value);
}

static bool has_value(const struct wanted *wanted, const struct query_node *term) {
    for (size_t i = 0; i < term->n_values; i++)
        if (narrow_is_value(wanted, &term->values[i]))
            return true;
    return false;
}

/* A filter asks for a value by naming only it, and excludes it with any list that it is in. */
static bool is_said_by(const struct wanted *wanted, const struct query_node *node) {
    const struct query_field *field = query_field(wanted->field);
    bool negated = node->kind == QUERY_NOT;
    const struct query_node *term = negated ? node->first : node;
    if (term->kind != QUERY_TERM || term->field != wanted->field)
        return false;
    bool equal = term->op == QUERY_OP_EQ || (term->op == QUERY_OP_COLON && field->sense == QUERY_EQUAL);
    /* A number that is absent does not match !=, but stays when a value is excluded. */
    bool unequal = term->op == QUERY_OP_NE && field->type != QUERY_NUMBER;
    bool excludes = negated ? equal : unequal, includes = negated ? unequal : equal;
    return (wanted->exclude ? excludes : includes && term->n_values == 1) && has_value(wanted, term);
}

static bool is_said(const struct wanted *wanted, const struct query_node *node) {
    if (node->kind != QUERY_ALL)
        return is_said_by(wanted, node);
    for (const struct query_node *child = node->first; child; child = child->next)
        if (is_said(wanted, child))
            return true;
    return false;
}

bool narrow_is_said(const struct query *query, enum query_field_code field, const char *value, bool exclude) {
    return query && query->root && is_said(&(struct wanted){field, value, exclude}, query->root);
}
