/* The key map file and a faulty configuration, as the command line says them. */
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int start(void **state) {
    (void)state;
    return serve_intents("5");
}

static void put(const char *text) {
    assert_true(console_own_file(&service, "keys", text));
}

static void the_effective_map_is_listed(void **state) {
    struct proc proc;
    (void)state;
    put("preset = mutt\n[keys.intents]\nfind = Ctrl-T\ncrawl = none\n");
    assert_int_equal(console_run(&service, (const char *const[]){"keys", "list", NULL}, &proc), 0);
    assert_non_null(strstr(proc.out.s, "=, Home"));
    assert_non_null(strstr(proc.out.s, "Ctrl-T"));
    assert_string_equal(proc.err.s, "");
    (void)proc_end(&proc);
}

static void a_clash_is_an_error_with_both_lines(void **state) {
    struct proc proc;
    (void)state;
    put("[keys.intents]\nfind = K\nfilter = K\n");
    assert_int_equal(console_run(&service, (const char *const[]){"keys", "list", NULL}, &proc), 2);
    assert_non_null(strstr(proc.err.s, "keys:3: K is given to filter, and on line 2 to find\n"));
    (void)proc_end(&proc);
    assert_int_equal(console_run(&service, (const char *const[]){"config", "check", NULL}, &proc), 9);
    assert_non_null(strstr(proc.out.s, "keys:3: K is given to filter"));
    (void)proc_end(&proc);
}

static void a_preset_is_shown_without_the_file(void **state) {
    struct proc proc;
    (void)state;
    assert_int_equal(console_run(&service, (const char *const[]){"keys", "list", "arrows", NULL}, &proc), 0);
    assert_null(strstr(proc.out.s, "j, Down"));
    (void)proc_end(&proc);
    assert_int_equal(console_run(&service, (const char *const[]){"keys", "list", "emacs", NULL}, &proc), 2);
    assert_non_null(strstr(proc.err.s, "no preset emacs; they are: vim arrows mutt"));
    (void)proc_end(&proc);
}

/* One line that counts the others: the reader of a terminal looks at the last one. */
static void a_fault_of_the_configuration_is_printed_once(void **state) {
    struct proc proc;
    (void)state;
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/config", service.folder);
    assert_true(proc_write_file(path, "profile x {\n  bad = 1\n}\n"));
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", NULL}, &proc), 2);
    const char *first = strstr(proc.err.s, "no such key in profile: bad");
    assert_non_null(first);
    assert_null(strstr(first + 1, "no such key in profile: bad"));
    assert_non_null(strstr(first, "more; see bursar config check"));
    (void)proc_end(&proc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_effective_map_is_listed),
        cmocka_unit_test(a_clash_is_an_error_with_both_lines),
        cmocka_unit_test(a_preset_is_shown_without_the_file),
        cmocka_unit_test(a_fault_of_the_configuration_is_printed_once),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
