#include "counts.h"

#include "app/days.h"
#include "base/utf8.h"

#include <string.h>

/* Lines of two fields, with rates, and against an earlier period: the greatest difference first. */

enum { LABEL_MOST = 24, SECOND_MOST = 18, GAP = 2, SHARE = 4, BAR_LEAST = 6, TEXT_BYTES = 1 << 16 };

static bool add_terms(const struct query_axis *axis, const struct query_place *place, struct str *out) {
    struct query_clock clock = {.day_to = 0};
    if (!place)
        return true;
    str_add(out, out->len > 0 ? " " : "");
    return query_place_terms(axis, &clock, place, out);
}

bool counts_line_terms(const struct shell *shell, const struct query *query, bool exclude, struct str *out) {
    const struct counts *counts = counts_of(shell);
    const struct stats_line *line = &counts->stats.lines.items[counts->cursor];
    struct str terms;
    str_init(&terms, QUERY_TEXT_MAX);
    const struct stats_ask *asked = &counts->stats.ask;
    bool said = add_terms(counts_first(asked), counts_first_of(line), &terms) &&
                add_terms(counts_second(asked), counts_second_of(line), &terms);
    if (said)
        query_narrow_by(out, query, terms.s, exclude);
    str_clear(&terms);
    return said;
}

/* As of when what is open was asked of the service. */
static void draw_asked_again(const struct shell *shell, struct canvas *canvas, struct rect *box) {
    const struct counts *counts = counts_of(shell);
    const struct reask *reask = &counts->reask;
    struct str text;
    if (!counts_are_of_ages(counts) || reask->state == REASK_IDLE || box->rows < 2)
        return;
    str_init(&text, TEXT_BYTES);
    if (reask->state == REASK_FAILED)
        str_addf(&text, "not asked again, so as read before: %s", reask->error.text);
    else
        reask_text(reask, shell_zone(shell), shell_now(shell), &text);
    canvas_text(canvas, rect_take_rows(box, 1), 0, 0, reask->state == REASK_DONE ? ROLE_OK : ROLE_WARN, text.s);
    str_clear(&text);
}

/* What a rate is of, and with what it is compared: a row each. */
void counts_draw_asked(const struct shell *shell, struct canvas *canvas, struct rect *box) {
    const struct counts *counts = counts_of(shell);
    const struct query_zone zone = days_of(shell_profile(shell), shell_zone(shell) == CLOCK_LOCAL);
    struct str text;
    draw_asked_again(shell, canvas, box);
    str_init(&text, TEXT_BYTES);
    if (counts->ask.second.kind)
        str_addf(&text, "by %s too  ", query_field(counts->ask.second.field)->name);
    if (counts->ask.rate.on && counts->found)
        stats_rate_said(&counts->stats, &text);
    if (text.len > 0 && box->rows > 1)
        canvas_text(canvas, rect_take_rows(box, 1), 0, 0, ROLE_INFO, text.s);
    str_reset(&text);
    if (counts->ask.compared && box->rows > 1) {
        str_add(&text, "against ");
        stats_compared_said(&counts->ask, &zone, shell_now(shell), &text);
        canvas_text(canvas, rect_take_rows(box, 1), 0, 0, ROLE_INFO, text.s);
    }
    str_clear(&text);
}

/* ---- Columns ---- */

enum lines_column {
    LINES_BY,
    LINES_SECOND,
    LINES_COUNT,
    LINES_SHARE,
    LINES_RATE,
    LINES_EARLIER,
    LINES_GROWN,
    LINES_POINTS,
    LINES_COLUMNS
};

/* With the mark of those that rest on few; the rate of the earlier period is in the file. */
static void lines_add_column(const struct shell *shell, const struct stats_line *line, enum lines_column column,
                             struct str *out) {
    const struct stats_ask *ask = &counts_of(shell)->stats.ask;
    if (column == LINES_BY) {
        counts_add_label(shell, counts_first(ask), counts_first_of(line), out);
    } else if (column == LINES_SECOND && counts_second_of(line)) {
        counts_add_label(shell, counts_second(ask), counts_second_of(line), out);
    } else if (column == LINES_COUNT) {
        money_group_count(out, line->now.rows);
    } else if (column == LINES_SHARE) {
        str_addf(out, line->percent == 0 && line->now.rows > 0 ? "<1%%" : "%u%%", line->percent);
    } else if (column == LINES_RATE && ask->rate.on) {
        stats_rate_text(&line->now, out);
        str_add(out, line->few ? "*" : " ");
    } else if (column == LINES_EARLIER && ask->compared) {
        if (ask->rate.on)
            stats_rate_text(&line->earlier, out);
        else
            money_group_count(out, line->earlier.rows);
    } else if (column == LINES_GROWN && ask->compared) {
        str_addf(out, "%+lld", stats_grown(line));
        str_add(out, line->few && !ask->rate.on ? "*" : "");
    } else if (column == LINES_POINTS && ask->compared && ask->rate.on) {
        str_add(out, stats_rate_grew(line, out) ? " pts" : "-");
    }
}

static const char *const HEADS[LINES_COLUMNS] = {
    [LINES_COUNT] = "now", [LINES_EARLIER] = "earlier", [LINES_GROWN] = "change", [LINES_POINTS] = "rate"};

