#include "cache_batch.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT_MASK = (1 << 20) - 1, BATCH_BYTES_MAX = 256 << 20 };

struct cache_batch *cache_batch_empty(int64_t now) {
    struct cache_batch *batch = mem_new(sizeof *batch);
    batch->now = now;
    str_init(&batch->plain, BATCH_BYTES_MAX);
    str_init(&batch->packed, BATCH_BYTES_MAX);
    return batch;
}

struct cache_batch *cache_batch_new(const char *filter, const char *cursor, const struct page *page, int64_t now) {
    struct cache_batch *batch = cache_batch_empty(now);
    batch->filter = mem_dup(filter ? filter : "");
    batch->cursor = mem_dup(cursor ? cursor : "");
    batch->next = page->next && *page->next && !page->has_more_false ? mem_dup(page->next) : NULL;
    for (size_t i = 0; i < page->n; i++) {
        const struct intent *intent = page->items[i];
        struct batch_row *row = vec_add(batch);
        row->at = batch->plain.len;
        row->loose = !intent || !intent_id(intent);
        if (!row->loose) {
            row->base = cache_key_of(intent->id.text, intent->created_at.state == VALUE_OK ? intent->created_at.ms : 0);
            cells_pack(intent, &batch->plain);
        }
        row->cells_len = batch->plain.len - row->at;
        if (intent && intent->raw)
            str_add_n(&batch->plain, intent->raw, intent->raw_len);
        row->len = batch->plain.len - row->at;
    }
    return batch;
}

void cache_batch_note(struct cache_batch *batch, const char *name, const char *text) {
    free(batch->note_name);
    free(batch->note_text);
    batch->note_name = mem_dup(name);
    batch->note_text = mem_dup(text);
}

void cache_batch_mirror(struct cache_batch *batch) {
    char *name = cache_mirror_walk(batch->filter);
    free(batch->filter);
    batch->filter = name;
}

void cache_batch_rows_only(struct cache_batch *batch) {
    batch->rows_only = true;
}

void cache_batch_if_later(struct cache_batch *batch) {
    batch->rows_only = batch->if_later = true;
}

bool cache_batch_begins(const struct cache_batch *batch) {
    return !*batch->cursor;
}

void cache_batch_free(struct cache_batch *batch) {
    if (!batch)
        return;
    free(batch->filter);
    free(batch->cursor);
    free(batch->next);
    free(batch->items);
    str_clear(&batch->plain);
    str_clear(&batch->packed);
    free(batch->note_name);
    free(batch->note_text);
    free(batch);
}

void cache_put_result_clear(struct cache_put_result *result) {
    free(result->items);
    *result = (struct cache_put_result){0};
}

/* A batch that was read back has its rows packed alone. */
static enum err unpack_rows(struct cache *cache, struct cache_batch *batch, struct error *error) {
    for (size_t i = 0; i < batch->n; i++) {
        struct batch_row *row = &batch->items[i];
        struct codec_row plain;
        if (row->loose)
            continue;
        if (!codec_unpack(cache->codec, batch->packed.s + row->packed_at, row->packed_len, NULL, &plain))
            return error_set(error, ERR_LIMIT, "a row that was put away cannot be read back");
        row->at = batch->plain.len;
        str_add_n(&batch->plain, plain.cells, plain.cells_len);
        str_add_n(&batch->plain, plain.raw, plain.raw_len);
    }
    batch->bare = false;
    batch->whole = true;
    return ERR_OK;
}

/* Before the transaction, so that the file is locked only for the writing itself. */
static enum err pack_rows(struct cache *cache, struct cache_batch *batch, struct error *error) {
    if (batch->plain.truncated)
        return error_set(error, ERR_LIMIT, "a page of %zu bytes is too large for the cache", batch->plain.len);
    if (batch->bare)
        return unpack_rows(cache, batch, error);
    if (batch->whole)
        return ERR_OK;
    str_reset(&batch->packed);
    for (size_t i = 0; i < batch->n; i++) {
        struct batch_row *row = &batch->items[i];
        if (row->loose)
            continue;
        const void *packed;
        enum err err = codec_pack(cache->codec, batch->plain.s + row->at, row->cells_len, row->len, &packed,
                                  &row->packed_len, error);
        if (err != ERR_OK)
            return err;
        row->packed_at = batch->packed.len;
        str_add_n(&batch->packed, packed, row->packed_len);
    }
    batch->whole = true;
    return ERR_OK;
}

