#ifndef APP_LEFT_H
#define APP_LEFT_H
/* Rows that left the filter's list, and what became of them: they stay on show until the filter is applied again, and
 * are counted nowhere. Under a filter of statuses the service does not send them any more, so their present status is
 * looked up in the list without those statuses, in a few pages from its head. browse.c decides when. */

#include "app/browse.h"

void left_drop(struct browse *browse);
void left_add(struct browse *browse, const struct intent *intent, int64_t at);
/* The filter was applied again: these rows are not on show any more, and do not match until the service sends them
 * again. */
void left_apply(struct browse *browse);
/* Another filter was applied: they still do not match, since the cache has them as they were before; none of them is on
 * show. */
void left_leave(struct browse *browse);
/* Whether such a row is left out of a list of `statuses` statuses (0: of every one): its status is not known, and where
 * it belongs to the list the service sends it again. */
bool left_hides(const struct browse_left_row *row, size_t statuses);
/* The same for a row from the cache, in the list of the walk's filter. */
bool left_is_hidden(const struct browse *browse, const struct intent *intent, int64_t confirmed);
/* The service sent the row again. */
void left_remove(struct browse *browse, const char *id);
/* Takes the intent of a row that is known not to be in the filter's list any more; true. */
bool left_at_once(struct browse *browse, size_t row, struct intent *intent, int64_t now);
/* Some were not looked up yet, and may be found. */
bool left_wants_fate(const struct browse *browse);
struct list_ask *left_ask(struct browse *browse, const char *cursor, bool is_url);
/* Takes what a page without the filter's statuses says about them. True: another page may say more. */
bool left_take_page(struct browse *browse, struct page *page, int64_t now);

#endif
