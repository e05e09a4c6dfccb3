#include "panes/overview/overview.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PACE = 100 /* ms between two answers while the index fills */ };

struct query_clock overview_clock(const struct shell *shell) {
    return (struct query_clock){.zone = intents_context(shell).zone};
}

static void pane_overview_init(struct shell *shell) {
    overview_of(shell)->span = QUERY_AXIS_DAY;
    overview_of(shell)->tiles = 1;
}

static void pane_overview_clear(struct shell *shell) {
    for (size_t i = 0; i < PICTURES; i++)
        picture_clear(&overview_of(shell)->pictures[i]);
}

/* ---- Questions ---- */

static void picture_drop(struct picture *picture, struct effects *effects) {
    if (picture->ticket)
        effects_cancel(effects, picture->ticket);
    picture->ticket = 0;
    picture_clear(picture);
}

static void overview_ask(struct shell *shell, size_t i, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    struct picture *picture = &overview->pictures[i];
    struct query_axis over, by;
    if (picture->ticket)
        effects_cancel(effects, picture->ticket);
    picture->again = false;
    picture->asked = shell_now(shell);
    picture_axes(overview, i, &over, &by);
    picture->ticket = intents_ask_counts(shell, &over, by.field, PICTURE_INFO[i].limit, effects);
}

/* Those that a screen shows together begin at a multiple of how many they are. */
static size_t first_shown(const struct overview *overview) {
    return overview->current - overview->current % (size_t)overview->tiles;
}

static bool is_on_show(const struct overview *overview, size_t i) {
    return i >= first_shown(overview) && i < first_shown(overview) + (size_t)overview->tiles;
}

/* Asks for what is on show and was not counted yet. */
static void ask_shown(struct shell *shell, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    for (size_t i = 0; i < PICTURES; i++)
        if (is_on_show(overview, i) && !overview->pictures[i].found && !overview->pictures[i].ticket)
            overview_ask(shell, i, effects);
    shell_redraw(shell);
}

/* The rows are others: everything is counted anew. */
static void overview_anew(struct shell *shell, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    for (size_t i = 0; i < PICTURES; i++)
        picture_drop(&overview->pictures[i], effects);
    ask_shown(shell, effects);
}

/* Another filter, or one that is being typed: what is on show stays until it is counted, so that it does not flicker.
 */
static void overview_follow(struct shell *shell, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    overview->question = intents_question(shell);
    for (size_t i = 0; i < PICTURES; i++) {
        struct picture *picture = &overview->pictures[i];
        if (is_on_show(overview, i))
            overview_ask(shell, i, effects);
        else
            picture_drop(picture, effects);
        picture->late = picture->found;
    }
    shell_redraw(shell);
}

static void pane_overview_enter(struct shell *shell, struct effects *effects) {
    overview_of(shell)->question = intents_question(shell);
    overview_anew(shell, effects);
}

static void overview_filled(struct shell *shell, bool whole, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    for (size_t i = 0; i < PICTURES; i++) {
        struct picture *picture = &overview->pictures[i];
        if (!is_on_show(overview, i))
            picture_clear(picture);
        else if (picture->ticket)
            picture->again = true;
        else if (whole || shell_now(shell) - picture->asked >= PACE)
            overview_ask(shell, i, effects);
    }
}

static bool pane_overview_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    for (size_t i = 0; i < PICTURES; i++) {
        struct picture *picture = &overview->pictures[i];
        intents_page(shell, given, picture->found);
        if (given->kind != EVENT_LOOKUP || !picture->ticket || given->ticket != picture->ticket)
            continue;
        picture->ticket = 0;
        picture_take(overview, i, event_take(given, lookup_result));
        shell_redraw(shell);
        if (picture->again && shell_is_on(shell, PANE_OVERVIEW))
            overview_ask(shell, i, effects);
        return true;
    }
    if (given->kind == EVENT_INDEX && shell_is_on(shell, PANE_OVERVIEW))
        overview_filled(shell, event_get(given, index_filled)->whole, effects);
    return false;
}

/* ---- Keys ---- */

static size_t moved(size_t at, int step, size_t n) {
    if (step < 0)
        return at > (size_t)-step ? at - (size_t)-step : 0;
    return n == 0 ? 0 : at + (size_t)step < n ? at + (size_t)step : n - 1;
}

/* To the right is a newer time, of which the newest is the first. */
static void overview_move(struct overview *overview, int down, int right) {
    struct picture *picture = &overview->pictures[overview->current];
    const struct query_place *places[PICTURE_TIMES_MOST];
    size_t rows = 0, columns = 0;
    if (!picture->found)
        return;
    rows = picture_places(overview, overview->current, false, places, PICTURE_TIMES_MOST);
    if (PICTURE_INFO[overview->current].kind == PICTURE_HEAT)
        columns = picture_places(overview, overview->current, true, places, PICTURE_TIMES_MOST);
    if (picture_is_of_times(overview->current)) {
        columns = picture->columns;
        right = -right;
    }
    picture->row = moved(picture->row, down, rows);
    picture->column = moved(picture->column, right, columns);
}

static void overview_turn(struct shell *shell, int step, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    overview->current = (overview->current + PICTURES + (size_t)step) % PICTURES;
    ask_shown(shell, effects);
}

