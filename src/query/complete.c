#include "query/complete.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

/* The token under the cursor: an optional -, a run, and where its operator stands. */
struct place {
    const char *text;
    size_t start, op_at, value, cursor, end; /* op_at == end of run: no operator */
    bool has_op, quoted;
    bool events; /* the filter is of events */
    enum query_op op;
    enum query_field_code field;
};

/* The end of the term at `at`: its run of plain characters and the quoted parts in it. */
static size_t token_end(const char *s, size_t len, size_t at) {
    while (at < len) {
        size_t next = scan_run(s, len, at, false);
        if (next < len && s[next] == '"')
            (void)scan_quoted(s, len, next, &next);
        else if (next == at)
            return at;
        at = next;
        if (at >= len || s[at - 1] != '"')
            return scan_run(s, len, at, false);
    }
    return at;
}

static size_t token_start(const char *s, size_t len, size_t cursor) {
    size_t at = 0;
    while (at < cursor) {
        size_t blank = scan_blank(s + at, len - at);
        bool mark = s[at] == '(' || s[at] == ')' || s[at] == '|';
        size_t end = blank > 0 ? at + blank : mark ? at + 1 : token_end(s, len, at);
        if (blank == 0 && !mark && (end >= cursor || end == at))
            return at;
        at = end;
    }
    return cursor;
}

/* The value that the cursor is in starts after the operator, the last comma or the last `..` before it. */
static void find_value(struct place *p) {
    size_t at = p->op_at + scan_op_len(p->op);
    p->value = at;
    while (at < p->cursor) {
        if (p->text[at] == '"') {
            (void)scan_quoted(p->text, p->cursor, at, &at);
            continue;
        }
        bool dots =
            query_field(p->field)->type == QUERY_TIME && at + 1 < p->cursor && memcmp(p->text + at, "..", 2) == 0;
        at += dots ? 2 : 1;
        if (dots || p->text[at - 1] == ',')
            p->value = at;
    }
    p->quoted = p->value < p->cursor && p->text[p->value] == '"';
}

static struct place complete_find_place(const char *text, size_t len, size_t cursor) {
    struct place p = {.text = text, .cursor = cursor, .field = QUERY_FIELD_COUNT};
    p.start = token_start(text, len, cursor);
    if (p.start < cursor && text[p.start] == '-')
        p.start++;
    p.end = token_end(text, len, p.start);
    if (p.end < cursor)
        p.end = cursor;
    size_t run = scan_run(text, len, p.start, false);
    p.op_at = scan_op(text, p.start, run, &p.op);
    p.has_op = p.op_at < run && p.op_at + scan_op_len(p.op) <= cursor;
    p.field = query_field_find(text + p.start, (p.has_op ? p.op_at : p.end) - p.start);
    if (p.has_op && p.field < QUERY_FIELD_COUNT)
        find_value(&p);
    return p;
}

static void complete_add_item(struct query_completion *out, enum query_item_kind kind, char *text, const char *help,
                              int64_t count) {
    if (out->n == QUERY_ITEMS_MAX) {
        free(text);
        return;
    }
    *vec_add(out) = (struct query_item){.kind = kind, .text = text, .help = mem_dup(help), .count = count};
}

struct wanted {
    struct query_completion *out;
    const char *typed;
    size_t len;
    bool events;
    bool term; /* whole terms `field:value` are offered for a bare word */
    enum query_field_code field;
    bool part;   /* what is typed may be anywhere in a value */
    bool inside; /* in some value it was not at the beginning */
};

static bool complete_fits(struct wanted *wanted, const char *text) {
    struct str value, typed;
    str_init(&value, 4 * QUERY_TEXT_MAX);
    str_init(&typed, 4 * QUERY_TEXT_MAX);
    utf8_fold(&value, text, strlen(text));
    utf8_fold(&typed, wanted->typed, wanted->len);
    bool begins = str_starts(value.s, typed.s);
    bool fit = begins || (wanted->part && strstr(value.s, typed.s));
    wanted->inside = wanted->inside || (fit && !begins);
    str_clear(&value);
    str_clear(&typed);
    return fit;
}

static void drop_last(struct query_completion *out) {
    out->n--;
    free(out->items[out->n].text);
    free(out->items[out->n].help);
}

static bool complete_is_offered(const struct query_completion *out, const char *text) {
    for (size_t i = 0; i < out->n; i++)
        if (strcmp(out->items[i].text, text) == 0)
            return true;
    return false;
}

