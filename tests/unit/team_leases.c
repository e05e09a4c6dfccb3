#include "team/intents.h"
#include "team/leases.h"
#include "unit/team_desks.h"

#include <pthread.h>

enum { LONG_MS = 60000, SHORT_MS = 200, RACERS = 8 };

static const char ORIGIN[] = "https://api.example.com:443";

static int64_t scope_of(struct team *team) {
    struct error error = {0};
    if (team_use(team, false, &error) != ERR_OK)
        fail_msg("%s", error.text);
    return team_scope(team, ORIGIN, "acme");
}

static bool takes(struct team *team, const char *part, int64_t length, struct team_lease *lease) {
    struct error error = {0};
    team_lease_clear(lease);
    if (team_lease_take(team, scope_of(team), part, length, lease, &error) != ERR_OK)
        fail_msg("%s", error.text);
    return lease->mine;
}

static void drop(struct team *team, const char *part) {
    struct error error = {0};
    if (team_lease_drop(team, scope_of(team), part, &error) != ERR_OK)
        fail_msg("%s", error.text);
}

static void one_has_it_and_the_other_is_told_who(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *a = team_of("anna", "desk-1"), *b = team_of("ben", "desk-2");
    struct team_lease lease = {0};
    assert_true(takes(a, "live", LONG_MS, &lease));
    assert_true(takes(a, "live", LONG_MS, &lease)); /* renewed */
    assert_false(takes(b, "live", LONG_MS, &lease));
    assert_string_equal(lease.who, "anna");
    assert_string_equal(lease.host, "desk-1");
    assert_true(lease.left_ms > LONG_MS / 2 && lease.left_ms <= LONG_MS);
    assert_true(takes(b, "live status:approved", LONG_MS, &lease)); /* another part is another's */
    drop(b, "live");                                                /* and is not given back by who has it not */
    assert_false(takes(b, "live", LONG_MS, &lease));
    drop(a, "live");
    assert_true(takes(b, "live", LONG_MS, &lease));
    team_lease_clear(&lease);
    team_free(a);
    team_free(b);
}

static void two_programs_of_one_home_walk_apart(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *a = team_of("anna", "desk-1"), *b = team_of("anna", "desk-1");
    struct team_lease lease = {0};
    assert_true(takes(a, "live", LONG_MS, &lease));
    assert_false(takes(b, "live", LONG_MS, &lease));
    team_lease_clear(&lease);
    team_free(a);
    team_free(b);
}

/* A holder that is killed says nothing: its lease runs out by the store's clock, whatever a console's says. */
static void what_a_killed_holder_had_is_free_when_it_runs_out(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *a = team_of("anna", "desk-1"), *b = team_of("ben", "desk-2");
    struct team_lease lease = {0};
    assert_true(takes(a, "live", LONG_MS, &lease));
    team_free(a);
    assert_false(takes(b, "live", LONG_MS, &lease));
    assert_sql("SELECT COUNT(*) FROM leases WHERE ends > EXTRACT(EPOCH FROM now()) * 1000 AND "
               "ends <= EXTRACT(EPOCH FROM now()) * 1000 + 60000",
               "1");
    run_sql("UPDATE leases SET ends = EXTRACT(EPOCH FROM now()) * 1000 - 1");
    assert_true(takes(b, "live", LONG_MS, &lease));
    team_lease_clear(&lease);
    team_free(b);
}

static void one_that_is_not_renewed_runs_out(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *a = team_of("anna", "desk-1"), *b = team_of("ben", "desk-2");
    struct team_lease lease = {0};
    assert_true(takes(a, "live", SHORT_MS, &lease));
    int asked = 0;
    while (!takes(b, "live", LONG_MS, &lease) && asked < 100000)
        asked++;
    assert_true(lease.mine);
    assert_false(takes(a, "live", SHORT_MS, &lease));
    team_lease_clear(&lease);
    team_free(a);
    team_free(b);
}

struct lease_racer {
    struct team *team;
    int64_t scope;
    pthread_barrier_t *start;
    bool mine;
    enum err err;
};

static void *race_for_lease(void *context) {
    struct lease_racer *racer = context;
    struct team_lease lease = {0};
    (void)pthread_barrier_wait(racer->start);
    racer->err = team_lease_take(racer->team, racer->scope, "live", LONG_MS, &lease, NULL);
    racer->mine = lease.mine;
    team_lease_clear(&lease);
    return NULL;
}

