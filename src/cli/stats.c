/* `intents show` and `intents stats`: out of the cache alone. */
#include "looked.h"

#include "base/clock.h"
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

/* Rows whose id is, or begins with, what was typed. term: `id=` or `id:`. */
static enum err look_for(struct cli *cli, const char *term, const char *id, struct looked_ask *ask,
                         struct error *error) {
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    str_add(&text, term);
    query_quote(&text, id);
    ask->lookup = lookup_new();
    enum err code = cli_filter(cli, text.s, &ask->lookup->query, error);
    str_clear(&text);
    if (code == ERR_OK) {
        code = cli_looked(cli, ask, error);
    }
    lookup_free(ask->lookup);
    return code;
}

/* looked_at: among how many it was looked for. */
static enum err show_whole(struct cli *cli, const char *id, size_t *shown, size_t *looked_at, struct error *error) {
    struct showing showing = {.cli = cli};
    struct looked_ask ask = {.limit = 1, .row = show_row, .context = &showing};
    enum err code = look_for(cli, "id=", id, &ask, error);
    if (code == ERR_OK && showing.error.code != ERR_OK) {
        code = error_set(error, showing.error.code, "%s", showing.error.text);
    }
    *shown = showing.shown;
    *looked_at = ask.answer ? ask.answer->looked_at : 0;
    looked_free(ask.answer);
    return code;
}

enum { CANDIDATES_MAX = 10 };

struct candidates {
    struct arena arena;
    const char *ids[CANDIDATES_MAX];
    struct str lines; /* what tells them apart */
    size_t n;         /* one more than there is room for: and others */
};

static bool take_candidate(void *context, const struct looked_row *row) {
    struct candidates *found = context;
    if (!row->intent || row->intent->id.state != VALUE_OK) {
        return true;
    }
    if (found->n++ == CANDIDATES_MAX) {
        return false;
    }
    const struct intent *intent = row->intent;
    found->ids[found->n - 1] = arena_dup_n(&found->arena, intent->id.text, strlen(intent->id.text));
    str_addf(&found->lines, "  %s  ", intent->id.text);
    clock_format(&found->lines, intent->created_at.state == VALUE_OK ? intent->created_at.ms : CLOCK_NONE, CLOCK_UTC,
                 0);
    str_addf(&found->lines, "  %s\n", intent->status.state == VALUE_OK ? intent->status.text : "");
    return true;
}

/* The one whose id begins so, never one of several. */
static enum err show_begun(struct cli *cli, const char *id, size_t *shown, struct error *error) {
    struct candidates found = {.n = 0};
    struct looked_ask ask = {.limit = CANDIDATES_MAX + 1, .row = take_candidate, .context = &found};
    size_t looked_at;
    str_init(&found.lines, TEXT_MAX);
    enum err code = look_for(cli, "id:", id, &ask, error);
    if (code == ERR_OK && found.n == 1) {
        (void)fprintf(cli->err, "bursar: the one cached intent whose id begins so: %s\n", found.ids[0]);
        code = show_whole(cli, found.ids[0], shown, &looked_at, error);
    } else if (code == ERR_OK && found.n > 1) {
        bool more = found.n > CANDIDATES_MAX;
        (void)fprintf(cli->err, "bursar: cached intents whose id begins so%s:\n%s", more ? ", the newest" : "",
                      found.lines.s);
        code = error_set(error, ERR_USAGE, "%s%zu cached intents have an id that begins with %s: write more of it",
                         more ? "more than " : "", more ? (size_t)CANDIDATES_MAX : found.n, id);
    }
    looked_free(ask.answer);
    str_clear(&found.lines);
    arena_clear(&found.arena);
    return code;
}

enum err cli_intents_show(struct cli *cli, struct error *error) {
    const char *id = cli->args.operands[0];
    size_t shown = 0, looked_at = 0;
    enum err code = show_whole(cli, id, &shown, &looked_at, error);
    if (code == ERR_OK && shown == 0 && *id) {
        code = show_begun(cli, id, &shown, error);
    }
    if (code == ERR_OK && shown == 0) {
        code = error_set(error, ERR_INCOMPLETE,
                         "no such intent among the %zu that are cached; bursar intents list --all reads all there are",
                         looked_at);
    }
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
