#ifndef CLI_ONE_H
#define CLI_ONE_H
/* The one cached intent that an operand means: by its id, or by the beginning of one. Private to the folder of
 * commands. */

#include "cli/cli.h"

#include "model/intent.h"

/* *out is the caller's. ERR_INCOMPLETE where it is not in the cache, ERR_USAGE where several ids begin with the text:
 * they are listed on standard error, as is the one that was meant by a beginning. */
enum err cli_one_intent(struct cli *cli, const char *typed, struct intent **out, struct error *error) MUST_CHECK;

#endif
