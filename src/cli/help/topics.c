#include "topics.h"

#include "base/mem.h"

const struct fact exit_facts[] = {
    {"0", "Done."},
    {"1", "This machine failed: a file, the store or the terminal."},
    {"2", "The command or the configuration was not understood, or the profile is read-only."},
    {"3", "The service did not accept the token (401, 403)."},
    {"4", "The service refused the request (another 4xx, or a redirect, which is never followed)."},
    {"5", "The network or the service failed (5xx, no answer in time) and nothing was written."},
    {"6", "It is not known whether the service did what was asked."},
    {"7", "What came back is not an answer of the service."},
    {"8", "Incomplete: what there is was printed."},
    {"9", "The check found faults."},
    {"128+N", "Ended by signal N."},
};
const size_t n_exit_facts = COUNT_OF(exit_facts);

const struct fact environment_facts[] = {
    {"BURSAR_CONFIG", "Absolute path of the configuration file. The option --config goes before it."},
    {"BURSAR_PROFILE", "The profile to use. The option --profile goes before it."},
    {"BURSAR_THEME", "The theme to use, by name or by path. The option --theme goes before it."},
    {"NO_COLOR", "Set and not empty: attributes only, no colours."},
    {"XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME", "Where the operator's files are; each must be absolute."},
};
const size_t n_environment_facts = COUNT_OF(environment_facts);
