#include "cli/cli.h"
#include "local.h"

#include "app/local_store.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "model/user.h"
#include "wire/user.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 64 << 20, TAG_BYTES = USER_TEXT_MAX * 4, DIGITS = 64 };

static const char *or_dash(const char *text) {
    return text && *text ? text : "-";
}

/* ---- one record as text ---- */

static void add_json_text(struct str *out, const char *name, const char *text) {
    str_add_char(out, ',');
    wire_add_member(out, name, text);
}

static void local_activity_add_json(struct str *out, const struct outcome_record *record) {
    struct str at;
    str_init(&at, DIGITS);
    clock_format_iso(&at, record->at);
    str_addf(out, "{\"n\":%" PRId64 ",\"at\":\"%s\",\"outcome\":\"%s\",\"status\":%d", record->n, at.s,
             outcome_name(record->last.outcome), record->last.status);
    add_json_text(out, "operation", record->operation);
    add_json_text(out, "profile", record->profile);
    add_json_text(out, "environment", record->environment);
    add_json_text(out, "origin", record->origin);
    add_json_text(out, "who", record->who);
    add_json_text(out, "id", record->last.response_id);
    add_json_text(out, "message", record->last.message);
    add_json_text(out, "note", record->last.note);
    str_addf(out, ",\"settled\":%s}", record->settled ? "true" : "false");
    str_clear(&at);
}

static void add_csv(struct str *out, const struct outcome_record *record) {
    const char *cells[] = {record->who,
                           record->profile,
                           record->environment,
                           record->operation,
                           outcome_name(record->last.outcome),
                           record->last.response_id,
                           record->last.note};
    struct str text;
    csv_add_integer(out, record->n);
    str_init(&text, DIGITS);
    clock_format_iso(&text, record->at);
    csv_add_number(out, text.s, text.len);
    csv_end_cell(out);
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        csv_add_cell(out, cells[i]);
    csv_end_row(out);
    str_clear(&text);
}

static void local_activity_add_row(struct str *out, const struct outcome_record *record) {
    clock_format(out, record->at, CLOCK_UTC, record->at);
    str_addf(out, "  %6" PRId64 "  %-8s  %3d  %-16s  %-12s  %-10s  %s", record->n, outcome_name(record->last.outcome),
             record->last.status, or_dash(record->operation), or_dash(record->profile), or_dash(record->who),
             or_dash(record->last.response_id));
    (void)clock_format_ahead(out, "  ", record->at, clock_now());
    str_add_char(out, '\n');
}

/* ---- activity list ---- */

static void local_activity_add_head(struct str *out, enum output_format format) {
    if (format == OUTPUT_CSV) {
        csv_begin(out);
        csv_add_names(out, "n,at,who,profile,environment,operation,outcome,id,note");
        csv_end_row(out);
    } else if (format == OUTPUT_TABLE) {
        str_addf(out, "%-19s  %6s  %-8s  %3s  %-16s  %-12s  %-10s  %s\n", "at (UTC)", "n", "outcome", "", "operation",
                 "profile", "who", "id");
    }
}

static void local_activity_add_rows(struct str *out, const struct outcome_records *records, enum output_format format,
                                    bool first) {
    for (size_t i = 0; i < records->n; i++) {
        const struct outcome_record *record = &records->items[i];
        if (format == OUTPUT_TABLE) {
            local_activity_add_row(out, record);
        } else if (format == OUTPUT_CSV) {
            add_csv(out, record);
        } else {
            str_add(out, output_list_before(format, first && i == 0));
            local_activity_add_json(out, record);
            str_add(out, output_list_after(format));
        }
    }
}

static enum err put_portion(void *context, const struct outcome_records *records, struct error *error) {
    struct local_printer *printer = context;
    enum output_format format = printer->cli->args.format;
    struct str text;
    str_init(&text, TEXT_MAX);
    if (printer->listed == 0 && (records->n > 0 || format == OUTPUT_CSV))
        local_activity_add_head(&text, format);
    local_activity_add_rows(&text, records, format, printer->listed == 0);
    printer->listed += records->n;
    return output_whole(printer->cli->out, &text, ERR_OK, error);
}

/* Its normal form. */
static enum err read_tag(const struct cli *cli, struct str *out, struct error *error) {
    char line[USER_TEXT_MAX + 2] = "";
    if (isatty(STDIN_FILENO))
        cli_prompt(cli, "Tag: ", line, sizeof line);
    else
        cli_read_line(line, sizeof line);
    return user_tag_normal(line, out) ? ERR_OK : error_set(error, ERR_USAGE, "--tag: no tag came on standard input");
}

