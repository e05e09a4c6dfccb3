#include "team/address.h"
#include "team/own.h"
#include "team/pq.h"
#include "unit/team_desks.h"

#include "base/clock.h"

#include <pthread.h>

/* Two desks of a team. */
struct desk {
    struct team *team;
    char id[TEAM_ID_HEX + 1];
};

static struct desk desk_at(const char *store, const char *who, const char *host) {
    return (struct desk){.team = team_at(store, desks.key, who, host)};
}

static struct desk desk_of(const char *who, const char *host) {
    return desk_at(desks.store, who, host);
}

static const struct team_text MATCHES[] = {{"tag", "cust-7"}, {"email", "person@example.com"}};

static struct team_write write_of(struct desk *desk, const char *body) {
    unsigned char id[TEAM_ID_BYTES];
    team_id_new(id);
    for (size_t i = 0; i < sizeof id; i++)
        snprintf(desk->id + 2 * i, 3, "%02x", id[i]);
    return (struct team_write){.id = desk->id,
                               .at = clock_now(),
                               .owner = "program",
                               .origin = "https://api.example.com:443",
                               .profile = "live",
                               .account = "acme",
                               .environment = "production",
                               .operation = "user.create",
                               .body = body,
                               .body_len = strlen(body),
                               .matches = MATCHES,
                               .n_matches = 2,
                               .done_forbids = true};
}

static enum err begin_at(struct desk *desk, const char *body, struct error *error) {
    struct team_write write = write_of(desk, body);
    struct team_obstacle obstacle;
    *error = (struct error){0};
    enum err err = team_begin(desk->team, &write, &obstacle, error);
    free(obstacle.id);
    return err;
}

static enum err mark_as(struct desk *desk, enum outcome outcome, struct error *error) {
    struct team_mark mark = {.id = desk->id,
                             .at = clock_now(),
                             .outcome = outcome,
                             .status = 200,
                             .response_id = "usr_1",
                             .message = "fine"};
    *error = (struct error){0};
    return team_mark(desk->team, &mark, error);
}

static void a_record_is_there_before_it_may_be_sent(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1");
    struct error error;
    assert_int_equal(begin_at(&a, "{\"name\":\"A\"}", &error), ERR_OK);
    assert_sql("SELECT count(*) FROM writes", "1");
    assert_sql("SELECT count(*) FROM open_writes", "1");
    assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_OK);
    assert_sql("SELECT outcome FROM marks", "done");
    assert_sql("SELECT count(*) FROM open_writes", "0");
    team_free(a.team);
}

static void the_second_desk_is_told_by_whom_and_since_when(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    struct error error;
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    assert_int_equal(begin_at(&b, "{}", &error), ERR_INVALID);
    assert_non_null(strstr(error.text, "is being sent by anna at desk-1, 20"));
    assert_non_null(strstr(error.text, "wait until that has ended"));
    assert_int_equal(mark_as(&a, OUTCOME_UNKNOWN, &error), ERR_OK);
    assert_int_equal(begin_at(&b, "{}", &error), ERR_INVALID);
    assert_non_null(strstr(error.text, "not known whether it was done, by anna at desk-1"));
    assert_non_null(strstr(error.text, "bursar team resolve "));
    assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_OK);
    assert_int_equal(begin_at(&b, "{}", &error), ERR_INVALID);
    assert_non_null(strstr(error.text, "was registered already by anna at desk-1"));
    assert_non_null(strstr(error.text, "as usr_1"));
    assert_sql("SELECT count(*) FROM writes", "1");
    team_free(a.team);
    team_free(b.team);
}

static void refused_and_not_sent_forbid_nothing(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    struct error error;
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    assert_int_equal(mark_as(&a, OUTCOME_REFUSED, &error), ERR_OK);
    assert_int_equal(begin_at(&b, "{}", &error), ERR_OK);
    assert_int_equal(mark_as(&b, OUTCOME_NOT_SENT, &error), ERR_OK);
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    team_free(a.team);
    team_free(b.team);
}

