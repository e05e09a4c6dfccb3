#ifndef APP_VIEW_OWN_H
#define APP_VIEW_OWN_H
/* What the files of the view share. */

#include "app/view.h"

struct lookup_name *view_names_dup(const struct lookup_name *names, size_t n);
void view_names_free(struct lookup_name *names, size_t n);
/* Changes the view without making a step to undo. */
enum err view_set(struct view *view, const char *text, int64_t now, struct effects *effects,
                  struct error *error) MUST_CHECK;

/* Which terms the service applies; the caller clears. */
void view_split(const struct view *view, const struct query *query, int64_t now, struct query_split *out);

/* Which rows left the list that the question is about; none where it is about another list. */
bool view_wants(const struct view *view); /* the list on show is made by a lookup */
void view_tell_left(const struct view *view, struct lookup *lookup, int64_t now);

/* Whether a row in memory matches, by the tests that the index uses; blob: room for its columns, at most VIEW_BLOB_MAX.
 */
enum { VIEW_BLOB_MAX = 1 << 20 };
bool view_matches(const struct query_plan *plan, const struct intent *intent, int64_t confirmed, struct str *blob);
/* Asks for rows around this one to be decoded, for a screen of `page` rows. */
void view_need(struct view *view, size_t row, size_t page, struct effects *effects);
/* Marks rows of the answer that have to be decoded first; at most VIEW_RANGE_MAX. */
void view_mark_rows(struct view *view, size_t from, size_t end, struct effects *effects);

/* Called after rows or the question changed. */
void view_count_waiting(struct view *view, int64_t now);

/* Takes the rows that view_need asked for; those that it cannot use are left. */
void view_take_rows(struct view *view, struct lookup_rows *more);

void view_history_begin(struct view *view);
void view_history_clear(struct view *view);
void view_history_push(struct view *view);

#endif
