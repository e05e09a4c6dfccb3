#ifndef STORE_JOURNAL_OWN_H
#define STORE_JOURNAL_OWN_H
/* What the files of the journal share. Every write and every mark is an entry of one chain: numbered from 1 without a
 * gap (seq), with a digest over all its columns and a link, the digest of the link before it and of that content. So an
 * entry that was altered, removed or put elsewhere shows. The number and link of the last entry stand in the head file
 * beside the database as well, so that a lost end shows too. No index is kept on disk: what duplicate looks need is
 * built in memory from the very rows that were checked (journal_known). */

#include "journal_head.h"
#include "journal_known.h"
#include "store/db.h"

#include "base/digest.h"
#include "store/journal.h"

enum {
    JOURNAL_SCHEMA = 2,
    JOURNAL_APPLICATION = 0x4252534a /* "BRSJ" */,
    JOURNAL_TEXT_MAX = 1 << 20,
    JOURNAL_NEWEST = 10000, /* records that are checked before an opening returns */
};

#define WRITE_COLUMNS                                                                                             \
    "n, at, who, profile, origin, environment, operation, owner, idempotency, draft, import, line, repeats, url," \
    " fingerprint, account, digests, salt, dropped, digest, seq, link"
#define MARK_COLUMNS \
    "m, n, at, kind, outcome, status, response_id, message, who, note, salt, dropped, digest, seq, link"

/* NOT INDEXED: by the table itself and never by an index, should a file ever have one. */
#define JOURNAL_SQL_TABLE(X)                                                                                        \
    X(WRITE_ADD, "INSERT INTO writes(" WRITE_COLUMNS ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"  \
                 " ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)")                                              \
    X(MARK_ADD, "INSERT INTO marks(" MARK_COLUMNS ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"     \
                " ?13, ?14, ?15)")                                                                                  \
    X(WRITE, "SELECT " WRITE_COLUMNS " FROM writes NOT INDEXED WHERE n = ?1")                                       \
    X(MARK, "SELECT " MARK_COLUMNS " FROM marks NOT INDEXED WHERE m = ?1")                                          \
    X(WRITE_LAST, "SELECT " WRITE_COLUMNS " FROM writes NOT INDEXED ORDER BY n DESC LIMIT 1")                       \
    X(MARK_LAST, "SELECT " MARK_COLUMNS " FROM marks NOT INDEXED ORDER BY m DESC LIMIT 1")                          \
    X(MARK_KEY_FIRST, "SELECT " MARK_COLUMNS " FROM marks NOT INDEXED WHERE kind = 1 ORDER BY m LIMIT 1")           \
    X(WRITES_AFTER, "SELECT " WRITE_COLUMNS " FROM writes NOT INDEXED WHERE n > ?1 ORDER BY n")                     \
    X(MARKS_AFTER, "SELECT " MARK_COLUMNS " FROM marks NOT INDEXED WHERE m > ?1 ORDER BY m")                        \
    X(WRITES_BEFORE, "SELECT " WRITE_COLUMNS " FROM writes NOT INDEXED WHERE n < ?1 ORDER BY n DESC")               \
    X(MARKS_BEFORE, "SELECT " MARK_COLUMNS " FROM marks NOT INDEXED WHERE m < ?1 ORDER BY m DESC")                  \
    X(MARKS_OF_ID, "SELECT DISTINCT n FROM marks NOT INDEXED WHERE kind = 0 AND response_id = ?1 ORDER BY n DESC")  \
    X(PURGE_WRITE, "UPDATE writes SET owner = '', idempotency = NULL, draft = NULL, import = NULL, digests = NULL," \
                   " salt = NULL, dropped = ?2 WHERE n = ?1")                                                       \
    X(PURGE_MARK, "UPDATE marks SET message = NULL, note = NULL, salt = NULL, dropped = ?2 WHERE m = ?1")

enum journal_sql {
#define X(code, text) JSQL_##code,
    JOURNAL_SQL_TABLE(X)
#undef X
        JSQL_COUNT
};
extern const char *const journal_sql[JSQL_COUNT];
extern const struct schema journal_schema;

/* What was sent, kept in memory until the answer is in, to take it out of messages that quote it. */
struct journal_pending {
    int64_t n;
    struct str values; /* each NUL-terminated */
    bool secret;       /* no id keeps any of them */
};

struct journal_bytes {
    const void *s;
    size_t len;
};

