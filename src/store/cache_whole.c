/* What is known to be whole: noted when a walk's last page is stored, kept when its pages go. */
#include "cache_batch.h"

#include <stdlib.h>
#include <string.h>

static const int64_t PLACES = INT64_C(1) << CACHE_PAGE_BITS;

enum { WHOLE_NUMBERS = 6 };

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

/* Rows that a damaged tree lost without a sign: found by their number, told, and no longer counted. */
static enum err check_count(struct cache *cache, struct error *error) {
    int64_t held = 0, kept = 0;
    enum err err = db_int(&cache->db, cache_sql[SQL_COUNT_ROWS], &held, error);
    if (err == ERR_OK)
        err = cache_count_get(cache, CACHE_COUNTER_ROWS, &kept, error);
    if (err != ERR_OK || held == kept)
        return err;
    int64_t lost = held > kept ? held - kept : kept - held;
    cache->damaged_met += lost;
    err = cache_count_add(cache, CACHE_COUNTER_DROPPED, lost, error);
    return err == ERR_OK ? cache_count_set(cache, CACHE_COUNTER_ROWS, held, error) : err;
}

static enum err write_whole(struct cache *cache, const char *filter, const struct cache_whole *whole,
                            struct error *error) {
    int64_t dropped, removed;
    enum err err = cache_count_get(cache, CACHE_COUNTER_DROPPED, &dropped, error);
    if (err == ERR_OK)
        err = cache_count_get(cache, CACHE_COUNTER_REMOVED, &removed, error);
    if (err != ERR_OK)
        return err;
    const int64_t numbers[WHOLE_NUMBERS] = {whole->began, whole->ended, whole->rows, whole->loose, dropped, removed};
    int64_t digest = whole_digest(cache, filter, numbers);
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WHOLE_SET);
    sqlite3_bind_text(stmt, 1, filter, -1, SQLITE_STATIC);
    for (int i = 0; i < WHOLE_NUMBERS; i++)
        sqlite3_bind_int64(stmt, 2 + i, numbers[i]);
    sqlite3_bind_int64(stmt, 2 + WHOLE_NUMBERS, digest);
    return db_run(&cache->db, stmt, error);
}

enum err cache_whole_note(struct cache *cache, const struct cache_batch *batch, int64_t place, struct error *error) {
    struct cache_whole whole = {.ended = batch->now};
    enum err err = sum_pages(cache, batch->filter, place, &whole, error);
    if (err != ERR_OK || !whole.known)
        return err;
    err = check_count(cache, error);
    return err == ERR_OK ? write_whole(cache, batch->filter, &whole, error) : err;
}

static void take_whole(struct cache *cache, sqlite3_stmt *stmt, const char *filter, struct cache_whole *out) {
    int64_t numbers[WHOLE_NUMBERS];
    for (int i = 0; i < WHOLE_NUMBERS; i++)
        numbers[i] = sqlite3_column_int64(stmt, i);
    if (whole_digest(cache, filter, numbers) != sqlite3_column_int64(stmt, WHOLE_NUMBERS)) {
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
    int64_t dropped = 0, removed = 0;
    err = db_step(&cache->db, stmt, &row, error);
    if (row)
        take_whole(cache, stmt, filter, out);
    sqlite3_reset(stmt);
    if (err == ERR_OK)
        err = cache_count_get(cache, CACHE_COUNTER_DROPPED, &dropped, error);
    if (err == ERR_OK)
        err = cache_count_get(cache, CACHE_COUNTER_REMOVED, &removed, error);
    out->damaged = dropped - out->damaged + (int64_t)cache->bad.n;
    out->removed = removed - out->removed;
    return err;
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
