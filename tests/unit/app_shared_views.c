/* Views that a team shares: whose is whose, which row of a name holds, and what is made of foreign text. */
#include "app/shared_views.h"
#include "base/mem.h"
#include "base/secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_CAP = 1 << 20 };

static struct profile *profile;

static int make_profile(void **state) {
    struct error error = {0};
    (void)state;
    assert_int_equal(secret_init(&error), ERR_OK);
    profile = profile_new("acme", "sandbox", "https://api.example.com");
    free(profile->team_store);
    profile->team_store = mem_dup("postgresql:///bursar");
    return 0;
}

static int free_profile(void **state) {
    (void)state;
    profile_free(profile);
    return 0;
}

static void take(struct shared_views *views, int64_t change, const char *id, const char *text) {
    struct shared_view row;
    assert_true(shared_view_read(text, strlen(text), profile, &row));
    free(row.id);
    row.id = mem_dup(id);
    row.change = change;
    row.at = change * 1000;
    shared_views_take(views, &row);
}

static void begin(struct shared_views *views) {
    shared_views_parse("", profile, views);
}

static const char *filter_of(const struct shared_views *views, const char *label) {
    const struct shared_view *view = shared_views_find(views, label);
    return view ? view->view.filter : "none";
}

#define ROW(sign, nonce, who, name, lines) sign "\t" nonce "\t" who "\tdesk-1\t" name "\n" lines

/* Each order of arrival, at each machine. */
static void the_last_row_in_the_order_of_the_store_holds(void **state) {
    static const struct {
        int64_t change;
        const char *id, *text;
    } ROWS[] = {{4, "b", ROW("+", "n1", "anna", "lost", "filter bank:one\n")},
                {9, "a", ROW("+", "n2", "anna", "lost", "filter bank:two\n")},
                {9, "c", ROW("+", "n3", "anna", "lost", "filter bank:three\n")},
                {5, "d", ROW("-", "n4", "anna", "lost", "")}};
    static const int ORDERS[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ORDERS); i++) {
        struct shared_views views;
        begin(&views);
        for (int k = 0; k < 4; k++)
            take(&views, ROWS[ORDERS[i][k]].change, ROWS[ORDERS[i][k]].id, ROWS[ORDERS[i][k]].text);
        assert_int_equal(shared_views_count(&views), 1);
        assert_string_equal(filter_of(&views, "anna/lost"), "bank:three");
        shared_views_clear(&views);
    }
}

static void one_that_was_taken_back_is_not_there(void **state) {
    struct shared_views views;
    (void)state;
    begin(&views);
    take(&views, 1, "a", ROW("+", "n1", "anna", "lost", "filter bank:one\n"));
    take(&views, 2, "b", ROW("-", "n2", "anna", "lost", ""));
    take(&views, 3, "c", ROW("+", "n3", "ben", "lost", "filter bank:ben\n"));
    assert_null(shared_views_find(&views, "anna/lost"));
    assert_int_equal(shared_views_count(&views), 1);
    assert_string_equal(filter_of(&views, "ben/lost"), "bank:ben");
    shared_views_clear(&views);
}

/* A colleague's word about anna's view is about one of the colleague's own. */
static void nobody_takes_back_what_another_shares(void **state) {
    const struct shared_by ben = {"ben", "desk-2", "n9", 5};
    struct shared_views views;
    struct error error = {0};
    (void)state;
    begin(&views);
    take(&views, 1, "a", ROW("+", "n1", "anna", "lost", "filter bank:one\n"));
    take(&views, 2, "b", ROW("-", "n2", "ben", "lost", ""));
    assert_string_equal(filter_of(&views, "anna/lost"), "bank:one");
    assert_int_equal(shared_views_unshare(&views, "anna/lost", profile, &ben, &error), ERR_INVALID);
    assert_string_equal(error.text, "anna shares it, and nobody else takes it back");
    error = (struct error){0};
    assert_int_equal(shared_views_unshare(&views, "lost", profile, &ben, &error), ERR_INVALID);
    assert_string_equal(error.text, "you share no view \"lost\"");
    shared_views_clear(&views);
}

static void own_views(struct saved_views *own, const char *text, const struct shared_views *shared) {
    saved_views_parse(text, own);
    own->shared = shared;
}

static void parse_fails(const struct saved_views *own, const char *text, const char *fault) {
    struct query_options options = {.views = saved_views_named(own)};
    struct query *query = NULL;
    struct error error = {0};
    assert_int_equal(query_parse(text, &options, &query, NULL, &error), ERR_USAGE);
    assert_non_null(strstr(error.text, fault));
}

