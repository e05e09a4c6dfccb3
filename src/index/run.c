#include "file.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_MIN = 8192 };

struct run {
    struct index *index;
    const struct index_query *query;
    struct program *program;
    struct program *earlier; /* of the period that is compared; NULL: none is */
    struct index_result *out;
    uint32_t *handles; /* where the rows are to be sorted */
    size_t cap;        /* of handles, else of the keys */
    struct tally *tally;
    struct grid *grid;
    uint64_t needs; /* of each block */
    unsigned char mask[BLOCK_ROWS];
    uint16_t places[BLOCK_ROWS + 1];
};

static bool is_cancelled(const atomic_bool *cancel) {
    return cancel && atomic_load_explicit(cancel, memory_order_relaxed);
}

static bool is_sorted(const struct index_query *query) {
    return query->sort[0].field != QUERY_FIELD_COUNT || query->sort[1].field != QUERY_FIELD_COUNT;
}

/* Bit i for byte i of eight bytes of 0 or 1: the multiplication gathers them at the top. */
static unsigned mask_bits(const unsigned char *mask) {
    uint64_t eight;
    memcpy(&eight, mask, sizeof eight);
    return (unsigned)(le64toh(eight) * UINT64_C(0x0102040810204080) >> 56);
}

/* The places of a mask, in the order of the keys. */
static size_t places_of(const struct block *block, const unsigned char *mask, uint16_t *out) {
    size_t n = 0;
    for (size_t i = 0; block->order && i < block->live; i++) {
        out[n] = block->order[i];
        n += mask[block->order[i]];
    }
    for (size_t i = 0; !block->order && i < block->n; i += 8)
        for (unsigned bits = mask_bits(mask + i); bits; bits &= bits - 1)
            out[n++] = (uint16_t)(i + (unsigned)__builtin_ctz(bits));
    return n;
}

static void *run_grow(void *items, size_t *cap, size_t need, size_t size) {
    if (need <= *cap)
        return items;
    *cap = need > *cap * 4 ? need : *cap * 4;
    return mem_resize(items, *cap, size);
}

static size_t count_of(const unsigned char *mask) {
    size_t n = 0;
    for (size_t i = 0; i < BLOCK_ROWS; i++)
        n += mask[i];
    return n;
}

static void run_collect(struct run *run, const struct block *block) {
    if (run->query->counts && run->out->by_key) {
        run->out->n += count_of(run->mask);
        return;
    }
    const uint16_t *places = run->places;
    size_t n = places_of(block, run->mask, run->places);
    struct index_result *out = run->out;
    size_t need = out->n + n < KEYS_MIN ? KEYS_MIN : out->n + n;
    if (out->by_key)
        out->keys = run_grow(out->keys, &run->cap, need, sizeof *out->keys);
    else
        run->handles = run_grow(run->handles, &run->cap, need, sizeof *run->handles);
    for (size_t i = 0; out->by_key && i < n; i++)
        out->keys[out->n + i] = block->keys[places[i]];
    for (size_t i = 0; !out->by_key && i < n; i++)
        run->handles[out->n + i] = handle_of(block, places[i]);
    out->n += n;
}

static void sort_result(struct run *run) {
    struct index_result *out = run->out;
    for (int i = INDEX_SORT_KEYS - 1; i >= 0; i--)
        sort_handles(run->index, run->query->sort[i], run->handles, out->n);
    out->keys = mem_resize(NULL, out->n, sizeof *out->keys);
    for (size_t i = 0; i < out->n; i++) {
        uint32_t handle = run->handles[i];
        out->keys[i] = run->index->blocks[handle >> BLOCK_BITS]->keys[handle & (BLOCK_ROWS - 1)];
    }
}

static enum err run_check_second(const struct index_query *query, struct error *error) {
    const struct query_axis *second = &query->second;
    struct query_axis by = {QUERY_AXIS_FIELD, query->facet};
    if (query->earlier && query->over.kind == QUERY_AXIS_HOUR)
        return error_set(error, ERR_USAGE, "hours are not compared with earlier ones: days and weeks are");
    if (second->kind == QUERY_AXIS_NONE)
        return ERR_OK;
    if (!index_can_count(second->field))
        return error_set(error, ERR_USAGE, "the values of %s cannot be counted", query_field(second->field)->name);
    if (query_axis_has_several(second) || query_axis_has_several(&by)) {
        enum query_field_code several = query_axis_has_several(&by) ? by.field : second->field;
        return error_set(error, ERR_USAGE, "an intent has several %s: they cannot be counted with another field",
                         query_field(several)->name);
    }
    return ERR_OK;
}

static enum err run_check(const struct index_query *query, struct error *error) {
    for (size_t i = 0; i < INDEX_SORT_KEYS; i++)
        if (query->sort[i].field != QUERY_FIELD_COUNT && !index_can_sort(query->sort[i].field))
            return error_set(error, ERR_USAGE, "rows cannot be sorted by %s", query_field(query->sort[i].field)->name);
    if (query->facet != QUERY_FIELD_COUNT && !index_can_count(query->facet))
        return error_set(error, ERR_USAGE, "the values of %s cannot be counted", query_field(query->facet)->name);
    struct query_axis by = {QUERY_AXIS_FIELD, query->facet};
    bool over = query->over.kind != QUERY_AXIS_NONE, field = query->over.kind == QUERY_AXIS_FIELD;
    if (field && (!index_can_count(query->over.field) || query_axis_has_several(&query->over)))
        return error_set(error, ERR_USAGE, "nothing can be counted over %s", query_field(query->over.field)->name);
    if (over && query->facet != QUERY_FIELD_COUNT && query_axis_has_several(&by))
        return error_set(error, ERR_USAGE, "an intent has several %s: they cannot be counted over another field",
                         query_field(query->facet)->name);
    return run_check_second(query, error);
}

