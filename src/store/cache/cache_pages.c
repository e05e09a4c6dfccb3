#include "cache_batch.h"

#include <stdlib.h>
#include <string.h>

static const int64_t PLACES = INT64_C(1) << CACHE_PAGE_BITS;

void page_blob_add(struct str *out, int64_t key, const char *raw, size_t len) {
    str_add_n(out, (const char *)&key, sizeof key);
    if (key != CACHE_KEY_NONE)
        return;
    uint32_t bytes = (uint32_t)len;
    str_add_n(out, (const char *)&bytes, sizeof bytes);
    str_add_n(out, raw, len);
}

bool page_blob_next(const char *blob, size_t len, size_t *at, int64_t *key, const char **raw, size_t *raw_len) {
    if (len - *at < sizeof *key)
        return false;
    memcpy(key, blob + *at, sizeof *key);
    *at += sizeof *key;
    *raw = NULL;
    *raw_len = 0;
    if (*key != CACHE_KEY_NONE)
        return true;
    uint32_t bytes;
    if (len - *at < sizeof bytes)
        return false;
    memcpy(&bytes, blob + *at, sizeof bytes);
    *at += sizeof bytes;
    if (len - *at < bytes)
        return false;
    *raw = blob + *at;
    *raw_len = bytes;
    *at += bytes;
    return true;
}

enum err cache_walk_of(struct cache *cache, const char *filter, int64_t *walk, struct error *error) {
    *walk = 0;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WALK_GET);
    sqlite3_bind_text(stmt, 1, filter, -1, SQLITE_STATIC);
    bool row = false;
    enum err err = db_step(&cache->db, stmt, &row, error);
    if (row)
        *walk = sqlite3_column_int64(stmt, 0);
    sqlite3_reset(stmt);
    return err;
}

static enum err make_walk(struct cache *cache, const char *filter, int64_t *walk, struct error *error) {
    enum err err = cache_walk_of(cache, filter, walk, error);
    if (err != ERR_OK || *walk != 0)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WALK_ADD);
    sqlite3_bind_text(stmt, 1, filter, -1, SQLITE_STATIC);
    err = db_run(&cache->db, stmt, error);
    *walk = sqlite3_last_insert_rowid(cache->db.handle);
    return err;
}

/* *next: heap text, NULL at the end of the list. */
static enum err page_next(struct cache *cache, int64_t place, bool *there, char **next, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_PAGE_NEXT);
    sqlite3_bind_int64(stmt, 1, place);
    enum err err = db_step(&cache->db, stmt, there, error);
    *next = *there ? mem_dup((const char *)sqlite3_column_text(stmt, 0)) : NULL;
    sqlite3_reset(stmt);
    return err;
}

static enum err seek_page(struct cache *cache, int64_t walk, const char *cursor, int64_t *place, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_PAGE_SEEK);
    sqlite3_bind_int64(stmt, 1, walk * PLACES);
    sqlite3_bind_int64(stmt, 2, walk * PLACES + PLACES - 1);
    sqlite3_bind_text(stmt, 3, cursor, -1, SQLITE_STATIC);
    bool row = false;
    enum err err = db_step(&cache->db, stmt, &row, error);
    *place = row ? sqlite3_column_int64(stmt, 0) + 1 : -1;
    sqlite3_reset(stmt);
    return err;
}

/* The place of a page: behind the one whose next cursor led to it; -1: that page is not stored. */
static enum err cache_pages_find_place(struct cache *cache, int64_t walk, const char *cursor, int64_t *place,
                                       struct error *error) {
    if (!*cursor) {
        *place = walk * PLACES;
        return ERR_OK;
    }
    if (!cache->memo.next || strcmp(cache->memo.next, cursor) != 0 || cache->memo.place / PLACES != walk)
        return seek_page(cache, walk, cursor, place, error);
    bool there;
    char *next;
    enum err err = page_next(cache, cache->memo.place, &there, &next, error);
    bool still = err == ERR_OK && next && strcmp(next, cursor) == 0;
    free(next);
    *place = cache->memo.place + 1;
    return err == ERR_OK && !still ? seek_page(cache, walk, cursor, place, error) : err;
}

enum err cache_pages_cut(struct cache *cache, int64_t place, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_PAGES_CUT);
    sqlite3_bind_int64(stmt, 1, place);
    sqlite3_bind_int64(stmt, 2, (place / PLACES + 1) * PLACES - 1);
    return db_run(&cache->db, stmt, error);
}

