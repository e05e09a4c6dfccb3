#include "query/plan.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

enum { FOLDED_MAX = 8 * QUERY_TEXT_MAX };

struct builder {
    struct arena *arena;
    const struct query_context *context;
    size_t depth;
};

typedef void text_fn(struct str *out, const char *s, size_t len);

static void set_needle(struct builder *b, struct query_needle *needle, const char *text, text_fn *prepare) {
    struct str prepared;
    str_init(&prepared, FOLDED_MAX);
    prepare(&prepared, text, strlen(text));
    needle->len = prepared.len;
    needle->text = arena_dup_n(b->arena, prepared.s, prepared.len);
    str_clear(&prepared);
}

static enum query_sense sense_of(const struct query_node *node, const struct query_value *value,
                                 const struct query_field *field) {
    if (node->list)
        return QUERY_EQUAL;
    if (value->prefix || value->suffix)
        return !value->suffix ? QUERY_PREFIX : !value->prefix ? QUERY_SUFFIX : QUERY_PART;
    return node->op == QUERY_OP_COLON ? field->sense : QUERY_EQUAL;
}

/* Tokens for invisible characters are written in capitals, as the screen shows them; NULL: there are none, or they are
 * so already. */
static const char *in_capitals(struct builder *b, const char *text) {
    size_t len = strlen(text);
    char *out = NULL;
    for (size_t at = 0; at < len; at++) {
        size_t token = scan_token(text + at, len - at);
        for (size_t i = at; i < at + token; i++) {
            if (text[i] < 'a' || text[i] > 'f')
                continue;
            out = out ? out : arena_dup_n(b->arena, text, len);
            out[i] = (char)(text[i] - 'a' + 'A');
        }
    }
    return out;
}

/* What the list shows in the place of a served word can be typed; a row that was served with that very word has it. */
static const char *of_shown(const struct query_node *node, const struct query_needle *needle) {
    const char *shown, *served = NULL;
    for (size_t i = 0; node->kind == QUERY_TERM && (shown = query_field_shown(node->field, i, &served)); i++)
        if (strlen(shown) == needle->len && memcmp(shown, needle->text, needle->len) == 0)
            return served;
    return NULL;
}

static int plan_by_text(const void *a, const void *b) {
    const struct query_needle *x = a, *y = b;
    return strcmp(x->text, y->text);
}

/* A text that was copied as served, with characters that are kept as tokens: as it is kept; NULL: it has none. */
static const char *with_tokens(struct builder *b, const char *text) {
    struct str kept;
    if (utf8_is_clean(text, strlen(text)))
        return NULL;
    str_init(&kept, FOLDED_MAX);
    utf8_sanitise(&kept, text, strlen(text));
    const char *copy = arena_dup_n(b->arena, kept.s, kept.len);
    str_clear(&kept);
    return copy;
}

static void build_needles(struct builder *b, struct query_test *test, const struct query_node *node) {
    const struct query_field *field = node->kind == QUERY_SEARCH ? NULL : query_field(node->field);
    bool is_id = field && field->type == QUERY_ID;
    test->needles = arena_new(b->arena, 2 * node->n_values * sizeof *test->needles);
    for (size_t i = 0; i < node->n_values; i++) {
        struct query_needle *needle = &test->needles[test->n_needles++];
        const char *text = node->values[i].text;
        needle->sense = field ? sense_of(node, &node->values[i], field) : QUERY_PART;
        /* An id has tokens for invisible characters: a text that was copied as served is converted, to find it too. */
        set_needle(b, needle, text, is_id ? utf8_sanitise : utf8_fold);
        const char *also = is_id ? in_capitals(b, text) : of_shown(node, needle);
        if (!also && field && !is_id)
            also = with_tokens(b, text);
        if (!also)
            continue;
        struct query_needle *other = &test->needles[test->n_needles++];
        other->sense = needle->sense;
        set_needle(b, other, also, is_id ? utf8_sanitise : utf8_fold);
    }
    test->sorted = node->list != NULL;
    if (test->sorted && test->n_needles > 1)
        qsort(test->needles, test->n_needles, sizeof *test->needles, plan_by_text);
}

