/* The command line against an independent mock made from the interface document, and the command line and the sandbox
 * both held to that document by an independent validator between them. */
#include "support/mock.h"
#include "base/mem.h"
#include "support/console.h"
#include "support/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RUNS = 12 };

static struct service service;

static int start(void **state) {
    (void)state;
    return service_start(&service, (const char *const[]){"--plain", "--intents", "700", NULL}) ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    return service_stop(&service);
}

static void skip_without_document(void) {
    if (mock_missing()) {
        print_message("skipped: %s\n", mock_missing());
        skip();
    }
}

static void the_dynamic_mock_is_listed_to_its_end(void **state) {
    (void)state;
    static const char *const formats[] = {"ndjson", "csv", "table", "json"};
    struct mock mock;
    int done = 0;
    skip_without_document();
    assert_true(mock_start(&mock));
    assert_true(console_configure(&service, mock.url, ""));
    for (int i = 0; i < RUNS; i++) {
        struct proc proc;
        const char *const args[] = {"intents",  "list",     "--limit", "300",       "--format", formats[i % 4],
                                    "--status", "declined", "--type",  "card_only", NULL};
        int status = console_run(&service, args, &proc);
        if (status != 0 && status != 7 && status != 8)
            print_error("exit %d: %s\n", status, proc.err.s);
        assert_true(status == 0 || status == 7 || status == 8);
        done += status == 0 && proc.out.len > 0;
        (void)proc_end(&proc);
    }
    /* It refuses what does not keep to the document, so that something accepted shows that the requests do. */
    assert_true(done > 0);
    assert_null(strstr(mock_log(&mock), "error"));
    mock_stop(&mock);
}

/* Both sides of a listing, with arguments after "intents list --all": the same rows as without the validator. */
static void list_both_ways(struct mock *mock, const char *const filter[4]) {
    struct proc direct, held;
    const char *const args[] = {"intents", "list",    "--all",   "--format", "csv",
                                filter[0], filter[1], filter[2], filter[3],  NULL};
    assert_true(console_configure(&service, service.url, ""));
    assert_int_equal(console_run(&service, args, &direct), 0);
    assert_true(console_configure(&service, mock->url, ""));
    assert_int_equal(console_run(&service, args, &held), 0);
    assert_string_equal(held.out.s, direct.out.s);
    assert_true(text_count(held.out.s, "\n") > 1);
    (void)proc_end(&direct);
    (void)proc_end(&held);
}

static void reads_violate_nothing(void **state) {
    (void)state;
    static const char *const filters[][4] = {
        {NULL},
        {"--status", "created"},
        {"--status", "approved"},
        {"--status", "declined"},
        {"--status", "pending"},
        {"--status", "canceled"},
        {"--type", "primary"},
        {"--type", "card_only"},
        {"--status", "declined", "--status", "pending"},
        {"--status", "approved", "--type", "card_only"},
    };
    struct mock mock;
    skip_without_document();
    assert_true(mock_start_proxy(&mock, service.url));
    for (size_t i = 0; i < COUNT_OF(filters); i++)
        list_both_ways(&mock, filters[i]);
    assert_null(strstr(mock_log(&mock), "error"));
    mock_stop(&mock);
}

/* A write through the validator, or a request of any kind. */
static void request(const struct mock *mock, const char *const what[3], const char *token, struct http_reply *reply) {
    struct str headers;
    str_init(&headers, 4096);
    str_addf(&headers, "Authorization: Bearer %s\r\n", token);
    if (what[2])
        str_add(&headers, "Content-Type: application/json\r\n");
    assert_true(http_request(mock->port, what[0], what[1], headers.s, what[2], reply));
    str_clear(&headers);
}

static void writes_and_refusals_violate_nothing(void **state) {
    (void)state;
    static const struct {
        const char *what[3], *token;
        int status;
    } requests[] = {
        {{"POST", "/user",
          "{\"name\":{\"first\":\"Ana\",\"last\":\"Test\"},\"email\":\"ana@example.com\",\"date_of_birth\":"
          "\"1990-01-31\",\"address\":{\"address_line_1\":\"1 Test Road\",\"country\":\"US\"},\"government_id\":"
          "{\"type\":\"passport\",\"last4\":\"1234\"},\"identity_verified\":true}"},
         NULL,
         201},
        {{"POST", "/webhook/register",
          "{\"url\":\"https://hooks.example.com/a\",\"secret\":\"0123456789abcdef0123456789abcdef\"}"},
         NULL,
         201},
        {{"POST", "/webhook/register", "{\"url\":\"https://hooks.example.com/b\"}"}, NULL, 200},
        {{"GET", "/intent/list?status=declined", NULL}, "wrong", 401},
        {{"POST", "/user", "{\"name\":{\"first\":\"Ana\"}}"}, "wrong", 401},
        {{"GET", "/intent/list?cursor=none-of-ours", NULL}, NULL, 400},
    };
    struct mock mock;
    skip_without_document();
    assert_true(mock_start_proxy(&mock, service.url));
    for (size_t i = 0; i < COUNT_OF(requests); i++) {
        struct http_reply reply;
        request(&mock, requests[i].what, requests[i].token ? requests[i].token : service.token, &reply);
        if (reply.status != requests[i].status)
            print_error("%s %s: %d %s\n", requests[i].what[0], requests[i].what[1], reply.status, reply.body.s);
        assert_int_equal(reply.status, requests[i].status);
        http_reply_clear(&reply);
    }
    assert_null(strstr(mock_log(&mock), "error"));
    mock_stop(&mock);
}

