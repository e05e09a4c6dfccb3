#include "app/columns.h"

#include "app/notes.h"
#include "app/record.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "config/near.h"
#include "query/axis.h"

#include <string.h>

enum { NAME_MAX_BYTES = 64 };

static const struct column_info COLUMNS[COLUMN_COUNT] = {
#define COLUMN(code, place, name, field, filter, help) [place] = {name, help, INTENT_FIELD_##field, QUERY_##filter},
#include "model/fields.def"
};

/* Checks at compile time that each place is taken once and none is left out. */
#define COLUMN(code, place, name, field, filter, help) | UINT64_C(1) << (place)
_Static_assert((0
#include "model/fields.def"
                ) == (UINT64_C(1) << COLUMN_COUNT) - 1,
               "the places of the columns in model/fields.def are 0, 1, 2 and so on");

const struct column_info *column_info(int column) {
    return &COLUMNS[column];
}

void columns_names(struct str *out) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        str_addf(out, "%s%s", i > 0 ? " " : "", COLUMNS[i].name);
}

int columns_find(const struct column_set *set, int column) {
    for (int i = 0; i < set->n; i++)
        if (set->items[i] == column)
            return i;
    return -1;
}

static int column_of_field(int field) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (field >= 0 && (int)COLUMNS[i].field == field)
            return i;
    return field == INTENT_FIELD_NUMBER_MASK ? (int)COLUMN_MASK : -1;
}

static int column_of_query(enum query_field_code code) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (code < QUERY_FIELD_COUNT && COLUMNS[i].query == code)
            return i;
    return -1;
}

static unsigned find_cell(const char *word) {
    unsigned cell = INTENT_FIELD_COUNT;
    while (cell < RECORD_FIELD_COUNT && ascii_compare(record_field_name(cell), word) != 0)
        cell++;
    return cell;
}

/* Columns of scaled amounts are added beside those of the integers. */
static int column_of_cell(unsigned cell) {
    return cell == RECORD_AMOUNT_MAJOR      ? (int)COLUMN_AMOUNT
           : cell == RECORD_GUARANTEE_MAJOR ? (int)COLUMN_GUARANTEE
                                            : -1;
}

static int find_field(const char *word) {
    struct str lower;
    str_init(&lower, NAME_MAX_BYTES + 1);
    for (; *word; word++)
        str_add_char(&lower, (char)ascii_lower(*word));
    int field = intent_field_find(lower.s);
    str_clear(&lower);
    return field;
}

/* Its own name, the field's name as served or in a CSV's header, or what the filter calls it. */
static int find_name(const char *word) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (ascii_compare(COLUMNS[i].name, word) == 0)
            return i;
    int column = column_of_field(find_field(word));
    if (column < 0)
        column = column_of_cell(find_cell(word));
    return column < 0 ? column_of_query(query_field_find(word, strlen(word))) : column;
}

/* A field that the list has no column for. */
static enum err without_column(const char *word, int field, unsigned cell, struct error *error) {
    bool flag = field == INTENT_FIELD_IS_ARCHIVED || (cell >= RECORD_DISPUTE && cell <= RECORD_REFUND_STATUS);
    return error_set(error, ERR_USAGE, "\"%s\" has no column of its own: %scsv has it where no columns are named", word,
                     flag ? "flags shows it, and " : "");
}

static enum err intent_columns_unknown(const char *word, struct error *error) {
    const char *names[COLUMN_COUNT];
    int field = find_field(word);
    unsigned cell = find_cell(word);
    if (field >= 0 || cell < RECORD_FIELD_COUNT)
        return without_column(word, field, cell, error);
    for (int i = 0; i < COLUMN_COUNT; i++)
        names[i] = COLUMNS[i].name;
    const char *near = near_word(word, names, COUNT_OF(names));
    return error_set(error, ERR_USAGE, "no column is called \"%s\"%s%s%s", word, near ? " (" : "", near ? near : "",
                     near ? "?)" : "");
}

/* `name` or `name:cells`. */
static enum err parse_one(const char *word, size_t len, struct column_set *out, struct error *error) {
    const char *colon = memchr(word, ':', len);
    size_t name_len = colon ? (size_t)(colon - word) : len;
    char name[NAME_MAX_BYTES + 1] = "";
    memcpy(name, word, name_len < NAME_MAX_BYTES ? name_len : NAME_MAX_BYTES);
    int column = find_name(name);
    long long width = 0;
    if (column < 0)
        return intent_columns_unknown(name, error);
    if (columns_find(out, column) >= 0)
        return error_set(error, ERR_USAGE, "the column %s is named twice", COLUMNS[column].name);
    if (colon && (!str_to_int64(colon + 1, len - name_len - 1, &width) || width < 1 || width > COLUMN_WIDTH_MAX)) {
        return error_set(error, ERR_USAGE, "the width of column %s is a number from 1 to %d", COLUMNS[column].name,
                         COLUMN_WIDTH_MAX);
    }
    out->items[out->n++] = (unsigned char)column;
    out->widths[column] = (unsigned char)width;
    return ERR_OK;
}

