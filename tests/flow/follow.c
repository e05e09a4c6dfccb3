/* Following the list: when it is asked for, what is told, what is kept for a later run. Events in, effects out. */
#include "app/follow.h"
#include "base/clock.h"
#include "base/mem.h"
#include "support/effects.h"
#include "wire/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { START = 1800000000, PERIOD = 30000, MINUTE = 60000, HOUR = 60 * MINUTE };

struct fixture {
    struct profile *profile;
    struct follow follow;
    struct effects effects;
    size_t fetches;
    int64_t timer, retry; /* CLOCK_NONE: unset */
    int64_t now;
    enum follow_step step;
    struct str told;
    bool changes;
};

static int setup(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    *f = (struct fixture){.timer = CLOCK_NONE, .retry = CLOCK_NONE, .now = START};
    f->profile = profile_new("test", "sandbox", "http://127.0.0.1:1");
    follow_init(&f->follow, f->profile, PERIOD);
    str_init(&f->told, 1 << 16);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    follow_clear(&f->follow);
    effects_clear(&f->effects);
    profile_free(f->profile);
    str_clear(&f->told);
    free(f);
    return 0;
}

static void take_effects(struct fixture *f) {
    for (size_t i = 0; i < f->effects.n; i++) {
        const struct effect *effect = &f->effects.items[i];
        const struct timer_ask *timer = effect->kind == EFFECT_TIMER ? effect_get(effect, timer_ask) : NULL;
        f->fetches += effect->kind == EFFECT_FETCH;
        if (timer && timer->timer == TIMER_LIVE)
            f->timer = timer->at;
        if (timer && timer->timer == TIMER_RETRY)
            f->retry = timer->at;
    }
    uint64_t tickets = f->effects.tickets;
    effects_clear(&f->effects);
    f->effects.tickets = tickets;
}

static void give(struct fixture *f, struct event *event) {
    f->step = follow_update(&f->follow, event, &f->effects);
    payload_clear(&event->payload);
    take_effects(f);
}

static struct event list_event(struct fixture *f) {
    struct event event = {.kind = EVENT_LIST,
                          .now = f->now,
                          .ticket = f->follow.browse.ticket,
                          .payload = payload_of(list_result, list_result_new())};
    event_get(&event, list_result)->answer.retry_at = CLOCK_NONE;
    event_get(&event, list_result)->answer.quota_left = -1;
    return event;
}

static void answer(struct fixture *f, const char *body) {
    struct wire_shape shape = {.data = "data", .next = "next_cursor"};
    struct event event = list_event(f);
    assert_int_equal(wire_page(body, strlen(body), &shape, &event_get(&event, list_result)->page, NULL), ERR_OK);
    give(f, &event);
}

static void refuse(struct fixture *f, enum err err, int64_t retry_at) {
    struct event event = list_event(f);
    event_get(&event, list_result)->answer.code = err;
    event_get(&event, list_result)->answer.retry_at = retry_at;
    give(f, &event);
}

static void fire(struct fixture *f, enum timer timer) {
    int64_t *at = timer == TIMER_LIVE ? &f->timer : &f->retry;
    assert_true(*at != CLOCK_NONE);
    f->now = *at;
    *at = CLOCK_NONE;
    struct event event = {
        .kind = EVENT_TIMER, .payload = payload_of(timer_fired, &(struct timer_fired){timer}), .now = f->now};
    give(f, &event);
}

static bool is_pending(void *context, const struct browse_row *row) {
    (void)context;
    return row->intent->broken || str_equal(row->intent->status.text, "pending");
}

static void note_came(void *context, const struct intent *intent) {
    struct fixture *f = context;
    str_addf(&f->told, "+%s ", intent->id.state == VALUE_OK ? intent->id.text : intent->raw);
}

static void note_changed(void *context, const struct intent *intent, const struct follow_change *change) {
    struct fixture *f = context;
    str_addf(&f->told, "%s.%s:%s>%s ", intent->id.text, change->field, change->old ? change->old : "(none)",
             change->now ? change->now : "(none)");
}

