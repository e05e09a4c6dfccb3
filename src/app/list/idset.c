#include "app/idset.h"

#include "base/digest.h"
#include "base/mem.h"

#include <stdlib.h>

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

static void idset_grow(struct idset *set) {
    struct slot *old = set->slots;
    size_t old_size = set->size;
    set->size *= 2;
    set->slots = mem_new_array(set->size, sizeof *set->slots);
    for (size_t i = 0; i < old_size; i++)
        if (old[i].hash)
            *idset_slot_of(set, old[i].hash) = old[i];
    free(old);
}

static struct slot *slot_for(struct idset *set, uint64_t hash) {
    if ((set->n + 1) * 2 > set->size)
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
