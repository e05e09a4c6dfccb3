#include "cache_own.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { CHANGES_KEPT = 16384, TRIM_EVERY = 256 };

static int64_t change_digest(struct cache *cache, int64_t kind, const void *keys, size_t len) {
    cache_digest_begin(cache);
    cache_digest_number(cache, kind);
    cache_digest_bytes(cache, keys ? keys : "", len);
    return cache_digest_end(cache);
}

static enum err cache_changes_trim(struct cache *cache, int64_t last, struct error *error) {
    if (last % TRIM_EVERY != 0)
        return ERR_OK;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_CHANGE_TRIM);
    sqlite3_bind_int64(stmt, 1, last - CHANGES_KEPT);
    return db_run(&cache->db, stmt, error);
}

enum err cache_change_add(struct cache *cache, int kind, const int64_t *keys, size_t n_keys, int64_t *n,
                          struct error *error) {
    size_t len = n_keys * sizeof *keys;
    int64_t digest = change_digest(cache, kind, keys, len);
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_CHANGE_ADD);
    sqlite3_bind_int(stmt, 1, kind);
    sqlite3_bind_int64(stmt, 2, digest);
    sqlite3_bind_blob64(stmt, 3, keys ? (const void *)keys : "", len, SQLITE_STATIC);
    enum err err = db_run(&cache->db, stmt, error);
    int64_t last = sqlite3_last_insert_rowid(cache->db.handle);
    if (n)
        *n = last;
    return err == ERR_OK ? cache_changes_trim(cache, last, error) : err;
}

static enum err span(struct cache *cache, int64_t *first, int64_t *last, struct error *error) {
    *first = *last = 0;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_CHANGE_SPAN);
    bool row = false;
    enum err err = db_step(&cache->db, stmt, &row, error);
    if (row) {
        *first = sqlite3_column_int64(stmt, 0);
        *last = sqlite3_column_int64(stmt, 1);
    }
    sqlite3_reset(stmt);
    return err;
}

enum err cache_data_version(struct cache *cache, int64_t *version, struct error *error) {
    *version = 0;
    enum err err = cache_usable(cache, error);
    return err == ERR_OK ? db_int(&cache->db, "PRAGMA data_version", version, error) : err;
}

enum err cache_change_last(struct cache *cache, int64_t *last, struct error *error) {
    int64_t first;
    enum err err = cache_usable(cache, error);
    return err == ERR_OK ? span(cache, &first, last, error) : err;
}

void cache_changes_init(struct cache_changes *changes) {
    *changes = (struct cache_changes){0};
}

void cache_changes_clear(struct cache_changes *changes) {
    free(changes->items);
    cache_changes_init(changes);
}

static void cache_changes_add_entry(struct cache *cache, sqlite3_stmt *stmt, struct cache_changes *out) {
    int64_t kind = sqlite3_column_int64(stmt, 1);
    const char *keys = sqlite3_column_blob(stmt, 3);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 3);
    out->last = sqlite3_column_int64(stmt, 0);
    if (kind == CACHE_CHANGE_ALL || change_digest(cache, kind, keys, len) != sqlite3_column_int64(stmt, 2)) {
        out->rebuild = true;
        return;
    }
    size_t at = 0;
    int64_t confirmed = CLOCK_NONE;
    if (kind == CACHE_CHANGE_CONFIRMED && len >= sizeof confirmed) {
        memcpy(&confirmed, keys, sizeof confirmed);
        at = sizeof confirmed;
    }
    for (; at + sizeof(int64_t) <= len; at += sizeof(int64_t)) {
        struct cache_change *change = vec_add(out);
        memcpy(&change->key, keys + at, sizeof change->key);
        change->confirmed = confirmed;
        change->gone = kind == CACHE_CHANGE_GONE;
    }
}

enum err cache_changes(struct cache *cache, int64_t since, struct cache_changes *out, struct error *error) {
    int64_t first, last;
    enum err err = cache_usable(cache, error);
    if (err == ERR_OK)
        err = span(cache, &first, &last, error);
    if (err != ERR_OK)
        return err;
    out->last = last;
    out->rebuild = since > last || (last > 0 && since < first - 1);
    if (out->rebuild)
        return ERR_OK;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_CHANGES);
    sqlite3_bind_int64(stmt, 1, since);
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (row)
            cache_changes_add_entry(cache, stmt, out);
    }
    return err;
}

/* One of two rows with the same id, copied, since the next read uses the same buffers. */
struct duplicate {
    struct cache_rows rows;
    struct cells cells;
};

static enum err read_duplicate(struct cache *cache, int64_t key, struct duplicate *out, struct error *error) {
    cache_rows_init(&out->rows);
    enum err err = cache_read_one(cache, key, &out->rows, error);
    if (err == ERR_OK && (out->rows.items[0].missing ||
                          !cells_read(out->rows.items[0].cells, out->rows.items[0].cells_len, &out->cells)))
        err = error_set(error, ERR_INVALID, "a row to reconcile is not held any more");
    return err;
}

