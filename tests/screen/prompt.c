/* The prompt: completion, faults with their place, what was typed before, finding, and the filter row it leads to. */
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void type(struct driver *driver, const char *text) {
    driver_keys(driver, "/ Ctrl-U");
    driver_text(driver, text);
    looker_settle(driver, driver_page, false);
}

static void filter(struct driver *driver, const char *text) {
    type(driver, text);
    looker_press(driver, driver_page, "Enter");
}

static void find(struct driver *driver, const char *text) {
    driver_key(driver, "\\");
    driver_text(driver, text);
    looker_press(driver, driver_page, "Enter");
}

struct size {
    const char *name;
    int rows, cols;
};
static const struct size SIZES[] = {{"80x24", 24, 80}, {"120x40", 40, 120}, {"40x8", 8, 40}};

static void statuses_of_what_is_typed_are_counted_at_its_right(void **state) {
    static const struct size WINDOWS[] = {{"80x24", 24, 80}, {"120x40", 40, 120}, {"200x50", 50, 200}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(WINDOWS); i++) {
        struct driver driver;
        char golden[64];
        driver_open_page_cached(&driver, WINDOWS[i].rows, WINDOWS[i].cols);
        type(&driver, "amount>=5000");
        (void)snprintf(golden, sizeof golden, "prompt-statuses-%s", WINDOWS[i].name);
        driver_check(&driver, golden);
        driver_close(&driver);
    }
}

/* One question a key: the counts come with its answer. */
static void statuses_are_counted_by_the_question_of_the_list(void **state) {
    struct driver *driver = *state;
    size_t questions = 0;
    driver_forget(driver);
    driver_keys(driver, "/ 'x'");
    for (size_t i = 0; i < driver->effects.n; i++) {
        const struct lookup *lookup = effect_get(&driver->effects.items[i], lookup);
        questions += lookup != NULL;
        assert_true(!lookup || (lookup->facet == QUERY_STATUS_FIELD && lookup->window > 0));
    }
    assert_int_equal(questions, 1);
    looker_settle(driver, driver_page, false);
    driver_keys(driver, "Esc");
    assert_int_equal(looker_asked(driver) ? looker_asked(driver)->facet : QUERY_FIELD_COUNT, QUERY_FIELD_COUNT);
}

/* The most frequent ones stay, and what is missing is said; a fault has no counts. */
static void statuses_give_way_to_what_is_typed(void **state) {
    struct driver *driver = *state;
    type(driver, "amount>=5000");
    driver_shows(driver, "appr 14  decl 4  pend 3  canc 1");
    driver_text(driver, " -bank:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    looker_settle(driver, driver_page, false);
    driver_shows(driver, "aa        appr 14  decl 4 +2");
    driver_hides(driver, "pend 3");
    driver_text(driver, " -bank:aaaaaaaa");
    looker_settle(driver, driver_page, false);
    driver_hides(driver, "appr 14");
}

/* The counts of the text before are of another question. */
static void a_text_whose_answer_is_on_its_way_has_no_statuses(void **state) {
    struct driver *driver = *state;
    type(driver, "amount>=5000");
    driver_shows(driver, "appr 14");
    driver_text(driver, " status:declined");
    driver_hides(driver, "appr 14", "decl 4");
    looker_settle(driver, driver_page, false);
    driver_shows(driver, "decl 4");
    driver_hides(driver, "appr 14");
}

static void a_text_at_fault_has_no_statuses(void **state) {
    struct driver *driver = *state;
    type(driver, "amount>=5000");
    driver_shows(driver, "appr 14");
    driver_text(driver, " amount>=");
    looker_settle(driver, driver_page, false);
    driver_hides(driver, "appr 14");
}

/* What is typed, at every size. */
struct scene {
    const char *name, *text;
};

static void play(void **state) {
    const struct scene *scene = *state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        char golden[64];
        driver_open_page_cached(&driver, SIZES[i].rows, SIZES[i].cols);
        type(&driver, scene->text);
        (void)snprintf(golden, sizeof golden, "%s-%s", scene->name, SIZES[i].name);
        driver_check(&driver, golden);
        driver_close(&driver);
    }
}

