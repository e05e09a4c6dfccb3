#include "app/stats.h"

#include "app/days.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { HUNDRED = 100, TENTHS = 1000 /* in a whole, of percents */ };

void stats_question(const struct stats_ask *ask, size_t limit, struct lookup *lookup) {
    lookup->over = ask->over;
    lookup->facet = ask->by.kind == QUERY_AXIS_NONE ? QUERY_FIELD_COUNT : ask->by.field;
    lookup->facet_limit = limit;
    lookup->second = ask->second;
    lookup->sums = true;
    lookup->guarantees = ask->guarantees;
    lookup->rate = ask->rate;
    lookup->compared = ask->compared;
}

/* ---- What is asked ---- */

static enum err stats_read_field(const char *name, size_t len, struct query_axis *axis, struct error *error) {
    const char *near[QUERY_NEAR_MAX];
    enum query_field_code field = query_field_find(name, len);
    *axis = (struct query_axis){QUERY_AXIS_FIELD, field};
    if (field != QUERY_FIELD_COUNT)
        return ERR_OK;
    return query_field_near(name, len, near) > 0
               ? error_set(error, ERR_USAGE, "--by: no field is called %.*s; did you mean %s?", (int)len, name, near[0])
               : error_set(error, ERR_USAGE, "--by: no field is called %.*s", (int)len, name);
}

enum err stats_read_fields(const char *text, struct stats_ask *ask, struct error *error) {
    size_t len = strcspn(text, ",");
    const char *second = text[len] ? text + len + 1 : NULL;
    enum err err = stats_read_field(text, len, &ask->by, error);
    if (err != ERR_OK || !second)
        return err;
    if (strchr(second, ','))
        return error_set(error, ERR_USAGE, "--by takes two fields at most");
    err = stats_read_field(second, strlen(second), &ask->second, error);
    if (err == ERR_OK && ask->second.field == ask->by.field)
        err = error_set(error, ERR_USAGE, "--by: %s is there twice", query_field(ask->by.field)->name);
    return err;
}

enum err stats_read_days(const char *text, int *days, struct error *error) {
    enum { DAYS_MOST = 3660 };
    long long number;
    size_t len = strlen(text);
    bool good = len > 2 && text[0] == '-' && text[len - 1] == 'd' && text[1] != '-' &&
                str_to_int64(text + 1, len - 2, &number) && number >= 1 && number <= DAYS_MOST;
    if (!good)
        return error_set(error, ERR_USAGE, "--compare: %s is no number of days back, as in -7d, up to -%dd", text,
                         DAYS_MOST);
    *days = (int)number;
    return ERR_OK;
}

static bool names_a_time(const struct query_node *node) {
    for (; node; node = node->next)
        if ((node->kind == QUERY_TERM && (node->field == QUERY_CREATED_FIELD || node->field == QUERY_AGE_FIELD)) ||
            names_a_time(node->first))
            return true;
    return false;
}

bool stats_has_period(const struct query *query) {
    return query && names_a_time(query->root);
}

/* ---- Lines ---- */

static void add_counts(const struct query_counts *from, struct query_counts *to) {
    to->rows += from->rows;
    to->without += from->without;
    to->hits += from->hits;
    to->of += from->of;
}

static bool is_few(const struct stats_ask *ask, const struct stats_line *line) {
    size_t now = ask->rate.on ? line->now.of : line->now.rows;
    size_t earlier = ask->rate.on ? line->earlier.of : line->earlier.rows;
    if (ask->rate.on)
        return now < STATS_FEW || (ask->compared && earlier < STATS_FEW);
    return ask->compared && now < STATS_FEW && earlier < STATS_FEW;
}

static void lines_add(struct stats *stats, const struct query_cell *cells, size_t n) {
    const struct lookup_result *answer = stats->answer;
    const struct stats_ask *ask = &stats->ask;
    struct stats_line *line = vec_add(&stats->lines);
    *line = (struct stats_line){.over = ask->over.kind ? &answer->overs[cells->over] : NULL,
                                .by = ask->by.kind ? &answer->values[cells->by] : NULL,
                                .second = ask->second.kind ? &answer->seconds[cells->second] : NULL,
                                .cells = cells,
                                .n_cells = n};
    for (size_t i = 0; i < n; i++) {
        int64_t grown;
        bool beyond = cells[i].now.overflow || cells[i].earlier.overflow;
        add_counts(&cells[i].now, &line->now);
        add_counts(&cells[i].earlier, &line->earlier);
        stats->n_overflow += beyond || (ask->compared && !stats_sum_grew(&cells[i], &grown));
    }
    add_counts(&line->now, &stats->all);
    line->few = is_few(ask, line);
    stats->n_few += line->few;
}

