/* What one of a team proposes and another releases, in a store of the test's own. */
#include "team/own.h"
#include "team/proposals.h"
#include "unit/team_desks.h"

#include "base/clock.h"
#include "base/digest.h"

#include <pthread.h>

static const char ORIGIN[] = "https://api.example.com:443", SECRET[] = "MARKER-secret-0123456789abcdefghij",
                  BODY[] =
                      "{\"url\":\"https://hook.example.com/in\",\"secret\":\"MARKER-secret-0123456789abcdefghij\"}",
                  USER_BODY[] = "{\"name\":{\"first\":\"MARKER-first\"}}";
static const struct team_proposal_scope SCOPE = {ORIGIN, "acme"};

struct name {
    char hex[TEAM_ID_HEX + 1];
};

static struct name name_new(void) {
    struct name name;
    unsigned char id[TEAM_ID_BYTES];
    team_id_new(id);
    for (size_t i = 0; i < sizeof id; i++)
        snprintf(name.hex + 2 * i, 3, "%02x", id[i]);
    return name;
}

static struct name propose_body(struct team *team, const char *operation, const char *body) {
    bool user = strcmp(operation, "user.create") == 0;
    struct name name = name_new();
    struct error error = {0};
    struct team_proposing proposing = {.origin = ORIGIN,
                                       .account = "acme",
                                       .profile = "live",
                                       .environment = "production",
                                       .operation = operation,
                                       .body = body,
                                       .body_len = strlen(body),
                                       .url = user ? NULL : "https://hook.example.com/in",
                                       .secret = user ? NULL : SECRET,
                                       .seals_body = user};
    if (team_propose(team, name.hex, &proposing, &error) != ERR_OK)
        fail_msg("%s", error.text);
    return name;
}

static struct name propose(struct team *team) {
    return propose_body(team, "webhook.register", BODY);
}

static enum err decide(struct team *team, const char *id, enum proposal_state state, const char *reason,
                       struct error *error) {
    struct team_decision decision = {.id = id, .state = state, .reason = reason};
    *error = (struct error){0};
    return team_decide(team, &SCOPE, &decision, error);
}

static enum err send_as(struct team *team, const char *proposal, const char *body, const char *record,
                        struct error *error) {
    struct team_obstacle obstacle = {0};
    struct team_write write = {.id = record,
                               .at = clock_now(),
                               .owner = "program",
                               .origin = ORIGIN,
                               .profile = "live",
                               .account = "acme",
                               .environment = "production",
                               .operation = "webhook.register",
                               .body = body,
                               .body_len = strlen(body),
                               .proposal = proposal};
    *error = (struct error){0};
    enum err err = team_begin(team, &write, &obstacle, error);
    free(obstacle.id);
    return err;
}

static enum err send_it(struct team *team, const char *proposal, struct error *error) {
    struct name record = name_new();
    return send_as(team, proposal, BODY, record.hex, error);
}

static enum proposal_state state_at(struct team *team, const char *id) {
    struct proposals found = {0};
    struct error error = {0};
    if (team_proposal_get(team, &SCOPE, id, &found, &error) != ERR_OK)
        fail_msg("%s", error.text);
    enum proposal_state state = found.items[0].state;
    proposals_clear(&found);
    return state;
}

static void assert_refused(enum err err, const struct error *error, const char *why) {
    assert_int_equal(err, ERR_INVALID);
    if (!strstr(error->text, why))
        fail_msg("\"%s\" is not in: %s", why, error->text);
}

static void age_by_a_day(void) {
    run_sql("UPDATE proposals SET stored = stored - 86460000");
}

struct office {
    struct team *anna, *ben;
};

static struct office office_open(void) {
    return (struct office){team_of("anna", "desk-1"), team_of("ben", "desk-2")};
}

static void office_close(struct office *office) {
    team_free(office->anna);
    team_free(office->ben);
}

