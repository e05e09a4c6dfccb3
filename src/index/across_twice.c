#include "across.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Rows of the same user, amount and currency within a minute. Those that may have a partner are found by a table of
 * digests of what must be equal and the minute; only those few are sorted and compared. */

struct twice {
    struct index *index;
    struct across_table table;
    struct twice_row *items;
    size_t n, cap;
};

bool twice_read(const struct block *block, size_t at, struct twice_row *out) {
    enum { NEEDED = CELLS_CREATED_OK | CELLS_AMOUNT_OK };
    *out = (struct twice_row){.amount = numbers_get(&block->numbers[NUMBER_AMOUNT], at),
                              .created = numbers_get(&block->numbers[NUMBER_CREATED], at),
                              .user = codes_get(&block->codes[CELLS_USER], at),
                              .currency = codes_get(&block->codes[CELLS_CURRENCY], at),
                              .handle = handle_of(block, at)};
    return block->alive[at] && (block->flags[at] & NEEDED) == NEEDED && !(block->flags[at] & CELLS_CREATED_BARE) &&
           out->user != 0 && out->currency != 0;
}

static int64_t twice_minute(const struct twice_row *row) {
    return row->created / FINDING_TWICE_MS - (row->created % FINDING_TWICE_MS < 0 ? 1 : 0);
}

static const uint64_t MIX = UINT64_C(0x9E3779B97F4A7C15);

/* Of what must be equal; twice_at adds the minute. */
static uint64_t twice_digest(const struct twice_row *row) {
    uint64_t sum = ((uint64_t)row->user << 32 | row->currency) * MIX;
    sum = (sum ^ sum >> 29 ^ (uint64_t)row->amount) * MIX;
    return sum ^ sum >> 29;
}

static uint64_t twice_at(uint64_t digest, int64_t minute) {
    return (digest ^ (uint64_t)minute) * MIX;
}

static void twice_note(void *context, struct block *block) {
    struct twice *twice = context;
    struct twice_row row;
    for (size_t i = 0; i < block->n; i++)
        if (twice_read(block, i, &row))
            across_table_put(&twice->table, twice_at(twice_digest(&row), twice_minute(&row)));
}

static bool twice_may_be(const struct twice *twice, const struct twice_row *row) {
    int64_t minute = twice_minute(row);
    uint64_t digest = twice_digest(row);
    return *across_entry(&twice->table, twice_at(digest, minute)) == ACROSS_MORE ||
           *across_entry(&twice->table, twice_at(digest, minute - 1)) ||
           *across_entry(&twice->table, twice_at(digest, minute + 1));
}

static void twice_take(void *context, struct block *block) {
    struct twice *twice = context;
    struct twice_row row;
    for (size_t i = 0; i < block->n; i++)
        if (twice_read(block, i, &row) && twice_may_be(twice, &row))
            *vec_add(twice) = row;
}

static int twice_order(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int twice_compare(const struct twice_row *x, const struct twice_row *y) {
    int user = twice_order(x->user, y->user), currency = twice_order(x->currency, y->currency);
    return user ? user : currency ? currency : twice_order(x->amount, y->amount);
}

bool twice_are_near(const struct twice_row *x, const struct twice_row *y) {
    int64_t apart = x->created < y->created ? y->created - x->created : x->created - y->created;
    return twice_compare(x, y) == 0 && apart <= FINDING_TWICE_MS;
}

static int twice_by_time(const void *a, const void *b) {
    const struct twice_row *x = a, *y = b;
    int differ = twice_compare(x, y);
    return differ ? differ : twice_order(x->created, y->created);
}

/* NULL: it has none, or the file is damaged. */
static const char *twice_id(struct index *index, const struct twice_row *row) {
    struct block *block = index->blocks[row->handle >> BLOCK_BITS];
    if (!index_check(index, block, PART_BIT(PART_TEXT)))
        return NULL;
    const char *id = block->text + block->text_start[row->handle & (BLOCK_ROWS - 1)];
    return *id == TEXT_NONE || !*id ? NULL : id;
}

/* Rows of one id are one intent that came again, and of rows without one nobody can tell. */
bool twice_are_two(struct index *index, const struct twice_row *x, const struct twice_row *y) {
    const char *a = twice_id(index, x), *b = twice_id(index, y);
    return a && b && strcmp(a, b) != 0;
}

/* step: 1 or -1. */
static bool twice_has_partner(const struct twice *twice, size_t i, int step) {
    const struct twice_row *row = &twice->items[i];
    for (size_t at = i + (size_t)step; at < twice->n; at += (size_t)step) { /* before the first it wraps around */
        const struct twice_row *other = &twice->items[at];
        if (!twice_are_near(row, other))
            return false;
        if (twice_are_two(twice->index, row, other))
            return true;
    }
    return false;
}

bool across_find_twice(struct index *index, const atomic_bool *cancel, struct across *out) {
    struct twice twice = {.index = index};
    across_table_init(&twice.table, index->count);
    bool done = across_each(index, TWICE_PARTS, cancel, twice_note, &twice) &&
                across_each(index, TWICE_PARTS, cancel, twice_take, &twice);
    if (twice.n > 0)
        qsort(twice.items, twice.n, sizeof *twice.items, twice_by_time);
    for (size_t i = 0; i < twice.n && done; i++)
        if (twice_has_partner(&twice, i, 1) || twice_has_partner(&twice, i, -1))
            across_set(out, twice.items[i].handle, FINDING_TWICE);
    free(twice.table.entries);
    free(twice.items);
    return done && !index->damaged;
}