static void say_none(const struct cli *cli) {
    const char *tag = cli->args.tag ? " this tag" : "";
    if (cli->args.outcome)
        out_say(cli->err, "bursar: no record has%s%s the outcome %s\n", tag, *tag ? " and" : "", cli->args.outcome);
    else if (*tag)
        out_say(cli->err, "bursar: no record has%s; purged records have lost theirs and may be missing\n", tag);
    else
        out_say(cli->err, "bursar: nothing was written yet\n");
}

static enum err end_list(const struct local_printer *printer, struct error *error) {
    const struct cli *cli = printer->cli;
    enum err err = output_text(cli->out, output_list_end(cli->args.format, printer->listed > 0), error);
    return err == ERR_OK ? output_flush(cli->out, error) : err;
}

/* Sound records are listed whatever state the journal is in; what is wrong with it is told after them. */
enum err cli_activity_list(struct cli *cli, struct error *error) {
    if (cli->args.team)
        return local_list_team(cli, error);
    if (cli->args.by)
        return error_set(error, ERR_USAGE, "--by counts the team's records: activity --team --by operator|day");
    struct local_printer printer = {.cli = cli};
    struct local_asker asker = {&printer, local_notice, put_portion};
    struct error damage = {0};
    struct str tag;
    str_init(&tag, TAG_BYTES);
    enum err err = cli->args.tag ? read_tag(cli, &tag, error) : ERR_OK;
    struct local_list list = {.profile = cli->args.profile,
                              .outcome = cli->args.outcome ? outcome_find(cli->args.outcome) : -1,
                              .tag = cli->args.tag ? tag.s : NULL,
                              .limit = (size_t)cli->args.limit};
    if (err == ERR_OK)
        err = local_since(cli, &list.since, error);
    if (err == ERR_OK)
        err = cli->local->list_records(&asker, &list, &damage, error);
    if (err == ERR_OK)
        err = end_list(&printer, error);
    if (err == ERR_OK && damage.code != ERR_OK)
        err = error_set(error, damage.code, "%s", damage.text);
    else if (err == ERR_OK && printer.listed == 0)
        say_none(cli);
    str_clear(&tag);
    return err;
}

/* ---- a record's team ---- */

/* The profile that a record was made with, where it has a team; NULL: it has none, or is configured no more. */
static const struct profile *team_of_record(const struct cli *cli, const struct outcome_records *records) {
    const struct profile *profile =
        records->n > 0 && records->items[0].team ? config_profile(&cli->config, records->items[0].profile) : NULL;
    return profile_has_team(profile) ? profile : NULL;
}

/* The record is shown without, where the store cannot be asked. */
static void add_colleagues_words(const struct cli *cli, struct outcome_records *records) {
    struct error fault = {0};
    const struct profile *profile = team_of_record(cli, records);
    if (profile && cli->team->add_words(profile, records, &fault) != ERR_OK)
        out_say(cli->err, "bursar: %s; what colleagues said of it is missing here\n", fault.text);
}

static void tell_team_of_record(const struct cli *cli, int64_t n) {
    struct local_printer printer = {.cli = cli};
    struct local_asker asker = {&printer, local_notice, NULL};
    struct outcome_records records = {0};
    struct error fault = {0}, damage = {0};
    const struct profile *profile = NULL;
    if (cli->local->read_record(&asker, n, &records, &damage, &fault) == ERR_OK)
        profile = team_of_record(cli, &records);
    if (profile && cli->team->tell(profile, &fault) != ERR_OK)
        out_say(cli->err, "bursar: the team's store could not be told, and is told when it is there again: %s\n",
                fault.text);
    outcome_records_clear(&records);
}

/* ---- activity show ---- */

static void add_fact(struct str *out, const char *label, const char *text) {
    if (text && *text) {
        str_addf(out, "%-14s", label);
        utf8_sanitise(out, text, strlen(text));
        str_add_char(out, '\n');
    }
}

static void local_activity_add_event(struct str *out, const struct outcome_event *event) {
    local_add_time(out, event->at);
    str_addf(out, "  %s", outcome_name(event->outcome));
    if (event->status)
        str_addf(out, "  %d", event->status);
    const char *texts[] = {event->response_id, event->who, event->note, event->message};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (texts[i]) {
            str_add(out, i == 1 ? "  settled by " : "  ");
            utf8_sanitise(out, texts[i], strlen(texts[i]));
        }
    }
    str_add_char(out, '\n');
}

