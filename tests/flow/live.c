/* Live updates: when the head of the list is asked for by itself, and what waits. Events in, effects out; no I/O. */
#include "app/live.h"
#include "app/team_walk.h"
#include "base/clock.h"
#include "base/mem.h"
#include "wire/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { START = 1000000, PERIOD = 10000, LEASE = 8000 };

struct fixture {
    struct profile *profile;
    struct browse browse;
    struct live live;
    struct effects effects;
    size_t fetches; /* in all */
    int64_t timer;  /* CLOCK_NONE: unset */
    int64_t now;
};

static void open_fixture(struct fixture *f, int auto_refresh) {
    *f = (struct fixture){.timer = CLOCK_NONE, .now = START};
    f->profile = profile_new("test", "sandbox", "http://127.0.0.1:1");
    f->profile->auto_refresh = auto_refresh;
    browse_init(&f->browse, f->profile);
    live_init(&f->live, &f->browse);
}

static int setup(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    open_fixture(f, PERIOD / 1000);
    *state = f;
    return 0;
}

static void close_fixture(struct fixture *f) {
    browse_clear(&f->browse);
    effects_clear(&f->effects);
    profile_free(f->profile);
}

static int teardown(void **state) {
    close_fixture(*state);
    free(*state);
    return 0;
}

static void take_effects(struct fixture *f) {
    for (size_t i = 0; i < f->effects.n; i++) {
        const struct effect *effect = &f->effects.items[i];
        f->fetches += effect->kind == EFFECT_FETCH;
        if (effect->kind == EFFECT_TIMER && effect_get(effect, timer_ask)->timer == TIMER_LIVE)
            f->timer = effect_get(effect, timer_ask)->at;
    }
    uint64_t tickets = f->effects.tickets;
    effects_clear(&f->effects);
    f->effects.tickets = tickets;
}

static void settle(struct fixture *f, enum live_hold hold) {
    live_update(&f->live, hold, f->now, &f->effects);
    take_effects(f);
}

/* Time passes; the timer fires where it is due. */
static void pass(struct fixture *f, int64_t ms, enum live_hold hold) {
    f->now += ms;
    if (f->timer != CLOCK_NONE && f->timer <= f->now) {
        struct event event = {
            .kind = EVENT_TIMER, .payload = payload_of(timer_fired, &(struct timer_fired){TIMER_LIVE}), .now = f->now};
        f->timer = CLOCK_NONE;
        assert_true(live_event(&f->live, &event));
    }
    settle(f, hold);
}

static struct event list_event(struct fixture *f) {
    struct event event = {.kind = EVENT_LIST,
                          .now = f->now,
                          .ticket = f->browse.ticket,
                          .payload = payload_of(list_result, list_result_new())};
    event_get(&event, list_result)->answer.retry_at = CLOCK_NONE;
    event_get(&event, list_result)->answer.quota_left = -1;
    return event;
}

static void answer_held(struct fixture *f, const char *body, enum live_hold hold) {
    struct wire_shape shape = {.data = "data", .next = "next_cursor"};
    struct event event = list_event(f);
    assert_int_equal(wire_page(body, strlen(body), &shape, &event_get(&event, list_result)->page, NULL), ERR_OK);
    assert_true(browse_update(&f->browse, &event, &f->effects));
    settle(f, hold);
}

static void answer(struct fixture *f, const char *body) {
    answer_held(f, body, LIVE_FREE);
}

static void refuse(struct fixture *f, enum err err, int64_t retry_at) {
    struct event event = list_event(f);
    event_get(&event, list_result)->answer.code = err;
    event_get(&event, list_result)->answer.line = mem_dup("said by the service");
    event_get(&event, list_result)->answer.retry_at = retry_at;
    assert_true(browse_update(&f->browse, &event, &f->effects));
    settle(f, LIVE_FREE);
}

#define ROW(id, status, day) \
    "{\"id\":\"" id "\",\"status\":\"" status "\",\"created_at\":\"2026-01-" day "T00:00:00.000Z\"}"
#define PAGE(rows, next) "{\"data\":[" rows "],\"next_cursor\":" next "}"

static const char FIRST[] = PAGE(ROW("i5", "pending", "05") "," ROW("i4", "pending", "04"), "\"c1\"");

