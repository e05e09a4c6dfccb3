#ifndef RUN_DOCTOR_LANE_H
#define RUN_DOCTOR_LANE_H
/* The doctor's measurements on a thread of their own, made when the first is asked for: they block. Main thread. */

#include "app/doctor.h"
#include "work/lane.h"

/* Takes result. */
typedef void doctor_probed_fn(void *owner, uint64_t ticket, const char *url, struct probe_result *result);

struct doctor_lane {
    struct lane *lane;
    struct probe_job *latest; /* asked for last, while it is not done */
};
struct doctor_lane_setup {
    void (*wake)(void *context);
    void *context;
    doctor_probed_fn *probed;
};
/* Takes ask. */
void doctor_lane_ask(struct doctor_lane *lane, const struct doctor_lane_setup *setup, uint64_t ticket,
                     struct probe_ask *ask);
/* False: not a measurement that runs. Its result, which says it was cancelled, still comes. */
bool doctor_lane_cancel(struct doctor_lane *lane, uint64_t ticket);
void doctor_lane_close(struct doctor_lane *lane);

#endif
