/* Which walks are known to be complete: noted when the last page of a walk is stored, and kept when its pages go. */
#include "cache_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t PLACES = INT64_C(1) << CACHE_PAGE_BITS;

enum { WHOLE_NUMBERS = 6 };

/* How many rows were lost since the cache was made; doubtful: the number is not as it was written. */
struct lost {
    int64_t dropped, removed;
    bool doubtful;
};

static int64_t whole_digest(struct cache *cache, const char *filter, const int64_t numbers[WHOLE_NUMBERS]) {
    cache_digest_begin(cache);
    cache_digest_bytes(cache, filter, strlen(filter));
    for (int i = 0; i < WHOLE_NUMBERS; i++)
        cache_digest_number(cache, numbers[i]);
    return cache_digest_end(cache);
}

/* Every page from the first to `place`, each led to by the one before it. */
static enum err sum_pages(struct cache *cache, const char *filter, int64_t place, struct cache_whole *out,
                          struct error *error) {
    char *next = NULL;
    enum err err = ERR_OK;
    out->known = true;
    for (int64_t at = place / PLACES * PLACES; err == ERR_OK && out->known && at <= place; at++) {
        struct cache_page_scan scan;
        err = cache_page_scan(cache, filter, at, &scan, error);
        out->known = err == ERR_OK && scan.whole && str_equal(scan.cursor, next) && (scan.next != NULL) == (at < place);
        out->began = out->rows + out->loose == 0 || scan.fetched < out->began ? scan.fetched : out->began;
        out->rows += scan.keys;
        out->loose += scan.loose;
        free(next);
        next = scan.next;
        free(scan.cursor);
    }
    free(next);
    return err;
}

/* Checks every row, in the order of keys and with its digest: a damaged tree can hide a row from searches, and damaged
 * rows are dropped now instead of when somebody next reads them. */
static enum err check_rows(struct cache *cache, int64_t *held, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROWS_OLDER);
    sqlite3_bind_int64(stmt, 1, CACHE_KEY_NEWEST);
    sqlite3_bind_int64(stmt, 2, INT64_MAX);
    enum err err = ERR_OK;
    int64_t last = CACHE_KEY_NEWEST;
    *held = 0;
    for (bool row = true; err == ERR_OK && row;) {
        struct cache_held one;
        err = db_step(&cache->db, stmt, &row, error);
        if (err != ERR_OK || !row)
            break;
        if (cache_held_check(cache, stmt, &one) != CACHE_HELD_OK)
            cache_note_bad(cache, one.key);
        err = cache_check_order(cache, last, one.key, true, error);
        last = one.key;
        ++*held;
    }
    sqlite3_reset(stmt);
    return err;
}

enum err cache_count_check(struct cache *cache, int64_t held, bool *wrong, struct error *error) {
    int64_t kept = 0;
    enum err err = cache_count_get(cache, CACHE_COUNTER_ROWS, &kept, error);
    *wrong = err == ERR_OK && held != kept;
    if (!*wrong)
        return err;
    int64_t lost = held > kept ? held - kept : kept - held;
    cache->damaged_met += lost;
    err = cache_lost_add(cache, CACHE_COUNTER_DROPPED, lost, error);
    return err == ERR_OK ? cache_count_set(cache, CACHE_COUNTER_ROWS, held, error) : err;
}

/* Checking all rows is worth it after a walk over many of them. After any other walk, whoever reads the rows finds
 * damage. */
static bool is_worth_checking(struct cache *cache, const struct cache_whole *whole) {
    enum { FEW = 20000, PART = 16 };
    int64_t kept = 0;
    enum err err = cache_count_get(cache, CACHE_COUNTER_ROWS, &kept, NULL);
    return err != ERR_OK || kept <= FEW || whole->rows >= kept / PART;
}

/* Of every table: what stands beside the rows is met by other questions than a walk's. */
static enum err check_tree(struct cache *cache, struct error *error) {
    char *problem = NULL;
    enum err err = db_integrity(&cache->db, true, &problem, error);
    if (err == ERR_OK && problem)
        err = db_fail(&cache->db, SQLITE_CORRUPT, error);
    free(problem);
    return err;
}

/* The number of lost rows is in `counts`, and again in a note with a digest: a count that damage changed must not make
 * missing rows look found. */
static const char LOST[] = "lost";

