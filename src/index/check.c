#include "file.h"

#include <string.h>
#include <sys/stat.h>

/* The parts of a mapped index as they are first touched. What a sum lets through is looked at all the same: a code
 * beyond its dictionary or a text without an end would lead outside. */

static bool is_ascending(const uint32_t *starts, size_t n, size_t end) {
    bool ascends = starts[0] == 0 && starts[n] == end;
    for (size_t i = 0; i < n; i++)
        ascends = ascends && starts[i] <= starts[i + 1];
    return ascends;
}

/* In runs of a fixed length, which compile to wide instructions. */
enum { RUN = 512 };
#define GREATEST(name, type)                                                  \
    static uint32_t name(const type *items, size_t n) {                       \
        type greatest = 0;                                                    \
        size_t i = 0;                                                         \
        for (; i + RUN <= n; i += RUN)                                        \
            for (size_t k = 0; k < RUN; k++)                                  \
                greatest = items[i + k] > greatest ? items[i + k] : greatest; \
        for (; i < n; i++)                                                    \
            greatest = items[i] > greatest ? items[i] : greatest;             \
        return greatest;                                                      \
    }
GREATEST(greatest_of_1, uint8_t)
GREATEST(greatest_of_2, uint16_t)
GREATEST(greatest_of_4, uint32_t)

static uint32_t greatest_code(const struct codes *codes, size_t n) {
    if (codes->width == 1)
        return greatest_of_1(codes->items, n);
    return codes->width == 2 ? greatest_of_2(codes->items, n) : greatest_of_4(codes->items, n);
}

static bool begins_as_all(const struct id_shape *ids, const char *at, const char *end) {
    return *at == TEXT_NONE || ids->shared == 0 ||
           ((size_t)(end - at) > ids->shared && memcmp(at, ids->first, ids->shared) == 0);
}

static size_t count_ends(const char *text, size_t len) {
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += text[i] == '\0';
    return n;
}

/* An id and two texts for each transaction, each with its NUL; ids begin as the head says. That a row has as many as it
 * should is looked at in the last one alone: the others could lead into the next, and not outside. */
static bool check_texts(const struct index *index, const struct block *block) {
    const uint32_t *starts = block->text_start;
    bool good = true;
    for (size_t i = 0; i < block->n && good; i++) {
        const char *at = block->text + starts[i], *end = block->text + starts[i + 1];
        good = at < end && end[-1] == '\0' && begins_as_all(&index->ids, at, end);
    }
    size_t last = block->n - 1, tx = block->tx_start[block->n] - block->tx_start[last];
    return good && count_ends(block->text + starts[last], starts[block->n] - starts[last]) == 1 + 2 * tx;
}

static bool check_foreign(const struct block *block) {
    bool good = true;
    for (size_t i = 0; i < block->foreign.n; i++)
        good = good && block->foreign.items[i] < block->n;
    return good;
}

static bool check_flags(const unsigned char *flags, size_t n) {
    unsigned char all = 0;
    for (size_t i = 0; i < n; i++)
        all |= flags[i];
    return all <= 1;
}

static bool check_keys(const struct block *block) {
    bool good = block->keys[0] == block->stored->low && block->keys[block->n - 1] == block->stored->high;
    for (size_t i = 1; i < block->n; i++)
        good = good && block->keys[i - 1] < block->keys[i];
    return good;
}

static bool check_meaning(const struct index *index, const struct block *block, unsigned part) {
    if (part == PART_KEYS)
        return check_keys(block);
    if (part == PART_TEXT_START)
        return is_ascending(block->text_start, block->n, block->text_cap);
    if (part == PART_TX_START)
        return is_ascending(block->tx_start, block->n, block->stored->n_tx);
    if (part == PART_TEXT)
        return check_texts(index, block);
    if (part == PART_FOREIGN)
        return check_foreign(block);
    if (part == PART_TX_OK)
        return check_flags(block->tx_ok, block->stored->n_tx);
    if (part < PART_CODES || part == PART_CODES + CELLS_ID)
        return true;
    unsigned column = part - PART_CODES;
    size_t n = column < COLUMN_TX_STATUS ? block->n : block->stored->n_tx;
    return greatest_code(&block->codes[column], n) <= index->map->head->dicts[column].n;
}

