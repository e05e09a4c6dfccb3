/* What becomes known of a request at its end. */
#include "run/transfers/request_note.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void take(void *owner, const struct request_seen *seen) {
    snprintf(owner, 512, "%s %s %d %zu bytes %lld us %s", seen->method, seen->path, seen->status, seen->bytes,
             (long long)seen->took_us, err_name(seen->failure));
}

static void assert_noted(const char *url, struct probe_result *result, const char *expected) {
    char line[512] = "nothing";
    request_note_probe(&(struct request_noter){take, line}, url, result);
    assert_string_equal(line, expected);
    probe_result_clear(result);
}

static struct probe_result passed(enum probe_step step, enum probe_cause cause, int status) {
    struct probe_result result;
    probe_result_init(&result, step);
    result.pass.cause = cause;
    result.pass.status = status;
    result.pass.total_us = 1200;
    result.pass.body_len = 42;
    return result;
}

static void a_request_of_the_doctor_is_noted_with_its_origin(void **state) {
    (void)state;
    struct probe_result head = passed(PROBE_HEAD, PROBE_FINE, 204), post = passed(PROBE_POST, PROBE_CUT, 0),
                        get = passed(PROBE_HTTP_2, PROBE_CANCELLED, 0);
    assert_noted("https://hook.example.com/a", &head, "HEAD https://hook.example.com:443/a 204 42 bytes 1200 us ok");
    assert_noted("https://hook.example.com:8443/a", &post,
                 "POST https://hook.example.com:8443/a 0 42 bytes 1200 us network");
    assert_noted("https://hook.example.com/a", &get, "GET https://hook.example.com:443/a 0 42 bytes 1200 us cancelled");
}

static void what_may_be_secret_of_its_url_is_not(void **state) {
    (void)state;
    struct probe_result get = passed(PROBE_GET, PROBE_FINE, 200);
    assert_noted("https://me:word@hook.example.com/a?key=hidden#part", &get,
                 "GET https://hook.example.com:443/a 200 42 bytes 1200 us ok");
}

static void what_is_no_request_is_not_noted(void **state) {
    static const enum probe_step STEPS[] = {PROBE_RESOLVE, PROBE_TCP, PROBE_TLS, PROBE_LOOK, PROBE_TLS_12};
    (void)state;
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        struct probe_result result = passed(STEPS[i], PROBE_FINE, 0);
        assert_noted("https://hook.example.com/a", &result, "nothing");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_of_the_doctor_is_noted_with_its_origin),
        cmocka_unit_test(what_may_be_secret_of_its_url_is_not),
        cmocka_unit_test(what_is_no_request_is_not_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
