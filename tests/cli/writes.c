/* The rules of a write that hold by whatever road it is made: what is known of earlier ones, the key of a repeat, who
 * refused it, and what an outcome is when this machine cannot note it. Found by trying: F1 to F16. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/console.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, BYTES_MAX = 1 << 20 };

struct world {
    struct service service;
    char json[PATH_CAP], csv[PATH_CAP], results[PATH_CAP];
    struct proc proc;
};

static struct world *world_new(const char *fault, const char *style, const char *more) {
    struct world *world = mem_new(sizeof *world);
    const char *args[8] = {"--intents", "5"};
    size_t n = 2;
    if (fault) {
        args[n++] = "--fault";
        args[n++] = fault;
    }
    if (style) {
        args[n++] = "--style";
        args[n++] = style;
    }
    assert_true(console_serve(&world->service, args, more));
    (void)snprintf(world->json, sizeof world->json, "%s/u.json", world->service.folder);
    (void)snprintf(world->csv, sizeof world->csv, "%s/u.csv", world->service.folder);
    (void)snprintf(world->results, sizeof world->results, "%s/u.result.csv", world->service.folder);
    return world;
}

static void world_free(struct world *world) {
    (void)proc_end(&world->proc);
    (void)service_stop(&world->service);
    free(world);
}

/* bursar with these arguments; env may be NULL. */
static int run_with(struct world *world, const char *const env[], const char *const args[]) {
    const char *argv[24], *all[32];
    size_t n = 0, m = 0;
    char *program = proc_program("bursar");
    argv[n++] = program;
    for (size_t i = 0; args[i]; i++)
        argv[n++] = args[i];
    argv[n] = NULL;
    for (const char *const *own = console_env(&world->service); *own; own++)
        all[m++] = *own;
    for (size_t i = 0; env && env[i]; i++)
        all[m++] = env[i];
    all[m] = NULL;
    (void)proc_end(&world->proc);
    memset(&world->proc, 0, sizeof world->proc);
    int status = proc_run(&world->proc, argv, all, PROC_DEADLINE);
    free(program);
    return status;
}
#define RUN(world, ...) run_with(world, NULL, (const char *const[]){__VA_ARGS__, NULL})

static bool said(const struct world *world, const char *text) {
    bool there = strstr(world->proc.err.s, text) != NULL;
    if (!there)
        print_error("not said: %s\n%s\n", text, world->proc.err.s);
    return there;
}

static int posts(const struct world *world, const char *path) {
    return service_journal_count(&world->service, "\"POST\"", path);
}

static int users(struct world *world) {
    char *text = service_users(&world->service);
    int n = text_times(text, "\"id\":\"usr_");
    free(text);
    return n;
}

/* A user without tag, mail, phone and birth date: nothing but the body itself knows them again. */
static const char BARE[] = "{\"name\":{\"first\":\"Ann\",\"last\":\"Sample\"},\"identity_verified\":true}";
static const char HEAD[] = "first name,last name,verified\n";

static void write_csv(const struct world *world, const char *rows) {
    struct str text;
    str_init(&text, BYTES_MAX);
    str_addf(&text, "%s%s", HEAD, rows);
    assert_true(proc_write_file(world->csv, text.s));
    str_clear(&text);
}

/* ---- F1: a result belongs to what was sent ---- */

static void f1_a_row_is_known_by_what_it_sends_and_not_by_its_place(void **state) {
    (void)state;
    struct world *world = world_new(NULL, NULL, "");
    write_csv(world, "Ann,One,true\nBea,Two,true\n");
    assert_int_equal(RUN(world, "users", "import", world->csv, "--yes"), 0);
    /* Another person in front, and a name changed. */
    write_csv(world, "Cay,Three,true\nAnna,One,true\nBea,Two,true\n");
    assert_int_equal(RUN(world, "users", "import", world->csv, "--resume", "--yes"), 0);
    assert_true(said(world, "record 1 (done as usr_"));
    assert_true(said(world, "is of a row that is not in the file any more"));
    char *text = service_users(&world->service);
    assert_int_equal(text_times(text, "\"Three\""), 1);
    assert_int_equal(text_times(text, "\"Two\""), 1);
    assert_int_equal(text_times(text, "\"Anna\""), 1);
    free(text);
    assert_int_equal(posts(world, "/user"), 4);
    /* Moved and nothing else: nobody is sent. */
    write_csv(world, "Bea,Two,true\nAnna,One,true\nCay,Three,true\n");
    assert_int_equal(RUN(world, "users", "import", world->csv, "--resume", "--yes"), 0);
    assert_int_equal(posts(world, "/user"), 4);
    world_free(world);
}

