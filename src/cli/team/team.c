#include "cli/cli.h"
#include "cli/output.h"

#include "app/team_desk.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/mem.h"
#include "base/out.h"
#include "wire/user.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 20, CONSOLE_SHOWN = 8, ID_MIN = 4 };

static bool prints_json(const struct cli *cli) {
    return cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON;
}

/* ---- team init ---- */

static void tell_key(const struct cli *cli, const struct team_begun *begun) {
    if (begun->key_made)
        out_say(cli->err,
                "bursar: the team's key was made: %s. Give each colleague a copy (mode 0600) by a way that only they "
                "can read, and keep one safe: without it nothing in the store is recognised\n",
                begun->key_path.s);
}

enum err cli_team_init(struct cli *cli, struct error *error) {
    struct team_begun begun;
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err err = cli->args.print_sql ? cli->team->print_sql(cli->profile, &begun, &text, error)
                                       : cli->team->init(cli->profile, &begun, error);
    tell_key(cli, &begun);
    if (err == ERR_OK && !cli->args.print_sql)
        str_addf(&text, "%s; the key of this machine is the team's: %s\n",
                 begun.there ? "the team's store has its tables already" : "the team's store is set up",
                 begun.key_path.s);
    team_begun_clear(&begun);
    return output_whole(cli->out, &text, err, error);
}

/* ---- team check ---- */

static const char *const VERDICTS[] = {[TEAM_GOOD] = "ok", [TEAM_NOTICE] = "notice", [TEAM_BAD] = "wanting"};

static void team_add_findings(struct str *out, const struct team_findings *findings) {
    for (size_t i = 0; i < findings->n; i++)
        str_addf(out, "%-8s %-15s %s\n", VERDICTS[findings->items[i].verdict], findings->items[i].name,
                 findings->items[i].text);
}

static void team_add_findings_json(struct str *out, const struct team_findings *findings, enum output_format format) {
    for (size_t i = 0; i < findings->n; i++) {
        str_addf(out, "%s{", output_list_before(format, i == 0));
        wire_add_member(out, "name", findings->items[i].name);
        str_addf(out, ",\"verdict\":\"%s\",", VERDICTS[findings->items[i].verdict]);
        wire_add_member(out, "text", findings->items[i].text);
        str_addf(out, "}%s", output_list_after(format));
    }
    str_add(out, output_list_end(format, findings->n > 0));
}

enum err cli_team_check(struct cli *cli, struct error *error) {
    struct team_findings findings = {0};
    struct str text;
    size_t bad = 0;
    str_init(&text, TEXT_MAX);
    enum err err = cli->team->check(cli->profile, &findings, error);
    for (size_t i = 0; i < findings.n; i++)
        bad += findings.items[i].verdict == TEAM_BAD;
    if (prints_json(cli))
        team_add_findings_json(&text, &findings, cli->args.format);
    else
        team_add_findings(&text, &findings);
    team_findings_clear(&findings);
    err = output_whole(cli->out, &text, err, error);
    return err == ERR_OK && bad > 0
               ? error_set(error, ERR_CHECK_FAILED, "%zu thing%s wanting", bad, bad == 1 ? " is" : "s are")
               : err;
}

/* ---- team status ---- */

enum err cli_team_status(struct cli *cli, struct error *error) {
    struct team_status status = {0};
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err err = cli->team->status(cli->profile, &status, error);
    if (err == ERR_OK && prints_json(cli)) {
        str_addf(&text, "{\"records\":%" PRId64 ",\"open\":%" PRId64 ",\"required\":%s,", status.records, status.open,
                 cli->profile->team_required ? "true" : "false");
        wire_add_member(&text, "engine", status.engine);
        str_add_char(&text, ',');
        wire_add_member(&text, "role", status.role);
        str_add(&text, "}\n");
    } else if (err == ERR_OK) {
        str_addf(&text, "%-10s%s\n%-10s%s\n", "engine", status.engine ? status.engine : "-", "role",
                 status.role ? status.role : "-");
        str_addf(&text, "%-10s%" PRId64 "\n%-10s%" PRId64 " being sent, or of unknown outcome\n", "records",
                 status.records, "open", status.open);
        str_addf(&text, "%-10s%s\n", "away",
                 cli->profile->team_required ? "writes are refused while it cannot be reached (team_required)"
                                             : "writes are recorded here alone while it cannot be reached");
    }
    team_status_clear(&status);
    return output_whole(cli->out, &text, err, error);
}

