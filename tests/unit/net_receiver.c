/* The receiver of requests, against senders that do not keep to the rules. */
#include "net/receiver.h"

#include "base/clock.h"
#include "base/mem.h"
#include "support/http.h"
#include "support/proc.h"

#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BODY_MAX = 1000 };

static struct receiver *receiver;
static atomic_int taken, cut;
static int answer;

static int take(void *context, const struct received_request *request) {
    (void)context;
    atomic_fetch_add(&taken, 1);
    atomic_fetch_add(&cut, request->too_large);
    return answer;
}

static struct receiver_options options_of(unsigned idle_s, unsigned request_s) {
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct receiver_options options = {.body_max = BODY_MAX, .idle_s = idle_s, .request_s = request_s, .take = take};
    memcpy(&options.address, &address, sizeof address);
    return options;
}

static void start_with(const struct receiver_options *options) {
    struct error error = {0};
    answer = 204;
    atomic_store(&taken, 0);
    atomic_store(&cut, 0);
    if (receiver_start(options, &receiver, &error) != ERR_OK)
        fail_msg("%s", error.text);
}

static void start(unsigned idle_s, unsigned request_s) {
    const struct receiver_options options = options_of(idle_s, request_s);
    start_with(&options);
}

static int stop(void **state) {
    (void)state;
    receiver_stop(receiver);
    receiver = NULL;
    return 0;
}

static int status_of(const char *body) {
    struct http_reply reply;
    assert_true(http_request(receiver_port(receiver), "POST", "/", NULL, body, &reply));
    int status = reply.status;
    http_reply_clear(&reply);
    return status;
}

static void a_body_at_the_limit_is_whole_and_one_beyond_is_cut(void **state) {
    (void)state;
    struct str body;
    str_init(&body, BODY_MAX + 100);
    str_add_repeat(&body, 'x', BODY_MAX);
    start(60, 60);
    assert_int_equal(status_of(body.s), 204);
    assert_int_equal(atomic_load(&cut), 0);
    str_add_repeat(&body, 'x', 2);
    assert_int_equal(status_of(body.s), 204);
    assert_int_equal(atomic_load(&cut), 1);
    str_clear(&body);
}

/* Collects until the receiver closes. */
static void expect_closed(struct http_conn *conn) {
    struct http_reply reply;
    (void)http_read(conn, &reply, 1000, PROC_DEADLINE);
    assert_false(reply.timed_out);
    http_reply_clear(&reply);
    http_close(conn);
}

static void who_says_nothing_more_is_let_go(void **state) {
    (void)state;
    static const char *const BEGUN[] = {"", "POST / HT", "POST / HTTP/1.1\r\nHost: x\r\n",
                                        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"};
    struct http_conn conns[COUNT_OF(BEGUN)];
    start(1, 0);
    for (size_t i = 0; i < COUNT_OF(BEGUN); i++) {
        assert_true(http_open(&conns[i], receiver_port(receiver)));
        assert_true(http_send(&conns[i], BEGUN[i], strlen(BEGUN[i])));
    }
    for (size_t i = 0; i < COUNT_OF(BEGUN); i++)
        expect_closed(&conns[i]);
    assert_int_equal(atomic_load(&taken), 0);
    assert_int_equal(status_of("later"), 204);
}

/* A byte now and then keeps a connection from being idle. */
static void who_drips_for_too_long_is_let_go(void **state) {
    (void)state;
    static const char head[] = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n";
    struct http_conn conn;
    start(60, 1);
    assert_true(http_open(&conn, receiver_port(receiver)));
    assert_true(http_send(&conn, head, sizeof head - 1));
    int64_t end = clock_mono() + PROC_DEADLINE;
    struct pollfd closed = {.fd = conn.fd, .events = POLLIN};
    while (poll(&closed, 1, 2) == 0 && http_send(&conn, "x", 1) && clock_mono() < end)
        continue;
    assert_true(clock_mono() < end);
    http_close(&conn);
    assert_int_equal(atomic_load(&taken), 0);
}

static void what_is_not_http_is_not_taken(void **state) {
    (void)state;
    static const char *const LINES[] = {"\x16\x03\x01\x02\x00\x01", "GARBAGE\r\n\r\n",
                                        "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
                                        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"};
    start(1, 60);
    for (size_t i = 0; i < COUNT_OF(LINES); i++) {
        struct http_conn conn;
        assert_true(http_open(&conn, receiver_port(receiver)));
        assert_true(http_send(&conn, LINES[i], strlen(LINES[i])));
        expect_closed(&conn);
    }
    assert_int_equal(atomic_load(&taken), 0);
}

/* Who opens more keeps nobody else out. */
static void an_address_has_so_many_connections_and_no_more(void **state) {
    (void)state;
    enum { MOST = 3 };
    struct http_conn conns[MOST], beyond;
    struct receiver_options options = options_of(60, 60);
    options.per_address = MOST;
    start_with(&options);
    for (int i = 0; i < MOST; i++)
        assert_true(http_open(&conns[i], receiver_port(receiver)));
    assert_true(http_open(&beyond, receiver_port(receiver)));
    expect_closed(&beyond);
    for (int i = 0; i < MOST; i++) {
        struct http_reply reply;
        assert_true(http_send_request(&conns[i], "POST", "/", NULL, "x"));
        assert_true(http_read(&conns[i], &reply, 1000, PROC_DEADLINE));
        assert_int_equal(reply.status, 204);
        http_reply_clear(&reply);
        http_close(&conns[i]);
    }
}

static void a_taken_address_is_said(void **state) {
    (void)state;
    struct receiver_options options = options_of(60, 60);
    struct receiver *second = NULL;
    struct error error = {0};
    start(60, 60);
    ((struct sockaddr_in *)&options.address)->sin_port = htons((uint16_t)receiver_port(receiver));
    assert_int_equal(receiver_start(&options, &second, &error), ERR_USAGE);
    assert_non_null(strstr(error.text, "in use"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_body_at_the_limit_is_whole_and_one_beyond_is_cut, stop),
        cmocka_unit_test_teardown(who_says_nothing_more_is_let_go, stop),
        cmocka_unit_test_teardown(who_drips_for_too_long_is_let_go, stop),
        cmocka_unit_test_teardown(what_is_not_http_is_not_taken, stop),
        cmocka_unit_test_teardown(an_address_has_so_many_connections_and_no_more, stop),
        cmocka_unit_test_teardown(a_taken_address_is_said, stop),
    };
    return cmocka_run_group_tests_name("receiver", tests, NULL, NULL);
}
