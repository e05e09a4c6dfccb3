/* The import in the Register pane: columns, rows, confirmation, run, end; characters and roles against golden files. */
#include "app/file.h"
#include "base/mem.h"
#include "support/driver.h"
#include "support/golden.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CALM = 1000 };

static const char FILE_TEXT[] = "first name,Notes,e-mail,date of birth\r\n"
                                "Ann,call,ann@a.example,1980-02-29\r\n"
                                "Bea,,bea@a.example,1/2/80\r\n"
                                "Cay,,cay@a.example,\r\n"
                                "Dee,,dee@a.example,\r\n"
                                "Eve,,eve@a.example,\r\n";

static void check(struct driver *driver, const char *name, int cols) {
    char golden[64], *dump = driver_dump(driver);
    (void)snprintf(golden, sizeof golden, "import-%s-%d", name, cols);
    golden_check(golden, dump, getenv("BURSAR_OUT"));
    free(dump);
}

static void answer_file(struct driver *driver, const char *text, enum err err) {
    const struct effect *effect = driver_effect(driver, EFFECT_FILE);
    assert_non_null(effect);
    struct event event = {.kind = EVENT_FILE,
                          .ticket = effect->ticket,
                          .payload = payload_of(file_answer, file_answer_new(effect_get(effect, file_ask)->task))};
    str_add(&event_get(&event, file_answer)->text, text);
    if (err != ERR_OK)
        assert_int_equal(error_set(&event_get(&event, file_answer)->error, err, "users.csv: no such file"), err);
    driver_event(driver, &event);
    file_answer_free(event_get(&event, file_answer));
}

static void answer_look(struct driver *driver) {
    struct journal_answer *answer = journal_answer_new(JOURNAL_ROW);
    (void)snprintf(answer->nonce, sizeof answer->nonce, "00112233445566778899aabbccddeeff");
    driver_journal(driver, answer);
}

static void open_file(struct driver *driver, const char *environment, int rows, int cols) {
    struct profile *profile = profile_new("acme-eu", environment, "https://api.example.com");
    profile->read_only = false;
    driver_open_profile(driver, profile, rows, cols);
    driver_keys(driver, "2 i 'users.csv'");
}

static void to_rows(struct driver *driver) {
    driver_key(driver, "Enter");
    answer_file(driver, FILE_TEXT, ERR_OK);
    driver_key(driver, "Left"); /* Notes are left out */
    driver_key(driver, "Enter");
    for (int i = 0; i < 4; i++)
        answer_look(driver);
}

static void written(struct driver *driver, enum api_outcome outcome, int status, const char *id, const char *line) {
    struct write_result *result = write_result_new();
    result->n = 12;
    result->status = status;
    result->receipt.outcome = outcome;
    result->receipt.code = outcome == API_DONE ? ERR_OK : outcome == API_UNKNOWN ? ERR_UNKNOWN : ERR_REFUSED;
    result->receipt.id = mem_dup(id);
    result->receipt.line = mem_dup(line);
    driver->now += CALM;
    driver_written(driver, result);
}

static void throttled(struct driver *driver, int64_t retry_at) {
    struct write_result *result = write_result_new();
    result->n = 12;
    result->status = 429;
    result->receipt.outcome = API_NOT_SENT;
    result->receipt.code = ERR_THROTTLED;
    result->receipt.retry_at = retry_at;
    result->receipt.line = mem_dup("429: too many requests");
    driver_written(driver, result);
}

