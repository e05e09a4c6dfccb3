/* A team of two desks on a PostgreSQL of the test's own and one sandbox: what is sent once, who is told what, and what
 * becomes of it when the store is away. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/office.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = OFFICE_PATH, DESKS = 2 };

static void the_same_is_sent_from_one_desk_alone(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 0);
    assert_int_equal(create_at(office, 1, NULL), 2);
    assert_says(&office->desks[1], "the very same as team record ");
    assert_says(&office->desks[1], "earlier writes look the same");
    assert_int_equal(posts(office), 1);
    assert_sql("SELECT count(*) FROM open_writes", "0");
    assert_sql("SELECT outcome || ' ' || status FROM marks", "done 201");
    char *dump = postgres_dump(&office_postgres);
    assert_null(strstr(dump, "key-ann"));
    assert_null(strstr(dump, "Sample"));
    assert_null(strstr(dump, "ann@"));
    assert_null(strstr(dump, office->service.token));
    free(dump);
    office_free(office);
}

static void an_unknown_one_is_settled_for_everybody(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new("path=/user status=503 nth=1", "");
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 6);
    assert_int_equal(create_at(office, 1, NULL), 2);
    assert_says(&office->desks[1], "bursar team resolve ");
    assert_int_equal(posts(office), 1);
    char *id = postgres_sql(&office_postgres, "SELECT substr(id, 1, 8) FROM writes");
    id[strcspn(id, "\n")] = '\0';
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"team", "resolve", id, "--outcome", "not-sent",
                                                                      "--note", "looked at the service", NULL}),
                     0);
    assert_says(&office->desks[1], "is settled for everybody: not-sent");
    assert_int_equal(create_at(office, 1, NULL), 0);
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "verify", NULL}), 0);
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"activity", "show", "1", NULL}), 0);
    assert_says(&office->desks[0], "(team)");
    assert_says(&office->desks[0], "looked at the service");
    free(id);
    office_free(office);
}

static void without_the_store_nothing_is_sent_where_it_is_required(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    write_person(office, "ann");
    configure(office, &office->desks[0], "postgresql://bursar@/bursar?host=/nonexistent", "");
    assert_int_equal(create_at(office, 0, NULL), 1);
    assert_says(&office->desks[0], "the team's store cannot be reached");
    assert_int_equal(posts(office), 0);
    office_free(office);
}

static void without_the_store_it_is_sent_and_merged_where_it_may(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, " team_required = false\n");
    write_person(office, "ann");
    configure(office, &office->desks[0], "postgresql://bursar@/bursar?host=/nonexistent", " team_required = false\n");
    assert_int_equal(create_at(office, 0, NULL), 0);
    assert_says(&office->desks[0], "recorded on this machine alone");
    assert_int_equal(create_at(office, 1, NULL), 0); /* nobody could know */
    configure(office, &office->desks[0], office_store, " team_required = false\n");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "verify", NULL}), 0);
    assert_sql("SELECT count(*) FROM writes", "2");
    assert_sql("SELECT count(*) FROM writes WHERE late = 1", "1");
    assert_sql("SELECT count(*) FROM marks WHERE outcome = 'done'", "2");
    assert_int_equal(posts(office), 2);
    office_free(office);
}

/* The machine that was to send it has no record of it: on a copied disk or out of a backup that would be so too. */
static void killed_before_its_own_record_a_person_settles_it(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    struct cutter *cutter = cutter_new(&office_postgres);
    write_person(office, "ann");
    kill_at(office, cutter, "COMMIT");
    assert_sql("SELECT count(*) FROM open_writes", "1");
    assert_int_equal(create_at(office, 1, NULL), 2);
    assert_says(&office->desks[1], "is sending the very same");
    assert_int_equal(posts(office), 0);
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"activity", "--team", NULL}), 0);
    assert_says(&office->desks[0], "unknown");
    assert_int_equal(create_at(office, 0, NULL), 2);
    assert_int_equal(create_at(office, 1, NULL), 2);
    assert_says(&office->desks[1], "bursar team resolve ");
    char *id = postgres_sql(&office_postgres, "SELECT substr(id, 1, 8) FROM writes");
    id[strcspn(id, "\n")] = '\0';
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "resolve", id, "--outcome", "not-sent",
                                                                      "--note", "looked at the service", NULL}),
                     0);
    assert_int_equal(create_at(office, 1, NULL), 0);
    assert_int_equal(posts(office), 1);
    free(id);
    cutter_free(cutter);
    office_free(office);
}

