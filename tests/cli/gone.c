/* F42: a row that reading the list to its end did not find any more is in no cached list, count or sum, is counted
 * apart, and is still found by its id. */
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PATH_BYTES = 512 };

#define ROW(id, status, day, amount)                                                                                   \
    "{\"id\":\"" id "\",\"created_at\":\"2026-11-" day "T10:00:00.000Z\",\"status\":\"" status "\",\"amount\":" amount \
    ",\"currency\":\"EUR\"}"
#define LIST(rows) "{\"data\":[" rows "],\"next_cursor\":null}"
#define THREE                             \
    ROW("pay_c", "approved", "03", "100") \
    "," ROW("pay_b", "approved", "02", "20") "," ROW("pay_a", "pending", "01", "3")
#define TWO ROW("pay_c", "approved", "03", "100") "," ROW("pay_a", "pending", "01", "3")

static const char APART[] = "1 cached row that the last complete reading did not find is not among them";

static int start(void **state) {
    (void)state;
    return serve_intents("1");
}

/* The service lists these, under each filter. */
static void list_is(const char *body) {
    char path[PATH_BYTES], rule[2 * PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/body.json", service.folder);
    (void)snprintf(rule, sizeof rule, "path=/intent/list status=200 body_file=%s", path);
    assert_true(proc_write_file(path, body));
    service_rule(&service, NULL);
    service_rule(&service, rule);
}

static char *printed_of(int status, const char *said, const char *const args[]) {
    struct proc proc;
    int got = console_run(&service, args, &proc);
    if (got != status || !strstr(proc.err.s, said))
        fail_msg("%s %s: exit %d, not %d, or not \"%s\":\n%s", args[0], args[1], got, status, said, proc.err.s);
    char *text = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    return text;
}
#define PRINTED(status, said, ...) printed_of(status, said, (const char *const[]){__VA_ARGS__, NULL})

/* Of a command's output: has the one, not the other. */
static void assert_output(char *text, const char *has, const char *lacks) {
    if (!strstr(text, has) || strstr(text, lacks))
        fail_msg("no %s or %s in:\n%s", has, lacks, text);
    free(text);
}

static int read_three_then_two(void **state) {
    (void)state;
    free(PRINTED(0, "", "cache", "purge"));
    list_is(LIST(THREE));
    free(PRINTED(0, "", "intents", "list", "--all"));
    list_is(LIST(TWO));
    free(PRINTED(0, "", "intents", "list", "--all"));
    return 0;
}

static void it_is_in_no_list_and_counted_apart(void **state) {
    (void)state;
    assert_output(PRINTED(0, APART, "intents", "list", "--cached"), "pay_c", "pay_b");
    assert_output(PRINTED(0, APART, "intents", "list", "--cached", "--sort", "amount"), "pay_c", "pay_b");
    assert_output(PRINTED(0, APART, "intents", "list", "--cached", "amount>5"), "pay_c", "pay_b");
    free(PRINTED(0, "1 match in 2 cached intents", "intents", "list", "--cached", "amount>5"));
    assert_output(PRINTED(0, "", "intents", "list", "--cached", "status:approved"), "pay_c", "pay_b");
}

static void it_is_in_no_count_or_sum(void **state) {
    (void)state;
    assert_output(PRINTED(0, APART, "intents", "stats", "--sum", "amount", "--format", "json"), "103", "123");
    assert_output(PRINTED(0, APART, "intents", "stats", "--over", "day", "--format", "csv"), "2026-11-03",
                  "2026-11-02");
    assert_output(PRINTED(0, "", "cache", "stats"),
                  "intents       3, 1 of them not found any more by the last complete", "pay_b");
    assert_output(PRINTED(0, "the cache holds 2 intents: that is all of them", "intents", "mirror"), "", "pay_b");
}

static void by_its_id_it_is_found_and_what_became_of_it_is_said(void **state) {
    (void)state;
    assert_output(PRINTED(0, "the service does not list this intent any more: a complete reading at ", "intents",
                          "show", "pay_b"),
                  "pay_b", "pay_c");
    struct proc proc;
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "show", "pay_c", NULL}, &proc), 0);
    assert_null(strstr(proc.err.s, "any more"));
    (void)proc_end(&proc);
}

static void what_is_served_again_is_back(void **state) {
    (void)state;
    list_is(LIST(THREE));
    free(PRINTED(0, "", "intents", "list", "--limit", "3"));
    assert_output(PRINTED(0, "", "intents", "list", "--cached"), "pay_b", "did not find");
    struct proc proc;
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", "--cached", NULL}, &proc), 0);
    assert_null(strstr(proc.err.s, "did not find"));
    (void)proc_end(&proc);
}

/* A reading that stopped says nothing of the rows behind. */
static void a_part_of_the_list_proves_nothing(void **state) {
    (void)state;
    free(PRINTED(0, "", "cache", "purge"));
    list_is(LIST(THREE));
    free(PRINTED(0, "", "intents", "list", "--all"));
    list_is("{\"data\":[" ROW("pay_c", "approved", "03", "100") "],\"next_cursor\":\"more\"}");
    free(PRINTED(0, "", "intents", "list", "--limit", "1"));
    assert_output(PRINTED(0, "", "intents", "list", "--cached"), "pay_b", "did not find");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(it_is_in_no_list_and_counted_apart, read_three_then_two),
        cmocka_unit_test_setup(it_is_in_no_count_or_sum, read_three_then_two),
        cmocka_unit_test_setup(by_its_id_it_is_found_and_what_became_of_it_is_said, read_three_then_two),
        cmocka_unit_test_setup(what_is_served_again_is_back, read_three_then_two),
        cmocka_unit_test(a_part_of_the_list_proves_nothing),
    };
    return cmocka_run_group_tests_name("gone", tests, start, stop_service);
}
