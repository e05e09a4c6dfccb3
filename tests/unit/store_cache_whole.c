/* What the cache knows to be whole, and that it is never more than was stored. */
#include "store/cache.h"
#include "store/cache_care.h"

#include "store_make.h"
#include "store_place.h"
#include "support/proc.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PAGE = 20, PAGES = 5 };

/* Page p of a walk of PAGES, at time `now`. */
static void put(struct place *place, const char *filter, int p, int64_t now) {
    char cursor[32] = "", next[32];
    struct page page;
    if (p > 0)
        snprintf(cursor, sizeof cursor, "c%d", p);
    snprintf(next, sizeof next, "c%d", p + 1);
    make_page(&page, p * PAGE, PAGE, p + 1 < PAGES ? next : NULL);
    if (p == 1)
        *vec_add(&page) = make_broken("{\"note\":\"no id\"}");
    struct cache_put_result result = {0};
    assert_int_equal(cache_put_page(place->cache, filter, cursor, &page, now, &result, NULL), ERR_OK);
    cache_put_result_clear(&result);
    page_clear(&page);
}

static void put_walk(struct place *place, const char *filter, int from, int64_t now) {
    for (int p = from; p < PAGES; p++)
        put(place, filter, p, now + p);
}

static struct cache_whole whole_of(struct place *place, const char *filter) {
    struct cache_whole whole;
    assert_int_equal(cache_whole(place->cache, filter, &whole, NULL), ERR_OK);
    return whole;
}

static void f84_a_walk_to_its_end_stays_known_as_of_its_first_page(void **state) {
    struct place *place = *state;
    put_walk(place, "", 0, MADE_NEWEST);
    struct cache_whole whole = whole_of(place, "");
    assert_true(whole.known);
    assert_int_equal(whole.began, MADE_NEWEST);
    assert_int_equal(whole.ended, MADE_NEWEST + PAGES - 1);
    assert_int_equal(whole.rows, PAGE * PAGES);
    assert_int_equal(whole.loose, 1);
    assert_false(whole_of(place, "status:declined").known);
    /* Another first page ends the walk's pages, not what is known. */
    struct page page;
    make_page(&page, 0, 3, "elsewhere");
    struct cache_put_result result = {0};
    assert_int_equal(cache_put_page(place->cache, "", "", &page, MADE_NEWEST + 99, &result, NULL), ERR_OK);
    cache_put_result_clear(&result);
    page_clear(&page);
    assert_int_equal(whole_of(place, "").began, MADE_NEWEST);
}

static void f84_a_walk_with_a_missing_page_is_not_whole(void **state) {
    struct place *place = *state;
    for (int p = 0; p < PAGES; p++)
        if (p != 2)
            put(place, "", p, MADE_NEWEST);
    assert_false(whole_of(place, "").known);
    put_walk(place, "", 2, MADE_NEWEST + 1000); /* resumed from the page before the hole */
    assert_true(whole_of(place, "").known);
    assert_int_equal(whole_of(place, "").began, MADE_NEWEST);
}

