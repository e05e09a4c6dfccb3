#include "cache_own.h"
#include "store/files.h"

#include "base/secret.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char IDENTITY[] = "identity";

void cache_index_path(const struct cache *cache, struct str *out) {
    str_addf(out, "%s" FILES_INDEX, cache->path);
}

void cache_index_remove(struct cache *cache) {
    (void)files_remove_index(cache->path);
}

static enum err make_identity(struct cache *cache, struct str *out, struct error *error) {
    enum { RANDOM_BYTES = 16 };
    str_reset(out);
    secret_random_hex(out, RANDOM_BYTES);
    return cache_set_note(cache, IDENTITY, out->s, error);
}

enum err cache_identity(struct cache *cache, bool make, char out[CACHE_IDENTITY_MAX], struct error *error) {
    char *held = NULL;
    struct str text;
    str_init(&text, CACHE_IDENTITY_MAX - 1);
    enum err err = cache_note(cache, IDENTITY, &held, error);
    if (held)
        str_add(&text, held);
    else if (err == ERR_OK && make && !cache->read_only)
        err = make_identity(cache, &text, error);
    (void)snprintf(out, CACHE_IDENTITY_MAX, "%s", err == ERR_OK && text.len > 0 ? text.s : "");
    str_clear(&text);
    free(held);
    return err;
}

enum err cache_change_mark(struct cache *cache, int64_t change, uint64_t *mark, bool *there, struct error *error) {
    *there = false;
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_CHANGE_MARK);
    sqlite3_bind_int64(stmt, 1, change);
    err = db_step(&cache->db, stmt, there, error);
    if (*there)
        *mark = (uint64_t)sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    return err;
}
