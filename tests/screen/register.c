/* Register as it looks and behaves: characters and roles against golden files. */
#include "app/proposals.h"
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

static struct journal_answer *answer_of(enum journal_task task) {
    struct journal_answer *answer = journal_answer_new(task);
    (void)snprintf(answer->nonce, sizeof answer->nonce, "00112233445566778899aabbccddeeff");
    return answer;
}

static void open_in(struct driver *driver, const char *environment, int rows, int cols) {
    struct profile *profile = profile_new("acme-eu", environment, "https://api.example.com");
    profile->read_only = false;
    driver_open_profile(driver, profile, rows, cols);
    driver_journal(driver, answer_of(JOURNAL_COUNTS));
    driver_key(driver, "2");
}

/* By keyboard, field after field. */
static void fill(struct driver *driver) {
    driver_keys(driver, "Enter 'Ann' Tab");
    driver_text(driver, "O'Sample");
    driver_keys(driver, "Tab 'us' Enter '1 Sample Street' Tab 'Springfield'");
    driver_keys(driver, "Tab 'il' Enter '02138' Tab 'ann@a.example' Tab '+1 555 010 0100'");
    driver_keys(driver, "Tab '19720229' Tab 'p' Enter '12A4' Tab 'key-77' Tab 'y'");
}

static void to_review(struct driver *driver) {
    fill(driver);
    driver_keys(driver, "Esc s");
    driver_journal(driver, answer_of(JOURNAL_LOOK));
    driver->now += CALM;
}

static struct write_result *result_of(enum api_outcome outcome, int status, const char *id, const char *line) {
    struct write_result *result = write_result_new();
    result->n = 12;
    result->status = status;
    result->receipt.outcome = outcome;
    result->receipt.id = mem_dup(id);
    result->receipt.line = mem_dup(line);
    return result;
}

struct size {
    const char *name;
    int rows, cols;
};
static const struct size SIZES[] = {{"80x24", 24, 80}, {"120x40", 40, 120}, {"200x50", 50, 200}, {"40x10", 10, 40}};

typedef void scene_fn(struct driver *driver);

struct scene {
    const char *name, *environment;
    scene_fn *play;
};

static void play(void **state) {
    const struct scene *scene = *state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        char golden[64];
        open_in(&driver, scene->environment, SIZES[i].rows, SIZES[i].cols);
        scene->play(&driver);
        (void)snprintf(golden, sizeof golden, "register-%s-%s", scene->name, SIZES[i].name);
        driver_check(&driver, golden);
        driver_close(&driver);
    }
}

static void play_nothing(struct driver *driver) {
    (void)driver;
}

static void play_wrong(struct driver *driver) {
    driver_keys(driver, "Enter 'Ann2' Tab Tab 'hong kong' Enter Tab Tab Tab '999077' Tab 'no-at'");
    driver_keys(driver, "Tab Tab '2023-02-29' Esc s");
}

static void play_hidden(struct driver *driver) {
    fill(driver);
    driver_keys(driver, "Esc P");
}

static void play_review(struct driver *driver) {
    to_review(driver);
}

static int set_up(void **state) {
    open_in(driver_begin(state), "sandbox", 24, 80);
    return 0;
}

static void privacy_hides_what_is_sensitive(void **state) {
    struct driver *driver = *state;
    play_hidden(driver);
    driver_check(driver, "register-hidden");
    driver_hides(driver, "ann@", "1972", "12A4", "0100");
}

static void the_review_names_earlier_writes(void **state) {
    struct driver *driver = *state;
    fill(driver);
    driver_keys(driver, "Esc s");
    struct journal_answer *look = answer_of(JOURNAL_LOOK);
    struct outcome_record *record = vec_add(&look->records);
    *record = (struct outcome_record){.n = 7,
                                      .at = DRIVER_NOW - INT64_C(3) * 86400000,
                                      .who = "anna",
                                      .match = "tag",
                                      .last = {.outcome = OUTCOME_DONE, .response_id = "usr_0123456789abcdef"}};
    driver_journal(driver, look);
    driver_check(driver, "register-twin");
    driver_shows(driver, "the same tag: registered 3d ago as usr_0123456789abcdef by anna");
}

