#include "query/doubt.h"

#include "scan.h"

#include <string.h>

static void doubt_take(const struct query_node *node, const struct query_value *value, struct query_doubt *out) {
    struct query_node one = *node;
    struct query_value only = *value;
    one.values = &only;
    one.n_values = 1;
    out->field = node->field;
    out->term = mem_new(sizeof *out->term);
    out->term->root = node_copy(&out->term->arena, &one);
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

/* Decimals behind an integer, which then is in the unit of its currency. */
static void add_decimals(struct arena *arena, struct query_scalar *scalar) {
    struct str text;
    const char *reason;
    if (!scalar->text || scalar->scale > 0)
        return;
    str_init(&text, QUERY_TEXT_MAX);
    str_addf(&text, "%s.00", scalar->text);
    if (!value_number(arena, text.s, text.len, scalar, &reason))
        *scalar = (struct query_scalar){0};
    str_clear(&text);
}

static bool reading_of_numbers(struct query_node *term, struct arena *arena) {
    bool integers = false;
    for (size_t i = 0; i < term->n_values; i++) {
        struct query_value *value = &term->values[i];
        integers =
            integers || (value->low.text && value->low.scale == 0) || (value->high.text && value->high.scale == 0);
        add_decimals(arena, &value->low);
        add_decimals(arena, &value->high);
        if (!value->low.text && !value->high.text)
            return false;
    }
    return integers;
}

/* What an operator may have meant by a term that finds nothing: a whole word as a beginning, an id or a text as a word
 * anywhere and in any case, an integer in the unit of its currency. False: nothing else. */
static bool read_anew(struct query_node *term, struct arena *arena) {
    enum query_type type = query_field(term->field)->type;
    if (type == QUERY_NUMBER)
        return reading_of_numbers(term, arena);
    if (term->op != QUERY_OP_COLON && term->op != QUERY_OP_EQ)
        return false;
    if (type == QUERY_WORD) {
        bool whole = false;
        for (size_t i = 0; i < term->n_values; i++) {
            struct query_value *value = &term->values[i];
            whole = whole || (!value->prefix && !value->suffix && *value->text);
            value->prefix = value->prefix || (!value->suffix && *value->text);
        }
        term->op = QUERY_OP_COLON;
        return whole && !query_field_named(term->field, term->values->text);
    }
    if ((type != QUERY_ID && type != QUERY_TEXT) || term->n_values != 1 || !*term->values->text)
        return false;
    term->kind = QUERY_SEARCH;
    term->field = QUERY_ANY_FIELD;
    term->values->prefix = term->values->suffix = false;
    return true;
}

/* A word of which stars were to leave something out: the words between them. */
static bool read_word_anew(struct query_node *word, struct arena *arena) {
    struct query_node *first = NULL, **last = &first;
    const char *text = word->values->text;
    if (!strchr(text, '*'))
        return false;
    for (size_t n; *(text += strspn(text, "*")); text += n) {
        n = strcspn(text, "*");
        *last = node_copy(arena, word);
        (*last)->values->text = arena_dup_n(arena, text, n);
        last = &(*last)->next;
    }
    if (!first)
        return false;
    *word = first->next ? (struct query_node){.kind = QUERY_ALL, .first = first, .field = QUERY_ANY_FIELD} : *first;
    return true;
}

static bool reading_in(const struct query_node *node, struct query_doubt *out) {
    if (node->kind == QUERY_TERM || node->kind == QUERY_SEARCH) {
        struct query *term = mem_new(sizeof *term);
        term->root = node_copy(&term->arena, node);
        if (!(node->kind == QUERY_TERM ? read_anew : read_word_anew)(term->root, &term->arena)) {
            query_free(term);
            return false;
        }
        *out = (struct query_doubt){.field = node->field, .term = term, .is_reading = true};
        return true;
    }
    for (const struct query_node *child = node->first; child && node->kind != QUERY_NOT; child = child->next)
        if (reading_in(child, out))
            return true;
    return false;
}

bool query_doubt(const struct query *query, struct query_doubt *out) {
    *out = (struct query_doubt){.field = QUERY_FIELD_COUNT};
    return query && query->root && (in_node(query->root, out) || reading_in(query->root, out));
}

bool query_doubt_stands(const struct query_doubt *doubt, bool found) {
    return doubt->is_reading == found;
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

static void say_reading(const struct query_doubt *doubt, struct str *out) {
    bool word = doubt->field == QUERY_ANY_FIELD;
    struct str term;
    str_init(&term, QUERY_TEXT_MAX);
    query_print(doubt->term, &term);
    if (!word && query_field(doubt->field)->type == QUERY_NUMBER)
        str_addf(out, "an integer is read as the service sends it; in the unit of its currency, %s would find some",
                 term.s);
    else
        str_addf(out, "as written it finds nothing; %s would find some", term.s);
    str_clear(&term);
}

void query_doubt_say(const struct query_doubt *doubt, size_t rows, struct str *out) {
    if (doubt->is_reading) {
        say_reading(doubt, out);
        return;
    }
    str_addf(out, "no %s \"%s\" among ", query_field(doubt->field)->name, doubt->value);
    money_group_count(out, rows);
    say_near(doubt, out);
}
