/* Saved views: by name, with counts, in any filter; and the view shown before. */
#include "app/views.h"
#include "base/mem.h"
#include "base/secret.h"
#include "support/looker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static const char HELD[] = "view big\nfilter amount>=5000\nsort -amount\ncolumns amount,currency,id:36\n"
                           "view bad\nfilter nonsense:1\nsort \ncolumns \n"
                           "view lost\nfilter status:declined amount>=100\nsort \ncolumns \n";

static void tell(struct driver *driver, const char *text) {
    static const struct error NONE;
    struct event event = {.kind = EVENT_VIEWS,
                          .payload = payload_of(views_read, &(struct views_read){.text = text, .failure = &NONE})};
    driver_event(driver, &event);
}

static void begin(struct driver *driver, int rows, int cols, const char *held) {
    driver_open_cached(driver, rows, cols);
    driver_cached(driver, driver_page, true);
    driver_answer(driver, driver_page);
    driver_forget(driver);
    tell(driver, held);
}

static void open_views(struct driver *driver, int rows, int cols, const char *held) {
    begin(driver, rows, cols, held);
    driver_forget(driver);
}

/* The next count that was asked for. */
static void count(struct driver *driver) {
    looker_answer(driver, driver_page, true);
}

static void open_list_of_views(struct driver *driver, int rows, int cols) {
    open_views(driver, rows, cols, HELD);
    driver_key(driver, "v");
    count(driver);
    count(driver);
}

static void the_list_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("views", "80x24 200x50 40x8", open_list_of_views, "");
}

static void the_list_in_ascii(void **state) {
    (void)state;
    symbols_ascii(true);
    driver_check_sizes("views-ascii", "80x24", open_list_of_views, "");
    symbols_ascii(false);
}

/* Today at the right, thirteen days before it at the left; what is older or yet to come is no part of it. */
#define AT(id, time) "{\"id\":\"" id "\",\"created_at\":\"2026-11-" time "\",\"amount\":9000}"
static const char DAYS[] =
    "{\"data\":[" AT("i7", "29T10:00:00Z") "," AT("i6", "28T11:00:00Z") "," AT("i5", "28T10:00:00Z") "," AT(
        "i4", "27T23:00:00Z") "," AT("i3", "27T10:00:00Z") "," AT("i2", "15T10:00:00Z") "," AT("i1",
                                                                                               "14T10:00:00Z") "]}";

static void bars_are_the_intents_of_the_last_two_weeks(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_cached(driver, 24, 80);
    driver_cached(driver, DAYS, true);
    driver_answer(driver, DAYS);
    tell(driver, "view big\nfilter amount>=5000\nsort \ncolumns \n");
    looker_try(driver, DAYS, "v", "\u2584           \u2588\u2588", "7 so far");
}

static void days_are_those_of_the_clocks_on_show(void **state) {
    struct driver *driver = driver_begin(state);
    assert_int_equal(setenv("TZ", "Asia/Tokyo", 1), 0);
    tzset();
    driver_open_cached(driver, 24, 80);
    driver_cached(driver, DAYS, true);
    driver_answer(driver, DAYS);
    tell(driver, "view big\nfilter amount>=5000\nsort \ncolumns \n");
    looker_try(driver, DAYS, "t v", "\u2582           \u2582\u2588", "7 so far");
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
}

static int set_up(void **state) {
    open_views(driver_begin(state), 24, 80, HELD);
    return 0;
}

static void a_count_is_of_all_where_the_views_server_part_was_read(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "v 3");
    driver_cached(driver, driver_page, true);
    driver_answer(driver, "{\"data\":[]}");
    looker_settle(driver, driver_page, true);
    driver_shows(driver, "rows, all there are");
    driver_forget(driver);
    driver_key(driver, "v");
    looker_settle(driver, driver_page, true);
    driver_check(driver, "views-counted");
}

