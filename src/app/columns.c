#include "app/columns.h"

#include "base/mem.h"
#include "config/near.h"

#include <string.h>

enum { NAME_MAX_BYTES = 64 };

static const struct column_info COLUMNS[COLUMN_COUNT] = {
#define X(code, name, field, query, help) {name, help, INTENT_FIELD_##field, QUERY_##query},
    COLUMN_TABLE(X)
#undef X
};

const struct column_info *column_info(int column) {
    return &COLUMNS[column];
}

int columns_find(const struct column_set *set, int column) {
    for (int i = 0; i < set->n; i++) {
        if (set->items[i] == column) {
            return i;
        }
    }
    return -1;
}

static int find_name(const char *name, size_t len) {
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (strlen(COLUMNS[i].name) == len && strncmp(COLUMNS[i].name, name, len) == 0) {
            return i;
        }
    }
    return -1;
}

static enum err unknown(const char *name, size_t len, struct error *error) {
    const char *names[COLUMN_COUNT];
    char word[NAME_MAX_BYTES + 1] = "";
    for (int i = 0; i < COLUMN_COUNT; i++) {
        names[i] = COLUMNS[i].name;
    }
    memcpy(word, name, len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES);
    const char *near = near_word(word, names, COUNT_OF(names));
    return error_set(error, ERR_USAGE, "no column is called \"%s\"%s%s%s", word, near ? " (" : "", near ? near : "",
                     near ? "?)" : "");
}

/* `name` or `name:cells`. */
static enum err parse_one(const char *word, size_t len, struct column_set *out, struct error *error) {
    const char *colon = memchr(word, ':', len);
    size_t name_len = colon ? (size_t)(colon - word) : len;
    int column = find_name(word, name_len);
    long long width = 0;
    if (column < 0) {
        return unknown(word, name_len, error);
    }
    if (columns_find(out, column) >= 0) {
        return error_set(error, ERR_USAGE, "the column %s is named twice", COLUMNS[column].name);
    }
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
    enum err code = ERR_OK;
    while (*text && code == ERR_OK) {
        size_t len = strcspn(text, ",");
        code = parse_one(text, len, &set, error);
        text += len;
        if (*text && code == ERR_OK && !*++text) {
            code = error_set(error, ERR_USAGE, "a column is missing after the last comma");
        }
    }
    if (code == ERR_OK) {
        *out = set;
    }
    return code;
}

static bool has_widths(const struct column_set *set) {
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (set->widths[i] > 0) {
            return true;
        }
    }
    return false;
}

void columns_usual(struct column_set *set) {
    set->n = COLUMN_USUAL;
    for (int i = 0; i < COLUMN_USUAL; i++) {
        set->items[i] = (unsigned char)i;
    }
}

void columns_print(const struct column_set *set, struct str *out) {
    struct column_set all = *set;
    if (all.n == 0 && has_widths(set)) {
        columns_usual(&all);
    }
    for (int i = 0; i < all.n; i++) {
        str_addf(out, "%s%s", i > 0 ? "," : "", COLUMNS[all.items[i]].name);
        if (all.widths[all.items[i]] > 0) {
            str_addf(out, ":%d", all.widths[all.items[i]]);
        }
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

const char *column_text(const struct intent *intent, int column) {
    const char *text = NULL;
    enum intent_field field = COLUMNS[column].field;
    if (column == COLUMN_MASK && intent->credential.pan_mask.state != VALUE_OK) {
        field = INTENT_FIELD_NUMBER_MASK;
    }
    if (field != INTENT_FIELD_COUNT) {
        (void)intent_field_text(intent, field, &text);
    }
    return text;
}

bool column_money(const struct intent *intent, int column, const struct money_rule *rule, struct str *out) {
    const struct value_number *number = column == COLUMN_AMOUNT ? &intent->amount : &intent->guarantee_amount;
    if (number->state == VALUE_OK) {
        money_format(out, number->number, number->currency ? number->currency : intent->currency.text, rule);
        if (number->currency) {
            str_addf(out, " %s", number->currency);
        }
    } else if (number->text) {
        str_addf(out, "[%s]", number->text);
    }
    return number->text != NULL;
}

static void add_word(struct str *out, bool on, const char *word) {
    if (on) {
        str_addf(out, "%s%s", out->len > 0 ? " " : "", word);
    }
}

void column_flags(const struct intent *intent, struct str *out) {
    const struct value_flag *archived = &intent->credential.is_archived;
    add_word(out, intent_has_record(intent->dispute), "dispute");
    add_word(out, intent_has_record(intent->refund), "refund");
    add_word(out, archived->state == VALUE_OK && archived->on, "archived");
    add_word(out, intent->unknown > 0, "unknown");
}
