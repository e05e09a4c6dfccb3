#include "match_print.h"

#include "app/match.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "wire/user.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16, BLOCK_MAX = 64 << 20, LISTED = 100 };

/* What is printed of a match is one line for each row of the file, with its partner, and for each intent without one.
 */
struct match_printer {
    struct cli *cli;
    const struct match *match;
    struct str block;
    size_t lines;
    struct error *error;
    enum err err;
};

/* A line with what stands at its places. */
struct printed_line {
    struct match_line line;
    const struct match_row *row;       /* NULL: an intent alone */
    const struct match_intent *intent; /* NULL: a row alone, or with several candidates */
    enum match_outcome outcome;
};

static void match_flush(struct match_printer *printer, bool last) {
    if (printer->block.len < BLOCK && !last)
        return;
    if (printer->err == ERR_OK && printer->block.truncated)
        printer->err = error_set(printer->error, ERR_LIMIT, "a row is larger than can be printed");
    if (printer->err == ERR_OK)
        printer->err = output_text(printer->cli->out, printer->block.s, printer->error);
    str_reset(&printer->block);
}

static const char *match_line_text(const struct match_printer *printer, const struct printed_line *line,
                                   enum query_field_code code) {
    return line->row ? match_row_text(printer->match, line->line.row, code) : NULL;
}

/* ---- JSON ---- */

static void match_add_created(struct str *out, const struct match_intent *intent) {
    if (intent && intent->created != CLOCK_NONE)
        clock_format_iso(out, intent->created);
}

static void add_json_id(struct str *out, const char *id, bool first) {
    str_add(out, first ? "" : ",");
    wire_add_string(out, id);
}

static void add_json_number(struct str *out, const char *name, bool is_there, int64_t number) {
    if (is_there)
        str_addf(out, ",\"%s\":%" PRId64, name, number);
    else
        str_addf(out, ",\"%s\":null", name);
}

static void match_add_member(struct str *out, const char *name, const char *text) {
    str_add_char(out, ',');
    wire_add_member(out, name, text);
}

static void match_add_json(struct match_printer *printer, const struct printed_line *line) {
    const struct match_intent *intent = line->intent;
    struct str *out = &printer->block, text;
    bool json = printer->cli->args.format == OUTPUT_JSON;
    str_init(&text, BLOCK_MAX);
    match_add_created(&text, intent);
    str_add(out, json && printer->lines > 0 ? ",\n{" : "{");
    wire_add_member(out, "outcome", match_outcome_name(line->outcome));
    add_json_number(out, "line", line->row, line->row ? (int64_t)line->row->line : 0);
    match_add_member(out, "file_id", match_line_text(printer, line, QUERY_ID_FIELD));
    add_json_number(out, "file_amount", line->row && line->row->has_amount, line->row ? line->row->amount : 0);
    match_add_member(out, "file_currency", line->row ? match_row_currency(printer->match, line->line.row) : NULL);
    match_add_member(out, "file_created", match_line_text(printer, line, QUERY_CREATED_FIELD));
    match_add_member(out, "id", intent ? intent->id : NULL);
    add_json_number(out, "amount", intent && intent->has_amount, intent ? intent->amount : 0);
    match_add_member(out, "currency", intent ? intent->currency : NULL);
    match_add_member(out, "created_at", text.len > 0 ? text.s : NULL);
    match_add_member(out, "status", intent ? intent->status : NULL);
    str_reset(&text);
    if (line->row)
        match_differences(printer->match, line->line.row, NULL, &text);
    match_add_member(out, "differences", text.len > 0 ? text.s : NULL);
    str_addf(out, ",\"n_candidates\":%zu,\"candidates\":[", match_line_candidates(printer->match, &line->line));
    match_each_candidate(printer->match, &line->line, out, add_json_id);
    str_addf(out, "]}%s", json ? "" : "\n");
    str_clear(&text);
}

static void match_add_json_totals(const struct match *match, enum match_outcome outcome, struct str *out) {
    bool first = true;
    for (size_t i = 0; i < match->totals.n; i++) {
        const struct match_total *total = &match->totals.items[i];
        if (total->outcome != outcome)
            continue;
        str_addf(out, "%s{\"side\":\"%s\"", first ? "" : ",", total->here ? "here" : "file");
        match_add_member(out, "currency", total->currency);
        str_addf(out, ",\"rows\":%zu,\"without_amount\":%zu", total->rows, total->without);
        add_json_number(out, "sum", !total->overflow, total->sum);
        str_addf(out, ",\"overflow\":%s}", total->overflow ? "true" : "false");
        first = false;
    }
}

static void match_add_summary(struct match_printer *printer, const struct lookup_result *answer) {
    const struct match *match = printer->match;
    bool lines = printer->cli->args.format == OUTPUT_JSON;
    struct str *out = &printer->block, reach;
    str_init(&reach, ERROR_TEXT_MAX);
    coverage_text(&answer->coverage, COVERAGE_FULL, clock_now(), &reach);
    str_addf(out, "\"summary\":{\"rows\":%zu,\"intents\":%zu,\"whole\":%s", match->rows.n, match->intents.n,
             coverage_is_whole(&answer->coverage) ? "true" : "false");
    match_add_member(out, "reach", reach.s);
    str_add(out, ",\"outcomes\":[");
    for (int i = 0; i < MATCH_OUTCOMES; i++) {
        str_addf(out, "%s%s{", i > 0 ? "," : "", lines ? "\n" : "");
        wire_add_member(out, "outcome", match_outcome_name((enum match_outcome)i));
        str_addf(out, ",\"rows\":%zu,\"intents\":%zu,\"sums\":[", match->n_rows[i], match->n_intents[i]);
        match_add_json_totals(match, (enum match_outcome)i, out);
        str_add(out, "]}");
    }
    str_add(out, "]}");
    str_clear(&reach);
}

