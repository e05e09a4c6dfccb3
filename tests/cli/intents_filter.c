/* FILTER on the command line: the service's part goes to the service, the rest is looked for here; over the cache the
 * same filter finds the same intents. */
#include "base/mem.h"
#include "support/one_service.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int run(const char *const args[], struct proc *proc) {
    return console_run(&service, args, proc);
}

static int start(void **state) {
    (void)state;
    struct proc proc;
    if (!console_serve(&service, (const char *const[]){"--intents", "1500", NULL}, "") ||
        run((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, &proc) != 0)
        return -1;
    (void)proc_end(&proc);
    return 0;
}

static size_t lines_of(const char *text) {
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void expect(const char *const args[], int status, struct proc *proc) {
    int got = run(args, proc);
    if (got != status)
        fail_msg("exit %d, not %d: %s", got, status, proc->err.s);
}

static void the_cache_and_the_service_give_the_same_rows(void **state) {
    (void)state;
    static const char *const FILTERS[] = {"status:declined amount>=5000", "rail:card -status:approved", "has:refund",
                                          "(currency:USD | currency:EUR) created>=2026-01-01"};
    for (size_t i = 0; i < COUNT_OF(FILTERS); i++) {
        struct proc walked, cached;
        expect((const char *const[]){"intents", "list", FILTERS[i], "--all", "--format", "ndjson", NULL}, 0, &walked);
        expect((const char *const[]){"intents", "list", FILTERS[i], "--all", "--cached", "--format", "ndjson", NULL}, 0,
               &cached);
        assert_true(lines_of(walked.out.s) > 0);
        assert_string_equal(walked.out.s, cached.out.s);
        (void)proc_end(&walked);
        (void)proc_end(&cached);
    }
}

static void it_says_how_many_were_looked_at(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"intents", "list", "has:dispute", NULL}, 0, &proc);
    assert_non_null(strstr(proc.err.s, "looked at; more on the server"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", "has:dispute", "--cached", NULL}, 0, &proc);
    assert_non_null(strstr(proc.err.s, "in 1,500 cached intents; that is all of them"));
    (void)proc_end(&proc);
}

/* Intents of one moment stand in the cache in another order than in the list. */
static void assert_same_lines(char *a, const char *b) {
    assert_true(lines_of(a) > 0);
    assert_int_equal(lines_of(a), lines_of(b));
    for (char *line; (line = strsep(&a, "\n")) && *line;)
        assert_non_null(strstr(b, line));
}

/* The service does not say from which status an intent came: what this console observed is in the cache. */
static void a_walk_knows_what_was_observed_before(void **state) {
    static const char *const FILTERS[] = {"transition=*-approved", "-transition:*-* status:approved",
                                          "transition=pending-* amount>100"};
    struct http_reply reply;
    struct proc walked, cached;
    (void)state;
    assert_true(service_control(&service, "POST", "/control/tick?count=300", NULL, &reply) && reply.status < 300);
    http_reply_clear(&reply);
    for (size_t i = 0; i < COUNT_OF(FILTERS); i++) {
        expect((const char *const[]){"intents", "list", "--all", "--format", "ndjson", "--", FILTERS[i], NULL}, 0,
               &walked);
        expect(
            (const char *const[]){"intents", "list", "--all", "--cached", "--format", "ndjson", "--", FILTERS[i], NULL},
            0, &cached);
        assert_same_lines(walked.out.s, cached.out.s);
        (void)proc_end(&walked);
        (void)proc_end(&cached);
    }
    expect((const char *const[]){"intents", "list", "--limit", "3", "--format", "ndjson", "--", FILTERS[0], NULL}, 0,
           &walked);
    assert_int_equal(lines_of(walked.out.s), 3);
    (void)proc_end(&walked);
    expect((const char *const[]){"intents", "list", "--all", "--sort", "amount", "--format", "ndjson", "--", FILTERS[0],
                                 NULL},
           0, &walked);
    expect((const char *const[]){"intents", "list", "--all", "--cached", "--sort", "amount", "--format", "ndjson", "--",
                                 FILTERS[0], NULL},
           0, &cached);
    assert_string_equal(walked.out.s, cached.out.s);
    (void)proc_end(&walked);
    (void)proc_end(&cached);
}

/* The cache keeps none of these but the last. */
static void of_rows_without_an_id_nothing_was_observed(void **state) {
    static const char BODY[] = "{\"data\":[{\"id\":\"\",\"amount\":6},{\"amount\":7},{\"id\":null,\"amount\":8},{"
                               "\"id\":\"pay_9\",\"amount\":9}],"
                               "\"next_cursor\":null}";
    char path[512], rule[1024];
    struct proc proc;
    (void)state;
    (void)snprintf(path, sizeof path, "%s/body.json", service.folder);
    (void)snprintf(rule, sizeof rule, "path=/intent/list status=200 body_file=%s", path);
    assert_true(proc_write_file(path, BODY));
    service_rule(&service, rule);
    expect((const char *const[]){"intents", "list", "--all", "--format", "ndjson", "--",
                                 "amount:6..9 | transition=*-approved", NULL},
           0, &proc);
    service_rule(&service, NULL);
    assert_int_equal(lines_of(proc.out.s), 4);
    (void)proc_end(&proc);
}

static void a_filter_may_begin_with_what_it_excludes(void **state) {
    (void)state;
    struct proc one, two;
    expect(
        (const char *const[]){"intents", "list", "-status:declined", "--cached", "--all", "--format", "ndjson", NULL},
        0, &one);
    expect((const char *const[]){"intents", "list", "--cached", "--all", "--format", "ndjson", "--", "-status:declined",
                                 NULL},
           0, &two);
    assert_true(lines_of(one.out.s) > 0);
    assert_null(strstr(one.out.s, "\"declined\""));
    assert_string_equal(one.out.s, two.out.s);
    (void)proc_end(&one);
    (void)proc_end(&two);
}

/* Newest first, and no further than the limit needs: what was not looked at is not counted. */
static void a_cached_filter_stops_at_its_limit(void **state) {
    (void)state;
    struct proc proc;
    unsigned long rows_scanned = 0;
    expect(
        (const char *const[]){"intents", "list", "amount>=0", "--cached", "--limit", "3", "--format", "ndjson", NULL},
        0, &proc);
    const char *said = strstr(proc.err.s, "3 matches in the newest ");
    assert_non_null(said);
    rows_scanned = strtoul(said + strlen("3 matches in the newest "), NULL, 10);
    assert_in_range(rows_scanned, 3, 20);
    assert_non_null(strstr(proc.err.s, "--limit N or --all for more"));
    (void)proc_end(&proc);
}

static void a_limit_counts_matches(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"intents", "list", "status:canceled amount>0", "--limit", "7", "--format", "ndjson",
                                 NULL},
           0, &proc);
    assert_int_equal(lines_of(proc.out.s), 7);
    (void)proc_end(&proc);
}

