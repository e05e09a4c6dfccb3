#include "file.h"

/* Rows as cells again, without their transactions. */

static uint64_t needs_each(void) {
    uint64_t parts = PART_BIT(PART_KEYS) | PART_BIT(PART_FLAGS) | PART_BIT(PART_TEXT) |
                     PART_BIT(PART_NUMBERS + NUMBER_CREATED) | PART_BIT(PART_NUMBERS + NUMBER_AMOUNT) |
                     PART_BIT(PART_NUMBERS + NUMBER_GUARANTEE);
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        parts |= i == CELLS_ID ? 0 : PART_BIT(PART_CODES + i);
    return parts;
}

static void each_cells(const struct index *index, const struct block *block, size_t at, struct cells *out) {
    const char *text = block->text + block->text_start[at];
    *out = (struct cells){.created_ms = numbers_get(&block->numbers[NUMBER_CREATED], at),
                          .amount = numbers_get(&block->numbers[NUMBER_AMOUNT], at),
                          .guarantee = numbers_get(&block->numbers[NUMBER_GUARANTEE], at),
                          .flags = block->flags[at],
                          .version = CELLS_VERSION};
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        if (i != CELLS_ID)
            out->text[i].s = dict_text(&index->dicts[i], codes_get(&block->codes[i], at), &out->text[i].len);
    out->text[CELLS_ID] = text_next(&text, (struct cells_slice){0});
}

static size_t each_in_block(const struct index *index, const struct block *block, const int64_t *keys, size_t n,
                            index_each_row *each, void *context) {
    struct cells cells;
    size_t taken = 0;
    for (size_t i = 0; i < block->live && taken < n; i++) {
        size_t at = block_at(block, i);
        if (block->keys[at] != keys[taken])
            continue;
        each_cells(index, block, at, &cells);
        each(context, keys[taken++], &cells);
    }
    return taken;
}

enum err index_each(struct index *index, const struct index_result *rows, const atomic_bool *cancel,
                    index_each_row *each, void *context, struct error *error) {
    size_t taken = 0;
    if (!index_check_dicts(index, index_needs_dicts(needs_each())))
        return error_set(error, ERR_STORE, "the index file is damaged: it is made anew");
    for (size_t i = 0; i < index->sequence.n && taken < rows->n; i++) {
        struct block *block = index->blocks[index->sequence.items[i]];
        if (cancel && atomic_load_explicit(cancel, memory_order_relaxed))
            return error_set(error, ERR_CANCELLED, "dropped: a newer question came");
        if (!index_check(index, block, needs_each()))
            return error_set(error, ERR_STORE, "the index file is damaged: it is made anew");
        taken += each_in_block(index, block, rows->keys + taken, rows->n - taken, each, context);
    }
    return ERR_OK;
}