/* What binds a row into the chain. Columns that a purge removes are part of the content by `dropped`, the salted digest
 * of them all: a purge puts that in their place, and the content and every link stay as they were. */
struct journal_seal {
    int64_t seq, digest;
    struct journal_bytes link, salt, dropped;
};

/* Digests of what was sent, one after the other: kind ('b', 'f', 'm'), two bytes of length, name, DIGEST_LEN bytes. */
struct journal_write_row {
    int64_t n, at;
    const char *who, *profile, *origin, *environment, *operation, *owner, *idempotency, *draft, *import;
    int64_t line, repeats;
    const char *url, *fingerprint, *account;
    struct journal_bytes digests;
    struct journal_seal seal;
};

/* Marks of number 0 belong to no write. */
enum journal_mark_kind {
    MARK_OUTCOME,
    MARK_KEY,     /* note: digest by which the machine's key is known */
    MARK_PURGE,   /* note: records from before this time may have been purged */
    MARK_UPGRADE, /* note: version that the records before came from */
};
struct journal_mark_row {
    int64_t m, n, at;
    int64_t kind, outcome, status;
    const char *response_id, *message, *who, *note;
    struct journal_seal seal;
};

/* How far the chain was checked. */
struct journal_tail {
    int64_t seq, n, m;
    unsigned char link[DIGEST_LEN];
};

struct journal {
    struct db db;
    struct machine_key key;
    struct str owner, scratch;
    struct journal_head head;
    struct journal_known known;
    struct journal_tail tail;   /* the newest entry checked; what comes after it is caught up with */
    struct journal_tail staged; /* within a transaction: the newest added */
    struct {
        bool due;
        struct journal_tail at, until; /* entries older than the newest are checked from at to until */
    } rest;
    struct journal_head_note noted;    /* of the head file at opening */
    bool noted_met;                    /* that entry was met, and is the same */
    int64_t purged_before;             /* the latest time that any purge names */
    int64_t purged_newest;             /* when the newest purged row was made; 0: none */
    char key_note[DIGEST_LEN * 2 + 1]; /* of the newest MARK_KEY */
    int64_t key_mark;
    bool reading;                   /* a handle that only reads, in whatever state the file is */
    char fault[ERROR_TEXT_MAX / 2]; /* what is damaged, the first that was met; "": nothing */
    struct str faults;              /* each, one a line, as many as fit */
    size_t n_faults;
    struct {
        struct journal_pending *items;
        size_t n, cap;
    } pending;
};

/* ---- Rows (journal_rows.c) ---- */

/* Content of a row; where `dropped` is not set it is made, from salt, into dropped_out. */
void journal_write_content(struct journal *journal, const struct journal_write_row *row,
                           unsigned char dropped_out[DIGEST_LEN], unsigned char out[DIGEST_LEN]);
void journal_mark_content(struct journal *journal, const struct journal_mark_row *row,
                          unsigned char dropped_out[DIGEST_LEN], unsigned char out[DIGEST_LEN]);
int64_t journal_content_digest(const unsigned char content[DIGEST_LEN]);
void journal_next_link(const unsigned char before[DIGEST_LEN], const unsigned char content[DIGEST_LEN],
                       unsigned char out[DIGEST_LEN]);

sqlite3_stmt *journal_stmt(struct journal *journal, enum journal_sql sql);
void journal_bind(sqlite3_stmt *stmt, int at, const char *text);

/* Kinds among the digests that are names of a record in a team's store: recorded there first, or to be merged. */
enum { JOURNAL_TEAM_NAME = 't', JOURNAL_TEAM_AWAY = 'a' };

/* What every version has, in its columns; the rest of the row is nothing. Strings as below. */
void journal_read_columns(sqlite3_stmt *stmt, struct journal_write_row *out);
/* Read a row; false: its own digest does not hold. Strings live until the statement moves on. */
bool journal_read_write(struct journal *journal, sqlite3_stmt *stmt, struct journal_write_row *out,
                        unsigned char content[DIGEST_LEN]);
bool journal_read_mark(struct journal *journal, sqlite3_stmt *stmt, struct journal_mark_row *out,
                       unsigned char content[DIGEST_LEN]);
/* Walks the packed digests; false at their end or where they do not hold together. */
struct journal_digest_at {
    char kind;
    const char *name;
    size_t name_len;
    const unsigned char *digest;
};
bool journal_next_digest(const struct journal_bytes *digests, size_t *at, struct journal_digest_at *out);

