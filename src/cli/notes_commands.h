#ifndef CLI_NOTES_COMMANDS_H
#define CLI_NOTES_COMMANDS_H
/* The commands for notes, tags and hand-overs: rows of the table in commands.c. */

#define NOTES_COMMANDS                                                                                              \
    [COMMAND_INTENTS_NOTE] =                                                                                        \
        {.run = cli_intents_note,                                                                                   \
         .changes = true,                                                                                           \
         .kept = true,                                                                                              \
         .words = "intents note",                                                                                   \
         .operands = "ID [TEXT]",                                                                                   \
         .operands_min = 1,                                                                                         \
         .operands_max = 2,                                                                                         \
         .kind = VALUE_FREE,                                                                                        \
         .options = TAKES(USER),                                                                                    \
         .profile = true,                                                                                           \
         .cached = true,                                                                                            \
         .help = "Put a note on an intent or a user",                                                               \
         .text =                                                                                                    \
             "Notes are never sent to the service; they stay on this machine, or with a team (team_notes) go "      \
             "sealed to its "                                                                                       \
             "store, and colleagues' come from there. Without TEXT it is asked for, or one line is read from "      \
             "standard input: others on this machine can read arguments, so nothing personal belongs there. Each "  \
             "note has your login name and the time. The console shows them in the detail (a writes one), and "     \
             "the summary for a ticket has them; has:note finds the intents, --columns id,tags,notes prints them. " \
             "They are kept until bursar purge --notes."},                                                          \
    [COMMAND_INTENTS_TAG] = {.run = cli_intents_tag,                                                                \
                             .changes = true,                                                                       \
                             .kept = true,                                                                          \
                             .words = "intents tag",                                                                \
                             .operands = "ID TAG...",                                                               \
                             .operands_min = 2,                                                                     \
                             .operands_max = ARGS_OPERANDS_MAX,                                                     \
                             .kind = VALUE_FREE,                                                                    \
                             .options = TAKES(USER),                                                                \
                             .profile = true,                                                                       \
                             .cached = true,                                                                        \
                             .help = "Put tags on an intent or a user",                                             \
                             .text = "A tag is letters, digits, '.', '_' and '-', kept in small letters, on this "  \
                                     "machine alone. tag:chargeback finds the intents that have it, or whose user " \
                                     "has. + sets tags in the console."},                                           \
    [COMMAND_INTENTS_UNTAG] = {.run = cli_intents_tag,                                                              \
                               .changes = true,                                                                     \
                               .kept = true,                                                                        \
                               .words = "intents untag",                                                            \
                               .operands = "ID TAG...",                                                             \
                               .operands_min = 2,                                                                   \
                               .operands_max = ARGS_OPERANDS_MAX,                                                   \
                               .kind = VALUE_FREE,                                                                  \
                               .options = TAKES(USER),                                                              \
                               .profile = true,                                                                     \
                               .cached = true,                                                                      \
                               .help = "Take tags off an intent or a user"},                                        \
    [COMMAND_NOTES_HAND] = {.run = cli_notes_hand,                                                                  \
                            .changes = true,                                                                        \
                            .kept = true,                                                                           \
                            .words = "notes hand",                                                                  \
                            .operands = "ID...",                                                                    \
                            .operands_min = 1,                                                                      \
                            .operands_max = ARGS_OPERANDS_MAX,                                                      \
                            .kind = VALUE_FREE,                                                                     \
                            .options = TAKES(TO) | TAKES(TEXT),                                                     \
                            .profile = true,                                                                        \
                            .offline = true,                                                                        \
                            .help = "Hand intents to a colleague of the team",                                      \
                            .text = notes_hand_text},                                                               \
    [COMMAND_NOTES_INBOX] = {.run = cli_notes_inbox,                                                                \
                             .kept = true,                                                                          \
                             .words = "notes inbox",                                                                \
                             .options = TAKES(ALL) | TAKES(FORMAT) | TAKES(CSV_GUARD),                              \
                             .profile = true,                                                                       \
                             .offline = true,                                                                       \
                             .help = "Print what colleagues handed to you",                                         \
                             .text = notes_inbox_text},                                                             \
    [COMMAND_NOTES_DONE] = {.run = cli_notes_done,                                                                  \
                            .changes = true,                                                                        \
                            .kept = true,                                                                           \
                            .words = "notes done",                                                                  \
                            .operands = "ID...",                                                                    \
                            .operands_min = 1,                                                                      \
                            .operands_max = ARGS_OPERANDS_MAX,                                                      \
                            .kind = VALUE_FREE,                                                                     \
                            .profile = true,                                                                        \
                            .offline = true,                                                                        \
                            .help = "Mark what was handed to you as done",                                          \
                            .text =                                                                                 \
                                "Every open hand-over of these intents to you is done, and one that you made "      \
                                "yourself is taken back; who handed it over sees by whom and when. All of them or " \
                                "none."}

#endif
