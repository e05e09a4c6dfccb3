#include "db.h"

#include "base/mem.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct db {
    sqlite3 *sql;
};

static const char schema[] =
    "PRAGMA journal_mode=WAL;"
    "PRAGMA synchronous=NORMAL;"
    "CREATE TABLE IF NOT EXISTS named(name TEXT PRIMARY KEY, text TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS changes(place INTEGER PRIMARY KEY, created_at INTEGER NOT NULL, refund_at INTEGER NOT "
    "NULL, dispute_at INTEGER NOT NULL, status INTEGER NOT NULL, payment INTEGER NOT NULL, transactions INTEGER NOT "
    "NULL, refund INTEGER NOT NULL, "
    "dispute INTEGER NOT NULL, json BLOB, status_word TEXT, type_word TEXT);"
    "CREATE TABLE IF NOT EXISTS users(n INTEGER PRIMARY KEY, id TEXT NOT NULL, json TEXT NOT NULL, key TEXT, "
    "created_at INTEGER NOT NULL);"
    "PRAGMA user_version=1;";

static enum err sandbox_db_fault(struct db *db, struct error *error) {
    return error_set(error, ERR_STORE, "database: %s", sqlite3_errmsg(db->sql));
}

static enum err sandbox_db_run(struct db *db, const char *sql, struct error *error) {
    return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK ? ERR_OK : sandbox_db_fault(db, error);
}

