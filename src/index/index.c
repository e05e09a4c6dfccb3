#include "file.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

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
    free(index->row.tx.items);
    str_clear(&index->text);
    file_map_free(index->map);
    across_drop(index);
    *index = (struct index){.edits = index->edits + 1};
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

static struct block *block_in(const struct index *index, size_t place) {
    return index->blocks[index->sequence.items[place]];
}

size_t index_count_upto(const struct index *index, int64_t key) {
    size_t n = 0;
    for (size_t i = 0; i < index->sequence.n; i++) {
        const struct block *block = block_in(index, i);
        if (block_low(block) > key)
            break;
        n += block_high(block) <= key ? block->live : block_count_upto(block, key);
    }
    return n;
}

size_t index_bytes(const struct index *index) {
    size_t sum =
        sizeof *index + index->blocks_cap * sizeof(void *) + index->sequence.cap * sizeof *index->sequence.items;
    for (size_t i = 0; i < index->n_blocks; i++)
        sum += index->blocks[i] ? block_bytes(index->blocks[i]) : 0;
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        sum += dict_bytes(&index->dicts[i]);
    return sum + across_bytes(index);
}

uint32_t index_add_block(struct index *index, size_t place) {
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
    return (uint32_t)id;
}

/* A new block that stands at this place of the sequence. */
static struct block *insert_block(struct index *index, size_t place) {
    uint32_t id = index_add_block(index, place);
    return index->blocks[id] = block_new(id);
}

