#include "journal_own.h"
#include "store/schema.h"

#include <stdlib.h>
#include <string.h>

/* Version 1 had a short digest for each row, its digests of what was sent in a table of their own, and four indexes. */
static const char *const OLD_TABLES[] = {
    ("CREATE TABLE writes(n INTEGER PRIMARY KEY, at INTEGER, who TEXT, profile TEXT, origin TEXT, environment TEXT,"
     " operation TEXT, owner TEXT, idempotency TEXT, draft TEXT, import TEXT, line INTEGER, repeats INTEGER, url TEXT,"
     " fingerprint TEXT, digest INTEGER)"),
    ("CREATE TABLE marks(m INTEGER PRIMARY KEY, n INTEGER, at INTEGER, outcome INTEGER, status INTEGER,"
     " response_id TEXT, message TEXT, who TEXT, note TEXT, digest INTEGER)"),
    "CREATE TABLE digests(n INTEGER, kind TEXT, name TEXT, digest BLOB, PRIMARY KEY(n, kind, name)) WITHOUT ROWID",
    "CREATE INDEX marks_by_write ON marks(n, m)",
    "CREATE INDEX digests_by_value ON digests(digest)",
    "CREATE INDEX writes_by_draft ON writes(draft)",
    "CREATE INDEX writes_by_import ON writes(import)",
};
static const struct schema OLD = {
    .texts = OLD_TABLES, .n = COUNT_OF(OLD_TABLES), .application = JOURNAL_APPLICATION, .version = 1};

/* Out of the way first, so that the new tables get their own texts. */
static const char ASIDE[] = "DROP INDEX marks_by_write; DROP INDEX digests_by_value; DROP INDEX writes_by_draft;"
                            "DROP INDEX writes_by_import; ALTER TABLE writes RENAME TO old_writes;"
                            "ALTER TABLE marks RENAME TO old_marks; ALTER TABLE digests RENAME TO old_digests";
static const char AWAY[] = "DROP TABLE old_writes; DROP TABLE old_marks; DROP TABLE old_digests;"
                           "PRAGMA user_version = 2";

enum { OLD_WRITES, OLD_MARKS, OLD_DIGESTS, OLD_SQL_COUNT };
static const char *const OLD_SQL[OLD_SQL_COUNT] = {
    [OLD_WRITES] =
        ("SELECT n, at, who, profile, origin, environment, operation, owner, idempotency, draft, import, line,"
         " repeats, url, fingerprint, digest FROM old_writes ORDER BY n"),
    [OLD_MARKS] = "SELECT m, n, at, outcome, status, response_id, message, who, note, digest FROM old_marks ORDER BY m",
    [OLD_DIGESTS] = "SELECT kind, name, digest FROM old_digests WHERE n = ?1",
};

static void journal_upgrade_add_number(struct str *out, int64_t number) {
    str_add_n(out, (const char *)&number, sizeof number);
}

static void journal_upgrade_add_column(struct str *out, sqlite3_stmt *stmt, int column) {
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    journal_upgrade_add_number(out, text ? (int64_t)strlen(text) : -1);
    if (text)
        str_add(out, text);
}

/* Numbers first, then texts, as version 1 did. */
static bool holds(struct journal *journal, sqlite3_stmt *stmt, const int *numbers, size_t n_numbers, const int *texts,
                  size_t n_texts, int digest) {
    struct str *in = &journal->scratch;
    str_reset(in);
    for (size_t i = 0; i < n_numbers; i++)
        journal_upgrade_add_number(in, sqlite3_column_int64(stmt, numbers[i]));
    for (size_t i = 0; i < n_texts; i++)
        journal_upgrade_add_column(in, stmt, texts[i]);
    return (int64_t)digest_short(in->s, in->len) == sqlite3_column_int64(stmt, digest);
}

static bool write_holds(struct journal *journal, sqlite3_stmt *stmt) {
    static const int numbers[] = {0, 1, 11, 12}, texts[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14};
    return holds(journal, stmt, numbers, COUNT_OF(numbers), texts, COUNT_OF(texts), 15);
}

