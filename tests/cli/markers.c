/* A distinct marker in each personal field and each secret, echoed by the service in eight written
 * forms in bodies and headers of errors; then it is found in no file under the program's home but those that the
 * operator made, and in nothing that was printed. */
#include "base/mem.h"
#include "support/console.h"
#include "support/marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define TOKEN "tok-Hd7Qx2Lw9Zr4Vb6N"
#define SECRET "whs-Jm3Kt8Yp5Gc1Fs0DqWx7Rz2Lv9Nb4"
static const char *const MARKS[] = {TOKEN,        SECRET,          "Qfirstzk",
                                    "Qlastzkv",   "Qstreetzk 81",  "Qtownzkw",
                                    "Qareazkw",   "ZK7418QX",      "qmailzk@zkq.example",
                                    "1987-11-23", "+420777123986", "Qtagzkwv"};
static const char BODY[] =
    "{\"name\":{\"first\":\"Qfirstzk\",\"last\":\"Qlastzkv\"},\"address\":{\"address_line_1\":\"Qstreetzk 81\","
    "\"locality\":\"Qtownzkw\",\"administrative_area\":\"Qareazkw\",\"postal_code\":\"ZK7418QX\",\"country\":\"DE\"},"
    "\"email\":\"qmailzk@zkq.example\",\"date_of_birth\":\"1987-11-23\",\"phone_number\":\"+420777123986\","
    "\"tag\":\"Qtagzkwv\",\"identity_verified\":true}";
static const char TABLE[] =
    "first,last,address_line_1,locality,administrative_area,postal_code,country,email,date_of_birth,phone_number,tag,"
    "identity_verified\nQfirstzk,Qlastzkv,Qstreetzk 81,Qtownzkw,Qareazkw,ZK7418QX,DE,qmailzk@zkq.example,1987-11-23,"
    "+420777123986,Qtagzkwv,true\n";

enum { PATH_CAP = 4096, ECHO_MAX = 64 << 10 };

static struct service service;
static char *bait; /* what the service echoes, and the operator's own files */
static char table[PATH_CAP], body[PATH_CAP], secret[PATH_CAP], echo[PATH_CAP];
static size_t runs, files;

static void own_file(char path[PATH_CAP], const char *name, const char *text) {
    (void)snprintf(path, PATH_CAP, "%s/%s", bait, name);
    assert_true(proc_write_file(path, text));
    assert_int_equal(chmod(path, S_IRUSR | S_IWUSR), 0);
}

static int start(void **state) {
    (void)state;
    bait = proc_folder_new();
    own_file(table, "people.csv", TABLE);
    own_file(body, "user.json", BODY);
    own_file(secret, "secret", SECRET "\n");
    return console_serve_token(&service, "30", TOKEN "\n") ? 0 : -1;
}

/* No request id of the sandbox's own, which would be the one that counts. */
static int start_without_ids(void **state) {
    const char *const args[] = {"--intents", "30", "--style", "request_id=", NULL};
    return start(state) == 0 && service_restart(&service, args) &&
                   console_configure(&service, service.url, "  user_required = {}\n")
               ? 0
               : -1;
}

static int stop(void **state) {
    (void)state;
    proc_folder_remove(bait);
    return service_stop(&service);
}

/* What stands as it is in the forms of LOOSE. */
static const char *const PARTS[] = {"777123986", "qmailzk", "Qstreetzk"};
static bool is_loose;

static struct marks looked_for(void) {
    if (is_loose)
        return (struct marks){PARTS, COUNT_OF(PARTS), {service.token_file}};
    return (struct marks){MARKS, COUNT_OF(MARKS), {service.token_file}};
}

static void none_in(const char *where, const char *bytes, size_t len) {
    const struct marks marks = looked_for();
    marks_none_in(&marks, where, bytes, len);
}

/* All that there is under the home: configuration, cache, journal and its log, drafts, log. */
static void no_file_has_any(void) {
    const struct marks marks = looked_for();
    files += marks_none_under(&marks, service.folder);
}

static void run(const char *const args[]) {
    struct proc proc;
    int status = console_run(&service, args, &proc);
    if (status < 0)
        fail_msg("%s did not end", args[0]);
    none_in(args[1], proc.out.s ? proc.out.s : "", proc.out.len);
    none_in(args[1], proc.err.s ? proc.err.s : "", proc.err.len);
    (void)proc_end(&proc);
    runs++;
}

/* What the request held: nobody can take out what he does not know. */
enum request { LISTS, WEBHOOKS, USERS };

static bool is_of(enum request request, size_t mark) {
    return mark == 0 || (request == WEBHOOKS && mark == 1) || (request == USERS && mark > 1);
}

