#include "across.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The other rows that a row's findings rest on, for their evidence. */

struct others {
    struct index *index;
    struct twice_row row;
    index_each_other *each;
    void *context;
};

static void others_look(void *context, struct block *block) {
    struct others *others = context;
    struct twice_row other;
    for (size_t i = 0; i < block->n; i++) {
        if (!twice_read(block, i, &other) || other.handle == others->row.handle ||
            !twice_are_near(&others->row, &other) || !twice_are_two(others->index, &others->row, &other))
            continue;
        others->each(others->context, &(struct finding_other){.finding = FINDING_TWICE,
                                                              .id = block->text + block->text_start[i],
                                                              .later_ms = other.created - others->row.created});
    }
}

static void others_of_sources(struct index *index, struct block *block, size_t at, index_each_other *each,
                              void *context) {
    struct sources sources = {0};
    sources_take_row(&sources, block, at);
    bool done = sources_meet(index, NULL, &sources);
    for (size_t i = 0; i < sources.n && done; i++)
        if (sources.items[i].held && (i == 0 || strcmp(sources.items[i - 1].id, sources.items[i].id) != 0))
            each(context, &(struct finding_other){.finding = FINDING_SOURCE, .id = sources.items[i].id});
    sources_clear(&sources);
}

/* NULL: there is none, or another intent has the key. */
static struct block *others_find(struct index *index, int64_t key, const char *id, size_t *at) {
    for (size_t i = 0; i < index->sequence.n; i++) {
        struct block *block = index->blocks[index->sequence.items[i]];
        if (block_low(block) > key || block_high(block) < key || !index_check(index, block, PARTS_ALL) ||
            !block_find(block, key, at))
            continue;
        return strcmp(block->text + block->text_start[*at], id) == 0 ? block : NULL;
    }
    return NULL;
}

void index_others(struct index *index, int64_t key, const char *id, index_each_other *each, void *context) {
    size_t at;
    struct block *block = others_find(index, key, id, &at);
    struct others others = {.index = index, .each = each, .context = context};
    if (!block)
        return;
    if (twice_read(block, at, &others.row))
        (void)across_each(index, TWICE_PARTS, NULL, others_look, &others);
    if (block->flags[at] & CELLS_SOURCE_OTHER)
        others_of_sources(index, block, at, each, context);
}
