#include "journal_own.h"

#include "base/secret.h"
#include "model/user.h"

#include <stdlib.h>
#include <string.h>

enum { EARLIER_ROOM = 8 };

static bool is_text(const char *text, const char *other) {
    return strcmp(text ? text : "", other ? other : "") == 0;
}

/* Records of before accounts were kept may be of any. */
static bool is_place(const char *origin, const char *account, const struct journal_scope *scope) {
    return is_text(origin, scope->origin) && (!account || is_text(account, scope->account));
}

bool journal_same_place(const struct journal_record *record, const struct journal_scope *scope) {
    return is_place(record->origin, record->account, scope);
}

bool journal_in_scope(const struct journal_record *record, const struct journal_scope *scope) {
    return journal_same_place(record, scope) && is_text(record->profile, scope->profile);
}

/* ---- Lists ---- */

static bool journal_read_is_wanted(const struct journal_write_row *row, const struct journal_filter *filter,
                                   const unsigned char *match) {
    const char *const pairs[][2] = {{filter->operation, row->operation}, {filter->profile, row->profile},
                                    {filter->origin, row->origin},       {filter->who, row->who},
                                    {filter->import, row->import},       {filter->draft, row->draft}};
    bool there;
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        if (pairs[i][0] && !str_equal(pairs[i][0], pairs[i][1]))
            return false;
    if (filter->scope &&
        !(is_place(row->origin, row->account, filter->scope) && is_text(row->profile, filter->scope->profile)))
        return false;
    if ((filter->since && row->at < filter->since) || (filter->until && row->at >= filter->until))
        return false;
    return !match || journal_row_has(row, 'm', filter->match->name, match, &there);
}

static bool stands_at(const struct journal *journal, int64_t n, int outcome) {
    const struct known_record *known = known_record(&journal->known, n);
    return outcome < 0 || (known && known->outcome == outcome);
}

static enum err add_lasts(struct journal *journal, struct journal_records *out, size_t from, struct error *error) {
    enum err err = ERR_OK;
    for (size_t i = from; i < out->n && err == ERR_OK; i++)
        err = journal_add_last(journal, &out->items[i], &out->arena, error);
    return err;
}

struct listing {
    const struct journal_filter *filter;
    const unsigned char *match; /* NULL: none */
    struct journal_records *out;
    int64_t reached; /* the number of the last row met */
};

/* What the statement gives, until `most` records stand in the list (0: all) or one has a number of `end` or above. */
static enum err list_step(struct journal *journal, sqlite3_stmt *stmt, struct listing *listing, size_t most,
                          int64_t end, struct error *error) {
    struct journal_write_row row;
    unsigned char content[DIGEST_LEN];
    bool there = true;
    enum err err = ERR_OK;
    while (err == ERR_OK && (most == 0 || listing->out->n < most)) {
        err = db_step(&journal->db, stmt, &there, error);
        if (err != ERR_OK || !there || sqlite3_column_int64(stmt, 0) >= end)
            break;
        listing->reached = sqlite3_column_int64(stmt, 0);
        if (!stands_at(journal, listing->reached, listing->filter->outcome))
            continue;
        if (!journal_read_write(journal, stmt, &row, content)) {
            if (!journal->reading)
                err = journal_damage(journal, error, "record %lld was altered", (long long)row.n);
        } else if (journal_read_is_wanted(&row, listing->filter, listing->match)) {
            journal_keep_record(journal, &row, listing->out);
        }
    }
    sqlite3_reset(stmt);
    return err;
}

/* The records below a page that cannot be read: they are met from the bottom upwards. */
static void list_below(struct journal *journal, struct listing *listing, size_t most) {
    struct journal_records *out = listing->out;
    size_t from = out->n;
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_WRITES_AFTER);
    sqlite3_bind_int64(stmt, 1, 0);
    enum err err = list_step(journal, stmt, listing, 0, listing->reached, NULL);
    (void)err; /* the damage is told beside the list */
    for (size_t i = from, j = out->n; i + 1 < j; i++) {
        struct journal_record swapped = out->items[i];
        out->items[i] = out->items[--j];
        out->items[j] = swapped;
    }
    out->n = most > 0 && out->n > most ? most : out->n;
}

static enum err list_rows(struct journal *journal, const struct journal_filter *filter, const unsigned char *match,
                          struct journal_records *out, struct error *error) {
    size_t from = out->n, most = filter->limit > 0 ? from + filter->limit : 0;
    struct listing listing = {filter, match, out, filter->before ? filter->before : INT64_MAX};
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_WRITES_BEFORE);
    sqlite3_bind_int64(stmt, 1, listing.reached);
    enum err err = list_step(journal, stmt, &listing, most, INT64_MAX, error);
    bool cut = err != ERR_OK;
    err = journal_past_damage(journal, err, error);
    if (cut && err == ERR_OK)
        list_below(journal, &listing, most);
    return err == ERR_OK ? add_lasts(journal, out, from, error) : err;
}

