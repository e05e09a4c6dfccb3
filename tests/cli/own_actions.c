/* Programs of the operator's own at the command line: the same that the console runs, and the same refusals. */
#include "support/one_service.h"

#include "base/mem.h"

#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 4096 };

static const char ACTIONS[] = "[tell]\nrun = echo \"intent {id}\" {currency}\nreads = yes\n"
                              "[pay out]\nrun = touch %s {id}\n"
                              "[environment]\nrun = env\nreads = yes\n"
                              "[fails]\nrun = sh -c \"echo half; echo why >&2; exit 3\"\nreads = yes\n"
                              "[decline]\nrun = echo {decline_category}\nreads = yes\n"
                              "[escape]\nrun = printf \"\\033[31mred\"\nreads = yes\n"
                              "[nul]\nrun = printf \"a\\0b\\nTOTAL 7\\n\"\nreads = yes\n"
                              "[much]\nrun = sh -c \"seq 1 30000; touch %s\"\nreads = yes\n"
                              "[daemon]\nrun = sh -c \"sleep 75 & echo started\"\nreads = yes\n"
                              "[waits]\nrun = sh -c \"touch %s; sleep 50\"\nreads = yes\n";

static char id[256], touched[PATH_BYTES];

static void run(int status, const char *const args[], struct proc *proc) {
    int got = console_run(&service, args, proc);
    if (got != status)
        fail_msg("%s %s: exit %d, not %d:\n%s", args[0], args[1], got, status, proc->err.s);
}

static void expect(int status, const char *const args[], const char *printed, const char *said) {
    struct proc proc;
    run(status, args, &proc);
    if (strcmp(proc.out.s, printed) != 0 || !strstr(proc.err.s, said))
        fail_msg("not \"%s\" and \"%s\":\n%s\n%s", printed, said, proc.out.s, proc.err.s);
    (void)proc_end(&proc);
}
#define EXPECT(status, printed, said, ...) expect(status, (const char *const[]){__VA_ARGS__, NULL}, printed, said)

static void they_are_listed(void **state) {
    (void)state;
    struct proc proc;
    run(0, (const char *const[]){"actions", "list", NULL}, &proc);
    assert_non_null(strstr(proc.out.s, "tell (reads): echo intent {id} {currency}\n"));
    assert_non_null(strstr(proc.out.s, "pay out (may change): touch "));
    (void)proc_end(&proc);
    run(0, (const char *const[]){"actions", "list", "--format", "json", NULL}, &proc);
    json_t *root = json_loads(proc.out.s, 0, NULL);
    assert_int_equal(json_array_size(root), 10);
    json_t *first = json_array_get(root, 0);
    assert_string_equal(json_string_value(json_object_get(first, "action")), "tell");
    assert_true(json_is_true(json_object_get(first, "reads")));
    assert_string_equal(json_string_value(json_array_get(json_object_get(first, "arguments"), 1)), "intent {id}");
    json_decref(root);
    (void)proc_end(&proc);
}

static void what_reads_runs_at_once(void **state) {
    (void)state;
    char line[PATH_BYTES], begun[9] = "";
    (void)snprintf(line, sizeof line, "intent %s ", id);
    memcpy(begun, id, sizeof begun - 1);
    struct proc proc;
    run(0, (const char *const[]){"actions", "run", "tell", id, NULL}, &proc);
    assert_memory_equal(proc.out.s, line, strlen(line));
    assert_string_equal(proc.err.s, "");
    (void)proc_end(&proc);
    run(0, (const char *const[]){"actions", "run", "tell", begun, "--read-only", NULL}, &proc);
    assert_memory_equal(proc.out.s, line, strlen(line));
    assert_non_null(strstr(proc.err.s, "the one cached intent whose id begins with this"));
    (void)proc_end(&proc);
}

