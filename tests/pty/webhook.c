/* The webhook at a terminal, against the sandbox and its listener: what the operator does, what arrives, what is left.
 */
#include "base/mem.h"
#include "support/console.h"
#include "support/listener.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { SECONDS = 20, CALM_MS = 700 };

static const char SECRET[] = "SENTINEL-0123456789-abcdefghijklmnopqrstuvwxyz";
static const char CONFIRM[] = "\x1b[C\r"; /* Right, Enter */

enum choice { GIVE, GENERATE, UNSIGNED };

static struct service service;
static struct listener listener;
static char *folder, *secret_file;

static char *in_folder(const char *name) {
    struct str path;
    str_init(&path, 8192);
    str_addf(&path, "%s/%s", folder, name);
    return str_take(&path);
}

static int start(void **state) {
    (void)state;
    folder = proc_folder_new();
    secret_file = in_folder("secret");
    const char *const listen[] = {"--secret-file", secret_file, NULL};
    if (!listener_start(&listener, folder, listen))
        return -1;
    const char *const serve[] = {"--intents", "20", "--deliver-ca", listener.ca, "--retry-base", "5", NULL};
    return console_serve(&service, serve, "") ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    (void)listener_stop(&listener);
    proc_folder_remove(folder);
    free(secret_file);
    return service_stop(&service);
}

static int posts(void) {
    return service_journal_count(&service, "\"POST\"", "/webhook/register");
}

static void make_event(void) {
    struct http_reply reply;
    assert_true(service_control(&service, "POST", "/control/events", NULL, &reply));
    assert_int_equal(reply.status, 202);
    http_reply_clear(&reply);
}

static struct pty *open_pane(void) {
    struct pty *pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "end of the list", SECONDS));
    pty_feed(pty, "3");
    assert_true(pty_expect(pty, "this console's record", SECONDS));
    return pty;
}

static void open_form(struct pty *pty, const char *url) {
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "[ Review ]", SECONDS));
    pty_feed(pty, "\x15"); /* Ctrl-U */
    pty_feed(pty, url);
    pty_feed(pty, "\t");
}

/* What follows Esc at once would be another key. */
static void leave_field(struct pty *pty) {
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "c check", SECONDS));
}

static void choose(struct pty *pty, enum choice choice) {
    static const char *const rows[] = {"Secret", "Save to", "Type unsigned"};
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "How are events signed?", SECONDS));
    for (int i = 0; i < (int)choice; i++)
        pty_feed(pty, "\x1b[B");
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, rows[choice], SECONDS));
}

static void to_review(struct pty *pty) {
    assert_true(pty_expect(pty, "[ Send it ]", SECONDS));
    pty_settle(pty, CALM_MS); /* stray keys are waited for as long */
    console_read_review(pty);
}

static void review_unsigned(struct pty *pty, const char *url) {
    open_form(pty, url);
    choose(pty, UNSIGNED);
    pty_feed(pty, "unsigned\r\r");
    to_review(pty);
}

static void review_given(struct pty *pty, const char *url) {
    open_form(pty, url);
    choose(pty, GIVE);
    pty_feed(pty, SECRET);
    assert_true(pty_expect(pty, "46 characters", SECONDS));
    pty_feed(pty, "\r\r");
    to_review(pty);
}

static void send(struct pty *pty, const char *expected) {
    pty_feed(pty, CONFIRM);
    assert_true(pty_expect(pty, expected, SECONDS));
}

static void a_new_url_alone_is_not_sent_and_each_choice_shows_in_the_next_event(void **state) {
    (void)state;
    struct pty *pty = open_pane();
    review_given(pty, listener.url);
    send(pty, "Registered: the service held none before.");
    make_event();
    assert_true(listener_wait(&listener, 1, "\"signed\":true", ""));
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "signed, secret fingerprint", SECONDS));
    /* Only the URL is changed. */
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "to be chosen", SECONDS));
    pty_feed(pty, "/moved");
    leave_field(pty);
    pty_feed(pty, "s");
    assert_true(pty_expect(pty, "signing is not chosen", SECONDS));
    assert_int_equal(posts(), 1);
    /* Unsigned. */
    pty_feed(pty, "\r");
    choose(pty, UNSIGNED);
    pty_feed(pty, "unsigned\r\r");
    to_review(pty);
    assert_true(pty_shows(pty, "This switches signing OFF."));
    send(pty, "Replaced the registration before it.");
    make_event();
    assert_true(listener_wait(&listener, 1, "\"signed\":false", "/moved"));
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "UNSIGNED: registered without a secret", SECONDS));
    /* Generated, and saved before it is sent. */
    open_form(pty, listener.url);
    choose(pty, GENERATE);
    pty_feed(pty, "\t");
    pty_feed(pty, secret_file);
    pty_feed(pty, "\r\r");
    to_review(pty);
    struct stat info;
    assert_int_equal(stat(secret_file, &info), 0);
    assert_int_equal(info.st_mode & 0777, S_IRUSR | S_IWUSR);
    send(pty, "Replaced the registration before it.");
    make_event();
    assert_true(listener_wait(&listener, 1, "\"verified\"", ""));
    assert_int_equal(posts(), 3);
    char *secret = proc_read_file(secret_file);
    assert_false(pty_wrote(pty, secret, strlen(secret)));
    free(secret);
    console_leave(pty);
}

