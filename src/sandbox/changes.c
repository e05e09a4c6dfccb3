#include "changes.h"

#include "base/mem.h"

#include <stdlib.h>

static size_t sandbox_changes_slot_of(const struct changes *changes, int64_t place) {
    size_t at = (size_t)gen_mix(0, (uint64_t)place) & (changes->cap - 1);
    while (changes->slots[at].change && changes->slots[at].change->place != place)
        at = (at + 1) & (changes->cap - 1);
    return at;
}

static void sandbox_changes_grow(struct changes *changes) {
    struct changes old = *changes;
    changes->cap = old.cap == 0 ? 64 : old.cap * 2;
    changes->slots = mem_new_array(changes->cap, sizeof *changes->slots);
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].change)
            changes->slots[sandbox_changes_slot_of(changes, old.slots[i].change->place)] = old.slots[i];
    free(old.slots);
}

struct change *changes_find(const struct changes *changes, int64_t place) {
    if (changes->n == 0 || place < changes->low || place > changes->high)
        return NULL;
    return changes->slots[sandbox_changes_slot_of(changes, place)].change;
}

struct change *changes_put(struct changes *changes, int64_t place) {
    struct change *found = changes_find(changes, place);
    if (found)
        return found;
    if (changes->n * 2 >= changes->cap)
        sandbox_changes_grow(changes);
    changes->low = changes->n == 0 || place < changes->low ? place : changes->low;
    changes->high = changes->n == 0 || place > changes->high ? place : changes->high;
    struct change *made = mem_new(sizeof *made);
    made->place = place;
    changes->slots[sandbox_changes_slot_of(changes, place)].change = made;
    changes->n++;
    return made;
}

static void forget_json(struct change *change) {
    free(change->json);
    free(change->status);
    free(change->type);
}

void change_set_json(struct change *change, const char *json, size_t len, const char *status, const char *type) {
    char *copy = !json ? NULL : mem_dup_n(json, len);
    char *status_copy = mem_dup(status);
    char *type_copy = mem_dup(type);
    forget_json(change);
    change->json = copy;
    change->json_len = len;
    change->status = status_copy;
    change->type = type_copy;
}

void changes_clear(struct changes *changes) {
    for (size_t i = 0; i < changes->cap; i++) {
        if (changes->slots[i].change) {
            forget_json(changes->slots[i].change);
            free(changes->slots[i].change);
        }
    }
    free(changes->slots);
    *changes = (struct changes){0};
}
