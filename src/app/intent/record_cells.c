/* Cells of a file that are not a field of an intent: scaled amounts, sums and counts of its transactions, whether there
 * is a dispute or refund. */

#include "app/columns.h"
#include "app/notes.h"
#include "app/record.h"

#include <string.h>

enum { GROUPS_MAX = 20 };

static const char *const NAMES[RECORD_FIELD_COUNT - INTENT_FIELD_COUNT] = {
#define X(code, name) [RECORD_##code - INTENT_FIELD_COUNT] = (name),
    RECORD_FIELD_TABLE(X)
#undef X
};

const char *record_field_name(unsigned field) {
    return field < INTENT_FIELD_COUNT ? intent_field_path((enum intent_field)field) : NAMES[field - INTENT_FIELD_COUNT];
}

/* Scaled amounts exist only where the profile states a unit. */
static bool needs_unit(unsigned field) {
    return field == RECORD_AMOUNT_MAJOR || field == RECORD_GUARANTEE_MAJOR || field == RECORD_TRANSACTIONS_MAJOR;
}

static size_t record_cells_add_field(unsigned field, const struct money_rule *rule, unsigned char *out, size_t n) {
    if (needs_unit(field) && rule->unit != MONEY_MINOR)
        return n;
    out[n] = (unsigned char)field;
    return n + 1;
}

/* What is not served has a column and a cell each. */
static const struct here {
    int column;
    unsigned field;
} HERE[] = {{COLUMN_TAGS, RECORD_TAGS}, {COLUMN_NOTES, RECORD_NOTES}, {COLUMN_BUSINESS_DATE, RECORD_BUSINESS_DATE}};

static const struct here *here_of(unsigned field) {
    for (size_t i = 0; i < COUNT_OF(HERE); i++)
        if (HERE[i].field == field)
            return &HERE[i];
    return NULL;
}

/* A column made of several fields, and one with something beside it. */
size_t record_fields_of_column(int column, const struct money_rule *rule, unsigned char *out, size_t n) {
    if (column == COLUMN_FLAGS)
        return record_cells_add_field(RECORD_FLAGS, rule, out, n);
    for (size_t i = 0; i < COUNT_OF(HERE); i++)
        if (HERE[i].column == column)
            return record_cells_add_field(HERE[i].field, rule, out, n);
    n = record_cells_add_field(column_info(column)->field, rule, out, n);
    if (column == COLUMN_MASK)
        n = record_cells_add_field(INTENT_FIELD_NUMBER_MASK, rule, out, n);
    else if (column == COLUMN_AMOUNT)
        n = record_cells_add_field(RECORD_AMOUNT_MAJOR, rule, out, n);
    else if (column == COLUMN_GUARANTEE)
        n = record_cells_add_field(RECORD_GUARANTEE_MAJOR, rule, out, n);
    return n;
}

size_t record_fields_all(const struct money_rule *rule, unsigned char *out) {
    size_t n = 0;
    for (unsigned field = 0; field < INTENT_FIELD_COUNT; field++) {
        n = record_cells_add_field(field, rule, out, n);
        if (field == INTENT_FIELD_AMOUNT)
            n = record_cells_add_field(RECORD_AMOUNT_MAJOR, rule, out, n);
        else if (field == INTENT_FIELD_GUARANTEE_AMOUNT)
            n = record_cells_add_field(RECORD_GUARANTEE_MAJOR, rule, out, n);
    }
    for (unsigned field = RECORD_TRANSACTIONS; field < RECORD_FIELD_COUNT; field++)
        if (field != RECORD_FLAGS && !here_of(field))
            n = record_cells_add_field(field, rule, out, n);
    return n;
}

/* Transactions told apart by one of their texts. */
struct groups {
    struct group {
        const char *text; /* NULL: it has none */
        size_t n, without;
        int64_t sum;
        bool beyond;
    } items[GROUPS_MAX];
    size_t n, more; /* transactions in none of them */
};

static struct group *group_of(struct groups *groups, const char *text) {
    for (size_t i = 0; i < groups->n; i++)
        if (str_equal(groups->items[i].text, text))
            return &groups->items[i];
    if (groups->n == GROUPS_MAX) {
        groups->more++;
        return NULL;
    }
    groups->items[groups->n] = (struct group){.text = text};
    return &groups->items[groups->n++];
}

static const char *record_cells_text_of(const struct value_text *value) {
    return value->state == VALUE_OK || value->state == VALUE_ODD ? value->text : NULL;
}

static void begin_group(struct str *out, const struct group *group, const char *none) {
    str_addf(out, "%s%s", out->len > 0 ? "; " : "", group->text ? group->text : none);
}

