#include "support/console.h"

#include "base/mem.h"
#include "support/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, ARGS_MAX = 32, ENV_MAX = 32, ROW_CAP = 128, PATIENCE = 20 };

static char variables[5][PATH_CAP];
static const char *environment[6];

bool console_configure(const struct service *service, const char *base_url, const char *more) {
    struct str text;
    char path[PATH_CAP];
    str_init(&text, 64 << 10);
    str_addf(&text,
             "default_profile = \"test\"\n\nprofile test {\n  environment = sandbox\n  base_url = '%s'\n"
             "  token_file = '%s'\n%s\n}\n",
             base_url, service->token_file, more);
    (void)snprintf(path, sizeof path, "%s/config", service->folder);
    bool written = proc_write_file(path, text.s) && chmod(path, S_IRUSR | S_IWUSR) == 0;
    str_clear(&text);
    return written;
}

bool console_own_file(const struct service *service, const char *name, const char *text) {
    char path[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/etc", service->folder);
    (void)mkdir(path, S_IRWXU);
    (void)snprintf(path, sizeof path, "%s/etc/bursar", service->folder);
    (void)mkdir(path, S_IRWXU);
    (void)snprintf(path, sizeof path, "%s/etc/bursar/%s", service->folder, name);
    return proc_write_file(path, text) && chmod(path, S_IRUSR | S_IWUSR) == 0;
}

bool console_write_person(const char *path, const char *name) {
    struct str body;
    str_init(&body, PATH_CAP);
    str_addf(&body,
             "{\"name\":{\"first\":\"%s\",\"last\":\"O'Sample\"},\"email\":\"%s@a.example\",\"tag\":\"key-%s\","
             "\"identity_verified\":true}",
             name, name, name);
    bool written = proc_write_file(path, body.s);
    str_clear(&body);
    return written;
}

void console_forget(const struct service *service) {
    char state[PATH_CAP], cache[PATH_CAP];
    struct proc proc;
    (void)snprintf(state, sizeof state, "%s/state", service->folder);
    (void)snprintf(cache, sizeof cache, "%s/cache", service->folder);
    const char *const argv[] = {"/bin/rm", "-rf", state, cache, NULL};
    assert_int_equal(proc_run(&proc, argv, NULL, PROC_DEADLINE), 0);
    (void)proc_end(&proc);
}

const char *const *console_env(const struct service *service) {
    const char *folder = service->folder;
    (void)snprintf(variables[0], PATH_CAP, "BURSAR_CONFIG=%s/config", folder);
    (void)snprintf(variables[1], PATH_CAP, "XDG_CACHE_HOME=%s/cache", folder);
    (void)snprintf(variables[2], PATH_CAP, "XDG_STATE_HOME=%s/state", folder);
    (void)snprintf(variables[3], PATH_CAP, "XDG_CONFIG_HOME=%s/etc", folder);
    (void)snprintf(variables[4], PATH_CAP, "HOME=%s", folder);
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        environment[i] = variables[i];
    return environment;
}

bool console_serve(struct service *service, const char *const args[], const char *more) {
    return service_start(service, args) && console_configure(service, service->url, more);
}

bool console_serve_token(struct service *service, const char *intents, const char *token) {
    return service_start(service, NULL) && proc_write_file(service->token_file, token) &&
           service_restart(service, (const char *const[]){"--intents", intents, NULL}) &&
           console_configure(service, service->url, "  user_required = {}\n");
}

/* argv for a run; the program's path is freed by the caller. */
static char *fill_argv(const char *const args[], const char *argv[ARGS_MAX]) {
    char *program = proc_program("bursar");
    size_t n = 0;
    argv[n++] = program;
    for (size_t i = 0; args && args[i] && n < ARGS_MAX - 1; i++)
        argv[n++] = args[i];
    argv[n] = NULL;
    return program;
}

int console_run(const struct service *service, const char *const args[], struct proc *proc) {
    const char *argv[ARGS_MAX];
    char *program = fill_argv(args, argv);
    int status = proc_run(proc, argv, console_env(service), PROC_DEADLINE);
    free(program);
    return status;
}

struct pty *console_open_args(const struct service *service, const char *const args[],
                              const struct pty_options *options) {
    return console_open_env(service, args, (const char *const[]){NULL}, options);
}

struct pty *console_open_env(const struct service *service, const char *const args[], const char *const extra[],
                             const struct pty_options *options) {
    const char *all[ENV_MAX];
    const char *argv[ARGS_MAX];
    const char *const *own = console_env(service);
    size_t n = 0;
    while (own[n]) {
        all[n] = own[n];
        n++;
    }
    for (size_t i = 0; extra[i] && n < ENV_MAX - 1; i++)
        all[n++] = extra[i];
    all[n] = NULL;
    char *program = fill_argv(args, argv);
    struct pty_options with = *options;
    with.env = all;
    struct pty *pty = pty_spawn(argv, &with);
    free(program);
    return pty;
}

struct pty *console_open(const struct service *service, int rows, int cols) {
    struct pty_options options = {.rows = rows, .cols = cols};
    return console_open_args(service, NULL, &options);
}

static int exec_console(void *context) {
    char *const *argv = context;
    (void)execv(argv[0], argv);
    return 127;
}

static int run_job(void *context) {
    return job_run(exec_console, context);
}

struct pty *console_open_job(const struct service *service, int rows, int cols) {
    const char *argv[ARGS_MAX];
    char *program = fill_argv(NULL, argv);
    struct pty_options options = {.rows = rows, .cols = cols, .env = console_env(service)};
    struct pty *pty = pty_fork(run_job, (void *)argv, &options);
    free(program);
    return pty;
}

bool console_asks(struct pty *pty, const struct service *service, const char *a, const char *b, int before) {
    double end = pty_now() + PROC_DEADLINE / 1000.0;
    while (service_journal_count(service, a, b) <= before) {
        if (pty_now() > end)
            return false;
        pty_read(pty, 10);
    }
    return true;
}

void console_read_review(struct pty *pty) {
    char before[ROW_CAP];
    while (pty_shows(pty, ": PgDn shows more")) {
        const char *rule = strstr(pty_screen(pty), " lines ");
        assert_non_null(rule);
        (void)snprintf(before, sizeof before, "%.*s", (int)strcspn(rule, ":"), rule);
        pty_feed(pty, "\x1b[6~");
        assert_true(pty_expect_gone(pty, before, PATIENCE));
    }
}

void console_leave(struct pty *pty) {
    int status;
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, 20, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    pty_free(pty);
}
