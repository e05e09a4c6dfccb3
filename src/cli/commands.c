#include "agreed_commands.h"
#include "command_texts.h"
#include "notes_commands.h"

#include "app/columns.h"
#include "cli/cli.h"

#define TAKES(id) ((option_set)1 << OPTION_##id)

static const struct command commands[COMMAND_COUNT] = {
    [COMMAND_CONSOLE] = {.words = "", .options = TAKES(CSV_GUARD), .profile = true, .help = "Open the console"},
    [COMMAND_INTENTS_LIST] =
        {.run = cli_intents_list,
         .words = "intents list",
         .operands = "[FILTER]",
         .operands_max = 1,
         .kind = VALUE_FREE,
         .options = TAKES(STATUS) | TAKES(TYPE) | TAKES(LIMIT) | TAKES(ALL) | TAKES(FORMAT) | TAKES(CSV_GUARD) |
                    TAKES(CACHED) | TAKES(SORT) | TAKES(COLUMNS) | TAKES(SAME_ACCOUNT) | TAKES(VERBOSE) |
                    TAKES(RESUME) | TAKES(OUTPUT) | TAKES(SAMPLE) | TAKES(SEED) | TAKES(FOLLOW) | TAKES(CHANGES) |
                    TAKES(SINCE_LAST) | TAKES(QUIET) | TAKES(TEAM),
         .profile = true,
         .help = "Print payment intents, newest first",
         .text = intents_list_text,
         .names = columns_names,
         .text_after =
             " and a field's name as served or in a CSV's header.\n"
             "Exit status 8 says that the walk was cut short, or that json, ndjson or csv have rows that could not be "
             "read; what there was is printed."},
    [COMMAND_INTENTS_SHOW] = {.run = cli_intents_show,
                              .words = "intents show",
                              .operands = "ID",
                              .operands_min = 1,
                              .operands_max = 1,
                              .kind = VALUE_FREE,
                              .options = TAKES(FORMAT) | TAKES(CSV_GUARD) | TAKES(CACHED) | TAKES(SAME_ACCOUNT),
                              .profile = true,
                              .cached = true,
                              .help = "Print one intent out of the cache",
                              .text = "The service has no way to ask for one intent, so what was read before is looked "
                                      "through, with --cached or without. ID may be the beginning of an id that only "
                                      "one cached intent has; where several do they are listed on standard error, "
                                      "none is printed, and the exit status is 2. Exit status 8 where it is not "
                                      "there. The default is its JSON as served, indented; what was found "
                                      "in it (help filter, Findings) is said on standard error, a line each: the "
                                      "rule, the hint and what it rests on."},
    [COMMAND_INTENTS_STATS] = {.run = cli_intents_stats,
                               .words = "intents stats",
                               .operands = "[FILTER]",
                               .operands_max = 1,
                               .kind = VALUE_FREE,
                               .options = TAKES(BY) | TAKES(OVER) | TAKES(SUM) | TAKES(RATE) | TAKES(RATE_OF) |
                                          TAKES(COMPARE) | TAKES(FRESH) | TAKES(CHART) | TAKES(LIMIT) | TAKES(FORMAT) |
                                          TAKES(CSV_GUARD) | TAKES(CACHED) | TAKES(SAME_ACCOUNT) | TAKES(TEAM),
                               .profile = true,
                               .cached = true,
                               .help = "Count cached intents by the values of a field, or over time",
                               .text = intents_stats_text},
    [COMMAND_INTENTS_MIRROR] = {.run = cli_intents_mirror,
                                .words = "intents mirror",
                                .options = TAKES(WALKS) | TAKES(RESUME) | TAKES(FROM_START) | TAKES(QUIET) |
                                           TAKES(FORMAT) | TAKES(CSV_GUARD) | TAKES(SAME_ACCOUNT) | TAKES(VERBOSE),
                                .profile = true,
                                .help = "Read every page of the service into the cache",
                                .text = intents_mirror_text},
    [COMMAND_INTENTS_MATCH] = {.run = cli_intents_match,
                               .words = "intents match",
                               .operands = "FILE.csv [FILTER]",
                               .operands_min = 1,
                               .operands_max = 2,
                               .kind = VALUE_FILE,
                               .options = TAKES(ON) | TAKES(MAP) | TAKES(DECIMAL) | TAKES(AMOUNTS) | TAKES(DAYS) |
                                          TAKES(CURRENCY) | TAKES(LIMIT) | TAKES(ALL) | TAKES(FORMAT) |
                                          TAKES(CSV_GUARD) | TAKES(CACHED) | TAKES(SAME_ACCOUNT),
                               .profile = true,
                               .cached = true,
                               .help = "Match a table, as a bank's list, against cached intents",
                               .text = intents_match_text},
    NOTES_COMMANDS,
    [COMMAND_VIEWS_LIST] = {.run = cli_views_list,
                            .kept = true,
                            .words = "views list",
                            .options = TAKES(FORMAT),
                            .profile = true,
                            .offline = true,
                            .help = "Print saved views, and those that the team shares",
                            .text = "One's own first, then colleagues' as WHO/NAME with where and when they were "
                                    "shared; with a team its store is asked for the latest. In a filter @NAME is "
                                    "always one's own, @WHO/NAME a colleague's: bursar intents list @anna/lost. "
                                    "Exit status 8: the store could not be asked, and what this machine has was "
                                    "printed."},
    [COMMAND_VIEWS_SHARE] = {.run = cli_views_share,
                             .changes = true,
                             .kept = true,
                             .words = "views share",
                             .operands = "NAME",
                             .operands_min = 1,
                             .operands_max = 1,
                             .kind = VALUE_FREE,
                             .profile = true,
                             .offline = true,
                             .help = "Share a saved view with the team",
                             .text = "Filter, sort and columns as they are now go sealed to the team's store, under "
                                     "your name. Shared again, it replaces the one before; another view in its filter "
                                     "is written out."},
    [COMMAND_VIEWS_UNSHARE] = {.run = cli_views_unshare,
                               .changes = true,
                               .kept = true,
                               .words = "views unshare",
                               .operands = "NAME",
                               .operands_min = 1,
                               .operands_max = 1,
                               .kind = VALUE_FREE,
                               .profile = true,
                               .offline = true,
                               .help = "Take back a view that you share",
                               .text = "Your own view stays, and copies that colleagues keep are theirs."},
    [COMMAND_VIEWS_KEEP] = {.run = cli_views_keep,
                            .changes = true,
                            .kept = true,
                            .words = "views keep",
                            .operands = "WHO/NAME [NAME]",
                            .operands_min = 1,
                            .operands_max = 2,
                            .kind = VALUE_FREE,
                            .profile = true,
                            .offline = true,
                            .help = "Keep a copy of a colleague's view as your own",
                            .text = "Under its own name, or another one; a view of yours is never replaced."},
    [COMMAND_ACTIONS_LIST] = {.run = cli_actions_list,
                              .words = "actions list",
                              .options = TAKES(FORMAT),
                              .help = "Print the programs of your own that run with an intent",
                              .text = "Name, whether it is marked as one that changes nothing (reads = yes), and its "
                                      "arguments, in which {field} stands for a field of the intent. They are in the "
                                      "file actions beside the configuration: bursar config init actions writes a "
                                      "sample of it. e runs one in the console."},
    [COMMAND_ACTIONS_RUN] =
        {.run = cli_actions_run,
         .words = "actions run",
         .operands = "NAME ID",
         .operands_min = 2,
         .operands_max = 2,
         .kind = VALUE_FREE,
         .options = TAKES(DRY_RUN) | TAKES(YES) | TAKES(FORMAT) | TAKES(CACHED) | TAKES(SAME_ACCOUNT),
         .profile = true,
         .cached = true,
         .changes = true,
         .help = "Run a program of your own with an intent out of the cache",
         .text = "NAME is a section of the file actions (bursar actions list); ID may be the beginning of an id that "
                 "only one cached intent has. The program gets its arguments without a shell and a short list of "
                 "environment variables, never the token, and has a minute; what it prints is cleaned of control "
                 "characters on a terminal. One that is marked reads = yes runs at once. Any other is shown with its "
                 "arguments and asked about; without a terminal --yes is needed, and in any environment but sandbox "
                 "--yes=ENVIRONMENT; a read-only profile does not run it. --dry-run prints the arguments, each on a "
                 "line, and runs nothing. json prints action, id, arguments, run and output.\n"
                 "Exit status 8 where the intent is not in the cache, 2 where a field that an argument needs is "
                 "missing, begins with '-' or holds control characters, 1 where the program failed."},
    [COMMAND_USERS_CREATE] =
        {.run = cli_users_create,
         .changes = true,
         .words = "users create",
         .options = TAKES(FILE) |
                    TAKES(DRY_RUN) | TAKES(YES) | TAKES(AGAIN) | TAKES(REPEAT) | TAKES(FORMAT) | TAKES(CSV_GUARD),
         .profile = true,
         .help = "Register one user from a file with the request's body",
         .text = "The body is sent as it stands in the file, once. Before the first byte leaves it is recorded in the "
                 "journal; nothing personal is kept there in clear. What was registered before, or has tag, "
                 "e-mail, phone or name with birth date of an earlier write, is not sent without --again. What may "
                 "have been registered, its outcome unknown, is never sent by that: --repeat N does so on purpose, "
                 "with the idempotency key of then. Members that are no field of a user are warned of.\n"
                 "Without a terminal --yes is needed, and in any environment but sandbox --yes=ENVIRONMENT.\n"
                 "json prints outcome (done, refused, not_sent, unknown), id, status, message and journal, the "
                 "record's number. Exit status 6: it is not known whether the user was created."},
    AGREED_COMMANDS(USERS, users, TAKES(YES) | TAKES(AGAIN) | TAKES(REPEAT) | TAKES(FORMAT) | TAKES(CSV_GUARD)),
    [COMMAND_USERS_IMPORT] = {.run = cli_users_import,
                              .changes = true,
                              .words = "users import",
                              .operands = "FILE.csv",
                              .operands_min = 1,
                              .operands_max = 1,
                              .kind = VALUE_FILE,
                              .options = TAKES(DRY_RUN) | TAKES(MAP) | TAKES(RESUME) | TAKES(SKIP_UNKNOWN) |
                                         TAKES(REFUSED) | TAKES(MAX_FAILURES) | TAKES(PACE) | TAKES(AGAIN) | TAKES(YES),
                              .profile = true,
                              .help = "Register many users from a CSV file, one after the other",
                              .text = users_import_text},
    [COMMAND_USERS_SHOW] =
        {.run = cli_users_show,
         .words = "users show",
         .operands = "ID [FILTER]",
         .operands_min = 1,
         .operands_max = 2,
         .kind = VALUE_FREE,
         .options = TAKES(LIMIT) | TAKES(ALL) | TAKES(COLUMNS) | TAKES(FORMAT) | TAKES(CSV_GUARD) | TAKES(CACHED) |
                    TAKES(SAME_ACCOUNT),
         .profile = true,
         .cached = true,
         .help = "Print one customer on one page, and the intents below",
         .text =
             "The service has no way to ask for a user, so that this is what the cached intents of the user with "
             "this id say, and the journal of this machine; of those that match FILTER too, where one is given. "
             "When the first and the last were created; how many have each status and bank; exact sums for each "
             "currency and direction, of all and of the approved; each decline with what it means (file reasons); how "
             "many "
             "payments there were, and after how many attempts they were approved; tags and notes put on the "
             "user here. Where this machine registered the user, the record says when and by whom; the user's "
             "tag is kept as a digest alone, and activity --tag compares one that is typed. A FILTER that may leave "
             "out attempts, as one of a status, has no "
             "attempts told; json then has filter_hides_attempts true.\n"
             "Below it the intents, newest first, 100 unless --limit N or --all says otherwise. In the console i "
             "shows the same above the list.\n"
             "json is one object with the intents as served in `list`; ndjson the object and then a line for each "
             "intent; csv has the intents alone. Exit status 8 where nothing is known of the user; 1 where the journal "
             "could not be read, whose reason json has in registered_error."},
    [COMMAND_ACTIVITY_LIST] = {.run = cli_activity_list,
                               .kept = true,
                               .words = "activity list",
                               .options = TAKES(OUTCOME) | TAKES(TAG) | TAKES(LIMIT) | TAKES(FORMAT) |
                                          TAKES(CSV_GUARD) | TAKES(TEAM) | TAKES(SINCE) | TAKES(BY),
                               .help = "Print every write of this machine, newest first",
                               .text = activity_list_text},
    [COMMAND_ACTIVITY_SHOW] = {.run = cli_activity_show,
                               .kept = true,
                               .words = "activity show",
                               .operands = "N",
                               .operands_min = 1,
                               .operands_max = 1,
                               .kind = VALUE_FREE,
                               .options = TAKES(FORMAT) | TAKES(CSV_GUARD),
                               .named = true,
                               .help = "Print one record: what was sent, the answers, the notes",
                               .text = "Where the profile has a team, what colleagues said of the record stands with "
                                       "it."},
    [COMMAND_ACTIVITY_RESOLVE] =
        {.run = cli_activity_resolve,
         .changes = true,
         .kept = true,
         .words = "activity resolve",
         .operands = "N",
         .operands_min = 1,
         .operands_max = 1,
         .kind = VALUE_FREE,
         .options = TAKES(OUTCOME) | TAKES(NOTE),
         .named = true,
         .help = "Settle a write whose outcome is unknown",
         .text = "Look first: by the tag at the service, in your own database, with the service's support. Then "
                 "--outcome done, refused or not-sent, and --note with how it was found out. Where the profile has a "
                 "team, its store is told at once."},
    [COMMAND_ACTIVITY_VERIFY] = {.run = cli_activity_verify,
                                 .kept = true,
                                 .words = "activity verify",
                                 .help = "Check every record, their chain and the head beside it",
                                 .text = "Says how many records there are, whether each is as it was written, whether "
                                         "one was removed, added or moved, and whether the newest that were confirmed "
                                         "are there. Where anything is wrong nothing is sent by any command.\n"
                                         "Exit status 9: something was found."},
    [COMMAND_ACTIVITY_EXPORT] = {.run = cli_activity_export,
                                 .kept = true,
                                 .words = "activity export",
                                 .options =
                                     TAKES(SINCE) | TAKES(TEAM) | TAKES(OUTCOME) | TAKES(FORMAT) | TAKES(CSV_GUARD),
                                 .help = "Print every record with all that is kept of it, for auditors",
                                 .text = "csv, or ndjson and json: time, operator, machine, profile, environment, "
                                         "origin, account, operation, outcome, status, id, endpoint, what the service "
                                         "answered and the note. Nothing that was sent is in it. --team: of every "
                                         "member."},
    [COMMAND_ACTIVITY] = {.run = cli_activity_list,
                          .kept = true,
                          .words = "activity",
                          .options = TAKES(OUTCOME) | TAKES(TAG) | TAKES(LIMIT) | TAKES(FORMAT) | TAKES(CSV_GUARD) |
                                     TAKES(TEAM) | TAKES(SINCE) | TAKES(BY),
                          .help = "The same as activity list"},
    [COMMAND_JOURNAL_PURGE] = {.run = cli_journal_purge,
                               .changes = true,
                               .kept = true,
                               .words = "journal purge",
                               .options = TAKES(BEFORE),
                               .help = "Remove digests, notes and keys of old records",
                               .text = "Time, operator, operation, outcome and id stay. Records that are not settled "
                                       "are left whole."},
    [COMMAND_PURGE] =
        {.run = cli_purge,
         .changes = true,
         .kept = true,
         .words = "purge",
         .options = TAKES(DRAFTS) | TAKES(SESSION) | TAKES(NOTES) | TAKES(EVENTS) | TAKES(ALL),
         .help = "Remove what is kept of forms, sessions, notes and events",
         .text =
             "--all removes everything but the configuration: caches of every profile, journal, machine key, "
             "forms, session, history, views, notes, tags, received events, places of --since-last and log, and what "
             "killed programs left by half. Nothing is removed "
             "while another bursar runs, or while the outcome "
             "of a write is unknown.\n"
             "Filters typed are kept for each profile, in a file of your own. Those with a bare word, "
             "or that name a user, a credential, a mask, a routing number or an account, are not."},
    [COMMAND_WEBHOOK_SHOW] = {.run = cli_webhook_show,
                              .words = "webhook show",
                              .options = TAKES(FORMAT) | TAKES(CSV_GUARD),
                              .profile = true,
                              .cached = true,
                              .help = "Print what this console knows of the registered endpoint",
                              .text = "The service can be told of an endpoint and never asked: this is the journal's "
                                      "record of what was registered from here. Nothing is sent."},
    [COMMAND_WEBHOOK_REGISTER] = {.run = cli_webhook_register,
                                  .changes = true,
                                  .words = "webhook register",
                                  .options = TAKES(URL) | TAKES(SECRET_FILE) | TAKES(SECRET_FD) |
                                             TAKES(GENERATE_SECRET) | TAKES(SECRET_OUT) | TAKES(UNSIGNED) | TAKES(YES) |
                                             TAKES(FORMAT) | TAKES(CSV_GUARD),
                                  .profile = true,
                                  .help = "Register the endpoint that receives events",
                                  .text = webhook_register_text},
    AGREED_COMMANDS(WEBHOOK, webhook,
                    TAKES(SECRET_FILE) | TAKES(SECRET_FD) | TAKES(YES) | TAKES(FORMAT) | TAKES(CSV_GUARD)),
    [COMMAND_WEBHOOK_CHECK] = {.run = cli_webhook_check,
                               .words = "webhook check",
                               .operands = "[URL]",
                               .operands_max = 1,
                               .kind = VALUE_FREE,
                               .options = TAKES(ALLOW_LOCAL) | TAKES(CA_FILE) | TAKES(PROBE) | TAKES(YES) |
                                          TAKES(FORMAT) | TAKES(CSV_GUARD),
                               .profile = true,
                               .cached = true,
                               .bare = true,
                               .help = "Check an endpoint as a sender would meet it",
                               .text = webhook_check_text},
    [COMMAND_WEBHOOK_VERIFY] =
        {.run = cli_webhook_verify,
         .words = "webhook verify",
         .options = TAKES(BODY) | TAKES(HEADER) | TAKES(SECRET_FILE) | TAKES(FORMAT) | TAKES(CSV_GUARD),
         .help = "Say why an event's signature verifies, or does not",
         .text = "Tries HMAC-SHA256 as hexadecimal and as base64, and Standard Webhooks. Where none matches, the usual "
                 "slips are undone one after the other: a line end in the secret, a body that was written anew, a "
                 "prefix too much. Standard Webhooks needs the headers webhook-id, webhook-timestamp and "
                 "webhook-signature.\n"
                 "Exit status 0 where it verifies as it is, 9 otherwise."},
    [COMMAND_WEBHOOK_LISTEN] = {.run = cli_webhook_listen,
                                .words = "webhook listen",
                                .options = TAKES(LISTEN) | TAKES(CERTIFICATE) | TAKES(CERTIFICATE_KEY) |
                                           TAKES(FORWARD_TO) | TAKES(CA_FILE) | TAKES(SECRET_FILE) | TAKES(SECRET_FD) |
                                           TAKES(UNSIGNED) | TAKES(LIMIT) | TAKES(FORMAT),
                                .profile = true,
                                .cached = true,
                                .help = "Receive events here: check, store, show and forward them",
                                .text = webhook_listen_text},
    [COMMAND_WEBHOOK_EVENTS] =
        {.run = cli_webhook_events,
         .words = "webhook events",
         .operands = "[FILTER]",
         .operands_max = 1,
         .kind = VALUE_FREE,
         .options = TAKES(INTENT) |
                    TAKES(INTENTS) | TAKES(SAME_ACCOUNT) | TAKES(KIND) | TAKES(CHECK) | TAKES(DIFFERS) | TAKES(BEFORE) |
                    TAKES(LIMIT) | TAKES(FORMAT) | TAKES(CSV_GUARD),
         .profile = true,
         .cached = true,
         .help = "List the events that were received here, beside what the list says",
         .text = "Those that webhook listen stored, oldest first, --limit the newest of them: whether each verified, "
                 "and if not why. What an event says of its intent stands beside what the cache says, and as of "
                 "when; the cache may be the older of the two. Nothing is sent.\n"
                 "FILTER is in the list's language (help filter), over id, user and status as the event has them, its "
                 "kind (type), its coming (created, hour, weekday, age), is:verified and bare words; --intents takes "
                 "one of the list for their intents. How far they reach is said on standard error."},
    [COMMAND_WEBHOOK_REPLAY] =
        {.run = cli_webhook_replay,
         .changes = true,
         .words = "webhook replay",
         .operands = "N",
         .operands_min = 1,
         .operands_max = 1,
         .kind = VALUE_FREE,
         .options = TAKES(TO) | TAKES(CA_FILE) | TAKES(SECRET_FILE) | TAKES(SECRET_FD) | TAKES(UNSIGNED) | TAKES(YES) |
                    TAKES(FORMAT),
         .profile = true,
         .cached = true,
         .help = "Send a stored event once more, signed anew",
         .text = "To the URL of --to and no other, once: no redirect is followed and nothing is repeated. It is signed "
                 "in the scheme that it came in, with the time of now. It has effects at the target, so it asks "
                 "first: --yes confirms it in a sandbox, --yes=ENVIRONMENT elsewhere; read-only refuses it.\n"
                 "Exit status 0 where the target took it with a 2xx status, 4 where it did not, 5 where nothing was "
                 "sent, 6 where it is not known."},
    [COMMAND_CACHE_STATS] = {.run = cli_cache_stats,
                             .kept = true,
                             .words = "cache stats",
                             .options = TAKES(UNKNOWN),
                             .profile = true,
                             .offline = true,
                             .help = "Print what the cache of a profile holds",
                             .text = "--unknown lists the fields and values that the service sends and the interface "
                                     "does not name, with how often and when they were seen."},
    [COMMAND_CACHE_VERIFY] = {.run = cli_cache_verify,
                              .kept = true,
                              .words = "cache verify",
                              .profile = true,
                              .offline = true,
                              .help = "Check every row of the cache",
                              .text = "Rows that fail their check are dropped, and fetched again when met. Exit status "
                                      "9 where there was one."},
    [COMMAND_CACHE_PURGE] = {.run = cli_cache_purge,
                             .changes = true,
                             .kept = true,
                             .words = "cache purge",
                             .profile = true,
                             .offline = true,
                             .help = "Remove everything from the cache of a profile",
                             .text =
                                 "Rows, pages and observed changes go, free space and logs are overwritten. Exports "
                                 "and backups are beyond its reach. Notes and tags stay, and are counted: bursar "
                                 "purge --notes removes them."},
    [COMMAND_TEAM_INIT] = {.run = cli_team_init,
                           .changes = true,
                           .kept = true,
                           .words = "team init",
                           .options = TAKES(PRINT_SQL),
                           .profile = true,
                           .offline = true,
                           .help = "Begin a team: its key, and the tables of its store",
                           .text = team_init_text},
    [COMMAND_TEAM_CHECK] = {.run = cli_team_check,
                            .kept = true,
                            .words = "team check",
                            .options = TAKES(FORMAT) | TAKES(CSV_GUARD),
                            .profile = true,
                            .offline = true,
                            .help = "Check the team's store and what this role may do there",
                            .text = "Key, engine and version, whether the connection is encrypted, whether it takes "
                                    "records or is a replica, tables, version of the schema, each right that is "
                                    "missing or too much, and the clock. Nothing is written. Exit status 9 where "
                                    "something is wanting."},
    [COMMAND_TEAM_STATUS] = {.run = cli_team_status,
                             .kept = true,
                             .words = "team status",
                             .options = TAKES(FORMAT) | TAKES(CSV_GUARD),
                             .profile = true,
                             .offline = true,
                             .help = "Print how many records the team has, and how many are open",
                             .text = "An open one is being sent at this moment, or nobody has settled what became of "
                                     "it: the very same cannot be sent by anybody meanwhile."},
    [COMMAND_TEAM_MEMBERS] = {.run = cli_team_members,
                              .kept = true,
                              .words = "team members",
                              .options = TAKES(FORMAT) | TAKES(CSV_GUARD),
                              .profile = true,
                              .offline = true,
                              .help = "Print who records in the team's store, from where and since when",
                              .text = "One line for each operator and machine that has a record; console is the name "
                                      "of their home in the store."},
    [COMMAND_TEAM_VERIFY] = {.run = cli_team_verify,
                             .kept = true,
                             .words = "team verify",
                             .profile = true,
                             .offline = true,
                             .help = "Check every record of the team's store",
                             .text = "Each record carries a digest, under the team's key, of itself and of the one "
                                     "before it from the same console: one that was altered or removed is named, and "
                                     "so is one that this machine sent and the store has not any more. Exit status 9 "
                                     "where there is one."},
    [COMMAND_TEAM_RESOLVE] =
        {.run = cli_team_resolve,
         .changes = true,
         .kept = true,
         .words = "team resolve",
         .operands = "ID",
         .operands_min = 1,
         .operands_max = 1,
         .kind = VALUE_FREE,
         .options = TAKES(OUTCOME) | TAKES(NOTE),
         .profile = true,
         .offline = true,
         .help = "Settle a colleague's record whose outcome is unknown",
         .text = "ID is the beginning of the record's name, as bursar activity --team has it. Whoever looked at the "
                 "service settles it for everybody, with a note that says how it is known; the colleague's own journal "
                 "takes it in. A record of which nothing was heard for ten minutes, since its machine is gone, is "
                 "settled in the same way."},
    [COMMAND_CONFIG_INIT] = {.run = cli_config_init,
                             .changes = true,
                             .kept = true,
                             .words = "config init",
                             .operands = "[reasons|actions]",
                             .operands_max = 1,
                             .kind = VALUE_WORDS,
                             .choices = "reasons actions",
                             .help = "Write a new, commented configuration file",
                             .text = config_init_text},
    [COMMAND_CONFIG_CHECK] = {.run = cli_config_check,
                              .kept = true,
                              .words = "config check",
                              .help = "Check the configuration file",
                              .text = "Prints each fault as FILE:LINE: REASON, of the files keys and reasons too. "
                                      "Exit status 9 where there is one. Then come the profiles, and the declines in "
                                      "their caches that have no entry in the file reasons, which is no fault."},
    [COMMAND_CONFIG_PATH] = {.run = cli_config_path,
                             .kept = true,
                             .words = "config path",
                             .help = "Print the path of the configuration file"},
    [COMMAND_KEYS_LIST] =
        {.run = cli_keys_list,
         .words = "keys list",
         .operands = "[PRESET]",
         .operands_max = 1,
         .kind = VALUE_WORDS,
         .choices = "vim arrows mutt",
         .help = "Print the keys of the console and what they do",
         .text = "The keys in force, or those of a preset.\n"
                 "The key map file is ~/.config/bursar/keys. Its first line may be preset = vim, arrows or mutt; then "
                 "come sections by view, [keys.intents] or [keys.global], with lines ACTION = KEY KEY. Keys are called "
                 "j, Ctrl-D, F5, PgDn, Space, Enter; none unbinds an action. A line that begins with # is a comment. A "
                 "key given in the file is taken from the action that has it by default; given on two lines of a "
                 "section it is an error that names both. Ctrl-C always cancels, and twice leaves."},
    [COMMAND_THEME_LIST] = {.run = cli_theme_list,
                            .words = "theme list",
                            .help = "Print the themes that can be used, and where they are"},
    [COMMAND_THEME_SHOW] = {.run = cli_theme_show,
                            .words = "theme show",
                            .operands = "NAME",
                            .operands_min = 1,
                            .operands_max = 1,
                            .kind = VALUE_THEME,
                            .help = "Print a theme's file",
                            .text = "A console on show reads its theme again when a file of it changes; one with "
                                    "faults leaves the old theme and says file and line."},
    [COMMAND_THEME_CHECK] = {.run = cli_theme_check,
                             .words = "theme check",
                             .operands = "NAME",
                             .operands_min = 1,
                             .operands_max = 1,
                             .kind = VALUE_THEME,
                             .help = "Check a theme: unknown words, contrast, statuses alike",
                             .text = "Prints each fault. Exit status 9 where there is one."},
    [COMMAND_COMPLETION] = {.run = cli_completion,
                            .words = "completion",
                            .operands = "SHELL",
                            .operands_min = 1,
                            .operands_max = 1,
                            .kind = VALUE_WORDS,
                            .choices = "bash zsh fish",
                            .help = "Print completions for bash, zsh or fish",
                            .text = "bash: eval \"$(bursar completion bash)\" in ~/.bashrc\n"
                                    "zsh: bursar completion zsh > a folder of $fpath, as _bursar\n"
                                    "fish: bursar completion fish > ~/.config/fish/completions/bursar.fish"},
    [COMMAND_HELP] =
        {.run = cli_help,
         .words = "help",
         .operands = "[TOPIC]",
         .operands_max = ARGS_OPERANDS_MAX,
         .kind = VALUE_WORDS,
         .choices = "jobs intents filter users webhook activity journal purge cache team config keys theme completion "
                    "configuration team-store environment exit-status",
         .help = "Print help on a command or a topic"},
    [COMMAND_VERSION] = {.run = cli_version, .words = NULL},
};

const struct command *command_of(enum command_id id) {
    return &commands[id];
}

bool command_takes(const struct command *command, enum option_id id) {
    return option_of(id)->global || (command->options >> id & 1) != 0;
}