static void as_json_its_arguments_and_what_it_printed(void **state) {
    (void)state;
    struct proc proc;
    run(0, (const char *const[]){"actions", "run", "tell", id, "--format", "json", NULL}, &proc);
    json_t *root = json_loads(proc.out.s, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(root, "id")), id);
    assert_true(json_is_true(json_object_get(root, "run")));
    assert_int_equal(json_array_size(json_object_get(root, "arguments")), 3);
    assert_memory_equal(json_string_value(json_object_get(root, "output")), "intent ", 7);
    json_decref(root);
    (void)proc_end(&proc);
}

static void what_may_change_is_confirmed(void **state) {
    (void)state;
    EXPECT(2, "", "without a terminal --yes is needed: nothing was run", "actions", "run", "pay out", id);
    EXPECT(2, "", "this profile's environment is sandbox", "actions", "run", "pay out", id, "--yes=production");
    EXPECT(2, "", "this profile is read-only, and pay out is not marked: reads = yes", "actions", "run", "pay out", id,
           "--read-only", "--yes");
    assert_int_not_equal(access(touched, F_OK), 0);
    struct proc proc;
    run(0, (const char *const[]){"actions", "run", "pay out", id, "--dry-run", NULL}, &proc);
    char lines[2 * PATH_BYTES];
    (void)snprintf(lines, sizeof lines, "touch\n%s\n%s\n", touched, id);
    assert_string_equal(proc.out.s, lines);
    (void)proc_end(&proc);
    assert_int_not_equal(access(touched, F_OK), 0);
    EXPECT(0, "", "", "actions", "run", "pay out", id, "--yes");
    assert_int_equal(access(touched, F_OK), 0);
    (void)unlink(touched);
}

static void at_a_terminal_it_is_shown_and_asked_about(void **state) {
    (void)state;
    const struct pty_options options = {.rows = 24, .cols = 120};
    const char *const answers[] = {"no\r", "yes\r"};
    for (int said = 0; said < 2; said++) {
        int status;
        struct pty *pty =
            console_open_args(&service, (const char *const[]){"actions", "run", "pay out", id, NULL}, &options);
        assert_true(pty_expect(pty, "each line one argument and no shell", 60));
        assert_true(pty_expect(pty, "Type yes to run it", 60));
        assert_int_not_equal(access(touched, F_OK), 0);
        pty_feed(pty, answers[said]);
        assert_true(pty_wait(pty, 60, &status));
        assert_int_equal(WEXITSTATUS(status), said ? 0 : 1);
        assert_int_equal(access(touched, F_OK), said ? 0 : -1);
        pty_free(pty);
    }
    (void)unlink(touched);
}

static void it_gets_no_token(void **state) {
    (void)state;
    struct proc proc;
    const char *const with[] = {"/usr/bin/env", "MY_PAYMENTS_TOKEN=tok-4711-secret", NULL};
    char *program = proc_program("bursar");
    const char *const argv[] = {with[0], with[1], program, "actions", "run", "environment", id, NULL};
    assert_int_equal(proc_run(&proc, argv, console_env(&service), PROC_DEADLINE), 0);
    assert_non_null(strstr(proc.out.s, "PATH="));
    assert_null(strstr(proc.out.s, "tok-4711-secret"));
    assert_null(strstr(proc.out.s, service.token));
    free(program);
    (void)proc_end(&proc);
}

static void what_keeps_it_from_running_is_said(void **state) {
    (void)state;
    EXPECT(2, "", "no action tel that can be used; there are: tell, pay out, ", "actions", "run", "tel", id);
    EXPECT(8, "", "no such intent among the ", "actions", "run", "tell", "nobody");
    EXPECT(2, "", "this intent has no decline_category", "actions", "run", "decline", id);
    EXPECT(1, "", "fails: command sh ended with status 3; it said: why", "actions", "run", "fails", id);
}

