/* The page of what the team's store has under the filter on show. */
#include "app/lookup.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct lookup_result *store_has(bool whole) {
    struct lookup_result *found = lookup_result_new();
    static const char *const STATUSES[] = {"approved", "declined", NULL};
    found->n = 1234567;
    found->more = true;
    found->coverage = (struct coverage){.reach = whole ? COVERAGE_WHOLE : COVERAGE_PART,
                                        .team = true,
                                        .walked = CLOCK_NONE,
                                        .as_of = whole ? DRIVER_NOW - 3600000 : CLOCK_NONE};
    found->totals = arena_new(&found->arena, 2 * sizeof *found->totals);
    found->totals[0] = (struct lookup_total){.currency = "EUR", .sum = 987654321, .rows = 1234000};
    found->totals[1] = (struct lookup_total){.currency = "JPY", .overflow = true, .rows = 567, .without = 2};
    found->n_totals = 2;
    found->values = arena_new(&found->arena, 3 * sizeof *found->values);
    for (size_t i = 0; i < 3; i++)
        found->values[i] = (struct query_place){.value = STATUSES[i], .rows = 1000000 >> i};
    found->n_values = found->n_distinct = 3;
    for (size_t i = 0; i < 3; i++) {
        struct lookup_row *row = vec_add(&found->rows);
        struct intent *intent = intent_new();
        intent->id = (struct value_text){.state = VALUE_OK, .text = "int_1"};
        intent->status = (struct value_text){.state = VALUE_OK, .text = "declined"};
        intent->currency = (struct value_text){.state = VALUE_OK, .text = "EUR"};
        intent->amount = (struct value_number){VALUE_OK, 1899, "1899", NULL};
        intent->created_at =
            (struct value_time){VALUE_OK, DRIVER_NOW - 400 * INT64_C(86400000), "2025-10-24T10:00:00Z"};
        row->intent = intent;
        row->confirmed = DRIVER_NOW;
    }
    return found;
}

static void answer_with(struct driver *driver, struct lookup_result *found) {
    const struct effect *effect = driver_effect(driver, EFFECT_TEAM_LOOKUP);
    assert_non_null(effect);
    struct event event = {
        .kind = EVENT_TEAM_LOOKUP, .ticket = effect->ticket, .payload = payload_of(lookup_result, found)};
    driver_event(driver, &event);
}

static void ask_the_team(struct driver *driver) {
    driver_keys(driver, ": 'ask-team' Enter");
}

static void teamed(struct driver *driver) {
    struct profile *profile = driver->profile;
    free(profile->team_store);
    profile->team_store = mem_dup("postgresql:///bursar");
}

static void open_page(struct driver *driver, int rows, int cols) {
    driver_open(driver, rows, cols);
    driver_answer(driver, driver_page);
    teamed(driver);
    ask_the_team(driver);
    answer_with(driver, store_has(true));
}

static void the_page_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("team-store", "80x24 120x40 200x50 40x8", open_page, "");
}

static void a_profile_without_a_team_says_so(void **state) {
    struct driver *driver = *state;
    ask_the_team(driver);
    driver_shows(driver, "names no team");
    assert_null(driver_effect(driver, EFFECT_TEAM_LOOKUP));
}

static void the_filter_on_show_is_asked_and_esc_gives_it_up(void **state) {
    struct driver *driver = *state;
    teamed(driver);
    driver_keys(driver, "/ 'status:declined' Enter");
    ask_the_team(driver);
    driver_shows(driver, "asking the team's store");
    const struct effect *effect = driver_effect(driver, EFFECT_TEAM_LOOKUP);
    assert_non_null(effect);
    const struct lookup *lookup = effect_get(effect, lookup);
    struct str text;
    str_init(&text, 256);
    query_print(lookup->query, &text);
    assert_string_equal(text.s, "status:declined");
    str_clear(&text);
    uint64_t ticket = effect->ticket;
    driver_forget(driver);
    driver_keys(driver, "Esc");
    const struct effect *given_up = driver_effect(driver, EFFECT_CANCEL);
    assert_non_null(given_up);
    assert_true(given_up->ticket == ticket);
}

static void what_is_not_whole_and_what_failed_is_said(void **state) {
    struct driver *driver = *state;
    teamed(driver);
    ask_the_team(driver);
    answer_with(driver, store_has(false));
    driver_shows(driver, "the service may have more");
    driver_keys(driver, "Esc");
    ask_the_team(driver);
    struct lookup_result *failed = lookup_result_new();
    assert_int_equal(error_set(&failed->error, ERR_STORE, "the team's store cannot be reached: refused"), ERR_STORE);
    answer_with(driver, failed);
    driver_shows(driver, "cannot be reached: refused");
}

/* What is not in the list is asked of the index, which has the rows that the store gave. */
static void enter_goes_to_one_of_its_rows(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, driver_page);
    teamed(driver);
    ask_the_team(driver);
    answer_with(driver, store_has(true));
    const struct effect *asked = driver_effect(driver, EFFECT_TEAM_LOOKUP);
    assert_true(effect_get(asked, lookup)->keep);
    driver_keys(driver, "Enter");
    driver_shows(driver, "Go to");
    driver_keys(driver, "Esc"); /* back to the page */
    driver_shows(driver, "The team's store");
    driver_keys(driver, "Enter");
    driver_forget(driver);
    driver_keys(driver, "Down Enter");
    const struct effect *effect = driver_effect(driver, EFFECT_LOOKUP);
    assert_non_null(effect);
    struct str text;
    str_init(&text, 256);
    query_print(effect_get(effect, lookup)->find, &text);
    assert_string_equal(text.s, "id=int_1");
    str_clear(&text);
}

static void a_page_without_rows_closes(void **state) {
    struct driver *driver = *state;
    driver_answer(driver, driver_page);
    teamed(driver);
    ask_the_team(driver);
    answer_with(driver, lookup_result_new());
    driver_keys(driver, "Enter");
    driver_hides(driver, "The team's store");
}

int main(void) {
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_at_every_size),
        DRIVER_TEST_IN(a_profile_without_a_team_says_so, driver_open, 24, 80),
        DRIVER_TEST_IN(enter_goes_to_one_of_its_rows, driver_open, 24, 80),
        DRIVER_TEST_IN(a_page_without_rows_closes, driver_open, 24, 80),
        DRIVER_TEST_IN(the_filter_on_show_is_asked_and_esc_gives_it_up, driver_open, 24, 80),
        DRIVER_TEST_IN(what_is_not_whole_and_what_failed_is_said, driver_open, 24, 80),
    };
    return cmocka_run_group_tests_name("team_store", tests, driver_page_read, driver_page_drop);
}
