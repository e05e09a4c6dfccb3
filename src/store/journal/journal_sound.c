#include "journal_own.h"

#include "base/ascii.h"
#include "base/path.h"
#include "base/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Every sound row of a damaged file ---- */

typedef int64_t take_fn(struct journal *journal, sqlite3_stmt *stmt, int64_t before);

/* What is missing before an entry, or not as it was written, is noted; false: it is not to be taken. */
static bool is_sound(struct journal *journal, const char *const kinds[2], int64_t before, int64_t n, bool whole) {
    if (before > 0 && n > before + 1)
        journal_damage(journal, NULL, "%s %lld to %lld are gone", kinds[1], (long long)before + 1, (long long)n - 1);
    bool sound = n > 0 && n <= UINT32_MAX && whole;
    if (!sound)
        journal_damage(journal, NULL, "%s %lld was altered", kinds[0], (long long)n);
    return sound;
}

static int64_t journal_sound_take_write(struct journal *journal, sqlite3_stmt *stmt, int64_t before) {
    static const char *const KINDS[2] = {"record", "records"};
    struct journal_write_row row;
    struct journal_digest_at found;
    unsigned char content[DIGEST_LEN];
    int64_t n = sqlite3_column_int64(stmt, 0);
    if (!is_sound(journal, KINDS, before, n, journal_read_write(journal, stmt, &row, content)))
        return n;
    known_add_record(&journal->known, &(struct known_write){n, row.origin, row.profile, row.account});
    for (size_t at = 0; journal_next_digest(&row.digests, &at, &found);)
        if (found.kind != 'f')
            known_add_key(&journal->known, journal_key_of(found.digest), n, false);
    journal->tail.n++;
    return n;
}

static int64_t journal_sound_take_mark(struct journal *journal, sqlite3_stmt *stmt, int64_t before) {
    static const char *const KINDS[2] = {"the outcome in mark", "the outcomes in marks"};
    struct journal_mark_row row;
    unsigned char content[DIGEST_LEN];
    int64_t m = sqlite3_column_int64(stmt, 0);
    if (!is_sound(journal, KINDS, before, m, journal_read_mark(journal, stmt, &row, content)))
        return m;
    if (row.kind == MARK_OUTCOME && row.n > 0 && row.n < UINT32_MAX)
        known_add_mark(&journal->known, m, row.n, (unsigned)row.outcome, row.who != NULL);
    journal->tail.m++;
    return m;
}

/* From the bottom as far as it can be read, then from the top down to there. */
static void read_table(struct journal *journal, enum journal_sql after, enum journal_sql before, take_fn *take) {
    int64_t met = 0;
    bool row = true;
    sqlite3_stmt *stmt = journal_stmt(journal, after);
    sqlite3_bind_int64(stmt, 1, 0);
    enum err err = ERR_OK;
    while ((err = db_step(&journal->db, stmt, &row, NULL)) == ERR_OK && row)
        met = take(journal, stmt, met);
    sqlite3_reset(stmt);
    if (err == ERR_OK)
        return;
    journal_damage(journal, NULL, "a page of the file cannot be read");
    stmt = journal_stmt(journal, before);
    sqlite3_bind_int64(stmt, 1, INT64_MAX);
    while (db_step(&journal->db, stmt, &row, NULL) == ERR_OK && row && sqlite3_column_int64(stmt, 0) > met)
        (void)take(journal, stmt, 0);
    sqlite3_reset(stmt);
}

void journal_read_sound(struct journal *journal) {
    journal->reading = true;
    journal->tail = (struct journal_tail){0};
    read_table(journal, JSQL_WRITES_AFTER, JSQL_WRITES_BEFORE, journal_sound_take_write);
    read_table(journal, JSQL_MARKS_AFTER, JSQL_MARKS_BEFORE, journal_sound_take_mark);
}

/* ---- A handle that only reads ---- */

static bool journal_sound_try_open(struct db *db, const char *name, int flags) {
    struct sqlite3_stmt *stmt = NULL;
    *db = (struct db){.what = "journal"};
    bool ok =
        sqlite3_open_v2(name, &db->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | flags, NULL) == SQLITE_OK &&
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
        sqlite3_exec(db->handle, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db->handle, "SELECT seq FROM writes LIMIT 1", -1, &stmt, NULL) == SQLITE_OK;
    int rc = ok ? sqlite3_step(stmt) : SQLITE_ERROR;
    sqlite3_finalize(stmt);
    if (ok && (rc == SQLITE_ROW || rc == SQLITE_DONE || (rc & 0xff) == SQLITE_CORRUPT))
        return true;
    db_close(db, true);
    return false;
}

