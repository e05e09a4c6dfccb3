#ifndef RUN_DOCTOR_LANE_H
#define RUN_DOCTOR_LANE_H
/* The doctor's measurements on a thread of their own, made when the first is asked for: they block. Main thread. */

#include "app/doctor.h"
#include "work/lane.h"

struct probe_work;

struct doctor_lane {
    struct lane *lane;
    struct probe_work *latest; /* asked for last, while it is not done */
};
/* False: not a measurement that runs. Its result, which says it was cancelled, still comes. */
bool doctor_lane_cancel(struct doctor_lane *lane, uint64_t ticket);
void doctor_lane_close(struct doctor_lane *lane);

#endif
