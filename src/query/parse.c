#include "query/query.h"

#include "base/utf8.h"
#include "parser.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

void parse_fail(struct parser *p, size_t at, size_t end, const char *format, ...) {
    if (p->code != ERR_OK)
        return;
    struct error line = {.code = ERR_OK};
    va_list args;
    va_start(args, format);
    p->code = error_vset(&line, ERR_USAGE, format, args);
    va_end(args);
    *p->fault = (struct query_fault){.at = at, .end = end};
    size_t len = strnlen(line.text, sizeof p->fault->reason - 1);
    len = utf8_cut(line.text, len, (int)len, NULL);
    memcpy(p->fault->reason, line.text, len);
}

static void parse_skip_blanks(struct parser *p) {
    size_t n;
    while ((n = scan_blank(p->text + p->at, p->len - p->at)) > 0)
        p->at += n;
}

static bool next_is_at(const struct parser *p, size_t at, char c) {
    return at < p->len && p->text[at] == c;
}

static bool next_is(const struct parser *p, char c) {
    return next_is_at(p, p->at, c);
}

static struct query_node *node_new(struct parser *p, enum query_kind kind, size_t at) {
    struct query_node *node = arena_new(p->arena, sizeof *node);
    node->kind = kind;
    node->at = at;
    node->end = p->at;
    node->field = QUERY_ANY_FIELD;
    return node;
}

/* The text between the quotes at at..end. */
static const char *unquote(struct parser *p, size_t at, size_t end) {
    char *out = arena_dup_n(p->arena, p->text + at + 1, end - at - 2);
    char *to = out;
    for (const char *from = out; *from; from++) {
        if (*from == '\\' && (from[1] == '"' || from[1] == '\\'))
            from++;
        *to++ = *from;
    }
    *to = '\0';
    return out;
}

/* One written value, quoted or not; NULL where there is none. */
static const char *parse_read_text(struct parser *p, bool value, bool *quoted, size_t *len) {
    size_t start = p->at;
    *quoted = next_is(p, '"');
    if (*quoted) {
        if (!scan_quoted(p->text, p->len, start, &p->at)) {
            parse_fail(p, start, p->len, "this quote is not closed");
            return NULL;
        }
        const char *text = unquote(p, start, p->at);
        *len = strlen(text);
        return text;
    }
    p->at = p->grouped > start ? p->grouped : scan_run(p->text, p->len, start, value);
    *len = p->at - start;
    return *len > 0 ? arena_dup_n(p->arena, p->text + start, *len) : NULL;
}

/* With values that may have been meant, or all that there are. */
static void fail_flag(struct parser *p, size_t at, enum query_field_code field, const char *text) {
    const char *near[QUERY_NEAR_MAX] = {NULL}, *word;
    size_t n_near = query_known_near(field, text, strlen(text), near);
    struct str words;
    str_init(&words, QUERY_TEXT_MAX);
    for (size_t i = 0; n_near == 0 && (word = query_field_known(field, i)); i++)
        str_addf(&words, "%s%s", i > 0 ? ", " : ": ", word);
    parse_fail(p, at, p->at, "%s knows nothing called \"%.*s\"%s", query_field(field)->name, parse_shown(strlen(text)),
               text, words.s);
    p->fault->n_near = n_near;
    memcpy(p->fault->near, near, sizeof near);
    str_clear(&words);
}

static void parse_read_flag(struct parser *p, size_t at, enum query_field_code field, struct query_value *value,
                            const char *text) {
    value->flag = query_flag_find(field, text, strlen(text));
    if (value->flag == QUERY_FLAG_COUNT)
        fail_flag(p, at, field, text);
    else if (value->flag == QUERY_IS_MARKED && !p->options->console)
        parse_fail(p, at, p->at, "is:marked works in the console only, where rows are marked");
    else if (value->flag == QUERY_IS_VERIFIED && !p->options->events)
        parse_fail(p, at, p->at, "is:verified is of received events only: webhook events has them");
    else if (p->options->events && !query_flag_is_of_events(value->flag))
        parse_fail(p, at, p->at, "of events there are is:verified, has:status, has:type and has:user alone");
}

static bool read_scalar(struct parser *p, size_t at, enum query_field_code field, const char *text, size_t len,
                        struct query_scalar *out) {
    const char *reason = "";
    enum query_type type = query_field(field)->type;
    bool number = type == QUERY_NUMBER;
    bool good = (number               ? value_number
                 : type == QUERY_SPAN ? value_age
                                      : value_time)(p->arena, text, len, out, &reason);
    if (!good) {
        parse_fail(p, at, p->at, "\"%.*s\": %s", parse_shown(len), text, reason);
        p->fault->n_near = query_known_near(field, text, len, p->fault->near);
    } else if (number && out->scale > 0 && p->options->unit == MONEY_RAW) {
        parse_fail(p, at, p->at, "\"%.*s\": the unit of amounts is not known here, so write the integer as served",
                   parse_shown(len), text);
    }
    return p->code == ERR_OK;
}

