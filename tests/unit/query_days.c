/* Business days over both changes of the clocks in five zones, against a walk over every minute of a year. */
#include "base/clock.h"
#include "base/mem.h"
#include "query/axis.h"
#include "query/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum {
    SECOND = 1000,
    MINUTE = 60 * SECOND,
    MINUTES_A_DAY = 24 * 60,
    NOON = 12 * 60,
    YEAR_DAYS = 366,
    STARTS_MAX = 400
};

/* As POSIX writes them, so that no zone needs to be installed: Zurich, New York, Lord Howe, Santiago, Cairo. */
static const char *const ZONES[] = {"CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0",
                                    "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "<-04>4<-03>,M9.1.6/24,M4.1.6/24",
                                    "EET-2EEST,M4.5.5/0,M10.5.4/24"};
static const int ENDS[] = {17 * 60, 2 * 60 + 30, 30, 23 * 60 + 30, 12 * 60, 1};

struct begun {
    int64_t at;
    int64_t day; /* the one that begins */
};

static int64_t wall_minute(int64_t ms) {
    time_t at = (time_t)(ms / SECOND);
    struct tm local;
    assert_non_null(localtime_r(&at, &local));
    return (ms / SECOND + local.tm_gmtoff) / 60;
}

/* Every end of a day that a clock shows first, or jumps over. */
static size_t walk(int64_t from, int end, struct begun out[STARTS_MAX]) {
    size_t n = 0;
    int64_t before = wall_minute(from);
    for (int64_t at = from + MINUTE; at < from + (int64_t)YEAR_DAYS * MINUTES_A_DAY * MINUTE; at += MINUTE) {
        int64_t now = wall_minute(at), ended = (now - end) / MINUTES_A_DAY;
        if ((before - end) / MINUTES_A_DAY < ended) {
            int64_t day = end < NOON ? ended : ended + 1;
            if (n == 0 || out[n - 1].day < day) {
                assert_true(n < STARTS_MAX);
                out[n++] = (struct begun){at, day};
            }
        }
        before = now;
    }
    return n;
}

static void look_at_day(const struct query_context *context, const struct begun *begun, int64_t next) {
    char text[64];
    struct civil civil;
    struct query *query;
    struct error error = {0};
    struct query_clock clock = {.zone = context->zone};
    clock_civil(begun->day * MINUTES_A_DAY * MINUTE, &civil);
    (void)snprintf(text, sizeof text, "created:%04d-%02d-%02d", civil.year, civil.month, civil.day);
    assert_int_equal(query_parse(text, &(struct query_options){.console = true}, &query, NULL, &error), ERR_OK);
    struct query_plan *plan = query_plan_new(query, context);
    const struct query_range *range = &plan->root->test.ranges[0];
    if (range->low[QUERY_TIME_ZONED] != begun->at || range->high[QUERY_TIME_ZONED] != next - 1)
        fail_msg("%s is from %lld to %lld, not %lld to %lld", text, (long long)range->low[QUERY_TIME_ZONED],
                 (long long)range->high[QUERY_TIME_ZONED], (long long)begun->at, (long long)next - 1);
    for (int64_t at = begun->at; at < next; at += (int64_t)7 * MINUTE)
        assert_int_equal(query_clock_day(&clock, at, false), begun->day);
    assert_int_equal(query_clock_day(&clock, next - 1, false), begun->day);
    assert_int_equal(query_clock_day(&clock, begun->at, false), begun->day);
    query_plan_free(plan);
    query_free(query);
}

static void every_day_of_a_year_is_from_one_end_to_the_next(void **state) {
    const int64_t from = INT64_C(1766836800000); /* 2025-12-27 at noon UTC */
    static struct begun days[STARTS_MAX];
    (void)state;
    for (size_t z = 0; z < COUNT_OF(ZONES); z++) {
        clock_use_zone(ZONES[z]);
        assert_string_equal(clock_zone_name(CLOCK_LOCAL), ZONES[z]);
        for (size_t e = 0; e < COUNT_OF(ENDS); e++) {
            int ahead = ENDS[e] < NOON ? -ENDS[e] : MINUTES_A_DAY - ENDS[e];
            struct query_context context = {.zone = {clock_local_offset, ahead}, .last_visit = CLOCK_NONE};
            size_t n = walk(from, ENDS[e], days), odd = 0;
            assert_true(n >= YEAR_DAYS - 2);
            for (size_t i = 0; i + 1 < n; i++) {
                assert_int_equal(days[i + 1].day, days[i].day + 1);
                odd += days[i + 1].at - days[i].at != (int64_t)MINUTES_A_DAY * MINUTE;
                look_at_day(&context, &days[i], days[i + 1].at);
            }
            assert_true(odd >= 2);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_day_of_a_year_is_from_one_end_to_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
