#include "preload/slow_getaddrinfo.c"
#include "support/exchange.h"
#include "support/proc.h"
#include "support/relay.h"

#include "base/mem.h"
#include "base/proxy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TEXT_MAX = 1 << 20 };

static const char *const proxy_names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                          "ALL_PROXY",  "no_proxy",    "NO_PROXY",    "HTTP_PROXY"};
static struct net *net;
static struct secret *token;
static struct relay *relay;

static int set_up(void **state) {
    (void)state;
    const struct net_options options = {0};
    for (size_t i = 0; i < COUNT_OF(proxy_names); i++)
        if (unsetenv(proxy_names[i]) != 0)
            return -1;
    token = secret_new("marker-token-4711", 17);
    relay = relay_text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    return net_new(&options, &net, NULL) == ERR_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    net_free(net);
    relay_free(relay);
    secret_free(token);
    return 0;
}

static void make(struct request *request) {
    exchange_get_from(request, relay_port(relay), "/intent/list?cursor=marker-query");
    request->bearer = token;
}

static void set_text(char **place, const char *text) {
    free(*place);
    *place = mem_dup(text);
}

static void refused(struct request *request, const char *words) {
    struct reply reply;
    assert_true(exchange_run(net, request, &reply));
    assert_string_equal(err_name(reply.failure.code), "invalid");
    if (!strstr(reply.failure.text, words))
        fail_msg("\"%s\" does not say \"%s\"", reply.failure.text, words);
    assert_null(strstr(reply.failure.text, "marker"));
    assert_false(reply.sent);
    assert_int_equal(relay_connections(relay), 0);
    reply_clear(&reply);
}

static void the_token_goes_to_its_own_origin_only(void **state) {
    (void)state;
    char other[64];
    const char *const origins[] = {"https://127.0.0.1:1", "http://127.0.0.1", "http://localhost:80", other, ""};
    (void)snprintf(other, sizeof other, "https://127.0.0.1:%d", relay_port(relay));
    for (size_t i = 0; i < COUNT_OF(origins); i++) {
        struct request request;
        make(&request);
        set_text(&request.origin, origins[i]);
        refused(&request, "not where the token belongs");
    }
    struct request request;
    make(&request);
    set_text(&request.origin, NULL);
    refused(&request, "not where the token belongs (nowhere)");
}

static void an_origin_binds_even_without_a_token(void **state) {
    (void)state;
    struct request request;
    make(&request);
    request.bearer = NULL;
    set_text(&request.origin, "https://api.example.test:443");
    refused(&request, "not where the token belongs");
}

static void without_a_token_no_authorization_is_sent(void **state) {
    (void)state;
    struct request request;
    struct reply reply;
    struct str got;
    make(&request);
    request.bearer = NULL;
    assert_true(exchange_run(net, &request, &reply));
    assert_int_equal(reply.status, 200);
    str_init(&got, TEXT_MAX);
    relay_received(relay, &got);
    assert_null(strcasestr(got.s, "authorization"));
    str_clear(&got);
    reply_clear(&reply);
}

static void urls_that_no_request_may_have_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *url, *words;
    } rows[] = {
        {"http://api.example.test/", "plain http goes to this machine only, not to api.example.test"},
        {"http://127.0.0.1.example.test/", "plain http goes to this machine only"},
        {"http://10.0.0.1/", "plain http goes to this machine only"},
        {"http://[::2]/", "plain http goes to this machine only"},
        {"ftp://127.0.0.1/", "neither https nor http"},
        {"file:///etc/passwd", ""},
        {"https://name:marker@127.0.0.1/", "credentials"},
        {"https://name@127.0.0.1/", "credentials"},
        {"https://:marker@127.0.0.1/", "credentials"},
        {"", "not a usable URL"},
        {"127.0.0.1/", "not a usable URL"},
        {"https://", "not a usable URL"},
        {"https://a b/", "not a usable URL"},
        {"https://127.0.0.1:99999/", "not a usable URL"},
        {"https://127.0.0.1/\r\nX: marker", "not a usable URL"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct request request;
        make(&request);
        request.bearer = NULL;
        set_text(&request.origin, NULL);
        set_text(&request.url, rows[i].url);
        refused(&request, rows[i].words);
    }
}

