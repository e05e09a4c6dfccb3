#include "journal_own.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum err run_with(struct journal *journal, enum journal_sql sql, int64_t number,
                         const unsigned char dropped[DIGEST_LEN], struct error *error) {
    sqlite3_stmt *stmt = journal_stmt(journal, sql);
    sqlite3_bind_int64(stmt, 1, number);
    sqlite3_bind_blob(stmt, 2, dropped, DIGEST_LEN, SQLITE_TRANSIENT);
    return db_run(&journal->db, stmt, error);
}

static enum err purge_mark(struct journal *journal, uint32_t m, struct error *error) {
    struct journal_mark_row mark = {0};
    unsigned char dropped[DIGEST_LEN], content[DIGEST_LEN];
    bool there;
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_MARK);
    sqlite3_bind_int64(stmt, 1, m);
    enum err err = db_step(&journal->db, stmt, &there, error);
    if (err == ERR_OK && !(there && journal_read_mark(journal, stmt, &mark, content)))
        err = journal_damage(journal, error, "an outcome (mark %u) was altered or removed", m);
    bool holds = err == ERR_OK && (mark.message || mark.note) && !mark.seal.dropped.len;
    if (holds)
        journal_mark_content(journal, &mark, dropped, content);
    sqlite3_reset(stmt);
    return holds ? run_with(journal, JSQL_PURGE_MARK, m, dropped, error) : err;
}

/* False in *done: it was purged before. */
static enum err purge_write(struct journal *journal, int64_t n, bool *done, struct error *error) {
    struct journal_write_row row = {0};
    unsigned char dropped[DIGEST_LEN], content[DIGEST_LEN];
    bool there;
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_WRITE);
    sqlite3_bind_int64(stmt, 1, n);
    enum err err = db_step(&journal->db, stmt, &there, error);
    if (err == ERR_OK && !(there && journal_read_write(journal, stmt, &row, content)))
        err = journal_damage(journal, error, "record %lld was altered or removed", (long long)n);
    *done = err == ERR_OK && !row.seal.dropped.len;
    if (*done)
        journal_write_content(journal, &row, dropped, content);
    sqlite3_reset(stmt);
    return *done ? run_with(journal, JSQL_PURGE_WRITE, n, dropped, error) : err;
}

static enum err purge_one(struct journal *journal, int64_t n, int64_t *purged, struct error *error) {
    const struct known_record *known = known_record(&journal->known, n);
    bool done = false;
    enum err err = purge_write(journal, n, &done, error);
    for (uint32_t m = known ? known->last : 0; m && err == ERR_OK; m = journal->known.marks[m].before)
        err = purge_mark(journal, m, error);
    *purged += done;
    return err;
}

static enum err find_old(struct journal *journal, int64_t before, struct journal_numbers *out, struct error *error) {
    bool there = true;
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_WRITES_AFTER);
    sqlite3_bind_int64(stmt, 1, 0);
    enum err err = ERR_OK;
    while ((err = db_step(&journal->db, stmt, &there, error)) == ERR_OK && there) {
        const struct known_record *known = known_record(&journal->known, sqlite3_column_int64(stmt, 0));
        if (sqlite3_column_int64(stmt, 1) < before && known && known->outcome != JOURNAL_OUTCOME_SENDING &&
            known->outcome != JOURNAL_OUTCOME_UNKNOWN)
            *vec_add(out) = sqlite3_column_int64(stmt, 0);
    }
    sqlite3_reset(stmt);
    return err;
}

/* A purge is an entry of the chain itself: digests that are missing without one are damage. */
static enum err purge(struct journal *journal, int64_t before, int64_t now, int64_t *purged, struct error *error) {
    struct journal_numbers old = {0};
    char note[32];
    snprintf(note, sizeof note, "%" PRId64, before);
    enum err err = find_old(journal, before, &old, error);
    for (size_t i = 0; i < old.n && err == ERR_OK; i++)
        err = purge_one(journal, old.items[i], purged, error);
    if (err == ERR_OK && *purged > 0)
        err = journal_append_mark(journal, &(struct journal_mark_row){.at = now, .kind = MARK_PURGE, .note = note},
                                  error);
    free(old.items);
    return err;
}

enum err journal_purge(struct journal *journal, int64_t before, int64_t now, int64_t *purged, bool *log_left,
                       struct error *error) {
    *purged = 0;
    *log_left = false;
    if (before <= 0)
        return error_set(error, ERR_INVALID, "a date to purge before is needed");
    enum err err = journal_add_begin(journal, error);
    if (err == ERR_OK)
        err = journal_add_end(journal, purge(journal, before, now, purged, error), error);
    return err == ERR_OK ? db_truncate_log(&journal->db, log_left, error) : err;
}
