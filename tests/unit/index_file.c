/* The index as a file: it answers as the one in memory that it was made of, also after changes; writers do not meet,
 * and one that dies leaves what was there. */
#include "unit/index_file_make.h"

#include <sys/wait.h>

static void assert_alike(struct index *a, struct index *b, size_t rounds, uint64_t seed) {
    struct dice dice = {seed};
    struct str filter, first, second;
    str_init(&filter, QUERY_TEXT_MAX);
    str_init(&first, 1 << 24);
    str_init(&second, 1 << 24);
    assert_int_equal(index_count(a), index_count(b));
    for (size_t round = 0; round < rounds; round++) {
        str_reset(&filter);
        str_reset(&first);
        str_reset(&second);
        if (round % 9 != 0)
            add_filter(&dice, &filter, 2);
        assert_true(ask(a, filter.len ? filter.s : "", round, &first));
        assert_true(ask(b, filter.len ? filter.s : "", round, &second));
        if (strcmp(first.s, second.s) != 0)
            fail_msg("%s: %.200s not %.200s", filter.s, second.s, first.s);
    }
    str_clear(&filter);
    str_clear(&first);
    str_clear(&second);
}

static void a_file_answers_as_the_index_it_was_made_of(void **state) {
    struct fixture *f = *state;
    struct rows rows = mixed_rows(20000, 3);
    assert_true(save(rows.index, f->path, INT64_MAX));
    struct index *mapped = opened(f->path);
    assert_non_null(mapped);
    assert_alike(rows.index, mapped, 300, 5);
    assert_true(index_mapped(mapped) > 0);
    index_free(mapped);
    rows_clear(&rows);
}

/* What a row costs, in the file and beside it: a count, so that neither grows unseen. The rows are of the kind that
 * random_filters use, a third with transactions, and a third with observed changes of status, which take 8. */
static void a_row_takes_so_many_bytes(void **state) {
    struct fixture *f = *state;
    enum { FILE_BYTES = 188, OWN_BYTES = 2 };
    struct rows rows = mixed_rows(30000, 3);
    assert_true(save(rows.index, f->path, INT64_MAX));
    struct index *mapped = opened(f->path);
    size_t n = index_count(mapped), in_file = index_mapped(mapped) / n, own = index_bytes(mapped) / n;
    if (in_file > FILE_BYTES || own > OWN_BYTES)
        fail_msg("%zu bytes a row in the file, %zu beside it", in_file, own);
    index_free(mapped);
    rows_clear(&rows);
}

/* The same changes to both: rows that are new, replaced in place and otherwise, removed, and served again as they were.
 */
static void change_both(struct rows *rows, struct index *mapped, struct dice *dice) {
    for (int i = 0; i < 600; i++) {
        int64_t key = one_in(dice, 2) ? rows->items[below(dice, rows->n)].key : (int64_t)below(dice, 200000) - 90000;
        struct kept *row = rows_find(rows, key);
        if (row && one_in(dice, 4)) {
            assert_true(index_remove(rows->index, key));
            assert_true(index_remove(mapped, key));
            rows_drop(row);
            *row = rows->items[--rows->n];
        } else if (row && one_in(dice, 3)) {
            row->seen.confirmed = ROWS_NOW + i;
            assert_true(index_confirm(rows->index, key, ROWS_NOW + i, ROWS_NOW + i));
            assert_true(index_confirm(mapped, key, ROWS_NOW + i, ROWS_NOW + i));
        } else {
            rows_put(rows, dice, key, true);
            struct query_row view = rows_view(rows_find(rows, key));
            index_put(mapped, &view);
        }
    }
}

static void a_file_with_changes_since_answers_as_memory_does(void **state) {
    struct fixture *f = *state;
    struct rows rows = mixed_rows(20000, 7);
    struct dice dice = {11};
    for (int fold = 0; fold < 3; fold++) {
        assert_true(save(rows.index, f->path, INT64_MAX));
        struct index *mapped = opened(f->path);
        assert_non_null(mapped);
        change_both(&rows, mapped, &dice);
        assert_alike(rows.index, mapped, 100, (uint64_t)fold + 20);
        index_remove_range(rows.index, 20000, 25000);
        index_remove_range(mapped, 20000, 25000);
        for (size_t i = rows.n; i > 0; i--)
            if (rows.items[i - 1].key >= 20000 && rows.items[i - 1].key <= 25000) {
                rows_drop(&rows.items[i - 1]);
                rows.items[i - 1] = rows.items[--rows.n];
            }
        assert_alike(rows.index, mapped, 60, (uint64_t)fold + 40);
        index_free(rows.index); /* the next one is made of what was mapped and changed */
        rows.index = mapped;
    }
    rows_clear(&rows);
}

/* Ids at both ends of the slots, which a row of a file has to be found by. */
static void values_of_removed_rows_are_not_written(void **state) {
    struct fixture *f = *state;
    struct rows rows = mixed_rows(300, 9);
    struct dice dice = {1};
    rows_put(&rows, &dice, 5, true);
    struct kept *row = rows_find(&rows, 5);
    intent_free(row->intent);
    row->intent = intent_new();
    row->intent->id = (struct value_text){.state = VALUE_OK, .text = "int_gone"};
    row->intent->user_id = (struct value_text){.state = VALUE_OK, .text = "usr_nobody_else"};
    str_reset(&row->blob);
    cells_pack(row->intent, &row->blob);
    assert_true(cells_read(row->blob.s, row->blob.len, &row->cells));
    struct query_row view = rows_view(row);
    index_put(rows.index, &view);
    for (int there = 1; there >= 0; there--) {
        assert_true(save(rows.index, f->path, INT64_MAX));
        struct index *mapped = opened(f->path);
        assert_int_equal(memmem(mapped->map->bytes, mapped->map->size, "usr_nobody_else", 15) != NULL, there);
        assert_int_equal(memmem(mapped->map->bytes, mapped->map->size, "int_gone", 8) != NULL, there);
        index_free(mapped);
        (void)index_remove(rows.index, 5);
    }
    rows_clear(&rows);
}

