#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int start(void **state) {
    (void)state;
    return service_start(&service, NULL) ? 0 : -1;
}

/* Sends and checks the status; `part` must be in the body. */
static void post(const char *target, const char *body, int status, const char *part) {
    struct http_reply reply;
    assert_true(service_request(&service, "POST", target, NULL, body, &reply));
    assert_int_equal(reply.status, status);
    assert_non_null(strstr(reply.body.s, part));
    http_reply_clear(&reply);
}

static void registration(int secret_len, int status) {
    struct str body;
    str_init(&body, 10000);
    str_add(&body, "{\"url\":\"https://hook.example/in\",\"secret\":\"");
    str_add_repeat(&body, 's', (size_t)secret_len);
    str_add(&body, "\"}");
    post("/webhook/register", body.s, status,
         status == 400 ? "\"field\":\"secret\"" : "{\"url\":\"https://hook.example/in\"}");
    str_clear(&body);
}

static void first_registration_is_201_then_200_with_the_url_only(void **state) {
    (void)state;
    registration(32, 201);
    registration(4096, 200);
    post("/webhook/register", "{\"url\":\"https://b.example/\"}", 200, "{\"url\":\"https://b.example/\"}");
}

static void secrets_have_32_to_4096_characters(void **state) {
    (void)state;
    registration(31, 400);
    registration(4097, 400);
    registration(0, 400);
}

static void a_refused_registration_changes_nothing(void **state) {
    (void)state;
    struct http_reply reply;
    post("/webhook/register", "{\"url\":\"https://kept.example/\"}", 200, "kept");
    post("/webhook/register", "{\"url\":\"http://lost.example/\"}", 400, "\"field\":\"url\"");
    assert_true(service_control(&service, "GET", "/control/registration", NULL, &reply));
    assert_non_null(strstr(reply.body.s, "https://kept.example/"));
    http_reply_clear(&reply);
}

static void only_https_addresses_are_taken(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "{}",
        "{\"url\":5}",
        "{\"url\":\"\"}",
        "{\"url\":\"http://a.example/\"}",
        "{\"url\":\"https://\"}",
        "{\"url\":\"wss://https://http://a:b@c\"}",
        "{\"url\":\"https://a.example/ x\"}",
        "{\"url\":\"https://a.example/\\u001b[2J\"}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        post("/webhook/register", wrong[i], 400, "\"field\":\"url\"");
}

static void the_secret_is_never_given_back(void **state) {
    (void)state;
    struct http_reply reply;
    post("/webhook/register", "{\"url\":\"https://a.example/\",\"secret\":\"SENTINEL-SENTINEL-SENTINEL-SENTINEL\"}",
         200, "url");
    assert_true(service_control(&service, "GET", "/control/registration", NULL, &reply));
    assert_null(strstr(reply.body.s, "SENTINEL"));
    assert_non_null(strstr(reply.body.s, "\"signed\":true,\"secret_bytes\":35"));
    http_reply_clear(&reply);
    assert_int_equal(service_journal_count(&service, "SENTINEL", ""), 0);
}

static void a_user_gets_an_id_and_unknown_fields_pass(void **state) {
    (void)state;
    post("/user",
         "{\"name\":{\"first\":\"Ann\",\"last\":\"O'Sample\"},\"email\":\"a@b.example\",\"date_of_birth\":\"1972-02-"
         "29\","
         "\"government_id\":{\"type\":\"passport\",\"last4\":\"12\xC3\xA9"
         "4\"},\"identity_verified\":true,\"extra\":[1]}",
         201, "{\"id\":\"usr_");
    struct http_reply reply;
    assert_true(service_control(&service, "GET", "/control/users", NULL, &reply));
    assert_non_null(strstr(reply.body.s, "O'Sample"));
    assert_non_null(strstr(reply.body.s, "\"extra\":[1]"));
    http_reply_clear(&reply);
}

static void wrong_user_fields_are_named(void **state) {
    (void)state;
    static const struct {
        const char *body, *field;
        int status;
    } wrong[] = {
        {"{\"name\":\"x\"}", "name", 400},
        {"{\"name\":{\"first\":5}}", "name.first", 400},
        {"{\"identity_verified\":\"yes\"}", "identity_verified", 400},
        {"{\"email\":null}", "email", 400},
        {"{\"email\":\"nobody\"}", "email", 422},
        {"{\"date_of_birth\":\"1970-02-30\"}", "date_of_birth", 422},
        {"{\"date_of_birth\":\"4 May 1970\"}", "date_of_birth", 422},
        {"{\"government_id\":{\"last4\":\"12345\"}}", "government_id.last4", 422},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct str part;
        str_init(&part, 100);
        str_addf(&part, "\"field\":\"%s\"", wrong[i].field);
        post("/user", wrong[i].body, wrong[i].status, part.s);
        str_clear(&part);
    }
}

static void broken_bodies_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "{", "[]", "5", "{\"tag\":\"a\",\"tag\":\"b\"}", "{\"tag\":\"\xFF\"}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        post("/user", wrong[i], 400, "invalid_json");
}

static void request(const char *method, const char *target, const char *headers, const char *body, int status,
                    const char *header, const char *value) {
    struct http_reply reply;
    struct str lines;
    str_init(&lines, 4096);
    str_add(&lines, headers);
    assert_true(http_request(service.port, method, target, lines.s, body, &reply));
    assert_int_equal(reply.status, status);
    char *found = http_header(&reply, header);
    assert_non_null(found);
    assert_string_equal(found, value);
    free(found);
    http_reply_clear(&reply);
    str_clear(&lines);
}