static void offer(struct wanted *wanted, const char *value, const char *help, int64_t count) {
    if (!complete_fits(wanted, value))
        return;
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    if (wanted->term)
        str_addf(&text, "%s:", query_field(wanted->field)->name);
    query_quote(&text, value);
    if (!text.truncated && !complete_is_offered(wanted->out, text.s))
        complete_add_item(wanted->out, wanted->term ? QUERY_ITEM_TERM : QUERY_ITEM_VALUE, str_take(&text), help, count);
    str_clear(&text);
}

/* Kept sorted by insertion, the most frequent first, so that the cap drops the rarest. */
static void found(void *to, const char *value, int64_t count) {
    struct wanted *wanted = to;
    struct query_completion *out = wanted->out;
    if (!complete_fits(wanted, value))
        return;
    if (out->n == QUERY_ITEMS_MAX) {
        if (out->items[out->n - 1].count >= count)
            return;
        drop_last(out);
    }
    size_t before = out->n;
    offer(wanted, value, NULL, count);
    if (out->n == before)
        return;
    struct query_item item = out->items[out->n - 1];
    size_t at = out->n - 1;
    for (; at > 0 && out->items[at - 1].count < count; at--)
        out->items[at] = out->items[at - 1];
    out->items[at] = item;
}

/* -7d is an instant: no time equals it, but times can be after it. */
static bool complete_is_instant(const char *value, enum query_field_code field) {
    return value[0] == '-' && query_field(field)->type == QUERY_TIME;
}

static bool compares(enum query_op op) {
    return op == QUERY_OP_GE || op == QUERY_OP_GT || op == QUERY_OP_LE || op == QUERY_OP_LT;
}

/* Behind a bare word the field of that name is what is meant: it is offered behind `has:` alone. */
static bool is_behind_has(const struct wanted *wanted, enum query_flag flag) {
    return wanted->term && flag >= QUERY_HAS_STATUS && flag <= QUERY_HAS_GUARANTEE;
}

/* Of events there are few flags, and their types are not those of payments. */
static bool complete_may_follow(const struct wanted *wanted, enum query_flag flag) {
    if (flag == QUERY_FLAG_COUNT)
        return !wanted->events || wanted->field != QUERY_TYPE_FIELD;
    return wanted->events ? query_flag_is_of_events(flag) : flag != QUERY_IS_VERIFIED;
}

static void complete_add_known(struct wanted *wanted, enum query_op op) {
    const char *value;
    if (wanted->term && wanted->field == QUERY_TRANSITION_FIELD)
        return; /* what begins like a status is one: a change of it is offered behind its field alone */
    for (size_t i = 0; (value = query_field_known(wanted->field, i)); i++) {
        if (complete_is_instant(value, wanted->field) && !compares(op))
            continue;
        enum query_flag flag = query_flag_find(wanted->field, value, strlen(value));
        if (!is_behind_has(wanted, flag) && complete_may_follow(wanted, flag))
            offer(wanted, value, flag < QUERY_FLAG_COUNT ? query_flag_info(flag)->help : NULL, -1);
    }
}

static void complete_add_shown(struct wanted *wanted) {
    const char *shown, *served;
    for (size_t i = 0; (shown = query_field_shown(wanted->field, i, &served)); i++)
        offer(wanted, shown, served, -1);
}

/* False: not all of them begin as what is typed does. */
static bool add_values(struct query_completion *out, const struct place *p, const struct query_seen *seen) {
    const struct query_field *field = query_field(p->field);
    bool instants = field->type == QUERY_TIME;
    struct wanted wanted = {.out = out,
                            .field = p->field,
                            .events = p->events,
                            .part = p->op == QUERY_OP_COLON && field->sense == QUERY_PART};
    out->at = p->value;
    wanted.typed = p->text + p->value + (p->quoted ? 1 : 0);
    wanted.len = (size_t)(p->text + p->cursor - wanted.typed);
    out->end = p->quoted ? p->end : scan_run(p->text, p->end, p->cursor, true);
    if (seen && !instants && field->type != QUERY_NUMBER && field->type != QUERY_SPAN)
        seen->each(seen->context, p->field, found, &wanted);
    complete_add_known(&wanted, p->op);
    complete_add_shown(&wanted);
    return !wanted.inside;
}

static void complete_add_operators(struct query_completion *out, const struct place *p) {
    const struct query_field *field = query_field(p->field);
    size_t typed = p->has_op ? scan_op_len(p->op) : 0;
    for (unsigned op = 0; op < QUERY_OP_COUNT; op++) {
        const char *text = query_op_text((enum query_op)op);
        if (field->operators & 1U << op && strncmp(text, p->text + p->op_at, typed) == 0)
            complete_add_item(out, QUERY_ITEM_OP, mem_dup(text), query_op_help((enum query_op)op), -1);
    }
}