static void killed_between_answer_and_mark_the_answer_is_told_later(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    struct cutter *cutter = cutter_new(&office_postgres);
    write_person(office, "ann");
    kill_at(office, cutter, "INSERT INTO marks");
    assert_int_equal(posts(office), 1);
    assert_int_equal(create_at(office, 1, NULL), 2);
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "verify", NULL}), 0);
    assert_sql("SELECT outcome FROM marks", "done");
    assert_sql("SELECT count(*) FROM open_writes", "0");
    assert_int_equal(create_at(office, 1, NULL), 2);
    assert_says(&office->desks[1], ", done as usr_");
    assert_int_equal(posts(office), 1);
    cutter_free(cutter);
    office_free(office);
}

static void killed_while_it_is_sent_it_is_unknown_to_all(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new("path=/user hang=1", "");
    struct desk *desk = &office->desks[0];
    write_person(office, "ann");
    start_at(desk, (const char *const[]){"users", "create", "--file", office->file, "--yes", NULL});
    for (int64_t end = clock_mono() + PROC_DEADLINE; posts(office) == 0 && clock_mono() < end;)
        (void)proc_wait(&desk->proc, 10);
    assert_int_equal(kill(desk->proc.pid, SIGKILL), 0);
    assert_true(proc_wait(&desk->proc, PROC_DEADLINE));
    assert_int_equal(create_at(office, 1, NULL), 2);
    assert_says(&office->desks[1], "is sending the very same");
    assert_int_equal(at_desk(desk, (const char *const[]){"activity", "--team", "--format", "json", NULL}), 0);
    assert_says(desk, "\"outcome\":\"unknown\"");
    assert_int_equal(create_at(office, 1, NULL), 2);
    assert_says(&office->desks[1], "bursar team resolve ");
    assert_int_equal(posts(office), 1);
    office_free(office);
}

enum { PEOPLE = 12, SHIFT = 6, ALL_PEOPLE = PEOPLE + SHIFT * (DESKS - 1), RESUMES = 5 };

/* Each desk has a file of its own, and some people stand in more than one. */
static void write_people(struct office *office, char files[DESKS][PATH_CAP + 16]) {
    for (int desk = 0; desk < DESKS; desk++) {
        struct str csv;
        str_init(&csv, 1 << 16);
        str_add(&csv, "name.first,name.last,email,tag,identity_verified\n");
        for (int i = desk * SHIFT; i < desk * SHIFT + PEOPLE; i++)
            str_addf(&csv, "P%c,Sample,p%d@a.example,tag-%d,true\n", 'a' + i, i, i);
        (void)snprintf(files[desk], PATH_CAP + 16, "%s/people.csv", office->desks[desk].home);
        assert_true(proc_write_file(files[desk], csv.s));
        str_clear(&csv);
    }
}

/* Until every desk is done: what one has open, the other waits for, and the first tells the store when it is back. */
static void import_to_the_end(struct office *office, char files[DESKS][PATH_CAP + 16]) {
    int done = 0;
    for (int round = 0; round < RESUMES && done < DESKS; round++) {
        done = 0;
        for (int desk = 0; desk < DESKS; desk++)
            done += at_desk(&office->desks[desk],
                            (const char *const[]){"users", "import", files[desk], "--resume", "--yes", NULL}) == 0;
    }
    for (int desk = 0; desk < DESKS; desk++)
        if (office->desks[desk].status != 0)
            fail_msg("%s%s", office->desks[desk].proc.out.s, office->desks[desk].proc.err.s);
}