static void a_repeat_on_purpose_takes_the_place_of_the_unknown(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    char first[TEAM_ID_HEX + 1];
    struct error error;
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    assert_int_equal(mark_as(&a, OUTCOME_UNKNOWN, &error), ERR_OK);
    memcpy(first, a.id, sizeof first);
    struct team_write write = write_of(&a, "{}");
    write.repeats = first;
    struct team_obstacle obstacle;
    assert_int_equal(team_begin(a.team, &write, &obstacle, &error), ERR_OK);
    assert_int_equal(begin_at(&b, "{}", &error), ERR_INVALID);
    assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_OK);
    assert_sql("SELECT count(*) FROM open_writes", "0");
    team_free(a.team);
    team_free(b.team);
}

/* A record of one's own that the store never had gives no right to another's. */
static void a_repeat_does_not_take_the_place_of_a_colleagues(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    struct error error;
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    assert_int_equal(mark_as(&a, OUTCOME_UNKNOWN, &error), ERR_OK);
    struct team_write write = write_of(&b, "{}");
    struct team_obstacle obstacle;
    write.repeats = "";
    assert_int_equal(team_begin(b.team, &write, &obstacle, &error), ERR_INVALID);
    assert_non_null(strstr(error.text, "by anna at desk-1"));
    free(obstacle.id);
    assert_sql("SELECT count(*) FROM open_writes", "1");
    team_free(a.team);
    team_free(b.team);
}

/* As a look that began before another's lock was taken away. */
static void behind_the_lock_one_that_is_being_sent_still_forbids(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    struct error error;
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    run_sql("DELETE FROM open_writes");
    assert_int_equal(begin_at(&b, "{}", &error), ERR_STORE);
    assert_sql("SELECT count(*) FROM writes", "1");
    assert_sql("SELECT count(*) FROM open_writes", "0");
    team_free(a.team);
    team_free(b.team);
}

struct racer {
    struct desk desk;
    enum err err;
    struct error error;
};

static void *race(void *context) {
    struct racer *racer = context;
    racer->err = begin_at(&racer->desk, "{\"same\":1}", &racer->error);
    return NULL;
}

static void of_many_at_once_one_goes(void **state) {
    enum { RACERS = 8, ROUNDS = 5 };
    (void)state;
    skip_without_postgres();
    for (int round = 0; round < ROUNDS; round++) {
        struct racer racers[RACERS];
        pthread_t threads[RACERS];
        int went = 0;
        run_sql("DELETE FROM open_writes; DELETE FROM writes; DELETE FROM marks; DELETE FROM matches");
        for (int i = 0; i < RACERS; i++) {
            static const char *const HOSTS[] = {"d1", "d2", "d3", "d4"};
            racers[i] = (struct racer){.desk = desk_of("anna", HOSTS[i % 4])};
            assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
        }
        for (int i = 0; i < RACERS; i++) {
            (void)pthread_join(threads[i], NULL);
            went += racers[i].err == ERR_OK;
            if (racers[i].err != ERR_OK && racers[i].err != ERR_INVALID)
                fail_msg("%s", racers[i].error.text);
            team_free(racers[i].desk.team);
        }
        assert_int_equal(went, 1);
        assert_sql("SELECT count(*) FROM writes", "1");
    }
}

static void a_lost_answer_to_the_commit_is_looked_up(void **state) {
    (void)state;
    skip_without_postgres();
    struct cutter *cutter = cutter_new(&desks.postgres);
    char *store = cutter_store(cutter, "bursar");
    struct desk a = desk_at(store, "anna", "desk-1");
    struct error error;
    static const enum cut CUTS[] = {CUT_BEHIND, CUT_BEFORE};
    for (size_t i = 0; i < 2; i++) {
        run_sql("DELETE FROM open_writes; DELETE FROM writes; DELETE FROM marks; DELETE FROM matches");
        assert_int_equal(team_use(a.team, false, &error), ERR_OK);
        cutter_cut(cutter, "COMMIT", CUTS[i]);
        if (begin_at(&a, "{}", &error) != ERR_OK)
            fail_msg("%s", error.text);
        assert_int_equal(cutter_cuts(cutter), 2 * i + 1);
        assert_sql("SELECT count(*) FROM writes", "1");
        assert_sql("SELECT count(*) FROM open_writes", "1");
        cutter_cut(cutter, "COMMIT", CUTS[i]);
        assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_OK);
        assert_sql("SELECT count(*) FROM marks", "1");
    }
    team_free(a.team);
    cutter_free(cutter);
    free(store);
}

