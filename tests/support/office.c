#include "support/office.h"

#include "base/mem.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { ARGS_MAX = 24, TEXT_BYTES = 8192 };

struct postgres office_postgres;
char *office_store;

int office_start_postgres(void **state) {
    (void)state;
    if (postgres_missing())
        return 0;
    if (!postgres_start(&office_postgres))
        return -1;
    office_store = postgres_store(&office_postgres, "bursar");
    return 0;
}

int office_stop_postgres(void **state) {
    (void)state;
    if (office_store)
        postgres_stop(&office_postgres);
    free(office_store);
    return 0;
}

void skip_without_postgres(void) {
    if (postgres_missing()) {
        print_message("skipped: %s\n", postgres_missing());
        skip();
    }
}

void configure(struct office *office, struct desk *desk, const char *address, const char *more) {
    char path[OFFICE_PATH + 16];
    struct str text;
    str_init(&text, TEXT_BYTES);
    str_addf(&text,
             "profile test {\n environment = sandbox\n base_url = '%s'\n token_file = '%s'\n team_store = '%s'\n "
             "team_key_file = '%s/team.key'\n%s}\n",
             office->service.url, office->service.token_file, address, office->service.folder, more);
    (void)snprintf(path, sizeof path, "%s/config", desk->home);
    assert_true(proc_write_file(path, text.s));
    str_clear(&text);
}

/* The variables of a desk; borrowed by env. */
struct desk_variables {
    char texts[7][OFFICE_PATH + 32];
    const char *env[13];
};

static void make_variables(const char *home, const char *login, const char *variable, struct desk_variables *out) {
    static const char *const FORMATS[] = {"HOME=%s", "BURSAR_CONFIG=%s/config", "XDG_STATE_HOME=%s/state",
                                          "XDG_CACHE_HOME=%s/cache", "XDG_CONFIG_HOME=%s"};
    size_t n = 0;
    memset(out, 0, sizeof *out);
    for (; n < COUNT_OF(FORMATS); n++) {
        const char *rest = strstr(FORMATS[n], "%s");
        (void)snprintf(out->texts[n], sizeof out->texts[n], "%.*s%s%s", (int)(rest - FORMATS[n]), FORMATS[n], home,
                       rest + 2);
        out->env[n] = out->texts[n];
    }
    if (login) {
        (void)snprintf(out->texts[n], sizeof out->texts[n], "LD_PRELOAD=%s/preload/login_name.so",
                       getenv("BURSAR_OUT"));
        (void)snprintf(out->texts[n + 1], sizeof out->texts[n + 1], "LOGIN_NAME=%s", login);
        out->env[n] = out->texts[n];
        out->env[n + 1] = out->texts[n + 1];
        out->env[n + 2] = "ASAN_OPTIONS=verify_asan_link_order=0";
        n += 3;
    }
    out->env[n++] = "TZ=UTC";
    out->env[n++] = "LC_ALL=C.UTF-8";
    out->env[n] = variable;
}

/* status NULL: it is left running. */
static void run_at_home(const char *at, const char *login, struct proc *proc, const char *variable,
                        const char *const args[], int *status) {
    const char *argv[ARGS_MAX] = {0};
    struct desk_variables variables;
    char *program = proc_program("bursar");
    make_variables(at, login, variable, &variables);
    argv[0] = program;
    for (size_t i = 0; args[i] && i + 2 < ARGS_MAX; i++)
        argv[i + 1] = args[i];
    (void)proc_end(proc);
    memset(proc, 0, sizeof *proc);
    if (status)
        *status = proc_run(proc, argv, variables.env, PROC_DEADLINE);
    else
        assert_true(proc_start(proc, argv, variables.env));
    free(program);
}

struct pty *console_at(const struct office *office, const struct desk *desk, int rows, int cols) {
    struct desk_variables variables;
    make_variables(desk->home, desk->login, NULL, &variables);
    return console_open_env(&office->service, (const char *const[]){NULL}, variables.env,
                            &(struct pty_options){.rows = rows, .cols = cols});
}

