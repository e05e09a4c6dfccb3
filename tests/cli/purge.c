/* `bursar purge --all`: everything but the configuration, and not while it would cost the knowledge of a write. */
#include "base/mem.h"
#include "support/console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096 };

struct world {
    struct service service;
    char file[PATH_CAP];
    struct proc proc;
};

static struct world *world_new(const char *fault) {
    struct world *world = mem_new(sizeof *world);
    const char *args[] = {"--intents", "20", fault ? "--fault" : NULL, fault, NULL};
    assert_true(console_serve(&world->service, args, ""));
    (void)snprintf(world->file, sizeof world->file, "%s/user.json", world->service.folder);
    assert_true(proc_write_file(world->file, "{\"name\":{\"first\":\"Ann\"},\"email\":\"ann@a.example\"}"));
    return world;
}

static int run(struct world *world, const char *const args[]) {
    (void)proc_end(&world->proc);
    memset(&world->proc, 0, sizeof world->proc);
    return console_run(&world->service, args, &world->proc);
}

static void world_free(struct world *world) {
    (void)proc_end(&world->proc);
    (void)service_stop(&world->service);
    free(world);
}

/* Files left in the folders of cache and state. */
static const char *left(struct world *world) {
    char state[PATH_CAP], cache[PATH_CAP];
    (void)snprintf(state, sizeof state, "%s/state", world->service.folder);
    (void)snprintf(cache, sizeof cache, "%s/cache", world->service.folder);
    const char *argv[] = {"/usr/bin/find", state, cache, "-type", "f", NULL};
    (void)proc_end(&world->proc);
    memset(&world->proc, 0, sizeof world->proc);
    (void)proc_run(&world->proc, argv, NULL, PROC_DEADLINE);
    return world->proc.out.s;
}

static void everything_but_the_configuration_goes(void **state) {
    (void)state;
    struct world *world = world_new(NULL);
    assert_int_equal(run(world, (const char *const[]){"intents", "list", NULL}), 0);
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", world->file, "--yes", NULL}), 0);
    assert_non_null(strstr(left(world), "journal.db"));
    assert_non_null(strstr(left(world), "machine.key"));
    assert_int_equal(run(world, (const char *const[]){"purge", "--all", NULL}), 0);
    assert_non_null(strstr(world->proc.out.s, "journal.db removed"));
    assert_non_null(strstr(world->proc.out.s, "exports, import results and backups are not reached"));
    assert_string_equal(left(world), "");
    assert_int_equal(run(world, (const char *const[]){"config", "check", NULL}), 0);
    world_free(world);
}

static void put(const struct world *world, const char *name) {
    char path[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/%s", world->service.folder, name);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    assert_true(proc_write_file(path, "x"));
}

/* What is kept, and what programs that were killed left by half; a link goes, not what it leads to. */
static void f21_everything_of_the_file_table_goes(void **state) {
    (void)state;
    static const char *const FILES[] = {"state/bursar/history/test",
                                        "state/bursar/views/test",
                                        "state/bursar/notes.db",
                                        "state/bursar/drafts/user-1.json",
                                        "state/bursar/log.1",
                                        "state/bursar/drafts/user-1.json.0a1b2c.tmp",
                                        "state/bursar/session",
                                        "cache/bursar/test.db-wal",
                                        "state/bursar/journal.db.new-0a1b2c",
                                        "state/bursar/machine.key.new-00",
                                        "cache/bursar/other.db.aside-1",
                                        "cache/bursar/test.index/segment.1",
                                        "state/bursar/views/.test.0a1b2c.tmp",
                                        "state/bursar/some/new/folder/file"};
    struct world *world = world_new(NULL);
    char outside[PATH_CAP], link[PATH_CAP];
    for (size_t i = 0; i < COUNT_OF(FILES); i++)
        if (!strstr(FILES[i], ".db") || strstr(FILES[i], ".db.") || strstr(FILES[i], "-wal") ||
            strstr(FILES[i], "notes"))
            put(world, FILES[i]);
    (void)snprintf(outside, sizeof outside, "%s/outside/file", world->service.folder);
    put(world, "outside/file");
    (void)snprintf(link, sizeof link, "%s/state/bursar/link", world->service.folder);
    (void)snprintf(outside, sizeof outside, "%s/outside", world->service.folder);
    assert_int_equal(symlink(outside, link), 0);
    assert_int_equal(run(world, (const char *const[]){"purge", "--all", NULL}), 0);
    assert_non_null(strstr(world->proc.out.s, "history/test removed"));
    assert_string_equal(left(world), "");
    assert_int_equal(access(link, F_OK), -1);
    (void)snprintf(outside, sizeof outside, "%s/outside/file", world->service.folder);
    assert_int_equal(access(outside, F_OK), 0);
    world_free(world);
}

static void an_unknown_write_is_settled_first(void **state) {
    (void)state;
    struct world *world = world_new("path=/user drop_after_read=1");
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", world->file, "--yes", NULL}), 6);
    assert_int_equal(run(world, (const char *const[]){"purge", "--all", NULL}), 1);
    assert_non_null(strstr(world->proc.err.s, "nothing was removed"));
    assert_non_null(strstr(left(world), "journal.db"));
    assert_int_equal(run(world, (const char *const[]){"activity", "resolve", "1", "--outcome", "refused", "--note",
                                                      "not there by its e-mail", NULL}),
                     0);
    assert_int_equal(run(world, (const char *const[]){"purge", "--all", NULL}), 0);
    assert_string_equal(left(world), "");
    world_free(world);
}

static void a_running_console_keeps_its_files(void **state) {
    (void)state;
    struct world *world = world_new(NULL);
    struct pty *pty = console_open(&world->service, 24, 80);
    assert_non_null(pty);
    assert_true(pty_expect(pty, "online, last answer", 20));
    assert_int_equal(run(world, (const char *const[]){"activity", NULL}), 0);
    assert_int_equal(run(world, (const char *const[]){"purge", "--all", NULL}), 1);
    assert_non_null(strstr(world->proc.err.s, "is in use by process"));
    pty_free(pty);
    world_free(world);
}

static void says(struct world *world, const char *const args[], const char *text) {
    assert_int_equal(run(world, args), 0);
    if (!strstr(world->proc.out.s, text))
        fail_msg("%s is not in: %s", text, world->proc.out.s);
}

static void a_count_of_one_has_its_noun(void **state) {
    (void)state;
    struct world *world = world_new(NULL);
    const char *const one[] = {"--intents", "1", NULL};
    assert_true(service_restart(&world->service, one) && console_configure(&world->service, world->service.url, ""));
    assert_int_equal(run(world, (const char *const[]){"intents", "list", NULL}), 0);
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", world->file, "--yes", NULL}), 0);
    says(world, (const char *const[]){"cache", "stats", NULL}, "1 in 1 walk\n");
    says(world, (const char *const[]){"cache", "verify", NULL}, "1 row, 1 page, 0 sightings checked\n");
    says(world, (const char *const[]){"cache", "purge", NULL}, "1 intent removed");
    says(world, (const char *const[]){"journal", "purge", "--before", "2100-01-01", NULL}, "of 1 record removed");
    says(world, (const char *const[]){"journal", "purge", "--before", "2100-01-01", NULL}, "of 0 records removed");
    world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_count_of_one_has_its_noun),
        cmocka_unit_test(everything_but_the_configuration_goes),
        cmocka_unit_test(f21_everything_of_the_file_table_goes),
        cmocka_unit_test(an_unknown_write_is_settled_first),
        cmocka_unit_test(a_running_console_keeps_its_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
