#include "cache_own.h"

#include "base/clock.h"
#include "base/digest.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_BITS = 20, FUTURE_MS = 60000 };
static const int64_t MS_MAX = (INT64_C(1) << 43) - 1;

const char *cache_outcome_name(enum cache_outcome outcome) {
    static const char *const names[] = {
#define X(code, name, usable) name,
        CACHE_OUTCOME_TABLE(X)
#undef X
    };
    return (size_t)outcome < COUNT_OF(names) ? names[outcome] : "unusable";
}

int64_t cache_key_of(const char *id, int64_t created_ms) {
    int64_t ms = created_ms == CLOCK_NONE || created_ms < 0 ? 0 : created_ms > MS_MAX ? MS_MAX : created_ms;
    int64_t slot = (int64_t)(digest_short(id, strlen(id)) & ((1U << SLOT_BITS) - 1));
    return -((ms << SLOT_BITS) | slot);
}

int64_t cache_key_ms(int64_t key) {
    return key < 0 && key != INT64_MIN ? -key >> SLOT_BITS : 0;
}

int64_t cache_age(int64_t fetched, int64_t now) {
    if (fetched > now + FUTURE_MS)
        return -1;
    return fetched > now ? 0 : now - fetched;
}

void cache_digest_begin(struct cache *cache) {
    str_reset(&cache->scratch);
}

void cache_digest_number(struct cache *cache, int64_t number) {
    str_add_n(&cache->scratch, (const char *)&number, sizeof number);
}

void cache_digest_bytes(struct cache *cache, const void *bytes, size_t len) {
    cache_digest_number(cache, bytes ? (int64_t)len : -1);
    if (bytes)
        str_add_n(&cache->scratch, bytes, len);
}

int64_t cache_digest_end(struct cache *cache) {
    return (int64_t)digest_short(cache->scratch.s, cache->scratch.len);
}

int64_t cache_row_digest(struct cache *cache, int64_t key, const int64_t times[2], const void *data, size_t len) {
    cache_digest_begin(cache);
    cache_digest_number(cache, key);
    cache_digest_number(cache, times[0]);
    cache_digest_number(cache, times[1]);
    cache_digest_bytes(cache, data, len);
    return cache_digest_end(cache);
}

enum cache_check cache_held_check(struct cache *cache, sqlite3_stmt *stmt, struct cache_held *out) {
    *out = (struct cache_held){
        .key = sqlite3_column_int64(stmt, 0),
        .seen = sqlite3_column_int64(stmt, 1),
        .confirmed = sqlite3_column_int64(stmt, 2),
        .packed = sqlite3_column_blob(stmt, 4),
        .packed_len = (size_t)sqlite3_column_bytes(stmt, 4),
    };
    int64_t digest = sqlite3_column_int64(stmt, 3);
    const int64_t times[2] = {out->seen, out->confirmed};
    bool same = out->packed && digest == cache_row_digest(cache, out->key, times, out->packed, out->packed_len);
    return same ? CACHE_HELD_OK : CACHE_HELD_BAD;
}

enum cache_check cache_held_read(struct cache *cache, sqlite3_stmt *stmt, struct arena *arena, struct cache_held *out) {
    if (cache_held_check(cache, stmt, out) != CACHE_HELD_OK)
        return CACHE_HELD_BAD;
    return codec_unpack(cache->codec, out->packed, out->packed_len, arena, &out->row) ? CACHE_HELD_OK : CACHE_HELD_BAD;
}

sqlite3_stmt *cache_stmt(struct cache *cache, enum cache_sql sql) {
    return db_stmt(&cache->db, sql);
}

enum err cache_usable(struct cache *cache, struct error *error) {
    if (cache->db.damaged)
        return error_set(error, ERR_STORE, "cache: the file is damaged; it has to be opened again");
    return db_check_place(&cache->db, error);
}

static const char *const COUNTERS[] = {
#define X(code, name) name,
    CACHE_COUNT_TABLE(X)
#undef X
};

enum err cache_count_add(struct cache *cache, enum cache_counter counter, int64_t by, struct error *error) {
    sqlite3_stmt *stmt = by == 0 ? NULL : cache_stmt(cache, SQL_COUNT_ADD);
    if (by == 0)
        return ERR_OK;
    sqlite3_bind_text(stmt, 1, COUNTERS[counter], -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 2, by);
    return db_run(&cache->db, stmt, error);
}

enum err cache_count_get(struct cache *cache, enum cache_counter counter, int64_t *out, struct error *error) {
    *out = 0;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_COUNT_GET);
    sqlite3_bind_text(stmt, 1, COUNTERS[counter], -1, SQLITE_STATIC);
    bool row = false;
    enum err err = db_step(&cache->db, stmt, &row, error);
    if (row)
        *out = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    return err;
}