/* ---- team members ---- */

static void team_add_members(struct str *out, const struct team_members *members) {
    str_addf(out, "%-19s  %-19s  %7s  %-16s  %-20s  %s\n", "first (UTC)", "last (UTC)", "records", "operator", "host",
             "console");
    for (size_t i = 0; i < members->n; i++) {
        const struct team_member *member = &members->items[i];
        clock_format(out, member->first, CLOCK_UTC, member->first);
        str_add(out, "  ");
        clock_format(out, member->last, CLOCK_UTC, member->last);
        str_addf(out, "  %7" PRId64 "  %-16s  %-20s  %.*s\n", member->records, member->who, member->host, CONSOLE_SHOWN,
                 member->console);
    }
}

static void team_add_members_json(struct str *out, const struct team_members *members, enum output_format format) {
    static const char *const NAMES[] = {"console", "who", "host"};
    for (size_t i = 0; i < members->n; i++) {
        const struct team_member *member = &members->items[i];
        const char *texts[] = {member->console, member->who, member->host};
        str_addf(out, "%s{\"first\":\"", output_list_before(format, i == 0));
        clock_format_iso(out, member->first);
        str_add(out, "\",\"last\":\"");
        clock_format_iso(out, member->last);
        str_addf(out, "\",\"records\":%" PRId64, member->records);
        for (size_t j = 0; j < COUNT_OF(NAMES); j++) {
            str_add_char(out, ',');
            wire_add_member(out, NAMES[j], texts[j]);
        }
        str_addf(out, "}%s", output_list_after(format));
    }
    str_add(out, output_list_end(format, members->n > 0));
}

enum err cli_team_members(struct cli *cli, struct error *error) {
    struct team_members members = {0};
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err err = cli->team->members(cli->profile, &members, error);
    if (err == ERR_OK && prints_json(cli))
        team_add_members_json(&text, &members, cli->args.format);
    else if (err == ERR_OK)
        team_add_members(&text, &members);
    team_members_clear(&members);
    return output_whole(cli->out, &text, err, error);
}

/* ---- team verify ---- */

enum err cli_team_verify(struct cli *cli, struct error *error) {
    struct team_health health = {0};
    struct error fault = {0};
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err err = cli->team->verify(cli->profile, &health, &fault);
    bool read = err == ERR_OK || err == ERR_CHECK_FAILED;
    if (read)
        str_addf(&text, "%" PRId64 " entr%s in the chain%s of %" PRId64 " console%s: %s\n", health.entries,
                 health.entries == 1 ? "y" : "ies", plural_s(health.consoles), health.consoles,
                 plural_s(health.consoles),
                 health.n_faults == 0 ? "each is as it was written, and none is missing" : "so many are sound");
    if (read && health.n_faults > 0)
        str_add(&text, health.faults.s);
    team_health_clear(&health);
    enum err printed = output_whole(cli->out, &text, ERR_OK, err == ERR_OK ? error : NULL);
    return err == ERR_OK ? printed : error_set(error, err, "%s", fault.text);
}

/* ---- team resolve ---- */

static bool is_hex(const char *text) {
    for (; *text; text++)
        if (!ascii_is_digit((unsigned char)*text) && (*text < 'a' || *text > 'f'))
            return false;
    return true;
}

enum err cli_team_resolve(struct cli *cli, struct error *error) {
    struct outcome_records records = {0};
    struct str text;
    const char *id = cli->args.operands[0];
    if (!cli->args.outcome || !cli->args.note)
        return error_set(error, ERR_USAGE, "team resolve needs --outcome done|refused|not-sent and --note TEXT");
    if (strlen(id) < ID_MIN || !is_hex(id))
        return error_set(error, ERR_USAGE, "%s is not the name of a team's record: bursar activity --team lists them",
                         id);
    str_init(&text, TEXT_MAX);
    enum err err = cli->team->resolve(cli->profile, id, (enum outcome)outcome_find(cli->args.outcome), cli->args.note,
                                      &records, error);
    if (err == ERR_OK && records.n > 0) {
        str_addf(&text, "team record %.*s by ", CONSOLE_SHOWN, records.items[0].team);
        outcome_add_person(&text, &records.items[0]);
        str_addf(&text, " is settled for everybody: %s\n", cli->args.outcome);
    }
    outcome_records_clear(&records);
    return output_whole(cli->out, &text, err, error);
}
