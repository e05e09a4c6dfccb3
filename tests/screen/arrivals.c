/* Events that came to this machine: the page that the Webhook pane opens, and the detail of their intents. */
#include "app/arrivals.h"
#include "app/views.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The fourth of the fixture's page. */
static const char ID[] = "6a035d60-0a8b-4368-992f-40c23d5fc990";

static struct arrival *add(struct arrivals *list, const char *kind, const char *intent, const char *status) {
    struct arrival *arrival = arrival_new();
    arrival->n = (int64_t)list->n + 1;
    arrival->at = DRIVER_NOW - (60 - arrival->n) * 60000;
    arrival->kind = mem_dup(kind);
    list->given = arrival->n;
    list->stored = list->n + 1;
    list->since = CLOCK_NONE;
    list->read_at = DRIVER_NOW;
    arrival->intent = mem_dup(intent);
    arrival->status = mem_dup(status);
    arrival->readable = kind != NULL;
    arrival->checked = true;
    arrival->result = WEBHOOK_VERIFIED;
    arrival->answered = 204;
    *vec_add(list) = arrival;
    return arrival;
}

static void holds(struct arrival *arrival, enum arrival_held held, const char *status) {
    arrival->held = held;
    arrival->held_status = mem_dup(status);
    arrival->held_as_of = DRIVER_NOW - DRIVER_CACHE_AGE;
}

static struct arrivals *received(void) {
    struct arrivals *list = arrivals_new();
    holds(add(list, "intent.updated", ID, "approved"), ARRIVAL_HELD, "declined");
    struct arrival *forged = add(list, "intent.updated", ID, "canceled");
    forged->result = WEBHOOK_MISMATCH;
    forged->why = mem_dup("no scheme matches, and no usual slip explains it");
    forged->answered = 401;
    holds(forged, ARRIVAL_HELD, "declined");
    struct arrival *again = add(list, "intent.updated", ID, "approved");
    again->again = 1;
    holds(again, ARRIVAL_HELD, "declined");
    holds(add(list, "intent.created", "int_elsewhere", "created"), ARRIVAL_NOT_HELD, NULL);
    add(list, NULL, NULL, NULL)->checked = false;
    list->damaged = 1;
    arrivals_order(list);
    return list;
}

/* As the files are after the oldest made room: fewer than came. */
static struct arrivals *cut(void) {
    struct arrivals *list = received();
    list->given += 37;
    list->removed = 37;
    list->since = list->items[0]->at;
    list->read_at = DRIVER_NOW - 120000;
    return list;
}

/* Answers the last question; takes the list. */
static void answer(struct driver *driver, struct arrivals *list) {
    const struct effect *effect = driver_effect(driver, EFFECT_ARRIVALS);
    assert_non_null(effect);
    struct event event = {.kind = EVENT_ARRIVALS, .ticket = effect->ticket, .payload = payload_of(arrivals, list)};
    driver_event(driver, &event);
}

static void open_received(struct driver *driver, int rows, int cols) {
    driver_open(driver, rows, cols);
    driver_keys(driver, "3 e");
    answer(driver, received());
}

static void open_listed(struct driver *driver, int rows, int cols) {
    driver_open_cached(driver, rows, cols);
    driver_cached(driver, driver_page, true);
    driver_answer(driver, driver_page);
    driver_keys(driver, "j j j Enter");
    answer(driver, received());
}

static void open_of_list(struct driver *driver, int rows, int cols) {
    driver_open_cached(driver, rows, cols);
    driver_cached(driver, driver_page, true);
    driver_answer(driver, driver_page);
    looker_press(driver, driver_page, "/ 'status:declined' Enter");
    driver_forget(driver);
    driver_keys(driver, "3 e");
    answer(driver, cut());
    looker_settle(driver, driver_page, true);
}

static void of_the_lists_filter_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("events-of-list", "80x24 120x40 200x50", open_of_list, "");
}