enum err cache_count_set(struct cache *cache, enum cache_counter counter, int64_t value, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_COUNT_SET);
    sqlite3_bind_text(stmt, 1, COUNTERS[counter], -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 2, value);
    return db_run(&cache->db, stmt, error);
}

enum err cache_count(struct cache *cache, int64_t *rows, struct error *error) {
    return cache_count_get(cache, CACHE_COUNTER_ROWS, rows, error);
}

enum err cache_count_older(struct cache *cache, int64_t before, int64_t *rows, struct error *error) {
    *rows = 0;
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_CONFIRMED_EARLIER);
    sqlite3_bind_int64(stmt, 1, before);
    bool row = false;
    err = db_step(&cache->db, stmt, &row, error);
    if (row)
        *rows = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    return err;
}

static enum err drop_one(struct cache *cache, int64_t key, int64_t *dropped, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROW_DROP);
    sqlite3_bind_int64(stmt, 1, key);
    enum err err = db_run(&cache->db, stmt, error);
    if (err != ERR_OK)
        return err;
    *dropped += sqlite3_changes(cache->db.handle);
    stmt = cache_stmt(cache, SQL_SIGHTINGS_DROP);
    sqlite3_bind_int64(stmt, 1, key);
    return db_run(&cache->db, stmt, error);
}

enum err cache_drop(struct cache *cache, const int64_t *keys, size_t n, struct error *error) {
    enum err err = ERR_OK;
    int64_t dropped = 0;
    for (size_t i = 0; i < n && err == ERR_OK; i++)
        err = drop_one(cache, keys[i], &dropped, error);
    if (err == ERR_OK)
        err = cache_count_add(cache, CACHE_COUNTER_ROWS, -dropped, error);
    return err == ERR_OK && n > 0 ? cache_change_add(cache, CACHE_CHANGE_GONE, keys, n, NULL, error) : err;
}

static bool is_still_bad(struct cache *cache, int64_t key) {
    struct cache_held held;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROW_GET);
    sqlite3_bind_int64(stmt, 1, key);
    bool row = false;
    bool bad = db_step(&cache->db, stmt, &row, NULL) == ERR_OK && row &&
               cache_held_read(cache, stmt, NULL, &held) != CACHE_HELD_OK;
    sqlite3_reset(stmt);
    return bad;
}

/* Another handle may have stored the row again since it was read. */
static void keep_bad(struct cache *cache) {
    size_t n = 0;
    for (size_t i = 0; i < cache->bad.n; i++)
        if (is_still_bad(cache, cache->bad.items[i]))
            cache->bad.items[n++] = cache->bad.items[i];
    cache->bad.n = n;
}

enum err cache_drop_noted(struct cache *cache, struct error *error) {
    keep_bad(cache);
    enum err err = cache_drop(cache, cache->bad.items, cache->bad.n, error);
    return err == ERR_OK ? cache_lost_add(cache, CACHE_COUNTER_DROPPED, (int64_t)cache->bad.n, error) : err;
}

void cache_drop_bad(struct cache *cache) {
    if (cache->bad.n == 0 || cache->read_only)
        return;
    enum err err = db_begin(&cache->db, NULL);
    if (err == ERR_OK)
        err = db_end(&cache->db, cache_drop_noted(cache, NULL), NULL);
    if (err == ERR_OK)
        cache->bad.n = 0;
}

static enum err note_value(struct cache *cache, sqlite3_stmt *stmt, const char *name, char **text) {
    const char *value = (const char *)sqlite3_column_text(stmt, 0);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 0);
    cache_digest_begin(cache);
    cache_digest_bytes(cache, name, strlen(name));
    cache_digest_bytes(cache, value, len);
    if (value && cache_digest_end(cache) == sqlite3_column_int64(stmt, 1))
        *text = mem_dup_n(value, len);
    return ERR_OK;
}

enum err cache_note(struct cache *cache, const char *name, char **text, struct error *error) {
    *text = NULL;
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_NOTE_GET);
    sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
    bool row = false;
    err = db_step(&cache->db, stmt, &row, error);
    if (row)
        err = note_value(cache, stmt, name, text);
    sqlite3_reset(stmt);
    return err;
}

enum err cache_note_put(struct cache *cache, const char *name, const char *text, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, text ? SQL_NOTE_SET : SQL_NOTE_DROP);
    sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
    if (text) {
        cache_digest_begin(cache);
        cache_digest_bytes(cache, name, strlen(name));
        cache_digest_bytes(cache, text, strlen(text));
        sqlite3_bind_text(stmt, 2, text, -1, SQLITE_STATIC);
        sqlite3_bind_int64(stmt, 3, cache_digest_end(cache));
    }
    return db_run(&cache->db, stmt, error);
}

enum err cache_set_note(struct cache *cache, const char *name, const char *text, struct error *error) {
    enum err err = db_begin(&cache->db, error);
    return err != ERR_OK ? err : db_end(&cache->db, cache_note_put(cache, name, text, error), error);
}
