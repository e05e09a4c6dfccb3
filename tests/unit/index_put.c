#include "unit/index_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct index_result all_of(struct index *index) {
    struct index_query query = everything();
    struct index_result result;
    assert_int_equal(index_run(index, &query, &result, NULL), ERR_OK);
    return result;
}

static void assert_same(struct rows *rows) {
    struct index_result result = all_of(rows->index);
    rows_sort(rows);
    assert_int_equal(result.n, rows->n);
    assert_int_equal(index_count(rows->index), rows->n);
    for (size_t i = 0; i < rows->n; i++)
        assert_int_equal(result.keys[i], rows->items[i].key);
    index_result_clear(&result);
}

/* Few keys, so that puts replace and removes hit; every kind of order. */
static void any_mix_of_puts_and_removes_keeps_the_rows(void **state) {
    (void)state;
    struct dice dice = {31};
    struct rows rows = {.index = index_new()};
    for (int round = 0; round < 6000; round++) {
        int64_t key = (int64_t)below(&dice, 500) - 250;
        if (one_in(&dice, 3)) {
            struct kept *row = rows_find(&rows, key);
            assert_int_equal(index_remove(rows.index, key), row != NULL);
            if (row) {
                rows_drop(row);
                *row = rows.items[--rows.n];
            }
        } else {
            rows_put(&rows, &dice, key, true);
        }
        assert_int_equal(index_has(rows.index, key), rows_find(&rows, key) != NULL);
        if (round % 500 == 0)
            assert_same(&rows);
    }
    assert_same(&rows);
    while (rows.n > 0) {
        assert_true(index_remove(rows.index, rows.items[rows.n - 1].key));
        rows_drop(&rows.items[--rows.n]);
    }
    assert_same(&rows);
    rows_clear(&rows);
}

/* Over many blocks: those inside the range go whole, those at its ends in part. */
static void a_range_of_rows_is_removed_at_once(void **state) {
    enum { ROWS = 40000, LOW = 1000, HIGH = 35000 };
    (void)state;
    struct dice dice = {33};
    struct rows rows = {.index = index_new()};
    for (int64_t key = 0; key < ROWS; key++)
        rows_put(&rows, &dice, key, false);
    index_remove_range(rows.index, LOW, HIGH);
    for (size_t i = rows.n; i > 0; i--)
        if (rows.items[i - 1].key >= LOW && rows.items[i - 1].key <= HIGH) {
            rows_drop(&rows.items[i - 1]);
            rows.items[i - 1] = rows.items[--rows.n];
        }
    assert_int_equal(rows.n, ROWS - (HIGH - LOW + 1));
    assert_same(&rows);
    index_remove_range(rows.index, ROWS, INT64_MAX);
    assert_same(&rows);
    index_remove_range(rows.index, INT64_MIN, INT64_MAX);
    assert_int_equal(index_count(rows.index), 0);
    rows_clear(&rows);
}

/* A row replaced again and again fills its block with gaps, which must not grow without bound. */
static void replacing_one_row_for_ever_takes_no_more_memory(void **state) {
    (void)state;
    struct dice dice = {32};
    struct rows rows = {.index = index_new()};
    for (int64_t key = 0; key < 100; key++)
        rows_put(&rows, &dice, key, false);
    struct kept forms[20];
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        forms[i] = (struct kept){.key = 50};
        rows_fill(NULL, &forms[i], &dice);
    }
    size_t after = 0;
    for (int i = 0; i < 60000; i++) {
        struct query_row view = rows_view(&forms[below(&dice, COUNT_OF(forms))]);
        index_put(rows.index, &view);
        if (i == 20000)
            after = index_bytes(rows.index);
    }
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        rows_drop(&forms[i]);
    assert_int_equal(index_count(rows.index), 100);
    assert_true(index_bytes(rows.index) <= after * 5 / 4);
    rows_clear(&rows);
}

static struct kept with_user(int64_t key, const char *user) {
    struct kept row = {.key = key, .seen = {1, 2, CLOCK_NONE, 0}};
    row.intent = intent_new();
    row.intent->id = (struct value_text){.state = VALUE_OK, .text = "int_1"};
    row.intent->user_id = (struct value_text){.state = VALUE_OK, .text = user};
    str_init(&row.blob, 4096);
    cells_pack(row.intent, &row.blob);
    assert_true(cells_read(row.blob.s, row.blob.len, &row.cells));
    return row;
}

static size_t count(struct index *index, const char *filter) {
    struct query_plan *plan = must_plan(filter);
    struct index_query query = everything();
    struct index_result result;
    query.plan = plan;
    assert_int_equal(index_run(index, &query, &result, NULL), ERR_OK);
    size_t n = result.n;
    index_result_clear(&result);
    query_plan_free(plan);
    return n;
}