static void expect_nowhere(const char *mark) {
    static const char *const places[] = {"state", "cache", "config"};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        char place[4096];
        struct proc proc = {0};
        (void)snprintf(place, sizeof place, "%s/%s", service.folder, places[i]);
        const char *argv[] = {"/bin/grep", "-ral", "-e", mark, place, NULL};
        (void)proc_run(&proc, argv, NULL, PROC_DEADLINE);
        assert_string_equal(proc.out.s, "");
        (void)proc_end(&proc);
    }
}

static void process_shows_no_mark(pid_t pid) {
    static const char *const names[] = {"cmdline", "environ"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, names[i]);
        struct proc proc = {0};
        const char *argv[] = {"/bin/grep", "-ac", "SENTINEL", path, NULL};
        (void)proc_run(&proc, argv, NULL, PROC_DEADLINE);
        assert_string_equal(proc.out.s, "0\n");
        (void)proc_end(&proc);
    }
}

static void a_secret_typed_is_found_nowhere_afterwards(void **state) {
    (void)state;
    int status;
    struct pty *pty = open_pane();
    review_given(pty, listener.url);
    process_shows_no_mark(pty_pid(pty));
    send(pty, "Registered: the service held none before.");
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "signed, secret fingerprint", SECONDS));
    pty_feed(pty, "4");
    assert_true(pty_expect(pty, "every write, 1 record", SECONDS));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "webhook.register", SECONDS));
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, SECONDS, &status));
    assert_false(pty_wrote(pty, "SENTINEL", strlen("SENTINEL")));
    pty_free(pty);
    expect_nowhere("SENTINEL");
    /* The command line, with the secret in the file that was asked for. */
    assert_true(proc_write_file(secret_file, SECRET));
    assert_int_equal(chmod(secret_file, S_IRUSR | S_IWUSR), 0);
    struct proc proc = {0};
    const char *const args[] = {"webhook",   "register", "--url",    listener.url, "--secret-file",
                                secret_file, "--yes",    "--format", "json",       NULL};
    assert_int_equal(console_run(&service, args, &proc), 0);
    assert_null(strstr(proc.out.s, "SENTINEL"));
    assert_null(strstr(proc.err.s, "SENTINEL"));
    (void)proc_end(&proc);
    expect_nowhere("SENTINEL");
}

/* Every order of looking and sending; the second one sent is in force. */
static void two_consoles_in_every_order_see_what_happened(void **state) {
    (void)state;
    static const char *const urls[] = {"https://one.example.com/", "https://two.example.com/"};
    static const char *const orders[] = {"0011", "0101", "0110", "1100", "1010", "1001"};
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        struct pty *ptys[2] = {open_pane(), open_pane()};
        bool found[2] = {false, false};
        int sent = 0, of_first = 0, last = 0;
        for (const char *at = orders[i]; *at; at++) {
            int who = *at - '0';
            if (!found[who]) {
                review_unsigned(ptys[who], urls[who]);
                found[who] = true;
                of_first = sent > 0;
            } else if (sent++ == 0) {
                send(ptys[who], i == 0 ? "Registered: the service held none before." : "Replaced the registration");
            } else {
                send(ptys[who], i > 0 || of_first ? "Replaced the registration before it."
                                                  : "Replaced a registration this console did not make.");
                last = who;
            }
        }
        struct http_reply reply;
        assert_true(service_control(&service, "GET", "/control/registration", NULL, &reply));
        assert_non_null(strstr(reply.body.s, urls[last]));
        http_reply_clear(&reply);
        assert_int_equal(posts(), 2 * ((int)i + 1));
        for (int who = 0; who < 2; who++) {
            pty_feed(ptys[who], "\x1b");
            assert_true(pty_expect(ptys[who], urls[last], SECONDS));
            console_leave(ptys[who]);
        }
    }
    struct proc proc = {0};
    const char *const args[] = {"activity", "list", "--format", "ndjson", NULL};
    assert_int_equal(console_run(&service, args, &proc), 0);
    int records = 0;
    for (const char *at = proc.out.s; (at = strstr(at, "webhook.register")) != NULL; at++)
        records++;
    assert_int_equal(records, 2 * (int)COUNT_OF(orders));
    (void)proc_end(&proc);
}

