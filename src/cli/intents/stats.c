/* `intents stats`: counts and exact sums by the values of a field and over time, out of the cache alone. */
#include "stats.h"
#include "attempts.h"

#include "base/csv.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/utf8.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20, SHARE_BYTES = 8 };

/* ---- What is printed: a line for each pair of places that has intents ---- */

static void lines_add(struct stats *stats, const struct query_cell *cells, size_t n) {
    const struct lookup_result *answer = stats->answer;
    struct stats_line *line = vec_add(&stats->lines);
    *line = (struct stats_line){.over = stats->has_over ? &answer->overs[cells->over] : NULL,
                                .by = stats->has_by ? &answer->values[cells->by] : NULL,
                                .cells = cells,
                                .n_cells = n};
    for (size_t i = 0; i < n; i++)
        line->rows += cells[i].rows;
}

/* In the order of the cells, which is that of the places. */
static void lines_make(struct stats *stats) {
    const struct lookup_result *answer = stats->answer;
    for (size_t from = 0, end; from < answer->n_cells; from = end) {
        const struct query_cell *first = &answer->cells[from];
        for (end = from;
             end < answer->n_cells && answer->cells[end].over == first->over && answer->cells[end].by == first->by;)
            end++;
        lines_add(stats, first, end - from);
    }
}

/* Whole percents of what stands at one place of time, or of all; with what a limit leaves out they add up to 100. */
static void lines_share(struct stats *stats) {
    for (size_t from = 0, end; from < stats->lines.n; from = end) {
        const struct query_place *over = stats->has_by ? stats->lines.items[from].over : NULL;
        size_t rows = 0, n = 0;
        for (end = from; end < stats->lines.n && (!over || stats->lines.items[end].over == over); end++)
            rows += stats->lines.items[end].rows;
        size_t of = over ? over->rows : stats->answer->n;
        size_t *counts = mem_new_array(end - from + 1, sizeof *counts);
        unsigned *percents = mem_new_array(end - from + 1, sizeof *percents);
        for (; n < end - from; n++)
            counts[n] = stats->lines.items[from + n].rows;
        counts[n] = of > rows ? of - rows : 0;
        lookup_percents(counts, n + 1, percents);
        for (size_t i = 0; i < n; i++)
            stats->lines.items[from + i].percent = percents[i];
        stats->rest = percents[n];
        free(counts);
        free(percents);
    }
}

static int stats_by_code(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    return x && y ? strcmp(x, y) : (x == NULL) - (y == NULL);
}

static void find_currencies(struct stats *stats) {
    const char **items;
    size_t n = 0;
    for (size_t i = 0; i < stats->answer->n_cells; i++)
        *(const char **)vec_add(&stats->currencies) = stats->answer->cells[i].currency;
    items = stats->currencies.items;
    if (stats->currencies.n > 1)
        qsort(items, stats->currencies.n, sizeof *items, stats_by_code);
    for (size_t i = 0; i < stats->currencies.n; i++)
        if (i == 0 || !str_equal(items[i], items[n - 1]))
            items[n++] = items[i];
    stats->currencies.n = n;
}

void stats_init(struct stats *stats, const struct cli *cli, const struct lookup_result *answer) {
    stats->cli = cli;
    stats->answer = answer;
    stats->has_over = stats->over.kind != QUERY_AXIS_NONE;
    stats->has_by = stats->by.kind != QUERY_AXIS_NONE;
    stats->reasons =
        stats->has_by && stats->by.field == QUERY_DECLINE_FIELD && cli->reasons.n > 0 ? &cli->reasons : NULL;
    lines_make(stats);
    lines_share(stats);
    find_currencies(stats);
}

void stats_clear(struct stats *stats) {
    free(stats->lines.items);
    free(stats->currencies.items);
}

/* Of a decline, where the operator has a file of them. */
static const char *stats_meaning(const struct stats *stats, const struct query_place *by) {
    const struct reason *reason = stats->reasons ? reasons_find(stats->reasons, by->value) : NULL;
    return reason ? reason->texts[REASON_MEANING] : NULL;
}

/* ---- CSV and JSON ---- */

