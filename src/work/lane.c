#include "work/lane.h"

#include "base/invariant.h"
#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One lock guards what both threads touch. A job is touched by one of them at a time: by the main thread before the
 * lane takes it and after it is among the results, by the lane in between; the lock is not held while it runs. The
 * exceptions are `dropped` and `pressed`, which are atomic, and what `stale` of lane_drop reads, which `run` must not
 * change. */

struct queue {
    struct lane_job *head, *tail;
    size_t n;
};

struct lane {
    pthread_t thread;
    pthread_mutex_t lock; /* guards jobs, results, running and closing */
    pthread_cond_t work;
    struct queue jobs, results;
    struct lane_job *running; /* NULL: none */
    bool closing;
    int rest_ms;
    void (*rest)(void *lane_state); /* NULL: nothing is done at rest */
    void *state;
    void (*wake)(void *context);
    void *context;
    char name[16]; /* the kernel takes no longer name */
};

static void lane_append(struct queue *queue, struct lane_job *job) {
    INVARIANT((queue->n == 0) == !queue->head);
    job->next = NULL;
    if (queue->tail)
        queue->tail->next = job;
    else
        queue->head = job;
    queue->tail = job;
    queue->n++;
}

static struct lane_job *lane_shift(struct queue *queue) {
    struct lane_job *job = queue->head;
    INVARIANT((queue->n == 0) == !job);
    if (!job)
        return NULL;
    queue->head = job->next;
    if (!queue->head)
        queue->tail = NULL;
    queue->n--;
    job->next = NULL;
    return job;
}

static void free_all(struct queue *queue) {
    struct lane_job *job;
    while ((job = lane_shift(queue)))
        job->free(job);
}

static bool is_idle(const struct lane *lane) {
    return !lane->jobs.head && !lane->closing;
}

/* Expects the lock to be held, and returns with it held. */
static void rest_when_idle(struct lane *lane) {
    enum { SECOND_MS = 1000, MS_NS = 1000000 };
    struct timespec until;
    int late = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(lane->rest_ms % SECOND_MS) * MS_NS;
    until.tv_sec += lane->rest_ms / SECOND_MS + until.tv_nsec / ((long)SECOND_MS * MS_NS);
    until.tv_nsec %= (long)SECOND_MS * MS_NS;
    while (is_idle(lane) && late == 0)
        late = pthread_cond_timedwait(&lane->work, &lane->lock, &until);
    if (!is_idle(lane))
        return;
    pthread_mutex_unlock(&lane->lock);
    lane->rest(lane->state);
    pthread_mutex_lock(&lane->lock);
}

/* Expects the lock to be held, and returns with it held. */
static struct lane_job *next_job(struct lane *lane, bool first) {
    if (!first && lane->rest && is_idle(lane))
        rest_when_idle(lane);
    while (is_idle(lane))
        pthread_cond_wait(&lane->work, &lane->lock);
    struct lane_job *job = lane_shift(&lane->jobs);
    INVARIANT(!lane->running);
    if (job && lane->jobs.head)
        atomic_store(&job->pressed, true);
    lane->running = job;
    return job;
}

static void *work(void *argument) {
    struct lane *lane = argument;
    pthread_setname_np(pthread_self(), lane->name);
    pthread_mutex_lock(&lane->lock);
    struct lane_job *job;
    for (bool first = true; (job = next_job(lane, first)); first = false) {
        pthread_mutex_unlock(&lane->lock);
        job->run(job, lane->state);
        pthread_mutex_lock(&lane->lock);
        lane_append(&lane->results, job);
        lane->running = NULL;
        pthread_mutex_unlock(&lane->lock);
        if (lane->wake)
            lane->wake(lane->context);
        pthread_mutex_lock(&lane->lock);
    }
    pthread_mutex_unlock(&lane->lock);
    return NULL;
}

/* The lane's thread inherits a mask without signals: they are handled on the main thread. */
static void work_lane_start(struct lane *lane) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&lane->thread, NULL, work, lane);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        mem_fatal("a worker thread could not be started");
}

struct lane *lane_new(const char *name, void *lane_state, void (*wake)(void *context), void *context) {
    struct lane *lane = mem_new(sizeof *lane);
    lane->state = lane_state;
    lane->wake = wake;
    lane->context = context;
    memcpy(lane->name, name, strnlen(name, sizeof lane->name - 1));
    pthread_mutex_init(&lane->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&lane->work, &monotonic);
    pthread_condattr_destroy(&monotonic);
    work_lane_start(lane);
    return lane;
}

void lane_rest_after(struct lane *lane, int ms, void (*rest)(void *lane_state)) {
    pthread_mutex_lock(&lane->lock);
    lane->rest_ms = ms;
    lane->rest = rest;
    pthread_mutex_unlock(&lane->lock);
}

void lane_free(struct lane *lane, bool finish) {
    if (!lane)
        return;
    struct queue dropped = {0};
    pthread_mutex_lock(&lane->lock);
    lane->closing = true;
    if (!finish) {
        dropped = lane->jobs;
        lane->jobs = (struct queue){0};
        if (lane->running)
            atomic_store(&lane->running->dropped, true);
    }
    pthread_cond_signal(&lane->work);
    pthread_mutex_unlock(&lane->lock);
    free_all(&dropped);
    pthread_join(lane->thread, NULL);
    free_all(&lane->results);
    pthread_cond_destroy(&lane->work);
    pthread_mutex_destroy(&lane->lock);
    free(lane);
}

void lane_push(struct lane *lane, struct lane_job *job) {
    pthread_mutex_lock(&lane->lock);
    lane_append(&lane->jobs, job);
    if (lane->running)
        atomic_store(&lane->running->pressed, true);
    pthread_cond_signal(&lane->work);
    pthread_mutex_unlock(&lane->lock);
}

void lane_drop(struct lane *lane, bool (*stale)(const struct lane_job *job, void *context), void *context) {
    struct queue kept = {0}, dropped = {0};
    struct lane_job *job;
    pthread_mutex_lock(&lane->lock);
    while ((job = lane_shift(&lane->jobs)))
        lane_append(stale(job, context) ? &dropped : &kept, job);
    lane->jobs = kept;
    if (lane->running && stale(lane->running, context))
        atomic_store(&lane->running->dropped, true);
    pthread_mutex_unlock(&lane->lock);
    free_all(&dropped);
}

size_t lane_waiting(struct lane *lane) {
    pthread_mutex_lock(&lane->lock);
    size_t n = lane->jobs.n + (lane->running ? 1 : 0);
    pthread_mutex_unlock(&lane->lock);
    return n;
}

size_t lane_finish(struct lane *lane, void *owner) {
    if (!lane)
        return 0;
    pthread_mutex_lock(&lane->lock);
    struct queue results = lane->results;
    lane->results = (struct queue){0};
    pthread_mutex_unlock(&lane->lock);
    size_t n = results.n;
    struct lane_job *job;
    while ((job = lane_shift(&results))) {
        if (job->done)
            job->done(job, owner);
        job->free(job);
    }
    return n;
}
