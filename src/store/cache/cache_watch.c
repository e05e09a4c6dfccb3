#include "cache_own.h"

#include "store/cache_care.h"

#include <stdlib.h>
#include <string.h>

/* Beyond the limit a name that is not there yet counts under "". */
static enum err cache_watch_fits(struct cache *cache, const char *kind, const char *name, bool *out,
                                 struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WATCH_KIND);
    sqlite3_bind_text(stmt, 1, kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, name, -1, SQLITE_STATIC);
    bool row = false;
    enum err err = db_step(&cache->db, stmt, &row, error);
    *out = row && (sqlite3_column_int(stmt, 0) < CACHE_WATCH_MAX || sqlite3_column_int(stmt, 1) == 1);
    sqlite3_reset(stmt);
    return err;
}

static size_t cut_len(const char *name) {
    size_t len = strlen(name);
    if (len <= CACHE_WATCH_NAME_MAX)
        return len;
    len = CACHE_WATCH_NAME_MAX;
    while (len > 0 && ((unsigned char)name[len] & 0xc0) == 0x80)
        len--;
    return len;
}

static enum err add_one(struct cache *cache, const struct cache_read_unknown_fields *item, int64_t now,
                        struct error *error) {
    char *name = mem_dup_n(item->name, cut_len(item->name));
    bool fit = false;
    enum err err = cache_watch_fits(cache, item->kind, name, &fit, error);
    if (err == ERR_OK) {
        sqlite3_stmt *stmt = cache_stmt(cache, SQL_WATCH_ADD);
        sqlite3_bind_text(stmt, 1, item->kind, -1, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 2, fit ? name : "", -1, SQLITE_STATIC);
        sqlite3_bind_int64(stmt, 3, item->n);
        sqlite3_bind_int64(stmt, 4, now);
        err = db_run(&cache->db, stmt, error);
    }
    free(name);
    return err;
}

enum err cache_unknown_fields_add(struct cache *cache, const struct cache_read_unknown_fields *items, size_t n,
                                  int64_t now, struct error *error) {
    if (n == 0)
        return ERR_OK;
    enum err err = db_begin(&cache->db, error);
    if (err != ERR_OK)
        return err;
    for (size_t i = 0; i < n && err == ERR_OK; i++)
        err = add_one(cache, &items[i], now, error);
    return db_end(&cache->db, err, error);
}

static const char *cache_watch_keep(struct arena *arena, sqlite3_stmt *stmt, int column) {
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    return text ? arena_dup_n(arena, text, (size_t)sqlite3_column_bytes(stmt, column)) : "";
}

enum err cache_unknown_fields(struct cache *cache, struct cache_unknown_fields *out, struct error *error) {
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WATCH);
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (!row)
            continue;
        struct cache_read_unknown_fields *item = vec_add(out);
        item->kind = cache_watch_keep(&out->arena, stmt, 0);
        item->name = cache_watch_keep(&out->arena, stmt, 1);
        item->n = sqlite3_column_int64(stmt, 2);
        item->first = sqlite3_column_int64(stmt, 3);
        item->last = sqlite3_column_int64(stmt, 4);
    }
    return err;
}