/* Within one confirmation: it counts down, goes on by itself, and a stop does not wait for the service. */
static void f4_an_import_that_is_asked_to_wait_goes_on_by_itself(void **state) {
    struct driver *driver = driver_begin(state);
    open_file(driver, "sandbox", 24, 100);
    to_rows(driver);
    driver_key(driver, "s");
    driver->now += CALM;
    driver_keys(driver, "Tab Enter");
    answer_file(driver, "", ERR_OK);
    driver_forget(driver);
    throttled(driver, driver->now + 5000);
    driver_shows(driver, "goes on in 5 s");
    assert_null(driver_write(driver));
    driver_timer(driver, TIMER_IMPORT, 1000);
    driver_shows(driver, "goes on in 4 s");
    assert_null(driver_write(driver));
    driver_timer(driver, TIMER_IMPORT, 4000);
    assert_non_null(driver_write(driver));
    driver_forget(driver);
    throttled(driver, driver->now + INT64_C(9999999999) * 1000); /* no wait, a fault: an hour at most */
    driver_shows(driver, "goes on in 3600 s");
    driver_key(driver, "Esc");
    driver_timer(driver, TIMER_IMPORT, 1000);
    answer_file(driver, "", ERR_OK);
    driver_shows(driver, "stopped");
    assert_null(driver_write(driver));
}

static void a_whole_import(const char *environment, int rows, int cols) {
    struct driver driver;
    bool sandbox = strcmp(environment, "sandbox") == 0;
    open_file(&driver, environment, rows, cols);
    if (sandbox) {
        check(&driver, "file", cols);
        driver_key(&driver, "Enter");
        answer_file(&driver, "", ERR_FILE);
        check(&driver, "none", cols);
        driver_key(&driver, "Enter");
        answer_file(&driver, FILE_TEXT, ERR_OK);
        check(&driver, "columns", cols);
        driver_key(&driver, "Right"); /* the first field that no other column is */
        driver_shows(&driver, "name.l");
        driver_keys(&driver, "Esc Enter");
        answer_file(&driver, FILE_TEXT, ERR_OK);
        driver_key(&driver, "Enter"); /* a column is not known yet: it stays */
        driver_shows(&driver, "column 2 is not known");
        driver_key(&driver, "Esc");
    }
    to_rows(&driver);
    check(&driver, sandbox ? "rows" : "rows-production", cols);
    driver_key(&driver, "s");
    check(&driver, sandbox ? "review" : "review-production", cols);
    driver.now += CALM;
    driver_key(&driver, "Tab");
    if (!sandbox) {
        driver_text(&driver, environment);
        driver_key(&driver, "Enter");
    }
    driver_key(&driver, "Enter");
    assert_null(driver_write(&driver)); /* first the result file */
    answer_file(&driver, "", ERR_OK);
    assert_non_null(driver_write(&driver));
    written(&driver, API_DONE, 201, "usr_0123456789abcdef", "201: accepted");
    answer_file(&driver, "", ERR_OK);
    if (sandbox) {
        check(&driver, "running", cols);
        driver_key(&driver, "p");
        written(&driver, API_UNKNOWN, 0, NULL, "the connection broke. Outcome: not known whether it was done");
        answer_file(&driver, "", ERR_OK);
        answer_file(&driver, "", ERR_OK);
        check(&driver, "ended", cols);
    } else {
        driver_key(&driver, "p");
        written(&driver, API_DONE, 201, "usr_1123456789abcdef", "201: accepted");
        answer_file(&driver, "", ERR_OK);
        check(&driver, "paused", cols);
    }
    driver_close(&driver);
}

static void an_import_looks_as_it_should(void **state) {
    (void)state;
    a_whole_import("sandbox", 24, 80);
    a_whole_import("sandbox", 10, 40);
    a_whole_import("production", 24, 80);
    a_whole_import("production", 50, 200);
}

static void a_read_only_profile_sends_nothing(void **state) {
    struct driver *driver = driver_begin(state);
    struct profile *profile = profile_new("acme-eu", "production", "https://api.example.com");
    driver_open_profile(driver, profile, 24, 80);
    driver_keys(driver, "2 i 'users.csv'");
    to_rows(driver);
    driver_try(driver, "s", "read-only");
}

static int set_up(void **state) {
    open_file(driver_begin(state), "sandbox", 24, 80);
    return 0;
}

static void a_paste_confirms_nothing(void **state) {
    struct driver *driver = *state;
    to_rows(driver);
    driver_key(driver, "s");
    check(driver, "review", 80);
    driver->now += CALM;
    driver_forget(driver);
    driver_paste(driver, "\t\r\r");
    assert_null(driver_effect(driver, EFFECT_FILE));
    driver_shows(driver, "Send it");
}

