/* What an operator may have meant by a term that finds nothing. A reading changes the term where it stands; false: it
 * has nothing to say of it, and what is left of the term is not used. */

#include "scan.h"

#include <string.h>

static bool reading_is_asked(const struct query_node *term, enum query_type type) {
    return term->kind == QUERY_TERM && query_field(term->field)->type == type &&
           (term->op == QUERY_OP_COLON || term->op == QUERY_OP_EQ);
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

static bool read_in_units(struct query_node *term, struct arena *arena) {
    bool integers = false;
    if (term->kind != QUERY_TERM || query_field(term->field)->type != QUERY_NUMBER)
        return false;
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

static bool read_as_beginning(struct query_node *term, struct arena *arena) {
    bool whole = false;
    (void)arena;
    if (!reading_is_asked(term, QUERY_WORD))
        return false;
    for (size_t i = 0; i < term->n_values; i++) {
        struct query_value *value = &term->values[i];
        whole = whole || (!value->prefix && !value->suffix && *value->text);
        value->prefix = value->prefix || (!value->suffix && *value->text);
    }
    term->op = QUERY_OP_COLON;
    return whole && !query_field_named(term->field, term->values->text);
}

/* An id or a text as a word anywhere and in any case. */
static bool read_anywhere(struct query_node *term, struct arena *arena) {
    (void)arena;
    if ((!reading_is_asked(term, QUERY_ID) && !reading_is_asked(term, QUERY_TEXT)) || term->n_values != 1 ||
        !*term->values->text)
        return false;
    term->kind = QUERY_SEARCH;
    term->field = QUERY_ANY_FIELD;
    term->values->prefix = term->values->suffix = false;
    return true;
}

static bool take_end(const struct query_node *node, struct arena *arena, struct query_value *value) {
    struct query_value read = *value;
    if (!value->text || pattern_is_plain(value->text))
        return false;
    if (node->kind == QUERY_SEARCH)
        read.text = pattern_strip(arena, value->text);
    else if (!pattern_take(arena, node->field, node->op, &read))
        return false;
    if (pattern_is_nothing(read.text) || strcmp(read.text, value->text) == 0)
        return false;
    read.prefix = read.prefix || value->prefix;
    read.suffix = read.suffix || value->suffix;
    *value = read;
    return true;
}

/* The sign that something is left out stands for itself between quotes; it may have come from the screen along with
 * them. */
static bool read_as_cut(struct query_node *term, struct arena *arena) {
    bool any = false;
    if (term->kind == QUERY_TERM && term->op != QUERY_OP_COLON && term->op != QUERY_OP_EQ)
        return false;
    for (size_t i = 0; i < term->n_values; i++)
        any = take_end(term, arena, &term->values[i]) || any;
    return any;
}

/* A word of which stars were to leave something out: the words between them. */
static bool read_without_stars(struct query_node *word, struct arena *arena) {
    struct query_node *first = NULL, **last = &first;
    const char *text = word->kind == QUERY_SEARCH ? word->values->text : "";
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
    struct query_node *next = word->next;
    *word = first->next ? (struct query_node){.kind = QUERY_ALL, .first = first, .field = QUERY_ANY_FIELD} : *first;
    word->next = next;
    return true;
}

static const char AS_WRITTEN[] = "as written it finds nothing;";

static const struct reading READINGS[] = {
    {read_as_cut, AS_WRITTEN},
    {read_in_units, "an integer is read as the service sends it; in the unit of its currency,"},
    {read_as_beginning, AS_WRITTEN},
    {read_anywhere, AS_WRITTEN},
    {read_without_stars, AS_WRITTEN},
};

const struct reading *reading_at(size_t i) {
    return i < COUNT_OF(READINGS) ? &READINGS[i] : NULL;
}
