/* Events of the service: what is read out of bodies of any shape, and what is stored and read again. */
#include "wire/arrival.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arrival *read_body(const char *body, const char *id) {
    struct arrival *arrival = arrival_new();
    struct headers headers = {0};
    headers_add(&headers, "Authorization", "Bearer SENTINEL");
    headers_add(&headers, "Content-Type", "application/json");
    if (id)
        headers_add(&headers, "Webhook-Id", id);
    arrival_take(arrival, "/hook\x1b[2J", &headers, body, strlen(body));
    wire_arrival_read(arrival);
    headers_clear(&headers);
    return arrival;
}

static void an_intent_is_found_in_the_usual_places(void **state) {
    (void)state;
    static const char *const BODIES[] = {
        "{\"id\":\"evt_1\",\"type\":\"k\",\"data\":{\"id\":\"int_1\",\"status\":\"approved\"}}",
        "{\"id\":\"evt_1\",\"event\":\"k\",\"data\":{\"object\":{\"id\":\"int_1\",\"status\":\"approved\"}}}",
        "{\"event_id\":\"evt_1\",\"event_type\":\"k\",\"payload\":{\"intent\":{\"id\":\"int_1\",\"status\":"
        "\"approved\"}}}",
        "{\"id\":\"evt_1\",\"kind\":\"k\",\"intent\":{\"id\":\"int_1\",\"status\":\"approved\"}}",
        "{\"id\":\"evt_1\",\"type\":\"k\",\"intent_id\":\"int_1\",\"status\":\"approved\"}",
        "{\"id\":\"evt_1\",\"type\":\"k\",\"data\":{\"intentId\":\"int_1\",\"status\":\"approved\"}}",
    };
    for (size_t i = 0; i < COUNT_OF(BODIES); i++) {
        struct arrival *arrival = read_body(BODIES[i], NULL);
        assert_true(arrival->readable);
        assert_string_equal(arrival->kind, "k");
        assert_string_equal(arrival->id, "evt_1");
        assert_string_equal(arrival->intent, "int_1");
        assert_string_equal(arrival->status, "approved");
        arrival_free(arrival);
    }
}

static void the_user_is_found_in_the_usual_places(void **state) {
    (void)state;
    static const char *const BODIES[] = {
        "{\"data\":{\"id\":\"int_1\",\"user_id\":\"u1\"}}",
        "{\"data\":{\"object\":{\"id\":\"int_1\",\"user\":{\"id\":\"u1\"}}}}",
        "{\"intent_id\":\"int_1\",\"userId\":\"u1\"}",
        "{\"intent_id\":\"int_1\",\"user\":\"u1\"}",
    };
    for (size_t i = 0; i < COUNT_OF(BODIES); i++) {
        struct arrival *arrival = read_body(BODIES[i], NULL);
        assert_string_equal(arrival->user, "u1");
        arrival_free(arrival);
    }
}

static void what_is_not_there_is_nothing(void **state) {
    (void)state;
    static const char *const BODIES[] = {"",
                                         "null",
                                         "[]",
                                         "{}",
                                         "{\"id\":1",
                                         "{\"data\":[]}",
                                         "{\"data\":{\"status\":\"approved\"}}",
                                         "\xff",
                                         "{\"id\":{},\"type\":[],\"data\":{\"id\":7}}"};
    for (size_t i = 0; i < COUNT_OF(BODIES); i++) {
        struct arrival *arrival = read_body(BODIES[i], NULL);
        assert_null(arrival->kind);
        assert_null(arrival->intent);
        assert_null(arrival->status);
        assert_true(arrival->time == CLOCK_NONE);
        arrival_free(arrival);
    }
}

static const char KEY[] = "0123456789012345678901234567890123456789";
static const char SENT[] = "1781524800"; /* when it is signed, in seconds */

/* Signed in a scheme, beside the headers of Standard Webhooks; then its id and time are read. age: it comes so many
 * seconds later. */
static struct arrival *read_signed(enum webhook_scheme scheme, const char *id, const char *body, int age) {
    struct arrival *arrival = arrival_new();
    struct headers headers = {0};
    struct str value;
    str_init(&value, 256);
    const struct webhook_message message = {id, SENT, body, strlen(body)};
    webhook_sign(scheme, KEY, strlen(KEY), &message, &value);
    headers_add(&headers, WEBHOOK_ID, id);
    headers_add(&headers, WEBHOOK_TIMESTAMP, SENT);
    headers_add(&headers, scheme == WEBHOOK_STANDARD ? WEBHOOK_STANDARD_SIGNATURE : WEBHOOK_SIGNATURE, value.s);
    arrival_take(arrival, "/", &headers, body, strlen(body));
    arrival_verify(arrival, KEY, strlen(KEY), (strtoll(SENT, NULL, 10) + age) * 1000);
    wire_arrival_read(arrival);
    headers_clear(&headers);
    str_clear(&value);
    return arrival;
}

