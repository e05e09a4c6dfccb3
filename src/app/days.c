#include "app/days.h"

#include "base/clock.h"

static bool days_are_local(const struct profile *profile, bool local) {
    return local || *profile->timezone;
}

struct query_zone days_of(const struct profile *profile, bool local) {
    return (struct query_zone){.offset = days_are_local(profile, local) ? clock_local_offset : NULL,
                               .day_ahead = profile_day_ahead(profile)};
}

void days_text(const struct profile *profile, bool local, struct str *out) {
    const char *name = clock_zone_name(days_are_local(profile, local) ? CLOCK_LOCAL : CLOCK_UTC);
    str_addf(out, "%s%s", name, str_equal(name, "local") ? " time" : "");
    if (profile_day_ahead(profile) != 0)
        str_addf(out, ", days end at %s", profile->day_ends);
}
