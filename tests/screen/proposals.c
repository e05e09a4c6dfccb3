/* Four eyes on the screen: what waits for a second person is listed, reviewed as its proposer reviewed it, released and
 * sent, by one write at most; characters and roles against golden files. */
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

enum { CALM = 1000, MINUTE = 60000 };

static const char FIRST[] = "1a2b3c4d5e6f", SECOND[] = "2b3c4d5e6f70", THIRD[] = "3c4d5e6f7081",
                  URL[] = "https://hook.example.com/in";
static const char SECRET[] = "SENTINEL-0123456789-abcdefghijklmnopqrstuvwxyz";

static struct proposal waiting(const char *id, const char *fingerprint) {
    return (struct proposal){.id = id,
                             .state = PROPOSAL_WAITING,
                             .proposed = {"anna", "desk-1", "bursar_anna", DRIVER_NOW - 5 * MINUTE},
                             .profile = "acme-eu",
                             .environment = "production",
                             .operation = "webhook.register",
                             .url = URL,
                             .fingerprint = fingerprint,
                             .left_ms = 86000000};
}

static struct proposal released(const char *id, const char *fingerprint) {
    struct proposal proposal = waiting(id, fingerprint);
    proposal.state = PROPOSAL_RELEASED;
    proposal.released = (struct proposal_act){"ben", "desk-2", "bursar_ben", DRIVER_NOW - MINUTE};
    proposal.is_own = true;
    return proposal;
}

static struct proposal refused(const char *id) {
    struct proposal proposal = waiting(id, NULL);
    proposal.state = PROPOSAL_REFUSED;
    proposal.ended = (struct proposal_act){"cleo", "desk-3", "bursar_cleo", DRIVER_NOW - 2 * MINUTE};
    proposal.reason = "the host is not ours";
    return proposal;
}

static struct proposal_answer *answer_with(enum proposal_task task, const struct proposal *items, size_t n) {
    struct proposal_answer *answer = proposal_answer_new(task);
    for (size_t i = 0; i < n; i++)
        *vec_add(&answer->list) = items[i];
    return answer;
}

/* The answer to what was last asked of the team's store. */
static void agreed(struct driver *driver, struct proposal_answer *answer) {
    const struct effect *asked = driver_effect(driver, EFFECT_PROPOSALS);
    assert_non_null(asked);
    struct event event = {
        .kind = EVENT_PROPOSALS, .ticket = asked->ticket, .payload = payload_of(proposal_answer, answer)};
    driver_forget(driver);
    driver_event(driver, &event);
    driver->now += CALM;
}

static const struct proposal_ask *asked(struct driver *driver) {
    const struct effect *effect = driver_effect(driver, EFFECT_PROPOSALS);
    return effect ? effect_get(effect, proposal_ask) : NULL;
}

static void open_profile(struct driver *driver, bool read_only) {
    struct profile *profile = profile_new("acme-eu", "production", "https://api.example.com");
    profile->read_only = read_only;
    profile->webhook_approval = profile->users_approval = 2;
    free(profile->team_store);
    profile->team_store = mem_dup("postgresql://db.example.com/bursar");
    driver_open_profile(driver, profile, 24, 80);
}

static void open_list(struct driver *driver, bool read_only) {
    const struct proposal all[] = {waiting(FIRST, "86ffb8535453"), released(SECOND, "0123456789ab"), refused(THIRD)};
    open_profile(driver, read_only);
    agreed(driver, answer_with(PROPOSAL_LIST, all, COUNT_OF(all)));
    driver_key(driver, "3");
    driver_webhook(driver, webhook_answer_new(WEBHOOK_KNOWN));
    driver_forget(driver);
    driver_key(driver, "P");
    agreed(driver, answer_with(PROPOSAL_LIST, all, COUNT_OF(all)));
}

struct size {
    const char *name;
    int rows, cols;
};
static const struct size SIZES[] = {{"80x24", 24, 80}, {"120x40", 40, 120}, {"200x50", 50, 200}};

static void check_sizes(struct driver *driver, const char *name) {
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        char golden[64];
        (void)snprintf(golden, sizeof golden, "proposals-%s-%s", name, SIZES[i].name);
        driver_resize(driver, SIZES[i].rows, SIZES[i].cols);
        driver_check(driver, golden);
    }
    driver_resize(driver, 24, 80);
}

/* A review is closed there, and has to be opened again. */
static void survive_small(struct driver *driver) {
    driver_resize(driver, 5, 20);
    driver_shows(driver, "needs 40x8");
    driver_resize(driver, 24, 80);
}

static void take_up(struct driver *driver, struct proposal proposal) {
    driver_key(driver, "Enter");
    assert_int_equal(asked(driver)->task, PROPOSAL_SHOW);
    agreed(driver, answer_with(PROPOSAL_SHOW, &proposal, 1));
    driver_webhook(driver, webhook_answer_new(WEBHOOK_KNOWN));
    driver->now += CALM;
}

