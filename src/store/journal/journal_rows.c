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

bool journal_had_effect(enum journal_outcome outcome) {
    return outcome != JOURNAL_OUTCOME_REFUSED && outcome != JOURNAL_OUTCOME_NOT_SENT;
}

sqlite3_stmt *journal_stmt(struct journal *journal, enum journal_sql sql) {
    return db_stmt(&journal->db, sql);
}

void journal_bind(sqlite3_stmt *stmt, int at, const char *text) {
    sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
}

/* ---- Content ---- */

static void journal_rows_add_number(struct str *out, int64_t number) {
    str_add_n(out, (const char *)&number, sizeof number);
}

static void journal_rows_add_bytes(struct str *out, const void *bytes, size_t len) {
    journal_rows_add_number(out, bytes ? (int64_t)len : -1);
    if (bytes)
        str_add_n(out, bytes, len);
}

static void journal_rows_add_text(struct str *out, const char *text) {
    journal_rows_add_bytes(out, text, text ? strlen(text) : 0);
}

static void add_all(struct str *out, const int64_t *numbers, size_t n_numbers, const char *const *texts,
                    size_t n_texts) {
    for (size_t i = 0; i < n_numbers; i++)
        journal_rows_add_number(out, numbers[i]);
    for (size_t i = 0; i < n_texts; i++)
        journal_rows_add_text(out, texts[i]);
}

/* Of the columns that a purge removes, unless it did. The salt, which goes with them, keeps the digest from being an
 * oracle for a note that someone guesses. */
static void drop_digest(struct journal *journal, const struct journal_seal *seal, const char *const *texts, size_t n,
                        const struct journal_bytes *digests, unsigned char out[DIGEST_LEN]) {
    if (seal->dropped.len == DIGEST_LEN) {
        memcpy(out, seal->dropped.s, DIGEST_LEN);
        return;
    }
    struct str *in = &journal->scratch;
    str_reset(in);
    journal_rows_add_bytes(in, seal->salt.s, seal->salt.len);
    add_all(in, NULL, 0, texts, n);
    if (digests)
        journal_rows_add_bytes(in, digests->s, digests->len);
    digest_keyed(out, NULL, 0, in->s, in->len);
}

void journal_write_content(struct journal *journal, const struct journal_write_row *row,
                           unsigned char dropped_out[DIGEST_LEN], unsigned char out[DIGEST_LEN]) {
    const char *const dropped[] = {row->owner, row->idempotency, row->draft, row->import};
    const int64_t numbers[] = {row->seal.seq, row->n, row->at, row->line, row->repeats};
    const char *const texts[] = {"write",        row->who, row->profile,     row->origin, row->environment,
                                 row->operation, row->url, row->fingerprint, row->account};
    drop_digest(journal, &row->seal, dropped, COUNT_OF(dropped), &row->digests, dropped_out);
    struct str *in = &journal->scratch;
    str_reset(in);
    add_all(in, numbers, COUNT_OF(numbers), texts, COUNT_OF(texts));
    str_add_n(in, (const char *)dropped_out, DIGEST_LEN);
    digest_keyed(out, NULL, 0, in->s, in->len);
}

void journal_mark_content(struct journal *journal, const struct journal_mark_row *row,
                          unsigned char dropped_out[DIGEST_LEN], unsigned char out[DIGEST_LEN]) {
    const char *const dropped[] = {row->message, row->note};
    const int64_t numbers[] = {row->seal.seq, row->m, row->n, row->at, row->kind, row->outcome, row->status};
    const char *const texts[] = {"mark", row->response_id, row->who};
    memset(dropped_out, 0, DIGEST_LEN);
    /* The rule: nothing in it that a purge could remove. */
    if (row->message || row->note || row->seal.salt.len || row->seal.dropped.len)
        drop_digest(journal, &row->seal, dropped, COUNT_OF(dropped), NULL, dropped_out);
    struct str *in = &journal->scratch;
    str_reset(in);
    add_all(in, numbers, COUNT_OF(numbers), texts, COUNT_OF(texts));
    str_add_n(in, (const char *)dropped_out, DIGEST_LEN);
    digest_keyed(out, NULL, 0, in->s, in->len);
}

