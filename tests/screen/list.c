/* A list that moves: what is asked for and when, where rows come, what left, what is said of it. Keys and answers in,
 * effects and screens out. */
#include "base/mem.h"
#include "support/effects.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { PERIOD = 10000, MINUTE = 60000 };

#define ROW(id, status, day, amount)                                                                                   \
    "{\"id\":\"" id "\",\"status\":\"" status "\",\"created_at\":\"2026-11-" day "T10:00:00.000Z\",\"amount\":" amount \
    ",\"currency\":\"EUR\",\"direction\":\"cash_in\",\"type\":\"primary\",\"rail\":\"card\"}"
#define PAGE(rows) "{\"data\":[" rows "]}"
#define OPEN(rows, next) "{\"data\":[" rows "],\"next_cursor\":\"" next "\"}"

static const char TWO[] = OPEN(ROW("int_5", "pending", "25", "500") "," ROW("int_3", "pending", "23", "300"), "c1");

static void open_live(struct driver *driver, int rows, int cols) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    profile->auto_refresh = PERIOD / 1000;
    driver_open_profile(driver, profile, rows, cols);
}

/* At most one request in flight, whichever key is held: none is called back to be sent anew. */
static void hold(struct driver *driver, const char *key) {
    for (int i = 0; i < 90; i++) {
        driver->now += 33;
        driver_key(driver, key);
    }
}

static void f97_a_refresh_under_way_is_the_refresh(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, TWO);
    driver_answer(driver, PAGE(ROW("int_1", "pending", "21", "100")));
    size_t before = driver->fetches;
    driver_forget(driver);
    hold(driver, "r");
    assert_int_equal(driver->fetches, before + 1);
    assert_int_equal(effects_count(&driver->effects, EFFECT_CANCEL), 0);
    driver_shows(driver, "asking for newer ones");
    driver_answer(driver, PAGE(ROW("int_6", "pending", "26", "600") "," ROW("int_5", "approved", "25", "500")));
    assert_int_equal(driver->fetches, before + 1);
    driver_shows(driver, "600");
}

static void f97_a_page_under_way_comes_before_the_refresh(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, TWO); /* the next page is asked for by itself */
    size_t before = driver->fetches;
    driver_forget(driver);
    hold(driver, "r");
    assert_int_equal(driver->fetches, before);
    assert_int_equal(effects_count(&driver->effects, EFFECT_CANCEL), 0);
    driver_answer(driver, PAGE(ROW("int_1", "pending", "21", "100")));
    assert_int_equal(driver->fetches, before + 1);
    assert_null(driver_ask(driver)->cursor);
    driver_answer(driver, TWO);
    assert_int_equal(driver->fetches, before + 1);
}

static void f97_reading_all_goes_on_whatever_is_held(void **state) {
    static const char *const KEYS[] = {"R", "r", "G", "PgDn"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        struct driver driver;
        driver_open(&driver, 24, 80);
        driver_answer(&driver, TWO);
        driver_answer(&driver, PAGE(ROW("int_1", "pending", "21", "100")));
        driver_key(&driver, "R");
        driver_answer(&driver, TWO);
        size_t before = driver.fetches;
        driver_forget(&driver);
        hold(&driver, KEYS[i]);
        assert_int_equal(driver.fetches, before);
        assert_int_equal(effects_count(&driver.effects, EFFECT_CANCEL), 0);
        driver_close(&driver);
    }
}

static void f97_a_wait_that_the_service_asked_for_is_kept(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, PAGE(ROW("int_5", "pending", "25", "500")));
    driver_key(driver, "r");
    driver_fail(driver, ERR_THROTTLED, "429: the service asks to wait", driver->now + 12000);
    size_t before = driver->fetches;
    hold(driver, "r");
    assert_int_equal(driver->fetches, before);
    driver_timer(driver, TIMER_RETRY, 12000);
    assert_int_equal(driver->fetches, before + 1);
}

static void r_reads_by_type_where_the_service_counts_its_rows(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, "{\"data\":[" ROW("int_2", "pending", "22", "200") "],\"next_cursor\":\"c\",\"total\":900}");
    driver_try(driver, "R", "reading every page, several at once");
}

/* The service answers between two repeats of a key. */
static void hold_at_once(struct driver *driver, const char *key, bool fails) {
    for (int i = 0; i < 90; i++) {
        size_t before = driver->fetches;
        driver->now += 33;
        driver_key(driver, key);
        if (driver->fetches == before)
            continue;
        if (fails)
            driver_fail(driver, ERR_CONNECT, "refused", CLOCK_NONE);
        else
            driver_answer(driver, PAGE(ROW("int_5", "pending", "25", "500")));
    }
}

static void f97_a_service_that_answers_at_once_is_asked_once_a_second(void **state) {
    static const char *const KEYS[] = {"r", "R"};
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(KEYS); i++) {
        struct driver driver;
        driver_open(&driver, 24, 80);
        driver_answer(&driver, PAGE(ROW("int_5", "pending", "25", "500")));
        size_t before = driver.fetches;
        hold_at_once(&driver, KEYS[i / 2], i % 2 == 1);
        assert_in_range(driver.fetches - before, 1, 4);
        before = driver.fetches;
        driver_timer(&driver, TIMER_DEFERRED, 1000); /* the last press counts too */
        assert_int_equal(driver.fetches, before + 1);
        driver_answer(&driver, PAGE(ROW("int_5", "pending", "25", "500")));
        driver_timer(&driver, TIMER_DEFERRED, 1000);
        assert_int_equal(driver.fetches, before + 1);
        driver_close(&driver);
    }
}

static void f97_nor_is_a_next_page_that_fails_at_once(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, TWO);
    driver_fail(driver, ERR_CONNECT, "refused", CLOCK_NONE);
    size_t before = driver->fetches;
    hold_at_once(driver, "PgDn", true);
    assert_in_range(driver->fetches - before, 1, 4);
}

