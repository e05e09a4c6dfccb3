/* What stands for other text of the filter language: a saved filter's name, an operator without its field, an amount to
 * a tenth. */
#include "parser.h"
#include "scan.h"

#include <string.h>

/* The terms of a saved filter get the place of its name, so that faults point there. */
static void stand_at(struct query_node *node, size_t at, size_t end) {
    for (; node; node = node->next) {
        node->at = at;
        node->end = end;
        stand_at(node->first, at, end);
    }
}

/* For other text in the place of what is parsed. */
static struct parser parser_within(const struct parser *p, const char *text, size_t len, struct query_fault *fault) {
    return (struct parser){.text = text,
                           .len = len,
                           .depth = p->depth,
                           .terms = p->terms,
                           .views = p->views,
                           .options = p->options,
                           .arena = p->arena,
                           .fault = fault};
}

/* NAME, for one who typed that of a colleague's OWNER/NAME. */
static bool is_of_somebody(const char *saved, const char *name) {
    const char *last = strrchr(saved, '/');
    return last && strcmp(last + 1, name) == 0;
}

/* The fault says that there is none, and gives similar names. */
static void fail_unsaved(struct parser *p, size_t at, const char *name) {
    const struct query_views *views = &p->options->views;
    const char *names[QUERY_VIEWS_MAX], *filter, *saved, *others = NULL;
    size_t n = 0;
    for (size_t i = 0; views->at && (saved = views->at(views->of, i, &filter)) != NULL; i++) {
        if (n < QUERY_VIEWS_MAX)
            names[n++] = saved;
        others = others || !is_of_somebody(saved, name) ? others : saved;
    }
    if (!*name)
        parse_fail(p, at, p->at, "the name of a saved view is missing after @");
    parse_fail(p, at, p->at, "no view is saved as \"%.*s\"", parse_shown(strlen(name)), name);
    p->fault->n_near = others ? 1 : query_name_near(name, strlen(name), names, n, p->fault->near);
    if (others)
        p->fault->near[0] = others;
}

/* The filter saved as `name`; NULL, with a fault: there is none, or it cannot be used. */
static const char *find_saved(struct parser *p, size_t at, const char *name) {
    const struct query_views *views = &p->options->views;
    const char *filter = NULL, *saved;
    for (size_t i = 0; views->at && (saved = views->at(views->of, i, &filter)) != NULL; i++) {
        if (strcmp(saved, name) != 0)
            continue;
        if (!filter)
            parse_fail(p, at, p->at, "view %.*s cannot be used here: the list of views says why",
                       parse_shown(strlen(name)), name);
        return filter;
    }
    fail_unsaved(p, at, name);
    return NULL;
}

/* The terms of a saved filter, as if they were written here in parentheses. */
static struct query_node *parse_saved(struct parser *p, size_t at, const char *name) {
    const char *text = find_saved(p, at, name);
    struct query_fault fault = {0};
    if (!text)
        return NULL;
    if (p->views == QUERY_VIEWS_DEPTH_MAX) {
        parse_fail(p, at, p->at, "saved views name each other without end");
        return NULL;
    }
    struct plain plain;
    plain_take(p->arena, text, strlen(text), &plain);
    struct parser inner = parser_within(p, plain.text.s, plain.text.len, &fault);
    inner.views++;
    struct query_node *node = parse_whole(&inner);
    str_clear(&plain.text);
    p->terms = inner.terms;
    if (inner.code != ERR_OK && p->views > 0)
        parse_fail(p, at, p->at, "%s", fault.reason); /* the name that was typed comes first */
    else if (inner.code != ERR_OK)
        parse_fail(p, at, p->at, "view %.*s: %s", parse_shown(strlen(name)), name, fault.reason);
    else if (!node)
        parse_fail(p, at, p->at, "view %.*s has no filter", parse_shown(strlen(name)), name);
    stand_at(node, at, p->at);
    return p->code == ERR_OK ? node : NULL;
}

/* Text of ours in the place of what was typed up to p->at; NULL: it is no filter. */
static struct query_node *parse_instead(struct parser *p, size_t at, const char *text) {
    struct query_fault fault = {0};
    struct parser inner = parser_within(p, text, strlen(text), &fault);
    struct query_node *node = parse_whole(&inner);
    if (inner.code != ERR_OK)
        return NULL;
    p->terms = inner.terms;
    stand_at(node, at, p->at);
    return node;
}

