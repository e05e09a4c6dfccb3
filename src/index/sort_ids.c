#include "block.h"

#include <stdlib.h>
#include <string.h>

/* Ids share a beginning and use few characters: what follows is packed, as many characters as fit beside the place,
 * each by its rank in the alphabet. Rows alike in these are compared in full. */

enum { END = 1 }; /* rank of the end of an id: before all characters */

struct ids {
    const struct index *index;
    const uint32_t *handles;
    size_t n, shared; /* bytes all ids begin with */
    unsigned char rank[256];
    unsigned width, chars, index_bits;
    bool descending;
};

static const char *sort_ids_id_of(const struct ids *ids, uint32_t handle) {
    const struct block *block = ids->index->blocks[handle >> BLOCK_BITS];
    return block->text + block->text_start[handle & (BLOCK_ROWS - 1)];
}

static void read_alphabet(struct ids *ids) {
    const struct id_shape *shape = &ids->index->ids;
    unsigned next = END + 1;
    /* Controls are never there, so it cannot overflow. */
    for (size_t c = 1; c < 256; c++)
        ids->rank[c] = shape->used[c] ? (unsigned char)next++ : 0;
    ids->shared = shape->shared;
    ids->width = 32 - (unsigned)__builtin_clz(next);
    ids->chars = (64 - ids->index_bits) / ids->width;
}

static uint64_t sort_ids_pack(const struct ids *ids, uint32_t handle) {
    const char *at = sort_ids_id_of(ids, handle) + ids->shared;
    uint64_t value = 0;
    for (unsigned i = 0; i < ids->chars; i++) {
        value = value << ids->width | (*at ? ids->rank[(unsigned char)*at] : END);
        at += *at ? 1 : 0;
    }
    uint64_t all = (UINT64_C(1) << (ids->width * ids->chars)) - 1;
    return ids->descending ? all - value : value;
}

static bool is_absent(const struct ids *ids, uint32_t handle) {
    return *sort_ids_id_of(ids, handle) == TEXT_NONE;
}

static bool goes_after(const struct ids *ids, uint32_t a, uint32_t b) {
    int order = strcmp(sort_ids_id_of(ids, a), sort_ids_id_of(ids, b));
    return ids->descending ? order < 0 : order > 0;
}

/* Runs with an equal packed part are short, and a stable insertion sort is enough; a long one (ids that differ late) is
 * merged. */
static void merge_sort(const struct ids *ids, uint32_t *items, uint32_t *spare, size_t n) {
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            size_t middle = from + width < n ? from + width : n, end = middle + width < n ? middle + width : n;
            size_t a = from, b = middle;
            for (size_t to = from; to < end; to++) {
                bool second = a == middle || (b < end && goes_after(ids, items[a], items[b]));
                spare[to] = items[second ? b++ : a++];
            }
        }
        memcpy(items, spare, n * sizeof *items);
    }
}

/* Rows without an id come last, in the order they had. */
static size_t absent_last(const struct ids *ids, uint32_t *handles, size_t n) {
    uint32_t *absent = NULL;
    size_t kept = 0, gone = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_absent(ids, handles[i])) {
            handles[kept++] = handles[i];
            continue;
        }
        if (!absent)
            absent = mem_new_array(n - i, sizeof *absent);
        absent[gone++] = handles[i];
    }
    if (gone > 0)
        memcpy(handles + kept, absent, gone * sizeof *handles);
    free(absent);
    return kept;
}

void sort_ids(const struct index *index, bool descending, uint32_t *handles, size_t n) {
    struct ids ids = {.index = index, .handles = handles, .descending = descending};
    ids.n = index->ids.absent ? absent_last(&ids, handles, n) : n;
    if (ids.n < 2)
        return;
    ids.index_bits = 64 - (unsigned)__builtin_clzll(ids.n - 1);
    read_alphabet(&ids);
    uint64_t *items = mem_resize(NULL, ids.n, sizeof *items), *spare = mem_resize(NULL, ids.n, sizeof *spare);
    uint32_t *before = mem_resize(NULL, ids.n, sizeof *before);
    memcpy(before, handles, ids.n * sizeof *before);
    for (size_t i = 0; i < ids.n; i++)
        items[i] = sort_ids_pack(&ids, handles[i]) << ids.index_bits | i;
    radix_sort(items, spare, ids.n, ids.index_bits, ids.width * ids.chars);
    uint64_t mask = (UINT64_C(1) << ids.index_bits) - 1;
    for (size_t i = 0; i < ids.n; i++)
        handles[i] = before[items[i] & mask];
    for (size_t from = 0, to; from < ids.n; from = to) {
        for (to = from + 1; to < ids.n && items[to] >> ids.index_bits == items[from] >> ids.index_bits; to++)
            continue;
        if (to - from > 1)
            merge_sort(&ids, handles + from, before, to - from);
    }
    free(items);
    free(spare);
    free(before);
}
