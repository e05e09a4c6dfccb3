/* The terminal at the program's edge: what it cannot take, what reaches it, what ends a prompt, what it is left like.
 */
#include "base/mem.h"
#include "support/console.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE = 20, PATH_CAP = 4096, PAGES = 30 };

static struct service service;

static int set_up(void **state) {
    (void)state;
    return console_serve(&service, (const char *const[]){"--intents", "3000", NULL}, "") ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    (void)service_stop(&service);
    return 0;
}

static int lists_seen(void) {
    return service_journal_count(&service, "\"GET\"", "/intent/list");
}

static void f59_a_terminal_that_does_not_read_holds_no_request_up(void **state) {
    (void)state;
    struct pty *pty = console_open(&service, 50, 200);
    assert_true(pty_expect(pty, "read so far", PATIENCE));
    int before = lists_seen();
    /* Nobody reads from here on: frames are made by every key, more than any buffer between holds. */
    for (int i = 0; i < 200; i++)
        pty_feed(pty, "\x0c\x0c");
    pty_feed(pty, "R");
    double end = pty_now() + PATIENCE;
    while (lists_seen() < before + PAGES && pty_now() < end)
        (void)usleep(1000); /* not pty's wait, which would read */
    assert_true(lists_seen() >= before + PAGES);
    /* Read again, the newest state is there, whole. */
    assert_true(pty_expect(pty, "3,000", PATIENCE));
    pty_feed(pty, "\x0c");
    assert_true(pty_expect(pty, "created UTC", PATIENCE));
    console_leave(pty);
}

static void f59_leaving_does_not_wait_for_such_a_terminal(void **state) {
    (void)state;
    int status;
    struct pty *pty = console_open(&service, 50, 200);
    assert_true(pty_expect(pty, "read so far", PATIENCE));
    for (int i = 0; i < 200; i++)
        pty_feed(pty, "\x0c");
    pty_signal(pty, SIGTERM);
    double end = pty_now() + PATIENCE;
    bool ended = false;
    while (!ended && pty_now() < end) {
        siginfo_t info = {0};
        ended = waitid(P_PID, (id_t)pty_pid(pty), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
    }
    assert_true(ended);
    assert_true(pty_wait(pty, PATIENCE, &status));
    pty_free(pty);
}

static void f60_no_signal_leaves_a_raw_terminal_behind(void **state) {
    (void)state;
    static const int PASSED_OVER[] = {SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPWR, SIGIO, SIGSTKFLT};
    static const int FATAL[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP, SIGXCPU, SIGTERM, SIGHUP};
    for (size_t i = 0; i < COUNT_OF(FATAL); i++) {
        if (FATAL[i] == SIGILL && proc_build() == PROC_ASAN)
            continue; /* the sanitizer's, which tells by it where something undefined was done */
        struct termios before, after;
        int status;
        struct pty *pty = console_open(&service, 24, 80);
        pty_modes(pty, &before);
        assert_true(pty_expect(pty, "read so far", PATIENCE));
        for (size_t k = 0; k < COUNT_OF(PASSED_OVER); k++)
            pty_signal(pty, PASSED_OVER[k]);
        pty_signal(pty, SIGRTMIN);
        pty_signal(pty, SIGRTMAX);
        pty_feed(pty, "?");
        assert_true(pty_expect(pty, "Keys:", PATIENCE));
        pty_signal(pty, FATAL[i]);
        assert_true(pty_wait(pty, PATIENCE, &status));
        pty_modes(pty, &after);
        assert_false(pty_is_alternate(pty));
        assert_true(pty_same_modes(&before, &after));
        assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128, FATAL[i]);
        pty_free(pty);
    }
}

/* ---- The demo's children ---- */

enum { CHILDREN_MAX = 8 };

static size_t children_of(pid_t parent, pid_t out[CHILDREN_MAX]) {
    size_t n = 0;
    DIR *dir = opendir("/proc");
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL && n < CHILDREN_MAX) {
        char path[PATH_CAP];
        (void)snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        char *text = strspn(entry->d_name, "0123456789") > 0 ? proc_read_file(path) : NULL;
        const char *end = text ? strrchr(text, ')') : NULL;
        if (end && strlen(end) > 4 && strtol(end + 4, NULL, 10) == parent)
            out[n++] = (pid_t)strtol(entry->d_name, NULL, 10);
        free(text);
    }
    if (dir)
        (void)closedir(dir);
    return n;
}