int64_t journal_content_digest(const unsigned char content[DIGEST_LEN]) {
    uint64_t number = 0;
    for (size_t i = 0; i < sizeof number; i++)
        number |= (uint64_t)content[i] << (8 * i);
    return (int64_t)number;
}

void journal_next_link(const unsigned char before[DIGEST_LEN], const unsigned char content[DIGEST_LEN],
                       unsigned char out[DIGEST_LEN]) {
    unsigned char both[2 * DIGEST_LEN];
    memcpy(both, before, DIGEST_LEN);
    memcpy(both + DIGEST_LEN, content, DIGEST_LEN);
    digest_keyed(out, NULL, 0, both, sizeof both);
}

/* ---- Reading rows ---- */

static const char *journal_rows_text_at(sqlite3_stmt *stmt, int column) {
    return (const char *)sqlite3_column_text(stmt, column);
}

static struct journal_bytes bytes_at(sqlite3_stmt *stmt, int column) {
    const void *bytes = sqlite3_column_blob(stmt, column);
    return (struct journal_bytes){bytes, (size_t)sqlite3_column_bytes(stmt, column)};
}

static struct journal_seal seal_at(sqlite3_stmt *stmt, int column) {
    return (struct journal_seal){.salt = bytes_at(stmt, column),
                                 .dropped = bytes_at(stmt, column + 1),
                                 .digest = sqlite3_column_int64(stmt, column + 2),
                                 .seq = sqlite3_column_int64(stmt, column + 3),
                                 .link = bytes_at(stmt, column + 4)};
}

void journal_read_columns(sqlite3_stmt *stmt, struct journal_write_row *out) {
    *out = (struct journal_write_row){
        .n = sqlite3_column_int64(stmt, 0),
        .at = sqlite3_column_int64(stmt, 1),
        .who = journal_rows_text_at(stmt, 2),
        .profile = journal_rows_text_at(stmt, 3),
        .origin = journal_rows_text_at(stmt, 4),
        .environment = journal_rows_text_at(stmt, 5),
        .operation = journal_rows_text_at(stmt, 6),
        .owner = journal_rows_text_at(stmt, 7),
        .idempotency = journal_rows_text_at(stmt, 8),
        .draft = journal_rows_text_at(stmt, 9),
        .import = journal_rows_text_at(stmt, 10),
        .line = sqlite3_column_int64(stmt, 11),
        .repeats = sqlite3_column_int64(stmt, 12),
        .url = journal_rows_text_at(stmt, 13),
        .fingerprint = journal_rows_text_at(stmt, 14),
    };
}

bool journal_read_write(struct journal *journal, sqlite3_stmt *stmt, struct journal_write_row *out,
                        unsigned char content[DIGEST_LEN]) {
    unsigned char dropped[DIGEST_LEN];
    journal_read_columns(stmt, out);
    out->account = journal_rows_text_at(stmt, 15);
    out->digests = bytes_at(stmt, 16);
    out->seal = seal_at(stmt, 17);
    journal_write_content(journal, out, dropped, content);
    return out->seal.link.len == DIGEST_LEN && journal_content_digest(content) == out->seal.digest;
}

bool journal_read_mark(struct journal *journal, sqlite3_stmt *stmt, struct journal_mark_row *out,
                       unsigned char content[DIGEST_LEN]) {
    unsigned char dropped[DIGEST_LEN];
    *out = (struct journal_mark_row){
        .m = sqlite3_column_int64(stmt, 0),
        .n = sqlite3_column_int64(stmt, 1),
        .at = sqlite3_column_int64(stmt, 2),
        .kind = sqlite3_column_int64(stmt, 3),
        .outcome = sqlite3_column_int64(stmt, 4),
        .status = sqlite3_column_int64(stmt, 5),
        .response_id = journal_rows_text_at(stmt, 6),
        .message = journal_rows_text_at(stmt, 7),
        .who = journal_rows_text_at(stmt, 8),
        .note = journal_rows_text_at(stmt, 9),
        .seal = seal_at(stmt, 10),
    };
    journal_mark_content(journal, out, dropped, content);
    return out->seal.link.len == DIGEST_LEN && journal_content_digest(content) == out->seal.digest &&
           out->outcome >= 0 && out->outcome < JOURNAL_OUTCOME_COUNT;
}

