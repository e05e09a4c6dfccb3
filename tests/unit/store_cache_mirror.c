/* Walks of a mirror: held apart from those of the list, resumed, and noted as whole together. */
#include "store/cache.h"

#include "store_make.h"
#include "store_place.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PAGE = 20, PAGES = 4 };

static const char *const PARTS[] = {"created:b..", "created:..b"};

/* Page p of the walk under a filter; each filter has rows of its own. */
static void put(struct place *place, const char *filter, bool mirrored, int p) {
    char cursor[32] = "", next[32];
    struct page page;
    if (p > 0)
        (void)snprintf(cursor, sizeof cursor, "c%d", p);
    (void)snprintf(next, sizeof next, "c%d", p + 1);
    int first = (filter == PARTS[1] ? PAGES * PAGE : 0) + p * PAGE;
    make_page(&page, first, PAGE, p + 1 < PAGES ? next : NULL);
    struct cache_put_result result = {0};
    struct cache_batch *batch = cache_batch_new(filter, cursor, &page, MADE_NEWEST + p);
    if (mirrored)
        cache_batch_mirror(batch);
    assert_int_equal(cache_put(place->cache, batch, &result, NULL), ERR_OK);
    cache_batch_free(batch);
    cache_put_result_clear(&result);
    page_clear(&page);
}

static void put_pages(struct place *place, const char *filter, int from, int end) {
    for (int p = from; p < end; p++)
        put(place, filter, true, p);
}

static struct cache_mirrored held(struct place *place, const char *filter) {
    struct cache_mirrored out;
    assert_int_equal(cache_mirrored(place->cache, filter, &out, NULL), ERR_OK);
    return out;
}

static bool join(struct place *place) {
    bool joined;
    assert_int_equal(cache_mirror_join(place->cache, PARTS, 2, &joined, NULL), ERR_OK);
    return joined;
}

static struct cache_whole whole(struct place *place) {
    struct cache_whole out;
    assert_int_equal(cache_whole(place->cache, "", &out, NULL), ERR_OK);
    return out;
}

static void outside_sql(const char *path, const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void a_walk_is_resumed_behind_its_last_page(void **state) {
    struct place *place = *state;
    assert_int_equal(held(place, PARTS[0]).pages, 0);
    put_pages(place, PARTS[0], 0, 2);
    struct cache_mirrored walk = held(place, PARTS[0]);
    assert_int_equal(walk.pages, 2);
    assert_int_equal(walk.rows, 2 * PAGE);
    assert_string_equal(walk.next, "c2");
    assert_false(walk.whole);
    free(walk.next);
    put_pages(place, PARTS[0], 2, PAGES);
    walk = held(place, PARTS[0]);
    assert_true(walk.whole);
    assert_null(walk.next);
    assert_int_equal(walk.began, MADE_NEWEST);
    assert_int_equal(walk.ended, MADE_NEWEST + PAGES - 1);
    assert_int_equal(held(place, PARTS[1]).pages, 0);
}

/* The same filter and another first page: the list was looked at meanwhile. */
static void a_look_at_the_list_takes_no_place_from_the_mirror(void **state) {
    struct place *place = *state;
    put_pages(place, "", 0, 2);
    put(place, "", false, 0);
    struct cache_mirrored walk = held(place, "");
    assert_int_equal(walk.pages, 2);
    free(walk.next);
    put_pages(place, "", 2, PAGES);
    assert_false(whole(place).known); /* the mirror says so itself, once it has all its parts */
}

static void walks_are_whole_together_or_not_at_all(void **state) {
    struct place *place = *state;
    put_pages(place, PARTS[0], 0, PAGES);
    put_pages(place, PARTS[1], 0, PAGES - 1);
    assert_false(join(place));
    assert_false(whole(place).known);
    put_pages(place, PARTS[1], PAGES - 1, PAGES);
    assert_true(join(place));
    assert_true(whole(place).known);
    assert_int_equal(whole(place).began, MADE_NEWEST);
    assert_int_equal(whole(place).rows, 2 * PAGE * PAGES);
    assert_int_equal(held(place, PARTS[0]).pages, 0); /* of no use any more */
}

static void a_row_that_was_lost_meanwhile_is_read_again(void **state) {
    struct place *place = *state;
    put_pages(place, PARTS[0], 0, PAGES);
    put_pages(place, PARTS[1], 0, PAGES);
    outside_sql(place->path, "UPDATE intents SET digest = digest + 1 WHERE key IN (SELECT key FROM intents ORDER BY key"
                             " LIMIT 1 OFFSET 50)");
    assert_false(join(place));
    assert_false(whole(place).known);
    struct cache_mirrored walk = held(place, PARTS[0]);
    assert_int_equal(walk.pages, 2); /* row 50 is on its third page */
    free(walk.next);
    assert_true(held(place, PARTS[1]).whole);
    put_pages(place, PARTS[0], 2, PAGES);
    assert_true(join(place));
    assert_int_equal(whole(place).damaged, 0);
}

static void a_damaged_page_ends_the_walk_before_it(void **state) {
    struct place *place = *state;
    put_pages(place, PARTS[0], 0, PAGES);
    outside_sql(place->path, "UPDATE pages SET digest = digest + 1 WHERE cursor = 'c1'");
    struct cache_mirrored walk = held(place, PARTS[0]);
    assert_int_equal(walk.pages, 1);
    assert_string_equal(walk.next, "c1");
    assert_false(walk.whole);
    free(walk.next);
}

static void a_mirror_begun_anew_has_no_place(void **state) {
    struct place *place = *state;
    put_pages(place, PARTS[0], 0, PAGES);
    assert_int_equal(cache_mirror_drop(place->cache, PARTS, 2, NULL), ERR_OK);
    assert_int_equal(held(place, PARTS[0]).pages, 0);
    int64_t rows;
    assert_int_equal(cache_count(place->cache, &rows, NULL), ERR_OK);
    assert_int_equal(rows, PAGE * PAGES); /* rows stay */
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, place_set_up_open, place_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_walk_is_resumed_behind_its_last_page), TEST(a_look_at_the_list_takes_no_place_from_the_mirror),
        TEST(walks_are_whole_together_or_not_at_all), TEST(a_row_that_was_lost_meanwhile_is_read_again),
        TEST(a_damaged_page_ends_the_walk_before_it), TEST(a_mirror_begun_anew_has_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
