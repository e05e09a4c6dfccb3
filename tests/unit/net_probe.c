#include "preload/slow_getaddrinfo.c"
#include "support/proc.h"
#include "support/relay.h"
#include "support/tls.h"

#include "base/clock.h"
#include "base/mem.h"
#include "net/net.h"
#include "net/probe.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CANCEL_MS = 100, SLOW_MACHINE = 3, URL_MAX = 512 };

static struct certs certs;
static struct net *net;
static const char *const www[] = {"-www", NULL};

static int set_up(void **state) {
    (void)state;
    const struct net_options options = {0};
    if (!certs_new_faulty(&certs, "DNS:localhost,DNS:*.stall.test,IP:127.0.0.1", "DNS:elsewhere.test") ||
        net_new(&options, &net, NULL) != ERR_OK)
        return -1;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    net_free(net);
    certs_free(&certs);
    return 0;
}

struct run {
    char url[URL_MAX];
    struct probe_target target;
    struct probe_result result;
};

static void run_at(struct run *run, enum probe_step step, const char *host, int port) {
    const struct probe_target given = run->target;
    (void)snprintf(run->url, sizeof run->url, "https://%s:%d/hook", host, port);
    run->target.url = run->url;
    if (!run->target.ca_file)
        run->target.ca_file = certs.root;
    probe_run(step, &run->target, NULL, &run->result);
    run->target = given;
}

static void assert_cause(const struct run *run, enum probe_cause cause) {
    const struct probe_pass *pass = &run->result.pass;
    if (pass->cause != cause)
        fail_msg("cause %d, not %d (libcurl %d, verify %d, errno %d)", pass->cause, cause, pass->code, pass->verify,
                 pass->os_error);
}

/* One step against a port of this machine. */
static void expect_at(enum probe_step step, int port, enum probe_cause cause) {
    struct run run = {.target = {.connect_timeout_s = 1, .total_timeout_s = 1}};
    run_at(&run, step, "localhost", port);
    assert_cause(&run, cause);
    probe_result_clear(&run.result);
}

static void a_good_endpoint_passes_its_handshake_with_chain_and_times(void **state) {
    (void)state;
    struct tls_server server;
    struct run run = {0};
    assert_true(tls_server_start(&server, &certs, "good", www));
    run_at(&run, PROBE_TLS, "localhost", server.port);
    const struct probe_pass *pass = &run.result.pass;
    assert_cause(&run, PROBE_FINE);
    assert_string_equal(pass->peer, "127.0.0.1");
    assert_true(str_starts(pass->tls, "TLSv1.3 / TLS_"));
    assert_false(pass->client_certificate);
    assert_false(pass->via_proxy);
    assert_true(pass->tls_us > 0 && pass->tls_us >= pass->connect_us);
    assert_int_equal(pass->status, 0);
    assert_int_equal(run.result.chain.n, 2);
    const struct probe_certificate *leaf = &run.result.chain.items[0], *issuer = &run.result.chain.items[1];
    assert_non_null(strstr(leaf->subject, "Test good"));
    assert_string_equal(leaf->issuer, issuer->subject);
    assert_non_null(strstr(issuer->issuer, "Test root"));
    assert_int_equal(leaf->n_names, 3);
    assert_string_equal(leaf->names[0], "DNS:localhost");
    assert_string_equal(leaf->names[1], "DNS:*.stall.test");
    assert_string_equal(leaf->names[2], "IP Address:127.0.0.1");
    assert_string_equal(leaf->signature, "ecdsa-with-SHA256");
    assert_true(*leaf->key);
    int64_t now = clock_now(), day = 86400000;
    assert_true(leaf->start < now && leaf->start > now - 2 * day);
    assert_true(leaf->end > now + 360 * day && leaf->end < now + 370 * day);
    probe_result_clear(&run.result);
    tls_server_stop(&server);
}

