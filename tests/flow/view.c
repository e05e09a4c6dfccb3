/* The view: which question goes where, which answer is taken, what undo and history put back. No I/O. */
#include "app/result.h"
#include "base/clock.h"
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

enum { NOW = 1000000 };

struct fixture {
    struct profile *profile;
    struct browse browse;
    struct view view;
    struct effects effects;
};

static int setup(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    f->profile = profile_new("test", "sandbox", "http://127.0.0.1:1");
    browse_init(&f->browse, f->profile);
    view_init(&f->view, &f->browse);
    view_use_cache(&f->view, true, &f->effects);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    view_clear(&f->view);
    browse_clear(&f->browse);
    effects_clear(&f->effects);
    profile_free(f->profile);
    free(f);
    return 0;
}

static void apply(struct fixture *f, const char *text) {
    struct error error = {0};
    assert_int_equal(view_apply(&f->view, text, NOW, &f->effects, &error), ERR_OK);
}

/* An answer of n rows with the keys 1 to n. */
static bool answer(struct fixture *f, uint64_t ticket, size_t n) {
    struct event event = {
        .kind = EVENT_LOOKUP, .now = NOW, .ticket = ticket, .payload = payload_of(lookup_result, lookup_result_new())};
    event_get(&event, lookup_result)->keys = mem_new_array(n + 1, sizeof *event_get(&event, lookup_result)->keys);
    for (size_t i = 0; i < n; i++)
        event_get(&event, lookup_result)->keys[i] = (int64_t)i + 1;
    event_get(&event, lookup_result)->n = event_get(&event, lookup_result)->at =
        event_get(&event, lookup_result)->rows_scanned = n;
    bool taken = view_update(&f->view, &event, &f->effects);
    lookup_result_free(event_get(&event, lookup_result));
    return taken;
}

static void settle(struct fixture *f, size_t n) {
    assert_true(answer(f, f->view.ticket, n));
    effects_clear(&f->effects);
}

static void assert_text(const struct fixture *f, const char *text) {
    assert_string_equal(f->view.text, text);
}

static void each_part_goes_where_it_can_be_done(void **state) {
    struct fixture *f = *state;
    apply(f, "status:declined amount>=5");
    assert_int_equal(f->browse.filter.n, 1);
    assert_string_equal(f->browse.filter.statuses[0], "declined");
    assert_string_equal(f->view.local, "amount>=5");
    assert_non_null(effects_last(&f->effects, EFFECT_LOOKUP));
    assert_true(result_is_as_read(&f->view));
    settle(f, 3);
    assert_false(result_is_as_read(&f->view));
    assert_int_equal(view_rows(&f->view), 3);
}

static void what_the_service_does_alone_asks_no_index(void **state) {
    struct fixture *f = *state;
    apply(f, "status:declined type:primary");
    assert_null(effects_last(&f->effects, EFFECT_LOOKUP));
    assert_string_equal(f->browse.filter.type, "primary");
    assert_string_equal(f->view.local, "");
}

/* The command line leaves such rows out (F27), and so does the list. */
static void f27_what_the_service_does_not_filter_is_filtered_here(void **state) {
    struct fixture *f = *state;
    apply(f, "status:declined");
    f->browse.mismatch = true;
    assert_true(view_does_all(&f->view));
    assert_null(effects_last(&f->effects, EFFECT_LOOKUP));
    view_walked(&f->view, NOW, &f->effects);
    struct str asked;
    str_init(&asked, 256);
    query_print(effect_get(effects_last(&f->effects, EFFECT_LOOKUP), lookup)->query, &asked);
    assert_string_equal(asked.s, "status:declined");
    str_clear(&asked);
    settle(f, 3);
    assert_false(result_is_as_read(&f->view));
    view_walked(&f->view, NOW, &f->effects);
    assert_null(effects_last(&f->effects, EFFECT_LOOKUP));
    apply(f, "");
    assert_false(view_does_all(&f->view));
    assert_true(result_is_as_read(&f->view));
}