/* The order of the rows from the top, by their amounts. */
static void assert_order(struct driver *driver, const char *const amounts[]) {
    char *dump = driver_dump(driver);
    const char *at = dump;
    for (size_t i = 0; amounts[i]; i++) {
        at = strstr(at, amounts[i]);
        assert_non_null(at);
    }
    free(dump);
}

static void f85_a_new_row_stands_where_its_time_is(void **state) {
    struct driver *driver = driver_begin(state);
    open_live(driver, 24, 80);
    driver_answer(driver, PAGE(ROW("int_5", "pending", "25", "500") "," ROW("int_3", "pending", "23", "300") "," ROW(
                              "int_1", "pending", "21", "100")));
    driver_timer(driver, TIMER_LIVE, PERIOD);
    driver_answer(driver, PAGE(ROW("int_7", "pending", "27", "700") "," ROW("int_5", "pending", "25", "500") "," ROW(
                              "int_4", "pending", "24", "400") "," ROW("int_3", "pending", "23",
                                                                       "300") "," ROW("int_2", "pending", "22",
                                                                                      "200") "," ROW("int_1", "pending",
                                                                                                     "21", "100")));
    driver_shows(driver, "3 new: .");
    driver_key(driver, ".");
    assert_order(driver, (const char *const[]){"700", "500", "400", "300", "200", "100", NULL});
}

static void f85_so_does_one_that_a_refresh_by_hand_brings(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, TWO);
    driver_answer(driver, PAGE(ROW("int_1", "pending", "21", "100")));
    driver_key(driver, "r");
    driver_answer(driver, OPEN(ROW("int_5", "pending", "25", "500") "," ROW("int_4", "pending", "24", "400"), "c9"));
    assert_order(driver, (const char *const[]){"500", "400", "300", "100", NULL});
}

/* Oldest first: the same, the other way round. */
static void f85_in_a_list_that_is_oldest_first_too(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, PAGE(ROW("int_1", "pending", "21", "100") "," ROW("int_3", "pending", "23", "300")));
    driver_key(driver, "r");
    driver_answer(driver, PAGE(ROW("int_1", "pending", "21", "100") "," ROW("int_2", "pending", "22", "200") "," ROW(
                              "int_3", "pending", "23", "300")));
    assert_order(driver, (const char *const[]){"100", "200", "300", NULL});
}

static const char VISIT[] = "last visit";

/* Rows of the cache, and whether anybody looked at it before. */
static void cached(struct driver *driver, const char *body, bool first_visit) {
    driver->first_visit = first_visit;
    driver_cached(driver, body, true);
}

static void f38_the_order_is_looked_at(void **state) {
    struct driver *driver = *state;
    cached(driver, PAGE(ROW("int_5", "pending", "25", "500") "," ROW("int_4", "pending", "24", "400")), false);
    driver_answer(driver, OPEN(ROW("int_1", "pending", "21", "100") "," ROW("int_2", "pending", "22", "200"), "c1"));
    driver_hides(driver, VISIT);
}

static void f38_no_visit_no_sentence(void **state) {
    static const char LATER[] = PAGE(ROW("int_6", "pending", "26", "600") "," ROW("int_5", "pending", "25", "500"));
    (void)state;
    for (int first = 0; first < 2; first++) {
        struct driver driver;
        driver_open_cached(&driver, 24, 80);
        cached(&driver, PAGE(ROW("int_5", "pending", "25", "500")), first == 1);
        driver_answer(&driver, LATER);
        assert_int_equal(driver_sees(&driver, VISIT), first == 0);
        driver_close(&driver);
    }
}

static const char LOST[] = "the record under the cursor is no longer listed";

static void f42_a_record_that_reading_anew_did_not_find_is_said(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, PAGE(ROW("int_5", "pending", "25", "500") "," ROW("int_3", "pending", "23", "300") "," ROW(
                              "int_1", "pending", "21", "100")));
    driver_keys(driver, "j R");
    driver_answer(driver, OPEN(ROW("int_5", "pending", "25", "500"), "c1"));
    driver_hides(driver, LOST); /* it may come */
    driver_answer(driver, PAGE(ROW("int_1", "pending", "21", "100")));
    driver_shows(driver, LOST);
    driver_cursor_at(driver, "100");
}

static void f42_one_that_is_found_again_is_not(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, PAGE(ROW("int_5", "pending", "25", "500") "," ROW("int_3", "pending", "23", "300")));
    driver_keys(driver, "j R");
    driver_answer(driver, OPEN(ROW("int_5", "pending", "25", "500"), "c1"));
    driver_answer(driver, PAGE(ROW("int_3", "pending", "23", "300")));
    driver_hides(driver, LOST);
    driver_cursor_at(driver, "300");
}

/* Rows of the last visit are on show, and whoever opened the console has placed the cursor nowhere yet. */
static void f42_nothing_is_said_of_a_cursor_that_nobody_placed(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, PAGE(ROW("int_5", "pending", "25", "500") "," ROW("int_4", "pending", "24", "400")), true);
    driver_answer(driver, PAGE(ROW("int_1", "pending", "21", "100") "," ROW("int_2", "pending", "22", "200")));
    driver_shows(driver, "200");
    driver_hides(driver, LOST);
}

/* A page of one row whose cursor leads to the next: without an end. */
static void answer_next(struct driver *driver, int number) {
    char body[512];
    (void)snprintf(body, sizeof body,
                   "{\"data\":[{\"id\":\"new_%d\",\"status\":\"pending\",\"created_at\":\"2026-11-27T10:%02d:00.000Z\","
                   "\"amount\":%d,\"currency\":\"EUR\"}],\"next_cursor\":\"n%d\"}",
                   number, 59 - number, 9000 + number, number);
    driver_answer(driver, body);
}

static int answer_all(struct driver *driver) {
    int pages = 0;
    size_t before;
    do {
        before = driver->fetches;
        answer_next(driver, pages++);
    } while (driver->fetches > before && pages < 50);
    return pages;
}

