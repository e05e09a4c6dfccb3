/* Registering the webhook's endpoint: events in, state and effects out. No I/O. */
#include "app/webhook.h"
#include "base/mem.h"
#include "support/effects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char URL[] = "https://hook.example.com/in";
static const char SECRET[] = "MARK-0123456789-abcdefghijklmnopqrstuvwxyz";

struct fixture {
    struct profile *profile;
    struct webhook webhook;
    struct effects effects;
};

static int begin(void **state, const char *environment) {
    struct fixture *f = mem_new(sizeof *f);
    f->profile = profile_new("test", environment, "https://api.example.com");
    f->profile->read_only = false;
    webhook_init(&f->webhook, f->profile);
    *state = f;
    return 0;
}

static int setup(void **state) {
    return begin(state, "sandbox");
}

static int setup_production(void **state) {
    return begin(state, "production");
}

static int teardown(void **state) {
    struct fixture *f = *state;
    webhook_clear(&f->webhook);
    effects_clear(&f->effects);
    profile_free(f->profile);
    free(f);
    return 0;
}

static const struct effect *last(const struct fixture *f, enum effect_kind kind) {
    const struct effect *effect = effects_last(&f->effects, kind);
    assert_non_null(effect);
    return effect;
}

static void update(struct fixture *f, struct event *event) {
    assert_true(webhook_update(&f->webhook, event, &f->effects));
    payload_clear(&event->payload);
}

static struct webhook_answer *answer_of(enum webhook_task task, const char *fingerprint) {
    struct webhook_answer *answer = webhook_answer_new(task);
    answer->fingerprint = mem_dup(fingerprint);
    return answer;
}

static void answer(struct fixture *f, struct webhook_answer *given) {
    struct event event = {
        .kind = EVENT_WEBHOOK, .ticket = last(f, EFFECT_WEBHOOK)->ticket, .payload = payload_of(webhook_answer, given)};
    update(f, &event);
}

/* What the journal knows: a registration with a fingerprint, or NULL for unsigned. */
static void know(struct fixture *f, const char *url, const char *fingerprint) {
    struct webhook_answer *given = webhook_answer_new(WEBHOOK_KNOWN);
    webhook_load(&f->webhook, &f->effects);
    if (url) {
        struct outcome_record *record = vec_add(&given->last);
        *record = (struct outcome_record){.n = 4,
                                          .who = "anna",
                                          .url = url,
                                          .fingerprint = fingerprint,
                                          .last = {.outcome = OUTCOME_DONE, .status = 201}};
    }
    answer(f, given);
}

/* The last one was answered with this status. */
static void know_answered(struct fixture *f, const char *url, const char *fingerprint, int status) {
    know(f, url, fingerprint);
    f->webhook.known->last.items[0].last.status = status;
}

static void give(struct fixture *f) {
    assert_true(webhook_give(&f->webhook, SECRET, strlen(SECRET), &f->effects));
    assert_int_equal(f->webhook.stage, WEBHOOK_WORKING);
    answer(f, answer_of(WEBHOOK_PRINT, "0123456789ab"));
}

static void written(struct fixture *f, enum api_outcome outcome, int status, const char *url) {
    struct event event = {.kind = EVENT_WRITE,
                          .ticket = last(f, EFFECT_WRITE)->ticket,
                          .payload = payload_of(write_result, write_result_new())};
    event_get(&event, write_result)->n = 9;
    event_get(&event, write_result)->status = status;
    event_get(&event, write_result)->receipt.outcome = outcome;
    event_get(&event, write_result)->receipt.created = status == 201;
    event_get(&event, write_result)->receipt.id = mem_dup(url);
    event_get(&event, write_result)->receipt.line = mem_dup("said by the service");
    update(f, &event);
}

static void send(struct fixture *f) {
    assert_true(webhook_review(&f->webhook, false));
    assert_true(webhook_confirm(&f->webhook, webhook_word(&f->webhook), &f->effects));
}

static char *told(const struct fixture *f, void (*tell)(const struct webhook *, struct str *)) {
    struct str text;
    str_init(&text, 64 << 10);
    tell(&f->webhook, &text);
    return str_take(&text);
}

static void expect_told(const struct fixture *f, void (*tell)(const struct webhook *, struct str *), const char *part) {
    char *text = told(f, tell);
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %s", part, text);
    free(text);
}

