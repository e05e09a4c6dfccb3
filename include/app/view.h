#ifndef APP_VIEW_H
#define APP_VIEW_H
/* What the list of intents shows: the walk itself; or, as soon as there is a local filter, a filter that the service
 * does not apply, or a sort, the column index's answer over the cached rows (without a cache: over the rows of the
 * walk). The terms that the service can apply exactly go to it through browse, the whole filter goes to the index.
 * Filter, sort and marks can be undone; views that were left can be gone back to. Pure. */

#include "app/browse.h"
#include "app/columns.h"
#include "app/shared_views.h"
#include "app/stats.h"
#include "app/views.h"
#include "query/query.h"

enum { VIEW_UNDO_MAX = 100, VIEW_HISTORY_MAX = 50, VIEW_WINDOW = 60, VIEW_RANGE_MAX = 10000, VIEW_TIMES_MOST = 1024 };

/* What undo puts back. */
struct view_state {
    char *text; /* the filter, "" for none */
    char *name; /* of the saved view, "" for none */
    struct lookup_sort sort[LOOKUP_SORTS];
    struct column_set columns;
    struct lookup_name *marks;
    size_t n_marks;
};
struct view_states {
    struct view_state *items;
    size_t n, cap;
};

/* Which rows questions are about. */
enum view_source {
    VIEW_NOT_KNOWN, /* the cache is still being opened: nothing is asked yet */
    VIEW_OF_WALK,   /* there is no cache: the rows that were read since the start */
    VIEW_OF_CACHE,  /* the cache, and those rows of the walk that it cannot keep */
};

struct view {
    struct browse *browse; /* borrowed */
    const struct profile *profile;
    enum view_source source;
    struct query_zone zone;
    struct notes *notes;    /* of the operators here; NULL: not known */
    struct id_lists *lists; /* that filters name (app/id_list.h) */

    char *text;          /* the filter that is applied, "" for none */
    char *name;          /* of the saved view on show, until its filter is changed; "" for none */
    struct query *query; /* the parsed filter; NULL: every row */
    char *local;         /* the terms that the service does not apply, "" for none */
    char *window_text;   /* the terms of time that the service applies too; "" for none */
    struct lookup_sort sort[LOOKUP_SORTS];
    struct column_set columns;
    struct {
        struct lookup_name *items;
        size_t n, cap;
    } marks;
    struct idset *marked; /* ids of the marked rows */
    struct query *find;   /* a search that does not narrow the list; NULL: none */
    struct query *typed;  /* a filter that is being typed, applied as a preview */
    bool previewing;

    struct lookup_result *answer; /* on show; NULL: none yet */
    size_t waiting; /* rows of the walk that match and wait to be brought in; for the cache the answer counts them */
    uint64_t ticket, rows_ticket;
    uint64_t range_ticket;    /* of the rows that will be marked as soon as their ids are known */
    bool again;               /* the index changed while a question was open: it is asked again */
    unsigned answered;        /* the question that the answer belongs to */
    bool fresh;               /* the open question is not the one that the answer on show belongs to */
    bool welcome;             /* rows that match newly need not wait: the operator asked for them */
    bool welcomed;            /* the open question was asked with `welcome` */
    unsigned requested_pages; /* of browse, when rows were last welcome */
    struct {
        struct view_seen {
            int64_t key, at;
        } * items;
        size_t n, cap;
    } seen; /* changed rows that the cursor was on, which the operator has seen */
    int64_t asked;
    size_t window, line;       /* rows of the screen; how many of them are above the cursor */
    struct lookup_name anchor; /* the row under the cursor */

    struct view_states undo, redo;
    struct {
        struct view_state items[VIEW_HISTORY_MAX];
        size_t n, at, last; /* last: the view that the operator was in before */
    } history;
    struct saved_views saved;      /* by name */
    struct shared_views shared;    /* of the team */
    unsigned generation, question; /* question: changes when other rows, or another order, are asked for */
};

