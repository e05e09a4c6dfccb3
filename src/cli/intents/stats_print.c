#include "stats.h"

#include "base/csv.h"
#include "wire/user.h"

#include <string.h>

enum { NAME_MAX_BYTES = 64 << 10 };

const char *stats_meaning(const struct stats_print *print, const struct stats_line *line) {
    const struct reason *reason = print->reasons && line->by ? reasons_find(print->reasons, line->by->value) : NULL;
    return reason ? reason->texts[REASON_MEANING] : NULL;
}

static long long grown(const struct stats_line *line) {
    return (long long)line->now.rows - (long long)line->earlier.rows;
}

/* ---- CSV ---- */

static void csv_value(struct str *out, const char *text) {
    csv_add_value(out, text ? text : "", text ? strlen(text) : 0);
    csv_end_cell(out);
}

static void csv_number(struct str *out, long long number) {
    str_addf(out, "%lld", number);
    csv_end_cell(out);
}

static void csv_sum(const struct query_counts *counts, struct str *out) {
    if (counts->overflow)
        str_add(out, "overflow");
    else if (counts->rows > counts->without)
        str_addf(out, "%lld", (long long)counts->sum);
}

static void csv_growth(const struct query_cell *cell, struct str *out) {
    int64_t number;
    if (stats_sum_grew(cell, &number))
        str_addf(out, "%lld", (long long)number);
    else
        str_add(out, "overflow");
}

static const struct query_cell *cell_of(const struct stats_line *line, const char *currency) {
    for (size_t i = 0; i < line->n_cells; i++)
        if (str_equal(line->cells[i].currency, currency))
            return &line->cells[i];
    return NULL;
}

static void csv_sums(const struct stats_print *print, const struct stats_line *line, struct str *out) {
    const struct stats *stats = print->stats;
    for (size_t i = 0; i < stats->currencies.n; i++) {
        const struct query_cell *cell = cell_of(line, stats->currencies.items[i]);
        for (int column = 0; column < (stats->ask.compared ? 3 : 1); column++) {
            if (cell && column < 2)
                csv_sum(column == 0 ? &cell->now : &cell->earlier, out);
            else if (cell)
                csv_growth(cell, out);
            csv_end_cell(out);
        }
    }
}

static void csv_rate(const struct query_counts *counts, struct str *out) {
    csv_number(out, (long long)counts->hits);
    csv_number(out, (long long)counts->of);
    (void)stats_rate(counts, out);
    csv_end_cell(out);
}

static void csv_name(struct str *out, const char *before, const char *name, const char *behind) {
    struct str text;
    str_init(&text, NAME_MAX_BYTES);
    str_addf(&text, "%s%s%s", before, name, behind);
    csv_value(out, text.s);
    str_clear(&text);
}

static void csv_head_sums(const struct stats *stats, struct str *out) {
    static const char *const BEHIND[] = {"", " earlier", " difference"};
    for (size_t i = 0; i < stats->currencies.n; i++) {
        const char *currency = stats->currencies.items[i] ? stats->currencies.items[i] : "without currency";
        for (int column = 0; column < (stats->ask.compared ? 3 : 1); column++)
            csv_name(out, "sum ", currency, BEHIND[column]);
    }
}

static void csv_head(const struct stats_print *print, struct str *out) {
    const struct stats_ask *ask = &print->stats->ask;
    const char *rate = intent_status_name(ask->rate.status);
    if (ask->over.kind)
        csv_value(out, query_axis_name(&ask->over));
    if (ask->by.kind)
        csv_value(out, query_axis_name(&ask->by));
    if (ask->second.kind)
        csv_value(out, query_axis_name(&ask->second));
    str_add(out, "intents,percent,");
    if (ask->rate.on) {
        csv_value(out, rate);
        csv_name(out, rate, " of", "");
        csv_name(out, rate, " percent", "");
    }
    if (ask->compared)
        str_add(out, "earlier,difference,");
    if (ask->compared && ask->rate.on) {
        csv_name(out, rate, "", " earlier");
        csv_name(out, rate, " of", " earlier");
        csv_name(out, rate, " percent", " earlier");
        str_add(out, "points,");
    }
    if (ask->compared || ask->rate.on)
        str_add(out, "few,");
    csv_head_sums(print->stats, out);
    if (print->reasons)
        csv_value(out, "meaning");
    csv_end_row(out);
}

static void csv_line(const struct stats_print *print, const struct stats_line *line, struct str *out) {
    const struct stats_ask *ask = &print->stats->ask;
    if (line->over)
        csv_value(out, line->over->value);
    if (line->by)
        csv_value(out, line->by->value);
    if (line->second)
        csv_value(out, line->second->value);
    csv_number(out, (long long)line->now.rows);
    csv_number(out, line->percent);
    if (ask->rate.on)
        csv_rate(&line->now, out);
    if (ask->compared) {
        csv_number(out, (long long)line->earlier.rows);
        csv_number(out, grown(line));
    }
    if (ask->compared && ask->rate.on) {
        csv_rate(&line->earlier, out);
        (void)stats_rate_grew(line, out);
        csv_end_cell(out);
    }
    if (ask->compared || ask->rate.on)
        csv_value(out, line->few ? "few" : "");
    csv_sums(print, line, out);
    if (print->reasons)
        csv_value(out, stats_meaning(print, line));
    csv_end_row(out);
}

void stats_csv(const struct stats_print *print, struct str *out) {
    csv_head(print, out);
    for (size_t i = 0; i < print->stats->lines.n; i++)
        csv_line(print, &print->stats->lines.items[i], out);
}

/* ---- JSON ---- */

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
    str_addf(out, ",\"earlier\":%zu,\"difference\":%lld", line->earlier.rows, grown(line));
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
        wire_add_member(out, "meaning", stats_meaning(print, line));
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
