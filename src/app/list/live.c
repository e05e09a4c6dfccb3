#include "app/live.h"

#include "base/clock.h"

enum {
    SECOND = 1000,
    HOUR = 3600 * SECOND,
    PERIOD_UNNAMED = 30 * SECOND,
    PERIOD_LONGEST = 300 * SECOND, /* growing waits after failures end here */
    FAILURES_COUNTED = 8,
};

/* Never more often than the service allows in an hour, whatever period the profile has. */
void live_init(struct live *live, struct browse *browse) {
    const struct profile *profile = browse->profile;
    int64_t period = profile->auto_refresh > 0 ? (int64_t)profile->auto_refresh * SECOND : PERIOD_UNNAMED;
    int64_t least = profile->requests_per_hour > 0 ? HOUR / profile->requests_per_hour : 0;
    *live = (struct live){.browse = browse,
                          .mode = profile->auto_refresh > 0 ? LIVE_ON : LIVE_OFF,
                          .period = period > least ? period : least,
                          .wait = period > least ? period : least,
                          .due = CLOCK_NONE,
                          .not_before = CLOCK_NONE,
                          .began = CLOCK_NONE,
                          .timer = CLOCK_NONE};
}

void live_toggle(struct live *live) {
    live->mode = live->mode == LIVE_ON ? LIVE_PAUSED : LIVE_ON;
    live->missed = true;
}

static void live_clock_set(struct live *live, int64_t shift) {
    clock_shift(&live->due, shift);
    clock_shift(&live->not_before, shift);
    clock_shift(&live->began, shift);
    clock_shift(&live->timer, shift); /* the timer uses another clock, and fires when it was due */
}

bool live_event(struct live *live, const struct event *event) {
    if (event->kind == EVENT_CLOCK_SET) {
        live_clock_set(live, event_get(event, clock_shifted)->shift);
        return true;
    }
    if (!event_is_timer(event, TIMER_LIVE))
        return false;
    live->timer = CLOCK_NONE;
    return true;
}

static void set_timer(struct live *live, int64_t at, struct effects *effects) {
    if (at != live->timer) {
        live->timer = at;
        effects_timer(effects, TIMER_LIVE, at);
    }
}

/* A slow service is not asked again before it had as long as its last answer took; one that fails is asked less and
 * less often. */
static int64_t pace(const struct live *live, int64_t took) {
    int64_t wait = live->period > took ? live->period : took;
    int64_t longest = wait > PERIOD_LONGEST ? wait : PERIOD_LONGEST;
    for (unsigned i = 0; i < live->failures && wait < longest; i++)
        wait *= 2;
    return wait < longest ? wait : longest;
}

/* An answer to any request just came: the next one is due a period later. A walk of many pages is many answers. */
static bool live_is_answered(struct live *live, int64_t now) {
    const struct browse *browse = live->browse;
    if (browse_is_busy(browse)) {
        live->began = live->began == CLOCK_NONE || live->ticket != browse->ticket ? now : live->began;
        live->ticket = browse->ticket;
        return false;
    }
    if (live->began != CLOCK_NONE) {
        bool failed = browse->code != ERR_OK;
        live->failures = failed && live->failures < FAILURES_COUNTED ? live->failures + 1 : failed ? live->failures : 0;
        live->wait = pace(live, now - live->began);
        live->due = now + live->wait;
        live->began = CLOCK_NONE;
    }
    return true;
}

/* Every 4xx that is not about this moment, and a redirect: the same request gets the same answer. The operator asks
 * again once the cause is removed. */
static bool is_final(const struct browse *browse) {
    return !api_speaks_of_the_moment(browse->status) &&
           (browse->code == ERR_REFUSED || browse->code == ERR_NOT_FOUND || browse->code == ERR_REDIRECT);
}

bool live_is_refused(const struct live *live) {
    return live->mode == LIVE_ON && is_final(live->browse);
}

/* Of several consoles one asks. Whoever cannot, or is kept from it, leaves the turn to the others. */
static enum live_hold turn_of(struct live *live, enum live_hold hold, int64_t now, struct effects *effects) {
    static const enum live_hold HOLDS[] = {
        [TEAM_MAY] = LIVE_FREE, [TEAM_MAY_NOT_YET] = LIVE_UNKNOWN_TURN, [TEAM_MAY_NOT] = LIVE_THROUGH};
    bool wanted = live->mode == LIVE_ON && live->failures == 0 && live->browse->link != BROWSE_OFFLINE &&
                  (hold == LIVE_FREE || hold == LIVE_THROTTLED);
    struct str part;
    if (!live->team || !live->team->on)
        return hold;
    str_init(&part, 64 << 10);
    struct list_query query = server_filter_query(&live->browse->filter, NULL, false);
    api_query_text(&query, &part);
    team_walk_want_live(live->team, wanted ? part.s : NULL, effects);
    str_clear(&part);
    return hold == LIVE_FREE && wanted ? HOLDS[team_walk_may_live(live->team, now)] : hold;
}

static enum live_hold hold_of(const struct live *live, enum live_hold hold, int64_t now) {
    if (live->browse->link == BROWSE_DENIED)
        return LIVE_DENIED;
    if (is_final(live->browse))
        return LIVE_REFUSED;
    return live->not_before != CLOCK_NONE && live->not_before > now ? LIVE_THROTTLED : hold;
}

static void live_ask(struct live *live, int64_t now, struct effects *effects) {
    browse_poll(live->browse, effects);
    live->began = now;
    live->ticket = live->browse->ticket;
    live->due = CLOCK_NONE;
    live->missed = false;
}

bool live_update(struct live *live, enum live_hold hold, int64_t now, struct effects *effects) {
    struct browse *browse = live->browse;
    if (browse->retry_at != CLOCK_NONE)
        live->not_before = browse->retry_at;
    bool answered = live_is_answered(live, now);
    live->hold = turn_of(live, hold_of(live, hold, now), now, effects);
    hold = live->hold == LIVE_UNKNOWN_TURN || live->hold == LIVE_THROUGH ? live->hold : hold;
    if (live->hold == LIVE_THROUGH && live->missed && answered && !browse_retries(browse)) {
        live_ask(live, now, effects);
        set_timer(live, CLOCK_NONE, effects);
        return true;
    }
    if (live->mode != LIVE_ON || !answered || browse_retries(browse) ||
        (live->hold != LIVE_FREE && live->hold != LIVE_THROTTLED)) {
        set_timer(live, CLOCK_NONE, effects);
        return false;
    }
    int64_t longest = now + pace(live, 0) + HOUR; /* the clock was set back */
    live->due = live->due == CLOCK_NONE || live->due > longest ? now + live->period : live->due;
    if (live->hold == LIVE_THROTTLED && live->due < live->not_before)
        live->due = live->not_before;
    bool asks = live->due <= now && hold == LIVE_FREE;
    if (asks)
        live_ask(live, now, effects);
    set_timer(live, hold == LIVE_FREE ? live->due : CLOCK_NONE, effects);
    return asks;
}
