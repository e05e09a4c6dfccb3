#ifndef STORE_JOURNAL_OWN_H
#define STORE_JOURNAL_OWN_H
/* What the files of the journal share: the handle, its statements, rows checked by their digests. */

#include "db.h"

#include "base/digest.h"
#include "store/journal.h"

enum { JOURNAL_SCHEMA = 2, JOURNAL_APPLICATION = 0x4252534a /* "BRSJ" */, JOURNAL_TEXT_MAX = 1 << 20 };

/* A record with its last mark; the columns are those of enum record_column. */
#define RECORD_SQL                                                                                               \
    "SELECT w.n, w.at, w.who, w.profile, w.origin, w.environment, w.operation, w.owner, w.idempotency, w.draft," \
    " w.import, w.line, w.repeats, w.url, w.fingerprint, w.account, w.digest,"                                   \
    " m.m, m.n, m.at, m.outcome, m.status, m.response_id, m.message, m.who, m.note, m.digest"                    \
    " FROM writes w JOIN marks m ON m.m = (SELECT max(x.m) FROM marks x WHERE x.n = w.n) "
enum record_column { COLUMN_WRITE = 0, COLUMN_WRITE_DIGEST = 16, COLUMN_MARK = 17, COLUMN_MARK_DIGEST = 26 };
#define MARK_SQL "SELECT m, n, at, outcome, status, response_id, message, who, note, digest FROM marks "

#define JOURNAL_SQL_TABLE(X)                                                                                          \
    X(WRITE_ADD, "INSERT INTO writes(n, at, who, profile, origin, environment, operation, owner, idempotency, draft," \
                 " import, line, repeats, url, fingerprint, account, digest)"                                         \
                 " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)")               \
    X(WRITE_LAST, "SELECT ifnull(max(n), 0) FROM writes")                                                             \
    X(MARK_ADD, "INSERT INTO marks(m, n, at, outcome, status, response_id, message, who, note, digest)"               \
                " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")                                                   \
    X(MARK_LAST, "SELECT ifnull(max(m), 0) FROM marks")                                                               \
    X(DIGEST_ADD, "INSERT OR IGNORE INTO digests(n, kind, name, digest) VALUES(?1, ?2, ?3, ?4)")                      \
    X(DIGEST_GET, "SELECT digest FROM digests WHERE n = ?1 AND kind = ?2 AND name = ?3")                              \
    X(DIGEST_NAMES, "SELECT name FROM digests WHERE n = ?1 AND kind = 'field' ORDER BY name")                         \
    X(RECORD, RECORD_SQL "WHERE w.n = ?1")                                                                            \
    X(RECORDS, RECORD_SQL "WHERE (?1 IS NULL OR w.operation = ?1) AND (?2 IS NULL OR w.profile = ?2)"                 \
                          " AND (?3 IS NULL OR w.origin = ?3) AND (?4 IS NULL OR w.who = ?4)"                         \
                          " AND (?5 IS NULL OR w.import = ?5) AND (?6 IS NULL OR w.draft = ?6)"                       \
                          " AND (?7 < 0 OR m.outcome = ?7) AND (?8 = 0 OR w.at >= ?8) AND (?9 = 0 OR w.at < ?9)"      \
                          " AND (?10 = 0 OR w.n < ?10)"                                                               \
                          " AND (?12 IS NULL OR w.n IN (SELECT n FROM digests"                                        \
                          " WHERE digest = ?12 AND kind = 'match' AND name = ?13)) ORDER BY w.n DESC LIMIT ?11")      \
    X(BY_DIGEST, RECORD_SQL "WHERE w.origin = ?1 AND ifnull(w.account, ?5) = ?5 AND w.n IN (SELECT n FROM digests"    \
                            " WHERE digest = ?2 AND kind = ?3 AND name = ?4) ORDER BY w.n DESC")                      \
    X(BY_DRAFT, RECORD_SQL "WHERE w.draft = ?1 ORDER BY w.n DESC")                                                    \
    X(MARKS, MARK_SQL "WHERE n = ?1 ORDER BY m")                                                                      \
    X(PURGE_DIGESTS, "DELETE FROM digests WHERE n = ?1")                                                              \
    X(PURGE_WRITE, "UPDATE writes SET owner = '', idempotency = NULL, draft = NULL, import = NULL, digest = ?2"       \
                   " WHERE n = ?1")                                                                                   \
    X(PURGE_MARK, "UPDATE marks SET message = NULL, note = NULL, digest = ?2 WHERE m = ?1")                           \
    X(OUTCOMES, "SELECT m.outcome, count(*) FROM writes w"                                                            \
                " JOIN marks m ON m.m = (SELECT max(x.m) FROM marks x WHERE x.n = w.n) GROUP BY m.outcome")