static void each_bad_certificate_has_its_cause_and_can_be_looked_at(void **state) {
    (void)state;
    static const struct {
        const char *leaf;
        enum probe_cause cause;
        int verify;
        size_t chain, found;
    } rows[] = {
        {"expired", PROBE_CERT_EXPIRED, 10, 0, 1},
        {"future", PROBE_CERT_FUTURE, 9, 0, 1},
        {"name", PROBE_CERT_NAME, -1, 1, 1},
        {"self", PROBE_CERT_SELF_SIGNED, 18, 0, 1},
        {"foreign", PROBE_CERT_UNKNOWN_ROOT, 19, 0, 2},
        {"short", PROBE_CERT_CHAIN, 20, 0, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct tls_server server;
        struct run run = {0};
        assert_true(tls_server_start(&server, &certs, rows[i].leaf, www));
        run_at(&run, PROBE_TLS, "localhost", server.port);
        assert_cause(&run, rows[i].cause);
        assert_int_equal(run.result.pass.code, 60);
        if (rows[i].verify >= 0)
            assert_int_equal(run.result.pass.verify, rows[i].verify);
        assert_int_equal(run.result.chain.n, rows[i].chain);
        probe_result_clear(&run.result);
        run_at(&run, PROBE_LOOK, "localhost", server.port);
        assert_cause(&run, PROBE_FINE);
        assert_int_equal(run.result.chain.n, rows[i].found);
        probe_result_clear(&run.result);
        tls_server_stop(&server);
    }
}

static void dates_of_a_certificate_are_read_exactly(void **state) {
    (void)state;
    struct tls_server server;
    struct run run = {0};
    int64_t start = 0, end = 0;
    assert_true(tls_server_start(&server, &certs, "expired", www));
    run_at(&run, PROBE_LOOK, "localhost", server.port);
    assert_true(clock_parse("2020-01-01T00:00:00Z", 20, &start) && clock_parse("2021-02-03T04:05:06Z", 20, &end));
    assert_true(run.result.chain.items[0].start == start);
    assert_true(run.result.chain.items[0].end == end);
    probe_result_clear(&run.result);
    tls_server_stop(&server);
}

static void the_systems_trust_does_not_hold_the_test_root(void **state) {
    (void)state;
    struct tls_server server;
    struct run run = {.target = {.ca_file = ""}};
    assert_true(tls_server_start(&server, &certs, "good", www));
    run_at(&run, PROBE_TLS, "localhost", server.port);
    assert_cause(&run, PROBE_CERT_CHAIN);
    probe_result_clear(&run.result);
    run.target.ca_file = "/nonexistent/roots.pem";
    run_at(&run, PROBE_TLS, "localhost", server.port);
    assert_cause(&run, PROBE_TRUST_FILE);
    probe_result_clear(&run.result);
    tls_server_stop(&server);
}

static void an_intermediate_in_the_trust_hides_no_broken_chain(void **state) {
    (void)state;
    char trust[URL_MAX];
    struct tls_server server;
    struct run run = {.target = {.ca_file = trust}};
    (void)snprintf(trust, sizeof trust, "%s/inter.crt", certs.folder);
    assert_true(tls_server_start(&server, &certs, "short", www));
    run_at(&run, PROBE_TLS, "localhost", server.port);
    assert_cause(&run, PROBE_CERT_CHAIN);
    assert_int_equal(run.result.pass.verify, 2);
    probe_result_clear(&run.result);
    tls_server_stop(&server);
}

static void a_proxy_in_the_way_is_named_and_shown(void **state) {
    (void)state;
    struct relay *proxy = relay_text("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
    char text[URL_MAX];
    struct run run = {0};
    (void)snprintf(text, sizeof text, "http://name:word@127.0.0.1:%d", relay_port(proxy));
    assert_int_equal(setenv("ALL_PROXY", text, 1), 0);
    run_at(&run, PROBE_TLS, "hook.stall.test", 443);
    assert_int_equal(unsetenv("ALL_PROXY"), 0);
    assert_cause(&run, PROBE_PROXY);
    assert_true(run.result.pass.via_proxy);
    assert_string_equal(run.result.pass.proxy, strstr(text, "127.0.0.1"));
    assert_string_equal(run.result.pass.proxy_variable, "ALL_PROXY");
    assert_int_equal(relay_requests(proxy), 1);
    probe_result_clear(&run.result);
    relay_free(proxy);
}

static void versions(const char *only, enum probe_cause old, enum probe_cause v12, enum probe_cause v13) {
    const char *const args[] = {"-www", "-cipher", "ALL:@SECLEVEL=0", only, NULL};
    struct tls_server server;
    assert_true(tls_server_start(&server, &certs, "good", args));
    expect_at(PROBE_TLS_OLD, server.port, old);
    expect_at(PROBE_TLS_12, server.port, v12);
    expect_at(PROBE_TLS_13, server.port, v13);
    tls_server_stop(&server);
}

static void versions_are_tried_apart(void **state) {
    (void)state;
    versions(NULL, PROBE_FINE, PROBE_FINE, PROBE_FINE);
    versions("-tls1_2", PROBE_TLS_VERSION, PROBE_FINE, PROBE_TLS_VERSION);
    versions("-tls1_3", PROBE_TLS_VERSION, PROBE_TLS_VERSION, PROBE_FINE);
}

static void an_endpoint_of_old_tls_only_is_recognised(void **state) {
    (void)state;
    versions("-tls1_1", PROBE_FINE, PROBE_TLS_VERSION, PROBE_TLS_VERSION);
}

static void a_wanted_client_certificate_is_recognised_in_both_versions(void **state) {
    (void)state;
    static const char *const v12[] = {"-www", "-tls1_2", "-Verify", "1", "-verify_return_error", NULL};
    static const char *const v13[] = {"-www", "-tls1_3", "-Verify", "1", "-verify_return_error", NULL};
    struct tls_server server;
    assert_true(tls_server_start(&server, &certs, "good", v12));
    expect_at(PROBE_TLS, server.port, PROBE_TLS_CLIENT);
    tls_server_stop(&server);
    assert_true(tls_server_start(&server, &certs, "good", v13));
    expect_at(PROBE_GET, server.port, PROBE_TLS_CLIENT);
    tls_server_stop(&server);
}

static void a_client_certificate_that_is_only_offered_is_no_failure(void **state) {
    (void)state;
    static const char *const offered[] = {"-www", "-verify", "1", NULL};
    struct tls_server server;
    struct run run = {0};
    assert_true(tls_server_start(&server, &certs, "good", offered));
    run_at(&run, PROBE_TLS, "localhost", server.port);
    assert_cause(&run, PROBE_FINE);
    assert_true(run.result.pass.client_certificate);
    probe_result_clear(&run.result);
    tls_server_stop(&server);
}

static void a_name_that_the_server_does_not_serve_is_recognised(void **state) {
    (void)state;
    char cert[URL_MAX], key[URL_MAX];
    (void)snprintf(cert, sizeof cert, "%s/good.crt", certs.folder);
    (void)snprintf(key, sizeof key, "%s/good.key", certs.folder);
    const char *const args[] = {"-www",  "-servername", "other.test", "-servername_fatal", "-cert2", cert,
                                "-key2", key,           NULL};
    struct tls_server server;
    assert_true(tls_server_start(&server, &certs, "good", args));
    expect_at(PROBE_TLS, server.port, PROBE_TLS_NAME);
    tls_server_stop(&server);
}

static void ports_that_do_not_speak_tls_are_told_apart(void **state) {
    (void)state;
    const struct relay_answer plain = {.bytes = "HTTP/1.1 400 Bad\r\n\r\n", .before_request = true, .keep_open = true};
    const struct relay_answer nothing = {.before_request = true};
    const struct relay_fault stall = {.stall = RELAY_STALL_ACCEPT}, reset = {.cut = true, .reset = true};
    struct relay *relay = relay_script(&plain, 1, NULL);
    expect_at(PROBE_TLS, relay_port(relay), PROBE_TLS_PLAIN);
    relay_free(relay);
    relay = relay_script(&nothing, 1, &stall);
    expect_at(PROBE_TLS, relay_port(relay), PROBE_TLS_SILENT);
    relay_free(relay);
    relay = relay_script(&nothing, 1, NULL);
    expect_at(PROBE_TLS, relay_port(relay), PROBE_TLS_CUT);
    /* Reset once the client's first bytes are there. */
    struct relay *resetting = relay_forward(relay_port(relay), &reset);
    expect_at(PROBE_TLS, relay_port(resetting), PROBE_TLS_CUT);
    relay_free(resetting);
    int port = relay_port(relay);
    relay_free(relay);
    expect_at(PROBE_TLS, port, PROBE_REFUSED);
}

static void a_filtered_port_is_told_from_a_refused_one(void **state) {
    (void)state;
    struct relay_filtered filtered;
    struct probe_address v4 = {.text = "127.0.0.1"};
    struct run run = {.target = {.connect_timeout_s = 1, .addresses = &v4, .n_addresses = 1}};
    assert_true(relay_filtered_open(&filtered));
    run_at(&run, PROBE_TLS, "127.0.0.1", filtered.port);
    assert_cause(&run, PROBE_FILTERED);
    assert_string_equal(run.result.pass.peer, "");
    probe_result_clear(&run.result);
    run_at(&run, PROBE_TCP, "127.0.0.1", filtered.port);
    assert_int_equal(run.result.addresses.items[0].cause, PROBE_FILTERED);
    probe_result_clear(&run.result);
    relay_filtered_close(&filtered);
}

static void every_address_of_a_name_is_listed_once(void **state) {
    (void)state;
    static const char *const hosts[] = {"localhost", "127.0.0.1", "[::1]"};
    for (size_t i = 0; i < COUNT_OF(hosts); i++) {
        struct run run = {0};
        run_at(&run, PROBE_RESOLVE, hosts[i], 443);
        const struct probe_addresses *addresses = &run.result.addresses;
        assert_int_equal(addresses->cause, PROBE_FINE);
        assert_true(addresses->n >= 1 && addresses->n <= 2);
        assert_false(addresses->more);
        for (size_t k = 0; k < addresses->n; k++)
            assert_string_equal(addresses->items[k].text, addresses->items[k].v6 ? "::1" : "127.0.0.1");
        assert_true(addresses->n < 2 || addresses->items[0].v6 != addresses->items[1].v6);
        probe_result_clear(&run.result);
    }
}

static void names_that_fail_or_stall_are_told_apart(void **state) {
    (void)state;
    struct run run = {.target = {.connect_timeout_s = 1}};
    assert_int_equal(setenv("SLOW_GETADDRINFO_MS", "1", 1), 0);
    run_at(&run, PROBE_RESOLVE, "no.stall.test", 443);
    assert_int_equal(run.result.addresses.cause, PROBE_NO_NAME);
    assert_int_equal(run.result.addresses.n, 0);
    run_at(&run, PROBE_TLS, "no.stall.test", 443);
    assert_cause(&run, PROBE_NO_NAME);
    assert_int_equal(setenv("SLOW_GETADDRINFO_MS", "4000", 1), 0);
    run_at(&run, PROBE_RESOLVE, "slow.stall.test", 443);
    assert_int_equal(run.result.addresses.cause, PROBE_NAME_STALLED);
    run_at(&run, PROBE_TLS, "slow.stall.test", 443);
    assert_cause(&run, PROBE_NAME_STALLED);
}

static void each_address_is_connected_to_apart(void **state) {
    (void)state;
    struct relay *relay = relay_text("");
    struct probe_address addresses[] = {
        {.text = "127.0.0.1"}, {.text = "127.0.0.9"}, {.text = "::1", .v6 = true}, {.text = "nonsense"}};
    struct run run = {.target = {.addresses = addresses, .n_addresses = COUNT_OF(addresses)}};
    run_at(&run, PROBE_TCP, "localhost", relay_port(relay));
    const struct probe_addresses *out = &run.result.addresses;
    assert_int_equal(out->cause, PROBE_FINE);
    assert_int_equal(out->n, COUNT_OF(addresses));
    assert_int_equal(out->items[0].cause, PROBE_FINE);
    assert_int_equal(out->items[1].cause, PROBE_REFUSED);
    assert_int_equal(out->items[1].os_error, ECONNREFUSED);
    assert_true(out->items[2].cause == PROBE_REFUSED || out->items[2].cause == PROBE_UNREACHABLE);
    assert_int_equal(out->items[3].cause, PROBE_NO_CONNECTION);
    probe_result_clear(&run.result);
    relay_free(relay);
}

static void later_steps_talk_to_the_given_addresses_only(void **state) {
    (void)state;
    struct tls_server server;
    struct probe_address addresses[] = {{.text = "127.0.0.1"}, {.text = "::1", .v6 = true}};
    struct run run = {.target = {.addresses = addresses, .n_addresses = COUNT_OF(addresses), .connect_timeout_s = 2}};
    assert_true(tls_server_start(&server, &certs, "good", www));
    /* The name service hangs for this name: it must not be asked. */
    run_at(&run, PROBE_TLS, "pinned.stall.test", server.port);
    assert_cause(&run, PROBE_FINE);
    assert_string_equal(run.result.pass.peer, "127.0.0.1");
    probe_result_clear(&run.result);
    tls_server_stop(&server);
}

static void what_is_no_https_url_is_not_touched(void **state) {
    (void)state;
    struct relay *relay = relay_text("HTTP/1.1 200 OK\r\n\r\n");
    char plain[URL_MAX];
    (void)snprintf(plain, sizeof plain, "http://127.0.0.1:%d/", relay_port(relay));
    const char *const urls[] = {plain, "https://u:p@127.0.0.1/", "ftp://127.0.0.1/", "nonsense", ""};
    for (size_t i = 0; i < COUNT_OF(urls); i++)
        for (int step = 0; step < PROBE_STEP_COUNT; step++) {
            const struct probe_target target = {.url = urls[i]};
            struct probe_result result;
            if (i == 1 && step <= PROBE_TCP)
                continue; /* addresses alone carry no credentials */
            probe_run((enum probe_step)step, &target, NULL, &result);
            assert_int_equal(step <= PROBE_TCP ? result.addresses.cause : result.pass.cause, PROBE_BAD_URL);
            probe_result_clear(&result);
        }
    assert_int_equal(relay_connections(relay), 0);
    relay_free(relay);
}

struct cancelled {
    atomic_bool flag;
    enum probe_step step;
    struct probe_target target;
    struct probe_result result;
    atomic_bool ended;
};

struct step {
    enum probe_step step;
    const char *host;
    int port;
};

static void *run_cancelled(void *argument) {
    struct cancelled *run = argument;
    probe_run(run->step, &run->target, &run->flag, &run->result);
    atomic_store(&run->ended, true);
    return NULL;
}

static int64_t cancel_once(void *context) {
    const struct step *wanted = context;
    enum probe_step step = wanted->step;
    struct cancelled run = {.step = step};
    struct probe_address v4 = {.text = "127.0.0.1"};
    char url[URL_MAX];
    pthread_t thread;
    (void)snprintf(url, sizeof url, "https://%s:%d/", wanted->host, wanted->port);
    run.target = (struct probe_target){.url = url, .ca_file = certs.root};
    if (step == PROBE_TCP) {
        run.target.addresses = &v4;
        run.target.n_addresses = 1;
    }
    assert_int_equal(pthread_create(&thread, NULL, run_cancelled, &run), 0);
    struct pollfd none = {.fd = -1};
    (void)poll(&none, 1, 450); /* past the timers that libcurl sets itself at the start */
    assert_false(atomic_load(&run.ended));
    int64_t start = clock_mono();
    atomic_store(&run.flag, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    int64_t took = clock_mono() - start;
    assert_int_equal(step <= PROBE_TCP ? run.result.addresses.cause : run.result.pass.cause, PROBE_CANCELLED);
    probe_result_clear(&run.result);
    return took;
}

static void cancel_step(enum probe_step step, const char *host, int port) {
    enum { BAR_MS = CANCEL_MS * SLOW_MACHINE };
    struct step wanted = {.step = step, .host = host, .port = port};
    assert_true(proc_best_of(cancel_once, &wanted, proc_bar(BAR_MS - 1)) < proc_bar(BAR_MS));
}

static void every_step_ends_soon_when_cancelled(void **state) {
    (void)state;
    const struct relay_answer nothing = {0};
    const struct relay_fault stall = {.stall = RELAY_STALL_ACCEPT};
    struct relay *silent = relay_script(&nothing, 1, &stall);
    struct relay_filtered filtered;
    assert_int_equal(setenv("SLOW_GETADDRINFO_MS", "4000", 1), 0);
    assert_true(relay_filtered_open(&filtered));
    cancel_step(PROBE_RESOLVE, "slow.stall.test", 443);
    cancel_step(PROBE_TLS, "slow.stall.test", 443);
    cancel_step(PROBE_TCP, "127.0.0.1", filtered.port);
    cancel_step(PROBE_TLS, "127.0.0.1", filtered.port);
    cancel_step(PROBE_GET, "localhost", relay_port(silent));
    relay_filtered_close(&filtered);
    relay_free(silent);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_endpoint_passes_its_handshake_with_chain_and_times),
        cmocka_unit_test(each_bad_certificate_has_its_cause_and_can_be_looked_at),
        cmocka_unit_test(dates_of_a_certificate_are_read_exactly),
        cmocka_unit_test(the_systems_trust_does_not_hold_the_test_root),
        cmocka_unit_test(an_intermediate_in_the_trust_hides_no_broken_chain),
        cmocka_unit_test(a_proxy_in_the_way_is_named_and_shown),
        cmocka_unit_test(versions_are_tried_apart),
        cmocka_unit_test(an_endpoint_of_old_tls_only_is_recognised),
        cmocka_unit_test(a_wanted_client_certificate_is_recognised_in_both_versions),
        cmocka_unit_test(a_client_certificate_that_is_only_offered_is_no_failure),
        cmocka_unit_test(a_name_that_the_server_does_not_serve_is_recognised),
        cmocka_unit_test(ports_that_do_not_speak_tls_are_told_apart),
        cmocka_unit_test(a_filtered_port_is_told_from_a_refused_one),
        cmocka_unit_test(every_address_of_a_name_is_listed_once),
        cmocka_unit_test(names_that_fail_or_stall_are_told_apart),
        cmocka_unit_test(each_address_is_connected_to_apart),
        cmocka_unit_test(later_steps_talk_to_the_given_addresses_only),
        cmocka_unit_test(what_is_no_https_url_is_not_touched),
        cmocka_unit_test(every_step_ends_soon_when_cancelled),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