/* ---- The table ---- */

/* A sum is never cut, however long it is. */
static void match_add_sum(struct str *out, const struct match_printer *printer, const struct match_total *total) {
    enum { SUM_CELLS = 22 };
    struct str text;
    str_init(&text, BLOCK);
    match_say_sum(printer->match, total, &text);
    str_add(out, "  ");
    str_add_repeat(out, ' ', text.len < SUM_CELLS ? SUM_CELLS - text.len : 0);
    str_add_n(out, text.s, text.len);
    str_clear(&text);
}

/* sum NULL: there is none. */
static void add_sum_line(struct match_printer *printer, enum match_outcome outcome, const struct match_sum *sum,
                         bool first) {
    enum { TITLE_CELLS = 18, CODE_CELLS = 10 };
    const char *title = first ? match_outcome_title(outcome) : "", *code = !sum ? "" : sum->currency;
    struct str *out = &printer->block;
    utf8_fit(out, title, strlen(title), TITLE_CELLS, false, "");
    if (first)
        str_addf(out, "%10zu%10zu  ", printer->match->n_rows[outcome], printer->match->n_intents[outcome]);
    else
        str_addf(out, "%22s", "");
    code = code ? code : "(none)";
    utf8_fit(out, code, strlen(code), CODE_CELLS, false, "");
    match_add_sum(out, printer, sum ? sum->file : NULL);
    match_add_sum(out, printer, sum ? sum->here : NULL);
    while (out->len > 0 && out->s[out->len - 1] == ' ')
        str_delete(out, out->len - 1, 1);
    str_add_char(out, '\n');
}

static void match_add_totals(struct match_printer *printer) {
    struct match_sums sums = {0};
    str_addf(&printer->block, "%-18s%10s%10s  %-10s%24s%24s\n", "", "in file", "here", "currency", "sum in file",
             "sum here");
    for (int outcome = 0; outcome < MATCH_OUTCOMES; outcome++) {
        sums.n = 0;
        match_sums(printer->match, (enum match_outcome)outcome, &sums);
        for (size_t i = 0; i < sums.n; i++)
            add_sum_line(printer, (enum match_outcome)outcome, &sums.items[i], i == 0);
        if (sums.n == 0)
            add_sum_line(printer, (enum match_outcome)outcome, NULL, true);
    }
    free(sums.items);
}

static void match_add_text(struct match_printer *printer, const struct printed_line *line) {
    str_add(&printer->block, "  ");
    match_say_line(printer->match, &line->line, &printer->block);
    str_add_char(&printer->block, '\n');
}

/* ---- All lines ---- */

static void match_add_line(struct match_printer *printer, const struct printed_line *line) {
    switch (printer->cli->args.format) {
    case OUTPUT_TABLE:
        match_add_text(printer, line);
        break;
    case OUTPUT_CSV:
        match_csv_line(printer->match, line->outcome, &line->line, &printer->block);
        break;
    default:
        match_add_json(printer, line);
        break;
    }
    printer->lines++;
    match_flush(printer, false);
}

/* Of one outcome, at most `limit`. Returns how many there are. */
static size_t match_add_lines(struct match_printer *printer, enum match_outcome outcome, size_t limit) {
    const struct match *match = printer->match;
    struct match_lines lines = {0};
    match_list(match, outcome, &lines);
    for (size_t i = 0; i < lines.n && i < limit; i++) {
        const struct match_line *at = &lines.items[i];
        match_add_line(printer,
                       &(struct printed_line){*at, match_line_row(match, at), match_line_intent(match, at), outcome});
    }
    size_t n = lines.n;
    free(lines.items);
    return n;
}

static void match_add_table(struct match_printer *printer) {
    const struct args *args = &printer->cli->args;
    size_t limit = args->all ? SIZE_MAX : args->limit > 0 ? (size_t)args->limit : LISTED;
    match_add_totals(printer);
    for (int i = MATCH_DIFFERING; i < MATCH_OUTCOMES; i++) {
        const struct match *match = printer->match;
        if (match->n_rows[i] + match->n_intents[i] == 0)
            continue;
        str_addf(&printer->block, "\n%s\n", match_outcome_title((enum match_outcome)i));
        size_t n = match_add_lines(printer, (enum match_outcome)i, limit);
        if (n > limit)
            str_addf(&printer->block, "  and %zu more; --limit N or --all prints them\n", n - limit);
    }
}

enum err match_print(struct cli *cli, const struct lookup_result *answer, struct error *error) {
    struct match_printer printer = {.cli = cli, .match = answer->match, .error = error};
    enum output_format format = cli->args.format;
    str_init(&printer.block, BLOCK_MAX);
    if (format == OUTPUT_CSV)
        match_csv_head(&printer.block);
    else if (format == OUTPUT_JSON)
        str_add(&printer.block, "{\"rows\":[\n");
    if (format == OUTPUT_TABLE)
        match_add_table(&printer);
    for (int i = 0; format != OUTPUT_TABLE && i < MATCH_OUTCOMES; i++)
        (void)match_add_lines(&printer, (enum match_outcome)i, SIZE_MAX);
    if (format == OUTPUT_JSON || format == OUTPUT_NDJSON) {
        str_add(&printer.block, format == OUTPUT_JSON ? "\n],\n" : "{");
        match_add_summary(&printer, answer);
        str_add(&printer.block, "}\n");
    }
    match_flush(&printer, true);
    str_clear(&printer.block);
    return printer.err == ERR_OK ? output_flush(cli->out, error) : printer.err;
}
