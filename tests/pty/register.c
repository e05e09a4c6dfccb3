/* Registering a user at a terminal: by keyboard alone, once, whatever keys come. */
#include "base/mem.h"
#include "support/console.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { SECONDS = 20 };
static const char CONFIRM[] = "\x1b[C\r"; /* Right, Enter */

static struct service *begin(const char *fault) {
    struct service *service = mem_new(sizeof *service);
    const char *args[] = {"--intents", "20", fault ? "--fault" : NULL, fault, NULL};
    assert_true(console_serve(service, args, ""));
    return service;
}

static void end(struct service *service) {
    (void)service_stop(service);
    free(service);
}

static int posts(const struct service *service) {
    return service_journal_count(service, "\"POST\"", "/user");
}

static struct pty *open_form(const struct service *service) {
    struct pty *pty = console_open(service, 24, 80);
    assert_true(pty_expect(pty, "end of the list", SECONDS));
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "Identity verified", SECONDS));
    return pty;
}

static void fill_dated(struct pty *pty, const char *digits) {
    pty_feed(pty, "\rMARKFIRST\tO'Marklast\tus");
    assert_true(pty_expect(pty, "United States", SECONDS));
    pty_feed(pty, "\r1 MARKSTREET\tMARKCITY\til");
    assert_true(pty_expect(pty, "Illinois", SECONDS));
    pty_feed(pty, "\r0M4RK\tmarkmail@a.example\t+15550109876\t");
    pty_feed(pty, digits);
    pty_feed(pty, "\tp");
    assert_true(pty_expect(pty, "passport", SECONDS));
    pty_feed(pty, "\rM4RK\tMARKTAG\ty");
    assert_true(pty_expect(pty, "yes, verified", SECONDS));
}

static void fill(struct pty *pty) {
    fill_dated(pty, "19710304");
}

static void to_review(struct pty *pty) {
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "[ Send it ]", SECONDS));
    pty_settle(pty, 700); /* stray keys are waited for as long */
    console_read_review(pty);
}

static void a_registration_by_keyboard_shows_the_id(void **state) {
    (void)state;
    struct service *service = begin(NULL);
    struct pty *pty = open_form(service);
    fill(pty);
    assert_true(pty_shows(pty, "[ Review ]")); /* all of it on one screen */
    assert_true(pty_shows(pty, "MARKFIRST"));
    to_review(pty);
    pty_feed(pty, CONFIRM);
    assert_true(pty_expect(pty, "Registered as usr_", SECONDS));
    assert_int_equal(posts(service), 1);
    console_leave(pty);
    end(service);
}

static void five_hundred_confirmations_are_one_request(void **state) {
    (void)state;
    struct service *service = begin(NULL);
    struct pty *pty = open_form(service);
    struct str burst;
    str_init(&burst, 64 << 10);
    for (int i = 0; i < 500; i++)
        str_add(&burst, CONFIRM);
    fill(pty);
    to_review(pty);
    pty_feed(pty, burst.s);
    assert_true(pty_expect(pty, "Registered as usr_", SECONDS));
    pty_settle(pty, 300);
    assert_int_equal(posts(service), 1);
    str_clear(&burst);
    console_leave(pty);
    end(service);
}

static void what_is_pasted_or_typed_ahead_confirms_nothing(void **state) {
    (void)state;
    struct service *service = begin(NULL);
    struct pty *pty = open_form(service);
    fill(pty);
    pty_feed(pty, "\r\x1b[C\r\x1b[C\r"); /* typed ahead */
    assert_true(pty_expect(pty, "[ Send it ]", SECONDS));
    pty_settle(pty, 700);
    pty_feed(pty, "\x1b[200~x\x1b[C\ry\x1b[201~"); /* pasted, marked */
    assert_true(pty_expect(pty, "nothing was pasted: it holds control characters", SECONDS));
    pty_feed(pty, "\x1b[200~x\ry\x1b[201~");
    assert_true(pty_expect(pty, "pasted text was ignored", SECONDS));
    pty_settle(pty, 700);
    pty_feed(pty, "some text\x1b[C\rmore\x1b[C\r"); /* unmarked */
    pty_settle(pty, 700);
    assert_true(pty_shows(pty, "[ Send it ]"));
    assert_int_equal(posts(service), 0);
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "[ Review ]", SECONDS));
    pty_feed(pty, "Q");
    assert_true(pty_expect(pty, "Leave bursar?", SECONDS));
    int status;
    pty_feed(pty, CONFIRM);
    assert_true(pty_wait(pty, SECONDS, &status));
    pty_free(pty);
    end(service);
}