/* ---- The guard ---- */

static void a_url_alone_is_never_sent(void **state) {
    struct fixture *f = *state;
    know(f, "https://old.example.com/", "0123456789ab");
    webhook_set_url(&f->webhook, URL);
    assert_false(webhook_review(&f->webhook, false));
    assert_non_null(strstr(f->webhook.error.text, "signing is not chosen"));
    assert_false(webhook_confirm(&f->webhook, "", &f->effects));
    assert_int_equal(effects_count(&f->effects, EFFECT_WRITE), 0);
}

/* Registered signed, then only the URL is changed. */
static void after_a_signed_registration_signing_is_chosen_anew(void **state) {
    struct fixture *f = *state;
    know(f, NULL, NULL);
    webhook_set_url(&f->webhook, URL);
    give(f);
    send(f);
    assert_non_null(strstr(effect_get(last(f, EFFECT_WRITE), write_ask)->body, SECRET));
    written(f, API_DONE, 201, URL);
    assert_null(f->webhook.secret);
    webhook_back(&f->webhook);
    know(f, URL, "0123456789ab");
    webhook_set_url(&f->webhook, "https://hook.example.com/other");
    assert_false(webhook_review(&f->webhook, false));
    assert_int_equal(effects_count(&f->effects, EFFECT_WRITE), 1);
    assert_true(webhook_unsigned(&f->webhook, "unsigned"));
    assert_true(webhook_review(&f->webhook, false));
    expect_told(f, webhook_tell_difference, "This switches signing OFF.");
    assert_true(webhook_confirm(&f->webhook, "", &f->effects));
    assert_string_equal(effect_get(last(f, EFFECT_WRITE), write_ask)->body,
                        "{\"url\":\"https://hook.example.com/other\"}");
}

static void only_the_word_itself_is_unsigned(void **state) {
    struct fixture *f = *state;
    static const char *const words[] = {"", "Unsigned", "unsigned ", "yes", "none", NULL};
    webhook_set_url(&f->webhook, URL);
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        assert_false(webhook_unsigned(&f->webhook, words[i]));
        assert_int_equal(f->webhook.signing, WEBHOOK_NOT_CHOSEN);
    }
    assert_true(webhook_unsigned(&f->webhook, "unsigned"));
}