static void the_key_shows_all_of_them(void **state) {
    struct driver *driver = *state;
    driver_shows(driver, "3 of 5 stored events");
    driver_shows(driver, "the list's, on their intents: status:declined");
    driver_hides(driver, "int_elsewhere");
    driver_keys(driver, "i");
    answer(driver, cut());
    driver_shows(driver, "5 stored events");
    driver_shows(driver, "int_elsewhere");
    driver_hides(driver, "on their intents");
}

static void until_the_lists_intents_are_known_no_event_is_called_theirs(void **state) {
    struct driver *driver = *state;
    looker_press(driver, driver_page, "/ 'status:declined' Enter");
    driver_forget(driver);
    driver_keys(driver, "3 e");
    answer(driver, received());
    driver_shows(driver, "0 of 5 stored events", "looking");
    driver_hides(driver, "int_elsewhere");
    looker_settle(driver, driver_page, true);
    driver_shows(driver, "3 of 5 stored events");
}

static void without_a_filter_of_the_list_the_key_says_so(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "3 e");
    answer(driver, received());
    driver_keys(driver, "i");
    driver_shows(driver, "the list has no filter");
}

static void open_filtered(struct driver *driver, int rows, int cols) {
    open_received(driver, rows, cols);
    driver_keys(driver, "/ 'is:verified -type:intent.created' Enter");
    struct arrivals *list = cut();
    list->stored = 9;
    answer(driver, list);
}

static void narrowed_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("events-filtered", "80x24 120x40 200x50", open_filtered, "");
}

static void open_typing(struct driver *driver, int rows, int cols) {
    open_received(driver, rows, cols);
    driver_keys(driver, "/ 'status:'");
}

static void the_line_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("events-typing", "80x24 120x40 200x50", open_typing, "");
}

static void the_filter_goes_along_with_the_question(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "3 e");
    answer(driver, received());
    driver_keys(driver, "/ 'is:verified' Enter");
    const struct arrivals_ask *ask = effect_get(driver_effect(driver, EFFECT_ARRIVALS), arrivals_ask);
    struct str text;
    str_init(&text, 256);
    query_print(ask->query, &text);
    assert_string_equal(text.s, "is:verified");
    str_clear(&text);
    answer(driver, received());
    driver_shows(driver, "of the events: is:verified");
    driver_keys(driver, "/ Ctrl-U Enter");
    assert_null(effect_get(driver_effect(driver, EFFECT_ARRIVALS), arrivals_ask)->query);
}

static void tell_views(struct driver *driver, const char *text) {
    static const struct error NONE;
    struct event event = {.kind = EVENT_VIEWS,
                          .payload = payload_of(views_read, &(struct views_read){.text = text, .failure = &NONE})};
    driver_event(driver, &event);
}

/* The page with this key, when it is time to look again. */
static const struct effect *asked_later(struct driver *driver) {
    driver_forget(driver);
    driver->now += 11000;
    driver_keys(driver, "j");
    return driver_effect(driver, EFFECT_ARRIVALS);
}

/* Never all events below a head that names the filter. */
static void of_a_filter_whose_view_is_gone_none_is_shown(void **state) {
    struct driver *driver = *state;
    static const char HELD[] = "view approved\nfilter status:approved\nsort \ncolumns \n";
    tell_views(driver, HELD);
    driver_keys(driver, "3 e");
    answer(driver, received());
    driver_keys(driver, "/ '@approved' Enter");
    answer(driver, received());
    driver_shows(driver, "of the events: @approved");
    tell_views(driver, "");
    assert_null(asked_later(driver));
    driver_shows(driver, "of the events: @approved", "no view is saved as");
    driver_hides(driver, "stored event");
    driver_hides(driver, "int_elsewhere");
    driver_keys(driver, "Esc e");
    assert_null(driver_effect(driver, EFFECT_ARRIVALS));
    driver_shows(driver, "no view is saved as");
    tell_views(driver, HELD);
    assert_non_null(asked_later(driver));
    answer(driver, received());
    driver_shows(driver, "5 stored events");
    driver_hides(driver, "no view is saved as");
}