/* Until it is known whether there is a cache nothing is asked; then it, or the rows of the walk. */
static void without_a_cache_the_walk_is_looked_into(void **state) {
    struct fixture *f = *state;
    struct view view;
    view_init(&view, &f->browse);
    struct error error = {0};
    assert_int_equal(view_apply(&view, "amount>=5", NOW, &f->effects, &error), ERR_OK);
    assert_null(effects_last(&f->effects, EFFECT_LOOKUP));
    view_use_cache(&view, false, &f->effects);
    assert_non_null(effects_last(&f->effects, EFFECT_LOOKUP));
    assert_true(effect_get(effects_last(&f->effects, EFFECT_WALKED), walked_rows)->alone);
    effects_clear(&f->effects);
    view_use_cache(&view, true, &f->effects);
    assert_non_null(effects_last(&f->effects, EFFECT_LOOKUP));
    assert_false(effect_get(effects_last(&f->effects, EFFECT_WALKED), walked_rows)->alone);
    view_clear(&view);
}

/* A page as the service answers it. */
static void page(struct fixture *f, const char *body) {
    struct wire_shape shape = {.data = "data", .next = "next_cursor"};
    struct list_result *result = list_result_new();
    struct event event = {
        .kind = EVENT_LIST, .now = NOW, .ticket = f->browse.ticket, .payload = payload_of(list_result, result)};
    result->answer = (struct api_answer){.retry_at = CLOCK_NONE, .quota_left = -1};
    assert_int_equal(wire_page(body, strlen(body), &shape, &result->page, NULL), ERR_OK);
    assert_true(browse_update(&f->browse, &event, &f->effects));
    payload_clear(&event.payload);
    view_walked(&f->view, NOW, &f->effects);
}

#define AT(id, day) "{\"id\":" id ",\"created_at\":\"2026-11-" day "T10:00:00.000Z\"}"

static void rows_no_cache_keeps_go_to_the_index(void **state) {
    struct fixture *f = *state;
    browse_start(&f->browse, &f->effects);
    page(f, "{\"data\":[" AT("\"a\"", "20") "," AT("null", "19") "],\"next_cursor\":\"c1\"}");
    const struct walked_rows *rows = effect_get(effects_last(&f->effects, EFFECT_WALKED), walked_rows);
    assert_int_equal(rows->n, 1); /* the cache has the other */
    assert_int_equal(rows->items[0].key, f->browse.items[1].key);
    assert_true(rows->items[0].key >= LOOKUP_WALK_KEYS);
    effects_clear(&f->effects);
    view_use_cache(&f->view, false, &f->effects);
    rows = effect_get(effects_last(&f->effects, EFFECT_WALKED), walked_rows);
    assert_true(rows->anew && rows->alone);
    assert_int_equal(rows->n, 2);
    effects_clear(&f->effects);
    assert_true(browse_more(&f->browse, &f->effects));
    page(f, "{\"data\":[" AT("\"b\"", "18") "],\"next_cursor\":\"c2\"}");
    rows = effect_get(effects_last(&f->effects, EFFECT_WALKED), walked_rows);
    assert_false(rows->anew);
    assert_int_equal(rows->n, 1); /* what came since */
}

