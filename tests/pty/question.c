/* Bars at a terminal of 80 columns, each byte fed is a key. "The declined card payment of about fifty last Tuesday at
 * that bank, its reason, its id copied and handed over" in at most 25 keys from the start; "is this week worse than
 * last at that bank" in at most 12. */
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE = 20, KEYS_MOST = 25, WEEK_KEYS_MOST = 12, DAY = 24 * 60 * 60, TUESDAY = 2 };

static struct service own;
static char file[4096];

struct row {
    const char *id, *status, *rail, *bank, *amount;
    int days_off; /* from last Tuesday, or from now */
    bool from_now;
};

/* One is asked for; each other one differs from it in one matter. */
static const struct row ROWS[] = {
    {"int_wanted", "declined", "card", "Nordlys Bank", "5149", 0, false},
    {"int_paid", "approved", "card", "Nordlys Bank", "5149", 0, false},
    {"int_sepa", "declined", "sepa", "Nordlys Bank", "5149", 0, false},
    {"int_much", "declined", "card", "Nordlys Bank", "8149", 0, false},
    {"int_late", "declined", "card", "Nordlys Bank", "5149", 1, false},
    {"int_early", "declined", "card", "Nordlys Bank", "5149", -7, false},
    {"int_other", "declined", "card", "Copperfield Trust", "5149", 0, false},
    /* One of four this week, and three of four the week before. */
    {"int_now_1", "approved", "rtp", "Harbour Union", "100", -1, true},
    {"int_now_2", "declined", "rtp", "Harbour Union", "100", -2, true},
    {"int_now_3", "declined", "rtp", "Harbour Union", "100", -3, true},
    {"int_now_4", "declined", "rtp", "Harbour Union", "100", -6, true},
    {"int_then_1", "approved", "rtp", "Harbour Union", "100", -8, true},
    {"int_then_2", "approved", "rtp", "Harbour Union", "100", -9, true},
    {"int_then_3", "approved", "rtp", "Harbour Union", "100", -12, true},
    {"int_then_4", "declined", "rtp", "Harbour Union", "100", -13, true},
    {"int_long_ago", "approved", "rtp", "Harbour Union", "100", -20, true},
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
    time_t when = (row->from_now ? time(NULL) : last_tuesday()) + (time_t)row->days_off * DAY;
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
    assert_true(pty_expect(pty, "16, end of the list seen", PATIENCE));
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

/* The rate of approval of the bank, beside that of the same days a week before. */
static void whether_a_week_is_worse_is_answered_in_12_keys(void **state) {
    struct pty *pty = console_open(&own, 24, 80);
    size_t keys = 0;
    (void)state;
    assert_true(pty_expect(pty, "16, end of the list seen", PATIENCE));
    keys += press(pty, "/har\r");
    assert_true(pty_expect(pty, "local[har]", PATIENCE));
    keys += press(pty, "Fllll"); /* counts, of the bank */
    assert_true(pty_expect(pty, "Harbour Union", PATIENCE));
    keys += press(pty, "c"); /* against a week before; the filter names no time, so it is of the last week */
    assert_true(pty_expect(pty, "against 7 days earlier", PATIENCE));
    keys += press(pty, "%");
    assert_true(pty_expect(pty, "1/4 25.0%", PATIENCE) && pty_expect(pty, "3/4 75.0%", PATIENCE));
    assert_true(pty_shows(pty, "-50.0 pts"));
    if (keys > WEEK_KEYS_MOST)
        fail_msg("%zu keys", keys);
    pty_feed(pty, "\x1b");
    console_leave(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_customers_question_is_answered_in_25_keys),
        cmocka_unit_test(whether_a_week_is_worse_is_answered_in_12_keys),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
