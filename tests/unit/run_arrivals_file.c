/* Stored events and their folder, as receivers and consoles share it. */
#include "run/files/arrivals_file.h"
#include "run/files/arrivals_folder.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "support/proc.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 4096, REFUSED_FILES = 5000, HOUR_MS = 3600 * 1000 };

struct fixture {
    char *folder;
    struct arrivals_place place;
    struct stored_list stored;
    struct arrivals_memory *memory;
};

static int set_up(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    f->folder = proc_folder_new();
    f->place = (struct arrivals_place){.folder = f->folder, .profile = "test", .origin = "o", .account = ""};
    f->memory = arrivals_memory_new();
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    proc_folder_remove(f->folder);
    arrivals_memory_free(f->memory);
    free(f->stored.items);
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
    if (arrivals_file_add(&f->place, &f->stored, arrival, &error) != ERR_OK)
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

static struct arrivals *list_of(struct fixture *f) {
    struct arrivals *list = arrivals_new();
    arrivals_file_list(&f->place, f->memory, list);
    assert_int_equal(list->error.code, ERR_OK);
    return list;
}

static void expect_none_removed(struct fixture *f, int64_t given) {
    struct arrivals *list = list_of(f);
    assert_int_equal(list->removed, 0);
    assert_int_equal(list->given, given);
    assert_int_equal(list->n, given);
    arrivals_free(list);
}

static void expect_numbers(struct fixture *f, const char *expected) {
    struct arrivals *list = list_of(f);
    char text[256] = "";
    for (size_t i = 0; i < list->n; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%lld ", (long long)list->items[i]->n);
    assert_string_equal(text, expected);
    assert_int_equal(list->damaged, 0);
    arrivals_free(list);
}

/* A file is written once: one whose first line is overwritten in its place was not opened again. */
static void a_listing_takes_in_only_what_is_new(void **state) {
    struct fixture *f = *state;
    (void)add(f, WEBHOOK_VERIFIED);
    (void)add(f, WEBHOOK_MISMATCH);
    expect_numbers(f, "1 2 ");
    assert_true(proc_write_file(file_of(f, "000000000001"), "damaged\n"));
    (void)add(f, WEBHOOK_VERIFIED);
    expect_numbers(f, "1 2 3 ");
    assert_int_equal(unlink(file_of(f, "000000000002.refused")), 0);
    expect_numbers(f, "1 3 ");
}

static void what_cannot_be_read_is_looked_at_again(void **state) {
    struct fixture *f = *state;
    (void)add(f, WEBHOOK_VERIFIED);
    char *text = proc_read_file(file_of(f, "000000000001"));
    assert_true(proc_write_file(file_of(f, "000000000001"), "damaged\n"));
    struct arrivals *list = list_of(f);
    assert_int_equal(list->damaged, 1);
    arrivals_free(list);
    assert_true(proc_write_file(file_of(f, "000000000001"), text));
    expect_numbers(f, "1 ");
    free(text);
}

static void another_origin_gets_none_of_what_is_remembered(void **state) {
    struct fixture *f = *state;
    (void)add(f, WEBHOOK_VERIFIED);
    expect_numbers(f, "1 ");
    f->place.origin = "other";
    struct arrivals *list = list_of(f);
    assert_int_equal(list->n, 0);
    assert_int_equal(list->elsewhere, 1);
    arrivals_free(list);
    f->place.origin = "o";
    expect_numbers(f, "1 ");
}

/* What one program knows of the folder is no reason to miss what others did to it. */
static void what_others_add_and_remove_is_known(void **state) {
    struct fixture *f = *state;
    struct stored_list ours;
    assert_int_equal(add(f, WEBHOOK_VERIFIED), 1);
    ours = f->stored;
    f->stored = (struct stored_list){0};
    assert_int_equal(add(f, WEBHOOK_VERIFIED), 2);
    free(f->stored.items);
    f->stored = ours;
    assert_int_equal(add(f, WEBHOOK_VERIFIED), 3);
    assert_int_equal(f->stored.n, 3);
    assert_int_equal(unlink(file_of(f, "000000000001")), 0);
    const struct timespec later[2] = {{.tv_sec = 5}, {.tv_sec = 5}};
    assert_int_equal(utimensat(AT_FDCWD, file_of(f, ""), later, 0), 0);
    assert_int_equal(add(f, WEBHOOK_VERIFIED), 4);
    assert_int_equal(f->stored.n, 3);
}

static void it_is_said_from_when_on_none_is_missing(void **state) {
    struct fixture *f = *state;
    for (int i = 0; i < 4; i++)
        (void)add(f, WEBHOOK_VERIFIED);
    struct arrivals *list = list_of(f);
    assert_int_equal(list->removed, 0);
    assert_int_equal(list->given, 4);
    assert_int_equal(list->since, list->items[0]->at);
    arrivals_free(list);
    assert_int_equal(unlink(file_of(f, "000000000002")), 0);
    list = list_of(f);
    assert_int_equal(list->removed, 1);
    assert_int_equal(list->n, 3);
    assert_int_equal(list->since, list->items[1]->at);
    arrivals_free(list);
    assert_int_equal(unlink(file_of(f, "000000000004")), 0);
    list = list_of(f);
    assert_int_equal(list->removed, 2);
    assert_int_equal(list->since, CLOCK_NONE);
    arrivals_free(list);
}

static void expect_not_stored(struct fixture *f) {
    struct arrival *arrival = arrival_new();
    const struct headers headers = {0};
    arrival_take(arrival, "/", &headers, "{}", 2);
    assert_int_equal(arrivals_file_add(&f->place, &f->stored, arrival, NULL), ERR_FILE);
    arrival_free(arrival);
}

/* Its number fits, the event does not. */
static void a_number_that_found_no_room_is_given_again(void **state) {
    struct fixture *f = *state;
    struct rlimit before, full;
    (void)add(f, WEBHOOK_VERIFIED);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    full = before;
    full.rlim_cur = 20;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    expect_not_stored(f);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    expect_none_removed(f, 1);
    assert_int_equal(add(f, WEBHOOK_VERIFIED), 2);
}

static void a_name_that_is_taken_stops_no_later_event(void **state) {
    struct fixture *f = *state;
    (void)add(f, WEBHOOK_VERIFIED);
    assert_int_equal(mkdir(file_of(f, "000000000002"), S_IRWXU), 0);
    expect_not_stored(f);
    assert_int_equal(add(f, WEBHOOK_VERIFIED), 3);
}

/* Another program gives a number, then writes the file: neither that one nor what follows is missing. */
static void what_is_being_added_is_not_called_removed(void **state) {
    struct fixture *f = *state;
    for (int i = 0; i < 3; i++)
        (void)add(f, WEBHOOK_VERIFIED);
    int lock = open(file_of(f, ".lock"), O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    assert_int_equal(pwrite(lock, "000000000004", 12, 0), 12);
    char *text = proc_read_file(file_of(f, "000000000001"));
    assert_true(proc_write_file(file_of(f, "000000000006"), text));
    free(text);
    expect_none_removed(f, 3);
    (void)close(lock);
    struct arrivals *list = list_of(f);
    assert_int_equal(list->removed, 2);
    assert_int_equal(list->n, 4);
    arrivals_free(list);
}

static void add_some(struct fixture *f) {
    for (int i = 0; i < 150; i++)
        (void)add(f, WEBHOOK_VERIFIED);
    _exit(0);
}

static void while_others_add_none_is_called_removed(void **state) {
    struct fixture *f = *state;
    (void)add(f, WEBHOOK_VERIFIED);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        add_some(f);
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        struct arrivals *list = list_of(f);
        assert_int_equal(list->removed, 0);
        arrivals_free(list);
    }
    assert_int_equal(status, 0);
    expect_none_removed(f, 151);
}

/* Its head says nothing of the user, who stands in the body. */
static void the_user_of_an_earlier_versions_event_is_found(void **state) {
    struct fixture *f = *state;
    static const char MEMBER[] = ",\"user\":null", BODY[] = "{\"data\":{\"id\":\"int_1\",\"user_id\":\"u-1\"}}";
    struct str old;
    (void)add(f, WEBHOOK_VERIFIED);
    char *text = proc_read_file(file_of(f, "000000000001")), *member = strstr(text, MEMBER);
    assert_non_null(member);
    str_init(&old, PATH_BYTES);
    str_add_n(&old, text, (size_t)(member - text));
    str_add_n(&old, member + strlen(MEMBER), (size_t)(strchr(member, '\n') + 1 - member) - strlen(MEMBER));
    str_add(&old, BODY);
    assert_true(proc_write_file(file_of(f, "000000000001"), old.s));
    struct arrivals *list = list_of(f);
    assert_int_equal(list->n, 1);
    assert_non_null(list->items[0]->user);
    assert_string_equal(list->items[0]->user, "u-1");
    arrivals_free(list);
    str_clear(&old);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_does_not_verify_has_so_many_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_number_is_never_beyond_what_a_name_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_stamp_changes_with_the_events, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_listing_takes_in_only_what_is_new, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_be_read_is_looked_at_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_origin_gets_none_of_what_is_remembered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_others_add_and_remove_is_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_is_said_from_when_on_none_is_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_number_that_found_no_room_is_given_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_name_that_is_taken_stops_no_later_event, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_being_added_is_not_called_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(while_others_add_none_is_called_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_user_of_an_earlier_versions_event_is_found, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("stored events", tests, NULL, NULL);
}
