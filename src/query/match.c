#include "query/axis.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <string.h>

static bool needle_holds(const struct query_needle *needle, const char *text, size_t len) {
    if (needle->len > len)
        return false;
    switch (needle->sense) {
    case QUERY_EQUAL:
        return needle->len == len && memcmp(text, needle->text, len) == 0;
    case QUERY_PREFIX:
        return memcmp(text, needle->text, needle->len) == 0;
    case QUERY_SUFFIX:
        return memcmp(text + len - needle->len, needle->text, needle->len) == 0;
    case QUERY_PART:
        return memmem(text, len, needle->text, needle->len) != NULL;
    }
    return false;
}

bool query_test_sorted(const struct query_test *test, const char *id, size_t len) {
    size_t low = 0, high = test->n_needles;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct query_needle *needle = &test->needles[middle];
        int order = memcmp(needle->text, id, needle->len < len ? needle->len : len);
        order = order != 0 ? order : (needle->len > len) - (needle->len < len);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool any_needle(const struct query_test *test, const char *text, size_t len) {
    if (test->sorted)
        return query_test_sorted(test, text, len);
    for (size_t i = 0; i < test->n_needles; i++)
        if (needle_holds(&test->needles[i], text, len))
            return true;
    return false;
}

/* Most text is short ASCII and is folded on the stack. */
static bool fold_short(const char *text, size_t len, char *out) {
    if (utf8_has_joiner_token(text, len))
        return false;
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] >= 0x80)
            return false;
        out[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i]);
    }
    return true;
}

bool query_test_text(const struct query_test *test, const char *text, size_t len) {
    char small[128];
    if (!text)
        return false;
    if (test->field != QUERY_ANY_FIELD && query_field(test->field)->type == QUERY_ID)
        return any_needle(test, text, len);
    if (len <= sizeof small && fold_short(text, len, small))
        return any_needle(test, small, len);
    struct str folded;
    str_init(&folded, 32 * len + 32);
    utf8_fold(&folded, text, len);
    bool holds = any_needle(test, folded.s, folded.len);
    str_clear(&folded);
    return holds;
}

bool query_test_number(const struct query_test *test, int64_t number, int exponent_class) {
    bool within = false;
    for (size_t i = 0; i < test->n_ranges && !within; i++)
        within = number >= test->ranges[i].low[exponent_class] && number <= test->ranges[i].high[exponent_class];
    return within != test->other;
}

bool query_test_date(const struct query_test *test, const char *text, size_t len) {
    int64_t ms;
    return text && clock_parse_served(text, len, &ms) && query_test_number(test, ms, 0);
}

int query_exponent_class(const struct query_context *context, const char *currency, size_t len) {
    const struct money_rule rule = {context->unit, context->exponents};
    char code[MONEY_CODE_MAX + 1] = "";
    if (!currency || len > MONEY_CODE_MAX)
        return QUERY_CLASS_NONE;
    memcpy(code, currency, len);
    int exponent = money_rule_exponent(&rule, code);
    return exponent < 0 ? QUERY_CLASS_NONE : exponent;
}

