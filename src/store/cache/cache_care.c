#include "cache_own.h"
#include "store/files.h"

#include "store/cache_care.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1000, DAY_MS = 86400000, FUTURE_MS = 60000, SIZE_CHECKS = 100000 };

static enum err used_bytes(struct cache *cache, int64_t *used, int64_t *free_bytes, struct error *error) {
    int64_t pages = 0, unused = 0, size = 0;
    enum err err = db_int(&cache->db, "PRAGMA page_count", &pages, error);
    if (err == ERR_OK)
        err = db_int(&cache->db, "PRAGMA freelist_count", &unused, error);
    if (err == ERR_OK)
        err = db_int(&cache->db, "PRAGMA page_size", &size, error);
    *used = (pages - unused) * size;
    *free_bytes = unused * size;
    return err;
}

static enum err count_unlisted(struct cache *cache, int64_t *rows, struct error *error) {
    struct cache_whole whole;
    enum err err = cache_whole(cache, "", &whole, error);
    return err == ERR_OK && whole.known ? cache_count_older(cache, whole.began, rows, error) : err;
}

enum err cache_stats(struct cache *cache, struct cache_stats *out, struct error *error) {
    *out = (struct cache_stats){0};
    const struct {
        const char *sql;
        int64_t *out;
    } figures[] = {
        {"SELECT count(*) FROM pages", &out->pages},
        {"SELECT count(*) FROM walks WHERE walk IN (SELECT place >> 32 FROM pages)", &out->walks},
        {"SELECT count(*) FROM sightings", &out->sightings},
        {"SELECT ifnull(max(fetched), 0) FROM pages", &out->fetched},
        {"SELECT ifnull(min(key), 0) FROM intents", &out->newest_ms},
        {"SELECT ifnull(max(key), 0) FROM intents", &out->oldest_ms},
    };
    int64_t used;
    enum err err = cache_usable(cache, error);
    for (size_t i = 0; i < COUNT_OF(figures) && err == ERR_OK; i++)
        err = db_int(&cache->db, figures[i].sql, figures[i].out, error);
    if (err == ERR_OK)
        err = cache_count_get(cache, CACHE_COUNTER_ROWS, &out->rows, error);
    if (err == ERR_OK)
        err = count_unlisted(cache, &out->unlisted, error);
    if (err == ERR_OK)
        err = cache_count_get(cache, CACHE_COUNTER_DROPPED, &out->dropped, error);
    if (err == ERR_OK)
        err = used_bytes(cache, &used, &out->free, error);
    out->newest_ms = cache_key_ms(out->newest_ms);
    out->oldest_ms = cache_key_ms(out->oldest_ms);
    out->file = files_size(cache->path, "");
    out->log = files_size(cache->path, "-wal");
    return err;
}

/* A sound row must also have the key that its id and time give it. */
static bool stands_right(const struct cache_held *held) {
    struct cells cells;
    if (!cells_read(held->row.cells, held->row.cells_len, &cells) || !cells.text[CELLS_ID].s)
        return false;
    char *id = mem_dup_n(cells.text[CELLS_ID].s, cells.text[CELLS_ID].len);
    int64_t base = -cache_key_of(id, cells.flags & CELLS_CREATED_OK ? cells.created_ms : 0);
    free(id);
    int64_t distance = (-held->key - base) & ((1 << 20) - 1);
    return base >> 20 == -held->key >> 20 && distance < CACHE_SLOTS;
}

static enum err verify_chunk(struct cache *cache, int64_t *from, int64_t *n, struct cache_report *report,
                             struct error *error) {
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROWS_OLDER);
    sqlite3_bind_int64(stmt, 1, *from);
    sqlite3_bind_int64(stmt, 2, CHUNK);
    *n = 0;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (!row)
            break;
        struct cache_held held;
        bool good = cache_held_read(cache, stmt, NULL, &held) == CACHE_HELD_OK && stands_right(&held);
        *from = held.key;
        ++*n;
        if (good) {
            report->json += (int64_t)held.row.raw_len;
            report->stored += (int64_t)held.packed_len;
        } else {
            report->bad_rows++;
            cache_note_bad(cache, held.key);
        }
    }
    sqlite3_reset(stmt);
    report->rows += *n;
    return err;
}

