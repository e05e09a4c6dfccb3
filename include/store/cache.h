#ifndef STORE_CACHE_H
#define STORE_CACHE_H
/* The cache of one profile: intents as served, the pages they came in, what was seen to change (src/README.md, Files on
 * disk). May be deleted at any time. A handle is one connection, used by one thread at a time; several handles and
 * several consoles may have the same file open. Every failure costs the cache and nothing else: after ERR_STORE look at
 * cache_must_reopen and go on without what could not be read. Times are ms since 1970 UTC and come from the caller. */

#include "model/cells.h"
#include "model/page.h"

struct cache;

/* ---- Opening ---- */

/*     code           name             a handle comes with it */
#define CACHE_OUTCOME_TABLE(X)                                                             \
    X(OK, "ok", true)                                                                      \
    X(SET_ASIDE, "set-aside", true)         /* was damaged: moved away, and begun anew */  \
    X(TOKEN_CHANGED, "token-changed", true) /* ask once whether the account is the same */ \
    X(FOREIGN, "foreign", false)            /* of another origin, profile or account */    \
    X(NEWER, "newer", false)                /* written by a newer program */               \
    X(UNSAFE, "unsafe", false)              /* a link, or not ours, or open to others */   \
    X(NO_FOLDER, "no-folder", false)        /* the folder is missing and cannot be made */ \
    X(READ_ONLY, "read-only", false)        /* nothing can be written there */             \
    X(READING, "reading", true)             /* sound, and read without writing to it */    \
    X(LOCKED, "locked", false)              /* another program holds it */                 \
    X(LOCK_REFUSED, "lock-refused", false)  /* the file system does not lock */            \
    X(DISK_FULL, "disk-full", false)                                                       \
    X(UNUSABLE, "unusable", false) /* anything else; `error` has it */

enum cache_outcome {
#define X(code, name, usable) CACHE_##code,
    CACHE_OUTCOME_TABLE(X)
#undef X
        CACHE_OUTCOME_COUNT
};
const char *cache_outcome_name(enum cache_outcome outcome);

/* What a cache belongs to. token: the token's fingerprint, "" where none is loaded (then it is not compared). The cache
 * is bound to a token by the first page that is put with it: one that the service refuses is not. */
struct cache_binding {
    const char *origin, *profile, *account, *token;
};

struct cache_opening {
    enum cache_outcome outcome;
    char path[4096];  /* of the database */
    char aside[4096]; /* where a damaged one went; "" */
    bool moved;       /* of cache_reopen: the file that was open is not there any more */
    long holder;      /* CACHE_LOCKED: the process that holds it; 0: not known */
    char holder_name[64];
    struct error error; /* the reason, without the path */
};

/* `<folder>/<profile>.db`; folder NULL: the operator's cache folder. NULL where the outcome gives no handle; a file
 * that is foreign or newer stays as it is, byte for byte. */
struct cache *cache_open(const char *folder, const struct cache_binding *binding, struct cache_opening *opening);
void cache_close(struct cache *cache);

/* The file is damaged, or was moved or replaced by another console: only cache_reopen is useful now. */
bool cache_must_reopen(const struct cache *cache);
/* Takes the handle. Sets a damaged file aside (unless another console did) and opens anew. */
struct cache *cache_reopen(struct cache *cache, struct cache_opening *opening);

/* The file can be read but not written: nothing is stored. */
bool cache_is_read_only(const struct cache *cache);

/* After TOKEN_CHANGED, once the operator said that the account is the same: binds the cache to the handle's token. */
enum err cache_accept_token(struct cache *cache, struct error *error) MUST_CHECK;

/* ---- Keys ---- */

/* Newest is smallest. A walk starts at CACHE_KEY_NEWEST; rows without an id have CACHE_KEY_NONE and live in pages. */
#define CACHE_KEY_NEWEST INT64_MIN
#define CACHE_KEY_OLDEST INT64_MAX
#define CACHE_KEY_NONE 1

int64_t cache_key_of(const char *id, int64_t created_ms); /* before any clash; CLOCK_NONE counts as 0 */
int64_t cache_key_ms(int64_t key);                        /* created_at to the ms, 0: not known */

