/* Each job of the operator's desk in the five states of a machine: as usual, nothing read yet, a part of the list read,
 * no cache, a disk that cannot be written. What is printed is JSON wherever the job has it, and each state is said. */
#include "base/mem.h"
#include "support/one_service.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 4096, ARGS = 32, PART = 20 };

static char ids[PATH_BYTES + 8], table[PATH_BYTES], database[PATH_BYTES], user[256], id[256];

enum printed { PRINTS_NOTHING, PRINTS_JSON, PRINTS_LINES, PRINTS_TEXT };
enum state { USUAL, NOTHING_READ, PART_READ, NO_CACHE, READ_ONLY, STATES };

/* The status, and what standard error says. */
struct told {
    int status;
    const char *said;
};

static const char NOT_READ[] = "in 0 cached intents; nothing was read yet", MORE[] = "the service may have more",
                  NONE[] = "there is no cache to look into", STORED[] = "what it holds is read, nothing is stored";

static const struct job {
    const char *name;
    const char *args[ARGS / 2]; /* %i, %u, %l, %t and %d stand for an id, a user, the list, the table, the database */
    enum printed prints;
    struct told told[STATES];
} JOBS[] = {
    {"match",
     {"intents", "match", "%t", "--on", "id", "--format", "json"},
     PRINTS_JSON,
     {{9, "1 only in the file"}, {9, "nothing was read yet"}, {9, MORE}, {1, "there is no cache"}, {9, STORED}}},
    {"business day",
     {"intents", "stats", "--over", "day", "--tz", "Europe/Berlin", "--format", "json"},
     PRINTS_JSON,
     {{0, "all of them"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"ids from a list",
     {"intents", "list", "%l", "--cached", "--format", "json"},
     PRINTS_JSON,
     {{0, "2 of 3 of @"},
      {0, "not found among 0 intents, nothing was read yet"},
      {0, "not found among 100 intents, so far"},
      {1, NONE},
      {0, STORED}}},
    {"age",
     {"intents", "stats", "--by", "age", "--format", "json"},
     PRINTS_JSON,
     {{0, "all of them"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"age, asked anew",
     {"intents", "stats", "status:pending", "--by", "age", "--fresh", "--format", "json"},
     PRINTS_JSON,
     {{0, "cached intents"},
      {0, "pending asked again at"},
      {0, "pending asked again at"},
      {1, "there is no cache"},
      {0, STORED}}},
    {"cross table, rates",
     {"intents", "stats", "--by", "bank,status", "--sum", "amount", "--rate", "approved", "--format", "json"},
     PRINTS_JSON,
     {{0, "rate: approved of those"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"periods",
     {"intents", "stats", "created>=-7d", "--by", "bank", "--compare", "-7d", "--format", "json"},
     PRINTS_JSON,
     {{0, "all of them"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"customer",
     {"users", "show", "%u", "--format", "json"},
     PRINTS_JSON,
     {{0, "all of them"}, {8, "nothing is known of such a user"}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"attempts",
     {"intents", "stats", "--by", "attempts", "--format", "json"},
     PRINTS_JSON,
     {{0, "all of them"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"note",
     {"intents", "note", "%i", "called back"},
     PRINTS_NOTHING,
     {{0, "kept on this machine"},
      {0, "kept on this machine"},
      {0, "kept on this machine"},
      {0, "kept on this machine"},
      {1, "nothing was noted: "}}},
    {"notes found",
     {"intents", "list", "has:note", "--cached", "--format", "json"},
     PRINTS_JSON,
     {{0, "all of them"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"what a decline means",
     {"intents", "stats", "--by", "decline", "--format", "json"},
     PRINTS_JSON,
     {{0, "all of them"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"new since the last run",
     {"intents", "list", "--since-last", "job", "--format", "ndjson"},
     PRINTS_LINES,
     {{0, "what comes from now on is printed"},
      {0, "100 intents looked at"},
      {0, "100 intents looked at"},
      {0, "nothing is cached"},
      {1, "no place for --since-last, so nothing was looked at: "}}},
    {"own actions",
     {"actions", "run", "tell", "%i", "--format", "json"},
     PRINTS_JSON,
     {{0, ""}, {8, "no such intent among the 0 that are cached"}, {0, ""}, {1, NONE}, {0, STORED}}},
    {"events here",
     {"webhook", "events", "--format", "json"},
     PRINTS_JSON,
     {{0, "no event is stored"},
      {0, "no event is stored"},
      {0, "no event is stored"},
      {0, "no event is stored"},
      {0, "no event is stored"}}},
    {"events of the list's filter",
     {"webhook", "events", "--intents", "status:declined", "--format", "json"},
     PRINTS_JSON,
     {{0, "all of them"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"spreadsheet",
     {"intents", "list", "status:approved | -status:approved", "--cached", "--sort", "amount", "--format", "csv-excel"},
     PRINTS_TEXT,
     {{0, "all of them"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"audit sample",
     {"intents", "list", "--cached", "--sort", "amount", "--sample", "5", "--seed", "7", "--format", "json"},
     PRINTS_JSON,
     {{0, "drawn by seed 7"}, {0, NOT_READ}, {0, MORE}, {1, NONE}, {0, STORED}}},
    {"database",
     {"intents", "list", "--cached", "--sort", "amount", "--format", "sqlite", "--output", "%d"},
     PRINTS_NOTHING,
     {{0, "tables intents and about"}, {0, "nothing was read yet"}, {0, MORE}, {1, NONE}, {1, "cannot make the file"}}},
};

static const char *in_folder(const char *name) {
    static char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", service.folder, name);
    return path;
}

static const char *job_argument(const char *word) {
    return strcmp(word, "%i") == 0   ? id
           : strcmp(word, "%u") == 0 ? user
           : strcmp(word, "%l") == 0 ? ids
           : strcmp(word, "%t") == 0 ? table
           : strcmp(word, "%d") == 0 ? database
                                     : word;
}

/* A mount of its own in a namespace of its own, since root may write wherever a mode forbids it. */
static int job_run(const struct job *job, bool read_only, struct proc *proc) {
    static const char MOUNTED[] = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\"";
    char *program = proc_program("bursar");
    const char *argv[ARGS] = {"/usr/bin/env", "unshare", "-m", "sh", "-c", MOUNTED, service.folder};
    size_t n = read_only ? 7 : 0;
    argv[n++] = program;
    for (size_t i = 0; job->args[i]; i++)
        argv[n++] = job_argument(job->args[i]);
    argv[n] = NULL;
    int status = proc_run(proc, argv, console_env(&service), PROC_DEADLINE);
    free(program);
    return status;
}

static bool is_json(const struct job *job, const char *text) {
    bool lines = job->prints == PRINTS_LINES;
    size_t flags = lines ? JSON_DISABLE_EOF_CHECK : 0;
    json_t *root = lines && !*text ? json_null() : json_loads(text, flags, NULL);
    bool parsed = root != NULL;
    json_decref(root);
    return parsed;
}

static void expect_job(const struct job *job, enum state state) {
    const struct told *told = &job->told[state];
    struct proc proc;
    (void)unlink(database);
    int status = job_run(job, state == READ_ONLY, &proc);
    bool json = job->prints == PRINTS_JSON || job->prints == PRINTS_LINES;
    if (status != told->status || !strstr(proc.err.s, told->said))
        fail_msg("%s in state %d: exit %d, not %d with \"%s\":\n%s", job->name, state, status, told->status, told->said,
                 proc.err.s);
    if (json && (status == 0 || *proc.out.s) && !is_json(job, proc.out.s))
        fail_msg("%s in state %d prints no JSON:\n%s", job->name, state, proc.out.s);
    if (job->prints == PRINTS_NOTHING && *proc.out.s)
        fail_msg("%s in state %d prints %s", job->name, state, proc.out.s);
    (void)proc_end(&proc);
}

static void bursar(const char *const args[]) {
    struct proc proc;
    assert_int_equal(console_run(&service, args, &proc), 0);
    (void)proc_end(&proc);
}
#define BURSAR(...) bursar((const char *const[]){__VA_ARGS__, NULL})

/* Each job begins where the others left nothing; where all was read, or nothing can be written, they leave it so. */
static void expect_jobs(enum state state) {
    bool all = state == USUAL || state == READ_ONLY;
    console_forget(&service);
    if (all)
        BURSAR("intents", "list", "--all");
    for (size_t i = 0; i < COUNT_OF(JOBS); i++) {
        if (!all)
            console_forget(&service);
        (void)unlink(in_folder("cache"));
        if (state == NO_CACHE)
            assert_true(proc_write_file(in_folder("cache"), "a file"));
        if (state == PART_READ)
            BURSAR("intents", "list", "--limit", "20");
        expect_job(&JOBS[i], state);
    }
    console_forget(&service);
    (void)unlink(in_folder("cache"));
}

static void each_job_is_done(void **state) {
    (void)state;
    expect_jobs(USUAL);
}

static void where_nothing_was_read_that_is_said(void **state) {
    (void)state;
    expect_jobs(NOTHING_READ);
}

static void a_part_is_never_called_all(void **state) {
    (void)state;
    expect_jobs(PART_READ);
}

static void without_a_cache_it_is_said_why(void **state) {
    (void)state;
    expect_jobs(NO_CACHE);
}

static void a_disk_that_cannot_be_written_costs_what_has_to_be_written(void **state) {
    (void)state;
    struct proc proc;
    const char *const argv[] = {"/usr/bin/env", "unshare", "-m", "true", NULL};
    int status = proc_run(&proc, argv, NULL, PROC_DEADLINE);
    (void)proc_end(&proc);
    if (status != 0) {
        print_message("no namespace for a read-only mount can be made here: ");
        skip();
    }
    expect_jobs(READ_ONLY);
}

/* `bursar help jobs` and the manual name what is tried here. */
static void each_of_them_has_help(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(JOBS); i++) {
        struct proc proc;
        struct str words;
        str_init(&words, PATH_BYTES);
        str_addf(&words, "bursar %s %s", JOBS[i].args[0], JOBS[i].args[1]);
        const char *const args[] = {JOBS[i].args[0], JOBS[i].args[1], "--help", NULL};
        assert_int_equal(console_run(&service, args, &proc), 0);
        assert_non_null(strstr(proc.out.s, words.s));
        (void)proc_end(&proc);
        str_clear(&words);
    }
}

static int start(void **state) {
    (void)state;
    struct proc proc;
    struct str text;
    if (serve_intents("300") != 0)
        return -1;
    const char *const args[] = {"intents", "list", "has:user", "--limit", "2", "--format", "ndjson", NULL};
    if (console_run(&service, args, &proc) != 0)
        return -1;
    json_t *row = json_loads(proc.out.s, JSON_DISABLE_EOF_CHECK, NULL);
    json_t *next = json_loads(strchr(proc.out.s, '\n') + 1, JSON_DISABLE_EOF_CHECK, NULL);
    (void)snprintf(id, sizeof id, "%s", json_string_value(json_object_get(row, "id")));
    (void)snprintf(user, sizeof user, "%s", json_string_value(json_object_get(row, "user_id")));
    (void)snprintf(ids, sizeof ids, "id:@%s", in_folder("ids.txt"));
    (void)snprintf(table, sizeof table, "%s", in_folder("bank.csv"));
    (void)snprintf(database, sizeof database, "%s", in_folder("out.sqlite"));
    str_init(&text, PATH_BYTES);
    str_addf(&text, "%s\n%s\nnobody\n", id, json_string_value(json_object_get(next, "id")));
    bool written = proc_write_file(in_folder("ids.txt"), text.s);
    str_reset(&text);
    str_addf(&text, "id\n%s\nnobody\n", id);
    written = written && proc_write_file(table, text.s);
    str_clear(&text);
    json_decref(row);
    json_decref(next);
    (void)proc_end(&proc);
    return written && console_own_file(&service, "actions", "[tell]\nrun = echo {id}\nreads = yes\n") ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_is_done),
        cmocka_unit_test(where_nothing_was_read_that_is_said),
        cmocka_unit_test(a_part_is_never_called_all),
        cmocka_unit_test(without_a_cache_it_is_said_why),
        cmocka_unit_test(a_disk_that_cannot_be_written_costs_what_has_to_be_written),
        cmocka_unit_test(each_of_them_has_help),
    };
    return cmocka_run_group_tests_name("the operator's desk", tests, start, stop_service);
}
