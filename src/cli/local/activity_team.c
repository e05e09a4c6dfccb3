/* What the team wrote: listed, or counted by operator or day. */
#include "local.h"

#include "app/team_desk.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/mem.h"
#include "base/out.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "wire/user.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20, NAME_SHOWN = 8, KEY_BYTES = 600, DAY_CHARS = 10 };

static const int64_t DAY_MS = 86400000;

enum err local_team_records(struct cli *cli, struct outcome_records *out, struct error *error) {
    struct team_list list = {.own = true,
                             .outcome = cli->args.outcome ? outcome_find(cli->args.outcome) : -1,
                             .limit = (size_t)cli->args.limit};
    int days = cli->profile->team_window_days;
    enum err err = local_since(cli, &list.since, error);
    if (!cli->args.since && days)
        list.since = clock_now() - days * DAY_MS;
    return err == ERR_OK ? cli->team->list(cli->profile, &list, out, error) : err;
}

static void add_team_row(struct str *out, const struct outcome_record *record) {
    struct str person;
    str_init(&person, KEY_BYTES);
    outcome_add_person(&person, record);
    clock_format(out, record->at, CLOCK_UTC, record->at);
    str_addf(out, "  %.*s  %-8s  %3d  %-16s  %-24s  %s", NAME_SHOWN, record->team, outcome_name(record->last.outcome),
             record->last.status, record->operation, person.s,
             record->last.response_id ? record->last.response_id : "-");
    str_addf(out, "%s%s", record->released ? "  " : "", record->released ? record->released : "");
    str_addf(out, "%s%s\n", record->twice ? "  registered twice: also by " : "", record->twice ? record->twice : "");
    str_clear(&person);
}

static void add_team_csv(struct str *out, const struct outcome_record *record) {
    struct str at;
    str_init(&at, KEY_BYTES);
    clock_format_iso(&at, record->at);
    const char *cells[] = {record->team,
                           at.s,
                           record->who,
                           record->host ? record->host : "",
                           record->profile,
                           record->environment,
                           record->operation,
                           outcome_name(record->last.outcome),
                           record->last.response_id,
                           record->last.note,
                           record->twice,
                           record->released};
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        csv_add_cell(out, cells[i]);
    csv_end_row(out);
    str_clear(&at);
}

static void add_team_json(struct str *out, const struct outcome_record *record) {
    struct str at;
    str_init(&at, KEY_BYTES);
    clock_format_iso(&at, record->at);
    const struct {
        const char *name, *text;
    } members[] = {{"team", record->team},
                   {"at", at.s},
                   {"who", record->who},
                   {"host", record->host},
                   {"profile", record->profile},
                   {"environment", record->environment},
                   {"operation", record->operation},
                   {"outcome", outcome_name(record->last.outcome)},
                   {"id", record->last.response_id},
                   {"note", record->last.note},
                   {"registered_twice", record->twice},
                   {"agreed", record->released}};
    str_addf(out, "{\"status\":%d", record->last.status);
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        str_add_char(out, ',');
        wire_add_member(out, members[i].name, members[i].text);
    }
    str_add_char(out, '}');
    str_clear(&at);
}

static void add_team_records(struct str *out, const struct outcome_records *records, enum output_format format) {
    if (format == OUTPUT_CSV) {
        csv_begin(out);
        csv_add_names(out, "team,at,who,host,profile,environment,operation,outcome,id,note,registered_twice,agreed");
        csv_end_row(out);
    } else if (format == OUTPUT_TABLE && records->n > 0) {
        str_addf(out, "%-19s  %-8s  %-8s  %3s  %-16s  %-24s  %s\n", "at (UTC)", "name", "outcome", "", "operation",
                 "operator", "id");
    }
    for (size_t i = 0; i < records->n; i++) {
        const struct outcome_record *record = &records->items[i];
        if (format == OUTPUT_TABLE) {
            add_team_row(out, record);
        } else if (format == OUTPUT_CSV) {
            add_team_csv(out, record);
        } else {
            str_add(out, output_list_before(format, i == 0));
            add_team_json(out, record);
            str_add(out, output_list_after(format));
        }
    }
    str_add(out, output_list_end(format, records->n > 0));
}

/* ---- counted ---- */

struct tally {
    char *key;
    size_t counts[OUTCOME_COUNT], all;
};
struct tallies {
    struct tally *items;
    size_t n, cap;
};

