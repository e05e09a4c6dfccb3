#include "query/doubt.h"

#include "scan.h"

#include <string.h>

static struct query *term_of(const struct query_node *node) {
    struct query *term = mem_new(sizeof *term);
    term->root = node_copy(&term->arena, node);
    return term;
}

static void doubt_take(const struct query_node *node, const struct query_value *value, struct query_doubt *out) {
    struct query_node one = *node;
    struct query_value only = *value;
    one.values = &only;
    one.n_values = 1;
    out->field = node->field;
    out->term = term_of(&one);
    out->tried = query_dup(out->term);
    out->value = out->term->root->values[0].text;
}

static bool in_term(const struct query_node *node, struct query_doubt *out) {
    bool asks = node->op == QUERY_OP_COLON || node->op == QUERY_OP_EQ;
    if (!asks || query_field(node->field)->type != QUERY_WORD || !query_field_known(node->field, 0))
        return false;
    for (size_t i = 0; i < node->n_values; i++) {
        const struct query_value *value = &node->values[i];
        if (value->prefix || value->suffix || query_field_named(node->field, value->text))
            continue;
        out->n_near = query_known_near(node->field, value->text, strlen(value->text), out->near);
        if (out->n_near > 0) {
            doubt_take(node, value, out);
            return true;
        }
    }
    return false;
}

static bool in_node(const struct query_node *node, struct query_doubt *out) {
    if (node->kind == QUERY_TERM)
        return in_term(node, out);
    if (node->kind != QUERY_ALL && node->kind != QUERY_ANY)
        return false;
    for (const struct query_node *child = node->first; child; child = child->next)
        if (in_node(child, out))
            return true;
    return false;
}

/* The node that stands in a copy where `node` does in the tree; NULL: it is not below. */
static struct query_node *doubt_place(struct query_node *copy, const struct query_node *tree,
                                      const struct query_node *node) {
    if (tree == node)
        return copy;
    struct query_node *place = NULL;
    const struct query_node *child = tree->first;
    for (struct query_node *same = copy->first; same && !place; same = same->next, child = child->next)
        place = doubt_place(same, child, node);
    return place;
}

/* One term read in another way may find rows that the rest of the filter leaves out: the whole is tried. */
static void doubt_read(const struct query *query, const struct query_node *node, struct query_doubts *out) {
    const struct reading *reading;
    if (node->list)
        return; /* its ids are whole, and too many to be tried */
    for (size_t i = 0; (reading = reading_at(i)) && out->n < QUERY_DOUBTS_MAX; i++) {
        struct query *tried = query_dup(query);
        struct query_node *place = doubt_place(tried->root, query->root, node);
        if (reading->read(place, &tried->arena))
            out->items[out->n++] =
                (struct query_doubt){.field = node->field, .tried = tried, .term = term_of(place), .why = reading->why};
        else
            query_free(tried);
    }
}

static bool doubt_operators(const struct query *query, struct query_doubt *out) {
    struct query *tried = query_dup(query);
    const struct query_node *word = operators_apply(&tried->arena, tried->root);
    if (!word) {
        query_free(tried);
        return false;
    }
    *out = (struct query_doubt){.field = QUERY_ANY_FIELD, .tried = tried, .term = term_of(word)};
    out->word = out->term->root->values->text;
    return true;
}

static void readings_in(const struct query *query, const struct query_node *node, struct query_doubts *out) {
    if (node->kind == QUERY_TERM || node->kind == QUERY_SEARCH)
        doubt_read(query, node, out);
    for (const struct query_node *child = node->first; child && node->kind != QUERY_NOT; child = child->next)
        readings_in(query, child, out);
}

void query_doubts(const struct query *query, struct query_doubts *out) {
    *out = (struct query_doubts){.n = 0};
    if (!query || !query->root)
        return;
    out->n += in_node(query->root, &out->items[out->n]);
    out->n += doubt_operators(query, &out->items[out->n]);
    readings_in(query, query->root, out);
}

bool query_doubt_stands(const struct query_doubt *doubt, bool found) {
    return doubt->word || (doubt->value ? !found : found);
}

void query_doubts_clear(struct query_doubts *doubts) {
    for (size_t i = 0; i < doubts->n; i++) {
        query_free(doubts->items[i].tried);
        query_free(doubts->items[i].term);
    }
    *doubts = (struct query_doubts){.n = 0};
}

static bool say_integers_in(const struct query_node *node, struct str *out) {
    bool said = false;
    if (node->kind == QUERY_TERM) {
        struct query *term = term_of(node), *read = term_of(node);
        said = reading_in_units(read->root, &read->arena);
        if (said) {
            query_print(term, out);
            str_add(out, " is the integer as served; in the currency's unit: ");
            query_print(read, out);
        }
        query_free(term);
        query_free(read);
    }
    for (const struct query_node *child = node->first; child && !said; child = child->next)
        said = say_integers_in(child, out);
    return said;
}

bool query_say_integers(const struct query *query, struct str *out) {
    return query && query->root && say_integers_in(query->root, out);
}

static void say_near(const struct query_doubt *doubt, struct str *out) {
    for (size_t i = 0; i < doubt->n_near; i++)
        str_addf(out, "%s%s", i > 0 ? ", " : " (", doubt->near[i]);
    str_add(out, doubt->n_near > 0 ? "?)" : "");
}

void query_doubt_say(const struct query_doubt *doubt, size_t rows, struct str *out) {
    struct str text;
    if (doubt->value) {
        str_addf(out, "no %s \"%s\" among ", query_field(doubt->field)->name, doubt->value);
        money_group_count(out, rows);
        say_near(doubt, out);
        return;
    }
    str_init(&text, QUERY_TEXT_MAX);
    query_print(doubt->word ? doubt->tried : doubt->term, &text);
    if (doubt->word)
        str_addf(out, "\"%s\" is looked for as a word: write %s", doubt->word, text.s);
    else
        str_addf(out, "%s %s would find some", doubt->why, text.s);
    str_clear(&text);
}