static enum err counted_lost(struct cache *cache, struct lost *out, struct error *error) {
    enum err err = cache_count_get(cache, CACHE_COUNTER_DROPPED, &out->dropped, error);
    return err == ERR_OK ? cache_count_get(cache, CACHE_COUNTER_REMOVED, &out->removed, error) : err;
}

static enum err note_lost(struct cache *cache, struct error *error) {
    struct lost lost;
    struct str text;
    str_init(&text, 64);
    enum err err = counted_lost(cache, &lost, error);
    str_addf(&text, "%lld %lld", (long long)lost.dropped, (long long)lost.removed);
    if (err == ERR_OK)
        err = cache_note_put(cache, LOST, text.s, error);
    str_clear(&text);
    return err;
}

enum err cache_lost_add(struct cache *cache, enum cache_counter counter, int64_t by, struct error *error) {
    enum err err = by == 0 ? ERR_OK : cache_count_add(cache, counter, by, error);
    return err == ERR_OK && by != 0 ? note_lost(cache, error) : err;
}

/* The larger of count and note, each. */
static enum err read_lost(struct cache *cache, struct lost *out, struct error *error) {
    char *text = NULL;
    long long dropped = 0, removed = 0;
    enum err err = counted_lost(cache, out, error);
    if (err == ERR_OK)
        err = cache_note(cache, LOST, &text, error);
    out->doubtful = text && (sscanf(text, "%lld %lld", &dropped, &removed) != 2 || dropped != out->dropped ||
                             removed != out->removed);
    free(text);
    out->dropped = dropped > out->dropped ? dropped : out->dropped;
    out->removed = removed > out->removed ? removed : out->removed;
    return err;
}

enum err cache_lost_check(struct cache *cache, bool *wrong, struct error *error) {
    struct lost lost;
    enum err err = read_lost(cache, &lost, error);
    *wrong = err == ERR_OK && lost.doubtful;
    if (!*wrong)
        return err;
    cache->damaged_met++;
    err = cache_count_set(cache, CACHE_COUNTER_REMOVED, lost.removed, error);
    if (err == ERR_OK)
        err = cache_count_set(cache, CACHE_COUNTER_DROPPED, lost.dropped, error);
    return err == ERR_OK ? cache_lost_add(cache, CACHE_COUNTER_DROPPED, 1, error) : err;
}

enum err cache_whole_set(struct cache *cache, const char *filter, const struct cache_whole *whole,
                         struct error *error) {
    bool wrong;
    struct lost lost;
    enum err err = cache_lost_check(cache, &wrong, error);
    if (err == ERR_OK)
        err = read_lost(cache, &lost, error);
    if (err != ERR_OK)
        return err;
    const int64_t numbers[WHOLE_NUMBERS] = {whole->began, whole->ended, whole->rows,
                                            whole->loose, lost.dropped, lost.removed};
    int64_t digest = whole_digest(cache, filter, numbers);
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WHOLE_SET);
    sqlite3_bind_text(stmt, 1, filter, -1, SQLITE_STATIC);
    for (int i = 0; i < WHOLE_NUMBERS; i++)
        sqlite3_bind_int64(stmt, 2 + i, numbers[i]);
    sqlite3_bind_int64(stmt, 2 + WHOLE_NUMBERS, digest);
    return db_run(&cache->db, stmt, error);
}

enum err cache_heal(struct cache *cache, struct error *error) {
    int64_t held = 0;
    bool wrong = false;
    enum err err = check_tree(cache, error);
    if (err == ERR_OK)
        err = check_rows(cache, &held, error);
    if (err == ERR_OK)
        err = cache_count_check(cache, held, &wrong, error);
    if (err == ERR_OK)
        err = cache_wholes_check(cache, &wrong, error);
    cache->damaged_met += err == ERR_OK && wrong;
    if (err == ERR_OK && cache->bad.n > 0) {
        err = cache_drop_noted(cache, error);
        cache->bad.n = 0; /* what is rolled back is found again */
    }
    return err;
}

enum err cache_whole_note(struct cache *cache, const struct cache_batch *batch, int64_t place, struct error *error) {
    struct cache_whole whole = {.ended = batch->now};
    enum err err = sum_pages(cache, batch->filter, place, &whole, error);
    if (err != ERR_OK)
        return err;
    /* Also where the walk's own pages are not found one behind the other: a damaged tree can hide those too. */
    if (is_worth_checking(cache, &whole))
        err = cache_heal(cache, error);
    return err == ERR_OK && whole.known ? cache_whole_set(cache, batch->filter, &whole, error) : err;
}