static void a_request_without_url_is_refused(void **state) {
    (void)state;
    struct request request;
    request_init(&request);
    request.method = "GET";
    refused(&request, "no URL");
}

static void headers_that_are_nets_own_or_not_valid_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *value, *words;
    } rows[] = {
        {"Authorization", "Basic marker", "not open to settings"},
        {"authorization", "Basic marker", "not open to settings"},
        {"Proxy-Authorization", "x", "not open to settings"},
        {"Cookie", "x", "not open to settings"},
        {"Host", "other.test", "not open to settings"},
        {"Transfer-Encoding", "chunked", "not open to settings"},
        {"Content-Length", "0", "not open to settings"},
        {"Connection", "keep-alive", "not open to settings"},
        {"Expect", "100-continue", "not open to settings"},
        {"X-A", "1\r\nX-B: 2", "not valid"},
        {"X-A", "1\nX-B: 2", "not valid"},
        {"X-A", "\x7f", "not valid"},
        {"X A", "1", "not valid"},
        {"X:", "1", "not valid"},
        {"", "1", "not valid"},
        {"X\n", "1", "not valid"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct request request;
        make(&request);
        headers_add(&request.headers, rows[i].name, rows[i].value);
        refused(&request, rows[i].words);
    }
}

static void tokens_that_no_header_can_hold_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"", "marker token", "marker\ttoken", "marker\r\nX: y", "marker\ntoken", "\x7f"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct request request;
        struct secret *bad = secret_new(texts[i], strlen(texts[i]));
        make(&request);
        request.bearer = bad;
        refused(&request, "the token is empty or holds");
        secret_free(bad);
    }
    struct request request;
    struct secret *bad = secret_new("mark\0er", 7);
    make(&request);
    request.bearer = bad;
    refused(&request, "the token is empty or holds");
    secret_free(bad);
}

static void the_home_folder_changes_nothing(void **state) {
    (void)state;
    char *home = proc_folder_new(), path[512];
    struct request request;
    struct reply reply;
    struct str got;
    (void)snprintf(path, sizeof path, "%s/.netrc", home);
    assert_true(proc_write_file(path, "machine 127.0.0.1 login planted password planted\n"));
    (void)snprintf(path, sizeof path, "%s/.curlrc", home);
    assert_true(proc_write_file(path, "header = \"X-Planted: 1\"\nuser = planted:planted\n"));
    assert_int_equal(setenv("HOME", home, 1), 0);
    for (int with = 0; with < 2; with++) {
        make(&request);
        if (!with)
            request.bearer = NULL;
        assert_true(exchange_run(net, &request, &reply));
        assert_int_equal(reply.status, 200);
        reply_clear(&reply);
    }
    str_init(&got, TEXT_MAX);
    relay_received(relay, &got);
    assert_null(strcasestr(got.s, "planted"));
    assert_null(strcasestr(got.s, "Basic"));
    assert_non_null(strstr(got.s, "\r\nAuthorization: Bearer marker-token-4711\r\n"));
    str_clear(&got);
    proc_folder_remove(home);
}

static void no_failure_names_query_or_token(void **state) {
    (void)state;
    struct relay *cut = relay_text("HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\nmarker-body");
    struct request request;
    struct reply reply;
    make(&request);
    request_clear(&request);
    exchange_get_from(&request, relay_port(cut), "/intent/list?cursor=marker-query");
    request.bearer = token;
    assert_true(exchange_run(net, &request, &reply));
    assert_int_equal(reply.failure.code, ERR_NETWORK);
    assert_null(strstr(reply.failure.text, "marker"));
    assert_null(strstr(reply.failure.text, "intent"));
    reply_clear(&reply);
    relay_free(cut);
}

static void a_name_that_does_not_exist_is_not_sent(void **state) {
    (void)state;
    struct request request;
    struct reply reply;
    assert_int_equal(setenv("SLOW_GETADDRINFO_MS", "1", 1), 0);
    exchange_get(&request, "https", "no.stall.test", 443, "/?marker");
    request.write = true;
    request.method = "POST";
    assert_true(exchange_run(net, &request, &reply));
    assert_string_equal(err_name(reply.failure.code), "resolve");
    assert_non_null(strstr(reply.failure.text, "no.stall.test: no such name"));
    assert_false(reply.sent);
    reply_clear(&reply);
}

