#include "retry.h"

#include "api/api.h"
#include "base/ascii.h"
#include "base/clock.h"

#include <string.h>

#define RELATIVE_MAX INT64_C(1000000000)  /* from here a reset is seconds since 1970 */
#define SECONDS_MAX INT64_C(100000000000) /* up to here seconds, above it milliseconds */
#define MS_MAX INT64_C(100000000000000)   /* above it: not a time */

enum { SECOND = 1000, HOUR = 3600 * SECOND, BACKOFF_MAX = 60, PAUSE = 500, CLOCK_DIFFERS = 5 * SECOND };

struct text {
    const char *s;
    size_t len;
};

static struct text retry_trim(const char *s, size_t len) {
    while (len > 0 && (*s == ' ' || *s == '\t')) {
        s++;
        len--;
    }
    while (len > 0 && (s[len - 1] == ' ' || s[len - 1] == '\t'))
        len--;
    return (struct text){s, len};
}

/* Digits, perhaps with a fraction, which counts as one more. Anything else, or more than fits: false. */
static bool parse_count(struct text text, int64_t *out) {
    size_t whole = 0;
    long long number;
    while (whole < text.len && text.s[whole] >= '0' && text.s[whole] <= '9')
        whole++;
    if (whole == 0 || !str_to_int64(text.s, whole, &number))
        return false;
    bool more = false;
    if (whole < text.len && (text.s[whole] != '.' || whole + 1 == text.len))
        return false;
    for (size_t i = whole + 1; i < text.len; i++) {
        if (text.s[i] < '0' || text.s[i] > '9')
            return false;
        more |= text.s[i] != '0';
    }
    if (number >= MS_MAX)
        return false;
    *out = number + more;
    return true;
}

static int64_t not_past(int64_t at, int64_t now) {
    return at < now ? now : at;
}

/* This machine's clock, and how far the service's clock is ahead of it: the dates in its headers are by its own clock.
 */
struct clocks {
    int64_t now, ahead;
};

static struct clocks clocks_of(const struct headers *headers, int64_t now) {
    const char *date = headers_find(headers, "Date");
    int64_t at;
    bool told = date && clock_parse_http(date, strlen(date), &at);
    /* Dates are whole seconds and travel for a while: a smaller difference is none. */
    return (struct clocks){now, told && (at - now > CLOCK_DIFFERS || now - at > CLOCK_DIFFERS) ? at - now : 0};
}

static bool parse_http(struct text text, struct clocks clocks, int64_t *at) {
    if (!clock_parse_http(text.s, text.len, at))
        return false;
    *at = not_past(*at - clocks.ahead, clocks.now);
    return true;
}

static bool parse_date(struct text text, struct clocks clocks, int64_t *at) {
    if (parse_http(text, clocks, at))
        return true;
    if (!clock_parse(text.s, text.len, at))
        return false;
    *at = not_past(*at - clocks.ahead, clocks.now);
    return true;
}

static bool retry_is_digits(struct text text) {
    size_t n = 0;
    while (n < text.len && text.s[n] >= '0' && text.s[n] <= '9')
        n++;
    return n > 0 && n == text.len;
}

/* Retry-After. A number too large to be meant gives the longest wait, never none. */
static bool retry_after(const char *value, struct clocks clocks, int64_t *at) {
    struct text text = retry_trim(value, strlen(value));
    int64_t seconds = RELATIVE_MAX;
    if (!parse_count(text, &seconds) && !retry_is_digits(text))
        return parse_http(text, clocks, at);
    *at = clocks.now + (seconds < RELATIVE_MAX ? seconds : RELATIVE_MAX) * SECOND;
    return true;
}

/* X-RateLimit-Reset and RateLimit-Reset. */
static bool reset_at(const char *value, struct clocks clocks, int64_t *at) {
    int64_t now = clocks.now;
    struct text text = retry_trim(value, strlen(value));
    int64_t count;
    if (!parse_count(text, &count))
        return parse_date(text, clocks, at);
    if (count < RELATIVE_MAX)
        *at = now + count * SECOND;
    else
        *at = not_past((count < SECONDS_MAX ? count * SECOND : count) - clocks.ahead, now);
    return true;
}

static bool retry_is_key(struct text text, const char *name) {
    return text.len == strlen(name) && ascii_compare_n(text.s, name, text.len) == 0;
}

/* The one field of the newer draft: `limit=100, remaining=0, reset=30` and `"default";r=0;t=30`. Of several policies
 * the longest wait and the smallest remainder count. -1: not there. */