/* Faults W7. */
static void a_weak_or_wrong_secret_is_no_choice(void **state) {
    struct fixture *f = *state;
    char long_one[WEBHOOK_SECRET_MAX + 2];
    memset(long_one, 'x', sizeof long_one);
    for (size_t i = 0; i < sizeof long_one; i += 7)
        long_one[i] = (char)('a' + i % 26);
    const struct {
        const char *text;
        size_t len;
        bool ok;
    } rows[] = {
        {"", 0, false},
        {SECRET, 31, false},
        {SECRET, 32, true},
        {long_one, WEBHOOK_SECRET_MAX, true},
        {long_one, WEBHOOK_SECRET_MAX + 1, false},
        {"0123456789abcdef0123456789abcdef\n", 33, false},
        {"0123456789abcdef 0123456789abcde", 32, false},
        {"0123456789abcdef0123456789abcd\xc3\xa9", 32, false},
        {"v1,0123456789abcdef0123456789abcdef", 35, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool taken = webhook_give(&f->webhook, rows[i].text, rows[i].len, &f->effects);
        assert_int_equal(taken, rows[i].ok);
        if (taken) {
            answer(f, answer_of(WEBHOOK_PRINT, "0123456789ab"));
            assert_int_equal(f->webhook.signing, WEBHOOK_GIVEN);
        } else {
            assert_int_equal(f->webhook.signing, WEBHOOK_NOT_CHOSEN);
            assert_null(f->webhook.secret);
            assert_null(strstr(f->webhook.error.text, "0123456789"));
        }
    }
}

static void a_secret_that_could_not_be_saved_is_no_choice(void **state) {
    struct fixture *f = *state;
    webhook_set_url(&f->webhook, URL);
    webhook_generate(&f->webhook, WEBHOOK_FORMAT_HEX, "there-already", &f->effects);
    const struct webhook_ask *ask = effect_get(last(f, EFFECT_WEBHOOK), webhook_ask);
    assert_int_equal(ask->format, WEBHOOK_FORMAT_HEX);
    assert_string_equal(ask->path, "there-already");
    struct webhook_answer *given = answer_of(WEBHOOK_MAKE, "0123456789ab");
    given->secret = mem_dup(SECRET);
    (void)!error_set(&given->error, ERR_FILE, "it is there already");
    answer(f, given);
    assert_int_equal(f->webhook.signing, WEBHOOK_NOT_CHOSEN);
    assert_null(f->webhook.secret);
    assert_false(webhook_review(&f->webhook, false));
}

static void read_only_reviews_nothing(void **state) {
    struct fixture *f = *state;
    webhook_set_url(&f->webhook, URL);
    assert_true(webhook_unsigned(&f->webhook, "unsigned"));
    assert_false(webhook_review(&f->webhook, true));
    assert_int_equal(f->webhook.error.code, ERR_READ_ONLY);
}

static void local_addresses_are_for_sandboxes(void **state) {
    struct fixture *f = *state;
    assert_true(webhook_unsigned(&f->webhook, "unsigned"));
    webhook_set_url(&f->webhook, "https://127.0.0.1:8443/hook");
    assert_int_equal(webhook_review(&f->webhook, false), profile_is_sandbox(f->profile));
}

/* ---- Sending ---- */

static void production_wants_its_word(void **state) {
    struct fixture *f = *state;
    static const char *const words[] = {"", "prod", "Production", "production "};
    webhook_set_url(&f->webhook, URL);
    assert_true(webhook_unsigned(&f->webhook, "unsigned"));
    assert_true(webhook_review(&f->webhook, false));
    for (size_t i = 0; i < COUNT_OF(words); i++)
        assert_false(webhook_confirm(&f->webhook, words[i], &f->effects));
    assert_int_equal(effects_count(&f->effects, EFFECT_WRITE), 0);
    assert_true(webhook_confirm(&f->webhook, "production", &f->effects));
    assert_int_equal(effects_count(&f->effects, EFFECT_WRITE), 1);
}

static void many_confirmations_are_one_write(void **state) {
    struct fixture *f = *state;
    webhook_set_url(&f->webhook, URL);
    assert_true(webhook_unsigned(&f->webhook, "unsigned"));
    assert_true(webhook_review(&f->webhook, false));
    for (int i = 0; i < 500; i++)
        (void)webhook_confirm(&f->webhook, "", &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_WRITE), 1);
    webhook_set_url(&f->webhook, "https://changed.example.com/");
    assert_string_equal(f->webhook.url, URL);
}

static void an_unknown_outcome_is_repeated_as_it_was(void **state) {
    struct fixture *f = *state;
    webhook_set_url(&f->webhook, URL);
    give(f);
    send(f);
    char *body = mem_dup(effect_get(last(f, EFFECT_WRITE), write_ask)->body);
    written(f, API_UNKNOWN, 0, NULL);
    expect_told(f, webhook_tell_receipt, "very same again is safe");
    assert_int_equal(effects_count(&f->effects, EFFECT_WRITE), 1); /* nothing by itself */
    assert_true(webhook_again(&f->webhook));
    expect_told(f, webhook_tell_difference, "This repeats record 9");
    assert_true(webhook_confirm(&f->webhook, "", &f->effects));
    assert_string_equal(effect_get(last(f, EFFECT_WRITE), write_ask)->body, body);
    assert_int_equal(effect_get(last(f, EFFECT_WRITE), write_ask)->repeats, 9);
    free(body);
    written(f, API_DONE, 200, URL);
    assert_false(webhook_again(&f->webhook));
    assert_null(f->webhook.secret);
}

/* What the journal knows after a registration without a known outcome: signed with that secret, or unsigned. */
static void know_unknown(struct fixture *f, const char *fingerprint) {
    struct webhook_answer *given = webhook_answer_new(WEBHOOK_KNOWN);
    given->unknown_since = 9;
    given->unknown_ended = true;
    given->unknown_url = mem_dup(URL);
    given->unknown_fingerprint = mem_dup(fingerprint);
    answer(f, given);
}

