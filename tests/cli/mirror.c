/* `bursar intents mirror`: the whole list in the cache, after any stop, and never more requests than are allowed.
 * BURSAR_MIRROR_ROWS: how many intents move in the test that compares with the sandbox. */
#include "base/mem.h"
#include "support/console.h"
#include "support/damage.h"
#include "support/listing.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, MOVING = 3000 };

#define MIRROR "intents", "mirror"
#define RUN(proc, ...) console_run(&service, (const char *const[]){__VA_ARGS__, NULL}, proc)
#define UNLIMITED "requests_per_hour = 0"

static struct service service;

static void serve(const char *intents, const char *fault) {
    const char *const plain[] = {"--intents", intents, NULL}, *const faulty[] = {"--intents", intents, "--fault", fault,
                                                                                 NULL};
    assert_true(console_serve(&service, fault ? faulty : plain, UNLIMITED));
}

static int stop_service(void **state) {
    (void)state;
    return service_stop(&service) == 0 ? 0 : -1;
}

static int pages_asked(void) {
    return service_journal_count(&service, "/intent/list", "");
}

/* All that the cache gives, sorted: one line an intent. */
static char *rows_of(const char *const args[], int status) {
    struct proc proc;
    assert_int_equal(console_run(&service, args, &proc), status);
    char *text = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    return text;
}

static char *cached(void) {
    return rows_of((const char *const[]){"intents", "list", "--cached", "--all", "--format", "ndjson", NULL}, 0);
}

static char *served(void) {
    return rows_of((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, 0);
}

static void cache_has(size_t rows, bool whole) {
    struct proc proc;
    assert_int_equal(RUN(&proc, "intents", "list", "--cached", "--all", "--format", "ndjson"), 0);
    assert_int_equal(text_count(proc.out.s, "\n"), rows);
    assert_int_equal(strstr(proc.err.s, "that is all of them") != NULL, whole);
    (void)proc_end(&proc);
}

static void start(struct proc *proc, const char *const more[]) {
    const char *argv[16] = {0};
    size_t n = 0;
    char *program = proc_program("bursar");
    argv[n++] = program;
    argv[n++] = "intents";
    argv[n++] = "mirror";
    for (size_t i = 0; more && more[i]; i++)
        argv[n++] = more[i];
    assert_true(proc_start(proc, argv, console_env(&service)));
    free(program);
}

static void wait_for_pages(struct proc *proc, int pages) {
    while (pages_asked() < pages)
        assert_false(proc_wait(proc, 2));
}

static void every_intent_is_in_the_cache_and_that_is_said(void **state) {
    (void)state;
    struct proc proc;
    serve("1234", NULL);
    assert_int_equal(RUN(&proc, MIRROR, "--format", "json"), 0);
    assert_non_null(strstr(proc.out.s, "{\"whole\":true,\"intents\":1234,\"pages\":13,"));
    assert_non_null(strstr(proc.out.s, "\"held\":1234,\"as_of\":\""));
    assert_non_null(strstr(proc.err.s, "1,234 intents in 13 pages"));
    assert_non_null(strstr(proc.err.s, "the cache holds 1,234 intents: that is all of them"));
    (void)proc_end(&proc);
    cache_has(1234, true);
    assert_int_equal(pages_asked(), 13);
    assert_int_equal(RUN(&proc, MIRROR, "--quiet"), 0);
    assert_string_equal(proc.err.s, "");
    assert_string_equal(proc.out.s, "");
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, MIRROR, "--resume", "--from-start"), 2);
    (void)proc_end(&proc);
}

static void killed_it_goes_on_from_the_page_reached(void **state) {
    (void)state;
    struct proc proc;
    serve("3000", "path=/intent/list nth=1 count=30 delay=20");
    start(&proc, NULL);
    wait_for_pages(&proc, 12);
    assert_int_equal(kill(proc.pid, SIGKILL), 0);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    (void)proc_end(&proc);
    int before = pages_asked();
    /* A look at the list meanwhile takes nothing from it. */
    assert_int_equal(RUN(&proc, "intents", "list"), 0);
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, MIRROR), 0);
    assert_non_null(strstr(proc.err.s, "3,000 intents in 30 pages"));
    (void)proc_end(&proc);
    assert_in_range(pages_asked() - before - 1, 30 - before, 30 - before + 3);
    cache_has(3000, true);
}

