/* A bank's list against many cached intents, with the real program: each outcome of each row and intent, and each sum,
 * made a second time by SQL over the same rows. MATCH_INTENTS says how many. */
#include "support/one_service.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INTENTS = 3000, PATH_BYTES = 4096, SQL_BYTES = 4096, KINDS = 16, DAY_CHARS = 10 };

static sqlite3 *db;
static char table[PATH_BYTES];
static const char FILTER[] = "currency:EUR,JPY,KWD amount<100000000000";

static void sql(const char *text) {
    char *why = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", why, text);
}

static long long number_of(const char *text) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, text, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(db), text);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    long long number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return number;
}

static void expect(const char *const args[], int status, struct proc *proc) {
    int got = console_run(&service, args, proc);
    if (got != status)
        fail_msg("exit %d, not %d: %s", got, status, proc->err.s);
}

/* ---- The file ---- */

static int exponent_of(const char *currency) {
    return strcmp(currency, "JPY") == 0 ? 0 : strcmp(currency, "KWD") == 0 ? 3 : 2;
}

/* With points between thousands and a decimal comma. */
static void write_amount(FILE *to, long long amount, int exponent) {
    if (amount < 0)
        (void)fputc('-', to);
    amount = amount < 0 ? -amount : amount;
    long long scale = exponent == 3 ? 1000 : exponent == 2 ? 100 : 1, major = amount / scale;
    if (major >= 1000000)
        (void)fprintf(to, "%lld.%03lld.%03lld", major / 1000000, major / 1000 % 1000, major % 1000);
    else if (major >= 1000)
        (void)fprintf(to, "%lld.%03lld", major / 1000, major % 1000);
    else
        (void)fprintf(to, "%lld", major);
    if (exponent > 0)
        (void)fprintf(to, ",%0*lld", exponent, amount % scale);
}

struct written {
    const char *id, *created, *currency, *status;
    long long amount;
    int days; /* later than the intent */
};

