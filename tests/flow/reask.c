/* Open intents asked for again: events in, state and effects out. No I/O. */
#include "app/reask.h"
#include "base/mem.h"
#include "support/effects.h"
#include "wire/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NOW INT64_C(1780000000000)

struct fixture {
    struct profile *profile;
    struct reask reask;
    struct effects effects;
};

static int setup(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    f->profile = profile_new("test", "sandbox", "http://127.0.0.1:1");
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    reask_clear(&f->reask);
    effects_clear(&f->effects);
    profile_free(f->profile);
    free(f);
    return 0;
}

static bool start(struct fixture *f, const char *filter) {
    struct query *query;
    assert_int_equal(query_parse(filter, &(struct query_options){.unit = MONEY_RAW}, &query, NULL, NULL), ERR_OK);
    bool asks = reask_start(&f->reask, f->profile, query, NOW, &f->effects);
    query_free(query);
    return asks;
}

static int64_t fail_until; /* what failures say of when to ask again */

/* status: of the row that the page has. */
static void answer(struct fixture *f, enum err err, const char *status, const char *next) {
    struct list_result *result = list_result_new();
    static const struct wire_shape shape = {.data = "data", .next = "next_cursor", .has_more = "has_more"};
    char body[256];
    (void)snprintf(body, sizeof body, "{\"data\":[{\"id\":\"a\",\"status\":\"%s\"}],\"next_cursor\":%s%s%s}", status,
                   next ? "\"" : "", next ? next : "null", next ? "\"" : "");
    if (err == ERR_OK && wire_page(body, strlen(body), &shape, &result->page, NULL) != ERR_OK)
        fail_msg("%s", body);
    result->answer.code = err;
    result->answer.quota_left = -1;
    result->answer.retry_at = fail_until;
    struct event event = {
        .kind = EVENT_LIST, .now = NOW, .ticket = f->reask.ticket, .payload = payload_of(list_result, result)};
    effects_clear(&f->effects);
    assert_true(reask_update(&f->reask, &event, &f->effects));
    payload_clear(&event.payload);
}

static const struct list_ask *asked(const struct fixture *f) {
    const struct effect *effect = effects_last(&f->effects, EFFECT_FETCH);
    return effect ? effect_get(effect, list_ask) : NULL;
}

static void all_pages_of_open_statuses_are_read(void **state) {
    struct fixture *f = *state;
    assert_true(start(f, "bank:nord age>3d"));
    assert_int_equal(asked(f)->filter.n, 2);
    assert_string_equal(asked(f)->filter.statuses[0], "created");
    assert_string_equal(asked(f)->filter.statuses[1], "pending");
    answer(f, ERR_OK, "pending", "second");
    assert_string_equal(asked(f)->cursor, "second");
    assert_int_equal(f->reask.state, REASK_ASKING);
    answer(f, ERR_OK, "created", NULL);
    assert_null(asked(f));
    assert_int_equal(f->reask.state, REASK_DONE);
    assert_int_equal(f->reask.rows, 2);
}

/* So that the walk tells which have left that very list. */
static void a_filter_of_open_statuses_is_asked_as_it_is(void **state) {
    struct fixture *f = *state;
    assert_true(start(f, "status:pending type:primary age>3d"));
    assert_int_equal(asked(f)->filter.n, 1);
    assert_string_equal(asked(f)->filter.statuses[0], "pending");
    assert_string_equal(asked(f)->filter.type, "primary");
    assert_true(start(f, "status:pending,approved"));
    assert_int_equal(asked(f)->filter.n, 2);
    assert_string_equal(asked(f)->filter.statuses[0], "created");
}

static void the_share_of_requests_ends_it_and_that_is_said(void **state) {
    struct fixture *f = *state;
    struct str text;
    f->profile->requests_per_hour = 8;
    assert_true(start(f, "age>3d"));
    answer(f, ERR_OK, "pending", "second");
    answer(f, ERR_OK, "pending", "third");
    assert_null(asked(f));
    assert_int_equal(f->reask.state, REASK_PARTLY);
    str_init(&text, 512);
    reask_text(&f->reask, CLOCK_UTC, NOW, &text);
    assert_non_null(strstr(text.s, "2 created or pending asked again at "));
    assert_non_null(strstr(text.s, "in 2 pages; older ones are as they were read before"));
    str_clear(&text);
}

static void what_is_no_answer_to_it_fails_it(void **state) {
    struct fixture *f = *state;
    assert_true(start(f, "age>3d"));
    answer(f, ERR_OK, "approved", "second");
    assert_int_equal(f->reask.state, REASK_FAILED);
    assert_string_equal(f->reask.error.text, "the service did not apply the filter");
    assert_true(start(f, "age>3d"));
    answer(f, ERR_TIMEOUT, "", NULL);
    assert_int_equal(f->reask.state, REASK_FAILED);
    assert_int_equal(f->reask.error.code, ERR_TIMEOUT);
    assert_null(asked(f));
}

/* By keys that count ages anew as fast as they are pressed. */
static void it_asks_again_when_the_service_and_its_share_allow(void **state) {
    enum { MINUTE = 60000 };
    struct fixture *f = *state;
    assert_true(reask_is_due(&f->reask, NOW));
    assert_true(start(f, "age>3d"));
    assert_false(reask_is_due(&f->reask, NOW));
    fail_until = NOW + 10 * MINUTE;
    answer(f, ERR_THROTTLED, "", NULL);
    fail_until = 0;
    assert_false(reask_is_due(&f->reask, NOW + 10 * MINUTE - 1));
    assert_true(reask_is_due(&f->reask, NOW + 10 * MINUTE));
    assert_true(start(f, "age>3d"));
    answer(f, ERR_TIMEOUT, "", NULL);
    assert_false(reask_is_due(&f->reask, NOW + MINUTE - 1));
    assert_true(reask_is_due(&f->reask, NOW + MINUTE));
    f->profile->requests_per_hour = 8;
    assert_true(start(f, "age>3d"));
    answer(f, ERR_OK, "pending", NULL); /* one of two that it may send in an hour */
    assert_false(reask_is_due(&f->reask, NOW + 30 * MINUTE - 1));
    assert_true(reask_is_due(&f->reask, NOW + 30 * MINUTE));
}

static void what_is_cancelled_asks_for_no_other_page(void **state) {
    struct fixture *f = *state;
    assert_true(start(f, "age>3d"));
    effects_clear(&f->effects);
    reask_cancel(&f->reask, &f->effects);
    assert_non_null(effects_last(&f->effects, EFFECT_CANCEL));
    assert_int_equal(f->reask.state, REASK_PARTLY);
    assert_int_equal(f->reask.ticket, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_pages_of_open_statuses_are_read, setup, teardown),
        cmocka_unit_test_setup_teardown(a_filter_of_open_statuses_is_asked_as_it_is, setup, teardown),
        cmocka_unit_test_setup_teardown(the_share_of_requests_ends_it_and_that_is_said, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_answer_to_it_fails_it, setup, teardown),
        cmocka_unit_test_setup_teardown(it_asks_again_when_the_service_and_its_share_allow, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_cancelled_asks_for_no_other_page, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
