/* At a terminal: what the service writes back of a form, in each written form, and what is left where a
 * console is ended in the middle. It may be seen while the form is open, and in the form's own draft; nowhere else. */
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
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define TOKEN "tok-Bg8Sr5Mz2Kq7Wd3C"
static const char *const MARKS[] = {TOKEN, "Cfirstzk", "Clastzkv", "cmailzk@zkc.example", "1985-09-25", "Ctagzkwv"};
enum { SECONDS = 10, PATH_CAP = 4096, TEXT_MAX = 64 << 10 };
static const char CONFIRM[] = "\x1b[C\r"; /* Right, Enter */

static struct service service;
static char *bait;
static char echo[PATH_CAP];
static size_t runs, files;

static int start(void **state) {
    (void)state;
    bait = proc_folder_new();
    (void)snprintf(echo, sizeof echo, "%s/echo", bait);
    return console_serve_token(&service, "20", TOKEN "\n") ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    (void)fprintf(stderr, "marks_console: %zu runs, %zu files read\n", runs, files);
    proc_folder_remove(bait);
    return service_stop(&service);
}

/* Every value, each in a sentence of its own. */
static void answer_with(int status, int form) {
    struct str text, rule;
    str_init(&text, TEXT_MAX);
    str_init(&rule, TEXT_MAX);
    str_add(&text,
            status < 300 ? "{\"id\":\"usr_9\",\"message\":\"made\",\"errors\":[" : "{\"message\":\"no\",\"errors\":[");
    for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
        str_addf(&text, "%s{\"field\":\"email\",\"message\":\"value ", i > 0 ? "," : "");
        marks_write(&text, MARKS[i], form, true);
        str_add(&text, "\"}");
    }
    str_add(&text, "]}");
    assert_true(proc_write_file(echo, text.s));
    str_addf(&rule, "path=/user status=%d type=application/json body_file=%s header=\"X-Request-Id: r-", status, echo);
    marks_write(&rule, MARKS[3], form == MARKS_PERCENT || form == MARKS_BASE64 || form == MARKS_HTML ? form : MARKS_RAW,
                true);
    str_add_char(&rule, '"');
    service_rule(&service, rule.s);
    str_clear(&rule);
    str_clear(&text);
}

static void none_in_process(pid_t pid) {
    static const char *const NAMES[] = {"cmdline", "environ", "comm"};
    const struct marks marks = {MARKS, COUNT_OF(MARKS), {NULL}};
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, NAMES[i]);
        struct bytes all = bytes_read(path);
        marks_none_in(&marks, path, all.s, all.len);
        free(all.s);
    }
}

/* The program itself; it has no children but those of a token command and the clipboard, and neither is in use. */
static struct pty *open_form(void) {
    const struct pty_options options = {.rows = 40, .cols = 100, .folder = service.folder};
    struct pty *pty = console_open_args(&service, NULL, &options);
    assert_true(pty_expect(pty, "end of the list", SECONDS));
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "Identity verified", SECONDS));
    return pty;
}

static void fill(struct pty *pty, bool pasted) {
    pty_feed(pty, "\r");
    pty_settle(pty, 200);
    pty_feed(pty, pasted ? "\x1b[200~Cfirstzk\x1b[201~\t\x1b[200~Clastzkv\x1b[201~" : "Cfirstzk\tClastzkv");
    pty_feed(pty, "\t\t\t\t\t\t");
    pty_feed(pty, pasted ? "\x1b[200~cmailzk@zkc.example\x1b[201~\t\t" : "cmailzk@zkc.example\t\t");
    pty_feed(pty, "19850925\t\t\tCtagzkwv\ty");
    assert_true(pty_expect(pty, "yes, verified", SECONDS));
    assert_true(pty_shows(pty, "Cfirstzk") && pty_shows(pty, "cmailzk@zkc.example") && pty_shows(pty, "Ctagzkwv"));
}

static void send(struct pty *pty, const char *expected) {
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "[ Send it ]", SECONDS));
    pty_settle(pty, 700); /* stray keys are waited for as long */
    console_read_review(pty);
    pty_feed(pty, CONFIRM);
    assert_true(pty_expect(pty, expected, SECONDS));
}

