/* Writes confirmed at a terminal: only what was typed after the question counts, and nothing else is sent. */
#include "base/mem.h"
#include "support/console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, WAIT = 20 };

struct world {
    struct service service;
    char file[PATH_CAP];
};

static struct world *world_new(const char *fault) {
    struct world *world = mem_new(sizeof *world);
    const char *args[] = {"--intents", "20", fault ? "--fault" : NULL, fault, NULL};
    assert_true(console_serve(&world->service, args, ""));
    return world;
}

static void world_free(struct world *world) {
    (void)service_stop(&world->service);
    free(world);
}

static void write_file(struct world *world, const char *name, const char *text) {
    (void)snprintf(world->file, sizeof world->file, "%s/%s", world->service.folder, name);
    assert_true(proc_write_file(world->file, text));
}

static int posts(const struct world *world, const char *path) {
    return service_journal_count(&world->service, "\"POST\"", path);
}

static int end_of(struct pty *pty) {
    int status = -1;
    assert_true(pty_wait(pty, WAIT, &status));
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* ---- At a prompt of the command line ---- */

/* `early` is in the terminal's queue before the program has begun to read; then the question, then `late`. */
static void answered(struct world *world, const char *const args[], const char *early, const char *late, int status) {
    struct pty_options options = {.rows = 40, .cols = 120};
    struct pty *pty = console_open_args(&world->service, args, &options);
    pty_feed(pty, early);
    assert_true(pty_expect(pty, "Type yes to", WAIT));
    pty_feed(pty, late);
    assert_int_equal(end_of(pty), status);
    if (status != 0) {
        assert_true(pty_shows(pty, "nothing was sent"));
    }
    pty_free(pty);
}

static void f101_what_was_typed_before_the_prompt_answers_nothing(void **state) {
    (void)state;
    struct world *world = world_new(NULL);
    write_file(world, "u.json",
               "{\"name\":{\"first\":\"Ann\"},\"email\":\"ann@a.example\",\"identity_verified\":true}");
    const char *const create[] = {"users", "create", "--file", world->file, NULL};
    answered(world, create, "yes\r", "no\r", 1);
    assert_int_equal(posts(world, "/user"), 0);
    const char *const hook[] = {"webhook", "register", "--url", "https://hooks.example.com/p", "--unsigned", NULL};
    answered(world, hook, "yes\ryes\r", "\r", 1);
    assert_int_equal(posts(world, "/webhook"), 0);
    /* And what is typed after it does. */
    answered(world, create, "no\r", "yes\r", 0);
    assert_int_equal(posts(world, "/user"), 1);
    world_free(world);
}

static void f101_a_whole_import_is_not_confirmed_ahead(void **state) {
    (void)state;
    struct world *world = world_new(NULL);
    write_file(world, "u.csv", "first,email\nAnn,ann@a.example\nBea,bea@a.example\n");
    const char *const import[] = {"users", "import", world->file, NULL};
    answered(world, import, "yes\r2\ryes\r", "2\r", 1);
    assert_int_equal(posts(world, "/user"), 0);
    world_free(world);
}

static void f102_an_unconfirmed_prompt_is_no_fault_of_the_network(void **state) {
    (void)state;
    struct world *world = world_new(NULL);
    write_file(world, "u.json",
               "{\"name\":{\"first\":\"Ann\"},\"email\":\"ann@a.example\",\"identity_verified\":true}");
    const char *const create[] = {"users", "create", "--file", world->file, NULL};
    const char *const hook[] = {"webhook", "register", "--url", "https://hooks.example.com/p", "--unsigned", NULL};
    answered(world, create, "", "\x04", 1); /* the end of the input */
    answered(world, create, "", "YES\r", 1);
    answered(world, hook, "", "production\r", 1);
    assert_int_equal(posts(world, ""), 0);
    world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f101_what_was_typed_before_the_prompt_answers_nothing),
        cmocka_unit_test(f101_a_whole_import_is_not_confirmed_ahead),
        cmocka_unit_test(f102_an_unconfirmed_prompt_is_no_fault_of_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
