#include "model/probe.h"

#include "base/clock.h"

#include <stdlib.h>

void probe_result_init(struct probe_result *result, enum probe_step step) {
    *result = (struct probe_result){.step = step, .pass.date = CLOCK_NONE};
}

static void clear_certificate(struct probe_certificate *certificate) {
    for (size_t i = 0; i < certificate->n_names; i++)
        free(certificate->names[i]);
    free(certificate->names);
    free(certificate->subject);
    free(certificate->issuer);
    free(certificate->key);
    free(certificate->signature);
}

void probe_result_clear(struct probe_result *result) {
    for (size_t i = 0; i < result->chain.n; i++)
        clear_certificate(&result->chain.items[i]);
    free(result->chain.items);
    free(result->pass.type);
    free(result->pass.allow);
    free(result->pass.server);
    free(result->pass.redirect);
    free(result->pass.proxy);
    probe_result_init(result, result->step);
}
