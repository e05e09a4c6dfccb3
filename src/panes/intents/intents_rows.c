#include "panes/intents/intents.h"

#include "app/id_list.h"
#include "base/utf8.h"

#include <string.h>

enum {
    PATTERN_COLS = 16,
    WIDE = 60, /* from here on there is room for what is at the right */
};

/* Times as typed: those that are sent are a little wider, since the service may or may not include the ends. */
static void intents_rows_add_filter(const struct view *view, struct str *out) {
    struct list_query query = server_filter_query(&view->browse->filter, NULL, false);
    query.after = query.before = NULL;
    api_query_text(&query, out);
    if (view->browse->filter.after || view->browse->filter.before)
        str_addf(out, "%s%s", out->len > 0 ? " " : "", view->window_text);
}

/* Over how many rows the local part was applied: a bound never looks like a count. */
static void intents_rows_add_reach(const struct shell *shell, bool brief, struct str *out) {
    const struct view *view = intents_view(shell);
    if (result_is_as_read(view)) {
        str_add(out, "looking");
        return;
    }
    struct view_list list;
    view_list(view, &list);
    bool whole = coverage_is_whole(&list.coverage);
    str_add(out, !brief ? "over " : whole ? "all " : "");
    money_group_count(out, result_looked_at(view));
    str_add(out, brief ? "" : whole ? " rows, " : list.coverage.cached ? " cached rows" : " rows read");
    if (!whole)
        str_add(out, " so far");
    else if (!brief)
        coverage_text(&list.coverage, COVERAGE_BRIEF, shell_now(shell), out);
    bool typing = shell_shows(shell, OVERLAY_PROMPT); /* keys are text now */
    if (!whole && !intents_browse(shell)->crawl && !typing) {
        str_add(out, brief ? ", " : "; ");
        str_add(out, shell_key_of(shell, ACTION_CRAWL));
        str_add(out, brief ? ": all" : " reads all");
    }
}

void intents_sort_text(const struct view *view, struct str *out) {
    for (int i = 0; i < LOOKUP_SORTS && view->sort[i].field != QUERY_FIELD_COUNT; i++) {
        str_addf(out, "%s%s%s", i > 0 ? ", " : "", query_field(view->sort[i].field)->name,
                 view->sort[i].descending ? " desc" : " asc");
    }
}

/* Says where amounts of several currencies are compared by their integers. */
static void add_order_note(const struct view *view, bool brief, struct str *out) {
    size_t n;
    const struct lookup_total *totals = result_totals(view, &n);
    lookup_order_note(view->sort, totals, n, brief, out);
}

static void intents_noted_order(const struct view *view, struct str *out) {
    struct str note;
    str_init(&note, 256);
    intents_sort_text(view, out);
    add_order_note(view, false, &note);
    str_addf(out, "%s%s", note.len > 0 ? ", " : "", note.s);
    str_clear(&note);
}

/* Rows of a list of ids stand in its order. */
static bool is_by_list(const struct view *view) {
    return !view_is_sorted(view) && !result_is_as_read(view) && query_list_term(view->query, NULL) != NULL;
}

/* What the cache holds stands newest first, which need not be the order of the service. */
static bool is_by_time(const struct view *view) {
    return !view_is_sorted(view) && !result_is_as_read(view) && view->source == VIEW_OF_CACHE &&
           !view->browse->newest_first;
}

void intents_order_text(const struct shell *shell, struct str *out) {
    if (is_by_list(intents_view(shell)))
        str_add(out, "of the list of ids");
    else if (is_by_time(intents_view(shell)))
        str_add(out, "newest first");
    else
        intents_noted_order(intents_view(shell), out);
}

static void add_sort(const struct view *view, bool noted, struct str *out) {
    if (view_is_sorted(view)) {
        str_add(out, "sort: ");
        (noted ? intents_noted_order : intents_sort_text)(view, out);
    } else {
        const char *sent = noted ? "order: as sent by the service" : "order: as sent";
        str_add(out, is_by_list(view) ? "order: of the list" : is_by_time(view) ? "order: newest first" : sent);
    }
}