/* What the look told; then it rests. */
static void tells(struct fixture *f, const char *expected) {
    const struct follow_hearer hearer = {
        .context = f, .matches = is_pending, .came = note_came, .changed = f->changes ? note_changed : NULL};
    assert_int_equal(f->step, FOLLOW_LOOKED);
    str_reset(&f->told);
    (void)follow_tell(&f->follow, &hearer);
    assert_string_equal(f->told.s, expected);
    follow_rest(&f->follow, false, f->now, &f->effects);
    take_effects(f);
}

static void begin(struct fixture *f) {
    follow_start(&f->follow, f->now, &f->effects);
    take_effects(f);
}

#define ROW(id, status, day) \
    "{\"id\":\"" id "\",\"status\":\"" status "\",\"created_at\":\"2026-01-" day "T00:00:00.000Z\"}"
#define PAGE(rows, next) "{\"data\":[" rows "],\"next_cursor\":" next "}"

static const char FIRST[] = PAGE(ROW("i5", "pending", "05") "," ROW("i4", "declined", "04"), "\"c1\"");

static void the_baseline_is_not_told_and_what_comes_is_oldest_first(void **state) {
    struct fixture *f = *state;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    assert_int_equal(f->timer, START + PERIOD);
    fire(f, TIMER_LIVE);
    answer(f, PAGE(ROW("i8", "pending", "08") "," ROW("i7", "approved", "07") "," ROW("i6", "pending", "06") "," ROW(
                       "i5", "pending", "05"),
                   "\"c1\""));
    tells(f, "+i6 +i8 ");
    fire(f, TIMER_LIVE);
    answer(f, FIRST);
    tells(f, "");
    assert_int_equal(f->fetches, 3);
}

/* No row between two looks is missed, however many pages came. */
static void a_look_reads_on_until_it_meets_what_was_known(void **state) {
    struct fixture *f = *state;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    fire(f, TIMER_LIVE);
    answer(f, PAGE(ROW("i9", "pending", "09") "," ROW("i8", "pending", "08"), "\"c1\""));
    assert_int_equal(f->step, FOLLOW_ON);
    answer(f, PAGE(ROW("i7", "pending", "07") "," ROW("i6", "pending", "06"), "\"c2\""));
    assert_int_equal(f->step, FOLLOW_ON);
    answer(f, PAGE(ROW("i5", "pending", "05") "," ROW("i4", "declined", "04"), "\"c3\""));
    tells(f, "+i6 +i7 +i8 +i9 ");
    assert_int_equal(f->fetches, 4);
}

/* It came to match after it was there: told once. */
static void what_comes_to_match_is_told_once(void **state) {
    struct fixture *f = *state;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    for (int i = 0; i < 2; i++) {
        fire(f, TIMER_LIVE);
        answer(f, PAGE(ROW("i5", "pending", "05") "," ROW("i4", "pending", "04"), "\"c1\""));
        tells(f, i == 0 ? "+i4 " : "");
    }
}

/* Read for the first time, but older than all of the baseline. */
static void an_older_row_is_not_new(void **state) {
    struct fixture *f = *state;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    fire(f, TIMER_LIVE);
    answer(f, PAGE(ROW("i5", "pending", "05") "," ROW("i3", "pending", "03"), "\"c1\""));
    tells(f, "");
}

static void changes_have_field_old_and_new(void **state) {
    struct fixture *f = *state;
    f->changes = true;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    fire(f, TIMER_LIVE);
    answer(f, PAGE(ROW("i6", "pending", "06") "," ROW("i5", "approved", "05") ",{\"id\":\"i4\",\"status\":\"declined\","
                                                                              "\"created_at\":\"2026-01-04T00:00:00."
                                                                              "000Z\",\"amount\":7}",
                   "\"c1\""));
    tells(f, "i5.status:pending>approved +i6 "); /* i4 is not of the filter, before or now */
    fire(f, TIMER_LIVE);
    answer(f,
           PAGE(ROW("i6", "pending", "06") "," ROW("i5", "approved", "05") "," ROW("i4", "pending", "04"), "\"c1\""));
    tells(f, "i4.status:declined>pending i4.amount:7>(none) ");
}

