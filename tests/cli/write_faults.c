/* One call of a write fails, or the program is killed there: create, import, repeat, webhook register. No request
 * without a record, none twice, no wrong word, no wrong status, no hang. WRITE_FAULTS is how many of a command's calls
 * are tried for each fault, spread over all; 0: every one. WRITE_COMMANDS: of which commands, of c, i, r and w.
 * WRITE_KINDS: which faults, by their names in any order. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/console.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, BYTES_MAX = 1 << 20, POINTS = 2, ROWS = 20, PER_WORLD = 150, HANG_MS = 60000 };
static const char *const FAULTS[] = {"EIO", "ENOSPC", "EINTR", "KILL"};
enum { KILL = 3 };

enum command { CREATE, IMPORT, REPEAT, WEBHOOK };

struct world {
    struct service service;
    enum command command;
    char file[PATH_CAP], results[PATH_CAP], state[PATH_CAP], template[PATH_CAP], counted[PATH_CAP];
    struct proc proc;
    int posts; /* seen before the run */
};

static int tried, kills;

/* to: gone, then a copy of from; "": none. */
static void replace_folder(const char *to, const char *from) {
    char command[PATH_CAP * 3];
    struct proc proc = {0};
    (void)snprintf(command, sizeof command, "rm -rf '%s'; test -z '%s' || cp -r '%s' '%s'", to, from, from, to);
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    assert_int_equal(proc_run(&proc, argv, NULL, PROC_DEADLINE), 0);
    (void)proc_end(&proc);
}

static const char *path_of(const struct world *world) {
    return world->command == WEBHOOK ? "/webhook" : "/user";
}

static int posts(const struct world *world) {
    return service_journal_count(&world->service, "\"POST\"", path_of(world));
}

/* at 0: no fault, the calls are counted. again: as an operator would go on after the first run. */
static int run(struct world *world, int at, const char *fault, bool again) {
    char preload[PATH_CAP], number[32], with[32], told[PATH_CAP + 16];
    const char *argv[16], *env[16];
    size_t n = 0, m = 0;
    char *program = proc_program("bursar");
    argv[n++] = program;
    if (world->command == WEBHOOK) {
        const char *const words[] = {"webhook",    "register", "--url", "https://hooks.example.com/p",
                                     "--unsigned", "--yes",    NULL};
        memcpy(argv + n, words, sizeof words);
    } else if (world->command == IMPORT) {
        const char *const words[] = {"users", "import", world->file, "--yes", again ? "--resume" : NULL, NULL};
        memcpy(argv + n, words, sizeof words);
    } else {
        bool repeats = world->command == REPEAT && !again;
        const char *const words[] = {"users", "create", "--file", world->file, "--yes", repeats ? "--repeat" : NULL,
                                     "1",     NULL};
        memcpy(argv + n, words, sizeof words);
    }
    for (const char *const *own = console_env(&world->service); *own; own++)
        env[m++] = *own;
    (void)snprintf(preload, sizeof preload, "LD_PRELOAD=%s/preload/fail_call.so", getenv("BURSAR_OUT"));
    (void)snprintf(number, sizeof number, "FAIL_AT=%d", at);
    (void)snprintf(with, sizeof with, "FAIL_WITH=%.16s", fault);
    (void)snprintf(told, sizeof told, "FAIL_COUNT=%s", world->counted);
    const char *const injected[] = {preload, number, with, told,
                                    "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"};
    for (size_t i = 0; !again && i < COUNT_OF(injected); i++)
        env[m++] = injected[i];
    env[m] = NULL;
    (void)proc_end(&world->proc);
    memset(&world->proc, 0, sizeof world->proc);
    int status = proc_run(&world->proc, argv, env, HANG_MS);
    free(program);
    return status;
}

static void write_file(struct world *world) {
    struct str text;
    str_init(&text, BYTES_MAX);
    if (world->command == IMPORT) {
        str_add(&text, "first name,last name,tag,verified\n");
        for (int i = 0; i < ROWS; i++)
            str_addf(&text, "Ann,Sample%d,t%d,true\n", i, i);
    } else {
        str_add(&text, "{\"name\":{\"first\":\"Ann\",\"last\":\"Sample\"},\"tag\":\"t1\",\"identity_verified\":true}");
    }
    assert_true(proc_write_file(world->file, text.s));
    str_clear(&text);
}

static struct world *world_new(enum command command) {
    struct world *world = mem_new(sizeof *world);
    const char *fault = command == REPEAT ? "path=/user nth=1 drop_after_read=1" : NULL;
    const char *args[] = {"--intents", "5", fault ? "--fault" : NULL, fault, NULL};
    world->command = command;
    assert_true(console_serve(&world->service, args, ""));
    const char *folder = world->service.folder;
    (void)snprintf(world->file, sizeof world->file, "%s/u%s", folder, command == IMPORT ? ".csv" : ".json");
    (void)snprintf(world->results, sizeof world->results, "%s/u.result.csv", folder);
    (void)snprintf(world->state, sizeof world->state, "%s/state", folder);
    (void)snprintf(world->template, sizeof world->template, "%s/template", folder);
    (void)snprintf(world->counted, sizeof world->counted, "%s/counted", folder);
    write_file(world);
    if (command == REPEAT) {
        const char *const create[] = {"users", "create", "--file", world->file, "--yes", NULL};
        assert_int_equal(console_run(&world->service, create, &world->proc), 6);
        replace_folder(world->template, world->state);
    }
    return world;
}