/* Bytes of the blank that ends at `at`, 0: none. */
static size_t blank_before(const char *text, size_t at) {
    enum { BLANK_MOST = 3 };
    for (size_t n = 1; n <= BLANK_MOST && n <= at; n++)
        if (scan_blank(text + at - n, n) == n)
            return n;
    return 0;
}

/* Where a blank parts a field from its operator, the operator does not stand alone. */
static bool is_behind_field(const struct parser *p, size_t at) {
    size_t end = at, n;
    while ((n = blank_before(p->text, end)) > 0)
        end -= n;
    size_t from = end;
    while (from > 0 && !strchr("()|-", p->text[from - 1]) && blank_before(p->text, from) == 0)
        from--;
    return from < end && query_field_find(p->text + from, end - from) != QUERY_FIELD_COUNT;
}

/* An operator where a term begins, with something behind it. */
bool parse_stands_alone(const struct parser *p, size_t op_at, size_t end, enum query_op op) {
    return op_at < end && op_at == p->at && op != QUERY_OP_NE && op_at + scan_op_len(op) < end &&
           !is_behind_field(p, op_at);
}

/* `:tue`, `>=5000`: an operator without a field is of the amount where a number follows, else of the time. */
struct query_node *parse_fieldless(struct parser *p, enum query_op op) {
    static const enum query_field_code FIELDS[] = {QUERY_AMOUNT_FIELD, QUERY_CREATED_FIELD};
    size_t at = p->at, end = scan_run(p->text, p->len, at, false);
    struct query_node *node = NULL;
    struct str text;
    p->at = end;
    for (size_t i = 0; i < COUNT_OF(FIELDS) && !node; i++) {
        str_init(&text, QUERY_TEXT_MAX);
        str_add(&text, query_field(FIELDS[i])->name);
        str_add_n(&text, p->text + at, end - at);
        node = parse_instead(p, at, text.s);
        str_clear(&text);
    }
    if (!node)
        parse_fail(p, at, at + scan_op_len(op),
                   "a field name is missing before %s: without one stands a time, or an amount", query_op_text(op));
    return node;
}

bool parse_is_about(const struct parser *p) {
    return value_is_about(p->text + p->at, scan_run(p->text, p->len, p->at, false) - p->at);
}

static void add_decimal(struct str *out, long long number, int decimals) {
    str_addf(out, "%0*lld", decimals + 1, number);
    if (decimals > 0)
        str_insert(out, out->len - (size_t)decimals, ".", 1);
}

/* A tenth less to a tenth more; of whole numbers as served, the whole ones within. */
static struct query_node *parse_tenth(struct parser *p, size_t at, const struct query_scalar *about) {
    enum { NINE = 9, TEN = 10, ELEVEN = 11 };
    bool whole = p->options->unit == MONEY_RAW && about->scale == 0;
    long long low = about->number * NINE, high = about->number * ELEVEN;
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    str_add(&text, "amount:");
    add_decimal(&text, whole ? (low + TEN - 1) / TEN : low, whole ? 0 : about->scale + 1);
    str_add(&text, "..");
    add_decimal(&text, whole ? high / TEN : high, whole ? 0 : about->scale + 1);
    struct query_node *node = parse_instead(p, at, text.s);
    str_clear(&text);
    return node;
}

/* `~50`: an amount within a tenth of it, as the list shows amounts. */
struct query_node *parse_about(struct parser *p) {
    static const long long NUMBER_MOST = 999999999999999;
    size_t at = p->at, end = scan_run(p->text, p->len, at, false);
    struct query_scalar about;
    const char *reason;
    struct query_node *node = NULL;
    p->at = end;
    if (value_number(p->arena, p->text + at + 1, end - at - 1, &about, &reason) && about.number <= NUMBER_MOST)
        node = parse_tenth(p, at, &about);
    if (!node)
        parse_fail(p, at, end, "about how much is a number of 15 digits at most, as in ~50");
    return node;
}

struct query_node *parse_view(struct parser *p) {
    size_t at = p->at++, end = scan_run(p->text, p->len, p->at, false);
    const char *name = arena_dup_n(p->arena, p->text + p->at, end - p->at);
    p->at = end;
    return parse_saved(p, at, name);
}
