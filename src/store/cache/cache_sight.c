#include "cache_own.h"
#include "model/transition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which differences count as a change: decisions and movements of money. Times and derived values do not, since then
 * every row would change all the time. For texts model/fields.def decides. */
static const struct {
    unsigned flag;
    const char *field, *on, *off;
} FLAGS[] = {
    {CELLS_HAS_DISPUTE, "dispute", "present", "none"},
    {CELLS_HAS_REFUND, "refund", "present", "none"},
    {CELLS_ARCHIVED, "payment_credential.is_archived", "true", "false"},
};

enum { TRANSACTIONS_MAX = 256, FIELD_BYTES = 256 };

/* Where sightings of one row go. */
struct sight {
    struct cache *cache;
    int64_t key, seen;
    bool any;
    enum err err;
    struct error *error;
};

enum err cache_sight_one(struct cache *cache, int64_t key, const char *field, const char *const values[2], int64_t seen,
                         struct error *error) {
    cache_digest_begin(cache);
    cache_digest_number(cache, key);
    cache_digest_number(cache, seen);
    cache_digest_bytes(cache, field, strlen(field));
    for (int i = 0; i < 2; i++)
        cache_digest_bytes(cache, values[i], values[i] ? strlen(values[i]) : 0);
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_SIGHTING_ADD);
    sqlite3_bind_int64(stmt, 1, key);
    sqlite3_bind_int64(stmt, 2, seen);
    sqlite3_bind_text(stmt, 3, field, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 4, values[0], -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 5, values[1], -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 6, cache_digest_end(cache));
    return db_run(&cache->db, stmt, error);
}

static void cache_sight_note(struct sight *sight, const char *field, const char *old, const char *now) {
    sight->any = true;
    if (sight->err == ERR_OK)
        sight->err = cache_sight_one(sight->cache, sight->key, field, (const char *const[2]){old, now}, sight->seen,
                                     sight->error);
}

static bool equal(struct cells_slice a, struct cells_slice b) {
    if (!a.s || !b.s)
        return a.s == b.s;
    return a.len == b.len && memcmp(a.s, b.s, a.len) == 0;
}