/* A log that cannot be opened beside it, as on a disk that takes no writing, is left out: what the file holds is read.
 */
static bool journal_sound_open_file(struct db *db, const char *path) {
    struct str name;
    str_init(&name, 3 * sizeof((struct journal_opening *)NULL)->path);
    str_add(&name, "file:");
    for (const char *p = path; *p; p++)
        if (ascii_is_word((unsigned char)*p) || strchr("/._-", *p))
            str_add_char(&name, *p);
        else
            str_addf(&name, "%%%02X", (unsigned char)*p);
    str_add(&name, "?immutable=1");
    bool ok = journal_sound_try_open(db, path, 0) || journal_sound_try_open(db, name.s, SQLITE_OPEN_URI);
    str_clear(&name);
    return ok;
}

struct journal *journal_open_sound(const char *path) {
    struct journal *journal = journal_new();
    journal->reading = true;
    if (access(path, R_OK) != 0 || !journal_sound_open_file(&journal->db, path)) {
        journal_close(journal);
        return NULL;
    }
    db_statements(&journal->db, journal_sql, JSQL_COUNT);
    journal_read_sound(journal);
    return journal;
}

struct journal *journal_open_reading(const char *folder, int64_t now, struct journal_opening *opening) {
    struct journal *journal = journal_open(folder, now, opening);
    if (!journal && opening->path[0] == '/')
        journal = journal_open_sound(opening->path);
    return journal;
}

/* ---- The whole of it ---- */

static int64_t confirmed_of(const char *path) {
    struct journal_head head = {0};
    struct journal_head_note note = {0};
    struct str name;
    str_init(&name, sizeof head.path);
    str_add_n(&name, path, strlen(path) - 2);
    str_add(&name, "head");
    bool sound = head_open(&head, name.s, true, &note, NULL) == HEAD_SOUND;
    head_close(&head);
    str_clear(&name);
    return sound ? note.seq : -1;
}

static void look_sound(struct journal_health *health) {
    struct journal *journal = journal_open_sound(health->opening.path);
    if (!journal)
        return;
    health->records = journal->tail.n;
    health->entries = journal->tail.n + journal->tail.m;
    if (journal->n_faults > 0)
        health->n_faults = journal->n_faults;
    str_add(&health->faults, journal->faults.s);
    journal_close(journal);
}

static enum err look_whole(struct journal *journal, struct journal_health *health) {
    char *problem = NULL;
    struct error error = {0};
    enum err err = journal_check_whole(journal, &error);
    if (err == ERR_OK)
        err = db_integrity(&journal->db, false, &problem, &error);
    if (err == ERR_OK && problem)
        err = journal_damage(journal, &error, "%s", problem);
    free(problem);
    health->records = journal->tail.n;
    health->entries = journal->tail.seq;
    if (err != ERR_OK) {
        health->opening.state = journal->db.damaged ? JOURNAL_DAMAGED : JOURNAL_UNUSABLE;
        health->opening.error = error;
        health->n_faults = 1;
    }
    return err;
}

enum err journal_verify(const char *folder, int64_t now, struct journal_health *health, struct error *error) {
    *health = (struct journal_health){.confirmed = -1};
    str_init(&health->faults, 4 * 4096);
    struct journal *journal = journal_open(folder, now, &health->opening);
    enum err err = journal ? look_whole(journal, health) : ERR_STORE;
    journal_close(journal);
    if (health->opening.path[0])
        health->confirmed = confirmed_of(health->opening.path);
    if (err == ERR_OK)
        return ERR_OK;
    health->n_faults = 1;
    if (health->opening.path[0] == '/')
        look_sound(health);
    return error_set(error, health->opening.state == JOURNAL_DAMAGED ? ERR_CHECK_FAILED : ERR_STORE, "%s",
                     health->opening.error.text);
}

void journal_health_clear(struct journal_health *health) {
    str_clear(&health->faults);
}
