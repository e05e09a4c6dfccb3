/* Findings on the command line: the same rows by a walk, out of the cache, in files and in counts. */
#include "base/mem.h"
#include "model/finding.h"
#include "support/finding_rows.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *const args[], int status, struct proc *proc) {
    int got = console_run(&service, args, proc);
    if (got != status)
        fail_msg("%s %s: exit %d, not %d: %s", args[0], args[1], got, status, proc->err.s);
}

static void control(const char *target, const char *body) {
    struct http_reply reply;
    if (!service_control(&service, "POST", target, body, &reply) || reply.status >= 300)
        fail_msg("%s %s: %s", target, body, reply.body);
    http_reply_clear(&reply);
}

static int start(void **state) {
    (void)state;
    struct proc proc;
    if (!console_serve(&service, (const char *const[]){"--intents", "0", "--page-size", "3", NULL},
                       "  amount_unit = minor\n"))
        return -1;
    for (size_t i = 0; i < COUNT_OF(FINDING_ROWS); i++)
        control("/control/intents?raw=1", FINDING_ROWS[i]);
    int status =
        console_run(&service, (const char *const[]){"intents", "list", "--all", "--format", "csv", NULL}, &proc);
    (void)proc_end(&proc);
    return status;
}

/* The ids of CSV with one column, without its heading, each followed by a blank. */
static void ids_of(const char *csv, struct str *out) {
    str_reset(out);
    for (const char *line = strchr(csv, '\n') + 1; *line; line = strchr(line, '\n') + 1)
        str_addf(out, "%.*s ", (int)strcspn(line, "\r\n"), line);
}

static void assert_finds(const char *filter, const char *expected) {
    static const char *const WAYS[] = {"--verbose", "--cached"};
    struct str ids;
    str_init(&ids, 1 << 16);
    for (size_t i = 0; i < COUNT_OF(WAYS); i++) {
        struct proc proc;
        expect((const char *const[]){"intents", "list", "--all", WAYS[i], "--format", "csv", "--columns", "id", "--",
                                     filter, NULL},
               0, &proc);
        ids_of(proc.out.s, &ids);
        if (strcmp(ids.s, expected) != 0)
            fail_msg("%s %s: %s, not %s", WAYS[i], filter, ids.s, expected);
        (void)proc_end(&proc);
    }
    str_clear(&ids);
}

static void each_rule_finds_its_row_and_no_near_miss(void **state) {
    static const char *const NAMES[] = {
#define NAME(X, code, name, flag, judged, hint) name,
        FINDING_TABLE(NAME, )
#undef NAME
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        const char *name = NAMES[i];
        struct str filter, id;
        str_init(&filter, 64);
        str_init(&id, 64);
        str_addf(&filter, "finding:%s", name);
        str_addf(&id, strcmp(name, "twice") == 0 ? "twice-has-too twice-has " : "%s-has ", name);
        assert_finds(filter.s, id.s);
        str_clear(&filter);
        str_clear(&id);
    }
}

static void terms_of_findings_go_with_others(void **state) {
    (void)state;
    assert_finds("finding:sum,twice", "twice-has-too twice-has sum-has ");
    assert_finds("finding=sum | finding:decline", "decline-has sum-has ");
    assert_finds("has:finding status:approved,declined -finding:twice,unsettled",
                 "decline-has source-has currency-has sum-has ");
    assert_finds("id:twice finding!=twice", "twice-miss twice-miss-amount ");
    /* One of the two is left out, not what it rests on. */
    assert_finds("finding:twice id=twice-has", "twice-has ");
}

static void a_limit_ends_a_walk_and_a_look_into_the_cache(void **state) {
    struct proc proc;
    struct str ids;
    (void)state;
    str_init(&ids, 1 << 12);
    for (int cached = 0; cached < 2; cached++) {
        expect((const char *const[]){"intents", "list", "finding:twice", "--limit", "1",
                                     cached ? "--cached" : "--verbose", "--format", "csv", "--columns", "id", NULL},
               0, &proc);
        ids_of(proc.out.s, &ids);
        assert_string_equal(ids.s, "twice-has-too ");
        (void)proc_end(&proc);
    }
    str_clear(&ids);
}

static void assert_prints(const char *const args[], const char *expected) {
    struct proc proc;
    struct str ids;
    str_init(&ids, 1 << 12);
    expect(args, 0, &proc);
    ids_of(proc.out.s, &ids);
    if (strcmp(ids.s, expected) != 0)
        fail_msg("%s, not %s: %s", ids.s, expected, proc.err.s);
    str_clear(&ids);
    (void)proc_end(&proc);
}

static void sorts_options_and_json_go_with_them(void **state) {
    struct proc proc;
    (void)state;
    assert_prints((const char *const[]){"intents", "list", "--all", "--sort", "created", "finding:twice,sum",
                                        "--format", "csv", "--columns", "id", NULL},
                  "sum-has twice-has twice-has-too ");
    assert_prints((const char *const[]){"intents", "list", "--cached", "--sort", "created", "finding:twice,sum",
                                        "--format", "csv", "--columns", "id", NULL},
                  "sum-has twice-has twice-has-too ");
    assert_prints((const char *const[]){"intents", "list", "--all", "--status", "approved", "--status", "declined",
                                        "has:finding", "--format", "csv", "--columns", "id", NULL},
                  "twice-has-too twice-has unsettled-has decline-has source-has currency-has sum-has ");
    expect((const char *const[]){"intents", "list", "--all", "finding:twice", "--format", "json", NULL}, 0, &proc);
    assert_int_equal(proc.out.s[0], '[');
    assert_non_null(strstr(proc.out.s, "\"id\":\"twice-has\""));
    (void)proc_end(&proc);
}

