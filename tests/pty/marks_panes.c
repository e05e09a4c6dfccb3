/* At a terminal, beside the form of tests/pty/marks_console.c: what the service writes back of an import, of a webhook
 * and of the token, in each written form, and what is left where a console is killed while a request is under way.
 * Looked for on the screens of every pane, in copies and exports, in rows of the cache, in files, and in what the
 * children of the console are given. */
#include "base/mem.h"
#include "support/console.h"
#include "support/damage.h"
#include "support/marks.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#define TOKEN "tok-Wq4Tx8Nb2Jr6Ld9H"
#define SECRET "whs-Kd8Zt3Mq6Vr1Xb5NcPw9Ls2Ty7Gh4J"
#define FIRST   \
    "V\xC3\xA9" \
    "firstzk"
#define LAST         \
    "Vlastz\xC5\xBE" \
    "k"
static const char *const MARKS[] = {TOKEN,        SECRET,          FIRST,
                                    LAST,         "Vstreetzk 81",  "Vtownzkw",
                                    "Vareazkw",   "ZK6127VX",      "vmailzk@zkv.example",
                                    "1984-07-29", "+420777561934", "Vtagzkwv"};
static const char TABLE[] =
    "first,last,address_line_1,locality,administrative_area,postal_code,country,email,date_of_birth,phone_number,tag,"
    "identity_verified\n" FIRST "," LAST ",Vstreetzk 81,Vtownzkw,Vareazkw,ZK6127VX,DE,vmailzk@zkv.example,1984-07-29,"
    "+420777561934,Vtagzkwv,true\n";

enum { SECONDS = 15, CALM_MS = 700, PATH_CAP = 4096, TEXT_MAX = 256 << 10, EXECUTABLE = 0700, PRIVATE = 0600 };
static const char CONFIRM[] = "\x1b[C\r"; /* Right, Enter */

static struct service service;
static char *bait; /* the operator's own files, and what the service is to answer */
static char table[PATH_CAP], result[PATH_CAP], echo[PATH_CAP], path_variable[2 * PATH_CAP], workplace[PATH_CAP];
static size_t runs, files, rows;

static void own_file(char path[PATH_CAP], const char *name, const char *text, mode_t mode) {
    (void)snprintf(path, PATH_CAP, "%s/%s", bait, name);
    assert_true(proc_write_file(path, text));
    assert_int_equal(chmod(path, mode), 0);
}

/* What a child of the console can see is kept where files are searched. */
static void child(const char *name, const char *does) {
    char path[PATH_CAP];
    struct str text;
    str_init(&text, TEXT_MAX);
    str_addf(&text, "#!/bin/sh\ncat /proc/$$/cmdline /proc/$$/environ >> '%s/work/child-%s'\n%s\n", service.folder,
             name, does);
    own_file(path, name, text.s, EXECUTABLE);
    str_clear(&text);
}

static bool configure(void) {
    struct str config;
    char path[PATH_CAP];
    str_init(&config, TEXT_MAX);
    str_addf(&config,
             "default_profile = \"test\"\nprofile test {\n  environment = sandbox\n  base_url = '%s'\n"
             "  token_command = {'%s/token-command', 'show'}\n  user_required = {}\n}\n",
             service.url, bait);
    (void)snprintf(path, sizeof path, "%s/config", service.folder);
    bool done = proc_write_file(path, config.s) && chmod(path, PRIVATE) == 0;
    str_clear(&config);
    return done;
}

/* In here the console runs and its children write. */
static void make_workplace(void) {
    (void)snprintf(workplace, sizeof workplace, "%s/work", service.folder);
    assert_int_equal(mkdir(workplace, EXECUTABLE), 0);
}

static int start(void **state) {
    char copied[PATH_CAP];
    (void)state;
    bait = proc_folder_new();
    if (!service_start(&service, NULL) || !proc_write_file(service.token_file, TOKEN "\n") ||
        !service_restart(&service, (const char *const[]){"--intents", "20", NULL}) || !configure())
        return -1;
    make_workplace();
    own_file(table, "people.csv", TABLE, PRIVATE);
    (void)snprintf(result, sizeof result, "%s/people.result.csv", bait);
    (void)snprintf(copied, sizeof copied, "cat >> '%s/work/copied'", service.folder);
    child("xclip", copied);
    (void)snprintf(copied, sizeof copied, "cat '%s'", service.token_file);
    child("token-command", copied);
    (void)snprintf(path_variable, sizeof path_variable, "PATH=%s:%s", bait, getenv("PATH"));
    (void)snprintf(echo, sizeof echo, "%s/echo", bait);
    return 0;
}

