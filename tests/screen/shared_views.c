/* Saved views that a team shares: behind one's own, with whose they are, used like these, never instead of these. */
#include "app/shared_views.h"
#include "base/mem.h"
#include "support/looker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_CAP = 64 << 10 };

static const char OWN[] = "view big\nfilter amount>=5000\nsort -amount\ncolumns \n"
                          "view lost\nfilter status:declined amount>=100\nsort \ncolumns \n"
                          "view quiet\nfilter rail:bank\nsort \ncolumns \n";

#define ROW(change, sign, who, host, name, lines) \
    { change, sign "\tn" #change "\t" who "\t" host "\t" name "\n" lines }
struct row {
    int change;
    const char *text;
};
static const struct row ROWS[] = {
    ROW(1, "+", "anna", "desk-1", "lost", "unit raw\nfilter status:declined amount>=900\nsort -created\ncolumns \n"),
    ROW(2, "+", "ben", "desk-2.branch.example.com", "nordwind-card-refunds-of-the-week",
        "unit raw\nfilter bank:nordwind rail:card has:refund created:yesterday\nsort \ncolumns \n"),
    ROW(3, "+", "carla", "desk-3", "newer", "filter status:declined\ngroup bank\nsort \ncolumns \n"),
    ROW(4, "+", "me", "desk-9", "big", "unit raw\nfilter amount>=5000\nsort -amount\ncolumns \n"),
    ROW(5, "+", "me", "desk-9", "quiet", "unit raw\nfilter rail:card\nsort \ncolumns \n"),
    ROW(6, "+", "me", "desk-8", "elsewhere", "unit raw\nfilter rail:card\nsort \ncolumns \n"),
};

static void take(struct shared_views *views, const struct profile *profile, const struct row *from) {
    struct shared_view row;
    assert_true(shared_view_read(from->text, strlen(from->text), profile, &row));
    row.change = from->change;
    row.at = DRIVER_NOW - from->change * INT64_C(3600000);
    shared_views_take(views, &row);
}

static void tell_rows(struct driver *driver, const char *own, const struct row *rows, size_t n) {
    static const struct error NONE;
    struct shared_views views;
    struct str text;
    str_init(&text, TEXT_CAP);
    shared_views_parse("", driver->profile, &views);
    for (size_t i = 0; i < n; i++)
        take(&views, driver->profile, &rows[i]);
    shared_views_print(&views, &text);
    struct views_read read = {.text = own, .shared = text.s, .who = "me", .failure = &NONE};
    struct event event = {.kind = EVENT_VIEWS, .payload = payload_of(views_read, &read)};
    driver_event(driver, &event);
    shared_views_clear(&views);
    str_clear(&text);
}

static void begin(struct driver *driver, int rows, int cols) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    free(profile->team_store);
    profile->team_store = mem_dup("postgresql:///bursar");
    driver_open_profile_cached(driver, profile, rows, cols);
    driver_cached(driver, driver_page, true);
    driver_answer(driver, driver_page);
    tell_rows(driver, OWN, ROWS, COUNT_OF(ROWS));
    driver_forget(driver);
}

static void open_list(struct driver *driver, int rows, int cols) {
    begin(driver, rows, cols);
    driver_key(driver, "v");
    looker_settle(driver, driver_page, true);
    driver_keys(driver, "j j j j");
}

static void the_list_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("shared-views", "80x24 200x50 40x8", open_list, "");
}

static int set_up(void **state) {
    begin(driver_begin(state), 24, 80);
    return 0;
}

static const char *asked(struct driver *driver, enum effect_kind kind) {
    const struct effect *effect = driver_effect(driver, kind);
    return effect ? effect_get(effect, view_ask)->text : "nothing";
}

static void a_view_of_a_colleague_is_used_like_ones_own(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "v 4", "1 Intents > anna/lost", "local[amount>=900]");
    driver_try(driver, "-", "filter: none");
    driver_try(driver, "/ '@anna/lost bank:nord' Enter", "local[amount>=900 bank:nord]");
    driver_try(driver, ": '@anna/lost' Enter", "1 Intents > anna/lost");
}

static void ones_own_wins_by_its_name(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "/ '@lost' Enter", "local[amount>=100]");
    tell_rows(driver, "", ROWS, COUNT_OF(ROWS));
    driver_keys(driver, "/ Ctrl-U '@lost'");
    driver_shows(driver, "no view is saved as \"lost\" (anna/lost?)");
}