static bool read_whole(struct cache *cache, sqlite3_stmt *stmt, const char *filter, int64_t numbers[WHOLE_NUMBERS]) {
    for (int i = 0; i < WHOLE_NUMBERS; i++)
        numbers[i] = sqlite3_column_int64(stmt, i);
    return whole_digest(cache, filter, numbers) == sqlite3_column_int64(stmt, WHOLE_NUMBERS);
}

static enum err drop_whole(struct cache *cache, const char *filter, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WHOLE_DROP);
    sqlite3_bind_text(stmt, 1, filter, -1, SQLITE_STATIC);
    return db_run(&cache->db, stmt, error);
}

/* The first bad one at a time: heap text, NULL for none. */
static enum err find_bad_whole(struct cache *cache, char **filter, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WHOLES_ALL);
    int64_t numbers[WHOLE_NUMBERS];
    enum err err = ERR_OK;
    *filter = NULL;
    for (bool row = true; err == ERR_OK && row && !*filter;) {
        err = db_step(&cache->db, stmt, &row, error);
        const char *text = row ? (const char *)sqlite3_column_text(stmt, WHOLE_NUMBERS + 1) : NULL;
        if (row && !read_whole(cache, stmt, text ? text : "", numbers))
            *filter = mem_dup(text ? text : "");
    }
    sqlite3_reset(stmt);
    return err;
}

enum err cache_wholes_check(struct cache *cache, bool *wrong, struct error *error) {
    enum { MOST = 10000 };
    char *filter = NULL;
    *wrong = false;
    enum err err = find_bad_whole(cache, &filter, error);
    for (int i = 0; i < MOST && err == ERR_OK && filter; i++) {
        *wrong = true;
        err = drop_whole(cache, filter, error);
        free(filter);
        filter = NULL;
        if (err == ERR_OK)
            err = find_bad_whole(cache, &filter, error);
    }
    free(filter);
    return err;
}

static void take_whole(struct cache *cache, sqlite3_stmt *stmt, const char *filter, struct cache_whole *out) {
    int64_t numbers[WHOLE_NUMBERS];
    if (!read_whole(cache, stmt, filter, numbers)) {
        cache->damaged_met++;
        return;
    }
    *out = (struct cache_whole){true, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
}

enum err cache_whole(struct cache *cache, const char *filter, struct cache_whole *out, struct error *error) {
    *out = (struct cache_whole){0};
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WHOLE_GET);
    sqlite3_bind_text(stmt, 1, filter, -1, SQLITE_STATIC);
    bool row = false;
    struct lost lost = {0};
    err = db_step(&cache->db, stmt, &row, error);
    if (row)
        take_whole(cache, stmt, filter, out);
    sqlite3_reset(stmt);
    if (err == ERR_OK)
        err = read_lost(cache, &lost, error);
    bool doubtful = lost.doubtful || lost.dropped < out->damaged || lost.removed < out->removed;
    out->damaged = doubtful ? 1 : lost.dropped - out->damaged + (int64_t)cache->bad.n;
    out->removed = doubtful ? 0 : lost.removed - out->removed;
    return err;
}

/* Made when a damaged file was set aside; gone with a purge. */
static const char ASIDE[] = "aside";

void cache_note_aside(struct cache *cache) {
    enum err err = cache_set_note(cache, ASIDE, "1", NULL);
    (void)err; /* it is said by whoever opened it */
}

bool cache_follows_damage(struct cache *cache) {
    char *text = NULL;
    bool follows = cache_note(cache, ASIDE, &text, NULL) == ERR_OK && text;
    free(text);
    return follows;
}

enum err cache_was_read(struct cache *cache, bool *read, struct error *error) {
    int64_t held = 0;
    enum err err = cache_usable(cache, error);
    if (err == ERR_OK)
        err = db_int(&cache->db,
                     "SELECT EXISTS(SELECT 1 FROM pages) OR EXISTS(SELECT 1 FROM intents)"
                     " OR EXISTS(SELECT 1 FROM wholes)",
                     &held, error);
    *read = held != 0;
    return err;
}

int64_t cache_take_damaged(struct cache *cache) {
    int64_t n = cache->damaged_met;
    cache->damaged_met = 0;
    return n;
}
