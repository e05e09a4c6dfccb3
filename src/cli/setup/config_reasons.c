#include "config_faults.h"

#include "base/mem.h"
#include "base/out.h"

#include <string.h>

/* Which declines of the caches the operator's file does not explain. */

enum { CODES_MAX = 64 << 10 };

static void config_reasons_notice(void *context, const char *text) {
    const struct cli *cli = context;
    out_say(cli->err, "bursar: %s\n", text);
}

/* `profile live: declines without an entry in reasons: a, b` */
static void config_reasons_add_codes(const struct profile *profile, const char *codes, struct str *report) {
    str_addf(report, "profile %s: declines without an entry in reasons: ", profile->name);
    for (size_t len; *codes; codes += len + 1) {
        len = strcspn(codes, "\n");
        str_add_n(report, codes, len);
        str_add(report, codes[len + 1] ? ", " : "\n");
    }
}

static void config_reasons_look(struct cli *cli, const struct profile *profile, const struct reasons *reasons,
                                struct str *report) {
    struct local_asker asker = {cli, config_reasons_notice, NULL};
    struct error error = {0};
    struct str codes;
    str_init(&codes, CODES_MAX);
    if (cli->local->unexplained(&asker, profile, reasons, &codes, &error) != ERR_OK)
        out_say(cli->err, "bursar: declines of profile %s could not be looked at: %s\n", profile->name, error.text);
    else if (codes.len > 0)
        config_reasons_add_codes(profile, codes.s, report);
    str_clear(&codes);
}

bool config_reasons(struct cli *cli, const struct config *config, struct str *report) {
    struct reasons reasons = {0};
    size_t before = report->len;
    reasons_load(&reasons, report);
    bool good = report->len == before;
    for (size_t i = 0; i < config->n; i++)
        config_reasons_look(cli, config->profiles[i], &reasons, report);
    reasons_clear(&reasons);
    return good;
}
