/* Killed at any moment of a walk: what was printed is the beginning of the whole, and the next run is as the first. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const list_all[] = {"intents", "list", "--all", "--format", "ndjson", NULL};

static int start(void **state) {
    (void)state;
    return serve_intents("3000");
}

static char *whole(void) {
    struct proc proc;
    assert_int_equal(console_run(&service, list_all, &proc), 0);
    char *rows = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    return rows;
}

static void kill_after(int ms, const char *rows, int *killed) {
    struct proc proc;
    char *program = proc_program("bursar");
    const char *argv[8] = {program};
    memcpy(argv + 1, list_all, sizeof list_all);
    assert_true(proc_start(&proc, argv, console_env(&service)));
    if (!proc_wait(&proc, ms)) {
        assert_int_equal(kill(proc.pid, SIGKILL), 0);
        assert_true(proc_wait(&proc, PROC_DEADLINE));
        /* It may have ended by itself a moment ago. */
        assert_true(proc.status == 128 + SIGKILL || proc.status == 0);
        *killed += proc.status != 0;
    }
    assert_int_equal(strncmp(rows, proc.out.s, proc.out.len), 0);
    (void)proc_end(&proc);
    free(program);
}

static void killed_at_50_moments_of_a_walk_the_next_run_is_whole(void **state) {
    (void)state;
    int64_t began = clock_mono();
    char *rows = whole();
    unsigned walk = (unsigned)(clock_mono() - began) + 1;
    unsigned seed = 20261128;
    int killed = 0;
    for (int i = 0, kills = proc_starts(50, 10); i < kills; i++) {
        seed = seed * 1103515245u + 12345u;
        kill_after((int)((seed >> 16) % walk), rows, &killed);
    }
    assert_true(killed > 0);
    char *again = whole();
    assert_string_equal(again, rows);
    free(again);
    free(rows);
}

static void a_command_that_was_stopped_goes_on(void **state) {
    (void)state;
    struct service slow;
    struct proc proc;
    char *program = proc_program("bursar");
    assert_true(console_serve(
        &slow, (const char *const[]){"--intents", "300", "--fault", "path=/intent/list delay=300", NULL}, ""));
    const char *const argv[] = {program, "intents", "list", "--all", "--format", "ndjson", NULL};
    assert_true(proc_start(&proc, argv, console_env(&slow)));
    assert_true(proc_expect(&proc, "\n", PROC_DEADLINE));
    assert_int_equal(kill(proc.pid, SIGTSTP), 0);
    assert_int_equal(kill(proc.pid, SIGCONT), 0);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    assert_int_equal(proc.status, 0);
    (void)proc_end(&proc);
    (void)service_stop(&slow);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_that_was_stopped_goes_on),
        cmocka_unit_test(killed_at_50_moments_of_a_walk_the_next_run_is_whole),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