static int stop(void **state) {
    (void)state;
    (void)fprintf(stderr, "marks_panes: %zu runs, %zu files read, %zu rows unpacked\n", runs, files, rows);
    proc_folder_remove(bait);
    return service_stop(&service);
}

/* ---- What the service answers ---- */

/* Each value in a place of its own: [from, to) of the marks. */
static void answer_with(const char *path, int status, int form, size_t from, size_t to) {
    struct str text, rule;
    str_init(&text, TEXT_MAX);
    str_init(&rule, TEXT_MAX);
    str_add(&text,
            status < 300 ? "{\"id\":\"usr_9\",\"message\":\"made\",\"errors\":[" : "{\"message\":\"no\",\"errors\":[");
    for (size_t i = from; i < to; i++) {
        str_addf(&text, "%s{\"field\":\"email\",\"message\":\"value ", i > from ? "," : "");
        marks_write(&text, MARKS[i], form, true);
        str_add(&text, "\",\"param\":\"");
        marks_write(&text, MARKS[i], form, true);
        str_add(&text, "\"}");
    }
    str_add(&text, "]}");
    assert_true(proc_write_file(echo, text.s));
    str_addf(&rule, "path=%s status=%d type=application/json body_file=%s header=\"X-Request-Id: r-", path, status,
             echo);
    marks_write(&rule, MARKS[from ? 8 : to > 1 ? 1 : 0], marks_header_form(form), true);
    str_add_char(&rule, '"');
    service_rule(&service, rule.s);
    str_clear(&rule);
    str_clear(&text);
}

/* ---- Looking ---- */

/* What is searched on a screen: everything, or the secrets alone where a person is shown on purpose. */
static const struct marks ALL = {MARKS, COUNT_OF(MARKS), {NULL}};
static const struct marks SECRETS = {MARKS, 2, {NULL}};

static void none_on_screen(struct pty *pty, const char *where, const struct marks *marks) {
    const char *screen = pty_screen(pty);
    marks_none_in(marks, where, screen, strlen(screen));
}

static void none_in_process(pid_t pid) {
    static const char *const NAMES[] = {"cmdline", "environ", "comm"};
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, NAMES[i]);
        struct bytes all = bytes_read(path);
        marks_none_in(&ALL, path, all.s, all.len);
        free(all.s);
    }
}

/* The draft alone may have what was typed, without the birth date: here no form was typed, so none may have anything.
 * The result of an import stands beside the operator's file. */
static void none_in_files(void) {
    const struct marks marks = {MARKS, COUNT_OF(MARKS), {service.token_file}};
    const struct marks own = {MARKS, COUNT_OF(MARKS), {table, echo}};
    char cache[PATH_CAP];
    struct stat info;
    files += marks_none_under(&marks, service.folder);
    files += marks_none_under(&own, bait);
    (void)snprintf(cache, sizeof cache, "%s/cache/bursar/test.db", service.folder);
    if (stat(cache, &info) == 0)
        rows += marks_none_in_cache(&ALL, cache);
}

/* All that was written to the terminal. */
static void no_secret_in_record(struct pty *pty) {
    size_t len;
    const char *bytes = pty_bytes(pty, &len);
    marks_none_in(&SECRETS, "the terminal's bytes", bytes, len);
    marks_none_in(&ALL, "the title", pty_title(pty), strlen(pty_title(pty)));
}

static void forget(void) {
    const char *const argv[] = {"/bin/rm", "-rf", workplace, result, NULL};
    struct proc proc;
    console_forget(&service);
    assert_int_equal(proc_run(&proc, argv, NULL, PROC_DEADLINE), 0);
    (void)proc_end(&proc);
    make_workplace();
}

/* ---- The console ---- */

