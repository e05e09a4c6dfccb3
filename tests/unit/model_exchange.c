#include "base/mem.h"
#include "model/exchange.h"
#include "model/service_error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void header_names_ignore_case_and_the_first_counts(void **state) {
    (void)state;
    struct headers headers = {0};
    headers_add(&headers, "Retry-After", "5");
    headers_add(&headers, "retry-after", "9");
    assert_string_equal(headers_find(&headers, "RETRY-AFTER"), "5");
    assert_null(headers_find(&headers, "Retry"));
    headers_clear(&headers);
    assert_null(headers_find(&headers, "Retry-After"));
}

static void cleared_requests_and_replies_can_be_cleared_again(void **state) {
    (void)state;
    struct request request;
    struct reply reply;
    request_init(&request);
    request.url = mem_dup("http://127.0.0.1/");
    request.body = mem_dup("{}");
    request.body_len = 2;
    headers_add(&request.headers, "Accept", "x");
    request_clear(&request);
    request_clear(&request);
    assert_null(request.body);
    reply_init(&reply);
    reply.redirect = mem_dup("http://127.0.0.1/x");
    reply_clear(&reply);
    reply_clear(&reply);
    assert_null(reply.redirect);
}

static void expect_line(const struct service_error *error, const char *expected) {
    struct str line;
    str_init(&line, 1000);
    service_error_line(error, &line);
    assert_string_equal(line.s, expected);
    str_clear(&line);
}

static void c2_a_line_has_text_code_places_rest_and_request_id(void **state) {
    (void)state;
    struct service_error_place places[] = {{(char *)"email", (char *)"is taken"}, {(char *)"name.last", NULL}};
    struct service_error error = {.text = (char *)"not valid",
                                  .code = (char *)"bad_user",
                                  .request_id = (char *)"r1",
                                  .items = places,
                                  .n = 2,
                                  .more = 3};
    expect_line(&error, "not valid (bad_user) at email: is taken; at name.last; +3 more; request id r1");
}

static void a_line_of_parts_needs_no_text(void **state) {
    (void)state;
    struct service_error_place places[] = {{NULL, (char *)"is taken"}};
    struct service_error code = {.code = (char *)"bad"}, id = {.request_id = (char *)"r1"}, none = {0},
                         item = {.items = places, .n = 1};
    expect_line(&code, "bad");
    expect_line(&id, "request id r1");
    expect_line(&none, "");
    expect_line(&item, "is taken");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_names_ignore_case_and_the_first_counts),
        cmocka_unit_test(cleared_requests_and_replies_can_be_cleared_again),
        cmocka_unit_test(c2_a_line_has_text_code_places_rest_and_request_id),
        cmocka_unit_test(a_line_of_parts_needs_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