static enum err sight_created(struct cache *cache, const struct duplicate *kept, const struct duplicate *gone,
                              int64_t now, struct error *error) {
    const struct duplicate *const both[2] = {gone, kept};
    char *texts[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        if ((both[i]->cells.flags & CELLS_CREATED_OK) == 0)
            continue;
        struct str iso;
        str_init(&iso, 64);
        clock_format_iso(&iso, both[i]->cells.created_ms);
        texts[i] = str_take(&iso);
    }
    enum err err = cache_sight_one(cache, kept->rows.items[0].key, intent_field_path(INTENT_FIELD_CREATED_AT),
                                   (const char *const[2]){texts[0], texts[1]}, now, error);
    free(texts[0]);
    free(texts[1]);
    return err;
}

/* The digest of a sighting includes its key, so each is written again. */
static enum err move_sightings(struct cache *cache, int64_t from, int64_t to, struct error *error) {
    struct cache_sightings old;
    cache_sightings_init(&old);
    enum err err = cache_sightings(cache, from, &old, error);
    for (size_t i = 0; i < old.n && err == ERR_OK; i++)
        err = cache_sight_one(cache, to, old.items[i].field, (const char *const[2]){old.items[i].old, old.items[i].now},
                              old.items[i].seen, error);
    cache_sightings_clear(&old);
    return err;
}

static enum err set_seen(struct cache *cache, const struct cache_row *row, int64_t seen, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROW_GET);
    sqlite3_bind_int64(stmt, 1, row->key);
    bool there = false;
    enum err err = db_step(&cache->db, stmt, &there, error);
    if (err != ERR_OK || !there)
        return err;
    size_t len = (size_t)sqlite3_column_bytes(stmt, 4);
    char *data = mem_dup_n(sqlite3_column_blob(stmt, 4), len);
    sqlite3_reset(stmt);
    const int64_t times[2] = {seen, row->confirmed};
    int64_t digest = cache_row_digest(cache, row->key, times, data, len);
    stmt = cache_stmt(cache, SQL_ROW_SET);
    sqlite3_bind_int64(stmt, 1, row->key);
    sqlite3_bind_int64(stmt, 2, seen);
    sqlite3_bind_int64(stmt, 3, row->confirmed);
    sqlite3_bind_int64(stmt, 4, digest);
    sqlite3_bind_blob64(stmt, 5, data, len, SQLITE_STATIC);
    err = db_run(&cache->db, stmt, error);
    free(data);
    return err;
}

static enum err cache_changes_merge(struct cache *cache, const struct duplicate *kept, const struct duplicate *gone,
                                    int64_t now, struct error *error) {
    const struct cache_row *k = &kept->rows.items[0], *g = &gone->rows.items[0];
    bool material;
    enum err err = move_sightings(cache, g->key, k->key, error);
    if (err == ERR_OK)
        err = sight_created(cache, kept, gone, now, error);
    if (err == ERR_OK)
        err = cache_sight(cache, k->key, &gone->cells, &kept->cells, now, &material, error);
    if (err == ERR_OK && g->seen < k->seen)
        err = set_seen(cache, k, g->seen, error);
    if (err == ERR_OK)
        err = cache_drop(cache, &g->key, 1, error);
    return err == ERR_OK ? cache_change_add(cache, CACHE_CHANGE_STORED, &k->key, 1, NULL, error) : err;
}

static bool same_id(const struct duplicate *a, const struct duplicate *b) {
    const struct cells_slice *x = &a->cells.text[CELLS_ID], *y = &b->cells.text[CELLS_ID];
    return x->s && y->s && x->len == y->len && memcmp(x->s, y->s, x->len) == 0;
}

/* Which of two was confirmed later. A time ahead of this machine's clock was written under another, and says nothing
 * against one that this clock may have written. */
static int later_of(const struct duplicate duplicates[2], int64_t now) {
    int64_t a = duplicates[0].rows.items[0].confirmed, b = duplicates[1].rows.items[0].confirmed;
    if (clock_is_ahead(a, now) != clock_is_ahead(b, now))
        return clock_is_ahead(a, now) ? 1 : 0;
    return a >= b ? 0 : 1;
}

/* An intent whose created_at the service changed has two rows, since the time is part of the key. The one confirmed
 * later stays, with the sightings of both; what differs is noted as a change, and nothing that was observed is lost.
 * Rows of two different ids are never made one, whatever their keys say. */
static enum err reconcile(struct cache *cache, const int64_t keys[2], int64_t now, int64_t *kept, struct error *error) {
    struct duplicate duplicates[2] = {0};
    enum err err = ERR_OK;
    for (int i = 0; i < 2 && err == ERR_OK; i++)
        err = read_duplicate(cache, keys[i], &duplicates[i], error);
    if (err == ERR_OK && (keys[0] == keys[1] || !same_id(&duplicates[0], &duplicates[1])))
        err = error_set(error, ERR_INVALID, "two rows of different intents cannot be reconciled");
    if (err == ERR_OK) {
        int first = later_of(duplicates, now);
        *kept = keys[first];
        err = cache_changes_merge(cache, &duplicates[first], &duplicates[1 - first], now, error);
    }
    cache_rows_clear(&duplicates[0].rows);
    cache_rows_clear(&duplicates[1].rows);
    return err;
}

enum err cache_reconcile(struct cache *cache, int64_t a, int64_t b, int64_t now, int64_t *kept, struct error *error) {
    *kept = a;
    enum err err = db_begin(&cache->db, error);
    if (err != ERR_OK)
        return err;
    return db_end(&cache->db, reconcile(cache, (const int64_t[2]){a, b}, now, kept, error), error);
}
