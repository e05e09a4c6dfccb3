/* Beside the answers of tests/cli/markers.c: a proxy's login, a token from each of its sources, and
 * answers that write back what they accept, in each written form, are found in no file and in no output. */
#include "base/mem.h"
#include "support/console.h"
#include "support/marks.h"
#include "support/relay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define LOGIN "pxy-Ft5Wm8Kd2Hs7Bq"
#define TOKEN "tok-Vn3Zc6Rj9Lx1Gp4T"
static const char *const MARKS[] = {LOGIN,        TOKEN,           "Pfirstzk",
                                    "Plastzkv",   "Pstreetzk 81",  "Ptownzkw",
                                    "Pareazkw",   "ZK5318PX",      "pmailzk@zkp.example",
                                    "1986-10-24", "+420777453986", "Ptagzkwv"};
static const char BODY[] =
    "{\"name\":{\"first\":\"Pfirstzk\",\"last\":\"Plastzkv\"},\"address\":{\"address_line_1\":\"Pstreetzk 81\","
    "\"locality\":\"Ptownzkw\",\"administrative_area\":\"Pareazkw\",\"postal_code\":\"ZK5318PX\",\"country\":\"DE\"},"
    "\"email\":\"pmailzk@zkp.example\",\"date_of_birth\":\"1986-10-24\",\"phone_number\":\"+420777453986\","
    "\"tag\":\"Ptagzkwv\",\"identity_verified\":true}";

enum { PATH_CAP = 4096, TEXT_MAX = 64 << 10 };

static struct service service;
static char *bait; /* the operator's own files, and what the service is to answer */
static char user[PATH_CAP], answer[PATH_CAP], script[PATH_CAP];
static size_t runs, files;

static void own_file(char path[PATH_CAP], const char *name, const char *text, mode_t mode) {
    (void)snprintf(path, PATH_CAP, "%s/%s", bait, name);
    assert_true(proc_write_file(path, text));
    assert_int_equal(chmod(path, mode), 0);
}

static int start(void **state) {
    (void)state;
    bait = proc_folder_new();
    own_file(user, "user.json", BODY, S_IRUSR | S_IWUSR);
    return console_serve_token(&service, "30", TOKEN "\n") ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    (void)fprintf(stderr, "marks_secrets: %zu runs, %zu files read\n", runs, files);
    proc_folder_remove(bait);
    return service_stop(&service);
}

/* Gives the exit status. */
static int run(const char *const args[]) {
    const struct marks marks = {MARKS, COUNT_OF(MARKS), {service.token_file}};
    struct proc proc;
    int status = console_run(&service, args, &proc);
    if (status < 0)
        fail_msg("%s did not end", args[0]);
    marks_none_in(&marks, args[1], proc.out.s ? proc.out.s : "", proc.out.len);
    marks_none_in(&marks, args[1], proc.err.s ? proc.err.s : "", proc.err.len);
    (void)proc_end(&proc);
    runs++;
    return status;
}

static void look(void) {
    const struct marks marks = {MARKS, COUNT_OF(MARKS), {service.token_file}};
    (void)run((const char *const[]){"activity", "list", NULL});
    (void)run((const char *const[]){"activity", "show", "1", "--format", "json", NULL});
    files += marks_none_under(&marks, service.folder);
}

/* By default once a test, over all that its runs have left. */
static void look_and_begin_again(void) {
    if (!marks_of_all())
        return;
    look();
    console_forget(&service);
}

static int list(void) {
    return run((const char *const[]){"intents", "list", "--all", "--verbose", NULL});
}

static int create(void) {
    return run((const char *const[]){"users", "create", "--file", user, "--yes", "--again", "--verbose", NULL});
}

/* What no header can hold as it is. */
static int in_header(int form) {
    return form == MARKS_JSON || form == MARKS_INVISIBLE || form == MARKS_CUT ? MARKS_RAW : form;
}

static const char *const PLACES[] = {
    "HTTP/1.1 407 no\r\nX-Request-Id: @\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 407 login @ is not good\r\nProxy-Authenticate: Basic realm=\"@\"\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 302 away\r\nLocation: http://127.0.0.1:1/login?of=@\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 502 no\r\nContent-Type: application/json\r\nRequest-Id: r-@\r\n\r\n{\"error\":{\"message\":\"@\"}}",
    "HTTP/1.1 200 @\r\nX-Request-Id: @\r\n\r\nno TLS here but @",
};