static void f1_the_results_of_another_file_are_refused(void **state) {
    (void)state;
    struct world *world = world_new(NULL, NULL, "");
    write_csv(world, "Ann,One,true\nBea,Two,true\n");
    assert_int_equal(RUN(world, "users", "import", world->csv, "--yes"), 0);
    write_csv(world, "Cay,Three,true\nDee,Four,true\n");
    assert_int_equal(RUN(world, "users", "import", world->csv, "--resume", "--yes"), 2);
    assert_true(said(world, "belongs to another file"));
    assert_int_equal(posts(world, "/user"), 2);
    assert_int_equal(unlink(world->results), 0);
    assert_int_equal(RUN(world, "users", "import", world->csv, "--yes"), 0);
    assert_int_equal(posts(world, "/user"), 4);
    world_free(world);
}

static void f1_results_of_an_older_form_are_refused_with_words(void **state) {
    (void)state;
    struct world *world = world_new(NULL, NULL, "");
    write_csv(world, "Ann,One,true\n");
    assert_true(proc_write_file(world->results, "row,line,outcome,id,error,journal\r\n1,2,done,usr_1,,1\r\n"));
    assert_int_equal(RUN(world, "users", "import", world->csv, "--resume", "--yes"), 2);
    assert_true(said(world, "is of an older bursar"));
    assert_int_equal(posts(world, "/user"), 0);
    world_free(world);
}

/* ---- F2: by origin, profile and account ---- */

static void configure_two(const struct world *world, const char *first, const char *second) {
    struct str text;
    char path[PATH_CAP];
    str_init(&text, BYTES_MAX);
    const char *const more[] = {first, second};
    for (int i = 0; i < 2; i++) {
        str_addf(&text, "profile p%d {\n environment = sandbox\n base_url = '%s'\n token_file = '%s'\n%s\n}\n", i,
                 world->service.url, world->service.token_file, more[i]);
    }
    (void)snprintf(path, sizeof path, "%s/config", world->service.folder);
    assert_true(proc_write_file(path, text.s));
    assert_int_equal(chmod(path, S_IRUSR | S_IWUSR), 0);
    str_clear(&text);
}

static void f2_two_accounts_of_one_service_know_nothing_of_each_other(void **state) {
    (void)state;
    struct world *world = world_new(NULL, NULL, "");
    configure_two(world, "account = \"a\"", "account = \"b\"");
    assert_true(proc_write_file(world->json, BARE));
    write_csv(world, "Bea,Two,true\n");
    assert_int_equal(RUN(world, "--profile", "p0", "users", "create", "--file", world->json, "--yes"), 0);
    assert_int_equal(RUN(world, "--profile", "p1", "users", "create", "--file", world->json, "--yes"), 0);
    assert_int_equal(RUN(world, "--profile", "p1", "users", "create", "--file", world->json, "--yes"), 2);
    assert_int_equal(posts(world, "/user"), 2);
    assert_int_equal(RUN(world, "--profile", "p0", "users", "import", world->csv, "--yes"), 0);
    assert_int_equal(RUN(world, "--profile", "p1", "users", "import", world->csv, "--resume", "--yes"), 2);
    assert_true(said(world, "is of another profile, account or machine"));
    assert_int_equal(unlink(world->results), 0);
    assert_int_equal(RUN(world, "--profile", "p1", "users", "import", world->csv, "--yes"), 0);
    assert_int_equal(posts(world, "/user"), 4);
    assert_int_equal(
        RUN(world, "--profile", "p0", "webhook", "register", "--url", "https://h.example.com/a", "--unsigned", "--yes"),
        0);
    assert_int_equal(RUN(world, "--profile", "p1", "webhook", "show"), 0);
    assert_null(strstr(world->proc.out.s, "h.example.com"));
    world_free(world);
}

