#include "panes/overview/overview.h"

#include "app/days.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "ui/chart.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE_ROWS = 17, /* two pictures, one above the other, where each has so many */
    TILE_COLS = 80, /* beside each other, where each has so many */
    LABEL_LEAST = 8,
    LABEL_MOST = 34,
    CELL_COLS = 10, /* of a table of counts */
    COUNT_COLS = 9,
    SHARE_COLS = 5,
};

int overview_tiles(const struct shell *shell) {
    int down = shell_rows(shell) >= 2 * TILE_ROWS + 4 ? 2 : 1, across = shell_cols(shell) >= 2 * TILE_COLS ? 2 : 1;
    return down * across;
}

/* ---- Words ---- */

static void overview_add_place(const struct shell *shell, const struct query_axis *axis,
                               const struct query_place *place, struct str *out) {
    struct query_clock clock = overview_clock(shell);
    if (!place->value)
        str_add(out, "(none)");
    else if (query_axis_is_band(axis))
        intents_band_text(shell, place, out);
    else if (query_axis_is_time(axis))
        query_place_name(axis, &clock, place->number, NULL, out);
    else
        str_add(out, *place->value ? place->value : "\"\"");
}

static bool is_of_bar(const struct picture *picture, const struct picture_bar *bar, const struct query_cell *cell) {
    size_t over = bar->over ? (size_t)(bar->over - picture->found->overs) : 0;
    return cell->over == over && cell->by == (size_t)(bar->by - picture->found->values);
}

/* The exact sums of what is under the cursor. Cells of one bar stand side by side. */
static void overview_add_sums(const struct shell *shell, const struct picture *picture, const struct picture_bar *bar,
                              int cols, struct str *out) {
    const struct lookup_result *found = picture->found;
    size_t from = 0, end;
    if (!bar->by || bar->over == &bar->empty)
        return;
    while (from < found->n_cells && !is_of_bar(picture, bar, &found->cells[from]))
        from++;
    for (end = from; end < found->n_cells && is_of_bar(picture, bar, &found->cells[end]);)
        end++;
    intents_add_sums(shell, found->cells + from, end - from, cols, out);
}

static void draw_under(struct shell *shell, size_t i, struct canvas *canvas, struct rect row) {
    const struct picture *picture = &overview_of(shell)->pictures[i];
    struct query_clock clock = overview_clock(shell);
    struct picture_bar bar;
    struct str text;
    if (!picture_bar(overview_of(shell), i, &clock, &bar))
        return;
    str_init(&text, 1 << 16);
    money_group_count(&text, bar.rows);
    str_add(&text, bar.rows == 1 ? " intent" : " intents");
    str_add(&text, bar.decided ? " decided: " : ": ");
    if (bar.over)
        overview_add_place(shell, &picture->over, bar.over, &text);
    str_add(&text, !bar.over || !bar.by ? "" : picture->observed ? " became " : ", ");
    if (bar.by)
        overview_add_place(shell, &picture->by, bar.by, &text);
    overview_add_sums(shell, picture, &bar, row.cols, &text);
    canvas_text(canvas, row, 0, 0, i == overview_of(shell)->current ? ROLE_TEXT : ROLE_DIM, text.s);
    str_clear(&text);
}

/* ---- A bar for each place ---- */

static enum role role_of(const struct query_axis *axis, const struct query_place *place) {
    if (!place->value)
        return ROLE_DIM;
    return axis->field == QUERY_STATUS_FIELD ? intents_status_role(place->value) : ROLE_TEXT;
}

static int label_cols(const struct shell *shell, const struct query_axis *axis, const struct query_place *const *places,
                      size_t n, int cols) {
    int most = LABEL_LEAST;
    struct str text;
    str_init(&text, 1 << 16);
    for (size_t i = 0; i < n; i++) {
        str_reset(&text);
        overview_add_place(shell, axis, places[i], &text);
        int cells = utf8_cells(text.s, text.len);
        most = cells > most ? cells : most;
    }
    str_clear(&text);
    most = most < LABEL_MOST ? most : LABEL_MOST;
    return most < cols / 2 ? most : cols / 2;
}

static void overview_scroll(size_t at, size_t rows, size_t *top) {
    if (at < *top || rows == 0)
        *top = at;
    else if (at - *top >= rows)
        *top = at - rows + 1;
}

static void overview_draw_label(const struct shell *shell, const struct query_axis *axis,
                                const struct query_place *place, struct canvas *canvas, struct rect at) {
    struct str text;
    str_init(&text, 1 << 16);
    overview_add_place(shell, axis, place, &text);
    canvas_text(canvas, at, 0, 0, role_of(axis, place), text.s);
    str_clear(&text);
}