/* A key must not wait for thousands of rows: they go in portions, and until the last nothing is called whole. */
static void many_rows_go_to_the_index_in_portions(void **state) {
    enum { ROWS = 2500, PORTION = 1000 };
    struct fixture *f = *state;
    struct str body;
    str_init(&body, 1 << 20);
    str_add(&body, "{\"data\":[");
    for (int i = 0; i < ROWS; i++)
        str_addf(&body, "%s{\"id\":\"i%d\"}", i > 0 ? "," : "", i);
    str_add(&body, "]}");
    browse_start(&f->browse, &f->effects);
    page(f, body.s);
    str_clear(&body);
    effects_clear(&f->effects);
    view_use_cache(&f->view, false, &f->effects);
    size_t given = effect_get(effects_last(&f->effects, EFFECT_WALKED), walked_rows)->n;
    assert_true(given <= PORTION);
    view_sort(&f->view, QUERY_AMOUNT_FIELD, 0, NOW, &f->effects);
    settle(f, 1);
    f->view.answer->whole = true;
    while (given < ROWS) {
        struct event moved = {
            .kind = EVENT_INDEX, .now = NOW, .payload = payload_of(index_filled, &(struct index_filled){true})};
        assert_false(view_is_whole(&f->view));
        (void)view_update(&f->view, &moved, &f->effects);
        assert_true(effect_get(effects_last(&f->effects, EFFECT_WALKED), walked_rows)->n <= PORTION);
        given += effect_get(effects_last(&f->effects, EFFECT_WALKED), walked_rows)->n;
        assert_int_equal(effects_last(&f->effects, EFFECT_LOOKUP) != NULL,
                         given == ROWS); /* of the last portion alone */
        effects_clear(&f->effects);
    }
    assert_int_equal(given, ROWS);
    assert_true(view_is_whole(&f->view));
}

/* Whatever comes, goes and is begun anew: numbers ascend down the list, and none was another row's. */
static void a_number_is_never_another_rows(void **state) {
    enum { ROUNDS = 60, MOST = 4 * ROUNDS };
    struct fixture *f = *state;
    int64_t met[MOST];
    char *who[MOST];
    size_t n = 0;
    browse_start(&f->browse, &f->effects);
    page(f, "{\"data\":[" AT("\"top\"", "28") "," AT("\"low\"", "01") "],\"next_cursor\":\"c1\"}");
    for (int i = 0; i < ROUNDS; i++) {
        char body[512];
        for (size_t row = 0; row < f->browse.n; row++)
            f->browse.items[row].confirmed = 0;
        browse_refresh(&f->browse, &f->effects);
        (void)snprintf(
            body, sizeof body,
            "{\"data\":[" AT("\"top\"", "28") ",{\"id\":\"r%d\",\"created_at\":\"2026-11-10T10:00:%02d.000Z\"}," AT(
                "\"low\"", "01") "],\"next_cursor\":\"c1\"}",
            i, i);
        page(f, body);
        for (size_t row = 0; row < f->browse.n; row++) {
            const struct browse_row *item = &f->browse.items[row];
            size_t at = 0;
            assert_true(row == 0 || item->key > item[-1].key);
            assert_int_equal(browse_find_key(&f->browse, item->key), row);
            while (at < n && met[at] != item->key)
                at++;
            if (at < n) {
                assert_string_equal(who[at], item->intent->id.text);
            } else {
                assert_true(n < MOST);
                met[n] = item->key;
                who[n++] = mem_dup(item->intent->id.text);
            }
        }
        browse_bring(&f->browse, &f->effects); /* rows that were not listed again go */
    }
    for (size_t i = 0; i < n; i++)
        free(who[i]);
}

static void a_faulty_filter_changes_nothing(void **state) {
    struct fixture *f = *state;
    struct error error = {0};
    apply(f, "status:declined");
    effects_clear(&f->effects);
    assert_int_equal(view_apply(&f->view, "nosuch:x", NOW, &f->effects, &error), ERR_USAGE);
    assert_text(f, "status:declined");
    assert_int_equal(f->effects.n, 0);
}

static void a_newer_question_cancels_the_one_before(void **state) {
    struct fixture *f = *state;
    apply(f, "amount>=5");
    uint64_t first = f->view.ticket;
    apply(f, "amount>=6");
    assert_int_equal(effects_last(&f->effects, EFFECT_CANCEL)->ticket, first);
    assert_false(answer(f, first, 9));
    assert_true(result_is_as_read(&f->view));
    settle(f, 2);
    assert_int_equal(view_rows(&f->view), 2);
}

