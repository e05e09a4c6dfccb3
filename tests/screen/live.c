/* Live updates as they look and feel: what waits, what is dimmed, what stays under the cursor. */
#include "base/mem.h"
#include "model/change.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PERIOD = 10000 };

#define ROW(id, status, day, amount)                                                                                   \
    "{\"id\":\"" id "\",\"status\":\"" status "\",\"created_at\":\"2026-11-" day "T10:00:00.000Z\",\"amount\":" amount \
    ",\"currency\":\"EUR\",\"direction\":\"cash_in\",\"type\":\"primary\",\"rail\":\"card\"}"
#define PAGE(rows) "{\"data\":[" rows "]}"

#define INT_3 ROW("int_3", "approved", "23", "300")
#define INT_2 ROW("int_2", "declined", "22", "200")
#define INT_1 ROW("int_1", "pending", "21", "100")

static const char OLD[] =
    PAGE(ROW("int_5", "pending", "25", "500") "," ROW("int_4", "pending", "24", "400") "," INT_3 "," INT_2 "," INT_1);
/* Two came, one was decided, one is no longer listed. */
static const char LATER[] = PAGE(ROW("int_7", "created", "27", "700") "," ROW("int_6", "pending", "26", "600") "," ROW(
    "int_5", "approved", "25", "500") "," INT_3 "," INT_2 "," INT_1);

/* What the cache holds then. */
static const char HELD[] = PAGE(ROW("int_7", "created", "27", "700") "," ROW("int_6", "pending", "26", "600") "," ROW(
    "int_5", "approved", "25", "500") "," ROW("int_4", "pending", "24", "400") "," INT_3 "," INT_2 "," INT_1);

static void open_live(struct driver *driver, int rows, int cols) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    profile->auto_refresh = PERIOD / 1000;
    driver_open_profile(driver, profile, rows, cols);
    driver_answer(driver, OLD);
}

/* The list as the index answers it. */
static void filter(struct driver *driver, const char *text) {
    struct event stored = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){true})};
    driver_event(driver, &stored);
    driver_key(driver, "/");
    driver_text(driver, text);
    driver_forget(driver);
    driver_key(driver, "Enter");
    looker_answer(driver, OLD, true);
    driver_forget(driver);
}

static void open_filtered(struct driver *driver, const char *text) {
    driver_open_cached(driver, 24, 80);
    driver_cached(driver, OLD, true);
    driver_answer(driver, OLD);
    filter(driver, text);
}

static void the_cache_moved(struct driver *driver, const char *now) {
    struct event event = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){true})};
    driver->now += 1000;
    driver_event(driver, &event);
    looker_answer(driver, now, true);
    driver_forget(driver);
}

static void open_later(struct driver *driver, int rows, int cols) {
    open_live(driver, rows, cols);
    driver_timer(driver, TIMER_LIVE, PERIOD);
    driver_answer(driver, LATER);
}

static void new_rows_wait_and_changes_are_marked(void **state) {
    (void)state;
    driver_check_sizes("live", "80x24 120x40 200x50 40x8", open_later, "");
}

static void the_key_brings_them_and_the_cursor_stays_on_its_record(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "j j");
    driver_timer(driver, TIMER_LIVE, PERIOD);
    driver_answer(driver, LATER);
    driver_shows(driver, "2 new, 1 no longer listed: .");
    driver_cursor_at(driver, "300");
    driver_key(driver, ".");
    driver_cursor_at(driver, "300");
    driver_hides(driver, "new:");
    driver_check(driver, "live-brought");
    driver_try(driver, ".", "nothing new waits");
}

static void a_change_is_seen_when_the_cursor_leaves_it(void **state) {
    struct driver *driver = *state;
    driver_timer(driver, TIMER_LIVE, PERIOD);
    driver_answer(driver, LATER);
    driver_shows(driver, "~2026-11-25");
    driver_key(driver, "j");
    driver_hides(driver, "~2026-11-25");
}

/* The text read stays where it is; what changed in it is marked. */
static void the_detail_keeps_its_place_and_marks_what_changed(void **state) {
    struct driver *driver = driver_begin(state);
    open_live(driver, 12, 80);
    driver_keys(driver, "z j j");
    driver_hides(driver, "created_at");
    driver_shows(driver, "pending");
    driver_timer(driver, TIMER_LIVE, PERIOD);
    driver_answer(driver, LATER);
    driver_shows(driver, "approved  ~");
    driver_hides(driver, "created_at");
}

