/* The mirror: events in, state and effects out. No I/O. */
#include "app/mirror.h"
#include "base/mem.h"
#include "support/effects.h"
#include "wire/page.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MINUTE = 60000, HOUR = 3600000 };
#define NOW INT64_C(1780000000000)

struct fixture {
    struct profile *profile;
    struct mirror mirror;
    struct effects effects;
    int64_t now;
};

static int setup(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    f->profile = profile_new("test", "sandbox", "http://127.0.0.1:1");
    f->profile->requests_per_hour = 0;
    f->now = NOW;
    mirror_init(&f->mirror, f->profile);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    mirror_clear(&f->mirror);
    effects_clear(&f->effects);
    profile_free(f->profile);
    free(f);
    return 0;
}

static const struct mirror_ask *last_question(const struct fixture *f) {
    const struct effect *effect = effects_last(&f->effects, EFFECT_MIRROR);
    return effect ? effect_get(effect, mirror_ask) : NULL;
}

static const struct list_ask *last_ask(const struct fixture *f) {
    const struct effect *effect = effects_last(&f->effects, EFFECT_FETCH);
    return effect ? effect_get(effect, list_ask) : NULL;
}

static bool takes(struct fixture *f, enum event_kind kind, uint64_t ticket, struct payload payload) {
    struct event event = {.kind = kind, .now = f->now, .ticket = ticket, .payload = payload};
    effects_clear(&f->effects);
    bool taken = mirror_update(&f->mirror, &event, &f->effects);
    payload_clear(&event.payload);
    return taken;
}

static struct mirror_held *usable(void) {
    struct mirror_held *held = mem_new(sizeof *held);
    held->usable = held->writable = true;
    return held;
}

static void cache_answers(struct fixture *f, struct mirror_held *held) {
    assert_true(takes(f, EVENT_MIRROR, f->mirror.ticket, payload_of(mirror_held, held)));
}

/* The cache holds nothing of it. */
static void begin(struct fixture *f, size_t walks) {
    mirror_start(&f->mirror, walks, false, &f->effects);
    assert_int_equal(last_question(f)->task, MIRROR_LOOK);
    cache_answers(f, usable());
    assert_int_equal(last_question(f)->task, MIRROR_PLAN);
    cache_answers(f, usable());
    assert_int_equal(f->mirror.state, MIRROR_READING);
}

static struct list_result *made_result(enum err err) {
    struct list_result *result = list_result_new();
    result->answer.code = err;
    result->answer.retry_at = CLOCK_NONE;
    result->answer.quota_left = -1;
    return result;
}

static void part_takes(struct fixture *f, size_t part, struct list_result *result) {
    assert_true(f->mirror.parts.items[part].ticket != 0);
    assert_true(takes(f, EVENT_LIST, f->mirror.parts.items[part].ticket, payload_of(list_result, result)));
}

static void part_answers(struct fixture *f, size_t part, const char *body) {
    struct wire_shape shape = {.data = "data", .next = "next_cursor", .has_more = "has_more"};
    struct list_result *result = made_result(ERR_OK);
    assert_int_equal(wire_page(body, strlen(body), &shape, &result->page, NULL), ERR_OK);
    part_takes(f, part, result);
}

static void answer(struct fixture *f, const char *body) {
    part_answers(f, 0, body);
}

static void refuse(struct fixture *f, enum err err, int64_t retry_at) {
    struct list_result *result = made_result(err);
    result->answer.line = mem_dup("said by the service");
    result->answer.retry_at = retry_at;
    part_takes(f, 0, result);
}

static int64_t timer_at(const struct fixture *f) {
    for (size_t i = f->effects.n; i > 0; i--) {
        const struct timer_ask *ask =
            f->effects.items[i - 1].kind == EFFECT_TIMER ? effect_get(&f->effects.items[i - 1], timer_ask) : NULL;
        if (ask && ask->timer == TIMER_MIRROR)
            return ask->at;
    }
    return CLOCK_NONE;
}

static void fire(struct fixture *f, int64_t now) {
    f->now = now;
    assert_true(takes(f, EVENT_TIMER, 0, payload_of(timer_fired, &(struct timer_fired){TIMER_MIRROR})));
}

#define ROW(id, day) "{\"id\":\"" id "\",\"status\":\"pending\",\"created_at\":\"2026-01-" day "T00:00:00.000Z\"}"
static const char PAGE_1[] = "{\"data\":[" ROW("i5", "05") "," ROW("i4", "04") "],\"next_cursor\":\"c1\"}";
static const char PAGE_2[] = "{\"data\":[" ROW("i3", "03") "," ROW("i2", "02") "],\"next_cursor\":\"c2\"}";
static const char PAGE_3[] = "{\"data\":[" ROW("i1", "01") "],\"next_cursor\":null}";

