#include "stats.h"

#include "wire/user.h"

#include <string.h>

static void json_sum(const char *name, bool overflow, int64_t sum, struct str *out) {
    if (overflow)
        str_addf(out, ",\"%s\":null", name);
    else
        str_addf(out, ",\"%s\":%lld", name, (long long)sum);
}

static void json_sums(const struct stats_print *print, const struct stats_line *line, struct str *out) {
    str_add(out, ",\"sums\":[");
    for (size_t i = 0; i < line->n_cells; i++) {
        const struct query_cell *cell = &line->cells[i];
        const struct query_counts *now = &cell->now, *earlier = &cell->earlier;
        int64_t number;
        str_add(out, i > 0 ? ",{" : "{");
        wire_add_member(out, "currency", cell->currency);
        str_addf(out, ",\"of\":%zu,\"without\":%zu", now->rows - now->without, now->without);
        json_sum("sum", now->overflow, now->sum, out);
        if (print->stats->ask.compared) {
            bool fits = stats_sum_grew(cell, &number);
            str_addf(out, ",\"of_earlier\":%zu", earlier->rows - earlier->without);
            json_sum("earlier", earlier->overflow, earlier->sum, out);
            json_sum("difference", !fits, number, out);
        }
        str_add_char(out, '}');
    }
    str_add_char(out, ']');
}

static void json_rate(const char *name, const struct query_counts *counts, struct str *out) {
    str_addf(out, ",\"%s\":{\"hits\":%zu,\"of\":%zu,\"left_out\":%zu,\"percent\":", name, counts->hits, counts->of,
             counts->rows - counts->of);
    str_add(out, stats_rate(counts, out) ? "}" : "null}");
}

static void json_compared(const struct stats_print *print, const struct stats_line *line, struct str *out) {
    struct str points;
    str_addf(out, ",\"earlier\":%zu,\"difference\":%lld", line->earlier.rows, stats_grown(line));
    if (!print->stats->ask.rate.on)
        return;
    json_rate("rate_earlier", &line->earlier, out);
    str_init(&points, 64);
    bool known = stats_rate_grew(line, &points);
    str_addf(out, ",\"points\":%s", !known ? "null" : points.s[0] == '+' ? points.s + 1 : points.s);
    str_clear(&points);
}

static void json_places(const struct stats_print *print, const struct stats_line *line, struct str *out) {
    if (line->over) {
        wire_add_member(out, query_axis_name(&print->stats->ask.over), line->over->value);
        str_add_char(out, ',');
    }
    if (line->by) {
        wire_add_member(out, "value", line->by->value);
        str_add_char(out, ',');
    }
    if (line->second) {
        wire_add_member(out, "second", line->second->value);
        str_add_char(out, ',');
    }
}

static void json_line(const struct stats_print *print, const struct stats_line *line, struct str *out) {
    const struct stats_ask *ask = &print->stats->ask;
    str_add_char(out, '{');
    json_places(print, line, out);
    str_addf(out, "\"intents\":%zu,\"percent\":%u", line->now.rows, line->percent);
    if (ask->rate.on)
        json_rate("rate", &line->now, out);
    if (ask->compared)
        json_compared(print, line, out);
    if (ask->compared || ask->rate.on)
        str_addf(out, ",\"few\":%s", line->few ? "true" : "false");
    json_sums(print, line, out);
    if (print->reasons) {
        str_add_char(out, ',');
        wire_add_member(out, "meaning", stats_meaning(print->reasons, line));
    }
    str_add_char(out, '}');
}

void stats_json(const struct stats_print *print, bool array, struct str *out) {
    const struct stats *stats = print->stats;
    str_add(out, array ? "[\n" : "");
    for (size_t i = 0; i < stats->lines.n; i++) {
        str_add(out, i == 0 ? "" : array ? ",\n" : "\n");
        json_line(print, &stats->lines.items[i], out);
    }
    str_add(out, array ? "\n]\n" : stats->lines.n > 0 ? "\n" : "");
}