/* To the confirmation of the rows on show, and through it. */
static void confirm(struct driver *driver) {
    driver_key(driver, "s");
    driver->now += CALM;
    driver_keys(driver, "Tab Enter");
    answer_file(driver, "", ERR_OK);
}

/* An earlier write of the very same row, or of one that looks like it. */
static void answer_earlier(struct driver *driver, const char *match, enum outcome outcome) {
    struct journal_answer *answer = journal_answer_new(JOURNAL_ROW);
    (void)snprintf(answer->nonce, sizeof answer->nonce, "00112233445566778899aabbccddeeff");
    *(struct outcome_record *)vec_add(&answer->records) =
        (struct outcome_record){.n = 5, .match = outcome_dup(&answer->records, match), .last = {.outcome = outcome}};
    driver_journal(driver, answer);
}

static void the_form_asks_for_what_the_command_line_has_options_for(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Tab 'users.map'");
    driver_keys(driver, "Tab Space Tab Left Tab u"); /* each of the choices, by three of its keys */
    driver_keys(driver, "Tab 'many' Enter");
    assert_null(driver_effect(driver, EFFECT_FILE));
    driver_shows(driver, "it stops after a number of refusals");
    driver_keys(driver, "Ctrl-U '2' Tab '6001' Enter");
    assert_null(driver_effect(driver, EFFECT_FILE));
    driver_shows(driver, "rows a minute are 1 to 6000");
    driver_keys(driver, "Ctrl-U '60/min'");
    check(driver, "options", 80);
    driver_key(driver, "Enter");
    const struct effect *effect = driver_effect(driver, EFFECT_FILE);
    assert_non_null(effect);
    assert_string_equal(effect_get(effect, file_ask)->path, "users.csv");
    assert_string_equal(effect_get(effect, file_ask)->beside, "users.map");
    answer_file(driver, FILE_TEXT, ERR_OK);
    driver_keys(driver, "Left Enter");
    answer_earlier(driver, "email", OUTCOME_DONE);
    answer_earlier(driver, NULL, OUTCOME_REFUSED);
    answer_look(driver);
    answer_look(driver);
    driver_shows(driver, "1 refused, 0 unknown, 4 left");
    confirm(driver);
    written(driver, API_UNKNOWN, 0, NULL, "the connection broke");
    answer_file(driver, "", ERR_OK);
    written(driver, API_REFUSED, 422, NULL, "422: no");
    answer_file(driver, "", ERR_OK);
    driver_shows(driver, "running: 5 rows");
    written(driver, API_REFUSED, 422, NULL, "422: no");
    answer_file(driver, "", ERR_OK);
    answer_file(driver, "", ERR_OK);
    driver_shows(driver, "the service refused 2 rows");
}

/* As --pace of the command line: a row every two seconds. */
static void f4_the_form_keeps_a_pace(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Tab Tab Tab Tab Tab Tab"); /* the last field */
    driver_text(driver, "30");
    to_rows(driver);
    confirm(driver);
    driver_forget(driver);
    written(driver, API_DONE, 201, "usr_1", "201: accepted");
    answer_file(driver, "", ERR_OK);
    assert_null(driver_write(driver));
    driver_timer(driver, TIMER_IMPORT, CALM);
    assert_non_null(driver_write(driver));
}

static void answer_completed(struct driver *driver, const char *text, const char *names, size_t n) {
    const struct effect *effect = driver_effect(driver, EFFECT_FILE);
    assert_non_null(effect);
    assert_int_equal(effect_get(effect, file_ask)->task, FILE_COMPLETE);
    struct event event = {.kind = EVENT_FILE,
                          .ticket = effect->ticket,
                          .payload = payload_of(file_answer, file_answer_new(FILE_COMPLETE))};
    str_add(&event_get(&event, file_answer)->text, text);
    str_add(&event_get(&event, file_answer)->names, names);
    event_get(&event, file_answer)->n_names = n;
    driver_event(driver, &event);
    file_answer_free(event_get(&event, file_answer));
}

