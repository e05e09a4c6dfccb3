#ifndef APP_RESULT_H
#define APP_RESULT_H
/* The list on show as one result, whichever source its rows have: the walk as it was read, or an answer of the column
 * index (over the cache, or over the walk's own rows where there is none). Who shows, counts, finds, marks or hands
 * over rows asks here, and need not know which it is. Functions over struct view; pure. */

#include "app/view.h"

struct result_row {
    const struct intent *intent;
    int64_t key, confirmed;
    bool cached, is_new, gone;
    uint64_t changed; /* bits of model/change.h */
    size_t page;      /* of the walk, SIZE_MAX: none */
};
size_t result_rows(const struct view *view);
/* False: not at hand yet. */
bool result_row(const struct view *view, size_t row, struct result_row *out);
/* Rows around this one are wanted, of a screen of `page` rows with `line` of them above it: decoded, or read ahead. */
void result_need(struct view *view, size_t row, size_t line, size_t page, struct effects *effects);

/* The rows are those of the walk in the order in which it read them: they move as it goes on. Else they stay in their
 * order until they are asked for anew. */
bool result_is_as_read(const struct view *view);
/* No question is out that would put the rows on show elsewhere. */
bool result_is_settled(const struct view *view);
/* Over which rows was looked, and why none may match: a sentence or NULL. */
size_t result_looked_at(const struct view *view);
const char *result_doubt(const struct view *view);
/* Of an order or a filter that is done here, by currency; NULL: the rows are as read, and not summed. */
const struct lookup_total *result_totals(const struct view *view, size_t *n);

/* Place of a row by id; result_rows where it is not among them. */
size_t result_find(const struct view *view, const struct lookup_name *name);
/* The nearest row that what is looked for matches, from beside `from`; result_rows where there is none. */
size_t result_next_found(const struct view *view, size_t from, int direction, int64_t now);
/* How many rows it is in, and how many of them are not below `row`; false: not counted. */
bool result_found(const struct view *view, size_t row, size_t *before, size_t *n);
/* The same of the walk's rows and any query; from SIZE_MAX: above the first. */
size_t result_next_read(const struct view *view, const struct query *query, size_t from, int direction, int64_t now);

/* Marks [from, end): at once where all of them are at hand. */
void result_mark_rows(struct view *view, size_t from, size_t end, struct effects *effects);
/* The operator has seen what is new or changed in the row under the cursor, of this id. */
void result_see(struct view *view, const char *id, int64_t now);
/* Keys of the rows of the list, but for those that left it; the caller frees. */
int64_t *result_keys(const struct view *view, size_t *n);

#endif
