/* Programs of the operator's own in the console: shown before the first run, refused where a profile is read-only. */
#include "app/own_action.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct own_actions own;

static void open_listed(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
}

enum { CALM = 1000 }; /* longer than stray keys are waited for */

/* The question was on the screen for a moment. */
static void read_it(struct driver *driver) {
    driver_shows(driver, "each line one argument");
    driver->now += CALM;
}

static const struct own_ask *asked(struct driver *driver) {
    const struct effect *effect = driver_effect(driver, EFFECT_OWN);
    return effect ? effect_get(effect, own_ask) : NULL;
}

static void the_question_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("own-action", "80x24 120x40 200x50", open_listed, "e Enter");
}

static void it_is_shown_before_the_first_run_alone(void **state) {
    struct driver *driver = *state;
    driver_forget(driver);
    driver_keys(driver, "e Enter");
    driver_shows(driver, "each line one argument and no shell", "b37875db-170c-479c-849a-4b705c1eba67");
    assert_null(asked(driver));
    read_it(driver);
    driver_keys(driver, "Right Enter");
    assert_non_null(asked(driver));
    assert_string_equal(asked(driver)->argv.items[0], "ledger");
    assert_string_equal(asked(driver)->argv.items[1], "b37875db-170c-479c-849a-4b705c1eba67");
    driver_forget(driver);
    driver_keys(driver, "e Enter");
    assert_non_null(asked(driver));
}

static void no_is_the_answer_to_begin_with(void **state) {
    struct driver *driver = *state;
    driver_forget(driver);
    driver_keys(driver, "e Enter");
    read_it(driver);
    driver_key(driver, "Enter");
    assert_null(asked(driver));
}

static void f99_keys_typed_ahead_run_nothing(void **state) {
    struct driver *driver = *state;
    driver_forget(driver);
    driver_keys(driver, "e Enter Tab Enter");
    driver_shows(driver, "each line one argument");
    driver_keys(driver, "Right Enter x");
    assert_null(asked(driver));
    read_it(driver);
    driver_keys(driver, "Right Enter");
    assert_non_null(asked(driver));
}

static void a_read_only_profile_runs_what_reads(void **state) {
    struct driver *driver = driver_begin(state);
    driver_read_only = true;
    open_listed(driver, 24, 80);
    driver_read_only = false;
    driver_forget(driver);
    driver_keys(driver, "e");
    driver_shows(driver, "not in a read-only profile", "reads");
    driver_keys(driver, "Enter");
    driver_shows(driver, "this profile is read-only");
    assert_null(asked(driver));
    driver_keys(driver, "e Down Enter");
    read_it(driver);
    driver_keys(driver, "Right Enter");
    assert_non_null(asked(driver));
}

/* Nobody confirms what he cannot see. */
static void it_is_shown_to_its_last_argument_or_not_run(void **state) {
    struct driver *driver = driver_begin(state);
    open_listed(driver, 60, 200);
    driver_forget(driver);
    driver_keys(driver, "e Down Down Enter");
    driver_shows(driver, "each line one argument", "the-last-one");
    driver_keys(driver, "Esc");
    assert_null(asked(driver));
    (void)driver_end(state);
    driver = driver_begin(state);
    open_listed(driver, 20, 80);
    driver_forget(driver);
    driver_keys(driver, "e Down Down Enter");
    driver_shows(driver, "the window is too small to show all that would run");
    driver_keys(driver, "Right Enter");
    assert_null(asked(driver));
}

static void what_it_prints_is_only_text(void **state) {
    struct driver *driver = *state;
    struct error error = {0};
    struct own_done done = {"ledger", "booked \x1b[2J\nsecond", 18, false, &error};
    struct event event = {.kind = EVENT_OWN, .payload = payload_of(own_done, &done)};
    driver_event(driver, &event);
    driver_shows(driver, "booked <1B>[2J", "second");
}

static int start(void **state) {
    enum { LONG_WORDS = 40, LONG_CELLS = 55 };
    struct str report, text;
    if (!setlocale(LC_ALL, "C.UTF-8") || driver_page_read(state) != 0)
        return -1;
    str_init(&report, 4096);
    str_init(&text, 1 << 14);
    str_add(&text, "[book it]\nrun = ledger {id}\n[look]\nrun = look {id}\nreads = yes\n[long]\nrun = long");
    for (int i = 0; i < LONG_WORDS; i++)
        str_addf(&text, " %0*d", LONG_CELLS, i);
    str_add(&text, " the-last-one {id}\n");
    own_actions_parse(&own, "actions", text.s, &report);
    assert_string_equal(report.s, "");
    str_clear(&report);
    str_clear(&text);
    driver_own_actions = &own;
    return 0;
}

static int stop(void **state) {
    own_actions_clear(&own);
    return driver_page_drop(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_question_at_every_size),
        DRIVER_TEST_IN(it_is_shown_before_the_first_run_alone, open_listed, 24, 80),
        DRIVER_TEST_IN(no_is_the_answer_to_begin_with, open_listed, 24, 80),
        DRIVER_TEST_IN(f99_keys_typed_ahead_run_nothing, open_listed, 24, 80),
        DRIVER_TEST(a_read_only_profile_runs_what_reads),
        DRIVER_TEST(it_is_shown_to_its_last_argument_or_not_run),
        DRIVER_TEST_IN(what_it_prints_is_only_text, open_listed, 24, 80),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