static void f2_one_account_under_two_names_is_said_once(void **state) {
    (void)state;
    struct world *world = world_new(NULL, NULL, "");
    configure_two(world, "account = \"a\"", "account = \"a\"");
    assert_true(proc_write_file(world->json, BARE));
    assert_int_equal(RUN(world, "--profile", "p0", "users", "create", "--file", world->json, "--yes"), 0);
    assert_int_equal(RUN(world, "--profile", "p1", "users", "create", "--file", world->json, "--yes"), 0);
    assert_true(said(world, "profile p0 names the same service and account"));
    assert_int_equal(text_times(world->proc.err.s, "names the same service"), 1);
    write_csv(world, "Ann,Sample,true\nBea,Two,true\nCay,Three,true\n");
    assert_int_equal(RUN(world, "--profile", "p0", "users", "import", world->csv, "--yes", "--resume"), 0);
    assert_int_equal(unlink(world->results), 0);
    assert_int_equal(RUN(world, "--profile", "p1", "users", "import", world->csv, "--yes", "--resume"), 0);
    assert_int_equal(text_times(world->proc.err.s, "names the same service"), 1);
    world_free(world);
}

static void f2_an_endpoint_under_another_name_is_not_replaced_or_unsigned_unsaid(void **state) {
    (void)state;
    static const char *const URL = "https://h.example.com/a";
    struct world *world = world_new(NULL, NULL, "");
    configure_two(world, "account = \"a\"", "account = \"a\"");
    for (int i = 0; i < 2; i++) { /* the second time it has a record of its own, and the other's is later */
        assert_int_equal(
            RUN(world, "--profile", "p0", "webhook", "register", "--url", URL, "--generate-secret", "--yes"), 0);
        assert_int_equal(RUN(world, "--profile", "p1", "webhook", "register", "--url", URL, "--unsigned", "--yes"), 0);
        assert_true(said(world, "Profile p0 names the same service and account and registered there later, signed"));
        assert_int_equal(text_times(world->proc.err.s, "names the same service"), 1);
        assert_true(said(world, "This switches signing OFF."));
        assert_null(strstr(world->proc.err.s, "is safe"));
    }
    assert_int_equal(RUN(world, "--profile", "p1", "webhook", "register", "--url", URL, "--unsigned", "--yes"), 0);
    assert_null(strstr(world->proc.err.s, "names the same service"));
    world_free(world);
}

static void f25_a_registration_is_no_other_that_shares_its_secret(void **state) {
    (void)state;
    static const char SECRET[] = "whsec_0123456789012345678901234567890123456789";
    struct world *world = world_new(NULL, NULL, "");
    char secret[PATH_CAP];
    configure_two(world, "account = \"a\"", "account = \"a\"");
    (void)snprintf(secret, sizeof secret, "%s/secret", world->service.folder);
    assert_true(proc_write_file(secret, SECRET));
    assert_int_equal(chmod(secret, S_IRUSR | S_IWUSR), 0);
    for (int i = 0; i < 2; i++) { /* the same endpoint, by the same profile and then by the other */
        assert_int_equal(RUN(world, "--profile", i ? "p1" : "p0", "webhook", "register", "--url",
                             "https://h.example.com/a", "--secret-file", secret, "--yes"),
                         0);
        assert_int_equal(RUN(world, "--profile", "p0", "webhook", "show"), 0);
        assert_null(strstr(world->proc.out.s, "registered the same secret"));
        assert_int_equal(strstr(world->proc.out.s, "Profile p1 names the same service and account") != NULL, i == 1);
    }
    assert_int_equal(RUN(world, "--profile", "p1", "webhook", "register", "--url", "https://h.example.com/b",
                         "--secret-file", secret, "--yes"),
                     0);
    world_free(world);
}

/* ---- F3: the key of a repeat ---- */

static void repeated_with_its_key(const char *style, const char *setting) {
    struct world *world = world_new("path=/user nth=1 drop_after_read=1 apply=1", style, setting);
    assert_true(proc_write_file(world->json, BARE));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 6);
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--repeat", "1"), 0);
    assert_int_equal(posts(world, "/user"), 2);
    assert_int_equal(users(world), 1);
    world_free(world);
}

static void f3_a_repeat_takes_the_recorded_key_along(void **state) {
    (void)state;
    repeated_with_its_key("idempotency=header:Idempotency-Key", "api { user_idempotency = 'header:Idempotency-Key' }");
    repeated_with_its_key("idempotency=body:request_key", "api { user_idempotency = 'body:request_key' }");
}

