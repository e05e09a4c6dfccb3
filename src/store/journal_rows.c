#include "journal_own.h"

#include <stdlib.h>
#include <string.h>

static const char *const OUTCOMES[] = {
#define X(code, name) name,
    JOURNAL_OUTCOME_TABLE(X)
#undef X
};

const char *journal_outcome_name(enum journal_outcome outcome) {
    return (size_t)outcome < COUNT_OF(OUTCOMES) ? OUTCOMES[outcome] : "unknown";
}

int journal_outcome_find(const char *name) {
    for (size_t i = 0; i < COUNT_OF(OUTCOMES); i++)
        if (strcmp(name, OUTCOMES[i]) == 0)
            return (int)i;
    return -1;
}

sqlite3_stmt *journal_stmt(struct journal *journal, enum journal_sql sql) {
    return db_stmt(&journal->db, sql);
}

void journal_bind(sqlite3_stmt *stmt, int at, const char *text) {
    sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
}

enum err journal_number(struct journal *journal, enum journal_sql sql, int64_t *out, struct error *error) {
    sqlite3_stmt *stmt = journal_stmt(journal, sql);
    bool row = false;
    enum err err = db_step(&journal->db, stmt, &row, error);
    if (row)
        *out = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    return err;
}

static void add_number(struct str *out, int64_t number) {
    str_add_n(out, (const char *)&number, sizeof number);
}

static void add_text(struct str *out, const char *text) {
    add_number(out, text ? (int64_t)strlen(text) : -1);
    if (text)
        str_add(out, text);
}

static int64_t digest_of(struct journal *journal) {
    return (int64_t)digest_short(journal->scratch.s, journal->scratch.len);
}

int64_t journal_write_digest(struct journal *journal, const struct journal_write_row *row) {
    struct str *out = &journal->scratch;
    str_reset(out);
    const int64_t numbers[] = {row->n, row->at, row->line, row->repeats};
    const char *const texts[] = {row->who,       row->profile, row->origin,      row->environment,
                                 row->operation, row->owner,   row->idempotency, row->draft,
                                 row->import,    row->url,     row->fingerprint, row->account};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        add_number(out, numbers[i]);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        add_text(out, texts[i]);
    return digest_of(journal);
}

int64_t journal_mark_digest(struct journal *journal, const struct journal_mark_row *row) {
    struct str *out = &journal->scratch;
    str_reset(out);
    const int64_t numbers[] = {row->m, row->n, row->at, row->outcome, row->status};
    const char *const texts[] = {row->response_id, row->message, row->who, row->note};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        add_number(out, numbers[i]);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        add_text(out, texts[i]);
    return digest_of(journal);
}

static const char *text_at(sqlite3_stmt *stmt, int column) {
    return (const char *)sqlite3_column_text(stmt, column);
}

static bool check(struct journal *journal, bool holds) {
    if (!holds)
        journal->db.damaged = true;
    return holds;
}

bool journal_read_write(struct journal *journal, sqlite3_stmt *stmt, struct journal_write_row *out) {
    *out = (struct journal_write_row){
        .n = sqlite3_column_int64(stmt, 0),
        .at = sqlite3_column_int64(stmt, 1),
        .who = text_at(stmt, 2),
        .profile = text_at(stmt, 3),
        .origin = text_at(stmt, 4),
        .environment = text_at(stmt, 5),
        .operation = text_at(stmt, 6),
        .owner = text_at(stmt, 7),
        .idempotency = text_at(stmt, 8),
        .draft = text_at(stmt, 9),
        .import = text_at(stmt, 10),
        .line = sqlite3_column_int64(stmt, 11),
        .repeats = sqlite3_column_int64(stmt, 12),
        .url = text_at(stmt, 13),
        .fingerprint = text_at(stmt, 14),
        .account = text_at(stmt, 15),
    };
    return check(journal, journal_write_digest(journal, out) == sqlite3_column_int64(stmt, COLUMN_WRITE_DIGEST));
}

bool journal_read_mark(struct journal *journal, sqlite3_stmt *stmt, int first, struct journal_mark_row *out) {
    int64_t outcome = sqlite3_column_int64(stmt, first + 3);
    *out = (struct journal_mark_row){
        .m = sqlite3_column_int64(stmt, first),
        .n = sqlite3_column_int64(stmt, first + 1),
        .at = sqlite3_column_int64(stmt, first + 2),
        .outcome =
            outcome >= 0 && outcome < JOURNAL_OUTCOME_COUNT ? (enum journal_outcome)outcome : JOURNAL_OUTCOME_UNKNOWN,
        .status = sqlite3_column_int(stmt, first + 4),
        .response_id = text_at(stmt, first + 5),
        .message = text_at(stmt, first + 6),
        .who = text_at(stmt, first + 7),
        .note = text_at(stmt, first + 8),
    };
    return check(journal, journal_mark_digest(journal, out) == sqlite3_column_int64(stmt, first + 9));
}

void journal_digest(struct journal *journal, const char *kind, const char *name, const char *bytes, size_t len,
                    unsigned char out[DIGEST_LEN]) {
    struct str *in = &journal->scratch;
    str_reset(in);
    add_text(in, kind);
    add_text(in, name);
    str_add_n(in, bytes, len);
    digest_keyed(out, journal->key.bytes, sizeof journal->key.bytes, in->s, in->len);
    secret_wipe(in->s, in->len);
    str_reset(in);
}