void view_init(struct view *view, struct browse *browse);
void view_clear(struct view *view);
void view_use_cache(struct view *view, bool use, struct effects *effects); /* whether there is a cache to search */

const struct query *view_shown_query(const struct view *view); /* that applied, or being typed; NULL: every row */
bool view_is_sorted(const struct view *view);
/* The service does not apply its part of the filter, so all of it is applied here. */
bool view_does_all(const struct view *view);
size_t view_rows(const struct view *view);
/* NULL: not decoded yet, or not in the cache any more. */
const struct lookup_row *view_row(const struct view *view, size_t row);
int64_t view_key(const struct view *view, size_t row);
/* The key by which the index knows a row: its number where all rows are the walk's, or where it has no id; else 0, for
 * the cache's key is computed from id and time. */
int64_t view_key_of(const struct view *view, const char *id, int64_t key);
bool view_is_gone(const struct view *view, size_t row); /* the row no longer matches */
/* What changed in a row and was not seen by the operator yet: bits of model/change.h. */
uint64_t view_changed(const struct view *view, const struct lookup_row *row);
void view_see(struct view *view, int64_t key, int64_t now);
/* The walk went on: where it turns out that the service does not filter, the list comes from the index from now on. */
void view_walked(struct view *view, int64_t now, struct effects *effects);
/* Brings in the rows that wait, and removes those that no longer match. */
void view_bring(struct view *view, int64_t now, struct effects *effects);
/* How far an answer to this query reaches, whichever filter was read to its end: what the cache knows of the query, or
 * the walk under way where that reads at least the query's server part. query NULL: every row. */
void view_coverage(const struct view *view, const struct lookup_result *answer, const struct query *query, int64_t now,
                   struct coverage *out);
/* Whether an answer to the filter on show, or to the one being typed, is all there is. */
bool view_covers(const struct view *view, const struct lookup_result *answer);
/* The same for an answer to another filter. */
bool view_covers_text(const struct view *view, const struct lookup_result *answer, const char *text, int64_t now);

/* The list on show, for every count, export, side file and message about it. */
struct view_list {
    size_t rows;    /* on show */
    size_t left;    /* rows on show that left the list: marked until the filter is applied again, and never counted */
    size_t waiting; /* rows of the list that are not on show yet */
    size_t summed;  /* how many of those the answer's sums include all the same */
    struct coverage coverage;
};
void view_list(const struct view *view, struct view_list *out);
bool view_is_whole(const struct view *view); /* whether its coverage is whole */

enum err view_parse(const struct view *view, const char *text, struct query **out, struct query_fault *fault,
                    struct error *error) MUST_CHECK;
enum err view_parse_events(const struct view *view, const char *text, struct query **out, struct query_fault *fault,
                           struct error *error) MUST_CHECK;
struct query_context view_context(const struct view *view, int64_t now);

/* The row under the cursor; id may be NULL. */
void view_anchor(struct view *view, const char *id, int64_t ms, int64_t key);

/* Takes query: a filter that is being typed, shown until it is applied or dropped. */
void view_preview(struct view *view, struct query *query, int64_t now, struct effects *effects);
void view_drop_preview(struct view *view, int64_t now, struct effects *effects);
/* Applies a filter that parses; the state before can be undone. */
enum err view_apply(struct view *view, const char *text, int64_t now, struct effects *effects,
                    struct error *error) MUST_CHECK;
/* The operator chose a server filter; the local terms stay. */
void view_set_server(struct view *view, const struct server_filter *filter, int64_t now, struct effects *effects);
/* key 0: the first press sorts ascending, the next descending, the third not at all; key 1: the same for the second
 * key. */
