#include "net_make.h"
#include "support/proc.h"
#include "support/relay.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

static int set_up(void **state) {
    (void)state;
    const struct net_options options = {.total_timeout_s = 20};
    return net_set_up_with(&options);
}

static void get(struct relay *relay, const char *path, struct reply *reply) {
    struct request request;
    exchange_get_from(&request, relay_port(relay), path);
    assert_true(exchange_run(net, &request, reply));
}

/* One answer, asked for once. */
static void answer(const char *text, struct reply *reply) {
    struct relay *relay = relay_text(text);
    get(relay, "/", reply);
    assert_int_equal(relay_connections(relay), 1);
    relay_free(relay);
}

static void assert_failure(const struct reply *reply, enum err err, const char *words) {
    assert_string_equal(err_name(reply->failure.code), err_name(err));
    if (!strstr(reply->failure.text, words))
        fail_msg("\"%s\" does not say \"%s\"", reply->failure.text, words);
    assert_non_null(strstr(reply->failure.text, "127.0.0.1"));
    assert_null(reply->body);
    assert_int_equal(reply->body_len, 0);
}

static void a_whole_answer_comes_with_its_figures(void **state) {
    (void)state;
    struct reply reply;
    answer("HTTP/1.1 200 Fine\r\nContent-Type: application/json\r\nX-Id:  a b \r\nContent-Length: 4\r\n\r\n{\"\"}",
           &reply);
    assert_int_equal(reply.failure.code, ERR_OK);
    assert_string_equal(reply.failure.text, "");
    assert_int_equal(reply.status, 200);
    assert_int_equal(reply.http_version, 11);
    assert_true(reply.sent);
    assert_false(reply.from_proxy);
    assert_int_equal(reply.body_len, 4);
    assert_string_equal(reply.body, "{\"\"}");
    assert_string_equal(headers_find(&reply.headers, "x-id"), "a b");
    assert_int_equal(reply.headers.n, 3);
    assert_null(reply.redirect);
    assert_true(reply.total_us >= reply.first_byte_us && reply.first_byte_us > 0);
    reply_clear(&reply);
}

static void an_empty_body_is_an_empty_text(void **state) {
    (void)state;
    struct reply reply;
    answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", &reply);
    assert_int_equal(reply.failure.code, ERR_OK);
    assert_string_equal(reply.body, "");
    reply_clear(&reply);
}

static void a_body_may_end_with_the_connection(void **state) {
    (void)state;
    struct reply reply;
    answer("HTTP/1.0 200 OK\r\n\r\n{}", &reply);
    assert_int_equal(reply.failure.code, ERR_OK);
    assert_int_equal(reply.http_version, 10);
    assert_string_equal(reply.body, "{}");
    reply_clear(&reply);
}

static void the_request_is_sent_as_given_and_nothing_is_added(void **state) {
    (void)state;
    struct relay *relay = relay_text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    struct request request;
    struct reply reply;
    struct str got;
    struct secret *token = secret_new("marker-token-4711", 17);
    exchange_get_from(&request, relay_port(relay), "/a/../b%2F//?status=a%26b&cursor=%2B%3D");
    headers_add(&request.headers, "Accept", "application/json");
    headers_add(&request.headers, "X-Empty", "");
    request.bearer = token;
    assert_true(exchange_run(net, &request, &reply));
    str_init(&got, MIB);
    relay_received(relay, &got);
    char want[512];
    assert_true(snprintf(want, sizeof want,
                         "GET /a/../b%%2F//?status=a%%26b&cursor=%%2B%%3D HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                         "User-Agent: bursar/%s\r\nAccept-Encoding: gzip\r\nAccept: application/json\r\nX-Empty:\r\n"
                         "Authorization: Bearer marker-token-4711\r\n\r\n",
                         relay_port(relay), BURSAR_VERSION) < (int)sizeof want);
    assert_string_equal(got.s, want);
    secret_free(token);
    str_clear(&got);
    reply_clear(&reply);
    relay_free(relay);
}

