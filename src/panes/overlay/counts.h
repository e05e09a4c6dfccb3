#ifndef PANES_OVERLAY_COUNTS_H
#define PANES_OVERLAY_COUNTS_H
/* What the files of the box with counts share. */

#include "app/reask.h"
#include "panes/intents/list.h"
#include "ui/dialog.h"

struct counts {
    int field;            /* of the fields that are counted; behind the last one: the days */
    struct stats_ask ask; /* what is asked of them; over: the days, in the place of by */
    size_t rate, earlier; /* which of those that can be chosen */
    struct lookup_result *found;
    struct stats stats; /* of found */
    uint64_t ticket;
    bool again; /* the index changed while a question was open */
    int64_t asked;
    size_t cursor, top;
    int visible_rows;
    struct reask reask; /* before ages are counted */
    uint64_t export_ticket;
    char *export_path;
};

static inline struct counts *counts_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_COUNTS);
}

/* Values alone: without a second field, a rate or an earlier period. */
static inline bool counts_are_plain(const struct counts *counts) {
    return !counts->ask.over.kind && !counts->ask.second.kind && !counts->ask.rate.on && !counts->ask.compared;
}

/* Days stand before the field that they are counted with. */
static inline const struct query_axis *counts_first(const struct stats_ask *asked) {
    return asked->over.kind ? &asked->over : &asked->by;
}

static inline const struct query_axis *counts_second(const struct stats_ask *asked) {
    return asked->over.kind ? &asked->by : &asked->second;
}

static inline const struct query_place *counts_first_of(const struct stats_line *line) {
    return line->over ? line->over : line->by;
}

static inline const struct query_place *counts_second_of(const struct stats_line *line) {
    return line->over ? line->by : line->second;
}

static inline bool counts_are_of_ages(const struct counts *counts) {
    return counts->ask.by.field == QUERY_AGE_FIELD ||
           (counts->ask.second.kind && counts->ask.second.field == QUERY_AGE_FIELD);
}

static inline size_t counts_rows(const struct counts *counts) {
    return counts_are_plain(counts) ? counts->found->n_values : counts->stats.lines.n;
}

void counts_add_label(const struct shell *shell, const struct query_axis *axis, const struct query_place *place,
                      struct str *out);
enum role counts_role_of(const struct query_axis *axis, const char *value);
void counts_draw_bar(size_t most, size_t rows, struct canvas *canvas, struct rect row, int cols);
void counts_scroll(struct counts *counts, int rows);

/* ---- counts_values.c: values alone ---- */

void counts_draw_values(struct shell *shell, struct canvas *canvas, struct rect area);
/* The share of many small values, so that the column adds up to 100. */
void counts_draw_small(const struct lookup_result *found, struct canvas *canvas, struct rect row);

/* ---- counts_lines.c: with a second field, a rate or an earlier period ---- */

/* The filter of the line under the cursor, beside the query; false: the language has none. */
bool counts_line_terms(const struct shell *shell, const struct query *query, bool exclude, struct str *out);
void counts_draw_asked(const struct shell *shell, struct canvas *canvas, struct rect *box);
void counts_draw_lines(struct shell *shell, struct canvas *canvas, struct rect area);

/* ---- counts_export.c: as a new file ---- */

void counts_export(struct shell *shell, struct effects *effects);
bool counts_export_event(struct shell *shell, const struct event *event);

#endif