/* ---- Putting pages ---- */

/* A page prepared for the cache. Copies what it needs, so that the page can be passed on before it is stored. */
struct cache_batch;
/* filter: the server filter as text, "" for none. cursor: as sent, NULL or "" for the first page. */
struct cache_batch *cache_batch_new(const char *filter, const char *cursor, const struct page *page, int64_t now);
/* A text stored under a name in the same transaction (a mirror's place, so that it resumes where rows are held). */
void cache_batch_note(struct cache_batch *batch, const char *name, const char *text);
/* The page is one of the mirror's walk under its filter (below). */
void cache_batch_mirror(struct cache_batch *batch);
/* Its rows are stored, and not that they are a page: it may not be whole, and no walk leads over it. Loose ones are
 * not. */
void cache_batch_rows_only(struct cache_batch *batch);
/* The same, of rows that were confirmed at the batch's time by somebody else's reading: one that is held as of later
 * stays as it is, and counts as loose. */
void cache_batch_if_later(struct cache_batch *batch);
bool cache_batch_is_mirrored(const struct cache_batch *batch);
void cache_batch_free(struct cache_batch *batch);
bool cache_batch_begins(const struct cache_batch *batch); /* it is a first page */
/* As bytes, for this process: rows that were packed stay so. NULL: they are no such bytes. */
void cache_batch_write(const struct cache_batch *batch, struct str *out);
struct cache_batch *cache_batch_read(const char *bytes, size_t len);

enum cache_fate { CACHE_ROW_NEW, CACHE_ROW_CHANGED, CACHE_ROW_SAME, CACHE_ROW_LOOSE };

struct cache_put_row {
    int64_t key;          /* CACHE_KEY_NONE: loose */
    enum cache_fate fate; /* changed: its bytes differ; `material` tells whether a field did */
    bool material;
};
struct cache_put_result {
    struct cache_put_row *items; /* one per row of the page */
    size_t n;
    size_t fresh, changed, same, loose;
    bool in_walk;   /* the page follows on one that is held, so that cache_page gives it */
    int64_t change; /* number of the entry in the change log; 0: none was needed */
};
void cache_put_result_clear(struct cache_put_result *result);

/* Stores all of a page or nothing. A row without an id, a broken one, and one that finds no free key is loose: it is
 * only in its page. A page whose next cursor differs from the stored one ends the old walk: its later pages are
 * removed. */
enum err cache_put(struct cache *cache, struct cache_batch *batch, struct cache_put_result *result,
                   struct error *error) MUST_CHECK;
/* The two steps in one. */
enum err cache_put_page(struct cache *cache, const char *filter, const char *cursor, const struct page *page,
                        int64_t now, struct cache_put_result *result, struct error *error) MUST_CHECK;

/* NULL in *text where there is no such note; heap text else. */
enum err cache_note(struct cache *cache, const char *name, char **text, struct error *error) MUST_CHECK;
/* text NULL removes. */
enum err cache_set_note(struct cache *cache, const char *name, const char *text, struct error *error) MUST_CHECK;

/* ---- Reading ---- */

/* raw: as served, byte for byte, NUL-terminated; NULL where the row is not held or was damaged (then `missing`). Loose
 * rows have no cells. */
struct cache_row {
    int64_t key;
    int64_t seen, confirmed; /* first and last time the service served it, by the clock then */
    const char *raw, *cells;
    size_t raw_len, cells_len;
    bool missing;
};
/* Owns its rows. */
struct cache_rows {
    struct arena arena;
    struct cache_row *items;
    size_t n, cap;
    size_t damaged; /* rows that failed their digest: dropped, never given */
};
void cache_rows_init(struct cache_rows *rows);
void cache_rows_clear(struct cache_rows *rows);

/* At most `limit` rows older than `from` (CACHE_KEY_NEWEST: from the newest), or newer than it (CACHE_KEY_OLDEST: the
 * oldest ones), nearest first. A seek and a walk, whatever the size of the cache. Appends to rows. */
enum err cache_older(struct cache *cache, int64_t from, size_t limit, struct cache_rows *rows,
                     struct error *error) MUST_CHECK;
