/* Four eyes at two desks of a team: what is proposed at one and released at the other, and how many requests leave. */
#include "base/clock.h"
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

enum { PATH_CAP = 4096, ANNA = 0, BEN = 1, ANNA_ELSEWHERE = 2, DESKS = 3, ID = 8 };

static const char *const WHO[DESKS] = {"anna", "ben", "anna"};
static const char URL[] = "https://hook.example.com/in", SECRET[] = "MARKER-secret-0123456789abcdefghij-0123";

static struct postgres postgres;
static char *store;

struct office {
    struct service service;
    char homes[DESKS][PATH_CAP];
    char secret[PATH_CAP], other[PATH_CAP], user[PATH_CAP];
    struct proc proc; /* of the last command */
    char id[ID + 1];  /* of the last proposal */
};

static void skip_without_postgres(void) {
    if (postgres_missing()) {
        print_message("skipped: %s\n", postgres_missing());
        skip();
    }
}

static void configure(const struct office *office, const char *home, const char *address, const char *more,
                      const char *environment) {
    char path[PATH_CAP + 16];
    struct str text;
    str_init(&text, 8192);
    str_addf(&text,
             "profile test {\n environment = %s\n read_only = false\n base_url = '%s'\n token_file = '%s'\n "
             "team_store = '%s'\n team_key_file = '%s/team.key'\n webhook_approval = 2\n users_approval = 2\n%s}\n",
             environment, office->service.url, office->service.token_file, address, office->service.folder, more);
    (void)snprintf(path, sizeof path, "%s/config", home);
    assert_true(proc_write_file(path, text.s));
    str_clear(&text);
}

