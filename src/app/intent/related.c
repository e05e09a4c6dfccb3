#include "app/related.h"

#include <stdlib.h>

struct related *related_new(void) {
    return mem_new(sizeof(struct related));
}

void related_free(struct related *related) {
    if (!related)
        return;
    arena_clear(&related->arena);
    free(related->items);
    free(related);
}
PAYLOAD_OWNED(related, related_free);

unsigned related_findings(const struct related *related) {
    unsigned found = 0;
    for (size_t i = 0; related && i < related->n; i++)
        found |= FINDING_BIT(related->items[i].finding);
    return found;
}

uint64_t effects_related(struct effects *effects, struct lookup_name *name) {
    return effects_ask(effects, EFFECT_RELATED, payload_of(lookup_name, name));
}