static void joins(struct fixture *f) {
    assert_int_equal(f->mirror.state, MIRROR_JOINING);
    assert_int_equal(last_question(f)->task, MIRROR_JOIN);
    struct mirror_held *held = usable();
    held->joined = true;
    held->rows = 5;
    held->coverage = (struct coverage){.reach = COVERAGE_WHOLE, .cached = true, .as_of = NOW};
    cache_answers(f, held);
    assert_int_equal(f->mirror.state, MIRROR_DONE);
}

static void one_walk_reads_every_page_and_asks_the_cache_at_its_end(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    assert_null(last_ask(f)->cursor);
    assert_true(last_ask(f)->mirror);
    answer(f, PAGE_1);
    assert_string_equal(last_ask(f)->cursor, "c1");
    answer(f, PAGE_2);
    answer(f, PAGE_3);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    joins(f);
    assert_int_equal(f->mirror.rows, 5);
    assert_int_equal(f->mirror.pages, 3);
    assert_int_equal(f->mirror.held, 5);
}

static void f30_a_broken_row_that_reads_as_an_id_is_counted_beside_it(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    answer(f, "{\"data\":[5,{\"id\":\"5\"}],\"next_cursor\":\"c1\"}");
    assert_int_equal(f->mirror.distinct, 2);
    assert_int_equal(f->mirror.broken, 1);
}

static void an_earlier_run_is_gone_on_from(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    char *plan = NULL;
    mirror_cancel(&f->mirror, &f->effects);
    mirror_start(&f->mirror, 1, true, &f->effects);
    cache_answers(f, usable());
    plan = mem_dup(last_question(f)->plan);
    mirror_cancel(&f->mirror, &f->effects);

    mirror_start(&f->mirror, 1, false, &f->effects);
    struct mirror_held *held = usable();
    held->plan = plan;
    cache_answers(f, held);
    assert_int_equal(last_question(f)->task, MIRROR_PLACES);
    held = usable();
    *vec_add(held) = (struct mirror_place){.pages = 2, .rows = 4, .next = mem_dup("c2")};
    cache_answers(f, held);
    assert_true(f->mirror.resumed);
    assert_string_equal(last_ask(f)->cursor, "c2");
    assert_int_equal(f->mirror.earlier_pages, 2);
    answer(f, PAGE_3);
    joins(f);
}

static void a_plan_that_is_none_is_not_gone_on_from(void **state) {
    static const char *const PLANS[] = {"",
                                        "nothing",
                                        "bursar mirror 1\n",
                                        "bursar mirror 1\n- -\n",
                                        "bursar mirror 1 0\n2026-01-01T00:00:00.000Z - -\n",
                                        "bursar mirror 2 0\n- - -\n"};
    struct fixture *f = *state;
    for (size_t i = 0; i < COUNT_OF(PLANS); i++) {
        mirror_start(&f->mirror, 1, false, &f->effects);
        struct mirror_held *held = usable();
        held->plan = mem_dup(PLANS[i]);
        cache_answers(f, held);
        assert_int_equal(last_question(f)->task, MIRROR_PLAN);
        assert_int_equal(f->mirror.parts.n, 1);
    }
}

static void what_the_cache_lost_meanwhile_is_read_again(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    answer(f, PAGE_1);
    answer(f, PAGE_2);
    answer(f, PAGE_3);
    cache_answers(f, usable()); /* not joined */
    assert_int_equal(last_question(f)->task, MIRROR_PLACES);
    struct mirror_held *held = usable();
    *vec_add(held) = (struct mirror_place){.pages = 1, .rows = 2, .next = mem_dup("c1")};
    cache_answers(f, held);
    assert_string_equal(last_ask(f)->cursor, "c1");
    answer(f, PAGE_2); /* the same rows as before are no lack of progress */
    assert_int_equal(f->mirror.state, MIRROR_READING);
    answer(f, PAGE_3);
    joins(f);
}

static void a_cache_that_loses_it_each_time_ends_the_mirror(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    for (int i = 0; i < 20 && mirror_is_busy(&f->mirror); i++)
        if (f->mirror.state == MIRROR_READING)
            answer(f, PAGE_3);
        else
            cache_answers(f, usable());
    assert_int_equal(f->mirror.state, MIRROR_STOPPED);
    assert_int_equal(f->mirror.error.code, ERR_STORE);
}

