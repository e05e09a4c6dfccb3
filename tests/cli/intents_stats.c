/* `intents stats`: counts, shares and sums over the cache, as table, JSON, CSV and picture. */
#include "base/mem.h"
#include "support/one_service.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INTENTS = 900, ARGS_MOST = 12 };

static int start(void **state) {
    (void)state;
    struct proc proc;
    if (!console_serve(&service, (const char *const[]){"--intents", "900", NULL}, "") ||
        console_run(&service, (const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, &proc))
        return -1;
    (void)proc_end(&proc);
    return 0;
}

static void expect(const char *const args[], int status, struct proc *proc) {
    int got = console_run(&service, args, proc);
    if (got != status)
        fail_msg("exit %d, not %d: %s", got, status, proc->err.s);
}

static json_t *stats_of(const char *const more[]) {
    const char *args[ARGS_MOST] = {"intents", "stats", "--format", "json"};
    struct proc proc;
    for (size_t i = 0; more[i]; i++)
        args[i + 4] = more[i];
    expect(args, 0, &proc);
    json_t *list = json_loads(proc.out.s, 0, NULL);
    assert_true(json_is_array(list));
    (void)proc_end(&proc);
    return list;
}

static long long number_of(const json_t *line, const char *name) {
    return json_integer_value(json_object_get(line, name));
}

/* Asked for as a list, an intent at a time. */
static void count_again(const char *filter, const json_t *line) {
    struct proc proc;
    expect((const char *const[]){"intents", "list", "--cached", "--all", "--format", "json", "--", filter, NULL}, 0,
           &proc);
    json_t *rows = json_loads(proc.out.s, 0, NULL), *row, *sum;
    size_t i, at;
    assert_int_equal(json_array_size(rows), number_of(line, "intents"));
    json_array_foreach(json_object_get(line, "sums"), i, sum) {
        long long total = 0, n = 0;
        const char *currency = json_string_value(json_object_get(sum, "currency"));
        json_array_foreach(rows, at, row) {
            const char *own = json_string_value(json_object_get(row, "currency"));
            if (!currency || !own || strcmp(currency, own) != 0)
                continue;
            n++;
            total += number_of(row, "amount");
        }
        assert_true(!currency || n == number_of(sum, "of") + number_of(sum, "without"));
        assert_true(!currency || total == number_of(sum, "sum"));
    }
    json_decref(rows);
    (void)proc_end(&proc);
}

static void a_line_has_the_intents_that_its_filter_lists(void **state) {
    static const char *const FIELDS[] = {"status", "rail", "currency", "weekday", "hour"};
    (void)state;
    for (size_t f = 0; f < COUNT_OF(FIELDS); f++) {
        json_t *lines = stats_of((const char *const[]){"--by", FIELDS[f], NULL});
        assert_true(json_array_size(lines) > 1);
        for (size_t i = 0; i < 3 && i < json_array_size(lines); i++) {
            const json_t *line = json_array_get(lines, i);
            const char *value = json_string_value(json_object_get(line, "value"));
            char filter[256];
            if (value)
                snprintf(filter, sizeof filter, "%s=\"%s\"", FIELDS[f], value);
            else
                snprintf(filter, sizeof filter, "-has:%s", FIELDS[f]);
            count_again(filter, line);
        }
        json_decref(lines);
    }
}

static void a_day_has_the_intents_created_on_it(void **state) {
    (void)state;
    json_t *lines = stats_of((const char *const[]){"--over", "day", "--by", "status", "rail:card", NULL});
    assert_true(json_array_size(lines) > 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *line = json_array_get(lines, i);
        char filter[256];
        snprintf(filter, sizeof filter, "rail:card created:%s status=%s",
                 json_string_value(json_object_get(line, "day")), json_string_value(json_object_get(line, "value")));
        count_again(filter, line);
    }
    json_decref(lines);
}

static void f78_shares_add_up_to_a_hundred_and_counts_to_all(void **state) {
    static const char *const ASKED[][5] = {
        {"--by", "status"}, {"--by", "bank"},   {"--by", "amount"},          {"--by", "user"},
        {"--over", "week"}, {"--over", "hour"}, {"--by", "hour", "amount>0"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ASKED); i++) {
        json_t *lines = stats_of(ASKED[i]), *line;
        long long percent = 0, intents = 0;
        size_t at;
        json_array_foreach(lines, at, line) {
            percent += number_of(line, "percent");
            intents += number_of(line, "intents");
        }
        assert_int_equal(percent, 100);
        assert_true(i + 1 == COUNT_OF(ASKED) || intents == INTENTS);
        json_decref(lines);
    }
}

/* Of each day by itself, where a field is counted too. */
static void shares_of_a_day_add_up(void **state) {
    (void)state;
    json_t *lines = stats_of((const char *const[]){"--over", "week", "--by", "status", NULL}), *line;
    const char *before = NULL;
    long long percent = 100;
    size_t at;
    json_array_foreach(lines, at, line) {
        const char *week = json_string_value(json_object_get(line, "week"));
        assert_true(percent == 100 || (before && strcmp(week, before) == 0));
        percent = percent == 100 ? 0 : percent;
        percent += number_of(line, "percent");
        before = week;
    }
    assert_int_equal(percent, 100);
    json_decref(lines);
}

static void csv_has_a_column_for_each_currency(void **state) {
    struct proc proc;
    (void)state;
    expect((const char *const[]){"intents", "stats", "--over", "day", "--by", "status", "--format", "csv", NULL}, 0,
           &proc);
    assert_true(strncmp(proc.out.s, "day,status,intents,percent,sum ", 31) == 0);
    assert_non_null(strstr(proc.out.s, ",sum EUR"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "stats", "--by", "status", "--format", "csv", "id=none", NULL}, 0, &proc);
    assert_string_equal(proc.out.s, "status,intents,percent\r\n");
    assert_non_null(strstr(proc.err.s, "0 matches in 900 cached intents; that is all of them"));
    (void)proc_end(&proc);
}

static void what_a_limit_leaves_out_is_said(void **state) {
    struct proc proc;
    (void)state;
    expect((const char *const[]){"intents", "stats", "--by", "user", "--limit", "2", NULL}, 0, &proc);
    assert_non_null(strstr(proc.err.s, "values more, together 9"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "stats", "--over", "week", "--by", "status", "--limit", "2", NULL}, 0,
           &proc);
    assert_non_null(strstr(proc.err.s, "values more are left out; shares are of all intents of that week"));
    (void)proc_end(&proc);
}

static void a_chart_has_a_bar_for_each_line(void **state) {
    struct proc proc;
    (void)state;
    expect((const char *const[]){"intents", "stats", "--by", "status", "--chart", NULL}, 0, &proc);
    assert_non_null(strstr(proc.out.s, "approved"));
    assert_non_null(strstr(proc.out.s, "\u2588\u2588\u2588"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "stats", "--over", "day", "--by", "status", "--chart", NULL}, 0, &proc);
    assert_non_null(strstr(proc.out.s, "A approved, "));
    assert_non_null(strstr(proc.out.s, "AA"));
    (void)proc_end(&proc);
}

/* ---- Observed changes ---- */

static json_t *listed(void) {
    struct proc proc;
    expect((const char *const[]){"intents", "list", "--all", "--format", "json", NULL}, 0, &proc);
    json_t *rows = json_loads(proc.out.s, 0, NULL);
    (void)proc_end(&proc);
    return rows;
}

static const char *status_of(const json_t *rows, const char *id) {
    const json_t *row;
    size_t i;
    json_array_foreach(rows, i, row) if (strcmp(json_string_value(json_object_get(row, "id")), id) ==
                                         0) return json_string_value(json_object_get(row, "status"));
    return NULL;
}

/* How many intents had the one status before and the other after, by the two lists themselves; all: any other than
 * before. */
static long long changed_between(const json_t *before, const json_t *after, const char *name, bool all) {
    const json_t *row;
    size_t i;
    long long n = 0;
    json_array_foreach(after, i, row) {
        const char *now = json_string_value(json_object_get(row, "status"));
        const char *old = status_of(before, json_string_value(json_object_get(row, "id")));
        char pair[64];
        (void)snprintf(pair, sizeof pair, "%s-%s", old ? old : "", now);
        n += old && strcmp(old, now) != 0 && (all || strcmp(pair, name) == 0);
    }
    return n;
}

static void observed_changes_of_status_are_counted(void **state) {
    struct http_reply reply;
    (void)state;
    json_t *before = listed();
    if (!service_control(&service, "POST", "/control/tick?count=400", NULL, &reply) || reply.status >= 300)
        fail_msg("the service does not tick: %d", reply.status);
    http_reply_clear(&reply);
    json_t *after = listed(), *lines = stats_of((const char *const[]){"--by", "transition", NULL}), *line;
    size_t i;
    long long told = 0;
    json_array_foreach(lines, i, line) {
        const char *value = json_string_value(json_object_get(line, "value"));
        char filter[64];
        (void)snprintf(filter, sizeof filter, value ? "transition=%s" : "-transition:*-*", value);
        count_again(filter, line);
        assert_true(!value || number_of(line, "intents") == changed_between(before, after, value, false));
        told += value ? number_of(line, "intents") : 0;
    }
    assert_true(told > 0);
    assert_int_equal(told, changed_between(before, after, NULL, true));
    json_decref(lines);
    json_decref(before);
    json_decref(after);
}

static void what_cannot_be_asked_is_refused_with_a_way_out(void **state) {
    static const struct {
        const char *args[8], *says;
    } CASES[] = {
        {{"intents", "stats"}, "--by FIELD is needed"},
        {{"intents", "stats", "--over", "month"}, "hour"},
        {{"intents", "stats", "--by", "created"}, "cannot be counted"},
        {{"intents", "stats", "--by", "status", "--chart", "--format", "csv"}, "--chart draws"},
        {{"intents", "stats", "--over", "day", "--by", "tx.status"}, "several tx.status"},
        {{"intents", "stats", "--by", "status,finding"}, "several finding"},
        {{"intents", "stats", "--by", "status,bnak"}, "did you mean bank?"},
        {{"intents", "stats", "--by", "status,bank,rail"}, "two fields at most"},
        {{"intents", "stats", "--by", "status,status"}, "there twice"},
        {{"intents", "stats", "--rate", "pending"}, "--rate-of all takes it in"},
        {{"intents", "stats", "--rate", "canceled"}, "--rate-of final takes it in"},
        {{"intents", "stats", "--by", "age", "--fresh", "--cached"}, "--cached does not"},
        {{"intents", "stats", "--by", "bank", "--rate-of", "all"}, "--rate-of goes with --rate"},
        {{"intents", "stats", "--by", "bank", "--compare", "7"}, "as in -7d"},
        {{"intents", "stats", "--by", "bank", "--compare", "-7d"}, "needs a period"},
        {{"intents", "stats", "--over", "week", "--compare", "-1d"}, "whole weeks"},
        {{"intents", "stats", "--over", "hour", "--compare", "-7d"}, "--over day or week"},
        {{"intents", "stats", "--by", "bank,status", "--chart"}, "no rates or differences"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct proc proc;
        expect(CASES[i].args, 2, &proc);
        if (!strstr(proc.err.s, CASES[i].says))
            fail_msg("%s: not %s", proc.err.s, CASES[i].says);
        (void)proc_end(&proc);
    }
}

/* The two are on one day, so that their sum is one. */
static void sums_beyond_64_bits_are_refused_aloud(void **state) {
    struct http_reply reply;
    struct proc proc;
    (void)state;
    for (int i = 0; i < 2; i++) {
        char body[256];
        (void)snprintf(body, sizeof body,
                       "{\"id\":\"huge-%d\",\"amount\":9000000000000000000,\"currency\":\"EUR\",\"status\":"
                       "\"approved\",\"created_at\":\"2026-11-20T10:00:00Z\",\"rail\":\"huge\"}",
                       i);
        assert_true(service_control(&service, "POST", "/control/intents?raw=1", body, &reply) && reply.status < 300);
        http_reply_clear(&reply);
    }
    expect((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, 0, &proc);
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "stats", "rail:huge", "--by", "status", "--format", "json", NULL}, 8,
           &proc);
    assert_non_null(strstr(proc.out.s, "\"of\":2,\"without\":0,\"sum\":null"));
    assert_non_null(strstr(proc.err.s, "1 sum beyond 64 bits is not given"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "stats", "rail:huge", "--sum", "amount", NULL}, 8, &proc);
    assert_non_null(strstr(proc.out.s, "EUR sum beyond 64 bits"));
    (void)proc_end(&proc);
}

/* ---- Asked again ---- */

static size_t first_count(const struct proc *proc) {
    size_t n;
    const char *line = strchr(proc->out.s, '\n');
    assert_true(line && sscanf(line, "%zu", &n) == 1);
    return n;
}

static size_t lines_of(const char *text) {
    size_t n = 0;
    for (; (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

static void open_intents_are_asked_again_before_they_are_counted(void **state) {
    static const char *const CACHED[] = {"intents", "stats", "status:pending", "--by", "age", NULL};
    static const char *const FRESH[] = {"intents", "stats", "status:pending", "--by", "age", "--fresh", NULL};
    struct http_reply reply;
    struct proc proc;
    (void)state;
    expect((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, 0, &proc);
    (void)proc_end(&proc);
    if (!service_control(&service, "POST", "/control/tick?count=500", NULL, &reply) || reply.status >= 300)
        fail_msg("the service does not tick: %d", reply.status);
    http_reply_clear(&reply);
    expect(CACHED, 0, &proc);
    size_t before = first_count(&proc);
    assert_null(strstr(proc.err.s, "asked again"));
    (void)proc_end(&proc);
    expect(FRESH, 0, &proc);
    size_t after = first_count(&proc);
    assert_non_null(strstr(proc.out.s, "90d and more"));
    assert_non_null(strstr(proc.err.s, " pending asked again at "));
    assert_non_null(strstr(proc.err.s, "that is all of them"));
    (void)proc_end(&proc);
    assert_true(after != before);
    expect((const char *const[]){"intents", "list", "status:pending", "--all", "--format", "ndjson", NULL}, 0, &proc);
    assert_int_equal(lines_of(proc.out.s), after);
    (void)proc_end(&proc);
}

/* ---- Rates, and earlier periods ---- */

static void a_rate_says_what_it_is_of(void **state) {
    static const struct {
        const char *args[10], *says;
    } CASES[] = {
        {{"intents", "stats", "--rate", "approved"}, "approved of those approved or declined"},
        {{"intents", "stats", "--rate", "approved", "--rate-of", "final"}, "neither created nor pending"},
        {{"intents", "stats", "--rate", "pending", "--rate-of", "all"}, "pending of all, created and pending among"},
        {{"intents", "stats", "--rate", "approved", "id=none"}, "approved of those"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct proc proc;
        expect(CASES[i].args, 0, &proc);
        if (!strstr(proc.err.s, CASES[i].says))
            fail_msg("%s: not %s", proc.err.s, CASES[i].says);
        (void)proc_end(&proc);
    }
}

static void numerator_and_denominator_stand_with_every_rate(void **state) {
    struct proc proc;
    size_t hits, of, whole, tenth;
    (void)state;
    expect((const char *const[]){"intents", "stats", "--rate", "approved", NULL}, 0, &proc);
    const char *line = strchr(proc.out.s, '\n');
    assert_non_null(line);
    assert_int_equal(sscanf(line, " %*u %*u%% %zu/%zu %zu.%zu%%", &hits, &of, &whole, &tenth), 4);
    assert_int_equal(10 * whole + tenth, (2000 * hits + of) / (2 * of));
    (void)proc_end(&proc);
}

static void few_are_marked_and_it_is_said_why(void **state) {
    struct proc proc;
    (void)state;
    expect((const char *const[]){"intents", "stats", "--by", "user", "--rate", "approved", NULL}, 0, &proc);
    assert_non_null(strstr(proc.out.s, "% *"));
    assert_non_null(strstr(proc.err.s, "* rests on fewer than 30 intents"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "stats", "--rate", "approved", NULL}, 0, &proc);
    assert_null(strstr(proc.out.s, " *"));
    (void)proc_end(&proc);
}

static void it_is_said_with_what_is_compared(void **state) {
    struct proc proc;
    (void)state;
    expect((const char *const[]){"intents", "stats", "created:2026-05", "--by", "status", "--compare", "-30d", NULL}, 0,
           &proc);
    assert_non_null(strstr(proc.err.s, "30 days earlier, up to "));
    assert_non_null(strstr(proc.err.s, "with their status of now"));
    assert_non_null(strstr(proc.out.s, "difference  status"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "stats", "created:2026-05", "--by", "status,rail", "--rate", "approved",
                                 "--compare", "-30d", "--format", "csv", NULL},
           0, &proc);
    assert_true(strncmp(proc.out.s,
                        "status,rail,intents,percent,approved,approved of,approved percent,earlier,difference,"
                        "approved earlier,approved of earlier,approved percent earlier,points,few,sum ",
                        150) == 0);
    (void)proc_end(&proc);
}

/* Else one text of the service could make all of it longer than can be printed. */
static void a_long_value_makes_no_other_line_long(void **state) {
    enum { LONG = 5000, LINE_MOST = 400 };
    struct http_reply reply;
    struct proc proc;
    struct str body;
    (void)state;
    str_init(&body, 2 * LONG);
    str_add(&body, "{\"id\":\"long\",\"amount\":1,\"currency\":\"EUR\",\"created_at\":\"2026-11-20T10:00:00Z\","
                   "\"payment_credential\":{\"id\":\"c\",\"bank_name\":\"");
    str_add_repeat(&body, 'x', LONG);
    str_add(&body, "\"}}");
    assert_true(service_control(&service, "POST", "/control/intents?raw=1", body.s, &reply) && reply.status < 300);
    http_reply_clear(&reply);
    expect((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, 0, &proc);
    (void)proc_end(&proc);
    for (int chart = 0; chart < 2; chart++) {
        size_t beyond = 0;
        expect((const char *const[]){"intents", "stats", "--by", "bank", "--limit", "2000", chart ? "--chart" : NULL,
                                     NULL},
               0, &proc);
        for (const char *line = proc.out.s; *line; line += strcspn(line, "\n") + 1)
            beyond += strcspn(line, "\n") > LINE_MOST;
        assert_int_equal(beyond, 1);
        (void)proc_end(&proc);
    }
    str_clear(&body);
}

/* It is not young: the clock here, or the one over there, is wrong. */
static void f41_what_is_ahead_of_the_clock_is_counted_apart(void **state) {
    static const char AHEAD[] = "{\"id\":\"int-ahead\",\"created_at\":\"2036-05-01T10:00:00.000Z\",\"amount\":5,"
                                "\"currency\":\"EUR\",\"status\":\"pending\"}";
    struct http_reply reply;
    struct proc proc;
    (void)state;
    assert_true(service_control(&service, "POST", "/control/intents?raw=1", AHEAD, &reply) && reply.status < 300);
    http_reply_clear(&reply);
    expect((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, 0, &proc);
    (void)proc_end(&proc);
    json_t *lines = stats_of((const char *const[]){"--by", "age", NULL});
    assert_string_equal(json_string_value(json_object_get(json_array_get(lines, 0), "value")), "ahead of the clock");
    count_again("age<0m", json_array_get(lines, 0));
    count_again("age>=90d", json_array_get(lines, json_array_size(lines) - 1));
    json_decref(lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_the_intents_that_its_filter_lists),
        cmocka_unit_test(a_day_has_the_intents_created_on_it),
        cmocka_unit_test(f78_shares_add_up_to_a_hundred_and_counts_to_all),
        cmocka_unit_test(shares_of_a_day_add_up),
        cmocka_unit_test(csv_has_a_column_for_each_currency),
        cmocka_unit_test(what_a_limit_leaves_out_is_said),
        cmocka_unit_test(a_chart_has_a_bar_for_each_line),
        cmocka_unit_test(observed_changes_of_status_are_counted),
        cmocka_unit_test(what_cannot_be_asked_is_refused_with_a_way_out),
        cmocka_unit_test(open_intents_are_asked_again_before_they_are_counted),
        cmocka_unit_test(a_rate_says_what_it_is_of),
        cmocka_unit_test(numerator_and_denominator_stand_with_every_rate),
        cmocka_unit_test(few_are_marked_and_it_is_said_why),
        cmocka_unit_test(it_is_said_with_what_is_compared),
        cmocka_unit_test(f41_what_is_ahead_of_the_clock_is_counted_apart),
        cmocka_unit_test(a_long_value_makes_no_other_line_long),
        cmocka_unit_test(sums_beyond_64_bits_are_refused_aloud), /* the last: its rows stay */
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
