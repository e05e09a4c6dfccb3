/* The way into the machine and the gate out of it: descriptors, signals, locale, home, what a reader that went away
 * means, and what `--demo` may touch. The real program, most of the time without a service. */
#include "base/mem.h"
#include "support/console.h"
#include "support/tls.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, ENV_MAX = 24, UNREAD = 128 + SIGPIPE };

struct world {
    struct service service;
    char *program;
    struct proc proc;
};

static int set_up(void **state) {
    struct world *world = mem_new(sizeof *world);
    world->program = proc_program("bursar");
    assert_true(console_serve(&world->service, (const char *const[]){"--intents", "400", NULL}, ""));
    *state = world;
    return 0;
}

static int tear_down(void **state) {
    struct world *world = *state;
    (void)proc_end(&world->proc);
    (void)service_stop(&world->service);
    free(world->program);
    free(world);
    return 0;
}

/* A line of the shell, with $B the program and $F the service's folder; more variables as "NAME=value" or "NAME". */
static int shell(struct world *world, const char *line, const char *const more[]) {
    const char *env[ENV_MAX];
    const char *const *own = console_env(&world->service);
    char program[PATH_CAP], folder[PATH_CAP];
    size_t n = 0;
    (void)snprintf(program, sizeof program, "B=%s", world->program);
    (void)snprintf(folder, sizeof folder, "F=%s", world->service.folder);
    env[n++] = program;
    env[n++] = folder;
    for (size_t i = 0; own[i]; i++)
        env[n++] = own[i];
    for (size_t i = 0; more && more[i]; i++)
        env[n++] = more[i];
    env[n] = NULL;
    (void)proc_end(&world->proc);
    memset(&world->proc, 0, sizeof world->proc);
    return proc_run(&world->proc, (const char *const[]){"/bin/sh", "-c", line, NULL}, env, PROC_DEADLINE);
}

static bool says(const struct world *world, const char *text) {
    bool there = strstr(world->proc.err.s, text) != NULL;
    if (!there)
        print_message("stderr: %s", world->proc.err.s);
    return there;
}

static void put_user(const struct world *world, const char *name) {
    char path[PATH_CAP], text[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/%s.json", world->service.folder, name);
    (void)snprintf(text, sizeof text,
                   "{\"name\":{\"first\":\"%s\",\"last\":\"Sample\"},\"email\":\"%s@a.example\",\"tag\":\"t-%s\"}",
                   name, name, name);
    assert_true(proc_write_file(path, text));
}

static int posts(const struct world *world) {
    return service_journal_count(&world->service, "\"POST\"", "/user");
}

static void f69_output_that_cannot_be_written_is_a_failure_of_this_machine(void **state) {
    struct world *world = *state;
    static const char *const COMMANDS[] = {"--version",    "help",        "help exit-status", "keys list",
                                           "theme list",   "config path", "config check",     "completion bash",
                                           "intents list", "activity",    "cache stats"};
    put_user(world, "abe");
    assert_int_equal(shell(world, "exec \"$B\" users create --file $F/abe.json --yes", NULL), 0);
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        char line[PATH_CAP];
        print_message("%s\n", COMMANDS[i]);
        (void)snprintf(line, sizeof line, "exec \"$B\" %s >&-", COMMANDS[i]);
        assert_int_equal(shell(world, line, NULL), 1);
        assert_true(says(world, "standard output cannot be written"));
        (void)snprintf(line, sizeof line, "exec \"$B\" %s >/dev/full", COMMANDS[i]);
        assert_int_equal(shell(world, line, NULL), 1);
        assert_true(says(world, "No space left"));
        (void)snprintf(line, sizeof line, "exec \"$B\" %s <&- >/dev/null 2>&-", COMMANDS[i]);
        assert_int_equal(shell(world, line, NULL), 0);
    }
}

static void f69_the_id_of_a_user_is_not_lost_with_a_closed_output(void **state) {
    struct world *world = *state;
    put_user(world, "ann");
    int before = posts(world);
    assert_int_equal(shell(world, "exec \"$B\" users create --file $F/ann.json --yes >&-", NULL), 1);
    assert_int_equal(posts(world), before + 1);
    assert_true(says(world, "usr_"));
    assert_true(says(world, "standard output cannot be written"));
    put_user(world, "bob");
    assert_int_equal(shell(world, "exec \"$B\" users create --file $F/bob.json --yes >/dev/full", NULL), 1);
    assert_true(says(world, "usr_"));
}

/* With all three closed the journal, a socket and the pipe for signals would have been 0, 1 and 2. */
static void f69_nothing_of_ours_takes_the_place_of_a_closed_descriptor(void **state) {
    struct world *world = *state;
    put_user(world, "cid");
    assert_int_equal(shell(world, "exec \"$B\" users create --file $F/cid.json --yes <&- >&- 2>&-", NULL), 1);
    assert_int_equal(shell(world, "exec \"$B\" activity list --limit 1 --format ndjson", NULL), 0);
    assert_non_null(strstr(world->proc.out.s, "\"done\""));
    assert_int_equal(shell(world, "exec \"$B\" users create --file - --yes <&-", NULL), 1);
    assert_true(says(world, "standard input could not be read: nothing was sent"));
}

