#ifndef APP_ROWS_H
#define APP_ROWS_H
/* The rows a walk holds: append, replace by id, prepend. browse.c decides when. */

#include "app/browse.h"

void rows_drop(struct browse *browse);
/* Takes the page's rows; the same id again replaces the row held. Returns how many were not held before. */
size_t rows_append(struct browse *browse, struct page *page, int64_t now);
/* Takes the intent where its id is held, and marks what changed; false: not held, not taken. */
bool rows_replace(struct browse *browse, struct intent *intent);
/* Takes n intents and puts them above the rows held, as new. */
void rows_prepend(struct browse *browse, struct intent **intents, size_t n, int64_t now);

#endif
