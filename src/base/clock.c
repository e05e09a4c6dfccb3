#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MS = 1000, MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400, ERA_DAYS = 146097, YEAR_MAX = 9999 };

/* Above this an epoch number is milliseconds: as seconds it would be after the year 5138, as milliseconds after 1973.
 */
#define EPOCH_SECONDS_MAX INT64_C(100000000000)
#define EPOCH_MS_MAX INT64_C(100000000000000)

static int64_t read_clock(clockid_t id) {
    struct timespec now;
    if (clock_gettime(id, &now) != 0)
        return 0;
    return (int64_t)now.tv_sec * MS + now.tv_nsec / 1000000;
}

int64_t clock_now(void) {
    return read_clock(CLOCK_REALTIME);
}

int64_t clock_mono(void) {
    return read_clock(CLOCK_MONOTONIC);
}

static int64_t clock_floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

/* Days since 1970-01-01. Years are counted from March, so that the leap day is the last of its year. */
static int64_t days_of(int year, int month, int day) {
    int64_t y = month > 2 ? year : year - 1;
    int64_t era = clock_floor_div(y, 400), of_era = y - era * 400;
    int64_t month_days = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5;
    return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + month_days + day - 1 - 719468;
}

static void date_of(int64_t days, struct civil *out) {
    days += 719468;
    int64_t era = clock_floor_div(days, ERA_DAYS), of_era = days - era * ERA_DAYS;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153;
    out->day = (int)(of_year - (153 * month + 2) / 5 + 1);
    out->month = (int)(month < 10 ? month + 3 : month - 9);
    out->year = (int)(year + era * 400 + (out->month <= 2));
}

void clock_civil(int64_t ms, struct civil *out) {
    int64_t seconds = clock_floor_div(ms, MS), days = clock_floor_div(seconds, DAY_S);
    int of_day = (int)(seconds - days * DAY_S);
    date_of(days, out);
    out->ms = (int)((ms % MS + MS) % MS);
    out->hour = of_day / HOUR_S;
    out->minute = of_day / MINUTE_S % 60;
    out->second = of_day % 60;
}

int clock_month_days(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12)
        return 0;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

bool clock_from_civil(const struct civil *civil, int64_t *ms) {
    if (civil->year < 0 || civil->year > YEAR_MAX || civil->day < 1 ||
        civil->day > clock_month_days(civil->year, civil->month))
        return false;
    if (civil->hour < 0 || civil->hour > 23 || civil->minute < 0 || civil->minute > 59 || civil->second < 0 ||
        civil->second > 59 || civil->ms < 0 || civil->ms > 999)
        return false;
    int64_t seconds = days_of(civil->year, civil->month, civil->day) * DAY_S + civil->hour * HOUR_S +
                      civil->minute * MINUTE_S + civil->second;
    *ms = seconds * MS + civil->ms;
    return true;
}

bool clock_from_epoch(int64_t number, int64_t *ms) {
    if (number > -EPOCH_SECONDS_MAX && number < EPOCH_SECONDS_MAX)
        *ms = number * MS;
    else if (number > -EPOCH_MS_MAX && number < EPOCH_MS_MAX)
        *ms = number;
    else
        return false;
    return true;
}

static void format_civil(struct str *out, const struct civil *at) {
    str_addf(out, "%04d-%02d-%02d %02d:%02d:%02d", at->year, at->month, at->day, at->hour, at->minute, at->second);
}

/* With the offset of that moment: the name of a zone means another offset in July than in January, or is ambiguous. */
static void format_local(struct str *out, int64_t ms) {
    time_t seconds = (time_t)clock_floor_div(ms, MS);
    struct tm tm;
    struct civil at;
    long minutes = 0;
    clock_civil(ms, &at);
    /* A year beyond the C library's calendar stays in UTC. */
    if (localtime_r(&seconds, &tm)) {
        minutes = tm.tm_gmtoff / MINUTE_S;
        at = (struct civil){.year = tm.tm_year + 1900,
                            .month = tm.tm_mon + 1,
                            .day = tm.tm_mday,
                            .hour = tm.tm_hour,
                            .minute = tm.tm_min,
                            .second = tm.tm_sec};
    }
    format_civil(out, &at);
    str_addf(out, " %c%02ld:%02ld", minutes < 0 ? '-' : '+', labs(minutes) / 60, labs(minutes) % 60);
}

/* The distance between two times, never negative; the largest number where it cannot be counted. */
static int64_t apart(int64_t later, int64_t earlier) {
    int64_t span;
    return __builtin_sub_overflow(later, earlier, &span) ? INT64_MAX : span;
}

