#include "file.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file as the cache beside it is opened: ours, one name, no link, closed to others. */
static struct file_map *file_map_new(const char *path) {
    struct stat st;
    struct file_map *map = mem_new(sizeof *map);
    map->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    bool good = map->fd >= 0 && path_is_ours(map->fd, NULL, &st) && (st.st_mode & 077) == 0 &&
                st.st_size >= (off_t)sizeof(struct file_head);
    void *bytes = MAP_FAILED;
    if (good) {
        map->size = (size_t)st.st_size;
        bytes = mmap(NULL, map->size, PROT_READ, MAP_SHARED, map->fd, 0);
    }
    if (bytes == MAP_FAILED) {
        file_map_free(map);
        return NULL;
    }
    map->bytes = bytes;
    map->head = bytes;
    return map;
}

static bool lies_inside(const struct file_map *map, const struct extent *extent, uint64_t len, bool may_lack) {
    if (extent->len == 0)
        return extent->at == 0 && (may_lack || len == 0);
    return extent->len == len && extent->at % FILE_ALIGN == 0 && extent->at <= map->size &&
           len <= map->size - extent->at;
}

static bool is_sound_dict(const struct file_map *map, const struct file_dict *dict) {
    bool counts = dict->n <= UINT32_MAX / 2 && dict->n_foreign <= dict->n && dict->n_slots <= UINT32_MAX &&
                  (dict->n == 0 || dict->n_slots > dict->n);
    return counts && lies_inside(map, &dict->parts[DICT_BYTES], dict->parts[DICT_BYTES].len, false) &&
           dict->parts[DICT_BYTES].len <= UINT32_MAX &&
           lies_inside(map, &dict->parts[DICT_STARTS], dict->n > 0 ? (dict->n + 1) * sizeof(uint32_t) : 0, false) &&
           lies_inside(map, &dict->parts[DICT_SLOTS], dict->n > 0 ? dict->n_slots * sizeof(uint32_t) : 0, false) &&
           lies_inside(map, &dict->parts[DICT_FOREIGN], dict->n_foreign * sizeof(uint32_t), false);
}

static bool is_sound_head(const struct file_map *map, const char *identity) {
    const struct file_head *head = map->head;
    bool good = memcmp(head->magic, FILE_MAGIC, sizeof FILE_MAGIC) == 0 && head->version == FILE_VERSION &&
                head->order == FILE_ORDER && head->shape == file_shape() && head->size == map->size &&
                head->sum == file_sum(head, offsetof(struct file_head, sum), FILE_VERSION) && head->stamp.identity[0] &&
                memchr(head->stamp.identity, '\0', INDEX_IDENTITY_MAX) && strcmp(head->stamp.identity, identity) == 0 &&
                head->ids.shared <= sizeof head->ids.first;
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        good = good && is_sound_dict(map, &head->dicts[i]);
    return good && head->n_blocks <= (UINT32_MAX >> BLOCK_BITS) &&
           lies_inside(map, &head->directory, head->n_blocks * sizeof(struct file_block), false) &&
           file_part_holds(map, &head->directory, FILE_VERSION);
}

static uint64_t numbers_len(uint8_t kind, size_t n) {
    return kind == FILE_NUMBERS_WIDE ? n * sizeof(int64_t) : kind == FILE_NUMBERS_NARROW ? n * sizeof(uint32_t) : 0;
}

static bool is_sound_numbers(const struct file_map *map, const struct file_block *block) {
    bool good = true;
    for (unsigned i = 0; i <= NUMBER_COUNT; i++) {
        const struct extent *extent = &block->parts[i < NUMBER_COUNT ? PART_NUMBERS + i : PART_TX_AMOUNT];
        uint64_t len = numbers_len(block->kinds[i], i < NUMBER_COUNT ? BLOCK_ROWS : block->n_tx);
        good = good && block->kinds[i] <= FILE_NUMBERS_WIDE && lies_inside(map, extent, len, false);
    }
    return good;
}

static bool is_sound_codes(const struct file_map *map, const struct file_block *block) {
    bool good = true;
    for (unsigned i = 0; i < COLUMN_COUNT; i++) {
        uint8_t width = block->widths[i];
        size_t n = i == CELLS_ID ? 0 : i < COLUMN_TX_STATUS ? BLOCK_ROWS : block->n_tx;
        good = good && (width == 1 || width == 2 || width == 4) &&
               lies_inside(map, &block->parts[PART_CODES + i], n * width, false);
    }
    return good;
}

static bool is_sound_block(const struct file_map *map, const struct file_block *block) {
    const struct extent *parts = block->parts;
    uint64_t starts = (BLOCK_ROWS + 1) * sizeof(uint32_t);
    return block->n > 0 && block->n <= BLOCK_ROWS && block->low <= block->high &&
           lies_inside(map, &parts[PART_KEYS], BLOCK_ROWS * sizeof(int64_t), false) &&
           lies_inside(map, &parts[PART_FLAGS], BLOCK_ROWS * sizeof(uint32_t), false) &&
           lies_inside(map, &parts[PART_TEXT_START], starts, false) &&
           lies_inside(map, &parts[PART_TX_START], starts, false) &&
           lies_inside(map, &parts[PART_TEXT], parts[PART_TEXT].len, false) && parts[PART_TEXT].len <= UINT32_MAX &&
           lies_inside(map, &parts[PART_FOREIGN], parts[PART_FOREIGN].len, true) &&
           parts[PART_FOREIGN].len <= block->n * sizeof(uint16_t) &&
           lies_inside(map, &parts[PART_TX_OK], block->n_tx, false) && is_sound_numbers(map, block) &&
           is_sound_codes(map, block);
}