static enum err check_count(struct cache *cache, struct cache_report *report, struct error *error) {
    int64_t held = 0;
    enum err err = db_begin(&cache->db, error);
    if (err != ERR_OK)
        return err;
    err = db_int(&cache->db, cache_sql[SQL_COUNT_ROWS], &held, error);
    bool count_wrong = false, lost_wrong = false, whole_wrong = false;
    if (err == ERR_OK)
        err = cache_count_check(cache, held, &count_wrong, error);
    if (err == ERR_OK)
        err = cache_lost_check(cache, &lost_wrong, error);
    if (err == ERR_OK)
        err = cache_wholes_check(cache, &whole_wrong, error);
    report->count_wrong = count_wrong || lost_wrong || whole_wrong;
    return db_end(&cache->db, err, error);
}

static enum err verify_rows(struct cache *cache, bool (*go_on)(void *context, int64_t rows), void *context,
                            struct cache_report *report, struct error *error) {
    int64_t from = CACHE_KEY_NEWEST, n = CHUNK;
    enum err err = ERR_OK;
    while (err == ERR_OK && n == CHUNK) {
        err = verify_chunk(cache, &from, &n, report, error);
        cache_drop_bad(cache);
        if (err == ERR_OK && go_on && !go_on(context, report->rows))
            err = error_set(error, ERR_CANCELLED, "checking was ended after %lld rows", (long long)report->rows);
    }
    return err;
}

enum err cache_verify(struct cache *cache, bool (*go_on)(void *context, int64_t rows), void *context,
                      struct cache_report *report, struct error *error) {
    *report = (struct cache_report){0};
    char *problem;
    enum err err = db_integrity(&cache->db, false, &problem, error);
    if (problem)
        snprintf(report->problem, sizeof report->problem, "%s", problem);
    free(problem);
    if (err == ERR_OK && report->problem[0])
        return error_set(error, ERR_CHECK_FAILED,
                         "the cache is damaged, and its rows were not checked one by one; bursar intents list --all "
                         "sets it aside and reads everything again from the service");
    if (err == ERR_OK)
        err = verify_rows(cache, go_on, context, report, error);
    if (err == ERR_OK)
        err = cache_pages_check(cache, &report->pages, &report->bad_pages, error);
    if (err == ERR_OK)
        err = cache_sightings_check(cache, &report->sightings, &report->bad_sightings, error);
    if (err == ERR_OK)
        err = check_count(cache, report, error);
    bool found = report->bad_rows || report->bad_pages || report->bad_sightings || report->count_wrong;
    if ((err == ERR_OK && found) || (err == ERR_STORE && cache->db.damaged))
        return error_set(error, ERR_CHECK_FAILED, "the cache is damaged");
    return err;
}

struct keys {
    int64_t items[CHUNK];
    size_t n;
};

static enum err cache_care_read_keys(struct cache *cache, sqlite3_stmt *stmt, struct keys *out, struct error *error) {
    out->n = 0;
    enum err err = ERR_OK;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (row && out->n < CHUNK)
            out->items[out->n++] = sqlite3_column_int64(stmt, 0);
    }
    sqlite3_reset(stmt);
    return err;
}

/* Counted, so that a list that was complete does not count as complete any more. */
static enum err let_go(struct cache *cache, const struct keys *keys, struct error *error) {
    enum err err = cache_drop(cache, keys->items, keys->n, error);
    return err == ERR_OK ? cache_lost_add(cache, CACHE_COUNTER_REMOVED, (int64_t)keys->n, error) : err;
}

static enum err drop_stale_rows(struct cache *cache, int64_t oldest, int64_t newest, int64_t *removed,
                                struct error *error) {
    struct keys keys = {.n = CHUNK};
    int64_t from = CACHE_KEY_NEWEST;
    enum err err = ERR_OK;
    while (err == ERR_OK && keys.n == CHUNK) {
        err = db_begin(&cache->db, error);
        if (err != ERR_OK)
            return err;
        sqlite3_stmt *stmt = cache_stmt(cache, SQL_KEYS_STALE);
        sqlite3_bind_int64(stmt, 1, from);
        sqlite3_bind_int64(stmt, 2, oldest);
        sqlite3_bind_int64(stmt, 3, newest);
        sqlite3_bind_int64(stmt, 4, CHUNK);
        err = cache_care_read_keys(cache, stmt, &keys, error);
        if (err == ERR_OK)
            err = let_go(cache, &keys, error);
        err = db_end(&cache->db, err, error);
        if (keys.n > 0)
            from = keys.items[keys.n - 1];
        *removed += err == ERR_OK ? (int64_t)keys.n : 0;
    }
    return err;
}

static enum err drop_stale_pages(struct cache *cache, int64_t oldest, int64_t newest, struct error *error) {
    enum err err = db_begin(&cache->db, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_PAGES_STALE);
    sqlite3_bind_int64(stmt, 1, oldest);
    sqlite3_bind_int64(stmt, 2, newest);
    return db_end(&cache->db, db_run(&cache->db, stmt, error), error);
}