static void a_path_is_completed_by_the_key_at_its_end(void **state) {
    struct driver *driver = driver_begin(state);
    struct profile *profile = profile_new("acme-eu", "sandbox", "https://api.example.com");
    driver_open_profile(driver, profile, 24, 80);
    driver_keys(driver, "2 i 'lists/u'");
    driver_keys(driver, "Left Right"); /* within the text it moves */
    assert_null(driver_effect(driver, EFFECT_FILE));
    driver_key(driver, "Right");
    answer_completed(driver, "lists/users.", "users.csv  users.map", 2);
    check(driver, "completed", 80);
    driver_forget(driver);
    driver_keys(driver, "'c' Right");
    driver_text(driver, "x"); /* faster than the disk: it stays */
    answer_completed(driver, "lists/users.csv", "users.csv", 1);
    driver_shows(driver, "lists/users.cx");
    driver_keys(driver, "Backspace Right");
    answer_completed(driver, "lists/users.csv", "users.csv", 1);
    driver_keys(driver, "Tab n Right");
    answer_completed(driver, "n", "", 0);
    driver_shows(driver, "no file begins with this");
    driver_forget(driver);
    driver_keys(driver, "Ctrl-U Enter");
    const struct effect *effect = driver_effect(driver, EFFECT_FILE);
    assert_non_null(effect);
    assert_string_equal(effect_get(effect, file_ask)->path, "lists/users.csv");
}

static void a_run_that_ended_at_an_unknown_row_goes_on_with_the_rest(void **state) {
    struct driver *driver = *state;
    to_rows(driver);
    confirm(driver);
    written(driver, API_UNKNOWN, 0, NULL, "the connection broke");
    answer_file(driver, "", ERR_OK);
    answer_file(driver, "", ERR_OK);
    driver_shows(driver, "stopped: 1 row of unknown outcome, record 12; Activity settles it");
    driver_forget(driver);
    driver_keys(driver, "p s"); /* that alone is no leave to pass it */
    driver_shows(driver, "u leaves them");
    driver_key(driver, "u");
    confirm(driver);
    written(driver, API_DONE, 201, "usr_2", "201: accepted");
    answer_file(driver, "", ERR_OK);
    written(driver, API_DONE, 201, "usr_3", "201: accepted");
    answer_file(driver, "", ERR_OK);
    written(driver, API_DONE, 201, "usr_4", "201: accepted");
    answer_file(driver, "", ERR_OK);
    answer_file(driver, "", ERR_OK);
    check(driver, "gone-on", 80);
    driver_try(driver, "u", "no row is left to be sent");
}

static bool cursor_on(struct driver *driver, const char *text) {
    char *row = driver_cursor_row(driver);
    bool on = strstr(row, text) != NULL;
    free(row);
    return on;
}

static void done(struct driver *driver) {
    written(driver, API_DONE, 201, "usr_1", "201: accepted");
    answer_file(driver, "", ERR_OK);
}

static void the_row_that_runs_is_under_the_cursor_until_that_moves(void **state) {
    struct driver *driver = *state;
    to_rows(driver);
    driver_key(driver, "G"); /* the rows are looked at before they leave */
    assert_true(cursor_on(driver, "6 waiting"));
    confirm(driver);
    assert_true(cursor_on(driver, "2 sending"));
    driver_key(driver, "p");
    done(driver);
    driver_key(driver, "p"); /* past line 3, which is not sent */
    assert_true(cursor_on(driver, "4 sending"));
    done(driver);
    assert_true(cursor_on(driver, "5 sending"));
    driver_key(driver, "k");
    done(driver);
    assert_true(cursor_on(driver, "4 done"));
}