static void local_activity_add_record(struct str *out, const struct outcome_record *record) {
    str_addf(out, "%-14s%" PRId64 "\n", "record", record->n);
    str_addf(out, "%-14s", "at");
    local_add_time(out, record->at);
    str_addf(out, "\n%-14s%s: %s\n", "outcome", outcome_name(record->last.outcome),
             outcome_sentence(record->last.outcome));
    add_fact(out, "operation", record->operation);
    add_fact(out, "profile", record->profile);
    add_fact(out, "environment", record->environment);
    add_fact(out, "origin", record->origin);
    add_fact(out, "operator", record->who);
    add_fact(out, "id", record->last.response_id);
    add_fact(out, "url", record->url);
    add_fact(out, "key", record->idempotency);
    add_fact(out, "import", record->import);
    for (size_t i = 0; i < record->n_fields; i++)
        add_fact(out, i == 0 ? "sent" : "", record->fields[i]);
    for (size_t i = 0; i < record->n_events; i++)
        local_activity_add_event(out, &record->events[i]);
}

static enum err local_activity_number_of(const struct cli *cli, int64_t *n, struct error *error) {
    long long number;
    const char *text = cli->args.operands[0];
    if (!str_to_int64(text, strlen(text), &number) || number < 1)
        return error_set(error, ERR_USAGE, "%s is not the number of a record", text);
    *n = number;
    return ERR_OK;
}

enum err cli_activity_show(struct cli *cli, struct error *error) {
    struct local_printer printer = {.cli = cli};
    struct local_asker asker = {&printer, local_notice, NULL};
    struct outcome_records records = {0};
    struct error damage = {0};
    struct str text;
    int64_t n = 0;
    str_init(&text, TEXT_MAX);
    enum err err = local_activity_number_of(cli, &n, error);
    if (err == ERR_OK)
        err = cli->local->read_record(&asker, n, &records, &damage, error);
    if (err == ERR_OK && records.n == 0)
        err = error_set(error, ERR_USAGE, "there is no record %" PRId64, n);
    if (err == ERR_OK)
        add_colleagues_words(cli, &records);
    if (err == ERR_OK && cli->args.format == OUTPUT_TABLE) {
        local_activity_add_record(&text, &records.items[0]);
    } else if (err == ERR_OK) {
        local_activity_add_json(&text, &records.items[0]);
        str_add_char(&text, '\n');
    }
    outcome_records_clear(&records);
    err = output_whole(cli->out, &text, err, error);
    return err == ERR_OK && damage.code != ERR_OK ? error_set(error, damage.code, "%s", damage.text) : err;
}

/* ---- activity verify ---- */

static void add_health(struct str *out, const struct local_health *health) {
    str_addf(out, "%" PRId64 " record%s in a chain of %" PRId64 " link%s: ", health->records, plural_s(health->records),
             health->entries, plural_s(health->entries));
    if (health->sound) {
        str_add(out, "each is as it was written, the chain is whole, and journal.head agrees\n");
        return;
    }
    str_add(out, "so many are sound\n");
    if (health->confirmed < 0)
        str_add(out, "journal.head cannot be read\n");
    else
        str_addf(out, "journal.head names %" PRId64 " links\n", health->confirmed);
    utf8_sanitise_lines(out, health->faults.s, health->faults.len);
}

enum err cli_activity_verify(struct cli *cli, struct error *error) {
    struct local_health health = {0};
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err err = cli->local->verify_journal(&health, error);
    add_health(&text, &health);
    local_health_clear(&health);
    enum err printed = output_whole(cli->out, &text, ERR_OK, err == ERR_OK ? error : NULL);
    return err == ERR_OK ? printed : err;
}

/* ---- activity resolve ---- */

enum err cli_activity_resolve(struct cli *cli, struct error *error) {
    struct local_printer printer = {.cli = cli};
    struct local_asker asker = {&printer, local_notice, NULL};
    struct str text;
    int64_t n = 0;
    if (!cli->args.outcome || !cli->args.note)
        return error_set(error, ERR_USAGE, "activity resolve needs --outcome done|refused|not-sent and --note TEXT");
    str_init(&text, TEXT_MAX);
    enum err err = local_activity_number_of(cli, &n, error);
    if (err == ERR_OK)
        err =
            cli->local->settle_record(&asker, n, (enum outcome)outcome_find(cli->args.outcome), cli->args.note, error);
    if (err == ERR_OK)
        tell_team_of_record(cli, n);
    str_addf(&text, "record %" PRId64 " is settled: %s\n", n, cli->args.outcome);
    return output_whole(cli->out, &text, err, error);
}
