/* The overview: its pictures at three sizes, in Unicode and ASCII, and that each bar opens the list of just its rows.
 */
#include "base/mem.h"
#include "panes/intents/list.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PICTURES = 8, STEPS_MOST = 20 };

static void open_overview(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    looker_press(driver, driver_page, "5");
}

static void open_ascii(struct driver *driver, int rows, int cols) {
    symbols_ascii(true);
    open_overview(driver, rows, cols);
}

/* Each picture by itself where one has room; they come together in larger windows. */
static void pictures_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("overview", "80x24 120x40 200x50 40x8 20x5", open_overview, "");
    symbols_ascii(false);
}

static void pictures_in_ascii(void **state) {
    (void)state;
    driver_check_sizes("overview-ascii", "80x24 120x40 200x50", open_ascii, "");
    symbols_ascii(false);
}

static void every_picture_is_drawn(void **state) {
    struct driver *driver = driver_begin(state);
    open_overview(driver, 24, 80);
    for (int i = 0; i < PICTURES; i++) {
        char name[64];
        snprintf(name, sizeof name, "overview-picture-%d", i + 1);
        driver_check(driver, name);
        looker_press(driver, driver_page, "n");
    }
}

/* What the line below the picture says of the bar under the cursor, with the place of the cursor; SIZE_MAX: nothing. */
static size_t told(struct driver *driver, char *line, size_t size) {
    char *screen = driver_dump(driver);
    size_t n = SIZE_MAX;
    int y = 0, x = 0;
    *line = '\0';
    for (char *at = screen; (at = strstr(at, " intent")) != NULL; at++) {
        char *digit = at, *end = at + strcspn(at, ":\n");
        while (digit > screen && (digit[-1] == ',' || (digit[-1] >= '0' && digit[-1] <= '9')))
            digit--;
        if (digit == at || *end != ':' || end - at > (int)strlen(" intents decided"))
            continue;
        char *from = digit;
        while (from > screen && from[-1] != '\n')
            from--;
        n = (size_t)strtoul(digit, NULL, 10);
        (void)canvas_cursor_at(driver->canvas, &y, &x);
        snprintf(line, size, "%d %d %.*s", y, x, (int)strcspn(from, "\n"), from);
    }
    free(screen);
    return n;
}

/* Opens the list, counts it, and comes back to the same bar. */
static void open_bar(struct driver *driver, int picture, size_t expected) {
    if (expected == 0) {
        driver_key(driver, "Enter");
        driver_shows(driver, "no intent is counted here");
        return;
    }
    looker_press(driver, driver_page, "Enter");
    driver_shows(driver, "1 Intents");
    if (intents_count(driver->shell) != expected)
        fail_msg("picture %d: %zu rows in the list of a bar of %zu: %s", picture + 1, intents_count(driver->shell),
                 expected, intents_filter(driver->shell));
    looker_press(driver, driver_page, "u 5");
}

/* The bars that were met. */
struct met {
    char lines[400][160];
    size_t n;
};

static bool is_met_again(struct driver *driver, struct met *met) {
    char line[160];
    (void)told(driver, line, sizeof line);
    for (size_t i = 0; i < met->n; i++)
        if (strcmp(met->lines[i], line) == 0)
            return true;
    assert_true(met->n < COUNT_OF(met->lines));
    memcpy(met->lines[met->n++], line, sizeof line);
    return false;
}

/* Every bar of every picture, as far as the keys lead. */
static void every_bar_opens_just_its_intents(void **state) {
    struct driver *driver = driver_begin(state);
    struct met *met = mem_new(sizeof *met);
    size_t opened = 0;
    open_overview(driver, 24, 80);
    for (int picture = 0; picture < PICTURES; picture++) {
        const char *on = picture < 2 ? "h" : "l", *back = picture < 2 ? "l" : "h";
        met->n = 0;
        while (!is_met_again(driver, met)) {
            int steps = 0;
            do {
                char line[160];
                size_t rows = told(driver, line, sizeof line);
                assert_true(rows != SIZE_MAX);
                open_bar(driver, picture, rows);
                opened += rows > 0;
                driver_key(driver, on);
                steps++;
            } while (steps < STEPS_MOST && !is_met_again(driver, met));
            for (; steps > 0; steps--)
                driver_key(driver, back);
            driver_key(driver, "j");
        }
        looker_press(driver, driver_page, "n");
    }
    assert_true(opened > 60);
    free(met);
}