static void import_beside(struct office *office, bool restart) {
    char files[DESKS][PATH_CAP + 16];
    write_people(office, files);
    for (int desk = 0; desk < DESKS; desk++)
        start_at(&office->desks[desk], (const char *const[]){"users", "import", files[desk], "--yes", NULL});
    if (restart) {
        for (int64_t end = clock_mono() + PROC_DEADLINE; posts(office) < 3 && clock_mono() < end;)
            (void)proc_wait(&office->desks[0].proc, 5);
        assert_true(postgres_halt(&office_postgres, true));
        assert_true(postgres_resume(&office_postgres));
    }
    for (int desk = 0; desk < DESKS; desk++)
        assert_true(proc_wait(&office->desks[desk].proc, PROC_DEADLINE));
    import_to_the_end(office, files);
    assert_int_equal(posts(office), ALL_PEOPLE);
    assert_sql("SELECT count(*) FROM marks WHERE outcome = 'done'", "18");
    assert_sql("SELECT count(*) FROM open_writes", "0");
    for (int desk = 0; desk < DESKS; desk++)
        assert_int_equal(at_desk(&office->desks[desk], (const char *const[]){"team", "verify", NULL}), 0);
}

static void overlapping_imports_register_each_person_once(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    import_beside(office, false);
    office_free(office);
}

/* BURSAR_TEAM_RUNS: how often. */
static void and_so_they_do_over_a_store_that_is_killed_and_started_anew(void **state) {
    (void)state;
    skip_without_postgres();
    const char *wish = getenv("BURSAR_TEAM_RUNS");
    long runs = wish ? strtol(wish, NULL, 10) : 1;
    for (long run = 0; run < runs; run++) {
        struct office *office = office_new(NULL, "");
        import_beside(office, true);
        office_free(office);
    }
}

static void the_team_is_listed_and_counted(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 0);
    write_person(office, "ben");
    assert_int_equal(create_at(office, 1, NULL), 0);
    assert_int_equal(at_desk(&office->desks[1],
                             (const char *const[]){"activity", "--team", "--by", "day", "--format", "json", NULL}),
                     0);
    assert_says(&office->desks[1], "\"done\":2");
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"activity", "--team", "--by", "operator", NULL}),
                     0);
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"activity", "export", "--team", "--since",
                                                                      "2020-01-01", "--format", "ndjson", NULL}),
                     0);
    assert_int_equal(text_times(office->desks[1].proc.out.s, "\"outcome\":\"done\""), 2);
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"activity", "export", NULL}), 0);
    assert_int_equal(text_times(office->desks[1].proc.out.s, "user.create"), 1);
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"team", "members", "--format", "json", NULL}), 0);
    assert_int_equal(text_times(office->desks[1].proc.out.s, "\"console\""), 2);
    office_free(office);
}

static void a_removed_record_is_named(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 0);
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "verify", NULL}), 0);
    free(postgres_sql(&office_postgres, "DELETE FROM marks; DELETE FROM writes; DELETE FROM matches"));
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "verify", NULL}), 9);
    assert_says(&office->desks[0], "record 1 of this machine is not in the team's store any more");
    office_free(office);
}

static void no_child_gets_the_password(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    configure(office, &office->desks[0], office_store, " team_password_command = {'sh', '-c', 'env >&2; echo none'}\n");
    assert_int_equal(
        at_desk_with(&office->desks[0], "PGPASSWORD=quite-secret", (const char *const[]){"team", "status", NULL}), 0);
    assert_null(strstr(office->desks[0].proc.err.s, "quite-secret"));
    assert_null(strstr(office->desks[0].proc.err.s, "PGPASSWORD"));
    assert_says(&office->desks[0], "PATH=");
    office_free(office);
}

static void what_is_wanting_is_checked(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"team", "check", NULL}), 0);
    assert_says(&office->desks[1], "PostgreSQL");
    assert_says(&office->desks[1], "this role may UPDATE writes");
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"team", "status", "--format", "json", NULL}), 0);
    assert_says(&office->desks[1], "{\"records\":0,\"open\":0,\"required\":true,");
    free(postgres_sql(&office_postgres, "DROP TABLE matches"));
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"team", "check", NULL}), 9);
    assert_says(&office->desks[1], "matches is not there");
    office_free(office);
}

