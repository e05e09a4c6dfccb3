#include "scan.h"

#include <string.h>

/* Whole ids that a filter names: `id:@file`, out of a file, as many values of the term; and the one of `user=ID`. */

static bool list_is_named(const struct query_lists *lists, const struct query_node *term) {
    const struct query_value *value = term->values;
    return lists->open && query_field(term->field)->type == QUERY_ID && term->n_values == 1 && !value->suffix &&
           !value->prefix && value->text[0] == '@' && value->text[1];
}

const char *list_take(struct arena *arena, const struct query_lists *lists, struct query_node *term) {
    struct error error = {0};
    size_t n = 0;
    if (!list_is_named(lists, term))
        return NULL;
    term->list = term->values->text;
    const void *list = lists->open(lists->of, term->list + 1, &error);
    while (list && n <= QUERY_LIST_MAX && lists->at(list, n))
        n++;
    if (n > QUERY_LIST_MAX)
        (void)error_set(&error, ERR_LIMIT, "more than %d ids in a list", QUERY_LIST_MAX);
    if (error.code != ERR_OK)
        return arena_dup_n(arena, error.text, strlen(error.text));
    term->values = arena_new(arena, (n + 1) * sizeof *term->values);
    for (term->n_values = 0; term->n_values < n; term->n_values++) {
        const char *id = lists->at(list, term->n_values);
        term->values[term->n_values].text = arena_dup_n(arena, id, strlen(id));
    }
    return NULL;
}

static const struct query_node *list_find(const struct query_node *node) {
    if (node->kind == QUERY_TERM)
        return node->list ? node : NULL;
    for (const struct query_node *child = node->first; child && node->kind != QUERY_NOT; child = child->next) {
        const struct query_node *found = list_find(child);
        if (found)
            return found;
    }
    return NULL;
}

const struct query_node *query_list_term(const struct query *query, bool *alone) {
    const struct query_node *root = query ? query->root : NULL, *term = root ? list_find(root) : NULL;
    if (alone)
        *alone = term == root;
    return term;
}

static const char *sole_id(const struct query_node *node, enum query_field_code field) {
    bool whole = node->kind == QUERY_TERM && node->field == field && node->op == QUERY_OP_EQ && node->n_values == 1 &&
                 !node->values[0].suffix && !node->values[0].prefix;
    return whole ? node->values[0].text : NULL;
}

static bool is_among(enum query_field_code field, const enum query_field_code *fields, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (fields[i] == field)
            return true;
    return false;
}

static bool node_is_of(const struct query_node *node, const enum query_field_code *fields, size_t n) {
    if (node->kind == QUERY_TERM)
        return is_among(node->field, fields, n);
    for (const struct query_node *child = node->first; child; child = child->next)
        if (!node_is_of(child, fields, n))
            return false;
    return node->kind != QUERY_SEARCH;
}

bool query_is_of(const struct query *query, const enum query_field_code *fields, size_t n) {
    return !query || !query->root || node_is_of(query->root, fields, n);
}

const char *query_sole_id(const struct query *query, enum query_field_code field) {
    const struct query_node *root = query ? query->root : NULL;
    if (!root || root->kind != QUERY_ALL)
        return root ? sole_id(root, field) : NULL;
    const char *id = NULL;
    for (const struct query_node *child = root->first; child && !id; child = child->next)
        id = sole_id(child, field);
    return id;
}
