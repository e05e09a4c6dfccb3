#include "query/doubt.h"

#include "scan.h"

#include <string.h>

static void take(const struct query_node *node, const struct query_value *value, struct query_doubt *out) {
    struct query_node one = *node;
    struct query_value only = *value;
    one.values = &only;
    one.n_values = 1;
    out->field = node->field;
    out->term = mem_new(sizeof *out->term);
    out->term->root = node_copy(&out->term->arena, &one);
    out->value = out->term->root->values[0].text;
}

static bool in_term(const struct query_node *node, bool near, struct query_doubt *out) {
    bool asks = node->op == QUERY_OP_COLON || node->op == QUERY_OP_EQ;
    if (!asks || query_field(node->field)->type != QUERY_WORD || !query_field_known(node->field, 0))
        return false;
    for (size_t i = 0; i < node->n_values; i++) {
        const struct query_value *value = &node->values[i];
        if (value->prefix || query_field_named(node->field, value->text))
            continue;
        out->n_near = query_known_near(node->field, value->text, strlen(value->text), out->near);
        if (out->n_near > 0 || !near) {
            take(node, value, out);
            return true;
        }
    }
    return false;
}

static bool in_node(const struct query_node *node, bool near, struct query_doubt *out) {
    if (node->kind == QUERY_TERM)
        return in_term(node, near, out);
    if (node->kind != QUERY_ALL && node->kind != QUERY_ANY)
        return false;
    for (const struct query_node *child = node->first; child; child = child->next)
        if (in_node(child, near, out))
            return true;
    return false;
}

bool query_doubt(const struct query *query, struct query_doubt *out) {
    *out = (struct query_doubt){.field = QUERY_FIELD_COUNT};
    return query && query->root && in_node(query->root, true, out);
}

bool query_unnamed(const struct query *query, struct query_doubt *out) {
    *out = (struct query_doubt){.field = QUERY_FIELD_COUNT};
    return query && query->root && in_node(query->root, false, out);
}

void query_doubt_clear(struct query_doubt *doubt) {
    query_free(doubt->term);
    *doubt = (struct query_doubt){.field = QUERY_FIELD_COUNT};
}

static void say_near(const struct query_doubt *doubt, struct str *out) {
    for (size_t i = 0; i < doubt->n_near; i++)
        str_addf(out, "%s%s", i > 0 ? ", " : " (", doubt->near[i]);
    str_add(out, doubt->n_near > 0 ? "?)" : "");
}

void query_doubt_say(const struct query_doubt *doubt, size_t rows, struct str *out) {
    str_addf(out, "no %s \"%s\" among ", query_field(doubt->field)->name, doubt->value);
    money_group_count(out, rows);
    say_near(doubt, out);
}

void query_unnamed_say(const struct query_doubt *doubt, struct str *out) {
    str_addf(out, "the document names no %s \"%s\"", query_field(doubt->field)->name, doubt->value);
    say_near(doubt, out);
}
