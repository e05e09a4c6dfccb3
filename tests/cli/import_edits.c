/* An import whose file is edited, renamed, exchanged, or taken to another profile between its stops: each person of the
 * final file is registered exactly once, or named with the reason. IMPORT_EDITS says how many such files are lived
 * through, IMPORT_SEED from where. */
#include "base/csv.h"
#include "base/mem.h"
#include "support/console.h"
#include "support/damage.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, BYTES_MAX = 1 << 20, ROWS_MAX = 24, PROFILES = 2, FILES_MAX = 32, LIVES = 5 };

static unsigned seed;
static int edits;

static unsigned below(unsigned n) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % n;
}

/* version: a row that was changed without its tag is said to be the same person; with it, another one. */
struct person {
    unsigned id, version;
    bool tagged;
};

struct life {
    struct service services[PROFILES];
    unsigned profile, files;
    char file[PATH_CAP], results[PATH_CAP];
    struct person rows[ROWS_MAX];
    unsigned n, last;
    struct proc proc;
    struct str log;
};

static void add_log(struct life *life, const char *what) {
    str_addf(&life->log, "%s\n", what);
}

static void configure(struct life *life) {
    static const char *const NAMES[PROFILES] = {"test", "other"};
    struct str text;
    char path[PATH_CAP];
    str_init(&text, BYTES_MAX);
    for (int i = 0; i < PROFILES; i++) {
        str_addf(&text, "profile %s {\n environment = sandbox\n base_url = '%s'\n token_file = '%s'\n}\n", NAMES[i],
                 life->services[i].url, life->services[i].token_file);
    }
    (void)snprintf(path, sizeof path, "%s/config", life->services[0].folder);
    assert_true(proc_write_file(path, text.s));
    assert_int_equal(chmod(path, S_IRUSR | S_IWUSR), 0);
    str_clear(&text);
}

static void name_file(struct life *life) {
    (void)snprintf(life->file, sizeof life->file, "%s/u%u.csv", life->services[0].folder, life->files);
    (void)snprintf(life->results, sizeof life->results, "%s/u%u.result.csv", life->services[0].folder, life->files);
}

static const char *fault_of_chance(char out[160]) {
    static const char *const FAULTS[] = {"status=500",      "status=429 header=\"Retry-After: 0\"",
                                         "reset=1 apply=1", "drop_after_read=1",
                                         "status=400",      "drop_after_read=1 apply=1"};
    (void)snprintf(out, 160, "path=/user nth=%u count=%u %s", 1 + below(5), 1 + below(2), FAULTS[below(6)]);
    return out;
}

static struct life *life_new(void) {
    struct life *life = mem_new(sizeof *life);
    char fault[160];
    for (int i = 0; i < PROFILES; i++) {
        const char *args[] = {"--intents", "5", "--fault", fault_of_chance(fault), NULL};
        assert_true(service_start(&life->services[i], args));
    }
    str_init(&life->log, BYTES_MAX);
    configure(life);
    name_file(life);
    return life;
}

static void life_free(struct life *life) {
    (void)proc_end(&life->proc);
    for (int i = PROFILES - 1; i >= 0; i--)
        (void)service_stop(&life->services[i]);
    str_clear(&life->log);
    free(life);
}

/* ---- The file ---- */

static struct person stranger(struct life *life) {
    return (struct person){.id = ++life->last, .tagged = below(3) > 0};
}

static void add_tag(const struct person *person, struct str *out) {
    str_addf(out, "k%u", person->id);
    if (!person->tagged)
        str_addf(out, "v%u", person->version);
}

static void write_file(struct life *life) {
    struct str text;
    str_init(&text, BYTES_MAX);
    str_add(&text, "first name,last name,tag,verified\n");
    for (unsigned i = 0; i < life->n; i++) {
        const struct person *person = &life->rows[i];
        str_addf(&text, "Ann%u,Sample%u,", person->version, person->id);
        add_tag(person, &text);
        str_add(&text, ",true\n");
    }
    assert_true(proc_write_file(life->file, text.s));
    str_clear(&text);
}

