#include "support/listing.h"
#include "support/one_service.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SHORT = 300 }; /* ms: within which nothing may come */

static int start(void **state) {
    (void)state;
    return service_start(&service, (const char *const[]){"--intents", "250", "--page-size", "50", NULL}) ? 0 : -1;
}

/* In place of all rules so far. */
static void rule(const char *text) {
    service_rule(&service, text);
}

static bool get(const char *target, struct http_reply *reply) {
    return service_request(&service, "GET", target, NULL, NULL, reply);
}

/* Opens, sends and reads with a cap and a deadline of its own. */
static bool get_capped(size_t max, int deadline_ms, struct http_reply *reply) {
    struct http_conn conn;
    struct str headers;
    str_init(&headers, 1000);
    str_addf(&headers, "Authorization: Bearer %s\r\n", service.token);
    assert_true(http_open(&conn, service.port));
    assert_true(http_send_request(&conn, "GET", "/intent/list", headers.s, NULL));
    bool ok = http_read(&conn, reply, max, deadline_ms);
    http_close(&conn);
    str_clear(&headers);
    return ok;
}

static void status_body_header_and_type_are_as_said(void **state) {
    (void)state;
    struct http_reply reply;
    rule("path=/intent/list status=503 body=\"<b>no</b>\" type=text/html header=\"Retry-After: 3\" header=\"X-Odd: a "
         "b\"");
    assert_true(get("/intent/list", &reply));
    assert_int_equal(reply.status, 503);
    assert_string_equal(reply.body.s, "<b>no</b>");
    static const char *const expected[][2] = {{"Content-Type", "text/html"}, {"Retry-After", "3"}, {"X-Odd", "a b"}};
    for (size_t i = 0; i < 3; i++) {
        char *value = http_header(&reply, expected[i][0]);
        assert_non_null(value);
        assert_string_equal(value, expected[i][1]);
        free(value);
    }
    http_reply_clear(&reply);
}

static void a_status_alone_has_an_error_body(void **state) {
    (void)state;
    struct http_reply reply;
    rule("status=502");
    assert_true(get("/intent/list", &reply));
    assert_int_equal(reply.status, 502);
    assert_non_null(strstr(reply.body.s, "\"message\":"));
    http_reply_clear(&reply);
}

static void a_body_file_is_sent_byte_for_byte(void **state) {
    (void)state;
    struct http_reply reply;
    struct str path;
    struct str text;
    str_init(&path, 4096);
    str_init(&text, 8192);
    str_addf(&path, "%s/body", service.folder);
    str_addf(&text, "body_file=%s type=\"\"", path.s);
    assert_true(proc_write_file(path.s, "\x1b[2J {\"broken\": \xff\r\n"));
    rule(text.s);
    assert_true(get("/intent/list", &reply));
    assert_int_equal(reply.status, 200);
    assert_string_equal(reply.body.s, "\x1b[2J {\"broken\": \xff\r\n");
    assert_null(http_header(&reply, "Content-Type"));
    http_reply_clear(&reply);
    str_clear(&path);
    str_clear(&text);
}

static void nth_strikes_that_request_alone(void **state) {
    (void)state;
    static const int expected[] = {200, 500, 200};
    rule("path=/intent/list method=GET nth=2 status=500");
    for (size_t i = 0; i < 3; i++) {
        struct http_reply reply;
        assert_true(get("/intent/list", &reply));
        assert_int_equal(reply.status, expected[i]);
        http_reply_clear(&reply);
    }
}

static void retry_after_makes_a_429(void **state) {
    (void)state;
    struct http_reply reply;
    rule("retry_after=\"Wed, 21 Oct 2026 07:28:00 GMT\"");
    assert_true(get("/intent/list", &reply));
    assert_int_equal(reply.status, 429);
    char *value = http_header(&reply, "Retry-After");
    assert_string_equal(value, "Wed, 21 Oct 2026 07:28:00 GMT");
    free(value);
    http_reply_clear(&reply);
}

enum { DELAY_MS = 500, STOP_MS = 5000 };