/* A walk that breaks off prints what its rows tell, and says that it is not all. */
static void a_walk_cut_short_prints_what_its_rows_tell(void **state) {
    static const char *const WALK[] = {"intents",   "list", "--all", "finding:twice,sum", "--format", "csv",
                                       "--columns", "id",   NULL};
    struct proc proc;
    struct str ids;
    struct http_reply reply;
    (void)state;
    str_init(&ids, 1 << 12);
    control("/control/rules", "path=/intent/list nth=3 status=400");
    assert_int_not_equal(console_run(&service, WALK, &proc), 0);
    ids_of(proc.out.s, &ids);
    assert_string_equal(ids.s, "twice-has-too twice-has ");
    assert_non_null(strstr(proc.err.s, "2 intents match among the 6 looked at"));
    (void)proc_end(&proc);
    assert_true(service_control(&service, "DELETE", "/control/rules", NULL, &reply));
    http_reply_clear(&reply);
    str_clear(&ids);
}

/* What the service filters by would keep rows back that a finding rests on. */
static void a_filter_across_rows_is_not_sent_to_the_service(void **state) {
    struct proc proc;
    (void)state;
    expect((const char *const[]){"intents", "list", "--all", "--verbose", "finding:twice status:approved", NULL}, 0,
           &proc);
    assert_null(strstr(proc.err.s, "status="));
    assert_non_null(strstr(proc.err.s, "2 intents match among the 20 looked at"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", "--all", "--verbose", "finding:foo", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "at 9: finding knows nothing called \"foo\""));
    (void)proc_end(&proc);
}

static void they_are_counted(void **state) {
    struct proc proc;
    (void)state;
    expect((const char *const[]){"intents", "stats", "--by", "finding", "--format", "csv", NULL}, 0, &proc);
    assert_string_equal(proc.out.s, "finding,intents,percent,sum USD\r\n,10,50,50001\r\ntwice,2,10,10000\r\n"
                                    "credential,1,5,5000\r\ncurrency,1,5,5000\r\ndecline,1,5,5000\r\n"
                                    "guarantee,1,5,5000\r\nsource,1,5,5000\r\nsum,1,5,5000\r\nunknown,1,5,5000\r\n"
                                    "unsettled,1,5,5000\r\n");
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "stats", "--by", "status", "--format", "ndjson", "has:finding", NULL}, 0,
           &proc);
    assert_non_null(strstr(proc.out.s, "{\"value\":\"approved\",\"intents\":6,"));
    (void)proc_end(&proc);
}

static void shows(const char *id, const char *hint) {
    struct proc proc;
    expect((const char *const[]){"intents", "show", id, NULL}, 0, &proc);
    if (hint ? !strstr(proc.err.s, hint) : strstr(proc.err.s, "hint") != NULL)
        fail_msg("%s: %s", id, proc.err.s);
    assert_null(strstr(proc.out.s, "hint"));
    (void)proc_end(&proc);
}

/* Counting writes the index to its file, so that other intents are at hand. */
static void show_says_them_with_what_they_rest_on(void **state) {
    struct proc proc;
    (void)state;
    expect((const char *const[]){"intents", "stats", "--by", "finding", NULL}, 0, &proc);
    (void)proc_end(&proc);
    shows("sum-has",
          "bursar: hint, sum: its settled transactions do not add up to the amount (49.99 in 2 transactions of "
          "type intent, the amount is 50.00 USD)\n");
    shows("currency-has", "hint, currency: a transaction is in another currency than the amount (the amount is in USD, "
                          "transaction tx-5 in EUR)\n");
    shows("guarantee-has", "(50.01 guaranteed, the amount is 50.00 USD)\n");
    shows("source-has", "hint, source: a transaction names another intent as its source (transaction tx-7 has the "
                        "source_id of intent sum-miss)\n");
    shows("decline-has", "(decline_category is null)\n");
    shows("unsettled-has", "(created 2026-06-01T09:10:00.000Z, transactions pending)\n");
    shows("credential-has", "(the card had expired on 2026-05-30, created 2026-06-01T09:12:00.000Z)\n");
    shows("twice-has", "(intent twice-has-too, 60.000 s after)\n");
    shows("unknown-has", "(status reversed)\n");
    shows("sum-miss", NULL);
    shows("twice-miss-amount", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_row_and_no_near_miss),
        cmocka_unit_test(terms_of_findings_go_with_others),
        cmocka_unit_test(a_limit_ends_a_walk_and_a_look_into_the_cache),
        cmocka_unit_test(sorts_options_and_json_go_with_them),
        cmocka_unit_test(a_walk_cut_short_prints_what_its_rows_tell),
        cmocka_unit_test(a_filter_across_rows_is_not_sent_to_the_service),
        cmocka_unit_test(they_are_counted),
        cmocka_unit_test(show_says_them_with_what_they_rest_on),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