static void without_a_cache_nothing_is_asked_of_the_service(void **state) {
    struct fixture *f = *state;
    mirror_start(&f->mirror, 1, false, &f->effects);
    cache_answers(f, mem_new(sizeof(struct mirror_held)));
    assert_int_equal(f->mirror.state, MIRROR_STOPPED);
    assert_int_equal(f->mirror.error.code, ERR_STORE);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    mirror_start(&f->mirror, 1, false, &f->effects);
    struct mirror_held *held = usable();
    held->writable = false;
    cache_answers(f, held);
    assert_non_null(strstr(f->mirror.error.text, "cannot be written"));
}

/* All was read before, when the newest row was of the fourth. */
static void begin_again(struct fixture *f) {
    struct str note;
    int64_t ground;
    str_init(&note, 64);
    assert_true(clock_parse("2026-01-04T00:00:00.000Z", 24, &ground));
    mirror_note_text(NOW - HOUR, ground, &note);
    mirror_start(&f->mirror, 1, false, &f->effects);
    struct mirror_held *held = usable();
    held->whole = str_take(&note);
    held->coverage = (struct coverage){.reach = COVERAGE_WHOLE, .cached = true, .as_of = NOW - HOUR};
    cache_answers(f, held);
    assert_null(last_question(f)->plan); /* begun again rather than gone on from */
    cache_answers(f, usable());
}

static void open_moved_on(struct fixture *f, const char *oldest) {
    struct mirror_held *held = usable();
    assert_int_equal(last_question(f)->task, MIRROR_LEFT);
    assert_int_equal(last_question(f)->from, NOW - HOUR);
    held->looked = true;
    held->left = CLOCK_NONE;
    if (oldest)
        assert_true(clock_parse(oldest, strlen(oldest), &held->left));
    cache_answers(f, held);
}

static void later_open_intents_then_the_list_down_to_known_ground(void **state) {
    struct fixture *f = *state;
    begin_again(f);
    assert_int_equal(last_ask(f)->filter.n, 2);
    part_answers(f, 1, "{\"data\":[" ROW("i4", "04") "],\"next_cursor\":null}");
    open_moved_on(f, NULL);
    assert_int_equal(last_ask(f)->filter.n, 0);
    answer(f, PAGE_1);
    assert_string_equal(last_ask(f)->cursor, "c1"); /* its last row is at the ground, not below it */
    answer(f, PAGE_2);
    assert_int_equal(last_question(f)->task, MIRROR_CAUGHT);
    assert_int_equal(last_question(f)->pages, 2);
    struct mirror_held *held = usable();
    held->joined = true;
    cache_answers(f, held);
    assert_int_equal(f->mirror.state, MIRROR_DONE);
}

static void an_open_intent_that_moved_on_is_looked_for_below_the_ground(void **state) {
    struct fixture *f = *state;
    begin_again(f);
    part_answers(f, 1, "{\"data\":[],\"next_cursor\":null}");
    open_moved_on(f, "2026-01-01T12:00:00.000Z");
    answer(f, PAGE_1);
    answer(f, PAGE_2);
    assert_string_equal(last_ask(f)->cursor, "c2");
    answer(f, PAGE_3);
    joins(f); /* the list was read to its end */
}

static void where_catching_up_was_not_kept_all_is_read(void **state) {
    struct fixture *f = *state;
    begin_again(f);
    part_answers(f, 1, "{\"data\":[],\"next_cursor\":null}");
    open_moved_on(f, NULL);
    answer(f, PAGE_1);
    answer(f, PAGE_2);
    cache_answers(f, usable()); /* not held */
    assert_int_equal(last_question(f)->task, MIRROR_PLAN);
    assert_non_null(last_question(f)->plan);
    cache_answers(f, usable());
    assert_null(last_ask(f)->cursor);
    assert_int_equal(f->mirror.parts.n, 1);
}

static void over_a_cache_with_holes_all_is_read(void **state) {
    struct fixture *f = *state;
    mirror_start(&f->mirror, 1, false, &f->effects);
    struct mirror_held *held = usable();
    held->whole = mem_dup("1780000000000 1780000000000");
    held->coverage = (struct coverage){.reach = COVERAGE_WHOLE, .cached = true, .damaged = 1};
    cache_answers(f, held);
    assert_int_equal(f->mirror.parts.n, 1);
}

