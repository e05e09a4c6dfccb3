/* Browsing: events in, state and effects out. No I/O. */
#include "app/browse.h"
#include "base/clock.h"
#include "base/mem.h"
#include "support/effects.h"
#include "wire/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NOW = 1000000 };

struct fixture {
    struct profile *profile;
    struct browse browse;
    struct effects effects;
};

static int setup(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    f->profile = profile_new("test", "sandbox", "http://127.0.0.1:1");
    browse_init(&f->browse, f->profile);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    browse_clear(&f->browse);
    effects_clear(&f->effects);
    profile_free(f->profile);
    free(f);
    return 0;
}

static const struct list_ask *last_ask(const struct fixture *f) {
    for (size_t i = f->effects.n; i > 0; i--)
        if (f->effects.items[i - 1].kind == EFFECT_FETCH)
            return effect_get(&f->effects.items[i - 1], list_ask);
    return NULL;
}

/* The answer to the request in flight; forgets the effects before it. */
static void answer(struct fixture *f, const char *body) {
    struct wire_shape shape = {.data = "data", .next = "next_cursor", .has_more = "has_more"};
    struct event event = {.kind = EVENT_LIST,
                          .now = NOW,
                          .ticket = f->browse.ticket,
                          .payload = payload_of(list_result, list_result_new())};
    event_get(&event, list_result)->answer.retry_at = CLOCK_NONE;
    event_get(&event, list_result)->answer.quota_left = -1;
    assert_int_equal(wire_page(body, strlen(body), &shape, &event_get(&event, list_result)->page, NULL), ERR_OK);
    effects_clear(&f->effects);
    assert_true(browse_update(&f->browse, &event, &f->effects));
    assert_null(event_get(&event, list_result));
}

static void refuse(struct fixture *f, enum err err, int64_t retry_at) {
    struct event event = {.kind = EVENT_LIST,
                          .now = NOW,
                          .ticket = f->browse.ticket,
                          .payload = payload_of(list_result, list_result_new())};
    event_get(&event, list_result)->answer.code = err;
    event_get(&event, list_result)->answer.line = mem_dup("said by the service");
    event_get(&event, list_result)->answer.retry_at = retry_at;
    event_get(&event, list_result)->answer.quota_left = -1;
    effects_clear(&f->effects);
    assert_true(browse_update(&f->browse, &event, &f->effects));
}

static const char *id_at(const struct fixture *f, size_t row) {
    return f->browse.items[row].intent->id.text;
}

static const char PAGE_1[] =
    "{\"data\":[{\"id\":\"i5\",\"status\":\"pending\",\"created_at\":\"2026-01-05T00:00:00.000Z\"},"
    "{\"id\":\"i4\",\"status\":\"pending\",\"created_at\":\"2026-01-04T00:00:00.000Z\"}],"
    "\"next_cursor\":\"c1\"}";
static const char PAGE_2[] = "{\"data\":[{\"id\":\"i3\",\"created_at\":\"2026-01-03T00:00:00.000Z\"},"
                             "{\"id\":\"i2\",\"created_at\":\"2026-01-02T00:00:00.000Z\"}],\"next_cursor\":null}";

static void start(struct fixture *f) {
    browse_start(&f->browse, &f->effects);
}

static void a_walk_follows_the_cursor_to_its_end(void **state) {
    struct fixture *f = *state;
    start(f);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
    assert_null(last_ask(f)->cursor);
    answer(f, PAGE_1);
    assert_int_equal(f->browse.n, 2);
    assert_int_equal(f->browse.end, BROWSE_OPEN);
    assert_true(browse_more(&f->browse, &f->effects));
    assert_string_equal(last_ask(f)->cursor, "c1");
    answer(f, PAGE_2);
    assert_int_equal(f->browse.n, 4);
    assert_int_equal(f->browse.end, BROWSE_END);
    assert_false(browse_more(&f->browse, &f->effects));
    assert_string_equal(id_at(f, 3), "i2");
    assert_int_equal(f->browse.items[3].page, 1);
}

