/* `bursar intents list` against the sandbox: what is printed equals what the service served, digit for digit. */
#include "base/mem.h"
#include "support/listing.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ALL_MAX = 64 << 20, INTENTS = 2000 };

static int start(void **state) {
    (void)state;
    return serve_intents("2000");
}

static int run(const char *const args[], struct proc *proc) {
    return console_run(&service, args, proc);
}

static size_t lines_of(const char *text) {
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* The elements of `data` of every page, one a line, cut out of the bodies as they came. */
static void served(const char *query, struct str *out) {
    struct str target;
    str_init(&target, 1 << 16);
    str_addf(&target, "/intent/list?%s", query);
    for (;;) {
        struct http_reply reply;
        assert_true(service_request(&service, "GET", target.s, NULL, NULL, &reply));
        assert_int_equal(reply.status, 200);
        int depth = 0;
        bool text = false;
        const char *first = strchr(reply.body.s, '[') + 1;
        for (const char *s = first; !(depth == 0 && *s == ']'); s++) {
            if (text) {
                s += *s == '\\';
                text = *s != '"';
            } else {
                text = *s == '"';
                depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
                if (depth == 0 && *s == '}') {
                    str_add_n(out, first, (size_t)(s - first) + 1);
                    str_add_char(out, '\n');
                } else if (depth == 0 && *s == ',') {
                    first = s + 1;
                }
            }
        }
        char *cursor = listing_cursor(reply.body.s);
        http_reply_clear(&reply);
        if (!cursor)
            break;
        str_reset(&target);
        str_addf(&target, "/intent/list?%s&cursor=%s", query, cursor);
        free(cursor);
    }
    str_clear(&target);
}

static void every_intent_equals_what_was_served(void **state) {
    (void)state;
    struct proc proc;
    struct str expected;
    str_init(&expected, ALL_MAX);
    served("", &expected);
    assert_int_equal(lines_of(expected.s), INTENTS);
    assert_int_equal(run((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, &proc), 0);
    assert_string_equal(proc.out.s, expected.s);
    assert_non_null(strstr(proc.err.s, "2,000 intents; end of the list"));
    (void)proc_end(&proc);
    str_clear(&expected);
}

static void filters_of_the_service_give_exactly_the_matching_ones(void **state) {
    (void)state;
    struct proc proc;
    struct str expected;
    str_init(&expected, ALL_MAX);
    served("status=declined&status=pending&type=card_only", &expected);
    assert_true(lines_of(expected.s) > 10);
    assert_int_equal(run((const char *const[]){"intents", "list", "--all", "--format", "ndjson", "--status", "declined",
                                               "--status", "pending", "--type", "card_only", NULL},
                         &proc),
                     0);
    assert_string_equal(proc.out.s, expected.s);
    assert_int_equal(text_count(proc.out.s, "\"type\":\"card_only\"}\n"), lines_of(proc.out.s));
    (void)proc_end(&proc);
    str_clear(&expected);
}

static void one_page_by_default_and_more_is_said(void **state) {
    (void)state;
    struct proc proc;
    assert_int_equal(run((const char *const[]){"intents", "list", "--format", "ndjson", NULL}, &proc), 0);
    assert_int_equal(lines_of(proc.out.s), 100);
    assert_non_null(strstr(proc.err.s, "more on the server"));
    (void)proc_end(&proc);
}

static void a_limit_counts_rows_and_walks_until_it_has_them(void **state) {
    (void)state;
    struct proc proc;
    assert_int_equal(run((const char *const[]){"intents", "list", "--limit", "250", "--format", "ndjson", NULL}, &proc),
                     0);
    assert_int_equal(lines_of(proc.out.s), 250);
    (void)proc_end(&proc);
    assert_int_equal(run((const char *const[]){"intents", "list", "--limit", "7", "--format", "csv", NULL}, &proc), 0);
    assert_int_equal(lines_of(proc.out.s), 8);
    (void)proc_end(&proc);
}

static void json_is_one_array(void **state) {
    (void)state;
    struct proc proc;
    assert_int_equal(run((const char *const[]){"intents", "list", "--limit", "3", "--format", "json", NULL}, &proc), 0);
    assert_int_equal(proc.out.s[0], '[');
    assert_non_null(strstr(proc.out.s, "]\n"));
    (void)proc_end(&proc);
}

struct fault {
    const char *rule;
    int status;
    const char *says;
};

static void exit_statuses_are_those_of_the_design(void **state) {
    (void)state;
    static const struct fault FAULTS[] = {
        {"path=/intent/list status=401", 3, "401"},
        {"path=/intent/list status=403", 3, "403"},
        {"path=/intent/list status=404", 4, "404"},
        {"path=/intent/list status=400", 4, "400"},
        {"path=/intent/list status=302 header=\"Location: http://127.0.0.1:1/x\"", 4, "redirect"},
        {"path=/intent/list status=500", 5, "500"},
        {"path=/intent/list status=502 type=text/html body=<html>no</html>", 5, "502"},
        {"path=/intent/list close=1", 5, ""},
        {"path=/intent/list type=text/html body=<html>login</html>", 7, ""},
        {"path=/intent/list body={\"data\":7}", 7, ""},
        {"path=/intent/list nth=2 cursor=repeat", 8, "cursor"},
        {"path=/intent/list bomb=200000000", 7, ""},
        {"path=/intent/list truncate=1000", 5, ""},
    };
    for (size_t i = 0; i < COUNT_OF(FAULTS); i++) {
        struct service faulty;
        struct proc proc;
        assert_true(
            console_serve(&faulty, (const char *const[]){"--intents", "500", "--fault", FAULTS[i].rule, NULL}, ""));
        int status =
            console_run(&faulty, (const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, &proc);
        if (status != FAULTS[i].status || !strstr(proc.err.s, FAULTS[i].says))
            print_error("%s: exit %d, said: %s\n", FAULTS[i].rule, status, proc.err.s);
        assert_int_equal(status, FAULTS[i].status);
        assert_non_null(strstr(proc.err.s, FAULTS[i].says));
        assert_true(lines_of(proc.err.s) <= 5); /* with what is asked again */
        (void)proc_end(&proc);
        (void)service_stop(&faulty);
    }
}

static void a_walk_that_ends_early_says_how_far_it_looked(void **state) {
    (void)state;
    struct service faulty;
    struct proc proc;
    assert_true(console_serve(
        &faulty,
        (const char *const[]){"--intents", "500", "--fault", "path=/intent/list nth=3 count=100 status=503", NULL},
        ""));
    assert_int_equal(
        console_run(&faulty, (const char *const[]){"intents", "list", "amount>=0", "--all", "--columns", "id", NULL},
                    &proc),
        5);
    assert_non_null(strstr(proc.err.s, "match among the 200 looked at; the rest of the list was not looked at\n"));
    assert_non_null(strstr(proc.err.s, "503"));
    (void)proc_end(&proc);
    (void)service_stop(&faulty);
}

static void b5_an_ignored_filter_is_said_and_rows_are_left_out(void **state) {
    (void)state;
    struct service faulty;
    struct proc proc;
    assert_true(console_serve(
        &faulty, (const char *const[]){"--intents", "300", "--fault", "path=/intent/list ignore_filter=1", NULL}, ""));
    assert_int_equal(console_run(&faulty,
                                 (const char *const[]){"intents", "list", "--all", "--format", "ndjson", "--status",
                                                       "declined", NULL},
                                 &proc),
                     0);
    assert_non_null(strstr(proc.err.s, "did not apply the filter"));
    assert_null(strstr(proc.out.s, "\"status\":\"approved\",\"decline"));
    (void)proc_end(&proc);
    (void)service_stop(&faulty);
}

static void k26_a_token_on_the_command_line_is_refused(void **state) {
    (void)state;
    struct proc proc;
    assert_int_equal(run((const char *const[]){"--token", "S3cr3t-marker-value", "intents", "list", NULL}, &proc), 2);
    assert_null(strstr(proc.err.s, "S3cr3t-marker-value"));
    (void)proc_end(&proc);
}

static void s7_output_that_cannot_be_written_is_a_failure(void **state) {
    (void)state;
    struct proc proc;
    char *program = proc_program("bursar");
    struct str command;
    str_init(&command, 1 << 16);
    str_addf(&command, "exec %s intents list --all --format ndjson >/dev/full", program);
    const char *const argv[] = {"/bin/sh", "-c", command.s, NULL};
    assert_int_equal(proc_run(&proc, argv, console_env(&service), PROC_DEADLINE), 1);
    assert_true(proc.err.len > 0);
    (void)proc_end(&proc);
    str_clear(&command);
    free(program);
}

static void no_intents_is_no_error(void **state) {
    (void)state;
    struct service empty;
    struct proc proc;
    assert_true(console_serve(&empty, (const char *const[]){"--intents", "0", NULL}, ""));
    assert_int_equal(console_run(&empty, (const char *const[]){"intents", "list", "--all", NULL}, &proc), 0);
    assert_non_null(strstr(proc.err.s, "0 intents; end of the list"));
    (void)proc_end(&proc);
    (void)service_stop(&empty);
}

static void columns_are_named_or_refused(void **state) {
    (void)state;
    struct proc proc;
    assert_int_equal(run((const char *[]){"intents", "list", "--limit", "3", "--columns", "status,id", NULL}, &proc),
                     0);
    assert_true(str_starts(proc.out.s, "status "));
    assert_int_equal(lines_of(proc.out.s), 4);
    (void)proc_end(&proc);
    assert_int_equal(run((const char *[]){"intents", "list", "--columns", "statsus", NULL}, &proc), 2);
    assert_non_null(strstr(proc.err.s, "no column is called \"statsus\" (status?)"));
    (void)proc_end(&proc);
    assert_int_equal(run((const char *[]){"intents", "list", "--columns", "id", "--format", "json", NULL}, &proc), 2);
    assert_non_null(strstr(proc.err.s, "--columns works with table, csv"));
    (void)proc_end(&proc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_intent_equals_what_was_served),
        cmocka_unit_test(filters_of_the_service_give_exactly_the_matching_ones),
        cmocka_unit_test(one_page_by_default_and_more_is_said),
        cmocka_unit_test(a_limit_counts_rows_and_walks_until_it_has_them),
        cmocka_unit_test(json_is_one_array),
        cmocka_unit_test(exit_statuses_are_those_of_the_design),
        cmocka_unit_test(a_walk_that_ends_early_says_how_far_it_looked),
        cmocka_unit_test(b5_an_ignored_filter_is_said_and_rows_are_left_out),
        cmocka_unit_test(k26_a_token_on_the_command_line_is_refused),
        cmocka_unit_test(s7_output_that_cannot_be_written_is_a_failure),
        cmocka_unit_test(no_intents_is_no_error),
        cmocka_unit_test(columns_are_named_or_refused),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
