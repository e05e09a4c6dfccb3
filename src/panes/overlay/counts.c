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

enum { PLACES = COUNT_OF(FIELDS) + 1 /* and the days */ };

static struct query_axis axis_at(int place) {
    bool field = place < (int)COUNT_OF(FIELDS);
    return (struct query_axis){field ? QUERY_AXIS_FIELD : QUERY_AXIS_DAY, field ? FIELDS[place] : QUERY_FIELD_COUNT};
}

static const char *name_at(int place) {
    const struct query_axis axis = axis_at(place);
    return query_axis_name(&axis);
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

/* A field is counted over days as the values of each. */
static struct stats_ask counts_asked(const struct counts *counts) {
    struct stats_ask asked = counts->ask;
    if (asked.over.kind) {
        asked.by = asked.second;
        asked.second = (struct query_axis){QUERY_AXIS_NONE, QUERY_FIELD_COUNT};
    }
    return asked;
}

static void lines_reverse(struct stats_line *lines, size_t from, size_t end) {
    for (; from + 1 < end; from++, end--) {
        struct stats_line line = lines[from];
        lines[from] = lines[end - 1];
        lines[end - 1] = line;
    }
}

/* Days, each with its values in their order. */
static void newest_first(const struct stats *stats) {
    if (!stats->ask.over.kind || stats->ask.compared)
        return;
    lines_reverse(stats->lines.items, 0, stats->lines.n);
    for (size_t from = 0, end; from < stats->lines.n; from = end) {
        for (end = from + 1; end < stats->lines.n && stats->lines.items[end].over == stats->lines.items[from].over;)
            end++;
        lines_reverse(stats->lines.items, from, end);
    }
}

static void counts_take(struct counts *counts, struct lookup_result *found) {
    counts_forget(counts);
    counts->found = found;
    const struct stats_ask asked = counts_asked(counts);
    lookup_share(found);
    stats_init(&counts->stats, &asked, found);
    newest_first(&counts->stats);
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
    const struct query_axis axis = axis_at(counts->field), none = {QUERY_AXIS_NONE, QUERY_FIELD_COUNT};
    counts->ask.by = query_axis_is_time(&axis) ? none : axis;
    counts->ask.over = query_axis_is_time(&axis) ? axis : none;
    const struct stats_ask asked = counts_asked(counts);
    counts->ticket = intents_ask_stats(shell, &asked, VALUES_MAX, effects);
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
    const struct query_axis first = axis_at(counts->field), second = {QUERY_AXIS_FIELD, field};
    return field != first.field && !query_axis_has_several(&first) && !query_axis_has_several(&second);
}

static void choose_field(struct shell *shell, int step, struct effects *effects) {
    struct counts *counts = counts_of(shell);
    counts->field = (counts->field + step + PLACES) % PLACES;
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

static bool narrow_value(const struct shell *shell, const struct query *query, bool exclude, struct str *out) {
    const struct counts *counts = counts_of(shell);
    const struct query_axis axis = axis_at(counts->field);
    const struct query_place *place = &counts->found->values[counts->cursor];
    enum query_flag flag = query_axis_flag(&axis);
    struct query_clock clock = {0};
    struct str terms;
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

static bool narrow_text(const struct shell *shell, const struct query *query, bool exclude, struct str *out) {
    bool plain = counts_are_plain(counts_of(shell));
    return (plain ? narrow_value : counts_line_terms)(shell, query, exclude, out);
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
        shell_message(shell, ROLE_WARN, "the filter language has no word for intents without a %s",
                      name_at(counts->field));
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
        cols += (int)strlen(name_at(i)) + 2;
    for (; first < counts->field && cols > row.cols; first++)
        cols -= (int)strlen(name_at(first)) + 2;
    for (int i = first; i < PLACES; i++) {
        const char *name = name_at(i);
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
    bool days = counts_of(shell)->ask.over.kind;
    size_t n = days ? found->n_overs : found->n_distinct;
    money_group_count(&text, n);
    str_addf(&text, " %s%s in ", days ? "day" : "value", plural_s(n));
    enum role role = intents_reach_text(shell, found, &text);
    canvas_text(canvas, row, 0, 0, role, text.s);
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
            counts_draw_small(counts->found, canvas, rect_take_rows(&box, -1));
    }
    if (counts->found && plain)
        counts_draw_values(shell, canvas, box);
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