static void start(struct fixture *f) {
    browse_start(&f->browse, &f->effects);
    settle(f, LIVE_FREE);
    assert_int_equal(f->fetches, 1);
    answer(f, FIRST);
}

static void off_unless_the_profile_names_a_time(void **state) {
    (void)state;
    struct fixture f;
    open_fixture(&f, 0);
    start(&f);
    assert_int_equal(f.live.mode, LIVE_OFF);
    assert_int_equal(f.timer, CLOCK_NONE);
    pass(&f, 24 * 3600 * 1000, LIVE_FREE);
    assert_int_equal(f.fetches, 1);
    live_toggle(&f.live); /* on by the key, and long since the last answer */
    settle(&f, LIVE_FREE);
    assert_int_equal(f.fetches, 2);
    close_fixture(&f);
}

static void asks_again_a_period_after_the_answer(void **state) {
    struct fixture *f = *state;
    start(f);
    assert_int_equal(f->timer, f->now + PERIOD);
    pass(f, PERIOD - 1, LIVE_FREE);
    assert_int_equal(f->fetches, 1);
    pass(f, 1, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
    assert_int_equal(f->browse.task, BROWSE_HEAD);
    assert_true(f->browse.quiet);
}

static void an_answer_under_way_is_waited_for(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, PERIOD, LIVE_FREE);
    for (int i = 0; i < 100; i++)
        pass(f, PERIOD, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
    assert_int_equal(f->timer, CLOCK_NONE);
}

static void a_slow_service_is_asked_later(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, PERIOD, LIVE_FREE);
    f->now += PERIOD * 4;
    answer(f, FIRST);
    assert_int_equal(f->timer, f->now + PERIOD * 4);
    assert_int_equal(f->live.wait, PERIOD * 4); /* and says so */
}

/* Each page came after a second: after a walk of forty of them the next request is due as after one. */
static void a_long_walk_is_no_slow_answer(void **state) {
    struct fixture *f = *state;
    start(f);
    assert_true(browse_crawl(&f->browse, &f->effects));
    settle(f, LIVE_FREE);
    for (int i = 0; i < 40; i++) {
        char page[200];
        f->now += 1000;
        (void)snprintf(page, sizeof page, PAGE("{\"id\":\"w%d\"}", "\"n%d\""), i, i);
        answer(f, page);
        assert_true(browse_is_busy(&f->browse));
    }
    f->now += 1000;
    answer(f, PAGE(ROW("last", "pending", "01"), "null"));
    assert_false(browse_is_busy(&f->browse));
    assert_int_equal(f->timer, f->now + PERIOD);
}

static void never_more_often_than_the_service_allows(void **state) {
    (void)state;
    struct fixture f;
    open_fixture(&f, 1);
    f.profile->requests_per_hour = 100;
    live_init(&f.live, &f.browse);
    start(&f);
    assert_int_equal(f.timer, f.now + 36000);
    close_fixture(&f);
}

static void waits_while_the_operator_would_be_disturbed(void **state) {
    static const enum live_hold HOLDS[] = {LIVE_READING, LIVE_ASKED, LIVE_ELSEWHERE};
    struct fixture *f = *state;
    start(f);
    for (size_t i = 0; i < COUNT_OF(HOLDS); i++) {
        size_t before = f->fetches;
        settle(f, HOLDS[i]);
        assert_int_equal(f->timer, CLOCK_NONE); /* no wake-up while it waits */
        pass(f, PERIOD * 3, HOLDS[i]);
        assert_int_equal(f->fetches, before);
        assert_int_equal(f->live.hold, HOLDS[i]);
        settle(f, LIVE_FREE); /* overdue: at once */
        assert_int_equal(f->fetches, before + 1);
        answer(f, FIRST);
    }
}

static void paused_until_the_key_again(void **state) {
    struct fixture *f = *state;
    start(f);
    live_toggle(&f->live);
    settle(f, LIVE_FREE);
    assert_int_equal(f->live.mode, LIVE_PAUSED);
    assert_int_equal(f->timer, CLOCK_NONE);
    pass(f, PERIOD * 3, LIVE_FREE);
    assert_int_equal(f->fetches, 1);
    live_toggle(&f->live);
    settle(f, LIVE_FREE);
    assert_int_equal(f->live.mode, LIVE_ON);
    assert_int_equal(f->fetches, 2);
}