enum err columns_parse(const char *text, struct column_set *out, struct error *error) {
    struct column_set set = {0};
    enum err err = ERR_OK;
    while (*text && err == ERR_OK) {
        size_t len = strcspn(text, ",");
        err = parse_one(text, len, &set, error);
        text += len;
        if (*text && err == ERR_OK && !*++text)
            err = error_set(error, ERR_USAGE, "a column is missing after the last comma");
    }
    if (err == ERR_OK)
        *out = set;
    return err;
}

static bool has_widths(const struct column_set *set) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (set->widths[i] > 0)
            return true;
    return false;
}

void columns_usual(struct column_set *set) {
    set->n = COLUMN_USUAL;
    for (int i = 0; i < COLUMN_USUAL; i++)
        set->items[i] = (unsigned char)i;
}

void columns_all(const struct column_set *set, struct column_set *all) {
    *all = *set;
    if (all->n == 0)
        columns_usual(all);
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (columns_find(all, i) < 0)
            all->items[all->n++] = (unsigned char)i;
}

void columns_print(const struct column_set *set, struct str *out) {
    struct column_set all = *set;
    if (all.n == 0 && has_widths(set))
        columns_usual(&all);
    for (int i = 0; i < all.n; i++) {
        str_addf(out, "%s%s", i > 0 ? "," : "", COLUMNS[all.items[i]].name);
        if (all.widths[all.items[i]] > 0)
            str_addf(out, ":%d", all.widths[all.items[i]]);
    }
}

bool columns_equal(const struct column_set *a, const struct column_set *b) {
    return a->n == b->n && memcmp(a->items, b->items, (size_t)a->n) == 0 &&
           memcmp(a->widths, b->widths, sizeof a->widths) == 0;
}

void columns_move(struct column_set *set, int column, int step) {
    int at = columns_find(set, column), to = at + step;
    if (at >= 0 && to >= 0 && to < set->n) {
        set->items[at] = set->items[to];
        set->items[to] = (unsigned char)column;
    }
}

enum intent_field column_field(const struct intent *intent, int column) {
    bool account = column == COLUMN_MASK && intent->credential.pan_mask.state != VALUE_OK;
    return account ? INTENT_FIELD_NUMBER_MASK : COLUMNS[column].field;
}

const char *column_text(const struct intent *intent, int column) {
    const char *text = NULL;
    enum intent_field field = column_field(intent, column);
    if (field != INTENT_FIELD_COUNT)
        (void)intent_field_text(intent, field, &text);
    return text;
}

bool column_money(const struct intent *intent, int column, const struct money_rule *rule, struct str *out) {
    const struct value_number *number = intent_field_number(intent, COLUMNS[column].field);
    if (number->state == VALUE_OK) {
        money_format(out, number->number, number->currency ? number->currency : intent->currency.text, rule);
        if (number->currency)
            str_addf(out, " %s", number->currency);
    } else if (number->text) {
        str_addf(out, "[%s]", number->text);
    }
    return number->text != NULL;
}

static void intent_columns_add_word(struct str *out, bool on, const char *word) {
    if (on)
        str_addf(out, "%s%s", out->len > 0 ? " " : "", word);
}

bool column_is_here(int column) {
    return column == COLUMN_TAGS || column == COLUMN_NOTES || column == COLUMN_BUSINESS_DATE;
}

static void add_business_date(const struct query_zone *zone, const struct intent *intent, struct str *out) {
    const struct value_time *created = &intent->created_at;
    struct query_clock clock = {.zone = *zone};
    if (created->state != VALUE_OK)
        return;
    int64_t day = query_clock_day(&clock, created->ms, !clock_has_zone(created->text, strlen(created->text)));
    query_place_name(&(struct query_axis){.kind = QUERY_AXIS_DAY}, &clock, day, NULL, out);
}

void column_here(const struct columns_here *here, const struct intent *intent, int column, struct str *out) {
    if (column == COLUMN_TAGS)
        notes_add_tags(here->notes, intent, out);
    else if (column == COLUMN_NOTES)
        (void)notes_add_newest(here->notes, intent, out);
    else
        add_business_date(&here->zone, intent, out);
}

void column_flags(const struct intent *intent, struct str *out) {
    const struct value_flag *archived = &intent->credential.is_archived;
    intent_columns_add_word(out, intent_has_record(intent->dispute), "dispute");
    intent_columns_add_word(out, intent_has_record(intent->refund), "refund");
    intent_columns_add_word(out, archived->state == VALUE_OK && archived->on, "archived");
    intent_columns_add_word(out, intent->unknown > 0, "unknown");
}