static bool is_same_line(const struct query_cell *a, const struct query_cell *b) {
    return a->over == b->over && a->by == b->by && a->second == b->second;
}

/* In the order of the cells, which is that of the places. */
static void lines_make(struct stats *stats) {
    const struct lookup_result *answer = stats->answer;
    for (size_t from = 0, end; from < answer->n_cells; from = end) {
        for (end = from; end < answer->n_cells && is_same_line(&answer->cells[end], &answer->cells[from]);)
            end++;
        lines_add(stats, &answer->cells[from], end - from);
    }
}

/* Whether a share of both is of the same. */
static bool shares_with(const struct stats *stats, const struct stats_line *a, const struct stats_line *b) {
    const struct stats_ask *ask = &stats->ask;
    bool over = (!ask->by.kind && !ask->second.kind) || a->over == b->over;
    return over && (!ask->second.kind || a->by == b->by);
}

/* How many intents the shares of these lines are of: a limit may have left some out. */
static size_t shared_of(const struct stats *stats, const struct stats_line *line, size_t rows) {
    const struct stats_ask *ask = &stats->ask;
    if (ask->second.kind)
        return rows;
    return ask->over.kind && ask->by.kind ? line->over->rows : stats->answer->n - stats->answer->n_undated;
}

static void lines_share_some(struct stats *stats, struct stats_line *lines, size_t n) {
    size_t *counts = mem_new_array(n + 1, sizeof *counts), rows = 0;
    unsigned *percents = mem_new_array(n + 1, sizeof *percents);
    for (size_t i = 0; i < n; i++)
        rows += counts[i] = lines[i].now.rows;
    size_t of = shared_of(stats, lines, rows);
    counts[n] = of > rows ? of - rows : 0;
    lookup_percents(counts, n + 1, percents);
    for (size_t i = 0; i < n; i++)
        lines[i].percent = percents[i];
    stats->rest = percents[n];
    free(counts);
    free(percents);
}

/* Whole percents; with what a limit leaves out they add up to 100. */
static void lines_share(struct stats *stats) {
    struct stats_line *lines = stats->lines.items;
    for (size_t from = 0, end; from < stats->lines.n; from = end) {
        for (end = from; end < stats->lines.n && shares_with(stats, &lines[end], &lines[from]);)
            end++;
        lines_share_some(stats, &lines[from], end - from);
    }
}

