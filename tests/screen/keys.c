/* Keys without a meaning, the palette, help: what a key does, whatever stands on the screen. */
#include "base/mem.h"
#include "support/looker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char PAGE[] = "{\"data\":[{\"id\":\"pi_a\",\"status\":\"approved\",\"amount\":500,\"currency\":\"EUR\"},"
                           "{\"id\":\"pi_b\",\"status\":\"declined\",\"amount\":700,\"currency\":\"EUR\"}]}";

static void open(struct driver *driver, int rows, int cols) {
    driver_open(driver, rows, cols);
    driver_answer(driver, PAGE);
    driver_forget(driver);
}

static void a_key_without_meaning_says_so(void **state) {
    struct driver *driver = *state;
    static const char *const KEYS[] = {"K", "F7", "Ctrl-T", "Del", "é"};
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        struct str text;
        str_init(&text, 128);
        str_addf(&text, "I %s does nothing here; ? lists the keys", KEYS[i]);
        driver_key(driver, KEYS[i]);
        driver_shows(driver, text.s);
        str_clear(&text);
    }
    assert_int_equal(driver->effects.n, 0);
    driver_key(driver, "j");
    driver_hides(driver, "does nothing");
}

static void it_is_said_in_every_pane_and_box(void **state) {
    static const char *const PLACES[] = {"2", "3", "4", "?", "F", ":", "Enter"};
    struct driver driver;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(PLACES); i++) {
        open(&driver, 24, 80);
        driver_key(&driver, PLACES[i]);
        driver_try(&driver, "F7", "F7 does nothing here");
        driver_close(&driver);
    }
}

/* An error stays on show: what does nothing must not take it away either. */
static void a_fault_on_show_outlives_it(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "r");
    driver_fail(driver, ERR_NETWORK, "the connection was refused", CLOCK_NONE);
    driver_try(driver, "K", "the connection was refused");
}

static void a_screen_too_small_says_only_that(void **state) {
    struct driver *driver = *state;
    driver_resize(driver, 4, 30);
    driver_keys(driver, "K j :");
    driver_resize(driver, 24, 80);
    driver_hides(driver, "does nothing", "Commands");
}

static void the_palette_runs_what_a_few_letters_find(void **state) {
    static const struct {
        const char *typed, *shows;
    } CASES[] = {
        {"ss", "sort: "},                  /* sort-second, by its initials */
        {"panact", "4 Activity"},          /* pane-activity */
        {"which narr", "nothing matches"}, /* nothing fits: nothing runs */
        {"keys of", "Keys"},               /* by what is said of it */
        {"total", "Value counts of the"},  /* by other words for it */
        {"chart", "5 Overview"},
        {"zone", "times local"},
        {"profile", "opens another"},
    };
    struct driver driver;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        open(&driver, 24, 80);
        driver_keys(&driver, "l :");
        driver_text(&driver, CASES[i].typed);
        driver_try(&driver, "Enter", CASES[i].shows);
        driver_close(&driver);
    }
}

static void the_palette_offers_what_its_pane_knows(void **state) {
    struct driver *driver = *state;
    driver_try(driver, ": / s e t t l e", "nothing matches");
    driver_try(driver, "Esc Esc 4 : s e t t l e", "Settle a write of unknown outcome");
}

static void the_palette_takes_a_paste_of_one_line_and_runs_nothing(void **state) {
    struct driver *driver = *state;
    driver_key(driver, ":");
    driver_paste(driver, "quit\nQ");
    driver_shows(driver, "several lines");
    driver_paste(driver, "quit");
    driver_shows(driver, "Leave bursar");
    assert_false(shell_is_finished(driver->shell));
    driver_key(driver, "Enter");
    assert_true(shell_is_finished(driver->shell));
}

static void the_palette_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("palette", "80x24 120x40 40x8", open, ":");
}

static void the_palette_narrowed(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, ": 'so'");
    driver_check(driver, "palette-narrowed");
}

static void ended(struct driver *driver, const char *method, int status, enum err failure) {
    struct request_seen seen = {.at = DRIVER_NOW,
                                .method = method,
                                .path = "/intent/list?status=declined",
                                .id = status ? "req_7" : NULL,
                                .status = status,
                                .bytes = 8123,
                                .took_us = 120400,
                                .failure = failure};
    struct event event = {.kind = EVENT_REQUEST, .payload = payload_of(request_seen, &seen)};
    driver_event(driver, &event);
}

static void requests_are_listed_while_they_come(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "L", "nothing was sent in this session yet");
    ended(driver, "GET", 200, ERR_OK);
    ended(driver, "POST", 0, ERR_CANCELLED);
    ended(driver, "GET", 503, ERR_OK);
    driver_check(driver, "requests-80x24");
    driver_key(driver, "L");
    driver_hides(driver, "Requests of this session");
}

static void only_the_last_requests_are_kept(void **state) {
    struct driver *driver = *state;
    for (int i = 0; i < REQUESTS_MAX + 5; i++)
        ended(driver, "GET", 200, ERR_OK);
    driver_try(driver, "L G", "newest first: 505", "older ones are in the log file");
}

