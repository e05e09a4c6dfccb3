/* What an operator may have meant by a term that finds nothing. A reading changes the term where it stands; false: it
 * has nothing to say of it, and what is left of the term is not used. */

#include "scan.h"

#include <string.h>

static bool reading_is_asked(const struct query_node *term, enum query_type type) {
    return term->kind == QUERY_TERM && query_field(term->field)->type == type &&
           (term->op == QUERY_OP_COLON || term->op == QUERY_OP_EQ);
}

/* The list that the groups of a number would be; false: a group is no number of a list. */
static bool reading_list_of(const struct query_node *term, const char *typed, struct str *out) {
    str_addf(out, "%s%s", query_field(term->field)->name, query_op_text(term->op));
    for (size_t n; *typed; typed += n) {
        n = strcspn(typed, ",");
        if (typed[0] == '0' && n > 1)
            return false;
        str_addf(out, "\"%.*s\"", (int)n, typed);
        if (typed[n] == ',')
            str_addf(out, "%c", typed[n++]);
    }
    return true;
}

static bool read_as_list(struct query_node *term, struct arena *arena) {
    struct query *list = NULL;
    struct str text;
    if (!reading_is_asked(term, QUERY_NUMBER) || term->n_values != 1 || !term->values->typed)
        return false;
    str_init(&text, QUERY_TEXT_MAX);
    bool is = reading_list_of(term, term->values->typed, &text) &&
              query_parse(text.s, &(struct query_options){.unit = MONEY_MINOR}, &list, NULL, NULL) == ERR_OK;
    if (is) {
        const struct query_node *copy = node_copy(arena, list->root);
        term->values = copy->values;
        term->n_values = copy->n_values;
    }
    query_free(list);
    str_clear(&text);
    return is;
}

static size_t only_digits(const struct query_value *value) {
    const char *text = value->is_range || !value->low.text ? "" : value->low.text;
    size_t n = strspn(text, "0123456789");
    return text[n] == '\0' ? n : 0;
}

/* How many values from one on may be the groups of one number, which number then is; 1: it stands alone. */
static size_t groups_at(const struct query_node *term, size_t at, struct str *number) {
    const struct query_value *value = &term->values[at];
    size_t digits = only_digits(value), n = 1;
    str_reset(number);
    if (digits == 0 || digits > 3 || value->low.number == 0)
        return 1;
    str_add(number, value->low.text);
    while (at + n < term->n_values && only_digits(&term->values[at + n]) == 3)
        str_add(number, term->values[at + n++].low.text);
    return n;
}

/* A list of which the numbers may be groups: 8,462,1200. */
static bool read_as_groups(struct query_node *term, struct arena *arena) {
    struct str number;
    const char *reason;
    size_t n = 0, groups;
    bool good = reading_is_asked(term, QUERY_NUMBER);
    str_init(&number, QUERY_TEXT_MAX);
    for (size_t at = 0; good && at < term->n_values; at += groups) {
        groups = groups_at(term, at, &number);
        term->values[n] = term->values[at];
        good = groups == 1 || value_number(arena, number.s, number.len, &term->values[n].low, &reason);
        n++;
    }
    bool fewer = good && n < term->n_values;
    term->n_values = good ? n : term->n_values;
    str_clear(&number);
    return fewer;
}

/* An integer that may have points between its groups; without them. */
static bool add_whole(struct str *out, const char *text) {
    static const char digits[] = "0123456789";
    size_t sign = *text == '-', n = strspn(text + sign, digits), at = sign + n;
    if (n == 0 || (text[at] == '.' && n > 3))
        return false;
    str_add_n(out, text, at);
    if (text[at] == '.' && strspn(text + at + 1, digits) == 3) {
        str_add_n(out, text + at + 1, 3);
        at += 4;
    }
    return text[at] == '\0';
}

/* Most of Europe writes 84.62 as 84,62. */
static bool read_as_decimals(struct query_node *term, struct arena *arena) {
    struct str number;
    const char *reason;
    if (!reading_is_asked(term, QUERY_NUMBER) || term->n_values != 2 || term->values->is_range ||
        !term->values->low.text || only_digits(&term->values[1]) == 0 || only_digits(&term->values[1]) > 3)
        return false;
    str_init(&number, QUERY_TEXT_MAX);
    bool is = add_whole(&number, term->values->low.text);
    str_addf(&number, ".%s", term->values[1].low.text);
    is = is && value_number(arena, number.s, number.len, &term->values->low, &reason);
    term->n_values = is ? 1 : term->n_values;
    str_clear(&number);
    return is;
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

bool reading_in_units(struct query_node *term, struct arena *arena) {
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

/* !declined */
static bool read_as_not(struct query_node *word, struct arena *arena) {
    if (word->kind != QUERY_SEARCH || word->values->quoted || word->values->text[0] != '!' || !word->values->text[1])
        return false;
    struct query_node *other = node_copy(arena, word), *next = word->next;
    other->values->text++;
    *word = (struct query_node){.kind = QUERY_NOT, .first = other, .next = next, .field = QUERY_ANY_FIELD};
    return true;
}

static const char AS_WRITTEN[] = "as written it finds nothing;";

static const struct reading READINGS[] = {
    {read_as_cut, AS_WRITTEN},
    {read_as_list, "commas part the groups of one number; as a list,"},
    {read_as_groups, "commas part a list; as the groups of a number,"},
    {read_as_decimals, "commas part a list; as a decimal point,"},
    {reading_in_units, "integers are as served;"},
    {read_as_beginning, AS_WRITTEN},
    {read_anywhere, AS_WRITTEN},
    {read_without_stars, AS_WRITTEN},
    {read_as_not, "not is written with -;"},
};

const struct reading *reading_at(size_t i) {
    return i < COUNT_OF(READINGS) ? &READINGS[i] : NULL;
}