/* `bursar` at a desk; its exit status. */
static int at(struct office *office, int desk, const char *const args[]) {
    char values[6][PATH_CAP + 64];
    const char *argv[24] = {0}, *home = office->homes[desk];
    char *program = proc_program("bursar");
    (void)snprintf(values[0], sizeof values[0], "HOME=%s", home);
    (void)snprintf(values[1], sizeof values[1], "BURSAR_CONFIG=%s/config", home);
    (void)snprintf(values[2], sizeof values[2], "XDG_STATE_HOME=%s/state", home);
    (void)snprintf(values[3], sizeof values[3], "XDG_CACHE_HOME=%s/cache", home);
    (void)snprintf(values[4], sizeof values[4], "LD_PRELOAD=%s/preload/login_name.so", getenv("BURSAR_OUT"));
    (void)snprintf(values[5], sizeof values[5], "LOGIN_NAME=%s", WHO[desk]);
    const char *env[] = {values[0], values[1],        values[2],
                         values[3], values[4],        values[5],
                         "TZ=UTC",  "LC_ALL=C.UTF-8", "ASAN_OPTIONS=verify_asan_link_order=0",
                         NULL};
    argv[0] = program;
    for (size_t i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    (void)proc_end(&office->proc);
    memset(&office->proc, 0, sizeof office->proc);
    int status = proc_run(&office->proc, argv, env, PROC_DEADLINE);
    free(program);
    return status;
}

static void expect(struct office *office, int desk, int status, const char *part, const char *const args[]) {
    int got = at(office, desk, args);
    const char *out = office->proc.out.s, *err = office->proc.err.s;
    if (got != status || (!strstr(out, part) && !strstr(err, part)))
        fail_msg("%s: status %d, not %d with \"%s\":\n%s\n%s", WHO[desk], got, status, part, out, err);
    assert_null(strstr(out, "MARKER-secret"));
    assert_null(strstr(err, "MARKER-secret"));
}
#define AT(desk, status, part, ...) expect(office, desk, status, part, (const char *const[]){__VA_ARGS__, NULL})

static void write_private(const char *path, const char *text) {
    assert_true(proc_write_file(path, text));
    assert_int_equal(chmod(path, S_IRUSR | S_IWUSR), 0);
}

static struct office *office_new(const char *fault) {
    struct office *office = mem_new(sizeof *office);
    const char *args[] = {"--intents", "5", fault ? "--fault" : NULL, fault, NULL};
    assert_true(service_start(&office->service, args));
    postgres_empty(&postgres);
    for (int i = 0; i < DESKS; i++) {
        (void)snprintf(office->homes[i], PATH_CAP, "%s/desk%d", office->service.folder, i);
        assert_int_equal(mkdir(office->homes[i], 0700), 0);
        configure(office, office->homes[i], store, "", "production");
    }
    (void)snprintf(office->secret, PATH_CAP, "%s/secret", office->service.folder);
    (void)snprintf(office->other, PATH_CAP, "%s/other", office->service.folder);
    (void)snprintf(office->user, PATH_CAP, "%s/user.json", office->service.folder);
    write_private(office->secret, SECRET);
    write_private(office->other, "another-secret-0123456789abcdefghij-0123");
    AT(ANNA, 0, "the team's store is set up", "team", "init");
    postgres_made(&postgres);
    return office;
}

static void office_free(struct office *office) {
    (void)proc_end(&office->proc);
    (void)service_stop(&office->service);
    free(office);
}

static int posts(const struct office *office, const char *path) {
    return service_journal_count(&office->service, "\"POST\"", path);
}

static void keep_id(struct office *office) {
    const char *at_id = strstr(office->proc.out.s, "roposed as ");
    if (!at_id)
        at_id = strstr(office->proc.err.s, "roposed as ");
    assert_non_null(at_id);
    (void)snprintf(office->id, sizeof office->id, "%s", at_id + strlen("roposed as "));
}

static void propose(struct office *office) {
    AT(ANNA, 0, "Proposed as ", "webhook", "register", "--url", URL, "--secret-file", office->secret,
       "--yes=production");
    keep_id(office);
    assert_int_equal(posts(office, "/webhook/register"), 0);
}

static void assert_sql(const char *text, const char *expected) {
    char *said = postgres_sql(&postgres, text);
    assert_non_null(said);
    said[strcspn(said, "\n")] = '\0';
    assert_string_equal(said, expected);
    free(said);
}

static void one_proposes_another_releases_and_one_request_follows(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL);
    propose(office);
    AT(BEN, 0, "waiting", "webhook", "proposals");
    AT(ANNA, 2, "It waits for another person", "webhook", "release", office->id, "--yes=production");
    AT(ANNA_ELSEWHERE, 2, "It waits for another person", "webhook", "release", office->id, "--yes=production");
    AT(BEN, 0, "Released as ", "webhook", "release", office->id, "--yes=production");
    assert_int_equal(posts(office, "/webhook/register"), 0);
    AT(ANNA, 2, "--secret-file", "webhook", "release", office->id, "--yes=production");
    AT(ANNA, 2, "the secret is another one", "webhook", "release", office->id, "--secret-file", office->other,
       "--yes=production");
    AT(ANNA, 2, "stands released, and can be sent; bursar webhook withdraw ", "webhook", "release", office->id,
       "--secret-file", office->other, "--yes=production");
    assert_int_equal(posts(office, "/webhook/register"), 0);
    AT(ANNA, 0, "Registered", "webhook", "release", office->id, "--secret-file", office->secret, "--yes=production");
    assert_int_equal(posts(office, "/webhook/register"), 1);
    AT(BEN, 2, "nothing was sent", "webhook", "release", office->id, "--secret-file", office->secret,
       "--yes=production");
    AT(ANNA, 0, "proposed by anna at ", "activity", "--team");
    AT(ANNA, 0, "released by ben at ", "activity", "--team");
    assert_int_equal(posts(office, "/webhook/register"), 1);
    char *dump = postgres_dump(&postgres);
    assert_null(strstr(dump, "MARKER"));
    free(dump);
    AT(ANNA, 0, "none is missing", "team", "verify");
    office_free(office);
}

static void with_the_secret_or_unsigned_the_release_sends_it(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL);
    propose(office);
    AT(BEN, 0, "Registered", "webhook", "release", office->id, "--secret-file", office->secret, "--yes=production");
    assert_int_equal(posts(office, "/webhook/register"), 1);
    AT(ANNA, 0, "\"outcome\":\"proposed\"", "webhook", "register", "--url", URL, "--unsigned", "--yes=production",
       "--format", "json");
    const char *id = strstr(office->proc.out.s, "\"proposal\":\"");
    assert_non_null(id);
    (void)snprintf(office->id, sizeof office->id, "%s", id + strlen("\"proposal\":\""));
    AT(BEN, 0, "switches signing OFF", "webhook", "release", office->id, "--yes=production");
    assert_int_equal(posts(office, "/webhook/register"), 2);
    office_free(office);
}