static void a_store_that_is_away_is_said(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_at("postgresql://bursar@/bursar?host=/nonexistent/folder", "anna", "desk-1");
    struct error error;
    assert_int_equal(begin_at(&a, "{}", &error), ERR_STORE);
    assert_true(team_is_away(a.team));
    assert_non_null(strstr(error.text, "the team's store cannot be reached"));
    team_free(a.team);
}

/* Then nothing is sent, whatever the profile allows without the store. */
static void a_store_that_lets_nobody_in_is_not_away(void **state) {
    (void)state;
    skip_without_postgres();
    char *store = postgres_store(&desks.postgres, "nobody_known");
    struct desk a = desk_at(store, "anna", "desk-1");
    struct error error;
    assert_int_equal(begin_at(&a, "{}", &error), ERR_STORE);
    assert_false(team_is_away(a.team));
    assert_true(team_is_out_of_reach(a.team));
    assert_non_null(strstr(error.text, "is there and cannot be used"));
    team_free(a.team);
    free(store);
}

static void a_store_that_is_started_anew_is_waited_for(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1");
    struct error error;
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    assert_true(postgres_halt(&desks.postgres, true));
    assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_STORE);
    assert_true(team_is_away(a.team));
    assert_true(postgres_resume(&desks.postgres));
    assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_OK);
    assert_true(postgres_halt(&desks.postgres, false));
    assert_true(postgres_resume(&desks.postgres));
    assert_int_equal(begin_at(&a, "{\"b\":1}", &error), ERR_OK);
    assert_sql("SELECT count(*) FROM writes", "2");
    team_free(a.team);
}

static void another_key_is_refused(void **state) {
    (void)state;
    skip_without_postgres();
    struct error error = {0};
    bool made;
    struct str path;
    str_init(&path, 4096);
    str_addf(&path, "%s/other.key", desks.folder);
    assert_int_equal(team_key_make(path.s, &made, &error), ERR_OK);
    struct team_place place = {
        .store = desks.store, .key_file = path.s, .console = "desk-3", .who = "cem", .host = "desk-3"};
    struct desk c = {.team = team_new(&place)};
    assert_int_equal(begin_at(&c, "{}", &error), ERR_CONFIG);
    assert_non_null(strstr(error.text, "is not the one of the team's store"));
    team_free(c.team);
    str_clear(&path);
}

static void a_newer_store_is_not_read(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1");
    struct error error;
    run_sql("UPDATE meta SET value = '1000' WHERE name = 'schema'");
    assert_int_equal(begin_at(&a, "{}", &error), ERR_STORE);
    assert_non_null(strstr(error.text, "newer bursar"));
    assert_false(team_is_away(a.team));
    team_free(a.team);
}

/* What an operator may and another role may not. */
static size_t rights_beyond(const char *role) {
    size_t n = 0;
    for (size_t i = 0; i < TEAM_GRANTS_N; i++) {
        const struct team_right *right = &TEAM_GRANTS[i];
        bool has = strcmp(right->role, TEAM_OPERATOR) != 0;
        for (size_t k = 0; k < TEAM_GRANTS_N && !has; k++)
            has = strcmp(TEAM_GRANTS[k].role, role) == 0 && strcmp(TEAM_GRANTS[k].table, right->table) == 0 &&
                  strcmp(TEAM_GRANTS[k].right, right->right) == 0;
        n += !has;
    }
    return n;
}

