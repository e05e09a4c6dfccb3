#include "support/listing.h"
#include "support/service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A service played with these styles (NULL-ended, at most six), few intents and small pages. */
static void start(struct service *service, const char *const styles[]) {
    const char *args[20] = {"--intents", "60", "--page-size", "25"};
    size_t n = 4;
    for (size_t i = 0; styles[i] && i < 6; i++) {
        args[n++] = "--style";
        args[n++] = styles[i];
    }
    assert_true(service_start(service, args));
}

static char *get(struct service *service, const char *target, int status) {
    struct http_reply reply;
    assert_true(service_request(service, "GET", target, NULL, NULL, &reply));
    assert_int_equal(reply.status, status);
    str_clear(&reply.head);
    return str_take(&reply.body);
}

static char *header_of(struct service *service, const char *target, const char *name) {
    struct http_reply reply;
    assert_true(service_request(service, "GET", target, NULL, NULL, &reply));
    char *value = http_header(&reply, name);
    http_reply_clear(&reply);
    return value;
}

static size_t count_of(struct service *service, const char *target) {
    char *body = get(service, target, 200);
    size_t n = listing_count(body);
    free(body);
    return n;
}

static void each_filter_style_reads_its_form_and_ignores_others(void **state) {
    (void)state;
    static const char *const forms[][2] = {
        {"filter=repeat", "/intent/list?status=created&status=canceled"},
        {"filter=brackets", "/intent/list?status[]=created&status%5B%5D=canceled"},
        {"filter=indexed", "/intent/list?status[0]=created&status[1]=canceled"},
        {"filter=comma", "/intent/list?status=created,canceled"},
        {"filter=json", "/intent/list?status=%5B%22created%22,%22canceled%22%5D"},
    };
    for (size_t i = 0; i < 5; i++) {
        struct service service;
        start(&service, (const char *const[]){forms[i][0], "unknown=ignore", NULL});
        size_t matching = count_of(&service, forms[i][1]);
        assert_in_range(matching, 1, 15);
        assert_int_equal(count_of(&service, i == 1 || i == 2 ? forms[0][1] : forms[1][1]), 25);
        assert_int_equal(service_stop(&service), 0);
    }
}

static void names_and_paths_can_be_others(void **state) {
    (void)state;
    struct service service;
    start(&service, (const char *const[]){"list_path=/v2/intents", "status_param=filter.state", "type_param=flow",
                                          "limit_param=limit", NULL});
    assert_int_equal(count_of(&service, "/v2/intents?limit=7"), 7);
    char *body = get(&service, "/v2/intents?filter.state=pending&flow=primary", 200);
    assert_int_equal(text_count(body, "\"type\":\"primary\"}"), listing_count(body));
    free(body);
    free(get(&service, "/intent/list", 404));
    assert_int_equal(service_stop(&service), 0);
}

static void unknown_values_can_give_nothing(void **state) {
    (void)state;
    struct service service;
    start(&service, (const char *const[]){"unknown=empty", NULL});
    char *body = get(&service, "/intent/list?status=frozen", 200);
    assert_string_equal(body, "{\"data\":[],\"next_cursor\":null}");
    free(body);
    assert_int_equal(service_stop(&service), 0);
}

static void times_narrow_where_a_parameter_is_named(void **state) {
    (void)state;
    struct service service;
    start(&service, (const char *const[]){"after_param=created_after", "before_param=created_before", NULL});
    size_t recent = count_of(&service, "/intent/list?created_after=2026-05-15T00:00:00Z");
    assert_in_range(recent, 1, 15);
    assert_int_equal(count_of(&service, "/intent/list?created_before=1000000000"), 0);
    free(get(&service, "/intent/list?created_after=yesterday", 400));
    assert_int_equal(service_stop(&service), 0);
}