static void a_read_may_have_a_body_and_stays_a_get(void **state) {
    (void)state;
    struct relay *relay = relay_text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    struct request request;
    struct reply reply;
    struct str got;
    exchange_post_to(&request, relay_port(relay), "/list", "{}");
    request.method = "GET";
    request.write = false;
    assert_true(exchange_run(net, &request, &reply));
    str_init(&got, MIB);
    relay_received(relay, &got);
    assert_true(str_starts(got.s, "GET /list HTTP/1.1\r\n"));
    assert_non_null(strstr(got.s, "Content-Length: 2\r\n"));
    assert_non_null(strstr(got.s, "\r\n\r\n{}"));
    assert_null(strstr(got.s, "Expect"));
    str_clear(&got);
    reply_clear(&reply);
    relay_free(relay);
}

static void reads_keep_their_connection(void **state) {
    (void)state;
    const struct relay_answer kept = {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", .keep_open = true};
    struct relay *relay = relay_script(&kept, 1, NULL);
    for (int i = 0; i < 5; i++) {
        struct reply reply;
        get(relay, "/", &reply);
        assert_string_equal(reply.body, "{}");
        assert_true(reply.sent);
        reply_clear(&reply);
    }
    assert_int_equal(relay_connections(relay), 1);
    assert_int_equal(relay_requests(relay), 5);
    relay_free(relay);
}

static void many_reads_run_at_once(void **state) {
    (void)state;
    enum { N = 20 };
    const struct relay_answer kept = {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", .keep_open = true};
    struct relay *relay = relay_script(&kept, 1, NULL);
    uint64_t last = 0;
    for (int i = 0; i < N; i++) {
        struct request request;
        exchange_get_from(&request, relay_port(relay), "/");
        uint64_t ticket = net_send(net, &request);
        assert_true(ticket > last);
        last = ticket;
    }
    assert_int_equal(net_running(net), N);
    int ended = 0;
    for (int turn = 0; ended < N && turn < 10000; turn++) {
        struct reply reply;
        net_wait(net, NULL, 0, 1000);
        while (net_take(net, &reply)) {
            assert_int_equal(reply.failure.code, ERR_OK);
            reply_clear(&reply);
            ended++;
        }
    }
    assert_int_equal(ended, N);
    assert_int_equal(net_running(net), 0);
    relay_free(relay);
}

static void plain_answers_of_every_status_are_asked_for_once(void **state) {
    (void)state;
    static const int statuses[] = {204, 205, 304, 400, 401, 403, 404, 408, 409, 425, 429, 500, 502, 503, 504, 599};
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        char text[128];
        struct reply reply;
        (void)snprintf(text, sizeof text, "HTTP/1.1 %d Text\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n",
                       statuses[i]);
        answer(text, &reply);
        assert_int_equal(reply.failure.code, ERR_OK);
        assert_int_equal(reply.status, statuses[i]);
        reply_clear(&reply);
    }
}

static void a_redirect_is_reported_and_never_followed(void **state) {
    (void)state;
    static const int statuses[] = {301, 302, 303, 307, 308};
    struct relay *second = relay_text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    struct secret *token = secret_new("marker-token-4711", 17);
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        char text[256], target[64];
        struct request request;
        struct reply reply;
        (void)snprintf(target, sizeof target, "http://localhost:%d/x?y=1", relay_port(second));
        (void)snprintf(text, sizeof text, "HTTP/1.1 %d Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", statuses[i],
                       target);
        struct relay *first = relay_text(text);
        exchange_get_from(&request, relay_port(first), "/");
        request.bearer = token;
        assert_true(exchange_run(net, &request, &reply));
        assert_int_equal(reply.status, statuses[i]);
        assert_string_equal(reply.redirect, target);
        assert_int_equal(relay_connections(first), 1);
        reply_clear(&reply);
        relay_free(first);
    }
    assert_int_equal(relay_connections(second), 0);
    secret_free(token);
    relay_free(second);
}

static void a_relative_redirect_becomes_absolute(void **state) {
    (void)state;
    struct relay *relay = relay_text("HTTP/1.1 301 Moved\r\nLocation: ../there\r\nContent-Length: 0\r\n\r\n");
    struct reply reply;
    char want[64];
    get(relay, "/a/b/c", &reply);
    (void)snprintf(want, sizeof want, "http://127.0.0.1:%d/a/there", relay_port(relay));
    assert_string_equal(reply.redirect, want);
    reply_clear(&reply);
    relay_free(relay);
}

