/* A token with a mark in it, and every error provoked, by screen and by command line: the mark is found nowhere but in
 * the token's own file. The service even sends the token back in its errors. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/console.h"
#include "support/damage.h"
#include "support/relay.h"

#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#define MARK "M4rk-q7Zt9x"
#define TOKEN "tok_" MARK "_end"

enum { FILE_MAX = 64 << 20, RULE_MAX = 8192 };

static struct service service;
static char *bait; /* folder of the bodies that hold the token */

static void put_bait(const char *name, const char *text) {
    struct str path;
    str_init(&path, RULE_MAX);
    str_addf(&path, "%s/%s", bait, name);
    assert_true(proc_write_file(path.s, text));
    str_clear(&path);
}

static int start(void **state) {
    (void)state;
    const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    (void)setrlimit(RLIMIT_CORE, &all);
    bait = proc_folder_new();
    put_bait("json", "{\"error\":{\"code\":\"" TOKEN "\",\"message\":\"Bearer " TOKEN " is not good\"}}");
    put_bait("html", "<html><title>" TOKEN "</title><p>Authorization: Bearer " TOKEN "</p></html>");
    put_bait("text", "no: " TOKEN);
    return service_start(&service, NULL) && proc_write_file(service.token_file, TOKEN "\n") ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    proc_folder_remove(bait);
    return service_stop(&service);
}

static bool holds_mark(const char *bytes, size_t len) {
    return memmem(bytes, len, MARK, strlen(MARK)) != NULL;
}

static bool file_holds_mark(const char *path, size_t *len) {
    struct bytes all = bytes_read(path);
    assert_true(all.there);
    bool found = holds_mark(all.s, all.len);
    *len = all.len;
    free(all.s);
    return found;
}

static const char *marked; /* first file with the mark, a copy on the heap */
static size_t files_read;

static int look_into(const char *path, const struct stat *st, int kind, struct FTW *walk) {
    const char *name = path + walk->base;
    size_t len;
    if (kind != FTW_F || !S_ISREG(st->st_mode) || strcmp(path, service.token_file) == 0)
        return 0;
    files_read++;
    if (strncmp(name, "core", 4) == 0 || file_holds_mark(path, &len))
        marked = mem_dup(path);
    return marked != NULL;
}

/* Everything under the program's home: configuration, cache, state, log, and a core file were there one. */
static void no_file_holds_the_mark(void) {
    files_read = 0;
    (void)nftw(service.folder, look_into, 16, FTW_PHYS);
    if (marked)
        fail_msg("the mark is in %s", marked);
    assert_true(files_read > 0);
}

static void process_shows_no_mark(pid_t pid) {
    static const char *const names[] = {"cmdline", "environ"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[64];
        size_t len;
        (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, names[i]);
        if (file_holds_mark(path, &len))
            fail_msg("the mark is in %s", path);
        assert_true(len > 0);
    }
}

/* Each time in another format: failures are the same in all, and some are tried again for a while. */
static void by_command_line(const char *what) {
    static const char *const formats[] = {"table", "ndjson", "json", "csv"};
    static size_t turn;
    struct proc proc;
    const char *const args[] = {"intents", "list", "--all", "--format", formats[turn++ % COUNT_OF(formats)], NULL};
    assert_int_not_equal(console_run(&service, args, &proc), 0);
    if (holds_mark(proc.out.s, proc.out.len) || holds_mark(proc.err.s, proc.err.len))
        fail_msg("%s: the mark is in the output: %s%s", what, proc.out.s, proc.err.s);
    assert_true(proc.err.len > 0);
    (void)proc_end(&proc);
}

static struct pty *open_in_folder(void) {
    const struct pty_options options = {.rows = 40, .cols = 160, .folder = service.folder};
    return console_open_args(&service, NULL, &options);
}

static void no_mark_on_screen(struct pty *pty, const char *what) {
    size_t len;
    const char *bytes = pty_bytes(pty, &len);
    assert_true(len > 0);
    if (holds_mark(bytes, len) || strstr(pty_screen(pty), MARK))
        fail_msg("%s: the mark is on the screen", what);
}

/* The failure is on the screen, marked as one; asked again, with the help over it, and out. */
static void by_screen(const char *what) {
    int status;
    struct pty *pty = open_in_folder();
    assert_true(pty_expect(pty, " E ", 20));
    pty_settle(pty, 300);
    process_shows_no_mark(pty_pid(pty));
    pty_feed(pty, "r");
    pty_settle(pty, 100);
    pty_feed(pty, "?");
    assert_true(pty_expect(pty, "Keys:", 20));
    pty_feed(pty, "\x1b");
    assert_true(pty_expect_gone(pty, "Keys:", 20));
    process_shows_no_mark(pty_pid(pty));
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, 20, &status));
    no_mark_on_screen(pty, what);
    pty_free(pty);
}