bool clock_is_ahead(int64_t ms, int64_t now) {
    return ms != CLOCK_NONE && ms > now && apart(ms, now) >= MS;
}

bool clock_within(int64_t since, int64_t now, int64_t span) {
    return since != CLOCK_NONE && since <= now && apart(now, since) < span;
}

void clock_shift(int64_t *ms, int64_t by) {
    if (*ms != CLOCK_NONE && __builtin_add_overflow(*ms, by, ms))
        *ms = by < 0 ? INT64_MIN + 1 : INT64_MAX;
}

void clock_format_span(struct str *out, int64_t span) {
    long long seconds = span / MS, minutes = seconds / MINUTE_S, days = minutes / (24 * 60);
    if (minutes == 0)
        str_addf(out, "%llds", seconds);
    else if (minutes < 60)
        str_addf(out, "%lldm", minutes);
    else if (days == 0)
        str_addf(out, "%lldh", minutes / 60);
    else if (days < 365)
        str_addf(out, "%lldd", days);
    else
        str_addf(out, "%lldy", days / ERA_DAYS * 400 + days % ERA_DAYS * 400 / ERA_DAYS);
}

static bool is_now(int64_t ms, int64_t now) {
    return !clock_is_ahead(ms, now) && (ms > now || apart(now, ms) < MINUTE_S * MS);
}

static void format_age(struct str *out, int64_t ms, int64_t now) {
    if (is_now(ms, now)) {
        str_add(out, "now");
    } else if (ms > now) {
        str_add_char(out, '+');
        clock_format_span(out, apart(ms, now));
    } else {
        clock_format_span(out, apart(now, ms));
    }
}

bool clock_format_ahead(struct str *out, const char *before, int64_t ms, int64_t now) {
    if (!clock_is_ahead(ms, now))
        return false;
    str_addf(out, "%sahead of this machine's clock by ", before);
    clock_format_span(out, apart(ms, now));
    return true;
}

void clock_format(struct str *out, int64_t ms, enum clock_zone zone, int64_t now) {
    struct civil at;
    if (ms == CLOCK_NONE) {
        str_add(out, "–");
        return;
    }
    switch (zone) {
    case CLOCK_AGE:
        format_age(out, ms, now);
        break;
    case CLOCK_LOCAL:
        format_local(out, ms);
        break;
    case CLOCK_UTC:
        clock_civil(ms, &at);
        format_civil(out, &at);
        break;
    }
}

void clock_format_served(struct str *out, const char *text, int64_t ms, enum clock_zone zone, int64_t now) {
    bool zoned = !text || clock_has_zone(text, strlen(text));
    if (!zoned)
        str_add_char(out, '?');
    if (zoned || zone == CLOCK_AGE)
        clock_format(out, ms, zone, now);
    else
        str_add(out, text);
}

void clock_format_ago(struct str *out, int64_t ms, int64_t now) {
    if (ms == CLOCK_NONE) {
        str_add(out, "–");
    } else if (is_now(ms, now)) {
        str_add(out, "just now");
    } else if (!clock_format_ahead(out, "", ms, now)) {
        format_age(out, ms, now);
        str_add(out, " ago");
    }
}

void clock_format_today(struct str *out, int64_t ms, enum clock_zone zone, int64_t now) {
    enum { DATE_LEN = 11 /* with its blank */, MINUTES_LEN = 16 };
    struct str at, today;
    zone = zone == CLOCK_LOCAL ? CLOCK_LOCAL : CLOCK_UTC;
    str_init(&at, 64);
    str_init(&today, 64);
    clock_format(&at, ms, zone, now);
    clock_format(&today, now, zone, now);
    bool same = at.len > DATE_LEN && today.len > DATE_LEN && memcmp(at.s, today.s, DATE_LEN) == 0;
    if (at.len >= MINUTES_LEN)
        str_add_n(out, at.s + (same ? DATE_LEN : 0), (size_t)(same ? MINUTES_LEN - DATE_LEN : MINUTES_LEN));
    str_clear(&today);
    str_clear(&at);
    (void)clock_format_ahead(out, ", ", ms, now);
}

void clock_format_iso(struct str *out, int64_t ms) {
    struct civil at;
    if (ms == CLOCK_NONE) {
        str_add(out, "–");
        return;
    }
    clock_civil(ms, &at);
    str_addf(out, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", at.year, at.month, at.day, at.hour, at.minute, at.second,
             at.ms);
}
