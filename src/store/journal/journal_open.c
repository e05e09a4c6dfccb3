#include "journal_own.h"
#include "journal_reason.h"
#include "store/files.h"
#include "store/schema.h"

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

/* seq and link may not be NULL: a program of version 1 that still runs can add nothing. */
static const char *const TABLES[] = {
    ("CREATE TABLE writes(n INTEGER PRIMARY KEY, at INTEGER, who TEXT, profile TEXT, origin TEXT, environment TEXT,"
     " operation TEXT, owner TEXT, idempotency TEXT, draft TEXT, import TEXT, line INTEGER, repeats INTEGER, url TEXT,"
     " fingerprint TEXT, account TEXT, digests BLOB, salt BLOB, dropped BLOB, digest INTEGER,"
     " seq INTEGER NOT NULL, link BLOB NOT NULL)"),
    ("CREATE TABLE marks(m INTEGER PRIMARY KEY, n INTEGER, at INTEGER, kind INTEGER, outcome INTEGER, status INTEGER,"
     " response_id TEXT, message TEXT, who TEXT, note TEXT, salt BLOB, dropped BLOB, digest INTEGER,"
     " seq INTEGER NOT NULL, link BLOB NOT NULL)"),
};

const struct schema journal_schema = {
    .texts = TABLES,
    .n = COUNT_OF(TABLES),
    .application = JOURNAL_APPLICATION,
    .version = JOURNAL_SCHEMA,
};

/* BUSY_MS: other consoles hold the lock for one commit at a time. WHOLE_AT_ONCE: records of a file that is checked
 * whole before an opening returns. */
enum { PATH_BYTES = 4000, BUSY_MS = 4000, WHOLE_AT_ONCE = 2000, FAULTS_BYTES = 4096 };
static const char KEY_KIND[] = "key";

static enum err configure(struct db *db, struct error *error) {
    if (!db->handle)
        return ERR_STORE;
    sqlite3_busy_timeout(db->handle, BUSY_MS);
    return db_exec(db,
                   "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL;"
                   "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA journal_size_limit = 1048576",
                   error);
}

/* ---- Making it ---- */

/* The tables are made under another name and the finished file gets its own: an empty journal.db is never one of ours
 * in the making, but one that was emptied. */
static enum journal_state make_tables(const char *path, struct error *error) {
    int fd;
    if (path_create_new(path, &fd, error) != ERR_OK)
        return journal_state_of_errno(errno);
    close(fd);
    struct db db;
    enum schema_state schema = SCHEMA_OTHER;
    bool ok = db_open(&db, path, "journal", error) == ERR_OK && configure(&db, error) == ERR_OK &&
              schema_ready(&db, &journal_schema, &schema, error) == ERR_OK;
    enum journal_state state = ok ? JOURNAL_OK : journal_state_of(&db);
    db_close(&db, false);
    return state;
}

static enum journal_state journal_open_make_file(const char *path, struct error *error) {
    struct str temp;
    str_init(&temp, PATH_BYTES + 64);
    str_addf(&temp, "%s.new-", path);
    secret_random_hex(&temp, 8);
    enum journal_state state = make_tables(temp.s, error);
    if (state == JOURNAL_OK && !files_publish(temp.s, path)) {
        state = journal_state_of_errno(errno);
        error_set(error, ERR_STORE, "%s: cannot be made: %s", path, strerrordesc_np(errno));
    }
    files_remove(temp.s);
    str_clear(&temp);
    return state;
}

static enum journal_state of_head(struct journal *journal, enum head_state head) {
    if (head == HEAD_DAMAGED)
        journal_damage(journal, NULL, "journal.head beside it cannot be read as what it was");
    return head == HEAD_SOUND || head == HEAD_ABSENT ? JOURNAL_OK
           : head == HEAD_DAMAGED                    ? JOURNAL_DAMAGED
           : head == HEAD_UNSAFE                     ? JOURNAL_UNSAFE
                                                     : JOURNAL_UNUSABLE;
}

/* A journal that is not there is begun, unless its head says that there was one. */
static enum journal_state begin_file(struct journal *journal, const char *path, const char *head_path,
                                     struct error *error) {
    struct journal_head head = {0};
    struct journal_head_note note = {0};
    enum journal_state state = of_head(journal, head_open(&head, head_path, true, &note, error));
    head_close(&head);
    if (state != JOURNAL_OK)
        return state;
    if (note.seq > 0 && access(path, F_OK) != 0) {
        journal_damage(journal, error, "the file is gone, and %lld record%s with it", (long long)note.n,
                       plural_s(note.n));
        return JOURNAL_DAMAGED;
    }
    return journal_open_make_file(path, error);
}