static void retry_after_is_kept(void **state) {
    struct fixture *f = *state;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    fire(f, TIMER_LIVE);
    refuse(f, ERR_THROTTLED, f->now + MINUTE / 2);
    assert_int_equal(f->step, FOLLOW_WAITS);
    assert_int_equal(f->follow.waits_until, f->now + MINUTE / 2);
    size_t before = f->fetches;
    fire(f, TIMER_RETRY);
    assert_int_equal(f->fetches, before + 1);
    answer(f, FIRST);
    tells(f, "");
}

/* K42: longer than a look waits; more than an hour is clamped for all (F63). */
static void a_long_retry_after_is_kept_too(void **state) {
    struct fixture *f = *state;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    fire(f, TIMER_LIVE);
    refuse(f, ERR_THROTTLED, f->now + 50 * MINUTE);
    assert_int_equal(f->step, FOLLOW_FAILED);
    follow_rest(&f->follow, true, f->now, &f->effects);
    take_effects(f);
    assert_int_equal(f->timer, f->now + 50 * MINUTE);
    size_t before = f->fetches;
    fire(f, TIMER_LIVE);
    assert_int_equal(f->fetches, before + 1);
}

static void after_failures_it_asks_less_and_less_often(void **state) {
    static const int64_t WAITS[] = {MINUTE, 2 * MINUTE, 4 * MINUTE, 5 * MINUTE, 5 * MINUTE};
    struct fixture *f = *state;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    for (size_t i = 0; i < COUNT_OF(WAITS); i++) {
        follow_rest(&f->follow, true, f->now, &f->effects);
        take_effects(f);
        assert_int_equal(f->timer, f->now + WAITS[i]);
    }
}

/* Eight requests in an hour, and a look each half minute. */
static void no_more_is_asked_in_an_hour_than_allowed(void **state) {
    struct fixture *f = *state;
    f->follow.budget.hourly = 8;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    for (int i = 1; i < 8; i++) {
        fire(f, TIMER_LIVE);
        answer(f, FIRST);
        tells(f, "");
    }
    fire(f, TIMER_LIVE);
    assert_int_equal(f->step, FOLLOW_SPENT);
    assert_int_equal(f->fetches, 8);
    assert_true(f->timer >= START + HOUR - MINUTE);
    fire(f, TIMER_LIVE);
    assert_int_equal(f->fetches, 9);
}

/* In the middle of a look it goes on where it was. */
static void a_look_over_the_budget_goes_on_later(void **state) {
    struct fixture *f = *state;
    f->follow.budget.hourly = 2;
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    fire(f, TIMER_LIVE);
    answer(f, PAGE(ROW("i9", "pending", "09"), "\"c1\""));
    assert_int_equal(f->step, FOLLOW_SPENT);
    fire(f, TIMER_LIVE);
    assert_int_equal(f->fetches, 3);
    answer(f, PAGE(ROW("i6", "pending", "06") "," ROW("i5", "pending", "05"), "\"c2\""));
    tells(f, "+i6 +i9 ");
}

static void keep(struct fixture *f, struct str *out) {
    str_init(out, 1 << 16);
    begin(f);
    answer(f, FIRST);
    tells(f, "");
    follow_text(&f->follow, "mine", f->now, out);
}

static void a_later_run_knows_what_this_one_saw(void **state) {
    struct fixture *f = *state;
    struct str text;
    keep(f, &text);
    follow_clear(&f->follow);
    follow_init(&f->follow, f->profile, 0);
    assert_int_equal(follow_read(&f->follow, text.s, text.len, "mine", NULL), ERR_OK);
    assert_null(strstr(text.s, "i5"));
    begin(f);
    answer(f, PAGE(ROW("i6", "pending", "06") "," ROW("i5", "pending", "05") "," ROW("i3", "pending", "03"), "\"c1\""));
    tells(f, "+i6 ");
    str_clear(&text);
}

/* In a run of its own. */
static void run_again(struct fixture *f) {
    struct str text;
    str_init(&text, 4 << 20);
    size_t depth = f->follow.depth;
    follow_text(&f->follow, "mine", f->now, &text);
    follow_clear(&f->follow);
    follow_init(&f->follow, f->profile, 0);
    f->follow.depth = depth;
    assert_int_equal(follow_read(&f->follow, text.s, text.len, "mine", NULL), ERR_OK);
    str_clear(&text);
    begin(f);
}

