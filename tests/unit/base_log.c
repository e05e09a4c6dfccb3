#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { LOG_LIMIT = 1024 * 1024, STAMP = 25 };

struct fixture {
    char folder[64], path[128], other[160];
    struct error error;
};

static int set_up(void **state) {
    struct fixture *fixture = mem_new(sizeof *fixture);
    snprintf(fixture->folder, sizeof fixture->folder, "%s", "/tmp/bursar-log-XXXXXX");
    *state = fixture;
    if (!mkdtemp(fixture->folder))
        return -1;
    snprintf(fixture->path, sizeof fixture->path, "%s/log", fixture->folder);
    return 0;
}

static const char *rotated(struct fixture *fixture, int n) {
    snprintf(fixture->other, sizeof fixture->other, "%s.%d", fixture->path, n);
    return fixture->other;
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    log_close();
    unlink(fixture->path);
    for (int i = 1; i < 5; i++)
        unlink(rotated(fixture, i));
    rmdir(fixture->folder);
    free(fixture);
    return 0;
}

static void read_log(const char *path, struct str *out) {
    struct error error = {0};
    str_init(out, 4 * LOG_LIMIT);
    if (path_read(path, out->max, true, out, &error) != ERR_OK)
        fail_msg("%s", error.text);
}

static void nothing_is_written_before_it_is_opened(void **state) {
    struct fixture *fixture = *state;
    log_line("lost %d", 1);
    assert_int_not_equal(access(fixture->path, F_OK), 0);
}

static void a_line_has_a_time_and_is_clean(void **state) {
    struct fixture *fixture = *state;
    struct str text;
    int64_t ms;
    struct secret *secret = secret_new("tok_sentinel_1", 14);
    assert_int_equal(log_open(fixture->path, &fixture->error), ERR_OK);
    log_line("GET %s %d\x1b[2J\n%s", "/intent/list", 200, "tok_sentinel_1");
    read_log(fixture->path, &text);
    assert_true(clock_parse(text.s, STAMP - 1, &ms));
    assert_string_equal(text.s + STAMP, "GET /intent/list 200<1B>[2J<0A>[redacted]\n");
    str_clear(&text);
    secret_free(secret);
}

