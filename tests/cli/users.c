/* `bursar users create` and `bursar activity` against the sandbox: one confirmation, at most one request, whatever
 * becomes of it, and what is kept of it. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/console.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096 };

struct world {
    struct service service;
    char file[PATH_CAP];
    struct proc proc;
    int status;
};

static struct world *world_new(const char *fault, const char *more) {
    struct world *world = mem_new(sizeof *world);
    const char *args[] = {"--intents", "20", fault ? "--fault" : NULL, fault, NULL};
    assert_true(console_serve(&world->service, args, more));
    (void)snprintf(world->file, sizeof world->file, "%s/user.json", world->service.folder);
    return world;
}

static void world_free(struct world *world) {
    (void)proc_end(&world->proc);
    (void)service_stop(&world->service);
    free(world);
}

static void write_user(const struct world *world, const char *name) {
    assert_true(console_write_person(world->file, name));
}

static int run(struct world *world, const char *const args[]) {
    (void)proc_end(&world->proc);
    memset(&world->proc, 0, sizeof world->proc);
    world->status = console_run(&world->service, args, &world->proc);
    return world->status;
}

static int create(struct world *world) {
    return run(world,
               (const char *const[]){"users", "create", "--file", world->file, "--yes", "--format", "json", NULL});
}

static int posts(const struct world *world) {
    return service_journal_count(&world->service, "\"POST\"", "/user");
}

static void a_user_is_created_once(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_user(world, "ann");
    assert_int_equal(create(world), 0);
    assert_non_null(strstr(world->proc.out.s, "\"outcome\":\"done\",\"id\":\"usr_"));
    assert_non_null(strstr(world->proc.out.s, "\"status\":201"));
    assert_non_null(strstr(world->proc.out.s, "\"journal\":1}"));
    assert_int_equal(create(world), 2);
    assert_non_null(strstr(world->proc.out.s, "\"outcome\":\"not_sent\""));
    assert_int_equal(
        run(world, (const char *const[]){"users", "create", "--file", world->file, "--yes", "--again", NULL}), 0);
    assert_int_equal(posts(world), 2); /* only where told */
    world_free(world);
}

static void a_dry_run_sends_nothing(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_user(world, "ann");
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", world->file, "--dry-run", NULL}), 0);
    assert_non_null(strstr(world->proc.out.s, "O'Sample"));
    assert_int_equal(posts(world), 0);
    world_free(world);
}

static void without_a_terminal_it_has_to_be_confirmed(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_user(world, "ann");
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", world->file, NULL}), 2);
    assert_int_equal(posts(world), 0);
    world_free(world);
}

static void another_environment_wants_its_word(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    struct str text;
    char path[PATH_CAP];
    str_init(&text, 8192);
    str_addf(&text,
             "profile live {\n environment = production\n base_url = '%s'\n token_file = '%s'\n read_only = false\n}\n",
             world->service.url, world->service.token_file);
    (void)snprintf(path, sizeof path, "%s/config", world->service.folder);
    assert_true(proc_write_file(path, text.s));
    str_clear(&text);
    write_user(world, "ann");
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", world->file, "--yes", NULL}), 2);
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", world->file, "--yes=sandbox", NULL}),
                     2);
    assert_int_equal(posts(world), 0);
    assert_int_equal(
        run(world, (const char *const[]){"users", "create", "--file", world->file, "--yes=production", NULL}), 0);
    assert_int_equal(posts(world), 1);
    world_free(world);
}

static void read_only_is_a_usage_error(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_user(world, "ann");
    assert_int_equal(
        run(world, (const char *const[]){"--read-only", "users", "create", "--file", world->file, "--yes", NULL}), 2);
    assert_int_equal(posts(world), 0);
    world_free(world);
}

static void what_cannot_be_sent_is_named_and_not_sent(void **state) {
    (void)state;
    static const char *const BODIES[] = {
        "[]",
        "{\"name\":{\"first\":\"\"}}",
        "{\"name\":\"Ann\"}",
        "{\"name\":{\"first\":\"Ann\",\"last\":\"B\"},\"email\":\"no-at\",\"identity_verified\":true}",
        ("{\"name\":{\"first\":\"Ann\",\"last\":\"B\"},\"email\":\"a@b.example\",\"date_of_birth\":\"2023-02-29\","
         "\"identity_verified\":true}"),
        "{\"name\":{\"first\":\"A\\u0000n\",\"last\":\"B\"},\"email\":\"a@b.example\",\"identity_verified\":true}",
        "{\"name\":{\"first\":\"A\\u001bn\",\"last\":\"B\"},\"email\":\"a@b.example\",\"identity_verified\":true}",
    };
    struct world *world = world_new(NULL, "");
    for (size_t i = 0; i < COUNT_OF(BODIES); i++) {
        assert_true(proc_write_file(world->file, BODIES[i]));
        assert_int_equal(create(world), 2);
    }
    assert_int_equal(posts(world), 0);
    world_free(world);
}

