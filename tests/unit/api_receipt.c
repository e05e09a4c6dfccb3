#include "api/api.h"
#include "api_profile.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOW INT64_C(1767323045678)

static struct api_receipt judged;

/* Valid until the next. */
static const struct api_receipt *judge(enum api_operation operation, int status, const char *body, const char *header) {
    struct reply reply;
    api_receipt_clear(&judged);
    reply_init(&reply);
    reply.status = status;
    reply.sent = true;
    reply.body = mem_dup(body);
    reply.body_len = strlen(body);
    if (header)
        headers_add(&reply.headers, header, "true");
    api_write_answer(profile_with("sandbox", ""), operation, &reply, NOW, &judged);
    reply_clear(&reply);
    assert_non_null(judged.line);
    return &judged;
}

static void expect(enum api_operation operation, int status, const char *body, enum api_outcome outcome, enum err err) {
    const struct api_receipt *receipt = judge(operation, status, body, NULL);
    if (receipt->outcome != outcome || receipt->code != err)
        fail_msg("%d %s gave outcome %d, code %d: %s", status, body, (int)receipt->outcome, (int)receipt->code,
                 receipt->line);
}

static void e8_any_2xx_with_an_object_or_nothing_is_done(void **state) {
    (void)state;
    static const int statuses[] = {200, 201, 202, 204, 299};
    for (size_t i = 0; i < 5; i++) {
        expect(API_CREATE_USER, statuses[i], "{\"id\":\"u\"}", API_DONE, ERR_OK);
        expect(API_CREATE_USER, statuses[i], "{}", API_DONE, ERR_OK);
        expect(API_CREATE_USER, statuses[i], " \n", API_DONE, ERR_OK);
        expect(API_REGISTER_WEBHOOK, statuses[i], "{\"url\":\"https://a.example\"}", API_DONE, ERR_OK);
    }
}

static void e8_the_id_is_given_or_its_lack_is_said(void **state) {
    (void)state;
    const struct api_receipt *receipt = judge(API_CREATE_USER, 201, "{\"id\":\"u_1\"}", NULL);
    assert_string_equal(receipt->id, "u_1");
    assert_string_equal(receipt->line, "201: accepted, id u_1");
    receipt = judge(API_CREATE_USER, 202, "", NULL);
    assert_null(receipt->id);
    assert_string_equal(receipt->line, "202: accepted, but no id returned");
}

static void f16_an_id_of_blanks_and_invisible_signs_is_none(void **state) {
    (void)state;
    static const char *const IDS[] = {" ", "\\t", "\xC2\xA0", "\\u200b", "\\ufeff \\u3000", "\xE2\x80\x83\\n"};
    for (size_t i = 0; i < COUNT_OF(IDS); i++) {
        char body[64];
        (void)snprintf(body, sizeof body, "{\"id\":\"%s\"}", IDS[i]);
        const struct api_receipt *receipt = judge(API_CREATE_USER, 201, body, NULL);
        assert_null(receipt->id);
        assert_string_equal(receipt->line, "201: accepted, but no id returned");
    }
    assert_string_equal(judge(API_CREATE_USER, 201, "{\"id\":\" u\\u200b\"}", NULL)->id, " u<200B>");
}

static void g4_201_is_registered_and_200_replaced(void **state) {
    (void)state;
    const struct api_receipt *receipt = judge(API_REGISTER_WEBHOOK, 201, "{\"url\":\"https://a.example/h\"}", NULL);
    assert_true(receipt->created);
    assert_string_equal(receipt->id, "https://a.example/h");
    assert_string_equal(receipt->line, "201: registered, url https://a.example/h");
    receipt = judge(API_REGISTER_WEBHOOK, 200, "{\"url\":\"https://a.example/h\"}", NULL);
    assert_false(receipt->created);
    assert_string_equal(receipt->line, "200: the registration before it was replaced, url https://a.example/h");
}

static void c5_a_2xx_that_is_no_answer_is_unknown(void **state) {
    (void)state;
    static const char *const bodies[] = {"<html>",
                                         "ok",
                                         "[]",
                                         "\"u\"",
                                         "null",
                                         "{\"id\":\"u\"",
                                         "{\"error\":{\"message\":\"x\"}}",
                                         "{\"message\":\"failed\"}"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        expect(API_CREATE_USER, 200, bodies[i], API_UNKNOWN, ERR_UNKNOWN);
        expect(API_REGISTER_WEBHOOK, 201, bodies[i], API_UNKNOWN, ERR_UNKNOWN);
    }
    expect(API_CREATE_USER, 200, "{\"id\":\"u\",\"message\":\"welcome\"}", API_DONE, ERR_OK);
}