static void set_proxy(const char *name, int port) {
    char text[128];
    (void)snprintf(text, sizeof text, "http://planted:marker@127.0.0.1:%d", port);
    assert_int_equal(setenv(name, text, 1), 0);
}

static void https_takes_the_proxy_and_its_refusal_is_named(void **state) {
    (void)state;
    struct relay *proxy =
        relay_text("HTTP/1.1 407 Proxy Auth\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n");
    struct request request;
    struct reply reply;
    struct str got;
    char want[128];
    set_proxy("https_proxy", relay_port(proxy));
    exchange_get(&request, "https", "api.example.test", 443, "/?marker-query");
    request.bearer = token;
    assert_true(exchange_run(net, &request, &reply));
    assert_string_equal(err_name(reply.failure.code), "connect");
    (void)snprintf(want, sizeof want,
                   "the proxy 127.0.0.1:%d does not let through to api.example.test (it answered 407)",
                   relay_port(proxy));
    assert_string_equal(reply.failure.text, want);
    assert_true(reply.from_proxy);
    assert_false(reply.sent);
    assert_int_equal(reply.status, 0);
    str_init(&got, TEXT_MAX);
    relay_received(proxy, &got);
    assert_true(str_starts(got.s, "CONNECT api.example.test:443 HTTP/1.1\r\n"));
    assert_null(strstr(got.s, "marker-token"));
    assert_null(strstr(got.s, "marker-query"));
    str_clear(&got);
    reply_clear(&reply);
    relay_free(proxy);
}

static void a_dead_proxy_is_named_without_credentials(void **state) {
    (void)state;
    struct relay *gone = relay_text("");
    int port = relay_port(gone);
    struct request request;
    struct reply reply;
    char want[128];
    relay_free(gone);
    set_proxy("ALL_PROXY", port);
    exchange_get(&request, "https", "api.example.test", 443, "/");
    assert_true(exchange_run(net, &request, &reply));
    (void)snprintf(want, sizeof want, "the proxy 127.0.0.1:%d: no connection to it", port);
    assert_string_equal(reply.failure.text, want);
    reply_clear(&reply);
}

static void plain_http_never_takes_a_proxy(void **state) {
    (void)state;
    struct relay *proxy = relay_text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    struct request request;
    struct reply reply;
    for (size_t i = 0; i < COUNT_OF(proxy_names); i++)
        if (!strcasestr(proxy_names[i], "no_"))
            set_proxy(proxy_names[i], relay_port(proxy));
    make(&request);
    assert_true(exchange_run(net, &request, &reply));
    assert_int_equal(reply.status, 200);
    assert_int_equal(relay_connections(proxy), 0);
    assert_int_equal(relay_connections(relay), 1);
    reply_clear(&reply);
    relay_free(proxy);
}