static void overview_next_span(struct shell *shell, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    overview->span = overview->span == QUERY_AXIS_WEEK ? QUERY_AXIS_HOUR : overview->span + 1;
    for (size_t i = 0; i < PICTURES; i++) {
        if (!picture_is_of_times(i))
            continue;
        picture_clear(&overview->pictures[i]);
        overview->pictures[i].column = 0;
        if (is_on_show(overview, i))
            overview_ask(shell, i, effects);
    }
    shell_redraw(shell);
}

/* Round from the last currency to the first. */
static void next_currency(struct shell *shell) {
    struct overview *overview = overview_of(shell);
    for (size_t i = 0; i < PICTURES; i++) {
        struct picture *picture = &overview->pictures[i];
        if (PICTURE_INFO[i].kind != PICTURE_HEAT || !query_axis_is_band(&picture->over) || !picture->found)
            continue;
        size_t n = picture_currencies(picture);
        overview->currency = n > 0 ? (overview->currency + 1) % n : 0;
        picture->row = picture->column = picture->top = picture->left = 0;
    }
    shell_redraw(shell);
}

/* The list, with a filter that has just the rows of the bar. */
static void overview_open(struct shell *shell, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    struct query_clock clock = overview_clock(shell);
    struct picture_bar bar;
    struct str terms, text;
    if (overview->pictures[overview->current].late) {
        shell_message(shell, ROLE_INFO, "the bars are of another filter: they are being counted");
        return;
    }
    if (!picture_bar(overview, overview->current, &clock, &bar) || bar.rows == 0) {
        shell_message(shell, ROLE_INFO, "no intent is counted here");
        return;
    }
    str_init(&terms, QUERY_TEXT_MAX);
    str_init(&text, QUERY_TEXT_MAX);
    if (picture_terms(&overview->pictures[overview->current], &clock, &bar, &terms)) {
        query_narrow_by(&text, intents_query(shell), terms.s, false);
        (void)shell_act(shell, ACTION_PANE_INTENTS, effects);
        intents_narrow(shell, text.s, terms.s, effects);
    } else {
        shell_message(shell, ROLE_WARN, "the filter language has no word for these");
    }
    str_clear(&terms);
    str_clear(&text);
}

static bool pane_overview_act(struct shell *shell, int action, struct effects *effects) {
    enum { PAGE = 10, ALL = 1 << 20 };
    static const struct {
        int action, down, right;
    } MOVES[] = {{ACTION_DOWN, 1, 0},         {ACTION_UP, -1, 0},         {ACTION_LEFT, 0, -1},
                 {ACTION_RIGHT, 0, 1},        {ACTION_FIRST, -ALL, 0},    {ACTION_LAST, ALL, 0},
                 {ACTION_HALF_DOWN, PAGE, 0}, {ACTION_HALF_UP, -PAGE, 0}, {ACTION_PAGE_DOWN, PAGE, 0},
                 {ACTION_PAGE_UP, -PAGE, 0}};
    for (size_t i = 0; i < COUNT_OF(MOVES); i++) {
        if (action == MOVES[i].action) {
            overview_move(overview_of(shell), MOVES[i].down, MOVES[i].right);
            return true;
        }
    }
    if (action == ACTION_PICTURE_OPEN)
        overview_open(shell, effects);
    else if (action == ACTION_PICTURE_FILTER)
        (void)shell_open(shell, OVERLAY_PROMPT, &(struct prompt_line){PROMPT_FILTER, intents_filter(shell)}, effects);
    else if (action == ACTION_PICTURE_NEXT || action == ACTION_PICTURE_PREVIOUS)
        overview_turn(shell, action == ACTION_PICTURE_NEXT ? 1 : -1, effects);
    else if (action == ACTION_PICTURE_SPAN)
        overview_next_span(shell, effects);
    else if (action == ACTION_PICTURE_CURRENCY)
        next_currency(shell);
    else if (action == ACTION_PICTURE_AGAIN)
        overview_anew(shell, effects);
    else
        return false;
    return true;
}

/* Reading all is said to be a key away, and is here too. */
static bool pane_overview_key(struct shell *shell, int32_t key, struct effects *effects) {
    bool crawl = keymap_find(shell_keymap(shell), "intents", key) == ACTION_CRAWL;
    if (crawl)
        intents_crawl(shell, effects);
    return crawl;
}

/* More of them may have room now. */
static void pane_overview_resized(struct shell *shell, struct effects *effects) {
    if (shell_is_on(shell, PANE_OVERVIEW)) {
        overview_of(shell)->tiles = overview_tiles(shell);
        ask_shown(shell, effects);
    }
}

static void pane_overview_after_key(struct shell *shell, struct effects *effects) {
    struct overview *overview = overview_of(shell);
    if (!shell_is_on(shell, PANE_OVERVIEW))
        return;
    overview->tiles = overview_tiles(shell);
    if (overview->zone != shell_zone(shell)) {
        overview->zone = shell_zone(shell);
        overview_anew(shell, effects);
    }
    if (overview->question != intents_question(shell))
        overview_follow(shell, effects);
    ask_shown(shell, effects);
}

const struct pane overview_pane = {.title = "Overview",
                                   .sections = {"overview", "list"},
                                   .size = sizeof(struct overview),
                                   .init = pane_overview_init,
                                   .clear = pane_overview_clear,
                                   .draw = overview_draw,
                                   .key = pane_overview_key,
                                   .act = pane_overview_act,
                                   .event = pane_overview_event,
                                   .after_key = pane_overview_after_key,
                                   .resized = pane_overview_resized,
                                   .enter = pane_overview_enter};