void view_sort(struct view *view, enum query_field_code field, int key, int64_t now, struct effects *effects);
void view_order(struct view *view, enum query_field_code field, bool descending, int64_t now, struct effects *effects);
/* Asks where matching rows are in the sorted result; the caller waits for the EVENT_LOOKUP with this ticket. */
uint64_t view_locate(const struct view *view, const struct query *query, int64_t now, struct effects *effects);
/* Columns chosen for the view; can be undone. */
void view_columns(struct view *view, const struct column_set *set);
/* Takes query; NULL: none. */
void view_find(struct view *view, struct query *query, int64_t now, struct effects *effects);
void view_ask(struct view *view, int64_t now, struct effects *effects);
/* Counts the matching rows; the caller waits for the EVENT_LOOKUP with this ticket. */
uint64_t view_stats(const struct view *view, const struct stats_ask *ask, size_t limit, int64_t now,
                    struct effects *effects);
/* The same by the places of an axis and the values of a field; of times the newest VIEW_TIMES_MOST. */
uint64_t view_count_over(const struct view *view, const struct query_axis *over, enum query_field_code field,
                         size_t limit, int64_t now, struct effects *effects);

/* Holds a table against the matching rows, of the whole cache; takes match, and the EVENT_LOOKUP with this ticket
 * brings it back joined. */
uint64_t view_match(const struct view *view, struct match *match, int64_t now, struct effects *effects);

/* Makes something of all rows of the filter on show, or of another query, which is taken; takes gather, and the
 * EVENT_LOOKUP with this ticket brings it back. */
uint64_t view_gather(const struct view *view, struct query *query, struct gather *gather, int64_t now,
                     struct effects *effects);

/* A question how many rows a filter has; NULL where it does not parse. */
struct lookup *view_lookup_text(const struct view *view, const char *text, int64_t now);
/* A question for the marked rows only, without those that left the list, in the order on show. */
struct lookup *view_lookup_marks(const struct view *view, int64_t now);

/* Takes notes; what is on show is asked for again. */
void view_take_notes(struct view *view, struct notes *notes, int64_t now, struct effects *effects);
bool view_is_marked(const struct view *view, const char *id);
/* How many marked rows left the list: neither counted nor exported with those that are in it. */
size_t view_marks_left(const struct view *view);
/* Marks a row, or removes its mark. */
void view_mark(struct view *view, const struct lookup_name *name, bool on);
void view_marks_drop(struct view *view);
void view_keep(struct view *view); /* makes the marks as they are now a step to undo; called before they change */

/* False where there is nothing to undo, and, with an error, where its filter cannot be used any more: then nothing is
 * changed. */
bool view_undo(struct view *view, int64_t now, struct effects *effects, struct error *error);
bool view_redo(struct view *view, int64_t now, struct effects *effects, struct error *error);
/* Back to the view that the operator was in before. */
bool view_last(struct view *view, int64_t now, struct effects *effects, struct error *error);
/* A saved view, or WHO/NAME that the team shares, is shown; what was shown before can be gone back to. */
enum err view_open(struct view *view, const char *name, int64_t now, struct effects *effects,
                   struct error *error) MUST_CHECK;
void view_set_name(struct view *view, const char *name);
/* All that are saved and shared, as the files have them; shared NULL: as it was. True where the view on show is not
 * what it was opened as any more: it has lost its name. */
bool view_take_saved(struct view *view, const char *saved, const char *shared);
/* Restores sort and columns of the last session; can be undone. */
void view_restore(struct view *view, const struct layout *layout, int64_t now, struct effects *effects);
/* -1 back, 1 forward */
bool view_go(struct view *view, int step, int64_t now, struct effects *effects, struct error *error);

/* Called before browse takes a page of the walk: rows of it are on their way to the index, so an answer over the cache
 * (NULL: there is none) is marked as behind. */
void view_page(const struct view *view, const struct event *event, struct lookup_result *answer);
/* True when the event was the view's; takes what it brings. */
bool view_update(struct view *view, struct event *event, struct effects *effects);

#endif