static void the_review_compares_every_field_with_the_earlier_write(void **state) {
    static const char *names[] = {"name.first", "government_id.state", "tag"};
    struct driver *driver = driver_begin(state);
    open_in(driver, "sandbox", 50, 120);
    fill(driver);
    driver_keys(driver, "Esc s");
    const struct effect *asked = driver_effect(driver, EFFECT_JOURNAL);
    assert_int_equal(effect_get(asked, journal_ask)->task, JOURNAL_LOOK);
    struct journal_answer *look = answer_of(JOURNAL_LOOK);
    *(struct outcome_record *)vec_add(&look->records) = (struct outcome_record){.n = 7,
                                                                                .at = DRIVER_NOW,
                                                                                .who = "anna",
                                                                                .match = "tag",
                                                                                .fields = names,
                                                                                .n_fields = COUNT_OF(names),
                                                                                .last = {.outcome = OUTCOME_DONE}};
    look->compared = 7;
    look->n_fields = effect_get(asked, journal_ask)->write->fields.n;
    look->fields = mem_new_array(look->n_fields, sizeof *look->fields);
    look->fields[0] = FIELD_CHANGED;
    driver_journal(driver, look);
    driver_shows(driver, "\"Ann\",  differs from record 7", "29 February 1972, same as record 7",
                 "only in the earlier record: government_id.state");
    driver_hides(driver, "government_id.state, tag");
}

/* ---- One confirmation, one write ---- */

static void send(struct driver *driver) {
    driver_keys(driver, "PgDn Right Enter");
}

static void the_body_leaves_as_it_was_shown(void **state) {
    struct driver *driver = driver_begin(state);
    open_in(driver, "sandbox", 50, 120);
    to_review(driver);
    send(driver);
    const struct write_ask *ask = driver_write(driver);
    assert_non_null(ask);
    assert_string_equal(ask->body,
                        "{\n  \"name\": {\n    \"first\": \"Ann\",\n    \"last\": \"O'Sample\"\n  },\n"
                        "  \"address\": {\n    \"address_line_1\": \"1 Sample Street\",\n"
                        "    \"locality\": \"Springfield\",\n    \"administrative_area\": \"IL\",\n"
                        "    \"postal_code\": \"02138\",\n    \"country\": \"US\"\n  },\n"
                        "  \"email\": \"ann@a.example\",\n  \"date_of_birth\": \"1972-02-29\",\n"
                        "  \"government_id\": {\n    \"type\": \"passport\",\n    \"last4\": \"12A4\"\n  },\n"
                        "  \"phone_number\": \"+1 555 010 0100\",\n  \"tag\": \"key-77\",\n"
                        "  \"identity_verified\": true\n}");
}

static void keys_before_the_review_was_seen_confirm_nothing(void **state) {
    struct driver *driver = *state;
    fill(driver);
    driver_keys(driver, "Esc s Right Enter Right Enter");
    driver_journal(driver, answer_of(JOURNAL_LOOK));
    driver_keys(driver, "PgDn Right Enter Right Enter");
    assert_int_equal(driver->writes, 0);
}

static void stray_text_takes_the_focus_back_to_cancel(void **state) {
    struct driver *driver = *state;
    to_review(driver);
    driver_text(driver, "x");
    send(driver);
    assert_int_equal(driver->writes, 0);
    driver_paste(driver, "\x1b[C\r");
    assert_int_equal(driver->writes, 0);
}

static void any_number_of_confirmations_is_one_write(void **state) {
    struct driver *driver = *state;
    to_review(driver);
    for (int i = 0; i < 500; i++) {
        send(driver);
        if (i == 250)
            driver_written(driver, result_of(API_DONE, 201, "usr_1", "201: accepted, id usr_1"));
    }
    assert_int_equal(driver->writes, 1);
}

static void production_wants_its_word(void **state) {
    struct driver *driver = driver_begin(state);
    open_in(driver, "production", 24, 80);
    to_review(driver);
    driver_keys(driver, "PgDn Tab Tab Enter");
    assert_int_equal(driver->writes, 0);
    driver_keys(driver, "'productio' Tab Enter");
    assert_int_equal(driver->writes, 0);
    driver_shows(driver, "type production to send it");
    driver_try(driver, "'n'", "Tab or Right chooses, Enter answers");
    driver_keys(driver, "Tab Enter");
    assert_int_equal(driver->writes, 1);
}

