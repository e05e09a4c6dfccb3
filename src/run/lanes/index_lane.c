#include "index_lane.h"
#include "coverage_of.h"

#include "app/idset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "index/index.h"
#include "model/change.h"
#include "wire/page.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLICE_MS = 4,    /* of filling or catching up, between two questions */
    QUESTION_MS = 1, /* of catching up before an answer: what is left comes after it */
    FEW_ROWS = 16,   /* between two looks at the clock, or at whether they are still wanted */
};

struct job {
    struct lane_job job;
    cache_event_fn *hand_over;
    index_more_fn *more;
    uint64_t ticket;
    struct lookup *lookup;
    struct looked *looked;
    int64_t *keys;
    size_t n, first;
    int64_t now;
    bool fills, goes_on, changed;
};

/* Ends at its time, before it where another job waits, and where its own is no longer wanted. */
struct slice {
    const struct lane_job *job;
    int64_t until; /* monotonic ms; CLOCK_NONE: only with the work */
};

static bool is_over(const struct slice *slice) {
    if (atomic_load(&slice->job->dropped))
        return true;
    return slice->until != CLOCK_NONE && (atomic_load(&slice->job->pressed) || clock_mono() >= slice->until);
}

static void drop_changes(struct index_lane *lane) {
    cache_changes_clear(&lane->changes);
    lane->n_taken = 0;
}

void index_lane_close(struct index_lane *lane) {
    drop_changes(lane);
    index_free(lane->index);
    idset_free(lane->ids);
    free(lane->twins.items);
    lane->index = NULL;
    lane->ids = NULL;
    lane->twins.items = NULL;
    lane->twins.n = lane->twins.cap = 0;
    lane->of = NULL;
    cache_lane_close(&lane->cache);
}

static void begin(struct index_lane *lane, struct cache *cache) {
    if (!lane->index) {
        lane->index = index_new();
        lane->ids = idset_new();
    }
    index_clear(lane->index);
    idset_reset(lane->ids);
    lane->twins.n = 0;
    drop_changes(lane);
    lane->of = cache;
    lane->from = CACHE_KEY_NEWEST;
    lane->whole = lane->broke_off = false;
    enum err code = cache_data_version(cache, &lane->version, NULL);
    if (code == ERR_OK) {
        code = cache_change_last(cache, &lane->change, NULL);
    }
    if (code != ERR_OK) {
        lane->change = 0; /* then the whole log is read once more */
    }
}

/* The id is the identity: a row whose created_at changed has two keys until they are made one. */
static void note_id(struct index_lane *lane, int64_t key, const struct cells_slice *id) {
    size_t before = id->s && id->len > 0 ? idset_swap(lane->ids, id->s, id->len, (size_t)key) : SIZE_MAX;
    int64_t other = (int64_t)before;
    if (before != SIZE_MAX && other != key && index_has(lane->index, other)) {
        *vec_add(&lane->twins) = (struct twins){key, other};
    }
}

static void put_row(struct index_lane *lane, const struct cache_row *row) {
    struct cells cells;
    int64_t changed = CLOCK_NONE;
    if (cells_read(row->cells, row->cells_len, &cells)) {
        if (cache_changed_at(lane->cache.cache, row->key, &changed, NULL) != ERR_OK) {
            changed = CLOCK_NONE;
        }
        struct query_row put = {
            .key = row->key, .cells = &cells, .first_seen = row->seen, .confirmed = row->confirmed, .changed = changed};
        index_put(lane->index, &put);
        note_id(lane, row->key, &cells.text[CELLS_ID]);
    }
}

static bool is_behind(const struct index_lane *lane) {
    return lane->n_taken < lane->changes.n;
}

static bool put_change(void *context, const struct cache_row *row) {
    struct index_lane *lane = context;
    if (row->missing) {
        (void)index_remove(lane->index, row->key);
    } else {
        put_row(lane, row);
    }
    return true;
}

/* Once no row is being read. What cannot be written stays as it is. */
static void settle_twins(struct index_lane *lane) {
    for (size_t i = 0; i < lane->twins.n; i++) {
        struct twins twins = lane->twins.items[i];
        int64_t kept;
        if (cache_reconcile(lane->cache.cache, twins.a, twins.b, clock_now(), &kept, NULL) == ERR_OK) {
            (void)index_remove(lane->index, kept == twins.a ? twins.b : twins.a);
            enum err code = cache_stream_keys(lane->cache.cache, &kept, 1, put_change, lane, NULL);
            (void)code;
        }
    }
    lane->twins.n = 0;
}

