/* What a connection does after its locks were refused: a wait that was in vain is not repeated. */
#include "store/db.h"

#include "base/clock.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];
static const char *const SQL[] = {"SELECT n FROM t", "INSERT INTO t VALUES(1)"};

static int set_up(void **state) {
    static struct db db;
    strcpy(path, "/tmp/bursar-db-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0 || close(fd) != 0 || db_open(&db, path, "cache", NULL) != ERR_OK)
        return -1;
    db_statements(&db, SQL, COUNT_OF(SQL));
    *state = &db;
    return db_exec(&db, "PRAGMA journal_mode = WAL; CREATE TABLE t(n); INSERT INTO t VALUES(7), (8)", NULL);
}

static int tear_down(void **state) {
    db_close(*state, false);
    return unlink(path);
}

static int64_t rows(struct db *db) {
    int64_t n = -1;
    assert_int_equal(db_int(db, "SELECT count(*) FROM t", &n, NULL), ERR_OK);
    return n;
}

static void no_lock_is_asked_for_after_locks_were_refused_for_good(void **state) {
    struct db *db = *state;
    struct error error = {0};
    bool row;
    int64_t n;
    assert_int_equal(rows(db), 2);
    assert_int_equal(db_fail(db, SQLITE_PROTOCOL, NULL), ERR_STORE);
    assert_int_equal(db_exec(db, "DELETE FROM t", &error), ERR_STORE);
    assert_non_null(strstr(error.text, "refuses to lock"));
    assert_int_equal(db_int(db, "SELECT count(*) FROM t", &n, NULL), ERR_STORE);
    assert_int_equal(db_step(db, db_stmt(db, 1), &row, NULL), ERR_STORE);
    assert_int_equal(db_begin(db, NULL), ERR_STORE);
    db->locks_fail_until = clock_mono(); /* that time is over */
    assert_int_equal(rows(db), 2);
}

/* It has its locks already. */
static void what_was_begun_goes_on(void **state) {
    struct db *db = *state;
    bool row;
    sqlite3_stmt *stmt = db_stmt(db, 0);
    assert_int_equal(db_step(db, stmt, &row, NULL), ERR_OK);
    (void)db_fail(db, SQLITE_PROTOCOL, NULL);
    assert_int_equal(db_step(db, stmt, &row, NULL), ERR_OK);
    assert_true(row);
    sqlite3_reset(stmt);
    db->locks_fail_until = 0;
    assert_int_equal(db_begin(db, NULL), ERR_OK);
    (void)db_fail(db, SQLITE_PROTOCOL, NULL);
    assert_int_equal(db_run(db, db_stmt(db, 1), NULL), ERR_OK);
    assert_int_equal(db_end(db, ERR_OK, NULL), ERR_OK);
    db->locks_fail_until = 0;
    assert_int_equal(rows(db), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_lock_is_asked_for_after_locks_were_refused_for_good, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_begun_goes_on, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
