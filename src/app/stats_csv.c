#include "app/stats.h"

#include "base/csv.h"

#include <string.h>

enum { NAME_MAX_BYTES = 64 << 10, DIGITS_MAX = 64 };

const char *stats_meaning(const struct reasons *reasons, const struct stats_line *line) {
    const struct reason *reason = reasons && line->by ? reasons_find(reasons, line->by->value) : NULL;
    return reason ? reason->texts[REASON_MEANING] : NULL;
}

long long stats_grown(const struct stats_line *line) {
    return (long long)line->now.rows - (long long)line->earlier.rows;
}

static void stats_csv_sum(const struct query_counts *counts, struct str *out) {
    if (counts->overflow)
        csv_add_cell(out, "overflow");
    else if (counts->rows > counts->without)
        csv_add_integer(out, counts->sum);
    else
        csv_add_cell(out, NULL);
}

static void stats_csv_growth(const struct query_cell *cell, struct str *out) {
    int64_t number;
    if (stats_sum_grew(cell, &number))
        csv_add_integer(out, number);
    else
        csv_add_cell(out, "overflow");
}

static const struct query_cell *stats_cell_of(const struct stats_line *line, const char *currency) {
    for (size_t i = 0; i < line->n_cells; i++)
        if (str_equal(line->cells[i].currency, currency))
            return &line->cells[i];
    return NULL;
}

static void stats_csv_sums(const struct stats *stats, const struct stats_line *line, struct str *out) {
    for (size_t i = 0; i < stats->currencies.n; i++) {
        const struct query_cell *cell = stats_cell_of(line, stats->currencies.items[i]);
        for (int column = 0; column < (stats->ask.compared ? 3 : 1); column++)
            if (cell && column < 2)
                stats_csv_sum(column == 0 ? &cell->now : &cell->earlier, out);
            else if (cell)
                stats_csv_growth(cell, out);
            else
                csv_add_cell(out, NULL);
    }
}

static void stats_csv_rate(const struct query_counts *counts, struct str *out) {
    csv_add_integer(out, (int64_t)counts->hits);
    csv_add_integer(out, (int64_t)counts->of);
    struct str percent;
    str_init(&percent, DIGITS_MAX);
    (void)stats_rate(counts, &percent);
    csv_add_number(out, percent.s, percent.len);
    csv_end_cell(out);
    str_clear(&percent);
}

static void stats_csv_points(const struct stats_line *line, struct str *out) {
    struct str points;
    str_init(&points, DIGITS_MAX);
    (void)stats_rate_grew(line, &points);
    csv_add_number(out, points.s, points.len);
    csv_end_cell(out);
    str_clear(&points);
}

static void stats_csv_name(struct str *out, const char *before, const char *name, const char *behind) {
    struct str text;
    str_init(&text, NAME_MAX_BYTES);
    str_addf(&text, "%s%s%s", before, name, behind);
    csv_add_cell(out, text.s);
    str_clear(&text);
}

static void stats_csv_head_sums(const struct stats *stats, struct str *out) {
    static const char *const BEHIND[] = {"", " earlier", " difference"};
    for (size_t i = 0; i < stats->currencies.n; i++) {
        const char *currency = stats->currencies.items[i] ? stats->currencies.items[i] : "without currency";
        for (int column = 0; column < (stats->ask.compared ? 3 : 1); column++)
            stats_csv_name(out, "sum ", currency, BEHIND[column]);
    }
}

static void stats_csv_head(const struct stats *stats, const struct reasons *reasons, struct str *out) {
    const struct stats_ask *ask = &stats->ask;
    const char *rate = intent_status_name(ask->rate.status);
    csv_begin(out);
    if (ask->over.kind)
        csv_add_cell(out, query_axis_name(&ask->over));
    if (ask->by.kind)
        csv_add_cell(out, query_axis_name(&ask->by));
    if (ask->second.kind)
        csv_add_cell(out, query_axis_name(&ask->second));
    csv_add_names(out, "intents,percent");
    if (ask->rate.on) {
        csv_add_cell(out, rate);
        stats_csv_name(out, rate, " of", "");
        stats_csv_name(out, rate, " percent", "");
    }
    if (ask->compared)
        csv_add_names(out, "earlier,difference");
    if (ask->compared && ask->rate.on) {
        stats_csv_name(out, rate, "", " earlier");
        stats_csv_name(out, rate, " of", " earlier");
        stats_csv_name(out, rate, " percent", " earlier");
        csv_add_names(out, "points");
    }
    if (ask->compared || ask->rate.on)
        csv_add_names(out, "few");
    stats_csv_head_sums(stats, out);
    if (reasons)
        csv_add_cell(out, "meaning");
    csv_end_row(out);
}

static void stats_csv_line(const struct stats *stats, const struct reasons *reasons, const struct stats_line *line,
                           struct str *out) {
    const struct stats_ask *ask = &stats->ask;
    if (line->over)
        csv_add_cell(out, line->over->value);
    if (line->by)
        csv_add_cell(out, line->by->value);
    if (line->second)
        csv_add_cell(out, line->second->value);
    csv_add_integer(out, (int64_t)line->now.rows);
    csv_add_integer(out, line->percent);
    if (ask->rate.on)
        stats_csv_rate(&line->now, out);
    if (ask->compared) {
        csv_add_integer(out, (int64_t)line->earlier.rows);
        csv_add_integer(out, stats_grown(line));
    }
    if (ask->compared && ask->rate.on) {
        stats_csv_rate(&line->earlier, out);
        stats_csv_points(line, out);
    }
    if (ask->compared || ask->rate.on)
        csv_add_cell(out, line->few ? "few" : "");
    stats_csv_sums(stats, line, out);
    if (reasons)
        csv_add_cell(out, stats_meaning(reasons, line));
    csv_end_row(out);
}

void stats_csv(const struct stats *stats, const struct reasons *reasons, struct str *out) {
    stats_csv_head(stats, reasons, out);
    for (size_t i = 0; i < stats->lines.n; i++)
        stats_csv_line(stats, reasons, &stats->lines.items[i], out);
}
