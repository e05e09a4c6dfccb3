/* A team of two desks on a PostgreSQL of the test's own and one sandbox: what is sent once, who is told what, and what
 * becomes of it when the store is away. */
#include "base/mem.h"
#include "support/console.h"
#include "support/postgres.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, DESKS = 2 };

/* Each desk has a home of its own and shares service and store. */
struct desk {
    char home[PATH_CAP];
    struct proc proc;
    int status;
};

static struct postgres postgres;
static char *store;

struct office {
    struct service service;
    struct desk desks[DESKS];
    char file[PATH_CAP];
};

static void skip_without_postgres(void) {
    if (postgres_missing()) {
        print_message("skipped: %s\n", postgres_missing());
        skip();
    }
}

static void configure(struct office *office, struct desk *desk, const char *address, const char *more) {
    char path[PATH_CAP + 16];
    struct str text;
    str_init(&text, 8192);
    str_addf(&text,
             "profile test {\n environment = sandbox\n base_url = '%s'\n token_file = '%s'\n team_store = '%s'\n "
             "team_key_file = '%s/team.key'\n%s}\n",
             office->service.url, office->service.token_file, address, office->service.folder, more);
    (void)snprintf(path, sizeof path, "%s/config", desk->home);
    assert_true(proc_write_file(path, text.s));
    str_clear(&text);
}

static int at_desk_with(struct desk *desk, const char *variable, const char *const args[]) {
    char home[PATH_CAP + 32], config[PATH_CAP + 32], state[PATH_CAP + 32], cache[PATH_CAP + 32], folder[PATH_CAP + 32];
    const char *argv[24] = {0};
    char *program = proc_program("bursar");
    (void)snprintf(home, sizeof home, "HOME=%s", desk->home);
    (void)snprintf(config, sizeof config, "BURSAR_CONFIG=%s/config", desk->home);
    (void)snprintf(state, sizeof state, "XDG_STATE_HOME=%s/state", desk->home);
    (void)snprintf(cache, sizeof cache, "XDG_CACHE_HOME=%s/cache", desk->home);
    (void)snprintf(folder, sizeof folder, "XDG_CONFIG_HOME=%s", desk->home);
    const char *env[] = {home, config, state, cache, folder, "TZ=UTC", "LC_ALL=C.UTF-8", variable, NULL};
    argv[0] = program;
    for (size_t i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    (void)proc_end(&desk->proc);
    memset(&desk->proc, 0, sizeof desk->proc);
    desk->status = proc_run(&desk->proc, argv, env, PROC_DEADLINE);
    free(program);
    return desk->status;
}

static int at_desk(struct desk *desk, const char *const args[]) {
    return at_desk_with(desk, NULL, args);
}

static struct office *office_new(const char *fault, const char *more) {
    struct office *office = mem_new(sizeof *office);
    const char *args[] = {"--intents", "5", fault ? "--fault" : NULL, fault, NULL};
    assert_true(service_start(&office->service, args));
    free(postgres_sql(&postgres, "DROP TABLE IF EXISTS meta, writes, marks, matches, open_writes"));
    for (int i = 0; i < DESKS; i++) {
        (void)snprintf(office->desks[i].home, PATH_CAP, "%s/desk%d", office->service.folder, i);
        assert_int_equal(mkdir(office->desks[i].home, 0700), 0);
        configure(office, &office->desks[i], store, more);
    }
    (void)snprintf(office->file, sizeof office->file, "%s/user.json", office->service.folder);
    if (at_desk(&office->desks[0], (const char *const[]){"team", "init", NULL}) != 0)
        fail_msg("%s", office->desks[0].proc.err.s);
    return office;
}

static void office_free(struct office *office) {
    for (int i = 0; i < DESKS; i++)
        (void)proc_end(&office->desks[i].proc);
    (void)service_stop(&office->service);
    free(office);
}

static void write_person(struct office *office, const char *name) {
    struct str body;
    str_init(&body, 4096);
    str_addf(&body,
             "{\"name\":{\"first\":\"%s\",\"last\":\"O'Sample\"},\"email\":\"%s@a.example\",\"tag\":\"key-%s\","
             "\"identity_verified\":true}",
             name, name, name);
    assert_true(proc_write_file(office->file, body.s));
    str_clear(&body);
}

static int create_at(struct office *office, int desk, const char *more) {
    return at_desk(&office->desks[desk],
                   (const char *const[]){"users", "create", "--file", office->file, "--yes", more, NULL});
}

static int posts(const struct office *office) {
    return service_journal_count(&office->service, "\"POST\"", "/user");
}

static void assert_says(const struct desk *desk, const char *text) {
    if (!strstr(desk->proc.err.s, text) && !strstr(desk->proc.out.s, text))
        fail_msg("\"%s\" is not in:\n%s%s", text, desk->proc.out.s, desk->proc.err.s);
}

static void assert_sql(const char *text, const char *expected) {
    char *said = postgres_sql(&postgres, text);
    assert_non_null(said);
    said[strcspn(said, "\n")] = '\0';
    assert_string_equal(said, expected);
    free(said);
}

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
    char *dump = postgres_dump(&postgres);
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
    char *id = postgres_sql(&postgres, "SELECT substr(id, 1, 8) FROM writes");
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
    configure(office, &office->desks[0], store, " team_required = false\n");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "verify", NULL}), 0);
    assert_sql("SELECT count(*) FROM writes", "2");
    assert_sql("SELECT count(*) FROM writes WHERE late = 1", "1");
    assert_sql("SELECT count(*) FROM marks WHERE outcome = 'done'", "2");
    assert_int_equal(posts(office), 2);
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
    free(postgres_sql(&postgres, "DROP TABLE matches"));
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"team", "check", NULL}), 9);
    assert_says(&office->desks[1], "matches is not there");
    office_free(office);
}

static void the_owners_sql_is_printed_and_not_run(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    free(postgres_sql(&postgres, "DROP TABLE meta, writes, marks, matches, open_writes"));
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "init", "--print-sql", NULL}), 0);
    assert_says(&office->desks[0], "CREATE ROLE bursar_operator NOLOGIN;");
    assert_says(&office->desks[0], "GRANT INSERT ON writes TO bursar_operator;");
    assert_sql("SELECT count(*) FROM pg_tables WHERE tablename = 'writes'", "0");
    office_free(office);
}

static int start_all(void **state) {
    (void)state;
    if (postgres_missing())
        return 0;
    if (!postgres_start(&postgres))
        return -1;
    store = postgres_store(&postgres, "bursar");
    return 0;
}

static int stop_all(void **state) {
    (void)state;
    if (store)
        postgres_stop(&postgres);
    free(store);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_sent_from_one_desk_alone),
        cmocka_unit_test(an_unknown_one_is_settled_for_everybody),
        cmocka_unit_test(without_the_store_nothing_is_sent_where_it_is_required),
        cmocka_unit_test(without_the_store_it_is_sent_and_merged_where_it_may),
        cmocka_unit_test(what_is_wanting_is_checked),
        cmocka_unit_test(the_owners_sql_is_printed_and_not_run),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