static void csv_value(struct str *out, const char *text) {
    csv_add_value(out, text ? text : "", text ? strlen(text) : 0);
    csv_end_cell(out);
}

static void csv_number(struct str *out, long long number) {
    struct str digits;
    str_init(&digits, TEXT_MAX);
    str_addf(&digits, "%lld", number);
    csv_add_number(out, digits.s, digits.len);
    csv_end_cell(out);
    str_clear(&digits);
}

static void csv_sum(const struct stats_line *line, const char *currency, struct str *out) {
    const struct query_cell *found = NULL;
    for (size_t i = 0; i < line->n_cells && !found; i++)
        if (str_equal(line->cells[i].currency, currency))
            found = &line->cells[i];
    if (found && !found->overflow && found->rows > found->without)
        csv_number(out, (long long)found->sum);
    else
        csv_value(out, found && found->overflow ? "overflow" : NULL);
}

static void stats_csv(const struct stats *stats, struct str *out) {
    csv_begin(out);
    if (stats->has_over)
        csv_value(out, query_axis_name(&stats->over));
    if (stats->has_by)
        csv_value(out, query_axis_name(&stats->by));
    csv_add_names(out, "intents,percent");
    for (size_t i = 0; i < stats->currencies.n; i++) {
        const char *currency = stats->currencies.items[i];
        struct str name;
        str_init(&name, TEXT_MAX);
        str_addf(&name, "sum %s", currency ? currency : "without currency");
        csv_value(out, name.s);
        str_clear(&name);
    }
    if (stats->reasons)
        csv_value(out, "meaning");
    csv_end_row(out);
    for (size_t i = 0; i < stats->lines.n; i++) {
        const struct stats_line *line = &stats->lines.items[i];
        if (stats->has_over)
            csv_value(out, line->over->value);
        if (stats->has_by)
            csv_value(out, line->by->value);
        csv_number(out, (long long)line->rows);
        csv_number(out, line->percent);
        for (size_t c = 0; c < stats->currencies.n; c++)
            csv_sum(line, stats->currencies.items[c], out);
        if (stats->reasons)
            csv_value(out, stats_meaning(stats, line->by));
        csv_end_row(out);
    }
}

static void json_sums(const struct stats_line *line, struct str *out) {
    str_add(out, ",\"sums\":[");
    for (size_t i = 0; i < line->n_cells; i++) {
        const struct query_cell *cell = &line->cells[i];
        str_add(out, i > 0 ? ",{" : "{");
        wire_add_member(out, "currency", cell->currency);
        str_addf(out, ",\"of\":%zu,\"without\":%zu,\"sum\":", cell->rows - cell->without, cell->without);
        if (cell->overflow)
            str_add(out, "null}");
        else
            str_addf(out, "%lld}", (long long)cell->sum);
    }
    str_add_char(out, ']');
}

static void stats_json(const struct stats *stats, bool array, struct str *out) {
    str_add(out, array ? "[\n" : "");
    for (size_t i = 0; i < stats->lines.n; i++) {
        const struct stats_line *line = &stats->lines.items[i];
        str_add(out, i == 0 ? "{" : array ? ",\n{" : "\n{");
        if (stats->has_over)
            wire_add_member(out, query_axis_name(&stats->over), line->over->value);
        str_add(out, stats->has_over && stats->has_by ? "," : "");
        if (stats->has_by)
            wire_add_member(out, "value", line->by->value);
        str_addf(out, ",\"intents\":%zu,\"percent\":%u", line->rows, line->percent);
        json_sums(line, out);
        if (stats->reasons) {
            str_add_char(out, ',');
            wire_add_member(out, "meaning", stats_meaning(stats, line->by));
        }
        str_add_char(out, '}');
    }
    str_add(out, array ? "\n]\n" : stats->lines.n > 0 ? "\n" : "");
}

/* ---- Table ---- */

void stats_add_place(const struct query_place *place, struct str *out) {
    str_add(out, !place->value ? "(none)" : *place->value ? place->value : "\"\"");
}