/* The answers stay away: each record of the chain is repeated in its turn, whichever is named. */
static void chain_repeated(const char *style, const char *setting, int made) {
    static const char *const NAMED[] = {"1", "1", "2", "3", "1"};
    struct world *world = world_new("path=/user drop_after_read=1 apply=1", style, setting);
    assert_true(proc_write_file(world->json, BARE));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 6);
    for (size_t i = 0; i < COUNT_OF(NAMED); i++) {
        assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 2);
        assert_true(said(world, "sends it again on purpose"));
        assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--repeat", NAMED[i]), 6);
    }
    assert_int_equal(posts(world, "/user"), 1 + COUNT_OF(NAMED));
    assert_int_equal(users(world), made);
    /* What is settled is not repeated, and what is said then works. */
    assert_int_equal(RUN(world, "activity", "resolve", "1", "--outcome", "not-sent", "--note", "looked"), 0);
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--repeat", "1"), 2);
    assert_true(said(world, "--repeat 6 sends it again on purpose"));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--repeat", "6"), 6);
    world_free(world);
}

static void f3_a_repeat_that_ended_unknown_is_repeated_too(void **state) {
    (void)state;
    chain_repeated("idempotency=header:Idempotency-Key", "api { user_idempotency = 'header:Idempotency-Key' }", 1);
    chain_repeated(NULL, "", 6);
}

static void f3_a_key_in_the_body_is_shown_and_sent_byte_for_byte_else(void **state) {
    (void)state;
    struct world *world =
        world_new(NULL, "idempotency=body:request_key", "api { user_idempotency = 'body:request_key' }");
    assert_true(proc_write_file(world->json, "{ \"request_key\": \"my-own-key-0001\", \"name\": {\"last\": \"B\"} }"));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 0);
    char *text = service_users(&world->service);
    assert_int_equal(text_times(text, "\"idempotency_key\":\"my-own-key-0001\""), 1);
    free(text);
    assert_int_equal(RUN(world, "activity", "show", "1"), 0);
    assert_true(proc_write_file(world->json, "{}"));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 2); /* nothing to send */
    world_free(world);
}

/* ---- F4: 429 in an import is not sent ---- */

static void f4_an_import_waits_where_it_is_asked_to(void **state) {
    (void)state;
    struct world *world = world_new("path=/user nth=2 count=2 status=429 header=\"Retry-After: 1\"", NULL, "");
    write_csv(world, "Ann,One,true\nBea,Two,true\nCay,Three,true\n");
    assert_int_equal(RUN(world, "users", "import", world->csv, "--yes"), 0);
    assert_true(said(world, "line 3: the service asks to wait"));
    assert_int_equal(users(world), 3);
    assert_int_equal(posts(world, "/user"), 5);
    char *results = proc_read_file(world->results);
    assert_int_equal(text_times(results, ",done,usr_"), 3);
    free(results);
    assert_int_equal(RUN(world, "activity", "--outcome", "refused"), 0);
    assert_string_equal(world->proc.out.s, "");
    world_free(world);
}

static void f4_a_single_write_is_refused_and_waits_for_nobody(void **state) {
    (void)state;
    struct world *world = world_new("path=/user status=429 header=\"Retry-After: 1\"", NULL, "");
    assert_true(proc_write_file(world->json, BARE));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 4);
    assert_int_equal(posts(world, "/user"), 1);
    world_free(world);
}

/* A refusal that any other body would have got says nothing about this one: a later import sends the person. */
static void f4_what_was_refused_for_no_reason_of_its_own_is_sent_later(void **state) {
    (void)state;
    static const char *const STATUSES[] = {"429 header=\"Retry-After: 1\"", "401", "404", "301"};
    for (size_t i = 0; i < COUNT_OF(STATUSES); i++) {
        char rule[200];
        (void)snprintf(rule, sizeof rule, "path=/user nth=1 count=1 status=%s", STATUSES[i]);
        struct world *world = world_new(rule, NULL, "");
        assert_true(proc_write_file(world->json, BARE));
        int status = RUN(world, "users", "create", "--file", world->json, "--yes");
        assert_in_range(status, 3, 4);
        write_csv(world, "Ann,Sample,true\n");
        assert_int_equal(RUN(world, "users", "import", world->csv, "--yes"), 0);
        assert_int_equal(users(world), 1);
        assert_int_equal(posts(world, "/user"), 2);
        world_free(world);
    }
}

