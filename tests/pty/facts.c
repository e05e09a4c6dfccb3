/* Facts about intents at a real terminal: changes observed in two readings of the service. */
#include "base/mem.h"
#include "support/listing.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static int start(void **state) {
    (void)state;
    return serve_intents("300");
}

static void a_change_between_two_readings_is_told(void **state) {
    struct http_reply reply;
    struct str target;
    (void)state;
    struct pty *pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "1 of 100 read so far", 20));
    pty_feed(pty, "D");
    assert_true(pty_expect(pty, "no change was observed", 20));
    pty_feed(pty, "q");
    assert_true(service_request(&service, "GET", "/intent/list", NULL, NULL, &reply));
    char *id = listing_id(reply.body.s, 0);
    http_reply_clear(&reply);
    str_init(&target, 256);
    str_addf(&target, "/control/intents?replace=%s", id);
    assert_true(service_control(&service, "POST", target.s, "{\"status\":\"frozen\"}", &reply));
    http_reply_clear(&reply);
    pty_feed(pty, "r");
    assert_true(pty_expect(pty, "~2026-", 20));
    pty_feed(pty, "D");
    assert_true(pty_expect(pty, "-> frozen", 20));
    pty_feed(pty, "q");
    console_leave(pty);
    str_clear(&target);
    free(id);
}

static void all_cached_intents_of_a_bank_are_two_keys_away(void **state) {
    (void)state;
    struct pty *pty = console_open(&service, 24, 120);
    assert_true(pty_expect(pty, "read so far", 20));
    pty_feed(pty, "o");
    assert_true(pty_expect(pty, "all cached intents with the same", 20));
    pty_feed(pty, "bank\r");
    assert_true(pty_expect(pty, "local[bank=", 20));
    assert_true(pty_expect(pty, "cached rows so far", 20));
    console_leave(pty);
}

static void values_are_counted_and_chosen(void **state) {
    (void)state;
    struct pty *pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "read so far", 20));
    pty_feed(pty, "F");
    assert_true(pty_expect(pty, "R reads all", 20));
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "in 300 intents, all there are", 20));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "server[status:approved]", 20));
    console_leave(pty);
}

static char *history_path(void) {
    struct str path;
    str_init(&path, 4096);
    str_addf(&path, "%s/state/bursar/history/test", service.folder);
    return str_take(&path);
}

/* A line typed in one run is there in the next, private; what names a user is not; purge removes it. */
static void lines_typed_are_kept_between_runs(void **state) {
    struct proc proc;
    struct stat info;
    (void)state;
    char *path = history_path();
    struct pty *pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "read so far", 20));
    pty_feed(pty, "/user:secretmarker\r");
    assert_true(pty_expect(pty, "local[user:secretmarker]", 20));
    pty_feed(pty, "/\x15rail:card\r");
    assert_true(pty_expect(pty, "local[rail:card]", 20));
    console_leave(pty);
    char *text = proc_read_file(path);
    assert_non_null(text);
    assert_string_equal(text, "/rail:card\n");
    free(text);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "read so far", 20));
    pty_feed(pty, "/\x1b[A");
    assert_true(pty_expect(pty, "/rail:card", 20));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "local[rail:card]", 20));
    console_leave(pty);
    assert_int_equal(console_run(&service, (const char *const[]){"purge", "--session", NULL}, &proc), 0);
    assert_non_null(strstr(proc.out.s, "history of 1 profile removed"));
    (void)proc_end(&proc);
    assert_int_not_equal(stat(path, &info), 0);
    free(path);
}

static void write_lines(const char *path, int n, mode_t mode) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < n; i++)
        (void)fprintf(file, "/amount>=%d\n", i);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void type_a_filter(void) {
    struct pty *pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "read so far", 20));
    pty_feed(pty, "/rail:card\r");
    assert_true(pty_expect(pty, "local[rail:card]", 20));
    console_leave(pty);
}

static void the_history_is_bounded_and_only_a_private_one_is_believed(void **state) {
    enum { LINES = 200 };
    (void)state;
    type_a_filter();
    char *path = history_path();
    write_lines(path, LINES + 50, 0600);
    type_a_filter();
    char *text = proc_read_file(path);
    assert_int_equal(text_count(text, "\n"), LINES);
    assert_non_null(strstr(text, "/amount>=249\n/rail:card\n"));
    assert_null(strstr(text, "/amount>=50\n"));
    free(text);
    write_lines(path, 3, 0644);
    type_a_filter();
    text = proc_read_file(path);
    assert_string_equal(text, "/rail:card\n");
    free(text);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_between_two_readings_is_told),
        cmocka_unit_test(all_cached_intents_of_a_bank_are_two_keys_away),
        cmocka_unit_test(values_are_counted_and_chosen),
        cmocka_unit_test(lines_typed_are_kept_between_runs),
        cmocka_unit_test(the_history_is_bounded_and_only_a_private_one_is_believed),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