static struct pty *open_console(const char *pane, const char *expected) {
    const struct pty_options options = {.rows = 40, .cols = 120, .folder = workplace};
    const char *const env[] = {path_variable, "DISPLAY=:99", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", NULL};
    struct pty *pty = console_open_env(&service, NULL, env, &options);
    assert_true(pty_expect(pty, " SANDBOX ", SECONDS));
    pty_settle(pty, 100);
    pty_feed(pty, pane);
    assert_true(pty_expect(pty, expected, SECONDS));
    return pty;
}

static void confirm(struct pty *pty, const char *expected) {
    assert_true(pty_expect(pty, "[ Send it ]", SECONDS));
    pty_settle(pty, CALM_MS); /* stray keys are waited for as long */
    console_read_review(pty);
    pty_feed(pty, CONFIRM);
    if (expected)
        assert_true(pty_expect(pty, expected, SECONDS));
}

static void start_import(struct pty *pty, const char *expected) {
    pty_feed(pty, "i");
    assert_true(pty_expect(pty, "CSV file", SECONDS));
    pty_feed(pty, table);
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "column of the file", SECONDS));
    none_on_screen(pty, "the columns", &ALL);
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "checked:", SECONDS));
    none_on_screen(pty, "the rows", &ALL);
    pty_feed(pty, "s");
    confirm(pty, expected);
    pty_settle(pty, 200);
    none_on_screen(pty, "the run", &ALL);
}

static void start_webhook(struct pty *pty, const char *expected) {
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "[ Review ]", SECONDS));
    pty_feed(pty, "\x15https://hooks.example.com/x\t\r"); /* Ctrl-U */
    assert_true(pty_expect(pty, "How are events signed?", SECONDS));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "Secret", SECONDS));
    pty_feed(pty, SECRET);
    assert_true(pty_expect(pty, "34 characters", SECONDS));
    pty_feed(pty, "\r\r");
    confirm(pty, expected);
    pty_settle(pty, 200);
    none_on_screen(pty, "the receipt", &ALL);
}

/* What is kept of the write: its record, the copy of its id, the requests of the session, the records exported. */
static void look_at_records(struct pty *pty) {
    pty_feed(pty, "4");
    assert_true(pty_expect(pty, "every write", SECONDS));
    none_on_screen(pty, "the records", &ALL);
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "record  ", SECONDS));
    none_on_screen(pty, "the record", &ALL);
    pty_feed(pty, "y");
    assert_true(pty_expect(pty, "cop", SECONDS));
    pty_feed(pty, "L");
    assert_true(pty_expect(pty, "POST", SECONDS));
    none_on_screen(pty, "the requests", &ALL);
    pty_feed(pty, "\x1b");
    pty_settle(pty, 300);
    pty_feed(pty, "\x1b");
    pty_settle(pty, 300);
    pty_feed(pty, "x");
    pty_settle(pty, 200);
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "record", SECONDS));
    pty_settle(pty, 200);
}

static void end(struct pty *pty) {
    int status;
    none_in_process(pty_pid(pty));
    pty_feed(pty, "Q");
    pty_settle(pty, 20);
    if (!pty_wait(pty, 0, &status)) {
        pty_feed(pty, CONFIRM); /* leave the form */
        assert_true(pty_wait(pty, SECONDS, &status));
    }
    no_secret_in_record(pty);
    pty_free(pty);
    none_in_files();
    runs++;
    forget();
}

static const int STATUSES[] = {422, 500, 201, 409};

static void bar5_an_import_shows_and_keeps_nothing_of_what_is_written_back(void **state) {
    (void)state;
    for (int form = 0; form < MARKS_FORMS; form++)
        for (size_t i = 0; i < COUNT_OF(STATUSES); i++) {
            if (!marks_of_all() && (form % 5 != 0 || i != (size_t)form % COUNT_OF(STATUSES)))
                continue;
            answer_with("/user", STATUSES[i], form, 2, COUNT_OF(MARKS));
            struct pty *pty = open_console("2", "Identity verified");
            start_import(pty, "1 row:");
            look_at_records(pty);
            end(pty);
        }
    service_rule(&service, NULL);
}

static void bar5_a_webhook_shows_and_keeps_nothing_of_its_secret(void **state) {
    (void)state;
    for (int form = 0; form < MARKS_FORMS; form++)
        for (size_t i = 0; i < COUNT_OF(STATUSES); i++) {
            if (!marks_of_all() && (form != MARKS_APART || i != 0))
                continue;
            answer_with("/webhook/register", STATUSES[i], form, 0, 2);
            struct pty *pty = open_console("3", "this console's record");
            start_webhook(pty, NULL);
            look_at_records(pty);
            end(pty);
        }
    service_rule(&service, NULL);
}