static void the_file_is_private_and_appended_to(void **state) {
    struct fixture *fixture = *state;
    struct stat info;
    struct str text;
    mode_t before = umask(0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(log_open(fixture->path, &fixture->error), ERR_OK);
        log_line("run %d", i);
        log_close();
    }
    umask(before);
    assert_int_equal(stat(fixture->path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    read_log(fixture->path, &text);
    assert_non_null(strstr(text.s, "run 0\n"));
    assert_non_null(strstr(text.s, "run 1\n"));
    str_clear(&text);
}

static void a_link_is_not_written_through(void **state) {
    struct fixture *fixture = *state;
    assert_int_equal(symlink(rotated(fixture, 4), fixture->path), 0);
    assert_int_equal(log_open(fixture->path, &fixture->error), ERR_FILE);
    log_line("lost");
    assert_int_not_equal(access(rotated(fixture, 4), F_OK), 0);
}

static void a_long_line_is_cut_but_ends(void **state) {
    struct fixture *fixture = *state;
    struct str text, line;
    str_init(&line, 100000);
    for (int i = 0; i < 20000; i++)
        str_add(&line, "é");
    assert_int_equal(log_open(fixture->path, &fixture->error), ERR_OK);
    /* One of the two would leave no byte for the line's end. */
    log_line("%s", line.s);
    log_line("x%s", line.s);
    log_line("next");
    read_log(fixture->path, &text);
    char *at = text.s;
    for (int i = 0; i < 2; i++) {
        char *end = strchr(at, '\n');
        assert_non_null(end);
        assert_in_range(end - at, 4000, 4095);
        assert_true(utf8_is_clean(at, (size_t)(end - at)));
        at = end + 1;
    }
    assert_string_equal(at + STAMP, "next\n");
    str_clear(&text);
    str_clear(&line);
}

static void three_files_of_a_megabyte_are_kept(void **state) {
    struct fixture *fixture = *state;
    struct stat info;
    struct str text;
    char filler[1001];
    memset(filler, 'x', 1000);
    filler[1000] = '\0';
    assert_int_equal(log_open(fixture->path, &fixture->error), ERR_OK);
    for (int i = 0; i < 4500; i++)
        log_line("%04d %s", i, filler);
    for (int i = 1; i < 3; i++) {
        assert_int_equal(stat(rotated(fixture, i), &info), 0);
        assert_in_range(info.st_size, LOG_LIMIT - 2048, LOG_LIMIT);
        assert_int_equal(info.st_mode & 07777, 0600);
    }
    assert_int_not_equal(access(rotated(fixture, 3), F_OK), 0);
    read_log(fixture->path, &text);
    assert_true(text.len <= LOG_LIMIT);
    assert_non_null(strstr(text.s, " 4499 "));
    str_clear(&text);
}

enum { WRITERS = 3, LINES = 1200 };

static void write_lines(int writer) {
    char filler[601];
    memset(filler, 'y', 600);
    filler[600] = '\0';
    for (int i = 0; i < LINES; i++)
        log_line("w%d-%04d %s", writer, i, filler);
}

/* 2.3 MB in all: one or two rotations, and nothing falls off the end. */
static void assert_all_lines_once(struct fixture *fixture) {
    static int seen[WRITERS][LINES];
    memset(seen, 0, sizeof seen);
    for (int file = 0; file < 3; file++) {
        struct str text;
        const char *path = file ? rotated(fixture, file) : fixture->path;
        if (access(path, F_OK) != 0)
            continue;
        read_log(path, &text);
        for (char *line = text.s, *end; (end = strchr(line, '\n')); line = end + 1) {
            int writer, number;
            assert_int_equal(end - line, STAMP + 8 + 600);
            assert_int_equal(sscanf(line + STAMP, "w%d-%d", &writer, &number), 2);
            seen[writer][number]++;
        }
        str_clear(&text);
    }
    for (int writer = 0; writer < WRITERS; writer++)
        for (int i = 0; i < LINES; i++)
            assert_int_equal(seen[writer][i], 1);
}

static void *thread_writes(void *number) {
    write_lines((int)(intptr_t)number);
    return NULL;
}

static void threads_never_mix_their_lines(void **state) {
    struct fixture *fixture = *state;
    pthread_t threads[WRITERS];
    assert_int_equal(log_open(fixture->path, &fixture->error), ERR_OK);
    for (intptr_t i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, thread_writes, (void *)i), 0);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_all_lines_once(fixture);
}

static void consoles_share_the_log_and_rotate_it_once(void **state) {
    struct fixture *fixture = *state;
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            if (log_open(fixture->path, NULL) != ERR_OK)
                _exit(1);
            write_lines(i);
            _exit(0);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_all_lines_once(fixture);
}

/* The kernel lists a process that waits for a lock with an arrow. */
static bool waits_for_lock(pid_t pid) {
    struct str locks;
    struct error error = {0};
    char waiting[64];
    str_init(&locks, 1024 * 1024);
    if (path_read("/proc/locks", locks.max, false, &locks, &error) != ERR_OK)
        fail_msg("%s", error.text);
    snprintf(waiting, sizeof waiting, "-> FLOCK  ADVISORY  WRITE %d ", (int)pid);
    bool found = strstr(locks.s, waiting) != NULL;
    str_clear(&locks);
    return found;
}

static void a_rotation_done_by_another_is_not_done_again(void **state) {
    struct fixture *fixture = *state;
    char filler[1001];
    struct str text;
    int status, fd;
    if (access("/proc/locks", R_OK) != 0) {
        print_message("skipped: no list of locks here\n");
        skip();
    }
    memset(filler, 'x', 1000);
    filler[1000] = '\0';
    assert_int_equal(log_open(fixture->path, &fixture->error), ERR_OK);
    for (int i = 0; i < LOG_LIMIT / 1030; i++)
        log_line("%s", filler);
    log_close();
    assert_true((fd = open(fixture->path, O_RDWR)) >= 0);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(fd);
        if (log_open(fixture->path, NULL) != ERR_OK)
            _exit(1);
        for (int i = 0; i < 10; i++)
            log_line("%s", filler);
        _exit(0);
    }
    for (int64_t end = clock_mono() + 10000; !waits_for_lock(child);)
        assert_true(clock_mono() < end);
    assert_int_equal(rename(fixture->path, rotated(fixture, 1)), 0);
    assert_int_equal(log_open(fixture->path, &fixture->error), ERR_OK);
    log_line("already rotated");
    close(fd);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    read_log(fixture->path, &text);
    assert_non_null(strstr(text.s, "already rotated\n"));
    assert_int_not_equal(access(rotated(fixture, 2), F_OK), 0);
    str_clear(&text);
}

#define with_folder(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_folder(nothing_is_written_before_it_is_opened),
        with_folder(a_line_has_a_time_and_is_clean),
        with_folder(the_file_is_private_and_appended_to),
        with_folder(a_link_is_not_written_through),
        with_folder(a_long_line_is_cut_but_ends),
        with_folder(three_files_of_a_megabyte_are_kept),
        with_folder(threads_never_mix_their_lines),
        with_folder(a_rotation_done_by_another_is_not_done_again),
        with_folder(consoles_share_the_log_and_rotate_it_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