static void where_two_have_to_agree_it_is_proposed_and_the_form_stays(void **state) {
    struct driver *driver = driver_begin(state);
    struct profile *profile = profile_new("acme-eu", "production", "https://api.example.com");
    profile->read_only = false;
    profile->users_approval = 2;
    driver_open_profile(driver, profile, 50, 120);
    driver_journal(driver, answer_of(JOURNAL_COUNTS));
    driver_key(driver, "2");
    to_review(driver);
    driver_shows(driver, "proposes this user to the team", "until another person has released it");
    driver_forget(driver);
    driver_keys(driver, "PgDn Tab 'production' Tab Enter");
    const struct effect *effect = driver_effect(driver, EFFECT_PROPOSALS);
    assert_non_null(effect);
    assert_non_null(strstr(effect_get(effect, proposal_ask)->body, "O'Sample"));
    driver_shows(driver, "the team's store is asked");
    struct proposal_answer *answer = proposal_answer_new(PROPOSAL_MAKE);
    *vec_add(&answer->list) = (struct proposal){.id = "1a2b3c4d5e", .proposed = {.who = "anna"}, .is_own = true};
    struct event event = {
        .kind = EVENT_PROPOSALS, .ticket = effect->ticket, .payload = payload_of(proposal_answer, answer)};
    driver_event(driver, &event);
    driver_shows(driver, "proposed as 1a2b3c4d, nothing was sent", "O'Sample");
    assert_int_equal(driver->writes, 0);
}

/* A rule for every write: what was not in sight is not confirmed. */
static void a_review_is_sent_only_after_its_last_line_was_shown(void **state) {
    struct driver *driver = driver_begin(state);
    open_in(driver, "sandbox", 10, 40);
    to_review(driver);
    driver_try(driver, "Right Enter", "read all of it first");
    for (int i = 0; i < 100 && !driver_sees(driver, "all were shown"); i++) {
        driver_shows(driver, "PgDn shows more");
        driver_key(driver, "Enter");
        assert_int_equal(driver->writes, 0);
        driver_key(driver, "PgDn");
    }
    driver_shows(driver, "\"identity_verified\": true");
    driver_check(driver, "register-review-end-40x10");
    driver_key(driver, "Enter");
    assert_int_equal(driver->writes, 1);
}

static void another_size_is_to_be_read_anew(void **state) {
    struct driver *driver = driver_begin(state);
    open_in(driver, "sandbox", 50, 120);
    to_review(driver);
    driver_resize(driver, 12, 50);
    driver_keys(driver, "Right Enter");
    assert_int_equal(driver->writes, 0);
    driver_resize(driver, 5, 30);
    driver_keys(driver, "Enter Right Enter");
    driver_resize(driver, 50, 120);
    driver_shows(driver, "too small for the review: it was closed", "O'Sample", "[ Review ]");
    assert_int_equal(driver->writes, 0);
}

static void ctrl_l_repaints_in_a_field_and_in_a_window(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Enter 'Ann'");
    driver_forget(driver);
    driver_key(driver, "Ctrl-L");
    assert_non_null(driver_effect(driver, EFFECT_REDRAW));
    driver_keys(driver, "Esc Q");
    driver_forget(driver);
    driver_keys(driver, "Ctrl-L Ctrl-Z");
    assert_non_null(driver_effect(driver, EFFECT_REDRAW));
    assert_non_null(driver_effect(driver, EFFECT_SUSPEND));
    driver_shows(driver, "Leave bursar?");
}

static void read_only_reviews_nothing(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_profile(driver, profile_new("acme-eu", "production", "https://api.example.com"), 24, 80);
    driver_key(driver, "2");
    fill(driver);
    driver_try(driver, "Esc s", "read-only");
    assert_int_equal(driver->writes, 0);
}

/* ---- What became of it ---- */

