#include "app/days.h"

struct query_zone days_of(const struct profile *profile, bool local) {
    return (struct query_zone){.offset = local || *profile->timezone ? clock_local_offset : NULL,
                               .day_ahead = profile_day_ahead(profile)};
}

enum clock_zone days_clock(const struct query_zone *zone) {
    return zone->offset ? CLOCK_LOCAL : CLOCK_UTC;
}

void days_text(const struct profile *profile, bool local, struct str *out) {
    const struct query_zone zone = days_of(profile, local);
    const char *name = clock_zone_name(days_clock(&zone));
    str_addf(out, "%s%s", name, str_equal(name, "local") ? " time" : "");
    if (zone.day_ahead != 0)
        str_addf(out, ", days end at %s", profile->day_ends);
}