/* Keyed digest of a named value: kind "body", "field" or "match". */
void journal_digest(struct journal *journal, const char *kind, const char *name, const char *bytes, size_t len,
                    unsigned char out[DIGEST_LEN]);
/* Whether a row holds that digest; *there: it has one of that kind and name. */
bool journal_row_has(const struct journal_write_row *row, char kind, const char *name,
                     const unsigned char digest[DIGEST_LEN], bool *there);
uint64_t journal_key_of(const unsigned char digest[DIGEST_LEN]);
uint64_t journal_draft_key(const char *draft);

/* Appends record n, its outcome by the marks in memory; none: it is not there. */
enum err journal_collect(struct journal *journal, int64_t n, struct journal_records *out,
                         struct error *error) MUST_CHECK;
void journal_keep_record(struct journal *journal, const struct journal_write_row *row, struct journal_records *out);
/* Whether the program that began record n has ended. */
enum err journal_owner_ended(struct journal *journal, int64_t n, int64_t now, bool *ended,
                             struct error *error) MUST_CHECK;
struct journal_numbers {
    int64_t *items;
    size_t n, cap;
};
/* Fills record->last by the marks in memory. */
/* Of a handle that reads a damaged file: what cannot be read is left out, and is no error. */
enum err journal_past_damage(struct journal *journal, enum err err, struct error *error) MUST_CHECK;
enum err journal_add_last(struct journal *journal, struct journal_record *record, struct arena *arena,
                          struct error *error) MUST_CHECK;
/* Whether record n has that digest; *there: any of that kind and name. */
enum err journal_digest_is(struct journal *journal, int64_t n, const char *kind, const char *name,
                           const unsigned char digest[DIGEST_LEN], bool *there, bool *same,
                           struct error *error) MUST_CHECK;

/* ---- The chain (journal_chain.c) ---- */

/* Damage: said once, kept, and from then on nothing is written. */
enum err journal_damage(struct journal *journal, struct error *error, const char *format, ...) PRINTF_LIKE(3, 4);
/* The newest entries, in one go; the rest stays due. */
enum err journal_check_newest(struct journal *journal, struct error *error) MUST_CHECK;
/* What others have added since. */
enum err journal_catch_up(struct journal *journal, struct error *error) MUST_CHECK;
/* All that is due. */
enum err journal_check_whole(struct journal *journal, struct error *error) MUST_CHECK;
/* Every sound row of a file in whatever state; faults are counted and the first is kept. */
void journal_read_sound(struct journal *journal);
struct journal *journal_new(void);

/* A transaction that adds: nothing is added to a journal that was not checked whole. */
enum err journal_add_begin(struct journal *journal, struct error *error) MUST_CHECK;
enum err journal_add_end(struct journal *journal, enum err err, struct error *error) MUST_CHECK;
/* One moment for what is read, all of it checked. */
enum err journal_look_begin(struct journal *journal, bool whole, struct error *error) MUST_CHECK;
enum err journal_look_end(struct journal *journal, enum err err, struct error *error) MUST_CHECK;

/* Within a transaction that adds. n or m, seq and seal are filled. */
enum err journal_append_write(struct journal *journal, struct journal_write_row *row, struct error *error) MUST_CHECK;
enum err journal_append_mark(struct journal *journal, struct journal_mark_row *row, struct error *error) MUST_CHECK;

/* Version 1 made into this one, in one transaction. */
enum err journal_upgrade(struct journal *journal, int64_t now, struct error *error) MUST_CHECK;

/* An earlier write that stands in the way (journal_locks.c), found within the transaction that adds. */
enum err journal_check_locks(struct journal *journal, const struct journal_write *write, int64_t *obstacle,
                             struct error *error) MUST_CHECK;
/* Where record n stands; ERR_INVALID where there is none. */
enum err journal_standing(struct journal *journal, int64_t n, struct journal_record *out, struct arena *arena,
                          struct error *error) MUST_CHECK;

/* ---- Scope and pending ---- */

bool journal_had_effect(enum journal_outcome outcome);
/* Of one origin and account; and by the same profile too. */
bool journal_same_place(const struct journal_record *record, const struct journal_scope *scope);
bool journal_in_scope(const struct journal_record *record, const struct journal_scope *scope);

void journal_pending_add(struct journal *journal, int64_t n, const struct journal_write *write);
/* message with the values of record n taken out, but not of the id; heap text, NULL for NULL. */
char *journal_pending_redact(struct journal *journal, int64_t n, const char *message, const char *id);
void journal_pending_drop(struct journal *journal, int64_t n);

#endif