static void an_answer_that_failed_leaves_the_one_on_show(void **state) {
    struct fixture *f = *state;
    apply(f, "amount>=5");
    settle(f, 4);
    apply(f, "amount>=6");
    struct event event = {.kind = EVENT_LOOKUP,
                          .now = NOW,
                          .ticket = f->view.ticket,
                          .payload = payload_of(lookup_result, lookup_result_new())};
    (void)error_set(&event_get(&event, lookup_result)->error, ERR_STORE, "gone");
    assert_true(view_update(&f->view, &event, &f->effects));
    lookup_result_free(event_get(&event, lookup_result));
    assert_int_equal(view_rows(&f->view), 4);
}

static void an_index_that_moves_is_asked_again_once(void **state) {
    struct fixture *f = *state;
    struct index_filled filled = {.whole = false};
    struct event moved = {.kind = EVENT_INDEX, .now = NOW + 1000, .payload = payload_of(index_filled, &filled)};
    apply(f, "amount>=5");
    effects_clear(&f->effects);
    assert_false(view_update(&f->view, &moved, &f->effects));
    assert_false(view_update(&f->view, &moved, &f->effects));
    assert_null(effects_last(&f->effects, EFFECT_LOOKUP)); /* a question is out: after it */
    assert_true(answer(f, f->view.ticket, 1));
    assert_non_null(effects_last(&f->effects, EFFECT_LOOKUP));
    assert_true(answer(f, f->view.ticket, 1));
    effects_clear(&f->effects);
    moved.now = NOW + 10; /* too soon while it fills */
    (void)view_update(&f->view, &moved, &f->effects);
    assert_null(effects_last(&f->effects, EFFECT_LOOKUP));
    filled.whole = true;
    (void)view_update(&f->view, &moved, &f->effects);
    assert_non_null(effects_last(&f->effects, EFFECT_LOOKUP));
}

/* Rows that were asked for, as the lane gives them. */
static void bring_rows(struct fixture *f) {
    const struct effect *effect = effects_last(&f->effects, EFFECT_LOOKUP_ROWS);
    struct event event = {.kind = EVENT_LOOKUP_ROWS,
                          .now = NOW,
                          .ticket = f->view.rows_ticket,
                          .payload = payload_of(lookup_result, lookup_result_new())};
    assert_non_null(effect);
    event_get(&event, lookup_result)->rows.first = effect_get(effect, lookup_keys)->first;
    for (size_t i = 0; i < effect_get(effect, lookup_keys)->n; i++) {
        struct lookup_row *row = vec_add(&event_get(&event, lookup_result)->rows);
        *row = (struct lookup_row){.key = effect_get(effect, lookup_keys)->keys[i], .intent = wire_intent("{}", 2)};
    }
    effects_clear(&f->effects);
    assert_true(view_update(&f->view, &event, &f->effects));
    lookup_result_free(event_get(&event, lookup_result));
}

static void assert_held(const struct fixture *f, size_t from, size_t to) {
    for (size_t row = from; row < to; row++) {
        assert_non_null(view_row(&f->view, row));
        assert_int_equal(view_row(&f->view, row)->key, row + 1);
    }
}

static void rows_around_the_cursor_are_fetched_once(void **state) {
    struct fixture *f = *state;
    apply(f, "amount>=5");
    settle(f, 1000);
    result_need(&f->view, 500, 5, 20, &f->effects);
    result_need(&f->view, 501, 5, 20, &f->effects);
    const struct effect *effect = effects_last(&f->effects, EFFECT_LOOKUP_ROWS);
    assert_non_null(effect);
    assert_int_equal(f->effects.n, 1);
    assert_true(effect_get(effect, lookup_keys)->first <= 480 &&
                effect_get(effect, lookup_keys)->first + effect_get(effect, lookup_keys)->n >= 520);
    assert_int_equal(effect_get(effect, lookup_keys)->keys[0], (int64_t)effect_get(effect, lookup_keys)->first + 1);
}

