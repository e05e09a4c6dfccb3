/* The cache as commands see it: what was read once is there without the service, whatever happened to the program. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/console.h"
#include "support/listing.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096 };

static struct service service;

static int setup(void **state) {
    (void)state;
    return console_serve(&service, (const char *const[]){"--intents", "600", "--page-size", "20", NULL}, "") ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    (void)service_stop(&service);
    return 0;
}

/* Heap text of what a command printed; it must exit with `status`. */
static char *run(int status, const char *const args[]) {
    struct proc proc;
    int got = console_run(&service, args, &proc);
    if (got != status)
        print_error("exit %d, said: %s\n", got, proc.err.s);
    assert_int_equal(got, status);
    char *text = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    return text;
}

#define LIST_ALL "intents", "list", "--all", "--format", "ndjson"

static void cached_rows_equal_what_was_served(void **state) {
    (void)state;
    char *all = run(0, (const char *const[]){LIST_ALL, NULL});
    char *declined = run(0, (const char *const[]){LIST_ALL, "--status", "declined", NULL});
    char *two = run(0, (const char *const[]){LIST_ALL, "--status", "pending", "--type", "card_only", NULL});
    assert_int_equal(text_count(all, "\n"), 600);
    assert_true(console_configure(&service, "http://127.0.0.1:1", "")); /* another origin: nothing of it is shown */
    char *other = run(1, (const char *const[]){LIST_ALL, "--cached", NULL});
    assert_string_equal(other, "");
    assert_true(console_configure(&service, service.url, ""));
    assert_true(kill(service.proc.pid, SIGSTOP) == 0);
    char *cached = run(0, (const char *const[]){LIST_ALL, "--cached", NULL});
    char *cached_declined = run(0, (const char *const[]){LIST_ALL, "--cached", "--status", "declined", NULL});
    char *cached_two =
        run(0, (const char *const[]){LIST_ALL, "--cached", "--status", "pending", "--type", "card_only", NULL});
    assert_true(kill(service.proc.pid, SIGCONT) == 0);
    assert_string_equal(cached, all);
    assert_string_equal(cached_declined, declined);
    assert_string_equal(cached_two, two);
    char *const texts[] = {all, declined, two, other, cached, cached_declined, cached_two};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        free(texts[i]);
}

static void a_hundred_by_default_and_more_is_said(void **state) {
    (void)state;
    struct proc proc;
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    assert_int_equal(
        console_run(&service, (const char *const[]){"intents", "list", "--cached", "--format", "ndjson", NULL}, &proc),
        0);
    assert_int_equal(text_count(proc.out.s, "\n"), 100);
    assert_non_null(strstr(proc.err.s, "--all for more"));
    (void)proc_end(&proc);
}

static unsigned next_random(unsigned *seed) {
    *seed = *seed * 1103515245U + 12345U;
    return *seed >> 16;
}

/* How long a whole walk takes in this build on this machine; the cache is empty again after it. */
static int walk_time(void) {
    int64_t began = clock_mono();
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    int ms = (int)(clock_mono() - began);
    free(run(0, (const char *const[]){"cache", "purge", NULL}));
    return ms;
}

/* Waits for a moment, or the program's end. */
static void wait_a_moment(const struct proc *proc, int ms) {
    struct pollfd out = {.fd = proc->err_fd, .events = 0};
    (void)poll(&out, 1, ms);
}

static size_t count_missing(const char *before, const char *after) {
    size_t missing = 0;
    while (*before) {
        size_t len = strcspn(before, "\n");
        char *line = mem_dup_n(before, len);
        missing += strstr(after, line) == NULL;
        free(line);
        before += len + (before[len] == '\n');
    }
    return missing;
}

static void killed_at_any_moment_the_cache_is_sound_and_loses_nothing(void **state) {
    (void)state;
    unsigned seed = 7;
    char *program = proc_program("bursar");
    const char *const argv[] = {program, LIST_ALL, NULL};
    char *held = mem_dup("");
    unsigned whole = (unsigned)walk_time() + 1;
    for (int i = 0, kills = proc_starts(50, 10); i < kills; i++) {
        struct proc proc;
        assert_true(proc_start(&proc, argv, console_env(&service)));
        wait_a_moment(&proc, (int)(next_random(&seed) % whole));
        (void)kill(proc.pid, SIGKILL);
        (void)proc_wait(&proc, PROC_DEADLINE);
        (void)proc_end(&proc);
        char *now = run(0, (const char *const[]){LIST_ALL, "--cached", NULL});
        assert_int_equal(count_missing(held, now), 0);
        free(held);
        held = now;
    }
    free(run(0, (const char *const[]){"cache", "verify", NULL}));
    assert_true(strlen(held) > 0);
    free(held);
    free(program);
}