static void an_operators_role_adds_and_cannot_change(void **state) {
    (void)state;
    skip_without_postgres();
    struct error error;
    run_sql("DO $$ BEGIN CREATE ROLE bursar_operator NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$");
    run_sql("DROP TABLE meta, writes, marks, matches, open_writes");
    struct desk a = desk_of("anna", "desk-1");
    struct str text;
    str_init(&text, 1 << 16);
    run_sql("DROP ROLE IF EXISTS anna; DROP ROLE IF EXISTS rita; DROP ROLE bursar_operator");
    assert_int_equal(team_print_sql(a.team, &text, &error), ERR_OK);
    run_sql(text.s);
    run_sql(
        "CREATE ROLE anna LOGIN; GRANT bursar_operator TO anna; CREATE ROLE rita LOGIN; GRANT bursar_reader TO rita");
    char *store = postgres_store(&desks.postgres, "anna"), *reads = postgres_store(&desks.postgres, "rita");
    struct desk op = desk_at(store, "anna", "desk-1"), rd = desk_at(reads, "rita", "desk-9");
    if (begin_at(&op, "{}", &error) != ERR_OK)
        fail_msg("%s", error.text);
    assert_int_equal(mark_as(&op, OUTCOME_DONE, &error), ERR_OK);
    assert_int_equal(begin_at(&rd, "{\"c\":1}", &error), ERR_STORE);
    assert_non_null(strstr(error.text, "this role may not do that"));
    static const char *const CHANGES[] = {"UPDATE writes SET who = 'x'", "DELETE FROM writes",
                                          "UPDATE marks SET who = 'x'", "DELETE FROM marks", "DELETE FROM matches"};
    for (size_t i = 0; i < COUNT_OF(CHANGES); i++) {
        struct str as;
        str_init(&as, 256);
        str_addf(&as, "SET ROLE anna; %s", CHANGES[i]);
        char *said = postgres_sql(&desks.postgres, as.s);
        assert_null(said);
        str_clear(&as);
    }
    struct team_findings findings = {0};
    team_check(op.team, clock_now(), &findings);
    for (size_t i = 0; i < findings.n; i++)
        if (findings.items[i].verdict != TEAM_GOOD)
            fail_msg("%s: %s", findings.items[i].name, findings.items[i].text);
    team_findings_clear(&findings);
    team_check(rd.team, clock_now() + 86400000, &findings);
    size_t bad = 0, notices = 0;
    for (size_t i = 0; i < findings.n; i++) {
        bad += findings.items[i].verdict == TEAM_BAD;
        notices += findings.items[i].verdict == TEAM_NOTICE && strstr(findings.items[i].text, "ahead of the store");
    }
    assert_int_equal(bad, rights_beyond("bursar_reader"));
    assert_int_equal(notices, 1); /* the clock */
    team_findings_clear(&findings);
    team_free(a.team);
    team_free(op.team);
    team_free(rd.team);
    str_clear(&text);
    free(store);
    free(reads);
    run_sql(
        "DROP OWNED BY anna, rita, bursar_operator, bursar_reader, bursar_auditor, bursar_owner; DROP ROLE anna, rita, "
        "bursar_operator, bursar_reader, bursar_auditor, bursar_owner");
}

static void a_replica_is_refused_in_words(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1");
    struct error error;
    run_sql("ALTER ROLE bursar SET default_transaction_read_only = on");
    assert_int_equal(begin_at(&a, "{}", &error), ERR_STORE);
    assert_non_null(strstr(error.text, "can only be read"));
    run_sql("ALTER ROLE bursar RESET default_transaction_read_only");
    team_free(a.team);
}

static void nothing_personal_stands_in_the_store(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1");
    struct error error;
    assert_int_equal(begin_at(&a, "{\"name\":\"Quastelmeyer\",\"email\":\"person@example.com\"}", &error), ERR_OK);
    char *dump = postgres_dump(&desks.postgres);
    assert_non_null(dump);
    assert_null(strstr(dump, "Quastelmeyer"));
    assert_null(strstr(dump, "person@example.com"));
    assert_null(strstr(dump, "cust-7"));
    assert_non_null(strstr(dump, a.id));
    free(dump);
    team_free(a.team);
}