bool query_searches(enum cells_text column) {
    const uint64_t dates = 0
#define FILTER(code, field, rank, name, type, sense, ops, cell, privacy, help) \
    | (uint64_t)(QUERY_##type == QUERY_TIME) << CELLS_##cell
#include "model/fields.def"
        ;
    return !(dates >> column & 1);
}

static bool is_of_notes(enum query_field_code field) {
    return field == QUERY_TAG_FIELD || field == QUERY_NOTE_FIELD || field == QUERY_HANDED_FIELD;
}

const struct query_test QUERY_TEST_HANDED = {.field = QUERY_HANDED_FIELD};

static bool is_handed(const struct notes *notes, const struct query_test *test, const struct notes_subject *subject) {
    static const char ME[] = "me";
    size_t n;
    const struct handover *handed = notes_handed(notes, subject, &n);
    for (size_t i = 0; i < n; i++) {
        bool mine = notes_is_to_me(notes, &handed[i]) && query_test_text(test, ME, strlen(ME));
        bool named = mine || query_test_text(test, handed[i].to, strlen(handed[i].to));
        if (!handed[i].done_by && (named || test->n_needles == 0))
            return true;
    }
    return false;
}

bool query_test_noted(const struct query_plan *plan, const struct query_test *test, enum note_about about,
                      const char *id, size_t len) {
    const struct notes_subject *subject = notes_find(plan->context.notes, about, id, len);
    if (!subject || !is_of_notes(test->field))
        return subject && subject->n_notes > 0;
    if (test->field == QUERY_HANDED_FIELD)
        return is_handed(plan->context.notes, test, subject);
    bool tags = test->field == QUERY_TAG_FIELD;
    const struct note *notes = tags ? subject->tags : subject->notes;
    for (size_t i = 0; i < (tags ? subject->n_tags : subject->n_notes); i++)
        if (query_test_text(test, notes[i].text, strlen(notes[i].text)))
            return true;
    return false;
}

static bool is_noted(const struct query_plan *plan, const struct query_test *test, const struct cells *cells) {
    const struct cells_slice *id = &cells->text[CELLS_ID], *user = &cells->text[CELLS_USER];
    return query_test_noted(plan, test, NOTE_OF_INTENT, id->s, id->len) ||
           query_test_noted(plan, test, NOTE_OF_USER, user->s, user->len);
}

bool query_test_flag(const struct query_plan *plan, enum query_flag flag, const struct query_row *row) {
    static const struct query_test NOTED = {.field = QUERY_HAS_FIELD};
    const struct cells *cells = row->cells;
    const struct query_context *context = &plan->context;
    switch (flag) {
    case QUERY_HAS_DISPUTE:
        return cells->flags & CELLS_HAS_DISPUTE;
    case QUERY_HAS_REFUND:
        return cells->flags & CELLS_HAS_REFUND;
    case QUERY_HAS_DECLINE:
    case QUERY_HAS_STATUS:
    case QUERY_HAS_TYPE:
    case QUERY_HAS_RAIL:
    case QUERY_HAS_CURRENCY:
    case QUERY_HAS_BRAND:
    case QUERY_HAS_BANK:
    case QUERY_HAS_USER:
        return cells->text[query_flag_text(flag)].s != NULL;
    case QUERY_HAS_AMOUNT:
        return cells->flags & CELLS_AMOUNT_OK;
    case QUERY_HAS_GUARANTEE:
        return cells->flags & CELLS_GUARANTEE_OK;
    case QUERY_HAS_TRANSACTIONS:
        return cells->n_transactions > 0;
    case QUERY_HAS_CREDENTIAL:
        return cells->flags & CELLS_HAS_CREDENTIAL;
    case QUERY_HAS_UNKNOWN:
        return cells->flags & CELLS_HAS_UNKNOWN;
    case QUERY_HAS_NOTE:
        return is_noted(plan, &NOTED, cells);
    case QUERY_HAS_HANDOVER:
        return is_noted(plan, &QUERY_TEST_HANDED, cells);
    case QUERY_IS_NEW:
        return context->last_visit != CLOCK_NONE && row->first_seen > context->last_visit;
    case QUERY_IS_CHANGED:
        return context->last_visit != CLOCK_NONE && row->changed > context->last_visit;
    case QUERY_IS_STALE:
        return row->confirmed != CLOCK_NONE &&
               (row->confirmed < context->now - QUERY_STALE_MS || row->confirmed > context->now + QUERY_STALE_MS);
    case QUERY_IS_ARCHIVED:
        return cells->flags & CELLS_ARCHIVED;
    case QUERY_IS_VERIFIED:
        return row->verified;
    case QUERY_IS_MARKED:
        return context->is_marked && context->is_marked(context->marks, row->key);
    default:
        return (finding_of(cells, context->now) | row->across) & query_flag_findings(flag);
    }
}

static bool match_asks_across(const struct query_step *step) {
    for (; step; step = step->next) {
        for (unsigned i = 0; i < QUERY_FLAG_COUNT; i++)
            if (step->test.flags & QUERY_FLAG_BIT(i) && query_flag_findings((enum query_flag)i) & FINDINGS_ACROSS)
                return true;
        if (match_asks_across(step->first))
            return true;
    }
    return false;
}

bool query_plan_asks_across(const struct query_plan *plan) {
    return plan && match_asks_across(plan->root);
}

typedef bool match_asks_fn(const struct query_node *term);

static bool match_tree_asks(const struct query_node *node, match_asks_fn *asks) {
    for (; node; node = node->next)
        if ((node->kind == QUERY_TERM && asks(node)) || match_tree_asks(node->first, asks))
            return true;
    return false;
}

static bool term_asks_across(const struct query_node *term) {
    bool flags = query_field(term->field)->type == QUERY_FLAG;
    for (size_t i = 0; flags && i < term->n_values; i++)
        if (query_flag_findings(term->values[i].flag) & FINDINGS_ACROSS)
            return true;
    return false;
}

bool query_asks_across(const struct query *query) {
    return query && match_tree_asks(query->root, term_asks_across);
}

static bool term_asks_notes(const struct query_node *term) {
    bool flags = query_field(term->field)->type == QUERY_FLAG;
    for (size_t i = 0; flags && i < term->n_values; i++)
        if (term->values[i].flag == QUERY_HAS_NOTE || term->values[i].flag == QUERY_HAS_HANDOVER)
            return true;
    return is_of_notes(term->field);
}

bool query_asks_notes(const struct query *query) {
    return query && match_tree_asks(query->root, term_asks_notes);
}

static bool term_asks_transitions(const struct query_node *term) {
    return term->field == QUERY_TRANSITION_FIELD;
}

bool query_asks_transitions(const struct query *query) {
    return query && match_tree_asks(query->root, term_asks_transitions);
}

static bool any_flag(const struct query_plan *plan, const struct query_test *test, const struct query_row *row) {
    for (unsigned i = 0; i < QUERY_FLAG_COUNT; i++)
        if (test->flags & QUERY_FLAG_BIT(i) && query_test_flag(plan, (enum query_flag)i, row))
            return true;
    return false;
}

static bool match_slice_holds(const struct query_test *test, struct cells_slice slice) {
    return query_test_text(test, slice.s, slice.len);
}

static bool transaction_holds(const struct query_test *test, const struct cells_transaction *tx) {
    switch (test->field) {
    case QUERY_TX_STATUS_FIELD:
        return match_slice_holds(test, tx->status);
    case QUERY_TX_TYPE_FIELD:
        return match_slice_holds(test, tx->type);
    case QUERY_TX_ID_FIELD:
        return match_slice_holds(test, tx->id);
    case QUERY_SOURCE_FIELD:
        return match_slice_holds(test, tx->source);
    case QUERY_TX_DATE_FIELD:
        return query_test_date(test, tx->date.s, tx->date.len);
    default: /* a bare word */
        return match_slice_holds(test, tx->status) || match_slice_holds(test, tx->type) ||
               match_slice_holds(test, tx->id) || match_slice_holds(test, tx->source);
    }
}

static bool any_transaction(const struct query_test *test, const struct cells *cells) {
    struct cells_transaction tx;
    const unsigned char *at = cells->transactions;
    while (cells_transaction_next(cells, &at, &tx))
        if (transaction_holds(test, &tx))
            return true;
    return false;
}

static int match_class_of(const struct query_plan *plan, const struct cells_slice *currency) {
    return query_exponent_class(&plan->context, currency->s, currency->len);
}

/* Of several numbers, `!=` needs at least one, and none among the values; every other operator needs one that matches.
 */
static bool transaction_amounts(const struct query_plan *plan, const struct query_test *test,
                                const struct cells *cells) {
    struct cells_transaction tx;
    const unsigned char *at = cells->transactions;
    bool any = false, all = true;
    while (cells_transaction_next(cells, &at, &tx)) {
        if (!tx.amount_ok)
            continue;
        bool holds = query_test_number(test, tx.amount, match_class_of(plan, &tx.currency));
        any = any || holds;
        all = all && holds;
    }
    return any && (all || !test->other);
}

static bool number_holds(const struct query_plan *plan, const struct query_test *test, const struct cells *cells,
                         bool guarantee) {
    unsigned flag = guarantee ? CELLS_GUARANTEE_OK : CELLS_AMOUNT_OK;
    return cells->flags & flag && query_test_number(test, guarantee ? cells->guarantee : cells->amount,
                                                    match_class_of(plan, &cells->text[CELLS_CURRENCY]));
}

static bool anywhere(const struct query_test *test, const struct cells *cells) {
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        if (query_searches((enum cells_text)i) && match_slice_holds(test, cells->text[i]))
            return true;
    return any_transaction(test, cells);
}

static bool created_holds(const struct query_plan *plan, const struct query_test *test, const struct cells *cells) {
    struct query_clock clock = {.zone = plan->context.zone};
    bool bare = cells->flags & CELLS_CREATED_BARE;
    if (!(cells->flags & CELLS_CREATED_OK))
        return false;
    if (test->field == QUERY_CREATED_FIELD || test->field == QUERY_AGE_FIELD)
        return query_test_number(test, cells->created_ms, bare ? QUERY_TIME_BARE : QUERY_TIME_ZONED);
    return test->field == QUERY_HOUR_FIELD
               ? query_test_hour(test, query_clock_hour(&clock, cells->created_ms, bare))
               : query_test_weekday(test, query_clock_weekday(&clock, cells->created_ms, bare));
}

static bool any_transition_observed(const struct query_test *test, const struct query_row *row) {
    for (unsigned i = 0; i < TRANSITION_COUNT; i++)
        if (row->transitions & TRANSITION_BIT(i) && query_test_transition(test, i))
            return true;
    return false;
}

static bool test_holds(const struct query_plan *plan, const struct query_test *test, const struct query_row *row) {
    const struct cells *cells = row->cells;
    switch (test->field) {
    case QUERY_ANY_FIELD:
        return anywhere(test, cells);
    case QUERY_MASK_FIELD:
        return match_slice_holds(test, cells->text[CELLS_CARD_MASK]) ||
               match_slice_holds(test, cells->text[CELLS_ACCOUNT_MASK]);
    case QUERY_AMOUNT_FIELD:
        return number_holds(plan, test, cells, false);
    case QUERY_GUARANTEE_FIELD:
        return number_holds(plan, test, cells, true);
    case QUERY_TX_AMOUNT_FIELD:
        return transaction_amounts(plan, test, cells);
    case QUERY_CREATED_FIELD:
    case QUERY_AGE_FIELD:
    case QUERY_HOUR_FIELD:
    case QUERY_WEEKDAY_FIELD:
        return created_holds(plan, test, cells);
    case QUERY_HAS_FIELD:
    case QUERY_IS_FIELD:
    case QUERY_FINDING_FIELD:
        return any_flag(plan, test, row);
    case QUERY_TAG_FIELD:
    case QUERY_NOTE_FIELD:
    case QUERY_HANDED_FIELD:
        return is_noted(plan, test, cells);
    case QUERY_TRANSITION_FIELD:
        return any_transition_observed(test, row);
    default:
        break;
    }
    const struct query_field *field = query_field(test->field);
    if (field->column == CELLS_TEXT_COUNT)
        return any_transaction(test, cells);
    const struct cells_slice *text = &cells->text[field->column];
    return field->type == QUERY_TIME ? query_test_date(test, text->s, text->len) : match_slice_holds(test, *text);
}

static bool step_holds(const struct query_plan *plan, const struct query_step *step, const struct query_row *row) {
    if (step->kind == QUERY_TERM || step->kind == QUERY_SEARCH)
        return test_holds(plan, &step->test, row);
    if (step->kind == QUERY_NOT)
        return !step_holds(plan, step->first, row);
    bool all = step->kind == QUERY_ALL;
    for (const struct query_step *child = step->first; child; child = child->next)
        if (step_holds(plan, child, row) != all)
            return !all;
    return all;
}

bool query_match(const struct query_plan *plan, const struct query_row *row) {
    return !plan->root || step_holds(plan, plan->root, row);
}
