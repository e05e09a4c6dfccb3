/* The real console on a pseudo-terminal, against the sandbox: what a person at a terminal sees. */
#include "base/clock.h"
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int start(void **state) {
    (void)state;
    return serve_intents("2000");
}

static struct pty *open_list(int rows, int cols) {
    struct pty *pty = console_open(&service, rows, cols);
    assert_true(pty_expect(pty, "read so far, more on the server", 20));
    return pty;
}

static void rows_come_and_the_cursor_moves(void **state) {
    (void)state;
    static const int SIZES[][2] = {{24, 80}, {50, 200}};
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        int row, next, col;
        bool visible;
        struct pty *pty = open_list(SIZES[i][0], SIZES[i][1]);
        assert_true(pty_shows(pty, "SANDBOX"));
        pty_cursor(pty, &row, &col, &visible);
        pty_feed(pty, "j");
        assert_true(pty_expect(pty, "2 of ", 20));
        pty_cursor(pty, &next, &col, &visible);
        assert_int_equal(next, row + 1);
        console_leave(pty);
    }
}

static void leaving_restores_the_terminal(void **state) {
    (void)state;
    struct termios before, after;
    struct pty *pty = console_open(&service, 24, 80);
    pty_modes(pty, &before);
    assert_true(pty_expect(pty, "read so far", 20));
    assert_true(pty_is_alternate(pty));
    int status;
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, 20, &status));
    pty_modes(pty, &after);
    assert_true(pty_same_modes(&before, &after));
    assert_false(pty_is_alternate(pty));
    int row, col;
    bool visible;
    pty_cursor(pty, &row, &col, &visible);
    assert_true(visible);
    pty_free(pty);
}

static void k13_every_catchable_end_restores_the_terminal(void **state) {
    (void)state;
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT};
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        struct termios before, after;
        int status;
        struct pty *pty = console_open(&service, 24, 80);
        pty_modes(pty, &before);
        assert_true(pty_expect(pty, "read so far", 20));
        pty_signal(pty, SIGNALS[i]);
        assert_true(pty_wait(pty, 20, &status));
        if (SIGNALS[i] == SIGSEGV || SIGNALS[i] == SIGABRT) {
            assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
        } else {
            assert_true(WIFEXITED(status));
            assert_int_equal(WEXITSTATUS(status), 128 + SIGNALS[i]);
        }
        pty_modes(pty, &after);
        assert_true(pty_same_modes(&before, &after));
        assert_false(pty_is_alternate(pty));
        pty_free(pty);
    }
}

static void paging_reads_on_to_the_end(void **state) {
    (void)state;
    struct pty *pty = open_list(50, 200);
    for (int i = 0; i < 400 && !pty_shows(pty, "end of the list seen"); i++) {
        pty_feed(pty, "\x06"); /* Ctrl-F */
        pty_settle(pty, 5);
    }
    assert_true(pty_expect(pty, "2,000, end of the list seen", 20));
    pty_feed(pty, "G");
    assert_true(pty_expect(pty, "2,000 of 2,000", 20));
    console_leave(pty);
}

static void the_facet_picker_filters_on_the_server(void **state) {
    (void)state;
    struct pty *pty = open_list(24, 80);
    pty_feed(pty, "f");
    assert_true(pty_expect(pty, "status (any of)", 20));
    pty_feed(pty, "\x1b[B\x1b[B \r");
    assert_true(pty_expect(pty, "server[status:declined]", 20));
    assert_true(console_asks(pty, &service, "status=declined", "/intent/list", 0));
    console_leave(pty);
}

static void enter_opens_the_detail_and_escape_closes_it(void **state) {
    (void)state;
    struct pty *pty = open_list(24, 80);
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "decline_category", 20));
    pty_feed(pty, "J");
    assert_true(pty_expect(pty, "\"created_at\": \"", 20));
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "created UTC", 20));
    console_leave(pty);
}

