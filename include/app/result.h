#ifndef APP_RESULT_H
#define APP_RESULT_H
/* The list on show as one result, whichever source its rows have: the walk as it was read, or an answer of the column
 * index (over the cache, or over the walk's own rows where there is no cache). Whoever shows, counts, finds, marks or
 * exports rows asks here and need not know which of the two it is. Functions over struct view; pure. */

#include "app/view.h"

struct result_row {
    const struct intent *intent;
    int64_t key, confirmed;
    bool cached, is_new, gone;
    uint64_t changed; /* bits of model/change.h */
    size_t page;      /* of the walk, SIZE_MAX: none */
};
size_t result_rows(const struct view *view);
/* False: the row is not in memory yet. */
bool result_row(const struct view *view, size_t row, struct result_row *out);
/* Rows around this one are going to be shown, on a screen of `page` rows with `line` of them above it: they are read in
 * advance. */
void result_need(struct view *view, size_t row, size_t line, size_t page, struct effects *effects);

/* The rows are those of the walk in the order in which it read them, and more are added while it goes on. Else they
 * keep their order until the next question. */
bool result_is_as_read(const struct view *view);
/* No question is open whose answer would move the rows on show. */
bool result_is_settled(const struct view *view);
/* How many rows were searched; and why none may match, as a sentence or NULL. */
size_t result_looked_at(const struct view *view);
const char *result_doubt(const struct view *view);
/* Sums by currency where filter or order are applied here; NULL: the rows are as read and were not summed. */
const struct lookup_total *result_totals(const struct view *view, size_t *n);

/* Place of a row by its id; result_rows where it is not in the result. */
size_t result_find(const struct view *view, const struct lookup_name *name);
/* The row of this id was read and belongs to the result, which does not have it yet: the index takes it soon. */
bool result_awaits(const struct view *view, const char *id, int64_t now);
/* The next row, from beside `from` on, that the search text matches; result_rows where there is none. */
size_t result_next_found(const struct view *view, size_t from, int direction, int64_t now);
/* In how many rows the search text is, and how many of them are at or above `row`; false: they were not counted. */
bool result_found(const struct view *view, size_t row, size_t *before, size_t *n);
/* The same for the walk's rows and any query; from SIZE_MAX: begins above the first. */
size_t result_next_read(const struct view *view, const struct query *query, size_t from, int direction, int64_t now);

/* Marks rows [from, end): at once where all of them are in memory. */
void result_mark_rows(struct view *view, size_t from, size_t end, struct effects *effects);
/* The operator has seen what is new or changed in the row under the cursor, of this id. */
void result_see(struct view *view, const char *id, int64_t now);
/* Keys of the rows of the list, without those that left it; the caller frees. */
int64_t *result_keys(const struct view *view, size_t *n);

#endif
