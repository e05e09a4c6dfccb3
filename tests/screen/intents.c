/* The intents pane as it looks: characters and roles against golden files. */
#include "base/mem.h"
#include "support/driver.h"
#include "support/proc.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static char *fixture(const char *name) {
    char path[4096];
    const char *tests = getenv("BURSAR_TESTS");
    (void)snprintf(path, sizeof path, "%s/fixtures/%s", tests ? tests : "tests", name);
    char *text = proc_read_file(path);
    assert_non_null(text);
    return text;
}

static void answer(struct driver *driver, const char *name) {
    char *body = fixture(name);
    driver_answer(driver, body);
    free(body);
}

struct size {
    const char *name;
    int rows, cols;
};
static const struct size SIZES[] = {{"80x24", 24, 80}, {"120x40", 40, 120}, {"200x50", 50, 200}};

/* One scene at every size: the keys after the first page. */
struct scene {
    const char *name, *page, *keys;
};

static void play(void **state) {
    const struct scene *scene = *state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        char golden[64];
        driver_open(&driver, SIZES[i].rows, SIZES[i].cols);
        if (scene->page)
            answer(&driver, scene->page);
        driver_keys(&driver, scene->keys);
        driver_timer(&driver, TIMER_FOLLOW, 0);
        (void)snprintf(golden, sizeof golden, "%s-%s", scene->name, SIZES[i].name);
        driver_check(&driver, golden);
        driver_close(&driver);
    }
}

static void nothing_exists_and_nothing_matches_differ(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, "{\"data\":[]}");
    driver_check(driver, "empty");
    driver_keys(driver, "f Space Enter");
    driver_answer(driver, "{\"data\":[]}");
    driver_check(driver, "no-match");
}

static void a_failure_is_said_and_the_rows_stay(void **state) {
    struct driver *driver = *state;
    answer(driver, "page.json");
    driver_key(driver, "r");
    driver_fail(driver, ERR_CONNECT, "no connection to 127.0.0.1: refused", CLOCK_NONE);
    driver_check(driver, "offline");
    driver_key(driver, "r");
    driver_fail(driver, ERR_THROTTLED, "429: the service asks to wait", DRIVER_NOW + 12000);
    driver_check(driver, "throttled");
}

static void a_complaint_outlives_keys_typed_ahead_and_no_others(void **state) {
    struct driver *driver = *state;
    answer(driver, "page.json");
    driver_paste(driver, "j");
    driver_try(driver, "j j", "pasted text was ignored");
    driver->now += 3000;
    driver_key(driver, "j");
    driver_hides(driver, "pasted text was ignored");
}

static void the_end_of_the_list(void **state) {
    struct driver *driver = *state;
    answer(driver, "page.json");
    driver_key(driver, "G");
    answer(driver, "page_last.json");
    driver_key(driver, "G");
    driver_check(driver, "end");
}

static void s5_a_question_that_no_longer_fits_is_closed_unanswered(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    answer(driver, "page.json");
    struct event ask = {.kind = EVENT_CACHE_STATE,
                        .now = driver->now,
                        .payload = payload_of(cache_told, &(struct cache_told){.state = CACHE_STATE_ASK})};
    shell_event(driver->shell, &ask, &driver->effects);
    driver_resize(driver, 23, 79);
    driver_shows(driver, "Another token");
    driver_forget(driver);
    driver_resize(driver, 5, 20);
    driver_resize(driver, 24, 80);
    driver_hides(driver, "Another token");
    driver_shows(driver, "left alone");
    for (size_t i = 0; i < driver->effects.n; i++)
        assert_int_not_equal(driver->effects.items[i].kind, EFFECT_CACHE_ACCEPT);
}

static void small_screens(void **state) {
    (void)state;
    static const struct size SMALL[] = {{"40x8", 8, 40}, {"20x5", 5, 20}, {"60x16", 16, 60}};
    for (size_t i = 0; i < COUNT_OF(SMALL); i++) {
        struct driver driver;
        char golden[64];
        driver_open(&driver, SMALL[i].rows, SMALL[i].cols);
        answer(&driver, "page.json");
        (void)snprintf(golden, sizeof golden, "small-%s", SMALL[i].name);
        driver_check(&driver, golden);
        driver_close(&driver);
    }
}

