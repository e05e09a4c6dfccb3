/* The Webhook pane as it looks and behaves: characters and roles against golden files. */
#include "base/mem.h"
#include "support/driver.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CALM = 1000 }; /* longer than stray keys are waited for */

static const char URL[] = "https://hook.example.com/in";
static const char SECRET[] = "SENTINEL-0123456789-abcdefghijklmnopqrstuvwxyz";

/* ---- What the journal knows ---- */

static struct webhook_answer *known(const char *url, const char *fingerprint) {
    struct webhook_answer *answer = webhook_answer_new(WEBHOOK_KNOWN);
    if (url) {
        struct outcome_record *record = vec_add(&answer->last);
        *record = (struct outcome_record){.n = 4,
                                          .at = DRIVER_NOW - INT64_C(3) * 86400000,
                                          .who = "anna@desk",
                                          .url = url,
                                          .fingerprint = fingerprint,
                                          .last = {.outcome = OUTCOME_DONE, .status = 201}};
    }
    return answer;
}

static void open_with(struct driver *driver, const char *environment, struct webhook_answer *answer) {
    struct profile *profile = profile_new("acme-eu", environment, "https://api.example.com");
    profile->read_only = false;
    driver_open_profile(driver, profile, 24, 80);
    driver_key(driver, "3");
    driver_webhook(driver, answer);
    driver_forget(driver);
}

/* ---- By keyboard ---- */

static void type_url(struct driver *driver) {
    driver_keys(driver, "Enter Ctrl-U");
    driver_text(driver, URL);
    driver_key(driver, "Tab");
}

/* 0 give, 1 generate, 2 unsigned. */
static void choose(struct driver *driver, int choice) {
    driver_key(driver, "Enter");
    for (int i = 0; i < choice; i++)
        driver_key(driver, "Down");
    driver_key(driver, "Enter");
}

static void printed(struct driver *driver, enum webhook_task task, const char *secret) {
    struct webhook_answer *answer = webhook_answer_new(task);
    answer->fingerprint = mem_dup("0123456789ab");
    answer->secret = mem_dup(secret);
    driver_webhook(driver, answer);
    driver->now += CALM;
}

static void to_review_given(struct driver *driver) {
    type_url(driver);
    choose(driver, 0);
    driver_text(driver, SECRET);
    driver_keys(driver, "Enter Enter");
    printed(driver, WEBHOOK_PRINT, NULL);
}

static void to_review_unsigned(struct driver *driver) {
    type_url(driver);
    choose(driver, 2);
    driver_keys(driver, "'unsigned' Enter Enter");
    driver->now += CALM;
}

static void to_new_secret(struct driver *driver) {
    type_url(driver);
    choose(driver, 1);
    driver_keys(driver, "Tab Tab Enter");
    printed(driver, WEBHOOK_MAKE, SECRET);
}

static void send(struct driver *driver) {
    driver_keys(driver, "Right Enter");
}

static void written(struct driver *driver, enum api_outcome outcome, int status, const char *url) {
    struct write_result *result = write_result_new();
    result->n = 12;
    result->status = status;
    result->receipt.outcome = outcome;
    result->receipt.created = status == 201;
    result->receipt.id = mem_dup(url);
    result->receipt.line = mem_dup(outcome == API_UNKNOWN ? "the connection ended before the answer came" : "done");
    driver_written(driver, result);
}

/* ---- Scenes ---- */

struct size {
    const char *name;
    int rows, cols;
};
static const struct size SIZES[] = {{"80x24", 24, 80}, {"200x50", 50, 200}, {"40x10", 10, 40}};

static void check_sizes(struct driver *driver, const char *name) {
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        char golden[64];
        (void)snprintf(golden, sizeof golden, "webhook-%s-%s", name, SIZES[i].name);
        driver_resize(driver, SIZES[i].rows, SIZES[i].cols);
        driver_check(driver, golden);
    }
    driver_resize(driver, 5, 20);
    driver_shows(driver, "needs 40x8");
    driver_resize(driver, 24, 80);
}

