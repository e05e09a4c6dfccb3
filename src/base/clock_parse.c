#include "base/clock.h"

#include "base/ascii.h"

#include <string.h>

enum { FRACTION_DIGITS_MAX = 9, CENTURY_PIVOT = 70 };

/* A cursor over the text: every reader moves it, or fails and leaves the rest unread. */
struct scan {
    const char *at, *end;
};

static bool take_char(struct scan *scan, const char *any_of) {
    if (scan->at == scan->end || *scan->at == '\0' || !strchr(any_of, *scan->at))
        return false;
    scan->at++;
    return true;
}

static bool clock_parse_take_digits(struct scan *scan, int digits, int *out) {
    int value = 0;
    if (scan->end - scan->at < digits)
        return false;
    for (int i = 0; i < digits; i++) {
        char c = scan->at[i];
        if (c < '0' || c > '9')
            return false;
        value = value * 10 + (c - '0');
    }
    scan->at += digits;
    *out = value;
    return true;
}

/* Matches full names where the form has them, else their first three letters. */
static bool clock_parse_take_name(struct scan *scan, const char *const *names, size_t n, bool full, int *index) {
    for (size_t i = 0; i < n; i++) {
        size_t len = full ? strlen(names[i]) : 3;
        if ((size_t)(scan->end - scan->at) >= len && ascii_compare_n(scan->at, names[i], len) == 0) {
            scan->at += len;
            *index = (int)i + 1;
            return true;
        }
    }
    return false;
}

static bool clock_parse_take_clock(struct scan *scan, struct civil *at) {
    return clock_parse_take_digits(scan, 2, &at->hour) && take_char(scan, ":") &&
           clock_parse_take_digits(scan, 2, &at->minute) && take_char(scan, ":") &&
           clock_parse_take_digits(scan, 2, &at->second);
}

/* Digits beyond milliseconds are read and dropped. */
static bool clock_parse_take_fraction(struct scan *scan, int *ms) {
    int digits = 0, digit;
    if (!take_char(scan, "."))
        return true;
    for (*ms = 0; clock_parse_take_digits(scan, 1, &digit); digits++)
        if (digits < 3)
            *ms = *ms * 10 + digit;
    for (int i = digits; i < 3; i++)
        *ms *= 10;
    return digits > 0 && digits <= FRACTION_DIGITS_MAX;
}

static bool take_offset(struct scan *scan, int *minutes) {
    int hour, minute = 0;
    *minutes = 0;
    if (take_char(scan, "Zz"))
        return true;
    if (scan->at == scan->end)
        return false;
    int sign = *scan->at == '-' ? -1 : 1;
    if (!take_char(scan, "+-") || !clock_parse_take_digits(scan, 2, &hour))
        return false;
    bool colon = take_char(scan, ":");
    if ((colon || scan->at < scan->end) && !clock_parse_take_digits(scan, 2, &minute))
        return false;
    *minutes = sign * (hour * 60 + minute);
    return hour < 24 && minute < 60;
}

/* A leap second is the first moment of the next minute. */
static bool to_ms(struct civil *at, int64_t *ms) {
    int leap = at->second == 60;
    at->second -= leap;
    if (!clock_from_civil(at, ms))
        return false;
    *ms += leap * INT64_C(1000);
    return true;
}

static bool clock_parse_parse(const char *text, size_t len, bool zoned, int64_t *ms) {
    struct scan scan = {text, text + len};
    struct civil at = {0};
    int offset = 0;
    int64_t moment;
    if (!clock_parse_take_digits(&scan, 4, &at.year) || !take_char(&scan, "-") ||
        !clock_parse_take_digits(&scan, 2, &at.month) || !take_char(&scan, "-") ||
        !clock_parse_take_digits(&scan, 2, &at.day))
        return false;
    if (scan.at < scan.end && (!take_char(&scan, "Tt ") || !clock_parse_take_clock(&scan, &at) ||
                               !clock_parse_take_fraction(&scan, &at.ms) || (zoned && !take_offset(&scan, &offset))))
        return false;
    if (scan.at != scan.end || !to_ms(&at, &moment))
        return false;
    *ms = moment - offset * INT64_C(60000);
    return true;
}

bool clock_parse(const char *text, size_t len, int64_t *ms) {
    return clock_parse_parse(text, len, true, ms);
}

bool clock_parse_served(const char *text, size_t len, int64_t *ms) {
    return clock_parse_parse(text, len, true, ms) || clock_parse_parse(text, len, false, ms);
}

bool clock_has_zone(const char *text, size_t len) {
    enum { DATE_LEN = 10 };
    int64_t ms;
    return !clock_parse_parse(text, len, false, &ms) || (len > DATE_LEN && clock_parse_parse(text, len, true, &ms));
}

static const char *const day_names[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
static const char *const month_names[] = {"January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December"};

const char *clock_month_name(int month) {
    return month_names[month - 1];
}

static bool take_month(struct scan *scan, int *month) {
    return clock_parse_take_name(scan, month_names, 12, false, month);
}

static bool take_gmt(struct scan *scan) {
    if (scan->end - scan->at != 4 || ascii_compare_n(scan->at, " GMT", 4) != 0)
        return false;
    scan->at = scan->end;
    return true;
}

/* Sun, 06 Nov 1994 08:49:37 GMT */
static bool parse_fixdate(struct scan scan, struct civil *at) {
    int day_name;
    return clock_parse_take_name(&scan, day_names, 7, false, &day_name) && take_char(&scan, ",") &&
           take_char(&scan, " ") && clock_parse_take_digits(&scan, 2, &at->day) && take_char(&scan, " ") &&
           take_month(&scan, &at->month) && take_char(&scan, " ") && clock_parse_take_digits(&scan, 4, &at->year) &&
           take_char(&scan, " ") && clock_parse_take_clock(&scan, at) && take_gmt(&scan);
}

/* Sunday, 06-Nov-94 08:49:37 GMT */
static bool parse_rfc850(struct scan scan, struct civil *at) {
    int day_name;
    if (!clock_parse_take_name(&scan, day_names, 7, true, &day_name) || !take_char(&scan, ",") ||
        !take_char(&scan, " ") || !clock_parse_take_digits(&scan, 2, &at->day) || !take_char(&scan, "-") ||
        !take_month(&scan, &at->month) || !take_char(&scan, "-") || !clock_parse_take_digits(&scan, 2, &at->year) ||
        !take_char(&scan, " "))
        return false;
    at->year += at->year < CENTURY_PIVOT ? 2000 : 1900;
    return clock_parse_take_clock(&scan, at) && take_gmt(&scan);
}

/* Sun Nov  6 08:49:37 1994 */
static bool parse_asctime(struct scan scan, struct civil *at) {
    int day_name;
    if (!clock_parse_take_name(&scan, day_names, 7, false, &day_name) || !take_char(&scan, " ") ||
        !take_month(&scan, &at->month) || !take_char(&scan, " "))
        return false;
    bool one_digit = take_char(&scan, " ");
    return clock_parse_take_digits(&scan, one_digit ? 1 : 2, &at->day) && take_char(&scan, " ") &&
           clock_parse_take_clock(&scan, at) && take_char(&scan, " ") && clock_parse_take_digits(&scan, 4, &at->year) &&
           scan.at == scan.end;
}

bool clock_parse_http(const char *text, size_t len, int64_t *ms) {
    static bool (*const forms[])(struct scan, struct civil *) = {parse_fixdate, parse_rfc850, parse_asctime};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct civil at = {0};
        if (forms[i]((struct scan){text, text + len}, &at))
            return to_ms(&at, ms);
    }
    return false;
}
