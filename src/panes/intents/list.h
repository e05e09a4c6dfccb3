#ifndef PANES_LIST_H
#define PANES_LIST_H
/* What the list of intents offers to the overlays that stand over it: what is asked for, the rows, the one under the
 * cursor, and ways to ask for others. */

#include "app/export.h"
#include "app/result.h"
#include "panes/shell/pane.h"

/* Filter, order, columns, marks and saved views; and the walk through the service's list below it. After either was
 * changed, intents_viewed. */
struct view *intents_view(const struct shell *shell);
struct browse *intents_browse(const struct shell *shell);
void intents_viewed(struct shell *shell, struct effects *effects);

size_t intents_count(const struct shell *shell);
bool intents_at(const struct shell *shell, size_t row, struct result_row *out); /* false: not at hand yet */
bool intents_under(const struct shell *shell, struct result_row *out);          /* the cursor */
const struct intent *intents_current(const struct shell *shell);                /* under the cursor; NULL */
int intents_column(const struct shell *shell);                                  /* under the cursor */
int intents_column_width(const struct shell *shell, int column);                /* as drawn, or as it would be */

/* Ways to ask for other rows. */
void intents_apply(struct shell *shell, const char *text, struct effects *effects); /* a filter */
/* The same for the filter with a term added, which is named; empty: it says so already. */
void intents_narrow(struct shell *shell, const char *text, const char *term, struct effects *effects);
void intents_set_filter(struct shell *shell, const struct server_filter *filter, struct effects *effects);
void intents_find_first(struct shell *shell, struct effects *effects); /* the cursor to the next row that is found */
void intents_jump(struct shell *shell, const char *text, struct effects *effects);      /* to an id or a time */
void intents_show_view(struct shell *shell, const char *name, struct effects *effects); /* a saved one */
void intents_show_columns(struct shell *shell, const struct column_set *set);
void intents_crawl(struct shell *shell, struct effects *effects); /* every page of the service's part */
void intents_close_detail(struct shell *shell);                   /* where it stands over the list */

/* Words for what is on show. */
bool intents_totals_cut(const struct shell *shell); /* a sum had no room in the status row */
/* Exact, never across currencies; how many intents of it have no amount. */
void intents_sum_text(const struct shell *shell, const struct lookup_total *total, struct str *out);
enum role intents_status_role(const char *text);
/* The order, and over an answer on show, that it compares amounts of several currencies. */
void intents_order_text(const struct view *view, struct str *out);
/* Of the columns that were chosen, whether or not the window has room for them. */
size_t intents_chosen_fields(const struct shell *shell, unsigned char out[RECORD_FIELD_COUNT]);

/* The line in which a filter, a pattern or a place is typed: the argument of OVERLAY_PROMPT. */
enum prompt_kind { PROMPT_FILTER, PROMPT_FIND, PROMPT_JUMP, PROMPT_KINDS };
struct prompt_line {
    enum prompt_kind kind;
    const char *text; /* to begin with */
};

#endif