static void end_groups(struct str *out, const struct groups *groups) {
    if (groups->more > 0)
        str_addf(out, "; +%zu more", groups->more);
}

/* One currency a sum; a sum beyond 64 bits is reported as such instead of given. */
static void add_sum(struct str *out, const struct group *group, const struct money_rule *rule) {
    begin_group(out, group, "no currency");
    if (group->beyond) {
        str_add(out, " beyond 64 bits");
    } else if (group->without < group->n && (!rule || !money_stays_raw(rule, group->text))) {
        str_add_char(out, ' ');
        money_plain(out, group->sum, group->text, rule ? rule : &(struct money_rule){MONEY_RAW, NULL});
    } else if (group->without < group->n) {
        str_add(out, " raw");
    }
    if (group->without > 0)
        str_addf(out, " (%zu without)", group->without);
}

/* rule NULL: the integers as served. */
static void record_cells_add_sums(const struct intent *intent, const struct money_rule *rule, struct str *out) {
    struct groups groups = {0};
    for (size_t i = 0; i < intent->n_transactions; i++) {
        const struct value_number *amount = &intent->transactions[i].amount;
        struct group *group = group_of(&groups, record_cells_text_of(&intent->transactions[i].currency));
        if (group) {
            group->n++;
            group->without += amount->state != VALUE_OK;
            group->beyond = group->beyond || (amount->state == VALUE_OK && !money_add(&group->sum, amount->number));
        }
    }
    for (size_t i = 0; i < groups.n; i++)
        add_sum(out, &groups.items[i], rule);
    end_groups(out, &groups);
}

static void record_cells_add_statuses(const struct intent *intent, struct str *out) {
    struct groups groups = {0};
    for (size_t i = 0; i < intent->n_transactions; i++) {
        struct group *group = group_of(&groups, record_cells_text_of(&intent->transactions[i].status));
        if (group)
            group->n++;
    }
    for (size_t i = 0; i < groups.n; i++) {
        begin_group(out, &groups.items[i], "no status");
        str_addf(out, " %zu", groups.items[i].n);
    }
    end_groups(out, &groups);
}

static void add_major(const struct value_number *number, const struct intent *intent, const struct money_rule *rule,
                      struct str *out) {
    if (number->state == VALUE_OK)
        money_plain(out, number->number, number->currency ? number->currency : intent->currency.text, rule);
}

static void record_cells_add_text(const char *text, struct str *out) {
    str_add(out, text ? text : "");
}

void record_cell(const struct record_style *style, const struct intent *intent, unsigned field, struct str *out) {
    const struct money_rule *rule = &style->money;
    switch (field) {
    case RECORD_AMOUNT_MAJOR:
        add_major(&intent->amount, intent, rule, out);
        break;
    case RECORD_GUARANTEE_MAJOR:
        add_major(&intent->guarantee_amount, intent, rule, out);
        break;
    case RECORD_TRANSACTIONS:
        if (intent->transactions_state == VALUE_OK)
            str_addf(out, "%zu", intent->n_transactions);
        else if (intent->transactions_state == VALUE_ODD)
            str_add(out, "not a list");
        break;
    case RECORD_TRANSACTIONS_AMOUNT:
        record_cells_add_sums(intent, NULL, out);
        break;
    case RECORD_TRANSACTIONS_MAJOR:
        record_cells_add_sums(intent, rule, out);
        break;
    case RECORD_TRANSACTIONS_STATUS:
        record_cells_add_statuses(intent, out);
        break;
    case RECORD_DISPUTE:
        str_add(out, intent_has_record(intent->dispute) ? "yes" : "no");
        break;
    case RECORD_DISPUTE_STATUS:
        record_cells_add_text(intent->dispute_status.text, out);
        break;
    case RECORD_REFUND:
        str_add(out, intent_has_record(intent->refund) ? "yes" : "no");
        break;
    case RECORD_REFUND_STATUS:
        record_cells_add_text(intent->refund_status.text, out);
        break;
    case RECORD_FLAGS:
        column_flags(intent, out);
        break;
    case RECORD_TAGS:
    case RECORD_NOTES:
    case RECORD_BUSINESS_DATE:
        column_here(&style->here, intent, here_of(field)->column, out);
        if (field == RECORD_NOTES && style->masked && out->len > 0) {
            str_reset(out); /* anybody may have written anything */
            str_add(out, "***");
        }
        break;
    default:
        record_cells_add_text(intent->broken, out);
        break;
    }
}

bool record_cell_is_number(unsigned field) {
    return field == RECORD_AMOUNT_MAJOR || field == RECORD_GUARANTEE_MAJOR || field == RECORD_TRANSACTIONS;
}