/* Values come for the field they were asked for, though another stands at the caret by then. */
static void values_that_come_late_are_of_their_own_field(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ 'bank:' Ctrl-U 'rail:'");
    for (size_t i = 0; i < driver->effects.n; i++) {
        const struct lookup *lookup = effect_get(&driver->effects.items[i], lookup);
        assert_true(!lookup || lookup->facet != QUERY_RAIL_FIELD);
    }
    looker_settle(driver, driver_page, false);
    driver_shows(driver, " sepa ");
    driver_hides(driver, "Kestrel Mutual\"");
}

static void tab_takes_what_is_common_then_one_after_the_other(void **state) {
    struct driver *driver = *state;
    type(driver, "stat");
    driver_key(driver, "Tab");
    driver_cursor_row_is(driver, "/status");
    type(driver, "status:");
    driver_keys(driver, "Tab Tab Enter");
    driver_cursor_row_is(driver, "/status:pending");
    type(driver, "status:");
    driver_keys(driver, "Tab Shift-Tab Esc");
    driver_cursor_row_is(driver, "/status:");
    driver_key(driver, "Esc");
    driver_hides(driver, "/status:");
}

static void the_list_follows_each_key_and_esc_brings_it_back(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "j j j");
    type(driver, "amount>5000000");
    driver_shows(driver, "being typed", "of 2 so far");
    driver_text(driver, " (");
    looker_settle(driver, driver_page, false);
    driver_shows(driver, "E at ", "6,849,198");
    driver_try(driver, "Esc", "none, every intent of this account");
    driver_cursor_at(driver, "2026-11-27 19:35:23");
}

static void a_fault_is_not_applied(void **state) {
    struct driver *driver = *state;
    filter(driver, "status:");
    driver_shows(driver, "E at 8:");
    driver_cursor_row_is(driver, "/status:");
}

static void what_is_typed_after_the_old_filter_is_another_term(void **state) {
    struct driver *driver = *state;
    filter(driver, "amount:40..600000");
    driver_keys(driver, "/ 'status:declined'");
    driver_cursor_row_is(driver, "/amount:40..600000 status:declined");
    driver_key(driver, "Esc");
}

/* Opened and applied as it was, it is no other view: one step of undo leads to before it. */
static void the_old_filter_unchanged_is_no_other_filter(void **state) {
    struct driver *driver = *state;
    filter(driver, "rail:card");
    driver_keys(driver, "/ Enter / Enter");
    looker_settle(driver, driver_page, false);
    driver_keys(driver, "/ Up");
    driver_cursor_row_is(driver, "/rail:card");
    driver_keys(driver, "Esc u");
    looker_settle(driver, driver_page, false);
    driver_shows(driver, "none, every intent of this account");
    driver_try(driver, "u", "nothing to undo");
}

static void the_keys_of_the_line_stand_above_it(void **state) {
    struct driver *driver = *state;
    type(driver, "status:");
    driver_shows(driver, "Enter apply  Tab choose a suggestion  Up Down typed before  Esc leave");
    type(driver, "pend");
    driver_shows(driver, "Enter apply  Tab take the suggestion  Up Down typed before  Esc leave");
    driver_try(driver, "Backspace Backspace Backspace Backspace Tab",
               "Enter take this one  Tab next suggestion  Up Down choose  Esc no suggestion");
    driver_try(driver, "Esc Esc @", "Enter go there  Up Down typed before  Esc leave");
    driver_hides(driver, "Tab ");
}

static void a_fault_that_is_long_takes_a_second_row(void **state) {
    struct driver *driver = *state;
    type(driver, "status:declined created:tee");
    driver_shows(driver, "E at 25: \"tee\": not a time: 2026-11-01, 2026-11, 2026-11-01T10:30Z, today,",
                 "yesterday, tuesday, -7d, -24h");
}