static enum journal_state journal_open_find_file(struct journal *journal, const char *path, const char *head_path,
                                                 struct error *error) {
    struct file_look look;
    files_look(path, &look);
    if (look.state == FILE_ABSENT) {
        enum journal_state state = begin_file(journal, path, head_path, error);
        if (state != JOURNAL_OK)
            return state;
        files_look(path, &look);
    }
    if (look.state == FILE_UNSAFE)
        error_set(error, ERR_STORE, "%s: not a plain file of this user with one name", path);
    return look.state == FILE_THERE ? JOURNAL_OK : look.state == FILE_UNSAFE ? JOURNAL_UNSAFE : JOURNAL_UNUSABLE;
}

/* ---- Opening it ---- */

static enum journal_state of_schema(struct journal *journal, enum schema_state state) {
    if (state == SCHEMA_EMPTY)
        journal_damage(journal, NULL, "the file was emptied");
    else if (state == SCHEMA_OTHER)
        journal_damage(journal, NULL, "the file is not a journal, or its tables were changed");
    return state == SCHEMA_OURS ? JOURNAL_OK : state == SCHEMA_NEWER ? JOURNAL_NEWER : JOURNAL_DAMAGED;
}

static enum journal_state journal_open_failed(struct journal *journal) {
    return journal_state_of(&journal->db);
}

/* WAL where the file system carries it, else the plain rollback journal: both are synced in full. */
static enum journal_state open_database(struct journal *journal, const char *path, int64_t *version,
                                        struct error *error) {
    struct db *db = &journal->db;
    enum schema_state state = SCHEMA_OTHER;
    bool wal;
    if (db_open(db, path, "journal", error) != ERR_OK || schema_peek(db, &journal_schema, &state, error) != ERR_OK)
        return journal_open_failed(journal);
    if (state != SCHEMA_OURS)
        return of_schema(journal, state);
    if (sqlite3_db_readonly(db->handle, "main") == 1)
        return JOURNAL_READ_ONLY;
    if (configure(db, error) != ERR_OK || db_int(db, "PRAGMA user_version", version, error) != ERR_OK)
        return journal_open_failed(journal);
    if (*version == 1)
        return JOURNAL_OK;
    if (schema_look(db, &journal_schema, &state, error) != ERR_OK)
        return journal_open_failed(journal);
    if (state != SCHEMA_OURS)
        return of_schema(journal, state);
    if (schema_use_wal(db, &wal, NULL) != ERR_OK && db->damaged)
        return JOURNAL_DAMAGED;
    db_statements(db, journal_sql, JSQL_COUNT);
    return JOURNAL_OK;
}

/* The head is made before the first entry: without it a journal that holds any has lost it. */
static enum journal_state find_head(struct journal *journal, const char *path, int64_t version, struct error *error) {
    int64_t entries = 0;
    if (version > 1 && db_int(&journal->db, "SELECT EXISTS(SELECT 1 FROM writes) OR EXISTS(SELECT 1 FROM marks)",
                              &entries, error) != ERR_OK)
        return journal_open_failed(journal);
    enum head_state head = head_open(&journal->head, path, false, &journal->noted, error);
    if (head == HEAD_ABSENT && entries) {
        journal_damage(journal, NULL, "journal.head beside it is gone");
        return JOURNAL_DAMAGED;
    }
    if (head == HEAD_ABSENT && head_make(path, error) == ERR_OK)
        head = head_open(&journal->head, path, false, &journal->noted, error);
    return head == HEAD_ABSENT ? journal_state_of_errno(errno) : of_head(journal, head);
}

static enum journal_state journal_open_check_file(struct journal *journal, struct error *error) {
    enum err err = db_begin_reading(&journal->db, error);
    if (err == ERR_OK)
        err = db_end(&journal->db, journal_check_newest(journal, error), error);
    if (err == ERR_OK && journal->tail.n <= WHOLE_AT_ONCE)
        err = journal_check_whole(journal, error);
    return err == ERR_OK ? JOURNAL_OK : journal_open_failed(journal);
}

/* ---- Whose records they are ---- */

static void key_note(struct journal *journal, struct str *out) {
    unsigned char digest[DIGEST_LEN];
    journal_digest(journal, KEY_KIND, "", "", 0, digest);
    digest_hex(out, digest, sizeof digest);
}

/* Older than what was checked so far: for a long journal whose key never changed the first note tells as much, and the
 * check of the rest meets it in its place. */
static void find_key_note(struct journal *journal) {
    struct journal_mark_row row;
    unsigned char content[DIGEST_LEN];
    bool there = false;
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_MARK_KEY_FIRST);
    if (db_step(&journal->db, stmt, &there, NULL) == ERR_OK && there &&
        journal_read_mark(journal, stmt, &row, content) && row.kind == MARK_KEY && row.note)
        snprintf(journal->key_note, sizeof journal->key_note, "%s", row.note);
    sqlite3_reset(stmt);
}

