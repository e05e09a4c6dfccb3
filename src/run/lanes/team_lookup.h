#ifndef RUN_TEAM_LOOKUP_H
#define RUN_TEAM_LOOKUP_H
/* Questions to the team's store about all intents that the team shares, on a lane and a connection of their own, made
 * at the first one. */

#include "run/lanes/cache_lane.h"
#include "run/lanes/team_side.h"
#include "work/lane.h"

struct team_lookup_lane {
    struct cache_lane cache; /* used on the lane alone, once it runs; first, for cache_move_job */
    struct team_side *side;  /* likewise */
    struct lane *lane;
    bool tried;
};
/* Nobody waits for the question any longer: the store's work on it ends. */
void team_lookup_cancel(struct team_lookup_lane *lane, uint64_t ticket);
void team_lookup_close(struct team_lookup_lane *lane);

#endif