static void a_key_that_changes_nothing_writes_nothing(void **state) {
    (void)state;
    size_t len;
    struct pty *pty = open_list(50, 200);
    assert_true(pty_expect(pty, "payment credential", 20));
    pty_feed(pty, "d");
    assert_true(pty_expect_gone(pty, "payment credential", 20));
    pty_settle(pty, 1000);
    pty_mark(pty);
    pty_feed(pty, "k");
    pty_settle(pty, 100);
    (void)pty_bytes_since(pty, &len);
    assert_int_equal(len, 0);
    console_leave(pty);
}

static void k10_tiny_sizes_are_survived(void **state) {
    (void)state;
    static const int SIZES[][2] = {{5, 80}, {4, 80}, {1, 80}, {1, 1}, {5, 20}, {200, 500}, {24, 80}};
    struct pty *pty = open_list(24, 80);
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        pty_resize(pty, SIZES[i][0], SIZES[i][1]);
        pty_settle(pty, 50);
    }
    assert_true(pty_expect(pty, "created UTC", 20));
    console_leave(pty);
}

static void k11_a_resize_keeps_the_record(void **state) {
    (void)state;
    struct pty *pty = open_list(24, 80);
    pty_feed(pty, "jjjjjjjjjjjjjjjj");
    assert_true(pty_expect(pty, "17 of ", 20));
    pty_resize(pty, 10, 80);
    pty_settle(pty, 100);
    assert_true(pty_expect(pty, "17 of ", 20));
    console_leave(pty);
}

static void k12_a_vanished_terminal_ends_the_program(void **state) {
    (void)state;
    struct pty_options options = {.rows = 24, .cols = 80, .ignore_hangup = true};
    struct pty *pty = console_open_args(&service, NULL, &options);
    int status;
    assert_true(pty_expect(pty, "read so far", 20));
    pty_close_master(pty);
    assert_true(pty_wait(pty, 20, &status));
    assert_true(pty_cpu_ms(pty) < proc_bar(2000));
    pty_free(pty);
}

static void k14_suspend_and_continue_again_and_again(void **state) {
    (void)state;
    struct pty *pty = console_open_job(&service, 24, 80);
    assert_true(pty_expect(pty, "read so far", 20));
    for (int i = 0; i < 30; i++) {
        pty_feed(pty, "\x1a");
        assert_true(pty_is_stopped(pty, 20));
        pty_settle(pty, 30);
        assert_false(pty_is_alternate(pty));
        pty_signal(pty, SIGCONT);
        assert_true(pty_expect(pty, "created UTC", 20));
        pty_feed(pty, "r");
    }
    pty_feed(pty, "?");
    assert_true(pty_expect(pty, "Keys:", 20));
    pty_feed(pty, "\x1b");
    console_leave(pty);
}

static void k15_an_unknown_terminal_is_named_before_anything_is_asked(void **state) {
    (void)state;
    static const char *const TERMS[] = {"TERM=nosuch-terminal", "TERM"};
    int before = service_journal_count(&service, "", "");
    for (size_t i = 0; i < COUNT_OF(TERMS); i++) {
        int status;
        struct pty_options options = {.rows = 24, .cols = 80};
        struct pty *pty = console_open_env(&service, NULL, (const char *const[]){TERMS[i], NULL}, &options);
        assert_true(pty_wait(pty, 20, &status));
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0);
        assert_true(pty_shows(pty, "TERM"));
        pty_free(pty);
    }
    assert_int_equal(service_journal_count(&service, "", ""), before);
}

static void k89_without_a_terminal_the_console_says_so(void **state) {
    (void)state;
    struct proc proc;
    assert_int_equal(console_run(&service, NULL, &proc), 1);
    assert_non_null(strstr(proc.err.s, "needs a terminal"));
    (void)proc_end(&proc);
}