static void confirm(struct driver *driver) {
    driver_forget(driver);
    driver_keys(driver, "PgDn Tab 'production' Tab Enter");
}

static void what_waits_is_counted_in_the_title_and_listed(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    driver_shows(driver, "2 to release or send", "86ffb8535453");
    check_sizes(driver, "list");
    survive_small(driver);
    driver_try(driver, "j j", "the host is not ours");
    assert_int_equal(driver->writes, 0);
}

static void a_release_without_the_secret_sends_nothing(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    take_up(driver, waiting(FIRST, "86ffb8535453"));
    driver_shows(driver, "releases the webhook", "team's fingerprint 86ffb8535453");
    check_sizes(driver, "release");
    driver->now += CALM;
    confirm(driver);
    assert_int_equal(asked(driver)->task, PROPOSAL_DECIDE);
    assert_int_equal(asked(driver)->state, PROPOSAL_RELEASED);
    struct proposal now = released(FIRST, "86ffb8535453");
    agreed(driver, answer_with(PROPOSAL_DECIDE, &now, 1));
    driver_shows(driver, "Released as 1a2b3c4d; nothing was sent");
    check_sizes(driver, "released");
    survive_small(driver);
    assert_int_equal(driver->writes, 0);
}

static void type_secret(struct driver *driver) {
    driver_text(driver, SECRET);
    driver_keys(driver, "Enter Enter");
    struct webhook_answer *print = webhook_answer_new(WEBHOOK_PRINT);
    print->fingerprint = mem_dup("ffffffffffff");
    driver_webhook(driver, print);
    driver_webhook(driver, webhook_answer_new(WEBHOOK_KNOWN));
    driver->now += CALM;
}

/* What is looked at and left is not released by a form that has the same URL and another secret. */
static void what_was_left_is_not_what_the_form_confirms(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    take_up(driver, waiting(FIRST, "86ffb8535453"));
    struct webhook_answer *known = webhook_answer_new(WEBHOOK_KNOWN);
    known->unknown_url = mem_dup(URL);
    driver_webhook(driver, known);
    driver_keys(driver, "Esc Enter Tab Enter Enter");
    type_secret(driver);
    driver_shows(driver, "proposes the webhook to the team", "fingerprint ffffffffffff");
    driver_hides(driver, "1a2b3c4d");
    confirm(driver);
    assert_int_equal(asked(driver)->task, PROPOSAL_MAKE);
    assert_string_equal(asked(driver)->secret, SECRET);
    assert_int_equal(driver->writes, 0);
}

static void after_a_release_that_failed_signing_is_chosen_anew(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    take_up(driver, waiting(FIRST, "86ffb8535453"));
    confirm(driver);
    struct proposal_answer *answer = proposal_answer_new(PROPOSAL_DECIDE);
    (void)error_set(&answer->error, ERR_STORE, "the team's store cannot be reached");
    agreed(driver, answer);
    driver_key(driver, "Esc");
    driver_forget(driver);
    driver_keys(driver, "G Enter");
    driver_shows(driver, "signing is not chosen");
    assert_null(asked(driver));
    assert_int_equal(driver->writes, 0);
}

static void the_release_of_an_unsigned_one_is_the_confirmation(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    take_up(driver, waiting(FIRST, NULL));
    driver_shows(driver, "UNSIGNED");
    confirm(driver);
    struct proposal now = released(FIRST, NULL);
    agreed(driver, answer_with(PROPOSAL_DECIDE, &now, 1));
    assert_int_equal(driver->writes, 1);
    assert_string_equal(driver_write(driver)->proposal, FIRST);
}

static void what_is_stopped_while_the_store_is_asked_is_not_sent(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    take_up(driver, waiting(FIRST, NULL));
    confirm(driver);
    uint64_t ticket = driver_effect(driver, EFFECT_PROPOSALS)->ticket;
    driver_key(driver, "Esc");
    struct proposal now = released(FIRST, NULL);
    struct event event = {.kind = EVENT_PROPOSALS,
                          .ticket = ticket,
                          .payload = payload_of(proposal_answer, answer_with(PROPOSAL_DECIDE, &now, 1))};
    driver_event(driver, &event);
    assert_int_equal(driver->writes, 0);
}

static void a_released_one_is_sent_with_its_secret(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    driver_key(driver, "j");
    take_up(driver, released(SECOND, "0123456789ab"));
    driver_shows(driver, "give the very secret that was proposed, fingerprint 0123456789ab");
    type_secret(driver);
    driver_shows(driver, "registers the webhook");
    confirm(driver);
    assert_int_equal(driver->writes, 1);
    assert_string_equal(driver_write(driver)->proposal, SECOND);
    driver_hides(driver, "SENTINEL");
}