static enum err end_old_walk(struct cache *cache, const struct cache_batch *batch, int64_t place, struct error *error) {
    bool there;
    char *next;
    enum err err = page_next(cache, place, &there, &next, error);
    bool goes_on = there && str_equal(next, batch->next);
    free(next);
    return err == ERR_OK && !goes_on ? cache_pages_cut(cache, place + 1, error) : err;
}

static int64_t page_digest(struct cache *cache, const char *filter, const int64_t numbers[2],
                           const char *const cursors[2], const struct codec_row *rows) {
    cache_digest_begin(cache);
    cache_digest_bytes(cache, filter, strlen(filter));
    cache_digest_number(cache, numbers[0]);
    cache_digest_number(cache, numbers[1]);
    for (int i = 0; i < 2; i++)
        cache_digest_bytes(cache, cursors[i], cursors[i] ? strlen(cursors[i]) : 0);
    cache_digest_bytes(cache, rows->raw, rows->raw_len);
    return cache_digest_end(cache);
}

static enum err write_page(struct cache *cache, const struct cache_batch *batch, int64_t place, const struct str *blob,
                           struct error *error) {
    const char *cursors[2] = {*batch->cursor ? batch->cursor : NULL, batch->next};
    int64_t digest = page_digest(cache, batch->filter, (const int64_t[2]){place, batch->now}, cursors,
                                 &(struct codec_row){.raw = blob->s, .raw_len = blob->len});
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_PAGE_SET);
    sqlite3_bind_int64(stmt, 1, place);
    sqlite3_bind_int64(stmt, 2, batch->now);
    sqlite3_bind_text(stmt, 3, cursors[0], -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 4, cursors[1], -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 5, digest);
    sqlite3_bind_blob64(stmt, 6, blob->s, blob->len, SQLITE_STATIC);
    enum err err = db_run(&cache->db, stmt, error);
    free(cache->memo.next);
    cache->memo.next = err == ERR_OK ? mem_dup(batch->next) : NULL;
    cache->memo.place = place;
    return err;
}

enum err cache_page_put(struct cache *cache, const struct cache_batch *batch, const struct cache_put_row *rows,
                        bool *in_walk, struct error *error) {
    int64_t walk, place = -1;
    enum err err = make_walk(cache, batch->filter, &walk, error);
    if (err == ERR_OK)
        err = cache_pages_find_place(cache, walk, batch->cursor, &place, error);
    *in_walk = err == ERR_OK && place >= 0;
    if (!*in_walk)
        return err;
    err = end_old_walk(cache, batch, place, error);
    if (err != ERR_OK)
        return err;
    struct str blob;
    str_init(&blob, CODEC_ROW_MAX);
    for (size_t i = 0; i < batch->n; i++) {
        const struct batch_row *row = &batch->items[i];
        page_blob_add(&blob, rows[i].key, batch->plain.s + row->at + row->cells_len, row->len - row->cells_len);
    }
    err = write_page(cache, batch, place, &blob, error);
    str_clear(&blob);
    /* Walks of the mirror are looked at together, once. */
    bool ends = !batch->next && !cache_batch_is_mirrored(batch);
    return err == ERR_OK && ends ? cache_whole_note(cache, batch, place, error) : err;
}

void cache_page_init(struct cache_page *page) {
    *page = (struct cache_page){0};
    cache_rows_init(&page->rows);
}

void cache_page_clear(struct cache_page *page) {
    cache_rows_clear(&page->rows);
    free(page->cursor);
    free(page->next);
    *page = (struct cache_page){0};
}

/* A stored page, checked; the blob is copied since the rows' own statements come next. */
struct stored {
    int64_t place;
    const char *filter;
    bool there, whole;
    struct str blob;
};

static void take_stored(struct cache *cache, sqlite3_stmt *stmt, struct stored *stored, struct cache_page *out) {
    const char *cursors[2] = {(const char *)sqlite3_column_text(stmt, 1), (const char *)sqlite3_column_text(stmt, 2)};
    const char *bytes = sqlite3_column_blob(stmt, 4);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 4);
    out->fetched = sqlite3_column_int64(stmt, 0);
    int64_t digest = page_digest(cache, stored->filter, (const int64_t[2]){stored->place, out->fetched}, cursors,
                                 &(struct codec_row){.raw = bytes ? bytes : "", .raw_len = len});
    stored->whole = digest == sqlite3_column_int64(stmt, 3);
    if (!stored->whole)
        return;
    out->cursor = mem_dup(cursors[0]);
    out->next = mem_dup(cursors[1]);
    str_add_n(&stored->blob, bytes, len);
}