static void f86_live_from_the_start_stays_at_the_top_and_asks_before_much(void **state) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    struct driver *driver = driver_begin(state);
    profile->auto_refresh = PERIOD / 1000;
    driver_open_profile_cached(driver, profile, 8, 80);
    cached(driver, PAGE(ROW("int_1", "pending", "21", "100")), false);
    int pages = answer_all(driver);
    assert_in_range(pages, 3, 10);
    driver_cursor_at(driver, "9,000");
    driver_shows(driver, "between them and the cached");
    driver_hides(driver, "live waits");
    size_t before = driver->fetches;
    driver_timer(driver, TIMER_LIVE, PERIOD);
    assert_int_equal(driver->fetches, before + 1); /* goes on looking for newer ones */
}

static void f86_nor_is_much_read_for_a_cursor_on_a_cached_row(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_cached(driver, 8, 80);
    cached(driver, PAGE(ROW("int_1", "pending", "21", "100")), false);
    assert_in_range(answer_all(driver), 3, 10);
    driver_shows(driver, "between them and the cached");
    size_t before = driver->fetches;
    driver_key(driver, "R");
    assert_int_equal(driver->fetches, before); /* of the cache first */
}

static void f100_live_stops_at_answers_that_asking_again_does_not_change(void **state) {
    static const struct {
        enum err code;
        int status;
    } FINAL[] = {{ERR_NOT_FOUND, 404}, {ERR_REFUSED, 422}, {ERR_REFUSED, 400}, {ERR_REFUSED, 410}, {ERR_REDIRECT, 302}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(FINAL); i++) {
        struct driver driver;
        open_live(&driver, 24, 80);
        driver_answer(&driver, PAGE(ROW("int_5", "pending", "25", "500")));
        driver_timer(&driver, TIMER_LIVE, PERIOD);
        driver.status = FINAL[i].status;
        driver_fail(&driver, FINAL[i].code, "refused by the service", CLOCK_NONE);
        size_t before = driver.fetches;
        for (int k = 0; k < 20; k++)
            driver_timer(&driver, TIMER_LIVE, MINUTE);
        assert_int_equal(driver.fetches, before);
        driver_shows(&driver, "live stopped: refused", "Live updates stopped, r asks again.");
        driver_key(&driver, "r");
        assert_int_equal(driver.fetches, before + 1);
        driver_answer(&driver, PAGE(ROW("int_5", "pending", "25", "500")));
        driver_timer(&driver, TIMER_LIVE, PERIOD);
        assert_int_equal(driver.fetches, before + 2);
        driver_close(&driver);
    }
}

static void f100_one_that_speaks_of_the_moment_is_asked_again(void **state) {
    struct driver *driver = driver_begin(state);
    open_live(driver, 24, 80);
    driver_answer(driver, PAGE(ROW("int_5", "pending", "25", "500")));
    driver_timer(driver, TIMER_LIVE, PERIOD);
    driver->status = 408;
    driver_fail(driver, ERR_REFUSED, "it waited too long", CLOCK_NONE);
    size_t before = driver->fetches;
    driver_timer(driver, TIMER_LIVE, MINUTE);
    assert_int_equal(driver->fetches, before + 1);
}

#define DECLINED PAGE(ROW("int_5", "declined", "25", "500") "," ROW("int_3", "declined", "23", "300"))

/* What is held of other statuses came by the way, and is not all there is of them. */
static void f82_the_claim_belongs_to_the_filter_being_typed(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, OPEN(ROW("int_5", "declined", "25", "500"), "c1"));
    driver_keys(driver, "/ 'status:declined amount>=1'");
    driver_forget(driver);
    driver_key(driver, "Enter");
    driver->coverage = (struct coverage){.reach = COVERAGE_WHOLE, .cached = true, .as_of = driver->now};
    driver_answer(driver, DECLINED);
    looker_answer(driver, DECLINED, true);
    driver_shows(driver, "all there are");
    driver_forget(driver);
    driver_keys(driver, "/ Ctrl-U");
    driver->coverage = (struct coverage){.reach = COVERAGE_PART, .cached = true, .as_of = CLOCK_NONE};
    driver_text(driver, "card");
    looker_answer(driver, DECLINED, true);
    driver_shows(driver, "being typed", "2 cached rows so far");
    driver_hides(driver, "all there are");
}

/* Nor does a walk to its end tell that the cache has it all, where an answer in it was not whole. */
static void f28_an_answer_that_is_not_whole_makes_no_filter_so(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, "{\"data\":[" ROW("int_5", "declined", "25", "500") "],\"partial\":true}");
    driver_key(driver, "/");
    driver_forget(driver);
    driver->coverage = (struct coverage){.reach = COVERAGE_PART, .cached = true, .as_of = CLOCK_NONE};
    driver_text(driver, "card");
    looker_answer(driver, DECLINED, true);
    driver_shows(driver, "being typed", "2 cached rows so far");
    driver_hides(driver, "all there are");
}

/* A narrower one is within what was read. */
static void f82_one_within_what_was_read_keeps_it(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, DECLINED);
    driver_key(driver, "/");
    driver_forget(driver);
    driver_text(driver, "status:declined card");
    looker_answer(driver, DECLINED, true);
    driver_shows(driver, "2 rows, all there are");
}

/* The cache knows of a walk to the end; another walk that begins takes nothing of that away. */
static void f84_what_was_whole_stays_so_as_of_when(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_cached(driver, 24, 140);
    driver_cached(driver, NULL, true);
    driver_answer(driver, OPEN(ROW("int_5", "declined", "25", "500"), "c1"));
    driver->coverage = (struct coverage){.reach = COVERAGE_WHOLE, .cached = true, .as_of = driver->now - 10 * MINUTE};
    driver_keys(driver, "/ 'amount>=1'");
    driver_forget(driver);
    driver_key(driver, "Enter");
    looker_answer(driver, DECLINED, true);
    driver_shows(driver, "2 rows, all there are, as of 2026-11-28 11:50:00 UTC");
}

