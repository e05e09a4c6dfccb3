#include "support/exchange.h"
#include "support/relay.h"
#include "support/tls.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct certs certs;
static struct net *net;
static const char *const www[] = {"-www", NULL};

static int set_up(void **state) {
    (void)state;
    const struct net_options options = {0};
    if (!certs_new_faulty(&certs, "DNS:localhost", "DNS:elsewhere.test") || net_new(&options, &net, NULL) != ERR_OK)
        return -1;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    net_free(net);
    certs_free(&certs);
    return 0;
}

static void run(int port, bool write, const char *ca_file, struct reply *reply) {
    struct request request;
    exchange_get(&request, "https", "localhost", port, "/");
    request.ca_file = ca_file;
    if (write) {
        request.method = "POST";
        request.write = true;
        request.body = mem_dup("{}");
        request.body_len = 2;
    }
    assert_true(exchange_run(net, &request, reply));
}

static void a_good_certificate_under_the_given_root_is_accepted(void **state) {
    (void)state;
    struct tls_server server;
    struct reply reply;
    assert_true(tls_server_start(&server, &certs, "good", www));
    run(server.port, false, certs.root, &reply);
    assert_string_equal(reply.failure.text, "");
    assert_int_equal(reply.status, 200);
    reply_clear(&reply);
    tls_server_stop(&server);
}

static void refused(const char *leaf, const char *const args[], const char *ca_file, const char *words) {
    struct tls_server server;
    assert_true(tls_server_start(&server, &certs, leaf, args));
    for (int write = 0; write < 2; write++) {
        struct reply reply;
        char host[64];
        run(server.port, write, ca_file, &reply);
        assert_string_equal(err_name(reply.failure.code), "tls");
        if (!strstr(reply.failure.text, words))
            fail_msg("%s: \"%s\" does not say \"%s\"", leaf, reply.failure.text, words);
        (void)snprintf(host, sizeof host, "localhost:%d: ", server.port);
        assert_true(str_starts(reply.failure.text, host));
        assert_false(reply.sent);
        assert_int_equal(reply.status, 0);
        reply_clear(&reply);
    }
    tls_server_stop(&server);
}

static void each_bad_certificate_is_refused_by_its_cause(void **state) {
    (void)state;
    refused("expired", www, certs.root, "has expired");
    refused("future", www, certs.root, "not valid yet");
    refused("name", www, certs.root, "for another name");
    refused("self", www, certs.root, "signed by itself");
    refused("foreign", www, certs.root, "an authority that is not known here");
    refused("short", www, certs.root, "leaves an intermediate certificate out");
}

static void the_system_does_not_know_the_test_root(void **state) {
    (void)state;
    refused("good", www, NULL, "not known here");
    refused("good", www, "", "not known here");
}

static void a_trust_file_that_cannot_be_used_is_our_own_fault(void **state) {
    (void)state;
    refused("good", www, "/nonexistent/roots.pem", "trust file /nonexistent/roots.pem of this machine");
}