static void draw_number(size_t n, struct canvas *canvas, struct rect at, enum role role) {
    struct str text;
    str_init(&text, 32);
    money_group_count(&text, n);
    canvas_text_right(canvas, at, 0, 0, at.cols, role, text.s);
    str_clear(&text);
}

/* What occurs has a cell at least. */
static void draw_length(size_t rows, size_t most, struct canvas *canvas, struct rect at) {
    int filled = most > 0 && at.cols > 0 ? (int)((unsigned __int128)rows * (unsigned)at.cols / most) : 0;
    filled = filled == 0 && rows > 0 ? 1 : filled;
    for (int x = 0; x < filled; x++)
        canvas_text(canvas, at, 0, x, ROLE_BAR, symbol(SYMBOL_BAR_FULL));
}

struct bars {
    const struct query_place **places;
    size_t n, most, *counts;
    unsigned *percents;
    int label;
};

static void draw_bar(struct shell *shell, size_t i, const struct bars *bars, size_t at, struct canvas *canvas,
                     struct rect row) {
    const struct picture *picture = &overview_of(shell)->pictures[i];
    struct rect rest = row;
    overview_draw_label(shell, &picture->by, bars->places[at], canvas, rect_take_cols(&rest, bars->label));
    draw_number(bars->counts[at], canvas, rect_take_cols(&rest, COUNT_COLS), ROLE_TEXT);
    struct rect share = rect_take_cols(&rest, SHARE_COLS);
    if (bars->percents[at] == 0)
        canvas_text_right(canvas, share, 0, 0, share.cols, ROLE_DIM, "<1%");
    else
        canvas_textf(canvas, share, 0,
                     bars->percents[at] < 10    ? 3
                     : bars->percents[at] < 100 ? 2
                                                : 1,
                     ROLE_DIM, "%u%%", bars->percents[at]);
    draw_length(bars->counts[at], bars->most, canvas, rect_inset(rest, 0, 1, 0, 0));
    if (i == overview_of(shell)->current && at == picture->row) {
        canvas_bar(canvas, row, 0, ROLE_CURSOR);
        canvas_cursor(canvas, row, 0, 0, false);
    }
}

/* What is not drawn as a bar. */
static const char *bars_rest(const struct overview *overview, size_t i) {
    const struct lookup_result *found = overview->pictures[i].found;
    if (!PICTURE_INFO[i].present)
        return "of other values";
    return found->n_distinct > found->n_values ? "of other values, or without one" : "without one";
}

/* Of all rows of the answer: with those that are left out, or not among the first, they add up to 100. */
static void bars_count(const struct picture *picture, struct bars *bars) {
    size_t told = 0;
    bars->counts = mem_new_array(bars->n + 1, sizeof *bars->counts);
    bars->percents = mem_new_array(bars->n + 1, sizeof *bars->percents);
    for (size_t i = 0; i < bars->n; i++) {
        bars->counts[i] = bars->places[i]->rows;
        told += bars->counts[i];
        bars->most = bars->counts[i] > bars->most ? bars->counts[i] : bars->most;
    }
    bars->counts[bars->n] = picture->found->n > told ? picture->found->n - told : 0;
    lookup_percents(bars->counts, bars->n + 1, bars->percents);
}

static void draw_bars(struct shell *shell, size_t i, struct canvas *canvas, struct rect area) {
    struct picture *picture = &overview_of(shell)->pictures[i];
    struct bars bars = {.places = mem_new_array(PICTURE_PLACES_MOST, sizeof *bars.places)};
    bars.n = picture_places(overview_of(shell), i, false, bars.places, PICTURE_PLACES_MOST);
    bars_count(picture, &bars);
    bars.label = label_cols(shell, &picture->by, bars.places, bars.n, area.cols);
    picture->row = picture->row < bars.n ? picture->row : bars.n > 0 ? bars.n - 1 : 0;
    if (bars.counts[bars.n] > 0 && area.rows > 2) {
        struct str more;
        str_init(&more, 128);
        str_add(&more, "and ");
        money_group_count(&more, bars.counts[bars.n]);
        str_addf(&more, " intents more, %u%%: %s", bars.percents[bars.n], bars_rest(overview_of(shell), i));
        canvas_text(canvas, rect_take_rows(&area, -1), 0, 0, ROLE_DIM, more.s);
        str_clear(&more);
    }
    overview_scroll(picture->row, area.rows > 0 ? (size_t)area.rows : 0, &picture->top);
    for (size_t at = picture->top; at < bars.n && area.rows > 0; at++)
        draw_bar(shell, i, &bars, at, canvas, rect_take_rows(&area, 1));
    free(bars.places);
    free(bars.counts);
    free(bars.percents);
}

