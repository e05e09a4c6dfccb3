#include "cache_own.h"

#include "base/least.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM_ROWS = 2048, ID_BITS_MASK = (1 << 20) - 1 };

void cache_rows_init(struct cache_rows *rows) {
    *rows = (struct cache_rows){0};
}

void cache_rows_clear(struct cache_rows *rows) {
    arena_clear(&rows->arena);
    free(rows->items);
    cache_rows_init(rows);
}

void cache_note_bad(struct cache *cache, int64_t key) {
    *vec_add(&cache->bad) = key;
    cache->damaged_met++;
}

static bool cache_read_take_row(struct cache *cache, sqlite3_stmt *stmt, struct cache_rows *rows) {
    struct cache_held held;
    if (cache_held_read(cache, stmt, &rows->arena, &held) != CACHE_HELD_OK) {
        cache_note_bad(cache, held.key);
        rows->damaged++;
        return false;
    }
    struct cache_row *row = vec_add(rows);
    *row = (struct cache_row){
        .key = held.key,
        .seen = held.seen,
        .confirmed = held.confirmed,
        .raw = held.row.raw,
        .cells = held.row.cells,
        .raw_len = held.row.raw_len,
        .cells_len = held.row.cells_len,
    };
    return true;
}

enum err cache_check_order(struct cache *cache, int64_t before, int64_t key, bool older, struct error *error) {
    if (older ? key > before : key < before)
        return ERR_OK;
    return db_fail(&cache->db, SQLITE_CORRUPT, error);
}

static enum err read_range(struct cache *cache, enum cache_sql sql, int64_t from, size_t limit, struct cache_rows *rows,
                           struct error *error) {
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, sql);
    sqlite3_bind_int64(stmt, 1, from);
    sqlite3_bind_int64(stmt, 2, limit > INT64_MAX ? INT64_MAX : (int64_t)limit);
    int64_t last = from;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (!row)
            break;
        int64_t key = sqlite3_column_int64(stmt, 0);
        err = cache_check_order(cache, last, key, sql == SQL_ROWS_OLDER, error);
        last = key;
        if (err == ERR_OK)
            cache_read_take_row(cache, stmt, rows);
    }
    sqlite3_reset(stmt);
    cache_drop_bad(cache);
    return err;
}

enum err cache_older(struct cache *cache, int64_t from, size_t limit, struct cache_rows *rows, struct error *error) {
    return read_range(cache, SQL_ROWS_OLDER, from, limit, rows, error);
}

enum err cache_newer(struct cache *cache, int64_t from, size_t limit, struct cache_rows *rows, struct error *error) {
    return read_range(cache, SQL_ROWS_NEWER, from, limit, rows, error);
}

struct keys {
    int64_t *items;
    size_t n, cap;
};

/* One that is not there goes into `absent`, if given. */
static enum err cache_read_read_one(struct cache *cache, int64_t key, struct cache_rows *rows, struct keys *absent,
                                    struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROW_GET);
    sqlite3_bind_int64(stmt, 1, key);
    bool row = false;
    enum err err = db_step(&cache->db, stmt, &row, error);
    if (err == ERR_OK && !row && absent)
        *vec_add(absent) = key;
    if (err == ERR_OK && (!row || !cache_read_take_row(cache, stmt, rows))) {
        struct cache_row *missing = vec_add(rows);
        missing->key = key;
        missing->missing = true;
    }
    sqlite3_reset(stmt);
    return err;
}

enum err cache_read_one(struct cache *cache, int64_t key, struct cache_rows *rows, struct error *error) {
    return cache_read_read_one(cache, key, rows, NULL, error);
}

/* Where the rows of keys go: as a whole, or their cells one by one. */
struct taker {
    struct cache_rows *rows; /* NULL: to each */
    cache_each_row *each;
    void *context;
};

static enum err give_one(struct cache *cache, int64_t key, const struct taker *to, struct keys *absent,
                         struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROW_GET);
    sqlite3_bind_int64(stmt, 1, key);
    bool there = false;
    struct cache_held held;
    enum err err = db_step(&cache->db, stmt, &there, error);
    if (err == ERR_OK && !there)
        *vec_add(absent) = key;
    if (err == ERR_OK && there && cache_held_read(cache, stmt, NULL, &held) != CACHE_HELD_OK) {
        cache_note_bad(cache, key);
        there = false;
    }
    struct cache_row row = {.key = key, .missing = !there};
    if (there)
        row = (struct cache_row){.key = key,
                                 .seen = held.seen,
                                 .confirmed = held.confirmed,
                                 .cells = held.row.cells,
                                 .cells_len = held.row.cells_len};
    if (err == ERR_OK)
        (void)to->each(to->context, &row);
    sqlite3_reset(stmt);
    return err;
}

