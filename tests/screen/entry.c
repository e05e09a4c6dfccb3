/* What people type, paste and choose: nothing of it is lost or changed unseen. Rows of the list of faults that were
 * found, by their numbers. */
#include "app/webhook.h"
#include "base/mem.h"
#include "support/driver.h"
#include "support/effects.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void open_pane(struct driver *driver, const char *key) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "https://api.example.com");
    profile->read_only = false;
    driver_open_profile(driver, profile, 24, 80);
    driver_key(driver, key);
}

static char *letters(size_t n) {
    static const char ALPHABET[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char *text = mem_new(n + 1);
    for (size_t i = 0; i < n; i++)
        text[i] = ALPHABET[(i * 7) % (sizeof ALPHABET - 1)];
    text[n] = '\0';
    return text;
}

/* ---- Secrets and limits ---- */

static void to_secret(struct driver *driver) {
    open_pane(driver, "3");
    driver_webhook(driver, webhook_answer_new(WEBHOOK_KNOWN));
    driver_keys(driver, "Enter Ctrl-U 'https://hooks.example.com/x'");
    driver_keys(driver, "Tab Enter Enter"); /* signing: the secret is given */
}

static void f103_a_secret_too_long_is_refused_by_the_rules_own_number(void **state) {
    static const size_t LENGTHS[] = {20000, WEBHOOK_SECRET_MAX + 65};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(LENGTHS); i++) {
        struct driver driver;
        char *secret = letters(LENGTHS[i]);
        to_secret(&driver);
        driver_paste(&driver, secret);
        driver_shows(&driver, "at most 4096 characters");
        driver_hides(&driver, "4160");
        secret[WEBHOOK_SECRET_MAX + 65] = '\0'; /* each key is drawn: a length beyond the limit is enough */
        driver_text(&driver, secret);           /* a terminal that marks no pastes */
        driver_shows(&driver, "at most 4096 characters");
        driver_keys(&driver, "Esc s");
        driver_hides(&driver, "Send it");
        driver_close(&driver);
        free(secret);
    }
}

static void f103_what_a_field_has_no_room_for_is_said_at_the_key(void **state) {
    struct driver driver;
    char *text = letters(4096);
    (void)state;
    open_pane(&driver, "2");
    driver_key(&driver, "Enter");
    driver_paste(&driver, text);
    driver_hides(&driver, "too long");
    driver_try(&driver, "'x'", "too long: at most 4096");
    driver_close(&driver);
    free(text);
}

/* ---- Letters on a marked field ---- */

static void f93_typing_on_a_marked_field_is_typing(void **state) {
    static const char *const PANES[] = {"2", "3"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(PANES); i++) {
        struct driver driver;
        open_pane(&driver, PANES[i]);
        if (i == 1) {
            driver_webhook(&driver, webhook_answer_new(WEBHOOK_KNOWN));
            driver_keys(&driver, "Enter Esc");
        }
        driver_text(&driver, "Quentin");
        assert_false(shell_is_finished(driver.shell));
        driver_shows(&driver, "Quentin");
        driver_hides(&driver, "Leave bursar?");
        driver_close(&driver);
    }
}

static void f93_the_key_alone_leaves_an_empty_form(void **state) {
    struct driver driver;
    (void)state;
    open_pane(&driver, "2");
    driver_key(&driver, "Q");
    assert_false(shell_is_finished(driver.shell));
    assert_non_null(driver_effect(&driver, EFFECT_TIMER));
    driver_timer(&driver, TIMER_LEAVE, 600);
    assert_true(shell_is_finished(driver.shell));
    driver_close(&driver);
    open_pane(&driver, "2");
    driver_keys(&driver, "Q Esc");
    driver_timer(&driver, TIMER_LEAVE, 600);
    assert_false(shell_is_finished(driver.shell));
    driver_close(&driver);
}

static void f93_a_letter_that_does_nothing_begins_to_type(void **state) {
    struct driver *driver = driver_begin(state);
    open_pane(driver, "2");
    driver_try(driver, "'Kim'", "Kim");
}

/* Of a word whose first letter is a key nothing is typed: part of a name looks like a name. */
static void f93_a_word_is_typed_whole_or_not_at_all(void **state) {
    struct driver *driver = driver_begin(state);
    open_pane(driver, "2");
    driver_text(driver, "pete");
    driver_hides(driver, "ete ");
    driver_shows(driver, "nothing was typed: \"p\" is a key here; Enter opens the field");
    driver->now += 1500;
    driver_try(driver, "'erik'", "erik");
}

static void f93_an_opened_field_takes_every_letter(void **state) {
    struct driver *driver = driver_begin(state);
    open_pane(driver, "2");
    driver_try(driver, "Enter 'pete'", "pete");
    driver_hides(driver, "nothing was typed");
}

/* A key pressed on purpose, and then a name. */
static void f93_after_a_key_and_a_pause_typing_begins(void **state) {
    struct driver *driver = driver_begin(state);
    open_pane(driver, "2");
    driver_key(driver, "j");
    driver->now += 1500;
    driver_try(driver, "'erik'", "erik");
    driver_hides(driver, "nothing was typed");
}

static void f93_leaving_asks_where_a_form_is_filled(void **state) {
    struct driver *driver = driver_begin(state);
    open_pane(driver, "3");
    driver_webhook(driver, webhook_answer_new(WEBHOOK_KNOWN));
    driver_keys(driver, "Enter 'https://hooks.example.com/x'");
    driver_try(driver, "Esc 1 Q", "Leave bursar?");
    assert_false(shell_is_finished(driver->shell));
    driver_keys(driver, "Right Enter");
    assert_true(shell_is_finished(driver->shell));
}