/* One row on its way into the table. */
struct put {
    struct cache *cache;
    const struct cache_batch *batch;
    const struct batch_row *row;
    struct cells cells;
    struct cache_put_row *out;
    int64_t seen;
    struct error *error;
};

static enum err write_row(struct put *put, enum cache_sql sql, int64_t key) {
    struct cache *cache = put->cache;
    const char *data = put->batch->packed.s + put->row->packed_at;
    const int64_t times[2] = {put->seen, put->batch->now};
    int64_t digest = cache_row_digest(cache, key, times, data, put->row->packed_len);
    sqlite3_stmt *stmt = cache_stmt(cache, sql);
    sqlite3_bind_int64(stmt, 1, key);
    sqlite3_bind_int64(stmt, 2, put->seen);
    sqlite3_bind_int64(stmt, 3, put->batch->now);
    sqlite3_bind_int64(stmt, 4, digest);
    sqlite3_bind_blob64(stmt, 5, data, put->row->packed_len, SQLITE_STATIC);
    put->out->key = key;
    return db_run(&cache->db, stmt, put->error);
}

static enum err touch_row(struct put *put, const struct cache_held *held) {
    struct cache *cache = put->cache;
    const int64_t times[2] = {held->seen, put->batch->now};
    int64_t digest =
        cache_row_digest(cache, held->key, times, put->batch->packed.s + put->row->packed_at, put->row->packed_len);
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROW_TOUCH);
    sqlite3_bind_int64(stmt, 1, held->key);
    sqlite3_bind_int64(stmt, 2, put->batch->now);
    sqlite3_bind_int64(stmt, 3, digest);
    put->out->key = held->key;
    put->out->fate = CACHE_ROW_SAME;
    return db_run(&cache->db, stmt, put->error);
}

static enum err replace_row(struct put *put, const struct cache_held *held, const struct cells *old) {
    put->out->fate = CACHE_ROW_CHANGED;
    put->seen = held->seen;
    enum err err =
        cache_sight(put->cache, held->key, old, &put->cells, put->batch->now, &put->out->material, put->error);
    return err == ERR_OK ? write_row(put, SQL_ROW_SET, held->key) : err;
}

static bool is_same_id(const struct cells *a, const struct cells *b) {
    const struct cells_slice *x = &a->text[CELLS_ID], *y = &b->text[CELLS_ID];
    return x->len == y->len && x->len > 0 && memcmp(x->s, y->s, x->len) == 0;
}

/* A time that is still to come is of a clock that was wrong then. */
static bool is_held_as_of_later(const struct cache_held *held, const struct cache_batch *batch) {
    return held->confirmed >= batch->now && held->confirmed <= clock_now();
}

/* *taken: the row at this key is another intent's. */
static enum err put_over(struct put *put, sqlite3_stmt *stmt, bool *taken) {
    struct cache_held held;
    struct cells old;
    bool bytes_equal = false;
    bool sound = cache_held_read(put->cache, stmt, NULL, &held) == CACHE_HELD_OK;
    bool newer = sound && cells_is_newer(held.row.cells, held.row.cells_len);
    bool whole = sound && cells_read(held.row.cells, held.row.cells_len, &old);
    if (whole)
        bytes_equal = old.version == put->cells.version &&
                      old.flags == put->cells.flags && /* else of an older program */
                      held.packed_len == put->row->packed_len &&
                      memcmp(held.packed, put->batch->packed.s + put->row->packed_at, held.packed_len) == 0;
    sqlite3_reset(stmt);
    if (!whole) {
        put->cache->damaged_met += !newer;
        put->out->fate = CACHE_ROW_CHANGED;
        return write_row(put, SQL_ROW_SET, held.key);
    }
    *taken = !is_same_id(&old, &put->cells);
    if (*taken || (put->batch->if_later && is_held_as_of_later(&held, put->batch)))
        return ERR_OK;
    return bytes_equal ? touch_row(put, &held) : replace_row(put, &held, &old);
}