static void provoke(const char *rule) {
    struct str full;
    const char *const args[] = {"--fault", NULL, NULL};
    const char *with[3];
    memcpy(with, args, sizeof args);
    str_init(&full, RULE_MAX);
    /* BAIT stands for the folder. */
    const char *place = strstr(rule, "BAIT");
    str_add_n(&full, rule, place ? (size_t)(place - rule) : strlen(rule));
    if (place)
        str_addf(&full, "%s%s", bait, place + strlen("BAIT"));
    with[1] = full.s;
    assert_true(service_restart(&service, with));
    assert_string_equal(service.token, TOKEN);
    assert_true(console_configure(&service, service.url, ""));
    by_command_line(rule);
    by_screen(rule);
    assert_true(service_journal_count(&service, "/intent/list", "") > 0);
    no_file_holds_the_mark();
    str_clear(&full);
}

static void every_error_that_sends_the_token_back_shows_none_of_it(void **state) {
    (void)state;
    static const char *const rules[] = {
        "path=/intent/list status=401 header=\"WWW-Authenticate: Bearer realm=" TOKEN "\" body_file=BAIT/json",
        "path=/intent/list status=403 type=text/html body_file=BAIT/html",
        "path=/intent/list status=400 type=text/plain body_file=BAIT/text",
        "path=/intent/list status=302 header=\"Location: http://127.0.0.1:1/login?token=" TOKEN "\"",
        "path=/intent/list retry_after=1 header=\"X-Token: " TOKEN "\" body_file=BAIT/json",
        "path=/intent/list status=500 body_file=BAIT/json",
        "path=/intent/list status=502 type=text/html body_file=BAIT/html",
        "path=/intent/list type=text/html body_file=BAIT/html",
        "path=/intent/list type=text/plain body_file=BAIT/text",
        "path=/intent/list truncate=60 status=500 body_file=BAIT/json",
        "path=/intent/list header=\"X-Request-Id: " TOKEN "\" reset=1",
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++)
        provoke(rules[i]);
}

static void a_failed_handshake_shows_and_sends_none_of_it(void **state) {
    (void)state;
    const struct relay_answer answer = {.bytes = "HTTP/1.1 400 no\r\n\r\n" TOKEN, .before_request = true};
    struct relay *relay = relay_script(&answer, 1, NULL);
    char url[64];
    struct str got;
    (void)snprintf(url, sizeof url, "https://127.0.0.1:%d", relay_port(relay));
    assert_true(console_configure(&service, url, ""));
    by_command_line("tls");
    by_screen("tls");
    no_file_holds_the_mark();
    str_init(&got, FILE_MAX);
    relay_received(relay, &got);
    assert_true(relay_connections(relay) > 1);
    assert_false(holds_mark(got.s, got.len));
    str_clear(&got);
    relay_free(relay);
}

/* The variable's value is overwritten in the process's own memory, which /proc shows. */
static void a_token_from_the_environment_is_gone_from_it(void **state) {
    (void)state;
    int status;
    struct str text, path;
    assert_true(service_restart(&service, (const char *const[]){"--intents", "20", NULL}));
    str_init(&text, RULE_MAX);
    str_addf(&text,
             "profile test {\n  environment = sandbox\n  base_url = '%s'\n  token_env = 'BURSAR_TEST_TOKEN'\n}\n"
             "default_profile = \"test\"\n",
             service.url);
    str_init(&path, RULE_MAX);
    str_addf(&path, "%s/config", service.folder);
    assert_true(proc_write_file(path.s, text.s));
    assert_int_equal(setenv("BURSAR_TEST_TOKEN", TOKEN, 1), 0);
    struct pty *pty = open_in_folder();
    (void)unsetenv("BURSAR_TEST_TOKEN");
    assert_true(pty_expect(pty, "end of the list seen", 20));
    process_shows_no_mark(pty_pid(pty));
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, 20, &status));
    no_mark_on_screen(pty, "token_env");
    no_file_holds_the_mark();
    pty_free(pty);
    str_clear(&text);
    str_clear(&path);
}

static void a_crash_leaves_no_core(void **state) {
    (void)state;
    int status;
    assert_true(service_restart(&service, (const char *const[]){"--intents", "20", NULL}));
    assert_true(console_configure(&service, service.url, ""));
    struct pty *pty = open_in_folder();
    assert_true(pty_expect(pty, "end of the list seen", 20));
    pty_signal(pty, SIGABRT);
    assert_true(pty_wait(pty, 20, &status));
    assert_false(WIFSIGNALED(status) && WCOREDUMP(status));
    no_mark_on_screen(pty, "crash");
    no_file_holds_the_mark();
    pty_free(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_that_sends_the_token_back_shows_none_of_it),
        cmocka_unit_test(a_failed_handshake_shows_and_sends_none_of_it),
        cmocka_unit_test(a_token_from_the_environment_is_gone_from_it),
        cmocka_unit_test(a_crash_leaves_no_core),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