static bool mark_holds(struct journal *journal, sqlite3_stmt *stmt) {
    static const int numbers[] = {0, 1, 2, 3, 4}, texts[] = {5, 6, 7, 8};
    return holds(journal, stmt, numbers, COUNT_OF(numbers), texts, COUNT_OF(texts), 9);
}

struct upgrade {
    struct journal *journal;
    sqlite3_stmt *stmts[OLD_SQL_COUNT];
    bool has_write;
};

static char journal_upgrade_kind_of(const char *kind) {
    return kind && strcmp(kind, "body") == 0 ? 'b' : kind && strcmp(kind, "field") == 0 ? 'f' : 'm';
}

static enum err pack_digests(struct upgrade *up, int64_t n, struct str *out, struct error *error) {
    sqlite3_stmt *stmt = up->stmts[OLD_DIGESTS];
    bool row = true;
    enum err err = ERR_OK;
    sqlite3_reset(stmt);
    sqlite3_bind_int64(stmt, 1, n);
    while ((err = db_step(&up->journal->db, stmt, &row, error)) == ERR_OK && row) {
        const char *name = (const char *)sqlite3_column_text(stmt, 1);
        size_t len = name ? strlen(name) : 0;
        if (sqlite3_column_bytes(stmt, 2) != DIGEST_LEN)
            return journal_damage(up->journal, error, "a digest of record %lld was altered", (long long)n);
        str_add_char(out, journal_upgrade_kind_of((const char *)sqlite3_column_text(stmt, 0)));
        str_add_char(out, (char)(len >> 8));
        str_add_char(out, (char)(len & 0xff));
        str_add_n(out, name ? name : "", len);
        str_add_n(out, sqlite3_column_blob(stmt, 2), DIGEST_LEN);
    }
    return err;
}

static const char *journal_upgrade_text_at(sqlite3_stmt *stmt, int column) {
    return (const char *)sqlite3_column_text(stmt, column);
}

static enum err move_write(struct upgrade *up, struct error *error) {
    sqlite3_stmt *stmt = up->stmts[OLD_WRITES];
    struct journal *journal = up->journal;
    struct str digests;
    int64_t n = sqlite3_column_int64(stmt, 0);
    if (!write_holds(journal, stmt) || n != journal->staged.n + 1)
        return journal_damage(journal, error, "record %lld was altered, or one before it is gone", (long long)n);
    str_init(&digests, JOURNAL_TEXT_MAX);
    enum err err = pack_digests(up, n, &digests, error);
    struct journal_write_row row;
    journal_read_columns(stmt, &row);
    row.digests = (struct journal_bytes){digests.len ? digests.s : NULL, digests.len};
    if (err == ERR_OK)
        err = journal_append_write(journal, &row, error);
    str_clear(&digests);
    return err == ERR_OK ? db_step(&journal->db, stmt, &up->has_write, error) : err;
}

static enum err move_mark(struct upgrade *up, struct error *error) {
    sqlite3_stmt *stmt = up->stmts[OLD_MARKS];
    struct journal *journal = up->journal;
    int64_t n = sqlite3_column_int64(stmt, 1);
    enum err err = ERR_OK;
    while (err == ERR_OK && up->has_write && journal->staged.n < n)
        err = move_write(up, error);
    if (err != ERR_OK)
        return err;
    if (!mark_holds(journal, stmt) || n > journal->staged.n || sqlite3_column_int64(stmt, 0) != journal->staged.m + 1)
        return journal_damage(journal, error, "an outcome of record %lld was altered, or one before it is gone",
                              (long long)n);
    struct journal_mark_row row = {.n = n,
                                   .at = sqlite3_column_int64(stmt, 2),
                                   .outcome = sqlite3_column_int64(stmt, 3),
                                   .status = sqlite3_column_int64(stmt, 4),
                                   .response_id = journal_upgrade_text_at(stmt, 5),
                                   .message = journal_upgrade_text_at(stmt, 6),
                                   .who = journal_upgrade_text_at(stmt, 7),
                                   .note = journal_upgrade_text_at(stmt, 8)};
    return journal_append_mark(journal, &row, error);
}