static void write_place(struct str *out, const char *place, const char *value, int form) {
    for (; *place; place++)
        if (*place == '@')
            marks_write(out, value, form, false);
        else
            str_add_char(out, *place);
}

static void proxy_says(const char *place, const char *value, int form) {
    struct str text;
    char setting[PATH_CAP];
    str_init(&text, TEXT_MAX);
    write_place(&text, place, value, in_header(form));
    struct relay *relay = relay_text(text.s);
    (void)snprintf(setting, sizeof setting, "http://teller:%s@127.0.0.1:%d", LOGIN, relay_port(relay));
    assert_int_equal(setenv("https_proxy", setting, 1), 0);
    assert_int_not_equal(list(), 0);
    assert_int_not_equal(create(), 0);
    assert_true(relay_connections(relay) > 0);
    (void)unsetenv("https_proxy");
    relay_free(relay);
    str_clear(&text);
    look_and_begin_again();
}

static void bar5_a_proxys_answer_shows_nothing_of_its_login(void **state) {
    (void)state;
    /* The login alone, and as it is sent: teller:... in base64. */
    static const char *const VALUES[] = {LOGIN, "teller:" LOGIN};
    assert_true(console_configure(&service, "https://api.example.test", "  user_required = {}\n"));
    for (int form = 0; form < MARKS_FORMS; form++)
        for (size_t i = 0; i < COUNT_OF(PLACES); i++)
            for (size_t v = 0; v < COUNT_OF(VALUES); v++)
                if (marks_of_all() || (i == (size_t)form % COUNT_OF(PLACES) && v == (size_t)form % 2))
                    proxy_says(PLACES[i], VALUES[v], form);
    assert_true(console_configure(&service, service.url, "  user_required = {}\n"));
    look();
}

/* @: every value of the person and both secrets in the form, each in a member of its own; #: a proxy's login. */
static void write_values(struct str *out, const char *pattern, int form) {
    for (; *pattern; pattern++) {
        if (*pattern == '#')
            marks_write(out, LOGIN, form, true);
        else if (*pattern != '@')
            str_add_char(out, *pattern);
        if (*pattern != '@')
            continue;
        for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
            str_addf(out, "%s\"m%zu\":\"", i > 0 ? "," : "", i);
            marks_write(out, MARKS[i], form, true);
            str_add_char(out, '"');
        }
    }
}

static const struct {
    const char *rule, *body;
} ANSWERS[] = {
    {"status=201", "{\"id\":\"usr_7\",@}"},
    {"status=200", "{\"id\":\"usr_7\",\"user\":{@},\"message\":\"created\"}"},
    {"status=201", "{\"id\":\"usr_7\",\"warnings\":[{@}],\"errors\":[{\"field\":\"email\",@}]}"},
    {"status=201", "{\"error\":{\"message\":\"half done\",\"details\":{@}},\"id\":\"usr_7\"}"},
    {"status=422", "{\"message\":\"refused\",\"errors\":[{\"field\":\"email\",\"message\":\"by #\"}]}"},
    {"status=409", "{\"error\":{\"code\":\"#\",\"message\":\"# asked\"}}"},
    {"status=401", "{\"error\":\"# may not\"}"},
    {"status=202", "{\"status\":\"failed\",@}"},
    {"status=207", "[{@}]"},
};

static void bar5_no_answer_is_kept_with_what_it_writes_back(void **state) {
    (void)state;
    assert_int_equal(setenv("https_proxy", "teller:" LOGIN "@127.0.0.1:1", 1), 0);
    for (int form = 0; form < MARKS_FORMS; form++)
        for (size_t i = 0; i < COUNT_OF(ANSWERS); i++) {
            struct str text, rule;
            if (!marks_of_all() && i != (size_t)form % COUNT_OF(ANSWERS))
                continue;
            str_init(&text, TEXT_MAX);
            str_init(&rule, TEXT_MAX);
            write_values(&text, ANSWERS[i].body, form);
            own_file(answer, "answer", text.s, S_IRUSR | S_IWUSR);
            str_addf(&rule, "path=* %s type=application/json body_file=%s header=\"X-Request-Id: ", ANSWERS[i].rule,
                     answer);
            marks_write(&rule, "pmailzk@zkp.example", in_header(form), true);
            marks_write(&rule, i % 2 ? TOKEN : LOGIN, in_header(form), true);
            str_add_char(&rule, '"');
            service_rule(&service, rule.s);
            if (!strchr(ANSWERS[i].body, '@')) /* a list knows nothing of the person */
                (void)list();
            (void)create();
            look_and_begin_again();
            str_clear(&rule);
            str_clear(&text);
        }
    service_rule(&service, NULL);
    (void)unsetenv("https_proxy");
    look();
}