/* The service filters, so that an older row comes into the list once it matches. */
static void after_a_whole_list_an_older_row_that_comes_is_told(void **state) {
    struct fixture *f = *state;
    for (int run = 0; run < 2; run++) {
        follow_clear(&f->follow);
        follow_init(&f->follow, f->profile, PERIOD);
        begin(f);
        answer(f, PAGE(ROW("i5", "pending", "05"), "null"));
        tells(f, "");
        if (run == 0)
            fire(f, TIMER_LIVE);
        else
            run_again(f);
        answer(f, PAGE(ROW("i5", "pending", "05") "," ROW("i3", "pending", "03"), "null"));
        tells(f, "+i3 ");
    }
}

static void a_look_that_was_cut_short_is_not_whole(void **state) {
    struct fixture *f = *state;
    f->follow.depth = 3;
    begin(f);
    answer(f, FIRST);
    answer(f, PAGE(ROW("i3", "pending", "03"), "\"c2\""));
    assert_true(follow_is_whole(&f->follow));
    tells(f, "");
    fire(f, TIMER_LIVE);
    answer(f, PAGE(ROW("i9", "pending", "09"), "\"c1\""));
    answer(f, PAGE(ROW("i8", "pending", "08"), "\"c1\""));
    assert_int_equal(f->step, FOLLOW_LOOKED);
    assert_false(follow_is_whole(&f->follow));
    begin(f);
    answer(f, PAGE(ROW("i9", "pending", "09"), "\"c1\""));
    answer(f, PAGE(ROW("i5", "pending", "05"), "\"c1\"")); /* cut where it would have ended */
    assert_true(follow_is_whole(&f->follow));
    tells(f, "+i9 ");
}

static void a_baseline_that_was_cut_short_is_not_whole(void **state) {
    struct fixture *f = *state;
    f->follow.depth = 9;
    begin(f);
    answer(f, FIRST);
    answer(f, FIRST);
    assert_int_equal(f->step, FOLLOW_LOOKED);
    assert_false(follow_is_whole(&f->follow));
}

/* An empty page that has one after it is no empty list. */
static void a_baseline_has_rows_or_is_the_end(void **state) {
    struct fixture *f = *state;
    begin(f);
    answer(f, PAGE("", "\"c1\""));
    assert_int_equal(f->step, FOLLOW_ON);
    answer(f, PAGE("", "null"));
    assert_true(follow_is_whole(&f->follow));
    tells(f, "");
}

#define NAMELESS(status) "{\"status\":\"" status "\",\"created_at\":\"2026-01-06T00:00:00.000Z\"}"

static void rows_without_an_id_are_told_once(void **state) {
    struct fixture *f = *state;
    begin(f);
    answer(f, PAGE("16," ROW("i5", "pending", "05"), "\"c1\""));
    tells(f, "");
    for (int i = 0; i < 2; i++) {
        fire(f, TIMER_LIVE);
        answer(f, PAGE(NAMELESS("pending") ",17,16," ROW("i5", "pending", "05"), "\"c1\""));
        tells(f, i == 0 ? "+17 +" NAMELESS("pending") " " : "");
    }
    run_again(f);
    answer(f, PAGE("18," NAMELESS("pending") ",17,16," ROW("i5", "pending", "05"), "\"c1\""));
    tells(f, "+18 ");
}

static void f30_a_broken_row_that_reads_as_an_id_is_told_too(void **state) {
    struct fixture *f = *state;
    begin(f);
    answer(f, PAGE(ROW("5", "pending", "05"), "\"c1\""));
    tells(f, "");
    fire(f, TIMER_LIVE);
    answer(f, PAGE("5," ROW("5", "pending", "05"), "\"c1\""));
    tells(f, "+5 ");
}