static void f76_a_reader_that_went_away_ends_a_list_silently(void **state) {
    struct world *world = *state;
    static const char *const COMMANDS[] = {"intents list --all --format csv",
                                           "intents list --limit 300",
                                           "intents list --all --format json",
                                           "intents stats --by status",
                                           "help",
                                           "keys list"};
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        char line[PATH_CAP];
        /* The reader is gone for certain before the first byte. */
        (void)snprintf(line, sizeof line,
                       "mkfifo $F/pipe%zu; (exec 3<$F/pipe%zu) & exec 4>$F/pipe%zu; wait; \"$B\" %s >&4; echo $?", i, i,
                       i, COMMANDS[i]);
        print_message("%s\n", COMMANDS[i]);
        assert_int_equal(shell(world, line, NULL), 0);
        assert_int_equal(atoi(world->proc.out.s), UNREAD);
        assert_string_equal(world->proc.err.s, "");
    }
}

static void f76_a_reader_that_went_away_costs_no_outcome_of_a_write(void **state) {
    struct world *world = *state;
    put_user(world, "dan");
    assert_int_equal(shell(world,
                           "mkfifo $F/gone; (exec 3<$F/gone) & exec 4>$F/gone; wait; "
                           "\"$B\" users create --file $F/dan.json --yes >&4; echo $?",
                           NULL),
                     0);
    assert_int_equal(atoi(world->proc.out.s), 1);
    assert_true(says(world, "usr_"));
    assert_int_equal(shell(world, "exec \"$B\" activity list --limit 1 --format ndjson", NULL), 0);
    assert_non_null(strstr(world->proc.out.s, "\"done\""));
}

static void f70_a_signal_ends_the_wait_for_a_body(void **state) {
    struct world *world = *state;
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        char line[PATH_CAP];
        int before = posts(world);
        /* The program is the reader of a pipe that stays open; once it has its log it waits. */
        (void)snprintf(
            line, sizeof line,
            "mkfifo $F/in%zu; exec 3<>$F/in%zu; echo '{\"name\":' >&3; \"$B\" users create --file - --yes <&3 & "
            "until ls -l /proc/$!/fd 2>/dev/null | grep -q '/log$'; do :; done; kill -%d $!; wait $!",
            i, i, SIGNALS[i]);
        assert_int_equal(shell(world, line, NULL), 128 + SIGNALS[i]);
        assert_true(says(world, "nothing was sent"));
        assert_int_equal(posts(world), before);
    }
}

static void f60_no_signal_that_nobody_asked_for_ends_a_command(void **state) {
    struct world *world = *state;
    static const char LINE[] =
        "mkfifo $F/sig; exec 3<>$F/sig; \"$B\" users create --file - --dry-run <&3 >$F/sig.out & "
        "until ls -l /proc/$!/fd 2>/dev/null | grep -q '/log$'; do :; done; "
        "for s in 10 12 13 14 16 25 26 27 29 30 34 40 64; do kill -$s $! || exit 99; done; "
        "cat $F/eve.json >&3; exec 3>&-; "
        "kill -0 $! && kill -TERM $!; wait $!";
    put_user(world, "eve");
    assert_int_equal(shell(world, LINE, NULL), 128 + SIGTERM);
}

/* It brings some thirty libraries, and their loading takes longer than all else of such a command. */
static void what_asks_no_service_loads_no_libcurl(void **state) {
    struct world *world = *state;
    static const char *const OFFLINE[] = {"--version",    "help filter",    "config check",          "activity list",
                                          "webhook show", "cache stats",    "intents list --cached", "intents stats",
                                          "keys list",    "theme show dark"};
    char line[PATH_CAP];
    for (size_t i = 0; i < COUNT_OF(OFFLINE); i++) {
        (void)snprintf(line, sizeof line, "LD_DEBUG=files \"$B\" %s 2>&1 | grep -c libcurl", OFFLINE[i]);
        assert_int_equal(shell(world, line, NULL), 1);
    }
    assert_int_equal(shell(world, "LD_DEBUG=files \"$B\" intents list --limit 1 2>&1 | grep -q libcurl", NULL), 0);
}

/* Nor does that bring its TLS library where nobody listens. */
static void only_what_listens_loads_libmicrohttpd(void **state) {
    struct world *world = *state;
    static const char *const OTHERS[] = {"--version", "intents list --limit 1", "webhook events", "webhook show"};
    char line[PATH_CAP];
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        (void)snprintf(line, sizeof line, "LD_DEBUG=files \"$B\" %s 2>&1 | grep -c libmicrohttpd", OTHERS[i]);
        assert_int_equal(shell(world, line, NULL), 1);
    }
    assert_int_equal(shell(world,
                           "LD_DEBUG=files \"$B\" webhook listen --unsigned --listen 192.0.2.1:1 2>&1 | "
                           "grep -q libmicrohttpd",
                           NULL),
                     0);
}

