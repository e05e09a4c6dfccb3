#include "app/arrivals.h"

#include "app/idset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "model/cells.h"
#include "model/money.h"
#include "query/plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Which of the stored events are wanted, and how far they reach. */

/* ---- by themselves ---- */

static struct value_text arrivals_text(struct intent *intent, const char *text) {
    return (struct value_text){.state = text ? VALUE_OK : VALUE_ABSENT,
                               .text = text ? arena_dup_n(&intent->arena, text, strlen(text)) : NULL};
}

static bool arrivals_match(const struct query_plan *plan, const struct arrival *arrival, struct str *blob) {
    struct intent *row = intent_new();
    struct cells cells;
    row->id = arrivals_text(row, arrival->intent);
    row->user_id = arrivals_text(row, arrival->user);
    row->status = arrivals_text(row, arrival->status);
    row->type = arrivals_text(row, arrival->kind);
    row->created_at = (struct value_time){.state = VALUE_OK, .ms = arrival->at};
    str_reset(blob);
    cells_pack(row, blob);
    intent_free(row);
    const struct query_row asked = {.cells = &cells,
                                    .first_seen = CLOCK_NONE,
                                    .confirmed = CLOCK_NONE,
                                    .changed = CLOCK_NONE,
                                    .verified = arrival_is_verified(arrival)};
    return cells_read(blob->s, blob->len, &cells) && query_match(plan, &asked);
}

void arrivals_keep_matching(struct arrivals *arrivals, const struct query *query, const struct query_context *context) {
    enum { BLOB_MAX = 1 << 20 };
    struct query_plan *plan = query_plan_new(query, context);
    struct str blob;
    size_t n = 0;
    str_init(&blob, BLOB_MAX);
    for (size_t i = 0; i < arrivals->n; i++)
        if (arrivals_match(plan, arrivals->items[i], &blob))
            arrivals->items[n++] = arrivals->items[i];
        else
            arrival_free(arrivals->items[i]);
    arrivals->n = n;
    str_clear(&blob);
    query_plan_free(plan);
}

/* ---- by their intents ---- */

struct arrivals_intents {
    struct gather gather; /* the first */
    struct idset *ids;
};

static struct arrivals_intents *arrivals_intents_in(struct gather *gather) {
    return (struct arrivals_intents *)gather;
}

static void arrivals_intents_begin(struct gather *gather, const struct query *query) {
    (void)query;
    idset_reset(arrivals_intents_in(gather)->ids);
}

static void arrivals_intents_take(struct gather *gather, int64_t key, const struct cells *cells) {
    const struct cells_slice *id = &cells->text[CELLS_ID];
    (void)key;
    if (id->s)
        (void)idset_put(arrivals_intents_in(gather)->ids, id->s, id->len, 0);
}

static void arrivals_intents_end(struct gather *gather) {
    (void)gather;
}

static void arrivals_intents_free(struct gather *gather) {
    struct arrivals_intents *intents = arrivals_intents_in(gather);
    idset_free(intents->ids);
    free(intents);
}

static const struct gather_kind INTENTS = {arrivals_intents_begin, arrivals_intents_take, arrivals_intents_end,
                                           arrivals_intents_free};

struct arrivals_intents *arrivals_intents_new(void) {
    struct arrivals_intents *intents = mem_new(sizeof *intents);
    *intents = (struct arrivals_intents){.gather = {.kind = &INTENTS}, .ids = idset_new()};
    return intents;
}

struct gather *arrivals_intents_gather(struct arrivals_intents *intents) {
    return &intents->gather;
}

const struct arrivals_intents *arrivals_intents_of(struct gather *gather) {
    return arrivals_intents_in(gather_of(gather, &INTENTS));
}

bool arrivals_intents_has(const struct arrivals_intents *intents, const struct arrival *arrival) {
    return arrival->intent && idset_find(intents->ids, arrival->intent, strlen(arrival->intent)) != SIZE_MAX;
}

/* ---- how far they reach ---- */

struct coverage arrivals_coverage(const struct arrivals *arrivals) {
    return (struct coverage){.reach = arrivals->given > 0 ? COVERAGE_WHOLE : COVERAGE_NOTHING,
                             .events = true,
                             .cached = true,
                             .walked = CLOCK_NONE,
                             .as_of = arrivals->read_at > 0 ? arrivals->read_at : CLOCK_NONE,
                             .since = arrivals->since,
                             .damaged = arrivals->damaged,
                             .removed = arrivals->removed};
}

void arrivals_tell_reach(const struct arrivals *arrivals, size_t shown, int64_t now, struct str *out) {
    const struct coverage coverage = arrivals_coverage(arrivals);
    money_group_count(out, shown);
    if (shown != arrivals->stored) {
        str_add(out, " of ");
        money_group_count(out, arrivals->stored);
    }
    str_addf(out, " stored event%s; ", plural_s(arrivals->stored));
    coverage_text(&coverage, COVERAGE_FULL, now, out);
}
