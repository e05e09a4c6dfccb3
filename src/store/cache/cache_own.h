#ifndef STORE_CACHE_OWN_H
#define STORE_CACHE_OWN_H
/* What the files of the cache share: the handle, its statements, the digest over a row. */

#include "codec.h"
#include "store/db.h"

#include "store/cache.h"

#include <sys/types.h>

enum {
    CACHE_SCHEMA = 2,
    CACHE_APPLICATION = 0x42525343, /* "BRSC" */
    CACHE_SLOTS = 64,               /* tried for one id within its millisecond */
    CACHE_PAGE_BITS = 32,           /* place of a page: walk << 32 | index */
};

/* Order of counts and names in the table `counts`. */
#define CACHE_COUNT_TABLE(X) X(ROWS, "rows") X(DROPPED, "dropped") X(REMOVED, "removed")
enum cache_counter {
#define X(code, name) CACHE_COUNTER_##code,
    CACHE_COUNT_TABLE(X)
#undef X
        CACHE_COUNTER_COUNT
};

#define CACHE_SQL_TABLE(X)                                                                                            \
    X(ROW_GET, "SELECT key, seen, confirmed, digest, data FROM intents WHERE key = ?1")                               \
    X(ROW_ADD, "INSERT INTO intents(key, seen, confirmed, digest, data) VALUES(?1, ?2, ?3, ?4, ?5)")                  \
    X(ROW_SET, "UPDATE intents SET seen = ?2, confirmed = ?3, digest = ?4, data = ?5 WHERE key = ?1")                 \
    X(ROW_TOUCH, "UPDATE intents SET confirmed = ?2, digest = ?3 WHERE key = ?1")                                     \
    X(ROW_DROP, "DELETE FROM intents WHERE key = ?1")                                                                 \
    X(ROWS_OLDER, "SELECT key, seen, confirmed, digest, data FROM intents WHERE key > ?1 ORDER BY key LIMIT ?2")      \
    X(ROWS_NEWER, "SELECT key, seen, confirmed, digest, data FROM intents WHERE key < ?1 ORDER BY key DESC LIMIT ?2") \
    X(ROWS_LIKE, "SELECT key, seen, confirmed, digest, data FROM intents WHERE ((-key - ?1) & 1048575) < ?2")         \
    X(WALK_GET, "SELECT walk FROM walks WHERE filter = ?1")                                                           \
    X(WALK_ADD, "INSERT INTO walks(filter) VALUES(?1)")                                                               \
    X(PAGE_GET, "SELECT fetched, cursor, next, digest, rows FROM pages WHERE place = ?1")                             \
    X(PAGE_NEXT, "SELECT next FROM pages WHERE place = ?1")                                                           \
    X(PAGE_SEEK, "SELECT place FROM pages WHERE place BETWEEN ?1 AND ?2 AND next = ?3 LIMIT 1")                       \
    X(PAGE_SET, "REPLACE INTO pages(place, fetched, cursor, next, digest, rows) VALUES(?1, ?2, ?3, ?4, ?5, ?6)")      \
    X(PAGES_CUT, "DELETE FROM pages WHERE place BETWEEN ?1 AND ?2")                                                   \
    X(CHANGE_ADD, "INSERT INTO changes(kind, digest, keys) VALUES(?1, ?2, ?3)")                                       \
    X(CHANGE_TRIM, "DELETE FROM changes WHERE n <= ?1")                                                               \
    X(CHANGE_SPAN, "SELECT (SELECT min(n) FROM changes), (SELECT max(n) FROM changes)")                               \
    X(CHANGE_MARK, "SELECT digest FROM changes WHERE n = ?1")                                                         \
    X(CHANGES, "SELECT n, kind, digest, keys FROM changes WHERE n > ?1 ORDER BY n")                                   \
    X(SIGHTING_ADD, "INSERT INTO sightings(key, n, seen, field, old, now, digest)"                                    \
                    " VALUES(?1, (SELECT ifnull(max(n), 0) + 1 FROM sightings WHERE key = ?1), ?2, ?3, ?4, ?5, ?6)")  \
    X(SIGHTINGS, "SELECT seen, field, old, now, digest FROM sightings WHERE key = ?1 ORDER BY n")                     \
    X(SIGHTED, "SELECT ifnull(max(seen), -9223372036854775808) FROM sightings WHERE key = ?1")                        \
    X(SIGHTINGS_DROP, "DELETE FROM sightings WHERE key = ?1")                                                         \
    X(CONFIRMED_EARLIER, "SELECT count(*) FROM intents WHERE confirmed < ?1")                                         \
    X(COUNT_GET, "SELECT value FROM counts WHERE name = ?1")                                                          \
    X(COUNT_ADD, "INSERT INTO counts(name, value) VALUES(?1, ?2)"                                                     \
                 " ON CONFLICT(name) DO UPDATE SET value = value + ?2")                                               \
    X(NOTE_GET, "SELECT value, digest FROM notes WHERE name = ?1")                                                    \
    X(NOTE_SET, "REPLACE INTO notes(name, value, digest) VALUES(?1, ?2, ?3)")                                         \
    X(NOTE_DROP, "DELETE FROM notes WHERE name = ?1")                                                                 \
    X(WHOLE_GET, "SELECT began, ended, rows, loose, dropped, removed, digest FROM wholes WHERE filter = ?1")          \
    X(WHOLES_ALL, "SELECT began, ended, rows, loose, dropped, removed, digest, filter FROM wholes ORDER BY filter")   \
    X(WHOLES_AHEAD, "DELETE FROM wholes WHERE began > ?1")                                                            \
    X(WHOLE_DROP, "DELETE FROM wholes WHERE filter = ?1")                                                             \
    X(WHOLE_SET, "REPLACE INTO wholes(filter, began, ended, rows, loose, dropped, removed, digest)"                   \
                 " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")                                                           \
    X(WATCH_ADD, "INSERT INTO watch(kind, name, n, first, last) VALUES(?1, ?2, ?3, ?4, ?4)"                           \
                 " ON CONFLICT(kind, name) DO UPDATE SET n = n + ?3, last = ?4")                                      \
    X(WATCH, "SELECT kind, name, n, first, last FROM watch ORDER BY kind, n DESC, name")                              \
    X(WATCH_KIND, "SELECT count(*), max(name = ?2) FROM watch WHERE kind = ?1")                                       \
    X(KEYS_STALE,                                                                                                     \
      "SELECT key FROM intents WHERE key > ?1 AND (confirmed < ?2 OR confirmed > ?3) ORDER BY key LIMIT ?4")          \
    X(KEYS_OLDEST, "SELECT key FROM intents ORDER BY key DESC LIMIT ?1")                                              \
    X(PAGES_STALE, "DELETE FROM pages WHERE fetched < ?1 OR fetched > ?2")                                            \
    X(PAGES_ALL, "SELECT p.place, w.filter FROM pages p JOIN walks w ON w.walk = p.place >> 32 ORDER BY p.place")     \
    X(SIGHTINGS_ALL, "SELECT seen, field, old, now, digest, key FROM sightings ORDER BY key, n")                      \
    X(KEYS_ALL, "SELECT key FROM intents ORDER BY key DESC")                                                          \
    X(COUNT_ROWS, "SELECT count(*) FROM intents")                                                                     \
    X(COUNT_SET, "REPLACE INTO counts(name, value) VALUES(?1, ?2)")                                                   \
    X(BINDING_GET, "SELECT origin, profile, account, token, digest FROM binding")                                     \
    X(BINDING_SET, "REPLACE INTO binding(one, origin, profile, account, token, digest) VALUES(1, ?1, ?2, ?3, ?4, ?5)")