static void rows_held_grow_in_both_directions_and_no_further(void **state) {
    struct fixture *f = *state;
    apply(f, "amount>=5");
    settle(f, 1000);
    for (int step = 0; step < 3; step++) {
        result_need(&f->view, 500, 5, 20, &f->effects);
        bring_rows(f);
    }
    result_need(&f->view, 500, 5, 20, &f->effects);
    assert_int_equal(f->effects.n, 0);
    assert_held(f, 460, 540);
    for (size_t row = 500; row < 1000; row++) {
        for (result_need(&f->view, row, 5, 20, &f->effects); f->effects.n > 0;
             result_need(&f->view, row, 5, 20, &f->effects))
            bring_rows(f);
        assert_held(f, row - 40, row + 40 < 1000 ? row + 40 : 1000);
        assert_true(f->view.answer->rows.n <= 300);
    }
    for (size_t row = 999; row > 0; row--) {
        for (result_need(&f->view, row, 5, 20, &f->effects); f->effects.n > 0;
             result_need(&f->view, row, 5, 20, &f->effects))
            bring_rows(f);
        assert_held(f, row > 40 ? row - 40 : 0, row);
        assert_true(f->view.answer->rows.n <= 300);
    }
}

static void a_new_question_lets_go_of_rows_still_to_come(void **state) {
    struct fixture *f = *state;
    apply(f, "amount>=5");
    settle(f, 1000);
    result_need(&f->view, 500, 5, 20, &f->effects);
    uint64_t rows = f->view.rows_ticket;
    apply(f, "amount>=6");
    assert_int_equal(effects_last(&f->effects, EFFECT_CANCEL)->ticket, rows);
    assert_int_equal(f->view.rows_ticket, 0);
    const struct lookup *lookup = effect_get(effects_last(&f->effects, EFFECT_LOOKUP), lookup);
    assert_int_equal(lookup->window, 20);
    assert_int_equal(lookup->line, 5);
}

static void a_filter_being_typed_is_shown_and_let_go(void **state) {
    struct fixture *f = *state;
    struct query *query;
    apply(f, "amount>=5");
    settle(f, 3);
    assert_int_equal(view_parse(&f->view, "rail:card", &query, NULL, NULL), ERR_OK);
    view_preview(&f->view, query, NOW, &f->effects);
    assert_true(f->view.previewing);
    settle(f, 7);
    assert_int_equal(view_rows(&f->view), 7);
    view_drop_preview(&f->view, NOW, &f->effects);
    settle(f, 3);
    assert_text(f, "amount>=5");
    assert_int_equal(f->view.undo.n, 1);
}

static void a_sort_goes_up_down_and_off(void **state) {
    struct fixture *f = *state;
    view_sort(&f->view, QUERY_AMOUNT_FIELD, 0, NOW, &f->effects);
    assert_false(f->view.sort[0].descending);
    settle(f, 1);
    view_sort(&f->view, QUERY_CREATED_FIELD, 1, NOW, &f->effects);
    assert_int_equal(f->view.sort[1].field, QUERY_CREATED_FIELD);
    settle(f, 1);
    view_sort(&f->view, QUERY_AMOUNT_FIELD, 0, NOW, &f->effects);
    assert_true(f->view.sort[0].descending);
    assert_int_equal(f->view.sort[1].field, QUERY_FIELD_COUNT);
    settle(f, 1);
    view_sort(&f->view, QUERY_AMOUNT_FIELD, 0, NOW, &f->effects);
    assert_false(view_is_sorted(&f->view));
    assert_true(result_is_as_read(&f->view));
}

