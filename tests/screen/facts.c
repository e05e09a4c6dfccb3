/* What is known of one intent: its parts, who shares them, what was observed to change. */
#include "app/observed.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct effect *asked(const struct driver *driver) {
    for (size_t i = 0; i < driver->effects.n; i++)
        if (driver->effects.items[i].kind == EFFECT_OBSERVED)
            return &driver->effects.items[i];
    return NULL;
}

static void tell(struct driver *driver, struct observed *observed) {
    assert_non_null(asked(driver));
    struct event event = {
        .kind = EVENT_OBSERVED, .ticket = asked(driver)->ticket, .payload = payload_of(observed, observed)};
    driver_event(driver, &event);
}

static struct observed *held(void) {
    struct observed *observed = observed_new();
    observed->held = true;
    observed->first_seen = DRIVER_NOW - 86400000;
    observed->confirmed = DRIVER_NOW - 60000;
    return observed;
}

static void add(struct observed *observed, int64_t seen, const char *field, const char *old, const char *now) {
    struct observed_change *change = vec_add(observed);
    *change = (struct observed_change){seen, field, old, now};
}

static void open_changed(struct driver *driver, int rows, int cols) {
    struct observed *observed = held();
    driver_open_page_cached(driver, rows, cols);
    driver_keys(driver, "j D");
    add(observed, DRIVER_NOW - 7200000, "status", "created", "pending");
    add(observed, DRIVER_NOW - 3600000, "status", "pending", "declined");
    add(observed, DRIVER_NOW - 3600000, "decline_category", NULL, "insufficient_funds");
    add(observed, DRIVER_NOW - 60000, "payment_credential.bank_name", "", NULL);
    tell(driver, observed);
}

static void changes_say_what_from_to_and_when(void **state) {
    (void)state;
    driver_check_sizes("changes", "80x24 200x50 40x8", open_changed, "");
}

#define LONG_ID "94082c14-52d5-4b73-9b0e-3c1c3c7a0f11"

static void a_long_change_is_broken_and_never_cut(void **state) {
    static const struct { int rows, cols; } SIZES[] = {{24, 80}, {8, 40}};
    static const char *const PARTS[] = {"UTC", "transactions[94082c14-52d5", "created_pending", "waiting_for",
                                        "settlement_of_the_other_side"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        struct observed *observed = held();
        driver_open_page_cached(&driver, SIZES[i].rows, SIZES[i].cols);
        driver_keys(&driver, "j D");
        add(observed, DRIVER_NOW - 60000, "transactions[" LONG_ID "].status", "created_pending_approval",
            "waiting_for_the_other_side settlement_of_the_other_side");
        tell(&driver, observed);
        for (size_t k = 0; k < COUNT_OF(PARTS); k++) {
            driver_key(&driver, "g");
            for (int step = 0; step < 12 && !driver_sees(&driver, PARTS[k]); step++)
                driver_key(&driver, "j");
            driver_shows(&driver, PARTS[k]);
        }
        driver_key(&driver, "G");
        driver_check(&driver, SIZES[i].cols == 40 ? "changes-long-40x8" : "changes-long-80x24");
        driver_close(&driver);
    }
}

static void the_intent_under_the_cursor_is_asked_for(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "j D");
    assert_string_equal(effect_get(asked(driver), lookup_name)->id, "27d6fb76-87e3-41fa-a896-5a1843b7735a");
    driver_shows(driver, "looking");
    tell(driver, held());
    driver_shows(driver, "no change was observed");
    driver_key(driver, "Esc");
    driver_hides(driver, "Observed changes");
}

/* Short labels as well leave the narrow screen no room for a time beside them. */
static void a_time_is_in_one_piece_on_the_narrow_screen(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open_page_cached(driver, 8, 40);
    driver_keys(driver, "j D");
    tell(driver, held());
    driver_shows(driver, "2026-11-27 12:00:00 UTC");
}

static void an_answer_that_nobody_waits_for_is_dropped(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "D");
    uint64_t first = asked(driver)->ticket;
    driver_forget(driver);
    driver_keys(driver, "Esc j D");
    struct event event = {.kind = EVENT_OBSERVED, .ticket = first, .payload = payload_of(observed, held())};
    driver_event(driver, &event);
    driver_shows(driver, "looking");
}