static void headers_that_are_signed_tell_id_and_time(void **state) {
    (void)state;
    for (int age = 0; age <= 3600; age += 3600) {
        struct arrival *arrival = read_signed(WEBHOOK_STANDARD, "msg_1", "{\"id\":\"evt_1\"}", age);
        assert_int_equal(arrival->result, age ? WEBHOOK_STALE : WEBHOOK_VERIFIED);
        assert_string_equal(arrival->id, "msg_1");
        assert_int_equal(arrival->time, INT64_C(1781524800000));
        arrival_free(arrival);
    }
}

/* An event that is sent again under other headers is still the same event. */
static void headers_that_are_not_signed_tell_nothing(void **state) {
    (void)state;
    for (int scheme = 0; scheme < WEBHOOK_STANDARD; scheme++) {
        struct arrival *arrival = read_signed((enum webhook_scheme)scheme, "msg_1", "{\"id\":\"evt_1\"}", 0);
        assert_true(arrival_is_verified(arrival));
        assert_string_equal(arrival->id, "evt_1");
        assert_true(arrival->time == CLOCK_NONE);
        arrival_free(arrival);
    }
    struct arrival *unchecked = read_body("{\"id\":\"evt_1\"}", "msg_1");
    assert_string_equal(unchecked->id, "evt_1");
    arrival_free(unchecked);
}

static void a_long_id_ends_at_a_whole_letter(void **state) {
    (void)state;
    struct str id;
    str_init(&id, 1024);
    str_add(&id, "x");
    for (int i = 0; i < ARRIVAL_TEXT_MAX; i++)
        str_add(&id, "\xC3\xA4");
    struct arrival *arrival = read_signed(WEBHOOK_STANDARD, id.s, "{}", 0);
    assert_true(arrival_is_verified(arrival));
    assert_int_equal(strlen(arrival->id), ARRIVAL_TEXT_MAX - 1);
    assert_true(utf8_is_clean(arrival->id, strlen(arrival->id)));
    arrival_free(arrival);
    str_clear(&id);
}

static void times_are_read_in_every_form(void **state) {
    (void)state;
    static const char *const BODIES[] = {"{\"created_at\":\"2026-06-15T12:00:00Z\"}", "{\"timestamp\":1781524800}",
                                         "{\"created\":1781524800000}"};
    for (size_t i = 0; i < COUNT_OF(BODIES); i++) {
        struct arrival *arrival = read_body(BODIES[i], NULL);
        assert_int_equal(arrival->time, INT64_C(1781524800000));
        arrival_free(arrival);
    }
}

static void texts_are_clean_and_short_and_credentials_are_left_out(void **state) {
    (void)state;
    struct str body;
    str_init(&body, 4096);
    str_add(&body, "{\"type\":\"a\\u001b]0;b\\u0007\",\"id\":\"");
    str_add_repeat(&body, 'x', 2000);
    str_add(&body, "\"}");
    struct arrival *arrival = read_body(body.s, NULL);
    assert_string_equal(arrival->kind, "a<1B>]0;b<07>");
    assert_true(strlen(arrival->id) <= ARRIVAL_TEXT_MAX);
    assert_string_equal(arrival->path, "/hook<1B>[2J");
    assert_null(headers_find(&arrival->headers, "Authorization"));
    assert_non_null(headers_find(&arrival->headers, "Content-Type"));
    arrival_free(arrival);
    str_clear(&body);
}

/* A signature of this body, judged beside another one: what came. */
static enum webhook_result result_of(const char *signed_body, const char *came) {
    struct arrival *arrival = arrival_new();
    struct headers headers = {0};
    struct str value;
    str_init(&value, 256);
    const struct webhook_message message = {.body = signed_body, .body_len = strlen(signed_body)};
    webhook_sign(WEBHOOK_HMAC_HEX, KEY, strlen(KEY), &message, &value);
    headers_add(&headers, WEBHOOK_SIGNATURE, value.s);
    arrival_take(arrival, "/", &headers, came, strlen(came));
    arrival_verify(arrival, KEY, strlen(KEY), 0);
    enum webhook_result result = arrival->result;
    assert_true((arrival->why == NULL) == (result == WEBHOOK_VERIFIED));
    arrival_free(arrival);
    headers_clear(&headers);
    str_clear(&value);
    return result;
}

