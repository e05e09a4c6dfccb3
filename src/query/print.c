#include "query/query.h"

#include "scan.h"

#include <string.h>

static void print_add_quoted(struct str *out, const char *text) {
    str_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            str_add_char(out, '\\');
        str_add_char(out, *text);
    }
    str_add_char(out, '"');
}

static bool print_is_plain(const char *text, bool value) {
    size_t len = strlen(text);
    return len > 0 && scan_run(text, len, 0, value) == len && plain_is(text, len);
}

static void print_add_value(struct str *out, const char *text) {
    if (print_is_plain(text, true) && !strchr(text, '*') && pattern_is_plain(text))
        str_add(out, text);
    else
        print_add_quoted(out, text);
}

void query_quote(struct str *out, const char *text) {
    print_add_value(out, text);
}

void query_add_equal(struct str *out, enum query_field_code field, const char *value) {
    str_addf(out, "%s=", query_field(field)->name);
    query_quote(out, value);
}

static void print_value(struct str *out, enum query_field_code field, const struct query_value *value) {
    enum query_type type = query_field(field)->type;
    if (type == QUERY_FLAG) {
        str_add(out, query_flag_info(value->flag)->name);
    } else if (type == QUERY_NUMBER || type == QUERY_TIME || type == QUERY_SPAN) {
        str_add(out, value->low.text ? value->low.text : "");
        str_add(out, value->is_range ? ".." : "");
        str_add(out, value->high.text ? value->high.text : "");
    } else {
        str_add(out, !value->suffix ? "" : type == QUERY_ID && !value->prefix ? "\xE2\x80\xA6" : "*");
        print_add_value(out, value->text);
        str_add(out, value->prefix ? "*" : "");
    }
}

static void print_search(struct str *out, const struct query_value *value) {
    enum query_op op;
    const char *text = value->text;
    size_t len = strlen(text);
    bool is_operator = value->quoted && operators_spelled(text) != SPELLED_NONE;
    if (!is_operator && print_is_plain(text, false) && !pattern_is_cut(text) && text[0] != '-' && text[0] != '@' &&
        !value_is_about(text, len) && scan_op(text, 0, len, &op) == len)
        str_add(out, text);
    else
        print_add_quoted(out, text);
}

static void print_node(struct str *out, const struct query_node *node);

static void print_child(struct str *out, const struct query_node *node, bool group) {
    str_add(out, group ? "(" : "");
    print_node(out, node);
    str_add(out, group ? ")" : "");
}

static bool is_joined(const struct query_node *node) {
    return node->kind == QUERY_ALL || node->kind == QUERY_ANY;
}

/* Whether digits behind a number would be read as its next group instead of as a word of their own. */
static bool is_behind_number(const struct query_node *before, const struct query_node *node) {
    const char *text = node->kind == QUERY_SEARCH ? node->values->text : "";
    return before && before->kind == QUERY_TERM && query_field(before->field)->type == QUERY_NUMBER && *text &&
           text[strspn(text, "0123456789.,")] == '\0';
}

static void print_list(struct str *out, const struct query_node *node) {
    bool all = node->kind == QUERY_ALL;
    const struct query_node *before = NULL;
    for (const struct query_node *child = node->first; child; before = child, child = child->next) {
        if (all && is_behind_number(before, child))
            print_add_quoted(out, child->values->text);
        else
            print_child(out, child, all ? is_joined(child) : child->kind == QUERY_ANY);
        if (child->next)
            str_add(out, all ? " " : " | ");
    }
}

static void query_print_values(struct str *out, const struct query_node *node, const char *quote) {
    for (size_t i = 0; i < node->n_values; i++) {
        str_addf(out, "%s%s", i > 0 ? "," : "", quote);
        print_value(out, node->field, &node->values[i]);
        str_add(out, quote);
    }
}