static void f4_a_pace_is_kept(void **state) {
    (void)state;
    struct world *world = world_new(NULL, NULL, "");
    write_csv(world, "Ann,One,true\nBea,Two,true\n");
    assert_int_equal(RUN(world, "users", "import", world->csv, "--yes", "--pace", "fast"), 2);
    assert_int_equal(RUN(world, "users", "import", world->csv, "--yes", "--pace", "120/min"), 0);
    assert_int_equal(users(world), 2);
    world_free(world);
}

/* ---- F8: the outcome cannot be noted ---- */

/* From the first bytes of the answer on, no disk takes anything. */
static int run_on_a_disk_that_fills(struct world *world, const char *const args[]) {
    char preload[PATH_CAP];
    (void)snprintf(preload, sizeof preload, "LD_PRELOAD=%s/preload/fail_call.so", getenv("BURSAR_OUT"));
    const char *const env[] = {preload,        "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0",
                               "FAIL_AT=1",    "FAIL_WITH=ENOSPC",
                               "FAIL_ON=1",    "FAIL_FROM=answer",
                               "FAIL_KINDS=w", NULL};
    return run_with(world, env, args);
}

static void f8_an_outcome_that_cannot_be_noted_is_a_failure_with_the_id(void **state) {
    (void)state;
    struct world *world = world_new(NULL, NULL, "");
    assert_true(proc_write_file(world->json, BARE));
    assert_int_equal(
        run_on_a_disk_that_fills(world, (const char *const[]){"users", "create", "--file", world->json, "--yes", NULL}),
        1);
    assert_int_equal(strncmp(world->proc.out.s, "usr_", 4), 0);
    assert_true(said(world, "could not be noted in the journal"));
    const char *const hook[] = {"webhook", "register", "--url", "https://h.example.com/a", "--unsigned", "--yes", NULL};
    assert_int_equal(run_on_a_disk_that_fills(world, hook), 1);
    assert_true(said(world, "could not be noted in the journal"));
    write_csv(world, "Bea,Two,true\nCay,Three,true\n");
    assert_int_equal(
        run_on_a_disk_that_fills(world, (const char *const[]){"users", "import", world->csv, "--yes", NULL}), 1);
    assert_int_equal(users(world), 2);
    assert_non_null(strstr(world->proc.out.s, ",done,usr_")); /* the result file took nothing either */
    /* What was not noted is not sent again. */
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 2);
    assert_true(said(world, "activity resolve"));
    assert_int_equal(users(world), 2);
    world_free(world);
}

/* ---- F14: who refused, and what works ---- */

static void f14_what_this_machine_refuses_is_not_the_service_s_word(void **state) {
    (void)state;
    struct world *world = world_new("path=/user nth=2 drop_after_read=1", NULL, "");
    assert_true(proc_write_file(world->json, BARE));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 0);
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 2);
    assert_true(said(world, "--again registers all the same"));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--again"), 6); /* it did */
    assert_int_equal(posts(world, "/user"), 2);
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--again"), 2);
    assert_true(said(world, "--repeat 2 sends it again on purpose"));
    assert_null(strstr(world->proc.err.s, "--again"));
    assert_int_equal(posts(world, "/user"), 2);
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--repeat", "99"), 2);
    assert_true(said(world, "there is no record 99"));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--repeat", "1"), 2);
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--repeat", "2"), 2);
    assert_true(said(world, "--again registers all the same")); /* for the one that is done */
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--repeat", "2", "--again"), 0);
    assert_int_equal(posts(world, "/user"), 3);
    world_free(world);
}

static void f14_a_row_that_another_program_sends_is_waited_for_not_settled(void **state) {
    (void)state;
    struct world *world = world_new("path=/user hang=1", NULL, "");
    struct proc first = {0};
    char *program = proc_program("bursar");
    write_csv(world, "Ann,Sample,true\nBea,Two,true\n");
    const char *const argv[] = {program, "users", "import", world->csv, "--yes", NULL};
    assert_true(proc_start(&first, argv, console_env(&world->service)));
    for (int64_t end = clock_mono() + PROC_DEADLINE; posts(world, "/user") == 0 && clock_mono() < end;)
        (void)proc_expect(&first, "never printed", 10);
    assert_int_equal(RUN(world, "users", "import", world->csv, "--resume", "--yes"), 2);
    assert_true(said(world, "line 2: left alone: it is being sent by another program"));
    assert_null(strstr(world->proc.err.s, "resolve"));
    assert_true(proc_write_file(world->json, BARE)); /* by another road too */
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 2);
    assert_true(said(world, "another program is sending the very same"));
    assert_int_equal(posts(world, "/user"), 1);
    assert_int_equal(kill(first.pid, SIGKILL), 0);
    assert_true(proc_wait(&first, PROC_DEADLINE));
    (void)proc_end(&first);
    free(program);
    world_free(world);
}

