/* One walk for all: consoles of a team on a PostgreSQL of the test's own and one sandbox, each with a home of its own.
 * TEAM_CONSOLES and TEAM_SECONDS make the last test as large as is wanted (the bar: 30 and 300). */
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

enum { PATH_CAP = 4096, WAIT = 40, SOON = 2, ROWS = 24, COLS = 200, INCOMPLETE = 8 };

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

/* window_days: how much of what the team has it keeps; 0: all. */
static struct desk desk_with(int number, bool in_team, int refresh, int window_days) {
    struct desk desk = {0};
    char home[PATH_CAP / 2], path[PATH_CAP];
    struct str text;
    (void)snprintf(home, sizeof home, "%s/desk%d", service.folder, number);
    assert_true(mkdir(home, 0700) == 0);
    str_init(&text, 8192);
    str_addf(&text, "profile test {\n environment = sandbox\n base_url = '%s'\n token_file = '%s'\n", service.url,
             service.token_file);
    str_addf(&text, " auto_refresh = %d\n requests_per_hour = 0\n mirror_walks = 1\n", refresh);
    if (in_team)
        str_addf(&text, " team_store = '%s'\n team_key_file = '%s/team.key'\n team_window_days = %d\n", store,
                 service.folder, window_days);
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

static struct desk desk_new(int number, bool in_team, int refresh) {
    return desk_with(number, in_team, refresh, 0);
}

static struct pty *open_at(struct desk *desk) {
    for (size_t i = 0; i < COUNT_OF(desk->variables); i++)
        desk->env[i] = desk->variables[i];
    return console_open_env(&service, (const char *const[]){NULL}, desk->env,
                            &(struct pty_options){.rows = ROWS, .cols = COLS});
}

static void start_at(struct desk *desk, const char *const args[], struct proc *proc) {
    const char *argv[16] = {proc_program("bursar")};
    for (size_t i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    for (size_t i = 0; i < COUNT_OF(desk->variables); i++)
        desk->env[i] = desk->variables[i];
    assert_true(proc_start(proc, argv, desk->env));
    free((char *)argv[0]);
}

static void run_to(struct desk *desk, const char *const args[], const char *says, int code) {
    struct proc proc = {0};
    start_at(desk, args, &proc);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    if (says && !strstr(proc.err.s, says))
        fail_msg("%s", proc.err.s);
    assert_int_equal(proc_end(&proc), code);
}

static void run_at(struct desk *desk, const char *const args[], const char *says) {
    run_to(desk, args, says, 0);
}

static void open_office(const char *tick) {
    memset(&service, 0, sizeof service);
    assert_true(service_start(&service, (const char *const[]){"--intents", "60", tick ? "--tick" : NULL, tick, NULL}));
    postgres_empty(&postgres);
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

/* ---- screens: all are read on while one is waited for, since a console whose terminal takes nothing stands still ----
 */

enum { MANY_MAX = 64 };

struct many {
    struct pty *ptys[MANY_MAX];
    int n;
};

static void read_all(struct many *many) {
    for (int i = 0; i < many->n; i++)
        pty_read(many->ptys[i], 1);
}

static bool shows(struct many *many, int which, const char *text, bool there, double seconds) {
    double end = pty_now() + seconds;
    while (pty_shows(many->ptys[which], text) != there && pty_now() < end)
        read_all(many);
    return there ? pty_expect(many->ptys[which], text, 0) : pty_expect_gone(many->ptys[which], text, 0);
}

static int open_screen(struct many *many, struct desk *desk, const char *text) {
    many->ptys[many->n] = open_at(desk);
    assert_true(shows(many, many->n++, text, true, WAIT));
    return many->n - 1;
}

static void leave_screen(struct many *many, int which) {
    console_leave(many->ptys[which]);
    many->ptys[which] = many->ptys[--many->n];
}

static void leave_all(struct many *many) {
    while (many->n > 0)
        leave_screen(many, many->n - 1);
    (void)service_stop(&service);
}

/* A slow build keeps no time. */
static double soon(void) {
    return proc_build() == PROC_PLAIN ? SOON : WAIT;
}

/* How long so many requests take. */
static double seconds_of_lists(struct many *many, int n) {
    int wanted = lists() + n;
    double begun = pty_now();
    while (lists() < wanted && pty_now() < begun + WAIT)
        read_all(many);
    return pty_now() - begun;
}

enum { A, B };

static void one_asks_and_all_see(void **state) {
    (void)state;
    skip_without_postgres();
    open_office(NULL);
    struct many many = {0};
    struct desk desks[] = {desk_new(0, true, 1), desk_new(1, true, 1)};
    run_at(&desks[0], (const char *const[]){"team", "init", NULL}, NULL);
    (void)open_screen(&many, &desks[0], "live 1 s");
    (void)open_screen(&many, &desks[1], "live, through ");
    assert_true(seconds_of_lists(&many, 6) > 4); /* of two that ask, six take three seconds */
    put_new("int-1");
    assert_true(shows(&many, A, "1 new: .", true, WAIT));
    assert_true(shows(&many, B, "1 new: .", true, soon()));

    assert_int_equal(kill(pty_pid(many.ptys[A]), SIGKILL), 0);
    pty_free(many.ptys[A]);
    many = (struct many){{many.ptys[B]}, 1};
    assert_true(shows(&many, 0, "live 1 s", true, WAIT)); /* it takes the turn when the lease has run out */
    put_new("int-2");
    assert_true(shows(&many, 0, "2 new: .", true, WAIT));

    (void)open_screen(&many, &desks[0], "live, through ");
    leave_screen(&many, 0); /* and at once where it was given back */
    assert_true(shows(&many, 0, "live 1 s", true, soon() + 1));
    leave_all(&many);
}

static void without_the_store_each_asks_by_itself_until_it_is_back(void **state) {
    (void)state;
    skip_without_postgres();
    open_office(NULL);
    struct many many = {0};
    struct desk desks[] = {desk_new(0, true, 1), desk_new(1, true, 1)};
    run_at(&desks[0], (const char *const[]){"team", "init", NULL}, NULL);
    (void)open_screen(&many, &desks[0], "live 1 s");
    (void)open_screen(&many, &desks[1], "live, through ");
    assert_true(postgres_halt(&postgres, true));
    assert_true(shows(&many, A, "TEAM STORE AWAY", true, 5));
    assert_true(shows(&many, B, "TEAM STORE AWAY", true, 5));
    put_new("int-1");
    assert_true(shows(&many, A, "1 new: .", true, WAIT));
    assert_true(shows(&many, B, "1 new: .", true, WAIT));
    assert_true(postgres_resume(&postgres));
    assert_true(shows(&many, A, "TEAM STORE AWAY", false, WAIT));
    assert_true(shows(&many, B, "TEAM STORE AWAY", false, WAIT));
    pty_feed(many.ptys[A], "."); /* what waits is brought in once */
    pty_feed(many.ptys[B], ".");
    assert_true(shows(&many, A, " new: .", false, WAIT));
    assert_true(shows(&many, B, " new: .", false, WAIT));
    put_new("int-2");
    assert_true(shows(&many, A, "1 new: .", true, WAIT));
    assert_true(shows(&many, B, "1 new: .", true, WAIT));
    leave_all(&many);
}

/* R on one desk is the command on another: only one of them reads. */
static void one_mirrors_and_the_other_takes_in(void **state) {
    (void)state;
    skip_without_postgres();
    open_office(NULL);
    struct desk desks[] = {desk_new(0, true, 0), desk_new(1, true, 0)};
    struct proc first = {0};
    run_at(&desks[0], (const char *const[]){"team", "init", NULL}, NULL);
    service_rule(&service, "path=/intent/list delay=3000");
    start_at(&desks[0], (const char *const[]){"intents", "mirror", NULL}, &first);
    double end = pty_now() + WAIT;
    bool held = false;
    while (!held && pty_now() < end) {
        char *said = postgres_sql(&postgres, "SELECT COUNT(*) FROM leases");
        held = said && said[0] == '1';
        free(said);
    }
    assert_true(held);
    run_to(&desks[1], (const char *const[]){"intents", "mirror", NULL}, "mirrors for the team", INCOMPLETE);
    assert_true(proc_wait(&first, PROC_DEADLINE));
    assert_int_equal(proc_end(&first), 0);
    service_rule(&service, NULL);
    int before = lists();
    char *spans = postgres_sql(&postgres, "SELECT COUNT(*) FROM spans");
    assert_true(spans && spans[0] == '1');
    free(spans);
    struct pty *b = open_at(&desks[1]);
    pty_feed(b, "G");
    assert_true(pty_expect(b, "of 60", WAIT));
    assert_true(lists() - before <= 2);
    console_leave(b);
    (void)service_stop(&service);
}

/* A row that this machine never read: what the store gave of it is in the list, with its detail. */
static void a_row_of_the_store_is_gone_to(void **state) {
    (void)state;
    skip_without_postgres();
    open_office(NULL);
    struct desk desks[] = {desk_new(0, true, 0), desk_with(1, true, 0, 1)};
    run_at(&desks[0], (const char *const[]){"team", "init", NULL}, NULL);
    put_new("int-of-the-store");
    run_at(&desks[0], (const char *const[]){"intents", "mirror", NULL}, NULL);
    service_rule(&service, "path=/intent/list status=503");
    struct pty *b = open_at(&desks[1]);
    assert_true(pty_expect(b, "503", WAIT));
    assert_false(pty_shows(b, "int-of-the-store"));
    pty_feed(b, ":ask-team\r");
    assert_true(pty_expect(b, "61 intents match", WAIT));
    pty_feed(b, "\r");
    assert_true(pty_expect(b, "Go to", WAIT));
    pty_feed(b, "\r");
    assert_true(pty_expect_gone(b, "Go to", WAIT));
    assert_true(pty_expect(b, "\xe2\x94\x82 intent int-of-the-store", WAIT));
    assert_true(pty_expect(b, "created_at", WAIT));
    console_leave(b);
    (void)service_stop(&service);
}

/* ---- many ---- */

enum { KEYS = 60, CHANGE_EVERY = 3 };

static int setting(const char *name, int otherwise) {
    const char *text = getenv(name);
    int n = text ? atoi(text) : otherwise;
    return n > 0 ? n : otherwise;
}

/* Seconds between the first screen that shows it and the last. */
static double spread_of(struct many *many, const char *text) {
    double end = pty_now() + WAIT, first = 0, last = 0;
    bool seen[MANY_MAX] = {false};
    int left = many->n;
    while (left > 0 && pty_now() < end) {
        read_all(many);
        for (int i = 0; i < many->n; i++) {
            if (seen[i] || !pty_shows(many->ptys[i], text))
                continue;
            seen[i] = true;
            left--;
            last = pty_now();
            first = first > 0 ? first : last;
        }
    }
    assert_int_equal(left, 0);
    return last - first;
}

static double key_of(struct many *many, struct pty *pty, const char *key) {
    read_all(many);
    double begun = pty_now(), end = begun + WAIT;
    pty_feed(pty, key);
    while (pty_heard(pty) <= begun && pty_now() < end)
        pty_read(pty, 1);
    return pty_heard(pty) - begun;
}

static int compare_times(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double p95(double *times, int n) {
    qsort(times, (size_t)n, sizeof *times, compare_times);
    return times[n * 95 / 100];
}

/* Keys of a console of the team and of one without, in turn, while all of them live. */
static void assert_keys_do_not_wait(struct many *many, struct pty *alone) {
    double with[KEYS], without[KEYS];
    for (int i = 0; i < KEYS; i++) {
        with[i] = key_of(many, many->ptys[0], i % 2 ? "k" : "j");
        without[i] = key_of(many, alone, i % 2 ? "k" : "j");
    }
    double a = p95(with, KEYS), b = p95(without, KEYS);
    print_message("a cursor key, p95: %.1f ms with the team's store, %.1f ms without\n", a * 1000, b * 1000);
    assert_true(proc_build() != PROC_PLAIN || a <= b * 1.3 + 0.005); /* and what a scheduler may take */
}

static void of_many_consoles_the_service_sees_one(void **state) {
    (void)state;
    skip_without_postgres();
    enum { DESKS_FOLDER = 100 };
    struct many many = {0};
    int n_consoles = setting("TEAM_CONSOLES", 4);
    double seconds = setting("TEAM_SECONDS", 15), worst = 0;
    assert_true(n_consoles <= MANY_MAX);
    open_office(NULL);
    struct desk other = desk_new(DESKS_FOLDER, false, 1);
    for (int i = 0; i < n_consoles; i++) {
        struct desk desk = desk_new(i, true, 1);
        if (i == 0)
            run_at(&desk, (const char *const[]){"team", "init", NULL}, NULL);
        (void)open_screen(&many, &desk, i == 0 ? "live 1 s" : "live, through ");
    }
    (void)spread_of(&many, "of 60");
    int before = lists();
    double begun = pty_now();
    for (int n = 1; pty_now() - begun < seconds; n++) {
        char id[32], shows[32];
        (void)snprintf(id, sizeof id, "int-%d", n);
        (void)snprintf(shows, sizeof shows, " %d new: .", n);
        put_new(id);
        double spread = spread_of(&many, shows);
        worst = spread > worst ? spread : worst;
        for (double next = begun + n * CHANGE_EVERY; pty_now() < next;)
            read_all(&many);
    }
    double took = pty_now() - begun;
    int asked = lists() - before;
    print_message("%d consoles, %.0f s: %d requests; last screen %.2f s behind the first\n", many.n, took, asked,
                  worst);
    assert_true(asked <= took + 3); /* one a second, and a turn that was taken over */
    assert_true(worst <= soon());
    (void)open_screen(&many, &other, "live 1 s");
    assert_keys_do_not_wait(&many, many.ptys[many.n - 1]);
    leave_all(&many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_asks_and_all_see),
        cmocka_unit_test(without_the_store_each_asks_by_itself_until_it_is_back),
        cmocka_unit_test(one_mirrors_and_the_other_takes_in),
        cmocka_unit_test(a_row_of_the_store_is_gone_to),
        cmocka_unit_test(of_many_consoles_the_service_sees_one),
    };
    return cmocka_run_group_tests(tests, start_store, stop_store);
}
