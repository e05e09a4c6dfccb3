/* Every record with all that is kept of it, for auditors: of this machine or of the team. */
#include "local.h"

#include "app/local_store.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "wire/user.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20, NUMBER_BYTES = 64, CELLS = 17 };

#define NAMES \
    "n,team,at,who,host,profile,environment,origin,account,operation,outcome,status,id,url,settled_by,note,message"

struct export_row {
    const char *cells[CELLS];
    char n[NUMBER_BYTES], status[NUMBER_BYTES];
    struct str at;
};

static void fill_export_row(const struct outcome_record *record, struct export_row *row) {
    str_init(&row->at, NUMBER_BYTES);
    clock_format_iso(&row->at, record->at);
    (void)snprintf(row->n, sizeof row->n, "%" PRId64, record->n);
    (void)snprintf(row->status, sizeof row->status, "%d", record->last.status);
    const char *const cells[CELLS] = {record->n > 0 ? row->n : "",
                                      record->team,
                                      row->at.s,
                                      record->who,
                                      record->host,
                                      record->profile,
                                      record->environment,
                                      record->origin,
                                      record->account,
                                      record->operation,
                                      outcome_name(record->last.outcome),
                                      row->status,
                                      record->last.response_id,
                                      record->url,
                                      record->settled ? record->last.who : NULL,
                                      record->last.note,
                                      record->last.message};
    memcpy(row->cells, cells, sizeof cells);
}

static void add_export_json(struct str *out, const struct export_row *row) {
    const char *name = NAMES;
    char word[NUMBER_BYTES];
    for (size_t i = 0; i < CELLS; i++) {
        size_t len = strcspn(name, ",");
        (void)snprintf(word, sizeof word, "%.*s", (int)len, name);
        name += len + (name[len] == ',');
        str_add_char(out, i == 0 ? '{' : ',');
        wire_add_member(out, word, row->cells[i]);
    }
    str_add_char(out, '}');
}

static void add_export_rows(struct str *out, const struct outcome_records *records, enum output_format format,
                            size_t before) {
    for (size_t i = 0; i < records->n; i++) {
        struct export_row row;
        fill_export_row(&records->items[i], &row);
        if (format == OUTPUT_JSON || format == OUTPUT_NDJSON) {
            str_add(out, output_list_before(format, before + i == 0));
            add_export_json(out, &row);
            str_add(out, output_list_after(format));
        } else {
            for (size_t j = 0; j < CELLS; j++)
                csv_add_cell(out, row.cells[j]);
            csv_end_row(out);
        }
        str_clear(&row.at);
    }
}

static void add_export_head(struct str *out, enum output_format format) {
    if (format == OUTPUT_JSON || format == OUTPUT_NDJSON)
        return;
    csv_begin(out);
    csv_add_names(out, NAMES);
    csv_end_row(out);
}

static enum err put_export(void *context, const struct outcome_records *records, struct error *error) {
    struct local_printer *printer = context;
    struct str text;
    str_init(&text, TEXT_MAX);
    add_export_rows(&text, records, printer->cli->args.format, printer->listed);
    printer->listed += records->n;
    return output_whole(printer->cli->out, &text, ERR_OK, error);
}

static enum err export_team(struct cli *cli, struct local_printer *printer, struct error *error) {
    struct outcome_records records = {0};
    enum err err = local_team_records(cli, &records, error);
    if (err == ERR_OK)
        err = put_export(printer, &records, error);
    outcome_records_clear(&records);
    return err;
}

static enum err export_local(struct cli *cli, struct local_printer *printer, struct error *error) {
    struct local_asker asker = {printer, local_notice, put_export};
    struct error damage = {0};
    struct local_list list = {.profile = cli->args.profile,
                              .outcome = cli->args.outcome ? outcome_find(cli->args.outcome) : -1};
    enum err err = local_since(cli, &list.since, error);
    if (err == ERR_OK)
        err = cli->local->list_records(&asker, &list, &damage, error);
    return err == ERR_OK && damage.code != ERR_OK ? error_set(error, damage.code, "%s", damage.text) : err;
}

enum err cli_activity_export(struct cli *cli, struct error *error) {
    struct local_printer printer = {.cli = cli};
    struct str text;
    str_init(&text, TEXT_MAX);
    add_export_head(&text, cli->args.format);
    enum err err = output_whole(cli->out, &text, ERR_OK, error);
    if (err == ERR_OK)
        err = cli->args.team ? export_team(cli, &printer, error) : export_local(cli, &printer, error);
    if (err == ERR_OK)
        err = output_text(cli->out, output_list_end(cli->args.format, printer.listed > 0), error);
    return err == ERR_OK ? output_flush(cli->out, error) : err;
}
