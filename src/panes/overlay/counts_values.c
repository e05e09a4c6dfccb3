#include "counts.h"

#include "base/utf8.h"
#include "panes/shell/signs.h"

#include <string.h>

/* Values alone: each with its count, its share, a bar, and what the operator's file says of it. */

enum {
    LABEL_MIN = 6,
    LABEL_MAX = 28,
    SHARE_COLS = 4,
    BAR_MIN = 5,
    BAR_BESIDE = 8,  /* where a meaning stands beside it */
    SUM_BESIDE = 18, /* a count, a share and blanks */
};

static const struct lookup_total *total_of(const struct lookup_result *found, const char *currency) {
    for (size_t i = 0; i < found->n_totals; i++)
        if (str_equal(found->totals[i].currency, currency))
            return &found->totals[i];
    return NULL;
}

/* Width of the sums beside currencies, for which the status row has no room. 0: none are shown here. */
static int sum_cols(const struct shell *shell, int cols) {
    const struct counts *counts = counts_of(shell);
    const struct lookup_result *found = counts->found;
    bool summed = counts->ask.by.field == QUERY_CURRENCY_FIELD;
    int most = 0;
    struct str text;
    str_init(&text, 256);
    for (size_t i = 0; summed && i < found->n_totals; i++) {
        str_reset(&text);
        intents_sum_text(shell, &found->totals[i], &text);
        int cells = utf8_cells(text.s, text.len);
        most = cells > most ? cells : most;
    }
    str_clear(&text);
    return LABEL_MIN + most + SUM_BESIDE <= cols ? most : 0;
}

struct widths {
    int label, count, sum, bar, meaning;
};

/* What the operator's file says of a decline. */
static const char *counts_meaning(const struct shell *shell, const struct query_place *value) {
    bool decline = counts_of(shell)->ask.by.field == QUERY_DECLINE_FIELD;
    const struct reason *reason = decline ? reasons_find(shell_options(shell)->reasons, value->value) : NULL;
    return reason ? reason->texts[REASON_MEANING] : NULL;
}

/* The meanings take what the bars can spare. */
static void counts_make_room(const struct shell *shell, struct widths *widths) {
    const struct lookup_result *found = counts_of(shell)->found;
    bool any = false;
    for (size_t i = 0; i < found->n_values; i++)
        any = any || counts_meaning(shell, &found->values[i]);
    if (any && widths->bar > 2 * BAR_BESIDE) {
        widths->meaning = widths->bar - BAR_BESIDE - 1;
        widths->bar = BAR_BESIDE;
    }
}

static size_t most_rows(const struct lookup_result *found) {
    size_t most = 0;
    for (size_t i = 0; i < found->n_values; i++)
        most = found->values[i].rows > most ? found->values[i].rows : most;
    return most;
}

void counts_add_label(const struct shell *shell, const struct query_axis *axis, const struct query_place *place,
                      struct str *out) {
    if (place->value && query_axis_is_band(axis))
        intents_band_text(shell, place, out);
    else
        str_add(out, !place->value ? "(none)" : *place->value ? place->value : "\"\"");
}

static void add_label(const struct shell *shell, const struct query_place *place, struct str *out) {
    counts_add_label(shell, &counts_of(shell)->ask.by, place, out);
}

static struct widths widths_of(const struct shell *shell, const struct lookup_result *found, int sum, int cols) {
    struct widths widths = {.label = LABEL_MIN, .sum = sum};
    struct str count, label;
    str_init(&count, 32);
    str_init(&label, 1 << 16);
    for (size_t i = 0; i < found->n_values; i++) {
        str_reset(&label);
        add_label(shell, &found->values[i], &label);
        int cells = utf8_cells(label.s, label.len);
        widths.label = cells > widths.label ? cells : widths.label;
    }
    str_clear(&label);
    money_group_count(&count, most_rows(found));
    widths.count = (int)count.len;
    str_clear(&count);
    cols -= sum > 0 ? sum + 1 : 0;
    int most = cols - widths.count - SHARE_COLS - BAR_MIN - 3;
    most = most < LABEL_MAX ? most : LABEL_MAX;
    widths.label = widths.label < most ? widths.label : most > LABEL_MIN ? most : LABEL_MIN;
    widths.bar = cols - widths.label - widths.count - SHARE_COLS - 3;
    return widths;
}

/* In whole percents; a value that occurs is never shown as 0. */
static void add_share(struct str *out, const struct query_place *value) {
    if (value->percent == 0 && value->rows > 0)
        str_add(out, "<1%");
    else
        str_addf(out, "%u%%", value->percent);
}

