#include "cache_schema.h"

#include "cache_own.h"

const char *const cache_sql[SQL_COUNT] = {
#define X(code, text) (text),
    CACHE_SQL_TABLE(X)
#undef X
};

static const char *const TABLES[] = {
    ("CREATE TABLE binding(one INTEGER PRIMARY KEY, origin TEXT, profile TEXT, account TEXT, token TEXT, digest "
     "INTEGER)"),
    "CREATE TABLE intents(key INTEGER PRIMARY KEY, seen INTEGER, confirmed INTEGER, digest INTEGER, data BLOB)",
    "CREATE TABLE walks(walk INTEGER PRIMARY KEY, filter TEXT NOT NULL UNIQUE)",
    "CREATE TABLE pages(place INTEGER PRIMARY KEY, fetched INTEGER, cursor TEXT, next TEXT, digest INTEGER, rows BLOB)",
    "CREATE TABLE changes(n INTEGER PRIMARY KEY, kind INTEGER, digest INTEGER, keys BLOB)",
    ("CREATE TABLE sightings(key INTEGER, n INTEGER, seen INTEGER, field TEXT, old TEXT, now TEXT, digest INTEGER,"
     " PRIMARY KEY(key, n)) WITHOUT ROWID"),
    "CREATE TABLE counts(name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID",
    "CREATE TABLE notes(name TEXT PRIMARY KEY, value TEXT, digest INTEGER) WITHOUT ROWID",
    ("CREATE TABLE watch(kind TEXT, name TEXT, n INTEGER, first INTEGER, last INTEGER,"
     " PRIMARY KEY(kind, name)) WITHOUT ROWID"),
    ("CREATE TABLE wholes(filter TEXT PRIMARY KEY, began INTEGER, ended INTEGER, rows INTEGER, loose INTEGER,"
     " dropped INTEGER, removed INTEGER, digest INTEGER) WITHOUT ROWID"),
};

const struct schema cache_schema = {
    .texts = TABLES,
    .n = COUNT_OF(TABLES),
    .before = "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = OFF",
    .rows = "INSERT INTO counts VALUES"
#define X(code, name) "('" name "', 0),"
    CACHE_COUNT_TABLE(X)
#undef X
        "('', 0)",
    .added = 1,
    .upgrade = "INSERT INTO counts VALUES('removed', 0)",
    .application = CACHE_APPLICATION,
    .version = CACHE_SCHEMA,
};

enum err cache_configure(struct db *db, struct error *error) {
    return db_exec(db,
                   "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;"
                   "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
                   "PRAGMA cache_size = -8000; PRAGMA journal_size_limit = 16777216",
                   error);
}