static void undo_puts_filter_sort_and_marks_back(void **state) {
    struct fixture *f = *state;
    struct lookup_name name = {.id = (char *)"i1", .ms = 1, .key = 1};
    apply(f, "amount>=5");
    view_sort(&f->view, QUERY_AMOUNT_FIELD, 0, NOW, &f->effects);
    view_keep(&f->view);
    view_mark(&f->view, &name, true);
    assert_true(view_is_marked(&f->view, "i1"));
    assert_true(view_undo(&f->view, NOW, &f->effects, NULL));
    assert_false(view_is_marked(&f->view, "i1"));
    assert_true(view_undo(&f->view, NOW, &f->effects, NULL));
    assert_false(view_is_sorted(&f->view));
    assert_true(view_undo(&f->view, NOW, &f->effects, NULL));
    assert_text(f, "");
    assert_false(view_undo(&f->view, NOW, &f->effects, NULL));
    for (int i = 0; i < 3; i++)
        assert_true(view_redo(&f->view, NOW, &f->effects, NULL));
    assert_false(view_redo(&f->view, NOW, &f->effects, NULL));
    assert_text(f, "amount>=5");
    assert_true(view_is_sorted(&f->view));
    assert_true(view_is_marked(&f->view, "i1"));
}

static void undo_is_bounded(void **state) {
    struct fixture *f = *state;
    for (int i = 0; i < VIEW_UNDO_MAX + 20; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "amount>=%d", i);
        apply(f, text);
    }
    int steps = 0;
    while (view_undo(&f->view, NOW, &f->effects, NULL))
        steps++;
    assert_int_equal(steps, VIEW_UNDO_MAX);
    assert_text(f, "amount>=19");
}

static void views_are_gone_back_to_and_forward(void **state) {
    struct fixture *f = *state;
    apply(f, "rail:card");
    apply(f, "rail:ach");
    assert_true(view_go(&f->view, -1, NOW, &f->effects, NULL));
    assert_text(f, "rail:card");
    assert_true(view_go(&f->view, -1, NOW, &f->effects, NULL));
    assert_text(f, "");
    assert_false(view_go(&f->view, -1, NOW, &f->effects, NULL));
    assert_true(view_go(&f->view, 1, NOW, &f->effects, NULL));
    assert_text(f, "rail:card");
    apply(f, "rail:wire"); /* what lay ahead is left */
    assert_false(view_go(&f->view, 1, NOW, &f->effects, NULL));
    assert_true(view_go(&f->view, -1, NOW, &f->effects, NULL));
    assert_text(f, "rail:card");
}

static void a_view_gone_back_to_is_sorted_as_it_was_left(void **state) {
    struct fixture *f = *state;
    apply(f, "rail:card");
    view_sort(&f->view, QUERY_AMOUNT_FIELD, 0, NOW, &f->effects);
    view_set_name(&f->view, "cards");
    apply(f, "rail:ach");
    assert_false(f->view.sort[0].field == QUERY_AMOUNT_FIELD && *f->view.name);
    view_order(&f->view, QUERY_CREATED_FIELD, false, NOW, &f->effects);
    assert_true(view_go(&f->view, -1, NOW, &f->effects, NULL));
    assert_int_equal(f->view.sort[0].field, QUERY_AMOUNT_FIELD);
    assert_string_equal(f->view.name, "cards");
    assert_true(view_last(&f->view, NOW, &f->effects, NULL));
    assert_int_equal(f->view.sort[0].field, QUERY_CREATED_FIELD);
    assert_text(f, "rail:ach");
}

static void a_mark_is_there_once_and_let_go(void **state) {
    struct fixture *f = *state;
    static const char *const IDS[] = {"a", "b", "c"};
    for (size_t i = 0; i < COUNT_OF(IDS); i++) {
        struct lookup_name name = {.id = (char *)IDS[i], .key = (int64_t)i + 1};
        view_mark(&f->view, &name, true);
        view_mark(&f->view, &name, true);
    }
    assert_int_equal(f->view.marks.n, 3);
    struct lookup_name first = {.id = (char *)"a", .key = 1};
    view_mark(&f->view, &first, false);
    assert_false(view_is_marked(&f->view, "a"));
    assert_true(view_is_marked(&f->view, "b") && view_is_marked(&f->view, "c"));
    apply(f, "is:marked");
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_LOOKUP), lookup)->n_marks, 2);
    view_marks_drop(&f->view);
    assert_false(view_is_marked(&f->view, "b"));
}