static void nothing_is_sent_before_another_person_released_it(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct error error;
    struct name name = propose(office.anna);
    assert_refused(send_it(office.anna, name.hex, &error), &error, "waits for another person");
    assert_sql("SELECT count(*) FROM writes", "0");
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), ERR_OK);
    assert_int_equal(state_at(office.anna, name.hex), PROPOSAL_RELEASED);
    assert_int_equal(send_it(office.anna, name.hex, &error), ERR_OK);
    assert_int_equal(state_at(office.ben, name.hex), PROPOSAL_SENT);
    assert_sql("SELECT count(*) FROM writes w JOIN decisions d ON d.record = w.id WHERE d.step = 2", "1");
    office_close(&office);
}

static void whoever_released_it_may_send_it_too_and_nobody_else(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct team *cleo = team_of("cleo", "desk-3");
    struct error error;
    struct name name = propose(office.anna);
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), ERR_OK);
    assert_refused(send_it(cleo, name.hex, &error), &error, "is sent by anna, or by ben, who released it");
    assert_int_equal(send_it(office.ben, name.hex, &error), ERR_OK);
    team_free(cleo);
    office_close(&office);
}

static void the_same_person_at_another_machine_is_refused(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct team *again = team_of("Anna", "desk-9"), *as_role = team_of("bursar", "desk-8");
    struct error error;
    struct name name = propose(office.anna), other = propose(as_role);
    assert_refused(decide(office.anna, name.hex, PROPOSAL_RELEASED, NULL, &error), &error, "is your own (anna)");
    assert_refused(decide(again, name.hex, PROPOSAL_RELEASED, NULL, &error), &error, "is your own (anna)");
    /* The role's name counts: its owner is at the desk of another login. */
    assert_refused(decide(office.ben, other.hex, PROPOSAL_RELEASED, NULL, &error), &error, "is your own");
    assert_sql("SELECT count(*) FROM decisions", "0");
    team_free(again);
    team_free(as_role);
    office_close(&office);
}

struct race {
    struct team *team;
    const char *id;
    bool sends;
    enum err err;
};

static void *race_run(void *context) {
    struct race *race = context;
    struct error error;
    race->err = race->sends ? send_it(race->team, race->id, &error)
                            : decide(race->team, race->id, PROPOSAL_RELEASED, NULL, &error);
    return NULL;
}

enum { RACERS = 6 };

static int race_won(const char *id, bool sends) {
    static const char *const WHO[RACERS] = {"ben", "cleo", "dan", "eve", "finn", "gus"};
    struct race races[RACERS];
    pthread_t threads[RACERS];
    int won = 0;
    for (int i = 0; i < RACERS; i++) {
        races[i] = (struct race){team_of(sends ? "anna" : WHO[i], WHO[i]), id, sends, ERR_OK};
        assert_int_equal(pthread_create(&threads[i], NULL, race_run, &races[i]), 0);
    }
    for (int i = 0; i < RACERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        won += races[i].err == ERR_OK;
        team_free(races[i].team);
    }
    return won;
}

static void of_many_at_once_one_releases_and_one_sends(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct name name = propose(office.anna);
    assert_int_equal(race_won(name.hex, false), 1);
    assert_sql("SELECT count(*) FROM decisions WHERE kind = 'released'", "1");
    assert_int_equal(race_won(name.hex, true), 1);
    assert_sql("SELECT count(*) FROM writes", "1");
    assert_sql("SELECT count(*) FROM decisions", "2");
    office_close(&office);
}

