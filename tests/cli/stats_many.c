/* Tables of two fields over time, rates and periods over many cached intents, with the real program: every count, sum,
 * rate and difference made a second time by SQL over the same rows. STATS_INTENTS says how many. */
#include "support/one_service.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INTENTS = 3000, SQL_BYTES = 8192, DAYS = 90, ARGS_MOST = 24 };

static sqlite3 *db;
static char from[16], to[16], period[256]; /* days in the midst of the data, and the filter that they are */
/* Without amounts of which a few have a sum beyond 64 bits. */
#define FITS "amount<100000000000 -guarantee>=100000000000"

static void sql(const char *text) {
    char *why = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", why, text);
}

static sqlite3_stmt *prepared(const char *text, const char *bound) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, text, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(db), text);
    if (bound)
        (void)sqlite3_bind_text(statement, 1, bound, -1, SQLITE_TRANSIENT);
    return statement;
}

static long long number_of(const char *text) {
    sqlite3_stmt *statement = prepared(text, NULL);
    if (sqlite3_step(statement) != SQLITE_ROW)
        fail_msg("%s: %s", sqlite3_errmsg(db), text);
    long long number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return number;
}

static void day_of(const char *text, char out[16]) {
    sqlite3_stmt *statement = prepared(text, NULL);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    (void)snprintf(out, 16, "%s", (const char *)sqlite3_column_text(statement, 0));
    (void)sqlite3_finalize(statement);
}

static void expect(const char *const args[], int status, struct proc *proc) {
    int got = console_run(&service, args, proc);
    if (got != status)
        fail_msg("exit %d, not %d: %s", got, status, proc->err.s);
}

/* ---- The rows ---- */

static void take_listing(char *text) {
    static const char ADD[] =
        "INSERT INTO intents SELECT json_extract(?1, '$.id'), substr(json_extract(?1, '$.created_at'), 1, 10), "
        "json_extract(?1, '$.amount'), json_extract(?1, '$.guarantee_amount'), json_extract(?1, '$.currency'), "
        "json_extract(?1, '$.status'), json_extract(?1, '$.payment_credential.bank_name'), json_extract(?1, '$.rail')";
    sql("CREATE TABLE intents (id TEXT PRIMARY KEY, day, amount, guarantee, currency, status, bank, rail); BEGIN");
    sqlite3_stmt *add = prepared(ADD, NULL);
    for (char *line = strsep(&text, "\n"); line && *line; line = strsep(&text, "\n")) {
        (void)sqlite3_bind_text(add, 1, line, -1, SQLITE_STATIC);
        assert_int_equal(sqlite3_step(add), SQLITE_DONE);
        (void)sqlite3_reset(add);
    }
    (void)sqlite3_finalize(add);
    sql("COMMIT; DELETE FROM intents WHERE typeof(amount) <> 'integer' OR amount >= 100000000000 OR "
        "guarantee >= 100000000000; ALTER TABLE intents ADD COLUMN week; UPDATE intents SET week = date(day, 'weekday "
        "0', '-6 days'); "
        "CREATE VIEW plain AS SELECT * FROM intents WHERE bank IS NULL OR bank NOT GLOB '*[^ -~]*'");
}

static int start(void **state) {
    (void)state;
    struct proc proc;
    const char *named = getenv("STATS_INTENTS");
    char n[16], text[SQL_BYTES];
    (void)snprintf(n, sizeof n, "%d", named ? atoi(named) : INTENTS);
    if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
        !console_serve(&service, (const char *const[]){"--intents", n, NULL}, ""))
        return -1;
    expect((const char *const[]){"intents", "mirror", NULL}, 0, &proc);
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", "--cached", "--all", "--format", "ndjson", NULL}, 0, &proc);
    take_listing(proc.out.s);
    (void)proc_end(&proc);
    assert_true(number_of("SELECT count(*) FROM intents") > atoi(n) / 2);
    day_of("SELECT date(max(day), '-8 days') FROM intents", to);
    (void)snprintf(text, sizeof text, "SELECT date('%s', '-%d days')", to, DAYS);
    day_of(text, from);
    (void)snprintf(period, sizeof period, "created:%s..%s " FITS, from, to);
    return 0;
}

