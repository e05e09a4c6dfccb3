/* Saved views of a team: shared at one desk and used at the other, by commands and by consoles, over a PostgreSQL. */
#include "base/mem.h"
#include "support/office.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { ANNA, BEN, ANNA_ELSEWHERE, DESKS, PATIENCE = 30, ROWS = 24, COLS = 100 };

static struct office *office;

static int open_office(void **state) {
    static const char *const WHO[DESKS] = {"anna", "ben", "anna"};
    (void)state;
    if (postgres_missing())
        return 0;
    office = office_of(DESKS, (const char *const[]){"--intents", "40", NULL}, "");
    for (int i = 0; i < DESKS; i++)
        office->desks[i].login = WHO[i];
    return 0;
}

static int close_office(void **state) {
    (void)state;
    if (office)
        office_free(office);
    office = NULL;
    return 0;
}

/* As its console keeps them. */
static void save_views(int desk, const char *text) {
    char path[OFFICE_PATH + 64];
    static const char *const FOLDERS[] = {"state", "state/bursar", "state/bursar/views"};
    for (size_t i = 0; i < COUNT_OF(FOLDERS); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", office->desks[desk].home, FOLDERS[i]);
        (void)mkdir(path, S_IRWXU);
    }
    (void)snprintf(path, sizeof path, "%s/state/bursar/views/test", office->desks[desk].home);
    assert_true(proc_write_file(path, text));
    assert_int_equal(chmod(path, S_IRUSR | S_IWUSR), 0);
}

static void expect(int desk, int status, const char *part, const char *const args[]) {
    struct desk *at = &office->desks[desk];
    int got = at_desk(at, args);
    if (got != status || (!strstr(at->proc.out.s, part) && !strstr(at->proc.err.s, part)))
        fail_msg("%s: status %d, not %d with \"%s\":\n%s\n%s", at->login, got, status, part, at->proc.out.s,
                 at->proc.err.s);
}
#define AT(desk, status, part, ...) expect(desk, status, part, (const char *const[]){__VA_ARGS__, NULL})

static void hides(int desk, const char *part) {
    assert_null(strstr(office->desks[desk].proc.out.s, part));
}

#define VIEW(name, filter) "view " name "\nfilter " filter "\nsort -created\ncolumns id,status\n"

static void what_one_shares_the_other_uses(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined") VIEW("mine", "rail:card"));
    AT(ANNA, 0, "view lost shared with the team", "views", "share", "lost");
    AT(BEN, 0, "anna/lost  by anna at ", "views", "list");
    hides(BEN, "mine");
    AT(BEN, 2, "no view is saved as \"lost\" (anna/lost?)", "intents", "list", "--all", "@lost");
    assert_int_equal(at_desk(&office->desks[BEN],
                             (const char *const[]){"intents", "list", "--all", "@anna/lost", "--format", "csv", NULL}),
                     0);
    char *by_name = mem_dup(office->desks[BEN].proc.out.s);
    assert_int_equal(at_desk(&office->desks[BEN], (const char *const[]){"intents", "list", "--all", "status:declined",
                                                                        "--format", "csv", NULL}),
                     0);
    assert_true(strlen(by_name) > 0);
    assert_string_equal(by_name, office->desks[BEN].proc.out.s);
    free(by_name);
    AT(ANNA, 0, "lost  shared  status:declined", "views", "list");
    hides(ANNA, "anna/lost");
}

static void it_is_told_as_json(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    AT(ANNA, 0,
       "[{\"name\":\"lost\",\"own\":true,\"shared\":true,\"filter\":\"status:declined\",\"sort\":\"-created\","
       "\"columns\":\"id,status\",\"changed_since\":false,\"shared_at\":\"",
       "views", "list", "--format", "json");
    AT(BEN, 0, "[{\"name\":\"anna/lost\",\"own\":false,\"shared\":true,\"filter\":\"status:declined\"", "views", "list",
       "--format", "json");
    assert_says(&office->desks[BEN], "\"who\":\"anna\",\"host\":\"");
    assert_says(&office->desks[BEN], "\"fault\":null,\"in_store\":true}]\n");
    AT(ANNA_ELSEWHERE, 0, "\"name\":\"anna/lost\"", "views", "list", "--format", "json");
}

