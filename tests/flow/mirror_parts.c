/* The mirror of a list in parts, against a made-up service that answers in any order: no row falls between the parts,
 * whatever the service makes of their ends, and a filter that it ignores is noticed. */
#include "app/mirror.h"
#include "base/mem.h"
#include "support/damage.h"
#include "support/effects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 1500, PAGE = 10, ASKED_MAX = 64, HOUR = 3600000 };
#define NOW INT64_C(1780000000000)

/* Rows newest first; how the service takes filters. */
struct made_service {
    int64_t ms[ROWS]; /* CLOCK_NONE: a row without a time, which no filter lets through */
    int rows;
    bool ends_out;     /* neither end of a filter is in it */
    bool deaf;         /* it ignores filters of time */
    bool empty;        /* filters of time let nothing through */
    bool counts;       /* it says how many rows there are */
    const char *types; /* of each row, a letter: p, c, or another one */
    int requests, most_at_once;
};

struct fixture {
    struct profile *profile;
    struct mirror mirror;
    struct effects effects;
    struct made_service service;
    struct asked {
        uint64_t ticket;
        struct list_ask *ask;
    } asked[ASKED_MAX];
    int n;
    bool served[ROWS];
    bool joined;
};

static int setup(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    f->profile = profile_new("test", "sandbox", "http://127.0.0.1:1");
    f->profile->requests_per_hour = 0;
    free(f->profile->api.filter_after);
    free(f->profile->api.filter_before);
    f->profile->api.filter_after = mem_dup("after");
    f->profile->api.filter_before = mem_dup("before");
    f->service.rows = ROWS;
    int64_t at = NOW;
    for (int i = 0; i < ROWS; i++) { /* denser towards the end, several in one ms, and a gap */
        at -= i % 3 == 0 ? i < ROWS / 2 ? HOUR : HOUR / 3 : 0;
        at -= i == ROWS / 3 ? INT64_C(900) * HOUR : 0;
        f->service.ms[i] = at;
    }
    chance_seed(7);
    mirror_init(&f->mirror, f->profile);
    *state = f;
    return 0;
}

static void forget_asked(struct fixture *f, int i) {
    list_ask_free(f->asked[i].ask);
    f->asked[i] = f->asked[--f->n];
}

static int teardown(void **state) {
    struct fixture *f = *state;
    while (f->n > 0)
        forget_asked(f, 0);
    mirror_clear(&f->mirror);
    effects_clear(&f->effects);
    profile_free(f->profile);
    free(f);
    return 0;
}

static bool is_in(const struct made_service *service, const struct server_filter *filter, int row) {
    int64_t ms = service->ms[row], end;
    bool dated = filter->after || filter->before;
    if (filter->type && (!service->types || service->types[row % 8] != *filter->type))
        return false;
    if (!dated || service->deaf)
        return true;
    if (ms == CLOCK_NONE || service->empty)
        return false;
    if (filter->after && clock_parse(filter->after, strlen(filter->after), &end) && ms < end + service->ends_out)
        return false;
    return !filter->before || !clock_parse(filter->before, strlen(filter->before), &end) ||
           ms <= end - service->ends_out;
}

static void set_text(struct intent *intent, struct value_text *value, const char *text) {
    *value = (struct value_text){.state = VALUE_OK, .text = arena_dup_n(&intent->arena, text, strlen(text))};
}

static struct intent *made_row(const struct made_service *service, int row) {
    struct intent *intent = intent_new();
    char text[64];
    struct str iso;
    (void)snprintf(text, sizeof text, "i%d", row);
    set_text(intent, &intent->id, text);
    char type = service->types ? service->types[row % 8] : 'p';
    set_text(intent, &intent->type, type == 'p' ? "primary" : type == 'c' ? "card_only" : "other");
    if (service->ms[row] == CLOCK_NONE)
        return intent;
    str_init(&iso, 64);
    clock_format_iso(&iso, service->ms[row]);
    intent->created_at.state = VALUE_OK;
    intent->created_at.ms = service->ms[row];
    intent->created_at.text = arena_dup_n(&intent->arena, iso.s, iso.len);
    str_clear(&iso);
    return intent;
}

static struct list_result *serve(struct fixture *f, const struct list_ask *ask) {
    struct list_result *result = list_result_new();
    result->answer.retry_at = CLOCK_NONE;
    result->answer.quota_left = -1;
    int row = ask->cursor ? atoi(ask->cursor) : 0;
    for (; row < f->service.rows && result->page.n < PAGE; row++) {
        if (!is_in(&f->service, &ask->filter, row))
            continue;
        *vec_add(&result->page) = made_row(&f->service, row);
        f->served[row] = true;
    }
    while (row < f->service.rows && !is_in(&f->service, &ask->filter, row))
        row++;
    char next[32];
    (void)snprintf(next, sizeof next, "%d", row);
    result->page.next = row < f->service.rows ? mem_dup(next) : NULL;
    result->page.total = f->service.counts ? f->service.rows : 0;
    return result;
}

static void pass(struct fixture *f, enum event_kind kind, uint64_t ticket, struct payload payload);

/* What the cache would say: all that was stored is there. */
static void answer_cache(struct fixture *f, uint64_t ticket, const struct mirror_ask *ask) {
    struct mirror_held *held = mem_new(sizeof *held);
    held->usable = held->writable = true;
    held->joined = f->joined = ask->task == MIRROR_JOIN;
    for (size_t i = 0; i < ask->n && ask->task == MIRROR_PLAN; i++)
        (void)vec_add(held);
    pass(f, EVENT_MIRROR, ticket, payload_of(mirror_held, held));
}