static void f105_a_tiny_screen_says_what_to_press(void **state) {
    static const int SIZES[][2] = {{5, 20}, {4, 30}, {7, 39}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct driver driver;
        open_pane(&driver, "2");
        driver_keys(&driver, "Enter 'Ann'");
        driver_resize(&driver, SIZES[i][0], SIZES[i][1]);
        driver_key(&driver, "Q");
        assert_false(shell_is_finished(driver.shell));
        driver_shows(&driver, "not sent: Q again");
        driver_key(&driver, "Esc");
        driver_hides(&driver, "not sent");
        driver_keys(&driver, "Q Q");
        assert_true(shell_is_finished(driver.shell));
        driver_close(&driver);
    }
}

/* As the console leaves: forms go to the disk, which is full; then it asks whether that is meant. True: it leaves. */
static bool leaves_a_full_disk(struct driver *driver) {
    struct effects effects = {0};
    struct error failure = {ERR_FILE, "no space left on device"};
    shell_end(driver->shell, &effects);
    const struct effect *kept = effects_last(&effects, EFFECT_DRAFT_KEEP);
    assert_non_null(kept);
    char *name = mem_dup(effect_get(kept, draft_ask)->name);
    struct event event = {.kind = EVENT_DRAFT_KEPT,
                          .payload = payload_of(draft_kept, &(struct draft_kept){name, &failure})};
    driver_event(driver, &event);
    effects_clear(&effects);
    free(name);
    return shell_may_leave(driver->shell);
}

static void open_named_form(struct driver *driver) {
    struct journal_answer *counts = journal_answer_new(JOURNAL_COUNTS);
    open_pane(driver, "2");
    memcpy(counts->nonce, "00112233445566778899aabbccddeeff", sizeof counts->nonce);
    driver_journal(driver, counts);
    driver_keys(driver, "Enter 'Ann' Esc");
}

/* Whether the disk was full before the screen became tiny or is found to be by leaving: what is said then works. */
static void f105_f15_a_tiny_screen_says_how_to_lose_what_cannot_be_kept(void **state) {
    (void)state;
    for (int known = 0; known < 2; known++) {
        struct driver driver;
        open_named_form(&driver);
        if (known) {
            assert_false(leaves_a_full_disk(&driver));
            driver_key(&driver, "Esc");
        }
        driver_resize(&driver, 5, 20);
        if (!known) {
            driver_keys(&driver, "Q Q");
            assert_true(shell_is_finished(driver.shell));
            assert_false(leaves_a_full_disk(&driver));
            driver_shows(&driver, "cannot be kept: Q");
            driver_key(&driver, "Esc");
        }
        driver_hides(&driver, "cannot be kept");
        driver_key(&driver, "Q");
        assert_false(shell_is_finished(driver.shell));
        driver_shows(&driver, "cannot be kept: Q");
        driver_key(&driver, "Q");
        assert_true(shell_is_finished(driver.shell));
        assert_true(leaves_a_full_disk(&driver));
        driver_close(&driver);
    }
}

static void f15_no_promise_is_made_for_a_form_that_could_not_be_kept(void **state) {
    struct driver *driver = driver_begin(state);
    open_named_form(driver);
    driver_try(driver, "Q", "It is kept for 7 days");
    driver_key(driver, "Esc");
    assert_false(leaves_a_full_disk(driver));
    driver_try(driver, "Esc Q", "it could not be kept on the disk");
    driver_hides(driver, "kept for 7 days");
}

/* ---- The country ---- */

static void f90_what_is_typed_finds_the_country_that_is_meant(void **state) {
    static const char *const CASES[][2] = {
        {"ger", "Germany (DE)"},
        {"uk", "United Kingdom (GB)"},
        {"usa", "United States (US)"},
        {"DEU", "Germany (DE)"},
        {"holland", "Netherlands (NL)"},
        {"de", "Germany (DE)"},
        {"england", "United Kingdom"},
        {"deutschland", "Germany (DE)"},
        {"hongkong", "Hong Kong (HK)"},
        {"macau", "(MO)"},
        {"st. lucia", "Saint Lucia (LC)"},
        {"st vincent", "Saint Vincent"},
        {"persia", "(IR)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct driver driver;
        open_pane(&driver, "2");
        driver_keys(&driver, "Enter Tab Tab");
        driver_text(&driver, CASES[i][0]);
        driver_key(&driver, "Enter");
        if (!driver_sees(&driver, CASES[i][1]))
            fail_msg("%s", CASES[i][0]);
        driver_close(&driver);
    }
}

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f103_a_secret_too_long_is_refused_by_the_rules_own_number),
        cmocka_unit_test(f93_typing_on_a_marked_field_is_typing),
        cmocka_unit_test(f93_the_key_alone_leaves_an_empty_form),
        DRIVER_TEST(f93_a_letter_that_does_nothing_begins_to_type),
        DRIVER_TEST(f93_a_word_is_typed_whole_or_not_at_all),
        DRIVER_TEST(f93_an_opened_field_takes_every_letter),
        DRIVER_TEST(f93_after_a_key_and_a_pause_typing_begins),
        DRIVER_TEST(f93_leaving_asks_where_a_form_is_filled),
        cmocka_unit_test(f105_a_tiny_screen_says_what_to_press),
        cmocka_unit_test(f105_f15_a_tiny_screen_says_how_to_lose_what_cannot_be_kept),
        DRIVER_TEST(f15_no_promise_is_made_for_a_form_that_could_not_be_kept),
        cmocka_unit_test(f90_what_is_typed_finds_the_country_that_is_meant),
        cmocka_unit_test(f103_what_a_field_has_no_room_for_is_said_at_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