static void the_receipt_shows_the_id(void **state) {
    struct driver *driver = *state;
    to_review(driver);
    send(driver);
    driver_written(driver, result_of(API_DONE, 201, "usr_0123456789abcdef", "201: accepted, id usr_0123456789abcdef"));
    driver_check(driver, "register-done");
    driver->now += 60 * 1000;
    driver_key(driver, "Ctrl-L");
    driver_check(driver, "register-done"); /* the time of the answer, not of the look at it */
    driver_keys(driver, "y");
    assert_string_equal(driver_copy(driver)->text, "usr_0123456789abcdef");
    driver_copied(driver);
    driver_shows(driver, "the user's id sent to the terminal");
    driver_keys(driver, "Esc");
    driver_hides(driver, "O'Sample");
}

static void a_receipt_without_an_id_offers_none(void **state) {
    struct driver *driver = *state;
    to_review(driver);
    send(driver);
    driver_written(driver, result_of(API_DONE, 201, NULL, "201: accepted"));
    driver_shows(driver, "Registered, but no id was returned", "begins the next form");
    driver_hides(driver, "copies the id");
}

static void a_receipt_is_read_to_its_end_on_a_small_screen(void **state) {
    struct driver *driver = driver_begin(state);
    open_in(driver, "sandbox", 8, 40);
    to_review(driver);
    for (int i = 0; i < 100 && !driver_sees(driver, "all were shown"); i++)
        driver_key(driver, "PgDn");
    driver_keys(driver, "Right Enter");
    driver_written(driver, result_of(API_UNKNOWN, 0, NULL, "the connection was closed without an answer"));
    driver_hides(driver, "How to find out");
    driver_try(driver, "PgDn PgDn PgDn PgDn", "all were shown");
    driver_try(driver, "PgUp", "How to find out");
}

static const char LOCKED[] = "locked by record 12 (outcome unknown): 4 Activity, S there frees it";

static void an_unknown_outcome_locks_the_form(void **state) {
    struct driver *driver = *state;
    to_review(driver);
    send(driver);
    driver_written(driver, result_of(API_UNKNOWN, 0, NULL, "the service did not answer in time. Outcome: not known"));
    driver_check(driver, "register-unknown");
    driver_try(driver, "Esc g Enter 'Bob'", LOCKED);
    driver_hides(driver, "Bob");
}

static void open_locked(struct driver *driver) {
    open_in(driver, "sandbox", 24, 80);
    to_review(driver);
    send(driver);
    driver_written(driver, result_of(API_UNKNOWN, 0, NULL, "no answer"));
    driver_keys(driver, "Esc g");
}

/* No text field, no choice and no paste changes what may have been sent, and each try is answered. */
static void a_locked_form_says_what_frees_it(void **state) {
    (void)state;
    static const char *const TRIES[] = {"Enter q", "Enter Ctrl-U", "j j Enter q", "j j Enter Backspace", "X"};
    struct driver driver;
    for (size_t i = 0; i < COUNT_OF(TRIES); i++) {
        open_locked(&driver);
        driver_keys(&driver, TRIES[i]);
        driver_shows(&driver, LOCKED, "First name        Ann", "Country           United States (US)");
        driver_close(&driver);
    }
    open_locked(&driver);
    driver_key(&driver, "Enter");
    driver_paste(&driver, "Bob");
    driver_shows(&driver, LOCKED);
    driver_hides(&driver, "Bob");
    driver_close(&driver);
}

static void a_repeat_on_purpose_names_the_record(void **state) {
    struct driver *driver = *state;
    to_review(driver);
    send(driver);
    driver_written(driver, result_of(API_UNKNOWN, 0, NULL, "no answer"));
    driver_keys(driver, "Esc s");
    struct journal_answer *look = answer_of(JOURNAL_LOOK);
    look->compared = 12;
    look->body_same = true;
    driver_journal(driver, look);
    driver->now += CALM;
    send(driver); /* as a first write is sent: it takes the word that says it is meant */
    assert_int_equal(driver->writes, 1);
    driver_shows(driver, "type repeat 12");
    driver_keys(driver, "Esc s");
    look = answer_of(JOURNAL_LOOK);
    look->compared = 12;
    look->body_same = true;
    driver_journal(driver, look);
    driver->now += CALM;
    driver_keys(driver, "PgDn Tab 'repeat 12' Tab Enter");
    assert_int_equal(driver->writes, 2);
    assert_int_equal(driver_write(driver)->repeats, 12);
}

