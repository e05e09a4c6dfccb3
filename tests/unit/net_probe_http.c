#include "support/relay.h"
#include "support/tls.h"

#include "base/clock.h"
#include "base/mem.h"
#include "net/net.h"
#include "net/probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The HTTP steps, against nginx with TLS, which hands some paths to the raw relay. */

enum { URL_MAX = 512, CONF_MAX = 8192, ANY_STATUS = -1 };

static struct certs certs;
static struct net *net;
static struct nginx nginx;
static struct relay *silent, *slow, *cut, *echo;
static struct probe_target target; /* what a test sets on top of URL and trust */
static struct probe_result measured;

static const char locations[] =
    "location = /ok { return 200 '{}'; default_type application/json; }\n"
    "location = /post-only { add_header Allow POST always; return 405; }\n"
    "location = /redirect { return 301 /elsewhere/; }\n"
    "location = /keep { return 308 https://www.example.test/hook; }\n"
    "location = /login { default_type text/html; return 200 '<!DOCTYPE html><input type=\"password\">'; }\n"
    "location = /fail { return 503; }\n"
    "location = /close { return 444; }\n"
    "location = /h2only { if ($server_protocol != HTTP/2.0) { return 505; } return 204; }\n"
    "location = /h1only { if ($server_protocol = HTTP/2.0) { return 505; } return 204; }\n"
    "location = /big { alias %s/big; default_type text/plain; }\n"
    "proxy_buffering off;\nproxy_http_version 1.1;\nproxy_read_timeout 20s;\n"
    "location = /silent { proxy_pass http://127.0.0.1:%d; }\n"
    "location = /slow { proxy_pass http://127.0.0.1:%d; }\n"
    "location = /cut { proxy_pass http://127.0.0.1:%d; }\n"
    "location = /echo { proxy_pass http://127.0.0.1:%d; }\n";

static bool write_big(void) {
    char path[URL_MAX];
    struct str text;
    str_init(&text, (size_t)2 * PROBE_BODY_MAX);
    str_add_repeat(&text, 'x', (size_t)2 * PROBE_BODY_MAX);
    (void)snprintf(path, sizeof path, "%s/big", certs.folder);
    bool ok = proc_write_file(path, text.s);
    str_clear(&text);
    return ok;
}

static bool start_nginx(void) {
    struct str conf;
    str_init(&conf, CONF_MAX);
    str_addf(&conf, locations, certs.folder, relay_port(silent), relay_port(slow), relay_port(cut), relay_port(echo));
    bool ok = nginx_start(&nginx, &certs, "good", "ssl http2", conf.s);
    str_clear(&conf);
    return ok;
}