/* `age<5m` lets through fewer as time goes by, though nothing came. */
static void with_a_filter_events_that_are_known_are_asked_for_again(void **state) {
    struct driver *driver = *state;
    struct arrivals *list = received();
    list->stamp = 7;
    driver_keys(driver, "3 e");
    answer(driver, received());
    driver_keys(driver, "/ 'age<5m' Enter");
    answer(driver, list);
    const struct effect *effect = asked_later(driver);
    assert_non_null(effect);
    assert_int_equal(effect_get(effect, arrivals_ask)->known, 0);
}

static void what_no_event_has_is_a_fault(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "3 e");
    answer(driver, received());
    driver_keys(driver, "/ 'amount>5' Enter");
    driver_shows(driver, "an event has no amount");
    driver_keys(driver, "Esc");
    driver_shows(driver, "Events received here");
}

static void of_events_is_offered_what_they_have(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "3 e");
    answer(driver, received());
    driver_keys(driver, "/ 'is:'");
    driver_shows(driver, "verified");
    driver_hides(driver, "archived");
    driver_keys(driver, "Ctrl-U 'type:'");
    driver_shows(driver, "intent.updated");
    driver_hides(driver, "card_only");
    driver_keys(driver, "Esc Esc 1 / 'is:'");
    driver_hides(driver, "verified");
}

/* Files that did not change are not listed, and rows of the cache that did not are not looked up. */
static void it_is_looked_at_again_while_it_is_on_show(void **state) {
    struct driver *driver = *state;
    struct arrivals *list = received();
    list->stamp = 7;
    driver_keys(driver, "3 e");
    answer(driver, list);
    driver_forget(driver);
    driver->now += 11000;
    driver_keys(driver, "j");
    assert_int_equal(effect_get(driver_effect(driver, EFFECT_ARRIVALS), arrivals_ask)->known, 7);
    struct arrivals *same = arrivals_new();
    same->unchanged = true;
    answer(driver, same);
    driver_keys(driver, "g");
    driver_shows(driver, "5 stored events");
}

static void the_page_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("events-page", "80x24 120x40 200x50 40x8", open_received, "");
}

static void the_detail_has_those_of_its_intent(void **state) {
    (void)state;
    driver_check_sizes("events-detail", "80x24 120x40 200x50", open_listed, "/ 'events received' Enter");
}

static void nothing_received_is_said(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "3 e");
    driver_shows(driver, "looking");
    answer(driver, arrivals_new());
    driver_shows(driver, "No event is stored for this profile");
}

static void what_cannot_be_read_is_said(void **state) {
    struct driver *driver = *state;
    struct arrivals *list = arrivals_new();
    assert_int_equal(error_set(&list->error, ERR_FILE, "the folder of events: Permission denied"), ERR_FILE);
    driver_keys(driver, "3 e");
    answer(driver, list);
    driver_shows(driver, "Permission denied");
}

static void without_a_cache_that_is_said(void **state) {
    struct driver *driver = *state;
    struct arrivals *list = arrivals_new();
    holds(add(list, "intent.updated", ID, "approved"), ARRIVAL_NO_CACHE, NULL);
    driver_keys(driver, "3 e");
    answer(driver, list);
    driver_shows(driver, "there is no cache to look into");
    driver_hides(driver, "the list says approved");
}

static void an_index_that_moved_is_asked_again(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "3 e");
    answer(driver, received());
    driver_forget(driver);
    struct event moved = {.kind = EVENT_INDEX};
    driver_event(driver, &moved);
    assert_null(driver_effect(driver, EFFECT_ARRIVALS)); /* it was read a moment ago */
    driver->now += 11000;
    driver_keys(driver, "j");
    const struct effect *effect = driver_effect(driver, EFFECT_ARRIVALS);
    assert_non_null(effect);
    assert_int_equal(effect_get(effect, arrivals_ask)->join, 500);
    driver_keys(driver, "Esc");
    driver_hides(driver, "Events received here");
}

/* The files are not read again for each record that the cursor passes. */
static void one_reading_serves_many_records(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "Enter");
    answer(driver, received());
    driver_forget(driver);
    driver_keys(driver, "Esc j Enter Esc j Enter Esc j Enter");
    assert_null(driver_effect(driver, EFFECT_ARRIVALS));
    driver->now += 11000;
    driver_keys(driver, "Esc k Enter");
    assert_non_null(driver_effect(driver, EFFECT_ARRIVALS));
}