static void stopped_by_a_signal_it_says_how_to_go_on(void **state) {
    (void)state;
    struct proc proc;
    serve("3000", "path=/intent/list nth=1 count=30 delay=20");
    start(&proc, NULL);
    wait_for_pages(&proc, 8);
    assert_int_equal(kill(proc.pid, SIGINT), 0);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    assert_int_equal(proc.status, 128 + SIGINT);
    assert_non_null(strstr(proc.err.s, "the same command goes on from there"));
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, MIRROR, "--resume"), 0);
    (void)proc_end(&proc);
    assert_in_range(pages_asked(), 30, 32);
    cache_has(3000, true);
}

static void from_the_start_every_page_is_read_anew(void **state) {
    (void)state;
    struct proc proc;
    serve("1000", "path=/intent/list nth=5 count=4 status=503");
    assert_int_equal(RUN(&proc, MIRROR), 5);
    assert_non_null(strstr(proc.err.s, "asked 4 times"));
    (void)proc_end(&proc);
    int before = pages_asked();
    assert_int_equal(RUN(&proc, MIRROR, "--from-start"), 0);
    (void)proc_end(&proc);
    assert_int_equal(pages_asked() - before, 10);
    cache_has(1000, true);
}

/* Neither in one run nor in several: they are counted in the cache. */
static void never_more_requests_than_an_hour_allows(void **state) {
    (void)state;
    enum { BUDGET = 5, RUNS = 3 };
    struct proc proc;
    serve("2000", NULL);
    assert_true(console_configure(&service, service.url, "requests_per_hour = 5"));
    for (int i = 0; i < RUNS; i++) {
        start(&proc, (const char *const[]){"--resume", NULL});
        while (!strstr(proc.err.s ? proc.err.s : "", "the budget of 5 requests an hour is used up; going on in "))
            assert_false(proc_wait(&proc, 10));
        assert_int_equal(kill(proc.pid, i == 0 ? SIGKILL : SIGINT), 0);
        assert_true(proc_wait(&proc, PROC_DEADLINE));
        (void)proc_end(&proc);
        assert_in_range(pages_asked(), 1, BUDGET);
    }
}

static void a_service_that_asks_to_wait_is_waited_for(void **state) {
    (void)state;
    struct proc proc;
    serve("500", "path=/intent/list nth=3 count=2 retry_after=1");
    assert_int_equal(RUN(&proc, MIRROR), 0);
    assert_non_null(strstr(proc.err.s, "the service asks to wait; going on in 1 s"));
    (void)proc_end(&proc);
    assert_int_equal(pages_asked(), 7);
    cache_has(500, true);
}

static void failures_have_their_status_and_cost_no_place(void **state) {
    (void)state;
    static const struct {
        const char *rule, *words;
        int status;
    } FAULTS[] = {
        {"path=/intent/list nth=3 count=9 status=401", "token", 3},
        {"path=/intent/list nth=3 count=9 status=503", "asked 4 times", 5},
        {"path=/intent/list nth=3 count=9 body=nonsense", "", 7},
        {"path=/intent/list nth=3 count=9 cursor=repeat", "repeats a cursor", 8},
        {"path=/intent/list nth=3 count=9 cursor=fresh", "bring nothing new", 8},
    };
    for (size_t i = 0; i < COUNT_OF(FAULTS); i++) {
        struct proc proc;
        serve("1000", FAULTS[i].rule);
        assert_int_equal(RUN(&proc, MIRROR), FAULTS[i].status);
        assert_non_null(strstr(proc.err.s, FAULTS[i].words));
        (void)proc_end(&proc);
        service_rule(&service, NULL);
        assert_int_equal(RUN(&proc, MIRROR, "--from-start"), 0);
        (void)proc_end(&proc);
        cache_has(1000, true);
        (void)service_stop(&service);
    }
    serve("10", NULL);
    assert_true(console_configure(&service, "http://127.0.0.1:1", ""));
    struct proc proc;
    assert_int_equal(RUN(&proc, MIRROR), 5);
    (void)proc_end(&proc);
}

/* Reading is no write. */
static void a_read_only_profile_can_be_mirrored(void **state) {
    (void)state;
    struct proc proc;
    serve("300", NULL);
    assert_true(console_configure(&service, service.url, "read_only = true"));
    assert_int_equal(RUN(&proc, MIRROR), 0);
    (void)proc_end(&proc);
    cache_has(300, true);
}

static void without_a_cache_that_is_said_and_nothing_is_asked(void **state) {
    (void)state;
    struct proc proc;
    char path[PATH_CAP];
    serve("300", NULL);
    (void)snprintf(path, sizeof path, "%s/cache", service.folder);
    assert_true(proc_write_file(path, "a file where the folder should be"));
    assert_int_equal(RUN(&proc, MIRROR), 1);
    assert_non_null(strstr(proc.err.s, "no cache"));
    assert_int_equal(pages_asked(), 0);
    (void)proc_end(&proc);
}

