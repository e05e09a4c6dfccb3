/* The commands over the cache with and without the file that the column index is kept in: what they print, what they
 * say and how they end is the same to the byte. */
#include "base/mem.h"
#include "base/path.h"
#include "support/one_service.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
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

/* What the program said earlier and what it said later. The later one may add since when that is known: where a minute
 * has passed since the list was read. All else is the same. */
static bool is_the_same_said(const char *earlier, const char *later) {
    static const char WHEN[] = ", as of 0000-00-00 00:00:00 UTC";
    const char *added = strstr(later, ", as of ");
    if (!added || strstr(earlier, ", as of "))
        return strcmp(earlier, later) == 0;
    size_t before = (size_t)(added - later);
    return strncmp(earlier, later, before) == 0 && strlen(added) >= sizeof WHEN - 1 &&
           strcmp(earlier + before, added + sizeof WHEN - 1) == 0;
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
        if (strcmp(with.out.s, without.out.s) != 0 || !is_the_same_said(with.err.s, without.err.s))
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
        if (!is_the_same_said(without.err.s, with.err.s))
            fail_msg("%s, without the file %s", with.err.s, without.err.s);
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

/* Of the command that writes the file, at the call of the system with this number; 0: it is not killed. Gives the
 * number of calls that there were. */
static long write_killed_at(long call, int status) {
    char preload[PATH_BYTES], number[32], told[PATH_BYTES + 16], count_path[PATH_BYTES];
    struct proc proc;
    struct str text;
    char *program = proc_program("bursar");
    (void)snprintf(preload, sizeof preload, "LD_PRELOAD=%s/preload/fail_call.so", getenv("BURSAR_OUT"));
    (void)snprintf(number, sizeof number, "FAIL_AT=%ld", call);
    (void)snprintf(count_path, sizeof count_path, "%s/count", service.folder);
    (void)snprintf(told, sizeof told, "FAIL_COUNT=%s", count_path);
    const char *env[16] = {preload,          "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0",
                           number,           told,
                           "FAIL_WITH=KILL", "FAIL_KINDS=wf"};
    const char *const *own = console_env(&service);
    for (size_t n = 6; *own && n < 15; n++)
        env[n] = *own++;
    const char *argv[] = {program, "intents", "stats", "--by", "status", NULL};
    int ended = proc_run(&proc, argv, env, PROC_DEADLINE);
    if (ended != status)
        fail_msg("call %ld: %d %s", call, ended, proc.err.s);
    (void)proc_end(&proc);
    free(program);
    str_init(&text, 64);
    long calls = call == 0 && path_read(count_path, 64, false, &text, NULL) == ERR_OK ? strtol(text.s, NULL, 10) : 0;
    str_clear(&text);
    return calls;
}

/* What is in the place of a file before it is written anew: nothing, or one that is no good. */
static void begin_without(bool torn) {
    struct stat st;
    if (torn) {
        write_file();
        assert_int_equal(stat(index_path, &st), 0);
        assert_int_equal(truncate(index_path, st.st_size / 2), 0);
    } else {
        (void)unlink(index_path);
    }
}

/* By default few, since each is a program that is started six times: BURSAR_KILLS says how many. */
static void killed_at_any_moment_of_writing_it_no_answer_is_wrong(void **state) {
    static const size_t ASKED[] = {7, 16, 20};
    struct proc without[COUNT_OF(ASKED)];
    const char *named = getenv("BURSAR_KILLS");
    long kills = named ? strtol(named, NULL, 10) : proc_starts(12, 3);
    (void)state;
    (void)unlink(index_path);
    for (size_t i = 0; i < COUNT_OF(ASKED); i++) {
        expect(COMMANDS[ASKED[i]], &without[i]);
        (void)unlink(index_path);
    }
    long calls = write_killed_at(0, 0);
    assert_true(is_there() && calls > 30);
    for (long i = 0; i < kills; i++) {
        begin_without(i % 2);
        (void)write_killed_at(1 + i * calls / kills, 128 + SIGKILL);
        for (size_t k = 0; k < COUNT_OF(ASKED); k++) {
            struct proc with;
            expect(COMMANDS[ASKED[k]], &with);
            assert_string_equal(with.out.s, without[k].out.s);
            if (!is_the_same_said(without[k].err.s, with.err.s))
                fail_msg("%s, without the file %s", with.err.s, without[k].err.s);
            (void)proc_end(&with);
        }
        assert_true(is_there());
    }
    for (size_t i = 0; i < COUNT_OF(ASKED); i++)
        (void)proc_end(&without[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_that_of_the_cache),
        cmocka_unit_test(every_answer_is_that_of_the_cache_after_a_walk),
        cmocka_unit_test(a_file_that_is_no_good_changes_no_answer),
        cmocka_unit_test(killed_at_any_moment_of_writing_it_no_answer_is_wrong),
        cmocka_unit_test(a_purge_takes_the_file_along),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
