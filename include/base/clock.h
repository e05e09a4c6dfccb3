#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H
/* Time as milliseconds since 1970 UTC in int64_t. Only `run` and `sandbox` ask for now; all other layers get it with
 * their events. Parsing accepts what services send: 0 to 9 digits of a second, `Z` or an offset, a blank for the T,
 * a date alone, a count of seconds or milliseconds; formatting names its zone. */

#include "base/str.h"

#include <stdint.h>

#define CLOCK_NONE INT64_MIN

int64_t clock_now(void);  /* wall clock, ms */
int64_t clock_mono(void); /* monotonic, ms, for time limits */

/* Civil calendar, proleptic Gregorian, UTC. */
struct civil {
    int year, month, day, hour, minute, second, ms;
};
void clock_civil(int64_t ms, struct civil *out);
bool clock_from_civil(const struct civil *civil, int64_t *ms); /* years 0 to 9999; false: no such day or time */
int clock_month_days(int year, int month);
const char *clock_month_name(int month); /* in English; 1 to 12 */

/* 0 to 9 fractional digits, Z or offset, blank for T, date only (midnight UTC). false: not a time. */
bool clock_parse(const char *text, size_t len, int64_t *ms);
/* As clock_parse, but also takes a date and time without a zone, which is then ordered as if it were UTC. */
bool clock_parse_served(const char *text, size_t len, int64_t *ms);
/* false: a time without a zone, or a date alone. Such a time is never shifted. */
bool clock_has_zone(const char *text, size_t len);
/* RFC 9110 HTTP-date in its three forms. */
bool clock_parse_http(const char *text, size_t len, int64_t *ms);
/* Epoch seconds or milliseconds by size. */
bool clock_from_epoch(int64_t number, int64_t *ms);

enum clock_zone { CLOCK_AGE, CLOCK_LOCAL, CLOCK_UTC };
/* `2026-11-28 10:30:05` in UTC; in local time with the offset of that moment, `2026-07-19 21:26:05 +02:00`; CLOCK_AGE
 * gives `3m`, `5h`, `12d`, `2y` against now, `now` under a minute, and `+3s`, `+5h` for what is ahead of now by a
 * second or more: it may be a wrong clock there or here, and is never called new. CLOCK_NONE gives a dash. */
void clock_format(struct str *out, int64_t ms, enum clock_zone zone, int64_t now);
/* A time as it was served: one without a zone is shown as received, with a `?` in front, also where ages are shown. */
void clock_format_served(struct str *out, const char *text, int64_t ms, enum clock_zone zone, int64_t now);
/* The age in a sentence: `just now`, `3m ago`, `ahead of this machine's clock by 5h`. */
void clock_format_ago(struct str *out, int64_t ms, int64_t now);
/* The hour and minute, `04:43`, behind its date where that is not today's; what is ahead says so. */
void clock_format_today(struct str *out, int64_t ms, enum clock_zone zone, int64_t now);
/* For a time that is shown as a date: false and nothing, or where it is in the future `before` and `ahead of this
 * machine's clock by 5h`. */
bool clock_format_ahead(struct str *out, const char *before, int64_t ms, int64_t now);
void clock_format_span(struct str *out, int64_t span); /* ms, not negative: `3s`, `5m`, `12d` */
bool clock_is_ahead(int64_t ms, int64_t now);          /* by a second or more */
void clock_shift(int64_t *ms, int64_t by);             /* CLOCK_NONE stays */
/* Whether now is less than span after since. The clock may have been set back in between: a `since` in the future gives
 * false. */
bool clock_within(int64_t since, int64_t now, int64_t span);
/* ISO 8601 with milliseconds and Z, as the interface document has it. */
void clock_format_iso(struct str *out, int64_t ms);
/* The machine's zone may be set anew while a program runs: it is looked at once a minute, by the monotonic clock. */
void clock_look_again(int64_t mono);
/* Whether the C library knows the zone that TZ names: an unknown one it takes for UTC without a word. */
bool clock_knows_zone(const char *tz);
/* Local time is that of this zone from now on, which clock_knows_zone: set before anything else runs. */
void clock_use_zone(const char *name);
/* Minutes east of UTC that clocks of the local time show at that instant. */
int clock_local_offset(int64_t ms);
const char *clock_zone_name(enum clock_zone zone); /* "age", "local" or the name of clock_use_zone, "UTC" */

#endif
