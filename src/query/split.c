#include "query/split.h"

#include "base/clock.h"
#include "scan.h"

static bool is_equality(const struct query_node *node, enum query_field_code field) {
    return node->kind == QUERY_TERM && node->field == field && (node->op == QUERY_OP_COLON || node->op == QUERY_OP_EQ);
}

/* Only values that the document names are sent: others are compared here without case, which the service may not do. */
static const char *split_known(enum query_field_code field, const struct query_value *value) {
    return value->prefix || value->suffix ? NULL : query_field_named(field, value->text);
}

static bool take_statuses(const struct query_node *node, struct query_split *out) {
    if (out->n_statuses > 0 || !is_equality(node, QUERY_STATUS_FIELD))
        return false;
    for (size_t i = 0; i < node->n_values; i++)
        if (!split_known(QUERY_STATUS_FIELD, &node->values[i]))
            return false;
    for (size_t i = 0; i < node->n_values; i++) {
        const char *name = split_known(QUERY_STATUS_FIELD, &node->values[i]);
        size_t at = 0;
        while (at < out->n_statuses && out->statuses[at] != name)
            at++;
        if (at == out->n_statuses)
            out->statuses[out->n_statuses++] = name;
    }
    return true;
}

static bool take_type(const struct query_node *node, struct query_split *out) {
    if (out->type || !is_equality(node, QUERY_TYPE_FIELD) || node->n_values != 1)
        return false;
    out->type = split_known(QUERY_TYPE_FIELD, node->values);
    return out->type != NULL;
}

/* An end that is counted back from now would stay where it was when it was sent, while the local part moves on. */
static bool moves_on(const struct query_value *value) {
    const struct query_scalar *end = value->is_range ? &value->high : &value->low;
    return end->text && (end->span == QUERY_DAYS_AGO || end->span == QUERY_HOURS_AGO);
}

/* Narrows the time window that is asked of the service; true where the term does. The service may read a time without a
 * zone as UTC, whose day differs from the local one: the window includes both readings. */
static bool take_created(const struct query_node *node, const struct query_service *service,
                         const struct query_context *context, struct query_split *out) {
    if (node->kind != QUERY_TERM || node->field != QUERY_CREATED_FIELD || node->op == QUERY_OP_NE ||
        node->n_values != 1)
        return false;
    struct query one = {.root = NULL};
    one.root = node_copy(&one.arena, node);
    struct query_plan *plan = query_plan_new(&one, context);
    const struct query_range *range = plan->root->test.ranges;
    int64_t low = range->low[QUERY_TIME_ZONED], high = range->high[QUERY_TIME_ZONED];
    int64_t bare_low = range->low[QUERY_TIME_BARE], bare_high = range->high[QUERY_TIME_BARE];
    low = bare_low < low ? bare_low : low;
    high = bare_high > high ? bare_high : high;
    query_plan_free(plan);
    arena_clear(&one.arena);
    bool after = service->created_after && low != INT64_MIN,
         before = service->created_before && high != INT64_MAX && !moves_on(node->values);
    if (low > high)
        return false;
    if (after && (out->after == CLOCK_NONE || low - 1 > out->after))
        out->after = low - 1;
    if (before && (out->before == CLOCK_NONE || high + 1 < out->before))
        out->before = high + 1;
    return after || before;
}

struct list {
    struct query *query;
    struct query_node *root, **last;
    size_t n;
};

static struct list list_new(void) {
    struct list list = {.query = mem_new(sizeof *list.query)};
    list.root = arena_new(&list.query->arena, sizeof *list.root);
    *list.root = (struct query_node){.kind = QUERY_ALL, .field = QUERY_ANY_FIELD};
    list.last = &list.root->first;
    return list;
}

static void list_add(struct list *list, const struct query_node *node) {
    *list->last = node_copy(&list->query->arena, node);
    list->last = &(*list->last)->next;
    list->n++;
}

static struct query *list_done(struct list *list) {
    list->query->root = list->n > 1 ? list->root : list->root->first;
    return list->query;
}

void query_split(const struct query *query, const struct query_service *service, const struct query_context *context,
                 struct query_split *out) {
    *out = (struct query_split){.after = CLOCK_NONE, .before = CLOCK_NONE};
    struct list server = list_new(), rest = list_new();
    const struct query_node *root = query ? query->root : NULL;
    const struct query_node *node = root && root->kind == QUERY_ALL ? root->first : root;
    bool apart = !query_asks_across(query); /* else a row that the service leaves out could be what another rests on */
    for (; node; node = root->kind == QUERY_ALL ? node->next : NULL) {
        bool whole = apart && (take_statuses(node, out) || take_type(node, out));
        if (apart && (whole || take_created(node, service, context, out)))
            list_add(&server, node);
        if (!whole)
            list_add(&rest, node);
    }
    out->server = list_done(&server);
    out->rest = list_done(&rest);
}

void query_split_clear(struct query_split *split) {
    query_free(split->server);
    query_free(split->rest);
    *split = (struct query_split){0};
}