static void mouse(struct driver *driver, int row, int button) {
    struct input input = {.kind = INPUT_MOUSE, .row = row, .col = 10, .button = button};
    shell_input(driver->shell, &input, driver->now, &driver->effects);
    shell_draw(driver->shell, driver->canvas);
}

static void the_mouse_selects_only_once_asked_for(void **state) {
    struct driver *driver = *state;
    enum { FIRST = 3, LEFT = 1, WHEEL_UP = 4, WHEEL_DOWN = 5 };
    mouse(driver, FIRST + 1, LEFT);
    driver_shows(driver, "1 of 2");
    driver_key(driver, "%");
    assert_int_equal(driver->effects.items[driver->effects.n - 1].kind, EFFECT_MOUSE_ON);
    mouse(driver, FIRST + 1, LEFT);
    driver_shows(driver, "2 of 2");
    driver_shows(driver, "created UTC"); /* selected, not opened */
    mouse(driver, 0, LEFT);
    driver_shows(driver, "2 of 2");
    mouse(driver, FIRST, WHEEL_UP);
    driver_shows(driver, "1 of 2");
    mouse(driver, FIRST, WHEEL_DOWN);
    driver_shows(driver, "2 of 2");
    driver_key(driver, "%");
    assert_int_equal(driver->effects.items[driver->effects.n - 1].kind, EFFECT_MOUSE_OFF);
}

/* Every action moved to another key, or away: what the screen says must be what the keys do. */
static const char MOVED[] =
    "preset = mutt\n[keys.global]\nback = F2\nhelp = F3\nquit = F4\n"
    "[keys.list]\nleft = Left\nright = Right\n"
    "[keys.intents]\nfind = F12\nfilter = F5\nmark = none\ncrawl = F6\nrefresh = F7\njson = F8\nfacets = none\n"
    "[keys.webhook]\ncheck-endpoint = F9\nedit-endpoint = F10\nreview-endpoint = F11\n"
    "[keys.activity]\nfilter-outcome = F9\n";

static void hints_name_the_keys_of_the_key_map(void **state) {
    static const struct {
        const char *keys, *text;
    } SAID[] = {
        {"", "F5 filter"},
        {"M", "no row is marked; :mark marks"},
        {"n", "no search is set; F12 searches"},
        {"Right Right Right Right Right Right Right Right Right s", "Left and Right choose another"},
        {"F2 F2", "this is the root view; F4 leaves"},
        {"K", "K does nothing here; F3 lists the keys"},
        {"Enter", ", F2 back, F5 search, n N next, y copy id, F8 JSON, o parts"},
        {"Enter F8", "F2 back"},
        {"3 F9", "no URL is known yet (reading the journal): F10 opens the form"},
        {"F", "so far; F6 reads all"},
        {"F6", "reading every page; F2 stops"},
    };
    static const char MORE[] = "{\"data\":[{\"id\":\"pi_a\",\"status\":\"approved\",\"amount\":500,"
                               "\"currency\":\"EUR\"}],\"next_cursor\":\"c2\"}";
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SAID); i++) {
        struct driver driver;
        driver_open_keys(&driver, 24, 80, MOVED);
        driver_answer(&driver, MORE);
        driver_keys(&driver, SAID[i].keys);
        looker_settle_walk(&driver);
        if (!driver_sees(&driver, SAID[i].text)) {
            char *screen = driver_dump(&driver);
            fail_msg("after %s: no \"%s\" in %s", SAID[i].keys, SAID[i].text, screen);
        }
        driver_close(&driver);
    }
}

static void an_empty_list_names_the_keys_of_the_key_map(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_keys(driver, 24, 80, MOVED);
    driver_shows(driver, "reading the first page; F2 cancels");
    driver_fail(driver, ERR_UNAUTHORISED, "the token was refused", CLOCK_NONE);
    driver_shows(driver, "T reads the token again. ", "nothing to show yet; F7 asks the service again");
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, open, 24, 80)

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_SET_UP(a_key_without_meaning_says_so),
        cmocka_unit_test(it_is_said_in_every_pane_and_box),
        AFTER_SET_UP(a_fault_on_show_outlives_it),
        AFTER_SET_UP(a_screen_too_small_says_only_that),
        cmocka_unit_test(the_palette_runs_what_a_few_letters_find),
        AFTER_SET_UP(requests_are_listed_while_they_come),
        AFTER_SET_UP(only_the_last_requests_are_kept),
        AFTER_SET_UP(the_mouse_selects_only_once_asked_for),
        cmocka_unit_test(hints_name_the_keys_of_the_key_map),
        DRIVER_TEST(an_empty_list_names_the_keys_of_the_key_map),
        cmocka_unit_test(the_palette_at_every_size),
        AFTER_SET_UP(the_palette_narrowed),
        AFTER_SET_UP(the_palette_offers_what_its_pane_knows),
        AFTER_SET_UP(the_palette_takes_a_paste_of_one_line_and_runs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
