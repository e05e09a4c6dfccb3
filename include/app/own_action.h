#ifndef APP_OWN_ACTION_H
#define APP_OWN_ACTION_H
/* Running a program of the operator's own with an intent (config/own_actions.h): what is asked of the screen, which
 * leaves it the terminal's input, and what came of it. */

#include "app/effect.h"
#include "config/own_actions.h"

struct own_ask {
    char *name;
    struct own_argv argv;
};
void own_ask_free(struct own_ask *ask);
PAYLOAD_TYPE(own_ask)
void effects_own(struct effects *effects, struct own_ask *ask); /* takes ask; EVENT_OWN */

struct own_done {
    const char *name, *output; /* output: as printed, not yet clean */
    size_t len;
    const struct error *error; /* code ERR_OK where it ended well */
};
PAYLOAD_TYPE(own_done)

#endif
