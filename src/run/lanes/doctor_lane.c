#include "doctor_lane.h"
#include "job.h"

#include "base/mem.h"
#include "net/probe.h"
#include "run/transfers/request_note.h"

#include <stdlib.h>

/* Of the opt-in probe: not an event, and labelled so. Its signature is wrong on purpose. */
static const char probe_body[] = "{\"type\":\"bursar.probe\",\"note\":\"a test of this endpoint, not an event\"}";

static void add_probe_headers(struct headers *headers) {
    headers_add(headers, "Content-Type", "application/json");
    headers_add(headers, "X-Bursar-Probe", "this is a test, not an event");
    headers_add(headers, "X-Webhook-Signature", "wrong-on-purpose");
}

static void doctor_lane_run(struct job *job, void *lane_state) {
    const struct probe_ask *ask = job_work(job, probe_ask);
    struct probe_result *result = mem_new(sizeof *result);
    struct headers headers = {0};
    (void)lane_state;
    add_probe_headers(&headers);
    const struct probe_target target = {.url = ask->url,
                                        .ca_file = ask->ca_file,
                                        .addresses = ask->addresses,
                                        .n_addresses = ask->n,
                                        .body = probe_body,
                                        .headers = &headers};
    job_answer(job, EVENT_PROBED, payload_of(probe_result, result));
    probe_run(ask->step, &target, &job->lane.dropped, result);
    headers_clear(&headers);
}

/* It also counts as a request of the session. */
static void doctor_lane_done(struct job *job, void *owner) {
    const struct performer *performer = owner;
    request_note_probe(performer->noter, job_work(job, probe_ask)->url, event_get(&job->answer, probe_result));
    job_tell(job, owner);
}

void perform_probe(struct performer *performer, struct effect *effect) {
    struct doctor_lane *lane = performer->doctor;
    if (!lane->lane)
        lane->lane = lane_new("doctor", NULL, performer->wake, performer);
    struct job *job = job_new(doctor_lane_run, effect->ticket, payload_of(probe_ask, effect_take(effect, probe_ask)),
                              performer->tell);
    job->done = doctor_lane_done;
    lane_push(lane->lane, &job->lane);
}

void doctor_lane_cancel(struct doctor_lane *lane, uint64_t ticket) {
    if (lane->lane)
        lane_drop(lane->lane, job_is_of, &ticket);
}

void doctor_lane_close(struct doctor_lane *lane) {
    lane_free(lane->lane, false);
    lane->lane = NULL;
}
