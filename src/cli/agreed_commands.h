#ifndef CLI_AGREED_COMMANDS_H
#define CLI_AGREED_COMMANDS_H
/* The commands for what two persons of a team agree to, alike for a webhook and for users: rows of the table in
 * commands.c. release: the options of the one that sends. */

#define DECIDING_COMMAND(code, what, does, takes, told) \
    [code] = {.run = does,                              \
              .changes = true,                          \
              .words = what,                            \
              .operands = "ID",                         \
              .operands_min = 1,                        \
              .operands_max = 1,                        \
              .kind = VALUE_FREE,                       \
              .options = takes,                         \
              .profile = true,                          \
              .cached = true,                           \
              .help = told}

#define AGREED_COMMANDS(CODE, name, release)                                                                           \
    [COMMAND_##CODE##_PROPOSALS] = {.run = cli_proposals_list,                                                         \
                                    .words = #name " proposals",                                                       \
                                    .options = TAKES(FORMAT) | TAKES(CSV_GUARD),                                       \
                                    .profile = true,                                                                   \
                                    .cached = true,                                                                    \
                                    .help = "Print what waits for a second person of the team, and what became of it", \
                                    .text = name##_proposals_text},                                                    \
    [COMMAND_##CODE##_RELEASE] = {.run = cli_##name##_release,                                                         \
                                  .changes = true,                                                                     \
                                  .words = #name " release",                                                           \
                                  .operands = "ID",                                                                    \
                                  .operands_min = 1,                                                                   \
                                  .operands_max = 1,                                                                   \
                                  .kind = VALUE_FREE,                                                                  \
                                  .options = release,                                                                  \
                                  .profile = true,                                                                     \
                                  .help = "Release what a colleague proposed, or send what was released",              \
                                  .text = name##_release_text},                                                        \
    DECIDING_COMMAND(COMMAND_##CODE##_WITHDRAW, #name " withdraw", cli_proposals_withdraw, 0,                          \
                     "Take back what you proposed to the team, released or not"),                                      \
    DECIDING_COMMAND(COMMAND_##CODE##_REFUSE, #name " refuse", cli_proposals_refuse, TAKES(REASON),                    \
                     "Refuse what a colleague proposed, with a reason")

#endif