/* Of every row a digest has to be known or its age. more: what each has beside id and status. */
static void answer_very_many(struct fixture *f, const char *more) {
    enum { PAGES = 21, ROWS = 1000, BODY_BYTES = 1 << 20 };
    for (int page = 0; page < PAGES; page++) {
        struct str body;
        str_init(&body, BODY_BYTES);
        str_add(&body, "{\"data\":[");
        for (int row = 0; row < ROWS; row++)
            str_addf(&body, "%s{\"id\":\"r%d\",\"status\":\"pending\"%s}", row > 0 ? "," : "", page * ROWS + row, more);
        str_addf(&body, page + 1 < PAGES ? "],\"next_cursor\":\"c%d\"}" : "]}", page);
        answer(f, body.s);
        str_clear(&body);
    }
}

/* More than a place keeps by their age: those without a time are known all the same, and so are those of one time. */
static void none_of_very_many_rows_is_told_again(void **state) {
    static const char *const MORE[] = {"", ",\"created_at\":\"2026-01-05T00:00:00.000Z\""};
    enum { DEPTH = 21000 };
    struct fixture *f = *state;
    for (size_t i = 0; i < COUNT_OF(MORE); i++) {
        follow_clear(&f->follow);
        follow_init(&f->follow, f->profile, PERIOD);
        f->follow.depth = DEPTH;
        begin(f);
        answer_very_many(f, MORE[i]);
        tells(f, "");
        run_again(f);
        answer_very_many(f, MORE[i]);
        tells(f, "");
    }
}

static void a_place_of_something_else_or_damaged_is_not_taken(void **state) {
    struct fixture *f = *state;
    struct error error = {0};
    struct str text;
    keep(f, &text);
    assert_int_equal(follow_read(&f->follow, text.s, text.len, "other", &error), ERR_USAGE);
    assert_string_equal(error.text, "it belongs to mine");
    for (size_t at = 0; at < text.len; at++) {
        text.s[at] ^= 1;
        assert_int_equal(follow_read(&f->follow, text.s, text.len, "mine", NULL), ERR_INVALID);
        text.s[at] ^= 1;
    }
    for (size_t len = 0; len < text.len; len++) {
        char *cut = mem_dup_n(text.s, len);
        assert_int_equal(follow_read(&f->follow, cut, len, "mine", NULL), ERR_INVALID);
        free(cut);
    }
    assert_int_equal(follow_read(&f->follow, text.s, text.len, "mine", NULL), ERR_OK);
    str_clear(&text);
}

static void periods_are_read_or_refused(void **state) {
    static const char *const BAD[] = {"", "30", "s", "0s", "-1s", "30 s", "1d", "25h", "1.5m", "99999999999999999999s"};
    int64_t ms = 0;
    (void)state;
    assert_true(follow_period("30s", &ms) && ms == PERIOD);
    assert_true(follow_period("5m", &ms) && ms == 5 * MINUTE);
    assert_true(follow_period("24h", &ms) && ms == 24 * (int64_t)HOUR);
    for (size_t i = 0; i < COUNT_OF(BAD); i++)
        assert_false(follow_period(BAD[i], &ms));
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(the_baseline_is_not_told_and_what_comes_is_oldest_first),
        T(a_look_reads_on_until_it_meets_what_was_known),
        T(what_comes_to_match_is_told_once),
        T(an_older_row_is_not_new),
        T(changes_have_field_old_and_new),
        T(retry_after_is_kept),
        T(a_long_retry_after_is_kept_too),
        T(after_failures_it_asks_less_and_less_often),
        T(no_more_is_asked_in_an_hour_than_allowed),
        T(a_look_over_the_budget_goes_on_later),
        T(a_later_run_knows_what_this_one_saw),
        T(after_a_whole_list_an_older_row_that_comes_is_told),
        T(a_look_that_was_cut_short_is_not_whole),
        T(a_baseline_that_was_cut_short_is_not_whole),
        T(a_baseline_has_rows_or_is_the_end),
        T(rows_without_an_id_are_told_once),
        T(f30_a_broken_row_that_reads_as_an_id_is_told_too),
        T(none_of_very_many_rows_is_told_again),
        T(a_place_of_something_else_or_damaged_is_not_taken),
        cmocka_unit_test(periods_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
