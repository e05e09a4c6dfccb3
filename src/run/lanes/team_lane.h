#ifndef RUN_TEAM_LANE_H
#define RUN_TEAM_LANE_H
/* The team's store beside the local cache, on a lane with a connection and a cache handle of its own: each turn renews
 * or takes the leases that this console wants, sends what it read of the service, and takes in what colleagues read.
 * A store that is away costs that alone. Turns are made on the main thread (src/run/teaming.c) and run on the lane. */

#include "app/team_walk.h"
#include "cache_lane.h"
#include "team/intents.h"
#include "team_side.h"

/* Rows of the cache that are on their way to the store. */
struct team_sending {
    int64_t *keys;
    size_t n, at;
    int64_t last; /* of the change log: noted once all of them are there */
    int64_t left_out;
    bool open;
};

struct team_lease_held {
    char *part; /* NULL: none is wanted */
    struct team_turn turn;
    int64_t renew_at; /* monotonic ms, of one's own */
};

/* State of the lane; the cache comes first, so that the cache's own jobs run here too. */
struct team_lane {
    struct cache_lane cache;
    struct team_side *side; /* owned */
    int64_t scope;
    bool scoped;
    struct str store; /* names store and scope among the notes of the cache */
    unsigned files;   /* of `cache`, when the places below were read */
    int64_t sent;     /* of the cache's change log; -1: nothing yet */
    int64_t left_out; /* rows that could not be sent, since all were sent last */
    struct team_place_of_changes place;
    int64_t noted; /* of `place`, in the cache */
    struct team_sending sending;
    struct team_lease_held live, mirror;
    uint64_t flushed;
    char *spent;      /* as told; NULL: not known yet */
    int64_t spent_at; /* monotonic ms */
    int64_t notes_at; /* monotonic ms, when news of the notes lane were asked for */
    int64_t notes;    /* their last change */
    size_t sealed;
};
struct team_lane *team_lane_new(struct team_side *side, const struct cache_place *place); /* takes side */
void team_lane_free(struct team_lane *lane);                                              /* its thread has ended */

/* What a turn brought, for the main thread. */
struct team_turn_done {
    struct team_told *told;
    struct team_rows_taken *taken; /* NULL: nothing */
    int64_t uncounted;             /* requests that the store could not be told of */
    bool more;                     /* there is more to send or to take in */
    bool stored;                   /* rows were stored in the cache */
    int64_t notes;                 /* the last change of what the notes lane exchanges; below 0: not known */
};
typedef void team_turn_fn(void *owner, struct team_turn_done *done); /* takes what it needs */
/* Takes wish. requests: so many were sent to the service since the turn before. */
struct lane_job *team_turn_job(struct team_wish *wish, int64_t requests, team_turn_fn *done);
/* Gives the leases back. */
struct lane_job *team_leave_job(void);

#endif
