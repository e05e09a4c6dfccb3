#ifndef CLI_WEBHOOK_H
#define CLI_WEBHOOK_H
/* What the webhook commands share. */

#include "cli/cli.h"

#include "app/webhook.h"

/* The secret's bytes as they are, from --secret-file or --secret-fd; ERR_INVALID by the rule's own words where they are
 * more than out takes. The caller wipes. */
enum err webhook_read_secret(const struct cli *cli, struct str *out, struct error *error) MUST_CHECK;

#endif