/* How long another request took that came while the first was delayed. */
static int64_t ask_beside_a_delayed(void *context) {
    (void)context;
    struct http_reply reply;
    struct http_conn slow;
    struct str headers;
    str_init(&headers, 1000);
    str_addf(&headers, "Authorization: Bearer %s\r\n", service.token);
    rule("count=1 delay=500"); /* DELAY_MS */
    int64_t from = clock_mono();
    assert_true(http_open(&slow, service.port));
    assert_true(http_send_request(&slow, "GET", "/intent/list", headers.s, NULL));
    /* Until the slow one is counted, the other would be it. */
    do {
        assert_true(service_control(&service, "GET", "/control/rules", NULL, &reply));
        bool counted = strstr(reply.body.s, "\"matched\":1") != NULL;
        http_reply_clear(&reply);
        if (counted)
            break;
    } while (clock_mono() - from < PROC_DEADLINE);
    assert_true(get("/intent/list", &reply));
    int64_t took = clock_mono() - from;
    http_reply_clear(&reply);
    assert_true(http_read(&slow, &reply, 1 << 24, PROC_DEADLINE));
    assert_true(clock_mono() - from >= DELAY_MS);
    assert_int_equal(reply.status, 200);
    http_reply_clear(&reply);
    http_close(&slow);
    str_clear(&headers);
    return took;
}

static void delay_waits_and_holds_up_no_other(void **state) {
    (void)state;
    assert_true(proc_best_of(ask_beside_a_delayed, NULL, proc_bar(DELAY_MS - 1)) < proc_bar(DELAY_MS));
}

static void hang_reads_and_never_answers(void **state) {
    (void)state;
    struct http_reply reply;
    rule("count=1 hang=1");
    assert_false(get_capped(1 << 20, SHORT, &reply));
    assert_true(reply.timed_out);
    http_reply_clear(&reply);
    assert_true(service_journal_count(&service, "\"outcome\":\"hang\"", "\"status\":0") == 1);
    assert_true(get("/intent/list", &reply));
    assert_int_equal(reply.status, 200);
    http_reply_clear(&reply);
}

static void a_hundred_that_hang_hold_up_no_other(void **state) {
    (void)state;
    enum { HANGING = 100 };
    struct http_conn conns[HANGING];
    struct http_reply reply;
    struct str headers;
    str_init(&headers, 1000);
    str_addf(&headers, "Authorization: Bearer %s\r\n", service.token);
    rule("path=/intent/list hang=1 count=100");
    int before = service_journal_count(&service, "\"outcome\":\"hang\"", "");
    for (size_t i = 0; i < HANGING; i++) {
        assert_true(http_open(&conns[i], service.port));
        assert_true(http_send_request(&conns[i], "GET", "/intent/list", headers.s, NULL));
    }
    int64_t from = clock_mono();
    while (service_journal_count(&service, "\"outcome\":\"hang\"", "") < before + HANGING)
        assert_true(clock_mono() - from < PROC_DEADLINE);
    assert_true(get("/intent/list", &reply));
    assert_int_equal(reply.status, 200);
    http_reply_clear(&reply);
    for (size_t i = 0; i < HANGING; i++)
        http_close(&conns[i]);
    str_clear(&headers);
}

static void silent_ends_close_without_a_byte(void **state) {
    (void)state;
    static const char *const rules[][2] = {{"close=1", "\"outcome\":\"close\""},
                                           {"reset=1", "\"outcome\":\"reset\""},
                                           {"drop_after_read=1", "\"outcome\":\"drop_after_read\""}};
    for (size_t i = 0; i < 3; i++) {
        struct http_reply reply;
        rule(rules[i][0]);
        assert_false(service_request(&service, "POST", "/user", NULL, "{\"tag\":\"lost\"}", &reply));
        assert_int_equal(reply.head.len, 0);
        assert_true(reply.closed);
        http_reply_clear(&reply);
        assert_int_equal(service_journal_count(&service, rules[i][1], "\"path\":\"/user\""), 1);
    }
}

