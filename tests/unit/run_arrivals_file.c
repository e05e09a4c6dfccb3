/* Stored events and their folder, as receivers and consoles share it. */
#include "run/files/arrivals_file.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "support/proc.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 4096, REFUSED_FILES = 5000, HOUR_MS = 3600 * 1000 };

struct fixture {
    char *folder;
    struct arrivals_place place;
};

static int set_up(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    f->folder = proc_folder_new();
    f->place = (struct arrivals_place){.folder = f->folder, .profile = "test", .origin = "o", .account = ""};
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    proc_folder_remove(f->folder);
    free(f);
    return 0;
}

/* Its number. */
static int64_t add(struct fixture *f, enum webhook_result result) {
    struct arrival *arrival = arrival_new();
    const struct headers headers = {0};
    struct error error = {0};
    arrival_take(arrival, "/", &headers, "{}", 2);
    arrival->at = clock_now();
    arrival->checked = true;
    arrival->result = result;
    if (arrivals_file_add(&f->place, arrival, &error) != ERR_OK)
        fail_msg("%s", error.text);
    int64_t n = arrival->n;
    arrival_free(arrival);
    return n;
}

static const char *file_of(const struct fixture *f, const char *name) {
    static char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/events/test/%s", f->folder, name);
    return path;
}

static bool has(const struct fixture *f, const char *name) {
    return access(file_of(f, name), F_OK) == 0;
}

static void empty_file(const struct fixture *f, int n) {
    char name[64];
    (void)snprintf(name, sizeof name, "%012d.refused", n);
    int fd = open(file_of(f, name), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    assert_true(fd >= 0);
    (void)close(fd);
}

/* Also where their bytes have no limit: each costs a name that every later event is looked for among. */
static void what_does_not_verify_has_so_many_files(void **state) {
    struct fixture *f = *state;
    assert_int_equal(add(f, WEBHOOK_VERIFIED), 1);
    for (int n = 2; n < REFUSED_FILES + 2; n++)
        empty_file(f, n);
    assert_int_equal(add(f, WEBHOOK_MISMATCH), REFUSED_FILES + 2);
    assert_true(has(f, "000000000001"));
    assert_false(has(f, "000000000002.refused"));
    assert_true(has(f, "000000000003.refused"));
    assert_true(has(f, "000000005002.refused"));
}

/* A file's name may have been made by anybody who has the disk. */
static void a_number_is_never_beyond_what_a_name_holds(void **state) {
    struct fixture *f = *state;
    static const char *const NAMES[] = {"9223372036854775807", "999999999999"};
    assert_int_equal(add(f, WEBHOOK_VERIFIED), 1);
    for (size_t i = 0; i < COUNT_OF(NAMES); i++)
        assert_true(proc_write_file(file_of(f, NAMES[i]), "{}\n"));
    assert_true(proc_write_file(file_of(f, ".lock"), "no number at all"));
    assert_int_equal(add(f, WEBHOOK_VERIFIED), 2);
}

static void the_stamp_changes_with_the_events(void **state) {
    struct fixture *f = *state;
    int64_t later = clock_now() + HOUR_MS;
    assert_int_equal(arrivals_file_stamp(&f->place, later), 0);
    (void)add(f, WEBHOOK_VERIFIED);
    int64_t before = arrivals_file_stamp(&f->place, later);
    assert_int_not_equal(before, 0);
    assert_int_equal(arrivals_file_stamp(&f->place, later), before);
    assert_int_equal(arrivals_file_stamp(&f->place, clock_now()), 0); /* more may come in the same tick */
    const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, file_of(f, ""), old, 0), 0);
    before = arrivals_file_stamp(&f->place, later);
    (void)add(f, WEBHOOK_VERIFIED);
    assert_int_not_equal(arrivals_file_stamp(&f->place, later), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_does_not_verify_has_so_many_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_number_is_never_beyond_what_a_name_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_stamp_changes_with_the_events, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("stored events", tests, NULL, NULL);
}
