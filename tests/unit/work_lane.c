#include "work/lane.h"

#include "base/clock.h"
#include "base/mem.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { DEADLINE_MS = 10000, MANY = 20000 };

struct seen {
    int order[64];
    size_t n;
};

struct probe {
    struct lane_job job;
    int number;
    int waits_for; /* a descriptor read before the work; -1: none */
    pthread_t ran_on;
    int state_seen;
    bool blocks_signals;
    size_t *freed;
};

static void run(struct lane_job *job, void *lane_state) {
    struct probe *probe = (struct probe *)job;
    char byte;
    if (probe->waits_for >= 0 && read(probe->waits_for, &byte, 1) != 1)
        abort(); /* cmocka's asserts belong to its own thread */
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    probe->blocks_signals = sigismember(&mask, SIGTERM) && sigismember(&mask, SIGWINCH);
    probe->ran_on = pthread_self();
    if (lane_state)
        probe->state_seen = ++*(int *)lane_state;
}

static void done(struct lane_job *job, void *owner) {
    struct seen *seen = owner;
    if (seen->n < 64)
        seen->order[seen->n] = ((struct probe *)job)->number;
    seen->n++;
}

static void release(struct lane_job *job) {
    struct probe *probe = (struct probe *)job;
    if (probe->freed)
        ++*probe->freed;
    free(probe);
}

static struct lane_job *make(int number, int waits_for, size_t *freed) {
    struct probe *probe = mem_new(sizeof *probe);
    probe->job = (struct lane_job){.run = run, .done = done, .free = release};
    probe->number = number;
    probe->waits_for = waits_for;
    probe->freed = freed;
    return &probe->job;
}

static void ring(void *context) {
    if (write(*(int *)context, "!", 1) != 1)
        abort();
}

static void finish_all(struct lane *lane, int bell, struct seen *seen, size_t n) {
    int64_t end = clock_mono() + DEADLINE_MS;
    while (seen->n < n) {
        struct pollfd fd = {.fd = bell, .events = POLLIN};
        char bytes[256];
        assert_true(clock_mono() < end);
        if (poll(&fd, 1, 1000) == 1)
            assert_true(read(bell, bytes, sizeof bytes) > 0);
        lane_finish(lane, seen);
    }
}

struct fixture {
    int bell[2], gate[2];
    struct lane *lane;
    int state;
};

static int set_up(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    assert_int_equal(pipe(f->bell), 0);
    assert_int_equal(pipe(f->gate), 0);
    f->lane = lane_new("a lane with a long name", &f->state, ring, &f->bell[1]);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    lane_free(f->lane, false);
    for (int i = 0; i < 2; i++) {
        (void)close(f->bell[i]);
        (void)close(f->gate[i]);
    }
    free(f);
    return 0;
}

static void results_come_back_in_order_on_the_asking_thread(void **state) {
    struct fixture *f = *state;
    struct seen seen = {0};
    size_t freed = 0;
    for (int i = 0; i < 20; i++)
        lane_push(f->lane, make(i, -1, &freed));
    finish_all(f->lane, f->bell[0], &seen, 20);
    for (int i = 0; i < 20; i++)
        assert_int_equal(seen.order[i], i);
    assert_int_equal(freed, 20);
    assert_int_equal(f->state, 20);
    assert_int_equal(lane_waiting(f->lane), 0);
}

static struct probe kept;
static void keep(struct lane_job *job, void *owner) {
    kept = *(struct probe *)job;
    done(job, owner);
}

static void work_runs_on_another_thread_with_signals_blocked(void **state) {
    struct fixture *f = *state;
    struct seen seen = {0};
    struct lane_job *job = make(1, -1, NULL);
    job->done = keep;
    lane_push(f->lane, job);
    finish_all(f->lane, f->bell[0], &seen, 1);
    assert_false(pthread_equal(kept.ran_on, pthread_self()));
    assert_true(kept.blocks_signals);
    assert_int_equal(kept.state_seen, 1);
}

static bool is_odd(const struct lane_job *job, void *context) {
    (void)context;
    return ((const struct probe *)job)->number % 2 == 1;
}

static void dropping_spares_the_running_job_and_the_fresh_ones(void **state) {
    struct fixture *f = *state;
    struct seen seen = {0};
    size_t freed = 0;
    lane_push(f->lane, make(1, f->gate[0], &freed));
    int64_t end = clock_mono() + DEADLINE_MS;
    lane_push(f->lane, make(2, f->gate[0], &freed));
    lane_push(f->lane, make(3, f->gate[0], &freed));
    lane_push(f->lane, make(4, f->gate[0], &freed));
    lane_push(f->lane, make(5, f->gate[0], &freed));
    /* Job 1 is taken once a drop no longer reaches it; what is dropped before is made again. */
    assert_int_equal(write(f->gate[1], "1", 1), 1);
    while (seen.n == 0 && clock_mono() < end)
        lane_finish(f->lane, &seen);
    lane_drop(f->lane, is_odd, NULL);
    assert_int_equal(freed, 3);
    assert_int_equal(lane_waiting(f->lane), 2);
    assert_int_equal(write(f->gate[1], "22", 2), 2);
    finish_all(f->lane, f->bell[0], &seen, 3);
    assert_int_equal(seen.order[0], 1);
    assert_int_equal(seen.order[1], 2);
    assert_int_equal(seen.order[2], 4);
}

