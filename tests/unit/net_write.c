#include "net_make.h"
#include "support/relay.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

static int set_up(void **state) {
    (void)state;
    const struct net_options options = {.total_timeout_s = 20};
    return net_set_up_with(&options);
}

static void post(struct relay *relay, const char *body, struct reply *reply) {
    struct request request;
    exchange_post_to(&request, relay_port(relay), "/user", body);
    assert_true(exchange_run(net, &request, reply));
}

static const char created[] = "HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n{\"id\":\"a\"}";

static void a_write_is_one_post_without_expect_or_encoding(void **state) {
    (void)state;
    struct relay *relay = relay_text(created);
    struct reply reply;
    struct str got;
    char want[512];
    post(relay, "{\"a\":\"b\"}", &reply);
    assert_int_equal(reply.failure.code, ERR_OK);
    assert_int_equal(reply.status, 201);
    assert_true(reply.sent);
    assert_string_equal(reply.body, "{\"id\":\"a\"}");
    str_init(&got, MIB);
    relay_received(relay, &got);
    assert_true(snprintf(want, sizeof want,
                         "POST /user HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: bursar/%s\r\nAccept: */*\r\n"
                         "Accept-Encoding: identity\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
                         "{\"a\":\"b\"}",
                         relay_port(relay), BURSAR_VERSION) < (int)sizeof want);
    assert_string_equal(got.s, want);
    str_clear(&got);
    reply_clear(&reply);
    relay_free(relay);
}

static void a_long_body_is_sent_whole_and_at_once(void **state) {
    (void)state;
    struct relay *relay = relay_text(created);
    struct reply reply;
    struct str body, got;
    str_init(&body, (size_t)2 * MIB);
    str_add_repeat(&body, 'x', (size_t)2 * MIB);
    str_init(&got, (size_t)8 * MIB);
    struct request request;
    exchange_post_to(&request, relay_port(relay), "/user", body.s);
    assert_true(exchange_run(net, &request, &reply));
    assert_int_equal(reply.status, 201);
    relay_received(relay, &got);
    assert_true(got.len > body.len);
    assert_null(strcasestr(got.s, "expect:"));
    assert_non_null(strstr(got.s, "\r\nContent-Length: 2097152\r\n"));
    str_clear(&body);
    str_clear(&got);
    reply_clear(&reply);
    relay_free(relay);
}

static void each_write_has_a_connection_of_its_own(void **state) {
    (void)state;
    const struct relay_answer kept = {.bytes = created, .keep_open = true};
    struct relay *relay = relay_script(&kept, 1, NULL);
    struct reply reply;
    struct request request;
    exchange_get_from(&request, relay_port(relay), "/");
    assert_true(exchange_run(net, &request, &reply));
    reply_clear(&reply);
    for (int i = 0; i < 3; i++) {
        post(relay, "{}", &reply);
        assert_int_equal(reply.status, 201);
        reply_clear(&reply);
    }
    assert_int_equal(relay_connections(relay), 4);
    /* The read's connection is still there and serves the next read. */
    exchange_get_from(&request, relay_port(relay), "/");
    assert_true(exchange_run(net, &request, &reply));
    reply_clear(&reply);
    assert_int_equal(relay_connections(relay), 4);
    relay_free(relay);
}

static void a_writes_connection_serves_nothing_else(void **state) {
    (void)state;
    const struct relay_answer kept = {.bytes = created, .keep_open = true};
    struct relay *relay = relay_script(&kept, 1, NULL);
    struct reply reply;
    struct request request;
    post(relay, "{}", &reply);
    reply_clear(&reply);
    exchange_get_from(&request, relay_port(relay), "/");
    assert_true(exchange_run(net, &request, &reply));
    assert_int_equal(relay_connections(relay), 2);
    reply_clear(&reply);
    relay_free(relay);
}

static void a_write_on_a_dying_connection_is_sent_once(void **state) {
    (void)state;
    /* The first request keeps the connection, which then dies under whoever reuses it. */
    const struct relay_answer answers[] = {{.bytes = created, .keep_open = true}, {0}, {0}};
    struct relay *relay = relay_script(answers, COUNT_OF(answers), NULL);
    struct reply reply;
    struct request request;
    exchange_get_from(&request, relay_port(relay), "/");
    assert_true(exchange_run(net, &request, &reply));
    reply_clear(&reply);
    post(relay, "{}", &reply);
    assert_string_equal(err_name(reply.failure.code), "network");
    assert_true(reply.sent);
    assert_int_equal(reply.status, 0);
    assert_int_equal(relay_requests(relay), 2);
    assert_int_equal(relay_connections(relay), 2);
    reply_clear(&reply);
    relay_free(relay);
}

