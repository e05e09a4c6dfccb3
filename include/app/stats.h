#ifndef APP_STATS_H
#define APP_STATS_H
/* Counts, exact sums and rates of the intents that match, by up to two fields and over time, now and in an earlier
 * period: the lines that `intents stats` prints and the console draws. Pure. */

#include "app/lookup.h"
#include "config/reasons.h"

enum { STATS_FEW = 30 /* a rate or difference of fewer intents says little, and is marked */ };

struct stats_ask {
    struct query_axis over, by, second; /* second: only beside by */
    struct query_rate rate;
    int compared; /* days back to the earlier period; 0: nothing is compared */
    bool guarantees;
};
/* What the question is to count; limit: most frequent values of `by`, 0: all. */
void stats_question(const struct stats_ask *ask, size_t limit, struct lookup *lookup);
/* `2`, or `bank,status`: ERR_USAGE with the nearest name. */
enum err stats_read_fields(const char *text, struct stats_ask *ask, struct error *error) MUST_CHECK;
/* `-7d`: ERR_USAGE. */
enum err stats_read_days(const char *text, int *days, struct error *error) MUST_CHECK;
/* Whether the filter names a time of creation, so that it has an earlier period. */
bool stats_has_period(const struct query *query);

/* A place of each axis that was asked for. */
struct stats_line {
    const struct query_place *over, *by, *second; /* NULL: not asked for */
    const struct query_cell *cells;               /* one for each currency, of the answer */
    size_t n_cells;
    struct query_counts now, earlier; /* over all currencies: without a sum */
    unsigned percent;                 /* of what is at the same place of the axes before the last */
    bool few;                         /* its rate or difference rests on few */
};

/* Borrows the answer. */
struct stats {
    struct stats_ask ask;
    const struct lookup_result *answer;
    struct {
        struct stats_line *items;
        size_t n, cap;
    } lines; /* in the order of their places; where periods are compared the greatest difference first, few last */
    struct {
        const char **items;
        size_t n, cap;
    } currencies;             /* by code, without one last */
    struct query_counts all;  /* of what is given, now */
    unsigned rest;            /* percent of what a limit left out */
    size_t n_few, n_overflow; /* lines that are marked; sums that are beyond 64 bits */
};
void stats_init(struct stats *stats, const struct stats_ask *ask, const struct lookup_result *answer);
void stats_clear(struct stats *stats);

long long stats_grown(const struct stats_line *line); /* by how many intents */
/* What the decline of a line means; NULL: reasons (NULL: there are none) do not say it. */
const char *stats_meaning(const struct reasons *reasons, const struct stats_line *line);
/* All lines as CSV with a header; sums are raw integers. */
void stats_csv(const struct stats *stats, const struct reasons *reasons, struct str *out);
/* By how much the sum grew; false: beyond 64 bits. */
bool stats_sum_grew(const struct query_cell *cell, int64_t *out);
/* Appends `80.0`, in percent to a tenth; false: it is of none, and nothing is appended. */
bool stats_rate(const struct query_counts *counts, struct str *out);
/* Appends `+3.3`, by how many points the rate grew; false: one of both is of none. */
bool stats_rate_grew(const struct stats_line *line, struct str *out);
/* Appends `80/100 80.0%`, or `0/0`. */
void stats_rate_text(const struct query_counts *counts, struct str *out);
/* Appends what the rate is of: `approved of those approved or declined; 12 others left out`. */
void stats_rate_said(const struct stats *stats, struct str *out);
/* Appends with which period it is compared: `7 days earlier, up to 2026-11-23 10:39:12 UTC`. */
void stats_compared_said(const struct stats_ask *ask, const struct query_zone *zone, int64_t now, struct str *out);

#endif