static void world_free(struct world *world) {
    (void)proc_end(&world->proc);
    (void)service_stop(&world->service);
    free(world);
}

/* As if nothing had been written yet; of a repeat, as after the lost answer. */
static void renew(struct world *world) {
    replace_folder(world->state, world->command == REPEAT ? world->template : "");
    (void)unlink(world->results);
    world->posts = posts(world);
}

/* ---- What must hold ---- */

static int records(struct world *world) {
    struct proc proc = {0};
    const char *const args[] = {"activity", "--format", "ndjson", NULL};
    int status = console_run(&world->service, args, &proc);
    int n = status == 0 ? text_times(proc.out.s, "{\"n\":") : -1;
    if (status != 0)
        print_error("activity: %d %s\n", status, proc.err.s);
    (void)proc_end(&proc);
    return n;
}

static void wrong(const struct world *world, const char *what, int at, const char *fault) {
    fail_msg("command %d, call %d, %s: %s\nstatus %d\n%s%s", (int)world->command, at, fault, what, world->proc.status,
             world->proc.out.s, world->proc.err.s);
}

static bool is_status_true(const struct world *world, int status, int sent, bool killed) {
    int wanted = world->command == IMPORT ? ROWS : 1;
    switch (status) {
    case 0:
        return sent == wanted;
    case 1: /* this machine failed: before the request, or noting its outcome */
        return sent == 0 || world->command == IMPORT || strstr(world->proc.err.s, "could not be noted") ||
               strstr(world->proc.err.s, "usr_") || world->proc.out.len > 0;
    case 2: /* a configuration that cannot be read; a journal that refuses */
        return sent == 0;
    case 5:
        return sent == 0;
    case 6:
        return sent >= 0;
    case 8: /* of an import, stopped */
        return world->command == IMPORT;
    case 128 + SIGKILL:
        return killed;
    default:
        return false;
    }
}

static void check(struct world *world, int at, size_t fault) {
    int status = run(world, at, FAULTS[fault], false);
    int sent = posts(world) - world->posts;
    int before = world->command == REPEAT ? 1 : 0;
    int most = world->command == IMPORT ? ROWS : 1;
    tried++;
    kills += status == 128 + SIGKILL;
    if (status < 0)
        wrong(world, "it hangs", at, FAULTS[fault]);
    if (!is_status_true(world, status, sent, fault == KILL))
        wrong(world, "the status is not true", at, FAULTS[fault]);
    bool denies = strstr(world->proc.err.s, "nothing was sent") && world->command != IMPORT;
    if (sent > most || (denies && sent > 0))
        wrong(world, sent > most ? "sent twice" : "sent, though it says that nothing was", at, FAULTS[fault]);
    int noted = records(world);
    if (noted < sent + before)
        wrong(world, "sent without a record", at, FAULTS[fault]);
    /* And then as an operator goes on, who does not know what happened. */
    int first = sent;
    status = run(world, 0, "", true);
    sent = posts(world) - world->posts;
    if (status < 0)
        wrong(world, "the next run hangs", at, FAULTS[fault]);
    if (world->command == WEBHOOK ? sent > first + 1 : sent > most)
        wrong(world, "the next run sends it again", at, FAULTS[fault]);
}

static int points_wanted(void) {
    const char *text = getenv("WRITE_FAULTS");
    return text ? atoi(text) : POINTS;
}

/* Spread over all calls; another offset for each fault, so that several are many. */
static void try_all(enum command command) {
    const char *only = getenv("WRITE_COMMANDS"), *kinds = getenv("WRITE_KINDS");
    if (only && !strchr(only, "cirw"[command]))
        skip();
    struct world *world = world_new(command);
    int wanted = points_wanted();
    renew(world);
    assert_int_equal(run(world, 0, "EIO", false), 0);
    char *text = proc_read_file(world->counted);
    int calls = text ? atoi(text) : 0;
    assert_true(calls > 20);
    free(text);
    print_message("%d calls\n", calls);
    int step = wanted > 0 && calls > wanted ? calls / wanted : 1, done = 0;
    for (size_t fault = 0; fault < COUNT_OF(FAULTS); fault++) {
        if (kinds && !strstr(kinds, FAULTS[fault]))
            continue;
        for (int at = 1 + (int)fault * step / (int)COUNT_OF(FAULTS); at <= calls; at += step) {
            if (++done % PER_WORLD == 0) {
                world_free(world);
                world = world_new(command);
            }
            renew(world);
            check(world, at, fault);
        }
    }
    print_message("%d calls, %d runs so far, %d of them killed\n", calls, tried, kills);
    world_free(world);
}

static void a_create_at_each_of_its_calls(void **state) {
    (void)state;
    try_all(CREATE);
}

static void an_import_at_each_of_its_calls(void **state) {
    (void)state;
    try_all(IMPORT);
}

static void a_repeat_at_each_of_its_calls(void **state) {
    (void)state;
    try_all(REPEAT);
}

static void a_webhook_s_registration_at_each_of_its_calls(void **state) {
    (void)state;
    try_all(WEBHOOK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_create_at_each_of_its_calls),
        cmocka_unit_test(an_import_at_each_of_its_calls),
        cmocka_unit_test(a_repeat_at_each_of_its_calls),
        cmocka_unit_test(a_webhook_s_registration_at_each_of_its_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
