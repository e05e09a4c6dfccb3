#include "counts.h"

#include "app/columns.h"
#include "app/record.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Value counts: which values a field has in the result and how often; one of them can be chosen as a filter. With a
 * second field, a rate or an earlier period its lines are those of counts_lines.c. */

enum {
    VALUES_MAX = 200, /* most frequent ones listed */
    PACE = 100,       /* ms between two answers while the index fills */
    LABEL_MIN = 6,
    LABEL_MAX = 28,
    SHARE_COLS = 4,
    BAR_MIN = 5,
    BAR_BESIDE = 8,  /* where a meaning stands beside it */
    SUM_BESIDE = 18, /* a count, a share and blanks */
    BOX_COLS = 76,
    BOX_COLS_WIDE = 116, /* where there is more to a line */
};

static const enum query_field_code FIELDS[] = {
#define COUNTED(field, filter, place) [place] = QUERY_##filter,
#include "model/fields.def"
};

/* Checks at compile time that each place is taken once and none is left out. */
#define COUNTED(field, filter, place) | 1U << (place)
_Static_assert((0
#include "model/fields.def"
                ) == (1U << COUNT_OF(FIELDS)) - 1,
               "the places of the fields counted in model/fields.def are 0, 1, 2 and so on");

static const char *field_name(const struct counts *counts) {
    return query_field(FIELDS[counts->field])->name;
}

static void counts_forget(struct counts *counts) {
    stats_clear(&counts->stats);
    lookup_result_free(counts->found);
    counts->found = NULL;
}

static void counts_clear(struct shell *shell) {
    counts_forget(counts_of(shell));
    free(counts_of(shell)->export_path);
    reask_clear(&counts_of(shell)->reask);
    *counts_of(shell) = (struct counts){0};
}

static void counts_take(struct counts *counts, struct lookup_result *found) {
    counts_forget(counts);
    counts->found = found;
    lookup_share(found);
    stats_init(&counts->stats, &counts->ask, found);
    counts->cursor = counts->cursor < counts_rows(counts) ? counts->cursor : 0;
}

static void counts_ask(struct shell *shell, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    if (counts->ticket) {
        effects_cancel(effects, counts->ticket);
        counts->ticket = 0;
    }
    counts->again = false;
    counts->asked = shell_now(shell);
    counts->ask.by = (struct query_axis){QUERY_AXIS_FIELD, FIELDS[counts->field]};
    counts->ticket = intents_ask_stats(shell, &counts->ask, VALUES_MAX, effects);
    shell_redraw(shell);
}

/* What is open is asked of the service again, so that ages are those of what is open now. What comes is counted as the
 * index gets it. */
static void counts_reask(struct shell *shell, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    if (counts_are_of_ages(counts) && reask_is_due(&counts->reask, shell_now(shell)))
        (void)reask_start(&counts->reask, shell_profile(shell), intents_query(shell), shell_now(shell), effects);
}

static void counts_close(struct shell *shell, struct effects *effects) {
    reask_cancel(&counts_of(shell)->reask, effects);
    shell_close(shell);
}

/* Other lines than before. */
static void counts_ask_anew(struct shell *shell, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    counts_forget(counts);
    counts->cursor = counts->top = 0;
    counts_ask(shell, effects);
    counts_reask(shell, effects);
}

static bool can_be_second(const struct counts *counts, enum query_field_code field) {
    const struct query_axis first = {QUERY_AXIS_FIELD, FIELDS[counts->field]}, second = {QUERY_AXIS_FIELD, field};
    return field != first.field && !query_axis_has_several(&first) && !query_axis_has_several(&second);
}

static void choose_field(struct shell *shell, int step, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    counts->field = (counts->field + step + (int)COUNT_OF(FIELDS)) % (int)COUNT_OF(FIELDS);
    if (counts->ask.second.kind && !can_be_second(counts, counts->ask.second.field))
        counts->ask.second = (struct query_axis){QUERY_AXIS_NONE, QUERY_FIELD_COUNT};
    counts_ask_anew(shell, effects);
}

