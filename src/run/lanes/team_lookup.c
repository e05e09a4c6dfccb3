#include "team_lookup.h"
#include "job.h"
#include "team_exchange.h"

#include "app/lookup.h"
#include "base/clock.h"
#include "base/mem.h"
#include "team/question.h"
#include "wire/page.h"

#include <stdlib.h>
#include <string.h>

static struct lookup_total total_of_count(struct arena *arena, const struct team_count *count) {
    long long sum = 0;
    bool whole = !count->sum || str_to_int64(count->sum, strlen(count->sum), &sum);
    return (struct lookup_total){
        .currency = count->currency ? arena_dup_n(arena, count->currency, strlen(count->currency)) : NULL,
        .sum = whole ? sum : 0,
        .overflow = !whole,
        .rows = (size_t)count->intents,
        .without = (size_t)(count->intents - count->with_amount)};
}

static enum err ask_team_totals(struct team *team, const struct team_question *question, struct lookup_result *out,
                                struct error *error) {
    struct team_counts counts;
    enum err err = team_question_counts(team, question, NULL, &counts, error);
    out->totals = arena_new(&out->arena, (counts.n + 1) * sizeof *out->totals);
    for (size_t i = 0; i < counts.n; i++) {
        out->totals[out->n_totals++] = total_of_count(&out->arena, &counts.items[i]);
        out->n += (size_t)counts.items[i].intents;
    }
    out->rows_scanned = out->n;
    team_counts_clear(&counts);
    return err;
}

/* ---- counts by a field ---- */

static struct query_place *place_of(struct lookup_result *out, const char *value) {
    for (size_t i = 0; i < out->n_values; i++)
        if (str_equal(out->values[i].value, value))
            return &out->values[i];
    struct query_place *place = &out->values[out->n_values++];
    *place = (struct query_place){.value = value ? arena_dup_n(&out->arena, value, strlen(value)) : NULL};
    return place;
}

static int more_rows_first(const void *a, const void *b) {
    const struct query_place *x = a, *y = b;
    return x->rows != y->rows ? (x->rows < y->rows ? 1 : -1) : str_order(x->value, y->value);
}

static void add_cells_of(struct lookup_result *out, const struct team_counts *counts, size_t by) {
    for (size_t i = 0; i < counts->n; i++) {
        if (!str_equal(counts->items[i].value, out->values[by].value))
            continue;
        struct lookup_total total = total_of_count(&out->arena, &counts->items[i]);
        out->cells[out->n_cells++] = (struct query_cell){
            .by = by,
            .currency = total.currency,
            .now = {.sum = total.sum, .overflow = total.overflow, .rows = total.rows, .without = total.without}};
    }
}

static void take_values(const struct team_counts *counts, size_t limit, struct lookup_result *out) {
    out->values = arena_new(&out->arena, (counts->n + 1) * sizeof *out->values);
    out->cells = arena_new(&out->arena, (counts->n + 1) * sizeof *out->cells);
    for (size_t i = 0; i < counts->n; i++)
        place_of(out, counts->items[i].value)->rows += (size_t)counts->items[i].intents;
    qsort(out->values, out->n_values, sizeof *out->values, more_rows_first);
    out->n_distinct = out->n_values;
    out->n_values = limit > 0 && limit < out->n_values ? limit : out->n_values;
    for (size_t by = 0; by < out->n_values; by++)
        add_cells_of(out, counts, by);
}

static enum err ask_team_values(struct team *team, const struct team_question *question, const struct lookup *lookup,
                                struct lookup_result *out, struct error *error) {
    struct team_counts counts;
    const char *column = lookup->facet < QUERY_FIELD_COUNT ? team_question_column(lookup->facet) : NULL;
    if (lookup->facet == QUERY_FIELD_COUNT)
        return ERR_OK;
    if (!column)
        return error_set(error, ERR_INVALID,
                         "the team's store cannot count by %s: it keeps that sealed, or does not know it",
                         query_field(lookup->facet)->name);
    enum err err = team_question_counts(team, question, column, &counts, error);
    take_values(&counts, lookup->facet_limit, out);
    if (err == ERR_OK && counts.cut)
        err = error_set(error, ERR_LIMIT, "there are too many values to be counted: narrow the filter");
    team_counts_clear(&counts);
    return err;
}

/* ---- rows ---- */

static enum err ask_team_rows(struct team *team, const struct team_question *question, struct lookup_result *out,
                              struct error *error) {
    struct team_intents found;
    int64_t now = clock_now();
    enum err err = question->limit > 0 ? team_question_rows(team, question, &found, error) : ERR_OK;
    if (err != ERR_OK || question->limit == 0)
        return err;
    for (size_t i = 0; i < found.n; i++) {
        struct lookup_row *row = vec_add(&out->rows);
        row->confirmed = now - found.items[i].age_ms;
        row->changed_at = CLOCK_NONE;
        row->intent = wire_intent(found.items[i].raw, found.items[i].raw_len);
    }
    out->coverage.sealed = found.sealed;
    out->more = found.more;
    out->last = (struct lookup_place){found.last_created, found.last_id ? mem_dup(found.last_id) : NULL};
    team_intents_clear(&found);
    return ERR_OK;
}

