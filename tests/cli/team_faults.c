/* What may be wrong with a team's store, each tried with the program against a real one: what is said, and that nothing
 * is sent that should not be. tests/README.md lists which fault has which test. */
#include "support/marks.h"
#include "support/office.h"
#include "support/tls.h"

#include "base/clock.h"
#include "base/mem.h"

#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = OFFICE_PATH + 64, AT_ONCE = 30 };

/* Nothing is sent, also where the profile allows to send without the store: this one is not away. */
static void assert_refused(struct office *office, int status, const char *words) {
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), status);
    assert_says(&office->desks[0], words);
    assert_int_equal(posts(office), 0);
}

#define ALLOWED_WITHOUT " team_required = false\n"

static void tables_of_another_version_are_not_used(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, ALLOWED_WITHOUT);
    free(sql_line("UPDATE meta SET value = '1000' WHERE name = 'schema' RETURNING 1"));
    assert_refused(office, 1, "made by a newer bursar");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"activity", "--team", NULL}), 1);
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "check", NULL}), 9);
    assert_says(&office->desks[0], "update bursar here");
    free(sql_line("UPDATE meta SET value = '1' WHERE name = 'schema' RETURNING 1"));
    assert_refused(office, 1, "its owner runs what bursar team init --print-sql prints");
    office_free(office);
}

static void another_key_is_told_apart(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, ALLOWED_WITHOUT);
    char path[PATH_CAP];
    snprintf(path, sizeof path, "%s/team.key", office->service.folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"team", "init", NULL}), 2);
    assert_refused(office, 2, "get team.key from a colleague");
    office_free(office);
}

static void a_role_without_insert_sends_nothing(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, ALLOWED_WITHOUT);
    free(postgres_sql(&office_postgres, "DROP ROLE IF EXISTS rita"));
    free(postgres_sql(&office_postgres, "CREATE ROLE rita LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO rita"));
    char *address = postgres_store(&office_postgres, "rita");
    configure(office, &office->desks[0], address, ALLOWED_WITHOUT);
    assert_refused(office, 1, "this role may not do that: bursar team check names the right that is missing");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "check", NULL}), 9);
    assert_says(&office->desks[0], "this role lacks INSERT on writes");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"activity", "--team", NULL}), 0);
    free(postgres_sql(&office_postgres, "DROP OWNED BY rita; DROP ROLE rita"));
    free(address);
    office_free(office);
}

static void a_standby_is_read_and_takes_no_record(void **state) {
    (void)state;
    skip_without_postgres();
    static const char *const WAL[] = {"wal_level=replica", "max_wal_senders=4", NULL};
    struct postgres standby;
    struct office *office = office_new(NULL, ALLOWED_WITHOUT);
    write_person(office, "ben");
    assert_int_equal(create_at(office, 1, NULL), 0);
    office_postgres.more = WAL;
    assert_true(postgres_halt(&office_postgres, false));
    assert_true(postgres_resume(&office_postgres));
    assert_true(postgres_stand_by(&office_postgres, &standby));
    char *address = postgres_store(&standby, "bursar");
    struct desk *desk = &office->desks[0];
    configure(office, desk, address, ALLOWED_WITHOUT);
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 1);
    assert_says(desk, "it can only be read: it is a replica");
    assert_int_equal(posts(office), 1);
    assert_int_equal(at_desk(desk, (const char *const[]){"team", "check", NULL}), 9);
    assert_says(desk, "team_store has to name the one that takes records");
    assert_int_equal(at_desk(desk, (const char *const[]){"activity", "--team", NULL}), 0);
    assert_says(desk, "user.create");
    if (at_desk(desk, (const char *const[]){"team", "verify", NULL}) != 0)
        fail_msg("%s", desk->proc.err.s);
    office_postgres.more = NULL;
    postgres_stop(&standby);
    assert_true(postgres_halt(&office_postgres, false));
    assert_true(postgres_resume(&office_postgres));
    free(address);
    office_free(office);
}

/* ---- a pooler, and many at once ---- */

