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
#include <time.h>

#include <cmocka.h>

enum { PICTURES = 9, COUNTED = 8 /* the last is of what was observed */, STEPS_MOST = 20 };

static void open_overview(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    looker_press(driver, driver_page, "5");
}

static void small_windows_have_what_has_room(void **state) {
    (void)state;
    driver_check_sizes("overview", "40x8 20x5", open_overview, "");
}

/* At each size as many at once as have room: each screen begins where the one before ended. */
static void draw_pictures(const char *set, bool ascii) {
    static const struct { int rows, cols, at_once; } SIZES[] = {{24, 80, 1}, {40, 120, 2}, {50, 200, 4}};
    for (size_t s = 0; s < COUNT_OF(SIZES); s++) {
        struct driver driver;
        symbols_ascii(ascii);
        open_overview(&driver, SIZES[s].rows, SIZES[s].cols);
        for (int i = 0; i < PICTURES; i++) {
            char name[64];
            snprintf(name, sizeof name, "overview-%s%d-%dx%d", set, i + 1, SIZES[s].cols, SIZES[s].rows);
            if (i % SIZES[s].at_once == 0)
                driver_check(&driver, name);
            looker_press(&driver, driver_page, "n");
        }
        driver_close(&driver);
    }
    symbols_ascii(false);
}

static void every_picture_is_drawn_at_every_size(void **state) {
    (void)state;
    draw_pictures("picture-", false);
}

