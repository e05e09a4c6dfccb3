#include "cache_lane.h"
#include "coverage_of.h"
#include "job.h"
#include "judged_cells.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "store/cache_care.h"
#include "wire/page.h"

#include <stdlib.h>
#include <string.h>

enum {
    AGAIN_MS = 2000,        /* between two attempts to open a cache that could not be opened */
    ROWS_A_TIME = 100,      /* matching rows in one answer */
    ROWS_LOOKED_AT = 20000, /* rows compared for one answer: a filter that matches few must not hold up the lane */
};

/* What the jobs of the cache work on; each uses a part of it. */
struct cache_work {
    struct list_ask *ask;
    struct cached_rows *rows;        /* of the answer */
    const struct cache_place *place; /* moved to */
    struct cache_batch *batch;
    struct unknown_fields *unknown_fields; /* NULL: nothing to count */
    cache_put_fn *put;
    int64_t *keys; /* put */
    size_t n_keys;
    enum cache_state state;
    struct str text;
    struct cache_told told; /* of the two above */
};
PAYLOAD_TYPE(cache_work)

static void cache_work_free(struct cache_work *work) {
    list_ask_free(work->ask);
    cache_batch_free(work->batch);
    unknown_fields_free(work->unknown_fields);
    free(work->keys);
    str_clear(&work->text);
    free(work);
}
PAYLOAD_OWNED(cache_work, cache_work_free);

static void cache_lane_add_reason(const struct cache_opening *opening, struct str *out) {
    if (opening->outcome == CACHE_LOCKED && opening->holder) {
        str_add(out, "another program (");
        utf8_sanitise(out, opening->holder_name, strlen(opening->holder_name));
        str_addf(out, "%sprocess %ld) holds the cache locked", *opening->holder_name ? ", " : "", opening->holder);
    } else if (opening->outcome == CACHE_LOCKED) {
        str_add(out, "another program holds the cache locked");
    } else if (*opening->error.text) {
        str_add(out, opening->error.text);
    } else {
        str_add(out, "it cannot be used");
    }
}

/* The important words come first, since a narrow screen cuts the path. */
void cache_outcome_text(const struct cache_opening *opening, struct str *out) {
    static const char *const TEXTS[CACHE_OUTCOME_COUNT] = {
        [CACHE_SET_ASIDE] = "a damaged cache was set aside, a new one begun",
        [CACHE_FOREIGN] = "nothing is cached: the cache is of another origin or account, left alone",
        [CACHE_NEWER] = "nothing is cached: a newer bursar wrote the cache, left alone",
        [CACHE_UNSAFE] = "nothing is cached: ",
        [CACHE_NO_FOLDER] = "nothing is cached: no folder for it (XDG_CACHE_HOME names another)",
        [CACHE_READ_ONLY] = "nothing is cached: the cache cannot be written: ",
        [CACHE_READING] = "the cache cannot be written; what it holds is read, nothing is stored",
        [CACHE_LOCKED] = "nothing is cached: ",
        [CACHE_LOCK_REFUSED] = "nothing is cached: the file system refuses locks (XDG_CACHE_HOME names another place)",
        [CACHE_DISK_FULL] = "nothing is cached: no room for the cache",
        [CACHE_UNUSABLE] = "nothing is cached: ",
    };
    const char *text = TEXTS[opening->outcome];
    if (text) {
        size_t len = strlen(text);
        str_add(out, text);
        if (text[len - 1] == ' ')
            cache_lane_add_reason(opening, out);
        str_add(out, ": ");
        str_add(out, opening->outcome == CACHE_SET_ASIDE ? opening->aside : opening->path);
        bool reasoned = opening->outcome == CACHE_READING || opening->outcome == CACHE_NO_FOLDER;
        if (reasoned && *opening->error.text && strcmp(opening->error.text, opening->path) != 0)
            str_addf(out, " (%s)", opening->error.text);
    }
}

static void forget_said(struct cache_lane *lane) {
    free(lane->said);
    lane->said = NULL;
}

