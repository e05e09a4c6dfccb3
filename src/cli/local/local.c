#include "local.h"

#include "base/clock.h"
#include "base/out.h"

#include <string.h>

void local_notice(void *printer, const char *text) {
    out_say(((struct local_printer *)printer)->cli->err, "bursar: %s\n", text);
}

void local_add_time(struct str *out, int64_t ms) {
    clock_format(out, ms, CLOCK_UTC, ms);
    str_add(out, " UTC");
    (void)clock_format_ahead(out, ", ", ms, clock_now());
}

enum err local_since(const struct cli *cli, int64_t *since, struct error *error) {
    *since = 0;
    if (!cli->args.since || clock_parse(cli->args.since, strlen(cli->args.since), since))
        return ERR_OK;
    return error_set(error, ERR_USAGE, "--since: %s is not a date (YYYY-MM-DD)", cli->args.since);
}
