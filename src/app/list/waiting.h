#ifndef APP_WAITING_H
#define APP_WAITING_H
/* New rows that wait until the operator wants them: the list must not move by itself. browse.c decides when. */

#include "app/browse.h"

void waiting_drop(struct browse *browse);
/* When the row that waits already was served; CLOCK_NONE: it does not wait. */
int64_t waiting_time(const struct browse *browse, const struct intent *intent);
/* Takes the intent where it waits already; false: not taken. */
bool waiting_replace(struct browse *browse, struct intent *intent, int64_t now);
/* Takes a row that is new. */
void waiting_add(struct browse *browse, struct intent *intent, int64_t now);
/* Takes the rows of the head. gap: rows between these and the ones in the list were not read. */
void waiting_take_head(struct browse *browse, bool gap, int64_t now);

/* The clock was set: requests that wait for a moment wait as long as before. */
void waiting_clock_set(struct browse *browse, int64_t shift);

#endif
