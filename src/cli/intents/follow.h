#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H
/* `intents list --follow` and `--since-last`. Private to the layer. */

#include "cli/cli.h"

enum err cli_follow(struct cli *cli, struct error *error) MUST_CHECK;

#endif