static void write_rows(const char *path, int first, int n) {
    struct str csv;
    str_init(&csv, 1 << 16);
    str_add(&csv, "name.first,name.last,email,tag,identity_verified\n");
    for (int i = first; i < first + n; i++)
        str_addf(&csv, "P%c,Sample,p%d@a.example,tag-%d,true\n", 'a' + i, i, i);
    assert_true(proc_write_file(path, csv.s));
    str_clear(&csv);
}

static void a_pooler_in_transaction_mode_may_stand_between(void **state) {
    enum { ROWS = 8, SHIFT = 2, DESKS = 4, PEOPLE = ROWS + SHIFT * (DESKS - 1), TRIES = 6 };
    (void)state;
    skip_without_postgres();
    if (bouncer_missing()) {
        print_message("skipped: %s\n", bouncer_missing());
        skip();
    }
    struct bouncer bouncer;
    struct office *office = office_of(DESKS, (const char *const[]){"--intents", "5", NULL}, "");
    assert_true(bouncer_start(&bouncer, &office_postgres));
    char *address = bouncer_store(&bouncer, "bursar"), file[PATH_CAP];
    int done = 0;
    for (int i = 0; i < DESKS; i++) {
        configure(office, &office->desks[i], address, "");
        snprintf(file, sizeof file, "%s/people.csv", office->desks[i].home);
        write_rows(file, i * SHIFT, ROWS);
        start_at(&office->desks[i], (const char *const[]){"users", "import", file, "--yes", NULL});
    }
    for (int i = 0; i < DESKS; i++)
        assert_true(proc_wait(&office->desks[i].proc, PROC_DEADLINE));
    for (int round = 0; round < TRIES && done < DESKS; round++) {
        done = 0;
        for (int i = 0; i < DESKS; i++) {
            snprintf(file, sizeof file, "%s/people.csv", office->desks[i].home);
            done += at_desk(&office->desks[i],
                            (const char *const[]){"users", "import", file, "--resume", "--yes", NULL}) == 0;
        }
    }
    if (done < DESKS)
        fail_msg("%s%s", office->desks[0].proc.out.s, office->desks[0].proc.err.s);
    assert_int_equal(posts(office), PEOPLE);
    static const char *const WORDS[] = {"verify", "check", "status", "members"};
    for (size_t i = 0; i < COUNT_OF(WORDS); i++)
        if (at_desk(&office->desks[0], (const char *const[]){"team", WORDS[i], NULL}) != 0)
            fail_msg("%s", office->desks[0].proc.err.s);
    bouncer_stop(&bouncer);
    free(address);
    office_free(office);
}

static void thirty_programs_at_once_are_answered(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_of(4, (const char *const[]){"--intents", "5", NULL}, "");
    static struct proc procs[AT_ONCE];
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 0);
    for (int i = 0; i < AT_ONCE; i++)
        start_at_home(office->desks[i % office->n].home, &procs[i],
                      i % 3 ? (const char *const[]){"activity", "--team", NULL}
                            : (const char *const[]){"team", "status", NULL});
    for (int i = 0; i < AT_ONCE; i++) {
        assert_true(proc_wait(&procs[i], PROC_DEADLINE));
        if (procs[i].status != 0 || !strstr(procs[i].out.s, i % 3 ? "user.create" : "PostgreSQL"))
            fail_msg("%d: %d: %s%s", i, procs[i].status, procs[i].out.s, procs[i].err.s);
        (void)proc_end(&procs[i]);
    }
    office_free(office);
}

/* ---- what others wrote ---- */

/* Lines of a CSV end in both. */
static bool has_lone_return(const char *text) {
    for (const char *at = text; (at = strchr(at, '\r')) != NULL; at++)
        if (at[1] != '\n')
            return true;
    return false;
}

static void assert_harmless(const struct desk *desk, const char *what) {
    static const char *const BAD[] = {"\033", "\a", "\b", "\xc2\x9b", "\xe2\x80\xae", "\x7f"};
    for (size_t i = 0; i < COUNT_OF(BAD); i++)
        if (strstr(desk->proc.out.s, BAD[i]) || strstr(desk->proc.err.s, BAD[i]))
            fail_msg("%s prints character %zu", what, i);
    if (has_lone_return(desk->proc.out.s) || has_lone_return(desk->proc.err.s))
        fail_msg("%s prints a carriage return", what);
}