enum err journal_list(struct journal *journal, const struct journal_filter *filter, struct journal_records *out,
                      struct error *error) {
    unsigned char digest[DIGEST_LEN];
    const struct journal_value *match = filter->match;
    if (match)
        journal_digest(journal, "match", match->name, match->text, strlen(match->text), digest);
    /* The newest screenful is shown before older records are checked. */
    bool whole =
        filter->limit == 0 || filter->limit > JOURNAL_NEWEST / 2 || filter->before || match || filter->outcome >= 0;
    enum err err = journal_look_begin(journal, whole, error);
    if (err != ERR_OK)
        return err;
    return journal_look_end(journal, list_rows(journal, filter, match ? digest : NULL, out, error), error);
}

enum err journal_counts(struct journal *journal, int64_t counts[JOURNAL_OUTCOME_COUNT], struct error *error) {
    enum err err = journal_look_begin(journal, true, error);
    if (err == ERR_OK)
        err = journal_look_end(journal, err, error);
    memcpy(counts, journal->known.counts, JOURNAL_OUTCOME_COUNT * sizeof *counts);
    return err;
}

/* ---- Earlier writes alike ---- */

void journal_others_clear(struct journal_others *others) {
    free(others->profile);
    *others = (struct journal_others){0};
}

static void note_other(const char *profile, struct journal_others *others) {
    if (!others->profile)
        others->profile = mem_dup(profile ? profile : "");
    others->n++;
}

struct alike {
    const struct journal_scope *scope;
    char kind;
    const char *name;
    unsigned char digest[DIGEST_LEN];
    size_t found; /* with effect, read or not */
};

/* Reads record n where it holds the digest; the 64 bits of the key alone are no proof. */
static enum err add_alike(struct journal *journal, const struct alike *alike, int64_t n, struct journal_records *out,
                          struct error *error) {
    bool there, same;
    const char *kind = alike->kind == 'b' ? "body" : "match";
    enum err err = journal_digest_is(journal, n, kind, alike->name, alike->digest, &there, &same, error);
    return err == ERR_OK && same ? journal_collect(journal, n, out, error) : err;
}

/* A hundred thousand records may share one telephone number: all are counted, in memory, and only the newest few are
 * read. */
static enum err journal_read_find_alike(struct journal *journal, struct alike *alike, bool with_effect_only,
                                        struct journal_records *out, struct journal_others *others,
                                        struct error *error) {
    struct known_walk walk = known_find(&journal->known, journal_key_of(alike->digest));
    size_t read[2] = {0, 0};
    enum err err = ERR_OK;
    for (int64_t n; err == ERR_OK && (n = known_next(&journal->known, &walk)) != 0;) {
        const struct known_record *record = known_record(&journal->known, n);
        const struct known_scope *scope = record ? known_scope(&journal->known, record) : NULL;
        if (!scope || !is_place(scope->origin, scope->account, alike->scope))
            continue;
        bool effect = journal_had_effect((enum journal_outcome)record->outcome);
        bool own = is_text(scope->profile, alike->scope->profile);
        if (!own && effect && others)
            note_other(scope->profile, others);
        if (!own || (!effect && with_effect_only))
            continue;
        alike->found += effect;
        if (read[effect] < JOURNAL_ALIKE_MAX)
            err = add_alike(journal, alike, n, out, error);
        read[effect]++;
    }
    return err;
}

void journal_duplicates_init(struct journal_duplicates *duplicates) {
    *duplicates = (struct journal_duplicates){0};
}

void journal_duplicates_clear(struct journal_duplicates *duplicates) {
    journal_records_clear(&duplicates->records);
    journal_others_clear(&duplicates->others);
    free(duplicates->items);
    journal_duplicates_init(duplicates);
}

static int journal_read_newest_first(const void *a, const void *b, void *context) {
    const struct journal_duplicate *x = a, *y = b;
    const struct journal_record *records = context;
    int64_t m = records[x->record].n, n = records[y->record].n;
    return m != n ? (m > n ? -1 : 1) : (x->match > y->match) - (x->match < y->match);
}

