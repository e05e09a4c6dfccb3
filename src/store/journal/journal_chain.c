#include "journal_own.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SALT_BYTES = 16, STEP_ENTRIES = 20000 };

enum err journal_damage(struct journal *journal, struct error *error, const char *format, ...) {
    char text[sizeof journal->fault];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    journal->db.damaged = true;
    journal->n_faults++;
    if (!journal->fault[0])
        snprintf(journal->fault, sizeof journal->fault, "%s", text);
    str_addf(&journal->faults, "%s\n", text);
    return error_set(error, ERR_STORE, "journal: %s; nothing more is sent: bursar activity verify says what to do",
                     text);
}

/* ---- One entry ---- */

static enum err check_link(struct journal *journal, struct journal_tail *tail, const struct journal_seal *seal,
                           const unsigned char content[DIGEST_LEN], struct error *error) {
    unsigned char link[DIGEST_LEN];
    if (seal->seq != tail->seq + 1)
        return journal_damage(journal, error, "entry %lld is missing: entry %lld stands in its place",
                              (long long)tail->seq + 1, (long long)seal->seq);
    journal_next_link(tail->link, content, link);
    if (memcmp(link, seal->link.s, DIGEST_LEN) != 0)
        return journal_damage(journal, error, "the chain is broken at entry %lld", (long long)seal->seq);
    tail->seq++;
    memcpy(tail->link, link, DIGEST_LEN);
    if (tail->seq != journal->noted.seq)
        return ERR_OK;
    journal->noted_met = true;
    if (memcmp(link, journal->noted.link, DIGEST_LEN) != 0)
        return journal_damage(journal, error, "entry %lld is not the one that journal.head names",
                              (long long)tail->seq);
    return ERR_OK;
}

static void know_write(struct journal *journal, const struct journal_write_row *row, bool older) {
    struct journal_known *known = &journal->known;
    struct journal_digest_at found;
    known_add_record(known, &(struct known_write){row->n, row->origin, row->profile, row->account});
    for (size_t at = 0; journal_next_digest(&row->digests, &at, &found);)
        if (found.kind != 'f')
            known_add_key(known, journal_key_of(found.digest), row->n, older);
    if (row->draft)
        known_add_key(known, journal_draft_key(row->draft), row->n, older);
    if (row->seal.dropped.len && row->at > journal->purged_newest)
        journal->purged_newest = row->at;
}

static void know_mark(struct journal *journal, const struct journal_mark_row *row) {
    if (row->kind == MARK_OUTCOME)
        known_add_mark(&journal->known, row->m, row->n, (unsigned)row->outcome, row->who != NULL);
    else if (row->kind == MARK_KEY && row->note && row->m > journal->key_mark) {
        snprintf(journal->key_note, sizeof journal->key_note, "%s", row->note);
        journal->key_mark = row->m;
    }
    if (row->kind == MARK_PURGE && row->note && strtoll(row->note, NULL, 10) > journal->purged_before)
        journal->purged_before = strtoll(row->note, NULL, 10);
}

static enum err journal_chain_take_write(struct journal *journal, struct journal_tail *tail, sqlite3_stmt *stmt,
                                         bool older, struct error *error) {
    struct journal_write_row row;
    unsigned char content[DIGEST_LEN];
    if (!journal_read_write(journal, stmt, &row, content))
        return journal_damage(journal, error, "record %lld was altered", (long long)row.n);
    enum err err = row.n == tail->n + 1
                       ? check_link(journal, tail, &row.seal, content, error)
                       : journal_damage(journal, error, "record %lld is missing", (long long)tail->n + 1);
    if (err == ERR_OK) {
        tail->n++;
        know_write(journal, &row, older);
    }
    return err;
}

static enum err journal_chain_take_mark(struct journal *journal, struct journal_tail *tail, sqlite3_stmt *stmt,
                                        struct error *error) {
    struct journal_mark_row row;
    unsigned char content[DIGEST_LEN];
    if (!journal_read_mark(journal, stmt, &row, content))
        return journal_damage(journal, error, "an outcome of record %lld was altered", (long long)row.n);
    enum err err = row.m == tail->m + 1 && row.n <= tail->n
                       ? check_link(journal, tail, &row.seal, content, error)
                       : journal_damage(journal, error, "an outcome is missing before mark %lld", (long long)row.m);
    if (err == ERR_OK) {
        tail->m++;
        know_mark(journal, &row);
    }
    return err;
}