/* ---- A table of counts ---- */

struct heat {
    const struct query_place **rows, **columns;
    size_t n_rows, n_columns, most;
    int label;
};

static size_t heat_count(const struct picture *picture, const struct heat *heat, size_t row, size_t column) {
    return picture_count(picture, (size_t)(heat->rows[row] - picture->found->overs),
                         (size_t)(heat->columns[column] - picture->found->values));
}

static void overview_draw_cell(struct shell *shell, size_t i, const struct heat *heat, size_t row, size_t column,
                               struct canvas *canvas, struct rect at) {
    const struct picture *picture = &overview_of(shell)->pictures[i];
    size_t n = heat_count(picture, heat, row, column);
    size_t level = heat->most > 0 ? (size_t)((unsigned __int128)n * CHART_EIGHTHS / heat->most) : 0;
    const char *shade = chart_level(n > 0 && level == 0 ? 1 : level);
    enum role role = picture->by.field == QUERY_STATUS_FIELD ? role_of(&picture->by, heat->columns[column]) : ROLE_BAR;
    if (shade)
        canvas_text(canvas, at, 0, 1, role, shade);
    if (n > 0)
        draw_number(n, canvas, rect_inset(at, 0, 2, 0, 0), ROLE_TEXT);
    else
        canvas_text_right(canvas, at, 0, 0, at.cols, ROLE_DIM, ".");
    if (i == overview_of(shell)->current && row == picture->row && column == picture->column) {
        canvas_bar(canvas, at, 0, ROLE_CURSOR);
        canvas_cursor(canvas, at, 0, 0, false);
    }
}

/* Of a band the amount that it begins with: the row above says whose. */
static void draw_heading(const struct shell *shell, const struct query_axis *axis, const struct query_place *place,
                         struct canvas *canvas, struct rect at) {
    struct str text;
    str_init(&text, 1 << 16);
    if (place->value && query_axis_is_band(axis)) {
        const struct money_rule rule = profile_money(shell_profile(shell));
        int64_t low, high;
        query_band_bounds((int)place->number, &low, &high);
        money_format(&text, low, place->currency, &rule);
    } else {
        overview_add_place(shell, axis, place, &text);
    }
    canvas_text_right(canvas, at, 0, 0, at.cols, role_of(axis, place), text.s);
    str_clear(&text);
}

static void heat_make(const struct overview *overview, size_t i, struct heat *heat) {
    const struct picture *picture = &overview->pictures[i];
    heat->rows = mem_new_array(PICTURE_PLACES_MOST, sizeof *heat->rows);
    heat->columns = mem_new_array(PICTURE_PLACES_MOST, sizeof *heat->columns);
    heat->n_rows = picture_places(overview, i, false, heat->rows, PICTURE_PLACES_MOST);
    heat->n_columns = picture_places(overview, i, true, heat->columns, PICTURE_PLACES_MOST);
    for (size_t row = 0; row < heat->n_rows; row++) {
        for (size_t column = 0; column < heat->n_columns; column++) {
            size_t n = heat_count(picture, heat, row, column);
            heat->most = n > heat->most ? n : heat->most;
        }
    }
}

static void draw_heat(struct shell *shell, size_t i, struct canvas *canvas, struct rect area) {
    struct picture *picture = &overview_of(shell)->pictures[i];
    struct heat heat = {0};
    heat_make(overview_of(shell), i, &heat);
    heat.label = label_cols(shell, &picture->over, heat.rows, heat.n_rows, area.cols);
    size_t shown = (size_t)((area.cols - heat.label) / CELL_COLS > 0 ? (area.cols - heat.label) / CELL_COLS : 1);
    picture->row = picture->row < heat.n_rows ? picture->row : 0;
    picture->column = picture->column < heat.n_columns ? picture->column : 0;
    overview_scroll(picture->column, shown, &picture->left);
    struct rect head = rect_take_rows(&area, 1);
    (void)rect_take_cols(&head, heat.label);
    for (size_t c = picture->left; c < heat.n_columns && c < picture->left + shown; c++)
        draw_heading(shell, &picture->by, heat.columns[c], canvas, rect_take_cols(&head, CELL_COLS));
    overview_scroll(picture->row, area.rows > 0 ? (size_t)area.rows : 0, &picture->top);
    for (size_t r = picture->top; r < heat.n_rows && area.rows > 0; r++) {
        struct rect row = rect_take_rows(&area, 1);
        overview_draw_label(shell, &picture->over, heat.rows[r], canvas, rect_take_cols(&row, heat.label));
        for (size_t c = picture->left; c < heat.n_columns && c < picture->left + shown; c++)
            overview_draw_cell(shell, i, &heat, r, c, canvas, rect_take_cols(&row, CELL_COLS));
    }
    free(heat.rows);
    free(heat.columns);
}