/* Under the list as served too: the page that is read again after a filter is no loss. */
static void f84_a_list_read_to_its_end_is_known_after_a_filter_was_removed(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, OPEN(ROW("int_5", "declined", "25", "500"), "c1"));
    driver_shows(driver, "more on the server");
    driver_keys(driver, "/ 'status:pending' Enter");
    driver_cached(driver, NULL, true);
    driver_answer(driver, OPEN(ROW("int_4", "pending", "25", "500"), "c2"));
    driver_hides(driver, "all read"); /* of these it is not known */
    driver_keys(driver, "/ Ctrl-U Enter");
    driver->coverage = (struct coverage){.reach = COVERAGE_WHOLE, .cached = true, .as_of = driver->now - 10 * MINUTE};
    driver_cached(driver, NULL, true);
    driver_answer(driver, OPEN(ROW("int_5", "declined", "25", "500"), "c3"));
    driver_shows(driver, "every intent of this account (all read 11:50)", "order: as sent");
}

/* The cursor's record belongs to another list: that it is not in this one is what the filter is for. */
static void f42_a_record_that_a_filter_left_out_is_not_lost(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, PAGE(ROW("int_5", "declined", "25", "500")));
    driver_keys(driver, "R / 'status:pending' Enter");
    driver_answer(driver, PAGE(ROW("int_4", "pending", "25", "400")));
    driver_shows(driver, "400");
    driver_hides(driver, LOST);
}

#define PENDING_3                        \
    ROW("int_5", "pending", "25", "500") \
    "," ROW("int_4", "pending", "24", "400") "," ROW("int_3", "pending", "23", "300")
#define PENDING_2 ROW("int_5", "pending", "25", "500") "," ROW("int_3", "pending", "23", "300")
#define WITHOUT_NEWEST ROW("int_4", "pending", "24", "400") "," ROW("int_3", "pending", "23", "300")
#define AFTER                            \
    ROW("int_5", "pending", "25", "500") \
    "," ROW("int_4", "approved", "24", "400") "," ROW("int_3", "pending", "23", "300")

static void apply(struct driver *driver, const char *text) {
    driver_key(driver, "/");
    driver_text(driver, text);
    driver_forget(driver);
    driver_key(driver, "Enter");
}

/* A part of the filter is applied here: the cache's rows are asked for again. */
static void f42_so_it_is_under_a_filter_of_which_a_part_is_applied_here(void **state) {
    static const char *const KEYS[] = {"r", "R"};
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        struct driver driver;
        driver_open_cached(&driver, 24, 80);
        driver_cached(&driver, NULL, true);
        driver_answer(&driver, PAGE(PENDING_3));
        apply(&driver, "status:pending amount>0");
        driver_cached(&driver, NULL, true);
        driver_answer(&driver, PAGE(PENDING_3));
        looker_settle(&driver, PAGE(PENDING_3), true);
        driver_keys(&driver, "g");
        driver_cursor_at(&driver, "500");
        driver_forget(&driver);
        driver.now += 1000;
        driver_key(&driver, KEYS[i]);
        driver_answer(&driver, PAGE(WITHOUT_NEWEST));
        driver_event(&driver, &(struct event){.kind = EVENT_INDEX,
                                              .payload = payload_of(index_filled, &(struct index_filled){true})});
        looker_settle(&driver, PAGE(WITHOUT_NEWEST), true);
        driver_cursor_at(&driver, "400");
        driver_shows(&driver, LOST);
        driver_close(&driver);
    }
    (void)state;
}

static void index_filled_and_answered(struct driver *driver, const char *body) {
    driver_event(driver, &(struct event){.kind = EVENT_INDEX,
                                         .payload = payload_of(index_filled, &(struct index_filled){true})});
    looker_settle(driver, body, true);
}

/* A filter that leaves it out, as it is typed and once it is applied: answered twice while the index is filled, the
 * first time with nothing. */
static void f42_a_record_that_the_filter_leaves_out_is_not_lost_however_often_it_is_answered(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, PAGE(PENDING_3));
    driver_keys(driver, "g /");
    driver_text(driver, "amount<400");
    looker_settle(driver, PAGE(""), false);
    index_filled_and_answered(driver, PAGE(PENDING_3));
    index_filled_and_answered(driver, PAGE(PENDING_3));
    driver_hides(driver, LOST);
    driver_key(driver, "Enter");
    looker_settle(driver, PAGE(""), false);
    driver_hides(driver, LOST);
    index_filled_and_answered(driver, PAGE(PENDING_3));
    driver_cursor_at(driver, "300");
    driver_hides(driver, LOST);
    index_filled_and_answered(driver, PAGE(PENDING_3));
    driver_keys(driver, "/ Ctrl-U 'amount<500' Ctrl-C");
    looker_settle(driver, PAGE(PENDING_3), true);
    index_filled_and_answered(driver, PAGE(PENDING_3));
    driver_hides(driver, LOST);
}

/* The index answers before it has all rows of the page: with none, or with others. */
static void the_record_under_the_cursor_is_waited_for(void **state) {
    static const char *const EARLY[] = {PAGE(""), PAGE(ROW("int_9", "pending", "29", "900"))};
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, PAGE(PENDING_3));
    for (size_t i = 0; i < COUNT_OF(EARLY); i++) {
        driver_keys(driver, "g Down");
        apply(driver, "amount>2");
        looker_answer(driver, EARLY[i], false);
        driver_shows(driver, i == 0 ? "no cached intent matches so far" : "1 of 1");
        driver_forget(driver);
        driver_event(driver, &(struct event){.kind = EVENT_INDEX,
                                             .payload = payload_of(index_filled, &(struct index_filled){true})});
        looker_settle(driver, PAGE(PENDING_3), true);
        driver_shows(driver, "2 of 3");
        driver_keys(driver, "/ Ctrl-U Enter");
    }
}