static void files_that_did_not_change_are_not_read_again(void **state) {
    struct driver *driver = *state;
    struct arrivals *list = received();
    list->stamp = 7;
    driver_keys(driver, "j j j Enter");
    answer(driver, list);
    driver_forget(driver);
    driver->now += 11000;
    driver_keys(driver, "Esc Enter");
    const struct effect *effect = driver_effect(driver, EFFECT_ARRIVALS);
    assert_non_null(effect);
    assert_int_equal(effect_get(effect, arrivals_ask)->known, 7);
    struct arrivals *same = arrivals_new();
    same->unchanged = true;
    answer(driver, same);
    driver_keys(driver, "/ 'events received' Enter");
    driver_shows(driver, "events received here, newest first");
}

/* The one that counts, of those of one intent: its place, from 0. */
static void expect_counts(const struct arrivals *list, size_t place) {
    for (size_t i = 0; i < list->n; i++)
        assert_int_equal(list->items[i]->later, i == place ? 0 : list->items[place]->n);
}

static void what_verified_counts_before_what_was_not_checked(void **state) {
    (void)state;
    struct arrivals *list = arrivals_new();
    add(list, "k", ID, "approved");
    add(list, "k", ID, "canceled")->checked = false;
    list->items[1]->time = DRIVER_NOW;
    arrivals_order(list);
    expect_counts(list, 0);
    list->items[0]->checked = false;
    arrivals_order(list);
    expect_counts(list, 1);
    arrivals_free(list);
}

static void no_event_is_later_than_when_it_came(void **state) {
    (void)state;
    struct arrivals *list = arrivals_new();
    add(list, "k", ID, "approved")->time = DRIVER_NOW + INT64_C(1000000000000);
    add(list, "k", ID, "canceled");
    arrivals_order(list);
    expect_counts(list, 1);
    arrivals_free(list);
}

int main(void) {
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_at_every_size),
        cmocka_unit_test(the_detail_has_those_of_its_intent),
        cmocka_unit_test(of_the_lists_filter_at_every_size),
        cmocka_unit_test(narrowed_at_every_size),
        cmocka_unit_test(the_line_at_every_size),
        DRIVER_TEST_IN(the_key_shows_all_of_them, open_of_list, 24, 80),
        DRIVER_TEST_IN(until_the_lists_intents_are_known_no_event_is_called_theirs, driver_open_page_cached, 24, 80),
        DRIVER_TEST_IN(without_a_filter_of_the_list_the_key_says_so, driver_open, 24, 80),
        DRIVER_TEST_IN(the_filter_goes_along_with_the_question, driver_open, 24, 80),
        DRIVER_TEST_IN(of_a_filter_whose_view_is_gone_none_is_shown, driver_open, 24, 80),
        DRIVER_TEST_IN(with_a_filter_events_that_are_known_are_asked_for_again, driver_open, 24, 80),
        DRIVER_TEST_IN(what_no_event_has_is_a_fault, driver_open, 24, 80),
        DRIVER_TEST_IN(of_events_is_offered_what_they_have, driver_open, 24, 80),
        DRIVER_TEST_IN(it_is_looked_at_again_while_it_is_on_show, driver_open, 24, 80),
        DRIVER_TEST_IN(nothing_received_is_said, driver_open, 24, 80),
        DRIVER_TEST_IN(what_cannot_be_read_is_said, driver_open, 24, 80),
        DRIVER_TEST_IN(without_a_cache_that_is_said, driver_open, 24, 80),
        DRIVER_TEST_IN(an_index_that_moved_is_asked_again, driver_open, 24, 80),
        cmocka_unit_test(what_verified_counts_before_what_was_not_checked),
        cmocka_unit_test(no_event_is_later_than_when_it_came),
        DRIVER_TEST_IN(files_that_did_not_change_are_not_read_again, driver_open_page_cached, 24, 80),
        DRIVER_TEST_IN(one_reading_serves_many_records, driver_open_page_cached, 24, 80),
    };
    return cmocka_run_group_tests_name("arrivals", tests, driver_page_read, driver_page_drop);
}
