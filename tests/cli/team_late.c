/* What the team's store hears afterwards, and what it does when a program stops in the middle. */
#include "support/office.h"

#include "base/clock.h"
#include "base/mem.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int settle_at(struct office *office, int desk, const char *outcome, const char *note) {
    char *id = sql_line("SELECT substr(id, 1, 8) FROM writes ORDER BY seq LIMIT 1");
    int status = at_desk(&office->desks[desk],
                         (const char *const[]){"team", "resolve", id, "--outcome", outcome, "--note", note, NULL});
    free(id);
    return status;
}

/* As if ten minutes had passed in the store since it was recorded; and back, since its chain covers the time. */
static void move_back(bool back) {
    free(postgres_sql(&office_postgres, back ? "UPDATE writes SET stored = stored - 700000"
                                             : "UPDATE writes SET stored = stored + 700000"));
}

static void an_outcome_that_comes_behind_a_colleagues_word_is_told_all_the_same(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    struct cutter *cutter = cutter_new(&office_postgres);
    write_person(office, "ann");
    kill_at(office, cutter, "INSERT INTO marks");
    move_back(true);
    if (settle_at(office, 1, "not-sent", "the service knows nobody of that name") != 0)
        fail_msg("%s", office->desks[1].proc.err.s);
    move_back(false);
    assert_sql("SELECT count(*) FROM open_writes", "0");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "verify", NULL}), 0);
    assert_sql("SELECT string_agg(outcome, ' ' ORDER BY k) FROM marks", "not-sent done");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"team", "verify", NULL}), 0);
    assert_sql("SELECT count(*) FROM marks", "2");
    assert_int_equal(at_desk(&office->desks[1], (const char *const[]){"activity", "--team", NULL}), 0);
    assert_says(&office->desks[1], "  done  ");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"activity", "show", "1", NULL}), 0);
    assert_says(&office->desks[0], "done: ");
    assert_says(&office->desks[0], "(team)  the service knows nobody of that name");
    cutter_free(cutter);
    office_free(office);
}

static void a_word_that_was_wrong_shows_what_was_registered_twice(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    struct cutter *cutter = cutter_new(&office_postgres);
    write_person(office, "ann");
    kill_at(office, cutter, "INSERT INTO marks");
    move_back(true);
    assert_int_equal(settle_at(office, 1, "not-sent", "looked at the wrong service"), 0);
    move_back(false);
    assert_int_equal(create_at(office, 1, NULL), 0);
    assert_int_equal(posts(office), 2);
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"activity", "--team", NULL}), 0);
    assert_int_equal(text_times(office->desks[0].proc.out.s, "registered twice: also by"), 2);
    cutter_free(cutter);
    office_free(office);
}

/* Its own answer is unknown here as well: the colleague's word is the later one. */
static void that_it_is_unknown_does_not_undo_a_colleagues_word(void **state) {
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
    move_back(true);
    assert_int_equal(settle_at(office, 1, "done", "seen at the service"), 0);
    move_back(false);
    assert_int_equal(at_desk(desk, (const char *const[]){"activity", "--team", NULL}), 0);
    assert_sql("SELECT string_agg(outcome, ' ' ORDER BY k) FROM marks", "done");
    assert_int_equal(at_desk(desk, (const char *const[]){"activity", "show", "1", NULL}), 0);
    assert_says(desk, "done: ");
    assert_int_equal(text_times(desk->proc.out.s, "seen at the service"), 1);
    office_free(office);
}

static void a_word_here_reaches_the_team_at_once(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new("path=/user status=503 nth=1", "");
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 6);
    assert_sql("SELECT count(*) FROM open_writes", "1");
    if (at_desk(&office->desks[0], (const char *const[]){"activity", "resolve", "1", "--outcome", "not-sent", "--note",
                                                         "looked at the service", NULL}) != 0)
        fail_msg("%s", office->desks[0].proc.err.s);
    assert_sql("SELECT count(*) FROM open_writes", "0");
    assert_sql("SELECT outcome || ' ' || note FROM marks ORDER BY k DESC LIMIT 1", "not-sent looked at the service");
    office_free(office);
}

static void a_word_that_cannot_reach_the_team_is_said_and_told_later(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new("path=/user status=503 nth=1", "");
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 6);
    configure(office, &office->desks[0], "postgresql://bursar@/bursar?host=/nonexistent", "");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"activity", "resolve", "1", "--outcome",
                                                                      "not-sent", "--note", "looked", NULL}),
                     0);
    assert_says(&office->desks[0], "the team's store could not be told, and is told when it is there again");
    configure(office, &office->desks[0], office_store, "");
    assert_int_equal(at_desk(&office->desks[0], (const char *const[]){"activity", "--team", NULL}), 0);
    assert_sql("SELECT outcome || ' ' || note FROM marks ORDER BY k DESC LIMIT 1", "not-sent looked");
    office_free(office);
}

/* Stopped between two messages of a transaction, with a lock that others wait for. */
static void a_stopped_program_holds_nobody_up(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    struct cutter *cutter = cutter_new(&office_postgres);
    struct desk *desk = &office->desks[0];
    write_person(office, "ann");
    hold_at(office, cutter, "INSERT INTO matches");
    assert_int_equal(kill(desk->proc.pid, SIGSTOP), 0);
    if (create_at(office, 1, NULL) != 0)
        fail_msg("%s", office->desks[1].proc.err.s);
    assert_int_equal(posts(office), 1);
    assert_int_equal(kill(desk->proc.pid, SIGCONT), 0);
    assert_true(proc_wait(&desk->proc, PROC_DEADLINE));
    assert_int_equal(posts(office), 1);
    assert_sql("SELECT count(*) FROM writes", "1");
    cutter_free(cutter);
    office_free(office);
}

static size_t lines_of(const char *text) {
    return (size_t)text_times(text, "\n");
}

static void each_line_of_ndjson_is_an_object(void **state) {
    (void)state;
    skip_without_postgres();
    struct office *office = office_new(NULL, "");
    static const char *const WORDS[] = {"check", "members"};
    write_person(office, "ann");
    assert_int_equal(create_at(office, 0, NULL), 0);
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        struct desk *desk = &office->desks[0];
        assert_int_equal(at_desk(desk, (const char *const[]){"team", WORDS[i], "--format", "ndjson", NULL}), 0);
        assert_null(strpbrk(desk->proc.out.s, "[]"));
        assert_int_equal(text_times(desk->proc.out.s, "{"), lines_of(desk->proc.out.s));
        assert_int_equal(text_times(desk->proc.out.s, "}\n"), lines_of(desk->proc.out.s));
        assert_int_equal(at_desk(desk, (const char *const[]){"team", WORDS[i], "--format", "json", NULL}), 0);
        assert_int_equal(desk->proc.out.s[0], '[');
    }
    office_free(office);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_outcome_that_comes_behind_a_colleagues_word_is_told_all_the_same),
        cmocka_unit_test(a_word_that_was_wrong_shows_what_was_registered_twice),
        cmocka_unit_test(that_it_is_unknown_does_not_undo_a_colleagues_word),
        cmocka_unit_test(a_word_here_reaches_the_team_at_once),
        cmocka_unit_test(a_word_that_cannot_reach_the_team_is_said_and_told_later),
        cmocka_unit_test(a_stopped_program_holds_nobody_up),
        cmocka_unit_test(each_line_of_ndjson_is_an_object),
    };
    return cmocka_run_group_tests(tests, office_start_postgres, office_stop_postgres);
}
