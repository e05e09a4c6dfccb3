#include "app/own_action.h"

#include "base/mem.h"

#include <stdlib.h>

PAYLOAD_OWNED(own_ask, own_ask_free);
PAYLOAD_BORROWED(own_done);

void own_ask_free(struct own_ask *ask) {
    if (!ask)
        return;
    own_argv_clear(&ask->argv);
    free(ask->name);
    free(ask);
}

void effects_own(struct effects *effects, struct own_ask *ask) {
    (void)effects_ask(effects, EFFECT_OWN, payload_of(own_ask, ask));
}