/* Forms that libcurl passes over: read as they are meant, or said. */
static void f64_exceptions_in_every_form_are_read_or_said(void **state) {
    (void)state;
    static const struct {
        const char *list, *address;
        bool direct;
        enum proxy_reading reading; /* of the first */
    } rows[] = {
        {"api.test:443", "https://api.test", true, PROXY_PORT_ALONE},
        {"api.test:8443", "https://api.test:8443/x", true, PROXY_PORT_ALONE},
        {"api.test:8443", "https://api.test", false, PROXY_PORT_ALONE},
        {"test:443", "https://api.test", true, PROXY_PORT_ALONE},
        {"[fd00::1]:443", "https://[fd00::1]", true, PROXY_PORT_ALONE},
        {"[fd00::1]:444", "https://[fd00::1]", false, PROXY_PORT_ALONE},
        {"10.0.0.0/8:443", "https://10.1.2.3", true, PROXY_PORT_ALONE},
        {"api.test:", "https://api.test", false, PROXY_NOT_READ},
        {"api.test:https", "https://api.test", false, PROXY_NOT_READ},
        {"api.test:99999", "https://api.test", false, PROXY_NOT_READ},
        {"*.test", "https://api.test", true, PROXY_DOMAIN},
        {"*.other.test", "https://api.test", false, PROXY_DOMAIN},
        {"*pi.test", "https://api.test", false, PROXY_NOT_READ},
        {"api.*", "https://api.test", false, PROXY_NOT_READ},
        {"10.*", "https://10.1.2.3", false, PROXY_NOT_READ},
        {"10.0.0.0/33", "https://10.1.2.3", false, PROXY_NOT_READ},
        {"10.0.0.0/255.0.0.0", "https://10.1.2.3", false, PROXY_NOT_READ},
        {"10.0.0", "https://10.0.0.3", false, PROXY_NOT_READ},
        {"https://api.test", "https://api.test", false, PROXY_NOT_READ},
        {"<local>", "https://api.test", false, PROXY_NOT_READ},
        {"other.test;api.test", "https://api.test", false, PROXY_NOT_READ},
        {"*", "https://api.test", true, PROXY_PLAIN},
        {"other.test, *", "https://api.test", true, PROXY_PLAIN},
        {"fd00::1", "https://[fd00::1]", true, PROXY_PLAIN},
        {"10.0.0.0/8", "https://10.1.2.3", true, PROXY_PLAIN},
        {"under_score.test", "https://api.test", false, PROXY_PLAIN},
    };
    set_proxy("https_proxy", 8080);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str text;
        const char *entry;
        size_t len;
        enum proxy_reading reading;
        str_init(&text, 256);
        assert_int_equal(setenv("NO_PROXY", rows[i].list, 1), 0);
        bool direct = proxy_text(rows[i].address, &text) == NULL;
        if (direct != rows[i].direct || !proxy_exception(0, &entry, &len, &reading) || reading != rows[i].reading)
            fail_msg("%s for %s: %s, reading %d", rows[i].list, rows[i].address, direct ? "direct" : text.s,
                     (int)reading);
        str_clear(&text);
    }
}

static void f64_an_error_behind_a_proxy_names_it(void **state) {
    (void)state;
    const struct relay_answer through[] = {{.bytes = "HTTP/1.1 200 Connected\r\n\r\n"}};
    struct relay *proxy = relay_script(through, 1, NULL);
    struct request request;
    struct reply reply;
    char want[64];
    (void)snprintf(want, sizeof want, "api.example.test through the proxy 127.0.0.1:%d", relay_port(proxy));
    set_proxy("https_proxy", relay_port(proxy));
    exchange_get(&request, "https", "api.example.test", 443, "/");
    assert_true(exchange_run(net, &request, &reply));
    assert_int_not_equal(reply.failure.code, ERR_OK);
    assert_non_null(strstr(reply.failure.text, want));
    assert_null(strstr(reply.failure.text, "planted"));
    assert_string_equal(reply.proxy, want + strlen("api.example.test through the proxy "));
    reply_clear(&reply);
    relay_free(proxy);
}