void cache_lane_close(struct cache_lane *lane) {
    if (lane->let_go && lane->cache)
        cache_index_remove(lane->cache);
    lane->let_go = false;
    cache_close(lane->cache);
    lane->cache = NULL;
    forget_said(lane);
}

void cache_lane_end(struct cache_lane *lane) {
    page_keep_clear(&lane->keep);
    cache_lane_close(lane);
}

static bool is_strange(const struct cache_lane *lane, const struct cache_opening *opening) {
    return opening->outcome == CACHE_TOKEN_CHANGED && !atomic_load(&lane->place->accepted);
}

static void cache_lane_say(struct cache_lane *lane, const struct cache_opening *opening) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    cache_outcome_text(opening, &text);
    if (opening->outcome == CACHE_OK && opening->moved) {
        str_addf(&text, "the cache was removed or replaced; what this walk reads is stored in a new one: %s",
                 opening->path);
    }
    forget_said(lane);
    lane->said = text.len > 0 ? mem_dup(text.s) : NULL;
    str_clear(&text);
}

static void note_opening(struct cache_lane *lane, const struct cache_opening *opening) {
    static const enum cache_outcome HOPELESS[] = {CACHE_FOREIGN, CACHE_NEWER}; /* a folder may be put right */
    lane->files++;
    lane->tried = true;
    lane->hopeless = false;
    for (size_t i = 0; !lane->cache && i < sizeof HOPELESS / sizeof *HOPELESS; i++)
        lane->hopeless = lane->hopeless || opening->outcome == HOPELESS[i];
    lane->again_at = clock_mono() + AGAIN_MS;
    lane->had = lane->had || lane->cache;
    if (is_strange(lane, opening)) {
        cache_close(lane->cache);
        lane->cache = NULL;
        lane->tried = false;
    }
}

/* A cache that was opened read-only, on a full disk or in a folder that could not be written, is tried again for
 * writing: a read-only handle does not see what others write meanwhile, either. Only success is told. */
static void try_writing(struct cache_lane *lane) {
    struct cache_opening opening;
    lane->cache = cache_reopen(lane->cache, &opening);
    note_opening(lane, &opening);
    if (!lane->cache || !cache_is_read_only(lane->cache))
        cache_lane_say(lane, &opening);
    if (lane->cache && !lane->said && !cache_is_read_only(lane->cache))
        lane->said = mem_dup("the cache can be written again: what is read is stored");
}

void cache_lane_written(struct cache_lane *lane) {
    if (lane->cache && cache_is_read_only(lane->cache))
        try_writing(lane);
}

/* A handle that met damage is opened again, once each time; a cache that could not be opened is tried again later. */
struct cache *cache_lane_usable(struct cache_lane *lane) {
    struct cache_opening opening;
    if (lane->cache && cache_must_reopen(lane->cache)) {
        lane->cache = cache_reopen(lane->cache, &opening);
        note_opening(lane, &opening);
        cache_lane_say(lane, &opening);
    } else if (lane->cache && cache_is_read_only(lane->cache) && clock_mono() >= lane->again_at) {
        try_writing(lane);
    } else if (!lane->cache && (!lane->tried || (!lane->hopeless && clock_mono() >= lane->again_at))) {
        lane->cache = cache_open(lane->place->folder, &lane->place->binding, &opening);
        note_opening(lane, &opening);
    }
    return lane->cache;
}

void cache_lane_anew(struct cache_lane *lane) {
    struct cache_opening opening;
    if (!lane->cache || cache_must_reopen(lane->cache) || cache_is_read_only(lane->cache))
        return;
    bool same = lane->kept_in == lane->files;
    cache_close(lane->cache);
    lane->cache = cache_open(lane->place->folder, &lane->place->binding, &opening);
    note_opening(lane, &opening);
    if (opening.outcome != CACHE_OK)
        cache_lane_say(lane, &opening);
    else if (same)
        lane->kept_in = lane->files; /* it is the same file: what was stored in it is there */
}

/* What opening the cache again had to tell is told by the next job that can. */
static void take_said(struct cache_lane *lane, struct str *text) {
    if (lane->said) {
        str_add(text, text->len > 0 ? "; " : "");
        str_add(text, lane->said);
        forget_said(lane);
    }
}