/* A row that has the token in a field that is shown, in one that is kept and in one that is not known; beside it one
 * that cannot be read, and every other time an error of a part, with which a page is not kept. */
static void list_with(int form, bool in_part) {
    static const char *const PLACES[] = {
        "{\"data\":[{\"id\":\"pi_77\",\"created_at\":\"2026-06-14T10:00:00Z\",\"status\":\"pending\","
        "\"payment_credential\":{\"id\":\"pc_1\",\"bank_name\":\"Bank ",
        "\"},\"account\":{\"name\":\"", "\"},\"surprise\":{\"deep\":\"", "\"}},{\"id\":\"pi_78\",\"rail\":\"",
        "\",\"rail\":\"twice\"}],\"next_cursor\":null"};
    struct str text, rule;
    str_init(&text, TEXT_MAX);
    str_init(&rule, TEXT_MAX);
    for (size_t i = 0; i < COUNT_OF(PLACES); i++) {
        str_add(&text, PLACES[i]);
        if (i + 1 < COUNT_OF(PLACES))
            marks_write(&text, TOKEN, form, true);
    }
    if (in_part) {
        str_add(&text, ",\"errors\":[{\"message\":\"a part: ");
        marks_write(&text, TOKEN, form, true);
        str_add(&text, "\"}]");
    }
    str_add_char(&text, '}');
    assert_true(proc_write_file(echo, text.s));
    str_addf(&rule, "path=/intent/list status=200 type=application/json body_file=%s header=\"X-Request-Id: r-", echo);
    marks_write(&rule, TOKEN, marks_header_form(form), true);
    str_add_char(&rule, '"');
    service_rule(&service, rule.s);
    str_clear(&rule);
    str_clear(&text);
}

static void press(struct pty *pty, const char *keys, const char *where) {
    pty_feed(pty, keys);
    pty_settle(pty, 150);
    none_on_screen(pty, where, &ALL);
}

/* Every way a row is looked at, and out. */
static void look_at_rows(struct pty *pty) {
    press(pty, "wg", "the list");
    press(pty, "Y", "what can be copied");
    press(pty, "\x1b[B\x1b[B\r", "a copy");
    press(pty, "Y", "what can be copied");
    press(pty, "\x1b[B\r", "a copy");
    press(pty, "y", "a copy");
    press(pty, "F", "the counts");
    press(pty, "\x1b", "the list");
    pty_settle(pty, 300);
    press(pty, "\r", "the detail");
    press(pty, "J", "the detail as served");
    press(pty, "D", "the changes");
    press(pty, "\x1b", "the detail");
    pty_settle(pty, 300);
    press(pty, "\x1b", "the list");
    pty_settle(pty, 300);
    press(pty, "x", "the export");
    press(pty, "lll", "the export");
    press(pty, "G\r", "the export");
    press(pty, "L", "the requests");
    press(pty, "\x1b", "the list");
    pty_settle(pty, 300);
}

static void bar5_a_list_shows_and_keeps_nothing_of_the_token(void **state) {
    (void)state;
    for (int form = 0; form < MARKS_FORMS; form++) {
        if (!marks_of_all() && form != MARKS_BASE64 && form != MARKS_PERCENT)
            continue;
        list_with(form, form % 2 == 0);
        struct pty *pty = open_console("1", "2026-06-14");
        look_at_rows(pty);
        end(pty);
    }
    service_rule(&service, NULL);
}

/* A token command asks and warns by its stderr: that is read by a person, so it arrives, and by a terminal, so it is
 * clean; of the token nothing is in it, though it is said before the console has one. */
