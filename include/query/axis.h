#ifndef QUERY_AXIS_H
#define QUERY_AXIS_H
/* What rows are counted by: the values of a field, spans of time, bands of amounts. Each place on an axis has a filter
 * that lets through exactly the rows counted there, so that a bar of a picture can be opened as a list. Pure. */

#include "query/plan.h"

/* What a zone says, remembered for the hour and the day that were asked for last: rows come in the order of their
 * times.
 */
struct query_clock {
    struct query_zone zone;
    int64_t from, to;
    int minutes;
    int64_t day_from, day_to, day; /* a business day */
};
int query_clock_offset(struct query_clock *clock, int64_t utc_ms);
/* The instant in (low, high] from which on the offset is that of `high`; low where it is so there already. */
int64_t query_clock_change(struct query_clock *clock, int64_t low, int64_t high);
/* What clocks show at that instant, as if it were UTC; a time that names no zone is shown as it is. */
int64_t query_clock_wall(struct query_clock *clock, int64_t ms, bool bare);
/* The instant at which that day of the zone begins; days are counted from 1970. */
int64_t query_day_start(const struct query_zone *zone, int64_t day);
/* The instants at which clocks of the zone show that time: two where they were put back over it; where they were put
 * forward over it that of the change. */
void query_wall_instants(const struct query_zone *zone, int64_t wall, int64_t *first, int64_t *last);
/* The day of an instant, or the one that a time without a zone names. */
int64_t query_clock_day(struct query_clock *clock, int64_t ms, bool bare);

/* The words of `hour:` and `weekday:`. */
enum { QUERY_HOURS = 24, QUERY_WEEKDAYS = 7 };
int query_clock_hour(struct query_clock *clock, int64_t ms, bool bare);
int query_clock_weekday(struct query_clock *clock, int64_t ms, bool bare); /* 0: Monday */
bool query_test_hour(const struct query_test *test, int hour);
bool query_test_weekday(const struct query_test *test, int weekday);
bool query_test_transition(const struct query_test *test, unsigned transition);

/* Bands of integers, of either sign: 0, 1, 2 to 4, 5 to 9, 10 to 19, 20 to 49, 50 to 99 and so on, in order. */
enum { QUERY_BAND_MOST = 57 };
int query_band(int64_t number); /* -QUERY_BAND_MOST to QUERY_BAND_MOST; 0: the number 0 */
void query_band_bounds(int band, int64_t *low, int64_t *high);

/* Bands of ages: ahead of the clock, under an hour, 1 to 4 hours, and so on to 90 days and more. */
enum { QUERY_AGE_BANDS = 9 };
int query_age_band(int64_t age_ms);

enum query_axis_kind { QUERY_AXIS_NONE, QUERY_AXIS_FIELD, QUERY_AXIS_HOUR, QUERY_AXIS_DAY, QUERY_AXIS_WEEK };
struct query_axis {
    enum query_axis_kind kind;
    enum query_field_code field; /* of FIELD */
};
bool query_axis_is_time(const struct query_axis *axis);
bool query_axis_is_band(const struct query_axis *axis);
bool query_axis_has_several(const struct query_axis *axis); /* a row can be at several of its places */
/* Its places are conditions, as `has:note`: whoever asks names them. */
bool query_axis_is_condition(const struct query_axis *axis);
/* Its places have an order of their own; the others are ordered by their rows. */
bool query_axis_is_ordered(const struct query_axis *axis);
const char *query_axis_name(const struct query_axis *axis);
bool query_axis_named(const char *name, enum query_axis_kind *out); /* hour, day, week */

/* A place. Of times its number is that of the day, or of the week's Monday, since 1970, or the instant at which the
 * hour begins, ms: where clocks are put back an hour is there twice. */
struct query_place {
    const char *value;    /* as served, or a name for the number; NULL: rows without one */
    const char *currency; /* of bands; NULL: rows without one */
    int64_t number;
    size_t rows, earlier; /* earlier: of the period that is compared */
    unsigned percent;     /* set by whoever shows shares */
};
int64_t query_axis_time(const struct query_axis *axis, struct query_clock *clock, int64_t ms, bool bare);
/* The place behind it on the axis of times. */
int64_t query_axis_next(const struct query_axis *axis, struct query_clock *clock, int64_t number, int step);
/* Its name, as `2026-11-28`, `2026-11-28 10:00 +01:00`, `monday`, `EUR 100..199`. */
void query_place_name(const struct query_axis *axis, struct query_clock *clock, int64_t number, const char *currency,
                      struct str *out);
/* The value of `has` that rows without a place lack; QUERY_FLAG_COUNT: there is none. */
enum query_flag query_axis_flag(const struct query_axis *axis);
/* Appends the terms of the filter whose rows are those of the place; false: the language has none for it. */
bool query_place_terms(const struct query_axis *axis, struct query_clock *clock, const struct query_place *place,
                       struct str *out);

/* A rate: rows of one status, among those that are counted with it. */
enum query_rate_of {
    QUERY_RATE_DECIDED, /* approved or declined */
    QUERY_RATE_FINAL,   /* neither created nor pending */
    QUERY_RATE_ALL,
};
struct query_rate {
    bool on;
    enum intent_status status;
    enum query_rate_of of;
};
bool query_rate_counts(enum query_rate_of of, enum intent_status status);

/* What rows are: the sum is that of their amounts, exact. */
struct query_counts {
    int64_t sum;
    bool overflow; /* the sum is beyond int64, and given as 0 */
    size_t rows, without;
    size_t hits, of; /* of a rate; 0 where none was asked for */
};

/* Rows of one currency at a place of each axis. */
struct query_cell {
    size_t over, by, second; /* which places */
    const char *currency;
    struct query_counts now, earlier; /* earlier: of the period that is compared; 0 where none is */
};

/* The instant at which clocks of the zone showed the same time so many days earlier: the last of two where they were
 * put back over it, the change where they were put forward over it. */
int64_t query_clock_back(struct query_clock *clock, int64_t ms, int days);

#endif
