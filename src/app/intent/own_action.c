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

enum err own_action_allowed(const struct own_action *action, bool read_only, struct error *error) {
    if (!read_only || action->reads)
        return ERR_OK;
    return error_set(error, ERR_READ_ONLY, "this profile is read-only, and %s is not marked: reads = yes",
                     action->name);
}

void own_argv_question(const struct own_argv *argv, struct str *out) {
    str_add(out, "This runs, each line one argument and no shell:");
    for (char *const *at = argv->items; *at; at++)
        str_addf(out, "\n  %s", *at);
}