static void retain(struct cache_lane *lane) {
    int64_t removed = 0;
    const struct cache_place *place = lane->place;
    enum err err = cache_retain(lane->cache, clock_now(), place->retention_days, place->limit_mb, &removed, NULL);
    (void)err; /* costs only disk space */
    lane->let_go = lane->let_go || removed > 0;
}

static void open_run(struct job *job, void *lane_state) {
    struct cache_work *work = job_work(job, cache_work);
    struct cache_lane *lane = lane_state;
    struct cache_opening opening;
    lane->cache = cache_open(lane->place->folder, &lane->place->binding, &opening);
    cache_outcome_text(&opening, &work->text);
    bool strange = is_strange(lane, &opening);
    note_opening(lane, &opening);
    if (strange) {
        work->state = CACHE_STATE_ASK;
    } else if (!lane->cache) {
        work->state = CACHE_STATE_OFF;
    } else {
        work->state = CACHE_STATE_READY;
        retain(lane);
    }
}

/* Tells the cache's state, besides the job's own answer. */
static void tell_state(struct job *job, void *owner) {
    struct cache_work *work = job_work(job, cache_work);
    work->told = (struct cache_told){
        .state = work->state, .opening = job->done == tell_state, .text = work->text.len > 0 ? work->text.s : NULL};
    struct event event = {.kind = EVENT_CACHE_STATE, .payload = payload_of(cache_told, &work->told)};
    job->tell(owner, &event);
}

static void move_run(struct job *job, void *lane_state) {
    struct cache_lane *lane = lane_state;
    cache_lane_close(lane);
    lane->place = job_work(job, cache_work)->place;
    lane->tried = lane->hopeless = false;
}

/* Reads only cells until enough rows match; the matching ones are then read whole. */
struct reading {
    const struct job *job;
    const struct cache_work *work;
    struct cache *cache;
    struct query_plan *plan;             /* NULL: all that the filter lets through */
    struct list_query query;             /* the server filter */
    int64_t left_before;                 /* rows confirmed earlier left the list */
    bool asks_changed, asks_transitions; /* whether the filter asks for it, which takes a further query for each row */
    bool asks_findings;                  /* or may take to decode it */
    size_t wanted, looked;
    size_t newer;    /* rows met that a later version of the program wrote */
    size_t unlisted; /* rows that match, but left the list of all */
};

static bool tests_changes(const struct query_test *test) {
    return test->flags & QUERY_FLAG_BIT(QUERY_IS_CHANGED);
}

static bool tests_transitions(const struct query_test *test) {
    return test->field == QUERY_TRANSITION_FIELD;
}

static bool tests_findings(const struct query_test *test) {
    for (unsigned i = 0; i < QUERY_FLAG_COUNT; i++)
        if (test->flags & QUERY_FLAG_BIT(i) && query_flag_findings((enum query_flag)i))
            return true;
    return false;
}

static bool any_test(const struct query_step *step, bool (*holds)(const struct query_test *test)) {
    for (; step; step = step->next)
        if (step->first ? any_test(step->first, holds) : holds(&step->test))
            return true;
    return false;
}

static bool cache_lane_matches(const struct reading *reading, const struct cache_row *row) {
    struct cells cells;
    int64_t changed = CLOCK_NONE;
    bool read =
        reading->asks_findings ? judged_cells_read(row, &cells) : cells_read(row->cells, row->cells_len, &cells);
    if (!read || !api_row_matches(&reading->query, &cells))
        return false;
    if (reading->asks_changed && cache_changed_at(reading->cache, row->key, &changed, NULL) != ERR_OK)
        changed = CLOCK_NONE;
    struct query_row at = {
        .key = row->key, .cells = &cells, .first_seen = row->seen, .confirmed = row->confirmed, .changed = changed};
    if (reading->asks_transitions && cache_transitions(reading->cache, row->key, &at.transitions, NULL) != ERR_OK)
        at.transitions = 0;
    return !reading->plan || query_match(reading->plan, &at);
}

