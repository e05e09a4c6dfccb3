/* Handing intents to a colleague, and the inbox of what was handed to the operator here. */
#include "app/handovers.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char ID[] = "6a035d60-0a8b-4368-992f-40c23d5fc990", GONE[] = "0f000000-aaaa-4bbb-8ccc-000000000000";
static const char LONG[] =
    "the bank says that the account was closed in October and that it wants the customer's consent "
    "in writing before anything is looked at again, see the ticket and call back on Monday";

enum { HOUR = 3600 * 1000 };

static void add(struct notes *notes, enum note_kind kind, const char *id, int64_t ago, const char *who,
                const char *text) {
    notes_add(notes, &(struct note){kind, NOTE_OF_INTENT, id, DRIVER_NOW - ago, who, text});
}

/* What ben has: anna handed him three, of which he did one, carla one; he handed two on. */
static struct notes *notes_of_ben(void) {
    struct notes *notes = notes_new();
    struct str done;
    str_init(&done, 4096);
    add(notes, NOTE_TEXT, ID, 90 * HOUR, "dora at desk-4", "called back");
    add(notes, NOTE_HANDOVER, ID, 2 * HOUR, "anna at desk-1", "ben\tlook at the refund");
    add(notes, NOTE_HANDOVER, GONE, 3 * HOUR, "anna at desk-1", "ben\t");
    add(notes, NOTE_HANDOVER, "pi_done", 50 * HOUR, "anna at desk-1", "Ben\twas settled");
    str_addf(&done, "anna\t%lld", (long long)(DRIVER_NOW - 50 * HOUR));
    add(notes, NOTE_DONE, "pi_done", 49 * HOUR, "ben", done.s);
    str_reset(&done);
    str_addf(&done, "ben\t%s", LONG);
    add(notes, NOTE_HANDOVER, "pi_long", HOUR, "carla at desk-3", done.s);
    add(notes, NOTE_HANDOVER, ID, 5 * HOUR, "ben", "dora\tplease call");
    add(notes, NOTE_HANDOVER, "pi_other", 6 * HOUR, "ben", "anna\tyours");
    str_reset(&done);
    str_addf(&done, "ben\t%lld", (long long)(DRIVER_NOW - 6 * HOUR));
    add(notes, NOTE_DONE, "pi_other", 4 * HOUR, "anna at desk-1", done.s);
    str_clear(&done);
    notes_join(notes);
    notes_set_me(notes, "ben");
    return notes;
}

static void answer(struct driver *driver, uint64_t ticket, size_t added, const char *failure, struct notes *notes) {
    struct notes_answer *got = notes_answer_new();
    struct event event = {.kind = EVENT_NOTES, .ticket = ticket, .payload = payload_of(notes_answer, got)};
    got->added = added;
    got->notes = notes;
    if (failure)
        got->error.code = error_set(&got->error, ERR_FILE, "%s", failure);
    driver_event(driver, &event);
}

static void open_team(struct driver *driver, int rows, int cols, bool shared) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "http://127.0.0.1:1");
    free(profile->team_store);
    profile->team_store = mem_dup("postgresql:///bursar");
    profile->team_notes = shared;
    driver_open_profile_cached(driver, profile, rows, cols);
    driver_cached(driver, driver_page, true);
    driver_answer(driver, driver_page);
    driver_forget(driver);
}

static void open_desk(struct driver *driver, int rows, int cols) {
    open_team(driver, rows, cols, true);
    answer(driver, 0, 0, NULL, notes_of_ben());
    driver_keys(driver, "j j j");
}

static void open_new_desk(struct driver *driver, int rows, int cols) {
    struct notes *notes = notes_new();
    open_team(driver, rows, cols, true);
    notes_set_me(notes, "ben");
    answer(driver, 0, 0, NULL, notes);
    driver_keys(driver, "j j j");
}

static void open_alone(struct driver *driver, int rows, int cols) {
    open_team(driver, rows, cols, false);
    answer(driver, 0, 0, NULL, notes_of_ben());
}

static void open_filled(struct driver *driver, int rows, int cols) {
    struct notes *notes = notes_new();
    char id[32];
    open_team(driver, rows, cols, true);
    for (int i = 0; i < 500; i++) {
        (void)snprintf(id, sizeof id, "pi_%04d", i);
        add(notes, NOTE_HANDOVER, id, (int64_t)i * HOUR, "anna at desk-1", "ben\tone of many");
    }
    notes_join(notes);
    notes_set_me(notes, "ben");
    answer(driver, 0, 0, NULL, notes);
}

