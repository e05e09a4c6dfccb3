#ifndef CLI_ATTEMPTS_H
#define CLI_ATTEMPTS_H
/* Payments and their attempts, as `intents stats --by attempts` and `users show` print them. Private to the layer. */

#include "cached_list.h"

#include "app/attempts.h"

enum err cli_intents_attempts(struct cli *cli, struct error *error) MUST_CHECK;
/* That the filter leaves out attempts, on standard error; nothing where it does not. */
void attempts_warn(const struct cli *cli, const struct attempts *attempts);
/* Members of an object, from `"payments":` on: how many, how they ended, by the number of their attempts, and by
 * currency. */
void attempts_add_members(const struct attempts *attempts, struct str *out);
/* `"of":2,"without":0,"sum":1200`; null beyond 64 bits. */
void attempts_add_sum(const struct lookup_total *total, struct str *out);

#endif
