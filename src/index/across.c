#include "across.h"

#include "base/mem.h"

#include <stdlib.h>

_Static_assert(FINDINGS_ACROSS <= UINT8_MAX, "findings across rows are kept as bytes");

static void across_free(struct across *across) {
    for (size_t i = 0; across && i < across->n; i++)
        free(across->bits[i]);
    free(across ? across->bits : NULL);
    free(across);
}

void across_drop(struct index *index) {
    across_free(index->across);
    index->across = NULL;
}

size_t across_bytes(const struct index *index) {
    size_t sum = index->across ? sizeof *index->across + index->across->n * sizeof *index->across->bits : 0;
    for (size_t i = 0; index->across && i < index->across->n; i++)
        sum += index->across->bits[i] ? BLOCK_ROWS : 0;
    return sum;
}

const unsigned char *across_bits(const struct index *index, const struct block *block) {
    return index->across && block->id < index->across->n ? index->across->bits[block->id] : NULL;
}

void across_set(struct across *across, uint32_t handle, enum finding finding) {
    unsigned char **bits = &across->bits[handle >> BLOCK_BITS];
    if (!*bits)
        *bits = mem_new(BLOCK_ROWS);
    (*bits)[handle & (BLOCK_ROWS - 1)] |= (unsigned char)FINDING_BIT(finding);
}

bool across_each(struct index *index, uint64_t parts, const atomic_bool *cancel, across_each_fn *each, void *context) {
    for (size_t i = 0; i < index->sequence.n; i++) {
        struct block *block = index->blocks[index->sequence.items[i]];
        if ((cancel && atomic_load_explicit(cancel, memory_order_relaxed)) || !index_check(index, block, parts))
            return false;
        each(context, block);
    }
    return true;
}

void across_table_init(struct across_table *table, size_t n) {
    enum { ENTRIES_EACH = 8, ENTRIES_MIN = 1024 };
    table->mask = ENTRIES_MIN - 1;
    while (table->mask / ENTRIES_EACH < n)
        table->mask = table->mask * 2 + 1;
    table->entries = mem_new(table->mask + 1);
}

void across_table_put(struct across_table *table, uint64_t digest) {
    unsigned char *entry = across_entry(table, digest);
    *entry = *entry ? ACROSS_MORE : ACROSS_ONE;
}

bool across_find(struct index *index, const atomic_bool *cancel) {
    if (index->across)
        return true;
    struct across *across = mem_new(sizeof *across);
    across->n = index->n_blocks;
    across->bits = mem_new_array(across->n + 1, sizeof *across->bits);
    if (!across_find_twice(index, cancel, across) || !across_find_sources(index, cancel, across)) {
        across_free(across);
        return false;
    }
    index->across = across;
    return true;
}