static void it_is_returned_to_after_a_filter_that_finds_nothing(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, PAGE(PENDING_3));
    driver_key(driver, "Down");
    apply(driver, "amount>2000000");
    looker_settle(driver, PAGE(PENDING_3), true);
    driver_shows(driver, "no intent matches the filter");
    driver_keys(driver, "/ Ctrl-U 'amount>1' Enter");
    looker_settle(driver, PAGE(PENDING_3), true);
    driver_shows(driver, "2 of 3");
}

/* The service serves it no more under the filter: it is marked, and looked for in the list without the statuses. */
static void f81_a_row_that_left_the_filter_is_marked_and_said_what_it_became(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, PAGE(PENDING_3));
    apply(driver, "status:pending");
    driver_answer(driver, PAGE(PENDING_3));
    driver->now += 1000;
    driver_key(driver, "r");
    driver_forget(driver);
    driver_answer(driver, PAGE(PENDING_2));
    driver_shows(driver, "1 no longer listed: .");
    assert_non_null(driver_ask(driver));
    assert_int_equal(driver_ask(driver)->filter.n, 0);
    size_t before = driver->fetches;
    driver_answer(driver, PAGE(AFTER));
    driver_shows(driver, "1 became approved: .");
    driver_shows(driver, "appr in"); /* the row itself, as it is now */
    assert_int_equal(driver->fetches, before);
    driver_key(driver, ".");
    driver_hides(driver, "became", "400");
}

/* The cache still knows it as it was: it is no hit of any question about this list, also after it was applied. */
static void f81_it_is_counted_nowhere(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, PAGE(PENDING_3));
    apply(driver, "status:pending amount>=1");
    driver_cached(driver, NULL, true);
    driver_answer(driver, PAGE(PENDING_3));
    looker_answer(driver, PAGE(PENDING_3), true);
    driver->now += 1000;
    driver_key(driver, "r");
    driver_answer(driver, PAGE(PENDING_2));
    struct event moved = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){true})};
    driver->now += 1000;
    driver_forget(driver);
    driver_event(driver, &moved);
    for (int applied = 0; applied < 2; applied++) {
        const struct lookup *asked = looker_asked(driver);
        assert_non_null(asked);
        assert_int_equal(asked->n_left, 1);
        assert_string_equal(asked->left[0].id, "int_4");
        looker_answer(driver, PAGE(PENDING_3), true);
        driver_shows(driver, "EUR 800", "of 2");
        driver_forget(driver);
        driver_key(driver, ".");
    }
    driver_forget(driver);
    driver_key(driver, "/");
    driver_text(driver, "x"); /* another list: there it counts */
    assert_int_equal(looker_asked(driver)->n_left, 1);
    driver_keys(driver, "Ctrl-U a");
    assert_int_equal(looker_asked(driver)->n_left, 0);
}

static void left_under_pending(struct driver *driver) {
    driver_open_cached(driver, 24, 120);
    driver_cached(driver, NULL, true);
    driver_answer(driver, PAGE(PENDING_3));
    apply(driver, "status:pending amount>=1");
    driver_cached(driver, NULL, true);
    driver_answer(driver, PAGE(PENDING_3));
    looker_answer(driver, PAGE(PENDING_3), true);
    driver->now += 1000;
    driver_key(driver, "r");
    driver_answer(driver, PAGE(PENDING_2));
    driver_answer(driver, PAGE(PENDING_2)); /* what became of it is not found */
}

static size_t left_of(struct driver *driver, const char *filter) {
    driver_keys(driver, "/ Ctrl-U");
    driver_text(driver, filter);
    driver_forget(driver);
    driver_key(driver, "Enter");
    assert_non_null(looker_asked(driver));
    return looker_asked(driver)->n_left;
}

/* The cache still has it as it was, whatever the list on show: its status is not known until it is served again. */
static void f81_in_question_it_stays_so_under_another_filter(void **state) {
    struct driver *driver = driver_begin(state);
    left_under_pending(driver);
    assert_int_equal(left_of(driver, "status:pending,declined amount>=1"), 1);
    assert_string_equal(looker_asked(driver)->left[0].id, "int_4");
    driver_hides(driver, "no longer match"); /* it is not on show */
    driver_cached(driver, PAGE(PENDING_3), true);
    looker_answer(driver, PAGE(PENDING_2), true);
    assert_int_equal(left_of(driver, "amount>=2"), 0);                /* every status: there it counts */
    assert_int_equal(left_of(driver, "status:pending amount>=1"), 1); /* and back again */
    driver_cached(driver, NULL, true);
    driver_answer(driver, PAGE(PENDING_3)); /* served once more: it is what it was */
    assert_int_equal(left_of(driver, "status:pending,declined amount>=1"), 0);
}

/* Nor does the list without the index show it. */
static void f81_in_question_it_is_not_among_the_cached_rows(void **state) {
    struct driver *driver = driver_begin(state);
    left_under_pending(driver);
    driver_keys(driver, "/ Ctrl-U 'status:pending,declined' Enter");
    driver_cached(driver, PAGE(PENDING_3), true);
    driver_hides(driver, "400");
    driver_shows(driver, "300");
}

/* Nor are marks on it: the list of the marked rows still has them. */
static void f81_a_mark_on_it_is_counted_apart(void **state) {
    (void)state;
    for (int applied = 0; applied < 2; applied++) {
        struct driver driver;
        driver_open(&driver, 24, 100);
        driver_answer(&driver, PAGE(PENDING_3));
        apply(&driver, "status:pending");
        driver_answer(&driver, PAGE(PENDING_3));
        driver_try(&driver, "Space Space", "| 2 marked");
        driver.now += 1000;
        driver_key(&driver, "r");
        driver_answer(&driver, PAGE(PENDING_2));
        driver_answer(&driver, PAGE(AFTER));
        if (applied)
            driver_key(&driver, ".");
        driver_shows(&driver, "| 1 marked | 1 marked left the list");
        driver_try(&driver, "x", "marked: 1");
        driver_close(&driver);
    }
}