static void a_throttled_service_is_left_alone_until_its_time(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, PERIOD, LIVE_FREE);
    int64_t until = f->now + 600000; /* too long to be asked again by the walk itself */
    refuse(f, ERR_THROTTLED, until);
    assert_int_equal(f->live.hold, LIVE_THROTTLED);
    pass(f, PERIOD * 2, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
    pass(f, until - f->now - 1, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
    pass(f, 1, LIVE_FREE);
    assert_int_equal(f->fetches, 3);
}

static void a_short_wait_is_the_walks_and_what_it_brings_still_waits(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, PERIOD, LIVE_FREE);
    refuse(f, ERR_THROTTLED, f->now + 2000);
    pass(f, PERIOD * 3, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
    struct event retry = {
        .kind = EVENT_TIMER, .payload = payload_of(timer_fired, &(struct timer_fired){TIMER_RETRY}), .now = f->now};
    assert_true(browse_update(&f->browse, &retry, &f->effects));
    settle(f, LIVE_FREE);
    assert_int_equal(f->fetches, 3);
    answer(f, PAGE(ROW("i6", "pending", "06") "," ROW("i5", "pending", "05"), "\"x\""));
    assert_int_equal(f->browse.waiting.n, 1);
    assert_int_equal(f->browse.n, 2);
}

/* Escape takes the walk's own retry away, not the service's word. */
static void a_cancelled_retry_does_not_ask_before_the_services_time(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, PERIOD, LIVE_FREE);
    int64_t until = f->now + 120000;
    refuse(f, ERR_THROTTLED, until);
    browse_cancel(&f->browse, &f->effects);
    settle(f, LIVE_FREE);
    assert_int_equal(f->timer, until);
    pass(f, PERIOD * 4, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
}

static void denied_stops_until_the_operator_asks_with_success(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, PERIOD, LIVE_FREE);
    refuse(f, ERR_UNAUTHORISED, CLOCK_NONE);
    pass(f, PERIOD * 100, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
    assert_int_equal(f->live.hold, LIVE_DENIED);
    browse_refresh(&f->browse, &f->effects);
    settle(f, LIVE_FREE);
    answer(f, FIRST);
    assert_int_equal(f->live.hold, LIVE_FREE);
    assert_int_equal(f->timer, f->now + PERIOD);
}

static void failures_make_the_waits_grow_and_an_answer_ends_that(void **state) {
    struct fixture *f = *state;
    start(f);
    int64_t wait = PERIOD;
    for (int i = 0; i < 10; i++) {
        pass(f, wait, LIVE_FREE);
        refuse(f, ERR_CONNECT, CLOCK_NONE);
        assert_false(f->browse.quiet); /* what the operator asks for next is not taken for a poll */
        int64_t next = f->timer - f->now;
        assert_true(next == wait * 2 || next == 300000);
        wait = next;
    }
    assert_int_equal(wait, 300000);
    pass(f, wait, LIVE_FREE);
    answer(f, FIRST);
    assert_int_equal(f->timer, f->now + PERIOD);
}

static void a_clock_set_back_does_not_stop_it(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, -INT64_C(86400000) * 30, LIVE_FREE);
    assert_true(f->timer <= f->now + PERIOD);
}

static void new_rows_wait_and_known_ones_change_in_place(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, PERIOD, LIVE_FREE);
    answer(f, PAGE(ROW("i7", "created", "07") "," ROW("i6", "created", "06") "," ROW("i5", "approved", "05"), "\"x\""));
    assert_int_equal(f->browse.n, 2);
    assert_int_equal(f->browse.waiting.n, 2);
    assert_int_equal(f->browse.items[0].changed, INTENT_CHANGE_BIT(INTENT_FIELD_STATUS));
    pass(f, PERIOD, LIVE_FREE);
    answer(f, PAGE(ROW("i8", "created", "08") "," ROW("i7", "approved", "07"), "\"x\""));
    assert_int_equal(f->browse.waiting.n, 3);
    assert_string_equal(f->browse.waiting.items[0]->id.text, "i8");
    assert_string_equal(f->browse.waiting.items[1]->status.text, "approved");
    browse_bring(&f->browse, &f->effects);
    assert_int_equal(f->browse.n, 5);
    assert_int_equal(f->browse.waiting.n, 0);
    assert_string_equal(f->browse.items[0].intent->id.text, "i8");
    assert_true(f->browse.items[2].is_new);
    assert_int_equal(browse_find(&f->browse, "i4"), 4);
    browse_see(&f->browse, 3);
    assert_int_equal(f->browse.items[3].changed, 0);
}

