#ifndef RUN_JOB_H
#define RUN_JOB_H
/* A job of a lane that works on one typed value and answers with an event. The job owns both: `run` makes the answer on
 * the lane, `done` passes it on on the main thread, and what nobody took is freed in one place, also when the job is
 * dropped or the program ends. */

#include "run/perform.h"

#include "base/payload.h"
#include "work/lane.h"

struct job;
typedef void job_fn(struct job *job, void *context);

struct job {
    struct lane_job lane; /* first: what the lane knows of it */
    job_fn *run;          /* gets the lane's state */
    job_fn *done;         /* gets the owner, a performer; NULL: the answer is passed on */
    event_fn *tell;       /* NULL: nobody waits for the answer */
    struct payload work;
    struct event answer; /* has the ticket; passed on where it carries something */
};

/* Takes work. ticket 0: nobody waits for it. */
struct job *job_new(job_fn *run, uint64_t ticket, struct payload work, event_fn *tell);
struct lane_job *job_of(job_fn *run, uint64_t ticket, struct payload work,
                        event_fn *tell); /* the same, for lane_push */
/* Takes payload. */
void job_answer(struct job *job, enum event_kind kind, struct payload payload);
void job_tell(struct job *job, void *owner);
bool job_is_dropped(const struct job *job);
bool job_is_of(const struct lane_job *lane, void *ticket); /* for lane_drop: whose answer has this uint64_t */
#define job_work(job, type) payload_get(&(job)->work, type)

#endif
