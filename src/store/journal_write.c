#include "journal_own.h"
#include "owner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 500, VALUES_MAX = 1 << 20 };

void journal_pending_add(struct journal *journal, int64_t n, const struct journal_write *write) {
    struct journal_pending *pending = vec_add(&journal->pending);
    pending->n = n;
    str_init(&pending->values, VALUES_MAX);
    const struct journal_value *const lists[2] = {write->fields, write->matches};
    const size_t lens[2] = {write->n_fields, write->n_matches};
    for (int i = 0; i < 2; i++)
        for (size_t j = 0; j < lens[i]; j++)
            if (lists[i][j].text)
                str_add_n(&pending->values, lists[i][j].text, strlen(lists[i][j].text) + 1);
}

static struct journal_pending *find_pending(struct journal *journal, int64_t n) {
    for (size_t i = 0; i < journal->pending.n; i++)
        if (journal->pending.items[i].n == n)
            return &journal->pending.items[i];
    return NULL;
}

void journal_pending_drop(struct journal *journal, int64_t n) {
    struct journal_pending *pending = find_pending(journal, n);
    if (!pending)
        return;
    secret_wipe(pending->values.s, pending->values.len);
    str_clear(&pending->values);
    *pending = journal->pending.items[--journal->pending.n];
}

static void take_out_all(struct str *text, const struct journal_pending *pending) {
    struct {
        const char **items;
        size_t n, cap;
    } values = {0};
    for (size_t at = 0; at < pending->values.len; at += strlen(pending->values.s + at) + 1)
        *vec_add(&values) = pending->values.s + at;
    str_take_out(text, values.items, values.n);
    free(values.items);
}

char *journal_pending_redact(struct journal *journal, int64_t n, const char *message) {
    if (!message)
        return NULL;
    struct str text;
    str_init(&text, MESSAGE_MAX * 16);
    str_add(&text, message);
    const struct journal_pending *pending = find_pending(journal, n);
    if (pending)
        take_out_all(&text, pending);
    if (text.len > MESSAGE_MAX) {
        size_t cut = MESSAGE_MAX;
        while (cut > 0 && ((unsigned char)text.s[cut] & 0xc0) == 0x80)
            cut--;
        str_delete(&text, cut, text.len - cut);
    }
    return str_take(&text);
}

enum err journal_add_mark(struct journal *journal, struct journal_mark_row *row, struct error *error) {
    enum err err = journal_number(journal, JSQL_MARK_LAST, &row->m, error);
    if (err != ERR_OK)
        return err;
    row->m++;
    int64_t digest = journal_mark_digest(journal, row);
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_MARK_ADD);
    const int64_t numbers[] = {row->m, row->n, row->at, row->outcome, row->status};
    for (int i = 0; i < 5; i++)
        sqlite3_bind_int64(stmt, i + 1, numbers[i]);
    journal_bind(stmt, 6, row->response_id);
    journal_bind(stmt, 7, row->message);
    journal_bind(stmt, 8, row->who);
    journal_bind(stmt, 9, row->note);
    sqlite3_bind_int64(stmt, 10, digest);
    return db_run(&journal->db, stmt, error);
}

static enum err add_write(struct journal *journal, const struct journal_write *write, int64_t *n, struct error *error) {
    enum err err = journal_number(journal, JSQL_WRITE_LAST, n, error);
    if (err != ERR_OK)
        return err;
    const struct journal_write_row row = {
        .n = ++*n,
        .at = write->now,
        .who = write->who,
        .profile = write->scope.profile,
        .account = write->scope.account ? write->scope.account : "",
        .origin = write->scope.origin,
        .environment = write->environment,
        .operation = write->operation,
        .owner = journal->owner.s,
        .idempotency = write->idempotency,
        .draft = write->draft,
        .import = write->import,
        .line = write->line,
        .repeats = write->repeats,
        .url = write->url,
        .fingerprint = write->fingerprint,
    };
    int64_t digest = journal_write_digest(journal, &row);
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_WRITE_ADD);
    const char *const texts[] = {row.who,   row.profile,     row.origin, row.environment, row.operation,
                                 row.owner, row.idempotency, row.draft,  row.import};
    sqlite3_bind_int64(stmt, 1, row.n);
    sqlite3_bind_int64(stmt, 2, row.at);
    for (int i = 0; i < (int)COUNT_OF(texts); i++)
        journal_bind(stmt, i + 3, texts[i]);
    sqlite3_bind_int64(stmt, 12, row.line);
    sqlite3_bind_int64(stmt, 13, row.repeats);
    journal_bind(stmt, 14, row.url);
    journal_bind(stmt, 15, row.fingerprint);
    journal_bind(stmt, 16, row.account);
    sqlite3_bind_int64(stmt, 17, digest);
    return db_run(&journal->db, stmt, error);
}

