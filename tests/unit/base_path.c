#include "base/mem.h"
#include "base/path.h"

#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A folder of its own for each test; name(fixture, "x") is a path in it. */
struct fixture {
    char folder[64];
    char path[160];
    struct error error;
    mode_t before;
};

static const char *name(struct fixture *fixture, const char *leaf) {
    snprintf(fixture->path, sizeof fixture->path, "%s/%s", fixture->folder, leaf);
    return fixture->path;
}

static int set_up(void **state) {
    struct fixture *fixture = mem_new(sizeof *fixture);
    fixture->before = umask(022);
    snprintf(fixture->folder, sizeof fixture->folder, "%s", "/tmp/bursar-path-XXXXXX");
    *state = fixture;
    return mkdtemp(fixture->folder) ? 0 : -1;
}

static void remove_tree(const char *folder) {
    DIR *dir = opendir(folder);
    char path[512];
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (unlink(path) != 0)
            remove_tree(path);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;
    umask(fixture->before);
    remove_tree(fixture->folder);
    free(fixture);
    return 0;
}

static mode_t mode_of(const char *path) {
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    return info.st_mode & 07777;
}

static void write_file(const char *path, const char *text, mode_t mode) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
}

static void assert_content(const char *path, const char *expected) {
    struct str out;
    struct error error = {0};
    str_init(&out, 4096);
    assert_int_equal(path_read(path, 4096, false, &out, &error), ERR_OK);
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static size_t count_entries(const char *folder) {
    DIR *dir = opendir(folder);
    size_t n = 0;
    assert_non_null(dir);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

/* Refused with ERR_FILE, and the text names what and the reason. */
#define assert_refused(fixture, call, word)                   \
    do {                                                      \
        error_clear(&(fixture)->error);                       \
        assert_int_equal(call, ERR_FILE);                     \
        assert_non_null(strstr((fixture)->error.text, word)); \
    } while (0)

static void assert_home(enum path_home home, const char *leaf, const char *expected) {
    struct str out;
    struct error error = {0};
    str_init(&out, 256);
    if (path_home(home, leaf, &out, &error) != ERR_OK)
        fail_msg("%s", error.text);
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void homes_follow_xdg_and_home(void **state) {
    (void)state;
    setenv("HOME", "/home/op", 1);
    unsetenv("XDG_CONFIG_HOME");
    setenv("XDG_CACHE_HOME", "", 1);
    setenv("XDG_STATE_HOME", "/var/op", 1);
    assert_home(PATH_CONFIG, "config", "/home/op/.config/bursar/config");
    assert_home(PATH_CONFIG, NULL, "/home/op/.config/bursar");
    assert_home(PATH_CACHE, NULL, "/home/op/.cache/bursar");
    assert_home(PATH_STATE, "log", "/var/op/bursar/log");
    unsetenv("XDG_STATE_HOME");
    assert_home(PATH_STATE, NULL, "/home/op/.local/state/bursar");
}

/* faults P6 */
static void a_relative_home_is_refused(void **state) {
    struct fixture *fixture = *state;
    struct str out;
    str_init(&out, 256);
    setenv("HOME", "/home/op", 1);
    setenv("XDG_CACHE_HOME", "cache", 1);
    assert_refused(fixture, path_home(PATH_CACHE, NULL, &out, &fixture->error), "XDG_CACHE_HOME");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", ".", 1);
    assert_refused(fixture, path_home(PATH_CACHE, NULL, &out, &fixture->error), "HOME");
    assert_int_equal(out.len, 0);
    str_clear(&out);
}

static void f67_a_home_that_is_not_set_is_that_of_the_password_file(void **state) {
    static const char *const values[] = {NULL, ""};
    const struct passwd *entry = getpwuid(geteuid());
    char expected[4096];
    (void)state;
    assert_non_null(entry);
    (void)snprintf(expected, sizeof expected, "%s/.cache/bursar", entry->pw_dir);
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        (void)(values[i] ? setenv("HOME", values[i], 1) : unsetenv("HOME"));
        assert_home(PATH_CACHE, NULL, expected);
        char *whole = path_expand("~/token");
        assert_true(str_starts(whole, entry->pw_dir) && str_equal(strrchr(whole, '/'), "/token"));
        free(whole);
    }
    setenv("HOME", "/home/op", 1);
}

/* faults P5 */
static void modes_do_not_depend_on_the_umask(void **state) {
    struct fixture *fixture = *state;
    static const mode_t masks[] = {0000, 0022, 0077, 0777};
    for (size_t i = 0; i < COUNT_OF(masks); i++) {
        char leaf[32];
        int fd;
        umask(masks[i]);
        snprintf(leaf, sizeof leaf, "a%zu", i);
        const char *parent = mem_dup(name(fixture, leaf));
        snprintf(leaf, sizeof leaf, "a%zu/b/c/", i);
        assert_int_equal(path_make_private(name(fixture, leaf), &fixture->error), ERR_OK);
        assert_int_equal(path_make_private(name(fixture, leaf), &fixture->error), ERR_OK);
        assert_int_equal(mode_of(name(fixture, leaf)), 0700);
        assert_int_equal(mode_of(parent), 0700);
        free((char *)parent);
        snprintf(leaf, sizeof leaf, "new%zu", i);
        assert_int_equal(path_create_new(name(fixture, leaf), &fd, &fixture->error), ERR_OK);
        assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        close(fd);
        assert_int_equal(mode_of(fixture->path), 0600);
        snprintf(leaf, sizeof leaf, "replaced%zu", i);
        assert_int_equal(path_replace(name(fixture, leaf), "x", 1, &fixture->error), ERR_OK);
        assert_int_equal(mode_of(fixture->path), 0600);
    }
}

/* faults D2 */
static void an_unsafe_folder_is_refused(void **state) {
    struct fixture *fixture = *state;
    char target[160];
    snprintf(target, sizeof target, "%s/real", fixture->folder);
    assert_int_equal(path_make_private(target, &fixture->error), ERR_OK);
    assert_int_equal(symlink(target, name(fixture, "link")), 0);
    assert_refused(fixture, path_make_private(name(fixture, "link"), &fixture->error), "is a link");
    assert_refused(fixture, path_make_private(name(fixture, "link/"), &fixture->error), "is a link");
    assert_int_equal(symlink("/nowhere/at/all", name(fixture, "dangling")), 0);
    assert_refused(fixture, path_make_private(name(fixture, "dangling"), &fixture->error), "is a link");
    write_file(name(fixture, "file"), "", 0600);
    assert_refused(fixture, path_make_private(name(fixture, "file"), &fixture->error), "not a folder");
    assert_refused(fixture, path_make_private(name(fixture, "file/under"), &fixture->error), "cannot make");
    assert_refused(fixture, path_make_private("", &fixture->error), "not a folder");
    static const mode_t open_modes[] = {0777, 0770, 0755, 0701, 0710};
    for (size_t i = 0; i < COUNT_OF(open_modes); i++) {
        assert_int_equal(chmod(target, open_modes[i]), 0);
        assert_refused(fixture, path_make_private(target, &fixture->error), "chmod 700");
        assert_int_equal(mode_of(target), open_modes[i]);
    }
    /* Links above it are the system's business. */
    assert_int_equal(path_make_private(name(fixture, "link/inner"), &fixture->error), ERR_OK);
}

static void what_belongs_to_another_is_refused(void **state) {
    struct fixture *fixture = *state;
    struct str out;
    if (geteuid() != 0) {
        print_message("skipped: only root can give files away\n");
        skip();
    }
    str_init(&out, 64);
    assert_int_equal(mkdir(name(fixture, "theirs"), 0700), 0);
    assert_int_equal(chown(fixture->path, 12345, 12345), 0);
    assert_refused(fixture, path_make_private(fixture->path, &fixture->error), "another user");
    assert_refused(fixture, path_check_unwritable(fixture->path, &fixture->error), "another user");
    write_file(name(fixture, "their-file"), "x", 0600);
    assert_int_equal(chown(fixture->path, 12345, 12345), 0);
    assert_refused(fixture, path_read(fixture->path, 10, true, &out, &fixture->error), "another user");
    assert_int_equal(path_read(fixture->path, 10, false, &out, &fixture->error), ERR_OK);
    str_clear(&out);
}

static void a_folder_that_cannot_be_made_is_an_error(void **state) {
    struct fixture *fixture = *state;
    if (geteuid() == 0) {
        print_message("skipped: root may write anywhere\n");
        skip();
    }
    assert_int_equal(mkdir(name(fixture, "closed"), 0500), 0);
    assert_refused(fixture, path_make_private(name(fixture, "closed/x"), &fixture->error), "cannot make");
}

/* faults P10 */
static void a_new_file_never_lands_on_anything(void **state) {
    struct fixture *fixture = *state;
    int fd;
    char target[160];
    snprintf(target, sizeof target, "%s/target", fixture->folder);
    write_file(target, "old", 0600);
    assert_refused(fixture, path_create_new(target, &fd, &fixture->error), "already there");
    assert_int_equal(fd, -1);
    assert_int_equal(symlink(target, name(fixture, "link")), 0);
    assert_refused(fixture, path_create_new(fixture->path, &fd, &fixture->error), "already there");
    assert_int_equal(symlink("/tmp/bursar-not-made", name(fixture, "dangling")), 0);
    assert_refused(fixture, path_create_new(fixture->path, &fd, &fixture->error), "already there");
    assert_refused(fixture, path_create_new(name(fixture, "no/such"), &fd, &fixture->error), "No such file");
    assert_content(target, "old");
}

static void replacing_keeps_one_private_file(void **state) {
    struct fixture *fixture = *state;
    write_file(name(fixture, "file"), "old text", 0644);
    assert_int_equal(path_replace(fixture->path, "new", 3, &fixture->error), ERR_OK);
    assert_content(fixture->path, "new");
    assert_int_equal(mode_of(fixture->path), 0600);
    assert_int_equal(path_replace(fixture->path, "", 0, &fixture->error), ERR_OK);
    assert_content(fixture->path, "");
    assert_int_equal(count_entries(fixture->folder), 1);
}

static void replacing_refuses_links_and_folders(void **state) {
    struct fixture *fixture = *state;
    char target[160];
    snprintf(target, sizeof target, "%s/target", fixture->folder);
    write_file(target, "old", 0600);
    assert_int_equal(symlink(target, name(fixture, "link")), 0);
    assert_refused(fixture, path_replace(fixture->path, "new", 3, &fixture->error), "is a link");
    assert_content(target, "old");
    assert_int_equal(mkdir(name(fixture, "folder"), 0700), 0);
    assert_refused(fixture, path_replace(fixture->path, "new", 3, &fixture->error), "not a regular file");
    assert_refused(fixture, path_replace(name(fixture, "no/such"), "new", 3, &fixture->error), "No such file");
    assert_int_equal(count_entries(fixture->folder), 3);
}

/* faults D1: the file-size limit stands for a full disk. */
static void a_full_disk_leaves_the_old_file(void **state) {
    struct fixture *fixture = *state;
    char bytes[8192];
    struct rlimit limit, small;
    memset(bytes, 'n', sizeof bytes);
    write_file(name(fixture, "file"), "old", 0600);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = (struct rlimit){4096, limit.rlim_max};
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum err err = path_replace(fixture->path, bytes, sizeof bytes, &fixture->error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, before);
    assert_int_equal(err, ERR_FILE);
    assert_content(fixture->path, "old");
    assert_int_equal(count_entries(fixture->folder), 1);
}

static void reading_stops_at_the_limit(void **state) {
    struct fixture *fixture = *state;
    struct str out;
    str_init(&out, 100);
    write_file(name(fixture, "file"), "0123456789", 0600);
    assert_int_equal(path_read(fixture->path, 10, true, &out, &fixture->error), ERR_OK);
    assert_string_equal(out.s, "0123456789");
    assert_refused(fixture, path_read(fixture->path, 9, true, &out, &fixture->error), "larger than 9");
    assert_refused(fixture, path_read("/proc/self/maps", 9, false, &out, &fixture->error), "larger than 9");
    str_clear(&out);
    str_init(&out, 4);
    assert_refused(fixture, path_read(fixture->path, 100, true, &out, &fixture->error), "larger than 4");
    str_clear(&out);
}

static void only_a_regular_file_is_read(void **state) {
    struct fixture *fixture = *state;
    struct str out;
    str_init(&out, 100);
    assert_int_equal(mkfifo(name(fixture, "pipe"), 0600), 0);
    assert_refused(fixture, path_read(fixture->path, 10, false, &out, &fixture->error), "not a regular file");
    assert_refused(fixture, path_read(fixture->folder, 10, false, &out, &fixture->error), "not a regular file");
    assert_refused(fixture, path_read("/dev/zero", 10, false, &out, &fixture->error), "not a regular file");
    assert_refused(fixture, path_read(name(fixture, "none"), 10, false, &out, &fixture->error), "No such file");
    str_clear(&out);
}

static void a_private_file_is_closed_to_others(void **state) {
    struct fixture *fixture = *state;
    struct str out;
    static const struct {
        mode_t mode;
        bool is_private;
    } table[] = {{0600, true}, {0400, true}, {0700, true}, {0640, false}, {0604, false}, {0620, false}, {0666, false}};
    str_init(&out, 100);
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        write_file(name(fixture, "token"), "t", 0600);
        assert_int_equal(chmod(fixture->path, table[i].mode), 0);
        if (table[i].is_private)
            assert_int_equal(path_read(fixture->path, 10, true, &out, &fixture->error), ERR_OK);
        else
            assert_refused(fixture, path_read(fixture->path, 10, true, &out, &fixture->error), "chmod 600");
        assert_int_equal(path_read(fixture->path, 10, false, &out, &fixture->error), ERR_OK);
        assert_int_equal(chmod(fixture->path, 0600), 0);
    }
    assert_int_equal(symlink("token", name(fixture, "link")), 0);
    assert_refused(fixture, path_read(fixture->path, 10, true, &out, &fixture->error), "is a link");
    assert_int_equal(path_read(fixture->path, 10, false, &out, &fixture->error), ERR_OK);
    str_clear(&out);
}

static void settings_that_others_may_write_are_refused(void **state) {
    struct fixture *fixture = *state;
    static const struct {
        mode_t mode;
        bool fine;
    } table[] = {{0600, true}, {0644, true}, {0755, true}, {0664, false}, {0646, false}, {0622, false}, {0777, false}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        write_file(name(fixture, "config"), "", table[i].mode);
        if (table[i].fine)
            assert_int_equal(path_check_unwritable(fixture->path, &fixture->error), ERR_OK);
        else
            assert_refused(fixture, path_check_unwritable(fixture->path, &fixture->error), "chmod go-w");
    }
    assert_refused(fixture, path_check_unwritable(name(fixture, "none"), &fixture->error), "No such file");
}

#define with_folder(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

static void the_folder_under_home_is_told_by_a_tilde(void **state) {
    struct fixture *fixture = *state;
    char before[4096], home[4096];
    struct str here;
    str_init(&here, sizeof before);
    assert_non_null(getcwd(before, sizeof before));
    snprintf(home, sizeof home, "%s", getenv("HOME") ? getenv("HOME") : "/");
    assert_int_equal(mkdir(name(fixture, "in"), 0700), 0);
    assert_int_equal(chdir(fixture->path), 0);
    setenv("HOME", fixture->folder, 1);
    path_here(&here);
    assert_string_equal(here.s, "~/in");
    str_reset(&here);
    setenv("HOME", "/tmp/bursar-pat", 1); /* its name goes on: another folder */
    path_here(&here);
    assert_string_equal(here.s, fixture->path);
    assert_int_equal(chdir(before), 0);
    setenv("HOME", home, 1);
    str_clear(&here);
}

static void expect_completed(const char *typed, const char *completed, const char *names) {
    struct str text, all;
    str_init(&text, 4096);
    str_init(&all, 4096);
    size_t n = path_complete(typed, &text, &all);
    assert_string_equal(text.s, completed);
    assert_string_equal(all.s, names);
    assert_int_equal(n > 0, *names != '\0');
    str_clear(&text);
    str_clear(&all);
}

static void a_path_is_completed_as_far_as_it_is_certain(void **state) {
    struct fixture *fixture = *state;
    static const char *const FILES[] = {"users.csv", "users.map", "\xC3\xA4", "\xC3\xB6", ".hidden", "odd\x1b[2J"};
    struct str typed, whole;
    str_init(&typed, 256);
    str_init(&whole, 256);
    for (size_t i = 0; i < COUNT_OF(FILES); i++) {
        int fd;
        assert_int_equal(path_create_new(name(fixture, FILES[i]), &fd, NULL), ERR_OK);
        assert_int_equal(close(fd), 0);
    }
    assert_int_equal(mkdir(name(fixture, "sub"), 0700), 0);
    assert_int_equal(setenv("HOME", fixture->folder, 1), 0);
    expect_completed("~/u", "~/users.", "users.csv  users.map");
    expect_completed("~/users.c", "~/users.csv", "users.csv");
    expect_completed("~/s", "~/sub/", "sub/");
    expect_completed("~/sub/", "~/sub/", "");
    expect_completed("~/nothing", "~/nothing", "");
    expect_completed("~/no/such", "~/no/such", "");
    expect_completed("~/.", "~/.hidden", ".hidden");
    expect_completed("~/odd", "~/odd", ""); /* not typed, not drawn */
    expect_completed("~/", "~/", "sub/  users.csv  users.map  \xC3\xA4  \xC3\xB6");
    assert_int_equal(unlink(name(fixture, "users.csv")), 0);
    assert_int_equal(unlink(name(fixture, "users.map")), 0);
    assert_int_equal(rmdir(name(fixture, "sub")), 0);
    expect_completed("~/", "~/", "\xC3\xA4  \xC3\xB6"); /* half a character is none */
    str_addf(&typed, "%s/.h", fixture->folder);
    str_addf(&whole, "%s/.hidden", fixture->folder);
    expect_completed(typed.s, whole.s, ".hidden");
    str_clear(&typed);
    str_clear(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(homes_follow_xdg_and_home),
        with_folder(a_relative_home_is_refused),
        with_folder(f67_a_home_that_is_not_set_is_that_of_the_password_file),
        with_folder(the_folder_under_home_is_told_by_a_tilde),
        with_folder(modes_do_not_depend_on_the_umask),
        with_folder(an_unsafe_folder_is_refused),
        with_folder(what_belongs_to_another_is_refused),
        with_folder(a_folder_that_cannot_be_made_is_an_error),
        with_folder(a_new_file_never_lands_on_anything),
        with_folder(replacing_keeps_one_private_file),
        with_folder(replacing_refuses_links_and_folders),
        with_folder(a_full_disk_leaves_the_old_file),
        with_folder(reading_stops_at_the_limit),
        with_folder(only_a_regular_file_is_read),
        with_folder(a_private_file_is_closed_to_others),
        with_folder(a_path_is_completed_as_far_as_it_is_certain),
        with_folder(settings_that_others_may_write_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
