/* The Activity pane as it looks and behaves: characters and roles against golden files. */
#include "base/mem.h"
#include "support/driver.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct size {
    const char *name;
    int rows, cols;
};
static const struct size SIZES[] = {{"80x24", 24, 80}, {"120x40", 40, 120}, {"200x50", 50, 200}, {"40x10", 10, 40}};

static void open_activity(struct driver *driver, int rows, int cols) {
    driver_open_profile(driver, profile_new("acme-eu", "sandbox", "https://api.example.com"), rows, cols);
    driver_key(driver, "4");
}

static void add_record(struct journal_answer *answer, int64_t n, enum outcome outcome, const char *id) {
    struct outcome_record *record = vec_add(&answer->records);
    *record = (struct outcome_record){
        .n = n,
        .at = DRIVER_NOW - n * 60000,
        .who = "anna",
        .profile = "acme-eu",
        .environment = "sandbox",
        .origin = "http://127.0.0.1:1",
        .operation = "user.create",
        .last = {.at = DRIVER_NOW, .outcome = outcome, .status = outcome == OUTCOME_DONE ? 201 : 0, .response_id = id}};
    answer->unknown += outcome == OUTCOME_UNKNOWN;
}

static void the_activity(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        char golden[64];
        open_activity(&driver, SIZES[i].rows, SIZES[i].cols);
        struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
        add_record(answer, 3, OUTCOME_UNKNOWN, NULL);
        add_record(answer, 2, OUTCOME_REFUSED, NULL);
        add_record(answer, 1, OUTCOME_DONE, "usr_0123456789abcdef");
        driver_journal(&driver, answer);
        (void)snprintf(golden, sizeof golden, "activity-%s", SIZES[i].name);
        driver_check(&driver, golden);
        driver_close(&driver);
    }
}

/* Colleagues' records among the own ones; what was registered twice is said of the row under the cursor. */
static void the_activity_of_a_team(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        char golden[64];
        open_activity(&driver, SIZES[i].rows, SIZES[i].cols);
        struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
        add_record(answer, 1, OUTCOME_DONE, "usr_0123456789abcdef");
        answer->records.items[0].twice = "ben at desk-2 (3f9a1c20)";
        add_record(answer, 2, OUTCOME_UNKNOWN, NULL);
        struct outcome_record *of_team = &answer->records.items[1];
        of_team->team = "3f9a1c20aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        of_team->n = outcome_team_number(of_team->team);
        of_team->who = "ben";
        of_team->host = "desk-2";
        driver_journal(&driver, answer);
        (void)snprintf(golden, sizeof golden, "activity-team-%s", SIZES[i].name);
        driver_check(&driver, golden);
        driver_try(&driver, "Down S", "What became of team");
        driver_close(&driver);
    }
}

static void an_unknown_write_is_settled_with_a_note(void **state) {
    struct driver *driver = *state;
    struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
    add_record(answer, 3, OUTCOME_UNKNOWN, NULL);
    driver_journal(driver, answer);
    driver_try(driver, "S Enter Enter", "a note is needed");
    driver_text(driver, "found by its tag");
    driver_check(driver, "activity-settle");
    driver_forget(driver);
    driver_key(driver, "Enter");
    assert_int_equal(driver->effects.items[0].kind, EFFECT_JOURNAL);
    assert_int_equal(effect_get(&driver->effects.items[0], journal_ask)->task, JOURNAL_SETTLE);
    assert_int_equal(effect_get(&driver->effects.items[0], journal_ask)->n, 3);
    assert_string_equal(effect_get(&driver->effects.items[0], journal_ask)->note, "found by its tag");
}

static void the_open_record_is_settled_wherever_the_list_has_moved(void **state) {
    struct driver *driver = *state;
    struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
    add_record(answer, 3, OUTCOME_UNKNOWN, NULL);
    driver_journal(driver, answer);
    driver_keys(driver, "Enter S"); /* not read yet */
    driver_hides(driver, "What became of");
    answer = journal_answer_new(JOURNAL_SHOW);
    add_record(answer, 3, OUTCOME_UNKNOWN, NULL);
    driver_journal(driver, answer);
    driver_key(driver, "r");
    answer = journal_answer_new(JOURNAL_LIST);
    add_record(answer, 4, OUTCOME_DONE, "usr_4");
    add_record(answer, 3, OUTCOME_UNKNOWN, NULL);
    driver_journal(driver, answer);
    driver_try(driver, "S Enter", "record 3: done");
}

