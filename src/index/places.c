#include "block.h"

#include "base/mem.h"

#include <stdlib.h>

/* The place of a key among the hits' keys, which ascend. Most keys are asked for in that order too: each search begins
 * where the last one ended, with steps that double. */
struct search_place {
    const struct index_result *hits;
    size_t at;
};

static bool is_hit(struct search_place *place, int64_t key) {
    const int64_t *keys = place->hits->keys;
    size_t n = place->hits->n, low = place->at, step = 1;
    if (low > 0 && keys[low - 1] >= key)
        low = 0;
    size_t high = low;
    while (high < n && keys[high] < key) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    place->at = keys_first_not_below(keys, low, high < n ? high : n, key);
    return place->at < n && keys[place->at] == key;
}

/* By key, because the result has an order of its own and may be older than the index. */
enum err index_locate(struct index *index, const struct query_plan *plan, const struct index_result *in,
                      const atomic_bool *cancel, struct index_places *out, struct error *error) {
    struct index_query query = {
        .plan = plan, .sort = {INDEX_UNSORTED, INDEX_UNSORTED}, .facet = QUERY_FIELD_COUNT, .cancel = cancel};
    struct index_result hits;
    *out = (struct index_places){0};
    enum err err = index_run(index, &query, &hits, error);
    if (err != ERR_OK)
        return err;
    struct search_place place = {.hits = &hits};
    for (size_t i = 0; i < in->n; i++)
        if (is_hit(&place, in->keys[i]))
            *vec_add(out) = i;
    index_result_clear(&hits);
    return ERR_OK;
}

void index_places_clear(struct index_places *places) {
    free(places->items);
    *places = (struct index_places){0};
}

void index_follow(const struct index *index, const struct index_result *hits, const int64_t *shown, size_t n,
                  struct index_followed *out) {
    struct search_place place = {.hits = hits};
    size_t held = 0;
    *out = (struct index_followed){.gone = mem_new_array(n + 1, sizeof *out->gone)};
    for (size_t i = 0; i < n; i++) {
        bool matches = is_hit(&place, shown[i]);
        held += matches;
        out->gone[i] = !matches && index_has(index, shown[i]);
        out->n_gone += out->gone[i];
    }
    out->n_more = hits->n - held;
}
