/* Notes and tags in the console: the box they are typed in, where they show, and what leaves with them. */
#include "app/notes.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char ID[] = "6a035d60-0a8b-4368-992f-40c23d5fc990", USER[] = "0de107dc-f74d-4bdb-b8f7-08d1c8996543";

/* As the file answers: all there are, with what was just added. */
static void answer(struct driver *driver, uint64_t ticket, size_t added, const char *failure) {
    struct notes_answer *got = notes_answer_new();
    struct event event = {.kind = EVENT_NOTES, .ticket = ticket, .payload = payload_of(notes_answer, got)};
    got->added = added;
    got->notes = notes_new();
    notes_add(got->notes, &(struct note){NOTE_TEXT, NOTE_OF_INTENT, ID, DRIVER_NOW - 7200000, "kim",
                                         "called the customer, who waits for the bank's answer until Monday"});
    notes_add(got->notes, &(struct note){NOTE_TEXT, NOTE_OF_USER, USER, DRIVER_NOW - 3600000, "lee", "moved house"});
    notes_add(got->notes, &(struct note){NOTE_TAG, NOTE_OF_INTENT, ID, DRIVER_NOW, "kim", "chargeback"});
    notes_add(got->notes, &(struct note){NOTE_TAG, NOTE_OF_USER, USER, DRIVER_NOW, "kim", "vip"});
    if (failure)
        got->error.code = error_set(&got->error, ERR_FILE, "%s", failure);
    driver_event(driver, &event);
}

static void open_noted(struct driver *driver, int rows, int cols) {
    driver_open_page_cached(driver, rows, cols);
    answer(driver, 0, 0, NULL);
    driver_keys(driver, "j j j");
}

static void the_box_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("notes-box", "80x24 120x40 200x50 40x8", open_noted, "a 'called back'");
}

static void the_detail_has_them_first(void **state) {
    (void)state;
    driver_check_sizes("notes-detail", "80x24 120x40 200x50", open_noted, "Enter");
}

static const struct note *asked(struct driver *driver) {
    const struct effect *effect = driver_effect(driver, EFFECT_NOTES);
    const struct notes_ask *ask = effect ? effect_get(effect, notes_ask) : NULL;
    return ask && ask->n > 0 ? ask->items : NULL;
}

static void a_note_goes_to_the_file_and_stays_until_it_is_there(void **state) {
    struct driver *driver = *state;
    driver_forget(driver);
    driver_keys(driver, "a 'called back' Enter");
    const struct note *note = asked(driver);
    assert_non_null(note);
    assert_string_equal(note->id, ID);
    assert_string_equal(note->text, "called back");
    assert_int_equal(note->about, NOTE_OF_INTENT);
    assert_int_equal(note->at, DRIVER_NOW);
    uint64_t ticket = driver_effect(driver, EFFECT_NOTES)->ticket;
    driver_shows(driver, "called back");
    answer(driver, ticket, 0, "No space left on device");
    driver_shows(driver, "called back", "No space left on device");
    driver_forget(driver);
    driver_keys(driver, "Enter");
    answer(driver, driver_effect(driver, EFFECT_NOTES)->ticket, 1, NULL);
    driver_hides(driver, "Enter keeps it");
    driver_shows(driver, "kept on this machine");
}

static void tags_are_words_and_the_user_can_have_them(void **state) {
    struct driver *driver = *state;
    driver_forget(driver);
    driver_keys(driver, "+ Tab 'Late -vip' Enter");
    const struct note *notes = asked(driver);
    assert_non_null(notes);
    assert_int_equal(notes[0].about, NOTE_OF_USER);
    assert_string_equal(notes[0].id, USER);
    assert_string_equal(notes[0].text, "late");
    assert_int_equal(notes[1].kind, NOTE_UNTAG);
    driver_forget(driver);
    driver_keys(driver, "Esc + 'a,b' Enter");
    driver_shows(driver, "is no tag");
    assert_null(asked(driver));
}

static void filters_are_asked_again_where_notes_change(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ 'tag:chargeback' Enter");
    const struct lookup *lookup = looker_asked(driver);
    assert_non_null(lookup);
    assert_non_null(notes_find(lookup->context.notes, NOTE_OF_INTENT, ID, strlen(ID)));
    looker_settle(driver, driver_page, true);
    driver_shows(driver, "1 of 1 so far");
    driver_forget(driver);
    answer(driver, 0, 0, NULL); /* another console wrote */
    assert_non_null(looker_asked(driver));
}

static void columns_show_them_on_request(void **state) {
    struct driver *driver = *state;
    driver_hides(driver, "chargeback");
    driver_keys(driver, "d w");
    driver_shows(driver, "chargeback vip", "moved house (+1)");
}

static void the_summary_for_a_ticket_has_them(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Y Enter");
    const char *text = driver_copy(driver)->text;
    assert_non_null(strstr(text, "tags          chargeback vip\n"
                                 "note          2026-11-28 10:00:00 UTC kim: called the customer, who waits for the "
                                 "bank's answer until Monday\n"
                                 "note on user  2026-11-28 11:00:00 UTC lee: moved house\n"
                                 "served at"));
}

static void a_damaged_file_is_told(void **state) {
    struct driver *driver = *state;
    struct notes_answer *got = notes_answer_new();
    struct event event = {.kind = EVENT_NOTES, .payload = payload_of(notes_answer, got)};
    got->error.code = error_set(&got->error, ERR_FILE, "the file cannot be read");
    driver_event(driver, &event);
    driver_shows(driver, "notes and tags are not at hand: the file cannot be read");
}

static int start(void **state) {
    return setlocale(LC_ALL, "C.UTF-8") ? driver_page_read(state) : -1;
}

#define NOTED(test, rows, cols) DRIVER_TEST_IN(test, open_noted, rows, cols)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_box_at_every_size),
        cmocka_unit_test(the_detail_has_them_first),
        NOTED(a_note_goes_to_the_file_and_stays_until_it_is_there, 24, 80),
        NOTED(tags_are_words_and_the_user_can_have_them, 24, 80),
        NOTED(filters_are_asked_again_where_notes_change, 24, 80),
        NOTED(columns_show_them_on_request, 50, 420),
        NOTED(the_summary_for_a_ticket_has_them, 24, 80),
        NOTED(a_damaged_file_is_told, 24, 80),
    };
    return cmocka_run_group_tests(tests, start, driver_page_drop);
}