static void what_colleagues_wrote_acts_on_no_terminal_and_in_no_spreadsheet(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    struct desk *desk = &office->desks[1];
    static const char *const COMMANDS[][6] = {
        {"activity", "--team", NULL},
        {"activity", "--team", "--format", "csv", NULL},
        {"activity", "--team", "--format", "json", NULL},
        {"activity", "--team", "--by", "operator", NULL},
        {"activity", "export", "--team", NULL},
        {"activity", "export", "--team", "--format", "ndjson", NULL},
        {"team", "members", NULL},
        {"team", "members", "--format", "json", NULL},
        {"team", "verify", NULL},
    };
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 0);
    free(sql_line("UPDATE writes SET who = E'=1+1\\033]0;x\\007\\u202e\\r\\u009b31m', host = E'h\\033[2J\\177\\b', "
                  "profile = E'p\\033c', operation = E'user.create\\033[1A', url = E'u\\r\\033', console = "
                  "console || E'\\033[8m' RETURNING 1"));
    free(sql_line("UPDATE marks SET note = E'n\\033[31m\\u202e', message = E'm\\r\\033', response_id = E'i\\033\\b', "
                  "who = E'w\\033' RETURNING 1"));
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        (void)at_desk(desk, COMMANDS[i]);
        assert_true(desk->status == 0 || strcmp(COMMANDS[i][1], "verify") == 0);
        assert_harmless(desk, COMMANDS[i][1]);
        assert_null(strstr(desk->proc.out.s, ",=1+1"));
    }
    (void)create_at(office, 1, NULL);
    assert_harmless(desk, "users create");
    office_free(office);
}

/* ---- nothing personal ---- */

static const char *const MARKERS[] = {"Qfirstzk", "Qlastzkv", "Qstreetzk",  "Qtownzkw",     "Qareazkw",
                                      "ZK7418QX", "qmailzk",  "1987-11-23", "420777123986", "Qtagzkwv"};

static void a_marker_of_each_personal_field_is_nowhere_in_a_dump(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new("path=/user status=503 nth=2", " user_required = {}\n");
    struct marks marks = {MARKERS, COUNT_OF(MARKERS), {NULL}};
    char table[PATH_CAP];
    snprintf(table, sizeof table, "%s/people.csv", office->desks[1].home);
    assert_true(proc_write_file(
        office->file,
        "{\"name\":{\"first\":\"Qfirstzk\",\"last\":\"Qlastzkv\"},\"address\":{\"address_line_1\":\"Qstreetzk 81\","
        "\"locality\":\"Qtownzkw\",\"administrative_area\":\"Qareazkw\",\"postal_code\":\"ZK7418QX\",\"country\":"
        "\"DE\"},\"email\":\"qmailzk@zkq.example\",\"date_of_birth\":\"1987-11-23\",\"phone_number\":\"+420777123986\","
        "\"tag\":\"Qtagzkwv\",\"identity_verified\":true}"));
    assert_true(proc_write_file(table, "first,last,address_line_1,locality,postal_code,country,email,date_of_birth,"
                                       "phone_number,tag,identity_verified\nQfirstzk,Qlastzkv,Qstreetzk 81,Qtownzkw,"
                                       "ZK7418QX,DE,qmailzk@zkq.example,1987-11-23,+420777123986,Qtagzkwv,true\n"));
    if (create_at(office, 0, NULL) != 0)
        fail_msg("%s", office->desks[0].proc.err.s);
    (void)at_desk(&office->desks[1], (const char *const[]){"users", "import", table, "--yes", "--again", NULL});
    char *dump = postgres_dump(&office_postgres);
    assert_non_null(dump);
    assert_non_null(strstr(dump, "user.create"));
    marks_none_in(&marks, "the dump", dump, strlen(dump));
    assert_null(strstr(dump, office->service.token));
    free(dump);
    office_free(office);
}

/* ---- TLS ---- */

