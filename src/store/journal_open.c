#include "files.h"
#include "journal_own.h"
#include "owner.h"
#include "schema.h"

#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const journal_sql[JSQL_COUNT] = {
#define X(code, text) (text),
    JOURNAL_SQL_TABLE(X)
#undef X
};

static const char *const TABLES[] = {
    ("CREATE TABLE writes(n INTEGER PRIMARY KEY, at INTEGER, who TEXT, profile TEXT, origin TEXT, environment TEXT,"
     " operation TEXT, owner TEXT, idempotency TEXT, draft TEXT, import TEXT, line INTEGER, repeats INTEGER, url TEXT,"
     " fingerprint TEXT, account TEXT, digest INTEGER)"),
    ("CREATE TABLE marks(m INTEGER PRIMARY KEY, n INTEGER, at INTEGER, outcome INTEGER, status INTEGER,"
     " response_id TEXT, message TEXT, who TEXT, note TEXT, digest INTEGER)"),
    "CREATE TABLE digests(n INTEGER, kind TEXT, name TEXT, digest BLOB, PRIMARY KEY(n, kind, name)) WITHOUT ROWID",
    "CREATE INDEX marks_by_write ON marks(n, m)",
    "CREATE INDEX digests_by_value ON digests(digest)",
    "CREATE INDEX writes_by_draft ON writes(draft)",
    "CREATE INDEX writes_by_import ON writes(import)",
};

static const struct schema SCHEMA = {
    .texts = TABLES,
    .n = COUNT_OF(TABLES),
    .application = JOURNAL_APPLICATION,
    .version = JOURNAL_SCHEMA,
};

enum { PATH_BYTES = 4000 };
static const char KEY_KIND[] = "key";

const char *journal_state_name(enum journal_state state) {
    static const char *const names[] = {
#define X(code, name) name,
        JOURNAL_STATE_TABLE(X)
#undef X
    };
    return (size_t)state < COUNT_OF(names) ? names[state] : "unusable";
}

static enum journal_state state_of(const struct db *db) {
    int plain = db->rc & 0xff;
    return db->damaged                                        ? JOURNAL_DAMAGED
           : db->full                                         ? JOURNAL_DISK_FULL
           : plain == SQLITE_READONLY || plain == SQLITE_PERM ? JOURNAL_READ_ONLY
           : plain == SQLITE_PROTOCOL || plain == SQLITE_BUSY || db->rc == SQLITE_IOERR_LOCK ||
                   db->rc == SQLITE_IOERR_RDLOCK || db->rc == SQLITE_IOERR_CHECKRESERVEDLOCK
               ? JOURNAL_LOCK_REFUSED
               : JOURNAL_UNUSABLE;
}

static enum err configure(struct db *db, struct error *error) {
    return db_exec(db,
                   "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL;"
                   "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA journal_size_limit = 1048576",
                   error);
}

/* The tables are made under another name and the finished file gets its own: an empty journal.db is never one of ours
 * in the making, but one that was emptied. */
static enum journal_state make_tables(const char *path, struct error *error) {
    int fd;
    if (path_create_new(path, &fd, error) != ERR_OK)
        return JOURNAL_UNUSABLE;
    close(fd);
    struct db db;
    enum schema_state schema = SCHEMA_OTHER;
    bool ok = db_open(&db, path, "journal", error) == ERR_OK && configure(&db, error) == ERR_OK &&
              schema_ready(&db, &SCHEMA, &schema, error) == ERR_OK;
    enum journal_state state = ok ? JOURNAL_OK : state_of(&db);
    db_close(&db, false);
    return state;
}

static enum journal_state make_file(const char *path, const char *folder, struct error *error) {
    struct str temp;
    str_init(&temp, PATH_BYTES + 64);
    str_addf(&temp, "%s.new-", path);
    secret_random_hex(&temp, 8);
    enum journal_state state = make_tables(temp.s, error);
    if (state == JOURNAL_OK && !files_publish(temp.s, path))
        state = JOURNAL_UNUSABLE;
    if (state != JOURNAL_OK) {
        error_set(error, ERR_STORE, "%s: cannot be made", path);
        if (state == JOURNAL_UNUSABLE && access(folder, W_OK) != 0)
            state = JOURNAL_READ_ONLY;
    }
    files_remove(temp.s);
    str_clear(&temp);
    return state;
}

