#include "query/axis.h"
#include "scan.h"

#include "base/clock.h"

enum { MINUTE = 60 * 1000, HOUR = 60 * MINUTE, DAY = 24 * HOUR, WEEK = VALUE_WEEKDAYS * DAY };

static int offset_at(const struct query_zone *zone, int64_t utc) {
    return zone->offset ? zone->offset(utc) : 0;
}

/* The instants at which clocks show a wall time: two where they were put back over it, and where they were put forward
 * over it that of the change. */
struct instants {
    int64_t first, last;
    bool skipped;
};

static struct instants instants_of(const struct query_zone *zone, int64_t wall, int zone_minutes) {
    bool named = zone_minutes != QUERY_ZONE_VIEWER;
    int before = named ? zone_minutes : offset_at(zone, wall - DAY);
    int after = named ? zone_minutes : offset_at(zone, wall + DAY);
    int64_t early = wall - (int64_t)before * MINUTE, late = wall - (int64_t)after * MINUTE;
    bool is_early = before == after || offset_at(zone, early) == before, is_late = offset_at(zone, late) == after;
    if (is_early || is_late)
        return (struct instants){is_early ? early : late, is_late ? late : early, false};
    struct query_clock clock = {.zone = *zone};
    int64_t change = query_clock_change(&clock, wall - DAY, wall + DAY);
    return (struct instants){change, change, true};
}

int64_t query_day_start(const struct query_zone *zone, int64_t day) {
    return instants_of(zone, day * DAY - (int64_t)zone->day_ahead * MINUTE, QUERY_ZONE_VIEWER).first;
}

void query_wall_instants(const struct query_zone *zone, int64_t wall, int64_t *first, int64_t *last) {
    const struct instants instants = instants_of(zone, wall, QUERY_ZONE_VIEWER);
    *first = instants.first;
    *last = instants.last;
}

static int64_t day_start(int64_t wall) {
    int64_t rest = wall % DAY;
    return wall - (rest < 0 ? rest + DAY : rest);
}

static int64_t length(const struct query_scalar *time) {
    struct civil civil;
    clock_civil(time->number, &civil);
    switch (time->span) {
    case QUERY_YEAR:
        return (int64_t)(clock_month_days(civil.year, 2) + 337) * DAY;
    case QUERY_MONTH:
        return (int64_t)clock_month_days(civil.year, civil.month) * DAY;
    case QUERY_MINUTE:
        return MINUTE;
    case QUERY_SECOND:
        return 1000;
    case QUERY_MS:
        return 1;
    default:
        return DAY;
    }
}

/* 1970 began on a Thursday. */
static int64_t weekday_start(int64_t today, int64_t weekday) {
    enum { MONDAY = -3 * DAY };
    int64_t back = (today - MONDAY - weekday * DAY) % WEEK;
    return today - (back > 0 ? back : back + WEEK);
}

static bool is_ago(const struct query_scalar *time) {
    return time->span >= QUERY_DAYS_AGO;
}

bool period_is_ago(const struct query_value *value) {
    return is_ago(&value->low) || (value->is_range && is_ago(&value->high));
}

static int64_t ago_unit(const struct query_scalar *time) {
    return time->span == QUERY_DAYS_AGO ? DAY : time->span == QUERY_HOURS_AGO ? HOUR : MINUTE;
}

static int64_t ago(const struct query_scalar *time) {
    return time->number * ago_unit(time);
}

/* The named wall time, or that of the midnight of a day counted back from now. */
static int64_t wall_start(const struct query_scalar *time, const struct query_context *context) {
    struct query_clock clock = {.zone = context->zone};
    int64_t today = query_clock_day(&clock, context->now, false) * DAY;
    switch (time->span) {
    case QUERY_TODAY:
        return today;
    case QUERY_YESTERDAY:
        return today - DAY;
    case QUERY_WEEKDAY:
        return weekday_start(today, time->number);
    case QUERY_DAYS_AGO:
    case QUERY_HOURS_AGO:
        return day_start(query_clock_wall(&clock, context->now, false) - ago(time));
    default:
        return time->number;
    }
}