static int free_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int port = bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
                       getsockname(fd, (struct sockaddr *)&address, &len) == 0
                   ? ntohs(address.sin_port)
                   : 0;
    (void)close(fd);
    return port;
}

/* The server's certificate, in its own folder: it reads no other's key. */
static void use_certificate(struct postgres *server, const struct certs *certs) {
    static const char *const NAMES[] = {"crt", "key"};
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        char path[PATH_CAP], name[16];
        snprintf(path, sizeof path, "%s/db.%s", certs->folder, NAMES[i]);
        snprintf(name, sizeof name, "db.%s", NAMES[i]);
        char *text = proc_read_file(path);
        assert_non_null(text);
        free(postgres_private(server, name, text));
        free(text);
    }
}

static void assert_tls(struct office *office, const struct certs *certs, int port, const char *host, bool accepted) {
    char address[PATH_CAP];
    struct desk *desk = &office->desks[0];
    snprintf(address, sizeof address,
             "postgresql://bursar@%s:%d/bursar?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=%s", host, port,
             certs->root);
    configure(office, desk, address, ALLOWED_WITHOUT);
    assert_int_equal(at_desk(desk, (const char *const[]){"team", "check", NULL}), accepted ? 0 : 9);
    assert_says(desk, accepted ? "encrypted, and the store's certificate names it" : "does not match host name");
}

static void a_certificate_of_the_right_name_alone_is_accepted(void **state) {
    (void)state;
    skip_without_postgres();
    struct certs certs;
    const struct certs_leaf leaf = {.name = "db", .san = "DNS:db.example.com", .issuer = CERTS_ROOT};
    struct office *office = office_new(NULL, "");
    char port[32], cert[PATH_CAP], key[PATH_CAP];
    assert_true(certs_new(&certs) && certs_leaf(&certs, &leaf));
    office_postgres.port = free_port();
    snprintf(port, sizeof port, "port=%d", office_postgres.port);
    snprintf(cert, sizeof cert, "ssl_cert_file=%s/db.crt", office_postgres.folder);
    snprintf(key, sizeof key, "ssl_key_file=%s/db.key", office_postgres.folder);
    const char *const more[] = {port, cert, key, "ssl=on", "listen_addresses=127.0.0.1", NULL};
    use_certificate(&office_postgres, &certs);
    assert_true(postgres_halt(&office_postgres, false));
    office_postgres.more = more;
    assert_true(postgres_resume(&office_postgres));
    assert_tls(office, &certs, office_postgres.port, "db.example.com", true);
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 0);
    assert_tls(office, &certs, office_postgres.port, "elsewhere.example.com", false);
    write_person(office, "ben");
    assert_int_equal(create_at(office, 0, NULL), 1);
    assert_int_equal(posts(office), 1);
    configure(office, &office->desks[0], "postgresql://bursar@db.example.com/bursar?sslmode=require", ALLOWED_WITHOUT);
    assert_int_equal(create_at(office, 0, NULL), 2);
    assert_says(&office->desks[0], "sslmode is weaker than verify-full, which is allowed to this machine only");
    assert_int_equal(posts(office), 1);
    assert_true(postgres_halt(&office_postgres, false));
    office_postgres.more = NULL;
    office_postgres.port = 0;
    assert_true(postgres_resume(&office_postgres));
    certs_free(&certs);
    office_free(office);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_another_version_are_not_used),
        cmocka_unit_test(another_key_is_told_apart),
        cmocka_unit_test(a_role_without_insert_sends_nothing),
        cmocka_unit_test(a_standby_is_read_and_takes_no_record),
        cmocka_unit_test(a_pooler_in_transaction_mode_may_stand_between),
        cmocka_unit_test(thirty_programs_at_once_are_answered),
        cmocka_unit_test(what_colleagues_wrote_acts_on_no_terminal_and_in_no_spreadsheet),
        cmocka_unit_test(a_marker_of_each_personal_field_is_nowhere_in_a_dump),
        cmocka_unit_test(a_certificate_of_the_right_name_alone_is_accepted),
    };
    return cmocka_run_group_tests(tests, office_start_postgres, office_stop_postgres);
}
