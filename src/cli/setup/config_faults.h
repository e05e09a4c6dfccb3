#ifndef CLI_CONFIG_FAULTS_H
#define CLI_CONFIG_FAULTS_H
/* Faults of a configuration that only the rest of the machine shows: token files and programs, themes, highlight rules,
 * certificates. */

#include "cli/cli.h"

/* Lines "FILE:LINE: KEY: REASON" of report; true where there is none. */
bool config_faults(const struct config *config, struct str *report);
/* Faults of the file of reasons, then which declines of the caches it does not explain; the latter are no fault. */
bool config_reasons(struct cli *cli, const struct config *config, struct str *report);

#endif
