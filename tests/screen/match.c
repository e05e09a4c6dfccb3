/* The list held against a file: what is asked for, the outcomes with their sums, and the way to an intent and back. */
#include "app/file.h"
#include "app/match_file.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define INTENT(id, day, amount, currency, status)                                            \
    "{\"id\":\"" id "\",\"created_at\":\"2026-11-" day "T10:00:00.000Z\",\"amount\":" amount \
    ",\"currency\":\"" currency "\",\"status\":\"" status "\",\"rail\":\"card\"}"
#define LONGEST "9223372036854775807"

static const char HERE[] =
    "{\"data\":[" INTENT("int_8", "28", "1200", "EUR", "approved") "," INTENT("int_7", "27", "300", "EUR", "declined") "," INTENT(
        "int_6", "26", "4500", "JPY",
        "approved") "," INTENT("int_5", "25", "88000", "KWD",
                               "approved") "," INTENT("int_4", "24", "700", "EUR",
                                                      "pending") "," INTENT("int_3", "23", "700", "EUR",
                                                                            "approved") "," INTENT("int_2", "22", "150",
                                                                                                   "JPY",
                                                                                                   "declined") "," INTENT("int_1",
                                                                                                                          "21",
                                                                                                                          "100",
                                                                                                                          "KWD",
                                                                                                                          "approved") "]}";
static const char LONG_HERE[] = "{\"data\":[" INTENT("int_2", "22", LONGEST, "CAD",
                                                     "approved") "," INTENT("int_1", "21", "5", "EUR", "approved") "]}";

/* One is as here, two differ, one stands twice, one is a stranger; and two of the intents here are not in it. */
static const char FILE_TEXT[] = "Payment ID;Amount;Currency;Status;Purpose\r\n"
                                "int_8;1200;EUR;approved;rent\r\n"
                                "int_7;310;EUR;declined;\r\n"
                                "int_6;4500;JPY;settled;\r\n"
                                "int_5;88000;KWD;approved;\r\n"
                                "int_5;88000;KWD;approved;\r\n"
                                "stranger;999;EUR;approved;\r\n"
                                "int_3;700;EUR;approved;\r\n";

static const char *file_text;
static const struct error *file_failure;

static enum err read_made(const char *path, struct str *out, struct error *error) {
    (void)path;
    str_add(out, file_text);
    return file_failure ? error_set(error, file_failure->code, "%s", file_failure->text) : ERR_OK;
}

/* The lane's answer to the file that was asked for. */
static void answer_file(struct driver *driver, const char *text) {
    const struct effect *effect = driver_effect(driver, EFFECT_MATCH_FILE);
    assert_non_null(effect);
    struct match_file_ask *ask = effect_get(effect, match_file_ask);
    struct match_file_answer *answer = match_file_answer_new(ask->match);
    struct event event = {
        .kind = EVENT_MATCH_FILE, .ticket = effect->ticket, .payload = payload_of(match_file_answer, answer)};
    ask->match = NULL;
    file_text = text;
    enum err err = match_load(answer->match, ask->map, ask->path, read_made, &answer->error);
    assert_int_equal(err, answer->error.code);
    driver_event(driver, &event);
}

static void open_here(struct driver *driver, int rows, int cols) {
    driver_open_cached(driver, rows, cols);
    driver_cached(driver, HERE, true);
    driver_answer(driver, HERE);
    driver_forget(driver);
}

/* To the service's integers, which a profile without a unit has. */
static void ask_file(struct driver *driver) {
    driver_keys(driver, "m 'bank.csv' Down Down Down Down Right Enter");
}

static void match_with(struct driver *driver, const char *here, const char *text, bool whole) {
    ask_file(driver);
    answer_file(driver, text);
    driver->coverage = (struct coverage){
        .reach = whole ? COVERAGE_WHOLE : COVERAGE_PART, .cached = true, .walked = DRIVER_NOW, .as_of = DRIVER_NOW};
    looker_answer(driver, here, whole);
    driver_forget(driver);
}

static void open_matched(struct driver *driver, int rows, int cols) {
    open_here(driver, rows, cols);
    match_with(driver, HERE, FILE_TEXT, true);
}

static void the_form_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("match-form", "80x24 120x40 200x50 40x8", open_here, "m 'bank.csv'");
}

static void the_outcomes_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("match", "80x24 120x40 200x50 40x8", open_matched, "");
}

static void the_list_of_one_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("match-differing", "80x24 120x40 200x50", open_matched, "j Enter j");
}