int at_desk_with(struct desk *desk, const char *variable, const char *const args[]) {
    run_at_home(desk->home, desk->login, &desk->proc, variable, args, &desk->status);
    return desk->status;
}

int at_desk(struct desk *desk, const char *const args[]) {
    return at_desk_with(desk, NULL, args);
}

void start_at(struct desk *desk, const char *const args[]) {
    run_at_home(desk->home, desk->login, &desk->proc, NULL, args, NULL);
}

void start_at_home(const char *home, struct proc *proc, const char *const args[]) {
    run_at_home(home, NULL, proc, NULL, args, NULL);
}

struct office *office_of(int n, const char *const service[], const char *more) {
    struct office *office = mem_new(sizeof *office);
    assert_true(n <= OFFICE_DESKS);
    office->n = n;
    assert_true(service_start(&office->service, service));
    postgres_empty(&office_postgres);
    for (int i = 0; i < n; i++) {
        (void)snprintf(office->desks[i].home, OFFICE_PATH, "%s/desk%d", office->service.folder, i);
        assert_int_equal(mkdir(office->desks[i].home, 0700), 0);
        configure(office, &office->desks[i], office_store, more);
    }
    (void)snprintf(office->file, sizeof office->file, "%s/user.json", office->service.folder);
    if (at_desk(&office->desks[0], (const char *const[]){"team", "init", NULL}) != 0)
        fail_msg("%s", office->desks[0].proc.err.s);
    postgres_made(&office_postgres);
    return office;
}

struct office *office_new(const char *fault, const char *more) {
    return office_of(2, (const char *const[]){"--intents", "5", fault ? "--fault" : NULL, fault, NULL}, more);
}

void office_free(struct office *office) {
    for (int i = 0; i < office->n; i++)
        (void)proc_end(&office->desks[i].proc);
    (void)service_stop(&office->service);
    free(office);
}

void write_person(const struct office *office, const char *name) {
    assert_true(console_write_person(office->file, name));
}

int create_at(struct office *office, int desk, const char *more) {
    return at_desk(&office->desks[desk],
                   (const char *const[]){"users", "create", "--file", office->file, "--yes", more, NULL});
}

int posts(const struct office *office) {
    return service_journal_count(&office->service, "\"POST\"", "/user");
}

void assert_says(const struct desk *desk, const char *text) {
    if (!strstr(desk->proc.err.s, text) && !strstr(desk->proc.out.s, text))
        fail_msg("\"%s\" is not in:\n%s%s", text, desk->proc.out.s, desk->proc.err.s);
}

char *sql_line(const char *text) {
    char *said = postgres_sql(&office_postgres, text);
    assert_non_null(said);
    said[strcspn(said, "\n")] = '\0';
    return said;
}

void assert_sql(const char *text, const char *expected) {
    char *said = sql_line(text);
    assert_string_equal(said, expected);
    free(said);
}

void hold_at(struct office *office, struct cutter *cutter, const char *word) {
    struct desk *desk = &office->desks[0];
    char *address = cutter_store(cutter, "bursar");
    size_t before = cutter_cuts(cutter);
    configure(office, desk, address, "");
    cutter_cut(cutter, word, CUT_HOLD);
    start_at(desk, (const char *const[]){"users", "create", "--file", office->file, "--yes", NULL});
    assert_true(cutter_wait(cutter, before + 1));
    configure(office, desk, office_store, "");
    free(address);
}

void kill_at(struct office *office, struct cutter *cutter, const char *word) {
    struct desk *desk = &office->desks[0];
    hold_at(office, cutter, word);
    assert_int_equal(kill(desk->proc.pid, SIGKILL), 0);
    assert_true(proc_wait(&desk->proc, PROC_DEADLINE));
}