/* What the tests above rely on: the validator does see what is wrong. */
static void the_validator_sees_a_wrong_request_and_a_wrong_answer(void **state) {
    (void)state;
    static const char *const wrong[3] = {"POST", "/webhook/register", "{\"url\":\"http://hooks.example.com/a\"}"};
    static const char *const right[3] = {"GET", "/intent/list", NULL};
    struct service faulty;
    struct mock mock;
    struct http_reply reply;
    struct str body, rule;
    skip_without_document();
    str_init(&body, 4096);
    str_addf(&body, "%s/body", service.folder);
    str_init(&rule, 4096);
    str_addf(&rule, "path=/intent/list body_file=%s", body.s);
    assert_true(proc_write_file(body.s, "{\"data\":[{\"id\":7}]}"));
    assert_true(service_start(&faulty, (const char *const[]){"--plain", "--fault", rule.s, NULL}));
    assert_true(mock_start_proxy(&mock, faulty.url));
    request(&mock, wrong, faulty.token, &reply);
    assert_int_equal(reply.status, 422);
    http_reply_clear(&reply);
    request(&mock, right, faulty.token, &reply);
    assert_int_equal(reply.status, 500);
    assert_non_null(strstr(reply.body.s, "data.0.id must be string"));
    http_reply_clear(&reply);
    assert_true(proc_expect(&mock.proc, "error", PROC_DEADLINE));
    mock_stop(&mock);
    (void)service_stop(&faulty);
    str_clear(&body);
    str_clear(&rule);
}

/* The error schema of the document is an object; read by another parser than ours. */
static bool is_json_object(const char *text) {
    static const char script[] = "const v = JSON.parse(require('fs').readFileSync(process.argv[1]));"
                                 "process.exit(v !== null && typeof v === 'object' && !Array.isArray(v) ? 0 : 1)";
    struct proc proc;
    struct str path;
    str_init(&path, 4096);
    str_addf(&path, "%s/answer", service.folder);
    const char *const argv[] = {"/usr/bin/env", "node", "-e", script, path.s, NULL};
    bool object = proc_write_file(path.s, text) && proc_run(&proc, argv, NULL, PROC_DEADLINE) == 0;
    (void)proc_end(&proc);
    str_clear(&path);
    return object;
}

static void check_refusal(const char *const what[3], const char *lines, int status) {
    struct http_reply reply;
    assert_true(http_request(service.port, what[0], what[1], lines, what[2], &reply));
    char *type = http_header(&reply, "Content-Type");
    if (reply.status != status || !is_json_object(reply.body.s))
        print_error("%s %s: %d %s\n", what[0], what[1], reply.status, reply.body.s);
    assert_int_equal(reply.status, status);
    assert_true(is_json_object(reply.body.s));
    assert_non_null(type);
    assert_int_equal(strncmp(type, "application/json", 16), 0);
    free(type);
    http_reply_clear(&reply);
}

static void every_refusal_of_the_sandbox_is_a_json_object(void **state) {
    (void)state;
    struct str token, json, text, large;
    str_init(&token, 4096);
    str_addf(&token, "Authorization: Bearer %s\r\n", service.token);
    str_init(&json, 4096);
    str_addf(&json, "%sContent-Type: application/json\r\n", token.s);
    str_init(&text, 4096);
    str_addf(&text, "%sContent-Type: text/plain\r\n", token.s);
    /* Said in advance and not sent: a body sent into a refusal may lose the answer. */
    str_init(&large, 4096);
    str_addf(&large, "%sContent-Length: 2097152\r\n", json.s);
    check_refusal((const char *const[]){"GET", "/intent/list?status=nope", NULL}, token.s, 400);
    check_refusal((const char *const[]){"GET", "/intent/list?type=nope", NULL}, token.s, 400);
    check_refusal((const char *const[]){"GET", "/intent/list?cursor=nope", NULL}, token.s, 400);
    check_refusal((const char *const[]){"POST", "/user", "{\"name\":"}, json.s, 400);
    check_refusal((const char *const[]){"POST", "/webhook/register", "{\"url\":\"http://a.example.com\"}"}, json.s,
                  400);
    check_refusal((const char *const[]){"GET", "/intent/list", NULL}, NULL, 401);
    check_refusal((const char *const[]){"GET", "/nowhere", NULL}, token.s, 404);
    check_refusal((const char *const[]){"DELETE", "/user", NULL}, token.s, 405);
    check_refusal((const char *const[]){"POST", "/user", NULL}, large.s, 413);
    check_refusal((const char *const[]){"POST", "/user", "{}"}, text.s, 415);
    str_clear(&token);
    str_clear(&json);
    str_clear(&text);
    str_clear(&large);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dynamic_mock_is_listed_to_its_end),
        cmocka_unit_test(reads_violate_nothing),
        cmocka_unit_test(writes_and_refusals_violate_nothing),
        cmocka_unit_test(the_validator_sees_a_wrong_request_and_a_wrong_answer),
        cmocka_unit_test(every_refusal_of_the_sandbox_is_a_json_object),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
