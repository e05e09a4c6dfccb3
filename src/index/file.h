#ifndef INDEX_FILE_H
#define INDEX_FILE_H
/* The index as a file: a head, the dictionaries, the blocks column by column, and last a directory of where each part
 * lies and its sum. Written under another name, then renamed, and never changed: it is mapped by every console. Nothing
 * of it is believed: the head and the directory are checked when it is opened, each part when it is first touched, the
 * sum first and then that what it says leads nowhere outside. As this machine lays numbers out: of another one it is
 * not read. */

#include "block.h"

enum { FILE_VERSION = 3, FILE_ALIGN = 64, FILE_SPARE = BLOCK_ROWS / 32, FILE_ROWS = BLOCK_ROWS - FILE_SPARE };
static const char FILE_MAGIC[8] = "bursarix";

/* Of a block; the bits of what was checked and of what a question needs. Those of codes are numbered by column. */
enum part {
    PART_KEYS,
    PART_FLAGS,
    PART_TEXT_START,
    PART_TEXT,
    PART_FOREIGN,
    PART_TX_START,
    PART_TX_OK,
    PART_TX_AMOUNT,
    PART_NUMBERS,
    PART_CODES = PART_NUMBERS + NUMBER_COUNT,
    PART_COUNT = PART_CODES + COLUMN_COUNT
};
#define PART_BIT(part) (UINT64_C(1) << (part))
#define PARTS_ALL (PART_BIT(PART_COUNT) - 1)

struct extent {
    uint64_t at, len; /* bytes; len 0: nothing is held, all of it is zero */
    uint64_t sum;
};

enum file_numbers { FILE_NUMBERS_NONE, FILE_NUMBERS_NARROW, FILE_NUMBERS_WIDE };

struct file_block {
    int64_t low, high; /* its first and last key */
    uint32_t n, n_tx;
    int64_t base[NUMBER_COUNT + 1];  /* of the numbers, and of the amounts of transactions */
    uint8_t kinds[NUMBER_COUNT + 1]; /* enum file_numbers */
    uint8_t widths[COLUMN_COUNT];
    struct extent parts[PART_COUNT];
};

enum dict_part { DICT_BYTES, DICT_STARTS, DICT_SLOTS, DICT_FOREIGN, DICT_PARTS };
struct file_dict {
    uint64_t n, n_slots, n_foreign;
    struct extent parts[DICT_PARTS];
};

/* struct id_shape, of bytes: not every one is a bool. */
struct file_ids {
    uint8_t any, absent, used[256];
    char first[64];
    uint64_t shared;
};

struct file_head {
    char magic[8];
    uint32_t version, order; /* of the format; FILE_ORDER as this machine writes it */
    uint64_t shape;          /* of the fields and of this layout */
    uint64_t size;           /* of the file */
    uint64_t rows, n_blocks;
    struct index_stamp stamp;
    struct file_ids ids;
    struct file_dict dicts[COLUMN_COUNT];
    struct extent directory; /* n_blocks of struct file_block */
    uint64_t sum;            /* of all before it */
};
enum { FILE_ORDER = 0x01020304 };

/* What the parts of a file depend on beside its version: a changed table of fields is another index. */
uint64_t file_shape(void);
/* Any one changed bit gives another sum; seed: which part it is, so that none stands in for another. Not against
 * forgers, who could write the cache as well: against time it is what matters, and a digest of libsodium is ten times
 * slower. */
uint64_t file_sum(const void *bytes, size_t len, uint64_t seed);
static inline uint64_t file_seed(size_t block, unsigned part) {
    return (uint64_t)block << 8 | part;
}
static inline uint64_t file_dict_seed(unsigned column, unsigned part) {
    return UINT64_MAX - ((uint64_t)column << 8 | part);
}

struct file_map {
    const char *bytes;
    size_t size;
    int fd;
    const struct file_head *head;
    const struct file_block *blocks;
    uint64_t dicts_checked; /* a bit for each column */
    size_t n_blocks;
};
void file_map_free(struct file_map *map);
/* Where a part lies. */
static inline const void *file_at(const struct file_map *map, const struct extent *extent) {
    return map->bytes + extent->at;
}
bool file_part_holds(const struct file_map *map, const struct extent *extent, uint64_t seed);

/* check.c: the parts of a block, or all of the dictionaries of these parts' columns, before they are used. False: the
 * index is damaged, and says so from here on. */
bool index_check(struct index *index, struct block *block, uint64_t parts);
bool index_check_dicts(struct index *index, uint64_t parts);
/* The same for rows that are copied out of an index that is given up: what was found sound before is. */
bool index_is_readable(struct index *index);
bool index_is_readable_block(struct index *index, struct block *block);
/* needs.c: the parts that a question looks at. */
struct index_query;
uint64_t index_needs(const struct index_query *query);
/* Whether it asks for findings that rest on other rows, and what is looked at for those, by and by: 0 where it does
 * not. */
bool index_asks_across(const struct index_query *query);
uint64_t index_needs_across(const struct index_query *query);
/* As parts: their dictionaries, and those of currencies, whose exponents are known whatever is asked. */
uint64_t index_needs_dicts(uint64_t parts);

#endif