static struct cache_state cache_read_state_of(struct cache *cache) {
    struct cache_state state = {.changes = sqlite3_total_changes(cache->db.handle)};
    state.known = db_int(&cache->db, "PRAGMA data_version", &state.version, NULL) == ERR_OK;
    return state;
}

static bool cache_read_is_same(const struct cache_state *a, const struct cache_state *b) {
    return a->known && b->known && a->version == b->version && a->changes == b->changes;
}

/* Keys come from a reading of all rows. One that is not found was removed since, or a damaged tree does not lead to it:
 * then a reading of all rows still meets it. Done once for each state of the cache, since it reads all keys. */
static enum err check_absent(struct cache *cache, struct keys *absent, struct error *error) {
    if (absent->n == 0)
        return ERR_OK;
    struct cache_state state = cache_read_state_of(cache);
    if (cache_read_is_same(&state, &cache->found))
        return ERR_OK;
    qsort(absent->items, absent->n, sizeof *absent->items, compare_int64);
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_KEYS_ALL);
    enum err err = ERR_OK;
    int64_t met = 0;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        int64_t key = row && err == ERR_OK ? sqlite3_column_int64(stmt, 0) : 0;
        met += row && err == ERR_OK && bsearch(&key, absent->items, absent->n, sizeof key, compare_int64);
    }
    sqlite3_reset(stmt);
    state.known = state.known && err == ERR_OK && met == 0;
    cache->found = state;
    cache->damaged_met += met;
    return err == ERR_OK && met > 0 ? db_fail(&cache->db, SQLITE_CORRUPT, error) : err;
}

static enum err cache_read_read_keys(struct cache *cache, const int64_t *keys, size_t n, const struct taker *to,
                                     struct error *error) {
    enum err err = cache_usable(cache, error);
    if (err == ERR_OK)
        err = db_begin_reading(&cache->db, error);
    struct keys absent = {0};
    for (size_t i = 0; i < n && err == ERR_OK; i++)
        err = to->rows ? cache_read_read_one(cache, keys[i], to->rows, &absent, error)
                       : give_one(cache, keys[i], to, &absent, error);
    if (err == ERR_OK)
        err = check_absent(cache, &absent, error);
    free(absent.items);
    err = db_end(&cache->db, err, error);
    cache_drop_bad(cache);
    return err;
}

enum err cache_get(struct cache *cache, const int64_t *keys, size_t n, struct cache_rows *rows, struct error *error) {
    return cache_read_read_keys(cache, keys, n, &(struct taker){.rows = rows}, error);
}

void cache_get_each(struct cache *cache, const int64_t *keys, size_t n, struct cache_rows *rows) {
    for (size_t i = 0; i < n; i++)
        if (cache_read_read_one(cache, keys[i], rows, NULL, NULL) != ERR_OK)
            *(struct cache_row *)vec_add(rows) = (struct cache_row){.key = keys[i], .missing = true};
}

enum err cache_stream_keys(struct cache *cache, const int64_t *keys, size_t n, cache_each_row *each, void *context,
                           struct error *error) {
    return cache_read_read_keys(cache, keys, n, &(struct taker){.each = each, .context = context}, error);
}

static bool has_id(const struct cache_row *row, const char *id) {
    struct cells cells;
    size_t len = strlen(id);
    return cells_read(row->cells, row->cells_len, &cells) && cells.text[CELLS_ID].len == len && len > 0 &&
           memcmp(cells.text[CELLS_ID].s, id, len) == 0;
}

enum err cache_find(struct cache *cache, const char *id, struct cache_rows *rows, struct error *error) {
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROWS_LIKE);
    sqlite3_bind_int64(stmt, 1, -cache_key_of(id, 0) & ID_BITS_MASK);
    sqlite3_bind_int64(stmt, 2, CACHE_SLOTS);
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (row && cache_read_take_row(cache, stmt, rows) && !has_id(&rows->items[rows->n - 1], id))
            rows->n--;
    }
    sqlite3_reset(stmt);
    cache_drop_bad(cache);
    return err;
}

