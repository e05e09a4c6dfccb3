/* The sandbox's delivery log as data. */
#include "wire/delivery.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct deliveries *read(const char *text) {
    struct deliveries *list = deliveries_new();
    wire_deliveries(text, strlen(text), list);
    return list;
}

static void a_line_is_an_attempt(void **state) {
    (void)state;
    struct deliveries *list =
        read("{\"n\":1,\"time\":\"2026-11-28T12:00:00.000Z\",\"event\":\"evt_1\",\"kind\":\"intent.created\","
             "\"attempt\":2,\"outcome\":\"failed\",\"status\":500,\"signed\":null,\"why\":\"not 2xx\"}\n"
             "{\"n\":2,\"signed\":\"hmac-hex\"}\n");
    assert_int_equal(list->n, 2);
    const struct delivery *item = &list->items[0];
    assert_int_equal(item->at, INT64_C(1795867200000));
    assert_int_equal(item->attempt, 2);
    assert_int_equal(item->status, 500);
    assert_string_equal(item->kind, "intent.created");
    assert_string_equal(item->outcome, "failed");
    assert_string_equal(item->scheme, "");
    assert_string_equal(item->why, "not 2xx");
    assert_string_equal(list->items[1].scheme, "hmac-hex");
    assert_int_equal(list->items[1].at, CLOCK_NONE);
    deliveries_free(list);
}

static void what_is_no_attempt_is_left_out(void **state) {
    (void)state;
    struct deliveries *list = read("\n<html>\n[1]\n{\"n\":7,\"kind\":\"a\\u001b[31mb\",\"attempt\":-1}");
    assert_int_equal(list->n, 1);
    assert_int_equal(list->items[0].n, 7);
    assert_int_equal(list->items[0].attempt, 0);
    assert_null(strchr(list->items[0].kind, '\x1b'));
    deliveries_free(list);
    list = read("");
    assert_int_equal(list->n, 0);
    deliveries_free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_an_attempt),
        cmocka_unit_test(what_is_no_attempt_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
