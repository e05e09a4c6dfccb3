/* Intents handed from one desk of a team to another, over a PostgreSQL of the run's own. */
#include "support/office.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ANNA, BEN, ANNA_ELSEWHERE, CARLA, ID = 37, INTENTS = 3 };
static const char *const LOGINS[] = {[ANNA] = "anna", [BEN] = "ben", [ANNA_ELSEWHERE] = "anna", [CARLA] = "carla"};

struct team_of_three {
    struct office *office;
    char ids[INTENTS][ID];
};

static void run_at(struct team_of_three *team, int desk, int status, const char *part, const char *const args[]) {
    struct desk *at = &team->office->desks[desk];
    int got = at_desk(at, args);
    if (got != status || (!strstr(at->proc.out.s, part) && !strstr(at->proc.err.s, part)))
        fail_msg("%s: status %d, not %d with \"%s\":\n%s\n%s", LOGINS[desk], got, status, part, at->proc.out.s,
                 at->proc.err.s);
}
#define AT(desk, status, part, ...) run_at(team, desk, status, part, (const char *const[]){__VA_ARGS__, NULL})

static const char *out_of(const struct team_of_three *team, int desk) {
    return team->office->desks[desk].proc.out.s;
}

static struct team_of_three *team_new(const char *more) {
    struct team_of_three *team = mem_new(sizeof *team);
    team->office = office_of(OFFICE_DESKS, (const char *const[]){"--intents", "5", NULL}, more);
    for (int i = 0; i < OFFICE_DESKS; i++)
        team->office->desks[i].login = LOGINS[i];
    AT(BEN, 0, "", "intents", "list", "--all", "--format", "ndjson");
    const char *at = out_of(team, BEN);
    for (int i = 0; i < INTENTS; i++) {
        at = strstr(at, "\"id\":\"");
        assert_non_null(at);
        (void)snprintf(team->ids[i], ID, "%s", at + strlen("\"id\":\""));
        at = strchr(at, '\n');
    }
    return team;
}

static void team_free_all(struct team_of_three *team) {
    office_free(team->office);
    free(team);
}

static void expect_ids(struct team_of_three *team, const char *filter, const char *rows) {
    AT(BEN, 0, "", "intents", "list", "--all", filter, "--format", "csv", "--columns", "id");
    assert_string_equal(out_of(team, BEN), rows);
}

static void what_one_hands_over_is_in_the_inbox_of_the_other_until_it_is_done(void **state) {
    (void)state;
    skip_without_postgres();
    struct team_of_three *team = team_new("");
    char rows[2 * ID + 16];
    AT(ANNA, 0, "Handed to ben: 2 intents, as soon as", "notes", "hand", team->ids[0], team->ids[1], team->ids[0],
       "--to", "ben", "--text", "MARKER-hand: look at it");
    AT(BEN, 0, "MARKER-hand: look at it", "notes", "inbox");
    AT(BEN, 0, "\"from\":\"anna\",\"host\":\"", "notes", "inbox", "--format", "json");
    assert_non_null(strstr(out_of(team, BEN), "\"to\":\"ben\",\"id\":\""));
    assert_non_null(strstr(out_of(team, BEN), "\"state\":\"open\",\"done_by\":null,\"done_at\":null}"));
    assert_int_equal(text_times(out_of(team, BEN), "handed_at"), 2);
    (void)snprintf(rows, sizeof rows, "id\r\n%s\r\n%s\r\n", team->ids[0], team->ids[1]);
    expect_ids(team, "handed:me", rows);
    expect_ids(team, "handed:BEN", rows);
    expect_ids(team, "has:handover", rows);
    expect_ids(team, "handed:carla", "id\r\n");
    AT(CARLA, 0, "nothing is handed to you and open", "notes", "inbox");
    assert_string_equal(out_of(team, CARLA), "");
    AT(CARLA, 2, "is not handed to you, nor by you", "notes", "done", team->ids[0]);
    AT(BEN, 2, "is not handed to you, nor by you", "notes", "done", team->ids[0], team->ids[2]); /* all or none */
    AT(BEN, 0, "done: 1 hand-over\n", "notes", "done", team->ids[0], team->ids[0]);
    AT(BEN, 2, "or it is done already", "notes", "done", team->ids[0]);
    (void)snprintf(rows, sizeof rows, "id\r\n%s\r\n", team->ids[1]);
    expect_ids(team, "handed:me", rows);
    AT(ANNA, 0, "\"state\":\"done\",\"done_by\":\"ben\"", "notes", "inbox", "--all", "--format", "ndjson");
    assert_int_equal(text_times(out_of(team, ANNA), "\n"), 2);
    AT(ANNA_ELSEWHERE, 0, "done by ben at ", "notes", "inbox", "--all");
    AT(ANNA_ELSEWHERE, 0, "done: 1 hand-over", "notes", "done", team->ids[1]); /* who handed it over takes it back */
    AT(BEN, 0, "nothing is handed to you and open", "notes", "inbox");
    AT(BEN, 0, ",taken_back,anna at ", "notes", "inbox", "--all", "--format", "csv");
    assert_true(!strncmp(out_of(team, BEN), "handed_at,from,to,id,text,state,done_by,done_at\r\n", 49));
    assert_sql("SELECT count(*) FROM notes", "4");
    char *dump = postgres_dump(&office_postgres);
    assert_null(strstr(dump, "MARKER"));
    assert_null(strstr(dump, team->ids[0]));
    assert_null(strstr(dump, team->ids[1]));
    free(dump);
    assert_int_equal(service_journal_count(&team->office->service, "MARKER", ""), 0);
    assert_int_equal(service_journal_count(&team->office->service, "\"POST\"", ""), 0);
    team_free_all(team);
}