static void set_range(struct query_range *range, int class, __int128 low, __int128 high) {
    if (low < INT64_MIN)
        low = INT64_MIN;
    if (high > INT64_MAX)
        high = INT64_MAX;
    bool empty = low > high;
    range->low[class] = empty ? 1 : (int64_t)low;
    range->high[class] = empty ? 0 : (int64_t)high;
}

static __int128 power(int exponent) {
    __int128 n = 1;
    for (int i = 0; i < exponent; i++)
        n *= 10;
    return n;
}

/* What a bound is in raw integers at one exponent: floor is the largest that is not above it, exact: it is equal. */
struct point {
    __int128 floor;
    bool exact;
};

static struct point scale_to(const struct query_scalar *number, int exponent) {
    if (number->scale == 0)
        return (struct point){number->number, true};
    if (exponent >= number->scale)
        return (struct point){number->number * power(exponent - number->scale), true};
    __int128 unit = power(number->scale - exponent), whole = number->number / unit, rest = number->number % unit;
    return (struct point){whole - (rest < 0 ? 1 : 0), rest == 0};
}

static void bounds(const struct query_node *node, const struct query_value *value, int exponent, __int128 *low,
                   __int128 *high) {
    struct point from = scale_to(&value->low, exponent);
    struct point to = value->is_range ? scale_to(&value->high, exponent) : from;
    *low = value->low.text ? from.floor + (from.exact ? 0 : 1) : INT64_MIN;
    *high = value->is_range && !value->high.text ? INT64_MAX : to.floor;
    switch (node->op) {
    case QUERY_OP_LT:
        *low = INT64_MIN;
        *high = from.floor - (from.exact ? 1 : 0);
        break;
    case QUERY_OP_LE:
        *low = INT64_MIN;
        break;
    case QUERY_OP_GT:
        *low = from.floor + 1;
        *high = INT64_MAX;
        break;
    case QUERY_OP_GE:
        *high = INT64_MAX;
        break;
    default:
        break;
    }
}

/* A raw integer is the same whatever the currency; decimals need an exponent, whole units need none. */
static void build_number(struct builder *b, struct query_range *range, const struct query_node *node,
                         const struct query_value *value) {
    bool decimal = value->low.scale > 0 || value->high.scale > 0;
    for (int class = 0; class < QUERY_CLASS_COUNT; class ++) {
        bool scaled = decimal && b->context->unit == MONEY_MINOR;
        __int128 low, high;
        bounds(node, value, scaled ? class : 0, &low, &high);
        set_range(range, class, low, high);
        if ((scaled && class == QUERY_CLASS_NONE) || (decimal && b->context->unit == MONEY_RAW))
            set_range(range, class, 1, 0);
    }
}

/* Clocks were put forward over it; a range from one day to the day before has no instant either, and stays empty. */
static bool is_skipped(const struct query_context *context, const struct query_value *value, bool calendar,
                       int64_t start, int64_t end) {
    struct query_value last = {.low = value->high};
    if (start == end && value->is_range && value->high.text)
        period_resolve(&last, context, calendar, &start, &end);
    return start == end;
}

static void build_period(struct builder *b, struct query_range *range, const struct query_node *node,
                         const struct query_value *value, int class) {
    bool calendar = node->field != QUERY_CREATED_FIELD || (class == QUERY_TIME_BARE && !period_is_ago(value));
    int64_t start, end;
    struct query_context context = *b->context;
    context.back = node->field == QUERY_CREATED_FIELD ? context.back : 0;
    period_resolve(value, &context, calendar, &start, &end);
    bool skipped = is_skipped(&context, value, calendar, start, end); /* the instant of the change stands for it */
    __int128 low = start, high = value->is_range && !value->high.text ? INT64_MAX : (__int128)end - (skipped ? 0 : 1);
    if (node->op == QUERY_OP_LT || node->op == QUERY_OP_LE)
        low = INT64_MIN;
    if (node->op == QUERY_OP_LT || (node->op == QUERY_OP_LE && skipped))
        high = (__int128)start - 1;
    if (node->op == QUERY_OP_GT)
        low = end;
    if (node->op == QUERY_OP_GT || node->op == QUERY_OP_GE)
        high = INT64_MAX;
    set_range(range, class, low, high);
}