static void every_file_is_private_whatever_the_umask(void **state) {
    (void)state;
    struct stat status;
    char path[PATH_CAP];
    mode_t before = umask(0);
    free(run(0, (const char *const[]){"intents", "list", NULL}));
    (void)umask(before);
    (void)snprintf(path, sizeof path, "%s/cache/bursar", service.folder);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    (void)snprintf(path, sizeof path, "%s/cache/bursar/test.db", service.folder);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

static void the_log_says_what_was_asked_and_holds_nothing_of_the_answers(void **state) {
    (void)state;
    struct stat status;
    char path[PATH_CAP];
    char *all = run(0, (const char *const[]){LIST_ALL, "--status", "declined", NULL});
    (void)snprintf(path, sizeof path, "%s/state/bursar/log", service.folder);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    char *log = proc_read_file(path);
    assert_true(text_count(log, "GET /intent/list") > 1);
    assert_true(text_count(log, "?status=declined") > 1);
    assert_int_equal(text_count(log, "declined"), text_count(log, "?status=declined")); /* no bodies */
    assert_int_equal(text_count(log, service.token), 0);
    free(log);
    free(all);
}

static void a_damaged_cache_is_set_aside_and_said(void **state) {
    (void)state;
    char path[PATH_CAP];
    struct proc proc;
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    (void)snprintf(path, sizeof path, "%s/cache/bursar/test.db", service.folder);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    char noise[500];
    memset(noise, 'x', sizeof noise);
    assert_int_equal(pwrite(fd, noise, sizeof noise, 0), sizeof noise);
    (void)close(fd);
    assert_int_equal(console_run(&service, (const char *const[]){LIST_ALL, NULL}, &proc), 0);
    assert_int_equal(text_count(proc.out.s, "\n"), 600);
    assert_non_null(strstr(proc.err.s, "set aside"));
    (void)proc_end(&proc);
}

/* The cache answers without the service; whose it is, the token tells where it can be had without asking. Without a yes
 * its rows are neither shown nor mixed with those of another account. */
static void f24_without_a_yes_another_tokens_cache_stays_out(void **state) {
    (void)state;
    enum { REFUSED = 3 };
    struct proc proc;
    char *all = run(0, (const char *const[]){LIST_ALL, NULL});
    char *token = proc_read_file(service.token_file);
    assert_true(proc_write_file(service.token_file, "another-token-of-this-test\n"));
    char *cached = run(1, (const char *const[]){LIST_ALL, "--cached", NULL});
    assert_string_equal(cached, "");
    free(cached);
    static const char *const COMMANDS[][6] = {
        {"intents", "list", "--cached", "has:refund", NULL},
        {"intents", "list", "--cached", "--sort", "amount", NULL},
        {"intents", "stats", "--by", "status", NULL},
        {"intents", "show", "pay", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        assert_int_equal(console_run(&service, COMMANDS[i], &proc), 1);
        assert_string_equal(proc.out.s, "");
        assert_non_null(strstr(proc.err.s, "the token is another than when the cache was written"));
        assert_non_null(strstr(proc.err.s, "--same-account"));
        (void)proc_end(&proc);
    }
    free(run(REFUSED, (const char *const[]){LIST_ALL, NULL}));
    cached = run(0, (const char *const[]){LIST_ALL, "--cached", "--same-account", NULL});
    assert_string_equal(cached, all);
    free(cached);
    assert_true(proc_write_file(service.token_file, token));
    free(all);
    free(token);
}

/* A walk under another token is printed, and not stored into the cache of the first. */
static void f24_a_list_of_another_account_is_never_merged(void **state) {
    (void)state;
    struct proc proc;
    char *token = proc_read_file(service.token_file);
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    assert_true(proc_write_file(service.token_file, "the-token-before\n"));
    free(run(0, (const char *const[]){"intents", "list", "--cached", "--same-account", NULL})); /* it is of this one */
    free(run(0, (const char *const[]){"cache", "purge", NULL}));
    assert_true(proc_write_file(service.token_file, token));
    assert_int_equal(console_run(&service, (const char *const[]){LIST_ALL, NULL}, &proc), 1);
    assert_int_equal(text_count(proc.out.s, "\n"), 600);
    assert_non_null(strstr(proc.err.s, "neither read nor written"));
    (void)proc_end(&proc);
    char *cached = run(0, (const char *const[]){LIST_ALL, "--cached", "--same-account", NULL});
    assert_string_equal(cached, "");
    free(cached);
    free(token);
}

/* Nothing read is not an empty list. */
static void f106_nothing_was_read_yet_is_said(void **state) {
    (void)state;
    struct proc proc;
    free(run(0, (const char *const[]){"cache", "purge", NULL}));
    static const char *const COMMANDS[][6] = {{"intents", "list", "--cached", NULL},
                                              {"intents", "list", "--cached", "status:pending", NULL},
                                              {"intents", "list", "--cached", "--sort", "amount", NULL},
                                              {"intents", "stats", "--by", "status", NULL}};
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        assert_int_equal(console_run(&service, COMMANDS[i], &proc), 0);
        assert_non_null(strstr(proc.err.s, "nothing was read yet"));
        assert_null(strstr(proc.err.s, "all of them"));
        (void)proc_end(&proc);
    }
}

static void a_cache_needs_no_token(void **state) {
    (void)state;
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    char *token = proc_read_file(service.token_file);
    assert_int_equal(unlink(service.token_file), 0);
    free(run(0, (const char *const[]){LIST_ALL, "--cached", NULL}));
    assert_true(proc_write_file(service.token_file, token));
    assert_int_equal(chmod(service.token_file, 0600), 0);
    free(token);
}

static void the_cache_is_emptied_by_one_command(void **state) {
    (void)state;
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    free(run(0, (const char *const[]){"cache", "purge", NULL}));
    char *cached = run(0, (const char *const[]){LIST_ALL, "--cached", NULL});
    assert_string_equal(cached, "");
    free(cached);
}

static char *moved_folder;

/* The nth listing has the intent of this time and amount. */
static bool add_rule(int nth, const char *created, int amount, struct str *rule) {
    char path[PATH_CAP];
    struct str body;
    str_init(&body, 1024);
    (void)snprintf(path, sizeof path, "%s/%d.json", moved_folder, nth);
    str_addf(&body,
             "{\"data\":[{\"id\":\"pay_moved_1\",\"created_at\":\"%s\",\"amount\":%d,\"currency\":\"EUR\"}],"
             "\"next_cursor\":null}",
             created, amount);
    str_addf(rule, "path=/intent/list nth=%d body_file=%s", nth, path);
    bool written = proc_write_file(path, body.s);
    str_clear(&body);
    return written;
}

static int setup_moved(void **state) {
    (void)state;
    moved_folder = proc_folder_new();
    struct str first, second;
    str_init(&first, PATH_CAP);
    str_init(&second, PATH_CAP);
    bool good =
        add_rule(1, "2026-11-01T10:00:00.000Z", 5, &first) && add_rule(2, "2026-10-01T10:00:00.000Z", 7, &second) &&
        console_serve(&service, (const char *const[]){"--intents", "0", "--fault", first.s, "--fault", second.s, NULL},
                      "");
    str_clear(&first);
    str_clear(&second);
    return good ? 0 : -1;
}

static int teardown_moved(void **state) {
    proc_folder_remove(moved_folder);
    return teardown(state);
}

/* ---- F43 and F65: the disk, the folder and the locks of others ---- */

static struct proc told;

/* A line of the shell with $B the program; gives its exit status, and leaves its output in told. */
static int line(const char *text, const char *const more[]) {
    const char *env[24];
    size_t n = 0;
    char *program = proc_program("bursar");
    char variable[PATH_CAP], folder[PATH_CAP];
    (void)snprintf(variable, sizeof variable, "B=%s", program);
    (void)snprintf(folder, sizeof folder, "F=%s", service.folder);
    env[n++] = variable;
    env[n++] = folder;
    for (const char *const *own = console_env(&service); *own; own++)
        env[n++] = *own;
    for (; more && *more; more++)
        env[n++] = *more;
    env[n] = NULL;
    (void)proc_end(&told);
    memset(&told, 0, sizeof told);
    int status = proc_run(&told, (const char *const[]){"/bin/sh", "-c", text, NULL}, env, 60000);
    free(program);
    return status;
}

static void check_whole_and_told(int status, const char *reason) {
    if (status != 0 || !strstr(told.err.s, reason))
        print_error("exit %d, said: %s\n", status, told.err.s);
    assert_int_equal(status, 0);
    assert_int_equal(text_count(told.out.s, "\n"), 600);
    assert_int_equal(text_count(told.err.s, reason), 1);
    assert_non_null(strstr(told.err.s, "600 intents; end of the list"));
}

static void check_all_kept_after(void) {
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    assert_int_equal(line("exec \"$B\" intents list --all --cached --format ndjson", NULL), 0);
    assert_int_equal(text_count(told.out.s, "\n"), 600);
    assert_non_null(strstr(told.err.s, "that is all of them"));
    (void)proc_end(&told);
    memset(&told, 0, sizeof told);
}

static void f43_a_full_disk_in_mid_walk_costs_no_row_and_is_said_once(void **state) {
    (void)state;
    static const char *const BLOCKS[] = {"0", "1", "40", "80", "120"};
    for (size_t i = 0; i < COUNT_OF(BLOCKS); i++) {
        char text[256];
        free(run(0, (const char *const[]){"cache", "purge", NULL}));
        (void)snprintf(text, sizeof text, "trap '' XFSZ; ulimit -f %s; exec \"$B\" intents list --all --format ndjson",
                       BLOCKS[i]); /* what ThreadSanitizer writes before main is none of ours */
        check_whole_and_told(line(text, NULL), i < 3 ? "no space left on the disk" : "pages are not stored (");
        assert_int_equal(line("exec \"$B\" intents list --all --cached --format ndjson", NULL) & ~1, 0);
        assert_null(strstr(told.err.s, "that is all of them"));
        check_all_kept_after();
    }
}

enum { PATIENCE_MS = 9000 };

static int64_t list_beside_a_lock(void *reason) {
    int64_t began = clock_mono();
    int status = line("exec \"$B\" intents list --all --format ndjson", NULL);
    int64_t took = clock_mono() - began;
    check_whole_and_told(status, reason);
    return took;
}

static int64_t list_without_locks(void *more) {
    int64_t began = clock_mono();
    int status = line("exec \"$B\" intents list --all --format ndjson", more);
    int64_t took = clock_mono() - began;
    check_whole_and_told(status, "nothing is cached: the file system refuses locks");
    return took;
}

static void f65_a_cache_held_by_another_is_said_with_its_holder_and_costs_little_time(void **state) {
    (void)state;
    enum { PENDING = 0x40000000, LOCKS = 512 };
    char path[PATH_CAP], reason[128];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = PENDING, .l_len = LOCKS};
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    (void)snprintf(path, sizeof path, "%s/cache/bursar/test.db", service.folder);
    (void)snprintf(reason, sizeof reason, "process %ld) holds the cache locked", (long)getpid());
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0 && fcntl(fd, F_SETLK, &lock) == 0);
    assert_true(proc_best_of(list_beside_a_lock, reason, proc_bar(PATIENCE_MS - 1)) < proc_bar(PATIENCE_MS));
    assert_int_equal(line("exec \"$B\" intents list --cached", NULL), 1);
    assert_non_null(strstr(told.err.s, reason));
    assert_int_equal(close(fd), 0);
    check_all_kept_after();
}