static void check_single(struct parser *p, size_t at, const struct query_node *term, const struct query_value *value) {
    bool ordered = term->op == QUERY_OP_COLON || term->op == QUERY_OP_EQ || term->op == QUERY_OP_NE;
    if (ordered && term->field == QUERY_CREATED_FIELD && period_is_ago(value))
        parse_fail(p, at, p->at, "%s is one instant: write created>=%s for everything since", value->low.text,
                   value->low.text);
}

static void check_order(struct parser *p, size_t at, const struct query_node *term, const struct query_value *value) {
    enum query_type type = query_field(term->field)->type;
    bool backwards = type == QUERY_NUMBER ? value_is_less(&value->high, &value->low)
                     : type == QUERY_SPAN ? period_is_younger(&value->low, &value->high)
                                          : period_is_backwards(&value->low, &value->high);
    if (backwards)
        parse_fail(p, at, p->at, "this range runs backwards: nothing is between %.*s and %.*s",
                   parse_shown(strlen(value->low.text)), value->low.text, parse_shown(strlen(value->high.text)),
                   value->high.text);
}

static void read_ordered(struct parser *p, size_t at, const struct query_node *term, struct query_value *value,
                         const char *text) {
    size_t len = strlen(text);
    const char *dots = memmem(text, len, "..", 2);
    if (!dots) {
        if (read_scalar(p, at, term->field, text, len, &value->low))
            check_single(p, at, term, value);
        return;
    }
    size_t before = (size_t)(dots - text), after = len - before - 2;
    value->is_range = true;
    if (term->op != QUERY_OP_COLON && term->op != QUERY_OP_EQ && term->op != QUERY_OP_NE)
        parse_fail(p, at, p->at, "a range goes with : = or != only");
    else if (before == 0 && after == 0)
        parse_fail(p, at, p->at, "a range needs a start or an end");
    else if (before == 0 || read_scalar(p, at, term->field, text, before, &value->low)) {
        if (after > 0 && read_scalar(p, at, term->field, dots + 2, after, &value->high) && before > 0)
            check_order(p, at, term, value);
    }
}

static void fail_star(struct parser *p, size_t at, const char *text) {
    struct str reason;
    str_init(&reason, 256);
    pattern_say_inner(text, (size_t)parse_shown(strlen(text)), &reason);
    parse_fail(p, at, p->at, "%s", reason.s);
    str_clear(&reason);
}

/* lead: a star or an ellipsis was before the quote. */
static void read_words(struct parser *p, size_t at, const struct query_node *term, struct query_value *value,
                       bool quoted, bool lead) {
    const struct query_field *field = query_field(term->field);
    const char *text = value->text;
    value->prefix = quoted && next_is(p, '*') && pattern_may_stand(term->field, term->op);
    value->suffix = lead && (term->field != QUERY_MASK_FIELD || value->prefix); /* a mask has its end anyway */
    p->at += value->prefix ? 1 : 0;
    if (!quoted && !pattern_take(p->arena, term->field, term->op, value)) {
        fail_star(p, at, text);
        return;
    }
    bool whole = !value->prefix && !value->suffix && (term->op != QUERY_OP_COLON || field->sense == QUERY_EQUAL);
    if (whole && value->text[0] == '\0')
        return;
    if (pattern_is_nothing(value->text))
        parse_fail(p, at, p->at, "nothing to look for: every row would match%s",
                   *text == '\0' || quoted ? "" : "; leave the term out, or write what it begins or ends with");
}

/* Numbers are typed with their groups, as the screen shows them: `8,462` is one number. Where the commas could also
 * separate a list, the filter is refused with both readings. */
static void take_groups(struct parser *p, const struct query_node *term) {
    size_t at = p->at, end = at;
    while (end < p->len && (next_is_at(p, end, ',') || scan_run(p->text, p->len, end, true) > end))
        end = next_is_at(p, end, ',') ? end + 1 : scan_run(p->text, p->len, end, true);
    if (query_field(term->field)->type != QUERY_NUMBER || !memchr(p->text + at, ',', end - at))
        return;
    enum value_groups groups = value_groups(p->text + at, end - at);
    if (groups == VALUE_GROUPED)
        p->grouped = end;
    else if (groups == VALUE_GROUPS_MIXED)
        parse_fail(p, at, end, "\"%.*s\" may be one number or several: write numbers without commas inside, %s",
                   parse_shown(end - at), p->text + at, "and with a point before the decimals");
}