/* What a field says of an event. */
static const char *complete_help_of_events(enum query_field_code code) {
    switch (code) {
    case QUERY_TYPE_FIELD:
        return "type of the event itself, as intent.updated";
    case QUERY_STATUS_FIELD:
        return "status of its intent, as the event says it";
    case QUERY_CREATED_FIELD:
        return "when the event came: a day, month, year or time";
    case QUERY_HOUR_FIELD:
        return "hour of the day at which it came: 0 to 23";
    case QUERY_WEEKDAY_FIELD:
        return "day of the week on which it came: monday to sunday";
    case QUERY_AGE_FIELD:
        return "time since it came: 30m, 12h, 3d";
    default:
        return query_field(code)->help;
    }
}

static void complete_add_names(struct query_completion *out, const struct place *p) {
    size_t len = p->cursor - p->start;
    out->at = p->start;
    out->end = p->end;
    enum query_field_code code;
    for (unsigned rank = 0; query_field_next(&rank, &code);) {
        const struct query_field *field = query_field(code);
        if (p->events && !query_field_is_of_events(code))
            continue;
        if (strlen(field->name) >= len && ascii_compare_n(field->name, p->text + p->start, len) == 0)
            complete_add_item(out, QUERY_ITEM_FIELD, mem_dup(field->name),
                              p->events ? complete_help_of_events(code) : field->help, -1);
    }
    for (unsigned rank = 0; len > 0 && query_field_next(&rank, &code);) {
        struct wanted wanted = {.out = out, .typed = p->text + p->start, .len = len, .term = true, .field = code};
        wanted.events = p->events;
        if (query_field(wanted.field)->type != QUERY_TIME && (!p->events || query_field_is_of_events(code)))
            complete_add_known(&wanted, p->op);
    }
}

static void add_views(struct query_completion *out, const struct place *p, const struct query_views *views) {
    const char *typed = p->text + p->start + 1, *name, *filter;
    size_t len = p->cursor - p->start - 1;
    out->at = p->start;
    out->end = p->end;
    for (size_t i = 0; views && views->at && (name = views->at(views->of, i, &filter)); i++) {
        struct str text;
        str_init(&text, QUERY_TEXT_MAX);
        str_addf(&text, "@%s", name);
        if (strncmp(name, typed, len) == 0)
            complete_add_item(out, QUERY_ITEM_VIEW, str_take(&text),
                              !filter   ? "cannot be used here"
                              : *filter ? filter
                                        : "no filter",
                              -1);
        str_clear(&text);
    }
}

static void find_common(struct query_completion *out) {
    const char *first = out->n > 0 ? out->items[0].text : "";
    size_t len = strnlen(first, sizeof out->common - 1);
    for (size_t i = 1; i < out->n; i++) {
        size_t same = 0;
        while (same < len && out->items[i].text[same] == first[same])
            same++;
        len = same;
    }
    /* A cut inside a character would leave half of it in the text. */
    while (len > 0 && ((unsigned char)first[len] & 0xC0) == 0x80)
        len--;
    memcpy(out->common, first, len);
}

void query_complete(const char *text, size_t at, const struct query_seen *seen, const struct query_views *views,
                    struct query_completion *out) {
    size_t len = strnlen(text, QUERY_TEXT_MAX);
    *out = (struct query_completion){0};
    struct place p = complete_find_place(text, len, at < len ? at : len);
    p.events = seen && seen->events;
    bool alike = true, exact = !p.has_op && p.field < QUERY_FIELD_COUNT && p.cursor == p.end;
    if (p.start < p.cursor && text[p.start] == '@')
        add_views(out, &p, views);
    else if (p.has_op && p.field < QUERY_FIELD_COUNT)
        alike = add_values(out, &p, seen);
    else if (!p.has_op)
        complete_add_names(out, &p);
    else
        out->at = out->end = p.cursor;
    /* The only field, and typed in full: its operators can follow. */
    if (exact && out->n == 1 && out->items[0].kind == QUERY_ITEM_FIELD) {
        drop_last(out);
        out->at = out->end = p.cursor;
        p.op_at = p.cursor;
        complete_add_operators(out, &p);
    }
    if (alike)
        find_common(out);
}

void query_completion_clear(struct query_completion *completion) {
    while (completion->n > 0)
        drop_last(completion);
    free(completion->items);
    *completion = (struct query_completion){0};
}
