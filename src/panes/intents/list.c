#include "panes/intents/intents.h"

/* What the list offers to what stands over it. */

struct view *intents_view(const struct shell *shell) {
    return &intents_of(shell)->view;
}

struct browse *intents_browse(const struct shell *shell) {
    return &intents_of(shell)->browse;
}

size_t intents_count(const struct shell *shell) {
    return result_rows(intents_view(shell));
}

bool intents_at(const struct shell *shell, size_t row, struct result_row *out) {
    return result_row(intents_view(shell), row, out);
}

const struct intent *intents_current(const struct shell *shell) {
    struct result_row row;
    return intents_at(shell, intents_of(shell)->table.cursor, &row) ? row.intent : NULL;
}

bool intents_under(const struct shell *shell, struct result_row *out) {
    return intents_at(shell, intents_of(shell)->table.cursor, out);
}

int intents_column(const struct shell *shell) {
    return intents_of(shell)->table.column;
}

int intents_column_width(const struct shell *shell, int column) {
    const struct intents *pane = intents_of(shell);
    return pane->table.widths[column] > 0 ? pane->table.widths[column] : pane->columns[column].min;
}

void intents_find_first(struct shell *shell, struct effects *effects) {
    if (intents_find(shell, 1))
        intents_moved(shell, effects);
}

void intents_show_view(struct shell *shell, const char *name, struct effects *effects) {
    struct error error = {0};
    if (view_open(intents_view(shell), name, shell_now(shell), effects, &error) != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", error.text);
    intents_viewed(shell, effects);
}

void intents_show_columns(struct shell *shell, const struct column_set *set) {
    intents_of(shell)->wide = false;
    view_columns(intents_view(shell), set);
}

void intents_close_detail(struct shell *shell) {
    intents_of(shell)->detail_zoomed = false;
}

bool intents_totals_cut(const struct shell *shell) {
    size_t n;
    return result_totals(intents_view(shell), &n) && intents_of(shell)->totals_cut;
}
