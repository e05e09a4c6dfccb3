#ifndef RUN_OBSERVED_LANE_H
#define RUN_OBSERVED_LANE_H
/* Observed changes of one intent, out of the cache on the read lane. */

#include "app/observed.h"
#include "cache_lane.h"

/* Takes ask. Answers with EVENT_OBSERVED. */
struct lane_job *observed_job(uint64_t ticket, struct lookup_name *ask, cache_event_fn *hand_over);

#endif