static void take_few(struct index_lane *lane) {
    int64_t keys[FEW_ROWS];
    size_t n = 0;
    for (size_t met = 0; met < FEW_ROWS && is_behind(lane); met++) {
        const struct cache_change *change = &lane->changes.items[lane->n_taken++];
        if (change->confirmed != CLOCK_NONE) {
            (void)index_confirm(lane->index, change->key, change->confirmed, clock_now());
        } else {
            keys[n++] = change->key;
        }
    }
    enum err code = cache_stream_keys(lane->cache.cache, keys, n, put_change, lane, NULL);
    (void)code; /* a cache that fails holds nothing newer */
    settle_twins(lane);
}

/* A row that went is looked up like the others: it may have come back since. However short the slice, it gets on. */
static void take_changes(struct index_lane *lane, const struct slice *slice) {
    for (bool over = false; is_behind(lane) && !over; over = is_over(slice)) {
        take_few(lane);
    }
}

/* What was written since, by whichever console: true where something was. What the slice does not take waits for the
 * next. */
static bool catch_up(struct index_lane *lane, const struct slice *slice) {
    struct cache *cache = lane->cache.cache;
    int64_t version;
    bool changed = is_behind(lane);
    take_changes(lane, slice);
    if (is_behind(lane) || cache_data_version(cache, &version, NULL) != ERR_OK || version == lane->version) {
        return changed;
    }
    lane->version = version;
    drop_changes(lane);
    if (cache_changes(cache, lane->change, &lane->changes, NULL) != ERR_OK || lane->changes.rebuild) {
        begin(lane, cache);
        return true;
    }
    lane->change = lane->changes.last;
    changed = changed || is_behind(lane);
    take_changes(lane, slice);
    return changed;
}

struct filling {
    struct index_lane *lane;
    const struct slice *slice;
    size_t n;
    bool cut;
};

static bool fill_row(void *context, const struct cache_row *row) {
    struct filling *filling = context;
    filling->lane->from = row->key;
    put_row(filling->lane, row);
    filling->n++;
    filling->cut = filling->n % FEW_ROWS == 0 && is_over(filling->slice);
    return !filling->cut;
}

/* A cache that fails while it is read is not asked again: a question is answered over what there is, and says so. */
static void fill(struct index_lane *lane, const struct slice *slice) {
    struct filling filling = {.lane = lane, .slice = slice};
    enum err code = cache_stream_rows(lane->cache.cache, lane->from, fill_row, &filling, NULL);
    lane->broke_off = lane->broke_off || code != ERR_OK;
    lane->whole = code != ERR_OK || !filling.cut;
    settle_twins(lane);
}

static struct cache *ready(struct index_lane *lane) {
    struct cache *cache = cache_lane_usable(&lane->cache);
    if (cache && lane->of != cache) {
        begin(lane, cache);
    }
    return cache;
}

static void fill_run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct index_lane *lane = lane_state;
    if (own->n > 0) {
        cache_lane_written(&lane->cache);
    }
    if (!ready(lane)) {
        return;
    }
    for (size_t i = 0; i < own->n; i++) {
        own->changed = index_confirm(lane->index, own->keys[i], own->now, own->now) || own->changed;
    }
    struct slice slice = {job, clock_mono() + SLICE_MS};
    own->changed = catch_up(lane, &slice) || own->changed;
    if (own->fills && !lane->whole) {
        fill(lane, &slice);
        own->changed = true;
    }
    own->goes_on = !lane->whole || is_behind(lane);
}

static void fill_done(struct lane_job *job, void *owner) {
    struct job *own = (struct job *)job;
    own->more(owner, own->goes_on, own->changed);
}

/* The visit before this one; this one is noted, once. */
static void note_visit(struct index_lane *lane, const struct lookup *lookup) {
    static const char NAME[] = "visit";
    char *text;
    long long ms;
    if (lane->visited || !lookup->visit) {
        return;
    }
    lane->visited = true;
    lane->visit = CLOCK_NONE;
    lane->since = clock_now();
    if (cache_note(lane->cache.cache, NAME, &text, NULL) == ERR_OK && text) {
        lane->visit = str_to_int64(text, strlen(text), &ms) ? ms : CLOCK_NONE;
        lane->since = lane->visit != CLOCK_NONE ? lane->visit : lane->since;
        free(text);
    }
    struct str now;
    str_init(&now, 32);
    str_addf(&now, "%lld", (long long)clock_now());
    enum err code = cache_set_note(lane->cache.cache, NAME, now.s, NULL);
    (void)code; /* then the next visit counts from the one before */
    str_clear(&now);
}