static void outside_sql(const char *path, const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static bool count_row(void *context, const struct cache_row *row) {
    *(int *)context += row->key != CACHE_KEY_NONE;
    return true;
}

static void f26_a_damaged_row_is_a_hole_in_what_was_whole(void **state) {
    struct place *place = *state;
    int n = 0;
    put_walk(place, "", 0, MADE_NEWEST);
    outside_sql(place->path, "UPDATE intents SET digest = digest + 1 WHERE key IN (SELECT key FROM intents LIMIT 3)");
    assert_int_equal(cache_stream_rows(place->cache, CACHE_KEY_NEWEST, count_row, &n, NULL), ERR_OK);
    assert_int_equal(n, PAGE * PAGES - 3);
    assert_int_equal(cache_take_damaged(place->cache), 3);
    assert_int_equal(cache_take_damaged(place->cache), 0);
    assert_int_equal(whole_of(place, "").damaged, 3);
    put_walk(place, "", 0, MADE_NEWEST + 5000);
    assert_int_equal(whole_of(place, "").damaged, 0);
}

/* Lost without any sign but their number, as from a damaged tree. */
static void f26_rows_that_are_silently_gone_are_damage(void **state) {
    struct place *place = *state;
    int n = 0;
    put_walk(place, "", 0, MADE_NEWEST);
    outside_sql(place->path,
                "DELETE FROM intents WHERE key IN (SELECT key FROM intents ORDER BY key LIMIT 1 OFFSET 7)");
    assert_int_equal(cache_stream_rows(place->cache, CACHE_KEY_NEWEST, count_row, &n, NULL), ERR_STORE);
    assert_true(cache_must_reopen(place->cache));
    assert_int_equal(cache_take_damaged(place->cache), 1);
}

struct some {
    int64_t last;
    int n;
};

static bool take_some(void *context, const struct cache_row *row) {
    struct some *some = context;
    some->last = row->key;
    return --some->n > 0;
}

/* A list is read in portions while the column index is filled in smaller ones. */
static void f26_they_are_damage_to_each_of_several_readings_at_once(void **state) {
    enum { READERS = 3 };
    struct place *place = *state;
    struct some readers[READERS];
    bool over[READERS] = {false};
    put_walk(place, "", 0, MADE_NEWEST);
    outside_sql(place->path,
                "DELETE FROM intents WHERE key IN (SELECT key FROM intents ORDER BY key LIMIT 1 OFFSET 77)");
    for (int i = 0; i < READERS; i++)
        readers[i].last = CACHE_KEY_NEWEST;
    enum err err = ERR_OK;
    for (int step = 0; err == ERR_OK && !over[step % READERS]; step++) {
        struct some *reader = &readers[step % READERS];
        reader->n = 3 + step % READERS;
        err = cache_stream_rows(place->cache, reader->last, take_some, reader, NULL);
        over[step % READERS] = reader->n > 0;
    }
    assert_int_equal(err, ERR_STORE);
    assert_true(cache_must_reopen(place->cache));
    assert_int_equal(cache_take_damaged(place->cache), 1);
}

static void f26_a_walk_to_its_end_finds_and_heals_what_was_silently_lost(void **state) {
    struct place *place = *state;
    int n = 0;
    put_walk(place, "", 0, MADE_NEWEST);
    outside_sql(place->path,
                "DELETE FROM intents WHERE key IN (SELECT key FROM intents ORDER BY key LIMIT 2 OFFSET 7)");
    put_walk(place, "", 0, MADE_NEWEST + 5000);
    assert_int_equal(cache_take_damaged(place->cache), 2);
    assert_int_equal(cache_stream_rows(place->cache, CACHE_KEY_NEWEST, count_row, &n, NULL), ERR_OK);
    assert_int_equal(n, PAGE * PAGES);
    assert_int_equal(whole_of(place, "").damaged, 0);
}

/* Under another key than its own, where no search finds it: the walk stores it once more. */
static void f26_a_walk_to_its_end_heals_a_row_that_no_search_finds(void **state) {
    struct place *place = *state;
    int n = 0;
    put_walk(place, "", 0, MADE_NEWEST);
    outside_sql(place->path, "UPDATE intents SET key = key + 1 WHERE key IN (SELECT key FROM intents LIMIT 2)");
    put_walk(place, "", 0, MADE_NEWEST + 5000);
    assert_int_equal(cache_take_damaged(place->cache), 2);
    assert_int_equal(cache_stream_rows(place->cache, CACHE_KEY_NEWEST, count_row, &n, NULL), ERR_OK);
    assert_int_equal(n, PAGE * PAGES);
    assert_int_equal(whole_of(place, "").damaged, 0);
}

/* The number of what was lost is kept twice. */
static void f26_a_changed_count_fills_no_hole(void **state) {
    struct place *place = *state;
    int n = 0;
    put_walk(place, "", 0, MADE_NEWEST);
    outside_sql(place->path, "UPDATE intents SET digest = digest + 1 WHERE key IN (SELECT key FROM intents LIMIT 3)");
    assert_int_equal(cache_stream_rows(place->cache, CACHE_KEY_NEWEST, count_row, &n, NULL), ERR_OK);
    static const char *const CHANGES[] = {"UPDATE counts SET value = 0 WHERE name = 'dropped'",
                                          "DELETE FROM counts WHERE name = 'dropped'",
                                          "REPLACE INTO counts VALUES('dropped', 3);"
                                          "UPDATE notes SET value = '0 0' WHERE name = 'lost'"};
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        outside_sql(place->path, CHANGES[i]);
        assert_true(whole_of(place, "").damaged > 0);
    }
    put_walk(place, "", 0, MADE_NEWEST + 5000);
    assert_int_equal(whole_of(place, "").damaged, 0);
}

