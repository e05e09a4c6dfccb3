#include "job.h"

#include "base/mem.h"

#include <stdlib.h>

static void job_run(struct lane_job *lane, void *lane_state) {
    struct job *job = (struct job *)lane;
    job->run(job, lane_state);
}

static void job_done(struct lane_job *lane, void *owner) {
    struct job *job = (struct job *)lane;
    job_fn *call = job->done ? job->done : job_tell;
    call(job, owner);
}

/* The answer is freed first, since it may be borrowed from the work. */
static void free_job(struct lane_job *lane) {
    struct job *job = (struct job *)lane;
    payload_clear(&job->answer.payload);
    payload_clear(&job->work);
    free(job);
}

struct job *job_new(job_fn *work_on, uint64_t ticket, struct payload work, event_fn *tell) {
    struct job *job = mem_new(sizeof *job);
    *job = (struct job){.lane = {.run = job_run, .done = job_done, .free = free_job},
                        .run = work_on,
                        .tell = tell,
                        .work = work,
                        .answer = {.ticket = ticket}};
    return job;
}

struct lane_job *job_of(job_fn *work_on, uint64_t ticket, struct payload work, event_fn *tell) {
    return &job_new(work_on, ticket, work, tell)->lane;
}

void job_answer(struct job *job, enum event_kind kind, struct payload payload) {
    payload_clear(&job->answer.payload);
    job->answer.kind = kind;
    job->answer.payload = payload;
}

void job_tell(struct job *job, void *owner) {
    if (job->tell && job->answer.payload.data)
        job->tell(owner, &job->answer);
}

bool job_is_of(const struct lane_job *lane, void *ticket) {
    return ((const struct job *)lane)->answer.ticket == *(const uint64_t *)ticket;
}

bool job_is_dropped(const struct job *job) {
    return atomic_load(&job->lane.dropped);
}
