#include "db.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUSY_MS = 10000, BRIEF_MS = 800, REFUSED_MS = 60000, HEADER_BYTES = 100 };

static enum err open_with(struct db *db, const char *path, const char *what, int flags, struct error *error) {
    *db = (struct db){.what = what};
    int rc = sqlite3_open_v2(path, &db->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc != SQLITE_OK)
        return db_fail(db, rc, error);
    sqlite3_extended_result_codes(db->handle, 1);
    sqlite3_busy_timeout(db->handle, BUSY_MS);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    return ERR_OK;
}

enum err db_open(struct db *db, const char *path, const char *what, struct error *error) {
    return open_with(db, path, what, SQLITE_OPEN_READWRITE, error);
}

enum err db_open_reading(struct db *db, const char *path, const char *what, bool immutable, struct error *error) {
    struct str uri;
    str_init(&uri, 16384);
    str_add(&uri, "file:");
    for (const char *s = path; *s; s++)
        str_addf(&uri, strchr("%?#", *s) ? "%%%02X" : "%c", (unsigned char)*s);
    str_add(&uri, immutable ? "?mode=ro&immutable=1" : "?mode=ro");
    enum err err = open_with(db, uri.s, what, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
    str_clear(&uri);
    return err;
}

void db_be_brief(struct db *db) {
    db->brief = true;
    sqlite3_busy_timeout(db->handle, BRIEF_MS);
}

/* A wait that was in vain is not repeated at its length for each page or record. */
static void note_busy(struct db *db, bool refused) {
    if (db->refused != refused) {
        db->refused = refused;
        sqlite3_busy_timeout(db->handle, !refused ? (db->brief ? BRIEF_MS : BUSY_MS) : db->brief ? 0 : BRIEF_MS);
    }
}

/* SQLite gives up after ten seconds where locks of the log cannot be had, as on a file system that loses them. Then
 * each statement would take those ten seconds, and a command with several of them would seem to hang. */
static bool locks_fail(const struct db *db) {
    return db->locks_fail_until > 0 && sqlite3_get_autocommit(db->handle) != 0 && clock_mono() < db->locks_fail_until;
}

static uint32_t store_db_big_endian(const unsigned char *b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

enum err db_header(struct db *db, struct db_header *out, struct error *error) {
    *out = (struct db_header){0};
    sqlite3_file *file = NULL;
    sqlite3_int64 size = 0;
    int rc = sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (rc == SQLITE_OK)
        rc = file && file->pMethods ? file->pMethods->xFileSize(file, &size) : SQLITE_CANTOPEN;
    unsigned char head[HEADER_BYTES] = {0};
    if (rc == SQLITE_OK && size > 0)
        rc = file->pMethods->xRead(file, head, size < HEADER_BYTES ? (int)size : HEADER_BYTES, 0);
    if (rc != SQLITE_OK)
        return db_fail(db, rc, error);
    out->size = size;
    out->is_database = size >= HEADER_BYTES && memcmp(head, "SQLite format 3", 16) == 0;
    if (out->is_database) {
        out->version = store_db_big_endian(head + 60);
        out->identity = store_db_big_endian(head + 68);
    }
    return ERR_OK;
}

void db_statements(struct db *db, const char *const *sql, size_t n) {
    db->sql = sql;
    db->n_sql = n;
    db->slots = mem_new_array(n, sizeof *db->slots);
}

void db_close(struct db *db, bool keep) {
    for (size_t i = 0; i < db->n_sql; i++)
        sqlite3_finalize(db->slots[i].stmt);
    free(db->slots);
    if (db->handle && (keep || db->damaged || db->moved))
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_close(db->handle);
    *db = (struct db){0};
}

/* A quota or a limit of the file's size appears as a failed write, without its reason (measured: 778). What SQLite
 * calls a fault of the log's index, which is made at its full size at once, may be one too (measured: 4618, 4874). */
static bool is_full(int rc, int why) {
    bool no_room = why == ENOSPC || why == EDQUOT || why == EFBIG;
    return (rc & 0xff) == SQLITE_FULL || rc == SQLITE_IOERR_WRITE || rc == SQLITE_IOERR_SHMSIZE ||
           ((rc & 0xff) == SQLITE_IOERR && no_room);
}

static const char *store_db_reason_of(int rc) {
    static const struct {
        int rc;
        const char *text;
    } reasons[] = {
        {SQLITE_IOERR_WRITE, "no space left on the disk, or it failed"},
        {SQLITE_FULL, "no space left on the disk"},
        {SQLITE_CORRUPT, "the file is damaged"},
        {SQLITE_NOTADB, "the file is damaged"},
        {SQLITE_READONLY, "the file or its folder is read-only"},
        {SQLITE_CANTOPEN, "the file cannot be opened"},
        {SQLITE_PERM, "the file cannot be opened"},
        {SQLITE_PROTOCOL, "the file system refuses to lock it"},
        {SQLITE_TOOBIG, "a value is too large"},
    };
    for (size_t i = 0; i < COUNT_OF(reasons); i++)
        if (reasons[i].rc == rc || reasons[i].rc == (rc & 0xff))
            return reasons[i].text;
    return NULL;
}

/* Names the program that holds the lock, since the operator can do something about that. */
static enum err fail_held(const struct db *db, struct error *error) {
    char name[64] = "";
    const char *path = db->handle ? sqlite3_db_filename(db->handle, "main") : NULL;
    long pid = path && *path ? files_holder(path, name, sizeof name) : 0;
    return pid ? error_set(error, ERR_STORE, "%s: process %ld%s%s%s holds it locked", db->what, pid, *name ? " (" : "",
                           name, *name ? ")" : "")
               : error_set(error, ERR_STORE, "%s: another program holds it locked", db->what);
}

enum err db_fail(struct db *db, int rc, struct error *error) {
    int plain = rc & 0xff;
    if (plain == SQLITE_CORRUPT || plain == SQLITE_NOTADB)
        db->damaged = true;
    db->rc = rc;
    db->errno_then = db->handle ? sqlite3_system_errno(db->handle) : 0;
    db->full = is_full(rc, db->errno_then);
    if (plain == SQLITE_BUSY)
        note_busy(db, true);
    if (plain == SQLITE_PROTOCOL && !locks_fail(db))
        db->locks_fail_until = clock_mono() + REFUSED_MS;
    if (plain == SQLITE_BUSY || plain == SQLITE_LOCKED)
        return fail_held(db, error);
    const char *reason = store_db_reason_of(db->full && rc != SQLITE_IOERR_WRITE ? SQLITE_FULL : rc);
    if (!reason && db->errno_then)
        return error_set(error, ERR_STORE, "%s: the file cannot be read or written: %s (%d)", db->what,
                         strerrordesc_np(db->errno_then), rc);
    bool opens = plain == SQLITE_CANTOPEN || plain == SQLITE_PERM;
    if (opens && db->errno_then)
        return error_set(error, ERR_STORE, "%s: %s: %s", db->what, reason, strerrordesc_np(db->errno_then));
    return reason ? error_set(error, ERR_STORE, "%s: %s", db->what, reason)
                  : error_set(error, ERR_STORE, "%s: the file cannot be read or written (%d)", db->what, rc);
}

enum err db_exec(struct db *db, const char *sql, struct error *error) {
    int rc = locks_fail(db) ? SQLITE_PROTOCOL : sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? ERR_OK : db_fail(db, rc, error);
}

enum err db_int(struct db *db, const char *sql, int64_t *out, struct error *error) {
    sqlite3_stmt *stmt = NULL;
    int rc = locks_fail(db) ? SQLITE_PROTOCOL : sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        *out = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? ERR_OK : db_fail(db, rc, error);
}

sqlite3_stmt *db_stmt(struct db *db, size_t index) {
    sqlite3_stmt **stmt = &db->slots[index].stmt;
    if (!*stmt &&
        sqlite3_prepare_v3(db->handle, db->sql[index], -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_reset(*stmt);
    return *stmt;
}

enum err db_step(struct db *db, sqlite3_stmt *stmt, bool *row, struct error *error) {
    int rc = !stmt                                        ? sqlite3_extended_errcode(db->handle)
             : locks_fail(db) && !sqlite3_stmt_busy(stmt) ? SQLITE_PROTOCOL
                                                          : sqlite3_step(stmt);
    *row = rc == SQLITE_ROW;
    if (rc == SQLITE_ROW)
        return ERR_OK;
    enum err err = rc == SQLITE_DONE ? ERR_OK : db_fail(db, rc, error);
    sqlite3_reset(stmt);
    return err;
}

enum err db_run(struct db *db, sqlite3_stmt *stmt, struct error *error) {
    bool row = true;
    enum err err = ERR_OK;
    while (err == ERR_OK && row)
        err = db_step(db, stmt, &row, error);
    return err;
}

enum err db_check_place(struct db *db, struct error *error) {
    int moved = 0;
    if (db->moved ||
        (sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0)) {
        db->moved = true;
        return error_set(error, ERR_STORE, "%s: the file was replaced; it has to be opened again", db->what);
    }
    return ERR_OK;
}

enum err db_begin(struct db *db, struct error *error) {
    enum err err = db_check_place(db, error);
    if (err == ERR_OK)
        err = db_exec(db, "BEGIN IMMEDIATE", error);
    if (err == ERR_OK)
        note_busy(db, false);
    return err;
}

enum err db_begin_reading(struct db *db, struct error *error) {
    return db_exec(db, "BEGIN", error);
}

enum err db_end(struct db *db, enum err err, struct error *error) {
    if (err == ERR_OK)
        err = db_exec(db, "COMMIT", error);
    /* Some failures have rolled back by themselves already. */
    if (err != ERR_OK && sqlite3_get_autocommit(db->handle) == 0)
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return err;
}

enum err db_truncate_log(struct db *db, bool *left, struct error *error) {
    int rc = sqlite3_wal_checkpoint_v2(db->handle, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    *left = (rc & 0xff) == SQLITE_BUSY;
    return rc == SQLITE_OK || *left ? ERR_OK : db_fail(db, rc, error);
}

enum err db_integrity(struct db *db, bool quick, char **problem, struct error *error) {
    static const char *const CHECKS[] = {"PRAGMA integrity_check(1)", "PRAGMA quick_check(1)"};
    sqlite3_stmt *stmt = NULL;
    *problem = NULL;
    int rc = sqlite3_prepare_v2(db->handle, CHECKS[quick], -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    const char *text = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
    if (text && strcmp(text, "ok") != 0)
        *problem = mem_dup(text);
    sqlite3_finalize(stmt);
    if (rc != SQLITE_ROW && (rc & 0xff) != SQLITE_CORRUPT && (rc & 0xff) != SQLITE_NOTADB)
        return db_fail(db, rc, error);
    if (rc != SQLITE_ROW)
        *problem = mem_dup("the file cannot be read through");
    db->damaged = db->damaged || *problem;
    return ERR_OK;
}
