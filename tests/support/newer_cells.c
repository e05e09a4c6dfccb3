#include "support/newer_cells.h"

#include "model/cells.h"
#include "store/cache/cache_own.h"

static bool newer_cells_write(struct cache *cache, const struct cache_held *held, const char *plain, size_t len) {
    const int64_t times[2] = {held->seen, held->confirmed};
    const void *packed;
    size_t packed_len;
    if (codec_pack(cache->codec, plain, held->row.cells_len, len, &packed, &packed_len, NULL) != ERR_OK)
        return false;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROW_SET);
    sqlite3_bind_int64(stmt, 1, held->key);
    sqlite3_bind_int64(stmt, 2, held->seen);
    sqlite3_bind_int64(stmt, 3, held->confirmed);
    sqlite3_bind_int64(stmt, 4, cache_row_digest(cache, held->key, times, packed, packed_len));
    sqlite3_bind_blob64(stmt, 5, packed, packed_len, SQLITE_TRANSIENT);
    return db_run(&cache->db, stmt, NULL) == ERR_OK;
}

bool newer_cells_make(struct cache *cache, int64_t key) {
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
        str_add_char(&plain, CELLS_VERSION + 1);
        str_add_n(&plain, held.row.cells + 1, held.row.cells_len - 1);
        str_add_n(&plain, held.row.raw, held.row.raw_len);
        done = newer_cells_write(cache, &held, plain.s, plain.len);
    }
    str_clear(&plain);
    arena_clear(&arena);
    return done;
}