static void a_fault_names_its_place_and_near_names(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"intents", "list", "status:declined ban:nord", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "at 17: no field is called \"ban\" (bank"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", "is:marked", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "console only"));
    (void)proc_end(&proc);
}

/* From the service's rows and from the cache alike. text: what is said of a filter that finds nothing, or is not; said
 * once, and nothing else. */
static void assert_hint(const char *filter, const char *text, bool is_said) {
    static const char *const MORE[] = {"--all", "--cached"};
    for (size_t i = 0; i < COUNT_OF(MORE); i++) {
        struct proc proc;
        expect((const char *const[]){"intents", "list", MORE[i], "--", filter, NULL}, 0, &proc);
        if (lines_of(proc.out.s) > 1 || (strstr(proc.err.s, text) != NULL) != is_said)
            fail_msg("%s %s: %s%s", filter, MORE[i], proc.out.s, proc.err.s);
        (void)proc_end(&proc);
    }
}

static void a_near_reading_is_hinted_at_where_the_whole_filter_finds_some_by_it(void **state) {
    (void)state;
    assert_hint("currency:US status:declined", "as written it finds nothing; currency:US* would find some", true);
    assert_hint("amount>=0 currency:US rail:car", "would find some", false);
    assert_hint("currency:USD rail:sepa", "would find some", false);
    assert_hint("bank:\"Saltmarsh B\u2026\"", "bank:\"Saltmarsh B\"* would find some", true);
    assert_hint("rail:\"ca\u2026\" currency:USD", "rail:ca* would find some", true);
    assert_hint("currency:USD rail:car", "rail:car* would find some", true);
}