static void it_follows_the_filter_on_show(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_page_cached(driver, 24, 80);
    looker_press(driver, driver_page, "/ 'rail:card' Enter 5");
    driver_shows(driver, "filter: rail:card");
    driver_hides(driver, "40 cached intents");
}

static void spans_and_zones_are_counted_anew(void **state) {
    struct driver *driver = driver_begin(state);
    open_overview(driver, 24, 80);
    driver_shows(driver, "a day each, UTC");
    looker_press(driver, driver_page, "s");
    driver_shows(driver, "a week each");
    looker_press(driver, driver_page, "s");
    driver_shows(driver, "an hour each");
}

static void without_a_cache_the_rows_read_are_drawn(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    driver_answer(driver, driver_page);
    driver_forget(driver);
    driver_key(driver, "5");
    looker_settle_walk(driver);
    driver_check(driver, "overview-no-cache");
}

static void it_waits_for_its_answer_and_says_so(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_page_cached(driver, 24, 80);
    driver_key(driver, "5");
    driver_check(driver, "overview-counting");
}

static void nothing_is_drawn_of_nothing(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_page_cached(driver, 24, 80);
    looker_press(driver, driver_page, "/ 'rail:none' Enter 5");
    driver_shows(driver, "there is nothing to draw");
    driver_key(driver, "Enter");
    driver_shows(driver, "no intent is counted here");
}

/* Answers what the picture asked with made-up places, a row at each. */
static void answer_made(struct driver *driver, struct query_place place, size_t n_overs, size_t n_values,
                        size_t n_distinct) {
    const struct effect *effect = driver_effect(driver, EFFECT_LOOKUP);
    struct lookup_result *found = lookup_result_new();
    size_t n = n_overs > n_values ? n_overs : n_values;
    assert_non_null(effect);
    found->overs = arena_new(&found->arena, n * sizeof *found->overs);
    found->values = arena_new(&found->arena, n * sizeof *found->values);
    found->cells = arena_new(&found->arena, n * sizeof *found->cells);
    for (size_t i = 0; i < n; i++) {
        found->overs[i] = found->values[i] = place;
        found->cells[i] = (struct query_cell){.over = n_overs > 1 ? i : 0, .by = i, .rows = 1};
    }
    found->n_overs = n_overs;
    found->n_values = n_values;
    found->n_distinct = n_distinct;
    found->n_cells = n;
    found->n = found->rows_scanned = n_distinct;
    found->whole = true;
    struct event event = {.kind = EVENT_LOOKUP, .ticket = effect->ticket, .payload = payload_of(lookup_result, found)};
    driver_event(driver, &event);
}

/* Every currency has a place on both axes: the pairs of them are far more than the rows. */
static void a_picture_of_many_currencies_has_memory_for_its_rows(void **state) {
    struct driver *driver = driver_begin(state);
    enum { PLACES = 200000 };
    open_overview(driver, 24, 80);
    looker_press(driver, driver_page, "n n n");
    driver_forget(driver);
    driver_key(driver, "n");
    answer_made(driver, (struct query_place){.value = "AAA 100..199", .currency = "AAA", .number = 7, .rows = 1},
                PLACES, PLACES, PLACES);
    driver_shows(driver, "5/8 Guarantee against amount", "1 intent: ");
}

static void what_is_no_bar_is_said_as_it_is(void **state) {
    struct driver *driver = driver_begin(state);
    open_overview(driver, 24, 80);
    looker_press(driver, driver_page, "n");
    driver_forget(driver);
    driver_key(driver, "n");
    answer_made(driver, (struct query_place){.value = "insufficient_funds", .rows = 1}, 1, 200, 350);
    driver_shows(driver, "and 150 intents more, 43%: of other values, or without one");
}

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_at_every_size),
        cmocka_unit_test(pictures_in_ascii),
        DRIVER_TEST(every_picture_is_drawn),
        DRIVER_TEST(every_bar_opens_just_its_intents),
        DRIVER_TEST(it_follows_the_filter_on_show),
        DRIVER_TEST(spans_and_zones_are_counted_anew),
        DRIVER_TEST(without_a_cache_the_rows_read_are_drawn),
        DRIVER_TEST(it_waits_for_its_answer_and_says_so),
        DRIVER_TEST(nothing_is_drawn_of_nothing),
        DRIVER_TEST(a_picture_of_many_currencies_has_memory_for_its_rows),
        DRIVER_TEST(what_is_no_bar_is_said_as_it_is),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