static void what_was_withdrawn_refused_or_expired_is_not_sent(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct error error;
    struct name name = propose(office.anna);
    assert_refused(decide(office.ben, name.hex, PROPOSAL_WITHDRAWN, NULL, &error), &error, "only who proposed it");
    assert_int_equal(decide(office.anna, name.hex, PROPOSAL_WITHDRAWN, NULL, &error), ERR_OK);
    assert_refused(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), &error, "was withdrawn already by");
    name = propose(office.anna);
    assert_refused(decide(office.ben, name.hex, PROPOSAL_REFUSED, " ", &error), &error, "a reason is needed");
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_REFUSED, "wrong host", &error), ERR_OK);
    assert_refused(send_it(office.anna, name.hex, &error), &error, "was refused already by ben at desk-2: wrong host");
    name = propose(office.anna);
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), ERR_OK);
    assert_int_equal(decide(office.anna, name.hex, PROPOSAL_WITHDRAWN, NULL, &error), ERR_OK);
    assert_refused(send_it(office.anna, name.hex, &error), &error, "was withdrawn already by anna");
    name = propose(office.anna);
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), ERR_OK);
    age_by_a_day();
    assert_refused(send_it(office.anna, name.hex, &error), &error, "has expired");
    assert_refused(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), &error, "has expired");
    assert_sql("SELECT count(*) FROM writes", "0");
    office_close(&office);
}

static void another_secret_than_the_proposed_is_not_sent(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct error error;
    struct name name = propose(office.anna), record = name_new();
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), ERR_OK);
    assert_refused(send_as(office.anna, name.hex, "{\"url\":\"https://hook.example.com/in\",\"secret\":\"x\"}",
                           record.hex, &error),
                   &error, "the secret is another one than that of fingerprint ");
    assert_int_equal(state_at(office.anna, name.hex), PROPOSAL_RELEASED);
    assert_sql("SELECT count(*) FROM writes", "0");
    office_close(&office);
}

static enum err release_body(struct team *team, const char *id, const char *body, struct error *error) {
    struct team_decision decision = {.id = id, .state = PROPOSAL_RELEASED, .body = body};
    *error = (struct error){0};
    return team_decide(team, &SCOPE, &decision, error);
}

/* What is sent at once by the one who releases it is looked at before it is released. */
static void another_secret_than_the_proposed_is_not_released(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct error error;
    struct name name = propose(office.anna);
    assert_refused(
        release_body(office.ben, name.hex, "{\"url\":\"https://hook.example.com/in\",\"secret\":\"x\"}", &error),
        &error, "the secret is another one than that of fingerprint ");
    assert_int_equal(state_at(office.anna, name.hex), PROPOSAL_WAITING);
    assert_int_equal(release_body(office.ben, name.hex, BODY, &error), ERR_OK);
    office_close(&office);
}

/* A row whose sealed body is not what its digest lets through is neither shown nor released. */
static void a_body_that_its_digest_does_not_name_is_not_shown(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct proposals found = {0};
    struct error error = {0};
    struct name name = propose_body(office.anna, "user.create", USER_BODY),
                other = propose_body(office.anna, "user.create", "{\"name\":{\"first\":\"MARKER-other\"}}");
    struct str change;
    str_init(&change, 1024);
    str_addf(&change, "UPDATE proposals SET digest = (SELECT digest FROM proposals WHERE id = '%s') WHERE id = '%s'",
             other.hex, name.hex);
    run_sql(change.s);
    str_clear(&change);
    assert_int_equal(team_proposal_get(office.ben, &SCOPE, name.hex, &found, &error), ERR_OK);
    assert_null(found.items[0].body);
    proposals_clear(&found);
    assert_refused(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), &error, "is not the one");
    assert_int_equal(decide(office.ben, other.hex, PROPOSAL_RELEASED, NULL, &error), ERR_OK);
    assert_sql("SELECT count(*) FROM decisions", "1");
    office_close(&office);
}

static void another_name_at_the_same_home_is_the_same_person(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct team *renamed = team_of("zoe", "desk-1");
    struct error error;
    struct name name = propose(office.anna);
    assert_refused(decide(renamed, name.hex, PROPOSAL_RELEASED, NULL, &error), &error, "is your own (anna)");
    assert_int_equal(decide(renamed, name.hex, PROPOSAL_WITHDRAWN, NULL, &error), ERR_OK);
    team_free(renamed);
    office_close(&office);
}