static const struct notes_ask *asked(struct driver *driver) {
    const struct effect *effect = driver_effect(driver, EFFECT_NOTES);
    return effect ? effect_get(effect, notes_ask) : NULL;
}

/* ---- As they look ---- */

static void the_box_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("handover-box", "80x24 200x50 40x8", open_desk, "> 'D' Down");
    driver_check_sizes("handover-text", "80x24 40x8", open_desk, "Space Space > 'ben2' Enter 'look at it'");
}

static void the_inbox_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("inbox", "80x24 200x50 40x8", open_desk, "I");
    driver_check_sizes("inbox-sent", "80x24 200x50", open_desk, "I Tab");
    driver_check_sizes("inbox-none", "80x24", open_new_desk, "I");
    driver_check_sizes("inbox-many", "80x24", open_filled, "I G");
}

static void the_detail_says_who_has_it(void **state) {
    (void)state;
    driver_check_sizes("handover-detail", "80x24 200x50", open_desk, "Enter");
}

/* ---- Handing over ---- */

static void one_goes_to_whom_was_typed_with_a_text(void **state) {
    struct driver *driver = *state;
    driver_forget(driver);
    driver_keys(driver, "> 'anna' Enter 'called back' Enter");
    const struct notes_ask *ask = asked(driver);
    assert_non_null(ask);
    assert_int_equal(ask->n, 1);
    assert_int_equal(ask->items[0].kind, NOTE_HANDOVER);
    assert_string_equal(ask->items[0].id, ID);
    assert_string_equal(ask->items[0].text, "anna\tcalled back");
    assert_int_equal(ask->items[0].at, DRIVER_NOW);
    uint64_t ticket = driver_effect(driver, EFFECT_NOTES)->ticket;
    driver_forget(driver);
    driver_keys(driver, "Enter"); /* not twice while it is on its way */
    assert_null(asked(driver));
    answer(driver, ticket, 0, "No space left on device", NULL);
    driver_shows(driver, "called back", "No space left on device");
    driver_keys(driver, "Enter");
    answer(driver, driver_effect(driver, EFFECT_NOTES)->ticket, 1, NULL, notes_of_ben());
    driver_hides(driver, "Hand over to a colleague");
    driver_shows(driver, "Handed to anna: 1 intent, as soon as the team's store has it");
    assert_null(driver_write(driver));
}

static void marked_rows_go_at_once_and_the_text_may_be_empty(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "g Space Space Space >");
    driver_shows(driver, "the 3 marked intents");
    driver_forget(driver);
    driver_keys(driver, "'dora' Enter Enter");
    const struct notes_ask *ask = asked(driver);
    assert_non_null(ask);
    assert_int_equal(ask->n, 3);
    for (size_t i = 0; i < ask->n; i++)
        assert_string_equal(ask->items[i].text, "dora\t");
    assert_string_not_equal(ask->items[0].id, ask->items[1].id);
    answer(driver, driver_effect(driver, EFFECT_NOTES)->ticket, 3, NULL, notes_of_ben());
    driver_shows(driver, "Handed to dora: 3 intents, as soon as the team's store has them");
}

static void names_that_are_known_are_suggested(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, ">");
    driver_shows(driver, "carla", "anna", "dora");
    driver_keys(driver, "Down Down");
    driver_forget(driver);
    driver_keys(driver, "Enter Enter"); /* carla wrote last, then anna */
    assert_string_equal(asked(driver)->items[0].text, "anna\t");
    driver_keys(driver, "Esc > 'CA' Down Down Up Tab 'x' Enter");
    assert_string_equal(asked(driver)->items[0].text, "carla\tx");
    driver_keys(driver, "Esc > 'DO' Down Backspace");
    driver_hides(driver, "anna", "carla");
}

static void what_cannot_be_handed_over_is_refused_in_words(void **state) {
    struct driver *driver = *state;
    driver_forget(driver);
    driver_try(driver, "> Enter", "a name is missing");
    driver_try(driver, "'Ben' Enter", "Ben is you");
    driver_try(driver, "Ctrl-U 'me' Enter", "me is you");
    driver_try(driver, "Ctrl-U 'anna at desk-1' Enter", "a login name alone");
    driver_paste(driver, "second\nline");
    driver_hides(driver, "second");
    driver_keys(driver, "Esc");
    assert_null(asked(driver));
}

