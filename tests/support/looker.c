#include "support/looker.h"

#include "app/gather.h"
#include "app/id_list.h"
#include "app/match.h"
#include "base/mem.h"
#include "wire/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOB_MAX = 1 << 20,
    OLDEST = 1000000, /* keys count from the oldest row on, so that they stay when newer ones come above */
};

struct row {
    struct intent *intent;
    struct str blob;
    struct cells cells;
    int64_t key;
};

struct looker {
    struct page page;
    struct row *rows;
    size_t n;
    const struct lookup *lookup;
};

static const struct effect *asked(const struct driver *driver) {
    for (size_t i = driver->effects.n; i > 0; i--)
        if (driver->effects.items[i - 1].kind == EFFECT_LOOKUP)
            return &driver->effects.items[i - 1];
    return NULL;
}

const struct lookup *looker_asked(const struct driver *driver) {
    const struct effect *effect = asked(driver);
    return effect ? effect_get(effect, lookup) : NULL;
}

static void open_rows(struct looker *looker, const char *body) {
    struct wire_shape shape = {.data = "data"};
    if (wire_page(body, strlen(body), &shape, &looker->page, NULL) != ERR_OK)
        abort();
    looker->n = looker->page.n;
    looker->rows = mem_new_array(looker->page.n + 1, sizeof *looker->rows);
    for (size_t i = 0; i < looker->page.n; i++) {
        struct row *row = &looker->rows[i];
        row->intent = page_take_row(&looker->page, i);
        row->key = OLDEST - (int64_t)(looker->page.n - i);
        str_init(&row->blob, BLOB_MAX);
        cells_pack(row->intent, &row->blob);
        if (!cells_read(row->blob.s, row->blob.len, &row->cells))
            abort();
    }
}

static void open_walked(struct looker *looker, const struct walked_rows *walked) {
    page_init(&looker->page);
    looker->n = walked ? walked->n : 0;
    looker->rows = mem_new_array(looker->n + 1, sizeof *looker->rows);
    for (size_t i = 0; i < looker->n; i++) {
        struct row *row = &looker->rows[i];
        row->key = walked->items[i].key;
        str_init(&row->blob, BLOB_MAX);
        str_add_n(&row->blob, walked->cells.s + walked->items[i].from, walked->items[i].len);
        if (!cells_read(row->blob.s, row->blob.len, &row->cells))
            abort();
    }
}

static void close_rows(struct looker *looker) {
    for (size_t i = 0; i < looker->n; i++) {
        intent_free(looker->rows[i].intent);
        str_clear(&looker->rows[i].blob);
    }
    free(looker->rows);
    page_clear(&looker->page);
}

static struct row *row_of(const struct looker *looker, int64_t key) {
    size_t at = 0;
    while (at < looker->n && looker->rows[at].key != key)
        at++;
    return &looker->rows[at];
}

/* Rows of the walk are known by key alone. */
static bool is_named(const struct row *row, const char *id, int64_t key) {
    return row->intent ? str_equal(id, row->intent->id.text) : row->key == key;
}

static bool is_marked(const void *marks, int64_t key) {
    const struct looker *looker = marks;
    for (size_t i = 0; i < looker->lookup->n_marks; i++)
        if (is_named(row_of(looker, key), looker->lookup->marks[i].id, looker->lookup->marks[i].key))
            return true;
    return false;
}

static bool matches(const struct looker *looker, const struct query *query, const struct row *row) {
    struct query_context context = looker->lookup->context;
    context.is_marked = is_marked;
    context.marks = looker;
    struct query_row at = {.key = row->key,
                           .cells = &row->cells,
                           .first_seen = CLOCK_NONE,
                           .confirmed = context.now,
                           .changed = CLOCK_NONE};
    struct query_plan *plan = query_plan_new(query, &context);
    bool yes = query_match(plan, &at);
    query_plan_free(plan);
    return yes;
}

static const struct looker *sorting;