enum err cache_newer(struct cache *cache, int64_t from, size_t limit, struct cache_rows *rows,
                     struct error *error) MUST_CHECK;
/* One row for each key, in that order. */
enum err cache_get(struct cache *cache, const int64_t *keys, size_t n, struct cache_rows *rows,
                   struct error *error) MUST_CHECK;
/* The same of rows that an answer named before its file turned out to be damaged, or was replaced: each that can still
 * be read, the others missing. */
void cache_get_each(struct cache *cache, const int64_t *keys, size_t n, struct cache_rows *rows);
/* By id. There is no index: the keys' 20 bits of digest are compared over the whole table, which reads it once and
 * unpacks next to nothing (measured: 0.4 s a million rows, warm). No row appended: not held. */
enum err cache_find(struct cache *cache, const char *id, struct cache_rows *rows, struct error *error) MUST_CHECK;

/* Page number `index` of the walk held under a filter, from 0. */
struct cache_page {
    struct cache_rows rows; /* in the service's order */
    char *cursor, *next;    /* as sent and as served; NULL: first page, end of the list */
    int64_t fetched;
    bool there; /* false: the walk that is held ends before it */
};
void cache_page_init(struct cache_page *page);
void cache_page_clear(struct cache_page *page);
enum err cache_page(struct cache *cache, const char *filter, size_t index, struct cache_page *out,
                    struct error *error) MUST_CHECK;

/* A walk under a server filter (text as in cache_batch_new) that went from the first page to the end, every page of it
 * stored: a fact that outlives its pages. What the service had at `began` was held at `ended`. */
struct cache_whole {
    bool known;
    int64_t began, ended;     /* when its oldest and its last page were fetched */
    int64_t rows, loose;      /* of its pages: those with a key, and those held in their pages alone */
    int64_t damaged, removed; /* rows that the cache lost since then, or where none is known since it was made, to
                                 damage and to its limits, whatever rows they were */
};
enum err cache_whole(struct cache *cache, const char *filter, struct cache_whole *out, struct error *error) MUST_CHECK;
/* Rows that were damaged, or lost without a sign, and met since this was last asked; they are dropped or replaced. */
int64_t cache_take_damaged(struct cache *cache);
/* Whether it was begun anew in the place of a damaged one, and so lacks what was read before. */
bool cache_follows_damage(struct cache *cache);
/* Whether a page was ever stored. */
enum err cache_was_read(struct cache *cache, bool *read, struct error *error) MUST_CHECK;

/* ---- The mirror's walks ---- */

/* Their pages stand apart from those of the same filter that a list was read by, since every look at a list begins its
 * walk anew: a mirror that takes hours would lose its place by that. How far such a walk is held: the pages from the
 * first on, each led to by the one before. */
struct cache_mirrored {
    int64_t pages, rows, loose;
    int64_t began, ended; /* when the oldest and the latest of them were fetched */
    char *next;           /* cursor after the last of them; heap text */
    bool whole;           /* the last of them ends the list */
};
enum err cache_mirrored(struct cache *cache, const char *filter, struct cache_mirrored *out,
                        struct error *error) MUST_CHECK;
/* Notes that all of the service's list was read, where each of these walks is held to its end: together they let every
 * row of it through. What damage hides is looked for first. Then their pages are dropped, but for those with rows that
 * are held nowhere else. *joined false: one of them is not whole, and nothing was done. */
enum err cache_mirror_join(struct cache *cache, const char *const *filters, size_t n, bool *joined,
                           struct error *error) MUST_CHECK;
/* Drops what is held of these walks. */
enum err cache_mirror_drop(struct cache *cache, const char *const *filters, size_t n, struct error *error) MUST_CHECK;

/* ---- All rows ---- */

/* Cells of all rows after `from`, newest first, unpacked into a buffer that lives for the call; false from `each` ends
 * it. Read in short transactions, so that a writer's log can be cut meanwhile: take cache_change_last before, and apply
 * cache_changes after. */
typedef bool cache_each(void *context, int64_t key, const void *cells, size_t len);
enum err cache_stream(struct cache *cache, int64_t from, cache_each *each, void *context,
                      struct error *error) MUST_CHECK;