static void a_store_that_is_away_loses_nothing(void **state) {
    (void)state;
    skip_without_postgres();
    struct team_of_three *team = team_new("");
    struct office *office = team->office;
    static const char AWAY[] = "postgresql://bursar@/bursar?host=/nonexistent";
    configure(office, &office->desks[ANNA], AWAY, "");
    AT(ANNA, 0, "colleagues see it once the team's store answers", "notes", "hand", team->ids[0], "--to", "ben");
    AT(ANNA, 8, "what this machine has was printed", "notes", "inbox", "--all");
    assert_non_null(strstr(out_of(team, ANNA), " to ben  "));
    AT(BEN, 0, "nothing is handed to you and open", "notes", "inbox");
    configure(office, &office->desks[ANNA], office_store, "");
    AT(ANNA, 0, "", "notes", "inbox");
    AT(BEN, 0, " to ben  ", "notes", "inbox");
    assert_int_equal(text_times(out_of(team, BEN), "\n"), 1);
    AT(BEN, 0, " to ben  ", "notes", "inbox"); /* once, however often it is asked */
    assert_int_equal(text_times(out_of(team, BEN), "\n"), 1);
    team_free_all(team);
}

static void what_cannot_be_handed_over_is_refused(void **state) {
    (void)state;
    skip_without_postgres();
    struct team_of_three *team = team_new("");
    struct office *office = team->office;
    AT(ANNA, 2, "--to names the colleague", "notes", "hand", team->ids[0]);
    AT(ANNA, 2, "anna is you", "notes", "hand", team->ids[0], "--to", "anna");
    AT(ANNA, 2, "me is you", "notes", "hand", team->ids[0], "--to", "me");
    AT(ANNA, 2, "a login name alone", "notes", "hand", team->ids[0], "--to", "ben at desk-2");
    AT(ANNA, 5, "interrupted: nothing was handed over", "notes", "hand", team->ids[0], "--to", "ben", "--text", "-");
    AT(ANNA, 2, "control or invisible characters", "notes", "hand", team->ids[0], "--to", "ben", "--text", "a\nb");
    AT(ANNA, 2, "no id", "notes", "hand", team->ids[0], "", "--to", "ben");
    AT(ANNA, 0, "nothing is handed", "notes", "inbox", "--all");
    configure(office, &office->desks[ANNA], office_store, " team_notes = false\n");
    AT(ANNA, 2, "set team_store and team_notes = true in profile test", "notes", "hand", team->ids[0], "--to", "ben");
    AT(ANNA, 2, "team_notes = true", "notes", "inbox");
    AT(ANNA, 2, "team_notes = true", "notes", "done", team->ids[0]);
    assert_sql("SELECT count(*) FROM notes", "0");
    team_free_all(team);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_hands_over_is_in_the_inbox_of_the_other_until_it_is_done),
        cmocka_unit_test(a_store_that_is_away_loses_nothing),
        cmocka_unit_test(what_cannot_be_handed_over_is_refused),
    };
    return cmocka_run_group_tests(tests, office_start_postgres, office_stop_postgres);
}