static int stop(void **state) {
    (void)sqlite3_close(db);
    return stop_service(state);
}

/* ---- What is printed, as tables ---- */

static void take_printed(const char *json) {
    static const char LINES[] =
        "CREATE TABLE printed AS SELECT e.key AS line, json_extract(e.value, '$.week') AS week, "
        "json_extract(e.value, '$.value') AS value, json_extract(e.value, '$.second') AS second, "
        "json_extract(e.value, '$.intents') AS n, json_extract(e.value, '$.earlier') AS n_then, "
        "json_extract(e.value, '$.difference') AS grown, json_extract(e.value, '$.rate.hits') AS hits, "
        "json_extract(e.value, '$.rate.of') AS rate_of, json_extract(e.value, '$.rate.left_out') AS left_out, "
        "json_extract(e.value, '$.rate.percent') AS rate, json_extract(e.value, '$.rate_earlier.hits') AS hits_then, "
        "json_extract(e.value, '$.rate_earlier.of') AS of_then, json_extract(e.value, '$.points') AS points, "
        "json_extract(e.value, '$.few') AS few, json_extract(e.value, '$.percent') AS share, "
        "json_extract(e.value, '$.sums') AS sums FROM json_each(?1) e";
    static const char SUMS[] =
        "CREATE TABLE printed_sums AS SELECT p.week, p.value, p.second, json_extract(s.value, '$.currency') AS "
        "currency, json_extract(s.value, '$.of') AS n, json_extract(s.value, '$.sum') AS sum, "
        "json_extract(s.value, '$.earlier') AS sum_then, json_extract(s.value, '$.difference') AS grown "
        "FROM printed p, json_each(p.sums) s";
    sql("DROP TABLE IF EXISTS printed; DROP TABLE IF EXISTS printed_sums");
    sqlite3_stmt *statement = prepared(LINES, json);
    assert_int_equal(sqlite3_step(statement), SQLITE_DONE);
    (void)sqlite3_finalize(statement);
    sql(SUMS);
    /* Names that the screen shows otherwise than they were served are not what is counted a second time here. */
    sql("DELETE FROM printed WHERE value GLOB '*[^ -~]*'; DELETE FROM printed_sums WHERE value GLOB '*[^ -~]*'");
}

static void ask(const char *const more[]) {
    const char *args[ARGS_MOST] = {"intents", "stats", "--format", "json"};
    struct proc proc;
    for (size_t i = 0; more[i]; i++)
        args[i + 4] = more[i];
    expect(args, 0, &proc);
    take_printed(proc.out.s);
    (void)proc_end(&proc);
}

/* Fails with the first row of one that the other has not. */
static void assert_within(const char *rows, const char *others, const char *what) {
    char text[2 * SQL_BYTES], row[SQL_BYTES];
    (void)snprintf(text, sizeof text, "SELECT * FROM (%s) EXCEPT SELECT * FROM (%s)", rows, others);
    sqlite3_stmt *statement = prepared(text, NULL);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        size_t len = 0;
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const char *cell = (const char *)sqlite3_column_text(statement, i);
            len += (size_t)snprintf(row + len, sizeof row - len, " %.60s", cell ? cell : "NULL");
        }
        (void)sqlite3_finalize(statement);
        fail_msg("%s:%s", what, row);
    }
    (void)sqlite3_finalize(statement);
}

static void assert_same(const char *expected, const char *printed) {
    char text[2 * SQL_BYTES];
    assert_true(number_of("SELECT count(*) FROM printed") > 5);
    assert_within(expected, printed, "not printed");
    assert_within(printed, expected, "printed, and not expected");
    (void)snprintf(text, sizeof text, "SELECT (SELECT count(*) FROM (%s)) - (SELECT count(*) FROM (%s))", expected,
                   printed);
    assert_int_equal(number_of(text), 0);
}

