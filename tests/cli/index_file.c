/* The commands over the cache with and without the file that the column index is kept in: what they print, what they
 * say and how they end is the same to the byte. */
#include "base/mem.h"
#include "support/one_service.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { ARGS_MAX = 12, PATH_BYTES = 600 };

typedef const char *command[ARGS_MAX];

#define LIST "intents", "list", "--cached", "--format", "ndjson"
static const command COMMANDS[] = {
    {LIST, "--limit", "5", "zzqqxx"},
    {LIST, "--limit", "5", "status:declined"},
    {LIST, "--limit", "100", "amount>=0"},
    {LIST, "--limit", "101", "amount>=0"},
    {LIST, "--limit", "1500", "amount>=0"},
    {LIST, "--limit", "1499", "created>=1990-01-01"},
    {LIST, "--all", "has:refund"},
    {LIST, "--all", "status:declined amount>=5000"},
    {LIST, "--all", "created>=1990-01-01"},
    {LIST, "bank:a | rail:card", "--type", "primary"},
    {LIST, "--all", "-status:approved", "--status", "declined"},
    {LIST, "status:aproved"},
    {LIST, "status:approved amount<0"},
    {LIST, "--all", "tx.amount>1000 source:a"},
    {LIST, "--all", "is:stale"},
    {LIST, "--sort", "-amount", "--limit", "20", "status:declined"},
    {LIST, "--sort", "user,-created", "--all"},
    {LIST, "--sort", "bank,id", "--all", "currency:USD"},
    {"intents", "list", "--cached", "--all", "--format", "csv", "rail:card"},
    {"intents", "list", "--cached", "status:pending"},
    {"intents", "stats", "--by", "status", "amount>=5000"},
    {"intents", "stats", "--by", "bank", "--limit", "3"},
    {"intents", "stats", "--by", "user", "--limit", "7", "--format", "csv"},
    {"intents", "stats", "--by", "tx.status", "status:approved"},
    {"intents", "stats", "--by", "currency", "zzqqxx"},
    {"intents", "stats", "--by", "credential", "--format", "json"},
    {"intents", "stats", "--by", "amount"},
    {"intents", "show", "none"},
    {"intents", "show", "a"},
};

static char index_path[PATH_BYTES], kept_path[PATH_BYTES];

static bool is_there(void) {
    return access(index_path, F_OK) == 0;
}

static void expect(const char *const args[], struct proc *proc) {
    if (console_run(&service, args, proc) != 0)
        fail_msg("%s", proc->err.s);
}

static void run_through(const char *const args[]) {
    struct proc proc;
    expect(args, &proc);
    (void)proc_end(&proc);
}

static int start(void **state) {
    (void)state;
    if (serve_intents("1500") != 0)
        return -1;
    (void)snprintf(index_path, sizeof index_path, "%s/cache/bursar/test.db-index", service.folder);
    (void)snprintf(kept_path, sizeof kept_path, "%s/kept", service.folder);
    run_through((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL});
    return 0;
}

/* A command that read everything leaves the file. */
static void write_file(void) {
    (void)unlink(index_path);
    run_through((const char *const[]){"intents", "stats", "--by", "status", NULL});
    assert_true(is_there());
}

/* The file as it is now is put back after each command without it. */
static void assert_same_answers(void) {
    assert_true(is_there());
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        struct proc with, without;
        int status = console_run(&service, COMMANDS[i], &with);
        assert_true(is_there());
        assert_int_equal(rename(index_path, kept_path), 0);
        assert_int_equal(console_run(&service, COMMANDS[i], &without), status);
        assert_int_equal(rename(kept_path, index_path), 0);
        if (strcmp(with.out.s, without.out.s) != 0 || strcmp(with.err.s, without.err.s) != 0)
            fail_msg("%zu: %.300s %s, without the file %.300s %s", i, with.out.s, with.err.s, without.out.s,
                     without.err.s);
        (void)proc_end(&with);
        (void)proc_end(&without);
    }
}

static void every_answer_is_that_of_the_cache(void **state) {
    (void)state;
    write_file();
    assert_same_answers();
}

/* The whole list is read once more: each row is confirmed, and the file is older than all that. */
static void every_answer_is_that_of_the_cache_after_a_walk(void **state) {
    (void)state;
    write_file();
    run_through((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL});
    assert_same_answers();
    run_through((const char *const[]){"intents", "list", "--status", "declined", "--all", "--format", "ndjson", NULL});
    assert_same_answers();
}

static void a_file_that_is_no_good_changes_no_answer(void **state) {
    (void)state;
    struct stat st;
    write_file();
    assert_int_equal(stat(index_path, &st), 0);
    for (int i = 0; i < 12; i++) {
        struct proc with, without;
        const char *const *args = COMMANDS[i % 2 ? 7 : 20];
        (void)unlink(index_path);
        int status = console_run(&service, args, &without);
        write_file();
        if (i < 3)
            assert_int_equal(truncate(index_path, st.st_size / 3 * i), 0);
        char byte = 0x55;
        int fd = open(index_path, O_WRONLY);
        assert_int_equal(pwrite(fd, &byte, 1, st.st_size / 12 * i), 1);
        (void)close(fd);
        assert_int_equal(console_run(&service, args, &with), status);
        assert_string_equal(with.out.s, without.out.s);
        assert_string_equal(with.err.s, without.err.s);
        (void)proc_end(&with);
        (void)proc_end(&without);
    }
}

static void a_purge_takes_the_file_along(void **state) {
    (void)state;
    write_file();
    run_through((const char *const[]){"cache", "purge", NULL});
    assert_false(is_there());
    run_through((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL});
    write_file();
    run_through((const char *const[]){"purge", "--all", NULL});
    assert_false(is_there());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_that_of_the_cache),
        cmocka_unit_test(every_answer_is_that_of_the_cache_after_a_walk),
        cmocka_unit_test(a_file_that_is_no_good_changes_no_answer),
        cmocka_unit_test(a_purge_takes_the_file_along),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