/* The last block that starts at or below the key; 0 where none does. */
static size_t index_place_of(const struct index *index, int64_t key) {
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

static struct block *find_row(const struct index *index, int64_t key, size_t *at) {
    struct block *block = index->sequence.n > 0 ? block_in(index, index_place_of(index, key)) : NULL;
    return block && block_find(block, key, at) ? block : NULL;
}

bool index_has(const struct index *index, int64_t key) {
    size_t at;
    return find_row(index, key, &at) != NULL;
}

/* Appends the live rows [from, to) by order to another block. */
static void copy_rows(const struct block *source, struct block *target, size_t from, size_t to) {
    struct block_row row = {.tx = {0}};
    for (size_t i = from; i < to; i++) {
        block_read(source, block_at(source, i), &row);
        (void)block_append(target, &row);
    }
    free(row.tx.items);
}

/* Rebuilds a full block without its gaps; one with few gaps becomes two blocks. */
static void index_make_room(struct index *index, size_t place) {
    struct block *full = block_in(index, place), *lower = block_new(full->id);
    size_t half = full->live > BLOCK_ROWS / 4 * 3 ? full->live / 2 : full->live;
    if (half < full->live)
        copy_rows(full, insert_block(index, place + 1), half, full->live);
    copy_rows(full, lower, 0, half);
    index->blocks[full->id] = lower;
    block_free(full);
}

/* A block with room for the key. Most rows come at either end, where a full block stays full. */
static struct block *room_for(struct index *index, int64_t key) {
    if (index->sequence.n == 0)
        return insert_block(index, 0);
    size_t place = index_place_of(index, key);
    struct block *block = block_in(index, place);
    if (block->n < BLOCK_ROWS)
        return block;
    if (key > block_high(block)) {
        bool next = place + 1 < index->sequence.n && block_in(index, place + 1)->n < BLOCK_ROWS;
        return next ? block_in(index, place + 1) : insert_block(index, place + 1);
    }
    if (key < block_low(block))
        return insert_block(index, 0);
    index_make_room(index, place);
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

static void index_note_edit(struct index *index) {
    index->edits++;
    across_drop(index);
}

bool index_remove(struct index *index, int64_t key) {
    size_t at;
    struct block *block = find_row(index, key, &at);
    if (!block)
        return false;
    index_note_edit(index);
    block_kill(block, at);
    index->count--;
    drop_if_empty(index, block);
    return true;
}

/* Whole blocks go at once; of those at the ends the rows, last first, for the last of all takes the block along. */
static void remove_from(struct index *index, struct block *block, int64_t low, int64_t high) {
    size_t live = block->live;
    index_note_edit(index);
    if (block_low(block) >= low && block_high(block) <= high) {
        block->live = 0;
        index->count -= live;
        drop_if_empty(index, block);
        return;
    }
    for (size_t i = live; i > 0; i--) {
        int64_t key = block->keys[block_at(block, i - 1)];
        if (key >= low && key <= high)
            (void)index_remove(index, key);
    }
}

void index_remove_range(struct index *index, int64_t low, int64_t high) {
    for (size_t place = index->sequence.n; place > 0; place--) {
        struct block *block = block_in(index, place - 1);
        if (block_low(block) <= high && block_high(block) >= low)
            remove_from(index, block, low, high);
    }
}

bool index_confirm(struct index *index, int64_t key, int64_t confirmed, int64_t now) {
    size_t at;
    struct block *block = find_row(index, key, &at);
    if (block && !index_check(index, block, PART_BIT(PART_NUMBERS + NUMBER_CONFIRMED)))
        return false;
    int64_t held = block ? numbers_get(&block->numbers[NUMBER_CONFIRMED], at) : INT64_MIN;
    if (block && (confirmed > held || clock_is_ahead(held, now))) {
        index->edits++;
        numbers_set(&block->numbers[NUMBER_CONFIRMED], at, confirmed);
    }
    return block != NULL;
}

int64_t index_changed(struct index *index, int64_t key) {
    size_t at;
    struct block *block = find_row(index, key, &at);
    return block && index_check(index, block, PART_BIT(PART_NUMBERS + NUMBER_CHANGED))
               ? numbers_get(&block->numbers[NUMBER_CHANGED], at)
               : INT64_MIN;
}

static size_t fate_add(const struct index *index, const struct block *block, size_t at, struct index_fate *out,
                       size_t n, size_t most) {
    size_t len, i = 0;
    const char *status = dict_text(&index->dicts[CELLS_STATUS], codes_get(&block->codes[CELLS_STATUS], at), &len);
    while (i < n && out[i].status != status)
        i++;
    if (!status || i == most)
        return n;
    out[i].rows = i < n ? out[i].rows + 1 : 1;
    out[i].status = status;
    return i < n ? n : n + 1;
}

size_t index_fates(struct index *index, const struct query_plan *plan, const int64_t *shown, const bool *gone, size_t n,
                   struct index_fate *out, size_t most) {
    enum { LOOKED_AT = 500 };
    const struct index_query query = {.plan = plan, .facet = QUERY_STATUS_FIELD};
    struct program *program = program_new(index, plan);
    unsigned char *mask = mem_new_array(BLOCK_ROWS, sizeof *mask);
    const struct block *masked = NULL;
    size_t fates = 0;
    for (size_t i = 0, looked = 0; i < n && looked < LOOKED_AT; i++) {
        size_t at;
        struct block *block = gone[i] ? find_row(index, shown[i], &at) : NULL;
        looked += gone[i];
        if (!block || !index_check(index, block, index_needs(&query)))
            continue;
        if (block != masked)
            program_evaluate(program, block, mask);
        masked = block;
        if (!mask[at])
            fates = fate_add(index, block, at, out, fates, most);
    }
    free(mask);
    program_free(program);
    return fates;
}

static uint32_t index_code_of(struct index *index, unsigned column, struct cells_slice slice) {
    return dict_code(&index->dicts[column], slice.s, slice.len);
}

static const char same_source[] = {TEXT_SAME, '\0'};

static void index_read_transactions(struct index *index, const struct cells *cells) {
    struct cells_transaction tx;
    const unsigned char *at = cells->transactions;
    struct cells_slice id = cells->text[CELLS_ID];
    index->row.tx.n = 0;
    while (cells_transaction_next(cells, &at, &tx)) {
        bool same = tx.source.s && id.s && tx.source.len == id.len && memcmp(tx.source.s, id.s, id.len) == 0;
        text_add(&index->text, tx.id);
        if (same)
            str_add_n(&index->text, same_source, sizeof same_source);
        else
            text_add(&index->text, tx.source);
        *vec_add(&index->row.tx) = (struct block_tx){.amount = tx.amount,
                                                     .ok = tx.amount_ok,
                                                     .status = index_code_of(index, COLUMN_TX_STATUS, tx.status),
                                                     .type = index_code_of(index, COLUMN_TX_TYPE, tx.type),
                                                     .date = index_code_of(index, COLUMN_TX_DATE, tx.date),
                                                     .currency = index_code_of(index, COLUMN_TX_CURRENCY, tx.currency)};
    }
}

static void index_note_id(struct id_shape *shape, const char *id) {
    if (*id == TEXT_NONE) {
        shape->absent = true;
        return;
    }
    size_t len = strnlen(id, sizeof shape->first), same = 0;
    if (!shape->any) {
        memcpy(shape->first, id, len);
        shape->shared = len;
        shape->any = true;
    }
    while (same < shape->shared && same < len && id[same] == shape->first[same])
        same++;
    shape->shared = same;
    for (; *id; id++)
        shape->used[(unsigned char)*id] = true;
}

static void index_read_row(struct index *index, const struct query_row *from) {
    const struct cells *cells = from->cells;
    struct block_row *row = &index->row;
    row->key = from->key;
    row->flags = cells->flags;
    row->numbers[NUMBER_CREATED] = cells->flags & CELLS_CREATED_OK ? cells->created_ms : INT64_MIN;
    row->numbers[NUMBER_AMOUNT] = cells->flags & CELLS_AMOUNT_OK ? cells->amount : INT64_MIN;
    row->numbers[NUMBER_GUARANTEE] = cells->flags & CELLS_GUARANTEE_OK ? cells->guarantee : INT64_MIN;
    row->numbers[NUMBER_FIRST_SEEN] = from->first_seen;
    row->numbers[NUMBER_CONFIRMED] = from->confirmed;
    row->numbers[NUMBER_CHANGED] = from->changed;
    row->numbers[NUMBER_TRANSITIONS] = from->transitions ? (int64_t)from->transitions : INT64_MIN;
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        row->codes[i] = i == CELLS_ID ? 0 : index_code_of(index, i, cells->text[i]);
    str_reset(&index->text);
    text_add(&index->text, cells->text[CELLS_ID]);
    index_note_id(&index->ids, index->text.s);
    index_read_transactions(index, cells);
    row->text = index->text.s;
    row->text_len = index->text.len;
}

/* A block that its row goes into may be copied, in part or whole. */
static bool is_sound_around(struct index *index, int64_t key) {
    return index->sequence.n == 0 || index_check(index, block_in(index, index_place_of(index, key)), PARTS_ALL);
}

/* The row that was read into index->row. */
static void index_put_read(struct index *index) {
    size_t at;
    int64_t key = index->row.key;
    if (!is_sound_around(index, key))
        return;
    index_note_edit(index);
    struct block *block = find_row(index, key, &at);
    if (block && block_replace(block, at, &index->row))
        return;
    if (block)
        (void)index_remove(index, key);
    block = room_for(index, key);
    if (!index_check(index, block, PARTS_ALL))
        return;
    (void)block_append(block, &index->row);
    index->count++;
    if (block->n == BLOCK_ROWS)
        block_trim(block);
}

void index_put(struct index *index, const struct query_row *row) {
    if (!index_check_dicts(index, PARTS_ALL))
        return;
    index_read_row(index, row);
    index_put_read(index);
}

static struct cells_slice dict_slice(const struct dict *dict, uint32_t code) {
    struct cells_slice slice;
    slice.s = dict_text(dict, code, &slice.len);
    return slice;
}

static void index_recode(const struct index *from, struct index *to) {
    struct block_row *row = &to->row;
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        row->codes[i] = i == CELLS_ID ? 0 : index_code_of(to, i, dict_slice(&from->dicts[i], row->codes[i]));
    for (size_t i = 0; i < row->tx.n; i++) {
        struct block_tx *tx = &row->tx.items[i];
        uint32_t *codes[] = {&tx->status, &tx->type, &tx->date, &tx->currency};
        for (unsigned c = 0; c < COUNT_OF(codes); c++)
            *codes[c] =
                index_code_of(to, COLUMN_TX_STATUS + c, dict_slice(&from->dicts[COLUMN_TX_STATUS + c], *codes[c]));
    }
}

static void copy_block_range(struct index *index, struct block *block, int64_t low, int64_t high, struct index *to) {
    for (size_t i = 0; i < block->live; i++) {
        size_t at = block_at(block, i);
        if (block->keys[at] < low || block->keys[at] > high)
            continue;
        block_read(block, at, &to->row);
        index_recode(index, to);
        index_note_id(&to->ids, to->row.text);
        index_put_read(to);
    }
}

void index_copy_range(struct index *index, int64_t low, int64_t high, struct index *to) {
    bool sound = index_is_readable(index) && index_check_dicts(to, PARTS_ALL);
    for (size_t i = 0; sound && i < index->sequence.n; i++) {
        struct block *block = block_in(index, i);
        if (block_low(block) <= high && block_high(block) >= low && index_is_readable_block(index, block))
            copy_block_range(index, block, low, high, to);
    }
}

void index_like(struct index *index, const uint64_t *wanted, index_each_id *each, void *context) {
    enum { TAIL_BITS = 20, WORD_BITS = 64 };
    for (size_t i = 0; i < index->sequence.n; i++) {
        struct block *block = block_in(index, i);
        for (size_t at = 0; at < block->n; at++) {
            uint64_t tail = -(uint64_t)block->keys[at] & ((UINT64_C(1) << TAIL_BITS) - 1);
            if (!(wanted[tail / WORD_BITS] >> tail % WORD_BITS & 1) || !block->alive[at])
                continue;
            if (!index_check(index, block, PART_BIT(PART_TEXT)))
                return;
            const char *text = block->text + block->text_start[at];
            if (*text != TEXT_NONE)
                each(context, block->keys[at], text, strlen(text));
        }
    }
}
