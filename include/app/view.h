#ifndef APP_VIEW_H
#define APP_VIEW_H
/* What the list of intents shows: the walk itself, or, as soon as there is a local filter, a filter that the service
 * does not apply or a sort, the column index's answer over the cached rows, or where there is no cache over those of
 * the walk. A filter's exact part goes to the service through browse, the whole of it to the index. The state of a view
 * (filter, sort, marks) can be undone; views that were left can be gone back to. Pure. */

#include "app/browse.h"
#include "app/columns.h"
#include "app/views.h"
#include "query/query.h"

enum { VIEW_UNDO_MAX = 100, VIEW_HISTORY_MAX = 50, VIEW_WINDOW = 60, VIEW_RANGE_MAX = 10000 };

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
    VIEW_NOT_KNOWN, /* the cache is being opened: nothing is asked yet */
    VIEW_OF_WALK,   /* there is no cache: what was read since the start */
    VIEW_OF_CACHE,  /* and rows of the walk that no cache keeps */
};

struct view {
    struct browse *browse; /* borrowed */
    const struct profile *profile;
    enum view_source source;
    int (*zone_offset)(int64_t ms);

    char *text;          /* the filter as applied, "" for none */
    char *name;          /* of the saved view on show, until it is filtered otherwise; "" for none */
    struct query *query; /* of it; NULL: every row */
    char *local;         /* its part that the service does not do, "" for none */
    char *window_text;   /* its terms of time, where the service has them too; "" for none */
    struct lookup_sort sort[LOOKUP_SORTS];
    struct column_set columns;
    struct {
        struct lookup_name *items;
        size_t n, cap;
    } marks;
    struct idset *marked; /* ids of them */
    struct query *find;   /* looked for without narrowing; NULL */
    struct query *typed;  /* preview of a filter being typed */
    bool previewing;

    struct lookup_result *answer; /* on show; NULL: none yet */
    size_t waiting; /* rows of the walk that match and wait to be brought in; of the cache the answer says it */
    uint64_t ticket, rows_ticket;
    uint64_t range_ticket;    /* rows to be marked as soon as their ids are known */
    bool again;               /* the index moved while a question was out */
    bool fresh;               /* the question out is another one than the answer on show */
    bool welcome;             /* what comes to match need not wait: the operator asked for it */
    bool welcomed;            /* so said the question that is out */
    unsigned requested_pages; /* of browse, when rows were last welcome */
    struct {
        struct view_seen {
            int64_t key, at;
        } * items;
        size_t n, cap;
    } seen; /* changed rows that the cursor was on */
    int64_t asked;
    size_t window, line;       /* rows of the screen; how many of them stand above the cursor */
    struct lookup_name anchor; /* the row under the cursor */

    struct view_states undo, redo;
    struct {
        struct view_state items[VIEW_HISTORY_MAX];
        size_t n, at, last; /* last: where the operator stood before */
    } history;
    struct saved_views saved; /* by name */
    unsigned generation;
};

void view_init(struct view *view, struct browse *browse);
void view_clear(struct view *view);
void view_use_cache(struct view *view, bool use, struct effects *effects); /* is there one to look into? */

bool view_is_sorted(const struct view *view);
/* The service does not apply its part of the filter, so all of it is done here. */
bool view_does_all(const struct view *view);
size_t view_rows(const struct view *view);
/* NULL: not decoded yet, or not held any more. */
const struct lookup_row *view_row(const struct view *view, size_t row);
int64_t view_key(const struct view *view, size_t row);
bool view_is_gone(const struct view *view, size_t row); /* it matches no longer */
/* What of a row changed and was not seen yet: bits of model/change.h. */
uint64_t view_changed(const struct view *view, const struct lookup_row *row);
void view_see(struct view *view, int64_t key, int64_t now);
/* The walk went on: where the service turns out not to filter, the list comes from the index from now on. */
void view_walked(struct view *view, int64_t now, struct effects *effects);
/* What waits comes in, what is gone leaves. */
void view_bring(struct view *view, int64_t now, struct effects *effects);
/* How far an answer to a query reaches: the claim belongs to that query, whichever filter was read to its end. What the
 * cache knows of it, or the walk under way where that reads at least its server part. query NULL: every row. */
void view_coverage(const struct view *view, const struct lookup_result *answer, const struct query *query, int64_t now,
                   struct coverage *out);