/* ---- F16: what is not in the document ---- */

static void f16_members_that_are_no_field_are_warned_of(void **state) {
    (void)state;
    struct world *world = world_new(NULL, NULL, "");
    assert_true(proc_write_file(world->json, "{\"emial\":\"a@a.example\",\"name\":{\"frist\":\"Ann\",\"last\":\"B\"},"
                                             "\"phone\":\"+15550100001\",\"identity_verified\":true,\"x\":1}"));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--dry-run"), 0);
    assert_true(said(world, "emial is no field of a user: is email meant?"));
    assert_true(said(world, "name.frist is no field of a user: is name.first meant?"));
    assert_true(said(world, "phone is no field of a user: is phone_number meant?"));
    assert_true(said(world, "x is no field of a user; it would be sent as it stands"));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes"), 0);
    assert_true(said(world, "emial is no field"));
    world_free(world);
}

static void f16_an_empty_id_is_no_id(void **state) {
    (void)state;
    struct world *world = world_new("path=/user status=201 body=\"{\\\"id\\\":\\\"\\\"}\"", NULL, "");
    assert_true(proc_write_file(world->json, BARE));
    assert_int_equal(RUN(world, "users", "create", "--file", world->json, "--yes", "--format", "json"), 0);
    assert_non_null(strstr(world->proc.out.s, "\"outcome\":\"done\",\"id\":null"));
    assert_true(said(world, "no id returned"));
    world_free(world);
}

static void f16_an_answer_that_does_not_say_whether_it_replaced_says_unknown(void **state) {
    (void)state;
    static const char *const FAULTS[] = {"path=/webhook/register status=202 body={}",
                                         "path=/webhook/register status=204 body="};
    for (size_t i = 0; i < COUNT_OF(FAULTS); i++) {
        struct world *world = world_new(FAULTS[i], NULL, "");
        assert_int_equal(RUN(world, "webhook", "register", "--url", "https://h.example.com/a", "--unsigned", "--yes",
                             "--format", "json"),
                         0);
        assert_non_null(strstr(world->proc.out.s, "\"outcome\":\"done\",\"effect\":\"unknown\""));
        assert_null(strstr(world->proc.out.s, "was replaced"));
        world_free(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f1_a_row_is_known_by_what_it_sends_and_not_by_its_place),
        cmocka_unit_test(f1_the_results_of_another_file_are_refused),
        cmocka_unit_test(f1_results_of_an_older_form_are_refused_with_words),
        cmocka_unit_test(f2_two_accounts_of_one_service_know_nothing_of_each_other),
        cmocka_unit_test(f2_one_account_under_two_names_is_said_once),
        cmocka_unit_test(f2_an_endpoint_under_another_name_is_not_replaced_or_unsigned_unsaid),
        cmocka_unit_test(f25_a_registration_is_no_other_that_shares_its_secret),
        cmocka_unit_test(f3_a_repeat_takes_the_recorded_key_along),
        cmocka_unit_test(f3_a_repeat_that_ended_unknown_is_repeated_too),
        cmocka_unit_test(f3_a_key_in_the_body_is_shown_and_sent_byte_for_byte_else),
        cmocka_unit_test(f4_an_import_waits_where_it_is_asked_to),
        cmocka_unit_test(f4_a_single_write_is_refused_and_waits_for_nobody),
        cmocka_unit_test(f4_what_was_refused_for_no_reason_of_its_own_is_sent_later),
        cmocka_unit_test(f4_a_pace_is_kept),
        cmocka_unit_test(f8_an_outcome_that_cannot_be_noted_is_a_failure_with_the_id),
        cmocka_unit_test(f14_what_this_machine_refuses_is_not_the_service_s_word),
        cmocka_unit_test(f14_a_row_that_another_program_sends_is_waited_for_not_settled),
        cmocka_unit_test(f16_members_that_are_no_field_are_warned_of),
        cmocka_unit_test(f16_an_empty_id_is_no_id),
        cmocka_unit_test(f16_an_answer_that_does_not_say_whether_it_replaced_says_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
