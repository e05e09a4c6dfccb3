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
    {"Saved views, own and shared", "views list, views share NAME, intents list @anna/NAME", ACTION_VIEWS},
    {"What a decline means", "intents stats --by decline", ACTION_OPEN},
    {"Hand over to a colleague", "notes hand ID --to WHO", ACTION_HAND_OVER},
    {"What was handed to me", "notes inbox, notes done ID, intents list handed:me", ACTION_INBOX},
    {"Summary for a ticket", "intents show ID", ACTION_COPY_AS},
    {"Export to a file", "intents list --all --format csv", ACTION_EXPORT},
    {"For a spreadsheet", "intents list --all --format csv-excel", ACTION_EXPORT},
    {"Audit sample", "intents list --cached --sample 50 --seed 7", ACTION_EXPORT},
    {"Own actions", "actions list, actions run NAME ID", ACTION_OWN_ACTIONS},
    {"Watch for what is new", "intents list --follow 30s --format ndjson", ACTION_LIVE},
    {"Read the whole history", "intents mirror", ACTION_CRAWL},
    {"Register a user", "users create --file FILE", ACTION_PANE_REGISTER},
    {"Register many users", "users import FILE", ACTION_IMPORT},
    {"Webhook endpoint", "webhook register URL, webhook check URL", ACTION_PANE_WEBHOOK},
    {"Events received here", "webhook listen, webhook events, webhook replay N --to URL", ACTION_ARRIVALS},
    {"What was sent and settled", "activity", ACTION_PANE_ACTIVITY},
    {"All that the team has read", "intents list --team 'FILTER', intents stats --team --by status", ACTION_ASK_TEAM},
    {"What the team sent", "activity --team", ACTION_PANE_ACTIVITY},
    {"Release what a colleague proposed", "webhook proposals", ACTION_PROPOSALS},
};
const size_t n_job_facts = COUNT_OF(job_facts);

/* ---- a team's store ---- */

static const struct fact team_operator_facts[] = {
    {"To begin",
     "One of the team sets team_store in a profile and runs bursar team init: it makes the tables and the team's "
     "key. Each colleague gets a copy of the key (team_key_file, mode 0600) by a way that only they can read, sets "
     "the same team_store, and runs bursar team check, which names what is wanting and what to do. The password is "
     "no part of the configuration: ~/.pgpass, a service file, a client certificate or team_password_command."},
    {"Before a write",
     "It is recorded in the store before its first byte leaves. Where a colleague is sending the very same, or did, "
     "nothing is sent, and it says by whom, since when and under which id."},
    {"An unknown outcome",
     "It locks the very same for everybody. Look at the service, then settle it: in Activity, or bursar team "
     "resolve. A record whose program was killed is settled by anybody once nothing was heard of it for ten minutes."
     " What the machine that sent it knows is told all the same, and both stand in the record then."},
    {"The store is away",
     "The screen goes on with what is on this machine. Writes are refused (team_required, as it is by default), or "
     "recorded on this machine alone and merged later; what turns out to have been registered at two desks says so "
     "in Activity. A store that answers and lets nobody in, or can only be read, is not away: nothing is sent."},
    {"Handing over",
     "> hands the intent under the cursor, or the marked ones, to a colleague by their login name, with a line of "
     "text. It goes sealed with the notes (team_notes), and as with them the whole team can read it. Within seconds, "
     "or once a store that was away has it, the colleague's title row says inbox 1; I lists what came, goes to it and "
     "marks it done, and Tab shows what you handed to others and whether it is done. handed:me finds them. Without a "
     "screen: bursar notes hand, notes inbox, notes done. It locks nothing: two may still work on the same intent."},
    {"Shared views",
     "v in the console, or bursar views share NAME: filter, sort and columns of a saved view go to the team under your "
     "name, sealed, and stand in colleagues' lists behind their own, with who shared them, where and when. In a filter "
     "@NAME is always one's own view, and a colleague's is @anna/NAME: so no view of another can stand in for yours, "
     "and nobody's job finds something else since a colleague saved a view. Shared again it replaces the one before; "
     "of two that one person shared from two machines the one that the store took last holds, whatever the clocks say. "
     "Its author alone takes it back; a copy that a colleague kept (K) stays theirs. A console takes them in within "
     "seconds; where none runs, bursar views list does, before a job uses one. One of a newer bursar, with "
     "amounts in another unit, or that names a list of ids is shown and cannot be used. team_views = false shares and "
     "takes in none; it is a setting beside team_notes, since notes go there by themselves and speak of customers, "
     "while a view goes only when its owner shares it."},
    {"Tags of two at once",
     "Of a tag that one took off and another put on, each without the store, what was done last by the clocks of their "
     "machines holds, the same for all. What you say of a tag always holds against what is on your screen."},
    {"Who did what", "bursar activity --team, --by operator or day; bursar activity export --team for auditors."},
};