/* A digest is not made anew when numbers come to be compared otherwise: a record is met by the form of its time too. */
static enum err find_twins(struct journal *journal, const struct journal_scope *scope,
                           const struct journal_value *match, size_t index, struct journal_duplicates *out,
                           struct error *error) {
    struct alike alike = {.scope = scope, .kind = 'm', .name = match->name};
    size_t before = out->records.n;
    struct str text;
    str_init(&text, strlen(match->text) + EARLIER_ROOM);
    str_add(&text, match->text);
    enum err err = ERR_OK;
    bool phone = strcmp(match->name, user_match_name(USER_MATCH_PHONE)) == 0, more = true;
    for (size_t i = 0; more && err == ERR_OK; i++) {
        journal_digest(journal, "match", match->name, text.s, text.len, alike.digest);
        err = journal_read_find_alike(journal, &alike, true, &out->records, &out->others, error);
        str_reset(&text);
        more = phone && user_phone_earlier(match->text, i, &text);
    }
    secret_clear_str(&text);
    out->found += alike.found;
    for (size_t at = before; at < out->records.n; at++)
        *vec_add(out) = (struct journal_duplicate){at, index};
    return err;
}

enum err journal_duplicates(struct journal *journal, const struct journal_scope *scope,
                            const struct journal_value *matches, size_t n, struct journal_duplicates *out,
                            struct error *error) {
    enum err err = journal_look_begin(journal, true, error);
    if (err != ERR_OK)
        return err;
    for (size_t i = 0; i < n && err == ERR_OK; i++)
        if (matches[i].text && *matches[i].text)
            err = find_twins(journal, scope, &matches[i], i, out, error);
    if (out->n > 1)
        qsort_r(out->items, out->n, sizeof *out->items, journal_read_newest_first, out->records.items);
    return journal_look_end(journal, err, error);
}

enum err journal_same_body(struct journal *journal, const struct journal_scope *scope, const char *body, size_t len,
                           struct journal_records *out, struct journal_others *others, struct error *error) {
    struct alike alike = {.scope = scope, .kind = 'b', .name = ""};
    journal_digest(journal, "body", "", body, len, alike.digest);
    enum err err = journal_look_begin(journal, true, error);
    if (err != ERR_OK)
        return err;
    return journal_look_end(journal, journal_read_find_alike(journal, &alike, false, out, others, error), error);
}

/* ---- Who was registered ---- */

/* Of the records, each once: several marks of one name the id where it was settled later. */
static enum err find_registered(struct journal *journal, const char *id, struct journal_numbers *out,
                                struct error *error) {
    sqlite3_stmt *stmt = journal_stmt(journal, JSQL_MARKS_OF_ID);
    bool there = true;
    enum err err = ERR_OK;
    sqlite3_bind_text(stmt, 1, id, -1, SQLITE_STATIC);
    while (err == ERR_OK && there) {
        err = db_step(&journal->db, stmt, &there, error);
        if (err == ERR_OK && there)
            *vec_add(out) = sqlite3_column_int64(stmt, 0);
    }
    sqlite3_reset(stmt);
    return err;
}

/* Records of other places and of other operations may bear the same id: they take no place of those that are kept. */
enum err journal_registered(struct journal *journal, const struct journal_scope *scope, const char *id,
                            struct journal_records *out, struct error *error) {
    struct journal_numbers numbers = {0};
    size_t before = out->n;
    enum err err = journal_look_begin(journal, true, error);
    if (err == ERR_OK)
        err = journal_look_end(journal, find_registered(journal, id, &numbers, error), error);
    for (size_t i = 0; i < numbers.n && out->n - before < JOURNAL_ALIKE_MAX && err == ERR_OK; i++) {
        size_t kept = out->n;
        err = journal_get(journal, numbers.items[i], out, error);
        if (err == ERR_OK && out->n > kept &&
            (!str_equal(out->items[kept].operation, JOURNAL_USER) || !journal_in_scope(&out->items[kept], scope)))
            out->n = kept;
    }
    free(numbers.items);
    return err;
}

/* ---- Comparing ---- */

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

static enum err journal_read_compare(struct journal *journal, int64_t n, const struct journal_write *with,
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

enum err journal_compare(struct journal *journal, int64_t n, const struct journal_write *with,
                         enum journal_same *fields, bool *body_same, struct error *error) {
    enum err err = journal_look_begin(journal, true, error);
    if (err != ERR_OK)
        return err;
    return journal_look_end(journal, journal_read_compare(journal, n, with, fields, body_same, error), error);
}

/* ---- Webhooks ---- */

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
    if (!journal_had_effect(record->last.outcome) || out->unknown_since != 0)
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
            if (journal_had_effect(record->last.outcome)) {
                out->others.is_signed = out->others.profile ? out->others.is_signed : record->fingerprint != NULL;
                note_other(record->profile, &out->others);
            }
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