static int set_up_nothing_known(void **state) {
    open_with(driver_begin(state), "sandbox", known(NULL, NULL));
    return 0;
}

static void nothing_is_known_at_first(void **state) {
    struct driver *driver = *state;
    check_sizes(driver, "empty");
    assert_int_equal(driver->effects.n, 0); /* looking sends nothing */
}

/* At a slow start the operator is faster than the journal. */
static void enter_waits_for_the_journal_and_what_follows_is_no_key(void **state) {
    (void)state;
    struct driver driver;
    struct profile *profile = profile_new("acme-eu", "sandbox", "https://api.example.com");
    driver_open_profile(&driver, profile, 24, 80);
    driver_try(&driver, "3 c", "no URL is known yet");
    driver_forget(&driver);
    driver_keys(&driver, "Enter 'https://q1.example/c?Q' Enter Tab");
    driver_check(&driver, "webhook-opening");
    driver_paste(&driver, "2q");
    assert_int_equal(driver.effects.n, 0);
    driver_shows(&driver, "3 Webhook");
    driver_webhook(&driver, known(URL, "0123456789ab"));
    driver_shows(&driver, "Tab Enter next field"); /* the form, as it is opened */
    driver_shows(&driver, URL);
    driver_hides(&driver, "q1.example");
    driver_close(&driver);
    profile = profile_new("acme-eu", "sandbox", "https://api.example.com");
    driver_open_profile(&driver, profile, 24, 80);
    driver_keys(&driver, "3 Enter Esc");
    driver_webhook(&driver, known(URL, "0123456789ab"));
    driver_hides(&driver, "Tab Enter next field");
    driver_close(&driver);
}

static void what_is_known_is_this_consoles_record(void **state) {
    struct driver *driver = driver_begin(state);
    struct webhook_answer *answer = known(URL, "0123456789ab");
    answer->shared_with = mem_dup("acme-us");
    answer->unknown_since = 7;
    answer->unknown_url = mem_dup("https://hook.example.com/new");
    open_with(driver, "production", answer);
    check_sizes(driver, "known");
    driver_shows(driver, "3d ago");
}

static void f16_an_accepted_registration_is_not_said_to_be_in_force(void **state) {
    struct driver *driver = driver_begin(state);
    struct webhook_answer *answer = known(URL, "0123456789ab");
    answer->last.items[0].last.status = 202;
    open_with(driver, "sandbox", answer);
    driver_shows(driver, "accepted (202)");
    driver_hides(driver, "registered  ");
}

static void a_journal_that_cannot_be_read_is_said(void **state) {
    struct driver *driver = driver_begin(state);
    struct webhook_answer *answer = known(NULL, NULL);
    (void)!error_set(&answer->error, ERR_STORE, "it is damaged");
    open_with(driver, "sandbox", answer);
    driver_shows(driver, "the journal cannot be read: it is damaged");
}

static void the_form_begins_with_the_url_and_no_choice(void **state) {
    struct driver *driver = driver_begin(state);
    open_with(driver, "sandbox", known("https://old.example.com:8443/in?x=1", "0123456789ab"));
    driver_key(driver, "Enter");
    check_sizes(driver, "form");
    driver_keys(driver, "Tab Tab Enter");
    assert_true(driver_sees(driver, "signing is not chosen") || driver_sees(driver, "type the word unsigned"));
    assert_int_equal(driver->writes, 0);
}

static void a_refused_url_is_said_as_it_is_typed(void **state) {
    struct driver *driver = driver_begin(state);
    open_with(driver, "production", known(NULL, NULL));
    driver_try(driver, "Enter 'http://hook.example.com/'", "it must begin with https://");
    driver_key(driver, "Tab");
    choose(driver, 2);
    driver_keys(driver, "'unsigned' Enter Enter");
    driver_check(driver, "webhook-refused-url");
    driver_hides(driver, "[ Send it ]");
}

