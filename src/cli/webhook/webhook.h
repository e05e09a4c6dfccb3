#ifndef CLI_WEBHOOK_H
#define CLI_WEBHOOK_H
/* What the webhook commands share. */

#include "cli/cli.h"

#include "app/webhook.h"

/* The secret's bytes as they are, from --secret-file or --secret-fd. The caller wipes. */
enum err webhook_read_secret(const struct cli *cli, struct str *out, struct error *error) MUST_CHECK;

#endif