/* Numbers of a list whose commas would be taken for groups are quoted. */
static void print_term(struct str *out, const struct query_node *node) {
    str_add(out, query_field(node->field)->name);
    str_add(out, query_op_text(node->op));
    if (node->list) {
        query_quote(out, node->list);
        return;
    }
    struct str values;
    str_init(&values, QUERY_TEXT_MAX);
    query_print_values(&values, node, "");
    if (query_field(node->field)->type == QUERY_NUMBER && node->n_values > 1 &&
        value_groups(values.s, values.len) != VALUE_LIST) {
        str_reset(&values);
        query_print_values(&values, node, "\"");
    }
    /* Too long for a filter: the rest would be refused anyway. */
    str_add(out, values.s);
    out->truncated = out->truncated || values.truncated;
    str_clear(&values);
}

/* Depth is bounded by the parser's cap. */
static void print_node(struct str *out, const struct query_node *node) {
    switch (node->kind) {
    case QUERY_ALL:
    case QUERY_ANY:
        print_list(out, node);
        break;
    case QUERY_NOT:
        str_add_char(out, '-');
        print_child(out, node->first, is_joined(node->first) || node->first->kind == QUERY_NOT);
        break;
    case QUERY_TERM:
        print_term(out, node);
        break;
    case QUERY_SEARCH:
        print_search(out, node->values);
        break;
    }
}

void query_print(const struct query *query, struct str *out) {
    if (query && query->root)
        print_node(out, query->root);
}

void query_print_terms(const struct query *query, enum query_field_code field, struct str *out) {
    const struct query_node *root = query ? query->root : NULL;
    const struct query_node *node = root && root->kind == QUERY_ALL ? root->first : root;
    size_t before = out->len;
    for (; node; node = root->kind == QUERY_ALL ? node->next : NULL) {
        if (node->kind == QUERY_TERM && node->field == field) {
            str_add(out, out->len > before ? " " : "");
            print_node(out, node);
        }
    }
}

static bool equal_values(const struct query_value *a, const struct query_value *b) {
    return str_equal(a->text, b->text) && a->prefix == b->prefix && a->suffix == b->suffix && a->flag == b->flag &&
           a->is_range == b->is_range && str_equal(a->low.text, b->low.text) && str_equal(a->high.text, b->high.text);
}

static bool equal_nodes(const struct query_node *a, const struct query_node *b) {
    if (a->kind != b->kind || a->field != b->field || a->op != b->op || a->n_values != b->n_values ||
        !str_equal(a->list, b->list))
        return false;
    for (size_t i = 0; i < a->n_values; i++)
        if (!equal_values(&a->values[i], &b->values[i]))
            return false;
    const struct query_node *x = a->first, *y = b->first;
    for (; x && y; x = x->next, y = y->next)
        if (!equal_nodes(x, y))
            return false;
    return x == y;
}

bool query_equal(const struct query *a, const struct query *b) {
    const struct query_node *x = a ? a->root : NULL, *y = b ? b->root : NULL;
    return x && y ? equal_nodes(x, y) : x == y;
}

static bool is_personal(const struct query_node *node) {
    if (node->kind == QUERY_SEARCH || (node->kind == QUERY_TERM && query_field(node->field)->personal))
        return true;
    for (const struct query_node *child = node->first; child; child = child->next)
        if (is_personal(child))
            return true;
    return false;
}

bool query_is_personal(const struct query *query) {
    return query && query->root && is_personal(query->root);
}

static void print_before(struct str *out, const struct query *query) {
    if (query && query->root) {
        print_child(out, query->root, query->root->kind == QUERY_ANY);
        str_add_char(out, ' ');
    }
}

void query_narrow_by(struct str *out, const struct query *query, const char *terms, bool exclude) {
    print_before(out, query);
    str_addf(out, exclude ? "-(%s)" : "%s", terms);
}

void query_narrow(struct str *out, const struct query *query, enum query_field_code field, const char *value,
                  bool exclude) {
    if (narrow_is_said(query, field, value, exclude))
        return;
    print_before(out, query);
    bool whole = query_field(field)->operators & 1U << QUERY_OP_EQ;
    str_addf(out, "%s%s%s", exclude ? "-" : "", query_field(field)->name, whole ? "=" : ":");
    if (query_field(field)->type >= QUERY_NUMBER)
        str_add(out, value);
    else
        print_add_value(out, value);
}