/* By itself nothing is asked again after a fault; at the last row a key does. */
static void a_page_that_failed_is_asked_for_again_at_the_end(void **state) {
    static const char *const KEYS[] = {"G", "PgDn"};
    struct driver driver;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        driver_open(&driver, 24, 80);
        answer(&driver, "page.json");
        driver_fail(&driver, ERR_SERVER, "500: the service failed", CLOCK_NONE);
        driver_forget(&driver);
        driver_keys(&driver, "G k j");
        driver_forget(&driver);
        driver_fail(&driver, ERR_SERVER, "500: the service failed", CLOCK_NONE);
        size_t asked = driver.fetches;
        driver_key(&driver, "j");
        assert_int_equal(driver.fetches, asked);
        driver.now += 1000;
        driver_key(&driver, KEYS[i]);
        assert_int_equal(driver.fetches, asked + 1);
        driver_shows(&driver, "asking for the next page; Esc cancels");
        driver_close(&driver);
    }
}

static void reading_all_anew_comes_back_to_the_record(void **state) {
    struct driver *driver = *state;
    static const char FIRST[] =
        "{\"data\":[{\"id\":\"b37875db-170c-479c-849a-4b705c1eba67\",\"created_at\":"
        "\"2026-11-28T12:00:00.000Z\"},{\"id\":\"27d6fb76-87e3-41fa-a896-5a1843b7735a\",\"created_at\":"
        "\"2026-11-28T10:29:02.482Z\"}],\"next_cursor\":\"c\"}";
    answer(driver, "page.json");
    driver_keys(driver, "G k k");
    char *before = driver_cursor_row(driver);
    driver_key(driver, "R");
    driver_answer(driver, FIRST);
    driver_shows(driver, "2 of 2 read so far");
    answer(driver, "page.json");
    char *after = driver_cursor_row(driver);
    assert_string_equal(after, before);
    driver_keys(driver, "Esc k R"); /* while all is read R changes nothing */
    driver_answer(driver, FIRST);
    driver_key(driver, "k"); /* who moves on stays there */
    answer(driver, "page.json");
    driver_shows(driver, " 1 of 40 read so far");
    free(before);
    free(after);
}

static void what_is_read_does_not_keep_the_detail_open(void **state) {
    struct driver *driver = *state;
    answer(driver, "page.json");
    driver_key(driver, "Enter");
    driver_hides(driver, "created UTC ");
    driver_try(driver, "Esc", "created UTC ", "1 of 40 read so far, more on the server | reading");
    driver_try(driver, "Esc", "cancelled");
}

static void a_prompt_over_the_first_reading_leaves_its_words(void **state) {
    struct driver *driver = *state;
    driver_shows(driver, "reading the first page; Esc cancels");
    driver_try(driver, "/", "reading the first page; Esc cancels");
}

static void tab_goes_round_the_panes_that_there_are(void **state) {
    struct driver *driver = *state;
    answer(driver, "page.json");
    driver_try(driver, "Shift-Tab", "5 Overview");
    driver_try(driver, "Tab", "1 Intents");
    driver_try(driver, "6", "6 does nothing here", "1 Intents");
}

static void ascii_where_the_locale_is_not_utf_8(void **state) {
    (void)state;
    struct driver driver;
    symbols_ascii(true);
    driver_open(&driver, 24, 80);
    answer(&driver, "page.json");
    driver_check(&driver, "ascii");
    driver_close(&driver);
    symbols_ascii(false);
}

/* What does not fit the row takes the one above too, to its end; the list has as many rows less. */
static void a_long_message_is_read_to_its_end(void **state) {
    struct driver *driver = *state;
    static const char LINE[] =
        "the connection was closed by a machine between here and the service, which names itself "
        "gateway-17 and asks that its operators be told of the number 4711";
    driver_fail(driver, ERR_NETWORK, LINE, CLOCK_NONE);
    driver_shows(driver, "E the connection was closed", "4711");
    driver_check(driver, "message-80x24");
    driver_resize(driver, 8, 40);
    driver_check(driver, "message-40x8");
}

static void f41_a_panel_left_open_says_the_day_of_its_last_answer(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 120);
    answer(driver, "page.json");
    driver_shows(driver, "online, last answer 12:00 ");
    driver->now += INT64_C(13) * 3600000;
    struct event day = {.kind = EVENT_TIMER, .payload = payload_of(timer_fired, &(struct timer_fired){TIMER_DAY})};
    driver_event(driver, &day);
    driver_shows(driver, "online, last answer 2026-11-28 12:00");
    driver->now += INT64_C(60) * 3600000;
    driver_try(driver, "j", "online, last answer 2026-11-28 12:00");
}