/* All of it: between the variables are NUL characters. */
static bool has_variable(pid_t pid, const char *name) {
    char path[64], text[1 << 16];
    (void)snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t len = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    return memmem(text, len, name, strlen(name)) != NULL;
}

static bool holds(pid_t pid, const char *target) {
    bool found = false;
    char path[PATH_CAP], link[PATH_CAP];
    (void)snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *dir = opendir(path);
    const struct dirent *entry;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        (void)snprintf(path, sizeof path, "/proc/%d/fd/%s", (int)pid, entry->d_name);
        ssize_t len = readlink(path, link, sizeof link - 1);
        link[len > 0 ? len : 0] = '\0';
        found = found || strstr(link, target);
    }
    (void)closedir(dir);
    return found;
}

static void f22_the_demos_children_inherit_nothing_of_ours(void **state) {
    (void)state;
    const char *const args[] = {"--demo", NULL};
    const char *const extra[] = {"PAYMENTS_TOKEN=f22-marker", "AWS_SECRET_ACCESS_KEY=f22-marker", "LD_F22=f22-marker",
                                 NULL};
    const struct pty_options options = {.rows = 24, .cols = 80};
    pid_t children[CHILDREN_MAX];
    char path[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/inherited-by-whom", service.folder);
    int fd = open(path, O_RDWR | O_CREAT, 0600); /* not close-on-exec, as a careless parent's */
    assert_true(fd >= 0);
    struct pty *pty = console_open_env(&service, args, extra, &options);
    (void)close(fd);
    assert_true(pty_expect(pty, "1 Intents", PATIENCE));
    assert_true(has_variable(pty_pid(pty), "f22-marker"));
    size_t n = children_of(pty_pid(pty), children);
    assert_int_equal(n, 2);
    for (size_t i = 0; i < n; i++) {
        assert_true(has_variable(children[i], "PATH="));
        assert_false(has_variable(children[i], "f22-marker"));
        assert_false(has_variable(children[i], "_TOKEN"));
        assert_false(holds(children[i], "inherited-by-whom"));
        assert_false(holds(children[i], "/dev/pts"));
        assert_false(holds(children[i], "/state/")); /* nor what the console has open itself */
        assert_false(holds(children[i], "/cache/"));
    }
    console_leave(pty);
}

static void f43_a_cache_folder_that_goes_under_the_console_is_said_and_begun_anew(void **state) {
    (void)state;
    struct pty *pty = console_open(&service, 50, 200);
    char command[PATH_CAP];
    assert_true(pty_expect(pty, "read so far", PATIENCE));
    pty_settle(pty, 20); /* the page is on the screen before it is in the cache */
    (void)snprintf(command, sizeof command, "rm -r %s/cache/bursar", service.folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): the test's own folder */
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "the cache was removed or replaced", PATIENCE));
    assert_true(pty_expect(pty, "of 3,000, end of the list seen", PATIENCE));
    console_leave(pty);
    struct proc proc;
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", "--cached", "--all", NULL}, &proc),
                     0);
    assert_non_null(strstr(proc.err.s, "3,000 intents out of the cache"));
    assert_non_null(strstr(proc.err.s, "that is all of them"));
    (void)proc_end(&proc);
}

static char *put_user(const char *more) {
    static char path[PATH_CAP];
    char text[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/user.json", service.folder);
    (void)snprintf(text, sizeof text, "{\"name\":{\"first\":\"Ann\",\"last\":\"Sample\"},\"email\":\"a@a.example\"%s}",
                   more);
    assert_true(proc_write_file(path, text));
    return path;
}

static int posts(void) {
    return service_journal_count(&service, "\"POST\"", "/user");
}

static void f70_a_signal_ends_a_prompt_and_nothing_is_sent(void **state) {
    (void)state;
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i <= COUNT_OF(SIGNALS); i++) {
        const char *const args[] = {"users", "create", "--file", put_user(""), NULL};
        struct pty_options options = {.rows = 40, .cols = 100};
        struct termios before, after;
        int status, number = i < COUNT_OF(SIGNALS) ? SIGNALS[i] : SIGINT;
        struct pty *pty = console_open_args(&service, args, &options);
        pty_modes(pty, &before);
        assert_true(pty_expect(pty, "Type yes to", PATIENCE));
        if (i < COUNT_OF(SIGNALS))
            pty_signal(pty, number);
        else
            pty_feed(pty, "ye\003"); /* the terminal's own Ctrl-C */
        assert_true(pty_wait(pty, PATIENCE, &status));
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 128 + number);
        assert_true(pty_shows(pty, "nothing was sent"));
        pty_modes(pty, &after);
        assert_true(pty_same_modes(&before, &after));
        assert_int_equal(posts(), 0);
        pty_free(pty);
    }
}

