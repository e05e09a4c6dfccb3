#ifndef CLI_STATS_H
#define CLI_STATS_H
/* What `intents stats` prints, and its picture. Borrows the answer that it is made of. Private to the layer. */

#include "cached_list.h"

struct stats_line {
    const struct query_place *over, *by; /* NULL: not asked for */
    const struct query_cell *cells;      /* one for each currency */
    size_t n_cells, rows;
    unsigned percent;
};

struct stats {
    const struct cli *cli;
    const struct lookup_result *answer;
    struct query_axis over, by;
    bool has_over, has_by;
    const struct reasons *reasons; /* what declines mean; NULL: nothing is said of it */
    struct {
        struct stats_line *items;
        size_t n, cap;
    } lines;
    struct {
        const char **items;
        size_t n, cap;
    } currencies;
    unsigned rest; /* percent of what a limit left out */
};

struct stats_widths {
    int over, by;
};

void stats_init(struct stats *stats, const struct cli *cli, const struct lookup_result *answer);
void stats_clear(struct stats *stats);
void stats_add_place(const struct query_place *place, struct str *out);
int stats_place_cells(const struct query_place *place);
void stats_pad(struct str *out, const char *text, int cells);
void stats_add_axis(const struct query_axis *axis, struct str *out);
void stats_add_share(const struct stats_line *line, struct str *out);
struct stats_widths stats_widths(const struct stats *stats);
/* line NULL: the names of the axes. */
void stats_add_places(const struct stats *stats, const struct stats_line *line, const struct stats_widths *widths,
                      struct str *out);
/* stats_chart.c: a bar for each place; over time by a field, a bar of letters. */
void stats_chart(const struct stats *stats, struct str *out);

#endif
