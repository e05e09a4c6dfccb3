#include "scan.h"

#include <stdlib.h>
#include <string.h>

static const char *query_copy_text(struct arena *arena, const char *text) {
    return text ? arena_dup_n(arena, text, strlen(text)) : NULL;
}

static void copy_values(struct arena *arena, struct query_node *to, const struct query_node *from) {
    to->values = arena_new(arena, (from->n_values + 1) * sizeof *to->values);
    for (size_t i = 0; i < from->n_values; i++) {
        struct query_value *value = &to->values[i];
        *value = from->values[i];
        value->text = query_copy_text(arena, value->text);
        value->low.text = query_copy_text(arena, value->low.text);
        value->high.text = query_copy_text(arena, value->high.text);
        value->typed = query_copy_text(arena, value->typed);
    }
}

struct query_node *node_copy(struct arena *arena, const struct query_node *node) {
    if (!node)
        return NULL;
    struct query_node *copy = arena_new(arena, sizeof *copy);
    *copy = *node;
    copy->first = copy->next = NULL;
    copy->list = query_copy_text(arena, node->list);
    if (node->n_values > 0)
        copy_values(arena, copy, node);
    struct query_node **last = &copy->first;
    for (const struct query_node *child = node->first; child; child = child->next) {
        *last = node_copy(arena, child);
        last = &(*last)->next;
    }
    return copy;
}

struct query *query_dup(const struct query *query) {
    struct query *copy = mem_new(sizeof *copy);
    if (query)
        copy->root = node_copy(&copy->arena, query->root);
    return copy;
}

void query_free(struct query *query) {
    if (!query)
        return;
    arena_clear(&query->arena);
    free(query);
}