static void from_a_done_record_settling_goes_to_the_next_unknown_one(void **state) {
    struct driver *driver = *state;
    struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
    add_record(answer, 4, OUTCOME_UNKNOWN, NULL);
    add_record(answer, 3, OUTCOME_DONE, "usr_3");
    add_record(answer, 2, OUTCOME_UNKNOWN, NULL);
    driver_journal(driver, answer);
    driver_try(driver, "Down S", "record 2 is the next of unknown outcome", "What became of record 2?");
    driver_keys(driver, "Escape Up Enter");
    answer = journal_answer_new(JOURNAL_SHOW);
    add_record(answer, 3, OUTCOME_DONE, "usr_3");
    driver_journal(driver, answer);
    driver_shows(driver, "x exports the list");
    driver_keys(driver, "S Enter"); /* from the open record too */
    driver_shows(driver, "record 2: done");
    driver_keys(driver, "Escape r");
    answer = journal_answer_new(JOURNAL_LIST);
    add_record(answer, 3, OUTCOME_DONE, "usr_3");
    driver_journal(driver, answer);
    driver_key(driver, "S");
    driver_journal(driver, journal_answer_new(JOURNAL_LIST));
    driver_shows(driver, "there is nothing to settle", "usr_3");
}

/* The list goes back so far and no further, and how many are unknown comes late of a long journal. */
static void an_older_unknown_is_settled_as_a_new_one(void **state) {
    static const char *const WAYS[] = {"r", "Enter", "f f"}; /* the list, a record, another outcome */
    (void)state;
    for (size_t i = 0; i < COUNT_OF(WAYS); i++) {
        struct driver driver;
        open_activity(&driver, 24, 80);
        struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
        add_record(answer, 4000, OUTCOME_DONE, "usr_3");
        driver_journal(&driver, answer);
        driver_keys(&driver, WAYS[i]);
        answer = journal_answer_new(i == 1 ? JOURNAL_SHOW : JOURNAL_LIST);
        if (i != 2)
            add_record(answer, 4000, OUTCOME_DONE, "usr_3");
        driver_journal(&driver, answer);
        driver_forget(&driver);
        driver_key(&driver, "S");
        driver_hides(&driver, "nothing to settle");
        assert_int_equal(effect_get(&driver.effects.items[0], journal_ask)->task, JOURNAL_LIST);
        assert_int_equal(effect_get(&driver.effects.items[0], journal_ask)->only, OUTCOME_UNKNOWN);
        answer = journal_answer_new(JOURNAL_LIST);
        add_record(answer, 7, OUTCOME_UNKNOWN, NULL);
        driver_journal(&driver, answer);
        driver_shows(&driver, "What became of record 7?");
        driver_keys(&driver, "Enter 'found by its tag'");
        driver_forget(&driver);
        driver_key(&driver, "Enter");
        assert_int_equal(effect_get(&driver.effects.items[0], journal_ask)->task, JOURNAL_SETTLE);
        assert_int_equal(effect_get(&driver.effects.items[0], journal_ask)->n, 7);
        driver_close(&driver);
    }
}

static void what_keeps_an_older_unknown_from_being_found_is_said(void **state) {
    struct driver *driver = *state;
    struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
    add_record(answer, 4000, OUTCOME_DONE, "usr_3");
    driver_journal(driver, answer);
    driver_key(driver, "S");
    answer = journal_answer_new(JOURNAL_LIST);
    enum err err = error_set(&answer->error, ERR_STORE, "the journal is damaged: the chain is broken at entry 9");
    assert_int_equal(err, ERR_STORE);
    driver_journal(driver, answer);
    driver_shows(driver, "the chain is broken at entry 9");
    driver_hides(driver, "nothing to settle");
}