static void nothing_is_asked_while_the_operator_is_busy(void **state) {
    struct driver *driver = driver_begin(state);
    open_live(driver, 12, 80);
    size_t before = driver->fetches;
    driver_key(driver, "/");
    driver_timer(driver, TIMER_LIVE, PERIOD * 2);
    assert_int_equal(driver->fetches, before);
    driver_shows(driver, "live waits: dialog");
    driver_keys(driver, "Esc 2");
    assert_int_equal(driver->fetches, before + 1); /* overdue: between prompt and pane */
    driver_answer(driver, OLD);
    driver_timer(driver, TIMER_LIVE, PERIOD * 2);
    driver_shows(driver, "live waits: other pane");
    assert_int_equal(driver->fetches, before + 1);
    driver_try(driver, "1 p", "LIVE PAUSED");
}

static void history_is_read_in_peace(void **state) {
    struct driver *driver = driver_begin(state);
    open_live(driver, 8, 80);
    driver_key(driver, "G");
    driver_answer(driver, "{\"data\":[]}");
    size_t before = driver->fetches;
    driver_timer(driver, TIMER_LIVE, PERIOD * 5);
    assert_int_equal(driver->fetches, before);
    driver_shows(driver, "live waits: not at the top");
    driver_key(driver, "g");
    assert_int_equal(driver->fetches, before + 1);
}

/* Escape has other things to do than to end a request that nobody sees. */
static void a_request_in_the_background_does_not_take_the_keys(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "z");
    driver_timer(driver, TIMER_LIVE, PERIOD);
    driver_key(driver, "Esc");
    driver_hides(driver, "cancelled");
    driver_shows(driver, "created UTC");
    driver_answer(driver, LATER);
    driver_shows(driver, "2 new");
}

static void throttled_counts_down_and_goes_on(void **state) {
    struct driver *driver = *state;
    driver_timer(driver, TIMER_LIVE, PERIOD);
    driver_fail(driver, ERR_THROTTLED, "429: the service asks to wait", driver->now + 12000);
    driver_shows(driver, "12 s to go", "live waits");
    size_t before = driver->fetches;
    driver_timer(driver, TIMER_COUNTDOWN, 5000);
    driver_shows(driver, "7 s to go");
    assert_int_equal(driver->fetches, before);
    driver_timer(driver, TIMER_RETRY, 7000);
    assert_int_equal(driver->fetches, before + 1);
    driver_answer(driver, LATER);
    driver_shows(driver, "2 new");
    driver_hides(driver, "to go");
}

static int set_up_filtered(void **state) {
    open_filtered(driver_begin(state), "pending amount>=100");
    return 0;
}

static void a_filtered_list_keeps_its_rows(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "j");
    driver_cursor_at(driver, "400");
    the_cache_moved(driver, HELD);
    driver_shows(driver, "1 new, 1 became approved: .");
    driver_cursor_at(driver, "400");
    driver_check(driver, "live-filtered");
    driver_key(driver, ".");
    looker_answer(driver, HELD, true);
    driver_hides(driver, "no longer match");
    driver_shows(driver, "600");
}

/* What the cache holds says what became of each. */
static void rows_that_left_are_told_by_what_they_became(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "j");
    the_cache_moved(driver, PAGE(ROW("int_5", "approved", "25", "500") "," ROW("int_4", "declined", "24",
                                                                               "400") "," INT_3 "," INT_2 "," INT_1));
    driver_shows(driver, "2 left (1 approved, 1 declined): .");
}

static void the_same_filter_again_is_applied_anew(void **state) {
    struct driver *driver = *state;
    the_cache_moved(driver, HELD);
    driver_keys(driver, "/");
    driver_forget(driver);
    driver_key(driver, "Enter");
    looker_answer(driver, HELD, true);
    driver_hides(driver, "no longer match");
    driver_shows(driver, "600");
}

static void what_the_operator_asked_for_does_not_wait(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "r");
    driver_answer(driver, LATER);
    the_cache_moved(driver, HELD);
    driver_hides(driver, "new:");
    driver_shows(driver, "600");
}

