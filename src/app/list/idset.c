#include "app/idset.h"

#include "base/digest.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct slot {
    uint64_t hash; /* 0: free */
    size_t number;
};

struct idset {
    struct slot *slots;
    size_t n, size; /* size is a power of two */
};

enum { SIZE_FIRST = 256 };

struct idset *idset_new(void) {
    struct idset *set = mem_new(sizeof *set);
    set->size = SIZE_FIRST;
    set->slots = mem_new_array(set->size, sizeof *set->slots);
    return set;
}

void idset_free(struct idset *set) {
    if (set) {
        free(set->slots);
        free(set);
    }
}

void idset_reset(struct idset *set) {
    free(set->slots);
    set->n = 0;
    set->size = SIZE_FIRST;
    set->slots = mem_new_array(set->size, sizeof *set->slots);
}

static uint64_t hash_of(const char *key, size_t len) {
    uint64_t hash = digest_short(key, len);
    return hash ? hash : 1;
}

static struct slot *idset_slot_of(const struct idset *set, uint64_t hash) {
    size_t at = (size_t)hash & (set->size - 1);
    while (set->slots[at].hash && set->slots[at].hash != hash)
        at = (at + 1) & (set->size - 1);
    return &set->slots[at];
}

/* In place, since a large table is most of what its owner holds. The run at the beginning may have come round from the
 * end: it is put aside, so that every other slot moves only to where nothing is moved any more. */
static void idset_grow(struct idset *set) {
    size_t old_size = set->size, begun = 0;
    set->size *= 2;
    set->slots = mem_resize(set->slots, set->size, sizeof *set->slots);
    memset(set->slots + old_size, 0, old_size * sizeof *set->slots);
    while (set->slots[begun].hash)
        begun++;
    struct slot *aside = mem_new_array(begun + 1, sizeof *aside);
    memcpy(aside, set->slots, begun * sizeof *aside);
    memset(set->slots, 0, begun * sizeof *set->slots);
    for (size_t i = begun; i < old_size; i++) {
        struct slot slot = set->slots[i];
        set->slots[i].hash = 0;
        if (slot.hash)
            *idset_slot_of(set, slot.hash) = slot;
    }
    for (size_t i = 0; i < begun; i++)
        *idset_slot_of(set, aside[i].hash) = aside[i];
    free(aside);
}

static struct slot *slot_for(struct idset *set, uint64_t hash) {
    if (set->n + set->n / 3 + 2 > set->size) /* three quarters full */
        idset_grow(set);
    return idset_slot_of(set, hash);
}

bool idset_put(struct idset *set, const char *key, size_t len, size_t number) {
    uint64_t hash = hash_of(key, len);
    struct slot *slot = slot_for(set, hash);
    bool free_slot = slot->hash == 0;
    if (free_slot) {
        *slot = (struct slot){.hash = hash, .number = number};
        set->n++;
    }
    return free_slot;
}

size_t idset_swap(struct idset *set, const char *key, size_t len, size_t number) {
    uint64_t hash = hash_of(key, len);
    struct slot *slot = slot_for(set, hash);
    size_t before = slot->hash ? slot->number : SIZE_MAX;
    set->n += slot->hash == 0;
    *slot = (struct slot){.hash = hash, .number = number};
    return before;
}

size_t idset_find(const struct idset *set, const char *key, size_t len) {
    const struct slot *slot = idset_slot_of(set, hash_of(key, len));
    return slot->hash ? slot->number : SIZE_MAX;
}