static void one_that_is_not_understood_is_said_and_not_used(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "v 6", "carla/newer cannot be used here: it holds what this program does not know");
    assert_null(driver_effect(driver, EFFECT_VIEW_KEEP));
    driver_try(driver, "Esc / '@carla/newer'", "view carla/newer cannot be used here");
}

static void one_is_shared_by_its_key_alone(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "v j S");
    assert_string_equal(asked(driver, EFFECT_VIEW_SHARE), "lost");
    tell_rows(driver, OWN, ROWS, COUNT_OF(ROWS));
    driver_shows(driver, "view lost shared: it is sent to the team's store");
    driver_forget(driver);
    driver_try(driver, "j j S", "anna/lost is shared; K keeps a copy, which you can share");
    assert_null(driver_effect(driver, EFFECT_VIEW_SHARE));
}

static void its_author_alone_takes_one_back(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "v j T", "lost is not shared");
    driver_try(driver, "j j T", "anna shares it, and nobody else takes it back");
    assert_null(driver_effect(driver, EFFECT_VIEW_UNSHARE));
    driver_keys(driver, "k k k T");
    assert_string_equal(asked(driver, EFFECT_VIEW_UNSHARE), "me/big");
    driver_forget(driver);
    driver_keys(driver, "j j j j j j T"); /* shared from another machine, and not saved at this one */
    assert_string_equal(asked(driver, EFFECT_VIEW_UNSHARE), "me/elsewhere");
}

static void forgetting_ones_own_says_that_it_stays_shared(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "v X", "X again forgets the view big, which stays shared; another key keeps it");
    driver_try(driver, "j j j X", "X forgets views of your own: anna/lost is shared");
    assert_null(driver_effect(driver, EFFECT_VIEW_DROP));
}

static void a_copy_is_kept_as_ones_own(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "v K", "big is your own");
    driver_try(driver, "j j j K", "replace lost");
    driver_keys(driver, "'-of-anna'");
    driver_shows(driver, "keep as lost-of-anna");
    driver_key(driver, "Enter");
    assert_string_equal(asked(driver, EFFECT_VIEW_KEEP),
                        "view lost-of-anna\nfilter status:declined amount>=900\nsort -created\ncolumns \n");
    tell_rows(driver, OWN, ROWS, COUNT_OF(ROWS));
    driver_shows(driver, "view lost-of-anna saved");
}

/* The list stays as it was opened, and does not say that it is what the name means by now. */
static void one_that_was_shared_anew_loses_its_name_on_show(void **state) {
    static const struct row ANEW[] = {ROW(9, "+", "anna", "desk-1", "lost", "unit raw\nfilter rail:card\n")};
    struct driver *driver = *state;
    driver_try(driver, "v 4", "1 Intents > anna/lost");
    tell_rows(driver, OWN, ROWS, COUNT_OF(ROWS));
    driver_shows(driver, "1 Intents > anna/lost");
    tell_rows(driver, OWN, ANEW, COUNT_OF(ANEW));
    driver_hides(driver, "1 Intents > anna/lost");
    driver_shows(driver, "local[amount>=900]", "anna/lost is shared otherwise by now");
}

static void typed_again_it_is_what_it_is_by_now(void **state) {
    static const struct row ANEW[] = {ROW(9, "+", "anna", "desk-1", "lost", "unit raw\nfilter rail:card\n")};
    struct driver *driver = *state;
    driver_try(driver, "/ '@anna/lost' Enter", "local[amount>=900]");
    tell_rows(driver, OWN, ANEW, COUNT_OF(ANEW));
    driver_shows(driver, "local[amount>=900]");
    driver_keys(driver, "/ Ctrl-U '@anna/lost' Enter");
    driver_hides(driver, "local[amount>=900]");
}

static void what_is_gone_is_not_gone_back_to_and_it_is_said(void **state) {
    static const struct row GONE[] = {ROW(9, "-", "anna", "desk-1", "lost", "")};
    struct driver *driver = *state;
    driver_try(driver, "/ '@anna/lost' Enter", "local[amount>=900]");
    driver_try(driver, "/ Ctrl-U 'amount>=77' Enter", "local[amount>=77]");
    tell_rows(driver, OWN, GONE, COUNT_OF(GONE));
    driver_try(driver, "u", "local[amount>=77]", "no view is saved as \"anna/lost\"");
    driver_try(driver, "[", "local[amount>=77]", "no view is saved as \"anna/lost\"");
    driver_try(driver, "/ Ctrl-U 'amount>=78' Enter", "local[amount>=78]");
    driver_try(driver, "u", "local[amount>=77]");
}