static void parse_read_value(struct parser *p, struct query_node *term, struct query_value *value) {
    size_t at = p->at, len = 0;
    bool quoted;
    if (term->n_values == 0)
        take_groups(p, term);
    size_t lead = pattern_may_stand(term->field, term->op) ? pattern_lead(p->text + at) : 0;
    p->at += next_is_at(p, at + lead, '"') ? lead : 0;
    const char *text = parse_read_text(p, true, &quoted, &len);
    if (!text || (len == 0 && query_field(term->field)->type >= QUERY_NUMBER)) {
        parse_fail(p, at, p->at, "a value is missing after %s%s", query_field(term->field)->name,
                   query_op_text(term->op));
        return;
    }
    switch (query_field(term->field)->type) {
    case QUERY_FLAG:
        parse_read_flag(p, at, term->field, value, text);
        break;
    case QUERY_NUMBER:
    case QUERY_TIME:
    case QUERY_SPAN:
        value->typed = p->grouped > at ? text : NULL;
        read_ordered(p, at, term, value, text);
        break;
    case QUERY_WORD:
    case QUERY_ID:
    case QUERY_TEXT:
        value->text = text;
        read_words(p, at, term, value, quoted, quoted && lead > 0);
        break;
    }
}

static void parse_read_values(struct parser *p, struct query_node *term) {
    struct {
        struct query_value *items;
        size_t n, cap;
    } values = {0};
    bool single = term->op != QUERY_OP_COLON && term->op != QUERY_OP_EQ && term->op != QUERY_OP_NE;
    do {
        if (values.n > 0)
            p->at++;
        term->n_values = values.n;
        if (values.n == QUERY_VALUES_MAX)
            parse_fail(p, p->at, p->len, "more than %d values in one term", QUERY_VALUES_MAX);
        else if (values.n > 0 && single)
            parse_fail(p, p->at - 1, p->at, "%s takes one value", query_op_text(term->op));
        else
            parse_read_value(p, term, vec_add(&values));
    } while (p->code == ERR_OK && next_is(p, ','));
    term->n_values = values.n;
    term->values = arena_new(p->arena, (values.n + 1) * sizeof *values.items);
    if (values.n > 0)
        memcpy(term->values, values.items, values.n * sizeof *values.items);
    free(values.items);
}

static void fail_operator(struct parser *p, size_t at, const struct query_field *field) {
    struct str list;
    str_init(&list, 64);
    for (unsigned op = 0; op < QUERY_OP_COUNT; op++)
        if (field->operators & 1U << op)
            str_addf(&list, " %s", query_op_text((enum query_op)op));
    parse_fail(p, at, p->at, "%s takes%s", field->name, list.s);
    str_clear(&list);
}

static const char EVENT_FIELDS[] = "id, user, status, type, created, hour, weekday, age, and is:verified";

static struct query_node *parse_term(struct parser *p, size_t op_at, enum query_op op) {
    struct query_node *term = node_new(p, QUERY_TERM, p->at);
    size_t start = p->at, len = op_at - start;
    term->field = query_field_find(p->text + start, len);
    term->op = op;
    p->at = op_at + scan_op_len(op);
    if (len == 0) {
        parse_fail(p, start, p->at, "a field name is missing before %s", query_op_text(op));
    } else if (p->text[start] == '!') {
        parse_fail(p, start, start + 1, "not is written with - before the term");
    } else if (term->field == QUERY_FIELD_COUNT) {
        parse_fail(p, start, op_at, "no field is called \"%.*s\"", parse_shown(len), p->text + start);
        p->fault->n_near = query_field_near(p->text + start, len, p->fault->near);
    } else if (p->options->events && !query_field_is_of_events(term->field)) {
        parse_fail(p, start, op_at, "an event has no %s: it has %s", query_field(term->field)->name, EVENT_FIELDS);
    } else if (!(query_field(term->field)->operators & 1U << op)) {
        fail_operator(p, op_at, query_field(term->field));
    } else {
        parse_read_values(p, term);
        const char *reason = p->code == ERR_OK ? list_take(p->arena, &p->options->lists, term) : NULL;
        if (reason)
            parse_fail(p, op_at, p->at, "%s", reason);
    }
    term->end = p->at;
    return term;
}

