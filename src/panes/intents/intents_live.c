#include "panes/intents/intents.h"

#include "base/mem.h"

enum { SECOND = 1000 };

static enum live_hold intents_live_hold(const struct shell *shell) {
    const struct table *table = &intents_of(shell)->table;
    size_t page = table->visible_rows > 0 ? (size_t)table->visible_rows : 1;
    if (!shell_is_on(shell, PANE_INTENTS))
        return LIVE_ELSEWHERE;
    if (shell_has_overlay(shell) || intents_of(shell)->detail.pager.searching)
        return LIVE_ASKED;
    /* Rows that came above the cursor moved the list down: its top alone does not tell that somebody reads. */
    return table->cursor >= page ? LIVE_READING : LIVE_FREE;
}

void intents_live(struct shell *shell, struct effects *effects) {
    struct live *live = &intents_of(shell)->live;
    enum live_hold before = live->hold;
    bool asks = live_update(live, intents_live_hold(shell), shell_now(shell), effects);
    if (asks && !result_is_as_read(intents_view(shell)))
        /* Other consoles may have written while the service did not answer this one. */
        effects_add(effects, EFFECT_CATCH_UP);
    if (live->hold != before)
        shell_redraw(shell);
}

static void add_seconds(struct str *out, int64_t ms) {
    str_addf(out, "%lld s", (long long)((ms + SECOND - 1) / SECOND));
}

static bool is_of_service(enum live_hold hold) {
    return hold == LIVE_DENIED || hold == LIVE_REFUSED || hold == LIVE_THROTTLED;
}

/* Nothing while it is off, so that it takes no room. */
void intents_live_text(const struct shell *shell, struct str *out, enum role *role) {
    static const char *const HOLDS[] = {
        [LIVE_READING] = "live waits: not at the top", [LIVE_ASKED] = "live waits: dialog",
        [LIVE_ELSEWHERE] = "live waits: other pane",   [LIVE_THROTTLED] = "live waits",
        [LIVE_UNKNOWN_TURN] = "live asks the team",    [LIVE_DENIED] = "live stopped: not authorised",
        [LIVE_REFUSED] = "live stopped: refused"};
    const struct live *live = &intents_of(shell)->live;
    *role = ROLE_WARN;
    if (live->mode == LIVE_ON && live->hold == LIVE_THROUGH) {
        *role = ROLE_OK;
        str_add(out, "live, through ");
        team_turn_text(&live->team->told->live, out);
    } else if (live->mode == LIVE_PAUSED) {
        str_add(out, "LIVE PAUSED");
    } else if (live->mode == LIVE_ON && live->hold != LIVE_FREE) {
        *role = is_of_service(live->hold) ? ROLE_WARN : ROLE_DIM;
        str_add(out, HOLDS[live->hold]);
    } else if (live->mode == LIVE_ON) {
        *role = live->wait > live->period ? ROLE_WARN : ROLE_OK;
        str_add(out, "live ");
        add_seconds(out, live->wait);
    }
}

/* New rows came above a cursor on the first screen: scrolls up as far as its row stays in sight. */
void intents_into_sight(struct shell *shell) {
    struct table *table = &intents_of(shell)->table;
    size_t page = table->visible_rows > 0 ? (size_t)table->visible_rows : 1;
    if (intents_of(shell)->to_top) {
        table->top = table->cursor < page ? 0 : table->cursor - page + 1;
        intents_of(shell)->to_top = false;
    }
}

void intents_show_new(struct shell *shell, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    struct view_list list;
    view_list(&intents->view, &list);
    size_t n = list.waiting;
    if (n == 0 && intents->browse.gone_rows == 0 && list.left == 0) {
        shell_message(shell, ROLE_INFO, "nothing new waits");
        return;
    }
    intents->to_top = intents->table.top == 0;
    if (n > 0 && !intents->to_top)
        shell_message(shell, ROLE_INFO, "new rows are at the top; %s goes there", shell_key_of(shell, ACTION_FIRST));
    browse_bring(&intents->browse, effects);
    view_bring(&intents->view, shell_now(shell), effects);
    intents_changed(shell, effects);
}

/* A key that is held down repeats thirty times a second, and a service that answers at once would get as many requests.
 * A key that comes too soon is carried out when its second is over; while a request is under way, the action decides
 * for itself. */
bool intents_may_ask(struct shell *shell, int action, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    int64_t next = pane->asked_at + SECOND;
    if (browse_is_busy(&pane->browse) || browse_retries(&pane->browse))
        return true;
    if (pane->asked_at != 0 && shell_now(shell) >= pane->asked_at && shell_now(shell) < next) {
        pane->deferred = action;
        if (action)
            effects_timer(effects, TIMER_DEFERRED, next);
        return false;
    }
    pane->asked_at = shell_now(shell);
    pane->deferred = 0;
    return true;
}

void intents_deferred(struct shell *shell, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    int action = pane->deferred;
    pane->deferred = 0;
    if (!action || !shell_is_on(shell, PANE_INTENTS) || browse_is_busy(&pane->browse))
        return; /* the request under way brings what was asked for */
    pane->asked_at = shell_now(shell);
    if (action == ACTION_CRAWL)
        intents_crawl(shell, effects);
    else
        browse_refresh(&pane->browse, effects);
    shell_redraw(shell);
}

/* A changed row counts as seen when the cursor leaves it. */
void intents_see(struct shell *shell) {
    result_see(intents_view(shell), intents_of(shell)->cursor_id, shell_now(shell));
}
