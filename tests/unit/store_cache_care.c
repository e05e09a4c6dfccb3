#include "store/cache_care.h"

#include "store_make.h"
#include "store_place.h"
#include "support/damage.h"
#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void put(struct cache *cache, const char *filter, int first, int n, int64_t now) {
    struct page page;
    struct cache_put_result result;
    struct error error = {0};
    make_page(&page, first, n, NULL);
    must(cache_put_page(cache, filter, NULL, &page, now, &result, &error), &error);
    cache_put_result_clear(&result);
    page_clear(&page);
}

static int64_t count(struct cache *cache) {
    int64_t rows = -1;
    struct error error = {0};
    must(cache_count(cache, &rows, &error), &error);
    return rows;
}

/* The folder's files hold the text, in plain. */
static bool disk_holds(struct place *place, const char *text) {
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
        char path[4300];
        snprintf(path, sizeof path, "%s%s", place->opening.path, suffixes[i]);
        found = found || file_holds(path, text);
    }
    return found;
}

static void figures_say_what_is_held(void **state) {
    struct place *place = *state;
    struct cache_stats stats;
    struct error error = {0};
    must(cache_stats(place->cache, &stats, &error), &error);
    assert_int_equal(stats.rows, 0);
    assert_int_equal(stats.newest_ms, 0);
    put(place->cache, "", 0, 30, 1000);
    put(place->cache, "status=declined", 30, 10, 2000);
    must(cache_stats(place->cache, &stats, &error), &error);
    assert_int_equal(stats.rows, 40);
    assert_int_equal(stats.pages, 2);
    assert_int_equal(stats.walks, 2);
    assert_int_equal(stats.newest_ms, MADE_NEWEST);
    assert_int_equal(stats.oldest_ms, MADE_NEWEST - 39 * (int64_t)MADE_STEP);
    assert_int_equal(stats.fetched, 2000);
    assert_true(stats.log > 0);
}

static void verify_counts_what_is_sound(void **state) {
    struct place *place = *state;
    put(place->cache, "", 0, 2500, 1000);
    struct cache_report report;
    struct error error = {0};
    must(cache_verify(place->cache, NULL, NULL, &report, &error), &error);
    assert_int_equal(report.rows, 2500);
    assert_int_equal(report.pages, 1);
    assert_int_equal(report.bad_rows, 0);
    assert_true(report.json > report.stored);
}

static bool stop(void *context, int64_t rows) {
    *(int64_t *)context = rows;
    return false;
}

static void verify_can_be_ended(void **state) {
    struct place *place = *state;
    put(place->cache, "", 0, 2500, 1000);
    struct cache_report report;
    int64_t asked = 0;
    assert_int_equal(cache_verify(place->cache, stop, &asked, &report, NULL), ERR_CANCELLED);
    assert_true(asked > 0 && asked < 2500);
}

static void rows_not_served_for_so_long_go(void **state) {
    struct place *place = *state;
    int64_t now = MADE_NEWEST;
    put(place->cache, "a", 0, 1500, now - 31 * (int64_t)MADE_DAY);
    put(place->cache, "b", 1500, 20, now - 29 * (int64_t)MADE_DAY);
    put(place->cache, "c", 0, 5, now);
    int64_t removed = 0;
    struct error error = {0};
    must(cache_retain(place->cache, now, 0, 0, &removed, &error), &error);
    assert_int_equal(removed, 0);
    must(cache_retain(place->cache, now, 30, 0, &removed, &error), &error);
    assert_int_equal(removed, 1495);
    assert_int_equal(count(place->cache), 25);
    struct cache_page page;
    cache_page_init(&page);
    must(cache_page(place->cache, "a", 0, &page, &error), &error);
    assert_false(page.there);
    cache_page_clear(&page);
}

static void rows_from_the_future_go_too(void **state) {
    struct place *place = *state;
    put(place->cache, "a", 0, 20, MADE_NEWEST + 10 * (int64_t)MADE_DAY);
    put(place->cache, "b", 20, 5, MADE_NEWEST);
    int64_t removed = 0;
    struct error error = {0};
    must(cache_retain(place->cache, MADE_NEWEST, 30, 0, &removed, &error), &error);
    assert_int_equal(removed, 20);
}

static void the_oldest_go_when_the_file_is_too_large(void **state) {
    struct place *place = *state;
    for (int i = 0; i < 10; i++)
        put(place->cache, "", i * 2000, 2000, 1000);
    int64_t removed = 0, before = count(place->cache);
    struct error error = {0};
    must(cache_retain(place->cache, MADE_NEWEST, 0, 1, &removed, &error), &error);
    assert_true(removed > 0 && removed < before);
    assert_int_equal(count(place->cache), before - removed);
    struct stat st;
    assert_int_equal(stat(place->opening.path, &st), 0);
    assert_true(st.st_size <= (1 << 20) + 65536);
    struct cache_rows rows;
    cache_rows_init(&rows);
    must(cache_older(place->cache, CACHE_KEY_NEWEST, 1, &rows, &error), &error);
    assert_int_equal(cache_key_ms(rows.items[0].key), MADE_NEWEST);
    cache_rows_clear(&rows);
}