static void an_unknown_outcome_outlives_a_restart(void **state) {
    (void)state;
    struct service *service = begin("path=/user drop_after_read=1");
    struct pty *pty = open_form(service);
    fill(pty);
    to_review(pty);
    pty_feed(pty, CONFIRM);
    assert_true(pty_expect(pty, "Outcome unknown", SECONDS));
    console_leave(pty);
    pty = console_open(service, 24, 80);
    assert_true(pty_expect(pty, "1 write is of unknown outcome", SECONDS));
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "outcome unknown", SECONDS));
    assert_true(pty_expect(pty, "MARKFIRST", SECONDS));
    assert_false(pty_shows(pty, "1971"));
    pty_feed(pty, "4");
    assert_true(pty_expect(pty, "1 unknown: S settles", SECONDS));
    assert_int_equal(posts(service), 1);
    console_leave(pty);
    end(service);
}

static void a_form_killed_while_it_was_sent_is_of_unknown_outcome(void **state) {
    (void)state;
    int status;
    struct service *service = begin("path=/user hang=1");
    struct pty *pty = open_form(service);
    fill(pty);
    to_review(pty);
    pty_feed(pty, CONFIRM);
    assert_true(console_asks(pty, service, "\"POST\"", "/user", 0));
    assert_int_equal(posts(service), 1);
    assert_int_equal(kill(pty_pid(pty), SIGKILL), 0);
    assert_true(pty_wait(pty, SECONDS, &status));
    pty_free(pty);
    for (int start = 0; start < 2; start++) { /* the second finds the lock in the form's own file */
        pty = console_open(service, 24, 80);
        assert_true(pty_expect(pty, "1 write is of unknown outcome", SECONDS));
        pty_feed(pty, "2");
        assert_true(pty_expect(pty, "MARKFIRST", SECONDS));
        assert_true(pty_expect(pty, "outcome unknown", SECONDS));
        console_leave(pty);
    }
    assert_int_equal(posts(service), 1);
    end(service);
}

/* K41: a service that takes the request and falls silent holds nobody. */
static void waiting_for_an_answer_ends_at_a_key(void **state) {
    (void)state;
    struct service *service = begin("path=/user hang=1");
    struct pty *pty = open_form(service);
    fill(pty);
    to_review(pty);
    pty_feed(pty, CONFIRM);
    assert_true(pty_expect(pty, "waiting for the answer", SECONDS));
    assert_true(console_asks(pty, service, "\"POST\"", "/user", 0));
    assert_int_equal(posts(service), 1);
    pty_feed(pty, "\x1b");
    assert_true(pty_expect(pty, "Outcome unknown", SECONDS));
    assert_int_equal(posts(service), 1);
    console_leave(pty);
    end(service);
}

/* Typed as digits, in zones on both sides of the date line and where clocks change: every date in every zone, one after
 * the other at one console. The edges of days, months and years are where a clock would slip. */
static const struct dated {
    const char *digits, *words, *sent;
} DATES[] = {{"20000229", "29 February 2000", "\"2000-02-29\""},
             {"19700101", "1 January 1970", "\"1970-01-01\""},
             {"19991231", "31 December 1999", "\"1999-12-31\""}};

static void register_dated(struct service *service, struct pty *pty, const struct dated *dated) {
    struct http_reply reply;
    pty_feed(pty, "g\rAnn\tSample\t\t\t\t\t\t\t\t");
    pty_feed(pty, dated->digits);
    pty_feed(pty, "\t\t\t\ty");
    assert_true(pty_expect(pty, "yes, verified", SECONDS));
    to_review(pty);
    assert_true(pty_shows(pty, dated->words));
    pty_feed(pty, CONFIRM);
    assert_true(pty_expect(pty, "Registered as usr_", SECONDS));
    assert_true(service_control(service, "GET", "/control/users", NULL, &reply));
    assert_non_null(strstr(reply.body.s, dated->sent));
    http_reply_clear(&reply);
    pty_feed(pty, "n");
    assert_true(pty_expect(pty, "[ Review ]", SECONDS));
}