static void a_colleagues_record_is_found_by_body_and_by_text(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    struct error error;
    struct outcome_records found = {0};
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_OK);
    struct team_write write = write_of(&b, "{}");
    assert_int_equal(team_look(b.team, &write, &found, &error), ERR_OK);
    assert_int_equal(found.n, 3);
    assert_null(found.items[0].match);
    assert_string_equal(found.items[1].match, "tag");
    assert_string_equal(found.items[0].who, "anna");
    assert_string_equal(found.items[0].host, "desk-1");
    assert_string_equal(found.items[0].last.response_id, "usr_1");
    outcome_records_clear(&found);
    write = write_of(&a, "{}");
    assert_int_equal(team_look(a.team, &write, &found, &error), ERR_OK);
    assert_int_equal(found.n, 0);
    outcome_records_clear(&found);
    team_free(a.team);
    team_free(b.team);
}

static void what_others_wrote_cannot_act_on_a_terminal(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("an\033[31mna", "desk\r\n1"), b = desk_of("ben", "desk-2");
    struct error error;
    struct outcome_records found = {0};
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    assert_int_equal(begin_at(&b, "{}", &error), ERR_INVALID);
    assert_null(strpbrk(error.text, "\033\r\n"));
    assert_int_equal(team_list(b.team, &(struct team_list){.outcome = -1}, &found, &error), ERR_OK);
    assert_int_equal(found.n, 1);
    assert_string_equal(found.items[0].who, "an<1B>[31mna");
    outcome_records_clear(&found);
    team_free(a.team);
    team_free(b.team);
}

static void a_record_of_afterwards_is_merged_once_and_twice_is_said(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    struct error error = {0};
    struct outcome_records found = {0};
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_OK);
    struct team_write late = write_of(&b, "{}");
    late.at -= 3600000;
    struct outcome_event events[] = {
        {.at = late.at, .outcome = OUTCOME_SENDING},
        {.at = late.at + 5, .outcome = OUTCOME_DONE, .status = 201, .response_id = "usr_2"}};
    struct team_marks marks = {events, 2};
    struct str prints;
    str_init(&prints, 4096);
    assert_int_equal(team_prints(b.team, &late, &prints, &error), ERR_OK);
    late.body = NULL;
    late.n_matches = 0;
    assert_int_equal(team_merge(b.team, &late, prints.s, &marks, &error), ERR_OK);
    assert_int_equal(team_merge(b.team, &late, prints.s, &marks, &error), ERR_OK);
    assert_int_equal(team_merge(b.team, &late, "no digests", &marks, NULL), ERR_FILE);
    str_clear(&prints);
    assert_sql("SELECT count(*) FROM writes", "2");
    assert_sql("SELECT count(*) FROM marks", "2");
    assert_sql("SELECT count(*) FROM open_writes", "0");
    assert_int_equal(team_list(b.team, &(struct team_list){.outcome = -1, .own = true}, &found, &error), ERR_OK);
    assert_int_equal(found.n, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(found.items[i].twice);
        assert_non_null(strstr(found.items[i].twice, found.items[i].late ? "anna at desk-1" : "ben at desk-2"));
        if (found.items[i].late)
            assert_int_equal(found.items[i].at, late.at);
    }
    outcome_records_clear(&found);
    team_free(a.team);
    team_free(b.team);
}

static void assert_fault(struct desk *desk, const char *text) {
    struct team_health health;
    struct error error = {0};
    assert_int_equal(team_verify(desk->team, &health, &error), ERR_CHECK_FAILED);
    if (!strstr(health.faults.s, text))
        fail_msg("%s", health.faults.s);
    team_health_clear(&health);
}

static void a_removed_or_altered_record_is_found(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1");
    struct team_health health;
    struct error error;
    static const char *const BODIES[] = {"1", "2", "3", "4"};
    for (size_t i = 0; i < COUNT_OF(BODIES); i++) {
        assert_int_equal(begin_at(&a, BODIES[i], &error), ERR_OK);
        assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_OK);
    }
    if (team_verify(a.team, &health, &error) != ERR_OK)
        fail_msg("%s", health.faults.s);
    assert_int_equal(health.entries, 8);
    assert_int_equal(health.consoles, 1);
    team_health_clear(&health);
    run_sql("UPDATE marks SET outcome = 'refused' WHERE seq = 4");
    assert_fault(&a, "entry 4 ");
    run_sql("UPDATE marks SET outcome = 'done' WHERE seq = 4");
    run_sql("UPDATE writes SET who = 'ben' WHERE seq = 3");
    assert_fault(&a, "entry 3 ");
    run_sql("DELETE FROM writes WHERE seq = 3");
    assert_fault(&a, "entry 3 was removed");
    team_free(a.team);
}