static void a_redirect_target_cannot_act_on_a_terminal(void **state) {
    (void)state;
    struct reply reply;
    answer("HTTP/1.1 302 Moved\r\nLocation: https://x.example/\x1b]0;t\x07\xe2\x80\xae\r\nContent-Length: 0\r\n\r\n",
           &reply);
    assert_non_null(reply.redirect);
    for (const char *c = reply.redirect; *c; c++)
        assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
    assert_null(strstr(reply.redirect, "\xe2\x80\xae"));
    reply_clear(&reply);
}

static void header_values_are_sanitised(void **state) {
    (void)state;
    struct reply reply;
    answer("HTTP/1.1 429 Slow\r\nX-\x1b[2J: v\r\nRetry-After: \x1b]52;c;QUJD\x07 5\xff\r\nContent-Length: 0\r\n\r\n",
           &reply);
    assert_string_equal(headers_find(&reply.headers, "Retry-After"), "<1B>]52;c;QUJD<07> 5\xef\xbf\xbd");
    for (size_t i = 0; i < reply.headers.n; i++)
        assert_null(strchr(reply.headers.items[i].name, 0x1b));
    reply_clear(&reply);
}

static const char chunked[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,2,\r\n2\r\n3]\r\n0\r\n\r\n";
static const char measured[] = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n[1,2,3]";

/* but: bytes at the end that carry nothing, the last line feed after the last chunk. */
static void cut_everywhere(const char *text, size_t but, bool reset) {
    const struct relay_answer whole = {.bytes = text};
    struct relay *relay = relay_script(&whole, 1, NULL);
    for (size_t n = 0; n < strlen(text) - but; n++) {
        struct reply reply;
        const struct relay_fault fault = {.cut = true, .cut_after = n, .reset = reset};
        relay_set_fault(relay, &fault);
        get(relay, "/", &reply);
        if (reply.failure.code == ERR_OK)
            fail_msg("cut after %zu bytes, and taken for whole", n);
        assert_null(reply.body);
        assert_true(reply.sent);
        reply_clear(&reply);
    }
    relay_free(relay);
}

static void an_answer_cut_at_any_byte_is_refused_whole(void **state) {
    (void)state;
    cut_everywhere(measured, 0, false);
    cut_everywhere(chunked, 1, false);
}

static void an_answer_reset_at_any_byte_is_refused_whole(void **state) {
    (void)state;
    cut_everywhere(measured, 0, true);
    cut_everywhere(chunked, 1, true);
}

static void the_uncut_answers_are_good(void **state) {
    (void)state;
    struct reply reply;
    answer(chunked, &reply);
    assert_string_equal(reply.body, "[1,2,3]");
    reply_clear(&reply);
    answer(measured, &reply);
    assert_string_equal(reply.body, "[1,2,3]");
    reply_clear(&reply);
}

static void a_body_shorter_than_its_length_says_so(void **state) {
    (void)state;
    struct reply reply;
    answer("HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n[1,2,3]", &reply);
    assert_failure(&reply, ERR_NETWORK, "cut short");
    assert_int_equal(reply.status, 200);
    reply_clear(&reply);
}

static void no_answer_at_all_says_so(void **state) {
    (void)state;
    struct reply reply;
    const struct relay_answer nothing = {0};
    struct relay *relay = relay_script(&nothing, 1, NULL);
    get(relay, "/", &reply);
    assert_failure(&reply, ERR_NETWORK, "closed without an answer");
    assert_int_equal(reply.status, 0);
    assert_true(reply.sent);
    reply_clear(&reply);
    relay_free(relay);
}

static void what_is_not_http_is_named(void **state) {
    (void)state;
    struct reply reply;
    answer("SSH-2.0-Something_1.0\r\n", &reply);
    assert_failure(&reply, ERR_UNEXPECTED, "does not speak HTTP");
    assert_int_equal(reply.status, 0);
    reply_clear(&reply);
}

