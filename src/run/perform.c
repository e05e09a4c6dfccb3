#include "run/perform.h"

#include "run/lanes/doctor_lane.h"
#include "run/lanes/index_lane.h"
#include "run/lanes/team_lookup.h"
#include "run/transfers/fetches.h"
#include "run/transfers/writes.h"

#include "base/invariant.h"

static perform_fn *const PERFORMERS[EFFECT_COUNT] = {
#define ROW(NAME, name) [EFFECT_##NAME] = perform_##name,
    EFFECT_TABLE(ROW)
#undef ROW
};

void perform(struct performer *performer, struct effect *effect) {
    INVARIANT(effect->kind < EFFECT_COUNT);
    PERFORMERS[effect->kind](performer, effect);
}

/* Cancels whatever has the ticket. A page that is being decoded and a job that runs still answer, but nobody waits for
 * it. */
void perform_cancel(struct performer *performer, struct effect *effect) {
    uint64_t ticket = effect->ticket;
    lane_drop(performer->reads, index_is_of, &ticket);
    doctor_lane_cancel(performer->doctor, ticket);
    team_lookup_cancel(performer->team_lookups, ticket);
    if (!writes_cancel(performer, ticket))
        (void)fetches_cancel(performer, ticket);
}

void perform_on_screen(struct performer *performer, struct effect *effect) {
    (void)perform_screen(performer, effect);
}
