#include "panes/intents/intents.h"

#include "base/utf8.h"

#include <string.h>

/* Digits of an amount are never cut (K36). */
static bool intents_columns_is_digits(int column) {
    return column == COLUMN_AMOUNT || column == COLUMN_GUARANTEE || column == COLUMN_CREATED;
}

/* Columns that were chosen by hand stay: where they do not fit, the list scrolls to them. */
void columns_order(struct shell *shell) {
    struct intents *intents = intents_of(shell);
    struct table *table = &intents->table;
    struct column_set set = intents->view.columns;
    bool chosen = set.n > 0 || intents->wide;
    if (intents->wide)
        columns_all(&intents->view.columns, &set);
    else if (set.n == 0)
        columns_usual(&set);
    table->n_order = set.n;
    for (int place = 0; place < set.n; place++) {
        struct table_column *column = &intents->columns[set.items[place]];
        int width = set.widths[set.items[place]];
        table->order[place] = set.items[place];
        column->priority = chosen ? 0 : column->priority;
        if (width > 0 && !(intents_columns_is_digits(set.items[place]) && width < column->min)) {
            column->min = column->want = width;
            column->grow = 0;
        }
    }
}

static int intents_columns_widest(struct shell *shell, int column) {
    const struct intents *intents = intents_of(shell);
    int most = utf8_cells(intents->columns[column].title, strlen(intents->columns[column].title)) + 1;
    size_t end = intents->table.top + (size_t)intents->table.visible_rows;
    struct result_row row;
    struct str text;
    str_init(&text, 1 << 16);
    for (size_t i = intents->table.top; i < end && intents_at(shell, i, &row); i++) {
        str_reset(&text);
        intents_column_text(shell, row.intent, column, &text);
        int cells = utf8_cells(text.s, text.len);
        most = cells > most ? cells : most;
    }
    str_clear(&text);
    return most < COLUMN_WIDTH_MAX ? most : COLUMN_WIDTH_MAX;
}

static void intents_columns_fit(struct shell *shell) {
    struct intents *intents = intents_of(shell);
    struct column_set set = intents->view.columns;
    int column = intents->table.column;
    bool unset = set.widths[column] > 0;
    if (intents_columns_is_digits(column) || column == COLUMN_FLAGS) {
        shell_message(shell, ROLE_INFO, "this column is always as wide as its values");
        return;
    }
    set.widths[column] = (unsigned char)(unset ? 0 : intents_columns_widest(shell, column));
    view_columns(&intents->view, &set);
    shell_message(shell, ROLE_INFO, unset ? "the column's width is as usual" : "the column is as wide as its values");
}

bool columns_act(struct shell *shell, int action, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    if (action == ACTION_COLUMNS) {
        (void)shell_open(shell, OVERLAY_COLUMNS, NULL, effects);
    } else if (intents->place == DETAIL_FULL) {
        shell_message(shell, ROLE_INFO, "the detail covers the list; %s goes back to it",
                      shell_key_of(shell, ACTION_BACK));
    } else if (action == ACTION_FIT) {
        intents_columns_fit(shell);
    } else {
        intents->wide = !intents->wide;
        if (intents->wide)
            shell_message(shell, ROLE_INFO, "every column; %s and %s reach them", shell_key_of(shell, ACTION_LEFT),
                          shell_key_of(shell, ACTION_RIGHT));
        else
            shell_message(shell, ROLE_INFO, "the view's columns");
    }
    return true;
}