static void cut_or_reset_after_the_first_byte_is_sent_and_once(void **state) {
    (void)state;
    const struct relay_answer whole = {.bytes = created};
    struct relay *relay = relay_script(&whole, 1, NULL);
    size_t n = 0;
    for (int reset = 0; reset < 2; reset++)
        for (size_t at = 0; at < strlen(created); at += 5) {
            struct reply reply;
            const struct relay_fault fault = {.cut = true, .cut_after = at, .reset = reset};
            relay_set_fault(relay, &fault);
            post(relay, "{}", &reply);
            assert_int_not_equal(reply.failure.code, ERR_OK);
            assert_true(reply.sent);
            assert_null(reply.body);
            reply_clear(&reply);
            assert_int_equal(relay_requests(relay), ++n);
        }
    assert_int_equal(relay_connections(relay), n);
    relay_free(relay);
}

static void a_status_that_came_before_the_cut_is_kept(void **state) {
    (void)state;
    const struct relay_answer whole = {.bytes = created};
    const struct relay_fault fault = {.cut = true, .cut_after = sizeof created - 3};
    struct relay *relay = relay_script(&whole, 1, &fault);
    struct reply reply;
    post(relay, "{}", &reply);
    assert_int_equal(reply.failure.code, ERR_NETWORK);
    assert_int_equal(reply.status, 201);
    reply_clear(&reply);
    relay_free(relay);
}

static void a_refused_connection_is_not_sent(void **state) {
    (void)state;
    struct relay *relay = relay_text(created);
    int port = relay_port(relay);
    relay_free(relay);
    struct reply reply;
    struct request request;
    exchange_post_to(&request, port, "/user", "{}");
    assert_true(exchange_run(net, &request, &reply));
    assert_int_equal(reply.failure.code, ERR_CONNECT);
    assert_non_null(strstr(reply.failure.text, "nothing listens there"));
    assert_false(reply.sent);
    reply_clear(&reply);
}

static void a_redirect_never_carries_the_body_on(void **state) {
    (void)state;
    static const int statuses[] = {301, 302, 303, 307, 308};
    struct relay *second = relay_text(created);
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        char text[256];
        struct reply reply;
        (void)snprintf(text, sizeof text,
                       "HTTP/1.1 %d Moved\r\nLocation: http://127.0.0.1:%d/user\r\nContent-Length: 0\r\n\r\n",
                       statuses[i], relay_port(second));
        struct relay *first = relay_text(text);
        post(first, "{}", &reply);
        assert_int_equal(reply.failure.code, ERR_OK);
        assert_int_equal(reply.status, statuses[i]);
        assert_non_null(reply.redirect);
        assert_int_equal(relay_requests(first), 1);
        reply_clear(&reply);
        relay_free(first);
    }
    assert_int_equal(relay_connections(second), 0);
    relay_free(second);
}

static void no_status_makes_libcurl_ask_again(void **state) {
    (void)state;
    static const int statuses[] = {401, 407, 408, 409, 413, 417, 421, 425, 429, 500, 502, 503, 504};
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        char text[256];
        struct reply reply;
        (void)snprintf(text, sizeof text,
                       "HTTP/1.1 %d Text\r\nWWW-Authenticate: Basic realm=\"x\"\r\nProxy-Authenticate: Basic\r\n"
                       "Retry-After: 0\r\nContent-Length: 0\r\n\r\n",
                       statuses[i]);
        struct relay *relay = relay_text(text);
        post(relay, "{}", &reply);
        assert_int_equal(reply.status, statuses[i]);
        assert_int_equal(relay_requests(relay), 1);
        reply_clear(&reply);
        relay_free(relay);
    }
}

static void a_read_only_net_sends_no_write(void **state) {
    (void)state;
    struct net *reader;
    const struct net_options options = {.read_only = true};
    struct relay *relay = relay_text(created);
    struct reply reply;
    struct request request;
    assert_int_equal(net_new(&options, &reader, NULL), ERR_OK);
    for (int marked = 0; marked < 2; marked++) {
        exchange_post_to(&request, relay_port(relay), "/user", "{}");
        request.write = marked; /* the method alone is enough */
        assert_true(exchange_run(reader, &request, &reply));
        assert_int_equal(reply.failure.code, ERR_READ_ONLY);
        assert_false(reply.sent);
        reply_clear(&reply);
    }
    assert_int_equal(relay_connections(relay), 0);
    exchange_get_from(&request, relay_port(relay), "/");
    assert_true(exchange_run(reader, &request, &reply));
    assert_int_equal(reply.failure.code, ERR_OK);
    reply_clear(&reply);
    net_free(reader);
    relay_free(relay);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_is_one_post_without_expect_or_encoding),
        cmocka_unit_test(a_long_body_is_sent_whole_and_at_once),
        cmocka_unit_test(each_write_has_a_connection_of_its_own),
        cmocka_unit_test(a_writes_connection_serves_nothing_else),
        cmocka_unit_test(a_write_on_a_dying_connection_is_sent_once),
        cmocka_unit_test(cut_or_reset_after_the_first_byte_is_sent_and_once),
        cmocka_unit_test(a_status_that_came_before_the_cut_is_kept),
        cmocka_unit_test(a_refused_connection_is_not_sent),
        cmocka_unit_test(a_redirect_never_carries_the_body_on),
        cmocka_unit_test(no_status_makes_libcurl_ask_again),
        cmocka_unit_test(a_read_only_net_sends_no_write),
    };
    return cmocka_run_group_tests(tests, set_up, net_tear_down);
}
