#include "panes/intents/intents.h"

#include "base/mem.h"

/* The walk of the team: rows that colleagues' consoles read, and whose turn it is to read every page. */

static void say_who_mirrors(struct shell *shell) {
    struct str text;
    str_init(&text, 512);
    team_turn_text(&intents_of(shell)->team.told->mirror, &text);
    shell_message(shell, ROLE_INFO, "%s is reading every page already; what is read there comes here by itself",
                  text.s);
    str_clear(&text);
}

static void crawl_in_turn(struct shell *shell, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    enum team_may may = team_walk_may_mirror(&pane->team, shell_now(shell));
    if (!pane->crawl_asked || may == TEAM_MAY_NOT_YET)
        return;
    pane->crawl_asked = false;
    if (may == TEAM_MAY_NOT)
        say_who_mirrors(shell);
    else
        intents_crawl_alone(shell, effects);
}

/* One that is paused leaves the turn to others, and asks for it again before it goes on. */
static bool is_reading_all(struct shell *shell) {
    const struct mirror *mirror = &intents_of(shell)->mirror;
    return (mirror_is_busy(mirror) && !mirror->paused) || intents_is_crawling(shell);
}

void intents_crawl(struct shell *shell, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    struct str part;
    if (!pane->team.on || is_reading_all(shell)) {
        intents_crawl_alone(shell, effects);
        return;
    }
    str_init(&part, 64 << 10);
    struct list_query query = server_filter_query(&pane->browse.filter, NULL, false);
    api_query_text(&query, &part);
    pane->crawl_asked = true;
    team_walk_want_mirror(&pane->team, part.s, effects);
    str_clear(&part);
    shell_message(shell, ROLE_INFO, "asking the team whether somebody reads every page already");
    crawl_in_turn(shell, effects);
}

static void say_if_away(struct shell *shell, bool before) {
    const struct team_walk *team = &intents_of(shell)->team;
    bool away = team_walk_is_away(team);
    if (away && !before)
        shell_message(shell, ROLE_WARN,
                      "the team's store is away, so this console asks the service by itself until it is back: %s",
                      team->told->fault ? team->told->fault : "");
    else if (before && !away)
        shell_message(shell, ROLE_OK, "the team's store is back: what was read meanwhile is sent and taken in");
}

static void say_sealed(struct shell *shell, size_t before) {
    size_t sealed = intents_of(shell)->team.told->sealed;
    if (sealed > before)
        shell_message(shell, ROLE_WARN, "%zu row%s of the team's store cannot be opened, and %s left out", sealed,
                      plural_s((long long)sealed), sealed == 1 ? "is" : "are");
}

static void say_shared(struct shell *shell, const struct sharing_told *told) {
    if (!told->why)
        shell_message(shell, ROLE_OK, "%s are exchanged with the team again", told->what);
    else
        shell_message(shell, ROLE_WARN, "%s are not exchanged with the team for now: %s", told->what, told->why);
}

bool intents_team_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    bool away = team_walk_is_away(&pane->team);
    size_t sealed = pane->team.told ? pane->team.told->sealed : 0;
    if (team_walk_event(&pane->team, given)) {
        say_if_away(shell, away);
        say_sealed(shell, sealed);
        const struct team_told *told = pane->team.told;
        if (told->spent)
            mirror_team_spent(&pane->mirror, told->spent, told->unreported, shell_now(shell));
        crawl_in_turn(shell, effects);
        shell_redraw(shell);
        return true;
    }
    if (given->kind == EVENT_SHARING)
        say_shared(shell, event_get(given, sharing_told));
    if (given->kind != EVENT_TEAM_ROWS)
        return given->kind == EVENT_SHARING;
    if (pane->live.mode != LIVE_ON || pane->browse.replacing || pane->browse.pages.n == 0)
        pane->live.missed = true;
    if (pane->live.mode == LIVE_ON &&
        browse_take_in(&pane->browse, event_get(given, team_rows_taken), shell_now(shell)))
        intents_changed(shell, effects);
    return true;
}

/* What was read is whole from here on for all, once it is in the store; and somebody else may read. */
void intents_team_follow(struct shell *shell, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    if (!pane->team.wish.mirror || pane->crawl_asked || is_reading_all(shell))
        return;
    if (pane->mirror.state == MIRROR_DONE)
        team_walk_note_mirror(&pane->team, &pane->mirror, effects);
    team_walk_want_mirror(&pane->team, NULL, effects);
}