static int by_field(const struct row *a, const struct row *b, enum query_field_code field) {
    if (field == QUERY_AMOUNT_FIELD)
        return (a->cells.amount > b->cells.amount) - (a->cells.amount < b->cells.amount);
    if (field == QUERY_CREATED_FIELD)
        return (a->cells.created_ms > b->cells.created_ms) - (a->cells.created_ms < b->cells.created_ms);
    struct cells_slice x = a->cells.text[query_field(field)->column], y = b->cells.text[query_field(field)->column];
    int order = memcmp(x.s ? x.s : "", y.s ? y.s : "", x.len < y.len ? x.len : y.len);
    return order ? order : (x.len > y.len) - (x.len < y.len);
}

static int by_sorts(const void *a, const void *b) {
    const struct row *x = row_of(sorting, *(const int64_t *)a), *y = row_of(sorting, *(const int64_t *)b);
    for (int i = 0; i < LOOKUP_SORTS; i++) {
        const struct lookup_sort *sort = &sorting->lookup->sort[i];
        int order = sort->field == QUERY_FIELD_COUNT ? 0 : by_field(x, y, sort->field);
        if (order != 0)
            return sort->descending ? -order : order;
    }
    return (x->key > y->key) - (x->key < y->key);
}

static const char *keep(struct lookup_result *out, struct cells_slice slice) {
    return slice.s ? arena_dup_n(&out->arena, slice.s, slice.len) : NULL;
}

static void add_total(struct lookup_result *out, const struct row *row) {
    const char *currency = keep(out, row->cells.text[CELLS_CURRENCY]);
    size_t at = 0;
    while (at < out->n_totals && !str_equal(out->totals[at].currency, currency))
        at++;
    out->n_totals += at == out->n_totals;
    out->totals[at].currency = currency;
    out->totals[at].rows++;
    struct lookup_total *total = &out->totals[at];
    if (total->overflow || __builtin_add_overflow(total->sum, row->cells.amount, &total->sum)) {
        total->overflow = true;
        total->sum = 0;
    }
    out->totals[at].without += !(row->cells.flags & CELLS_AMOUNT_OK);
    out->totals[at].guaranteed += (row->cells.flags & CELLS_GUARANTEE_OK) != 0;
}

/* ---- Counts over axes, a row at a time ---- */

static void set_number(const struct query_axis *axis, struct query_clock *clock, int64_t number,
                       struct query_place *place, struct arena *arena) {
    struct str name;
    str_init(&name, 256);
    place->number = number;
    query_place_name(axis, clock, number, place->currency, &name);
    place->value = arena_dup_n(arena, name.s, name.len);
    str_clear(&name);
}

/* Where a row stands on an axis; rows without a value have a place too. */
static struct query_place place_of(const struct looker *looker, struct lookup_result *out,
                                   const struct query_axis *axis, const struct row *row) {
    const struct cells *cells = &row->cells;
    struct query_clock clock = {.zone = looker->lookup->context.zone};
    bool amount = axis->field == QUERY_AMOUNT_FIELD, bare = cells->flags & CELLS_CREATED_BARE;
    struct query_place place = {.rows = 1};
    if (query_axis_is_band(axis)) {
        place.currency = keep(out, cells->text[CELLS_CURRENCY]);
        if (cells->flags & (amount ? CELLS_AMOUNT_OK : CELLS_GUARANTEE_OK))
            set_number(axis, &clock, query_band(amount ? cells->amount : cells->guarantee), &place, &out->arena);
        else
            place.currency = NULL;
    } else if (query_axis_is_ordered(axis)) {
        int64_t number = query_axis_is_time(axis) ? query_axis_time(axis, &clock, cells->created_ms, bare)
                         : axis->field == QUERY_AGE_FIELD
                             ? query_age_band(looker->lookup->context.now - cells->created_ms)
                         : axis->field == QUERY_HOUR_FIELD ? query_clock_hour(&clock, cells->created_ms, bare)
                                                           : query_clock_weekday(&clock, cells->created_ms, bare);
        if (cells->flags & CELLS_CREATED_OK)
            set_number(axis, &clock, number, &place, &out->arena);
    } else if (axis->kind == QUERY_AXIS_FIELD && (size_t)query_field(axis->field)->column < CELLS_TEXT_COUNT) {
        place.value = keep(out, cells->text[query_field(axis->field)->column]);
    }
    return place;
}