static void an_operator_of_another_language_is_told_how_it_is_written(void **state) {
    (void)state;
    assert_hint("status:declined or status:pending",
                "\"or\" is looked for as a word: write status:declined | status:pending", true);
    assert_hint("\"or\" zzzzzz", "as a word", false);
}

static void a_slip_in_a_known_word_is_hinted_at_where_nothing_matched(void **state) {
    (void)state;
    static const char *const MORE[] = {"--all", "--cached"};
    for (size_t i = 0; i < COUNT_OF(MORE); i++) {
        struct proc proc;
        expect((const char *const[]){"intents", "list", "status:declned", MORE[i], NULL}, 0, &proc);
        assert_non_null(strstr(proc.err.s, "no status \"declned\" among 1,500 (declined?)"));
        (void)proc_end(&proc);
        expect((const char *const[]){"intents", "list", "status:zzzzzzz", MORE[i], NULL}, 0, &proc);
        assert_null(strstr(proc.err.s, "no status"));
        (void)proc_end(&proc);
    }
}

/* Both find the same rows, and some. */
static void assert_same_rows(const char *written, const char *meant) {
    struct proc a, b;
    expect((const char *const[]){"intents", "list", written, "--all", "--cached", "--format", "ndjson", NULL}, 0, &a);
    expect((const char *const[]){"intents", "list", meant, "--all", "--cached", "--format", "ndjson", NULL}, 0, &b);
    if (*a.out.s == '\0' || strcmp(a.out.s, b.out.s) != 0)
        fail_msg("%s: not what %s finds", written, meant);
    (void)proc_end(&a);
    (void)proc_end(&b);
}

static void directions_are_typed_as_the_list_shows_them(void **state) {
    (void)state;
    assert_same_rows("dir:in", "direction:cash_in");
    assert_same_rows("direction!=out", "direction!=cash_out");
}

