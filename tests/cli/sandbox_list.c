#include "support/listing.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TARGET_MAX = 1 << 16 };

static int start(void **state) {
    (void)state;
    return service_start(&service, (const char *const[]){"--intents", "250", "--page-size", "40", NULL}) ? 0 : -1;
}

static char *get(const char *target, int status) {
    struct http_reply reply;
    assert_true(service_request(&service, "GET", target, NULL, NULL, &reply));
    assert_int_equal(reply.status, status);
    assert_true(reply.complete);
    str_clear(&reply.head);
    return str_take(&reply.body);
}

static char *get_after(const char *query, const char *cursor) {
    struct str target;
    str_init(&target, TARGET_MAX);
    str_addf(&target, "/intent/list?%scursor=%s", query, cursor);
    char *body = get(target.s, 200);
    str_clear(&target);
    return body;
}

/* Ids of the whole walk, one a line; *pages counts. */
static char *walk(const char *query, int *pages) {
    struct str all;
    struct str first;
    str_init(&all, 1 << 20);
    str_init(&first, TARGET_MAX);
    str_addf(&first, "/intent/list?%s", query);
    char *body = get(first.s, 200);
    *pages = 0;
    while (body) {
        char *ids = listing_ids(body);
        char *cursor = listing_cursor(body);
        str_add(&all, ids);
        free(ids);
        free(body);
        body = !cursor ? NULL : get_after(query, cursor);
        free(cursor);
        ++*pages;
    }
    str_clear(&first);
    return str_take(&all);
}

static void a_walk_gives_every_intent_once(void **state) {
    (void)state;
    int pages = 0;
    char *ids = walk("", &pages);
    assert_int_equal(pages, 7);
    assert_int_equal(text_count(ids, "\n"), 250);
    for (const char *at = ids; *at != '\0'; at += 37) {
        char *one = strndup(at, 37);
        assert_int_equal(text_count(ids, one), 1);
        free(one);
    }
    free(ids);
}

static void the_last_page_has_a_null_cursor(void **state) {
    (void)state;
    char *body = get("/intent/list?type=card_only&status=canceled", 200);
    assert_non_null(strstr(body, "],\"next_cursor\":null}"));
    free(body);
}

static void newest_come_first(void **state) {
    (void)state;
    char *body = get("/intent/list", 200);
    char last[25] = "9";
    char *at = body;
    for (size_t i = 0; i < 40; i++) {
        char *id = listing_id(body, i);
        at = strstr(at, id);
        free(id);
        const char *time = strstr(at, "\"created_at\":\"") + 14;
        assert_true(strncmp(time, last, 24) <= 0);
        memcpy(last, time, 24);
    }
    free(body);
}

static void a_cursor_survives_arrivals(void **state) {
    (void)state;
    char *first = get("/intent/list", 200);
    char *cursor = listing_cursor(first);
    char *before = get_after("", cursor);
    struct http_reply reply;
    assert_true(service_control(&service, "POST", "/control/intents", "{\"currency\":\"XTS\"}", &reply));
    assert_int_equal(reply.status, 201);
    http_reply_clear(&reply);
    char *after = get_after("", cursor);
    char *head = get("/intent/list", 200);
    assert_string_equal(before, after);
    assert_int_equal(text_count(head, "\"XTS\""), 1);
    free(first);
    free(cursor);
    free(before);
    free(after);
    free(head);
}

/* Statuses of all 250 by walking, against what each filter gives: the filter is right if the sums agree. */
static void statuses_add_up_to_all(void **state) {
    (void)state;
    static const char *const statuses[] = {"created", "approved", "declined", "pending", "canceled"};
    size_t sum = 0;
    int pages = 0;
    char *all = walk("", &pages);
    for (size_t i = 0; i < 5; i++) {
        struct str query;
        str_init(&query, 100);
        str_addf(&query, "status=%s&", statuses[i]);
        char *ids = walk(query.s, &pages);
        assert_true(text_count(ids, "\n") > 0);
        sum += text_count(ids, "\n");
        free(ids);
        str_clear(&query);
    }
    assert_int_equal(sum, text_count(all, "\n"));
    free(all);
}