/* Which part of the filter the service applies, and which is applied here. */
static void add_parts(const struct view *view, struct str *out) {
    struct str server;
    str_init(&server, QUERY_TEXT_MAX);
    intents_rows_add_filter(view, &server);
    bool looks = view_is_sorted(view);
    if (view->previewing) {
        str_add(out, "being typed");
    } else if (view_does_all(view)) {
        str_addf(out, "local[%s]", view->text);
    } else if (server.len == 0 && !*view->local) {
        str_add(out, looks ? "none," : "none, every intent of this account");
    } else {
        str_addf(out, server.len > 0 ? "server[%s]" : "%s", server.s);
        str_addf(out, *view->local ? "%slocal[%s]" : "%s%s", server.len > 0 && *view->local ? " " : "", view->local);
    }
    str_clear(&server);
}

static int intents_rows_cells_of(const struct str *text) {
    return utf8_cells(text->s, text->len);
}

/* Whether the list was read to its end: a walk under way does not undo that of an earlier one. */
static bool was_whole(const struct browse *browse) {
    const struct coverage *held = &browse->cache.coverage;
    bool open = browse->end == BROWSE_OPEN && browse->next && !browse->replacing;
    return open && browse->use_cache && coverage_is_whole(held) && held->as_of != CLOCK_NONE;
}

static void add_fitting_past(const struct shell *shell, int room, struct str *out) {
    const struct browse *browse = intents_browse(shell);
    if (out->len > 0 || !result_is_as_read(intents_view(shell)) || !was_whole(browse))
        return;
    str_add(out, "(all read ");
    clock_format_today(out, browse->cache.coverage.as_of, shell_zone(shell), shell_now(shell));
    str_add(out, ")");
    if (intents_rows_cells_of(out) > room)
        str_reset(out);
}

/* The full text where there is room for it beside the parts. */
static void add_fitting_reach(const struct shell *shell, int room, struct str *out) {
    const struct view *view = intents_view(shell);
    if (view->previewing || *view->local || view_is_sorted(view) || view_does_all(view)) {
        intents_rows_add_reach(shell, false, out);
        if (intents_rows_cells_of(out) > room) {
            str_reset(out);
            intents_rows_add_reach(shell, true, out);
        }
    }
}

int intents_filter_room(const struct shell *shell) {
    enum { AROUND = 12, ORDER_COLS = 100 }; /* the word before the filter, and blanks; from here on the order stays */
    struct str parts, reach, order;
    str_init(&parts, 3 * QUERY_TEXT_MAX);
    str_init(&reach, 256);
    str_init(&order, 256);
    if (shell_cols(shell) >= ORDER_COLS)
        add_sort(intents_view(shell), true, &order);
    add_parts(intents_view(shell), &parts);
    add_fitting_reach(shell, 0, &reach);
    int room = shell_cols(shell) - AROUND - intents_rows_cells_of(&parts) - intents_rows_cells_of(&reach) -
               (order.len > 0 ? 2 + intents_rows_cells_of(&order) : 0);
    str_clear(&order);
    str_clear(&parts);
    str_clear(&reach);
    return room;
}