/* NFS without its lock daemon, and file systems that know no locks. */
static void f65_a_file_system_that_does_not_lock_is_said_and_costs_no_row(void **state) {
    (void)state;
    char preload[PATH_CAP];
    (void)snprintf(preload, sizeof preload, "LD_PRELOAD=%s/preload/fail_call.so", getenv("BURSAR_OUT"));
    const char *more[] = {"ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0",
                          "FAIL_KINDS=l",
                          "FAIL_AT=1",
                          "FAIL_ON=1",
                          "FAIL_WITH=ENOLCK",
                          preload,
                          NULL};
    assert_true(proc_best_of(list_without_locks, more, proc_bar(PATIENCE_MS - 1)) < proc_bar(PATIENCE_MS));
    check_all_kept_after();
}

static void an_intent_whose_created_at_changed_is_there_once(void **state) {
    (void)state;
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    free(run(0, (const char *const[]){LIST_ALL, NULL}));
    for (int i = 0; i < 2; i++) { /* before and after a command that looks at all rows made them one */
        char *rows = run(0, (const char *const[]){LIST_ALL, "--cached", NULL});
        char *matches = run(0, (const char *const[]){LIST_ALL, "--cached", "id:pay_moved_1", NULL});
        char *stats = run(0, (const char *const[]){"intents", "stats", "--by", "currency", NULL});
        assert_int_equal(text_count(rows, "\n"), 1);
        assert_int_equal(text_count(matches, "\n"), 1);
        assert_non_null(strstr(stats, " 1  EUR"));
        assert_true(i == 0 || strstr(rows, "2026-10-01T10:00:00.000Z"));
        free(rows);
        free(matches);
        free(stats);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* Rows that cannot be read in passing, newer than those of the sandbox. */
static void put_odd_rows(struct service *odd) {
    static const char *const VALUES[] = {
        "\"amount\":\"007\",\"currency\":\"EUR\"",
        "\"amount\":{\"value\":7,\"currency\":\"JPY\"},\"currency\":null",
        "\"amount\":{\"value\":7,\"currency\":\"JPY\"},\"currency\":\"EUR\",\"guarantee_amount\":1.5",
        "\"amount\":9223372036854775808,\"guarantee_amount\":-1",
        "\"status\":\"a<200B>\",\"type\":\"\\u200b\",\"rail\":\"=1+1\",\"direction\":\"\\\"q\\\",x\"",
        "\"status\":5,\"type\":[1],\"rail\":{\"a\":1},\"user_id\":42",
        "\"user_id\":\"\",\"payment_credential\":\"none\",\"account\":[{\"id\":\"no\"}]",
        "\"payment_credential\":{\"id\":4,\"bank_name\":\"\u0141\u00f3dzki\",\"account\":{\"number_mask\":42},\"card\":"
        "7}",
        "\"st\\u0061tus\":\"hidden\",\"dispute\":\"yes\",\"unknown\":{\"id\":\"inner\"}",
    };
    for (size_t i = 0; i < COUNT_OF(VALUES); i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "{\"id\":\"odd_%zu\",\"created_at\":\"2026-06-16T0%zu:00:00%s\",%s}", i, i,
                       i % 2 ? "Z" : "+00:00", VALUES[i]);
        service_put_intent(odd, "@", text, strlen(text));
    }
}

static void cached_rows_are_printed_as_those_of_the_walk(void **state) {
    static const char *const WAYS[][2] = {{"ndjson", NULL},
                                          {"json", NULL},
                                          {"csv", NULL},
                                          {"table", NULL},
                                          {"csv", "id,created,status,amount,currency,type,rail,user,bank"},
                                          {"csv", "guarantee"},
                                          {"csv", "currency"},
                                          {"csv", "direction,mask,account.id"},
                                          {"csv", "id,flags"}};
    struct service odd;
    (void)state;
    assert_true(console_serve(&odd, (const char *const[]){"--intents", "1300", NULL}, "  amount_unit = minor\n"));
    put_odd_rows(&odd);
    for (size_t i = 0; i < COUNT_OF(WAYS); i++) {
        const char *columns = WAYS[i][1] ? "--columns" : NULL;
        struct proc walked, cached;
        const char *walk[] = {"intents", "list", "--all", "--format", WAYS[i][0], columns, WAYS[i][1], NULL};
        const char *args[] = {"intents",  "list",  "--all",    "--cached", "--format",
                              WAYS[i][0], columns, WAYS[i][1], NULL};
        assert_int_equal(console_run(&odd, walk, &walked), 0);
        assert_int_equal(console_run(&odd, args, &cached), 0);
        assert_true(text_count(walked.out.s, "\n") >= 1309);
        assert_string_equal(cached.out.s, walked.out.s);
        (void)proc_end(&walked);
        (void)proc_end(&cached);
    }
    (void)service_stop(&odd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(cached_rows_equal_what_was_served),
        TEST(cached_rows_are_printed_as_those_of_the_walk),
        TEST(a_hundred_by_default_and_more_is_said),
        TEST(killed_at_any_moment_the_cache_is_sound_and_loses_nothing),
        TEST(every_file_is_private_whatever_the_umask),
        TEST(the_log_says_what_was_asked_and_holds_nothing_of_the_answers),
        TEST(a_damaged_cache_is_set_aside_and_said),
        TEST(f24_without_a_yes_another_tokens_cache_stays_out),
        TEST(f24_a_list_of_another_account_is_never_merged),
        TEST(f106_nothing_was_read_yet_is_said),
        TEST(a_cache_needs_no_token),
        TEST(the_cache_is_emptied_by_one_command),
        TEST(f43_a_full_disk_in_mid_walk_costs_no_row_and_is_said_once),
        TEST(f65_a_cache_held_by_another_is_said_with_its_holder_and_costs_little_time),
        TEST(f65_a_file_system_that_does_not_lock_is_said_and_costs_no_row),
        cmocka_unit_test_setup_teardown(an_intent_whose_created_at_changed_is_there_once, setup_moved, teardown_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