static void no_view_yet_says_how(void **state) {
    struct driver *driver = driver_begin(state);
    open_views(driver, 24, 80, "");
    driver_try(driver, "v", "no view is saved yet; s saves filter, sort and columns");
    driver_keys(driver, "j k Enter 1 Esc");
    driver_hides(driver, "Saved views");
}

static void a_digit_shows_filter_sort_and_columns(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "v 2");
    looker_answer(driver, driver_page, true);
    driver_check(driver, "views-shown");
    driver_shows(driver, "local[amount>=5000]");
    driver_hides(driver, "created UTC");
}

static void a_view_that_does_not_parse_is_said(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "v 1", "no field is called \"nonsense\"", "filter: none");
}

static void the_last_view_is_a_key_away(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "-", "there is no view before this one");
    driver_try(driver, "v 2 -", "filter: none", "created UTC");
    driver_try(driver, "-", "local[amount>=5000]");
}

/* Written out, so that no view can come to name itself. */
static void what_is_shown_is_saved_by_name(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ '@lost bank:nord' Enter v s 'mine' Enter");
    assert_string_equal(effect_get(driver_effect(driver, EFFECT_VIEW_KEEP), view_ask)->text,
                        "view mine\nfilter status:declined amount>=100 bank:nord\nsort \ncolumns \n");
    tell(driver, "view mine\nfilter bank:nord\nsort \ncolumns \n");
    driver_shows(driver, "view mine saved");
}

static void bar5_a_name_with_the_token_is_refused(void **state) {
    struct driver *driver = *state;
    struct secret *token = secret_new("tok-Wq4Tx8Nb2Jr6", 16);
    driver_keys(driver, "v s 'tok-Wq4Tx8Nb2Jr6' Enter");
    assert_null(driver_effect(driver, EFFECT_VIEW_KEEP));
    driver_shows(driver, "contains the profile's token");
    secret_free(token);
}

static void a_bad_name_is_refused(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "v s 'no/path' Enter");
    assert_null(driver_effect(driver, EFFECT_VIEW_KEEP));
    driver_shows(driver, "a name is typed as @name: 1 to 40 of a-z A-Z 0-9 - _ . and no blank");
}

static void a_view_is_forgotten_by_name(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "v j j X", "X again forgets the view lost; another key keeps it");
    driver_keys(driver, "k X j X");
    assert_null(driver_effect(driver, EFFECT_VIEW_DROP));
    driver_key(driver, "X");
    assert_string_equal(effect_get(driver_effect(driver, EFFECT_VIEW_DROP), view_ask)->text, "lost");
    driver_try(driver, "Enter", "1 Intents > lost");
    driver_keys(driver, "v X"); /* the cursor stands on the one that is shown */
    driver_shows(driver, "X again forgets the view lost");
    driver_key(driver, "Esc");
    driver_hides(driver, "X again");
    tell(driver, "");
    driver_hides(driver, "1 Intents > lost");
}

/* The service still does its part of a view's filter. */
static void a_view_in_a_filter_is_its_terms(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ '@lost bank:nord'");
    driver_try(driver, "Enter", "server[status:declined]", "local[amount>=100 bank:nord]");
}

static void faults_of_a_view_are_told_at_its_name(void **state) {
    static const struct {
        const char *filter, *fault;
    } FAULTS[] = {{"@none", "at 1: no view is saved as \"none\""},
                  {"@lots", "at 1: no view is saved as \"lots\" (lost?)"},
                  {"rail:card @bad", "at 11: view bad: no field is called \"nonsense\""}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(FAULTS); i++) {
        struct driver driver;
        open_views(&driver, 24, 80, HELD);
        driver_key(&driver, "/");
        driver_text(&driver, FAULTS[i].filter);
        driver_shows(&driver, FAULTS[i].fault);
        driver_close(&driver);
    }
}