static void parses_as(const struct saved_views *own, const char *text, const char *printed) {
    struct query_options options = {.views = saved_views_named(own)};
    struct query *query = NULL;
    struct error error = {0};
    struct str out;
    if (query_parse(text, &options, &query, NULL, &error) != ERR_OK)
        fail_msg("%s", error.text);
    str_init(&out, QUERY_TEXT_MAX);
    query_print(query, &out);
    assert_string_equal(out.s, printed);
    str_clear(&out);
    query_free(query);
}

static void a_name_alone_is_never_a_colleagues(void **state) {
    struct shared_views views;
    struct saved_views own;
    (void)state;
    begin(&views);
    take(&views, 1, "a", ROW("+", "n1", "anna", "lost", "filter bank:anna\n"));
    own_views(&own, "view lost\nfilter bank:mine\n", &views);
    parses_as(&own, "@lost", "bank:mine");
    parses_as(&own, "@anna/lost", "bank:anna");
    saved_views_clear(&own);
    own_views(&own, "", &views);
    parse_fails(&own, "@lost", "no view is saved as \"lost\" (anna/lost?)");
    saved_views_clear(&own);
    shared_views_clear(&views);
}

static const char *fault_of(struct shared_views *views, const char *lines) {
    struct str text;
    str_init(&text, TEXT_CAP);
    str_addf(&text, ROW("+", "n1", "anna", "odd", "%s"), lines);
    begin(views);
    take(views, 1, "a", text.s);
    str_clear(&text);
    const struct shared_view *view = shared_views_find(views, "anna/odd");
    assert_non_null(view);
    return view->fault ? view->fault : "";
}

static void what_is_not_understood_is_said_and_cannot_be_used(void **state) {
    static const struct {
        const char *lines, *fault;
    } ODD[] = {{"filter nonsense:1\n", "no field is called \"nonsense\""},
               {"filter bank:one\nsort nonsense\n", "no field to sort by is called \"nonsense\""},
               {"filter bank:one\nsort amount,created,status\n", "sorted by more than 2"},
               {"filter bank:one\ncolumns id,nonsense\n", "nonsense"},
               {"filter bank:one\ngroup bank\n", "holds what this program does not know"},
               {"filter @big\n", "no view is saved as \"big\""},
               {"filter id:@/etc/passwd\n", "a list of ids, which is on one machine alone"},
               {"unit major\nfilter amount>=5\n", "amount_unit = major, and this one has raw"},
               {"filter amount>=5\n", "amount_unit = ?"},
               {"filter user:\x1b[31m\n", "does not know"},
               {"filter user:\xe2\x80\xae\n", "does not know"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ODD); i++) {
        struct shared_views views;
        struct saved_views own;
        const char *fault = fault_of(&views, ODD[i].lines);
        if (!strstr(fault, ODD[i].fault))
            fail_msg("%s: \"%s\"", ODD[i].lines, fault);
        own_views(&own, "view big\nfilter bank:mine\n", &views);
        parse_fails(&own, "@anna/odd", "view anna/odd cannot be used here");
        saved_views_clear(&own);
        shared_views_clear(&views);
    }
}

static void what_is_understood_has_no_fault(void **state) {
    static const char *const GOOD[] = {"filter \nsort \ncolumns \n", "unit major\nfilter bank:one\n",
                                       "unit raw\nfilter amount>=5\nsort -amount\ncolumns id,user:20\n", ""};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(GOOD); i++) {
        struct shared_views views;
        assert_string_equal(fault_of(&views, GOOD[i]), "");
        shared_views_clear(&views);
    }
}

static void what_is_no_row_is_left_out(void **state) {
    static const char *const BAD[] = {"",
                                      "+\tn\tanna\tdesk\tlost",
                                      "+\tn\tanna\tdesk\n",
                                      "+\tn\tanna\tdesk\tlo st\nfilter a\n",
                                      "+\tn\tanna\tdesk\t../x\nfilter a\n",
                                      "+\tn\tan\x1bna\tdesk\tlost\nfilter a\n",
                                      "+\tn\t\tdesk\tlost\nfilter a\n",
                                      "?\tn\tanna\tdesk\tlost\nfilter a\n",
                                      "+\tn\tanna\tdesk\tlost\tmore\nfilter a\n"};
    struct shared_view row;
    struct str long_text;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(BAD); i++)
        assert_false(shared_view_read(BAD[i], strlen(BAD[i]), profile, &row));
    assert_false(shared_view_read("+\tn\tanna\tdesk\tlost\nfi\0er\n", 26, profile, &row));
    str_init(&long_text, TEXT_CAP);
    str_add(&long_text, "+\tn\tanna\tdesk\tlost\nfilter ");
    str_add_repeat(&long_text, 'x', SHARED_ROW_MAX);
    str_add(&long_text, "\n");
    assert_false(shared_view_read(long_text.s, long_text.len, profile, &row));
    str_clear(&long_text);
}