static void at_40_columns_what_differs_stands_beside_the_id(void **state) {
    (void)state;
    driver_check_sizes("match-differing", "40x8", open_matched, "j j j Enter");
}

static void ambiguous_ones_are_listed_and_none_is_chosen(void **state) {
    (void)state;
    driver_check_sizes("match-ambiguous", "80x24 120x40 200x50", open_matched, "j j Enter");
}

static void open_long(struct driver *driver, int rows, int cols) {
    driver_open_cached(driver, rows, cols);
    driver_cached(driver, LONG_HERE, true);
    driver_answer(driver, LONG_HERE);
    driver_forget(driver);
    match_with(driver, LONG_HERE, "id,amount,currency\nint_2," LONGEST ",CAD\nint_1,5,EUR\n", true);
}

static void no_sum_is_cut(void **state) {
    (void)state;
    driver_check_sizes("match-long", "80x24 40x24", open_long, "");
}

static void each_outcome_has_its_counts_and_sums(void **state) {
    struct driver *driver = *state;
    match_with(driver, HERE, FILE_TEXT, true);
    driver_shows(driver, "bank.csv: 7 rows, on id", "against 8 intents, all there are");
    driver_shows(driver, "matched                    2         2 EUR", "differing                  2         2 EUR",
                 "ambiguous                  2         1 KWD", "only in the file           1         0 EUR",
                 "only here                  0         3 EUR");
    driver_shows(driver, "columns that are not compared: Purpose");
}

static void a_list_opens_and_its_row_leads_to_the_intent(void **state) {
    struct driver *driver = *state;
    match_with(driver, HERE, FILE_TEXT, true);
    driver_try(driver, "j Enter", "Match > differing", "amount 310 in the file, 300 here");
    driver_try(driver, "j Enter", "1 Intents");
    driver_cursor_at(driver, "4,500 JPY");
    driver_try(driver, "m", "Match > differing", "line 4  4,500 JPY  int_6");
    driver_try(driver, "Esc", "only here");
    driver_try(driver, "Esc", "1 Intents");
}

static void a_row_that_is_only_in_the_file_leads_nowhere(void **state) {
    struct driver *driver = *state;
    match_with(driver, HERE, FILE_TEXT, true);
    driver_try(driver, "j j j Enter", "Match > only in the file", "stranger");
    driver_try(driver, "Enter", "line 7 has no intent here to go to");
}

static void an_empty_outcome_opens_no_list(void **state) {
    struct driver *driver = *state;
    match_with(driver, HERE, "id,amount,currency\nint_8,1200,EUR\n", true);
    driver_try(driver, "j Enter", "there is nothing differing", "only here");
}

static void candidates_of_a_row_are_a_list_of_their_own(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "m 'bank.csv' Down Ctrl-U 'amount,currency' Down Down Down Right Enter");
    answer_file(driver, "amount,currency\n700,EUR\n1200,EUR\n");
    looker_answer(driver, HERE, true);
    driver_forget(driver);
    driver_try(driver, "j j Enter", "2 candidates: int_4 int_3");
    driver_try(driver, "Enter", "line 2 may be any of these 2", "int_4", "int_3");
    driver_keys(driver, "j Enter");
    driver_cursor_at(driver, "2026-11-23");
}

static void without_a_file_nothing_is_asked(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "m Enter", "W type the path of a CSV file");
    assert_null(driver_effect(driver, EFFECT_MATCH_FILE));
}

static void a_file_that_is_not_there_is_said_and_the_form_stays(void **state) {
    static const struct error NONE = {.code = ERR_FILE, .text = "bank.csv: No such file or directory"};
    struct driver *driver = *state;
    ask_file(driver);
    file_failure = &NONE;
    answer_file(driver, "");
    file_failure = NULL;
    driver_shows(driver, "E bank.csv: No such file or directory", "Match on");
    driver_hides(driver, "reading the file");
}

static void what_can_be_read_two_ways_names_the_field_of_the_form(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "m 'bank.csv' Enter");
    answer_file(driver, FILE_TEXT);
    driver_shows(driver, "as integers says that it is", "7 faults like it in all");
    driver_hides(driver, "--amounts");
}

