/* Rows for other programs: CSV as a spreadsheet opens it, a database, a sample. What is in them is compared with the
 * rows as served, by SQL. */
#include "base/mem.h"
#include "support/listing.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 4096, INTENTS = 300, DRAWN = 20 };

static char path[PATH_BYTES + 32];

static char *run(int status, bool err, const char *const args[]) {
    struct proc proc;
    int code = console_run(&service, args, &proc);
    if (code != status)
        fail_msg("exit %d, not %d: %s", code, status, proc.err.s);
    char *text = mem_dup(err ? proc.err.s : proc.out.s);
    (void)proc_end(&proc);
    return text;
}

static int start(void **state) {
    int failed = serve_intents("300");
    (void)state;
    if (failed)
        return failed;
    free(run(0, false, (const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}));
    return 0;
}

static int begin(void **state) {
    (void)state;
    (void)snprintf(path, sizeof path, "%s/out.sqlite", service.folder);
    (void)unlink(path);
    return 0;
}

static void a_spreadsheet_gets_mark_separator_and_text(void **state) {
    (void)state;
    assert_true(console_configure(&service, service.url, "spreadsheet_decimal = comma\n amount_unit = minor"));
    char *text = run(0, false,
                     (const char *const[]){"intents", "list", "--cached", "--limit", "3", "--format", "csv-excel",
                                           "--columns", "id,amount,currency,mask", NULL});
    assert_memory_equal(text, "\xEF\xBB\xBFid;amount;amount_major;currency;", 35);
    assert_int_equal(text_count(text, "\r\n\"=\"\""), 3);
    free(text);
    assert_true(console_configure(&service, service.url, "spreadsheet_decimal = point"));
    text = run(0, false, (const char *const[]){"intents", "stats", "--by", "status", "--format", "csv-excel", NULL});
    assert_memory_equal(text, "\xEF\xBB\xBFstatus,intents,percent,", 26);
    free(text);
    assert_true(console_configure(&service, service.url, ""));
}

static long long number_of(sqlite3 *db, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(db), sql);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    long long number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return number;
}

