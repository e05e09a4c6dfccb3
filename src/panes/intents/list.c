#include "panes/intents/intents.h"

#include "app/id_list.h"

/* What the list offers to the overlays over it. */

const char *intents_filter(const struct shell *shell) {
    return intents_view(shell)->text;
}

void intents_shown_filter(const struct shell *shell, struct str *out) {
    const struct view *view = intents_view(shell);
    if (view->previewing)
        query_print(view->typed, out);
    else
        str_add(out, view->text);
}

unsigned intents_question(const struct shell *shell) {
    return intents_view(shell)->question;
}

const struct query *intents_query(const struct shell *shell) {
    return intents_view(shell)->query;
}

const struct server_filter *intents_server_filter(const struct shell *shell) {
    return &intents_browse(shell)->filter;
}

const char *intents_name(const struct shell *shell) {
    return intents_view(shell)->name;
}

const struct saved_views *intents_saved(const struct shell *shell) {
    return &intents_view(shell)->saved;
}

struct layout intents_layout(const struct shell *shell) {
    const struct view *view = intents_view(shell);
    return (struct layout){{view->sort[0], view->sort[1]}, view->columns};
}

bool intents_is_sorted(const struct shell *shell) {
    return view_is_sorted(intents_view(shell));
}

bool intents_is_untouched(const struct shell *shell) {
    return intents_view(shell)->undo.n == 0 && !*intents_name(shell);
}

enum view_source intents_source(const struct shell *shell) {
    return intents_view(shell)->source;
}

enum err intents_parse(const struct shell *shell, const char *text, struct query **out, struct query_fault *fault,
                       struct error *error) {
    return view_parse(intents_view(shell), text, out, fault, error);
}

enum err intents_parse_events(const struct shell *shell, const char *text, struct query **out,
                              struct query_fault *fault, struct error *error) {
    return view_parse_events(intents_view(shell), text, out, fault, error);
}

bool intents_awaits_list(const struct shell *shell) {
    return id_lists_are_awaited(intents_view(shell)->lists);
}

void intents_paste_ids(struct shell *shell, const char *text, struct str *name) {
    id_lists_paste(intents_view(shell)->lists, text, name);
}