/* What a service says of its own failure, in the many ways of saying it: never done, with or without a name for what it
 * made, since the id may be that of the error and the url is the one that was sent. */
static void f28_a_write_whose_answer_says_that_it_failed_is_never_done(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "{\"success\":false}",
        "{\"success\":\"false\"}",
        "{\"success\":0}",
        "{\"Success\":false}",
        "{\"isSuccess\":false}",
        "{\"ok\":false}",
        "{\"ok\":\"no\"}",
        "{\"status\":\"failed\"}",
        "{\"status\":\"error\"}",
        "{\"Status\":\"ERROR\"}",
        "{\"status\":\"VALIDATION_ERROR\"}",
        "{\"status\":422}",
        "{\"status\":\"503\"}",
        "{\"statusCode\":400}",
        "{\"status\":false}",
        "{\"result\":\"failure\"}",
        "{\"result\":\"KO\"}",
        "{\"outcome\":\"fail\"}",
        "{\"state\":\"failed\"}",
        "{\"code\":500}",
        "{\"error\":true}",
        "{\"error\":{\"code\":7}}",
        "{\"error\":{\"kind\":\"quota\"}}",
        "{\"error\":[\"x\"]}",
        "{\"errors\":[{\"message\":\"x\"}]}",
        "{\"errors\":[{}]}",
        "{\"errors\":{\"email\":[\"is taken\"]}}",
        "{\"errors\":3}",
        "{\"Errors\":[\"x\"]}",
        "{\"error_code\":1042}",
        "{\"errorCode\":\"E17\"}",
        "{\"errorMessage\":\"x\"}",
        "{\"hasError\":true}",
        "{\"has_errors\":\"true\"}",
        "{\"failed\":true}",
        "{\"failures\":[\"x\"]}",
        "{\"violations\":[{\"field\":\"email\"}]}",
        "{\"fieldErrors\":{\"email\":\"bad\"}}",
        "{\"meta\":{\"success\":false}}",
        "{\"meta\":{\"code\":400}}",
        "{\"status\":{\"code\":403}}",
        "{\"data\":{\"error\":\"no access\"}}",
        "{\"response\":{\"result\":{\"status\":\"error\"}}}",
        "{\"results\":[{\"status\":\"failed\"}]}",
        "{\"type\":\"error\"}",
        "{\"success\":false,\"message\":\"half a pair \\ud800\"}",
        "{\"success\":false,\"message\":\"nul \\u0000\"}",
        "{\"success\":false,\"message\":\"latin \xE9\"}",
        "{\"success\":false,\"success\":true}",
        "{\"success\":true,\"success\":false}",
    };
    for (size_t i = 0; i < COUNT_OF(bodies); i++)
        for (int named = 0; named < 2; named++) {
            struct str body;
            str_init(&body, 500);
            str_addf(&body, "{%s%s", named ? "\"id\":\"u\",\"url\":\"https://a.example\"," : "", bodies[i] + 1);
            for (int status = 200; status < 203; status++) {
                expect(API_CREATE_USER, status, body.s, API_UNKNOWN, ERR_UNKNOWN);
                expect(API_REGISTER_WEBHOOK, status, body.s, API_UNKNOWN, ERR_UNKNOWN);
            }
            str_clear(&body);
        }
}

/* Words that are a state of what was made where the answer names it, and a refusal where it does not. */
static void f28_a_word_of_refusal_is_a_state_only_of_what_has_an_id(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "{\"status\":\"rejected\"}",  "{\"status\":\"denied\"}",    "{\"result\":\"invalid\"}",
        "{\"status\":\"declined\"}",  "{\"status\":\"timed out\"}", "{\"created\":false}",
        "{\"status\":\"not_found\"}", "{\"partial\":true}",         "{\"status\":\"incomplete\"}",
    };
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        struct str body;
        str_init(&body, 500);
        expect(API_CREATE_USER, 200, bodies[i], API_UNKNOWN, ERR_UNKNOWN);
        expect(API_REGISTER_WEBHOOK, 200, bodies[i], API_UNKNOWN, ERR_UNKNOWN);
        str_addf(&body, "{\"id\":\"u\",\"url\":\"https://a.example\",%s", bodies[i] + 1);
        expect(API_CREATE_USER, 200, body.s, API_DONE, ERR_OK);
        expect(API_REGISTER_WEBHOOK, 200, body.s, API_UNKNOWN, ERR_UNKNOWN);
        str_clear(&body);
    }
}