enum err db_open(const char *path, struct db **out, struct error *error) {
    /* SQLite would create the file with 0644; its side files get the mode of the main one. */
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return error_set(error, ERR_FILE, "cannot open the database %s", path);
    (void)close(fd);
    struct db *db = mem_new(sizeof *db);
    enum err err = ERR_OK;
    if (sqlite3_open_v2(path, &db->sql, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        err = sandbox_db_fault(db, error);
    } else {
        (void)sqlite3_busy_timeout(db->sql, 2000);
        err = sandbox_db_run(db, schema, error);
    }
    if (err != ERR_OK) {
        db_close(db);
        return err;
    }
    *out = db;
    return ERR_OK;
}

void db_close(struct db *db) {
    if (db) {
        (void)sqlite3_close(db->sql);
        free(db);
    }
}

enum err db_begin(struct db *db, struct error *error) {
    return sandbox_db_run(db, "BEGIN IMMEDIATE", error);
}

enum err db_commit(struct db *db, struct error *error) {
    enum err err = sandbox_db_run(db, "COMMIT", error);
    if (err != ERR_OK)
        (void)sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
    return err;
}

static enum err sandbox_db_prepare(struct db *db, const char *sql, sqlite3_stmt **out, struct error *error) {
    return sqlite3_prepare_v2(db->sql, sql, -1, out, NULL) == SQLITE_OK ? ERR_OK : sandbox_db_fault(db, error);
}

static enum err sandbox_db_finish(struct db *db, sqlite3_stmt *stmt, struct error *error) {
    enum err err = sqlite3_step(stmt) == SQLITE_DONE ? ERR_OK : sandbox_db_fault(db, error);
    (void)sqlite3_finalize(stmt);
    return err;
}

static void bind_text(sqlite3_stmt *stmt, int index, const char *text) {
    (void)sqlite3_bind_text(stmt, index, text, -1, SQLITE_TRANSIENT);
}

static char *column_text(sqlite3_stmt *stmt, int index) {
    return mem_dup((const char *)sqlite3_column_text(stmt, index));
}

enum err db_get(struct db *db, const char *name, char **out, struct error *error) {
    sqlite3_stmt *stmt = NULL;
    *out = NULL;
    enum err err = sandbox_db_prepare(db, "SELECT text FROM named WHERE name=?", &stmt, error);
    if (err != ERR_OK)
        return err;
    bind_text(stmt, 1, name);
    int step = sqlite3_step(stmt);
    if (step == SQLITE_ROW)
        *out = column_text(stmt, 0);
    else if (step != SQLITE_DONE)
        err = sandbox_db_fault(db, error);
    (void)sqlite3_finalize(stmt);
    return err;
}

enum err db_set(struct db *db, const char *name, const char *text, struct error *error) {
    sqlite3_stmt *stmt = NULL;
    const char *sql =
        !text ? "DELETE FROM named WHERE name=?" : "INSERT OR REPLACE INTO named(name, text) VALUES(?, ?)";
    enum err err = sandbox_db_prepare(db, sql, &stmt, error);
    if (err != ERR_OK)
        return err;
    bind_text(stmt, 1, name);
    if (text)
        bind_text(stmt, 2, text);
    return sandbox_db_finish(db, stmt, error);
}

enum err db_put_change(struct db *db, const struct change *change, struct error *error) {
    sqlite3_stmt *stmt = NULL;
    enum err err =
        sandbox_db_prepare(db, "INSERT OR REPLACE INTO changes VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", &stmt, error);
    if (err != ERR_OK)
        return err;
    const struct gen_life *life = &change->life;
    const int64_t numbers[] = {change->place,      life->created_at,      life->refund_at,
                               life->dispute_at,   (int64_t)life->status, (int64_t)life->payment,
                               life->transactions, (int64_t)life->refund, (int64_t)life->dispute};
    for (int i = 0; i < (int)COUNT_OF(numbers); i++)
        (void)sqlite3_bind_int64(stmt, i + 1, numbers[i]);
    if (change->json)
        (void)sqlite3_bind_blob64(stmt, 10, change->json, change->json_len, SQLITE_TRANSIENT);
    bind_text(stmt, 11, change->status);
    bind_text(stmt, 12, change->type);
    return sandbox_db_finish(db, stmt, error);
}

enum err db_put_user(struct db *db, const struct db_user *user, struct error *error) {
    sqlite3_stmt *stmt = NULL;
    enum err err = sandbox_db_prepare(db, "INSERT INTO users(id, json, key, created_at) VALUES(?,?,?,?)", &stmt, error);
    if (err != ERR_OK)
        return err;
    bind_text(stmt, 1, user->id);
    bind_text(stmt, 2, user->json);
    bind_text(stmt, 3, user->key);
    (void)sqlite3_bind_int64(stmt, 4, user->created_at);
    return sandbox_db_finish(db, stmt, error);
}

static void load_change(sqlite3_stmt *stmt, struct changes *changes) {
    struct change *change = changes_put(changes, sqlite3_column_int64(stmt, 0));
    change->life.created_at = sqlite3_column_int64(stmt, 1);
    change->life.refund_at = sqlite3_column_int64(stmt, 2);
    change->life.dispute_at = sqlite3_column_int64(stmt, 3);
    change->life.status = (enum gen_status)(sqlite3_column_int(stmt, 4) % GEN_STATUS_COUNT);
    change->life.payment = (enum gen_payment)(sqlite3_column_int(stmt, 5) % 4);
    change->life.transactions = sqlite3_column_int(stmt, 6) % 4;
    change->life.refund = (enum gen_refund)(sqlite3_column_int(stmt, 7) % 4);
    change->life.dispute = (enum gen_dispute)(sqlite3_column_int(stmt, 8) % 5);
    const char *json = sqlite3_column_blob(stmt, 9);
    change_set_json(change, json, (size_t)sqlite3_column_bytes(stmt, 9), (const char *)sqlite3_column_text(stmt, 10),
                    (const char *)sqlite3_column_text(stmt, 11));
}

static void load_user(sqlite3_stmt *stmt, struct db_users *users) {
    struct db_user *user = vec_add(users);
    user->id = column_text(stmt, 0);
    user->json = column_text(stmt, 1);
    user->key = column_text(stmt, 2);
    user->created_at = sqlite3_column_int64(stmt, 3);
}

enum err db_load(struct db *db, struct changes *changes, struct db_users *users, struct error *error) {
    sqlite3_stmt *stmt = NULL;
    enum err err = sandbox_db_prepare(db, "SELECT * FROM changes", &stmt, error);
    int step = SQLITE_DONE;
    while (err == ERR_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW)
        load_change(stmt, changes);
    if (step != SQLITE_DONE)
        err = sandbox_db_fault(db, error);
    (void)sqlite3_finalize(stmt);
    stmt = NULL;
    if (err == ERR_OK)
        err = sandbox_db_prepare(db, "SELECT id, json, key, created_at FROM users ORDER BY n", &stmt, error);
    while (err == ERR_OK && (step = sqlite3_step(stmt)) == SQLITE_ROW)
        load_user(stmt, users);
    if (err == ERR_OK && step != SQLITE_DONE)
        err = sandbox_db_fault(db, error);
    (void)sqlite3_finalize(stmt);
    return err;
}
