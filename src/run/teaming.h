#ifndef RUN_TEAMING_H
#define RUN_TEAMING_H
/* Lets the team lane take its turns, one after the other, and passes on what they bring. Nothing is made before the
 * first turn, which comes after the first screen, and nothing at all where the profile has no team's store. Main
 * thread. */

#include "app/team_walk.h"

#include <stdatomic.h>

struct performer;
struct team_lane;

struct teaming {
    struct lane *lane; /* NULL: not begun */
    struct team_lane *state;
    bool on, under_way;
    bool away;           /* the last turn failed */
    atomic_bool closing; /* a turn that is under way ends as soon as it can */
    int64_t next_at;     /* monotonic ms of the next turn; CLOCK_NONE: none */
    struct team_wish wish;
    struct team_told *told; /* last; NULL: nothing yet */
    int64_t requests;       /* sent to the service since the last turn */
    int64_t notes;          /* the last change of what the notes lane exchanges; below 0: not known */
};
void teaming_begin(struct performer *performer);
/* What was read of the service is stored: it can be sent. NULL: there is no team. */
void teaming_soon(struct teaming *teaming);
void teaming_count(struct teaming *teaming); /* a request was sent to the service; likewise */
/* At next_at, or later. */
void teaming_turn(struct performer *performer);
/* When the next turn begins, monotonic ms; CLOCK_NONE: nobody waits for it. */
int64_t teaming_due(const struct teaming *teaming);
void teaming_close(struct teaming *teaming);

#endif