static void insert(struct life *life) {
    unsigned at = below(life->n + 1);
    if (life->n < ROWS_MAX) {
        memmove(&life->rows[at + 1], &life->rows[at], (life->n - at) * sizeof life->rows[0]);
        life->rows[at] = stranger(life);
        life->n++;
    }
}

static void edit(struct life *life) {
    unsigned at = life->n > 0 ? below(life->n) : 0, to = life->n > 0 ? below(life->n) : 0;
    struct person person = life->rows[at];
    switch (below(7)) {
    case 0: /* moved */
        life->rows[at] = life->rows[to];
        life->rows[to] = person;
        add_log(life, "moved");
        break;
    case 1:
        insert(life);
        add_log(life, "inserted");
        break;
    case 2:
        life->rows[at].version++;
        add_log(life, "changed");
        break;
    case 3:
        if (life->n > 1) {
            memmove(&life->rows[at], &life->rows[at + 1], (life->n - at - 1) * sizeof life->rows[0]);
            life->n--;
        }
        add_log(life, "deleted");
        break;
    case 4: /* renamed, perhaps with its results */
        person.id = below(2);
        life->files++;
        if (person.id) {
            char from[PATH_CAP];
            (void)snprintf(from, sizeof from, "%s", life->results);
            name_file(life);
            (void)rename(from, life->results);
        }
        name_file(life);
        add_log(life, person.id ? "renamed with its results" : "renamed");
        break;
    case 5: /* exchanged: others under the same name */
        life->n = 0;
        for (unsigned i = 0, n = 2 + below(4); i < n; i++)
            insert(life);
        add_log(life, "exchanged");
        break;
    default:
        life->profile = below(PROFILES);
        add_log(life, "profile");
        break;
    }
}

/* ---- A run, and what it may say ---- */

static void start(struct life *life, const char *const more[]) {
    char *program = proc_program("bursar");
    const char *argv[12] = {program,    "--profile", life->profile ? "other" : "test", "users", "import",
                            life->file, "--yes"};
    for (int i = 0; more[i]; i++)
        argv[7 + i] = more[i];
    write_file(life);
    (void)proc_end(&life->proc);
    memset(&life->proc, 0, sizeof life->proc);
    assert_true(proc_start(&life->proc, argv, console_env(&life->services[0])));
    free(program);
}

static void stop_somewhere(struct life *life) {
    static const int SIGNALS[] = {SIGKILL, SIGINT, SIGTERM};
    const char *const more[] = {below(3) ? "--resume" : NULL, below(3) ? NULL : "--skip-unknown", NULL};
    start(life, more);
    if (below(2) && !proc_wait(&life->proc, (int)(10 + below(200))))
        (void)kill(life->proc.pid, SIGNALS[below(3)]);
    assert_true(proc_wait(&life->proc, PROC_DEADLINE));
    str_addf(&life->log, "run on %u: %d\n%s", life->profile, life->proc.status, life->proc.err.s);
}

static int times_registered(const char *users, const struct person *person) {
    struct str tag;
    str_init(&tag, 64);
    str_add_char(&tag, '"');
    add_tag(person, &tag);
    str_add_char(&tag, '"');
    int n = text_times(users, tag.s);
    str_clear(&tag);
    return n;
}

static void run(struct life *life, struct proc *proc, const char *command) {
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    *proc = (struct proc){0};
    assert_int_equal(proc_run(proc, argv, console_env(&life->services[0]), PROC_DEADLINE), 0);
}

static void settle(struct life *life, int record, const char *outcome) {
    struct proc proc;
    struct str command;
    char *program = proc_program("bursar");
    str_init(&command, PATH_CAP * 2);
    str_addf(&command, "%s activity resolve %d --outcome %s --note 'seen at the service' || true", program, record,
             outcome);
    run(life, &proc, command.s);
    (void)proc_end(&proc);
    str_clear(&command);
    free(program);
}