static void purge_leaves_nothing_on_the_disk(void **state) {
    struct place *place = *state;
    char aside[4300];
    snprintf(aside, sizeof aside, "%s.damaged-3", place->opening.path);
    assert_true(proc_write_file(aside, "old"));
    struct page page;
    struct cache_put_result result;
    struct error error = {0};
    make_page(&page, 0, 50, "cursor-MARKER");
    *vec_add(&page) = make_broken("[\"MARKER\"]");
    must(cache_put_page(place->cache, "filter-MARKER", NULL, &page, 1, &result, &error), &error);
    page_clear(&page);
    cache_put_result_clear(&result);
    must(cache_set_note(place->cache, "n", "note-MARKER", &error), &error);
    must(cache_unknown_fields_add(place->cache, &(struct cache_read_unknown_fields){"field", "field-MARKER", 1, 0, 0},
                                  1, 1, &error),
         &error);
    assert_true(disk_holds(place, "MARKER"));
    int64_t change = 0;
    must(cache_change_last(place->cache, &change, &error), &error);
    struct cache_purged purged;
    must(cache_purge(place->cache, &purged, &error), &error);
    assert_int_equal(purged.rows, 50);
    assert_int_equal(purged.aside, 1);
    assert_false(purged.log_left);
    assert_false(disk_holds(place, "MARKER"));
    assert_false(disk_holds(place, "pay_0000"));
    assert_int_equal(access(aside, F_OK), -1);
    assert_int_equal(count(place->cache), 0);
    struct cache_changes changes;
    cache_changes_init(&changes);
    must(cache_changes(place->cache, change, &changes, &error), &error);
    assert_true(changes.rebuild);
    cache_changes_clear(&changes);
    put(place->cache, "", 0, 5, 1);
    assert_int_equal(count(place->cache), 5);
}

static void remove_takes_every_file(void **state) {
    struct place *place = *state;
    bool removed = false;
    struct error error = {0};
    must(cache_remove(place->folder, "live", &removed, &error), &error);
    assert_true(removed);
    assert_int_equal(access(place->opening.path, F_OK), -1);
    must(cache_remove(place->folder, "live", &removed, &error), &error);
    assert_false(removed);
}

static void unknown_names_are_counted(void **state) {
    struct place *place = *state;
    const struct cache_read_unknown_fields first[] = {{"field", "loyalty.points", 100, 0, 0},
                                                      {"status", "held", 3, 0, 0}};
    const struct cache_read_unknown_fields second[] = {{"field", "loyalty.points", 50, 0, 0},
                                                       {"field", "zone", 900, 0, 0}};
    struct error error = {0};
    must(cache_unknown_fields_add(place->cache, first, 2, 1000, &error), &error);
    must(cache_unknown_fields_add(place->cache, second, 2, 2000, &error), &error);
    struct cache_unknown_fields watch;
    cache_unknown_fields_init(&watch);
    must(cache_unknown_fields(place->cache, &watch, &error), &error);
    assert_int_equal(watch.n, 3);
    assert_string_equal(watch.items[0].name, "zone");
    assert_string_equal(watch.items[1].name, "loyalty.points");
    assert_int_equal(watch.items[1].n, 150);
    assert_int_equal(watch.items[1].first, 1000);
    assert_int_equal(watch.items[1].last, 2000);
    assert_string_equal(watch.items[2].kind, "status");
    cache_unknown_fields_clear(&watch);
}

static void unknown_names_are_bounded(void **state) {
    struct place *place = *state;
    struct error error = {0};
    static char names[CACHE_WATCH_MAX + 10][CACHE_WATCH_NAME_MAX + 100];
    static struct cache_read_unknown_fields items[CACHE_WATCH_MAX + 10];
    for (size_t i = 0; i < COUNT_OF(items); i++) {
        memset(names[i], 'x', sizeof names[i] - 1);
        snprintf(names[i], sizeof names[i], "%06zu", i);
        names[i][6] = 'x';
        items[i] = (struct cache_read_unknown_fields){"field", names[i], 1, 0, 0};
    }
    must(cache_unknown_fields_add(place->cache, items, COUNT_OF(items), 1, &error), &error);
    must(cache_unknown_fields_add(place->cache, items, 1, 1, &error), &error);
    struct cache_unknown_fields watch;
    cache_unknown_fields_init(&watch);
    must(cache_unknown_fields(place->cache, &watch, &error), &error);
    assert_int_equal(watch.n, CACHE_WATCH_MAX + 1);
    assert_string_equal(watch.items[0].name, "");
    assert_int_equal(watch.items[0].n, 10);
    assert_int_equal(strlen(watch.items[1].name), CACHE_WATCH_NAME_MAX);
    assert_int_equal(watch.items[1].n, 2);
    cache_unknown_fields_clear(&watch);
}

#define WITH_CACHE(name) cmocka_unit_test_setup_teardown(name, place_set_up_open, place_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_CACHE(figures_say_what_is_held),
        WITH_CACHE(verify_counts_what_is_sound),
        WITH_CACHE(verify_can_be_ended),
        WITH_CACHE(rows_not_served_for_so_long_go),
        WITH_CACHE(rows_from_the_future_go_too),
        WITH_CACHE(the_oldest_go_when_the_file_is_too_large),
        WITH_CACHE(purge_leaves_nothing_on_the_disk),
        WITH_CACHE(remove_takes_every_file),
        WITH_CACHE(unknown_names_are_counted),
        WITH_CACHE(unknown_names_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