static void the_secret_is_dots_and_a_number(void **state) {
    struct driver *driver = *state;
    type_url(driver);
    choose(driver, 0);
    driver_try(driver, "'SENTINEL'", "8 characters: a secret has at least 32 characters");
    driver_paste(driver, SECRET);
    driver_check(driver, "webhook-secret-typed");
    driver_shows(driver, "54 characters");
    driver_hides(driver, "SENTINEL");
    driver_paste(driver, "one\ntwo");
    driver_shows(driver, "a text of several lines does not go into this field");
}

static int set_up_registered(void **state) {
    open_with(driver_begin(state), "sandbox", known(URL, "0123456789ab"));
    return 0;
}

/* The choice is made anew, whatever was known. */
static void changing_the_url_alone_cannot_be_sent(void **state) {
    struct driver *driver = *state;
    to_review_given(driver);
    send(driver);
    written(driver, API_DONE, 200, URL);
    driver_key(driver, "Esc");
    driver_webhook(driver, known(URL, "0123456789ab"));
    driver_forget(driver);
    driver_keys(driver, "Enter '/other' Esc s");
    driver_check(driver, "webhook-not-chosen");
    driver_hides(driver, "[ Send it ]");
    assert_null(driver_write(driver));
    driver_keys(driver, "Enter");
    choose(driver, 2);
    driver_text(driver, "unsigne");
    driver_try(driver, "Enter Enter", "type the word unsigned");
    driver_keys(driver, "Enter 'd'");
    driver_try(driver, "Enter Enter", "This switches signing OFF.");
    driver->now += CALM;
    send(driver);
    assert_string_equal(driver_write(driver)->body, "{\"url\":\"https://hook.example.com/in/other\"}");
}

static void the_new_secret_is_shown_once(void **state) {
    struct driver *driver = *state;
    to_new_secret(driver);
    check_sizes(driver, "new-secret");
    driver_shows(driver, SECRET);
    driver_key(driver, "y");
    assert_string_equal(driver_copy(driver)->text, SECRET);
    driver_try(driver, "Enter", "[ Send it ]");
    driver_hides(driver, "SENTINEL");
    driver->now += CALM;
    driver_key(driver, "Esc");
    driver_hides(driver, "SENTINEL");
}

static void a_complaint_does_not_outlive_its_screen(void **state) {
    struct driver *driver = *state;
    type_url(driver);
    choose(driver, 0);
    driver_text(driver, "short");
    driver_try(driver, "Esc s", "E the secret");
    driver_key(driver, "c"); /* the doctor's keys */
    driver_shows(driver, "c again, p send one POST");
    driver_try(driver, "Esc Esc s", "E the secret");
    driver_keys(driver, "2 3"); /* another pane, and back */
    driver_shows(driver, "s review, Enter edits");
    driver_try(driver, "s", "E the secret");
    driver_keys(driver, "k Enter Enter Down Enter"); /* another choice */
    driver_shows(driver, "generate a new secret");
    driver_hides(driver, "E the secret");
    driver_keys(driver, "Esc s");
    printed(driver, WEBHOOK_MAKE, SECRET);
    driver_shows(driver, SECRET, "Enter: it is stored, go on; y copies it");
}

static void a_new_secret_can_be_thrown_away(void **state) {
    struct driver *driver = *state;
    to_new_secret(driver);
    driver_try(driver, "Esc", "thrown away");
    driver_key(driver, "s");
    assert_int_equal(effect_get(driver_effect(driver, EFFECT_WEBHOOK), webhook_ask)->task,
                     WEBHOOK_MAKE); /* another one */
    assert_int_equal(driver->writes, 0);
}

static void the_difference_is_read_before_it_is_sent(void **state) {
    struct driver *driver = driver_begin(state);
    open_with(driver, "production", known("https://old.example.com/in", "ba9876543210"));
    to_review_given(driver);
    check_sizes(driver, "review");
    driver_shows(driver, "too small for the review: it was closed"); /* of the last size */
    driver_key(driver, "s");
    printed(driver, WEBHOOK_PRINT, NULL);
    driver_keys(driver, "Right Right Enter"); /* without the word */
    driver_shows(driver, "type production to send it");
    assert_int_equal(driver->writes, 0);
    driver_try(driver, "'production'", "Tab or Right chooses, Enter answers");
    driver_key(driver, "Enter");
    assert_int_equal(driver->writes, 0);
    driver_key(driver, "Enter");
    assert_int_equal(driver->writes, 1);
    assert_string_equal(driver_write(driver)->fingerprint, "0123456789ab");
}

