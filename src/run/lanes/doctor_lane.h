#ifndef RUN_DOCTOR_LANE_H
#define RUN_DOCTOR_LANE_H
/* Runs the doctor's measurements on a thread of their own, since they block; made at the first use. Main thread. */

#include "app/doctor.h"
#include "work/lane.h"

struct doctor_lane {
    struct lane *lane; /* NULL: none was asked for yet */
};
/* A measurement that waits is dropped; the result of one that runs says it was cancelled, and comes all the same. */
void doctor_lane_cancel(struct doctor_lane *lane, uint64_t ticket);
void doctor_lane_close(struct doctor_lane *lane);

#endif