static enum err cache_put_put_row(struct put *put) {
    put->seen = put->batch->now;
    put->out->fate = CACHE_ROW_LOOSE;
    put->out->key = CACHE_KEY_NONE;
    int64_t base = -put->row->base;
    for (int64_t probe = 0; probe < CACHE_SLOTS; probe++) {
        int64_t key = -((base & ~(int64_t)SLOT_MASK) | ((base + probe) & SLOT_MASK));
        sqlite3_stmt *stmt = cache_stmt(put->cache, SQL_ROW_GET);
        sqlite3_bind_int64(stmt, 1, key);
        bool there = false, taken = false;
        enum err err = db_step(&put->cache->db, stmt, &there, put->error);
        if (err != ERR_OK)
            return err;
        if (!there) {
            put->out->fate = CACHE_ROW_NEW;
            return write_row(put, SQL_ROW_ADD, key);
        }
        err = put_over(put, stmt, &taken);
        if (err != ERR_OK || !taken)
            return err;
    }
    return ERR_OK;
}

static void count_fate(struct cache_put_result *result, enum cache_fate fate) {
    size_t *const counters[] = {&result->fresh, &result->changed, &result->same, &result->loose};
    (*counters[fate])++;
}

static bool batch_cells(const struct cache_batch *batch, size_t i, struct cells *out) {
    const struct batch_row *row = &batch->items[i];
    return !row->loose && cells_read(batch->plain.s + row->at, row->cells_len, out);
}

struct batch_place {
    int64_t digest; /* of the id, as in its key */
    size_t at;
};

static int compare_places(const void *a, const void *b) {
    const struct batch_place *x = a, *y = b;
    return x->digest != y->digest ? (x->digest < y->digest ? -1 : 1) : (x->at > y->at) - (x->at < y->at);
}

/* Of the rows of one digest, by their places; from the last one on, so that of an id that came very often only the last
 * is looked at. */
static void find_last_among(const struct cache_batch *batch, const struct batch_place *places, size_t n, size_t *last) {
    struct cells a, b;
    for (size_t i = n; i-- > 0;) {
        bool found = !batch_cells(batch, places[i].at, &a);
        for (size_t j = n - 1; j > i && !found; j--) {
            if (last[places[j].at] != places[j].at || !batch_cells(batch, places[j].at, &b) || !is_same_id(&a, &b))
                continue;
            last[places[i].at] = places[j].at;
            found = true;
        }
    }
}

/* For each row the last one of the page with its id: two with another created_at have two keys and one time of
 * confirmation, and nothing could tell later which of them was served last. */
static void find_last(const struct cache_batch *batch, size_t *last) {
    struct batch_place *places = mem_new_array(batch->n ? batch->n : 1, sizeof *places);
    for (size_t i = 0; i < batch->n; i++) {
        places[i] = (struct batch_place){batch->items[i].loose ? -1 - (int64_t)i : batch->items[i].base & SLOT_MASK, i};
        last[i] = i;
    }
    qsort(places, batch->n, sizeof *places, compare_places);
    for (size_t from = 0, end; from < batch->n; from = end) {
        for (end = from + 1; end < batch->n && places[end].digest == places[from].digest;)
            end++;
        find_last_among(batch, places + from, end - from, last);
    }
    free(places);
}

/* The earlier of two such rows is not stored, and stands for the later one in its page. */
static void follow_last(const struct cache_batch *batch, const size_t *last, struct cache_put_result *result) {
    for (size_t i = 0; i < batch->n; i++) {
        struct cache_put_row *row = &result->items[i];
        if (last[i] != i && row->key == CACHE_KEY_NONE && result->items[last[i]].key != CACHE_KEY_NONE)
            *row = (struct cache_put_row){.key = result->items[last[i]].key, .fate = CACHE_ROW_SAME};
        count_fate(result, row->fate);
    }
}