static void every_picture_is_drawn_in_ascii(void **state) {
    (void)state;
    draw_pictures("ascii-", true);
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
    for (int picture = 0; picture < COUNTED; picture++) {
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

/* As it is typed, and back where it is left; what is applied is the list's filter too. */
static void a_filter_typed_here_is_counted_as_it_grows(void **state) {
    struct driver *driver = driver_begin(state);
    open_overview(driver, 24, 80);
    looker_try(driver, driver_page, "/ 'status:declined'", "filter: status:declined", "6 cached intents so far",
               "/status:declined");
    driver_hides(driver, "A approved", "P pending");
    driver_check(driver, "overview-typing");
    looker_try(driver, driver_page, "' ('", "E ", "6 cached intents so far");
    looker_try(driver, driver_page, "Esc", "every intent", "40 cached intents so far", "A approved", "5 Overview");
    looker_try(driver, driver_page, "/ 'rail:card' Enter", "filter: rail:card", "5 Overview");
    driver_hides(driver, "40 cached intents");
    looker_try(driver, driver_page, "1", "1 Intents", "rail:card");
}

static void bars_that_are_still_counted_lead_nowhere(void **state) {
    struct driver *driver = driver_begin(state);
    open_overview(driver, 24, 80);
    driver_keys(driver, "/ 'status:declined' Enter");
    driver_shows(driver, "filter: status:declined", "counting", "A approved");
    driver_hides(driver, "40 cached intents");
    driver_key(driver, "Enter");
    driver_shows(driver, "5 Overview", "they are being counted");
}

/* Rows of a quarter to midnight, UTC, are of the next day where clocks are ahead, and of the same where they are not;
 * that is so in the list, too. */
#define AT(id, time) "{\"id\":\"" id "\",\"status\":\"approved\",\"created_at\":\"2026-11-" time "\"}"
static const char NIGHTS[] =
    "{\"data\":[" AT("i3", "27T23:45:00Z") "," AT("i2", "27T23:50:00Z") "," AT("i1", "26T12:00:00Z") "]}";

static void open_nights(struct driver *driver, const char *zone) {
    assert_int_equal(setenv("TZ", zone, 1), 0);
    tzset();
    driver_open_cached(driver, 24, 100);
    driver_cached(driver, NIGHTS, true);
    driver_answer(driver, NIGHTS);
    driver_forget(driver);
    driver_key(driver, "t");
}

static void days_and_hours_are_those_of_the_clocks_that_the_list_shows(void **state) {
    static const struct {
        const char *zone, *time, *day, *hour;
    } ZONES[] = {
        {"UTC", "2026-11-27 23:45:00", "2 intents: 2026-11-27, approved", "2 intents: 2026-11-27 23:00 Z"},
        {"Asia/Tokyo", "2026-11-28 08:45:00 +09:00", "2 intents: 2026-11-28, approved",
         "2 intents: 2026-11-28 08:00 +09:00"},
        {"Asia/Kolkata", "2026-11-28 05:15:00 +05:30", "2 intents: 2026-11-28, approved",
         "2 intents: 2026-11-28 05:00 +05:30"},
        {"America/New_York", "2026-11-27 18:45:00 -05:00", "2 intents: 2026-11-27, approved",
         "2 intents: 2026-11-27 18:00 -05:00"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ZONES); i++) {
        struct driver driver;
        open_nights(&driver, ZONES[i].zone);
        driver_shows(&driver, ZONES[i].time);
        looker_try(&driver, NIGHTS, "5", ZONES[i].day, "a day each, local time");
        looker_try(&driver, NIGHTS, "Enter", "1 Intents", ZONES[i].time);
        assert_int_equal(intents_count(driver.shell), 2);
        looker_try(&driver, NIGHTS, "u 5 s s", ZONES[i].hour, "an hour each, local time");
        looker_try(&driver, NIGHTS, "Enter", "1 Intents", ZONES[i].time);
        assert_int_equal(intents_count(driver.shell), 2);
        driver_close(&driver);
    }
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
}

/* Changed while the pane is on show, they are counted anew. */
static void another_zone_moves_the_days(void **state) {
    struct driver driver;
    (void)state;
    open_nights(&driver, "Asia/Tokyo");
    looker_try(&driver, NIGHTS, "t t 5", "2 intents: 2026-11-27, approved", "a day each, UTC");
    looker_try(&driver, NIGHTS, "t", "2 intents: 2026-11-28, approved", "a day each, local time");
    driver_close(&driver);
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
    tzset();
}

/* As the index answers: statuses before and after, how many intents, and those without any. */
static void answer_transitions(struct driver *driver) {
    static const struct {
        const char *before, *after;
        size_t rows;
    } SEEN[] = {{"pending", "approved", 31}, {"pending", "declined", 4}, {"created", "pending", 12}};
    const struct effect *asked = NULL;
    for (size_t i = 0; i < driver->effects.n; i++)
        if (driver->effects.items[i].kind == EFFECT_LOOKUP &&
            effect_get(&driver->effects.items[i], lookup)->facet == QUERY_TRANSITION_FIELD)
            asked = &driver->effects.items[i];
    assert_non_null(asked);
    struct lookup_result *found = lookup_result_new();
    found->n = 60;
    found->whole = true;
    found->n_values = found->n_distinct = found->n_cells = COUNT_OF(SEEN) + 1;
    found->values = arena_new(&found->arena, found->n_values * sizeof *found->values);
    found->cells = arena_new(&found->arena, found->n_cells * sizeof *found->cells);
    for (size_t i = 0; i < COUNT_OF(SEEN); i++) {
        unsigned transition = transition_of(SEEN[i].before, SEEN[i].after);
        found->values[i] =
            (struct query_place){.value = transition_name(transition), .number = transition, .rows = SEEN[i].rows};
        found->cells[i] = (struct query_cell){
            .by = i, .currency = "EUR", .now = {.sum = 1000 * (int64_t)SEEN[i].rows, .rows = SEEN[i].rows}};
    }
    found->values[COUNT_OF(SEEN)] = (struct query_place){.rows = 20};
    found->cells[COUNT_OF(SEEN)] = (struct query_cell){.by = COUNT_OF(SEEN), .currency = "EUR", .now.rows = 20};
    struct event event = {.kind = EVENT_LOOKUP, .ticket = asked->ticket, .payload = payload_of(lookup_result, found)};
    driver_event(driver, &event);
    driver_forget(driver);
}

static void open_transitions(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    driver_keys(driver, "5 N");
    answer_transitions(driver);
}

static void observed_changes_are_a_table(void **state) {
    (void)state;
    driver_check_sizes("overview-transitions", "80x24 120x40 200x50 40x8", open_transitions, "");
    symbols_ascii(true);
    driver_check_sizes("overview-transitions-ascii", "80x24", open_transitions, "");
    symbols_ascii(false);
}

static void a_change_opens_the_intents_that_it_was_observed_of(void **state) {
    struct driver *driver = driver_begin(state);
    open_transitions(driver, 24, 80);
    driver_shows(driver, "0 intents: created became approved");
    driver_keys(driver, "l l");
    driver_shows(driver, "12 intents: created became pending  EUR 12,000");
    driver_keys(driver, "j h h");
    driver_shows(driver, "31 intents: pending became approved");
    looker_try(driver, driver_page, "Enter", "1 Intents", "transition=pending-approved");
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
        found->cells[i] = (struct query_cell){.over = n_overs > 1 ? i : 0, .by = i, .now.rows = 1};
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
    driver_shows(driver, "5/9 Guarantee against amount", "1 intent: ");
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
        cmocka_unit_test(small_windows_have_what_has_room),
        cmocka_unit_test(every_picture_is_drawn_at_every_size),
        cmocka_unit_test(every_picture_is_drawn_in_ascii),
        DRIVER_TEST(every_bar_opens_just_its_intents),
        DRIVER_TEST(it_follows_the_filter_on_show),
        DRIVER_TEST(a_filter_typed_here_is_counted_as_it_grows),
        DRIVER_TEST(bars_that_are_still_counted_lead_nowhere),
        cmocka_unit_test(days_and_hours_are_those_of_the_clocks_that_the_list_shows),
        cmocka_unit_test(another_zone_moves_the_days),
        cmocka_unit_test(observed_changes_are_a_table),
        DRIVER_TEST(a_change_opens_the_intents_that_it_was_observed_of),
        DRIVER_TEST(spans_and_zones_are_counted_anew),
        DRIVER_TEST(without_a_cache_the_rows_read_are_drawn),
        DRIVER_TEST(it_waits_for_its_answer_and_says_so),
        DRIVER_TEST(nothing_is_drawn_of_nothing),
        DRIVER_TEST(a_picture_of_many_currencies_has_memory_for_its_rows),
        DRIVER_TEST(what_is_no_bar_is_said_as_it_is),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