static void enter_at_once_sends_nothing(void **state) {
    struct driver *driver = *state;
    to_review_unsigned(driver);
    driver->now -= CALM;
    driver_keys(driver, "Right Enter Right Enter");
    assert_int_equal(driver->writes, 0);
    driver->now += CALM;
    driver_key(driver, "Enter"); /* Cancel has the focus */
    assert_int_equal(driver->writes, 0);
    driver_shows(driver, "[ Review ]");
}

/* Neither longer than it was to last, nor shorter: the clock is set between the review and the answer. */
static void f41_a_clock_that_is_set_leaves_the_moment_of_quiet_as_it_was(void **state) {
    (void)state;
    static const int64_t HOURS[] = {-1, 5};
    for (size_t i = 0; i < COUNT_OF(HOURS); i++) {
        struct driver driver;
        struct event set = {.kind = EVENT_CLOCK_SET,
                            .payload = payload_of(clock_shifted, &(struct clock_shifted){HOURS[i] * 3600 * 1000})};
        open_with(&driver, "sandbox", known(NULL, NULL));
        to_review_unsigned(&driver);
        driver.now += HOURS[i] * 3600 * 1000 - CALM;
        driver_event(&driver, &set);
        driver_keys(&driver, "Right Enter");
        assert_int_equal(driver.writes, 0);
        driver.now += CALM;
        driver_keys(&driver, "Right Enter");
        assert_int_equal(driver.writes, 1);
        driver_close(&driver);
    }
}

static void each_outcome_has_its_receipt(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum api_outcome outcome;
        int status;
        const char *url;
    } rows[] = {
        {"registered", API_DONE, 201, URL},
        {"replaced", API_DONE, 200, URL},
        {"differs", API_DONE, 201, "https://other.example.com/"},
        {"refused", API_REFUSED, 422, NULL},
        {"unknown", API_UNKNOWN, 0, NULL},
        {"not-sent", API_NOT_SENT, 0, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char golden[64];
        struct driver driver;
        open_with(&driver, "sandbox", known(NULL, NULL));
        to_review_unsigned(&driver);
        send(&driver);
        written(&driver, rows[i].outcome, rows[i].status, rows[i].url);
        (void)snprintf(golden, sizeof golden, "webhook-receipt-%s", rows[i].name);
        driver_check(&driver, golden);
        driver_close(&driver);
    }
}

static void an_unknown_outcome_offers_the_very_same(void **state) {
    struct driver *driver = *state;
    to_review_given(driver);
    send(driver);
    char *body = mem_dup(driver_write(driver)->body);
    written(driver, API_UNKNOWN, 0, NULL);
    driver_try(driver, "a", "This repeats record 12");
    assert_int_equal(driver->writes, 1);
    driver->now += CALM;
    send(driver);
    assert_int_equal(driver->writes, 2);
    assert_string_equal(driver_write(driver)->body, body);
    free(body);
}

static void read_only_registers_nothing(void **state) {
    struct driver *driver = driver_begin(state);
    struct profile *profile = profile_new("acme-eu", "production", "https://api.example.com");
    profile->read_only = true;
    driver_open_profile(driver, profile, 24, 80);
    driver_key(driver, "3");
    driver_webhook(driver, known(URL, NULL));
    driver_check(driver, "webhook-read-only");
    to_review_unsigned(driver);
    driver_try(driver, "s", "read-only: nothing can be registered");
    driver_hides(driver, "[ Send it ]");
    driver_keys(driver, "Right Enter a");
    assert_int_equal(driver->writes, 0);
}

/* ---- The doctor ---- */