/* A job that says when it runs, goes on when the gate opens, and looks whether anybody still waits for it. */
struct told {
    struct lane_job job;
    int begun, gate;
    bool dropped, pressed;
};

static void run_told(struct lane_job *job, void *lane_state) {
    struct told *told = (struct told *)job;
    char byte;
    (void)lane_state;
    if (write(told->begun, "1", 1) != 1 || read(told->gate, &byte, 1) != 1)
        abort(); /* cmocka's asserts belong to its own thread */
    told->dropped = atomic_load(&job->dropped);
    told->pressed = atomic_load(&job->pressed);
}

static bool is_told(const struct lane_job *job, void *context) {
    return job == context;
}

static void count(struct lane_job *job, void *owner) {
    (void)job;
    ((struct seen *)owner)->n++;
}

static void free_nothing(struct lane_job *job) {
    (void)job;
}

static void a_running_job_is_told_that_nobody_waits(void **state) {
    struct fixture *f = *state;
    for (int drop = 0; drop < 2; drop++) {
        int begun[2];
        char byte;
        assert_int_equal(pipe(begun), 0);
        struct told told = {.job = {.run = run_told, .free = free_nothing}, .begun = begun[1], .gate = f->gate[0]};
        lane_push(f->lane, &told.job);
        assert_int_equal(read(begun[0], &byte, 1), 1);
        if (drop)
            lane_drop(f->lane, is_told, &told);
        assert_int_equal(write(f->gate[1], "1", 1), 1);
        int64_t end = clock_mono() + DEADLINE_MS;
        size_t finished = 0;
        while (finished == 0 && clock_mono() < end)
            finished = lane_finish(f->lane, NULL);
        assert_int_equal(finished, 1); /* its result comes all the same */
        assert_int_equal(told.dropped, drop);
        close(begun[0]);
        close(begun[1]);
    }
}

static void a_running_job_is_told_that_another_waits(void **state) {
    struct fixture *f = *state;
    for (int press = 0; press < 2; press++) {
        int begun[2];
        char byte;
        struct seen seen = {0};
        assert_int_equal(pipe(begun), 0);
        struct told told = {
            .job = {.run = run_told, .done = count, .free = free_nothing}, .begun = begun[1], .gate = f->gate[0]};
        lane_push(f->lane, &told.job);
        assert_int_equal(read(begun[0], &byte, 1), 1);
        if (press)
            lane_push(f->lane, make(2, -1, NULL));
        assert_int_equal(write(f->gate[1], "1", 1), 1);
        finish_all(f->lane, f->bell[0], &seen, press ? 2 : 1);
        assert_int_equal(told.pressed, press);
        assert_false(told.dropped);
        (void)close(begun[0]);
        (void)close(begun[1]);
    }
}

static void a_job_that_begins_with_others_behind_it_is_told_so(void **state) {
    struct fixture *f = *state;
    int begun[2];
    char byte;
    struct seen seen = {0};
    assert_int_equal(pipe(begun), 0);
    lane_push(f->lane, make(1, f->gate[0], NULL));
    struct told told = {
        .job = {.run = run_told, .done = count, .free = free_nothing}, .begun = begun[1], .gate = f->gate[0]};
    lane_push(f->lane, &told.job);
    lane_push(f->lane, make(3, -1, NULL));
    assert_int_equal(write(f->gate[1], "11", 2), 2);
    assert_int_equal(read(begun[0], &byte, 1), 1);
    finish_all(f->lane, f->bell[0], &seen, 3);
    assert_true(told.pressed);
    (void)close(begun[0]);
    (void)close(begun[1]);
}

static bool all(const struct lane_job *job, void *context) {
    (void)job;
    (void)context;
    return true;
}

static void push_never_waits_for_a_stuck_job(void **state) {
    struct fixture *f = *state;
    struct seen seen = {0};
    lane_push(f->lane, make(0, f->gate[0], NULL));
    for (int i = 1; i < 1000; i++)
        lane_push(f->lane, make(i, -1, NULL));
    assert_true(lane_waiting(f->lane) >= 999);
    lane_drop(f->lane, all, NULL);
    assert_true(lane_waiting(f->lane) <= 1);
    assert_int_equal(write(f->gate[1], "1", 1), 1);
    lane_push(f->lane, make(1000, -1, NULL));
    int64_t end = clock_mono() + DEADLINE_MS;
    while (lane_waiting(f->lane) > 0 && clock_mono() < end)
        lane_finish(f->lane, &seen);
    lane_finish(f->lane, &seen);
    assert_int_equal(lane_waiting(f->lane), 0);
    assert_true(seen.n >= 1 && seen.n <= 2);
}

