#include "journal_own.h"

#include <stdlib.h>
#include <string.h>

static void bind_match(struct journal *journal, sqlite3_stmt *stmt, const struct journal_value *match) {
    unsigned char digest[DIGEST_LEN];
    if (match)
        journal_digest(journal, "match", match->name, match->text, strlen(match->text), digest);
    sqlite3_bind_blob(stmt, 12, match ? digest : NULL, match ? DIGEST_LEN : 0, SQLITE_TRANSIENT);
    journal_bind(stmt, 13, match ? match->name : NULL);
}

enum err journal_list(struct journal *journal, const struct journal_filter *filter, struct journal_records *out,
                      struct error *error) {
    const char *const texts[] = {filter->operation, filter->profile, filter->origin,
                                 filter->who,       filter->import,  filter->draft};
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_RECORDS);
    for (int i = 0; i < (int)COUNT_OF(texts); i++)
        journal_bind(stmt, i + 1, texts[i]);
    sqlite3_bind_int(stmt, 7, filter->outcome);
    sqlite3_bind_int64(stmt, 8, filter->since);
    sqlite3_bind_int64(stmt, 9, filter->until);
    sqlite3_bind_int64(stmt, 10, filter->before);
    sqlite3_bind_int64(stmt, 11, filter->limit == 0 ? -1 : (int64_t)filter->limit);
    bind_match(journal, stmt, filter->match);
    return journal_collect(journal, stmt, out, error);
}

enum err journal_counts(struct journal *journal, int64_t counts[JOURNAL_OUTCOME_COUNT], struct error *error) {
    memset(counts, 0, JOURNAL_OUTCOME_COUNT * sizeof *counts);
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_OUTCOMES);
    enum err err = ERR_OK;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&journal->db, stmt, &row, error);
        int64_t outcome = row ? sqlite3_column_int64(stmt, 0) : -1;
        if (outcome >= 0 && outcome < JOURNAL_OUTCOME_COUNT)
            counts[outcome] = sqlite3_column_int64(stmt, 1);
    }
    return err;
}

static bool is_text(const char *text, const char *other) {
    return strcmp(text ? text : "", other ? other : "") == 0;
}

/* Records of before accounts were kept may be of any. */
bool journal_same_place(const struct journal_record *record, const struct journal_scope *scope) {
    return is_text(record->origin, scope->origin) && (!record->account || is_text(record->account, scope->account));
}

bool journal_in_scope(const struct journal_record *record, const struct journal_scope *scope) {
    return journal_same_place(record, scope) && is_text(record->profile, scope->profile);
}

static bool had_effect(const struct journal_record *record) {
    return record->last.outcome != JOURNAL_OUTCOME_REFUSED && record->last.outcome != JOURNAL_OUTCOME_NOT_SENT;
}

void journal_others_clear(struct journal_others *others) {
    free(others->profile);
    *others = (struct journal_others){0};
}

/* Those under another profile's name are counted and dropped from the list. */
static void part_others(struct journal_records *records, size_t from, const char *profile,
                        struct journal_others *others) {
    size_t kept = from;
    for (size_t i = from; i < records->n; i++) {
        if (is_text(records->items[i].profile, profile)) {
            records->items[kept++] = records->items[i];
        } else if (others && had_effect(&records->items[i])) {
            if (!others->profile)
                others->profile = mem_dup(records->items[i].profile);
            others->n++;
        }
    }
    records->n = kept;
}

static enum err by_digest(struct journal *journal, const struct journal_scope *scope, const char *kind,
                          const struct journal_value *value, size_t len, struct journal_records *out,
                          struct journal_others *others, struct error *error) {
    size_t before = out->n;
    unsigned char digest[DIGEST_LEN];
    journal_digest(journal, kind, value->name, value->text, len, digest);
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_BY_DIGEST);
    journal_bind(stmt, 1, scope->origin ? scope->origin : "");
    journal_bind(stmt, 5, scope->account ? scope->account : "");
    sqlite3_bind_blob(stmt, 2, digest, DIGEST_LEN, SQLITE_TRANSIENT);
    journal_bind(stmt, 3, kind);
    journal_bind(stmt, 4, value->name);
    enum err err = journal_collect(journal, stmt, out, error);
    part_others(out, before, scope->profile, others);
    return err;
}

void journal_twins_init(struct journal_twins *twins) {
    *twins = (struct journal_twins){0};
}

void journal_twins_clear(struct journal_twins *twins) {
    journal_records_clear(&twins->records);
    journal_others_clear(&twins->others);
    free(twins->items);
    journal_twins_init(twins);
}

static int newest_first(const void *a, const void *b, void *context) {
    const struct journal_twin *x = a, *y = b;
    const struct journal_record *records = context;
    int64_t m = records[x->record].n, n = records[y->record].n;
    return m != n ? (m > n ? -1 : 1) : (x->match > y->match) - (x->match < y->match);
}

enum err journal_duplicates(struct journal *journal, const struct journal_scope *scope,
                            const struct journal_value *matches, size_t n, struct journal_twins *out,
                            struct error *error) {
    enum err err = ERR_OK;
    for (size_t i = 0; i < n && err == ERR_OK; i++) {
        size_t before = out->records.n;
        if (matches[i].text && *matches[i].text)
            err = by_digest(journal, scope, "match", &matches[i], strlen(matches[i].text), &out->records, &out->others,
                            error);
        for (size_t at = before; at < out->records.n; at++)
            if (had_effect(&out->records.items[at]))
                *vec_add(out) = (struct journal_twin){at, i};
    }
    if (out->n > 1)
        qsort_r(out->items, out->n, sizeof *out->items, newest_first, out->records.items);
    return err;
}