/* ---- The pane ---- */

static void overview_draw_title(struct shell *shell, size_t i, struct canvas *canvas, struct rect row) {
    const struct overview *overview = overview_of(shell);
    static const char *const SPANS[] = {
        [QUERY_AXIS_HOUR] = "an hour", [QUERY_AXIS_DAY] = "a day", [QUERY_AXIS_WEEK] = "a week"};
    enum role role = i == overview->current ? ROLE_HEADER_SORTED : ROLE_HEADER;
    int x = canvas_textf(canvas, row, 0, 0, role, "%zu/%d %s", i + 1, PICTURES, PICTURE_INFO[i].title);
    if (picture_is_of_times(i)) {
        struct str zone;
        str_init(&zone, ZONE_TEXT_MAX);
        days_text(shell_profile(shell), shell_zone(shell) == CLOCK_LOCAL, &zone);
        canvas_textf(canvas, row, 0, x + 2, ROLE_DIM, "%s each, %s", SPANS[overview->span], zone.s);
        str_clear(&zone);
    } else if (overview->pictures[i].observed) {
        canvas_text(canvas, row, 0, x + 2, ROLE_DIM, "before at the left, after at the top");
    }
}

static void draw_picture(struct shell *shell, size_t i, struct canvas *canvas, struct rect area) {
    const struct picture *picture = &overview_of(shell)->pictures[i];
    overview_draw_title(shell, i, canvas, rect_take_rows(&area, 1));
    if (!picture->found) {
        canvas_text(canvas, area, 0, 0, ROLE_INFO, "counting");
    } else if (picture->found->error.code != ERR_OK) {
        canvas_text(canvas, area, 0, 0, ROLE_ERROR, picture->found->error.text);
    } else if (picture->found->n == 0) {
        canvas_text(canvas, area, 0, 0, ROLE_DIM, "no intent matches: there is nothing to draw");
    } else if (picture->observed && picture->found->n_overs == 0) {
        canvas_text(canvas, area, 0, 0, ROLE_DIM, "none was observed yet: two readings of an intent show one");
    } else {
        if (area.rows > 2)
            draw_under(shell, i, canvas, rect_take_rows(&area, -1));
        if (PICTURE_INFO[i].kind == PICTURE_TIMES)
            overview_draw_times(shell, i, canvas, area);
        else if (PICTURE_INFO[i].kind == PICTURE_RATE)
            overview_draw_rate(shell, i, canvas, area);
        else
            (PICTURE_INFO[i].kind == PICTURE_BARS ? draw_bars : draw_heat)(shell, i, canvas, area);
    }
}

/* What is counted: the filter on show, how many rows that is, and how far they reach. */
static void overview_draw_reach(struct shell *shell, struct canvas *canvas, struct rect row) {
    const struct overview *overview = overview_of(shell);
    const struct picture *picture = &overview->pictures[overview->current];
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    intents_shown_filter(shell, &text);
    int x = canvas_text(canvas, row, 0, 1, ROLE_PROMPT, text.len > 0 ? "filter: " : "every intent") + 1;
    if (text.len > 0)
        x += canvas_text(canvas, rect_inset(row, 0, 0, 0, row.cols / 2), 0, x, ROLE_TEXT, text.s);
    str_reset(&text);
    if (picture->late) {
        canvas_text(canvas, row, 0, x + 2, ROLE_INFO, "counting");
    } else if (picture->found) {
        enum role role = intents_reach_text(shell, picture->found, &text);
        canvas_text(canvas, row, 0, x + 2, role, text.s);
    }
    str_clear(&text);
}

void overview_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct overview *overview = overview_of(shell);
    size_t tiles = (size_t)overview_tiles(shell), first = overview->current - overview->current % tiles;
    int down = tiles > 1 && shell_rows(shell) >= 2 * TILE_ROWS + 4 ? 2 : 1, across = (int)tiles / down;
    overview->tiles = (int)tiles;
    overview_draw_reach(shell, canvas, rect_take_rows(&area, 1));
    int rows = area.rows / down;
    for (int y = 0; y < down; y++) {
        struct rect line = y + 1 < down ? rect_take_rows(&area, rows) : area;
        int cols = line.cols / across;
        for (int x = 0; x < across; x++) {
            size_t i = first + (size_t)(y * across + x);
            struct rect tile = x + 1 < across ? rect_take_cols(&line, cols) : line;
            if (i < PICTURES)
                draw_picture(shell, i, canvas, rect_inset(tile, 0, 1, y + 1 < down ? 1 : 0, 1));
        }
    }
}