static void a_reason_is_kept_without_secrets(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    static const char TOKEN[] = "tok_MARKER-0123456789abcdefghij-0123456789";
    struct secret *token = secret_new(TOKEN, strlen(TOKEN));
    struct error error;
    struct name name = propose(office.anna);
    struct str longest;
    str_init(&longest, 4096);
    for (int i = 0; i < 2001; i++)
        str_add_char(&longest, 'a');
    assert_refused(decide(office.ben, name.hex, PROPOSAL_REFUSED, longest.s, &error), &error, "is longer than");
    str_clear(&longest);
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_REFUSED, TOKEN, &error), ERR_OK);
    char *dump = postgres_dump(&desks.postgres);
    assert_null(strstr(dump, "MARKER"));
    free(dump);
    secret_free(token);
    office_close(&office);
}

/* The store goes while it takes it, and does not come back: nobody is told that it was not done. */
static void a_store_lost_within_a_release_is_not_known(void **state) {
    (void)state;
    skip_without_postgres();
    struct cutter *cutter = cutter_new(&desks.postgres);
    char *store = cutter_store(cutter, "bursar");
    struct office office = office_open();
    struct team *release = team_at(store, desks.key, "ben", "desk-2");
    struct error error;
    struct name name = propose(office.anna);
    cutter_cut(cutter, "COMMIT", CUT_FOR_GOOD);
    assert_int_equal(decide(release, name.hex, PROPOSAL_RELEASED, NULL, &error), ERR_UNKNOWN);
    if (!strstr(error.text, "it is not known whether proposal"))
        fail_msg("%s", error.text);
    assert_int_equal(state_at(office.anna, name.hex), PROPOSAL_RELEASED);
    team_free(release);
    free(store);
    cutter_free(cutter);
    office_close(&office);
}

static void the_store_away_between_release_and_sending_costs_nothing(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct error error;
    struct name name = propose(office.anna);
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), ERR_OK);
    assert_true(postgres_halt(&desks.postgres, true));
    assert_int_equal(send_it(office.anna, name.hex, &error), ERR_STORE);
    assert_true(postgres_resume(&desks.postgres));
    assert_int_equal(send_it(office.anna, name.hex, &error), ERR_OK);
    assert_refused(send_it(office.anna, name.hex, &error), &error, "was sent already by anna");
    office_close(&office);
}

/* The same record asked for once more, as after an answer that was lost, is the same one. */
static void a_lost_answer_sends_it_once(void **state) {
    (void)state;
    skip_without_postgres();
    struct cutter *cutter = cutter_new(&desks.postgres);
    char *store = cutter_store(cutter, "bursar");
    struct office office = office_open();
    struct team *cut = team_at(store, desks.key, "anna", "desk-1"),
                *release = team_at(store, desks.key, "ben", "desk-2");
    struct error error;
    struct name name = propose(office.anna);
    cutter_cut(cutter, "COMMIT", CUT_BEHIND);
    assert_int_equal(decide(release, name.hex, PROPOSAL_RELEASED, NULL, &error), ERR_OK);
    cutter_cut(cutter, "COMMIT", CUT_BEHIND);
    assert_int_equal(send_it(cut, name.hex, &error), ERR_OK);
    assert_sql("SELECT count(*) FROM writes", "1");
    assert_sql("SELECT count(*) FROM decisions", "2");
    team_free(cut);
    team_free(release);
    free(store);
    cutter_free(cutter);
    office_close(&office);
}

