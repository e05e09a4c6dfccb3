/* One walk for all: consoles of a team on a PostgreSQL of the test's own and one sandbox, each with a home of its own.
 * TEAM_CONSOLES and TEAM_SECONDS make the last test as large as is wanted (30 and 300 for the bar of issue 17). */
#include "base/clock.h"
#include "base/mem.h"
#include "support/console.h"
#include "support/postgres.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, WAIT = 40, SOON = 2, ROWS = 24, COLS = 200 };

static struct postgres postgres;
static char *store;
static struct service service;

static int start_store(void **state) {
    (void)state;
    if (postgres_missing())
        return 0;
    if (!postgres_start(&postgres))
        return -1;
    store = postgres_store(&postgres, "bursar");
    return 0;
}

static int stop_store(void **state) {
    (void)state;
    if (postgres_missing())
        return 0;
    free(store);
    postgres_stop(&postgres);
    return 0;
}

static void skip_without_postgres(void) {
    if (postgres_missing()) {
        print_message("skipped: %s\n", postgres_missing());
        skip();
    }
}

/* ---- desks ---- */

struct desk {
    char variables[5][PATH_CAP];
    const char *env[6];
};

static struct desk desk_new(int number, bool in_team) {
    struct desk desk = {0};
    char home[PATH_CAP / 2], path[PATH_CAP];
    struct str text;
    (void)snprintf(home, sizeof home, "%s/desk%d", service.folder, number);
    assert_true(mkdir(home, 0700) == 0);
    str_init(&text, 8192);
    str_addf(&text, "profile test {\n environment = sandbox\n base_url = '%s'\n token_file = '%s'\n", service.url,
             service.token_file);
    str_addf(&text, " auto_refresh = 1\n requests_per_hour = 0\n");
    if (in_team)
        str_addf(&text, " team_store = '%s'\n team_key_file = '%s/team.key'\n", store, service.folder);
    str_add(&text, "}\n");
    (void)snprintf(path, sizeof path, "%s/config", home);
    assert_true(proc_write_file(path, text.s));
    str_clear(&text);
    const char *const formats[] = {"HOME=%s", "BURSAR_CONFIG=%s/config", "XDG_STATE_HOME=%s/state",
                                   "XDG_CACHE_HOME=%s/cache", "XDG_CONFIG_HOME=%s"};
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        const char *from = strstr(formats[i], "%s");
        (void)snprintf(desk.variables[i], PATH_CAP, "%.*s%s%s", (int)(from - formats[i]), formats[i], home, from + 2);
    }
    return desk;
}

static struct pty *open_at(struct desk *desk) {
    for (size_t i = 0; i < COUNT_OF(desk->variables); i++)
        desk->env[i] = desk->variables[i];
    return console_open_env(&service, (const char *const[]){NULL}, desk->env,
                            &(struct pty_options){.rows = ROWS, .cols = COLS});
}

static void run_at(struct desk *desk, const char *const args[]) {
    struct proc proc = {0};
    const char *argv[16] = {proc_program("bursar")};
    for (size_t i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    for (size_t i = 0; i < COUNT_OF(desk->variables); i++)
        desk->env[i] = desk->variables[i];
    int status = proc_run(&proc, argv, desk->env, PROC_DEADLINE);
    if (status != 0)
        fail_msg("%s", proc.err.s);
    (void)proc_end(&proc);
    free((char *)argv[0]);
}

static void open_office(const char *tick) {
    memset(&service, 0, sizeof service);
    assert_true(service_start(&service, (const char *const[]){"--intents", "60", tick ? "--tick" : NULL, tick, NULL}));
    free(postgres_sql(&postgres, "DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION bursar"));
}

static void put_new(const char *id) {
    service_put_intent(&service,
                       "{\"id\":\"@\",\"created_at\":\"2026-06-16T00:00:00.000Z\",\"amount\":1,\"currency\":\"EUR\","
                       "\"status\":\"approved\"}",
                       id, strlen(id));
}

static int lists(void) {
    return service_journal_count(&service, "/intent/list", "");
}

/* How long so many requests take. */
static double seconds_of_lists(struct pty *pty, int n) {
    double begun = pty_now();
    assert_true(console_asks(pty, &service, "/intent/list", "", lists() + n - 1));
    return pty_now() - begun;
}

static void one_asks_and_all_see(void **state) {
    (void)state;
    skip_without_postgres();
    open_office(NULL);
    struct desk desks[] = {desk_new(0, true), desk_new(1, true)};
    run_at(&desks[0], (const char *const[]){"team", "init", NULL});
    struct pty *a = open_at(&desks[0]), *b;
    assert_true(pty_expect(a, "live 1 s", WAIT));
    b = open_at(&desks[1]);
    assert_true(pty_expect(b, "live, through ", WAIT));
    assert_true(seconds_of_lists(b, 4) > 3); /* of two that ask, four take two seconds */
    put_new("int-1");
    assert_true(pty_expect(a, "1 new: .", WAIT));
    assert_true(pty_expect(b, "1 new: .", SOON));

    assert_int_equal(kill(pty_pid(a), SIGKILL), 0);
    assert_true(pty_expect(b, "live 1 s", WAIT)); /* it takes the turn when the lease has run out */
    pty_free(a);
    put_new("int-2");
    assert_true(pty_expect(b, "2 new: .", WAIT));

    a = open_at(&desks[0]);
    assert_true(pty_expect(a, "live, through ", WAIT));
    console_leave(b); /* and at once where it was given back */
    assert_true(pty_expect(a, "live 1 s", SOON + 1));
    console_leave(a);
    (void)service_stop(&service);
}

static void without_the_store_each_asks_by_itself_until_it_is_back(void **state) {
    (void)state;
    skip_without_postgres();
    open_office(NULL);
    struct desk desks[] = {desk_new(0, true), desk_new(1, true)};
    run_at(&desks[0], (const char *const[]){"team", "init", NULL});
    struct pty *a = open_at(&desks[0]), *b;
    assert_true(pty_expect(a, "live 1 s", WAIT));
    b = open_at(&desks[1]);
    assert_true(pty_expect(b, "live, through ", WAIT));
    assert_true(postgres_halt(&postgres, true));
    assert_true(pty_expect(a, "TEAM STORE AWAY", 5));
    assert_true(pty_expect(b, "TEAM STORE AWAY", 5));
    put_new("int-1");
    assert_true(pty_expect(a, "1 new: .", WAIT));
    assert_true(pty_expect(b, "1 new: .", WAIT));
    assert_true(postgres_resume(&postgres));
    assert_true(pty_expect_gone(a, "TEAM STORE AWAY", WAIT));
    assert_true(pty_expect_gone(b, "TEAM STORE AWAY", WAIT));
    pty_feed(a, "."); /* what waits is brought in once */
    pty_feed(b, ".");
    assert_true(pty_expect_gone(a, " new: .", WAIT));
    assert_true(pty_expect_gone(b, " new: .", WAIT));
    put_new("int-2");
    assert_true(pty_expect(a, "1 new: .", WAIT));
    assert_true(pty_expect(b, "1 new: .", WAIT));
    console_leave(a);
    console_leave(b);
    (void)service_stop(&service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_asks_and_all_see),
        cmocka_unit_test(without_the_store_each_asks_by_itself_until_it_is_back),
    };
    return cmocka_run_group_tests(tests, start_store, stop_store);
}