static void a_date_arrives_as_typed_under_any_zone(void **state) {
    (void)state;
    static const char *const ZONES[] = {"Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Los_Angeles",
                                        "Asia/Kolkata",       "Europe/Berlin",     "Australia/Lord_Howe",
                                        "America/St_Johns",   "Asia/Kathmandu",    "Pacific/Chatham",
                                        "Africa/Cairo",       "Asia/Tokyo",        "UTC"};
    for (size_t i = 0; i < COUNT_OF(ZONES); i++) {
        struct service *service = begin(NULL);
        assert_int_equal(setenv("TZ", ZONES[i], 1), 0);
        struct pty *pty = open_form(service);
        for (size_t j = 0; j < COUNT_OF(DATES); j++)
            register_dated(service, pty, &DATES[j]);
        assert_int_equal(posts(service), COUNT_OF(DATES));
        console_leave(pty);
        end(service);
    }
    assert_int_equal(setenv("TZ", "UTC", 1), 0);
}

/* ---- Nothing personal is left ---- */

static const char *const MARKS[] = {"MARKFIRST", "Marklast",   "MARKSTREET", "MARKCITY", "0M4RK",
                                    "markmail",  "5550109876", "1971-03-04", "19710304", "M4RK"};
static const char TAG_MARK[] = "MARKTAG";

/* Files of the program's own folder that hold the text, one a line. The folder, or the file, has to be there. */
static void files_below(const struct service *service, const char *below, const char *mark, char out[4096]) {
    char place[4096];
    struct proc proc = {0};
    (void)snprintf(place, sizeof place, "%s/%s", service->folder, below);
    assert_int_equal(access(place, F_OK), 0);
    const char *argv[] = {"/bin/grep", "-rail", "-e", mark, place, NULL};
    (void)proc_run(&proc, argv, NULL, PROC_DEADLINE);
    (void)snprintf(out, 4096, "%s", proc.out.s);
    (void)proc_end(&proc);
}

static void not_below(const struct service *service, const char *below, const char *mark) {
    char files[4096];
    files_below(service, below, mark, files);
    assert_string_equal(files, "");
}

static void not_in_proc(struct pty *pty, const char *mark) {
    static const char *const NAMES[] = {"cmdline", "environ", "comm"};
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pty_pid(pty), NAMES[i]);
        struct proc proc = {0};
        const char *argv[] = {"/bin/grep", "-ai", "-e", mark, path, NULL};
        (void)proc_run(&proc, argv, NULL, PROC_DEADLINE);
        assert_string_equal(proc.out.s, "");
        (void)proc_end(&proc);
    }
}

/* What the terminal keeps: its screen, its title, and what was written outside the alternate screen. */
static void not_on_terminal(struct pty *pty, const char *mark) {
    static const char LEFT[] = "\x1b[?1049l";
    size_t len;
    const char *bytes = pty_bytes(pty, &len);
    const char *after = memmem(bytes, len, LEFT, strlen(LEFT));
    assert_null(strstr(pty_screen(pty), mark));
    assert_null(strstr(pty_title(pty), mark));
    if (after)
        assert_null(memmem(after, len - (size_t)(after - bytes), mark, strlen(mark)));
}

static void nothing_personal_is_left_after_the_end(void **state) {
    (void)state;
    struct service *service = begin(NULL);
    struct pty *pty = open_form(service);
    fill(pty);
    for (size_t i = 0; i < COUNT_OF(MARKS); i++)
        not_in_proc(pty, MARKS[i]);
    to_review(pty);
    pty_feed(pty, CONFIRM);
    assert_true(pty_expect(pty, "Registered as usr_", SECONDS));
    for (size_t i = 0; i < COUNT_OF(MARKS); i++)
        not_in_proc(pty, MARKS[i]);
    int status;
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, SECONDS, &status));
    assert_false(pty_is_alternate(pty));
    for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
        not_below(service, "state", MARKS[i]);
        not_below(service, "cache", MARKS[i]);
        not_on_terminal(pty, MARKS[i]);
    }
    not_below(service, "state", TAG_MARK);
    not_on_terminal(pty, TAG_MARK);
    pty_free(pty);
    end(service);
}