/* A reading of all rows is followed from its first one on, over several calls; a new one takes the place of the one
 * that began first. Asked for before the rows are read. NULL: it is not known how many rows are before this one. */
static struct cache_reading *reading_at(struct cache *cache, int64_t from) {
    if (from == CACHE_KEY_NEWEST) {
        struct cache_reading *anew = &cache->readings[cache->begun++ % CACHE_READINGS];
        *anew = (struct cache_reading){.next = from, .state = cache_read_state_of(cache)};
        return anew;
    }
    for (int i = 0; i < CACHE_READINGS; i++)
        if (cache->readings[i].next == from && cache->readings[i].state.known)
            return &cache->readings[i];
    return NULL;
}

/* A damaged tree can lose rows without any other sign than their number. */
static enum err check_number(struct cache *cache, struct cache_reading *reading, struct error *error) {
    int64_t kept, rows = reading->rows;
    enum err err = cache_count_get(cache, CACHE_COUNTER_ROWS, &kept, error);
    struct cache_state state = cache_read_state_of(cache);
    bool same = cache_read_is_same(&state, &reading->state);
    reading->state.known = false; /* it is over */
    if (err != ERR_OK || !same || kept == rows)
        return err;
    cache->damaged_met += kept > rows ? kept - rows : 1;
    return db_fail(&cache->db, SQLITE_CORRUPT, error);
}

/* One chunk; *from moves on, *more tells whether there may be another. */
static enum err stream_chunk(struct cache *cache, int64_t *from, cache_each_row *each, void *context, bool *more,
                             struct error *error) {
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_ROWS_OLDER);
    sqlite3_bind_int64(stmt, 1, *from);
    sqlite3_bind_int64(stmt, 2, STREAM_ROWS);
    size_t n = 0;
    struct cache_reading *reading = reading_at(cache, *from);
    bool stopped = false;
    for (bool row = true; err == ERR_OK && row && !stopped;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (!row)
            break;
        struct cache_held held;
        enum cache_check check = cache_held_read(cache, stmt, NULL, &held);
        err = cache_check_order(cache, *from, held.key, true, error);
        *from = held.key;
        n++;
        if (err == ERR_OK && check != CACHE_HELD_OK)
            cache_note_bad(cache, held.key);
        else if (err == ERR_OK)
            stopped = !each(context, &(struct cache_row){.key = held.key,
                                                         .seen = held.seen,
                                                         .confirmed = held.confirmed,
                                                         .raw = held.row.raw,
                                                         .raw_len = held.row.raw_len,
                                                         .cells = held.row.cells,
                                                         .cells_len = held.row.cells_len});
    }
    sqlite3_reset(stmt);
    *more = !stopped && n == STREAM_ROWS;
    if (reading) {
        reading->next = *from;
        reading->rows += (int64_t)n;
    }
    return err == ERR_OK && !stopped && !*more && reading ? check_number(cache, reading, error) : err;
}

enum err cache_stream_rows(struct cache *cache, int64_t from, cache_each_row *each, void *context,
                           struct error *error) {
    enum err err = ERR_OK;
    for (bool more = true; err == ERR_OK && more;) {
        err = stream_chunk(cache, &from, each, context, &more, error);
        cache_drop_bad(cache);
    }
    return err;
}

struct cells_each {
    cache_each *each;
    void *context;
};

static bool give_cells(void *context, const struct cache_row *row) {
    struct cells_each *to = context;
    return to->each(to->context, row->key, row->cells, row->cells_len);
}

enum err cache_stream(struct cache *cache, int64_t from, cache_each *each, void *context, struct error *error) {
    struct cells_each to = {.each = each, .context = context};
    return cache_stream_rows(cache, from, give_cells, &to, error);
}

enum err cache_changed_at(struct cache *cache, int64_t key, int64_t *ms, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_SIGHTED);
    sqlite3_bind_int64(stmt, 1, key);
    bool row = false;
    enum err err = db_step(&cache->db, stmt, &row, error);
    *ms = row ? sqlite3_column_int64(stmt, 0) : INT64_MIN;
    sqlite3_reset(stmt);
    return err;
}
