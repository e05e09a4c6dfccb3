#include "topics.h"

#include "app/actions.h"
#include "base/mem.h"
#include "ui/keymap.h"

#include <string.h>

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

const struct job_fact job_facts[] = {
    {"Find an intent", "intents list 'FILTER', intents show ID", ACTION_FILTER},
    {"Match against a file", "intents match FILE --on id", ACTION_MATCH},
    {"Ids from a list", "intents list 'id:@FILE'", ACTION_FILTER},
    {"Counts and sums", "intents stats --by FIELD", ACTION_COUNTS},
    {"What is stuck, and how long", "intents stats 'status:pending age>3d' --by age --fresh", ACTION_COUNTS},
    {"Cross table, rates, periods", "intents stats 'created>=-7d' --by bank --rate approved --compare -7d",
     ACTION_COUNTS},
    {"Customer", "users show ID", ACTION_USER_INTENTS},
    {"Attempts as one payment", "intents stats --by attempts", ACTION_ATTEMPTS},
    {"Counts over time, charts", "intents stats --over day --chart", ACTION_PANE_OVERVIEW},
    {"Business day", "--tz ZONE, or timezone and day_ends of the profile", ACTION_TIME},
    {"What changed", "intents stats --by transition", ACTION_CHANGES},
    {"Notes and tags", "intents note, intents tag", ACTION_ADD_NOTE},
    {"What a decline means", "intents stats --by decline", ACTION_OPEN},
    {"Hand over to a colleague", "intents show ID", ACTION_COPY_AS},
    {"Export to a file", "intents list --all --format csv", ACTION_EXPORT},
    {"For a spreadsheet", "intents list --all --format csv-excel", ACTION_EXPORT},
    {"Audit sample", "intents list --cached --sample 50 --seed 7", ACTION_EXPORT},
    {"Own actions", NULL, ACTION_OWN_ACTIONS},
    {"Watch for what is new", "intents list --follow 30s --format ndjson", ACTION_LIVE},
    {"Read the whole history", "intents mirror", ACTION_CRAWL},
    {"Register a user", "users create --file FILE", ACTION_PANE_REGISTER},
    {"Register many users", "users import FILE", ACTION_IMPORT},
    {"Webhook endpoint", "webhook register URL, webhook check URL", ACTION_PANE_WEBHOOK},
    {"Events received here", "webhook listen, webhook events, webhook replay N --to URL", ACTION_ARRIVALS},
    {"What was sent and settled", "activity", ACTION_PANE_ACTIVITY},
    {"All that the team has read", "intents list --team 'FILTER', intents stats --team --by status", ACTION_ASK_TEAM},
    {"What the team sent", "activity --team", ACTION_PANE_ACTIVITY},
};
const size_t n_job_facts = COUNT_OF(job_facts);

void job_fact_text(const struct job_fact *job, const struct keymap *keymap, struct str *out) {
    bool option = job->command && job->command[0] == '-';
    if (job->command)
        str_addf(out, "%s%s\n", option ? "" : "bursar ", job->command);
    str_add(out, "key ");
    keymap_key(keymap, job->action, out);
    for (size_t i = 0; i < action_table()->n; i++)
        if (action_table()->items[i].id == job->action && !str_equal(action_table()->items[i].section, "global"))
            str_addf(out, " in %s", action_table()->items[i].section);
}