/* Every value in one form, each in a place of its own. */
static void write_echo(int form, const char *shape, enum request request) {
    bool first = true;
    struct str text;
    str_init(&text, ECHO_MAX);
    bool html = strcmp(shape, "html") == 0;
    str_add(&text, html ? "<html><body>" : "{\"message\":\"the request is bad\",\"errors\":[");
    for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
        if (!is_of(request, i))
            continue;
        str_addf(&text, html ? "<p>value " : "%s{\"field\":\"email\",\"message\":\"value ", first ? "" : ",");
        first = false;
        marks_write(&text, MARKS[i], form, !html);
        str_add(&text, html ? "</p>" : "\"}");
    }
    str_add(&text, html ? "</body></html>" : "]}");
    own_file(echo, "echo", text.s);
    str_clear(&text);
}

static void set_rule(const char *what, const char *shape, int form) {
    struct str rule;
    str_init(&rule, ECHO_MAX);
    str_addf(&rule, "path=* %s type=%s body_file=%s header=\"X-Request-Id: ", what,
             strcmp(shape, "html") == 0 ? "text/html" : "application/json", echo);
    marks_write(&rule, TOKEN, form == MARKS_JSON || form == MARKS_INVISIBLE || form == MARKS_CUT ? MARKS_RAW : form,
                true);
    str_add(&rule, "\"");
    service_rule(&service, rule.s);
    str_clear(&rule);
}

static void lists(void) {
    run((const char *const[]){"intents", "list", "--all", "--verbose", NULL});
}

static void users(void) {
    run((const char *const[]){"users", "create", "--file", body, "--yes", "--again", NULL});
    run((const char *const[]){"users", "import", table, "--yes", NULL});
}

static void webhooks(void) {
    run((const char *const[]){"webhook", "register", "--url", "https://hooks.example.com/x", "--secret-file", secret,
                              "--yes", NULL});
    run((const char *const[]){"webhook", "show", NULL});
}

static void activity(void) {
    run((const char *const[]){"activity", "list", NULL});
    run((const char *const[]){"activity", "show", "1", NULL});
    run((const char *const[]){"activity", "show", "2", "--format", "json", NULL});
}

/* What a record says of an unknown write stops the next, so each answer meets an empty state. */
static void in_form(int form) {
    static const char *const WHAT[][2] = {{"status=422", "json"}, {"status=409", "json"}, {"status=500", "html"},
                                          {"status=200", "json"}, {"status=401", "json"}, {"status=200", "html"}};
    static void (*const ASK[])(void) = {[LISTS] = lists, [WEBHOOKS] = webhooks, [USERS] = users};
    bool all = getenv("BURSAR_MARKERS") != NULL;
    for (size_t i = 0; i < COUNT_OF(WHAT); i++) {
        if (!all && i % 6 != (size_t)form % 6)
            continue;
        for (enum request request = LISTS; request <= USERS; request++) {
            write_echo(form, WHAT[i][1], request);
            set_rule(WHAT[i][0], WHAT[i][1], form);
            ASK[request]();
        }
        activity();
        no_file_has_any();
        console_forget(&service);
    }
}

static void bar5_no_marker_is_kept_or_printed_in_any_form(void **state) {
    (void)state;
    for (int form = 0; form < MARKS_FORMS; form++)
        in_form(form);
    (void)fprintf(stderr, "markers: %zu runs, %zu files read\n", runs, files);
}

/* An id stays whole (F9) but where a secret stands in it: @ is the webhook's secret, # the token. */
static const struct echo_rule {
    const char *rule, *body;
} IN_IDS[] = {
    {"status=200", "{\"url\":\"https://a.example.com/@/x\"}"},
    {"status=201", "{\"url\":\"https://a.example.com/h?s=@\"}"},
    {"status=201", "{\"url\":\"https://a.example.com/h?s=#\"}"},
    {"status=201 header=\"Request-Id: @\"", "{\"url\":\"https://a.example.com/h\",\"id\":\"@\"}"},
    {"status=422 header=\"Request-Id: r-@\"", "{\"id\":\"r-@\",\"message\":\"no\",\"request_id\":\"@\"}"},
    {"status=202", "{\"url\":\"https://a.example.com/@\",\"status\":\"failed\"}"},
};
static const struct echo_rule IN_USER_IDS[] = {
    {"status=201 header=\"Request-Id: #\"", "{\"id\":\"#\"}"},
    {"status=201 header=\"X-Request-Id: r-#-1\"", "{\"id\":\"usr-#-1\",\"request_id\":\"#\"}"},
    {"status=422 header=\"X-Request-Id: #\"", "{\"message\":\"no\",\"request_id\":\"r-#\"}"},
    {"status=200", "{\"items\":[{\"id\":\"#\",\"amount\":1,\"currency\":\"EUR\"}],\"has_more\":false}"},
};

static void fill(struct str *out, const char *pattern) {
    str_init(out, ECHO_MAX);
    for (; *pattern; pattern++)
        if (*pattern == '@' || *pattern == '#')
            str_add(out, *pattern == '@' ? SECRET : TOKEN);
        else
            str_add_char(out, *pattern);
}