static enum err put_rows(struct cache *cache, struct cache_batch *batch, struct cache_put_result *result,
                         struct error *error) {
    enum err err = ERR_OK;
    size_t *last = mem_new_array(batch->n ? batch->n : 1, sizeof *last);
    find_last(batch, last);
    for (size_t i = 0; i < batch->n && err == ERR_OK; i++) {
        const struct batch_row *row = &batch->items[i];
        struct put put = {.cache = cache, .batch = batch, .row = row, .out = &result->items[i], .error = error};
        put.out->fate = CACHE_ROW_LOOSE;
        put.out->key = CACHE_KEY_NONE;
        if (row->base == batch->items[last[i]].base && batch_cells(batch, i, &put.cells))
            err = cache_put_put_row(&put);
    }
    follow_last(batch, last, result);
    free(last);
    return err == ERR_OK ? cache_count_add(cache, CACHE_COUNTER_ROWS, (int64_t)result->fresh, error) : err;
}

/* Rows that came unchanged are logged too, with the time: a row that a complete walk did not confirm left its list, and
 * the index of another console has to know which ones it confirmed. */
static enum err log_change(struct cache *cache, int64_t now, struct cache_put_result *result, struct error *error) {
    int64_t *keys = mem_new_array(result->n + 1, sizeof *keys), *same = mem_new_array(result->n + 1, sizeof *same);
    size_t n = 0, n_same = 0;
    same[n_same++] = now;
    for (size_t i = 0; i < result->n; i++)
        if (result->items[i].fate == CACHE_ROW_NEW || result->items[i].fate == CACHE_ROW_CHANGED)
            keys[n++] = result->items[i].key;
        else if (result->items[i].fate == CACHE_ROW_SAME)
            same[n_same++] = result->items[i].key;
    enum err err = n > 0 ? cache_change_add(cache, CACHE_CHANGE_STORED, keys, n, &result->change, error) : ERR_OK;
    if (err == ERR_OK && n_same > 1)
        err = cache_change_add(cache, CACHE_CHANGE_CONFIRMED, same, n_same, NULL, error);
    free(keys);
    free(same);
    return err;
}

/* The clock was set back since: what is confirmed from now on would look older than a reading that ended before it. */
static enum err forget_wholes_ahead(struct cache *cache, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_WHOLES_AHEAD);
    sqlite3_bind_int64(stmt, 1, clock_now());
    return db_run(&cache->db, stmt, error);
}

enum err cache_put(struct cache *cache, struct cache_batch *batch, struct cache_put_result *result,
                   struct error *error) {
    *result = (struct cache_put_result){.n = batch->n};
    enum err err = cache_usable(cache, error);
    if (err == ERR_OK && cache->read_only)
        err = error_set(error, ERR_STORE, "cache: it can be read, not written");
    if (err == ERR_OK)
        err = pack_rows(cache, batch, error);
    if (err == ERR_OK)
        err = db_begin(&cache->db, error);
    if (err != ERR_OK)
        return err;
    result->items = mem_new_array(batch->n ? batch->n : 1, sizeof *result->items);
    err = forget_wholes_ahead(cache, error);
    if (err == ERR_OK)
        err = put_rows(cache, batch, result, error);
    if (err == ERR_OK && !batch->rows_only)
        err = cache_page_put(cache, batch, result->items, &result->in_walk, error);
    if (err == ERR_OK)
        err = log_change(cache, batch->now, result, error);
    if (err == ERR_OK && batch->note_name)
        err = cache_note_put(cache, batch->note_name, batch->note_text, error);
    if (err == ERR_OK && cache->unproven)
        err = cache_bind(cache, cache->token, error);
    err = db_end(&cache->db, err, error);
    cache->unproven = cache->unproven && err != ERR_OK;
    if (err != ERR_OK)
        cache_put_result_clear(result);
    return err;
}

enum err cache_put_page(struct cache *cache, const char *filter, const char *cursor, const struct page *page,
                        int64_t now, struct cache_put_result *result, struct error *error) {
    struct cache_batch *batch = cache_batch_new(filter, cursor, page, now);
    enum err err = cache_put(cache, batch, result, error);
    cache_batch_free(batch);
    return err;
}