static void what_the_cache_does_not_hold_is_said(void **state) {
    struct driver *driver = *state;
    struct observed *failed = observed_new();
    driver_key(driver, "D");
    tell(driver, observed_new());
    driver_shows(driver, "does not hold this intent yet");
    driver_forget(driver);
    driver_keys(driver, "Esc D");
    (void)error_set(&failed->error, ERR_STORE, "the cache is gone");
    tell(driver, failed);
    driver_shows(driver, "the cache is gone");
}

static void what_the_cache_learns_while_it_is_open_is_told(void **state) {
    struct driver *driver = *state;
    struct event moved = {.kind = EVENT_INDEX, .payload = payload_of(index_filled, &(struct index_filled){false})};
    struct observed *observed = held();
    driver_key(driver, "D");
    tell(driver, held());
    driver_forget(driver);
    driver_event(driver, &moved);
    add(observed, DRIVER_NOW, "status", "pending", "approved");
    tell(driver, observed);
    driver_shows(driver, "pending -> approved");
    driver_forget(driver);
    driver_key(driver, "Esc");
    driver_event(driver, &moved);
    assert_null(asked(driver));
}

static void without_a_cache_no_changes_are_kept(void **state) {
    struct driver *driver = driver_begin(state);
    driver_open(driver, 24, 80);
    driver_answer(driver, driver_page);
    driver_forget(driver);
    driver_key(driver, "D");
    assert_null(asked(driver));
    driver_shows(driver, "which is not in use");
}

static void parts_of_an_intent(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "j o");
    driver_check(driver, "parts-80x24");
    driver_key(driver, "Enter");
    driver_check(driver, "parts-transactions");
    driver_keys(driver, "Esc Down Enter");
    driver_check(driver, "parts-credential");
    driver_keys(driver, "Esc Esc");
    driver_hides(driver, "Parts of this intent");
}

static void enter_in_the_detail_looks_further(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "Enter Enter", "Parts of this intent");
}

/* Parts are those of the intent as it was: the list may move on under the box. */
static void a_refresh_under_the_box_changes_nothing_in_it(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "r j o");
    driver_answer(driver, "{\"data\":[{\"id\":\"other\"}]}");
    driver_try(driver, "Enter", "ad2a3da2-3091-480a-9934-f11627dbefc3");
}

static void intents_that_share_a_part_are_listed(void **state) {
    static const struct {
        const char *find, *filter;
    } CASES[] = {
        {"user", "local[user=dfd707ee-a230-43af-b7c1-bbfc1b1daac7]"},
        {"bank", "local[bank=\"Sz\u0151l\u0151hegyi Takar\u00e9k\"]"},
        {"card mask", "local[mask=1465]"},
        {"routing", "local[routing=399985821]"},
        {"name of", "local[account.name=\"Settlement MXN 9209\"]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct driver driver;
        driver_open_page_cached(&driver, 24, 120);
        driver_keys(&driver, "j Enter o");
        driver_text(&driver, CASES[i].find);
        driver_key(&driver, "Enter");
        looker_answer(&driver, driver_page, false);
        driver_shows(&driver, CASES[i].filter, "of 1 so far");
        driver_close(&driver);
    }
}

#define AFTER_SET_UP(test) DRIVER_TEST_IN(test, driver_open_page_cached, 24, 80)

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_say_what_from_to_and_when),
        cmocka_unit_test(a_long_change_is_broken_and_never_cut),
        AFTER_SET_UP(the_intent_under_the_cursor_is_asked_for),
        DRIVER_TEST(a_time_is_in_one_piece_on_the_narrow_screen),
        AFTER_SET_UP(an_answer_that_nobody_waits_for_is_dropped),
        AFTER_SET_UP(what_the_cache_does_not_hold_is_said),
        AFTER_SET_UP(what_the_cache_learns_while_it_is_open_is_told),
        DRIVER_TEST(without_a_cache_no_changes_are_kept),
        AFTER_SET_UP(parts_of_an_intent),
        AFTER_SET_UP(enter_in_the_detail_looks_further),
        AFTER_SET_UP(a_refresh_under_the_box_changes_nothing_in_it),
        cmocka_unit_test(intents_that_share_a_part_are_listed),
    };
    return cmocka_run_group_tests(tests, driver_page_read, driver_page_drop);
}