/* Of times with and without a zone alike: an age is counted from an instant. */
static void build_age(struct builder *b, struct query_range *range, const struct query_node *node,
                      const struct query_value *value) {
    int64_t first, last;
    period_of_age(value, node->op, b->context, &first, &last);
    set_range(range, QUERY_TIME_ZONED, first, last);
    set_range(range, QUERY_TIME_BARE, first, last);
}

/* A typed day is that of the viewer for an instant, and the calendar day for a time without a zone, which is shown with
 * that day in every zone (F51). Hours back from now are counted in UTC for both. */
static void build_time(struct builder *b, struct query_range *range, const struct query_node *node,
                       const struct query_value *value) {
    build_period(b, range, node, value, QUERY_TIME_ZONED);
    build_period(b, range, node, value, QUERY_TIME_BARE);
}

static void build_ranges(struct builder *b, struct query_test *test, const struct query_node *node) {
    test->n_ranges = node->n_values;
    test->ranges = arena_new(b->arena, node->n_values * sizeof *test->ranges);
    enum query_type type = query_field(node->field)->type;
    bool number = type == QUERY_NUMBER;
    for (size_t i = 0; i < node->n_values; i++)
        (number               ? build_number
         : type == QUERY_SPAN ? build_age
                              : build_time)(b, &test->ranges[i], node, &node->values[i]);
    test->other = number && node->op == QUERY_OP_NE;
}

static void build_test(struct builder *b, struct query_test *test, const struct query_node *node) {
    enum query_type type = node->kind == QUERY_SEARCH ? QUERY_TEXT : query_field(node->field)->type;
    test->field = node->field;
    if (type == QUERY_NUMBER || type == QUERY_TIME || type == QUERY_SPAN)
        build_ranges(b, test, node);
    else if (type != QUERY_FLAG)
        build_needles(b, test, node);
    for (size_t i = 0; type == QUERY_FLAG && i < node->n_values; i++)
        test->flags |= QUERY_FLAG_BIT(node->values[i].flag);
}

/* A word may be part of an id, or of another text, with tokens: both forms are searched for. */
static struct query_step *in_both_forms(struct builder *b, const struct query_node *node, struct query_step *step) {
    const char *kept = node->kind == QUERY_SEARCH && node->n_values > 0 ? with_tokens(b, node->values[0].text) : NULL;
    if (!kept)
        return step;
    struct query_step *either = arena_new(b->arena, sizeof *either), *other = arena_new(b->arena, sizeof *other);
    *other = (struct query_step){.kind = QUERY_SEARCH, .test = {.field = node->field, .n_needles = 1}};
    other->test.needles = arena_new(b->arena, sizeof *other->test.needles);
    other->test.needles->sense = QUERY_PART;
    set_needle(b, other->test.needles, kept, utf8_fold);
    *either = (struct query_step){.kind = QUERY_ANY, .first = step};
    step->next = other;
    return either;
}

static struct query_step *plan_build(struct builder *b, const struct query_node *node, size_t depth) {
    struct query_step *step = arena_new(b->arena, sizeof *step);
    step->kind = node->kind;
    if (depth > b->depth)
        b->depth = depth;
    struct query_step **last = &step->first;
    for (const struct query_node *child = node->first; child; child = child->next) {
        *last = plan_build(b, child, depth + 1);
        last = &(*last)->next;
    }
    if (node->first)
        return step;
    build_test(b, &step->test, node);
    bool negation = node->kind == QUERY_TERM && node->op == QUERY_OP_NE && !step->test.other;
    if (!negation) {
        struct query_step *built = in_both_forms(b, node, step);
        b->depth = built != step && b->depth < depth + 1 ? depth + 1 : b->depth;
        return built;
    }
    struct query_step *not = arena_new(b->arena, sizeof *not );
    not ->kind = QUERY_NOT;
    not ->first = step;
    b->depth = b->depth > depth + 1 ? b->depth : depth + 1;
    return not ;
}

struct query_plan *query_plan_new(const struct query *query, const struct query_context *context) {
    struct query_plan *plan = mem_new(sizeof *plan);
    struct builder b = {.arena = &plan->arena, .context = context};
    plan->context = *context;
    if (query && query->root)
        plan->root = plan_build(&b, query->root, 1);
    plan->depth = b.depth;
    return plan;
}

void query_plan_free(struct query_plan *plan) {
    if (!plan)
        return;
    arena_clear(&plan->arena);
    free(plan);
}