static void bar5_a_redirect_shows_nothing_that_was_sent(void **state) {
    (void)state;
    static const size_t SENT[] = {1, 2, 7, 8, 10}; /* what an address can name */
    assert_int_equal(setenv("ALL_PROXY", "socks5h://teller:" LOGIN "@127.0.0.1:1", 1), 0);
    for (int form = 0; form < MARKS_FORMS; form++)
        for (size_t i = 0; i < COUNT_OF(SENT); i++) {
            struct str rule;
            if (!marks_of_all() && i != (size_t)form % COUNT_OF(SENT))
                continue;
            str_init(&rule, TEXT_MAX);
            str_add(&rule, "path=* status=302 header=\"Location: http://127.0.0.1:1/a?b=");
            marks_write(&rule, MARKS[SENT[i]], in_header(form), true);
            str_add(&rule, "&c=");
            marks_write(&rule, LOGIN, in_header(form), true);
            str_add_char(&rule, '"');
            service_rule(&service, rule.s);
            assert_int_not_equal(create(), 0);
            service_rule(&service, NULL);
            look_and_begin_again();
            str_clear(&rule);
        }
    (void)unsetenv("ALL_PROXY");
    look();
}

/* Each prints the token where it must not, or more than a token. */
static const struct {
    const char *line;
    int status;
} COMMANDS[] = {
    {"printf '%s\\n' " TOKEN, 0},
    {"printf '%s\\r\\n' " TOKEN, 0},
    {"printf '%s' " TOKEN "; exit 3", 2},
    {"printf '%s\\n%s\\n' " TOKEN " " TOKEN, 2},
    {"printf '%s\\0%s' " TOKEN " more", 2},
    {"printf 'Token: %s' " TOKEN, 2},
    {"head -c 1000000 /dev/zero | sed 's/./" TOKEN "/g'", 2},
    {"printf '%s' " TOKEN "; kill -9 $$", 2},
    {"printf '+ login %s\\n' " TOKEN " >&2; printf '%s\\n' " TOKEN, 0},
    {"printf '%s' " TOKEN " | tr 'a-zA-Z' 'A-Za-z' >&2; printf '%s\\n' " TOKEN "; exit 3", 2},
    {"printf '%s' " TOKEN " | base64 >&2; printf '%s\\n' " TOKEN, 0},
};

static void bar5_no_token_commands_output_is_shown_or_kept(void **state) {
    (void)state;
    char more[2 * PATH_CAP];
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        struct str text, config;
        str_init(&text, TEXT_MAX);
        str_init(&config, TEXT_MAX);
        str_addf(&text, "#!/bin/sh\n%s\n", COMMANDS[i].line);
        own_file(script, "token-command", text.s, S_IRWXU);
        str_addf(&config,
                 "default_profile = \"test\"\nprofile test {\n  environment = sandbox\n  base_url = '%s'\n"
                 "  token_command = {'%s'}\n}\n",
                 service.url, script);
        (void)snprintf(more, sizeof more, "%s/config", service.folder);
        assert_true(proc_write_file(more, config.s));
        assert_int_equal(list(), COMMANDS[i].status);
        (void)run((const char *const[]){"config", "check", NULL});
        look_and_begin_again();
        str_clear(&config);
        str_clear(&text);
    }
    assert_true(console_configure(&service, service.url, "  user_required = {}\n"));
    look();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bar5_a_proxys_answer_shows_nothing_of_its_login),
        cmocka_unit_test(bar5_no_answer_is_kept_with_what_it_writes_back),
        cmocka_unit_test(bar5_a_redirect_shows_nothing_that_was_sent),
        cmocka_unit_test(bar5_no_token_commands_output_is_shown_or_kept),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
