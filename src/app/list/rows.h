#ifndef APP_ROWS_H
#define APP_ROWS_H
/* The rows a walk holds: append, replace by id, prepend. browse.c decides when. */

#include "app/browse.h"

void rows_drop(struct browse *browse);
/* Takes the page's rows behind those this walk confirmed; the same id again replaces the row held, cached rows that the
 * page passes over go. Returns how many this walk had not confirmed before. */
size_t rows_append(struct browse *browse, struct page *page, int64_t now);
/* Takes the intent where this walk confirmed its id before, and marks what changed; false: not taken. */
bool rows_replace(struct browse *browse, struct intent *intent, int64_t now);
/* Takes n intents of the head and puts them among the rows held, as new: where they belong by their time, above all
 * where the list is in no order of time. */
void rows_place(struct browse *browse, struct intent **intents, size_t n, int64_t now);
/* Takes rows out of the cache, below all others; ids held already are not doubled. */
void rows_add_cached(struct browse *browse, struct cached_rows *cached);
void rows_drop_cached(struct browse *browse);
/* True for a row without an id whose very bytes are held. */
bool rows_knows(const struct browse *browse, const struct intent *intent);
/* Rows before `end` that the service did not serve since are no longer listed; they stay until dropped. */
void rows_note_gone(struct browse *browse, size_t end, int64_t since);
void rows_drop_gone(struct browse *browse);
/* Counts a page that says it failed or is not whole, and keeps the first such words. */
void rows_note_said(struct browse *browse, const struct page *page);
/* numbers.c: the keys of rows. After one was put behind those confirmed, or at the end of those cached: */
void rows_number(struct browse *browse, size_t row);
void rows_number_new(struct browse *browse); /* after others (key 0) were put among them */
void rows_note_moved(struct browse *browse, const struct browse_row *row);
void rows_number_anew(struct browse *browse); /* all of them went */
/* The identity of a row, or NULL: such a row is shown and never matched with another. */
const char *rows_id(const struct intent *intent);

#endif
