/* A list that lives, at a real terminal: the service moves on by itself, the record under the cursor stays. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WAIT = 40, LINE = 6, ID_FIRST = 8, CREATED_AT = 2 };

static int start(void **state) {
    (void)state;
    return console_serve(&service, (const char *const[]){"--intents", "300", "--tick", "100", NULL},
                         "auto_refresh = 1 requests_per_hour = 0\n")
               ? 0
               : -1;
}

/* The start of the id in a row of the list, where there is room for its column; the caller frees. */
static char *id_in(const char *row) {
    for (size_t i = strlen(row); i > 1; i--) {
        const char *at = row + i - 1;
        if (at[-1] == ' ' && strspn(at, "0123456789abcdef") == ID_FIRST && at[ID_FIRST] == '-')
            return mem_dup_n(at, ID_FIRST);
    }
    return mem_dup("");
}

static char *id_on(struct pty *pty, int line) {
    return id_in(pty_row(pty, line));
}

/* True once another list request than those before was answered and shown. */
static bool refreshed(struct pty *pty, int times) {
    int before = service_journal_count(&service, "/intent/list", "");
    if (!console_asks(pty, &service, "/intent/list", "", before + times - 1))
        return false;
    pty_settle(pty, 200);
    return true;
}

static bool cursor_comes_to(struct pty *pty, int line) {
    int64_t deadline = clock_mono() + WAIT * 1000;
    while (!pty_cell(pty, line, CREATED_AT).reverse && clock_mono() < deadline)
        pty_settle(pty, 50);
    return pty_cell(pty, line, CREATED_AT).reverse;
}

static void the_record_under_the_cursor_stays_while_rows_come(void **state) {
    (void)state;
    struct pty *pty = console_open(&service, 24, 200);
    assert_true(pty_expect(pty, "read so far", WAIT));
    assert_true(pty_expect(pty, "live 1 s", WAIT));
    pty_feed(pty, "djj jk");
    assert_true(pty_expect(pty, "1 marked", WAIT));
    assert_true(cursor_comes_to(pty, LINE));
    char *id = id_on(pty, LINE);
    assert_true(strlen(id) > 0);
    assert_true(pty_expect(pty, " new: .", WAIT));
    for (int i = 0; i < 3; i++) {
        assert_true(refreshed(pty, 1));
        char *now = id_on(pty, LINE);
        assert_string_equal(now, id);
        free(now);
        assert_true(pty_shows(pty, "1 marked"));
    }
    assert_true(pty_cell(pty, LINE, CREATED_AT).reverse);
    pty_feed(pty, ".");
    assert_true(pty_expect(pty, "+2026-", WAIT));
    pty_feed(pty, "p");
    assert_true(pty_expect(pty, "LIVE PAUSED", WAIT));
    pty_settle(pty, 300);
    int found = 0;
    for (int line = 0; line < 24; line++) {
        char *at = id_on(pty, line);
        if (pty_cell(pty, line, CREATED_AT).reverse && strcmp(at, id) == 0)
            found++;
        free(at);
    }
    assert_int_equal(found, 1);
    free(id);
    console_leave(pty);
}

/* The cursor on the third row of the list, and the list asks by itself. Where many rows came above the record under the
 * cursor before the list was held, it waits, as for somebody who reads further down. */
static bool stands_at_the_top(struct pty *pty) {
    int64_t deadline = clock_mono() + WAIT * 1000;
    do {
        pty_feed(pty, "gjj");
        if (!cursor_comes_to(pty, LINE - 1))
            return false;
        pty_settle(pty, 200);
    } while (!pty_shows(pty, "live 1 s") && clock_mono() < deadline);
    return pty_shows(pty, "live 1 s");
}

static void a_filtered_list_keeps_its_rows_too(void **state) {
    (void)state;
    struct pty *pty = console_open(&service, 24, 200);
    assert_true(pty_expect(pty, "read so far", WAIT));
    pty_feed(pty, "dR");
    assert_true(pty_expect(pty, "end of the list seen", WAIT));
    pty_feed(pty, "g/amount>=0\r");
    assert_true(pty_expect(pty, "all there are", WAIT));
    assert_true(pty_expect(pty, " new: .", WAIT)); /* the answer on show is the last that takes its place by itself */
    assert_true(stands_at_the_top(pty));
    char *first = id_on(pty, 3), *under = id_on(pty, LINE - 1);
    assert_true(strlen(under) > 0);
    assert_true(refreshed(pty, 2));
    char *first_now = id_on(pty, 3), *under_now = id_on(pty, LINE - 1);
    assert_string_equal(first_now, first);
    assert_string_equal(under_now, under);
    pty_feed(pty, "p");
    assert_true(pty_expect(pty, "LIVE PAUSED", WAIT));
    char *const texts[] = {first, under, first_now, under_now};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        free(texts[i]);
    console_leave(pty);
}

