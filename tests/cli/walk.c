/* Walks of `bursar intents list` that meet trouble: what passes is asked again, what is served twice is printed once,
 * and a walk that was cut short goes on where it was. */
#include "base/mem.h"
#include "support/listing.h"
#include "support/one_service.h"
#include "support/relay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { ANSWERS_MAX = 8, ANSWER_CAP = 4096 };

#define LIST_ALL "intents", "list", "--all", "--format", "ndjson"
#define ROW(id, status, amount)                                                                                   \
    "{\"id\":\"" id "\",\"created_at\":\"2026-06-01T12:00:00.000Z\",\"status\":\"" status "\",\"amount\":" amount \
    ",\"currency\":\"EUR\",\"type\":\"card_only\"}"

static int start(void **state) {
    (void)state;
    return serve_intents("500");
}

/* A service of its own folder that meets one fault. */
static void serve_with(struct service *faulty, const char *rule) {
    assert_true(console_serve(faulty, (const char *const[]){"--intents", "500", "--fault", rule, NULL}, ""));
}

static void f62_one_failure_in_a_walk_is_asked_again(void **state) {
    (void)state;
    static const char *const RULES[] = {
        "path=/intent/list nth=3 count=1 status=503", "path=/intent/list nth=2 count=2 status=500",
        "path=/intent/list nth=4 count=1 truncate=100", "path=/intent/list nth=3 count=1 status=408",
        "path=/intent/list nth=1 count=2 status=425"};
    for (size_t i = 0; i < COUNT_OF(RULES); i++) {
        struct service faulty;
        struct proc proc;
        serve_with(&faulty, RULES[i]);
        assert_int_equal(console_run(&faulty, (const char *const[]){LIST_ALL, NULL}, &proc), 0);
        assert_int_equal(text_count(proc.out.s, "\n"), 500);
        assert_non_null(strstr(proc.err.s, "asking again in 1 s"));
        assert_non_null(strstr(proc.err.s, "500 intents; end of the list"));
        (void)proc_end(&proc);
        (void)service_stop(&faulty);
    }
}

static void f62_resume_goes_on_from_the_page_reached(void **state) {
    (void)state;
    struct service faulty;
    struct proc proc;
    serve_with(&faulty, "path=/intent/list nth=4 count=4 status=503");
    assert_int_equal(console_run(&faulty, (const char *const[]){LIST_ALL, NULL}, &proc), 5);
    assert_int_equal(text_count(proc.out.s, "\n"), 300);
    assert_non_null(strstr(proc.err.s, "asked 4 times"));
    (void)proc_end(&proc);
    int before = service_journal_count(&faulty, "/intent/list", "");
    assert_int_equal(console_run(&faulty, (const char *const[]){LIST_ALL, "--resume", NULL}, &proc), 0);
    assert_int_equal(text_count(proc.out.s, "\n"), 500);
    assert_non_null(strstr(proc.err.s, "3 of 5 pages are as they were read before"));
    assert_int_equal(service_journal_count(&faulty, "/intent/list", "") - before, 2);
    char *resumed = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    assert_int_equal(console_run(&faulty, (const char *const[]){LIST_ALL, NULL}, &proc), 0);
    assert_string_equal(proc.out.s, resumed);
    free(resumed);
    (void)proc_end(&proc);
    assert_int_equal(console_run(&faulty, (const char *const[]){"intents", "list", "--resume", NULL}, &proc), 2);
    (void)proc_end(&proc);
    (void)service_stop(&faulty);
}