static void the_filter_on_show_says_which_intents_are_meant(void **state) {
    struct driver *driver = *state;
    looker_press(driver, HERE, "/ 'currency:JPY' Enter");
    ask_file(driver);
    answer_file(driver, FILE_TEXT);
    struct str text;
    str_init(&text, 256);
    query_print(looker_asked(driver)->query, &text);
    assert_string_equal(text.s, "currency:JPY");
    str_clear(&text);
    looker_answer(driver, HERE, true);
    driver_shows(driver, "against 2 ", "filter: currency:JPY", "only in the file           6         0 EUR");
    looker_press(driver, HERE, "Esc / Ctrl-U Enter"); /* another filter: held against it when it is shown again */
    driver_forget(driver);
    driver_try(driver, "m", "matching ...");
    looker_answer(driver, HERE, true);
    driver_shows(driver, "against 8 ");
}

static void part_of_the_data_is_said(void **state) {
    struct driver *driver = *state;
    match_with(driver, HERE, FILE_TEXT, false);
    driver_shows(driver, "against 8 cached intents so far; R reads all",
                 "W what is only in the file may be among intents that were not read; R reads all");
}

static void where_nothing_was_read_that_is_said(void **state) {
    struct driver *driver = *state;
    match_with(driver, "{\"data\":[]}", FILE_TEXT, false);
    driver_shows(driver, "W no intent was read yet: every row is only in the file");
}

static void without_a_cache_the_rows_read_are_meant(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    driver_answer(driver, HERE);
    driver_forget(driver);
    ask_file(driver);
    answer_file(driver, FILE_TEXT);
    looker_settle_walk(driver);
    driver_check(driver, "match-no-cache");
}

static void rows_that_came_since_are_told_and_taken_in(void **state) {
    struct driver *driver = *state;
    struct event moved = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){true})};
    match_with(driver, HERE, FILE_TEXT, true);
    driver_event(driver, &moved);
    driver_shows(driver, "intents were read since: r matches again");
    driver_forget(driver);
    driver_key(driver, "r");
    looker_answer(driver, HERE, true);
    driver_hides(driver, "since");
}

static void what_is_under_way_is_cancelled(void **state) {
    struct driver *driver = *state;
    ask_file(driver);
    driver_shows(driver, "reading the file ...");
    uint64_t ticket = driver_effect(driver, EFFECT_MATCH_FILE)->ticket;
    driver_try(driver, "Esc", "cancelled", "Match on");
    assert_int_equal(driver_effect(driver, EFFECT_CANCEL)->ticket, ticket);
    driver_forget(driver);
    driver_key(driver, "Enter"); /* what was typed is still there */
    answer_file(driver, FILE_TEXT);
    driver_try(driver, "Esc", "cancelled", "Match on");
    driver_try(driver, "Esc", "1 Intents");
}

static void the_path_is_completed(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "m 'ba' Right");
    const struct effect *effect = driver_effect(driver, EFFECT_FILE);
    assert_non_null(effect);
    struct file_answer *answer = file_answer_new(FILE_COMPLETE);
    struct event event = {.kind = EVENT_FILE, .ticket = effect->ticket, .payload = payload_of(file_answer, answer)};
    str_add(&answer->text, "bank.csv");
    answer->n_names = 1;
    driver_event(driver, &event);
    driver_shows(driver, "bank.csv");
}

static void help_and_palette_know_it(void **state) {
    struct driver *driver = *state;
    driver_try(driver, ": 'against'", "Match the list against a file");
    driver_keys(driver, "Esc Esc");
    match_with(driver, HERE, FILE_TEXT, true);
    driver_try(driver, "?", "Match again, with what was read since", "Write the list on show, or all five");
}

/* ---- Exporting ---- */

static const struct file_ask *asked_file(const struct driver *driver) {
    const struct effect *effect = driver_effect(driver, EFFECT_FILE);
    return effect ? effect_get(effect, file_ask) : NULL;
}

static void answer_written(struct driver *driver, const struct error *failure) {
    struct file_answer *answer = file_answer_new(FILE_NEW);
    struct event event = {.kind = EVENT_FILE,
                          .ticket = driver_effect(driver, EFFECT_FILE)->ticket,
                          .payload = payload_of(file_answer, answer)};
    if (failure)
        answer->error = *failure;
    driver_forget(driver);
    driver_event(driver, &event);
}

