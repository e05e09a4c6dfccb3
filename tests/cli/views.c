/* Saved views: kept by the console, used at the command line, removed by purge. */
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { PATIENCE = 20 };

static int start(void **state) {
    (void)state;
    return serve_intents("300");
}

static int run(const char *const args[], struct proc *proc) {
    return console_run(&service, args, proc);
}

static void leave(struct pty *pty) {
    int status;
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, PATIENCE, &status));
    assert_int_equal(status, 0);
    pty_free(pty);
}

static void save(const char *filter, const char *name) {
    struct pty *pty = console_open(&service, 24, 100);
    assert_true(pty_expect(pty, "read so far", PATIENCE));
    pty_feed(pty, "/");
    pty_feed(pty, filter);
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "server[status:declined]", PATIENCE));
    pty_feed(pty, "vs");
    assert_true(pty_expect(pty, "save as", PATIENCE));
    pty_feed(pty, name);
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "saved", PATIENCE));
    assert_true(pty_expect(pty, "status:declined amount>=100", PATIENCE));
    pty_feed(pty, "\033");
    leave(pty);
}

static void a_saved_view_is_there_next_time_and_at_the_command_line(void **state) {
    (void)state;
    struct proc by_name, written;
    save("status:declined amount>=100", "lost");
    struct pty *pty = console_open(&service, 24, 100);
    assert_true(pty_expect(pty, "read so far", PATIENCE));
    pty_feed(pty, "v1");
    assert_true(pty_expect(pty, "server[status:declined]", PATIENCE));
    assert_true(pty_expect(pty, "local[amount>=100]", PATIENCE));
    leave(pty);
    assert_int_equal(run((const char *[]){"intents", "list", "--all", "@lost", NULL}, &by_name), 0);
    assert_int_equal(run((const char *[]){"intents", "list", "--all", "status:declined amount>=100", NULL}, &written),
                     0);
    assert_true(by_name.out.len > 0);
    assert_string_equal(by_name.out.s, written.out.s);
    assert_true(service_journal_count(&service, "status=declined", "") > 0);
    (void)proc_end(&by_name);
    (void)proc_end(&written);
}

static void an_unknown_view_is_a_usage_error(void **state) {
    (void)state;
    struct proc proc;
    assert_int_equal(run((const char *[]){"intents", "list", "@nowhere", NULL}, &proc), 2);
    assert_non_null(strstr(proc.err.s, "at 1: no view is saved as \"nowhere\""));
    (void)proc_end(&proc);
}

static void sort_of_the_list_is_there_next_time(void **state) {
    (void)state;
    struct pty *pty = console_open(&service, 24, 100);
    assert_true(pty_expect(pty, "read so far", PATIENCE));
    pty_feed(pty, "s");
    assert_true(pty_expect(pty, "sort: created asc", PATIENCE));
    leave(pty);
    pty = console_open(&service, 24, 100);
    assert_true(pty_expect(pty, "sorted as in the last session; u undoes it", PATIENCE));
    assert_true(pty_expect(pty, "sort: created asc", PATIENCE));
    pty_feed(pty, "u");
    assert_true(pty_expect(pty, "order: as sent by the service", PATIENCE));
    leave(pty);
    pty = console_open(&service, 24, 100);
    assert_true(pty_expect(pty, "order: as sent by the service", PATIENCE));
    leave(pty);
}

static void purge_removes_them(void **state) {
    (void)state;
    struct proc proc;
    assert_int_equal(run((const char *[]){"purge", "--session", NULL}, &proc), 0);
    assert_non_null(strstr(proc.out.s, "saved views of 1 profile removed"));
    (void)proc_end(&proc);
    assert_int_equal(run((const char *[]){"intents", "list", "@lost", NULL}, &proc), 2);
    (void)proc_end(&proc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_view_is_there_next_time_and_at_the_command_line),
        cmocka_unit_test(an_unknown_view_is_a_usage_error),
        cmocka_unit_test(sort_of_the_list_is_there_next_time),
        cmocka_unit_test(purge_removes_them),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