static enum err journal_upgrade_move_key(struct upgrade *up, int64_t now, struct error *error) {
    struct str digests, note;
    struct journal_digest_at found;
    size_t at = 0;
    str_init(&digests, 4096);
    str_init(&note, 2 * DIGEST_LEN + 1);
    enum err err = pack_digests(up, 0, &digests, error);
    const struct journal_bytes bytes = {digests.s, digests.len};
    if (err == ERR_OK && digests.len && journal_next_digest(&bytes, &at, &found)) {
        digest_hex(&note, found.digest, DIGEST_LEN);
        err = journal_append_mark(up->journal, &(struct journal_mark_row){.at = now, .kind = MARK_KEY, .note = note.s},
                                  error);
    }
    if (err == ERR_OK)
        err = journal_append_mark(up->journal, &(struct journal_mark_row){.at = now, .kind = MARK_UPGRADE, .note = "1"},
                                  error);
    str_clear(&digests);
    str_clear(&note);
    return err;
}

static enum err move_rows(struct upgrade *up, int64_t now, struct error *error) {
    bool row = true;
    struct db *db = &up->journal->db;
    enum err err = db_step(db, up->stmts[OLD_WRITES], &up->has_write, error);
    while (err == ERR_OK && (err = db_step(db, up->stmts[OLD_MARKS], &row, error)) == ERR_OK && row)
        err = move_mark(up, error);
    if (err == ERR_OK && up->has_write)
        err = journal_damage(up->journal, error, "record %lld has no outcome",
                             (long long)sqlite3_column_int64(up->stmts[OLD_WRITES], 0));
    return err == ERR_OK ? journal_upgrade_move_key(up, now, error) : err;
}

static enum err journal_upgrade_move_all(struct journal *journal, int64_t now, struct error *error) {
    struct upgrade up = {.journal = journal};
    enum err err = db_exec(&journal->db, ASIDE, error);
    for (size_t i = 0; i < journal_schema.n && err == ERR_OK; i++)
        err = db_exec(&journal->db, journal_schema.texts[i], error);
    for (int i = 0; i < OLD_SQL_COUNT && err == ERR_OK; i++) {
        int rc = sqlite3_prepare_v2(journal->db.handle, OLD_SQL[i], -1, &up.stmts[i], NULL);
        err = rc == SQLITE_OK ? ERR_OK : db_fail(&journal->db, rc, error);
    }
    if (err == ERR_OK)
        err = move_rows(&up, now, error);
    for (int i = 0; i < OLD_SQL_COUNT; i++)
        sqlite3_finalize(up.stmts[i]);
    if (err != ERR_OK)
        return err;
    /* Statements on the tables that go would keep them. */
    for (size_t i = 0; i < journal->db.n_sql; i++)
        sqlite3_reset(journal->db.slots[i].stmt);
    return db_exec(&journal->db, AWAY, error);
}

static enum err check_old(struct journal *journal, struct error *error) {
    enum schema_state state;
    char *problem = NULL;
    enum err err = schema_look(&journal->db, &OLD, &state, error);
    if (err == ERR_OK && state == SCHEMA_OTHER)
        err = journal_damage(journal, error, "the file is not a journal, or its tables were changed");
    if (err == ERR_OK)
        err = db_integrity(&journal->db, false, &problem, error);
    if (err == ERR_OK && problem)
        err = journal_damage(journal, error, "the pages of the file do not hold together");
    free(problem);
    return err;
}

enum err journal_upgrade(struct journal *journal, int64_t now, struct error *error) {
    int64_t version = 0;
    enum err err = db_exec(&journal->db, "BEGIN IMMEDIATE", error);
    if (err != ERR_OK)
        return err;
    err = db_int(&journal->db, "PRAGMA user_version", &version, error);
    /* Another console may have done it since. */
    if (err == ERR_OK && version == 1) {
        db_statements(&journal->db, journal_sql, JSQL_COUNT);
        err = check_old(journal, error);
        if (err == ERR_OK)
            err = journal_upgrade_move_all(journal, now, error);
    }
    err = db_end(&journal->db, err, error);
    journal->staged = (struct journal_tail){0};
    return err;
}