/* What was asked for is seen where a parameter's name or style may be wrong; a cursor is no business of a log. */
static void f72_the_query_is_in_the_log_and_said_with_verbose(void **state) {
    (void)state;
    struct proc proc;
    char path[4096];
    assert_true(console_configure(&service, service.url, "api { filter_status_style = brackets }"));
    (void)console_run(&service,
                      (const char *const[]){"intents", "list", "--status", "declined", "--status", "pending", "--limit",
                                            "150", "--verbose", NULL},
                      &proc);
    assert_true(console_configure(&service, service.url, ""));
    assert_non_null(strstr(proc.err.s, "bursar: GET /intent/list?status%5B%5D=declined&status%5B%5D=pending: "));
    (void)proc_end(&proc);
    assert_int_equal(
        console_run(&service, (const char *const[]){"intents", "list", "--type", "primary", "--all", "--verbose", NULL},
                    &proc),
        0);
    assert_non_null(strstr(proc.err.s, "bursar: GET /intent/list?type=primary: 200, "));
    assert_non_null(strstr(proc.err.s, "bursar: GET /intent/list?type=primary&cursor=("));
    (void)proc_end(&proc);
    (void)snprintf(path, sizeof path, "%s/state/bursar/log", service.folder);
    char *log = proc_read_file(path);
    assert_non_null(log);
    assert_non_null(strstr(log, "GET /intent/list?type=primary 200 "));
    assert_int_equal(text_count(log, service.token), 0);
    free(log);
}

static void f71_a_place_that_is_no_longer_known_is_said(void **state) {
    (void)state;
    static const char *const STATUSES[] = {"404", "400", "410", "422"};
    for (size_t i = 0; i < COUNT_OF(STATUSES); i++) {
        struct service faulty;
        struct proc proc;
        char rule[128];
        (void)snprintf(rule, sizeof rule, "path=/intent/list nth=3 count=9 status=%s", STATUSES[i]);
        serve_with(&faulty, rule);
        assert_int_equal(console_run(&faulty, (const char *const[]){LIST_ALL, NULL}, &proc), 4);
        assert_int_equal(text_count(proc.out.s, "\n"), 200);
        assert_non_null(strstr(proc.err.s, STATUSES[i]));
        assert_non_null(strstr(proc.err.s, "the place in the list is no longer known"));
        assert_non_null(strstr(proc.err.s, "reads anew"));
        assert_null(strstr(proc.err.s, "base_url"));
        (void)proc_end(&proc);
        (void)service_stop(&faulty);
    }
}

/* A service that answers with these pages in turn. */
static void run_over(const char *const pages[], size_t n, const char *const args[], struct proc *proc) {
    static char texts[ANSWERS_MAX][ANSWER_CAP];
    struct relay_answer answers[ANSWERS_MAX] = {{0}};
    char url[64];
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(texts[i], ANSWER_CAP,
                       "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
                       "Connection: close\r\n\r\n%s",
                       strlen(pages[i]), pages[i]);
        answers[i].bytes = texts[i];
    }
    struct relay *relay = relay_script(answers, n, NULL);
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d", relay_port(relay));
    assert_true(console_configure(&service, url, ""));
    (void)console_run(&service, (const char *const[]){"cache", "purge", NULL}, proc);
    (void)proc_end(proc);
    assert_int_equal(console_run(&service, args, proc), 0);
    relay_free(relay);
    assert_true(console_configure(&service, service.url, ""));
}

static const char *const TWICE[] = {
    "{\"data\":[" ROW("pay_1", "pending", "1") "," ROW("pay_2", "pending", "2") "],\"next_cursor\":\"b\"}",
    "{\"data\":[" ROW("pay_3", "pending", "3") "],\"next_cursor\":\"c\"}",
    "{\"data\":[" ROW("pay_1", "approved", "9") "," ROW("pay_4", "approved", "4") "],\"next_cursor\":null}"};