static int user_count(void) {
    struct http_reply reply;
    assert_true(service_control(&service, "GET", "/control/users", NULL, &reply));
    int n = (int)text_count(reply.body.s, "\"id\":\"usr_");
    http_reply_clear(&reply);
    return n;
}

static void a_lost_answer_takes_effect_only_with_apply(void **state) {
    (void)state;
    struct http_reply reply;
    int before = user_count();
    rule("path=/user drop_after_read=1");
    assert_false(service_request(&service, "POST", "/user", NULL, "{}", &reply));
    http_reply_clear(&reply);
    assert_int_equal(user_count(), before);
    rule("path=/user drop_after_read=1 apply=1");
    assert_false(service_request(&service, "POST", "/user", NULL, "{}", &reply));
    http_reply_clear(&reply);
    assert_int_equal(user_count(), before + 1);
    rule("path=/user status=500 apply=1");
    assert_true(service_request(&service, "POST", "/user", NULL, "{}", &reply));
    assert_int_equal(reply.status, 500);
    http_reply_clear(&reply);
    assert_int_equal(user_count(), before + 2);
}

static void truncate_promises_more_than_it_sends(void **state) {
    (void)state;
    struct http_reply reply;
    rule("truncate=100");
    assert_true(get("/intent/list", &reply));
    assert_int_equal(reply.status, 200);
    assert_int_equal(reply.body.len, 100);
    assert_false(reply.complete);
    assert_true(reply.closed);
    http_reply_clear(&reply);
}

static void an_endless_body_cut_short_has_no_last_chunk(void **state) {
    (void)state;
    struct http_reply reply;
    rule("endless=1 truncate=30000");
    assert_true(get("/intent/list", &reply));
    assert_int_equal(reply.body.len, 30000);
    assert_false(reply.complete);
    http_reply_clear(&reply);
}

static void endless_goes_beyond_any_cap(void **state) {
    (void)state;
    struct http_reply reply;
    rule("endless=1");
    assert_true(get_capped(8 << 20, PROC_DEADLINE, &reply));
    assert_int_equal(reply.body.len, 8 << 20);
    assert_false(reply.complete);
    http_reply_clear(&reply);
}

static void a_bomb_is_small_and_says_gzip(void **state) {
    (void)state;
    struct http_reply reply;
    rule("bomb=200000000");
    assert_true(get_capped(4 << 20, PROC_DEADLINE, &reply));
    assert_true(reply.complete);
    assert_in_range(reply.body.len, 100000, 400000);
    char *coding = http_header(&reply, "Content-Encoding");
    assert_string_equal(coding, "gzip");
    /* A gzip body ends with its length when unpacked. */
    const unsigned char *end = (const unsigned char *)reply.body.s + reply.body.len - 4;
    assert_int_equal(end[0] | end[1] << 8 | end[2] << 16 | end[3] << 24, 200000000);
    free(coding);
    http_reply_clear(&reply);
}

static void pace_sends_byte_by_byte(void **state) {
    (void)state;
    struct http_reply reply;
    rule("body=0123456789 pace=20");
    int64_t from = clock_mono();
    assert_true(get("/intent/list", &reply));
    assert_string_equal(reply.body.s, "0123456789");
    assert_true(clock_mono() - from >= 9 * 20);
    http_reply_clear(&reply);
}

static void ignore_filter_serves_all(void **state) {
    (void)state;
    struct http_reply all;
    struct http_reply filtered;
    rule("ignore_filter=1");
    assert_true(get("/intent/list", &all));
    assert_true(get("/intent/list?status=canceled", &filtered));
    assert_string_equal(all.body.s, filtered.body.s);
    http_reply_clear(&all);
    http_reply_clear(&filtered);
}