static void the_same_typed_anew_repeats_the_unknown_one(void **state) {
    struct fixture *f = *state;
    webhook_load(&f->webhook, &f->effects);
    know_unknown(f, "0123456789ab");
    webhook_set_url(&f->webhook, URL);
    give(f);
    assert_true(webhook_review(&f->webhook, false));
    expect_told(f, webhook_tell_difference, "This repeats record 9");
    assert_true(webhook_confirm(&f->webhook, "", &f->effects));
    assert_int_equal(effect_get(last(f, EFFECT_WRITE), write_ask)->repeats, 9);
    written(f, API_UNKNOWN, 500, NULL);
    know_unknown(f, "0123456789ab");
    webhook_back(&f->webhook);
    assert_true(webhook_review(&f->webhook, false));
    expect_told(f, webhook_tell_difference, "This repeats record 9");
}

static void another_url_or_signing_repeats_nothing(void **state) {
    struct fixture *f = *state;
    webhook_load(&f->webhook, &f->effects);
    know_unknown(f, NULL);
    webhook_set_url(&f->webhook, URL);
    assert_int_equal(webhook_repeats(&f->webhook), 0); /* signing is not chosen */
    assert_true(webhook_unsigned(&f->webhook, "unsigned"));
    assert_int_equal(webhook_repeats(&f->webhook), 9);
    give(f);
    assert_int_equal(webhook_repeats(&f->webhook), 0);
    assert_true(webhook_unsigned(&f->webhook, "unsigned"));
    webhook_set_url(&f->webhook, "https://hook.example.com/other");
    send(f);
    assert_int_equal(effect_get(last(f, EFFECT_WRITE), write_ask)->repeats, 0);
}

static void a_refusal_keeps_what_was_typed(void **state) {
    struct fixture *f = *state;
    webhook_set_url(&f->webhook, URL);
    give(f);
    send(f);
    written(f, API_REFUSED, 422, NULL);
    assert_false(webhook_again(&f->webhook));
    webhook_back(&f->webhook);
    assert_string_equal(f->webhook.url, URL);
    assert_int_equal(f->webhook.signing, WEBHOOK_GIVEN);
    assert_true(webhook_review(&f->webhook, false));
}

/* ---- The receipt: what came against what the journal expected ---- */

