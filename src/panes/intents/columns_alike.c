#include "panes/intents/intents.h"

#include "base/utf8.h"

#include <string.h>

enum {
    ROWS_LEAST = 6, /* on show: of fewer, too much is alike by chance */
    TEXT_MAX = 1 << 12,
};

/* Whether rows on show differ in the column; `value` is then what they have. A column whose change has to be seen is
 * shown. Once they differed they do until the list is another, so that columns do not come and go while scrolling. */
static bool differ(struct shell *shell, int column, size_t rows, struct str *value) {
    struct intents *intents = intents_of(shell);
    struct result_row row;
    struct str text;
    size_t n = 0, end = intents->table.top + rows;
    bool known = true;
    str_init(&text, TEXT_MAX);
    for (size_t i = intents->table.top; i < end && i < intents_count(shell) && !intents->varied[column]; i++) {
        known = known && intents_at(shell, i, &row);
        if (!known || row.intent->broken)
            continue;
        str_reset(&text);
        intents_column_drawn(shell, row.intent, column, &text);
        if (n++ == 0)
            str_add(value, text.s);
        intents->varied[column] = strcmp(text.s, value->s) != 0 || row.changed & intents_column_changes(column);
    }
    str_clear(&text);
    return intents->varied[column] || !known || n < ROWS_LEAST;
}

/* `USD`, `no decline`. Flags of all rows are looked at one by one. */
static bool name_value(int column, const char *title, struct str *value) {
    bool none = strspn(value->s, " ") == value->len || str_equal(value->s, sign(SIGN_ABSENT));
    if (none) {
        str_reset(value);
        str_addf(value, "no %s", title);
    }
    return none || column != COLUMN_FLAGS;
}

static bool is_cramped(const struct intents *intents, int cols) {
    int wanted = TABLE_GUTTER; /* and a blank behind each, the last one before the scrollbar */
    for (int place = 0; place < intents->table.n_order; place++)
        wanted += intents->columns[intents->table.order[place]].want + 1;
    return wanted > cols;
}

static bool is_sorted_by(const struct intents *intents, int column) {
    const struct lookup_sort *sort = intents->view.sort;
    enum query_field_code field = column_info(column)->query;
    bool is = false;
    for (int i = 0; i < LOOKUP_SORTS && !is && field != QUERY_FIELD_COUNT; i++)
        is = sort[i].field == field;
    return is;
}

static bool may_give_place(const struct intents *intents, int column) {
    const struct table *table = &intents->table;
    return intents_column_is_word(column) && column != table->column && !is_sorted_by(intents, column) &&
           column != table->order[0];
}

/* Only where the row has room to say so. */
static bool gives_place(struct shell *shell, int column, size_t rows, int room) {
    struct intents *intents = intents_of(shell);
    struct str value;
    str_init(&value, TEXT_MAX);
    bool gives = !differ(shell, column, rows, &value) && name_value(column, intents->columns[column].title, &value) &&
                 utf8_cells(intents->alike.s, intents->alike.len) + 2 + utf8_cells(value.s, value.len) <= room;
    if (gives)
        str_addf(&intents->alike, "%s%s", intents->alike.len > 0 ? ", " : "", value.s);
    str_clear(&value);
    return gives;
}

/* Takes the columns that give their place away out of the order; false: there is none. */
static bool take_alike(struct shell *shell, size_t rows, int room) {
    struct table *table = &intents_of(shell)->table;
    int kept = 0, n = table->n_order;
    for (int place = 0; place < n; place++) {
        int column = table->order[place];
        bool gives = table->widths[column] > 0 && may_give_place(intents_of(shell), column) &&
                     gives_place(shell, column, rows, room);
        if (!gives)
            table->order[kept++] = column;
    }
    table->n_order = kept;
    return kept < n;
}

/* What comes in the place of a column can be of one value too. */
void columns_alike(struct shell *shell, size_t rows, int cols) {
    struct intents *intents = intents_of(shell);
    static const char ALL[] = "all here: ";
    int room = intents_filter_room(shell) - (int)sizeof ALL;
    bool more = intents->view.columns.n == 0 && !intents->wide && is_cramped(intents, cols); /* chosen ones stay */
    str_reset(&intents->alike);
    while (more) {
        table_fit(&intents->table, cols);
        more = take_alike(shell, rows, room);
    }
    if (intents->alike.len > 0)
        str_insert(&intents->alike, 0, ALL, sizeof ALL - 1);
}
