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
    struct lane_job *next;                               /* the lane's own */
    atomic_bool dropped;                                 /* nobody waits for it any more: `run` may look and end */
    atomic_bool pressed;                                 /* another job waits: one that can go on later may end now */
};

/* wake: called from the lane's thread when a result waits. lane_state: the lane's own (a database connection), passed
 * to run. */
struct lane *lane_new(const char *name, void *lane_state, void (*wake)(void *context), void *context);
/* Runs what is queued (finish) or drops it, the running one too; joins, frees. */
void lane_free(struct lane *lane, bool finish);
void lane_push(struct lane *lane, struct lane_job *job); /* takes the job */
/* Drops queued jobs that `stale` names; the running one is told by its `dropped`, and its result comes all the same. */
void lane_drop(struct lane *lane, bool (*stale)(const struct lane_job *job, void *context), void *context);
size_t lane_waiting(struct lane *lane); /* queued or running */
/* Main thread: calls done and free for each result; returns how many. */
size_t lane_finish(struct lane *lane, void *owner);

#endif
