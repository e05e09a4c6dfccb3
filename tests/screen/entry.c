/* What people type, paste and choose: nothing of it is lost or changed unseen. Rows of the list of faults that were
 * found, by their numbers. */
#include "app/webhook.h"
#include "base/mem.h"
#include "support/driver.h"

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
    for (size_t i = 0; i < n; i++) {
        text[i] = ALPHABET[(i * 7) % (sizeof ALPHABET - 1)];
    }
    text[n] = '\0';
    return text;
}

/* ---- Secrets and limits ---- */

static void to_secret(struct driver *driver) {
    open_pane(driver, "3");
    driver_webhook(driver, webhook_answer_new(WEBHOOK_KNOWN));
    driver_keys(driver, "Enter Ctrl-U");
    driver_text(driver, "https://hooks.example.com/x");
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
        assert_true(driver_sees(&driver, "at most 4096 characters"));
        assert_false(driver_sees(&driver, "4160"));
        driver_text(&driver, secret); /* a terminal that marks no pastes */
        assert_true(driver_sees(&driver, "at most 4096 characters"));
        driver_key(&driver, "Esc");
        driver_key(&driver, "s");
        assert_false(driver_sees(&driver, "Send it"));
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
    assert_false(driver_sees(&driver, "too long"));
    driver_text(&driver, "x");
    assert_true(driver_sees(&driver, "too long: at most 4096"));
    driver_close(&driver);
    free(text);
}

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f103_a_secret_too_long_is_refused_by_the_rules_own_number),
        cmocka_unit_test(f103_what_a_field_has_no_room_for_is_said_at_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
