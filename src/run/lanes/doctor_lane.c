#include "doctor_lane.h"
#include "job.h"

#include "base/mem.h"
#include "net/probe.h"
#include "run/transfers/request_note.h"

#include <stdatomic.h>
#include <stdlib.h>

struct probe_work {
    struct doctor_lane *lane;
    uint64_t ticket;
    struct probe_ask *ask;
    atomic_bool cancel;
};
PAYLOAD_TYPE(probe_work)

static void probe_work_free(struct probe_work *work) {
    if (work->lane->latest == work)
        work->lane->latest = NULL;
    probe_ask_free(work->ask);
    free(work);
}
PAYLOAD_OWNED(probe_work, probe_work_free);

/* Of the opt-in probe: not an event, and labelled so. Its signature is wrong on purpose. */
static const char probe_body[] = "{\"type\":\"bursar.probe\",\"note\":\"a test of this endpoint, not an event\"}";

static void add_probe_headers(struct headers *headers) {
    headers_add(headers, "Content-Type", "application/json");
    headers_add(headers, "X-Bursar-Probe", "this is a test, not an event");
    headers_add(headers, "X-Webhook-Signature", "wrong-on-purpose");
}

static void doctor_lane_run(struct job *job, void *lane_state) {
    struct probe_work *work = job_work(job, probe_work);
    struct probe_result *result = mem_new(sizeof *result);
    struct headers headers = {0};
    (void)lane_state;
    add_probe_headers(&headers);
    const struct probe_target target = {.url = work->ask->url,
                                        .ca_file = work->ask->ca_file,
                                        .addresses = work->ask->addresses,
                                        .n_addresses = work->ask->n,
                                        .body = probe_body,
                                        .headers = &headers};
    job_answer(job, EVENT_PROBED, payload_of(probe_result, result));
    probe_run(work->ask->step, &target, &work->cancel, result);
    headers_clear(&headers);
}

/* It is one of the session's requests too. */
static void doctor_lane_done(struct job *job, void *owner) {
    const struct probe_work *work = job_work(job, probe_work);
    const struct performer *performer = owner;
    request_note_probe(performer->noter, work->ask->url, event_get(&job->answer, probe_result));
    job_tell(job, owner);
}

void perform_probe(struct performer *performer, struct effect *effect) {
    struct doctor_lane *lane = performer->doctor;
    struct probe_work *work = mem_new(sizeof *work);
    if (!lane->lane)
        lane->lane = lane_new("doctor", NULL, performer->wake, performer);
    work->lane = lane;
    work->ticket = effect->ticket;
    work->ask = effect_take(effect, probe_ask);
    atomic_init(&work->cancel, false);
    lane->latest = work;
    struct job *job = job_new(doctor_lane_run, effect->ticket, payload_of(probe_work, work), performer->tell);
    job->done = doctor_lane_done;
    lane_push(lane->lane, &job->lane);
}

bool doctor_lane_cancel(struct doctor_lane *lane, uint64_t ticket) {
    if (!lane->latest || lane->latest->ticket != ticket)
        return false;
    atomic_store(&lane->latest->cancel, true);
    return true;
}

void doctor_lane_close(struct doctor_lane *lane) {
    if (!lane->lane)
        return;
    if (lane->latest)
        atomic_store(&lane->latest->cancel, true);
    lane_free(lane->lane, false);
    lane->lane = NULL;
}
