#include "block.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 1024 };

struct index *index_new(void) {
    struct index *index = mem_new(sizeof *index);
    str_init(&index->text, PTRDIFF_MAX / 2);
    return index;
}

void index_clear(struct index *index) {
    for (size_t i = 0; i < index->n_blocks; i++)
        block_free(index->blocks[i]);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        dict_clear(&index->dicts[i]);
    free(index->blocks);
    free(index->sequence.items);
    free(index->slots);
    free(index->row.tx.items);
    str_clear(&index->text);
    *index = (struct index){.count = 0};
    str_init(&index->text, PTRDIFF_MAX / 2);
}

void index_free(struct index *index) {
    if (!index)
        return;
    index_clear(index);
    free(index);
}

size_t index_count(const struct index *index) {
    return index->count;
}

size_t index_bytes(const struct index *index) {
    size_t sum = sizeof *index + index->n_slots * sizeof *index->slots + index->blocks_cap * sizeof *index->blocks +
                 index->sequence.cap * sizeof *index->sequence.items;
    for (size_t i = 0; i < index->n_blocks; i++)
        sum += index->blocks[i] ? block_bytes(index->blocks[i]) : 0;
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        sum += dict_bytes(&index->dicts[i]);
    return sum;
}

static size_t hash_key(int64_t key) {
    uint64_t hash = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash ^ hash >> 32);
}

static int64_t key_at(const struct index *index, uint32_t handle) {
    return index->blocks[handle >> BLOCK_BITS]->keys[handle & (BLOCK_ROWS - 1)];
}

/* The slot of the key, or the free one where it would be. */
static size_t slot_of(const struct index *index, int64_t key) {
    size_t mask = index->n_slots - 1, at = hash_key(key) & mask;
    while (index->slots[at] != 0 && key_at(index, index->slots[at] - 1) != key)
        at = (at + 1) & mask;
    return at;
}

bool index_lookup(const struct index *index, int64_t key, uint32_t *handle) {
    if (index->n_slots == 0)
        return false;
    uint32_t slot = index->slots[slot_of(index, key)];
    *handle = slot - 1;
    return slot != 0;
}

bool index_has(const struct index *index, int64_t key) {
    uint32_t handle;
    return index_lookup(index, key, &handle);
}

static void grow_slots(struct index *index) {
    if (index->n_slots > 0 && index->count * 4 < index->n_slots * 3)
        return;
    size_t n = index->n_slots > 0 ? index->n_slots * 2 : SLOTS_MIN, before = index->n_slots;
    uint32_t *old = index->slots;
    index->slots = mem_new_array(n, sizeof *index->slots);
    index->n_slots = n;
    for (size_t i = 0; i < before; i++)
        if (old[i] != 0)
            index->slots[slot_of(index, key_at(index, old[i] - 1))] = old[i];
    free(old);
}

static void slot_put(struct index *index, const struct block *block, size_t at) {
    index->slots[slot_of(index, block->keys[at])] = handle_of(block, at) + 1;
}

/* Later entries of the chain move up, so that no mark of a removed one is needed. */
static void slot_remove(struct index *index, int64_t key) {
    size_t mask = index->n_slots - 1, hole = slot_of(index, key);
    for (size_t at = (hole + 1) & mask; index->slots[at] != 0; at = (at + 1) & mask) {
        size_t home = hash_key(key_at(index, index->slots[at] - 1)) & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            index->slots[hole] = index->slots[at];
            hole = at;
        }
    }
    index->slots[hole] = 0;
}

static struct block *block_in(const struct index *index, size_t place) {
    return index->blocks[index->sequence.items[place]];
}

/* A new block that stands at this place of the sequence. */
static struct block *insert_block(struct index *index, size_t place) {
    size_t id = 0;
    while (id < index->n_blocks && index->blocks[id])
        id++;
    if (id >= UINT32_MAX >> BLOCK_BITS)
        mem_fatal("more rows than an index can number");
    if (id == index->n_blocks) {
        index->blocks = vec_grow(index->blocks, index->n_blocks, &index->blocks_cap, sizeof(struct block *));
        index->n_blocks++;
    }
    (void)vec_add(&index->sequence);
    uint32_t *items = index->sequence.items;
    memmove(items + place + 1, items + place, (index->sequence.n - 1 - place) * sizeof *items);
    items[place] = (uint32_t)id;
    return index->blocks[id] = block_new((uint32_t)id);
}

