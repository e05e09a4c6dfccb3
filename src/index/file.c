#include "file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const uint64_t MIX = UINT64_C(0x9E3779B97F4A7C15);

static uint64_t file_mix(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * MIX;
    return sum ^ sum >> 29;
}

/* Each step can be undone, so that no two words in the same place give the same; eight at a time hide the time that a
 * multiplication takes. */
uint64_t file_sum(const void *bytes, size_t len, uint64_t seed) {
    enum { LANES = 8 };
    const char *at = bytes;
    uint64_t sums[LANES], words[LANES];
    for (uint64_t i = 0; i < LANES; i++)
        sums[i] = seed + i;
    size_t left = len;
    for (; left >= sizeof words; at += sizeof words, left -= sizeof words) {
        memcpy(words, at, sizeof words);
#pragma GCC unroll 8
        for (int i = 0; i < LANES; i++)
            sums[i] = file_mix(sums[i], words[i]);
    }
    memset(words, 0, sizeof words);
    if (left > 0)
        memcpy(words, at, left);
    uint64_t sum = file_mix(seed, len);
    for (int i = 0; i < LANES; i++)
        sum = file_mix(sum, file_mix(sums[i], words[i]));
    return sum;
}

uint64_t file_shape(void) {
    static const char *const FIELDS[] = {
#define CELL(code, field, place, version, sighted) #code " " #field " " #place " " #version,
#include "model/fields.def"
    };
    uint64_t shape = file_sum(NULL, 0, sizeof(struct file_head) + CELLS_VERSION);
    shape = file_mix(shape, sizeof(struct file_block));
    shape = file_mix(shape, PART_COUNT);
    for (size_t i = 0; i < COUNT_OF(FIELDS); i++)
        shape = file_sum(FIELDS[i], strlen(FIELDS[i]), shape);
    return shape;
}

bool file_part_holds(const struct file_map *map, const struct extent *extent, uint64_t seed) {
    return extent->len == 0 || file_sum(file_at(map, extent), extent->len, seed) == extent->sum;
}

void file_map_free(struct file_map *map) {
    if (!map)
        return;
    if (map->bytes)
        (void)munmap((void *)map->bytes, map->size);
    if (map->fd >= 0)
        close(map->fd);
    free(map);
}
