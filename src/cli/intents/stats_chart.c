#include "stats.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <string.h>

enum { COLUMNS_USUAL = 80, BAR_LEAST = 10, COUNT_COLS = 18 /* a count, a share and blanks */, LETTERS = 26 };
enum { GAPS_MOST = 1000 /* empty times that a picture shows */ };

static int chart_cols(const struct stats_print *print, int used) {
    int cols = (print->cli->columns > 0 ? print->cli->columns : COLUMNS_USUAL) - used;
    return cols > BAR_LEAST ? cols : BAR_LEAST;
}

/* What occurs is never drawn as nothing. */
static int chart_length(size_t rows, size_t most, int cols) {
    int length = most > 0 ? (int)((unsigned __int128)rows * (unsigned)cols / most) : 0;
    return length == 0 && rows > 0 ? 1 : length;
}

static void chart_bar(const struct stats_print *print, size_t rows, size_t most, int cols, struct str *out) {
    for (int i = chart_length(rows, most, cols); i > 0; i--)
        str_add(out, print->cli->utf8 ? "\u2588" : "#");
}

static size_t chart_most(const struct stats_print *print, bool over) {
    size_t most = 0;
    for (size_t i = 0; !over && i < print->stats->lines.n; i++)
        most = print->stats->lines.items[i].now.rows > most ? print->stats->lines.items[i].now.rows : most;
    for (size_t i = 0; over && i < print->stats->answer->n_overs; i++)
        most = print->stats->answer->overs[i].rows > most ? print->stats->answer->overs[i].rows : most;
    return most;
}

/* Times without intents between two that have some: left out where they are very many. */
static void chart_gap(const struct stats_print *print, const struct query_place *from, const struct query_place *to,
                      int cols, struct str *out) {
    struct query_clock clock = {0};
    struct str name;
    if (!query_axis_is_time(&print->stats->ask.over) || !from->value || !to->value)
        return;
    int64_t at = query_axis_next(&print->stats->ask.over, &clock, from->number, 1);
    str_init(&name, 256);
    for (int told = 0; at < to->number; at = query_axis_next(&print->stats->ask.over, &clock, at, 1)) {
        if (told++ == GAPS_MOST) {
            str_add(out, "...\n");
            break;
        }
        str_reset(&name);
        query_place_name(&print->stats->ask.over, &clock, at, NULL, &name);
        stats_pad(out, name.s, cols);
        str_addf(out, "  %10d %5s\n", 0, "");
    }
    str_clear(&name);
}

static void chart_plain(const struct stats_print *print, struct str *out) {
    struct stats_widths widths = stats_widths(print);
    int cols = chart_cols(print, widths.over + widths.by + 2 + COUNT_COLS);
    size_t most = chart_most(print, false);
    for (size_t i = 0; i < print->stats->lines.n; i++) {
        const struct stats_line *line = &print->stats->lines.items[i];
        if (i > 0 && line->over)
            chart_gap(print, line[-1].over, line->over, widths.over, out);
        stats_add_places(print, line, &widths, out);
        str_addf(out, "%10zu ", line->now.rows);
        stats_add_share(line, out);
        str_add(out, "  ");
        chart_bar(print, line->now.rows, most, cols, out);
        str_add_char(out, '\n');
    }
}

/* ---- Over time by a field: each value has a letter ---- */

static char chart_letter(const struct stats_print *print, const struct query_place *by) {
    size_t i = (size_t)(by - print->stats->answer->values);
    if (print->stats->ask.by.field == QUERY_STATUS_FIELD && by->value)
        return intent_status_letter(intent_status_of(by->value));
    return i < LETTERS ? (char)('A' + i) : '*';
}

static void chart_legend(const struct stats_print *print, struct str *out) {
    for (size_t i = 0; i < print->stats->answer->n_values; i++) {
        const struct query_place *by = &print->stats->answer->values[i];
        if (i == LETTERS) {
            str_addf(out, "* and %zu more\n", print->stats->answer->n_values - LETTERS);
            return;
        }
        str_addf(out, "%c ", chart_letter(print, by));
        stats_add_place(by, out);
        str_addf(out, ", %zu\n", by->rows);
    }
}

/* From the beginning of the line to its end, so that lengths add up to that of all of them. */
static void chart_letters(const struct stats_print *print, size_t from, size_t end, size_t most, int cols,
                          struct str *out) {
    size_t before = 0;
    int drawn = 0;
    for (size_t i = from; i < end; i++) {
        const struct stats_line *line = &print->stats->lines.items[i];
        before += line->now.rows;
        for (int to = chart_length(before, most, cols); drawn < to; drawn++)
            str_add_char(out, chart_letter(print, line->by));
    }
}

static void chart_stacked(const struct stats_print *print, struct str *out) {
    struct stats_widths widths = stats_widths(print);
    int cols = chart_cols(print, widths.over + 2 + COUNT_COLS);
    size_t most = chart_most(print, true);
    const struct query_place *before = NULL;
    chart_legend(print, out);
    for (size_t from = 0, end; from < print->stats->lines.n; from = end) {
        const struct query_place *over = print->stats->lines.items[from].over;
        struct str name;
        for (end = from; end < print->stats->lines.n && print->stats->lines.items[end].over == over;)
            end++;
        if (before)
            chart_gap(print, before, over, widths.over, out);
        before = over;
        str_init(&name, 1 << 16);
        stats_add_place(over, &name);
        stats_pad(out, name.s, widths.over);
        str_addf(out, "  %10zu %5s  ", over->rows, "");
        chart_letters(print, from, end, most, cols, out);
        str_add_char(out, '\n');
        str_clear(&name);
    }
}

void stats_chart(const struct stats_print *print, struct str *out) {
    if (print->stats->ask.over.kind && print->stats->ask.by.kind)
        chart_stacked(print, out);
    else
        chart_plain(print, out);
}