static void a4_a_repeated_cursor_ends_it_unread(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    answer(f, PAGE_1);
    answer(f, "{\"data\":[" ROW("i3", "03") "],\"next_cursor\":\"c1\"}");
    assert_int_equal(f->mirror.state, MIRROR_STOPPED);
    assert_int_equal(f->mirror.error.code, ERR_INCOMPLETE);
}

static void a5_new_cursors_with_the_same_rows_end_it_unread(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    answer(f, PAGE_1);
    answer(f, "{\"data\":[" ROW("i5", "05") "," ROW("i4", "04") "],\"next_cursor\":\"c9\"}");
    assert_int_equal(f->mirror.state, MIRROR_STOPPED);
    assert_non_null(strstr(f->mirror.error.text, "nothing new"));
}

static void a3_empty_pages_end_it_and_it_goes_on_when_asked(void **state) {
    static const char *const EMPTY[] = {"{\"data\":[],\"next_cursor\":\"e1\"}", "{\"data\":[],\"next_cursor\":\"e2\"}",
                                        "{\"data\":[],\"next_cursor\":\"e3\"}"};
    struct fixture *f = *state;
    begin(f, 1);
    for (size_t i = 0; i < COUNT_OF(EMPTY); i++)
        answer(f, EMPTY[i]);
    assert_int_equal(f->mirror.state, MIRROR_STOPPED);
    mirror_go_on(&f->mirror, NOW, &f->effects);
    assert_string_equal(last_ask(f)->cursor, "e3");
}

static void a12_a_place_no_longer_known_begins_again_once(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    answer(f, PAGE_1);
    for (int i = 0; i < 2; i++) {
        struct list_result *result = made_result(ERR_NOT_FOUND);
        result->answer.cursor_refused = true;
        part_takes(f, 0, result);
        if (i == 0) {
            assert_null(last_ask(f)->cursor);
            assert_int_equal(f->mirror.restarted, 1);
            answer(f, PAGE_1);
        }
    }
    assert_int_equal(f->mirror.state, MIRROR_STOPPED);
    assert_int_equal(f->mirror.error.code, ERR_NOT_FOUND);
}

static void rows_beside_an_error_are_no_page(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    struct list_result *result = made_result(ERR_OK);
    result->page.failed = true;
    result->page.beside = mem_dup("a shard is down");
    part_takes(f, 0, result);
    assert_int_equal(f->mirror.state, MIRROR_READING);
    assert_int_equal(f->mirror.pages, 0);
    fire(f, timer_at(f));
    assert_null(last_ask(f)->cursor);
    answer(f, PAGE_1);
    assert_int_equal(f->mirror.pages, 1);
}

static void variation_d6_throttled_it_waits_as_long_as_it_is_told(void **state) {
    struct fixture *f = *state;
    struct str why;
    str_init(&why, 256);
    begin(f, 1);
    answer(f, PAGE_1);
    refuse(f, ERR_THROTTLED, NOW + 5000);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    assert_int_equal(timer_at(f), NOW + 5000);
    assert_true(mirror_wait_text(&f->mirror, NOW, &why));
    assert_string_equal(why.s, "the service asks to wait");
    str_clear(&why);
    fire(f, NOW + 5000);
    assert_string_equal(last_ask(f)->cursor, "c1");
}

static void n6_a_refused_token_stops_it_where_it_is(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    answer(f, PAGE_1);
    refuse(f, ERR_UNAUTHORISED, CLOCK_NONE);
    assert_int_equal(f->mirror.state, MIRROR_STOPPED);
    assert_true(f->mirror.token_refused);
    mirror_go_on(&f->mirror, NOW, &f->effects);
    assert_string_equal(last_ask(f)->cursor, "c1");
}

/* However it is started again. */
static void never_more_than_the_budget_in_any_hour(void **state) {
    enum { BUDGET = 10, PAGES = 95 };
    struct fixture *f = *state;
    static int64_t asked[PAGES];
    char *spent = NULL;
    size_t n = 0;
    f->profile->requests_per_hour = BUDGET;
    begin(f, 1);
    while (n < PAGES) {
        assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
        asked[n] = f->now;
        free(spent);
        spent = mem_dup(last_ask(f)->spent);
        char body[256];
        (void)snprintf(body, sizeof body, "{\"data\":[{\"id\":\"i%zu\"}],\"next_cursor\":\"c%zu\"}", n, n);
        n++;
        f->now += (int64_t)(n % 7) * 1000;
        answer(f, body);
        if (n % 33 == 0) { /* killed, and started again at once */
            mirror_start(&f->mirror, 1, false, &f->effects);
            struct mirror_held *held = usable();
            held->spent = mem_dup(spent);
            cache_answers(f, held);
            cache_answers(f, usable());
        }
        for (int i = 0; i < 10 && effects_count(&f->effects, EFFECT_FETCH) == 0; i++)
            fire(f, timer_at(f));
    }
    for (size_t i = BUDGET; i < PAGES; i++)
        assert_true(asked[i] - asked[i - BUDGET] >= HOUR);
    free(spent);
}