/* Each guess costs a reading of the whole body, on the one thread that takes what everybody sends. */
static void a_slip_is_looked_for_in_small_bodies_alone(void **state) {
    (void)state;
    struct str large, more;
    str_init(&large, ARRIVAL_BODY_MAX);
    str_init(&more, ARRIVAL_BODY_MAX);
    str_add_repeat(&large, 'x', 64 << 10);
    str_add(&more, large.s);
    str_add_char(&more, '\n');
    assert_int_equal(result_of("{}", "{}"), WEBHOOK_VERIFIED);
    assert_int_equal(result_of("{}", "{}\n"), WEBHOOK_SLIP);
    assert_int_equal(result_of(more.s, large.s), WEBHOOK_SLIP);
    assert_int_equal(result_of(large.s, more.s), WEBHOOK_MISMATCH);
    assert_int_equal(result_of(more.s, more.s), WEBHOOK_VERIFIED);
    str_clear(&large);
    str_clear(&more);
}

static void what_is_stored_is_read_again(void **state) {
    (void)state;
    static const char body[] =
        "{\"id\":\"evt_1\",\"type\":\"k\",\n\"data\":{\"id\":\"int_1\",\"status\":\"s\",\"user_id\":\"u1\"}}";
    struct arrival *from = read_body(body, NULL);
    struct arrival *to = arrival_new();
    struct str text;
    char *place = NULL;
    from->n = 7;
    from->at = INT64_C(1781524800123);
    from->answered = 401;
    from->again = 3;
    arrival_verify(from, KEY, strlen(KEY), from->at);
    assert_int_equal(from->result, WEBHOOK_NO_SIGNATURE);
    str_init(&text, WIRE_ARRIVAL_HEAD_MAX);
    wire_arrival_store(from, "https://a.example acme", &text);
    assert_string_equal(strchr(text.s, '\n') + 1, body);
    assert_int_equal(wire_arrival_load(text.s, text.len, to, &place, NULL), ERR_OK);
    assert_string_equal(place, "https://a.example acme");
    assert_string_equal(to->user, "u1");
    assert_int_equal(to->n, 7);
    assert_int_equal(to->at, from->at);
    assert_int_equal(to->answered, 401);
    assert_int_equal(to->again, 3);
    assert_int_equal(to->result, WEBHOOK_NO_SIGNATURE);
    assert_string_equal(to->why, from->why);
    assert_string_equal(to->intent, "int_1");
    assert_int_equal(to->headers.n, from->headers.n);
    assert_int_equal(to->body_len, sizeof body - 1);
    str_clear(&text);
    free(place);
    arrival_free(from);
    arrival_free(to);
}

static void a_damaged_line_is_refused_at_every_cut(void **state) {
    (void)state;
    struct arrival *from = read_body("{\"id\":\"evt_1\"}", NULL);
    struct str text;
    str_init(&text, WIRE_ARRIVAL_HEAD_MAX);
    wire_arrival_store(from, "place", &text);
    size_t line = (size_t)(strchr(text.s, '\n') - text.s);
    for (size_t len = 0; len <= line; len++) {
        struct arrival *to = arrival_new();
        char *place = NULL;
        assert_int_equal(wire_arrival_load(text.s, len, to, &place, NULL), ERR_FILE);
        assert_null(place);
        arrival_free(to);
    }
    str_clear(&text);
    arrival_free(from);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_intent_is_found_in_the_usual_places),
        cmocka_unit_test(the_user_is_found_in_the_usual_places),
        cmocka_unit_test(what_is_not_there_is_nothing),
        cmocka_unit_test(headers_that_are_signed_tell_id_and_time),
        cmocka_unit_test(headers_that_are_not_signed_tell_nothing),
        cmocka_unit_test(a_long_id_ends_at_a_whole_letter),
        cmocka_unit_test(times_are_read_in_every_form),
        cmocka_unit_test(texts_are_clean_and_short_and_credentials_are_left_out),
        cmocka_unit_test(a_slip_is_looked_for_in_small_bodies_alone),
        cmocka_unit_test(what_is_stored_is_read_again),
        cmocka_unit_test(a_damaged_line_is_refused_at_every_cut),
    };
    return cmocka_run_group_tests_name("wire arrival", tests, NULL, NULL);
}