static void a_row_without_an_id_waits_once(void **state) {
    struct fixture *f = *state;
    start(f);
    for (int i = 0; i < 3; i++) {
        pass(f, PERIOD, LIVE_FREE);
        answer(f, PAGE("{\"status\":\"odd\"}," ROW("i5", "pending", "05"), "\"x\""));
        assert_int_equal(f->browse.waiting.n, 1);
    }
    browse_bring(&f->browse, &f->effects);
    pass(f, PERIOD, LIVE_FREE);
    answer(f, PAGE("{\"status\":\"odd\"}," ROW("i5", "pending", "05"), "\"x\""));
    assert_int_equal(f->browse.waiting.n, 0);
    assert_int_equal(f->browse.n, 3);
    assert_int_equal(f->browse.gone_rows, 0);
}

static void a_row_no_longer_listed_stays_until_the_list_is_brought_up_to_date(void **state) {
    struct fixture *f = *state;
    browse_start(&f->browse, &f->effects);
    answer(f, PAGE(ROW("i5", "pending", "05") "," ROW("i4", "pending", "04") "," ROW("i3", "pending", "03"), "\"c\""));
    pass(f, PERIOD, LIVE_FREE);
    answer(f, PAGE(ROW("i5", "pending", "05") "," ROW("i3", "pending", "03"), "\"c\""));
    assert_int_equal(f->browse.n, 3);
    assert_true(f->browse.items[1].gone);
    assert_int_equal(f->browse.gone_rows, 1);
    pass(f, PERIOD, LIVE_FREE);
    answer(f, PAGE(ROW("i5", "pending", "05") "," ROW("i4", "pending", "04"), "\"c\""));
    assert_int_equal(f->browse.gone_rows, 0); /* served again */
    pass(f, PERIOD, LIVE_FREE);
    answer(f, PAGE(ROW("i4", "pending", "04") "," ROW("i3", "pending", "03"), "\"c\""));
    browse_bring(&f->browse, &f->effects);
    assert_int_equal(f->browse.n, 2);
    assert_int_equal(browse_find(&f->browse, "i3"), 1);
    assert_int_equal(f->browse.confirmed, 2);
}

static void a_gap_is_said_and_the_list_read_anew_when_it_is_wanted(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, PERIOD, LIVE_FREE);
    for (int i = 0; i < 5; i++) {
        char body[256], next[16];
        (void)snprintf(next, sizeof next, "n%d", i);
        (void)snprintf(body, sizeof body, "{\"data\":[{\"id\":\"%s\"}],\"next_cursor\":\"%s\"}", next, next);
        assert_int_equal(f->browse.task, BROWSE_HEAD);
        answer(f, body);
    }
    assert_int_equal(f->browse.task, BROWSE_IDLE);
    assert_true(f->browse.waiting.gap);
    assert_int_equal(f->browse.waiting.n, 5);
    assert_int_equal(f->browse.n, 2); /* what was read stays */
    browse_bring(&f->browse, &f->effects);
    assert_int_equal(f->browse.task, BROWSE_FIRST);
    answer(f, PAGE(ROW("n0", "pending", "09"), "\"n0\""));
    assert_int_equal(f->browse.n, 1);
    assert_int_equal(f->browse.waiting.n, 0);
}

