#include "index_answer.h"
#include "coverage_of.h"

#include "app/gather.h"
#include "app/id_list.h"
#include "app/match.h"
#include "base/clock.h"
#include "base/mem.h"
#include "index/index.h"
#include "model/change.h"
#include "wire/page.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_ROWS = 16 /* between two looks at whether they are still wanted */ };

struct mark_keys {
    int64_t *items;
    size_t n;
};

static int compare_keys(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

static bool index_answer_is_marked(const void *marks, int64_t key) {
    const struct mark_keys *keys = marks;
    return keys->n > 0 && bsearch(&key, keys->items, keys->n, sizeof key, compare_keys);
}

static int64_t key_of(const struct lookup_name *name) {
    return name->key || !name->id ? name->key : cache_key_of(name->id, name->ms);
}

static void set_marks(struct lookup *lookup, struct mark_keys *keys) {
    keys->n = lookup->n_marks;
    keys->items = mem_new_array(keys->n + 1, sizeof *keys->items);
    for (size_t i = 0; i < keys->n; i++)
        keys->items[i] = key_of(&lookup->marks[i]);
    qsort(keys->items, keys->n, sizeof *keys->items, compare_keys);
    lookup->context.is_marked = index_answer_is_marked;
    lookup->context.marks = keys;
}

static void take_totals(struct lookup_result *out, const struct index_result *result) {
    out->totals = arena_new(&out->arena, (result->n_totals + 1) * sizeof *out->totals);
    out->n_totals = result->n_totals;
    for (size_t i = 0; i < result->n_totals; i++) {
        const struct index_total *total = &result->totals[i];
        out->totals[i] = (struct lookup_total){total->currency, total->sum,     total->overflow,
                                               total->rows,     total->without, total->guaranteed};
    }
    out->values = result->values;
    out->n_values = result->n_values;
    out->n_distinct = result->n_distinct;
    out->overs = result->overs;
    out->n_overs = result->n_overs;
    out->seconds = result->seconds;
    out->n_seconds = result->n_seconds;
    out->n_earlier = result->n_earlier;
    out->n_undated = result->n_undated;
    out->cells = result->cells;
    out->n_cells = result->n_cells;
}

/* The rest of the result is taken over; `result` keeps nothing. */
static void index_answer_take_result(struct lookup_result *out, struct index_result *result,
                                     const struct lookup *lookup) {
    size_t at;
    out->rows_scanned = result->rows_scanned;
    out->at = result->n;
    if (!lookup->counts && index_result_find(result, key_of(&lookup->anchor), &at))
        out->at = at;
    out->arena = result->arena;
    take_totals(out, result);
    out->keys = result->keys;
    out->n = result->n;
    result->keys = NULL;
    result->arena = (struct arena){0};
    index_result_clear(result);
}

/* Which fields were observed to change since the operator last looked; where nobody looked, no change is marked. */
static void read_changes(struct index_lane *lane, struct lookup_row *row) {
    struct cache_sightings sightings;
    row->changed_at = lane->visited ? index_changed(lane->index, row->key) : CLOCK_NONE;
    if (row->changed_at == CLOCK_NONE || row->changed_at <= lane->since)
        return;
    cache_sightings_init(&sightings);
    if (cache_sightings(lane->cache.cache, row->key, &sightings, NULL) == ERR_OK) {
        for (size_t i = 0; i < sightings.n; i++) {
            const struct cache_sighting *sighting = &sightings.items[i];
            row->changed |= sighting->seen > lane->since ? intent_change_of(sighting->field) : 0;
        }
    }
    cache_sightings_clear(&sightings);
}

static void index_answer_take_row(struct index_lane *lane, const struct cache_row *from, struct lookup_rows *out) {
    struct lookup_row *row = vec_add(out);
    row->key = from->key;
    if (!from->missing) {
        row->confirmed = from->confirmed;
        row->intent = wire_intent(from->raw, from->raw_len);
        read_changes(lane, row);
    }
}

void index_read_rows(struct index_lane *lane, const int64_t *keys, size_t n, const atomic_bool *dropped,
                     struct lookup_result *found) {
    struct lookup_rows *out = &found->rows;
    for (size_t first = 0; first < n && !atomic_load(dropped); first += FEW_ROWS) {
        struct cache_rows rows;
        cache_rows_init(&rows);
        size_t few = n - first < FEW_ROWS ? n - first : FEW_ROWS;
        enum err err = cache_get(lane->cache.cache, keys + first, few, &rows, NULL);
        found->coverage.broke_off |= err != ERR_OK;
        if (err != ERR_OK) {
            cache_rows_clear(&rows);
            cache_get_each(lane->cache.cache, keys + first, few, &rows);
        }
        for (size_t i = 0; i < few; i++) {
            bool there = i < rows.n;
            index_answer_take_row(
                lane, there ? &rows.items[i] : &(struct cache_row){.key = keys[first + i], .missing = true}, out);
        }
        cache_rows_clear(&rows);
    }
    found->damaged += (size_t)cache_take_damaged(lane->cache.cache);
}

/* The rows that the screen will show, as far as can be told. */
static void read_window(struct index_lane *lane, const struct lookup *lookup, const atomic_bool *dropped,
                        struct lookup_result *out) {
    size_t window = lookup->window < out->n ? lookup->window : out->n;
    size_t first = out->at < out->n && out->at > lookup->line ? out->at - lookup->line : 0;
    out->rows.first = first < out->n - window ? first : out->n - window;
    if (lane->alone)
        return; /* whoever asks has them in memory */
    index_read_rows(lane, window > 0 ? out->keys + out->rows.first : NULL, window, dropped, out);
}

static void tell_fates(struct index_lane *lane, const struct lookup *lookup, const struct query_plan *plan,
                       const bool *gone, struct index_result *result, struct lookup_result *out) {
    enum { STATUSES_MOST = 8 };
    struct index_fate fates[STATUSES_MOST];
    size_t n = index_fates(lane->index, plan, lookup->shown, gone, lookup->n_shown, fates, STATUSES_MOST);
    out->fates = arena_new(&result->arena, (n + 1) * sizeof *out->fates);
    out->n_fates = n;
    for (size_t i = 0; i < n; i++)
        out->fates[i] =
            (struct lookup_fate){arena_dup_n(&result->arena, fates[i].status, strlen(fates[i].status)), fates[i].rows};
}

/* Keeps the rows on show in their places. */
static void index_answer_follow(struct index_lane *lane, struct lookup *lookup, const struct query_plan *plan,
                                struct index_result *result, struct lookup_result *out) {
    struct index_followed followed;
    index_follow(lane->index, result, lookup->shown, lookup->n_shown, &followed);
    if (followed.n_gone > 0)
        tell_fates(lane, lookup, plan, followed.gone, result, out);
    out->gone = followed.gone;
    out->n_gone = followed.n_gone;
    out->n_waiting = followed.n_more;
    free(result->keys);
    result->keys = lookup->shown;
    result->n = lookup->n_shown;
    lookup->shown = NULL;
    for (size_t i = 1; i < result->n; i++)
        result->by_key = result->by_key && result->keys[i - 1] < result->keys[i];
}

static void locate(struct index_lane *lane, const struct lookup *lookup, const struct index_result *result,
                   const atomic_bool *dropped, struct lookup_result *out) {
    struct index_places places = {0};
    struct query_plan *plan = query_plan_new(lookup->find, &lookup->context);
    if (index_locate(lane->index, plan, result, dropped, &places, &out->error) == ERR_OK) {
        out->hits = places.items;
        out->n_hits = places.n;
        places = (struct index_places){0};
    }
    index_places_clear(&places);
    query_plan_free(plan);
}

static bool finds(struct index_lane *lane, const struct lookup *lookup, const struct query *tried,
                  const atomic_bool *dropped, bool *found) {
    struct index_result result;
    struct query_plan *plan = query_plan_new(tried, &lookup->context);
    struct index_query query = {
        .plan = plan, .sort = {INDEX_UNSORTED, INDEX_UNSORTED}, .facet = QUERY_FIELD_COUNT, .cancel = dropped};
    bool done = index_run(lane->index, &query, &result, NULL) == ERR_OK;
    *found = result.n > 0;
    index_result_clear(&result);
    query_plan_free(plan);
    return done;
}

/* A value that some row has is no slip, though other terms leave none. */
static void doubt(struct index_lane *lane, const struct lookup *lookup, const atomic_bool *dropped,
                  struct lookup_result *out) {
    struct query_doubts doubts;
    bool found;
    query_doubts(lookup->query, &doubts);
    for (size_t i = 0; i < doubts.n && !out->doubt; i++)
        if (finds(lane, lookup, doubts.items[i].tried, dropped, &found) && query_doubt_stands(&doubts.items[i], found))
            lookup_doubt(out, &doubts.items[i]);
    query_doubts_clear(&doubts);
}

static int by_key(const void *a, const void *b) {
    const struct index_left_row *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* Which rows left the list. A complete walk that did not meet a row, or a look at the head that did not, shows that it
 * left. While confirmations have not been taken into the index, the time of a row's last confirmation proves nothing.
 */
static void index_answer_take_left(const struct index_lane *lane, const struct lookup *lookup,
                                   const struct coverage *known, struct index_left *left) {
    *left = (struct index_left){
        .before = lane->n_taken < lane->changes.n || lookup->left_too ? INT64_MIN : coverage_left_before(known),
        .all = known->every,
        .items = mem_new_array(lookup->n_left + 1, sizeof *left->items),
        .n = lookup->n_left,
    };
    for (size_t i = 0; i < left->n; i++) {
        const struct lookup_left *row = &lookup->left[i];
        left->items[i] = (struct index_left_row){row->key ? row->key : cache_key_of(row->id, row->ms), row->at};
    }
    qsort(left->items, left->n, sizeof *left->items, by_key);
}

/* As if the rows had been looked at one by one until there were enough. */
static void cut_result(const struct index_lane *lane, const struct lookup *lookup, struct index_result *result,
                       struct lookup_result *out) {
    if (lookup->limit == 0 || result->n < lookup->limit)
        return;
    result->n = lookup->limit;
    result->rows_scanned = index_count_upto(lane->index, result->keys[result->n - 1]);
    out->whole = false;
}

static void index_answer_take(void *context, int64_t key, const struct cells *cells) {
    match_take(context, key, cells);
}

/* The match goes along with the answer only once it is whole: where the index turns out to be damaged, the question is
 * answered again. */
static enum err index_answer_match(struct index_lane *lane, struct lookup *lookup, struct index_result *result,
                                   const atomic_bool *dropped, struct lookup_result *out) {
    if (!lookup->match)
        return ERR_OK;
    match_begin(lookup->match);
    enum err err = index_each(lane->index, result, dropped, index_answer_take, lookup->match, &out->error);
    if (err == ERR_OK) {
        match_end(lookup->match);
        out->match = lookup->match;
        lookup->match = NULL;
    } else {
        index_result_clear(result);
    }
    return err;
}

static void index_answer_put(void *context, int64_t key, const struct cells *cells) {
    struct gather *gather = context;
    gather->kind->take(gather, key, cells);
}

static enum err index_answer_gather(struct index_lane *lane, struct lookup *lookup, struct index_result *result,
                                    const atomic_bool *dropped, struct lookup_result *out) {
    struct gather *gather = lookup->gather;
    if (!gather)
        return ERR_OK;
    gather->kind->begin(gather, lookup->query);
    enum err err = index_each(lane->index, result, dropped, index_answer_put, gather, &out->error);
    if (err == ERR_OK) {
        gather->kind->end(gather);
        out->gather = gather;
        lookup->gather = NULL;
    } else {
        index_result_clear(result);
    }
    return err;
}

static void index_answer_list(void *context, int64_t key, const struct cells *cells) {
    listing_meet(context, key, cells);
}

/* What was found of a list of ids in the filter; an unsorted answer comes into the list's order. */
static enum err index_answer_listed(struct index_lane *lane, const struct lookup *lookup, struct index_result *result,
                                    const atomic_bool *dropped, struct lookup_result *out) {
    struct listing *listing = lookup->listed ? listing_new(lookup->query) : NULL;
    bool orders = result->by_key && !lookup->shown;
    struct index_result rows = {.keys = result->keys, .n = result->n, .by_key = true};
    if (!listing)
        return ERR_OK;
    if (!result->by_key) {
        rows.keys = mem_new_array(rows.n + 1, sizeof *rows.keys);
        memcpy(rows.keys, result->keys, rows.n * sizeof *rows.keys);
        qsort(rows.keys, rows.n, sizeof *rows.keys, compare_keys);
    }
    enum err err = index_each(lane->index, &rows, dropped, index_answer_list, listing, &out->error);
    if (!result->by_key)
        free(rows.keys);
    listing_end(listing, err == ERR_OK && orders ? result->keys : NULL, result->n, out);
    result->by_key = result->by_key && !orders;
    if (err != ERR_OK)
        index_result_clear(result);
    return err;
}

/* The same question as of so many days earlier. The plan is the caller's. */
static void index_answer_take_earlier(const struct lookup *lookup, struct index_earlier *earlier,
                                      struct query_plan **plan) {
    struct query_context context = lookup->context;
    struct query_clock clock = {.zone = context.zone};
    context.back = lookup->compared;
    *plan = lookup->query && lookup->compared ? query_plan_new(lookup->query, &context) : NULL;
    *earlier = (struct index_earlier){.plan = *plan, .days = lookup->compared};
    earlier->until = query_clock_back(&clock, context.now, lookup->compared);
    earlier->bare = query_clock_wall(&clock, earlier->until, false);
}

/* The places of a facet of conditions, as filters that the operator could type. */
struct answer_conditions {
    struct index_condition items[INDEX_CONDITIONS_MAX];
    struct query *queries[INDEX_CONDITIONS_MAX];
    struct query_plan *plans[INDEX_CONDITIONS_MAX];
    size_t n, left_out;
};

static void conditions_add(const struct lookup *lookup, const char *name, struct answer_conditions *out) {
    const struct query_options options = {.console = true};
    struct query *query;
    struct str text;
    if (out->n == INDEX_CONDITIONS_MAX)
        return;
    str_init(&text, QUERY_TEXT_MAX);
    str_addf(&text, "%s:", query_field(lookup->facet)->name);
    query_quote(&text, name);
    if (query_parse(text.s, &options, &query, NULL, NULL) == ERR_OK) {
        struct query_plan *plan = query_plan_new(query, &lookup->context);
        out->items[out->n] = (struct index_condition){name, plan};
        out->queries[out->n] = query;
        out->plans[out->n++] = plan;
    }
    str_clear(&text);
}

static void conditions_of(const struct lookup *lookup, struct answer_conditions *out) {
    const struct query_axis axis = {QUERY_AXIS_FIELD, lookup->facet};
    const char *tags[INDEX_CONDITIONS_MAX];
    out->n = out->left_out = 0;
    if (lookup->facet == QUERY_FIELD_COUNT || !query_axis_is_condition(&axis))
        return;
    size_t n = lookup->facet == QUERY_TAG_FIELD ? notes_tags(lookup->context.notes, tags, INDEX_CONDITIONS_MAX) : 0;
    for (size_t i = 0; i < n && i < INDEX_CONDITIONS_MAX; i++)
        conditions_add(lookup, tags[i], out);
    out->left_out = n > INDEX_CONDITIONS_MAX ? n - INDEX_CONDITIONS_MAX : 0;
    for (unsigned flag = 0; flag < QUERY_FLAG_COUNT; flag++)
        if (query_flag_info((enum query_flag)flag)->field == lookup->facet)
            conditions_add(lookup, query_flag_info((enum query_flag)flag)->name, out);
}

static void conditions_free(struct answer_conditions *conditions) {
    for (size_t i = 0; i < conditions->n; i++) {
        query_plan_free(conditions->plans[i]);
        query_free(conditions->queries[i]);
    }
}

void index_answer(struct index_lane *lane, struct lookup *lookup, const struct coverage *known,
                  const atomic_bool *dropped, struct lookup_result *out) {
    struct index_result result;
    struct mark_keys marks;
    set_marks(lookup, &marks);
    struct index_left left;
    index_answer_take_left(lane, lookup, known, &left);
    struct query_plan *plan = lookup->query ? query_plan_new(lookup->query, &lookup->context) : NULL, *then;
    struct index_earlier earlier;
    struct answer_conditions conditions;
    index_answer_take_earlier(lookup, &earlier, &then);
    conditions_of(lookup, &conditions);
    struct index_query query = {.plan = plan,
                                .left = &left,
                                .second = lookup->second,
                                .sums = lookup->sums,
                                .unsummed = lookup->unsummed,
                                .guarantees = lookup->guarantees,
                                .rate = lookup->rate,
                                .earlier = lookup->compared ? &earlier : NULL,
                                .sort = {INDEX_UNSORTED, INDEX_UNSORTED},
                                .totals = lookup->totals,
                                .over = lookup->over,
                                .over_limit = lookup->over_limit,
                                .zone = lookup->context.zone,
                                .facet = lookup->facet,
                                .facet_limit = lookup->facet_limit,
                                .conditions = conditions.items,
                                .n_conditions = conditions.n,
                                .now = lookup->context.now,
                                .limit = lookup->limit,
                                .counts = lookup->counts,
                                .cancel = dropped};
    for (int i = 0; i < LOOKUP_SORTS && !lookup->shown; i++)
        query.sort[i] = (struct index_sort){lookup->sort[i].field, lookup->sort[i].descending};
    enum err err = index_run(lane->index, &query, &result, &out->error);
    out->coverage.unlisted = known->every ? result.n_left : 0;
    if (err == ERR_OK)
        cut_result(lane, lookup, &result, out);
    if (err == ERR_OK)
        err = index_answer_match(lane, lookup, &result, dropped, out);
    if (err == ERR_OK)
        err = index_answer_gather(lane, lookup, &result, dropped, out);
    if (err == ERR_OK)
        err = index_answer_listed(lane, lookup, &result, dropped, out);
    if (err == ERR_OK && lookup->shown)
        index_answer_follow(lane, lookup, plan, &result, out);
    if (err == ERR_OK && lookup->find)
        locate(lane, lookup, &result, dropped, out);
    if (err == ERR_OK) {
        index_answer_take_result(out, &result, lookup);
        out->n_distinct += conditions.left_out;
        read_window(lane, lookup, dropped, out);
    }
    if (err == ERR_OK && out->n == 0)
        doubt(lane, lookup, dropped, out);
    query_plan_free(plan);
    query_plan_free(then);
    conditions_free(&conditions);
    free(marks.items);
    free(left.items);
}