/* ---- A run of entries: two tables, merged by the number of the entry ---- */

struct run {
    sqlite3_stmt *writes, *marks;
    bool has_write, has_mark;
};

static const int WRITE_SEQ = 20, MARK_SEQ = 13;

static enum err run_start(struct journal *journal, const struct journal_tail *tail, struct run *run,
                          struct error *error) {
    run->writes = journal_stmt(journal, JSQL_WRITES_AFTER);
    run->marks = journal_stmt(journal, JSQL_MARKS_AFTER);
    sqlite3_bind_int64(run->writes, 1, tail->n);
    sqlite3_bind_int64(run->marks, 1, tail->m);
    enum err err = db_step(&journal->db, run->writes, &run->has_write, error);
    return err == ERR_OK ? db_step(&journal->db, run->marks, &run->has_mark, error) : err;
}

static enum err run_step(struct journal *journal, struct journal_tail *tail, struct run *run, bool older,
                         struct error *error) {
    bool write = run->has_write && (!run->has_mark || sqlite3_column_int64(run->writes, WRITE_SEQ) <
                                                          sqlite3_column_int64(run->marks, MARK_SEQ));
    enum err err = write ? journal_chain_take_write(journal, tail, run->writes, older, error)
                         : journal_chain_take_mark(journal, tail, run->marks, error);
    if (err != ERR_OK)
        return err;
    return write ? db_step(&journal->db, run->writes, &run->has_write, error)
                 : db_step(&journal->db, run->marks, &run->has_mark, error);
}

/* Entries after tail, up to and with number `until`, at most `limit`. */
static enum err take_run(struct journal *journal, struct journal_tail *tail, int64_t until, int64_t limit, bool older,
                         struct error *error) {
    struct run run = {0};
    enum err err = run_start(journal, tail, &run, error);
    for (; err == ERR_OK && (run.has_write || run.has_mark) && tail->seq < until && limit > 0; limit--)
        err = run_step(journal, tail, &run, older, error);
    if (err == ERR_OK && tail->seq < until && limit > 0)
        err = journal_damage(journal, error, "entry %lld is missing", (long long)tail->seq + 1);
    sqlite3_reset(run.writes);
    sqlite3_reset(run.marks);
    return err;
}

/* ---- Where it ends ---- */

/* The last entry as the file has it; its content is checked where it is met. */
static enum err find_end(struct journal *journal, struct journal_tail *out, struct error *error) {
    struct journal_write_row write = {0};
    struct journal_mark_row mark = {0};
    unsigned char content[DIGEST_LEN];
    bool has_write = false, has_mark = false, sound = true;
    sqlite3_stmt *writes = journal_stmt(journal, JSQL_WRITE_LAST), *marks = journal_stmt(journal, JSQL_MARK_LAST);
    *out = (struct journal_tail){0};
    enum err err = db_step(&journal->db, writes, &has_write, error);
    if (err == ERR_OK)
        err = db_step(&journal->db, marks, &has_mark, error);
    if (err == ERR_OK && has_write)
        sound = journal_read_write(journal, writes, &write, content);
    if (err == ERR_OK && has_mark)
        sound = journal_read_mark(journal, marks, &mark, content) && sound;
    if (err == ERR_OK && !sound)
        err = journal_damage(journal, error, "the newest record was altered");
    if (err == ERR_OK && (has_write || has_mark)) {
        const struct journal_seal *last = write.seal.seq > mark.seal.seq ? &write.seal : &mark.seal;
        *out = (struct journal_tail){.seq = last->seq, .n = write.n, .m = mark.m};
        if (last->link.s)
            memcpy(out->link, last->link.s, DIGEST_LEN);
    }
    sqlite3_reset(writes);
    sqlite3_reset(marks);
    if (err == ERR_OK && out->seq != out->n + out->m)
        err = journal_damage(journal, error, "there are %lld records and %lld outcomes, and %lld entries were made",
                             (long long)out->n, (long long)out->m, (long long)out->seq);
    return err;
}