static void what_is_left_of_the_budget_is_said(void **state) {
    struct fixture *f = *state;
    struct str text;
    str_init(&text, 512);
    f->profile->requests_per_hour = 1000;
    begin(f, 1);
    answer(f, PAGE_1);
    mirror_progress(&f->mirror, NOW, &text);
    assert_string_equal(text.s, "2 intents in 1 page, back to 2026-01-04 00:00:00 UTC, 998 of 1,000 requests left this "
                                "hour");
    str_clear(&text);
}

static void a_clock_set_back_gives_no_second_budget(void **state) {
    struct fixture *f = *state;
    struct mirror_budget budget = {.hourly = 5};
    (void)f;
    for (int i = 0; i < 5; i++)
        mirror_budget_spend(&budget, NOW);
    assert_int_equal(mirror_budget_left(&budget, NOW - 30 * (int64_t)HOUR), 0);
    assert_int_equal(mirror_budget_left(&budget, NOW - 29 * (int64_t)HOUR + 2 * MINUTE), 5);
}

static void a_mirror_that_pauses_asks_nothing(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    mirror_pause(&f->mirror, true, NOW, &f->effects);
    answer(f, PAGE_1); /* the page under way still counts */
    assert_int_equal(f->mirror.pages, 1);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    mirror_pause(&f->mirror, false, NOW, &f->effects);
    assert_string_equal(last_ask(f)->cursor, "c1");
}

static void cancelled_it_takes_its_requests_back(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    effects_clear(&f->effects);
    mirror_cancel(&f->mirror, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_CANCEL), 1);
    assert_int_equal(f->mirror.state, MIRROR_STOPPED);
    assert_false(takes(f, EVENT_LIST, 1, payload_of(list_result, made_result(ERR_OK))));
}

static void a_cache_that_keeps_nothing_ends_it(void **state) {
    struct fixture *f = *state;
    begin(f, 1);
    (void)takes(f, EVENT_CACHE_STATE, 0,
                payload_of(cache_told, &(struct cache_told){.state = CACHE_STATE_OFF, .text = "pages are not stored"}));
    for (int i = 0; i < 100 && mirror_is_busy(&f->mirror); i++) {
        char body[256];
        (void)snprintf(body, sizeof body, "{\"data\":[{\"id\":\"i%d\"}],\"next_cursor\":\"c%d\"}", i, i);
        answer(f, body);
    }
    assert_int_equal(f->mirror.error.code, ERR_STORE);
    assert_true(f->mirror.pages < 20);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_walk_reads_every_page_and_asks_the_cache_at_its_end),
        TEST(f30_a_broken_row_that_reads_as_an_id_is_counted_beside_it),
        TEST(an_earlier_run_is_gone_on_from),
        TEST(a_plan_that_is_none_is_not_gone_on_from),
        TEST(what_the_cache_lost_meanwhile_is_read_again),
        TEST(a_cache_that_loses_it_each_time_ends_the_mirror),
        TEST(without_a_cache_nothing_is_asked_of_the_service),
        TEST(later_open_intents_then_the_list_down_to_known_ground),
        TEST(an_open_intent_that_moved_on_is_looked_for_below_the_ground),
        TEST(where_catching_up_was_not_kept_all_is_read),
        TEST(over_a_cache_with_holes_all_is_read),
        TEST(a4_a_repeated_cursor_ends_it_unread),
        TEST(a5_new_cursors_with_the_same_rows_end_it_unread),
        TEST(a3_empty_pages_end_it_and_it_goes_on_when_asked),
        TEST(a12_a_place_no_longer_known_begins_again_once),
        TEST(rows_beside_an_error_are_no_page),
        TEST(variation_d6_throttled_it_waits_as_long_as_it_is_told),
        TEST(n6_a_refused_token_stops_it_where_it_is),
        TEST(never_more_than_the_budget_in_any_hour),
        TEST(what_is_left_of_the_budget_is_said),
        TEST(a_clock_set_back_gives_no_second_budget),
        TEST(a_mirror_that_pauses_asks_nothing),
        TEST(cancelled_it_takes_its_requests_back),
        TEST(a_cache_that_keeps_nothing_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