/* A check puts the count right; what was lost stays lost. */
static void f26_what_a_check_found_stays_a_hole(void **state) {
    struct place *place = *state;
    struct cache_report report;
    put_walk(place, "", 0, MADE_NEWEST);
    outside_sql(place->path, "DELETE FROM intents WHERE key IN (SELECT key FROM intents LIMIT 2)");
    assert_int_equal(cache_verify(place->cache, NULL, NULL, &report, NULL), ERR_CHECK_FAILED);
    assert_true(report.count_wrong);
    assert_int_equal(whole_of(place, "").damaged, 2);
}

/* Rows that nobody's binding stands beside could be anybody's. */
static void f26_rows_without_a_binding_are_set_aside(void **state) {
    struct place *place = *state;
    put_walk(place, "", 0, MADE_NEWEST);
    assert_false(cache_follows_damage(place->cache));
    cache_close(place->cache);
    outside_sql(place->path, "DELETE FROM binding");
    place->cache = cache_open(place->folder, &BINDING, &place->opening);
    assert_int_equal(place->opening.outcome, CACHE_SET_ASIDE);
    cache_close(place->cache);
    place->cache = cache_open(place->folder, &BINDING, &place->opening);
    assert_int_equal(place->opening.outcome, CACHE_OK);
    assert_true(cache_follows_damage(place->cache)); /* still, to whoever comes next */
}

/* What stands beside the rows is looked at too: other questions than a walk's meet it. */
static void f26_a_walk_to_its_end_finds_damage_beside_the_rows(void **state) {
    enum { BYTES = 4096 };
    static const char NOTHING[BYTES];
    struct place *place = *state;
    struct page page;
    struct cache_put_result result = {0};
    put_walk(place, "", 0, MADE_NEWEST);
    cache_close(place->cache);
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_schema WHERE name = 'sightings'", -1, &stmt, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    long root = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    FILE *file = fopen(place->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (root - 1) * BYTES, SEEK_SET), 0);
    assert_int_equal(fwrite(NOTHING, 1, BYTES, file), BYTES);
    assert_int_equal(fclose(file), 0);
    place->cache = cache_open(place->folder, &BINDING, &place->opening);
    make_page(&page, 0, PAGE, NULL);
    assert_int_equal(cache_put_page(place->cache, "", "", &page, MADE_NEWEST + 9000, &result, NULL), ERR_STORE);
    page_clear(&page);
    assert_true(cache_must_reopen(place->cache));
}

/* One handle meets a damaged row, another stores it anew before the first one drops it. */
struct race {
    struct place *place;
    struct cache *other;
    int n;
};

static bool store_meanwhile(void *context, const struct cache_row *row) {
    struct race *race = context;
    (void)row;
    if (race->n++ == 0) {
        struct cache *own = race->place->cache;
        race->place->cache = race->other;
        put_walk(race->place, "", 0, MADE_NEWEST + 5000);
        race->place->cache = own;
    }
    return true;
}

