/* A measurement that is called off: the one that runs ends at once and says so, one that waits is never made. */
#include "run/lanes/doctor_lane.h"
#include "run/perform.h"

#include "base/mem.h"
#include "net/probe.h"
#include "support/relay.h"
#include "unit/run_unnoted.h"

#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FIRST = 7, SECOND = 8, WAIT_MS = 10, WAITS = 1000 };

struct fixture {
    struct relay *silent;
    struct doctor_lane lane;
    struct performer performer;
    sem_t woken;
    uint64_t answered[4];
    enum probe_cause cause;
    size_t n;
};
static struct fixture *current;

static void wake(void *performer) {
    (void)performer;
    sem_post(&current->woken);
}

static void tell(void *owner, struct event *event) {
    (void)owner;
    assert_int_equal(event->kind, EVENT_PROBED);
    current->cause = event_get(event, probe_result)->pass.cause;
    current->answered[current->n++] = event->ticket;
}

static int set_up(void **state) {
    static const struct relay_answer NEVER = {.bytes = "HTTP/1.1 204 No Content\r\n\r\n"};
    static const struct relay_fault STALL = {.stall = RELAY_STALL_ACCEPT};
    struct fixture *f = current = mem_new(sizeof *f);
    sem_init(&f->woken, 0, 0);
    f->silent = relay_script(&NEVER, 1, &STALL);
    f->performer = (struct performer){.doctor = &f->lane, .noter = &NOTER, .wake = wake, .tell = tell};
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    doctor_lane_close(&f->lane);
    relay_free(f->silent);
    sem_destroy(&f->woken);
    free(f);
    return 0;
}

static void measure(struct fixture *f, uint64_t ticket) {
    struct probe_ask *ask = mem_new(sizeof *ask);
    char url[64];
    (void)snprintf(url, sizeof url, "https://127.0.0.1:%d/", relay_port(f->silent));
    ask->step = PROBE_GET;
    ask->url = mem_dup(url);
    struct effect effect = {.kind = EFFECT_PROBE, .ticket = ticket, .payload = payload_of(probe_ask, ask)};
    perform_probe(&f->performer, &effect);
}

static void until_connected(struct fixture *f) {
    for (int i = 0; i < WAITS && relay_connections(f->silent) == 0; i++)
        (void)poll(NULL, 0, WAIT_MS);
    assert_int_equal(relay_connections(f->silent), 1);
}

static void one_that_runs_ends_and_says_it_was_cancelled(void **state) {
    struct fixture *f = *state;
    measure(f, FIRST);
    until_connected(f);
    doctor_lane_cancel(&f->lane, FIRST);
    sem_wait(&f->woken);
    assert_int_equal(lane_finish(f->lane.lane, &f->performer), 1);
    assert_int_equal(f->answered[0], FIRST);
    assert_int_equal(f->cause, PROBE_CANCELLED);
}

static void another_is_left_alone(void **state) {
    struct fixture *f = *state;
    measure(f, FIRST);
    until_connected(f);
    doctor_lane_cancel(&f->lane, SECOND);
    assert_int_equal(lane_waiting(f->lane.lane), 1);
    assert_int_equal(lane_finish(f->lane.lane, &f->performer), 0);
}

static void one_that_waits_is_never_made(void **state) {
    struct fixture *f = *state;
    measure(f, FIRST);
    until_connected(f);
    measure(f, SECOND);
    doctor_lane_cancel(&f->lane, SECOND);
    doctor_lane_cancel(&f->lane, FIRST);
    sem_wait(&f->woken);
    assert_int_equal(lane_finish(f->lane.lane, &f->performer), 1);
    assert_int_equal(f->answered[0], FIRST);
    assert_int_equal(lane_waiting(f->lane.lane), 0);
    assert_int_equal(relay_connections(f->silent), 1);
}

#define AFTER_SET_UP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_SET_UP(one_that_runs_ends_and_says_it_was_cancelled),
        AFTER_SET_UP(another_is_left_alone),
        AFTER_SET_UP(one_that_waits_is_never_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