static struct query_node *parse_word(struct parser *p) {
    struct query_node *word = node_new(p, QUERY_SEARCH, p->at);
    size_t at = p->at, len = 0;
    bool quoted;
    word->n_values = 1;
    word->values = arena_new(p->arena, sizeof *word->values);
    word->values->text = parse_read_text(p, false, &quoted, &len);
    word->values->quoted = quoted;
    if (word->values->text && !quoted)
        word->values->text = pattern_strip(p->arena, word->values->text);
    word->end = p->at;
    if (p->code == ERR_OK && (!word->values->text || pattern_is_nothing(word->values->text)))
        parse_fail(p, at, p->at, "nothing to look for: every row would match");
    return word;
}

static struct query_node *parse_any(struct parser *p);

static struct query_node *parse_group(struct parser *p) {
    size_t open = p->at++;
    if (++p->depth > QUERY_DEPTH_MAX) {
        parse_fail(p, open, open + 1, "more than %d parentheses inside each other", QUERY_DEPTH_MAX);
        return NULL;
    }
    parse_skip_blanks(p);
    if (next_is(p, ')')) {
        parse_fail(p, open, p->at + 1, "nothing between the parentheses");
        return NULL;
    }
    struct query_node *node = parse_any(p);
    if (next_is(p, ')'))
        p->at++;
    else
        parse_fail(p, open, open + 1, "this parenthesis is not closed");
    p->depth--;
    return node;
}

static struct query_node *parse_primary(struct parser *p) {
    if (next_is(p, '('))
        return parse_group(p);
    if (next_is(p, '@'))
        return parse_view(p);
    if (parse_is_about(p))
        return parse_about(p);
    enum query_op op;
    size_t end = scan_run(p->text, p->len, p->at, false), op_at = scan_op(p->text, p->at, end, &op);
    if (parse_stands_alone(p, op_at, end, op))
        return parse_fieldless(p, op);
    if (++p->terms > QUERY_TERMS_MAX)
        parse_fail(p, p->at, p->len, "more than %d terms", QUERY_TERMS_MAX);
    return op_at < end ? parse_term(p, op_at, op) : parse_word(p);
}

static bool at_end_of_unary(const struct parser *p) {
    return p->at >= p->len || next_is(p, ')') || next_is(p, '|') || scan_blank(p->text + p->at, p->len - p->at) > 0;
}

static struct query_node *parse_unary(struct parser *p) {
    size_t start = p->at;
    bool negated = next_is(p, '-');
    p->at += negated ? 1 : 0;
    if (negated && (at_end_of_unary(p) || next_is(p, '-'))) {
        parse_fail(p, start, p->at, "a term or a group is missing after -");
        return NULL;
    }
    struct query_node *node = parse_primary(p);
    if (p->code == ERR_OK && !at_end_of_unary(p))
        parse_fail(p, p->at, p->at + 1,
                   "a blank is missing before this; a value with such characters is written in quotes");
    if (!negated || p->code != ERR_OK)
        return node;
    struct query_node *not = node_new(p, QUERY_NOT, start);
    not ->first = node;
    return not ;
}

/* A group with one child is replaced by the child. */
static struct query_node *joined(struct parser *p, enum query_kind kind, size_t start, struct query_node *first) {
    if (!first || !first->next)
        return first;
    struct query_node *node = node_new(p, kind, start);
    node->first = first;
    return node;
}

static bool is_number_term(const struct query_node *node) {
    return node->kind == QUERY_TERM && query_field(node->field)->type == QUERY_NUMBER;
}

/* A bare word of digits, perhaps with decimals: the rest of a number whose groups are separated by blanks. */
static bool parse_is_digits(const struct query_node *node) {
    const char *text = node->kind == QUERY_SEARCH ? node->values->text : "";
    return *text && text[strspn(text, "0123456789.,")] == '\0';
}

static struct query_node *parse_all(struct parser *p) {
    size_t start = p->at;
    struct query_node *first = NULL, **last = &first, *before = NULL;
    while (p->code == ERR_OK && p->at < p->len && !next_is(p, ')') && !next_is(p, '|')) {
        bool saved = next_is(p, '@');
        size_t at = p->at;
        *last = parse_unary(p);
        if (*last && before && is_number_term(before) && p->text[at] >= '0' && p->text[at] <= '9' &&
            parse_is_digits(*last))
            parse_fail(p, at, p->at, "a number has no blanks, or stands in quotes: \"5 000\"; so do digits behind it");
        before = *last;
        /* The terms of a saved filter become siblings of the others, so that the service's part is found among them. */
        if (*last && saved && (*last)->kind == QUERY_ALL)
            *last = (*last)->first;
        while (*last)
            last = &(*last)->next;
        parse_skip_blanks(p);
    }
    return joined(p, QUERY_ALL, start, first);
}

