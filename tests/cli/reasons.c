/* What declines mean, on the command line: the sample, counts, and which codes nobody explained. */
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static int start(void **state) {
    (void)state;
    return serve_intents("400");
}

static void run(int status, const char *const args[], struct proc *proc) {
    int got = console_run(&service, args, proc);
    if (got != status)
        print_error("exit %d, printed: %s\nsaid: %s\n", got, proc->out.s, proc->err.s);
    assert_int_equal(got, status);
}

static void expect(int status, const char *const args[], const char *printed, const char *said) {
    struct proc proc;
    run(status, args, &proc);
    if (!strstr(proc.out.s, printed) || !strstr(proc.err.s, said))
        fail_msg("\"%s\" and \"%s\" are not in:\n%s\n%s", printed, said, proc.out.s, proc.err.s);
    (void)proc_end(&proc);
}

static void put(const char *text) {
    assert_true(console_own_file(&service, "reasons", text));
}

static void the_sample_explains_every_code_of_the_sandbox(void **state) {
    struct proc proc;
    char path[4096];
    struct stat info;
    (void)state;
    run(0, (const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, &proc);
    (void)proc_end(&proc);
    expect(0, (const char *const[]){"config", "check", NULL}, "declines without an entry in reasons: ", "");
    expect(0, (const char *const[]){"config", "init", "reasons", NULL}, "/bursar/reasons\n", "");
    (void)snprintf(path, sizeof path, "%s/etc/bursar/reasons", service.folder);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    run(0, (const char *const[]){"config", "check", NULL}, &proc);
    assert_null(strstr(proc.out.s, "declines without"));
    (void)proc_end(&proc);
    expect(1, (const char *const[]){"config", "init", "reasons", NULL}, "", "is already there");
}

static void counts_of_declines_have_the_meaning(void **state) {
    struct proc proc;
    (void)state;
    put("[risk]\nmeaning = Our rules, \"not\" the bank\n");
    expect(0, (const char *const[]){"intents", "stats", "--by", "decline", NULL}, "  Our rules, \"not\" the bank\n",
           "");
    expect(0, (const char *const[]){"intents", "stats", "--by", "decline", "--format", "ndjson", NULL},
           "\"meaning\":\"Our rules, \\\"not\\\" the bank\"}", "");
    expect(0, (const char *const[]){"intents", "stats", "--by", "decline", "--format", "csv", NULL}, ",meaning\r\n",
           "");
    expect(0, (const char *const[]){"intents", "stats", "--by", "decline", "--format", "csv", NULL},
           ",\"Our rules, \"\"not\"\" the bank\"\r\n", "");
    run(0, (const char *const[]){"intents", "stats", "--by", "status", "--format", "csv", NULL}, &proc);
    assert_non_null(strstr(proc.out.s, "status,intents,percent,"));
    assert_null(strstr(proc.out.s, "meaning"));
    (void)proc_end(&proc);
    run(0, (const char *const[]){"config", "check", NULL}, &proc);
    assert_non_null(strstr(proc.out.s, "declines without an entry in reasons: "));
    assert_null(strstr(proc.out.s, "risk"));
    (void)proc_end(&proc);
}

static void a_fault_is_told_and_the_rest_applies(void **state) {
    (void)state;
    put("[risk]\nmeaning = Ours\nmeaning = Theirs\n");
    expect(9, (const char *const[]){"config", "check", NULL}, "reasons:3: meaning is given twice for risk\n",
           "the file reasons has faults");
    expect(0, (const char *const[]){"intents", "stats", "--by", "decline", NULL}, "Ours\n", "reasons:3: ");
    put("");
    expect(0, (const char *const[]){"intents", "stats", "--by", "decline", NULL}, "  risk  ", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_explains_every_code_of_the_sandbox),
        cmocka_unit_test(counts_of_declines_have_the_meaning),
        cmocka_unit_test(a_fault_is_told_and_the_rest_applies),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
