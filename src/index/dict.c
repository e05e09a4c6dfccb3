#include "block.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS_MIN = 64 };

static uint64_t hash_text(const char *text, size_t len) {
    uint64_t hash = UINT64_C(0x9E3779B97F4A7C15) ^ len;
    for (; len >= 8; text += 8, len -= 8) {
        uint64_t part;
        memcpy(&part, text, 8);
        hash = (hash ^ part) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
    }
    uint64_t rest = 0;
    memcpy(&rest, text, len);
    hash = (hash ^ rest) * UINT64_C(0xC4CEB9FE1A85EC53);
    return hash ^ hash >> 29;
}

const char *dict_text(const struct dict *dict, uint32_t code, size_t *len) {
    if (code == 0) {
        *len = 0;
        return NULL;
    }
    const struct dict_base *base = &dict->base;
    if (code <= base->n) {
        *len = base->starts[code] - base->starts[code - 1] - 1;
        return base->bytes + base->starts[code - 1];
    }
    code -= (uint32_t)base->n;
    *len = dict->starts[code] - dict->starts[code - 1] - 1;
    return dict->bytes + dict->starts[code - 1];
}

static size_t base_slot_of(uint64_t hash, size_t n_slots) {
    return (size_t)((hash >> 32) * n_slots >> 32);
}

void dict_put_slot(uint32_t *slots, size_t n_slots, uint32_t code, const char *text, size_t len) {
    size_t at = base_slot_of(hash_text(text, len), n_slots);
    while (slots[at] != 0)
        at = at + 1 < n_slots ? at + 1 : 0;
    slots[at] = code;
}

static uint32_t find_in_base(const struct dict *dict, const char *text, size_t len, uint64_t hash) {
    const struct dict_base *base = &dict->base;
    size_t at = base->n > 0 ? base_slot_of(hash, base->n_slots) : 0, have;
    while (base->n > 0 && base->slots[at] != 0) {
        const char *value = dict_text(dict, base->slots[at], &have);
        if (have == len && memcmp(value, text, len) == 0)
            return base->slots[at];
        at = at + 1 < base->n_slots ? at + 1 : 0;
    }
    return 0;
}

static struct dict_slot *find_slot(const struct dict *dict, const char *text, size_t len, uint64_t hash) {
    size_t mask = dict->n_slots - 1, have;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        struct dict_slot *slot = &dict->slots[at];
        if (slot->code == 0)
            return slot;
        if (slot->hash != (uint32_t)(hash >> 32))
            continue;
        const char *value = dict_text(dict, slot->code, &have);
        if (have == len && memcmp(value, text, len) == 0)
            return slot;
    }
}

static void grow_slots(struct dict *dict) {
    if (dict->n_slots > 0 && (dict->n - dict->base.n) * 4 < dict->n_slots * 3)
        return;
    free(dict->slots);
    dict->n_slots = dict->n_slots > 0 ? dict->n_slots * 2 : SLOTS_MIN;
    dict->slots = mem_new_array(dict->n_slots, sizeof *dict->slots);
    for (uint32_t code = (uint32_t)dict->base.n + 1; code <= dict->n; code++) {
        size_t len;
        const char *text = dict_text(dict, code, &len);
        uint64_t hash = hash_text(text, len);
        *find_slot(dict, text, len, hash) = (struct dict_slot){code, (uint32_t)(hash >> 32)};
    }
}

static void dict_add(struct dict *dict, const char *text, size_t len) {
    if (dict->len + len + 1 > UINT32_MAX)
        mem_fatal("more than 4 GB of distinct texts in one column");
    if (dict->len + len + 1 > dict->cap) {
        dict->cap = dict->cap + dict->cap / 8 + len + 256;
        dict->bytes = mem_resize(dict->bytes, dict->cap, 1);
    }
    memcpy(dict->bytes + dict->len, text, len);
    dict->bytes[dict->len + len] = '\0';
    dict->len += len + 1;
    size_t own = ++dict->n - dict->base.n;
    if (own + 1 > dict->starts_cap) {
        dict->starts_cap = dict->starts_cap + dict->starts_cap / 8 + 16;
        dict->starts = mem_resize(dict->starts, dict->starts_cap, sizeof *dict->starts);
        dict->starts[0] = 0;
    }
    dict->starts[own] = (uint32_t)dict->len;
}