/* Whatever the first key of a burst is, what comes within half a second of the review's first frame answers nothing. */
static void f99_what_is_typed_ahead_of_the_review_is_dropped(void **state) {
    (void)state;
    static const char *const BURSTS[] = {"PgDn Tab Enter", "Right Enter", "Tab PgDn Enter", "Down PgDn Right Enter"};
    for (size_t i = 0; i < COUNT_OF(BURSTS); i++) {
        struct driver driver;
        open_in(&driver, "sandbox", 50, 120);
        fill(&driver);
        driver_keys(&driver, "Esc s");
        driver_keys(&driver, BURSTS[i]); /* while the journal is asked */
        driver_journal(&driver, answer_of(JOURNAL_LOOK));
        driver_keys(&driver, BURSTS[i]);
        driver.now += 450;
        driver_keys(&driver, BURSTS[i]);
        assert_int_equal(driver.writes, 0);
        driver.now += CALM;
        send(&driver);
        assert_int_equal(driver.writes, 1);
        driver_close(&driver);
    }
}

/* What the disk does not keep is gone from the form too, and without it nothing is the very same. */
static void f98_a_repeat_wants_what_was_left_out_typed_again(void **state) {
    struct driver *driver = *state;
    to_review(driver);
    send(driver);
    driver_written(driver, result_of(API_UNKNOWN, 0, NULL, "no answer"));
    driver_keys(driver, "Esc");
    driver_hides(driver, "1972-02-29");
    driver_keys(driver, "s");
    struct journal_answer *look = answer_of(JOURNAL_LOOK);
    look->compared = 12; /* body_same: false */
    driver_journal(driver, look);
    driver->now += CALM;
    driver_hides(driver, "type repeat 12"); /* no word would send it */
    driver_keys(driver, "PgDn Tab Enter");
    assert_int_equal(driver->writes, 1);
    driver_shows(driver, "this is not what record 12 sent");
}

static void a_refusal_keeps_the_form_and_stands_at_its_field(void **state) {
    struct driver *driver = *state;
    to_review(driver);
    send(driver);
    struct write_result *result = result_of(API_REFUSED, 422, NULL, "422: postal_code: not known");
    struct service_error_place *place = vec_add(&result->receipt.error);
    *place =
        (struct service_error_place){.place = mem_dup("address.postal_code"), .text = mem_dup("is not known here")};
    driver_written(driver, result);
    driver_keys(driver, "Esc");
    driver_check(driver, "register-refused");
    driver_shows(driver, "is not known here", "O'Sample");
}

static void a_journal_that_cannot_be_used_sends_nothing(void **state) {
    struct driver *driver = *state;
    fill(driver);
    driver_keys(driver, "Esc s");
    struct journal_answer *look = answer_of(JOURNAL_LOOK);
    enum err err = error_set(&look->error, ERR_STORE, "the journal is damaged");
    assert_int_equal(err, ERR_STORE);
    driver_journal(driver, look);
    driver_shows(driver, "nothing is sent: the journal is damaged");
}

/* ---- Nothing typed is lost ---- */

/* Not in the order of codes that are not read (AD, AE ...), and a mark changes nothing. */
static void countries_stand_in_the_order_of_their_names(void **state) {
    static const char *const NAMES[] = {"Afghanistan (AF)", "Åland Islands (AX)", "Albania (AL)", "Algeria (DZ)"};
    struct driver *driver = driver_begin(state);
    open_in(driver, "sandbox", 50, 80);
    driver_keys(driver, "g j j Enter a");
    char *screen = driver_dump(driver), *at = screen;
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        at = strstr(at, NAMES[i]);
        assert_non_null(at);
    }
    free(screen);
    driver_keys(driver, "Backspace 'de'");
    driver_try(driver, "Enter", "Germany (DE)");
}

static void another_country_erases_nothing(void **state) {
    struct driver *driver = *state;
    fill(driver);
    driver_keys(driver, "Esc g j j Enter 'hk'");
    driver_try(driver, "Enter", "Hong Kong (HK)", "02138", "IL");
}