static void f83_back(struct driver *driver, const char *where) {
    driver_open(driver, 24, 80);
    driver_answer(driver, OPEN(ROW("int_9", "pending", "27", "900"), "c1"));
    driver_answer(driver, OPEN(ROW("int_8", "pending", "26", "800"), "c2"));
    driver_fail(driver, ERR_NETWORK, "broken", CLOCK_NONE); /* what is read ahead ends */
    driver_key(driver, "@");
    driver_text(driver, where);
    driver_forget(driver);
    driver_key(driver, "Enter");
}

static void f83_a_day_is_read_back_to_page_by_page(void **state) {
    struct driver *driver = driver_begin(state);
    f83_back(driver, "2026-11-22");
    driver_shows(driver, "reading back for 2026-11-22: 1 page");
    driver_answer(driver, OPEN(ROW("int_5", "pending", "25", "500"), "c3"));
    driver_shows(driver, "Esc stops");
    size_t before = driver->fetches;
    driver_answer(driver, OPEN(ROW("int_2", "pending", "22", "200") "," ROW("int_1", "pending", "21", "100"), "c4"));
    driver_cursor_at(driver, "200");
    assert_true(driver->fetches <= before + 1); /* reads ahead of the cursor, no further */
}

static void f83_an_id_too_and_esc_stops(void **state) {
    struct driver driver;
    (void)state;
    f83_back(&driver, "int_1");
    driver_answer(&driver, OPEN(ROW("int_5", "pending", "25", "500"), "c3"));
    driver_answer(&driver, OPEN(ROW("int_1", "pending", "21", "100"), "c4"));
    driver_cursor_at(&driver, "100");
    driver_close(&driver);
    f83_back(&driver, "int_1");
    driver_try(&driver, "Esc", "cancelled");
    driver_hides(&driver, "reading back");
    driver_close(&driver);
}

/* A service that lists the oldest first: the day is the first row of it, and what comes later is read on to. */
static void f83_in_a_list_that_is_oldest_first_a_day_is_read_on_to(void **state) {
    (void)state;
    for (int with_cache = 0; with_cache < 2; with_cache++) {
        struct driver driver;
        if (with_cache) {
            driver_open_cached(&driver, 24, 80);
            driver_cached(&driver, NULL, true);
        } else {
            driver_open(&driver, 24, 80);
        }
        driver_answer(&driver,
                      OPEN(ROW("int_1", "pending", "21", "100") "," ROW("int_3", "pending", "23", "300"), "c1"));
        driver_fail(&driver, ERR_NETWORK, "broken", CLOCK_NONE);
        driver_keys(&driver, "@ '2026-11-22' Enter");
        driver_cursor_at(&driver, "300");
        driver_keys(&driver, "@ '2026-11-26'");
        driver_try(&driver, "Enter", "reading back for 2026-11-26: 1 page");
        driver_answer(&driver, OPEN(ROW("int_4", "pending", "24", "400"), "c2"));
        driver_answer(&driver, PAGE(ROW("int_6", "pending", "26", "600") "," ROW("int_7", "pending", "27", "700")));
        driver_cursor_at(&driver, "600");
        driver_close(&driver);
    }
}

/* Sorted so here, the first row at hand is not the oldest there is. */
static void f83_sorted_oldest_first_older_ones_are_read_for_a_day(void **state) {
    struct driver *driver = *state;
    static const char HELD[] = PAGE(ROW("int_9", "pending", "27", "900") "," ROW("int_8", "pending", "26", "800"));
    static const char MORE[] =
        PAGE(ROW("int_9", "pending", "27", "900") "," ROW("int_8", "pending", "26", "800") "," ROW(
            "int_5", "pending", "25", "500") "," ROW("int_1", "pending", "21", "100"));
    driver_cached(driver, NULL, true);
    driver_answer(driver, OPEN(ROW("int_9", "pending", "27", "900") "," ROW("int_8", "pending", "26", "800"), "c1"));
    driver_fail(driver, ERR_NETWORK, "broken", CLOCK_NONE);
    driver_key(driver, "s"); /* by when they were created */
    looker_answer(driver, HELD, true);
    driver_shows(driver, "sort: created asc");
    driver_keys(driver, "@ '2026-11-24'");
    driver_forget(driver);
    driver_key(driver, "Enter");
    size_t before = driver->fetches;
    looker_answer(driver, HELD, true);
    assert_int_equal(driver->fetches, before + 1);
    driver_shows(driver, "reading back for 2026-11-24");
    driver_answer(driver, OPEN(ROW("int_5", "pending", "25", "500") "," ROW("int_1", "pending", "21", "100"), "c2"));
    before = driver->fetches;
    for (int i = 0; i < 4; i++)
        looker_answer(driver, MORE, true);
    driver_cursor_at(driver, "500");
    assert_true(driver->fetches <= before + 1);
}

/* Under a filter that is done here the end of the list is the end of what was read. */
static void f83_at_the_end_of_a_filtered_list_pages_are_read(void **state) {
    struct driver *driver = *state;
    driver_cached(driver, NULL, true);
    driver_answer(driver, OPEN(ROW("int_9", "pending", "27", "900"), "c1"));
    driver_fail(driver, ERR_NETWORK, "broken", CLOCK_NONE);
    apply(driver, "amount>=1");
    looker_answer(driver, PAGE(ROW("int_9", "pending", "27", "900")), true);
    size_t before = driver->fetches;
    driver_key(driver, "PgDn");
    assert_int_equal(driver->fetches, before + 1);
    hold(driver, "PgDn");
    assert_int_equal(driver->fetches, before + 1);
    driver_shows(driver, "reading back for more that match");
    driver_answer(driver, OPEN(ROW("int_8", "pending", "26", "800"), "c2"));
    assert_int_equal(driver->fetches, before + 2);
    driver_answer(driver, PAGE(ROW("int_7", "pending", "25", "700")));
    assert_int_equal(driver->fetches, before + 2);
    driver_shows(driver, "the list was read to its end");
}

