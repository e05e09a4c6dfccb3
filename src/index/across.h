#ifndef SRC_INDEX_ACROSS_H
#define SRC_INDEX_ACROSS_H
/* Findings that rest on other rows: found for all rows at once when one is first asked for, and kept until a row
 * changes. */

#include "file.h"

/* By id of the block; NULL: none of its rows has any. */
struct across {
    unsigned char **bits; /* FINDING_BIT, a byte for each row */
    size_t n;
};
void across_set(struct across *across, uint32_t handle, enum finding finding);

/* Each block of the index, its parts checked first; false: the file is damaged, or the question was dropped. */
typedef void across_each_fn(void *context, struct block *block);
bool across_each(struct index *index, uint64_t parts, const atomic_bool *cancel, across_each_fn *each, void *context);

/* A table of digests, two bits each: what is not in it was not put into it. */
enum { ACROSS_ONE = 1, ACROSS_MORE };
struct across_table {
    unsigned char *entries;
    size_t mask;
};
void across_table_init(struct across_table *table, size_t n);
static inline unsigned char *across_entry(const struct across_table *table, uint64_t digest) {
    return &table->entries[(digest ^ digest >> 32) & table->mask];
}
void across_table_put(struct across_table *table, uint64_t digest);

/* across_twice.c: what is equal in two rows that came twice. */
struct twice_row {
    int64_t amount, created;
    uint32_t user, currency, handle;
};
#define TWICE_PARTS                                                                                            \
    (PART_BIT(PART_FLAGS) | PART_BIT(PART_NUMBERS + NUMBER_AMOUNT) | PART_BIT(PART_NUMBERS + NUMBER_CREATED) | \
     PART_BIT(PART_CODES + CELLS_USER) | PART_BIT(PART_CODES + CELLS_CURRENCY))
bool twice_read(const struct block *block, size_t at, struct twice_row *out); /* false: it cannot be one of two */
bool twice_are_near(const struct twice_row *x, const struct twice_row *y);
bool twice_are_two(struct index *index, const struct twice_row *x, const struct twice_row *y);

/* across_source.c: sources that are no own ids. */
struct sources {
    struct across_table ids, named; /* of all rows; of the sources */
    struct source {
        const char *id;
        uint32_t handle; /* of the row that names it */
        bool held;
    } * items; /* by id once all are there */
    size_t n, cap;
    bool any;
};
void sources_take_row(struct sources *sources, const struct block *block, size_t row);      /* ids.entries NULL: all */
bool sources_meet(struct index *index, const atomic_bool *cancel, struct sources *sources); /* sets held */
void sources_clear(struct sources *sources);

bool across_find_twice(struct index *index, const atomic_bool *cancel, struct across *out);
bool across_find_sources(struct index *index, const atomic_bool *cancel, struct across *out);

#endif