/* A line of the file, and the same row for SQL. */
static void write_row(FILE *to, const struct written *row) {
    static sqlite3_stmt *add;
    static long long line;
    char day[DAY_CHARS + 1];
    if (!add) {
        line = 1;
        assert_int_equal(sqlite3_prepare_v2(db,
                                            "INSERT INTO file SELECT ?1, ?2, ?3, ?4, date(substr(?5, 1, 10), ?6), ?7 "
                                            "RETURNING day",
                                            -1, &add, NULL),
                         SQLITE_OK);
    }
    char shift[16];
    (void)snprintf(shift, sizeof shift, "%d days", row->days);
    (void)sqlite3_bind_int64(add, 1, ++line);
    (void)sqlite3_bind_text(add, 2, row->id, -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_int64(add, 3, row->amount);
    (void)sqlite3_bind_text(add, 4, row->currency, -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_text(add, 5, row->created, -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_text(add, 6, shift, -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_text(add, 7, row->status, -1, SQLITE_TRANSIENT);
    assert_int_equal(sqlite3_step(add), SQLITE_ROW);
    (void)snprintf(day, sizeof day, "%s", (const char *)sqlite3_column_text(add, 0));
    (void)sqlite3_step(add);
    (void)sqlite3_reset(add);
    (void)fprintf(to, "%s;%s;", row->id, day);
    write_amount(to, row->amount, exponent_of(row->currency));
    (void)fprintf(to, ";%s;%s;\"rent; and more\"\r\n", row->currency, row->status);
}

/* Every kind of difference, and rows that have more than one intent for a candidate or share theirs. */
static void write_kind(FILE *to, const struct written *intent, int kind) {
    struct written row = *intent;
    if (kind == 0)
        return;
    row.amount += kind == 1;
    row.status = kind == 2 ? "settled" : row.status;
    row.currency = kind == 3 ? (strcmp(row.currency, "EUR") == 0 ? "KWD" : "EUR") : row.currency;
    row.days = kind == 4 ? 1 : kind == 5 ? -3 : kind == 6 ? -1 : 0;
    row.id = kind == 7 ? "stranger" : kind == 8 ? "" : row.id;
    write_row(to, &row);
    if (kind == 9 || kind == 10)
        write_row(to, &row);
    row.days = kind == 11 ? 40 : row.days;
    row.id = kind == 11 ? "elsewhere" : row.id;
    if (kind == 11)
        write_row(to, &row);
}

static bool write_table(void) {
    sqlite3_stmt *statement;
    (void)snprintf(table, sizeof table, "%s/bank.csv", service.folder);
    FILE *to = fopen(table, "w");
    if (!to || sqlite3_prepare_v2(db, "SELECT id, created, currency, status, amount FROM intents ORDER BY id", -1,
                                  &statement, NULL) != SQLITE_OK)
        return false;
    (void)fprintf(to, "Payment ID;Booking date;Amount;Currency;Status;Purpose\r\n");
    for (int i = 0; sqlite3_step(statement) == SQLITE_ROW; i++) {
        struct written intent = {.id = (const char *)sqlite3_column_text(statement, 0),
                                 .created = (const char *)sqlite3_column_text(statement, 1),
                                 .currency = (const char *)sqlite3_column_text(statement, 2),
                                 .status = (const char *)sqlite3_column_text(statement, 3),
                                 .amount = sqlite3_column_int64(statement, 4)};
        write_kind(to, &intent, i % KINDS);
    }
    (void)sqlite3_finalize(statement);
    return fclose(to) == 0;
}

static void take_listing(char *text) {
    sqlite3_stmt *add;
    sql("CREATE TABLE intents (id TEXT PRIMARY KEY, created, amount INTEGER, currency, status);"
        "CREATE TABLE file (line INTEGER PRIMARY KEY, id, amount INTEGER, currency, day, status);"
        "CREATE INDEX by_amount ON intents (amount, currency)");
    assert_int_equal(sqlite3_prepare_v2(db, "INSERT INTO intents VALUES (?1, ?2, ?3, ?4, ?5)", -1, &add, NULL),
                     SQLITE_OK);
    sql("BEGIN");
    for (char *line = strsep(&text, "\n"); line; line = strsep(&text, "\n")) {
        char id[64], created[32], currency[8], status[16];
        long long amount;
        if (sscanf(line, "%63[^,],%31[^,],%lld,%*[^,],%7[^,],%15[a-z]", id, created, &amount, currency, status) != 5)
            continue;
        (void)sqlite3_bind_text(add, 1, id, -1, SQLITE_TRANSIENT);
        (void)sqlite3_bind_text(add, 2, created, -1, SQLITE_TRANSIENT);
        (void)sqlite3_bind_int64(add, 3, amount);
        (void)sqlite3_bind_text(add, 4, currency, -1, SQLITE_TRANSIENT);
        (void)sqlite3_bind_text(add, 5, status, -1, SQLITE_TRANSIENT);
        assert_int_equal(sqlite3_step(add), SQLITE_DONE);
        (void)sqlite3_reset(add);
    }
    (void)sqlite3_finalize(add);
}

static int start(void **state) {
    (void)state;
    struct proc proc;
    const char *named = getenv("MATCH_INTENTS");
    char n[16];
    (void)snprintf(n, sizeof n, "%d", named ? atoi(named) : INTENTS);
    if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
        !console_serve(&service, (const char *const[]){"--intents", n, NULL}, "  amount_unit = minor\n"))
        return -1;
    expect((const char *const[]){"intents", "mirror", NULL}, 0, &proc);
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", FILTER, "--cached", "--all", "--format", "csv", "--columns",
                                 "id,created,amount,currency,status", NULL},
           0, &proc);
    take_listing(proc.out.s);
    (void)proc_end(&proc);
    bool good = write_table();
    sql("COMMIT");
    return good ? 0 : -1;
}

static int stop(void **state) {
    (void)sqlite3_close(db);
    return stop_service(state);
}

/* ---- The second computation ---- */

/* One candidate on either side makes partners; none, or more than one, says so. */
static void compute(const char *candidates, const char *differs) {
    static const char AFTER[] =
        "CREATE INDEX p1 ON pairs (line);CREATE INDEX p2 ON pairs (id);"
        "CREATE TABLE row_n AS SELECT f.line, count(p.id) AS n FROM file f LEFT JOIN pairs p USING (line) GROUP BY 1;"
        "CREATE TABLE intent_n AS SELECT i.id, count(p.line) AS n FROM intents i LEFT JOIN pairs p USING (id) GROUP BY "
        "1;"
        "CREATE INDEX n1 ON row_n (line);CREATE INDEX n2 ON intent_n (id);"
        "CREATE TABLE partners AS SELECT p.line, p.id, p.differs FROM pairs p JOIN row_n r ON r.line = p.line AND r.n "
        "= "
        "1 JOIN intent_n i ON i.id = p.id AND i.n = 1;"
        "CREATE INDEX q1 ON partners (line);CREATE INDEX q2 ON partners (id);"
        "CREATE TABLE row_is AS SELECT r.line, CASE WHEN r.n = 0 THEN 'only-file' WHEN p.line IS NULL THEN 'ambiguous' "
        "WHEN p.differs THEN 'differing' ELSE 'matched' END AS outcome, p.id FROM row_n r LEFT JOIN partners p USING "
        "(line);"
        "CREATE TABLE intent_is AS SELECT i.id, CASE WHEN i.n = 0 THEN 'only-here' WHEN p.id IS NULL THEN 'ambiguous' "
        "WHEN p.differs THEN 'differing' ELSE 'matched' END AS outcome FROM intent_n i LEFT JOIN partners p USING (id)";
    char text[SQL_BYTES];
    for (size_t i = 0; i < 6; i++) {
        static const char *const TABLES[] = {"pairs", "row_n", "intent_n", "partners", "row_is", "intent_is"};
        (void)snprintf(text, sizeof text, "DROP TABLE IF EXISTS %s", TABLES[i]);
        sql(text);
    }
    (void)snprintf(
        text, sizeof text,
        "CREATE TABLE pairs AS SELECT f.line, i.id, (%s) AS differs FROM (SELECT *, CAST(strftime('%%s', day) "
        "AS INTEGER) * 1000 AS midnight FROM file) f JOIN (SELECT *, CAST(strftime('%%s', substr(created, 1, 19)) "
        "AS INTEGER) * 1000 + CAST(substr(created, 21, 3) AS INTEGER) AS ms FROM intents) i ON %s",
        differs, candidates);
    sql(text);
    sql(AFTER);
}

/* Outcome, line of the file and id of the intent, of each line that was printed. */
static void take_printed(char *text) {
    enum { CELLS = 7, OUTCOME = 0, LINE = 1, ID = 6 };
    sqlite3_stmt *add;
    sql("DROP TABLE IF EXISTS printed; CREATE TABLE printed (outcome, line, id)");
    assert_int_equal(
        sqlite3_prepare_v2(db, "INSERT INTO printed VALUES (?1, nullif(?2, ''), nullif(?3, ''))", -1, &add, NULL),
        SQLITE_OK);
    (void)strsep(&text, "\n"); /* the header */
    sql("BEGIN");
    for (char *line = strsep(&text, "\n"); line && *line; line = strsep(&text, "\n")) {
        const char *cells[CELLS];
        for (int i = 0; i < CELLS; i++)
            cells[i] = strsep(&line, ",");
        (void)sqlite3_bind_text(add, 1, cells[OUTCOME], -1, SQLITE_TRANSIENT);
        (void)sqlite3_bind_text(add, 2, cells[LINE], -1, SQLITE_TRANSIENT);
        (void)sqlite3_bind_text(add, 3, cells[ID], -1, SQLITE_TRANSIENT);
        assert_int_equal(sqlite3_step(add), SQLITE_DONE);
        (void)sqlite3_reset(add);
    }
    sql("COMMIT");
    (void)sqlite3_finalize(add);
}

static void assert_lines(void) {
    static const char EXPECTED[] =
        "SELECT outcome, CAST(line AS TEXT), CASE WHEN outcome IN ('matched', 'differing') THEN id END FROM row_is "
        "UNION "
        "ALL SELECT outcome, NULL, id FROM intent_is WHERE outcome IN ('ambiguous', 'only-here')";
    char text[SQL_BYTES];
    (void)snprintf(text, sizeof text, "SELECT count(*) FROM (%s EXCEPT SELECT * FROM printed)", EXPECTED);
    assert_int_equal(number_of(text), 0);
    (void)snprintf(text, sizeof text, "SELECT count(*) FROM (SELECT * FROM printed EXCEPT SELECT * FROM (%s))",
                   EXPECTED);
    assert_int_equal(number_of(text), 0);
    (void)snprintf(text, sizeof text, "SELECT count(*) FROM (%s)", EXPECTED);
    assert_int_equal(number_of("SELECT count(*) FROM printed"), number_of(text));
}

static void assert_sum(const char *json, const char *outcome, const char *side, const char *currency) {
    char text[SQL_BYTES], part[256];
    bool here = strcmp(side, "here") == 0;
    (void)snprintf(text, sizeof text, "FROM %s is_one JOIN %s USING (%s) WHERE outcome = '%s' AND currency = '%s'",
                   here ? "intent_is" : "row_is", here ? "intents" : "file", here ? "id" : "line", outcome, currency);
    char rows_of[SQL_BYTES + 32], sum_of[SQL_BYTES + 32];
    (void)snprintf(rows_of, sizeof rows_of, "SELECT count(*) %s", text);
    (void)snprintf(sum_of, sizeof sum_of, "SELECT coalesce(sum(amount), 0) %s", text);
    if (number_of(rows_of) == 0)
        return;
    (void)snprintf(part, sizeof part, "{\"outcome\":\"%s\",\"rows\":", outcome);
    const char *at = strstr(strstr(json, "\"summary\""), part);
    (void)snprintf(part, sizeof part,
                   "{\"side\":\"%s\",\"currency\":\"%s\",\"rows\":%lld,\"without_amount\":0,\"sum\":%lld,", side,
                   currency, number_of(rows_of), number_of(sum_of));
    const char *end = at ? strstr(at, "]}") : NULL, *found = at ? strstr(at, part) : NULL;
    if (!found || found > end)
        fail_msg("no %s of %s", part, outcome);
}

/* Of both sides: how many rows, of which none is without an amount, and their sum. */
static void assert_sums(const char *json) {
    static const char *const OUTCOMES[] = {"matched", "differing", "ambiguous", "only-file", "only-here"};
    static const char *const CODES[] = {"EUR", "JPY", "KWD"};
    for (size_t i = 0; i < sizeof OUTCOMES / sizeof *OUTCOMES; i++) {
        for (size_t code = 0; code < sizeof CODES / sizeof *CODES; code++) {
            assert_sum(json, OUTCOMES[i], "file", CODES[code]);
            assert_sum(json, OUTCOMES[i], "here", CODES[code]);
        }
    }
}

static void match_equals_sql(const char *on) {
    struct proc proc;
    expect((const char *const[]){"intents", "match", table, FILTER, "--on", on, "--amounts", "major", "--decimal",
                                 "comma", "--format", "csv", NULL},
           9, &proc);
    take_printed(proc.out.s);
    (void)proc_end(&proc);
    assert_lines();
    expect((const char *const[]){"intents", "match", table, FILTER, "--on", on, "--amounts", "major", "--decimal",
                                 "comma", "--format", "json", NULL},
           9, &proc);
    assert_sums(proc.out.s);
    (void)proc_end(&proc);
    for (int i = 0; i < 5; i++) {
        static const char *const EACH[] = {"matched", "differing", "ambiguous", "only-file", "only-here"};
        char text[SQL_BYTES];
        (void)snprintf(text, sizeof text, "SELECT count(*) FROM printed WHERE outcome = '%s'", EACH[i]);
        assert_true(number_of(text) > 0); /* each was tried */
    }
}

static void by_id_every_outcome_and_sum_equals_sql(void **state) {
    (void)state;
    compute("f.id = i.id AND f.id <> ''", "f.amount <> i.amount OR f.currency <> i.currency OR f.status <> i.status OR "
                                          "NOT (i.ms >= f.midnight AND i.ms < "
                                          "f.midnight + 86400000)");
    match_equals_sql("id");
}

static void by_amount_and_day_every_outcome_and_sum_equals_sql(void **state) {
    (void)state;
    compute("f.amount = i.amount AND f.currency = i.currency AND i.ms >= f.midnight - 86400000 AND i.ms < f.midnight + "
            "2 * 86400000",
            "f.id <> i.id OR f.status <> i.status");
    match_equals_sql("amount,currency,created~1d");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_id_every_outcome_and_sum_equals_sql),
        cmocka_unit_test(by_amount_and_day_every_outcome_and_sum_equals_sql),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
