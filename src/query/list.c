#include "scan.h"

#include <string.h>

/* `id:@file`: whole ids out of a file, as many values of the term. */

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
