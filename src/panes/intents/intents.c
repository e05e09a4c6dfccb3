#include "panes/intents/intents.h"
#include "panes/shell/moves.h"

#include "app/days.h"
#include "base/mem.h"
#include "query/doubt.h"
#include "ui/lines.h"

#include <stdlib.h>
#include <string.h>

enum {
    RIGHT_COLS = 140,  /* from here on the detail stands at the right */
    BELOW_ROWS = 30,   /* or, from here on, below */
    FOLLOW_AFTER = 80, /* ms without a movement before the detail follows the cursor */
    SECOND = 1000,
    ALIKE_MAX = 4096, /* of the columns that one value stands for */
    BY_MINUTES = 120, /* seconds left, from here on told in minutes */
};

void intents_init(struct shell *shell) {
    struct intents *intents = intents_of(shell);
    str_init(&intents->alike, ALIKE_MAX);
    browse_init(&intents->browse, shell_profile(shell));
    view_init(&intents->view, &intents->browse);
    live_init(&intents->live, &intents->browse);
    team_walk_init(&intents->team, shell_profile(shell));
    intents->live.team = &intents->team;
    intents->live.hold = intents->team.on ? LIVE_UNKNOWN_TURN : LIVE_FREE;
    mirror_init(&intents->mirror, shell_profile(shell));
    intents_columns(shell);
    table_init(&intents->table, intents->columns, COLUMN_COUNT);
    detail_init(&intents->detail);
    intents->detail_open = true;
    intents_zone(shell);
}

void intents_zone(struct shell *shell) {
    intents_view(shell)->zone = days_of(shell_profile(shell), shell_zone(shell) == CLOCK_LOCAL);
}

void intents_clear(struct shell *shell) {
    struct intents *intents = intents_of(shell);
    own_run_clear(intents);
    str_clear(&intents->alike);
    view_clear(&intents->view);
    browse_clear(&intents->browse);
    mirror_clear(&intents->mirror);
    team_walk_clear(&intents->team);
    detail_clear(&intents->detail);
    jump_clear(&intents->jump);
    read_back_clear(&intents->back);
    findings_clear(intents);
    customer_clear(&intents->customer);
    detail_user_clear(&intents->known);
    detail_events_clear(&intents->events);
    free(intents->shown_id);
    free(intents->cursor_id);
    for (int i = 0; i < COLUMN_COUNT; i++)
        labels_clear(&intents->labels[i]);
}

/* Fetches a screenful of rows ahead, two at the first time, so that a page key that is held down finds rows. */
static void need_rows(struct shell *shell, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    size_t page = (size_t)(shell_rows(shell) > 0 ? shell_rows(shell) : 1);
    result_need(&intents->view, intents->table.cursor, intents->table.cursor - intents->table.top, page, effects);
}

void intents_moved(struct shell *shell, struct effects *effects) {
    intents_of(shell)->seeking = false;
    intents_browse(shell)->catch_up = false; /* from here on the operator decides what is read */
    browse_asked(intents_browse(shell));
    intents_keep_cursor(shell);
    need_rows(shell, effects);
    enum detail_place place = intents_of(shell)->place;
    if (place == DETAIL_RIGHT || place == DETAIL_BELOW)
        effects_timer(effects, TIMER_FOLLOW, shell_now(shell) + FOLLOW_AFTER);
}

void intents_follow(struct shell *shell) {
    detail_show(shell, intents_current(shell));
}

/* The list was replaced: columns may be narrower again, and short names are given anew. */
static void forget_drawn(struct intents *intents) {
    memset(intents->drawn_cols, 0, sizeof intents->drawn_cols);
    memset(intents->varied, 0, sizeof intents->varied);
    for (int i = 0; i < COLUMN_COUNT; i++)
        labels_reset(&intents->labels[i]);
}

