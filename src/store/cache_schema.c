#include "cache_schema.h"

#include <string.h>

const char *const cache_sql[SQL_COUNT] = {
#define X(code, text) text,
    CACHE_SQL_TABLE(X)
#undef X
};

static const char *const TABLES[] = {
    "CREATE TABLE binding(one INTEGER PRIMARY KEY, origin TEXT, profile TEXT, account TEXT, token TEXT, digest "
    "INTEGER)",
    "CREATE TABLE intents(key INTEGER PRIMARY KEY, seen INTEGER, confirmed INTEGER, digest INTEGER, data BLOB)",
    "CREATE TABLE walks(walk INTEGER PRIMARY KEY, filter TEXT NOT NULL UNIQUE)",
    "CREATE TABLE pages(place INTEGER PRIMARY KEY, fetched INTEGER, cursor TEXT, next TEXT, digest INTEGER, rows BLOB)",
    "CREATE TABLE changes(n INTEGER PRIMARY KEY, kind INTEGER, digest INTEGER, keys BLOB)",
    "CREATE TABLE sightings(key INTEGER, n INTEGER, seen INTEGER, field TEXT, old TEXT, now TEXT, digest INTEGER,"
    " PRIMARY KEY(key, n)) WITHOUT ROWID",
    "CREATE TABLE counts(name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID",
    "CREATE TABLE notes(name TEXT PRIMARY KEY, value TEXT, digest INTEGER) WITHOUT ROWID",
    "CREATE TABLE watch(kind TEXT, name TEXT, n INTEGER, first INTEGER, last INTEGER,"
    " PRIMARY KEY(kind, name)) WITHOUT ROWID",
};

enum err cache_schema_configure(struct db *db, struct error *error) {
    return db_exec(db,
                   "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;"
                   "PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
                   "PRAGMA cache_size = -8000; PRAGMA journal_size_limit = 16777216",
                   error);
}

static enum err set_head(struct db *db, struct error *error) {
    struct str sql;
    str_init(&sql, 512);
    str_addf(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", CACHE_APPLICATION, CACHE_SCHEMA);
#define X(code, name) str_add(&sql, "INSERT INTO counts VALUES('" name "', 0);");
    CACHE_COUNT_TABLE(X)
#undef X
    enum err err = db_exec(db, sql.s, error);
    str_clear(&sql);
    return err;
}

/* Before the switch to WAL, so that the file's own header says whose it is from the first moment on. */
enum err cache_schema_create(struct db *db, struct error *error) {
    enum err err = db_exec(db, "BEGIN EXCLUSIVE", error);
    if (err != ERR_OK)
        return err;
    for (size_t i = 0; i < COUNT_OF(TABLES) && err == ERR_OK; i++)
        err = db_exec(db, TABLES[i], error);
    if (err == ERR_OK)
        err = set_head(db, error);
    return db_end(db, err, error);
}

static bool is_known(const char *sql) {
    for (size_t i = 0; i < COUNT_OF(TABLES); i++)
        if (sql && strcmp(sql, TABLES[i]) == 0)
            return true;
    return false;
}

enum err cache_schema_look(struct db *db, enum cache_schema_state *out, struct error *error) {
    int64_t version = 0, identity = 0, known = 0, others = 0;
    enum err err = db_int(db, "PRAGMA user_version", &version, error);
    if (err == ERR_OK)
        err = db_int(db, "PRAGMA application_id", &identity, error);
    sqlite3_stmt *stmt = NULL;
    if (err == ERR_OK &&
        sqlite3_prepare_v2(db->handle,
                           "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_autoindex%' ESCAPE '\\'", -1,
                           &stmt, NULL) != SQLITE_OK)
        err = db_fail(db, sqlite3_extended_errcode(db->handle), error);
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(db, stmt, &row, error);
        if (err == ERR_OK && row)
            is_known((const char *)sqlite3_column_text(stmt, 0)) ? known++ : others++;
    }
    sqlite3_finalize(stmt);
    *out =
        identity == CACHE_APPLICATION && version > CACHE_SCHEMA ? SCHEMA_NEWER
        : known == 0 && others == 0 && version == 0             ? SCHEMA_EMPTY
        : known == (int64_t)COUNT_OF(TABLES) && others == 0 && identity == CACHE_APPLICATION && version == CACHE_SCHEMA
            ? SCHEMA_OURS
            : SCHEMA_OTHER;
    return err;
}
