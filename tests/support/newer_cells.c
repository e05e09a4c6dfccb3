#include "support/newer_cells.h"

#include "model/finding.h"
#include "store/cache/cache_own.h"

static bool newer_cells_write(struct cache *cache, const struct cache_held *held, size_t cells_len, const char *plain,
                              size_t len) {
    const int64_t times[2] = {held->seen, held->confirmed};
    const void *packed;
    size_t packed_len;
    if (codec_pack(cache->codec, plain, cells_len, len, &packed, &packed_len, NULL) != ERR_OK)
        return false;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROW_SET);
    sqlite3_bind_int64(stmt, 1, held->key);
    sqlite3_bind_int64(stmt, 2, held->seen);
    sqlite3_bind_int64(stmt, 3, held->confirmed);
    sqlite3_bind_int64(stmt, 4, cache_row_digest(cache, held->key, times, packed, packed_len));
    sqlite3_bind_blob64(stmt, 5, packed, packed_len, SQLITE_TRANSIENT);
    return db_run(&cache->db, stmt, NULL) == ERR_OK;
}

/* What a blob begins with: its version, and flags as a number of seven bits a byte. */
static void add_later(struct str *out, const char *cells, size_t len) {
    str_add_char(out, CELLS_VERSION + 1);
    str_add_n(out, cells + 1, len - 1);
}

static void add_unjudged(struct str *out, const char *cells, size_t len) {
    unsigned flags = 0, shift = 0;
    size_t at = 1;
    for (bool more = true; more; shift += 7) {
        more = cells[at] & 0x80;
        flags |= (unsigned)(cells[at++] & 0x7F) << shift;
    }
    flags &= ~(unsigned)(FINDINGS_FLAGS | CELLS_JUDGED);
    str_add_char(out, cells[0]);
    for (; flags >= 0x80; flags >>= 7)
        str_add_char(out, (char)(flags | 0x80));
    str_add_char(out, (char)flags);
    str_add_n(out, cells + at, len - at);
}

static bool cells_rewrite(struct cache *cache, int64_t key,
                          void (*add)(struct str *out, const char *cells, size_t len)) {
    struct cache_held held;
    struct arena arena = {0};
    struct str plain;
    bool there = false;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROW_GET);
    sqlite3_bind_int64(stmt, 1, key);
    bool done = db_step(&cache->db, stmt, &there, NULL) == ERR_OK && there &&
                cache_held_read(cache, stmt, &arena, &held) == CACHE_HELD_OK;
    sqlite3_reset(stmt);
    str_init(&plain, 1 << 20);
    if (done) {
        add(&plain, held.row.cells, held.row.cells_len);
        size_t cells_len = plain.len;
        str_add_n(&plain, held.row.raw, held.row.raw_len);
        done = newer_cells_write(cache, &held, cells_len, plain.s, plain.len);
    }
    str_clear(&plain);
    arena_clear(&arena);
    return done;
}

bool newer_cells_make(struct cache *cache, int64_t key) {
    return cells_rewrite(cache, key, add_later);
}

bool unjudged_cells_make(struct cache *cache, int64_t key) {
    return cells_rewrite(cache, key, add_unjudged);
}