static void a_token_that_was_refused_is_read_again_on_a_key(void **state) {
    (void)state;
    struct service own;
    assert_true(service_start(&own, (const char *const[]){"--intents", "30", NULL}));
    char *token = proc_read_file(own.token_file);
    assert_true(console_configure(&own, own.url, ""));
    assert_true(proc_write_file(own.token_file, "a-token-that-has-expired\n"));
    struct pty *pty = console_open(&own, 24, 100);
    assert_true(pty_expect(pty, "T reads the token again", 20));
    pty_feed(pty, "T");
    assert_true(pty_expect(pty, "the same as before", 20));
    assert_true(proc_write_file(own.token_file, token));
    pty_feed(pty, "T"); /* no question: what was refused is no token of the cache */
    assert_true(pty_expect(pty, "end of the list seen", 20));
    console_leave(pty);
    free(token);
    (void)service_stop(&own);
}

static void k16_a_paste_runs_no_command(void **state) {
    (void)state;
    struct pty *pty = open_list(24, 80);
    pty_feed(pty, "\x1b[200~abc\nqyd\nQ\x1b[201~");
    assert_true(pty_expect(pty, "pasted text was ignored", 20));
    pty_feed(pty, "j");
    assert_true(pty_expect(pty, "2 of ", 20));
    console_leave(pty);
}

static int64_t flood_with_keys(void *context) {
    (void)context;
    char flood[3001];
    memset(flood, 'j', sizeof flood - 1);
    flood[sizeof flood - 1] = '\0';
    struct pty *pty = open_list(24, 80);
    pty_feed(pty, flood);
    int64_t fed = clock_mono();
    console_leave(pty);
    return clock_mono() - fed;
}

static void k18_a_key_flood_stops_with_the_keys(void **state) {
    (void)state;
    enum { FLOOD_MS = 5000 };
    assert_true(proc_best_of(flood_with_keys, NULL, proc_bar(FLOOD_MS)) < proc_bar(FLOOD_MS));
}

static void the_request_log_shows_what_was_sent(void **state) {
    (void)state;
    char *token = proc_read_file(service.token_file);
    struct pty *pty = open_list(24, 120);
    assert_non_null(token);
    token[strcspn(token, "\n")] = '\0';
    pty_feed(pty, "L");
    assert_true(pty_expect(pty, "GET  200", 20));
    assert_true(pty_expect(pty, "/intent/list", 20));
    assert_false(pty_wrote(pty, token, strlen(token)));
    pty_feed(pty, "q");
    assert_true(pty_expect_gone(pty, "Requests of this session", 20));
    free(token);
    console_leave(pty);
}

/* 10,000 keys in one burst: as many steps as keys, whatever the reads cut them into. */
static void a_burst_of_ten_thousand_keys_ends_where_it_should(void **state) {
    (void)state;
    enum { DOWN = 6000, UP = 4000 };
    static char burst[DOWN * 3 + UP + 1];
    struct pty *pty = open_list(24, 80);
    for (int i = 0; i < DOWN; i++)
        memcpy(burst + (size_t)i * 3, i % 2 ? "\x1b[A" : "\x1b[B", 3);
    memset(burst + (size_t)DOWN * 3, 'j', 40);
    memset(burst + (size_t)DOWN * 3 + 40, 'k', 10);
    memset(burst + (size_t)DOWN * 3 + 50, 'K', UP - 50);
    pty_feed(pty, burst);
    assert_true(pty_expect(pty, "31 of ", 20));
    assert_true(pty_expect(pty, "K does nothing here", 20));
    console_leave(pty);
}

static void ctrl_c_twice_leaves(void **state) {
    (void)state;
    int status;
    struct pty *pty = open_list(24, 80);
    assert_true(pty_expect_gone(pty, "| reading", 20));
    pty_feed(pty, "\x03");
    assert_true(pty_expect(pty, "Ctrl-C again leaves", 20));
    pty_feed(pty, "\x03");
    assert_true(pty_wait(pty, 20, &status));
    pty_free(pty);
}

enum { CANCEL_MS = 1000 };