static enum journal_state find_file(const char *path, const char *folder, struct error *error) {
    struct file_look look;
    files_look(path, &look);
    if (look.state == FILE_ABSENT) {
        enum journal_state state = make_file(path, folder, error);
        if (state != JOURNAL_OK)
            return state;
        files_look(path, &look);
    }
    if (look.state == FILE_UNSAFE)
        error_set(error, ERR_STORE, "%s: not a plain file of this user with one name", path);
    return look.state == FILE_THERE ? JOURNAL_OK : look.state == FILE_UNSAFE ? JOURNAL_UNSAFE : JOURNAL_UNUSABLE;
}

static enum journal_state of_schema(enum schema_state state) {
    return state == SCHEMA_OURS ? JOURNAL_OK : state == SCHEMA_NEWER ? JOURNAL_NEWER : JOURNAL_DAMAGED;
}

static enum err quick_check(struct db *db, bool *sound, struct error *error) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db->handle, "PRAGMA quick_check(1)", -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    *sound = rc == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(stmt, 0), "ok") == 0;
    sqlite3_finalize(stmt);
    return rc == SQLITE_ROW ? ERR_OK : db_fail(db, rc, error);
}

/* WAL where the file system carries it, else the plain rollback journal: both are synced in full. */
static enum journal_state open_database(struct journal *journal, const char *path, struct error *error) {
    struct db *db = &journal->db;
    enum schema_state state = SCHEMA_OTHER;
    bool sound = false, wal;
    if (db_open(db, path, "journal", error) != ERR_OK || schema_peek(db, &SCHEMA, &state, error) != ERR_OK)
        return state_of(db);
    if (of_schema(state) != JOURNAL_OK)
        return of_schema(state);
    if (sqlite3_db_readonly(db->handle, "main") == 1)
        return JOURNAL_READ_ONLY;
    if (configure(db, error) != ERR_OK || schema_look(db, &SCHEMA, &state, error) != ERR_OK)
        return state_of(db);
    if (of_schema(state) != JOURNAL_OK)
        return of_schema(state);
    if (quick_check(db, &sound, error) != ERR_OK)
        return state_of(db);
    if (!sound)
        return JOURNAL_DAMAGED;
    if (schema_use_wal(db, &wal, NULL) != ERR_OK && db->damaged)
        return JOURNAL_DAMAGED;
    db_statements(db, journal_sql, JSQL_COUNT);
    return JOURNAL_OK;
}

static enum journal_state find_folder(const char *folder, struct str *out, struct error *error) {
    if (folder)
        str_add(out, folder);
    else if (path_home(PATH_STATE, NULL, out, error) != ERR_OK)
        return JOURNAL_NO_FOLDER;
    if (path_make_private(out->s, error) == ERR_OK)
        return JOURNAL_OK;
    return access(out->s, F_OK) == 0 ? JOURNAL_UNSAFE : JOURNAL_NO_FOLDER;
}

/* The reason stays in the error, what to do comes with it. */
static void advise(struct journal_opening *opening) {
    static const char *const advice[JOURNAL_STATE_COUNT] = {
        [JOURNAL_DAMAGED] = "is damaged and is never replaced; nothing is sent until you repair it or move it away",
        [JOURNAL_NEWER] = "was written by a newer version of this program; nothing is sent with this one",
        [JOURNAL_READ_ONLY] = "cannot be written; nothing is sent without a record of it",
        [JOURNAL_DISK_FULL] = "cannot be written, the disk is full; nothing is sent without a record of it",
        [JOURNAL_LOCK_REFUSED] = "cannot be locked on this file system; set XDG_STATE_HOME to a local folder",
    };
    if (!advice[opening->state])
        return;
    error_clear(&opening->error);
    error_set(&opening->error, ERR_STORE, "%s %s", opening->path, advice[opening->state]);
}

/* Number 0 is no record: its digest tells which key those of the records were made with, whoever made a new one since.
 */
