/* `intents list --follow` and `--since-last` of the real program, against a service whose intents come and change. */
#include "base/mem.h"
#include "support/listing.h"
#include "support/one_service.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 4096, SIGNALLED = 128, UNREAD = SIGNALLED + SIGPIPE };

static int start(void **state) {
    (void)state;
    return serve_intents("60");
}

static void put(const char *target, const char *body) {
    struct http_reply reply;
    assert_true(service_control(&service, "POST", target, body, &reply));
    assert_in_range(reply.status, 200, 201);
    http_reply_clear(&reply);
}

static void put_intent(const char *id, const char *status) {
    char body[256];
    (void)snprintf(body, sizeof body, "{\"id\":\"%s\",\"status\":\"%s\",\"created_at\":\"2026-06-15T11:59:59.000Z\"}",
                   id, status);
    put("/control/intents", body);
}

/* Running, past its baseline. */
static void follow(struct proc *proc, const char *const args[]) {
    enum { ARGS = 16 };
    char *program = proc_program("bursar");
    const char *argv[ARGS] = {program};
    for (size_t i = 0; args[i] && i + 2 < ARGS; i++)
        argv[i + 1] = args[i];
    assert_true(proc_start(proc, argv, console_env(&service)));
    free(program);
}

/* Collects what it says until the text was seen on standard error. */
static void expect_said(struct proc *proc, const char *text) {
    if (!proc_expect(proc, text, PROC_DEADLINE))
        fail_msg("not said: %s\n%s%s", text, proc->out.s, proc->err.s);
}

static void new_intents_are_printed_and_the_baseline_is_not(void **state) {
    struct proc proc;
    (void)state;
    follow(&proc,
           (const char *const[]){"intents", "list", "status:declined", "--follow", "1s", "--format", "ndjson", NULL});
    expect_said(&proc, "what comes from now on is printed");
    put_intent("int_follow_1", "declined");
    put_intent("int_follow_other", "approved");
    expect_said(&proc, "\"id\":\"int_follow_1\"");
    assert_int_equal(text_count(proc.out.s, "\n"), 1);
    assert_int_equal(kill(proc.pid, SIGTERM), 0);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    assert_int_equal(proc.status, SIGNALLED + SIGTERM);
    assert_non_null(strstr(proc.err.s, " UTC: 1 new, "));
    assert_non_null(strstr(proc.err.s, "bursar: ended by a signal after "));
    (void)proc_end(&proc);
}

static void changes_are_lines_of_field_old_and_new(void **state) {
    struct proc proc;
    struct http_reply reply;
    char target[256];
    (void)state;
    assert_true(service_request(&service, "GET", "/intent/list?status=pending", NULL, NULL, &reply));
    char *id = listing_id(reply.body.s, 0);
    (void)snprintf(target, sizeof target, "/control/intents?replace=%s", id);
    http_reply_clear(&reply);
    follow(&proc, (const char *const[]){"intents", "list", "status:pending", "--follow", "1s", "--changes", "--format",
                                        "ndjson", "--limit", "60", NULL});
    expect_said(&proc, "what comes from now on is printed");
    put(target, "{\"status\":\"approved\"}");
    expect_said(&proc, "\"field\":\"status\",\"old\":\"pending\",\"new\":\"approved\",\"seen\":\"");
    put_intent("int_follow_3", "pending");
    expect_said(&proc, "{\"id\":\"int_follow_3\",\"field\":\"status\",\"old\":null,\"new\":\"pending\",\"seen\":\"");
    assert_non_null(strstr(proc.out.s, id));
    free(id);
    assert_int_equal(kill(proc.pid, SIGINT), 0);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    assert_int_equal(proc.status, SIGNALLED + SIGINT);
    (void)proc_end(&proc);
}

/* F76: whatever it waits for. */
static void a_reader_that_goes_ends_it_silently(void **state) {
    struct proc proc;
    (void)state;
    follow(&proc, (const char *const[]){"intents", "list", "--follow", "1s", "--format", "csv", "--quiet", NULL});
    assert_int_equal(close(proc.out_fd), 0);
    proc.out_fd = -1;
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    assert_int_equal(proc.status, UNREAD);
    assert_string_equal(proc.err.s, "");
    (void)proc_end(&proc);
}

