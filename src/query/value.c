#include "scan.h"

#include "base/ascii.h"
#include "base/clock.h"

#include <string.h>

static bool value_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const char beyond[] = "a number beyond 64 bits";

/* Bytes of a separator between groups of three: a comma, an apostrophe, any blank; 0: none. */
static size_t group_mark(const char *s, size_t len) {
    if (len > 0 && (*s == ',' || *s == '\''))
        return 1;
    if (len >= 3 && memcmp(s, "\xE2\x80\x99", 3) == 0)
        return 3;
    return scan_blank(s, len);
}

static size_t digits_at(const char *s, size_t len) {
    size_t n = 0;
    while (n < len && value_is_digit(s[n]))
        n++;
    return n;
}

/* A sign, up to three digits and groups of three, all with the same separator, and perhaps decimals; plain gets it
 * without the separators. False: it is no such number. */
static bool take_grouped(const char *s, size_t len, struct str *plain) {
    size_t at = len > 0 && s[0] == '-' ? 1 : 0, n = digits_at(s + at, len - at);
    if (n == 0 || n > 3 || (s[at] == '0' && n > 1))
        return false;
    str_add_n(plain, s, at + n);
    at += n;
    const char *mark = s + at;
    size_t wide = group_mark(mark, len - at);
    while (wide > 0 && at + wide <= len && memcmp(s + at, mark, wide) == 0) {
        if (digits_at(s + at + wide, len - at - wide) != 3)
            return false;
        str_add_n(plain, s + at + wide, 3);
        at += wide + 3;
    }
    bool decimals = wide > 0 && at + 1 < len && s[at] == '.' && digits_at(s + at + 1, len - at - 1) == len - at - 1;
    if (decimals)
        str_add_n(plain, s + at, len - at);
    return wide > 0 && (decimals || at == len);
}

static bool is_grouped(const char *s, size_t len) {
    struct str plain;
    str_init(&plain, QUERY_TEXT_MAX);
    bool is = take_grouped(s, len, &plain);
    str_clear(&plain);
    return is;
}

static bool is_plain_number(const char *s, size_t len) {
    size_t sign = len > 0 && s[0] == '-' ? 1 : 0, n = digits_at(s + sign, len - sign);
    size_t rest = len - sign - n;
    return n > 0 &&
           (rest == 0 || (s[sign + n] == '.' && rest > 1 && digits_at(s + sign + n + 1, rest - 1) == rest - 1));
}

bool value_is_about(const char *s, size_t len) {
    return len > 1 && s[0] == '~' && value_is_digit(s[1]) &&
           (is_plain_number(s + 1, len - 1) || is_grouped(s + 1, len - 1));
}

/* One number, or a range of which at least one end has groups. */
static bool is_grouped_range(const char *s, size_t len) {
    const char *dots = memmem(s, len, "..", 2);
    if (!dots)
        return is_grouped(s, len);
    size_t low = (size_t)(dots - s), high = len - low - 2;
    bool groups = is_grouped(s, low) || is_grouped(dots + 2, high);
    return groups && (low == 0 || is_grouped(s, low) || is_plain_number(s, low)) &&
           (high == 0 || is_grouped(dots + 2, high) || is_plain_number(dots + 2, high));
}

enum value_groups value_groups(const char *s, size_t len) {
    if (is_grouped_range(s, len))
        return VALUE_GROUPED;
    /* No number of a list begins with a zero: that is a group, or a decimal comma. */
    for (size_t at = 0; at + 2 < len; at++)
        if (s[at] == ',' && s[at + 1] == '0' && value_is_digit(s[at + 2]))
            return VALUE_GROUPS_MIXED;
    return VALUE_LIST;
}

static bool value_read_number(struct arena *arena, const char *s, size_t len, struct query_scalar *out,
                              const char **reason);