static void a_run_that_was_stopped_names_the_key_that_goes_on(void **state) {
    struct driver *driver = *state;
    to_rows(driver);
    confirm(driver);
    driver_key(driver, "Esc");
    done(driver);
    answer_file(driver, "", ERR_OK);
    driver_shows(driver, "stopped; p goes on with the rest");
    driver_hides(driver, "--resume");
    driver_key(driver, "p");
    confirm(driver);
    assert_true(cursor_on(driver, "4 sending"));
    written(driver, API_UNKNOWN, 0, NULL, "the connection broke");
    answer_file(driver, "", ERR_OK);
    answer_file(driver, "", ERR_OK);
    driver_shows(driver, "stopped: 1 row of unknown outcome, record 12; Activity settles it");
}

static void f19_in_a_demo_the_result_goes_into_the_demos_folder(void **state) {
    struct driver *driver = driver_begin(state);
    driver_demo_folder = "/tmp/bursar-demo-1";
    driver_open(driver, 24, 80);
    driver_demo_folder = NULL;
    driver_keys(driver, "2 i 'my/users.csv'");
    driver_shows(driver, "comes into the demo's own folder");
    driver_key(driver, "Enter");
    assert_string_equal(effect_get(driver_effect(driver, EFFECT_FILE), file_ask)->path, "my/users.csv");
    assert_string_equal(effect_get(driver_effect(driver, EFFECT_FILE), file_ask)->results,
                        "/tmp/bursar-demo-1/users.result.csv");
}

/* ---- What was written, as a file ---- */

static void records_are_exported_masked(void **state) {
    struct driver *driver = driver_begin(state);
    struct profile *profile = profile_new("acme-eu", "sandbox", "https://api.example.com");
    struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
    driver_open_profile(driver, profile, 24, 80);
    driver_key(driver, "4");
    struct outcome_record *record = vec_add(&answer->records);
    *record = (struct outcome_record){.n = 7,
                                      .at = driver->now,
                                      .who = "anna",
                                      .last = {.at = driver->now,
                                               .outcome = OUTCOME_DONE,
                                               .status = 201,
                                               .response_id = "=usr_1",
                                               .message = "MESSAGE",
                                               .note = "NOTE"}};
    driver_journal(driver, answer);
    driver_keys(driver, "x Enter");
    const struct effect *effect = driver_effect(driver, EFFECT_FILE);
    assert_non_null(effect);
    assert_int_equal(effect_get(effect, file_ask)->task, FILE_NEW);
    assert_non_null(strstr(effect_get(effect, file_ask)->path, "bursar-acme-eu-activity-2026"));
    assert_non_null(strstr(effect_get(effect, file_ask)->text, "anna"));
    assert_non_null(strstr(effect_get(effect, file_ask)->text, ",done,201,'=usr_1\r\n"));
    assert_null(strstr(effect_get(effect, file_ask)->text, "MESSAGE"));
    assert_null(strstr(effect_get(effect, file_ask)->text, "NOTE"));
    answer_file(driver, "", ERR_OK);
    driver_shows(driver, "exported to ~/exports/bursar-acme-eu-activity-2026");
}

#define AFTER_SET_UP(test) cmocka_unit_test_setup_teardown(test, set_up, driver_end)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(f4_an_import_that_is_asked_to_wait_goes_on_by_itself),
        cmocka_unit_test(an_import_looks_as_it_should),
        DRIVER_TEST(a_read_only_profile_sends_nothing),
        AFTER_SET_UP(a_paste_confirms_nothing),
        AFTER_SET_UP(the_form_asks_for_what_the_command_line_has_options_for),
        AFTER_SET_UP(f4_the_form_keeps_a_pace),
        DRIVER_TEST(a_path_is_completed_by_the_key_at_its_end),
        AFTER_SET_UP(a_run_that_ended_at_an_unknown_row_goes_on_with_the_rest),
        AFTER_SET_UP(the_row_that_runs_is_under_the_cursor_until_that_moves),
        AFTER_SET_UP(a_run_that_was_stopped_names_the_key_that_goes_on),
        DRIVER_TEST(f19_in_a_demo_the_result_goes_into_the_demos_folder),
        DRIVER_TEST(records_are_exported_masked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