static void rows_and_cursor_can_lie_elsewhere(void **state) {
    (void)state;
    struct service service;
    start(&service,
          (const char *const[]){"data=result.items", "next=result.page.after", "has_more=result.page.more", NULL});
    char *body = get(&service, "/intent/list", 200);
    assert_true(str_starts(body, "{\"result\":{\"items\":[{"));
    assert_non_null(strstr(body, "],\"page\":{\"after\":\""));
    assert_non_null(strstr(body, "\",\"more\":true}}}"));
    free(body);
    assert_int_equal(service_stop(&service), 0);
}

static void a_bare_array_has_its_cursor_in_a_header(void **state) {
    (void)state;
    struct service service;
    struct str target;
    str_init(&target, 4096);
    start(&service, (const char *const[]){"data=", "next=header:X-Next", NULL});
    char *body = get(&service, "/intent/list", 200);
    assert_int_equal(body[0], '[');
    char *cursor = header_of(&service, "/intent/list", "X-Next");
    assert_non_null(cursor);
    str_addf(&target, "/intent/list?cursor=%s", cursor);
    assert_int_equal(count_of(&service, target.s), 25);
    free(body);
    free(cursor);
    str_clear(&target);
    assert_int_equal(service_stop(&service), 0);
}

/* Walks by the given addresses; they must keep the filter. */
static void walk_urls(const char *style, const char *lead) {
    struct service service;
    struct str all;
    str_init(&all, 1 << 20);
    start(&service, (const char *const[]){style, NULL});
    char *target = strdup("/intent/list?status=approved");
    while (target) {
        char *body = get(&service, target, 200);
        char *ids = listing_ids(body);
        char *next = listing_cursor(body);
        assert_int_equal(text_count(body, "\"status\":\"approved\",\"decline_category\""), listing_count(body));
        str_add(&all, ids);
        free(target);
        assert_true(!next || str_starts(next, lead));
        target = !next ? NULL : strdup(strstr(next, "/intent/list"));
        free(body);
        free(ids);
        free(next);
    }
    assert_in_range(text_count(all.s, "\n"), 30, 55);
    str_clear(&all);
    assert_int_equal(service_stop(&service), 0);
}

static void the_next_page_can_be_an_address(void **state) {
    (void)state;
    walk_urls("cursor=url", "http://127.0.0.1:");
    walk_urls("cursor=relative", "/intent/list?status=approved&cursor=");
}

static void link_headers_name_the_next_page(void **state) {
    (void)state;
    struct service service;
    start(&service, (const char *const[]){"next=link", NULL});
    char *link = header_of(&service, "/intent/list?type=primary", "Link");
    assert_non_null(link);
    assert_non_null(strstr(link, "/intent/list?type=primary&cursor="));
    assert_non_null(strstr(link, ">; rel=\"next\""));
    free(link);
    assert_int_equal(service_stop(&service), 0);
}

static void cursors_can_be_numbers(void **state) {
    (void)state;
    struct service service;
    struct str target;
    str_init(&target, 200);
    start(&service, (const char *const[]){"cursor=number", NULL});
    char *first = get(&service, "/intent/list", 200);
    const char *number = strstr(first, "\"next_cursor\":") + 14;
    assert_in_range(strspn(number, "0123456789"), 5, 15);
    str_addf(&target, "/intent/list?cursor=%.*s", (int)strspn(number, "0123456789"), number);
    char *second = get(&service, target.s, 200);
    assert_int_equal(listing_count(second), 25);
    assert_string_not_equal(first, second);
    free(first);
    free(second);
    str_clear(&target);
    assert_int_equal(service_stop(&service), 0);
}

static void the_end_has_five_forms(void **state) {
    (void)state;
    static const char *const forms[][2] = {
        {"end=null", "],\"next_cursor\":null}"},
        {"end=absent", "]}"},
        {"end=empty", "],\"next_cursor\":\"\"}"},
        {"end=false", "],\"next_cursor\":false}"},
    };
    for (size_t i = 0; i < 4; i++) {
        struct service service;
        start(&service, (const char *const[]){forms[i][0], NULL});
        char *body = get(&service, "/intent/list?status=canceled", 200);
        size_t len = strlen(forms[i][1]);
        assert_string_equal(body + strlen(body) - len, forms[i][1]);
        free(body);
        assert_int_equal(service_stop(&service), 0);
    }
}