/* Every entry is a write or a mark: before entry `seq`, the write number n, stand n - 1 writes and seq - n marks. */
static enum err tail_before(struct journal *journal, int64_t n, struct journal_tail *out, struct error *error) {
    struct journal_write_row write;
    struct journal_mark_row mark;
    unsigned char content[DIGEST_LEN];
    bool there = false, found = false;
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_WRITE);
    sqlite3_bind_int64(stmt, 1, n);
    enum err err = db_step(&journal->db, stmt, &there, error);
    if (err == ERR_OK && there && journal_read_write(journal, stmt, &write, content))
        *out = (struct journal_tail){.seq = write.seal.seq - 1, .n = n - 1, .m = write.seal.seq - n};
    else if (err == ERR_OK)
        err = journal_damage(journal, error, "record %lld was altered or removed", (long long)n);
    sqlite3_reset(stmt);
    stmt = journal_stmt(journal, JSQL_MARK);
    sqlite3_bind_int64(stmt, 1, out->m);
    if (err == ERR_OK)
        err = db_step(&journal->db, stmt, &there, error);
    if (err == ERR_OK && there && journal_read_mark(journal, stmt, &mark, content) && mark.seal.seq == out->seq) {
        memcpy(out->link, mark.seal.link.s, DIGEST_LEN);
        found = true;
    }
    sqlite3_reset(stmt);
    stmt = journal_stmt(journal, JSQL_WRITE);
    sqlite3_bind_int64(stmt, 1, out->n);
    if (err == ERR_OK && !found)
        err = db_step(&journal->db, stmt, &there, error);
    if (err == ERR_OK && !found && there && journal_read_write(journal, stmt, &write, content) &&
        write.seal.seq == out->seq) {
        memcpy(out->link, write.seal.link.s, DIGEST_LEN);
        found = true;
    }
    sqlite3_reset(stmt);
    if (err == ERR_OK && !found)
        err = journal_damage(journal, error, "the entry before record %lld is missing", (long long)n);
    return err;
}

/* ---- What is called ---- */

/* What the head file names must be there: the journal is ahead of it or level, never behind. */
static enum err check_end(struct journal *journal, const struct journal_tail *end, struct error *error) {
    if (journal->noted.seq <= end->seq)
        return ERR_OK;
    int64_t records = journal->noted.n - end->n;
    if (records > 0)
        return journal_damage(journal, error, "the newest %lld record%s gone (%lld to %lld)", (long long)records,
                              records == 1 ? " is" : "s are", (long long)end->n + 1, (long long)journal->noted.n);
    return journal_damage(journal, error, "the newest %lld outcomes are gone",
                          (long long)(journal->noted.seq - end->seq));
}

enum err journal_check_newest(struct journal *journal, struct error *error) {
    struct journal_tail end;
    enum err err = find_end(journal, &end, error);
    if (err == ERR_OK)
        err = check_end(journal, &end, error);
    if (err == ERR_OK && end.n > JOURNAL_NEWEST) {
        err = tail_before(journal, end.n - JOURNAL_NEWEST + 1, &journal->tail, error);
        journal->rest.until = journal->tail;
    }
    journal->rest.due = true;
    journal->noted_met = journal->noted.seq == 0;
    return err == ERR_OK ? take_run(journal, &journal->tail, end.seq, INT64_MAX, false, error) : err;
}

enum err journal_catch_up(struct journal *journal, struct error *error) {
    struct journal_tail end;
    enum err err = find_end(journal, &end, error);
    if (err != ERR_OK)
        return err;
    if (end.seq < journal->tail.seq)
        return journal_damage(journal, error, "entries that were there are gone: it ends at %lld, not at %lld",
                              (long long)end.seq, (long long)journal->tail.seq);
    if (end.seq > journal->tail.seq)
        return take_run(journal, &journal->tail, end.seq, INT64_MAX, false, error);
    if (memcmp(end.link, journal->tail.link, DIGEST_LEN) != 0)
        return journal_damage(journal, error, "its last entry is another one than before");
    return ERR_OK;
}