/* The filter row may be cut before what a key changed. */
static void narrowing_and_undoing_name_what_changed(void **state) {
    struct driver *driver = *state;
    filter(driver, "amount>=0");
    driver_keys(driver, "l ,");
    looker_settle(driver, driver_page, false);
    driver_shows(driver, "I added to the filter: status=", "; u undoes");
    driver_key(driver, "u");
    looker_settle(driver, driver_page, false);
    driver_shows(driver, "I without status=", ": filter back to amount>=0");
    driver_try(driver, "U", ": filter again amount>=0 status=");
    driver_try(driver, "u u", "I without amount>=0: filter back to none");
    driver_try(driver, "s u", "I order back to as sent by the service");
    driver_try(driver, "Space u", "I marks back to 0");
}

static void excluding_goes_on_from_the_next_row_that_stays(void **state) {
    struct driver *driver = *state;
    filter(driver, "amount>=0");
    driver_keys(driver, "l j j j !");
    looker_settle(driver, driver_page, false);
    driver_shows(driver, " 4 of ");
    driver_hides(driver, " D ");
}

static void narrowing_twice_to_the_same_value_adds_it_once(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "l ,");
    looker_settle(driver, driver_page, false);
    driver_try(driver, ",", "I the filter says so already: status=");
    driver_key(driver, "u");
    looker_settle(driver, driver_page, false);
    driver_shows(driver, "filter back to none");
    driver_key(driver, "!");
    looker_settle(driver, driver_page, false);
    driver_shows(driver, "I added to the filter: -status=");
}

static void a_slip_in_a_known_word_is_hinted_at_in_the_empty_list(void **state) {
    struct driver *driver = *state;
    filter(driver, "status:declned");
    driver_shows(driver, "no status \"declned\" among 40 (declined?)",
                 "no cached intent matches so far; / changes the filter, R reads all");
    filter(driver, "status:zzzzzzz");
    driver_hides(driver, "no status");
    filter(driver, "currency:USD or currency:EUR");
    driver_shows(driver, "\"or\" is looked for as a word: write currency:USD | currency:EUR");
}

static void the_row_says_who_does_which_part(void **state) {
    struct driver driver;
    (void)state;
    driver_open_page_cached(&driver, 24, 120);
    filter(&driver, "status:declined amount>=3000");
    driver_check(&driver, "filter-split");
    driver_close(&driver);
    driver_open_page_cached(&driver, 24, 80);
    filter(&driver, "status:declined bank:\"copperfield trust\" amount>=3000 -decline:do_not_honor");
    driver_check(&driver, "filter-long");
    driver_close(&driver);
}

static void totals_stand_in_the_status_row(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_page_cached(driver, 24, 120);
    filter(driver, "currency:EUR | currency:GBP");
    driver_check(driver, "filter-totals");
}

/* Of a total that has no room nothing is shown: a part of it would read as an amount. */
static void no_total_is_cut(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_page_cached(driver, 24, 62);
    filter(driver, "amount>=0");
    driver_check(driver, "filter-totals-62");
}

static void lines_typed_before_are_walked(void **state) {
    struct driver *driver = *state;
    filter(driver, "rail:card");
    filter(driver, "rail:ach");
    type(driver, "rai");
    driver_key(driver, "Up");
    driver_cursor_row_is(driver, "/rail:ach");
    driver_keys(driver, "Up Up");
    driver_cursor_row_is(driver, "/rail:card");
    driver_keys(driver, "Down Down");
    driver_cursor_row_is(driver, "/rai");
}

/* A line typed again moves to the end: it is there once. */
static void a_line_is_held_once(void **state) {
    struct driver *driver = *state;
    filter(driver, "rail:card");
    filter(driver, "rail:ach");
    filter(driver, "rail:card");
    driver_keys(driver, "/ Up");
    driver_cursor_row_is(driver, "/rail:card");
    driver_key(driver, "Up");
    driver_cursor_row_is(driver, "/rail:ach");
    driver_key(driver, "Up");
    driver_cursor_row_is(driver, "/rail:ach");
}