/* K31: cut at half or to nothing, it names no service, and certainly not production. */
static void a_half_written_configuration_sends_nothing(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    char path[PATH_CAP];
    write_user(world, "ann");
    (void)snprintf(path, sizeof path, "%s/config", world->service.folder);
    char *whole = proc_read_file(path);
    assert_non_null(whole);
    for (size_t part = 0; part < 2; part++) {
        char *cut = mem_dup_n(whole, part * strlen(whole) / 2);
        assert_true(proc_write_file(path, cut));
        assert_int_equal(create(world), 2);
        char *after = proc_read_file(path);
        assert_string_equal(after, cut);
        free(after);
        free(cut);
    }
    free(whole);
    assert_int_equal(posts(world), 0);
    world_free(world);
}

/* K89: nothing to read and nobody to ask is said at once. */
static void with_nothing_on_its_input_it_ends_at_once(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", "-", "--yes", NULL}), 2);
    assert_true(world->proc.err.len > 0);
    write_user(world, "ann");
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", world->file, NULL}), 2);
    assert_non_null(strstr(world->proc.err.s, "--yes"));
    assert_int_equal(posts(world), 0);
    world_free(world);
}

/* ---- Answers that are none ---- */

static void lost(const char *fault, const char *more) {
    struct world *world = world_new(fault, more);
    write_user(world, "ann");
    assert_int_equal(create(world), 6);
    assert_non_null(strstr(world->proc.out.s, "\"outcome\":\"unknown\""));
    assert_int_equal(posts(world), 1);
    assert_int_equal(create(world), 2);
    assert_int_equal(
        run(world, (const char *const[]){"users", "create", "--file", world->file, "--yes", "--again", NULL}), 2);
    assert_int_equal(run(world, (const char *const[]){"activity", "--outcome", "unknown", NULL}), 0);
    assert_non_null(strstr(world->proc.out.s, "unknown"));
    assert_int_equal(posts(world), 1);
    world_free(world);
}

static void a_lost_answer_is_unknown_and_never_repeated(void **state) {
    (void)state;
    static const char *const FAULTS[] = {
        "path=/user drop_after_read=1",  "path=/user reset=1 apply=1",        "path=/user status=502 body=bad",
        "path=/user truncate=5 apply=1", "path=/user status=201 body=<html>", "path=/user status=409",
        "path=/user status=408",
    };
    for (size_t i = 0; i < COUNT_OF(FAULTS); i++)
        lost(FAULTS[i], "");
}

static void a_refusal_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *fault;
        int exit;
    } CASES[] = {{"path=/user status=422", 4},
                 {"path=/user status=400", 4},
                 {"path=/user status=401", 3},
                 {"path=/user status=403", 3},
                 {"path=/user status=307 header=\"Location: /elsewhere\"", 4},
                 {"path=/user retry_after=1", 4}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct world *world = world_new(CASES[i].fault, "");
        write_user(world, "ann");
        assert_int_equal(create(world), CASES[i].exit);
        assert_non_null(strstr(world->proc.out.s, "\"outcome\":\"refused\""));
        assert_int_equal(posts(world), 1);
        world_free(world);
    }
}

static void no_connection_is_not_sent(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    assert_true(console_configure(&world->service, "http://127.0.0.1:1", ""));
    write_user(world, "ann");
    assert_int_equal(create(world), 5);
    assert_non_null(strstr(world->proc.out.s, "\"outcome\":\"not_sent\""));
    assert_true(console_configure(&world->service, world->service.url, ""));
    assert_int_equal(create(world), 0);
    assert_int_equal(posts(world), 1);
    world_free(world);
}

