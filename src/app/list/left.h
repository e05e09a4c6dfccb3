#ifndef APP_LEFT_H
#define APP_LEFT_H
/* Rows that left the filter's list, and what became of them: they stay on show until the list is applied anew, and are
 * counted nowhere. Under a filter of statuses the service does not serve them any more, so that what they are now is
 * found in the list without those statuses, in a few pages from its head. browse.c decides when. */

#include "app/browse.h"

void left_drop(struct browse *browse);
void left_add(struct browse *browse, const struct intent *intent, int64_t at);
/* The list was applied anew: they are not on show any more, and no hits until they are served again. */
void left_apply(struct browse *browse);
/* Another filter: those in question stay so, for the cache still has them as they were; nothing of them is on show. */
void left_leave(struct browse *browse);
/* In a list of so many statuses, or of every one where that is 0, it is no hit until it is served again: its status is
 * not known, and where it belongs there the service serves it. */
bool left_hides(const struct browse_left_row *row, size_t statuses);
/* The same of a row out of the cache, in the list of the walk's filter. */
bool left_is_hidden(const struct browse *browse, const struct intent *intent, int64_t confirmed);
/* Served again. */
void left_remove(struct browse *browse, const char *id);
/* There are some whose fate was not asked for, and it may be found. */
bool left_wants_fate(const struct browse *browse);
struct list_ask *left_ask(struct browse *browse, const char *cursor, bool is_url);
/* Takes what a page without the filter's statuses tells of them. True: another may tell more. */
bool left_take_page(struct browse *browse, struct page *page, int64_t now);

#endif