enum journal_sql {
#define X(code, text) JSQL_##code,
    JOURNAL_SQL_TABLE(X)
#undef X
        JSQL_COUNT
};
extern const char *const journal_sql[JSQL_COUNT];

/* What was sent, kept in memory until the answer is in, to take it out of messages that quote it. */
struct journal_pending {
    int64_t n;
    struct str values; /* each NUL-terminated */
};

struct journal {
    struct db db;
    struct machine_key key;
    struct str owner, scratch;
    struct {
        struct journal_pending *items;
        size_t n, cap;
    } pending;
};

/* Rows as they go in; the digest is over every column. */
struct journal_write_row {
    int64_t n, at;
    const char *who, *profile, *origin, *environment, *operation, *owner, *idempotency, *draft, *import;
    int64_t line, repeats;
    const char *url, *fingerprint, *account;
};
struct journal_mark_row {
    int64_t m, n, at;
    enum journal_outcome outcome;
    int status;
    const char *response_id, *message, *who, *note;
};
int64_t journal_write_digest(struct journal *journal, const struct journal_write_row *row);
int64_t journal_mark_digest(struct journal *journal, const struct journal_mark_row *row);

sqlite3_stmt *journal_stmt(struct journal *journal, enum journal_sql sql);
void journal_bind(sqlite3_stmt *stmt, int at, const char *text);
enum err journal_number(struct journal *journal, enum journal_sql sql, int64_t *out, struct error *error) MUST_CHECK;

/* Read a row from its first column on; false: its digest does not hold, and the journal counts as damaged. Strings live
 * until the statement moves on. */
bool journal_read_write(struct journal *journal, sqlite3_stmt *stmt, struct journal_write_row *out);
bool journal_read_mark(struct journal *journal, sqlite3_stmt *stmt, int first, struct journal_mark_row *out);

/* Keyed digest of a named value: kind "body", "field" or "match". */
void journal_digest(struct journal *journal, const char *kind, const char *name, const char *bytes, size_t len,
                    unsigned char out[DIGEST_LEN]);
/* Whether record n has that digest; *there: it has one of that kind and name. */
enum err journal_digest_is(struct journal *journal, int64_t n, const char *kind, const char *name,
                           const unsigned char digest[DIGEST_LEN], bool *there, bool *same,
                           struct error *error) MUST_CHECK;

/* Within a transaction. */
enum err journal_add_mark(struct journal *journal, struct journal_mark_row *row, struct error *error) MUST_CHECK;
/* Where record n stands; ERR_INVALID where there is none. */
enum err journal_standing(struct journal *journal, int64_t n, struct journal_record *out, struct arena *arena,
                          struct error *error) MUST_CHECK;

/* Of one origin and account; and by the same profile too. */
bool journal_same_place(const struct journal_record *record, const struct journal_scope *scope);
bool journal_in_scope(const struct journal_record *record, const struct journal_scope *scope);

void journal_pending_add(struct journal *journal, int64_t n, const struct journal_write *write);
/* message with the values of record n taken out; heap text, NULL for NULL. */
char *journal_pending_redact(struct journal *journal, int64_t n, const char *message);
void journal_pending_drop(struct journal *journal, int64_t n);

/* Appends what the statement gives to records; the statement is bound already. */
enum err journal_collect(struct journal *journal, sqlite3_stmt *stmt, struct journal_records *out,
                         struct error *error) MUST_CHECK;

#endif
