#include "doctor_lane.h"

#include "base/mem.h"
#include "net/probe.h"

#include <stdatomic.h>
#include <stdlib.h>

struct probe_job {
    struct lane_job job;
    struct doctor_lane *lane;
    doctor_probed_fn *probed;
    uint64_t ticket;
    struct probe_ask *ask;
    atomic_bool cancel;
    struct probe_result *result;
};

/* Of the opt-in probe: not an event, and labelled so. Its signature is wrong on purpose. */
static const char probe_body[] = "{\"type\":\"bursar.probe\",\"note\":\"a test of this endpoint, not an event\"}";

static void add_probe_headers(struct headers *headers) {
    headers_add(headers, "Content-Type", "application/json");
    headers_add(headers, "X-Bursar-Probe", "this is a test, not an event");
    headers_add(headers, "X-Webhook-Signature", "wrong-on-purpose");
}

static void probe_job_run(struct lane_job *job, void *lane_state) {
    struct probe_job *own = (struct probe_job *)job;
    struct headers headers = {0};
    (void)lane_state;
    add_probe_headers(&headers);
    const struct probe_target target = {.url = own->ask->url,
                                        .ca_file = own->ask->ca_file,
                                        .addresses = own->ask->addresses,
                                        .n_addresses = own->ask->n,
                                        .body = probe_body,
                                        .headers = &headers};
    own->result = mem_new(sizeof *own->result);
    probe_run(own->ask->step, &target, &own->cancel, own->result);
    headers_clear(&headers);
}

static void probe_job_done(struct lane_job *job, void *owner) {
    struct probe_job *own = (struct probe_job *)job;
    struct probe_result *result = own->result;
    own->result = NULL;
    own->probed(owner, own->ticket, own->ask->url, result);
}

static void probe_job_free(struct lane_job *job) {
    struct probe_job *own = (struct probe_job *)job;
    if (own->lane->latest == own) {
        own->lane->latest = NULL;
    }
    if (own->result) {
        probe_result_clear(own->result);
        free(own->result);
    }
    probe_ask_free(own->ask);
    free(own);
}

void doctor_lane_ask(struct doctor_lane *lane, const struct doctor_lane_setup *setup, uint64_t ticket,
                     struct probe_ask *ask) {
    if (!lane->lane) {
        lane->lane = lane_new("doctor", NULL, setup->wake, setup->context);
    }
    struct probe_job *job = mem_new(sizeof *job);
    job->job = (struct lane_job){.run = probe_job_run, .done = probe_job_done, .free = probe_job_free};
    job->lane = lane;
    job->probed = setup->probed;
    job->ticket = ticket;
    job->ask = ask;
    atomic_init(&job->cancel, false);
    lane->latest = job;
    lane_push(lane->lane, &job->job);
}

bool doctor_lane_cancel(struct doctor_lane *lane, uint64_t ticket) {
    if (!lane->latest || lane->latest->ticket != ticket) {
        return false;
    }
    atomic_store(&lane->latest->cancel, true);
    return true;
}

void doctor_lane_close(struct doctor_lane *lane) {
    if (!lane->lane) {
        return;
    }
    if (lane->latest) {
        atomic_store(&lane->latest->cancel, true);
    }
    lane_free(lane->lane, false);
    lane->lane = NULL;
}