/* The last block that starts at or below the key; 0 where none does. */
static size_t place_of(const struct index *index, int64_t key) {
    size_t low = 0, high = index->sequence.n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (block_low(block_in(index, middle)) <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Moves live rows [from, to) by order into another, empty block. */
static void copy_rows(struct index *index, const struct block *source, struct block *target, size_t from, size_t to) {
    struct block_row row = {.tx = {0}};
    for (size_t i = from; i < to; i++) {
        block_read(source, source->order[i], &row);
        size_t at = block_append(target, &row);
        index->slots[slot_of(index, row.key)] = handle_of(target, at) + 1;
    }
    free(row.tx.items);
}

/* Rebuilds a full block without its gaps; where there are few, as two. */
static void make_room(struct index *index, size_t place) {
    struct block *full = block_in(index, place);
    size_t half = full->live > BLOCK_ROWS / 4 * 3 ? full->live / 2 : full->live;
    struct block *upper = half < full->live ? insert_block(index, place + 1) : NULL;
    struct block *lower = block_new(full->id);
    if (upper)
        copy_rows(index, full, upper, half, full->live);
    /* Slots are found through the blocks, so the new one takes its place only when all have been repointed: both
     * have the same id and the old one still answers for positions up to its n. */
    struct block_row row = {.tx = {0}};
    uint32_t *slots = mem_new_array(half, sizeof *slots);
    for (size_t i = 0; i < half; i++)
        slots[i] = (uint32_t)slot_of(index, full->keys[full->order[i]]);
    for (size_t i = 0; i < half; i++) {
        block_read(full, full->order[i], &row);
        index->slots[slots[i]] = handle_of(lower, block_append(lower, &row)) + 1;
    }
    index->blocks[full->id] = lower;
    free(slots);
    free(row.tx.items);
    block_free(full);
}

/* A block with room for the key. Rows mostly come at either end: there a full block stays full. */
static struct block *room_for(struct index *index, int64_t key) {
    if (index->sequence.n == 0)
        return insert_block(index, 0);
    size_t place = place_of(index, key);
    struct block *block = block_in(index, place);
    if (block->n < BLOCK_ROWS)
        return block;
    if (key > block_high(block)) {
        bool next = place + 1 < index->sequence.n && block_in(index, place + 1)->n < BLOCK_ROWS;
        return next ? block_in(index, place + 1) : insert_block(index, place + 1);
    }
    if (key < block_low(block))
        return insert_block(index, 0);
    make_room(index, place);
    return room_for(index, key);
}

static void drop_if_empty(struct index *index, struct block *block) {
    if (block->live > 0)
        return;
    uint32_t *items = index->sequence.items;
    size_t place = 0;
    while (items[place] != block->id)
        place++;
    memmove(items + place, items + place + 1, (index->sequence.n - place - 1) * sizeof *items);
    index->sequence.n--;
    index->blocks[block->id] = NULL;
    block_free(block);
}

bool index_remove(struct index *index, int64_t key) {
    uint32_t handle;
    if (!index_lookup(index, key, &handle))
        return false;
    struct block *block = index->blocks[handle >> BLOCK_BITS];
    slot_remove(index, key);
    block_kill(block, handle & (BLOCK_ROWS - 1));
    index->count--;
    drop_if_empty(index, block);
    return true;
}

bool index_confirm(struct index *index, int64_t key, int64_t confirmed) {
    uint32_t handle;
    if (!index_lookup(index, key, &handle))
        return false;
    struct block *block = index->blocks[handle >> BLOCK_BITS];
    numbers_set(&block->numbers[NUMBER_CONFIRMED], handle & (BLOCK_ROWS - 1), confirmed);
    return true;
}

static uint32_t code_of(struct index *index, unsigned column, struct cells_slice slice) {
    return dict_code(&index->dicts[column], slice.s, slice.len);
}

static void read_transactions(struct index *index, const struct cells *cells) {
    struct cells_transaction tx;
    const unsigned char *at = cells->transactions;
    struct cells_slice id = cells->text[CELLS_ID];
    index->row.tx.n = 0;
    while (cells_transaction_next(cells, &at, &tx)) {
        bool same = tx.source.s && id.s && tx.source.len == id.len && memcmp(tx.source.s, id.s, id.len) == 0;
        text_add(&index->text, tx.id);
        if (same)
            str_add_n(&index->text, TEXT_SAME, 2);
        else
            text_add(&index->text, tx.source);
        *vec_add(&index->row.tx) = (struct block_tx){.amount = tx.amount,
                                                     .ok = tx.amount_ok,
                                                     .status = code_of(index, COLUMN_TX_STATUS, tx.status),
                                                     .type = code_of(index, COLUMN_TX_TYPE, tx.type),
                                                     .date = code_of(index, COLUMN_TX_DATE, tx.date)};
    }
}

static void read_row(struct index *index, const struct query_row *from) {
    const struct cells *cells = from->cells;
    struct block_row *row = &index->row;
    row->key = from->key;
    row->flags = (uint16_t)cells->flags;
    row->numbers[NUMBER_CREATED] = cells->flags & CELLS_CREATED_OK ? cells->created_ms : INT64_MIN;
    row->numbers[NUMBER_AMOUNT] = cells->flags & CELLS_AMOUNT_OK ? cells->amount : INT64_MIN;
    row->numbers[NUMBER_GUARANTEE] = cells->flags & CELLS_GUARANTEE_OK ? cells->guarantee : INT64_MIN;
    row->numbers[NUMBER_FIRST_SEEN] = from->first_seen;
    row->numbers[NUMBER_CONFIRMED] = from->confirmed;
    row->numbers[NUMBER_CHANGED] = from->changed;
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        row->codes[i] = i == CELLS_ID ? 0 : code_of(index, i, cells->text[i]);
    str_reset(&index->text);
    text_add(&index->text, cells->text[CELLS_ID]);
    read_transactions(index, cells);
    row->text = index->text.s;
    row->text_len = index->text.len;
}

void index_put(struct index *index, const struct query_row *row) {
    read_row(index, row);
    grow_slots(index);
    uint32_t handle;
    if (index_lookup(index, row->key, &handle)) {
        struct block *block = index->blocks[handle >> BLOCK_BITS];
        if (block_replace(block, handle & (BLOCK_ROWS - 1), &index->row))
            return;
        (void)index_remove(index, row->key);
    }
    struct block *block = room_for(index, row->key);
    size_t at = block_append(block, &index->row);
    slot_put(index, block, at);
    index->count++;
    if (block->n == BLOCK_ROWS)
        block_trim(block);
}