static enum err drop_oldest(struct cache *cache, struct keys *keys, struct error *error) {
    enum err err = db_begin(&cache->db, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_KEYS_OLDEST);
    sqlite3_bind_int64(stmt, 1, CHUNK);
    err = cache_care_read_keys(cache, stmt, keys, error);
    if (err == ERR_OK)
        err = let_go(cache, keys, error);
    return db_end(&cache->db, err, error);
}

static enum err limit_size(struct cache *cache, int64_t limit, int64_t *removed, struct error *error) {
    struct keys keys = {.n = CHUNK};
    for (int i = 0; i < SIZE_CHECKS && keys.n > 0; i++) {
        int64_t used, unused;
        enum err err = used_bytes(cache, &used, &unused, error);
        if (err != ERR_OK || used <= limit)
            return err;
        err = drop_oldest(cache, &keys, error);
        if (err != ERR_OK)
            return err;
        *removed += (int64_t)keys.n;
    }
    return ERR_OK;
}

enum err cache_retain(struct cache *cache, int64_t now, int days, int mb, int64_t *removed, struct error *error) {
    *removed = 0;
    enum err err = cache_usable(cache, error);
    if (err == ERR_OK && days > 0) {
        int64_t oldest = now - (int64_t)days * DAY_MS, newest = now + FUTURE_MS;
        err = drop_stale_rows(cache, oldest, newest, removed, error);
        if (err == ERR_OK)
            err = drop_stale_pages(cache, oldest, newest, error);
    }
    if (err == ERR_OK && mb > 0)
        err = limit_size(cache, (int64_t)mb << 20, removed, error);
    if (err != ERR_OK || *removed == 0)
        return err;
    bool left;
    err = db_exec(&cache->db, "PRAGMA incremental_vacuum", error);
    return err == ERR_OK ? db_truncate_log(&cache->db, &left, error) : err;
}

static enum err purge_tables(struct cache *cache, struct cache_purged *out, struct error *error) {
    enum err err = db_begin(&cache->db, error);
    if (err != ERR_OK)
        return err;
    err = db_int(&cache->db, cache_sql[SQL_COUNT_ROWS], &out->rows, error);
    /* Numbers of changes go on after a purge, so that no console takes an old number for a new one. */
    if (err == ERR_OK)
        err = cache_change_add(cache, CACHE_CHANGE_ALL, NULL, 0, NULL, error);
    if (err == ERR_OK)
        err = db_exec(&cache->db,
                      "DELETE FROM intents; DELETE FROM pages; DELETE FROM walks; DELETE FROM sightings;"
                      "DELETE FROM notes; DELETE FROM watch; DELETE FROM wholes; UPDATE counts SET value = 0;"
                      "DELETE FROM changes WHERE n < (SELECT max(n) FROM changes)",
                      error);
    return db_end(&cache->db, err, error);
}

enum err cache_purge(struct cache *cache, struct cache_purged *out, struct error *error) {
    *out = (struct cache_purged){0};
    enum err err = purge_tables(cache, out, error);
    if (err == ERR_OK)
        err = db_exec(&cache->db, "PRAGMA incremental_vacuum", error);
    if (err == ERR_OK)
        err = db_truncate_log(&cache->db, &out->log_left, error);
    bool whole;
    out->aside = files_remove_aside(cache->path, &whole);
    out->aside_left = !whole;
    if (!files_remove_index(cache->path) && err == ERR_OK)
        err = error_set(error, ERR_FILE, "%s" FILES_INDEX ": cannot be removed", cache->path);
    return err;
}

enum err cache_remove(const char *folder, const char *profile, bool *removed, struct error *error) {
    struct str place, path;
    str_init(&place, 4096);
    str_init(&path, 4608);
    *removed = false;
    enum err err = ERR_OK;
    bool whole = true;
    if (cache_path(folder, profile, &place, &path, error) != CACHE_OK) {
        err = error_set(error, ERR_FILE, "%s: cannot be used", place.s);
        goto out;
    }
    int lock = files_lock(place.s);
    struct file_look look;
    files_look(path.s, &look);
    *removed = look.state != FILE_ABSENT;
    bool gone = files_remove(path.s);
    if (files_remove_aside(path.s, &whole) > 0)
        *removed = true;
    files_unlock(lock);
    if (!gone || !whole)
        err = error_set(error, ERR_FILE, "%s: cannot be removed", path.s);
out:
    str_clear(&place);
    str_clear(&path);
    return err;
}