/* Rows beside an error are never the end of the list, and what is said beside none is shown. */
static void f28_what_is_said_beside_the_rows_stands_on_the_screen(void **state) {
    static const struct {
        const char *body, *says;
        bool whole;
    } CASES[] = {
        {"{\"data\":[" ROW("int_5", "pending", "25", "500") "],\"errors\":[{\"message\":\"shard two is down\"}]}",
         "W 1 answer said that something failed, so rows may be missing: shard two is down", false},
        {"{\"data\":[" ROW("int_5", "pending", "25", "500") "],\"partial\":true}", "this may not be all", false},
        {"{\"data\":[],\"total\":5}", "rows may be missing: 5 in all by its own count, none given", false},
        {"{\"data\":[],\"total\":5}", "this may not be all", false},
        {"{\"data\":[" ROW("int_5", "pending", "25", "500") "],\"total\":2}", "2 in all by its own count, 1 given",
         false},
        {"{\"data\":[],\"message\":\"account is being moved\"}", "I the service says: account is being moved", true},
        {PAGE(ROW("int_5", "pending", "25", "500")), ", end of the list seen", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct driver driver;
        driver_open(&driver, 24, 100);
        driver_answer(&driver, CASES[i].body);
        driver_shows(&driver, CASES[i].says);
        assert_int_equal(driver_sees(&driver, "end of the list seen"), CASES[i].whole);
        driver_hides(&driver, "the service has no intents");
        driver_close(&driver);
    }
}

/* The day of the row under the cursor has that row, whatever the zone on show. */
static void f51_narrowing_to_the_day_of_a_time_without_a_zone_keeps_its_row(void **state) {
    static const char *const TIMES[] = {"2026-11-21T00:15:00", "2026-11-21 23:45:00", "2026-11-21",
                                        "2026-11-21T23:45:00Z"};
    static const char *const ZONES[] = {"America/New_York", "Asia/Tokyo", "UTC"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(TIMES) * COUNT_OF(ZONES); i++) {
        struct driver driver;
        char body[256];
        assert_int_equal(setenv("TZ", ZONES[i % COUNT_OF(ZONES)], 1), 0);
        tzset();
        (void)snprintf(body, sizeof body, "{\"data\":[{\"id\":\"i1\",\"created_at\":\"%s\",\"amount\":4711}]}",
                       TIMES[i / COUNT_OF(ZONES)]);
        driver_open_cached(&driver, 24, 120);
        driver_cached(&driver, NULL, true);
        driver_answer(&driver, body);
        driver_try(&driver, "t", "created local");
        driver_forget(&driver);
        driver_key(&driver, ",");
        looker_answer(&driver, body, true);
        driver_shows(&driver, "local[created", "4,711");
        driver_close(&driver);
    }
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
}

#define IN(id, currency, amount)                                                             \
    "{\"id\":\"" id "\",\"created_at\":\"2026-11-2" id "T10:00:00.000Z\",\"amount\":" amount \
    ",\"currency\":\"" currency "\"}"

static void f92_totals_begin_with_most_rows_and_all_are_there_where_there_is_room(void **state) {
    static const char FIVE[] = PAGE(IN("9", "USD", "70") "," IN("8", "USD", "5") "," IN("7", "AED", "11") "," IN(
        "6", "CHF", "12") "," IN("5", "USD", "25") "," IN("4", "CHF", "13") "," IN("3", "BRL", "14"));
    (void)state;
    for (int cols = 40; cols <= 200; cols += 160) {
        struct driver driver;
        driver_open_cached(&driver, 24, cols);
        driver_cached(&driver, NULL, true);
        driver_answer(&driver, FIVE);
        apply(&driver, "amount>=1");
        looker_answer(&driver, FIVE, true);
        driver_shows(&driver, "| USD 100  CHF 25");
        assert_int_equal(driver_sees(&driver, "| USD 100  CHF 25  AED 11  BRL 14"), cols == 200);
        assert_int_equal(driver_sees(&driver, "+2 more: F"), cols != 200);
        if (cols != 200) {
            driver_forget(&driver);
            driver_key(&driver, "F");
            assert_int_equal(looker_asked(&driver)->facet, QUERY_CURRENCY_FIELD); /* with every sum */
        }
        driver_close(&driver);
    }
}

/* What is compared by its integer over several currencies is said, whatever the unit and the room. */
static void f33_an_order_of_amounts_says_that_it_crosses_currencies(void **state) {
    static const char FOUR[] =
        PAGE(IN("9", "JPY", "10000") "," IN("8", "EUR", "12000") "," IN("7", "KWD", "15000") "," IN("6", "USD", "100"));
    static const int COLS[] = {40, 80, 200};
    (void)state;
    for (size_t i = 0; i < 3 * COUNT_OF(COLS); i++) {
        struct driver driver;
        int cols = COLS[i % COUNT_OF(COLS)];
        struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
        profile->amount_unit = i / COUNT_OF(COLS);
        driver_open_profile_cached(&driver, profile, 24, cols);
        driver_cached(&driver, NULL, true);
        driver_answer(&driver, FOUR);
        driver_keys(&driver, cols == 40 ? "l l s" : "l l l s");
        looker_answer(&driver, FOUR, true);
        driver_shows(&driver, cols == 40 ? "raw over 4 currencies" : "by raw integer over 4 currencies");
        assert_int_equal(driver_sees(&driver, "sort: amount asc, by raw integer over 4 currencies"), cols == 200);
        driver_close(&driver);
    }
}

static void order_note(const char *sorts, bool guarantee, const struct lookup_total *totals, size_t n,
                       const char *expected) {
    struct str note;
    enum query_field_code amount = guarantee ? QUERY_GUARANTEE_FIELD : QUERY_AMOUNT_FIELD;
    struct lookup_sort sort[LOOKUP_SORTS] = {LOOKUP_UNSORTED, LOOKUP_UNSORTED};
    for (int i = 0; sorts[i]; i++)
        sort[i].field = sorts[i] == 'a' ? amount : sorts[i] == 'c' ? QUERY_CURRENCY_FIELD : QUERY_STATUS_FIELD;
    str_init(&note, 256);
    lookup_order_note(sort, totals, n, false, &note);
    assert_string_equal(note.s, expected);
    str_clear(&note);
}

/* Only what has the number is compared: guaranteed amounts of one currency among three are in a plain order. */
static void f33_currency_first_or_one_currency_needs_no_words(void **state) {
    static const struct lookup_total THREE[] = {
        {.currency = "EUR", .rows = 3, .guaranteed = 2}, {.currency = "JPY", .rows = 2, .without = 2}, {.rows = 1}};
    (void)state;
    order_note("a", false, THREE, 3, "by raw integer over 1 currency and rows without one");
    order_note("sa", false, THREE, 3, "by raw integer over 1 currency and rows without one");
    order_note("ac", false, THREE, 3, "by raw integer over 1 currency and rows without one");
    order_note("ca", false, THREE, 3, "");
    order_note("a", false, THREE, 2, "");
    order_note("a", true, THREE, 3, "");
    order_note("s", false, THREE, 3, "");
    order_note("", false, THREE, 3, "");
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, driver_open, 24, 80)
#define AFTER_SET_UP_CACHED(test) DRIVER_TEST_IN(test, driver_open_cached, 24, 80)
#define AFTER_SET_UP_CACHED_WIDE(test) DRIVER_TEST_IN(test, driver_open_cached, 24, 120)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        AFTER_SET_UP(f97_a_refresh_under_way_is_the_refresh),
        AFTER_SET_UP(f97_a_page_under_way_comes_before_the_refresh),
        cmocka_unit_test(f97_reading_all_goes_on_whatever_is_held),
        AFTER_SET_UP_CACHED(r_reads_by_type_where_the_service_counts_its_rows),
        cmocka_unit_test(f97_a_service_that_answers_at_once_is_asked_once_a_second),
        AFTER_SET_UP(f97_nor_is_a_next_page_that_fails_at_once),
        AFTER_SET_UP(f97_a_wait_that_the_service_asked_for_is_kept),
        DRIVER_TEST(f85_a_new_row_stands_where_its_time_is),
        AFTER_SET_UP(f85_so_does_one_that_a_refresh_by_hand_brings),
        AFTER_SET_UP(f85_in_a_list_that_is_oldest_first_too),
        AFTER_SET_UP_CACHED(f38_the_order_is_looked_at),
        cmocka_unit_test(f38_no_visit_no_sentence),
        AFTER_SET_UP(f42_a_record_that_reading_anew_did_not_find_is_said),
        AFTER_SET_UP(f42_one_that_is_found_again_is_not),
        AFTER_SET_UP_CACHED(f42_nothing_is_said_of_a_cursor_that_nobody_placed),
        AFTER_SET_UP_CACHED(the_record_under_the_cursor_is_waited_for),
        AFTER_SET_UP_CACHED(it_is_returned_to_after_a_filter_that_finds_nothing),
        DRIVER_TEST(f86_live_from_the_start_stays_at_the_top_and_asks_before_much),
        DRIVER_TEST(f86_nor_is_much_read_for_a_cursor_on_a_cached_row),
        cmocka_unit_test(f100_live_stops_at_answers_that_asking_again_does_not_change),
        DRIVER_TEST(f100_one_that_speaks_of_the_moment_is_asked_again),
        AFTER_SET_UP(f81_a_row_that_left_the_filter_is_marked_and_said_what_it_became),
        AFTER_SET_UP_CACHED_WIDE(f81_it_is_counted_nowhere),
        DRIVER_TEST(f81_in_question_it_stays_so_under_another_filter),
        DRIVER_TEST(f81_in_question_it_is_not_among_the_cached_rows),
        cmocka_unit_test(f81_a_mark_on_it_is_counted_apart),
        DRIVER_TEST(f83_a_day_is_read_back_to_page_by_page),
        cmocka_unit_test(f83_an_id_too_and_esc_stops),
        cmocka_unit_test(f83_in_a_list_that_is_oldest_first_a_day_is_read_on_to),
        AFTER_SET_UP_CACHED(f83_sorted_oldest_first_older_ones_are_read_for_a_day),
        AFTER_SET_UP_CACHED(f83_at_the_end_of_a_filtered_list_pages_are_read),
        cmocka_unit_test(f51_narrowing_to_the_day_of_a_time_without_a_zone_keeps_its_row),
        cmocka_unit_test(f92_totals_begin_with_most_rows_and_all_are_there_where_there_is_room),
        cmocka_unit_test(f28_what_is_said_beside_the_rows_stands_on_the_screen),
        cmocka_unit_test(f33_an_order_of_amounts_says_that_it_crosses_currencies),
        cmocka_unit_test(f33_currency_first_or_one_currency_needs_no_words),
        AFTER_SET_UP_CACHED_WIDE(f82_the_claim_belongs_to_the_filter_being_typed),
        AFTER_SET_UP_CACHED_WIDE(f82_one_within_what_was_read_keeps_it),
        AFTER_SET_UP_CACHED_WIDE(f28_an_answer_that_is_not_whole_makes_no_filter_so),
        AFTER_SET_UP(f42_a_record_that_a_filter_left_out_is_not_lost),
        AFTER_SET_UP(f42_a_record_that_the_filter_leaves_out_is_not_lost_however_often_it_is_answered),
        cmocka_unit_test(f42_so_it_is_under_a_filter_of_which_a_part_is_applied_here),
        AFTER_SET_UP_CACHED(f84_a_list_read_to_its_end_is_known_after_a_filter_was_removed),
        DRIVER_TEST(f84_what_was_whole_stays_so_as_of_when),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