bool value_number(struct arena *arena, const char *s, size_t len, struct query_scalar *out, const char **reason) {
    struct str plain;
    str_init(&plain, QUERY_TEXT_MAX);
    bool grouped = take_grouped(s, len, &plain);
    bool good = value_read_number(arena, grouped ? plain.s : s, grouped ? plain.len : len, out, reason);
    str_clear(&plain);
    return good;
}

static bool value_read_number(struct arena *arena, const char *s, size_t len, struct query_scalar *out,
                              const char **reason) {
    char digits[QUERY_TEXT_MAX];
    size_t n = 0, point = len;
    *reason = "not a number";
    for (size_t i = 0; i < len; i++)
        if (s[i] == '.' && point == len)
            point = i;
        else if (value_is_digit(s[i]) || (s[i] == '-' && i == 0))
            digits[n++] = s[i];
        else
            return false;
    bool decimal = point < len;
    if (decimal && (point == 0 || !value_is_digit(s[point - 1]) || point + 1 == len))
        return false;
    if (n == 0 || !value_is_digit(digits[n - 1]))
        return false;
    *reason = decimal && len - point - 1 > 18 ? "more than 18 digits after the point" : beyond;
    long long number;
    if ((decimal && len - point - 1 > 18) || !str_to_int64(digits, n, &number))
        return false;
    *out = (struct query_scalar){
        .text = arena_dup_n(arena, s, len), .number = number, .scale = decimal ? (int)(len - point - 1) : 0};
    return true;
}

bool value_is_less(const struct query_scalar *a, const struct query_scalar *b) {
    __int128 left = a->number, right = b->number;
    for (int i = a->scale; i < b->scale; i++)
        left *= 10;
    for (int i = b->scale; i < a->scale; i++)
        right *= 10;
    return left < right;
}

struct reader {
    const char *s, *end;
};

static bool value_take(struct reader *in, char c) {
    bool there = in->s < in->end && (*in->s == c || (c == 'T' && *in->s == 't') || (c == 'Z' && *in->s == 'z'));
    in->s += there ? 1 : 0;
    return there;
}

static bool value_take_digits(struct reader *in, size_t n, int *out) {
    if ((size_t)(in->end - in->s) < n)
        return false;
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        if (!value_is_digit(in->s[i]))
            return false;
        *out = *out * 10 + (in->s[i] - '0');
    }
    in->s += n;
    return true;
}

static bool value_take_fraction(struct reader *in, int *ms) {
    size_t n = 0;
    *ms = 0;
    for (; in->s < in->end && value_is_digit(*in->s) && n < 3; n++)
        *ms = *ms * 10 + (*in->s++ - '0');
    for (size_t i = n; i < 3; i++)
        *ms *= 10;
    return n > 0;
}

static bool value_take_clock(struct reader *in, struct civil *civil, enum query_span *span) {
    if (!value_take_digits(in, 2, &civil->hour) || !value_take(in, ':') || !value_take_digits(in, 2, &civil->minute))
        return false;
    *span = QUERY_MINUTE;
    if (!value_take(in, ':'))
        return true;
    *span = QUERY_SECOND;
    if (!value_take_digits(in, 2, &civil->second))
        return false;
    if (!value_take(in, '.'))
        return true;
    *span = QUERY_MS;
    return value_take_fraction(in, &civil->ms);
}

static bool take_zone(struct reader *in, int *minutes) {
    if (in->s == in->end)
        return true;
    *minutes = 0;
    (void)value_take(in, ' ');
    if (value_take(in, 'Z'))
        return true;
    int sign = value_take(in, '+') ? 1 : -1, hours, rest;
    if (sign < 0 && !value_take(in, '-'))
        return false;
    if (!value_take_digits(in, 2, &hours) || !value_take(in, ':') || !value_take_digits(in, 2, &rest) || hours > 23 ||
        rest > 59)
        return false;
    *minutes = sign * (hours * 60 + rest);
    return true;
}

