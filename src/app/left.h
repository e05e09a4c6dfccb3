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
/* Served again. */
void left_remove(struct browse *browse, const char *id);
/* There are some whose fate was not asked for, and it may be found. */
bool left_wants_fate(const struct browse *browse);
struct list_ask *left_ask(struct browse *browse, const char *cursor, bool is_url);
/* Takes what a page without the filter's statuses tells of them. True: another may tell more. */
bool left_take_page(struct browse *browse, struct page *page, int64_t now);

#endif