static void the_receipt_says_what_was_expected(void **state) {
    struct fixture *f = *state;
    static const struct {
        const char *known;
        int status;
        const char *url, *says;
    } rows[] = {
        {NULL, 201, URL, "Registered: the service held none before."},
        {NULL, 200, URL, "Replaced a registration this console did not make."},
        {"https://old.example.com/", 200, URL, "Replaced the registration before it."},
        {"https://old.example.com/", 201, URL, "Registered anew: the service held no registration"},
        {NULL, 204, NULL, "neither 201 (registered) nor 200 (replaced)"},
        {NULL, 201, NULL, "The answer named no URL."},
        {NULL, 201, "https://hook.example.com/in/", "ATTENTION: the service answered with another URL"},
        {NULL, 200, "https://ok.example/\x1b]8;;https://evil.example\x1b\\x", "another URL: https://ok.example/"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        know(f, rows[i].known, NULL);
        webhook_set_url(&f->webhook, URL);
        assert_true(webhook_unsigned(&f->webhook, "unsigned"));
        send(f);
        written(f, API_DONE, rows[i].status, rows[i].url);
        expect_told(f, webhook_tell_receipt, rows[i].says);
        char *text = told(f, webhook_tell_receipt);
        assert_null(strchr(text, '\x1b'));
        free(text);
        webhook_back(&f->webhook);
        assert_int_equal(f->webhook.stage, WEBHOOK_FORM);
    }
}

static char *told_known(const struct webhook *webhook) {
    struct str text;
    str_init(&text, 64 << 10);
    webhook_tell_known(webhook, 86400000, &text);
    return str_take(&text);
}

static void f16_an_accepted_registration_may_be_in_force_or_not(void **state) {
    struct fixture *f = *state;
    static const int STATUSES[] = {202, 204};
    for (size_t i = 0; i < COUNT_OF(STATUSES); i++) {
        char words[64];
        know_answered(f, "https://old.example.com/", "0123456789ab", STATUSES[i]);
        (void)snprintf(words, sizeof words, "accepted (%d), whether it is in force is not known", STATUSES[i]);
        char *known = told_known(&f->webhook);
        assert_non_null(strstr(known, words));
        assert_null(strstr(known, "registered"));
        free(known);
        webhook_set_url(&f->webhook, URL);
        assert_true(webhook_unsigned(&f->webhook, "unsigned"));
        assert_true(webhook_review(&f->webhook, false));
        expect_told(f, webhook_tell_difference, words);
        expect_told(f, webhook_tell_difference, "URL then     not known; sent last: https://old.example.com/");
        expect_told(f, webhook_tell_difference, "signed then  not known; sent last: yes, fingerprint 0123456789ab");
        webhook_back(&f->webhook);
    }
}

/* What may be in force is neither said to be this console's nor not to be. */
static void f16_what_may_be_in_force_is_no_known_registration(void **state) {
    struct fixture *f = *state;
    static const struct {
        int before; /* its answer's status; 0: it was lost */
        int status;
        const char *says;
    } rows[] = {
        {202, 201, "Registered: the service held none before."},
        {204, 200, "Replaced a registration; whether this console made it is not known."},
        {0, 201, "Registered: the service held none before."},
        {0, 200, "Replaced a registration; whether this console made it is not known."},
        {202, 202, "Accepted with status 202; neither 201 (registered) nor 200 (replaced): whether it is in force"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (rows[i].before)
            know_answered(f, "https://old.example.com/", NULL, rows[i].before);
        else
            know(f, NULL, NULL);
        f->webhook.known->unknown_since = rows[i].before ? 0 : 3;
        webhook_set_url(&f->webhook, URL);
        assert_true(webhook_unsigned(&f->webhook, "unsigned"));
        send(f);
        written(f, API_DONE, rows[i].status, rows[i].status == 202 ? NULL : URL);
        expect_told(f, webhook_tell_receipt, rows[i].says);
        webhook_back(&f->webhook);
    }
}

static void two_profiles_with_one_secret_are_warned_of(void **state) {
    struct fixture *f = *state;
    webhook_set_url(&f->webhook, URL);
    assert_true(webhook_give(&f->webhook, SECRET, strlen(SECRET), &f->effects));
    struct webhook_answer *given = answer_of(WEBHOOK_PRINT, "0123456789ab");
    given->shared_with = mem_dup("other");
    answer(f, given);
    expect_told(f, webhook_tell_warnings, "profile other registered the same one");
    char *text = told(f, webhook_tell_difference);
    assert_null(strstr(text, SECRET));
    free(text);
}

static void looking_asks_the_journal_alone(void **state) {
    struct fixture *f = *state;
    webhook_load(&f->webhook, &f->effects);
    assert_int_equal(f->effects.n, 1);
    assert_int_equal(effects_count(&f->effects, EFFECT_WEBHOOK), 1);
    assert_int_equal(effect_get(&f->effects.items[0], webhook_ask)->task, WEBHOOK_KNOWN);
}

#define SANDBOX(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        SANDBOX(a_url_alone_is_never_sent),
        SANDBOX(after_a_signed_registration_signing_is_chosen_anew),
        SANDBOX(only_the_word_itself_is_unsigned),
        SANDBOX(a_weak_or_wrong_secret_is_no_choice),
        SANDBOX(a_secret_that_could_not_be_saved_is_no_choice),
        SANDBOX(read_only_reviews_nothing),
        SANDBOX(local_addresses_are_for_sandboxes),
        cmocka_unit_test_setup_teardown(local_addresses_are_for_sandboxes, setup_production, teardown),
        cmocka_unit_test_setup_teardown(production_wants_its_word, setup_production, teardown),
        SANDBOX(many_confirmations_are_one_write),
        SANDBOX(an_unknown_outcome_is_repeated_as_it_was),
        SANDBOX(the_same_typed_anew_repeats_the_unknown_one),
        SANDBOX(another_url_or_signing_repeats_nothing),
        SANDBOX(a_refusal_keeps_what_was_typed),
        SANDBOX(the_receipt_says_what_was_expected),
        SANDBOX(f16_an_accepted_registration_may_be_in_force_or_not),
        SANDBOX(f16_what_may_be_in_force_is_no_known_registration),
        SANDBOX(two_profiles_with_one_secret_are_warned_of),
        SANDBOX(looking_asks_the_journal_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