static void without_shared_notes_it_says_what_to_set(void **state) {
    struct driver *driver = *state;
    driver_try(driver, ">", "set team_store and team_notes = true in profile acme-eu");
    driver_hides(driver, "Hand over to a colleague");
    driver_try(driver, "I", "there is no inbox here");
    driver_hides(driver, "inbox 3");
}

/* ---- The inbox ---- */

static void the_title_says_how_many_are_open(void **state) {
    struct driver *driver = *state;
    driver_shows(driver, "inbox 3");
    driver_try(driver, "5", "inbox 3", "5 Overview");
    driver_resize(driver, 24, 62);
    driver_hides(driver, "inbox 3"); /* the pane's title stays */
    driver_shows(driver, "5 Overview");
}

static void enter_goes_to_the_intent_from_any_pane(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "g 4 I j Enter");
    driver_shows(driver, "1 Intents");
    driver_cursor_at(driver, "18,980");
    driver_forget(driver);
    driver_keys(driver, "I j j Enter"); /* is not in the list: it is looked for, as @ does */
    const struct lookup *lookup = looker_asked(driver);
    assert_non_null(lookup);
}

static void done_is_a_line_of_its_own(void **state) {
    struct driver *driver = *state;
    driver_forget(driver);
    driver_keys(driver, "I j d");
    const struct notes_ask *ask = asked(driver);
    assert_non_null(ask);
    assert_int_equal(ask->n, 1);
    assert_int_equal(ask->items[0].kind, NOTE_DONE);
    assert_string_equal(ask->items[0].id, ID);
    char expected[64];
    (void)snprintf(expected, sizeof expected, "anna\t%lld", (long long)(DRIVER_NOW - 2 * HOUR));
    assert_string_equal(ask->items[0].text, expected);
    struct notes *notes = notes_of_ben();
    add(notes, NOTE_DONE, ID, 0, "ben", expected);
    notes_join(notes);
    answer(driver, driver_effect(driver, EFFECT_NOTES)->ticket, 1, NULL, notes);
    driver_shows(driver, "Done; anna sees it once the team's store has it", "2 open of 4", "inbox 2");
    driver_keys(driver, "G");
    driver_forget(driver);
    driver_try(driver, "d", "it is done already");
    assert_null(asked(driver));
}

static void what_was_handed_to_others_can_be_taken_back(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "I Tab", "handed by you, 1 open of 2", "please call", "yours");
    driver_forget(driver);
    driver_keys(driver, "d");
    assert_int_equal(asked(driver)->items[0].kind, NOTE_DONE);
    answer(driver, driver_effect(driver, EFFECT_NOTES)->ticket, 0, "No space left on device", NULL);
    driver_shows(driver, "No space left on device");
    driver_hides(driver, "Taken back");
}

/* ---- What comes ---- */

static void what_comes_is_said_once_and_disturbs_no_typing(void **state) {
    struct driver *driver = *state;
    struct notes *notes = notes_of_ben();
    add(notes, NOTE_HANDOVER, "pi_new", 0, "anna at desk-1", "ben\tthis one too");
    notes_join(notes);
    driver_keys(driver, "/ 'stat'");
    answer(driver, 0, 0, NULL, notes_share(notes));
    driver_hides(driver, "anna handed over");
    driver_shows(driver, "/stat", "inbox 4");
    driver_try(driver, "'us'", "/status");
    driver_try(driver, "Esc", "anna handed over 1 intent: this one too");
    driver_keys(driver, "j");
    driver_hides(driver, "anna handed over");
    answer(driver, 0, 0, NULL, notes);
    driver_hides(driver, "anna handed over");
}

static void what_comes_waits_behind_an_error(void **state) {
    struct driver *driver = *state;
    struct notes *notes = notes_of_ben();
    add(notes, NOTE_HANDOVER, "pi_new", 0, "anna at desk-1", "ben\t");
    add(notes, NOTE_HANDOVER, "pi_new2", 0, "carla at desk-3", "ben\tsee");
    notes_join(notes);
    driver_try(driver, "V", "mark the other end first");
    answer(driver, 0, 0, NULL, notes);
    driver_hides(driver, "handed over 2 intents");
    driver_timer(driver, TIMER_MINUTE, HOUR);
    driver_try(driver, "j", "colleagues handed over 2 intents");
}