static enum err note_key(struct journal *journal, struct error *error) {
    unsigned char digest[DIGEST_LEN];
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_PURGE_DIGESTS);
    sqlite3_bind_int64(stmt, 1, 0);
    enum err err = db_run(&journal->db, stmt, error);
    if (err != ERR_OK)
        return err;
    journal_digest(journal, KEY_KIND, "", "", 0, digest);
    stmt = journal_stmt(journal, JSQL_DIGEST_ADD);
    sqlite3_bind_int64(stmt, 1, 0);
    journal_bind(stmt, 2, KEY_KIND);
    journal_bind(stmt, 3, "");
    sqlite3_bind_blob(stmt, 4, digest, DIGEST_LEN, SQLITE_STATIC);
    return db_run(&journal->db, stmt, error);
}

static enum err check_key(struct journal *journal, bool made, struct journal_opening *opening) {
    unsigned char digest[DIGEST_LEN];
    bool there, same;
    int64_t last = 0;
    journal_digest(journal, KEY_KIND, "", "", 0, digest);
    enum err err = journal_digest_is(journal, 0, KEY_KIND, "", digest, &there, &same, &opening->error);
    if (err != ERR_OK || same)
        return err;
    err = db_begin(&journal->db, &opening->error);
    if (err != ERR_OK)
        return err;
    err = journal_digest_is(journal, 0, KEY_KIND, "", digest, &there, &same, &opening->error);
    if (err == ERR_OK)
        err = journal_number(journal, JSQL_WRITE_LAST, &last, &opening->error);
    if (err == ERR_OK && !same)
        err = note_key(journal, &opening->error);
    err = db_end(&journal->db, err, &opening->error);
    opening->key_is_new = err == ERR_OK && !same && last > 0 && (there || made);
    return err;
}

static enum journal_state load_key(struct journal *journal, const char *folder, struct journal_opening *opening) {
    bool made;
    if (machine_key_load(folder, &journal->key, &made, &opening->error) != ERR_OK)
        return JOURNAL_NO_KEY;
    return check_key(journal, made, opening) == ERR_OK ? JOURNAL_OK : state_of(&journal->db);
}

static enum journal_state open_in(struct journal *journal, const char *folder, int64_t now,
                                  struct journal_opening *opening) {
    enum journal_state state = find_file(opening->path, folder, &opening->error);
    if (state == JOURNAL_OK)
        state = open_database(journal, opening->path, &opening->error);
    if (state == JOURNAL_OK)
        state = load_key(journal, folder, opening);
    if (state == JOURNAL_OK && journal_sweep(journal, now, &opening->swept, &opening->error) != ERR_OK)
        state = state_of(&journal->db);
    return state;
}

struct journal *journal_open(const char *folder, int64_t now, struct journal_opening *opening) {
    *opening = (struct journal_opening){0};
    struct str place;
    str_init(&place, PATH_BYTES);
    struct journal *journal = mem_new(sizeof *journal);
    str_init(&journal->owner, JOURNAL_TEXT_MAX);
    str_init(&journal->scratch, (size_t)JOURNAL_TEXT_MAX * 64);
    owner_self(&journal->owner);
    opening->state = find_folder(folder, &place, &opening->error);
    snprintf(opening->path, sizeof opening->path, "%s/journal.db", place.s);
    if (opening->state == JOURNAL_OK)
        opening->state = open_in(journal, place.s, now, opening);
    str_clear(&place);
    if (opening->state == JOURNAL_OK)
        return journal;
    advise(opening);
    /* Left exactly as it was found. */
    db_close(&journal->db, true);
    journal_close(journal);
    return NULL;
}

void journal_close(struct journal *journal) {
    if (!journal)
        return;
    while (journal->pending.n > 0)
        journal_pending_drop(journal, journal->pending.items[0].n);
    free(journal->pending.items);
    db_close(&journal->db, false);
    secret_wipe(&journal->key, sizeof journal->key);
    secret_wipe(journal->scratch.s, journal->scratch.len);
    str_clear(&journal->scratch);
    str_clear(&journal->owner);
    free(journal);
}