static void more_values_than_16_bits_are_told_apart(void **state) {
    (void)state;
    struct index *index = index_new();
    for (int64_t key = 0; key < 70000; key++) {
        char user[32];
        snprintf(user, sizeof user, "usr_%lld", (long long)key);
        struct kept row = with_user(key, user);
        struct query_row view = rows_view(&row);
        index_put(index, &view);
        rows_drop(&row);
    }
    assert_int_equal(count(index, "user=usr_69999"), 1);
    assert_int_equal(count(index, "user:usr_6999"), 11);
    assert_int_equal(count(index, "69999"), 1);
    struct index_query query = everything();
    struct index_result result;
    query.sort[0] = (struct index_sort){QUERY_USER_FIELD, true};
    query.facet = QUERY_USER_FIELD;
    query.facet_limit = 3;
    assert_int_equal(index_run(index, &query, &result, NULL), ERR_OK);
    assert_int_equal(result.keys[0], 9999);
    assert_int_equal(result.n_values, 3);
    assert_int_equal(result.n_distinct, 70000);
    index_result_clear(&result);
    index_free(index);
}

/* Confirmed under a clock that was ahead: nobody knows when, until this clock confirms it. */
static void f41_a_row_confirmed_ahead_of_the_clock_is_stale_until_confirmed_again(void **state) {
    (void)state;
    struct index *index = index_new();
    struct kept row = with_user(7, "u");
    struct query_row view = rows_view(&row);
    view.confirmed = ROWS_NOW + 400LL * 24 * 3600 * 1000;
    index_put(index, &view);
    assert_int_equal(count(index, "is:stale"), 1);
    assert_true(index_confirm(index, 7, ROWS_NOW - 1, ROWS_NOW));
    assert_int_equal(count(index, "is:stale"), 0);
    assert_true(index_confirm(index, 7, ROWS_NOW - 2LL * 24 * 3600 * 1000, ROWS_NOW)); /* what comes late */
    assert_int_equal(count(index, "is:stale"), 0);
    rows_drop(&row);
    index_free(index);
}

/* A page of a long walk comes after the now that the query was asked at. */
static void a_row_confirmed_during_the_walk_is_not_stale(void **state) {
    (void)state;
    struct index *index = index_new();
    struct kept row = with_user(7, "u");
    struct query_row view = rows_view(&row);
    view.confirmed = ROWS_NOW + 2LL * 3600 * 1000;
    index_put(index, &view);
    assert_int_equal(count(index, "is:stale"), 0);
    rows_drop(&row);
    index_free(index);
}

static void confirmed_row_is_no_longer_stale(void **state) {
    (void)state;
    struct index *index = index_new();
    struct kept row = with_user(7, "u");
    struct query_row view = rows_view(&row);
    view.changed = ROWS_NOW - 5;
    index_put(index, &view);
    assert_int_equal(count(index, "is:stale"), 1);
    assert_true(index_confirm(index, 7, ROWS_NOW, ROWS_NOW));
    assert_false(index_confirm(index, 8, ROWS_NOW, ROWS_NOW));
    assert_int_equal(count(index, "is:stale"), 0);
    assert_int_equal(index_changed(index, 7), view.changed);
    assert_int_equal(index_changed(index, 8), INT64_MIN);
    rows_drop(&row);
    index_free(index);
}

static void cleared_index_starts_again(void **state) {
    (void)state;
    struct dice dice = {33};
    struct rows rows = {.index = index_new()};
    for (int64_t key = 0; key < 10; key++)
        rows_put(&rows, &dice, key, false);
    index_clear(rows.index);
    assert_int_equal(index_count(rows.index), 0);
    assert_false(index_has(rows.index, 3));
    struct query_row view = rows_view(&rows.items[0]);
    index_put(rows.index, &view);
    assert_int_equal(count(rows.index, ""), 1);
    rows_clear(&rows);
}

/* A damaged blob may hold control characters: they must not be taken for the marks that rows are told apart by. */
static void control_characters_in_an_id_harm_no_other_row(void **state) {
    (void)state;
    struct index *index = index_new();
    struct cells cells = {.n_transactions = 0};
    cells.text[CELLS_ID] = (struct cells_slice){"a\0\1\2z", 5};
    index_put(index, &(struct query_row){.key = 1, .cells = &cells});
    cells.text[CELLS_ID] = (struct cells_slice){"good", 4};
    index_put(index, &(struct query_row){.key = 2, .cells = &cells});
    assert_int_equal(count(index, "id=good"), 1);
    assert_int_equal(count(index, "a???z"), 1);
    assert_int_equal(count(index, "id:a"), 1);
    index_free(index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_mix_of_puts_and_removes_keeps_the_rows),
        cmocka_unit_test(a_range_of_rows_is_removed_at_once),
        cmocka_unit_test(replacing_one_row_for_ever_takes_no_more_memory),
        cmocka_unit_test(more_values_than_16_bits_are_told_apart),
        cmocka_unit_test(a_row_confirmed_during_the_walk_is_not_stale),
        cmocka_unit_test(f41_a_row_confirmed_ahead_of_the_clock_is_stale_until_confirmed_again),
        cmocka_unit_test(confirmed_row_is_no_longer_stale),
        cmocka_unit_test(cleared_index_starts_again),
        cmocka_unit_test(control_characters_in_an_id_harm_no_other_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