static void lines_widths(const struct shell *shell, int widths[LINES_COLUMNS]) {
    const struct stats *stats = &counts_of(shell)->stats;
    struct str text;
    str_init(&text, TEXT_BYTES);
    for (int column = 0; column < LINES_COLUMNS; column++) {
        widths[column] = 0;
        for (size_t i = 0; i < stats->lines.n; i++) {
            str_reset(&text);
            lines_add_column(shell, &stats->lines.items[i], (enum lines_column)column, &text);
            int cells = utf8_cells(text.s, text.len);
            widths[column] = cells > widths[column] ? cells : widths[column];
        }
        int head = stats->ask.compared && HEADS[column] && widths[column] > 0 ? (int)strlen(HEADS[column]) : 0;
        widths[column] = head > widths[column] ? head : widths[column];
    }
    widths[LINES_BY] = widths[LINES_BY] < LABEL_MOST ? widths[LINES_BY] : LABEL_MOST;
    widths[LINES_SECOND] = widths[LINES_SECOND] < SECOND_MOST ? widths[LINES_SECOND] : SECOND_MOST;
    str_clear(&text);
}

/* Names can be cut; without one of them lines could not be told apart. */
static int lines_shrink(int *width, int over) {
    enum { NAME_LEAST = 6 };
    int spare = *width > NAME_LEAST ? *width - NAME_LEAST : 0, gives = over < spare ? over : spare;
    *width -= gives > 0 ? gives : 0;
    return gives > 0 ? gives : 0;
}

/* What has no room goes: first the share, then counts of the earlier period; never a rate without what it is of. */
static int lines_fit(int widths[LINES_COLUMNS], int cols) {
    static const enum lines_column GIVES[] = {LINES_SHARE, LINES_EARLIER, LINES_GROWN};
    int used = 0;
    for (int column = 0; column < LINES_COLUMNS; column++)
        used += widths[column] > 0 ? widths[column] + GAP : 0;
    for (size_t i = 0; i < COUNT_OF(GIVES) && used > cols; i++) {
        used -= widths[GIVES[i]] > 0 ? widths[GIVES[i]] + GAP : 0;
        widths[GIVES[i]] = 0;
    }
    used -= lines_shrink(&widths[LINES_SECOND], used - cols);
    used -= lines_shrink(&widths[LINES_BY], used - cols);
    return cols - used;
}

static enum role lines_role(const struct stats_ask *ask, const struct stats_line *line, enum lines_column column) {
    if (column == LINES_BY)
        return counts_role_of(counts_first(ask), counts_first_of(line)->value);
    if (column == LINES_SECOND) {
        const struct query_place *second = counts_second_of(line);
        return counts_role_of(counts_second(ask), second ? second->value : NULL);
    }
    return column == LINES_SHARE || column == LINES_EARLIER ? ROLE_DIM : ROLE_TEXT;
}

static void draw_line(const struct shell *shell, struct canvas *canvas, struct rect row, size_t index,
                      const int widths[LINES_COLUMNS], size_t most) {
    const struct counts *counts = counts_of(shell);
    const struct stats_line *line = &counts->stats.lines.items[index];
    struct rect rest = row;
    struct str text;
    str_init(&text, TEXT_BYTES);
    for (int column = 0; column < LINES_COLUMNS; column++) {
        if (widths[column] == 0)
            continue;
        enum role role = lines_role(&counts->stats.ask, line, (enum lines_column)column);
        struct rect at = rect_take_cols(&rest, widths[column]);
        str_reset(&text);
        lines_add_column(shell, line, (enum lines_column)column, &text);
        if (column <= LINES_SECOND)
            canvas_text(canvas, at, 0, 0, role, text.s);
        else
            canvas_text_right(canvas, at, 0, 0, at.cols, role, text.s);
        (void)rect_take_cols(&rest, GAP);
    }
    if (rest.cols >= BAR_LEAST)
        counts_draw_bar(most, line->now.rows, canvas, rest, rest.cols);
    if (index == counts->cursor) {
        canvas_bar(canvas, row, 0, ROLE_CURSOR);
        canvas_cursor(canvas, row, 0, 0, false);
    }
    str_clear(&text);
}

static void draw_head(const struct stats_ask *ask, struct canvas *canvas, struct rect row,
                      const int widths[LINES_COLUMNS]) {
    for (int column = 0; column < LINES_COLUMNS; column++) {
        if (widths[column] == 0)
            continue;
        struct rect at = rect_take_cols(&row, widths[column]);
        const char *head = column == LINES_RATE ? intent_status_name(ask->rate.status) : HEADS[column];
        if (head && ask->compared)
            canvas_text_right(canvas, at, 0, 0, at.cols, ROLE_DIM, head);
        (void)rect_take_cols(&row, GAP);
    }
}

static size_t most_of(const struct stats *stats) {
    size_t most = 0;
    for (size_t i = 0; i < stats->lines.n; i++)
        most = stats->lines.items[i].now.rows > most ? stats->lines.items[i].now.rows : most;
    return most;
}

void counts_draw_lines(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct counts *counts = counts_of(shell);
    const struct stats *stats = &counts->stats;
    int widths[LINES_COLUMNS];
    lines_widths(shell, widths);
    (void)lines_fit(widths, area.cols);
    if (stats->lines.n == 0)
        canvas_text(canvas, area, 0, 0, ROLE_DIM, "no intent matches: there is nothing to count");
    else if (stats->ask.compared && area.rows > 1)
        draw_head(&stats->ask, canvas, rect_take_rows(&area, 1), widths);
    if (stats->n_few > 0 && area.rows > 2)
        canvas_textf(canvas, rect_take_rows(&area, -1), 0, 0, ROLE_DIM, "* rests on fewer than %d intents", STATS_FEW);
    counts_scroll(counts, area.rows);
    for (size_t i = counts->top; i < stats->lines.n && area.rows > 0; i++)
        draw_line(shell, canvas, rect_take_rows(&area, 1), i, widths, most_of(stats));
}