static void how_to_find_out_is_told_for_each_operation(void **state) {
    (void)state;
    static const struct {
        const char *operation, *says;
    } rows[] = {{"user.create", "by its tag"}, {"webhook.register", "by the events that come"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct driver driver;
        open_activity(&driver, 24, 200);
        struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
        add_record(answer, 3, OUTCOME_UNKNOWN, NULL);
        driver_journal(&driver, answer);
        driver_key(&driver, "Enter");
        answer = journal_answer_new(JOURNAL_SHOW);
        add_record(answer, 3, OUTCOME_UNKNOWN, NULL);
        answer->records.items[0].operation = rows[i].operation;
        driver_journal(&driver, answer);
        driver_shows(&driver, rows[i].says);
        assert_int_equal(driver_sees(&driver, "tag"), i == 0);
        driver_close(&driver);
    }
}

static void a_long_answer_is_read_to_its_end(void **state) {
    (void)state;
    static struct outcome_event event = {
        .at = DRIVER_NOW,
        .outcome = OUTCOME_UNKNOWN,
        .status = 500,
        .message =
            "500: POST /user/create at http://127.0.0.1:8731: The request failed. (internal); request id req-0c0ffee"};
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        char golden[64];
        open_activity(&driver, SIZES[i].rows, SIZES[i].cols);
        struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
        add_record(answer, 3, OUTCOME_UNKNOWN, NULL);
        driver_journal(&driver, answer);
        driver_key(&driver, "Enter");
        answer = journal_answer_new(JOURNAL_SHOW);
        add_record(answer, 3, OUTCOME_UNKNOWN, NULL);
        answer->records.items[0].events = &event;
        answer->records.items[0].n_events = 1;
        driver_journal(&driver, answer);
        (void)snprintf(golden, sizeof golden, "activity-record-%s", SIZES[i].name);
        driver_check(&driver, golden);
        driver_resize(&driver, 24, 40); /* broken anew */
        driver_text(&driver, "/req-0c");
        driver_try(&driver, "Enter", "req-0c0ffee");
        driver_close(&driver);
    }
}

