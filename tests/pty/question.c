/* Bar: "the declined card payment of about fifty last Tuesday at that bank, its reason, its id copied and handed over",
 * at a terminal of 80 columns, in at most 25 keys from the start. Each byte fed is a key. */
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE = 20, KEYS_MOST = 25, DAY = 24 * 60 * 60, TUESDAY = 2 };

static struct service own;
static char file[4096];

struct row {
    const char *id, *status, *rail, *bank, *amount;
    int days_off; /* from last Tuesday */
};

/* One is asked for; each other one differs from it in one matter. */
static const struct row ROWS[] = {
    {"int_wanted", "declined", "card", "Nordlys Bank", "5149", 0},
    {"int_paid", "approved", "card", "Nordlys Bank", "5149", 0},
    {"int_sepa", "declined", "sepa", "Nordlys Bank", "5149", 0},
    {"int_much", "declined", "card", "Nordlys Bank", "8149", 0},
    {"int_late", "declined", "card", "Nordlys Bank", "5149", 1},
    {"int_early", "declined", "card", "Nordlys Bank", "5149", -7},
    {"int_other", "declined", "card", "Copperfield Trust", "5149", 0},
};

/* Noon of the Tuesday before today, as the filter language has it. */
static time_t last_tuesday(void) {
    time_t at = time(NULL) / DAY * DAY - DAY;
    struct tm day;
    while (gmtime_r(&at, &day) && day.tm_wday != TUESDAY)
        at -= DAY;
    return at + DAY / 2;
}

static void add_row(const struct row *row, struct str *out) {
    char created[32];
    struct tm at;
    time_t when = last_tuesday() + (time_t)row->days_off * DAY;
    (void)gmtime_r(&when, &at);
    (void)strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &at);
    str_addf(out,
             "{\"id\":\"%s\",\"created_at\":\"%s\",\"status\":\"%s\",\"direction\":\"cash_in\",\"type\":\"primary\","
             "\"amount\":%s,\"currency\":\"EUR\",\"rail\":\"%s\",\"user_id\":\"usr_%s\",\"decline_category\":%s,"
             "\"payment_credential\":{\"bank_name\":\"%s\"}}",
             row->id, created, row->status, row->amount, row->rail, row->id,
             strcmp(row->status, "declined") == 0 ? "\"insufficient_funds\"" : "null", row->bank);
}

static int start(void **state) {
    struct str body;
    char rule[4200];
    (void)state;
    str_init(&body, 1 << 16);
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        str_add(&body, i > 0 ? "," : "{\"data\":[");
        add_row(&ROWS[i], &body);
    }
    str_add(&body, "],\"next_cursor\":null}");
    (void)snprintf(file, sizeof file, "/tmp/bursar-question-%d.json", (int)getpid());
    (void)snprintf(rule, sizeof rule, "path=/intent/list body_file=%s", file);
    bool ready =
        proc_write_file(file, body.s) &&
        console_serve(&own, (const char *const[]){"--intents", "1", "--fault", rule, NULL}, "  amount_unit = minor\n");
    str_clear(&body);
    return ready ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    (void)unlink(file);
    return service_stop(&own);
}

static size_t press(struct pty *pty, const char *keys) {
    pty_feed(pty, keys);
    return strlen(keys);
}

static void a_customers_question_is_answered_in_25_keys(void **state) {
    static const char *const PLAIN[] = {"DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", NULL};
    struct pty_options options = {.rows = 24, .cols = 80, .folder = own.folder};
    struct pty *pty = console_open_env(&own, NULL, PLAIN, &options);
    size_t keys = 0;
    (void)state;
    assert_true(pty_expect(pty, "7, end of the list seen", PATIENCE));
    keys += press(pty, "/dec car :tue ~50 nor");
    assert_true(pty_expect(pty, "1 of 1", PATIENCE));
    assert_true(pty_expect(pty, "decl 1", PATIENCE)); /* what is left, before Enter */
    keys += press(pty, "\r");
    assert_true(pty_expect(pty, "local[", PATIENCE));
    keys += press(pty, "\r");
    assert_true(pty_expect(pty, "intent int_wanted", PATIENCE));
    assert_true(pty_expect(pty, "insufficient_funds", PATIENCE)); /* its reason */
    keys += press(pty, "Y");
    assert_true(pty_expect(pty, "summary for a ticket", PATIENCE));
    keys += press(pty, "\r"); /* the id whole, with what a ticket needs */
    assert_true(pty_expect(pty, "the summary", PATIENCE) && pty_shows(pty, "sent to the terminal"));
    if (keys > KEYS_MOST)
        fail_msg("%zu keys", keys);
    console_leave(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_customers_question_is_answered_in_25_keys),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