/* How far the local part reaches is shown whatever has to be cut; then the parts; the order is also in the header. */
void intents_filter_row(struct shell *shell, struct canvas *canvas, struct rect row) {
    const struct view *view = intents_view(shell);
    struct str order, noted, parts, reach, *alike = &intents_of(shell)->alike;
    if (alike->len > 0)
        canvas_text(canvas, rect_take_cols(&row, -(intents_rows_cells_of(alike) + 2)), 0, 1, ROLE_DIM, alike->s);
    str_init(&order, 256);
    str_init(&parts, 3 * QUERY_TEXT_MAX);
    str_init(&reach, 256);
    add_sort(view, false, &order);
    add_parts(view, &parts);
    bool plain = !view->previewing && server_filter_is_empty(&view->browse->filter) && !*view->local;
    int x = 1 + canvas_text(canvas, row, 0, 1, ROLE_DIM, "filter: ");
    int beside = view_is_sorted(view) && row.cols >= WIDE ? intents_rows_cells_of(&order) + 2 : 0;
    add_fitting_reach(shell, row.cols - x - intents_rows_cells_of(&parts) - beside - 2, &reach);
    bool past = reach.len == 0;
    add_fitting_past(shell, row.cols - x - intents_rows_cells_of(&parts) - intents_rows_cells_of(&order) - 4, &reach);
    int taken = x + intents_rows_cells_of(&parts) + intents_rows_cells_of(&reach) + 4;
    str_init(&noted, 256);
    add_sort(view, true, &noted);
    intents_of(shell)->order_cut = row.cols < WIDE || taken + intents_rows_cells_of(&noted) > row.cols;
    if (!intents_of(shell)->order_cut) {
        str_reset(&order);
        str_add(&order, noted.s);
    }
    str_clear(&noted);
    if (row.cols >= WIDE && taken + intents_rows_cells_of(&order) <= row.cols) {
        struct rect place = rect_take_cols(&row, -(intents_rows_cells_of(&order) + 2));
        canvas_text(canvas, place, 0, 1, view_is_sorted(view) ? ROLE_PROMPT : ROLE_DIM, order.s);
    }
    struct rect cut = rect_inset(row, 0, x, 0, reach.len > 0 ? intents_rows_cells_of(&reach) + 2 : 0);
    x += canvas_text(canvas, cut, 0, 0, plain ? ROLE_DIM : ROLE_PROMPT, parts.s) + 1;
    canvas_text(canvas, row, 0, x, past || view_is_whole(view) ? ROLE_OK : ROLE_WARN, reach.s);
    str_clear(&order);
    str_clear(&parts);
    str_clear(&reach);
}

/* A row number is padded to the width of the last one, so that what follows does not move: a terminal that scrolls
 * gains little where the row below has to be written again. */
static void intents_rows_add_place(struct str *out, size_t at, size_t of) {
    struct str place, last;
    str_init(&place, 32);
    str_init(&last, 32);
    money_group_count(&place, at);
    money_group_count(&last, of);
    str_addf(out, "%*s of ", (int)last.len, place.s);
    str_clear(&place);
    str_clear(&last);
}

static void add_place_of(struct str *out, size_t at, size_t of) {
    intents_rows_add_place(out, at, of);
    money_group_count(out, of);
}

/* How much of the service's list this walk has read. */
static void add_extent(const struct shell *shell, struct str *out) {
    const struct browse *browse = intents_browse(shell);
    switch (browse->end) {
    case BROWSE_OPEN:
        str_add(out, browse->next ? " read so far, more on the server" : " read");
        break;
    case BROWSE_END:
        str_add(out, browse->failed_pages + browse->partial_pages > 0 ? " read, this may not be all"
                                                                      : ", end of the list seen");
        break;
    case BROWSE_LOOP:
        str_add(out, " read; stopped: the service repeats a cursor");
        break;
    case BROWSE_NO_PROGRESS:
        str_addf(out, " read; stopped: pages bring nothing new, %s reads on", shell_key_of(shell, ACTION_PAGE_DOWN));
        break;
    }
}

static void intents_rows_add_rows(const struct shell *shell, struct str *out) {
    const struct browse *browse = intents_browse(shell);
    size_t cached = browse->n - browse->confirmed;
    if (browse->n > 0)
        intents_rows_add_place(out, intents_of(shell)->table.cursor + 1, browse->n);
    if (browse->confirmed > 0 || cached == 0) {
        money_group_count(out, browse->confirmed);
        add_extent(shell, out);
    }
    if (cached > 0) {
        str_add(out, browse->confirmed > 0 ? " + " : "");
        money_group_count(out, cached);
        str_add(out, browse->cache.done ? " cached" : " cached so far");
    }
}

/* The page number, or where the row comes from the cache the time when it was served: an age would be wrong soon on an
 * idle screen, unless ages are on show and a timer runs. */