static void cursor_values_are_as_said(void **state) {
    (void)state;
    static const char *const games[][2] = {
        {"cursor=empty", "\"next_cursor\":\"\"}"},
        {"cursor=null", "\"next_cursor\":null}"},
        {"cursor=number", "\"next_cursor\":99999999"},
        {"cursor=bool", "\"next_cursor\":true}"},
        {"cursor=object", "\"next_cursor\":{"},
        {"cursor=long", "~xxxxxxxxxxxxxxxxxxxx"},
        {"cursor=odd", "~+/=%3D&cursor=x#\\u001b[2J"},
        {"cursor=url", "\"next_cursor\":\"http://127.0.0.1:"},
        {"cursor=foreign", "\"next_cursor\":\"https://elsewhere.example/intent/list?cursor="},
        {"cursor_text=\"a b\"", "\"next_cursor\":\"a b\"}"},
        {"cursor=absent", "}]}"},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct http_reply reply;
        rule(games[i][0]);
        assert_true(get("/intent/list", &reply));
        assert_int_equal(listing_count(reply.body.s), 50);
        assert_non_null(
            strstr(reply.body.s + reply.body.len - (reply.body.len > 9000 ? 9000 : reply.body.len), games[i][1]));
        http_reply_clear(&reply);
    }
}

/* The bodies of three steps of a walk that follows whatever cursor comes. */
static void three_steps(char *bodies[3], char *cursors[3]) {
    struct str target;
    str_init(&target, 1 << 16);
    str_add(&target, "/intent/list");
    for (int i = 0; i < 3; i++) {
        struct http_reply reply;
        assert_true(get(target.s, &reply));
        assert_int_equal(reply.status, 200);
        bodies[i] = listing_ids(reply.body.s);
        cursors[i] = listing_cursor(reply.body.s);
        assert_non_null(cursors[i]);
        str_reset(&target);
        str_addf(&target, "/intent/list?cursor=%s", cursors[i]);
        http_reply_clear(&reply);
    }
    str_clear(&target);
}

static void free_steps(char *bodies[3], char *cursors[3]) {
    for (int i = 0; i < 3; i++) {
        free(bodies[i]);
        free(cursors[i]);
    }
}

static void repeat_gives_back_the_cursor_sent(void **state) {
    (void)state;
    char *bodies[3];
    char *cursors[3];
    rule("cursor=repeat");
    three_steps(bodies, cursors);
    assert_string_equal(cursors[0], cursors[1]);
    assert_string_equal(bodies[1], bodies[2]);
    free_steps(bodies, cursors);
}

static void cycle_leads_back_to_the_start(void **state) {
    (void)state;
    char *bodies[3];
    char *cursors[3];
    rule("cursor=cycle");
    three_steps(bodies, cursors);
    assert_string_equal(bodies[0], bodies[2]);
    assert_string_not_equal(bodies[0], bodies[1]);
    assert_string_equal(cursors[0], cursors[2]);
    free_steps(bodies, cursors);
}

static void fresh_changes_the_cursor_and_not_the_rows(void **state) {
    (void)state;
    char *bodies[3];
    char *cursors[3];
    rule("cursor=fresh");
    three_steps(bodies, cursors);
    assert_string_equal(bodies[0], bodies[2]);
    assert_string_not_equal(cursors[0], cursors[1]);
    assert_string_not_equal(cursors[1], cursors[2]);
    free_steps(bodies, cursors);
}

static void blank_pages_come_with_new_cursors(void **state) {
    (void)state;
    char *bodies[3];
    char *cursors[3];
    rule("cursor=blank");
    three_steps(bodies, cursors);
    assert_string_equal(bodies[0], "");
    assert_string_not_equal(cursors[0], cursors[1]);
    free_steps(bodies, cursors);
}

static void an_odd_cursor_must_come_back_unchanged(void **state) {
    (void)state;
    struct http_reply reply;
    rule("count=1 cursor=odd");
    assert_true(get("/intent/list", &reply));
    char *cursor = listing_cursor(reply.body.s);
    cursor[strcspn(cursor, "~")] = '\0';
    http_reply_clear(&reply);
    struct str target;
    str_init(&target, 4096);
    str_addf(&target, "/intent/list?cursor=%s~%%2B%%2F%%3D%%253D%%26cursor%%3Dx%%23%%1B%%5B2J%%20%%C3%%A9%%E2%%80%%AE",
             cursor);
    assert_true(get(target.s, &reply));
    assert_int_equal(reply.status, 200);
    http_reply_clear(&reply);
    str_reset(&target);
    str_addf(&target, "/intent/list?cursor=%s~%%2B%%2F%%3D%%3D", cursor);
    assert_true(get(target.s, &reply));
    assert_int_equal(reply.status, 400);
    http_reply_clear(&reply);
    str_clear(&target);
    free(cursor);
}