/* A choice beside a chosen status stays one term: `x (a | b)`, not `x a | b`. */
static void a_server_filter_by_hand_keeps_what_is_filtered_here(void **state) {
    struct fixture *f = *state;
    struct server_filter filter = {0};
    apply(f, "rail:card | rail:ach");
    server_filter_add_status(&filter, "declined");
    view_set_server(&f->view, &filter, NOW, &f->effects);
    server_filter_clear(&filter);
    assert_text(f, "status:declined (rail:card | rail:ach)");
    assert_string_equal(f->browse.filter.statuses[0], "declined");
}

static void a_window_goes_to_the_service_where_it_is_named(void **state) {
    struct fixture *f = *state;
    apply(f, "created>=2026-11-01");
    assert_null(f->browse.filter.after);
    free(f->profile->api.filter_after);
    f->profile->api.filter_after = mem_dup("from");
    apply(f, "created>=2026-11-01 amount>5");
    assert_string_equal(f->browse.filter.after, "2026-10-31T23:59:59.999Z");
    assert_null(f->browse.filter.before);
    assert_string_equal(f->view.window_text, "created>=2026-11-01");
    assert_string_equal(f->view.local, "created>=2026-11-01 amount>5");
    struct server_filter filter = {0};
    server_filter_add_status(&filter, "pending");
    view_set_server(&f->view, &filter, NOW, &f->effects);
    server_filter_clear(&filter);
    assert_string_equal(f->browse.filter.after, "2026-10-31T23:59:59.999Z");
    assert_text(f, "status:pending created>=2026-11-01 amount>5");
}

static void counting_and_locating_leave_the_view_alone(void **state) {
    struct fixture *f = *state;
    struct query *query;
    apply(f, "amount>=5");
    settle(f, 3);
    uint64_t ticket =
        view_stats(&f->view, &(struct stats_ask){.by = {QUERY_AXIS_FIELD, QUERY_BANK_FIELD}}, 9, NOW, &f->effects);
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_LOOKUP), lookup)->facet, QUERY_BANK_FIELD);
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_LOOKUP), lookup)->facet_limit, 9);
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_LOOKUP), lookup)->window, 0);
    assert_int_equal(f->view.ticket, 0);
    assert_false(answer(f, ticket, 1));
    assert_int_equal(view_parse(&f->view, "id:x", &query, NULL, NULL), ERR_OK);
    (void)view_locate(&f->view, query, NOW, &f->effects);
    assert_true(query_equal(effect_get(effects_last(&f->effects, EFFECT_LOOKUP), lookup)->find, query));
    assert_true(query_equal(effect_get(effects_last(&f->effects, EFFECT_LOOKUP), lookup)->query, f->view.query));
    query_free(query);
    assert_int_equal(view_rows(&f->view), 3);
}

static void an_answer_covers_all_only_at_the_end_of_the_walk(void **state) {
    struct fixture *f = *state;
    struct lookup_result found = {.whole = true};
    assert_false(view_covers(&f->view, NULL));
    assert_false(view_covers(&f->view, &found));
    f->browse.end = BROWSE_END;
    assert_true(view_covers(&f->view, &found));
    f->browse.replacing = true;
    assert_false(view_covers(&f->view, &found));
    f->browse.replacing = false;
    found.whole = false;
    assert_false(view_covers(&f->view, &found));
}

static void assert_covered(struct fixture *f, const char *read, const char *text, bool expected) {
    struct lookup_result found = {.whole = true};
    apply(f, read);
    f->browse.end = BROWSE_END;
    f->browse.replacing = false;
    if (view_covers_text(&f->view, &found, text, NOW) != expected)
        fail_msg("%s after all of %s: expected %d", text, read, expected);
    f->browse.end = BROWSE_OPEN;
    assert_false(view_covers_text(&f->view, &found, text, NOW));
}

