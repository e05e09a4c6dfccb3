/* An earlier period with which one is compared: the same times on the clock, over both changes of the clocks in five
 * zones, against what Python's zoneinfo knows of them. */
#include "base/clock.h"
#include "base/mem.h"
#include "query/axis.h"
#include "query/plan.h"
#include "support/proc.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MINUTE = 60 * 1000, DAYS = 7, TABLE_MAX = 1 << 24, PYTHON_MS = 120000 };

/* For each zone and each half hour of the 16 days around a change: now; the last instant at which clocks showed the
 * time of now a week earlier; the first at which they showed that of 7 times 24 hours before now; and midnight of the
 * day before now's, a week earlier. Every minute is looked at, and no rule of a library about times that are there
 * twice. */
static const char REFERENCE[] =
    "import datetime as d, zoneinfo as z\n"
    "U = d.timezone.utc\n"
    "DAY, MIN = 86400, 60\n"
    "def local(zone, t):\n"
    "    n = d.datetime.fromtimestamp(t, U).astimezone(zone)\n"
    "    return t + int(n.utcoffset().total_seconds())\n"
    "def table(zone, start, end):\n"
    "    seen, before = {}, None\n"
    "    for t in range(start, end, MIN):\n"
    "        w = local(zone, t)\n"
    "        for skipped in range(before + MIN, w, MIN) if before is not None else ():\n"
    "            seen.setdefault(skipped, []).append(t)\n"
    "        seen.setdefault(w, []).append(t)\n"
    "        before = w\n"
    "    return seen\n"
    "def changes(zone):\n"
    "    t0 = int(d.datetime(2026, 1, 1, tzinfo=U).timestamp())\n"
    "    days = [t0 + i * DAY for i in range(366)]\n"
    "    return [b for a, b in zip(days, days[1:]) if local(zone, a) - a != local(zone, b) - b]\n"
    "for name in ('Europe/Zurich', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo'):\n"
    "    zone = z.ZoneInfo(name)\n"
    "    found = changes(zone)\n"
    "    assert len(found) == 2, name\n"
    "    for change in found:\n"
    "        seen = table(zone, change - 26 * DAY, change + 18 * DAY)\n"
    "        for now in range(change - 2 * DAY, change + 14 * DAY, 30 * MIN):\n"
    "            w, ago = local(zone, now), local(zone, now - 7 * DAY)\n"
    "            yesterday = w - w % DAY - DAY\n"
    "            print(name, now, seen[w - 7 * DAY][-1], seen[ago - 7 * DAY][0], seen[yesterday - 7 * DAY][0])\n";

struct line {
    char zone[64];
    int64_t now, until, from, midnight;
};

static int64_t low_of(const char *text, const struct query_context *context) {
    struct query *query;
    struct error error = {0};
    assert_int_equal(query_parse(text, &(struct query_options){.console = true}, &query, NULL, &error), ERR_OK);
    struct query_plan *plan = query_plan_new(query, context);
    int64_t low = plan->root->test.ranges[0].low[QUERY_TIME_ZONED];
    query_plan_free(plan);
    query_free(query);
    return low;
}

static void expect_instant(const struct line *line, const char *what, int64_t got, int64_t expected) {
    if (got != expected)
        fail_msg("%s at %" PRId64 ": %s is %" PRId64 ", not %" PRId64, line->zone, line->now, what, got, expected);
}

static void expect_line(const struct line *line) {
    struct query_context context = {
        .now = line->now * 1000, .zone = {clock_local_offset, 0}, .back = DAYS, .last_visit = CLOCK_NONE};
    struct query_clock clock = {.zone = context.zone};
    expect_instant(line, "its end", query_clock_back(&clock, context.now, DAYS), line->until * 1000);
    expect_instant(line, "created>=-7d", low_of("created>=-7d", &context), line->from * 1000);
    expect_instant(line, "created>=yesterday", low_of("created>=yesterday", &context), line->midnight * 1000);
}

static char *reference(void) {
    struct proc proc;
    const char *const argv[] = {"/usr/bin/env", "python3", "-c", REFERENCE, NULL};
    int status = proc_run(&proc, argv, NULL, PYTHON_MS);
    char *text = status == 0 ? mem_dup_n(proc.out.s, proc.out.len) : NULL;
    if (status != 0)
        print_message("no python3 with zoneinfo: %s\n", proc.err.s);
    (void)proc_end(&proc);
    return text;
}

static void an_earlier_period_has_the_same_times_on_the_clock(void **state) {
    (void)state;
    char *text = reference(), zone[64] = "";
    size_t n = 0;
    if (!text)
        skip();
    for (char *at = text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        struct line line;
        *end = '\0';
        assert_int_equal(sscanf(at, "%63s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, line.zone, &line.now,
                                &line.until, &line.from, &line.midnight),
                         5);
        if (strcmp(zone, line.zone) != 0) {
            clock_use_zone(line.zone);
            (void)snprintf(zone, sizeof zone, "%s", line.zone);
        }
        expect_line(&line);
        n++;
    }
    assert_int_equal(n, 5 * 2 * 16 * 48);
    free(text);
}

/* Whatever the clocks did in between, an age counts hours. */
static void an_age_is_counted_from_then(void **state) {
    (void)state;
    clock_use_zone("CET-1CEST,M3.5.0,M10.5.0/3");
    struct query_context context = {.now =
                                        INT64_C(1775210400000), /* 2026-04-03 12:00, a week after it was winter time */
                                    .zone = {clock_local_offset, 0},
                                    .back = DAYS,
                                    .last_visit = CLOCK_NONE};
    const int64_t then = context.now - ((int64_t)DAYS * 24 * 60 - 60) * MINUTE;
    assert_int_equal(low_of("age<1h", &context), then - (int64_t)60 * MINUTE + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_earlier_period_has_the_same_times_on_the_clock),
        cmocka_unit_test(an_age_is_counted_from_then),
    };
    return cmocka_run_group_tests_name("the same times a week earlier", tests, NULL, NULL);
}