static bool take_date(struct reader *in, struct civil *civil, struct query_scalar *out) {
    if (!value_take_digits(in, 4, &civil->year))
        return false;
    out->span = QUERY_YEAR;
    if (in->s == in->end)
        return true;
    out->span = QUERY_MONTH;
    if (!value_take(in, '-') || !value_take_digits(in, 2, &civil->month))
        return false;
    if (in->s == in->end)
        return true;
    out->span = QUERY_DAY;
    if (!value_take(in, '-') || !value_take_digits(in, 2, &civil->day))
        return false;
    return in->s == in->end || ((value_take(in, 'T') || value_take(in, ' ')) &&
                                value_take_clock(in, civil, &out->span) && take_zone(in, &out->zone_minutes));
}

bool value_age(struct arena *arena, const char *s, size_t len, struct query_scalar *out, const char **reason) {
    struct reader in = {s, s + len};
    int digit;
    *out = (struct query_scalar){.zone_minutes = QUERY_ZONE_VIEWER};
    *reason = "not an age: 30m, 12h, 3d";
    while (out->number < 10000000 && value_take_digits(&in, 1, &digit))
        out->number = out->number * 10 + digit;
    bool counted = in.s > s;
    out->span = value_take(&in, 'm') ? QUERY_MINUTES_AGO : value_take(&in, 'h') ? QUERY_HOURS_AGO : QUERY_DAYS_AGO;
    if (!counted || (out->span == QUERY_DAYS_AGO && !value_take(&in, 'd')) || in.s != in.end)
        return false;
    out->text = arena_dup_n(arena, s, len);
    return true;
}

/* -7d, -24h */
static bool take_ago(struct reader in, struct query_scalar *out) {
    int digit;
    if (!value_take(&in, '-'))
        return false;
    while (out->number < 10000000 && value_take_digits(&in, 1, &digit))
        out->number = out->number * 10 + digit;
    bool counted = value_is_digit(in.s[-1]);
    out->span = value_take(&in, 'h') ? QUERY_HOURS_AGO : QUERY_DAYS_AGO;
    return counted && (out->span == QUERY_HOURS_AGO || value_take(&in, 'd')) && in.s == in.end;
}

static bool named(const char *s, size_t len, const char *name) {
    return len == strlen(name) && ascii_compare_n(s, name, len) == 0;
}

const char *const value_weekdays[VALUE_WEEKDAYS] = {"monday", "tuesday",  "wednesday", "thursday",
                                                    "friday", "saturday", "sunday"};

static bool take_day(const char *s, size_t len, struct query_scalar *out) {
    if (named(s, len, "today") || named(s, len, "yesterday")) {
        out->span = named(s, len, "today") ? QUERY_TODAY : QUERY_YESTERDAY;
        return true;
    }
    out->span = QUERY_WEEKDAY;
    for (out->number = 0; len >= 3 && out->number < VALUE_WEEKDAYS; out->number++)
        if (ascii_compare_n(s, value_weekdays[out->number], len) == 0)
            return true;
    out->number = 0;
    return false;
}

/* Removes the blank between day and hour with which the screen shows a time; a filter needs none. */
static const char *written_time(struct arena *arena, const char *s, size_t len) {
    char *text = arena_dup_n(arena, s, len), *blank = strchr(text, ' ');
    if (blank)
        *blank = 'T';
    blank = strchr(text, ' ');
    if (blank)
        memmove(blank, blank + 1, strlen(blank));
    return text;
}

bool value_time(struct arena *arena, const char *s, size_t len, struct query_scalar *out, const char **reason) {
    struct reader in = {s, s + len};
    struct civil civil = {.month = 1, .day = 1};
    *out = (struct query_scalar){.zone_minutes = QUERY_ZONE_VIEWER};
    *reason = "not a time: 2026-11-01, 2026-11, 2026-11-01T10:30Z, today, yesterday, tuesday, -7d, -24h";
    if (!take_day(s, len, out) && !take_ago(in, out)) {
        out->number = 0;
        if (!take_date(&in, &civil, out) || in.s != in.end)
            return false;
        *reason = "no such day or time";
        if (!clock_from_civil(&civil, &out->number))
            return false;
    }
    out->text = written_time(arena, s, len);
    return true;
}