/* The rows as served, for SQL. */
static void load_served(sqlite3 *db) {
    sqlite3_stmt *add;
    char *rows =
        run(0, false, (const char *const[]){"intents", "list", "--cached", "--all", "--format", "ndjson", NULL});
    assert_int_equal(sqlite3_exec(db, "CREATE TEMP TABLE served (j TEXT)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "INSERT INTO served VALUES (?)", -1, &add, NULL), SQLITE_OK);
    for (char *rest = rows, *line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n")) {
        (void)sqlite3_bind_text(add, 1, line, -1, SQLITE_TRANSIENT);
        assert_int_equal(sqlite3_step(add), SQLITE_DONE);
        (void)sqlite3_reset(add);
    }
    (void)sqlite3_finalize(add);
    free(rows);
}

static void a_database_has_what_was_served(void **state) {
    struct stat info;
    sqlite3 *db;
    (void)state;
    char *said = run(
        0, true,
        (const char *const[]){"intents", "list", "--cached", "--all", "--format", "sqlite", "--output", path, NULL});
    assert_non_null(strstr(said, "tables intents and about"));
    free(said);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    load_served(db);
    assert_int_equal(number_of(db, "SELECT count(*) FROM intents"), INTENTS);
    assert_int_equal(number_of(db,
                               "SELECT count(*) FROM served JOIN intents ON id = json_extract(j, '$.id') WHERE "
                               "amount IS json_extract(j, '$.amount') AND currency IS json_extract(j, '$.currency') "
                               "AND status IS json_extract(j, '$.status') AND created_at IS json_extract(j, "
                               "'$.created_at')"),
                     INTENTS);
    assert_int_equal(number_of(db, "SELECT sum(amount) FROM intents WHERE currency = 'EUR'"),
                     number_of(db, "SELECT sum(json_extract(j, '$.amount')) FROM served WHERE json_extract(j, "
                                   "'$.currency') = 'EUR'"));
    assert_int_equal(number_of(db, "SELECT count(*) FROM intents WHERE typeof(amount) = 'real'"), 0);
    assert_int_equal(number_of(db, "SELECT count(*) FROM about WHERE name = 'complete' AND value = 'yes'"), 1);
    (void)sqlite3_close(db);
}

/* The same rows by the walk. */
static void a_walk_writes_the_same_database(void **state) {
    sqlite3 *db;
    (void)state;
    free(run(0, true,
             (const char *const[]){"intents", "list", "status:declined", "--all", "--format", "sqlite", "--output",
                                   path, NULL}));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    load_served(db);
    assert_int_equal(number_of(db, "SELECT count(*) FROM intents"),
                     number_of(db, "SELECT count(*) FROM served WHERE json_extract(j, '$.status') = 'declined'"));
    assert_int_equal(number_of(db, "SELECT count(*) FROM about WHERE name = 'filter' AND value = 'status:declined'"),
                     1);
    (void)sqlite3_close(db);
}

static void a_file_that_is_there_stays_and_nothing_is_left_beside_it(void **state) {
    (void)state;
    assert_true(proc_write_file(path, "mine"));
    char *said = run(
        1, true, (const char *const[]){"intents", "list", "--cached", "--format", "sqlite", "--output", path, NULL});
    assert_non_null(strstr(said, "is already there"));
    free(said);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 4);
}

static void a_folder_that_is_not_there_is_said(void **state) {
    (void)state;
    (void)snprintf(path, sizeof path, "%s/no/such/out.sqlite", service.folder);
    char *said = run(
        1, true, (const char *const[]){"intents", "list", "--cached", "--format", "sqlite", "--output", path, NULL});
    assert_non_null(strstr(said, "No such file or directory"));
    free(said);
}

/* Ended before a page has come, or the service is not there. */
static void where_nothing_was_read_no_file_is_written(void **state) {
    char *program = proc_program("bursar");
    const char *const argv[] = {program, "intents", "list", "--all", "--format", "sqlite", "--output", path, NULL};
    struct proc proc;
    (void)state;
    service_rule(&service, "path=/intent/list status=429 header=\"Retry-After: 30\"");
    assert_true(proc_start(&proc, argv, console_env(&service)));
    if (!proc_expect(&proc, "the service asks to wait", PROC_DEADLINE))
        fail_msg("%s", proc.err.s);
    assert_int_equal(kill(proc.pid, SIGINT), 0);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    assert_null(strstr(proc.err.s, "written to"));
    assert_int_not_equal(access(path, F_OK), 0);
    (void)proc_end(&proc);
    service_rule(&service, "path=/intent/list status=404");
    assert_int_not_equal(console_run(&service, argv + 1, &proc), 0);
    assert_null(strstr(proc.err.s, "written to"));
    assert_int_not_equal(access(path, F_OK), 0);
    (void)proc_end(&proc);
    service_rule(&service, NULL);
    free(program);
}

/* As by cache, so by walk, and in JSON as in every other format. */
static void a_sample_is_the_same_again(void **state) {
    (void)state;
    char *cached = run(0, false,
                       (const char *const[]){"intents", "list", "--cached", "--sample", "20", "--seed", "7", "--format",
                                             "ndjson", NULL});
    char *walked = run(
        0, false,
        (const char *const[]){"intents", "list", "--all", "--sample", "20", "--seed", "7", "--format", "ndjson", NULL});
    char *other = run(0, false,
                      (const char *const[]){"intents", "list", "--cached", "--sample", "20", "--seed", "8", "--format",
                                            "ndjson", NULL});
    assert_int_equal(text_count(cached, "\n"), DRAWN);
    assert_string_equal(cached, walked);
    assert_string_not_equal(cached, other);
    free(cached);
    free(walked);
    free(other);
    char *said = run(0, true,
                     (const char *const[]){"intents", "list", "--cached", "--sample", "20", "--seed", "7", "--format",
                                           "json", NULL});
    assert_non_null(strstr(said, "20 of 300 intents, drawn by seed 7; --sample 20 --seed 7 draws the same"));
    free(said);
}

static void a_sample_of_a_filter_says_of_how_many(void **state) {
    (void)state;
    char *rows = run(
        0, false,
        (const char *const[]){"intents", "list", "status:declined", "--cached", "--all", "--format", "ndjson", NULL});
    char *said = run(0, true,
                     (const char *const[]){"intents", "list", "status:declined", "--cached", "--sample", "5",
                                           "--format", "csv", NULL});
    char expected[64];
    (void)snprintf(expected, sizeof expected, "5 of %zu intents, drawn by seed ", text_count(rows, "\n"));
    assert_non_null(strstr(said, expected));
    free(rows);
    free(said);
}

static void what_does_not_go_together_is_said(void **state) {
    (void)state;
    free(run(2, true, (const char *const[]){"intents", "list", "--sample", "5", NULL}));
    free(run(2, true, (const char *const[]){"intents", "list", "--cached", "--seed", "5", NULL}));
    free(run(2, true, (const char *const[]){"intents", "list", "--cached", "--sample", "5", "--limit", "3", NULL}));
    free(run(2, true, (const char *const[]){"intents", "list", "--format", "sqlite", NULL}));
    free(run(2, true, (const char *const[]){"intents", "list", "--output", path, NULL}));
    free(run(2, true, (const char *const[]){"intents", "stats", "--by", "status", "--format", "sqlite", NULL}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spreadsheet_gets_mark_separator_and_text),
        cmocka_unit_test_setup(a_database_has_what_was_served, begin),
        cmocka_unit_test_setup(a_walk_writes_the_same_database, begin),
        cmocka_unit_test_setup(a_file_that_is_there_stays_and_nothing_is_left_beside_it, begin),
        cmocka_unit_test(a_folder_that_is_not_there_is_said),
        cmocka_unit_test_setup(where_nothing_was_read_no_file_is_written, begin),
        cmocka_unit_test(a_sample_is_the_same_again),
        cmocka_unit_test(a_sample_of_a_filter_says_of_how_many),
        cmocka_unit_test(what_does_not_go_together_is_said),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