static void ones_own_that_was_replaced_loses_its_name_on_show(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "v 1", "1 Intents > big");
    tell_rows(driver, OWN, ROWS, COUNT_OF(ROWS));
    driver_shows(driver, "1 Intents > big");
    tell_rows(driver, "view big\nfilter rail:card\nsort \ncolumns \n", ROWS, COUNT_OF(ROWS));
    driver_hides(driver, "1 Intents > big");
    driver_shows(driver, "local[amount>=5000]");
}

static void what_was_changed_since_and_what_waits_is_said(void **state) {
    static const struct row WAITS[] = {
        ROW(0, "+", "me", "desk-9", "big", "unit raw\nfilter amount>=5000\nsort -amount\ncolumns \n")};
    struct driver *driver = *state;
    driver_try(driver, "v", "shared, changed since");
    tell_rows(driver, OWN, WAITS, COUNT_OF(WAITS));
    driver_try(driver, "g", "shared, on its way");
}

static void the_cursor_stays_on_its_view_when_others_come(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "v j j j");
    tell_rows(driver, "view lost\nfilter rail:card\nsort \ncolumns \n", ROWS, COUNT_OF(ROWS));
    driver_try(driver, "Enter", "1 Intents > anna/lost");
}

static void it_is_completed_and_named_with_whose_it_is(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "/ '@anna'", "anna/lost");
    driver_keys(driver, "Tab Enter");
    driver_shows(driver, "local[amount>=900]");
}

static void hostile_text_stays_in_its_line(void **state) {
    static const struct row HOSTILE[] = {
        ROW(1, "+", "eve", "desk-1", "x", "filter \x1b]0;owned\x07\nsort \ncolumns \n")};
    struct driver *driver = *state;
    tell_rows(driver, OWN, HOSTILE, COUNT_OF(HOSTILE));
    driver_try(driver, "v j j j", "not understood");
    driver_hides(driver, "\x1b]0;");
    driver_shows(driver, "eve/x is not understood");
}

static void without_a_team_nothing_is_shared_and_the_key_says_why(void **state) {
    struct driver *driver = *state;
    free(driver->profile->team_store);
    driver->profile->team_store = mem_dup("");
    tell_rows(driver, OWN, NULL, 0);
    driver_try(driver, "v", "Enter or digit shows, s saves this, X forgets, Esc; @name in /");
    driver_try(driver, "S", "views are shared with a team: the profile needs a team_store");
    assert_null(driver_effect(driver, EFFECT_VIEW_SHARE));
}

#define AFTER_SET_UP(test) cmocka_unit_test_setup_teardown(test, set_up, driver_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_at_every_size),
        AFTER_SET_UP(a_view_of_a_colleague_is_used_like_ones_own),
        AFTER_SET_UP(ones_own_wins_by_its_name),
        AFTER_SET_UP(one_that_is_not_understood_is_said_and_not_used),
        AFTER_SET_UP(one_is_shared_by_its_key_alone),
        AFTER_SET_UP(its_author_alone_takes_one_back),
        AFTER_SET_UP(forgetting_ones_own_says_that_it_stays_shared),
        AFTER_SET_UP(a_copy_is_kept_as_ones_own),
        AFTER_SET_UP(one_that_was_shared_anew_loses_its_name_on_show),
        AFTER_SET_UP(typed_again_it_is_what_it_is_by_now),
        AFTER_SET_UP(what_is_gone_is_not_gone_back_to_and_it_is_said),
        AFTER_SET_UP(ones_own_that_was_replaced_loses_its_name_on_show),
        AFTER_SET_UP(what_was_changed_since_and_what_waits_is_said),
        AFTER_SET_UP(the_cursor_stays_on_its_view_when_others_come),
        AFTER_SET_UP(it_is_completed_and_named_with_whose_it_is),
        AFTER_SET_UP(hostile_text_stays_in_its_line),
        AFTER_SET_UP(without_a_team_nothing_is_shared_and_the_key_says_why),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