static void an_extra_end_leads_to_one_empty_page(void **state) {
    (void)state;
    struct service service;
    struct str target;
    str_init(&target, 200);
    start(&service, (const char *const[]){"end=extra", NULL});
    char *body = get(&service, "/intent/list?status=canceled", 200);
    char *cursor = listing_cursor(body);
    assert_non_null(cursor);
    str_addf(&target, "/intent/list?status=canceled&cursor=%s", cursor);
    char *last = get(&service, target.s, 200);
    assert_string_equal(last, "{\"data\":[],\"next_cursor\":null}");
    free(body);
    free(cursor);
    free(last);
    str_clear(&target);
    assert_int_equal(service_stop(&service), 0);
}

static void oldest_first_turns_the_list_round(void **state) {
    (void)state;
    struct service service;
    start(&service, (const char *const[]){"order=oldest", "limit_param=limit", NULL});
    char *oldest = get(&service, "/intent/list?limit=60", 200);
    assert_true(service_restart(&service, (const char *const[]){"--intents", "60", NULL}));
    char *newest = get(&service, "/intent/list", 200);
    for (size_t i = 0; i < 60; i++) {
        char *a = listing_id(oldest, i);
        char *b = listing_id(newest, 59 - i);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
    free(oldest);
    free(newest);
    assert_int_equal(service_stop(&service), 0);
}

static void errors_have_many_shapes(void **state) {
    (void)state;
    static const char *const shapes[][2] = {
        {"error=nested", "{\"error\":{\"code\":\"not_found\",\"message\":\"There is nothing at this path.\"}}"},
        {"error=message", "{\"code\":\"not_found\",\"message\":\""},
        {"error=error_message", "\"error_message\":\"There"},
        {"error=detail", "{\"detail\":\"There"},
        {"error=details", "\"details\":[{"},
        {"error=oauth", "{\"error\":\"not_found\",\"error_description\":\"There"},
        {"error=problem", "\"title\":\"not_found\",\"status\":404,\"detail\":\"There"},
        {"error=errors", "{\"errors\":[{"},
        {"error=embedded", "\"_embedded\":{\"errors\":[{"},
        {"error=fields", "\"invalidFields\":[{"},
        {"error=loc", "\"loc\":[\"body\",\"request\"]"},
        {"error=code", "{\"error_codes\":[\"not_found\"]"},
        {"error=null", "{\"message\":null,\"error\":null,\"detail\":404}"},
        {"error=text", "not_found: There"},
        {"error=html", "<!doctype html>"},
        {"error=bom", "\xEF\xBB\xBF{"},
        {"error=echo", "\"request\":{\"authorization\":\"Bearer "},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct service service;
        start(&service, (const char *const[]){shapes[i][0], NULL});
        char *body = get(&service, "/nowhere", 404);
        assert_non_null(strstr(body, shapes[i][1]));
        free(body);
        assert_int_equal(service_stop(&service), 0);
    }
}

static void the_request_id_has_its_place(void **state) {
    (void)state;
    struct service service;
    start(&service, (const char *const[]){"request_id=body:meta.supportId", NULL});
    char *body = get(&service, "/nowhere", 404);
    assert_non_null(strstr(body, ",\"meta\":{\"supportId\":\"req_00000001\"}}"));
    free(body);
    assert_int_equal(service_stop(&service), 0);
}

static void rate_limits_tell_when_to_come_again(void **state) {
    (void)state;
    static const char *const forms[][3] = {
        {"rate_style=seconds", "Retry-After", "0123456789"},
        {"rate_style=decimal", "Retry-After", "0123456789."},
        {"rate_style=reset_seconds", "X-RateLimit-Reset", "0123456789"},
        {"rate_style=reset_epoch", "X-RateLimit-Reset", "0123456789"},
        {"rate_style=reset_ms", "X-RateLimit-Reset", "0123456789"},
        {"rate_style=reset_iso", "X-RateLimit-Reset", "0123456789-:.TZ"},
        {"rate_style=structured", "RateLimit", "0123456789\"default;rt="},
        {"rate_style=date", "Retry-After", NULL},
        {"rate_style=rfc850", "Retry-After", NULL},
        {"rate_style=asctime", "Retry-After", NULL},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct service service;
        start(&service, (const char *const[]){"rate=2", "rate_window=600", forms[i][0], NULL});
        free(get(&service, "/intent/list", 200));
        char *left = header_of(&service, "/intent/list", "X-RateLimit-Remaining");
        assert_string_equal(left, "0");
        free(get(&service, "/intent/list", 429));
        char *value = header_of(&service, "/intent/list", forms[i][1]);
        assert_non_null(value);
        if (forms[i][2])
            assert_int_equal(strspn(value, forms[i][2]), strlen(value));
        else
            assert_non_null(strstr(value, ":"));
        free(left);
        free(value);
        assert_int_equal(service_stop(&service), 0);
    }
}

static void post_user(struct service *service, const char *headers, const char *body, int status, char **id,
                      bool replayed) {
    struct http_reply reply;
    assert_true(service_request(service, "POST", "/user", headers, body, &reply));
    assert_int_equal(reply.status, status);
    char *mark = http_header(&reply, "Idempotent-Replayed");
    assert_int_equal(mark != NULL, replayed);
    free(mark);
    *id = strdup(reply.body.s);
    http_reply_clear(&reply);
}

static void an_idempotency_key_makes_one_user(void **state) {
    (void)state;
    struct service service;
    char *first = NULL;
    char *again = NULL;
    char *other = NULL;
    start(&service, (const char *const[]){"idempotency=header:Idempotency-Key", "user_status=200", NULL});
    post_user(&service, "Idempotency-Key: k1\r\n", "{\"tag\":\"a\"}", 200, &first, false);
    post_user(&service, "Idempotency-Key: k1\r\n", "{\"tag\":\"a\"}", 200, &again, true);
    post_user(&service, "Idempotency-Key: k1\r\n", "{\"tag\":\"b\"}", 409, &other, false);
    assert_string_equal(first, again);
    free(first);
    free(again);
    free(other);
    post_user(&service, NULL, "{\"tag\":\"a\"}", 200, &first, false);
    free(first);
    assert_int_equal(service_stop(&service), 0);
}

static void required_fields_are_asked_for(void **state) {
    (void)state;
    struct service service;
    char *body = NULL;
    start(&service, (const char *const[]){"user_required=name.last,email", NULL});
    post_user(&service, NULL, "{\"name\":{\"last\":\"O\"}}", 422, &body, false);
    assert_non_null(strstr(body, "\"field\":\"email\""));
    free(body);
    post_user(&service, NULL, "{\"name\":{\"last\":\"O\"},\"email\":\"a@b.example\"}", 201, &body, false);
    free(body);
    assert_int_equal(service_stop(&service), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_filter_style_reads_its_form_and_ignores_others),
        cmocka_unit_test(names_and_paths_can_be_others),
        cmocka_unit_test(unknown_values_can_give_nothing),
        cmocka_unit_test(times_narrow_where_a_parameter_is_named),
        cmocka_unit_test(rows_and_cursor_can_lie_elsewhere),
        cmocka_unit_test(a_bare_array_has_its_cursor_in_a_header),
        cmocka_unit_test(the_next_page_can_be_an_address),
        cmocka_unit_test(link_headers_name_the_next_page),
        cmocka_unit_test(cursors_can_be_numbers),
        cmocka_unit_test(the_end_has_five_forms),
        cmocka_unit_test(an_extra_end_leads_to_one_empty_page),
        cmocka_unit_test(oldest_first_turns_the_list_round),
        cmocka_unit_test(errors_have_many_shapes),
        cmocka_unit_test(the_request_id_has_its_place),
        cmocka_unit_test(rate_limits_tell_when_to_come_again),
        cmocka_unit_test(an_idempotency_key_makes_one_user),
        cmocka_unit_test(required_fields_are_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
