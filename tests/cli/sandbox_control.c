#include "support/listing.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int start(void **state) {
    (void)state;
    return service_start(&service, (const char *const[]){"--intents", "300", NULL}) ? 0 : -1;
}

static char *control(const char *method, const char *target, const char *body, int status) {
    struct http_reply reply;
    assert_true(service_control(&service, method, target, body, &reply));
    assert_int_equal(reply.status, status);
    str_clear(&reply.head);
    return str_take(&reply.body);
}

static char *list(const char *query) {
    struct http_reply reply;
    struct str target;
    str_init(&target, 4096);
    str_addf(&target, "/intent/list?%s", query);
    assert_true(service_request(&service, "GET", target.s, NULL, NULL, &reply));
    assert_int_equal(reply.status, 200);
    str_clear(&target);
    str_clear(&reply.head);
    return str_take(&reply.body);
}

static void the_service_token_does_not_open_it(void **state) {
    (void)state;
    struct http_reply reply;
    assert_true(service_request(&service, "GET", "/control/users", NULL, NULL, &reply));
    assert_int_equal(reply.status, 401);
    http_reply_clear(&reply);
}

static void without_its_token_file_there_is_none(void **state) {
    (void)state;
    char *folder = proc_folder_new();
    char *program = proc_program("bursar-sandbox");
    struct str port_file;
    struct str token_file;
    struct proc proc;
    struct http_reply reply;
    str_init(&port_file, 4096);
    str_init(&token_file, 4096);
    str_addf(&port_file, "%s/port", folder);
    str_addf(&token_file, "%s/token", folder);
    assert_true(proc_write_file(token_file.s, "known-to-the-test\n"));
    assert_true(proc_start(&proc,
                           (const char *const[]){program, "--listen", "127.0.0.1:0", "--port-file", port_file.s,
                                                 "--token-file", token_file.s, NULL},
                           NULL));
    int port = proc_read_port(port_file.s, PROC_DEADLINE);
    assert_true(
        http_request(port, "GET", "/control/users", "Authorization: Bearer known-to-the-test\r\n", NULL, &reply));
    assert_int_equal(reply.status, 404);
    http_reply_clear(&reply);
    assert_int_equal(proc_end(&proc), 0);
    str_clear(&port_file);
    str_clear(&token_file);
    free(program);
    proc_folder_remove(folder);
}

static void given_fields_lie_over_a_generated_intent(void **state) {
    (void)state;
    free(control("POST", "/control/intents",
                 "{\"payment_credential\":{\"bank_name\":\"First\\u001b[2J\\u202eBank\"},\"status\":\"declined\"}",
                 201));
    char *body = list("status=declined");
    assert_non_null(strstr(body, "\"bank_name\":\"First\\u001B[2J\xE2\x80\xAE"
                                 "Bank\",\"is_archived\":"));
    char *id = listing_id(body, 0);
    assert_non_null(id);
    free(id);
    free(body);
    body = list("status=approved");
    assert_null(strstr(body, "First"));
    free(body);
}

static void a_raw_element_is_served_byte_for_byte(void **state) {
    (void)state;
    static const char raw[] = "{\"id\":\"r-1\",\"amount\":92233720368547758079,\"amount\":1e400, \"x\":\"\\ud800\xff\"";
    free(control("POST", "/control/intents?raw=1", raw, 201));
    char *body = list("");
    assert_ptr_equal(strstr(body, raw), body + 9);
    free(body);
    body = list("status=canceled");
    assert_non_null(strstr(body, raw));
    free(body);
}

static void an_intent_can_be_changed_in_its_place(void **state) {
    (void)state;
    char *before = list("");
    char *id = listing_id(before, 7);
    struct str target;
    str_init(&target, 4096);
    str_addf(&target, "/control/intents?replace=%s", id);
    free(control("POST", target.s, "{\"status\":\"frozen\",\"amount\":-1}", 201));
    char *after = list("");
    char *ids_before = listing_ids(before);
    char *ids_after = listing_ids(after);
    assert_string_equal(ids_before, ids_after);
    assert_int_equal(text_count(after, "\"status\":\"frozen\""), 1);
    free(control("POST", "/control/intents?replace=nobody", "{}", 404));
    free(before);
    free(after);
    free(ids_before);
    free(ids_after);
    free(id);
    str_clear(&target);
}

static void ticks_move_intents_and_bring_new_ones(void **state) {
    (void)state;
    char *before = list("");
    char *figures = control("POST", "/control/tick?count=100", NULL, 200);
    char *after = list("");
    assert_non_null(strstr(figures, "\"ticks\":100"));
    char *head = listing_id(before, 0);
    char *found = strstr(after, head);
    assert_true(!found || found > after + 1000);
    /* The elements of other tests do not look generated. */
    assert_true(listing_count(after) >= 95);
    assert_true(text_count(after, "\"status\":\"created\"") < 60);
    assert_true(text_count(after, "\"status\":\"approved\"") > 10);
    free(before);
    free(after);
    free(figures);
    free(head);
}

static void ticks_come_by_themselves_when_asked(void **state) {
    (void)state;
    struct service own;
    assert_true(service_start(&own, (const char *const[]){"--tick", "5", NULL}));
    for (int i = 0;; i++) {
        struct http_reply reply;
        assert_true(service_control(&own, "GET", "/control/figures", NULL, &reply));
        bool arrived = strstr(reply.body.s, "\"arrived\":0") == NULL;
        http_reply_clear(&reply);
        if (arrived)
            break;
        assert_true(i < 10000);
    }
    assert_int_equal(service_stop(&own), 0);
}

static void the_journal_shows_requests_but_not_its_own(void **state) {
    (void)state;
    free(list("x=journal"));
    char *journal = control("GET", "/control/journal", NULL, 200);
    assert_non_null(strstr(journal, "\"query\":\"x=journal\""));
    assert_null(strstr(journal, "/control/"));
    free(journal);
}

static void rules_are_listed_and_removed_one_by_one(void **state) {
    (void)state;
    free(control("POST", "/control/rules", "path=/never status=500", 201));
    char *rules = control("GET", "/control/rules", NULL, 200);
    assert_non_null(strstr(rules, "{\"id\":1,\"rule\":\"path=/never status=500\",\"matched\":0}"));
    free(rules);
    free(control("DELETE", "/control/rules?id=1", NULL, 204));
    free(control("DELETE", "/control/rules?id=1", NULL, 404));
    rules = control("GET", "/control/rules", NULL, 200);
    assert_string_equal(rules, "[]");
    free(rules);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    free(control("POST", "/control/rules", "frob=1", 400));
    free(control("POST", "/control/tick?count=0", NULL, 400));
    free(control("POST", "/control/intents", "[1]", 400));
    free(control("POST", "/control/intents", "{\"a\":", 400));
    free(control("GET", "/control/tick", NULL, 405));
    free(control("GET", "/control/nothing", NULL, 404));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_service_token_does_not_open_it),
        cmocka_unit_test(without_its_token_file_there_is_none),
        cmocka_unit_test(given_fields_lie_over_a_generated_intent),
        cmocka_unit_test(a_raw_element_is_served_byte_for_byte),
        cmocka_unit_test(an_intent_can_be_changed_in_its_place),
        cmocka_unit_test(ticks_move_intents_and_bring_new_ones),
        cmocka_unit_test(ticks_come_by_themselves_when_asked),
        cmocka_unit_test(the_journal_shows_requests_but_not_its_own),
        cmocka_unit_test(rules_are_listed_and_removed_one_by_one),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
