/* `intents show` and `intents stats`: out of the cache alone. */
#include "looked.h"

#include "base/csv.h"
#include "base/mem.h"
#include "cli/output.h"
#include "query/query.h"
#include "wire/page.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20 };

struct showing {
    struct cli *cli;
    size_t shown;
    struct error error;
};

static bool show_row(void *context, const struct looked_row *row) {
    struct showing *showing = context;
    struct cli *cli = showing->cli;
    struct str text;
    enum err code;
    if (!row->intent) {
        return true;
    }
    if (cli->args.format != OUTPUT_TABLE) {
        struct output_options options = {
            .format = cli->args.format, .out = cli->out, .terminal = cli->out_is_terminal, .utf8 = cli->utf8};
        struct output *output = output_new(&options);
        code = output_intent(output, row->intent, &showing->error);
        code = code == ERR_OK ? output_end(output, &showing->error) : code;
        output_free(output);
    } else {
        str_init(&text, TEXT_MAX);
        wire_pretty(&text, row->intent->raw, row->intent->raw_len);
        str_add(&text, "\n");
        code = output_text(cli->out, text.s, &showing->error);
        str_clear(&text);
    }
    showing->shown += code == ERR_OK;
    return false;
}

enum err cli_intents_show(struct cli *cli, struct error *error) {
    struct showing showing = {.cli = cli};
    struct looked_ask ask = {.lookup = lookup_new(), .limit = 1, .row = show_row, .context = &showing};
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    str_add(&text, "id=");
    query_quote(&text, cli->args.operands[0]);
    enum err code = cli_filter(cli, text.s, &ask.lookup->query, error);
    str_clear(&text);
    if (code != ERR_OK) {
        lookup_free(ask.lookup);
        return code;
    }
    code = cli_looked(cli, &ask, error);
    if (code == ERR_OK && showing.error.code != ERR_OK) {
        code = error_set(error, showing.error.code, "%s", showing.error.text);
    } else if (code == ERR_OK && showing.shown == 0) {
        code = error_set(error, ERR_INCOMPLETE,
                         "no such intent among the %zu that are cached; bursar intents list --all reads all there are",
                         ask.answer->looked_at);
    }
    looked_free(ask.answer);
    return code == ERR_OK ? output_flush(cli->out, error) : code;
}

static void add_value(enum output_format format, const struct looked_value *value, bool first, struct str *out) {
    const char *text = value->value ? value->value : "";
    switch (format) {
    case OUTPUT_TABLE:
        str_addf(out, "%10zu  %s\n", value->rows, value->value ? value->value : "(none)");
        break;
    case OUTPUT_CSV:
        csv_add_text(out, text, strlen(text));
        csv_end_cell(out);
        str_addf(out, "%zu", value->rows);
        csv_end_cell(out);
        csv_end_row(out);
        break;
    default:
        str_add(out, format == OUTPUT_NDJSON || first ? "" : ",\n");
        str_add(out, "{\"value\":");
        if (value->value) {
            wire_add_string(out, value->value);
        } else {
            str_add(out, "null");
        }
        str_addf(out, ",\"intents\":%zu}%s", value->rows, format == OUTPUT_NDJSON ? "\n" : "");
        break;
    }
}

static enum err print_values(struct cli *cli, const struct looked *answer, struct error *error) {
    struct str text;
    enum output_format format = cli->args.format;
    str_init(&text, TEXT_MAX);
    if (format == OUTPUT_JSON) {
        str_add(&text, "[\n");
    } else if (format == OUTPUT_CSV) {
        str_addf(&text, "%s,intents\r\n", cli->args.by);
    }
    for (size_t i = 0; i < answer->n_values; i++) {
        add_value(format, &answer->values[i], i == 0, &text);
    }
    str_add(&text, format == OUTPUT_JSON ? "\n]\n" : "");
    return output_whole(cli->out, &text, ERR_OK, error);
}

static enum err field_of(const char *name, enum query_field_code *field, struct error *error) {
    const char *near[QUERY_NEAR_MAX];
    if (!name) {
        return error_set(error, ERR_USAGE, "--by FIELD is needed: status, type, rail, currency, bank ...");
    }
    *field = query_field_find(name, strlen(name));
    if (*field != QUERY_FIELD_COUNT) {
        return ERR_OK;
    }
    return query_field_near(name, strlen(name), near) > 0
               ? error_set(error, ERR_USAGE, "--by: no field is called %s; did you mean %s?", name, near[0])
               : error_set(error, ERR_USAGE, "--by: no field is called %s", name);
}

enum err cli_intents_stats(struct cli *cli, struct error *error) {
    struct looked_ask ask = {.lookup = lookup_new()};
    enum err code = field_of(cli->args.by, &ask.lookup->facet, error);
    if (code == ERR_OK) {
        code = cli_filter(cli, cli->args.n_operands > 0 ? cli->args.operands[0] : NULL, &ask.lookup->query, error);
    }
    if (code != ERR_OK) {
        lookup_free(ask.lookup);
        return code;
    }
    ask.lookup->facet_limit = (size_t)cli->args.limit;
    code = cli_looked(cli, &ask, error);
    if (code == ERR_OK) {
        code = print_values(cli, ask.answer, error);
    }
    if (code == ERR_OK) {
        cli_say_looked(cli, ask.answer->n, ask.answer);
    }
    looked_free(ask.answer);
    return code;
}
