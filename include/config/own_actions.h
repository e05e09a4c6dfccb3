#ifndef CONFIG_OWN_ACTIONS_H
#define CONFIG_OWN_ACTIONS_H
/* Programs of the operator's own, run with the intent under the cursor: the file `actions`, a section for each. Argv
 * without a shell. Read once at start. */

#include "base/str.h"
#include "model/intent.h"

struct own_action {
    char *name;
    char **argv; /* with placeholders {field}, but for the program */
    size_t n, cap;
    char *personal;           /* the personal fields that may be handed to it, separated by blanks; NULL: none */
    bool reads;               /* it changes nothing: a read-only profile may run it */
    bool reads_given, faulty; /* while the file is read */
    int line;
};
struct own_actions {
    struct own_action *items;
    size_t n, cap;
};
/* Faults are lines of report, and each costs its section; name: of the file. */
void own_actions_parse(struct own_actions *actions, const char *name, const char *text, struct str *report);
/* False: there is no such file. */
bool own_actions_load(struct own_actions *actions, struct str *report);
void own_actions_clear(struct own_actions *actions);

/* The argv for an intent, with a NULL behind; ERR_USAGE where a value is missing, begins with '-', or could act. */
struct own_argv {
    char **items;
    size_t n, cap;
};
enum err own_action_fill(const struct own_action *action, const struct intent *intent, struct own_argv *out,
                         struct error *error) MUST_CHECK;
void own_argv_clear(struct own_argv *argv);

extern const char own_actions_sample[]; /* that `config init actions` writes */

#endif