static void f17_what_a_token_command_says_is_clean_on_the_terminal(void **state) {
    (void)state;
    static const char ATTACK[] = "\x1b]0;evil";
    char does[2 * PATH_CAP], usual[PATH_CAP];
    int status;
    size_t len;
    (void)snprintf(does, sizeof does,
                   "test -e asked && w=again || w=first; touch asked; printf '\\033]0;evil\\007ask me %%s: ' $w >&2; "
                   "read answer; echo \"+ cat %s\" >&2; cat '%s'; "
                   "printf 'late \\302\\233 words\\n' >&2",
                   TOKEN, service.token_file);
    child("token-command", does);
    const struct pty_options options = {.rows = 24, .cols = 120, .folder = workplace};
    struct pty *pty = console_open_args(&service, NULL, &options);
    assert_true(pty_expect(pty, "<1B>]0;evil<07>ask me first:", SECONDS));
    pty_feed(pty, "x\r");
    assert_true(pty_expect(pty, "20, end of the list", SECONDS));
    pty_feed(pty, "T");
    assert_true(pty_expect(pty, "ask me again:", SECONDS));
    pty_feed(pty, "x\r");
    assert_true(pty_expect(pty, "the token is the same as before; its command said: late <9B> words", SECONDS));
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, SECONDS, &status));
    const char *bytes = pty_bytes(pty, &len);
    assert_null(memmem(bytes, len, ATTACK, strlen(ATTACK)));
    assert_non_null(memmem(bytes, len, "+ cat [...]", 11));
    no_secret_in_record(pty);
    pty_free(pty);
    (void)snprintf(usual, sizeof usual, "cat '%s'", service.token_file);
    child("token-command", usual);
    none_in_files();
    forget();
}

/* A hand that pastes the token where a filter belongs: filters are kept, by history and by view. */
static void bar5_a_token_pasted_into_a_filter_is_not_kept(void **state) {
    (void)state;
    struct pty *pty = open_console("1", "20, end of the list");
    pty_feed(pty, "/\x1b[200~" TOKEN "\x1b[201~\r");
    assert_true(pty_expect(pty, "contains the profile's token", SECONDS));
    pty_feed(pty, "\x1b");
    pty_settle(pty, 300);
    none_on_screen(pty, "the list", &ALL);
    pty_feed(pty, "\\" TOKEN "x\r");
    assert_true(pty_expect(pty, "contains the profile's token", SECONDS));
    pty_feed(pty, "\x1b");
    pty_settle(pty, 300);
    int status;
    none_in_process(pty_pid(pty));
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, SECONDS, &status));
    pty_free(pty);
    none_in_files();
    runs++;
    forget();
}

static void kill_it(struct pty *pty, int signal) {
    int status;
    none_in_process(pty_pid(pty));
    none_in_files(); /* what there is while it runs, temporary files too */
    pty_signal(pty, signal);
    assert_true(pty_wait(pty, SECONDS, &status));
    assert_false(WIFSIGNALED(status) && WCOREDUMP(status));
    no_secret_in_record(pty);
    pty_free(pty);
    none_in_files();
    runs++;
    forget();
}

static void wait_for_record(void) {
    char journal[PATH_CAP];
    (void)snprintf(journal, sizeof journal, "%s/state/bursar/journal.db", service.folder);
    assert_true(proc_wait_file(journal, SECONDS * 1000));
}

static void bar5_a_kill_while_a_request_is_under_way_leaves_nothing(void **state) {
    (void)state;
    static const int SIGNALS[] = {SIGKILL, SIGTERM, SIGABRT, SIGHUP, SIGSEGV};
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        if (!marks_of_all() && i > 0)
            continue;
        service_rule(&service, "path=/user hang=1");
        struct pty *pty = open_console("2", "Identity verified");
        start_import(pty, "running:");
        wait_for_record();
        kill_it(pty, SIGNALS[i]);
        service_rule(&service, "path=/webhook/register hang=1");
        pty = open_console("3", "this console's record");
        start_webhook(pty, NULL);
        wait_for_record();
        kill_it(pty, SIGNALS[i]);
    }
    service_rule(&service, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bar5_an_import_shows_and_keeps_nothing_of_what_is_written_back),
        cmocka_unit_test(bar5_a_webhook_shows_and_keeps_nothing_of_its_secret),
        cmocka_unit_test(f17_what_a_token_command_says_is_clean_on_the_terminal),
        cmocka_unit_test(bar5_a_token_pasted_into_a_filter_is_not_kept),
        cmocka_unit_test(bar5_a_kill_while_a_request_is_under_way_leaves_nothing),
        cmocka_unit_test(bar5_a_list_shows_and_keeps_nothing_of_the_token),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