static enum err check_pages(struct journal *journal, struct error *error) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(journal->db.handle, "PRAGMA quick_check(1)", -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    bool sound = rc == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(stmt, 0), "ok") == 0;
    sqlite3_finalize(stmt);
    if (rc != SQLITE_ROW)
        return db_fail(&journal->db, rc, error);
    return sound ? ERR_OK : journal_damage(journal, error, "the pages of the file do not hold together");
}

static enum err finish_rest(struct journal *journal, struct error *error) {
    if (memcmp(journal->rest.at.link, journal->rest.until.link, DIGEST_LEN) != 0)
        return journal_damage(journal, error, "the chain is broken at entry %lld", (long long)journal->rest.until.seq);
    if (!journal->noted_met)
        return journal_damage(journal, error, "the entry that journal.head names was not found");
    if (journal->purged_newest && journal->purged_newest >= journal->purged_before)
        return journal_damage(journal, error, "digests of records were removed, and no purge removed them");
    return check_pages(journal, error);
}

static enum err say_damaged(const struct journal *journal, struct error *error) {
    return error_set(error, ERR_STORE, "journal: %s; nothing more is sent: bursar activity verify says what to do",
                     journal->fault[0] ? journal->fault : "its pages do not hold together");
}

bool journal_is_damaged(const struct journal *journal) {
    return journal->db.damaged;
}

bool journal_is_checked(const struct journal *journal) {
    return !journal->rest.due || journal->reading;
}

enum err journal_check_step(struct journal *journal, bool *more, struct error *error) {
    *more = false;
    if (journal->db.damaged)
        return say_damaged(journal, error);
    if (!journal->rest.due || journal->reading)
        return ERR_OK;
    enum err err = db_begin_reading(&journal->db, error);
    if (err != ERR_OK)
        return err;
    if (journal->rest.at.seq < journal->rest.until.seq)
        err = take_run(journal, &journal->rest.at, journal->rest.until.seq, STEP_ENTRIES, true, error);
    *more = err == ERR_OK && journal->rest.at.seq < journal->rest.until.seq;
    if (err == ERR_OK && !*more)
        err = finish_rest(journal, error);
    if (err == ERR_OK && !*more)
        journal->rest.due = false;
    return db_end(&journal->db, err, error);
}

enum err journal_check_whole(struct journal *journal, struct error *error) {
    bool more = true;
    enum err err = ERR_OK;
    while (err == ERR_OK && more)
        err = journal_check_step(journal, &more, error);
    return err;
}

/* ---- Adding ---- */

static enum err journal_chain_check_place(struct journal *journal, struct error *error) {
    if (journal->reading)
        return error_set(error, ERR_STORE, "journal: it is open for reading alone");
    if (!head_is_in_place(&journal->head))
        return error_set(error, ERR_STORE, "journal: journal.head was replaced; it has to be opened again");
    return ERR_OK;
}

enum err journal_add_begin(struct journal *journal, struct error *error) {
    enum err err = journal_chain_check_place(journal, error);
    if (err == ERR_OK)
        err = journal_check_whole(journal, error);
    if (err == ERR_OK)
        err = db_begin(&journal->db, error);
    if (err != ERR_OK)
        return err;
    err = journal_catch_up(journal, error);
    journal->staged = journal->tail;
    return err == ERR_OK ? ERR_OK : db_end(&journal->db, err, error);
}

enum err journal_add_end(struct journal *journal, enum err err, struct error *error) {
    err = db_end(&journal->db, err, error);
    if (err != ERR_OK)
        return err;
    /* Read back and checked as anyone else's entries are; only then is it confirmed. */
    err = journal_look_begin(journal, false, error);
    if (err == ERR_OK)
        err = journal_look_end(journal, err, error);
    struct journal_head_note note = {.seq = journal->tail.seq, .n = journal->tail.n};
    memcpy(note.link, journal->tail.link, DIGEST_LEN);
    return err == ERR_OK ? head_raise(&journal->head, &note, error) : err;
}

enum err journal_look_begin(struct journal *journal, bool whole, struct error *error) {
    if (journal->reading)
        return db_begin_reading(&journal->db, error);
    enum err err = whole ? journal_check_whole(journal, error) : ERR_OK;
    if (err == ERR_OK && journal->db.damaged)
        err = say_damaged(journal, error);
    if (err == ERR_OK)
        err = db_begin_reading(&journal->db, error);
    if (err != ERR_OK)
        return err;
    err = journal_catch_up(journal, error);
    return err == ERR_OK ? ERR_OK : db_end(&journal->db, err, error);
}