static enum err add_digest(struct journal *journal, int64_t n, const char *kind, const struct journal_value *value,
                           size_t len, struct error *error) {
    unsigned char digest[DIGEST_LEN];
    journal_digest(journal, kind, value->name, value->text, len, digest);
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_DIGEST_ADD);
    sqlite3_bind_int64(stmt, 1, n);
    journal_bind(stmt, 2, kind);
    journal_bind(stmt, 3, value->name);
    sqlite3_bind_blob(stmt, 4, digest, DIGEST_LEN, SQLITE_STATIC);
    return db_run(&journal->db, stmt, error);
}

static enum err add_digests(struct journal *journal, int64_t n, const struct journal_write *write,
                            struct error *error) {
    enum err err = ERR_OK;
    if (write->body)
        err = add_digest(journal, n, "body", &(struct journal_value){"", write->body}, write->body_len, error);
    for (size_t i = 0; i < write->n_fields && err == ERR_OK; i++)
        if (write->fields[i].text)
            err = add_digest(journal, n, "field", &write->fields[i], strlen(write->fields[i].text), error);
    for (size_t i = 0; i < write->n_matches && err == ERR_OK; i++)
        if (write->matches[i].text && *write->matches[i].text)
            err = add_digest(journal, n, "match", &write->matches[i], strlen(write->matches[i].text), error);
    return err;
}

static enum err has_body(struct journal *journal, int64_t n, const struct journal_write *write, bool *same,
                         struct error *error) {
    unsigned char digest[DIGEST_LEN];
    bool there;
    journal_digest(journal, "body", "", write->body ? write->body : "", write->body_len, digest);
    return journal_digest_is(journal, n, "body", "", digest, &there, same, error);
}

/* An earlier record of the same draft or body stands in the way, unless it ended without effect, is repeated on
 * purpose, or is done and wanted once more. It is this machine that refuses, and the words say what works. */
static enum err check_earlier(struct journal *journal, const struct journal_write *write,
                              const struct journal_record *earlier, struct error *error) {
    long long n = earlier->n;
    bool same = false;
    enum err err = ERR_OK;
    switch (earlier->last.outcome) {
    case JOURNAL_OUTCOME_REFUSED:
    case JOURNAL_OUTCOME_NOT_SENT:
        return ERR_OK;
    case JOURNAL_OUTCOME_SENDING:
        return error_set(error, ERR_INVALID,
                         "the same is being sent by another program (record %lld): wait until that has ended", n);
    case JOURNAL_OUTCOME_DONE:
        return write->again ? ERR_OK
                            : error_set(error, ERR_INVALID, "the same was registered already (record %lld)", n);
    default:
        if (write->repeats != 0)
            err = has_body(journal, earlier->n, write, &same, error);
        if (err != ERR_OK || same)
            return err;
        return error_set(error, ERR_INVALID,
                         "it is not known whether the same was done already (record %lld): bursar activity resolve "
                         "%lld settles it first",
                         n, n);
    }
}

