/* The column index as a file beside the cache: whoever comes next has all of it at once, with what was written since;
 * whatever became of the file, answers are those of the cache. */
#include "index/block.h"
#include "index_lane_make.h"
#include "store/cache_care.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 1200, STEPS_MAX = 10000 };

static int set_up(void **state) {
    return set_up_rows(state, ROWS);
}

static bool saving;

static void saved(void *owner, bool more) {
    (void)owner;
    saving = more;
}

static bool is_there(const struct fixture *f, const char *suffix) {
    char path[4300];
    (void)snprintf(path, sizeof path, "%s/live.db-index%s", f->folder, suffix);
    return access(path, F_OK) == 0;
}

static void save_whole(struct fixture *f) {
    int steps = 0;
    do {
        run(f, index_save_job(saved));
        assert_true(steps++ < STEPS_MAX);
    } while (saving);
}

/* Another console's lane, or a command's. */
static void next_lane(struct fixture *f) {
    index_lane_close(&f->lane);
    f->lane = (struct index_lane){.cache = {.place = &f->place}};
}

static void fill_and_save(struct fixture *f) {
    fill_whole(f);
    save_whole(f);
    assert_true(is_there(f, ""));
    next_lane(f);
}

/* Without a slice of filling before. */
static const struct lookup_result *ask_first(struct fixture *f, const char *filter) {
    return ask(f, lookup_of(filter));
}