static void cache_lane_take(struct reading *reading, const struct cache_row *row) {
    struct cached_rows *out = reading->work->rows;
    uint64_t fields = reading->work->ask->fields;
    struct intent **slot = vec_add(&out->page);
    *slot = fields ? wire_intent_some(row->raw, row->raw_len, fields) : wire_intent(row->raw, row->raw_len);
    out->confirmed[out->page.n - 1] = row->confirmed;
}

static bool cache_lane_look(void *context, const struct cache_row *row) {
    struct reading *reading = context;
    struct cached_rows *out = reading->work->rows;
    out->next = row->key;
    reading->looked++;
    reading->newer += cells_is_newer(row->cells, row->cells_len);
    bool left = row->confirmed < reading->left_before, counted = reading->work->rows->coverage.every;
    out->rows_scanned += !left || !counted;
    if ((!left || counted) && cache_lane_matches(reading, row)) {
        reading->unlisted += left;
        if (!left)
            cache_lane_take(reading, row);
    }
    out->done = out->page.n < reading->wanted && reading->looked < ROWS_LOOKED_AT && !job_is_dropped(reading->job);
    return out->done;
}

static void take_coverage(struct cache_work *work, struct cache *cache, bool broke_off) {
    if (work->ask->query)
        coverage_of_query(cache, work->ask->query, &work->ask->context, broke_off, &work->rows->coverage);
    else
        coverage_of(cache, &work->ask->filter, broke_off, &work->rows->coverage);
    work->rows->damaged += (size_t)cache_take_damaged(cache);
}

/* Whether somebody looked at this cache before; from now on somebody has. */
static bool cache_lane_note_visit(struct cache *cache) {
    static const char NAME[] = "opened";
    char *before = NULL;
    struct str now;
    str_init(&now, 32);
    str_addf(&now, "%lld", (long long)clock_now());
    enum err err = cache_note(cache, NAME, &before, NULL);
    bool first = err == ERR_OK && !before;
    free(before);
    err = cache_set_note(cache, NAME, now.s, NULL);
    (void)err; /* then the next visit counts as the first, and a sentence is not shown */
    str_clear(&now);
    return first;
}

static void cache_lane_rows_run(struct job *job, void *lane_state) {
    struct cache_work *work = job_work(job, cache_work);
    struct reading reading = {.job = job,
                              .work = work,
                              .cache = cache_lane_usable(lane_state),
                              .query = server_filter_query(&work->ask->filter, NULL, false),
                              .wanted = ROWS_A_TIME};
    work->rows = cached_rows_new();
    job_answer(job, EVENT_CACHE_ROWS, payload_of(cached_rows, work->rows));
    if (work->ask->wanted > 0 && work->ask->wanted <= CACHED_ROWS_MOST)
        reading.wanted = work->ask->wanted;
    work->rows->confirmed = mem_new_array(reading.wanted, sizeof *work->rows->confirmed);
    work->rows->next = work->ask->from;
    work->rows->done = true; /* until a row ends the reading */
    work->state = reading.cache ? CACHE_STATE_READY : CACHE_STATE_OFF;
    take_said(lane_state, &work->text);
    if (!reading.cache)
        return;
    work->rows->first_visit = work->ask->visit && cache_lane_note_visit(reading.cache);
    reading.plan = work->ask->query ? query_plan_new(work->ask->query, &work->ask->context) : NULL;
    take_coverage(work, reading.cache, false);
    reading.left_before = work->ask->left_too ? INT64_MIN : coverage_left_before(&work->rows->coverage);
    reading.asks_changed = reading.plan && any_test(reading.plan->root, tests_changes);
    reading.asks_transitions = reading.plan && any_test(reading.plan->root, tests_transitions);
    reading.asks_findings = reading.plan && any_test(reading.plan->root, tests_findings);
    enum err err = cache_stream_rows(reading.cache, work->ask->from, cache_lane_look, &reading, NULL);
    work->rows->done = work->rows->done || err != ERR_OK;
    work->rows->damaged += (size_t)cache_take_damaged(reading.cache);
    if (err != ERR_OK || work->rows->damaged > 0) /* what was met says something else of how far the cache reaches */
        take_coverage(work, reading.cache, err != ERR_OK);
    work->rows->coverage.newer = reading.newer;
    work->rows->coverage.unlisted = reading.unlisted;
    query_plan_free(reading.plan);
}