static int64_t cancel_stalled(void *context) {
    struct pty *pty = console_open(context, 24, 80);
    assert_true(pty_expect(pty, "reading the first page", 20));
    int64_t asked = proc_clock(pty_pid(pty));
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "cancelled", 20));
    int64_t took = proc_clock(pty_pid(pty)) - asked;
    console_leave(pty);
    return took;
}

static void a_stalled_service_is_cancelled_at_once(void **state) {
    (void)state;
    struct service slow;
    assert_true(console_serve(
        &slow, (const char *const[]){"--intents", "10", "--fault", "path=/intent/list hang=1", NULL}, ""));
    assert_true(proc_best_of(cancel_stalled, &slow, proc_bar(CANCEL_MS)) < proc_bar(CANCEL_MS));
    (void)service_stop(&slow);
}

enum { ANSWER_MS = 50, KEY_EVERY_MS = 33, HELD_MS = 3000, DELAY_MS = 300 };

static int lists_asked(const struct service *slow) {
    return service_journal_count(slow, "/intent/list", "");
}

/* For so long at least, and on a busy machine until two more pages were asked for. */
static bool is_held(int64_t began, const struct service *slow, int before) {
    int64_t held = clock_mono() - began;
    return held < HELD_MS || (held < PROC_DEADLINE && lists_asked(slow) < before + 2);
}

/* Longest time from a key to the first byte of its answer, over keys sent as a held key sends them. */
static int64_t slowest_answer(struct pty *pty, const struct service *slow, int before) {
    int64_t worst = 0, began = clock_mono();
    bool down = true;
    for (int64_t next = began; is_held(began, slow, before); next += KEY_EVERY_MS) {
        size_t len = 0;
        pty_mark(pty);
        int64_t sent = proc_clock(pty_pid(pty));
        pty_feed(pty, down ? "\x06k" : "\x06j"); /* a page down, and a step that always changes something */
        down = !down;
        while (len == 0 && proc_clock(pty_pid(pty)) - sent < PROC_DEADLINE) {
            pty_read(pty, 1);
            (void)pty_bytes_since(pty, &len);
        }
        assert_true(len > 0);
        int64_t took = proc_clock(pty_pid(pty)) - sent;
        worst = took > worst ? took : worst;
        while (clock_mono() < next + KEY_EVERY_MS)
            pty_read(pty, 1);
    }
    return worst;
}

static int64_t hold_page_down(void *context) {
    (void)context;
    struct service slow;
    assert_true(console_serve(
        &slow, (const char *const[]){"--intents", "5000", "--fault", "path=/intent/list delay=300", NULL}, ""));
    struct pty *pty = console_open(&slow, 24, 80);
    assert_true(pty_expect(pty, "read so far", 20));
    int before = lists_asked(&slow);
    int64_t began = clock_mono(), worst = slowest_answer(pty, &slow, before);
    int asked = lists_asked(&slow) - before;
    assert_true(asked >= 2);
    assert_true(asked <= (clock_mono() - began) / DELAY_MS + 2); /* one after another, never two at a time */
    console_leave(pty);
    (void)service_stop(&slow);
    return worst;
}

static void held_page_down_on_a_slow_service_answers_every_key(void **state) {
    (void)state;
    assert_true(proc_best_of(hold_page_down, NULL, proc_bar(ANSWER_MS)) <= proc_bar(ANSWER_MS));
}

static void with_the_network_cut_everything_seen_stays_browsable(void **state) {
    (void)state;
    struct service own;
    struct proc proc;
    assert_true(console_serve(&own, (const char *const[]){"--intents", "350", NULL}, ""));
    assert_int_equal(console_run(&own, (const char *const[]){"intents", "list", "--all", NULL}, &proc), 0);
    (void)proc_end(&proc);
    struct pty *pty = console_open(&own, 24, 80);
    assert_true(pty_expect(pty, "1 of 100 read so far", 20));
    (void)kill(own.proc.pid, SIGKILL);
    pty_feed(pty, "r");
    assert_true(pty_expect(pty, "OFFLINE", 20));
    for (int64_t end = clock_mono() + PROC_DEADLINE; !pty_shows(pty, "350 of ") && clock_mono() < end;) {
        pty_feed(pty, "G");
        pty_settle(pty, 100);
    }
    assert_true(pty_expect(pty, "350 of ", 20));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "decline_category", 20));
    console_leave(pty);
    pty = console_open(&own, 24, 80);
    assert_true(pty_expect(pty, "cached", 20));
    assert_true(pty_expect(pty, "seen 20", 20)); /* when, not how long ago: an idle screen does not count */
    assert_true(pty_expect(pty, "OFFLINE", 20));
    console_leave(pty);
    (void)service_stop(&own);
}