static int set_up(void **state) {
    (void)state;
    const struct net_options options = {0};
    const struct certs_leaf good = {.name = "good", .san = "DNS:localhost", .issuer = CERTS_INTERMEDIATE};
    const struct relay_answer whole = {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789"};
    const struct relay_fault stall = {.stall = RELAY_STALL_ACCEPT}, drip = {.chunk = 20, .delay_ms = 400},
                             broken = {.cut = true, .cut_after = 43};
    if (!certs_new(&certs) || !certs_leaf(&certs, &good) || !write_big() || net_new(&options, &net, NULL) != ERR_OK)
        return -1;
    silent = relay_script(&whole, 1, &stall);
    slow = relay_script(&whole, 1, &drip);
    cut = relay_script(&whole, 1, &broken);
    echo = relay_script(&whole, 1, NULL);
    return !nginx_is_there() || start_nginx() ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    probe_result_clear(&measured);
    if (nginx.port)
        nginx_stop(&nginx);
    relay_free(silent);
    relay_free(slow);
    relay_free(cut);
    relay_free(echo);
    net_free(net);
    certs_free(&certs);
    return 0;
}

static int reset(void **state) {
    (void)state;
    target = (struct probe_target){.total_timeout_s = 5};
    return 0;
}

/* Before anything is allocated: a skip does not come back. */
static void need_nginx(void) {
    if (!nginx.port)
        skip();
}

/* Of one measurement, until the next. */
static const struct probe_pass *measure(enum probe_step step, int port, const char *path, enum probe_cause cause,
                                        int status) {
    char url[URL_MAX];
    (void)snprintf(url, sizeof url, "https://localhost:%d%s", port, path);
    target.url = url;
    target.ca_file = certs.root;
    probe_result_clear(&measured);
    probe_run(step, &target, NULL, &measured);
    const struct probe_pass *pass = &measured.pass;
    if (pass->cause != cause || (status != ANY_STATUS && pass->status != status))
        fail_msg("cause %d status %d, not %d and %d (libcurl %d)", pass->cause, pass->status, cause, status,
                 pass->code);
    return pass;
}

static const struct probe_pass *run(enum probe_step step, const char *path, enum probe_cause cause, int status) {
    need_nginx();
    return measure(step, nginx.port, path, cause, status);
}

static void a_get_gives_status_headers_and_times(void **state) {
    (void)state;
    const struct probe_pass *pass = run(PROBE_GET, "/ok", PROBE_FINE, 200);
    assert_int_equal(pass->http_version, 20);
    assert_true(str_starts(pass->server, "nginx"));
    assert_string_equal(pass->type, "application/json");
    assert_int_equal(pass->body_len, 2);
    assert_false(pass->body_cut || pass->html || pass->password_field);
    assert_true(pass->first_us >= pass->tls_us && pass->tls_us > 0 && pass->total_us >= pass->first_us);
    int64_t off = pass->date - clock_now();
    assert_true(off > -60000 && off < 60000);
    assert_null(pass->redirect);
}

static void a_head_has_no_body(void **state) {
    (void)state;
    const struct probe_pass *pass = run(PROBE_HEAD, "/ok", PROBE_FINE, 200);
    assert_int_equal(pass->body_len, 0);
}

static void a_405_says_what_it_allows(void **state) {
    (void)state;
    const struct probe_pass *pass = run(PROBE_GET, "/post-only", PROBE_FINE, 405);
    assert_string_equal(pass->allow, "POST");
}

static void a_redirect_is_read_and_not_followed(void **state) {
    (void)state;
    char want[URL_MAX];
    const struct probe_pass *pass = run(PROBE_GET, "/redirect", PROBE_FINE, 301);
    (void)snprintf(want, sizeof want, "https://localhost:%d/elsewhere/", nginx.port);
    assert_string_equal(pass->redirect, want);
    pass = run(PROBE_HEAD, "/keep", PROBE_FINE, 308);
    assert_string_equal(pass->redirect, "https://www.example.test/hook");
}

static void a_login_page_is_recognised(void **state) {
    (void)state;
    const struct probe_pass *pass = run(PROBE_GET, "/login", PROBE_FINE, 200);
    assert_true(pass->html);
    assert_true(pass->password_field);
}

static void a_failing_endpoint_gives_its_status(void **state) {
    (void)state;
    const struct probe_pass *pass = run(PROBE_GET, "/fail", PROBE_FINE, 503);
    assert_true(pass->html);
    assert_false(pass->password_field);
}

static void a_large_body_is_cut_and_no_failure(void **state) {
    (void)state;
    const struct probe_pass *pass = run(PROBE_GET, "/big", PROBE_FINE, 200);
    assert_int_equal(pass->body_len, PROBE_BODY_MAX);
    assert_true(pass->body_cut);
}

static void a_connection_closed_without_answer_is_recognised(void **state) {
    (void)state;
    const struct probe_pass *pass = run(PROBE_HTTP_1, "/close", PROBE_CLOSED, 0);
    assert_int_equal(pass->code, 52);
    (void)run(PROBE_HTTP_2, "/close", PROBE_CLOSED, 0);
}

static void a_silent_endpoint_is_recognised(void **state) {
    (void)state;
    target.total_timeout_s = 1;
    const struct probe_pass *pass = run(PROBE_GET, "/silent", PROBE_SILENT, 0);
    assert_int_equal(pass->code, 28);
    assert_true(pass->tls_us > 0);
    assert_int_equal(pass->first_us, 0);
}

static void a_slow_answer_shows_in_its_time(void **state) {
    (void)state;
    const struct probe_pass *pass = run(PROBE_GET, "/slow", PROBE_FINE, 200);
    assert_true(pass->first_us - pass->tls_us > 300000);
}

static void an_answer_that_breaks_off_is_recognised(void **state) {
    (void)state;
    (void)run(PROBE_HTTP_1, "/cut", PROBE_CUT, ANY_STATUS);
}

static void http_versions_are_tried_apart(void **state) {
    (void)state;
    static const struct {
        const char *path;
        enum probe_step step;
        int status, version;
    } rows[] = {
        {"/ok", PROBE_HTTP_1, 200, 11},     {"/ok", PROBE_HTTP_2, 200, 20},     {"/h1only", PROBE_HTTP_1, 204, 11},
        {"/h1only", PROBE_HTTP_2, 505, 20}, {"/h2only", PROBE_HTTP_1, 505, 11}, {"/h2only", PROBE_HTTP_2, 204, 20},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct probe_pass *pass = run(rows[i].step, rows[i].path, PROBE_FINE, rows[i].status);
        assert_int_equal(pass->http_version, rows[i].version);
    }
}

static void a_post_is_sent_once_with_its_body_and_headers(void **state) {
    (void)state;
    struct headers headers = {0};
    struct str got;
    need_nginx();
    headers_add(&headers, "Content-Type", "application/json");
    headers_add(&headers, "X-Signature", "not-a-signature");
    target.body = "{\"probe\":true}";
    target.headers = &headers;
    const struct probe_pass *pass = run(PROBE_POST, "/echo", PROBE_FINE, 200);
    assert_int_equal(pass->http_version, 11);
    str_init(&got, CONF_MAX);
    relay_received(echo, &got);
    assert_true(str_starts(got.s, "POST /echo HTTP/1.1\r\n"));
    assert_non_null(strstr(got.s, "X-Signature: not-a-signature\r\n"));
    assert_non_null(strstr(got.s, "\r\n\r\n{\"probe\":true}"));
    assert_null(strcasestr(got.s, "authorization"));
    assert_int_equal(relay_requests(echo), 1);
    str_clear(&got);
    headers_clear(&headers);
}

static void what_is_not_http_is_recognised(void **state) {
    (void)state;
    static const char *const reversed[] = {"-rev", NULL};
    struct tls_server server;
    assert_true(tls_server_start(&server, &certs, "good", reversed));
    (void)measure(PROBE_GET, server.port, "/", PROBE_NOT_HTTP, 0);
    tls_server_stop(&server);
}

#define FRESH(test) cmocka_unit_test_setup(test, reset)

int main(void) {
    const struct CMUnitTest tests[] = {
        FRESH(a_get_gives_status_headers_and_times),
        FRESH(a_head_has_no_body),
        FRESH(a_405_says_what_it_allows),
        FRESH(a_redirect_is_read_and_not_followed),
        FRESH(a_login_page_is_recognised),
        FRESH(a_failing_endpoint_gives_its_status),
        FRESH(a_large_body_is_cut_and_no_failure),
        FRESH(a_connection_closed_without_answer_is_recognised),
        FRESH(a_silent_endpoint_is_recognised),
        FRESH(a_slow_answer_shows_in_its_time),
        FRESH(an_answer_that_breaks_off_is_recognised),
        FRESH(http_versions_are_tried_apart),
        FRESH(a_post_is_sent_once_with_its_body_and_headers),
        FRESH(what_is_not_http_is_recognised),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
