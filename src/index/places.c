#include "index/index.h"

#include "base/mem.h"

#include <stdlib.h>

/* The keys of the hits as a set. 0 marks a free slot, so the key 0 is kept apart. */
struct key_set {
    int64_t *slots;
    size_t mask;
    bool has_zero;
};

static size_t slot_of(const struct key_set *set, int64_t key) {
    uint64_t hash = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 20) & set->mask;
    while (set->slots[at] != 0 && set->slots[at] != key)
        at = (at + 1) & set->mask;
    return at;
}

static struct key_set set_of(const struct index_result *hits) {
    size_t n = 64;
    while (n < hits->n * 2)
        n *= 2;
    struct key_set set = {.slots = mem_new_array(n, sizeof *set.slots), .mask = n - 1};
    for (size_t i = 0; i < hits->n; i++) {
        if (hits->keys[i] == 0)
            set.has_zero = true;
        else
            set.slots[slot_of(&set, hits->keys[i])] = hits->keys[i];
    }
    return set;
}

static bool is_in(const struct key_set *set, int64_t key) {
    return key == 0 ? set->has_zero : set->slots[slot_of(set, key)] == key;
}

/* By key, because the result has its own order and may be older than the index. */
enum err index_locate(struct index *index, const struct query_plan *plan, const struct index_result *in,
                      const atomic_bool *cancel, struct index_places *out, struct error *error) {
    struct index_query query = {
        .plan = plan, .sort = {INDEX_UNSORTED, INDEX_UNSORTED}, .facet = QUERY_FIELD_COUNT, .cancel = cancel};
    struct index_result hits;
    *out = (struct index_places){0};
    enum err err = index_run(index, &query, &hits, error);
    if (err != ERR_OK)
        return err;
    struct key_set set = set_of(&hits);
    for (size_t i = 0; i < in->n; i++) {
        if (is_in(&set, in->keys[i]))
            *vec_add(out) = i;
    }
    free(set.slots);
    index_result_clear(&hits);
    return ERR_OK;
}

void index_places_clear(struct index_places *places) {
    free(places->items);
    *places = (struct index_places){0};
}

void index_follow(const struct index *index, const struct index_result *hits, const int64_t *shown, size_t n,
                  struct index_followed *out) {
    struct key_set set = set_of(hits);
    size_t held = 0;
    *out = (struct index_followed){.gone = mem_new_array(n + 1, sizeof *out->gone)};
    for (size_t i = 0; i < n; i++) {
        bool matches = is_in(&set, shown[i]);
        held += matches;
        out->gone[i] = !matches && index_has(index, shown[i]);
        out->n_gone += out->gone[i];
    }
    out->n_more = hits->n - held;
    free(set.slots);
}