static void f30_an_id_served_twice_is_printed_once_as_it_was_served_last(void **state) {
    (void)state;
    struct proc proc;
    run_over(TWICE, 3, (const char *const[]){LIST_ALL, NULL}, &proc);
    assert_int_equal(text_count(proc.out.s, "\n"), 4);
    assert_int_equal(text_count(proc.out.s, "pay_1"), 1);
    assert_int_equal(strncmp(proc.out.s, ROW("pay_1", "approved", "9"), strlen(ROW("pay_1", "approved", "9"))), 0);
    assert_non_null(strstr(proc.err.s, "4 intents; end of the list"));
    (void)proc_end(&proc);
    static const char *const FORMATS[] = {"table", "json", "csv"};
    for (size_t i = 0; i < COUNT_OF(FORMATS); i++) {
        run_over(TWICE, 3, (const char *const[]){"intents", "list", "--all", "--format", FORMATS[i], NULL}, &proc);
        assert_int_equal(text_count(proc.out.s, "pay_1"), 1);
        assert_int_equal(text_count(proc.out.s, "pending"), 2);
        (void)proc_end(&proc);
    }
}

static void f30_it_is_filtered_and_sorted_as_it_was_served_last(void **state) {
    (void)state;
    struct proc proc;
    run_over(TWICE, 3, (const char *const[]){LIST_ALL, "amount<5", NULL}, &proc);
    assert_int_equal(text_count(proc.out.s, "pay_1"), 0);
    assert_int_equal(text_count(proc.out.s, "\n"), 3);
    assert_non_null(strstr(proc.err.s, "3 intents match among the 4 looked at"));
    (void)proc_end(&proc);
    run_over(TWICE, 3, (const char *const[]){LIST_ALL, "amount>5", NULL}, &proc);
    assert_int_equal(text_count(proc.out.s, "pay_1"), 1);
    assert_int_equal(text_count(proc.out.s, "\n"), 1);
    (void)proc_end(&proc);
    run_over(TWICE, 3, (const char *const[]){LIST_ALL, "--sort", "-amount", NULL}, &proc);
    assert_int_equal(strncmp(proc.out.s, ROW("pay_1", "approved", "9"), strlen(ROW("pay_1", "approved", "9"))), 0);
    assert_int_equal(text_count(proc.out.s, "\n"), 4);
    (void)proc_end(&proc);
}

/* Of a run that ends well, in KB. What it says is little enough to wait in the pipe. */
static long peak_of(const struct service *from, const char *const argv[]) {
    struct proc proc;
    struct rusage usage;
    assert_true(proc_start(&proc, argv, console_env(from)));
    assert_int_equal(wait4(proc.pid, &proc.status, 0, &usage), proc.pid);
    assert_int_equal(proc.status, 0);
    proc.pid = 0;
    (void)proc_end(&proc);
    return usage.ru_maxrss;
}

static void its_memory_does_not_grow_with_the_rows_it_holds_back(void **state) {
    enum { MOST_KB = 48 << 10 };
    static const char *const FORMATS[] = {"ndjson", "csv", "table"};
    struct service many;
    (void)state;
    assert_true(console_serve(&many, (const char *const[]){"--intents", "20000", NULL}, ""));
    char *program = proc_program("bursar");
    for (size_t i = 0; i < COUNT_OF(FORMATS); i++) {
        const char *argv[] = {"/bin/sh", "-c",       "exec \"$0\" intents list --all --format \"$1\" >/dev/null",
                              program,   FORMATS[i], NULL};
        long peak = peak_of(&many, argv);
        assert_true(proc_build() != PROC_PLAIN || peak < MOST_KB);
    }
    free(program);
    (void)service_stop(&many);
}