/* So that the list knows them, and an operator can go to one. Without a cache, or with a full disk, it cannot. */
static void keep_team_rows(struct team_lookup_lane *lane, struct lookup_result *out) {
    struct cache *cache = out->rows.n > 0 ? cache_lane_usable(&lane->cache) : NULL;
    struct team_rows_taken taken = {0};
    if (!cache || cache_is_read_only(cache))
        return;
    taken.confirmed = mem_new_array(out->rows.n, sizeof *taken.confirmed);
    for (size_t i = 0; i < out->rows.n; i++)
        if (out->rows.items[i].intent) {
            taken.confirmed[taken.page.n] = out->rows.items[i].confirmed;
            *(struct intent **)vec_add(&taken.page) = out->rows.items[i].intent;
        }
    enum err err = team_exchange_store(NULL, cache, &taken, &out->kept, NULL);
    (void)err;
    free(taken.page.items); /* the intents are the answer's */
    free(taken.confirmed);
}

/* All of them are there where one span reaches back before anything: its age is when the list was whole. */
static enum err ask_team_coverage(struct team *team, int64_t scope, struct coverage *out, struct error *error) {
    struct team_spans spans;
    enum err err = team_spans(team, scope, &spans, error);
    *out = (struct coverage){.reach = COVERAGE_PART, .team = true, .walked = CLOCK_NONE, .as_of = CLOCK_NONE};
    for (size_t i = 0; i < spans.n; i++)
        if (spans.items[i].low <= 0) {
            int64_t as_of = clock_now() - spans.items[i].age_ms;
            out->reach = COVERAGE_WHOLE;
            out->as_of = as_of > out->as_of ? as_of : out->as_of;
        }
    team_spans_clear(&spans);
    return err;
}

/* ---- the lane ---- */

static enum err answer_question(struct job *job, struct team_side *side, struct lookup_result *out,
                                struct error *error) {
    struct lookup *lookup = job_work(job, lookup);
    struct query_plan *plan = query_plan_new(lookup->query, &lookup->context);
    struct team *team = side->team;
    team_give_up_when(team, &job->lane.dropped);
    enum err err = team_use(team, false, error);
    struct team_question question = {.plan = plan,
                                     .limit = (int)lookup->limit,
                                     .after_created = lookup->after.created,
                                     .after_id = lookup->after.id,
                                     .dropped = &job->lane.dropped};
    if (err == ERR_OK) {
        question.scope = team_scope(team, side->profile->origin, side->profile->account);
        err = ask_team_coverage(team, question.scope, &out->coverage, error);
    }
    if (err == ERR_OK && lookup->totals)
        err = ask_team_totals(team, &question, out, error);
    if (err == ERR_OK)
        err = ask_team_values(team, &question, lookup, out, error);
    if (err == ERR_OK)
        err = ask_team_rows(team, &question, out, error);
    out->whole = true;
    team_give_up_when(team, NULL);
    query_plan_free(plan);
    return err;
}

static void team_lookup_run(struct job *job, void *lane_state) {
    struct team_lookup_lane *lane = lane_state;
    struct lookup_result *out = lookup_result_new();
    struct error error = {0};
    job_answer(job, EVENT_TEAM_LOOKUP, payload_of(lookup_result, out));
    enum err err = !lane->side ? error_set(&error, ERR_CONFIG, "this profile names no team: team_store does")
                   : lane->side->fault.code != ERR_OK
                       ? error_set(&error, lane->side->fault.code, "%s", lane->side->fault.text)
                       : answer_question(job, lane->side, out, &error);
    if (err != ERR_OK)
        out->error = error;
    else if (job_work(job, lookup)->keep)
        keep_team_rows(lane, out);
}

static void team_lookup_rest(void *lane_state) {
    struct team_lookup_lane *lane = lane_state;
    if (lane->side)
        team_rest(lane->side->team);
}

void perform_team_lookup(struct performer *performer, struct effect *effect) {
    struct team_lookup_lane *lane = performer->team_lookups;
    if (!lane->tried) {
        lane->tried = true;
        lane->side = team_side_beside(performer->team);
        lane->cache.place = performer->place;
        lane->lane = lane_new("team", lane, performer->wake, performer);
        lane_rest_after(lane->lane, TEAM_REST_MS, team_lookup_rest);
    }
    lane_push(lane->lane, job_of(team_lookup_run, effect->ticket, payload_of(lookup, effect_take(effect, lookup)),
                                 performer->tell));
}

void team_lookup_cancel(struct team_lookup_lane *lane, uint64_t ticket) {
    if (lane->lane)
        lane_drop(lane->lane, job_is_of, &ticket);
}

void team_lookup_close(struct team_lookup_lane *lane) {
    lane_free(lane->lane, false);
    lane->lane = NULL;
    cache_lane_end(&lane->cache);
    team_side_free(lane->side);
    lane->side = NULL;
}