/* Which key the records were made with, whoever made a new one since, is an entry of the chain. */
static enum err journal_open_check_key(struct journal *journal, int64_t now, bool made,
                                       struct journal_opening *opening) {
    struct str note;
    str_init(&note, sizeof journal->key_note);
    key_note(journal, &note);
    enum err err = ERR_OK;
    if (!journal->key_note[0] && !journal_is_checked(journal))
        find_key_note(journal);
    if (strcmp(journal->key_note, note.s) != 0)
        err = journal_add_begin(journal, &opening->error);
    else
        goto out;
    if (err != ERR_OK)
        goto out;
    bool there = journal->key_note[0] != '\0', same = strcmp(journal->key_note, note.s) == 0;
    bool records = journal->tail.n > 0;
    if (!same)
        err = journal_append_mark(journal, &(struct journal_mark_row){.at = now, .kind = MARK_KEY, .note = note.s},
                                  &opening->error);
    err = journal_add_end(journal, err, &opening->error);
    opening->key_is_new = err == ERR_OK && !same && records && (there || made);
out:
    str_clear(&note);
    return err;
}

static enum journal_state load_key(struct journal *journal, const char *folder, int64_t now,
                                   struct journal_opening *opening) {
    bool made;
    if (machine_key_load(folder, &journal->key, &made, &opening->error) != ERR_OK)
        return JOURNAL_NO_KEY;
    return journal_open_check_key(journal, now, made, opening) == ERR_OK ? JOURNAL_OK : journal_open_failed(journal);
}

static enum journal_state begin_life(struct journal *journal, int64_t now, struct journal_opening *opening) {
    const struct journal_head_note note = {.seq = journal->tail.seq, .n = journal->tail.n};
    struct journal_head_note copy = note;
    memcpy(copy.link, journal->tail.link, DIGEST_LEN);
    if (head_live(&journal->head, &journal->owner, &opening->error) != ERR_OK)
        return JOURNAL_LOCK_REFUSED;
    if (head_raise(&journal->head, &copy, &opening->error) != ERR_OK)
        return journal_state_of_errno(errno);
    return journal_sweep(journal, now, &opening->swept, &opening->error) == ERR_OK ? JOURNAL_OK
                                                                                   : journal_open_failed(journal);
}

static enum journal_state open_in(struct journal *journal, const char *folder, int64_t now,
                                  struct journal_opening *opening) {
    char head[sizeof opening->path];
    int64_t version = 0;
    snprintf(head, sizeof head, "%s/journal.head", folder);
    enum journal_state state = journal_open_find_file(journal, opening->path, head, &opening->error);
    if (state == JOURNAL_OK)
        state = open_database(journal, opening->path, &version, &opening->error);
    if (state == JOURNAL_OK)
        state = find_head(journal, head, version, &opening->error);
    if (state == JOURNAL_OK && version == 1) {
        state = journal_upgrade(journal, now, &opening->error) == ERR_OK ? JOURNAL_OK : journal_open_failed(journal);
        db_close(&journal->db, state != JOURNAL_OK);
        if (state == JOURNAL_OK)
            state = open_database(journal, opening->path, &version, &opening->error);
    }
    if (state == JOURNAL_OK)
        state = journal_open_check_file(journal, &opening->error);
    if (state == JOURNAL_OK)
        state = load_key(journal, folder, now, opening);
    if (state == JOURNAL_OK)
        state = begin_life(journal, now, opening);
    return state;
}

/* ---- Handles ---- */

struct journal *journal_new(void) {
    struct journal *journal = mem_new(sizeof *journal);
    str_init(&journal->owner, 64);
    str_init(&journal->scratch, (size_t)JOURNAL_TEXT_MAX * 64);
    str_init(&journal->faults, FAULTS_BYTES);
    known_init(&journal->known, JOURNAL_OUTCOME_COUNT);
    return journal;
}

static enum journal_state journal_open_find_folder(const char *folder, struct str *out, struct error *error) {
    if (folder)
        str_add(out, folder);
    else if (path_home(PATH_STATE, NULL, out, error) != ERR_OK)
        return JOURNAL_NO_FOLDER;
    if (path_make_private(out->s, error) == ERR_OK)
        return JOURNAL_OK;
    return access(out->s, F_OK) == 0 ? JOURNAL_UNSAFE : JOURNAL_NO_FOLDER;
}

struct journal *journal_open(const char *folder, int64_t now, struct journal_opening *opening) {
    *opening = (struct journal_opening){0};
    struct str place;
    str_init(&place, PATH_BYTES);
    struct journal *journal = journal_new();
    opening->state = journal_open_find_folder(folder, &place, &opening->error);
    snprintf(opening->path, sizeof opening->path, "%s/journal.db", place.s);
    if (opening->state == JOURNAL_OK)
        opening->state = open_in(journal, place.s, now, opening);
    if (opening->state != JOURNAL_OK)
        journal_explain(opening, place.s, &journal->db, journal->fault);
    str_clear(&place);
    if (opening->state == JOURNAL_OK)
        return journal;
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
    db_close(&journal->db, journal->reading);
    head_close(&journal->head);
    known_clear(&journal->known);
    secret_wipe(&journal->key, sizeof journal->key);
    secret_clear_str(&journal->scratch);
    str_clear(&journal->owner);
    str_clear(&journal->faults);
    free(journal);
}