static char *since(int status, bool err, const char *name, const char *filter) {
    struct proc proc;
    int code = console_run(
        &service, (const char *const[]){"intents", "list", filter, "--since-last", name, "--format", "ndjson", NULL},
        &proc);
    if (code != status)
        fail_msg("exit %d, not %d: %s", code, status, proc.err.s);
    char *text = mem_dup(err ? proc.err.s : proc.out.s);
    (void)proc_end(&proc);
    return text;
}

static void assert_since(const char *name, const char *filter, int lines, const char *part) {
    char *text = since(0, false, name, filter);
    assert_int_equal(text_count(text, "\n"), lines);
    assert_non_null(strstr(text, part));
    free(text);
}

static void place_of(const char *name, char path[PATH_BYTES]) {
    struct proc proc;
    assert_int_equal(proc_run(&proc,
                              (const char *const[]){"/bin/sh", "-c", "find \"$0\" -name \"*$1\" -path '*since*'",
                                                    service.folder, name, NULL},
                              NULL, PROC_DEADLINE),
                     0);
    (void)snprintf(path, PATH_BYTES, "%.*s", (int)strcspn(proc.out.s, "\n"), proc.out.s);
    (void)proc_end(&proc);
}

static void each_run_prints_what_is_new_since_the_last(void **state) {
    char path[PATH_BYTES];
    struct stat info;
    (void)state;
    assert_since("nightly", "status:declined", 0, "");
    put_intent("int_since_1", "declined");
    put_intent("int_since_other", "approved");
    assert_since("nightly", "status:declined", 1, "\"id\":\"int_since_1\"");
    assert_since("nightly", "status:declined", 0, "");
    assert_since("weekly", "status:declined", 0, ""); /* another name begins by itself */
    place_of("nightly", path);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    char *kept = proc_read_file(path);
    assert_null(strstr(kept, "int_since"));
    free(kept);
}

static void a_name_of_another_question_is_refused(void **state) {
    (void)state;
    free(since(0, false, "mine", "status:declined"));
    char *said = since(2, true, "mine", "status:approved");
    assert_non_null(strstr(said, "was noted for another question"));
    free(said);
    said = since(2, true, "../mine", "status:approved");
    assert_non_null(strstr(said, "a name is up to 64 letters"));
    free(said);
}

static void a_damaged_place_is_named_and_not_trusted(void **state) {
    char path[PATH_BYTES];
    (void)state;
    free(since(0, false, "hurt", ""));
    place_of("hurt", path);
    char *kept = proc_read_file(path);
    kept[strlen(kept) / 2] ^= 1;
    assert_true(proc_write_file(path, kept));
    char *said = since(1, true, "hurt", "");
    assert_non_null(strstr(said, "is damaged: it is not known what is new"));
    assert_non_null(strstr(said, path));
    char *after = proc_read_file(path);
    assert_string_equal(kept, after);
    free(kept);
    free(after);
    free(said);
}

static void an_empty_place_is_damage_and_no_first_run(void **state) {
    char path[PATH_BYTES];
    (void)state;
    free(since(0, false, "emptied", ""));
    place_of("emptied", path);
    assert_true(proc_write_file(path, ""));
    char *said = since(1, true, "emptied", "");
    assert_non_null(strstr(said, "is damaged: it is not known what is new"));
    assert_non_null(strstr(said, path));
    free(said);
}

/* Into a full disk, as a table and as each other format. */
static void what_did_not_arrive_is_printed_by_the_next_run(void **state) {
    static const char *const FORMATS[] = {"table", "json", "csv", "ndjson"};
    char *program = proc_program("bursar");
    (void)state;
    assert_since("full", "status:declined", 0, "");
    put_intent("int_full", "declined");
    for (size_t i = 0; i < COUNT_OF(FORMATS); i++) {
        struct proc proc;
        const char *const argv[] = {
            "/bin/sh", "-c",       "exec \"$0\" intents list status:declined --since-last full --format $1 > /dev/full",
            program,   FORMATS[i], NULL};
        assert_int_equal(proc_run(&proc, argv, console_env(&service), PROC_DEADLINE), 1);
        assert_null(strstr(proc.err.s, " new, "));
        (void)proc_end(&proc);
    }
    assert_since("full", "status:declined", 1, "\"id\":\"int_full\"");
    assert_since("full", "status:declined", 0, "");
    free(program);
}