static const struct fact team_owner_facts[] = {
    {"What to run",
     "A database of its own, PostgreSQL 13 or newer. bursar team init --print-sql prints tables, roles and grants; "
     "the owner reads and runs it, and again after an update of bursar. Each person has a login that is a member of "
     "one role: bursar_operator, bursar_reader or bursar_auditor. Nobody works as bursar_owner. No extension, "
     "trigger, sequence, advisory lock or notification is used, and nothing of the session, so that a pooler in "
     "transaction mode may stand between."},
    {"Sizes",
     "A registered user takes 3 to 4 kB with its outcome, digests and indexes: a million are 4 GB at most. A "
     "shared intent takes "
     "what its sealed text, its columns and six indexes take: make bench-team loads ten million and measures. "
     "Connections: one for each console or command, and for some seconds a second behind a write, a question or "
     "shared notes: with 30 consoles 60 are enough, and max_connections is usually 100."},
    {"Indexes",
     "Those of the printed SQL, and no others are needed: records by body, by digest of tag, mail or phone, by time "
     "and by console; intents by change, id, status, user and bank. Autovacuum as it comes: open_writes and leases "
     "change all day and stay small."},
    {"Locks",
     "Transactions are serializable, short, and repeated by the program where two met. One whose program stopped is "
     "ended by the server after 5 seconds; each sets that for itself. Times are those of the server's clock."},
    {"Partitions",
     "Intents are parted by the year of their creation, 2018 to 2035, with one partition for what is of none. An old"
     " year is detached by ALTER TABLE intents DETACH PARTITION intents_2019 and dumped or dropped; before 2036 the "
     "owner adds years in the same form."},
    {"Backups",
     "pg_dump, or a base backup with its log. The team's key is no part of it: keep it elsewhere, for without it no "
     "digest is recognised and no sealed text opened. After going back to a backup, bursar team verify at each machine "
     "names "
     "the records that are missing; what is not in the store is not known to colleagues."},
    {"Retention",
     "writes and marks are a chain and stay whole: bursar team verify names what was removed. What has to "
     "go is deleted by the owner, a console's records from its first on, and a dump of it kept beside the report of "
     "the gap; bursar_operator "
     "cannot. Intents, words and spans are copies of what the service has, and may go at any time: they come back as"
     " they are read."},
    {"A person's traces",
     "Of a registration there are a digest of the body in writes and up to four in matches, of tag, mail, phone, and"
     " name with birth date: the rows of matches with the record's name, deleted by the owner, make the person "
     "unfindable and leave the chain whole; the digest of the body stays, and tells a person only to who has the key"
     " and knows all that was sent. Their intents stand in intents under user_id. A note is deleted by its owner or "
     "by the database's."},
    {"Standby", "bursar team verify and activity --team work on one; a write is refused in words. team_store names "
                "the server that takes records."},
    {"Engines",
     "Tried with each commit: PostgreSQL 15, also behind pgbouncer in transaction mode and on a standby. The "
     "statements are held to what CockroachDB and YugabyteDB share with it, and SQLite parses all of them that are "
     "not known to be beyond it; on CockroachDB, YugabyteDB and Citus themselves nothing was tried. CockroachDB "
     "parts tables by itself: leave PARTITION BY and the partitions away, as the printed SQL says."},
};

static const struct fact team_review_facts[] = {
    {"meta",
     "Version of the tables and a check value of the team's key, out of which the key cannot be had. All roles."},
    {"writes, marks",
     "Who, at which machine and console, when, profile, environment, origin, account, operation, outcome, status, "
     "the id that the service gave, its answer's text after values that were sent are taken out, notes, a webhook's "
     "URL and the fingerprint of its secret; what was sent as a digest under the team's key alone. Readable to all "
     "roles, added to by operators, changed by nobody but the tables' owner, whom the chain of digests gives away."},
    {"matches", "Digests of tag, mail, phone, and name with birth date, under the team's key. Operators and readers."},
    {"open_writes", "Which record is in flight or unknown. Operators add and remove."},
    {"intents",
     "The text that the service sent is sealed with the team's key. Beside it stand, readable: ids of intent, user, "
     "credential and account, status, type, direction, rail, currency, decline, brand, kind of account, bank, "
     "amounts, times and flags. Names, masks and routing numbers are in the sealed text alone. Operators read and "
     "write them, readers read the columns; without the key nobody reads the text."},
    {"words, spans", "Words of the service by field, and which times were read by whom and when. Operators."},
    {"leases, proposals, notes",
     "Who walks until when; a webhook's registration that waits for a second person, its URL, signing mode and "
     "fingerprint, never the secret. Of notes, tags and saved views that are shared: who, where and when, and the kind "
     "(note or view); the words, names and filters are in the sealed text alone, which also names the author, so that "
     "the database's owner can neither read nor make one."},
    {"Never there",
     "The service's token, a webhook's secret, the team's key, and no name, address, mail, phone, birth date or id "
     "number in clear. Tried with a marker in each personal field, looked for in a dump."},
    {"Who has the key",
     "It can test guesses against the digests and open the sealed texts. It is on each operator's machine, 0600, and"
     " neither in the store nor in its backups. Who leaves the team loses the login; a key that got into other hands"
     " means a new key and a new database."},
    {"In transit", "TLS with verify-full but to this machine or over a socket; anything weaker is refused."},
    {"What others wrote",
     "Each text out of the store passes the sanitiser before a terminal sees it, and the guard of spreadsheets in "
     "CSV."},
};

const struct chapter team_chapters[] = {
    {"For the operator", team_operator_facts, COUNT_OF(team_operator_facts)},
    {"For the owner of the database", team_owner_facts, COUNT_OF(team_owner_facts)},
    {"For the security review", team_review_facts, COUNT_OF(team_review_facts)},
};
const size_t n_team_chapters = COUNT_OF(team_chapters);

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