static void add_page(const struct shell *shell, size_t cursor, struct str *out) {
    const struct browse *browse = intents_browse(shell);
    if (cursor >= browse->n)
        return;
    const struct browse_row *row = &browse->items[cursor];
    if (row->cached) {
        str_add(out, " | seen ");
        if (shell_zone(shell) == CLOCK_AGE) {
            clock_format_ago(out, row->confirmed, shell_now(shell));
        } else {
            clock_format(out, row->confirmed, shell_zone(shell), shell_now(shell));
            (void)clock_format_ahead(out, ", ", row->confirmed, shell_now(shell));
        }
        return;
    }
    str_add(out, " | page ");
    add_place_of(out, row->page + 1, browse->pages.n);
}

static void intents_rows_add_count(struct str *out, size_t n, const char *what) {
    if (n) {
        str_add(out, " | ");
        money_group_count(out, n);
        str_add_char(out, ' ');
        str_add(out, what);
    }
}

static void intents_rows_add_part(struct str *out, size_t n, const char *what) {
    if (n > 0) {
        str_add(out, out->len > 0 ? ", " : "");
        money_group_count(out, n);
        str_addf(out, " %s", what);
    }
}

enum { FATES_MOST = 8 };

static size_t add_fate(struct lookup_fate fates[FATES_MOST], size_t n, const char *status, size_t rows) {
    size_t i = 0;
    while (i < n && !str_equal(fates[i].status, status))
        i++;
    if (i == FATES_MOST)
        return n;
    fates[i] = (struct lookup_fate){status, i < n ? fates[i].rows + rows : rows};
    return i < n ? n : n + 1;
}

/* By the walk's own look, and where the list is an answer of the index by what that holds. */
static size_t find_fates(const struct shell *shell, struct lookup_fate fates[FATES_MOST]) {
    enum { TOLD_APART = 200 };
    const struct browse *browse = intents_browse(shell);
    const struct lookup_result *answer = intents_view(shell)->answer;
    size_t n = 0;
    for (size_t i = 0; answer && i < answer->n_fates; i++)
        n = add_fate(fates, n, answer->fates[i].status, answer->fates[i].rows);
    for (size_t i = 0; n == 0 && i < browse->left.n && i < TOLD_APART; i++) {
        const struct browse_left_row *row = &browse->left.items[i];
        if (!row->applied && row->became)
            n = add_fate(fates, n, row->became, 1);
    }
    return n;
}

/* `2 became approved`; `3 left (1 approved, 2 declined)`; `2 no longer match` where that is all that is known. */
static void add_left(const struct shell *shell, size_t left, const char *unknown, struct str *out) {
    struct lookup_fate fates[FATES_MOST];
    size_t n = left > 0 ? find_fates(shell, fates) : 0, known = 0;
    struct str what, parts;
    str_init(&what, 512);
    str_init(&parts, 400);
    for (size_t i = 0; i < n && known < left; i++) {
        size_t rows = fates[i].rows < left - known ? fates[i].rows : left - known;
        intents_rows_add_part(&parts, rows, fates[i].status);
        known += rows;
    }
    if (n == 1 && known == left) {
        str_addf(&what, "became %s", fates[0].status);
    } else if (known > 0) {
        intents_rows_add_part(&parts, left - known, unknown);
        str_addf(&what, "left (%s)", parts.s);
    } else {
        str_add(&what, unknown);
    }
    intents_rows_add_part(out, left, what.s);
    str_clear(&parts);
    str_clear(&what);
}

/* What live updates found, in front of all else: said with the key that takes it. */
static int waiting_part(const struct shell *shell, const struct view_list *list, struct canvas *canvas, struct rect row,
                        int x) {
    const struct browse *browse = intents_browse(shell);
    bool on = !result_is_as_read(intents_view(shell));
    struct str text;
    str_init(&text, 512);
    intents_rows_add_part(&text, list->waiting, !on && browse->waiting.gap ? "new and more" : "new");
    add_left(shell, list->left, on ? "no longer match" : "no longer listed", &text);
    if (text.len > 0) {
        str_add(&text, ": ");
        str_add(&text, shell_key_of(shell, ACTION_SHOW_NEW));
        x += canvas_text(canvas, row, 0, x, ROLE_NEW, text.s);
        x += canvas_text(canvas, row, 0, x, ROLE_TEXT, " | ");
    }
    str_clear(&text);
    return x;
}