static void the_proxy_that_is_shown_follows_the_variables(void **state) {
    (void)state;
    static const struct {
        const char *variable, *value, *no_proxy, *origin, *text;
    } rows[] = {
        {"https_proxy", "http://u:p@proxy.test:8080", "", "https://api.test:443", "proxy.test:8080"},
        {"https_proxy", "proxy.test:8080", "", "https://api.test:443", "proxy.test:8080"},
        {"HTTPS_PROXY", "http://proxy.test", "", "https://api.test:443", "proxy.test:1080"},
        {"https_proxy", "https://proxy.test", "", "https://api.test:443", "proxy.test:443"},
        {"all_proxy", "socks5h://proxy.test:9", "", "https://api.test:443", "proxy.test:9"},
        {"ALL_PROXY", "http://[::1]:9", "", "https://api.test:443", "[::1]:9"},
        {"http_proxy", "http://proxy.test:1", "", "https://api.test:443", ""},
        {"https_proxy", "http://proxy.test:1", "", "http://127.0.0.1:80", ""},
        {"all_proxy", "http://proxy.test:1", "", "http://127.0.0.1:80", ""},
        {"https_proxy", "", "", "https://api.test:443", ""},
        {"https_proxy", "http://proxy.test:1", "*", "https://api.test:443", ""},
        {"https_proxy", "http://proxy.test:1", "api.test", "https://api.test:443", ""},
        {"https_proxy", "http://proxy.test:1", "API.test", "https://api.test:443", ""},
        {"https_proxy", "http://proxy.test:1", "x, .test", "https://api.test:443", ""},
        {"https_proxy", "http://proxy.test:1", "x y test", "https://api.test:443", ""},
        {"https_proxy", "http://proxy.test:1", "pi.test", "https://api.test:443", "proxy.test:1"},
        {"https_proxy", "http://proxy.test:1", "api.test.other", "https://api.test:443", "proxy.test:1"},
        {"https_proxy", "http://proxy.test:1", ",,. ,", "https://api.test:443", "proxy.test:1"},
        {"https_proxy", "http://proxy.test:1", "10.0.0.0/8", "https://10.1.2.3:443", ""},
        {"https_proxy", "http://proxy.test:1", "10.0.0.0/12", "https://10.16.2.3:443", "proxy.test:1"},
        {"https_proxy", "http://proxy.test:1", "10.1.2.3", "https://10.1.2.3:443", ""},
        {"https_proxy", "http://proxy.test:1", "10.0.0.0/99", "https://10.1.2.3:443", "proxy.test:1"},
        {"https_proxy", "http://proxy.test:1", "10.0.0.0/x", "https://10.1.2.3:443", "proxy.test:1"},
        {"https_proxy", "http://proxy.test:1", "[fd00::1]", "https://[fd00::1]:443", ""},
        {"https_proxy", "http://proxy.test:1", "fd00::/8", "https://[fd00::2]:443", ""},
        {"https_proxy", "http://proxy.test:1", "fe00::/8", "https://[fd00::2]:443", "proxy.test:1"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str text;
        str_init(&text, 256);
        assert_int_equal(setenv(rows[i].variable, rows[i].value, 1), 0);
        assert_int_equal(setenv(i % 2 ? "NO_PROXY" : "no_proxy", rows[i].no_proxy, 1), 0);
        (void)proxy_text(rows[i].origin, &text);
        if (!str_equal(text.s, rows[i].text))
            fail_msg("row %zu: \"%s\", not \"%s\"", i, text.s, rows[i].text);
        assert_int_equal(unsetenv(rows[i].variable), 0);
        assert_int_equal(unsetenv(i % 2 ? "NO_PROXY" : "no_proxy"), 0);
        str_clear(&text);
    }
}

static void an_exempt_host_is_reached_directly(void **state) {
    (void)state;
    struct relay *proxy = relay_text("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n");
    struct request request;
    struct reply reply;
    const struct relay_answer no_tls = {.bytes = "no TLS here\n", .before_request = true};
    struct relay *direct = relay_script(&no_tls, 1, NULL);
    set_proxy("https_proxy", relay_port(proxy));
    assert_int_equal(setenv("no_proxy", "127.0.0.0/8", 1), 0);
    exchange_get(&request, "https", "127.0.0.1", relay_port(direct), "/");
    assert_true(exchange_run(net, &request, &reply));
    assert_int_equal(reply.failure.code, ERR_TLS);
    assert_int_equal(relay_connections(proxy), 0);
    assert_int_equal(relay_connections(direct), 1);
    reply_clear(&reply);
    relay_free(direct);
    relay_free(proxy);
}

static void the_version_names_both_libraries(void **state) {
    (void)state;
    assert_true(str_starts(net_version(), "libcurl/"));
    assert_non_null(strchr(net_version(), ' '));
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH(the_token_goes_to_its_own_origin_only),
        WITH(an_origin_binds_even_without_a_token),
        WITH(without_a_token_no_authorization_is_sent),
        WITH(urls_that_no_request_may_have_are_refused),
        WITH(a_request_without_url_is_refused),
        WITH(headers_that_are_nets_own_or_not_valid_are_refused),
        WITH(tokens_that_no_header_can_hold_are_refused),
        WITH(the_home_folder_changes_nothing),
        WITH(no_failure_names_query_or_token),
        WITH(a_name_that_does_not_exist_is_not_sent),
        WITH(https_takes_the_proxy_and_its_refusal_is_named),
        WITH(a_dead_proxy_is_named_without_credentials),
        WITH(plain_http_never_takes_a_proxy),
        WITH(the_proxy_that_is_shown_follows_the_variables),
        WITH(f64_exceptions_in_every_form_are_read_or_said),
        WITH(f64_an_error_behind_a_proxy_names_it),
        WITH(an_exempt_host_is_reached_directly),
        WITH(the_version_names_both_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
