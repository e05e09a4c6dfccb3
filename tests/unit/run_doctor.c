/* The doctor against endpoints made by the run: each situation has its verdict and its named cause. The measurements
 * are made as the lane makes them, with shorter limits. */
#include "support/relay.h"
#include "support/tls.h"

#include "app/doctor.h"
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

enum { URL_MAX = 512, CONF_MAX = 16384 };

static struct certs certs;
static struct net *net;
static struct nginx nginx;
static struct relay *silent, *slow, *cut;
static struct doctor doctor;
static struct effects effects;
static int limit_s = 1;

static const char *const www[] = {"-www", NULL};

static const char locations[] =
    "location = /ok { default_type application/json; return 200 '{}'; }\n"
    "location = /post-only { add_header Allow POST always; return 405; }\n"
    "location = /to-http { return 301 http://localhost/hook; }\n"
    "location = /to-www { return 308 https://www.localhost/hook; }\n"
    "location = /slash { return 301 https://localhost:%d/slash/; }\n"
    "location = /to-path { return 302 https://localhost:%d/other; }\n"
    "location = /to-login { return 302 https://localhost:%d/login; }\n"
    "location = /to-host { return 307 https://elsewhere.test/hook; }\n"
    "location = /login { default_type text/html; return 200 '<!DOCTYPE html><form><input type=\"password\">'; }\n"
    "location = /page { default_type text/html; return 200 '<!DOCTYPE html><p>welcome'; }\n"
    "location = /fail { return 503; }\n"
    "location = /close { return 444; }\n"
    "location = /missing { return 404; }\n"
    "location = /h2only { if ($server_protocol != HTTP/2.0) { return 505; } return 204; }\n"
    "location = /h1only { if ($server_protocol = HTTP/2.0) { return 505; } return 204; }\n"
    "location = /h2-missing { if ($server_protocol = HTTP/2.0) { return 404; } return 200; }\n"
    "location = /h1-away { if ($server_protocol != HTTP/2.0) { return 307 https://elsewhere.test/; } return 204; }\n"
    "location = /h2-closed { if ($server_protocol = HTTP/2.0) { return 444; } return 204; }\n"
    "location = /both-fail { if ($server_protocol = HTTP/2.0) { return 502; } return 426; }\n"
    "location = /verifies { if ($request_method = POST) { return 401; } return 405; }\n"
    "proxy_buffering off;\nproxy_http_version 1.1;\nproxy_read_timeout 20s;\n"
    "location = /silent { proxy_pass http://127.0.0.1:%d; }\n"
    "location = /slow { proxy_pass http://127.0.0.1:%d; }\n"
    "location = /cut { proxy_pass http://127.0.0.1:%d; }\n";

/* nginx names its own port in some targets, which is known only once it runs: the port of a first start is not kept, so
 * such targets name 443, which is another address all the same. */
static bool start_nginx(void) {
    struct str conf;
    str_init(&conf, CONF_MAX);
    str_addf(&conf, locations, 443, 443, 443, relay_port(silent), relay_port(slow), relay_port(cut));
    bool ok = nginx_start(&nginx, &certs, "good", "ssl http2", conf.s);
    str_clear(&conf);
    return ok;
}