static bool is_place(const struct query_place *a, const struct query_place *b) {
    return str_equal(a->value, b->value) && str_equal(a->currency, b->currency) && a->number == b->number;
}

static void add_place(struct query_place *places, size_t *n, const struct query_place *place) {
    size_t at = 0;
    while (at < *n && !is_place(&places[at], place))
        at++;
    if (at == *n) {
        places[(*n)++] = *place;
        return;
    }
    places[at].rows += place->rows;
    places[at].earlier += place->earlier;
}

static int by_count(const void *a, const void *b) {
    const struct query_place *x = a, *y = b;
    size_t n = x->rows + x->earlier, m = y->rows + y->earlier;
    return (n < m) - (n > m);
}

/* As the index has it. */
static int by_count_and_value(const void *a, const void *b) {
    const struct query_place *x = a, *y = b;
    int order = by_count(a, b);
    return order ? order : x->value && y->value ? strcmp(x->value, y->value) : (x->value == NULL) - (y->value == NULL);
}

static int by_number(const void *a, const void *b) {
    const struct query_place *x = a, *y = b;
    int none = (x->value == NULL) - (y->value == NULL);
    int code =
        x->currency && y->currency ? strcmp(x->currency, y->currency) : (x->currency == NULL) - (y->currency == NULL);
    return none ? none : code ? code : (x->number > y->number) - (x->number < y->number);
}

static void sort_places(const struct looker *looker, const struct query_axis *axis, struct query_place *places,
                        size_t n) {
    qsort(places, n, sizeof *places,
          query_axis_is_ordered(axis) ? by_number
          : looker->page.n > 0        ? by_count
                                      : by_count_and_value);
}

static size_t find_place(const struct query_place *places, const struct query_place *place) {
    size_t at = 0;
    while (!is_place(&places[at], place))
        at++;
    return at;
}

static int by_place(const void *a, const void *b) {
    const struct query_cell *x = a, *y = b;
    if (x->over != y->over)
        return x->over < y->over ? -1 : 1;
    if (x->by != y->by)
        return x->by < y->by ? -1 : 1;
    return x->second != y->second       ? (x->second < y->second ? -1 : 1)
           : x->currency && y->currency ? strcmp(x->currency, y->currency)
                                        : (x->currency == NULL) - (y->currency == NULL);
}

static void add_to(const struct query_counts *from, struct query_counts *to) {
    to->rows += from->rows;
    to->without += from->without;
    to->hits += from->hits;
    to->of += from->of;
    to->sum += from->sum;
}

static void add_cell(struct lookup_result *out, const struct query_cell *cell) {
    struct query_cell *at = out->cells;
    while (at < out->cells + out->n_cells && by_place(at, cell) != 0)
        at++;
    if (at == out->cells + out->n_cells) {
        out->n_cells++;
        *at = *cell;
        return;
    }
    add_to(&cell->now, &at->now);
    add_to(&cell->earlier, &at->earlier);
}

/* A row that is counted, now or in the earlier period. */
struct counted {
    const struct row *row;
    bool earlier;
};

static struct query_counts counts_of(const struct looker *looker, const struct row *row) {
    const struct lookup *lookup = looker->lookup;
    const struct cells *cells = &row->cells;
    const struct cells_slice *text = &cells->text[CELLS_STATUS];
    bool there = cells->flags & (lookup->guarantees ? CELLS_GUARANTEE_OK : CELLS_AMOUNT_OK);
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)text->len, text->len > 0 ? text->s : "");
    enum intent_status status = intent_status_of(name);
    bool of = lookup->rate.on && query_rate_counts(lookup->rate.of, status);
    return (struct query_counts){.sum = !there               ? 0
                                        : lookup->guarantees ? cells->guarantee
                                                             : cells->amount,
                                 .rows = 1,
                                 .without = !there,
                                 .hits = of && status == lookup->rate.status,
                                 .of = of};
}

enum { LOOKER_AXES = 3 };