static bool check_part(struct index *index, struct block *block, unsigned part) {
    const struct extent *extent = &block->stored->parts[part];
    size_t number = (size_t)(block->stored - index->map->blocks);
    if (!file_part_holds(index->map, extent, file_seed(number, part)) || !check_meaning(index, block, part))
        return false;
    block->checked |= PART_BIT(part);
    return true;
}

/* Whoever walks the texts walks their starts, and counts the transactions. */
static uint64_t with_starts(uint64_t parts) {
    return parts & PART_BIT(PART_TEXT) ? parts | PART_BIT(PART_TEXT_START) | PART_BIT(PART_TX_START) : parts;
}

bool index_check(struct index *index, struct block *block, uint64_t parts) {
    if (!block->stored || index->damaged)
        return !index->damaged;
    uint64_t open = with_starts(parts) & PARTS_ALL & ~block->checked;
    static const unsigned FIRST[] = {PART_TEXT_START, PART_TX_START};
    for (size_t i = 0; i < COUNT_OF(FIRST) && open != 0 && !index->damaged; i++)
        if (open & PART_BIT(FIRST[i]))
            index->damaged = !check_part(index, block, FIRST[i]);
    for (open &= ~block->checked; open != 0 && !index->damaged; open &= open - 1)
        index->damaged = !check_part(index, block, (unsigned)__builtin_ctzll(open));
    return !index->damaged;
}

static bool check_dict(const struct index *index, unsigned column) {
    const struct file_dict *held = &index->map->head->dicts[column];
    const struct dict_base *base = &index->dicts[column].base;
    for (unsigned i = 0; i < DICT_PARTS; i++)
        if (!file_part_holds(index->map, &held->parts[i], file_dict_seed(column, i)))
            return false;
    if (base->n == 0)
        return true;
    bool good = is_ascending(base->starts, base->n, held->parts[DICT_BYTES].len);
    for (size_t i = 1; i <= base->n && good; i++)
        good = base->starts[i] > base->starts[i - 1] && base->bytes[base->starts[i] - 1] == '\0';
    size_t taken = 0;
    for (size_t i = 0; i < base->n_slots; i++) {
        good = good && base->slots[i] <= base->n;
        taken += base->slots[i] != 0;
    }
    for (size_t i = 0; i < base->n_foreign; i++)
        good = good && base->foreign[i] > 0 && base->foreign[i] <= base->n;
    return good && taken == base->n && taken < base->n_slots;
}

/* Nobody changes the file, but nothing keeps anybody from cutting it: what is gone is not touched. */
static bool has_its_size(const struct file_map *map) {
    struct stat st;
    return fstat(map->fd, &st) == 0 && st.st_size >= 0 && (uint64_t)st.st_size == map->size;
}

bool index_check_dicts(struct index *index, uint64_t parts) {
    struct file_map *map = index->map;
    if (!map || index->damaged)
        return !index->damaged;
    index->damaged = !has_its_size(map);
    for (unsigned i = 0; i < COLUMN_COUNT && !index->damaged; i++) {
        if (i == CELLS_ID || !(parts & PART_BIT(PART_CODES + i)) || map->dicts_checked & PART_BIT(i))
            continue;
        index->damaged = !check_dict(index, i);
        if (!index->damaged)
            map->dicts_checked |= PART_BIT(i);
    }
    return !index->damaged;
}

bool index_is_readable(struct index *index) {
    if (!index->damaged)
        return index_check_dicts(index, PARTS_ALL);
    uint64_t all = (PART_BIT(COLUMN_COUNT) - 1) & ~PART_BIT(CELLS_ID);
    return !index->map || ((index->map->dicts_checked & all) == all && has_its_size(index->map));
}

bool index_is_readable_block(struct index *index, struct block *block) {
    return index->damaged ? !block->stored || (block->checked & PARTS_ALL) == PARTS_ALL
                          : index_check(index, block, PARTS_ALL);
}