static enum err read_stored(struct cache *cache, struct stored *stored, struct cache_page *out, struct error *error) {
    str_init(&stored->blob, CODEC_ROW_MAX);
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_PAGE_GET);
    sqlite3_bind_int64(stmt, 1, stored->place);
    enum err err = db_step(&cache->db, stmt, &stored->there, error);
    if (stored->there)
        take_stored(cache, stmt, stored, out);
    sqlite3_reset(stmt);
    return err;
}

/* A page that failed its digest ends the walk: what came after it would look like a walk without a gap. */
static bool drop_from(struct cache *cache, int64_t place) {
    return db_begin(&cache->db, NULL) == ERR_OK &&
           db_end(&cache->db, cache_pages_cut(cache, place, NULL), NULL) == ERR_OK;
}

static enum err fill_rows(struct cache *cache, const struct str *blob, struct cache_page *out, struct error *error) {
    enum err err = ERR_OK;
    int64_t key;
    const char *raw;
    size_t raw_len, at = 0;
    while (err == ERR_OK && page_blob_next(blob->s, blob->len, &at, &key, &raw, &raw_len)) {
        if (key != CACHE_KEY_NONE) {
            err = cache_read_one(cache, key, &out->rows, error);
            continue;
        }
        struct cache_row *row = vec_add(&out->rows);
        *row = (struct cache_row){.key = key,
                                  .seen = out->fetched,
                                  .confirmed = out->fetched,
                                  .raw = arena_dup_n(&out->rows.arena, raw, raw_len),
                                  .raw_len = raw_len};
    }
    return err;
}

enum err cache_page_scan(struct cache *cache, const char *filter, int64_t place, struct cache_page_scan *out,
                         struct error *error) {
    *out = (struct cache_page_scan){0};
    struct stored stored = {.place = place, .filter = filter};
    struct cache_page page;
    cache_page_init(&page);
    enum err err = read_stored(cache, &stored, &page, error);
    int64_t key;
    const char *raw;
    size_t raw_len, at = 0;
    while (page_blob_next(stored.blob.s, stored.blob.len, &at, &key, &raw, &raw_len))
        ++*(key == CACHE_KEY_NONE ? &out->loose : &out->keys);
    out->whole = stored.there && stored.whole && at == stored.blob.len;
    out->fetched = page.fetched;
    out->cursor = page.cursor;
    out->next = page.next;
    page.cursor = page.next = NULL;
    str_clear(&stored.blob);
    cache_page_clear(&page);
    return err;
}

enum err cache_page(struct cache *cache, const char *filter, size_t index, struct cache_page *out,
                    struct error *error) {
    int64_t walk = 0;
    struct stored stored = {.filter = filter ? filter : ""};
    enum err err = cache_usable(cache, error);
    if (err == ERR_OK)
        err = cache_walk_of(cache, stored.filter, &walk, error);
    if (err != ERR_OK || walk == 0 || (int64_t)index >= PLACES)
        return err;
    stored.place = walk * PLACES + (int64_t)index;
    err = read_stored(cache, &stored, out, error);
    out->there = stored.there && stored.whole;
    if (out->there)
        err = fill_rows(cache, &stored.blob, out, error);
    else if (stored.there)
        drop_from(cache, stored.place);
    str_clear(&stored.blob);
    return err;
}

struct listed {
    struct listed_page {
        int64_t place;
        char *filter;
    } * items;
    size_t n, cap;
};

static enum err list_pages(struct cache *cache, struct listed *out, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_PAGES_ALL);
    enum err err = ERR_OK;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (!row)
            continue;
        const char *filter = (const char *)sqlite3_column_text(stmt, 1);
        *vec_add(out) = (struct listed_page){sqlite3_column_int64(stmt, 0), mem_dup(filter ? filter : "")};
    }
    return err;
}

enum err cache_pages_check(struct cache *cache, int64_t *checked, int64_t *bad, struct error *error) {
    struct listed pages = {0};
    enum err err = list_pages(cache, &pages, error);
    for (size_t i = 0; i < pages.n; i++) {
        struct stored stored = {.place = pages.items[i].place, .filter = pages.items[i].filter};
        struct cache_page page;
        cache_page_init(&page);
        if (err == ERR_OK)
            err = read_stored(cache, &stored, &page, error);
        if (err == ERR_OK && stored.there) {
            ++*checked;
            *bad += !stored.whole;
        }
        if (err == ERR_OK && stored.there && !stored.whole)
            drop_from(cache, stored.place);
        str_clear(&stored.blob);
        cache_page_clear(&page);
        free(pages.items[i].filter);
    }
    free(pages.items);
    return err;
}