static void one_request_in_flight_never_more(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    for (int i = 0; i < 50; i++)
        browse_need(&f->browse, 1, 10, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
}

static void rows_ahead_are_enough_then_nothing_is_asked(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    browse_need(&f->browse, 0, 1, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    browse_need(&f->browse, 1, 1, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
}

static void a1_no_cursor_is_the_end(void **state) {
    static const char *const ENDS[] = {
        "{\"data\":[{\"id\":\"a\"}]}",
        "{\"data\":[{\"id\":\"a\"}],\"next_cursor\":null}",
        "{\"data\":[{\"id\":\"a\"}],\"next_cursor\":\"\"}",
        "{\"data\":[{\"id\":\"a\"}],\"next_cursor\":false}",
        "{\"data\":[{\"id\":\"a\"}],\"next_cursor\":{}}",
        "{\"data\":[{\"id\":\"a\"}],\"next_cursor\":[\"x\"]}",
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        start(f);
        answer(f, ENDS[i]);
        assert_int_equal(f->browse.end, BROWSE_END);
        browse_need(&f->browse, 0, 100, &f->effects);
        assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    }
}

static void a2_has_more_false_wins_over_a_cursor(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, "{\"data\":[{\"id\":\"a\"}],\"next_cursor\":\"c\",\"has_more\":false}");
    assert_int_equal(f->browse.end, BROWSE_END);
}

static void a3_empty_pages_are_walked_then_left_to_the_operator(void **state) {
    struct fixture *f = *state;
    static const char *const EMPTY[] = {"{\"data\":[],\"next_cursor\":\"e1\"}", "{\"data\":[],\"next_cursor\":\"e2\"}",
                                        "{\"data\":[],\"next_cursor\":\"e3\"}"};
    start(f);
    f->browse.crawl = true;
    answer(f, EMPTY[0]);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
    answer(f, EMPTY[1]);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
    answer(f, EMPTY[2]);
    assert_int_equal(f->browse.end, BROWSE_NO_PROGRESS);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    assert_true(browse_more(&f->browse, &f->effects));
    assert_string_equal(last_ask(f)->cursor, "e3");
}

/* Reading ahead and `--all` ask page by page, without the walk's own crawl. */
static void a3_walking_page_by_page_stops_at_empty_ones_too(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    browse_need(&f->browse, 0, 100, &f->effects);
    answer(f, "{\"data\":[],\"next_cursor\":\"e1\"}");
    assert_true(browse_more(&f->browse, &f->effects));
    answer(f, "{\"data\":[],\"next_cursor\":\"e2\"}");
    browse_need(&f->browse, 0, 100, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
    answer(f, "{\"data\":[],\"next_cursor\":\"e3\"}");
    assert_int_equal(f->browse.end, BROWSE_NO_PROGRESS);
    browse_need(&f->browse, 0, 100, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
}

static void a4_a_repeated_cursor_stops_and_keeps_the_rows(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    (void)browse_more(&f->browse, &f->effects);
    answer(f, "{\"data\":[{\"id\":\"i3\"}],\"next_cursor\":\"c1\"}");
    assert_int_equal(f->browse.end, BROWSE_LOOP);
    assert_int_equal(f->browse.n, 3);
    assert_false(browse_more(&f->browse, &f->effects));
}

static void a5_new_cursors_with_the_same_rows_stop(void **state) {
    struct fixture *f = *state;
    start(f);
    f->browse.crawl = true;
    answer(f, PAGE_1);
    answer(f, "{\"data\":[{\"id\":\"i5\"},{\"id\":\"i4\"}],\"next_cursor\":\"c2\"}");
    assert_int_equal(f->browse.end, BROWSE_NO_PROGRESS);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    assert_int_equal(f->browse.n, 2);
}

static void a6_a_last_cursor_to_an_empty_page_is_no_error(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    (void)browse_more(&f->browse, &f->effects);
    answer(f, "{\"data\":[],\"next_cursor\":null}");
    assert_int_equal(f->browse.end, BROWSE_END);
    assert_int_equal(f->browse.code, ERR_OK);
    assert_int_equal(f->browse.n, 2);
}

static void a11_the_filter_goes_with_every_cursor(void **state) {
    struct fixture *f = *state;
    struct server_filter filter = {0};
    server_filter_add_status(&filter, "pending");
    server_filter_set_type(&filter, "card_only");
    browse_set_filter(&f->browse, &filter, &f->effects);
    assert_null(last_ask(f)->cursor);
    answer(f, PAGE_1);
    (void)browse_more(&f->browse, &f->effects);
    assert_true(server_filter_equal(&last_ask(f)->filter, &filter));
    assert_string_equal(last_ask(f)->cursor, "c1");
    server_filter_clear(&filter);
}

static void a11_another_filter_drops_the_cursor(void **state) {
    struct fixture *f = *state;
    struct server_filter filter = {0};
    start(f);
    answer(f, PAGE_1);
    server_filter_add_status(&filter, "declined");
    browse_set_filter(&f->browse, &filter, &f->effects);
    assert_null(last_ask(f)->cursor);
    assert_int_equal(f->browse.n, 2); /* still on show */
    answer(f, "{\"data\":[{\"id\":\"d1\",\"status\":\"declined\"}]}");
    assert_int_equal(f->browse.n, 1);
    server_filter_clear(&filter);
}

static void a13_an_id_served_twice_is_replaced(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    (void)browse_more(&f->browse, &f->effects);
    answer(f, "{\"data\":[{\"id\":\"i4\",\"status\":\"approved\"},{\"id\":\"i3\"}],\"next_cursor\":null}");
    assert_int_equal(f->browse.n, 3);
    assert_string_equal(f->browse.items[1].intent->status.text, "approved");
    assert_true(f->browse.items[1].changed != 0);
    assert_int_equal(f->browse.repeated_rows, 1);
}

static void a13_rows_without_an_id_are_shown(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, "{\"data\":[{\"amount\":1},{\"amount\":2},{\"id\":null}]}");
    assert_int_equal(f->browse.n, 3);
}

/* The bytes of the first row are the id of the second, and the other way round. */
static void f30_a_broken_row_that_reads_as_an_id_stays_beside_it(void **state) {
    struct fixture *f = *state;
    static const char *const PAGES[] = {"{\"data\":[5,{\"id\":\"5\"}],\"next_cursor\":null}",
                                        "{\"data\":[{\"id\":\"5\"},5],\"next_cursor\":null}"};
    for (size_t i = 0; i < COUNT_OF(PAGES); i++) {
        start(f);
        answer(f, PAGES[i]);
        assert_int_equal(f->browse.n, 2);
        assert_int_equal(f->browse.broken_rows, 1);
        assert_int_equal(f->browse.repeated_rows, 0);
        assert_non_null(f->browse.items[i].intent->broken);
        assert_string_equal(id_at(f, 1 - i), "5");
    }
}

static void a15_an_order_that_is_not_newest_first_is_noticed(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, "{\"data\":[{\"id\":\"a\",\"created_at\":\"2026-01-01T00:00:00.000Z\"},"
              "{\"id\":\"b\",\"created_at\":\"2026-01-02T00:00:00.000Z\"}]}");
    assert_false(f->browse.newest_first);
}

static void b5_a_filter_the_service_ignored_is_said(void **state) {
    struct fixture *f = *state;
    struct server_filter filter = {0};
    server_filter_add_status(&filter, "declined");
    browse_set_filter(&f->browse, &filter, &f->effects);
    answer(f, PAGE_1);
    assert_true(f->browse.mismatch);
    server_filter_clear(&filter);
}

static void n11_a_late_answer_of_an_older_request_is_dropped(void **state) {
    struct fixture *f = *state;
    start(f);
    uint64_t older = f->browse.ticket;
    struct server_filter filter = {0};
    server_filter_add_status(&filter, "declined");
    browse_set_filter(&f->browse, &filter, &f->effects);
    struct event event = {
        .kind = EVENT_LIST, .now = NOW, .ticket = older, .payload = payload_of(list_result, list_result_new())};
    assert_false(browse_update(&f->browse, &event, &f->effects));
    assert_non_null(event_get(&event, list_result));
    list_result_free(event_get(&event, list_result));
    server_filter_clear(&filter);
}

static void a_refresh_puts_newer_rows_above_and_keeps_the_pages(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    (void)browse_more(&f->browse, &f->effects);
    answer(f, PAGE_2);
    browse_refresh(&f->browse, &f->effects);
    answer(f, "{\"data\":[{\"id\":\"i7\"},{\"id\":\"i6\"},{\"id\":\"i5\",\"status\":\"approved\"}],"
              "\"next_cursor\":\"other\"}");
    assert_int_equal(f->browse.n, 6);
    assert_string_equal(id_at(f, 0), "i7");
    assert_true(f->browse.items[0].is_new);
    assert_string_equal(id_at(f, 2), "i5");
    assert_true(f->browse.items[2].changed != 0);
    assert_int_equal(browse_find(&f->browse, "i2"), 5);
    assert_int_equal(f->browse.pages.items[1].first, 4);
    assert_int_equal(f->browse.end, BROWSE_END);
}

static void a_refresh_reads_on_until_it_meets_known_ground(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    browse_refresh(&f->browse, &f->effects);
    answer(f, "{\"data\":[{\"id\":\"i9\"},{\"id\":\"i8\"}],\"next_cursor\":\"h1\"}");
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
    assert_string_equal(last_ask(f)->cursor, "h1");
    assert_int_equal(f->browse.n, 2);
    answer(f, "{\"data\":[{\"id\":\"i7\"},{\"id\":\"i5\"}],\"next_cursor\":\"h2\"}");
    assert_int_equal(f->browse.n, 5);
    assert_string_equal(id_at(f, 0), "i9");
    assert_string_equal(id_at(f, 2), "i7");
    assert_string_equal(f->browse.next, "c1");
}

static void a_refresh_that_meets_nothing_known_starts_the_list_anew(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    browse_refresh(&f->browse, &f->effects);
    for (int i = 0; i < 5; i++) {
        struct str body;
        str_init(&body, 256);
        str_addf(&body, "{\"data\":[{\"id\":\"n%d\"}],\"next_cursor\":\"h%d\"}", i, i);
        answer(f, body.s);
        str_clear(&body);
    }
    assert_int_equal(f->browse.n, 5);
    assert_int_equal(browse_find(&f->browse, "i5"), f->browse.n);
    assert_string_equal(f->browse.next, "h4");
    assert_false(browse_is_busy(&f->browse));
}

static void a_failure_keeps_the_rows_and_says_offline(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    browse_refresh(&f->browse, &f->effects);
    refuse(f, ERR_CONNECT, CLOCK_NONE);
    assert_int_equal(f->browse.n, 2);
    assert_int_equal(f->browse.link, BROWSE_OFFLINE);
    assert_int_equal(f->browse.last_answer, NOW);
    assert_string_equal(f->browse.line, "said by the service");
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
}

static void n6_a_refused_token_is_not_asked_with_again(void **state) {
    struct fixture *f = *state;
    start(f);
    refuse(f, ERR_UNAUTHORISED, CLOCK_NONE);
    assert_int_equal(f->browse.link, BROWSE_DENIED);
    browse_need(&f->browse, 0, 100, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
}

static bool timer_set(const struct fixture *f, enum timer timer, int64_t *at) {
    for (size_t i = 0; i < f->effects.n; i++) {
        if (f->effects.items[i].kind == EFFECT_TIMER && effect_get(&f->effects.items[i], timer_ask)->timer == timer) {
            *at = effect_get(&f->effects.items[i], timer_ask)->at;
            return true;
        }
    }
    return false;
}

static void variation_d6_a_throttled_read_is_repeated_after_the_wait(void **state) {
    struct fixture *f = *state;
    int64_t at;
    start(f);
    answer(f, PAGE_1);
    (void)browse_more(&f->browse, &f->effects);
    refuse(f, ERR_THROTTLED, NOW + 3000);
    assert_true(timer_set(f, TIMER_RETRY, &at));
    assert_int_equal(at, NOW + 3000);
    assert_false(browse_more(&f->browse, &f->effects));
    struct event event = {
        .kind = EVENT_TIMER, .payload = payload_of(timer_fired, &(struct timer_fired){TIMER_RETRY}), .now = NOW + 3000};
    assert_true(browse_update(&f->browse, &event, &f->effects));
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
    assert_string_equal(last_ask(f)->cursor, "c1");
}

/* The wait's timer has run out. */
static void waited(struct fixture *f) {
    struct event event = {.kind = EVENT_TIMER,
                          .payload = payload_of(timer_fired, &(struct timer_fired){TIMER_RETRY}),
                          .now = f->browse.retry_at};
    assert_true(browse_update(&f->browse, &event, &f->effects));
}

static void variation_d1_d4_at_once_again_and_again_becomes_no_flood(void **state) {
    struct fixture *f = *state;
    start(f);
    refuse(f, ERR_THROTTLED, NOW);
    assert_int_equal(f->browse.retry_at, NOW);
    waited(f);
    refuse(f, ERR_THROTTLED, NOW);
    assert_in_range(f->browse.retry_at, NOW + 1000, NOW + 1250);
    waited(f);
    refuse(f, ERR_THROTTLED, NOW);
    assert_in_range(f->browse.retry_at, NOW + 2000, NOW + 2500);
    waited(f);
    refuse(f, ERR_THROTTLED, NOW + 30000);
    assert_int_equal(f->browse.retry_at, NOW + 30000);
    waited(f);
    answer(f, PAGE_1);
    (void)browse_more(&f->browse, &f->effects);
    refuse(f, ERR_THROTTLED, NOW);
    assert_int_equal(f->browse.retry_at, NOW);
}

static void variation_d5_a_wait_is_clamped_to_an_hour(void **state) {
    struct fixture *f = *state;
    start(f);
    refuse(f, ERR_THROTTLED, NOW + 86400000);
    assert_int_equal(f->browse.retry_at, NOW + 3600000);
}

static void k42_a_day_of_waiting_is_said_and_not_waited_for(void **state) {
    struct fixture *f = *state;
    int64_t at;
    start(f);
    refuse(f, ERR_THROTTLED, NOW + 3600000);
    assert_false(timer_set(f, TIMER_RETRY, &at));
    assert_int_equal(f->browse.retry_at, NOW + 3600000);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
}

static void cancelling_takes_the_request_and_the_wait_back(void **state) {
    struct fixture *f = *state;
    start(f);
    effects_clear(&f->effects);
    browse_cancel(&f->browse, &f->effects);
    assert_int_equal(f->effects.items[0].kind, EFFECT_CANCEL);
    assert_false(browse_is_busy(&f->browse));
    start(f);
    refuse(f, ERR_THROTTLED, NOW + 1000);
    browse_cancel(&f->browse, &f->effects);
    assert_int_equal(f->browse.retry_at, CLOCK_NONE);
    struct event event = {
        .kind = EVENT_TIMER, .payload = payload_of(timer_fired, &(struct timer_fired){TIMER_RETRY}), .now = NOW + 3000};
    effects_clear(&f->effects);
    (void)browse_update(&f->browse, &event, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
}

static void a12_a_refused_cursor_keeps_the_rows(void **state) {
    struct fixture *f = *state;
    start(f);
    answer(f, PAGE_1);
    (void)browse_more(&f->browse, &f->effects);
    struct event event = {.kind = EVENT_LIST,
                          .now = NOW,
                          .ticket = f->browse.ticket,
                          .payload = payload_of(list_result, list_result_new())};
    event_get(&event, list_result)->answer.code = ERR_REFUSED;
    event_get(&event, list_result)->answer.cursor_refused = true;
    event_get(&event, list_result)->answer.retry_at = CLOCK_NONE;
    assert_true(browse_update(&f->browse, &event, &f->effects));
    assert_true(f->browse.cursor_refused);
    assert_int_equal(f->browse.n, 2);
}

/* The answer to what was asked of the cache. */
static void cached(struct fixture *f, const char *body, bool done) {
    struct wire_shape shape = {.data = "data"};
    struct event event = {.kind = EVENT_CACHE_ROWS,
                          .now = NOW,
                          .ticket = f->browse.cache.ticket,
                          .payload = payload_of(cached_rows, cached_rows_new())};
    assert_int_equal(wire_page(body, strlen(body), &shape, &event_get(&event, cached_rows)->page, NULL), ERR_OK);
    event_get(&event, cached_rows)->confirmed =
        mem_new_array(event_get(&event, cached_rows)->page.n + 1, sizeof *event_get(&event, cached_rows)->confirmed);
    event_get(&event, cached_rows)->done = done;
    event_get(&event, cached_rows)->next = 7;
    effects_clear(&f->effects);
    assert_true(browse_update(&f->browse, &event, &f->effects));
    assert_null(event_get(&event, cached_rows));
}

static const char CACHED[] =
    "{\"data\":[{\"id\":\"i5\",\"status\":\"created\",\"created_at\":\"2026-01-05T00:00:00.000Z\"},"
    "{\"id\":\"gone\",\"created_at\":\"2026-01-04T12:00:00.000Z\"},"
    "{\"id\":\"i4\",\"status\":\"pending\",\"created_at\":\"2026-01-04T00:00:00.000Z\"},"
    "{\"id\":\"i3\",\"created_at\":\"2026-01-03T00:00:00.000Z\"}]}";

static void start_cached(struct fixture *f) {
    browse_use_cache(&f->browse, true);
    start(f);
}

static void cached_rows_are_on_show_before_any_request(void **state) {
    struct fixture *f = *state;
    start_cached(f);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    assert_int_equal(effects_count(&f->effects, EFFECT_CACHE_ROWS), 1);
    cached(f, CACHED, true);
    assert_int_equal(f->browse.n, 4);
    assert_int_equal(f->browse.confirmed, 0);
    assert_true(f->browse.items[0].cached);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
}

static void a_page_replaces_the_cached_rows_it_passes(void **state) {
    struct fixture *f = *state;
    start_cached(f);
    cached(f, CACHED, true);
    answer(f, PAGE_1);
    assert_int_equal(f->browse.n, 3); /* i5 and i4 confirmed, `gone` is gone, i3 still cached */
    assert_int_equal(f->browse.confirmed, 2);
    assert_string_equal(id_at(f, 0), "i5");
    assert_true(f->browse.items[0].changed != 0);
    assert_int_equal(f->browse.items[1].changed, 0);
    assert_string_equal(id_at(f, 2), "i3");
    assert_true(f->browse.items[2].cached);
    assert_int_equal(browse_find(&f->browse, "gone"), f->browse.n);
    assert_int_equal(browse_find(&f->browse, "i3"), 2);
}

static void the_end_of_the_list_drops_what_is_only_cached(void **state) {
    struct fixture *f = *state;
    start_cached(f);
    cached(f, CACHED, true);
    answer(f, "{\"data\":[{\"id\":\"i5\",\"created_at\":\"2026-01-05T00:00:00.000Z\"}],\"next_cursor\":null}");
    assert_int_equal(f->browse.n, 1);
    assert_int_equal(f->browse.end, BROWSE_END);
}

static void offline_the_cache_serves_on(void **state) {
    struct fixture *f = *state;
    start_cached(f);
    cached(f, CACHED, false);
    refuse(f, ERR_CONNECT, CLOCK_NONE);
    assert_int_equal(f->browse.n, 4);
    browse_need(&f->browse, 3, 2, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_CACHE_ROWS), 1);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    browse_need(&f->browse, 3, 2, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_CACHE_ROWS), 1);
    cached(f, "{\"data\":[{\"id\":\"i3\"},{\"id\":\"i2\"}]}", true);
    assert_int_equal(f->browse.n, 5);
    browse_need(&f->browse, 4, 2, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_CACHE_ROWS), 0);
}

static void coming_back_online_confirms_from_the_top(void **state) {
    struct fixture *f = *state;
    start_cached(f);
    cached(f, CACHED, true);
    refuse(f, ERR_CONNECT, CLOCK_NONE);
    browse_refresh(&f->browse, &f->effects);
    assert_null(last_ask(f)->cursor);
    answer(f, PAGE_1);
    assert_int_equal(f->browse.confirmed, 2);
    assert_int_equal(f->browse.link, BROWSE_ONLINE);
}

static void an_empty_cache_costs_nothing(void **state) {
    struct fixture *f = *state;
    start_cached(f);
    cached(f, "{\"data\":[]}", true);
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 1);
    answer(f, PAGE_1);
    assert_int_equal(f->browse.n, 2);
}