/* Half a file is worse than none: the next `init` would say that one is there. */
static void f60_a_configuration_that_does_not_fit_is_not_left_by_half(void **state) {
    struct world *world = *state;
    assert_int_equal(shell(world, "ulimit -f 1; exec \"$B\" config init --config $F/new/config", NULL), 1);
    assert_true(says(world, "File too large"));
    assert_int_equal(shell(world, "ls -A $F/new | wc -l", NULL), 0);
    assert_int_equal(atoi(world->proc.out.s), 0);
    assert_int_equal(shell(world, "exec \"$B\" config init --config $F/new/config", NULL), 0);
    assert_int_equal(shell(world, "exec \"$B\" config init --config $F/new/config", NULL), 1);
    assert_true(says(world, "is already there"));
}

static void f74_an_unreadable_configuration_is_not_called_absent(void **state) {
    struct world *world = *state;
    assert_int_equal(shell(world, "exec \"$B\" intents list --config $F", NULL), 2);
    assert_true(says(world, "not a regular file"));
    assert_int_equal(shell(world, "echo x >$F/plain; exec \"$B\" intents list --config $F/plain/config", NULL), 2);
    assert_true(says(world, "Not a directory"));
    assert_int_equal(shell(world, "ln -s loop $F/loop; exec \"$B\" intents list --config $F/loop", NULL), 2);
    assert_true(says(world, "Too many levels of symbolic links"));
    assert_int_equal(shell(world, "ln -s away $F/dangling; exec \"$B\" intents list --config $F/dangling", NULL), 2);
    assert_true(says(world, "is a link, and what it leads to is not there"));
    assert_int_equal(shell(world, "exec \"$B\" intents list --config $F/none", NULL), 2);
    assert_true(says(world, "config init"));
    assert_int_equal(shell(world, "exec \"$B\" config check --config $F/plain/config", NULL), 9);
    assert_true(says(world, "Not a directory") || strstr(world->proc.out.s, "Not a directory"));
}

/* At each call that touches a disk, killed or without room: there is no file, or the whole one, and the next try works.
 */
static void f74_a_new_configuration_is_whole_or_not_there(void **state) {
    struct world *world = *state;
    static const char *const FAULTS[] = {"KILL", "ENOSPC", "EIO"};
    char preload[PATH_CAP];
    (void)snprintf(preload, sizeof preload, "P=%s/preload/fail_call.so", getenv("BURSAR_OUT"));
    assert_int_equal(shell(world, "exec \"$B\" config init --config $F/whole", NULL), 0);
    for (size_t fault = 0; fault < COUNT_OF(FAULTS); fault++) {
        int broken = 0;
        for (int at = 1; at <= 12; at++) {
            char line[PATH_CAP];
            (void)snprintf(
                line, sizeof line,
                "rm -rf $F/new; mkdir -m 700 $F/new; FAIL_AT=%d FAIL_WITH=%s LD_PRELOAD=$P \"$B\" config init --config"
                " $F/new/config >/dev/null 2>&1; ended=$?; test ! -e $F/new/config || cmp $F/new/config"
                " $F/whole || exit 70; test $ended = 0 && exit 0; test -e $F/new/config ||"
                " \"$B\" config init --config $F/new/config >/dev/null && cmp $F/new/config $F/whole || exit 71;"
                " exit 3",
                at, FAULTS[fault]);
            const char *const more[] = {"ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0", "FAIL_KINDS=wof",
                                        preload, NULL};
            int status = shell(world, line, more);
            assert_true(status == 0 || status == 3);
            broken += status == 3;
        }
        assert_true(broken >= 3);
    }
}

static void f67_without_home_the_password_file_tells_it(void **state) {
    struct world *world = *state;
    static const char *const NONE[] = {"HOME",           "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
                                       "XDG_STATE_HOME", "BURSAR_CONFIG",   NULL};
    assert_int_equal(shell(world,
                           "test \"$(\"$B\" config path)\" = "
                           "\"$(getent passwd $(id -u) | cut -d: -f6)/.config/bursar/config\"",
                           NONE),
                     0);
    assert_int_equal(shell(world, "HOME= ; export HOME; exec \"$B\" config path", NONE), 0);
}

static void f67_what_needs_no_home_needs_none(void **state) {
    struct world *world = *state;
    static const char *const LINES[] = {
        "exec env -i \"$B\" --version", "exec env -i \"$B\" help", "exec env -i \"$B\" keys list",
        "exec env -i HOME=relative \"$B\" theme list",
        "env -i HOME=relative XDG_CACHE_HOME=also \"$B\" webhook check http://127.0.0.1:1/ | grep -q overall:"};
    for (size_t i = 0; i < COUNT_OF(LINES); i++) {
        print_message("%s\n", LINES[i]);
        assert_int_equal(shell(world, LINES[i], NULL), 0);
    }
    /* A home that is known to nobody: the rows come, the cache stays out, and no path is made up. */
    assert_int_equal(
        shell(world, "exec env -i HOME=relative BURSAR_CONFIG=$F/config \"$B\" intents list --limit 3", NULL), 0);
    assert_true(says(world, "HOME is not an absolute path"));
    assert_null(strstr(world->proc.err.s, " /test.db"));
}