static void a_clock_that_is_a_day_ahead_misleads_nobody(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    struct error error;
    struct outcome_records found = {0};
    struct team_write write = write_of(&a, "{}");
    write.at += 86400000;
    error_clear(&error);
    struct team_obstacle obstacle;
    assert_int_equal(team_begin(a.team, &write, &obstacle, &error), ERR_OK);
    assert_int_equal(team_list(b.team, &(struct team_list){.outcome = -1}, &found, &error), ERR_OK);
    assert_int_equal(found.n, 1);
    assert_true(found.items[0].at < clock_now() + 60000);
    outcome_records_clear(&found);
    team_free(a.team);
    team_free(b.team);
}

static void that_it_is_unknown_is_no_news_behind_a_word(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    struct error error = {0};
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    run_sql("UPDATE writes SET stored = stored - 700000");
    struct team_mark word = {
        .id = a.id, .at = clock_now(), .outcome = OUTCOME_NOT_SENT, .who = "ben", .note = "looked"};
    assert_int_equal(team_settle(b.team, &word, &error), ERR_OK);
    assert_int_equal(mark_as(&a, OUTCOME_UNKNOWN, &error), ERR_OK);
    assert_sql("SELECT string_agg(outcome, ' ' ORDER BY k) FROM marks", "not-sent");
    assert_int_equal(mark_as(&a, OUTCOME_DONE, &error), ERR_OK);
    assert_sql("SELECT string_agg(outcome, ' ' ORDER BY k) FROM marks", "not-sent done");
    team_free(a.team);
    team_free(b.team);
}

static void a_list_of_one_outcome_ends_somewhere_and_says_where(void **state) {
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1"), b = desk_of("ben", "desk-2");
    struct error error;
    struct outcome_records found = {0};
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    assert_int_equal(mark_as(&a, OUTCOME_UNKNOWN, &error), ERR_OK);
    run_sql("INSERT INTO writes SELECT md5(g::text), 'other', g, '', 1, w.stored + g, 0, w.who, w.host, profile, "
            "environment, origin, account, operation, 'd' || g, NULL, NULL, 0, NULL, NULL, NULL, '' FROM writes w, "
            "generate_series(1, 2500) g");
    struct team_list list = {.outcome = OUTCOME_UNKNOWN, .limit = 5, .look_max = 2000};
    assert_int_equal(team_list(b.team, &list, &found, &error), ERR_OK);
    assert_int_equal(found.n, 0);
    char *back = sql("SELECT min(stored) + 501 - 1 FROM writes WHERE console = 'other'");
    assert_int_equal(found.back_to, strtoll(back, NULL, 10));
    free(back);
    list.look_max = 0;
    assert_int_equal(team_list(b.team, &list, &found, &error), ERR_OK);
    assert_int_equal(found.n, 1);
    outcome_records_clear(&found);
    team_free(a.team);
    team_free(b.team);
}

/* More than one question holds. */
static void which_records_are_there_is_asked_in_portions(void **state) {
    enum { IDS = 2300 };
    (void)state;
    skip_without_postgres();
    struct desk a = desk_of("anna", "desk-1");
    struct error error;
    static char texts[IDS][TEAM_ID_HEX + 1];
    static const char *ids[IDS];
    static bool there[IDS];
    for (int i = 0; i < IDS; i++) {
        snprintf(texts[i], sizeof texts[i], "%064x", i);
        ids[i] = texts[i];
        there[i] = true;
    }
    assert_int_equal(begin_at(&a, "{}", &error), ERR_OK);
    ids[1700] = a.id;
    assert_int_equal(team_are_there(a.team, ids, IDS, there, &error), ERR_OK);
    for (int i = 0; i < IDS; i++)
        assert_int_equal(there[i], i == 1700);
    team_free(a.team);
}