static int set_up(void **state) {
    (void)state;
    const struct net_options options = {0};
    const struct relay_answer whole = {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"};
    const struct relay_fault stall = {.stall = RELAY_STALL_ACCEPT}, late = {.delay_ms = 2300},
                             broken = {.cut = true, .cut_after = 39};
    if (!certs_new_faulty(&certs, "DNS:localhost", "DNS:www.localhost,DNS:elsewhere.test") ||
        net_new(&options, &net, NULL) != ERR_OK)
        return -1;
    silent = relay_script(&whole, 1, &stall);
    slow = relay_script(&whole, 1, &late);
    cut = relay_script(&whole, 1, &broken);
    return !nginx_is_there() || start_nginx() ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    if (nginx.port)
        nginx_stop(&nginx);
    relay_free(silent);
    relay_free(slow);
    relay_free(cut);
    net_free(net);
    certs_free(&certs);
    return 0;
}

static int fresh(void **state) {
    (void)state;
    doctor_init(&doctor);
    return 0;
}

static int away(void **state) {
    (void)state;
    doctor_clear(&doctor);
    effects_clear(&effects);
    limit_s = 1;
    return 0;
}

/* What the loop and the lane do, at once. */
static void answer(struct effect *effect) {
    const struct probe_ask *ask = effect_get(effect, probe_ask);
    const struct headers none = {0};
    const struct probe_target target = {.url = ask->url,
                                        .ca_file = ask->ca_file,
                                        .addresses = ask->addresses,
                                        .n_addresses = ask->n,
                                        .connect_timeout_s = 1,
                                        .total_timeout_s = limit_s,
                                        .body = "{}",
                                        .headers = &none};
    struct probe_result *result = mem_new(sizeof *result);
    struct event event = {.kind = EVENT_PROBED,
                          .now = clock_now(),
                          .ticket = effect->ticket,
                          .payload = payload_of(probe_result, result)};
    probe_run(ask->step, &target, NULL, result);
    assert_true(doctor_update(&doctor, &event, &effects));
    assert_null(event_get(&event, probe_result));
}

static void examine_as(const struct doctor_question *question) {
    doctor_start(&doctor, question, clock_now(), &effects);
    while (doctor.stage == DOCTOR_RUNNING) {
        struct effects now = effects;
        effects = (struct effects){.tickets = now.tickets};
        assert_int_equal(now.n, 1);
        assert_int_equal(now.items[0].kind, EFFECT_PROBE);
        answer(&now.items[0]);
        effects_clear(&now);
    }
}

static void examine(const char *path, int port, bool post) {
    char url[URL_MAX];
    (void)snprintf(url, sizeof url, "https://localhost:%d%s", port, path);
    const struct doctor_question question = {.url = url, .ca_file = certs.root, .local_ok = true, .post = post};
    examine_as(&question);
}

static void expect(enum doctor_check check, enum doctor_verdict verdict, const char *text) {
    const struct doctor_finding *finding = &doctor.findings[check];
    if (finding->verdict != verdict || !strstr(finding->evidence.s, text))
        fail_msg("%s: %s, not %s with \"%s\":\n%s", doctor_check_title(check), doctor_verdict_word(finding->verdict),
                 doctor_verdict_word(verdict), text, finding->evidence.s);
    if (verdict == DOCTOR_FAIL && (!finding->who || finding->advice.len == 0))
        fail_msg("%s: nobody is told what to do", doctor_check_title(check));
}

/* Every check that comes after a failed one and needs it says that it was skipped, none is left open. */
static void expect_whole(enum doctor_verdict overall) {
    for (int i = 0; i < DOCTOR_CHECK_COUNT; i++) {
        assert_int_not_equal(doctor.findings[i].verdict, DOCTOR_PENDING);
        assert_true(doctor.findings[i].evidence.len > 0);
    }
    if (doctor_overall(&doctor) != overall) {
        struct str text;
        str_init(&text, 64 << 10);
        doctor_report_text(&doctor, false, &text);
        fail_msg("overall %s:\n%s", doctor_verdict_word(doctor_overall(&doctor)), text.s);
    }
}

static void tls(const char *leaf, const char *const args[], enum doctor_check check, const char *text) {
    struct tls_server server;
    assert_true(tls_server_start(&server, &certs, leaf, args));
    examine("/hook", server.port, false);
    expect(check, DOCTOR_FAIL, text);
    expect_whole(DOCTOR_FAIL);
    tls_server_stop(&server);
}

static void http(const char *path, enum doctor_check check, enum doctor_verdict verdict, const char *text) {
    if (!nginx.port)
        skip();
    examine(path, nginx.port, false);
    expect(check, verdict, text);
    expect_whole(verdict == DOCTOR_FAIL ? DOCTOR_FAIL : DOCTOR_WARN); /* the port warns */
}

#define SITUATION(name, ...)         \
    static void name(void **state) { \
        (void)state;                 \
        __VA_ARGS__;                 \
    }

/* ---- certificates ---- */

SITUATION(an_expired_certificate_fails_its_dates, tls("expired", www, DOCTOR_DATES, "expired");
          expect(DOCTOR_TLS, DOCTOR_FAIL, "expired"))
SITUATION(a_certificate_of_the_future_fails_its_dates, tls("future", www, DOCTOR_DATES, "not valid yet");
          expect(DOCTOR_TLS, DOCTOR_FAIL, "not valid yet"))
SITUATION(a_wrong_name_lists_the_right_ones, tls("name", www, DOCTOR_HOST, "DNS:elsewhere.test");
          assert_non_null(strstr(doctor.findings[DOCTOR_HOST].advice.s, "made for www.localhost")))
SITUATION(a_self_signed_certificate_is_named, tls("self", www, DOCTOR_CHAIN, "signed by itself"))
SITUATION(an_unknown_root_is_named, tls("foreign", www, DOCTOR_CHAIN, "not trusted here"))
SITUATION(a_missing_intermediate_is_named, tls("short", www, DOCTOR_CHAIN, "intermediate missing"))

static void a_certificate_is_not_verified_against_the_wrong_trust(void **state) {
    (void)state;
    char other[URL_MAX];
    struct tls_server server;
    char url[URL_MAX];
    assert_true(tls_server_start(&server, &certs, "good", www));
    (void)snprintf(other, sizeof other, "%s/other.crt", certs.folder);
    (void)snprintf(url, sizeof url, "https://localhost:%d/", server.port);
    examine_as(&(struct doctor_question){.url = url, .ca_file = other, .local_ok = true});
    expect(DOCTOR_TLS, DOCTOR_FAIL, other);
    examine_as(&(struct doctor_question){.url = url, .ca_file = "/nonexistent/roots", .local_ok = true});
    expect(DOCTOR_TLS, DOCTOR_FAIL, "cannot be read");
    assert_non_null(strstr(doctor.findings[DOCTOR_TLS].who, "this machine"));
    tls_server_stop(&server);
}

/* ---- TLS ---- */

static const char *const tls_1_1[] = {"-www", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0", NULL};
static const char *const tls_1_3[] = {"-www", "-tls1_3", NULL};
static const char *const wants_12[] = {"-www", "-tls1_2", "-Verify", "1", "-verify_return_error", NULL};
static const char *const wants_13[] = {"-www", "-tls1_3", "-Verify", "1", "-verify_return_error", NULL};

SITUATION(tls_1_1_only_fails, tls("good", tls_1_1, DOCTOR_VERSIONS, "TLS 1.1 or older only");
          expect(DOCTOR_TLS, DOCTOR_FAIL, "no TLS version in common"))
SITUATION(a_client_certificate_wanted_in_1_2_is_named, tls("good", wants_12, DOCTOR_CLIENT, "client certificate"))
SITUATION(a_client_certificate_wanted_in_1_3_is_named, tls("good", wants_13, DOCTOR_CLIENT, "client certificate"))

static void tls_1_3_only_warns(void **state) {
    (void)state;
    struct tls_server server;
    assert_true(tls_server_start(&server, &certs, "good", tls_1_3));
    examine("/", server.port, false);
    expect(DOCTOR_VERSIONS, DOCTOR_WARN, "TLS 1.3 only");
    expect_whole(DOCTOR_WARN);
    tls_server_stop(&server);
}

static void raw(const struct relay_answer *script, const struct relay_fault *fault, enum doctor_check check,
                const char *text) {
    struct relay *relay = relay_script(script, 1, fault);
    examine("/", relay_port(relay), false);
    expect(check, DOCTOR_FAIL, text);
    expect_whole(DOCTOR_FAIL);
    relay_free(relay);
}

static const struct relay_answer plain = {
    .bytes = "HTTP/1.1 400 Bad\r\n\r\n", .before_request = true, .keep_open = true};
static const struct relay_answer nothing = {.before_request = true};
static const struct relay_fault never = {.stall = RELAY_STALL_ACCEPT};

SITUATION(plain_http_on_the_port_is_named, raw(&plain, NULL, DOCTOR_TLS, "it answered in plain HTTP"))
SITUATION(a_silent_handshake_is_named, raw(&nothing, &never, DOCTOR_TLS, "not answered"))
SITUATION(a_cut_handshake_is_named, raw(&nothing, NULL, DOCTOR_TLS, "cut in the handshake"))

static void a_refused_port_is_named(void **state) {
    (void)state;
    struct relay *relay = relay_script(&nothing, 1, NULL);
    int port = relay_port(relay);
    relay_free(relay);
    examine("/", port, false);
    expect(DOCTOR_TCP, DOCTOR_FAIL, "refused");
    expect(DOCTOR_TLS, DOCTOR_SKIPPED, "not measured");
    expect_whole(DOCTOR_FAIL);
}

static void a_filtered_port_is_named(void **state) {
    (void)state;
    struct relay_filtered filtered;
    char url[URL_MAX];
    assert_true(relay_filtered_open(&filtered));
    (void)snprintf(url, sizeof url, "https://127.0.0.1:%d/", filtered.port);
    examine_as(&(struct doctor_question){.url = url, .local_ok = true});
    expect(DOCTOR_TCP, DOCTOR_FAIL, "filtered");
    expect_whole(DOCTOR_FAIL);
    relay_filtered_close(&filtered);
}

/* ---- HTTP ---- */

static void a_good_endpoint_passes(void **state) {
    (void)state;
    http("/ok", DOCTOR_HTTP, DOCTOR_PASS, "GET: 200");
    expect(DOCTOR_URL, DOCTOR_WARN, "not 443");
    expect(DOCTOR_ADDRESS, DOCTOR_NOTE, "loopback");
    expect(DOCTOR_TCP, doctor.findings[DOCTOR_TCP].verdict, "127.0.0.1: connected");
    expect(DOCTOR_TLS, DOCTOR_PASS, "verified by");
    expect(DOCTOR_LOOK, DOCTOR_PASS, "2 certificates sent");
    expect(DOCTOR_CHAIN, DOCTOR_PASS, "signed by the next");
    expect(DOCTOR_DATES, DOCTOR_PASS, "days left");
    expect(DOCTOR_HOST, DOCTOR_PASS, "made for localhost");
    expect(DOCTOR_VERSIONS, DOCTOR_PASS, "1.2");
    expect(DOCTOR_CLIENT, DOCTOR_PASS, "none");
    expect(DOCTOR_REDIRECT, DOCTOR_PASS, "none");
    expect(DOCTOR_HTTP_VERSIONS, DOCTOR_PASS, "HTTP/1.1 and HTTP/2");
    expect(DOCTOR_TIME, DOCTOR_PASS, "first byte");
    expect(DOCTOR_POST, DOCTOR_SKIPPED, "not asked for");
    expect(DOCTOR_VANTAGE, DOCTOR_PASS, "clocks agree");
}

SITUATION(a_405_that_allows_post_is_as_it_should_be, http("/post-only", DOCTOR_HTTP, DOCTOR_PASS, "POST is"))
SITUATION(a_404_is_only_noted, http("/missing", DOCTOR_HTTP, DOCTOR_NOTE, "not known"))
SITUATION(a_failing_server_fails, http("/fail", DOCTOR_HTTP, DOCTOR_FAIL, "503"))
SITUATION(a_login_page_warns, http("/login", DOCTOR_HTTP, DOCTOR_WARN, "login page"))
SITUATION(a_web_page_warns, http("/page", DOCTOR_HTTP, DOCTOR_WARN, "web page"))
SITUATION(a_close_without_answer_is_named, http("/close", DOCTOR_HTTP, DOCTOR_FAIL, "closed without"))
SITUATION(a_silent_answer_fails, http("/silent", DOCTOR_TIME, DOCTOR_FAIL, "no answer"))
SITUATION(a_slow_answer_warns, limit_s = 4; http("/slow", DOCTOR_TIME, DOCTOR_WARN, "first byte"))
SITUATION(an_answer_that_breaks_off_warns, http("/cut", DOCTOR_HTTP, DOCTOR_WARN, "broke off"))
SITUATION(http_2_only_warns, http("/h2only", DOCTOR_HTTP_VERSIONS, DOCTOR_WARN, "HTTP/2 only"))
SITUATION(a_broken_http_2_warns, if (!nginx.port) skip(); examine("/h1only", nginx.port, false);
          expect(DOCTOR_HTTP_VERSIONS, DOCTOR_WARN, "offered and fails"))

static void f39_each_version_is_judged_by_its_own_answer(void **state) {
    (void)state;
    http("/h2-missing", DOCTOR_HTTP_VERSIONS, DOCTOR_WARN, "HTTP/1.1: 200; HTTP/2: 404");
}

static void f39_a_version_that_redirects_does_not_work(void **state) {
    (void)state;
    http("/h1-away", DOCTOR_HTTP_VERSIONS, DOCTOR_WARN, "HTTP/2 only (204); HTTP/1.1: 307, a redirect");
}

/* Where GET itself has nothing to complain of, or says it elsewhere. */
static void versions(const char *path, enum doctor_verdict verdict, const char *text) {
    if (!nginx.port)
        skip();
    examine(path, nginx.port, false);
    expect(DOCTOR_HTTP_VERSIONS, verdict, text);
}

static void f39_a_version_that_gives_no_answer_does_not_work(void **state) {
    (void)state;
    versions("/h2-closed", DOCTOR_WARN, "HTTP/1.1 works (204); HTTP/2 is offered and fails");
}

static void f39_neither_works_where_both_fail_in_their_own_way(void **state) {
    (void)state;
    versions("/both-fail", DOCTOR_NOTE, "HTTP/1.1: 426; HTTP/2: 502");
}

static void f39_a_redirect_by_both_is_no_working_version(void **state) {
    (void)state;
    versions("/to-host", DOCTOR_NOTE, "neither works: HTTP/1.1: 307, a redirect; HTTP/2: 307");
}

SITUATION(a_redirect_to_plain_http_is_named, http("/to-http", DOCTOR_REDIRECT, DOCTOR_FAIL, "plain http");
          expect(DOCTOR_REDIRECT, DOCTOR_FAIL, "a POST becomes a GET"))
SITUATION(a_redirect_to_www_is_named, http("/to-www", DOCTOR_REDIRECT, DOCTOR_FAIL, "www"))
SITUATION(a_redirect_by_a_slash_is_named, http("/slash", DOCTOR_REDIRECT, DOCTOR_FAIL, "last slash"))
SITUATION(a_redirect_to_another_path_is_named, http("/to-path", DOCTOR_REDIRECT, DOCTOR_FAIL, "another path"))
SITUATION(a_redirect_to_a_login_is_named, http("/to-login", DOCTOR_REDIRECT, DOCTOR_FAIL, "login"))
SITUATION(a_redirect_to_another_host_is_named, http("/to-host", DOCTOR_REDIRECT, DOCTOR_FAIL, "another host"))

static void what_is_not_http_is_named(void **state) {
    (void)state;
    static const char *const rev[] = {"-rev", NULL};
    struct tls_server server;
    assert_true(tls_server_start(&server, &certs, "good", rev));
    examine("/", server.port, false);
    assert_int_equal(doctor.findings[DOCTOR_HTTP].verdict, DOCTOR_FAIL);
    expect(DOCTOR_HTTP, DOCTOR_FAIL, "not HTTP");
    tls_server_stop(&server);
}

static void the_probe_tells_who_verifies(void **state) {
    (void)state;
    if (!nginx.port)
        skip();
    examine("/verifies", nginx.port, true);
    expect(DOCTOR_POST, DOCTOR_PASS, "401");
    examine("/ok", nginx.port, true);
    expect(DOCTOR_POST, DOCTOR_WARN, "takes what is wrongly signed");
}

/* ---- without a server ---- */

static void a_local_address_fails_and_is_not_touched(void **state) {
    (void)state;
    static const char *const urls[] = {"https://localhost:1/", "https://10.0.0.1/", "https://169.254.169.254/",
                                       "https://[::ffff:127.0.0.1]/", "https://0x7f.1/"};
    for (size_t i = 0; i < COUNT_OF(urls); i++) {
        doctor_start(&doctor, &(struct doctor_question){.url = urls[i]}, clock_now(), &effects);
        assert_int_equal(doctor.stage, DOCTOR_ENDED);
        assert_int_equal(effects.n, 0);
        assert_int_equal(doctor.findings[DOCTOR_ADDRESS].verdict, DOCTOR_FAIL);
        expect_whole(DOCTOR_FAIL);
    }
}

static void a_refused_url_causes_no_measurement(void **state) {
    (void)state;
    static const char *const urls[] = {"http://hook.example.com/", "https://u:p@hook.example.com/", "nonsense",
                                       "https://hook.example.com/#x", "https://a b/"};
    for (size_t i = 0; i < COUNT_OF(urls); i++) {
        doctor_start(&doctor, &(struct doctor_question){.url = urls[i], .local_ok = true}, clock_now(), &effects);
        assert_int_equal(doctor.stage, DOCTOR_ENDED);
        assert_int_equal(effects.n, 0);
        expect(DOCTOR_URL, DOCTOR_FAIL, "");
    }
}

static void a_name_that_leads_inside_fails_before_it_is_talked_to(void **state) {
    (void)state;
    doctor_start(&doctor, &(struct doctor_question){.url = "https://hook.example.com/"}, clock_now(), &effects);
    assert_int_equal(effects.n, 1);
    struct probe_result *result = mem_new(sizeof *result);
    struct event event = {.kind = EVENT_PROBED,
                          .now = clock_now(),
                          .ticket = effects.items[0].ticket,
                          .payload = payload_of(probe_result, result)};
    probe_result_init(result, PROBE_RESOLVE);
    result->addresses.cause = PROBE_FINE;
    result->addresses.n = 2;
    (void)snprintf(result->addresses.items[0].text, PROBE_ADDRESS_TEXT, "93.184.215.14");
    (void)snprintf(result->addresses.items[1].text, PROBE_ADDRESS_TEXT, "192.168.0.7");
    effects_clear(&effects);
    assert_true(doctor_update(&doctor, &event, &effects));
    assert_int_equal(effects.n, 0);
    expect(DOCTOR_NAME, DOCTOR_FAIL, "192.168.0.7: a private network");
    expect_whole(DOCTOR_FAIL);
}

static void cancelling_ends_it_and_says_so(void **state) {
    (void)state;
    doctor_start(&doctor, &(struct doctor_question){.url = "https://hook.example.com/"}, clock_now(), &effects);
    doctor_cancel(&doctor, &effects);
    assert_int_equal(doctor.stage, DOCTOR_ENDED);
    assert_int_equal(effects.items[effects.n - 1].kind, EFFECT_CANCEL);
    expect(DOCTOR_TCP, DOCTOR_SKIPPED, "cancelled");
}

static void the_report_names_trust_limits_and_every_check(void **state) {
    (void)state;
    struct str text;
    str_init(&text, 256 << 10);
    http("/to-www", DOCTOR_REDIRECT, DOCTOR_FAIL, "www");
    doctor_report_text(&doctor, false, &text);
    for (int i = 0; i < DOCTOR_CHECK_COUNT; i++)
        assert_non_null(strstr(text.s, doctor_check_title((enum doctor_check)i)));
    assert_non_null(strstr(text.s, certs.root));
    assert_non_null(strstr(text.s, "speaks for the machine"));
    assert_non_null(strstr(text.s, "\xE2\x94\x94\xE2\x94\x80"));
    str_reset(&text);
    doctor_report_json(&doctor, &text);
    assert_non_null(strstr(text.s, "\"overall\":\"fail\""));
    assert_non_null(strstr(text.s, "\"redirect\":\"https://www.localhost/hook\""));
    assert_string_equal(doctor_target(&doctor), "https://www.localhost/hook");
    str_clear(&text);
}

/* Whose word the rest is has to be known: the proxy, and who named it, never what opens it. */
static void f64_the_proxy_in_between_is_named_with_its_variable(void **state) {
    static const char *const VARIABLES[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(VARIABLES); i++) {
        struct relay *proxy = relay_text("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
        struct str report;
        char text[URL_MAX], said[URL_MAX];
        str_init(&report, 64 << 10);
        (void)snprintf(text, sizeof text, "http://keeper:opens@127.0.0.1:%d/", relay_port(proxy));
        (void)snprintf(said, sizeof said, "the proxy 127.0.0.1:%d stands in between (the variable %s names it)",
                       relay_port(proxy), VARIABLES[i]);
        assert_int_equal(setenv(VARIABLES[i], text, 1), 0);
        examine("/hook", relay_port(slow), false);
        assert_int_equal(unsetenv(VARIABLES[i]), 0);
        expect(DOCTOR_VANTAGE, DOCTOR_WARN, said);
        assert_non_null(strstr(doctor.findings[DOCTOR_VANTAGE].advice.s, "no_proxy"));
        doctor_report_text(&doctor, false, &report);
        assert_null(strstr(report.s, "opens"));
        assert_null(strstr(report.s, "keeper"));
        str_clear(&report);
        relay_free(proxy);
        doctor_clear(&doctor);
        effects_clear(&effects);
        doctor_init(&doctor);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, away)
    const struct CMUnitTest tests[] = {
        TEST(an_expired_certificate_fails_its_dates),
        TEST(a_certificate_of_the_future_fails_its_dates),
        TEST(a_wrong_name_lists_the_right_ones),
        TEST(a_self_signed_certificate_is_named),
        TEST(an_unknown_root_is_named),
        TEST(a_missing_intermediate_is_named),
        TEST(a_certificate_is_not_verified_against_the_wrong_trust),
        TEST(tls_1_1_only_fails),
        TEST(a_client_certificate_wanted_in_1_2_is_named),
        TEST(a_client_certificate_wanted_in_1_3_is_named),
        TEST(tls_1_3_only_warns),
        TEST(plain_http_on_the_port_is_named),
        TEST(a_silent_handshake_is_named),
        TEST(a_cut_handshake_is_named),
        TEST(a_refused_port_is_named),
        TEST(a_filtered_port_is_named),
        TEST(a_good_endpoint_passes),
        TEST(a_405_that_allows_post_is_as_it_should_be),
        TEST(a_404_is_only_noted),
        TEST(a_failing_server_fails),
        TEST(a_login_page_warns),
        TEST(a_web_page_warns),
        TEST(a_close_without_answer_is_named),
        TEST(a_silent_answer_fails),
        TEST(a_slow_answer_warns),
        TEST(an_answer_that_breaks_off_warns),
        TEST(http_2_only_warns),
        TEST(a_broken_http_2_warns),
        TEST(f64_the_proxy_in_between_is_named_with_its_variable),
        TEST(f39_each_version_is_judged_by_its_own_answer),
        TEST(f39_a_version_that_redirects_does_not_work),
        TEST(f39_a_version_that_gives_no_answer_does_not_work),
        TEST(f39_neither_works_where_both_fail_in_their_own_way),
        TEST(f39_a_redirect_by_both_is_no_working_version),
        TEST(a_redirect_to_plain_http_is_named),
        TEST(a_redirect_to_www_is_named),
        TEST(a_redirect_by_a_slash_is_named),
        TEST(a_redirect_to_another_path_is_named),
        TEST(a_redirect_to_a_login_is_named),
        TEST(a_redirect_to_another_host_is_named),
        TEST(what_is_not_http_is_named),
        TEST(the_probe_tells_who_verifies),
        TEST(a_local_address_fails_and_is_not_touched),
        TEST(a_refused_url_causes_no_measurement),
        TEST(a_name_that_leads_inside_fails_before_it_is_talked_to),
        TEST(cancelling_ends_it_and_says_so),
        TEST(the_report_names_trust_limits_and_every_check),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