/* Rows of the period, and those of the one that is so many days earlier at the places of the later one. */
static void compare_by_hand(int days) {
    char text[SQL_BYTES];
    (void)snprintf(
        text, sizeof text,
        "DROP TABLE IF EXISTS both; CREATE TABLE both AS "
        "SELECT 1 AS now, week, bank, status, rail, currency, amount, guarantee FROM plain WHERE day BETWEEN '%s' "
        "AND '%s' UNION ALL SELECT 0, date(week, '+%d days'), bank, status, rail, currency, amount, guarantee FROM "
        "plain WHERE day BETWEEN date('%s', '-%d days') AND date('%s', '-%d days')",
        from, to, days, from, days, to, days);
    sql(text);
    assert_true(number_of("SELECT count(*) FROM both WHERE now") > 100);
    assert_true(number_of("SELECT count(*) FROM both WHERE NOT now") > 100);
}

static void a_table_of_two_fields_over_weeks_with_rates_against_earlier_equals_sql(void **state) {
    (void)state;
    compare_by_hand(7);
    ask((const char *const[]){period, "--by", "bank,rail", "--over", "week", "--sum", "amount", "--rate", "approved",
                              "--rate-of", "final", "--compare", "-7d", NULL});
    assert_same("SELECT week, bank, rail, sum(now) AS n, sum(NOT now) AS n_then, sum(now) - sum(NOT now), "
                "sum(now AND status = 'approved'), sum(now AND status NOT IN ('created', 'pending')), "
                "sum(now AND status IN ('created', 'pending')), sum(NOT now AND status = 'approved'), "
                "sum(NOT now AND status NOT IN ('created', 'pending')) FROM both GROUP BY 1, 2, 3",
                "SELECT week, value, second, n, n_then, grown, hits, rate_of, left_out, hits_then, of_then FROM "
                "printed");
    assert_same("SELECT week, bank, rail, currency, sum(now AND amount IS NOT NULL), "
                "coalesce(sum(CASE WHEN now THEN amount END), 0) AS a, coalesce(sum(CASE WHEN NOT now THEN amount "
                "END), 0) AS b, coalesce(sum(CASE WHEN now THEN amount ELSE -amount END), 0) FROM both GROUP BY 1, 2, "
                "3, 4",
                "SELECT week, value, second, currency, n, sum, sum_then, grown FROM printed_sums");
}

static void a_table_of_a_field_and_the_status_equals_sql(void **state) {
    (void)state;
    ask((const char *const[]){"rail:card " FITS, "--by", "bank,status", NULL});
    assert_same("SELECT bank, status, count(*) FROM plain WHERE rail = 'card' GROUP BY 1, 2",
                "SELECT value, second, n FROM printed");
    assert_same("SELECT bank, status, currency, count(amount), coalesce(sum(amount), 0) FROM plain WHERE rail = "
                "'card' GROUP BY 1, 2, 3",
                "SELECT value, second, currency, n, sum FROM printed_sums");
    /* Shares are of the intents of one bank. */
    assert_int_equal(number_of("SELECT count(*) FROM (SELECT sum(share) AS s FROM printed GROUP BY value) WHERE s <> "
                               "100"),
                     0);
}

static void guaranteed_amounts_are_summed_where_they_are_asked_for(void **state) {
    (void)state;
    ask((const char *const[]){FITS, "--by", "bank", "--sum", "guarantee", NULL});
    assert_same("SELECT bank, currency, count(guarantee), coalesce(sum(guarantee), 0) FROM plain GROUP BY 1, 2",
                "SELECT value, currency, n, sum FROM printed_sums");
}