static void add_tally_key(struct str *out, const struct outcome_record *record, bool by_day) {
    struct str at;
    if (!by_day) {
        str_add(out, record->who);
        return;
    }
    str_init(&at, KEY_BYTES);
    clock_format_iso(&at, record->at);
    str_add_n(out, at.s, at.len < DAY_CHARS ? at.len : DAY_CHARS);
    str_clear(&at);
}

static struct tally *tally_of(struct tallies *tallies, const char *key) {
    for (size_t i = 0; i < tallies->n; i++)
        if (strcmp(tallies->items[i].key, key) == 0)
            return &tallies->items[i];
    struct tally *tally = vec_add(tallies);
    tally->key = mem_dup(key);
    return tally;
}

static void count_records(const struct outcome_records *records, bool by_day, struct tallies *out) {
    struct str key;
    str_init(&key, KEY_BYTES);
    for (size_t i = 0; i < records->n; i++) {
        str_reset(&key);
        add_tally_key(&key, &records->items[i], by_day);
        struct tally *tally = tally_of(out, key.s);
        tally->counts[records->items[i].last.outcome]++;
        tally->all++;
    }
    str_clear(&key);
}

static void add_tallies(struct str *out, const struct tallies *tallies, const char *by, enum output_format format) {
    if (format == OUTPUT_CSV) {
        csv_begin(out);
        csv_add_names(out, by);
        csv_add_names(out, "sending,done,refused,unknown,not-sent,all");
        csv_end_row(out);
    } else if (format == OUTPUT_TABLE) {
        str_addf(out, "%-20s  %8s  %8s  %8s  %8s  %8s  %8s\n", by, "sending", "done", "refused", "unknown", "not-sent",
                 "all");
    }
    for (size_t i = 0; i < tallies->n; i++) {
        const struct tally *tally = &tallies->items[i];
        if (format == OUTPUT_CSV) {
            csv_add_cell(out, tally->key);
            for (int j = 0; j < OUTCOME_COUNT; j++)
                csv_add_integer(out, (int64_t)tally->counts[j]);
            csv_add_integer(out, (int64_t)tally->all);
            csv_end_row(out);
        } else if (format == OUTPUT_TABLE) {
            str_addf(out, "%-20s", tally->key);
            for (int j = 0; j < OUTCOME_COUNT; j++)
                str_addf(out, "  %8zu", tally->counts[j]);
            str_addf(out, "  %8zu\n", tally->all);
        } else {
            str_addf(out, "%s{", output_list_before(format, i == 0));
            wire_add_member(out, by, tally->key);
            for (int j = 0; j < OUTCOME_COUNT; j++)
                str_addf(out, ",\"%s\":%zu", outcome_name((enum outcome)j), tally->counts[j]);
            str_addf(out, ",\"all\":%zu}%s", tally->all, output_list_after(format));
        }
    }
    str_add(out, output_list_end(format, tallies->n > 0));
}

static void add_team_counts(struct str *out, const struct outcome_records *records, const struct cli *cli) {
    struct tallies tallies = {0};
    count_records(records, strcmp(cli->args.by, "day") == 0, &tallies);
    add_tallies(out, &tallies, cli->args.by, cli->args.format);
    for (size_t i = 0; i < tallies.n; i++)
        free(tallies.items[i].key);
    free(tallies.items);
}

enum err local_list_team(struct cli *cli, struct error *error) {
    struct outcome_records records = {0};
    struct str text;
    if (cli->args.tag)
        return error_set(error, ERR_USAGE, "--tag asks the journal of this machine alone: leave out --team");
    if (cli->args.by && strcmp(cli->args.by, "operator") != 0 && strcmp(cli->args.by, "day") != 0)
        return error_set(error, ERR_USAGE, "--by: the team's records are counted by operator or day, not by %s",
                         cli->args.by);
    str_init(&text, TEXT_MAX);
    enum err err = local_team_records(cli, &records, error);
    if (err == ERR_OK && cli->args.by)
        add_team_counts(&text, &records, cli);
    else if (err == ERR_OK)
        add_team_records(&text, &records, cli->args.format);
    if (err == ERR_OK && records.n == 0)
        out_say(cli->err, "bursar: the team wrote nothing in this time\n");
    outcome_records_clear(&records);
    return output_whole(cli->out, &text, err, error);
}