static void resolved(struct driver *driver) {
    struct probe_result result;
    probe_result_init(&result, PROBE_RESOLVE);
    result.addresses.n = 2;
    (void)snprintf(result.addresses.items[0].text, PROBE_ADDRESS_TEXT, "198.18.0.1");
    (void)snprintf(result.addresses.items[1].text, PROBE_ADDRESS_TEXT, "2001:db8::1");
    result.addresses.items[1].v6 = true;
    driver_probed(driver, &result);
}

static void connected(struct driver *driver, enum probe_cause cause) {
    struct probe_result result;
    probe_result_init(&result, PROBE_TCP);
    result.addresses.n = 1;
    (void)snprintf(result.addresses.items[0].text, PROBE_ADDRESS_TEXT, "198.18.0.1");
    result.addresses.items[0].cause = cause;
    driver_probed(driver, &result);
}

static void the_doctor_tells_as_it_goes(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "c");
    assert_string_equal(effect_get(driver_effect(driver, EFFECT_PROBE), probe_ask)->url, URL);
    driver_check(driver, "webhook-doctor-first");
    resolved(driver);
    assert_int_equal(effect_get(driver_effect(driver, EFFECT_PROBE), probe_ask)->step, PROBE_TCP);
    check_sizes(driver, "doctor-running");
    connected(driver, PROBE_REFUSED);
    check_sizes(driver, "doctor-failed");
    driver_shows(driver, "overall: FAIL");
    driver_try(driver, "Esc", "this console's record");
}

/* A server that answers and closes at once is seen as a cut by most passes. */
static void plain_http_is_named_whichever_pass_saw_it(void **state) {
    struct driver *driver = *state;
    driver_key(driver, "c");
    resolved(driver);
    connected(driver, PROBE_FINE);
    static const enum probe_step STEPS[] = {PROBE_TLS, PROBE_LOOK, PROBE_TLS_12, PROBE_TLS_13, PROBE_TLS_OLD};
    for (size_t i = 0; i < COUNT_OF(STEPS); i++) {
        struct probe_result result;
        assert_int_equal(effect_get(driver_effect(driver, EFFECT_PROBE), probe_ask)->step, STEPS[i]);
        driver_hides(driver, "cut in the handshake");
        probe_result_init(&result, STEPS[i]);
        result.pass.plain_http = STEPS[i] == PROBE_TLS_OLD;
        result.pass.cause = result.pass.plain_http ? PROBE_TLS_PLAIN : PROBE_TLS_CUT;
        driver_probed(driver, &result);
    }
    driver_resize(driver, 50, 200);
    driver_shows(driver, "none to be seen: the port does not speak TLS: it answered in plain HTTP");
    driver_hides(driver, "cut in the handshake", "crashed server");
}

static void esc_ends_the_doctor_and_keeps_what_it_found(void **state) {
    struct driver *driver = driver_begin(state);
    open_with(driver, "sandbox", known(URL, NULL));
    driver_key(driver, "c");
    resolved(driver);
    driver_try(driver, "w", "not done yet");
    driver_key(driver, "Esc");
    assert_non_null(driver_effect(driver, EFFECT_CANCEL));
    driver_check(driver, "webhook-doctor-ended");
    driver_shows(driver, "ended before it was done", "198.18.0.1");
}

static void the_report_is_saved_or_copied(void **state) {
    struct driver *driver = driver_begin(state);
    open_with(driver, "sandbox", known(URL, NULL));
    driver_key(driver, "c");
    resolved(driver);
    connected(driver, PROBE_REFUSED);
    driver_keys(driver, "w 'report.json'");
    driver_check(driver, "webhook-doctor-saving");
    driver_key(driver, "Enter");
    const struct webhook_ask *ask = effect_get(driver_effect(driver, EFFECT_WEBHOOK), webhook_ask);
    assert_int_equal(ask->task, WEBHOOK_SAVE);
    assert_string_equal(ask->path, "report.json");
    assert_memory_equal(ask->text, "{\"url\":", 7);
    driver_webhook(driver, webhook_answer_new(WEBHOOK_SAVE));
    driver_shows(driver, "the report is in report.json");
    driver_key(driver, "y");
    assert_memory_equal(driver_copy(driver)->text, "Webhook check of ", 17);
    driver_key(driver, "Y");
    assert_memory_equal(driver_copy(driver)->text, "{\"url\":", 7);
}