static void without_the_token_nothing_is_said(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "Authorization: Bearer wrong\r\n", "Authorization: Basic eDp5\r\n",
                                        "Authorization: Bearer \r\n"};
    static const char *const paths[] = {"/intent/list", "/nowhere", "/control/users"};
    for (size_t i = 0; i < 12; i++) {
        request("GET", paths[i % 3], wrong[i / 3], NULL, 401, "WWW-Authenticate", "Bearer realm=\"bursar-sandbox\"");
        request("GET", paths[i % 3], wrong[i / 3], NULL, 401, "Content-Type", "application/json");
    }
}

static void wrong_paths_methods_and_types_have_their_status(void **state) {
    (void)state;
    struct str token;
    struct str json;
    struct str text;
    str_init(&token, 1000);
    str_init(&json, 1000);
    str_init(&text, 1000);
    str_addf(&token, "Authorization: Bearer %s\r\n", service.token);
    str_addf(&json, "%sContent-Type: application/json; charset=utf-8\r\n", token.s);
    str_addf(&text, "%sContent-Type: text/plain\r\n", token.s);
    request("GET", "/nowhere", token.s, NULL, 404, "Content-Type", "application/json");
    request("POST", "/intent/list", json.s, "{}", 405, "Allow", "GET");
    request("GET", "/user", token.s, NULL, 405, "Allow", "POST");
    request("HEAD", "/webhook/register", token.s, NULL, 405, "Allow", "POST");
    request("POST", "/user", token.s, "{}", 415, "Content-Type", "application/json");
    request("POST", "/user", text.s, "{}", 415, "Content-Type", "application/json");
    request("POST", "/user", json.s, "{}", 201, "Content-Type", "application/json");
    str_clear(&token);
    str_clear(&json);
    str_clear(&text);
}

static void a_body_beyond_a_mebibyte_is_413(void **state) {
    (void)state;
    struct str body;
    str_init(&body, 2 << 20);
    str_add(&body, "{\"tag\":\"");
    str_add_repeat(&body, 'x', (1 << 20) + 1);
    str_add(&body, "\"}");
    /* Said in advance it is refused at once; in chunks, when it has become too large. */
    struct http_reply reply;
    struct http_conn conn;
    struct str head;
    str_init(&head, 4096);
    str_addf(&head,
             "POST /user HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Content-Length: %zu\r\n\r\n",
             service.token, body.len);
    assert_true(http_open(&conn, service.port));
    assert_true(http_send(&conn, head.s, head.len));
    assert_true(http_read(&conn, &reply, 1 << 20, PROC_DEADLINE));
    assert_int_equal(reply.status, 413);
    assert_true(reply.closed);
    http_reply_clear(&reply);
    http_close(&conn);
    str_reset(&head);
    str_addf(&head,
             "POST /user HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"
             "Transfer-Encoding: chunked\r\n\r\n%zx\r\n",
             service.token, body.len);
    assert_true(http_open(&conn, service.port));
    assert_true(http_send(&conn, head.s, head.len));
    assert_true(http_send(&conn, body.s, body.len));
    assert_true(http_send(&conn, "\r\n0\r\n\r\n", 7));
    assert_true(http_read(&conn, &reply, 1 << 20, PROC_DEADLINE));
    assert_int_equal(reply.status, 413);
    http_reply_clear(&reply);
    http_close(&conn);
    str_clear(&head);
    str_clear(&body);
}

static void the_journal_has_each_request_and_no_token(void **state) {
    (void)state;
    struct http_reply reply;
    assert_true(
        service_request(&service, "GET", "/intent/list?status=pending&x=%1b", "X-Mark: here\r\n", NULL, &reply));
    http_reply_clear(&reply);
    assert_int_equal(service_journal_count(&service, "\"query\":\"status=pending&x=%1b\"", "[\"X-Mark\",\"here\"]"), 1);
    assert_int_equal(service_journal_count(&service, "x=%1b", "\"status\":200"), 1);
    assert_int_equal(service_journal_count(&service, service.token, ""), 0);
    assert_true(service_journal_count(&service, "[\"Authorization\",\"sha256:", "") > 0);
    post("/user", "{}", 201, "id");
    assert_int_equal(service_journal_count(&service, "\"path\":\"/user\"",
                                           "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a") >
                         0,
                     1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_registration_is_201_then_200_with_the_url_only),
        cmocka_unit_test(secrets_have_32_to_4096_characters),
        cmocka_unit_test(a_refused_registration_changes_nothing),
        cmocka_unit_test(only_https_addresses_are_taken),
        cmocka_unit_test(the_secret_is_never_given_back),
        cmocka_unit_test(a_user_gets_an_id_and_unknown_fields_pass),
        cmocka_unit_test(wrong_user_fields_are_named),
        cmocka_unit_test(broken_bodies_are_refused),
        cmocka_unit_test(without_the_token_nothing_is_said),
        cmocka_unit_test(wrong_paths_methods_and_types_have_their_status),
        cmocka_unit_test(a_body_beyond_a_mebibyte_is_413),
        cmocka_unit_test(the_journal_has_each_request_and_no_token),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
