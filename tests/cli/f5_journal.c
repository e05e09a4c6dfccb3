/* `bursar activity verify`, and every write, over a journal that is not as it was written. */
#include "base/mem.h"
#include "base/str.h"
#include "support/console.h"
#include "support/damage.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, USERS = 4 };

struct world {
    struct service service;
    char file[PATH_CAP];
    struct proc proc;
};

static int run(struct world *world, const char *const args[]) {
    (void)proc_end(&world->proc);
    memset(&world->proc, 0, sizeof world->proc);
    return console_run(&world->service, args, &world->proc);
}

static int create(struct world *world, int number) {
    char body[256];
    (void)snprintf(body, sizeof body,
                   "{\"name\":{\"first\":\"Ann\",\"last\":\"Sample\"},\"email\":\"ann%d@a.example\",\"tag\":\"key-%d\","
                   "\"identity_verified\":true}",
                   number, number);
    assert_true(proc_write_file(world->file, body));
    return run(world, (const char *const[]){"users", "create", "--file", world->file, "--yes", NULL});
}

static int posts(const struct world *world) {
    return service_journal_count(&world->service, "\"POST\"", "/user");
}

static int verify(struct world *world) {
    return run(world, (const char *const[]){"activity", "verify", NULL});
}

static bool says(const struct world *world, const char *words) {
    return strstr(world->proc.out.s, words) || strstr(world->proc.err.s, words);
}

static int set_up(void **state) {
    struct world *world = mem_new(sizeof *world);
    assert_true(console_serve(&world->service, (const char *const[]){"--intents", "20", NULL}, ""));
    (void)snprintf(world->file, sizeof world->file, "%s/user.json", world->service.folder);
    for (int i = 0; i < USERS; i++)
        assert_int_equal(create(world, i), 0);
    *state = world;
    return 0;
}

static int tear_down(void **state) {
    struct world *world = *state;
    (void)proc_end(&world->proc);
    (void)service_stop(&world->service);
    free(world);
    return 0;
}

static void state_path(const struct world *world, const char *name, char out[PATH_CAP]) {
    (void)snprintf(out, PATH_CAP, "%s/state/bursar/%s", world->service.folder, name);
    if (access(out, F_OK) != 0)
        (void)snprintf(out, PATH_CAP, "%s/.local/state/bursar/%s", world->service.folder, name);
}

/* One bit within the text, where it stands in journal.db. */
static void flip_in(const struct world *world, const char *text) {
    char path[PATH_CAP];
    struct stat st;
    state_path(world, "journal.db", path);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &st), 0);
    char *bytes = mem_new((size_t)st.st_size + 1);
    assert_int_equal(read(fd, bytes, (size_t)st.st_size), st.st_size);
    const char *at = memmem(bytes, (size_t)st.st_size, text, strlen(text));
    assert_non_null(at);
    char byte = (char)(at[1] ^ 1);
    assert_int_equal(pwrite(fd, &byte, 1, at - bytes + 1), 1);
    close(fd);
    free(bytes);
}

/* Neither what is recorded nor anything new leaves. */
static void check_nothing_is_sent(struct world *world) {
    for (int i = 0; i < USERS + 1; i++) {
        assert_int_equal(create(world, i), 1);
        assert_true(says(world, "othing is sent"));
        assert_int_equal(posts(world), USERS);
    }
}

static void f5_verify_says_that_a_journal_is_sound(void **state) {
    struct world *world = *state;
    assert_int_equal(verify(world), 0);
    assert_true(says(world, "4 records"));
    assert_true(says(world, "the chain is whole"));
}

static void f5_a_flipped_bit_stops_users_create_and_is_named(void **state) {
    struct world *world = *state;
    flip_in(world, "user.create");
    assert_int_equal(verify(world), 9);
    assert_true(says(world, "3 records"));
    assert_true(says(world, "was altered"));
    assert_true(says(world, "Put journal.db and journal.head back from one copy"));
    check_nothing_is_sent(world);
    (void)run(world, (const char *const[]){"activity", "list", "--format", "ndjson", NULL});
    int listed = 0;
    for (const char *at = world->proc.out.s; (at = strstr(at, "\"n\":")) != NULL; at++)
        listed++;
    assert_int_equal(listed, 3);
    assert_true(says(world, "is damaged"));
}

static void import_people(struct world *world, int n) {
    struct str csv;
    str_init(&csv, 1 << 20);
    str_add(&csv, "name.first,name.last,email,identity_verified\n");
    for (int i = 0; i < n; i++)
        str_addf(&csv, "Ann,Sample,row%d@a.example,true\n", i);
    (void)snprintf(world->file, sizeof world->file, "%s/people.csv", world->service.folder);
    assert_true(proc_write_file(world->file, csv.s));
    str_clear(&csv);
    assert_int_equal(run(world, (const char *const[]){"users", "import", world->file, "--yes", NULL}), 0);
}

/* The kind of a page stands in its first byte: no row of the page can be read then. */
static void f5_what_is_sound_around_a_page_that_cannot_be_read_is_listed(void **state) {
    enum { PAGE = 4096, PEOPLE = 80, KIND_OF_NO_PAGE = 29 };
    struct world *world = *state;
    char path[PATH_CAP];
    int listed_around = 0;
    import_people(world, PEOPLE);
    state_path(world, "journal.db", path);
    struct bytes whole = bytes_read(path);
    for (size_t page = 1; page < whole.len / PAGE; page++) {
        char kept = whole.s[page * PAGE], words[64];
        whole.s[page * PAGE] = KIND_OF_NO_PAGE;
        bytes_write(path, &whole);
        whole.s[page * PAGE] = kept;
        if (verify(world) == 0)
            continue;
        int sound = atoi(world->proc.out.s);
        (void)run(world, (const char *const[]){"activity", "list", "--format", "ndjson", NULL});
        int listed = 0;
        int64_t before = INT64_MAX;
        for (const char *at = world->proc.out.s; (at = strstr(at, "{\"n\":")) != NULL; at++, listed++) {
            int64_t n = atoll(at + strlen("{\"n\":"));
            assert_true(n < before);
            before = n;
        }
        (void)snprintf(words, sizeof words, "page %zu: %d listed, %d sound", page, listed, sound);
        if (listed != sound)
            fail_msg("%s", words);
        assert_true(says(world, "Put journal.db and journal.head back from one copy"));
        listed_around += listed > 0 && listed < PEOPLE + USERS;
    }
    assert_true(listed_around >= 3);
    free(whole.s);
}

static void f7_a_removed_journal_stops_users_create(void **state) {
    struct world *world = *state;
    char path[PATH_CAP];
    state_path(world, "journal.db", path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(verify(world), 9);
    assert_true(says(world, "4 records with it"));
    check_nothing_is_sent(world);
}

#define IN_WORLD(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_WORLD(f5_verify_says_that_a_journal_is_sound),
        IN_WORLD(f5_a_flipped_bit_stops_users_create_and_is_named),
        IN_WORLD(f5_what_is_sound_around_a_page_that_cannot_be_read_is_listed),
        IN_WORLD(f7_a_removed_journal_stops_users_create),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