/* Settles what is unknown as `outcome`: of one tag, or whatever it is. */
static void settle_those(struct life *life, const char *tag, const char *outcome) {
    struct proc proc;
    struct str command;
    char *program = proc_program("bursar");
    str_init(&command, PATH_CAP * 2);
    str_addf(&command, "printf '%%s\\n' '%s' | %s --profile %s activity %s --outcome unknown --format csv",
             tag ? tag : "", program, life->profile ? "other" : "test", tag ? "--tag" : "");
    run(life, &proc, command.s);
    for (const char *line = strchr(proc.out.s, '\n'); line && line[1]; line = strchr(line + 1, '\n'))
        settle(life, atoi(line + 1), outcome);
    (void)proc_end(&proc);
    str_clear(&command);
    free(program);
}

/* The operator looks each unknown up at the service by its tag, as the console says. */
static void settle_all(struct life *life) {
    char *users = service_users(&life->services[life->profile]);
    for (unsigned i = 0; i < life->n; i++) {
        struct str tag;
        str_init(&tag, 64);
        add_tag(&life->rows[i], &tag);
        settle_those(life, tag.s, times_registered(users, &life->rows[i]) > 0 ? "done" : "not-sent");
        str_clear(&tag);
    }
    settle_those(life, NULL, "done"); /* of rows that are gone */
    free(users);
}

/* Line i of the file is spoken of in the results or on standard error. */
static bool is_named(const struct life *life, unsigned i, const char *results) {
    char row[48], line[48];
    (void)snprintf(row, sizeof row, "\r\n%u,%u,", i + 1, i + 2);
    (void)snprintf(line, sizeof line, "line %u: ", i + 2);
    const char *at = results ? strstr(results, row) : NULL;
    bool refused =
        at && (strncmp(at + strlen(row), "refused,", 8) == 0 || strncmp(at + strlen(row), "unknown,", 8) == 0);
    return refused || strstr(life->proc.err.s, line);
}

static void fail_life(const struct life *life, const char *why, unsigned row) {
    fail_msg("seed gone to %u: row %u (k%u): %s\n%s\nlast: %d %s", seed, row, life->rows[row].id, why, life->log.s,
             life->proc.status, life->proc.err.s);
}

static void check_end(struct life *life) {
    char *users = service_users(&life->services[life->profile]), *results = proc_read_file(life->results);
    for (unsigned i = 0; i < life->n; i++) {
        int times = times_registered(users, &life->rows[i]);
        if (times > 1)
            fail_life(life, "registered twice", i);
        if (times == 0 && !is_named(life, i, results))
            fail_life(life, "lost", i);
    }
    free(users);
    free(results);
}

static bool is_refused_whole(const struct life *life) {
    return strstr(life->proc.err.s, "belongs to another file") || strstr(life->proc.err.s, "is of another profile");
}

static void end_it(struct life *life) {
    const char *const more[] = {"--resume", NULL};
    settle_all(life);
    start(life, more);
    assert_true(proc_wait(&life->proc, PROC_DEADLINE));
    if (is_refused_whole(life)) { /* and it said what to do */
        assert_int_equal(life->proc.status, 2);
        assert_int_equal(unlink(life->results), 0);
        start(life, more);
        assert_true(proc_wait(&life->proc, PROC_DEADLINE));
    }
    for (int i = 0; i < 4 && life->proc.status >= 5; i++) { /* the service may still be at fault */
        str_addf(&life->log, "once more after %d: %s", life->proc.status, life->proc.err.s);
        settle_all(life);
        start(life, more);
        assert_true(proc_wait(&life->proc, PROC_DEADLINE));
    }
}

static void live(void) {
    struct life *life = life_new();
    for (unsigned i = 0, n = 3 + below(5); i < n; i++)
        insert(life);
    for (unsigned stop = 0, stops = 1 + below(4); stop < stops; stop++) {
        stop_somewhere(life);
        for (unsigned i = 0, n = 1 + below(2); i < n; i++) {
            edit(life);
            edits++;
        }
    }
    end_it(life);
    check_end(life);
    life_free(life);
}

static void f1_each_person_of_an_edited_file_is_registered_once_or_named(void **state) {
    (void)state;
    seed = (unsigned)number_or("IMPORT_SEED", 20261129);
    for (int i = 0, n = number_or("IMPORT_EDITS", LIVES); i < n; i++)
        live();
    print_message("%d edits\n", edits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f1_each_person_of_an_edited_file_is_registered_once_or_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