static void the_owners_sql_is_printed_and_not_run(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    free(postgres_sql(&office_postgres, "DROP TABLE meta, writes, marks, matches, open_writes"));
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "init", "--print-sql", NULL}), 0);
    assert_says(&office->desks[0], "CREATE ROLE bursar_operator NOLOGIN;");
    assert_says(&office->desks[0], "GRANT INSERT ON writes TO bursar_operator;");
    assert_sql("SELECT count(*) FROM pg_tables WHERE tablename = 'writes'", "0");
    office_free(office);
}

static void a_word_beyond_the_subset_is_refused(void **state) {
    (void)state;
    static const char *const WORDS[] = {"LISTEN team",
                                        "SELECT pg_advisory_lock(1)",
                                        "CREATE TEMP TABLE t (a INT)",
                                        "CREATE EXTENSION pgcrypto",
                                        "SELECT nextval('s')",
                                        "id BIGSERIAL",
                                        "SELECT '%s'",
                                        "SELECT 1::TEXT",
                                        "UPDATE writes SET who = $1"};
    char script[PATH_CAP], file[PATH_CAP + 16], line[PATH_CAP];
    char *folder = proc_folder_new();
    (void)snprintf(script, sizeof script, "%s/lint/sql.sh", getenv("BURSAR_TESTS"));
    (void)snprintf(file, sizeof file, "%s/journal.h", folder);
    for (size_t i = 0; i <= COUNT_OF(WORDS); i++) {
        struct proc proc;
        (void)snprintf(line, sizeof line, "X(NAME, 0, \"%s\")\n", i < COUNT_OF(WORDS) ? WORDS[i] : "SELECT 1");
        assert_true(proc_write_file(file, line));
        int status = proc_run(&proc, (const char *const[]){"/bin/sh", script, file, NULL}, NULL, PROC_DEADLINE);
        if (status != (i < COUNT_OF(WORDS)))
            fail_msg("%d: %s: %s%s", status, line, proc.out.s, proc.err.s);
        (void)proc_end(&proc);
    }
    proc_folder_remove(folder);
}

static void a_webhook_is_recorded_for_the_team_too(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    const char *const args[] = {"webhook",    "register", "--url", "https://hooks.example.com/in",
                                "--unsigned", "--yes",    NULL};
    if (at_desk(&office->desks[0], args) != 0)
        fail_msg("%s", office->desks[0].proc.err.s);
    assert_sql("SELECT operation || ' ' || url FROM writes", "webhook.register https://hooks.example.com/in");
    assert_int_equal(at_desk(&office->desks[1], args), 0); /* the same again is safe */
    assert_sql("SELECT count(*) FROM open_writes", "0");
    office_free(office);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_sent_from_one_desk_alone),
        cmocka_unit_test(an_unknown_one_is_settled_for_everybody),
        cmocka_unit_test(without_the_store_nothing_is_sent_where_it_is_required),
        cmocka_unit_test(without_the_store_it_is_sent_and_merged_where_it_may),
        cmocka_unit_test(killed_before_its_own_record_a_person_settles_it),
        cmocka_unit_test(killed_between_answer_and_mark_the_answer_is_told_later),
        cmocka_unit_test(killed_while_it_is_sent_it_is_unknown_to_all),
        cmocka_unit_test(overlapping_imports_register_each_person_once),
        cmocka_unit_test(and_so_they_do_over_a_store_that_is_killed_and_started_anew),
        cmocka_unit_test(the_team_is_listed_and_counted),
        cmocka_unit_test(a_removed_record_is_named),
        cmocka_unit_test(no_child_gets_the_password),
        cmocka_unit_test(what_is_wanting_is_checked),
        cmocka_unit_test(the_owners_sql_is_printed_and_not_run),
        cmocka_unit_test(a_webhook_is_recorded_for_the_team_too),
        cmocka_unit_test(a_word_beyond_the_subset_is_refused),
    };
    return cmocka_run_group_tests(tests, office_start_postgres, office_stop_postgres);
}