/* Behind the last way out of the alternate screen, on the screen as it stands, and in the title. */
static void none_on_terminal(struct pty *pty) {
    static const char LEFT[] = "\x1b[?1049l";
    const struct marks marks = {MARKS, COUNT_OF(MARKS), {NULL}};
    size_t len;
    const char *bytes = pty_bytes(pty, &len);
    const char *after = memmem(bytes, len, LEFT, strlen(LEFT));
    if (after)
        marks_none_in(&marks, "what follows the console", after, len - (size_t)(after - bytes));
    marks_none_in(&marks, "the title", pty_title(pty), strlen(pty_title(pty)));
    assert_null(memmem(bytes, len, TOKEN, strlen(TOKEN)));
    assert_null(memmem(bytes, len, "\x1b]52;", 5)); /* nothing was copied */
}

/* The form's own file may have what was typed, but no birth date; the token is in its file alone. */
static void none_in_files(void) {
    static const char *const NEVER[] = {TOKEN, "1985-09-25"};
    struct marks marks = {MARKS, COUNT_OF(MARKS), {service.token_file}};
    const struct marks never = {NEVER, COUNT_OF(NEVER), {service.token_file}};
    char folder[PATH_CAP], draft[PATH_CAP];
    size_t n = 1;
    (void)snprintf(folder, sizeof folder, "%s/state/bursar/drafts", service.folder);
    DIR *drafts = opendir(folder);
    for (struct dirent *entry; drafts && (entry = readdir(drafts)) != NULL;) {
        if (entry->d_name[0] == '.' || n >= COUNT_OF(marks.exempt))
            continue;
        assert_int_equal(n, 1); /* one form, one file */
        assert_true(snprintf(draft, sizeof draft, "%s/%s", folder, entry->d_name) < (int)sizeof draft);
        marks.exempt[n++] = draft;
    }
    if (drafts)
        (void)closedir(drafts);
    files += marks_none_under(&marks, service.folder);
    (void)marks_none_under(&never, service.folder);
}

static void end(struct pty *pty, bool asks) {
    int status;
    none_in_process(pty_pid(pty));
    pty_feed(pty, "Q");
    if (asks) {
        assert_true(pty_expect(pty, "Leave bursar?", SECONDS));
        pty_feed(pty, CONFIRM);
    }
    assert_true(pty_wait(pty, SECONDS, &status));
    none_on_terminal(pty);
    pty_free(pty);
    none_in_files();
    runs++;
}

static const struct {
    int status;
    const char *expected;
} ANSWERS[] = {{422, "422"}, {500, "Outcome unknown"}, {201, "usr_9"}, {409, "Outcome unknown"}};

static void bar5_nothing_of_a_form_is_left_by_an_answer_that_echoes_it(void **state) {
    (void)state;
    for (int form = 0; form < MARKS_FORMS; form++)
        for (size_t i = 0; i < COUNT_OF(ANSWERS); i++) {
            if (!marks_of_all() && (form % 2 || i != (size_t)form / 2 % COUNT_OF(ANSWERS)))
                continue;
            answer_with(ANSWERS[i].status, form);
            struct pty *pty = open_form();
            fill(pty, form % 2 != (int)i % 2);
            send(pty, ANSWERS[i].expected);
            pty_settle(pty, 100);
            end(pty, false);
            console_forget(&service);
        }
}

static void bar5_nothing_of_a_form_is_left_by_an_end_in_its_middle(void **state) {
    (void)state;
    static const int SIGNALS[] = {SIGTERM, SIGKILL, SIGHUP, SIGABRT, SIGINT};
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        int status;
        struct pty *pty = open_form();
        fill(pty, i % 2);
        pty_signal(pty, SIGNALS[i]);
        assert_true(pty_wait(pty, SECONDS, &status));
        if (SIGNALS[i] != SIGKILL) {
            assert_false(pty_is_alternate(pty));
            none_on_terminal(pty);
        }
        assert_false(WIFSIGNALED(status) && WCOREDUMP(status));
        pty_free(pty);
        none_in_files();
        runs++;
        console_forget(&service);
    }
}

static void bar5_a_form_that_is_left_is_in_its_draft_alone(void **state) {
    (void)state;
    struct pty *pty = open_form();
    fill(pty, true);
    pty_feed(pty, "\x1b");
    pty_settle(pty, 300);
    end(pty, true);
    console_forget(&service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bar5_nothing_of_a_form_is_left_by_an_end_in_its_middle),
        cmocka_unit_test(bar5_a_form_that_is_left_is_in_its_draft_alone),
        cmocka_unit_test(bar5_nothing_of_a_form_is_left_by_an_answer_that_echoes_it),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