/* ---- Digests of what was sent ---- */

bool journal_next_digest(const struct journal_bytes *digests, size_t *at, struct journal_digest_at *out) {
    const unsigned char *bytes = digests->s;
    if (!bytes || *at + 3 > digests->len)
        return false;
    size_t len = (size_t)bytes[*at + 1] << 8 | bytes[*at + 2];
    if (digests->len - *at - 3 < len + DIGEST_LEN)
        return false;
    *out = (struct journal_digest_at){.kind = (char)bytes[*at],
                                      .name = (const char *)bytes + *at + 3,
                                      .name_len = len,
                                      .digest = bytes + *at + 3 + len};
    *at += 3 + len + DIGEST_LEN;
    return true;
}

void journal_digest(struct journal *journal, const char *kind, const char *name, const char *bytes, size_t len,
                    unsigned char out[DIGEST_LEN]) {
    struct str *in = &journal->scratch;
    str_reset(in);
    journal_rows_add_text(in, kind);
    journal_rows_add_text(in, name);
    str_add_n(in, bytes, len);
    digest_keyed(out, journal->key.bytes, sizeof journal->key.bytes, in->s, in->len);
    secret_wipe(in->s, in->len);
    str_reset(in);
}

uint64_t journal_key_of(const unsigned char digest[DIGEST_LEN]) {
    return (uint64_t)journal_content_digest(digest);
}

uint64_t journal_draft_key(const char *draft) {
    return digest_short(draft, strlen(draft)) ^ 0x6472616674ULL;
}

bool journal_row_has(const struct journal_write_row *row, char kind, const char *name,
                     const unsigned char digest[DIGEST_LEN], bool *there) {
    struct journal_digest_at found;
    size_t len = strlen(name);
    *there = false;
    for (size_t at = 0; journal_next_digest(&row->digests, &at, &found);)
        if (found.kind == kind && found.name_len == len && memcmp(found.name, name, len) == 0) {
            *there = true;
            return memcmp(found.digest, digest, DIGEST_LEN) == 0;
        }
    return false;
}

static enum err journal_rows_read_row(struct journal *journal, int64_t n, sqlite3_stmt **stmt,
                                      struct journal_write_row *row, bool *there, struct error *error) {
    unsigned char content[DIGEST_LEN];
    *stmt = journal_stmt(journal, JSQL_WRITE);
    sqlite3_bind_int64(*stmt, 1, n);
    enum err err = db_step(&journal->db, *stmt, there, error);
    /* Its number was met when the file was checked: it cannot be missing. */
    if (err == ERR_OK && !*there && known_record(&journal->known, n) && !journal->reading)
        err = journal_damage(journal, error, "record %lld cannot be found any more", (long long)n);
    if (err == ERR_OK && *there && !journal_read_write(journal, *stmt, row, content))
        err = journal_damage(journal, error, "record %lld was altered", (long long)n);
    return err;
}

enum err journal_digest_is(struct journal *journal, int64_t n, const char *kind, const char *name,
                           const unsigned char digest[DIGEST_LEN], bool *there, bool *same, struct error *error) {
    sqlite3_stmt *stmt;
    struct journal_write_row row;
    *same = false;
    enum err err = journal_rows_read_row(journal, n, &stmt, &row, there, error);
    if (err == ERR_OK && *there)
        *same = journal_row_has(&row, kind[0], name, digest, there);
    sqlite3_reset(stmt);
    return err;
}

enum err journal_owner_ended(struct journal *journal, int64_t n, int64_t now, bool *ended, struct error *error) {
    sqlite3_stmt *stmt;
    struct journal_write_row row;
    bool there = false;
    enum err err = journal_rows_read_row(journal, n, &stmt, &row, &there, error);
    *ended = err == ERR_OK && there && !str_equal(row.owner, journal->owner.s) &&
             head_has_ended(&journal->head, row.owner, row.at, now);
    sqlite3_reset(stmt);
    return err;
}

/* ---- Records ---- */

void journal_records_init(struct journal_records *records) {
    *records = (struct journal_records){0};
}