static void sort_and_columns_of_the_list_are_kept_for_next_time(void **state) {
    struct driver driver;
    (void)state;
    open_views(&driver, 24, 80, "");
    driver_keys(&driver, "s");
    shell_end(driver.shell, &driver.effects);
    assert_string_equal(effect_get(driver_effect(&driver, EFFECT_VIEW_KEEP), view_ask)->text,
                        "list\nsort created\ncolumns \n");
    driver_close(&driver);
    begin(&driver, 24, 80, "list\nsort -amount\ncolumns amount,id:20\n");
    looker_answer(&driver, driver_page, true);
    driver_check(&driver, "views-restored");
    shell_end(driver.shell, &driver.effects);
    assert_null(driver_effect(&driver, EFFECT_VIEW_KEEP));
    driver_try(&driver, "u", "as sent by the service");
    driver_close(&driver);
}

static void sort_and_columns_of_a_view_are_kept_with_it(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "v 3 s");
    assert_null(driver_effect(driver, EFFECT_VIEW_KEEP));
    driver_key(driver, "-");
    assert_string_equal(effect_get(driver_effect(driver, EFFECT_VIEW_KEEP), view_ask)->text,
                        "view lost\nfilter status:declined amount>=100\nsort created\ncolumns \n");
    driver_forget(driver);
    shell_end(driver->shell, &driver->effects);
    assert_null(driver_effect(driver, EFFECT_VIEW_KEEP));
}

static void a_view_is_completed_by_name(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ '@'");
    driver_check(driver, "views-completed");
    driver_text(driver, "l");
    driver_try(driver, "Tab Enter", "server[status:declined]");
}

static void the_palette_shows_a_view(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, ": '@lost'");
    driver_try(driver, "Enter", "server[status:declined]");
}

static void views_in_a_circle_end(void **state) {
    struct driver *driver = driver_begin(state);
    open_views(driver, 24, 80, "view a\nfilter @b\nview b\nfilter @a rail:card\n");
    driver_try(driver, "/ '@a'", "saved views name each other without end");
}

static void a_text_of_views_is_printed_as_it_was_read(void **state) {
    struct saved_views views;
    struct str text;
    (void)state;
    str_init(&text, 4096);
    saved_views_parse("what is this\nlist\nsort amount\ncolumns id,user\nview b\nfilter x\nsort "
                      "-amount,status\ncolumns id\nview a\nview a/b\nfilter y\n",
                      &views);
    saved_views_print(&views, &text);
    assert_string_equal(text.s, "list\nsort amount\ncolumns id,user\nview a\nfilter \nsort \ncolumns \n"
                                "view b\nfilter x\nsort -amount,status\ncolumns id\n");
    str_clear(&text);
    saved_views_clear(&views);
}

#define AFTER_SET_UP(test) cmocka_unit_test_setup_teardown(test, set_up, driver_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_at_every_size),
        cmocka_unit_test(the_list_in_ascii),
        DRIVER_TEST(bars_are_the_intents_of_the_last_two_weeks),
        DRIVER_TEST(days_are_those_of_the_clocks_on_show),
        AFTER_SET_UP(a_count_is_of_all_where_the_views_server_part_was_read),
        DRIVER_TEST(no_view_yet_says_how),
        AFTER_SET_UP(a_digit_shows_filter_sort_and_columns),
        AFTER_SET_UP(a_view_that_does_not_parse_is_said),
        AFTER_SET_UP(the_last_view_is_a_key_away),
        AFTER_SET_UP(what_is_shown_is_saved_by_name),
        AFTER_SET_UP(a_bad_name_is_refused),
        AFTER_SET_UP(bar5_a_name_with_the_token_is_refused),
        AFTER_SET_UP(a_view_is_forgotten_by_name),
        AFTER_SET_UP(a_view_in_a_filter_is_its_terms),
        cmocka_unit_test(faults_of_a_view_are_told_at_its_name),
        cmocka_unit_test(sort_and_columns_of_the_list_are_kept_for_next_time),
        AFTER_SET_UP(sort_and_columns_of_a_view_are_kept_with_it),
        AFTER_SET_UP(a_view_is_completed_by_name),
        AFTER_SET_UP(the_palette_shows_a_view),
        DRIVER_TEST(views_in_a_circle_end),
        cmocka_unit_test(a_text_of_views_is_printed_as_it_was_read),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