static void f52_lc_ctype_decides_and_the_variable_at_fault_is_named(void **state) {
    struct world *world = *state;
    static const struct {
        const char *all, *ctype, *lang, *time, *named;
    } CASES[] = {
        {"LC_ALL=xx_YY.UTF-8", "LC_CTYPE", "LANG", "LC_TIME", "LC_ALL=xx_YY.UTF-8"},
        {"LC_ALL", "LC_CTYPE=UTF-8", "LANG=C", "LC_TIME", "LC_CTYPE=UTF-8"},
        {"LC_ALL=", "LC_CTYPE=", "LANG=xx_YY", "LC_TIME", "LANG=xx_YY"},
        {"LC_ALL", "LC_CTYPE", "LANG=C.UTF-8", "LC_TIME=xx_YY.UTF-8", NULL},
        {"LC_ALL", "LC_CTYPE=C.UTF-8", "LANG=yy_ZZ.UTF-8", "LC_TIME=xx_YY", NULL},
    };
    char odd[PATH_CAP];
    (void)snprintf(odd, sizeof odd, "%s/o\xc3\xa9", world->service.folder);
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const char *const env[] = {CASES[i].all, CASES[i].ctype, CASES[i].lang, CASES[i].time, NULL};
        /* On a terminal a locale that is not UTF-8 shows `?` for the letter. */
        assert_int_equal(shell(world, "exec script -qec '\"$B\" config path --config $F/o\xc3\xa9' /dev/null", env), 0);
        assert_non_null(strstr(world->proc.out.s, "/o\xc3\xa9"));
        assert_int_equal(shell(world, "exec \"$B\" config path", env), 0);
        assert_true(CASES[i].named ? says(world, CASES[i].named) : world->proc.err.len == 0);
    }
    const char *const latin[] = {"LC_ALL=xx_YY.ISO-8859-1", NULL};
    assert_int_equal(shell(world, "exec \"$B\" --version", latin), 0);
    assert_true(says(world, "text is shown in ASCII"));
}

/* Cells are separated by commas then: the variable and the key that decides it instead are named, where they matter. */
static void f52_a_locale_of_numbers_that_is_not_there_is_named(void **state) {
    struct world *world = *state;
    static const char RUN[] = "exec \"$B\" intents list --limit 1 --format csv-excel";
    static const struct {
        const char *all, *numeric, *lang, *named;
    } CASES[] = {
        {"LC_ALL", "LC_NUMERIC=xx_YY.UTF-8", "LANG=C.UTF-8", "LC_NUMERIC=xx_YY.UTF-8 names a locale that is not"},
        {"LC_ALL=", "LC_NUMERIC=", "LANG=xx_YY.UTF-8",
         "LANG=xx_YY.UTF-8 names a locale that is not installed on this "
         "machine: cells are separated by commas"},
        {"LC_ALL=C.UTF-8", "LC_NUMERIC=xx_YY.UTF-8", "LANG=C.UTF-8", NULL},
        {"LC_ALL", "LC_NUMERIC=C", "LANG=C.UTF-8", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const char *const env[] = {CASES[i].all, "LC_CTYPE=C.UTF-8", CASES[i].numeric, CASES[i].lang, NULL};
        assert_int_equal(shell(world, RUN, env), 0);
        if (CASES[i].named)
            assert_true(says(world, CASES[i].named) && says(world, "spreadsheet_decimal = comma"));
        else
            assert_false(says(world, "spreadsheet_decimal"));
        assert_int_equal(shell(world, "exec \"$B\" intents list --limit 1 --format csv", env), 0);
        assert_false(says(world, "spreadsheet_decimal"));
        assert_true(console_configure(&world->service, world->service.url, "  spreadsheet_decimal = comma"));
        assert_int_equal(shell(world, RUN, env), 0);
        assert_false(says(world, "spreadsheet_decimal"));
        assert_true(console_configure(&world->service, world->service.url, ""));
    }
}

static void f50_a_time_zone_nobody_knows_is_said_once(void **state) {
    struct world *world = *state;
    static const struct {
        const char *tz, *said;
    } CASES[] = {{"TZ=Europe/Nowhere", "TZ=Europe/Nowhere names a time zone that this machine does not know"},
                 {"TZ=CEST\x1b[31m", "TZ=CEST<1B>[31m names a time zone"},
                 {"TZ=UTC-5", NULL},
                 {"TZ=Europe/Berlin", NULL},
                 {"TZ=", NULL},
                 {"TZ", NULL}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const char *const env[] = {CASES[i].tz, NULL};
        assert_int_equal(shell(world, "exec \"$B\" config path", env), 0);
        assert_true(CASES[i].said ? says(world, CASES[i].said) : world->proc.err.len == 0);
    }
    const char *const both[] = {"LC_ALL=xx_YY.UTF-8", "TZ=Europe/Nowhere", NULL};
    assert_int_equal(shell(world, "exec \"$B\" config path", both), 0);
    assert_true(says(world, "LC_ALL=xx_YY.UTF-8 names a locale") && says(world, "TZ=Europe/Nowhere names"));
}

static void f19_demo_touches_nothing_of_the_operator(void **state) {
    struct world *world = *state;
    static const char *const COMMANDS[] = {"purge --all",
                                           "purge --drafts",
                                           "purge --session",
                                           "purge",
                                           "journal purge --before 2026-01-01",
                                           "cache stats",
                                           "cache verify",
                                           "cache purge",
                                           "activity",
                                           "activity list",
                                           "activity show 1",
                                           "config init",
                                           "config check",
                                           "config path",
                                           "activity resolve 1 --outcome done --note x"};
    put_user(world, "fay");
    assert_int_equal(
        shell(world, "\"$B\" intents list >/dev/null; exec \"$B\" users create --file $F/fay.json --yes", NULL), 0);
    assert_int_equal(
        shell(world, "cd $F && find state cache etc config -type f 2>/dev/null | sort | xargs sha256sum >all", NULL),
        0);
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        char line[PATH_CAP];
        print_message("%s\n", COMMANDS[i]);
        (void)snprintf(line, sizeof line, "exec \"$B\" --demo %s", COMMANDS[i]);
        assert_int_equal(shell(world, line, NULL), 2);
        assert_true(says(world, "--demo"));
    }
    assert_int_equal(shell(world, "exec \"$B\" --demo intents list --cached", NULL), 0);
    assert_int_equal(shell(world, "exec \"$B\" --demo webhook show", NULL), 0);
    assert_int_equal(
        shell(world, "cd $F && find state cache etc config -type f 2>/dev/null | sort | xargs sha256sum | cmp - all",
              NULL),
        0);
}

