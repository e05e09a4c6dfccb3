#ifndef CLI_WEBHOOK_H
#define CLI_WEBHOOK_H
/* What the webhook commands share. */

#include "cli/cli.h"

#include "app/webhook.h"

/* The secret's bytes as they are, from --secret-file or --secret-fd; ERR_INVALID by the rule's own words where they are
 * more than out takes. The caller wipes. */
enum err webhook_read_secret(const struct cli *cli, struct str *out, struct error *error) MUST_CHECK;

/* The secret with which events that come here are signed: by --secret-file or --secret-fd, else the profile's; empty
 * with --unsigned. Says where it is another than that of the last registration. The caller wipes. */
enum err webhook_choose_secret(struct cli *cli, struct str *out, struct error *error) MUST_CHECK;
/* A URL that events may be sent on to, and whom --ca-file trusts there; option: which the error names. */
enum err webhook_check_target(const struct cli *cli, const char *text, const char *option,
                              struct error *error) MUST_CHECK;
/* A stored event with its body, by its number as typed. */
struct arrival;
enum err webhook_read_event(struct cli *cli, const char *text, struct arrival **out, struct error *error) MUST_CHECK;

#endif