enum err journal_same_body(struct journal *journal, const struct journal_scope *scope, const char *body, size_t len,
                           struct journal_records *out, struct journal_others *others, struct error *error) {
    return by_digest(journal, scope, "body", &(struct journal_value){"", body}, len, out, others, error);
}

static enum err compare_one(struct journal *journal, int64_t n, const struct journal_value *value,
                            enum journal_same *out, struct error *error) {
    unsigned char digest[DIGEST_LEN];
    bool there, same;
    const char *text = value->text ? value->text : "";
    journal_digest(journal, "field", value->name, text, strlen(text), digest);
    enum err err = journal_digest_is(journal, n, "field", value->name, digest, &there, &same, error);
    *out = !there ? JOURNAL_NEW : same ? JOURNAL_SAME : JOURNAL_CHANGED;
    return err;
}

enum err journal_compare(struct journal *journal, int64_t n, const struct journal_write *with,
                         enum journal_same *fields, bool *body_same, struct error *error) {
    unsigned char digest[DIGEST_LEN];
    bool there;
    journal_digest(journal, "body", "", with->body ? with->body : "", with->body_len, digest);
    enum err err = journal_digest_is(journal, n, "body", "", digest, &there, body_same, error);
    for (size_t i = 0; i < with->n_fields && err == ERR_OK; i++) {
        fields[i] = JOURNAL_NOT_KNOWN;
        if (there)
            err = compare_one(journal, n, &with->fields[i], &fields[i], error);
    }
    return err;
}

void journal_webhook_clear(struct journal_webhook *webhook) {
    journal_records_clear(&webhook->records);
    journal_others_clear(&webhook->others);
    *webhook = (struct journal_webhook){0};
}

/* The records of a list, but for one, are dropped. */
static void keep_one(struct journal_records *records, size_t index) {
    records->items[0] = records->items[index];
    records->n = 1;
}

static void note_unknown(const struct journal_record *record, struct journal_webhook *out) {
    if (!had_effect(record) || out->unknown_since != 0)
        return;
    out->unknown_since = record->n;
    out->unknown_url = record->url;
    out->unknown_fingerprint = record->fingerprint;
    out->unknown_ended = record->last.outcome == JOURNAL_OUTCOME_UNKNOWN;
}

enum err journal_webhook_last(struct journal *journal, const struct journal_scope *scope, struct journal_webhook *out,
                              struct error *error) {
    *out = (struct journal_webhook){0};
    struct journal_filter filter = JOURNAL_ANY;
    filter.operation = JOURNAL_WEBHOOK;
    filter.origin = scope->origin;
    enum err err = journal_list(journal, &filter, &out->records, error);
    for (size_t i = 0; i < out->records.n && err == ERR_OK; i++) {
        const struct journal_record *record = &out->records.items[i];
        if (!journal_same_place(record, scope))
            continue;
        if (!is_text(record->profile, scope->profile)) {
            if (had_effect(record) && out->others.n++ == 0)
                out->others.profile = mem_dup(record->profile ? record->profile : "");
        } else if (record->last.outcome == JOURNAL_OUTCOME_DONE) {
            keep_one(&out->records, i);
            return ERR_OK;
        } else {
            note_unknown(record, out);
        }
    }
    out->records.n = 0;
    return err;
}

/* The list is newest first: a profile's last registration is the first that names it. */
static bool is_last_of_profile(const struct journal_records *all, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (str_equal(all->items[i].profile, all->items[index].profile))
            return false;
    return true;
}

enum err journal_secret_shared(struct journal *journal, const struct journal_scope *scope, const char *fingerprint,
                               struct journal_records *out, struct error *error) {
    struct journal_filter filter = JOURNAL_ANY;
    filter.operation = JOURNAL_WEBHOOK;
    filter.outcome = JOURNAL_OUTCOME_DONE;
    struct journal_records all;
    journal_records_init(&all);
    enum err err = journal_list(journal, &filter, &all, error);
    for (size_t i = 0; i < all.n; i++)
        if (is_last_of_profile(&all, i) && str_equal(all.items[i].fingerprint, fingerprint) &&
            !journal_same_place(&all.items[i], scope) && err == ERR_OK)
            err = journal_get(journal, all.items[i].n, out, error);
    journal_records_clear(&all);
    return err;
}

enum { SCOPE_NAME_BYTES = 8, BODY_NAME_BYTES = 16 };

void journal_body_name(struct journal *journal, const struct journal_scope *scope, const char *body, size_t len,
                       struct str *out) {
    unsigned char digest[DIGEST_LEN];
    struct str place;
    str_init(&place, 1 << 16);
    str_addf(&place, "%s\n%s\n%s", scope->origin, scope->profile ? scope->profile : "",
             scope->account ? scope->account : "");
    journal_digest(journal, "name", "scope", place.s, place.len, digest);
    digest_hex(out, digest, SCOPE_NAME_BYTES);
    str_add_char(out, '-');
    journal_digest(journal, "name", "body", body, len, digest);
    digest_hex(out, digest, BODY_NAME_BYTES);
    str_clear(&place);
}