/* A C1 control, a carriage return, an escape, a change of direction: none of them as bytes. */
static const char *const NEVER[] = {"\xc2\x9b", "\x1b]", "\x1b[31m", "\xe2\x80\xae", "\x07", "\xc2\x9d"};

static void check_clean(struct pty *pty) {
    for (size_t i = 0; i < COUNT_OF(NEVER); i++)
        assert_false(pty_wrote(pty, NEVER[i], strlen(NEVER[i])));
    size_t len;
    const char *bytes = pty_bytes(pty, &len);
    for (size_t i = 0; i + 1 < len; i++)
        assert_false(bytes[i] == '\r' && bytes[i + 1] != '\n' && bytes[i + 1] != '\r');
}

static void f17_what_is_confirmed_is_what_is_shown(void **state) {
    (void)state;
    const char *const args[] = {"users", "create", "--file",
                                put_user(",\n\"note\":\"\xc2\x9b"
                                         "31m \xe2\x80\xae gnp.exe\",\r\"more\xc2\x9d"
                                         "0;title\":1"),
                                NULL};
    struct pty_options options = {.rows = 40, .cols = 100};
    int status;
    struct pty *pty = console_open_args(&service, args, &options);
    assert_true(pty_expect(pty, "Type yes to", PATIENCE));
    assert_true(pty_shows(pty, "<9B>31m"));
    assert_true(pty_shows(pty, "<202E>"));
    check_clean(pty);
    pty_feed(pty, "no\r");
    assert_true(pty_wait(pty, PATIENCE, &status));
    pty_free(pty);
}

static void f17_names_and_arguments_reach_a_terminal_cleaned(void **state) {
    (void)state;
    static const char EVIL[] = "e\x1b]0;x\x07v\xc2\x9b"
                               "31m\rl\xe2\x80\xae";
    char file[PATH_CAP];
    (void)snprintf(file, sizeof file, "%s/%s.csv", service.folder, EVIL);
    assert_true(proc_write_file(file, "first name,email\nAnn,x\x1b]0;y\x07@a.example\nBob,b@a.example\n"));
    const char *const runs[][7] = {
        {"users", "import", file, NULL},
        {"users", "import", file, "--dry-run", NULL},
        {"users", "create", "--file", file, NULL},
        {"intents", "list", EVIL, NULL},
        {"intents", "show", EVIL, NULL},
        {EVIL, NULL},
        {"help", EVIL, NULL},
        {"theme", "show", EVIL, NULL},
        {"theme", "check", EVIL, NULL},
        {"config", "check", "--config", file, NULL},
        {"config", "path", "--config", file, NULL},
        {"intents", "list", "--profile", EVIL, NULL},
        {"intents", "list", "--columns", EVIL, NULL},
        {"webhook", "check", EVIL, NULL},
        {"webhook", "verify", "--body", file, "--secret-file", EVIL, NULL},
        {"activity", "show", EVIL, NULL},
        {"keys", "list", EVIL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(runs); i++) {
        struct pty_options options = {.rows = 40, .cols = 100};
        int status;
        print_message("run %zu\n", i);
        struct pty *pty = console_open_args(&service, runs[i], &options);
        for (int k = 0; k < 3 && !pty_wait(pty, 0, &status); k++) {
            pty_settle(pty, 200);
            pty_feed(pty, "no\r");
        }
        check_clean(pty);
        pty_free(pty);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f59_a_terminal_that_does_not_read_holds_no_request_up),
        cmocka_unit_test(f59_leaving_does_not_wait_for_such_a_terminal),
        cmocka_unit_test(f60_no_signal_leaves_a_raw_terminal_behind),
        cmocka_unit_test(f70_a_signal_ends_a_prompt_and_nothing_is_sent),
        cmocka_unit_test(f43_a_cache_folder_that_goes_under_the_console_is_said_and_begun_anew),
        cmocka_unit_test(f22_the_demos_children_inherit_nothing_of_ours),
        cmocka_unit_test(f17_what_is_confirmed_is_what_is_shown),
        cmocka_unit_test(f17_names_and_arguments_reach_a_terminal_cleaned),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