static void y_copies_the_id_or_the_requests(void **state) {
    (void)state;
    static const struct {
        const char *id, *message, *copies;
    } rows[] = {
        {"usr_3", "201; request id req-1", "usr_3"},
        {NULL, "500: it failed (internal); request id req-2", "req-2"},
        {NULL, "500: it failed; request id req-3; see the log", "req-3"},
        {NULL, "500: it failed; request id req_4. Outcome: not known whether it was done", "req_4"},
        {NULL, "the connection ended before the answer came", NULL},
        {NULL, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct driver driver;
        open_activity(&driver, 24, 80);
        for (int round = 0; round < 2; round++) { /* in the list, and open */
            struct journal_answer *answer = journal_answer_new(round == 0 ? JOURNAL_LIST : JOURNAL_SHOW);
            add_record(answer, 3, OUTCOME_UNKNOWN, rows[i].id);
            answer->records.items[0].last.message = rows[i].message;
            driver_journal(&driver, answer);
            driver_forget(&driver);
            if (round == 1)
                assert_int_equal(driver_sees(&driver, "y copies the id"), rows[i].copies != NULL);
            driver_key(&driver, "y");
            if (rows[i].copies) {
                assert_string_equal(driver_copy(&driver)->text, rows[i].copies);
            } else {
                assert_null(driver_copy(&driver));
                driver_shows(&driver, "there is no id to copy");
            }
            driver_key(&driver, "Enter");
        }
        driver_close(&driver);
    }
}

/* ---- Which record a tag belongs to ---- */

static void answer_list(struct driver *driver, const int64_t *numbers, size_t n) {
    struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
    for (size_t i = 0; i < n; i++)
        add_record(answer, numbers[i], OUTCOME_DONE, "usr_1");
    driver_journal(driver, answer);
}
#define ANSWER(driver, ...) \
    answer_list(driver, (const int64_t[]){__VA_ARGS__}, COUNT_OF(((const int64_t[]){__VA_ARGS__})))

static const struct journal_ask *asked(const struct driver *driver) {
    const struct effect *effect = driver_effect(driver, EFFECT_JOURNAL);
    return effect ? effect_get(effect, journal_ask) : NULL;
}

static void a_tag_leads_to_its_newest_record(void **state) {
    struct driver *driver = *state;
    ANSWER(driver, 9, 8, 7, 6);
    driver_key(driver, "@");
    driver_text(driver, "CRM-q1"); /* a letter is no action here */
    driver_check(driver, "activity-tag");
    driver_key(driver, "Enter");
    assert_int_equal(asked(driver)->task, JOURNAL_LIST);
    assert_string_equal(asked(driver)->tag, "crm-q1"); /* as it is compared */
    assert_int_equal(asked(driver)->only, -1);
    ANSWER(driver, 7, 3, 2);
    driver_shows(driver, "record 7 is the newest of this tag; earlier: 3, 2");
    driver_forget(driver);
    driver_key(driver, "Enter");
    assert_int_equal(asked(driver)->task, JOURNAL_SHOW);
    assert_int_equal(asked(driver)->n, 7);
}

static void a_record_that_is_not_on_show_is_brought(void **state) {
    struct driver *driver = *state;
    ANSWER(driver, 9, 8);
    driver_key(driver, "f");
    ANSWER(driver, 9);
    driver_keys(driver, "@ 'crm-1' Enter");
    ANSWER(driver, 8);
    assert_int_equal(asked(driver)->only, -1); /* every write is listed again */
    assert_null(asked(driver)->tag);
    ANSWER(driver, 9, 8);
    driver_forget(driver);
    driver_key(driver, "Enter");
    assert_int_equal(asked(driver)->n, 8);
    driver_keys(driver, "Escape @");
    driver_paste(driver, "crm-0");
    driver_key(driver, "Enter");
    ANSWER(driver, 1);
    ANSWER(driver, 9, 8); /* too old for the list */
    assert_int_equal(asked(driver)->task, JOURNAL_SHOW);
    assert_int_equal(asked(driver)->n, 1);
}

static void a_tag_without_a_record_is_said(void **state) {
    struct driver *driver = *state;
    ANSWER(driver, 9, 8);
    driver_keys(driver, "@ 'nobody' Enter");
    driver_journal(driver, journal_answer_new(JOURNAL_LIST));
    driver_shows(driver, "no record has this tag");
    driver_shows(driver, "usr_1"); /* the list stays */
    driver_forget(driver);
    driver_keys(driver, "@ Enter @ x Escape");
    assert_null(asked(driver)); /* nothing typed, or thought better of */
}

/* A machine whose clock was wrong, or is: three sizes of it, in each way of showing times. */
static void f41_a_record_ahead_of_the_clock_says_so_and_is_never_now(void **state) {
    (void)state;
    static const struct {
        int64_t ahead;
        const char *words, *cell;
    } ROWS[] = {{5000, "by 5s", "+5s"}, {3 * 3600000, "by 3h", "+3h"}, {INT64_C(40) * 86400000, "by 40d", "+40d"}};
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        struct driver driver;
        open_activity(&driver, 24, 120);
        struct journal_answer *answer = journal_answer_new(JOURNAL_LIST);
        add_record(answer, 1, OUTCOME_DONE, "usr_0123456789abcdef");
        answer->records.items[0].at = DRIVER_NOW + ROWS[i].ahead;
        driver_journal(&driver, answer);
        for (int zone = 0; zone < 3; zone++) {
            driver_shows(&driver, "ahead of this machine's clock", ROWS[i].words);
            driver_hides(&driver, "now ");
            driver_key(&driver, "t");
        }
        driver_try(&driver, "t t", ROWS[i].cell);
        driver_close(&driver);
    }
}

static void unknown_writes_are_said_at_the_start(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    struct journal_answer *answer = journal_answer_new(JOURNAL_COUNTS);
    answer->unknown = 2;
    driver_journal(driver, answer);
    driver_shows(driver, "2 writes are of unknown outcome");
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, open_activity, 24, 80)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_activity),
        cmocka_unit_test(the_activity_of_a_team),
        AFTER_SET_UP(an_unknown_write_is_settled_with_a_note),
        AFTER_SET_UP(the_open_record_is_settled_wherever_the_list_has_moved),
        AFTER_SET_UP(from_a_done_record_settling_goes_to_the_next_unknown_one),
        cmocka_unit_test(an_older_unknown_is_settled_as_a_new_one),
        AFTER_SET_UP(what_keeps_an_older_unknown_from_being_found_is_said),
        cmocka_unit_test(how_to_find_out_is_told_for_each_operation),
        cmocka_unit_test(a_long_answer_is_read_to_its_end),
        cmocka_unit_test(y_copies_the_id_or_the_requests),
        AFTER_SET_UP(a_tag_leads_to_its_newest_record),
        AFTER_SET_UP(a_record_that_is_not_on_show_is_brought),
        AFTER_SET_UP(a_tag_without_a_record_is_said),
        cmocka_unit_test(f41_a_record_ahead_of_the_clock_says_so_and_is_never_now),
        DRIVER_TEST(unknown_writes_are_said_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
