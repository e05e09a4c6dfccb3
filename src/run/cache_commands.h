#ifndef RUN_CACHE_COMMANDS_H
#define RUN_CACHE_COMMANDS_H
/* `cache stats | verify | purge`: they stand here because only run may see the store. */

#include "cli/cli.h"

/* NULL: not one of these. */
command_fn *cache_command(enum command_id id);

#endif
