#include "across.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Transactions whose source_id is the id of another intent that is held. Most rows name themselves, which a flag of
 * their cells tells; of the others those are looked up whose digest is among those of the ids. */

static uint64_t source_digest(const char *id) {
    return file_sum(id, strlen(id), 0);
}

static const char *source_row_id(const struct block *block, size_t at) {
    const char *id = block->text + block->text_start[at];
    return block->alive[at] && *id != TEXT_NONE ? id : NULL;
}

static void sources_look(void *context, struct block *block) {
    struct sources *sources = context;
    for (size_t i = 0; i < block->n; i++)
        sources->any = sources->any || (block->alive[i] && block->flags[i] & CELLS_SOURCE_OTHER);
}

static void sources_note_ids(void *context, struct block *block) {
    struct sources *sources = context;
    for (size_t i = 0; i < block->n; i++) {
        const char *id = source_row_id(block, i);
        if (id)
            across_table_put(&sources->ids, source_digest(id));
    }
}

/* The text of a row: its id, then id and source of each transaction. */
void sources_take_row(struct sources *sources, const struct block *block, size_t row) {
    const char *at = block->text + block->text_start[row], *end = block->text + block->text_start[row + 1];
    for (size_t n = 0; at < end; at += strlen(at) + 1, n++) {
        bool other = n > 0 && n % 2 == 0 && *at && *at != TEXT_SAME && *at != TEXT_NONE;
        if (other && (!sources->ids.entries || *across_entry(&sources->ids, source_digest(at))))
            *vec_add(sources) = (struct source){.id = at, .handle = handle_of(block, row)};
    }
}

static void sources_take(void *context, struct block *block) {
    for (size_t i = 0; i < block->n; i++)
        if (block->alive[i] && block->flags[i] & CELLS_SOURCE_OTHER)
            sources_take_row(context, block, i);
}

static int source_by_id(const void *a, const void *b) {
    return strcmp(((const struct source *)a)->id, ((const struct source *)b)->id);
}

static size_t source_first(const struct sources *sources, const char *id) {
    size_t low = 0, high = sources->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(sources->items[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void sources_meet_ids(void *context, struct block *block) {
    struct sources *sources = context;
    for (size_t i = 0; i < block->n; i++) {
        const char *id = source_row_id(block, i);
        if (!id || !*across_entry(&sources->named, source_digest(id)))
            continue;
        for (size_t at = source_first(sources, id); at < sources->n && strcmp(sources->items[at].id, id) == 0; at++)
            sources->items[at].held = true;
    }
}

bool sources_meet(struct index *index, const atomic_bool *cancel, struct sources *sources) {
    if (sources->n == 0)
        return true;
    qsort(sources->items, sources->n, sizeof *sources->items, source_by_id);
    across_table_init(&sources->named, sources->n);
    for (size_t i = 0; i < sources->n; i++)
        across_table_put(&sources->named, source_digest(sources->items[i].id));
    return across_each(index, PART_BIT(PART_TEXT), cancel, sources_meet_ids, sources);
}

void sources_clear(struct sources *sources) {
    free(sources->ids.entries);
    free(sources->named.entries);
    free(sources->items);
}

static bool sources_find(struct index *index, const atomic_bool *cancel, struct sources *sources) {
    across_table_init(&sources->ids, index->count);
    return across_each(index, PART_BIT(PART_TEXT), cancel, sources_note_ids, sources) &&
           across_each(index, PART_BIT(PART_TEXT), cancel, sources_take, sources) &&
           sources_meet(index, cancel, sources);
}

bool across_find_sources(struct index *index, const atomic_bool *cancel, struct across *out) {
    struct sources sources = {0};
    bool done = across_each(index, PART_BIT(PART_FLAGS), cancel, sources_look, &sources);
    if (done && sources.any)
        done = sources_find(index, cancel, &sources);
    for (size_t i = 0; i < sources.n && done; i++)
        if (sources.items[i].held)
            across_set(out, sources.items[i].handle, FINDING_SOURCE);
    sources_clear(&sources);
    return done;
}
