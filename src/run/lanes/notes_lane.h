#ifndef RUN_NOTES_LANE_H
#define RUN_NOTES_LANE_H
/* Notes and tags that a team shares: what was written here goes to its store, and what colleagues wrote comes into the
 * file of notes, as lines of theirs. So everything that shows or finds notes knows them, and a store that is away costs
 * nothing: what it has not is sent another time. On a thread of its own, with a connection of its own. */

#include "run/lanes/team_side.h"
#include "work/lane.h"

struct notes_lane {
    struct lane *lane; /* NULL: not begun */
    struct team_side *team;
    const char *folder;
    int64_t at; /* monotonic ms of the next exchange; CLOCK_NONE: none */
};

/* Once, on this thread: sends and takes in. ERR_STORE where the store is away. */
enum err notes_exchange(struct team_side *team, const char *folder, struct error *error) MUST_CHECK;

bool notes_lane_is_wanted(const struct profile *profile);
/* At `at`, or later; does nothing while one is under way. wake: of the loop. */
void notes_lane_tick(struct notes_lane *lane, int64_t now, void (*wake)(void *context), void *context);
void notes_lane_close(struct notes_lane *lane);

#endif