static void another_token_is_asked_about_once(void **state) {
    (void)state;
    struct service own;
    struct proc proc;
    assert_true(console_serve(&own, (const char *const[]){"--intents", "30", NULL}, ""));
    assert_int_equal(console_run(&own, (const char *const[]){"intents", "list", "--all", NULL}, &proc), 0);
    (void)proc_end(&proc);
    assert_true(proc_write_file(own.token_file, "another-token-of-this-test\n"));
    char listen[64];
    (void)snprintf(listen, sizeof listen, "127.0.0.1:%d", own.port);
    assert_true(service_restart(&own, (const char *const[]){"--intents", "30", "--listen", listen, NULL}));
    assert_true(console_configure(&own, own.url, ""));
    struct pty *pty = console_open(&own, 24, 80);
    assert_true(pty_expect(pty, "Another token", 20));
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "left alone", 20));
    console_leave(pty);
    (void)proc_end(&own.proc);
    pty = console_open(&own, 24, 80);
    assert_true(pty_expect(pty, "Another token", 20));
    assert_true(pty_expect(pty, "OFFLINE", 20));
    pty_feed(pty, "\t\r");
    assert_true(pty_expect(pty, "1 of 30", 20));
    console_leave(pty);
    assert_true(service_restart(&own, (const char *const[]){"--intents", "30", "--listen", listen, NULL}));
    pty = console_open(&own, 24, 80);
    assert_true(pty_expect(pty, "end of the list seen", 20));
    assert_false(pty_shows(pty, "Another token"));
    console_leave(pty);
    (void)service_stop(&own);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_and_the_cursor_moves),
        cmocka_unit_test(leaving_restores_the_terminal),
        cmocka_unit_test(k13_every_catchable_end_restores_the_terminal),
        cmocka_unit_test(paging_reads_on_to_the_end),
        cmocka_unit_test(the_facet_picker_filters_on_the_server),
        cmocka_unit_test(enter_opens_the_detail_and_escape_closes_it),
        cmocka_unit_test(a_key_that_changes_nothing_writes_nothing),
        cmocka_unit_test(k10_tiny_sizes_are_survived),
        cmocka_unit_test(k11_a_resize_keeps_the_record),
        cmocka_unit_test(k12_a_vanished_terminal_ends_the_program),
        cmocka_unit_test(k14_suspend_and_continue_again_and_again),
        cmocka_unit_test(k15_an_unknown_terminal_is_named_before_anything_is_asked),
        cmocka_unit_test(k89_without_a_terminal_the_console_says_so),
        cmocka_unit_test(a_token_that_was_refused_is_read_again_on_a_key),
        cmocka_unit_test(k16_a_paste_runs_no_command),
        cmocka_unit_test(k18_a_key_flood_stops_with_the_keys),
        cmocka_unit_test(the_request_log_shows_what_was_sent),
        cmocka_unit_test(a_burst_of_ten_thousand_keys_ends_where_it_should),
        cmocka_unit_test(ctrl_c_twice_leaves),
        cmocka_unit_test(a_stalled_service_is_cancelled_at_once),
        cmocka_unit_test(held_page_down_on_a_slow_service_answers_every_key),
        cmocka_unit_test(with_the_network_cut_everything_seen_stays_browsable),
        cmocka_unit_test(another_token_is_asked_about_once),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
