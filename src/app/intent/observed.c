#include "app/observed.h"

#include <stdlib.h>

struct observed *observed_new(void) {
    return mem_new(sizeof(struct observed));
}

void observed_free(struct observed *observed) {
    if (!observed)
        return;
    arena_clear(&observed->arena);
    free(observed->items);
    free(observed);
}
PAYLOAD_OWNED(observed, observed_free);

struct lookup_name *observed_ask(const char *id, int64_t created_ms, int64_t key) {
    struct lookup_name *ask = mem_new(sizeof *ask);
    *ask = lookup_name_of(id, created_ms, key);
    return ask;
}

void observed_ask_free(struct lookup_name *ask) {
    if (ask) {
        free(ask->id);
        free(ask);
    }
}
PAYLOAD_OWNED(lookup_name, observed_ask_free);

uint64_t effects_observed(struct effects *effects, struct lookup_name *name) {
    return effects_ask(effects, EFFECT_OBSERVED, payload_of(lookup_name, name));
}