static void another_filter_is_covered_where_its_server_part_was_read(void **state) {
    struct fixture *f = *state;
    assert_covered(f, "", "status:declined bank:x", true);
    assert_covered(f, "bank:x", "", true); /* what is done here narrows no walk */
    assert_covered(f, "status:declined", "status:declined bank:x", true);
    assert_covered(f, "status:declined,pending", "status:pending", true);
    assert_covered(f, "status:declined,pending", "status:pending,approved", false);
    assert_covered(f, "status:declined", "bank:x", false);
    assert_covered(f, "type:primary", "type:primary status:declined", true);
    assert_covered(f, "type:primary", "type:card_only", false);
    assert_covered(f, "type:primary", "status:declined", false);
    assert_covered(f, "", "nonsense:1", false);
}

static void another_filter_is_covered_within_the_days_read(void **state) {
    struct fixture *f = *state;
    struct api_settings *api = &f->profile->api;
    free(api->filter_after);
    free(api->filter_before);
    api->filter_after = mem_dup("from");
    api->filter_before = mem_dup("to");
    assert_covered(f, "created:2026-11", "created:2026-11-05", true);
    assert_covered(f, "created:2026-11", "created:2026-11 bank:x", true);
    assert_covered(f, "created:2026-11", "created>=2026-11", false);
    assert_covered(f, "created>=2026-11", "created:2026-11-05..2026-12", true);
    assert_covered(f, "created:2026-11", "created:2026-10-31..2026-11-02", false);
    assert_covered(f, "created:2026-11", "", false);
}

#define AFTER_SETUP(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_SETUP(another_filter_is_covered_where_its_server_part_was_read),
        AFTER_SETUP(another_filter_is_covered_within_the_days_read),
        AFTER_SETUP(each_part_goes_where_it_can_be_done),
        AFTER_SETUP(what_the_service_does_alone_asks_no_index),
        AFTER_SETUP(f27_what_the_service_does_not_filter_is_filtered_here),
        AFTER_SETUP(rows_no_cache_keeps_go_to_the_index),
        AFTER_SETUP(many_rows_go_to_the_index_in_portions),
        AFTER_SETUP(a_number_is_never_another_rows),
        AFTER_SETUP(without_a_cache_the_walk_is_looked_into),
        AFTER_SETUP(a_faulty_filter_changes_nothing),
        AFTER_SETUP(a_newer_question_cancels_the_one_before),
        AFTER_SETUP(an_answer_that_failed_leaves_the_one_on_show),
        AFTER_SETUP(an_index_that_moves_is_asked_again_once),
        AFTER_SETUP(rows_around_the_cursor_are_fetched_once),
        AFTER_SETUP(rows_held_grow_in_both_directions_and_no_further),
        AFTER_SETUP(a_new_question_lets_go_of_rows_still_to_come),
        AFTER_SETUP(a_filter_being_typed_is_shown_and_let_go),
        AFTER_SETUP(a_sort_goes_up_down_and_off),
        AFTER_SETUP(undo_puts_filter_sort_and_marks_back),
        AFTER_SETUP(undo_is_bounded),
        AFTER_SETUP(views_are_gone_back_to_and_forward),
        AFTER_SETUP(a_view_gone_back_to_is_sorted_as_it_was_left),
        AFTER_SETUP(a_mark_is_there_once_and_let_go),
        AFTER_SETUP(a_server_filter_by_hand_keeps_what_is_filtered_here),
        AFTER_SETUP(a_window_goes_to_the_service_where_it_is_named),
        AFTER_SETUP(counting_and_locating_leave_the_view_alone),
        AFTER_SETUP(an_answer_covers_all_only_at_the_end_of_the_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