/* What an import of the demo did is not taken for done when the same file is imported in earnest. */
static void f19_demo_keeps_no_result_beside_the_operators_file(void **state) {
    struct world *world = *state;
    assert_int_equal(shell(world,
                           "mkdir -p $F/own && printf 'first name,last name,tag\\nAnn,Sample,one\\n' >$F/own/u.csv &&"
                           " exec \"$B\" --demo users import $F/own/u.csv --yes",
                           NULL),
                     0);
    assert_true(says(world, "the demo keeps no result file"));
    assert_non_null(strstr(world->proc.out.s, ",done,"));
    assert_null(strstr(world->proc.out.s, "result.csv"));
    assert_int_equal(shell(world, "cd $F/own && ls", NULL), 0);
    assert_string_equal(world->proc.out.s, "u.csv\n");
    assert_int_equal(shell(world, "exec \"$B\" users import $F/own/u.csv --yes", NULL), 0);
    assert_int_equal(shell(world, "cd $F/own && ls", NULL), 0);
    assert_string_equal(world->proc.out.s, "u.csv\nu.result.csv\n");
}

/* The folder of a console that was killed, of one that runs, and folders that are none of ours. */
static void f21_what_a_killed_demo_left_goes_at_the_next_start(void **state) {
    struct world *world = *state;
    const char *const more[] = {"TMPDIR=/nowhere", NULL};
    char place[PATH_CAP];
    (void)snprintf(place, sizeof place, "TMPDIR=%s/tmp", world->service.folder);
    const char *const here[] = {place, NULL};
    assert_int_equal(shell(world,
                           "mkdir -p $F/tmp/bursar-demo-Killed/tls $F/tmp/bursar-demo-Living $F/tmp/bursar-demo-Newest"
                           " $F/tmp/bursar-demo-of-mine $F/tmp/elsewhere && touch $F/tmp/elsewhere/kept &&"
                           " touch $F/tmp/bursar-demo-Killed/in-use $F/tmp/bursar-demo-Living/in-use &&"
                           " echo 'journal' >$F/tmp/bursar-demo-Killed/journal.db &&"
                           " ln -s $F/tmp/elsewhere $F/tmp/bursar-demo-Killed/link &&"
                           " ln -s $F/tmp/elsewhere $F/tmp/bursar-demo-Linked",
                           here),
                     0);
    assert_int_equal(shell(world,
                           "exec 9<>$F/tmp/bursar-demo-Living/in-use && flock -x 9 &&"
                           " \"$B\" --demo intents list >/dev/null 2>&1; cd $F/tmp && ls -d bursar-demo-* elsewhere/*",
                           here),
                     0);
    assert_string_equal(world->proc.out.s, "bursar-demo-Linked\nbursar-demo-Living\nbursar-demo-Newest\n"
                                           "bursar-demo-of-mine\nelsewhere/kept\n");
    assert_int_equal(shell(world,
                           "touch -d '2 hours ago' $F/tmp/bursar-demo-Newest && \"$B\" --demo intents list >/dev/null"
                           " 2>&1; cd $F/tmp && ls -d bursar-demo-*",
                           here),
                     0);
    assert_string_equal(world->proc.out.s, "bursar-demo-Linked\nbursar-demo-of-mine\n");
    assert_int_not_equal(shell(world, "exec \"$B\" --demo intents list", more), 0);
}

