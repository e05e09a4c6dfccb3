#include "block.h"

#include "base/invariant.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MIN = 4096, TX_MIN = 256 };

static bool has_codes(unsigned column) {
    return column != CELLS_ID;
}

static bool is_tx(unsigned column) {
    return column >= COLUMN_TX_STATUS;
}

struct block *block_new(uint32_t id) {
    struct block *block = mem_new(sizeof *block);
    block->id = id;
    block->alive = mem_new_array(BLOCK_ROWS, sizeof *block->alive);
    block->keys = mem_new_array(BLOCK_ROWS, sizeof *block->keys);
    block->flags = mem_new_array(BLOCK_ROWS, sizeof *block->flags);
    block->text_start = mem_new_array(BLOCK_ROWS + 1, sizeof *block->text_start);
    block->tx_start = mem_new_array(BLOCK_ROWS + 1, sizeof *block->tx_start);
    for (unsigned i = 0; i < NUMBER_COUNT; i++)
        numbers_init(&block->numbers[i], BLOCK_ROWS);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        if (has_codes(i))
            codes_init(&block->codes[i], is_tx(i) ? TX_MIN : BLOCK_ROWS);
    numbers_init(&block->tx_amount, TX_MIN);
    block->tx_ok = mem_new(TX_MIN);
    block->tx_cap = TX_MIN;
    return block;
}

void block_free(struct block *block) {
    if (!block)
        return;
    for (unsigned i = 0; i < NUMBER_COUNT; i++)
        numbers_free(&block->numbers[i]);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        codes_free(&block->codes[i]);
    numbers_free(&block->tx_amount);
    free(block->alive);
    free(block->order);
    if (!block->mapped) {
        free(block->keys);
        free(block->flags);
        free(block->text_start);
        free(block->text);
        free(block->tx_start);
        free(block->tx_ok);
        free(block->foreign.items);
    }
    free(block);
}

static void *block_copy(const void *items, size_t bytes, size_t room) {
    char *copy = mem_new(room > 0 ? room : 1);
    if (bytes > 0)
        memcpy(copy, items, bytes);
    return copy;
}

/* What is written at every append: the columns own themselves. */
static void block_own(struct block *block) {
    if (!block->mapped)
        return;
    size_t starts = (BLOCK_ROWS + 1) * sizeof(uint32_t), tx = block->tx_cap > TX_MIN ? block->tx_cap : TX_MIN;
    block->keys = block_copy(block->keys, BLOCK_ROWS * sizeof *block->keys, BLOCK_ROWS * sizeof *block->keys);
    block->flags = block_copy(block->flags, BLOCK_ROWS * sizeof *block->flags, BLOCK_ROWS * sizeof *block->flags);
    block->text_start = block_copy(block->text_start, starts, starts);
    block->tx_start = block_copy(block->tx_start, starts, starts);
    block->text = block_copy(block->text, block->text_cap, block->text_cap);
    block->tx_ok = block_copy(block->tx_ok, block->tx_cap, tx);
    size_t foreign = block->foreign.n * sizeof *block->foreign.items;
    block->foreign.items = block_copy(block->foreign.items, foreign, foreign);
    block->foreign.cap = block->foreign.n;
    for (unsigned i = COLUMN_TX_STATUS; i < COLUMN_COUNT; i++)
        codes_reserve(&block->codes[i], tx);
    numbers_reserve(&block->tx_amount, tx);
    block->tx_cap = tx;
    block->mapped = false;
}

static size_t numbers_bytes(const struct numbers *numbers) {
    if (numbers->mapped)
        return 0;
    return numbers->cap * (numbers->wide ? sizeof *numbers->wide : numbers->narrow ? sizeof *numbers->narrow : 0);
}

size_t block_bytes(const struct block *block) {
    size_t row = sizeof *block->alive + (block->order ? sizeof *block->order : 0);
    size_t sum = sizeof *block + numbers_bytes(&block->tx_amount);
    if (!block->mapped) {
        row += sizeof *block->keys + sizeof *block->flags + sizeof *block->text_start + sizeof *block->tx_start;
        sum += block->text_cap + block->tx_cap + block->foreign.cap * sizeof *block->foreign.items;
    }
    sum += row * BLOCK_ROWS;
    for (unsigned i = 0; i < NUMBER_COUNT; i++)
        sum += numbers_bytes(&block->numbers[i]);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        sum += block->codes[i].mapped ? 0 : block->codes[i].cap * block->codes[i].width;
    return sum;
}

static void set_tx_cap(struct block *block, size_t cap) {
    for (unsigned i = COLUMN_TX_STATUS; i < COLUMN_COUNT; i++)
        codes_reserve(&block->codes[i], cap);
    numbers_reserve(&block->tx_amount, cap);
    block->tx_ok = mem_resize(block->tx_ok, cap, 1);
    block->tx_cap = cap;
}

static void set_text_cap(struct block *block, size_t cap) {
    block->text = mem_resize(block->text, cap, 1);
    block->text_cap = cap;
}

void block_trim(struct block *block) {
    size_t text = block->text_start[block->n], tx = block->tx_start[block->n];
    if (block->mapped)
        return;
    if (text > 0)
        set_text_cap(block, text);
    if (tx > 0)
        set_tx_cap(block, tx);
}