static void a_list_that_is_cut_short_leaves_the_place_as_it_was(void **state) {
    static const struct {
        const char *rule, *says;
    } RULES[] = {{"path=/intent/list cursor=repeat", "the service repeats a cursor before "},
                 {"path=/intent/list cursor=blank", "pages bring nothing new before "}};
    char path[PATH_BYTES];
    (void)state;
    free(since(0, false, "cut", "status:declined"));
    place_of("cut", path);
    char *before = proc_read_file(path);
    for (size_t i = 0; i < COUNT_OF(RULES); i++) {
        struct proc proc;
        service_rule(&service, RULES[i].rule);
        int code = console_run(&service,
                               (const char *const[]){"intents", "list", "--since-last", "cut_at_first", "--limit",
                                                     "1000", "--format", "ndjson", NULL},
                               &proc);
        if (code != 8 || !strstr(proc.err.s, RULES[i].says))
            fail_msg("exit %d: %s", code, proc.err.s);
        assert_int_equal(proc.out.len, 0);
        (void)proc_end(&proc);
    }
    service_rule(&service, NULL);
    char *after = proc_read_file(path);
    assert_string_equal(before, after);
    free(before);
    free(after);
    assert_since("cut_at_first", "", 0, ""); /* none was noted: another question is not refused */
}

static void a_row_that_cannot_be_read_is_told_once(void **state) {
    (void)state;
    free(since(0, false, "broken", ""));
    service_put_intent(&service, "@", "17", 2);
    char *rows = since(8, false, "broken", "");
    assert_int_equal(text_count(rows, "\"broken\":"), 1);
    free(rows);
    assert_since("broken", "", 0, "");
}

static void the_place_has_no_word_of_the_filter(void **state) {
    char path[PATH_BYTES];
    (void)state;
    free(since(0, false, "private", "mask:4242 bank:example"));
    place_of("private", path);
    char *kept = proc_read_file(path);
    assert_null(strstr(kept, "4242"));
    assert_null(strstr(kept, "example"));
    free(kept);
    char *said = since(2, true, "private", "mask:4243 bank:example");
    assert_non_null(strstr(said, "was noted for another question"));
    assert_null(strstr(said, "4242"));
    free(said);
}

static void one_run_at_a_time_has_a_place(void **state) {
    char path[PATH_BYTES], lock[PATH_BYTES + 16];
    (void)state;
    free(since(0, false, "shared", ""));
    place_of("shared", path);
    (void)snprintf(lock, sizeof lock, "%s%%3Alock", path);
    int fd = open(lock, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
    put_intent("int_shared", "declined");
    char *said = since(1, true, "shared", "");
    assert_non_null(strstr(said, "another run has this place of --since-last"));
    free(said);
    assert_int_equal(close(fd), 0);
    assert_since("shared", "", 1, "\"id\":\"int_shared\"");
}

static void refused(const char *option, const char *value) {
    struct proc proc;
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", option, value, NULL}, &proc), 2);
    (void)proc_end(&proc);
}

static void what_does_not_go_together_is_said(void **state) {
    (void)state;
    refused("--follow", "30");
    refused("--follow", "30s"); /* as a table */
    refused("--changes", NULL);
    refused("--cached", "--since-last=x");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_intents_are_printed_and_the_baseline_is_not),
        cmocka_unit_test(changes_are_lines_of_field_old_and_new),
        cmocka_unit_test(a_reader_that_goes_ends_it_silently),
        cmocka_unit_test(each_run_prints_what_is_new_since_the_last),
        cmocka_unit_test(a_name_of_another_question_is_refused),
        cmocka_unit_test(a_damaged_place_is_named_and_not_trusted),
        cmocka_unit_test(an_empty_place_is_damage_and_no_first_run),
        cmocka_unit_test(what_did_not_arrive_is_printed_by_the_next_run),
        cmocka_unit_test(a_list_that_is_cut_short_leaves_the_place_as_it_was),
        cmocka_unit_test(the_place_has_no_word_of_the_filter),
        cmocka_unit_test(one_run_at_a_time_has_a_place),
        cmocka_unit_test(a_row_that_cannot_be_read_is_told_once),
        cmocka_unit_test(what_does_not_go_together_is_said),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