void intents_lists_outdated(struct shell *shell) {
    id_lists_outdate(intents_view(shell)->lists);
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

void intents_list(const struct shell *shell, struct view_list *out) {
    view_list(intents_view(shell), out);
}

bool intents_is_whole(const struct shell *shell) {
    return view_is_whole(intents_view(shell));
}

bool intents_is_awaited(const struct shell *shell) {
    const struct browse *browse = intents_browse(shell);
    bool counts = browse->end == BROWSE_END && !result_is_as_read(intents_view(shell)); /* the index catches up */
    return mirror_is_busy(&intents_of(shell)->mirror) || browse_is_busy(browse) || browse->retry_at != CLOCK_NONE ||
           counts;
}

bool intents_is_crawling(const struct shell *shell) {
    const struct browse *browse = intents_browse(shell);
    return mirror_is_busy(&intents_of(shell)->mirror) || (browse->crawl && browse_is_busy(browse));
}

size_t intents_marks(const struct shell *shell) {
    return intents_view(shell)->marks.n - intents_marks_left(shell);
}

size_t intents_marks_left(const struct shell *shell) {
    return view_marks_left(intents_view(shell));
}

const struct intent *intents_read(const struct shell *shell, size_t i) {
    const struct browse *browse = intents_browse(shell);
    return i < browse->n ? browse->items[i].intent : NULL;
}

int intents_column(const struct shell *shell) {
    return intents_of(shell)->table.column;
}

int intents_column_width(const struct shell *shell, int column) {
    const struct intents *pane = intents_of(shell);
    return pane->table.widths[column] > 0 ? pane->table.widths[column] : pane->columns[column].min;
}

struct lookup *intents_lookup_marks(const struct shell *shell) {
    return view_lookup_marks(intents_view(shell), shell_now(shell));
}

struct lookup *intents_lookup_text(const struct shell *shell, const char *text) {
    return view_lookup_text(intents_view(shell), text, shell_now(shell));
}

uint64_t intents_ask_stats(struct shell *shell, const struct stats_ask *ask, size_t limit, struct effects *effects) {
    return view_stats(intents_view(shell), ask, limit, shell_now(shell), effects);
}

uint64_t intents_ask_counts(struct shell *shell, const struct query_axis *over, enum query_field_code field,
                            size_t limit, struct effects *effects) {
    return view_count_over(intents_view(shell), over, field, limit, shell_now(shell), effects);
}

uint64_t intents_ask_match(struct shell *shell, struct match *match, struct effects *effects) {
    return view_match(intents_view(shell), match, shell_now(shell), effects);
}

uint64_t intents_ask_gather(struct shell *shell, struct gather *gather, struct effects *effects) {
    return view_gather(intents_view(shell), NULL, gather, shell_now(shell), effects);
}

struct query_context intents_context(const struct shell *shell) {
    return view_context(intents_view(shell), shell_now(shell));
}

const struct notes *intents_notes(const struct shell *shell) {
    return intents_view(shell)->notes;
}

void intents_page(const struct shell *shell, const struct event *event, struct lookup_result *answer) {
    view_page(intents_view(shell), event, answer);
}

void intents_coverage(const struct shell *shell, const struct lookup_result *answer, struct coverage *out) {
    view_coverage(intents_view(shell), answer, view_shown_query(intents_view(shell)), shell_now(shell), out);
}

bool intents_covers_text(const struct shell *shell, const struct lookup_result *answer, const char *text) {
    return view_covers_text(intents_view(shell), answer, text, shell_now(shell));
}

/* Rows that left are on show until the filter is applied again; they are not of the list. */
void intents_export(const struct shell *shell, struct export_job *job, struct effects *effects) {
    size_t n;
    int64_t *keys = result_keys(intents_view(shell), &n);
    export_keys(job, keys, n);
    export_start(job, intents_browse(shell), effects);
}

bool intents_export_update(const struct shell *shell, struct export_job *job, struct event *event,
                           struct effects *effects) {
    return export_update(job, intents_browse(shell), event, effects);
}

void intents_preview(struct shell *shell, struct query *query, struct effects *effects) {
    view_preview(intents_view(shell), query, shell_now(shell), effects);
    intents_viewed(shell, effects);
}

void intents_drop_preview(struct shell *shell, struct effects *effects) {
    view_drop_preview(intents_view(shell), shell_now(shell), effects);
    intents_viewed(shell, effects);
}

const struct lookup_result *intents_typed(const struct shell *shell) {
    const struct view *view = intents_view(shell);
    bool of_typed = view->previewing && view->answer && view->answered == view->question;
    return of_typed && view->answer->n_values > 0 ? view->answer : NULL;
}

void intents_look_for(struct shell *shell, const char *text, struct effects *effects) {
    struct query *query = NULL;
    enum err err = intents_parse(shell, text, &query, NULL, NULL);
    view_find(intents_view(shell), err == ERR_OK && query->root ? query : NULL, shell_now(shell), effects);
    if (err == ERR_OK && !query->root)
        query_free(query);
    else if (result_is_as_read(intents_view(shell)) && intents_find(shell, 1))
        intents_moved(shell, effects);
}

void intents_show_view(struct shell *shell, const char *name, struct effects *effects) {
    struct error error = {0};
    if (view_open(intents_view(shell), name, shell_now(shell), effects, &error) != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", error.text);
    intents_viewed(shell, effects);
}

void intents_set_name(struct shell *shell, const char *name) {
    view_set_name(intents_view(shell), name);
}

bool intents_take_saved(struct shell *shell, const char *text, const char *shared) {
    return view_take_saved(intents_view(shell), text, shared);
}

const struct shared_views *intents_shared(const struct shell *shell) {
    return &intents_view(shell)->shared;
}

void intents_restore(struct shell *shell, const struct layout *layout, struct effects *effects) {
    view_restore(intents_view(shell), layout, shell_now(shell), effects);
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