static void what_is_withdrawn_refused_or_expired_is_not_sent(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL);
    propose(office);
    AT(BEN, 2, "only who proposed it", "webhook", "withdraw", office->id);
    AT(ANNA, 0, "withdrawn", "webhook", "withdraw", office->id);
    AT(BEN, 2, "nothing was sent", "webhook", "release", office->id, "--yes=production");
    propose(office);
    AT(BEN, 2, "--reason", "webhook", "refuse", office->id);
    AT(BEN, 2, "read-only", "webhook", "refuse", office->id, "--reason", "no", "--read-only");
    AT(BEN, 2, "read-only", "webhook", "release", office->id, "--yes=production", "--read-only");
    AT(BEN, 0, "wrong host", "webhook", "refuse", office->id, "--reason", "wrong host");
    AT(ANNA, 0, "wrong host", "webhook", "proposals", "--read-only");
    propose(office);
    AT(BEN, 0, "Released as ", "webhook", "release", office->id, "--yes=production");
    free(postgres_sql(&postgres, "UPDATE proposals SET stored = stored - 86460000"));
    AT(ANNA, 2, "A day passed", "webhook", "release", office->id, "--secret-file", office->secret, "--yes=production");
    assert_int_equal(posts(office, "/webhook/register"), 0);
    office_free(office);
}

static void without_the_store_nothing_is_proposed_or_sent(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL);
    propose(office);
    AT(BEN, 0, "Released as ", "webhook", "release", office->id, "--yes=production");
    configure(office, office->homes[ANNA], "postgresql://bursar@/bursar?host=/nonexistent", " team_required = false\n",
              "production");
    AT(ANNA, 1, "cannot be reached", "webhook", "release", office->id, "--secret-file", office->secret,
       "--yes=production");
    AT(ANNA, 1, "cannot be reached", "webhook", "register", "--url", URL, "--unsigned", "--yes=production");
    assert_int_equal(posts(office, "/webhook/register"), 0);
    configure(office, office->homes[ANNA], store, "", "production");
    AT(ANNA, 0, "Registered", "webhook", "release", office->id, "--secret-file", office->secret, "--yes=production");
    assert_int_equal(posts(office, "/webhook/register"), 1);
    office_free(office);
}

static void another_secret_releases_nothing(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL);
    propose(office);
    AT(BEN, 2, "the secret is another one", "webhook", "release", office->id, "--secret-file", office->other,
       "--yes=production");
    AT(ANNA, 0, "waiting", "webhook", "proposals");
    assert_sql("SELECT count(*) FROM decisions", "0");
    assert_int_equal(posts(office, "/webhook/register"), 0);
    office_free(office);
}

/* What the store took is not said to have failed because it could not be read back. */
static void what_was_proposed_is_said_though_it_cannot_be_read_back(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL);
    struct cutter *cutter = cutter_new(&postgres);
    char *cut = cutter_store(cutter, "bursar");
    configure(office, office->homes[ANNA], cut, "", "production");
    cutter_cut(cutter, "encode(p.sealed", CUT_BEFORE);
    AT(ANNA, 6, "it could not be read back", "webhook", "register", "--url", URL, "--unsigned", "--yes=production");
    keep_id(office);
    AT(BEN, 0, office->id, "webhook", "proposals");
    cutter_cut(cutter, "COMMIT", CUT_FOR_GOOD);
    AT(ANNA, 6, "it is not known whether proposal", "webhook", "withdraw", office->id);
    AT(BEN, 0, "withdrawn", "webhook", "proposals");
    cutter_free(cutter);
    free(cut);
    office_free(office);
}

/* An outcome that is not known uses the proposal up: the repeat is proposed anew. */
static void an_unknown_one_is_not_sent_again_by_the_same_release(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new("path=/webhook/register status=503 nth=1");
    propose(office);
    AT(BEN, 6, "not known whether it was done", "webhook", "release", office->id, "--secret-file", office->secret,
       "--yes=production");
    AT(ANNA, 2, "nothing was sent", "webhook", "release", office->id, "--secret-file", office->secret,
       "--yes=production");
    assert_int_equal(posts(office, "/webhook/register"), 1);
    office_free(office);
}