uint32_t dict_code(struct dict *dict, const char *text, size_t len) {
    if (!text)
        return 0;
    uint64_t hash = hash_text(text, len);
    uint32_t held = find_in_base(dict, text, len, hash);
    if (held != 0)
        return held;
    grow_slots(dict);
    struct dict_slot *slot = find_slot(dict, text, len, hash);
    if (slot->code == 0) {
        dict_add(dict, text, len);
        *slot = (struct dict_slot){(uint32_t)dict->n, (uint32_t)(hash >> 32)};
        if (!text_is_ascii(text, len))
            *vec_add(&dict->foreign) = slot->code;
    }
    return slot->code;
}

struct named {
    const char *folded;
    size_t len;
    const char *text;
    uint32_t code;
};

static int dict_by_name(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    size_t len = x->len < y->len ? x->len : y->len;
    int order = memcmp(x->folded, y->folded, len);
    if (order == 0)
        order = (x->len > y->len) - (x->len < y->len);
    return order != 0 ? order : strcmp(x->text, y->text);
}

/* A text as it is compared: ids by their bytes, words and names folded into *folded. */
static struct named dict_name_of(const struct dict *dict, uint32_t code, bool exact, struct str *folded) {
    struct named name = {.code = code};
    const char *text = dict_text(dict, code, &name.len);
    name.text = name.folded = text ? text : "";
    if (!exact) {
        str_reset(folded);
        utf8_fold(folded, name.text, name.len);
        name.folded = folded->s;
        name.len = folded->len;
    }
    return name;
}

/* The values from `first` on, sorted; texts last as long as the arena. */
static struct named *sort_names(const struct dict *dict, uint32_t first, bool exact, struct arena *arena) {
    struct named *names = mem_new_array(dict->n + 2 - first, sizeof *names);
    struct str folded;
    str_init(&folded, PTRDIFF_MAX / 2);
    for (uint32_t code = first; code <= dict->n; code++) {
        struct named *name = &names[code - first];
        *name = dict_name_of(dict, code, exact, &folded);
        name->folded = exact ? name->folded : arena_dup_n(arena, name->folded, name->len);
    }
    str_clear(&folded);
    qsort(names, dict->n + 1 - first, sizeof *names, dict_by_name);
    return names;
}

/* How many of the values in order are before this one, from place `low` on. */
static size_t places_before(const struct dict *dict, const struct named *name, bool exact, const uint32_t *order,
                            size_t low) {
    struct str folded;
    str_init(&folded, PTRDIFF_MAX / 2);
    for (size_t high = dict->n_ranked; low < high;) {
        size_t middle = low + (high - low) / 2;
        struct named other = dict_name_of(dict, order[middle], exact, &folded);
        if (dict_by_name(&other, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    str_clear(&folded);
    return low;
}

/* Values that were ranked before keep their order: only new ones are compared. */
const uint32_t *dict_ranks(struct dict *dict, bool exact) {
    if (dict->n_ranked == dict->n && dict->ranks)
        return dict->ranks;
    struct arena arena = {0};
    size_t old = dict->ranks ? dict->n_ranked : 0, fresh = dict->n - old;
    struct named *names = sort_names(dict, (uint32_t)old + 1, exact, &arena);
    uint32_t *order = mem_new_array(old + 1, sizeof *order), rank = 0;
    for (uint32_t code = 1; code <= old; code++)
        order[dict->ranks[code] - 1] = code;
    free(dict->ranks);
    dict->ranks = mem_new_array(dict->n + 1, sizeof *dict->ranks);
    size_t at = 0;
    for (size_t i = 0; i < fresh; i++) {
        for (size_t place = places_before(dict, &names[i], exact, order, at); at < place; at++)
            dict->ranks[order[at]] = ++rank;
        dict->ranks[names[i].code] = ++rank;
    }
    for (; at < old; at++)
        dict->ranks[order[at]] = ++rank;
    dict->n_ranked = dict->n;
    free(names);
    free(order);
    arena_clear(&arena);
    return dict->ranks;
}

void dict_clear(struct dict *dict) {
    free(dict->bytes);
    free(dict->starts);
    free(dict->slots);
    free(dict->foreign.items);
    free(dict->ranks);
    *dict = (struct dict){0};
}

size_t dict_bytes(const struct dict *dict) {
    return dict->cap + dict->n_slots * sizeof *dict->slots + (dict->starts_cap + dict->foreign.cap) * sizeof(uint32_t) +
           (dict->ranks ? (dict->n_ranked + 1) * sizeof *dict->ranks : 0);
}