static void the_next_one_has_all_of_it_at_once(void **state) {
    struct fixture *f = *state;
    struct stat st;
    char path[4300];
    fill_and_save(f);
    const struct lookup_result *found = ask_first(f, "status:declined");
    assert_true(found->whole);
    assert_int_equal(found->n, ROWS / 5);
    assert_int_equal(found->rows_scanned, ROWS);
    assert_string_equal(id_at(found, 0), "pay_000002");
    assert_true(index_mapped(f->lane.index) > 0);
    (void)snprintf(path, sizeof path, "%s/live.db-index", f->folder);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void the_one_that_wrote_it_maps_it_too(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    assert_true(f->unsaved);
    size_t before = index_bytes(f->lane.index);
    save_whole(f);
    assert_true(index_mapped(f->lane.index) > 0);
    assert_true(index_bytes(f->lane.index) < before / 4);
    put_one(f, -1, "declined", 500, MADE_NEWEST + 1000);
    run(f, index_fill_job(moved));
    assert_true(f->changed);
    assert_false(f->unsaved); /* one row is not worth it */
    assert_int_equal(ask_first(f, "status:declined")->n, ROWS / 5 + 1);
}

static void what_was_written_since_is_caught_up(void **state) {
    struct fixture *f = *state;
    fill_and_save(f);
    put_one(f, 2, "approved", 102, MADE_NEWEST + 1000);
    put_one(f, -1, "declined", 500, MADE_NEWEST + 1000);
    struct lookup *lookup = lookup_of("status:declined");
    lookup->whole = true;
    const struct lookup_result *found = ask(f, lookup);
    assert_int_equal(found->n, ROWS / 5);
    assert_string_equal(id_at(found, 0), "pay_-00001");
    assert_string_equal(id_at(found, 1), "pay_000007");
    assert_true(index_mapped(f->lane.index) > 0);
}

/* As with an index that was filled here: the row served last is the one that stays. */
static void a_row_of_the_file_whose_created_at_changed_is_counted_once(void **state) {
    struct fixture *f = *state;
    fill_and_save(f);
    put_made(f,
             &(struct made){.id = "pay_000007", .status = "declined", .created_ms = MADE_NEWEST + 500, .amount = 7001},
             MADE_NEWEST + 1000);
    for (int i = 0; i < 2; i++) {
        const struct lookup_result *found = ask_first(f, "id:pay_000007");
        assert_int_equal(found->rows_scanned, ROWS);
        assert_int_equal(found->n, 1);
        assert_int_equal(found->totals[0].sum, 7001);
        next_lane(f);
    }
}

static struct lookup *lookup_at_hand(const char *filter, size_t limit) {
    struct lookup *lookup = lookup_of(filter);
    lookup->totals = false;
    lookup->whole = lookup->at_hand = true;
    lookup->limit = limit;
    return lookup;
}

static void a_question_at_hand_is_answered_from_the_file_alone(void **state) {
    struct fixture *f = *state;
    assert_true(ask(f, lookup_at_hand("status:declined", 0))->absent);
    assert_false(f->lane.whole);
    fill_and_save(f);
    const struct lookup_result *found = ask(f, lookup_at_hand("status:declined", 0));
    assert_false(found->absent);
    assert_true(found->whole);
    assert_int_equal(found->n, ROWS / 5);
    found = ask(f, lookup_at_hand("status:declined", 3));
    assert_int_equal(found->n, 3);
    assert_int_equal(found->rows_scanned, 13); /* up to the third, pay_000012 */
    assert_false(found->whole);
    found = ask(f, lookup_at_hand("status:declined", ROWS));
    assert_true(found->whole);
    assert_int_equal(found->rows_scanned, ROWS);
}

/* It only reads: which of two rows with one id stays is settled by those that write. */
static void a_question_at_hand_leaves_two_rows_with_one_id(void **state) {
    struct fixture *f = *state;
    int64_t rows;
    fill_and_save(f);
    put_made(f,
             &(struct made){.id = "pay_000007", .status = "declined", .created_ms = MADE_NEWEST + 500, .amount = 7001},
             MADE_NEWEST + 1000);
    assert_true(ask(f, lookup_at_hand("id:pay_000007", 0))->absent);
    assert_int_equal(cache_count(f->writer, &rows, NULL), ERR_OK);
    assert_int_equal(rows, ROWS + 1);
}

static void a_purge_takes_it_along_also_while_it_is_written(void **state) {
    struct fixture *f = *state;
    struct cache_purged purged;
    fill_whole(f);
    save_whole(f);
    assert_true(is_there(f, ""));
    for (int i = 0; i < 5000; i++) /* enough to be written anew */
        f->lane.keep.stale++;
    struct lane_job *job = index_save_job(saved);
    atomic_store(&job->pressed, true); /* one step */
    run(f, job);
    assert_true(saving);
    assert_true(is_there(f, ".new"));
    assert_int_equal(cache_purge(f->writer, &purged, NULL), ERR_OK);
    assert_false(is_there(f, ""));
    assert_false(is_there(f, ".new"));
    save_whole(f);
    assert_false(is_there(f, ""));
    assert_int_equal(ask_first(f, "")->n, 0);
    next_lane(f);
    assert_false(is_there(f, ""));
    assert_false(is_there(f, ".new"));
}

/* Rows that the cache let go are in the file until it is written anew: at the latest it goes with the program. */
static void rows_that_the_cache_let_go_do_not_stay_in_it(void **state) {
    struct fixture *f = *state;
    int64_t removed;
    for (int anew = 0; anew < 2; anew++) {
        fill_whole(f);
        save_whole(f);
        next_lane(f);
        assert_true(is_there(f, ""));
        put_one(f, 1, "approved", 102, MADE_NEWEST + 100 * (int64_t)MADE_DAY);
        assert_int_equal(
            cache_retain(f->writer, MADE_NEWEST + 100 * (int64_t)MADE_DAY, anew ? 2 : 0, 0, &removed, NULL), ERR_OK);
        assert_int_equal(removed, anew ? ROWS - 1 : 0);
        (void)ask_first(f, "status:declined");
        next_lane(f);
        assert_int_equal(is_there(f, ""), !anew);
    }
}

static void it_is_written_anew_without_rows_that_went(void **state) {
    struct fixture *f = *state;
    int64_t removed;
    fill_and_save(f);
    put_at(f, "", 0, 1100, NULL, MADE_NEWEST + 100 * (int64_t)MADE_DAY);
    assert_int_equal(cache_retain(f->writer, MADE_NEWEST + 100 * (int64_t)MADE_DAY, 2, 0, &removed, NULL), ERR_OK);
    assert_int_equal(removed, 100);
    fill_whole(f);
    save_whole(f);
    next_lane(f);
    assert_true(is_there(f, ""));
    assert_int_equal(ask_first(f, "")->rows_scanned, 1100);
}

/* A command that had to read everything leaves the file for the next one. */
static void a_command_writes_it_at_its_end(void **state) {
    struct fixture *f = *state;
    struct lookup *lookup = lookup_of("status:declined");
    lookup->whole = true;
    assert_int_equal(ask(f, lookup)->n, ROWS / 5);
    f->lane.saves_at_end = true;
    next_lane(f);
    assert_true(is_there(f, ""));
    assert_true(ask_first(f, "status:declined")->whole);
}

static void few_rows_have_no_file(void **state) {
    struct fixture *f = *state;
    int64_t removed;
    put_at(f, "", 0, 500, NULL, MADE_NEWEST + 100 * (int64_t)MADE_DAY);
    assert_int_equal(cache_retain(f->writer, MADE_NEWEST + 100 * (int64_t)MADE_DAY, 2, 0, &removed, NULL), ERR_OK);
    fill_whole(f);
    save_whole(f);
    assert_false(is_there(f, ""));
}

static void copy_file(const char *from, const char *to) {
    char bytes[65536];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (ssize_t n; (n = read(in, bytes, sizeof bytes)) > 0;)
        assert_int_equal(write(out, bytes, (size_t)n), n);
    close(in);
    close(out);
}

/* Put back from a copy, the cache counts its changes on from there: the same numbers for others. */
static void a_cache_that_was_put_back_is_read_anew(void **state) {
    struct fixture *f = *state;
    struct cache_opening opening;
    char path[4300], copy[4300];
    (void)snprintf(path, sizeof path, "%s/live.db", f->folder);
    (void)snprintf(copy, sizeof copy, "%s/copy", f->folder);
    fill_and_save(f); /* the identity is made */
    cache_close(f->writer);
    copy_file(path, copy);
    f->writer = cache_open(f->folder, &BINDING, &opening);
    for (int i = 0; i < 20; i++)
        put_one(f, 5 * i, "canceled", 500, MADE_NEWEST + 1000);
    cache_index_remove(f->writer);
    fill_and_save(f);
    cache_close(f->writer);
    copy_file(copy, path);
    f->writer = cache_open(f->folder, &BINDING, &opening);
    for (int i = 0; i < 30; i++) /* as many rows, and more changes than before */
        put_one(f, 5 * i + 500, "declined", 500, MADE_NEWEST + 1000);
    struct lookup *lookup = lookup_of("status:canceled");
    lookup->whole = true;
    assert_int_equal(ask(f, lookup)->n, ROWS / 5);
}

static void one_of_another_cache_is_not_taken(void **state) {
    struct fixture *f = *state;
    struct cache_opening opening;
    char path[4300];
    char kept[4300];
    fill_and_save(f);
    cache_close(f->writer);
    (void)snprintf(path, sizeof path, "%s/live.db-index", f->folder);
    (void)snprintf(kept, sizeof kept, "%s/kept", f->folder);
    copy_file(path, kept);
    bool removed;
    assert_int_equal(cache_remove(f->folder, "live", &removed, NULL), ERR_OK);
    assert_false(is_there(f, ""));
    copy_file(kept, path);
    f->writer = cache_open(f->folder, &BINDING, &opening);
    put(f, "", 0, 100, NULL);
    struct lookup *lookup = lookup_of("");
    lookup->whole = true;
    assert_int_equal(ask(f, lookup)->n, 100);
}

static void flip_file(const struct fixture *f, off_t at) {
    char path[4300], byte;
    (void)snprintf(path, sizeof path, "%s/live.db-index", f->folder);
    int fd = open(path, O_RDWR);
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 0x10;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static struct lookup *any_question(int i) {
    static const char *const FILTERS[] = {"status:declined", "pay_00011", "amount>=600", "id:pay_0002", ""};
    struct lookup *lookup = lookup_of(FILTERS[i % 5]);
    lookup->whole = true;
    lookup->facet = QUERY_STATUS_FIELD;
    return lookup;
}

/* Wherever it is met, at the start or in the middle of a question, the answer is the cache's. */
static void a_damaged_file_costs_time_and_nothing_else(void **state) {
    struct fixture *f = *state;
    static const size_t HITS[] = {ROWS / 5, 10, ROWS - 500, 100, ROWS};
    char path[4300];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/live.db-index", f->folder);
    size_t removed = 0;
    for (int i = 0; i < 60; i++) {
        fill_whole(f);
        save_whole(f);
        next_lane(f);
        assert_int_equal(stat(path, &st), 0);
        if (i % 3 == 0)
            (void)ask(f, any_question(i + 1)); /* it is mapped, and in part checked */
        flip_file(f, st.st_size / 60 * i);
        const struct lookup_result *found = ask(f, any_question(i));
        assert_int_equal(found->error.code, ERR_OK);
        assert_true(found->whole);
        assert_int_equal(found->n, HITS[i % 5]);
        assert_int_equal(found->rows_scanned, ROWS);
        removed += !is_there(f, "");
        (void)unlink(path);
        next_lane(f);
    }
    assert_true(removed > 3);
}

static struct walked_rows *walked(int n) {
    struct walked_rows *rows = walked_rows_new();
    for (int i = 0; i < n; i++) {
        struct intent *intent =
            make_intent(&(struct made){.id = "", .status = "declined", .created_ms = i, .amount = 1});
        size_t from = rows->cells.len;
        cells_pack(intent, &rows->cells);
        *vec_add(rows) = (struct walked_row){
            .key = LOOKUP_WALK_KEYS + i, .confirmed = MADE_NEWEST, .from = from, .len = rows->cells.len - from};
        intent_free(intent);
    }
    return rows;
}

static void ignore(void *owner, struct event *event) {
    (void)owner;
    (void)event;
}

/* Nobody would give them again. */
static void rows_of_the_walk_outlive_the_file(void **state) {
    struct fixture *f = *state;
    enum { WALKED = 40 };
    fill_and_save(f);
    run(f, index_fill_job(moved));
    struct lane_job *job = index_walked_job(walked(WALKED), ignore);
    run(f, job);
    assert_int_equal(ask_first(f, "status:declined")->n, ROWS / 5 + WALKED);
    f->lane.keep.stale = ROWS * 10;
    save_whole(f); /* the file that is mapped now has none of them */
    assert_int_equal(f->lane.keep.stale, 0);
    assert_int_equal(ask_first(f, "status:declined")->n, ROWS / 5 + WALKED);
    f->lane.index->damaged = true;
    struct lookup *lookup = lookup_of("status:declined");
    lookup->whole = true;
    assert_int_equal(ask(f, lookup)->n, ROWS / 5 + WALKED);
    assert_false(is_there(f, ""));
}

static void rows_on_show_stay_where_the_file_is_damaged(void **state) {
    struct fixture *f = *state;
    fill_and_save(f);
    const struct lookup_result *before = ask_first(f, "status:declined");
    struct lookup *follow = lookup_of("pay_0");
    follow->n_shown = before->n;
    follow->whole = true;
    follow->shown = mem_new_array(before->n, sizeof *follow->shown);
    memcpy(follow->shown, before->keys, before->n * sizeof *follow->shown);
    char path[4300];
    (void)snprintf(path, sizeof path, "%s/live.db-index", f->folder);
    assert_int_equal(truncate(path, 100), 0);
    const struct lookup_result *after = ask(f, follow);
    assert_int_equal(after->error.code, ERR_OK);
    assert_int_equal(after->n, ROWS / 5);
    assert_int_equal(after->n_waiting, ROWS - ROWS / 5);
}

static void a_log_that_does_not_reach_back_is_read_anew(void **state) {
    struct fixture *f = *state;
    fill_and_save(f);
    put_one(f, -1, "declined", 500, MADE_NEWEST + 1000);
    put_one(f, -2, "declined", 500, MADE_NEWEST + 1000);
    assert_int_equal(cache_was_read(f->writer, &(bool){false}, NULL), ERR_OK);
    struct cache_purged purged;
    assert_int_equal(cache_purge(f->writer, &purged, NULL), ERR_OK);
    put(f, "", 0, 100, NULL);
    struct lookup *lookup = lookup_of("");
    lookup->whole = true;
    assert_int_equal(ask(f, lookup)->n, 100);
}

static void nothing_is_written_where_the_cache_is_only_read(void **state) {
    struct fixture *f = *state;
    cache_close(f->writer);
    f->writer = NULL;
    assert_int_equal(chmod(f->folder, 0500), 0);
    fill_whole(f);
    bool reading = f->lane.cache.cache && cache_is_read_only(f->lane.cache.cache);
    save_whole(f);
    assert_int_equal(chmod(f->folder, 0700), 0);
    if (reading) /* root writes all the same */
        assert_false(is_there(f, ""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_next_one_has_all_of_it_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_one_that_wrote_it_maps_it_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_written_since_is_caught_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_of_the_file_whose_created_at_changed_is_counted_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_question_at_hand_is_answered_from_the_file_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_question_at_hand_leaves_two_rows_with_one_id, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_purge_takes_it_along_also_while_it_is_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_that_the_cache_let_go_do_not_stay_in_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_is_written_anew_without_rows_that_went, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_command_writes_it_at_its_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(few_rows_have_no_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_cache_that_was_put_back_is_read_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_of_another_cache_is_not_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_file_costs_time_and_nothing_else, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_the_walk_outlive_the_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_on_show_stay_where_the_file_is_damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_log_that_does_not_reach_back_is_read_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_written_where_the_cache_is_only_read, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