/* A form that was left: its file is the only place, and that holds no id and no birth date. */
static void a_form_that_is_left_is_in_its_draft_alone(void **state) {
    (void)state;
    static const char *const NEVER[] = {"1971-03-04", "19710304", "\"M4RK\""};
    struct service *service = begin(NULL);
    struct pty *pty = open_form(service);
    int status;
    fill(pty);
    pty_feed(pty, "\x1b");
    pty_feed(pty, "Q");
    assert_true(pty_expect(pty, "Leave bursar?", SECONDS));
    pty_feed(pty, CONFIRM);
    assert_true(pty_wait(pty, SECONDS, &status));
    char files[4096];
    files_below(service, "state", "MARKFIRST", files);
    assert_non_null(strstr(files, "/drafts/"));
    for (size_t i = 0; i < COUNT_OF(NEVER); i++)
        not_below(service, "state", NEVER[i]);
    for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
        not_below(service, "cache", MARKS[i]);
        files_below(service, "state", MARKS[i], files);
        for (const char *file = files; *file; file = strchr(file, '\n') + 1) {
            assert_non_null(strstr(file, "/drafts/"));
            assert_true(strstr(file, "/drafts/") < strchr(file, '\n'));
        }
        not_on_terminal(pty, MARKS[i]);
    }
    pty_free(pty);
    end(service);
}

static void a_crash_with_a_form_open_leaves_no_core(void **state) {
    (void)state;
    const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    (void)setrlimit(RLIMIT_CORE, &all);
    struct service *service = begin(NULL);
    const struct pty_options options = {.folder = service->folder};
    struct pty *pty = console_open_args(service, NULL, &options);
    int status;
    assert_true(pty_expect(pty, "end of the list", SECONDS));
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "Identity verified", SECONDS));
    fill(pty);
    pty_signal(pty, SIGABRT);
    assert_true(pty_wait(pty, SECONDS, &status));
    assert_false(WIFSIGNALED(status) && WCOREDUMP(status));
    for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
        not_below(service, "state", MARKS[i]);
        not_below(service, "cache", MARKS[i]);
        not_on_terminal(pty, MARKS[i]);
    }
    pty_free(pty);
    end(service);
}

static void create(const struct service *service, const char *tag) {
    char path[4096];
    struct str body;
    struct proc proc = {0};
    str_init(&body, 4096);
    str_addf(&body, "{\"name\":{\"first\":\"Ann\"},\"email\":\"%s@a.example\",\"tag\":\"%s\"}", tag, tag);
    (void)snprintf(path, sizeof path, "%s/user.json", service->folder);
    assert_true(proc_write_file(path, body.s));
    const char *const args[] = {"users", "create", "--file", path, "--yes", "--again", NULL};
    assert_int_equal(console_run(service, args, &proc), 0);
    (void)proc_end(&proc);
    str_clear(&body);
}

static void a_tag_leads_to_its_record(void **state) {
    (void)state;
    struct service *service = begin(NULL);
    create(service, "crm-1");
    create(service, "crm-2");
    struct pty *pty = open_form(service);
    pty_feed(pty, "4");
    assert_true(pty_expect(pty, "every write, 2 records", SECONDS));
    pty_feed(pty, "@CRM-1\r");
    assert_true(pty_expect(pty, "record 1 is the one of this tag", SECONDS));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "record       1", SECONDS));
    pty_feed(pty, "@crm-3\r");
    assert_true(pty_expect(pty, "no record has this tag", SECONDS));
    console_leave(pty);
    end(service);
}

static void the_path_of_an_import_is_completed(void **state) {
    (void)state;
    struct service *service = begin(NULL);
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/users.csv", service->folder);
    assert_true(proc_write_file(path, "first name,e-mail\nAnn,ann@a.example\n"));
    struct pty *pty = open_form(service);
    pty_feed(pty, "i");
    assert_true(pty_expect(pty, "CSV file", SECONDS));
    pty_feed(pty, "~/us\x1b[C");
    assert_true(pty_expect(pty, "~/users.csv", SECONDS));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "column of the file", SECONDS));
    console_leave(pty);
    end(service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_registration_by_keyboard_shows_the_id),
        cmocka_unit_test(five_hundred_confirmations_are_one_request),
        cmocka_unit_test(what_is_pasted_or_typed_ahead_confirms_nothing),
        cmocka_unit_test(an_unknown_outcome_outlives_a_restart),
        cmocka_unit_test(a_form_killed_while_it_was_sent_is_of_unknown_outcome),
        cmocka_unit_test(a_tag_leads_to_its_record),
        cmocka_unit_test(the_path_of_an_import_is_completed),
        cmocka_unit_test(waiting_for_an_answer_ends_at_a_key),
        cmocka_unit_test(a_date_arrives_as_typed_under_any_zone),
        cmocka_unit_test(nothing_personal_is_left_after_the_end),
        cmocka_unit_test(a_form_that_is_left_is_in_its_draft_alone),
        cmocka_unit_test(a_crash_with_a_form_open_leaves_no_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