static void f46_stars_and_single_quotes_find_what_is_meant(void **state) {
    (void)state;
    assert_same_rows("status:\xE2\x80\x98"
                     "declined\xE2\x80\x99",
                     "status:declined");
    assert_same_rows("status:*ined", "status:declined");
    assert_same_rows("status:decl\xE2\x80\xA6", "status:declined");
    assert_same_rows("currency:*S* amount>0", "currency:*s* amount>0");
    struct proc proc;
    expect((const char *const[]){"intents", "list", "status:app*roved", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "write app* or *roved"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", "decli*", "--all", "--cached", NULL}, 0, &proc);
    assert_non_null(strstr(proc.err.s, "as written it finds nothing; decli would find some"));
    (void)proc_end(&proc);
}

static void control(const char *method, const char *target, const char *body) {
    struct http_reply reply;
    assert_true(service_control(&service, method, target, body, &reply));
    http_reply_clear(&reply);
}

static void same_both_ways(const char *filter) {
    struct proc walked, cached;
    expect((const char *const[]){"intents", "list", filter, "--all", "--format", "ndjson", NULL}, 0, &walked);
    expect((const char *const[]){"intents", "list", filter, "--all", "--cached", "--format", "ndjson", NULL}, 0,
           &cached);
    assert_string_equal(walked.out.s, cached.out.s);
    (void)proc_end(&walked);
    (void)proc_end(&cached);
}

/* Found by the differential test: a service that compares words another way than the language, and one that does not
 * compare at all. */
static void f81_a_row_the_service_has_not_under_the_filter_is_no_hit_of_the_cache(void **state) {
    (void)state;
    struct proc proc;
    control("POST", "/control/intents", "{\"id\":\"loud\",\"status\":\"Declined\",\"type\":\"PRIMARY\"}");
    expect((const char *const[]){"intents", "list", "--all", NULL}, 0, &proc);
    (void)proc_end(&proc);
    same_both_ways("type:primary");
    same_both_ways("status:declined amount>=0");
    control("POST", "/control/rules", "path=/intent/list ignore_filter=1");
    same_both_ways("status:declined");
    expect((const char *const[]){"intents", "list", "type:primary", "--all", "--format", "ndjson", NULL}, 0, &proc);
    assert_non_null(strstr(proc.out.s, "\"loud\""));
    (void)proc_end(&proc);
}

static void options_and_filter_hold_together(void **state) {
    (void)state;
    struct proc options, filter;
    expect((const char *const[]){"intents", "list", "status:declined,approved", "--status", "declined", "--all",
                                 "--format", "ndjson", NULL},
           0, &options);
    expect((const char *const[]){"intents", "list", "status:declined", "--all", "--format", "ndjson", NULL}, 0,
           &filter);
    assert_string_equal(options.out.s, filter.out.s);
    (void)proc_end(&options);
    (void)proc_end(&filter);
}

static long long amount_of(const char *line) {
    const char *at = strstr(line, "\"amount\":");
    return at ? strtoll(at + strlen("\"amount\":"), NULL, 10) : 0;
}

static void sorted_rows_descend(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"intents", "list", "amount>=0 currency:USD", "--cached", "--sort=-amount", "--limit",
                                 "50", "--format", "ndjson", NULL},
           0, &proc);
    long long last = LLONG_MAX;
    size_t n = 0;
    for (const char *line = proc.out.s; *line; line = strchr(line, '\n') + 1) {
        assert_true(amount_of(line) <= last);
        last = amount_of(line);
        n++;
    }
    assert_int_equal(n, 50);
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", "--sort", "amount", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "--all reads the service's to its end first, --cached sorts"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", "--all", "--sort", "tx.amount", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "rows cannot be sorted by tx.amount"));
    (void)proc_end(&proc);
}

static void a_walk_is_sorted_as_the_cache_is(void **state) {
    (void)state;
    static const char *const SORTS[] = {"--sort=-amount", "--sort=status,-amount", "--sort=bank", "--sort=created"};
    for (size_t i = 0; i < COUNT_OF(SORTS); i++) {
        struct proc walked, cached;
        expect((const char *const[]){"intents", "list", "status:declined amount>=0", "--all", SORTS[i], "--format",
                                     "ndjson", NULL},
               0, &walked);
        expect((const char *const[]){"intents", "list", "status:declined amount>=0", "--all", "--cached", SORTS[i],
                                     "--format", "ndjson", NULL},
               0, &cached);
        assert_true(lines_of(walked.out.s) > 10);
        assert_string_equal(walked.out.s, cached.out.s);
        assert_non_null(strstr(walked.err.s, "; end of the list"));
        (void)proc_end(&walked);
        (void)proc_end(&cached);
    }
}