static void f28_an_answer_that_says_all_is_well_is_done(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "{\"success\":true}",
        "{\"success\":1,\"error\":null,\"errors\":[]}",
        "{\"status\":\"ok\",\"error\":\"\"}",
        "{\"status\":\"created\",\"error\":\"none\"}",
        "{\"status\":201,\"error\":false}",
        "{\"errors\":{}}",
        "{\"errors\":0,\"failed\":0}",
        "{\"status\":\"pending\"}",
        "{\"state\":\"active\",\"hasErrors\":false}",
        "{\"data\":{\"id\":\"u\",\"type\":\"user\"}}",
        "{\"result\":{\"status\":\"ok\"}}",
    };
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        expect(API_CREATE_USER, 201, bodies[i], API_DONE, ERR_OK);
        expect(API_REGISTER_WEBHOOK, 201, bodies[i], API_DONE, ERR_OK);
    }
    expect(API_CREATE_USER, 201, "{\"id\":\"u\",\"errorCode\":0,\"errorMessage\":\"success\"}", API_DONE, ERR_OK);
    expect(API_CREATE_USER, 201, "{\"id\":\"u\",\"note\":\"latin \xE9 \\ud800\"}", API_DONE, ERR_OK);
}

static void f28_the_words_name_what_is_known(void **state) {
    (void)state;
    const struct api_receipt *receipt = judge(API_CREATE_USER, 201, "{\"success\":false}", NULL);
    assert_string_equal(receipt->line,
                        "201: accepted, but the answer says that it failed. Outcome: not known whether it was done");
    receipt = judge(API_CREATE_USER, 201, "{\"id\":\"u_1\",\"success\":false,\"message\":\"quota\"}", NULL);
    assert_string_equal(receipt->line, "201: accepted, but with an error inside, and with id u_1. It says: quota. "
                                       "Outcome: not known whether it was done");
    receipt =
        judge(API_CREATE_USER, 200, "{\"data\":{\"error\":{\"message\":\"no access\",\"field\":\"email\"}}}", NULL);
    assert_string_equal(receipt->line, "200: accepted, but with an error inside. It says: no access at email. "
                                       "Outcome: not known whether it was done");
    receipt = judge(API_CREATE_USER, 200, "{\"message\":\"hello\"}", NULL);
    assert_string_equal(receipt->line,
                        "200: accepted, but with a text that may be an error and without an id. It says: "
                        "hello. Outcome: not known whether it was done");
    receipt = judge(API_CREATE_USER, 200, "{\"id\":\"a\",\"id\":\"b\"}", NULL);
    assert_string_equal(receipt->line, "200: accepted, but the answer names a member twice. "
                                       "Outcome: not known whether it was done");
}

static void a_redirect_is_refused(void **state) {
    (void)state;
    static const int statuses[] = {300, 301, 302, 303, 304, 307, 308};
    for (size_t i = 0; i < 7; i++)
        expect(API_REGISTER_WEBHOOK, statuses[i], "", API_REFUSED, ERR_REDIRECT);
}

static void other_4xx_are_refused_and_409_and_408_are_unknown(void **state) {
    (void)state;
    expect(API_CREATE_USER, 400, "{}", API_REFUSED, ERR_REFUSED);
    expect(API_CREATE_USER, 401, "", API_REFUSED, ERR_UNAUTHORISED);
    expect(API_CREATE_USER, 403, "", API_REFUSED, ERR_FORBIDDEN);
    expect(API_CREATE_USER, 404, "", API_REFUSED, ERR_NOT_FOUND);
    expect(API_CREATE_USER, 422, "<html>", API_REFUSED, ERR_REFUSED);
    expect(API_CREATE_USER, 429, "", API_REFUSED, ERR_THROTTLED);
    expect(API_CREATE_USER, 408, "", API_UNKNOWN, ERR_UNKNOWN);
    expect(API_CREATE_USER, 409, "{\"id\":\"u\"}", API_UNKNOWN, ERR_UNKNOWN);
}

