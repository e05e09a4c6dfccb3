#include "match_own.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "query/axis.h"

#include <stdio.h>
#include <string.h>

enum { SECOND = 1000, MINUTE = 60 * SECOND, DAY = 24 * 60 * MINUTE, TIME_MAX = 64, PARTS = 3 };

/* Three numbers with the same sign between them; returns the bytes taken, 0: it begins otherwise. */
static size_t match_time_parts(const char *text, int parts[PARTS], size_t lengths[PARTS]) {
    size_t at = 0;
    char mark = '\0';
    for (int i = 0; i < PARTS; i++) {
        parts[i] = 0;
        for (lengths[i] = 0; ascii_is_digit((unsigned char)text[at]) && lengths[i] < 5; lengths[i]++)
            parts[i] = parts[i] * 10 + (text[at++] - '0');
        if (lengths[i] == 0 || (i < 2 && !strchr("./-", text[at])) || (i == 1 && text[at] != mark))
            return 0;
        mark = text[at];
        at += i < 2 && mark != '\0';
    }
    return at;
}

static bool match_time_is_day(int year, int month, int day) {
    return month >= 1 && month <= 12 && day >= 1 && day <= clock_month_days(year, month);
}

/* 03.11.2026, 11/03/2026. False: it is no such day; ERR_INVALID where it can be two. */
static bool match_time_day(const struct match_options *options, const char *text, struct str *iso,
                           struct error *error) {
    int parts[PARTS];
    size_t lengths[PARTS], taken = match_time_parts(text, parts, lengths);
    if (taken == 0 || lengths[0] > 2 || lengths[1] > 2 || lengths[2] != 4)
        return false;
    bool dmy = options->days != MATCH_DAYS_MDY && match_time_is_day(parts[2], parts[1], parts[0]);
    bool mdy = options->days != MATCH_DAYS_DMY && match_time_is_day(parts[2], parts[0], parts[1]);
    if (dmy && mdy && parts[0] != parts[1]) {
        (void)error_set(error, ERR_INVALID,
                        "\"%.*s\" can be read two ways: %04d-%02d-%02d, or %04d-%02d-%02d: %s says which", (int)taken,
                        text, parts[2], parts[1], parts[0], parts[2], parts[0], parts[1],
                        match_word(options, MATCH_WORD_DAYS));
        return false;
    }
    if (dmy)
        str_addf(iso, "%04d-%02d-%02d%s", parts[2], parts[1], parts[0], text + taken);
    else if (mdy)
        str_addf(iso, "%04d-%02d-%02d%s", parts[2], parts[0], parts[1], text + taken);
    return dmy || mdy;
}

/* 20261103; a longer number would be taken for one of seconds, which no table has on purpose. */
static void take_compact(const char *text, struct str *iso) {
    enum { COMPACT = 8 };
    size_t n = strspn(text, "0123456789");
    if (n == COMPACT && text[n] == '\0')
        str_addf(iso, "%.4s-%.2s-%.2s", text, text + 4, text + 6);
    else if (text[n] != '\0')
        str_add(iso, text);
}

/* A time of a table is as exact as it is written. `10:30` has no seconds, which a time of the service always has. */
static int64_t match_span(const char *iso, struct str *whole) {
    enum { DATE = 10, CLOCK = 6 };
    size_t len = strlen(iso);
    str_add(whole, iso);
    if (len == DATE)
        return DAY;
    const char *clock = iso + DATE + 1;
    if (len < DATE + CLOCK || clock[2] != ':')
        return 0;
    if (clock[5] != ':') {
        str_insert(whole, DATE + CLOCK, ":00", 3);
        return MINUTE;
    }
    int64_t span = SECOND;
    size_t decimals = len > DATE + CLOCK + 3 && clock[8] == '.' ? strspn(clock + 9, "0123456789") : 0;
    for (size_t i = 0; i < decimals && span > 1; i++)
        span /= 10;
    return span;
}

static int64_t day_of(int64_t wall) {
    int64_t rest = wall % DAY;
    return (wall - (rest < 0 ? rest + DAY : rest)) / DAY;
}

/* A day has the hours that it has there; a time that clocks showed twice may be either. */
static void place_in_zone(const struct query_zone *zone, int64_t span, bool named, int64_t *from, int64_t *to) {
    int64_t wall = *from, last = wall;
    if (span == DAY) {
        *from = query_day_start(zone, day_of(wall));
        *to = query_day_start(zone, day_of(wall) + 1);
        return;
    }
    if (!named)
        query_wall_instants(zone, wall, from, &last);
    *to = last + span;
}

int64_t match_bare_instant(const struct query_zone *zone, int64_t wall) {
    int64_t start = query_day_start(zone, day_of(wall)), end = query_day_start(zone, day_of(wall) + 1), at, last;
    query_wall_instants(zone, wall, &at, &last);
    return at < start ? start : at >= end ? end - 1 : at;
}

enum err match_time(const struct match_options *options, const char *text, int64_t *from, int64_t *to,
                    struct error *error) {
    struct str iso, whole;
    struct error unclear = {0};
    str_init(&iso, TIME_MAX);
    str_init(&whole, TIME_MAX + 4);
    if (!match_time_day(options, text, &iso, &unclear) && unclear.code == ERR_OK)
        take_compact(text, &iso);
    int64_t span = match_span(iso.s, &whole);
    bool good = span > 0 && !whole.truncated && clock_parse_served(whole.s, whole.len, from);
    if (good)
        place_in_zone(&options->zone, span, clock_has_zone(whole.s, whole.len), from, to);
    str_clear(&iso);
    str_clear(&whole);
    if (unclear.code != ERR_OK)
        return error_set(error, unclear.code, "%s", unclear.text);
    return good ? ERR_OK : error_set(error, ERR_INVALID, "no day or time: 2026-11-03, 2026-11-03T10:30Z, 03.11.2026");
}

const char *match_mask_tail(const char *mask) {
    size_t at = strlen(mask);
    while (at > 0 && ascii_is_digit((unsigned char)mask[at - 1]))
        at--;
    return mask[at] == '\0' ? mask : mask + at;
}