static void cancelling_while_the_cache_is_read_asks_nothing_after(void **state) {
    struct fixture *f = *state;
    start_cached(f);
    uint64_t ticket = f->browse.cache.ticket;
    browse_cancel(&f->browse, &f->effects);
    struct event event = {
        .kind = EVENT_CACHE_ROWS, .now = NOW, .ticket = ticket, .payload = payload_of(cached_rows, cached_rows_new())};
    effects_clear(&f->effects);
    assert_false(browse_update(&f->browse, &event, &f->effects));
    assert_int_equal(effects_count(&f->effects, EFFECT_FETCH), 0);
    cached_rows_free(event_get(&event, cached_rows));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_walk_follows_the_cursor_to_its_end),
        TEST(one_request_in_flight_never_more),
        TEST(rows_ahead_are_enough_then_nothing_is_asked),
        TEST(a1_no_cursor_is_the_end),
        TEST(a2_has_more_false_wins_over_a_cursor),
        TEST(a3_empty_pages_are_walked_then_left_to_the_operator),
        TEST(a3_walking_page_by_page_stops_at_empty_ones_too),
        TEST(a4_a_repeated_cursor_stops_and_keeps_the_rows),
        TEST(a5_new_cursors_with_the_same_rows_stop),
        TEST(a6_a_last_cursor_to_an_empty_page_is_no_error),
        TEST(a11_the_filter_goes_with_every_cursor),
        TEST(a11_another_filter_drops_the_cursor),
        TEST(a12_a_refused_cursor_keeps_the_rows),
        TEST(a13_an_id_served_twice_is_replaced),
        TEST(a13_rows_without_an_id_are_shown),
        TEST(f30_a_broken_row_that_reads_as_an_id_stays_beside_it),
        TEST(a15_an_order_that_is_not_newest_first_is_noticed),
        TEST(b5_a_filter_the_service_ignored_is_said),
        TEST(n11_a_late_answer_of_an_older_request_is_dropped),
        TEST(a_refresh_puts_newer_rows_above_and_keeps_the_pages),
        TEST(a_refresh_reads_on_until_it_meets_known_ground),
        TEST(a_refresh_that_meets_nothing_known_starts_the_list_anew),
        TEST(a_failure_keeps_the_rows_and_says_offline),
        TEST(n6_a_refused_token_is_not_asked_with_again),
        TEST(variation_d6_a_throttled_read_is_repeated_after_the_wait),
        TEST(variation_d1_d4_at_once_again_and_again_becomes_no_flood),
        TEST(variation_d5_a_wait_is_clamped_to_an_hour),
        TEST(k42_a_day_of_waiting_is_said_and_not_waited_for),
        TEST(cancelling_takes_the_request_and_the_wait_back),
        TEST(cached_rows_are_on_show_before_any_request),
        TEST(a_page_replaces_the_cached_rows_it_passes),
        TEST(the_end_of_the_list_drops_what_is_only_cached),
        TEST(offline_the_cache_serves_on),
        TEST(coming_back_online_confirms_from_the_top),
        TEST(an_empty_cache_costs_nothing),
        TEST(cancelling_while_the_cache_is_read_asks_nothing_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