static bool has_word(const struct address *address, const char *word, const char *value) {
    for (size_t i = 0; address->words[i]; i++)
        if (strcmp(address->words[i], word) == 0)
            return strcmp(address->values[i], value) == 0;
    return false;
}

static void only_this_machine_is_reached_without_tls(void **state) {
    (void)state;
    static const struct {
        const char *store, *variable;
        bool plain;
        enum err err;
    } CASES[] = {{"postgresql://127.0.0.1/bursar", NULL, true, ERR_OK},
                 {"postgresql:///bursar?host=/run/postgresql", NULL, true, ERR_OK},
                 {"postgresql://localhost/bursar?sslmode=disable", NULL, true, ERR_OK},
                 {"postgresql://localhost/bursar", "PGHOSTADDR", false, ERR_OK},
                 {"postgresql://localhost/bursar?sslmode=disable", "PGHOSTADDR", false, ERR_CONFIG},
                 {"postgresql://localhost/bursar?hostaddr=192.0.2.1", NULL, false, ERR_OK},
                 {"postgresql://localhost/bursar?hostaddr=192.0.2.1&sslmode=prefer", NULL, false, ERR_CONFIG},
                 {"postgresql://db.example.com/bursar", NULL, false, ERR_OK},
                 {"postgresql://db.example.com/bursar?sslmode=verify-ca", NULL, false, ERR_CONFIG},
                 {"service=team", NULL, false, ERR_OK},
                 {"service=team host=localhost sslmode=disable", NULL, false, ERR_CONFIG},
                 {"postgresql://anna:hush@db.example.com/bursar", NULL, false, ERR_CONFIG}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct address address;
        struct error error = {0};
        if (CASES[i].variable)
            assert_int_equal(setenv(CASES[i].variable, "192.0.2.1", 1), 0);
        assert_int_equal(pq_load(&error), ERR_OK);
        assert_int_equal(address_make(CASES[i].store, NULL, &address, &error), CASES[i].err);
        if (CASES[i].err == ERR_OK)
            assert_int_equal(has_word(&address, "sslmode", "verify-full"), !CASES[i].plain);
        assert_null(strstr(error.text, "hush"));
        (void)unsetenv("PGHOSTADDR");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_this_machine_is_reached_without_tls),
        WITH_DESKS(a_record_is_there_before_it_may_be_sent),
        WITH_DESKS(the_second_desk_is_told_by_whom_and_since_when),
        WITH_DESKS(refused_and_not_sent_forbid_nothing),
        WITH_DESKS(a_repeat_on_purpose_takes_the_place_of_the_unknown),
        WITH_DESKS(a_repeat_does_not_take_the_place_of_a_colleagues),
        WITH_DESKS(behind_the_lock_one_that_is_being_sent_still_forbids),
        WITH_DESKS(a_store_that_lets_nobody_in_is_not_away),
        WITH_DESKS(of_many_at_once_one_goes),
        WITH_DESKS(a_lost_answer_to_the_commit_is_looked_up),
        WITH_DESKS(a_store_that_is_away_is_said),
        WITH_DESKS(a_store_that_is_started_anew_is_waited_for),
        WITH_DESKS(another_key_is_refused),
        WITH_DESKS(a_newer_store_is_not_read),
        WITH_DESKS(an_operators_role_adds_and_cannot_change),
        WITH_DESKS(a_replica_is_refused_in_words),
        WITH_DESKS(nothing_personal_stands_in_the_store),
        WITH_DESKS(a_colleagues_record_is_found_by_body_and_by_text),
        WITH_DESKS(what_others_wrote_cannot_act_on_a_terminal),
        WITH_DESKS(a_record_of_afterwards_is_merged_once_and_twice_is_said),
        WITH_DESKS(a_removed_or_altered_record_is_found),
        WITH_DESKS(a_clock_that_is_a_day_ahead_misleads_nobody),
        WITH_DESKS(that_it_is_unknown_is_no_news_behind_a_word),
        WITH_DESKS(a_list_of_one_outcome_ends_somewhere_and_says_where),
        WITH_DESKS(which_records_are_there_is_asked_in_portions),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