static void what_was_shared_waits_until_the_store_has_it(void **state) {
    const struct shared_by anna = {"anna", "desk-1", "n1", 5}, again = {"anna", "desk-1", "n2", 6};
    struct shared_views views;
    struct saved_views own;
    struct str row;
    struct error error = {0};
    (void)state;
    begin(&views);
    own_views(&own, "view lost\nfilter @big rail:card\nview big\nfilter amount>=5\nsort -amount\n", &views);
    assert_int_equal(shared_views_share(&views, &own, "lost", profile, &anna, &error), ERR_OK);
    const struct shared_view *shared = shared_views_find(&views, "anna/lost");
    assert_true(shared_view_waits(shared));
    assert_string_equal(shared->view.filter, "amount>=5 rail:card");
    str_init(&row, SHARED_ROW_MAX);
    shared_view_print(shared, &row);
    assert_string_equal(row.s, "+\tn1\tanna\tdesk-1\tlost\nunit raw\nfilter amount>=5 rail:card\nsort \ncolumns \n");
    assert_int_equal(shared_views_share(&views, &own, "lost", profile, &again, &error), ERR_OK);
    assert_string_equal(shared_views_find(&views, "anna/lost")->nonce, "n1"); /* nothing changed: nothing is sent */
    take(&views, 7, "x", row.s);
    assert_false(shared_view_waits(shared_views_find(&views, "anna/lost")));
    assert_int_equal(views.n, 1);
    assert_int_equal(shared_views_unshare(&views, "lost", profile, &again, &error), ERR_OK);
    assert_int_equal(shared_views_count(&views), 0);
    str_clear(&row);
    saved_views_clear(&own);
    shared_views_clear(&views);
}

static void what_cannot_be_shared_is_refused(void **state) {
    const struct shared_by anna = {"anna", "desk-1", "n1", 5};
    static const char *const FAULTS[][2] = {{"none", "no view is saved as \"none\""},
                                            {"list", "view list is not shared: its filter names a list of ids"},
                                            {"bad", "view bad is not shared: at 1: no field is called"}};
    struct shared_views views;
    struct saved_views own;
    (void)state;
    begin(&views);
    own_views(&own, "view list\nfilter id:@/tmp/ids\nview bad\nfilter nonsense:1\n", &views);
    for (size_t i = 0; i < COUNT_OF(FAULTS); i++) {
        struct error error = {0};
        assert_int_not_equal(shared_views_share(&views, &own, FAULTS[i][0], profile, &anna, &error), ERR_OK);
        assert_non_null(strstr(error.text, FAULTS[i][1]));
    }
    assert_int_equal(views.n, 0);
    saved_views_clear(&own);
    shared_views_clear(&views);
}

static void a_profile_without_a_team_says_what_to_set(void **state) {
    struct error error = {0};
    (void)state;
    profile->team_views = false;
    assert_int_equal(shared_views_check(profile, &error), ERR_CONFIG);
    assert_non_null(strstr(error.text, "team_views = false"));
    profile->team_views = true;
    assert_int_equal(shared_views_check(profile, NULL), ERR_OK);
}

static void the_file_holds_them_and_no_line_becomes_another_row(void **state) {
    struct shared_views views, again;
    struct str text, second;
    (void)state;
    str_init(&text, TEXT_CAP);
    str_init(&second, TEXT_CAP);
    begin(&views);
    take(&views, 3, "a", ROW("+", "n1", "anna", "lost", "filter bank:one\nrow\t9\tx\t9\n+\tn\tben\td\tforged\n"));
    take(&views, SHARED_WAITING, "", ROW("-", "n2", "anna", "lost", ""));
    views.change = 3;
    views.id = mem_dup("a");
    shared_views_print(&views, &text);
    shared_views_parse(text.s, profile, &again);
    shared_views_print(&again, &second);
    assert_string_equal(text.s, second.s);
    assert_int_equal(again.n, 2);
    assert_int_equal(again.change, 3);
    assert_null(shared_views_find(&again, "ben/forged"));
    shared_views_clear(&again);
    free(profile->team_store);
    profile->team_store = mem_dup("postgresql:///other");
    shared_views_parse(text.s, profile, &again);
    assert_int_equal(again.n + (size_t)again.change, 0); /* another store's are not shown */
    free(profile->team_store);
    profile->team_store = mem_dup("postgresql:///bursar");
    shared_views_clear(&again);
    shared_views_clear(&views);
    str_clear(&second);
    str_clear(&text);
}