static void lines_of_the_disk_come_before_those_typed(void **state) {
    struct driver *driver = *state;
    struct history_read read = {"/rail:wire\n\\nord\n/type:primary\n?junk\n/\n/\x1b[2J\n"};
    struct event event = {.kind = EVENT_HISTORY, .payload = payload_of(history_read, &read)};
    filter(driver, "rail:ach");
    driver_event(driver, &event);
    driver_keys(driver, "/ Up Up");
    driver_cursor_row_is(driver, "/type:primary");
    driver_keys(driver, "Up Up Up");
    driver_cursor_row_is(driver, "/rail:wire");
    driver_keys(driver, "Esc \\ Up Up");
    driver_cursor_row_is(driver, "\\nord");
}

static const char *kept(const struct driver *driver) {
    const char *text = NULL;
    for (size_t i = 0; i < driver->effects.n; i++) {
        const struct effect *effect = &driver->effects.items[i];
        text = effect->kind == EFFECT_HISTORY_KEEP ? effect_get(effect, history_line)->text : text;
    }
    return text;
}

static void only_what_names_nobody_is_kept_on_the_disk(void **state) {
    static const char *const PERSONAL[] = {"ada",           "user:usr_1", "status:declined credential:c",
                                           "mask:1234",     "routing:1",  "-(user:u | rail:card)",
                                           "account.name:x"};
    struct driver driver;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(PERSONAL); i++) {
        driver_open_page_cached(&driver, 24, 80);
        type(&driver, PERSONAL[i]);
        driver_key(&driver, "Enter");
        assert_null(kept(&driver));
        driver_close(&driver);
    }
    driver_open_page_cached(&driver, 24, 80);
    type(&driver, "status:declined amount>=5");
    driver_key(&driver, "Enter");
    assert_string_equal(kept(&driver), "/status:declined amount>=5");
    driver_forget(&driver);
    driver_keys(&driver, "\\ 'rail:card' Enter");
    assert_string_equal(kept(&driver), "\\rail:card");
    driver_forget(&driver);
    driver_keys(&driver, "@ '27d6fb76' Enter");
    assert_null(kept(&driver));
    driver_close(&driver);
}

static void finding_moves_the_cursor_and_narrows_nothing(void **state) {
    struct driver *driver = *state;
    find(driver, "copperfield");
    driver_cursor_at(driver, "2026-11-27 19:35:23");
    driver_key(driver, "n");
    driver_cursor_at(driver, "2026-11-27 11:30:41");
    driver_key(driver, "N");
    driver_cursor_at(driver, "2026-11-27 19:35:23");
    driver_try(driver, "N", "finds nothing more above", "of 40 read so far");
}

static void what_is_found_is_counted_in_a_filtered_list(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_page_cached(driver, 24, 120);
    filter(driver, "-status:approved");
    find(driver, "rail:card");
    driver_key(driver, "n");
    driver_check(driver, "found");
    find(driver, "zzzz");
    driver_shows(driver, " not found");
    driver_try(driver, "N", "the search finds nothing in the rows at hand", "| \\zzzz not found");
    driver_keys(driver, "Esc Esc"); /* the first cancels what is being read */
    driver_hides(driver, "zzzz");
}

/* What was said of the list that stood before does not stand over another. */
static void a_warning_goes_with_its_list(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "l l s");
    looker_settle(driver, driver_page, false);
    driver_keys(driver, "@ '2026-11-20'");
    driver_try(driver, "Enter", "rows are in no order of time");
    driver_key(driver, "i");
    driver_hides(driver, "rows are in no order of time");
}

static void without_a_cache_the_rows_read_are_filtered(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    driver_answer(driver, driver_page);
    driver_keys(driver, "/ 'amount>40000' Enter");
    looker_settle_walk(driver);
    driver_shows(driver, "local[amount>40000] over 40 rows read so far; R reads all");
    driver_keys(driver, "/ Ctrl-U 'status:declined'");
    driver_try(driver, "Enter", "server[status:declined]");
    driver_keys(driver, "g \\ 'copperfield' Enter");
    driver_cursor_at(driver, "2026-11-27 19:35:23");
}