static void an_interrupted_write_is_unknown(void **state) {
    (void)state;
    struct world *world = world_new("path=/user hang=1", "");
    write_user(world, "ann");
    char *program = proc_program("bursar");
    const char *argv[] = {program, "users", "create", "--file", world->file, "--yes", "--format", "json", NULL};
    assert_true(proc_start(&world->proc, argv, console_env(&world->service)));
    for (int64_t end = clock_mono() + PROC_DEADLINE; posts(world) == 0 && clock_mono() < end;)
        (void)proc_expect(&world->proc, "never printed", 10);
    assert_int_equal(posts(world), 1);
    assert_int_equal(kill(world->proc.pid, SIGTERM), 0);
    assert_true(proc_wait(&world->proc, PROC_DEADLINE));
    assert_int_equal(world->proc.status, 6);
    assert_non_null(strstr(world->proc.out.s, "{\"outcome\":\"unknown\","));
    assert_non_null(strstr(world->proc.out.s, "\"journal\":1}"));
    assert_non_null(strstr(world->proc.err.s, "bursar activity resolve 1 settles it"));
    assert_int_equal(run(world, (const char *const[]){"activity", "--outcome", "unknown", "--format", "ndjson", NULL}),
                     0);
    assert_non_null(strstr(world->proc.out.s, "\"outcome\":\"unknown\""));
    free(program);
    world_free(world);
}

static void an_unknown_is_settled_with_a_note(void **state) {
    (void)state;
    struct world *world = world_new("path=/user drop_after_read=1", "");
    write_user(world, "ann");
    assert_int_equal(create(world), 6);
    assert_int_equal(run(world, (const char *const[]){"activity", "list", "--outcome", "refused", NULL}), 0);
    assert_string_equal(world->proc.err.s, "bursar: no record has the outcome refused\n");
    assert_int_equal(run(world, (const char *const[]){"activity", "resolve", "1", "--outcome", "refused", NULL}), 2);
    assert_int_equal(run(world, (const char *const[]){"activity", "resolve", "1", "--outcome", "refused", "--note",
                                                      "not there by its tag", NULL}),
                     0);
    assert_int_equal(run(world, (const char *const[]){"activity", "show", "1", NULL}), 0);
    assert_non_null(strstr(world->proc.out.s, "not there by its tag"));
    assert_non_null(strstr(world->proc.out.s, "refused"));
    world_free(world);
}

/* ---- Which record a tag belongs to ---- */

static int by_tag(struct world *world, const char *tag, const char *more) {
    char *program = proc_program("bursar");
    struct str command;
    str_init(&command, PATH_CAP);
    str_addf(&command, "printf '%%s\\n' '%s' | exec %s activity --tag %s", tag, program, more);
    const char *const argv[] = {"/bin/sh", "-c", command.s, NULL};
    (void)proc_end(&world->proc);
    memset(&world->proc, 0, sizeof world->proc);
    int status = proc_run(&world->proc, argv, console_env(&world->service), PROC_DEADLINE);
    str_clear(&command);
    free(program);
    return status;
}

static void a_tag_tells_its_record(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_user(world, "ann");
    assert_int_equal(create(world), 0);
    write_user(world, "ben");
    assert_int_equal(create(world), 0);
    assert_int_equal(by_tag(world, " KEY-Ann", "--format csv"), 0);
    assert_non_null(strstr(world->proc.out.s, "\r\n1,"));
    assert_null(strstr(world->proc.out.s, "\r\n2,"));
    assert_int_equal(by_tag(world, "key-nobody", ""), 0);
    assert_string_equal(world->proc.err.s,
                        "bursar: no record has this tag; purged records have lost theirs and may be missing\n");
    assert_int_equal(by_tag(world, "key-ann", "--outcome unknown"), 0);
    assert_string_equal(world->proc.err.s, "bursar: no record has this tag and the outcome unknown\n");
    assert_int_equal(by_tag(world, "", ""), 2);
    assert_int_equal(run(world, (const char *const[]){"activity", "--tag=key-ann", NULL}), 2);
    world_free(world);
}

/* ---- Killed on the way ---- */

static void start_for(struct world *world, struct proc *proc, int n) {
    char name[32];
    (void)snprintf(name, sizeof name, "u%d", n);
    write_user(world, name);
    char *program = proc_program("bursar");
    const char *argv[] = {program, "users", "create", "--file", world->file, "--yes", NULL};
    *proc = (struct proc){0};
    assert_true(proc_start(proc, argv, console_env(&world->service)));
    free(program);
}

static int records_of(struct world *world) {
    int records = 0;
    assert_int_equal(run(world, (const char *const[]){"activity", "--format", "ndjson", NULL}), 0);
    for (const char *s = world->proc.out.s; (s = strstr(s, "{\"n\":")) != NULL; s++)
        records++;
    return records;
}

/* An answer is late, and so is the sandbox's note of it: who was created tells runs apart, counting requests would not.
 */
