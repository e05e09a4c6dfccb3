#include "team_lane.h"

#include "job.h"
#include "team_exchange.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "team/leases.h"
#include "team/notes.h"

#include <stdlib.h>
#include <string.h>

/* A lease outlives some turns that fail; whoever dies with it holds the others up for no longer. */
enum { LEASE_MS = 8000, RENEW_MS = 2000, STORE_NAME_BYTES = 400 };

struct team_lane *team_lane_new(struct team_side *side, const struct cache_place *place) {
    struct team_lane *lane = mem_new(sizeof *lane);
    lane->side = side;
    lane->cache.place = place;
    lane->sent = -1;
    str_init(&lane->store, STORE_NAME_BYTES);
    return lane;
}

static void held_clear(struct team_lease_held *held) {
    free(held->part);
    free(held->turn.who);
    free(held->turn.host);
    *held = (struct team_lease_held){0};
}

void team_lane_free(struct team_lane *lane) {
    if (!lane)
        return;
    held_clear(&lane->live);
    held_clear(&lane->mirror);
    free(lane->sending.keys);
    free(lane->spent);
    free(lane->place.id);
    str_clear(&lane->store);
    cache_lane_end(&lane->cache);
    team_side_free(lane->side);
    free(lane);
}

/* ---- leases ---- */

static void give_back(struct team_lane *lane, struct team_lease_held *held) {
    if (held->part && held->turn.mine) {
        enum err err = team_lease_drop(lane->side->team, lane->scope, held->part, NULL);
        (void)err; /* it runs out */
    }
    held_clear(held);
}

static char *lease_name(const char *what, const char *part) {
    struct str name;
    str_init(&name, 64 << 10);
    str_addf(&name, "%s %s", what, part);
    return str_take(&name);
}

static enum err take_or_renew(struct team_lane *lane, struct team_lease_held *held, struct error *error) {
    struct team_lease lease;
    if (!held->part || (held->turn.mine && clock_mono() < held->renew_at))
        return ERR_OK;
    int64_t until = clock_mono() + LEASE_MS; /* before the store counts it */
    enum err err = team_lease_take(lane->side->team, lane->scope, held->part, LEASE_MS, &lease, error);
    if (err == ERR_OK) {
        free(held->turn.who);
        free(held->turn.host);
        held->turn = (struct team_turn){true, lease.mine, lease.who, lease.host, lease.mine ? until : 0};
        held->renew_at = clock_mono() + RENEW_MS;
        lease.who = lease.host = NULL;
    }
    team_lease_clear(&lease);
    return err;
}

/* part NULL: it is not wanted. */
static enum err use_lease(struct team_lane *lane, struct team_lease_held *held, const char *what, const char *part,
                          struct error *error) {
    char *name = part ? lease_name(what, part) : NULL;
    if (!str_equal(name, held->part)) {
        give_back(lane, held);
        held->part = name;
        name = NULL;
    }
    free(name);
    return take_or_renew(lane, held, error);
}

/* ---- a turn ---- */

struct team_work {
    struct team_wish *wish; /* NULL: to leave */
    int64_t requests;
    team_turn_fn *done;
    struct team_turn_done answer;
};
PAYLOAD_TYPE(team_work)

static void team_work_free(struct team_work *work) {
    if (work->wish)
        team_wish_free(work->wish);
    team_told_free(work->answer.told);
    if (work->answer.taken)
        team_rows_taken_free(work->answer.taken);
    free(work);
}
PAYLOAD_OWNED(team_work, team_work_free);

static enum err team_lane_begin(struct team_lane *lane, struct error *error) {
    const struct profile *profile = lane->side->profile;
    if (lane->side->fault.code != ERR_OK)
        return error_set(error, lane->side->fault.code, "%s", lane->side->fault.text);
    enum err err = team_use(lane->side->team, true, error);
    if (err != ERR_OK || lane->scoped)
        return err;
    lane->scope = team_scope(lane->side->team, profile->origin, profile->account);
    lane->scoped = true;
    str_addf(&lane->store, "%lld %s", (long long)lane->scope, profile->team_store);
    return ERR_OK;
}

/* The team's count, as minutes of this machine's clock. */
static enum err count_spent(struct team_lane *lane, struct team_work *work, struct error *error) {
    enum { SPENT_EVERY_MS = 2000, MINUTE_MS = 60000, SPENT_BYTES = 4096 };
    struct team_spent spent = {0};
    struct str text;
    int64_t now = clock_mono(), minute = clock_now() / MINUTE_MS;
    if (work->requests == 0 && lane->spent && !(work->wish->mirror && now - lane->spent_at > SPENT_EVERY_MS))
        return ERR_OK;
    enum err err = team_spend(lane->side->team, lane->scope, work->requests, &spent, error);
    if (err != ERR_OK)
        return err;
    work->requests = 0;
    str_init(&text, SPENT_BYTES);
    for (size_t i = 0; i < spent.n; i++)
        str_addf(&text, "%s%lld:%lld", i > 0 ? " " : "", (long long)(minute - spent.items[i].minutes_ago),
                 (long long)spent.items[i].n);
    free(lane->spent);
    lane->spent = str_take(&text);
    lane->spent_at = now;
    return ERR_OK;
}