static void a_user_is_reviewed_by_the_other_and_sent_once(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL);
    assert_true(console_write_person(office->user, "ann"));
    AT(ANNA, 0, "Proposed as ", "users", "create", "--file", office->user, "--yes=production");
    keep_id(office);
    assert_int_equal(posts(office, "/user"), 0);
    char *dump = postgres_dump(&postgres);
    assert_null(strstr(dump, "Sample"));
    assert_null(strstr(dump, "ann@"));
    free(dump);
    AT(BEN, 0, "a user", "users", "proposals");
    AT(ANNA, 2, "cannot be released from here", "users", "release", office->id, "--yes=production");
    AT(BEN, 0, "usr_", "users", "release", office->id, "--yes=production");
    assert_int_equal(posts(office, "/user"), 1);
    AT(BEN, 2, "nothing was sent", "users", "release", office->id, "--yes=production");
    AT(ANNA, 2, "nothing was sent", "users", "release", office->id, "--yes=production");
    assert_int_equal(posts(office, "/user"), 1);
    assert_sql("SELECT count(*) FROM decisions", "2");
    office_free(office);
}

static void it_needs_a_team_and_holds_in_production(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL);
    configure(office, office->homes[ANNA], "", "", "production");
    AT(ANNA, 9, "webhook_approval = 2 needs the store of a team", "config", "check");
    configure(office, office->homes[ANNA], store, "", "staging");
    AT(ANNA, 0, "hold in the environment production alone: in staging one person sends", "config", "check");
    office_free(office);
}

static void take_ids(struct office *office, char first[64], char second[64]) {
    AT(BEN, 0, "\"id\":\"", "intents", "list", "--all", "--format", "ndjson");
    const char *line = office->proc.out.s, *id = strstr(line, "\"id\":\""),
               *next = strstr(strchr(line, '\n'), "\"id\":\"");
    (void)snprintf(first, 64, "%.36s", id + strlen("\"id\":\""));
    (void)snprintf(second, 64, "%.36s", next + strlen("\"id\":\""));
}

/* What the one wrote while the store was away is there too, once. */
static void notes_and_tags_of_one_are_found_by_the_other(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL);
    char first[64], second[64];
    take_ids(office, first, second);
    configure(office, office->homes[ANNA], "postgresql://bursar@/bursar?host=/nonexistent", "", "production");
    AT(ANNA, 0, "", "intents", "note", first, "MARKER-note: called back");
    configure(office, office->homes[ANNA], store, "", "production");
    AT(ANNA, 0, "", "intents", "tag", first, "chargeback");
    assert_sql("SELECT count(*) FROM notes", "2");
    AT(BEN, 0, "", "intents", "tag", second, "seen");
    AT(BEN, 0, "", "intents", "tag", second, "again");
    assert_int_equal(at(office, BEN,
                        (const char *const[]){"intents", "list", "--all", "has:note", "--format", "csv", "--columns",
                                              "id,tags,notes", NULL}),
                     0);
    assert_non_null(strstr(office->proc.out.s, first));
    assert_non_null(strstr(office->proc.out.s, "called back"));
    AT(BEN, 0, first, "intents", "list", "--all", "tag:chargeback");
    AT(ANNA, 0, "", "intents", "tag", first, "third");
    AT(ANNA, 0, second, "intents", "list", "--all", "tag:again");
    assert_sql("SELECT count(*) FROM notes", "5");
    char *dump = postgres_dump(&postgres);
    assert_null(strstr(dump, "MARKER"));
    assert_null(strstr(dump, "chargeback"));
    assert_null(strstr(dump, first));
    free(dump);
    configure(office, office->homes[ANNA], store, " team_notes = false\n", "production");
    AT(ANNA, 0, "", "intents", "tag", first, "mine");
    assert_sql("SELECT count(*) FROM notes", "5");
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
        cmocka_unit_test(one_proposes_another_releases_and_one_request_follows),
        cmocka_unit_test(with_the_secret_or_unsigned_the_release_sends_it),
        cmocka_unit_test(what_is_withdrawn_refused_or_expired_is_not_sent),
        cmocka_unit_test(without_the_store_nothing_is_proposed_or_sent),
        cmocka_unit_test(another_secret_releases_nothing),
        cmocka_unit_test(what_was_proposed_is_said_though_it_cannot_be_read_back),
        cmocka_unit_test(an_unknown_one_is_not_sent_again_by_the_same_release),
        cmocka_unit_test(a_user_is_reviewed_by_the_other_and_sent_once),
        cmocka_unit_test(notes_and_tags_of_one_are_found_by_the_other),
        cmocka_unit_test(it_needs_a_team_and_holds_in_production),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