static void f104_ids_that_differ_by_what_nobody_sees_are_rows_of_their_own(void **state) {
    (void)state;
    struct proc proc;
    static const char *const PAGES[] = {
        "{\"data\":[" ROW("pay_a", "pending", "1") "," ROW("pay_a\\u200b", "pending", "2") "," ROW(
            "pay_a<200B>", "pending",
            "3") "," ROW("pay_a\\u00ad", "pending",
                         "4") "," ROW("pay_a\\u3164", "pending",
                                      "5") "," ROW("pay_"
                                                   "a\\u0301\\u0301\\u0301\\u0301\\u0301\\u0301\\u0301\\u0301\\u0301\\u"
                                                   "0301",
                                                   "pending", "6") "," ROW("pay_"
                                                                           "a\\u0301\\u0301\\u0301\\u0301\\u0301\\u0301"
                                                                           "\\u0301\\u0301\\u0301\\u0301\\u0301",
                                                                           "pending", "7") "],\"next_cursor\":null}"};
    run_over(PAGES, 1, (const char *const[]){LIST_ALL, NULL}, &proc);
    assert_int_equal(text_count(proc.out.s, "\n"), 7);
    (void)proc_end(&proc);
    run_over(PAGES, 1, (const char *const[]){LIST_ALL, "--sort", "amount", NULL}, &proc);
    assert_int_equal(text_count(proc.out.s, "\n"), 7);
    (void)proc_end(&proc);
}

static void f80_such_an_id_is_found_in_both_forms(void **state) {
    static const char *const PAGES[] = {"{\"data\":[" ROW("pay_a\\u200fb", "pending", "1") "," ROW(
        "pay_a\\u200bb", "pending", "2") "],\"next_cursor\":null}"};
    static const char *const FILTERS[] = {
        "id:pay_a<200F>b", "id=pay_a<200F>b",     "pay_a<200F>b",       "<200F>",          "id:pay_a\u200fb",
        "pay_a\u200fb",    "id:\"pay_a\u200fb\"", "id:pay_a<200f>b",    "id=pay_a<200f>b", "pay_a<200f>b",
        "<200f>",          "id:*<200f>b",         "id:\"pay_a<200f>\"", "id!=pay_a<200b>b"};
    struct proc proc;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(FILTERS); i++) {
        run_over(PAGES, 1, (const char *const[]){LIST_ALL, FILTERS[i], NULL}, &proc);
        assert_int_equal(text_count(proc.out.s, "\n"), 1);
        assert_non_null(strstr(proc.out.s, "pay_a\\u200fb"));
        (void)proc_end(&proc);
    }
}

static void f80_so_it_is_shown(void **state) {
    static const char ONE[] = "{\"id\":\"pay_a\\u200fb\",\"created_at\":\"2026-06-14T10:00:00.000Z\",\"amount\":1}";
    static const char *const SHOWN[] = {"pay_a<200F>b", "pay_a<200f>b", "pay_a\u200fb"};
    struct http_reply reply;
    struct proc proc;
    (void)state;
    assert_true(service_control(&service, "POST", "/control/intents?raw=1", ONE, &reply));
    http_reply_clear(&reply);
    assert_int_equal(console_run(&service, (const char *const[]){LIST_ALL, NULL}, &proc), 0);
    (void)proc_end(&proc);
    for (size_t i = 0; i < COUNT_OF(SHOWN); i++) {
        assert_int_equal(console_run(&service, (const char *const[]){"intents", "show", SHOWN[i], NULL}, &proc), 0);
        assert_non_null(strstr(proc.out.s, "pay_a\\u200fb"));
        (void)proc_end(&proc);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f62_one_failure_in_a_walk_is_asked_again),
        cmocka_unit_test(f62_resume_goes_on_from_the_page_reached),
        cmocka_unit_test(f72_the_query_is_in_the_log_and_said_with_verbose),
        cmocka_unit_test(f71_a_place_that_is_no_longer_known_is_said),
        cmocka_unit_test(f30_an_id_served_twice_is_printed_once_as_it_was_served_last),
        cmocka_unit_test(f30_it_is_filtered_and_sorted_as_it_was_served_last),
        cmocka_unit_test(its_memory_does_not_grow_with_the_rows_it_holds_back),
        cmocka_unit_test(f80_such_an_id_is_found_in_both_forms),
        cmocka_unit_test(f80_so_it_is_shown),
        cmocka_unit_test(f104_ids_that_differ_by_what_nobody_sees_are_rows_of_their_own),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
