#include "panes/intents/intents.h"

/* What the list offers to what stands over it. */

struct view *intents_view(const struct shell *shell) {
    return &intents_of(shell)->view;
}

struct browse *intents_browse(const struct shell *shell) {
    return &intents_of(shell)->browse;
}

size_t intents_count(const struct shell *shell) {
    const struct intents *intents = intents_of(shell);
    return view_is_on(&intents->view) ? view_rows(&intents->view) : intents->browse.n;
}

static bool walk_row(const struct browse *browse, size_t row, struct list_row *out) {
    if (row >= browse->n) {
        return false;
    }
    const struct browse_row *from = &browse->items[row];
    *out = (struct list_row){.intent = from->intent,
                             .confirmed = from->confirmed,
                             .cached = from->cached,
                             .is_new = from->is_new,
                             .gone = from->gone,
                             .changed = from->changed,
                             .page = from->cached ? SIZE_MAX : from->page};
    return true;
}

bool intents_at(const struct shell *shell, size_t row, struct list_row *out) {
    const struct view *view = intents_view(shell);
    const struct browse *browse = intents_browse(shell);
    if (!view_is_on(view)) {
        return walk_row(browse, row, out);
    }
    const struct looked_row *from = view_row(view, row);
    if (!from) {
        return false;
    }
    *out = (struct list_row){.intent = from->intent,
                             .key = from->key,
                             .confirmed = from->confirmed,
                             .changed = view_changed(view, from),
                             .gone = view_is_gone(view, row),
                             .page = SIZE_MAX};
    size_t walked = browse_find(browse, from->intent->id.text);
    if (walked < browse->n) {
        const struct browse_row *same = &browse->items[walked];
        bool later = same->cached || from->changed_at > same->confirmed; /* another console saw it change */
        out->is_new = same->is_new;
        out->gone = out->gone || same->gone;
        out->changed = later ? out->changed : same->changed;
    }
    return true;
}

const struct intent *intents_current(const struct shell *shell) {
    struct list_row row;
    return intents_at(shell, intents_of(shell)->table.cursor, &row) ? row.intent : NULL;
}

bool intents_under(const struct shell *shell, struct list_row *out) {
    return intents_at(shell, intents_of(shell)->table.cursor, out);
}

int intents_column(const struct shell *shell) {
    return intents_of(shell)->table.column;
}

int intents_column_width(const struct shell *shell, int column) {
    const struct intents *own = intents_of(shell);
    return own->table.widths[column] > 0 ? own->table.widths[column] : own->columns[column].min;
}

void intents_find_first(struct shell *shell, struct effects *effects) {
    if (intents_find(shell, 1)) {
        intents_moved(shell, effects);
    }
}

void intents_show_view(struct shell *shell, const char *name, struct effects *effects) {
    struct error error = {0};
    if (view_open(intents_view(shell), name, shell_now(shell), effects, &error) != ERR_OK) {
        shell_message(shell, ROLE_ERROR, "%s", error.text);
    }
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
    return view_is_on(intents_view(shell)) && intents_of(shell)->totals_cut;
}