static void f64_a_proxy_is_shown_wherever_it_matters_and_never_its_password(void **state) {
    struct world *world = *state;
    static const char *const NAMES[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    char place[PATH_CAP];
    assert_true(console_configure(&world->service, "https://api.example.test", ""));
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        (void)snprintf(place, sizeof place, "%s=http://teller:f64-hidden@127.0.0.1:1", NAMES[i]);
        const char *const more[] = {place, "NO_PROXY=api.example.test:8443, *.example.org,10.*", NULL};
        assert_int_equal(shell(world, "exec \"$B\" config check", more), 0);
        (void)snprintf(place + PATH_CAP / 2, PATH_CAP / 2, ", through the proxy 127.0.0.1:1 (%s)", NAMES[i]);
        assert_non_null(strstr(world->proc.out.s, place + PATH_CAP / 2));
        assert_non_null(strstr(world->proc.out.s, "NO_PROXY: api.example.test:8443 excepts that port alone"));
        assert_non_null(strstr(world->proc.out.s, "NO_PROXY: *.example.org excepts the domain"));
        assert_non_null(strstr(world->proc.out.s, "NO_PROXY: 10.* is not read"));
        assert_int_equal(shell(world, "exec \"$B\" intents list --limit 1 --verbose", more), 5);
        assert_true(says(world, "the proxy 127.0.0.1:1: no connection to it; NO_PROXY has an entry that is not read"));
        assert_true(says(world, "/intent/list through the proxy 127.0.0.1:1"));
        assert_int_equal(shell(world, "cat $(find $F -name log); ! grep -r f64-hidden $F/state $F/cache", more), 0);
        assert_non_null(strstr(world->proc.out.s, "through the proxy 127.0.0.1:1"));
    }
    const char *const unreadable[] = {"https_proxy=http://teller:f64-hidden@127.0.0.1:99999", NULL};
    assert_int_equal(shell(world, "exec \"$B\" config check", unreadable), 0);
    assert_non_null(strstr(world->proc.out.s, ", through the proxy whose setting cannot be read (https_proxy)"));
    const char *const direct[] = {"https_proxy=http://teller:f64-hidden@127.0.0.1:1", "NO_PROXY=api.example.test:443",
                                  NULL};
    assert_int_equal(shell(world, "exec \"$B\" config check", direct), 0);
    assert_null(strstr(world->proc.out.s, "through the proxy"));
    char url[128];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d", world->service.port);
    assert_true(console_configure(&world->service, url, ""));
}

/* The C library looks again at the machine's zone only where no TZ names it: so nothing of ours has one then. */
static void f50_the_machines_zone_by_name_is_looked_at_again_too(void **state) {
    struct world *world = *state;
    static const char *const ZONES[][2] = {{"TZ=:/etc/localtime", "none"},
                                           {"TZ=/etc/localtime", "none"},
                                           {"TZ=Europe/Berlin", "Europe/Berlin"},
                                           {"TZ=:Europe/Berlin", ":Europe/Berlin"}};
    static const char LINE[] =
        "sed \"s|token_file.*|token_command = {'sh', '-c', 'echo \\\"\\${TZ-none}\\\" >$F/zone; cat $F/token'}|\" "
        "$F/config >$F/c7; exec \"$B\" intents list --limit 1 --config $F/c7";
    for (size_t i = 0; i < COUNT_OF(ZONES); i++) {
        const char *const env[] = {ZONES[i][0], NULL};
        assert_int_equal(shell(world, LINE, env), 0);
        assert_int_equal(shell(world, "cat $F/zone", NULL), 0);
        assert_int_equal(strncmp(world->proc.out.s, ZONES[i][1], strlen(ZONES[i][1])), 0);
    }
}

static void f20_a_redirect_cannot_have_its_command_run(void **state) {
    struct world *world = *state;
    struct certs certs;
    struct nginx nginx;
    struct certs_leaf leaf = {.name = "good", .san = "DNS:localhost,IP:127.0.0.1", .issuer = CERTS_ROOT};
    char line[PATH_CAP];
    if (!nginx_is_there())
        skip();
    assert_true(certs_new(&certs) && certs_leaf(&certs, &leaf));
    assert_true(
        nginx_start(&nginx, &certs, "good", "ssl", "location / { return 302 \"https://localhost/x';id>PWNED;'\"; }\n"));
    (void)snprintf(
        line, sizeof line,
        "mkdir $F/paste && cd $F/paste && \"$B\" webhook check https://localhost:%d/ --allow-local --ca-file %s "
        ">../out; sed -n 's/^next: bursar webhook check/set --/p' ../out >../line; . ../line; "
        "echo \"$1\"; ls",
        nginx.port, certs.root);
    assert_int_equal(shell(world, line, NULL), 0);
    assert_string_equal(world->proc.out.s, "https://localhost/x';id>PWNED;'\n");
    nginx_stop(&nginx);
    certs_free(&certs);
}

/* Line 7 is what `more` adds to the profile; the token's file is on line 6. */
static int check_config(struct world *world, const char *more) {
    assert_true(console_configure(&world->service, world->service.url, more));
    int status = shell(world, "exec \"$B\" config check", NULL);
    assert_true(console_configure(&world->service, world->service.url, ""));
    return status;
}

