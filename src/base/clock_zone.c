#include "base/ascii.h"
#include "base/clock.h"
#include "base/str.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 60000, PATH_LEN = 4096, NAME_MIN = 3, HOUR_MOST = 24, RULE_HOUR_MOST = 167, UNITS_MOST = 59 };

void clock_look_again(int64_t mono) {
    static int64_t found = CLOCK_NONE;
    if (found != CLOCK_NONE && mono - found < LOOK_MS)
        return;
    found = mono;
    tzset();
}

static char used[NAME_MAX];

void clock_use_zone(const char *name) {
    snprintf(used, sizeof used, "%s", name);
    (void)setenv("TZ", name, 1);
    tzset();
}

int clock_local_offset(int64_t ms) {
    enum { SECOND_MS = 1000, MINUTE_SECONDS = 60 };
    time_t at = (time_t)(ms / SECOND_MS - (ms % SECOND_MS < 0));
    struct tm local;
    return localtime_r(&at, &local) ? (int)(local.tm_gmtoff / MINUTE_SECONDS) : 0;
}

const char *clock_zone_name(enum clock_zone zone) {
    return zone == CLOCK_AGE ? "age" : zone == CLOCK_UTC ? "UTC" : *used ? used : "local";
}

static bool is_zone_file(const char *path) {
    char magic[4] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return false;
    bool is_zone = read(fd, magic, sizeof magic) == (ssize_t)sizeof magic && memcmp(magic, "TZif", sizeof magic) == 0;
    (void)close(fd);
    return is_zone;
}

static bool has_file(const char *name) {
    const char *folder = getenv("TZDIR");
    if (*name == '/')
        return is_zone_file(name);
    struct str path;
    str_init(&path, PATH_LEN);
    str_addf(&path, "%s/%s", folder && *folder ? folder : "/usr/share/zoneinfo", name);
    bool found = is_zone_file(path.s);
    str_clear(&path);
    return found;
}

static bool clock_zone_take(const char **at, char c) {
    bool is = **at == c;
    *at += is;
    return is;
}

static bool clock_zone_take_name(const char **at) {
    const char *start = *at;
    bool quoted = clock_zone_take(at, '<');
    size_t len = 0;
    while (ascii_is_letter(**at) || (quoted && (ascii_is_digit(**at) || **at == '+' || **at == '-'))) {
        ++*at;
        len++;
    }
    return len >= NAME_MIN && (!quoted || clock_zone_take(at, '>')) && *at > start;
}

static bool clock_zone_take_number(const char **at, int least, int most) {
    int number = 0, digits = 0;
    for (; ascii_is_digit(**at) && digits < 3; digits++)
        number = number * 10 + (*(*at)++ - '0');
    return digits > 0 && number >= least && number <= most;
}

/* `[+-]hh[:mm[:ss]]` */
static bool take_time(const char **at, int hours) {
    if (!clock_zone_take(at, '-'))
        (void)clock_zone_take(at, '+');
    return clock_zone_take_number(at, 0, hours) &&
           (!clock_zone_take(at, ':') || (clock_zone_take_number(at, 0, UNITS_MOST) &&
                                          (!clock_zone_take(at, ':') || clock_zone_take_number(at, 0, UNITS_MOST))));
}

/* `,M3.5.0/2`, `,J60` or `,59`: the day and time of a change. */
static bool take_change(const char **at) {
    if (!clock_zone_take(at, ','))
        return false;
    bool day = clock_zone_take(at, 'M') ? clock_zone_take_number(at, 1, 12) && clock_zone_take(at, '.') &&
                                              clock_zone_take_number(at, 1, 5) && clock_zone_take(at, '.') &&
                                              clock_zone_take_number(at, 0, 6)
               : clock_zone_take(at, 'J') ? clock_zone_take_number(at, 1, 365)
                                          : clock_zone_take_number(at, 0, 365);
    return day && (!clock_zone_take(at, '/') || take_time(at, RULE_HOUR_MOST));
}

/* A rule as POSIX has it: `CET-1CEST,M3.5.0,M10.5.0/3`. */
static bool is_rule(const char *at) {
    if (!clock_zone_take_name(&at) || !take_time(&at, HOUR_MOST))
        return false;
    if (*at == '\0')
        return true;
    if (!clock_zone_take_name(&at))
        return false;
    if (*at != ',' && *at != '\0' && !take_time(&at, HOUR_MOST))
        return false;
    for (int changes = 0; *at && changes < 2; changes++)
        if (!take_change(&at))
            return false;
    return *at == '\0';
}

bool clock_knows_zone(const char *tz) {
    if (*tz == ':')
        tz++;
    /* Where no zones are installed, UTC works all the same. */
    return *tz == '\0' || str_equal(tz, "UTC") || str_equal(tz, "GMT") || is_rule(tz) || has_file(tz);
}
