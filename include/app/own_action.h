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
/* What is said where there is no file of them. */
#define OWN_ACTIONS_NONE "there are none: bursar config init actions writes a sample of the file"
/* ERR_READ_ONLY: a read-only profile runs only what is marked reads = yes. */
enum err own_action_allowed(const struct own_action *action, bool read_only, struct error *error) MUST_CHECK;
/* What would run, each argument on a line of its own: nobody has to guess where one ends. */
enum { OWN_QUESTION_BYTES = 1 << 20 }; /* more than all arguments can have */
void own_argv_question(const struct own_argv *argv, struct str *out);
PAYLOAD_TYPE(own_ask)
void effects_own(struct effects *effects, struct own_ask *ask); /* takes ask; EVENT_OWN */

struct own_done {
    const char *name, *output; /* output: as printed, not yet clean */
    size_t len;
    bool cut;                  /* it printed more */
    const struct error *error; /* code ERR_OK where it ended well */
};
PAYLOAD_TYPE(own_done)

#endif