static bool period_is_named(const struct query_scalar *time) {
    return time->span <= QUERY_MS;
}

bool period_is_backwards(const struct query_scalar *low, const struct query_scalar *high) {
    if (is_ago(low) && is_ago(high))
        return ago(low) < ago(high);
    bool named = period_is_named(low) && period_is_named(high) && low->zone_minutes == high->zone_minutes;
    return named && low->number >= high->number + length(high);
}

/* Where an earlier period begins that is compared with one that begins then: at the same time on the clock. */
static int64_t period_earlier(const struct query_context *context, int64_t ms) {
    struct query_clock clock = {.zone = context->zone};
    int64_t first, last;
    if (context->back == 0)
        return ms;
    query_wall_instants(&context->zone, query_clock_wall(&clock, ms, false) - (int64_t)context->back * DAY, &first,
                        &last);
    return first;
}

static void resolve(const struct query_scalar *time, const struct query_context *context, bool calendar, int64_t *start,
                    int64_t *end) {
    if (is_ago(time) && !calendar) {
        *start = period_earlier(context, context->now - ago(time));
        *end = *start + 1;
        return;
    }
    const struct query_zone *zone = &context->zone;
    bool viewers = time->zone_minutes == QUERY_ZONE_VIEWER;
    int64_t from = wall_start(time, context) - (int64_t)context->back * DAY, to = from + length(time);
    if (zone->day_ahead != 0 && viewers && !calendar && length(time) >= DAY) {
        *start = query_day_start(zone, from / DAY);
        *end = query_day_start(zone, to / DAY);
        return;
    }
    int minutes = calendar && viewers ? 0 : time->zone_minutes;
    struct instants last = instants_of(zone, to - 1, minutes);
    *start = instants_of(zone, from, minutes).first;
    *end = last.last + (last.skipped ? 0 : 1);
}

/* A weekday range whose end would be before its start begins in the week before. */
static bool period_is_behind(const struct query_value *value, const struct query_context *context) {
    return value->low.span == QUERY_WEEKDAY && value->high.span == QUERY_WEEKDAY &&
           wall_start(&value->low, context) > wall_start(&value->high, context);
}

bool period_is_younger(const struct query_scalar *low, const struct query_scalar *high) {
    return ago(high) < ago(low);
}

/* What is older was created earlier. An age that is named by itself lasts one of its units. */
void period_of_age(const struct query_value *value, enum query_op op, const struct query_context *context,
                   int64_t *first, int64_t *last) {
    int64_t now = period_earlier(context, context->now), least = now - ago(&value->low);
    *first = INT64_MIN;
    *last = INT64_MAX;
    if (op == QUERY_OP_LT || op == QUERY_OP_LE) {
        *first = least + (op == QUERY_OP_LT);
    } else if (op == QUERY_OP_GT || op == QUERY_OP_GE) {
        *last = least - (op == QUERY_OP_GT);
    } else if (value->is_range) {
        *first = value->high.text ? now - ago(&value->high) : *first;
        *last = value->low.text ? least : *last;
    } else {
        *first = least - ago_unit(&value->low) + 1;
        *last = least;
    }
}

void period_resolve(const struct query_value *value, const struct query_context *context, bool calendar, int64_t *start,
                    int64_t *end) {
    int64_t ignored;
    bool range = value->is_range && value->high.text;
    *start = INT64_MIN;
    *end = INT64_MAX;
    if (value->low.text) {
        struct query_scalar low = value->low;
        if (range && period_is_behind(value, context)) {
            low.number = wall_start(&low, context) - WEEK;
            low.span = QUERY_DAY;
        }
        resolve(&low, context, calendar, start, value->is_range ? &ignored : end);
    }
    if (range)
        resolve(&value->high, context, calendar, &ignored, end);
}
