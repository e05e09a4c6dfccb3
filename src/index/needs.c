#include "file.h"

static uint64_t needs_codes(unsigned column) {
    uint64_t parts = PART_BIT(PART_CODES + column);
    return column >= COLUMN_TX_STATUS ? parts | PART_BIT(PART_TX_START) : parts;
}

static uint64_t needs_number(enum number_column column) {
    return PART_BIT(PART_NUMBERS + column) | PART_BIT(PART_FLAGS);
}

static uint64_t needs_texts(void) {
    return PART_BIT(PART_TEXT) | PART_BIT(PART_TEXT_START) | PART_BIT(PART_TX_START);
}

static uint64_t needs_noted(void) {
    return PART_BIT(PART_TEXT) | PART_BIT(PART_TEXT_START) | needs_codes(CELLS_USER);
}

static uint64_t needs_flags(uint64_t flags) {
    uint64_t parts = needs_number(NUMBER_FIRST_SEEN) | needs_number(NUMBER_CONFIRMED) | needs_number(NUMBER_CHANGED) |
                     needs_number(NUMBER_CREATED) | PART_BIT(PART_TX_START);
    for (unsigned i = 0; i < QUERY_FLAG_COUNT; i++)
        if (flags & QUERY_FLAG_BIT(i) && query_flag_text((enum query_flag)i) != CELLS_TEXT_COUNT)
            parts |= needs_codes(query_flag_text((enum query_flag)i));
    return flags & (QUERY_FLAG_BIT(QUERY_HAS_NOTE) | QUERY_FLAG_BIT(QUERY_HAS_HANDOVER)) ? parts | needs_noted()
                                                                                         : parts;
}

static uint64_t needs_search(void) {
    uint64_t parts = needs_texts() | PART_BIT(PART_FOREIGN);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        if (i >= COLUMN_TX_STATUS || query_searches((enum cells_text)i))
            parts |= needs_codes(i);
    return parts;
}

/* A field that is not named here has its column, or needs everything. */
static uint64_t needs_field(enum query_field_code field) {
    switch (field) {
    case QUERY_ANY_FIELD:
        return needs_search();
    case QUERY_MASK_FIELD:
        return needs_codes(CELLS_CARD_MASK) | needs_codes(CELLS_ACCOUNT_MASK);
    case QUERY_TX_STATUS_FIELD:
        return needs_codes(COLUMN_TX_STATUS);
    case QUERY_TX_TYPE_FIELD:
        return needs_codes(COLUMN_TX_TYPE);
    case QUERY_TX_DATE_FIELD:
        return needs_codes(COLUMN_TX_DATE);
    case QUERY_TX_AMOUNT_FIELD:
        return needs_codes(COLUMN_TX_CURRENCY) | PART_BIT(PART_TX_AMOUNT) | PART_BIT(PART_TX_OK);
    case QUERY_ID_FIELD:
    case QUERY_TX_ID_FIELD:
    case QUERY_SOURCE_FIELD:
        return needs_texts();
    case QUERY_FINDING_FIELD:
        return needs_number(NUMBER_CREATED);
    case QUERY_TAG_FIELD:
    case QUERY_NOTE_FIELD:
    case QUERY_HANDED_FIELD:
        return needs_noted();
    case QUERY_TRANSITION_FIELD:
        return needs_number(NUMBER_TRANSITIONS);
    case QUERY_AMOUNT_FIELD:
        return needs_number(NUMBER_AMOUNT) | needs_codes(CELLS_CURRENCY);
    case QUERY_GUARANTEE_FIELD:
        return needs_number(NUMBER_GUARANTEE) | needs_codes(CELLS_CURRENCY);
    case QUERY_CREATED_FIELD:
    case QUERY_AGE_FIELD:
    case QUERY_HOUR_FIELD:
    case QUERY_WEEKDAY_FIELD:
        return needs_number(NUMBER_CREATED);
    default:
        return field < QUERY_FIELD_COUNT && query_field(field)->column < CELLS_TEXT_COUNT
                   ? needs_codes(query_field(field)->column)
                   : PARTS_ALL;
    }
}

static uint64_t needs_test(const struct query_test *test) {
    bool flags = test->field == QUERY_HAS_FIELD || test->field == QUERY_IS_FIELD;
    return flags ? needs_flags(test->flags) : needs_field(test->field);
}

static uint64_t needs_steps(const struct query_step *step) {
    uint64_t parts = 0;
    for (; step; step = step->next)
        parts |= step->first ? needs_steps(step->first) : needs_test(&step->test);
    return parts;
}

uint64_t index_needs_dicts(uint64_t parts) {
    return parts | PART_BIT(PART_CODES + CELLS_CURRENCY) | PART_BIT(PART_CODES + COLUMN_TX_CURRENCY);
}

bool index_asks_across(const struct index_query *query) {
    bool asks = query_plan_asks_across(query->plan) || query->facet == QUERY_FINDING_FIELD;
    for (size_t i = 0; i < query->n_conditions; i++)
        asks = asks || query_plan_asks_across(query->conditions[i].plan);
    return asks;
}

uint64_t index_needs_across(const struct index_query *query) {
    return !index_asks_across(query) ? 0
                                     : needs_texts() | needs_number(NUMBER_AMOUNT) | needs_number(NUMBER_CREATED) |
                                           needs_codes(CELLS_USER) | needs_codes(CELLS_CURRENCY);
}

/* What places and what is counted there rest on. */
static uint64_t needs_counts(const struct index_query *query) {
    uint64_t parts = 0;
    if (query->facet != QUERY_FIELD_COUNT)
        parts |= needs_field(query->facet);
    for (size_t i = 0; i < query->n_conditions; i++)
        parts |= needs_steps(query->conditions[i].plan->root);
    if (query->over.kind == QUERY_AXIS_FIELD)
        parts |= needs_field(query->over.field);
    if (query->second.kind == QUERY_AXIS_FIELD)
        parts |= needs_field(query->second.field);
    if (query_axis_is_time(&query->over) || query->earlier)
        parts |= needs_field(QUERY_CREATED_FIELD);
    if (query->rate.on)
        parts |= needs_field(QUERY_STATUS_FIELD);
    if (parts || query->sums)
        parts |= needs_number(query->guarantees ? NUMBER_GUARANTEE : NUMBER_AMOUNT) | needs_codes(CELLS_CURRENCY);
    return parts;
}

uint64_t index_needs(const struct index_query *query) {
    uint64_t parts = PART_BIT(PART_KEYS) | needs_counts(query);
    if (query->plan && query->plan->root)
        parts |= needs_steps(query->plan->root);
    for (int i = 0; i < INDEX_SORT_KEYS; i++)
        if (query->sort[i].field != QUERY_FIELD_COUNT)
            parts |= needs_field(query->sort[i].field);
    if (query->totals)
        parts |= needs_number(NUMBER_AMOUNT) | needs_codes(CELLS_CURRENCY);
    return query->left ? parts | needs_number(NUMBER_CONFIRMED) : parts;
}
