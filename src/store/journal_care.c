#include "journal_own.h"

#include <stdlib.h>
#include <string.h>

static enum err purge_marks(struct journal *journal, int64_t n, struct error *error) {
    struct {
        struct mark_digest {
            int64_t m, digest;
        } * items;
        size_t n, cap;
    } marks = {0};
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_MARKS);
    sqlite3_bind_int64(stmt, 1, n);
    enum err err = ERR_OK;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&journal->db, stmt, &row, error);
        struct journal_mark_row mark;
        if (!row || !journal_read_mark(journal, stmt, 0, &mark))
            break;
        mark.message = mark.note = NULL;
        *vec_add(&marks) = (struct mark_digest){mark.m, journal_mark_digest(journal, &mark)};
    }
    sqlite3_reset(stmt);
    for (size_t i = 0; i < marks.n && err == ERR_OK; i++) {
        stmt = journal_stmt(journal, JSQL_PURGE_MARK);
        sqlite3_bind_int64(stmt, 1, marks.items[i].m);
        sqlite3_bind_int64(stmt, 2, marks.items[i].digest);
        err = db_run(&journal->db, stmt, error);
    }
    free(marks.items);
    return err;
}

static enum err purge_one(struct journal *journal, const struct journal_record *record, struct error *error) {
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_PURGE_DIGESTS);
    sqlite3_bind_int64(stmt, 1, record->n);
    enum err err = db_run(&journal->db, stmt, error);
    if (err != ERR_OK)
        return err;
    const struct journal_write_row row = {
        .n = record->n,
        .at = record->at,
        .who = record->who,
        .profile = record->profile,
        .origin = record->origin,
        .environment = record->environment,
        .operation = record->operation,
        .owner = "",
        .line = record->line,
        .repeats = record->repeats,
        .url = record->url,
        .fingerprint = record->fingerprint,
        .account = record->account,
    };
    int64_t digest = journal_write_digest(journal, &row);
    stmt = journal_stmt(journal, JSQL_PURGE_WRITE);
    sqlite3_bind_int64(stmt, 1, record->n);
    sqlite3_bind_int64(stmt, 2, digest);
    err = db_run(&journal->db, stmt, error);
    return err == ERR_OK ? purge_marks(journal, record->n, error) : err;
}

static enum err purge(struct journal *journal, int64_t before, int64_t *purged, struct error *error) {
    struct journal_records records;
    journal_records_init(&records);
    struct journal_filter filter = JOURNAL_ANY;
    filter.until = before;
    enum err err = journal_list(journal, &filter, &records, error);
    for (size_t i = 0; i < records.n && err == ERR_OK; i++) {
        enum journal_outcome outcome = records.items[i].last.outcome;
        if (outcome == JOURNAL_OUTCOME_SENDING || outcome == JOURNAL_OUTCOME_UNKNOWN)
            continue;
        err = purge_one(journal, &records.items[i], error);
        ++*purged;
    }
    journal_records_clear(&records);
    return err;
}

enum err journal_purge(struct journal *journal, int64_t before, int64_t *purged, bool *log_left, struct error *error) {
    *purged = 0;
    *log_left = false;
    if (before <= 0)
        return error_set(error, ERR_INVALID, "a date to purge before is needed");
    enum err err = db_begin(&journal->db, error);
    if (err == ERR_OK)
        err = db_end(&journal->db, purge(journal, before, purged, error), error);
    return err == ERR_OK ? db_truncate_log(&journal->db, log_left, error) : err;
}

enum err journal_verify(struct journal *journal, int64_t *records, struct error *error) {
    char *problem;
    *records = 0;
    enum err err = db_integrity(&journal->db, &problem, error);
    if (err == ERR_OK && problem)
        err = error_set(error, ERR_WANTING, "journal: %s", problem);
    free(problem);
    if (err != ERR_OK)
        return err;
    struct journal_records all;
    journal_records_init(&all);
    err = journal_list(journal, &JOURNAL_ANY, &all, error);
    for (size_t i = 0; i < all.n && err == ERR_OK; i++) {
        struct journal_records one;
        journal_records_init(&one);
        err = journal_get(journal, all.items[i].n, &one, error);
        journal_records_clear(&one);
    }
    *records = (int64_t)all.n;
    journal_records_clear(&all);
    return err == ERR_STORE && journal->db.damaged ? ERR_WANTING : err;
}
