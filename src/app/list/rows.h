#ifndef APP_ROWS_H
#define APP_ROWS_H
/* The rows of a walk: append, replace by id, put among others. browse.c decides when. */

#include "app/browse.h"

void rows_drop(struct browse *browse);
/* Takes the page's rows and puts them below the confirmed ones; a row with the same id is replaced; cached rows that
 * the page should have had are removed. Returns how many rows are new in this walk. */
size_t rows_append(struct browse *browse, struct page *page, int64_t now);
void rows_drop_replaced(struct browse *browse);
/* Takes the intent where this walk confirmed its id before, and marks what changed; false: it was not taken. */
bool rows_replace(struct browse *browse, struct intent *intent, int64_t now);
/* The same of a row of the cache, which stays one. */
bool rows_renew_cached(struct browse *browse, size_t row, struct intent *intent, int64_t now);
/* Takes n intents of the head and puts them among the rows as new ones: by their time, or at the top where the list is
 * not in order of time. */
void rows_place(struct browse *browse, struct intent **intents, size_t n, int64_t now);
/* Takes rows from the cache and puts them below all others; ids that are there already are skipped. */
void rows_add_cached(struct browse *browse, struct cached_rows *cached);
void rows_drop_cached(struct browse *browse);
/* True for a row without an id whose very bytes are there already. */
bool rows_knows(const struct browse *browse, const struct intent *intent);
/* Marks rows before `end` that the service did not send since: they are not listed any more, and stay until they are
 * dropped. */
void rows_note_gone(struct browse *browse, size_t end, int64_t since);
void rows_drop_gone(struct browse *browse);
/* Counts a page that says it failed or is not whole, and keeps the first such text. */
void rows_note_said(struct browse *browse, const struct page *page);
/* numbers.c, the numbers of rows. After one row was put below the confirmed ones, or at the end: */
void rows_number(struct browse *browse, size_t row);
void rows_number_new(struct browse *browse); /* after rows (key 0) were put among the others */
void rows_note_moved(struct browse *browse, const struct browse_row *row);
void rows_number_anew(struct browse *browse); /* after all rows were removed */

#endif
