/* Writes confirmed at a terminal: only what was typed after the question counts, and nothing else is sent. */
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
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

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
    if (status != 0)
        assert_true(pty_shows(pty, "nothing was sent"));
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

static void add_production(const struct world *world) {
    char profile[PATH_CAP * 2];
    (void)snprintf(profile, sizeof profile,
                   "}\nprofile prod {\n  environment = production\n  read_only = false\n  base_url = '%s'\n"
                   "  token_file = '%s'\n",
                   world->service.url, world->service.token_file);
    assert_true(console_configure(&world->service, world->service.url, profile));
}

/* An answer is a whole line: what the end of the input leaves half typed is none, at whichever prompt. */
static void an_answer_without_its_enter_confirms_nothing(void **state) {
    (void)state;
    struct world *world = world_new(NULL);
    struct pty_options options = {.rows = 40, .cols = 120};
    write_file(world, "u.json",
               "{\"name\":{\"first\":\"Ann\"},\"email\":\"ann@a.example\",\"identity_verified\":true}");
    const char *const create[] = {"users", "create", "--file", world->file, NULL};
    const char *const hook[] = {"webhook", "register", "--url", "https://hooks.example.com/p", "--unsigned", NULL};
    answered(world, create, "", "yes\x04\x04", 1);
    answered(world, hook, "", "yes\x04\x04", 1);
    answered(world, create, "", "yes\x16\rno\r", 1); /* a line end that is quoted does not end it */
    write_file(world, "u.csv", "first,email\nAnn,ann@a.example\nBea,bea@a.example\n");
    const char *const import[] = {"users", "import", world->file, NULL};
    answered(world, import, "", "yes\x04\x04", 1);
    add_production(world);
    const char *const whole[] = {"--profile", "prod", "users", "import", world->file, NULL};
    struct pty *pty = console_open_args(&world->service, whole, &options);
    assert_true(pty_expect(pty, "Type production to", WAIT));
    pty_feed(pty, "production\r");
    assert_true(pty_expect(pty, "Type 2 to", WAIT));
    pty_feed(pty, "2\x04\x04");
    assert_int_equal(end_of(pty), 1);
    assert_true(pty_shows(pty, "not confirmed: nothing was sent"));
    pty_free(pty);
    assert_int_equal(posts(world, ""), 0);
    world_free(world);
}

/* ---- Forms on the disk ---- */

static struct pty *open_form(struct world *world, const char *const extra[]) {
    struct pty_options options = {.rows = 40, .cols = 100};
    struct pty *pty = console_open_env(&world->service, NULL, extra, &options);
    assert_true(pty_expect(pty, "of 20", WAIT));
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "Identity verified", WAIT));
    return pty;
}

static void type_name(struct pty *pty) {
    pty_feed(pty, "\rAnn\tSample\x1b");
    assert_true(pty_expect(pty, "Sample", WAIT));
}

/* Until it says that it cannot be kept, the form counts as kept; then it is told, and leaving asks. */
static void f15_a_form_that_cannot_be_kept_is_not_lost_unasked(void **state) {
    (void)state;
    struct world *world = world_new(NULL);
    char preload[PATH_CAP];
    (void)snprintf(preload, sizeof preload, "LD_PRELOAD=%s/preload/fail_call.so", getenv("BURSAR_OUT"));
    const char *const full[] = {preload,     "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0",
                                "FAIL_AT=1", "FAIL_WITH=ENOSPC",
                                "FAIL_ON=1", "FAIL_KINDS=w",
                                NULL};
    struct pty *pty = open_form(world, full);
    type_name(pty);
    pty_feed(pty, "1"); /* another pane: it goes to the disk */
    assert_true(pty_expect(pty, "could not be kept on the disk", WAIT));
    pty_feed(pty, "Q");
    assert_true(pty_expect(pty, "Leave bursar?", WAIT));
    pty_feed(pty, "\x1b[C\r");
    assert_true(pty_expect(pty, "Leave and lose a form?", WAIT));
    pty_feed(pty, "\r"); /* stay */
    assert_true(pty_expect_gone(pty, "Leave and lose a form?", WAIT));
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "Sample", WAIT));
    pty_feed(pty, "Q");
    assert_true(pty_expect(pty, "Leave bursar?", WAIT));
    pty_feed(pty, "\x1b[C\r");
    assert_true(pty_expect(pty, "Leave and lose a form?", WAIT));
    pty_feed(pty, "\x1b[C\r");
    assert_int_equal(end_of(pty), 0);
    pty_free(pty);
    world_free(world);
}

static void confirm(struct pty *pty) {
    pty_feed(pty, "s");
    assert_true(pty_expect(pty, "[ Send it ]", WAIT));
    pty_settle(pty, 700);
    console_read_review(pty);
    pty_feed(pty, "\x1b[C\r");
}

static void make_old(const char *folder) {
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int n = 0;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        struct timespec times[2] = {{.tv_sec = time(NULL) - 8 * 24 * 3600}, {.tv_sec = time(NULL) - 8 * 24 * 3600}};
        if (entry->d_name[0] != '.') {
            assert_int_equal(utimensat(dirfd(dir), entry->d_name, times, 0), 0);
            n++;
        }
    }
    (void)closedir(dir);
    assert_int_equal(n, 1);
}

/* Killed while it waited, it marked nothing in the form's file: eight days later the journal still knows. And what is
 * offered by a console freshly started is no second write for one line of warning. */
static void f13_f98_a_form_of_an_unknown_write_waits_for_its_word(void **state) {
    (void)state;
    struct world *world = world_new("path=/user nth=1 hang=1");
    char folder[PATH_CAP];
    int status;
    struct pty *pty = open_form(world, (const char *const[]){NULL});
    type_name(pty);
    pty_feed(pty, "Gk\ry");
    assert_true(pty_expect(pty, "yes, verified", WAIT));
    pty_feed(pty, "\r\x1b");
    confirm(pty);
    assert_true(pty_expect(pty, "waiting for the answer", WAIT));
    assert_true(console_asks(pty, &world->service, "\"POST\"", "/user", 0));
    pty_signal(pty, SIGKILL);
    assert_true(pty_wait(pty, WAIT, &status));
    pty_free(pty);
    (void)snprintf(folder, sizeof folder, "%s/state/bursar/drafts", world->service.folder);
    make_old(folder);
    struct proc purge = {0};
    assert_int_equal(console_run(&world->service, (const char *const[]){"purge", "--drafts", NULL}, &purge), 0);
    assert_non_null(strstr(purge.out.s, "0 drafts removed\n1 kept"));
    (void)proc_end(&purge);

    pty = open_form(world, (const char *const[]){NULL});
    assert_true(pty_expect(pty, "Sample", WAIT));
    confirm(pty);
    assert_true(pty_expect(pty, "type repeat 1", WAIT));
    pty_settle(pty, 100);
    assert_int_equal(posts(world, "/user"), 1);
    pty_feed(pty, "repeat 1\t\r");
    assert_true(pty_expect(pty, "Registered as usr_", WAIT));
    assert_int_equal(posts(world, "/user"), 2);
    console_leave(pty);
    world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f101_what_was_typed_before_the_prompt_answers_nothing),
        cmocka_unit_test(f101_a_whole_import_is_not_confirmed_ahead),
        cmocka_unit_test(an_answer_without_its_enter_confirms_nothing),
        cmocka_unit_test(f15_a_form_that_cannot_be_kept_is_not_lost_unasked),
        cmocka_unit_test(f13_f98_a_form_of_an_unknown_write_waits_for_its_word),
        cmocka_unit_test(f102_an_unconfirmed_prompt_is_no_fault_of_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
