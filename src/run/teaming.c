#include "run/teaming.h"

#include "run/indexing.h"
#include "run/lanes/team_lane.h"
#include "run/perform.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

enum { TURN_MS = 500 };

void teaming_begin(struct performer *performer) {
    const struct profile *profile = performer->options->profile;
    struct teaming *teaming = performer->teaming;
    teaming->on = profile_has_team(profile);
    teaming->next_at = teaming->on ? clock_mono() : CLOCK_NONE;
    teaming->notes = -1;
}

void teaming_soon(struct teaming *teaming) {
    if (teaming && teaming->on)
        teaming->next_at = clock_mono();
}

void teaming_count(struct teaming *teaming) {
    if (teaming)
        teaming->requests++;
}

int64_t teaming_due(const struct teaming *teaming) {
    return teaming->under_way || !teaming->on ? CLOCK_NONE : teaming->next_at;
}

static void open_lane(struct performer *performer) {
    struct teaming *teaming = performer->teaming;
    struct team_side *side = team_side_beside(performer->team);
    team_give_up_when(side->team, &teaming->closing);
    teaming->state = team_lane_new(side, performer->place);
    teaming->lane = lane_new("team walk", teaming->state, performer->wake, performer);
}

static void teaming_tell(struct performer *performer, enum event_kind kind, struct payload payload) {
    struct event event = {.kind = kind, .payload = payload};
    performer->tell(performer, &event);
}

/* Only what is new: a turn comes twice a second. Takes told. */
static void tell_turn(struct performer *performer, struct team_told *told) {
    struct teaming *teaming = performer->teaming;
    told->unreported = (size_t)teaming->requests;
    told->at = clock_mono();
    if (!team_told_equal(teaming->told, told))
        teaming_tell(performer, EVENT_TEAM_TOLD, payload_of(team_told, team_told_dup(told)));
    team_told_free(teaming->told);
    teaming->told = told;
}

static void turn_ended(void *owner, struct team_turn_done *done) {
    struct performer *performer = owner;
    struct teaming *teaming = performer->teaming;
    bool soon = teaming->next_at != CLOCK_NONE; /* asked for meanwhile */
    teaming->under_way = false;
    teaming->requests += done->uncounted;
    teaming->away = !done->told->reached;
    teaming->notes = done->notes;
    if (!soon || teaming->away)
        teaming->next_at = clock_mono() + (done->more ? 0 : TURN_MS);
    if (done->stored && !performer->indexing->never)
        indexing_begin(performer);
    tell_turn(performer, done->told);
    done->told = NULL;
    if (done->taken)
        teaming_tell(performer, EVENT_TEAM_ROWS, payload_of(team_rows_taken, done->taken));
    done->taken = NULL;
}

void teaming_turn(struct performer *performer) {
    struct teaming *teaming = performer->teaming;
    if (teaming->under_way)
        return;
    if (!teaming->lane)
        open_lane(performer);
    teaming->next_at = CLOCK_NONE;
    teaming->under_way = true;
    lane_push(teaming->lane, team_turn_job(team_wish_dup(&teaming->wish), teaming->requests, turn_ended));
    teaming->requests = 0;
}

void perform_team_wish(struct performer *performer, struct effect *effect) {
    struct team_wish *wish = effect_take(effect, team_wish);
    struct team_wish before = performer->teaming->wish;
    performer->teaming->wish = *wish;
    *wish = before;
    team_wish_free(wish);
    teaming_soon(performer->teaming);
}

/* A store that does not answer, or is in the middle of something, is not waited for: the leases run out. */
void teaming_close(struct teaming *teaming) {
    bool at_rest = !teaming->away && !teaming->under_way;
    if (teaming->lane) {
        atomic_store(&teaming->closing, !at_rest);
        if (at_rest)
            lane_push(teaming->lane, team_leave_job());
        lane_free(teaming->lane, at_rest);
    }
    team_lane_free(teaming->state);
    team_told_free(teaming->told);
    free(teaming->wish.live);
    free(teaming->wish.mirror);
    *teaming = (struct teaming){.next_at = CLOCK_NONE, .notes = -1};
}