/* The next rows are read while the client looks at these. */
static void read_ahead(struct cache_work *work, const struct job *job, struct performer *performer) {
    if (!work->ask->ahead || work->rows->done)
        return;
    struct list_ask *ask = work->ask;
    work->ask = NULL;
    ask->from = work->rows->next;
    ask->visit = false;
    lane_push(performer->reads, cache_rows_job(job->answer.ticket, ask, job->tell));
}

static void rows_done(struct job *job, void *owner) {
    struct cache_work *work = job_work(job, cache_work);
    if (work->text.len > 0)
        tell_state(job, owner);
    read_ahead(work, job, owner);
    job_tell(job, owner);
}

static void take_keys(struct cache_work *work, const struct cache_put_result *result) {
    int64_t *keys = mem_new_array(work->n_keys + result->n + 1, sizeof *keys);
    memcpy(keys, work->keys ? work->keys : keys, work->n_keys * sizeof *keys);
    for (size_t i = 0; i < result->n; i++)
        if (result->items[i].key != CACHE_KEY_NONE)
            keys[work->n_keys++] = result->items[i].key;
    free(work->keys);
    work->keys = keys;
}

/* Stores all pages that are not stored yet; false: one could not be. */
static bool store_kept(struct cache_work *work, struct cache_lane *lane, struct error *error) {
    struct page_keep *keep = &lane->keep;
    struct cache_put_result result;
    for (struct cache_batch *batch = page_keep_next(keep); batch; batch = page_keep_next(keep)) {
        enum err err = cache_put(lane->cache, batch, &result, error);
        if (err == ERR_LIMIT) {
            page_keep_skip(keep);
            return false;
        }
        if (err != ERR_OK)
            return false;
        page_keep_stored(keep);
        take_keys(work, &result);
        cache_put_result_clear(&result);
    }
    return true;
}

/* A cache that was found damaged meanwhile is a new file: the pages of this walk are stored in that one too. */
static bool cache_lane_store(struct cache_work *work, struct cache_lane *lane, struct error *error) {
    enum { FILES_MAX = 3 };
    for (int i = 0; i < FILES_MAX; i++) {
        struct cache *cache = cache_lane_usable(lane);
        if (!cache) {
            (void)error_set(error, ERR_STORE, "the cache cannot be opened");
            return false;
        }
        if (lane->kept_in != lane->files) {
            page_keep_restart(&lane->keep);
            lane->kept_in = lane->files;
        }
        error_clear(error);
        bool stored = store_kept(work, lane, error);
        if (stored || !cache_must_reopen(cache))
            return stored;
    }
    return false;
}

struct cache *cache_lane_store_kept(struct cache_lane *lane) {
    struct cache_work work = {0};
    struct error error = {0};
    if (!cache_lane_store(&work, lane, &error))
        lane->failing = true; /* the next page tells why */
    free(work.keys);
    return lane->cache;
}

/* Told only when the state changes, since a page is one of many. */
static void tell_put(struct cache_work *work, struct cache_lane *lane, bool stored, const struct error *error) {
    int64_t damaged = lane->cache ? cache_take_damaged(lane->cache) : 0;
    bool known = lane->cache ? cache_is_read_only(lane->cache) : lane->hopeless || !lane->tried;
    bool silent = known || !lane->had; /* it was told when the cache was opened */
    work->state = stored ? CACHE_STATE_READY : CACHE_STATE_OFF;
    take_said(lane, &work->text);
    if (damaged > 0) {
        str_addf(&work->text, "%s%lld damaged row%s of the cache %s replaced by what the service has",
                 work->text.len > 0 ? "; " : "", (long long)damaged, plural_s(damaged), damaged == 1 ? "was" : "were");
    }
    if (!stored && !lane->failing && !silent) {
        str_addf(&work->text,
                 "%spages are not stored (%s): what is read is shown all the same, and stored as soon as it can be",
                 work->text.len > 0 ? "; " : "", error->text);
    } else if (stored && lane->failing) {
        str_addf(&work->text, "%spages are stored again%s", work->text.len > 0 ? "; " : "",
                 lane->keep.given_up ? ", but for those that there was no room to keep" : "");
    }
    lane->failing = !stored && !known;
    lane->keep.given_up = stored ? 0 : lane->keep.given_up;
}