void intents_viewed(struct shell *shell, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    struct view *view = &intents->view;
    shell_redraw(shell);
    if (view->generation == intents->seen_view)
        return;
    intents->seen_view = view->generation;
    if (result_is_settled(view)) {
        if (view->fresh && !shell_shows(shell, OVERLAY_PROMPT))
            forget_drawn(intents);
        intents_place_cursor(shell);
        view->fresh = view->fresh && view->ticket != 0;
        if (view->answer) {
            view->answer->at = view->answer->n;
            view->answer->placed = true;
        }
    }
    need_rows(shell, effects);
    intents_follow(shell);
}

/* A filter's integer is not what is shown where amounts are in a unit. */
static void say_integers(struct shell *shell) {
    struct str text;
    str_init(&text, 2 * QUERY_TEXT_MAX);
    if (shell_profile(shell)->amount_unit != MONEY_RAW && query_say_integers(intents_view(shell)->query, &text))
        shell_message(shell, ROLE_INFO, "%s", text.s);
    str_clear(&text);
}

void intents_apply(struct shell *shell, const char *text, struct effects *effects) {
    struct error error = {0};
    shell_message_outdated(shell);
    intents_of(shell)->listed_said = false;
    if (view_apply(intents_view(shell), text, shell_now(shell), effects, &error) != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", error.text);
    intents_viewed(shell, effects);
    if (error.code == ERR_OK)
        say_integers(shell);
}

/* What the operator can do comes before the service's words, which may be cut at the end of the row. */
static void advise(const struct shell *shell, struct str *out) {
    const struct browse *browse = intents_browse(shell);
    if (browse->code == ERR_UNAUTHORISED)
        str_addf(out, "%s reads the token again. ", shell_key_of(shell, ACTION_TOKEN));
    else if (browse->cursor_refused)
        str_addf(out, "%s reads again from the first page. ", shell_key_of(shell, ACTION_CRAWL));
    else if (live_is_refused(&intents_of(shell)->live))
        str_addf(out, "Live updates stopped, %s asks again. ", shell_key_of(shell, ACTION_REFRESH));
}

static void intents_say_fault(struct shell *shell) {
    const struct browse *browse = intents_browse(shell);
    struct str advice;
    str_init(&advice, 128);
    advise(shell, &advice);
    shell_message(shell, ROLE_ERROR, "%s%s", advice.s, browse->line ? browse->line : err_sentence(browse->code));
    str_clear(&advice);
}

/* Tells what the service said beside rows, or instead of rows. */
static bool say_said(struct shell *shell) {
    struct coverage coverage;
    struct str text;
    str_init(&text, 512);
    browse_coverage(intents_browse(shell), &coverage);
    bool missing = coverage_said(&coverage, &text);
    bool said = text.len > 0;
    if (said)
        shell_message(shell, missing ? ROLE_WARN : ROLE_INFO, "%s", text.s);
    str_clear(&text);
    return said;
}

static void say_state(struct shell *shell, struct effects *effects) {
    struct browse *browse = intents_browse(shell);
    bool counting = browse->retry_at != CLOCK_NONE && browse->retry_at > shell_now(shell);
    if (browse->code != ERR_OK && counting) {
        bool by_itself = browse->retry_task != BROWSE_IDLE;
        long long left = (browse->retry_at - shell_now(shell) + SECOND - 1) / SECOND;
        bool minutes = left > BY_MINUTES; /* while a long wait is told in minutes, no timer runs every second */
        shell_message(shell, ROLE_WARN, "%lld %s to go, %s %s. %s", minutes ? (left + 59) / 60 : left,
                      minutes ? "min" : "s", shell_key_of(shell, by_itself ? ACTION_BACK : ACTION_REFRESH),
                      by_itself ? "cancels" : "asks again", browse->line ? browse->line : err_sentence(browse->code));
        effects_timer(effects, TIMER_COUNTDOWN, shell_now(shell) + (minutes ? (left - 1) % 60 + 1 : 1) * SECOND);
    } else if (browse->code != ERR_OK) {
        intents_say_fault(shell);
    } else if (browse->mismatch) {
        shell_message(shell, ROLE_WARN, "the service did not apply the filter: rows that do not match are %s",
                      result_is_as_read(intents_view(shell)) ? "in the list" : "left out");
    } else if (!say_said(shell)) {
        if (!(browse->crawl && browse_is_busy(browse)))
            shell_message_link_clear(shell);
        return;
    }
    shell_message_of_link(shell);
}

void intents_changed(struct shell *shell, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    struct browse *browse = &intents->browse;
    shell_redraw(shell);
    if (browse->generation == intents->seen_generation) {
        say_state(shell, effects);
        return;
    }
    intents->seen_generation = browse->generation;
    view_walked(&intents->view, shell_now(shell), effects);
    if (result_is_as_read(&intents->view))
        intents_place_cursor(shell);
    say_state(shell, effects);
    need_rows(shell, effects);
    intents_ask_before_more(shell);
    intents_follow(shell);
}

void intents_set_filter(struct shell *shell, const struct server_filter *filter, struct effects *effects) {
    view_set_server(intents_view(shell), filter, shell_now(shell), effects);
    shell_message_clear(shell);
    intents_viewed(shell, effects);
}

static bool detail_has_keys(const struct intents *intents) {
    return intents->place == DETAIL_FULL || intents->detail_focused;
}

static int32_t pager_key_of(int action) {
    switch (action) {
    case ACTION_LEFT:
        return INPUT_LEFT;
    case ACTION_RIGHT:
        return INPUT_RIGHT;
    case ACTION_FILTER:
        return '/';
    case ACTION_FIND_NEXT:
        return 'n';
    case ACTION_FIND_PREVIOUS:
        return 'N';
    default:
        return pager_move(action);
    }
}

static void say_last(struct shell *shell) {
    const struct browse *browse = intents_browse(shell);
    const struct view *view = intents_view(shell);
    if (!result_is_as_read(view)) {
        if (!view_is_whole(view)) {
            shell_message(shell, ROLE_INFO, "last of the %s; %s reads all that the server has",
                          view->source == VIEW_OF_CACHE ? "cached rows" : "rows read so far",
                          shell_key_of(shell, ACTION_CRAWL));
        }
    } else if (browse->end != BROWSE_END && browse->n > 0) {
        shell_message(shell, ROLE_INFO, "%s",
                      browse->link == BROWSE_ONLINE ? "last row read so far; more are on the server, reading on"
                                                    : "last row at hand; the server may have more");
    }
}

/* While pages bring rows, the cursor has to reach the end before another is asked for. */
static bool may_read_on(struct shell *shell, struct effects *effects) {
    const struct browse *browse = intents_browse(shell);
    bool stopped = browse->code != ERR_OK || browse->end == BROWSE_NO_PROGRESS;
    return !stopped || intents_may_ask(shell, 0, effects);
}

/* Whether rows that were not read come below the last one: the list is in the service's order. */
static bool intents_ends_unread(const struct shell *shell) {
    const struct intents *intents = intents_of(shell);
    const struct lookup_sort *sort = &intents->view.sort[0];
    bool oldest_first = intents->browse.oldest_first && !intents->browse.newest_first;
    bool by_time = !view_is_sorted(&intents->view) || sort->field == QUERY_CREATED_FIELD;
    bool shown = view_is_sorted(&intents->view) && !sort->descending;
    return by_time && shown == oldest_first;
}

/* At the last row this key asks for another page, also after an error and where the walk had stopped; under a filter
 * that is applied here, for as many pages as bring a screenful. */
static void read_on(struct shell *shell, int action, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    bool last =
        (action == ACTION_LAST || action == ACTION_PAGE_DOWN) && intents->table.cursor + 1 >= intents_count(shell);
    if (last && !result_is_as_read(&intents->view)) {
        if (view_is_whole(&intents->view) || !may_read_on(shell, effects))
            return;
        if (!intents_ends_unread(shell) || !read_back_rows(shell, effects))
            say_last(shell);
    } else if (last && may_read_on(shell, effects) && browse_more(&intents->browse, effects)) {
        shell_message(shell, ROLE_INFO, "asking for the next page; %s cancels", shell_key_of(shell, ACTION_BACK));
        shell_message_of_link(shell);
    }
}

static bool intents_move(struct shell *shell, int action, struct effects *effects) {
    struct table *table = &intents_of(shell)->table;
    if (action == ACTION_LEFT || action == ACTION_RIGHT) {
        table_column_move(table, action == ACTION_RIGHT ? 1 : -1);
        return true;
    }
    bool moved = table_act(table, intents_count(shell), action);
    if (action == ACTION_LAST)
        say_last(shell);
    read_on(shell, action, effects);
    return moved;
}

void intents_crawl_alone(struct shell *shell, struct effects *effects) {
    if (intents_mirror_crawl(shell, effects))
        return;
    if (browse_crawl(intents_browse(shell), effects)) {
        intents_of(shell)->seeking = true;
        intents_of(shell)->seek_row = intents_of(shell)->table.cursor;
    }
    shell_message(shell, ROLE_INFO, "reading every page; %s stops", shell_key_of(shell, ACTION_BACK));
    shell_message_of_link(shell);
}

/* Where a detail would stand beside the list. */
static enum detail_place room_for_detail(const struct shell *shell) {
    if (shell_cols(shell) >= RIGHT_COLS)
        return DETAIL_RIGHT;
    return shell_rows(shell) >= BELOW_ROWS ? DETAIL_BELOW : DETAIL_NONE;
}

static void toggle_detail(struct shell *shell) {
    struct intents *intents = intents_of(shell);
    if (room_for_detail(shell) == DETAIL_NONE) {
        shell_message(shell, ROLE_INFO, "there is no room for the detail beside the list; %s opens it",
                      shell_key_of(shell, ACTION_OPEN));
        return;
    }
    intents->detail_open = !intents->detail_open;
    intents->detail_focused = false;
    intents_follow(shell);
}

static enum detail_place intents_place_of(const struct shell *shell) {
    const struct intents *intents = intents_of(shell);
    if (intents->detail_zoomed)
        return DETAIL_FULL;
    return intents->detail_open ? room_for_detail(shell) : DETAIL_NONE;
}

static void open_detail(struct shell *shell, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    if (!intents_current(shell))
        return;
    bool split = intents->place == DETAIL_RIGHT || intents->place == DETAIL_BELOW;
    if (intents->place == DETAIL_FULL)
        (void)shell_open(shell, OVERLAY_PARTS, NULL, effects);
    else if (split && !intents->detail_focused)
        intents->detail_focused = true;
    else
        intents->detail_zoomed = true;
    intents_follow(shell);
}

static void toggle_json(struct shell *shell) {
    struct intents *intents = intents_of(shell);
    intents->mode = intents->mode == DETAIL_JSON ? DETAIL_FIELDS : DETAIL_JSON;
    if (intents->place == DETAIL_NONE && intents_current(shell)) {
        intents->detail_zoomed = true;
        intents->mode = DETAIL_JSON;
    }
    intents->detail.pager.top = 0;
    intents_follow(shell);
}

bool intents_act(struct shell *shell, int action, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    if (detail_has_keys(intents) && pager_key_of(action))
        return detail_key(shell, pager_key_of(action)) != DIALOG_IGNORED;
    if (intents_move(shell, action, effects)) {
        intents_moved(shell, effects);
        return true;
    }
    if (intents_act_view(shell, action, effects))
        return true;
    switch (action) {
    case ACTION_OPEN:
        open_detail(shell, effects);
        return true;
    case ACTION_FACETS:
        (void)shell_open(shell, OVERLAY_FACETS, NULL, effects);
        return true;
    case ACTION_CHANGES:
        (void)shell_open(shell, OVERLAY_CHANGES, NULL, effects);
        return true;
    case ACTION_ASK_TEAM:
        (void)shell_open(shell, OVERLAY_TEAM, NULL, effects);
        return true;
    case ACTION_ATTEMPTS:
        (void)shell_open(shell, OVERLAY_ATTEMPTS, NULL, effects);
        return true;
    case ACTION_PARTS:
        (void)shell_open(shell, OVERLAY_PARTS, NULL, effects);
        return true;
    case ACTION_COUNTS:
        (void)shell_open(shell, OVERLAY_COUNTS, NULL, effects);
        return true;
    case ACTION_REFRESH:
        if (intents_may_ask(shell, action, effects))
            browse_refresh(&intents->browse, effects);
        return true;
    case ACTION_LIVE:
        live_toggle(&intents->live);
        return true;
    case ACTION_SHOW_NEW:
        intents_show_new(shell, effects);
        return true;
    case ACTION_CRAWL:
        if (intents_may_ask(shell, action, effects))
            intents_crawl(shell, effects);
        return true;
    case ACTION_DETAIL:
        toggle_detail(shell);
        return true;
    case ACTION_ZOOM:
        intents->detail_zoomed = !intents->detail_zoomed && intents_current(shell);
        intents_follow(shell);
        return true;
    case ACTION_FOLD:
        detail_fold_open(shell);
        return true;
    case ACTION_JSON:
        toggle_json(shell);
        return true;
    default:
        return false;
    }
}

bool intents_back(struct shell *shell, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    if (intents->detail_zoomed) {
        intents->detail_zoomed = false;
        intents->mode = DETAIL_FIELDS;
        intents_follow(shell);
        return true;
    }
    if (intents->detail_focused) {
        intents->detail_focused = false;
        return true;
    }
    if (intents->view.find) {
        view_find(&intents->view, NULL, shell_now(shell), effects);
        return true;
    }
    return false;
}

static void add_empty(const struct shell *shell, struct str *out) {
    const struct browse *browse = intents_browse(shell);
    const char *ask = shell_key_of(shell, ACTION_REFRESH), *filter = shell_key_of(shell, ACTION_FILTER);
    const struct view *view = intents_view(shell);
    bool on = !result_is_as_read(view), typing = on && shell_shows(shell, OVERLAY_PROMPT);
    const char *rows = view->source == VIEW_OF_CACHE ? "cached intent" : "intent read";
    if (browse_is_busy(browse) && browse->n == 0 && !typing) {
        str_addf(out, "reading the first page; %s cancels", shell_key_of(shell, ACTION_BACK));
    } else if (on && view_is_whole(intents_view(shell))) {
        str_addf(out, "no intent matches the filter; %s changes it", filter);
    } else if (typing) {
        str_addf(out, "no %s matches so far", rows);
    } else if (on) {
        str_addf(out, "no %s matches so far; %s changes the filter, %s reads all", rows, filter,
                 shell_key_of(shell, ACTION_CRAWL));
    } else if (browse->code != ERR_OK) {
        str_addf(out, "nothing to show yet; %s asks the service again", ask);
    } else if (!server_filter_is_empty(&browse->filter)) {
        str_addf(out, "no intent matches the filter; %s changes it", shell_key_of(shell, ACTION_FACETS));
    } else if (browse->last_answer == CLOCK_NONE) {
        str_addf(out, "nothing was read; %s asks the service", ask);
    } else if (*browse->said) {
        str_add(out, "the service served no intents, and says why below");
    } else {
        str_add(out, "the service has no intents for this account");
    }
}

static void draw_empty(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct str text;
    str_init(&text, 256);
    add_empty(shell, &text);
    const char *doubt = result_doubt(intents_view(shell));
    int row = 1;
    for (size_t skip, len; doubt && *doubt; doubt += skip) {
        len = lines_wrap(doubt, area.cols - 2 * TABLE_GUTTER, &skip);
        char *line = mem_dup_n(doubt, len);
        canvas_text(canvas, area, row++, TABLE_GUTTER, ROLE_WARN, line);
        free(line);
    }
    canvas_text(canvas, area, row, TABLE_GUTTER, ROLE_DIM, text.s);
    str_clear(&text);
}

static void intents_lay_out(struct shell *shell, struct rect area) {
    intents_columns(shell);
    intents_sorted(shell);
    columns_alike(shell, area.rows > 0 ? (size_t)area.rows : 0, area.cols);
}

static void intents_draw_list(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct intents *intents = intents_of(shell);
    size_t top = intents->table.top;
    intents_lay_out(shell, area);
    struct table_source source = {
        .rows = intents_count(shell), .cell = intents_cell, .gutter = intents_gutter, .context = shell};
    table_draw(&intents->table, canvas, area, &source, !intents->detail_focused);
    bool other = intents->table.top != top; /* other rows may have other columns of one value */
    if (other)
        intents_lay_out(shell, area);
    if (intents_renamed(intents) || other)
        table_draw(&intents->table, canvas, area, &source, !intents->detail_focused);
    if (source.rows == 0)
        draw_empty(shell, canvas, area);
}

void intents_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct intents *intents = intents_of(shell);
    enum detail_place place = intents_place_of(shell);
    bool appeared = place != DETAIL_NONE && intents->place == DETAIL_NONE;
    intents->place = place;
    if (appeared)
        intents_follow(shell);
    struct rect filter = rect_take_rows(&area, 1), status = rect_take_rows(&area, -1);
    if (place == DETAIL_FULL) {
        str_reset(&intents->alike);
        intents_filter_row(shell, canvas, filter);
        intents_status_row(shell, canvas, status);
        detail_draw(shell, canvas, area, true);
        return;
    }
    customer_draw(shell, canvas, &area);
    struct rect side = {0};
    if (place == DETAIL_RIGHT) {
        side = rect_take_cols(&area, -(area.cols * 2 / 5));
        canvas_rule_vertical(canvas, side, 0, ROLE_RULE);
        side = rect_inset(side, 0, 1, 0, 0);
    } else if (place == DETAIL_BELOW) {
        side = rect_take_rows(&area, -(area.rows * 2 / 5));
        canvas_rule(canvas, side, 0, ROLE_RULE);
        side = rect_inset(side, 1, 0, 0, 0);
    }
    if (place != DETAIL_NONE)
        detail_draw(shell, canvas, side, intents->detail_focused);
    intents_draw_list(shell, canvas, area);
    intents_filter_row(shell, canvas, filter); /* which says what the list's columns leave out */
    intents_status_row(shell, canvas, status); /* and what the filter row had no room for */
}

bool intents_hint(const struct shell *shell, struct str *out) {
    const struct intents *intents = intents_of(shell);
    if (!intents->detail_focused && intents->place != DETAIL_FULL)
        return false;
    str_addf(out, "%s %s scroll", shell_key_of(shell, ACTION_DOWN), shell_key_of(shell, ACTION_UP));
    shell_hint(shell, ACTION_BACK, "back", out); /* first, since the end of the row may be cut */
    shell_hint(shell, ACTION_FILTER, "search", out);
    str_addf(out, ", %s %s next", shell_key_of(shell, ACTION_FIND_NEXT), shell_key_of(shell, ACTION_FIND_PREVIOUS));
    shell_hint(shell, ACTION_COPY, "copy id", out);
    shell_hint(shell, ACTION_JSON, "JSON", out);
    shell_hint(shell, ACTION_PARTS, "parts", out);
    shell_hint(shell, ACTION_CHANGES, "changes", out);
    shell_hint(shell, ACTION_FOLD, "fold", out);
    return true;
}