static void f26_a_row_stored_anew_meanwhile_is_not_dropped(void **state) {
    struct place *place = *state;
    struct race race = {.place = place};
    int n = 0;
    put_walk(place, "", 0, MADE_NEWEST);
    race.other = cache_open(place->folder, &BINDING, &place->opening);
    outside_sql(place->path,
                "UPDATE intents SET digest = digest + 1 WHERE key IN (SELECT key FROM intents ORDER BY key LIMIT 1)");
    assert_int_equal(cache_stream_rows(place->cache, CACHE_KEY_NEWEST, store_meanwhile, &race, NULL), ERR_OK);
    cache_close(race.other);
    assert_int_equal(cache_stream_rows(place->cache, CACHE_KEY_NEWEST, count_row, &n, NULL), ERR_OK);
    assert_int_equal(n, PAGE * PAGES);
}

static void f84_rows_let_go_by_a_limit_are_a_hole(void **state) {
    struct place *place = *state;
    int64_t removed;
    put_walk(place, "", 0, MADE_NEWEST);
    put(place, "", 0, MADE_NEWEST + INT64_C(10) * MADE_DAY);
    assert_int_equal(cache_retain(place->cache, MADE_NEWEST + INT64_C(10) * MADE_DAY, 5, 0, &removed, NULL), ERR_OK);
    assert_int_equal(removed, PAGE * (PAGES - 1));
    assert_int_equal(whole_of(place, "").removed, PAGE * (PAGES - 1));
}

/* A cache of the version before is kept, with all its rows. */
static void f84_a_cache_of_the_version_before_is_taken_along(void **state) {
    struct place *place = *state;
    int n = 0;
    put_walk(place, "", 0, MADE_NEWEST);
    cache_close(place->cache);
    outside_sql(place->path, "DROP TABLE wholes; DELETE FROM counts WHERE name = 'removed'; PRAGMA user_version = 1");
    place->cache = cache_open(place->folder, &BINDING, &place->opening);
    assert_int_equal(place->opening.outcome, CACHE_OK);
    assert_int_equal(cache_stream_rows(place->cache, CACHE_KEY_NEWEST, count_row, &n, NULL), ERR_OK);
    assert_int_equal(n, PAGE * PAGES);
    assert_false(whole_of(place, "").known);
    put_walk(place, "", 0, MADE_NEWEST + 5000);
    assert_true(whole_of(place, "").known);
}

#define AFTER_PLACE_SET_UP_OPEN(test) cmocka_unit_test_setup_teardown(test, place_set_up_open, place_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_PLACE_SET_UP_OPEN(f84_a_walk_to_its_end_stays_known_as_of_its_first_page),
        AFTER_PLACE_SET_UP_OPEN(f84_a_walk_with_a_missing_page_is_not_whole),
        AFTER_PLACE_SET_UP_OPEN(f26_a_damaged_row_is_a_hole_in_what_was_whole),
        AFTER_PLACE_SET_UP_OPEN(f26_rows_that_are_silently_gone_are_damage),
        AFTER_PLACE_SET_UP_OPEN(f26_they_are_damage_to_each_of_several_readings_at_once),
        AFTER_PLACE_SET_UP_OPEN(f26_a_walk_to_its_end_finds_and_heals_what_was_silently_lost),
        AFTER_PLACE_SET_UP_OPEN(f26_a_walk_to_its_end_heals_a_row_that_no_search_finds),
        AFTER_PLACE_SET_UP_OPEN(f26_a_changed_count_fills_no_hole),
        AFTER_PLACE_SET_UP_OPEN(f26_what_a_check_found_stays_a_hole),
        AFTER_PLACE_SET_UP_OPEN(f26_rows_without_a_binding_are_set_aside),
        AFTER_PLACE_SET_UP_OPEN(f26_a_walk_to_its_end_finds_damage_beside_the_rows),
        AFTER_PLACE_SET_UP_OPEN(f26_a_row_stored_anew_meanwhile_is_not_dropped),
        AFTER_PLACE_SET_UP_OPEN(f84_rows_let_go_by_a_limit_are_a_hole),
        AFTER_PLACE_SET_UP_OPEN(f84_a_cache_of_the_version_before_is_taken_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