static void e5_409_shows_the_services_text(void **state) {
    (void)state;
    const struct api_receipt *receipt = judge(API_CREATE_USER, 409, "{\"message\":\"still running\"}", NULL);
    assert_string_equal(receipt->line, "409: it exists already, is still running, or its key was used before. It says: "
                                       "still running. Outcome: not known whether it was done");
    assert_null(receipt->id);
}

static void server_failures_and_odd_statuses_are_unknown(void **state) {
    (void)state;
    static const int statuses[] = {0, 100, 199, 500, 502, 503, 504, 599, 600, 999};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        expect(API_CREATE_USER, statuses[i], "{\"id\":\"u\"}", API_UNKNOWN, ERR_UNKNOWN);
}

static void e1_a_lost_answer_is_unknown_once_a_byte_has_left(void **state) {
    (void)state;
    static const enum err failures[] = {ERR_TIMEOUT, ERR_NETWORK, ERR_CANCELLED, ERR_LIMIT, ERR_TLS, ERR_RESOLVE};
    for (size_t i = 0; i < 2 * sizeof failures / sizeof *failures; i++) {
        struct reply reply;
        struct api_receipt receipt;
        reply_init(&reply);
        reply.sent = i % 2;
        error_set(&reply.failure, failures[i / 2], "it broke");
        api_write_answer(profile_with("sandbox", ""), API_CREATE_USER, &reply, NOW, &receipt);
        assert_int_equal(receipt.outcome, reply.sent ? API_UNKNOWN : API_NOT_SENT);
        assert_int_equal(receipt.code, reply.sent ? ERR_UNKNOWN : failures[i / 2]);
        assert_string_equal(receipt.line, reply.sent ? "it broke. Outcome: not known whether it was done"
                                                     : "it broke. Outcome: nothing was sent");
        api_receipt_clear(&receipt);
        reply_clear(&reply);
    }
}

static void e6_a_replayed_answer_says_so(void **state) {
    (void)state;
    static const char *const names[] = {"Idempotent-Replayed", "idempotency-replayed"};
    for (size_t i = 0; i < 2; i++) {
        const struct api_receipt *receipt = judge(API_CREATE_USER, 200, "{\"id\":\"u\"}", names[i]);
        assert_true(receipt->replayed);
        assert_string_equal(receipt->line, "200: created earlier, by an attempt before this one, id u");
    }
}

static void variation_d6_a_throttled_write_is_refused_with_its_time(void **state) {
    (void)state;
    struct reply reply;
    struct api_receipt receipt;
    reply_init(&reply);
    reply.status = 429;
    reply.sent = true;
    headers_add(&reply.headers, "Retry-After", "30");
    api_write_answer(profile_with("sandbox", ""), API_CREATE_USER, &reply, NOW, &receipt);
    assert_int_equal(receipt.outcome, API_REFUSED);
    assert_true(receipt.retry_at == NOW + 30000);
    assert_string_equal(receipt.line,
                        "429: too many requests, the service asks to wait. Ask again in 30 s. Outcome: not done");
    api_receipt_clear(&receipt);
    reply_clear(&reply);
}

static int tear_down(void **state) {
    api_receipt_clear(&judged);
    return profile_teardown(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c5_a_2xx_that_is_no_answer_is_unknown),
        cmocka_unit_test(variation_d6_a_throttled_write_is_refused_with_its_time),
        cmocka_unit_test(e1_a_lost_answer_is_unknown_once_a_byte_has_left),
        cmocka_unit_test(e5_409_shows_the_services_text),
        cmocka_unit_test(e6_a_replayed_answer_says_so),
        cmocka_unit_test(e8_any_2xx_with_an_object_or_nothing_is_done),
        cmocka_unit_test(e8_the_id_is_given_or_its_lack_is_said),
        cmocka_unit_test(f16_an_id_of_blanks_and_invisible_signs_is_none),
        cmocka_unit_test(g4_201_is_registered_and_200_replaced),
        cmocka_unit_test(f28_a_write_whose_answer_says_that_it_failed_is_never_done),
        cmocka_unit_test(f28_a_word_of_refusal_is_a_state_only_of_what_has_an_id),
        cmocka_unit_test(f28_an_answer_that_says_all_is_well_is_done),
        cmocka_unit_test(f28_the_words_name_what_is_known),
        cmocka_unit_test(a_redirect_is_refused),
        cmocka_unit_test(other_4xx_are_refused_and_409_and_408_are_unknown),
        cmocka_unit_test(server_failures_and_odd_statuses_are_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