static enum err check_draft(struct journal *journal, const struct journal_write *write, struct error *error) {
    if (!write->draft && !write->lock_body)
        return ERR_OK;
    struct journal_records records;
    journal_records_init(&records);
    enum err err = ERR_OK;
    if (write->draft) {
        sqlite3_stmt *stmt = journal_stmt(journal, JSQL_BY_DRAFT);
        journal_bind(stmt, 1, write->draft);
        err = journal_collect(journal, stmt, &records, error);
    }
    if (write->lock_body && err == ERR_OK)
        err = journal_same_body(journal, &write->scope, write->body, write->body_len, &records, NULL, error);
    for (size_t i = 0; i < records.n && err == ERR_OK; i++)
        err = check_earlier(journal, write, &records.items[i], error);
    journal_records_clear(&records);
    return err;
}

enum err journal_standing(struct journal *journal, int64_t n, struct journal_record *out, struct arena *arena,
                          struct error *error) {
    struct journal_records records;
    journal_records_init(&records);
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_RECORD);
    sqlite3_bind_int64(stmt, 1, n);
    enum err err = journal_collect(journal, stmt, &records, error);
    if (err == ERR_OK && records.n == 0)
        err = error_set(error, ERR_INVALID, "there is no record %lld", (long long)n);
    if (err == ERR_OK)
        *out = records.items[0];
    *arena = records.arena;
    records.arena = (struct arena){0};
    journal_records_clear(&records);
    return err;
}

static enum err check_repeat(struct journal *journal, const struct journal_write *write, struct error *error) {
    if (write->repeats == 0)
        return ERR_OK;
    struct journal_record earlier = {0};
    struct arena arena = {0};
    bool same = false;
    enum err err = journal_standing(journal, write->repeats, &earlier, &arena, error);
    if (err == ERR_OK && earlier.last.outcome != JOURNAL_OUTCOME_UNKNOWN)
        err = error_set(error, ERR_INVALID, "record %lld is not unknown; only an unknown one is repeated",
                        (long long)write->repeats);
    if (err == ERR_OK && !journal_in_scope(&earlier, &write->scope))
        err = error_set(error, ERR_INVALID, "record %lld was sent to another address or account, or by another profile",
                        (long long)write->repeats);
    if (err == ERR_OK)
        err = has_body(journal, write->repeats, write, &same, error);
    if (err == ERR_OK && !same)
        err =
            error_set(error, ERR_INVALID, "what would be sent is not what record %lld sent", (long long)write->repeats);
    arena_clear(&arena);
    return err;
}

static enum err record(struct journal *journal, const struct journal_write *write, int64_t *n, struct error *error) {
    enum err err = check_draft(journal, write, error);
    if (err == ERR_OK)
        err = check_repeat(journal, write, error);
    if (err == ERR_OK)
        err = add_write(journal, write, n, error);
    if (err == ERR_OK)
        err = add_digests(journal, *n, write, error);
    if (err == ERR_OK)
        err = journal_add_mark(
            journal, &(struct journal_mark_row){.n = *n, .at = write->now, .outcome = JOURNAL_OUTCOME_SENDING}, error);
    return err;
}

enum err journal_begin(struct journal *journal, const struct journal_write *write, int64_t *n, struct error *error) {
    *n = 0;
    if (journal->db.damaged)
        return error_set(error, ERR_STORE, "journal: it is damaged, nothing is sent");
    enum err err = db_begin(&journal->db, error);
    if (err == ERR_OK)
        err = db_end(&journal->db, record(journal, write, n, error), error);
    if (err == ERR_OK)
        journal_pending_add(journal, *n, write);
    else
        *n = 0;
    return err;
}

/* Only the operator's word is final: a record that a sweep took for dead takes what really became of it. */
static enum err check_open(struct journal *journal, int64_t n, bool settling, struct error *error) {
    struct journal_record now = {0};
    struct arena arena = {0};
    enum err err = journal_standing(journal, n, &now, &arena, error);
    arena_clear(&arena);
    if (err != ERR_OK)
        return err;
    bool sending = now.last.outcome == JOURNAL_OUTCOME_SENDING;
    bool open = now.last.outcome == JOURNAL_OUTCOME_UNKNOWN && !now.settled;
    if (open || (sending && !settling))
        return ERR_OK;
    return error_set(error, ERR_INVALID, "record %lld stands at %s and stays there", (long long)n,
                     journal_outcome_name(now.last.outcome));
}

