#ifndef WORK_LANE_H
#define WORK_LANE_H
/* A lane is a thread with a queue: jobs go in, results come back on the main thread. What crosses is moved, never
 * shared. A job owns its data; `run` works on the lane, `done` on the main thread inside lane_finish, then the job is
 * freed. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct lane;

struct lane_job {
    void (*run)(struct lane_job *job, void *lane_state); /* lane thread */
    void (*done)(struct lane_job *job, void *owner);     /* main thread; may be NULL */
    void (*free)(struct lane_job *job);                  /* main thread */
    struct lane_job *next;                               /* used by the lane */
    atomic_bool dropped; /* nobody waits for the result any more: `run` may check it and end early */
    atomic_bool pressed; /* another job waits: a job that can go on later should end now */
};

/* wake: called from the lane's thread when a result waits. lane_state: the lane's own state (a database connection),
 * passed to run. */
struct lane *lane_new(const char *name, void *lane_state, void (*wake)(void *context), void *context);
/* rest: called on the lane's thread, with its state, once the lane had nothing to do for so long after a job. Before
 * the first job. */
void lane_rest_after(struct lane *lane, int ms, void (*rest)(void *lane_state));
/* Runs the jobs that are queued (finish) or drops them, the running one too; joins the thread, frees the lane. */
void lane_free(struct lane *lane, bool finish);
void lane_push(struct lane *lane, struct lane_job *job); /* takes the job */
/* Drops queued jobs for which `stale` is true; a running one only gets `dropped` set, and its result still comes. */
void lane_drop(struct lane *lane, bool (*stale)(const struct lane_job *job, void *context), void *context);
size_t lane_waiting(struct lane *lane); /* queued or running */
/* Main thread: calls done and free for each result; returns how many. */
size_t lane_finish(struct lane *lane, void *owner);

#endif