static void f95_config_check_finds_what_the_configuration_names(void **state) {
    struct world *world = *state;
    static const struct {
        const char *more, *said;
    } CASES[] = {
        {"  theme = 'nosuch'", "/config:7: theme: there is no theme nosuch"},
        {"  highlight = {'status:declined = nosuch'}", "/config:7: highlight: \"status:declined = nosuch\": no role"},
        {"  theme = '/dev/null/x'", "/config:7: theme: /dev/null/x"},
        {"  api { user_idempotency = 'body:email' }",
         "/config:7: user_idempotency: this is a field of the user itself"},
        {"  api { list_extra = {'limit=5', 'cursor=abc'} }",
         "/config:7: api: the parameter cursor of the listing has two"},
        {"  api { filter_type = 'kind' filter_status = 'kind' }", "/config:7: api: the parameter kind of the listing"},
        {"  highlight = {'nofield:1 = error'}", "/config:7: highlight: nofield:1"},
        {"  highlight = {'declined'}", "/config:7: highlight: \"declined\" is no rule"},
        {"  ca_file = '/nonexistent/ca.pem'", "/config:7: ca_file: /nonexistent/ca.pem"},
        {"  ca_file = '/etc/passwd'", "/config:7: ca_file: /etc/passwd holds no certificate (PEM)"},
        {"  ca_file = '/etc'", "/config:7: ca_file: /etc: is not a regular file"},
        {"  webhook_secret_file = '/nonexistent/secret'", "/config:7: webhook_secret_file: /nonexistent/secret: "},
        {"  webhook_secret_file = '/dev/null'", "/config:7: webhook_secret_file: /dev/null: is not a regular file"},
        {"  team_store = 'service=none'\n  team_key_file = '/nonexistent/key'",
         "/config:8: team_key_file: /nonexistent/key: "},
        {"  team_store = 'postgresql://db.example/b?sslmode=verify-full&sslrootcert=/nonexistent/ca.pem'",
         "/config:7: team_store: sslrootcert: /nonexistent/ca.pem: No such file"},
        {"  team_store = 'host=db.example passfile=/nonexistent/pass sslmode=verify-full'",
         "/config:7: team_store: passfile: /nonexistent/pass: No such file"},
        {"  team_password_command = {'no-such-program'}",
         "/config:7: team_password_command: command no-such-program is not found by PATH"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        assert_int_equal(check_config(world, CASES[i].more), 9);
        if (!strstr(world->proc.out.s, CASES[i].said))
            fail_msg("%s: %s", CASES[i].said, world->proc.out.s);
    }
    assert_int_equal(check_config(world, "  highlight = {'amount>=100 status=declined = error'}"), 0);
    assert_int_equal(shell(world, "echo 'nothing = green' >$F/odd.theme", NULL), 0);
    char theme[PATH_CAP];
    (void)snprintf(theme, sizeof theme, "  theme = '%s/odd.theme'", world->service.folder);
    assert_int_equal(check_config(world, theme), 9);
    assert_non_null(strstr(world->proc.out.s, "odd.theme:1: unknown role: nothing; see bursar theme check"));
    assert_int_equal(shell(world,
                           "sed 's/token_file.*/token_file = \"\\/nonexistent\"/' $F/config >$F/c2; "
                           "exec \"$B\" config check --config $F/c2",
                           NULL),
                     9);
    assert_non_null(strstr(world->proc.out.s, "/c2:6: token: "));
    assert_int_equal(shell(world,
                           "sed 's/token_file.*/token_command = {\"no-such-program\"}/' $F/config >$F/c3; "
                           "exec \"$B\" config check --config $F/c3",
                           NULL),
                     9);
    assert_non_null(strstr(world->proc.out.s, "/c3:6: token: command no-such-program is not found"));
}

static void f68_a_token_command_gets_the_variables_that_are_named(void **state) {
    struct world *world = *state;
    static const char *const SET[] = {"OWN_STORE=yes", NULL};
    static const char MAKE[] =
        "sed \"s|token_file.*|token_command = {'sh', '-c', 'test -n \\\"\\$OWN_STORE\\\" \\&\\& cat $F/token'}\\n%s|\" "
        "$F/config >$F/c4; exec \"$B\" intents list --limit 1 --config $F/c4";
    char line[PATH_CAP];
    (void)snprintf(line, sizeof line, MAKE, "");
    assert_int_equal(shell(world, line, SET), 2);
    assert_true(says(world, "token_command_env"));
    (void)snprintf(line, sizeof line, MAKE, "token_command_env = {'OWN_STORE'}");
    assert_int_equal(shell(world, line, SET), 0);
    assert_int_equal(shell(world, "\"$B\" help configuration | grep -A9 token_command_env | grep -q VAULT", NULL), 0);
}

static void f68_what_works_for_a_mounted_secret_is_said(void **state) {
    struct world *world = *state;
    assert_int_equal(shell(world,
                           "cp $F/token $F/mounted; chmod 444 $F/mounted; ln -s mounted $F/secret; "
                           "sed \"s|token_file.*|token_file = '$F/secret'|\" $F/config >$F/c5; "
                           "\"$B\" intents list --config $F/c5",
                           NULL),
                     2);
    assert_true(says(world, "token_command = {'cat', '"));
    assert_int_equal(shell(world,
                           "sed \"s|token_file.*|token_command = {'cat', '$F/secret'}|\" $F/config >$F/c6; "
                           "\"$B\" intents list --limit 1 --config $F/c6",
                           NULL),
                     0);
}

static void f23_certificates_that_others_may_write_are_refused(void **state) {
    struct world *world = *state;
    char more[PATH_CAP];
    (void)snprintf(more, sizeof more, "  ca_file = '%s/ca.pem'", world->service.folder);
    assert_int_equal(shell(world, "echo x >$F/ca.pem; chmod 666 $F/ca.pem", NULL), 0);
    assert_true(console_configure(&world->service, world->service.url, more));
    assert_int_equal(shell(world, "exec \"$B\" intents list", NULL), 2);
    assert_true(says(world, "can be written by other users"));
    /* In a folder that others may write the file can be exchanged. */
    assert_int_equal(shell(world,
                           "mkdir $F/open; chmod 777 $F/open; mv $F/ca.pem $F/open; chmod 600 $F/open/ca.pem; "
                           "ln -s open/ca.pem $F/ca.pem; exec \"$B\" intents list",
                           NULL),
                     2);
    assert_true(says(world, "can be written by other users"));
    assert_true(console_configure(&world->service, world->service.url, ""));
    static const char *const GIVEN[] = {"$F/ca.pem", "$F/open/ca.pem", "$F/loose.pem"};
    assert_int_equal(shell(world, "echo x >$F/loose.pem; chmod 622 $F/loose.pem", NULL), 0);
    for (size_t i = 0; i < COUNT_OF(GIVEN); i++) {
        char line[PATH_CAP];
        (void)snprintf(line, sizeof line, "exec \"$B\" webhook check https://127.0.0.1:1/ --ca-file %s", GIVEN[i]);
        assert_int_equal(shell(world, line, NULL), 2);
        assert_true(says(world, "can be written by other users"));
    }
}

static void f23_results_that_others_may_write_are_refused(void **state) {
    struct world *world = *state;
    int before = posts(world);
    assert_int_equal(shell(world,
                           "printf 'first name,email\\nGil,gil@a.example\\n' >$F/g.csv; "
                           "\"$B\" users import $F/g.csv --yes >/dev/null || exit 90; "
                           "chmod 666 $F/*result* || exit 91; exec \"$B\" users import $F/g.csv --resume --yes",
                           NULL),
                     1);
    assert_true(says(world, "can be written by other users"));
    /* Another user's hand reaches it through its folder too. */
    assert_int_equal(shell(world,
                           "mkdir $F/shared; cp $F/g.csv $F/*result* $F/shared; chmod 600 $F/shared/*;"
                           " chmod 777 $F/shared; exec \"$B\" users import $F/shared/g.csv --resume --yes",
                           NULL),
                     1);
    assert_true(says(world, "can be written by other users"));
    assert_int_equal(posts(world), before + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f69_output_that_cannot_be_written_is_a_failure_of_this_machine),
        cmocka_unit_test(f69_the_id_of_a_user_is_not_lost_with_a_closed_output),
        cmocka_unit_test(f69_nothing_of_ours_takes_the_place_of_a_closed_descriptor),
        cmocka_unit_test(f76_a_reader_that_went_away_ends_a_list_silently),
        cmocka_unit_test(f76_a_reader_that_went_away_costs_no_outcome_of_a_write),
        cmocka_unit_test(f70_a_signal_ends_the_wait_for_a_body),
        cmocka_unit_test(f60_no_signal_that_nobody_asked_for_ends_a_command),
        cmocka_unit_test(what_asks_no_service_loads_no_libcurl),
        cmocka_unit_test(only_what_listens_loads_libmicrohttpd),
        cmocka_unit_test(f60_a_configuration_that_does_not_fit_is_not_left_by_half),
        cmocka_unit_test(f74_an_unreadable_configuration_is_not_called_absent),
        cmocka_unit_test(f74_a_new_configuration_is_whole_or_not_there),
        cmocka_unit_test(f67_without_home_the_password_file_tells_it),
        cmocka_unit_test(f67_what_needs_no_home_needs_none),
        cmocka_unit_test(f52_lc_ctype_decides_and_the_variable_at_fault_is_named),
        cmocka_unit_test(f52_a_locale_of_numbers_that_is_not_there_is_named),
        cmocka_unit_test(f50_a_time_zone_nobody_knows_is_said_once),
        cmocka_unit_test(f50_the_machines_zone_by_name_is_looked_at_again_too),
        cmocka_unit_test(f20_a_redirect_cannot_have_its_command_run),
        cmocka_unit_test(f95_config_check_finds_what_the_configuration_names),
        cmocka_unit_test(f68_a_token_command_gets_the_variables_that_are_named),
        cmocka_unit_test(f68_what_works_for_a_mounted_secret_is_said),
        cmocka_unit_test(f23_certificates_that_others_may_write_are_refused),
        cmocka_unit_test(f23_results_that_others_may_write_are_refused),
        cmocka_unit_test(f64_a_proxy_is_shown_wherever_it_matters_and_never_its_password),
        cmocka_unit_test(f19_demo_touches_nothing_of_the_operator),
        cmocka_unit_test(f19_demo_keeps_no_result_beside_the_operators_file),
        cmocka_unit_test(f21_what_a_killed_demo_left_goes_at_the_next_start),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