static void a_refresh_by_hand_adopts_the_request_under_way(void **state) {
    struct fixture *f = *state;
    start(f);
    pass(f, PERIOD, LIVE_FREE);
    browse_refresh(&f->browse, &f->effects);
    settle(f, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
    answer(f, PAGE(ROW("i6", "pending", "06") "," ROW("i5", "pending", "05"), "\"x\""));
    assert_int_equal(f->browse.waiting.n, 0);
    assert_string_equal(f->browse.items[0].intent->id.text, "i6");
}

/* ---- one walk for all ---- */

static void join_team(struct fixture *f, struct team_walk *team) {
    free(f->profile->team_store);
    f->profile->team_store = mem_dup("postgresql:///bursar");
    team_walk_init(team, f->profile);
    f->live.team = team;
}

static void tell(struct fixture *f, struct team_walk *team, bool reached, bool mine) {
    struct team_told told = {
        .wish = team->wish.n, .reached = reached, .live = {true, mine, (char[]){"anna"}, (char[]){"desk-1"}, LEASE}};
    struct event event = {
        .kind = EVENT_TEAM_TOLD, .now = f->now, .payload = payload_of(team_told, team_told_dup(&told))};
    assert_true(team_walk_event(team, &event));
    pass(f, 0, LIVE_FREE);
}

static void whoever_has_not_the_turn_does_not_ask(void **state) {
    struct fixture *f = *state;
    struct team_walk team;
    join_team(f, &team);
    browse_start(&f->browse, &f->effects);
    take_effects(f);
    answer(f, FIRST);
    assert_int_equal(f->live.hold, LIVE_UNKNOWN_TURN);
    pass(f, PERIOD, LIVE_FREE);
    assert_int_equal(f->fetches, 1);
    tell(f, &team, true, false);
    assert_int_equal(f->live.hold, LIVE_THROUGH);
    pass(f, 10 * PERIOD, LIVE_FREE);
    assert_int_equal(f->fetches, 1);
    tell(f, &team, true, true);
    pass(f, PERIOD, LIVE_FREE); /* nobody said that the turn was renewed */
    assert_int_equal(f->live.hold, LIVE_UNKNOWN_TURN);
    assert_int_equal(f->fetches, 1);
    tell(f, &team, true, true);
    assert_int_equal(f->fetches, 2);
    answer(f, FIRST);
    tell(f, &team, true, false);
    tell(f, &team, false, false); /* the store is away: each for itself */
    pass(f, PERIOD, LIVE_FREE);
    assert_int_equal(f->fetches, 3);
    team_walk_clear(&team);
}

static void whoever_reads_elsewhere_leaves_the_turn_to_others(void **state) {
    struct fixture *f = *state;
    struct team_walk team;
    join_team(f, &team);
    browse_start(&f->browse, &f->effects);
    take_effects(f);
    answer(f, FIRST);
    tell(f, &team, true, true);
    assert_non_null(team.wish.live);
    pass(f, 1, LIVE_READING);
    assert_null(team.wish.live);
    assert_int_equal(f->live.hold, LIVE_READING);
    pass(f, 1, LIVE_FREE);
    assert_non_null(team.wish.live);
    assert_int_equal(f->live.hold, LIVE_UNKNOWN_TURN); /* what was told was of the wish before */
    team_walk_clear(&team);
}

static void whoever_cannot_ask_leaves_the_turn_to_others(void **state) {
    struct fixture *f = *state;
    struct team_walk team;
    join_team(f, &team);
    browse_start(&f->browse, &f->effects);
    take_effects(f);
    answer(f, FIRST);
    tell(f, &team, true, true);
    pass(f, LEASE - 1, LIVE_FREE);
    tell(f, &team, true, true);
    pass(f, LEASE - 1, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
    refuse(f, ERR_NETWORK, CLOCK_NONE);
    assert_null(team.wish.live);
    pass(f, 10 * PERIOD, LIVE_FREE); /* it goes on asking for itself, until it is answered */
    assert_int_equal(f->fetches, 3);
    answer(f, FIRST);
    assert_non_null(team.wish.live);
    team_walk_clear(&team);
}

static void what_was_missed_is_asked_for_once(void **state) {
    struct fixture *f = *state;
    struct team_walk team;
    join_team(f, &team);
    browse_start(&f->browse, &f->effects);
    take_effects(f);
    answer(f, FIRST);
    tell(f, &team, true, false);
    pass(f, 10 * PERIOD, LIVE_FREE);
    assert_int_equal(f->fetches, 1);
    live_toggle(&f->live);
    pass(f, PERIOD, LIVE_FREE);
    live_toggle(&f->live);
    pass(f, 1, LIVE_FREE);
    tell(f, &team, true, false);
    assert_int_equal(f->fetches, 2);
    answer(f, FIRST);
    assert_int_equal(f->live.hold, LIVE_THROUGH);
    pass(f, 10 * PERIOD, LIVE_FREE);
    assert_int_equal(f->fetches, 2);
    team_walk_clear(&team);
}

static void take_in(struct fixture *f, const char *row, int64_t confirmed) {
    struct team_rows_taken taken = {.confirmed = &confirmed};
    *vec_add(&taken.page) = wire_intent(row, strlen(row));
    (void)browse_take_in(&f->browse, &taken, f->now);
    page_clear(&taken.page);
}

static void what_a_colleague_read_waits_or_changes_in_place(void **state) {
    struct fixture *f = *state;
    browse_start(&f->browse, &f->effects);
    take_effects(f);
    answer(f, FIRST);
    f->now += PERIOD;
    take_in(f, ROW("i6", "pending", "06"), START + 1);
    assert_int_equal(f->browse.waiting.n, 1);
    take_in(f, ROW("i6", "approved", "06"), START + 2);
    assert_int_equal(f->browse.waiting.n, 1);
    assert_string_equal(f->browse.waiting.items[0]->status.text, "approved");
    take_in(f, ROW("i6", "pending", "06"), START + 1); /* confirmed before: the later one stays */
    assert_string_equal(f->browse.waiting.items[0]->status.text, "approved");
    take_in(f, ROW("i4", "approved", "04"), START + 2);
    assert_int_equal(f->browse.n, 2);
    assert_string_equal(f->browse.items[1].intent->status.text, "approved");
    assert_true(f->browse.items[1].changed != 0);
    take_in(f, ROW("i4", "pending", "04"), START + 1); /* confirmed before: the later one stays */
    assert_string_equal(f->browse.items[1].intent->status.text, "approved");
    f->browse.items[1].confirmed = START + 10 * PERIOD; /* by a clock that was wrong then */
    take_in(f, ROW("i4", "declined", "04"), START + 3);
    assert_string_equal(f->browse.items[1].intent->status.text, "declined");
    take_in(f, ROW("i1", "approved", "01"), START + 2); /* below the last row: the walk will bring it */
    assert_int_equal(f->browse.waiting.n, 1);
    assert_int_equal(f->browse.n, 2);
}

static void what_does_not_match_any_more_has_left(void **state) {
    struct fixture *f = *state;
    struct server_filter filter = {0};
    server_filter_add_status(&filter, "pending");
    browse_set_filter(&f->browse, &filter, &f->effects);
    server_filter_clear(&filter);
    take_effects(f);
    answer(f, FIRST);
    take_in(f, ROW("i5", "approved", "05"), START + 1);
    assert_int_equal(f->browse.gone_rows, 1);
    assert_string_equal(browse_became(&f->browse, "i5"), "approved");
    take_in(f, ROW("i7", "approved", "07"), START + 1);
    assert_int_equal(f->browse.waiting.n, 0);
    take_in(f, ROW("i5", "pending", "05"), START + 2);
    assert_int_equal(f->browse.gone_rows, 0);
    assert_null(browse_became(&f->browse, "i5"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(off_unless_the_profile_names_a_time),
        TEST(asks_again_a_period_after_the_answer),
        TEST(an_answer_under_way_is_waited_for),
        TEST(a_slow_service_is_asked_later),
        TEST(a_long_walk_is_no_slow_answer),
        cmocka_unit_test(never_more_often_than_the_service_allows),
        TEST(waits_while_the_operator_would_be_disturbed),
        TEST(paused_until_the_key_again),
        TEST(a_throttled_service_is_left_alone_until_its_time),
        TEST(a_short_wait_is_the_walks_and_what_it_brings_still_waits),
        TEST(a_cancelled_retry_does_not_ask_before_the_services_time),
        TEST(denied_stops_until_the_operator_asks_with_success),
        TEST(failures_make_the_waits_grow_and_an_answer_ends_that),
        TEST(a_clock_set_back_does_not_stop_it),
        TEST(new_rows_wait_and_known_ones_change_in_place),
        TEST(a_row_without_an_id_waits_once),
        TEST(a_row_no_longer_listed_stays_until_the_list_is_brought_up_to_date),
        TEST(a_gap_is_said_and_the_list_read_anew_when_it_is_wanted),
        TEST(a_refresh_by_hand_adopts_the_request_under_way),
        TEST(whoever_has_not_the_turn_does_not_ask),
        TEST(whoever_reads_elsewhere_leaves_the_turn_to_others),
        TEST(whoever_cannot_ask_leaves_the_turn_to_others),
        TEST(what_was_missed_is_asked_for_once),
        TEST(what_a_colleague_read_waits_or_changes_in_place),
        TEST(what_does_not_match_any_more_has_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