struct mark_keys {
    int64_t *items;
    size_t n;
};

static int compare_keys(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

static bool is_marked(const void *marks, int64_t key) {
    const struct mark_keys *keys = marks;
    return keys->n > 0 && bsearch(&key, keys->items, keys->n, sizeof key, compare_keys) != NULL;
}

static int64_t key_of(const struct lookup_name *name) {
    return name->key || !name->id ? name->key : cache_key_of(name->id, name->ms);
}

static void set_marks(struct lookup *lookup, struct mark_keys *keys) {
    keys->n = lookup->n_marks;
    keys->items = mem_new_array(keys->n + 1, sizeof *keys->items);
    for (size_t i = 0; i < keys->n; i++) {
        keys->items[i] = key_of(&lookup->marks[i]);
    }
    qsort(keys->items, keys->n, sizeof *keys->items, compare_keys);
    lookup->context.is_marked = is_marked;
    lookup->context.marks = keys;
}

static void take_totals(struct looked *out, const struct index_result *result) {
    out->totals = arena_new(&out->arena, (result->n_totals + 1) * sizeof *out->totals);
    out->n_totals = result->n_totals;
    for (size_t i = 0; i < result->n_totals; i++) {
        const struct index_total *total = &result->totals[i];
        out->totals[i] = (struct looked_total){total->currency, total->sum,     total->overflow,
                                               total->rows,     total->without, total->guaranteed};
    }
    out->values = arena_new(&out->arena, (result->n_values + 1) * sizeof *out->values);
    out->n_values = result->n_values;
    out->n_distinct = result->n_distinct;
    for (size_t i = 0; i < result->n_values; i++) {
        out->values[i] = (struct looked_value){.value = result->values[i].value, .rows = result->values[i].rows};
    }
}

/* The rest of the result is taken over; `result` keeps nothing. */
static void take_result(struct looked *out, struct index_result *result, const struct lookup *lookup) {
    size_t at;
    out->looked_at = result->looked_at;
    out->at = result->n;
    if (index_result_find(result, key_of(&lookup->anchor), &at)) {
        out->at = at;
    }
    out->arena = result->arena;
    take_totals(out, result);
    out->keys = result->keys;
    out->n = result->n;
    result->keys = NULL;
    result->arena = (struct arena){0};
    index_result_clear(result);
}

/* Which fields were observed to change since the operator last looked; where nobody looks nothing is marked. */
static void read_changes(struct index_lane *lane, struct looked_row *row) {
    struct cache_sightings sightings;
    row->changed_at = lane->visited ? index_changed(lane->index, row->key) : CLOCK_NONE;
    if (row->changed_at == CLOCK_NONE || row->changed_at <= lane->since) {
        return;
    }
    cache_sightings_init(&sightings);
    if (cache_sightings(lane->cache.cache, row->key, &sightings, NULL) == ERR_OK) {
        for (size_t i = 0; i < sightings.n; i++) {
            const struct cache_sighting *sighting = &sightings.items[i];
            row->changed |= sighting->seen > lane->since ? intent_change_of(sighting->field) : 0;
        }
    }
    cache_sightings_clear(&sightings);
}

static void take_row(struct index_lane *lane, const struct cache_row *from, struct looked_rows *out) {
    struct looked_row *row = vec_add(out);
    row->key = from->key;
    if (!from->missing) {
        row->confirmed = from->confirmed;
        row->intent = wire_intent(from->raw, from->raw_len);
        read_changes(lane, row);
    }
}

/* A few at a time: a question that was dropped meanwhile must not hold up the next one. */
static void read_rows(struct index_lane *lane, const int64_t *keys, size_t n, const atomic_bool *dropped,
                      struct looked *looked) {
    struct looked_rows *out = &looked->rows;
    for (size_t first = 0; first < n && !atomic_load(dropped); first += FEW_ROWS) {
        struct cache_rows rows;
        cache_rows_init(&rows);
        size_t few = n - first < FEW_ROWS ? n - first : FEW_ROWS;
        enum err code = cache_get(lane->cache.cache, keys + first, few, &rows, NULL);
        looked->coverage.broke_off |= code != ERR_OK;
        for (size_t i = 0; i < few; i++) {
            bool there = code == ERR_OK && i < rows.n;
            take_row(lane, there ? &rows.items[i] : &(struct cache_row){.key = keys[first + i], .missing = true}, out);
        }
        cache_rows_clear(&rows);
    }
    looked->damaged += (size_t)cache_take_damaged(lane->cache.cache);
}

/* The rows that the screen will show, as far as can be told. */
static void read_window(struct index_lane *lane, const struct lookup *lookup, const atomic_bool *dropped,
                        struct looked *out) {
    size_t window = lookup->window < out->n ? lookup->window : out->n;
    size_t first = out->at < out->n && out->at > lookup->line ? out->at - lookup->line : 0;
    out->rows.first = first < out->n - window ? first : out->n - window;
    read_rows(lane, out->keys + out->rows.first, window, dropped, out);
}

/* Rows on show stay as they are. */
static void follow(struct index_lane *lane, struct lookup *lookup, struct index_result *result, struct looked *out) {
    struct index_followed followed;
    index_follow(lane->index, result, lookup->shown, lookup->n_shown, &followed);
    out->gone = followed.gone;
    out->n_gone = followed.n_gone;
    out->n_waiting = followed.n_more;
    free(result->keys);
    result->keys = lookup->shown;
    result->n = lookup->n_shown;
    lookup->shown = NULL;
    for (size_t i = 1; i < result->n; i++) {
        result->by_key = result->by_key && result->keys[i - 1] < result->keys[i];
    }
}

static void locate(struct index_lane *lane, const struct lookup *lookup, const struct index_result *result,
                   const atomic_bool *dropped, struct looked *out) {
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

/* A value that some row has is no slip, though other terms leave none. */
static void doubt(struct index_lane *lane, const struct lookup *lookup, const atomic_bool *dropped,
                  struct looked *out) {
    struct query_doubt doubt;
    struct index_result result;
    if (!query_doubt(lookup->query, &doubt)) {
        return;
    }
    struct query_plan *plan = query_plan_new(doubt.term, &lookup->context);
    struct index_query query = {
        .plan = plan, .sort = {INDEX_UNSORTED, INDEX_UNSORTED}, .facet = QUERY_FIELD_COUNT, .cancel = dropped};
    if (index_run(lane->index, &query, &result, NULL) == ERR_OK && query_doubt_stands(&doubt, result.n > 0)) {
        looked_doubt(out, &doubt);
    }
    index_result_clear(&result);
    query_plan_free(plan);
    query_doubt_clear(&doubt);
}

static int by_key(const void *a, const void *b) {
    const struct index_left_row *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* A walk that came to its end without a row, or a look at the head that did not meet it, says that it left; while
 * confirmations wait to be taken over nothing can be told from the time of the last. */
static void take_left(const struct index_lane *lane, const struct lookup *lookup, const struct coverage *known,
                      struct index_left *left) {
    *left = (struct index_left){
        .before = is_behind(lane) ? INT64_MIN : coverage_left_before(NULL, lookup->query, &lookup->context, known),
        .items = mem_new_array(lookup->n_left + 1, sizeof *left->items),
        .n = lookup->n_left,
    };
    for (size_t i = 0; i < left->n; i++) {
        left->items[i] =
            (struct index_left_row){cache_key_of(lookup->left[i].id, lookup->left[i].ms), lookup->left[i].at};
    }
    qsort(left->items, left->n, sizeof *left->items, by_key);
}

static void answer(struct index_lane *lane, struct lookup *lookup, const struct coverage *known,
                   const atomic_bool *dropped, struct looked *out) {
    struct index_result result;
    struct mark_keys marks;
    set_marks(lookup, &marks);
    struct index_left left;
    take_left(lane, lookup, known, &left);
    struct query_plan *plan = lookup->query ? query_plan_new(lookup->query, &lookup->context) : NULL;
    struct index_query query = {.plan = plan,
                                .left = &left,
                                .sort = {INDEX_UNSORTED, INDEX_UNSORTED},
                                .totals = lookup->totals,
                                .facet = lookup->facet,
                                .facet_limit = lookup->facet_limit,
                                .cancel = dropped};
    for (int i = 0; i < LOOKUP_SORTS && !lookup->shown; i++) {
        query.sort[i] = (struct index_sort){lookup->sort[i].field, lookup->sort[i].descending};
    }
    enum err code = index_run(lane->index, &query, &result, &out->error);
    if (code == ERR_OK && lookup->shown) {
        follow(lane, lookup, &result, out);
    }
    if (code == ERR_OK && lookup->find) {
        locate(lane, lookup, &result, dropped, out);
    }
    if (code == ERR_OK) {
        take_result(out, &result, lookup);
        read_window(lane, lookup, dropped, out);
    }
    if (code == ERR_OK && out->n == 0) {
        doubt(lane, lookup, dropped, out);
    }
    query_plan_free(plan);
    free(marks.items);
    free(left.items);
}

static void lookup_run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct index_lane *lane = lane_state;
    own->looked = looked_new();
    if (!ready(lane)) {
        (void)error_set(&own->looked->error, ERR_STORE, "there is no cache to look into");
        return;
    }
    struct slice slice = {job, own->lookup->whole ? CLOCK_NONE : clock_mono() + QUESTION_MS};
    struct coverage known;
    /* Before the rows: a walk that others end meanwhile confirmed rows that the index would not know of. */
    coverage_of_query(lane->cache.cache, own->lookup->query, &own->lookup->context, lane->broke_off, &known);
    (void)catch_up(lane, &slice);
    note_visit(lane, own->lookup);
    own->lookup->context.last_visit = lane->visited ? lane->visit : CLOCK_NONE;
    if (own->lookup->whole && !lane->whole) {
        fill(lane, &slice);
    }
    own->looked->whole = lane->whole && !lane->broke_off && !is_behind(lane);
    own->looked->damaged = (size_t)cache_take_damaged(lane->cache.cache);
    coverage_of_query(lane->cache.cache, own->lookup->query, &own->lookup->context, lane->broke_off,
                      &own->looked->coverage);
    answer(lane, own->lookup, &known, &job->dropped, own->looked);
}

static void lookup_done(struct lane_job *job, void *owner) {
    struct job *own = (struct job *)job;
    struct event event = {.kind = EVENT_LOOKED, .ticket = own->ticket, .payload = payload_of(looked, own->looked)};
    own->looked = NULL;
    own->hand_over(owner, &event);
}

static void rows_run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct index_lane *lane = lane_state;
    own->looked = looked_new();
    own->looked->rows.first = own->first;
    if (ready(lane)) {
        read_rows(lane, own->keys, own->n, &job->dropped, own->looked);
    }
}

static void rows_done(struct lane_job *job, void *owner) {
    struct job *own = (struct job *)job;
    struct event event = {.kind = EVENT_LOOKED_ROWS, .ticket = own->ticket, .payload = payload_of(looked, own->looked)};
    own->looked = NULL;
    own->hand_over(owner, &event);
}

static void free_job(struct lane_job *job) {
    struct job *own = (struct job *)job;
    lookup_free(own->lookup);
    looked_free(own->looked);
    free(own->keys);
    free(own);
}

static struct job *new_job(void (*run)(struct lane_job *, void *), void (*done)(struct lane_job *, void *)) {
    struct job *job = mem_new(sizeof *job);
    job->job = (struct lane_job){.run = run, .done = done, .free = free_job};
    return job;
}

struct lane_job *index_fill_job(index_more_fn *more) {
    struct job *job = new_job(fill_run, fill_done);
    job->more = more;
    job->fills = true;
    return &job->job;
}

struct lane_job *index_put_job(int64_t *keys, size_t n, index_more_fn *more) {
    struct job *job = new_job(fill_run, fill_done);
    job->more = more;
    job->keys = keys;
    job->n = n;
    job->now = clock_now();
    return &job->job;
}

struct lane_job *index_lookup_job(uint64_t ticket, struct lookup *lookup, cache_event_fn *hand_over) {
    struct job *job = new_job(lookup_run, lookup_done);
    job->ticket = ticket;
    job->lookup = lookup;
    job->hand_over = hand_over;
    return &job->job;
}

struct lane_job *index_rows_job(uint64_t ticket, int64_t *keys, size_t n, size_t first, cache_event_fn *hand_over) {
    struct job *job = new_job(rows_run, rows_done);
    job->ticket = ticket;
    job->keys = keys;
    job->n = n;
    job->first = first;
    job->hand_over = hand_over;
    return &job->job;
}

bool index_is_of(const struct lane_job *job, void *ticket) {
    return (job->run == lookup_run || job->run == rows_run) &&
           ((const struct job *)job)->ticket == *(const uint64_t *)ticket;
}