static void answer_with_secrets(const struct echo_rule *answer) {
    struct str text, rule, whole;
    fill(&text, answer->body);
    fill(&rule, answer->rule);
    own_file(echo, "echo", text.s);
    str_init(&whole, ECHO_MAX);
    str_addf(&whole, "path=* type=application/json body_file=%s %s", echo, rule.s);
    service_rule(&service, whole.s);
    str_clear(&text);
    str_clear(&rule);
    str_clear(&whole);
}

static void activity_in_csv(void) {
    activity();
    run((const char *const[]){"activity", "list", "--format", "csv", NULL});
    no_file_has_any();
    console_forget(&service);
}

static void f9_an_id_that_holds_a_secret_loses_it(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(IN_IDS); i++) {
        answer_with_secrets(&IN_IDS[i]);
        webhooks();
        activity_in_csv();
    }
    for (size_t i = 0; i < COUNT_OF(IN_USER_IDS); i++) {
        answer_with_secrets(&IN_USER_IDS[i]);
        lists();
        users();
        activity_in_csv();
    }
}

static const char *const LOOSE[] = {
    "777123986",
    "777 12 39 86",
    "(0777) 123-986",
    "qmailzk&commat;zkq.example",
    "qmailzk=40zkq.example",
    "qmailzk\\\\u0040zkq.example",
    "qmailzk\\\\x40zkq&amp;#46;example",
    "Qstreetzk  81",
    "Qstreetzk&nbsp;81",
};

static void f18_no_loose_form_of_what_was_sent_is_kept(void **state) {
    struct str text, rule;
    (void)state;
    str_init(&text, ECHO_MAX);
    str_init(&rule, ECHO_MAX);
    str_add(&text, "{\"message\":\"the request is bad\",\"errors\":[{\"field\":\"tag\"}");
    for (size_t i = 0; i < COUNT_OF(LOOSE); i++)
        str_addf(&text, ",{\"field\":\"email\",\"message\":\"value {%s}\"}", LOOSE[i]);
    str_add(&text, "]}");
    own_file(echo, "echo", text.s);
    str_addf(&rule, "path=* status=422 type=application/json body_file=%s", echo);
    service_rule(&service, rule.s);
    is_loose = true;
    users();
    activity_in_csv();
    is_loose = false;
    str_clear(&text);
    str_clear(&rule);
}

static void file_has(const char *name, const char *folder, const char *part) {
    char path[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = proc_read_file(path);
    assert_non_null(text);
    assert_non_null(strstr(text, part));
    free(text);
}

/* What support asks for. */
static void f9_a_request_id_is_whole_whatever_it_holds(void **state) {
    static const char ID[] = "req-7418-90210";
    static const char *const ARGS[][7] = {{"users", "create", "--file", body, "--yes", "--again", NULL},
                                          {"activity", "show", "1", NULL}};
    struct str rule;
    (void)state;
    own_file(body, "short.json", "{\"name\":{\"first\":\"Qfirstzk\",\"last\":\"Qlastzkv\"},\"tag\":\"7418\"}");
    own_file(table, "short.csv", "first,last,tag\nQfirstzk,Qareazkw,7418\n");
    own_file(echo, "echo", "{\"message\":\"no 7418\",\"request_id\":\"req-7418-90210\"}");
    str_init(&rule, ECHO_MAX);
    str_addf(&rule, "path=* status=422 type=application/json header=\"Request-Id: %s\" body_file=%s", ID, echo);
    service_rule(&service, rule.s);
    str_clear(&rule);
    for (size_t i = 0; i < COUNT_OF(ARGS); i++) {
        struct proc proc;
        assert_true(console_run(&service, ARGS[i], &proc) >= 0);
        if (!strstr(proc.out.s, ID) && !strstr(proc.err.s, ID))
            fail_msg("%s %s:\n%s\n%s", ARGS[i][0], ARGS[i][1], proc.out.s, proc.err.s);
        assert_null(strstr(proc.err.s, "no 7418"));
        (void)proc_end(&proc);
    }
    run((const char *const[]){"users", "import", table, "--yes", NULL});
    file_has("short.result.csv", bait, ID);
    file_has("state/bursar/log", service.folder, ID);
}

static void the_search_reads_each_form(void **state) {
    (void)state;
    for (int form = 0; form < MARKS_FORMS; form++)
        for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
            struct str text;
            str_init(&text, ECHO_MAX);
            str_add(&text, "x ");
            marks_write(&text, MARKS[i], form, false);
            if (!marks_hold(text.s, text.len, MARKS[i]))
                fail_msg("not found: %s", text.s);
            str_clear(&text);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_reads_each_form),
        cmocka_unit_test_setup_teardown(bar5_no_marker_is_kept_or_printed_in_any_form, start, stop),
        cmocka_unit_test_setup_teardown(f18_no_loose_form_of_what_was_sent_is_kept, start, stop),
        cmocka_unit_test_setup_teardown(f9_a_request_id_is_whole_whatever_it_holds, start_without_ids, stop),
        cmocka_unit_test_setup_teardown(f9_an_id_that_holds_a_secret_loses_it, start_without_ids, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
