/* The journal as a console's lane reads it. The jobs are run here, on one thread, in the order that a lane would. */
#include "run/lanes/journal_lane.h"

#include "store_journal_make.h"

#include <sqlite3.h>

enum { RECORDS = 3, ALTERED = 2 };

struct fixture {
    struct place *place;
    struct journal_lane lane;
    struct journal_answer *answer;
};

static int set_up(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    (void)place_set_up((void **)&f->place);
    make_records(f->place, RECORDS);
    f->lane = (struct journal_lane){.folder = f->place->folder, .who = "anna", .environment = "production"};
    f->lane.scope = MADE_SCOPE;
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    journal_answer_free(f->answer);
    journal_lane_close(&f->lane);
    (void)place_tear_down((void **)&f->place);
    free(f);
    return 0;
}

static void take(void *owner, struct event *event) {
    struct fixture *f = owner;
    journal_answer_free(f->answer);
    f->answer = event_take(event, journal_answer);
}

static void list(struct fixture *f) {
    struct journal_ask *ask = journal_ask_new(JOURNAL_LIST);
    ask->only = -1;
    struct lane_job *job = journal_ask_job(1, ask, take);
    job->run(job, &f->lane);
    job->done(job, f);
    job->free(job);
    assert_non_null(f->answer);
}

static void alter(struct fixture *f) {
    sqlite3 *db = NULL;
    char sql[80];
    (void)snprintf(sql, sizeof sql, "UPDATE writes SET digest = digest + 1 WHERE n = %d", ALTERED);
    assert_int_equal(sqlite3_open(f->place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

/* A console that is open when the damage is done: what was read before it was met had no outcomes yet, and stood in the
 * list as unknown beside the same record as done. */
static void f5_damage_under_an_open_console_makes_nothing_unknown(void **state) {
    struct fixture *f = *state;
    list(f);
    assert_int_equal(f->answer->error.code, ERR_OK);
    assert_int_equal(f->answer->records.n, RECORDS);
    alter(f);
    for (int i = 0; i < 2; i++) { /* when it is met, and afterwards */
        list(f);
        assert_non_null(strstr(f->answer->error.text, "record 2 was altered; nothing more is sent"));
        assert_non_null(strstr(f->answer->error.text, "bursar activity verify"));
        assert_int_equal(f->answer->records.n, RECORDS - 1);
        for (size_t k = 0; k < f->answer->records.n; k++) {
            assert_int_not_equal(f->answer->records.items[k].n, ALTERED);
            assert_int_equal(f->answer->records.items[k].last.outcome, OUTCOME_DONE);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(f5_damage_under_an_open_console_makes_nothing_unknown, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