enum cache_sql {
#define X(code, text) SQL_##code,
    CACHE_SQL_TABLE(X)
#undef X
        SQL_COUNT
};
extern const char *const cache_sql[SQL_COUNT];

/* Between two equal states nobody wrote to the cache. */
struct cache_state {
    bool known;
    int64_t version; /* of what others wrote */
    int changes;     /* of this connection */
};

/* A reading of all rows, newest first, as long as no write interrupts it. Several go on side by side: that of a list,
 * and those that fill the column index in steps between two questions. */
struct cache_reading {
    int64_t next; /* where it goes on */
    int64_t rows;
    struct cache_state state;
};
enum { CACHE_READINGS = 8 };

struct cache {
    struct db db;
    struct codec *codec;
    struct str scratch; /* input of digests */
    char *folder, *path;
    char *origin, *profile, *account, *token;
    bool read_only;
    bool counted;  /* among those that are open */
    bool unproven; /* no page was served under this token yet, so the cache is not bound to it */
    dev_t dev;
    ino_t ino;
    struct {
        int64_t place; /* place of the page that was stored last, so that the page after it finds it at once */
        char *next;
    } memo;
    struct {
        int64_t *items; /* rows that failed their digest during a read */
        size_t n, cap;
    } bad;
    int64_t damaged_met; /* rows that failed or were lost, since this was last asked */
    struct cache_reading readings[CACHE_READINGS];
    unsigned begun;           /* readings so far */
    struct cache_state found; /* the state in which each row of a reading is also found by its key */
};