/* A program gets a value as it was served, or not at all. */
static void f80_a_value_that_is_not_what_it_looks_like_is_refused(void **state) {
    (void)state;
    static const char BODY[] =
        "{\"data\":[{\"id\":\"pay_2\\u200b\",\"status\":\"approved\"},"
        "{\"id\":\"pay_nl\\nx\",\"status\":\"approved\"},"
        "{\"id\":\"pay_plain\",\"currency\":\"EUR\",\"status\":\"approved\"}],\"next_cursor\":null}";
    char path[PATH_BYTES], rule[2 * PATH_BYTES];
    struct proc proc;
    (void)snprintf(path, sizeof path, "%s/body.json", service.folder);
    (void)snprintf(rule, sizeof rule, "path=/intent/list status=200 body_file=%s", path);
    assert_true(proc_write_file(path, BODY));
    service_rule(&service, rule);
    run(0, (const char *const[]){"intents", "list", NULL}, &proc);
    (void)proc_end(&proc);
    service_rule(&service, NULL);
    EXPECT(2, "", "id of this intent cannot be an argument", "actions", "run", "tell", "pay_2");
    EXPECT(2, "", "id of this intent cannot be an argument", "actions", "run", "tell", "pay_nl");
    run(0, (const char *const[]){"actions", "run", "tell", "pay_plain", "--dry-run", NULL}, &proc);
    assert_non_null(strstr(proc.out.s, "intent pay_plain\n"));
    (void)proc_end(&proc);
}

static void as_json_all_that_was_printed_and_whether_it_was_cut(void **state) {
    (void)state;
    struct proc proc;
    run(0, (const char *const[]){"actions", "run", "nul", id, "--format", "json", NULL}, &proc);
    json_t *root = json_loads(proc.out.s, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(root, "output")), "a<00>b\nTOTAL 7\n");
    assert_true(json_is_false(json_object_get(root, "cut")));
    json_decref(root);
    (void)proc_end(&proc);
    run(0, (const char *const[]){"actions", "run", "much", id, "--format", "json", NULL}, &proc);
    root = json_loads(proc.out.s, 0, NULL);
    assert_true(json_is_true(json_object_get(root, "cut")));
    assert_non_null(strstr(proc.err.s, "it printed more than 65536 bytes"));
    json_decref(root);
    (void)proc_end(&proc);
    assert_int_equal(access(touched, F_OK), 0); /* it went on to its end */
    (void)unlink(touched);
}

/* What a program leaves running is not waited for. */
static void what_goes_on_behind_it_is_not_waited_for(void **state) {
    (void)state;
    EXPECT(0, "started\n", "", "actions", "run", "daemon", id);
}

static void f70_a_signal_ends_it_and_this_program(void **state) {
    (void)state;
    static const int SIGNALS[] = {SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        struct proc proc;
        char *program = proc_program("bursar");
        const char *const argv[] = {program, "actions", "run", "waits", id, NULL};
        (void)unlink(touched);
        assert_true(proc_start(&proc, argv, console_env(&service)));
        while (access(touched, F_OK) != 0)
            assert_false(proc_wait(&proc, 5));
        assert_int_equal(kill(proc.pid, SIGNALS[i]), 0);
        assert_true(proc_wait(&proc, PROC_DEADLINE));
        assert_int_equal(proc.status, 128 + SIGNALS[i]);
        assert_non_null(strstr(proc.err.s, "was ended: a signal came"));
        (void)proc_end(&proc);
        free(program);
    }
    (void)unlink(touched);
}

static void a_file_that_cannot_be_used_is_not_called_none(void **state) {
    (void)state;
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/etc/bursar/actions", service.folder);
    assert_int_equal(chmod(path, 0666), 0);
    EXPECT(9, "[]\n", "can be written by other users", "actions", "list", "--format", "json");
    EXPECT(2, "", "no action tell that can be used; there are: none", "actions", "run", "tell", id);
    assert_int_equal(chmod(path, 0600), 0);
}

