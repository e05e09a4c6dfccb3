#include "panes/intents/intents.h"

#include "app/id_list.h"
#include "app/notes.h"

/* The list as the console knows it: its table. */

static void intents_pane_start(struct shell *shell, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    browse_use_cache(&pane->browse, true);
    pane->browse.visit = true;
    pane->browse.catch_up = pane->live.mode == LIVE_ON;
    browse_start(&pane->browse, effects);
    (void)effects_notes(effects, NULL);
}

static void intents_pane_take_timer(struct shell *shell, enum timer timer, struct effects *effects) {
    if (timer == TIMER_FOLLOW) {
        intents_follow(shell);
        shell_redraw(shell);
    } else if (timer == TIMER_DEFERRED) {
        intents_deferred(shell, effects);
    } else if (timer == TIMER_COUNTDOWN) {
        intents_changed(shell, effects);
    }
}

static bool intents_pane_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    if (live_event(&pane->live, given) || findings_event(shell, given) || customer_event(shell, given) ||
        detail_user_event(shell, given) || detail_events_event(shell, given))
        return true;
    if (intents_mirror_event(shell, given, effects))
        return true;
    if (intents_team_event(shell, given, effects))
        return true;
    view_page(&pane->view, given, pane->view.answer);
    if (browse_update(&pane->browse, given, effects)) {
        intents_changed(shell, effects);
        return true;
    }
    if (jump_event(shell, given, effects))
        return true;
    if (id_lists_update(pane->view.lists, given))
        return true;
    if (view_update(&pane->view, given, effects)) {
        intents_viewed(shell, effects);
        intents_say_listed(shell);
        return true;
    }
    if (given->kind == EVENT_TIMER) {
        intents_pane_take_timer(shell, event_get(given, timer_fired)->timer, effects);
        return false;
    }
    return intents_told(shell, given, effects);
}

static void after_event(struct shell *shell, struct effects *effects) {
    read_back_follow(shell, effects);
    intents_live(shell, effects);
    intents_team_follow(shell, effects);
    findings_follow(shell, effects);
    customer_follow(shell, effects);
    detail_user_follow(shell, effects);
    detail_events_follow(shell, effects);
    id_lists_ask(intents_view(shell)->lists, effects);
}

static void after_key(struct shell *shell, struct effects *effects) {
    intents_live(shell, effects);
    intents_team_follow(shell, effects);
    findings_follow(shell, effects);
    customer_follow(shell, effects);
    detail_user_follow(shell, effects);
    detail_events_follow(shell, effects);
    id_lists_ask(intents_view(shell)->lists, effects);
}

static void intents_pane_clock_set(struct shell *shell, struct event *given, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    (void)browse_update(&pane->browse, given, effects);
    (void)live_event(&pane->live, given);
    (void)team_walk_event(&pane->team, given);
    clock_shift(&pane->view.asked, event_get(given, clock_shifted)->shift);
}

static void zoned(struct shell *shell) {
    intents_zone(shell);
    intents_follow(shell);
}

/* Work that the operator asked for. */
static bool is_busy(const struct shell *shell) {
    const struct intents *pane = intents_of(shell);
    bool asked = browse_is_busy(&pane->browse) || pane->browse.retry_at != CLOCK_NONE || pane->back.on;
    bool mirrors = mirror_is_busy(&pane->mirror);
    return shell_is_on(shell, PANE_INTENTS) && (mirrors || (asked && !pane->browse.quiet));
}

/* A walk under way belongs to the list, so it does not keep the detail open. */
static bool stops_back(const struct shell *shell) {
    const struct intents *pane = intents_of(shell);
    return is_busy(shell) && !pane->detail_zoomed && !pane->detail_focused;
}

static bool intents_pane_stop(struct shell *shell, struct effects *effects) {
    bool busy = is_busy(shell);
    if (busy) {
        browse_cancel(intents_browse(shell), effects);
        read_back_stop(shell);
        if (!intents_mirror_stop(shell, effects))
            shell_message(shell, ROLE_INFO, "cancelled");
    }
    return busy;
}

/* Moves the focus between the list and the detail beside it. */
static bool focus(struct shell *shell, int step) {
    struct intents *pane = intents_of(shell);
    bool split = pane->place == DETAIL_RIGHT || pane->place == DETAIL_BELOW;
    if (shell_is_on(shell, PANE_INTENTS) && shell_stands(shell, PANE_INTENTS) && split &&
        pane->detail_focused == (step < 0)) {
        pane->detail_focused = !pane->detail_focused;
        return true;
    }
    pane->detail_focused = false;
    return false;
}

/* Keys typed into the detail's search are text, whatever the key map says. */
static bool intents_pane_search_key(struct shell *shell, int32_t key) {
    struct pager *pager = &intents_of(shell)->detail.pager;
    if (!pager->searching)
        return false;
    (void)detail_key(shell, key);
    return true;
}

static bool intents_pane_other_key(struct shell *shell, int32_t key) {
    struct intents *pane = intents_of(shell);
    bool in_detail = pane->detail_focused || pane->place == DETAIL_FULL;
    return in_detail && detail_key(shell, key) != DIALOG_IGNORED;
}

static bool intents_pane_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct pager *pager = &intents_of(shell)->detail.pager;
    (void)effects;
    if (pager->searching)
        (void)shell_paste_into(shell, &pager->search, text);
    return pager->searching;
}

static const struct table *intents_pane_table(const struct shell *shell) {
    const struct intents *pane = intents_of(shell);
    return pane->place != DETAIL_FULL && !pane->detail_focused ? &pane->table : NULL;
}

static const char *intents_pane_place(const struct shell *shell) {
    return intents_view(shell)->name;
}

/* Lists the short names of values too long for their column, as the list last drew them. */
static void names(struct shell *shell, help_line_fn *add, void *help) {
    enum { NAMES_MOST = 200 };
    const struct intents *pane = intents_of(shell);
    size_t told = 0;
    for (int column = 0; column < COLUMN_COUNT; column++) {
        const struct labels *labels = &pane->labels[column];
        bool shown = pane->table.widths[column] > 0 && column_info(column)->query != QUERY_FIELD_COUNT;
        for (size_t i = 0; shown && i < labels->n && told < NAMES_MOST; i++) {
            struct str text;
            str_init(&text, 1 << 16);
            str_addf(&text, "%s: %s", column_info(column)->name, labels->items[i].value);
            if (told++ == 0)
                add(help, NULL, "Cut in the list", ROLE_HEADER);
            add(help, labels->items[i].name, text.s, ROLE_TEXT);
            str_clear(&text);
        }
    }
    if (told > 0)
        add(help, NULL, "", ROLE_TEXT);
}

const struct pane intents_pane = {.title = "Intents",
                                  .sections = {"intents", "list"},
                                  .size = sizeof(struct intents),
                                  .init = intents_init,
                                  .start = intents_pane_start,
                                  .clear = intents_clear,
                                  .draw = intents_draw,
                                  .hint = intents_hint,
                                  .search_key = intents_pane_search_key,
                                  .act = intents_act,
                                  .other_key = intents_pane_other_key,
                                  .paste = intents_pane_paste,
                                  .back = intents_back,
                                  .focus = focus,
                                  .event = intents_pane_event,
                                  .after_event = after_event,
                                  .after_key = after_key,
                                  .clock_set = intents_pane_clock_set,
                                  .zoned = zoned,
                                  .stops_back = stops_back,
                                  .stop = intents_pane_stop,
                                  .table = intents_pane_table,
                                  .status = intents_status,
                                  .place = intents_pane_place,
                                  .names = names};