int stats_place_cells(const struct query_place *place) {
    struct str text;
    str_init(&text, TEXT_MAX);
    stats_add_place(place, &text);
    int cells = utf8_cells(text.s, text.len);
    str_clear(&text);
    return cells;
}

void stats_pad(struct str *out, const char *text, int cells) {
    str_add(out, text);
    for (int i = utf8_cells(text, strlen(text)); i < cells; i++)
        str_add_char(out, ' ');
}

void stats_add_axis(const struct query_axis *axis, struct str *out) {
    str_addf(out, "%s%s", query_axis_name(axis), query_axis_is_time(axis) ? " (UTC)" : "");
}

void stats_add_share(const struct stats_line *line, struct str *out) {
    char share[SHARE_BYTES];
    (void)snprintf(share, sizeof share, line->percent == 0 && line->rows > 0 ? "<1%%" : "%u%%", line->percent);
    str_addf(out, "%5s", share);
}

static void table_sums(const struct stats *stats, const struct stats_line *line, struct str *out) {
    const struct money_rule rule = profile_money(stats->cli->profile);
    for (size_t i = 0; i < line->n_cells; i++) {
        const struct query_cell *cell = &line->cells[i];
        str_addf(out, "  %s ", cell->currency ? cell->currency : "no currency");
        if (cell->overflow)
            str_add(out, "sum beyond 64 bits");
        else
            money_format(out, cell->sum, cell->currency, &rule);
        if (cell->without > 0)
            str_addf(out, " (%zu without)", cell->without);
    }
}

/* A value that is wider stands out of the table alone: the other lines are not made as long as it is. */
static int stats_wider(int cells, int than) {
    enum { PLACE_CELLS_MOST = 60 };
    cells = cells < PLACE_CELLS_MOST ? cells : PLACE_CELLS_MOST;
    return cells > than ? cells : than;
}

struct stats_widths stats_widths(const struct stats *stats) {
    struct stats_widths widths = {0};
    struct str name;
    str_init(&name, TEXT_MAX);
    stats_add_axis(&stats->over, &name);
    widths.over = stats->has_over ? utf8_cells(name.s, name.len) : 0;
    str_reset(&name);
    stats_add_axis(&stats->by, &name);
    widths.by = stats->has_by ? utf8_cells(name.s, name.len) : 0;
    str_clear(&name);
    for (size_t i = 0; i < stats->lines.n; i++) {
        const struct stats_line *line = &stats->lines.items[i];
        widths.over = stats_wider(line->over ? stats_place_cells(line->over) : 0, widths.over);
        widths.by = stats_wider(line->by ? stats_place_cells(line->by) : 0, widths.by);
    }
    return widths;
}

/* The places of a line, each as wide as its axis. */
void stats_add_places(const struct stats *stats, const struct stats_line *line, const struct stats_widths *widths,
                      struct str *out) {
    struct str text;
    str_init(&text, TEXT_MAX);
    for (int i = 0; i < 2; i++) {
        const struct query_axis *axis = i == 0 ? &stats->over : &stats->by;
        const struct query_place *place = !line ? NULL : i == 0 ? line->over : line->by;
        if (axis->kind == QUERY_AXIS_NONE)
            continue;
        str_reset(&text);
        if (place)
            stats_add_place(place, &text);
        else
            stats_add_axis(axis, &text);
        stats_pad(out, text.s, i == 0 ? widths->over : widths->by);
        str_add(out, "  ");
    }
    str_clear(&text);
}

static void stats_table(const struct stats *stats, struct str *out) {
    struct stats_widths widths = stats_widths(stats);
    if (stats->lines.n == 0)
        return;
    str_add(out, "   intents  ");
    stats_add_places(stats, NULL, &widths, out);
    str_add(out, "share  sums\n");
    for (size_t i = 0; i < stats->lines.n; i++) {
        const struct stats_line *line = &stats->lines.items[i];
        str_addf(out, "%10zu  ", line->rows);
        stats_add_places(stats, line, &widths, out);
        stats_add_share(line, out);
        table_sums(stats, line, out);
        const char *meaning = stats_meaning(stats, line->by);
        str_addf(out, "%s%s", meaning ? "  " : "", meaning ? meaning : "");
        str_add_char(out, '\n');
    }
}