/* Once all that the cache holds is in the store. */
static enum err flush(struct team_lane *lane, struct cache *cache, const struct team_wish *wish, struct error *error) {
    int64_t last = 0, age = clock_now() - wish->as_of;
    if (wish->flush == lane->flushed)
        return ERR_OK;
    enum err err = cache_change_last(cache, &last, error);
    if (err != ERR_OK || lane->sending.open || last != lane->sent)
        return err;
    if (wish->high > 0 && lane->left_out == 0)
        err = team_span_add(lane->side->team, lane->scope, 0, wish->high, age > 0 ? age : 0, error);
    lane->flushed = err == ERR_OK ? wish->flush : lane->flushed;
    return err;
}

/* For the notes lane, which has no connection while there is nothing to exchange. */
static enum err look_for_notes(struct team_lane *lane, struct team_work *work, struct error *error) {
    enum { NOTES_EVERY_MS = 2000 };
    const struct profile *profile = lane->side->profile;
    int64_t now = clock_mono();
    enum err err = ERR_OK;
    if (lane->notes_at == 0 || now - lane->notes_at >= NOTES_EVERY_MS)
        err = team_notes_last(lane->side->team, profile->origin, profile->account ? profile->account : "", &lane->notes,
                              error);
    else
        now = lane->notes_at;
    lane->notes_at = err == ERR_OK ? now : 0;
    work->answer.notes = err == ERR_OK ? lane->notes : -1;
    return err;
}

/* Without a cache nothing can be sent, so that this console must not keep others from asking: it asks for itself. */
static enum err take_turn(struct team_lane *lane, struct team_work *work, struct error *error) {
    struct cache *cache = cache_lane_usable(&lane->cache);
    bool alone = !cache || cache_is_read_only(cache);
    work->answer.notes = -1;
    enum err err = team_lane_begin(lane, error);
    if (err == ERR_OK && (lane->side->profile->team_notes || lane->side->profile->team_views))
        err = look_for_notes(lane, work, error);
    if (err == ERR_OK)
        err = use_lease(lane, &lane->live, "live", alone ? NULL : work->wish->live, error);
    if (err == ERR_OK)
        err = use_lease(lane, &lane->mirror, "mirror", alone ? NULL : work->wish->mirror, error);
    if (err == ERR_OK)
        err = count_spent(lane, work, error);
    if (err == ERR_OK && !alone)
        err = team_exchange_send(lane, cache, &work->answer.more, error);
    if (err == ERR_OK && !alone)
        err = team_exchange_take(lane, cache, &work->answer, error);
    if (err == ERR_OK && !alone) /* taking in tells whether the store is a new one, which has nothing yet */
        err = flush(lane, cache, work->wish, error);
    if (err == ERR_OK && alone)
        lane->live.turn = lane->mirror.turn = (struct team_turn){.known = true, .mine = true, .until = INT64_MAX};
    return err;
}

static void forget_turns(struct team_lane *lane) {
    held_clear(&lane->live);
    held_clear(&lane->mirror);
}

static void turn_run(struct job *job, void *lane_state) {
    struct team_work *work = job_work(job, team_work);
    struct team_lane *lane = lane_state;
    struct error error = {0};
    if (!work->wish) {
        give_back(lane, &lane->live);
        give_back(lane, &lane->mirror);
        return;
    }
    enum err err = take_turn(lane, work, &error);
    work->answer.uncounted = work->requests;
    if (err != ERR_OK)
        forget_turns(lane); /* whoever has them by now is told when the store is back */
    struct str fault;
    str_init(&fault, ERROR_TEXT_MAX);
    utf8_sanitise(&fault, error.text, strlen(error.text));
    struct team_told told = {.wish = work->wish->n,
                             .reached = err == ERR_OK,
                             .fault = err == ERR_OK ? NULL : fault.s,
                             .live = lane->live.turn,
                             .mirror = lane->mirror.turn,
                             .flushed = lane->flushed,
                             .behind = work->answer.more,
                             .spent = lane->spent,
                             .sealed = lane->sealed};
    work->answer.told = team_told_dup(&told);
    str_clear(&fault);
}

static void turn_done(struct job *job, void *owner) {
    struct team_work *work = job_work(job, team_work);
    if (work->done)
        work->done(owner, &work->answer);
}

struct lane_job *team_turn_job(struct team_wish *wish, int64_t requests, team_turn_fn *done) {
    struct team_work *work = mem_new(sizeof *work);
    *work = (struct team_work){.wish = wish, .requests = requests, .done = done};
    struct job *job = job_new(turn_run, 0, payload_of(team_work, work), NULL);
    job->done = turn_done;
    return &job->lane;
}

struct lane_job *team_leave_job(void) {
    return team_turn_job(NULL, 0, NULL);
}