static struct notes *with_new(struct notes *notes, const char *id, const char *text) {
    add(notes, NOTE_HANDOVER, id, 0, "anna at desk-1", text);
    notes_join(notes);
    return notes;
}

static void what_comes_waits_behind_what_was_just_said_and_all_of_it_is_said(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "> 'anna' Enter Enter");
    uint64_t ticket = driver_effect(driver, EFFECT_NOTES)->ticket;
    answer(driver, ticket, 1, NULL, with_new(notes_of_ben(), "pi_new", "ben\tone"));
    driver_shows(driver, "Handed to anna: 1 intent");
    driver_hides(driver, "anna handed over");
    answer(driver, 0, 0, NULL, with_new(with_new(notes_of_ben(), "pi_new", "ben\tone"), "pi_new2", "ben\ttwo"));
    driver_shows(driver, "Handed to anna: 1 intent");
    driver_try(driver, "j", "anna handed over 2 intents");
}

static void what_is_on_its_way_is_not_edited(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "> 'anna' Enter Enter Tab 'x'");
    driver_paste(driver, "y");
    answer(driver, driver_effect(driver, EFFECT_NOTES)->ticket, 1, NULL, notes_of_ben());
    driver_shows(driver, "Handed to anna: 1 intent");
}

static void a_pasted_name_is_another_choice(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "> Down Down");
    driver_paste(driver, "x");
    driver_hides(driver, "carla", "dora");
    driver_keys(driver, "Ctrl-U");
    driver_paste(driver, "d");
    driver_keys(driver, "Down");
    driver_forget(driver);
    driver_keys(driver, "Enter Enter");
    assert_string_equal(asked(driver)->items[0].text, "dora\t");
}

/* A line with such a text is not read from the file; this is what would hold if it were. */
static void hostile_text_is_shown_as_tokens(void **state) {
    struct driver *driver = *state;
    struct notes *notes = notes_of_ben();
    add(notes, NOTE_HANDOVER, "pi_\x1b]0;x\x07", 0, "anna\x1b[2J at desk-1",
        "ben\t\x1b[31mred\xE2\x80\xAE"
        "der");
    notes_join(notes);
    answer(driver, 0, 0, NULL, notes);
    driver_shows(driver, "anna<1B>[2J handed over 1 intent: <1B>[31mred<202E>der");
    driver_try(driver, "I", "<1B>[31mred<202E>der", "from anna<1B>[2J at desk-1 to ben, open",
               "intent pi_<1B>]0;x<07>");
    char *dump = driver_dump(driver);
    assert_null(strchr(dump, '\x1b'));
    free(dump);
}

static void at_the_start_nothing_is_news(void **state) {
    struct driver *driver = *state;
    driver_hides(driver, "handed over");
}

static int start(void **state) {
    return setlocale(LC_ALL, "C.UTF-8") ? driver_page_read(state) : -1;
}

#define AT_DESK(test) DRIVER_TEST_IN(test, open_desk, 24, 120)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_box_at_every_size),
        cmocka_unit_test(the_inbox_at_every_size),
        cmocka_unit_test(the_detail_says_who_has_it),
        AT_DESK(one_goes_to_whom_was_typed_with_a_text),
        AT_DESK(marked_rows_go_at_once_and_the_text_may_be_empty),
        AT_DESK(names_that_are_known_are_suggested),
        AT_DESK(what_cannot_be_handed_over_is_refused_in_words),
        DRIVER_TEST_IN(without_shared_notes_it_says_what_to_set, open_alone, 24, 120),
        AT_DESK(the_title_says_how_many_are_open),
        AT_DESK(enter_goes_to_the_intent_from_any_pane),
        AT_DESK(done_is_a_line_of_its_own),
        AT_DESK(what_was_handed_to_others_can_be_taken_back),
        AT_DESK(what_comes_is_said_once_and_disturbs_no_typing),
        AT_DESK(what_comes_waits_behind_an_error),
        AT_DESK(what_comes_waits_behind_what_was_just_said_and_all_of_it_is_said),
        AT_DESK(what_is_on_its_way_is_not_edited),
        AT_DESK(a_pasted_name_is_another_choice),
        AT_DESK(hostile_text_is_shown_as_tokens),
        AT_DESK(at_the_start_nothing_is_news),
    };
    return cmocka_run_group_tests(tests, start, driver_page_drop);
}