static void a_cache_that_cannot_be_written_is_left_alone(void **state) {
    (void)state;
    struct proc proc;
    char path[PATH_CAP];
    if (geteuid() == 0)
        skip(); /* root may write everywhere */
    serve("300", NULL);
    assert_int_equal(RUN(&proc, MIRROR), 0);
    (void)proc_end(&proc);
    int before = pages_asked();
    (void)snprintf(path, sizeof path, "%s/cache/bursar", service.folder);
    assert_int_equal(chmod(path, S_IRUSR | S_IXUSR), 0);
    assert_int_equal(RUN(&proc, MIRROR), 1);
    assert_int_equal(chmod(path, S_IRWXU), 0);
    assert_int_equal(pages_asked(), before);
    (void)proc_end(&proc);
}

/* What a disk or a careless hand does in the middle of it. */
static void damage(int kind) {
    static const char *const NAMES[] = {"test.db", "test.db-wal", "test.db"};
    char path[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/cache/bursar/%s", service.folder, NAMES[kind]);
    if (kind == 2) {
        assert_int_equal(unlink(path), 0);
        return;
    }
    struct bytes bytes = bytes_read(path);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    for (size_t i = 0; i < bytes.len; i++)
        bytes.s[i] = (char)(bytes.s[i] ^ 0x5a);
    assert_int_equal(fwrite(bytes.s, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
    free(bytes.s);
}

static void a_cache_damaged_in_the_middle_loses_no_row(void **state) {
    (void)state;
    enum { KINDS = 3 };
    int met = 0;
    for (int round = 0, rounds = proc_starts(2 * KINDS, KINDS); round < rounds; round++) {
        struct proc proc;
        serve("9000", "path=/intent/list nth=1 count=180 delay=5");
        start(&proc, NULL);
        wait_for_pages(&proc, 20 + 12 * round);
        damage(round % KINDS);
        assert_true(proc_wait(&proc, PROC_DEADLINE));
        assert_int_equal(proc.status, 0);
        met += strstr(proc.err.s, "set aside") || strstr(proc.err.s, "removed or replaced");
        (void)proc_end(&proc);
        cache_has(9000, true);
        (void)service_stop(&service);
    }
    assert_true(met > 0); /* the rest was never read again */
    serve("1", NULL);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lines in an order of their own. */
static void sort_lines(char *text, char **lines, size_t n) {
    size_t i = 0;
    for (char *line = strtok(text, "\n"); line && i < n; line = strtok(NULL, "\n"))
        lines[i++] = line;
    assert_int_equal(i, n);
    qsort(lines, n, sizeof *lines, by_text);
}

static void same_rows(char *a, char *b) {
    size_t n = text_count(a, "\n");
    assert_int_equal(text_count(b, "\n"), n);
    char **left = mem_new_array(n + 1, sizeof *left), **right = mem_new_array(n + 1, sizeof *right);
    sort_lines(a, left, n);
    sort_lines(b, right, n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(left[i], right[i]);
    free(left);
    free(right);
}

#define DATES UNLIMITED "\n  api {\n    filter_after = 'after'\n    filter_before = 'before'\n  }"

static void serve_dates(const char *intents, const char *fault) {
    const char *const args[] = {"--intents",
                                intents,
                                "--style",
                                "after_param=after",
                                "--style",
                                "before_param=before",
                                fault ? "--fault" : NULL,
                                fault,
                                NULL};
    assert_true(console_serve(&service, args, DATES));
}

static void parts_by_time_have_every_intent(void **state) {
    (void)state;
    struct proc proc;
    serve_dates("6000", NULL);
    assert_int_equal(RUN(&proc, MIRROR, "--walks", "5", "--format", "json"), 0);
    assert_non_null(strstr(proc.out.s, "{\"whole\":true,\"intents\":6000,"));
    assert_non_null(strstr(proc.err.s, "that is all of them"));
    (void)proc_end(&proc);
    assert_true(service_journal_count(&service, "after=", "before=") > 5);
    assert_in_range(pages_asked(), 60, 60 + 40);
    char *kept = cached(), *truth = served();
    same_rows(kept, truth);
    free(kept);
    free(truth);
}

static void killed_in_parts_it_goes_on_with_the_same_ones(void **state) {
    (void)state;
    struct proc proc;
    serve_dates("6000", "path=/intent/list nth=1 count=90 delay=20");
    start(&proc, NULL);
    wait_for_pages(&proc, 45);
    assert_int_equal(kill(proc.pid, SIGKILL), 0);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, MIRROR), 0);
    (void)proc_end(&proc);
    assert_in_range(pages_asked(), 60, 60 + 60);
    cache_has(6000, true);
}

static void b5_a_service_that_ignores_times_is_read_in_one_walk(void **state) {
    (void)state;
    struct proc proc;
    serve_dates("3000", "path=/intent/list nth=1 count=1000 ignore_filter=1");
    assert_int_equal(RUN(&proc, MIRROR), 0);
    assert_non_null(strstr(proc.err.s, "the service did not apply the filter of a part of the list"));
    (void)proc_end(&proc);
    assert_in_range(pages_asked(), 30, 40);
    cache_has(3000, true);
}

static void tick(int times) {
    struct http_reply reply;
    char target[64];
    (void)snprintf(target, sizeof target, "/control/tick?count=%d", times);
    assert_true(service_control(&service, "POST", target, NULL, &reply));
    http_reply_clear(&reply);
}

static void rows_that_move_meanwhile_are_as_served_after_one_more_pass(void **state) {
    (void)state;
    struct proc proc;
    char rows[32];
    (void)snprintf(rows, sizeof rows, "%d", number_or("BURSAR_MIRROR_ROWS", MOVING));
    serve_dates(rows, NULL);
    start(&proc, NULL);
    while (!proc_wait(&proc, 1))
        tick(50);
    assert_int_equal(proc.status, 0);
    (void)proc_end(&proc);
    assert_int_equal(RUN(&proc, MIRROR, "--from-start"), 0);
    (void)proc_end(&proc);
    char *kept = cached(), *truth = served();
    same_rows(kept, truth);
    free(kept);
    free(truth);
}

/* Id and status of each, as both give them. */
static void same_statuses(void) {
    char *kept = rows_of((const char *const[]){"intents", "list", "--cached", "--all", "--format", "csv", "--columns",
                                               "id,status", NULL},
                         0);
    char *truth = rows_of(
        (const char *const[]){"intents", "list", "--all", "--format", "csv", "--columns", "id,status", NULL}, 0);
    same_rows(kept, truth);
    free(kept);
    free(truth);
}

static void later_it_reads_what_is_new_and_what_is_open(void **state) {
    (void)state;
    struct proc proc;
    serve("6000", NULL);
    assert_int_equal(RUN(&proc, MIRROR), 0);
    (void)proc_end(&proc);
    for (int round = 0; round < 3; round++) {
        tick(100 << round);
        int before = pages_asked();
        assert_int_equal(RUN(&proc, MIRROR), 0);
        assert_non_null(strstr(proc.err.s, "that is all of them"));
        (void)proc_end(&proc);
        assert_in_range(pages_asked() - before, 2, 40);
        same_statuses();
    }
    int before = pages_asked();
    assert_int_equal(RUN(&proc, MIRROR, "--from-start"), 0);
    (void)proc_end(&proc);
    assert_true(pages_asked() - before >= 60);
}

/* Known ground says nothing where new rows come last. */
static void a15_a_list_that_is_not_newest_first_is_read_to_its_end(void **state) {
    (void)state;
    struct proc proc;
    const char *const args[] = {"--intents", "2000", "--style", "order=oldest", NULL};
    assert_true(console_serve(&service, args, UNLIMITED));
    assert_int_equal(RUN(&proc, MIRROR), 0);
    (void)proc_end(&proc);
    tick(200);
    assert_int_equal(RUN(&proc, MIRROR), 0);
    (void)proc_end(&proc);
    same_statuses();
}

#define TEST(test) cmocka_unit_test_teardown(test, stop_service)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_intent_is_in_the_cache_and_that_is_said),
        TEST(killed_it_goes_on_from_the_page_reached),
        TEST(stopped_by_a_signal_it_says_how_to_go_on),
        TEST(from_the_start_every_page_is_read_anew),
        TEST(never_more_requests_than_an_hour_allows),
        TEST(a_service_that_asks_to_wait_is_waited_for),
        TEST(failures_have_their_status_and_cost_no_place),
        TEST(a_read_only_profile_can_be_mirrored),
        TEST(without_a_cache_that_is_said_and_nothing_is_asked),
        TEST(a_cache_that_cannot_be_written_is_left_alone),
        TEST(a_cache_damaged_in_the_middle_loses_no_row),
        TEST(parts_by_time_have_every_intent),
        TEST(killed_in_parts_it_goes_on_with_the_same_ones),
        TEST(b5_a_service_that_ignores_times_is_read_in_one_walk),
        TEST(later_it_reads_what_is_new_and_what_is_open),
        TEST(a15_a_list_that_is_not_newest_first_is_read_to_its_end),
        TEST(rows_that_move_meanwhile_are_as_served_after_one_more_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
