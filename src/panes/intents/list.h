#ifndef PANES_LIST_H
#define PANES_LIST_H
/* What the list of intents offers to the overlays that stand over it: what is asked for, the rows, the one under the
 * cursor, and ways to ask for others. */

#include "app/export.h"
#include "app/result.h"
#include "app/stats.h"
#include "panes/shell/pane.h"

/* What is asked for. Texts and sets are borrowed until the next update. */
const char *intents_filter(const struct shell *shell);                 /* as applied, "" for none */
void intents_shown_filter(const struct shell *shell, struct str *out); /* that, or the one being typed */
unsigned intents_question(const struct shell *shell);                  /* changes when other rows are asked for */
const struct query *intents_query(const struct shell *shell);          /* of it; NULL: every row */
const struct server_filter *intents_server_filter(const struct shell *shell); /* the part that the service does */
const char *intents_name(const struct shell *shell); /* of the saved view on show, "" for none */
const struct saved_views *intents_saved(const struct shell *shell);
const struct shared_views *intents_shared(const struct shell *shell); /* by the team */
struct layout intents_layout(const struct shell *shell);              /* order and columns */
bool intents_is_sorted(const struct shell *shell);
bool intents_is_untouched(const struct shell *shell);       /* no step to undo, and no saved view on show */
enum view_source intents_source(const struct shell *shell); /* which rows questions are about */
enum err intents_parse(const struct shell *shell, const char *text, struct query **out, struct query_fault *fault,
                       struct error *error) MUST_CHECK;
/* The same of a filter of events received here. */
enum err intents_parse_events(const struct shell *shell, const char *text, struct query **out,
                              struct query_fault *fault, struct error *error) MUST_CHECK;

/* Lists of ids that filters name: whether one is being read; the text that a filter has for pasted ids. */
bool intents_awaits_list(const struct shell *shell);
void intents_paste_ids(struct shell *shell, const char *text, struct str *name);
void intents_lists_outdated(struct shell *shell); /* those named again are read again */

/* The rows, and how many they are. */
size_t intents_count(const struct shell *shell);
bool intents_at(const struct shell *shell, size_t row, struct result_row *out); /* false: not at hand yet */
bool intents_under(const struct shell *shell, struct result_row *out);          /* the cursor */
const struct intent *intents_current(const struct shell *shell);                /* under the cursor; NULL */
const struct notes *intents_notes(const struct shell *shell); /* of the operators here; NULL: none are at hand */
void intents_list(const struct shell *shell, struct view_list *out);
bool intents_is_whole(const struct shell *shell);
bool intents_is_awaited(const struct shell *shell);   /* more of them are being read, or counted after the last page */
bool intents_is_crawling(const struct shell *shell);  /* page after page, as intents_crawl began it */
size_t intents_marks(const struct shell *shell);      /* marked rows of the list */
size_t intents_marks_left(const struct shell *shell); /* and those that left it */
/* The i-th of those that the walk has read; NULL after the last. */
const struct intent *intents_read(const struct shell *shell, size_t i);
int intents_column(const struct shell *shell);                   /* under the cursor */
int intents_column_width(const struct shell *shell, int column); /* as drawn, or as it would be */

/* Questions to the index; the answer is the caller's. */
struct lookup *intents_lookup_marks(const struct shell *shell);
struct lookup *intents_lookup_text(const struct shell *shell, const char *text); /* of a filter; NULL: it is none */
uint64_t intents_ask_stats(struct shell *shell, const struct stats_ask *ask, size_t limit, struct effects *effects);
/* By the places of an axis too. */
uint64_t intents_ask_counts(struct shell *shell, const struct query_axis *over, enum query_field_code field,
                            size_t limit, struct effects *effects);
uint64_t intents_ask_match(struct shell *shell, struct match *match, struct effects *effects);    /* takes match */
uint64_t intents_ask_gather(struct shell *shell, struct gather *gather, struct effects *effects); /* takes gather */
struct query_context intents_context(const struct shell *shell);
/* Before the walk takes an event: what that means for an answer that is held. */
void intents_page(const struct shell *shell, const struct event *event, struct lookup_result *answer);
void intents_coverage(const struct shell *shell, const struct lookup_result *answer, struct coverage *out);
bool intents_covers_text(const struct shell *shell, const struct lookup_result *answer, const char *text);
/* export_start with the rows of the list, and export_update: some of them are of the walk. */
void intents_export(const struct shell *shell, struct export_job *job, struct effects *effects);
bool intents_export_update(const struct shell *shell, struct export_job *job, struct event *event,
                           struct effects *effects);