static void compare_slices(struct sight *sight, const char *field, struct cells_slice old, struct cells_slice now) {
    if (equal(old, now))
        return;
    char *texts[2] = {old.s ? mem_dup_n(old.s, old.len) : NULL, now.s ? mem_dup_n(now.s, now.len) : NULL};
    cache_sight_note(sight, field, texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

/* A text that older cells could not have is no change. */
static void compare_texts(struct sight *sight, const struct cells *old, const struct cells *now) {
    for (enum intent_field field = 0; field < INTENT_FIELD_COUNT; field++) {
        int text = cells_text_of(field);
        if (text < 0)
            continue;
        const struct cells_text_info *info = cells_text_info((enum cells_text)text);
        if (info->sighted && info->version <= old->version)
            compare_slices(sight, intent_field_path(field), old->text[text], now->text[text]);
    }
}

static void compare_numbers(struct sight *sight, const char *field, const bool known[2], const int64_t numbers[2]) {
    if (known[0] == known[1] && (!known[0] || numbers[0] == numbers[1]))
        return;
    char texts[2][24];
    for (int i = 0; i < 2; i++)
        snprintf(texts[i], sizeof texts[i], "%lld", (long long)numbers[i]);
    cache_sight_note(sight, field, known[0] ? texts[0] : NULL, known[1] ? texts[1] : NULL);
}

static bool find_transaction(const struct cells *cells, struct cells_slice id, struct cells_transaction *out) {
    const unsigned char *at = cells->transactions;
    for (int i = 0; i < TRANSACTIONS_MAX && cells_transaction_next(cells, &at, out); i++)
        if (out->id.s && equal(out->id, id))
            return true;
    return false;
}

static void compare_transactions(struct sight *sight, const struct cells *old, const struct cells *now) {
    compare_numbers(sight, "transactions", (const bool[2]){true, true},
                    (const int64_t[2]){(int64_t)old->n_transactions, (int64_t)now->n_transactions});
    const unsigned char *at = now->transactions;
    struct cells_transaction a, b;
    for (int i = 0; i < TRANSACTIONS_MAX && cells_transaction_next(now, &at, &b); i++) {
        if (!b.id.s || !find_transaction(old, b.id, &a))
            continue;
        char field[FIELD_BYTES];
        int id_len = b.id.len < FIELD_BYTES / 2 ? (int)b.id.len : FIELD_BYTES / 2;
        snprintf(field, sizeof field, "transactions[%.*s].status", id_len, b.id.s);
        compare_slices(sight, field, a.status, b.status);
        snprintf(field, sizeof field, "transactions[%.*s].amount", id_len, b.id.s);
        compare_numbers(sight, field, (const bool[2]){a.amount_ok, b.amount_ok},
                        (const int64_t[2]){a.amount, b.amount});
    }
}

enum err cache_sight(struct cache *cache, int64_t key, const struct cells *old, const struct cells *now, int64_t seen,
                     bool *any, struct error *error) {
    struct sight sight = {.cache = cache, .key = key, .seen = seen, .error = error};
    compare_texts(&sight, old, now);
    compare_numbers(&sight, intent_field_path(INTENT_FIELD_AMOUNT),
                    (const bool[2]){(old->flags & CELLS_AMOUNT_OK) != 0, (now->flags & CELLS_AMOUNT_OK) != 0},
                    (const int64_t[2]){old->amount, now->amount});
    compare_numbers(&sight, intent_field_path(INTENT_FIELD_GUARANTEE_AMOUNT),
                    (const bool[2]){(old->flags & CELLS_GUARANTEE_OK) != 0, (now->flags & CELLS_GUARANTEE_OK) != 0},
                    (const int64_t[2]){old->guarantee, now->guarantee});
    for (size_t i = 0; i < COUNT_OF(FLAGS); i++)
        if ((old->flags & FLAGS[i].flag) != (now->flags & FLAGS[i].flag))
            cache_sight_note(&sight, FLAGS[i].field, old->flags & FLAGS[i].flag ? FLAGS[i].on : FLAGS[i].off,
                             now->flags & FLAGS[i].flag ? FLAGS[i].on : FLAGS[i].off);
    compare_transactions(&sight, old, now);
    *any = sight.any;
    return sight.err;
}

void cache_sightings_init(struct cache_sightings *sightings) {
    *sightings = (struct cache_sightings){0};
}

void cache_sightings_clear(struct cache_sightings *sightings) {
    arena_clear(&sightings->arena);
    free(sightings->items);
    cache_sightings_init(sightings);
}

/* Columns: seen, field, old, now, digest. */
static bool sighting_holds(struct cache *cache, sqlite3_stmt *stmt, int64_t key) {
    cache_digest_begin(cache);
    cache_digest_number(cache, key);
    cache_digest_number(cache, sqlite3_column_int64(stmt, 0));
    for (int i = 1; i <= 3; i++) {
        const char *text = (const char *)sqlite3_column_text(stmt, i);
        cache_digest_bytes(cache, text, (size_t)sqlite3_column_bytes(stmt, i));
    }
    return cache_digest_end(cache) == sqlite3_column_int64(stmt, 4);
}

static const char *cache_sight_keep(struct arena *arena, sqlite3_stmt *stmt, int column) {
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    return text ? arena_dup_n(arena, text, (size_t)sqlite3_column_bytes(stmt, column)) : NULL;
}

enum err cache_sightings(struct cache *cache, int64_t key, struct cache_sightings *out, struct error *error) {
    enum err err = cache_usable(cache, error);
    if (err != ERR_OK)
        return err;
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_SIGHTINGS);
    sqlite3_bind_int64(stmt, 1, key);
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (!row || !sighting_holds(cache, stmt, key))
            continue;
        struct cache_sighting *item = vec_add(out);
        item->seen = sqlite3_column_int64(stmt, 0);
        item->field = cache_sight_keep(&out->arena, stmt, 1);
        item->old = cache_sight_keep(&out->arena, stmt, 2);
        item->now = cache_sight_keep(&out->arena, stmt, 3);
    }
    return err;
}

enum err cache_transitions(struct cache *cache, int64_t key, uint64_t *out, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_SIGHTINGS);
    enum err err = ERR_OK;
    *out = 0;
    sqlite3_bind_int64(stmt, 1, key);
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        const char *field = row ? (const char *)sqlite3_column_text(stmt, 1) : NULL;
        if (field && strcmp(field, intent_field_path(INTENT_FIELD_STATUS)) == 0 && sighting_holds(cache, stmt, key))
            *out |= TRANSITION_BIT(
                transition_of((const char *)sqlite3_column_text(stmt, 2), (const char *)sqlite3_column_text(stmt, 3)));
    }
    return err;
}

enum err cache_sightings_check(struct cache *cache, int64_t *checked, int64_t *bad, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_SIGHTINGS_ALL);
    enum err err = ERR_OK;
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(&cache->db, stmt, &row, error);
        if (!row)
            continue;
        ++*checked;
        *bad += !sighting_holds(cache, stmt, sqlite3_column_int64(stmt, 5));
    }
    return err;
}