/* The cursor stays on the cache's newest row: that there are newer ones above is said, once. */
static void a_start_among_older_rows_says_so(void **state) {
    struct driver *driver = *state;
    static const char SAID[] = "this was the newest row at your last visit; g goes to what came since";
    driver_cached(driver, PAGE(ROW("int_1", "pending", "21", "100")), true);
    driver_hides(driver, SAID);
    driver_answer(driver, PAGE(ROW("int_2", "pending", "25", "500") "," ROW("int_1", "pending", "21", "100")));
    driver_shows(driver, SAID);
    char *row = driver_cursor_row(driver);
    assert_non_null(strstr(row, "100"));
    free(row);
    driver_key(driver, "g");
    driver_hides(driver, SAID);
}

/* At the top there is nothing to say. */
static void a_start_with_nothing_new_is_quiet(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, PAGE(ROW("int_1", "pending", "21", "100")), true);
    driver_answer(driver, PAGE(ROW("int_1", "approved", "21", "100")));
    driver_hides(driver, "last visit");
}

static void a_list_that_still_fills_grows(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, OLD, true);
    driver_answer(driver, OLD);
    driver_keys(driver, "/ 'amount>=100'");
    driver_forget(driver);
    driver_key(driver, "Enter");
    looker_answer(driver, PAGE(ROW("int_5", "pending", "25", "500")), false);
    driver_shows(driver, "1 of 1 so far");
    driver_forget(driver);
    the_cache_moved(driver, OLD);
    driver_shows(driver, " of 5 | ");
}

/* An answer of many rows, of which the first few are decoded. */
static struct lookup_result *many(size_t n, size_t decoded) {
    struct lookup_result *found = lookup_result_new();
    found->keys = mem_new_array(n, sizeof *found->keys);
    found->n = found->at = found->rows_scanned = n;
    found->whole = true;
    for (size_t i = 0; i < n; i++)
        found->keys[i] = (int64_t)i + 1;
    for (size_t i = 0; i < decoded; i++) {
        struct lookup_row *row = vec_add(&found->rows);
        struct intent *intent = intent_new();
        char id[32];
        int len = snprintf(id, sizeof id, "int_%zu", i);
        intent->id = (struct value_text){.state = VALUE_OK, .text = arena_dup_n(&intent->arena, id, (size_t)len)};
        intent->raw = mem_dup("{}");
        *row = (struct lookup_row){
            .key = (int64_t)i + 1, .confirmed = DRIVER_NOW, .intent = intent, .changed_at = CLOCK_NONE};
    }
    return found;
}