static bool is_sound_directory(struct file_map *map) {
    uint64_t rows = 0;
    bool good = true;
    map->blocks = file_at(map, &map->head->directory);
    map->n_blocks = (size_t)map->head->n_blocks;
    for (size_t i = 0; i < map->n_blocks && good; i++) {
        good = is_sound_block(map, &map->blocks[i]) && (i == 0 || map->blocks[i - 1].high < map->blocks[i].low);
        rows += map->blocks[i].n;
    }
    return good && rows == map->head->rows;
}

/* Of a constant map nothing is written: every writer looks at `mapped` first. */
static void *part_of(const struct file_map *map, const struct file_block *from, unsigned part) {
    return (void *)file_at(map, &from->parts[part]);
}

static void open_numbers(const struct file_map *map, const struct file_block *from, unsigned i, unsigned part,
                         struct numbers *out) {
    *out = (struct numbers){.base = from->base[i], .cap = i < NUMBER_COUNT ? BLOCK_ROWS : from->n_tx, .mapped = true};
    if (from->kinds[i] == FILE_NUMBERS_WIDE)
        out->wide = part_of(map, from, part);
    else if (from->kinds[i] == FILE_NUMBERS_NARROW)
        out->narrow = part_of(map, from, part);
    else
        *out = (struct numbers){.base = INT64_MIN, .cap = out->cap};
}

static struct block *map_block(const struct file_map *map, const struct file_block *from, uint32_t id) {
    struct block *block = mem_new(sizeof *block);
    *block = (struct block){.id = id,
                            .n = from->n,
                            .live = from->n,
                            .stored = from,
                            .mapped = true,
                            .alive = mem_new(BLOCK_ROWS),
                            .keys = part_of(map, from, PART_KEYS),
                            .flags = part_of(map, from, PART_FLAGS),
                            .text_start = part_of(map, from, PART_TEXT_START),
                            .text = part_of(map, from, PART_TEXT),
                            .text_cap = (size_t)from->parts[PART_TEXT].len,
                            .tx_start = part_of(map, from, PART_TX_START),
                            .tx_cap = from->n_tx,
                            .tx_ok = part_of(map, from, PART_TX_OK)};
    memset(block->alive, 1, block->n);
    block->foreign.items = part_of(map, from, PART_FOREIGN);
    block->foreign.n = (size_t)from->parts[PART_FOREIGN].len / sizeof *block->foreign.items;
    for (unsigned i = 0; i < NUMBER_COUNT; i++)
        open_numbers(map, from, i, PART_NUMBERS + i, &block->numbers[i]);
    open_numbers(map, from, NUMBER_COUNT, PART_TX_AMOUNT, &block->tx_amount);
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        block->codes[i] = (struct codes){.items = part_of(map, from, PART_CODES + i),
                                         .width = from->widths[i],
                                         .cap = i < COLUMN_TX_STATUS ? BLOCK_ROWS : from->n_tx,
                                         .mapped = true};
    return block;
}

static void open_dict(const struct file_map *map, const struct file_dict *from, struct dict *out) {
    out->base = (struct dict_base){.bytes = file_at(map, &from->parts[DICT_BYTES]),
                                   .starts = file_at(map, &from->parts[DICT_STARTS]),
                                   .slots = file_at(map, &from->parts[DICT_SLOTS]),
                                   .foreign = file_at(map, &from->parts[DICT_FOREIGN]),
                                   .n = (size_t)from->n,
                                   .n_slots = (size_t)from->n_slots,
                                   .n_foreign = (size_t)from->n_foreign};
    out->n = out->base.n;
}

static void open_ids(const struct file_ids *from, struct id_shape *out) {
    *out = (struct id_shape){.any = from->any != 0, .absent = from->absent != 0, .shared = (size_t)from->shared};
    memcpy(out->first, from->first, sizeof out->first);
    for (size_t i = 0; i < COUNT_OF(out->used); i++)
        out->used[i] = from->used[i] != 0;
}

static bool map_all(struct index *index) {
    const struct file_map *map = index->map;
    open_ids(&map->head->ids, &index->ids);
    index->count = (size_t)map->head->rows;
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        open_dict(map, &map->head->dicts[i], &index->dicts[i]);
    for (size_t i = 0; i < map->n_blocks; i++) {
        uint32_t id = index_add_block(index, i);
        index->blocks[id] = map_block(map, &map->blocks[i], id);
    }
    /* Rows are found by them. */
    bool good = true;
    for (size_t i = 0; i < map->n_blocks && good; i++)
        good = index_check(index, index->blocks[index->sequence.items[i]], PART_BIT(PART_KEYS));
    return good;
}

struct index *index_open(const char *path, const char *identity, struct index_stamp *out) {
    struct file_map *map = file_map_new(path);
    if (!map)
        return NULL;
    if (!is_sound_head(map, identity) || !is_sound_directory(map)) {
        file_map_free(map);
        return NULL;
    }
    struct index *index = index_new();
    index->map = map;
    *out = map->head->stamp;
    if (map_all(index))
        return index;
    index_free(index);
    return NULL;
}

bool index_is_damaged(const struct index *index) {
    return index->damaged;
}

size_t index_mapped(const struct index *index) {
    return index->map ? index->map->size : 0;
}