static void all_five_lists_are_exported(void **state) {
    struct driver *driver = *state;
    match_with(driver, HERE, FILE_TEXT, false);
    driver_keys(driver, "x");
    driver_check(driver, "match-export");
    driver_key(driver, "Enter");
    assert_string_equal(asked_file(driver)->path, "bursar-acme-eu-match-20261128-120000.csv");
    assert_true(str_starts(asked_file(driver)->text, "outcome,line,file_id,"));
    assert_non_null(
        strstr(asked_file(driver)->text, "\r\nmatched,2,int_8,1200,EUR,,int_8,1200,EUR,2026-11-28T10:00:00"));
    assert_non_null(strstr(asked_file(driver)->text, "\r\ndiffering,3,int_7,310,EUR,,int_7,300,EUR,"));
    assert_non_null(strstr(asked_file(driver)->text, "\r\nonly-file,7,stranger,999,EUR,,,,,,,,,"));
    assert_non_null(strstr(asked_file(driver)->text, "\r\nonly-here,,,,,,int_4,700,EUR,"));
    answer_written(driver, NULL);
    assert_string_equal(asked_file(driver)->path, "bursar-acme-eu-match-20261128-120000.csv.about");
    assert_non_null(strstr(asked_file(driver)->text, "file: bank.csv\nfilter: none\nlists: all\ncomplete: no\n"));
    assert_non_null(strstr(asked_file(driver)->text, "EUR: 310 in the file, 300 here\n"));
    answer_written(driver, NULL);
    driver_shows(driver, "exported to ~/exports/bursar-acme-eu-match-", ".about");
}

static void the_list_on_show_is_exported_alone(void **state) {
    struct driver *driver = *state;
    match_with(driver, HERE, FILE_TEXT, true);
    driver_keys(driver, "j Enter x l Enter");
    assert_string_equal(asked_file(driver)->path, "bursar-acme-eu-match-differing-20261128-120000.csv");
    assert_true(str_starts(asked_file(driver)->text, "\xEF\xBB\xBFoutcome"));
    assert_null(strstr(asked_file(driver)->text, "matched"));
    assert_non_null(strstr(asked_file(driver)->text, "differing"));
}

static void a_file_that_cannot_be_made_is_said(void **state) {
    struct driver *driver = *state;
    const struct error error = {.code = ERR_FILE, .text = "bursar.csv: is already there"};
    match_with(driver, HERE, FILE_TEXT, true);
    driver_keys(driver, "x Enter");
    answer_written(driver, &error);
    driver_shows(driver, "not exported: bursar.csv: is already there");
    assert_null(asked_file(driver));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_form_at_every_size),
        cmocka_unit_test(the_outcomes_at_every_size),
        cmocka_unit_test(the_list_of_one_at_every_size),
        cmocka_unit_test(at_40_columns_what_differs_stands_beside_the_id),
        cmocka_unit_test(ambiguous_ones_are_listed_and_none_is_chosen),
        cmocka_unit_test(no_sum_is_cut),
        DRIVER_TEST_IN(each_outcome_has_its_counts_and_sums, open_here, 24, 80),
        DRIVER_TEST_IN(a_list_opens_and_its_row_leads_to_the_intent, open_here, 24, 80),
        DRIVER_TEST_IN(a_row_that_is_only_in_the_file_leads_nowhere, open_here, 24, 80),
        DRIVER_TEST_IN(an_empty_outcome_opens_no_list, open_here, 24, 80),
        DRIVER_TEST_IN(candidates_of_a_row_are_a_list_of_their_own, open_here, 24, 80),
        DRIVER_TEST_IN(without_a_file_nothing_is_asked, open_here, 24, 80),
        DRIVER_TEST_IN(a_file_that_is_not_there_is_said_and_the_form_stays, open_here, 24, 80),
        DRIVER_TEST_IN(what_can_be_read_two_ways_names_the_field_of_the_form, open_here, 24, 80),
        DRIVER_TEST_IN(the_filter_on_show_says_which_intents_are_meant, open_here, 24, 80),
        DRIVER_TEST_IN(part_of_the_data_is_said, open_here, 24, 80),
        DRIVER_TEST_IN(where_nothing_was_read_that_is_said, open_here, 24, 80),
        DRIVER_TEST(without_a_cache_the_rows_read_are_meant),
        DRIVER_TEST_IN(rows_that_came_since_are_told_and_taken_in, open_here, 24, 80),
        DRIVER_TEST_IN(what_is_under_way_is_cancelled, open_here, 24, 80),
        DRIVER_TEST_IN(the_path_is_completed, open_here, 24, 80),
        DRIVER_TEST_IN(help_and_palette_know_it, open_here, 24, 80),
        DRIVER_TEST_IN(all_five_lists_are_exported, open_here, 24, 80),
        DRIVER_TEST_IN(the_list_on_show_is_exported_alone, open_here, 24, 80),
        DRIVER_TEST_IN(a_file_that_cannot_be_made_is_said, open_here, 24, 80),
    };
    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
