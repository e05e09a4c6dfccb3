#ifndef APP_VIEW_OWN_H
#define APP_VIEW_OWN_H
/* What the files of the view share. */

#include "app/view.h"

struct lookup_name *view_names_dup(const struct lookup_name *names, size_t n);
void view_names_free(struct lookup_name *names, size_t n);
/* Without a step to undo. */
enum err view_set(struct view *view, const char *text, int64_t now, struct effects *effects,
                  struct error *error) MUST_CHECK;

/* Which part the service does; the caller clears. */
void view_split(const struct view *view, const struct query *query, int64_t now, struct query_split *out);

/* Which rows left the list that the question is about; none where it is about another list. */
void view_tell_left(const struct view *view, struct lookup *lookup, int64_t now);

/* Rows that were asked for by view_need; it keeps what it does not use. */
void view_take_rows(struct view *view, struct looked_rows *more);

void view_history_begin(struct view *view);
void view_history_clear(struct view *view);
void view_history_push(struct view *view);

#endif