/* By walk and by cache, for each column of amounts; a currency alone, or first, has nothing to be told. */
static void f33_a_sort_across_currencies_is_said(void **state) {
    (void)state;
    static const struct {
        const char *filter, *sort;
        bool said;
    } CASES[] = {
        {"amount>=1", "amount", true},     {"amount>=1", "-guarantee", true},        {"amount>=1", "rail,amount", true},
        {"currency:EUR", "amount", false}, {"amount>=1", "currency,-amount", false}, {"amount>=1", "created", false}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        for (int cached = 0; cached < 2; cached++) {
            struct proc proc;
            expect((const char *const[]){"intents", "list", CASES[i].filter, "--all", "--sort", CASES[i].sort,
                                         cached ? "--cached" : NULL, NULL},
                   0, &proc);
            const char *said = strstr(proc.err.s, "sorted by raw integer over ");
            assert_int_equal(said != NULL, CASES[i].said);
            assert_true(!said || atoi(said + strlen("sorted by raw integer over ")) > 1);
            assert_null(strstr(proc.out.s, "raw integer"));
            (void)proc_end(&proc);
        }
    }
}

static void every_row_of_a_sorted_walk_is_printed_once(void **state) {
    (void)state;
    struct proc plain, sorted;
    expect((const char *const[]){"intents", "list", "--all", "--format", "csv", "--columns", "id", NULL}, 0, &plain);
    expect(
        (const char *const[]){"intents", "list", "--all", "--sort=created", "--format", "csv", "--columns", "id", NULL},
        0, &sorted);
    assert_int_equal(lines_of(sorted.out.s), 1501);
    for (const char *line = plain.out.s; *line; line = strchr(line, '\n') + 1) {
        char text[128];
        (void)snprintf(text, sizeof text, "%.*s", (int)(strchr(line, '\n') + 1 - line), line);
        if (!strstr(sorted.out.s, text))
            fail_msg("not printed: %s", text);
    }
    (void)proc_end(&plain);
    (void)proc_end(&sorted);
}

static void stats_count_every_intent_once(void **state) {
    (void)state;
    struct proc proc;
    long sum = 0;
    expect((const char *const[]){"intents", "stats", "--by", "status", "--format", "csv", NULL}, 0, &proc);
    for (const char *at = strchr(proc.out.s, '\n'); at && at[1]; at = strchr(at + 1, '\n'))
        sum += strtol(strchr(at + 1, ',') + 1, NULL, 10);
    assert_int_equal(sum, 1500);
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "stats", "--by", "statu", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "did you mean status?"));
    (void)proc_end(&proc);
}

static void one_intent_is_shown_by_its_id(void **state) {
    (void)state;
    struct proc list, proc;
    expect((const char *const[]){"intents", "list", "--cached", "--limit", "1", "--format", "ndjson", NULL}, 0, &list);
    char id[64];
    assert_int_equal(sscanf(strstr(list.out.s, "\"id\":\"") + 6, "%63[^\"]", id), 1);
    expect((const char *const[]){"intents", "show", id, "--format", "ndjson", NULL}, 0, &proc);
    assert_string_equal(proc.out.s, list.out.s);
    (void)proc_end(&proc);
    (void)proc_end(&list);
    expect((const char *const[]){"intents", "show", "none", NULL}, 8, &proc);
    assert_non_null(strstr(proc.err.s, "among the 1,500 that are cached"));
    (void)proc_end(&proc);
}

static void newest_id(char id[64]) {
    struct proc list;
    expect((const char *const[]){"intents", "list", "--cached", "--limit", "1", "--format", "ndjson", NULL}, 0, &list);
    assert_int_equal(sscanf(strstr(list.out.s, "\"id\":\"") + 6, "%63[^\"]", id), 1);
    (void)proc_end(&list);
}

static void one_intent_is_shown_by_the_beginning_of_its_id(void **state) {
    (void)state;
    char id[64], begun[64];
    struct proc whole, proc;
    newest_id(id);
    (void)snprintf(begun, sizeof begun, "%.*s", (int)strlen(id) - 3, id);
    expect((const char *const[]){"intents", "show", id, NULL}, 0, &whole);
    assert_string_equal(whole.err.s, "");
    expect((const char *const[]){"intents", "show", begun, "--cached", NULL}, 0, &proc);
    assert_string_equal(proc.out.s, whole.out.s);
    assert_non_null(strstr(proc.err.s, id));
    (void)proc_end(&proc);
    (void)proc_end(&whole);
}

