#ifndef CLI_MATCH_PRINT_H
#define CLI_MATCH_PRINT_H
/* What a match came to, on standard output. Private to the layer. */

#include "app/lookup.h"
#include "cli/cli.h"

enum err match_print(struct cli *cli, const struct lookup_result *answer, struct error *error) MUST_CHECK;

#endif