enum err journal_digest_is(struct journal *journal, int64_t n, const char *kind, const char *name,
                           const unsigned char digest[DIGEST_LEN], bool *there, bool *same, struct error *error) {
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_DIGEST_GET);
    sqlite3_bind_int64(stmt, 1, n);
    journal_bind(stmt, 2, kind);
    journal_bind(stmt, 3, name);
    *there = *same = false;
    enum err err = db_step(&journal->db, stmt, there, error);
    if (*there)
        *same = sqlite3_column_bytes(stmt, 0) == DIGEST_LEN &&
                memcmp(sqlite3_column_blob(stmt, 0), digest, DIGEST_LEN) == 0;
    sqlite3_reset(stmt);
    return err;
}

void journal_records_init(struct journal_records *records) {
    *records = (struct journal_records){0};
}

void journal_records_clear(struct journal_records *records) {
    arena_clear(&records->arena);
    free(records->items);
    journal_records_init(records);
}

static const char *keep(struct arena *arena, const char *text) {
    return text ? arena_dup_n(arena, text, strlen(text)) : NULL;
}

static void keep_event(struct arena *arena, const struct journal_mark_row *row, struct journal_event *out) {
    *out = (struct journal_event){
        .at = row->at,
        .outcome = row->outcome,
        .status = row->status,
        .response_id = keep(arena, row->response_id),
        .message = keep(arena, row->message),
        .who = keep(arena, row->who),
        .note = keep(arena, row->note),
    };
}

static void keep_record(struct arena *arena, const struct journal_write_row *row, struct journal_record *out) {
    out->n = row->n;
    out->at = row->at;
    out->line = row->line;
    out->repeats = row->repeats;
    const char *const from[] = {row->who,       row->profile,     row->origin, row->environment,
                                row->operation, row->idempotency, row->draft,  row->import,
                                row->url,       row->fingerprint, row->account};
    const char **const to[] = {&out->who,       &out->profile,     &out->origin, &out->environment,
                               &out->operation, &out->idempotency, &out->draft,  &out->import,
                               &out->url,       &out->fingerprint, &out->account};
    for (size_t i = 0; i < COUNT_OF(from); i++)
        *to[i] = keep(arena, from[i]);
}

enum err journal_collect(struct journal *journal, sqlite3_stmt *stmt, struct journal_records *out,
                         struct error *error) {
    enum err err = ERR_OK;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&journal->db, stmt, &row, error);
        if (!row)
            break;
        struct journal_write_row write;
        struct journal_mark_row mark;
        if (!journal_read_write(journal, stmt, &write) || !journal_read_mark(journal, stmt, COLUMN_MARK, &mark)) {
            err = error_set(error, ERR_STORE, "journal: record %lld is damaged; nothing more is sent",
                            (long long)write.n);
            break;
        }
        struct journal_record *record = vec_add(out);
        keep_record(&out->arena, &write, record);
        keep_event(&out->arena, &mark, &record->last);
        record->settled = mark.who != NULL;
    }
    sqlite3_reset(stmt);
    return err;
}

static enum err collect_events(struct journal *journal, struct journal_record *record, struct arena *arena,
                               struct error *error) {
    struct {
        struct journal_event *items;
        size_t n, cap;
    } events = {0};
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_MARKS);
    sqlite3_bind_int64(stmt, 1, record->n);
    enum err err = ERR_OK;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&journal->db, stmt, &row, error);
        if (!row)
            break;
        struct journal_mark_row mark;
        if (journal_read_mark(journal, stmt, 0, &mark))
            keep_event(arena, &mark, vec_add(&events));
        else
            err = error_set(error, ERR_STORE, "journal: record %lld is damaged; nothing more is sent",
                            (long long)record->n);
    }
    sqlite3_reset(stmt);
    struct journal_event *copy = arena_new(arena, (events.n + 1) * sizeof *copy);
    if (events.n)
        memcpy(copy, events.items, events.n * sizeof *copy);
    record->events = copy;
    record->n_events = events.n;
    free(events.items);
    return err;
}

static enum err collect_fields(struct journal *journal, struct journal_record *record, struct arena *arena,
                               struct error *error) {
    struct {
        const char **items;
        size_t n, cap;
    } names = {0};
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_DIGEST_NAMES);
    sqlite3_bind_int64(stmt, 1, record->n);
    enum err err = ERR_OK;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&journal->db, stmt, &row, error);
        if (row)
            *vec_add(&names) = keep(arena, text_at(stmt, 0));
    }
    sqlite3_reset(stmt);
    const char **copy = arena_new(arena, (names.n + 1) * sizeof *copy);
    if (names.n)
        memcpy(copy, names.items, names.n * sizeof *copy);
    record->fields = copy;
    record->n_fields = names.n;
    free(names.items);
    return err;
}

enum err journal_get(struct journal *journal, int64_t n, struct journal_records *out, struct error *error) {
    size_t before = out->n;
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_RECORD);
    sqlite3_bind_int64(stmt, 1, n);
    enum err err = journal_collect(journal, stmt, out, error);
    if (err != ERR_OK || out->n == before)
        return err;
    err = collect_events(journal, &out->items[before], &out->arena, error);
    return err == ERR_OK ? collect_fields(journal, &out->items[before], &out->arena, error) : err;
}