void counts_draw_bar(size_t most, size_t rows, struct canvas *canvas, struct rect row, int cols) {
    int filled = most > 0 ? (int)((unsigned __int128)rows * (unsigned)cols / most) : 0;
    filled = filled == 0 && rows > 0 ? 1 : filled;
    for (int i = 0; i < filled; i++)
        canvas_text(canvas, row, 0, i, ROLE_BAR, symbol(SYMBOL_BAR_FULL));
}

enum role counts_role_of(const struct query_axis *axis, const char *value) {
    if (!value)
        return ROLE_DIM;
    return axis->field == QUERY_STATUS_FIELD ? intents_status_role(value) : ROLE_TEXT;
}

static void draw_sum(const struct shell *shell, struct canvas *canvas, struct rect at, const char *currency) {
    const struct lookup_total *total = total_of(counts_of(shell)->found, currency);
    struct str text;
    str_init(&text, 256);
    if (total) {
        intents_sum_text(shell, total, &text);
        canvas_text_right(canvas, at, 0, 0, at.cols, ROLE_TEXT, text.s);
    }
    str_clear(&text);
}

static void draw_value(const struct shell *shell, struct canvas *canvas, struct rect row, size_t index,
                       struct widths widths) {
    const struct counts *counts = counts_of(shell);
    const struct query_place *value = &counts->found->values[index];
    struct rect rest = row;
    struct str text;
    str_init(&text, 1 << 16);
    add_label(shell, value, &text);
    canvas_text(canvas, rect_take_cols(&rest, widths.label), 0, 0, counts_role_of(&counts->ask.by, value->value),
                text.s);
    (void)rect_take_cols(&rest, 1);
    str_reset(&text);
    money_group_count(&text, value->rows);
    canvas_text_right(canvas, rect_take_cols(&rest, widths.count), 0, 0, widths.count, ROLE_TEXT, text.s);
    (void)rect_take_cols(&rest, 1);
    str_reset(&text);
    add_share(&text, value);
    canvas_text_right(canvas, rect_take_cols(&rest, SHARE_COLS), 0, 0, SHARE_COLS, ROLE_DIM, text.s);
    (void)rect_take_cols(&rest, 1);
    if (widths.sum > 0) {
        draw_sum(shell, canvas, rect_take_cols(&rest, widths.sum), value->value);
        (void)rect_take_cols(&rest, 1);
    }
    if (widths.bar > 0)
        counts_draw_bar(most_rows(counts->found), value->rows, canvas, rect_take_cols(&rest, widths.bar), widths.bar);
    const char *meaning = widths.meaning > 0 ? counts_meaning(shell, value) : NULL;
    if (meaning)
        canvas_text(canvas, rect_inset(rest, 0, 0, 0, 1), 0, 0, ROLE_DIM, meaning);
    if (index == counts->cursor) {
        canvas_bar(canvas, row, 0, ROLE_CURSOR);
        canvas_cursor(canvas, row, 0, 0, false);
    }
    str_clear(&text);
}

void counts_scroll(struct counts *counts, int rows) {
    counts->visible_rows = rows;
    if (counts->cursor < counts->top || rows <= 0)
        counts->top = counts->cursor;
    else if (counts->cursor - counts->top >= (size_t)rows)
        counts->top = counts->cursor - (size_t)rows + 1;
}

void counts_draw_values(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct counts *counts = counts_of(shell);
    const struct lookup_result *found = counts->found;
    struct widths widths = widths_of(shell, found, sum_cols(shell, area.cols), area.cols);
    counts_make_room(shell, &widths);
    counts_scroll(counts, area.rows);
    if (found->n_values == 0)
        canvas_text(canvas, area, 0, 0, ROLE_DIM, "no intent matches: there is nothing to count");
    for (size_t i = counts->top; i < found->n_values && area.rows > 0; i++)
        draw_value(shell, canvas, rect_take_rows(&area, 1), i, widths);
    if (found->n_values < found->n_distinct && area.rows > 0) {
        canvas_textf(canvas, area, 0, 0, ROLE_DIM, "and %zu value%s more, each with fewer",
                     found->n_distinct - found->n_values, plural_s((found->n_distinct - found->n_values)));
    }
}

void counts_draw_small(const struct lookup_result *found, struct canvas *canvas, struct rect row) {
    struct str text;
    if (!found || found->small_percent == 0)
        return;
    str_init(&text, 128);
    str_add(&text, "<1%: ");
    money_group_count(&text, found->n_small);
    str_addf(&text, found->n_small == 1 ? " value, %u%%" : " values, together %u%%", found->small_percent);
    canvas_text(canvas, row, 0, 0, ROLE_DIM, text.s);
    str_clear(&text);
}
