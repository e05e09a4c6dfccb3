/* An idle console sleeps: no thread of it wakes up while nobody types and nothing comes. Every wake-up is a switch of
 * context, which the system counts for each thread. */
#include "base/clock.h"
#include "support/one_service.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { WAIT = 20, REST_MS = 10000, CALM_MS = 1000, QUARTER_MS = 15 * 60 * 1000 };

static int start(void **state) {
    (void)state;
    return serve_intents("300");
}

static long long switches_of(const char *path) {
    long long sum = 0;
    char *status = proc_read_file(path), *at = status;
    while (at && (at = strstr(at, "ctxt_switches:")) != NULL) {
        at += strlen("ctxt_switches:");
        sum += strtoll(at, NULL, 10);
    }
    free(status);
    return sum;
}

/* Of all threads since each began. */
static long long switches(const struct pty *pty) {
    char folder[64], path[512];
    long long sum = 0;
    (void)snprintf(folder, sizeof folder, "/proc/%d/task", (int)pty_pid(pty));
    DIR *tasks = opendir(folder);
    assert_non_null(tasks);
    for (const struct dirent *task = readdir(tasks); task; task = readdir(tasks)) {
        if (task->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s/status", folder, task->d_name);
            sum += switches_of(path);
        }
    }
    (void)closedir(tasks);
    return sum;
}

static void watch(struct pty *pty, int ms) {
    int64_t end = clock_mono() + ms;
    while (clock_mono() < end)
        pty_settle(pty, 100);
}

/* At rest: a while has gone by in which nothing stirred. */
static long long come_to_rest(struct pty *pty) {
    long long before = -1, now = switches(pty);
    int64_t end = clock_mono() + WAIT * 1000;
    while (now != before && clock_mono() < end) {
        watch(pty, CALM_MS);
        before = now;
        now = switches(pty);
    }
    return now;
}

/* Each quarter of an hour a console looks once whether the day has changed: none is begun while it is watched. */
static void let_the_quarter_begin(struct pty *pty) {
    int left = (int)(QUARTER_MS - clock_now() % QUARTER_MS);
    if (left < REST_MS + CALM_MS)
        watch(pty, left + CALM_MS);
}

static void an_idle_console_does_not_wake_up(void **state) {
    (void)state;
    size_t len;
    int status;
    struct pty *pty = console_open(&service, 50, 200);
    assert_true(pty_expect(pty, "read so far, more on the server", WAIT));
    pty_feed(pty, "j");
    assert_true(pty_expect(pty, "2 of ", WAIT));
    (void)come_to_rest(pty);
    let_the_quarter_begin(pty);
    long long before = come_to_rest(pty);
    pty_mark(pty);
    watch(pty, REST_MS);
    assert_int_equal(switches(pty) - before, 0);
    (void)pty_bytes_since(pty, &len);
    assert_int_equal(len, 0);
    pty_feed(pty, "j"); /* and it lives */
    assert_true(pty_expect(pty, "3 of ", WAIT));
    assert_true(switches(pty) > before);
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, WAIT, &status));
    pty_free(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_idle_console_does_not_wake_up)};
    return cmocka_run_group_tests(tests, start, stop_service);
}