static void of_many_at_once_one_gets_it(void **state) {
    (void)state;
    skip_without_postgres();
    struct lease_racer racers[RACERS];
    pthread_t threads[RACERS];
    pthread_barrier_t start;
    int holders = 0;
    assert_int_equal(pthread_barrier_init(&start, NULL, RACERS), 0);
    for (int i = 0; i < RACERS; i++) {
        racers[i] = (struct lease_racer){.team = team_of("anna", "desk-1"), .start = &start};
        racers[i].scope = scope_of(racers[i].team);
    }
    for (int i = 0; i < RACERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, race_for_lease, &racers[i]), 0);
    for (int i = 0; i < RACERS; i++) {
        (void)pthread_join(threads[i], NULL);
        assert_int_equal(racers[i].err, ERR_OK);
        holders += racers[i].mine;
        team_free(racers[i].team);
    }
    assert_int_equal(holders, 1);
    (void)pthread_barrier_destroy(&start);
}

static void a_part_is_no_text_in_the_store(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *a = team_of("anna", "desk-1");
    struct team_lease lease = {0};
    assert_true(takes(a, "live user:maria", LONG_MS, &lease));
    char *dump = postgres_dump(&desks.postgres);
    assert_non_null(dump);
    assert_null(strstr(dump, "maria"));
    free(dump);
    team_lease_clear(&lease);
    team_free(a);
}

static void a_hostile_name_moves_no_cursor(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *a = team_of("an\x1b[2Jna", "desk\x9b-1"), *b = team_of("ben", "desk-2");
    struct team_lease lease = {0};
    struct error error = {0};
    enum err err = team_lease_take(a, scope_of(a), "live", LONG_MS, &lease, &error);
    if (err != ERR_OK) { /* bytes that are no UTF-8 are refused by the store itself */
        team_free(a);
        a = team_of("an\x1b[2Jna", "desk-1");
        team_lease_clear(&lease);
        assert_true(takes(a, "live", LONG_MS, &lease));
    }
    assert_false(takes(b, "live", LONG_MS, &lease));
    assert_null(strchr(lease.who, '\x1b'));
    team_lease_clear(&lease);
    team_free(a);
    team_free(b);
}

static int64_t spent_of(const struct team_spent *spent) {
    int64_t n = 0;
    for (size_t i = 0; i < spent->n; i++)
        n += spent->items[i].n;
    return n;
}

static void what_all_spent_is_counted_for_an_hour(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *a = team_of("anna", "desk-1"), *b = team_of("ben", "desk-2");
    struct team_spent spent;
    struct error error = {0};
    assert_int_equal(team_spend(a, scope_of(a), 3, &spent, &error), ERR_OK);
    assert_int_equal(team_spend(b, scope_of(b), 4, &spent, &error), ERR_OK);
    assert_int_equal(spent_of(&spent), 7);
    run_sql("UPDATE spending SET minute = minute - 30");
    assert_int_equal(team_spend(a, scope_of(a), 1, &spent, &error), ERR_OK);
    assert_int_equal(spent.n, 2);
    assert_true(spent.items[0].minutes_ago >= 30 && spent.items[0].minutes_ago <= 31);
    assert_int_equal(spent.items[0].n, 7);
    run_sql("UPDATE spending SET minute = minute - 60");
    assert_int_equal(team_spend(a, scope_of(a), 0, &spent, &error), ERR_OK);
    assert_int_equal(spent.n, 0);
    assert_int_equal(team_spend(a, scope_of(a), 1, &spent, &error), ERR_OK);
    assert_sql("SELECT COUNT(*) FROM spending", "1");
    team_free(a);
    team_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DESKS(one_has_it_and_the_other_is_told_who),
        WITH_DESKS(two_programs_of_one_home_walk_apart),
        WITH_DESKS(what_a_killed_holder_had_is_free_when_it_runs_out),
        WITH_DESKS(one_that_is_not_renewed_runs_out),
        WITH_DESKS(of_many_at_once_one_gets_it),
        WITH_DESKS(a_part_is_no_text_in_the_store),
        WITH_DESKS(a_hostile_name_moves_no_cursor),
        WITH_DESKS(what_all_spent_is_counted_for_an_hour),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