static void rules_of_the_command_line_hold_from_the_start(void **state) {
    (void)state;
    struct service own;
    struct http_reply reply;
    assert_true(service_start(&own, (const char *const[]){"--fault", "path=/user status=418", "--fault",
                                                          "path=/intent/list count=1 status=500", NULL}));
    assert_true(service_request(&own, "POST", "/user", NULL, "{}", &reply));
    assert_int_equal(reply.status, 418);
    http_reply_clear(&reply);
    assert_true(service_request(&own, "GET", "/intent/list", NULL, NULL, &reply));
    assert_int_equal(reply.status, 500);
    http_reply_clear(&reply);
    assert_int_equal(service_stop(&own), 0);
}

static int64_t stop_while_one_hangs(void *context) {
    (void)context;
    struct service own;
    struct http_conn conn;
    struct str headers;
    str_init(&headers, 1000);
    assert_true(service_start(&own, (const char *const[]){"--fault", "hang=1", NULL}));
    str_addf(&headers, "Authorization: Bearer %s\r\n", own.token);
    assert_true(http_open(&conn, own.port));
    assert_true(http_send_request(&conn, "GET", "/intent/list", headers.s, NULL));
    int64_t from = clock_mono();
    while (service_journal_count(&own, "\"outcome\":\"hang\"", "") == 0)
        assert_true(clock_mono() - from < PROC_DEADLINE);
    from = clock_mono();
    assert_int_equal(service_stop(&own), 0);
    int64_t took = clock_mono() - from;
    http_close(&conn);
    str_clear(&headers);
    return took;
}

static void a_hanging_answer_does_not_keep_the_service_from_ending(void **state) {
    (void)state;
    assert_true(proc_best_of(stop_while_one_hangs, NULL, proc_bar(STOP_MS - 1)) < proc_bar(STOP_MS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_body_header_and_type_are_as_said),
        cmocka_unit_test(a_status_alone_has_an_error_body),
        cmocka_unit_test(a_body_file_is_sent_byte_for_byte),
        cmocka_unit_test(nth_strikes_that_request_alone),
        cmocka_unit_test(retry_after_makes_a_429),
        cmocka_unit_test(delay_waits_and_holds_up_no_other),
        cmocka_unit_test(hang_reads_and_never_answers),
        cmocka_unit_test(a_hundred_that_hang_hold_up_no_other),
        cmocka_unit_test(silent_ends_close_without_a_byte),
        cmocka_unit_test(a_lost_answer_takes_effect_only_with_apply),
        cmocka_unit_test(truncate_promises_more_than_it_sends),
        cmocka_unit_test(an_endless_body_cut_short_has_no_last_chunk),
        cmocka_unit_test(endless_goes_beyond_any_cap),
        cmocka_unit_test(a_bomb_is_small_and_says_gzip),
        cmocka_unit_test(pace_sends_byte_by_byte),
        cmocka_unit_test(ignore_filter_serves_all),
        cmocka_unit_test(cursor_values_are_as_said),
        cmocka_unit_test(repeat_gives_back_the_cursor_sent),
        cmocka_unit_test(cycle_leads_back_to_the_start),
        cmocka_unit_test(fresh_changes_the_cursor_and_not_the_rows),
        cmocka_unit_test(blank_pages_come_with_new_cursors),
        cmocka_unit_test(an_odd_cursor_must_come_back_unchanged),
        cmocka_unit_test(rules_of_the_command_line_hold_from_the_start),
        cmocka_unit_test(a_hanging_answer_does_not_keep_the_service_from_ending),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
