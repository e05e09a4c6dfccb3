#ifndef CLI_STATS_H
#define CLI_STATS_H
/* What `intents stats` prints, and its picture. Private to the layer. */

#include "app/stats.h"
#include "cached_list.h"

/* Borrows all of it. */
struct stats_print {
    const struct cli *cli;
    const struct stats *stats;
    const struct reasons *reasons; /* what declines mean; NULL: nothing is said of it */
};

struct stats_widths {
    int over, by, second;
};

/* stats_json.c */
void stats_json(const struct stats_print *print, bool array, struct str *out);

/* stats_table.c */
void stats_table(const struct stats_print *print, struct str *out);
void stats_add_place(const struct query_place *place, struct str *out);
void stats_pad(struct str *out, const char *text, int cells);
void stats_add_share(const struct stats_line *line, struct str *out);
struct stats_widths stats_widths(const struct stats_print *print);
/* line NULL: the names of the axes. */
void stats_add_places(const struct stats_print *print, const struct stats_line *line, const struct stats_widths *widths,
                      struct str *out);
/* stats_chart.c: a bar for each place; over time by a field, a bar of letters. */
void stats_chart(const struct stats_print *print, struct str *out);

#endif