/* Two consoles of one profile: what the other reads is known here, without a request of this one's own. */
static void what_another_console_reads_arrives_here(void **state) {
    (void)state;
    struct proc proc;
    struct pty *pty = console_open(&service, 24, 120);
    assert_true(pty_expect(pty, "read so far", WAIT));
    pty_feed(pty, "g/amount>=0\r");
    assert_true(pty_expect(pty, "cached rows so far", WAIT));
    /* An answer that is still on its way may have the rows of the first reading: the service moves on, and a later one
     * has others. */
    bool arrived = false;
    int64_t deadline = clock_mono() + WAIT * 1000;
    while (!arrived && clock_mono() < deadline) {
        assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", "--all", NULL}, &proc), 0);
        (void)proc_end(&proc);
        pty_feed(pty, "g"); /* a row that came above the cursor would keep the list from asking what others read */
        arrived = pty_expect(pty, " new: .", 3);
    }
    assert_true(arrived);
    console_leave(pty);
}

static const char NEWER[] = "{\"id\":\"int-newer\",\"created_at\":\"2026-06-16T00:00:00.000Z\",\"amount\":1,"
                            "\"currency\":\"EUR\",\"status\":\"approved\"}";

/* One console after what filled the cache; the service has a newer intent meanwhile. Whether it spoke of a visit. */
static bool speaks_of_a_visit(const char *order, bool visited) {
    const char *const args[] = {"--intents", "30", "--style", order, NULL};
    struct service own;
    struct http_reply reply;
    struct proc proc;
    size_t len;
    assert_true(console_serve(&own, args, ""));
    if (visited) {
        struct pty *before = console_open(&own, 24, 120);
        assert_true(pty_expect(before, "end of the list seen", WAIT));
        console_leave(before);
    } else {
        assert_int_equal(console_run(&own, (const char *const[]){"intents", "list", "--all", NULL}, &proc), 0);
        (void)proc_end(&proc);
    }
    assert_true(service_control(&own, "POST", "/control/intents", NEWER, &reply));
    assert_true(reply.status < 300);
    http_reply_clear(&reply);
    struct pty *pty = console_open(&own, 24, 120);
    assert_true(pty_expect(pty, "31, end of the list seen", WAIT));
    pty_settle(pty, 300);
    const char *bytes = pty_bytes(pty, &len);
    bool speaks = memmem(bytes, len, "last visit", strlen("last visit")) != NULL;
    console_leave(pty);
    assert_int_equal(service_stop(&own), 0);
    return speaks;
}

static void f38_a_last_visit_is_spoken_of_where_there_was_one_and_newest_stands_first(void **state) {
    (void)state;
    assert_true(speaks_of_a_visit("order=newest", true));
    assert_false(speaks_of_a_visit("order=oldest", true));
    assert_false(speaks_of_a_visit("order=newest", false));
}

/* A service without an order of its own: what a filter is looked for in stands by time, and is said to. */
static void f38_rows_by_time_are_not_called_as_sent(void **state) {
    (void)state;
    static const int HOURS[] = {7, 3, 9, 1, 12, 5};
    struct service own;
    struct str body;
    char file[4096], rule[4200];
    str_init(&body, 1 << 16);
    for (size_t i = 0; i < COUNT_OF(HOURS); i++) {
        str_addf(&body,
                 "%s{\"id\":\"row-%d\",\"created_at\":\"2026-11-02T%02d:00:00Z\",\"status\":\"pending\",\"amount\":%d,"
                 "\"currency\":\"USD\"}",
                 i > 0 ? "," : "{\"data\":[", HOURS[i], HOURS[i], HOURS[i]);
    }
    str_add(&body, "],\"next_cursor\":null}");
    (void)snprintf(file, sizeof file, "/tmp/bursar-shuffled-%d.json", (int)getpid());
    assert_true(proc_write_file(file, body.s));
    (void)snprintf(rule, sizeof rule, "path=/intent/list body_file=%s", file);
    assert_true(console_serve(&own, (const char *const[]){"--intents", "1", "--fault", rule, NULL}, ""));
    struct pty *pty = console_open(&own, 24, 140);
    assert_true(pty_expect(pty, "1 of 6, end of the list seen", WAIT));
    assert_true(pty_shows(pty, "order: as sent by the service"));
    pty_feed(pty, "/amount>2\r");
    assert_true(pty_expect(pty, "3 of 5", WAIT)); /* the row under the cursor stays */
    assert_true(pty_expect(pty, "order: newest first", WAIT));
    console_leave(pty);
    (void)service_stop(&own);
    (void)unlink(file);
    str_clear(&body);
}

#define AFTER_START(test) cmocka_unit_test_setup_teardown(test, start, stop_service)

int main(void) {
    const struct CMUnitTest tests[] = {
        AFTER_START(the_record_under_the_cursor_stays_while_rows_come),
        AFTER_START(a_filtered_list_keeps_its_rows_too),
        AFTER_START(what_another_console_reads_arrives_here),
        cmocka_unit_test(f38_rows_by_time_are_not_called_as_sent),
        cmocka_unit_test(f38_a_last_visit_is_spoken_of_where_there_was_one_and_newest_stands_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