static void several_statuses_are_joined_and_type_narrows(void **state) {
    (void)state;
    char *body = get("/intent/list?status=declined&status=pending&type=card_only", 200);
    size_t n = listing_count(body);
    assert_true(n > 0);
    assert_int_equal(text_count(body, "\"type\":\"card_only\"}"), n);
    assert_int_equal(text_count(body, "\"status\":\"declined\",\"decline_category\"") +
                         text_count(body, "\"status\":\"pending\",\"decline_category\""),
                     n);
    free(body);
}

static void wrong_values_are_refused_by_name(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"/intent/list?status=frozen", "\"field\":\"status\""}, {"/intent/list?status=", "\"field\":\"status\""},
        {"/intent/list?type=both", "\"field\":\"type\""},       {"/intent/list?cursor=", "\"field\":\"cursor\""},
        {"/intent/list?cursor=abc", "\"field\":\"cursor\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *body = get(wrong[i][0], 400);
        assert_non_null(strstr(body, wrong[i][1]));
        free(body);
    }
}

static void unknown_parameters_are_ignored(void **state) {
    (void)state;
    char *plain = get("/intent/list", 200);
    char *more = get("/intent/list?limit=3&x=y", 200);
    assert_string_equal(plain, more);
    free(plain);
    free(more);
}

static void a_body_beside_the_listing_does_no_harm(void **state) {
    (void)state;
    struct http_reply reply;
    assert_true(service_request(&service, "GET", "/intent/list", NULL, "{}", &reply));
    assert_int_equal(reply.status, 200);
    http_reply_clear(&reply);
}

static void gzip_only_when_asked(void **state) {
    (void)state;
    struct http_reply plain;
    struct http_reply zipped;
    assert_true(service_request(&service, "GET", "/intent/list", NULL, NULL, &plain));
    assert_true(service_request(&service, "GET", "/intent/list", "Accept-Encoding: gzip, br\r\n", NULL, &zipped));
    assert_null(http_header(&plain, "Content-Encoding"));
    char *coding = http_header(&zipped, "Content-Encoding");
    assert_string_equal(coding, "gzip");
    assert_memory_equal(zipped.body.s, "\x1f\x8b", 2);
    assert_true(zipped.body.len * 2 < plain.body.len);
    free(coding);
    http_reply_clear(&zipped);
    assert_true(service_request(&service, "GET", "/intent/list", "Accept-Encoding: gzip;q=0\r\n", NULL, &zipped));
    assert_null(http_header(&zipped, "Content-Encoding"));
    http_reply_clear(&plain);
    http_reply_clear(&zipped);
}

static void one_connection_serves_many_requests(void **state) {
    (void)state;
    struct http_conn conn;
    struct str headers;
    str_init(&headers, 1000);
    str_addf(&headers, "Authorization: Bearer %s\r\n", service.token);
    assert_true(http_open(&conn, service.port));
    for (int i = 0; i < 5; i++) {
        struct http_reply reply;
        assert_true(http_send_request(&conn, "GET", "/intent/list", headers.s, NULL));
        assert_true(http_read(&conn, &reply, 1 << 24, PROC_DEADLINE));
        assert_int_equal(reply.status, 200);
        assert_false(reply.closed);
        http_reply_clear(&reply);
    }
    http_close(&conn);
    str_clear(&headers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_gives_every_intent_once),
        cmocka_unit_test(the_last_page_has_a_null_cursor),
        cmocka_unit_test(newest_come_first),
        cmocka_unit_test(a_cursor_survives_arrivals),
        cmocka_unit_test(statuses_add_up_to_all),
        cmocka_unit_test(several_statuses_are_joined_and_type_narrows),
        cmocka_unit_test(wrong_values_are_refused_by_name),
        cmocka_unit_test(unknown_parameters_are_ignored),
        cmocka_unit_test(a_body_beside_the_listing_does_no_harm),
        cmocka_unit_test(gzip_only_when_asked),
        cmocka_unit_test(one_connection_serves_many_requests),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