static int stats_by_code(const void *a, const void *b) {
    return str_order(*(const char *const *)a, *(const char *const *)b);
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

/* ---- Differences, exact ---- */

bool stats_sum_grew(const struct query_cell *cell, int64_t *out) {
    *out = 0;
    return !cell->now.overflow && !cell->earlier.overflow &&
           !__builtin_sub_overflow(cell->now.sum, cell->earlier.sum, out);
}

/* By how much, as a fraction; numbers of rows have 32 bits, products of two of them fit. of 0: it is not known. */
struct growth {
    __int128 by;
    unsigned __int128 of;
};

static struct growth growth_of(const struct stats_ask *ask, const struct stats_line *line) {
    const struct query_counts *now = &line->now, *earlier = &line->earlier;
    if (!ask->rate.on)
        return (struct growth){(__int128)now->rows - (__int128)earlier->rows, 1};
    return (struct growth){(__int128)now->hits * (__int128)earlier->of - (__int128)earlier->hits * (__int128)now->of,
                           (unsigned __int128)now->of * earlier->of};
}

static unsigned __int128 size_of(__int128 number) {
    return number < 0 ? (unsigned __int128)-number : (unsigned __int128)number;
}

struct ordered {
    const struct stats_line *line;
    struct growth growth;
};

static int by_growth(const void *a, const void *b) {
    const struct ordered *x = a, *y = b;
    if (x->line->few != y->line->few)
        return x->line->few - y->line->few;
    if ((x->growth.of == 0) != (y->growth.of == 0))
        return (x->growth.of == 0) - (y->growth.of == 0);
    unsigned __int128 left = size_of(x->growth.by) * y->growth.of, right = size_of(y->growth.by) * x->growth.of;
    if (left != right)
        return left < right ? 1 : -1;
    return (x->line->cells > y->line->cells) - (x->line->cells < y->line->cells);
}

static void lines_order(struct stats *stats) {
    size_t n = stats->lines.n;
    struct ordered *ordered = mem_new_array(n + 1, sizeof *ordered);
    struct stats_line *lines = mem_new_array(n + 1, sizeof *lines);
    for (size_t i = 0; i < n; i++)
        ordered[i] = (struct ordered){&stats->lines.items[i], growth_of(&stats->ask, &stats->lines.items[i])};
    qsort(ordered, n, sizeof *ordered, by_growth);
    for (size_t i = 0; i < n; i++)
        lines[i] = *ordered[i].line;
    free(ordered);
    free(stats->lines.items);
    stats->lines.items = lines;
    stats->lines.cap = n + 1;
}

void stats_init(struct stats *stats, const struct stats_ask *ask, const struct lookup_result *answer) {
    *stats = (struct stats){.ask = *ask, .answer = answer};
    lines_make(stats);
    lines_share(stats);
    find_currencies(stats);
    if (ask->compared && stats->lines.n > 1)
        lines_order(stats);
}

void stats_clear(struct stats *stats) {
    free(stats->lines.items);
    free(stats->currencies.items);
    *stats = (struct stats){.answer = NULL};
}

/* ---- Words ---- */

/* In tenths of a percent, to the nearest one, away from zero. */
static void add_tenths(const struct growth *growth, bool sign, struct str *out) {
    enum { TEN = TENTHS / HUNDRED };
    unsigned __int128 tenths = (size_of(growth->by) * 2 * TENTHS + growth->of) / (2 * growth->of);
    str_addf(out, "%s%llu.%llu",
             growth->by < 0 ? "-"
             : sign         ? "+"
                            : "",
             (unsigned long long)(tenths / TEN), (unsigned long long)(tenths % TEN));
}

bool stats_rate(const struct query_counts *counts, struct str *out) {
    if (counts->of > 0)
        add_tenths(&(struct growth){(__int128)counts->hits, counts->of}, false, out);
    return counts->of > 0;
}

bool stats_rate_grew(const struct stats_line *line, struct str *out) {
    struct growth growth = growth_of(&(struct stats_ask){.rate.on = true}, line);
    if (growth.of > 0)
        add_tenths(&growth, true, out);
    return growth.of > 0;
}

void stats_rate_text(const struct query_counts *counts, struct str *out) {
    str_addf(out, "%zu/%zu", counts->hits, counts->of);
    if (counts->of > 0) {
        str_add_char(out, ' ');
        (void)stats_rate(counts, out);
        str_add_char(out, '%');
    }
}

void stats_rate_said(const struct stats *stats, struct str *out) {
    static const char *const OF[] = {[QUERY_RATE_DECIDED] = "those approved or declined",
                                     [QUERY_RATE_FINAL] = "those that are neither created nor pending",
                                     [QUERY_RATE_ALL] = "all, created and pending among them"};
    size_t others = stats->all.rows - stats->all.of;
    str_addf(out, "%s of %s", intent_status_name(stats->ask.rate.status), OF[stats->ask.rate.of]);
    if (others > 0) {
        str_add(out, "; ");
        money_group_count(out, others);
        str_addf(out, " other%s left out", plural_s(others));
    }
}

void stats_compared_said(const struct stats_ask *ask, const struct query_zone *zone, int64_t now, struct str *out) {
    struct query_clock clock = {.zone = *zone};
    str_addf(out, "%d day%s earlier, up to ", ask->compared, plural_s(ask->compared));
    clock_format(out, query_clock_back(&clock, now, ask->compared), days_clock(zone), now);
    str_addf(out, " %s", clock_zone_name(days_clock(zone)));
}