/* What a row of `intents` holds, checked. Points into the codec's buffer, or into the arena given. */
struct cache_held {
    int64_t key, seen, confirmed;
    const void *packed; /* of the statement, until it moves on */
    size_t packed_len;
    struct codec_row row;
};
enum cache_check { CACHE_HELD_OK, CACHE_HELD_BAD };
enum cache_check cache_held_read(struct cache *cache, sqlite3_stmt *stmt, struct arena *arena, struct cache_held *out);
/* Its digest alone. */
enum cache_check cache_held_check(struct cache *cache, sqlite3_stmt *stmt, struct cache_held *out);
/* Fails where `key` does not come behind `before`: a damaged tree, which could give a row twice. */
enum err cache_check_order(struct cache *cache, int64_t before, int64_t key, bool older,
                           struct error *error) MUST_CHECK;
/* What cache_get appends for one key, in whatever transaction there is. */
enum err cache_read_one(struct cache *cache, int64_t key, struct cache_rows *rows, struct error *error) MUST_CHECK;
int64_t cache_row_digest(struct cache *cache, int64_t key, const int64_t times[2], const void *data, size_t len);

/* A digest over numbers and texts: begin, add, end. A NULL text differs from "". */
void cache_digest_begin(struct cache *cache);
void cache_digest_number(struct cache *cache, int64_t number);
void cache_digest_bytes(struct cache *cache, const void *bytes, size_t len);
int64_t cache_digest_end(struct cache *cache);

/* Fails once damage was met, or where the file was replaced. */
enum err cache_usable(struct cache *cache, struct error *error) MUST_CHECK;

/* Within a transaction. token "": none is known. */
enum err cache_bind(struct cache *cache, const char *token, struct error *error) MUST_CHECK;

sqlite3_stmt *cache_stmt(struct cache *cache, enum cache_sql sql);
enum err cache_count_add(struct cache *cache, enum cache_counter counter, int64_t by, struct error *error) MUST_CHECK;
enum err cache_count_get(struct cache *cache, enum cache_counter counter, int64_t *out, struct error *error) MUST_CHECK;

/* CONFIRMED: the keys stand behind the time. */
enum { CACHE_CHANGE_STORED, CACHE_CHANGE_GONE, CACHE_CHANGE_ALL, CACHE_CHANGE_CONFIRMED };
/* *n, if given, gets the entry's number. */
enum err cache_change_add(struct cache *cache, int kind, const int64_t *keys, size_t n_keys, int64_t *n,
                          struct error *error) MUST_CHECK;