/* Rows with this sign in the gutter. */
static int signs(struct driver *driver, char sign) {
    char *dump = driver_dump(driver), *end = strstr(dump, "\n---\n"), *save = NULL;
    int n = 0;
    assert_non_null(end);
    *end = '\0';
    for (const char *line = strtok_r(dump, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        n += line[0] != '\0' && line[1] == sign;
    free(dump);
    return n;
}

static void open_many(struct driver *driver, size_t n) {
    driver_open_cached(driver, 24, 80);
    driver_cached(driver, OLD, true);
    driver_answer(driver, OLD);
    driver_keys(driver, "/ 'amount>=0'");
    driver_forget(driver);
    driver_key(driver, "Enter");
    struct event event = {.kind = EVENT_LOOKUP,
                          .ticket = driver_effect(driver, EFFECT_LOOKUP)->ticket,
                          .payload = payload_of(lookup_result, many(n, 60))};
    driver_event(driver, &event);
    driver_keys(driver, "g Space G");
    driver_forget(driver);
}

static void a_range_marks_rows_that_were_not_read_yet(void **state) {
    struct driver *driver = driver_begin(state);
    open_many(driver, 500);
    driver_key(driver, "V");
    const struct effect *asked = driver_effect(driver, EFFECT_LOOKUP_ROWS);
    assert_non_null(asked);
    assert_int_equal(effect_get(asked, lookup_keys)->n, 500);
    driver_hides(driver, "500 marked");
    struct event event = {
        .kind = EVENT_LOOKUP_ROWS, .ticket = asked->ticket, .payload = payload_of(lookup_result, many(500, 500))};
    driver_event(driver, &event);
    driver_shows(driver, "500 marked");
    driver_try(driver, "u", "1 marked");
}

static void a_range_too_long_is_refused_whole(void **state) {
    struct driver *driver = driver_begin(state);
    open_many(driver, 10001);
    driver_key(driver, "V");
    assert_null(driver_effect(driver, EFFECT_LOOKUP_ROWS));
    driver_shows(driver, "more than 10000 rows are not marked at once", "1 marked");
}

static void each_poll_catches_up_with_other_consoles(void **state) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    struct event ready = {.kind = EVENT_CACHE_STATE,
                          .payload = payload_of(cache_told, &(struct cache_told){.state = CACHE_STATE_READY})};
    struct driver *driver = driver_begin(state);
    profile->auto_refresh = PERIOD / 1000;
    driver_open_profile(driver, profile, 24, 80);
    driver_event(driver, &ready);
    driver_answer(driver, OLD);
    driver_timer(driver, TIMER_LIVE, PERIOD);
    assert_null(driver_effect(driver, EFFECT_CATCH_UP)); /* the walk alone is on show */
    driver_answer(driver, OLD);
    filter(driver, "amount>=100");
    driver_timer(driver, TIMER_LIVE, PERIOD);
    assert_non_null(driver_effect(driver, EFFECT_CATCH_UP));
}

/* Also of rows that this walk never read: what another console saw change. */
static void changes_in_a_filtered_list_are_marked_until_seen(void **state) {
    struct driver *driver = driver_begin(state);
    open_many(driver, 50);
    struct event moved = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){true})};
    driver->now += 1000;
    driver_key(driver, "g");
    driver_forget(driver);
    driver_event(driver, &moved);
    struct event event = {.kind = EVENT_LOOKUP,
                          .ticket = driver_effect(driver, EFFECT_LOOKUP)->ticket,
                          .payload = payload_of(lookup_result, many(50, 50))};
    event_get(&event, lookup_result)->at = 0;
    event_get(&event, lookup_result)->rows.items[0].changed = INTENT_CHANGE_BIT(INTENT_FIELD_STATUS);
    event_get(&event, lookup_result)->rows.items[0].changed_at = driver->now;
    event_get(&event, lookup_result)->rows.items[4].changed = INTENT_CHANGE_BIT(INTENT_FIELD_AMOUNT);
    event_get(&event, lookup_result)->rows.items[4].changed_at = driver->now;
    driver_event(driver, &event);
    assert_int_equal(signs(driver, '~'), 2);
    driver_key(driver, "j");
    assert_int_equal(signs(driver, '~'), 1);
    driver_keys(driver, "j j j");
    assert_int_equal(signs(driver, '~'), 1); /* on it: not left yet */
    driver_key(driver, "j");
    assert_int_equal(signs(driver, '~'), 0);
}

#define AFTER_SET_UP_LIVE(test) DRIVER_TEST_IN(test, open_live, 24, 80)
#define AFTER_SET_UP_FILTERED(test) cmocka_unit_test_setup_teardown(test, set_up_filtered, driver_end)
#define AFTER_SET_UP_CACHED(test) DRIVER_TEST_IN(test, driver_open_cached, 24, 80)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_rows_wait_and_changes_are_marked),
        AFTER_SET_UP_LIVE(the_key_brings_them_and_the_cursor_stays_on_its_record),
        AFTER_SET_UP_LIVE(a_change_is_seen_when_the_cursor_leaves_it),
        DRIVER_TEST(the_detail_keeps_its_place_and_marks_what_changed),
        DRIVER_TEST(nothing_is_asked_while_the_operator_is_busy),
        DRIVER_TEST(history_is_read_in_peace),
        AFTER_SET_UP_LIVE(a_request_in_the_background_does_not_take_the_keys),
        AFTER_SET_UP_LIVE(throttled_counts_down_and_goes_on),
        AFTER_SET_UP_FILTERED(a_filtered_list_keeps_its_rows),
        AFTER_SET_UP_FILTERED(rows_that_left_are_told_by_what_they_became),
        AFTER_SET_UP_FILTERED(the_same_filter_again_is_applied_anew),
        AFTER_SET_UP_FILTERED(what_the_operator_asked_for_does_not_wait),
        AFTER_SET_UP_CACHED(a_start_among_older_rows_says_so),
        AFTER_SET_UP_CACHED(a_start_with_nothing_new_is_quiet),
        AFTER_SET_UP_CACHED(a_list_that_still_fills_grows),
        DRIVER_TEST(each_poll_catches_up_with_other_consoles),
        DRIVER_TEST(changes_in_a_filtered_list_are_marked_until_seen),
        DRIVER_TEST(a_range_marks_rows_that_were_not_read_yet),
        DRIVER_TEST(a_range_too_long_is_refused_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