static void the_form_proposes_and_sends_nothing(void **state) {
    struct driver *driver = driver_begin(state);
    open_profile(driver, false);
    driver_key(driver, "3");
    driver_webhook(driver, webhook_answer_new(WEBHOOK_KNOWN));
    driver_keys(driver, "Enter Ctrl-U");
    driver_text(driver, URL);
    driver_keys(driver, "Tab Enter Down Down Enter 'unsigned' Enter Enter");
    driver->now += CALM;
    driver_shows(driver, "proposes the webhook to the team");
    check_sizes(driver, "propose");
    driver->now += CALM;
    confirm(driver);
    assert_int_equal(asked(driver)->task, PROPOSAL_MAKE);
    assert_null(asked(driver)->secret);
    struct proposal now = waiting(FIRST, NULL);
    now.is_own = true;
    agreed(driver, answer_with(PROPOSAL_MAKE, &now, 1));
    driver_shows(driver, "Proposed as 1a2b3c4d; nothing was sent");
    assert_int_equal(driver->writes, 0);
}

static void a_store_that_is_away_is_said_and_the_form_stays(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    take_up(driver, waiting(FIRST, NULL));
    confirm(driver);
    struct proposal_answer *answer = proposal_answer_new(PROPOSAL_DECIDE);
    (void)error_set(&answer->error, ERR_STORE, "the team's store cannot be reached");
    agreed(driver, answer);
    driver_shows(driver, "the team's store cannot be reached. Nothing was sent.");
    assert_int_equal(driver->writes, 0);
}

static void one_is_refused_with_a_reason_and_withdrawn_by_two_keys(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    driver_forget(driver);
    driver_keys(driver, "x 'not ours' Enter");
    assert_int_equal(asked(driver)->state, PROPOSAL_REFUSED);
    assert_string_equal(asked(driver)->reason, "not ours");
    struct proposal now = refused(FIRST);
    agreed(driver, answer_with(PROPOSAL_DECIDE, &now, 1));
    driver_forget(driver);
    driver_try(driver, "j W", "W again withdraws it");
    assert_null(asked(driver));
    driver_keys(driver, "k W j W");
    assert_null(asked(driver));
    driver_key(driver, "W");
    assert_int_equal(asked(driver)->state, PROPOSAL_WITHDRAWN);
}

/* The list that is read every few seconds has another one at its head. */
static void read_anew(struct driver *driver) {
    const struct proposal all[] = {waiting("0a0a0a0a0a0a", NULL), waiting(FIRST, "86ffb8535453"), refused(THIRD)};
    agreed(driver, answer_with(PROPOSAL_LIST, all, COUNT_OF(all)));
}

static void what_was_chosen_is_decided_though_the_list_was_replaced(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, false);
    driver_keys(driver, "r x 'not'");
    read_anew(driver);
    driver_shows(driver, "1a2b3c4d refused, because not");
    driver_keys(driver, "' ours' Enter");
    assert_int_equal(asked(driver)->state, PROPOSAL_REFUSED);
    assert_string_equal(asked(driver)->id, FIRST);
    struct proposal now = refused(FIRST);
    agreed(driver, answer_with(PROPOSAL_DECIDE, &now, 1));
    driver_keys(driver, "W");
    read_anew(driver);
    driver_key(driver, "W");
    assert_null(asked(driver));
    driver_key(driver, "W");
    assert_int_equal(asked(driver)->state, PROPOSAL_WITHDRAWN);
    assert_string_equal(asked(driver)->id, FIRST);
}

static void read_only_looks_and_decides_nothing(void **state) {
    struct driver *driver = driver_begin(state);
    open_list(driver, true);
    driver_forget(driver);
    driver_try(driver, "Enter", "it can look, and decides nothing");
    driver_keys(driver, "x 'no' Enter W W");
    assert_null(asked(driver));
    assert_int_equal(driver->writes, 0);
}

static void without_a_team_there_is_nothing_to_propose(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_profile(driver, profile_new("acme-eu", "production", "https://api.example.com"), 24, 80);
    assert_null(asked(driver));
    driver_try(driver, "3 P", "the profile has no team");
    assert_null(asked(driver));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(what_waits_is_counted_in_the_title_and_listed),
        DRIVER_TEST(a_release_without_the_secret_sends_nothing),
        DRIVER_TEST(what_was_left_is_not_what_the_form_confirms),
        DRIVER_TEST(after_a_release_that_failed_signing_is_chosen_anew),
        DRIVER_TEST(the_release_of_an_unsigned_one_is_the_confirmation),
        DRIVER_TEST(what_is_stopped_while_the_store_is_asked_is_not_sent),
        DRIVER_TEST(a_released_one_is_sent_with_its_secret),
        DRIVER_TEST(the_form_proposes_and_sends_nothing),
        DRIVER_TEST(a_store_that_is_away_is_said_and_the_form_stays),
        DRIVER_TEST(one_is_refused_with_a_reason_and_withdrawn_by_two_keys),
        DRIVER_TEST(what_was_chosen_is_decided_though_the_list_was_replaced),
        DRIVER_TEST(read_only_looks_and_decides_nothing),
        DRIVER_TEST(without_a_team_there_is_nothing_to_propose),
    };
    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