static void axes_of(const struct lookup *lookup, struct query_axis out[LOOKER_AXES]) {
    out[0] = lookup->over;
    out[1] =
        (struct query_axis){lookup->facet == QUERY_FIELD_COUNT ? QUERY_AXIS_NONE : QUERY_AXIS_FIELD, lookup->facet};
    out[2] = lookup->second;
}

/* What is earlier stands at the place of so many days later. */
static struct query_place place_counted(const struct looker *looker, struct lookup_result *out,
                                        const struct query_axis *axis, const struct counted *counted) {
    struct query_clock clock = {.zone = looker->lookup->context.zone};
    struct query_place place = place_of(looker, out, axis, counted->row);
    if (counted->earlier && query_axis_is_time(axis) && place.value)
        set_number(axis, &clock, place.number + looker->lookup->compared, &place, &out->arena);
    place.rows = !counted->earlier;
    place.earlier = counted->earlier;
    return place;
}

static void add_counts(const struct looker *looker, struct lookup_result *out, const struct counted *found, size_t n) {
    struct query_axis axes[LOOKER_AXES];
    struct query_place *places[LOOKER_AXES] = {out->overs, out->values, out->seconds};
    size_t *many[LOOKER_AXES] = {&out->n_overs, &out->n_values, &out->n_seconds};
    axes_of(looker->lookup, axes);
    for (size_t i = 0; i < n; i++) {
        for (int axis = 0; axis < LOOKER_AXES; axis++) {
            struct query_place at = place_counted(looker, out, &axes[axis], &found[i]);
            add_place(places[axis], many[axis], &at);
        }
    }
    out->n_distinct = out->n_values;
    for (int axis = 0; axis < LOOKER_AXES; axis++)
        sort_places(looker, &axes[axis], places[axis], *many[axis]);
    for (size_t i = 0; i < n; i++) {
        size_t at[LOOKER_AXES];
        for (int axis = 0; axis < LOOKER_AXES; axis++) {
            struct query_place place = place_counted(looker, out, &axes[axis], &found[i]);
            at[axis] = find_place(places[axis], &place);
        }
        struct query_cell cell = {.over = at[0],
                                  .by = at[1],
                                  .second = at[2],
                                  .currency = keep(out, found[i].row->cells.text[CELLS_CURRENCY])};
        *(found[i].earlier ? &cell.earlier : &cell.now) = counts_of(looker, found[i].row);
        add_cell(out, &cell);
    }
    qsort(out->cells, out->n_cells, sizeof *out->cells, by_place);
}

static bool has_left(const struct looker *looker, const struct row *row) {
    for (size_t i = 0; i < looker->lookup->n_left; i++)
        if (is_named(row, looker->lookup->left[i].id, looker->lookup->left[i].key))
            return true;
    return false;
}

static bool was_earlier(const struct looker *looker, const struct row *row) {
    const struct lookup *lookup = looker->lookup;
    struct query_clock clock = {.zone = lookup->context.zone};
    int64_t until = query_clock_back(&clock, lookup->context.now, lookup->compared);
    if (!lookup->compared || !(row->cells.flags & CELLS_CREATED_OK) || row->cells.created_ms >= until)
        return false;
    struct lookup then = *lookup;
    struct looker back = *looker;
    back.lookup = &then;
    then.context.back = lookup->compared;
    return !lookup->query || matches(&back, lookup->query, row);
}