static void rows_of_the_walk_stay_out_and_can_be_carried_over(void **state) {
    struct fixture *f = *state;
    struct rows rows = mixed_rows(500, 13);
    struct dice dice = {2};
    const int64_t low = INT64_C(1) << 62;
    for (int i = 0; i < 50; i++)
        rows_put(&rows, &dice, low + i, false);
    assert_true(save(rows.index, f->path, low - 1));
    struct index *mapped = opened(f->path);
    assert_int_equal(index_count(mapped), rows.n - 50);
    index_copy_range(rows.index, low, INT64_MAX, mapped);
    assert_alike(rows.index, mapped, 100, 3);
    index_free(mapped);
    rows_clear(&rows);
}

static void an_empty_index_can_be_saved(void **state) {
    struct fixture *f = *state;
    struct index *index = index_new();
    assert_true(save(index, f->path, INT64_MAX));
    struct index *mapped = opened(f->path);
    assert_non_null(mapped);
    assert_int_equal(index_count(mapped), 0);
    struct rows rows = {.index = mapped};
    struct dice dice = {2};
    rows_put(&rows, &dice, 1, false);
    assert_int_equal(index_count(mapped), 1);
    rows_clear(&rows);
    index_free(index);
}

static void saving_ends_where_the_index_changes(void **state) {
    struct fixture *f = *state;
    struct rows rows = mixed_rows(300, 9);
    struct index_save *save = index_save_new(rows.index, f->path, INT64_MAX, &STAMP);
    assert_int_equal(index_save_step(save), INDEX_SAVING);
    assert_true(index_remove(rows.index, rows.items[0].key));
    assert_int_equal(index_save_step(save), INDEX_NOT_SAVED);
    index_save_free(save);
    assert_int_not_equal(access(f->path, F_OK), 0);
    assert_int_not_equal(access(f->temporary, F_OK), 0);
    rows_clear(&rows);
}

static void two_do_not_write_at_once(void **state) {
    struct fixture *f = *state;
    struct rows rows = mixed_rows(300, 8);
    struct index_save *first = index_save_new(rows.index, f->path, INT64_MAX, &STAMP);
    assert_non_null(first);
    assert_int_equal(index_save_step(first), INDEX_SAVING);
    assert_null(index_save_new(rows.index, f->path, INT64_MAX, &STAMP));
    while (index_save_step(first) == INDEX_SAVING)
        continue;
    index_save_free(first);
    assert_true(save(rows.index, f->path, INT64_MAX));
    rows_clear(&rows);
}

static void a_link_in_the_place_of_the_new_file_is_not_written_through(void **state) {
    struct fixture *f = *state;
    struct rows rows = mixed_rows(100, 8);
    char other[600];
    (void)snprintf(other, sizeof other, "%s/other", f->folder);
    assert_true(proc_write_file(other, "mine"));
    assert_int_equal(symlink(other, f->temporary), 0);
    assert_null(index_save_new(rows.index, f->path, INT64_MAX, &STAMP));
    assert_int_equal(unlink(f->temporary), 0);
    assert_int_equal(link(other, f->temporary), 0);
    assert_null(index_save_new(rows.index, f->path, INT64_MAX, &STAMP));
    char *text = proc_read_file(other);
    assert_string_equal(text, "mine");
    free(text);
    rows_clear(&rows);
}

/* true: it was done after so many steps. */
static bool die_after(struct index *index, const char *path, int steps) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct index_save *save = index_save_new(index, path, INT64_MAX, &STAMP);
        enum index_saving saving = INDEX_SAVING;
        for (int i = 0; save && i < steps && saving == INDEX_SAVING; i++)
            saving = index_save_step(save);
        _exit(saving == INDEX_SAVED ? 1 : 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == 1;
}

static void a_writer_that_dies_at_any_step_leaves_what_was_there(void **state) {
    struct fixture *f = *state;
    struct rows old = mixed_rows(300, 31), fresh = mixed_rows(900, 32);
    struct index_stamp stamp;
    int steps = 0;
    while (!die_after(fresh.index, f->path, steps)) {
        assert_null(index_open(f->path, STAMP.identity, &stamp));
        steps++;
    }
    assert_true(steps > 40);
    assert_true(save(old.index, f->path, INT64_MAX));
    for (int i = 0; i < steps; i++) {
        assert_false(die_after(fresh.index, f->path, i));
        struct index *index = opened(f->path);
        assert_non_null(index);
        assert_int_equal(index_count(index), old.n);
        index_free(index);
    }
    assert_true(save(fresh.index, f->path, INT64_MAX));
    struct index *index = opened(f->path);
    assert_alike(fresh.index, index, 40, 6);
    index_free(index);
    rows_clear(&old);
    rows_clear(&fresh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_answers_as_the_index_it_was_made_of, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_takes_so_many_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_with_changes_since_answers_as_memory_does, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_of_removed_rows_are_not_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_the_walk_stay_out_and_can_be_carried_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_empty_index_can_be_saved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(saving_ends_where_the_index_changes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_do_not_write_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_link_in_the_place_of_the_new_file_is_not_written_through, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_writer_that_dies_at_any_step_leaves_what_was_there, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