static void each_format_is_what_it_is_called(void **state) {
    (void)state;
    struct proc proc;
    run(0, (const char *const[]){"actions", "list", "--format", "ndjson", NULL}, &proc);
    json_t *root = json_loads(proc.out.s, JSON_DISABLE_EOF_CHECK, NULL);
    assert_true(json_is_object(root));
    json_decref(root);
    (void)proc_end(&proc);
    EXPECT(2, "", "actions list prints no CSV", "actions", "list", "--format", "csv");
    EXPECT(2, "", "views list prints no CSV", "views", "list", "--format", "csv-excel");
    EXPECT(0, "", "", "views", "list", "--format", "ndjson");
}

/* To a pipe byte for byte, as other data; a terminal gets nothing that acts. */
static void what_it_prints_cannot_act_on_a_terminal(void **state) {
    (void)state;
    const struct pty_options options = {.rows = 24, .cols = 120};
    int status;
    EXPECT(0, "\033[31mred", "", "actions", "run", "escape", id);
    struct pty *pty =
        console_open_args(&service, (const char *const[]){"actions", "run", "escape", id, NULL}, &options);
    assert_true(pty_expect(pty, "[31mred", 60));
    assert_true(pty_wait(pty, 60, &status));
    pty_free(pty);
}

static void without_a_file_the_way_to_one_is_said(void **state) {
    (void)state;
    char path[PATH_BYTES], aside[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/etc/bursar/actions", service.folder);
    (void)snprintf(aside, sizeof aside, "%s/aside", service.folder);
    assert_int_equal(rename(path, aside), 0);
    EXPECT(0, "", "bursar config init actions writes a sample", "actions", "list");
    EXPECT(0, "[]\n", "bursar config init actions writes a sample", "actions", "list", "--format", "json");
    EXPECT(2, "", "bursar config init actions writes a sample", "actions", "run", "tell", id);
    assert_int_equal(rename(aside, path), 0);
}

static int start(void **state) {
    (void)state;
    struct proc proc;
    struct str text;
    if (serve_intents("20") != 0)
        return -1;
    (void)snprintf(touched, sizeof touched, "%s/touched", service.folder);
    str_init(&text, PATH_BYTES * 2);
    str_addf(&text, ACTIONS, touched, touched, touched);
    bool written = console_own_file(&service, "actions", text.s);
    str_clear(&text);
    const char *const args[] = {"intents", "list", "status:approved", "--all", "--format", "ndjson", NULL};
    if (!written || console_run(&service, args, &proc) != 0)
        return -1;
    json_t *row = json_loads(proc.out.s, JSON_DISABLE_EOF_CHECK, NULL);
    (void)snprintf(id, sizeof id, "%s", json_string_value(json_object_get(row, "id")));
    json_decref(row);
    (void)proc_end(&proc);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_listed),
        cmocka_unit_test(what_reads_runs_at_once),
        cmocka_unit_test(as_json_its_arguments_and_what_it_printed),
        cmocka_unit_test(what_may_change_is_confirmed),
        cmocka_unit_test(at_a_terminal_it_is_shown_and_asked_about),
        cmocka_unit_test(it_gets_no_token),
        cmocka_unit_test(what_keeps_it_from_running_is_said),
        cmocka_unit_test(what_it_prints_cannot_act_on_a_terminal),
        cmocka_unit_test(f80_a_value_that_is_not_what_it_looks_like_is_refused),
        cmocka_unit_test(as_json_all_that_was_printed_and_whether_it_was_cut),
        cmocka_unit_test(what_goes_on_behind_it_is_not_waited_for),
        cmocka_unit_test(f70_a_signal_ends_it_and_this_program),
        cmocka_unit_test(a_file_that_cannot_be_used_is_not_called_none),
        cmocka_unit_test(each_format_is_what_it_is_called),
        cmocka_unit_test(without_a_file_the_way_to_one_is_said),
    };
    return cmocka_run_group_tests_name("own actions", tests, start, stop_service);
}
