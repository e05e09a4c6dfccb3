#include "base/mem.h"

#include <setjmp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void new_memory_is_zero(void **state) {
    (void)state;
    unsigned char *block = mem_new_array(100, 7);
    for (size_t i = 0; i < 700; i++)
        assert_int_equal(block[i], 0);
    free(block);
    free(mem_new(0));
}

static void copies_end_in_nul(void **state) {
    (void)state;
    assert_null(mem_dup(NULL));
    char *copy = mem_dup_n("abcdef", 3);
    assert_string_equal(copy, "abc");
    free(copy);
    copy = mem_dup_n(NULL, 0);
    assert_string_equal(copy, "");
    free(copy);
}

static void say_hook(void) {
    if (write(STDERR_FILENO, "[restored]", 10) != 10)
        _exit(3);
}

static void overflow(void) {
    free(mem_new_array(SIZE_MAX / 2, 3));
}

static void reason(void) {
    mem_fatal("a reason");
}

static void hook_that_fails(void) {
    mem_fatal("within the hook");
}

/* Runs body in a child whose stderr comes back; the child must abort. */
static void dies_saying(void (*hook)(void), void (*body)(void), const char *expected) {
    int ends[2], status;
    char said[512];
    size_t len = 0;
    ssize_t n;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        mem_on_fatal(hook);
        body();
        _exit(0);
    }
    close(ends[1]);
    while ((n = read(ends[0], said + len, sizeof said - 1 - len)) > 0)
        len += (size_t)n;
    said[len] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_string_equal(said, expected);
}

static void a_fatal_end_restores_first_and_says_why(void **state) {
    (void)state;
    dies_saying(say_hook, reason, "[restored]bursar: cannot go on: a reason\n");
    dies_saying(NULL, reason, "bursar: cannot go on: a reason\n");
}

static void an_overflowing_size_is_fatal(void **state) {
    (void)state;
    dies_saying(NULL, overflow, "bursar: cannot go on: more memory asked for than there can be\n");
}

static void a_failing_hook_runs_once(void **state) {
    (void)state;
    dies_saying(hook_that_fails, reason, "bursar: cannot go on: within the hook\n");
}

static void arena_blocks_are_aligned_zeroed_and_apart(void **state) {
    (void)state;
    struct arena arena = {0};
    unsigned char *blocks[500];
    size_t sum = 0;
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        blocks[i] = arena_new(&arena, i + 1);
        assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
        for (size_t k = 0; k <= i; k++)
            assert_int_equal(blocks[i][k], 0);
        memset(blocks[i], (int)(i & 0xFF) | 1, i + 1);
        const char *copy = arena_dup_n(&arena, "label", i % 6);
        assert_int_equal(strlen(copy), i % 6);
        assert_memory_equal(copy, "label", i % 6);
        sum += i + 1 + i % 6 + 1;
    }
    for (size_t i = 0; i < COUNT_OF(blocks); i++)
        for (size_t k = 0; k <= i; k++)
            assert_int_equal(blocks[i][k], (i & 0xFF) | 1);
    assert_int_equal(arena.used, sum);
    unsigned char *large = arena_new(&arena, 1000 * 1000);
    memset(large, 1, 1000 * 1000);
    arena_clear(&arena);
    assert_null(arena.head);
    assert_int_equal(arena.used, 0);
    arena_clear(&arena);
}

static void a_vector_grows_by_zeroed_items(void **state) {
    (void)state;
    struct {
        struct {
            int a, b;
        } * items;
        size_t n, cap;
    } vector = {0};
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(vec_add(&vector)->b, 0);
        vector.items[vector.n - 1].b = i + 1;
    }
    assert_int_equal(vector.n, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(vector.items[i].b, i + 1);
    vector.n = 0;
    assert_int_equal(vec_add(&vector)->b, 0);
    free(vector.items);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_memory_is_zero),
        cmocka_unit_test(copies_end_in_nul),
        cmocka_unit_test(a_fatal_end_restores_first_and_says_why),
        cmocka_unit_test(an_overflowing_size_is_fatal),
        cmocka_unit_test(a_failing_hook_runs_once),
        cmocka_unit_test(arena_blocks_are_aligned_zeroed_and_apart),
        cmocka_unit_test(a_vector_grows_by_zeroed_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