static void take_matches(const struct looker *looker, struct lookup_result *out) {
    const struct lookup *lookup = looker->lookup;
    size_t n = looker->n + 1, counted = 0;
    out->keys = mem_new_array(n, sizeof *out->keys);
    out->totals = arena_new(&out->arena, n * sizeof *out->totals);
    out->values = arena_new(&out->arena, 2 * n * sizeof *out->values);
    out->overs = arena_new(&out->arena, 2 * n * sizeof *out->overs);
    out->seconds = arena_new(&out->arena, 2 * n * sizeof *out->seconds);
    out->cells = arena_new(&out->arena, 2 * n * sizeof *out->cells);
    struct counted *found = mem_new_array(2 * n, sizeof *found);
    for (size_t i = 0; i < looker->n; i++) {
        const struct row *row = &looker->rows[i];
        bool left = has_left(looker, row), dated = row->cells.flags & CELLS_CREATED_OK;
        if (!left && was_earlier(looker, row)) {
            found[counted++] = (struct counted){row, true};
            out->n_earlier++;
        }
        if (left || (lookup->query && !matches(looker, lookup->query, row)))
            continue;
        out->n_undated += lookup->compared && !dated;
        if (!lookup->compared || dated)
            found[counted++] = (struct counted){row, false};
        out->keys[out->n++] = row->key;
        add_total(out, row);
    }
    if (lookup->facet != QUERY_FIELD_COUNT || lookup->over.kind != QUERY_AXIS_NONE || lookup->sums)
        add_counts(looker, out, found, counted);
    free(found);
    sorting = looker;
    qsort(out->keys, out->n, sizeof *out->keys, by_sorts);
}

/* What a row became that does not match by what is held of it. */
static void add_fate(const struct looker *looker, int64_t key, struct lookup_result *out) {
    const struct row *row = row_of(looker, key);
    const char *status = matches(looker, looker->lookup->query, row) ? NULL : keep(out, row->cells.text[CELLS_STATUS]);
    size_t at = 0;
    while (status && at < out->n_fates && !str_equal(out->fates[at].status, status))
        at++;
    if (!status)
        return;
    out->fates[at].status = status;
    out->fates[at].rows++;
    out->n_fates += at == out->n_fates;
}

/* Rows on show stay: what matches besides waits, what matches no longer is told. */
static void follow(const struct looker *looker, struct lookup_result *out) {
    const struct lookup *lookup = looker->lookup;
    size_t held = 0;
    out->gone = mem_new_array(lookup->n_shown + 1, sizeof *out->gone);
    out->fates = arena_new(&out->arena, (lookup->n_shown + 1) * sizeof *out->fates);
    memset(out->fates, 0, (lookup->n_shown + 1) * sizeof *out->fates);
    for (size_t i = 0; i < lookup->n_shown; i++) {
        bool matches = false;
        for (size_t k = 0; k < out->n; k++)
            matches = matches || out->keys[k] == lookup->shown[i];
        held += matches;
        out->gone[i] = !matches;
        out->n_gone += !matches;
        if (!matches && lookup->query && row_of(looker, lookup->shown[i]) < looker->rows + looker->n)
            add_fate(looker, lookup->shown[i], out);
    }
    out->n_waiting = out->n - held;
    free(out->keys);
    out->n = lookup->n_shown;
    out->keys = mem_new_array(out->n + 1, sizeof *out->keys);
    memcpy(out->keys, lookup->shown, out->n * sizeof *out->keys);
}

static void take_rows(struct looker *looker, struct lookup_result *out) {
    const struct lookup_name *anchor = &looker->lookup->anchor;
    out->at = out->n;
    out->hits = mem_new_array(out->n + 1, sizeof *out->hits);
    for (size_t i = 0; i < out->n; i++) {
        struct row *row = row_of(looker, out->keys[i]);
        if (looker->lookup->find && matches(looker, looker->lookup->find, row))
            out->hits[out->n_hits++] = i;
        if (anchor->key == row->key || (anchor->id && is_named(row, anchor->id, anchor->key)))
            out->at = i;
    }
    for (size_t i = 0; i < out->n && looker->lookup->window > 0 && looker->page.n > 0; i++) {
        struct row *row = row_of(looker, out->keys[i]);
        struct lookup_row *place = vec_add(&out->rows);
        *place = (struct lookup_row){
            .key = row->key, .confirmed = looker->lookup->context.now, .intent = row->intent, .changed_at = CLOCK_NONE};
        row->intent = NULL;
    }
}

static void take_doubt(const struct looker *looker, struct lookup_result *out) {
    struct query_doubts doubts;
    query_doubts(out->n > 0 ? NULL : looker->lookup->query, &doubts);
    for (size_t k = 0; k < doubts.n && !out->doubt; k++) {
        size_t i = 0;
        while (i < looker->n && !matches(looker, doubts.items[k].tried, &looker->rows[i]))
            i++;
        if (query_doubt_stands(&doubts.items[k], i < looker->n))
            lookup_doubt(out, &doubts.items[k]);
    }
    query_doubts_clear(&doubts);
}