static void big_body(size_t len, struct reply *reply) {
    struct str text;
    str_init(&text, (size_t)64 * MIB);
    str_addf(&text, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", len);
    str_add_repeat(&text, ' ', len);
    answer(text.s, reply);
    str_clear(&text);
}

static void a_body_at_the_limit_passes_and_one_byte_more_does_not(void **state) {
    (void)state;
    struct reply reply;
    big_body(REPLY_BODY_MAX - 1, &reply);
    assert_int_equal(reply.failure.code, ERR_OK);
    assert_int_equal(reply.body_len, REPLY_BODY_MAX - 1);
    reply_clear(&reply);
    big_body(REPLY_BODY_MAX, &reply);
    assert_int_equal(reply.failure.code, ERR_OK);
    assert_int_equal(reply.body_len, REPLY_BODY_MAX);
    reply_clear(&reply);
    big_body(REPLY_BODY_MAX + 1, &reply);
    assert_failure(&reply, ERR_LIMIT, "larger than 16 MiB");
    reply_clear(&reply);
}

static void an_endless_body_is_ended_by_the_limit(void **state) {
    (void)state;
    struct reply reply;
    const struct relay_answer endless = {.bytes = "HTTP/1.1 200 OK\r\n\r\n", .tail = "          \n"};
    struct relay *relay = relay_script(&endless, 1, NULL);
    get(relay, "/", &reply);
    assert_failure(&reply, ERR_LIMIT, "larger than 16 MiB");
    reply_clear(&reply);
    relay_free(relay);
}

static void endless_headers_are_ended_by_the_limit(void **state) {
    (void)state;
    struct reply reply;
    const struct relay_answer whole = {.bytes = measured};
    const struct relay_fault fault = {.endless_headers = true};
    struct relay *relay = relay_script(&whole, 1, &fault);
    get(relay, "/", &reply);
    assert_failure(&reply, ERR_LIMIT, "headers are larger");
    reply_clear(&reply);
    relay_free(relay);
}

static void one_endless_header_line_is_ended_by_a_limit(void **state) {
    (void)state;
    struct reply reply;
    const struct relay_answer endless = {.bytes = "HTTP/1.1 200 OK\r\nX: ", .tail = "0123456789"};
    struct relay *relay = relay_script(&endless, 1, NULL);
    get(relay, "/", &reply);
    assert_failure(&reply, ERR_LIMIT, "headers are larger");
    reply_clear(&reply);
    relay_free(relay);
}

static void endless_interim_answers_are_ended_by_a_limit(void **state) {
    (void)state;
    struct reply reply;
    const struct relay_answer endless = {.bytes = "", .tail = "HTTP/1.1 102 Processing\r\n\r\n"};
    struct relay *relay = relay_script(&endless, 1, NULL);
    get(relay, "/", &reply);
    assert_failure(&reply, ERR_LIMIT, "interim answers");
    assert_int_equal(reply.status, 0);
    reply_clear(&reply);
    relay_free(relay);
}

static void an_interim_answer_leaves_no_trace_in_the_final_one(void **state) {
    (void)state;
    struct reply reply;
    answer("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 404 No\r\nX-A: 1\r\nContent-Length: 0\r\n\r\n",
           &reply);
    assert_int_equal(reply.status, 404);
    assert_null(headers_find(&reply.headers, "Link"));
    assert_string_equal(headers_find(&reply.headers, "X-A"), "1");
    reply_clear(&reply);
}

static void trailers_do_not_change_the_headers(void **state) {
    (void)state;
    struct reply reply;
    answer("HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-A: 2\r\nX-B: 3\r\n\r\n",
           &reply);
    assert_int_equal(reply.failure.code, ERR_OK);
    assert_string_equal(headers_find(&reply.headers, "X-A"), "1");
    assert_null(headers_find(&reply.headers, "X-B"));
    reply_clear(&reply);
}

/* head, then the output of a shell command as the body. */
static void answer_made(const char *head, const char *command, struct reply *reply) {
    char *folder = proc_folder_new();
    struct str script, text;
    struct proc made;
    str_init(&script, 4096);
    str_addf(&script, "%s > '%s/body'", command, folder);
    const char *const argv[] = {"/bin/sh", "-c", script.s, NULL};
    assert_int_equal(proc_run(&made, argv, NULL, EXCHANGE_DEADLINE), 0);
    proc_end(&made);
    str_reset(&script);
    str_addf(&script, "%s/body", folder);
    FILE *file = fopen(script.s, "rb");
    assert_non_null(file);
    str_init(&text, (size_t)4 * MIB);
    str_add(&text, head);
    char bytes[4096];
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
        str_add_n(&text, bytes, n);
    (void)fclose(file);
    const struct relay_answer whole = {.bytes = text.s, .len = text.len};
    struct relay *relay = relay_script(&whole, 1, NULL);
    get(relay, "/", reply);
    relay_free(relay);
    str_clear(&text);
    str_clear(&script);
    proc_folder_remove(folder);
}

static const char gzip_head[] = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";

static void a_compressed_answer_is_unpacked(void **state) {
    (void)state;
    struct reply reply;
    answer_made(gzip_head, "printf '[1,2,3]' | gzip", &reply);
    assert_int_equal(reply.failure.code, ERR_OK);
    assert_string_equal(reply.body, "[1,2,3]");
    reply_clear(&reply);
}

static void a_damaged_compressed_answer_is_refused(void **state) {
    (void)state;
    struct reply reply;
    answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\n\r\n[1,2,3]", &reply);
    assert_failure(&reply, ERR_NETWORK, "compressed answer is damaged");
    reply_clear(&reply);
}

static void a_decompression_bomb_is_stopped_with_memory_flat(void **state) {
    (void)state;
    struct reply reply;
    struct rusage before, after;
    assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
    answer_made(gzip_head, "head -c 200000000 /dev/zero | gzip -9", &reply);
    assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
    assert_failure(&reply, ERR_LIMIT, "larger than 16 MiB");
    assert_true(after.ru_maxrss - before.ru_maxrss < 96 * 1024);
    reply_clear(&reply);
}

static void stacked_encodings_are_refused(void **state) {
    (void)state;
    struct reply reply;
    struct str text;
    str_init(&text, MIB);
    str_add(&text, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip");
    for (int i = 1; i < 50; i++)
        str_add(&text, ", gzip");
    str_add(&text, "\r\nContent-Length: 2\r\n\r\n{}");
    answer(text.s, &reply);
    assert_failure(&reply, ERR_LIMIT, "compressed more than 2 times");
    reply_clear(&reply);
    str_reset(&text);
    str_add(&text, "HTTP/1.1 200 OK\r\n");
    for (int i = 0; i < 50; i++)
        str_add(&text, "Content-Encoding: gzip\r\n");
    str_add(&text, "Content-Length: 2\r\n\r\n{}");
    answer(text.s, &reply);
    assert_failure(&reply, ERR_LIMIT, "compressed more than 2 times");
    reply_clear(&reply);
    str_clear(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_answer_comes_with_its_figures),
        cmocka_unit_test(an_empty_body_is_an_empty_text),
        cmocka_unit_test(a_body_may_end_with_the_connection),
        cmocka_unit_test(the_request_is_sent_as_given_and_nothing_is_added),
        cmocka_unit_test(a_read_may_have_a_body_and_stays_a_get),
        cmocka_unit_test(reads_keep_their_connection),
        cmocka_unit_test(many_reads_run_at_once),
        cmocka_unit_test(plain_answers_of_every_status_are_asked_for_once),
        cmocka_unit_test(a_redirect_is_reported_and_never_followed),
        cmocka_unit_test(a_relative_redirect_becomes_absolute),
        cmocka_unit_test(a_redirect_target_cannot_act_on_a_terminal),
        cmocka_unit_test(header_values_are_sanitised),
        cmocka_unit_test(an_answer_cut_at_any_byte_is_refused_whole),
        cmocka_unit_test(an_answer_reset_at_any_byte_is_refused_whole),
        cmocka_unit_test(the_uncut_answers_are_good),
        cmocka_unit_test(a_body_shorter_than_its_length_says_so),
        cmocka_unit_test(no_answer_at_all_says_so),
        cmocka_unit_test(what_is_not_http_is_named),
        cmocka_unit_test(a_body_at_the_limit_passes_and_one_byte_more_does_not),
        cmocka_unit_test(an_endless_body_is_ended_by_the_limit),
        cmocka_unit_test(endless_headers_are_ended_by_the_limit),
        cmocka_unit_test(one_endless_header_line_is_ended_by_a_limit),
        cmocka_unit_test(endless_interim_answers_are_ended_by_a_limit),
        cmocka_unit_test(an_interim_answer_leaves_no_trace_in_the_final_one),
        cmocka_unit_test(trailers_do_not_change_the_headers),
        cmocka_unit_test(a_compressed_answer_is_unpacked),
        cmocka_unit_test(a_damaged_compressed_answer_is_refused),
        cmocka_unit_test(a_decompression_bomb_is_stopped_with_memory_flat),
        cmocka_unit_test(stacked_encodings_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, net_tear_down);
}