/* Ten are named at most. */
static void a_beginning_that_several_ids_have_shows_none(void **state) {
    (void)state;
    char id[64], begun[8], filter[16], line[128], count[64];
    newest_id(id);
    for (int len = 1; len <= 2; len++) {
        struct proc list, proc;
        (void)snprintf(begun, sizeof begun, "%.*s", len, id);
        (void)snprintf(filter, sizeof filter, "id:%s", begun);
        (void)snprintf(line, sizeof line, "\n  %s  2026-", id);
        expect((const char *const[]){"intents", "list", filter, "--cached", "--all", "--format", "ndjson", NULL}, 0,
               &list);
        size_t n = lines_of(list.out.s), named = n < 10 ? n : 10;
        assert_true(n > 1);
        (void)snprintf(count, sizeof count, "%s%zu cached intents", n > 10 ? "more than " : ": ", named);
        expect((const char *const[]){"intents", "show", begun, NULL}, 2, &proc);
        assert_string_equal(proc.out.s, "");
        assert_non_null(strstr(proc.err.s, line));
        assert_non_null(strstr(proc.err.s, count));
        assert_int_equal(lines_of(proc.err.s), named + 2);
        (void)proc_end(&proc);
        (void)proc_end(&list);
    }
}

static void nothing_is_the_beginning_of_no_id(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"intents", "show", "", NULL}, 8, &proc);
    (void)proc_end(&proc);
}

static void stats_take_the_word_for_the_cache(void **state) {
    (void)state;
    struct proc plain, cached;
    expect((const char *const[]){"intents", "stats", "--by", "rail", NULL}, 0, &plain);
    expect((const char *const[]){"intents", "stats", "--by", "rail", "--cached", NULL}, 0, &cached);
    assert_string_equal(plain.out.s, cached.out.s);
    (void)proc_end(&plain);
    (void)proc_end(&cached);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cache_and_the_service_give_the_same_rows),
        cmocka_unit_test(it_says_how_many_were_looked_at),
        cmocka_unit_test(a_filter_may_begin_with_what_it_excludes),
        cmocka_unit_test(a_cached_filter_stops_at_its_limit),
        cmocka_unit_test(a_limit_counts_matches),
        cmocka_unit_test(a_fault_names_its_place_and_near_names),
        cmocka_unit_test(directions_are_typed_as_the_list_shows_them),
        cmocka_unit_test(an_operator_of_another_language_is_told_how_it_is_written),
        cmocka_unit_test(a_near_reading_is_hinted_at_where_the_whole_filter_finds_some_by_it),
        cmocka_unit_test(a_slip_in_a_known_word_is_hinted_at_where_nothing_matched),
        cmocka_unit_test(options_and_filter_hold_together),
        cmocka_unit_test(sorted_rows_descend),
        cmocka_unit_test(a_walk_is_sorted_as_the_cache_is),
        cmocka_unit_test(f33_a_sort_across_currencies_is_said),
        cmocka_unit_test(every_row_of_a_sorted_walk_is_printed_once),
        cmocka_unit_test(stats_count_every_intent_once),
        cmocka_unit_test(one_intent_is_shown_by_its_id),
        cmocka_unit_test(one_intent_is_shown_by_the_beginning_of_its_id),
        cmocka_unit_test(a_beginning_that_several_ids_have_shows_none),
        cmocka_unit_test(nothing_is_the_beginning_of_no_id),
        cmocka_unit_test(stats_take_the_word_for_the_cache),
        cmocka_unit_test(f46_stars_and_single_quotes_find_what_is_meant),
        cmocka_unit_test(f81_a_row_the_service_has_not_under_the_filter_is_no_hit_of_the_cache),
        cmocka_unit_test(a_walk_knows_what_was_observed_before), /* the last: rows change */
        cmocka_unit_test(of_rows_without_an_id_nothing_was_observed),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