/* ---- The command ---- */

static enum err stats_print(struct stats *stats, struct error *error) {
    struct str text;
    str_init(&text, TEXT_MAX);
    if (stats->cli->args.chart)
        stats_chart(stats, &text);
    else if (stats->cli->args.format == OUTPUT_TABLE)
        stats_table(stats, &text);
    else if (stats->cli->args.format == OUTPUT_CSV)
        stats_csv(stats, &text);
    else
        stats_json(stats, stats->cli->args.format == OUTPUT_JSON, &text);
    return output_whole(stats->cli->out, &text, ERR_OK, error);
}

static enum err stats_field_of(const char *name, enum query_field_code *field, struct error *error) {
    const char *near[QUERY_NEAR_MAX];
    *field = name ? query_field_find(name, strlen(name)) : QUERY_FIELD_COUNT;
    if (!name || *field != QUERY_FIELD_COUNT)
        return ERR_OK;
    return query_field_near(name, strlen(name), near) > 0
               ? error_set(error, ERR_USAGE, "--by: no field is called %s; did you mean %s?", name, near[0])
               : error_set(error, ERR_USAGE, "--by: no field is called %s", name);
}

static enum err stats_axes(const struct args *args, struct stats *stats, struct error *error) {
    enum query_field_code field;
    if (!args->by && !args->over)
        return error_set(error, ERR_USAGE,
                         "--by FIELD is needed: status, type, rail, currency, bank ...; or --over hour, day or week");
    if (args->chart && args->format != OUTPUT_TABLE)
        return error_set(error, ERR_USAGE, "--chart draws: it goes with no other --format than table");
    enum err err = stats_field_of(args->by, &field, error);
    stats->by = (struct query_axis){field == QUERY_FIELD_COUNT ? QUERY_AXIS_NONE : QUERY_AXIS_FIELD, field};
    if (err == ERR_OK && args->over && !query_axis_named(args->over, &stats->over.kind))
        return error_set(error, ERR_USAGE, "--over takes hour, day or week");
    return err;
}

static void stats_say_rest(const struct stats *stats) {
    size_t left = stats->answer->n_distinct - stats->answer->n_values;
    if (left > 0 && stats->has_over)
        out_say(stats->cli->err, "bursar: %zu value%s more %s left out; shares are of all intents of that %s\n", left,
                plural_s(left), left == 1 ? "is" : "are", query_axis_name(&stats->over));
    else if (left > 0)
        out_say(stats->cli->err, "bursar: %zu value%s more, together %u%%\n", left, plural_s(left), stats->rest);
}

enum err cli_intents_stats(struct cli *cli, struct error *error) {
    struct lookup_ask ask = {.lookup = lookup_new()};
    struct stats stats = {0};
    if (cli->args.by && strcmp(cli->args.by, "attempts") == 0) {
        lookup_free(ask.lookup);
        return cli_intents_attempts(cli, error);
    }
    enum err err = stats_axes(&cli->args, &stats, error);
    if (err == ERR_OK)
        err = cli_filter(cli, cli->args.n_operands > 0 ? cli->args.operands[0] : NULL, &ask.lookup->query, error);
    if (err != ERR_OK) {
        lookup_free(ask.lookup);
        return err;
    }
    cli_say_integers(cli, ask.lookup->query);
    ask.lookup->over = stats.over;
    ask.lookup->facet = stats.by.kind == QUERY_AXIS_NONE ? QUERY_FIELD_COUNT : stats.by.field;
    ask.lookup->facet_limit = (size_t)cli->args.limit;
    err = cli_cached_list(cli, &ask, error);
    if (err == ERR_OK) {
        stats_init(&stats, cli, ask.answer);
        err = stats_print(&stats, error);
    }
    if (err == ERR_OK) {
        stats_say_rest(&stats);
        cli_say_lookup(cli, ask.answer->n, ask.answer);
        err = cli_check_damage(&ask.answer->coverage, ask.answer->damaged, error);
    }
    stats_clear(&stats);
    lookup_result_free(ask.answer);
    return err;
}