/* One after the other, and none behind the last. */
static void choose_second(struct shell *shell, int step, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    int n = (int)COUNT_OF(FIELDS), at = n;
    for (int i = 0; i < n && counts->ask.second.kind; i++)
        at = FIELDS[i] == counts->ask.second.field ? i : at;
    do
        at = (at + step + n + 1) % (n + 1);
    while (at < n && !can_be_second(counts, FIELDS[at]));
    counts->ask.second =
        (struct query_axis){at < n ? QUERY_AXIS_FIELD : QUERY_AXIS_NONE, at < n ? FIELDS[at] : QUERY_FIELD_COUNT};
    counts_ask_anew(shell, effects);
}

static void choose_rate(struct shell *shell, struct effects *effects) {
    static const struct query_rate RATES[] = {{.on = false},
                                              {true, INTENT_APPROVED, QUERY_RATE_DECIDED},
                                              {true, INTENT_APPROVED, QUERY_RATE_ALL},
                                              {true, INTENT_DECLINED, QUERY_RATE_DECIDED},
                                              {true, INTENT_CANCELED, QUERY_RATE_FINAL}};
    struct counts *counts = counts_of(shell);
    counts->rate = (counts->rate + 1) % COUNT_OF(RATES);
    counts->ask.rate = RATES[counts->rate];
    counts_ask_anew(shell, effects);
}

/* There is no earlier period without a period: where the filter names no time, the last week is one. */
static void narrow_to_week(struct shell *shell, struct effects *effects) {
    static const char WEEK[] = "created>=-7d";
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    query_narrow_by(&text, intents_query(shell), WEEK, false);
    intents_narrow(shell, text.s, WEEK, effects);
    str_clear(&text);
}

static void choose_earlier(struct shell *shell, struct effects *effects) {
    static const int DAYS[] = {0, 7, 1, 28};
    struct counts *counts = counts_of(shell);
    if (!stats_has_period(intents_query(shell)))
        narrow_to_week(shell, effects);
    if (!stats_has_period(intents_query(shell)))
        return;
    counts->earlier = (counts->earlier + 1) % COUNT_OF(DAYS);
    counts->ask.compared = DAYS[counts->earlier];
    counts_ask_anew(shell, effects);
}

static bool open_counts(struct shell *shell, const void *argument, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    bool cut = intents_totals_cut(shell); /* then the overlay shows every sum */
    enum query_field_code under = cut ? QUERY_CURRENCY_FIELD : column_info(intents_column(shell))->query;
    for (size_t i = 0; i < COUNT_OF(FIELDS); i++)
        counts->field = FIELDS[i] == under ? (int)i : counts->field;
    (void)argument;
    if (!stats_has_period(intents_query(shell)))
        counts->ask.compared = 0;
    choose_field(shell, 0, effects);
    return true;
}

static bool counts_is_due(const struct counts *counts, const struct event *event) {
    return event_get(event, index_filled)->whole || event->now - counts->asked >= PACE;
}

static bool counts_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    intents_page(shell, given, counts->found);
    bool mine = given->kind == EVENT_LOOKUP && counts->ticket && given->ticket == counts->ticket;
    if (mine) {
        counts->ticket = 0;
        counts_take(counts, event_take(given, lookup_result));
        shell_redraw(shell);
        if (counts->again && shell_shows(shell, OVERLAY_COUNTS))
            counts_ask(shell, effects);
    } else if (given->kind == EVENT_INDEX && shell_shows(shell, OVERLAY_COUNTS)) {
        counts->again = counts->ticket != 0;
        if (!counts->again && counts_is_due(counts, given))
            counts_ask(shell, effects);
    }
    return mine;
}

static bool narrow_text(const struct shell *shell, const struct query *query, bool exclude, struct str *out) {
    const struct counts *counts = counts_of(shell);
    const struct query_axis axis = {QUERY_AXIS_FIELD, FIELDS[counts->field]};
    const struct query_place *place = &counts->found->values[counts->cursor];
    enum query_flag flag = query_axis_flag(&axis);
    struct query_clock clock = {0};
    struct str terms;
    if (!counts_are_plain(counts))
        return counts_line_terms(shell, query, exclude, out);
    if (place->value && axis.field != QUERY_AGE_FIELD && !query_axis_is_band(&axis)) {
        query_narrow(out, query, axis.field, place->value, exclude);
        return true;
    }
    if (!place->value && flag != QUERY_FLAG_COUNT) {
        query_narrow(out, query, QUERY_HAS_FIELD, query_flag_info(flag)->name, !exclude);
        return true;
    }
    str_init(&terms, QUERY_TEXT_MAX);
    bool said = query_place_terms(&axis, &clock, place, &terms);
    if (said)
        query_narrow_by(out, query, terms.s, exclude);
    str_clear(&terms);
    return said;
}

