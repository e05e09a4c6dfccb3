#ifndef CLI_FRESH_H
#define CLI_FRESH_H
/* Private to the layer. */

#include "cli/cli.h"

#include "query/query.h"

enum err cli_check_fresh(const struct args *args, struct error *error) MUST_CHECK;
/* Asks the service again for intents of open statuses, and says as of when. */
enum err cli_fresh(struct cli *cli, const struct query *query, struct error *error) MUST_CHECK;

#endif