/* Within a transaction. Sightings of what differs between two sets of cells; *any tells whether something did. */
enum err cache_sight(struct cache *cache, int64_t key, const struct cells *old, const struct cells *now, int64_t seen,
                     bool *any, struct error *error) MUST_CHECK;
enum err cache_sight_one(struct cache *cache, int64_t key, const char *field, const char *const values[2], int64_t seen,
                         struct error *error) MUST_CHECK;
/* Deletes rows with their sightings, and logs it. */
enum err cache_drop(struct cache *cache, const int64_t *keys, size_t n, struct error *error) MUST_CHECK;
/* Drops rows that a read found damaged, where the cache can be written. */
void cache_drop_bad(struct cache *cache);
/* The same within a transaction. */
enum err cache_drop_noted(struct cache *cache, struct error *error) MUST_CHECK;

enum err cache_note_put(struct cache *cache, const char *name, const char *text, struct error *error) MUST_CHECK;

enum err cache_count_set(struct cache *cache, enum cache_counter counter, int64_t value,
                         struct error *error) MUST_CHECK;
/* Notes that the cache was begun again after damage: what was read before is lost. */
void cache_note_aside(struct cache *cache);
/* Within a transaction, with the number of rows that are there: where it differs from the stored count, rows were lost
 * unnoticed, or added; the difference is told, and the count corrected. */
enum err cache_count_check(struct cache *cache, int64_t held, bool *wrong, struct error *error) MUST_CHECK;
/* Within a transaction: rows that are gone, by DROPPED or REMOVED. */
enum err cache_lost_add(struct cache *cache, enum cache_counter counter, int64_t by, struct error *error) MUST_CHECK;
/* Within a transaction: drops records of complete walks that are not as they were written. */
enum err cache_wholes_check(struct cache *cache, bool *wrong, struct error *error) MUST_CHECK;
/* Within a transaction: checks that the number of lost rows is as it was written; where it is not, more count as lost.
 */
enum err cache_lost_check(struct cache *cache, bool *wrong, struct error *error) MUST_CHECK;
void cache_note_bad(struct cache *cache, int64_t key);
/* `<folder>/<profile>.db`, appended; folder NULL: the usual one. */
enum cache_outcome cache_path(const char *folder, const char *profile, struct str *folder_out, struct str *path_out,
                              struct error *error);

/* Reads every page and sighting; bad pages are dropped. */
enum err cache_pages_check(struct cache *cache, int64_t *checked, int64_t *bad, struct error *error) MUST_CHECK;
enum err cache_sightings_check(struct cache *cache, int64_t *checked, int64_t *bad, struct error *error) MUST_CHECK;

/* Within the transaction that stored the last page of a walk: notes it as whole where every page before it is held. */
struct cache_batch;
enum err cache_whole_note(struct cache *cache, const struct cache_batch *batch, int64_t place,
                          struct error *error) MUST_CHECK;
/* Checks every row, and the tables' trees; drops what is damaged. */
enum err cache_heal(struct cache *cache, struct error *error) MUST_CHECK;
/* Notes a walk as whole as it stands. */
enum err cache_whole_set(struct cache *cache, const char *filter, const struct cache_whole *whole,
                         struct error *error) MUST_CHECK;
/* Removes the pages of a walk from a place on. */
enum err cache_pages_cut(struct cache *cache, int64_t place, struct error *error) MUST_CHECK;
/* The name under which the mirror's walk under a filter is held: heap text. */
char *cache_mirror_walk(const char *filter);
/* One stored page: heap texts, NULL at the ends of a walk; whole: there, and its digest holds. */
struct cache_page_scan {
    bool whole;
    int64_t fetched, keys, loose;
    char *cursor, *next;
};
enum err cache_page_scan(struct cache *cache, const char *filter, int64_t place, struct cache_page_scan *out,
                         struct error *error) MUST_CHECK;

/* The walk of a filter; 0: none yet. */
enum err cache_walk_of(struct cache *cache, const char *filter, int64_t *walk, struct error *error) MUST_CHECK;

#endif