static void a_job_without_done_is_freed(void **state) {
    struct fixture *f = *state;
    struct seen seen = {0};
    size_t freed = 0;
    struct lane_job *job = make(1, -1, &freed);
    job->done = NULL;
    lane_push(f->lane, job);
    lane_push(f->lane, make(2, -1, &freed));
    finish_all(f->lane, f->bell[0], &seen, 1);
    assert_int_equal(freed, 2);
    assert_int_equal(seen.order[0], 2);
}

static void ending_with_finish_runs_all_that_is_queued(void **state) {
    (void)state;
    int ran = 0;
    size_t freed = 0;
    struct lane *lane = lane_new("ending", &ran, NULL, NULL);
    for (int i = 0; i < MANY; i++)
        lane_push(lane, make(i, -1, &freed));
    lane_free(lane, true);
    assert_int_equal(ran, MANY);
    assert_int_equal(freed, MANY);
}

static int gate_of_the_running;
static void release_and_open(struct lane_job *job) {
    release(job);
    ring(&gate_of_the_running);
}

static void ending_without_finish_drops_the_queue(void **state) {
    struct fixture *f = *state;
    int ran = 0;
    size_t freed = 0;
    struct lane *lane = lane_new("dropping", &ran, NULL, NULL);
    gate_of_the_running = f->gate[1];
    for (int i = 0; i < 100; i++) {
        struct lane_job *job = make(i, f->gate[0], &freed);
        job->free = release_and_open; /* the running job goes on once the queue is dropped, so no second one can run */
        lane_push(lane, job);
    }
    lane_free(lane, false);
    assert_true(ran <= 1);
    assert_int_equal(freed, 100);
}

static void nothing_is_lost_under_load(void **state) {
    struct fixture *f = *state;
    struct seen seen = {0};
    size_t freed = 0;
    for (int i = 0; i < MANY; i++) {
        lane_push(f->lane, make(i, -1, &freed));
        if (i % 7 == 0)
            lane_finish(f->lane, &seen);
        char bytes[4096];
        struct pollfd fd = {.fd = f->bell[0], .events = POLLIN};
        if (i % 100 == 0 && poll(&fd, 1, 0) == 1)
            assert_true(read(f->bell[0], bytes, sizeof bytes) > 0);
    }
    finish_all(f->lane, f->bell[0], &seen, MANY);
    assert_int_equal(seen.n, MANY);
    assert_int_equal(freed, MANY);
    assert_int_equal(f->state, MANY);
}

#define AFTER_SET_UP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static atomic_int rested;

static void count_rest(void *lane_state) {
    if (lane_state)
        atomic_fetch_add(&rested, 1);
}

static void wait_for_rests(int n) {
    int64_t end = clock_mono() + DEADLINE_MS;
    while (atomic_load(&rested) < n && clock_mono() < end)
        (void)poll(NULL, 0, 1);
    assert_int_equal(atomic_load(&rested), n);
}

/* Once after each time in which it had something to do, and not before it had. */
static void rests_once_it_has_nothing_to_do(void **state) {
    (void)state;
    int lane_state = 0;
    struct lane *lane = lane_new("rests", &lane_state, NULL, NULL);
    atomic_store(&rested, 0);
    lane_rest_after(lane, 1020, count_rest);
    for (int round = 0; round < 2; round++) {
        lane_push(lane, make(round, -1, NULL));
        wait_for_rests(round + 1);
        assert_int_equal(lane_waiting(lane), 0);
    }
    lane_free(lane, true);
    assert_int_equal(atomic_load(&rested), 2);
    assert_int_equal(lane_state, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_SET_UP(results_come_back_in_order_on_the_asking_thread),
        AFTER_SET_UP(work_runs_on_another_thread_with_signals_blocked),
        AFTER_SET_UP(a_running_job_is_told_that_nobody_waits),
        AFTER_SET_UP(a_running_job_is_told_that_another_waits),
        AFTER_SET_UP(a_job_that_begins_with_others_behind_it_is_told_so),
        AFTER_SET_UP(dropping_spares_the_running_job_and_the_fresh_ones),
        AFTER_SET_UP(push_never_waits_for_a_stuck_job),
        AFTER_SET_UP(a_job_without_done_is_freed),
        cmocka_unit_test(rests_once_it_has_nothing_to_do),
        cmocka_unit_test(ending_with_finish_runs_all_that_is_queued),
        AFTER_SET_UP(ending_without_finish_drops_the_queue),
        AFTER_SET_UP(nothing_is_lost_under_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