static void leaving_asks_where_something_was_typed(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Enter 'Ann' Esc Q");
    driver_check(driver, "register-leave");
    assert_false(shell_is_finished(driver->shell));
    driver_keys(driver, "Right Enter");
    assert_true(shell_is_finished(driver->shell));
}

static void several_forms_live_side_by_side(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Enter 'Ann' Esc n Enter 'Bob' Esc f");
    driver_check(driver, "register-forms");
    driver_try(driver, "Up Enter", "Ann");
    driver_hides(driver, "Bob");
}

static void a_complaint_stays_with_its_form(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Enter 'Ann'");
    driver_try(driver, "Esc s", "must be put right first");
    driver_try(driver, "n", "s review");
    driver_try(driver, "s", "must be put right first");
    driver_try(driver, "f Up Enter", "Ann", "s review");
}

static void the_disk_gets_no_birth_date_and_no_id(void **state) {
    struct driver *driver = *state;
    fill(driver);
    driver_keys(driver, "Esc 1");
    const char *text = NULL;
    for (size_t i = 0; i < driver->effects.n; i++)
        if (driver->effects.items[i].kind == EFFECT_DRAFT_KEEP)
            text = effect_get(&driver->effects.items[i], draft_ask)->text;
    assert_non_null(text);
    assert_non_null(strstr(text, "O'Sample"));
    assert_null(strstr(text, "1972"));
    assert_null(strstr(text, "12A4"));
    assert_null(strstr(text, "passport"));
}

#define AFTER_SET_UP(test) cmocka_unit_test_setup_teardown(test, set_up, driver_end)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        SCENE(the_empty_form, "empty", "sandbox", play_nothing),
        SCENE(the_filled_form, "filled", "sandbox", fill),
        SCENE(what_is_wrong_stands_at_the_field, "wrong", "sandbox", play_wrong),
        AFTER_SET_UP(privacy_hides_what_is_sensitive),
        SCENE(the_review, "review", "sandbox", play_review),
        SCENE(the_review_in_production, "review-production", "production", play_review),
        AFTER_SET_UP(the_review_names_earlier_writes),
        DRIVER_TEST(the_body_leaves_as_it_was_shown),
        AFTER_SET_UP(keys_before_the_review_was_seen_confirm_nothing),
        AFTER_SET_UP(stray_text_takes_the_focus_back_to_cancel),
        AFTER_SET_UP(any_number_of_confirmations_is_one_write),
        DRIVER_TEST(production_wants_its_word),
        DRIVER_TEST(where_two_have_to_agree_it_is_proposed_and_the_form_stays),
        DRIVER_TEST(a_review_is_sent_only_after_its_last_line_was_shown),
        DRIVER_TEST(another_size_is_to_be_read_anew),
        AFTER_SET_UP(ctrl_l_repaints_in_a_field_and_in_a_window),
        DRIVER_TEST(read_only_reviews_nothing),
        DRIVER_TEST(the_review_compares_every_field_with_the_earlier_write),
        AFTER_SET_UP(the_receipt_shows_the_id),
        AFTER_SET_UP(a_receipt_without_an_id_offers_none),
        DRIVER_TEST(a_receipt_is_read_to_its_end_on_a_small_screen),
        AFTER_SET_UP(an_unknown_outcome_locks_the_form),
        cmocka_unit_test(a_locked_form_says_what_frees_it),
        AFTER_SET_UP(a_repeat_on_purpose_names_the_record),
        cmocka_unit_test(f99_what_is_typed_ahead_of_the_review_is_dropped),
        AFTER_SET_UP(f98_a_repeat_wants_what_was_left_out_typed_again),
        AFTER_SET_UP(a_refusal_keeps_the_form_and_stands_at_its_field),
        AFTER_SET_UP(a_journal_that_cannot_be_used_sends_nothing),
        DRIVER_TEST(countries_stand_in_the_order_of_their_names),
        AFTER_SET_UP(another_country_erases_nothing),
        AFTER_SET_UP(leaving_asks_where_something_was_typed),
        AFTER_SET_UP(several_forms_live_side_by_side),
        AFTER_SET_UP(a_complaint_stays_with_its_form),
        AFTER_SET_UP(the_disk_gets_no_birth_date_and_no_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
