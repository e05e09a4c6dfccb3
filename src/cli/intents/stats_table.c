#include "stats.h"

#include "app/days.h"
#include "base/utf8.h"

#include <string.h>

enum { TABLE_TEXT_MAX = 64 << 20, SHARE_BYTES = 8, NUMBER_COLS = 10 };

void stats_add_place(const struct query_place *place, struct str *out) {
    str_add(out, !place->value ? "(none)" : *place->value ? place->value : "\"\"");
}

static int stats_place_cells(const struct query_place *place) {
    struct str text;
    if (!place)
        return 0;
    str_init(&text, TABLE_TEXT_MAX);
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

static void stats_add_axis(const struct stats_print *print, const struct query_axis *axis, struct str *out) {
    str_add(out, query_axis_name(axis));
    if (query_axis_is_time(axis)) {
        str_add(out, " (");
        days_text(print->cli->profile, print->cli->args.tz != NULL, out);
        str_add_char(out, ')');
    }
}

void stats_add_share(const struct stats_line *line, struct str *out) {
    char share[SHARE_BYTES];
    (void)snprintf(share, sizeof share, line->percent == 0 && line->now.rows > 0 ? "<1%%" : "%u%%", line->percent);
    str_addf(out, "%5s", share);
}

/* A value that is wider stands out of the table alone: the other lines are not made as long as it is. */
static int stats_wider(int cells, int than) {
    enum { PLACE_CELLS_MOST = 60 };
    cells = cells < PLACE_CELLS_MOST ? cells : PLACE_CELLS_MOST;
    return cells > than ? cells : than;
}

static int name_cells(const struct stats_print *print, const struct query_axis *axis) {
    struct str name;
    str_init(&name, TABLE_TEXT_MAX);
    stats_add_axis(print, axis, &name);
    int cells = axis->kind ? utf8_cells(name.s, name.len) : 0;
    str_clear(&name);
    return cells;
}

struct stats_widths stats_widths(const struct stats_print *print) {
    const struct stats *stats = print->stats;
    struct stats_widths widths = {name_cells(print, &stats->ask.over), name_cells(print, &stats->ask.by),
                                  name_cells(print, &stats->ask.second)};
    for (size_t i = 0; i < stats->lines.n; i++) {
        const struct stats_line *line = &stats->lines.items[i];
        widths.over = stats_wider(stats_place_cells(line->over), widths.over);
        widths.by = stats_wider(stats_place_cells(line->by), widths.by);
        widths.second = stats_wider(stats_place_cells(line->second), widths.second);
    }
    return widths;
}

static void stats_table_add_column(const struct stats_print *print, const struct query_axis *axis,
                                   const struct query_place *place, int width, struct str *out) {
    struct str text;
    if (!axis->kind)
        return;
    str_init(&text, TABLE_TEXT_MAX);
    if (place)
        stats_add_place(place, &text);
    else
        stats_add_axis(print, axis, &text);
    stats_pad(out, text.s, width);
    str_add(out, "  ");
    str_clear(&text);
}

void stats_add_places(const struct stats_print *print, const struct stats_line *line, const struct stats_widths *widths,
                      struct str *out) {
    const struct stats_ask *ask = &print->stats->ask;
    stats_table_add_column(print, &ask->over, line ? line->over : NULL, widths->over, out);
    stats_table_add_column(print, &ask->by, line ? line->by : NULL, widths->by, out);
    stats_table_add_column(print, &ask->second, line ? line->second : NULL, widths->second, out);
}

/* ---- Rates and differences ---- */

struct rate_widths {
    int now, earlier;
};

static int rate_cells(const struct query_counts *counts) {
    struct str text;
    str_init(&text, 256);
    stats_rate_text(counts, &text);
    int cells = (int)text.len;
    str_clear(&text);
    return cells;
}

static struct rate_widths rate_widths(const struct stats *stats) {
    enum { EARLIER = sizeof "earlier" - 1 };
    struct rate_widths widths = {(int)strlen(intent_status_name(stats->ask.rate.status)), EARLIER};
    for (size_t i = 0; i < stats->lines.n; i++) {
        int now = rate_cells(&stats->lines.items[i].now), earlier = rate_cells(&stats->lines.items[i].earlier);
        widths.now = now > widths.now ? now : widths.now;
        widths.earlier = earlier > widths.earlier ? earlier : widths.earlier;
    }
    return widths;
}

static void stats_table_add_rate(const struct query_counts *counts, int width, struct str *out) {
    struct str text;
    str_init(&text, 256);
    stats_rate_text(counts, &text);
    str_addf(out, "  %*s", width, text.s);
    str_clear(&text);
}

static void table_rates(const struct stats *stats, const struct stats_line *line, const struct rate_widths *widths,
                        struct str *out) {
    struct str points;
    if (!stats->ask.rate.on)
        return;
    stats_table_add_rate(&line->now, widths->now, out);
    if (stats->ask.compared) {
        str_init(&points, 64);
        stats_table_add_rate(&line->earlier, widths->earlier, out);
        str_addf(out, "  %6s", stats_rate_grew(line, &points) ? points.s : "-");
        str_clear(&points);
    }
}

static void head_rates(const struct stats *stats, const struct rate_widths *widths, struct str *out) {
    if (stats->ask.rate.on)
        str_addf(out, "  %*s", widths->now, intent_status_name(stats->ask.rate.status));
    if (stats->ask.rate.on && stats->ask.compared)
        str_addf(out, "  %*s  points", widths->earlier, "earlier");
}

static void table_grown(const struct stats_line *line, struct str *out) {
    str_addf(out, "%*zu  %+*lld  ", NUMBER_COLS, line->earlier.rows, NUMBER_COLS, stats_grown(line));
}

/* ---- Sums ---- */

static void add_sum_grown(const struct stats_print *print, const struct query_cell *cell, struct str *out) {
    const struct money_rule rule = profile_money(print->cli->profile);
    int64_t number;
    if (!print->stats->ask.compared)
        return;
    if (!stats_sum_grew(cell, &number)) {
        str_add(out, " (difference beyond 64 bits)");
        return;
    }
    str_add(out, number > 0 ? " (+" : " (");
    money_format(out, number, cell->currency, &rule);
    str_add_char(out, ')');
}

static void table_sums(const struct stats_print *print, const struct stats_line *line, struct str *out) {
    const struct money_rule rule = profile_money(print->cli->profile);
    for (size_t i = 0; i < line->n_cells; i++) {
        const struct query_cell *cell = &line->cells[i];
        str_addf(out, "  %s ", cell->currency ? cell->currency : "no currency");
        if (cell->now.overflow)
            str_add(out, "sum beyond 64 bits");
        else
            money_format(out, cell->now.sum, cell->currency, &rule);
        if (cell->now.without > 0)
            str_addf(out, " (%zu without)", cell->now.without);
        add_sum_grown(print, cell, out);
    }
}

static void table_line(const struct stats_print *print, const struct stats_line *line,
                       const struct stats_widths *widths, const struct rate_widths *rates, struct str *out) {
    const struct stats *stats = print->stats;
    const char *meaning = stats_meaning(print->reasons, line);
    str_addf(out, "%*zu  ", NUMBER_COLS, line->now.rows);
    if (stats->ask.compared)
        table_grown(line, out);
    stats_add_places(print, line, widths, out);
    stats_add_share(line, out);
    table_rates(stats, line, rates, out);
    if (stats->n_few > 0)
        str_add(out, line->few ? " *" : "  ");
    table_sums(print, line, out);
    str_addf(out, "%s%s", meaning ? "  " : "", meaning ? meaning : "");
    str_add_char(out, '\n');
}

void stats_table(const struct stats_print *print, struct str *out) {
    const struct stats *stats = print->stats;
    struct stats_widths widths = stats_widths(print);
    struct rate_widths rates = rate_widths(stats);
    if (stats->lines.n == 0)
        return;
    str_add(out, "   intents  ");
    str_add(out, stats->ask.compared ? "   earlier  difference  " : "");
    stats_add_places(print, NULL, &widths, out);
    str_add(out, "share");
    head_rates(stats, &rates, out);
    str_add(out, stats->n_few > 0 ? "    sums\n" : "  sums\n");
    for (size_t i = 0; i < stats->lines.n; i++)
        table_line(print, &stats->lines.items[i], &widths, &rates, out);
}