enum err journal_look_end(struct journal *journal, enum err err, struct error *error) {
    return journal_past_damage(journal, db_end(&journal->db, err, error), error); /* its COMMIT fails by the damage */
}

static void seal(struct journal *journal, struct journal_seal *seal, const unsigned char content[DIGEST_LEN]) {
    unsigned char link[DIGEST_LEN];
    seal->digest = journal_content_digest(content);
    journal_next_link(journal->staged.link, content, link);
    memcpy(journal->staged.link, link, DIGEST_LEN);
    journal->staged.seq = seal->seq;
    seal->link = (struct journal_bytes){journal->staged.link, DIGEST_LEN};
}

static void bind_bytes(sqlite3_stmt *stmt, int at, const struct journal_bytes *bytes) {
    if (bytes->s)
        sqlite3_bind_blob(stmt, at, bytes->s, (int)bytes->len, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(stmt, at);
}

static void bind_seal(sqlite3_stmt *stmt, int at, const struct journal_seal *seal) {
    bind_bytes(stmt, at, &seal->salt);
    bind_bytes(stmt, at + 1, &seal->dropped);
    sqlite3_bind_int64(stmt, at + 2, seal->digest);
    sqlite3_bind_int64(stmt, at + 3, seal->seq);
    bind_bytes(stmt, at + 4, &seal->link);
}

enum err journal_append_write(struct journal *journal, struct journal_write_row *row, struct error *error) {
    unsigned char salt[SALT_BYTES], dropped[DIGEST_LEN], content[DIGEST_LEN];
    secret_random(salt, sizeof salt);
    row->n = ++journal->staged.n;
    row->seal = (struct journal_seal){.seq = journal->staged.seq + 1, .salt = {salt, sizeof salt}};
    journal_write_content(journal, row, dropped, content);
    seal(journal, &row->seal, content);
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_WRITE_ADD);
    const char *const texts[] = {row->who,   row->profile,     row->origin, row->environment, row->operation,
                                 row->owner, row->idempotency, row->draft,  row->import};
    sqlite3_bind_int64(stmt, 1, row->n);
    sqlite3_bind_int64(stmt, 2, row->at);
    for (int i = 0; i < (int)COUNT_OF(texts); i++)
        journal_bind(stmt, i + 3, texts[i]);
    sqlite3_bind_int64(stmt, 12, row->line);
    sqlite3_bind_int64(stmt, 13, row->repeats);
    journal_bind(stmt, 14, row->url);
    journal_bind(stmt, 15, row->fingerprint);
    journal_bind(stmt, 16, row->account);
    bind_bytes(stmt, 17, &row->digests);
    bind_seal(stmt, 18, &row->seal);
    return db_run(&journal->db, stmt, error);
}

enum err journal_append_mark(struct journal *journal, struct journal_mark_row *row, struct error *error) {
    unsigned char salt[SALT_BYTES], dropped[DIGEST_LEN], content[DIGEST_LEN];
    row->m = ++journal->staged.m;
    row->seal = (struct journal_seal){.seq = journal->staged.seq + 1};
    if (row->message || row->note) {
        secret_random(salt, sizeof salt);
        row->seal.salt = (struct journal_bytes){salt, sizeof salt};
    }
    journal_mark_content(journal, row, dropped, content);
    seal(journal, &row->seal, content);
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_MARK_ADD);
    const int64_t numbers[] = {row->m, row->n, row->at, row->kind, row->outcome, row->status};
    const char *const texts[] = {row->response_id, row->message, row->who, row->note};
    for (int i = 0; i < (int)COUNT_OF(numbers); i++)
        sqlite3_bind_int64(stmt, i + 1, numbers[i]);
    for (int i = 0; i < (int)COUNT_OF(texts); i++)
        journal_bind(stmt, i + 7, texts[i]);
    bind_seal(stmt, 11, &row->seal);
    return db_run(&journal->db, stmt, error);
}