/* The service may not fold case as the console does: only values of the document are sent to it. */
static void without_a_cache_a_word_not_named_is_looked_for_here(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    driver_answer(driver, driver_page);
    driver_keys(driver, "/ 'status:declned' Enter");
    looker_settle_walk(driver);
    driver_shows(driver, "no status \"declned\" among 40 (declined?)", "no intent read matches so far");
}

static void a_paste_of_several_lines_is_refused_one_line_is_taken(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "/");
    driver_paste(driver, "rail:card\nQ");
    driver_shows(driver, "a text of several lines does not go into this line");
    driver_paste(driver, "rail:card");
    driver_cursor_row_is(driver, "/rail:card");
}

static void a_paste_that_is_too_long_says_so(void **state) {
    struct driver *driver = *state;
    char text[QUERY_TEXT_MAX + 2];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    driver_key(driver, "/");
    driver_paste(driver, text);
    driver_shows(driver, "too long: at most 4096 characters");
    driver_hides(driver, "several lines");
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, driver_open_page_cached, 24, 80)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        SCENE(completion_of_fields, "prompt-fields", "status:declined a"),
        SCENE(completion_of_values_with_counts, "prompt-values", "bank:"),
        SCENE(a_fault_has_its_place_and_reason, "prompt-fault", "status:declined amuont>=5"),
        cmocka_unit_test(statuses_of_what_is_typed_are_counted_at_its_right),
        AFTER_SET_UP(statuses_are_counted_by_the_question_of_the_list),
        AFTER_SET_UP(statuses_give_way_to_what_is_typed),
        AFTER_SET_UP(a_text_whose_answer_is_on_its_way_has_no_statuses),
        AFTER_SET_UP(a_text_at_fault_has_no_statuses),
        AFTER_SET_UP(values_that_come_late_are_of_their_own_field),
        AFTER_SET_UP(tab_takes_what_is_common_then_one_after_the_other),
        AFTER_SET_UP(the_list_follows_each_key_and_esc_brings_it_back),
        AFTER_SET_UP(a_fault_is_not_applied),
        AFTER_SET_UP(what_is_typed_after_the_old_filter_is_another_term),
        AFTER_SET_UP(the_old_filter_unchanged_is_no_other_filter),
        AFTER_SET_UP(the_keys_of_the_line_stand_above_it),
        AFTER_SET_UP(a_fault_that_is_long_takes_a_second_row),
        AFTER_SET_UP(narrowing_and_undoing_name_what_changed),
        AFTER_SET_UP(excluding_goes_on_from_the_next_row_that_stays),
        AFTER_SET_UP(narrowing_twice_to_the_same_value_adds_it_once),
        AFTER_SET_UP(a_slip_in_a_known_word_is_hinted_at_in_the_empty_list),
        cmocka_unit_test(the_row_says_who_does_which_part),
        DRIVER_TEST(totals_stand_in_the_status_row),
        DRIVER_TEST(no_total_is_cut),
        AFTER_SET_UP(lines_typed_before_are_walked),
        AFTER_SET_UP(a_line_is_held_once),
        AFTER_SET_UP(lines_of_the_disk_come_before_those_typed),
        cmocka_unit_test(only_what_names_nobody_is_kept_on_the_disk),
        AFTER_SET_UP(finding_moves_the_cursor_and_narrows_nothing),
        DRIVER_TEST(what_is_found_is_counted_in_a_filtered_list),
        AFTER_SET_UP(a_warning_goes_with_its_list),
        DRIVER_TEST(without_a_cache_the_rows_read_are_filtered),
        DRIVER_TEST(without_a_cache_a_word_not_named_is_looked_for_here),
        AFTER_SET_UP(a_paste_of_several_lines_is_refused_one_line_is_taken),
        AFTER_SET_UP(a_paste_that_is_too_long_says_so),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