static struct query_node *parse_any(struct parser *p) {
    size_t start = p->at;
    struct query_node *first = NULL, **last = &first;
    for (;;) {
        size_t at = p->at;
        struct query_node *node = parse_all(p);
        if (p->code != ERR_OK)
            return NULL;
        if (!node) {
            bool before = next_is(p, '|');
            if (before && p->at > 0 && p->text[p->at - 1] == '|')
                parse_fail(p, p->at, p->at + 1, "or is written with one |");
            parse_fail(p, before ? p->at : at, before ? p->at + 1 : at, "a term is missing %s |",
                       before ? "before" : "after");
            return NULL;
        }
        *last = node;
        last = &node->next;
        if (!next_is(p, '|'))
            return joined(p, QUERY_ANY, start, first);
        p->at++;
        parse_skip_blanks(p);
    }
}

/* Bytes that no filter may have, since the program shows and compares it as text. */
static void check_bytes(struct parser *p) {
    int32_t cp;
    for (size_t at = 0, n; at < p->len && p->code == ERR_OK; at += n) {
        n = utf8_decode(p->text + at, p->len - at, &cp);
        if (cp == UTF8_REPLACEMENT && !utf8_is_valid(p->text + at, n))
            parse_fail(p, at, at + n, "not text in UTF-8");
        else if ((cp < 0x20 || (cp >= 0x7F && cp < 0xA0)) && scan_blank(p->text + at, 1) == 0)
            parse_fail(p, at, at + n, "a control character");
    }
}

struct query_node *parse_whole(struct parser *p) {
    parse_skip_blanks(p);
    if (p->at >= p->len || p->code != ERR_OK)
        return NULL;
    if (next_is(p, ')')) {
        parse_fail(p, p->at, p->at + 1, "no parenthesis is open here");
        return NULL;
    }
    struct query_node *root = parse_any(p);
    if (p->code == ERR_OK && p->at < p->len)
        parse_fail(p, p->at, p->at + 1, "no parenthesis is open here");
    return root;
}

static void check_printed(struct parser *p, const struct query *query) {
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    query_print(query, &text);
    if (text.truncated) {
        parse_fail(p, 0, p->len, "longer than %d bytes when written out", QUERY_TEXT_MAX);
        p->code = ERR_LIMIT;
    }
    str_clear(&text);
}

static void parse_plain(struct parser *p, struct query *query) {
    struct plain plain;
    const char *typed = p->text;
    size_t len = p->len;
    plain_take(p->arena, typed, len, &plain);
    p->text = plain.text.s;
    p->len = plain.text.len;
    query->root = parse_whole(p);
    plain_place_back(query->root, &plain);
    if (p->code != ERR_OK) {
        p->fault->at = plain_place(&plain, p->fault->at);
        p->fault->end = plain_place(&plain, p->fault->end);
    }
    p->text = typed;
    p->len = len;
    str_clear(&plain.text);
}

static enum err parse_report(const struct parser *p, struct error *error) {
    struct str near;
    str_init(&near, 128);
    for (size_t i = 0; i < p->fault->n_near; i++)
        str_addf(&near, "%s%s", i > 0 ? ", " : " (", p->fault->near[i]);
    str_add(&near, near.len > 0 ? "?)" : "");
    error_set(error, p->code, "at %zu: %s%s", utf8_count(p->text, p->fault->at) + 1, p->fault->reason, near.s);
    str_clear(&near);
    return p->code;
}

enum err query_parse(const char *text, const struct query_options *options, struct query **out,
                     struct query_fault *fault, struct error *error) {
    struct query_fault unread_fault = {0};
    struct query *query = mem_new(sizeof *query);
    struct parser p = {.text = text, .len = strlen(text), .options = options, .arena = &query->arena};
    p.fault = fault ? fault : &unread_fault;
    *p.fault = (struct query_fault){0};
    *out = NULL;
    if (p.len > QUERY_TEXT_MAX) {
        parse_fail(&p, QUERY_TEXT_MAX, p.len, "longer than %d bytes", QUERY_TEXT_MAX);
        p.code = ERR_LIMIT;
    } else {
        check_bytes(&p);
        if (p.code == ERR_OK)
            parse_plain(&p, query);
    }
    if (p.code == ERR_OK)
        check_printed(&p, query);
    if (p.code != ERR_OK) {
        query_free(query);
        return parse_report(&p, error);
    }
    *out = query;
    return ERR_OK;
}