static void rates_are_exact_to_a_tenth_and_their_differences_too(void **state) {
    static const char TENTHS[] = "SELECT value, CASE WHEN rate_of THEN (2000 * hits + rate_of) / (2 * rate_of) END, "
                                 "few FROM printed";
    (void)state;
    compare_by_hand(7);
    ask((const char *const[]){period, "--by", "bank", "--rate", "approved", "--compare", "-7d", NULL});
    assert_same("SELECT bank, sum(now AND status = 'approved'), sum(now AND status IN ('approved', 'declined')), "
                "sum(NOT now AND status = 'approved'), sum(NOT now AND status IN ('approved', 'declined')) FROM both "
                "GROUP BY 1",
                "SELECT value, hits, rate_of, hits_then, of_then FROM printed");
    assert_same(TENTHS, "SELECT value, CAST(round(10 * rate) AS INTEGER), min(rate_of, of_then) < 30 FROM printed");
    assert_same("SELECT value, CASE WHEN rate_of AND of_then THEN CAST(round(1000.0 * (hits * of_then - hits_then * "
                "rate_of) / (rate_of * of_then)) AS INTEGER) END FROM printed",
                "SELECT value, CAST(round(10 * points) AS INTEGER) FROM printed");
}

/* Those that rest on few stand behind the others. */
static void the_greatest_difference_comes_first(void **state) {
    static const char BEFORE[] =
        "SELECT count(*) FROM (SELECT line, few, abs(1.0 * (hits * of_then - hits_then * rate_of) / (rate_of * "
        "of_then)) AS size FROM printed WHERE rate_of AND of_then) a JOIN (SELECT line, few, abs(1.0 * (hits * of_then "
        "- hits_then * rate_of) / (rate_of * of_then)) AS size FROM printed WHERE rate_of AND of_then) b ON b.line = "
        "a.line + 1 WHERE a.few > b.few OR (a.few = b.few AND a.size < b.size - 1e-12)";
    (void)state;
    ask((const char *const[]){period, "--by", "bank", "--rate", "approved", "--compare", "-7d", NULL});
    assert_int_equal(number_of(BEFORE), 0);
    ask((const char *const[]){period, "--by", "bank", "--compare", "-7d", NULL});
    assert_int_equal(number_of("SELECT count(*) FROM printed a JOIN printed b ON b.line = a.line + 1 WHERE a.few > "
                               "b.few OR (a.few = b.few AND abs(a.grown) < abs(b.grown))"),
                     0);
}

/* Weeks stand beside the ones before them, of which the newest has none behind it. */
static void without_a_period_each_week_is_compared_with_the_one_before(void **state) {
    char text[SQL_BYTES];
    (void)state;
    ask((const char *const[]){FITS, "--over", "week", "--compare", "-7d", NULL});
    (void)snprintf(text, sizeof text, "DELETE FROM printed WHERE week >= date('%s', 'weekday 0', '-6 days')", to);
    sql(text);
    (void)snprintf(text, sizeof text,
                   "SELECT w.week, (SELECT count(*) FROM intents i WHERE i.week = w.week), (SELECT count(*) FROM "
                   "intents i WHERE date(i.week, '+7 days') = w.week) FROM (SELECT week FROM intents UNION SELECT "
                   "date(week, '+7 days') FROM intents) w WHERE w.week < date('%s', 'weekday 0', '-6 days')",
                   to);
    if (number_of("SELECT count(*) FROM printed") > 5)
        assert_same(text, "SELECT week, n, n_then FROM printed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_of_two_fields_over_weeks_with_rates_against_earlier_equals_sql),
        cmocka_unit_test(a_table_of_a_field_and_the_status_equals_sql),
        cmocka_unit_test(guaranteed_amounts_are_summed_where_they_are_asked_for),
        cmocka_unit_test(rates_are_exact_to_a_tenth_and_their_differences_too),
        cmocka_unit_test(the_greatest_difference_comes_first),
        cmocka_unit_test(without_a_period_each_week_is_compared_with_the_one_before),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