/* The box in which a note or tags are typed: the argument of OVERLAY_NOTES. */
struct notes_line {
    const struct intent *intent;
    bool tags;
};

/* The box in which intents are handed to a colleague: the argument of OVERLAY_HANDOVER. */
struct handover_ids {
    const char *const *items;
    size_t n, left; /* left: so many of them are marked and not in the list */
};

/* Ways to ask for other rows. */
void intents_apply(struct shell *shell, const char *text, struct effects *effects); /* a filter */
/* The same for the filter with a term added, which is named; empty: it says so already. */
void intents_narrow(struct shell *shell, const char *text, const char *term, struct effects *effects);
void intents_set_filter(struct shell *shell, const struct server_filter *filter, struct effects *effects);
/* Takes query: a filter being typed, on show until it is applied or dropped. */
void intents_preview(struct shell *shell, struct query *query, struct effects *effects);
void intents_drop_preview(struct shell *shell, struct effects *effects);
/* The answer to it, with how many rows of each status there are; NULL: none yet. */
const struct lookup_result *intents_typed(const struct shell *shell);
void intents_look_for(struct shell *shell, const char *text, struct effects *effects); /* without narrowing */
void intents_jump(struct shell *shell, const char *text, struct effects *effects);     /* to an id or a time */
/* To the intent of this id, and of no other that begins with it. */
void intents_go_to(struct shell *shell, const struct lookup_name *name, struct effects *effects);
/* The same from what stands in the list's place, and from any pane. */
void intents_show(struct shell *shell, const struct lookup_name *name, struct effects *effects);
void intents_visit(struct shell *shell, const struct lookup_name *name, struct effects *effects);
void intents_show_view(struct shell *shell, const char *name, struct effects *effects); /* a saved one */
void intents_set_name(struct shell *shell, const char *name);
bool intents_take_saved(struct shell *shell, const char *text, const char *shared); /* view_take_saved */
void intents_restore(struct shell *shell, const struct layout *layout, struct effects *effects);
void intents_show_columns(struct shell *shell, const struct column_set *set);
void intents_crawl(struct shell *shell, struct effects *effects); /* every page of the service's part */
void intents_close_detail(struct shell *shell);                   /* where it stands over the list */

/* Words for what is on show. */
bool intents_totals_cut(const struct shell *shell); /* a sum had no room in the status row */
/* Exact, never across currencies; how many intents of it have no amount. */
void intents_sum_text(const struct shell *shell, const struct lookup_total *total, struct str *out);
/* The exact sums of cells, a currency at a time, as far as `cols` cells have room; none is cut, since part of an amount
 * reads as one. */
void intents_add_sums(const struct shell *shell, const struct query_cell *cells, size_t n, int cols, struct str *out);
/* Of how many rows an answer is, and whether they are all: a bound never looks like a count. Gives the role. */
enum role intents_reach_text(const struct shell *shell, const struct lookup_result *found, struct str *out);
/* A band of amounts, as `EUR 1.00..1.99` where the unit scales. */
void intents_band_text(const struct shell *shell, const struct query_place *place, struct str *out);
enum role intents_status_role(const char *text);
/* The order, and over an answer on show, that it compares amounts of several currencies. */
void intents_order_text(const struct shell *shell, struct str *out);
/* Of the columns that were chosen, whether or not the window has room for them. */
size_t intents_chosen_fields(const struct shell *shell, unsigned char out[RECORD_FIELD_COUNT]);

/* The line in which a filter, a pattern or a place is typed: the argument of OVERLAY_PROMPT. */
enum prompt_kind { PROMPT_FILTER, PROMPT_FIND, PROMPT_JUMP, PROMPT_EVENTS, PROMPT_KINDS };
struct prompt_line {
    enum prompt_kind kind;
    const char *text; /* to begin with */
};

#endif
