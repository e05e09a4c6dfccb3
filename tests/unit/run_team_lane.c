/* Turns of the team's lane on a PostgreSQL and a cache of the test's own: what a failing turn must not lose, nor count
 * again. */
#include "run/lanes/job.h"
#include "run/lanes/team_lane.h"
#include "team/question.h"
#include "unit/store_make.h"
#include "unit/team_desks.h"

#include "base/clock.h"

#include <sqlite3.h>

enum { ROWS = 20, BYTES = 4096 };

static const char ORIGIN[] = "https://api.example.com:443";

struct fixture {
    char *folder;
    struct profile *profile;
    struct cache_place place;
    struct team_lane *lane;
    struct team_wish wish;
    int64_t uncounted;
    size_t taken;
    bool reached;
};

static int open_fixture(void **state) {
    if (postgres_missing())
        return 0;
    (void)make_tables(state);
    struct fixture *f = mem_new(sizeof *f);
    struct team_side *side = mem_new(sizeof *side);
    f->folder = proc_folder_new();
    f->profile = profile_new("live", "live", ORIGIN);
    free(f->profile->team_store);
    f->profile->team_store = mem_dup(desks.store);
    f->place = (struct cache_place){.folder = f->folder, .binding = {ORIGIN, "live", "acme", "aaaaaaaaaaaa"}};
    side->team = team_of("anna", "desk-1");
    side->profile = f->profile;
    f->lane = team_lane_new(side, &f->place);
    *state = f;
    return 0;
}

static int close_fixture(void **state) {
    if (postgres_missing())
        return 0;
    struct fixture *f = *state;
    team_lane_free(f->lane);
    profile_free(f->profile);
    proc_folder_remove(f->folder);
    free(f);
    return 0;
}

static void take_turn(void *owner, struct team_turn_done *done) {
    struct fixture *f = owner;
    f->uncounted = done->uncounted;
    f->reached = done->told->reached;
    f->taken += done->taken ? done->taken->page.n : 0;
}

static void turn(struct fixture *f, int64_t requests) {
    struct lane_job *job = team_turn_job(team_wish_dup(&f->wish), requests, take_turn);
    job->run(job, f->lane);
    job->done(job, f);
    job->free(job);
}

static void turns(struct fixture *f, int n) {
    for (int i = 0; i < n; i++)
        turn(f, 0);
    assert_true(f->reached);
}

/* As a walk of this console would. */
static void read_page(struct fixture *f, struct page *page) {
    struct cache_put_result result;
    struct cache *cache = cache_lane_usable(&f->lane->cache);
    assert_non_null(cache);
    assert_int_equal(cache_put_page(cache, "", "", page, clock_now() - 60000, &result, NULL), ERR_OK);
    cache_put_result_clear(&result);
    page_clear(page);
}

static void read_rows(struct fixture *f, int first, int n) {
    struct page page;
    make_page(&page, first, n, NULL);
    read_page(f, &page);
}

static void read_long_id(struct fixture *f) {
    struct page page;
    char id[BYTES];
    memset(id, 'x', sizeof id - 1);
    id[sizeof id - 1] = '\0';
    page_init(&page);
    *vec_add(&page) = make_intent(&(struct made){.id = id, .status = "created", .created_ms = MADE_NEWEST});
    read_page(f, &page);
}

static void run_in_cache(struct fixture *f, const char *text) {
    char path[BYTES];
    sqlite3 *db;
    (void)snprintf(path, sizeof path, "%s/live.db", f->folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void requests_are_counted_once_though_the_turn_fails(void **state) {
    skip_without_postgres();
    struct fixture *f = *state;
    turns(f, 1);
    read_rows(f, 0, ROWS);
    run_sql("ALTER TABLE intents RENAME TO elsewhere");
    turn(f, 5);
    assert_false(f->reached);
    assert_int_equal(f->uncounted, 0);
    assert_sql("SELECT sum(n) FROM spending", "5");
    run_sql("ALTER TABLE elsewhere RENAME TO intents");
}

static void rows_that_the_cache_refuses_are_taken_in_later(void **state) {
    skip_without_postgres();
    char text[BYTES];
    struct fixture *f = *state;
    turns(f, 1);
    read_rows(f, 0, ROWS);
    turns(f, 2);
    run_sql("UPDATE changes SET n = n + 1");
    run_sql("UPDATE intents SET change = (SELECT max(n) FROM changes), confirmed = confirmed + 30000");
    (void)snprintf(text, sizeof text, "CREATE UNIQUE INDEX refused ON intents(CASE WHEN confirmed > %lld THEN 0 END)",
                   (long long)clock_now() - 45000);
    run_in_cache(f, text); /* no second one that was confirmed since */
    turn(f, 0);
    assert_false(f->reached);
    assert_int_equal(f->taken, 0);
    run_in_cache(f, "DROP INDEX refused");
    turns(f, 1);
    assert_int_equal(f->taken, ROWS);
}

/* A store that was begun anew has nothing, also where this console ends before it sent all again. */
static void a_new_store_is_whole_once_all_was_sent_again(void **state) {
    skip_without_postgres();
    struct fixture *f = *state;
    turns(f, 1);
    for (int i = 0; i < 5; i++) {
        read_rows(f, i * ROWS, ROWS);
        turns(f, 1);
    }
    run_sql("TRUNCATE changes, intents, words, spans");
    f->wish = (struct team_wish){.n = 1, .flush = 1, .high = MADE_NEWEST, .as_of = clock_now()};
    turn(f, 0);
    assert_sql("SELECT count(*) FROM spans", "0");
    assert_int_equal(f->lane->sent, -1);
    f->lane->files = 0; /* as at its next start */
    turns(f, 3);
    assert_sql("SELECT count(*) FROM intents", "100");
    assert_sql("SELECT count(*) FROM spans", "1");
}

static void nothing_is_whole_where_a_row_was_left_out(void **state) {
    skip_without_postgres();
    struct fixture *f = *state;
    turns(f, 1);
    read_rows(f, 0, ROWS);
    read_long_id(f);
    f->wish = (struct team_wish){.n = 1, .flush = 1, .high = MADE_NEWEST, .as_of = clock_now()};
    turns(f, 2);
    assert_int_equal(f->lane->flushed, 1);
    assert_sql("SELECT count(*) FROM intents", "20");
    f->lane->files = 0; /* as at its next start */
    f->wish.flush = 2;
    turns(f, 2);
    assert_int_equal(f->lane->flushed, 2);
    assert_sql("SELECT count(*) FROM spans", "0");
}

int main(void) {
#define TURNS(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
    const struct CMUnitTest tests[] = {
        TURNS(requests_are_counted_once_though_the_turn_fails),
        TURNS(rows_that_the_cache_refuses_are_taken_in_later),
        TURNS(a_new_store_is_whole_once_all_was_sent_again),
        TURNS(nothing_is_whole_where_a_row_was_left_out),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