static void no_post_leaves_in_production_without_a_second_word(void **state) {
    struct driver *driver = driver_begin(state);
    open_with(driver, "production", known(URL, NULL));
    driver_keys(driver, "c Esc");
    driver_forget(driver);
    driver_try(driver, "p", "Send a POST to this endpoint?");
    driver_keys(driver, "Right Enter"); /* nobody can have read it yet */
    assert_null(driver_effect(driver, EFFECT_PROBE));
    driver->now += CALM;
    driver_key(driver, "Enter"); /* the safe button has the focus */
    assert_null(driver_effect(driver, EFFECT_PROBE));
    driver_try(driver, "p", "Send a POST to this endpoint?");
    driver->now += CALM;
    driver_keys(driver, "Right Enter");
    assert_non_null(driver_effect(driver, EFFECT_PROBE));
}

static void without_a_url_there_is_nothing_to_check(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "c", "there is no URL to check");
    assert_int_equal(driver->effects.n, 0);
}

static void a_registration_of_unknown_outcome_is_checked(void **state) {
    struct driver *driver = driver_begin(state);
    struct webhook_answer *answer = known(NULL, NULL);
    answer->unknown_since = 30;
    answer->unknown_url = mem_dup("https://hook.example.com/new");
    open_with(driver, "sandbox", answer);
    driver_shows(driver, "c checks the endpoint");
    driver_try(driver, "c", "https://hook.example.com/new seen from this machine");
}

#define AFTER_SET_UP_NOTHING_KNOWN(test) cmocka_unit_test_setup_teardown(test, set_up_nothing_known, driver_end)
#define AFTER_SET_UP_REGISTERED(test) cmocka_unit_test_setup_teardown(test, set_up_registered, driver_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_SET_UP_NOTHING_KNOWN(nothing_is_known_at_first),
        cmocka_unit_test(enter_waits_for_the_journal_and_what_follows_is_no_key),
        DRIVER_TEST(what_is_known_is_this_consoles_record),
        DRIVER_TEST(f16_an_accepted_registration_is_not_said_to_be_in_force),
        DRIVER_TEST(a_journal_that_cannot_be_read_is_said),
        DRIVER_TEST(the_form_begins_with_the_url_and_no_choice),
        DRIVER_TEST(a_refused_url_is_said_as_it_is_typed),
        AFTER_SET_UP_NOTHING_KNOWN(the_secret_is_dots_and_a_number),
        AFTER_SET_UP_REGISTERED(changing_the_url_alone_cannot_be_sent),
        AFTER_SET_UP_NOTHING_KNOWN(the_new_secret_is_shown_once),
        AFTER_SET_UP_REGISTERED(a_complaint_does_not_outlive_its_screen),
        AFTER_SET_UP_NOTHING_KNOWN(a_new_secret_can_be_thrown_away),
        DRIVER_TEST(the_difference_is_read_before_it_is_sent),
        AFTER_SET_UP_NOTHING_KNOWN(enter_at_once_sends_nothing),
        cmocka_unit_test(f41_a_clock_that_is_set_leaves_the_moment_of_quiet_as_it_was),
        cmocka_unit_test(each_outcome_has_its_receipt),
        AFTER_SET_UP_NOTHING_KNOWN(an_unknown_outcome_offers_the_very_same),
        DRIVER_TEST(read_only_registers_nothing),
        AFTER_SET_UP_REGISTERED(the_doctor_tells_as_it_goes),
        AFTER_SET_UP_REGISTERED(plain_http_is_named_whichever_pass_saw_it),
        DRIVER_TEST(esc_ends_the_doctor_and_keeps_what_it_found),
        DRIVER_TEST(the_report_is_saved_or_copied),
        DRIVER_TEST(no_post_leaves_in_production_without_a_second_word),
        AFTER_SET_UP_NOTHING_KNOWN(without_a_url_there_is_nothing_to_check),
        DRIVER_TEST(a_registration_of_unknown_outcome_is_checked),
    };
    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