static enum err append(struct journal *journal, struct journal_mark_row *row, bool settling, struct error *error) {
    enum err err = db_begin(&journal->db, error);
    if (err != ERR_OK)
        return err;
    err = check_open(journal, row->n, settling, error);
    if (err == ERR_OK)
        err = journal_add_mark(journal, row, error);
    return db_end(&journal->db, err, error);
}

enum err journal_mark(struct journal *journal, int64_t n, const struct journal_mark *mark, struct error *error) {
    if (mark->outcome == JOURNAL_OUTCOME_SENDING)
        return error_set(error, ERR_INVALID, "an outcome is needed");
    char *message = journal_pending_redact(journal, n, mark->message);
    char *id = journal_pending_redact(journal, n, mark->response_id);
    struct journal_mark_row row = {
        .n = n,
        .at = mark->now,
        .outcome = mark->outcome,
        .status = mark->status,
        .response_id = id,
        .message = message,
    };
    enum err err = append(journal, &row, false, error);
    if (err == ERR_OK)
        journal_pending_drop(journal, n);
    free(message);
    free(id);
    return err;
}

static bool is_blank(const char *text) {
    for (; text && *text; text++)
        if (!isspace((unsigned char)*text))
            return false;
    return true;
}

enum err journal_settle(struct journal *journal, int64_t n, const struct journal_settle *settle, struct error *error) {
    if (settle->outcome == JOURNAL_OUTCOME_SENDING || settle->outcome == JOURNAL_OUTCOME_UNKNOWN)
        return error_set(error, ERR_INVALID, "settle it as done, refused or not-sent");
    if (is_blank(settle->note))
        return error_set(error, ERR_INVALID, "a note is needed: how is it known?");
    struct journal_mark_row row = {
        .n = n,
        .at = settle->now,
        .outcome = settle->outcome,
        .response_id = settle->response_id,
        .who = settle->who ? settle->who : "",
        .note = settle->note,
    };
    return append(journal, &row, true, error);
}

/* Numbers of records in `sending` whose program has ended. */
struct ended {
    int64_t *items;
    size_t n, cap;
};

static enum err find_ended(struct journal *journal, int64_t now, struct ended *out, struct error *error) {
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_RECORDS);
    sqlite3_clear_bindings(stmt);
    sqlite3_bind_int(stmt, 7, JOURNAL_OUTCOME_SENDING);
    for (int i = 8; i <= 10; i++)
        sqlite3_bind_int64(stmt, i, 0);
    sqlite3_bind_int64(stmt, 11, -1);
    enum err err = ERR_OK;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&journal->db, stmt, &row, error);
        struct journal_write_row write;
        if (row && journal_read_write(journal, stmt, &write) && owner_has_ended(write.owner, write.at, now))
            *vec_add(out) = write.n;
    }
    sqlite3_reset(stmt);
    return err;
}

static enum err sweep(struct journal *journal, int64_t now, size_t *swept, struct error *error) {
    struct ended ended = {0};
    enum err err = find_ended(journal, now, &ended, error);
    for (size_t i = 0; i < ended.n && err == ERR_OK; i++)
        err =
            journal_add_mark(journal,
                             &(struct journal_mark_row){.n = ended.items[i],
                                                        .at = now,
                                                        .outcome = JOURNAL_OUTCOME_UNKNOWN,
                                                        .message = "the program ended before the answer was recorded"},
                             error);
    *swept += ended.n;
    free(ended.items);
    return err;
}

enum err journal_sweep(struct journal *journal, int64_t now, size_t *swept, struct error *error) {
    enum err err = db_begin(&journal->db, error);
    size_t found = 0;
    if (err == ERR_OK)
        err = db_end(&journal->db, sweep(journal, now, &found, error), error);
    if (err == ERR_OK)
        *swept += found;
    return err;
}
