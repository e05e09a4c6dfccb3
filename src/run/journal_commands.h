#ifndef RUN_JOURNAL_COMMANDS_H
#define RUN_JOURNAL_COMMANDS_H
/* `activity`, `journal purge` and `purge`: they stand here because only run may see the store. */

#include "cli/cli.h"

/* NULL: not one of these. */
command_fn *journal_command(enum command_id id);

#endif