static void a_damaged_file_is_survived(void **state) {
    struct shared_views views, again;
    struct str text;
    (void)state;
    str_init(&text, TEXT_CAP);
    begin(&views);
    take(&views, 3, "a", ROW("+", "n1", "anna", "lost", "filter bank:one\n"));
    take(&views, 4, "b", ROW("+", "n2", "ben", "lost", "filter bank:two\n"));
    shared_views_print(&views, &text);
    for (size_t len = 0; len < text.len; len++) {
        char *cut = mem_dup_n(text.s, len);
        shared_views_parse(cut, profile, &again);
        assert_true(again.n <= 2);
        shared_views_clear(&again);
        free(cut);
    }
    shared_views_clear(&views);
    str_clear(&text);
}

static void only_the_latest_are_kept(void **state) {
    struct shared_views views;
    (void)state;
    begin(&views);
    for (int i = SHARED_ROWS_MAX + 5; i > 0; i--) {
        char text[128], id[16];
        (void)snprintf(text, sizeof text, "+\tn%d\tanna\tdesk-1\tv%d\nfilter bank:x\n", i, i);
        (void)snprintf(id, sizeof id, "%d", i);
        take(&views, i, id, text);
    }
    assert_int_equal(views.n, SHARED_ROWS_MAX);
    assert_null(shared_views_find(&views, "anna/v5"));
    assert_non_null(shared_views_find(&views, "anna/v6"));
    shared_views_clear(&views);
}

static void one_operator_shares_a_hundred(void **state) {
    const struct shared_by anna = {"anna", "desk-1", "n1", 5};
    struct shared_views views;
    struct saved_views own;
    struct error error = {0};
    (void)state;
    begin(&views);
    for (int i = 0; i < SHARED_OWN_MAX; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "+\tn%d\tanna\tdesk-1\tv%d\nfilter bank:x\n", i, i);
        take(&views, i + 1, "x", text);
    }
    own_views(&own, "view more\nfilter bank:x\nview v7\nfilter bank:y\n", &views);
    assert_int_equal(shared_views_share(&views, &own, "more", profile, &anna, &error), ERR_LIMIT);
    assert_non_null(strstr(error.text, "you share 100 views already"));
    assert_int_equal(shared_views_share(&views, &own, "v7", profile, &anna, &error), ERR_OK);
    saved_views_clear(&own);
    shared_views_clear(&views);
}

static void a_copy_is_ones_own_and_covers_nothing(void **state) {
    struct shared_views views;
    struct saved_views own, change = {0};
    struct error error = {0};
    (void)state;
    begin(&views);
    take(&views, 1, "a", ROW("+", "n1", "anna", "lost", "filter bank:anna\nsort -created\n"));
    own_views(&own, "view lost\nfilter bank:mine\n", &views);
    assert_int_equal(shared_views_keep(&views, "anna/lost", NULL, &own, &change, &error), ERR_INVALID);
    assert_non_null(strstr(error.text, "give the copy another name"));
    assert_int_equal(shared_views_keep(&views, "anna/lost", "hers", &own, &change, &error), ERR_OK);
    assert_string_equal(saved_views_find(&change, "hers")->filter, "bank:anna");
    assert_int_equal(shared_views_keep(&views, "ben/lost", NULL, &own, &change, &error), ERR_INVALID);
    saved_views_clear(&change);
    saved_views_clear(&own);
    shared_views_clear(&views);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_row_in_the_order_of_the_store_holds),
        cmocka_unit_test(one_that_was_taken_back_is_not_there),
        cmocka_unit_test(nobody_takes_back_what_another_shares),
        cmocka_unit_test(a_name_alone_is_never_a_colleagues),
        cmocka_unit_test(what_is_not_understood_is_said_and_cannot_be_used),
        cmocka_unit_test(what_is_understood_has_no_fault),
        cmocka_unit_test(what_is_no_row_is_left_out),
        cmocka_unit_test(what_was_shared_waits_until_the_store_has_it),
        cmocka_unit_test(what_cannot_be_shared_is_refused),
        cmocka_unit_test(a_profile_without_a_team_says_what_to_set),
        cmocka_unit_test(the_file_holds_them_and_no_line_becomes_another_row),
        cmocka_unit_test(a_damaged_file_is_survived),
        cmocka_unit_test(only_the_latest_are_kept),
        cmocka_unit_test(one_operator_shares_a_hundred),
        cmocka_unit_test(a_copy_is_ones_own_and_covers_nothing),
    };
    return cmocka_run_group_tests(tests, make_profile, free_profile);
}
