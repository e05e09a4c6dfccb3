#include "app/idset.h"

#include "base/digest.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Pages of slots, found by the first bits of the digest. A page that is full becomes two, each for one more bit: so the
 * map grows by a page at a time, and never holds two of itself to be copied. */

enum { PAGE_SLOTS = 256, PAGE_FULL = 232, HASH_BITS = 64 };

struct slot {
    uint64_t hash; /* 0: free */
    size_t number;
};

struct idset_page {
    unsigned depth; /* bits that all its digests begin with */
    unsigned n;
    struct slot slots[PAGE_SLOTS];
};

struct idset {
    unsigned depth;            /* the greatest of its pages */
    struct idset_page **pages; /* by so many bits; one of less depth is in several places */
};

static size_t idset_place(const struct idset *set, uint64_t hash) {
    return set->depth == 0 ? 0 : (size_t)(hash >> (HASH_BITS - set->depth));
}

struct idset *idset_new(void) {
    struct idset *set = mem_new(sizeof *set);
    set->pages = mem_new(sizeof *set->pages);
    set->pages[0] = mem_new(sizeof **set->pages);
    return set;
}

static void idset_drop(struct idset *set) {
    for (size_t i = 0, n = (size_t)1 << set->depth; i < n;) {
        struct idset_page *page = set->pages[i];
        i += (size_t)1 << (set->depth - page->depth);
        free(page);
    }
    free(set->pages);
}

void idset_free(struct idset *set) {
    if (set) {
        idset_drop(set);
        free(set);
    }
}

void idset_reset(struct idset *set) {
    struct idset *anew = idset_new();
    idset_drop(set);
    *set = *anew;
    free(anew);
}

static uint64_t hash_of(const char *key, size_t len) {
    uint64_t hash = digest_of_run(key, len);
    return hash ? hash : 1;
}

static struct slot *idset_slot_of(struct idset_page *page, uint64_t hash) {
    size_t at = (size_t)hash % PAGE_SLOTS;
    while (page->slots[at].hash && page->slots[at].hash != hash)
        at = (at + 1) % PAGE_SLOTS;
    return &page->slots[at];
}

static void idset_deepen(struct idset *set) {
    size_t n = (size_t)1 << set->depth;
    struct idset_page **pages = mem_new_array(n * 2, sizeof *pages);
    for (size_t i = 0; i < n; i++)
        pages[2 * i] = pages[2 * i + 1] = set->pages[i];
    free(set->pages);
    set->pages = pages;
    set->depth++;
}

/* The page of this digest in two. */
static void idset_split(struct idset *set, uint64_t hash) {
    struct idset_page *page = set->pages[idset_place(set, hash)], *other = mem_new(sizeof *other), before = *page;
    if (page->depth == set->depth)
        idset_deepen(set);
    *page = (struct idset_page){.depth = before.depth + 1};
    other->depth = page->depth;
    for (size_t i = 0; i < PAGE_SLOTS; i++) {
        const struct slot *slot = &before.slots[i];
        struct idset_page *to = slot->hash >> (HASH_BITS - page->depth) & 1 ? other : page;
        if (slot->hash) {
            *idset_slot_of(to, slot->hash) = *slot;
            to->n++;
        }
    }
    size_t half = (size_t)1 << (set->depth - page->depth), first = idset_place(set, hash) & ~(2 * half - 1);
    for (size_t i = 0; i < half; i++)
        set->pages[first + half + i] = other;
}

/* Of the digest, or a free one, which is taken. */
static struct slot *idset_slot_for(struct idset *set, uint64_t hash) {
    while (set->pages[idset_place(set, hash)]->n >= PAGE_FULL)
        idset_split(set, hash);
    struct idset_page *page = set->pages[idset_place(set, hash)];
    struct slot *slot = idset_slot_of(page, hash);
    page->n += slot->hash == 0;
    return slot;
}

bool idset_put(struct idset *set, const char *key, size_t len, size_t number) {
    uint64_t hash = hash_of(key, len);
    struct slot *slot = idset_slot_for(set, hash);
    bool free_slot = slot->hash == 0;
    if (free_slot)
        *slot = (struct slot){.hash = hash, .number = number};
    return free_slot;
}

size_t idset_swap(struct idset *set, const char *key, size_t len, size_t number) {
    uint64_t hash = hash_of(key, len);
    struct slot *slot = idset_slot_for(set, hash);
    size_t before = slot->hash ? slot->number : SIZE_MAX;
    *slot = (struct slot){.hash = hash, .number = number};
    return before;
}

size_t idset_find(const struct idset *set, const char *key, size_t len) {
    uint64_t hash = hash_of(key, len);
    const struct slot *slot = idset_slot_of(set->pages[idset_place(set, hash)], hash);
    return slot->hash ? slot->number : SIZE_MAX;
}

const char *idset_bytes_key(const char *raw, size_t len, char key[IDSET_BYTES_KEY]) {
    uint64_t digest = digest_of_run(raw, len);
    key[0] = '\0';
    memcpy(key + 1, &digest, sizeof digest);
    return key;
}