static void shared_again_it_is_replaced_and_taken_back_it_is_gone(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    AT(BEN, 0, "status:declined", "views", "list");
    save_views(ANNA, VIEW("lost", "status:approved"));
    AT(ANNA, 0, "lost  shared, changed since", "views", "list");
    AT(BEN, 0, "status:declined", "views", "list");
    AT(ANNA, 0, "shared", "views", "share", "lost");
    AT(BEN, 0, "status:approved", "views", "list");
    hides(BEN, "status:declined");
    AT(BEN, 2, "anna shares it, and nobody else takes it back", "views", "unshare", "anna/lost");
    AT(BEN, 2, "you share no view \"lost\"", "views", "unshare", "lost");
    AT(ANNA_ELSEWHERE, 0, "no longer shared", "views", "unshare", "lost");
    AT(BEN, 0, "", "views", "list");
    hides(BEN, "lost");
    AT(ANNA, 0, "lost  status:approved", "views", "list");
    assert_sql("SELECT count(*) FROM notes WHERE kind = 'view'", "3");
}

/* Whoever's clock is wrong, and whoever was away: the order is the store's. */
static void what_the_store_took_last_holds_everywhere(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    save_views(ANNA_ELSEWHERE, VIEW("lost", "status:pending"));
    configure(office, &office->desks[ANNA], "postgresql://bursar@/bursar?host=/nonexistent", "");
    AT(ANNA, 0, "kept on this machine until the team's store takes it", "views", "share", "lost");
    AT(ANNA_ELSEWHERE, 0, "shared", "views", "share", "lost");
    AT(BEN, 0, "status:pending", "views", "list");
    configure(office, &office->desks[ANNA], office_store, "");
    save_views(ANNA, VIEW("lost", "status:declined"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    AT(ANNA, 0, "lost  shared  status:declined", "views", "list");
    AT(ANNA_ELSEWHERE, 0, "lost  shared, changed since  status:pending", "views", "list");
    AT(BEN, 0, "status:declined", "views", "list");
    hides(BEN, "status:pending");
}

static void a_copy_is_kept_as_ones_own(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    save_views(BEN, VIEW("lost", "rail:card"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    AT(BEN, 2, "a view of yours is called lost: give the copy another name", "views", "keep", "anna/lost");
    AT(BEN, 0, "view anna/lost kept as your own", "views", "keep", "anna/lost", "annas");
    AT(ANNA, 0, "no longer shared", "views", "unshare", "lost");
    AT(BEN, 0, "annas  status:declined", "views", "list");
    assert_says(&office->desks[BEN], "lost  rail:card");
}

static void nothing_of_a_view_can_be_read_in_the_store(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("MARKER-name", "user:MARKER-filter"));
    AT(ANNA, 0, "shared", "views", "share", "MARKER-name");
    AT(BEN, 0, "anna/MARKER-name", "views", "list");
    char *dump = postgres_dump(&office_postgres);
    assert_null(strstr(dump, "MARKER"));
    free(dump);
}

static void a_store_that_is_away_costs_the_latest_alone(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    AT(BEN, 0, "anna/lost", "views", "list");
    assert_true(postgres_halt(&office_postgres, true));
    AT(BEN, 8, "as this machine knows them, the team's store was not asked", "views", "list");
    assert_says(&office->desks[BEN], "anna/lost");
    AT(BEN, 2, "as this machine knows them, the team's store was not asked", "views", "keep", "anna/other");
    assert_says(&office->desks[BEN], "nobody shares a view \"anna/other\"");
    AT(BEN, 2, "as this machine knows them, the team's store was not asked", "views", "unshare", "other");
    AT(BEN, 0, "as this machine knows them, the team's store was not asked", "views", "keep", "anna/lost");
    assert_says(&office->desks[BEN], "view anna/lost kept as your own");
    AT(BEN, 0, "", "intents", "list", "--all", "@anna/lost");
    save_views(ANNA, VIEW("lost", "status:approved"));
    AT(ANNA, 0, "kept on this machine until the team's store takes it", "views", "share", "lost");
    AT(ANNA, 8, "not in the team's store yet", "views", "list");
    assert_true(postgres_resume(&office_postgres));
    AT(ANNA, 0, "lost  shared  status:approved", "views", "list");
    AT(BEN, 0, "status:approved", "views", "list");
}

/* Ben's desk uses the store as a role that has only these grants. */
static void sit_as_rita(const char *grants) {
    free(postgres_sql(&office_postgres, "CREATE ROLE rita LOGIN; GRANT USAGE ON SCHEMA public TO rita"));
    free(postgres_sql(&office_postgres, grants));
    char *store = postgres_store(&office_postgres, "rita");
    configure(office, &office->desks[BEN], store, "");
    free(store);
}

static void drop_rita(void) {
    free(postgres_sql(&office_postgres, "DROP OWNED BY rita; DROP ROLE rita"));
}

static void a_role_that_only_reads_takes_in_and_says_that_it_cannot_share(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    save_views(BEN, VIEW("cards", "rail:card"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    sit_as_rita("GRANT SELECT ON ALL TABLES IN SCHEMA public TO rita");
    AT(BEN, 0, "anna/lost", "views", "list");
    AT(BEN, 0, "kept on this machine until the team's store takes it: the team's store refused: this role may not",
       "views", "share", "cards");
    AT(BEN, 0, "not in the team's store yet", "views", "list");
    assert_sql("SELECT count(*) FROM notes", "1");
    AT(ANNA, 0, "no longer shared", "views", "unshare", "lost");
    AT(BEN, 0, "not in the team's store yet", "views", "list"); /* what it cannot send keeps it from nothing */
    hides(BEN, "anna/lost");
    hides(BEN, "status:declined");
    drop_rita();
}

static void the_token_goes_into_no_view(void **state) {
    char text[OFFICE_PATH];
    (void)state;
    skip_without_postgres();
    (void)snprintf(text, sizeof text, "view lost\nfilter user:%s\nsort \ncolumns \n", office->service.token);
    save_views(ANNA, text);
    AT(ANNA, 2, "its filter contains the profile's token", "views", "share", "lost");
    assert_sql("SELECT count(*) FROM notes", "0");
}

static void another_key_opens_nothing(void **state) {
    (void)state;
    skip_without_postgres();
    char path[OFFICE_PATH + 16], aside[OFFICE_PATH + 16];
    (void)snprintf(path, sizeof path, "%s/team.key", office->service.folder);
    (void)snprintf(aside, sizeof aside, "%s/aside.key", office->service.folder);
    save_views(ANNA, VIEW("lost", "status:declined"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    assert_int_equal(rename(path, aside), 0);
    assert_true(proc_write_file(path, "0123456789abcdef0123456789abcdef"));
    assert_int_equal(chmod(path, S_IRUSR | S_IWUSR), 0);
    AT(BEN, 8, "the team's store was not asked: ", "views", "list");
    assert_says(&office->desks[BEN], "key");
    hides(BEN, "lost");
    assert_int_equal(rename(aside, path), 0);
    AT(BEN, 0, "anna/lost", "views", "list");
}

/* By the setting, or without a team. */
static void where_views_are_not_shared_it_says_what_to_set(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    configure(office, &office->desks[BEN], office_store, " team_views = false\n");
    save_views(BEN, VIEW("cards", "rail:card"));
    AT(BEN, 0, "cards", "views", "list");
    hides(BEN, "lost");
    AT(BEN, 2, "team_views = false", "views", "share", "cards");
    configure(office, &office->desks[BEN], "", "");
    AT(BEN, 2, "the profile needs a team_store", "views", "share", "cards");
    configure(office, &office->desks[BEN], office_store, " team_notes = false\n");
    AT(BEN, 0, "anna/lost", "views", "list");
}

static void a_row_that_says_it_is_of_somebody_else_is_left_out(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    free(postgres_sql(&office_postgres, "UPDATE notes SET who = 'carla'"));
    AT(BEN, 0, "", "views", "list");
    hides(BEN, "lost");
}

static void purge_removes_them_and_they_come_back_from_the_store(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    AT(ANNA, 0, "shared", "views", "share", "lost");
    AT(BEN, 0, "anna/lost", "views", "list");
    AT(BEN, 0, "views that a team shares of 1 profile removed", "purge", "--session");
    AT(BEN, 2, "no view is saved", "intents", "list", "@anna/lost");
    AT(BEN, 0, "anna/lost", "views", "list");
}

static struct pty *open_console(int desk) {
    struct pty *pty = console_at(office, &office->desks[desk], ROWS, COLS);
    assert_true(pty_expect(pty, "end of the list seen", PATIENCE));
    return pty;
}

static void at_two_consoles_it_comes_within_seconds_and_goes_again(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(ANNA, VIEW("lost", "status:declined"));
    struct pty *anna = open_console(ANNA), *ben = open_console(BEN);
    pty_feed(ben, "v");
    assert_true(pty_expect(ben, "no view is saved yet", PATIENCE));
    pty_feed(anna, "v");
    assert_true(pty_expect(anna, "S shares, T takes back", PATIENCE));
    pty_feed(anna, "S");
    assert_true(pty_expect(anna, "view lost shared", PATIENCE));
    assert_true(pty_expect(ben, "by anna at ", PATIENCE));
    pty_feed(ben, "1");
    assert_true(pty_expect(ben, "1 Intents > anna/lost", PATIENCE));
    assert_true(pty_expect(ben, "server[status:declined]", PATIENCE));
    pty_feed(anna, "T");
    assert_true(pty_expect(anna, "no longer shared", PATIENCE));
    assert_true(pty_expect(ben, "anna/lost is shared otherwise by now, or not any more", PATIENCE));
    pty_feed(anna, "\033");
    console_leave(anna);
    console_leave(ben);
}

static void at_a_console_what_the_store_refuses_is_said(void **state) {
    (void)state;
    skip_without_postgres();
    save_views(BEN, VIEW("cards", "rail:card"));
    sit_as_rita(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO rita; REVOKE INSERT ON notes FROM "
        "rita");
    struct pty *ben = open_console(BEN);
    pty_feed(ben, "v");
    assert_true(pty_expect(ben, "S shares, T takes back", PATIENCE));
    pty_feed(ben, "S");
    assert_true(pty_expect(ben, "view cards shared", PATIENCE));
    assert_true(
        pty_expect(ben, "saved views are not exchanged with the team for now: the team's store refused", PATIENCE));
    free(postgres_sql(&office_postgres, "GRANT INSERT ON notes TO rita"));
    assert_true(pty_expect(ben, "saved views are exchanged with the team again", PATIENCE));
    assert_sql("SELECT count(*) FROM notes", "1");
    pty_feed(ben, "\033");
    console_leave(ben);
    drop_rita();
}

#define IN_OFFICE(test) cmocka_unit_test_setup_teardown(test, open_office, close_office)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_OFFICE(what_one_shares_the_other_uses),
        IN_OFFICE(it_is_told_as_json),
        IN_OFFICE(shared_again_it_is_replaced_and_taken_back_it_is_gone),
        IN_OFFICE(what_the_store_took_last_holds_everywhere),
        IN_OFFICE(a_copy_is_kept_as_ones_own),
        IN_OFFICE(nothing_of_a_view_can_be_read_in_the_store),
        IN_OFFICE(a_store_that_is_away_costs_the_latest_alone),
        IN_OFFICE(a_role_that_only_reads_takes_in_and_says_that_it_cannot_share),
        IN_OFFICE(the_token_goes_into_no_view),
        IN_OFFICE(another_key_opens_nothing),
        IN_OFFICE(where_views_are_not_shared_it_says_what_to_set),
        IN_OFFICE(a_row_that_says_it_is_of_somebody_else_is_left_out),
        IN_OFFICE(purge_removes_them_and_they_come_back_from_the_store),
        IN_OFFICE(at_two_consoles_it_comes_within_seconds_and_goes_again),
        IN_OFFICE(at_a_console_what_the_store_refuses_is_said),
    };
    return cmocka_run_group_tests(tests, office_start_postgres, office_stop_postgres);
}