static void counts_narrow(struct shell *shell, bool exclude, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    struct str text, term;
    if (!counts->found || counts->cursor >= counts_rows(counts))
        return;
    str_init(&text, QUERY_TEXT_MAX);
    str_init(&term, QUERY_TEXT_MAX);
    if (narrow_text(shell, intents_query(shell), exclude, &text) && narrow_text(shell, NULL, exclude, &term)) {
        counts_close(shell, effects);
        intents_narrow(shell, text.s, term.s, effects);
    } else {
        shell_message(shell, ROLE_WARN, "the filter language has no word for intents without a %s", field_name(counts));
    }
    str_clear(&text);
    str_clear(&term);
}

static size_t page_of(const struct counts *counts) {
    return counts->visible_rows > 2 ? (size_t)counts->visible_rows - 1 : 1;
}

static void counts_move(struct counts *counts, bool down, size_t by) {
    size_t rows = counts->found ? counts_rows(counts) : 0, last = rows > 0 ? rows - 1 : 0;
    if (down)
        counts->cursor = last - counts->cursor > by ? counts->cursor + by : last;
    else
        counts->cursor = counts->cursor > by ? counts->cursor - by : 0;
}

static bool counts_move_key(struct counts *counts, int32_t key) {
    switch (key) {
    case 'j':
    case 'k':
    case INPUT_DOWN:
    case INPUT_UP:
        counts_move(counts, key == 'j' || key == INPUT_DOWN, 1);
        return true;
    case INPUT_PAGE_DOWN:
    case INPUT_PAGE_UP:
    case KEY_CTRL('F'):
    case KEY_CTRL('B'):
        counts_move(counts, key == INPUT_PAGE_DOWN || key == KEY_CTRL('F'), page_of(counts));
        return true;
    case 'g':
    case 'G':
    case INPUT_HOME:
    case INPUT_END:
        counts_move(counts, key == 'G' || key == INPUT_END, SIZE_MAX);
        return true;
    default:
        return false;
    }
}

static void counts_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (counts_move_key(counts_of(shell), key))
        return;
    switch (key) {
    case 'h':
    case INPUT_LEFT:
    case INPUT_BACK_TAB:
        choose_field(shell, -1, effects);
        break;
    case 'l':
    case INPUT_RIGHT:
    case INPUT_TAB:
        choose_field(shell, 1, effects);
        break;
    case 's':
    case 'S':
        choose_second(shell, key == 's' ? 1 : -1, effects);
        break;
    case '%':
        choose_rate(shell, effects);
        break;
    case 'c':
        choose_earlier(shell, effects);
        break;
    case 'e':
        counts_export(shell, effects);
        break;
    case INPUT_ENTER:
    case ',':
    case '!':
        counts_narrow(shell, key == '!', effects);
        break;
    case 'R':
        (void)shell_act(shell, ACTION_CRAWL, effects);
        break;
    case 'Q':
        shell_leave(shell, effects);
        break;
    case 'q':
    case 'F':
    case INPUT_ESCAPE:
    case INPUT_BACKSPACE:
    case KEY_CTRL('C'):
        counts_close(shell, effects);
        break;
    default:
        shell_unbound(shell, key);
        break;
    }
}

/* As many names as there is room for, the current one among them. */
static void draw_fields(const struct counts *counts, struct canvas *canvas, struct rect row) {
    int first = 0, cols = 0, x = 0;
    for (int i = 0; i <= counts->field; i++)
        cols += (int)strlen(query_field(FIELDS[i])->name) + 2;
    for (; first < counts->field && cols > row.cols; first++)
        cols -= (int)strlen(query_field(FIELDS[first])->name) + 2;
    for (int i = first; i < (int)COUNT_OF(FIELDS); i++) {
        const char *name = query_field(FIELDS[i])->name;
        if (i > counts->field && x + (int)strlen(name) > row.cols)
            break;
        x += canvas_text(canvas, row, 0, x, i == counts->field ? ROLE_HEADER_SORTED : ROLE_DIM, name) + 2;
    }
}