void journal_records_clear(struct journal_records *records) {
    arena_clear(&records->arena);
    free(records->items);
    journal_records_init(records);
}

static const char *journal_rows_keep(struct arena *arena, const char *text) {
    return text ? arena_dup_n(arena, text, strlen(text)) : NULL;
}

static void keep_event(struct arena *arena, const struct journal_mark_row *row, struct journal_event *out) {
    *out = (struct journal_event){
        .at = row->at,
        .outcome = (enum journal_outcome)row->outcome,
        .status = (int)row->status,
        .response_id = journal_rows_keep(arena, row->response_id),
        .message = journal_rows_keep(arena, row->message),
        .who = journal_rows_keep(arena, row->who),
        .note = journal_rows_keep(arena, row->note),
    };
}

static void keep_team_name(struct arena *arena, const struct journal_write_row *row, struct journal_record *record) {
    struct journal_digest_at found;
    struct str hex;
    for (size_t at = 0; journal_next_digest(&row->digests, &at, &found);) {
        if (found.kind != JOURNAL_TEAM_NAME && found.kind != JOURNAL_TEAM_AWAY)
            continue;
        str_init(&hex, 2 * DIGEST_LEN + 1);
        digest_hex(&hex, found.digest, DIGEST_LEN);
        record->team = arena_dup_n(arena, hex.s, hex.len);
        record->team_away = found.kind == JOURNAL_TEAM_AWAY;
        str_clear(&hex);
    }
}

void journal_keep_record(struct journal *journal, const struct journal_write_row *row, struct journal_records *out) {
    struct journal_record *record = vec_add(out);
    struct arena *arena = &out->arena;
    const struct known_record *known = known_record(&journal->known, row->n);
    record->n = row->n;
    record->at = row->at;
    record->line = row->line;
    record->repeats = row->repeats;
    const char *const from[] = {row->who,       row->profile,     row->origin, row->environment,
                                row->operation, row->idempotency, row->draft,  row->import,
                                row->url,       row->fingerprint, row->account};
    const char **const to[] = {&record->who,       &record->profile,     &record->origin, &record->environment,
                               &record->operation, &record->idempotency, &record->draft,  &record->import,
                               &record->url,       &record->fingerprint, &record->account};
    for (size_t i = 0; i < COUNT_OF(from); i++)
        *to[i] = journal_rows_keep(arena, from[i]);
    keep_team_name(arena, row, record);
    record->last.at = row->at;
    record->last.outcome = JOURNAL_OUTCOME_UNKNOWN;
    record->settled = known && known->settled;
}

enum err journal_past_damage(struct journal *journal, enum err err, struct error *error) {
    if (err == ERR_OK || !journal->reading || !journal->db.damaged)
        return err;
    error_clear(error);
    return ERR_OK;
}

/* Mark m into event; ERR_OK with *there false only where reading past damage. */
static enum err read_mark(struct journal *journal, uint32_t m, struct arena *arena, struct journal_event *event,
                          bool *there, struct error *error) {
    unsigned char content[DIGEST_LEN];
    struct journal_mark_row row;
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_MARK);
    sqlite3_bind_int64(stmt, 1, m);
    enum err err = db_step(&journal->db, stmt, there, error);
    bool sound = err == ERR_OK && *there && journal_read_mark(journal, stmt, &row, content);
    if (sound)
        keep_event(arena, &row, event);
    else if (err == ERR_OK && !journal->reading)
        err = journal_damage(journal, error, "an outcome (mark %u) was altered or removed", m);
    *there = sound;
    sqlite3_reset(stmt);
    return journal_past_damage(journal, err, error);
}

enum err journal_add_last(struct journal *journal, struct journal_record *record, struct arena *arena,
                          struct error *error) {
    const struct known_record *known = known_record(&journal->known, record->n);
    bool there = false;
    return known && known->last ? read_mark(journal, known->last, arena, &record->last, &there, error) : ERR_OK;
}

enum err journal_collect(struct journal *journal, int64_t n, struct journal_records *out, struct error *error) {
    sqlite3_stmt *stmt;
    struct journal_write_row row;
    bool there = false;
    enum err err = journal_rows_read_row(journal, n, &stmt, &row, &there, error);
    if (err == ERR_OK && there)
        journal_keep_record(journal, &row, out);
    sqlite3_reset(stmt);
    return err == ERR_OK && there ? journal_add_last(journal, &out->items[out->n - 1], &out->arena, error) : err;
}