/* The same with the times and the text of each row; all of it lives for the call. */
typedef bool cache_each_row(void *context, const struct cache_row *row);
enum err cache_stream_rows(struct cache *cache, int64_t from, cache_each_row *each, void *context,
                           struct error *error) MUST_CHECK;
/* The same of these keys, in their order and all of one moment; `missing` where one is not held. */
enum err cache_stream_keys(struct cache *cache, const int64_t *keys, size_t n, cache_each_row *each, void *context,
                           struct error *error) MUST_CHECK;
/* When a change of the row was last observed; CLOCK_NONE: never. May be called while streaming. */
enum err cache_changed_at(struct cache *cache, int64_t key, int64_t *ms, struct error *error) MUST_CHECK;

/* TRANSITION_BIT of the changes of its status that were observed (model/transition.h). May be called while streaming.
 */
enum err cache_transitions(struct cache *cache, int64_t key, uint64_t *out, struct error *error) MUST_CHECK;

/* How old something fetched at `fetched` is; -1 where it comes from the future beyond a minute: expired. */
int64_t cache_age(int64_t fetched, int64_t now);

/* Rows held; kept with each write, never counted: a count over a million rows costs the start a second. */
enum err cache_count(struct cache *cache, int64_t *rows, struct error *error) MUST_CHECK;
/* Rows that were last confirmed before a time; looks at each row. */
enum err cache_count_older(struct cache *cache, int64_t before, int64_t *rows, struct error *error) MUST_CHECK;

/* ---- Changes ---- */

/* Moves when another connection wrote (PRAGMA data_version). */
enum err cache_data_version(struct cache *cache, int64_t *version, struct error *error) MUST_CHECK;
enum err cache_change_last(struct cache *cache, int64_t *last, struct error *error) MUST_CHECK;

struct cache_changes {
    struct cache_change {
        int64_t key;
        int64_t confirmed; /* served then as it was before; CLOCK_NONE: it is to be read */
        bool gone;
    } * items;
    size_t n, cap;
    int64_t last; /* to ask from next time */
    bool rebuild; /* the log does not reach back, or everything went: read all again */
};
void cache_changes_init(struct cache_changes *changes);
void cache_changes_clear(struct cache_changes *changes);
enum err cache_changes(struct cache *cache, int64_t since, struct cache_changes *out, struct error *error) MUST_CHECK;

/* ---- The column index beside it ---- */

/* Where it is kept as a file, appended: its life is the cache's, which removes it along with the rows. Who writes it
 * does so under the same name and ".new". */
void cache_index_path(const struct cache *cache, struct str *out);
void cache_index_remove(struct cache *cache);
/* What tells this cache from any other, and from itself before it was purged: random, made where `make` and there is
 * none; "" else. */
enum { CACHE_IDENTITY_MAX = 40 };
enum err cache_identity(struct cache *cache, bool make, char out[CACHE_IDENTITY_MAX], struct error *error) MUST_CHECK;
/* The digest of an entry of the change log; *there: it is still in it. */
enum err cache_change_mark(struct cache *cache, int64_t change, uint64_t *mark, bool *there,
                           struct error *error) MUST_CHECK;

/* Observed changes of one intent, oldest first; material fields only, texts as cells hold them. old NULL: was absent;
 * now NULL: is absent. */
struct cache_sightings {
    struct arena arena;
    struct cache_sighting {
        int64_t seen;
        const char *field, *old, *now;
    } * items;
    size_t n, cap;
};
void cache_sightings_init(struct cache_sightings *sightings);
void cache_sightings_clear(struct cache_sightings *sightings);
enum err cache_sightings(struct cache *cache, int64_t key, struct cache_sightings *out, struct error *error) MUST_CHECK;

/* Two keys hold the same id (its created_at changed): the one served last stays, the other's sightings and first time
 * move to it, and the change of created_at is a sighting. *kept is the key that stayed. ERR_INVALID: ids differ. */
enum err cache_reconcile(struct cache *cache, int64_t a, int64_t b, int64_t now, int64_t *kept,
                         struct error *error) MUST_CHECK;

#endif