static void rate_limit(const char *value, int64_t *remaining, int64_t *seconds) {
    *remaining = *seconds = -1;
    while (*value) {
        size_t len = strcspn(value, ",;"), key = strcspn(value, "=,;");
        struct text name = retry_trim(value, key);
        int64_t count;
        if (key < len && parse_count(retry_trim(value + key + 1, len - key - 1), &count)) {
            if ((retry_is_key(name, "r") || retry_is_key(name, "remaining")) && (*remaining < 0 || count < *remaining))
                *remaining = count;
            if ((retry_is_key(name, "t") || retry_is_key(name, "reset")) && count < RELATIVE_MAX && count > *seconds)
                *seconds = count;
        }
        value += len + (value[len] != '\0');
    }
}

int64_t retry_time(const struct headers *headers, int64_t now) {
    static const char *const resets[] = {"RateLimit-Reset", "X-RateLimit-Reset", "X-Rate-Limit-Reset"};
    int64_t at, remaining, seconds = -1;
    const struct clocks clocks = clocks_of(headers, now);
    const char *value = headers_find(headers, "Retry-After");
    if (value && retry_after(value, clocks, &at))
        return at;
    value = headers_find(headers, "RateLimit");
    if (value)
        rate_limit(value, &remaining, &seconds);
    if (seconds >= 0)
        return now + seconds * SECOND;
    for (size_t i = 0; i < sizeof resets / sizeof *resets; i++) {
        value = headers_find(headers, resets[i]);
        if (value && reset_at(value, clocks, &at))
            return at;
    }
    return CLOCK_NONE;
}

int64_t retry_quota(const struct headers *headers) {
    static const char *const names[] = {"RateLimit-Remaining", "X-RateLimit-Remaining", "X-Rate-Limit-Remaining"};
    int64_t count = -1, seconds;
    const char *value = headers_find(headers, "RateLimit");
    if (value)
        rate_limit(value, &count, &seconds);
    for (size_t i = 0; count < 0 && i < sizeof names / sizeof *names; i++) {
        value = headers_find(headers, names[i]);
        if (value && !parse_count(retry_trim(value, strlen(value)), &count))
            count = -1;
    }
    return count;
}

int64_t api_retry_at(const struct headers *headers, int64_t now, unsigned attempt, unsigned jitter) {
    int64_t at = headers ? retry_time(headers, now) : CLOCK_NONE;
    if (at != CLOCK_NONE)
        return at > now + HOUR ? now + HOUR : at;
    int64_t wait = attempt < 6 ? INT64_C(1) << attempt : BACKOFF_MAX;
    wait *= SECOND;
    return now + wait + (int64_t)(jitter % (unsigned)(wait / 4 + 1));
}

/* The time that the service asked for, at most an hour; from the second refusal in a row on not before a growing wait
 * of our own, so that a service that always says "at once" is not flooded with requests. */
static int64_t wait_until(const struct api_failed *failed, int64_t now, unsigned jitter) {
    if (failed->retry_at == CLOCK_NONE)
        return api_retry_at(NULL, now, failed->attempt, jitter);
    int64_t earliest = failed->attempt > 0 ? api_retry_at(NULL, now, failed->attempt - 1, jitter) : now;
    int64_t at = failed->retry_at > earliest ? failed->retry_at : earliest;
    return at < now + HOUR ? at : now + HOUR;
}

bool api_speaks_of_the_moment(int status) {
    enum { TIMED_OUT = 408, CONFLICT = 409, TOO_EARLY = 425 };
    return status == TIMED_OUT || status == CONFLICT || status == TOO_EARLY;
}

static bool may_pass(const struct api_failed *failed) {
    switch (failed->code) {
    case ERR_REFUSED:
        return api_speaks_of_the_moment(failed->status);
    case ERR_SERVER:
    case ERR_NETWORK:
        return true;
    case ERR_CONNECT:
    case ERR_RESOLVE:
    case ERR_TIMEOUT:
        return failed->begun;
    default:
        return false;
    }
}

bool api_list_again(const struct api_failed *failed, int64_t now, unsigned jitter, int64_t *at) {
    if (failed->code == ERR_THROTTLED || (may_pass(failed) && failed->retry_at != CLOCK_NONE)) {
        *at = wait_until(failed, now, jitter);
        return failed->attempt < API_WAITS_MAX && *at - now <= API_WAIT_MAX &&
               (failed->attempt == 0 || *at - failed->since <= API_WAITED_MAX);
    }
    if (!may_pass(failed) || failed->attempt >= API_RETRIES_MAX)
        return false;
    int64_t pause = (int64_t)PAUSE << failed->attempt;
    *at = now + pause + (int64_t)(jitter % (unsigned)(pause / 4 + 1));
    return true;
}