static void put_run(struct job *job, void *lane_state) {
    struct cache_work *work = job_work(job, cache_work);
    struct cache_lane *lane = lane_state;
    struct error error = {0};
    page_keep_add(&lane->keep, work->batch);
    work->batch = NULL;
    bool stored = cache_lane_store(work, lane, &error);
    tell_put(work, lane, stored, &error);
    if (!lane->cache && lane->hopeless)
        page_keep_clear(&lane->keep);
    if (stored) {
        unknown_fields_put(work->unknown_fields, lane->cache, clock_now());
        work->keys = work->keys ? work->keys : mem_new_array(1, sizeof *work->keys);
    }
}

static void accept_run(struct job *job, void *lane_state) {
    struct cache_work *work = job_work(job, cache_work);
    struct cache_lane *lane = lane_state;
    struct error error = {0};
    if (cache_lane_usable(lane) && cache_accept_token(lane->cache, &error) == ERR_OK) {
        work->state = CACHE_STATE_READY;
        retain(lane);
        if (page_keep_next(&lane->keep) && !cache_lane_store(work, lane, &error))
            lane->failing = true; /* the next page tells why */
    } else {
        work->state = CACHE_STATE_OFF;
        cache_lane_close(lane);
        str_add(&work->text, *error.text ? error.text : "the cache cannot be used");
    }
}

static void put_done(struct job *job, void *owner) {
    struct cache_work *work = job_work(job, cache_work);
    if (job->tell && work->text.len > 0)
        tell_state(job, owner);
    work->put(owner, work->keys, work->n_keys);
    work->keys = NULL;
}

static struct lane_job *job_with(const struct cache_work *with, uint64_t ticket, job_fn *run, job_fn *done,
                                 event_fn *tell) {
    struct cache_work *work = mem_new(sizeof *work);
    *work = *with;
    str_init(&work->text, ERROR_TEXT_MAX);
    struct job *job = job_new(run, ticket, payload_of(cache_work, work), tell);
    job->done = done;
    return &job->lane;
}

struct lane_job *cache_open_job(event_fn *tell) {
    return job_with(&(struct cache_work){0}, 0, open_run, tell_state, tell);
}

struct lane_job *cache_accept_job(event_fn *tell) {
    return job_with(&(struct cache_work){0}, 0, accept_run, tell_state, tell);
}

struct lane_job *cache_move_job(const struct cache_place *place) {
    return job_with(&(struct cache_work){.place = place}, 0, move_run, NULL, NULL);
}

struct lane_job *cache_rows_job(uint64_t ticket, struct list_ask *ask, event_fn *tell) {
    return job_with(&(struct cache_work){.ask = ask}, ticket, cache_lane_rows_run, rows_done, tell);
}

struct lane_job *cache_put_job(struct cache_batch *batch, struct unknown_fields *unknown_fields, cache_put_fn *put,
                               event_fn *tell) {
    return job_with(&(struct cache_work){.batch = batch, .unknown_fields = unknown_fields, .put = put}, 0, put_run,
                    put_done, tell);
}

void perform_cache_rows(struct performer *performer, struct effect *effect) {
    lane_push(performer->reads, cache_rows_job(effect->ticket, effect_take(effect, list_ask), performer->tell));
}

/* On the page lane, whose queue is finished when the program ends; the read lane's is dropped. */
void perform_cache_accept(struct performer *performer, struct effect *effect) {
    (void)effect;
    atomic_store(&performer->place->accepted, true);
    lane_push(performer->pages, cache_accept_job(performer->tell));
}