/* Columns whose values can be replaced in place. */
static void write_columns(struct block *block, size_t at, const struct block_row *row) {
    for (unsigned i = 0; i < NUMBER_COUNT; i++)
        numbers_set(&block->numbers[i], at, row->numbers[i]);
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        if (has_codes(i))
            codes_set(&block->codes[i], at, row->codes[i]);
    if (block->flags[at] != row->flags) {
        block_own(block);
        block->flags[at] = row->flags;
    }
    for (size_t i = 0; i < row->tx.n; i++) {
        size_t place = block->tx_start[at] + i;
        const struct block_tx *tx = &row->tx.items[i];
        codes_set(&block->codes[COLUMN_TX_STATUS], place, tx->status);
        codes_set(&block->codes[COLUMN_TX_TYPE], place, tx->type);
        codes_set(&block->codes[COLUMN_TX_DATE], place, tx->date);
        codes_set(&block->codes[COLUMN_TX_CURRENCY], place, tx->currency);
        numbers_set(&block->tx_amount, place, tx->ok ? tx->amount : INT64_MIN);
        if (block->tx_ok[place] != tx->ok) {
            block_own(block);
            block->tx_ok[place] = tx->ok;
        }
    }
}

static void block_write_text(struct block *block, size_t at, const struct block_row *row) {
    size_t start = block->text_start[at], end = start + row->text_len;
    if (end > UINT32_MAX)
        mem_fatal("more than 4 GB of text in one block");
    if (end > block->text_cap)
        set_text_cap(block, end + end / 2 + TEXT_MIN);
    memcpy(block->text + start, row->text, row->text_len);
    block->text_start[at + 1] = (uint32_t)end;
    if (!text_is_ascii(row->text, row->text_len))
        *vec_add(&block->foreign) = (uint16_t)at;
}

/* First place in order whose key is not below. */
static size_t order_place(const struct block *block, int64_t key) {
    size_t low = 0, high = block->live;
    if (high > 0 && block_high(block) < key)
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (block->keys[block_at(block, middle)] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t block_count_upto(const struct block *block, int64_t key) {
    return key == INT64_MAX ? block->live : order_place(block, key + 1);
}

bool block_find(const struct block *block, int64_t key, size_t *at) {
    size_t place = order_place(block, key);
    *at = place < block->live ? block_at(block, place) : 0;
    return place < block->live && block->keys[*at] == key;
}

static void need_order(struct block *block) {
    if (block->order)
        return;
    block->order = mem_new_array(BLOCK_ROWS, sizeof *block->order);
    for (size_t i = 0; i < block->live; i++)
        block->order[i] = (uint16_t)i;
}

/* The key at this place lies between its neighbours'. */
static bool is_in_order(const struct block *block, size_t place) {
    int64_t key = block->keys[block_at(block, place)];
    bool after = place == 0 || block->keys[block_at(block, place - 1)] < key;
    return after && (place + 1 >= block->live || key < block->keys[block_at(block, place + 1)]);
}

static void order_insert(struct block *block, size_t place, size_t at) {
    if (!block->order && place == at)
        return;
    need_order(block);
    memmove(block->order + place + 1, block->order + place, (block->live - place) * sizeof *block->order);
    block->order[place] = (uint16_t)at;
}

size_t block_append(struct block *block, const struct block_row *row) {
    size_t at = block->n, tx = block->tx_start[at] + row->tx.n, place = order_place(block, row->key);
    INVARIANT(at < BLOCK_ROWS);
    block_own(block);
    if (tx > UINT32_MAX / 2)
        mem_fatal("too many transactions in one block");
    if (tx > block->tx_cap)
        set_tx_cap(block, tx + tx / 2);
    block->keys[at] = row->key;
    block_write_text(block, at, row);
    block->tx_start[at + 1] = (uint32_t)tx;
    write_columns(block, at, row);
    order_insert(block, place, at);
    block->alive[at] = 1;
    block->live++;
    block->n++;
    INVARIANT(is_in_order(block, place));
    return at;
}

bool block_replace(struct block *block, size_t at, const struct block_row *row) {
    size_t start = block->text_start[at];
    if (block->text_start[at + 1] - start != row->text_len ||
        memcmp(block->text + start, row->text, row->text_len) != 0)
        return false;
    if (block->tx_start[at + 1] - block->tx_start[at] != row->tx.n)
        return false;
    write_columns(block, at, row);
    return true;
}

void block_kill(struct block *block, size_t at) {
    size_t place = order_place(block, block->keys[at]);
    INVARIANT(block->alive[at] && place < block->live && block_at(block, place) == at);
    need_order(block);
    memmove(block->order + place, block->order + place + 1, (block->live - place - 1) * sizeof *block->order);
    block->alive[at] = 0;
    block->live--;
}

void block_read(const struct block *block, size_t at, struct block_row *out) {
    out->key = block->keys[at];
    out->flags = block->flags[at];
    out->text = block->text + block->text_start[at];
    out->text_len = block->text_start[at + 1] - block->text_start[at];
    for (unsigned i = 0; i < NUMBER_COUNT; i++)
        out->numbers[i] = numbers_get(&block->numbers[i], at);
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        out->codes[i] = has_codes(i) ? codes_get(&block->codes[i], at) : 0;
    out->tx.n = 0;
    for (size_t i = block->tx_start[at]; i < block->tx_start[at + 1]; i++)
        *vec_add(&out->tx) = (struct block_tx){.amount = numbers_get(&block->tx_amount, i),
                                               .ok = block->tx_ok[i] != 0,
                                               .status = codes_get(&block->codes[COLUMN_TX_STATUS], i),
                                               .type = codes_get(&block->codes[COLUMN_TX_TYPE], i),
                                               .date = codes_get(&block->codes[COLUMN_TX_DATE], i),
                                               .currency = codes_get(&block->codes[COLUMN_TX_CURRENCY], i)};
}
