#include "views.h"

#include "base/utf8.h"
#include "panes/intents/list.h"
#include "ui/chart.h"
#include "ui/dialog.h"

#include <string.h>

enum { BOX_COLS = 100, BARS_COLS = 78, BOX_ROWS = 14, NAME_COLS = 20, COUNT_COLS = 18 };
enum { BY_COLS = 40, BY_BYTES = 2048, LINES_WITH_DETAIL = 4 };

static const char *filter_shown(const struct saved_view *view) {
    return *view->filter ? view->filter : "no filter";
}

static void draw_count(const struct shell *shell, struct canvas *canvas, struct rect row, size_t place) {
    const struct saved_list *pane = views_of(shell);
    struct str text;
    if (place >= pane->counts.n || !pane->counts.items[place].known)
        return;
    str_init(&text, 64);
    str_add(&text, pane->counts.items[place].whole ? "all " : "");
    money_group_count(&text, pane->counts.items[place].rows);
    str_add(&text, pane->counts.items[place].whole ? "" : " so far");
    canvas_text_right(canvas, row, 0, 0, row.cols, ROLE_KEY, text.s);
    str_clear(&text);
}

static void draw_days(const struct shell *shell, struct canvas *canvas, struct rect row, size_t place) {
    const struct saved_list *pane = views_of(shell);
    if (place < pane->counts.n && pane->counts.items[place].known)
        chart_sparkline(canvas, row, ROLE_BAR, pane->counts.items[place].days, VIEW_DAYS);
}

/* What is said of one's own: nothing without a team. */
static const char *sharing_of(const struct view_line *line) {
    if (!line->shared)
        return "";
    if (!shared_view_equals(line->shared, line->view))
        return "shared, changed since";
    return shared_view_waits(line->shared) ? "shared, on its way" : "shared";
}

static void draw_own(const struct shell *shell, struct canvas *canvas, struct rect row, size_t place,
                     const struct view_line *line) {
    const char *filter = filter_shown(line->view), *sharing = sharing_of(line);
    int x = *sharing ? canvas_text(canvas, row, 0, 1, ROLE_KEY, sharing) + 3 : 1;
    if (row.cols - VIEW_DAYS > utf8_cells(filter, strlen(filter)) + x) /* else the filter has their room */
        draw_days(shell, canvas, rect_take_cols(&row, -VIEW_DAYS), place);
    canvas_text(canvas, row, 0, x, ROLE_DIM, filter);
}

static void draw_shared(const struct shell *shell, struct canvas *canvas, struct rect row,
                        const struct view_line *line) {
    struct rect by_row = rect_inset(row, 0, 0, 0, row.cols > BY_COLS ? row.cols - BY_COLS : 0);
    struct str by;
    str_init(&by, BY_BYTES);
    shared_view_add_by(line->shared, shell_zone(shell), shell_now(shell), &by);
    row = rect_inset(row, 0, canvas_text(canvas, by_row, 0, 1, ROLE_TEXT, by.s) + 1, 0, 0);
    str_clear(&by);
    if (line->shared->fault)
        canvas_textf(canvas, row, 0, 2, ROLE_WARN, "not understood: %s", line->shared->fault);
    else
        canvas_text(canvas, row, 0, 2, ROLE_DIM, filter_shown(line->view));
}

static void overlay_views_draw_line(const struct shell *shell, struct canvas *canvas, struct rect row, size_t place) {
    enum { DIGIT_COLS = 2, NINE = 9 };
    struct view_line line;
    struct rect whole = row, digit = rect_take_cols(&row, DIGIT_COLS), name = rect_take_cols(&row, NAME_COLS);
    if (!view_line_at(shell, place, &line))
        return;
    if (place < NINE)
        canvas_textf(canvas, digit, 0, 0, ROLE_KEY, "%zu", place + 1);
    canvas_text(canvas, name, 0, 0, ROLE_TEXT, line.view->name);
    if (row.cols > COUNT_COLS)
        draw_count(shell, canvas, rect_take_cols(&row, -COUNT_COLS), place);
    if (line.own)
        draw_own(shell, canvas, row, place, &line);
    else
        draw_shared(shell, canvas, row, &line);
    if (place == views_of(shell)->cursor) {
        canvas_bar(canvas, whole, 0, ROLE_CURSOR);
        canvas_cursor(canvas, whole, 0, 0, false);
    }
}

/* What has no room in the line under the cursor. */
static void draw_shared_detail(const struct shell *shell, struct canvas *canvas, struct rect row) {
    struct view_line line;
    if (!view_line_at_cursor(shell, &line) || line.own)
        return;
    if (line.shared->fault)
        canvas_textf(canvas, row, 0, 0, ROLE_WARN, "%s is not understood: %s", line.view->name, line.shared->fault);
    else
        canvas_textf(canvas, row, 0, 0, ROLE_DIM, "%s: %s", line.view->name, filter_shown(line.view));
}

static void overlay_views_draw_list(struct shell *shell, struct canvas *canvas, struct rect box) {
    struct saved_list *pane = views_of(shell);
    size_t n = view_lines(shell);
    if (n == 0) {
        canvas_text(canvas, box, 0, 0, ROLE_DIM, "no view is saved yet; s saves filter, sort and columns");
        return;
    }
    pane->cursor = pane->cursor < n ? pane->cursor : n - 1;
    if (n > intents_saved(shell)->n && box.rows >= LINES_WITH_DETAIL)
        draw_shared_detail(shell, canvas, rect_take_rows(&box, -1));
    size_t rows = box.rows > 0 ? (size_t)box.rows : 0;
    if (pane->cursor < pane->top)
        pane->top = pane->cursor;
    else if (pane->cursor >= pane->top + rows)
        pane->top = pane->cursor + 1 - rows;
    for (size_t i = pane->top; i < n && box.rows > 0; i++)
        overlay_views_draw_line(shell, canvas, rect_take_rows(&box, 1), i);
}

static void draw_naming(struct shell *shell, struct canvas *canvas, struct rect row) {
    bool taken = saved_views_find(intents_saved(shell), views_of(shell)->name.text.s) != NULL;
    const char *keep = views_of(shell)->keeping ? "keep as " : "save as ";
    int x = canvas_text(canvas, row, 0, 0, ROLE_PROMPT, taken ? "replace " : keep);
    edit_draw(&views_of(shell)->name, canvas, rect_inset(row, 0, x, 0, 0), ROLE_FIELD, true);
    if (views_of(shell)->name.text.len == 0)
        canvas_text(canvas, row, 0, x + 2, ROLE_DIM, "letters, digits, - _ . without a blank; Esc");
}

void overlay_views_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    const char *title = within.cols >= BARS_COLS ? "Saved views; bars: intents a day, last two weeks" : "Saved views";
    struct rect box = dialog_box(canvas, within, BOX_ROWS, BOX_COLS, title, ROLE_TITLE);
    struct rect foot = rect_take_rows(&box, box.rows > 1 ? -1 : 0);
    if (views_of(shell)->naming) {
        draw_naming(shell, canvas, foot);
    } else if (shared_views_wanted(shell_profile(shell))) {
        canvas_text(canvas, foot, 0, 0, ROLE_DIM,
                    "Enter shows, s saves this, S shares, T takes back, K copies, X forgets, Esc");
    } else {
        canvas_textf(canvas, foot, 0, 0, ROLE_DIM, "Enter or digit shows, s saves this, X forgets, Esc; @name in %s",
                     shell_key_of(shell, ACTION_FILTER));
    }
    overlay_views_draw_list(shell, canvas, box);
}