static void drop_cancelled(struct fixture *f, uint64_t ticket) {
    for (int i = 0; i < f->n; i++)
        if (f->asked[i].ticket == ticket)
            forget_asked(f, i--);
}

static void take_effects(struct fixture *f) {
    struct effects effects = f->effects;
    f->effects = (struct effects){.tickets = effects.tickets};
    for (size_t i = 0; i < effects.n; i++) {
        struct effect *effect = &effects.items[i];
        if (effect->kind == EFFECT_FETCH) {
            assert_true(f->n < ASKED_MAX);
            f->asked[f->n++] = (struct asked){effect->ticket, effect_take(effect, list_ask)};
            f->service.requests++;
        } else if (effect->kind == EFFECT_CANCEL) {
            drop_cancelled(f, effect->ticket);
        } else if (effect->kind == EFFECT_MIRROR) {
            answer_cache(f, effect->ticket, effect_get(effect, mirror_ask));
        }
    }
    effects_clear(&effects);
}

static void pass(struct fixture *f, enum event_kind kind, uint64_t ticket, struct payload payload) {
    struct event event = {.kind = kind, .now = NOW, .ticket = ticket, .payload = payload};
    (void)mirror_update(&f->mirror, &event, &f->effects);
    payload_clear(&event.payload);
    take_effects(f);
}

static void mirror_all(struct fixture *f, size_t walks) {
    mirror_start(&f->mirror, walks, false, &f->effects);
    take_effects(f);
    for (int turn = 0; f->n > 0; turn++) {
        assert_true(turn < 10 * ROWS);
        f->service.most_at_once = f->n > f->service.most_at_once ? f->n : f->service.most_at_once;
        int i = (int)chance_below((size_t)f->n);
        uint64_t ticket = f->asked[i].ticket;
        struct list_result *result = serve(f, f->asked[i].ask);
        forget_asked(f, i);
        pass(f, EVENT_LIST, ticket, payload_of(list_result, result));
    }
    assert_int_equal(f->mirror.state, MIRROR_DONE);
    for (int row = 0; row < f->service.rows; row++)
        assert_true(f->served[row]);
    assert_int_equal(f->mirror.distinct, f->service.rows);
}

static void all_rows_are_read_in_parts_by_time(void **state) {
    struct fixture *f = *state;
    mirror_all(f, 4);
    assert_true(f->mirror.parts.n > 8);
    assert_int_equal(f->service.most_at_once, 4);
    assert_true(f->mirror.spared);
    assert_true(f->service.requests < ROWS / PAGE * 3 / 2);
}

static void ends_that_the_service_leaves_out_lose_no_row(void **state) {
    struct fixture *f = *state;
    f->service.ends_out = true;
    mirror_all(f, 8);
    assert_true(f->mirror.spared);
}

static void one_walk_is_one_walk(void **state) {
    struct fixture *f = *state;
    mirror_all(f, 1);
    assert_int_equal(f->mirror.parts.n, 1);
    assert_int_equal(f->service.requests, ROWS / PAGE);
}

static void a_short_list_is_not_split(void **state) {
    struct fixture *f = *state;
    f->service.rows = 5 * PAGE;
    mirror_all(f, 8);
    assert_int_equal(f->mirror.parts.n, 1);
}

static void b5_a_filter_that_is_ignored_is_noticed(void **state) {
    struct fixture *f = *state;
    f->service.deaf = true;
    mirror_all(f, 4);
    assert_true(f->mirror.declined);
    assert_int_equal(f->mirror.parts.n, 1);
}

/* As of a wrong name or form of the time: 200, and no rows. */
static void b5_a_filter_that_lets_nothing_through_costs_no_row(void **state) {
    struct fixture *f = *state;
    f->service.empty = true;
    mirror_all(f, 4);
    assert_false(f->mirror.spared);
}

static void a_row_without_a_time_is_found_by_the_walk_over_all(void **state) {
    struct fixture *f = *state;
    f->service.ms[3] = CLOCK_NONE;
    f->service.ms[ROWS - 2] = CLOCK_NONE;
    mirror_all(f, 4);
    assert_true(f->mirror.thorough || f->mirror.parts.n == 1);
}

static void by_type_only_where_the_service_counts(void **state) {
    struct fixture *f = *state;
    free(f->profile->api.filter_after);
    f->profile->api.filter_after = mem_dup("");
    f->service.types = "ppcpcpcp";
    mirror_all(f, 4);
    assert_int_equal(f->mirror.parts.n, 1);
    memset(f->served, 0, sizeof f->served);
    f->service.counts = true;
    f->service.requests = 0;
    mirror_all(f, 4);
    assert_int_equal(f->mirror.parts.n, 3);
    assert_true(f->mirror.spared);
    assert_true(f->service.requests < ROWS / PAGE + 8);
}

static void a_row_of_a_third_type_is_found(void **state) {
    struct fixture *f = *state;
    free(f->profile->api.filter_after);
    f->profile->api.filter_after = mem_dup("");
    f->service.types = "ppcpcpcx";
    f->service.counts = true;
    mirror_all(f, 4);
    assert_false(f->mirror.spared);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(all_rows_are_read_in_parts_by_time),
        TEST(ends_that_the_service_leaves_out_lose_no_row),
        TEST(one_walk_is_one_walk),
        TEST(a_short_list_is_not_split),
        TEST(b5_a_filter_that_is_ignored_is_noticed),
        TEST(b5_a_filter_that_lets_nothing_through_costs_no_row),
        TEST(a_row_without_a_time_is_found_by_the_walk_over_all),
        TEST(by_type_only_where_the_service_counts),
        TEST(a_row_of_a_third_type_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