/* One wake-up leads to the next: an idle screen never keeps yesterday's words. */
static void f41_the_day_is_looked_at_again_and_again(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 120);
    for (int i = 0; i < 3; i++) {
        const struct effect *timer = NULL;
        for (size_t e = 0; e < driver->effects.n; e++) {
            const struct effect *effect = &driver->effects.items[e];
            timer = effect->kind == EFFECT_TIMER && effect_get(effect, timer_ask)->timer == TIMER_DAY ? effect : timer;
        }
        assert_non_null(timer);
        assert_true(effect_get(timer, timer_ask)->at > driver->now &&
                    effect_get(timer, timer_ask)->at <= driver->now + INT64_C(3600000));
        driver->now = effect_get(timer, timer_ask)->at;
        driver_forget(driver);
        driver_timer(driver, TIMER_DAY, 0);
    }
}

static void set_clock(struct driver *driver, int64_t shift) {
    struct event set = {.kind = EVENT_CLOCK_SET, .payload = payload_of(clock_shifted, &(struct clock_shifted){shift})};
    driver->now += shift;
    driver_event(driver, &set);
}

static void f41_a_clock_set_back_is_said_and_waits_go_on(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 160);
    answer(driver, "page.json");
    driver_key(driver, "r");
    driver_fail(driver, ERR_THROTTLED, "429: the service asks to wait", DRIVER_NOW + 12000);
    set_clock(driver, -INT64_C(2) * 3600000);
    driver_shows(driver, "this machine's clock was set back by 2h", "ahead of this machine's clock by 2h");
    driver_timer(driver, TIMER_COUNTDOWN, 0);
    driver_shows(driver, "12 s");
}

static void f41_a_row_ahead_of_the_clock_is_told_in_each_zone(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 50, 200);
    answer(driver, "page.json");
    set_clock(driver, -INT64_C(30) * 86400000);
    driver_keys(driver, "j j j"); /* of another moment than the last answer */
    driver_timer(driver, TIMER_FOLLOW, 0);
    for (int zone = 0; zone < 3; zone++) {
        driver_try(driver, "t", "ahead of this machine's clock by 29d");
        driver_hides(driver, "now)");
    }
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, driver_open, 24, 80)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        SCENE(the_first_request_is_under_way, "waiting", NULL, ""),
        SCENE(a_page_of_intents, "list", "page.json", "j j j"),
        SCENE(the_whole_detail, "detail", "page.json", "j z"),
        SCENE(the_end_of_the_detail_has_transactions_dispute_and_refund, "detail-end", "page.json", "j z G"),
        SCENE(the_json_as_served, "json", "page.json", "z J"),
        SCENE(the_facet_picker, "facets", "page.json", "f j Space"),
        SCENE(the_help, "help", "page.json", "?"),
        SCENE(hostile_text_stays_in_its_cells, "hostile", "hostile.json", "j"),
        SCENE(times_as_age, "age", "page.json", "t t"),
        AFTER_SET_UP(nothing_exists_and_nothing_matches_differ),
        AFTER_SET_UP(a_failure_is_said_and_the_rows_stay),
        AFTER_SET_UP(a_complaint_outlives_keys_typed_ahead_and_no_others),
        AFTER_SET_UP(the_end_of_the_list),
        DRIVER_TEST(s5_a_question_that_no_longer_fits_is_closed_unanswered),
        cmocka_unit_test(small_screens),
        cmocka_unit_test(a_page_that_failed_is_asked_for_again_at_the_end),
        AFTER_SET_UP(reading_all_anew_comes_back_to_the_record),
        AFTER_SET_UP(what_is_read_does_not_keep_the_detail_open),
        AFTER_SET_UP(a_prompt_over_the_first_reading_leaves_its_words),
        AFTER_SET_UP(tab_goes_round_the_panes_that_there_are),
        cmocka_unit_test(ascii_where_the_locale_is_not_utf_8),
        AFTER_SET_UP(a_long_message_is_read_to_its_end),
        DRIVER_TEST(f41_a_panel_left_open_says_the_day_of_its_last_answer),
        DRIVER_TEST(f41_the_day_is_looked_at_again_and_again),
        DRIVER_TEST(f41_a_clock_set_back_is_said_and_waits_go_on),
        DRIVER_TEST(f41_a_row_ahead_of_the_clock_is_told_in_each_zone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