/* The chain of marks leads backwards. */
static enum err collect_events(struct journal *journal, struct journal_record *record, struct arena *arena,
                               struct error *error) {
    const struct known_record *known = known_record(&journal->known, record->n);
    size_t n = 0;
    for (uint32_t m = known ? known->last : 0; m; m = journal->known.marks[m].before)
        n++;
    struct journal_event *events = arena_new(arena, (n + 1) * sizeof *events);
    enum err err = ERR_OK;
    size_t at = n;
    for (uint32_t m = known ? known->last : 0; m && err == ERR_OK; m = journal->known.marks[m].before) {
        bool there = false;
        err = read_mark(journal, m, arena, &events[at - 1], &there, error);
        at -= there;
    }
    memmove(events, events + at, (n - at) * sizeof *events);
    record->events = events;
    record->n_events = n - at;
    return err;
}

static int journal_rows_by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static enum err collect_fields(struct journal *journal, struct journal_record *record, struct arena *arena,
                               struct error *error) {
    struct {
        const char **items;
        size_t n, cap;
    } names = {0};
    sqlite3_stmt *stmt;
    struct journal_write_row row;
    struct journal_digest_at found;
    bool there = false;
    enum err err = journal_rows_read_row(journal, record->n, &stmt, &row, &there, error);
    for (size_t at = 0; err == ERR_OK && there && journal_next_digest(&row.digests, &at, &found);)
        if (found.kind == 'f')
            *vec_add(&names) = arena_dup_n(arena, found.name, found.name_len);
    sqlite3_reset(stmt);
    const char **copy = arena_new(arena, (names.n + 1) * sizeof *copy);
    if (names.n) {
        memcpy(copy, names.items, names.n * sizeof *copy);
        qsort(copy, names.n, sizeof *copy, journal_rows_by_name);
    }
    record->fields = copy;
    record->n_fields = names.n;
    free(names.items);
    return err;
}

enum err journal_get(struct journal *journal, int64_t n, struct journal_records *out, struct error *error) {
    size_t before = out->n;
    enum err err = journal_look_begin(journal, true, error);
    if (err != ERR_OK)
        return err;
    err = journal_collect(journal, n, out, error);
    if (err == ERR_OK && out->n > before) {
        err = collect_events(journal, &out->items[before], &out->arena, error);
        if (err == ERR_OK)
            err = collect_fields(journal, &out->items[before], &out->arena, error);
    }
    return journal_look_end(journal, err, error);
}

static enum err find_named(struct journal *journal, const char *name, const unsigned char digest[DIGEST_LEN],
                           int64_t *out, struct error *error) {
    struct known_walk walk = known_find(&journal->known, journal_key_of(digest));
    enum err err = ERR_OK;
    for (int64_t n; err == ERR_OK && !*out && (n = known_next(&journal->known, &walk)) != 0;) {
        struct journal_records records;
        journal_records_init(&records);
        err = journal_collect(journal, n, &records, error);
        if (err == ERR_OK && records.n && str_equal(records.items[0].team, name))
            *out = n;
        journal_records_clear(&records);
    }
    return err;
}

enum err journal_find_team(struct journal *journal, const char *name, int64_t *n, struct error *error) {
    struct str bytes;
    *n = 0;
    str_init(&bytes, DIGEST_LEN + 1);
    bool whole = digest_from_hex(&bytes, name, strlen(name)) && bytes.len == DIGEST_LEN;
    enum err err = whole ? journal_look_begin(journal, true, error) : ERR_OK;
    if (whole && err == ERR_OK)
        err = journal_look_end(journal, find_named(journal, name, (const unsigned char *)bytes.s, n, error), error);
    str_clear(&bytes);
    return err;
}

const char *journal_owner(const struct journal *journal) {
    return journal->owner.s;
}

bool journal_has_ended(const struct journal *journal, const char *owner, int64_t began, int64_t now) {
    return !str_equal(owner, journal->owner.s) && head_has_ended(&journal->head, owner, began, now);
}