void intents_say_listed(struct shell *shell) {
    const struct view *view = intents_view(shell);
    struct id_list_met met;
    struct str text;
    bool ready = view->answer && view->ticket == 0 && !view->previewing && !intents_of(shell)->listed_said;
    if (!ready || !listing_met(view->answer, view->query, &met))
        return;
    intents_of(shell)->listed_said = true;
    struct view_list list;
    view_list(view, &list);
    str_init(&text, ERROR_TEXT_MAX);
    bool all = id_list_say(&met, &list.coverage, shell_now(shell), &text);
    shell_message(shell, all ? ROLE_INFO : ROLE_WARN, "%s", text.s);
    str_clear(&text);
}

void intents_sum_text(const struct shell *shell, const struct lookup_total *total, struct str *out) {
    const struct money_rule rule = profile_money(shell_profile(shell));
    lookup_sum_text(total, &rule, out);
}

void intents_add_sums(const struct shell *shell, const struct query_cell *cells, size_t n, int cols, struct str *out) {
    enum { MORE_COLS = 12 };
    struct str sum;
    size_t left = 0;
    str_init(&sum, 512);
    for (size_t i = 0; i < n; i++) {
        struct lookup_total total = lookup_total_of_cell(&cells[i]);
        if (total.rows == 0)
            continue; /* of an earlier period alone */
        str_reset(&sum);
        str_addf(&sum, "  %s ", total.currency ? total.currency : "no currency");
        intents_sum_text(shell, &total, &sum);
        bool fits = left == 0 && utf8_cells(out->s, out->len) + utf8_cells(sum.s, sum.len) + MORE_COLS <= cols;
        str_add(out, fits ? sum.s : "");
        left += !fits;
    }
    if (left > 0)
        str_addf(out, "  +%zu sum%s", left, plural_s(left));
    str_clear(&sum);
}

enum role intents_reach_text(const struct shell *shell, const struct lookup_result *found, struct str *out) {
    struct coverage coverage;
    intents_coverage(shell, found, &coverage);
    bool whole = coverage_is_whole(&coverage);
    money_group_count(out, found->n);
    str_add(out, whole || !coverage.cached ? "" : " cached");
    str_add(out, found->n == 1 ? " intent" : " intents");
    if (whole) {
        str_add(out, ", ");
        coverage_text(&coverage, COVERAGE_BRIEF, shell_now(shell), out);
    } else {
        str_addf(out, " so far; %s reads all", shell_key_of(shell, ACTION_CRAWL));
    }
    return whole ? ROLE_OK : ROLE_WARN;
}

void intents_band_text(const struct shell *shell, const struct query_place *place, struct str *out) {
    const struct money_rule rule = profile_money(shell_profile(shell));
    int64_t low, high;
    query_band_bounds((int)place->number, &low, &high);
    str_addf(out, "%s ", place->currency ? place->currency : "no currency");
    money_format(out, low, place->currency, &rule);
    if (high != low) {
        str_add(out, "..");
        money_format(out, high, place->currency, &rule);
    }
}

static void add_total(const struct shell *shell, const struct lookup_total *total, struct str *out) {
    str_add(out, total->currency ? total->currency : "no currency");
    str_add_char(out, ' ');
    intents_sum_text(shell, total, out);
}

static void intents_rows_add_more(const struct shell *shell, size_t n, struct str *out) {
    str_add(out, "  +");
    money_group_count(out, n);
    str_addf(out, " more: %s", shell_key_of(shell, ACTION_COUNTS));
}

/* One sum a currency, never across, and none cut: part of an amount reads as an amount. */
static bool add_totals(const struct shell *shell, const struct view_list *list, int room, struct str *out) {
    struct str total, more;
    size_t n;
    bool cut = false;
    const struct lookup_total *totals = result_totals(intents_view(shell), &n);
    str_init(&total, 256);
    str_init(&more, 64);
    for (size_t i = 0; i < n; i++) {
        size_t rest = n - i;
        str_reset(&total);
        str_reset(&more);
        str_add(&total, i > 0 ? "  " : list->summed > 0 ? " | with the new: " : " | ");
        add_total(shell, &totals[i], &total);
        if (rest > 1)
            intents_rows_add_more(shell, rest - 1, &more);
        if (intents_rows_cells_of(out) + intents_rows_cells_of(&total) + intents_rows_cells_of(&more) > room) {
            cut = true;
            str_reset(&more);
            str_addf(&more, " | sums: %s", shell_key_of(shell, ACTION_COUNTS));
            if (i > 0)
                intents_rows_add_more(shell, rest, out);
            else if (intents_rows_cells_of(out) + intents_rows_cells_of(&more) <= room)
                str_add(out, more.s);
            break;
        }
        str_add(out, total.s);
    }
    str_clear(&total);
    str_clear(&more);
    return cut;
}

