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
bool view_wants(const struct view *view); /* the list on show is one that a lookup makes */
void view_tell_left(const struct view *view, struct lookup *lookup, int64_t now);

/* What the index knows a row by: its number where all rows are the walk's, else the key of the cache, which is made of
 * id and time (0), but for rows that have no id. */
int64_t view_key_of(const struct view *view, const char *id, int64_t key);
/* One row that is at hand, by the tests that the index uses; blob: room for its columns, at most VIEW_BLOB_MAX. */
enum { VIEW_BLOB_MAX = 1 << 20 };
bool view_matches(const struct query_plan *plan, const struct intent *intent, int64_t confirmed, struct str *blob);
/* Decodes rows around this one, of a screen of `page` rows. */
void view_need(struct view *view, size_t row, size_t page, struct effects *effects);
/* Marks rows of the answer that have to be decoded first; at most VIEW_RANGE_MAX. */
void view_mark_rows(struct view *view, size_t from, size_t end, struct effects *effects);

/* After rows or the question changed. */
void view_count_waiting(struct view *view, int64_t now);

/* Rows that were asked for by view_need; it keeps what it does not use. */
void view_take_rows(struct view *view, struct lookup_rows *more);

void view_history_begin(struct view *view);
void view_history_clear(struct view *view);
void view_history_push(struct view *view);

#endif