static void old_tls_is_refused(void **state) {
    (void)state;
    static const char *const old[] = {"-www", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0", NULL};
    refused("good", old, certs.root, "TLS");
}

static void a_wanted_client_certificate_is_named(void **state) {
    (void)state;
    static const char *const wanted[] = {"-www", "-tls1_2", "-Verify", "1", "-verify_return_error", NULL};
    refused("good", wanted, certs.root, "client certificate");
}

static void refused_by_relay(struct relay *relay, const char *words) {
    struct reply reply;
    run(relay_port(relay), true, certs.root, &reply);
    assert_string_equal(err_name(reply.failure.code), "tls");
    if (!strstr(reply.failure.text, words))
        fail_msg("\"%s\" does not say \"%s\"", reply.failure.text, words);
    assert_false(reply.sent);
    reply_clear(&reply);
}

static void plain_http_on_the_port_is_named(void **state) {
    (void)state;
    const struct relay_answer plain = {
        .bytes = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", .before_request = true, .keep_open = true};
    struct relay *relay = relay_script(&plain, 1, NULL);
    refused_by_relay(relay, "port for plain http");
    relay_free(relay);
}

static void a_handshake_cut_at_any_step_is_not_sent(void **state) {
    (void)state;
    struct tls_server server;
    assert_true(tls_server_start(&server, &certs, "good", www));
    struct relay *relay = relay_forward(server.port, NULL);
    for (size_t at = 0; at < 1000; at += 120)
        for (int reset = 0; reset < 2; reset++) {
            const struct relay_fault fault = {.cut = true, .cut_after = at, .reset = reset};
            relay_set_fault(relay, &fault);
            refused_by_relay(relay, "closed the connection while it was being secured");
        }
    relay_free(relay);
    tls_server_stop(&server);
}

static void an_answer_cut_inside_tls_is_refused(void **state) {
    (void)state;
    struct nginx nginx;
    if (!nginx_is_there())
        skip();
    /* A tail that TLS carries but that never comes whole: the body is cut by bytes of the encrypted stream. */
    assert_true(nginx_start(&nginx, &certs, "good", "ssl",
                            "location / { return 200 '0123456789012345678901234567890123456789'; }"));
    struct relay *relay = relay_forward(nginx.port, NULL);
    struct reply reply;
    run(relay_port(relay), false, certs.root, &reply);
    assert_string_equal(reply.failure.text, "");
    size_t whole = reply.body_len;
    assert_int_equal(whole, 40);
    reply_clear(&reply);
    relay_free(relay);
    relay = relay_forward(nginx.port, NULL);
    for (size_t at = 1500; at < 6000; at += 150) {
        const struct relay_fault fault = {.cut = true, .cut_after = at};
        relay_set_fault(relay, &fault);
        run(relay_port(relay), true, certs.root, &reply);
        if (reply.failure.code == ERR_OK)
            assert_int_equal(reply.body_len, whole);
        else
            assert_null(reply.body);
        reply_clear(&reply);
    }
    relay_free(relay);
    nginx_stop(&nginx);
}

static void reads_take_http2_and_writes_http1(void **state) {
    (void)state;
    struct nginx nginx;
    struct reply reply;
    if (!nginx_is_there())
        skip();
    assert_true(nginx_start(&nginx, &certs, "good", "ssl http2", "location / { return 200 '{}'; }"));
    struct relay *relay = relay_forward(nginx.port, NULL);
    for (int i = 0; i < 3; i++) {
        run(relay_port(relay), false, certs.root, &reply);
        assert_string_equal(reply.failure.text, "");
        assert_int_equal(reply.http_version, 20);
        assert_string_equal(reply.body, "{}");
        reply_clear(&reply);
    }
    assert_int_equal(relay_connections(relay), 1);
    for (int i = 0; i < 3; i++) {
        run(relay_port(relay), true, certs.root, &reply);
        assert_int_equal(reply.failure.code, ERR_OK);
        assert_int_equal(reply.http_version, 11);
        assert_true(reply.sent);
        reply_clear(&reply);
    }
    assert_int_equal(relay_connections(relay), 4);
    relay_free(relay);
    nginx_stop(&nginx);
}

static void session_keys_are_never_written(void **state) {
    (void)state;
    char path[256];
    struct tls_server server;
    struct reply reply;
    struct net *own;
    const struct net_options options = {0};
    (void)snprintf(path, sizeof path, "%s/keys", certs.folder);
    /* As at a start of the program: libcurl opens the file when its first user sets it up. */
    net_free(net);
    assert_int_equal(setenv("SSLKEYLOGFILE", path, 1), 0);
    assert_int_equal(net_new(&options, &own, NULL), ERR_OK);
    net = own;
    assert_null(getenv("SSLKEYLOGFILE"));
    assert_true(tls_server_start(&server, &certs, "good", www));
    run(server.port, false, certs.root, &reply);
    assert_int_equal(reply.status, 200);
    assert_int_not_equal(access(path, F_OK), 0);
    reply_clear(&reply);
    tls_server_stop(&server);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_certificate_under_the_given_root_is_accepted),
        cmocka_unit_test(each_bad_certificate_is_refused_by_its_cause),
        cmocka_unit_test(the_system_does_not_know_the_test_root),
        cmocka_unit_test(a_trust_file_that_cannot_be_used_is_our_own_fault),
        cmocka_unit_test(old_tls_is_refused),
        cmocka_unit_test(a_wanted_client_certificate_is_named),
        cmocka_unit_test(plain_http_on_the_port_is_named),
        cmocka_unit_test(a_handshake_cut_at_any_step_is_not_sent),
        cmocka_unit_test(an_answer_cut_inside_tls_is_refused),
        cmocka_unit_test(reads_take_http2_and_writes_http1),
        cmocka_unit_test(session_keys_are_never_written),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