static void add_result(const struct intents *intents, const struct view_list *list, struct str *out) {
    size_t rows = list->rows - list->left, at = intents->table.cursor + 1;
    for (size_t i = 0; list->left > 0 && i < list->rows && i <= intents->table.cursor; i++)
        at -= view_is_gone(&intents->view, i); /* the place of the row above, on one that left */
    if (rows > 0)
        add_place_of(out, at, rows);
    else
        money_group_count(out, 0);
    str_add(out, coverage_is_whole(&list->coverage) ? "" : " so far");
}

/* The note on the order where the filter row had no room for it. */
static void add_untold_order(const struct view *view, bool brief, struct str *out) {
    struct str note;
    str_init(&note, 256);
    add_order_note(view, brief, &note);
    str_addf(out, "%s%s", note.len > 0 ? ", " : "", note.s);
    str_clear(&note);
}

static void add_found(const struct view *view, size_t cursor, struct str *out) {
    size_t before, n;
    if (!result_found(view, cursor, &before, &n))
        return;
    struct str pattern;
    str_init(&pattern, QUERY_TEXT_MAX);
    query_print(view->find, &pattern);
    str_addf(out, " | %s", sign(SIGN_FOUND));
    utf8_ends(out, pattern.s, pattern.len, PATTERN_COLS, sign(SIGN_CUT));
    str_clear(&pattern);
    if (n == 0) {
        str_add(out, " not found");
        return;
    }
    str_add(out, " found ");
    add_place_of(out, before, n);
}

static const char *busy_text(const struct browse *browse) {
    bool busy = browse_is_busy(browse) && !browse->quiet;
    return !busy ? "" : browse->task == BROWSE_HEAD ? " | asking for newer ones" : " | reading";
}

void intents_status_row(struct shell *shell, struct canvas *canvas, struct rect row) {
    struct intents *intents = intents_of(shell);
    const struct browse *browse = &intents->browse;
    struct str text;
    str_init(&text, 4096);
    str_addf(&text, "times %s", clock_zone_name(shell_zone(shell)));
    int cols = utf8_cells(text.s, text.len);
    if (row.cols >= WIDE)
        canvas_text(canvas, rect_take_cols(&row, -(cols + 2)), 0, 1, ROLE_DIM, text.s);
    str_reset(&text);
    bool on = !result_is_as_read(&intents->view);
    struct view_list list;
    view_list(&intents->view, &list);
    const char *busy = busy_text(browse);
    if (on)
        add_result(intents, &list, &text);
    else
        intents_rows_add_rows(shell, &text);
    if (on && intents->order_cut)
        add_untold_order(&intents->view, row.cols < WIDE, &text);
    add_found(&intents->view, intents->table.cursor, &text);
    size_t left = view_marks_left(&intents->view);
    intents_rows_add_count(&text, intents->view.marks.n - left, "marked");
    intents_rows_add_count(&text, left, "marked left the list");
    int x = waiting_part(shell, &list, canvas, row, 1);
    if (on) {
        intents->totals_cut = add_totals(shell, &list, row.cols - x - utf8_cells(busy, strlen(busy)), &text);
    } else {
        intents_rows_add_count(&text, browse->broken_rows, "broken");
        if (!*busy) /* shown instead of it */
            add_page(shell, intents->table.cursor, &text);
    }
    x += canvas_text(canvas, row, 0, x, ROLE_TEXT, text.s);
    canvas_text(canvas, row, 0, x, ROLE_INFO, busy);
    str_clear(&text);
}