static bool is_older(const struct block *block, size_t at, int64_t time) {
    int64_t confirmed = numbers_get(&block->numbers[NUMBER_CONFIRMED], at);
    return confirmed != INT64_MIN && confirmed < time;
}

/* In most blocks none. */
static size_t count_older(const struct block *block, int64_t time) {
    size_t n = 0;
    for (size_t i = 0; time != INT64_MIN && i < block->live; i++)
        n += is_older(block, block_at(block, i), time);
    return n;
}

/* Gives how many were confirmed too early. older: whether any row of the block was. */
static size_t drop_left(unsigned char *mask, const struct block *block, const struct index_left *left, bool older) {
    size_t n = 0;
    for (size_t i = 0; older && i < block->n; i++) {
        if (mask[i] && is_older(block, i, left->before)) {
            mask[i] = 0;
            n++;
        }
    }
    for (size_t i = 0; i < left->n; i++) {
        size_t at;
        if (block_find(block, left->items[i].key, &at) && is_older(block, at, left->items[i].at))
            mask[at] = 0;
    }
    return n;
}

static bool has_enough(const struct run *run) {
    const struct index_query *query = run->query;
    return query->limit > 0 && run->out->by_key && !query->totals && !run->grid && run->out->n >= query->limit;
}

static enum err run_cancelled(struct error *error) {
    return error_set(error, ERR_CANCELLED, "dropped: a newer question came");
}

static enum err damaged_error(struct error *error) {
    return error_set(error, ERR_STORE, "the index file is damaged: it is made anew");
}

/* In the place of the mask of the rows that are now. */
static void run_add_earlier(struct run *run, const struct block *block, bool older) {
    if (!run->earlier || !run->grid)
        return;
    program_evaluate(run->earlier, block, run->mask);
    if (run->query->left)
        (void)drop_left(run->mask, block, run->query->left, older);
    run->out->n_earlier += grid_add_earlier(run->grid, block, run->mask);
}

static enum err scan(struct run *run, struct error *error) {
    for (size_t i = 0; i < run->index->sequence.n && !has_enough(run); i++) {
        struct block *block = run->index->blocks[run->index->sequence.items[i]];
        if (is_cancelled(run->query->cancel))
            return run_cancelled(error);
        if (!index_check(run->index, block, run->needs))
            return damaged_error(error);
        program_evaluate(run->program, block, run->mask);
        const struct index_left *left = run->query->left;
        size_t older = left ? count_older(block, left->before) : 0;
        if (left)
            run->out->n_left += drop_left(run->mask, block, left, older > 0);
        run_collect(run, block);
        tally_add(run->tally, block, run->mask);
        grid_add(run->grid, block, run->mask);
        run_add_earlier(run, block, older > 0);
        run->out->rows_scanned += block->live - (older > 0 && left->all ? older : 0);
    }
    return ERR_OK;
}

static enum err run_look_across(struct run *run, struct error *error) {
    const struct index_query *query = run->query;
    if (!index_asks_across(query) || across_find(run->index, query->cancel))
        return ERR_OK;
    return is_cancelled(query->cancel) ? run_cancelled(error) : damaged_error(error);
}

enum err index_run(struct index *index, const struct index_query *query, struct index_result *out,
                   struct error *error) {
    *out = (struct index_result){.by_key = !is_sorted(query)};
    enum err err = run_check(query, error);
    uint64_t needs = index_needs(query);
    if (err == ERR_OK && !index_check_dicts(index, index_needs_dicts(needs)))
        err = damaged_error(error);
    if (err != ERR_OK)
        return err;
    struct run *run = mem_new(sizeof *run);
    run->index = index;
    run->query = query;
    run->needs = needs;
    run->out = out;
    run->program = program_new(index, query->plan);
    run->earlier = query->earlier ? program_new(index, query->earlier->plan) : NULL;
    run->tally = tally_new(index, query->totals);
    run->grid = grid_new(index, query);
    err = run_look_across(run, error);
    err = err == ERR_OK ? scan(run, error) : err;
    if (err != ERR_OK)
        goto out;
    if (!out->by_key)
        sort_result(run);
    tally_report(run->tally, out);
    grid_end(run->grid);
    grid_report(run->grid, out, query->over_limit, query->facet_limit);
out:
    if (err != ERR_OK)
        index_result_clear(out);
    tally_free(run->tally);
    grid_free(run->grid);
    program_free(run->program);
    program_free(run->earlier);
    free(run->handles);
    free(run);
    return err;
}

void index_result_clear(struct index_result *result) {
    arena_clear(&result->arena);
    free(result->keys);
    free(result->totals);
    *result = (struct index_result){.keys = NULL};
}

size_t keys_first_not_below(const int64_t *keys, size_t low, size_t high, int64_t key) {
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool index_result_find(const struct index_result *result, int64_t key, size_t *at) {
    size_t place = result->by_key ? keys_first_not_below(result->keys, 0, result->n, key) : 0;
    while (!result->by_key && place < result->n && result->keys[place] != key)
        place++;
    *at = place;
    return place < result->n && result->keys[place] == key;
}

bool index_stream_done(const struct index_stream *stream) {
    return stream->limit > 0 && stream->matched >= stream->limit;
}

bool index_stream_feed(struct index_stream *stream, const struct query_row *row) {
    if (index_stream_done(stream))
        return false;
    stream->rows_scanned++;
    bool matches = !stream->plan || query_match(stream->plan, row);
    stream->matched += matches ? 1 : 0;
    return matches;
}