/* The same of an answer to the filter on show or being typed, as the one question whether it is all there is. */
bool view_covers(const struct view *view, const struct lookup_result *answer);
/* And of an answer to another filter. */
bool view_covers_text(const struct view *view, const struct lookup_result *answer, const char *text, int64_t now);

/* What the list on show is: for every count, export, side file and message about it. */
struct view_list {
    size_t rows;    /* on show */
    size_t left;    /* of them: no longer of the list, marked until it is applied anew and never counted */
    size_t waiting; /* of the list, not on show yet */
    size_t summed;  /* of those: counted in the answer's sums all the same */
    struct coverage coverage;
};
void view_list(const struct view *view, struct view_list *out);
bool view_is_whole(const struct view *view); /* its coverage is */

enum err view_parse(const struct view *view, const char *text, struct query **out, struct query_fault *fault,
                    struct error *error) MUST_CHECK;
struct query_context view_context(const struct view *view, int64_t now);

/* The row under the cursor; id may be NULL. */
void view_anchor(struct view *view, const char *id, int64_t ms, int64_t key);

/* Takes query: a filter being typed, shown until it is applied or dropped. */
void view_preview(struct view *view, struct query *query, int64_t now, struct effects *effects);
void view_drop_preview(struct view *view, int64_t now, struct effects *effects);
/* Applies a filter that parses; the state before can be undone. */
enum err view_apply(struct view *view, const char *text, int64_t now, struct effects *effects,
                    struct error *error) MUST_CHECK;
/* A server filter chosen by hand; what is filtered here stays. */
void view_set_server(struct view *view, const struct server_filter *filter, int64_t now, struct effects *effects);
/* key 0: first press sorts ascending, then descending, then off; key 1: the same as a second key. */
void view_sort(struct view *view, enum query_field_code field, int key, int64_t now, struct effects *effects);
void view_order(struct view *view, enum query_field_code field, bool descending, int64_t now, struct effects *effects);
/* Where rows that match are in the result as it is sorted; the EVENT_LOOKUP with this ticket is the caller's. */
uint64_t view_locate(const struct view *view, const struct query *query, int64_t now, struct effects *effects);
/* Columns chosen for the view; can be undone. */
void view_columns(struct view *view, const struct column_set *set);
/* Takes query; NULL: none. */
void view_find(struct view *view, struct query *query, int64_t now, struct effects *effects);
void view_ask(struct view *view, int64_t now, struct effects *effects);
/* Counts the values of a field over the rows that match; the EVENT_LOOKUP with this ticket is the caller's. */
uint64_t view_count(const struct view *view, enum query_field_code field, size_t limit, int64_t now,
                    struct effects *effects);

/* The question how many rows a filter has; NULL where it does not parse. */
struct lookup *view_lookup_text(const struct view *view, const char *text, int64_t now);
/* The question for the marked rows alone, but for those that left the list, in the order on show. */
struct lookup *view_lookup_marks(const struct view *view, int64_t now);

bool view_is_marked(const struct view *view, const char *id);
/* Marked rows that left the list: they are counted and written with none that are in it. */
size_t view_marks_left(const struct view *view);
/* Marks or lets go. */
void view_mark(struct view *view, const struct lookup_name *name, bool on);
void view_marks_drop(struct view *view);
void view_keep(struct view *view); /* before a change of marks: a step to undo */

/* False where there is nothing to go to. */
bool view_undo(struct view *view, int64_t now, struct effects *effects);
bool view_redo(struct view *view, int64_t now, struct effects *effects);
bool view_last(struct view *view, int64_t now, struct effects *effects); /* to where the operator stood before */
/* A saved view is shown; what was shown before can be gone back to. */
enum err view_open(struct view *view, const char *name, int64_t now, struct effects *effects,
                   struct error *error) MUST_CHECK;
void view_set_name(struct view *view, const char *name);
/* Sort and columns as they were before; can be undone. */
void view_restore(struct view *view, const struct layout *layout, int64_t now, struct effects *effects);
bool view_go(struct view *view, int step, int64_t now, struct effects *effects); /* -1 back, 1 forward */

/* Before browse takes it: a page of the walk leaves an answer behind, any that looked at the cache; NULL: none. */
void view_page(const struct view *view, const struct event *event, struct lookup_result *answer);
/* True when the event was the view's; takes what it brings. */
bool view_update(struct view *view, struct event *event, struct effects *effects);

#endif