/* Of how many rows, and whether they are all: a bound never looks like a count. */
static void draw_reach(const struct shell *shell, struct canvas *canvas, struct rect row) {
    const struct lookup_result *found = counts_of(shell)->found;
    struct str text;
    if (!found) {
        canvas_text(canvas, row, 0, 0, ROLE_INFO, "counting");
        return;
    }
    str_init(&text, 256);
    money_group_count(&text, found->n_distinct);
    str_add(&text, found->n_distinct == 1 ? " value in " : " values in ");
    enum role role = intents_reach_text(shell, found, &text);
    canvas_text(canvas, row, 0, 0, role, text.s);
    str_clear(&text);
}

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
    bool summed = FIELDS[counts->field] == QUERY_CURRENCY_FIELD;
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
    bool decline = FIELDS[counts_of(shell)->field] == QUERY_DECLINE_FIELD;
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

static void draw_values(struct shell *shell, struct canvas *canvas, struct rect area) {
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

/* The share of many small values, so that the column adds up to 100. */
static void draw_small(const struct lookup_result *found, struct canvas *canvas, struct rect row) {
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

/* The exact sums of the value under the cursor. */
static void draw_sums(const struct shell *shell, struct canvas *canvas, struct rect row) {
    const struct counts *counts = counts_of(shell);
    const struct lookup_result *found = counts->found;
    const struct stats_line *lines = counts->stats.lines.items;
    struct str text;
    if (!found || counts->stats.lines.n != counts_rows(counts) || counts->cursor >= counts->stats.lines.n)
        return;
    str_init(&text, 1 << 16);
    str_add(&text, "sums");
    intents_add_sums(shell, lines[counts->cursor].cells, lines[counts->cursor].n_cells, row.cols, &text);
    canvas_text(canvas, row, 0, 0, ROLE_TEXT, text.s);
    str_clear(&text);
}

static void counts_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    enum { FIXED = 6, ROWS_LEAST = 12 };
    struct counts *counts = counts_of(shell);
    bool plain = counts_are_plain(counts);
    int rows = FIXED + 4 * !plain + counts_are_of_ages(counts) + (counts->found ? (int)counts_rows(counts) + 1 : 0);
    struct rect box = dialog_box(canvas, within, rows > ROWS_LEAST ? rows : ROWS_LEAST,
                                 plain ? BOX_COLS : BOX_COLS_WIDE, "Value counts of the result", ROLE_TITLE);
    if (box.rows < 1 || box.cols < 1)
        return;
    draw_fields(counts, canvas, rect_take_rows(&box, 1));
    draw_reach(shell, canvas, rect_take_rows(&box, 1));
    counts_draw_asked(shell, canvas, &box);
    if (box.rows > FIXED) {
        struct rect hint = rect_take_rows(&box, -1);
        canvas_text(canvas, hint, 0, 0, ROLE_DIM,
                    "Enter narrows  ! excludes  h l field  s second  % rate  c earlier  e file");
        draw_sums(shell, canvas, rect_take_rows(&box, -1));
        (void)rect_take_rows(&box, plain);
        if (plain)
            draw_small(counts->found, canvas, rect_take_rows(&box, -1));
    }
    if (counts->found && plain)
        draw_values(shell, canvas, box);
    else if (counts->found)
        counts_draw_lines(shell, canvas, box);
}

static bool counts_take_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct reask *reask = &counts_of(shell)->reask;
    if (reask_update(reask, given, effects)) {
        shell_redraw(shell);
        if (reask->state != REASK_ASKING && shell_shows(shell, OVERLAY_COUNTS))
            counts_ask(shell, effects);
        return true;
    }
    return counts_export_event(shell, given) || counts_event(shell, given, effects);
}

const struct pane counts_overlay = {.size = sizeof(struct counts),
                                    .clear = counts_clear,
                                    .open = open_counts,
                                    .event = counts_take_event,
                                    .draw = counts_draw,
                                    .every_key = counts_every_key};