static void meet_listed(const struct looker *looker, struct lookup_result *out) {
    struct listing *listing = looker->lookup->listed ? listing_new(looker->lookup->query) : NULL;
    for (size_t i = 0; listing && i < out->n; i++)
        listing_meet(listing, out->keys[i], &row_of(looker, out->keys[i])->cells);
    listing_end(listing, looker->lookup->shown ? NULL : out->keys, out->n, out);
}

static void hold_against(const struct looker *looker, struct match *match, struct lookup_result *out) {
    if (!match)
        return;
    match_begin(match);
    for (size_t i = 0; i < out->n; i++)
        match_take(match, out->keys[i], &row_of(looker, out->keys[i])->cells);
    match_end(match);
    out->match = match;
}

static void put_rows(const struct looker *looker, struct lookup *lookup, struct lookup_result *out) {
    struct gather *gather = lookup->gather;
    if (!gather)
        return;
    gather->kind->begin(gather, lookup->query);
    for (size_t i = 0; i < out->n; i++)
        gather->kind->take(gather, out->keys[i], &row_of(looker, out->keys[i])->cells);
    gather->kind->end(gather);
    out->gather = gather;
    lookup->gather = NULL;
}

/* body NULL: over the rows of the walk. */
static void answer(struct driver *driver, struct lookup *lookup, uint64_t ticket, const char *body, bool whole) {
    struct looker looker = {.lookup = lookup};
    struct event event = {
        .kind = EVENT_LOOKUP, .ticket = ticket, .payload = payload_of(lookup_result, lookup_result_new())};
    if (body)
        open_rows(&looker, body);
    else
        open_walked(&looker, driver->walked);
    event_get(&event, lookup_result)->rows_scanned = looker.n;
    event_get(&event, lookup_result)->whole = whole;
    event_get(&event, lookup_result)->coverage = driver->coverage;
    take_matches(&looker, event_get(&event, lookup_result));
    take_doubt(&looker, event_get(&event, lookup_result));
    if (lookup->sort[0].field == QUERY_FIELD_COUNT)
        meet_listed(&looker, event_get(&event, lookup_result));
    hold_against(&looker, lookup->match, event_get(&event, lookup_result));
    lookup->match = NULL;
    put_rows(&looker, lookup, event_get(&event, lookup_result));
    if (lookup->shown)
        follow(&looker, event_get(&event, lookup_result));
    take_rows(&looker, event_get(&event, lookup_result));
    close_rows(&looker);
    driver_event(driver, &event);
}

void looker_answer(struct driver *driver, const char *body, bool whole) {
    const struct effect *effect = asked(driver);
    if (!effect)
        abort();
    answer(driver, effect_get(effect, lookup), effect->ticket, body, whole);
}

static bool is_cancelled(const struct driver *driver, uint64_t ticket) {
    for (size_t i = 0; i < driver->effects.n; i++)
        if (driver->effects.items[i].kind == EFFECT_CANCEL && driver->effects.items[i].ticket == ticket)
            return true;
    return false;
}

void looker_settle(struct driver *driver, const char *body, bool whole) {
    for (size_t i = 0; i < driver->effects.n; i++) {
        const struct effect *effect = &driver->effects.items[i];
        bool asks = effect->kind == EFFECT_LOOKUP || effect->kind == EFFECT_GATHER;
        if (asks && !is_cancelled(driver, effect->ticket))
            answer(driver, effect_get(effect, lookup), effect->ticket, body, whole);
    }
    driver_forget(driver);
}

void looker_settle_walk(struct driver *driver) {
    struct event moved = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){true})};
    driver_event(driver, &moved);
    looker_settle(driver, NULL, true);
}

void looker_press(struct driver *driver, const char *body, const char *keys) {
    while (*keys) {
        keys = driver_step(driver, keys);
        if (body)
            looker_settle(driver, body, false);
        else
            looker_settle_walk(driver);
    }
}