static void a_lost_answer_is_unknown_and_the_very_same_is_offered(void **state) {
    (void)state;
    struct http_reply reply;
    struct pty *pty = open_pane();
    assert_true(service_control(&service, "POST", "/control/rules",
                                "path=/webhook/register nth=1 drop_after_read=1 apply=1", &reply));
    http_reply_clear(&reply);
    review_given(pty, listener.url);
    send(pty, "Outcome unknown.");
    console_leave(pty);
    pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "1 write is of unknown outcome", SECONDS));
    pty_feed(pty, "3");
    assert_true(pty_expect(pty, "a registration of", SECONDS));
    assert_int_equal(posts(), 1);
    review_given(pty, listener.url);
    send(pty, "whether this console made it is not known");
    assert_int_equal(posts(), 2);
    console_leave(pty);
}

static void the_very_same_is_repeated_from_the_receipt(void **state) {
    (void)state;
    struct http_reply reply;
    struct pty *pty = open_pane();
    assert_true(
        service_control(&service, "POST", "/control/rules", "path=/webhook/register nth=1 drop_after_read=1", &reply));
    http_reply_clear(&reply);
    review_given(pty, listener.url);
    send(pty, "Outcome unknown.");
    pty_feed(pty, "a");
    to_review(pty);
    assert_true(pty_shows(pty, "This repeats record 1"));
    assert_int_equal(posts(), 1);
    send(pty, "Registered: the service held none before.");
    assert_int_equal(posts(), 2);
    make_event();
    assert_true(listener_wait(&listener, 1, "\"signed\":true", ""));
    console_leave(pty);
}

static void the_doctor_checks_as_it_goes_and_saves_its_report(void **state) {
    (void)state;
    char *report = in_folder("report.json");
    struct pty *pty = open_pane();
    open_form(pty, "https://localhost:1/hook");
    leave_field(pty);
    pty_feed(pty, "c");
    assert_true(pty_expect(pty, "overall: FAIL", SECONDS));
    assert_true(pty_expect(pty, "refused: nothing listens there", SECONDS));
    pty_feed(pty, "w");
    assert_true(pty_expect(pty, "Save as", SECONDS));
    pty_feed(pty, report);
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "the report is in", SECONDS));
    char *text = proc_read_file(report);
    assert_non_null(strstr(text, "\"overall\":\"fail\""));
    free(text);
    free(report);
    assert_int_equal(posts(), 0);
    console_leave(pty);
}

/* By the demo's own receiver: register, event, verify, on one screen. */
static void the_demo_lists_what_it_delivered(void **state) {
    (void)state;
    const char *const args[] = {"--demo", NULL};
    const struct pty_options options = {.rows = 30, .cols = 110};
    struct pty *pty = console_open_args(&service, args, &options);
    assert_true(pty_expect(pty, "1 Intents", SECONDS));
    pty_feed(pty, "3");
    assert_true(pty_expect(pty, "none yet: an event leaves when an intent changes", SECONDS));
    assert_true(pty_expect(pty, "nothing is known", SECONDS));
    pty_feed(pty, "\r\t");
    choose(pty, GENERATE);
    pty_feed(pty, "\t\r\r");
    to_review(pty);
    send(pty, "Registered: the service held none before.");
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "delivered     204 intent", SECONDS));
    assert_true(pty_shows(pty, "standard-webhooks"));
    console_leave(pty);
}

#define FRESH(name) cmocka_unit_test_setup_teardown(name, start, stop)

/* In one burst, before the journal may have been read: as keys these would leave the program. */
static void what_is_typed_behind_enter_is_no_key(void **state) {
    (void)state;
    struct pty *pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "end of the list", SECONDS));
    pty_feed(pty, "3\rqQ");
    assert_true(pty_expect(pty, "[ Review ]", SECONDS));
    assert_true(pty_shows(pty, "3 Webhook"));
    pty_free(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FRESH(a_new_url_alone_is_not_sent_and_each_choice_shows_in_the_next_event),
        FRESH(a_secret_typed_is_found_nowhere_afterwards),
        FRESH(what_is_typed_behind_enter_is_no_key),
        FRESH(two_consoles_in_every_order_see_what_happened),
        FRESH(a_lost_answer_is_unknown_and_the_very_same_is_offered),
        FRESH(the_very_same_is_repeated_from_the_receipt),
        FRESH(the_demo_lists_what_it_delivered),
        FRESH(the_doctor_checks_as_it_goes_and_saves_its_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
