#ifndef APP_DAYS_H
#define APP_DAYS_H
/* Whose days and hours a filter, a count and an export mean. Pure. */

#include "base/clock.h"
#include "config/profile.h"
#include "query/plan.h"

enum { ZONE_TEXT_MAX = 512 };

/* The profile's own zone and end of day; without a zone of its own that of this machine where `local`, else UTC. */
struct query_zone days_of(const struct profile *profile, bool local);
/* The clock that shows its times. */
enum clock_zone days_clock(const struct query_zone *zone);
/* That zone in words: "UTC", "local time", "Europe/Zurich", "Europe/Zurich, days end at 17:00". */
void days_text(const struct profile *profile, bool local, struct str *out);

#endif