static void nobody_was_created_twice(struct world *world, int runs) {
    struct http_reply reply;
    assert_true(service_control(&world->service, "GET", "/control/users", NULL, &reply));
    for (int i = 0; i <= runs; i++) {
        char tag[32];
        (void)snprintf(tag, sizeof tag, "\"key-u%d\"", i);
        const char *first = strstr(reply.body.s, tag);
        assert_null(first ? strstr(first + 1, tag) : NULL);
    }
    assert_non_null(strstr(reply.body.s, "\"key-u0\""));
    http_reply_clear(&reply);
}

/* Whatever the moment, a request that was seen has its record, and there is never a second one. The moments are spread
 * over the time that a whole run takes. */
static void killed_at_200_moments_a_request_implies_a_record(void **state) {
    (void)state;
    const int points = proc_starts(200, 40);
    struct world *world = world_new("path=/user count=1000 delay=20", "");
    struct proc proc;
    int64_t begun = clock_mono();
    start_for(world, &proc, 0);
    assert_true(proc_wait(&proc, PROC_DEADLINE));
    assert_int_equal(proc.status, 0);
    (void)proc_end(&proc);
    int whole = (int)(clock_mono() - begun) + 1, cut = 0;
    for (int i = 1; i <= points; i++) {
        start_for(world, &proc, i);
        if (!proc_wait(&proc, i * whole / points)) {
            (void)kill(proc.pid, SIGKILL);
            assert_true(proc_wait(&proc, PROC_DEADLINE));
            cut++;
        }
        (void)proc_end(&proc);
    }
    assert_true(cut > 0);
    int sent = posts(world);
    assert_true(sent > 0);
    assert_true(sent <= points + 1);
    assert_true(records_of(world) >= sent);
    nobody_was_created_twice(world, points);
    assert_null(strstr(world->proc.out.s, "\"sending\""));
    world_free(world);
}

/* ---- Nothing personal is left behind ---- */

static void nothing_personal_is_on_the_disk(void **state) {
    (void)state;
    static const char *const MARKS[] = {"MARKFIRST",  "MARKLAST",   "markmail", "MARKTAG",
                                        "5550109876", "1971-03-04", "M4RK",     "MARKSTREET"};
    struct world *world = world_new(NULL, "");
    assert_true(proc_write_file(
        world->file, "{\"name\":{\"first\":\"MARKFIRST\",\"last\":\"MARKLAST\"},\"email\":\"markmail@a.example\","
                     "\"date_of_birth\":\"1971-03-04\",\"government_id\":{\"type\":\"passport\",\"last4\":\"M4RK\"},"
                     "\"address\":{\"address_line_1\":\"MARKSTREET 1\"},"
                     "\"phone_number\":\"+15550109876\",\"tag\":\"MARKTAG\",\"identity_verified\":true}"));
    assert_int_equal(create(world), 0);
    assert_int_equal(unlink(world->file), 0);
    for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
        char state_folder[PATH_CAP], cache_folder[PATH_CAP];
        (void)snprintf(state_folder, sizeof state_folder, "%s/state", world->service.folder);
        (void)snprintf(cache_folder, sizeof cache_folder, "%s/cache", world->service.folder);
        struct proc proc = {0};
        const char *argv[] = {"/bin/grep", "-rail", "-e", MARKS[i], state_folder, cache_folder, NULL};
        (void)proc_run(&proc, argv, NULL, PROC_DEADLINE);
        assert_string_equal(proc.out.s, "");
        (void)proc_end(&proc);
    }
    world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_user_is_created_once),
        cmocka_unit_test(a_dry_run_sends_nothing),
        cmocka_unit_test(without_a_terminal_it_has_to_be_confirmed),
        cmocka_unit_test(another_environment_wants_its_word),
        cmocka_unit_test(read_only_is_a_usage_error),
        cmocka_unit_test(what_cannot_be_sent_is_named_and_not_sent),
        cmocka_unit_test(a_half_written_configuration_sends_nothing),
        cmocka_unit_test(with_nothing_on_its_input_it_ends_at_once),
        cmocka_unit_test(a_lost_answer_is_unknown_and_never_repeated),
        cmocka_unit_test(a_refusal_is_refused),
        cmocka_unit_test(no_connection_is_not_sent),
        cmocka_unit_test(an_interrupted_write_is_unknown),
        cmocka_unit_test(an_unknown_is_settled_with_a_note),
        cmocka_unit_test(a_tag_tells_its_record),
        cmocka_unit_test(killed_at_200_moments_a_request_implies_a_record),
        cmocka_unit_test(nothing_personal_is_on_the_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
