#include "block.h"

/* Findings of the rows of a block: by the flags of their cells, by the clock, and against the other rows. */

/* The flags of rules that are asked for and judged so. */
static unsigned findings_flags(unsigned asked, enum finding_judged judged) {
    unsigned flags = 0;
    for (unsigned i = 0; i < FINDING_COUNT; i++)
        if (asked & FINDING_BIT(i) && finding_rule((enum finding)i)->judged == judged)
            flags |= finding_rule((enum finding)i)->flag;
    return flags;
}

static bool findings_is_old(const struct block *block, size_t at, int64_t now) {
    unsigned flags = block->flags[at];
    return flags & CELLS_CREATED_OK && numbers_get(&block->numbers[NUMBER_CREATED], at) <
                                           finding_old_before(now, (flags & CELLS_CREATED_BARE) != 0);
}

void findings_add(const struct index *index, const struct block *block, unsigned asked, int64_t now,
                  unsigned char *out) {
    unsigned record = findings_flags(asked, FINDING_RECORD), aged = findings_flags(asked, FINDING_AGED);
    const unsigned char *across = asked & FINDINGS_ACROSS ? across_bits(index, block) : NULL;
    for (size_t i = 0; i < block->n; i++)
        out[i] |= (block->flags[i] & record) != 0;
    for (size_t i = 0; i < block->n && aged; i++)
        out[i] |= block->flags[i] & aged && findings_is_old(block, i, now);
    for (size_t i = 0; i < block->n && across; i++)
        out[i] |= (across[i] & asked) != 0;
}

unsigned findings_at(const struct index *index, const struct block *block, size_t at, int64_t now) {
    const unsigned char *across = across_bits(index, block);
    if (!(block->flags[at] & FINDINGS_FLAGS)) /* most rows */
        return across ? across[at] : 0;
    struct cells cells = {.flags = block->flags[at], .created_ms = numbers_get(&block->numbers[NUMBER_CREATED], at)};
    return finding_of(&cells, now) | (across ? across[at] : 0);
}