static void nothing_readable_stands_in_the_store(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct proposals found = {0};
    struct error error = {0};
    (void)propose(office.anna);
    struct name name = propose_body(office.anna, "user.create", USER_BODY);
    (void)propose_body(office.anna, "user.create", USER_BODY);
    char *dump = postgres_dump(&desks.postgres);
    assert_null(strstr(dump, "MARKER"));
    free(dump);
    assert_sql("SELECT count(DISTINCT sealed) FROM proposals", "2");
    assert_int_equal(team_proposal_get(office.ben, &SCOPE, name.hex, &found, &error), ERR_OK);
    assert_string_equal(found.items[0].body, USER_BODY);
    proposals_clear(&found);
    age_by_a_day();
    assert_int_equal(team_proposal_get(office.ben, &SCOPE, name.hex, &found, &error), ERR_OK);
    assert_null(found.items[0].body);
    proposals_clear(&found);
    office_close(&office);
}

static void what_a_colleague_wrote_cannot_act_on_a_terminal(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct proposals found = {0};
    struct error error = {0};
    struct name name = propose(office.anna);
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_REFUSED, "no\033]0;x\a", &error), ERR_OK);
    assert_int_equal(team_proposals(office.anna, &SCOPE, &found, &error), ERR_OK);
    assert_int_equal(found.n, 1);
    assert_string_equal(found.items[0].reason, "no<1B>]0;x<07>");
    proposals_clear(&found);
    office_close(&office);
}

static void the_record_says_who_proposed_and_who_released(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    struct outcome_records records = {0};
    struct team_list list = {.own = true, .outcome = -1};
    struct error error;
    struct name name = propose(office.anna);
    assert_int_equal(decide(office.ben, name.hex, PROPOSAL_RELEASED, NULL, &error), ERR_OK);
    assert_int_equal(send_it(office.anna, name.hex, &error), ERR_OK);
    assert_int_equal(team_list(office.ben, &list, &records, &error), ERR_OK);
    assert_int_equal(records.n, 1);
    assert_string_equal(records.items[0].released, "proposed by anna at desk-1, released by ben at desk-2");
    outcome_records_clear(&records);
    office_close(&office);
}

static void an_operators_role_cannot_change_a_decision(void **state) {
    (void)state;
    skip_without_postgres();
    struct office office = office_open();
    (void)propose(office.anna);
    for (size_t i = 0; i < TEAM_GRANTS_N; i++) {
        bool ours = strcmp(TEAM_GRANTS[i].table, "proposals") == 0 || strcmp(TEAM_GRANTS[i].table, "decisions") == 0;
        if (ours && strcmp(TEAM_GRANTS[i].right, "SELECT") != 0)
            assert_string_equal(TEAM_GRANTS[i].right, "INSERT");
    }
    office_close(&office);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DESKS(nothing_is_sent_before_another_person_released_it),
        WITH_DESKS(whoever_released_it_may_send_it_too_and_nobody_else),
        WITH_DESKS(the_same_person_at_another_machine_is_refused),
        WITH_DESKS(of_many_at_once_one_releases_and_one_sends),
        WITH_DESKS(what_was_withdrawn_refused_or_expired_is_not_sent),
        WITH_DESKS(another_secret_than_the_proposed_is_not_sent),
        WITH_DESKS(another_secret_than_the_proposed_is_not_released),
        WITH_DESKS(a_body_that_its_digest_does_not_name_is_not_shown),
        WITH_DESKS(another_name_at_the_same_home_is_the_same_person),
        WITH_DESKS(a_reason_is_kept_without_secrets),
        WITH_DESKS(a_store_lost_within_a_release_is_not_known),
        WITH_DESKS(the_store_away_between_release_and_sending_costs_nothing),
        WITH_DESKS(a_lost_answer_sends_it_once),
        WITH_DESKS(nothing_readable_stands_in_the_store),
        WITH_DESKS(what_a_colleague_wrote_cannot_act_on_a_terminal),
        WITH_DESKS(the_record_says_who_proposed_and_who_released),
        WITH_DESKS(an_operators_role_cannot_change_a_decision),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
